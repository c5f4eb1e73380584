"""The kit for authors: games, odds and scripts in one call, and current schemas."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.small_battle import small_battle_file
from tests.systems import RULESETS

from zareba.scenario import scenario_schema
from zareba.schemas import COMMON, SCENARIO, own_models, schema_path, schema_text
from zareba.testing import chances, conforms, game_with_rules, golden, play, table_of


def test_a_game_is_played_in_one_call(tmp_path: Path) -> None:
    played = play("weather", seed=2, player="doctrine", settings={"weather.changes_on": 2})
    assert played.event_counts["weather"] > 0 and played.turns > 1
    assert played.lines["a cloud of dust"] + played.lines["wet powder"] > 0
    assert set(played.state_variable("weather.weather")) <= {""}
    golden(played, tmp_path / "game.txt")
    golden(play("weather", seed=2, player="doctrine", settings={"weather.changes_on": 2}), tmp_path / "game.txt")
    with pytest.raises(AssertionError, match="the game differs from the one in"):
        golden(play("weather", seed=4), tmp_path / "game.txt")


def test_odds_are_fractions(zareba_chances: Any) -> None:
    assert zareba_chances is chances
    found = chances("fire_pool", bases=2)
    assert sum(found.values()) == Fraction(1)


def test_a_script_is_strict(zareba_table: Any) -> None:
    game = game_with_rules("dig_in")
    with table_of(game, script=[("luck", [4])]) as table:
        assert table.roll(1, 6, why="luck", rule="T-1") == 4
    with pytest.raises(AssertionError, match="the script has no answer"), zareba_table(game) as table:
        table.roll(1, 6, why="luck", rule="T-1")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_shipped_systems_conform(ruleset: str, tmp_path: Path) -> None:
    """In a small battle; the random games of each ruleset check the same in the shipped ones."""
    assert conforms(ruleset, scenarios=[small_battle_file(tmp_path)], seeds=[1]) > 10


def test_nonconforming_rules_are_reported_with_their_step(monkeypatch: pytest.MonkeyPatch) -> None:
    from zareba_rulesets.vcc.game import VccGame

    def forgets(self: Any, data: dict[str, Any]) -> Any:
        state = restored(self, data)
        state.turn += 1
        return state

    restored = VccGame.from_data
    monkeypatch.setattr(VccGame, "from_data", forgets)
    with pytest.raises(AssertionError, match=r"patrol_clash, seed 1, step .*does not come back from JSON"):
        conforms("vcc", scenarios=["patrol_clash"], seeds=[1])


def test_the_schemas_are_up_to_date() -> None:
    for name in (*COMMON, *own_models()):
        assert schema_path(name).read_text(encoding="utf-8") == schema_text(name), (
            f"{name}: run python -m zareba.schemas"
        )
    assert SCENARIO.read_text(encoding="utf-8") == json.dumps(scenario_schema(), indent=2) + "\n"


def test_the_numbers_of_every_ruleset_name_their_schema() -> None:
    for name in own_models():
        text = (schema_path(name).parent / "ruleset.yaml").read_text(encoding="utf-8")
        assert text.endswith(f"\n# yaml-language-server: $schema={schema_path(name).name}\n")
