"""Small test situations for Risk-Factor on an open board: red faces north, blue faces south."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from zareba.registry import load_rules
from zareba.rules import Rules
from zareba.space.field.bodies import EMPTY, Body, body_in_ranks
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.table import ScriptedTable
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.action_throws import action_throws
from zareba_rulesets.risk_factor.chapters.casualties import Figure
from zareba_rulesets.risk_factor.chapters.melee import fight, find_fights
from zareba_rulesets.risk_factor.chapters.sight import LinesOfFire, lines_of_fire
from zareba_rulesets.risk_factor.chapters.targets import able_figures
from zareba_rulesets.risk_factor.forces import Battle, Unit, UnitSpec
from zareba_rulesets.risk_factor.ground import Field

T = TypeVar("T")

__all__ = [
    "RIFLES",
    "Scene",
    "able",
    "battle_of",
    "book",
    "crowd",
    "duel",
    "ground",
    "leader",
    "line",
    "met",
    "row",
    "rules_with",
    "scene",
    "throw",
    "troops",
    "whole_base",
]

SHOOTING = ("shooting", "los", "command", "weapons")

RIFLES: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "formed": True, "volley": True}


@cache
def _setting_names() -> dict[str, str]:
    """Return the name of each setting by its name with `_` for the dot."""
    return {name.replace(".", "_"): name for name in load_rules("risk_factor").settings}


@cache
def _rules(settings: tuple[tuple[str, Any], ...]) -> Rules:
    return load_rules("risk_factor", dict(settings))


def rules_with(**settings: Any) -> Rules:
    """Return the rules with some settings. Their names use `_` for the dot."""
    names = _setting_names()
    return _rules(tuple(sorted((names[name], value) for name, value in settings.items())))


def book(**settings: Any) -> RskBook:
    """Return the rules data under some settings."""
    return RskBook(rules_with(**settings))


def row(count: int, y: float, x: float = 50.0, step: float = 2.75) -> list[Point]:
    """Return positions side by side from west to east."""
    return [(x + step * i, y) for i in range(count)]


@dataclass
class Scene:
    """A battle with its rules, and its units by id."""

    rules: Rules
    battle: Battle

    def __getitem__(self, name: str) -> Unit:
        return self.battle.units[name]

    def script(self, *answers: tuple[str, Any]) -> ScriptedTable:
        """Return a strict scripted table. Use it in a `with` statement."""
        return ScriptedTable(self.rules, self.battle, answers)

    def run(self, function: Callable[..., T], *args: Any, script: Sequence[tuple[str, Any]] = ()) -> T:
        """Call a rule function `(table, battle, ...)`. The script must be used up exactly."""
        with self.script(*script) as table:
            return function(table, self.battle, *args)


def troops(
    name: str,
    side: str,
    centre: Point,
    count: int = 10,
    *,
    at: Iterable[Point] | None = None,
    width: int = 5,
    spacing: float = 1.1,
    hurt: int = 0,
    dead: int = 0,
    armed: int | None = None,
    facing: float | None = None,
    marks: Sequence[str] = (),
    **more: Any,
) -> Unit:
    """A group in ranks around a point, or at the points `at`. The last `hurt` figures are wounded.

    Fields of the state (`status`, `action`, `lost` ...) and of the specification (`weapon`, `native` ...) are
    keywords.
    """
    state = {key: more.pop(key) for key in ("status", "action", "goal", "lost", "caused", "result") if key in more}
    facing = (0.0 if side == "red" else 180.0) if facing is None else facing
    radius = 2.0 if more.get("mounted") else 1.25
    body = Body(tuple(at), radius) if at is not None else body_in_ranks(centre, facing, count, radius, width, spacing)
    count = len(body)
    weapon = more.get("weapon", "none")
    bearers = (0 if weapon == "none" else count) if armed is None else armed
    values: dict[str, Any] = {"troop_class": "veteran", "parent": name} | more
    spec = UnitSpec(id=name, name=name.title(), side=side, figures=count, armed=bearers, **values)
    return Unit(
        body=body if count else EMPTY,
        hurt=tuple(index >= count - hurt for index in range(count)),
        armed=tuple(index < bearers for index in range(count)),
        facing=facing,
        original=count + dead,
        dead=dead,
        marks=frozenset(marks),
        spec=spec,
        **state,
    )


def leader(name: str, side: str, at: Point, rank: str = "officer", **more: Any) -> Unit:
    """A leader figure."""
    return troops(name, side, at, 1, leader=rank, **more)


def ground(name: str, kind: str, points: Sequence[Point], crest: Sequence[Point] = ()) -> tuple[str, str, Any, Any]:
    """A piece of ground of a kind in `ruleset.yaml`; an area if it has three corners or more."""
    return name, kind, tuple(points), tuple(crest)


def line(name: str, kind: str, *points: Point) -> tuple[str, str, Any, Any]:
    """A linear piece of ground."""
    return name, f"|{kind}", points, ()


def scene(
    *units: Unit,
    terrain: Sequence[tuple[str, str, Any, Any]] = (),
    commanders: Sequence[str] = (),
    solo: Iterable[str] = (),
    width: float = 300.0,
    depth: float = 200.0,
    active: str = "red",
    rules: Rules | None = None,
    **settings: Any,
) -> Scene:
    """A battle of red and blue units. By default people play both sides, red is active, and no unit is in sight yet."""
    rules = rules or rules_with(**settings)
    book = RskBook(rules)
    pieces = {}
    for name, kind, points, crest in terrain:
        row = book.file.grounds[kind.removeprefix("|")]
        pieces[name] = (
            TerrainPiece.line(name, row, points)
            if kind.startswith("|")
            else TerrainPiece.area(name, row, points, crest)
        )
    battle = Battle(
        turn=1,
        order=["red", "blue"] if active == "red" else ["blue", "red"],
        active=0,
        phase="start",
        waiting=[],
        begun=True,
        over=False,
        ending="",
        beaten=[],
        units={unit.spec.id: unit for unit in units},
        captives=[],
        markers={},
        commanders={name: unit.spec.side for unit in units for name in (unit.spec.id,) if name in commanders},
        pools={},
        linked={},
        seen=frozenset(),
        sight_dice={},
        known={},
        arrivals={},
        gone={},
        gone_count={},
        carried_objects={},
        achieved={},
        risk={},
        fights=[],
        charging=[],
        book=book,
        field=Field(book, width, depth, pieces),
        solo=frozenset(solo),
    )
    return Scene(rules, battle)


def throw(field: Scene, *dice: int, why: str = "action", more: tuple[tuple[str, Any], ...] = ()) -> None:
    """Make the Action throws of the active side with these dice, in the order of its units."""
    with field.script(*((why, [die]) for die in dice), *more) as table:
        action_throws(table, field.battle)


def able(field: Scene, unit: str = "a", target: str = "foe", weapon: str = "rifle") -> int:
    """Return how many figures of a unit are able to shoot at a target."""
    between = lines_of_fire(field.battle, field[unit], field[target])
    pool = [Figure(target, j) for j in range(field[target].count)]
    return len(able_figures(field.battle, field[unit], field[target], weapon, pool, between))


def duel(gap: float = 60.0, count: int = 4, **more: Any) -> Scene:
    """A row of riflemen and a row of enemies at this distance in cm between bases."""
    settings = {key: more.pop(key) for key in list(more) if "_" in key and key.split("_")[0] in SHOOTING}
    unit: dict[str, Any] = RIFLES | more
    return scene(
        troops("a", "red", (0, 0), at=row(count, 50), **unit),
        troops("foe", "blue", (0, 0), at=row(count, 50 + gap + 2.5), close="sword"),
        **settings,
    )


def met(reds: int = 2, blues: int = 2, **more: Any) -> Scene:
    """A row of reds that has charged a row of blues, face to face."""
    settings = {key: more.pop(key) for key in list(more) if key.split("_")[0] in ("melee", "solo", "terrain")}
    red = {"close": "spear", "marks": ("charged", "charger")} | {
        k[4:]: v for k, v in more.items() if k.startswith("red_")
    }
    blue = {"close": "sword"} | {k[5:]: v for k, v in more.items() if k.startswith("blue_")}
    return scene(
        troops("a", "red", (0, 0), at=row(reds, 50, step=2.6), **red),
        troops("b", "blue", (0, 0), at=row(blues, 52.5, step=2.6), **blue),
        **settings,
    )


def battle_of(field: Scene, *answers: tuple[str, Any]) -> list[Any]:
    """Fight the melee. Returns its events."""
    names = find_fights(field.battle)[0]
    with field.script(*answers) as table:
        fight(table, field.battle, names)
    return list(table.events)


def whole_base(unit: Unit, i: int, target: Unit, j: int, lines: LinesOfFire) -> bool:
    """Return True if figure i of a unit sees the whole base of figure j of another unit."""
    return lines.is_clear(unit.body, target.body, unit.body.at[i], target.body.at[j])


def crowd(units: Sequence[tuple[Point, int]], **more: Any) -> Battle:
    """Return riflemen of both sides, alternating, with the positions and numbers given."""
    drawn = [
        troops(f"u{n}", ("red", "blue")[n % 2], at, count, weapon="rifle", loading="breech")
        for n, (at, count) in enumerate(units)
    ]
    return scene(*drawn, width=200, depth=200, **more).battle
