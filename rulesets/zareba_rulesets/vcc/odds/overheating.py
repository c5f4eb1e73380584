"""The odds of machine guns that overheat (VCC-103, VCC-104)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.odds.stage import bare_battle, lone_unit, state_key
from zareba_rulesets.vcc.overheating import overheating

__all__ = ["PROCEDURES", "OverheatingFacts", "OverheatingOutcome"]


@facts
class OverheatingFacts:
    """A machine gun that fires for `turns` turns; `rest`: it holds its fire in any turn that it begins overheated."""

    turns: Annotated[int, Field(ge=1, le=50)] = 2
    rest: bool = True
    streak: Annotated[int, Field(ge=0, le=50)] = 0
    overheated: bool = False


@dataclass(frozen=True)
class OverheatingOutcome:
    """The gun at the end, and the turn in which it first overheated (0: never)."""

    state: Literal["cool", "overheated", "broken"]
    first_overheated: int


def _overheating_legs(rules: Rules, facts: OverheatingFacts) -> list[Leg]:
    def start() -> Battle:
        gun = lone_unit(
            "gun",
            "red",
            4,
            False,
            troop="machine_gun",
            weapon="machine_gun",
            streak=facts.streak,
            marks={"overheated": facts.overheated},
        )
        return bare_battle(rules, [gun])

    def turn(number: int) -> Callable[[Table, Battle], None]:
        def stage(table: Table, battle: Battle) -> None:
            gun = battle.unit("gun")
            if "wrecked" in gun.marks:
                return
            if not (facts.rest and "overheated" in gun.marks):
                gun.mark("fired")
            overheating(table, battle)
            gun.unmark("fired")
            if "overheated" in gun.marks and not battle.waiting:
                battle.waiting = [str(number)]

        return stage

    def result(battle: Battle) -> OverheatingOutcome:
        marks = battle.unit("gun").marks
        state: Literal["cool", "overheated", "broken"] = (
            "broken" if "wrecked" in marks else "overheated" if "overheated" in marks else "cool"
        )
        return OverheatingOutcome(state, int(battle.waiting[0]) if battle.waiting else 0)

    return [Leg(start, [turn(number) for number in range(1, facts.turns + 1)], state_key, result)]


PROCEDURES = (
    Procedure(
        "overheating",
        "VCC-103",
        "A machine gun that keeps firing",
        OverheatingFacts,
        OverheatingOutcome,
        _overheating_legs,
    ),
)
