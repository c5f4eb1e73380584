"""No fire on the hospital: nobody may shoot at a unit whose name speaks of a hospital or an ambulance.

The hook `zareba_options` sees every choice before a player does. `question.why` and `question.rule` say which choice it
is, `question.options` what may be chosen, `state` how the game stands. Give the options that are left, or None to leave
the choice alone; at least one must be left, and here "hold fire" always is.

Play with it: `zareba play mission_station --ruleset vcc --house-rule no_fire_on_the_hospital`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.api import Choose, Option, hookimpl

AIMING = "VCC-093"  # the rule that asks "fire at"; no other ruleset asks by this name
SPARED = ("hospital", "ambulance")


@hookimpl
def zareba_options(state: Any, question: Choose) -> Sequence[Option] | None:
    """Strike spared units off the list of targets."""
    if question.rule != AIMING:
        return None
    return [option for option in question.options if option not in state.units or not is_spared(state.unit(option))]


def is_spared(unit: Any) -> bool:
    """Whether the name of a unit puts it under the red cross."""
    name = unit.spec.name.casefold()
    return any(word in name for word in SPARED)
