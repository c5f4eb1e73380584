"""Extension points of zareba, and discovery of extensions: rulesets, house rules, hooks, installed packages."""
