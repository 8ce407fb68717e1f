-- :create_run
CREATE TEMP TABLE IF NOT EXISTS run (
	workload  TEXT PRIMARY KEY,
	archetype TEXT NOT NULL,
	phase     TEXT NOT NULL,  -- the focus
	term      TEXT NOT NULL,
	other     TEXT,           -- near a crossover: the term on the other side of it
	position  TEXT,           -- at the focus, as :positions found it; NULL: none is written
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
	adds     INTEGER NOT NULL, -- load and stated targets then take more devices
	PRIMARY KEY (workload, lever)
)

-- :clear_run
DELETE FROM temp.run

-- :clear_effect
DELETE FROM temp.effect

-- :add_run
INSERT INTO temp.run (workload, archetype, phase, term, other, ratio, decode, prefill)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)

-- :set_position
UPDATE temp.run SET position = ?2 WHERE workload = ?1

-- :add_effect
INSERT INTO temp.effect (workload, lever, state, total, on_focus, adds)
VALUES (?1, ?2, ?3, ?4, ?5, ?6)

-- :levers
SELECT DISTINCT lever FROM position_lever WHERE archetype = ?1 ORDER BY lever

-- :join
-- The join: what this buyer should hear at this bottleneck, and how each lever does there. The
-- figures decide. A lever acts on the focus at capacity if it moves the term that is largest, at a time if that
-- time falls. It fits when it acts there and gains at least a tenth of the best that does; it misreads the
-- customer when it acts elsewhere and gains nothing, or under a tenth of the best; else it also helps. What
-- shortens one time and so lengthens another that more devices are needed for a stated target is no gain at all.
WITH judged AS (
	SELECT r.archetype, r.position, e.lever, e.state, e.total, e.on_focus, e.adds,
	       e.on_focus > 0.001 AND (r.phase <> 'capacity' OR a.lever IS NOT NULL) AS moves,
	       r.phase = 'capacity' AND a.lever IS NOT NULL AS acts
	FROM temp.run r JOIN temp.effect e ON e.workload = r.workload
	LEFT JOIN lever_acts_on a ON a.lever = e.lever AND a.phase = r.phase AND a.term = r.term
	WHERE r.workload = ?1 AND e.state <> 'other-machine'
), best AS (
	SELECT max(CASE WHEN state = 'asked' THEN total END) AS total,
	       max(CASE WHEN moves THEN on_focus END) AS on_focus
	FROM judged
)
SELECT j.lever, l.sold_by_us, coalesce(pl.misreads, 0) AS warned,
       CASE
       WHEN j.state <> 'asked' THEN j.state
       WHEN j.adds THEN 'costs-more'
       WHEN j.moves AND j.on_focus >= b.on_focus / 10 THEN 'fits'
       WHEN j.total <= 0.001 OR j.total < b.total / 10 THEN CASE WHEN j.acts THEN 'nothing-here' ELSE 'misreads' END
       ELSE 'also-helps'
       END AS verdict
FROM judged j JOIN best b JOIN lever l ON l.id = j.lever
LEFT JOIN position_lever pl
  ON pl.archetype = j.archetype AND pl.position = j.position AND pl.lever = j.lever
ORDER BY pl.rank IS NULL OR pl.misreads, pl.rank, j.on_focus DESC, j.total DESC, j.lever

-- :positions
-- The position at the focus, and near a crossover the one on its other side.
SELECT p.id, (p.term = r.term) AS main
FROM temp.run r JOIN position p ON p.archetype = r.archetype AND p.phase = r.phase
WHERE r.workload = ?1 AND (p.term = r.term OR p.term = r.other)
  AND (p.term <> r.term OR CASE p.ratio_op
       WHEN '<' THEN r.ratio < p.ratio WHEN '<=' THEN r.ratio <= p.ratio
       WHEN '>' THEN r.ratio > p.ratio WHEN '>=' THEN r.ratio >= p.ratio ELSE 1 END)
ORDER BY main DESC, p.ratio_op IS NULL, p.id

-- :objections
-- Objections that will come up: always, or at one of these bottlenecks, or against a lever that is proposed.
SELECT o.id
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
