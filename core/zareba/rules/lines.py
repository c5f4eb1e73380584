"""Lines of tallies that ask their facts for what they do not hold, found before anybody plays.

What the facts of a tally are, its ruleset says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from zareba.base.errors import FileError, unknown_name
from zareba.base.references import Dangling, dangling
from zareba.base.yamlfile import Document, KeyPath
from zareba.rules.returned import fits
from zareba.rules.schema import ModifierEntry, RulesetFile

__all__ = ["known_facts", "read_book", "unfit_condition", "unsound_lines"]

Book = TypeVar("Book", bound=BaseModel)

IN_ORDER = ("at_least", "at_most", "more_than", "less_than")


def read_book(document: Document, kind: type[Book], facts: Mapping[str, type] = MappingProxyType({})) -> Book:
    """A ruleset's file as its model; raises FileError with everything that does not fit, names without entries too."""
    book = document.validate(kind)
    unsound = list(dangling(book))
    if isinstance(book, RulesetFile):
        unsound += unsound_lines(book, facts)
    if faults := [document.error(found.path, found.message) for found in unsound]:
        raise FileError(faults)
    return book


def unsound_lines(book: RulesetFile, facts: Mapping[str, type]) -> Iterator[Dangling]:
    """Every line of a tally that does not fit its `facts`, and every tally for which the rules ask and that is not there."""
    if facts and not book.tallies:
        yield Dangling(("tallies",), (), "the rules ask for these tallies; change their lines, but keep them")
        return
    for name, kind in facts.items():
        if name not in book.tallies:
            yield Dangling(("tallies", name), (), "the rules ask for this tally; change its lines, but keep it")
            continue
        known, path = known_facts(kind), ("tallies", name)
        tally = book.tallies[name]
        if tally.base not in known:
            yield Dangling((*path, "base"), (), str(unknown_name("fact", tally.base, known)))
        for line, modifier in tally.modifiers.items():
            if modifier.before and modifier.before not in tally.modifiers:
                unknown = unknown_name("line of this tally", modifier.before, tally.modifiers)
                yield Dangling((*path, "modifiers", line, "before"), (), str(unknown))
            yield from _misfits(modifier, known, book, (*path, "modifiers", line))


def known_facts(kind: type) -> dict[str, Any]:
    """The facts with their types: Any where that cannot be told."""
    try:
        hints = get_type_hints(kind)
    except NameError:
        hints = {}
    reckoned = [name for name in dir(kind) if isinstance(getattr(kind, name), property)]
    return {field.name: hints.get(field.name, Any) for field in fields(kind)} | dict.fromkeys(reckoned, Any)


def _misfits(modifier: ModifierEntry, known: Mapping[str, Any], book: RulesetFile, path: KeyPath) -> Iterator[Dangling]:
    for verb, amount in modifier.operations.items():
        if isinstance(amount, str) and not amount.lstrip("-+")[:1].isdigit():
            fact = amount.removeprefix("-")
            if "." in fact:
                continue  # as below
            if fact not in known:
                yield Dangling((*path, verb), (), str(unknown_name("fact", fact, known)))
            elif not _is_number(known[fact]):
                yield Dangling((*path, verb), (), f"the fact '{fact}' is no number")
    for condition, wanted in modifier.when.items():
        here = (*path, "when", condition)
        if condition.startswith("setting."):
            setting = condition.removeprefix("setting.")
            if setting not in _settings(book):
                yield Dangling(here, (), str(unknown_name("setting", setting, _settings(book))))
        elif "." in condition:
            continue  # a word of the situation, which is looked up when all that house rules keep is known
        elif said := unfit_condition(condition, wanted, known):
            yield Dangling(here, (), said)


def unfit_condition(fact: str, wanted: Any, known: Mapping[str, Any], tally: str = "") -> str:
    """Return why a condition on a fact can never hold, with the nearest name; "" if it can. `known` are the facts with types."""
    if fact not in known:
        return str(unknown_name(f"fact of {tally} called" if tally else "fact", fact, known))
    compared = wanted.items() if isinstance(wanted, Mapping) else [("is", wanted)]
    for comparison, value in compared:
        values = value if comparison == "in" and isinstance(value, (list, tuple, set, frozenset)) else [value]
        if said := next(filter(None, [_never(comparison, one, known[fact]) for one in values]), ""):
            return said
    return ""


def _settings(book: RulesetFile) -> list[str]:
    parts = [f"{name}.{part}" for name, setting in book.settings.items() for part in setting.parts or ()]
    return [*book.settings, *parts]


def _never(comparison: str, value: Any, kind: Any) -> str:
    """Why a fact of this type can never be compared with this value; "" when it can."""
    if comparison in IN_ORDER:
        return "" if _is_number(kind) and fits(value, float) else "only numbers are in order, and this compares others"
    if fits(value, kind) or kind is float:
        return ""
    if get_origin(kind) is Literal:
        return str(unknown_name("value of this fact", str(value), map(str, get_args(kind))))
    return f"the fact is never {value!r}"


def _is_number(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return all(fits(one, float) for one in get_args(kind))
    parts = get_args(kind)
    return (
        any(map(_is_number, parts))
        if parts
        else kind in (Any, int, float) or getattr(kind, "__name__", "") == "Fraction"
    )
