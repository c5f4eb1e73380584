"""Measure each side's chance in the shipped battles, and look for even forces under each ruleset (`make even`).

python tests/even_forces.py [--known] [--battle NAME]... [RULESET]...      (writes core/zareba/authoring/even_forces.json)

With --known, only the forces found before are measured again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
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


def share_won(battle: Scenario, forces: int, ruleset: str, games: int, seed: int) -> float:
    """Return the share of games that the first side of a battle wins. A draw is half a win."""
    first, second = battle.sides
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{battle.id}.yaml"
        file.write_text(scenario_with_forces(battle, forces), encoding="utf-8")
        players = ((first, PLAYER), (second, PLAYER))
        played = run_games_for_results(GameTask(Variant(ruleset, ruleset), str(file), 0, games, seed, players))
    return round(sum(0.5 if game.winner is None else float(game.winner == first) for game in played) / games, 3)


def measure(battle: Scenario, ruleset: str, known: int | None = None, *, search: bool = True) -> dict[str, Any]:
    """Return the entry of a battle under a ruleset: its chances, and even forces if any are found.

    `known` is the balance of forces found before, which is tried first, or alone without `search`.
    """
    chance = share_won(battle, AS_WRITTEN, ruleset, GAMES, seed=1)
    forces, even_chance = (AS_WRITTEN, chance) if _is_even(chance) else (known, chance)
    if forces not in (None, AS_WRITTEN):
        even_chance = share_won(battle, forces, ruleset, GAMES, seed=2)
    if not _is_even(even_chance):
        forces, even_chance = _look_for_even_forces(battle, ruleset, chance) if search else (None, chance)
    return {
        "forces": forces,
        "chances": _of_sides(battle, chance),
        "even_chances": {} if forces is None else _of_sides(battle, even_chance),
        "games": GAMES,
    }


def _look_for_even_forces(battle: Scenario, ruleset: str, chance: float) -> tuple[int | None, float]:
    """Return a balance of forces at which the battle is even, and the first side's share of wins; None if there is none.

    A few games are played at many balances of forces, more games at the most even of them. The share comes from other
    games, because the best of several candidates has been lucky.
    """
    wanted = (
        range(AS_WRITTEN + 1, 2 * AS_WRITTEN - LEAST_FORCES + 1)
        if chance < EVEN[0]
        else range(LEAST_FORCES, AS_WRITTEN)
    )
    different = _different_starts(battle, ruleset, wanted)
    scanned = different[:: len(different) // SCANNED + 1]
    shares = {forces: share_won(battle, forces, ruleset, SCAN_GAMES, seed=0) for forces in scanned}
    candidates = sorted(shares, key=lambda forces: abs(shares[forces] - 0.5))
    for number, forces in enumerate(candidates[:CANDIDATES]):
        tried = share_won(battle, forces, ruleset, TRIAL_GAMES, seed=10 + number)
        if NEARLY_EVEN[0] <= tried <= NEARLY_EVEN[1]:
            share = share_won(battle, forces, ruleset, GAMES, seed=2)
            if _is_even(share):
                return forces, share
    return None, chance


def _different_starts(battle: Scenario, ruleset: str, wanted: Iterable[int]) -> list[int]:
    """Return the balances of forces under which the battle begins differently.

    Units of Victorian Colonial Combat have whole bases, so that many balances are the same battle there. A balance is
    left out if a unit would be too small for the ruleset.
    """
    starts: dict[str, int] = {}
    for forces in wanted:
        try:
            game = load_rules(ruleset).game(parse_scenario(scenario_with_forces(battle, forces), battle.id))
        except ZarebaError:
            continue
        starts.setdefault(json.dumps(game.start().to_data(), sort_keys=True, default=str), forces)
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
            known = entry["rulesets"].get(ruleset, {}).get("forces")
            entry["rulesets"][ruleset] = measure(battle, ruleset, known, search=not options.known)
            print(name, ruleset, entry["rulesets"][ruleset], flush=True)
            FILE.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
