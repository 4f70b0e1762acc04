-- Every account of the ledger, those without refunds and those that agree included.
WITH taken AS (
  SELECT
    seller_id,
    count(*) AS refund_lines,
    sum(amount) AS refunded,
    sum(fee) AS fees,
    sum(net) AS net
  FROM joined
  GROUP BY seller_id
)
SELECT
  l.seller_id,
  coalesce(t.refund_lines, 0) AS refund_lines,
  CAST(coalesce(t.refunded, 0) AS DECIMAL(18, 2)) AS refunded,
  CAST(coalesce(t.fees, 0) AS DECIMAL(18, 2)) AS fees,
  CAST(-coalesce(t.net, 0) AS DECIMAL(18, 2)) AS expected,
  l.balance,
  CAST(l.balance + coalesce(t.net, 0) AS DECIMAL(18, 2)) AS delta,
  CASE
    WHEN d.seller_id IS NOT NULL THEN d.status
    WHEN p.seller_id IS NOT NULL THEN 'resolved'
    ELSE 'agrees'
  END AS status
FROM ledger AS l
LEFT JOIN taken AS t ON t.seller_id = l.seller_id
LEFT JOIN discrepancies AS d ON d.seller_id = l.seller_id
LEFT JOIN previous.discrepancies AS p ON p.seller_id = l.seller_id
