"""Studies other than a comparison of rulesets: balancing a battle, sensitivity to numbers, sweeps and tournaments."""
