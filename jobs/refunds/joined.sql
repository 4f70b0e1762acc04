-- One row a refund line: the fee is rounded half to even on each line, as the ledger posts it.
WITH priced AS (
  SELECT
    r.refund_id,
    r.seller_id,
    r.refunded_on,
    r.reason,
    r.amount,
    f.fee_bp,
    CAST(money_div(r.amount * CAST(f.fee_bp AS DECIMAL(6, 0)), 10000, 2) AS DECIMAL(18, 2)) AS fee
  FROM refunds AS r
  LEFT JOIN fee_lookup AS f ON f.reason = r.reason
)
SELECT
  refund_id,
  seller_id,
  refunded_on,
  reason,
  amount,
  fee_bp,
  fee,
  CAST(amount - fee AS DECIMAL(18, 2)) AS net
FROM priced
