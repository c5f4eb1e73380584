"""Plays go the way together and part by chance; who looks longer gets better odds; nothing fills the memory."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count
from typing import Any

import pytest
from tests.core.toy import SIDES, Raid, ToyGame, bare_rules

from zareba.chance import EACH, SUM
from zareba.odds import Weighing
from zareba.odds import budget as limits
from zareba.odds.budget import Budget, OutOfBudget, Plays
from zareba.odds.merging import MergingTable
from zareba.rules import procedure
from zareba.state import Record, record
from zareba.table import Choose, Draw, Given, Roll, ScriptedTable, Table

PATROL, _ = SIDES
ACT = Choose("act", "TOY-001", PATROL, PATROL, ("raid", "camp"), ())


def won(before: Raid, after: Raid) -> int:
    return after.points[PATROL] - before.points[PATROL]


# --- how plays part -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [2, 7, 36, 1000])
def test_of_many_plays_each_answer_gets_its_share_and_the_rest_is_drawn(many: int) -> None:
    weighted = [("often", 25), ("seldom", 10), ("once", 1)]
    seen: Counter[str] = Counter()
    times = 400
    for seed in range(times):
        parted = Plays(many, seed).part(many, weighted, 36)
        assert sum(share for _, share in parted) == many
        for answer, share in parted:
            sure = many * dict(weighted)[answer] // 36
            assert sure <= share <= sure + 2, "no more is left to chance than what the shares leave over"
            seen[answer] += share
    for answer, weight in weighted:
        expected = times * many * weight / 36
        assert abs(seen[answer] - expected) < 4.5 * (times * 2) ** 0.5, answer


def test_nothing_is_drawn_where_the_shares_come_out_even() -> None:
    plays = Plays(12, 1)
    before = plays.chance.getstate()
    assert plays.part(12, [("heads", 1), ("tails", 1)], 2) == [("heads", 6), ("tails", 6)]
    assert plays.chance.getstate() == before


def test_a_play_by_itself_throws_and_draws_as_often_as_it_should() -> None:
    plays = Plays(1, 3)
    throw = Roll("t", "T-1", "", 2, 6, SUM)
    totals = Counter(plays.one(throw) for _ in range(7_200))
    for total in range(2, 13):
        expected = 7_200 * (6 - abs(7 - total)) / 36
        assert abs(totals[total] - expected) < 4.5 * expected**0.5
    pile = Draw("d", "T-1", "", None, (("ace", 1), ("king", 0), ("two", 3)))
    cards = Counter(plays.one(pile) for _ in range(4_000))
    assert set(cards) == {"ace", "two"}
    assert abs(cards["ace"] - 1_000) < 4.5 * 750**0.5


# --- the throw that is read die by die ------------------------------------------------------------------------------------


@record
class Count(Record):
    sixes: int = 0


@procedure("toy.throw")
def throw(table: Table, state: Count, dice: int) -> list[int]:
    """Counts sixes, until one shows a one; gives the faces that were looked at."""
    over: list[int] = []
    for face in table.faces_of(dice, 6, over, why="throw", rule="T-1"):
        if 1 in over:
            continue
        over.append(face)
        state.sixes += face == 6
    return over


def ends(dice: int, merging: bool = True, **how: Any) -> dict[int, Fraction]:
    table = MergingTable(bare_rules(), Count(), lambda question, state: None, Budget(100_000), merging=merging, **how)
    act = [lambda state, _: lambda: throw(table, state, dice)]
    return {end.result: end.weight for end in table.ends(act, tell=lambda state, _: state.sixes)}


def test_faces_are_one_throw_in_play_and_die_by_die_in_odds() -> None:
    state = Count()
    table = ScriptedTable(bare_rules(), state, [("throw", (6, 6, 1, 6))])
    assert throw(table, state, 4) == [6, 6, 1] and state.sixes == 2
    merged = ends(4)
    assert merged == ends(4, merging=False)
    assert sum(merged.values()) == 1 and merged[4] == Fraction(1, 1296)


def test_faces_that_are_known_or_settled_are_taken_as_they_lie() -> None:
    assert ends(3, settled=lambda question: (6, 1, 6)) == {1: 1}
    table = MergingTable(bare_rules(), Count(), lambda question, state: None)
    known = [Given(Roll("throw", "T-1", "", 3, 6, EACH), (6, 6, 2))]
    act = [lambda state, _: lambda: throw(table, state, 3)]
    (end,) = table.ends(act, known, tell=lambda state, _: state.sixes)
    assert end.result == 2 and end.weight == 1


# --- looking longer -------------------------------------------------------------------------------------------------------


def weighing(**rules: Any) -> Weighing:
    """Weighed by a clock that goes on by five milliseconds whenever it is looked at, so that no machine is too slow."""
    game = ToyGame(bare_rules(**rules))
    ticks = count()
    return Weighing(game, game.start(), [], ACT, "raid", won, clock=lambda: next(ticks) / 200)


def test_what_has_been_counted_stays_as_it_is_however_long_one_looks() -> None:
    raid = weighing()
    first = raid.look(5.0)
    assert first.method == "exact" and raid.look(0.0) is first and raid.look(60.0) is first


def long(raid: Any, table: Table, state: Raid, side: str) -> None:
    """So many dice, each with a mark of its own in the state, that nobody can count the ways."""
    raid(table, state, side)
    for number in range(40):
        state.camps[f"{number}"] = (float(table.roll(1, 6, why="mark", rule="HOUSE-1", actor=side)), 0.0)


def test_who_looks_longer_gets_more_plays_and_keeps_those_he_had() -> None:
    raid = weighing(wraps={"toy.raid": long})
    first = raid.look(0.02)
    assert first.method == "sampled" and first.samples >= 20
    assert raid.look(0.02) is first and raid.look(0.01) is first, "no more than was asked for"
    second = raid.look(0.1)
    assert second.samples > first.samples
    for points, share in first.outcomes.items():
        assert second.outcomes[points] * second.samples >= share * first.samples
    low, high = second.interval(second.probability(lambda points: points >= 7))
    assert low - 0.03 < 21 / 36 < high + 0.03


# --- memory ---------------------------------------------------------------------------------------------------------------


def test_no_more_ends_are_kept_than_a_budget_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ENDS", 60)
    budget = Budget()
    for _ in range(60):
        budget.keep()
    with pytest.raises(OutOfBudget):
        budget.keep()
    raid = weighing(wraps={"toy.raid": long})
    counting = Budget()
    assert not raid.count(counting) and counting.kept == 61
    assert raid.odds is None


def test_what_comes_to_no_end_is_given_up_before_it_fills_the_memory() -> None:
    @procedure("toy.again")
    def again(table: Table, state: Count) -> None:
        state.sixes += table.roll(1, 6, why="again", rule="T-2") == 6
        state.sixes -= 1

    def endless(table: Table, state: Count) -> None:
        while True:
            again(table, state)

    table = MergingTable(bare_rules(), Count(), lambda question, state: None)
    table.plays = Plays(1, 1)
    with pytest.raises(OutOfBudget):
        table.ends([lambda state, _: lambda: endless(table, state)])
    assert table.state.sixes == 0, "the draft is left as it was"
