"""A battle of which nothing is there yet but the table and who will fight on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from zareba.authoring.scenario_yaml import id_of, scenario_text
from zareba.base.errors import ZarebaError, first_misfit
from zareba.scenario.model import Battlefield

__all__ = ["blank_scenario"]

WORDS = ("open", "dice")
"""What `first` may say beside the name of a side."""
ZONE = 8
"""So deep in inches, at most, are the zones in which both sides set up."""


def blank_scenario(name: str, title: str, width: int, depth: int, sides: Sequence[str]) -> str:
    """The file of a battle with an empty table, `width` by `depth` inches, and two sides at its ends, south and north.

    It becomes sound with units on both sides and an objective. Raises ZarebaError for a table of a size that none has.
    """
    try:
        Battlefield(width=width, depth=depth)
    except ValidationError as error:
        raise ZarebaError(first_misfit(error)) from None
    zone, ids = min(ZONE, depth / 4), [id_of(re.sub("(?i)^the ", "", side)) for side in sides]
    if len({*ids, *WORDS}) < len(ids) + len(WORDS):
        ids = [f"{one}_{number}" for number, one in enumerate(ids, start=1)]
    ends = {"south": (0.0, zone), "north": (depth - zone, float(depth))}
    data: dict[str, Any] = {
        "id": name,
        "title": title,
        "year": 1880,
        "place": "anywhere",
        "note": "A battle of one's own.",
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
