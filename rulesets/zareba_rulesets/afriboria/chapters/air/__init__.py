"""Fliers, and battle in the air."""
