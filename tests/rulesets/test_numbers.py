"""Every number of every `ruleset.yaml` has an effect: a small change shows in odds, set-ups or games.

A number without a visible effect is either dead or used in situations that neither random nor shipped battles reach.
It is listed by its path. So is a number that the model lets take a value with which play fails. Switches and fractions
in words count as numbers. A number that the model admits no other value for is skipped.

Numbers for rare situations have their own test, named in `HELD`.

`pytest tests/rulesets/test_numbers.py -m deep -k vcc` checks one ruleset. `ZAREBA_NUMBERS=weapons,profiles.lancers` in
the environment restricts it to paths that begin so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path as File
from typing import Any

import pytest
from tests.rulesets.probes import Changed, Probe, Unfit, probes

from zareba.registry import load_rules, ruleset_names
from zareba.rules.settings import Setting

Path = tuple[Any, ...]
Data = dict[str, Any]

FRACTION = re.compile(r"[0-9]+/[0-9]+")
UNDECIDED = ("at_least", "at_most", "values")
"""Keys that define the range of a setting. Play never reads them."""

HELD: dict[str, dict[str, str]] = {
    "fixed_baynet": {
        # no battle begins with riders in square
        "unit_mapping.riders.then.squares": "fixed_baynet/test_translation.py::test_units_that_may_form_square_start_in_it",
    },
    "paychest": {
        # walls are rarely climbed beside a defender
        "climb_contact.inches": "paychest/test_house_rules.py::test_distance_at_which_wall_defenders_are_met",
    },
    "risk_factor": {
        # riders rarely shoot from beyond 100 cm
        "weapons.rifled_carbine.long": "risk_factor/test_weapons.py::test_ranges_include_their_limits",
        # routers pushed back, running or surrendering first are rarely left in contact
        "settings.prisoners.capture_contacted_routers.default": "risk_factor/test_melee.py::test_routers_left_in_contact_are_taken",
    },
}
"""Numbers that no probe has to detect, at most ten a ruleset: by path, the test that shows their effect."""


def numbers(data: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of the numbers in a file."""
    if isinstance(data, (dict, list)):
        entries = data.items() if isinstance(data, dict) else enumerate(data)
        for key, value in entries:
            if not (path[:1] == ("settings",) and key in UNDECIDED):
                yield from numbers(value, (*path, key))
    elif isinstance(data, bool):
        if "when" not in path:  # a breakdown line shows through its amount
            yield path
    elif isinstance(data, (int, float)) or (isinstance(data, str) and FRACTION.fullmatch(data)):
        yield path


def near(value: Any) -> Sequence[Any]:
    """Return other values: a little more, a little less, much more. A little is a tenth of a large number."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        little = max(1, value // 10)
        return value + little, value - little, 2 * value + 2
    if isinstance(value, float):
        return round(value * 1.1 + 0.1, 2), round(value * 0.9 - 0.1, 2), value * 2 + 1
    return [str(Fraction(value) * by) for by in (Fraction(3, 4), Fraction(5, 4), Fraction(2))]


class Search:
    """Finds numbers whose change no probe detects.

    Many numbers are changed at once. A probe that sees no difference detects none of them; otherwise bisection finds
    those it detects. So each probe runs about once, and the dead numbers together cost no more than one. The search
    stops when all numbers are detected. Some changes cancel out when all numbers move together, so the remaining
    numbers are then tried in two halves.
    """

    def __init__(self, ruleset: str) -> None:
        self.ruleset = ruleset
        self.data = load_rules(ruleset).data
        self.probes = probes(ruleset)
        self.broken: dict[str, str] = {}

    def unseen(self, paths: Sequence[Path]) -> list[Path]:
        """Return the paths at which no change is detected: neither a small one up or down, nor a large one."""
        left = self._left(paths)
        return [*self._left(left[::2]), *self._left(left[1::2])]

    def _left(self, paths: Sequence[Path]) -> list[Path]:
        """Return the paths that are not detected when they are changed together."""
        left = list(paths)
        for probe, which in product(self.probes, range(3)):
            seen = self._seen(probe, [path for path in left if self._admits(path, which)], which)
            left = [path for path in left if path not in seen]
            if not left:
                break
        return left

    def is_fixed(self, path: Path) -> bool:
        """Return True if the model admits no other value, for example because of its neighbours."""
        return not any(self._admits(path, which) for which in range(3))

    def _seen(self, probe: Probe, paths: Sequence[Path], which: int) -> list[Path]:
        """Return the paths whose change a probe detects."""
        changed = self._changed(tuple(paths), which) if paths else None
        if not paths or (changed is not None and not self._sees(probe, changed, paths)):
            return []
        if len(paths) == 1:
            return list(paths)
        middle = len(paths) // 2
        return [*self._seen(probe, paths[:middle], which), *self._seen(probe, paths[middle:], which)]

    def _sees(self, probe: Probe, changed: Changed, paths: Sequence[Path]) -> bool:
        try:
            return probe.sees(changed)
        except Unfit:
            return len(paths) > 1  # each of them alone may fit the house rule of the probe
        except Exception as error:  # noqa: BLE001  # every fault is listed with its number
            if len(paths) == 1:
                path, value = dotted(paths[0]), _at(changed.data, paths[0])
                fault = f"{path} = {value}: {probe.name}: {type(error).__name__}: {error}"
                self.broken.setdefault(path, fault[:240])
            return True

    @cache  # noqa: B019  # lives as long as the test
    def _admits(self, path: Path, which: int) -> bool:
        return self._changed((path,), which) is not None

    def _changed(self, paths: Sequence[Path], which: int) -> Changed | None:
        """Return the rules with other values at all of the paths; None if the model does not admit them."""
        data = deepcopy(self.data)
        for path in paths:
            wanted = self._wanted(path)
            if which >= len(wanted):
                return None
            _at(data, path[:-1])[path[-1]] = wanted[which]
        changed = Changed(self.ruleset, data)
        try:
            changed.rules(0, {}, {})
        except Unfit:
            return None
        return changed

    def _wanted(self, path: Path) -> Sequence[Any]:
        value = _at(self.data, path)
        if path[0] != "settings":
            return near(value)
        setting = Setting.model_validate(_at(self.data, path[:-1]))
        return [other for other in (*near(value), *setting.values) if other != value and setting.admits(other)]


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def dotted(path: Path) -> str:
    return ".".join(map(str, path))


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_number_has_an_effect(ruleset: str) -> None:
    search = Search(ruleset)
    only = tuple(filter(None, os.environ.get("ZAREBA_NUMBERS", "").split(",")))
    paths = [path for path in numbers(search.data) if not only or dotted(path).startswith(only)]
    paths = [path for path in paths if dotted(path) not in HELD.get(ruleset, {})]
    unseen = search.unseen([path for path in paths if not search.is_fixed(path)])
    found = {
        "nothing sees": [f"{dotted(path)} = {_at(search.data, path)}" for path in unseen],
        "play breaks with": search.broken.values(),
    }
    report = "\n".join(f"{ruleset}: {what} {finding}" for what, those in found.items() for finding in those)
    assert not report, f"\n{report}"


@pytest.mark.parametrize("ruleset", HELD)
def test_every_number_with_a_named_test_exists_and_so_does_its_test(ruleset: str) -> None:
    data, held = load_rules(ruleset).data, HELD[ruleset]
    assert set(held) <= {dotted(path) for path in numbers(data)} and len(held) <= 10
    for test in held.values():
        file, _, name = test.partition("::")
        assert f"def {name}(" in (File(__file__).parent / file).read_text(encoding="utf-8")
