"""`zareba check` finds access to anything outside the game; with --play it plays a house rule and reports its
effects.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from zareba.base.errors import FileError, RuleBroken
from zareba.cli import app
from zareba.cli.author.trials import try_house_rule
from zareba.plugins.static_check import source_faults
from zareba.registry import HouseRule, find_house_rule

HEAD = "from zareba.api import Modifier, hookimpl\n"


@pytest.fixture
def rule(tmp_path: Path) -> Callable[[str], HouseRule]:
    def write(text: str) -> HouseRule:
        file = tmp_path / "club.py"
        file.write_text(HEAD + text, encoding="utf-8")
        return find_house_rule(str(file))

    return write


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ("import random", 2, "'random' uses its own random numbers; roll dice with table.roll"),
        ("def f():\n    from time import monotonic", 3, "'time' reads the clock"),
        ("import datetime as d", 2, "'datetime' reads the clock"),
        ("import os.path", 2, "'os.path' reaches outside the game"),
        (
            "def f():\n    return open('x').read()",
            3,
            r"open\(\) reads or writes a file; .*a StateVariable for storage",
        ),
        ("n = 0\ndef f():\n    global n\n    n += 1", 4, "'global n' is stored outside the game state"),
    ],
)
def test_code_that_uses_files_or_the_network_is_rejected_at_its_line(
    rule: Callable[[str], HouseRule], text: str, line: int, sentence: str
) -> None:
    with pytest.raises(FileError) as error:
        rule(text + "\n@hookimpl\ndef zareba_turn(table):\n    pass\n")
    (found,) = error.value.problems
    assert found.line == line
    assert re.search(sentence, found.message)


def test_code_that_prints_is_reported_by_the_check(
    rule: Callable[[str], HouseRule],
) -> None:
    (found,) = source_faults(rule("@hookimpl\ndef zareba_turn(table):\n    print('here')\n"))
    assert (found.line, found.column) == (4, 5) and "report events with table.emit" in found.message


def test_the_shipped_rules_use_nothing_outside_the_game() -> None:
    from zareba.plugins.entry_points import house_rule_files

    for name in house_rule_files():
        assert source_faults(find_house_rule(name)) == []


def test_check_reports_problems_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "club.py"
    file.write_text(HEAD + "import random\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(file)])
    assert done.exit_code == 1
    assert f"{file}:2:1: house rule 'club': 'random' uses its own random numbers" in done.stderr


def test_check_plays_a_rule_and_reports_its_effects(rule: Callable[[str], HouseRule]) -> None:
    file = rule(
        "@hookimpl\ndef zareba_modifiers():\n"
        "    return {'shooting': [Modifier('dust', 'H-1', 'add', -1, summary='dust')]}\n"
        "@hookimpl\ndef zareba_turn(table, turn, ruleset):\n    table.emit('gong', 'H-1', text=f'turn {turn}')\n"
    ).file
    told = try_house_rule(find_house_rule(str(file)), [], "vcc", 2)
    assert (
        told[0] == "club with vcc: 2 games of patrol_clash by random and 1 by rule-aware players, each repeated exactly"
    )
    assert any(line.startswith("  numbers: fire_dice: dust (") for line in told)
    assert any(line.startswith("  events: gong (") for line in told)
    assert told[1].startswith("  different results: ") and told[-1].startswith("  speed per step: ")


def test_check_reports_a_rule_that_has_no_effect(rule: Callable[[str], HouseRule]) -> None:
    never = rule("@hookimpl\ndef zareba_options(state, question):\n    return None\n")
    assert try_house_rule(never, [], "vcc", 1)[1] == (
        "  it had no visible effect on a number, an event or a result; is it ever used?"
    )


def test_check_finds_a_rule_with_memory_outside_the_game(rule: Callable[[str], HouseRule]) -> None:
    wavers = rule(
        "seen = []\n@hookimpl\ndef zareba_event(table, event):\n"
        "    seen.append(1)\n"
        "    table.state.own['seen'] = len(seen)\n"
    )
    with pytest.raises(RuleBroken, match="did not repeat exactly"):
        try_house_rule(wavers, [], "vcc", 4)


@pytest.mark.parametrize(("band", "turn", "reached"), [("long", 99, False), ("medium", 1, True)])
def test_a_line_of_yaml_counts_only_where_it_applies(tmp_path: Path, band: str, turn: int, reached: bool) -> None:
    """The base number and the rounding of a tally name the file that changed it, but neither counts as its modifier."""
    file = tmp_path / "sun.yaml"
    file.write_text(
        "house_rule: sun\nruleset: vcc\nchanges:\n  - add: tallies.fire_dice.modifiers.sun\n"
        f"    entry: {{rule: H-1, summary: the sun, when: {{game.turn: {{at_least: {turn}}}, band: {band}}}, add: 1}}\n",
        encoding="utf-8",
    )
    told = "\n".join(try_house_rule(find_house_rule(str(file)), [], "vcc", 2))
    assert ("is it ever used?" in told) is not reached
    assert ("fire_dice: the sun" in told) is reached
    assert "bases" not in told and "rounded" not in told
