"""Matching: the figures that take part in a melee, paired as evenly as possible (RSK-164, RSK-165, RSK-182)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zareba.base.exact import dist
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.casualties import Figure
from zareba_rulesets.risk_factor.forces import Battle, Unit


@dataclass(slots=True)
class FigureMatch:
    """A figure of the smaller side and the opponents it faces."""

    single: Figure
    several: list[Figure]


def matches(table: Table, battle: Battle, units: Sequence[Unit]) -> list[FigureMatch]:
    """Match the fighters as evenly as possible, each with the nearest opponents. The rest stand behind (RSK-164).

    Leaders of charging groups are matched like other figures (RSK-182).
    """
    active_side = battle.side  # only the active side charges in its player turn
    anybody = _anybody_charged(battle, units)
    sides = fighters(battle, units)
    ours, theirs = sides[active_side], sides[battle.enemy(active_side)]
    smaller, larger = (ours, theirs) if len(ours) <= len(theirs) else (theirs, ours)
    shares = spread_opponents(len(smaller), len(larger), battle.book.settings.melee_max_contact)
    if shares and shares[0] != shares[-1] and not battle.is_solo(active_side):
        smaller = _order_for_odd_opponents(table, battle, active_side, smaller)
    return pair_off(battle, smaller, larger, anybody and larger is ours)


def fighters(battle: Battle, units: Sequence[Unit]) -> dict[str, list[Figure]]:
    """Return the figures of each side that take part in a melee between some units. Figures too far off do not
    (RSK-164).
    """
    anybody = _anybody_charged(battle, units)
    return {
        side: _figures_of_side(battle, units, side, steps_up=side != battle.side or not anybody)
        for side in battle.order
    }


def _anybody_charged(battle: Battle, units: Sequence[Unit]) -> bool:
    """Return True if one of these units of the active side has charged this turn."""
    return any("charged" in unit.marks for unit in units if unit.spec.side == battle.side)


def _figures_of_side(battle: Battle, units: Sequence[Unit], side: str, steps_up: bool) -> list[Figure]:
    """Return the figures of one side that fight: those in contact, and with `steps_up` those near enough to step up
    (RSK-164).

    Leaders within 5 cm of a charged group come after its men, or among them with `melee.leaders` set to as_figures
    (RSK-182). If only a leader is in contact, the men of his group step up to him. No figure steps up out of another
    melee. Figures that killed prisoners in this player turn do not step up; they are those farthest from the fight
    (RSK-159).
    """
    own_units = [unit for unit in units if unit.spec.side == side and unit.is_on_table]
    contact = {unit.spec.id: battle.figures_in_contact(unit) for unit in own_units}
    reach = battle.book.settings.melee_step_up_cm
    fronts = [
        (battle.units[n].body.at[i], battle.units[n].body.radius) for n, touching in contact.items() for i in touching
    ]
    if steps_up:
        groups = [unit for unit in own_units if not unit.spec.leader]
        for host in [battle.host(unit) for unit in own_units if unit.spec.leader]:
            if host is not None and all(host is not unit for unit in groups) and not battle.enemies_in_contact(host):
                groups.append(host)
                own_units.append(host)
        leaders = [leader for unit in groups for leader in battle.leaders_with(unit)]
        own_units += [
            leader for leader in leaders if leader.spec.id not in contact and not battle.enemies_in_contact(leader)
        ]
    fighting: list[tuple[bool, float, Figure]] = []
    leaders_last = battle.book.settings.melee_leaders == "last"
    for unit in own_units:
        in_contact = contact.get(unit.spec.id, frozenset())
        nearby: list[tuple[bool, float, Figure]] = []
        for index, point in enumerate(unit.body.at):
            distance = min([max(0.0, dist(point, p) - r - unit.body.radius) for p, r in fronts], default=0.0)
            if index in in_contact:
                fighting.append(
                    (bool(unit.spec.leader) and leaders_last and steps_up, 0.0, Figure(unit.spec.id, index))
                )
            elif steps_up and distance <= reach:
                nearby.append((bool(unit.spec.leader) and leaders_last, distance, Figure(unit.spec.id, index)))
        if unit.killers and side == battle.side:
            nearby = sorted(nearby)[: max(0, unit.count - len(in_contact) - unit.killers)]
        fighting += nearby
    return [figure for *_, figure in sorted(fighting)]


def spread_opponents(smaller: int, larger: int, max_opponents: int) -> list[int]:
    """Return the number of opponents for each figure of the smaller side: even to within one, at most `max_opponents`
    (RSK-164, RSK-165).
    """
    fighters = min(larger, max_opponents * smaller)
    return [fighters // smaller + (index < fighters % smaller) for index in range(smaller)] if smaller else []


def _order_for_odd_opponents(table: Table, battle: Battle, side: str, smaller: list[Figure]) -> list[Figure]:
    """Ask the charging side which figures face the odd opponents: those in front, the wounded, or the leaders
    (RSK-164).
    """
    units = battle.units

    def is_wounded(figure: Figure) -> bool:
        return units[figure.unit_id].hurt[figure.number]

    def is_leader(figure: Figure) -> bool:
        return bool(units[figure.unit_id].spec.leader)

    kinds = ["front"]
    if any(is_wounded(f) for f in smaller) and not all(is_wounded(f) for f in smaller):
        kinds.append("wounded")
    if any(is_leader(f) for f in smaller) and not all(is_leader(f) for f in smaller):
        kinds.append("leaders")
    chosen = table.choose(side, kinds, why="odd opponents", rule="RSK-164", actor=smaller[0].unit_id)
    if chosen == "wounded":
        return sorted(smaller, key=lambda figure: not is_wounded(figure))
    if chosen == "leaders":
        return sorted(smaller, key=lambda figure: not is_leader(figure))
    return smaller


def pair_off(battle: Battle, smaller: Sequence[Figure], larger: Sequence[Figure], charges: bool) -> list[FigureMatch]:
    """Give each figure of the smaller side its share of the nearest opponents left. Leaders of a larger side that did
    not charge come last.
    """
    shares = spread_opponents(len(smaller), len(larger), battle.book.settings.melee_max_contact)
    unpaired = list(larger)
    leaders_last = battle.book.settings.melee_leaders == "last" and not charges
    matches = []
    for single, share in zip(smaller, shares, strict=True):
        position = battle.units[single[0]].body.at[single[1]]
        ranked = sorted(
            (leaders_last and _leads(battle, other), _distance_to(battle, other, position), other) for other in unpaired
        )
        unpaired = [other for _, _, other in ranked]
        matches.append(FigureMatch(single, unpaired[:share]))
        unpaired = unpaired[share:]
    return matches


def _leads(battle: Battle, figure: Figure) -> bool:
    """Return True if a figure is a leader."""
    return bool(battle.units[figure.unit_id].spec.leader)


def _distance_to(battle: Battle, figure: Figure, point: Point) -> float:
    """Return the cm from a figure to a point."""
    return dist(point, battle.units[figure.unit_id].body.at[figure.number])
