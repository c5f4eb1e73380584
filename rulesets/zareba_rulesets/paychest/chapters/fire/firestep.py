"""The choices of the fire step, one shot or volley at a time (PAY-094 to PAY-104, PAY-176, PAY-178)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from zareba.battle.legal_actions import ActionKinds
from zareba.space import Point
from zareba.space.geometry import middle_of
from zareba.space.lazy import Lazy, LazyBetween
from zareba.table import LazyOptions, Option, Table
from zareba_rulesets.paychest.chapters.fire.fire import (
    Firer,
    front_of,
    groups_of,
    has_single_target,
    in_reach,
    line_of,
    may_fire,
    volley,
    widest_front,
)
from zareba_rulesets.paychest.chapters.fire.stretch import lay_stretch, reaches_nobody
from zareba_rulesets.paychest.chapters.fire.targets import (
    HOLD,
    STRETCH,
    Targets,
    fair_places,
    gun_refusal,
    has_gun_target,
    has_target,
    leader_targets,
    may_join,
)
from zareba_rulesets.paychest.chapters.guns.crews import choose_servers, note_service, ready, servers
from zareba_rulesets.paychest.chapters.guns.gunnery import (
    GunTarget,
    gun_groups,
    gun_places,
    gun_reach,
    gun_shot,
    gun_stretch,
    men_along,
    stretch_name,
)
from zareba_rulesets.paychest.chapters.sight.contact import foes_near, held
from zareba_rulesets.paychest.chapters.sight.sight import FiringLine
from zareba_rulesets.paychest.forces.battle import Battle, gun_limit
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = ["fire_step", "readiness", "volley_group"]

DONE, VOLLEY, WITH_LEADERS, PICKED = "done", "volley", "volley with leaders", "volley of picked men"
LEADER, GUN, UNJAM = "leader", "gun", "unjam"


class Readiness(NamedTuple):
    """The remaining firers of a unit: its group with its firing line, and its leaders.

    `joining` holds the leaders that may fire with the group; they touch no enemy (PAY-103).
    """

    group: list[Firer]
    line: FiringLine | None
    leaders: dict[str, Firer]
    joining: list[Firer]


def fire_step(table: Table, battle: Battle, unit: Unit) -> None:
    """Run volleys, leaders' shots and guns in the owner's order, resolving each before the next (PAY-104).

    Second shots belong to the same step (PAY-100). Only the phasing unit fires (PAY-062). The step may be passed
    (PAY-061).
    """
    while True:
        state = readiness(battle, unit)
        options = _options(battle, unit, state)
        if not options.are_several():
            return
        act = table.choose(unit.spec.side, options, why="fire", rule="PAY-104", actor=unit.spec.id)
        if act == DONE:
            return
        if isinstance(act, tuple):
            if act[0] == LEADER:
                _leader_fires(table, battle, unit, state.leaders[act[1]])
            elif act[0] == GUN:
                _gun_fires(table, battle, unit, act[1])
            else:
                _unjam(table, battle, act[1])
        else:
            _volley(table, battle, unit, state, act)


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
            most = most_shots[weapon]
            if volleys < figure.spec.shots and (most is None or volleys < most):
                group.append(firer)
    if not group:
        return Readiness(group, None, leaders, [])
    foes = foes_near(battle, unit) if leaders else []
    touching = held(battle, unit, foes) if foes else ()
    joining = [f for name, f in leaders.items() if name not in touching and may_join(battle, unit, f)]
    return Readiness(group, line_of(battle, group), leaders, joining)


def _options(battle: Battle, unit: Unit, state: Readiness) -> LazyOptions[Option]:
    """Return what may be done next. Each option checks for a target only when it is read."""
    offered = ActionKinds()
    offered.add(DONE)
    if state.line is not None:
        there = cache(partial(has_target, battle, unit, state.line))
        offered.add(VOLLEY, there)
        if state.joining:
            offered.add(WITH_LEADERS, there)
        if len(state.group) + len(state.joining) > 1:
            offered.add(PICKED, there)
    for key, firer in state.leaders.items():
        if "held" not in firer.figure.marks:
            offered.add((LEADER, key), partial(has_single_target, battle, unit, firer))
    if battle.engines:
        for key in battle.guns_of(unit):
            if ready(battle, battle.engines[key]):
                offered.add((GUN, key), partial(has_gun_target, battle, battle.engines[key]))
        if battle.book.settings.jam_clear == "one_shot":
            for key in battle.guns_of(unit):
                engine = battle.engines[key]
                if engine.jammed and not engine.shots and gun_limit(battle, engine) > 1 and servers(battle, engine):
                    offered.add((UNJAM, key))
    return offered


def _volley(table: Table, battle: Battle, unit: Unit, state: Readiness, act: Option) -> None:
    firers = list(state.group)
    if act != VOLLEY:
        firers += state.joining
    if act == PICKED:
        firers = [
            firer
            for firer in firers
            if table.confirm(unit.spec.side, why="fires", rule="PAY-094", actor=firer.figure.spec.id)
        ]
        if not firers:
            for firer in state.group:
                firer.figure.mark("held")
            return
    aims = Targets(battle, unit, firers, state.line if act == VOLLEY else None)
    options = aims.options()
    who = () if act == VOLLEY else tuple(firer.figure.spec.id for firer in firers)
    aimed = table.choose(unit.spec.side, options, why="volley at", rule="PAY-094", actor=unit.spec.id, about=who)
    if aimed == HOLD:
        for firer in firers:
            firer.figure.mark("held")
        return
    sight = None
    if isinstance(aimed, tuple):
        targets, name = aims.group(aimed), str(aimed[0])
        told = name
    else:
        place = aims.last
        if place is None:
            reach = aims.in_reach()
            along = [figure for figures in reach.values() for figure in figures]
            place = lay_stretch(
                table,
                unit.spec.side,
                unit.spec.id,
                _middle_of([firer.figure for firer in firers]),
                fair_places(battle, reach),
                lambda middle: front_of(battle, firers, middle),
                lambda a: reaches_nobody(battle, along, widest_front(battle, firers), a),
                aims.refusal,
            )
        targets, sight = aims.along[place], aims.sights.get(place)
        name = "stretch " + " ".join(repr(number) for point in place for number in point)
        told = stretch_name(*place)
    unit.shot_at = name
    unit.aimed += tuple((f.figure.spec.id, name) for f in firers if battle.is_leader(f.figure))
    shots = [firer.figure.shots for firer in firers]
    volley(table, battle, unit, firers, targets, told, sight)
    unit.volleys += 1
    if shots == [firer.figure.shots for firer in firers]:  # no firer could see the target (PAY-113): do not ask again
        unit.volleys -= 1
        for firer in firers:
            firer.figure.mark("held")


def volley_group(
    battle: Battle, unit: Unit, option: tuple[Any, ...], who: Collection[str]
) -> tuple[list[Firer], list[Figure]]:
    """Return the firers of a volley and the group it is aimed at (PAY-094).

    Without names in `who` the whole group fires.
    """
    able = readiness(battle, unit)
    firers = [f for f in (*able.group, *able.joining) if f.figure.spec.id in who] if who else able.group
    groups = groups_of(battle, in_reach(battle, unit, firers)) if firers else {}
    return firers, groups.get((option[0], option[1]), [])


def _middle_of(figures: Sequence[Figure]) -> Point:
    spots = [figure.at for figure in figures if figure.at is not None]
    return middle_of(spots)


def _leader_fires(table: Table, battle: Battle, unit: Unit, firer: Firer) -> None:
    """Let a leader figure fire at any single figure in range (PAY-092): first choose the unit, then the figure."""
    side, actor = unit.spec.side, firer.figure.spec.id
    options, targets = leader_targets(battle, unit, firer)
    at = table.choose(side, options, why="fire at unit", rule="PAY-092", actor=actor)
    if at == HOLD:
        firer.figure.mark("held")
        return
    unit.aimed = (*unit.aimed, (actor, str(at)))
    names = {figure.spec.id: figure for figure in targets[str(at)]}
    name = table.choose(side, list(names), why="fire at", rule="PAY-092", actor=actor, about=(at,))
    volley(table, battle, unit, [firer], [names[name]], name)


def _gun_fires(table: Table, battle: Battle, unit: Unit, key: str) -> None:
    """Fire a gun or machine gun at a group, or at a stretch of up to 4 inches (PAY-178, PAY-179)."""
    engine = battle.engines[key]
    reach = gun_reach(battle, engine)
    groups = gun_groups(battle, engine, reach)
    places = fair_places(battle, gun_places(battle, engine, reach))
    options: list[Option] = [*groups, *([STRETCH] if places else []), HOLD]
    aimed = table.choose(unit.spec.side, options, why="gun at", rule="PAY-178", actor=key)
    if aimed == HOLD:
        battle.engines.change(key).shots = gun_limit(battle, engine)
        return
    if isinstance(aimed, tuple):
        gun_shot(table, battle, key, groups[aimed])
        return
    width = float(battle.book.file.gun_stretch.inches)

    def begins(a: Point) -> str | None:
        return reaches_nobody(battle, along, width, a)

    targets: Lazy[tuple[Point, Point], GunTarget] = LazyBetween(lambda a, b: gun_stretch(battle, engine, a, b, reach))

    def refused(a: Point, b: Point) -> str | None:
        return gun_refusal(battle, targets[a, b], width, a, b)

    along = men_along(reach)
    start = _middle_of(servers(battle, engine))
    place = lay_stretch(table, unit.spec.side, key, start, places, lambda _: width, begins, refused)
    gun_shot(table, battle, key, targets[place])


def _unjam(table: Table, battle: Battle, key: str) -> None:
    """Clear a jam for one of the crew's shots, with `jam_clear` one_shot (PAY-176).

    The crew then counts as serving the gun (PAY-178).
    """
    engine = battle.engines.change(key)
    note_service(battle, key, choose_servers(table, battle, engine, key))
    engine.jammed = False
    engine.shots += 1
    table.emit("jam cleared", "PAY-176", gun=key, unit=engine.unit)
