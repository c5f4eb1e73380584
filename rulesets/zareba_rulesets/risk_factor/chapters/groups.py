"""Groups: combining weak groups, keeping figures in sight of their mates, and leaders between two groups (RSK-045 to
RSK-049).
"""

from __future__ import annotations

from operator import attrgetter

from zareba.rules import procedure
from zareba.space.field.bodies import Body
from zareba.table import Table
from zareba_rulesets.risk_factor.forces import Battle, Unit, action_table, kit_of, kits_of

_ALIKE = attrgetter("kind", "troop_class", "native", "civilian", "support", "mounted")
"""The attributes that two groups must share to combine."""


def is_coherent(battle: Battle, body: Body) -> bool:
    """Return True if every figure sees at least one of its mates (RSK-046)."""
    field = battle.field
    blockers = field.between(body, body)
    if len(body) < 2 or blockers == ():
        return True
    at = body.at
    return all(any(i != j and field.line_clear(a, b, blockers) for j, b in enumerate(at)) for i, a in enumerate(at))


def may_combine(battle: Battle, weak: Unit, other: Unit) -> bool:
    """Return True if a group of three or fewer may join another one of its kind and class, up to thirty figures
    together (RSK-047).

    Both must have the same status, because only a throw ends a rout or a retreat (RSK-144). Dismounted riders do not
    combine with men on foot: their bases differ, and they have horses (RSK-080).
    """
    a, b, counts = weak.spec, other.spec, battle.book.counts
    if weak.count > counts["combine_at"] or weak.count + other.count > counts["largest_group"]:
        return False
    alike = _ALIKE(a) == _ALIKE(b) and weak.mounted == other.mounted and weak.status == other.status
    alike = alike and ("disarmed" in weak.marks) == ("disarmed" in other.marks)
    return alike and action_table(battle, weak) == action_table(battle, other)


@procedure("groups.merge")
def merge_side(table: Table, battle: Battle) -> None:
    """Combine weak groups with similar ones within 5 cm at the end of step 2 (RSK-047). Solo sides always combine;
    players may choose.
    """
    side, cm = battle.side, battle.book.lengths["combine"]
    weak = [g for g in battle.groups(side) if g.count <= battle.book.counts["combine_at"]]
    for unit in weak:
        if not unit.is_on_table:
            continue
        near = battle.within(
            unit, [g for g in battle.groups(side) if g is not unit and may_combine(battle, unit, g)], cm
        )
        found = battle.nearest(unit, near)
        if found is None:
            continue
        other, _ = found
        if battle.is_solo(side) or table.confirm(
            side, why="combine", rule="RSK-047", actor=unit.spec.id, about=(other.spec.id,)
        ):
            combine(table, battle, unit, other)


def combine(table: Table, battle: Battle, weak: Unit, other: Unit) -> None:
    """Combine two groups into one. Their losses are added up, or forgotten with `groups.merge_strength` set to fresh
    (RSK-047).

    Every figure keeps its arms. The new group has moved or charged, and is unloaded, if either group was (RSK-081,
    RSK-088, RSK-164, RSK-168).
    """
    if weak.kits or other.kits or kit_of(weak.spec) != kit_of(other.spec):
        other.kits = (*kits_of(other), *kits_of(weak))
    other.body = Body((*other.body.at, *weak.body.at), other.body.radius)
    other.hurt = (*other.hurt, *weak.hurt)
    other.armed = (*other.armed, *weak.armed)
    if battle.book.settings.groups_merge_strength == "carry":
        other.original, other.dead = other.original + weak.original, other.dead + weak.dead
    else:
        other.original, other.dead = other.count, 0
    other.mark(*(weak.marks & {"moved", "far", "footing", "fired", "charged", "charger"}))
    if "loaded" not in weak.marks:
        other.unmark("loaded")
    weak.dead, other.killers = 0, other.killers + weak.killers
    other.lost, other.caused = other.lost + weak.lost, other.caused + weak.caused
    for captives in battle.captives:
        if captives.captor == weak.spec.id:
            captives.captor = other.spec.id
    for carried_object in battle.carried_objects.values():
        if carried_object.carrier == weak.spec.id:
            carried_object.carrier = other.spec.id
    table.emit("combined", "RSK-047", unit=weak.spec.id, into=other.spec.id, count=other.count)
    battle.remove(weak, f"joined {other.spec.id}")


def share_actions(battle: Battle) -> None:
    """Give leaders without orders the action and goal of the group they are with (RSK-192). They continue it if they
    are left alone later.

    Leaders who threw for themselves in this player turn and have joined a group since keep their own action.
    """
    groups = battle.groups_of(battle.side)
    for leader in battle.of(battle.side):
        host = battle.host(leader, groups) if leader.spec.leader and "free" not in leader.marks else None
        if host is not None and leader.spec.id not in battle.risk:
            leader.action, leader.goal = host.action, host.goal


@procedure("groups.leaders")
def settle_ties(table: Table, battle: Battle) -> None:
    """Ask the owner of a leader equally near two groups which one the leader belongs to (RSK-048). Asked at each
    shooting and melee.
    """
    for side in battle.order:
        if battle.is_solo(side):
            continue
        groups, cm = battle.groups_of(side), battle.book.lengths["with_group"]
        for leader in battle.of(side):
            near = groups.ranked(leader.body, cm) if leader.spec.leader else []
            names = [groups.names[k] for k, gap in near if gap == near[0][1]]
            if len(names) > 1:
                names.sort(key=list(battle.units).index)
                leader.joins = table.choose(side, names, why="belongs to", rule="RSK-048", actor=leader.spec.id)
