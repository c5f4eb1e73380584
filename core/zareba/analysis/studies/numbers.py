"""List the numbers of a ruleset, and make variants with one number changed by a generated house rule."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, TypeAlias

from zareba.analysis.games.records import Variant
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount
from zareba.registry import load_rules
from zareba.rules import Rules

__all__ = ["MOST_VALUES", "Number", "number_at", "numbers_like", "numbers_of", "values_of", "with_number"]

Number: TypeAlias = "int | float"

MOST_VALUES = 20
"""The most values in a sweep."""
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")


def numbers_of(rules: Rules) -> dict[str, Number]:
    """Return every number that a house rule can change, by path, and every numeric setting, by name."""
    settings = {name: value for name, value in rules.settings.items() if _is_number(value)}
    book = {path: value for path, value in _leaves(rules.data, "") if not path.startswith(("settings.", "ruleset."))}
    return settings | book


def number_at(rules: Rules, path: str) -> Number:
    """Return the number at a path, or that of a setting. The ZarebaError for an unknown path suggests the nearest one."""
    found = numbers_of(rules)
    if path not in found:
        within = [number for number in found if number.startswith(f"{path}.")]
        if not within:
            raise unknown_name(f"number of {rules.ruleset.id}", path, found)
        raise ZarebaError(f"'{path}' holds {amount(len(within), 'number')}; name one, as in {within[0]}")
    return found[path]


def numbers_like(rules: Rules, pattern: str) -> dict[str, Number]:
    """Return the numbers whose paths match a pattern such as `weapons.*`. Raises ZarebaError if none matches."""
    every = numbers_of(rules)
    found = {path: value for path, value in every.items() if fnmatchcase(path, pattern)}
    if not found:
        groups = {path[: dot.start()] for path in every for dot in re.finditer(r"\.", path)}
        group = pattern.removesuffix(".*")
        if group in groups:
            raise ZarebaError(f"'{pattern}' is a group of numbers; write '{group}.*'")
        raise unknown_name(f"number or group of numbers of {rules.ruleset.id}", group, [*every, *groups])
    return found


def _leaves(data: Any, path: str) -> Iterator[tuple[str, Number]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _leaves(value, f"{path}.{key}" if path else str(key))
    elif _is_number(data):
        yield path, data


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def values_of(written: str) -> list[Number]:
    """Return the values of `1..6` (both ends included) or `1,2,4`. Raises ZarebaError for other text."""
    found: list[Number]
    if match := _RANGE.fullmatch(written.strip()):
        low, high = map(int, match.groups())
        found = list(
            range(low, min(high, low + MOST_VALUES) + 1)
        )  # one more than the limit is enough to report an error
    else:
        try:
            found = [float(part) if "." in part else int(part) for part in written.split(",")]
        except ValueError:
            found = []
    found = list(dict.fromkeys(found))
    if not 2 <= len(found) <= MOST_VALUES:
        gives = f"more than {MOST_VALUES} values" if len(found) > 1 else "one value" if found else "no value"
        raise ZarebaError(f"'{written}' gives {gives}; write 2 to {MOST_VALUES} values, such as 1..6, 1,2,4 or 0.5,1")
    return found


def with_number(rules: Rules, path: str, value: Number, folder: Path) -> Variant:
    """Return a variant of the ruleset with another number at a path, or with another setting.

    A number of the rulebook is changed by a house rule, which is written into `folder` and can also be used for play.
    Raises FileError or ZarebaError if the rules refuse the value.
    """
    ruleset, name = rules.ruleset.id, f"{path}={value}"
    if path in rules.settings:
        load_rules(ruleset, {path: value})
        return Variant(name, ruleset, ((path, value),))
    was = number_at(rules, path)
    if isinstance(was, float):
        value = float(value)
    file = folder / f"{ruleset}.{name}.yaml"
    folder.mkdir(parents=True, exist_ok=True)
    rule = {
        "house_rule": re.sub(r"\W", "_", f"{ruleset}_{name}"),
        "title": f"{path} is {value}, not {was}"[:80],
        "ruleset": ruleset,
        "changes": [{"at": path, "was": was, "to": value}],
    }
    file.write_text(json.dumps(rule, indent=1) + "\n", encoding="utf-8")
    found = Variant(name, ruleset, (), (str(file),))
    try:
        found.rules()
    except ZarebaError:
        file.unlink()
        raise
    return found
