"""Estimates with confidence intervals, and tests of the differences between variants."""
