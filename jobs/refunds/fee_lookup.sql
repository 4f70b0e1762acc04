-- Basis points of the selling fee that a seller gets back, by reason of the refund.
-- A reason without a rate stays null, and checks/every_reason_has_a_fee.sql fails the run.
SELECT
  reason,
  CAST(
    CASE reason
      WHEN 'changed_mind' THEN 250
      WHEN 'late_delivery' THEN 475
      WHEN 'not_as_described' THEN 650
      WHEN 'damaged_in_transit' THEN 1200
      WHEN 'not_delivered' THEN 1200
    END AS BIGINT
  ) AS fee_bp
FROM refunds
GROUP BY reason
