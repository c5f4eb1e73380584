"""Tables on which odds are worked out: one takes every outcome in turn and puts like ends together, one plays."""
