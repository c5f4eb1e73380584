"""Small test situations for Paychest: a few figures on open ground, and scripts of choices and rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from zareba.odds import Odds, odds
from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.scenario import Scenario, load_scenario
from zareba.space import Point
from zareba.space.geometry import Points
from zareba.table import Event, Option, ScriptedTable
from zareba_rulesets.paychest.actions.actor import MovingUnit
from zareba_rulesets.paychest.actions.machines import engine_actions
from zareba_rulesets.paychest.actions.riding import Mount
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.victory import PaychestScoreboard
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.forces.units import Figure, Unit
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.ground import Field
from zareba_rulesets.paychest.odds.stage import bare_battle, bare_unit

T = TypeVar("T")
Script = tuple[str, Any]


@cache
def _rules(settings: tuple[tuple[str, Any], ...]) -> Rules:
    return load_rules("paychest", dict(settings))


def rules_with(**settings: Any) -> Rules:
    """Return the rules with these settings, cached for each set."""
    return _rules(tuple(sorted(settings.items())))


def chances(procedure: str, settings: Mapping[str, Any] | None = None, **facts: Any) -> Odds:
    """Return the odds of a procedure for these facts."""
    rules = rules_with(**(settings or {}))
    asked = rules.ruleset.procedure(procedure)
    return odds(rules, asked, asked.facts(**facts))


def house_ruled(folder: Path, *changes: str, **settings: Any) -> Rules:
    """Return the rules with a house rule of these changes, each written as in a list of changes."""
    patch = folder / "house.yaml"
    listed = "".join(f"  - {{{change}}}\n" for change in changes)
    patch.write_text(f"house_rule: house\ntitle: Ours\nruleset: paychest\nchanges:\n{listed}", "utf-8")
    return load_rules("paychest", settings, house_rules=[find_house_rule(str(patch))])


def all_but(pile: Mapping[str, int]) -> tuple[str, ...]:
    """Return the casualty cards that must have been drawn to leave this pile."""
    pack = PaychestBook(rules_with()).full_deck()
    return tuple(card for card, copies in pack.items() for _ in range(copies - pile.get(card, 0)))


def row(count: int, x: float = 20.0, y: float = 20.0, apart: float = 1.2) -> list[tuple[float, float]]:
    """Return positions for a rank of figures from west to east."""
    return [(x + apart * number, y) for number in range(count)]


@dataclass
class Scene:
    """A battle with its rules. `play` runs a rule function under a strict script and keeps its events."""

    rules: Rules
    battle: Battle
    events: list[Event] = field(default_factory=list)

    def unit(self, name: str) -> Unit:
        return self.battle.unit(name)

    def figure(self, name: str) -> Figure:
        return self.battle.figure(name)

    def play(self, rule: Callable[..., T], *args: Any, script: Sequence[Script] = (), **kwargs: Any) -> T:
        with ScriptedTable(self.rules, self.battle, script) as table:
            result = rule(table, *args, **kwargs)
        self.events = list(table.events)
        return result

    def told(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the data of all events of a kind in the last `play`."""
        return [event.data for event in self.events if event.kind == kind]


def at(place: Scene, name: str) -> Point:
    """Return the position of a figure."""
    spot = place.figure(name).at
    assert spot is not None
    return spot


def scene(
    *units: Unit,
    areas: Mapping[str, tuple[str, Points]] | None = None,
    lines: Mapping[str, tuple[str, Points]] | None = None,
    home: Mapping[str, str] | None = None,
    engines: Mapping[str, Engine] | None = None,
    things: Mapping[str, Thing] | None = None,
    deck: Mapping[str, int] | None = None,
    rules: Rules | None = None,
    **settings: Any,
) -> Scene:
    """A battle of these units on a board of 60 x 48 inches, with optional ground."""
    rules = rules or rules_with(**settings)
    homes = {"red": "south", "blue": "north"} if home is None else dict(home)
    book = PaychestBook(rules)
    ground = Field(
        book,
        60.0,
        48.0,
        {name: (kind, shape, ()) for name, (kind, shape) in (areas or {}).items()},
        dict(lines or {}),
        homes,
    )
    battle = bare_battle(rules, units, field=ground, deck=deck)
    battle.engines.update(engines or {})
    battle.things.update(things or {})
    return Scene(rules, battle)


def machine_acts(battle: Battle, unit: Unit, spent: Sequence[str] = ()) -> list[Option]:
    """Return what a unit may do with its guns and conveyances."""
    actor = MovingUnit(battle, unit, {})
    actor.spent.update(spent)
    return [action.option for action in engine_actions(actor)]


def mount_acts(battle: Battle, unit: Unit, free: Sequence[Figure]) -> list[Option]:
    """Return how some figures of a unit may mount or dismount."""
    actor = MovingUnit(battle, unit, {})
    actor.free = list(free)
    return [action.option for action in Mount.options(actor)]


def red(count: int = 1, y: float = 10.0, **more: Any) -> Unit:
    """A unit of the red side, by default regulars with rifles."""
    return bare_unit("red", "red", row(count, y=y), **more)


def blue(count: int = 1, y: float = 20.0, **more: Any) -> Unit:
    """A unit of the blue side, by default Arab riflemen."""
    plain: dict[str, Any] = {"kind": "irregular", "firearms": 3, "melee": 3, "shots": 1, "weapons": ("rifle", "knife")}
    return bare_unit("blue", "blue", row(count, y=y), **(plain | more))


@cache
def scenario(name: str) -> Scenario:
    return load_scenario(name)


def game(name: str, **settings: Any) -> PaychestGame:
    """Return a game of a shipped scenario with these settings."""
    return PaychestGame(rules_with(**settings), scenario(name))


__all__ = [
    "Scene",
    "all_but",
    "at",
    "bare_unit",
    "blue",
    "chances",
    "game",
    "house_ruled",
    "machine_acts",
    "mount_acts",
    "red",
    "row",
    "rules_with",
    "scenario",
    "scene",
]


def wiped_out(place: Scene, played: PaychestGame) -> list[str]:
    """Return the sides that can no longer act (PAY-192)."""
    standing = PaychestScoreboard(place.battle, played.scenario, played.plan, turn_over=False)
    return [side for side in played.seats if not standing.can_act(side)]
