"""The odds of fire (VCC-074 to VCC-097), rockets (VCC-098 to VCC-102) and overheating (VCC-103)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.state import facts as facts_class
from zareba.odds import SmallBattle
from zareba.rules import Faces, Rules
from zareba.space.grid.boxes import COMPASS, BoxGrid
from zareba.table import Table
from zareba_rulesets.vcc.book.dice import roll_pool
from zareba_rulesets.vcc.book.tables import Band, Bases, Quality
from zareba_rulesets.vcc.chapters.casualties.leaders import resolve_checks
from zareba_rulesets.vcc.chapters.fire.fire import FireFacts, fire
from zareba_rulesets.vcc.chapters.fire.overheating import overheating as overheat
from zareba_rulesets.vcc.chapters.fire.rockets import fire_rocket, landing_box
from zareba_rulesets.vcc.chapters.morale.morale import checks_after_fire
from zareba_rulesets.vcc.chapters.sight import reach_of
from zareba_rulesets.vcc.forces.battle import Battle, LeaderCheck
from zareba_rulesets.vcc.odds import stage
from zareba_rulesets.vcc.odds.morale import MoraleCheckFacts, morale_battle, morale_of
from zareba_rulesets.vcc.odds.stage import PROCEDURES, LeaderState, bases_left, check_if_due, small_table, unit_of

__all__ = ["FirePoolFacts", "FireStepFacts"]


@facts_class
class FirePoolFacts(FireFacts):
    """A pool of fire dice. `bases` are infantry bases or gunners without the leader base; `fire_die` is its number of
    faces.
    """

    fire_die: Faces = 6


@PROCEDURES.of("VCC-074", hits=int, highest_face=bool)
def fire_pool(rules: Rules, facts: FirePoolFacts) -> SmallBattle:
    """Hits of one shot's dice.

    The `hits` of the pool; `highest_face` is true if a die showed its highest face.
    """

    def shoot(table: Table, battle: Battle, _: None) -> tuple[int, bool]:
        dice = table.tally("fire_dice", facts, "firer").total
        return roll_pool(table, battle.book, dice, facts.fire_die, why="fire", rule="VCC-080", actor="firer")

    return SmallBattle(small_table(rules), [shoot])


@facts_class
class FireStepFacts(FirePoolFacts):
    """A shot and its consequences: hits, the leader check if one is due, the morale check.

    `target_bases` without the leader base; `target_hits` its marker of left-over hits; `commander`: the Army Commander
    is in its box (attached to it with `commander_attached`, and then at risk), with `commander_wounds`; `flank_shot`:
    fired from outside its front; `rocketed`: a rocket landed in its box in the same step; `target_lost_base`: an
    earlier shot of the step has cost it a base (VCC-139); `checks_due`: the bands of earlier shots of the step whose
    leader checks come first (VCC-038); `room_behind`: boxes into which it can fall back, before its own edge
    (`edge_behind`) or a barred way (VCC-156).
    """

    target_bases: Bases = 5
    target_leader: bool = True
    target_quality: Quality = "ordinary"
    target_regular: bool = False
    target_square: bool = False
    target_hits: stage.Marker = 0
    target_wounds: stage.Wounds = 0
    target_jest: bool = False
    target_lost_base: bool = False
    commander: bool = False
    commander_attached: bool = False
    commander_wounds: stage.Wounds = 0
    flank_shot: bool = False
    rocketed: bool = False
    checks_due: tuple[Band, ...] = ()
    room_behind: stage.Room = stage.OPEN
    edge_behind: bool = False


@PROCEDURES.of("VCC-038", bases_after_fire=int, bases=int, leader=LeaderState, result=str)
def fire_step(rules: Rules, facts: FireStepFacts) -> SmallBattle:
    """A shot with its hits, leader check and morale check.

    `bases_after_fire` and `bases` at the end count the leader base; `result` is that of the morale check.
    """
    marks = [*["flank_shot"] * facts.flank_shot, *["rocketed"] * facts.rocketed]
    firer = unit_of(facts, "firer", "red", mounted=False, square=facts.square, rocketed=False, weapon="small_arms")
    target = unit_of(facts, "target", "blue", "target_", marks)
    battle = small_table(rules, target, firer, facts=facts)
    box = battle.field.grid.around(target.box)[target.facing]
    assert box is not None, "there is room before the target"
    battle.move(firer, box)
    battle.field.band[reach_of(battle, firer), box, target.box] = facts.band
    battle.field.cover[box, target.box] = facts.cover
    battle.checks = [LeaderCheck("target", band) for band in facts.checks_due]

    def shoot(table: Table, battle: Battle, _: None) -> None:
        fire(table, battle, battle.unit("firer"), battle.unit("target"))

    def leaders(table: Table, battle: Battle, _: None) -> int:
        resolve_checks(table, battle, "fire")
        return battle.unit("target").strength

    def morale(table: Table, battle: Battle, bases_after_fire: int) -> tuple[int, int, LeaderState, str]:
        target = battle.unit("target")
        result = check_if_due(table, battle, target, checks_after_fire(battle, target))
        return bases_after_fire, bases_left(target), stage.leader_state(target), result

    return SmallBattle(battle, [shoot, leaders, morale])


# --- machine guns -------------------------------------------------------------------------------------------------------


@facts_class
class OverheatingFacts:
    """A machine gun that fires for `turns` turns; `rest`: it holds its fire in any turn that it begins overheated."""

    turns: Annotated[int, Field(ge=1, le=50)] = 2
    rest: bool = True
    streak: Annotated[int, Field(ge=0, le=50)] = 0
    overheated: bool = False


@PROCEDURES.of("VCC-103", state=Literal["cool", "overheated", "broken"], first_overheated=int)
def overheating(rules: Rules, facts: OverheatingFacts) -> SmallBattle:
    """A machine gun that keeps firing.

    The state of the gun at the end, and the turn in which it first overheated (0: never).
    """
    gun = unit_of(facts, "gun", "red", bases=4, troop="machine_gun", weapon="machine_gun")

    def turn(table: Table, battle: Battle, gave: tuple[int, int]) -> tuple[int, int]:
        """Play one turn of fire. Return the number of turns so far, and the turn in which it first overheated."""
        number, first_turn = gave
        gun = battle.unit("gun")
        if not (facts.rest and "overheated" in gun.marks) and "wrecked" not in gun.marks:
            gun.mark("fired")
        overheat(table, battle)
        gun.unmark("fired")
        return number + 1, first_turn or (number + 1 if "overheated" in gun.marks else 0)

    def outcome(battle: Battle, gave: tuple[int, int]) -> tuple[str, int]:
        marks = battle.unit("gun").marks
        return "broken" if "wrecked" in marks else "overheated" if "overheated" in marks else "cool", gave[1]

    return SmallBattle(small_table(rules, gun), [turn] * facts.turns, outcome, first=(0, 0))


# --- rockets --------------------------------------------------------------------------------------------------------------


@facts_class
class RocketFacts:
    """A rocket at the box (`column`, `row`), both from 0 in the south-west, of a table `columns` x `rows`.

    `flight` is the compass direction of its flight.
    """

    columns: Annotated[int, Field(ge=1, le=200)] = 12
    rows: Annotated[int, Field(ge=1, le=200)] = 8
    column: Annotated[int, Field(ge=0, le=199)] = 6
    row: Annotated[int, Field(ge=0, le=199)] = 5
    flight: Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"] = "N"


@PROCEDURES.of("VCC-098", column=int | None, row=int | None)
def rocket(rules: Rules, facts: RocketFacts) -> SmallBattle:
    """Landing box of a rocket, with drift.

    The box where it lands, or None for off the table or (with `rocket_drift` off) nowhere.
    """
    grid = BoxGrid(facts.columns, facts.rows)
    box = grid.at(facts.column, facts.row)
    if box is None:
        raise ZarebaError(
            f"column {facts.column}, row {facts.row} lies off a table of {facts.columns} x {facts.rows} boxes"
        )

    battle = small_table(rules)
    battle.field.grid = grid

    def launch(table: Table, battle: Battle, _: None) -> tuple[int | None, int | None]:
        landing_place = landing_box(table, battle, "rocket", box, COMPASS.index(facts.flight), box)
        return grid.column_row(landing_place) if landing_place is not None else (None, None)

    return SmallBattle(battle, [launch])


@facts_class
class RocketMoraleFacts(MoraleCheckFacts):
    """A rocket aimed at the box of a unit, and the unit's morale check if it lands there."""

    bases: Bases = 5


@PROCEDURES.of("VCC-100", result=str, bases=int)
def rocket_morale(rules: Rules, facts: RocketMoraleFacts) -> SmallBattle:
    """A rocket at a unit's box and the unit's morale.

    The outcomes are those of a morale check.
    """
    battle = morale_battle(rules, replace(facts, rocketed=False), unit_of(None, "rocket", "red", troop="rocket"))
    battle.move(battle.unit("rocket"), 1)

    def launch(table: Table, battle: Battle, _: None) -> None:
        fire_rocket(table, battle, battle.unit("rocket"), battle.unit("unit").box)

    return SmallBattle(battle, [launch, morale_of(lambda battle: checks_after_fire(battle, battle.unit("unit")))])
