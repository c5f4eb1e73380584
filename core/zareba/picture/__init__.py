"""Draw a battle map as an SVG: terrain to scale from the scenario, pieces from the game's board.

The package depends on no ruleset and no browser, so pages, reports and notebooks show the same picture. Every element
has a description in a `<title>`, with the words of the terminal board. Lengths are in inches of the scenario's table,
with north at the top. Colours are in `picture.css`, which a standalone picture includes.
"""

from __future__ import annotations

from zareba.picture.battle_map import ground, picture, pieces, reaches, stylesheet, view_box
from zareba.picture.zones import legal_zone, zones

__all__ = ["ground", "legal_zone", "picture", "pieces", "reaches", "stylesheet", "view_box", "zones"]
