-- Last time's discrepancies are all still here: persistent or resolved, with their account.
SELECT p.seller_id, s.status
FROM previous.discrepancies AS p
LEFT JOIN summary AS s ON s.seller_id = p.seller_id
WHERE s.status IS NULL OR s.status NOT IN ('persistent', 'resolved')
