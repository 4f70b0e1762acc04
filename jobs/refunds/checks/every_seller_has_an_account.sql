-- A refund of a seller that the ledger does not list: the two exports do not belong together.
SELECT j.refund_id, j.seller_id
FROM joined AS j
LEFT JOIN ledger AS l ON l.seller_id = j.seller_id
WHERE l.seller_id IS NULL
