"""AI players with a time limit: each decides with the results it has when the time is up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.agents.general import General
from zareba.agents.rollout import RolloutAgent
from zareba.agents.rule_aware import RuleAwareDoctrine
from zareba.game.doctrine import Doctrine
from zareba.plugins.ruleset import Search
from zareba.registry import find_house_rule
from zareba.scenario import load_scenario
from zareba.session import Session, new_session
from zareba.table import Choose, refusal


def counted(allowed: int) -> tuple[Callable[[], bool], list[int]]:
    """Return a clock that runs out after `allowed` looks, and the list of its looks."""
    looks: list[int] = []

    def enough() -> bool:
        looks.append(1)
        return len(looks) > allowed

    return enough, looks


def at_a_choice(ruleset: str, house_rules: Any = ()) -> Session:
    """Return a game in its second turn, at a choice of the patrol with several options."""
    seats = {"patrol": "human", "tribesmen": "doctrine"}
    session = new_session(ruleset, load_scenario("patrol_clash"), seats, seed=4, house_rules=house_rules)
    session.drive()
    while session.game.game_turn(session.state) < 2 or len(getattr(session.pending, "options", ())) < 3:
        assert session.pending is not None
        session.answer(session.suggestion()[0])
        session.drive()
    return session


def asked(session: Session, agent: Any) -> Any:
    question = session.pending
    assert isinstance(question, Choose)
    agent.follow(session.history.steps[-1].start, session._answers_of_step())
    answer = agent(question, session.game.sight.view(session.state, question.seat))
    assert refusal(question, answer) is None
    return answer


@pytest.mark.parametrize("ruleset", ["vcc", "risk_factor"])
@pytest.mark.parametrize("allowed", [0, 1, 5, 40])
def test_the_general_stops_within_one_step_of_a_playout(ruleset: str, allowed: int) -> None:
    session = at_a_choice(ruleset)
    agent: Any = make_agent("general", session.game, "patrol", 1)
    agent.enough, looks = counted(allowed)
    answer = asked(session, agent)
    assert len(looks) <= allowed + 2, "no more playouts after the time limit"
    if allowed <= 5:
        plain: Any = make_agent("doctrine", session.game, "patrol", 1)
        assert answer == plain(session.pending, session.game.sight.view(session.state, "patrol"))


@pytest.mark.parametrize("allowed", [10, 400])
def test_a_search_makes_no_more_decisions_than_the_ruleset_allows(
    monkeypatch: pytest.MonkeyPatch, allowed: int
) -> None:
    """A plan for the side may use half as many again, and the last step a few more. Too few for any playout mean
    doctrine.
    """
    session = at_a_choice("vcc")
    decisions: list[int] = []
    decide = Doctrine.__call__

    def counting(player: Doctrine, question: Any, state: Any) -> Any:
        decisions.append(1)
        return decide(player, question, state)

    monkeypatch.setattr(Doctrine, "__call__", counting)
    session.game.advisor.search = Search(turns=None, answers=frozenset(), decisions=allowed)
    answer = asked(session, General(session.game, "patrol", 1))
    assert 10 < len(decisions) <= 1.5 * allowed + 20
    if allowed == 10:
        plain: Any = make_agent("doctrine", session.game, "patrol", 1)
        assert answer == plain(session.pending, session.game.sight.view(session.state, "patrol"))


def test_a_rollout_agent_takes_the_best_option_it_had_time_to_try() -> None:
    session = at_a_choice("vcc")
    agent = RolloutAgent(session.game, "patrol", 1)
    agent.enough, _ = counted(1)
    asked(session, agent)
    assert len(agent.weighed) == 2
    agent.enough, _ = counted(0)
    asked(session, agent)
    assert len(agent.weighed) == 1


def test_doctrine_under_house_rules_runs_no_playouts_without_time() -> None:
    session = at_a_choice("vcc", [find_house_rule("heroes")])
    agent = make_agent("doctrine", session.game, "patrol", 1)
    assert isinstance(agent, RuleAwareDoctrine)
    agent.enough, _ = counted(0)
    asked(session, agent)
