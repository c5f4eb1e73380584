"""What men do on a measured table: find room to stand, come upon each other, run up to a base and round it, go together."""
