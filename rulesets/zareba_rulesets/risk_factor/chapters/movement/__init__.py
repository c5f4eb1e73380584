"""Moving: ways over the ground, how far a body comes, guards, runs, and where the shaken keep."""
