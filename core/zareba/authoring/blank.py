"""A new scenario with nothing but the table and the two sides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from zareba.authoring.scenario_yaml import id_of, scenario_text
from zareba.base.errors import ZarebaError, first_misfit
from zareba.scenario.model import Battlefield

FIRST_WORDS = ("open", "dice")
"""The values of `first` that are not sides."""
ZONE = 8
"""Greatest depth, in inches, of the deployment zones of a new scenario."""


def blank_scenario(name: str, title: str, width: int, depth: int, sides: Sequence[str]) -> str:
    """Return the file of a scenario with an empty table and two sides, at its south and north ends.

    `width` and `depth` are in inches. It becomes valid once both sides have units and there is an objective. Raises
    ZarebaError if the size of the table is not allowed.
    """
    try:
        Battlefield(width=width, depth=depth)
    except ValidationError as error:
        raise ZarebaError(first_misfit(error)) from None
    zone, ids = min(ZONE, depth / 4), [id_of(re.sub("(?i)^the ", "", side)) for side in sides]
    # two sides with the same id, or with the id of a word, get a number
    if len({*ids, *FIRST_WORDS}) < len(ids) + len(FIRST_WORDS):
        ids = [f"{side}_{number}" for number, side in enumerate(ids, start=1)]
    ends = {"south": (0.0, zone), "north": (depth - zone, float(depth))}
    data: dict[str, Any] = {
        "id": name,
        "title": title,
        "year": 1880,
        "place": "anywhere",
        "note": "Describe the battle here.",
        "turns": 10,
        "first": "dice",
        "table": {"width": width, "depth": depth},
        "sides": {
            key: {
                "name": side,
                "home_edge": edge,
                "deployment": {edge: [[0, low], [width, low], [width, high], [0, high]]},
            }
            for key, side, (edge, (low, high)) in zip(ids, sides, ends.items(), strict=True)
        },
    }
    return scenario_text(data, "In inches from the south-west corner, x to the east and y to the north.")
