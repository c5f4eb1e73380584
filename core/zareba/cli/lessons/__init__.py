"""The tutorial: a small battle that teaches the prompt lesson by lesson, and a ruleset step by step."""

from __future__ import annotations

from importlib import resources

from zareba.cli.lessons.primer import Primer, read_primer
from zareba.cli.lessons.teacher import Teacher
from zareba.scenario import Scenario
from zareba.scenario.load import parse_scenario

__all__ = ["Primer", "Teacher", "first_steps", "read_primer"]


def first_steps() -> Scenario:
    """Return the tutorial scenario."""
    file = resources.files("zareba.cli.lessons") / "first_steps.yaml"
    return parse_scenario(file.read_text(encoding="utf-8"), file.name)
