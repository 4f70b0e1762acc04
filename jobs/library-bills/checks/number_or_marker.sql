-- A cell is a number or a star: never both, and never null by accident.
SELECT month_billed, bill_authority, bill_library, item_type, bill_reason
FROM snapshot
WHERE (number_of_bills IS NULL) = (number_of_bills_marker IS NULL)
  OR (total_billed IS NULL) = (total_billed_marker IS NULL)
