"""The numbers of `ruleset.yaml`: their model, the settings, and values prepared from both before play begins."""
