-- What the audit asks. Rows have code, id, file, line, col, message; `level` where it differs from
-- the rule's own, `hint` where there is one. ?1 in questions about freshness: the day that counts as today.

-- :unsourced
-- Load keeps such a claim out of the knowledge; a knowledge database made elsewhere might hold one.
SELECT CASE WHEN s.best IS NULL THEN 'unsourced' ELSE 'grade-d-only' END AS code,
       r.id, r.file, r.line, 1 AS col,
       CASE WHEN s.best IS NULL THEN 'no verified finding supports this claim'
            ELSE 'what supports this claim only circulates (grade D)' END AS message
FROM record r JOIN (
	SELECT c.id, min(f.grade) AS best
	FROM record c
	LEFT JOIN evidence e ON e.record = c.id AND e.part = 'evidence' AND e.relation = 'supports'
	LEFT JOIN finding f ON f.ref = e.finding
	WHERE c.kind = 'claim' AND NOT EXISTS (
		SELECT 1 FROM evidence o JOIN finding b ON b.ref = o.finding
		WHERE o.record = c.id AND o.part = 'evidence' AND o.relation = 'supports' AND b.grade < 'D')
	GROUP BY c.id) s ON s.id = r.id
ORDER BY r.id

-- :press_alone
-- Labelled as press-reported, on the finding and on the claim, it may be said so; it is still press.
SELECT 'press-alone' AS code,
       CASE WHEN f.grade = 'C' AND f.press_reported
             AND (r.kind <> 'claim' OR json_extract(r.body, '$.press_reported') = 'yes') THEN 'note' END AS level,
       r.id, r.file, g.line, g.col,
       g.value || ' has ' || g.finding || ' alone behind it, of grade ' || f.grade AS message
FROM finding f JOIN figure g ON g.finding = f.ref JOIN record r ON r.id = g.record
WHERE f.grade IN ('C', 'D')
  AND NOT EXISTS (
	SELECT 1 FROM evidence e JOIN finding b ON b.ref = e.finding
	WHERE e.record = g.record AND e.relation = 'supports' AND b.grade IN ('A', 'B') AND b.value = f.value)
ORDER BY r.id, g.name

-- :dangling
SELECT 'dangling' AS code, l.record AS id, r.file, l.line, l.col,
       'refers to ' || l.finding || ', which is not there' AS message
FROM (SELECT record, finding, line, col FROM evidence
      UNION ALL SELECT record, finding, line, col FROM figure) l
JOIN record r ON r.id = l.record
WHERE NOT EXISTS (SELECT 1 FROM finding f WHERE f.ref = l.finding)
ORDER BY l.record, l.line, l.col

-- :review_of_sources
-- Reviews that fall due from ?1 on and before ?2; ?3 is the code. What nothing uses can wait.
SELECT ?3 AS code,
       CASE WHEN max(s.used) = 0 THEN 'note' END AS level,
       r.id, r.file, min(s.review_line) AS line, min(s.review_col) AS col,
       'to be reviewed by ' || min(s.review_by) || '; findings of it in use: ' || sum(s.used) AS message
FROM (SELECT f.*, EXISTS (SELECT 1 FROM evidence e WHERE e.finding = f.ref)
               OR EXISTS (SELECT 1 FROM figure g WHERE g.finding = f.ref) AS used
      FROM finding f WHERE f.review_by >= ?1 AND f.review_by < ?2) s
JOIN record r ON r.id = s.source
GROUP BY r.id
ORDER BY r.id

-- :review_of_users
-- What is only as fresh as the oldest finding that it needs, or that a claim needs which it rests on.
-- UNION, not UNION ALL: a database made elsewhere may hold a ring.
WITH RECURSIVE needed (record, finding, review_by, line, col) AS (
	SELECT n.record, n.finding, f.review_by, n.line, n.col
	FROM finding f CROSS JOIN need n ON n.finding = f.ref WHERE f.review_by >= ?1 AND f.review_by < ?2
	UNION
	SELECT u.claim, n.finding, n.review_by, NULL, NULL
	FROM needed n JOIN rests_on u ON u.base = n.record),
first AS (
	SELECT *, row_number() OVER (PARTITION BY record ORDER BY review_by, line IS NULL, line, col, finding) AS nth
	FROM needed)
SELECT ?3 AS code, r.id, r.file, coalesce(n.line, r.line) AS line, coalesce(n.col, 1) AS col,
       'only as fresh as ' || n.finding || ', to be reviewed by ' || n.review_by
       || CASE c.findings WHEN 1 THEN '' ELSE '; such findings: ' || c.findings END AS message
FROM first n JOIN record r ON r.id = n.record
JOIN (SELECT record, count(DISTINCT finding) AS findings FROM needed GROUP BY record) c ON c.record = n.record
WHERE n.nth = 1
ORDER BY r.id

-- :day_after
SELECT date(?1, '+' || (?2 + 1) || ' days') AS day

-- :suspect
SELECT 'suspect-link' AS code, e.record AS id, r.file, e.line, e.col,
       e.finding || ' changed since this link was reviewed' AS message,
       'reviewed against ' || e.reviewed || '; it is ' || substr(f.review_hash, 1, 12) || ' now' AS hint
FROM evidence e JOIN finding f ON f.ref = e.finding JOIN record r ON r.id = e.record
WHERE e.reviewed IS NOT NULL
  AND (length(e.reviewed) < 12 OR substr(f.review_hash, 1, length(e.reviewed)) <> lower(e.reviewed))
ORDER BY e.record, e.line, e.col

-- :unreviewed
SELECT 'unreviewed-link' AS code, e.record AS id, r.file, e.line, e.col,
       'nobody said what ' || e.finding || ' was when this link was made' AS message
FROM evidence e JOIN record r ON r.id = e.record
WHERE e.reviewed IS NULL AND (r.kind IN ('claim', 'lever') OR e.part LIKE 'objections.%')
ORDER BY e.record, e.line, e.col

-- :fingerprints
-- Every link of a claim, a lever or an objection, with what a review of it would note down today.
SELECT e.record AS id, e.part, e.finding, r.file || ':' || e.line || ':' || e.col AS place,
       substr(f.review_hash, 1, 12) AS fingerprint,
       CASE WHEN e.reviewed IS NULL THEN 'not reviewed'
            WHEN length(e.reviewed) >= 12 AND substr(f.review_hash, 1, length(e.reviewed)) = lower(e.reviewed)
            THEN 'reviewed' ELSE 'suspect' END AS state,
       'reviewed: {by: NAME, on: ' || ?1 || ', fingerprint: "' || substr(f.review_hash, 1, 12) || '"}' AS paste
FROM evidence e JOIN finding f ON f.ref = e.finding JOIN record r ON r.id = e.record
WHERE r.kind IN ('claim', 'lever') OR e.part LIKE 'objections.%'
ORDER BY e.record, e.line, e.col

-- :outside
-- A figure whose finding was found on other machines, models or buyers than its claim names.
SELECT 'outside-conditions' AS code, g.record AS id, r.file, g.line, g.col,
       g.value || ' was found on ' || group_concat(DISTINCT b.what) || ' (' || g.finding
       || '); this is said of ' || group_concat(DISTINCT a.what) AS message
FROM figure g JOIN record r ON r.id = g.record
JOIN scope a ON a.ref = g.record JOIN scope b ON b.ref = g.finding AND b.kind = a.kind
WHERE NOT EXISTS (SELECT 1 FROM scope x JOIN scope y ON y.ref = g.finding AND y.kind = x.kind AND y.what = x.what
                  WHERE x.ref = g.record AND x.kind = a.kind)
GROUP BY g.record, g.name
ORDER BY g.record, g.line, g.col

-- :outside_buyer
-- A finding that says which buyers it is about, behind a claim about others.
SELECT CASE WHEN l.figure THEN 'outside-conditions' ELSE 'indirect' END AS code, l.record AS id, r.file, l.line, l.col,
       l.finding || ' is about ' || (SELECT group_concat(what) FROM scope s WHERE s.ref = l.finding AND s.kind = 'archetype')
       || '; this is about ' || group_concat(c.archetype) AS message
FROM scope b
CROSS JOIN (SELECT record, finding, line, col, 0 AS figure FROM evidence
            WHERE relation = 'supports' AND NOT indirect
            UNION ALL SELECT record, finding, line, col, 1 FROM figure) l ON l.finding = b.ref
JOIN claim_archetype c ON c.claim = l.record JOIN record r ON r.id = l.record
WHERE b.kind = 'archetype'
  AND b.what = (SELECT min(what) FROM scope s WHERE s.ref = b.ref AND s.kind = 'archetype')
  AND NOT EXISTS (SELECT 1 FROM scope s WHERE s.ref = l.finding AND s.kind = 'archetype' AND s.what = c.archetype)
GROUP BY l.record, l.finding, l.figure
ORDER BY l.record, l.line, l.col

-- :indirect
-- What supports a claim that names other machines or models.
SELECT 'indirect' AS code, e.record AS id, r.file, e.line, e.col,
       e.finding || ' was found on ' || group_concat(DISTINCT b.what) || '; this is said of '
       || group_concat(DISTINCT a.what) AS message
FROM evidence e JOIN record r ON r.id = e.record
JOIN scope a ON a.ref = e.record JOIN scope b ON b.ref = e.finding AND b.kind = a.kind
WHERE e.relation = 'supports' AND NOT e.indirect AND a.kind <> 'archetype'
  AND NOT EXISTS (SELECT 1 FROM scope x JOIN scope y ON y.ref = e.finding AND y.kind = x.kind AND y.what = x.what
                  WHERE x.ref = e.record AND x.kind = a.kind)
GROUP BY e.record, e.part, e.finding
ORDER BY e.record, e.line, e.col

-- :indirect_declared
SELECT 'indirect' AS code, 'note' AS level, e.record AS id, r.file, e.line, e.col,
       e.finding || ' bears on it only indirectly, as the link says' AS message
FROM evidence e JOIN record r ON r.id = e.record
WHERE e.indirect
ORDER BY e.record, e.line, e.col

-- :unsaid
-- A draft prints a finding's conditions beside its source; the text itself does not say them.
SELECT 'conditions-unsaid' AS code, g.record AS id, r.file, g.line, g.col,
       g.value || ' holds under conditions of ' || g.finding || ' that this record does not state' AS message
FROM figure g JOIN finding f ON f.ref = g.finding JOIN record r ON r.id = g.record
WHERE f.conditional AND (r.kind <> 'claim' OR json_extract(r.body, '$.conditions') IS NULL)
ORDER BY g.record, g.line, g.col

-- :contradicted
-- A claim that says when it holds has taken note of what speaks against it, unless that is better evidence.
SELECT 'contradicted' AS code,
       CASE WHEN json_extract(r.body, '$.conditions') IS NOT NULL AND coalesce(f.grade, 'D') >= coalesce((
		SELECT min(b.grade) FROM evidence s JOIN finding b ON b.ref = s.finding
		WHERE s.record = e.record AND s.relation = 'supports'), 'D') THEN 'note' END AS level,
       e.record AS id, r.file, e.line, e.col,
       e.finding || ' (grade ' || coalesce(f.grade, '?') || ') contradicts it' AS message
FROM evidence e JOIN record r ON r.id = e.record LEFT JOIN finding f ON f.ref = e.finding
WHERE e.relation = 'contradicts' AND r.kind = 'claim'
ORDER BY e.record, e.line, e.col

-- :unused
SELECT 'unused' AS code, r.id, r.file, r.line, 1 AS col, 'nothing cites this source' AS message
FROM record r
WHERE r.kind IN ('source', 'measurement')
  AND NOT EXISTS (SELECT 1 FROM finding f WHERE f.source = r.id AND (
	EXISTS (SELECT 1 FROM evidence e WHERE e.finding = f.ref)
	OR EXISTS (SELECT 1 FROM figure g WHERE g.finding = f.ref)))
ORDER BY r.id

-- :unused_finding
SELECT 'unused-finding' AS code, f.ref AS id, r.file, f.line, f.col, 'nothing cites this finding' AS message
FROM finding f JOIN record r ON r.id = f.source
WHERE NOT EXISTS (SELECT 1 FROM evidence e WHERE e.finding = f.ref)
  AND NOT EXISTS (SELECT 1 FROM figure g WHERE g.finding = f.ref)
  AND EXISTS (SELECT 1 FROM finding o WHERE o.source = f.source AND (
	EXISTS (SELECT 1 FROM evidence e WHERE e.finding = o.ref)
	OR EXISTS (SELECT 1 FROM figure g WHERE g.finding = o.ref)))
ORDER BY f.ref

-- :no_quantitative
SELECT 'no-quantitative-evidence' AS code, a.id, r.file, r.line, 1 AS col,
       'declared without quantitative evidence: no figure is shown about it' AS message
FROM archetype a JOIN record r ON r.id = a.id WHERE NOT a.quantitative ORDER BY a.id

-- :no_position
SELECT 'no-position' AS code, a.id, r.file, r.line, 1 AS col, 'no position at ' || b.value AS message
FROM archetype a JOIN record r ON r.id = a.id, json_each(?1) b
WHERE NOT EXISTS (SELECT 1 FROM position p WHERE p.archetype = a.id AND p.phase || '.' || p.term = b.value)
ORDER BY a.id, b.key

-- :no_because
-- A pain is named by an archetype for a reason in its own structure, not in another's; so is an objection.
SELECT 'no-because' AS code, x.id, r.file, x.line, x.col,
       'names no approver, metric, non-negotiable or gate of ' || x.archetype AS message
FROM (SELECT p.claim AS id, p.claim AS record, 'because' AS part, p.archetype, 1 AS line, 1 AS col FROM pain p
      UNION ALL
      SELECT o.archetype || '.' || o.id, o.archetype, 'objections.' || o.id, o.archetype, o.line, o.col FROM objection o
      UNION ALL
      SELECT l.archetype || '.' || l.id, l.archetype, 'loss_reasons.' || l.id, l.archetype, l.line, l.col
      FROM loss_reason l) x
JOIN record r ON r.id = x.record
WHERE NOT EXISTS (SELECT 1 FROM because b WHERE b.record = x.record AND b.part = x.part
                  AND b.structure LIKE x.archetype || '.%')
ORDER BY x.archetype, x.id

-- :open
SELECT CASE WHEN s.support > 0 THEN 'evidenced-objection' ELSE 'open-objection' END AS code,
       o.archetype || '.' || o.id AS id, r.file, o.line, o.col,
       CASE WHEN s.support > 0 THEN 'findings that support this objection: ' || s.support || '; nobody has answered it'
            ELSE 'nobody has answered this objection' END AS message
FROM objection o JOIN record r ON r.id = o.archetype JOIN (
	SELECT p.archetype, p.id, count(e.finding) AS support
	FROM objection p LEFT JOIN evidence e
	  ON e.record = p.archetype AND e.part = 'objections.' || p.id AND e.relation = 'supports'
	GROUP BY p.archetype, p.id) s ON s.archetype = o.archetype AND s.id = o.id
WHERE NOT o.answered
ORDER BY o.archetype, o.rank

-- :unproven
SELECT 'unproven-answer' AS code, o.archetype || '.' || o.id AS id, r.file, o.line, o.col,
       'the answer to this objection has no evidence' AS message
FROM objection o JOIN record r ON r.id = o.archetype
WHERE o.answered
  AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.record = o.archetype AND e.part = 'objections.' || o.id)
ORDER BY o.archetype, o.rank

-- :gaps
SELECT 'missing-language' AS code, g.record AS id, r.file, g.line, g.col,
       g.part || ': no text in ' || CASE g.missing WHEN 'en' THEN 'English' ELSE 'Korean' END AS message
FROM gap g JOIN record r ON r.id = g.record
ORDER BY g.record, g.part

-- :decomposed
SELECT 'decomposed' AS code, d.record AS id, r.file, d.line, d.col,
       'letters are written in parts from here on: normalise the file to NFC' AS message
FROM decomposed d JOIN record r ON r.id = d.record
ORDER BY d.record

-- :decomposed_withheld
-- What only the second image has: claims in quarantine, and sources of which nothing is verified.
SELECT 'decomposed' AS code, d.record AS id, r.file, d.line, d.col,
       'letters are written in parts from here on: normalise the file to NFC' AS message
FROM decomposed d JOIN record r ON r.id = d.record
WHERE NOT EXISTS (SELECT 1 FROM json_each(r.body, '$.findings') f WHERE json_extract(f.value, '$.status') = 'verified')
ORDER BY d.record

-- :models
SELECT id, file, line, body FROM record WHERE kind = 'model' ORDER BY id

-- :standing
-- Found when the claims were compiled: where folder, decisions and evidence do not agree.
SELECT severity AS level, code, nullif(record, '') AS id, file, line, col, message
FROM standing ORDER BY number

-- :quarantined
SELECT 'quarantined' AS code, id, file, line, 1 AS col,
       'kept out of every output until a source is found' AS message
FROM record WHERE kind = 'quarantined-claim' ORDER BY id

-- :under_review
SELECT CASE s.status WHEN 'withdrawn' THEN 'withdrawn' ELSE 'under-review' END AS code, f.ref AS id, r.file, f.line, f.col,
       CASE s.status WHEN 'withdrawn' THEN 'a finding that was withdrawn: reaches no output'
            ELSE 'a finding under review: reaches no output' END AS message
FROM (SELECT p.id AS source, p.id || '.' || json_extract(j.value, '$.id') AS ref, json_extract(j.value, '$.status') AS status
      FROM record p CROSS JOIN json_each(p.body, '$.findings') j
      WHERE p.kind IN ('source', 'measurement')) s
CROSS JOIN finding f ON f.ref = s.ref CROSS JOIN record r ON r.id = s.source
WHERE s.status <> 'verified'
ORDER BY f.ref

-- :summary
-- Counted table by table and joined, not archetype by archetype: there may be thousands of them.
WITH pains AS (SELECT archetype, count(*) AS n FROM pain GROUP BY archetype),
objections AS (
	SELECT o.archetype, count(*) AS n,
	       sum(EXISTS (SELECT 1 FROM evidence e WHERE e.record = o.archetype AND e.part = 'objections.' || o.id)) AS answered
	FROM objection o GROUP BY o.archetype),
parts AS (SELECT archetype, count(*) AS n, sum(evidenced) AS evidenced FROM structure GROUP BY archetype),
positions AS (SELECT archetype, count(*) AS n FROM position GROUP BY archetype),
withhelds AS (SELECT archetype, count(*) AS n FROM withheld GROUP BY archetype)
SELECT a.id,
       CASE WHEN a.quantitative THEN 'yes' ELSE 'no' END AS quantitative,
       coalesce(p.n, 0) AS pains, coalesce(o.n, 0) AS objections, coalesce(o.answered, 0) AS answered,
       coalesce(s.n, 0) AS structure, coalesce(s.evidenced, 0) AS evidenced,
       coalesce(x.n, 0) AS positions, coalesce(w.n, 0) AS withheld
FROM archetype a
LEFT JOIN pains p ON p.archetype = a.id
LEFT JOIN objections o ON o.archetype = a.id
LEFT JOIN parts s ON s.archetype = a.id
LEFT JOIN positions x ON x.archetype = a.id
LEFT JOIN withhelds w ON w.archetype = a.id
ORDER BY a.id

-- :coverage
-- What stands behind each part of an archetype: at best a finding of grade A or B that is not past its
-- review, whose link is not suspect (evidenced); one of grade C, or an old or suspect one (weak); none.
-- A position stands on the levers that it offers; one that does not occur needs no evidence.
WITH link (record, part, relation, worth) AS (
	SELECT e.record, e.part, e.relation,
	       CASE WHEN f.grade = 'D' THEN 0
	            WHEN f.grade = 'C' OR f.review_by < ?1
	              OR (e.reviewed IS NOT NULL
	                  AND substr(f.review_hash, 1, length(e.reviewed)) <> lower(e.reviewed)) THEN 1
	            ELSE 2 END
	FROM evidence e JOIN finding f ON f.ref = e.finding),
item (archetype, part, worth) AS (
	SELECT p.archetype, 'pain', coalesce(max(l.worth), 0)
	FROM pain p LEFT JOIN link l ON l.record = p.claim AND l.part = 'evidence' AND l.relation = 'supports'
	GROUP BY p.archetype, p.rank
	UNION ALL
	SELECT o.archetype, 'objection', coalesce(max(l.worth), 0)
	FROM objection o LEFT JOIN link l ON l.record = o.archetype AND l.part = 'objections.' || o.id
	GROUP BY o.archetype, o.id
	UNION ALL
	SELECT s.archetype, 'loss-reason', coalesce(max(l.worth), 0)
	FROM loss_reason s LEFT JOIN link l ON l.record = s.archetype AND l.part = 'loss_reasons.' || s.id
	GROUP BY s.archetype, s.id
	UNION ALL
	SELECT p.archetype, 'position', coalesce(max(l.worth), 0)
	FROM position p LEFT JOIN position_lever v ON v.archetype = p.archetype AND v.position = p.id AND NOT v.misreads
	LEFT JOIN link l ON l.record = v.lever AND l.part = 'evidence' AND l.relation = 'supports'
	WHERE p.occurs
	GROUP BY p.archetype, p.id)
SELECT archetype, part, sum(worth = 2) AS evidenced, sum(worth = 1) AS weak, sum(worth = 0) AS none
FROM item GROUP BY archetype, part ORDER BY archetype, part
