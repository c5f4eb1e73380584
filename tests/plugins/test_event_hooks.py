"""Event hooks: a rule can listen for every event a game emits, and an event that is never emitted is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.systems import each_ruleset

from zareba.base.errors import FileError
from zareba.registry import find_house_rule, load_rules
from zareba.testing import play

HEARS = """
from zareba.api import hookimpl

HEARD = {heard!r}

@hookimpl
def zareba_event(event):
    if event.kind in HEARD:
        pass
"""


def hears(at: Path, *kinds: str, more: str = "") -> Path:
    file = at / "hears.py"
    file.write_text(more + HEARS.format(heard=kinds), encoding="utf-8")
    return file


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_house_rules_may_listen_for_every_event(tmp_path: Path, ruleset: str) -> None:
    short = {"short_evening.turns": 1}
    told = play("short_evening", ruleset=ruleset, seed=5, player="doctrine", settings=short).event_counts
    assert len(told) > 3
    load_rules(ruleset, None, [find_house_rule(str(hears(tmp_path, *told, "note", "umpire")))])


def test_a_rule_for_several_systems_may_listen_for_an_event_of_one(tmp_path: Path) -> None:
    """Only Risk-Factor and Fixed Bay'net emit "blow"; a rule for VCC alone would never receive it."""
    load_rules("vcc", None, [find_house_rule(str(hears(tmp_path, "blow", more="RULESETS = ('vcc', 'risk_factor')\n")))])
    load_rules("vcc", None, [find_house_rule(str(hears(tmp_path, "blow")))])
    with pytest.raises(
        FileError, match=r"hears.py:5:\d+: house rule 'hears' listens for 'blow', which is never emitted"
    ):
        load_rules("vcc", None, [find_house_rule(str(hears(tmp_path, "blow", more="RULESETS = ('vcc',)\n")))])


def test_a_rule_receives_events_of_another(tmp_path: Path) -> None:
    crier = tmp_path / "crier.py"
    crier.write_text(
        "from zareba.api import hookimpl\n\n@hookimpl\ndef zareba_turn(table):\n    table.emit('hear ye', 'H-1')\n",
        encoding="utf-8",
    )
    hearer = hears(tmp_path, "hear ye")
    load_rules("vcc", None, [find_house_rule(str(file)) for file in (crier, hearer)])
    with pytest.raises(FileError, match="listens for 'hear ye'"):
        load_rules("vcc", None, [find_house_rule(str(hearer))])
