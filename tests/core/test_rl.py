"""The reinforcement learning environment: PettingZoo's tests, play like a session, and no hidden information."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.systems import each_ruleset

pytest.importorskip("pettingzoo", reason="the environment needs the extra rl: pip install 'zareba[rl]'")

from pettingzoo.test import api_test, render_test, seed_test

from zareba.base.errors import ZarebaError
from zareba.rl import ANSWERS, HEAD, BattleEnv, env
from zareba.scenario import load_scenario
from zareba.session import new_session


def made(**how: Any) -> BattleEnv:
    return env("patrol_clash", "vcc", **how)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_environment_has_the_pettingzoo_interface() -> None:
    api_test(made(), num_cycles=60)


def test_seeds_make_environments_repeatable() -> None:
    seed_test(made, num_cycles=15)


def test_render_modes_of_the_environment(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(made, custom_tests={"svg": lambda svg: svg.startswith("<svg"), "ansi": lambda text: "\n" in text})
    assert "turn" in capsys.readouterr().out.lower()
    with pytest.raises(ZarebaError, match="unknown render mode 'rgb_array'; the modes are human, ansi, svg"):
        made(render_mode="rgb_array")


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_every_ruleset_works_as_an_environment(ruleset: str) -> None:
    api_test(env("column_ambushed", ruleset), num_cycles=150)
    seed_test(lambda **how: env("column_ambushed", ruleset, **how), num_cycles=40)


def play(battle: BattleEnv, seed: int) -> dict[str, float]:
    """Return the rewards of a battle in which every side always gives the first answer."""
    battle.reset(seed=seed)
    rewards: dict[str, float] = {}
    for side in battle.agent_iter():
        seen, reward, ended, cut, _ = battle.last()
        rewards[side] = rewards.get(side, 0.0) + reward
        assert seen is not None and battle.observation_space(side).contains(seen)
        if not ended and not cut:
            assert seen["action_mask"][0] == 1 and seen["answers"][0][0] == 1
        battle.step(None if ended or cut else 0)
    return rewards


def test_environment_plays_like_a_session_and_rewards_the_winner() -> None:
    battle = made()
    rewards = play(battle, 3)
    session = new_session("vcc", load_scenario("patrol_clash"), dict.fromkeys(battle.possible_agents, "human"), seed=3)
    session.drive()
    for _, answered, _ in battle.session.log():
        for answer in answered:
            if answer.by == "person":
                session.answer(answer.answer)
                session.drive()
    assert session.pending is None and session.state == battle.session.state
    winner = session.game.play.common_outcome(session.state).winner
    assert rewards == {side: 0.0 if winner is None else 1.0 if side == winner else -1.0 for side in rewards}


def test_a_battle_can_be_truncated_and_an_invalid_action_is_refused() -> None:
    battle = made(most_choices=2)
    with pytest.raises(ZarebaError, match="has not begun"):
        battle.session  # noqa: B018  # attribute access raises
    battle.reset(seed=1)
    with pytest.raises(ZarebaError, match=f"{ANSWERS - 1} is not an answer of"):
        battle.step(ANSWERS - 1)
    battle.step(0)
    assert not any(battle.truncations.values())
    battle.step(0)
    assert all(battle.truncations.values()) and not any(battle.rewards.values())


def test_a_side_does_not_observe_hidden_units() -> None:
    """The column knows neither the position nor the strength of the ambush; the ambush knows its own."""
    battle = env("column_ambushed", "fixed_baynet")
    battle.reset(seed=5)
    scenario = load_scenario("column_ambushed")
    hidden = {unit.side for unit in scenario.units.values() if unit.hidden}
    (waits,) = hidden
    (marches,) = set(scenario.sides) - hidden
    while battle.agent_selection == waits:  # it sets up first
        battle.step(0)
    for _ in range(12):
        battle.step(0)
    of_column, of_ambush = battle.observe(marches), battle.observe(waits)
    assert of_column["observation"][HEAD.index("strength of others")] == -1
    seen = (of_column["pieces"][:, 0] == -1).sum()
    own = (of_ambush["pieces"][:, 0] == 1).sum()
    assert own >= seen and not (of_column["action_mask"].any() and of_ambush["action_mask"].any())


def test_the_same_seed_begins_the_same_and_battles_go_on_from_it() -> None:
    first, second = made(), made()
    for battle in (first, second):
        battle.reset(seed=9)
        battle.reset()
    assert first.session.seed == second.session.seed != 9
    assert re.fullmatch(r"\d+", str(first.session.seed))
