"""The odds of machine guns that overheat (VCC-103, VCC-104)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from zareba.odds import Procedure, Situation
from zareba.rules import Rules
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.odds.stage import small_table, unit_of
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


def _overheating(rules: Rules, facts: OverheatingFacts) -> Situation:
    def start() -> Battle:
        gun = unit_of(facts, "gun", "red", bases=4, troop="machine_gun", weapon="machine_gun")
        return small_table(rules, gun)

    def turn(table: Table, battle: Battle, gave: tuple[int, int]) -> tuple[int, int]:
        """A turn of fire; gives the turns so far, and in which of them it first overheated."""
        number, first = gave
        gun = battle.unit("gun")
        if not (facts.rest and "overheated" in gun.marks) and "wrecked" not in gun.marks:
            gun.mark("fired")
        overheating(table, battle)
        gun.unmark("fired")
        return number + 1, first or (number + 1 if "overheated" in gun.marks else 0)

    def outcome(battle: Battle, gave: tuple[int, int]) -> OverheatingOutcome:
        marks = battle.unit("gun").marks
        state: Literal["cool", "overheated", "broken"] = (
            "broken" if "wrecked" in marks else "overheated" if "overheated" in marks else "cool"
        )
        return OverheatingOutcome(state, gave[1])

    return Situation(start, [turn] * facts.turns, outcome, first=(0, 0))


PROCEDURES = (
    Procedure(
        "overheating",
        "VCC-103",
        "A machine gun that keeps firing",
        OverheatingFacts,
        OverheatingOutcome,
        situation=_overheating,
    ),
)
