"""Prisoners: capture, escape, killing and rescue (RSK-156 to RSK-161)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space.field.bodies import Body, nearest
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.movement import (
    figures_near_prisoners,
    guarded_by,
    lose_figures,
    must_kill,
    prisoners_held,
)
from zareba_rulesets.risk_factor.forces import Battle, Captives, Unit, find_room

_SPARE_THEM = 0
STEP = 1.0  # cm between captors and prisoners brought to them


@procedure("prisoners.take")
def take_prisoners(table: Table, battle: Battle, unit: Unit, figures: Sequence[int], captor: Unit) -> None:
    """Make figures prisoners of an enemy group and move them to it. They do not count as casualties (RSK-120, RSK-143,
    RSK-156).
    """
    indices = sorted(set(figures))
    body = _bring_to_captors(captor.body, Body(tuple(unit.body.at[index] for index in indices), unit.body.radius))
    hurt = tuple(unit.hurt[index] for index in indices)
    battle.captives.append(Captives(unit.spec.side, unit.spec.id, captor.spec.id, body, hurt))
    lose_figures(unit, indices)
    number, name = len(indices), unit.spec.id
    table.emit("loss", "RSK-156", unit=name, side=unit.spec.side, lost=number, left=unit.count, cause="morale")
    table.emit("captured", "RSK-156", unit=name, captor=captor.spec.id, count=number, left=unit.count)
    if not unit.is_on_table:
        battle.remove(unit, "captured")


def _bring_to_captors(captor: Body, prisoners: Body) -> Body:
    """Shift prisoners together until they are within 1 cm of their captors. Return them unchanged if they are near
    enough.
    """
    near = nearest(prisoners, captor)
    if near.gap <= STEP:
        return prisoners
    (x, y), (cx, cy) = prisoners.at[near.first_index], captor.at[near.second_index]
    share = (near.gap - STEP) / dist((x, y), (cx, cy))
    return prisoners.moved_by((cx - x) * share, (cy - y) * share)


def captors(battle: Battle) -> list[Unit]:
    """Return the units that hold prisoners."""
    return [battle.units[name] for name in dict.fromkeys(captives.captor for captives in battle.captives)]


@procedure("prisoners.escape")
def escape(table: Table, battle: Battle) -> None:
    """Remove prisoners in excess of five per guard at the end of steps 2 and 4; they count as neither killed nor freed
    (RSK-158).
    """
    prisoners_each = battle.book.counts["guarded"]
    for captor in captors(battle):
        guarded_prisoners, guards = guarded_by(battle, captor)
        own_captives = [captives for captives in battle.captives if captives.captor == captor.spec.id]
        unguarded = [captives for captives in own_captives if captives not in guarded_prisoners]
        stay = prisoners_held(sum(captives.count for captives in guarded_prisoners), len(guards), 0, prisoners_each)
        escaped = [*_keep_nearest(captor, guarded_prisoners, stay), *_keep_nearest(captor, unguarded, 0)]
        for captives, count in escaped:
            table.emit("escaped", "RSK-158", unit=captives.unit, count=count)
    battle.captives = [captives for captives in battle.captives if captives.count]


def _keep_nearest(captor: Unit, groups: list[Captives], stay: int) -> list[tuple[Captives, int]]:
    """Keep only `stay` prisoners of some groups, those nearest to their captors (RSK-157). Return the groups affected
    and how many were removed from each.
    """
    nearest_first = sorted(
        (min([dist(point, man) for man in captor.body.at], default=0.0), group, index)
        for group, captives in enumerate(groups)
        for index, point in enumerate(captives.body.at)
    )
    removed = []
    for number, captives in enumerate(groups):
        left = sorted(index for _, group, index in nearest_first[:stay] if group == number)
        if len(left) < captives.count:
            removed.append((captives, captives.count - len(left)))
            captives.body = Body(tuple(captives.body.at[index] for index in left), captives.body.radius)
            captives.hurt = tuple(captives.hurt[index] for index in left)
    return removed


@procedure("prisoners.dispatch")
def dispatch(table: Table, battle: Battle) -> None:
    """Let captors of the active side kill prisoners in step 3, two for each figure that does nothing else (RSK-159,
    RSK-160).

    Groups with `no_quarter` must use half as many figures as they hold prisoners. Other groups may choose; solo sides
    spare their prisoners.
    """
    side, killed_by_each = battle.side, battle.book.counts["dispatched"]
    killers_stay_behind = battle.book.settings.prisoners_killers == "stand"
    for captor in captors(battle):
        if captor.spec.side != side:
            continue
        guarded_prisoners, guards = guarded_by(battle, captor)
        prisoners = sum(captives.count for captives in guarded_prisoners)
        moved = "moved" in captor.marks
        idle = 0 if moved else len(guards)
        if captor.spec.no_quarter:
            able = captor.killers if moved and killers_stay_behind else len(guards)
            killers = min(able, must_kill(captor.count, prisoners, battle.book.counts["must_kill"]))
        elif battle.is_solo(side) or not idle:
            killers = _SPARE_THEM
        else:
            numbers = range(_SPARE_THEM, min(idle, -(-prisoners // killed_by_each)) + 1)
            killers = table.choose(side, numbers, why="kill prisoners", rule="RSK-159", actor=captor.spec.id)
        captor.killers = killers
        for captives, killed in _keep_nearest(captor, guarded_prisoners, max(0, prisoners - killed_by_each * killers)):
            battle.units[captives.unit].dead += killed
            table.emit("prisoners killed", "RSK-159", unit=captives.unit, captor=captor.spec.id, count=killed)
    battle.captives = [captives for captives in battle.captives if captives.count]


@procedure("prisoners.rescue")
def free_prisoners(table: Table, battle: Battle) -> None:
    """Free prisoners who are in contact with a friend and have no guard. They are steady but without arms (RSK-161).

    They stay where they are, or move as little as needed to find room for their bases (RSK-079).
    """
    if not battle.book.settings.prisoners_rescue:
        return
    contact = battle.book.lengths["contact"]
    for captives in list(battle.captives):
        near = [friend for friend in battle.of(captives.side) if friend.body.circle_gap(captives.body) <= contact]
        touched = any(battle.field.gaps[friend.body, captives.body].gap <= contact for friend in near)
        guards = figures_near_prisoners(battle, battle.units[captives.captor], captives)
        unit = battle.units[captives.unit]
        if not touched or guards:
            continue
        body = find_room(battle.field, battle.bodies(), captives.body)
        if not unit.is_on_table:
            unit.body, unit.hurt, unit.armed = body, captives.hurt, (False,) * captives.count
            unit.status, unit.action, unit.marks = "steady", "halt", frozenset({"disarmed"})
            battle.gone.pop(unit.spec.id, None)
        else:
            unit.body = Body((*unit.body.at, *body.at), unit.body.radius)
            unit.hurt, unit.armed = (*unit.hurt, *captives.hurt), (*unit.armed, *(False,) * captives.count)
            unit.kits = (*unit.kits, *(unit.spec.id,) * captives.count) if unit.kits else ()
        battle.captives.remove(captives)
        table.emit("freed", "RSK-161", unit=unit.spec.id, count=captives.count)
