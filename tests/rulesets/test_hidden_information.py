"""Hidden information never leaks: two states that a seat cannot tell apart are shown to it byte for byte alike."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.base.errors import ZarebaError
from zareba.cli.output import SafeConsole
from zareba.cli.prompt.game_commands import GameCommands
from zareba.cli.prompt.render import BoardView, map_lines, unit_board
from zareba.game import Game
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.session import Session
from zareba.session.score import score_of_state, score_sentences
from zareba.table import SeededTable

HIDING = {"afriboria": "patrol_clash", "fixed_baynet": "column_ambushed", "risk_factor": "column_ambushed"}
"""The rulesets with hidden information, each with a scenario that contains some."""
SETTINGS = {"risk_factor": {"hidden.use": "on"}}


def shown(session: Session, state: Any, seat: str) -> list[str]:
    """Return all terminal output for a seat, including the replies to mistakes."""
    seen = session.game.sight.view(state, seat)
    game: Game[Any] = session.game
    acts = GameCommands(session, lambda: seen)
    board = unit_board(game, seen)
    found = [line.plain for line in map_lines(board, 80)]
    found += [line.plain for line in BoardView(game.display.labelled_board(seen)).legend(80)]
    found += score_sentences(score_of_state(game, state, seat), game)
    for act, typed in (
        (acts.set, "zzz"),
        (acts.measure, "nobody anybody"),
        (acts.order, "zzz hold"),
        (acts.move, "qqq to A1"),
    ):
        with pytest.raises(ZarebaError) as refused:
            act(typed)
        found.append(str(refused.value))
    return found


def compare(ruleset: str, seed: int, most: int) -> int:
    """Play a game and compare two possible states of a seat where they differ. Return the number of states compared."""
    random = Random(seed)
    scenario = load_scenario(HIDING[ruleset])
    game = load_rules(ruleset, SETTINGS.get(ruleset)).game(scenario)
    session = Session(game, dict.fromkeys(game.seats, "human"), seed)
    state = game.start()
    agents = {seat: make_agent("random", game, seat, seed) for seat in game.seats}
    table = SeededTable(game.rules, state, seed, agents)
    compared = 0
    while (step := game.play.next_step(state)) is not None and compared < most and game.game_turn(state) < 4:
        for seat in game.seats:
            other = game.sight.determinize(state, seat, random.randrange(1000))
            if random.random() < 0.5 and other.to_data() != state.to_data():
                assert shown(session, state, seat) == shown(session, other, seat), step
                compared += 1
        table.begin(step)
        game.play.perform(table, state, step)
    return compared


@pytest.mark.parametrize("ruleset", HIDING)
def test_seat_sees_the_same_in_two_indistinguishable_worlds(ruleset: str) -> None:
    compared = 0
    for seed in range(1, 5):
        compared += compare(ruleset, seed, 12)
        if compared >= 12:
            break
    assert compared >= 12


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", HIDING)
def test_five_hundred_states_of_two_worlds(ruleset: str) -> None:
    compared = 0
    for seed in range(5, 400):
        compared += compare(ruleset, seed, 60)
        if compared >= 500:
            break
    assert compared >= 500


def test_between_two_people_who_hide_something_there_is_a_curtain(monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    from zareba.cli.prompt.prompt import Prompt

    scenario = load_scenario("patrol_clash")
    game = load_rules("afriboria").game(scenario)
    session = Session(game, dict.fromkeys(game.seats, "human"), 1)
    console = SafeConsole()
    console.file = StringIO()
    monkeypatch.setattr(SafeConsole, "is_terminal", True)
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        if len([prompt for prompt in prompts if "press Enter" in prompt]) > 2:
            raise EOFError
        return "" if "press Enter" in prompt or "faces" in prompt else "do phase"

    Prompt(session, console, ask).run()
    parts = console.file.getvalue().split("\x1b[2J\x1b[3J\x1b[H")
    assert len(parts) > 3
    assert sum("press Enter" in prompt for prompt in prompts) == 3
