"""One whole game, written down: whatever changes in play shows as a difference in a text that people can read.

`ZAREBA_REWRITE_GOLDEN=1 pytest tests/rulesets/vcc/test_golden.py` writes it anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.rulesets.vcc.battlefields import rules_with

from zareba.agents import make_agent
from zareba.scenario import load_scenario
from zareba.table import Answer, Choose, Confirm, Place, SeededTable
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.game import VccGame
from zareba_rulesets.vcc.words import unit_line

GOLDEN = Path(__file__).parent / "golden" / "patrol_clash.txt"
SEED = 42

Player = Callable[[Choose | Place | Confirm, Battle], Answer]


def written_down(game: VccGame, player: Player, text: list[str]) -> Player:
    """A player whose choices are noted in `text`."""

    def choose(question: Choose | Place | Confirm, state: Battle) -> Answer:
        answer = player(question, state)
        assert isinstance(question, Choose)
        asked = game.describe(state, question)
        text.append(
            f"  {asked} {game.describe_option(state, question, answer)} [{len(question.options)}, {question.rule}]"
        )
        return answer

    return choose


def story(seed: int) -> str:
    """A game of two random players in words: every choice with the number of options and the rule, every event."""
    game = VccGame(rules_with(), load_scenario("patrol_clash"))
    state = game.start()
    text: list[str] = [f"{game.scenario.title}: random players, seed {seed}"]
    players = {seat: written_down(game, make_agent("random", game, seat, seed), text) for seat in game.seats}
    table = SeededTable(game.rules, state, seed, players)
    headline = ""
    while (step := game.next_step(state)) is not None:
        if step.about == "end_of_turn":
            text += ["", f"After turn {step.turn}", *_lines(state)]
        now = f"Turn {step.turn}: {game.policy.phases[step.about].title}"
        if now != headline:
            text += ["", now]
            headline = now
        table.begin(step)
        game.perform(table, state, step)
        text += [f"    {game.describe_event(event)} [{event.rule}]" for event in table.events]
    outcome = game.outcome(state)
    scored = ", ".join(f"{side} {points:g}" for side, points in outcome.points.items())
    text += ["", f"{outcome.winner or 'Nobody'} wins ({outcome.ending}): {scored}"]
    return "\n".join(text) + "\n"


def _lines(state: Battle) -> list[str]:
    return [f"  {unit_line(state, unit)}, marker {unit.hits}" for unit in state.units.values() if unit.on_table]


def test_the_game_written_down_is_played_again_word_for_word() -> None:
    told = story(SEED)
    if os.environ.get("ZAREBA_REWRITE_GOLDEN"):
        GOLDEN.write_text(told, encoding="utf-8")
    assert told == GOLDEN.read_text(encoding="utf-8")


def test_it_is_a_game_worth_writing_down() -> None:
    """The text shows fire, melee, morale, rallying and movement, so that a change in any of them is seen."""
    told = GOLDEN.read_text(encoding="utf-8")
    for words in (
        " fired ",
        " struck ",
        "passed morale",
        "failed morale",
        "rall",
        "fell back",
        "charged ",
        "deployed in",
    ):
        assert words in told, words
