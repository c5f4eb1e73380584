"""Parts of a battle common to all rulesets: unit and terrain mapping, carried objects, arrivals, evaluations, texts."""
