"""Glory: nerve tests, how units rally, and what medics do for the wounded."""
