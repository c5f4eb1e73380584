"""Who may fire now: the group of a unit with its firing line, and its leaders (PAY-094, PAY-100, PAY-103)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from zareba_rulesets.paychest.chapters.fire.fire import Firer, groups_of, in_reach, line_of, may_fire
from zareba_rulesets.paychest.chapters.fire.targets import may_join
from zareba_rulesets.paychest.chapters.sight.contact import figures_in_contact, foes_near
from zareba_rulesets.paychest.chapters.sight.sight import FiringLine
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = ["Readiness", "readiness", "volley_group"]


class Readiness(NamedTuple):
    """The remaining firers of a unit: its group with its firing line, and its leaders.

    `joining` holds the leaders that may fire with the group; they touch no enemy (PAY-103).
    """

    group: list[Firer]
    line: FiringLine | None
    leaders: dict[str, Firer]
    joining: list[Firer]


def readiness(battle: Battle, unit: Unit) -> Readiness:
    """Return the figures of a unit that may fire now, in its group and separately (PAY-094, PAY-100, PAY-103)."""
    ranks, most_shots, volleys = battle.book.leader_ranks, battle.book.most_shots, unit.volleys
    leaders: dict[str, Firer] = {}
    group = []
    for firer in may_fire(battle, unit):
        figure, weapon = firer
        if figure.rank in ranks:
            leaders[figure.spec.id] = firer
        elif "held" not in figure.marks:
            # no more volleys than the figure has shots, even if it held its fire in one (PAY-094, PAY-100)
            max_shots = most_shots[weapon]
            if volleys < figure.spec.shots and (max_shots is None or volleys < max_shots):
                group.append(firer)
    if not group:
        return Readiness(group, None, leaders, [])
    foes = foes_near(battle, unit) if leaders else []
    touching = figures_in_contact(battle, unit, foes) if foes else ()
    joining = [f for name, f in leaders.items() if name not in touching and may_join(battle, unit, f)]
    return Readiness(group, line_of(battle, group), leaders, joining)


def volley_group(
    battle: Battle, unit: Unit, option: tuple[Any, ...], firer_ids: Collection[str]
) -> tuple[list[Firer], list[Figure]]:
    """Return the firers of a volley and the group it is aimed at (PAY-094).

    Without names in `firer_ids` the whole group fires.
    """
    able = readiness(battle, unit)
    firers = [f for f in (*able.group, *able.joining) if f.figure.spec.id in firer_ids] if firer_ids else able.group
    groups = groups_of(battle, in_reach(battle, unit, firers)) if firers else {}
    return firers, groups.get((option[0], option[1]), [])
