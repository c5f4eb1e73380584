"""A small table for the odds: a few units, described by facts, on an empty plain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import Field

from zareba.base.grammar import amount
from zareba.base.state import blank
from zareba.odds import Procedures, refuse
from zareba.rules import Rules
from zareba.space.grid.boxes import BoxGrid, N, S
from zareba.table import Table
from zareba_rulesets.vcc.book.numbers import VccBook
from zareba_rulesets.vcc.book.tables import MOST_BOXES_BACK, MOST_WOUNDS
from zareba_rulesets.vcc.chapters.casualties.hits import is_alive
from zareba_rulesets.vcc.chapters.morale.morale import check_morale
from zareba_rulesets.vcc.forces.battle import OFF_TABLE, Battle, Commander, Unit, UnitSpec
from zareba_rulesets.vcc.ground.field import Field as Battlefield

__all__ = ["OPEN", "PROCEDURES", "LeaderState", "Marker", "Room", "Wounds", "bases_left", "check_if_due", "leader_state", "small_table", "unit_of"]  # fmt: skip

Marker = Annotated[int, Field(ge=0, le=11)]
Wounds = Annotated[int, Field(ge=0, lt=MOST_WOUNDS)]
Room = Annotated[int, Field(ge=0, le=MOST_BOXES_BACK)]
"""The boxes behind a unit into which it can fall back (VCC-156)."""

OPEN = MOST_BOXES_BACK
"""Room for any retreat."""

LeaderState = Literal["none", "unhurt", "one wound", "two wounds", "three wounds", "four wounds", "five wounds", "dead"]
PROCEDURES = Procedures()
HURT: tuple[LeaderState, ...] = get_args(LeaderState)[1:-1]
"""States of a living leader, indexed by wounds."""
MARKS = ("broken", "flanked", "jest", "lost_base", "moved", "overheated", "prone", "rocketed", "square")
TRAITS = ("dervish_foot", "lancers", "regular")


def small_table(rules: Rules, *units: Unit, phase: str = "british_fire", facts: Any = None) -> Battle:
    """Return a battle on an empty plain with all units in the middle box, the one with number 1 in its row.

    The `facts` give the boxes behind blue (`room_behind` or `b_room_behind`) and behind red (`a_room_behind`), before
    the side's own edge (`..edge_behind`) or a barred way (VCC-156). They also give the Army Commanders (VCC-163):
    `commander` or `b_commander` for blue and `a_commander` for red, with `.._attached` and `.._wounds`.
    """
    book = VccBook(rules)
    sides = {"red": "a_", "blue": "b_" if hasattr(facts, "b_bases") else ""}
    rows = []
    for side in ("blue", "red"):
        edge = getattr(facts, f"{sides[side]}edge_behind", False)
        room = getattr(facts, f"{sides[side]}room_behind", OPEN)
        rows.append(["open"] * (room if edge else min(room, book.farthest_retreat)))
        if not edge and room < book.farthest_retreat:
            rows[-1].append("closed")
    north, south = rows
    terrain = [*reversed(south), "open", *north]
    grid = BoxGrid(3, len(terrain))
    middle = 3 * len(south) + 1
    by_side = {side: tuple(unit for unit in units if unit.spec.side == side) for side in ("red", "blue")}
    field = Battlefield(
        book,
        grid,
        tuple(book.file.terrain[kind] for kind in terrain for _ in range(3)),
        (0,) * grid.size,
        frozenset(),
        {},
        frozenset(),
        ("red", "blue"),
        {"red": S, "blue": N},
        {side: sum(unit.strength for unit in side_units) for side, side_units in by_side.items()},
        {side: tuple(unit.spec.id for unit in side_units) for side, side_units in by_side.items()},
    )
    battle = blank(Battle, turn=1, phase=phase, units={unit.spec.id: unit for unit in units}, book=book, field=field)
    for unit in units:
        refuse(
            unit.hits >= book.settings.hits_per_base,
            f"{amount(unit.hits, 'hit')} are a base lost, at {book.settings.hits_per_base} to a base (VCC-106)",
        )
        if unit.leader:
            _lives(book, unit.wounds)
        battle.move(unit, middle)
    for side, prefix in sides.items():
        is_attached = getattr(facts, f"{prefix}commander_attached", False)
        if is_attached or getattr(facts, f"{prefix}commander", False):
            wounds = getattr(facts, f"{prefix}commander_wounds", 0)
            _lives(book, wounds)
            led_unit = by_side[side][0].spec.id if is_attached else ""
            battle.commanders[side] = Commander(side, "commander", middle, led_unit, wounds)
    return battle


def _lives(book: VccBook, wounds: int) -> None:
    mortal = book.file.leader_dies_at.wounds
    refuse(wounds >= mortal, f"a leader with {amount(wounds, 'wound')} is dead, since he dies at {mortal} (VCC-115)")


def unit_of(facts: Any, name: str, side: str, prefix: str = "", marks: Sequence[str] = (), **known: Any) -> Unit:
    """Return the unit described by facts whose names begin with `prefix`; `known` supplies values that the facts leave
    open.
    """

    def value_of(fact: str, default: Any) -> Any:
        return known.get(fact, getattr(facts, prefix + fact, default))

    spec = UnitSpec(
        id=name,
        name=name,
        side=side,
        profile="",
        troop=value_of("troop", "mounted" if value_of("mounted", False) else "foot"),
        weapon=known.get("weapon", "none"),
        fire_die=value_of("fire_die", 6),
        melee_die=value_of("melee_die", 6),
        bases=value_of("bases", 1),
        leader=value_of("leader", False),
        quality=value_of("quality", "ordinary"),
        **{trait: value_of(trait, False) for trait in TRAITS},
    )
    mark_set = frozenset([*marks, *(mark for mark in MARKS if value_of(mark, False))])
    facing = S if side == "blue" else N
    return Unit(
        OFF_TABLE,
        facing,
        spec.bases,
        spec.leader,
        mark_set,
        hits=value_of("hits", 0),
        wounds=value_of("wounds", 0),
        streak=value_of("streak", 0),
        spec=spec,
    )


def leader_state(unit: Unit) -> LeaderState:
    if not unit.spec.leader:
        return "none"
    if not unit.leader:
        return "dead"
    return HURT[unit.wounds]


def bases_left(unit: Unit) -> int:
    """Return the bases with the leader base; 0 for a unit that has routed off the table."""
    return unit.strength if is_alive(unit) else 0


def check_if_due(table: Table, battle: Battle, unit: Unit, is_due: bool) -> str:
    """Make the morale check of a unit if it is due. Return "passes", the line of failure, or "routs" off the table
    (VCC-156).
    """
    if not is_alive(unit):
        return "destroyed"
    if not is_due:
        return "no check"
    result = check_morale(table, battle, unit)
    return "routs" if unit.strength and not unit.on_table else result
