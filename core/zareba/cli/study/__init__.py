"""Commands for studying rules: odds, compare, balance, sensitivity and tournament."""
