"""The owner's pages: battles, games and their links, comparisons, and access control."""
