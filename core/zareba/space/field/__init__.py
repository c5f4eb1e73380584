"""A measured table with figures on their bases: what lies there, who stands where, and what lies between them."""
