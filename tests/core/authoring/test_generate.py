"""Battles generated from seeds: identical on every machine, valid, roughly balanced, and playable in every ruleset."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.systems import RULESETS, each_ruleset

from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.authoring import SIZES, THEATRES, generate
from zareba.authoring.forces import worth
from zareba.base.errors import ZarebaError
from zareba.registry import load_rules
from zareba.scenario import Scenario, parse_scenario

seeds = st.integers(0, 2**32)


def made(seed: int, size: str = "medium", theatre: str = "") -> Scenario:
    return parse_scenario(generate(seed, size, theatre), f"seed {seed}")


@settings(max_examples=10)
@given(seeds, st.sampled_from(sorted(SIZES)), st.sampled_from(["", *THEATRES]))
def test_every_seed_gives_a_valid_and_repeatable_battle(seed: int, size: str, theatre: str) -> None:
    text = generate(seed, size, theatre)
    scenario = parse_scenario(text, "made")
    assert text == generate(seed, size, theatre)
    assert {unit.side for unit in scenario.units.values()} == set(scenario.sides)
    for side in scenario.sides:
        assert scenario.objectives_of(side), "each side has an objective"
        assert scenario.leaders_of(side) and scenario.sides[side].briefing
    assert len(scenario.terrain) >= 3


@settings(max_examples=15)
@given(seeds, st.sampled_from(sorted(SIZES)))
def test_forces_have_similar_points(seed: int, size: str) -> None:
    scenario = made(seed, size)
    data = scenario.model_dump(mode="json")
    found = {
        side: sum(worth(unit) for unit in data["units"].values() if unit["side"] == side) for side in scenario.sides
    }
    first, second = found.values()
    assert 0.7 < first / second < 1.45


def test_a_seed_gives_the_same_battle_in_every_process_and_release() -> None:
    code = (
        "import hashlib; from zareba.authoring import generate; print(hashlib.sha256(generate(7).encode()).hexdigest())"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert found == hashlib.sha256(generate(7).encode()).hexdigest()


def test_seeds_differ_in_ground_forces_and_objectives() -> None:
    battles = [made(seed, "small") for seed in range(40)]
    assert len({tuple(battle.terrain) for battle in battles}) > 30
    assert len({tuple(unit.name for unit in battle.units.values()) for battle in battles}) > 30
    assert len({tuple(battle.objectives) for battle in battles}) >= 4
    assert len({side.name for battle in battles for side in battle.sides.values()}) == 2 * len(THEATRES)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((1, "hug"), "did you mean 'huge'|known: "),
        ((1, "small", "zul"), "did you mean 'zulu'"),
        ((-1,), "the seed must be a whole number, 0 or more"),
    ],
)
def test_unknown_names_are_rejected_with_the_nearest_name(asked: tuple[int, str, str], told: str) -> None:
    with pytest.raises(ZarebaError, match=told):
        generate(*asked)


@pytest.mark.parametrize("ruleset", RULESETS)
@settings(max_examples=3)
@given(seed=st.integers(0, 5000), size=st.sampled_from(["small", "medium"]))
def test_every_system_sets_up_a_generated_battle(ruleset: str, seed: int, size: str) -> None:
    game = load_rules(ruleset).game(made(seed, size))
    state = game.start()
    assert game.play.next_step(state) is not None
    assert game.display.labelled_board(state).sides


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_every_system_plays_a_generated_battle_to_its_end(
    ruleset: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("made")
    for seed in (1, 2):
        path = folder / f"battle_{seed}.yaml"
        path.write_text(generate(seed, "small"), encoding="utf-8")
        agents = (("first", "doctrine"), ("second", "doctrine"))
        (record,) = run_games(GameTask(Variant(ruleset, ruleset), str(path), 0, 1, seed, agents))
        assert record.ending != "act_limit" and record.turns >= 1


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", RULESETS)
def test_many_battles_are_played_to_their_end_in_every_system(
    ruleset: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("many")
    for seed in range(24):
        path = folder / f"battle_{seed}.yaml"
        path.write_text(generate(seed, "small" if seed % 3 else "medium"), encoding="utf-8")
        agents = (("first", "doctrine"), ("second", "random"))
        (record,) = run_games(GameTask(Variant(ruleset, ruleset), str(path), 0, 1, seed, agents))
        assert record.ending != "act_limit", seed
