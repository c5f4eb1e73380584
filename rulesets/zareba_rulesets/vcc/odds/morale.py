"""The odds of morale checks (VCC-137 to VCC-158)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from zareba.odds import Procedure, Situation
from zareba.rules import Rules
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle, Unit
from zareba_rulesets.vcc.morale import MoraleFacts
from zareba_rulesets.vcc.odds.stage import OPEN, Marker, Room, bases_left, checked, small_table, unit_of

__all__ = ["PROCEDURES", "MoraleCheckFacts", "MoraleOutcome", "morale_battle", "morale_outcome"]

MoraleResult = Literal["no check", "passes", "shaken", "recoils", "falls_back", "breaks", "routs", "destroyed"]


@facts
class MoraleCheckFacts(MoraleFacts):
    """A morale check. `bases` living bases or gunners without the leader base; `hits` the marker of left-over hits.

    `room_behind`: boxes into which the unit can fall back, then comes its own edge (`edge_behind`) or it is barred
    (VCC-156).
    """

    hits: Marker = 0
    room_behind: Room = OPEN
    edge_behind: bool = False


@dataclass(frozen=True)
class MoraleOutcome:
    """The line of the table of failures, "passes", or "routs" off the table; bases left with the leader base."""

    result: str
    bases: int


def morale_battle(rules: Rules, facts: MoraleCheckFacts, *others: Unit) -> Battle:
    """The unit with the room behind it, and the Army Commander if he is there."""
    return small_table(rules, unit_of(facts, "unit", "blue"), *others, facts=facts)


def _morale(rules: Rules, facts: MoraleCheckFacts) -> Situation:
    def check(table: Table, battle: Battle, _: None) -> str:
        return checked(table, battle, battle.unit("unit"), due=True)

    return Situation(lambda: morale_battle(rules, facts), [check], morale_outcome)


def morale_outcome(battle: Battle, result: str) -> MoraleOutcome:
    """What has become of the unit."""
    return MoraleOutcome(result, bases_left(battle.unit("unit")))


PROCEDURES = (
    Procedure(
        "morale",
        "VCC-137",
        "A morale check and its consequences",
        MoraleCheckFacts,
        MoraleOutcome,
        situation=_morale,
    ),
)
