"""What may be added to the engine, and how it is found: rulesets, house rules, hooks, installed packages."""
