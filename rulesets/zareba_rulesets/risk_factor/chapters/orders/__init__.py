"""Orders: what a group may be told to do, and manoeuvres."""
