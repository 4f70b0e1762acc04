-- Rows that came, went or changed since the night before. A star is a value of its own: a number that
-- turned into one has changed. Where nothing was kept the night before, there is nothing to compare.
WITH earlier AS (
  SELECT count(*) AS records FROM previous.snapshot
),
paired AS (
  SELECT
    CASE
      WHEN p.month_billed IS NULL THEN 'added'
      WHEN s.month_billed IS NULL THEN 'removed'
      ELSE 'changed'
    END AS kind,
    coalesce(s.month_billed, p.month_billed) AS month_billed,
    coalesce(s.bill_authority, p.bill_authority) AS bill_authority,
    coalesce(s.bill_library, p.bill_library) AS bill_library,
    coalesce(s.item_type, p.item_type) AS item_type,
    coalesce(s.bill_reason, p.bill_reason) AS bill_reason,
    p.number_of_bills AS old_number_of_bills,
    p.number_of_bills_marker AS old_number_of_bills_marker,
    s.number_of_bills AS new_number_of_bills,
    s.number_of_bills_marker AS new_number_of_bills_marker,
    p.total_billed AS old_total_billed,
    p.total_billed_marker AS old_total_billed_marker,
    s.total_billed AS new_total_billed,
    s.total_billed_marker AS new_total_billed_marker
  FROM snapshot AS s
  FULL JOIN previous.snapshot AS p
    ON p.month_billed = s.month_billed
    AND p.bill_authority = s.bill_authority
    AND p.bill_library = s.bill_library
    AND p.item_type = s.item_type
    AND p.bill_reason = s.bill_reason
)
SELECT
  c.*,
  coalesce(c.new_number_of_bills, 0) - coalesce(c.old_number_of_bills, 0) AS number_of_bills_delta,
  CAST(
    coalesce(c.new_total_billed, 0) - coalesce(c.old_total_billed, 0) AS DECIMAL(18, 2)
  ) AS total_billed_delta
FROM paired AS c
CROSS JOIN earlier AS b
WHERE b.records > 0
  AND (
    c.kind <> 'changed'
    OR c.old_number_of_bills IS DISTINCT FROM c.new_number_of_bills
    OR c.old_number_of_bills_marker IS DISTINCT FROM c.new_number_of_bills_marker
    OR c.old_total_billed IS DISTINCT FROM c.new_total_billed
    OR c.old_total_billed_marker IS DISTINCT FROM c.new_total_billed_marker
  )
