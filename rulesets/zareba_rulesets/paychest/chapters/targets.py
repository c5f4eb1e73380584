"""Targets of fire, and who is ready to fire."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations, tee
from typing import Any, NamedTuple, TypeAlias

from zareba.base.exact import dist
from zareba.base.speedups import cached_attribute
from zareba.space import Point
from zareba.space.geometry import box_between, distance_to_segment
from zareba.space.lazy import Lazy, LazyBetween
from zareba.table import LazyOptions, Option
from zareba_rulesets.paychest.chapters.fire import (
    Firer,
    TargetRanges,
    front_of,
    groups_of,
    in_reach,
    line_of,
    may_fire,
    ranges_along,
    single_targets,
    targets_in_reach,
)
from zareba_rulesets.paychest.chapters.guns import GunTarget, gun_groups, gun_places, units_in_gun_reach
from zareba_rulesets.paychest.chapters.sight import (
    FiringLine,
    eligible,
    enemies_near_box,
    figures_in_contact,
    foes_near,
    groups_among,
)
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.units import Figure, Unit

# --- Legal targets of a unit's fire, searched for on demand (PAY-092 to PAY-098, PAY-102) -----------------------------


STRETCH, HOLD = "a stretch", "hold fire"
Stretch: TypeAlias = tuple[Point, Point]


def has_target(battle: Battle, unit: Unit, line: FiringLine) -> bool:
    """Return True if there is a group to fire at, or a target for a stretch (PAY-094, PAY-098)."""
    reach, again = tee(targets_in_reach(battle, unit, line))
    return _has_place_to_aim_at(battle, (figures for _, figures in reach)) or any(
        groups_among(battle, battle.units[enemy], figures) for enemy, figures in again
    )


def _men_along(battle: Battle, side: str, reach: Lazy[str, list[Figure]], a: Point, b: Point) -> list[Figure]:
    """Return all figures in reach with their centres within an inch of a stretch (PAY-098)."""
    max_distance = battle.book.file.target_stretch.inches + 1e-9
    return [
        figure
        for enemy in enemies_near_box(battle, side, box_between(a, b), max_distance)
        for figure in reach[enemy.spec.id]
        if figure.at is not None and distance_to_segment(figure.at, a, b) <= max_distance
    ]


def has_gun_target(battle: Battle, engine: Engine) -> bool:
    """Return True if a gun or machine gun has a target (PAY-178)."""
    reach = units_in_gun_reach(battle, engine)
    return bool(gun_groups(battle, engine, reach) or places_to_aim_at(battle, gun_places(battle, engine, reach)))


class Targets:
    """The groups and stretches of ground that some figures may fire at from their line (PAY-094 to PAY-099).

    Everything found for the choice is reused for the volley: the eligible figures of each enemy unit (`reach`), their
    groups, the figures along a stretch, and the ranges to them (`ranges_by_stretch`).
    """

    def __init__(self, battle: Battle, unit: Unit, firers: Sequence[Firer], line: FiringLine | None = None) -> None:
        self._battle, self._unit, self._firers = battle, unit, firers
        self.line = line = line or line_of(battle, firers)
        side = unit.spec.side
        self._enemies = [enemy.spec.id for enemy in enemies_near_box(battle, side, line.box, line.range)]
        reach: Lazy[str, list[Figure]] = Lazy(lambda name: eligible(battle, side, line, battle.units[name]))
        figures_along: Lazy[Stretch, list[Figure]] = LazyBetween(partial(_men_along, battle, side, reach))
        self.reach, self.figures_along = reach, figures_along
        self._groups: Lazy[str, list[list[Figure]]] = Lazy(
            lambda name: groups_among(battle, battle.units[name], reach[name])
        )
        self.ranges_by_stretch: Lazy[Stretch, TargetRanges] = Lazy(
            lambda stretch: ranges_along(battle, side, line.muzzles, figures_along[stretch])
        )

    def options(self) -> Sequence[Option]:
        """Return the options: hold fire, the groups, and a stretch (PAY-094, PAY-098).

        Enemy units are searched one at a time. With `second_shot_target` same a later volley must go where the first
        went, if a target is left (PAY-102).
        """
        if self.last_stretch is not None:
            return [HOLD, STRETCH]
        sizes = {name: len(self._battle.units[name].able) // 2 for name in self._enemies}
        parts = [(name, number) for name, count in sizes.items() for number in range(count)]

        def find(index: int) -> Option | None:
            if index == 0:
                return HOLD
            if index > len(parts):
                return (
                    STRETCH if _has_place_to_aim_at(self._battle, map(self.reach.__getitem__, self._enemies)) else None
                )
            name, number = parts[index - 1]
            targets = self._groups[name]
            return (name, targets[number][0].spec.id) if number < len(targets) else None

        options = LazyOptions(len(parts) + 2, find)
        if self._battle.book.settings.second_shot_target == "free":
            return options
        same: list[Option] = [
            option for option in options if isinstance(option, tuple) and option[0] == self._unit.shot_at
        ]
        return [HOLD, *same] if same else options

    @cached_attribute
    def last_stretch(self) -> Stretch | None:
        """The stretch that a second volley must fire at, or None if its target is free (PAY-102)."""
        free = self._battle.book.settings.second_shot_target == "free"
        if free or not self._unit.shot_at.startswith("stretch"):
            return None
        ends = _ends(self._unit.shot_at)
        return None if self.refusal(*ends) else ends

    def group(self, option: tuple[Any, ...]) -> list[Figure]:
        """Return the figures of a group."""
        return next(chain for chain in self._groups[option[0]] if chain[0].spec.id == option[1])

    def in_reach(self) -> dict[str, list[Figure]]:
        """Return the eligible figures of each enemy unit that has any (PAY-101)."""
        return {name: figures for name in self._enemies if (figures := self.reach[name])}

    def refusal(self, a: Point, b: Point) -> str | None:
        """Return why the figures may not fire at a stretch, or None (PAY-096, PAY-098, PAY-099)."""
        battle, targets = self._battle, self.figures_along[a, b]
        if not targets:
            return "there is no legal target along that stretch"
        if len(targets) == 1 and battle.is_leader(targets[0]):
            return "a group may not fire at a single leader (PAY-096)"
        if dist(a, b) <= 2 * battle.book.bases["foot"]:  # frontage of one figure
            return None
        firers_in_sight = zip(self._firers, *self.ranges_by_stretch[a, b], strict=True)
        # those that will fire (PAY-113)
        firing = [firer for firer, muzzle, distance in firers_in_sight if distance <= muzzle.range]
        front = front_of(battle, firing, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
        if dist(a, b) > front + 1e-6:
            return f"that stretch is {dist(a, b):.1f} inches long, but the frontage is {front:.1f}"
        return None


def _has_place_to_aim_at(battle: Battle, reach: Iterable[Sequence[Figure]]) -> bool:
    """Return True if `places_to_aim_at` would find a place for a stretch (PAY-096, PAY-098)."""
    leaders: list[Figure] = []
    for figures in reach:
        if not all(map(battle.is_leader, figures)):
            return True
        leaders += figures
    return bool(_points_between(battle, leaders))


def _ends(stretch: str) -> Stretch:
    """Return the ends of a stretch from the text stored in the unit."""
    numbers = [float(word) for word in stretch.split()[1:]]
    return (numbers[0], numbers[1]), (numbers[2], numbers[3])


def leader_targets(
    battle: Battle, unit: Unit, firer: Firer
) -> tuple[LazyOptions[Option], Mapping[str, Sequence[Figure]]]:
    """Return a leader's options (hold fire, and units with a target) and the targets in each unit (PAY-092).

    The second shot may be bound to the unit or stretch of the first, if any of its targets are left (PAY-102).
    """
    side, foes, line = unit.spec.side, foes_near(battle, unit), line_of(battle, [firer])
    touches = bool(foes) and firer.figure.spec.id in figures_in_contact(battle, unit, foes)
    bound = battle.book.settings.second_shot_target != "free"
    targets: Lazy[str, list[Figure]] = Lazy(lambda name: eligible(battle, side, line, battle.units[name]))
    names = [enemy.spec.id for enemy in enemies_near_box(battle, side, line.box, line.range)]
    if touches or bound:
        all_targets = single_targets(battle, unit, firer)
        targets.update((bound and _left_of_first_target(battle, unit, firer)) or all_targets)
        names = list(targets)

    def find(index: int) -> Option | None:
        if index == 0:
            return HOLD
        return names[index - 1] if targets[names[index - 1]] else None

    return LazyOptions(len(names) + 1, find), targets


def _left_of_first_target(battle: Battle, unit: Unit, firer: Firer) -> dict[str, list[Figure]]:
    """Return the remaining targets in the unit or stretch of a leader's first shot or volley (PAY-102)."""
    first = next((at for name, at in unit.aimed if name == firer.figure.spec.id), "")
    targets = single_targets(battle, unit, firer) if first else {}
    if not first.startswith("stretch"):
        return {first: targets[first]} if first in targets else {}
    figures_along = {figure.spec.id for figure in Targets(battle, unit, [firer]).figures_along[_ends(first)]}
    still_there = {name: [figure for figure in men if figure.spec.id in figures_along] for name, men in targets.items()}
    return {name: men for name, men in still_there.items() if men}


def may_join(battle: Battle, unit: Unit, firer: Firer) -> bool:
    """Return True if a leader may fire with the group.

    It may not while its second shot is bound to another target (PAY-102).
    """
    if battle.book.settings.second_shot_target == "free":
        return True
    aims_at_same = (firer.figure.spec.id, unit.shot_at) in unit.aimed
    return aims_at_same or not _left_of_first_target(battle, unit, firer)


def places_to_aim_at(battle: Battle, reach: dict[str, list[Figure]]) -> list[Point]:
    """Return the position of one figure per unit in reach that is no leader, else points between leaders (PAY-096)."""
    positions = []
    for figures in reach.values():
        soldiers_at = [figure.at for figure in figures if figure.at is not None and not battle.is_leader(figure)]
        if soldiers_at:
            positions.append(soldiers_at[len(soldiers_at) // 2])
    return positions or _points_between(battle, [figure for figures in reach.values() for figure in figures])


def _points_between(battle: Battle, leaders: Iterable[Figure]) -> list[Point]:
    """Return points where a stretch includes two leaders, so that neither is a lone target (PAY-098)."""
    stretch_length = 2 * battle.book.file.target_stretch.inches
    spots = [figure.at for figure in leaders if figure.at is not None]
    return [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in combinations(spots, 2) if dist(a, b) <= stretch_length]


def gun_refusal(battle: Battle, target: GunTarget, width: float, a: Point, b: Point) -> str | None:
    """Return why a gun may not fire at a stretch with `target` along it, or None (PAY-096, PAY-178)."""
    if dist(a, b) > width + 1e-6:
        return f"that stretch is {dist(a, b):.1f} inches long, but a gun's may be at most {width:.1f}"
    figures_hit = [*target.exposed, *target.hidden]
    if not figures_hit:
        return "there is no target along that stretch"
    if len(figures_hit) == 1 and battle.is_leader(figures_hit[0]):
        return "a gun may not fire at a single leader (PAY-096)"
    return None


# --- Who may fire now: the group of a unit with its firing line, and its leaders (PAY-094, PAY-100, PAY-103) ----------


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
