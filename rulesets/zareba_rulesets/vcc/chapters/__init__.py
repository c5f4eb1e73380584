"""The chapters of the rulebook, one file or one room each; each uses only those that stand below it in `pyproject.toml`."""
