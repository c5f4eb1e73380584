"""The commands of an evening: play, learn, serve, go on with what is kept, look at it again."""
