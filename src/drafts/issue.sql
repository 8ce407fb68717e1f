-- :finding
SELECT ref, review_by, fingerprint FROM finding WHERE ref = ?1

-- :record
SELECT id, kind, fingerprint FROM record WHERE id = ?1

-- :claims
SELECT id FROM record WHERE kind = 'claim' ORDER BY id

-- :profiles
-- Longer names first: one that is part of another is not meant where the other stands.
SELECT id, CASE WHEN ?1 = 'ko' THEN name_ko ELSE name_en END AS name
FROM record WHERE kind IN ('model', 'accelerator')
ORDER BY length(name) DESC, id

-- :rests_on
-- What a record's texts and figures have their evidence in, as far as it may be used.
SELECT ref, review_by FROM finding
WHERE ref IN (SELECT finding FROM evidence WHERE record = ?1)
   OR ref IN (SELECT finding FROM figure WHERE record = ?1)
ORDER BY review_by, ref

-- :is_withheld
SELECT 1 FROM withheld WHERE id = ?1
