"""What ground does to men on a measured table: what ways over it cost, which way leads round it, what shelters there."""
