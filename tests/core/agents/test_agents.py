"""AI players: the same seed plays the same game in every process, reasons are short, and doctrine beats random play."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tests.core.toy import ToyGame

from zareba.agents import agent_names, make_agent
from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.base.errors import ZarebaError
from zareba.game.doctrine import Doctrine
from zareba.plugins.ruleset import Advisor, Evaluation
from zareba.scenario import load_scenario
from zareba.session import new_session
from zareba.table import Choose, Confirm, Place

VCC = Variant("vcc", "vcc")
BOTH = ("patrol", "tribesmen")
CHOICE = Choose("act", "T-1", "fusiliers", "patrol", ("hold", "advance", "charge"), ())
SPOT = Place("camp", "T-2", "fusiliers", "patrol", ((1.0, 2.0), (3.0, 4.0)), lambda point: None)
SURE = Confirm("sure", "T-3", "fusiliers", "patrol", ())


def task(first: str, second: str, games: int, *, swap: bool = False, seed: int = 1879) -> GameTask:
    return GameTask(VCC, "patrol_clash", 0, games, seed, tuple(zip(BOTH, (first, second), strict=True)), swap=swap)


class GivenAdvisor(Advisor[Any]):
    """Evaluates every choice with the evaluations given to the game."""

    game: Weighed

    def evaluate(self, state: Any, question: Any) -> Any:
        return self.game.appraisals


class Weighed(ToyGame):
    """A game that evaluates every choice with the given evaluations."""

    advisor_class = GivenAdvisor

    def __init__(self, *appraisals: Evaluation) -> None:
        super().__init__()
        self.appraisals = appraisals


def test_an_unknown_player_gets_the_nearest_suggestion() -> None:
    assert {"random", "doctrine"} <= set(agent_names())
    with pytest.raises(ZarebaError, match="there is no AI player 'doctrin'; did you mean 'doctrine'"):
        make_agent("doctrin", ToyGame(), "patrol", 1)


@pytest.mark.parametrize("name", agent_names())
@pytest.mark.parametrize("question", [CHOICE, SPOT, SURE], ids=["choose", "place", "confirm"])
def test_every_player_gives_a_legal_answer_and_a_short_reason(name: str, question: Any) -> None:
    game = ToyGame()
    for seed in range(20):
        agent: Any = make_agent(name, game, "patrol", seed)
        answer = agent(question, game.start())
        admitted = {"Choose": CHOICE.options, "Place": SPOT.suggestions, "Confirm": (True, False)}
        assert answer in admitted[type(question).__name__]
        assert 0 < len(agent.reason) <= 80


def test_the_random_player_takes_each_option_sometimes() -> None:
    game = ToyGame()
    agent = make_agent("random", game, "patrol", 3)
    taken = [agent(CHOICE, game.start()) for _ in range(3000)]
    assert all(900 < taken.count(option) < 1100 for option in CHOICE.options)


def test_doctrine_takes_the_option_of_highest_value_and_says_why() -> None:
    game = Weighed(
        Evaluation(0.5, reason="dull"), Evaluation(1.0, 0.2, ground=0.1, reason="bold"), Evaluation(2.0, 2.0)
    )
    agent = Doctrine(game, "patrol", 1)
    assert (agent(CHOICE, game.start()), agent.reason) == ("advance", "bold")


def test_temper_changes_the_weight_of_losses() -> None:
    game = Weighed(Evaluation(ground=0.1), Evaluation(0.5, 0.5), Evaluation(1.0, 1.2))
    assert Doctrine(game, "patrol", 1)(CHOICE, game.start()) == "hold"
    assert Doctrine(game, "patrol", 1, caution=0.1)(CHOICE, game.start()) == "charge"
    assert Doctrine(game, "patrol", 1, aggression=2)(CHOICE, game.start()) == "charge"
    assert Doctrine(game, "patrol", 1, caution=3)(CHOICE, game.start()) == "hold"


def test_ties_are_broken_only_by_the_question_and_the_seed() -> None:
    game = Weighed(Evaluation(), Evaluation(), Evaluation())
    one, same = Doctrine(game, "patrol", 1), Doctrine(game, "patrol", 1)
    one(CHOICE._replace(why="before"), game.start())  # earlier questions have no effect
    for actor in ("fusiliers", "sikhs", "lancers"):
        question = CHOICE._replace(actor=actor)
        assert one(question, game.start()) == same(question, game.start())
    seen = {Doctrine(game, "patrol", seed)(CHOICE, game.start()) for seed in range(40)}
    assert seen == set(CHOICE.options)


def test_reasons_are_short_and_informative_throughout_a_game() -> None:
    scenario = load_scenario("patrol_clash")
    reasons: list[str] = []
    session = new_session("vcc", scenario, dict.fromkeys(BOTH, "doctrine"), seed=4)
    session.drive(lambda answered: reasons.append(answered.reason) if answered.by == "doctrine" else None)
    assert len(reasons) > 50
    assert all(0 < len(reason) <= 80 for reason in reasons)
    assert len(set(reasons)) > 10


GAMES = dedent(
    """
    import json
    from tests.core.agents.test_agents import run_games, task
    print(json.dumps([game.to_dict() for game in run_games(task("doctrine", "random", 4))]))
    """
)


def test_games_do_not_depend_on_the_hash_seed() -> None:
    here = [game.to_dict() for game in run_games(task("doctrine", "random", 4))]
    root = Path(__file__).parents[3]
    there = subprocess.run(
        [sys.executable, "-c", GAMES],
        capture_output=True, text=True, check=True, cwd=root,
        env=os.environ | {"PYTHONHASHSEED": "4711", "PYTHONPATH": str(root)},
    )  # fmt: skip
    assert json.loads(there.stdout) == json.loads(json.dumps(here))


def score(games: GameTask, agent: str) -> float:
    """Return the share of games won by an agent; a draw counts as half."""
    won = 0.0
    played = run_games(games)
    for game in played:
        won += 0.5 if game.winner is None else float(game.agents[game.winner] == agent)
    return won / len(played)


def test_doctrine_beats_the_random_player() -> None:
    assert score(task("doctrine", "random", 20, swap=True), "doctrine") > 0.8
