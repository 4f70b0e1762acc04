SELECT
  ledger.account,
  ledger.balance - coalesce(paid.paid, 0) AS delta,
  coalesce(before.nights, 0) + 1 AS nights
FROM ledger
LEFT JOIN paid ON paid.account = ledger.account
LEFT JOIN previous.breaks AS before ON before.account = ledger.account
WHERE ledger.balance <> coalesce(paid.paid, 0)
