"""Commands for playing: play, tutorial, serve, continue, and views of saved games."""
