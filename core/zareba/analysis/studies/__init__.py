"""Other questions than which rules differ: what makes a battle even, which numbers matter, who commands best."""
