"""No entry that play needs can be removed from a `ruleset.yaml`: a house rule removes each entry in turn.

Either the house rule is refused before play, with an error that names file, line and column, or random battles play to
their end with it. `ZAREBA_REMOVALS=sequence,weapons` restricts the check to paths that begin so.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.rulesets.random_games import play
from tests.rulesets.random_scenarios import random_scenario

from zareba.base.errors import FileError
from zareba.registry import find_house_rule, load_rules, ruleset_names
from zareba.rules import Rules
from zareba.scenario import load_scenario, shipped_scenarios

KeyPath = tuple[Any, ...]

SAMPLE = 10
"""Number of entries of each ruleset that every build removes."""
BATTLES = {"afriboria": 4, "vcc": 10}
"""Random battles played without an entry under the fast rulesets."""
FEWER = 1
"""Random battles for the others."""
TOGETHER = 8
"""Number of entries removed together."""
PLAYER_TURNS = 2
"""Factor on the scenario's turns, because some rulesets count player turns."""
KEPT = ("settings",)
"""Sections that a house rule may set but not remove."""


def entries(data: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the paths of all entries in the sections of a file: keys of mappings and places of lists."""
    if isinstance(data, (dict, list)):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            here = (*path, key)
            if here[0] not in KEPT:
                if path:
                    yield here
                yield from entries(value, here)


def removal(data: Any, path: KeyPath) -> dict[str, Any]:
    """Return the change that removes an entry. For a list, the change replaces the list."""
    for key in path[:-1]:
        data = data[key]
    if isinstance(data, dict):
        return {"remove": dotted(path)}
    return {"at": dotted(path[:-1]), "was": data, "to": [item for place, item in enumerate(data) if place != path[-1]]}


def dotted(path: KeyPath) -> str:
    return ".".join(map(str, path))


class Removals:
    """Finds entries without which play fails.

    Entries that can be removed are tried in groups of entries that are far apart. If a group fails, bisection finds
    the faulty entry. If a group plays to the end, play needs none of its entries.
    """

    def __init__(self, ruleset: str, file: Path, battles: int, scenarios: Sequence[str]) -> None:
        self.ruleset = ruleset
        self.data = load_rules(ruleset).data
        self.file = file
        self.battles = battles
        self.scenarios = scenarios
        self.faults: list[str] = []

    def look(self, paths: Sequence[KeyPath]) -> str:
        """Return the faults of these removals, one a line."""
        taken: dict[int, list[KeyPath]] = {}
        for path in paths:
            if self._loaded([path]) is not None:
                taken.setdefault(len(path), []).append(path)
        for alike in taken.values():  # equally deep, so that none contains another
            groups = -(-len(alike) // TOGETHER)
            for first in range(groups):
                self._play(alike[first::groups])
        return "\n".join(self.faults)

    def _play(self, paths: Sequence[KeyPath]) -> None:
        fault = self._fault(paths)
        if fault and len(paths) > 1:
            middle = len(paths) // 2
            self._play(paths[:middle])
            self._play(paths[middle:])
        elif fault:
            self._note(paths, fault)

    def _note(self, paths: Sequence[KeyPath], fault: str) -> None:
        self.faults.append(f"{self.ruleset}: without {', '.join(map(dotted, paths))}: {fault[:240]}")

    def _loaded(self, paths: Sequence[KeyPath]) -> Rules | None:
        """Return the rules without these entries; None if refused. A refusal must name the place of the removal."""
        changes = [removal(self.data, path) for path in paths]
        rule = {"house_rule": "without", "ruleset": self.ruleset, "changes": changes}
        self.file.write_text(json.dumps(rule), encoding="utf-8")
        try:
            return load_rules(self.ruleset, house_rules=[find_house_rule(str(self.file))])
        except Exception as error:  # noqa: BLE001  # every fault is reported with its entry
            placed = isinstance(error, FileError) and all(problem.file == str(self.file) for problem in error.problems)
            if not placed and len(paths) == 1:
                self._note(paths, f"refused without a place: {type(error).__name__}: {error}")
            return None

    def _fault(self, paths: Sequence[KeyPath]) -> str:
        """Return what goes wrong in play without these entries; "" if nothing does."""
        rules = self._loaded(paths)
        if rules is None:
            return "refused together"
        try:
            for name in self.scenarios:
                rules.game(load_scenario(name)).start()
            for seed in range(self.battles):
                to_the_end(rules, seed)
        except Exception as error:  # noqa: BLE001
            return f"{type(error).__name__}: {error}"
        return ""


def to_the_end(rules: Rules, seed: int) -> None:
    game = rules.game(random_scenario(seed))
    play(game, seed, lambda *_: None, turns=PLAYER_TURNS * game.scenario.turns)


@pytest.mark.deep
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_entries_that_play_needs_cannot_be_removed(ruleset: str, tmp_path: Path) -> None:
    only = tuple(filter(None, os.environ.get("ZAREBA_REMOVALS", "").split(",")))
    paths = [path for path in entries(load_rules(ruleset).data) if not only or dotted(path).startswith(only)]
    removals = Removals(ruleset, tmp_path / "without.yaml", BATTLES.get(ruleset, FEWER), shipped_scenarios())
    report = removals.look(paths)
    assert not report, f"\n{report}"


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_sampled_entries_that_play_needs_cannot_be_removed(ruleset: str, tmp_path: Path) -> None:
    paths = Random(ruleset).sample(sorted(entries(load_rules(ruleset).data), key=dotted), SAMPLE)
    report = Removals(ruleset, tmp_path / "without.yaml", 1, ()).look(paths)
    assert not report, f"\n{report}"
