"""Command distance of leaders, with changes by house rules (RSK-055)."""

from __future__ import annotations

from zareba.base.tally import Tally
from zareba.space.field.bodies import Body
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit

__all__ = ["command_distances", "in_command_range"]


def command_distances(battle: Battle, leader: Unit, seen: list[Tally] | None = None) -> tuple[float, float]:
    """Return the command distances in cm in enclosed and in open ground; the second is never less than the first. `seen`
    collects the modifier breakdowns.
    """
    lengths, rules = battle.book.lengths, battle.book.rules
    near, far = lengths["command_enclosed"], lengths["command_open"]
    if not rules.changes("command_distance"):
        return near, far
    near, far = (
        float(rules.number("command_distance", printed, battle, leader, seen=seen, of=ground))
        for ground, printed in (("enclosed", near), ("open", far))
    )
    return near, max(near, far)


def in_command_range(battle: Battle, leader: Unit, body: Body) -> tuple[bool, ...]:
    """Return which figures of a body are within command distance of a leader (RSK-055)."""
    lie = battle.field
    if not battle.book.rules.changes("command_distance"):
        return lie.commanded[leader.body, body]
    return lie.within_command(leader.body, body, *command_distances(battle, leader))
