"""Tables that answer the rules' questions: scripted, recorded, enumerating and seeded, and the answers they refuse."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.toy import Raid, ToyGame, bare_rules, hook_of, on_the_plain

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken
from zareba.base.grammar import with_unit
from zareba.chance import EACH, MOST_DICE, MOST_FACES, SUM, SUM_AND_HIGHEST, AtLeast
from zareba.table import (
    Choose,
    Confirm,
    Draw,
    LazyOptions,
    Pause,
    Place,
    Point,
    Question,
    RecordedTable,
    Roll,
    ScriptedTable,
    SeededTable,
    Table,
    answer_from_data,
    fingerprint,
    outcomes,
    read_faces,
    refusal,
    seat_of,
)
from zareba.table.questions import Step
from zareba.testing.enumerating import TooManyPaths, enumerate_paths

ROLL = Roll("fire", "T-1", "fusiliers", 2, 6, SUM)
DRAW = Draw("order", "T-2", "red", "red", (("halt", 1), ("march", 3)))
CHOOSE = Choose("act", "T-3", "fusiliers", "red", ("stay", ("go", 4), 7), ())
PLACE = Place("camp", "T-4", "fusiliers", "red", ((1.0, 1.0),), on_the_plain)
CONFIRM = Confirm("charge", "T-5", "fusiliers", "red", ())
QUESTIONS: list[Question] = [ROLL, DRAW, CHOOSE, PLACE, CONFIRM]


def scripted(*script: tuple[str, Any]) -> ScriptedTable:
    return ScriptedTable(bare_rules(), None, script)


def roll(table: Table, count: int = 2, sides: int = 6) -> int:
    return table.roll(count, sides, why="fire", rule="T-1", actor="fusiliers")


# --- questions and answers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (ROLL, 2), (ROLL, 12), (DRAW, "halt"), (CHOOSE, "stay"), (CHOOSE, ("go", 4)), (CHOOSE, 7),
        (PLACE, (0, 10.0)), (CONFIRM, True), (CONFIRM, False),
    ],
)  # fmt: skip
def test_admitted_answers_are_accepted(question: Question, answer: Any) -> None:
    assert refusal(question, answer) is None
    assert answer_from_data(list(answer) if isinstance(answer, tuple) else answer) == answer


@pytest.mark.parametrize(
    ("question", "answer", "sentence"),
    [
        (ROLL, 1, "1 is not an answer to 'fire' (T-1); possible: 2, 3, 4"),
        (ROLL, 13, "13 is not an answer"),
        (ROLL, 7.0, "7.0 is not an answer"),
        (DRAW, "fire", "'fire' is not an answer to 'order' (T-2); possible: halt, march"),
        (CHOOSE, "go", "'go' is not an answer to 'act' (T-3); possible: stay, ('go', 4), 7"),
        (CHOOSE, True, "True is not an answer"),
        (CHOOSE, None, "None is not an answer"),
        (CONFIRM, 1, "1 is not an answer to 'charge' (T-5); possible: True, False"),
        (CONFIRM, "yes", "'yes' is not an answer"),
        (PLACE, (1.0,), "(1.0,) is not a point; give two numbers, x and y"),
        (PLACE, "here", "'here' is not a point"),
        (PLACE, (11.0, 1.0), "the plain reaches from 0 to 10"),
        (PLACE, (float("nan"), 1.0), "the plain reaches from 0 to 10"),
    ],
)
def test_refused_answers_get_a_reason(question: Question, answer: Any, sentence: str) -> None:
    assert str(refusal(question, answer)).startswith(sentence)


def test_only_choices_have_a_seat() -> None:
    assert [seat_of(question) for question in QUESTIONS] == [None, None, "red", "red", "red"]


def test_a_fingerprint_changes_with_anything_in_the_question() -> None:
    changed: list[Question] = [
        ROLL._replace(dice=3), ROLL._replace(sides=8), ROLL._replace(read=AtLeast(4)), ROLL._replace(actor="sikhs"),
        ROLL._replace(why="melee"), ROLL._replace(rule="T-9"), DRAW._replace(cards=(("halt", 2), ("march", 3))),
        DRAW._replace(seat=None), CHOOSE._replace(options=("stay", 7)), CHOOSE._replace(seat="blue"),
        CHOOSE._replace(about=("hill",)), PLACE._replace(suggestions=()), CONFIRM._replace(about=(1,)),
    ]  # fmt: skip
    prints = [fingerprint(question) for question in [*QUESTIONS, *changed]]
    assert len(set(prints)) == len(prints)
    assert all(len(mark) == 16 for mark in prints)
    assert fingerprint(ROLL) == fingerprint(Roll("fire", "T-1", "fusiliers", 2, 6, SUM))


@pytest.mark.parametrize(
    ("faces", "message"),
    [([6], "2 dice thrown, but 1 face given"), ([0, 1], "cannot show 0"), ([1, 7], "cannot show 7")],
)
def test_faces_that_dice_cannot_show(faces: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_faces(ROLL, faces)


def test_outcomes_have_their_weights() -> None:
    weighted, total = outcomes(ROLL)
    assert (dict(weighted)[7], total) == (6, 36)
    assert outcomes(DRAW) == ([("halt", 1), ("march", 3)], 4)


# --- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "sides"), [(MOST_DICE, 6), (1, MOST_FACES), (0, 6), (1, 1)])
def test_rolls_at_the_limits(count: int, sides: int) -> None:
    table = SeededTable(bare_rules(), None, 1, {})
    assert count <= roll(table, count, sides) <= count * sides


@pytest.mark.parametrize(("count", "sides"), [(MOST_DICE + 1, 6), (1, MOST_FACES + 1), (-1, 6), (1, 0)])
def test_rolls_beyond_the_limits_are_refused_by_every_table(count: int, sides: int) -> None:
    tables = [SeededTable(bare_rules(), None, 1, {}), scripted(), RecordedTable(bare_rules(), None, [])]
    for table in tables:
        with pytest.raises(
            RuleBroken, match=f"T-1: 'fire' asks for {with_unit(count, 'dice')} of {sides} faces; the limits are"
        ):
            roll(table, count, sides)


@pytest.mark.parametrize("pile", [{}, {"ace": 0}, {"ace": -1, "king": 2}])
def test_draws_from_no_pile_are_refused_by_every_table(pile: dict[str, int]) -> None:
    for table in (SeededTable(bare_rules(), None, 1, {}), scripted(), RecordedTable(bare_rules(), None, [])):
        with pytest.raises(
            RuleBroken, match=r"T-2: (nothing is left|a negative number of cards in the pile) .*for 'fate'"
        ):
            table.draw(pile, why="fate", rule="T-2")


def test_a_single_option_is_taken_without_asking() -> None:
    assert scripted().choose("red", ["stay"], why="act", rule="T-3") == "stay"


def test_a_choice_without_options_is_a_fault_of_the_rules() -> None:
    with pytest.raises(RuleBroken, match=r"T-3: nothing to choose from for 'act' \(fusiliers\)"):
        scripted().choose("red", [], why="act", rule="T-3", actor="fusiliers")


# --- the scripted table -----------------------------------------------------------------------------------------------


def test_a_script_answers_in_order_with_faces_or_readings() -> None:
    with scripted(("fire", [3, 4]), ("fire", 12), ("act", "go"), ("order", "halt"), ("charge", True)) as table:
        assert (roll(table), roll(table)) == (7, 12)
        assert table.choose("red", ["stay", "go"], why="act", rule="T-3") == "go"
        assert table.draw({"halt": 1, "march": 2}, why="order", rule="T-2") == "halt"
        assert table.confirm("red", why="charge", rule="T-5") is True


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ([], r"the script has no answer for 'fire' \(T-1, fusiliers\)"),
        ([("melee", [3, 4])], r"the script expects 'melee', the rules ask 'fire' \(T-1\)"),
        ([("fire", [3])], r"\[3\] for 'fire': 2 dice thrown, but 1 face given"),
        ([("fire", 13)], "13 is not an answer to 'fire'"),
        ([("fire", 7), ("fire", 8)], r"the rules never asked for \[\('fire', 8\)\]"),
    ],
)
def test_a_script_that_does_not_fit_fails(script: list[tuple[str, Any]], message: str) -> None:
    with pytest.raises(AssertionError, match=message), scripted(*script) as table:
        roll(table)


def test_an_exception_inside_a_script_is_not_hidden_by_unused_answers() -> None:
    with pytest.raises(ZeroDivisionError), scripted(("fire", 7)):
        raise ZeroDivisionError


# --- the recorded table -----------------------------------------------------------------------------------------------


def test_recorded_answers_come_back_and_the_next_question_pauses() -> None:
    table = RecordedTable(bare_rules(), None, [5])
    assert roll(table) == 5
    with pytest.raises(Pause) as caught:
        roll(table, 3)
    assert caught.value.question == ROLL._replace(dice=3)
    assert table.unanswered() == caught.value.question
    assert table.questions == [ROLL]


def test_a_pause_is_no_exception_that_a_rule_could_catch_by_accident() -> None:
    assert not issubclass(Pause, Exception)


def test_a_caught_pause_is_reported_at_the_next_question_and_at_the_end() -> None:
    table = RecordedTable(bare_rules(), None, [])
    with pytest.raises(Pause):
        roll(table)
    for act in (lambda: roll(table), table.finish):
        with pytest.raises(RuleBroken, match=r"the question 'fire' \(T-1\) was asked and its pause caught"):
            act()


def test_unused_answers_are_listed() -> None:
    table = RecordedTable(bare_rules(), None, [5, 6])
    roll(table)
    with pytest.raises(RuleBroken, match="1 recorded answer"):
        table.finish()


# --- the enumerating table --------------------------------------------------------------------------------------------


def skirmish(table: Table) -> tuple[int, str]:
    """Fire a volley, roll again for every hit, then draw a card."""
    hits = table.roll(3, 6, AtLeast(5), why="fire", rule="T-1")
    for _ in range(hits):
        hits += table.roll(1, 6, AtLeast(6), why="again", rule="T-1")
    return hits, table.draw({"halt": 1, "march": 2}, why="order", rule="T-2")


def merged(paths: Any) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for result, p in paths:
        found[result] = found.get(result, Fraction(0)) + p
    return found


def test_enumerated_probabilities_sum_to_one_and_agree_with_counting_faces() -> None:
    found = merged(enumerate_paths(bare_rules(), skirmish))
    assert sum(found.values()) == 1
    # no hit: (4/6)^3; one hit without another: 3 * 2/6 * (4/6)^2 * 5/6
    assert found[0, "halt"] == Fraction(8, 27) / 3
    assert found[1, "march"] == Fraction(4, 9) * Fraction(5, 6) * Fraction(2, 3)


def test_enumeration_agrees_with_simulation() -> None:
    exact = merged(enumerate_paths(bare_rules(), skirmish))
    table, games = SeededTable(bare_rules(), None, 11, {}), 6000
    seen: Counter[Any] = Counter()
    for game in range(games):
        table.begin(Step("skirmish", game, "red"))
        seen[skirmish(table)] += 1
    assert set(seen) <= set(exact)
    for result, p in exact.items():
        spread = float(p * (1 - p) * games) ** 0.5
        assert abs(seen[result] - float(p) * games) <= 4 * spread + 1


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 4)), min_size=1, max_size=4))
def test_probabilities_sum_to_one_for_any_sequence_of_rolls(rolls: list[tuple[int, int]]) -> None:
    def run(table: Table) -> list[Any]:
        return [table.roll(count, sides, SUM_AND_HIGHEST, why="r", rule="T-1") for count, sides in rolls]

    assert sum(p for _, p in enumerate_paths(bare_rules(), run)) == 1


def test_the_budget_of_paths_is_exact() -> None:
    assert len(list(enumerate_paths(bare_rules(), roll, budget=11))) == 11
    with pytest.raises(TooManyPaths):
        list(enumerate_paths(bare_rules(), roll, budget=10))


def test_enumeration_of_choices_needs_a_policy() -> None:
    def run(table: Table) -> str:
        return table.choose("red", ["stay", "go"], why="act", rule="T-3")

    with pytest.raises(RuleBroken, match=r"odds need a policy for the choice 'act' \(T-3\)"):
        list(enumerate_paths(bare_rules(), run))
    policy = enumerate_paths(bare_rules(), run, choices=lambda question: "go")
    assert list(policy) == [("go", Fraction(1))]


# --- the seeded table -------------------------------------------------------------------------------------------------


def test_a_seeded_game_counts_what_it_asks() -> None:
    answers: dict[type, Any] = {Choose: "raid", Confirm: False}
    agents = dict.fromkeys(("patrol", "tribesmen"), lambda question, state: answers[type(question)])
    game = ToyGame()
    state = game.start()
    table = SeededTable(game.rules, state, 4, agents)
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    assert (table.rolls, table.dice_rolled) == (6, 12)
    assert table.decisions == table.genuine == {"patrol": 6, "tribesmen": 6}
    assert table.offered == {"patrol": 12, "tribesmen": 12}
    assert 12 <= sum(state.points.values()) <= 72


@pytest.mark.parametrize("with_hook", [False, True])
def test_single_options_are_counted_alike_with_and_without_house_rules(with_hook: bool) -> None:
    hooks = (hook_of("zareba_options", lambda question: None, "question"),) if with_hook else ()
    table = SeededTable(bare_rules(option_hooks=hooks), None, 1, {"red": lambda question, state: "go"})
    table.choose("red", ["stay"], why="act", rule="T-3")
    table.choose("red", ["stay", "go"], why="act", rule="T-3")
    assert (table.decisions, table.genuine, table.offered) == ({"red": 2}, {"red": 1}, {"red": 3})


def test_a_player_who_chooses_an_illegal_option_is_named() -> None:
    table = SeededTable(bare_rules(), None, 1, {"red": lambda question, state: "fly"})
    with pytest.raises(RuleBroken, match="red answered 'fly' to 'act', which is not an option"):
        table.choose("red", ["stay", "go"], why="act", rule="T-3")


def test_the_same_rules_run_under_every_table() -> None:
    game = ToyGame()
    step = Step("turn", 1, "both")
    script = [
        ("act", "raid"),
        ("raid", [6, 2]),
        ("booty", "rifles"),
        ("protest", True),
        ("act", "camp"),
        ("camp", (3.0, 4.0)),
    ]
    with ScriptedTable(game.rules, None, [*script, ("protest", False)]) as table:
        by_script = game.start()
        game.play.perform(table, by_script, step)
    recorded = RecordedTable(game.rules, None, ["raid", (8, 6), "rifles", True, "camp", (3.0, 4.0), False])
    by_record = game.start()
    game.play.perform(recorded, by_record, step)
    recorded.finish()
    assert by_script == by_record == Raid(2, {"patrol": 8, "tribesmen": 1}, {"goats": 2}, {"tribesmen": (3.0, 4.0)})
    assert [event.kind for event in recorded.events] == ["raid", "booty"]


def test_faces_are_read_without_listing_all_results() -> None:
    handful = Roll("volley", "T-1", "", 30, 6, EACH)
    faces = [1, 2, 3, 4, 5, 6] * 5
    assert refusal(handful, tuple(faces), faces) is None
    assert "is not the result of" in str(refusal(handful, tuple(faces[::-1]), faces))
    assert "30 dice thrown" in str(refusal(handful, (1,), [1]))


# --- suggested points and lazy options --------------------------------------------------------------------------------

SPOTS = [(float(x), 0.0) for x in range(-4, 12)]


def test_suggestions_are_legal_candidates_checked_on_demand() -> None:
    judged: list[Any] = []

    def legal(point: Any) -> str | None:
        judged.append(point)
        return on_the_plain(point)

    suggestions = LazyOptions.among(SPOTS, legal)
    assert judged == []
    assert bool(suggestions)
    assert judged == SPOTS[:5]  # the first legal one is the fifth
    expected = [point for point in SPOTS if on_the_plain(point) is None]
    assert (list(suggestions), len(suggestions), suggestions[0], list(suggestions[1:3])) == (
        expected,
        11,
        (0.0, 0.0),
        expected[1:3],
    )
    assert judged == SPOTS  # once each
    assert list(LazyOptions(3, [(1.0, 1.0), None, (1.0, 1.0)].__getitem__)) == [(1.0, 1.0)]
    assert not LazyOptions.among(SPOTS[:4], legal)


def test_any_of_the_suggestions_is_as_likely_as_any_other() -> None:
    even = Random(5).random
    taken = Counter(LazyOptions.among(SPOTS, on_the_plain).any(even) for _ in range(5500))
    assert set(taken) == {point for point in SPOTS if on_the_plain(point) is None}
    assert all(400 < count < 600 for count in taken.values())
    assert LazyOptions.among(SPOTS[:4], on_the_plain).any(even) is None
    stays = LazyOptions(1, lambda _: None, fallback=(2.0, 2.0))
    assert (bool(stays), list(stays), stays.any(even)) == (True, [(2.0, 2.0)], (2.0, 2.0))


def test_a_simulation_checks_only_the_points_it_needs() -> None:
    suggestions = LazyOptions.among(SPOTS, on_the_plain)
    seen: list[Place] = []

    def first(question: Any, state: Any) -> Any:
        seen.append(question)
        return question.suggestions.any(lambda: 0.5)

    table = SeededTable(bare_rules(), None, 1, {"red": first})
    assert table.place("red", suggestions, on_the_plain, why="camp", rule="T-4") == (4.0, 0.0)
    assert (seen[0].suggestions is suggestions, table.decisions["red"], table.offered["red"]) == (True, 1, len(SPOTS))
    with pytest.raises(Pause) as pause:
        RecordedTable(bare_rules(), None, []).place("red", suggestions, on_the_plain, why="camp", rule="T-4")
    question: Any = pause.value.question
    assert question.suggestions == tuple(suggestions)
    table.agents = {"red": make_agent("random", ToyGame(), "red", 1)}
    with pytest.raises(RuleBroken, match="T-4: no point is suggested for 'camp'"):
        table.place("red", LazyOptions.among(SPOTS[:4], on_the_plain), on_the_plain, why="camp", rule="T-4")


ACTS = ("charge", "fire", "march", "rally", "stand")


def acts(*open_ones: str) -> tuple[LazyOptions[str], list[str]]:
    """Return the legal acts, and a list to which each judged act is appended."""
    judged: list[str] = []

    def legal(act: str) -> str | None:
        judged.append(act)
        return None if act in open_ones else f"it cannot {act} now"

    return LazyOptions.among(ACTS, legal), judged


def test_a_simulation_checks_options_until_two_are_legal() -> None:
    def last(question: Any, state: Any) -> Any:
        return question.options.any(lambda: 0.99)

    options, judged = acts("charge", "fire", "stand")
    table = SeededTable(bare_rules(), None, 1, {"red": last})
    assert table.choose("red", options, why="act", rule="T-2") == "stand"
    assert judged == ["charge", "fire", "stand"]
    assert (table.decisions, table.genuine, table.offered) == (
        {"red": 1},
        {"red": 1},
        {"red": 5},
    )  # no option was found illegal
    with pytest.raises(Pause) as pause:
        RecordedTable(bare_rules(), None, []).choose("red", acts("fire", "stand")[0], why="act", rule="T-2")
    question: Any = pause.value.question
    assert question.options == ("fire", "stand")


def test_a_single_option_is_taken_without_asking_and_none_is_an_error() -> None:
    def never(question: Any, state: Any) -> Any:
        raise AssertionError("no question to a player")

    table = SeededTable(bare_rules(), None, 1, {"red": never})
    assert table.choose("red", acts("rally")[0], why="act", rule="T-2") == "rally"
    assert table.choose("red", LazyOptions(2, lambda _: None, fallback="halt"), why="act", rule="T-2") == "halt"
    assert table.choose("red", LazyOptions(2, lambda _: "march"), why="act", rule="T-2") == "march"
    assert (table.decisions["red"], table.genuine["red"]) == (3, 0)
    with pytest.raises(RuleBroken, match="T-2: nothing to choose from for 'act'"):
        table.choose("red", acts()[0], why="act", rule="T-2")


def test_a_player_cannot_take_an_option_that_is_not_open() -> None:
    table = SeededTable(bare_rules(), None, 1, {"red": lambda question, state: "rally"})
    with pytest.raises(RuleBroken, match="answered 'rally' to 'act', which is not an option"):
        table.choose("red", acts("march", "stand")[0], why="act", rule="T-2")
    assert table.choose("red", acts("march", "rally", "stand")[0], why="act", rule="T-2") == "rally"
    assert table.offered["red"] == 2 + 3  # options not found illegal


def test_options_compare_equal_to_lists_of_the_same_options() -> None:
    options, _ = acts("fire", "stand")
    assert (options == ("fire", "stand"), options == ["fire"], options == acts("fire", "stand")[0]) == (
        True,
        False,
        True,
    )
    assert hash(options) == hash(("fire", "stand"))
    assert LazyOptions.among("ab", lambda letter: None) != "ab"


def test_a_refused_point_names_the_rule_that_refuses_it_once() -> None:
    def legal(point: Point) -> str | None:
        return {1.0: "a swamp", 2.0: "a swamp (T-9)", 3.0: "the chief says no (his_word)"}.get(point[0])

    place = PLACE._replace(legal=legal)
    assert refusal(place, (0.0, 0.0)) is None
    assert refusal(place, (1.0, 0.0)) == "a swamp (T-4)"
    assert refusal(place, (2.0, 0.0)) == "a swamp (T-9)"
    assert refusal(place, (3.0, 0.0)) == "the chief says no (his_word)"
