"""No fire on the hospital: units with "hospital" or "ambulance" in their name cannot be shot at.

The hook `zareba_options` sees every choice before the player does. `question.why` and `question.rule` say which choice
it is, `question.options` lists the options, and `state` is the state of the game. Return the options that remain, or
None to leave the choice alone. At least one option must remain; here "hold fire" always does.

Play with it: `zareba play mission_station --ruleset vcc --house-rule no_fire_on_the_hospital`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.api import Choose, Option, hookimpl

AIMING = "VCC-093"  # the rule that asks "fire at"; no other ruleset uses this id
SPARED = ("hospital", "ambulance")


@hookimpl
def zareba_options(state: Any, question: Choose) -> Sequence[Option] | None:
    """Remove protected units from the list of targets."""
    if question.rule != AIMING:
        return None
    return [option for option in question.options if option not in state.units or not is_spared(state.unit(option))]


def is_spared(unit: Any) -> bool:
    """Return True if the name of a unit marks it as medical."""
    name = unit.spec.name.casefold()
    return any(word in name for word in SPARED)
