"""Scripted battles: an umpire removes whole companies turn by turn, alike under every ruleset. Nothing is played."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from zareba.analysis.games.records import GamePlan, GameRecord
from zareba.analysis.games.simulate import play_game
from zareba.battle.evaluation import Evaluation
from zareba.game import Play
from zareba.registry import load_rules
from zareba.scenario import parse_scenario
from zareba.scenario.victory import Outcome, judge
from zareba.table import Choose, Step

SIDES = ("red", "blue")
COMPANIES = ("first", "second", "third", "fourth")

BATTLE = (
    """
id: scripted
title: A scripted battle
year: 1880
place: nowhere
note: Four companies a side on an open plain.
turns: 6
table: {width: 60, depth: 48}
sides:
  red: {name: Red, home_edge: south, deployment: {camp: [[0, 0], [60, 0], [60, 12], [0, 12]]}}
  blue: {name: Blue, home_edge: north, deployment: {camp: [[0, 36], [60, 36], [60, 48], [0, 48]]}}
units:
"""
    + "".join(
        f"  {side}_{company}: {{name: {side.title()} {company}, side: {side}, arm: infantry, kind: european_regular, figures: 24,"
        f" weapon: breech_rifle, position: [{6 + 16 * number}, {depth}]}}\n"
        for side, depth in (("red", 6), ("blue", 42))
        for number, company in enumerate(COMPANIES)
    )
    + """
objectives:
  half_of_blue: {kind: destroy, name: Half of blue, share: 0.5, points: 2, by: [red]}
  half_of_red: {kind: destroy, name: Half of red, share: 0.5, points: 2, by: [blue]}
"""
)

Losses = tuple[tuple[str, ...], ...]
"""The companies removed in each turn."""
Deeds = tuple[tuple[tuple[str, str, Any], ...], ...]
"""The acts of each turn before the removals: the act, the company, and its number of dice, cards or answers, or the
evaluations of its answers.
"""


def remove_companies(editor: Any, table: Any, state: Any, companies: Iterable[str]) -> None:
    """Remove companies as an umpire does, with all pieces that a ruleset has made of them."""
    for company in companies:
        for piece in [
            name for name in editor.piece_holders(state) if re.fullmatch(rf"{company}([._/]\d+|_nco)*", name)
        ]:
            editor.remove(table, state, piece)


class ScriptedGame:
    """A game that plays a script: each turn performs its deeds and then removes its companies."""

    def __init__(self, game: Any, losses: Losses, deeds: Deeds = ()) -> None:
        self._game, self._losses, self._deeds, self._editor = game, losses, deeds, game.umpire_editor()
        self._worths: tuple[Evaluation, ...] = ()
        self.turn = 1
        self.play = self.advisor = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game.play if hasattr(Play, name) else self._game, name)

    def start(self) -> Any:
        """Return the first state, with the script at its beginning: a game may be played again."""
        self.turn, self._worths = 1, ()
        return self._game.start()

    def next_step(self, state: Any) -> Step | None:
        return Step("scripted", self.turn, "") if self.turn <= len(self._losses) else None

    def game_turn(self, state: Any) -> int:
        return min(self.turn, len(self._losses))

    def common_outcome(self, state: Any) -> Outcome:
        scoreboard = self.scoreboard(state)
        return judge(scoreboard, "collapse" if min(map(scoreboard.strength, SIDES)) == 0 else "turn_limit")

    def own_outcome(self, state: Any) -> None:
        """Unused here."""

    def best_options(self, seen: Any, question: Choose) -> dict[Any, Evaluation]:
        """Return the evaluations of a choice: scripted ones, else those of the ruleset."""
        if not self._worths:
            found: dict[Any, Evaluation] = self._game.advisor.best_options(seen, question)
            return found
        return dict(zip(question.options, self._worths, strict=True))

    def perform(self, table: Any, state: Any, step: Step) -> None:
        for what, company, number in self._deeds[self.turn - 1] if self._deeds else ():
            said = {"why": what, "rule": "", "actor": company}
            if what == "decide":
                table.choose(company.partition("_")[0], tuple(map(str, range(number))), **said)
                continue
            if what == "weigh":
                self._worths = number
                table.choose(company.partition("_")[0], tuple(map(str, range(len(number)))), **said)
                continue
            for _ in range(number):  # one by one, as in rulesets where each man rolls
                table.roll(1, 6, **said) if what == "fire" else table.draw({"ace": 1, "king": 1}, **said)
        remove_companies(self._editor, table, state, self._losses[self.turn - 1])
        self.turn += 1


class ScriptedGameWithRollouts(ScriptedGame):
    """A scripted game with one rollout from the end of each turn, each with its own losses in order."""

    def __init__(self, game: Any, losses: Losses, further: Iterable[tuple[str, ...]]) -> None:
        super().__init__(game, losses)
        self._all_further = tuple(further)

    def start(self) -> Any:
        self._further, self._is_due = iter(self._all_further), True
        return super().start()

    def next_step(self, state: Any) -> Step | None:
        if self.turn <= len(self._losses):
            return super().next_step(state)
        self._is_due = not self._is_due  # the game has ended; each rollout then has one step
        return Step("played on", self.turn, "") if self._is_due else None

    def perform(self, table: Any, state: Any, step: Step) -> None:
        if step.name == "scripted":
            super().perform(table, state, step)
        else:
            remove_companies(self._editor, table, state, next(self._further))


@cache
def game_of(ruleset: str) -> Any:
    """Return the game of a ruleset for scripted battles. It holds no state of any of them."""
    return load_rules(ruleset).game(parse_scenario(BATTLE, "scripted"))


def plan_of(*agents: str) -> GamePlan:
    """Return the plan of a game between these players."""
    return GamePlan(0, 0, 1, False, tuple(zip(SIDES, agents, strict=True)))


RANDOM = plan_of("random", "random")


def play_script(ruleset: str, losses: Losses, deeds: Deeds = (), plan: GamePlan = RANDOM) -> GameRecord:
    """Return the record of a scripted battle."""
    game: Any = ScriptedGame(game_of(ruleset), losses, deeds)  # implements all that the runner calls
    return play_game(game, ruleset, plan)
