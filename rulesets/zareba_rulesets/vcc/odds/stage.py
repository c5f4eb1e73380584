"""An empty plain on which the units of an exchange stand, and what of it matters for the odds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from zareba.amounts import amount
from zareba.errors import ZarebaError
from zareba.rules import Rules
from zareba.space.boxes import BoxGrid, N, S
from zareba.table import Table
from zareba_rulesets.vcc.battle import OFF_TABLE, Battle, Commander, Unit, UnitSpec
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.field import Field as Battlefield
from zareba_rulesets.vcc.hits import is_alive
from zareba_rulesets.vcc.morale import check_morale
from zareba_rulesets.vcc.tables import MOST_BOXES_BACK, MOST_WOUNDS

__all__ = [
    "OPEN",
    "LeaderState",
    "Marker",
    "Room",
    "Wounds",
    "bare_battle",
    "bases_left",
    "checked",
    "leader_state",
    "lone_unit",
    "morale_stage",
    "put_commander",
    "state_key",
]

Marker = Annotated[int, Field(ge=0, le=11)]
Wounds = Annotated[int, Field(ge=0, lt=MOST_WOUNDS)]
Room = Annotated[int, Field(ge=0, le=MOST_BOXES_BACK)]
"""Boxes behind a unit into which it can fall back (VCC-156)."""

OPEN = MOST_BOXES_BACK
"""Room for any retreat."""

LeaderState = Literal["none", "unhurt", "one wound", "two wounds", "three wounds", "four wounds", "five wounds", "dead"]
HURT: tuple[LeaderState, ...] = get_args(LeaderState)[1:-1]
"""By wounds."""


def bare_battle(
    rules: Rules,
    units: Sequence[Unit],
    phase: str = "british_fire",
    north: tuple[int, bool] = (OPEN, False),
    south: tuple[int, bool] = (OPEN, False),
) -> Battle:
    """An empty plain in the middle of which all units of an exchange stand.

    `north` and `south`: the boxes into which blue and red can fall back, and whether their own edge comes next (VCC-156).
    Raises ZarebaError for a unit that cannot be: with more left-over hits than it can bear, or led by a dead man.
    """
    book = VccBook(rules)
    for unit in units:
        if unit.hits >= book.settings.hits_per_base:
            raise ZarebaError(
                f"{amount(unit.hits, 'hit')} are a base lost, at {book.settings.hits_per_base} to a base (VCC-106)"
            )
        if unit.leader:
            _alive(book, unit.wounds)
    below, above = (min(room, book.farthest_retreat) if not edge else room for room, edge in (south, north))
    barred = [not edge and room < book.farthest_retreat for room, edge in (south, north)]
    rows = ["open"] * (below + 1 + above)
    rows = ["closed"] * barred[0] + rows + ["closed"] * barred[1]
    grid = BoxGrid(3, len(rows))
    middle = 3 * (below + barred[0]) + 1
    ground = tuple(book.file.terrain[kind] for kind in rows for _ in range(3))
    start = {side: sum(u.strength for u in units if u.spec.side == side) for side in ("red", "blue")}
    field = Battlefield(
        book,
        grid,
        ground,
        (0,) * grid.size,
        frozenset(),
        {},
        frozenset(),
        ("red", "blue"),
        {"red": S, "blue": N},
        start,
        {side: tuple(u.spec.id for u in units if u.spec.side == side) for side in ("red", "blue")},
    )
    battle = Battle(
        turn=1,
        phase=phase,
        stage=0,
        over=False,
        ending="",
        units={u.spec.id: u for u in units},
        commanders={},
        contacts=[],
        waiting=[],
        checks=[],
        dealt={},
        taken={},
        arrivals={},
        gone={},
        prizes={},
        achieved={},
        book=book,
        field=field,
    )
    for unit in units:
        battle.move(unit, middle)
    return battle


def lone_unit(
    name: str,
    side: str,
    bases: int,
    leader: bool,
    quality: str = "ordinary",
    troop: str = "foot",
    **more: Any,
) -> Unit:
    traits = {
        key: more.pop(key) for key in ("regular", "lancers", "dervish_foot", "melee_die", "weapon") if key in more
    }
    spec = UnitSpec(
        id=name,
        name=name,
        side=side,
        profile="",
        troop=troop,
        weapon=traits.pop("weapon", "none"),
        fire_die=6,
        melee_die=traits.pop("melee_die", 6),
        bases=bases,
        leader=leader,
        quality=quality,
        **traits,
    )
    marks = frozenset(mark for mark, there in more.pop("marks", {}).items() if there)
    return Unit(OFF_TABLE, 4 if side == "blue" else 0, bases, leader, marks, spec=spec, **more)


def put_commander(battle: Battle, side: str, unit: str = "", wounds: int = 0) -> None:
    """Put the Army Commander of a side among the units, attached to one of them or to none (VCC-163)."""
    _alive(battle.book, wounds)
    middle = next(iter(battle.units.values())).box
    battle.commanders[side] = Commander(side, "commander", middle, unit, wounds)


def _alive(book: VccBook, wounds: int) -> None:
    mortal = book.file.leader_dies_at.wounds
    if wounds >= mortal:
        raise ZarebaError(f"a leader with {amount(wounds, 'wound')} is dead, since he dies at {mortal} (VCC-115)")


def state_key(battle: Battle) -> Hashable:
    units = tuple((u.box, u.bases, u.leader, u.hits, u.wounds, u.marks, u.streak) for u in battle.units.values())
    checks = tuple((check.unit, check.band) for check in battle.checks)
    commanders = tuple((c.box, c.wounds) for c in battle.commanders.values())
    return units, checks, commanders, tuple(battle.dealt.items()), tuple(battle.taken.items()), tuple(battle.waiting)


def leader_state(unit: Unit) -> LeaderState:
    if not unit.spec.leader:
        return "none"
    if not unit.leader:
        return "dead"
    return HURT[unit.wounds]


def bases_left(unit: Unit) -> int:
    """Bases with the leader base; none of a unit that has routed off the table is left."""
    return unit.strength if is_alive(unit) else 0


def checked(table: Table, battle: Battle, unit: Unit) -> str:
    """A morale check and its result: "passes", the line of failure, or "routs" off the table (VCC-156)."""
    result = check_morale(table, battle, unit)
    return "routs" if unit.strength and not unit.on_table else result


def morale_stage(name: str, is_due: Callable[[Battle, Unit], bool]) -> Callable[[Table, Battle], None]:
    def stage(table: Table, battle: Battle) -> None:
        unit = battle.unit(name)
        if not is_alive(unit):
            battle.waiting = ["destroyed"]
        elif is_due(battle, unit):
            battle.waiting = [checked(table, battle, unit)]
        else:
            battle.waiting = ["no check"]

    return stage
