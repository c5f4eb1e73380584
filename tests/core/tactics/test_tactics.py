"""Tactical positions: files are read and checked, games are judged, and the suite covers every ruleset."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems import each_ruleset

from zareba.base.errors import FileError
from zareba.registry import ruleset_names
from zareba.tactics import Position, all_positions, play_position, read_position

LAST_TURN = """\
title: Step onto the knoll
teaches: The knoll is one move away and the battle ends.
changes:
  turns: 1
  units:
    rifles: {like: rifles, side: blue, position: [21, 9], facing: north}
    pickets: {like: warriors, side: red, position: [45, 33], facing: south}
  objectives:
    knoll: {kind: hold, name: The knoll, points: 4, at: [21, 15], radius: 3}
player: blue
turns: 1
seeds: 2
good:
  - {holds: knoll}
"""


def position_of(tmp_path: Path, text: str) -> Position:
    file = tmp_path / "own_position.yaml"
    file.write_text(text, encoding="utf-8")
    return read_position(file)


def problems(tmp_path: Path, old: str, new: str) -> str:
    with pytest.raises(FileError) as error:
        position_of(tmp_path, LAST_TURN.replace(old, new))
    return str(error.value)


def test_a_position_is_a_scenario_with_changes(tmp_path: Path) -> None:
    position = position_of(tmp_path, LAST_TURN)
    scenario = position.scenario
    assert position.id == scenario.id == "own_position"
    assert scenario.turns == 1 and list(scenario.units) == ["rifles", "pickets"]
    assert scenario.units["rifles"].weapon == "breech_rifle", "from the entry of troops.yaml"
    assert scenario.leaders["blue_captain"].unit == "rifles", "a side without a leader gets one"
    shipped = position_of(tmp_path, LAST_TURN.partition("changes:")[0] + "from: patrol_clash\n" + (
        "changes: {turns: 3, units: {mountain_gun: null}}\nplayer: patrol\nturns: 3\ngood: [{holds: village_held}]\n"
    ))  # fmt: skip
    assert shipped.scenario.turns == 3 and "mountain_gun" not in shipped.scenario.units
    assert shipped.scenario.units["sikhs"].quality == "veteran", "everything else is as shipped"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("player: blue", "player: blu", "there is no side 'blu'; did you mean 'blue'?"),
        ("turns: 1\nseeds", "enemy: doctrin\nturns: 1\nseeds", "did you mean 'doctrine'?"),
        ("like: rifles", "like: rifle", "did you mean 'rifles'?"),
        ("holds: knoll}", "holds: knol}", "did you mean 'knoll'?"),
        ("holds: knoll}", "holds: knoll, lead: 2}", "exactly one of holds, scores, lead"),
        ("{holds: knoll}", "{near: knoll}", "'near' measures from a unit; add 'unit'"),
        ("seeds: 2", "seeds: 2\nneeds: 3", "'needs' is 3, more than the number of games ('seeds'), 2"),
        ("good:\n  - {holds: knoll}\n", "", "needs a condition under 'good' or 'blunder'"),
        ("title", "from: river_fort\ntitle", "did you mean 'river_ford'?"),
        ("seeds: 2", "rulesets: [vvc]", "did you mean 'vcc'?"),
        ("facing: north", "facing: up", "facing"),
    ],
)
def test_bad_input_gets_a_sentence_at_its_line(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in LAST_TURN
    said = problems(tmp_path, old, new)
    assert sentence in said and "own_position.yaml:" in said


def test_a_fault_of_the_scenario_is_reported_at_the_change(tmp_path: Path) -> None:
    said = problems(tmp_path, "position: [21, 9]", "position: [21, 99]")
    line = LAST_TURN.splitlines().index(next(text for text in LAST_TURN.splitlines() if "rifles:" in text)) + 1
    assert f"own_position.yaml:{line}:" in said and "units.rifles.position" in said


def test_good_results_and_blunders_are_distinguished(tmp_path: Path) -> None:
    position = position_of(tmp_path, LAST_TURN)
    good = play_position(position, "vcc", "doctrine")
    assert good.passed and good.good == 2 and good.what == "holds the knoll"
    idle = position_of(tmp_path, LAST_TURN.replace("[{holds", "").replace("  - {holds: knoll}", (
        "  - {chooses: fly}\nblunder:\n  - {holds: knoll}"
    )))  # fmt: skip
    bad = play_position(idle, "vcc", "doctrine")
    assert not bad.passed and bad.what == "blunder: holds the knoll; not achieved: chooses 'fly'"
    assert play_position(idle, "vcc", "doctrine") == bad, "the dice of a position never change"


def test_conditions_count_turns_choices_losses_and_places(tmp_path: Path) -> None:
    conditions = """\
good:
  - {unit: rifles, near: [21, 15], within: 5}
  - {unit: rifles, near: knoll, within: 5, when: always}
  - {unit: rifles, near: pickets, within: 5, not: true}
  - {unit: rifles, strength: 1.0}
  - {side: red, strength: 1.0}
  - {side: red, losses: 0.1, not: true}
  - {scores: knoll}
  - {lead: 4}
  - {chooses: go, unit: rifles, question: move, by_turn: 1}
  - {chooses: go, target: pickets, not: true}
"""
    position = position_of(tmp_path, LAST_TURN.partition("good:")[0] + conditions)
    result = play_position(position, "vcc", "doctrine")
    assert result.passed, result.what


def test_marks_are_put_on_before_the_first_turn(tmp_path: Path) -> None:
    text = LAST_TURN.replace("seeds: 2", "seeds: 2\nmarks: {rifles: [prone, lying]}").replace(
        "holds: knoll", "chooses: get up"
    )
    assert play_position(position_of(tmp_path, text), "vcc", "doctrine").passed


def test_a_position_is_played_with_its_settings(tmp_path: Path) -> None:
    text = LAST_TURN.replace("pickets:", "gun: {like: gun, side: blue, position: [27, 9], facing: north}\n    pickets:")
    text = text.replace("{holds: knoll}", "{unit: gun, strength: 1}")
    settings = '\nsettings: {extensions.support_weapons: "on"}\n'
    assert not play_position(position_of(tmp_path, text), "risk_factor", "doctrine").passed, "guns take no part"
    assert play_position(position_of(tmp_path, text + settings), "risk_factor", "doctrine").passed


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_position_can_be_read_and_its_units_are_played(ruleset: str) -> None:
    positions = all_positions(ruleset)
    assert len({position.id for position in positions}) == len(positions), "each position has its own name"
    assert len(positions) >= 40
    for found_position in positions:
        assert found_position.file.player in found_position.scenario.sides and found_position.file.teaches


def test_at_least_sixty_positions_exist() -> None:
    assert len({position.id for name in ruleset_names() for position in all_positions(name)}) >= 60


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_random_player_makes_mistakes(ruleset: str) -> None:
    """A position that any player passes tests nothing; this one needs a plan."""
    (needs_plan,) = [position for position in all_positions(ruleset) if position.id == "march_round_the_lake"]
    assert not play_position(needs_plan, ruleset, "random").passed


@pytest.mark.deep
@pytest.mark.parametrize(
    ("ruleset", "share"),
    [("vcc", 0.95), ("afriboria", 0.85), ("fixed_baynet", 0.6), ("paychest", 0.6), ("risk_factor", 0.85)],
)
def test_doctrine_passes_most_positions(ruleset: str, share: float) -> None:
    """The whole suite; the last results are in docs/reference/tactics.md. A weaker doctrine fails here."""
    results = [play_position(position, ruleset, "doctrine") for position in all_positions(ruleset)]
    failed = [f"{result.position.id}: {result.what}" for result in results if not result.passed]
    assert len(failed) <= (1 - share) * len(results), "\n".join(failed)
