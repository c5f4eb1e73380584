"""Even forces: change the figures of a shipped battle so that each side wins about half of the games under a ruleset.

The change was measured with AI players and is shipped as data (`make even`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.grammar import in_a_sentence, join_with_and
from zareba.base.yamlfile import MAX_NAME
from zareba.scenario import Scenario, parse_scenario
from zareba.scenario.vocabulary import CREWED

AS_WRITTEN = 100
"""The balance of forces at which a battle has the forces of its scenario file."""
EVEN = (0.4, 0.6)
"""The shares of games won between which a battle counts as even."""
_TITLE_ENDING = ", even forces"


@dataclass(frozen=True, slots=True)
class EvenForces:
    """The measured chances of a battle under a ruleset. A draw counts as half a win for each side."""

    forces: int | None
    """The balance of forces at which the battle is even (see `scenario_with_forces`); None if none was found."""
    chances: Mapping[str, float]
    """The share of games that each side won with the forces of the scenario file."""
    even_chances: Mapping[str, float]
    """The share of games that each side won with the changed forces; empty if `forces` is None."""
    games: int
    """The number of games behind each of the two measurements."""
    without: tuple[str, ...] = ()
    """Units of the stronger side that are left out, because fewer figures alone do not make the battle even."""

    @property
    def is_change(self) -> bool:
        """True if even forces are known and are not those of the scenario file."""
        return self.forces is not None and (self.forces != AS_WRITTEN or bool(self.without))


def even_forces(scenario: Scenario, lineage: Sequence[str]) -> EvenForces | None:
    """Return the measured chances of a battle under the first ruleset of `lineage` that has any.

    None without data, and for a battle that has changed since it was measured.
    """
    measured = _measured().get(scenario.id, {})
    if measured.get("scenario") != scenario.digest:
        return None
    entry = next((measured["rulesets"][ruleset] for ruleset in lineage if ruleset in measured["rulesets"]), None)
    return entry and EvenForces(**entry | {"without": tuple(entry.get("without", ()))})


def with_even_forces(scenario: Scenario, lineage: Sequence[str]) -> Scenario:
    """Return a shipped battle with even forces under a ruleset. Raises ZarebaError if none are known."""
    known = even_forces(scenario, lineage)
    if known is None or known.forces is None:
        raise ZarebaError(
            f"no even forces are known for {scenario.id} under {lineage[0]}; look for some with"
            f" 'zareba balance {scenario.id} --ruleset {lineage[0]} --by forces'"
        )
    if not known.is_change:
        return scenario
    return parse_scenario(scenario_with_forces(scenario, known.forces, known.without), scenario.id)


def is_even_version(scenario: Scenario, as_written: Scenario, lineage: Sequence[str]) -> bool:
    """Return True if `scenario` is `as_written` with its figures changed to even forces."""
    known = even_forces(as_written, lineage)
    if known is None or not known.is_change:
        return False
    return with_even_forces(as_written, lineage).digest == scenario.digest


def scenario_with_forces(scenario: Scenario, forces: int, without: Sequence[str] = ()) -> str:
    """Return the text of a battle of two sides with another balance of forces.

    Below 100, `forces` is the percentage of its figures that the first side keeps; above, the second side keeps
    200 - `forces` per cent. Figures are only removed, because the map may have no room for more. Every unit keeps at
    least one figure, and guns, wagons, civilians and leaders stay, except the units in `without` and their leaders. The
    unit of a commander cannot be left out. Raises ZarebaError for another number of sides.
    """
    if len(scenario.sides) != 2:
        raise ZarebaError(f"forces can be changed in a battle of two sides; {scenario.id} has {len(scenario.sides)}")
    kept = (min(forces, AS_WRITTEN), min(2 * AS_WRITTEN - forces, AS_WRITTEN))
    data = scenario.model_dump(mode="json", exclude_unset=True)
    data["title"] = scenario.title[: MAX_NAME - len(_TITLE_ENDING)] + _TITLE_ENDING
    for side, percentage in zip(scenario.sides, kept, strict=True):
        figures = {
            key: unit.figures
            for key, unit in scenario.units.items()
            if unit.side == side and unit.arm not in CREWED and unit.kind != "civilian"
        }
        for key, number in _reduced(figures, percentage).items():
            data["units"][key]["figures"] = number
    if without:
        leaders = [
            key for key, leader in scenario.leaders.items() if leader.unit in without and leader.rank != "commander"
        ]
        data["units"] = {key: unit for key, unit in data["units"].items() if key not in without}
        data["leaders"] = {key: leader for key, leader in data.get("leaders", {}).items() if key not in leaders}
        left_out = [scenario.units[key].name for key in without] + [scenario.leaders[key].name for key in leaders]
        names = join_with_and([in_a_sentence(name) for name in left_out])
        data["note"] = f"{scenario.note} Left out to make the forces even: {names}.".lstrip()
    return json.dumps(data, ensure_ascii=False)


def _reduced(figures: Mapping[str, int], percentage: int) -> dict[str, int]:
    """Return the figures of each unit of a side when the side keeps a percentage of them, at least one in each unit.

    The whole side keeps the percentage, and the odd figures go to the units with the largest remainders. Rounding unit
    by unit would change units of one size together, and with them whole bases of Victorian Colonial Combat.
    """
    hundredths = {key: number * percentage for key, number in figures.items()}
    kept = {key: share // AS_WRITTEN for key, share in hundredths.items()}
    odd_figures = (sum(hundredths.values()) + AS_WRITTEN // 2) // AS_WRITTEN - sum(kept.values())
    for key in sorted(kept, key=lambda key: -(hundredths[key] % AS_WRITTEN))[:odd_figures]:
        kept[key] += 1
    return {key: max(1, number) for key, number in kept.items()}


@lru_cache(maxsize=1)
def _measured() -> dict[str, Any]:
    """Return the data that `make even` measured for the shipped battles."""
    file = resources.files("zareba.authoring") / "even_forces.json"
    measured: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return measured
