-- :archetypes
SELECT id, quantitative FROM archetype ORDER BY id

-- :names
-- Proper names that hold digits: of records, and those that texts list.
SELECT name_en AS name FROM record WHERE kind IN ('model', 'accelerator', 'tier', 'lever', 'archetype')
UNION
SELECT name_ko FROM record WHERE kind IN ('model', 'accelerator', 'tier', 'lever', 'archetype')
UNION
SELECT n.value FROM record r, json_each(r.body, '$.names') n

-- :titles
-- What stands under a source's heading and is no figure: its title, who published it, what was read, where.
SELECT json_extract(r.body, '$.' || k.value) AS name
FROM record r, json_each('["title","publisher","performed_by","published","extent_read"]') k
WHERE r.kind IN ('source', 'measurement')
UNION
SELECT json_extract(f.value, '$.locator')
FROM record r, json_each(r.body, '$.findings') f
WHERE r.kind IN ('source', 'measurement')

-- :figures_of
-- All figures of a source.
SELECT value FROM finding WHERE source = ?1 AND value IS NOT NULL ORDER BY ref

-- :withheld
SELECT id, min(say_instead) AS instead FROM withheld GROUP BY id ORDER BY id

-- :public
-- What customers' documents may say, in both languages.
SELECT t.value AS text
FROM record r, json_tree(r.body) t
WHERE t.key IN ('en', 'ko') AND t.type = 'text' AND (r.kind <> 'archetype'
   OR (t.fullkey NOT LIKE '$.structure.approvers%' AND t.fullkey NOT LIKE '$.structure.cycle%'
       AND t.fullkey NOT LIKE '$.objections%' AND t.fullkey NOT LIKE '$.loss_reasons%')
   OR t.fullkey LIKE '$.structure.cycle.gates%')

-- :statements
-- Of the second image only: a connection that renders may not read this table.
SELECT q.id AS id, t.value AS text
FROM quarantine q, json_each(q.body, '$.statement') t
WHERE t.type = 'text'
ORDER BY q.id, t.key
