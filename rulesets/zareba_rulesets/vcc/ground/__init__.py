"""What lies in the boxes, and what it does."""
