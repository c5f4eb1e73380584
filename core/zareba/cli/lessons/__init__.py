"""The tutorial: a small battle in which the prompt teaches itself, lesson by lesson, and a rule system step by step."""

from __future__ import annotations

from importlib import resources

from zareba.cli.lessons.primer import Primer, read_primer
from zareba.cli.lessons.teacher import Teacher
from zareba.scenario import Scenario
from zareba.scenario.load import parse_scenario

__all__ = ["Primer", "Teacher", "first_steps", "read_primer"]


def first_steps() -> Scenario:
    """The battle in which is taught."""
    file = resources.files("zareba.cli.lessons") / "first_steps.yaml"
    return parse_scenario(file.read_text(encoding="utf-8"), file.name)
