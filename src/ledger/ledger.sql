-- :ids
SELECT a.application_id, v.user_version, (SELECT count(*) FROM sqlite_schema)
FROM pragma_application_id a, pragma_user_version v

-- :schema
SELECT coalesce(group_concat(sql, char(10)), '')
FROM (SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name)

-- :last
SELECT seq, kind, date, body, prev, hash FROM entry ORDER BY seq DESC LIMIT 1

-- :append
INSERT INTO entry (seq, kind, date, body, prev, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6)

-- :next
-- The entry after another. A NUL would hide what stands behind it: such a row
-- has no hash that fits.
SELECT seq, kind, date, body, prev,
       CASE WHEN instr(CAST(kind || date || body || prev || hash AS BLOB), x'00') THEN '' ELSE hash END AS hash
FROM entry WHERE seq > ?1
ORDER BY seq LIMIT 1
