"""Companion acts of the sequence of play: the turn, cards, forced moves, morale and deeds."""

from __future__ import annotations

from typing import Any

from zareba.companion import Asked, CompanionAct, Scene
from zareba.table import Answer, Table
from zareba_rulesets.paychest.chapters.command import NOBODY, note_deed
from zareba_rulesets.paychest.chapters.morale import check_morale
from zareba_rulesets.paychest.companion.common import (
    OVER_EDGE,
    STAND_OR_RUN,
    able_figures_of,
    enter_stage,
    lay_out_runners,
    next_to_check,
    phasing_units,
    units_that,
)
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit


def _no_units(battle: Battle) -> list[str]:
    return []


def _may_note_deed(battle: Battle, unit: Unit) -> bool:
    side = unit.spec.side
    return bool(battle.commanders.get(side)) and battle.deeds.get(side) != battle.turn


def _start_turn(table: Table, battle: Battle, scene: Scene) -> None:
    scene.game.sequence.turn_start(table, battle)
    enter_stage(battle)


def _no_orders(battle: Battle, scene: Scene, question: Any) -> Answer:
    return question.options[0]


def _arrival_point(battle: Battle, scene: Scene, question: Any) -> Answer:
    return question.suggestions[0]


def _turn_card(table: Table, battle: Battle, scene: Scene) -> None:
    scene.game.sequence.unit_card(table, battle)
    enter_stage(battle)


def _fall_back(table: Table, battle: Battle, scene: Scene) -> None:
    """Make the forced move that replaces a move step (PAY-164)."""
    scene.game.sequence.unit_move(table, battle)
    enter_stage(battle)


def _morale(table: Table, battle: Battle, scene: Scene) -> None:
    battle.waiting = [name for name in battle.waiting if name != scene.actor]
    check_morale(table, battle, battle.change(scene.actor))


def _deed(table: Table, battle: Battle, scene: Scene) -> None:
    note_deed(table, battle, battle.unit(scene.actor).spec.side)


def _deed_in(battle: Battle, scene: Scene, question: Any) -> Answer:
    return scene.actor


def _deed_of(battle: Battle, scene: Scene, question: Any) -> Answer:
    return scene["man"]


def _end_turn(table: Table, battle: Battle, scene: Scene) -> None:
    scene.game.sequence.close_turn(table, battle)
    enter_stage(battle)


def _no_deed(battle: Battle, scene: Scene, question: Any) -> Answer:
    return NOBODY


START_TURN: CompanionAct[Battle] = CompanionAct(
    name="start",
    title="begin the turn",
    rule="PAY-065",
    run=_start_turn,
    actors=_no_units,
    preset_answers={"order for": _no_orders, "arrive at": _arrival_point},
    out_of_turn=False,
    has_odds=False,
)


TURN_CARD: CompanionAct[Battle] = CompanionAct(
    name="card",
    title="turn over the next card",
    rule="PAY-052",
    run=_turn_card,
    actors=_no_units,
    asks=OVER_EDGE,
    lay_out=lay_out_runners,
    out_of_turn=False,
    has_odds=False,
)


FALL_BACK: CompanionAct[Battle] = CompanionAct(
    name="fall_back",
    title="fall back as ordered",
    rule="PAY-164",
    run=_fall_back,
    actors=phasing_units,
    asks=OVER_EDGE,
    lay_out=lay_out_runners,
    out_of_turn=False,
    has_odds=False,
)


CHECK_MORALE: CompanionAct[Battle] = CompanionAct(
    name="morale",
    title="check morale",
    rule="PAY-148",
    run=_morale,
    actors=next_to_check,
    asks=OVER_EDGE,
    lay_out=lay_out_runners,
    roll_groups=(STAND_OR_RUN,),
    out_of_turn=False,
)


NOTE_DEED: CompanionAct[Battle] = CompanionAct(
    name="deed",
    title="have a brave deed noted by the commander",
    rule="PAY-044",
    run=_deed,
    actors=units_that("deed", _may_note_deed),
    asks=(Asked("man", "Whose deed?", choices=able_figures_of(lambda scene: scene.actor)),),
    preset_answers={"brave deed in": _deed_in, "brave deed of": _deed_of},
    has_odds=False,
)


END_TURN: CompanionAct[Battle] = CompanionAct(
    name="end",
    title="end the turn",
    rule="PAY-057",
    run=_end_turn,
    actors=_no_units,
    preset_answers={"brave deed in": _no_deed},
    out_of_turn=False,
    has_odds=False,
)
