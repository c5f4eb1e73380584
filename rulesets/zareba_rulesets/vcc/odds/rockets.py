"""The odds of rockets (VCC-098 to VCC-102)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Procedure, Situation
from zareba.rules import Rules
from zareba.space.boxes import COMPASS, BoxGrid
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.morale import checks_after_fire
from zareba_rulesets.vcc.odds.morale import MoraleCheckFacts, MoraleOutcome, morale_battle, morale_outcome
from zareba_rulesets.vcc.odds.stage import checked, small_table, unit_of
from zareba_rulesets.vcc.rockets import fire_rocket, landing_box
from zareba_rulesets.vcc.tables import Bases

__all__ = ["PROCEDURES", "RocketFacts", "RocketMoraleFacts", "RocketOutcome"]


@facts
class RocketFacts:
    """A rocket at the box (`column`, `row`), both from 0 in the south-west, of a table `columns` x `rows`.

    `flight` is the compass direction of its flight.
    """

    columns: Annotated[int, Field(ge=1, le=200)] = 12
    rows: Annotated[int, Field(ge=1, le=200)] = 8
    column: Annotated[int, Field(ge=0, le=199)] = 6
    row: Annotated[int, Field(ge=0, le=199)] = 5
    flight: Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"] = "N"


@dataclass(frozen=True)
class RocketOutcome:
    """The box where it comes down, or None for off the table or (with `rocket_drift` off) nowhere."""

    column: int | None
    row: int | None


def _rocket(rules: Rules, facts: RocketFacts) -> Situation:
    grid = BoxGrid(facts.columns, facts.rows)
    box = grid.at(facts.column, facts.row)
    if box is None:
        raise ZarebaError(
            f"column {facts.column}, row {facts.row} lies off a table of {facts.columns} x {facts.rows} boxes"
        )

    def start() -> Battle:
        battle = small_table(rules)
        battle.field.grid = grid
        return battle

    def launch(table: Table, battle: Battle, _: None) -> tuple[int | None, int | None]:
        landing = landing_box(table, battle, "rocket", box, COMPASS.index(facts.flight), box)
        return grid.column_row(landing) if landing is not None else (None, None)

    return Situation(start, [launch], lambda battle, landing: RocketOutcome(*landing))


@facts
class RocketMoraleFacts(MoraleCheckFacts):
    """A rocket aimed at the box of a unit, and the unit's morale check if it comes down there at once."""

    bases: Bases = 5


def _rocket_morale(rules: Rules, facts: RocketMoraleFacts) -> Situation:
    def start() -> Battle:
        battle = morale_battle(rules, replace(facts, rocketed=False), unit_of(None, "rocket", "red", troop="rocket"))
        battle.move(battle.unit("rocket"), 1)
        return battle

    def launch(table: Table, battle: Battle, _: None) -> None:
        fire_rocket(table, battle, battle.unit("rocket"), battle.unit("unit").box)

    def morale(table: Table, battle: Battle, _: None) -> str:
        unit = battle.unit("unit")
        return checked(table, battle, unit, checks_after_fire(battle, unit))

    return Situation(start, [launch, morale], morale_outcome)


PROCEDURES = (
    Procedure(
        "rocket", "VCC-098", "Where a rocket comes down, with drift", RocketFacts, RocketOutcome, situation=_rocket
    ),
    Procedure(
        "rocket_morale",
        "VCC-100",
        "A rocket at a unit's box and the unit's morale",
        RocketMoraleFacts,
        MoraleOutcome,
        situation=_rocket_morale,
    ),
)
