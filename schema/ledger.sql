-- The ledger: what was sent to whom, kept for good in a file of the user's own. Never rebuilt, so
-- it is migrated: each part below brings a ledger of the version before to its own, in one
-- transaction. A part that was released is never changed; a new version is a new part.
--
-- All that matters is in `body`, and `hash` covers every column and the hash of the row before:
-- whatever is changed, taken out or put in between shows. The guards keep honest programs from
-- doing so by accident. They look at INSERT as well, since REPLACE removes a row without
-- running a trigger for DELETE.

-- :version 1
PRAGMA application_id = 0x444F534C; -- "DOSL"
PRAGMA user_version = 1;

CREATE TABLE entry (
	seq  INTEGER PRIMARY KEY,              -- 1, 2, 3, ... without a gap
	kind TEXT NOT NULL CHECK (kind <> ''), -- 'issue'
	date TEXT NOT NULL CHECK (date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
	body TEXT NOT NULL CHECK (body <> ''), -- JSON
	prev TEXT NOT NULL,                    -- the hash of the row before; of the first: 64 zeros
	hash TEXT NOT NULL CHECK (length(hash) = 64)
) STRICT;

CREATE TRIGGER entry_is_not_changed BEFORE UPDATE ON entry
BEGIN SELECT raise(ABORT, 'the ledger is append-only: an entry is not changed'); END;

CREATE TRIGGER entry_is_not_removed BEFORE DELETE ON entry
BEGIN SELECT raise(ABORT, 'the ledger is append-only: an entry is not removed'); END;

CREATE TRIGGER entry_comes_last BEFORE INSERT ON entry
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM entry)
  OR NEW.prev <> coalesce(
	(SELECT hash FROM entry ORDER BY seq DESC LIMIT 1), '0000000000000000000000000000000000000000000000000000000000000000')
BEGIN SELECT raise(ABORT, 'the ledger is append-only: an entry follows the last one'); END;
