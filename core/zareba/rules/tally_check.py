"""Find lines of tallies that read facts which do not exist, before play starts.

The ruleset declares the facts of each tally.
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
from zareba.rules.return_types import matches_type
from zareba.rules.schema import ModifierEntry, RulesetFile

__all__ = ["invalid_lines", "known_facts", "read_book", "unfit_condition"]

Book = TypeVar("Book", bound=BaseModel)

IN_ORDER = ("at_least", "at_most", "more_than", "less_than")


def read_book(document: Document, kind: type[Book], facts: Mapping[str, type] = MappingProxyType({})) -> Book:
    """Return a ruleset's file as its model; raise FileError with all faults, including references without an entry."""
    book = document.validate(kind)
    unsound = list(dangling(book))
    if isinstance(book, RulesetFile):
        unsound += invalid_lines(book, facts)
    if faults := [document.error(found.path, found.message) for found in unsound]:
        raise FileError(faults)
    return book


def invalid_lines(book: RulesetFile, facts: Mapping[str, type]) -> Iterator[Dangling]:
    """Yield each line of a tally that does not fit its `facts`, and each tally that the rules need but the file lacks."""
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
            yield from _misfits(modifier, known, book, (*path, "modifiers", line))


def known_facts(kind: type) -> dict[str, Any]:
    """Return the facts with their types; Any if a type cannot be resolved."""
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
                yield Dangling((*path, verb), (), f"the fact '{fact}' is not a number")
    for condition, wanted in modifier.when.items():
        here = (*path, "when", condition)
        if condition.startswith("setting."):
            setting = condition.removeprefix("setting.")
            if setting not in _settings(book):
                yield Dangling(here, (), str(unknown_name("setting", setting, _settings(book))))
        elif "." in condition:
            continue  # a word of the context, checked when the state variables of all house rules are known
        elif said := unfit_condition(condition, wanted, known):
            yield Dangling(here, (), said)


def unfit_condition(fact: str, wanted: Any, known: Mapping[str, Any], tally: str = "") -> str:
    """Return why a condition on a fact can never hold, with the most similar name; "" if it can. `known` maps facts to
    their types.
    """
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
    """Return why a fact of this type can never match this value; "" if it can."""
    if comparison in IN_ORDER:
        return "" if _is_number(kind) and matches_type(value, float) else "only numbers can be compared by size"
    if matches_type(value, kind) or kind is float:
        return ""
    if get_origin(kind) is Literal:
        return str(unknown_name("value of this fact", str(value), map(str, get_args(kind))))
    return f"the fact is never {value!r}"


def _is_number(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return all(matches_type(one, float) for one in get_args(kind))
    parts = get_args(kind)
    return (
        any(map(_is_number, parts))
        if parts
        else kind in (Any, int, float) or getattr(kind, "__name__", "") == "Fraction"
    )
