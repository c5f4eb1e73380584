"""Measure each side's chance in the shipped battles, and look for even forces under each ruleset (`make even`).

python tests/even_forces.py [--known] [--battle NAME]... [RULESET]...      (writes core/zareba/authoring/even_forces.json)

With --known, only the forces found before are measured again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games_for_results
from zareba.analysis.studies.balance import LEAST_FORCES
from zareba.authoring.even_forces import AS_WRITTEN, EVEN, scenario_with_forces
from zareba.base.errors import ZarebaError
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import Scenario, load_scenario, parse_scenario, shipped_scenarios

FILE = Path(__file__).parents[1] / "core" / "zareba" / "authoring" / "even_forces.json"
PLAYER = "doctrine"
GAMES, TRIAL_GAMES = 60, 20
"""Games that measure a share of wins, and that try one candidate."""
NEARLY_EVEN = (0.3, 0.7)
"""The shares of the trial games between which a candidate is measured."""
SCANNED, SCAN_GAMES = 40, 10
"""The most balances of forces that are scanned, and games at each."""
CANDIDATES = 8
"""The most balances of forces that are tried."""
MOST_LEFT_OUT = 2
"""The most units of the stronger side that are left out."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the forces of a battle (see `scenario_with_forces`)."""

    forces: int = AS_WRITTEN
    without: tuple[str, ...] = ()

    def text(self, battle: Scenario) -> str:
        """Return the text of the changed battle."""
        return scenario_with_forces(battle, self.forces, self.without)


UNCHANGED = Change()


def share_won(battle: Scenario, change: Change, ruleset: str, games: int, seed: int) -> float:
    """Return the share of games that the first side of a battle wins. A draw is half a win."""
    first, second = battle.sides
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{battle.id}.yaml"
        file.write_text(change.text(battle), encoding="utf-8")
        players = ((first, PLAYER), (second, PLAYER))
        played = run_games_for_results(GameTask(Variant(ruleset, ruleset), str(file), 0, games, seed, players))
    return round(sum(0.5 if game.winner is None else float(game.winner == first) for game in played) / games, 3)


def measure(battle: Scenario, ruleset: str, known: Change | None = None, *, search: bool = True) -> dict[str, Any]:
    """Return the entry of a battle under a ruleset: its chances, and even forces if any are found.

    `known` is the change found before, which is tried first, or alone without `search`.
    """
    chance = share_won(battle, UNCHANGED, ruleset, GAMES, seed=1)
    change, even_chance = (UNCHANGED, chance) if _is_even(chance) else (known, chance)
    if change not in (None, UNCHANGED):
        even_chance = share_won(battle, change, ruleset, GAMES, seed=2)
    if not _is_even(even_chance):
        change, even_chance = _look_for_even_forces(battle, ruleset, chance) if search else (None, chance)
    entry = {
        "forces": change and change.forces,
        "chances": _of_sides(battle, chance),
        "even_chances": {} if change is None else _of_sides(battle, even_chance),
        "games": GAMES,
    }
    return entry | ({"without": list(change.without)} if change is not None and change.without else {})


def _look_for_even_forces(battle: Scenario, ruleset: str, chance: float) -> tuple[Change | None, float]:
    """Return a change that makes the battle even, and the first side's share of wins; None if there is none.

    First the stronger side has fewer figures; if that is not enough, one of its units is left out as well, or two.
    A few games are played with many changes, more games with the most even of them. The share comes from other games,
    because the best of several candidates has been lucky.
    """
    for without in _units_left_out(battle, stronger=1 if chance < EVEN[0] else 0):
        different = _different_starts(battle, ruleset, without, first_is_weaker=chance < EVEN[0])
        if without:  # the smallest and the largest forces show whether any between them can be even
            ends = [
                share_won(battle, change, ruleset, SCAN_GAMES, seed=0) for change in (*different[:1], *different[-1:])
            ]
            if not ends or max(ends) < NEARLY_EVEN[0] or min(ends) > NEARLY_EVEN[1]:
                continue
        scanned = different[:: len(different) // SCANNED + 1]
        shares = {change: share_won(battle, change, ruleset, SCAN_GAMES, seed=0) for change in scanned}
        candidates = sorted(shares, key=lambda change: abs(shares[change] - 0.5))
        for number, change in enumerate(candidates[:CANDIDATES]):
            tried = share_won(battle, change, ruleset, TRIAL_GAMES, seed=10 + number)
            if NEARLY_EVEN[0] <= tried <= NEARLY_EVEN[1]:
                share = share_won(battle, change, ruleset, GAMES, seed=2)
                if _is_even(share):
                    return change, share
    return None, chance


def _units_left_out(battle: Scenario, stronger: int) -> Iterator[tuple[str, ...]]:
    """Yield no unit, then each unit of the stronger side that fights, then each two of them."""
    side = list(battle.sides)[stronger]
    units = [key for key, unit in battle.units.items() if unit.side == side and unit.kind != "civilian"]
    for number in range(MOST_LEFT_OUT + 1):
        yield from combinations(units, number)


def _different_starts(
    battle: Scenario, ruleset: str, without: tuple[str, ...], *, first_is_weaker: bool
) -> list[Change]:
    """Return the changes under which the battle begins differently, if the stronger side has no more figures.

    Units of Victorian Colonial Combat have whole bases, so that many balances are the same battle there. A change is
    left out if a unit would be too small for the ruleset, or if the scenario refers to a unit that is left out.
    """
    most = 2 * AS_WRITTEN - LEAST_FORCES
    starts: dict[str, Change] = {}
    for forces in range(AS_WRITTEN, most + 1) if first_is_weaker else range(LEAST_FORCES, AS_WRITTEN + 1):
        change = Change(forces, without)
        if change == UNCHANGED:
            continue
        try:
            game = load_rules(ruleset).game(parse_scenario(change.text(battle), battle.id))
        except ZarebaError:
            continue
        starts.setdefault(json.dumps(game.start().to_data(), sort_keys=True, default=str), change)
    return list(starts.values())


def _is_even(share: float) -> bool:
    return EVEN[0] <= share <= EVEN[1]


def _of_sides(battle: Scenario, chance_of_first: float) -> dict[str, float]:
    return dict(zip(battle.sides, (chance_of_first, round(1 - chance_of_first, 3)), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", default=ruleset_names())
    parser.add_argument("--battle", action="append", default=None)
    parser.add_argument("--known", action="store_true")
    options = parser.parse_args()
    measured: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
    for name in options.battle or shipped_scenarios():
        battle = load_scenario(name)
        entry = measured.setdefault(name, {})
        if entry.get("scenario") != battle.digest:
            entry.update(scenario=battle.digest, rulesets={})
        for ruleset in options.rulesets:
            before = entry["rulesets"].get(ruleset, {})
            known = Change(before["forces"], tuple(before.get("without", ()))) if before.get("forces") else None
            entry["rulesets"][ruleset] = measure(battle, ruleset, known, search=not options.known)
            print(name, ruleset, entry["rulesets"][ruleset], flush=True)
            FILE.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
