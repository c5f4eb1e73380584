"""AI players take house rules into account: wrapped procedures and added options are evaluated by rollouts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.small_battle import small_battle_file

from zareba.agents import make_agent
from zareba.agents.rule_aware import RuleAwareDoctrine
from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.house_rules.hook_function import HookFunction
from zareba.registry import find_house_rule, load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.session import new_session
from zareba.table import (
    Answer,
    Choose,
    Confirm,
    GivenAnswer,
    LooksAhead,
    Pause,
    Place,
    RecordedTable,
    RememberingTable,
    Roll,
    Table,
)
from zareba.table.questions import ExtraOption

Question = Choose | Place | Confirm
BLOWS = {"vcc": ("fire at", "hits.apply"), "afriboria": ("battle against", "battle.attack")}
"""A choice that causes losses, and the procedure that resolves it."""
ALSO = {"afriboria": {"which unit is attacked"}}
"""Other choices about the same blow: the defender of a hex chooses who is struck."""


def do_nothing(run: Callable[..., Any], table: Table, *about: Any) -> None:
    """Replace a procedure by one that does nothing."""


def call_unchanged(run: Callable[..., Any], table: Table, *about: Any) -> Any:
    return run(table, *about)


class Both:
    """An agent that answers as a rule-aware AI, and records the answer of the plain doctrine AI too."""

    def __init__(self, game: Game[Any], seat: str, asked: list[tuple[Question, Answer, Answer, str]]) -> None:
        self._heeds, self._plain, self._asked = make_agent("doctrine", game, seat, 1), Doctrine(game, seat, 1), asked

    def follow(self, start: Any, given: list[GivenAnswer]) -> None:
        assert isinstance(self._heeds, RuleAwareDoctrine)
        self._heeds.follow(start, given)

    def __call__(self, question: Question, state: Any) -> Answer:
        plain, heeded = self._plain(question, state), self._heeds(question, state)
        self._asked.append((question, plain, heeded, self._heeds.reason))  # type: ignore[attr-defined]  # doctrine agents have it
        return heeded


def played(game: Game[Any], turns: int = 3) -> list[tuple[Question, Answer, Answer, str]]:
    """Return the choices of a game: question, the doctrine's answer, the actual answer and its reason."""
    asked: list[tuple[Question, Answer, Answer, str]] = []
    state = game.start()
    table = RememberingTable(game.rules, state, 1, {seat: Both(game, seat, asked) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and game.game_turn(state) <= turns:
        table.begin(step)
        game.play.perform(table, state, step)
    return asked


def wrapped(name: str, procedure: str, wrap: Callable[..., Any]) -> Game[Any]:
    game: Game[Any] = load_rules(name, {}, []).game(load_scenario("patrol_clash"))
    game.rules.wraps[procedure] = wrap
    return game


@pytest.mark.parametrize("name", BLOWS)
def test_blows_made_harmless_by_a_house_rule_are_worth_less(name: str) -> None:
    why, procedure = BLOWS[name]
    others = [choice for choice in played(wrapped(name, procedure, do_nothing)) if choice[1] != choice[2]]
    assert why in {question.why for question, *_ in others}
    assert {question.why for question, *_ in others} <= {why, *ALSO.get(name, ())}
    assert any(answer == "hold fire" or "change its value by -" in reason for _, _, answer, reason in others)


@pytest.mark.parametrize("name", BLOWS)
def test_a_wrap_that_changes_nothing_changes_no_choice(name: str) -> None:
    asked = played(wrapped(name, BLOWS[name][1], call_unchanged))
    assert any(question.why == BLOWS[name][0] for question, *_ in asked)
    assert all(plain == heeded for _, plain, heeded, _ in asked)


@pytest.mark.parametrize("name", ruleset_names())
def test_without_house_rules_ai_players_run_no_playouts(name: str) -> None:
    game = load_rules(name, {}, []).game(load_scenario("patrol_clash"))
    assert type(make_agent("doctrine", game, game.seats[0], 1)) is Doctrine


@pytest.mark.parametrize("name", BLOWS)
def test_questions_of_house_rules_are_answered_by_their_results(name: str) -> None:
    """One side may double or cancel each attack, whether it attacks or is attacked: no single answer suits both."""
    _why, procedure = BLOWS[name]
    game = wrapped(name, procedure, call_unchanged)

    def judged(run: Callable[..., Any], table: Table, *about: Any) -> Any:
        given = None
        times = table.choose(game.seats[0], [2, 0], why="how often", rule="HOUSE-1")
        for _ in range(times):
            given = run(table, *about)
        return given

    game.rules.wraps[procedure] = judged
    game.rules.house_rules = ("judged",)
    answers = [heeded for question, _, heeded, _ in played(game) if question.why == "how often"]
    assert set(answers) == {2, 0}


def test_a_choice_says_which_options_only_a_house_rule_offers() -> None:
    game = load_rules("vcc", {}, []).game(load_scenario("patrol_clash"))
    pray = ExtraOption("pray", lambda *_: None, then="hold")
    prayers = HookFunction(
        "zareba_options", "prayers", "prayers.py", lambda question: [*question.options, pray], ("question",)
    )
    game.rules.option_hooks = (prayers,)
    table = RecordedTable(game.rules, game.start(), [])
    with pytest.raises(Pause) as paused:
        table.choose(game.seats[0], ["fire", "hold"], why="at dawn", rule="VCC-001")
    asked = paused.value.question
    assert isinstance(asked, Choose) and (asked.options, asked.added) == (("fire", "hold", "pray"), ("pray",))


HEAD = "from zareba.api import *\nfrom zareba.api import hookimpl\n"
UNSEEN_BY_THE_BOOK = {
    "a reaction": """
@hookimpl
def zareba_event(table, event):
    if event.kind == "fire":
        lose(table, event.data["unit"], 2)
""",
    "a reaction put off till the step is over": """
fired = StateVariable("fired", (), of="game")

@hookimpl
def zareba_event(table, event):
    if event.kind == "fire":
        fired.add(table, None, (event.data["unit"],))

@hookimpl
def zareba_step(table):
    for unit in fired[table]:
        lose(table, unit, 2)
    fired[table] = ()
""",
    "points": """
fired = StateVariable("fired", 0, of="side")

@hookimpl
def zareba_event(table, event):
    if event.kind == "fire":
        fired.add(table, table.state.units[event.data["unit"]], 1)

@hookimpl
def zareba_outcome(state, outcome):
    return add_points(outcome, {side: -9 * fired[state, side] for side in outcome.points})
""",
    "dice": """
@hookimpl
def zareba_roll(roll, throw):
    return (0, 0) if roll.why == "fire" else None
""",
}


def ruled(text: str, folder: Path) -> Game[Any]:
    file = folder / "club.py"
    file.write_text(HEAD + text, encoding="utf-8")
    game: Game[Any] = load_rules("vcc", {}, [find_house_rule(str(file))]).game(load_scenario("patrol_clash"))
    return game


@pytest.mark.parametrize("what", UNSEEN_BY_THE_BOOK)
def test_effect_of_a_house_rule_on_shooting_is_detected(tmp_path: Path, what: str) -> None:
    others = [choice for choice in played(ruled(UNSEEN_BY_THE_BOOK[what], tmp_path)) if choice[1] != choice[2]]
    instead = Counter(answer for question, _, answer, _ in others if question.why == "fire at")
    assert instead["hold fire"] == max(instead.values())  # sixteen rollouts cannot tell a weak shot from none


def test_a_reaction_that_does_nothing_changes_no_choice(tmp_path: Path) -> None:
    asked = played(ruled("@hookimpl\ndef zareba_event(table, event):\n    event.kind.upper()\n", tmp_path))
    assert any(question.why == "fire at" for question, *_ in asked)
    assert all(plain == heeded for _, plain, heeded, _ in asked)


def test_earlier_rolls_of_a_house_rule_do_not_hide_its_effect(tmp_path: Path) -> None:
    """The step cannot be replayed from its start under the printed rules, which lack the added roll. It is replayed
    from the choice on.
    """
    asks = """
@hookimpl
def zareba_step(table, state, step):
    table.roll(1, 6, why="wind", rule="H-1")
"""
    game = ruled(asks + UNSEEN_BY_THE_BOOK["a reaction"], tmp_path)
    others = [choice for choice in played(game) if choice[1] != choice[2]]
    assert {answer for question, _, answer, _ in others if question.why == "fire at"} == {"hold fire"}


IN_VAIN = """
from zareba.api import hookimpl

def do_nothing(run, table, *about):
    return None

@hookimpl
def zareba_procedures(ruleset):
    return {"hits.apply": do_nothing} if ruleset == "vcc" else {}
"""


@pytest.mark.parametrize("player", ["doctrine", pytest.param("veteran", marks=pytest.mark.deep)])
def test_comparisons_and_samples_play_as_play_does(tmp_path: Path, player: str) -> None:
    """The command that replays a game of a comparison shows the same game, whatever the house rules do."""
    file = tmp_path / "no_effect.py"
    file.write_text(IN_VAIN, encoding="utf-8")
    short = small_battle_file(tmp_path, turns=2)
    scenario = load_scenario(short)
    variant = Variant("vain", "vcc", (), (str(file),))
    seats = dict.fromkeys(scenario.sides, player)
    (record,) = run_games(GameTask(variant, short, 0, 1, 5, tuple(seats.items()), False))
    session = new_session(
        "vcc", load_scenario(short), seats, seed=record.seed, house_rules=[find_house_rule(str(file))]
    )
    session.drive()
    rolls = [
        answer.question for _, answers, _ in session.log() for answer in answers if isinstance(answer.question, Roll)
    ]
    assert (record.rolls, record.dice) == (len(rolls), sum(roll.dice for roll in rolls))


def test_a_player_without_one_act_looks_ahead_like_the_player_it_restricts(tmp_path: Path) -> None:
    file = tmp_path / "no_effect.py"
    file.write_text(IN_VAIN, encoding="utf-8")
    ruled = load_rules("vcc", {}, [find_house_rule(str(file))]).game(load_scenario("patrol_clash"))
    printed = load_rules("vcc", {}, []).game(load_scenario("patrol_clash"))
    seat = ruled.seats[0]
    assert isinstance(make_agent("general without charge", printed, seat, 1), LooksAhead)
    assert isinstance(make_agent("doctrine without charge", ruled, seat, 1), LooksAhead)
    assert not isinstance(make_agent("doctrine without charge", printed, seat, 1), LooksAhead)
