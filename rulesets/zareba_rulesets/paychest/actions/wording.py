"""Names of figures, units, engines and things, and the formats that the texts of actions use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from zareba.base.grammar import in_a_sentence
from zareba_rulesets.paychest.forces.battle import Battle, bearer_of


def man_name(name: str, unit: str) -> str:
    """Return a figure's name with its unit, unless it is the whole unit."""
    return name if name == unit else f"{name} of {in_a_sentence(unit)}"


def plain_name(battle: Battle, word: str) -> str:
    """Return the name of a figure, unit, gun or thing, or any other word without underscores."""
    if word in battle.units:
        return battle.units[word].spec.name
    if word in battle.engines:
        return battle.engines[word].name
    if word in battle.things:
        return battle.things[word].name
    unit, _, number = word.rpartition(".")
    if unit in battle.units and word in battle.units[unit].figures:
        figure = battle.figure(word)
        return man_name(figure.spec.name, battle.units[unit].spec.name) if number else word
    return word.replace("_", " ")


def _lifts(battle: Battle, action: Any) -> str:
    """Return what a figure does that picks a load up, which others may bear already (PAY-073)."""
    load = plain_name(battle, action.load)
    if bearer_of(battle, battle.side_of(battle.figure(action.figure)), action.load):
        return f"takes hold of {load} as well"
    return f"picks up {load}"


def _engine(battle: Battle, key: str) -> str:
    """Return an engine of the unit that acts: "gun 1", without the unit, or "the wagon"."""
    name = plain_name(battle, key)
    piece = name.partition(" of ")[0]
    return piece if piece[-1:].isdigit() else f"the {name}"


FORMATS: Mapping[str, Callable[[Battle, Any], str]] = {"lifts": _lifts, "name": plain_name, "engine": _engine}
"""The formats of gaps in the texts of actions, by name."""


def formats(battle: Battle) -> dict[str, Callable[[Any], str]]:
    """Return the formats for a battle."""
    return {name: partial(how, battle) for name, how in FORMATS.items()}
