-- An added row has no old side, a removed row no new one, a changed row has both and they differ.
WITH sided AS (
  SELECT
    kind,
    month_billed,
    bill_authority,
    bill_library,
    item_type,
    bill_reason,
    old_number_of_bills IS NOT NULL OR old_number_of_bills_marker IS NOT NULL AS has_old,
    new_number_of_bills IS NOT NULL OR new_number_of_bills_marker IS NOT NULL AS has_new
  FROM changes
)
SELECT *
FROM sided
WHERE has_old <> (kind <> 'added') OR has_new <> (kind <> 'removed')
