"""Commands for authors of rules and scenarios: new, check, and lists of what is installed."""
