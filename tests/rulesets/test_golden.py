"""Golden games, one of each ruleset: any change in play appears as a readable difference in a text.

`ZAREBA_REWRITE_GOLDEN=1 pytest tests/rulesets/test_golden.py` rewrites them. Read the difference before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.table import Agent, Answer, Choose, Confirm, Place, SeededTable

GOLDEN = Path(__file__).parent / "golden"
SEED = 42
SEEDS = {"risk_factor": 3}
"""Other seeds of rulesets; with `SEED` no unit charges in the turns recorded."""
TURNS = {"fixed_baynet": 4, "paychest": 3, "risk_factor": 4}
"""Turns recorded of rulesets with single figures; other games are recorded to the end."""
PLAYERS = {"vcc": "random"}
"""In VCC a random player charges and runs more than the doctrine AI, which keeps its distance."""
WORDS = {
    "vcc": (" fired ", " struck ", "passed morale", "failed morale", "rall", "fell back", "charged ", "deployed in"),
    "afriboria": (" played the card ", " received an order", " battled ", " lost ", "was the end of ", "fell back to "),
    "fixed_baynet": (" fired ", " shot back ", " was killed", "lost glory", " for glory: ", " panicked: ", "moved to "),
    "paychest": ("card drawn: ", " inches towards ", " fired ", " was killed", "passed morale", "wound"),
    "risk_factor": ("for command: ", "Risk Factor ", " shot at ", " wounded", "melee of ", " charged ", " lost "),
}
"""Phrases that must occur in a text, so that a change in them is noticed."""


def _seed(ruleset: str) -> int:
    return SEEDS.get(ruleset, SEED)


def written_down(game: Game[Any], seat: str, text: list[str]) -> Agent:
    """Return an agent whose choices are recorded in `text`, with the number of options and the rule."""
    player = make_agent(PLAYERS.get(game.rules.ruleset.id, "doctrine"), game, seat, _seed(game.rules.ruleset.id))

    def choose(question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = player(question, state)
        asked = game.narrator.describe(state, question)
        if isinstance(question, Choose):
            chosen = (
                f"{game.narrator.describe_option(state, question, answer)} [{len(question.options)}, {question.rule}]"
            )
        elif isinstance(question, Place):
            chosen = f"{answer[0]:.1f}, {answer[1]:.1f} [{question.rule}]"
        else:
            chosen = f"{'yes' if answer else 'no'} [{question.rule}]"
        text.append(f"  {asked} {chosen}")
        return answer

    return choose


def golden_log(ruleset: str) -> str:
    """Return a game in words: every choice, every event with its rule, and the pieces on the board after each turn."""
    rules = load_rules(ruleset)
    game = rules.game(load_scenario("patrol_clash"))
    state = game.start()
    text: list[str] = [game.scenario.title]
    table = SeededTable(rules, state, _seed(ruleset), {seat: written_down(game, seat, text) for seat in game.seats})
    turn = 0
    while (step := game.play.next_step(state)) is not None:
        if step.turn != turn:
            text += [
                "",
                game.display.board(state).headline,
                *(f"  {piece.text}" for piece in game.display.board(state).pieces),
                "",
            ]
            turn = step.turn
        if turn > TURNS.get(ruleset, turn):
            return "\n".join(text).rstrip() + "\n"
        text.append(step.key)
        table.begin(step)
        game.play.perform(table, state, step)
        text += [
            f"  - {told} [{event.rule}]" for event in table.events if (told := game.narrator.describe_event(event))
        ]
    outcome = game.play.outcome(state)
    scored = ", ".join(f"{side} {points:g}" for side, points in outcome.points.items())
    text.append(f"{outcome.winner or 'Nobody'} wins ({outcome.ending}): {scored}")
    return "\n".join(text) + "\n"


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_the_game_written_down_is_played_again_word_for_word(ruleset: str) -> None:
    told, kept = golden_log(ruleset), GOLDEN / f"{ruleset}.txt"
    if os.environ.get("ZAREBA_REWRITE_GOLDEN"):
        kept.write_text(told, encoding="utf-8")
    assert told == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_golden_games_contain_the_listed_texts(ruleset: str) -> None:
    told = (GOLDEN / f"{ruleset}.txt").read_text(encoding="utf-8")
    missing = [words for words in WORDS[ruleset] if words not in told]
    assert not missing
