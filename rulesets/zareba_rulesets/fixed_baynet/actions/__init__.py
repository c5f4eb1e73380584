"""Orders: the legal acts of a unit or a man, and the code that carries each one out."""
