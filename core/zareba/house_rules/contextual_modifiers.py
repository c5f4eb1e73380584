"""Contextual modifiers: modifiers that depend on the turn, the unit, state variables or dice, not only on the facts.

Facts are the inputs that a rulebook names, and totals are cached by facts. A contextual modifier is evaluated first, in
the current context, and its result is added to the facts. So the total is cached, explained and hashed like any other.
Dice for a modifier are rolled by the table: odds enumerate their faces and replay repeats them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
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
    """An amount rolled whenever the modifier applies: `Modifier("gusts", "HOUSE-1", "add", DiceResult(1, 6,
    times=-1))`.

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
        unit = next((unit for unit in units.values() if name in _figures_of(unit)), None)
        if unit is not None:
            return unit
        name = name.rpartition("/")[0] or name.rpartition(".")[0] or name.rpartition(" ")[0] or None
    return units.get(name, who if not isinstance(who, str) else None)


def _figures_of(unit: Any) -> Any:
    figures = getattr(unit, "figures", ())
    return figures if isinstance(figures, (dict, tuple, list)) else ()


class ContextualModifier(NamedTuple):
    """A modifier whose condition and amount are functions of the facts and the context."""

    id: str
    rule: str
    when: Callable[[Any, ModifierContext], bool] | None
    amount: Number | DiceResult | Callable[[Any, ModifierContext], Number]

    def amount_in(self, facts: Any, here: ModifierContext, table: Any) -> Number | None:
        """Return the amount in a context, or None if the modifier does not apply. Dice are rolled on `table`; without a
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
    """Facts together with the amounts of the contextual modifiers of their breakdown.

    An amount is None if its modifier does not apply.
    """

    __slots__ = ("amounts", "facts")

    def __init__(self, facts: Any, amounts: tuple[tuple[str, Number | None], ...]) -> None:
        self.facts = facts
        self.amounts = amounts

    def __getattr__(self, name: str) -> Any:
        return getattr(self.facts, name)

    def __hash__(self) -> int:
        return hash((self.facts, self.amounts))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ContextualModifiers) and self.amounts == other.amounts and bool(self.facts == other.facts)
        )

    def amount(self, modifier: str) -> Number | None:
        """Return the amount of the contextual modifier with this id, or None."""
        return next((amount for id, amount in self.amounts if id == modifier), None)


def plain_modifier(modifier: Modifier) -> Modifier:
    """Return a contextual modifier as an ordinary one, which reads its amount from `ContextualModifiers`."""
    id = modifier.id

    def applies(facts: Any) -> bool:
        return isinstance(facts, ContextualModifiers) and facts.amount(id) is not None

    def amount(facts: Any) -> Number:
        evaluated: Number = facts.amount(id)
        return evaluated

    return Modifier(
        id, modifier.rule, modifier.operation, amount, applies, modifier.summary, modifier.source, modifier.before
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
    positional = [
        parameter
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return (
        len([parameter for parameter in positional if parameter.default is parameter.empty]) == 2
    )  # the facts and the context


# --- the words in conditions ------------------------------------------------------------------------------------------

_UNIT_WORDS = ("id", "side", "name")


def unknown_words(words: Sequence[str], variables: Mapping[str, StateVariable]) -> ZarebaError | None:
    """Return the error for the first of these words that no context can answer, or None."""
    for word in words:
        head, _, rest = word.partition(".")
        if word == "game.turn" or word in variables or (head == "target" and rest in variables):
            continue
        if head in ("unit", "target") and (rest in _UNIT_WORDS or rest.startswith("is.")):
            continue
        known = ["game.turn", *(f"{who}.{of}" for who in ("unit", "target") for of in _UNIT_WORDS), *variables]
        guess = nearest(word, known)
        hint = f"did you mean '{guess}'?" if guess else f"known are {', '.join(known)}, unit.is.MARK and target.is.MARK"
        return ZarebaError(f"unknown word '{word}' in a condition; {hint}")
    return None


def context_condition(
    when: Mapping[str, Any], variables: Mapping[str, StateVariable]
) -> Callable[[Any, ModifierContext], bool]:
    """Return a test of conditions on words of the context (`game.turn`, `target.is.prone`, `ammunition.rounds`) and on
    facts.
    """
    contextual = {word: wanted for word, wanted in when.items() if "." in word}
    facts_hold = compile_when({word: wanted for word, wanted in when.items() if "." not in word})
    tests = [(context_value(word, variables), compile_when({"it": wanted})) for word, wanted in contextual.items()]

    def holds(values: Any, here: ModifierContext) -> bool:
        return facts_hold(values) and all(test(_It(answer(here))) for answer, test in tests)

    return holds


class _It(NamedTuple):
    it: Any


def context_value(word: str, variables: Mapping[str, StateVariable]) -> Callable[[ModifierContext], Any]:
    """Return a function that reads a word from a context; `unknown_words` must know the word."""
    if word == "game.turn":
        return lambda context: context.turn
    head, _, rest = word.partition(".")
    name = word if word in variables else rest if head == "target" and rest in variables else ""
    if name:
        variable = variables[name]
        if variable.of == "game":
            return lambda context: variable[context.state]
        holder = attrgetter("unit" if name == word else "target")
        return lambda context: variable.start if holder(context) is None else variable[context.state, holder(context)]
    unit_of = attrgetter("unit" if head == "unit" else "target")
    if rest.startswith("is."):
        mark = rest.removeprefix("is.")
        return lambda context: mark in getattr(unit_of(context), "marks", ())
    return lambda context: getattr(getattr(unit_of(context), "spec", unit_of(context)), rest, None)
