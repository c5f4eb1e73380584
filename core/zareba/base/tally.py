"""Modifier breakdowns (tallies): numbers with the reasons for them.

A tally starts from one fact and applies ordered modifiers, each with a rule id and a condition on the facts, to reach
a total. The modifiers are data (the section `tallies` of a ruleset) or come from house rules. Totals are exact
fractions until a single rounding at the end. The parts that explain a total are computed only on request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, Literal, TypeAlias

from zareba.base.errors import unknown_name
from zareba.base.grammar import with_unit

Number: TypeAlias = "int | Fraction"
Rounding = Literal["up", "down", "half_up", "none"]
Operation = Literal["add", "times", "set", "at_least", "at_most"]
_Test: TypeAlias = "Callable[..., bool]"


_BASES = {"printed": "printed value", "row": "row of the chart"}
"""The names of bases whose ids do not say enough as a reason."""


@dataclass(frozen=True, slots=True)
class Modifier:
    """One line of a modifier breakdown. `amount` is a number or a function of the facts; `when` None means always.

    House rules may use more forms, which `zareba.rules.tallies` converts when it adds the line: `when` as conditions
    in YAML, functions of the facts and the context, dice (`DiceResult`) as the amount.

    `source` names the origin: the ruleset's file and line, or the house rule. `before` is the id of the line to insert
    this one ahead of; by default it goes last.
    """

    id: str
    rule: str
    operation: Operation
    amount: Any
    when: Any = None
    summary: str = ""
    source: str = ""
    before: str = ""

    def apply(self, number: Number, facts: Any) -> Number:
        """Return the number after this line, assuming that its condition holds."""
        amount: Number = self.amount(facts) if callable(self.amount) else self.amount
        if self.operation == "add":
            return number + amount
        if self.operation == "times":
            return number * amount
        if self.operation == "set":
            return amount
        return max(number, amount) if self.operation == "at_least" else min(number, amount)


@dataclass(frozen=True, slots=True)
class TallyPart:
    """One part of a modifier breakdown: the change it made, and the running number after it."""

    id: str
    rule: str
    change: str
    running: Number
    summary: str
    source: str

    @property
    def in_words(self) -> str:
        """The change with its reason: "+1 target mounted", or "rounded up"."""
        return f"{self.change} {self.summary}".rstrip()


@dataclass(frozen=True, slots=True)
class TallyRule:
    """The definition of a tally: its base fact, its modifiers in order, its rounding. `rule` is the id of the rule that
    uses it.
    """

    name: str
    rule: str
    unit: str
    base: str
    round: Rounding
    modifiers: tuple[Modifier, ...]
    source: str = ""

    def total(self, facts: Any) -> int:
        """Return the number for these facts."""
        number: Number = getattr(facts, self.base)
        for modifier in self.modifiers:
            if modifier.when is None or modifier.when(facts):
                number = modifier.apply(number, facts)
        total: int = round_to(number, self.round)
        return total

    def parts(self, facts: Any) -> list[TallyPart]:
        """Return the parts in order: the base, each line that applied, and the rounding if it changed anything."""
        number: Number = getattr(facts, self.base)
        # A fact of two letters is an abbreviation of the rulebook, such as DS.
        name = self.base.upper() if len(self.base) <= 2 else _BASES.get(self.base, self.base.replace("_", " "))
        if number == 1 and name not in _BASES.values():
            name = with_unit(1, name).partition(" ")[2]  # 1 base, not 1 bases
        found = [TallyPart(self.base, self.rule, str(number), number, name, self.source)]
        for line in self.modifiers:
            if line.when is None or line.when(facts):
                before, number = number, line.apply(number, facts)
                if line.operation in ("add", "at_least", "at_most") and before == number:
                    continue
                amount = line.amount(facts) if callable(line.amount) else line.amount
                found.append(
                    TallyPart(line.id, line.rule, _change(line.operation, amount), number, line.summary, line.source)
                )
        rounded = round_to(number, self.round)
        if rounded != number:
            found.append(TallyPart("rounded", self.rule, f"rounded {self.round}", rounded, "", self.source))
        return found


@dataclass(frozen=True, slots=True)
class Tally:
    """A modifier breakdown in one situation: the total, and its parts on request."""

    rule: TallyRule
    facts: Any
    total: int

    def parts(self) -> list[TallyPart]:
        """Return the parts of the total, in the order in which they were applied."""
        return self.rule.parts(self.facts)


def round_to(number: Number, rounding: Rounding) -> Any:
    """Round `number` once: up, down, to the nearest with halves up, or not at all."""
    if isinstance(number, int) or rounding == "none":
        return number
    if rounding == "up":
        return ceil(number)
    return floor(number) if rounding == "down" else floor(number + Fraction(1, 2))


def _change(operation: Operation, amount: Number) -> str:
    if operation == "add":
        return f"+{amount}" if amount >= 0 else str(amount)
    return f"{ {'times': 'x ', 'set': '= ', 'at_least': 'at least ', 'at_most': 'at most '}[operation] }{amount}"


# --- conditions -------------------------------------------------------------------------------------------------------

_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "at_least": lambda fact, value: fact >= value,
    "at_most": lambda fact, value: fact <= value,
    "more_than": lambda fact, value: fact > value,
    "less_than": lambda fact, value: fact < value,
    "not": lambda fact, value: fact != value,
    "in": lambda fact, value: fact in value,
}


def compile_when(when: Mapping[str, Any]) -> _Test:
    """Return a test that is true if every named fact has its value or passes its comparisons (`at_least`, `in` ...).

    Raises ZarebaError with the most similar name for an unknown comparison.
    """
    tests: list[tuple[str, Callable[[Any, Any], bool] | None, Any]] = []
    for fact, wanted in when.items():
        if isinstance(wanted, Mapping):
            for comparison, value in wanted.items():
                if comparison not in _COMPARISONS:
                    raise unknown_name("comparison", str(comparison), _COMPARISONS)
                tests.append((fact, _COMPARISONS[comparison], value))
        else:
            tests.append((fact, None, wanted))

    def holds(facts: Any) -> bool:
        for fact, compare, value in tests:
            found = getattr(facts, fact)
            if not (found == value if compare is None else compare(found, value)):
                return False
        return True

    return holds


def fact_or_number(amount: str | int | float) -> Number | Callable[[Any], Number]:
    """Parse an amount written in YAML: 2, 1/2, 1.5, or the name of a fact that holds the number."""
    if isinstance(amount, str) and not amount.lstrip("-+")[:1].isdigit():
        name = amount.lstrip("-")
        sign = -1 if amount.startswith("-") else 1
        return lambda facts: sign * getattr(facts, name)
    number = Fraction(str(amount))
    return number.numerator if number.denominator == 1 else number


def as_lines(modifiers: Sequence[Modifier]) -> tuple[Modifier, ...]:
    """Return modifiers in the order in which they apply; raise ValueError if two share an id or if `before` names an
    unknown line.
    """
    seen: dict[str, Modifier] = {}
    for modifier in modifiers:
        if modifier.id in seen:
            raise ValueError(f"two modifiers are called '{modifier.id}': {seen[modifier.id].source}, {modifier.source}")
        seen[modifier.id] = modifier
    lines = [modifier for modifier in modifiers if not modifier.before]
    for modifier in modifiers:
        if modifier.before:
            at = next((index for index, line in enumerate(lines) if line.id == modifier.before), None)
            if at is None:
                raise ValueError(f"'{modifier.id}' has before: '{modifier.before}', which is not a line of this tally")
            lines.insert(at, replace(modifier, before=""))
    return tuple(lines)
