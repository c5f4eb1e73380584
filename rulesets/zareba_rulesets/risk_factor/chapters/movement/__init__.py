"""Moving: ways over the ground, how far a body comes, guards, and where the shaken keep."""
