"""Larger formations as templates, and tools for scenario writers (PAY-198 to PAY-213)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from zareba.base.errors import ZarebaError, unknown_name
from zareba.battle.unit_mapping import evenly
from zareba.scenario import Scenario
from zareba.scenario.vocabulary.words import ARMS
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.tables import Formation, PaychestFile

GUNNERS = ("artillery", "machine_gun")
_LONGEST_NAME = 50
"""Maximum length of a unit's name. A leader's name, "Sergeant major of the ...", is a little longer."""


@dataclass(frozen=True)
class UnitTemplate:
    """One unit with one card in a larger formation (PAY-212): its formation, name, figures by rank, and guns.

    `kind` and `arm` follow the organisation chart. A unit made of several joined units has those of the largest, and
    lists them in `parts`.
    """

    formation: str
    name: str
    ranks: Mapping[str, int]
    guns: int
    kind: str = "regular"
    arm: str = "infantry"
    parts: tuple[UnitTemplate, ...] = ()

    @property
    def figures(self) -> int:
        """The number of figures of all ranks."""
        return sum(self.ranks.values())


def _formation(file: PaychestFile, name: str) -> Formation:
    """Return a formation of Table 10 by name. Raises ZarebaError for an unknown one."""
    if name not in file.organisation:
        raise unknown_name("formation of Table 10 called", name, file.organisation)
    return file.organisation[name]


def muster(book: PaychestBook, name: str, parts: int | None = None) -> list[UnitTemplate]:
    """Return the units of a formation, its staff first (PAY-212), with `parts` subunits (by default the minimum).

    For example `muster(book, "native_regiment", 3)` is a native regiment of three warbands. Raises ZarebaError for an
    unknown name or a number of parts that the organisation chart does not allow.
    """
    return _muster(book.file, name, parts, "")


def _muster(file: PaychestFile, name: str, parts: int | None, label: str) -> list[UnitTemplate]:
    """Return the units of a formation: its staff, then those of each of its parts. `parts` replaces the least
    number.
    """
    formation = _formation(file, name)
    title = f"{label}{formation.title}"
    own = f"staff of {title}" if formation.of else title
    found = [UnitTemplate(name, own, formation.staff, formation.guns, formation.kind, _arm_of(formation))]
    for part, share in formation.of.items():
        count = share.least if parts is None else parts
        if count < share.least or (share.most is not None and count > share.most):
            bounds = str(share.least)
            if share.most != share.least:
                bounds += " or more" if share.most is None else f" to {share.most}"
            raise ZarebaError(f"a {formation.title} has {bounds} of {part}, not {count} ({formation.rule})")
        for number in range(1, count + 1):
            found += _muster(file, part, None, f"{label}{number}. ")
    return found


def amalgamate(*units: UnitTemplate) -> UnitTemplate:
    """Return two or more weak units as one (PAY-210): all their figures, under the highest rank."""
    ranks: dict[str, int] = {}
    for unit in units:
        for rank, count in unit.ranks.items():
            ranks[rank] = ranks.get(rank, 0) + count
    name = " and ".join(unit.name for unit in units)
    if len(name) > _LONGEST_NAME:
        name = f"{units[0].name} and {len(units) - 1} more"
    largest = max(units, key=lambda unit: unit.figures)
    return UnitTemplate("amalgamated", name, ranks, sum(unit.guns for unit in units), largest.kind, largest.arm, units)


def split_sizes(book: PaychestBook, figures: int, arm: str) -> list[int]:
    """Return the sizes into which a unit is split: whole up to the limit, else companies or squadrons (PAY-030)."""
    if figures <= book.file.unit_size.most:
        return [figures]
    of = "cavalry_squadron" if ARMS[arm].role == "mounted" else "infantry_company"
    count = ceil(figures / sum(book.file.organisation[of].staff.values()))
    return evenly(figures, count)


def notes_on(book: PaychestBook, scenario: Scenario) -> list[str]:
    """Return notes on what the scenario does against the authors' advice or differently from it (PAY-185, PAY-209)."""
    notes = []
    for side, entry in scenario.sides.items():
        units = scenario.units_of(side).values()
        guns = sum(u.gun.pieces if u.gun else int(u.arm in ("machine_gun", "rocket")) for u in units)
        guns += sum(arm in ("gun", "machine_gun") for u in units if u.arm != "machine_gun" for arm in u.armament)
        if guns > book.file.guns_that_warn.most:
            notes.append(f"{entry.name}: {guns} guns and machine guns are many; they are very powerful (PAY-185)")
    sizes = _usual_sizes(book)
    besides = Counter(leader.unit for leader in scenario.leaders.values() if leader.rank == "commander")  # PAY-032
    odd = [
        unit.name
        for key, unit in scenario.units.items()
        if unit.arm in sizes and unit.figures + besides[key] not in sizes[unit.arm]
    ]
    if odd:
        notes.append(f"units of other sizes than in Table 10 of the rulebook: {', '.join(odd)} (PAY-209)")
    return notes


def _usual_sizes(book: PaychestBook) -> dict[str, set[int]]:
    """Return the strengths of the units of each arm in the organisation chart, staffs included (PAY-212)."""
    found: dict[str, set[int]] = {}
    for formation in book.file.organisation.values():
        found.setdefault(_arm_of(formation), set()).add(sum(formation.staff.values()))
    return found


def _arm_of(formation: Formation) -> str:
    """Return the arm of a formation's own unit. The staff of a battery counts as infantry because it has no gun."""
    return "infantry" if formation.arm in GUNNERS and not formation.guns else formation.arm
