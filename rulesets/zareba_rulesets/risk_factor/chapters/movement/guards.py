"""Guards of prisoners, and the figures that must kill prisoners (RSK-157 to RSK-160)."""

from __future__ import annotations

from zareba.base.exact import dist
from zareba_rulesets.risk_factor.forces.battle import BACKWARD, Battle, Captives, Unit

__all__ = ["figures_near_prisoners", "guarded_by", "must_kill", "prisoners_held", "stand_to_kill"]


def prisoners_held(prisoners: int, guards: int, killers: int, prisoners_each: int) -> int:
    """Return how many prisoners the guards and killers can hold: five each. The rest escape (RSK-157, RSK-158)."""
    return min(prisoners, prisoners_each * (guards + killers))


def must_kill(group: int, prisoners: int, each: int) -> int:
    """Return how many figures of a group with `no_quarter` must kill: one for every `each` prisoners, at most the whole
    group (RSK-160).
    """
    return min(group, -(-prisoners // each))


def figures_near_prisoners(battle: Battle, captor: Unit, captives: Captives) -> list[int]:
    """Return the figures of a captor that can guard or kill prisoners: within 5 cm of them, not in contact with an
    enemy, not routing (RSK-157).
    """
    if captor.status == "routing":
        return []
    in_contact = battle.figures_in_contact(captor)
    reach = battle.book.lengths["guard"] + captor.body.radius + captives.body.radius
    return [
        index
        for index, point in enumerate(captor.body.at)
        if index not in in_contact and any(dist(point, other) <= reach for other in captives.body.at)
    ]


def guarded_by(battle: Battle, captor: Unit) -> tuple[list[Captives], set[int]]:
    """Return the guarded prisoners of a captor, and all figures that guard them. All prisoners of a captor are counted
    together (RSK-157).
    """
    lots: list[Captives] = []
    hands: set[int] = set()
    for captives in battle.captives:
        guards = figures_near_prisoners(battle, captor, captives) if captives.captor == captor.spec.id else []
        if guards:
            lots.append(captives)
            hands.update(guards)
    return lots, hands


def stand_to_kill(battle: Battle, unit: Unit) -> frozenset[int]:
    """Return the figures that stay behind with the prisoners because they must kill them: those farthest from the enemy
    (RSK-159, RSK-160).

    There are none if the group goes back, or with `prisoners.killers` set to move.
    """
    if not battle.captives or not unit.spec.no_quarter or battle.book.settings.prisoners_killers == "move":
        return frozenset()
    lots, hands = guarded_by(battle, unit)
    if not lots or unit.status in BACKWARD:
        return frozenset()
    enemies = [point for enemy in battle.against(unit.spec.side) for point in enemy.body.at]

    def nearness(index: int) -> float:
        return -min([dist(unit.body.at[index], point) for point in enemies], default=0.0)

    number = must_kill(unit.count, sum(captives.count for captives in lots), battle.book.counts["must_kill"])
    return frozenset(sorted(hands, key=lambda index: (nearness(index), index))[:number])
