-- The knowledge: compiled from the YAML files, rebuilt and never migrated, opened read-only.
-- Quarantined claims, and evidence under review, are compiled into a second database of this
-- same shape which only the commands about the quarantine open: what renders does not have them.
--
-- Checks of tables with many rows are written with OR: for IN with three values or more SQLite makes
-- a table of them at each row that is inserted.
--
-- `record.body` is the record (its tree as JSON), in which whatever is named goes by its id of today. The
-- other tables hold what is joined, listed or searched; they say nothing that the bodies do not.

PRAGMA application_id = 0x444F5353; -- "DOSS"
PRAGMA user_version = 4;

CREATE TABLE record (
	id          TEXT PRIMARY KEY COLLATE NOCASE,
	kind        TEXT NOT NULL,
	name_en     TEXT NOT NULL,
	name_ko     TEXT NOT NULL,
	file        TEXT NOT NULL,      -- below the root of the folder it came from
	line        INTEGER NOT NULL,
	fingerprint TEXT NOT NULL,      -- SHA-256 of what it says: ingest/reviewed.h
	body        TEXT NOT NULL,
	written     TEXT,               -- the body as its file has it, where that names something otherwise
	places      TEXT NOT NULL       -- of its values in the file: kb/places.h
) STRICT; -- with a rowid: an index tree, as WITHOUT ROWID makes it, gives each long row a page of its own

CREATE INDEX record_by_kind ON record (kind, id);

-- Other ids that a record answers to, also one that is withheld.
CREATE TABLE alias (
	alias TEXT PRIMARY KEY COLLATE NOCASE,
	id    TEXT NOT NULL COLLATE NOCASE
) STRICT, WITHOUT ROWID;

-- One line of search a record: all its texts, with their figures put in, folded.
CREATE TABLE search (
	id     TEXT PRIMARY KEY COLLATE NOCASE REFERENCES record,
	folded TEXT NOT NULL
) STRICT; -- see record

-- Texts that stand in one language only.
CREATE TABLE gap (
	record  TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	part    TEXT NOT NULL,             -- path within the record
	missing TEXT NOT NULL CHECK (missing IN ('en', 'ko')),
	line    INTEGER NOT NULL,
	col     INTEGER NOT NULL,
	PRIMARY KEY (record, part)
) STRICT, WITHOUT ROWID;

-- Where the file of a record is first not in NFC: letters in parts, which other readers take for others.
CREATE TABLE decomposed (
	record TEXT PRIMARY KEY COLLATE NOCASE REFERENCES record,
	line   INTEGER NOT NULL,
	col    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What a record, or a finding of it, is limited to: the machines, models and buyers that it names
-- or declares. No row of a kind: not limited in that.
CREATE TABLE scope (
	ref  TEXT NOT NULL COLLATE NOCASE, -- id of a record, or source.finding
	kind TEXT NOT NULL,                -- 'accelerator', 'model', 'archetype', ...
	what TEXT NOT NULL COLLATE NOCASE, -- id of a record
	PRIMARY KEY (ref, kind, what)
) STRICT, WITHOUT ROWID;

-- What a source or a measurement says.
CREATE TABLE finding (
	ref            TEXT PRIMARY KEY COLLATE NOCASE, -- source.finding
	source         TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	kind           TEXT NOT NULL CHECK (kind IN ('published', 'measured')),
	grade          TEXT NOT NULL CHECK (grade = 'A' OR grade = 'B' OR grade = 'C' OR grade = 'D'),
	press_reported INTEGER NOT NULL,
	review_by      TEXT NOT NULL,
	value          TEXT,               -- as written: '67 %'; NULL where it is no figure
	conditional    INTEGER NOT NULL,   -- has conditions
	fingerprint    TEXT NOT NULL,      -- SHA-256 of its body
	review_hash    TEXT NOT NULL,      -- what a link to it is reviewed against: ingest/reviewed.h
	line           INTEGER NOT NULL,
	col            INTEGER NOT NULL,
	review_line    INTEGER NOT NULL,   -- where its source says review_by
	review_col     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX finding_by_source ON finding (source);

-- Other names of a finding: by an alias of its source, or of its own.
CREATE TABLE finding_alias (
	alias TEXT PRIMARY KEY COLLATE NOCASE,
	ref   TEXT NOT NULL COLLATE NOCASE REFERENCES finding
) STRICT, WITHOUT ROWID;

-- The figures a record's texts use: ${name}.
CREATE TABLE figure (
	record  TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	name    TEXT NOT NULL,
	value   TEXT NOT NULL,
	finding TEXT NOT NULL COLLATE NOCASE REFERENCES finding,
	line    INTEGER NOT NULL,
	col     INTEGER NOT NULL,
	PRIMARY KEY (record, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX figure_by_finding ON figure (finding);

-- A finding bears on a claim, a lever, an objection, a part of a structure, a profile.
CREATE TABLE evidence (
	record   TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	part     TEXT NOT NULL,            -- path within the record
	finding  TEXT NOT NULL COLLATE NOCASE, -- may be withdrawn: audit says so
	relation TEXT NOT NULL CHECK (relation = 'supports' OR relation = 'qualifies' OR relation = 'contradicts'),
	reviewed TEXT,                     -- the finding's review_hash, or its beginning, when somebody last looked; NULL: nobody said so
	indirect INTEGER NOT NULL,         -- declared to be about something else than the record is
	line     INTEGER NOT NULL,
	col      INTEGER NOT NULL,
	PRIMARY KEY (record, part, finding, relation)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_by_finding ON evidence (finding);

-- Approvers, metrics, non-negotiables and gates.
CREATE TABLE structure (
	ref       TEXT PRIMARY KEY COLLATE NOCASE, -- archetype.part.id
	archetype TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	part      TEXT NOT NULL CHECK (part = 'approvers' OR part = 'metrics' OR part = 'non_negotiables' OR part = 'gates'),
	evidenced INTEGER NOT NULL,        -- else inferred
	line      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The part of the structure that makes a pain, an objection or a loss reason one.
CREATE TABLE because (
	record    TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	part      TEXT NOT NULL,
	structure TEXT NOT NULL COLLATE NOCASE,
	PRIMARY KEY (record, part, structure)
) STRICT, WITHOUT ROWID;

CREATE TABLE archetype (
	id           TEXT PRIMARY KEY COLLATE NOCASE REFERENCES record,
	quantitative INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE claim_archetype (
	claim     TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	archetype TEXT NOT NULL COLLATE NOCASE,
	PRIMARY KEY (claim, archetype)
) STRICT, WITHOUT ROWID;

CREATE TABLE rests_on (
	claim TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	base  TEXT NOT NULL COLLATE NOCASE,
	PRIMARY KEY (claim, base)
) STRICT, WITHOUT ROWID;

CREATE INDEX rests_on_by_base ON rests_on (base);

-- The findings without which a record would not stand: those that support it and those behind its figures. A claim
-- needs those of the claims that it rests on as well, at any remove: whoever asks goes along `rests_on`, since the
-- pairs of a long chain would be as many as its square. A record is only as fresh as the first of all that is due.
-- What qualifies or contradicts is not needed.
CREATE TABLE need (
	record  TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	finding TEXT NOT NULL COLLATE NOCASE REFERENCES finding,
	line    INTEGER NOT NULL,          -- of the first link to it
	col     INTEGER NOT NULL,
	PRIMARY KEY (record, finding)
) STRICT, WITHOUT ROWID;

CREATE INDEX need_by_finding ON need (finding);

CREATE TABLE pain (
	archetype TEXT NOT NULL COLLATE NOCASE REFERENCES archetype,
	rank      INTEGER NOT NULL,
	claim     TEXT NOT NULL COLLATE NOCASE,
	PRIMARY KEY (archetype, rank)
) STRICT, WITHOUT ROWID;

CREATE TABLE objection (
	archetype TEXT NOT NULL COLLATE NOCASE REFERENCES archetype,
	id        TEXT NOT NULL,
	rank      INTEGER NOT NULL,
	always    INTEGER NOT NULL,
	answered  INTEGER NOT NULL,
	line      INTEGER NOT NULL,
	col       INTEGER NOT NULL,
	PRIMARY KEY (archetype, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE loss_reason (
	archetype TEXT NOT NULL COLLATE NOCASE REFERENCES archetype,
	id        TEXT NOT NULL,
	line      INTEGER NOT NULL,
	col       INTEGER NOT NULL,
	PRIMARY KEY (archetype, id)
) STRICT, WITHOUT ROWID;

-- When an objection comes up: every `what` that it has must be met, by any one of its values.
CREATE TABLE objection_when (
	archetype TEXT NOT NULL COLLATE NOCASE,
	id        TEXT NOT NULL,
	what      TEXT NOT NULL CHECK (what IN ('bottleneck', 'lever')),
	value     TEXT NOT NULL COLLATE NOCASE,
	PRIMARY KEY (archetype, id, what, value),
	FOREIGN KEY (archetype, id) REFERENCES objection
) STRICT, WITHOUT ROWID;

-- What to say to an archetype at a bottleneck.
CREATE TABLE position (
	archetype TEXT NOT NULL COLLATE NOCASE REFERENCES archetype,
	id        TEXT NOT NULL,
	phase     TEXT NOT NULL CHECK (phase IN ('capacity', 'prefill', 'decode')),
	term      TEXT NOT NULL,
	ratio_op  TEXT CHECK (ratio_op IN ('<', '<=', '>', '>=')),
	ratio     REAL,                    -- only while KV over weights is so; both NULL: always
	occurs    INTEGER NOT NULL,
	line      INTEGER NOT NULL,
	col       INTEGER NOT NULL,
	PRIMARY KEY (archetype, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE position_lever (
	archetype TEXT NOT NULL COLLATE NOCASE,
	position  TEXT NOT NULL,
	lever     TEXT NOT NULL COLLATE NOCASE REFERENCES record,
	rank      INTEGER NOT NULL,
	misreads  INTEGER NOT NULL,        -- would misread this buyer here
	PRIMARY KEY (archetype, position, lever),
	FOREIGN KEY (archetype, position) REFERENCES position
) STRICT, WITHOUT ROWID;

CREATE TABLE lever (
	id         TEXT PRIMARY KEY COLLATE NOCASE REFERENCES record,
	sold_by_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE lever_acts_on (
	lever TEXT NOT NULL COLLATE NOCASE REFERENCES lever,
	phase TEXT NOT NULL,
	term  TEXT NOT NULL,
	PRIMARY KEY (lever, phase, term)
) STRICT, WITHOUT ROWID;

-- What may not be said of an archetype, by its opaque id, and what may be said instead. No
-- wording: this table is in the knowledge.
CREATE TABLE withheld (
	id          TEXT NOT NULL COLLATE NOCASE,
	archetype   TEXT NOT NULL COLLATE NOCASE,
	say_instead TEXT COLLATE NOCASE,   -- NULL: nothing, so far
	PRIMARY KEY (id, archetype)
) STRICT, WITHOUT ROWID;

-- Which second database belongs to this one: nothing of what is in it, and it has no row here.
CREATE TABLE companion (
	digest TEXT NOT NULL               -- SHA-256 of the file
) STRICT;

-- Only the second database has rows here: the bodies of quarantined claims. A connection that renders is
-- denied the table by name on top of not having the rows.
CREATE TABLE quarantine (
	id      TEXT PRIMARY KEY COLLATE NOCASE REFERENCES record,
	body    TEXT NOT NULL,
	written TEXT                    -- as in record
) STRICT, WITHOUT ROWID;

-- Only the second database has rows in these two either, since a reason may hold wording.
-- The decisions about a claim: the entries of its file, as a JSON list.
CREATE TABLE decision (
	claim TEXT PRIMARY KEY COLLATE NOCASE,
	file  TEXT NOT NULL,
	body  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What is wrong with the standing of a claim: its folder, its decisions and its evidence do not agree.
CREATE TABLE standing (
	number   INTEGER PRIMARY KEY,
	record   TEXT NOT NULL COLLATE NOCASE,   -- '': no claim of that name
	severity TEXT NOT NULL CHECK (severity IN ('error', 'warning')),
	code     TEXT NOT NULL,
	file     TEXT NOT NULL,
	line     INTEGER NOT NULL,
	col      INTEGER NOT NULL,
	message  TEXT NOT NULL
) STRICT;
