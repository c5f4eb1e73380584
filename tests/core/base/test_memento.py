"""A memento restores the same objects with the same values; keys tell different states apart and nothing else."""

from __future__ import annotations

import pytest
from tests.core.company import company, spoil
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.memento import detach, key, restore, save
from zareba.base.state import digest
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import SeededTable


@pytest.mark.parametrize("is_draft", [False, True])
def test_restore_returns_every_value_to_the_same_objects(is_draft: bool) -> None:
    first = company()
    now = first.copy() if is_draft else first
    data, state_key, saved = now.to_data(), key(now), save(now)
    captain, ann, orders, dee, column = now.captain, now.men["ann"], now.orders["ann"], now.column[0], now.column
    for _ in range(2):
        spoil(now)
        assert key(now) != state_key
        restore(now, saved)
        assert (now.to_data(), key(now)) == (data, state_key)
        assert now.captain is captain and now.men["ann"] is ann and now.orders["ann"] is orders
        assert now.column is column and now.column[0] is dee
    assert first.to_data() == data


def test_restoring_a_record_does_not_change_its_detached_copy() -> None:
    now = company().copy()
    saved = save(now)
    spoil(now)
    spoilt, apart = now.to_data(), detach(now)
    restore(now, saved)
    assert apart.to_data() == spoilt
    spoil(now)
    now.men.change("ann").wounds.append(3)
    assert apart.to_data() == spoilt


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_steps_of_real_games_are_restored_and_repeated(ruleset: str) -> None:
    game = load_rules(ruleset).game(load_scenario("patrol_clash"))
    state = game.start()
    for number in range(120):
        step = game.play.next_step(state)
        if step is None:
            break
        draft = state.copy()
        ends = []
        saved, state_key = save(draft), key(draft)
        for _ in range(2 if number % 3 == 0 else 1):
            agents = {seat: make_agent("random", game, seat, number) for seat in game.seats}
            table = SeededTable(game.rules, draft, 4, agents)
            table.begin(step)
            game.play.perform(table, draft, step)
            ends.append((key(draft), digest(draft.to_data())))
            after = detach(draft)
            restore(draft, saved)
            assert key(draft) == state_key and draft == state
        assert ends[0] == ends[-1] and digest(after.to_data()) == ends[0][1]
        state = after
    assert game.game_turn(state) > 1
