"""The editor of battles: its pages, what of a battle has a form and how that is read, how a battle is drawn that nobody has set out."""
