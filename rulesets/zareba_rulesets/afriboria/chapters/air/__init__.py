"""Aircraft and airships: flights and air battles."""
