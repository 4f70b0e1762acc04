-- Rows of the night before, plus those that came, less those that went, are the rows of tonight.
SELECT rows_before, added, removed, rows_now
FROM night
WHERE rows_before > 0 AND rows_before + added - removed <> rows_now
