-- :withheld
SELECT id, say_instead FROM withheld WHERE archetype = ?1 ORDER BY id
