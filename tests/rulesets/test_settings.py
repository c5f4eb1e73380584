"""Every setting that play reads exists in `ruleset.yaml`. Settings are attributes that no type checker knows."""

from __future__ import annotations

import re

import pytest

from zareba.registry import load_rules, ruleset_names
from zareba.rules import Settings

READ = re.compile(r"\bsettings\.(\w+)")


@pytest.mark.parametrize("name", ruleset_names())
def test_every_setting_that_play_reads_is_one_of_the_ruleset(name: str) -> None:
    rules = load_rules(name)
    known = {*vars(Settings(rules.settings)), "with_changes"}
    read = {
        (setting, str(file.relative_to(rules.ruleset.folder)))
        for file in rules.ruleset.folder.rglob("*.py")
        for setting in READ.findall(file.read_text(encoding="utf-8"))
    }
    assert len(read) > 30
    assert {(setting, file) for setting, file in read if setting not in known} == set()
