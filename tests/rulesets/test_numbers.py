"""Every number of every `ruleset.yaml` does something: changed by a little, it shows in odds, set-ups or games.

A number that nothing sees is dead, or is used where neither random battles nor the shipped ones come; it is listed by its
path. So is one that the model lets take a value with which play breaks. Switches, and fractions in words, are numbers here.

`pytest tests/rulesets/test_numbers.py -m deep -k vcc` looks at one ruleset;
`ZAREBA_NUMBERS=weapons,profiles.lancers` in the environment only at what begins with one of these paths.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError
from tests.rulesets.probes import Changed, Probe, probes

from zareba.errors import ZarebaError
from zareba.registry import load_rules, ruleset_names
from zareba.rules.settings import Setting

Path = tuple[Any, ...]
Data = dict[str, Any]

FRACTION = re.compile(r"[0-9]+/[0-9]+")
UNDECIDED = ("at_least", "at_most", "values")
"""What settings may be, which is nothing that play asks."""

QUICK = 0.1
"""Seconds of probes that each number is tried with by itself."""
LUCKY = 6


def numbers(data: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of the numbers in a file."""
    if isinstance(data, (dict, list)):
        entries = data.items() if isinstance(data, dict) else enumerate(data)
        for key, value in entries:
            if not (path[:1] == ("settings",) and key in UNDECIDED):
                yield from numbers(value, (*path, key))
    elif isinstance(data, bool):
        if "when" not in path:  # the line of a tally shows by its amount
            yield path
    elif isinstance(data, (int, float)) or (isinstance(data, str) and FRACTION.fullmatch(data)):
        yield path


def near(value: Any) -> Sequence[Any]:
    """Other values: a little more, a little less, much more."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1, 2 * value + 2
    if isinstance(value, float):
        return round(value * 1.1 + 0.1, 2), round(value * 0.9 - 0.1, 2), value * 2 + 1
    return [str(Fraction(value) * by) for by in (Fraction(3, 4), Fraction(5, 4), Fraction(2))]


def others(ruleset: str, data: Data, paths: Sequence[Path]) -> list[Changed]:
    """The rules with other values at all of the paths, as far as the model admits them."""
    wanted = [_wanted(data, path) for path in paths]
    found = []
    for number in range(max(map(len, wanted))):
        changed = deepcopy(data)
        for path, values in zip(paths, wanted, strict=True):
            if values:
                _at(changed, path[:-1])[path[-1]] = values[min(number, len(values) - 1)]
        new = Changed(ruleset, changed)
        try:
            new.rules(0)
        except (ValidationError, ZarebaError):
            continue
        found.append(new)
    return found


def _wanted(data: Data, path: Path) -> Sequence[Any]:
    value = _at(data, path)
    if path[0] != "settings":
        return near(value)
    setting = Setting.model_validate(_at(data, path[:-1]))
    return [one for one in (*near(value), *setting.values) if one != value and setting.admits(one)]


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


class Search:
    """Looks for numbers that no probe sees changed."""

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self.data = load_rules(ruleset).data
        self.probes = probes(ruleset)
        self.lucky: list[Probe] = []
        self.broken: dict[str, str] = {}
        self.fixed: list[str] = []

    def unseen(self, paths: Sequence[Path]) -> list[Path]:
        """Those of the paths at which a change shows nowhere; all are tried with the quick probes, the rest in groups."""
        left = [path for path in paths if not self._seen_at_once(path)]
        return self._unseen_of(left, self.probes) if left else []

    def _seen_at_once(self, path: Path) -> bool:
        """Whether a probe that saw the change of a neighbour sees this one, or one of the quickest does."""
        changes = others(self.ruleset, self.data, [path])
        if not changes:
            self.fixed.append(dotted(path))
            return True
        time = 0.0
        for probe in (*self.lucky[:LUCKY], *self.probes):
            time += probe.seconds
            if time > QUICK:
                break
            if any(self._sees(probe, changed, [path]) for changed in changes[:2]):
                self.lucky = [probe, *(other for other in self.lucky if other is not probe)]
                return True
        return False

    def _unseen_of(self, paths: Sequence[Path], probes: Sequence[Probe]) -> list[Path]:
        """Who sees no great change of all of them together sees none of a single one: the more are dead, the quicker."""
        changes = others(self.ruleset, self.data, paths)
        if len(paths) == 1:
            seen = any(self._sees(probe, one, paths) for one in changes for probe in probes)
            return [] if seen else list(paths)
        changes = changes[-1:]
        seers = (
            [probe for probe in probes if any(self._sees(probe, one, paths) for one in changes)] if changes else probes
        )
        if not seers:
            return list(paths)
        middle = len(paths) // 2
        return [*self._unseen_of(paths[:middle], seers), *self._unseen_of(paths[middle:], seers)]

    def _sees(self, probe: Probe, changed: Changed, paths: Sequence[Path]) -> bool:
        try:
            return probe.sees(changed)
        except Exception as error:  # noqa: BLE001  # whatever goes wrong is listed with the number behind it
            if len(paths) == 1:
                value = _at(changed.data, paths[0])
                fault = f"{dotted(paths[0])} = {value}: {probe.name}: {type(error).__name__}: {error}"[:240]
                self.broken.setdefault(dotted(paths[0]), fault)
            return True


def dotted(path: Path) -> str:
    return ".".join(map(str, path))


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_number_does_something(ruleset: str) -> None:
    search = Search(ruleset)
    only = tuple(filter(None, os.environ.get("ZAREBA_NUMBERS", "").split(",")))
    paths = [path for path in numbers(search.data) if not only or dotted(path).startswith(only)]
    unseen = [f"{dotted(path)} = {_at(search.data, path)}" for path in search.unseen(paths)]
    found = {
        "nothing sees": unseen,
        "play breaks with": search.broken.values(),
        "the model admits no other value of": search.fixed,
    }
    report = "\n".join(f"{ruleset}: {what} {one}" for what, those in found.items() for one in those)
    assert not report, f"\n{report}"
