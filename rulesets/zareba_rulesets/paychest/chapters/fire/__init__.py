"""The fire step: who fires at whom, and what becomes of it."""
