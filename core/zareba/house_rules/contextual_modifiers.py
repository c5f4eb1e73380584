"""Contextual modifiers: lines of a tally that depend on the turn, the unit, state variables or dice, not only on the
facts.

Facts are the inputs that a rulebook names, and totals are cached by facts. A contextual line is evaluated first, in
the current context, and its result is added to the facts. So the total is cached, explained and hashed like any other.
Dice for a line are rolled by the table: odds enumerate their faces and replay repeats them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from zareba.base.errors import ZarebaError, nearest
from zareba.base.tally import Modifier, Number, compile_when
from zareba.chance import SUM, Read, distribution
from zareba.house_rules.state_variables import StateVariable


class ModifierContext(NamedTuple):
    """The context of a number: the state, the unit it belongs to, the unit it concerns, and the game turn.

    `unit` and `target` are None if the rules name none. When odds are computed from facts, they are units of a small
    stand-in state.
    """

    state: Any
    unit: Any = None
    target: Any = None
    turn: int = 0


@dataclass(frozen=True)
class DiceResult:
    """An amount rolled whenever the line applies: `Modifier("gusts", "HOUSE-1", "add", DiceResult(1, 6, times=-1))`.

    It rolls `dice` dice of `sides` faces, reads them as `read` and multiplies the result by `times`.
    """

    dice: int
    sides: int
    read: Read[int] = SUM
    times: Number = 1

    def mean(self) -> Fraction:
        """Return the average amount, for callers that evaluate a number without rolling."""
        weights = distribution(self.dice, self.sides, self.read)
        return self.times * Fraction(sum([face * weight for face, weight in weights.items()]), sum(weights.values()))


def unit_named(state: Any, who: Any) -> Any:
    """Return the unit for a unit record, one of its figures, or the id of either; None if there is none."""
    units = getattr(state, "units", None)
    if who is None or not isinstance(units, dict):
        return None
    name = who if isinstance(who, str) else getattr(getattr(who, "spec", who), "id", None)
    while isinstance(name, str) and name not in units:
        home = next((unit for unit in units.values() if name in _men(unit)), None)
        if home is not None:
            return home
        name = name.rpartition("/")[0] or name.rpartition(".")[0] or name.rpartition(" ")[0] or None
    return units.get(name, who if not isinstance(who, str) else None)


def _men(unit: Any) -> Any:
    men = getattr(unit, "figures", ())
    return men if isinstance(men, (dict, tuple, list)) else ()


class ContextualModifier(NamedTuple):
    """A contextual line: its condition and its amount, both functions of the facts and the context."""

    id: str
    rule: str
    when: Callable[[Any, ModifierContext], bool] | None
    amount: Number | DiceResult | Callable[[Any, ModifierContext], Number]

    def found(self, facts: Any, here: ModifierContext, table: Any) -> Number | None:
        """Return the amount in this context, or None if the line does not apply. Dice are rolled on `table`; without a
        table, the rounded mean is used.
        """
        if here.state is None or (self.when is not None and not self.when(facts, here)):
            return None
        amount = self.amount
        if not isinstance(amount, DiceResult):
            return amount(facts, here) if callable(amount) else amount
        if table is None:
            return round(amount.mean())
        actor = getattr(getattr(here.unit, "spec", here.unit), "id", "")
        why = self.id.replace("_", " ")
        face: int = table.roll(amount.dice, amount.sides, amount.read, why=why, rule=self.rule, actor=actor)
        return amount.times * face


class ContextualModifiers:
    """Facts together with the amounts of the contextual lines of their tally; None for a line that does not apply."""

    __slots__ = ("facts", "found")

    def __init__(self, facts: Any, found: tuple[tuple[str, Number | None], ...]) -> None:
        self.facts = facts
        self.found = found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.facts, name)

    def __hash__(self) -> int:
        return hash((self.facts, self.found))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContextualModifiers) and self.found == other.found and bool(self.facts == other.facts)

    def amount(self, line: str) -> Number | None:
        """Return the amount of a contextual line, or None."""
        return next((amount for name, amount in self.found if name == line), None)


def plain_line(modifier: Modifier) -> Modifier:
    """Convert a contextual line to a plain line that reads the amount found earlier."""
    line = modifier.id

    def applies(facts: Any) -> bool:
        return isinstance(facts, ContextualModifiers) and facts.amount(line) is not None

    def amount(facts: Any) -> Number:
        found: Number = facts.amount(line)
        return found

    return Modifier(
        line, modifier.rule, modifier.operation, amount, applies, modifier.summary, modifier.source, modifier.before
    )


def takes_context(function: Any) -> bool:
    """Return True if a condition or an amount needs the context: a function with two required arguments, or dice."""
    if isinstance(function, DiceResult):
        return True
    if not callable(function):
        return False
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # a C function without a signature
        return False
    wanted = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return len([one for one in wanted if one.default is one.empty]) == 2


# --- the words in conditions --------------------------------------------------------------------------------------------

_OF_UNITS = ("id", "side", "name")


def unknown_words(words: Sequence[str], kept: Mapping[str, StateVariable]) -> ZarebaError | None:
    """Return the error for the first of these words that no context can answer, or None."""
    for word in words:
        head, _, rest = word.partition(".")
        if word == "game.turn" or word in kept or (head == "target" and rest in kept):
            continue
        if head in ("unit", "target") and (rest in _OF_UNITS or rest.startswith("is.")):
            continue
        known = ["game.turn", *(f"{who}.{of}" for who in ("unit", "target") for of in _OF_UNITS), *kept]
        guess = nearest(word, known)
        hint = f"did you mean '{guess}'?" if guess else f"known are {', '.join(known)}, unit.is.MARK and target.is.MARK"
        return ZarebaError(f"unknown word '{word}' in a condition; {hint}")
    return None


def context_condition(
    when: Mapping[str, Any], kept: Mapping[str, StateVariable]
) -> Callable[[Any, ModifierContext], bool]:
    """Return a test of conditions on words of the context (`game.turn`, `target.is.prone`, `ammunition.rounds`) and on
    facts.
    """
    situated = {word: wanted for word, wanted in when.items() if "." in word}
    facts = compile_when({word: wanted for word, wanted in when.items() if "." not in word})
    tests = [(context_value(word, kept), compile_when({"it": wanted})) for word, wanted in situated.items()]

    def holds(known: Any, here: ModifierContext) -> bool:
        return facts(known) and all(test(_It(answer(here))) for answer, test in tests)

    return holds


class _It(NamedTuple):
    it: Any


def context_value(word: str, kept: Mapping[str, StateVariable]) -> Callable[[ModifierContext], Any]:
    """Return a function that reads a word from a context; `unknown_words` must know the word."""
    if word == "game.turn":
        return lambda here: here.turn
    head, _, rest = word.partition(".")
    name = word if word in kept else rest if head == "target" and rest in kept else ""
    if name:
        one = kept[name]
        if one.of == "game":
            return lambda here: one[here.state]
        whose = 2 if name != word else 1
        return lambda here: one.start if here[whose] is None else one[here.state, here[whose]]
    place = 1 if head == "unit" else 2
    if rest.startswith("is."):
        mark = rest.removeprefix("is.")
        return lambda here: mark in getattr(here[place], "marks", ())
    return lambda here: getattr(getattr(here[place], "spec", here[place]), rest, None)
