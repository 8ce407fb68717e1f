-- :quarantined
SELECT 'note' AS severity, 'quarantined' AS code, id, file || ':' || line AS place,
       'kept out of every output until a source is found' AS message
FROM record WHERE kind = 'quarantined-claim' ORDER BY id

-- :standing
-- Found when the claims were compiled: where folder, decisions and evidence do not agree.
SELECT severity, code, record AS id, file || ':' || line || ':' || col AS place, message
FROM standing ORDER BY number

-- :under_review
SELECT 'note' AS severity, 'under-review' AS code, f.ref AS id, r.file || ':' || f.line AS place,
       'a finding under review: reaches no output' AS message
FROM finding f JOIN record r ON r.id = f.source
WHERE json_extract(r.body, '$.findings') IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(r.body, '$.findings') j
              WHERE json_extract(j.value, '$.id') = substr(f.ref, length(r.id) + 2)
                AND json_extract(j.value, '$.status') = 'under-review')
ORDER BY f.ref

-- :no_quantitative
SELECT 'note' AS severity, 'no-quantitative-evidence' AS code, a.id, r.file || ':' || r.line AS place,
       'declared without quantitative evidence: no figure is shown about it' AS message
FROM archetype a JOIN record r ON r.id = a.id WHERE NOT a.quantitative ORDER BY a.id

-- :unsourced
-- Load lets none of these pass; a knowledge database made elsewhere might.
SELECT 'error' AS severity, 'unsourced' AS code, r.id, r.file || ':' || r.line AS place,
       'a claim without a supporting finding of grade A, B or C' AS message
FROM record r
WHERE r.kind = 'claim' AND NOT EXISTS (
	SELECT 1 FROM evidence e JOIN finding f ON f.ref = e.finding
	WHERE e.record = r.id AND e.relation = 'supports' AND f.grade IN ('A', 'B', 'C'))
ORDER BY r.id

-- :dangling
SELECT 'error' AS severity, 'dangling' AS code, e.record AS id, r.file || ':' || r.line AS place,
       'refers to ' || e.finding || ', which is not there' AS message
FROM evidence e JOIN record r ON r.id = e.record
WHERE NOT EXISTS (SELECT 1 FROM finding f WHERE f.ref = e.finding)
ORDER BY e.record, e.finding

-- :expired
SELECT 'warning' AS severity, 'past-review' AS code, r.id, r.file || ':' || r.line AS place,
       'to be reviewed by ' || min(f.review_by) AS message
FROM finding f JOIN record r ON r.id = f.source
WHERE f.review_by < ?1
GROUP BY r.id ORDER BY r.id

-- :unused
SELECT 'note' AS severity, 'unused' AS code, r.id, r.file || ':' || r.line AS place,
       'nothing cites this source' AS message
FROM record r
WHERE r.kind IN ('source', 'measurement')
  AND NOT EXISTS (SELECT 1 FROM finding f WHERE f.source = r.id AND (
	EXISTS (SELECT 1 FROM evidence e WHERE e.finding = f.ref)
	OR EXISTS (SELECT 1 FROM figure g WHERE g.finding = f.ref)))
ORDER BY r.id

-- :contradicted
SELECT 'note' AS severity, 'contradicted' AS code, e.record AS id, r.file || ':' || r.line AS place,
       e.finding || ' contradicts it' AS message
FROM evidence e JOIN record r ON r.id = e.record
WHERE e.relation = 'contradicts' AND r.kind = 'claim'
ORDER BY e.record, e.finding

-- :no_position
SELECT 'warning' AS severity, 'no-position' AS code, a.id, r.file || ':' || r.line AS place,
       'no position at ' || b.value AS message
FROM archetype a JOIN record r ON r.id = a.id, json_each(?1) b
WHERE NOT EXISTS (SELECT 1 FROM position p WHERE p.archetype = a.id AND p.phase || '.' || p.term = b.value)
ORDER BY a.id, b.key

-- :no_because
-- A pain is named by an archetype for a reason in its own structure, not in another's.
SELECT 'warning' AS severity, 'no-because' AS code, p.claim AS id, r.file || ':' || r.line AS place,
       'names no approver, metric, non-negotiable or gate of ' || p.archetype AS message
FROM pain p JOIN record r ON r.id = p.claim
WHERE NOT EXISTS (SELECT 1 FROM because b WHERE b.record = p.claim AND b.structure LIKE p.archetype || '.%')
ORDER BY p.archetype, p.claim

-- :unanswered
SELECT 'note' AS severity, 'unproven-answer' AS code, o.archetype || '.' || o.id AS id,
       r.file || ':' || o.line AS place, 'the answer to this objection has no evidence' AS message
FROM objection o JOIN record r ON r.id = o.archetype JOIN archetype a ON a.id = o.archetype
WHERE NOT EXISTS (SELECT 1 FROM evidence e WHERE e.record = o.archetype AND e.part = 'objections.' || o.id)
ORDER BY o.archetype, o.rank

-- :bodies
SELECT id, kind, file, line, body FROM record
WHERE kind IN ('archetype', 'claim', 'source', 'measurement', 'lever', 'tier', 'model')
ORDER BY id

-- :summary
SELECT a.id,
       CASE WHEN a.quantitative THEN 'yes' ELSE 'no' END AS quantitative,
       (SELECT count(*) FROM pain p WHERE p.archetype = a.id) AS pains,
       (SELECT count(*) FROM objection o WHERE o.archetype = a.id) AS objections,
       (SELECT count(*) FROM objection o WHERE o.archetype = a.id AND EXISTS (
          SELECT 1 FROM evidence e WHERE e.record = a.id AND e.part = 'objections.' || o.id)) AS answered,
       (SELECT count(*) FROM structure s WHERE s.archetype = a.id) AS structure,
       (SELECT count(*) FROM structure s WHERE s.archetype = a.id AND s.evidenced) AS evidenced,
       (SELECT count(*) FROM position p WHERE p.archetype = a.id) AS positions,
       (SELECT count(*) FROM withheld w WHERE w.archetype = a.id) AS withheld
FROM archetype a ORDER BY a.id
