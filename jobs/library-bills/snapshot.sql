-- The night's rows, typed: what the next night compares itself with.
SELECT
  month_billed,
  bill_authority,
  bill_library,
  item_type,
  bill_reason,
  number_of_bills,
  number_of_bills_marker,
  total_billed,
  total_billed_marker
FROM bills
