-- :create_run
CREATE TEMP TABLE IF NOT EXISTS run (
	workload  TEXT PRIMARY KEY,
	archetype TEXT NOT NULL,
	phase     TEXT NOT NULL,  -- the focus
	term      TEXT NOT NULL,
	other     TEXT,           -- near a crossover: the term on the other side of it
	ratio     REAL NOT NULL,  -- KV and state over weights
	decode    TEXT,           -- the time bottlenecks, NULL where it does not fit
	prefill   TEXT
)

-- :create_effect
CREATE TEMP TABLE IF NOT EXISTS effect (
	workload TEXT NOT NULL,
	lever    TEXT NOT NULL COLLATE NOCASE,
	state    TEXT NOT NULL,   -- asked, or why not
	total    REAL NOT NULL,
	on_focus REAL NOT NULL,
	PRIMARY KEY (workload, lever)
)

-- :clear_run
DELETE FROM temp.run

-- :clear_effect
DELETE FROM temp.effect

-- :add_run
INSERT INTO temp.run (workload, archetype, phase, term, other, ratio, decode, prefill)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)

-- :add_effect
INSERT INTO temp.effect (workload, lever, state, total, on_focus) VALUES (?1, ?2, ?3, ?4, ?5)

-- :levers
SELECT DISTINCT lever FROM position_lever WHERE archetype = ?1 ORDER BY lever

-- :join
-- The join: what this buyer should hear at this bottleneck, and how each lever does there. The
-- figures decide: a lever fits when it acts on the focus and gains something there; it misreads
-- the customer when it acts elsewhere and gains nothing, or under a tenth of the best; else it also helps.
WITH best AS (
	SELECT workload, max(total) AS total FROM temp.effect WHERE state = 'asked' GROUP BY workload
), judged AS (
	SELECT r.workload, r.archetype, r.phase, r.term, e.lever, e.state, e.total, e.on_focus,
	       EXISTS (SELECT 1 FROM lever_acts_on a
	               WHERE a.lever = e.lever AND a.phase = r.phase AND a.term = r.term) AS acts,
	       b.total AS best
	FROM temp.run r JOIN temp.effect e ON e.workload = r.workload
	LEFT JOIN best b ON b.workload = r.workload
)
SELECT j.lever, j.acts, j.total, j.on_focus, l.sold_by_us,
       CASE
       WHEN j.state <> 'asked' THEN j.state
       WHEN j.acts AND j.on_focus > 0.001 THEN 'fits'
       WHEN j.acts THEN 'nothing-here'
       WHEN j.total <= 0.001 OR j.total < j.best / 10 THEN 'misreads'
       ELSE 'also-helps'
       END AS verdict,
       (SELECT pl.rank FROM position p JOIN position_lever pl
          ON pl.archetype = p.archetype AND pl.position = p.id
        WHERE p.archetype = j.archetype AND p.phase = j.phase AND p.term = j.term
          AND pl.lever = j.lever AND NOT pl.misreads) AS rank,
       EXISTS (SELECT 1 FROM position p JOIN position_lever pl
          ON pl.archetype = p.archetype AND pl.position = p.id
        WHERE p.archetype = j.archetype AND p.phase = j.phase AND p.term = j.term
          AND pl.lever = j.lever AND pl.misreads) AS warned
FROM judged j JOIN lever l ON l.id = j.lever
WHERE j.workload = ?1 AND j.state <> 'other-machine'
ORDER BY rank IS NULL, rank, j.on_focus DESC, j.total DESC, j.lever

-- :positions
-- The position at the focus, and near a crossover the one on its other side.
SELECT p.id, p.phase, p.term, p.occurs,
       (p.term = r.term) AS main
FROM temp.run r JOIN position p ON p.archetype = r.archetype AND p.phase = r.phase
WHERE r.workload = ?1 AND (p.term = r.term OR p.term = r.other)
  AND (p.term <> r.term OR p.ratio IS NULL OR
       CASE WHEN p.ratio LIKE '<%' THEN r.ratio < CAST(ltrim(p.ratio, '<= ') AS REAL)
            ELSE r.ratio > CAST(ltrim(p.ratio, '>= ') AS REAL) END)
ORDER BY main DESC, p.ratio IS NULL, p.id

-- :objections
-- Objections that will come up: always, or at one of these bottlenecks, or against a lever that is proposed.
SELECT o.id,
       max(o.always) AS always
FROM temp.run r JOIN objection o ON o.archetype = r.archetype
WHERE r.workload = ?2 AND (o.always OR (
	(NOT EXISTS (SELECT 1 FROM objection_when w WHERE w.archetype = o.archetype AND w.id = o.id AND w.what = 'bottleneck')
	 OR EXISTS (SELECT 1 FROM objection_when w WHERE w.archetype = o.archetype AND w.id = o.id AND w.what = 'bottleneck'
	            AND w.value IN (r.phase || '.' || r.term, 'decode.' || r.decode, 'prefill.' || r.prefill)))
	AND
	(NOT EXISTS (SELECT 1 FROM objection_when w WHERE w.archetype = o.archetype AND w.id = o.id AND w.what = 'lever')
	 OR EXISTS (SELECT 1 FROM objection_when w WHERE w.archetype = o.archetype AND w.id = o.id AND w.what = 'lever'
	            AND EXISTS (SELECT 1 FROM json_each(?1) l WHERE l.value = w.value)))))
GROUP BY o.id
ORDER BY min(o.rank)
