"""House rules shipped with zareba: a working example of each form."""
