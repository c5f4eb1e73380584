"""The odds of fire (VCC-074 to VCC-097)."""

from __future__ import annotations

from dataclasses import dataclass

from zareba.odds import Procedure, Situation
from zareba.rules import Faces, Rules
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.vcc.battle import Battle, LeaderCheck
from zareba_rulesets.vcc.dice import roll_pool
from zareba_rulesets.vcc.fire import Band, FireFacts, Quality, fire
from zareba_rulesets.vcc.leaders import resolve_checks
from zareba_rulesets.vcc.morale import checks_after_fire
from zareba_rulesets.vcc.odds.stage import (
    OPEN,
    LeaderState,
    Marker,
    Room,
    Wounds,
    bases_left,
    checked,
    leader_state,
    small_table,
    unit_of,
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


def _fire_pool(rules: Rules, facts: FirePoolFacts) -> Situation:
    def shoot(table: Table, battle: Battle, _: None) -> tuple[int, bool]:
        dice = table.tally("fire_dice", facts).total
        return roll_pool(table, battle.book, dice, facts.fire_die, why="fire", rule="VCC-080", actor="firer")

    return Situation(lambda: small_table(rules), [shoot], lambda battle, pool: PoolOutcome(*pool))


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


def _fire_step(rules: Rules, facts: FireStepFacts) -> Situation:
    def start() -> Battle:
        marks = [*["flank_shot"] * facts.flank_shot, *["rocketed"] * facts.rocketed]
        firer = unit_of(facts, "firer", "red", mounted=False, square=facts.square, rocketed=False, weapon="small_arms")
        target = unit_of(facts, "target", "blue", "target_", marks)
        battle = small_table(rules, target, firer, facts=facts)
        box = battle.field.grid.around(target.box)[target.facing]
        assert box is not None, "there is room before the target"
        battle.move(firer, box)
        battle.field.band[firer.spec.weapon, box, target.box] = facts.band
        battle.field.cover[box, target.box] = facts.cover
        battle.checks = [LeaderCheck("target", band) for band in facts.checks_due]
        return battle

    def shoot(table: Table, battle: Battle, _: None) -> None:
        fire(table, battle, battle.unit("firer"), battle.unit("target"))

    def leaders(table: Table, battle: Battle, _: None) -> int:
        resolve_checks(table, battle, "fire")
        return battle.unit("target").strength

    def morale(table: Table, battle: Battle, left: int) -> tuple[int, str]:
        target = battle.unit("target")
        return left, checked(table, battle, target, checks_after_fire(battle, target))

    def outcome(battle: Battle, gave: tuple[int, str]) -> FireStepOutcome:
        target = battle.unit("target")
        return FireStepOutcome(gave[0], bases_left(target), leader_state(target), gave[1])

    return Situation(start, [shoot, leaders, morale], outcome)


PROCEDURES = (
    Procedure("fire_pool", "VCC-074", "Hits of one shot's dice", FirePoolFacts, PoolOutcome, situation=_fire_pool),
    Procedure(
        "fire_step",
        "VCC-038",
        "A shot with its hits, leader check and morale check",
        FireStepFacts,
        FireStepOutcome,
        situation=_fire_step,
    ),
)
