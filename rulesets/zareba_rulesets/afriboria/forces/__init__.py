"""Pieces, companies and platoons, how they may pass one another, the plan of a scenario, and the battle that holds them all."""
