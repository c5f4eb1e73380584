"""Odds of machine guns (FBN-229 to FBN-232), built from the functions that play uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book import FbnBook
from zareba_rulesets.fixed_baynet.fire import Defence, ShotFacts, Skill, to_hit
from zareba_rulesets.fixed_baynet.machine_guns import jams
from zareba_rulesets.fixed_baynet.odds.fire import Men, falls, fire_tally

__all__ = ["MACHINE_GUN_PROCEDURES", "MachineGunFacts"]


@facts
class MachineGunFacts(ShotFacts):
    """Salvos of a machine gun in one turn at a unit of `men`; `jam_die`: it is thrown before the first (FBN-232).

    `leader`: the first of them is a leader, aimed at until a location takes him down (FBN-125).
    """

    ds: Defence = 4
    cs: Skill = -1
    salvos: Annotated[int, Field(ge=1, le=3)] = 3
    men: Men = 20
    jam_die: bool = True
    leader: bool = False


@dataclass(frozen=True)
class MachineGunOutcome:
    jammed: bool
    down: int


def _machine_gun_legs(rules: Rules, facts: MachineGunFacts) -> list[Leg]:
    book = FbnBook(rules)
    dies_first = facts.jam_die and rules.settings["jam_roll"] == "before_first_salvo"

    def jam(table: Table, slate: Slate) -> None:
        slate.values = (dies_first and jams(table, "gun"), 0)

    def shoot(table: Table, slate: Slate) -> None:
        jammed, down = slate.values
        if not jammed and down < facts.men:
            result = to_hit(table, facts, "gun")
            slate.values = (jammed, down + falls(table, book, result, facts.leader and down == 0))

    shots = facts.salvos * book.file.salvo.shots
    return [slate_leg(jam, *[shoot] * shots)]


MACHINE_GUN_PROCEDURES = (
    Procedure(
        "machine_gun", "FBN-229", "salvos with the jam die",
        MachineGunFacts, MachineGunOutcome, _machine_gun_legs, tallies=fire_tally,
    ),
)  # fmt: skip
