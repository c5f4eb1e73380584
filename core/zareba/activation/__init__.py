"""Activation policies: what is the next step of play? One small class a policy, position kept as data in the state."""

from collections.abc import Mapping

from zareba.activation.alternate_units import AlternateUnits, AlternateUnitsCursor
from zareba.activation.card_per_unit import CardPerUnit, CardPerUnitCursor
from zareba.activation.command_cards import CommandCards, CommandCardsCursor
from zareba.activation.command_points import CommandPoints, CommandPointsCursor
from zareba.activation.fixed_phases import FixedPhases, PhaseCursor
from zareba.activation.policy import MakePolicy, Policy
from zareba.table.step import Step

__all__ = [
    "POLICIES",
    "AlternateUnits",
    "AlternateUnitsCursor",
    "CardPerUnit",
    "CardPerUnitCursor",
    "CommandCards",
    "CommandCardsCursor",
    "CommandPoints",
    "CommandPointsCursor",
    "FixedPhases",
    "MakePolicy",
    "PhaseCursor",
    "Policy",
    "Step",
]

POLICIES: Mapping[str, MakePolicy] = {
    "alternate_units": AlternateUnits,
    "card_per_unit": CardPerUnit,
    "command_cards": CommandCards,
    "command_points": CommandPoints,
    "fixed_phases": FixedPhases,
}
"""The policies that a ruleset may name as its `activation`."""
