SELECT ledger.account, ledger.balance, paid.paid
FROM ledger
LEFT JOIN paid ON paid.account = ledger.account
