"""The odds of fire (VCC-074 to VCC-097)."""

from __future__ import annotations

from dataclasses import dataclass

from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Faces, Rules
from zareba.state import facts
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.vcc.battle import Battle, LeaderCheck
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.dice import roll_pool
from zareba_rulesets.vcc.fire import Band, FireFacts, Quality
from zareba_rulesets.vcc.hits import apply_hits
from zareba_rulesets.vcc.leaders import call_for_check, resolve_checks
from zareba_rulesets.vcc.morale import checks_after_fire
from zareba_rulesets.vcc.odds.stage import (
    OPEN,
    LeaderState,
    Marker,
    Room,
    Wounds,
    bare_battle,
    bases_left,
    leader_state,
    lone_unit,
    morale_stage,
    put_commander,
    state_key,
)
from zareba_rulesets.vcc.tables import Bases

__all__ = ["PROCEDURES", "FirePoolFacts", "FireStepFacts", "FireStepOutcome", "PoolOutcome"]


@facts
class FirePoolFacts(FireFacts):
    """A pool of fire dice. `bases` are infantry bases or gunners without the leader base; `fire_die` faces."""

    fire_die: Faces = 6


@dataclass(frozen=True)
class PoolOutcome:
    """`hits` of the pool, and whether a die showed its highest face."""

    hits: int
    highest_face: bool


def _fire_pool_legs(rules: Rules, facts: FirePoolFacts) -> list[Leg]:
    book = VccBook(rules)

    def shoot(table: Table, slate: Slate) -> None:
        dice = table.tally("fire_dice", facts).total
        slate.values = roll_pool(table, book, dice, facts.fire_die, why="fire", rule="VCC-080", actor="firer")

    return [slate_leg(shoot)]


def _fire_tallies(rules: Rules, facts: FirePoolFacts) -> list[Tally]:
    return [rules.tally("fire_dice", facts)]


@facts
class FireStepFacts(FirePoolFacts):
    """A shot and what follows: hits, the leader check that is due, the morale check.

    `target_bases` without the leader base; `target_hits` its marker of left-over hits; `commander`: the Army Commander
    is in its box (attached to it with `commander_attached`, and then at risk), with `commander_wounds`; `flank_shot`:
    fired from outside its front; `rocketed`: a rocket came down in its box in the same step; `target_lost_base`: an
    earlier shot of the step has cost it a base (VCC-139); `checks_due`: the bands of earlier shots of the step whose
    leader checks come first (VCC-038); `room_behind`: boxes into which it can fall back, then comes its own edge
    (`edge_behind`) or it is barred (VCC-156).
    """

    target_bases: Bases = 5
    target_leader: bool = True
    target_quality: Quality = "ordinary"
    target_regular: bool = False
    target_square: bool = False
    target_hits: Marker = 0
    target_wounds: Wounds = 0
    target_jest: bool = False
    target_lost_base: bool = False
    commander: bool = False
    commander_attached: bool = False
    commander_wounds: Wounds = 0
    flank_shot: bool = False
    rocketed: bool = False
    checks_due: tuple[Band, ...] = ()
    room_behind: Room = OPEN
    edge_behind: bool = False


@dataclass(frozen=True)
class FireStepOutcome:
    """`bases_after_fire` and `bases` at the end count the leader base; `result` is that of the morale check."""

    bases_after_fire: int
    bases: int
    leader: LeaderState
    result: str


def _fire_step_legs(rules: Rules, facts: FireStepFacts) -> list[Leg]:
    def start() -> Battle:
        target = lone_unit(
            "target",
            "blue",
            facts.target_bases,
            facts.target_leader,
            facts.target_quality,
            "mounted" if facts.target_mounted else "foot",
            regular=facts.target_regular,
            hits=facts.target_hits,
            wounds=facts.target_wounds,
            marks={
                "prone": facts.target_prone,
                "square": facts.target_square,
                "jest": facts.target_jest,
                "lost_base": facts.target_lost_base,
                "rocketed": facts.rocketed,
            },
        )
        battle = bare_battle(rules, [target], north=(facts.room_behind, facts.edge_behind))
        battle.checks = [LeaderCheck("target", band) for band in facts.checks_due]
        if facts.commander or facts.commander_attached:
            attached = "target" if facts.commander_attached else ""
            put_commander(battle, "blue", attached, facts.commander_wounds)
        return battle

    def shoot(table: Table, battle: Battle) -> None:
        target = battle.unit("target")
        dice = table.tally("fire_dice", facts).total
        hits, highest = roll_pool(table, battle.book, dice, facts.fire_die, why="fire", rule="VCC-080", actor="firer")
        target.mark("hit", *(("flank_shot",) if facts.flank_shot else ()))
        apply_hits(table, battle, target, hits, "fire")
        call_for_check(battle, target, hits, highest, facts.band)

    def leaders(table: Table, battle: Battle) -> None:
        resolve_checks(table, battle, "fire")
        battle.taken = {"target": battle.unit("target").strength}

    def result(battle: Battle) -> FireStepOutcome:
        target = battle.unit("target")
        return FireStepOutcome(battle.taken["target"], bases_left(target), leader_state(target), battle.waiting[0])

    morale = morale_stage("target", checks_after_fire)
    return [Leg(start, [shoot, leaders, morale], state_key, result)]


PROCEDURES = (
    Procedure(
        "fire_pool",
        "VCC-074",
        "Hits of one shot's dice",
        FirePoolFacts,
        PoolOutcome,
        _fire_pool_legs,
        tallies=_fire_tallies,
    ),
    Procedure(
        "fire_step",
        "VCC-038",
        "A shot with its hits, leader check and morale check",
        FireStepFacts,
        FireStepOutcome,
        _fire_step_legs,
        tallies=_fire_tallies,
    ),
)
