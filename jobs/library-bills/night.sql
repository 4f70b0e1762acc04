-- One row: the roll-forward from the night before to this one, and what is suppressed by a star.
WITH earlier AS (
  SELECT count(*) AS records FROM previous.snapshot
),
moved AS (
  SELECT
    count(CASE WHEN kind = 'added' THEN 1 END) AS added,
    count(CASE WHEN kind = 'removed' THEN 1 END) AS removed,
    count(CASE WHEN kind = 'changed' THEN 1 END) AS changed,
    count(
      CASE
        WHEN kind = 'changed'
          AND old_number_of_bills_marker IS NULL
          AND new_number_of_bills_marker IS NOT NULL THEN 1
      END
    ) AS number_to_star,
    count(
      CASE
        WHEN kind = 'changed'
          AND old_number_of_bills_marker IS NOT NULL
          AND new_number_of_bills_marker IS NULL THEN 1
      END
    ) AS star_to_number
  FROM changes
),
tonight AS (
  SELECT
    count(*) AS records,
    count(number_of_bills_marker) AS stars,
    CAST(coalesce(sum(number_of_bills), 0) AS BIGINT) AS bills,
    CAST(coalesce(sum(total_billed), 0) AS DECIMAL(18, 2)) AS billed
  FROM snapshot
)
SELECT
  earlier.records AS rows_before,
  moved.added,
  moved.removed,
  tonight.records AS rows_now,
  moved.changed,
  moved.number_to_star,
  moved.star_to_number,
  tonight.stars AS stars_now,
  tonight.bills AS bills_now,
  tonight.billed AS billed_now
FROM earlier
CROSS JOIN moved
CROSS JOIN tonight
