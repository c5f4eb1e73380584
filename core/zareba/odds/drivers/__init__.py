"""Tables that work out odds: one enumerates every outcome and merges equal states, the other plays at random."""
