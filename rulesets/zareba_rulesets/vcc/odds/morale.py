"""The odds of morale checks (VCC-137 to VCC-158)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.state import facts
from zareba.tally import Tally
from zareba_rulesets.vcc.battle import Battle, Unit
from zareba_rulesets.vcc.morale import MoraleFacts
from zareba_rulesets.vcc.odds.stage import (
    OPEN,
    Marker,
    Room,
    bare_battle,
    bases_left,
    lone_unit,
    morale_stage,
    put_commander,
    state_key,
)

__all__ = ["PROCEDURES", "MoraleCheckFacts", "MoraleOutcome", "morale_battle"]

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


def _morale_unit(facts: MoraleCheckFacts) -> Unit:
    return lone_unit(
        "unit",
        "blue",
        facts.bases,
        facts.leader,
        facts.quality,
        "mounted" if facts.mounted else "foot",
        regular=facts.regular,
        hits=facts.hits,
        marks={"square": facts.square, "rocketed": facts.rocketed, "flanked": facts.flanked, "jest": facts.jest},
    )


def morale_battle(rules: Rules, facts: MoraleCheckFacts) -> Battle:
    """The unit with the room behind it, and the Army Commander if he is there."""
    unit = _morale_unit(facts)
    battle = bare_battle(rules, [unit], north=(facts.room_behind, facts.edge_behind))
    if facts.commander:
        put_commander(battle, "blue")
    return battle


def _morale_legs(rules: Rules, facts: MoraleCheckFacts) -> list[Leg]:
    def start() -> Battle:
        return morale_battle(rules, facts)

    def result(battle: Battle) -> MoraleOutcome:
        return MoraleOutcome(battle.waiting[0], bases_left(battle.unit("unit")))

    return [Leg(start, [morale_stage("unit", lambda battle, unit: True)], state_key, result)]


def _morale_tallies(rules: Rules, facts: MoraleCheckFacts) -> list[Tally]:
    return [rules.tally("morale", facts)]


PROCEDURES = (
    Procedure(
        "morale",
        "VCC-137",
        "A morale check and its consequences",
        MoraleCheckFacts,
        MoraleOutcome,
        _morale_legs,
        tallies=_morale_tallies,
    ),
)
