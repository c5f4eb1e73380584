"""Measure each side's chance in the shipped battles, and look for even forces under each ruleset (`make even`).

    python tests/even_forces.py [--known] [--battle NAME]... [RULESET]...

It writes core/zareba/authoring/even_forces.json. With --known, only the forces found before are measured again.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
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
BISECTION_GAMES = 8
"""Games that say which side a balance of forces favours."""
CLEAR = (0.2, 0.8)
"""The shares of these games beyond which more games are not needed to say it."""
MOST_LEFT_OUT = 4
"""The most units of the stronger side that are left out. The unit of a commander stays."""
EXTENDED = 3
"""The number of choices of units left out to which one more unit is added."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the forces of a battle (see `scenario_with_forces`)."""

    forces: int = AS_WRITTEN
    without: tuple[str, ...] = ()

    def text(self, battle: Scenario) -> str:
        """Return the text of the changed battle."""
        return scenario_with_forces(battle, self.forces, self.without)


UNCHANGED = Change()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of some games for one side: its share of wins, and how many points it is ahead on average."""

    share: float
    lead: float


def play(battle: Scenario, change: Change, ruleset: str, games: int, seed: int) -> Result:
    """Return the result for the first side of a battle. A draw is half a win."""
    first, second = battle.sides
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"{battle.id}.yaml"
        file.write_text(change.text(battle), encoding="utf-8")
        players = ((first, PLAYER), (second, PLAYER))
        played = run_games_for_results(GameTask(Variant(ruleset, ruleset), str(file), 0, games, seed, players))
    share = sum(0.5 if game.winner is None else float(game.winner == first) for game in played) / games
    return Result(round(share, 3), sum(game.points[first] - game.points[second] for game in played) / games)


def share_won(battle: Scenario, change: Change, ruleset: str, games: int, seed: int) -> float:
    """Return the share of games that the first side of a battle wins."""
    return play(battle, change, ruleset, games, seed).share


def measure(battle: Scenario, ruleset: str, known: Change | None = None, *, search: bool = True) -> dict[str, Any]:
    """Return the entry of a battle under a ruleset: its chances, and even forces if any are found.

    `known` is the change found before, which is tried first, or alone without `search`.
    """
    chance = share_won(battle, UNCHANGED, ruleset, GAMES, seed=1)
    change, even_chance = (UNCHANGED, chance) if _is_even(chance) else (known, chance)
    if change not in (None, UNCHANGED):
        even_chance = share_won(battle, change, ruleset, GAMES, seed=2)
    if not _is_even(even_chance):
        change = None
        if search:
            change, even_chance = EvenForcesSearch(battle, ruleset, 0 if chance > 0.5 else 1).find() or (None, chance)
    entry = {
        "forces": change and change.forces,
        "chances": _of_sides(battle, chance),
        "even_chances": {} if change is None else _of_sides(battle, even_chance),
        "games": GAMES,
    }
    return entry | ({"without": list(change.without)} if change is not None and change.without else {})


class EvenForcesSearch:
    """A search for the figures and units of the stronger side with which a battle is even.

    First the side has fewer figures; if that is not enough, one of its units is left out as well, and then more units.
    Shares and leads in this class are those of the stronger side.
    """

    def __init__(self, battle: Scenario, ruleset: str, stronger: int) -> None:
        """Prepare a search in which the side with index `stronger` loses figures and units."""
        self._battle = battle
        self._ruleset = ruleset
        self._stronger = stronger
        self._results: dict[tuple[Change, int], Result] = {}

    def find(self) -> tuple[Change, float] | None:
        """Return a change that makes the battle even, and the first side's share of wins; None if there is none.

        One more unit is left out where the side has the smallest lead without enough of its units.
        """
        choices: list[tuple[str, ...]] = [()]
        for _ in range(MOST_LEFT_OUT + 1):
            leads: dict[tuple[str, ...], float] = {}
            for without in choices:
                changes = self._smallest_and_largest(without)
                if changes is None:
                    continue
                smallest = self._play(changes[0], BISECTION_GAMES, seed=0)
                if smallest.share > NEARLY_EVEN[1]:
                    leads[without] = smallest.lead
                    continue
                if self._play(changes[1], BISECTION_GAMES, seed=0).share < NEARLY_EVEN[0]:
                    continue
                leads[without] = smallest.lead
                for change in self._nearly_even(*changes):
                    # other games than those of the search, because the best of several candidates has been lucky
                    share = share_won(self._battle, change, self._ruleset, GAMES, seed=2)
                    if _is_even(share):
                        return self._with_most_figures(change), share
            choices = self._extended(sorted(leads, key=lambda without: leads[without])[:EXTENDED])
        return None

    def _nearly_even(self, smallest: Change, largest: Change) -> Iterator[Change]:
        """Yield the changes that are nearly even: of two changes, and of those that a bisection between them tries."""
        for change in dict.fromkeys((largest, smallest)):
            if change != UNCHANGED and _is_nearly_even(self._try(change).share):
                yield change
        low, high = smallest.forces, largest.forces
        starts = {low: self._start(smallest), high: self._start(largest)}
        while abs(high - low) > 1:
            middle = (low + high) // 2
            change = Change(middle, smallest.without)
            starts[middle] = self._start(change)
            if starts[middle] in (None, starts[low]):
                low = middle
            elif starts[middle] == starts[high]:
                high = middle
            else:
                share = self._try(change).share
                if _is_nearly_even(share):
                    yield change
                low, high = (middle, high) if share < 0.5 else (low, middle)

    def _extended(self, choices: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Return each choice with one more unit of the stronger side that fights."""
        side = list(self._battle.sides)[self._stronger]
        units = [key for key, unit in self._battle.units.items() if unit.side == side and unit.kind != "civilian"]
        more = {tuple(key for key in units if key in (*without, unit)) for without in choices for unit in units}
        return sorted(more - set(choices))

    def _smallest_and_largest(self, without: tuple[str, ...]) -> tuple[Change, Change] | None:
        """Return the changes with the fewest and the most figures with which the battle can begin without some units.

        None if there are none, for example because the scenario refers to a unit that is left out.
        """
        largest = Change(AS_WRITTEN, without)
        if self._start(largest) is None:
            return None
        for kept in range(LEAST_FORCES, AS_WRITTEN + 1):
            smallest = Change(kept if self._stronger == 0 else 2 * AS_WRITTEN - kept, without)
            start = self._start(smallest)
            if start is not None:
                return (largest if start == self._start(largest) else smallest), largest
        return None

    def _with_most_figures(self, change: Change) -> Change:
        """Return the change with more figures as long as the battle begins in the same way."""
        step = 1 if self._stronger == 0 else -1
        larger = Change(change.forces + step, change.without)
        while change.forces != AS_WRITTEN and self._start(larger) == self._start(change):
            change, larger = larger, Change(larger.forces + step, change.without)
        return change

    def _start(self, change: Change) -> str | None:
        """Return how the changed battle begins; None if a unit is too small for the ruleset.

        Units of Victorian Colonial Combat have whole bases, so that many changes are the same battle there.
        """
        try:
            game = load_rules(self._ruleset).game(parse_scenario(change.text(self._battle), self._battle.id))
        except ZarebaError:
            return None
        return json.dumps(game.start().to_data(), sort_keys=True, default=str)

    def _try(self, change: Change) -> Result:
        """Return the result of a few games, or of more games if the few are not clear."""
        few = self._play(change, BISECTION_GAMES, seed=0)
        return self._play(change, TRIAL_GAMES, seed=1) if CLEAR[0] < few.share < CLEAR[1] else few

    def _play(self, change: Change, games: int, seed: int) -> Result:
        if (change, games) not in self._results:
            result = play(self._battle, change, self._ruleset, games, seed)
            self._results[change, games] = result if self._stronger == 0 else Result(1 - result.share, -result.lead)
        return self._results[change, games]


def _is_nearly_even(share: float) -> bool:
    return NEARLY_EVEN[0] <= share <= NEARLY_EVEN[1]


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
