"""The choices of the fire step, one shot or volley after the other (P4; PAY-094 to PAY-104, PAY-176, PAY-178)."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist
from typing import NamedTuple

from zareba.space import Point
from zareba.table import Option, Table
from zareba_rulesets.paychest.battle import Battle, Engine
from zareba_rulesets.paychest.contact import foes_near, in_contact
from zareba_rulesets.paychest.fire import (
    Firer,
    Known,
    front_of,
    groups_of,
    has_single_target,
    in_reach,
    may_fire,
    muzzles_of,
    reached,
    refusal,
    single_targets,
    stretch_targets,
    volley,
)
from zareba_rulesets.paychest.gunnery import (
    gun_groups,
    gun_limit,
    gun_places,
    gun_shot,
    gun_stretch,
    servers,
    unit_guns,
)
from zareba_rulesets.paychest.shooting import shots_left
from zareba_rulesets.paychest.stretch import lay_stretch
from zareba_rulesets.paychest.units import Figure, Unit

__all__ = ["fire_step"]

DONE, VOLLEY, WITH_LEADERS, PICKED = "done", "volley", "volley with leaders", "volley of picked men"
LEADER, GUN, UNJAM, STRETCH, HOLD = "leader", "gun", "unjam", "a stretch", "hold fire"


class _Ready(NamedTuple):
    """What the unit can still do: its group of firers, its leaders, and whom they were found to reach so far.

    `joining`: those of the leaders who may fire with the group, touching nobody (PAY-103).
    """

    group: list[Firer]
    leaders: dict[str, Firer]
    joining: list[Firer]
    known: Known


def fire_step(table: Table, battle: Battle, unit: Unit) -> None:
    """P4: volleys, leaders' shots, guns, in the order that the owner likes; each is marked before the next (PAY-104).

    Second shots fall in the same step (PAY-100); only the phasing unit fires (PAY-062); it may be passed (PAY-061).
    """
    known: Known = {}
    while True:
        state = _ready(battle, unit, known)
        options = _options(battle, unit, state)
        if not options:
            return
        act = table.choose(unit.spec.side, [DONE, *options], why="fire", rule="PAY-104", actor=unit.spec.id)
        if act == DONE:
            return
        if isinstance(act, tuple):
            if act[0] == LEADER:
                _leader_fires(table, battle, unit, state.leaders[act[1]])
            elif act[0] == GUN:
                _gun_fires(table, battle, unit, act[1])
            else:
                _unjam(table, battle.engines.change(act[1]), act[1])
        else:
            _volley(table, battle, unit, state, act)


def _ready(battle: Battle, unit: Unit, known: Known) -> _Ready:
    firers = may_fire(battle, unit)
    leaders = {f.figure.spec.id: f for f in firers if battle.is_leader(f.figure)}
    group = [
        f
        for f in firers
        if f.figure.spec.id not in leaders and "held" not in f.figure.marks and _has_volley_left(battle, unit, f)
    ]
    foes = foes_near(battle, unit) if group and leaders else []
    joining = [f for f in leaders.values() if group and not in_contact(battle, f.figure, foes)]
    return _Ready(group, leaders, joining, known)


def _has_volley_left(battle: Battle, unit: Unit, firer: Firer) -> bool:
    """A unit fires no more volleys than a man has shots, whoever held his fire in one of them (PAY-094, PAY-100)."""
    return unit.volleys < shots_left(battle.book, firer.figure, firer.weapon) + firer.figure.shots


def _options(battle: Battle, unit: Unit, state: _Ready) -> list[Option]:
    options: list[Option] = []
    if state.group and _has_target(battle, unit, state):
        options.append(VOLLEY)
        if state.joining:
            options.append(WITH_LEADERS)
        if len(state.group) + len(state.joining) > 1:
            options.append(PICKED)
    for key, firer in state.leaders.items():
        if "held" not in firer.figure.marks and has_single_target(battle, unit, firer, state.known):
            options.append((LEADER, key))
    for key in unit_guns(battle, unit):
        if gun_groups(battle, battle.engines[key]) or gun_places(battle, battle.engines[key]):
            options.append((GUN, key))
    if battle.book.settings.jam_clear == "one_shot":
        for key in battle.guns_of(unit):
            engine = battle.engines[key]
            if engine.jammed and not engine.shots and gun_limit(battle, engine) > 1 and servers(battle, engine):
                options.append((UNJAM, key))
    return options


def _has_target(battle: Battle, unit: Unit, state: _Ready) -> bool:
    """A group somewhere, or one man who is no leader, for a stretch (PAY-094, PAY-098)."""
    return any(
        len(figures) > 1 or not battle.is_leader(figures[0])
        for _, figures in reached(battle, unit, state.group, state.known)
    )


def _volley(table: Table, battle: Battle, unit: Unit, state: _Ready, act: Option) -> None:
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
    reach = in_reach(battle, unit, firers, state.known)
    groups = groups_of(battle, reach)
    options: list[Option] = list(groups)
    if any(not battle.is_leader(figure) for figures in reach.values() for figure in figures):
        options.append(STRETCH)
    bound = _stretch_of_last_volley(battle, unit, firers)
    options = _same_target(battle, unit, options, bound)
    aimed = table.choose(unit.spec.side, [*options, HOLD], why="volley at", rule="PAY-094", actor=unit.spec.id)
    if aimed == HOLD:
        for firer in firers:
            firer.figure.mark("held")
        return
    if isinstance(aimed, tuple):
        targets, name = groups[aimed], str(aimed[0])
    else:
        place = bound
        if place is None:
            place = lay_stretch(
                table,
                unit.spec.side,
                unit.spec.id,
                _middle_of([firer.figure for firer in firers]),
                _plain(battle, reach),
                lambda middle: front_of(battle, firers, middle),
                lambda a, b: refusal(battle, unit, firers, a, b),
            )
        targets = stretch_targets(battle, unit, muzzles_of(battle, firers), *place)
        name = "stretch " + " ".join(repr(number) for point in place for number in point)
    unit.shot_at = name
    shots = [firer.figure.shots for firer in firers]
    volley(table, battle, unit, firers, targets, name if not name.startswith("stretch") else STRETCH)
    unit.volleys += 1
    if shots == [firer.figure.shots for firer in firers]:  # nobody saw what was aimed at (PAY-113): do not ask again
        unit.volleys -= 1
        for firer in firers:
            firer.figure.mark("held")


def _same_target(battle: Battle, unit: Unit, options: list[Option], bound: tuple[Point, Point] | None) -> list[Option]:
    """With `second_shot_target` same a later volley goes where the first went, if anything is left (PAY-102)."""
    if bound is not None:
        return [STRETCH]
    if battle.book.settings.second_shot_target == "free" or not unit.shot_at:
        return options
    same: list[Option] = [o for o in options if isinstance(o, tuple) and o[0] == unit.shot_at]
    return same or options


def _same_unit(battle: Battle, unit: Unit, actor: str, targets: dict[str, list[Figure]]) -> dict[str, list[Figure]]:
    """The same for a leader's second shot: at the unit of his first, if anything of it is left (PAY-102)."""
    if battle.book.settings.second_shot_target == "free":
        return targets
    first = next((at for name, at in unit.aimed if name == actor), "")
    return {first: targets[first]} if first in targets else targets


def _stretch_of_last_volley(battle: Battle, unit: Unit, firers: Sequence[Firer]) -> tuple[Point, Point] | None:
    """The stretch to which a second volley is bound; None if it may go where it likes (PAY-102)."""
    if battle.book.settings.second_shot_target == "free" or not unit.shot_at.startswith("stretch"):
        return None
    numbers = [float(word) for word in unit.shot_at.split()[1:]]
    a, b = (numbers[0], numbers[1]), (numbers[2], numbers[3])
    return None if refusal(battle, unit, firers, a, b) else (a, b)


def _middle_of(figures: Sequence[Figure]) -> Point:
    spots = [figure.at for figure in figures if figure.at is not None]
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def _plain(battle: Battle, reach: dict[str, list[Figure]]) -> list[Point]:
    """For each unit in reach the place of a figure in its middle that is no leader (PAY-096)."""
    found = []
    for figures in reach.values():
        plain = [figure.at for figure in figures if figure.at is not None and not battle.is_leader(figure)]
        if plain:
            found.append(plain[len(plain) // 2])
    return found


def _leader_fires(table: Table, battle: Battle, unit: Unit, firer: Firer) -> None:
    """A leader figure at any single figure in his range (PAY-092): which unit's, then which."""
    side, actor = unit.spec.side, firer.figure.spec.id
    targets = single_targets(battle, unit, firer)
    targets = _same_unit(battle, unit, actor, targets)
    at = table.choose(side, [*targets, HOLD], why="fire at unit", rule="PAY-092", actor=actor)
    if at == HOLD:
        firer.figure.mark("held")
        return
    unit.aimed = (*unit.aimed, (actor, at))
    names = {figure.spec.id: figure for figure in targets[at]}
    name = table.choose(side, list(names), why="fire at", rule="PAY-092", actor=actor, about=(at,))
    volley(table, battle, unit, [firer], [names[name]], name)


def _gun_fires(table: Table, battle: Battle, unit: Unit, key: str) -> None:
    """A gun or machine gun at a group, or at a stretch of up to 4 inches (PAY-178, PAY-179)."""
    engine = battle.engines[key]
    groups = gun_groups(battle, engine)
    plain = gun_places(battle, engine)
    options: list[Option] = [*groups, *([STRETCH] if plain else []), HOLD]
    aimed = table.choose(unit.spec.side, options, why="gun at", rule="PAY-178", actor=key)
    if aimed == HOLD:
        battle.engines.change(key).shots = gun_limit(battle, engine)
        return
    if isinstance(aimed, tuple):
        gun_shot(table, battle, key, groups[aimed])
        return
    width = float(battle.book.file.gun_stretch.inches)

    def refused(a: Point, b: Point) -> str | None:
        if dist(a, b) > width + 1e-6:
            return f"that stretch is {dist(a, b):.1f} inches long, a gun's is {width:.1f} at most"
        target = gun_stretch(battle, engine, a, b)
        there = [*target.exposed, *target.hidden]
        if not there:
            return "nobody stands along that stretch"
        if len(there) == 1 and battle.is_leader(there[0]):
            return "a gun may not fire at one leader alone (PAY-096)"
        return None

    start = _middle_of(servers(battle, engine))
    place = lay_stretch(table, unit.spec.side, key, start, _plain(battle, plain), lambda _: width, refused)
    gun_shot(table, battle, key, gun_stretch(battle, engine, *place))


def _unjam(table: Table, engine: Engine, key: str) -> None:
    """With `jam_clear` one_shot a crew gives up one of its shots (PAY-176)."""
    engine.jammed = False
    engine.shots += 1
    table.tell("jam cleared", "PAY-176", gun=key, unit=engine.unit)
