-- Sellers whose ledger balance is not what their refunds justify. A refund takes its net amount from
-- the seller, so the expected balance is negative; a positive delta is money not yet taken.
WITH taken AS (
  SELECT
    seller_id,
    count(*) AS refund_lines,
    sum(net) AS net,
    min(refund_id) AS first_refund_id
  FROM joined
  GROUP BY seller_id
),
compared AS (
  SELECT
    l.seller_id,
    coalesce(t.refund_lines, 0) AS refund_lines,
    CAST(-coalesce(t.net, 0) AS DECIMAL(18, 2)) AS expected,
    l.balance,
    CAST(l.balance + coalesce(t.net, 0) AS DECIMAL(18, 2)) AS delta,
    l.last_ledger_entry,
    t.first_refund_id
  FROM ledger AS l
  LEFT JOIN taken AS t ON t.seller_id = l.seller_id
)
SELECT
  c.seller_id,
  c.refund_lines,
  c.expected,
  c.balance,
  c.delta,
  CASE WHEN p.seller_id IS NULL THEN 'new' ELSE 'persistent' END AS status,
  p.delta AS previous_delta,
  c.last_ledger_entry,
  c.first_refund_id
FROM compared AS c
LEFT JOIN previous.discrepancies AS p ON p.seller_id = c.seller_id
WHERE c.delta <> 0
