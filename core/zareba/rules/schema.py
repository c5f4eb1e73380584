"""What every `ruleset.yaml` has: its head, settings, sequence of play and tallies.

A ruleset derives its own file model from `RulesetFile` and adds its profiles, weapons and tables. Everything that
repeats is keyed by id, so that a house rule can reach every value by a path.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, StrictBool, StrictFloat, StrictInt, StrictStr

from zareba.rules.settings import Setting

__all__ = ["Book", "ModifierEntry", "PhaseEntry", "RulesetFile", "TallyEntry"]

Amount = StrictInt | StrictFloat | StrictStr
Scalar = StrictBool | StrictInt | StrictFloat | StrictStr


class Book(BaseModel):
    """The base of every model of a ruleset's YAML: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ModifierEntry(Book):
    """One line of a tally: exactly one operation, under a condition over facts and `setting.NAME`.

    `before` is the id of the line ahead of which it is applied; without it the order of writing counts.
    """

    rule: StrictStr
    summary: StrictStr
    before: StrictStr = ""
    when: dict[str, Scalar | dict[Literal["at_least", "at_most", "more_than", "less_than", "not"], Scalar]] = {}
    add: Amount | None = None
    times: Amount | None = None
    set: Amount | None = None
    at_least: Amount | None = None
    at_most: Amount | None = None


class TallyEntry(Book):
    """A number with its reasons: the fact it starts from, its modifiers in order, its rounding."""

    rule: StrictStr
    unit: StrictStr
    base: StrictStr
    round: Literal["up", "down", "half_up", "none"] = "none"
    modifiers: dict[str, ModifierEntry]


class PhaseEntry(Book):
    """One phase of a turn: what is done, by which side, in which stages. Rulesets with other policies leave it out."""

    rule: StrictStr
    title: StrictStr
    step: StrictStr
    side: StrictStr | None = None
    stages: list[StrictStr]


class RulesetFile(Book):
    """The head and the sections that all rulesets share."""

    ruleset: StrictStr
    title: StrictStr
    authors: list[StrictStr]
    version: StrictStr
    space: Literal["hexes", "boxes", "free"]
    length: StrictStr
    activation: StrictStr
    settings: dict[str, Setting]
    sequence: dict[str, PhaseEntry] = {}
    tallies: dict[str, TallyEntry] = {}
