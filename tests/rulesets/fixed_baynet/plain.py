"""Small test battles for Fixed Bay'net."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction as F
from functools import cache
from math import hypot
from typing import Any, TypeVar

from zareba.battle.evaluation import Evaluation
from zareba.odds import Odds, odds
from zareba.registry import load_rules
from zareba.rules import Rules
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, joint_box
from zareba.space.ground.buildings import Building, BuildingOpening, BuildingSection
from zareba.space.ground.terrain_window import OPEN_WINDOW, Height
from zareba.space.outlines import TerrainArea
from zareba.table import Option, ScriptedTable
from zareba_rulesets.fixed_baynet.actions.activation import UNIT_ACTIONS, legal_actions, perform_action
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts, fire_shot
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.melee import FightFacts, strike_blow
from zareba_rulesets.fixed_baynet.chapters.morale import glory_event
from zareba_rulesets.fixed_baynet.chapters.movement import March
from zareba_rulesets.fixed_baynet.chapters.sight import cover_value
from zareba_rulesets.fixed_baynet.chapters.targets import Answers
from zareba_rulesets.fixed_baynet.estimates import UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState
from zareba_rulesets.fixed_baynet.forces.formations import layout, square_facing
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_figure, bare_unit

T = TypeVar("T")


@cache
def _rules(settings: tuple[tuple[str, Any], ...]) -> Rules:
    return load_rules("fixed_baynet", dict(settings))


def rules_with(**settings: Any) -> Rules:
    """Return the rules with these settings."""
    return _rules(tuple(sorted(settings.items())))


def book(**settings: Any) -> FbnBook:
    """Return the numbers of the rules with these settings."""
    return FbnBook(rules_with(**settings))


def ask(procedure: str, settings: dict[str, Any] | None = None, **facts: Any) -> Odds:
    """Return the exact odds of a procedure."""
    rules = rules_with(**(settings or {}))
    asked = rules.ruleset.procedure(procedure)
    found = odds(rules, asked, asked.facts(**facts))
    assert found.method == "exact"
    return found


def man(figure_id: str, side: str, x: float, y: float, **spec: Any) -> Figure:
    """A European Regular rifleman, unless the specification says otherwise."""
    return bare_figure(figure_id, side, x, y, **spec)


def squad(
    unit_id: str,
    side: str,
    count: int,
    at: Point = (0.0, 0.0),
    formation: str = "open",
    facing: float = 0.0,
    **spec: Any,
) -> Unit:
    """A squad in formation around a point; `leader` makes its first man a leader."""
    leader = spec.pop("leader", "")
    table, drilled = spec.get("table", "european"), spec.pop("drilled", False)
    radius = 0.75 if spec.get("mounted") else 0.5
    men = []
    for number, (x, y) in enumerate(layout(formation, count, radius, facing, 1.0)):
        role = leader if leader and number == 0 else spec.get("role", "soldier")
        made = {**spec, "role": role, "facing": facing}
        if formation == "square":
            made["facing"] = square_facing((0.0, 0.0), (x, y))
        men.append(man(f"{unit_id}/{number + 1}", side, at[0] + x, at[1] + y, **made))
    return bare_unit(unit_id, side, men, formation, table=table, drilled=drilled)


def battle(*units: Unit, on: Field | None = None, **settings: Any) -> Battle:
    """A battle on open ground, or on a field made with the same settings. If red comes first, it is active."""
    made = bare_battle(rules_with(**settings), list(units), on)
    if on is not None:
        numbers = made.book.file.damage_points
        for name, building in on.buildings.items():
            points = building.row.cv - numbers.minus + numbers.per_section * building.size
            made.houses[name] = BuildingState(points)
        for unit in units:
            for figure in unit.figures.values():
                made.put(figure, figure.x, figure.y)
    return made


def acts(state: Battle, unit: Unit) -> list[Option]:
    """Return every act that a unit can perform, of all kinds."""
    menu = legal_actions(state, unit)
    return [act for kind in menu.kinds for act in menu.of(kind)]


def act_worth(view: UnitView, option: Option) -> Evaluation:
    """Return the value of one action of the active unit to an AI player."""
    actions = UNIT_ACTIONS.for_session(view.book.rules)
    action = actions.action_of(option)
    assert action is not None
    return actions.value(action, view, view.book)


def scripted(state: Battle, *script: tuple[str, Any], **settings: Any) -> ScriptedTable:
    """Return a table that answers from the script. Use it in a `with` statement."""
    return ScriptedTable(rules_with(**settings), state, script)


def run(
    function: Callable[..., T], state: Battle, *args: Any, script: Sequence[tuple[str, Any]] = (), **settings: Any
) -> T:
    """Call a rule function `(table, state, ...)`. The script must be used up exactly."""
    with scripted(state, *script, **settings) as table:
        return function(table, state, *args)


def field(*pieces: tuple[str, list[Point]], lines: tuple[tuple[str, list[Point]], ...] = (), **settings: Any) -> Field:
    """A board of 100 by 100 inches with areas and lines, each given as (row of the chart, points)."""
    made = book(**settings)
    areas = [
        TerrainPiece.area(f"{row}{i}", made.terrain[row], points, over=row in ("clear", "path"))
        for i, (row, points) in enumerate(pieces)
    ]
    walls = [TerrainPiece.line(f"{row} line{i}", made.terrain[row], points) for i, (row, points) in enumerate(lines)]
    return Field(
        made,
        100.0,
        100.0,
        (*areas, *walls),
        deployment={"red": (box(0, 0, 100, 12),), "blue": (box(0, 88, 100, 100),)},
        home_edge={"red": "south", "blue": "north"},
    )


def box(w: float, s: float, e: float, n: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle."""
    return ((w, s), (e, s), (e, n), (w, n))


def hill(points: tuple[Point, ...], inches: float, uphill: int = 1) -> Field:
    """A board with one height."""
    return Field(book(), 100.0, 100.0, (), (Height(TerrainArea(points), inches, uphill),))


def house(
    kind: str = "sections",
    rooms: int = 1,
    heavy: bool = False,
    row: str = "wooden_building",
    level: int = 0,
    **settings: Any,
) -> Field:
    """A row of rooms of 6 by 6 inches east of (40, 40). The first has a door and a window in its south wall."""
    made = book(**settings)
    outline = box(40, 40, 40 + 6 * rooms, 46)
    sections = {
        f"hut:{level}:{i}": BuildingSection(
            f"hut:{level}:{i}", "hut", level, (40 + 6 * i, 40, 46 + 6 * i, 46), 4 if kind == "tower" else 20
        )
        for i in range(rooms)
    }
    first = f"hut:{level}:0"
    ways: dict[str, BuildingOpening] = {}
    if kind == "tower":
        ways = {
            "hut:rail": BuildingOpening("hut:rail", "rail", first, "", (43, 43), level),
            "hut:ladder": BuildingOpening("hut:ladder", "ladder", first, "", (43, 39.98), 0),
        }
    elif kind == "silo":
        sections = {}
    else:
        ways = {
            "hut:door": BuildingOpening("hut:door", "door", first, "", (42, 39.98), level, heavy),
            "hut:window": BuildingOpening("hut:window", "window", first, "", (45, 39.98), level),
        }
        for i in range(rooms - 1):
            key = f"hut:inner{i}"
            ways[key] = BuildingOpening(
                key, "inner", f"hut:{level}:{i}", f"hut:{level}:{i + 1}", (46 + 6 * i, 43), level
            )
    hut = Building("hut", kind, made.terrain[row], outline, (40, 40, 40 + 6 * rooms, 46), sections, ways, 0.0)
    return Field(made, 100.0, 100.0, (TerrainPiece.area("hut", made.terrain[row], outline, building="hut"),), buildings={"hut": hut},
                 deployment={"red": (box(0, 0, 100, 12),), "blue": (box(0, 88, 100, 100),)})  # fmt: skip


def battery(
    kind: str = "light_gun", crew: int = 2, target: Unit | None = None, team: int = 1, **settings: Any
) -> tuple[Battle, Unit, Gun]:
    """A gun at (50, 10) facing north, with its crew behind it."""
    spots = [(50.0, 8.5), (48.7, 9.2), (51.3, 9.2), (48.5, 10.0)]
    men = [man(f"red/{i + 1}", "red", *spots[i], role="crew", cs=-1, ds=4) for i in range(crew)]
    numbers = book(**settings)
    gun = Gun(kind, 50.0, 10.0, 0.0, 0.0, numbers.guns[kind].wounds, ac=3, team=team)
    unit = bare_unit("red", "red", men, guns=[gun], kind="machine_gun" if kind == "machine_gun" else "battery")
    blue = target if target is not None else squad("blue", "blue", 9, (50, 40), "mass", ds=4)
    state = battle(unit, blue, **settings)
    state.active = "red"
    return state, unit, gun


def check_shift(state: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> str | None:
    """Return why these men may not all make the same move, or None if they may."""
    return March(state, unit, men, hypot(dx, dy)).reason_against(dx, dy)


def fighters(
    gap: float = 0.0,
    *,
    red: dict[str, Any] | None = None,
    blue: dict[str, Any] | None = None,
    on: Field | None = None,
    **settings: Any,
) -> tuple[Battle, Unit, Unit]:
    """Two men face to face, red to the south."""
    one = bare_unit("red", "red", [man("red/1", "red", 10, 10, **(red or {}))])
    other = bare_unit("blue", "blue", [man("blue/1", "blue", 10, 11 + gap, **(blue or {}))])
    return battle(one, other, on=on, **settings), one, other


def struck(state: Battle, own: list[int], foe: list[int], **settings: Any) -> Any:
    """Red's man strikes blue's man with these dice. Returns the last event of the blow."""
    red, blue = state.units["red"], state.units["blue"]
    with scripted(state, ("blow", own), ("parry", foe), **settings) as table:
        strike_blow(table, state, red, next(iter(red.figures.values())), next(iter(blue.figures.values())))
        return next(event.data for event in table.events if event.kind == "blow")


STAYS = {"free": False, "refused": True}


def perform_with_one_man(
    state: Battle, unit: Unit, name: str, what: Any, *script: tuple[str, Any], **settings: Any
) -> None:
    """One man of a unit performs a single-man act."""
    who = [("which man", name)] if sum(man.able and man.ac > 0 for man in unit.figures.values()) > 1 else []
    with scripted(state, *who, ("what he does", what), *script, **settings) as table:
        perform_action(table, state, unit, "one man")


def duel(
    away: float = 10.0, *, red: dict[str, Any] | None = None, blue: dict[str, Any] | None = None, **settings: Any
) -> tuple[Battle, Unit, Unit]:
    """One man of each side at this distance between bases, red to the south and active."""
    one = bare_unit("red", "red", [man("red/1", "red", 10, 10, **(red or {}))])
    other = bare_unit("blue", "blue", [man("blue/1", "blue", 10, 11 + away, **(blue or {}))])
    state = battle(one, other, **settings)
    state.active = "red"
    return state, one, other


MISS, HIT, CRITICAL = [2], [11], [12]


def shot(state: Battle, *script: tuple[str, Any], **settings: Any) -> None:
    """Red's man fires once at blue's man."""
    red, blue = state.units["red"], state.units["blue"]
    with scripted(state, *script, **settings) as table:
        fire_shot(
            table,
            state,
            red,
            next(iter(red.figures.values())),
            blue,
            next(iter(blue.figures.values())),
            OPEN_WINDOW,
            Answers(),
        )


OUT = F(4, 12)  # locations that remove a leader: 9, 10, 11 and 12


def alone(on: object = None, **spec: object) -> tuple[Battle, Unit, Figure]:
    """A man by himself at (10, 10)."""
    unit = bare_unit("red", "red", [man("red/1", "red", 10, 10, **spec)])
    return battle(unit, on=on), unit, unit.figures["red/1"]  # type: ignore[arg-type]  # a field or None


def facing_off(gap: float, on: object = None, **settings: object) -> tuple[Battle, Unit, Unit]:
    """A man of each side, face to face at this distance between bases."""
    red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 1, (10, 11 + gap), facing=180.0)
    return battle(red, blue, on=on, **settings), red, blue  # type: ignore[arg-type]  # a field or None


WALK, CANTER, GALLOP = 1, 2, 3


def troop(last: int = 0, gap: float = 10.0, on: Any = None, **settings: Any) -> tuple[Battle, Unit, Unit]:
    """A rider with the given gait last turn, and a man on foot at a distance ahead of him."""
    red = bare_unit("red", "red", [man("red/1", "red", 50, 20, mounted=True, rides=True)])
    blue = squad("blue", "blue", 1, (50, 20 + 1.25 + gap), facing=180.0)
    state = battle(red, blue, on=on, **settings)
    red.figures["red/1"].last_gait = last
    return state, red, blue


def wounded(location: int, **spec: Any) -> tuple[Battle, Unit, Figure | None]:
    """A hero with a companion takes a normal hit with this location roll."""
    unit = bare_unit("red", "red", [man("red/1", "red", 10, 10, role="hero", **spec), man("red/2", "red", 12, 10)])
    state = battle(unit)
    with scripted(state, ("hit location", [location])) as table:
        resolve_hit(table, state, unit, unit.figures["red/1"], False, 5, "fire")
    return state, unit, unit.figures.get("red/1")


def event(state: Battle, unit: Unit, kind: str, *script: tuple[str, Any], **settings: Any) -> None:
    """Something of this kind frightens a unit."""
    with scripted(state, *script, **settings) as table:
        glory_event(table, state, unit, kind)


def pair(
    on: Field | None, a: tuple[float, float], b: tuple[float, float], **settings: Any
) -> tuple[Battle, Figure, Figure]:
    """A man of each side at these points."""
    red, blue = (
        bare_unit("red", "red", [man("red/1", "red", *a)]),
        bare_unit("blue", "blue", [man("blue/1", "blue", *b)]),
    )
    state = battle(red, blue, on=on, **settings)
    return state, red.figures["red/1"], blue.figures["blue/1"]


def three_foes() -> tuple[Battle, Unit]:
    """Six men of red's, active, with three enemy units in range."""
    red = squad("red", "red", 6, (50, 20))
    state = battle(red, *[squad(f"blue{i}", "blue", 4, (40.0 + 10 * i, 34), facing=180.0) for i in range(3)])
    state.active = "red"
    return state, red


def step(made: FbnGame, state: Battle, *script: tuple[str, Any], **settings: Any) -> str:
    """Perform the next step with a script. Return its name."""
    following = made.play.next_step(state)
    assert following is not None
    with scripted(state, *script, **settings) as table:
        made.play.perform(table, state, following)
    return following.name


def bonus(settings: dict[str, Any] | None = None, **facts: Any) -> int:
    """Return a fighter's modifier to his die."""
    return rules_with(**(settings or {})).tally("close_combat", FightFacts(**{"cs": 0, **facts})).total


def gun_against(
    kind: str = "light_gun", *others: Unit, crew: int = 2, team: int = 1, on: Any = None, **settings: Any
) -> tuple[Battle, Unit, Gun]:
    """A gun at (50, 10) facing north with its crew behind it, and the other units."""
    spots = [(50.0, 8.5), (48.7, 9.2)]
    men = [man(f"red/{i + 1}", "red", *spots[i], role="crew", cs=-1, ds=4, weapon="none") for i in range(crew)]
    gun = Gun(kind, 50.0, 10.0, 0.0, 0.0, book().guns[kind].wounds, ac=3, team=team)
    unit = bare_unit("red", "red", men, guns=[gun], kind="machine_gun" if kind == "machine_gun" else "battery")
    state = battle(unit, *others, on=on, **settings)
    state.active = "red"
    return state, unit, gun


def need(settings: dict[str, Any] | None = None, **facts: Any) -> int:
    """Return the number needed on a D12."""
    return rules_with(**(settings or {})).tally("fire", ShotFacts(**{"ds": 5, **facts})).total


def cv(on: Field, a: tuple[float, float], b: tuple[float, float], **settings: Any) -> int:
    """Return the cover value of a man at `b` against a man at `a`."""
    state, one, other = pair(on, a, b, **settings)
    return cover_value(state, one, other, state.field.scene(joint_box((*a, *a), (*b, *b))))
