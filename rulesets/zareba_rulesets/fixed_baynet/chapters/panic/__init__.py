"""Panic: who panics, and where to."""
