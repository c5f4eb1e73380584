"""The odds of rockets (VCC-098 to VCC-102)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.space.boxes import COMPASS, BoxGrid, N
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.morale import checks_after_fire
from zareba_rulesets.vcc.odds.morale import MoraleCheckFacts, MoraleOutcome, morale_battle
from zareba_rulesets.vcc.odds.stage import bare_battle, bases_left, morale_stage, state_key
from zareba_rulesets.vcc.rockets import landing_box, mark_rocketed
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


def _rocket_legs(rules: Rules, facts: RocketFacts) -> list[Leg]:
    battle = bare_battle(rules, [])
    battle.field.grid = BoxGrid(facts.columns, facts.rows)
    grid = battle.field.grid
    box = grid.at(facts.column, facts.row)
    if box is None:
        raise ZarebaError(
            f"column {facts.column}, row {facts.row} lies off a table of {facts.columns} x {facts.rows} boxes"
        )

    def launch(table: Table, slate: Slate) -> None:
        landing = landing_box(table, battle, "rocket", box, COMPASS.index(facts.flight), box)
        slate.values = grid.column_row(landing) if landing is not None else (None, None)

    return [slate_leg(launch)]


@facts
class RocketMoraleFacts(MoraleCheckFacts):
    """A rocket aimed at the box of a unit, and the unit's morale check if it comes down there at once."""

    bases: Bases = 5


def _rocket_morale_legs(rules: Rules, facts: RocketMoraleFacts) -> list[Leg]:
    def launch(table: Table, battle: Battle) -> None:
        box = battle.unit("unit").box
        landing = landing_box(table, battle, "rocket", box, N, box)
        if landing is not None:
            mark_rocketed(battle, landing)

    def result(battle: Battle) -> MoraleOutcome:
        return MoraleOutcome(battle.waiting[0], bases_left(battle.unit("unit")))

    start = partial(morale_battle, rules, replace(facts, rocketed=False))
    return [Leg(start, [launch, morale_stage("unit", checks_after_fire)], state_key, result)]


PROCEDURES = (
    Procedure("rocket", "VCC-098", "Where a rocket comes down, with drift", RocketFacts, RocketOutcome, _rocket_legs),
    Procedure(
        "rocket_morale",
        "VCC-100",
        "A rocket at a unit's box and the unit's morale",
        RocketMoraleFacts,
        MoraleOutcome,
        _rocket_morale_legs,
    ),
)
