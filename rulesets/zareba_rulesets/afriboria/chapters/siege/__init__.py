"""Siege: guns against walls, and men on them."""
