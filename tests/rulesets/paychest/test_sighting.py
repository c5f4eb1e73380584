"""Target lists equal those found by checking every line from every muzzle to every man."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for
from zareba.table import SeededTable
from zareba_rulesets.paychest.chapters.fire import (
    Firer,
    has_single_target,
    in_reach,
    may_fire,
    muzzles_of,
    single_targets,
)
from zareba_rulesets.paychest.chapters.sight import foes_near, height_of, in_contact, sees, view_of
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit


def lines_drawn(battle: Battle, unit: Unit, firers: list[Firer]) -> dict[str, list[str]]:
    """Map each enemy unit to those of its men that some firer may aim at."""
    ground = tuple(battle.field.screens.all)
    found = {}
    for enemy in battle.enemies(unit.spec.side):
        friends = foes_near(battle, enemy, side=unit.spec.side)
        men = []
        for figure in enemy.able:
            at = figure.at
            assert at is not None
            view = view_of(battle, unit.spec.side, unit.box, enemy.box)._replace(pieces=ground, blocked=False)
            clear = any(
                dist(muzzle.at, at) + muzzle.height + height_of(battle, figure) <= muzzle.reach
                and sees(battle, view, muzzle.at, at)
                for muzzle in muzzles_of(battle, firers)
            )
            driven = figure.spec.id in battle.moved_away
            if clear and not driven and "down" not in figure.marks and not in_contact(battle, figure, friends):
                men.append(figure.spec.id)
        if men:
            found[enemy.spec.id] = men
    return found


@pytest.mark.parametrize(
    ("scenario", "settings"),
    [
        ("river_ford", ()),
        ("hill_fort", ()),
        ("patrol_clash", (("los_figures_block", "friends"), ("fire_in_contact", "leaders_only"))),
    ],
)
def test_all_who_are_in_sight_and_range_may_be_fired_at_and_nobody_else(
    scenario: str, settings: tuple[tuple[str, Any], ...]
) -> None:
    game = game_for(Variant("paychest", "paychest", settings), scenario)
    state: Battle = game.start()
    players = {seat: make_agent("random", game, seat, 9) for seat in game.seats}
    asked = seen = 0

    def agent(question: Any, battle: Any) -> Any:
        nonlocal asked, seen
        if question.why == "fire":
            asked += 1
            unit = battle.unit(question.actor)
            firers = may_fire(battle, unit)
            reach = in_reach(battle, unit, firers)
            men = {name: [figure.spec.id for figure in figures] for name, figures in reach.items()}
            assert men == lines_drawn(battle, unit, firers)
            seen += len(men)
            for firer in firers:
                there = bool(single_targets(battle, unit, firer))
                assert has_single_target(battle, unit, firer) is there, firer.figure.spec.id
                if battle.is_leader(firer.figure) and "held" not in firer.figure.marks:
                    assert (("leader", firer.figure.spec.id) in question.options) is there
        return players[question.seat](question, battle)

    table = SeededTable(game.rules, state, 9, dict.fromkeys(game.seats, agent))
    while (step := game.play.next_step(state)) is not None and asked < 60:
        table.begin(step)
        game.play.perform(table, state, step)
    assert asked >= 60 and seen > 60
