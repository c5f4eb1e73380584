"""House rules written for the last release still load and play, with a warning that names today's name."""

from __future__ import annotations

import logging
from importlib import import_module
from pathlib import Path

import pytest

from zareba.plugins import hooks
from zareba.registry import find_house_rule, load_rules
from zareba.renamed import API, HOOKS, warn_renamed
from zareba.testing import play

OLD = """
from zareba.api import {imports}

dug = Kept("dug", False, words="dug in")


def dig_in(table, battle, question):
    dug[table, question.actor] = True


@hookimpl
def zareba_options(question):
    if question.why != "fire at":
        return None
    return [*question.options, Offer("dig in", dig_in, then="hold fire")]


@hookimpl
def zareba_appraise(state, question, option):
    return Appraisal(steadies=50.0, reason="cover") if option == "dig in" else None
"""


@pytest.fixture(autouse=True)
def forget_warnings() -> None:
    warn_renamed.cache_clear()


@pytest.mark.parametrize("imports", ["Appraisal, Kept, Offer, hookimpl", "*"])
def test_an_old_house_rule_still_plays(tmp_path: Path, caplog: pytest.LogCaptureFixture, imports: str) -> None:
    file = tmp_path / "old_digging.py"
    file.write_text(OLD.format(imports=imports))
    with caplog.at_level(logging.WARNING, logger="zareba"):
        rule = find_house_rule(str(file))
        assert load_rules("vcc", house_rules=[rule]).house_rules == ("old_digging",)
    assert "zareba.api.Kept is now called StateVariable" in caplog.text
    assert "the hook zareba_appraise is now called zareba_evaluate" in caplog.text
    assert play(file, ruleset="vcc", seed=2).turns > 1


def test_every_old_name_is_one_of_today() -> None:
    for module, names in API.items():
        public = import_module(module)
        for old, new in names.items():
            assert getattr(public, old) is getattr(public, new)
        with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
            _ = public.Nothing
    assert all(hasattr(hooks, new) for new in HOOKS.values())
