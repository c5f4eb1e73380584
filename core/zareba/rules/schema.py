"""The schema that every `ruleset.yaml` shares: head, settings, sequence of play and tallies.

A ruleset derives its own file model from `RulesetFile` and adds its profiles, weapons and charts. Repeated entries are
keyed by id, so that a house rule can reach every value by a path.

Types reject impossible numbers: `Faces`, `Count`, `Length` and the others below. A limit that depends on a second
number (a score above the faces of its die, bands out of order) is checked by `in_order` of the model that holds both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
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

from zareba.base.errors import unknown_name
from zareba.chance import MOST_DICE
from zareba.rules.settings import Setting
from zareba.scenario.unsupported import SupportedWords
from zareba.scenario.vocabulary.words import Word, known_word

MOST_ADDED = MOST_DICE
"""The largest amount that a line of a tally may add, multiply by or set, positive or negative: no roll has more dice.
"""

Number = Annotated[StrictInt | StrictFloat, Field(ge=-MOST_ADDED, le=MOST_ADDED)]

Faces = Annotated[StrictInt, Field(ge=2, le=100)]
"""The number of faces of a die. An entry that may have none uses `Faces | Literal[0]`."""

Score = Annotated[StrictInt, Field(ge=1, le=100)]
"""A number on a die, rolled or needed."""

Dice = Annotated[StrictInt, Field(ge=0, le=100)]
"""The number of dice rolled at once for a single reason."""

Count = Annotated[StrictInt, Field(ge=0, le=1000)]
"""A number of things: figures, shots, points, turns, boxes, hexes."""

PositiveInt = Annotated[StrictInt, Field(ge=1, le=1000)]
"""A number of things, at least 1."""

Adjustment = Annotated[StrictInt, Field(ge=-100, le=100)]
"""An amount added to a die or a score, or subtracted if negative."""

Length = Annotated[StrictInt | StrictFloat, Field(ge=0, le=1000)]
"""A range, move or gap, in the unit of the ruleset."""

Degrees = Annotated[StrictInt | StrictFloat, Field(ge=0, le=360)]
"""An arc or a turn."""

Chance = Annotated[StrictInt | StrictFloat, Field(ge=0, le=1)]
"""A probability or a share, from 0 to 1."""


_NUMBER = re.compile(r"[-+]?[0-9]{1,9}(\.[0-9]{1,9}|/0{0,8}[1-9][0-9]{0,8})?")


def _check_amount(written: int | float | str) -> int | float | str:
    """Return an amount after a check of its limits; text that starts like a number must be a number."""
    if isinstance(written, str):
        if not written.lstrip("-+")[:1].isdigit():
            return written
        if not _NUMBER.fullmatch(written):
            raise ValueError(f"'{written[:40]}' is not a number; write 2, 1/2, 1.5 or the name of a fact")
    number: float | Fraction = Fraction(written) if isinstance(written, str) else written
    if not -MOST_ADDED <= number <= MOST_ADDED:
        raise ValueError(f"a tally cannot be changed by {written}; keep it within {MOST_ADDED:,} either way")
    return written


_Amount = Annotated[StrictInt | StrictFloat | StrictStr, AfterValidator(_check_amount)]
Scalar = StrictBool | Number | StrictStr
Conditions: TypeAlias = dict[
    str, Scalar | dict[Literal["at_least", "at_most", "more_than", "less_than", "not"], Scalar]
]


def all_of(*names: str) -> AfterValidator:
    """Mark a mapping in which play looks up these entries, so that a house rule that removes one is rejected."""

    def check(entries: dict[Any, Any]) -> dict[Any, Any]:
        if missing := [name for name in names if name not in entries]:
            raise ValueError(f"play needs {', '.join(missing)}; change the entries, but keep them")
        return entries

    return AfterValidator(check)


def every_word(table: Mapping[str, Word], names: Iterable[str] = ()) -> AfterValidator:
    """Mark a mapping that says what each word of the vocabulary is in these rules: all of a table, or these `names` of
    it.

    A word without an entry has the entry of the word that it is `like`. Unknown words, and words that are left without
    an entry, are rejected.
    """
    wanted = tuple(names) or tuple(table)

    def check(entries: dict[str, Any]) -> dict[str, Any]:
        for word in entries:
            if word not in table:
                raise ValueError(str(unknown_name("word of scenarios called", word, wanted)))
        entry_of = {word: entries.get(known_word(word, table, entries)) for word in wanted}
        if missing := [f"{word} ({table[word].meaning})" for word in wanted if entry_of[word] is None]:
            raise ValueError(
                f"play needs {', '.join(missing)}; change the entries, but keep them, and add one for each new word"
            )
        return {**entries, **{word: entry for word, entry in entry_of.items() if word not in entries}}

    return AfterValidator(check)


def check_order(order: str, entries: Any) -> None:
    """Raise ValueError for numbers out of order. In `short <= medium <= long`, no number is less than the one before
    it; with `<`, each is greater.

    Names may be paths, as in `halt.most <= walk.most`; a missing number is skipped.
    """
    paths, strictly = _parse_order(order)
    numbers = [(path, number) for path in paths if (number := _number_at(entries, path)) is not None]
    for (first_path, first), (second_path, second) in pairwise(numbers):
        if first > second or (strictly and first == second):
            actual = (
                f"{_yaml_names(entries, first_path)} is {first:g} and {_yaml_names(entries, second_path)} is {second:g}"
            )
            raise ValueError(f"{actual}, but the order must be {_yaml_names(entries, order)}")


@lru_cache(maxsize=1024)
def _parse_order(order: str) -> tuple[tuple[str, ...], bool]:
    """Return the paths of an order, and True if each number must be greater than the one before it."""
    return tuple(re.split(r" <=? ", order)), "<=" not in order


def _number_at(entries: Any, path: str) -> Any:
    """Return the number at a path; None if it is missing."""
    value = entries
    for name in path.split("."):
        value = value[name] if isinstance(value, Mapping) else getattr(value, name)
    return float(value) if isinstance(value, Fraction) else value


def _yaml_names(entries: Any, words: str) -> str:
    """Return a text with the names of fields as they are written in YAML."""
    fields = type(entries).model_fields if isinstance(entries, BaseModel) else {}
    return " ".join(fields[word].alias or word if word in fields else word for word in words.split())


class Book(BaseModel):
    """Base class of the models of a ruleset's YAML: unknown keys are errors, values are never converted.

    `in_order` lists orders of numbers, in the form that `check_order` reads.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    in_order: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="after")
    def _numbers_in_order(self) -> Self:
        for order in self.in_order:
            check_order(order, self)
        return self


class WithRule(Book):
    """An entry with the id of the rule it comes from."""

    rule: StrictStr


class ModifierEntry(Book):
    """One line of a tally: exactly one operation, with a condition on facts and `setting.NAME`.

    `before`: id of the line before which this one applies; by default lines apply in the order written.
    """

    rule: StrictStr
    summary: StrictStr
    before: StrictStr = ""
    when: Conditions = {}
    add: _Amount | None = None
    times: _Amount | None = None
    set: _Amount | None = None
    at_least: _Amount | None = None
    at_most: _Amount | None = None

    @model_validator(mode="after")
    def _one_operation(self) -> ModifierEntry:
        if len(self.operations) != 1:
            raise ValueError("a modifier needs exactly one of add, times, set, at_least, at_most")
        return self

    @property
    def operations(self) -> dict[str, int | float | str]:
        """The operation and its amount, as a dict with one entry."""
        written = {
            "add": self.add,
            "times": self.times,
            "set": self.set,
            "at_least": self.at_least,
            "at_most": self.at_most,
        }
        return {verb: amount for verb, amount in written.items() if amount is not None}


Decides: TypeAlias = Literal["shooting", "melee", "morale", "movement", "range"]
"""The effect of a number in terms common to all systems; house rules for several systems refer to it by these words."""


class TallyEntry(Book):
    """The definition of a number with its reasons: the fact it starts from, its modifiers in order, its rounding.

    `decides`: what the number decides, in terms common to all systems. `better`: direction that is good for the unit.
    """

    rule: StrictStr
    unit: StrictStr
    base: StrictStr
    round: Literal["up", "down", "half_up", "none"] = "none"
    decides: Decides | None = None
    better: Literal["higher", "lower"] = "higher"
    modifiers: dict[str, ModifierEntry]


class PhaseEntry(Book):
    """One phase of a turn: its step, its side and its stages. Rulesets with another activation policy leave it out.

    With `each: unit`, policies that activate units take one unit after another through the stages.
    """

    rule: StrictStr
    title: StrictStr
    step: StrictStr
    side: StrictStr | None = None
    each: Literal["", "unit"] = ""
    stages: Annotated[list[StrictStr], Field(min_length=1)]


class Sides(Book):
    """The number of sides that a system is played by, if its book fixes it."""

    rule: StrictStr
    count: Annotated[StrictInt, Field(ge=2, le=8)]


class ConditionalEntry(Book):
    """A conditional value: while the conditions hold (`game.turn`, `unit.is.prone`, state variables), the path `at` has
    the value `to`.

    `by`: house rule, or rule of the book, that it comes from.
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
    conditional_values: dict[StrictStr, ConditionalEntry] = {}
    supported_words: SupportedWords = SupportedWords()
