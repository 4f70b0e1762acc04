SELECT account, sum(amount) AS paid FROM payments GROUP BY account
