"""What every `ruleset.yaml` has: its head, settings, sequence of play and tallies.

A ruleset derives its own file model from `RulesetFile` and adds its profiles, weapons and tables. Everything that
repeats is keyed by id, so that a house rule can reach every value by a path.

Numbers that cannot be are refused by their types: `Faces`, `Count`, `Length` and the others below. What hangs on a second
number (a score that no face of its die reaches, bands out of order) is for the model in which both stand: its `in_order`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

from zareba.chance.dice import MOST_DICE
from zareba.rules.settings import Setting
from zareba.scenario.unsupported import SupportedWords

__all__ = [
    "MOST_ADDED",
    "Adjustment",
    "Book",
    "Chance",
    "ConditionalEntry",
    "Conditions",
    "Count",
    "Decides",
    "Degrees",
    "Dice",
    "Faces",
    "Length",
    "ModifierEntry",
    "PhaseEntry",
    "RulesetFile",
    "Score",
    "Some",
    "TallyEntry",
    "WithRule",
    "all_of",
    "check_order",
]

MOST_ADDED = MOST_DICE
"""No line of a tally adds, multiplies by or sets more than this, either way: no roll has more dice."""

Number = Annotated[StrictInt | StrictFloat, Field(ge=-MOST_ADDED, le=MOST_ADDED)]

Faces = Annotated[StrictInt, Field(ge=2, le=100)]
"""The faces of a die. Where an entry may have none, `Faces | Literal[0]`."""

Score = Annotated[StrictInt, Field(ge=1, le=100)]
"""What a die shows, or has to show."""

Dice = Annotated[StrictInt, Field(ge=0, le=100)]
"""How many dice are thrown at once, for a single reason."""

Count = Annotated[StrictInt, Field(ge=0, le=1000)]
"""How many there are of something: men, shots, points, turns, boxes, hexes."""

Some = Annotated[StrictInt, Field(ge=1, le=1000)]
"""How many there are of something that is there."""

Adjustment = Annotated[StrictInt, Field(ge=-100, le=100)]
"""What is added to a die or a score, or taken off it."""

Length = Annotated[StrictInt | StrictFloat, Field(ge=0, le=1000)]
"""A range, a move, a gap: in the unit of its ruleset."""

Degrees = Annotated[StrictInt | StrictFloat, Field(ge=0, le=360)]
"""An arc or a turn."""

Chance = Annotated[StrictInt | StrictFloat, Field(ge=0, le=1)]
"""A chance, or a share of something: from none of it to all."""


_WRITTEN = re.compile(r"[-+]?[0-9]{1,9}(\.[0-9]{1,9}|/0{0,8}[1-9][0-9]{0,8})?")


def _amount(written: int | float | str) -> int | float | str:
    """An amount within bounds; text that begins as a number must be one."""
    if isinstance(written, str):
        if not written.lstrip("-+")[:1].isdigit():
            return written
        if not _WRITTEN.fullmatch(written):
            raise ValueError(f"'{written[:40]}' is no number; write 2, 1/2, 1.5 or the name of a fact")
    number: float | Fraction = Fraction(written) if isinstance(written, str) else written
    if not -MOST_ADDED <= number <= MOST_ADDED:
        raise ValueError(f"a tally is not changed by {written}; keep it within {MOST_ADDED:,} either way")
    return written


Amount = Annotated[StrictInt | StrictFloat | StrictStr, AfterValidator(_amount)]
Scalar = StrictBool | Number | StrictStr
Conditions: TypeAlias = dict[
    str, Scalar | dict[Literal["at_least", "at_most", "more_than", "less_than", "not"], Scalar]
]


def all_of(*names: str) -> AfterValidator:
    """Marks a mapping of which play looks up these entries: no house rule takes one of them out."""

    def check(entries: dict[Any, Any]) -> dict[Any, Any]:
        if lacking := [name for name in names if name not in entries]:
            raise ValueError(f"play needs {', '.join(lacking)}; change what lies there, but keep it")
        return entries

    return AfterValidator(check)


def check_order(order: str, entries: Any) -> None:
    """Refuse numbers out of order. `short <= medium <= long`: none is less than the one before it; `<`: each is more.

    What stands there may lie deeper, `halt.most <= walk.most`; a number that is not there is passed over.
    """
    paths, strictly = _order(order)
    there = [(path, number) for path in paths if (number := _number_at(entries, path)) is not None]
    for (first, less), (second, more) in pairwise(there):
        if less > more or (strictly and less == more):
            told = f"{_written(entries, first)} is {less:g} and {_written(entries, second)} is {more:g}"
            raise ValueError(f"{told}, where it takes {_written(entries, order)}")


@lru_cache(maxsize=1024)
def _order(order: str) -> tuple[tuple[str, ...], bool]:
    """The paths of an order, and whether each number has to be more than the one before it."""
    return tuple(re.split(r" <=? ", order)), "<=" not in order


def _number_at(entries: Any, path: str) -> Any:
    """The number of some entries at a path."""
    for name in path.split("."):
        entries = entries[name] if isinstance(entries, Mapping) else getattr(entries, name)
    return float(entries) if isinstance(entries, Fraction) else entries


def _written(entries: Any, words: str) -> str:
    """Words with the names of fields as they are written in YAML."""
    fields = type(entries).model_fields if isinstance(entries, BaseModel) else {}
    return " ".join(fields[word].alias or word if word in fields else word for word in words.split())


class Book(BaseModel):
    """The base of every model of a ruleset's YAML: unknown keys are errors, values never change.

    `in_order`: the numbers of which one may not be more than the other, as `check_order` reads it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    in_order: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _numbers_in_order(self) -> Self:
        for order in self.in_order:
            check_order(order, self)
        return self


class WithRule(Book):
    """An entry with the rule that it comes from."""

    rule: StrictStr


class ModifierEntry(Book):
    """One line of a tally: exactly one operation, under a condition over facts and `setting.NAME`.

    `before` is the id of the line ahead of which it is applied; without it the order of writing counts.
    """

    rule: StrictStr
    summary: StrictStr
    before: StrictStr = ""
    when: Conditions = {}
    add: Amount | None = None
    times: Amount | None = None
    set: Amount | None = None
    at_least: Amount | None = None
    at_most: Amount | None = None

    @model_validator(mode="after")
    def _one_operation(self) -> ModifierEntry:
        if len(self.operations) != 1:
            raise ValueError("a modifier needs exactly one of add, times, set, at_least, at_most")
        return self

    @property
    def operations(self) -> dict[str, int | float | str]:
        """What the line does and by how much: one entry."""
        written = {
            "add": self.add,
            "times": self.times,
            "set": self.set,
            "at_least": self.at_least,
            "at_most": self.at_most,
        }
        return {verb: amount for verb, amount in written.items() if amount is not None}


Decides: TypeAlias = Literal["shooting", "melee", "morale", "movement", "range"]
"""What a number decides, in words that all systems have: house rules for several systems reach it by these."""


class TallyEntry(Book):
    """A number with its reasons: the fact it starts from, its modifiers in order, its rounding.

    `decides` says in a word of all systems what it decides, if anything, and `better` which way it is good for the unit.
    """

    rule: StrictStr
    unit: StrictStr
    base: StrictStr
    round: Literal["up", "down", "half_up", "none"] = "none"
    decides: Decides | None = None
    better: Literal["higher", "lower"] = "higher"
    modifiers: dict[str, ModifierEntry]


class PhaseEntry(Book):
    """One phase of a turn: what is done, by which side, in which stages. Rulesets with other policies leave it out.

    `each: unit` has policies that call units go through the stages with one unit after the other.
    """

    rule: StrictStr
    title: StrictStr
    step: StrictStr
    side: StrictStr | None = None
    each: Literal["", "unit"] = ""
    stages: Annotated[list[StrictStr], Field(min_length=1)]


class Sides(Book):
    """By how many sides a system is played, where its book says so."""

    rule: StrictStr
    count: Annotated[StrictInt, Field(ge=2, le=8)]


class ConditionalEntry(Book):
    """A value that is another while conditions over the situation hold (`game.turn`, `unit.is.prone`, what is kept): what
    stands at the path `at` is then `to`. `by` is the house rule that says so, or a rule of the book.
    """

    at: StrictStr
    to: Any
    when: Conditions
    by: StrictStr = ""


class RulesetFile(Book):
    """The head and the sections that all rulesets share."""

    ruleset: StrictStr
    title: StrictStr
    authors: list[StrictStr]
    version: StrictStr
    space: Literal["hexes", "boxes", "free"]
    length: StrictStr
    activation: StrictStr
    sides: Sides | None = None
    settings: dict[str, Setting]
    sequence: dict[str, PhaseEntry] = {}
    tallies: dict[str, TallyEntry] = {}
    sometimes: dict[StrictStr, ConditionalEntry] = {}
    spoken: SupportedWords = SupportedWords()
