"""What a memento puts back is the very same objects, saying what they said; keys tell states apart and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.memento import detached, key, restore, save
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.state import CopyOnWrite, Marked, Record, digest, record, shared
from zareba.table import SeededTable


@record
class Man(Marked):
    marks: frozenset[str]
    name: str
    wounds: list[int]


@record
class Company(Record):
    captain: Man
    second: Man | None
    men: CopyOnWrite[str, Man]
    orders: dict[str, list[str]]
    column: list[Man]
    pace: tuple[float, ...]
    book: Any = shared(default=None)


def company() -> Company:
    men = CopyOnWrite({name: Man(frozenset(), name, []) for name in ("ann", "bob")})
    return Company(Man(frozenset(), "cox", [1]), None, men, {"ann": ["hold"]}, [Man(frozenset(), "dee", [])], (1.0,))


def spoil(now: Company) -> None:
    """Change whatever can be changed."""
    now.captain.wounds.append(6)
    now.second = Man(frozenset(), "eve", [])
    now.men.change("ann").mark("prone")
    del now.men["bob"]
    now.men["fay"] = Man(frozenset(), "fay", [])
    now.orders["ann"].append("fire")
    now.orders["bob"] = []
    now.column[0].wounds.append(2)
    now.column.append(Man(frozenset(), "gus", []))
    now.pace = (2.0,)


@pytest.mark.parametrize("is_draft", [False, True])
def test_everything_is_put_back_into_the_same_objects(is_draft: bool) -> None:
    first = company()
    now = first.copy() if is_draft else first
    was, said, kept = now.to_data(), key(now), save(now)
    captain, ann, orders, dee, column = now.captain, now.men["ann"], now.orders["ann"], now.column[0], now.column
    for _ in range(2):
        spoil(now)
        assert key(now) != said
        restore(now, kept)
        assert (now.to_data(), key(now)) == (was, said)
        assert now.captain is captain and now.men["ann"] is ann and now.orders["ann"] is orders
        assert now.column is column and now.column[0] is dee
    assert first.to_data() == was


def test_a_detached_copy_stays_as_it_is_when_its_original_is_put_back() -> None:
    now = company().copy()
    kept = save(now)
    spoil(now)
    spoilt, apart = now.to_data(), detached(now)
    restore(now, kept)
    assert apart.to_data() == spoilt
    spoil(now)
    now.men.change("ann").wounds.append(3)
    assert apart.to_data() == spoilt


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_steps_of_real_games_are_taken_back_and_done_again(ruleset: str) -> None:
    game = load_rules(ruleset).game(load_scenario("patrol_clash"))
    state = game.start()
    for number in range(120):
        step = game.next_step(state)
        if step is None:
            break
        draft = state.copy()
        ends = []
        kept, said = save(draft), key(draft)
        for _ in range(2 if number % 3 == 0 else 1):
            agents = {seat: make_agent("random", game, seat, number) for seat in game.seats}
            table = SeededTable(game.rules, draft, 4, agents)
            table.begin(step)
            game.perform(table, draft, step)
            ends.append((key(draft), digest(draft.to_data())))
            after = detached(draft)
            restore(draft, kept)
            assert key(draft) == said and draft == state
        assert ends[0] == ends[-1] and digest(after.to_data()) == ends[0][1]
        state = after
    assert game.game_turn(state) > 1
