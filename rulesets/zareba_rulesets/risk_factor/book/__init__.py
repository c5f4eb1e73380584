"""The numbers of `ruleset.yaml`: their model, the settings, and the values compiled from both for play."""
