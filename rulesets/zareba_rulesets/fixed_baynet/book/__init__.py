"""The numbers of `ruleset.yaml`: their schema, and the values computed from them and the settings before play."""
