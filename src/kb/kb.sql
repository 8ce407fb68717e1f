-- :resolve
SELECT r.id
FROM record r
WHERE r.id = coalesce((SELECT id FROM alias WHERE alias = ?1), ?1)
  AND (?2 IS NULL OR r.kind = ?2)

-- :body
SELECT body FROM record WHERE id = ?1

-- :body_withheld
SELECT coalesce((SELECT body FROM quarantine q WHERE q.id = r.id), r.body) FROM record r WHERE r.id = ?1

-- :near
-- The ids that share a beginning or a part with what was asked for.
SELECT id FROM (
	SELECT id, 0 AS far FROM record
	WHERE (?2 IS NULL OR kind = ?2) AND instr(id, lower(?1)) > 0
	UNION
	SELECT a.id, 0 FROM alias a JOIN record r ON r.id = a.id WHERE ?2 IS NULL AND instr(a.alias, lower(?1)) > 0
	UNION
	SELECT id, 1 FROM record
	WHERE (?2 IS NULL OR kind = ?2) AND length(?1) >= 3 AND substr(id, 1, 3) = lower(substr(?1, 1, 3))
	UNION
	SELECT id, 2 FROM record
	WHERE ?2 = 'archetype' AND kind = 'archetype')
GROUP BY id
ORDER BY min(far), length(id), id
LIMIT 5

-- :finding
SELECT ref, source, kind, grade, press_reported, value FROM finding
WHERE ref = coalesce((SELECT ref FROM finding_alias WHERE alias = ?1), ?1)

-- :due
-- What a finding, or a record, is only as fresh as: of all that it needs, what is due first. UNION, not
-- UNION ALL: a database made elsewhere may hold a ring.
WITH RECURSIVE under (record) AS (
	SELECT coalesce((SELECT id FROM alias WHERE alias = ?1), ?1)
	UNION
	SELECT r.base FROM under u JOIN rests_on r ON r.claim = u.record)
SELECT ref, review_by FROM finding
WHERE ref = coalesce((SELECT ref FROM finding_alias WHERE alias = ?1), ?1)
   OR ref IN (SELECT n.finding FROM under u JOIN need n ON n.record = u.record)
ORDER BY review_by, ref LIMIT 1

-- :list
SELECT id, CASE WHEN ?2 = 'ko' THEN name_ko ELSE name_en END AS name, file, line
FROM record
WHERE kind = ?1
ORDER BY id

-- :search
-- Every term must stand in the record, anywhere in a word; terms come as a JSON list, folded.
SELECT r.id, r.kind, CASE WHEN ?2 = 'ko' THEN r.name_ko ELSE r.name_en END AS name
FROM search s JOIN record r ON r.id = s.id
WHERE NOT EXISTS (SELECT 1 FROM json_each(?1) t WHERE instr(s.folded, t.value) = 0)
ORDER BY r.kind, r.id

-- :used_by
-- What cites a finding of a source.
SELECT e.record AS id, e.finding, e.relation
FROM finding f JOIN evidence e ON e.finding = f.ref
WHERE f.source = ?1
ORDER BY e.record, e.finding

-- :list_archetypes
SELECT r.id, CASE WHEN ?2 = 'ko' THEN r.name_ko ELSE r.name_en END AS name,
       (SELECT count(*) FROM claim_archetype c WHERE c.archetype = r.id) AS claims,
       CASE WHEN a.quantitative THEN 'quantitative' ELSE 'qualitative only' END AS evidence
FROM record r JOIN archetype a ON a.id = r.id
WHERE r.kind = ?1
ORDER BY r.id

-- :list_claims
SELECT r.id,
       (SELECT group_concat(archetype, ', ') FROM claim_archetype c WHERE c.claim = r.id) AS archetypes,
       CASE WHEN ?2 = 'ko' THEN r.name_ko ELSE r.name_en END AS name
FROM record r
WHERE r.kind = ?1
ORDER BY r.id

-- :list_withheld
SELECT q.id,
       (SELECT group_concat(archetype, ', ') FROM claim_archetype c WHERE c.claim = q.id) AS archetypes,
       coalesce(json_extract(q.body, '$.statement.' || ?2), json_extract(q.body, '$.statement.en')) AS name
FROM quarantine q
ORDER BY q.id

-- :list_sources
SELECT r.id,
       (SELECT min(grade) FROM finding f WHERE f.source = r.id) AS grade,
       (SELECT count(*) FROM finding f WHERE f.source = r.id) AS findings,
       CASE WHEN ?2 = 'ko' THEN r.name_ko ELSE r.name_en END AS name
FROM record r
WHERE r.kind = ?1
ORDER BY r.id

-- :list_decided
-- The quarantine by its decisions: no wording.
SELECT q.id,
       (SELECT group_concat(archetype, ', ') FROM claim_archetype c WHERE c.claim = q.id) AS archetypes,
       (SELECT json_extract(d.body, '$[#-1].decision') FROM decision d WHERE d.claim = q.id) AS decision,
       (SELECT json_extract(d.body, '$[#-1].on') FROM decision d WHERE d.claim = q.id) AS decided_on,
       (SELECT group_concat(DISTINCT s.code) FROM standing s WHERE s.record = q.id AND s.severity = 'error') AS faults
FROM quarantine q
ORDER BY q.id

-- :decisions
SELECT j.key + 1 AS number, json_extract(j.value, '$.on') AS decided_on,
       json_extract(j.value, '$.decision') AS decision, json_extract(j.value, '$.by') AS decided_by,
       json_extract(j.value, '$.reason') AS reason,
       (SELECT group_concat(json_extract(e.value, '$.finding'), ', ')
        FROM json_each(j.value, '$.evidence') e) AS evidence,
       json_extract(j.value, '$.claim') AS claim, json_extract(j.value, '$.hash') AS hash
FROM decision d, json_each(d.body) j
WHERE d.claim = ?1
ORDER BY j.key

-- :standing
SELECT severity, code, file || ':' || line || ':' || col AS place, message
FROM standing WHERE record = ?1 ORDER BY number
