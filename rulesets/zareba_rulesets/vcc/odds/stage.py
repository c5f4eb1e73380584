"""An empty plain on which the units of an exchange stand, and what of it matters for the odds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.rules import Rules
from zareba.space.boxes import BoxGrid, N, S
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle, Unit, UnitSpec
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.field import Field as Battlefield
from zareba_rulesets.vcc.hits import is_alive
from zareba_rulesets.vcc.morale import check_morale

__all__ = [
    "Die",
    "LeaderState",
    "Marker",
    "Wounds",
    "bare_battle",
    "leader_state",
    "lone_unit",
    "morale_stage",
    "state_key",
]

Die = Literal[6, 3]
Marker = Annotated[int, Field(ge=0, le=11)]
Wounds = Annotated[int, Field(ge=0, le=2)]
LeaderState = Literal["none", "unhurt", "one wound", "two wounds", "dead"]


def bare_battle(rules: Rules, units: Sequence[Unit], phase: str = "british_fire") -> Battle:
    """An empty plain with room to retreat on which the units of an exchange stand."""
    book = VccBook(rules)
    grid = BoxGrid(3, 17)
    plain = book.file.terrain["open"]
    start = {side: sum(u.strength for u in units if u.spec.side == side) for side in ("red", "blue")}
    field = Battlefield(
        book,
        grid,
        (plain,) * grid.size,
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
        box, unit.box = unit.box, -1
        battle.move(unit, box)
    return battle


def lone_unit(
    name: str,
    side: str,
    box: int,
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
    return Unit(box, 4 if side == "blue" else 0, bases, leader, marks, spec=spec, **more)


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


def morale_stage(name: str, is_due: Callable[[Battle, Unit], bool]) -> Callable[[Table, Battle], None]:
    def stage(table: Table, battle: Battle) -> None:
        unit = battle.unit(name)
        if not is_alive(unit):
            battle.waiting = ["destroyed"]
        elif is_due(battle, unit):
            battle.waiting = [check_morale(table, battle, unit)]
        else:
            battle.waiting = ["no check"]

    return stage
