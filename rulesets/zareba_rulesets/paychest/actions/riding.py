"""Mounting, dismounting and climbing walls in the move step (PAY-078, PAY-091)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self, final

from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.plugins.ruleset import Evaluation
from zareba.table import Table
from zareba_rulesets.paychest.actions.actor import EACH, MoveAction, MoveView, MovingUnit, gains_nothing
from zareba_rulesets.paychest.chapters.mounts import (
    DOWN,
    UP,
    able_to_climb,
    able_to_mount,
    climb,
    mount_or_dismount,
)


@final
class Mount(
    MoveAction,
    verb="mount",
    text="[way=up?mount and ride on][way=down?dismount and walk on][each?, man by man]",
):
    """Mount or dismount, all figures at once or figure by figure, and move on (PAY-078). This ends the move step."""

    way: str
    each: str = ""

    @classmethod
    def options(cls, actor: MovingUnit) -> Iterator[Self]:
        for way in (DOWN, UP):
            able = able_to_mount(actor.battle, actor.unit, way, actor.movable)
            if able:
                yield cls(way)
            if len(able) > 1:
                yield cls(way, EACH)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        each = self.each == EACH
        actor.walk_on(table, mount_or_dismount(table, actor.battle, actor.unit, self.way, actor.movable, each=each))

    def value(self, view: MoveView) -> Evaluation:
        if self.way == DOWN and _is_barred(view):
            reason = f"the last {amount(view.on_foot['run'], 'inch', 'inches')} must be covered on foot"
            return Evaluation(0.0, view.danger_here, 0.3, reason=reason)
        return gains_nothing(view)


def _is_barred(view: MoveView) -> bool:
    """Return True if mounted figures are near a goal that they cannot ride onto."""
    goal = view.purpose.at if view.purpose is not None else view.here
    return dist(view.here, goal) <= view.on_foot["run"] and not view.battle.field.move_costs["mounted"].can_stand(goal)


@final
class Climb(MoveAction, verb="climb", text="climb the wall[each?, man by man]"):
    """Climb a high wall, all figures that touch it or some (PAY-091). It is their move; the others may still go."""

    each: str = ""

    @classmethod
    def options(cls, actor: MovingUnit) -> Iterator[Self]:
        climbers = () if cls.verb in actor.spent else able_to_climb(actor.battle, actor.movable)
        if climbers:
            yield cls()
        if len(climbers) > 1:
            yield cls(EACH)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        climbed = climb(table, actor.battle, actor.unit, actor.movable, each=self.each == EACH)
        actor.spent.update([self.verb, *climbed])

    def value(self, view: MoveView) -> Evaluation:
        if self.each:
            return gains_nothing(view)
        worth = 0.35 if view.is_wanted_elsewhere else 0.0
        return Evaluation(0.0, view.danger_here, worth, reason="takes the unit over the wall (PAY-091)")
