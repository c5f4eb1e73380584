"""Nothing that play needs can be taken out of a `ruleset.yaml`: each entry is removed in turn by a house rule.

Either the house rule is refused before anybody plays, with a sentence that has file, line and column, or random battles
are played with it to their end. `ZAREBA_REMOVALS=sequence,weapons` looks only at what begins with one of these paths.
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
"""Entries of each ruleset that every build removes."""
BATTLES = {"afriboria": 4, "vcc": 10}
"""Random battles that are played without an entry, where they are quick."""
FEWER = 1
"""And where they are not."""
TOGETHER = 8
"""Entries that are left out of the same games."""
PLAYER_TURNS = 2
"""Where each side has turns of its own, they are counted."""
KEPT = ("settings",)
"""What a house rule sets, but cannot take away."""


def entries(data: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    """The paths of all that lies in a section of a file: entries of mappings, and places of lists."""
    if isinstance(data, (dict, list)):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            here = (*path, key)
            if here[0] not in KEPT:
                if path:
                    yield here
                yield from entries(value, here)


def removal(data: Any, path: KeyPath) -> dict[str, Any]:
    """The change that takes an entry out; of a list, by the list without it."""
    for key in path[:-1]:
        data = data[key]
    if isinstance(data, dict):
        return {"remove": dotted(path)}
    return {"at": dotted(path[:-1]), "was": data, "to": [one for place, one in enumerate(data) if place != path[-1]]}


def dotted(path: KeyPath) -> str:
    return ".".join(map(str, path))


class Removals:
    """Looks for entries without which play breaks.

    Those whose removal is not refused are played without in groups of entries that stand far apart, and by halves where
    anything goes wrong: a group that plays holds nothing that play needs.
    """

    def __init__(self, ruleset: str, file: Path, battles: int, scenarios: Sequence[str]) -> None:
        self.ruleset = ruleset
        self.data = load_rules(ruleset).data
        self.file = file
        self.battles = battles
        self.scenarios = scenarios
        self.faults: list[str] = []

    def look(self, paths: Sequence[KeyPath]) -> str:
        """What is wrong with these removals, a line each."""
        taken: dict[int, list[KeyPath]] = {}
        for path in paths:
            if self._loaded([path]) is not None:
                taken.setdefault(len(path), []).append(path)
        for alike in taken.values():  # as deep as each other, so that none lies in another
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
        """The rules without these entries; None where that is refused, which must be with the place of the removal."""
        changes = [removal(self.data, path) for path in paths]
        rule = {"house_rule": "without", "ruleset": self.ruleset, "changes": changes}
        self.file.write_text(json.dumps(rule), encoding="utf-8")
        try:
            return load_rules(self.ruleset, house_rules=[find_house_rule(str(self.file))])
        except Exception as error:  # noqa: BLE001  # whatever goes wrong is told with the entry behind it
            placed = isinstance(error, FileError) and all(one.file == str(self.file) for one in error.problems)
            if not placed and len(paths) == 1:
                self._note(paths, f"refused without a place: {type(error).__name__}: {error}")
            return None

    def _fault(self, paths: Sequence[KeyPath]) -> str:
        """What goes wrong in play without these entries; "" if nothing does."""
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
def test_what_play_needs_cannot_be_removed(ruleset: str, tmp_path: Path) -> None:
    only = tuple(filter(None, os.environ.get("ZAREBA_REMOVALS", "").split(",")))
    paths = [path for path in entries(load_rules(ruleset).data) if not only or dotted(path).startswith(only)]
    removals = Removals(ruleset, tmp_path / "without.yaml", BATTLES.get(ruleset, FEWER), shipped_scenarios())
    report = removals.look(paths)
    assert not report, f"\n{report}"


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_what_play_needs_cannot_be_removed_in_a_sample(ruleset: str, tmp_path: Path) -> None:
    paths = Random(ruleset).sample(sorted(entries(load_rules(ruleset).data), key=dotted), SAMPLE)
    report = Removals(ruleset, tmp_path / "without.yaml", 1, ()).look(paths)
    assert not report, f"\n{report}"
