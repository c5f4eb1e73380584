"""Companion acts of melee."""

from __future__ import annotations

from typing import Any

from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Answer, Table
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.chapters.melee import MeleeFacts, contacts
from zareba_rulesets.paychest.chapters.movement import EACH
from zareba_rulesets.paychest.companion.common import (
    OVER_EDGE,
    STAND_OR_RUN,
    enter_stage,
    lay_out_runners,
    phasing_units,
    units_that,
)
from zareba_rulesets.paychest.companion.real_table import MELEE_STAGE
from zareba_rulesets.paychest.forces.battle import Battle


def _melee(table: Table, battle: Battle, scene: Scene) -> None:
    melee_step(table, battle, battle.change(scene.actor))
    battle.waiting = [name for name in battle.waiting if name != MELEE_STAGE]


def _ways_to_fight(battle: Battle, scene: Scene) -> Choices:
    touched = contacts(battle, battle.unit(scene.actor))
    singly = len(touched) > 1 or any(len(foes) > 1 for foes in touched.values())
    return {"fight all": "all who touch an enemy", **({EACH: "man by man"} if singly else {})}


def _way_to_fight(battle: Battle, scene: Scene, question: Any) -> Answer:
    return scene["how"]


def _finish(table: Table, battle: Battle, scene: Scene) -> None:
    scene.game.sequence.end_activation(table, battle, battle.change(battle.acting))
    enter_stage(battle)


FIGHT_MELEE: CompanionAct[Battle] = CompanionAct(
    name="melee",
    title="fight hand to hand",
    rule="PAY-136",
    run=_melee,
    actors=units_that("melee", contacts),
    facts=MeleeFacts,
    asks=(Asked("how", "Who of {actor} fights?", default="fight all", choices=_ways_to_fight), *OVER_EDGE),
    lay_out=lay_out_runners,
    preset_answers={"melee": _way_to_fight},
    roll_groups=(frozenset({"melee"}), STAND_OR_RUN),
)


FINISH_MELEE: CompanionAct[Battle] = CompanionAct(
    name="finish",
    title="end its activation",
    rule="PAY-056",
    run=_finish,
    actors=phasing_units,
    out_of_turn=False,
    has_odds=False,
)
