"""Empty scenarios."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from zareba.authoring.scenario_yaml import id_of, scenario_text
from zareba.base.errors import ZarebaError, first_misfit
from zareba.chance import KeyedDice
from zareba.scenario.model import Battlefield

# --- A new scenario with nothing but the table and the two sides ------------------------------------------------------


WORDS = ("open", "dice")
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
    if len({*ids, *WORDS}) < len(ids) + len(WORDS):
        ids = [f"{one}_{number}" for number, one in enumerate(ids, start=1)]
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


# --- Rng --------------------------------------------------------------------------------------------------------------
# The random numbers for generating a scenario, keyed by topic, so that one more hill does not change the forces.


T = TypeVar("T")
_FINE = 10_000


class KeyedRandom:
    """The random numbers for one topic of a scenario; `of` returns those for another topic."""

    def __init__(self, seed: int, about: str = "") -> None:
        self._seed = seed
        self._dice = KeyedDice(seed)
        self._about = about
        self._drawn = 0

    def of(self, about: str) -> KeyedRandom:
        """Return the random numbers for another topic; they do not depend on how many were drawn here."""
        return KeyedRandom(self._seed, f"{self._about}/{about}")

    def below(self, bound: int) -> int:
        """Return a whole number from 0 to `bound` - 1."""
        self._drawn += 1
        return self._dice.below(f"{self._about}/{self._drawn}", bound)

    def between(self, low: float, high: float) -> float:
        """Return a number from `low` to `high`, rounded to the nearest half: inches on a table."""
        return round((low + (high - low) * self.below(_FINE) / _FINE) * 2) / 2

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`."""
        return low + self.below(high - low + 1)

    def one_of(self, things: Sequence[T]) -> T:
        """Return a random item of a sequence."""
        return things[self.below(len(things))]

    def chance(self, percent: int) -> bool:
        """Return True with this probability in percent."""
        return self.below(100) < percent
