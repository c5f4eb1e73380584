"""Studies besides plain comparison: balancing a battle, sensitivity to numbers, sweeps and tournaments."""
