"""An empty plain on which the units of an exchange stand, and what of it matters for the odds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.rules import Rules
from zareba.space.boxes import BoxGrid, N, S
from zareba.table import Table
from zareba_rulesets.vcc.battle import OFF_TABLE, Battle, Unit, UnitSpec
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.field import Field as Battlefield
from zareba_rulesets.vcc.hits import is_alive
from zareba_rulesets.vcc.morale import check_morale

__all__ = [
    "Die",
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
    "state_key",
]

Die = Literal[6, 3]
Marker = Annotated[int, Field(ge=0, le=11)]
Wounds = Annotated[int, Field(ge=0, le=2)]
Room = Annotated[int, Field(ge=0, le=2)]
"""Boxes behind a unit into which it can fall back; 2 are enough for any retreat (VCC-156)."""

PLENTY = 8
LeaderState = Literal["none", "unhurt", "one wound", "two wounds", "dead"]


def bare_battle(
    rules: Rules,
    units: Sequence[Unit],
    phase: str = "british_fire",
    north: tuple[int, bool] = (2, False),
    south: tuple[int, bool] = (2, False),
) -> Battle:
    """An empty plain in the middle of which all units of an exchange stand.

    `north` and `south`: the boxes into which blue and red can fall back, and whether their own edge comes next (VCC-156).
    """
    book = VccBook(rules)
    below, above = (room if edge or room < 2 else PLENTY for room, edge in (south, north))
    barred = [not edge and room < 2 for room, edge in (south, north)]
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
    states: tuple[LeaderState, ...] = ("unhurt", "one wound", "two wounds")
    return states[min(unit.wounds, 2)]


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
