"""Activation policies: they decide the next step of play.

Each policy is a small class; its position is stored as data in the state.
"""

from collections.abc import Mapping
from importlib.metadata import entry_points

from zareba.base.errors import ZarebaError, unknown_name
from zareba.game.activation.alternate_units import AlternateUnits, AlternateUnitsCursor
from zareba.game.activation.card_per_unit import CardPerUnit, CardPerUnitCursor
from zareba.game.activation.command_cards import CommandCards, CommandCardsCursor
from zareba.game.activation.command_points import CommandPoints, CommandPointsCursor
from zareba.game.activation.fixed_phases import FixedPhases, PhaseCursor
from zareba.game.activation.policy import MakePolicy, Policy
from zareba.game.activation.unit_calls import (
    AlternateCalls,
    CallsCursor,
    ColourCards,
    SidesInTurn,
    UnitCalls,
    UnitCards,
)
from zareba.table.step import Step

__all__ = [
    "GROUP",
    "POLICIES",
    "AlternateCalls",
    "AlternateUnits",
    "AlternateUnitsCursor",
    "CallsCursor",
    "CardPerUnit",
    "CardPerUnitCursor",
    "ColourCards",
    "CommandCards",
    "CommandCardsCursor",
    "CommandPoints",
    "CommandPointsCursor",
    "FixedPhases",
    "MakePolicy",
    "PhaseCursor",
    "Policy",
    "SidesInTurn",
    "Step",
    "UnitCalls",
    "UnitCards",
    "policy_named",
]

GROUP = "zareba.policies"
"""The entry-point group in which installed packages register their own policies."""

POLICIES: Mapping[str, MakePolicy] = {
    "alternate_calls": AlternateCalls,
    "alternate_units": AlternateUnits,
    "card_per_unit": CardPerUnit,
    "colour_cards": ColourCards,
    "command_cards": CommandCards,
    "command_points": CommandPoints,
    "fixed_phases": FixedPhases,
    "sides_in_turn": SidesInTurn,
    "unit_cards": UnitCards,
}
"""The policies of the core. A ruleset may name one of these, or one of an installed package, as its `activation`."""


def policy_named(name: str) -> MakePolicy:
    """Return the function that makes the policy of this name.

    Raises ZarebaError with the nearest name if there is none, or with the reason if a package's policy cannot be
    loaded.
    """
    if name in POLICIES:
        return POLICIES[name]
    brought = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in brought:
        raise unknown_name("activation policy", name, {**POLICIES, **brought})
    try:
        make: MakePolicy = brought[name].load()
    except (Exception, SystemExit) as error:
        raise ZarebaError(
            f"the activation policy '{name}' ({brought[name].value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    return make
