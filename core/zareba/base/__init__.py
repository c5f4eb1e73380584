"""Foundations: exact arithmetic, state records and undo, YAML with source locations, modifier breakdowns, errors."""
