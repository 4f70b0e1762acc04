-- An account that agrees is no break; one cent is beneath anybody's notice and is an error upstream.
SELECT account, delta FROM breaks WHERE abs(delta) <= 0.01
