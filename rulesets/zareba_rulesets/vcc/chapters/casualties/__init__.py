"""Casualties: the effect of hits on bases and on leaders."""
