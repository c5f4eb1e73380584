"""Fire before moving: all small arms fire before any unit moves, so advancing units have already been shot at.

The hook `zareba_policy` replaces the activation policy of the ruleset. The function that it returns receives the order
of play (the section `sequence` of the ruleset) and the sides. The policy must be derived from the class that the
ruleset uses. Here the class stays the same, and only the order changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.api import FixedPhases, MakePolicy, PhaseEntry, hookimpl

RULESETS = ("vcc",)


def fire_first(sequence: Mapping[str, PhaseEntry], sides: Sequence[str]) -> FixedPhases:
    """Return the phases with the movement phases after the last fire phase."""
    moves = [phase for phase, entry in sequence.items() if entry.step == "move"]
    order = [phase for phase in sequence if phase not in moves]
    last_fire_phase = max(number for number, phase in enumerate(order) if sequence[phase].step == "fire")
    order[last_fire_phase + 1 : last_fire_phase + 1] = moves
    return FixedPhases({phase: sequence[phase] for phase in order}, sides)


@hookimpl
def zareba_policy() -> MakePolicy:
    """Replace the order of phases."""
    return fire_first
