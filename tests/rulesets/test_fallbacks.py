"""A house rule may ask questions and emit events that no ruleset knows, for every player and in the log."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.systems import each_ruleset
from typer.testing import CliRunner

from zareba.agents import make_agent
from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.base.state import digest
from zareba.battle.sentence_templates import words_of
from zareba.chance import SUM
from zareba.cli import app
from zareba.plugins.ruleset import Game
from zareba.presentation import narration
from zareba.registry import find_house_rule, load_rules, ruleset
from zareba.scenario import load_scenario
from zareba.session import Session, new_session, open_session, replay
from zareba.table import Choose, Confirm, Draw, Event, Place, Roll, SeededTable

STEPS = {
    "afriboria": "close",
    "fixed_baynet": "housekeeping.turn",
    "paychest": "turn.end",
    "risk_factor": "finish",
    "vcc": "end.turn",
}
RULE = '''
from __future__ import annotations

from dataclasses import dataclass

import zareba


@dataclass(frozen=True)
class Well:
    """A dataclass of its own, under postponed annotations."""

    depth: int = 3


def near(point):
    return None if 1 <= point[0] <= 20 and 1 <= point[1] <= 20 else "the well lies nearer"


@zareba.hookimpl
def zareba_steps(ruleset):
    def at_the_wells(step, table, battle):
        step(table, battle)
        told = Well().depth
        unit = next(iter(battle.units))
        for seat in {seats}:
            ask = dict(rule="HOUSE-1", actor=unit)
            table.choose(seat, ["all", ("half", unit), 3, ("none", 1, 2)], why="who_drinks", **ask)
            table.choose(seat, [1, 2, 3], why="buckets", rule="HOUSE-1", about=("well", 2))
            table.confirm(seat, why="dig", **ask)
            table.confirm(seat, why="dig deeper", rule="HOUSE-1", about=(told,))
            table.place(seat, [(30.0, 30.0), (4.0, 5.0), (6.0, 5.0)], near, why="well", **ask)
            table.place(seat, [(4.0, 5.0), (6.0, 5.0)], near, why="well of nobody", rule="HOUSE-1")
        table.roll(2, 10, why="thirst", **ask)
        table.draw({{"dry well": 2, "sweet_water": 1}}, why="luck", **ask)
        table.emit("drank", "HOUSE-1")
        table.emit("drank", "HOUSE-1", unit=unit, water=3)
        table.emit("sang", "HOUSE-1", text="they sang at the well")
        for kind in {kinds}:
            table.emit(kind, "HOUSE-1")
            table.emit(kind, "HOUSE-1", unit=unit)
    return {{{step!r}: at_the_wells}}
'''


def kinds(name: str) -> list[str]:
    """Return the kinds of all events that a ruleset or the core can describe."""
    load_rules(name).game(load_scenario("patrol_clash"))
    words = words_of(ruleset(name).folder / "presentation" / "words.yaml")
    return sorted({*words.events, *narration.EVENTS})


@pytest.fixture(params=each_ruleset("afriboria", "vcc"))
def wells(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    """Return a ruleset, and the file of a house rule that asks and reports at the end of each turn."""
    name: str = request.param
    file = tmp_path / "wells.py"
    seats = tuple(load_scenario("patrol_clash").sides)
    file.write_text(RULE.format(seats=seats, kinds=kinds(name), step=STEPS[name]), encoding="utf-8")
    return name, file


def two_turn_game(name: str, file: Path) -> Game[Any]:
    scenario = load_scenario("patrol_clash").model_copy(update={"turns": 2})
    game: Game[Any] = load_rules(name, {}, [find_house_rule(str(file))]).game(scenario)
    return game


@pytest.mark.parametrize("player", ["random", "doctrine", "general"])
def test_programs_answer_what_they_do_not_know(wells: tuple[str, Path], player: str) -> None:
    game = two_turn_game(*wells)
    state = game.start()
    agents = {seat: make_agent(player, game, seat, 5) for seat in game.seats}
    asked: dict[str, set[Any]] = {}

    def noted(question: Any, now: Any) -> Any:
        answer = agents[question.seat](question, now)
        if question.rule == "HOUSE-1":
            asked.setdefault(question.why, set()).add(answer)
        return answer

    table = SeededTable(game.rules, state, 5, dict.fromkeys(game.seats, noted))
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    assert set(asked) == {"who_drinks", "buckets", "dig", "dig deeper", "well", "well of nobody"}
    if player == "doctrine":  # the first option, "no", the first legal place
        assert asked["buckets"] == {1} and asked["dig"] == {False} and asked["well"] == {(4.0, 5.0)}


def test_fallback_questions_have_text_in_prompt_and_log(wells: tuple[str, Path], tmp_path: Path) -> None:
    name, file = wells
    path = tmp_path / "game.jsonl"
    scenario = load_scenario("patrol_clash").model_copy(update={"turns": 1})
    rule = find_house_rule(str(file))
    session = new_session(name, scenario, dict.fromkeys(scenario.sides, "human"), seed=5, path=path, house_rules=[rule])
    random, said = Random(5), dict[str, list[str]]()
    while len(said) < 6:
        session.drive()
        question = session.pending
        assert question is not None, "all six questions are asked"
        if question.rule == "HOUSE-1":
            said[question.why] = [session.game.narrator.describe(session.state, question), *_options(session, question)]
        _answer(session, random)
    assert said["who_drinks"][0].endswith(": who drinks?")
    assert said["who_drinks"][1] == "all" and said["who_drinks"][4] == "none 1 2"
    assert said["buckets"][1:] == ["1", "2", "3"]
    state = digest(session.state.to_data())
    session.close()
    again = open_session(path, house_rules=[file]).session
    assert digest(again.state.to_data()) == state
    again.close()
    assert digest(replay(path, house_rules=[file]).session.state.to_data()) == state
    shown = CliRunner().invoke(app, ["log", str(path), f"--house-rule={file}"])
    assert shown.exit_code == 0, shown.output
    assert "who drinks?" in " ".join(shown.stdout.split())


def _options(session: Session, question: Any) -> list[str]:
    if not isinstance(question, Choose):
        return []
    for option in question.options:
        session.game.advisor.odds_for(session.state, question, option)
    return [session.game.narrator.describe_option(session.state, question, option) for option in question.options]


def _answer(session: Session, random: Random) -> None:
    question = session.pending
    if isinstance(question, Choose):
        session.answer(random.choice(question.options))
    elif isinstance(question, Place):
        session.answer(random.choice([at for at in question.suggestions if question.legal(at) is None]))
    else:
        assert isinstance(question, Confirm), f"a person is asked to {question}"
        session.answer(random.random() < 0.5)


def test_every_emitted_event_has_a_sentence(wells: tuple[str, Path]) -> None:
    name, file = wells
    game = two_turn_game(name, file)
    unit = next(iter(game.start().units))
    for kind in kinds(name):
        assert game.narrator.describe_event(Event(kind, "HOUSE-1", {})), kind
        assert game.narrator.describe_event(Event(kind, "HOUSE-1", {"unit": unit})), kind
    assert game.narrator.describe_event(Event("drank", "HOUSE-1", {})) == "drank"
    assert game.narrator.describe_event(Event("drank", "HOUSE-1", {"unit": unit})).endswith(": drank")
    assert game.narrator.describe_event(Event("sang", "HOUSE-1", {"text": "they sang"})) == "they sang"
    assert (
        game.narrator.describe_card(Draw("luck", "HOUSE-1", "", None, (("sweet_water", 1),)), "sweet_water")
        == "sweet water"
    )
    roll = Roll("thirst", "HOUSE-1", unit, 2, 10, SUM)
    assert "2d10" in game.narrator.describe(game.start(), roll).lower()


def test_comparisons_accept_unknown_events(wells: tuple[str, Path]) -> None:
    name, file = wells
    agents = tuple((side, "random") for side in load_scenario("patrol_clash").sides)
    task = GameTask(Variant("wells", name, house_rules=(str(file),)), "patrol_clash", 0, 1, 1, agents)
    assert len(run_games(task)) == 1


@pytest.mark.parametrize("name", each_ruleset("afriboria", "vcc"))
def test_without_house_rules_a_question_without_words_is_a_fault(name: str) -> None:
    game = load_rules(name).game(load_scenario("patrol_clash"))
    with pytest.raises(LookupError):
        game.narrator.describe(game.start(), Choose("who_drinks", "HOUSE-1", "", game.seats[0], ("all", "none"), ()))
