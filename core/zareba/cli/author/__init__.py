"""The commands of who writes rules and scenarios: new, check, and what is installed and what it says."""
