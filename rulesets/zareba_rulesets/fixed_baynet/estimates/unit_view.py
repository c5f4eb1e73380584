"""The view of one unit for one decision: facts that several evaluations use, computed once."""

from __future__ import annotations

from functools import cached_property
from operator import itemgetter

from zareba.plugins.ruleset import Evaluation
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import firers
from zareba_rulesets.fixed_baynet.estimates.expected_losses import (
    cover_at_point,
    fights_hand_to_hand,
    is_threatened,
    men_in_danger,
    typical_man,
)
from zareba_rulesets.fixed_baynet.estimates.objectives import ObjectivePlace, SideObjectives, inches_to_go
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["KEPT", "UnitView", "far_off"]

KEPT = Evaluation(ground=-0.05, reason="it holds its objective in this last turn (FBN-265)")


def far_off(book: FbnBook) -> float:
    """Return the distance in inches beyond which rifle fire has little effect."""
    return book.bands["rifle"][2] - 2.0


class UnitView:
    """The facts about a unit that its evaluations use. It is valid for one question, until the battle changes.

    `man` is a typical man of the unit. `melee`: it fights mainly hand to hand. `civil`: it is unarmed and can only be
    harmed. `shoots`: it has a target, as far as is known. `foes` are the known enemies with the distances between
    bounding boxes, and `nearest` is the nearest of them, or 1e9 and None. `leads` caches, by gait, if a ride improves
    the position.
    """

    def __init__(self, battle: Battle, mission: SideObjectives, unit: Unit) -> None:
        self.battle, self.mission, self.unit = battle, mission, unit
        self.shoots = False
        self.leads: dict[int, bool] = {}
        man = self.man = typical_man(unit)
        self.melee, self.civil = fights_hand_to_hand(battle, man), man.spec.role == "civilian"
        self.foes = battle.foes(unit)
        self.nearest: tuple[float, Unit | None] = min(self.foes, key=itemgetter(0), default=(1e9, None))

    @property
    def book(self) -> FbnBook:
        """The numbers of the rules."""
        return self.battle.book

    @cached_property
    def aim(self) -> ObjectivePlace | None:
        """The place where the unit should be."""
        return self.mission.aim_of(self.battle, self.unit)

    @cached_property
    def inches_left(self) -> float:
        """Inches still to go there; 0 if the unit is there or has no objective."""
        return 0.0 if self.aim is None else inches_to_go(self.unit, self.aim)

    @cached_property
    def is_urgent(self) -> bool:
        """True if the unit must set out now to be there in time."""
        return self.aim is not None and self.mission.is_urgent(self.battle, self.unit, self.aim)

    @property
    def holds_objective(self) -> bool:
        """True if it is the last turn and the unit is where it should be at the end."""
        last = self.battle.turn >= self.mission.scenario.turns
        return last and self.aim is not None and self.inches_left <= 0

    @cached_property
    def is_threatened(self) -> bool:
        return is_threatened(self.battle, self.unit)

    @cached_property
    def menace(self) -> float:
        return men_in_danger(self.battle, self.unit, self.foes)

    def shelter(self, foe: Unit) -> int:
        """Return the cover of the unit's men against an enemy from where they are."""
        return cover_at_point(self.battle, self.unit, foe, self.man.x, self.man.y)

    @cached_property
    def held(self) -> frozenset[str]:
        """The buildings known to contain enemies."""
        return frozenset(
            man.place.partition(":")[0] for _, foe in self.foes for man in foe.figures.values() if man.place
        )

    @cached_property
    def ready(self) -> list[Figure]:
        """The men who may fire."""
        return firers(self.battle, self.unit)
