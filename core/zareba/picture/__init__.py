"""The table as a picture: a state of a game in, an SVG out, drawn to scale from the scenario's ground and the game's board.

It knows no ruleset and nothing of browsers: a page, a report and a notebook show the same picture. Everything has its words
in a `<title>`, those of the board in a terminal. Lengths are in inches of the scenario's table, north is up. Colours are in
`picture.css`, which a picture that stands alone carries within itself.
"""

from __future__ import annotations

from zareba.picture.battle_map import ground, picture, pieces, stylesheet, view_box
from zareba.picture.zones import legal_zone, zones

__all__ = ["ground", "legal_zone", "picture", "pieces", "stylesheet", "view_box", "zones"]
