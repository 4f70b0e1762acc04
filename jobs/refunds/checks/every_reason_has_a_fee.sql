-- A refund whose reason has no rate in fee_lookup.sql: its net amount is unknown.
SELECT refund_id, reason FROM joined WHERE fee_bp IS NULL
