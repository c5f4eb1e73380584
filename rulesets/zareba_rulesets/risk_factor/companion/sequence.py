"""Companion acts that begin and end a player turn, and the acts about prisoners."""

from __future__ import annotations

from zareba.companion import CompanionAct, Scene
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.prisoners import dispatch
from zareba_rulesets.risk_factor.companion.book import FINISH, PRISONERS, START, end_wait, no_actors
from zareba_rulesets.risk_factor.forces import (
    Battle,
)


def _start_turn(table: Table, battle: Battle, scene: Scene) -> None:
    end_wait(battle, START)
    scene.game.sequence.start(table, battle)
    if not table.events:
        table.emit("begins", "RSK-037", side=battle.side)


def _see_to_prisoners(table: Table, battle: Battle, scene: Scene) -> None:
    end_wait(battle, PRISONERS)
    scene.game.sequence.settle(table, battle)


def _kill_prisoners(table: Table, battle: Battle, scene: Scene) -> None:
    end_wait(battle, PRISONERS)
    dispatch(table, battle)


def _end_turn(table: Table, battle: Battle, scene: Scene) -> None:
    end_wait(battle, FINISH)
    scene.game.sequence.finish(table, battle)


START_TURN: CompanionAct[Battle] = CompanionAct(
    name="start",
    title="begin the player turn",
    rule="RSK-037",
    run=_start_turn,
    actors=no_actors,
    has_odds=False,
    out_of_turn=False,
)


GUARD_PRISONERS: CompanionAct[Battle] = CompanionAct(
    name="guard",
    title="see which prisoners escape",
    rule="RSK-158",
    run=_see_to_prisoners,
    actors=no_actors,
    out_of_turn=False,
)


KILL_PRISONERS: CompanionAct[Battle] = CompanionAct(
    name="prisoners",
    title="see to prisoners",
    rule="RSK-159",
    run=_kill_prisoners,
    actors=no_actors,
    out_of_turn=False,
)


END_TURN: CompanionAct[Battle] = CompanionAct(
    name="finish", title="end the player turn", rule="RSK-041", run=_end_turn, actors=no_actors, out_of_turn=False
)
