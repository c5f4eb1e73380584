"""Statistics of whole games: game records, metrics with confidence intervals, and comparisons of rulesets."""
