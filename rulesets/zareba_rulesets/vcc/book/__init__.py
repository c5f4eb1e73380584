"""The numbers of `ruleset.yaml`: their model, the settings, and what is made of both before play begins."""
