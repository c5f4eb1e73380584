"""A copied battle shares unchanged parts, and cached facts are never out of date."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for
from zareba.base.state import digest
from zareba.table import SeededTable
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import bases_of
from zareba_rulesets.paychest.forces.things import find_litter

EVERYWHERE = (0.0, 0.0, 80.0, 80.0)
VARIANTS = [
    ("patrol_clash", ()),
    ("paychest_raid", (("unconscious_recovery", "six"), ("recycle_irregulars", "on"))),
    ("hill_fort", (("leader_loss_scope", "any"), ("group_bonus_counts", "all"))),
    ("river_ford", ()),
]


def is_up_to_date(battle: Battle) -> bool:
    """Return True if the cached positions and losses equal those computed from all figures and objects."""
    for unit in battle.units.values():
        kept, box = unit.standing, unit.box
        unit.measure()
        found = unit.standing
        same = [getattr(kept, name) == getattr(found, name) for name in ("able", "bases", "fallen", "middle")]
        if not all(same) or box != unit.box or kept.taken not in (None, bases_of(battle, unit)):
            return False
    lying = [(key, thing, at) for key, thing, at in battle.things_near(EVERYWHERE)]
    battle.litter = find_litter(battle.things)
    return lying == [(key, thing, at) for key, thing, at in battle.things_near(EVERYWHERE)]


@pytest.mark.parametrize(("scenario", "settings"), VARIANTS)
def test_a_step_leaves_earlier_copies_as_they_were(scenario: str, settings: tuple[tuple[str, Any], ...]) -> None:
    game = game_for(Variant("paychest", "paychest", settings), scenario)
    state: Battle = game.start()
    agents = {seat: make_agent("random", game, seat, 11) for seat in game.seats}
    table = SeededTable(game.rules, state, 11, agents)
    steps = 0
    while (step := game.play.next_step(state)) is not None and steps < 160:
        before = state.copy()
        written = digest(before.to_data())
        table.begin(step)
        game.play.perform(table, state, step)
        assert digest(before.to_data()) == written, step
        steps += 1
    assert steps > 100


def test_a_step_on_a_copy_comes_to_the_same() -> None:
    game = game_for(Variant("paychest", "paychest"), "patrol_clash")
    ends = []
    for copies in (False, True):
        state: Battle = game.start()
        agents = {seat: make_agent("random", game, seat, 5) for seat in game.seats}
        table = SeededTable(game.rules, state, 5, agents)
        while (step := game.play.next_step(state)) is not None:
            if copies:
                table.state = state = state.copy()
            table.begin(step)
            game.play.perform(table, state, step)
        ends.append(digest(state.to_data()))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("scenario", ["patrol_clash", "paychest_raid", "column_ambushed"])
def test_what_is_kept_is_true_at_every_question(scenario: str) -> None:
    game = game_for(Variant("paychest", "paychest"), scenario)
    state: Battle = game.start()
    players = {seat: make_agent("random", game, seat, 3) for seat in game.seats}
    asked = 0

    def agent(question: Any, battle: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked % 5 == 0:
            assert is_up_to_date(battle), question
        return players[question.seat](question, battle)

    table = SeededTable(game.rules, state, 3, dict.fromkeys(game.seats, agent))
    while (step := game.play.next_step(state)) is not None and asked < 900:
        table.begin(step)
        game.play.perform(table, state, step)
    assert asked > 500
