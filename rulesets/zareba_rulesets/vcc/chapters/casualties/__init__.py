"""What a hit does, and to whom: bases, and leaders."""
