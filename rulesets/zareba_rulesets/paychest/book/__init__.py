"""The numbers of `ruleset.yaml`: their data model, the settings, and values precomputed before play."""
