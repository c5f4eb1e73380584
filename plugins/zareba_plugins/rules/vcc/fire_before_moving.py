"""Fire before moving: all small arms speak before anybody stirs, so whoever advances has already been shot at.

The hook `zareba_policy` puts an activation policy in the place of the ruleset's own. It is made from the order of play,
the section `sequence` of the ruleset, and the sides, and must be derived from the class that the ruleset uses. Here the
class stays as it is, and only the order changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.api import FixedPhases, MakePolicy, PhaseEntry, hookimpl

RULESETS = ("vcc",)


def fire_first(sequence: Mapping[str, PhaseEntry], sides: Sequence[str]) -> FixedPhases:
    """The phases in their order, but those of movement after the last of fire."""
    moves = [phase for phase, entry in sequence.items() if entry.step == "move"]
    order = [phase for phase in sequence if phase not in moves]
    last = max(number for number, phase in enumerate(order) if sequence[phase].step == "fire")
    order[last + 1 : last + 1] = moves
    return FixedPhases({phase: sequence[phase] for phase in order}, sides)


@hookimpl
def zareba_policy() -> MakePolicy:
    """Another order of phases for Victorian Colonial Combat."""
    return fire_first
