"""The actions and movement of men in panic."""
