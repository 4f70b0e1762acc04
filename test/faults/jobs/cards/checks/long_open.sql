SELECT account, nights FROM breaks WHERE nights > 1
