-- :is_withheld
SELECT 1 FROM withheld WHERE id = ?1
