-- :is_withheld
SELECT 1 FROM withheld WHERE id = coalesce((SELECT id FROM alias WHERE alias = ?1), ?1)
