-- :finding
SELECT ref, fingerprint FROM finding WHERE ref = ?1

-- :record
SELECT id, kind, fingerprint FROM record WHERE id = ?1

-- :claims
SELECT id FROM record WHERE kind = 'claim' ORDER BY id

-- :profiles
-- Longer names first: one that is part of another is not meant where the other stands.
SELECT id, CASE WHEN ?1 = 'ko' THEN name_ko ELSE name_en END AS name
FROM record WHERE kind IN ('model', 'accelerator', 'tier')
ORDER BY length(name) DESC, id
