SELECT
  coalesce(l.id, r.id) AS id,
  l.amount AS left_amount,
  r.amount AS right_amount
FROM left_ledger AS l
FULL OUTER JOIN right_ledger AS r ON r.id = l.id
WHERE l.amount IS DISTINCT FROM r.amount
