"""What every battle has, whatever its rules: who is enrolled as what, what is carried off, who comes later, and words for it."""
