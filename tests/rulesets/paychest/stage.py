"""Small test situations for Paychest: a few figures on open ground, and scripts of choices and rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from math import dist
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
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.actions.machines import engine_actions
from zareba_rulesets.paychest.actions.movement import Mount
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.fire import FireFacts, aimed_shot, may_fire, muzzles_of
from zareba_rulesets.paychest.chapters.setting_up import set_down
from zareba_rulesets.paychest.chapters.sight import box_of, covers_of, obstacles_between
from zareba_rulesets.paychest.chapters.victory import PaychestScoreboard
from zareba_rulesets.paychest.forces.battle import Battle, Engine, Objective
from zareba_rulesets.paychest.forces.formation import bases_in_box
from zareba_rulesets.paychest.forces.units import Figure, Thing, Unit
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.ground import Field
from zareba_rulesets.paychest.odds.stage import bare_battle, bare_unit
from zareba_rulesets.paychest.sequence import Sequence as OrderOfPlay

T = TypeVar("T")
Script = tuple[str, Any]


@cache
def _rules(settings: tuple[tuple[str, Any], ...]) -> Rules:
    return load_rules("paychest", dict(settings))


def rules_with(**settings: Any) -> Rules:
    """Return the rules with these settings, cached for each set."""
    return _rules(tuple(sorted(settings.items())))


@cache
def printed_book() -> PaychestBook:
    """Return the numbers of the rulebook under the printed rules."""
    return PaychestBook(rules_with())


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
    pack = printed_book().full_deck()
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
    actor.movable = list(free)
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


def wiped_out(place: Scene, played: PaychestGame) -> list[str]:
    """Return the sides that can no longer act (PAY-192)."""
    standing = PaychestScoreboard(place.battle, played.scenario, played.plan, turn_over=False)
    return [side for side in played.seats if not standing.can_act(side)]


def cart(kind: str = "wagon", at: tuple[float, float] = (20.0, 10.0), **more: Any) -> dict[str, Engine]:
    """A conveyance of the red side, by default a wagon."""
    return {"cart": Engine(kind, "cart", "red", "red", at, mount="", **more)}


def riding(count: int = 1, walking: int = 0, kind: str = "wagon", *others: Any, **more: Any) -> Scene:
    """The first men of red aboard a cart, the others in a rank to the east of it."""
    engine: dict[str, Any] = {"altitude": more.pop("altitude")} if "altitude" in more else {}
    spots = [(20.0, 10.0)] * count + [(30.0 + 1.2 * n, 10.0) for n in range(walking)]
    names = tuple(f"red.{n}" for n in range(1, count + 1))
    place = scene(bare_unit("red", "red", spots), *others, engines=cart(kind, aboard=names, **engine), **more)
    for name in names:
        place.figure(name).aboard = "cart"
    place.unit("red").measure()
    return place


def two_bearers(*more: Any) -> Scene:
    """Two men who carry the chest together, one of them the first on the roster."""
    men = bare_unit("red", "red", [(20.0, 10.0), (21.0, 10.0), (24.0, 10.0)])
    place = scene(men, *more, things={"chest": Thing("paychest", "the chest", "", (20.5, 10.0), heavy=True)})
    script = [("handle", ("pick up", "red.2", "chest")), ("handle", ("pick up", "red.1", "chest"))]
    place.play(handle, place.battle, place.unit("red"), {}, before=True, script=script)
    assert place.figure("red.1").loads == place.figure("red.2").loads == ("chest",)
    assert [told["led"] for told in place.told("taken up")] == [False, True]
    assert (place.battle.things["chest"].carrier, place.battle.things["chest"].at) == ("red.1", None)
    return place


def apart(place: Scene) -> bool:
    """Return True if no two bases on the board overlap."""
    everywhere = (-100.0, -100.0, 200.0, 200.0)
    found = bases_in_box(place.battle, everywhere)
    return all(dist(a[:2], b[:2]) >= a[2] + b[2] - 1e-5 for a, b in combinations(found, 2))


def facts_of(place: Scene, number: int = 1, targets: str = "blue") -> FireFacts | None:
    """Return the facts of a shot by one red man at all of a blue unit."""
    unit = place.unit(targets)
    firer = may_fire(place.battle, place.unit("red"))[number - 1]

    view = obstacles_between(place.battle, "red", box_of(muzzles_of(place.battle, [firer])), unit.box)
    return aimed_shot(place.battle, view, firer.figure, firer.weapon, unit.able, covers_of(place.battle, unit.able))


def opened(name: str = "paychest_raid", **settings: object) -> tuple[PaychestGame, Scene]:
    """Return a scenario with all figures at their scenario positions."""
    played = game(name, **settings)
    battle = played.start()
    for unit_id in battle.waiting:
        set_down(battle, battle.change(unit_id), played.plan.placed[unit_id], played.plan.ahead[unit_id])
    battle.waiting = []
    return played, Scene(rules_with(**settings), battle)


def fell(place: Scene, side: str, fate: str = "dead") -> None:
    """Put all men of a side on the board out of action."""
    for name in [unit.spec.id for unit in place.battle.units.values() if unit.spec.side == side]:
        unit = place.battle.change(name)
        for figure in unit.figures.values():
            if figure.at is not None:
                figure.fate, figure.at = fate, None
        unit.measure()


def cleared(name: str, **settings: Any) -> tuple[PaychestGame, Scene]:
    """A scenario with an empty board; `put` places single men."""
    played = game(name, **settings)
    battle = played.start()
    battle.waiting = []
    for unit_id in list(battle.units):
        for figure in battle.change(unit_id).figures.values():
            figure.at = None
        battle.unit(unit_id).measure()
    return played, Scene(rules_with(**settings), battle)


def put(place: Scene, figure: str, at: Point) -> None:
    """Place a figure on the board."""
    place.battle.change_figure(figure).at = at
    place.battle.unit_of(place.figure(figure)).measure()


def carters(*units: Any, goal: Objective, weapons: tuple[str, ...] = (), **more: Any) -> Battle:
    """A cart of red's at (20, 18) with a driver and his companion, and other units around it."""
    wagon = Engine("wagon", "cart", "red", "red", (20.0, 18.0), mount="", aboard=("red.1", "red.2"))
    place = scene(bare_unit("red", "red", [(20.0, 18.0)] * 2, weapons=weapons), *units, engines={"cart": wagon}, **more)
    for name in ("red.1", "red.2"):
        place.figure(name).aboard = "cart"
    place.battle.objectives = (goal,)
    return place.battle


def stage_of(place: Scene, unit: str, stage: str, script: list[Script] | None = None) -> None:
    """Play one stage of a unit's activation as in the sequence of play."""
    played = game("patrol_clash")
    sequence = OrderOfPlay(played.policy, played.scenario, played.plan)
    place.battle.acting, place.battle.stage = unit, stage
    place.play(getattr(sequence, f"unit_{stage}"), place.battle, script=script or [])


def blue_at(*spots: tuple[float, float]) -> Any:
    """Irregulars of the blue side at these positions."""
    return bare_unit("blue", "blue", list(spots), kind="irregular")


__all__ = [
    "Scene",
    "Script",
    "all_but",
    "apart",
    "at",
    "bare_unit",
    "blue",
    "blue_at",
    "cart",
    "carters",
    "chances",
    "cleared",
    "facts_of",
    "fell",
    "game",
    "house_ruled",
    "machine_acts",
    "mount_acts",
    "opened",
    "printed_book",
    "put",
    "red",
    "riding",
    "row",
    "rules_with",
    "scenario",
    "scene",
    "stage_of",
    "two_bearers",
    "wiped_out",
]
