"""The rollback log: changes to a draft are undone and redone in the same objects, and states are compared by their
values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.core.company import Company, Man, company, spoil
from tests.core.seeds import seeds
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.state import digest
from zareba.odds.rollback import RollbackLog, is_logged
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import SeededTable


def test_rollback_and_replay_restore_the_same_objects() -> None:
    first = company()
    now = first.copy()
    log = RollbackLog(now)
    was = now.to_data()
    captain, ann, orders, dee, column = now.captain, now.men["ann"], now.orders["ann"], now.column[0], now.column
    with log.open():
        mark = log.mark()
        spoil(now)
        spoilt, written = now.to_data(), log.changed(mark)
        for _ in range(2):
            log.rewind(mark)
            assert now.to_data() == was and now == first
            assert now.captain is captain and now.men["ann"] is ann and now.orders["ann"] is orders
            assert now.column is column and now.column[0] is dee
            log.forward(written)
            assert now.to_data() == spoilt and now != first
            now.orders["bob"].append("changed afterwards")
            now.men["fay"].mark("prone")
    assert first.to_data() == company().to_data()


def test_a_logged_record_equals_an_unlogged_one() -> None:
    first = company()
    now = first.copy()
    RollbackLog(now)
    assert now == first and first == now and is_logged(now.men["ann"]) and not is_logged(first.men["ann"])
    copy = now.copy()
    assert copy == now and not is_logged(copy) and not is_logged(copy.men["ann"]) and not is_logged(copy.column)
    copy.men.change("ann").mark("prone")
    assert now.men["ann"] != copy.men["ann"] and now.men["ann"].marks == frozenset()


def test_a_copy_made_from_a_logged_record_is_not_logged() -> None:
    now = company().copy()
    RollbackLog(now)
    other = replace(now, pace=(3.0,))
    assert type(other) is Company and not is_logged(other) and other.pace == (3.0,) and other.men is now.men
    other.pace = (4.0,)
    assert now.pace == (1.0,)


def test_a_write_under_an_old_name_is_rolled_back_and_counts_in_comparisons() -> None:
    rules = load_rules("vcc")
    battle: Any = rules.ruleset.game(rules, load_scenario("paychest_raid"), {}).start()
    first = battle.copy()
    log = RollbackLog(battle)
    with log.open():
        mark = log.mark()
        battle.prizes = {}
        by_old_name = log.changed(mark)
        key = log.key(by_old_name, mark)
        log.rewind(mark)
        assert battle == first and battle.carried_objects != {}
        log.forward(by_old_name)
        assert battle.carried_objects == {}
        log.rewind(mark)
        battle.carried_objects = {}
        assert log.key(log.changed(mark), mark) == key


def change_randomly(now: Company, chance: Random) -> None:
    """Make one random change of the kinds that rules make."""
    names = [chance.choice("abc") for _ in range(2)]
    new = Man(frozenset(), names[0], [chance.randrange(2)])
    men = [now.captain, *now.men.values(), *now.column, *([now.second] if now.second else [])]
    man = chance.choice(men)
    what = chance.randrange(16)
    if what == 0:
        man.mark(names[0])
    elif what == 1:
        man.unmark(*names)
    elif what == 2:
        man.wounds.append(chance.randrange(2))
    elif what == 3:
        man.wounds = [*man.wounds, 1] if len(man.wounds) < 3 else []
    elif what == 4 and now.column:
        now.second = now.column.pop()
    elif what == 5 and now.second:
        now.column.append(now.second)
        now.second = None
    elif what == 6:
        now.men[names[0]] = new
    elif what == 7 and len(now.men) > 1:
        now.column.append(now.men.pop(next(iter(now.men))))
    elif what == 8:
        now.orders[names[0]] = [names[1]]
    elif what == 9 and now.orders:
        now.orders[next(iter(now.orders))].append(names[0])
    elif what == 10 and len(now.orders) > 1:
        one, other = list(now.orders)[:2]
        now.orders[one], now.orders[other] = now.orders[other], []
    elif what == 11:
        now.column = [*now.column[-3:], new]
    elif what == 12:
        now.captain = new
    elif what == 13:
        now.column.sort(key=lambda one: one.name)
    elif what == 14:
        now.second = new if now.second is None else None
    else:
        now.pace = (chance.randrange(2) * 1.0,)


def wander(now: Company, log: RollbackLog, chance: Random, depth: int) -> None:
    """Explore several branches, each undone afterwards; then jump to ends found before and continue from there."""
    mark, was = log.mark(), now.to_data()
    ends: list[tuple[Any, Any, dict[str, Any]]] = []
    for _ in range(4):
        if ends and chance.random() < 0.6:
            written, _, said = chance.choice(ends)
            log.forward(written)
            assert now.to_data() == said
        for _ in range(chance.randrange(4)):
            change_randomly(now, chance)
        if depth:
            wander(now, log, chance, depth - 1)
        written = log.changed(mark)
        ends.append((written, log.key(written, mark), now.to_data()))
        log.rewind(mark)
        assert now.to_data() == was
    for number, (_, said, data) in enumerate(ends):
        for _, other, its in ends[:number]:
            assert data == its or said != other, "different states have different keys"
    written, _, said = chance.choice(ends)
    log.forward(written)
    assert now.to_data() == said


@seeds(60)
def test_rollback_undoes_and_redoes_every_write(seed: int) -> None:
    first = company()
    now = first.copy()
    log = RollbackLog(now)
    with log.open():
        start = log.mark()
        wander(now, log, Random(seed), 3)
        log.rewind(start)
    assert now.to_data() == first.to_data() == company().to_data()


def test_equal_states_have_one_key_however_they_were_reached() -> None:
    def reached(acts: Sequence[Any]) -> Any:
        for act in acts:
            act()
        written = log.changed(mark)
        said = log.key(written, mark)
        log.rewind(mark)
        return said

    now = company().copy()
    log = RollbackLog(now)

    def fallen(wound: int) -> list[Any]:
        return [lambda: now.men["bob"].wounds.append(wound), lambda: now.men.pop("bob")]

    new = [lambda: setattr(now, "second", Man(frozenset(), "eve", []))]
    with log.open():
        mark = log.mark()
        assert reached(new) == reached(new) != reached([])
        assert reached(fallen(1)) == reached(fallen(2)), "a removed object no longer counts"
        moved = [*fallen(1)[:1], lambda: now.column.append(now.men.pop("bob"))]
        other = [*fallen(2)[:1], lambda: now.column.append(now.men.pop("bob"))]
        assert reached(moved) == reached(moved) != reached(other)
        assert reached([lambda: setattr(now, "book", "noted")]) == reached([]), (
            "shared fields are not part of the state"
        )


@pytest.mark.parametrize("ruleset", each_ruleset("fixed_baynet", "vcc"))
def test_steps_of_real_games_are_rolled_back_and_repeated(ruleset: str) -> None:
    game = load_rules(ruleset).game(load_scenario("patrol_clash"))
    state = game.start()
    draft = state.copy()
    log = RollbackLog(draft)
    for number in range(120):
        step = game.play.next_step(draft)
        if step is None:
            break
        was, found = digest(draft.to_data()), []
        with log.open():
            mark = log.mark()
            for _ in range(2 if number % 3 == 0 else 1):
                agents = {seat: make_agent("random", game, seat, number) for seat in game.seats}
                table = SeededTable(game.rules, draft, 4, agents)
                table.begin(step)
                game.play.perform(table, draft, step)
                written = log.changed(mark)
                found.append((log.key(written, mark), digest(draft.to_data())))
                log.rewind(mark)
                assert digest(draft.to_data()) == was
            log.forward(written)
        assert found[0] == found[-1] and digest(draft.to_data()) == found[0][1]
    assert game.game_turn(draft) > 1
    assert state == game.start(), "the log records the draft, not its original"
