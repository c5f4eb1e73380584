"""What lies in the hexes and along their sides."""
