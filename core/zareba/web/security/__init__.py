"""What stands between a browser and the games: who is let in, what was sent, how pages are written, how no is said."""
