-- A seller that agrees is no discrepancy.
SELECT seller_id, delta FROM discrepancies WHERE delta = 0
