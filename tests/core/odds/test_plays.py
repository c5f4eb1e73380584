"""Sampled play: paths share work and separate only by chance, longer looks improve the odds, and memory stays
bounded.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import count
from typing import Any

import pytest
from tests.core.toy import SIDES, Raid, ToyGame, bare_rules

from zareba.base.errors import RuleBroken
from zareba.base.state import Record, record
from zareba.chance import EACH, SUM, at_least
from zareba.game import OddsHorizon
from zareba.odds import OddsInProgress
from zareba.odds.drivers import exact_enumerator, sampler
from zareba.odds.drivers.exact_enumerator import ExactEnumerator
from zareba.odds.drivers.sampler import OutOfBudget, SampleCount, SamplingBudget
from zareba.rules import procedure
from zareba.table import Choose, Draw, GivenAnswer, LazyOptions, Roll, ScriptedTable, Table
from zareba.table.questions import Step

PATROL, _ = SIDES
ACT = Choose("act", "TOY-001", PATROL, PATROL, ("raid", "camp"), ())


def won(before: Raid, after: Raid) -> int:
    return after.points[PATROL] - before.points[PATROL]


# --- how plays separate -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [2, 7, 36, 1000])
def test_plays_are_divided_among_answers_in_proportion(many: int) -> None:
    weighted = [("often", 25), ("seldom", 10), ("once", 1)]
    seen: Counter[str] = Counter()
    times = 400
    for seed in range(times):
        parted = SampleCount(many, seed).part(many, weighted, 36)
        assert sum(share for _, share in parted) == many
        for answer, share in parted:
            sure = many * dict(weighted)[answer] // 36
            assert sure <= share <= sure + 2, "only the remainder of the shares is random"
            seen[answer] += share
    for answer, weight in weighted:
        expected = times * many * weight / 36
        assert abs(seen[answer] - expected) < 4.5 * (times * 2) ** 0.5, answer


def test_nothing_is_drawn_if_the_shares_divide_evenly() -> None:
    plays = SampleCount(12, 1)
    before = plays.chance.getstate()
    assert plays.part(12, [("heads", 1), ("tails", 1)], 2) == [("heads", 6), ("tails", 6)]
    assert plays.chance.getstate() == before


def test_a_single_play_has_the_right_frequencies() -> None:
    plays = SampleCount(1, 3)
    throw = Roll("t", "T-1", "", 2, 6, SUM)
    totals = Counter(plays.random_answer(throw) for _ in range(7_200))
    for total in range(2, 13):
        expected = 7_200 * (6 - abs(7 - total)) / 36
        assert abs(totals[total] - expected) < 4.5 * expected**0.5
    pile = Draw("d", "T-1", "", None, (("ace", 1), ("king", 0), ("two", 3)))
    cards = Counter(plays.random_answer(pile) for _ in range(4_000))
    assert set(cards) == {"ace", "two"}
    assert abs(cards["ace"] - 1_000) < 4.5 * 750**0.5


# --- rolls read one die at a time -------------------------------------------------------------------------------------


@record
class Count(Record):
    sixes: int = 0


@procedure("toy.throw")
def throw(table: Table, state: Count, dice: int) -> list[int]:
    """Count sixes until a die shows one; return the faces that were read."""
    over: list[int] = []
    for face in table.faces_of(dice, 6, over, why="throw", rule="T-1"):
        if 1 in over:
            continue
        over.append(face)
        state.sixes += face == 6
    return over


def ends(dice: int, merging: bool = True, **how: Any) -> dict[int, Fraction]:
    table = ExactEnumerator(
        bare_rules(), Count(), lambda question, state: None, SamplingBudget(100_000), merging=merging, **how
    )
    act = [lambda state, _: lambda: throw(table, state, dice)]
    return {end.result: end.weight for end in table.ends(act, outcome_of=lambda state, _: state.sixes)}


def test_faces_are_one_throw_in_play_and_die_by_die_in_odds() -> None:
    state = Count()
    table = ScriptedTable(bare_rules(), state, [("throw", (6, 6, 1, 6))])
    assert throw(table, state, 4) == [6, 6, 1] and state.sixes == 2
    merged = ends(4)
    assert merged == ends(4, merging=False)
    assert sum(merged.values()) == 1 and merged[4] == Fraction(1, 1296)


def test_known_faces_are_used_unchanged() -> None:
    assert ends(3, neutral_answer=lambda question: (6, 1, 6)) == {1: 1}
    table = ExactEnumerator(bare_rules(), Count(), lambda question, state: None)
    known = [GivenAnswer(Roll("throw", "T-1", "", 3, 6, EACH), (6, 6, 2))]
    act = [lambda state, _: lambda: throw(table, state, 3)]
    (end,) = table.ends(act, known, outcome_of=lambda state, _: state.sixes)
    assert end.result == 2 and end.weight == 1


# --- looking longer ---------------------------------------------------------------------------------------------------


class WholeGame(OddsHorizon[Raid]):
    """Odds that look ahead to the end of the game."""

    def includes(self, before: Raid, state: Raid, step: Step) -> bool:
        return True


class Onwards(ToyGame):
    """A game in which all later steps belong to the act."""

    odds_horizon_class = WholeGame


def weighing(kind: type[ToyGame] = ToyGame, **rules: Any) -> OddsInProgress:
    """Return odds in progress with a clock that advances five milliseconds at each look, independent of the machine."""
    game = kind(bare_rules(**rules))
    ticks = count()
    return OddsInProgress(game, game.start(), [], ACT, "raid", won, clock=lambda: next(ticks) / 200)


def test_exact_odds_do_not_change_with_more_time() -> None:
    raid = weighing()
    first = raid.look(5.0)
    assert first.method == "exact" and raid.look(0.0) is first and raid.look(60.0) is first


def long(raid: Any, table: Table, state: Raid, side: str) -> None:
    """Roll so many dice, each recorded separately in the state, that all paths cannot be counted."""
    raid(table, state, side)
    for number in range(40):
        state.camps[f"{number}"] = (float(table.roll(1, 6, why="mark", rule="HOUSE-1", actor=side)), 0.0)


def test_more_time_adds_samples_to_the_earlier_ones() -> None:
    raid = weighing(wraps={"toy.raid": long})
    first = raid.look(0.02)
    assert first.method == "sampled" and first.samples >= 20
    assert raid.look(0.02) is first and raid.look(0.01) is first, "no more than requested"
    second = raid.look(0.1)
    assert second.samples > first.samples
    for points, share in first.outcomes.items():
        assert second.outcomes[points] * second.samples >= share * first.samples
    low, high = second.interval(second.probability(lambda points: points >= 7))
    assert low - 0.03 < 21 / 36 < high + 0.03


# --- memory -----------------------------------------------------------------------------------------------------------


def test_no_more_leaves_are_kept_than_the_budget_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampler, "MOST_LEAVES", 60)
    budget = SamplingBudget()
    for _ in range(60):
        budget.keep()
    with pytest.raises(OutOfBudget):
        budget.keep()
    raid = weighing(wraps={"toy.raid": long})
    counting = SamplingBudget()
    assert not raid.count(counting) and counting.leaves == 61
    assert raid.odds is None


def test_endless_steps_are_stopped_before_memory_is_full() -> None:
    @procedure("toy.again")
    def again(table: Table, state: Count) -> None:
        state.sixes += table.roll(1, 6, why="again", rule="T-2") == 6
        state.sixes -= 1

    def endless(table: Table, state: Count) -> None:
        while True:
            again(table, state)

    table = ExactEnumerator(bare_rules(), Count(), lambda question, state: None)
    table.plays = SampleCount(1, 1)
    with pytest.raises(OutOfBudget):
        table.ends([lambda state, _: lambda: endless(table, state)])
    assert table.state.sixes == 0, "the draft is unchanged"


def raid_endlessly(raid: Any, table: Table, state: Raid, side: str) -> None:
    raid(table, state, side)
    while table.roll(1, 6, why="again", rule="HOUSE-1", actor=side):
        pass


def until_a_six(raid: Any, table: Table, state: Raid, side: str) -> None:
    raid(table, state, side)
    while table.roll(1, 6, why="again", rule="HOUSE-1", actor=side) < 6:
        pass


def repeat_the_turn(raid: Any, table: Table, state: Raid, side: str) -> None:
    state.turn -= 1


@pytest.mark.parametrize(("kind", "wrap"), [(ToyGame, raid_endlessly), (Onwards, repeat_the_turn)])
def test_a_house_rule_without_end_is_blamed(monkeypatch: pytest.MonkeyPatch, kind: type[ToyGame], wrap: Any) -> None:
    """Before counting, one play tests whether the rule is deterministic, and that play does not end."""
    for room in (sampler, exact_enumerator):
        monkeypatch.setattr(room, "MOST_QUESTIONS", 500)
    with pytest.raises(RuleBroken, match=r"never ends, .* the house rules in force .club"):
        weighing(kind, wraps={"toy.raid": wrap}, house_rules=("club",)).look(0.05)


def test_steps_that_end_only_by_chance_are_sampled() -> None:
    """No path without a six is the last one, yet each play gets its six."""
    raid = weighing(wraps={"toy.raid": until_a_six})
    assert raid.look(0.1).method == "sampled"


# --- lazily computed options ------------------------------------------------------------------------------------------


def test_odds_list_options_only_as_far_as_the_chosen_one() -> None:
    """Options after the chosen one are not computed, neither for a known answer nor when the player passes."""
    looked: list[int] = []

    def find(place: int) -> str:
        looked.append(place)
        return ("hold", "march", "charge", "form square")[place]

    def act(table: Table, state: Count) -> None:
        for _ in range(2):
            taken = table.choose("red", LazyOptions(4, find), why="act", rule="T-3", actor="guards")
            state.sixes += (taken == "march") * table.roll(1, 6, why="throw", rule="T-1")

    known = [
        GivenAnswer(Choose("act", "T-3", "guards", "red", ("hold", "march", "charge", "form square"), ()), "march")
    ]
    game = ToyGame()
    table = ExactEnumerator(bare_rules(), Count(), lambda question, state: game.odds_horizon.hold(question))
    ends = table.ends([lambda state, _: lambda: act(table, state)], known, outcome_of=lambda state, _: state.sixes)
    assert {end.result for end in ends} == {1, 2, 3, 4, 5, 6} and set(looked) == {0, 1}


@pytest.mark.parametrize("plays", [None, 60], ids=["counted", "played"])
def test_answers_before_the_first_die_are_reused(plays: int | None) -> None:
    """Before the first die all paths are the same; known answers are used up on each of them."""
    looked: list[int] = []

    def find(place: int) -> str:
        looked.append(place)
        return ("hold", "march")[place]

    def act(table: Table, state: Count) -> None:
        for _ in range(2):
            taken = table.choose("red", LazyOptions(2, find), why="act", rule="T-3", actor="guards")
            state.sixes += 10 * (taken == "march")
        state.sixes += table.roll(1, 6, why="throw", rule="T-1")
        state.sixes += 100 * (
            table.choose("red", ("hold", "march"), why="again", rule="T-3", actor="guards") == "march"
        )

    asked = Choose("act", "T-3", "guards", "red", ("hold", "march"), ())
    game = ToyGame()
    table = ExactEnumerator(bare_rules(), Count(), lambda question, state: game.odds_horizon.hold(question))
    table.plays = None if plays is None else SampleCount(plays, 1)
    known = [GivenAnswer(asked, "march"), GivenAnswer(asked, "march")]
    ends = table.ends([lambda state, _: lambda: act(table, state)], known, outcome_of=lambda state, _: state.sixes)
    assert {end.result for end in ends} == {21, 22, 23, 24, 25, 26} and len(looked) == 4
    assert {end.weight for end in ends} == {Fraction(1, 6)}


# --- answers the rules treat alike ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wraps", "thrown"),
    [({}, {1, 5}), ({"toy.other": raid_endlessly}, {1, 2, 3, 4, 5, 6})],
    ids=["no house rule", "a house rule that may look closer"],
)
def test_answers_with_the_same_meaning_share_one_path(wraps: dict[str, Any], thrown: set[int]) -> None:
    taken: set[int] = set()

    def shoot(table: Table, state: Count) -> None:
        die = table.roll(1, 6, why="shot", rule="T-4", means=at_least(5, "hits", "misses"))
        taken.add(die)
        state.sixes += die >= 5

    table = ExactEnumerator(bare_rules(wraps=wraps), Count(), lambda question, state: None)
    ends = table.ends([lambda state, _: lambda: shoot(table, state)], outcome_of=lambda state, _: state.sixes)
    assert {end.result: end.weight for end in ends} == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    assert taken == thrown
