"""Five published colonial rule systems as pluggable rulesets for zareba."""
