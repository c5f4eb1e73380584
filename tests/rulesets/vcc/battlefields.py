"""Small test battlefields for VCC: a map drawn in letters, a few units, and scripts of choices and rolls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from zareba.game.activation import FixedPhases
from zareba.odds import Odds, odds
from zareba.registry import load_rules
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.scenario import Unit as ScenarioUnit
from zareba.space.grid.boxes import COMPASS, BoxGrid, N, S
from zareba.table import Answer, Event, ScriptedTable
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander, Contact, Unit, UnitSpec
from zareba_rulesets.vcc.ground import Field
from zareba_rulesets.vcc.sequence import Sequence as OrderOfPlay
from zareba_rulesets.vcc.translation import Plan

T = TypeVar("T")
Script = tuple[str, Answer]

LETTERS = {
    ".": "open",
    "s": "scrub",
    "w": "wood",
    "r": "rocks",
    "v": "village",
    "m": "soft_ground",
    "f": "ford",
    "x": "closed",
}
WEAPONS = {
    "regular_infantry": "rifle",
    "native_regular_infantry": "rifle",
    "european_irregular": "rifle",
    "mounted_european_irregular": "rifle",
    "irregular_firearms": "musket",
    "camel_corps": "rifle",
    "field_gun": "artillery",
    "machine_gun": "machine_gun",
    "rocket_section": "rocket",
}
SIZES = {
    "irregular_firearms": 7,
    "irregular_shock": 9,
    "field_gun": 4,
    "machine_gun": 4,
    "rocket_section": 3,
    "wagon_section": 1,
}
"""Bases or gunners of a profile in addition to the leader base; all other profiles have 5 (VCC-010)."""
PLAIN = "\n".join(["." * 7] * 7)


@cache
def _rules(settings: tuple[tuple[str, Any], ...]) -> Rules:
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in settings}
    return load_rules("vcc", lists)


def rules_with(**settings: Any) -> Rules:
    """Return the rules with these settings."""
    return _rules(tuple(sorted(settings.items())))


def ask_odds(procedure: str, facts: Mapping[str, Any], **settings: Any) -> Odds:
    """Return the exact odds of a procedure for these facts and settings."""
    rules = rules_with(**settings)
    asked = rules.ruleset.procedure(procedure)
    found = odds(rules, asked, asked.facts(**facts))
    assert found.method == "exact"
    return found


@dataclass(frozen=True)
class Men:
    """A unit to be placed on the map: its profile and any differences from it."""

    name: str
    side: str
    at: str
    profile: str = "regular_infantry"
    facing: str = ""
    marks: frozenset[str] = frozenset()
    more: Mapping[str, Any] = field(default_factory=dict)


def red(name: str, at: str, profile: str = "regular_infantry", facing: str = "N", marks: str = "", **more: Any) -> Men:
    """A unit of the British side, whose home edge is in the south."""
    return Men(name, "red", at, profile, facing, frozenset(marks.split()), more)


def blue(name: str, at: str, profile: str = "irregular_shock", facing: str = "S", marks: str = "", **more: Any) -> Men:
    """A unit of the Native side, whose home edge is in the north."""
    return Men(name, "blue", at, profile, facing, frozenset(marks.split()), more)


class Scene:
    """A battlefield in play. `events` holds the events of the last run."""

    def __init__(self, rules: Rules, battle: Battle, order: OrderOfPlay) -> None:
        self.rules = rules
        self.battle = battle
        self.order = order
        self.events: list[Event] = []

    def box(self, label: str) -> int:
        """Return the box with this label: column letter from the west, row from the south."""
        return self.battle.field.grid.parse(label)

    def at(self, name: str) -> str:
        """Return the label of a unit's box, "" if it is off the board."""
        box = self.battle.unit(name).box
        return "" if box == OFF_TABLE else self.battle.field.grid.label(box)

    def marks(self, name: str) -> set[str]:
        return set(self.battle.unit(name).marks)

    def unit(self, name: str) -> Unit:
        return self.battle.unit(name)

    def run(self, function: Callable[..., T], *args: Any, script: Sequence[Script] = ()) -> T:
        """Call a rule function `(table, battle, ...)`. The script must be used up exactly."""
        with ScriptedTable(self.rules, self.battle, script) as table:
            result = function(table, self.battle, *args)
        self.events = table.events
        return result

    def begin(self, phase: str) -> None:
        """Begin a phase of the turn, at its first stage with something to do."""
        phases = list(self.order.policy.phases)
        before = phases[phases.index(phase) - 1]
        self.battle.phase = before
        self.battle.stage = len(self.order.policy.phases[before].stages) - 1
        self.order.advance(self.battle)

    def play(self, *script: Script, phase: str = "") -> str:
        """Play the whole phase with a strict script, from its start if `phase` names it. Return the next phase."""
        if phase:
            self.begin(phase)
            assert self.battle.phase == phase, f"nothing is to be done in {phase}"
        now = self.battle.phase
        self.events = []
        with ScriptedTable(self.rules, self.battle, script) as table:
            while self.battle.phase == now and not self.battle.over:
                step = self.order.policy.next_step(self.battle)
                assert step is not None, "the battle goes on"
                self.order.perform(table, self.battle, step)
        self.events = table.events
        return self.battle.phase

    def told(self, kind: str) -> list[Mapping[str, Any]]:
        """Return the data of the events of one kind in the last run."""
        return [event.data for event in self.events if event.kind == kind]


def battlefield(
    *men: Men,
    ground: str = PLAIN,
    walls: Mapping[tuple[str, str], str] | None = None,
    gates: Sequence[tuple[str, str]] = (),
    roads: Sequence[str] = (),
    commanders: Mapping[str, tuple[str, str]] | None = None,
    contacts: Sequence[Contact] = (),
    turns: int = 20,
    **settings: Any,
) -> Scene:
    """Build a scene. `ground`: rows of letters from the north; a digit is open ground of that level.

    `walls`: (box, side) -> obstacle. `commanders`: side -> (box, unit it is attached to or "").
    """
    rules = rules_with(**settings)
    book = VccBook(rules)
    rows = ["".join(row.split()) for row in ground.strip().splitlines()][::-1]
    grid = BoxGrid(len(rows[0]), len(rows))
    letters = "".join(rows)
    units = {man.name: _unit(book, grid, man) for man in men}
    start = {s: sum(u.strength for u in units.values() if u.side == s) for s in ("red", "blue")}
    field_of_battle = Field(
        book=book,
        grid=grid,
        ground=tuple(book.file.terrain[LETTERS.get(letter, "open")] for letter in letters),
        level=tuple(int(letter) if letter.isdigit() else 0 for letter in letters),
        roads=frozenset(grid.parse(label) for label in roads),
        obstacles={
            grid.side(grid.parse(label), COMPASS.index(way)): book.file.obstacles[kind]
            for (label, way), kind in (walls or {}).items()
        },
        gates=frozenset(grid.side(grid.parse(label), COMPASS.index(way)) for label, way in gates),
        by_role=("red", "blue"),
        home_edge={"red": S, "blue": N},
        starting_bases=start,
        units_of={side: tuple(man.name for man in men if man.side == side) for side in ("red", "blue")},
    )
    battle = Battle(
        turn=1,
        phase="british_guns",
        stage=0,
        over=False,
        ending="",
        units=units,
        commanders={
            side: Commander(side, f"commander of {side}", grid.parse(at), attached)
            for side, (at, attached) in (commanders or {}).items()
        },
        contacts=list(contacts),
        waiting=[],
        checks=[],
        dealt={},
        taken={},
        arrivals={},
        gone={},
        carried_objects={},
        achieved={},
        book=book,
        field=field_of_battle,
    )
    for unit in units.values():
        box, unit.box = unit.box, OFF_TABLE
        battle.move(unit, box)
    scenario = _scenario(men, turns)
    plan = Plan(
        field=field_of_battle,
        specs={name: unit.spec for name, unit in units.items()},
        placed={name: unit.box for name, unit in units.items()},
        zones={},
        facing={name: unit.facing for name, unit in units.items()},
        squares=frozenset(),
        entries={},
        commanders={},
        leaders={},
        places={},
        carried_objects={},
    )
    order = OrderOfPlay(FixedPhases(book.file.sequence, list(scenario.sides)), scenario, plan)
    return Scene(rules, battle, order)


def _unit(book: VccBook, grid: BoxGrid, men: Men) -> Unit:
    profile = book.file.profiles[men.profile]
    more = dict(men.more)
    state = {name: more.pop(name) for name in ("hits", "wounds", "streak") if name in more}
    given = {
        "troop": profile.troop,
        "weapon": WEAPONS.get(men.profile, "none"),
        "fire_die": profile.fire_die,
        "melee_die": profile.melee_die,
        "bases": SIZES.get(men.profile, 5),
        "leader": profile.leader,
        "quality": "ordinary",
        "regular": profile.regular,
        "regular_on_foot": profile.regular_on_foot,
        "can_square": profile.square,
        "can_dismount": profile.can_dismount,
    }
    spec = UnitSpec(id=men.name, name=men.name, side=men.side, profile=men.profile, **{**given, **more})
    facing = COMPASS.index(men.facing)
    return Unit(grid.parse(men.at), facing, spec.bases, spec.leader, men.marks, spec=spec, **state)


def _scenario(men: Sequence[Men], turns: int) -> Scenario:
    units = {
        unit.name.lower().replace(" ", "_"): ScenarioUnit(
            name=unit.name, side=unit.side, arm="infantry", kind="tribal", figures=10
        )
        for unit in (*men, red("Nobody", "A1"), blue("Nobody else", "A1"))
    }
    return Scenario.model_validate(
        {
            "id": "trial",
            "title": "A trial",
            "year": 1880,
            "place": "nowhere",
            "note": "",
            "turns": turns,
            "table": {"width": 48, "depth": 48},
            "sides": {"red": {"name": "Red"}, "blue": {"name": "Blue"}},
            "units": units,
        }
    )
