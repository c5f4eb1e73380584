"""Victorian Colonial Combat, club edition: rules that extend vcc. `ruleset.yaml` says what is different."""
