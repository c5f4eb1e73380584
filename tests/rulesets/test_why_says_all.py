"""Every roll and draw explains its possible results, and the explanation matches the rules.

In random games every roll and card states its meaning: a threshold, the row of a chart, or a count. For rows the step
is run again with other results. In the same row everything continues as before. Of each kind of roll at least two rows
lead to different play.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.systems import each_ruleset

import zareba.battle
import zareba.game
import zareba_plugins
import zareba_rulesets
from zareba.agents import make_agent
from zareba.base.state import digest
from zareba.chance import Named, Rows
from zareba.game import Game
from zareba.registry import load_rules
from zareba.rules import load_catalogue
from zareba.scenario import load_scenario
from zareba.table import (
    Draw,
    GivenAnswer,
    Pause,
    Question,
    RememberingTable,
    Roll,
    Step,
    Table,
    answer_fits,
    fingerprint,
    outcomes,
)

THROWS = {"roll", "draw", "faces_of"}
MOST_OF_A_KIND = 12
MOST_ANSWERS = 12
"""Limits for each kind of roll: how often it is varied, and how many results are tried each time."""


def steps(game: Game[Any], kind: str, seed: int) -> Iterator[tuple[Any, Step, Sequence[GivenAnswer]]]:
    """Yield the steps of a game between players of one kind: the state before, the step, and its answers."""
    state = game.start()
    agents = {seat: make_agent(kind, game, seat, seed) for seat in game.seats}
    table = RememberingTable(game.rules, state, seed, agents)
    while (step := game.play.next_step(state)) is not None:
        before = state.copy()
        table.begin(step)
        game.play.perform(table, state, step)
        yield before, step, table.given


class Again(Table):
    """Replays earlier answers as long as the questions are the same."""

    def __init__(self, game: Game[Any], state: Any, given: Sequence[GivenAnswer]) -> None:
        super().__init__(game.rules, state)
        self.left = list(given)

    def answer(self, question: Question) -> Any:
        if not self.left or not answer_fits(self.left[0], question):
            raise Pause(question)
        return self.left.pop(0).answer


def comes_of(game: Game[Any], start: Any, step: Step, given: Sequence[GivenAnswer]) -> tuple[int, str, str]:
    """Return how far a step repeats the earlier one, its next question, and a digest of the resulting state."""
    state, asked = start.copy(), ""
    table = Again(game, state, given)
    try:
        game.play.perform(table, state, step)
    except Pause as pause:
        asked = fingerprint(pause.question)
    return len(table.left), asked, digest(state.to_data())


@dataclass
class Kinds:
    """The kinds of rolls of a ruleset that state rows, with the number of variations and the kinds that differed."""

    game: Game[Any]
    looked: dict[tuple[str, str], int] = field(default_factory=dict)
    apart: set[tuple[str, str]] = field(default_factory=set)
    several: set[tuple[str, str]] = field(default_factory=set)

    def look(self, start: Any, step: Step, given: Sequence[GivenAnswer], place: int) -> None:
        """Replay a step with other results of one roll and compare."""
        thrown, answer = given[place]
        assert isinstance(thrown, Roll) and thrown.means is not None
        kind = thrown.rule, thrown.why
        if self.looked.get(kind, 0) >= MOST_OF_A_KIND:
            return
        self.looked[kind] = self.looked.get(kind, 0) + 1
        row, came = thrown.means.result_key(answer), comes_of(self.game, start, step, given)
        for other, weight in outcomes(thrown)[0][:MOST_ANSWERS]:
            if not weight or other == answer:
                continue
            instead = [*given[:place], GivenAnswer(thrown, other), *given[place + 1 :]]
            otherwise = comes_of(self.game, start, step, instead)
            if thrown.means.result_key(other) == row:
                assert otherwise == came, f"{kind}: {other} and {answer} are both '{row}', and differ"
            else:
                self.several.add(kind)
                if otherwise != came:
                    self.apart.add(kind)


def look_through(ruleset: str, scenario: str, kind: str, seed: int, kinds: Kinds | None, **settings: Any) -> Kinds:
    """Check one game: every roll and draw states its meaning, and rolls with rows are varied."""
    game = load_rules(ruleset, settings).game(load_scenario(scenario))
    found = kinds or Kinds(game)
    found.game = game
    rules = load_catalogue(game.rules.ruleset.folder).rules
    for before, step, given in steps(game, kind, seed):
        for place, (question, answer) in enumerate(given):
            if not isinstance(question, (Roll, Draw)):
                continue
            what = f"{step.key}: '{question.why}' ({question.rule})"
            assert question.rule in rules, f"{what}: no such rule"
            assert question.means is not None, f"{what}: nobody says what it means"
            read = question.read if isinstance(question, Roll) else None
            assert question.means.describe(read, answer) and question.means.describe_all(read), what
            if isinstance(question, Roll) and isinstance(question.means, (Rows, Named)):
                found.look(before, step, given, place)
    return found


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_every_throw_says_what_it_means(ruleset: str) -> None:
    kinds = None
    for number, scenario in enumerate(("patrol_clash", "mission_station")):
        kinds = look_through(ruleset, scenario, ("random", "doctrine")[number], number + 1, kinds)
    assert kinds is not None and kinds.apart == kinds.several


def throws(file: Path) -> Iterator[ast.Call]:
    """Yield the calls in a file that roll dice or draw a card: those with a purpose and a rule."""
    text = file.read_text(encoding="utf-8")
    if not any(f".{name}(" in text for name in THROWS):
        return  # most modules, and parsing takes long
    for node in ast.walk(ast.parse(text)):
        thrown = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in THROWS
        if isinstance(node, ast.Call) and thrown and {"why", "rule"} <= {word.arg for word in node.keywords}:
            yield node


@pytest.mark.parametrize("package", [zareba_rulesets, zareba_plugins, zareba.battle, zareba.game])
def test_every_shipped_throw_has_a_meaning(package: Any) -> None:
    """Covers code that games rarely reach."""
    silent = [
        f"{file}:{call.lineno}"
        for folder in package.__path__
        for file in sorted(Path(folder).rglob("*.py"))
        for call in throws(file)
        if "means" not in {word.arg for word in call.keywords}
    ]
    assert not silent
