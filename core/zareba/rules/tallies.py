"""Modifier breakdowns and their checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from itertools import takewhile
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from zareba.base.errors import FileError, ZarebaError, unknown_name
from zareba.base.references import Dangling, dangling
from zareba.base.tally import Modifier, Number, Operation, TallyRule, as_lines, compile_when, fact_or_number
from zareba.base.yamlfile import Document, KeyPath
from zareba.house_rules.contextual_modifiers import (
    ContextualModifier,
    DiceResult,
    ModifierContext,
    context_condition,
    context_value,
    plain_modifier,
    takes_context,
    unknown_words,
)
from zareba.house_rules.hook_function import HookFunction
from zareba.house_rules.state_variables import StateVariable
from zareba.rules.procedure import matches_type
from zareba.rules.schema import MOST_ADDED, Decides, ModifierEntry, RulesetFile, TallyEntry

if TYPE_CHECKING:
    from zareba.rules.resolved import Rules


# --- Find modifiers that read facts which do not exist, before play starts --------------------------------------------
#
# The ruleset declares the facts of each modifier breakdown.


Book = TypeVar("Book", bound=BaseModel)

_IN_ORDER = ("at_least", "at_most", "more_than", "less_than")


def read_book(document: Document, kind: type[Book], facts: Mapping[str, type] = MappingProxyType({})) -> Book:
    """Return a ruleset's file as its model; raise FileError with all faults, including references without an entry."""
    book = document.validate(kind)
    faulty = list(dangling(book))
    if isinstance(book, RulesetFile):
        faulty += invalid_lines(book, facts)
    if faults := [document.error(reference.path, reference.message) for reference in faulty]:
        raise FileError(faults)
    return book


def invalid_lines(book: RulesetFile, facts: Mapping[str, type]) -> Iterator[Dangling]:
    """Yield each modifier that does not fit the `facts`, and each breakdown that the rules need but the file lacks."""
    if facts and not book.tallies:
        yield Dangling(("tallies",), (), "the rules need these tallies; change their lines, but keep them")
        return
    for name, kind in facts.items():
        if name not in book.tallies:
            yield Dangling(("tallies", name), (), "the rules need this tally; change its lines, but keep it")
            continue
        known, path = known_facts(kind), ("tallies", name)
        tally = book.tallies[name]
        if tally.base not in known:
            yield Dangling((*path, "base"), (), str(unknown_name("fact", tally.base, known)))
        for line, modifier in tally.modifiers.items():
            if modifier.before and modifier.before not in tally.modifiers:
                unknown = unknown_name("line of this tally", modifier.before, tally.modifiers)
                yield Dangling((*path, "modifiers", line, "before"), (), str(unknown))
            yield from _invalid_references(modifier, known, book, (*path, "modifiers", line))


def known_facts(kind: type) -> dict[str, Any]:
    """Return the facts with their types; Any if a type cannot be resolved."""
    try:
        hints = get_type_hints(kind)
    except NameError:
        hints = {}
    computed = [name for name in dir(kind) if isinstance(getattr(kind, name), property)]
    return {field.name: hints.get(field.name, Any) for field in fields(kind)} | dict.fromkeys(computed, Any)


def _invalid_references(
    modifier: ModifierEntry, known: Mapping[str, Any], book: RulesetFile, path: KeyPath
) -> Iterator[Dangling]:
    for verb, amount in modifier.operations.items():
        if isinstance(amount, str) and not amount.lstrip("-+")[:1].isdigit():
            fact = amount.removeprefix("-")
            if "." in fact:
                continue  # as below
            if fact not in known:
                yield Dangling((*path, verb), (), str(unknown_name("fact", fact, known)))
            elif not _is_number(known[fact]):
                yield Dangling((*path, verb), (), f"the fact '{fact}' is not a number")
    for condition, wanted in modifier.when.items():
        condition_path = (*path, "when", condition)
        if condition.startswith("setting."):
            setting = condition.removeprefix("setting.")
            if setting not in _settings(book):
                yield Dangling(condition_path, (), str(unknown_name("setting", setting, _settings(book))))
        elif "." in condition:
            continue  # a word of the context, checked when the state variables of all house rules are known
        elif reason := why_never_true(condition, wanted, known):
            yield Dangling(condition_path, (), reason)


def why_never_true(fact: str, wanted: Any, known: Mapping[str, Any], tally: str = "") -> str:
    """Return why a condition on a fact can never hold, with the most similar name; "" if it can. `known` maps facts to
    their types.
    """
    if fact not in known:
        return str(unknown_name(f"fact of {tally} called" if tally else "fact", fact, known))
    compared = wanted.items() if isinstance(wanted, Mapping) else [("is", wanted)]
    for comparison, value in compared:
        values = value if comparison == "in" and isinstance(value, (list, tuple, set, frozenset)) else [value]
        if reason := next(filter(None, [_why_never_equal(comparison, value, known[fact]) for value in values]), ""):
            return reason
    return ""


def _settings(book: RulesetFile) -> list[str]:
    parts = [f"{name}.{part}" for name, setting in book.settings.items() for part in setting.parts or ()]
    return [*book.settings, *parts]


def _why_never_equal(comparison: str, value: Any, kind: Any) -> str:
    """Return why a fact of this type can never match this value; "" if it can."""
    if comparison in _IN_ORDER:
        return "" if _is_number(kind) and matches_type(value, float) else "only numbers can be compared by size"
    if matches_type(value, kind) or kind is float:
        return ""
    if get_origin(kind) is Literal:
        return str(unknown_name("value of this fact", str(value), map(str, get_args(kind))))
    return f"the fact is never {value!r}"


def _is_number(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return all(matches_type(part, float) for part in get_args(kind))
    parts = get_args(kind)
    return (
        any(map(_is_number, parts))
        if parts
        else kind in (Any, int, float) or getattr(kind, "__name__", "") == "Fraction"
    )


# --- Tallies ----------------------------------------------------------------------------------------------------------
# Prepare modifier breakdowns for a session: the modifiers of the ruleset and of house rules, and their functions.


R = TypeVar("R")


class UnknownWord(ZarebaError):
    """A line at `path` uses a word that no context can answer; `said` describes the fault."""

    def __init__(self, path: KeyPath, source: str, message: str) -> None:
        super().__init__(f"{source}: {message}")
        self.path, self.said = path, message


def compile_tallies(
    book: RulesetFile,
    settings: Mapping[str, Any],
    source: Callable[[KeyPath], str],
    variables: Mapping[str, StateVariable] = MappingProxyType({}),
) -> tuple[dict[str, TallyRule], dict[str, tuple[ContextualModifier, ...]]]:
    """Return the modifier breakdowns of a ruleset, and the contextual modifiers of each, under these settings."""
    compiled = {name: _compile_tally(name, entry, settings, source, variables) for name, entry in book.tallies.items()}
    return (
        {name: rule for name, (rule, _) in compiled.items()},
        {name: situated for name, (_, situated) in compiled.items() if situated},
    )


def _compile_tally(
    name: str,
    entry: TallyEntry,
    settings: Mapping[str, Any],
    source: Callable[[KeyPath], str],
    variables: Mapping[str, StateVariable],
) -> tuple[TallyRule, tuple[ContextualModifier, ...]]:
    lines = []
    switched_off: set[str] = set()
    contextual: dict[str, ContextualModifier] = {}
    for line_id, line in entry.modifiers.items():
        path = ("tallies", name, "modifiers", line_id)
        when = dict(line.when)
        applies = True
        for condition in [key for key in when if key.startswith("setting.")]:
            wanted = when.pop(condition)
            setting = condition.removeprefix("setting.")
            if setting not in settings:
                raise ZarebaError(f"{source(path)}: {unknown_name('setting', setting, settings)}")
            applies = applies and compile_when({"it": wanted})(SimpleNamespace(it=settings[setting]))
        compiled = _compile_line(line_id, line, when, source(path))
        words = [word for word in (*when, str(_amount_of(line)).lstrip("-")) if _is_contextual(word)]
        if words:
            if wrong := unknown_words(words, variables):
                raise UnknownWord(path, source(path), str(wrong))
            contextual[line_id] = ContextualModifier(
                line_id, line.rule, context_condition(when, variables), _contextual_amount(line, variables)
            )
            compiled = plain_modifier(compiled)
        lines.append(compiled)
        if not applies:
            switched_off.add(line_id)
            contextual.pop(line_id, None)
    try:
        ordered = tuple(line for line in as_lines(lines) if line.id not in switched_off)
    except ValueError as error:
        raise ZarebaError(f"{source(('tallies', name))}: {error}") from error
    rule = TallyRule(name, entry.rule, entry.unit, entry.base, entry.round, ordered, source(("tallies", name)))
    return rule, tuple(contextual.values())


def _amount_of(line: ModifierEntry) -> int | float | str:
    ((_, amount),) = line.operations.items()
    return amount


def _is_contextual(word: str) -> bool:
    return "." in word and not word[0].isdigit()


def _contextual_amount(line: ModifierEntry, variables: Mapping[str, StateVariable]) -> Any:
    amount_text = _amount_of(line)
    if isinstance(amount_text, str) and _is_contextual(amount_text.lstrip("-")):
        answer, sign = context_value(amount_text.removeprefix("-"), variables), -1 if amount_text.startswith("-") else 1
        return lambda facts, here: sign * answer(here)
    amount = fact_or_number(amount_text)
    return (lambda facts, here: amount(facts)) if callable(amount) else amount


def _compile_line(line_id: str, line: ModifierEntry, when: Mapping[str, Any], source: str) -> Modifier:
    ((verb, amount),) = line.operations.items()
    test = compile_when({word: wanted for word, wanted in when.items() if "." not in word}) if when else None
    return Modifier(line_id, line.rule, verb, fact_or_number(amount), test, line.summary, source, line.before)  # type: ignore[arg-type]  # the keys of `operations` are the operations


def add_modifiers(rules: Rules, hook: HookFunction, added: Mapping[str, Sequence[Modifier]]) -> None:
    """Add a house rule's modifiers at the end of breakdowns, or before the modifiers that they name.

    A breakdown is named as in its ruleset, or by its effect, which all systems have. An effect comes first if a ruleset
    has a breakdown of the same name. With an effect, more is better, however the system counts.
    """
    if not isinstance(added, Mapping):
        raise hook.blame(TypeError(f"it returned {added!r}, not a dict of tally names and modifiers"))
    for name, modifiers in added.items():
        if not isinstance(modifiers, (list, tuple)):
            raise hook.blame(TypeError(f"for '{name}' it returned {repr(modifiers)[:60]}, not a list of Modifier"))
        if name in rules.tallies and name not in get_args(Decides):
            _add_lines(rules, hook, name, modifiers)
            continue
        with_effect = {tally: entry for tally, entry in rules.book.tallies.items() if entry.decides == name}
        if not with_effect and name not in get_args(Decides):
            raise hook.blame(unknown_name("tally", name, [*rules.tallies, *get_args(Decides)]))
        for tally, entry in with_effect.items():
            _add_lines(
                rules, hook, tally, [_in_system_terms(line, rules.tallies[tally], entry, hook) for line in modifiers]
            )


def _in_system_terms(line: Modifier, rule: TallyRule, entry: TallyEntry, hook: HookFunction) -> Modifier:
    """Return a modifier written for all systems, in which more is better, as a modifier of one system's breakdown.

    It goes before the limits (`at_least`, `at_most`) at the end. If the breakdown has a modifier of the same name, the
    new one gets its house rule's name as a prefix.
    """
    limits = list(takewhile(lambda modifier: modifier.operation in ("at_least", "at_most"), reversed(rule.modifiers)))
    line = replace(line, before=line.before or (limits[-1].id if limits else ""))
    if any(line.id == other.id for other in rule.modifiers):  # the tally may have a line of that name
        line = replace(line, id=f"{hook.house_rule}.{line.id}")
    if entry.better == "higher":
        return line
    if line.operation != "add":
        wrong = f"modifier '{line.id}': if less is better ({rule.name}), a line can only add or subtract"
        raise hook.blame(ValueError(wrong))
    amount = line.amount
    if isinstance(amount, DiceResult):
        return replace(line, amount=replace(amount, times=-amount.times))
    if not callable(amount):
        return replace(line, amount=-amount)
    return replace(line, amount=_negated(amount) if takes_context(amount) else lambda facts: -amount(facts))


def _negated(amount: Callable[[Any, Any], Number]) -> Callable[[Any, Any], Number]:
    return lambda facts, here: -amount(facts, here)


def _add_lines(rules: Rules, hook: HookFunction, name: str, modifiers: Sequence[Modifier]) -> None:
    rule = rules.tallies[name]
    owned, situated = [], []
    facts = rules.ruleset.facts.get(name)
    for modifier in modifiers:
        _check_facts(hook, name, modifier, facts, rules.state_variables)
        if isinstance(getattr(modifier, "amount", None), DiceResult) and rules.book.tallies[name].decides in (
            "movement",
            "range",
        ):
            far = f"the {'movement' if rules.book.tallies[name].decides == 'movement' else 'range'} of a unit"
            wrong = f"modifier '{modifier.id}': {far} is read many times a turn, so its lines cannot roll dice"
            raise hook.blame(
                ValueError(f"{wrong}; roll when the turn begins (zareba_turn), and store the result (StateVariable)")
            )
        line = _guarded_modifier(modifier, hook, rules.state_variables)
        if isinstance(line, ContextualModifier):
            situated.append(line)
            owned.append(plain_modifier(replace(modifier, source=f"house rule {hook.house_rule} ({hook.file})")))
        else:
            owned.append(line)
    try:
        lines = as_lines((*rule.modifiers, *owned))
    except ValueError as error:
        raise hook.blame(error) from error
    changed = TallyRule(rule.name, rule.rule, rule.unit, rule.base, rule.round, lines, rule.source)
    rules.tallies = {**rules.tallies, name: changed}
    if situated:
        rules.situated = {**rules.situated, name: (*rules.situated.get(name, ()), *situated)}


def _check_facts(
    hook: HookFunction, name: str, modifier: Any, facts: type | None, variables: Mapping[str, StateVariable]
) -> None:
    """Raise an error if a condition names an unknown fact, or a value that the fact never has."""
    when = getattr(modifier, "when", None)
    if facts is None or not isinstance(when, Mapping):
        return
    known = known_facts(facts)
    for word, wanted in when.items():
        if not isinstance(word, str) or _is_contextual(word):
            continue
        similar = (
            [variable for variable in variables if variable.rpartition(".")[2] == word] if word not in known else []
        )
        fault = (
            f"there is no fact '{word}' of {name}; did you mean '{similar[0]}'?"
            if similar
            else why_never_true(word, wanted, known, name)
        )
        if fault:
            raise hook.blame(ZarebaError(f"modifier '{modifier.id}': {fault}"))


def _guarded_modifier(
    modifier: Modifier, hook: HookFunction, variables: Mapping[str, StateVariable]
) -> Modifier | ContextualModifier:
    """Return a house rule's modifier, checked and with guarded functions; a contextual one if it needs the context."""
    if not isinstance(modifier, Modifier):
        raise hook.blame(TypeError(f"{modifier!r} is not a Modifier"))
    if modifier.operation not in get_args(Operation):
        words = ", ".join(get_args(Operation))
        raise hook.blame(ValueError(f"modifier '{modifier.id}': '{modifier.operation}' is none of {words}"))

    def number(amount: Any) -> Number:
        if not isinstance(amount, (int, Fraction)) or isinstance(amount, bool):
            wrong = f"modifier '{modifier.id}': {amount!r} is neither a whole number nor a Fraction"
            raise hook.blame(TypeError(wrong))
        if not -MOST_ADDED <= amount <= MOST_ADDED:
            wrong = f"modifier '{modifier.id}': the amount is too large; keep it within {MOST_ADDED:,} either way"
            raise hook.blame(ValueError(wrong))
        return amount

    def condition(holds: Any) -> bool:
        if not isinstance(holds, bool):
            raise hook.blame(
                TypeError(f"modifier '{modifier.id}': its condition returned {holds!r}, not True or False")
            )
        return holds

    amount: Any = modifier.amount
    when: Any = modifier.when
    conditions: Mapping[str, Any] = when if isinstance(when, Mapping) else {}
    if any(map(_is_contextual, conditions)) or takes_context(when) or takes_context(amount):
        if wrong := unknown_words([word for word in conditions if _is_contextual(word)], variables):
            raise hook.blame(wrong)
        condition_function = (
            _compile_or_blame(hook, lambda: context_condition(conditions, variables))
            if conditions
            else when and _guard_contextual(when, hook, condition)
        )
        if callable(amount):
            amount = _guard_contextual(amount, hook, number)
        elif not isinstance(amount, DiceResult):
            amount = number(amount)
        return ContextualModifier(modifier.id, modifier.rule, condition_function, amount)
    if conditions:
        when = _compile_or_blame(hook, lambda: compile_when(conditions))
    return Modifier(
        modifier.id,
        modifier.rule,
        modifier.operation,
        _guard_function(amount, hook, number) if callable(amount) else number(amount),
        _guard_function(when, hook, condition) if when is not None else None,
        modifier.summary,
        f"house rule {hook.house_rule} ({hook.file})",
        modifier.before,
    )


def _compile_or_blame(hook: HookFunction, compile_it: Callable[[], R]) -> R:
    """Compile conditions; an error names the house rule."""
    try:
        return compile_it()
    except ZarebaError as error:
        raise hook.blame(error) from error


def _guard_contextual(
    function: Callable[..., Any], hook: HookFunction, read: Callable[[Any], R]
) -> Callable[[Any, Any], R]:
    """Guard a house rule's function of the facts, or of the facts and the context: it is called twice and must not
    change either.
    """
    both = takes_context(function)

    def call(facts: Any, here: ModifierContext) -> R:
        before = hash(facts)
        about = (facts, here) if both else (facts,)
        value = hook.call_read_only(here.state, "a number", lambda: read(hook.run(function, None, *about)))
        if hash(facts) != before:
            raise hook.blame(ValueError("it changed the facts that it was asked about"))
        if (again := read(hook.run(function, None, *about))) != value:
            raise hook.blame(
                ValueError(
                    f"in the same context it returned {value} and {again}; "
                    "it must not depend on random numbers, time or stored values; for dice, use the amount DiceResult(...)"
                )
            )
        return value

    return call


def _guard_function(function: Callable[[Any], Any], hook: HookFunction, read: Callable[[Any], R]) -> Callable[[Any], R]:
    """Guard a house rule's function of the facts: it must not change them, because totals are cached by facts."""

    def call(facts: Any) -> R:
        before = hash(facts)
        value = read(hook.run(function, None, facts))
        if hash(facts) != before:
            raise hook.blame(ValueError("it changed the facts that it was asked about"))
        if (again := read(hook.run(function, None, facts))) != value:
            raise hook.blame(
                ValueError(
                    f"for the same facts it returned {value} and {again}; "
                    "it must depend on the facts alone, and not on random numbers, time or stored values"
                )
            )
        return value

    return call
