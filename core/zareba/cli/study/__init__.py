"""The commands of who studies rules: odds, comparisons, balance."""
