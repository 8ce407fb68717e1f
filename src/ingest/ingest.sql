-- :base_records
SELECT r.kind, r.file, coalesce(q.written, q.body, r.written, r.body) AS body, r.places, d.line AS decomposed_line, d.col AS decomposed_col
FROM record r LEFT JOIN quarantine q ON q.id = r.id LEFT JOIN decomposed d ON d.record = r.id
ORDER BY r.kind, r.id

-- :withheld_ids
SELECT DISTINCT id FROM withheld ORDER BY id

-- :companion
SELECT digest FROM companion

-- :name_companion
INSERT INTO companion (digest) VALUES (?1)

-- :record
INSERT INTO record (id, kind, name_en, name_ko, file, line, fingerprint, body, written, places)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)

-- :alias
INSERT INTO alias (alias, id) VALUES (?1, ?2)

-- :search
INSERT INTO search (id, folded) VALUES (?1, ?2)

-- :finding
INSERT INTO finding (ref, source, kind, grade, press_reported, review_by, value, conditional, fingerprint,
	review_hash, line, col, review_line, review_col)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)

-- :finding_alias
INSERT INTO finding_alias (alias, ref) VALUES (?1, ?2)

-- :gap
INSERT INTO gap (record, part, missing, line, col) VALUES (?1, ?2, ?3, ?4, ?5)

-- :decomposed
INSERT INTO decomposed (record, line, col) VALUES (?1, ?2, ?3)

-- :scope
INSERT OR IGNORE INTO scope (ref, kind, what) VALUES (?1, ?2, ?3)

-- :figure
INSERT INTO figure (record, name, value, finding, line, col) VALUES (?1, ?2, ?3, ?4, ?5, ?6)

-- :evidence
INSERT OR IGNORE INTO evidence (record, part, finding, relation, reviewed, indirect, line, col)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)

-- :structure
INSERT INTO structure (ref, archetype, part, evidenced, line) VALUES (?1, ?2, ?3, ?4, ?5)

-- :because
INSERT INTO because (record, part, structure) VALUES (?1, ?2, ?3)

-- :archetype
INSERT INTO archetype (id, quantitative) VALUES (?1, ?2)

-- :claim_archetype
INSERT INTO claim_archetype (claim, archetype) VALUES (?1, ?2)

-- :rests_on
INSERT OR IGNORE INTO rests_on (claim, base) VALUES (?1, ?2)

-- :needs
-- A finding that is not there is not needed, but missed: the audit says so.
INSERT INTO need (record, finding, line, col)
SELECT record, finding, line, col
FROM (SELECT l.record, f.ref AS finding, l.line, l.col,
             row_number() OVER (PARTITION BY l.record, f.ref ORDER BY l.line, l.col) AS nth
      FROM (SELECT record, finding, line, col FROM evidence WHERE relation = 'supports'
            UNION ALL SELECT record, finding, line, col FROM figure) l
      JOIN finding f ON f.ref = l.finding)
WHERE nth = 1

-- :pain
INSERT INTO pain (archetype, rank, claim) VALUES (?1, ?2, ?3)

-- :objection
INSERT INTO objection (archetype, id, rank, always, answered, line, col) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)

-- :loss_reason
INSERT INTO loss_reason (archetype, id, line, col) VALUES (?1, ?2, ?3, ?4)

-- :objection_when
INSERT INTO objection_when (archetype, id, what, value) VALUES (?1, ?2, ?3, ?4)

-- :position
INSERT INTO position (archetype, id, phase, term, ratio_op, ratio, occurs, line, col)
VALUES (?1, ?2, ?3, ?4, ?5, CASE WHEN ?5 IS NULL THEN NULL ELSE ?6 END, ?7, ?8, ?9)

-- :position_lever
INSERT INTO position_lever (archetype, position, lever, rank, misreads) VALUES (?1, ?2, ?3, ?4, ?5)

-- :lever
INSERT INTO lever (id, sold_by_us) VALUES (?1, ?2)

-- :lever_acts_on
INSERT INTO lever_acts_on (lever, phase, term) VALUES (?1, ?2, ?3)

-- :quarantine
INSERT INTO quarantine (id, body, written) VALUES (?1, ?2, ?3)

-- :withheld
INSERT INTO withheld (id, archetype, say_instead) VALUES (?1, ?2, ?3)

-- :decision
INSERT INTO decision (claim, file, body) VALUES (?1, ?2, ?3)

-- :standing
INSERT INTO standing (number, record, severity, code, file, line, col, message)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)

-- :base_decisions
SELECT claim, file, body FROM decision ORDER BY claim
