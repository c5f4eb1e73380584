"""Whole games in numbers: records, metrics with intervals, comparison of rule systems."""
