"""How things look to the commander of one unit at one moment: what several of his judgements rest on, worked out once."""

from __future__ import annotations

from functools import cached_property
from operator import itemgetter

from zareba.plugins.ruleset import Evaluation
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import firers
from zareba_rulesets.fixed_baynet.evaluation.expected_losses import closes_in, cover_at, is_threatened, menace, sample
from zareba_rulesets.fixed_baynet.evaluation.objectives import ObjectivePlace, SideObjectives, to_go
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["KEPT", "UnitView"]

KEPT = Evaluation(ground=-0.05, reason="0 turns are left, and the place is to be kept (FBN-265)")


class UnitView:
    """A unit as its commander sees it; out of date when the battle changes, so made anew for every question.

    `man` is one like most of its men; `melee`: its business is hand to hand; `civil`: it can only be harmed; `shoots`: it
    has somebody to shoot at, as far as the commander has been told. `foes` are the enemies it knows of, each with the
    inches between the boxes of the two, `nearest` the nearest of them, or 1e9 and None; `leads`: whether a ride at a gait
    leads nearer to where it should be, as far as somebody has looked.
    """

    def __init__(self, battle: Battle, mission: SideObjectives, unit: Unit) -> None:
        self.battle, self.mission, self.unit = battle, mission, unit
        self.shoots = False
        self.leads: dict[int, bool] = {}
        man = self.man = sample(unit)
        self.melee, self.civil = closes_in(battle, man), man.spec.role == "civilian"
        self.foes = battle.foes(unit)
        self.nearest: tuple[float, Unit | None] = min(self.foes, key=itemgetter(0), default=(1e9, None))

    @cached_property
    def aim(self) -> ObjectivePlace | None:
        """Where it should be."""
        return self.mission.aim_of(self.battle, self.unit)

    @cached_property
    def left(self) -> float:
        """Inches still to go there; 0 when it is there or need not go anywhere."""
        return 0.0 if self.aim is None else to_go(self.unit, self.aim)

    @cached_property
    def is_urgent(self) -> bool:
        """Whether it must set out now to be there in time."""
        return self.aim is not None and self.mission.is_urgent(self.battle, self.unit, self.aim)

    @property
    def keeps(self) -> bool:
        """Whether it stands in the last turn where it is wanted at the end."""
        last = self.battle.turn >= self.mission.scenario.turns
        return last and self.aim is not None and self.left <= 0

    @cached_property
    def is_threatened(self) -> bool:
        return is_threatened(self.battle, self.unit)

    @cached_property
    def menace(self) -> float:
        return menace(self.battle, self.unit, self.foes)

    def shelter(self, foe: Unit) -> int:
        """The cover that its men have against an enemy where they are."""
        return cover_at(self.battle, self.unit, foe, self.man.x, self.man.y)

    @cached_property
    def held(self) -> frozenset[str]:
        """The buildings in which it knows of enemies."""
        return frozenset(
            man.place.partition(":")[0] for _, foe in self.foes for man in foe.figures.values() if man.place
        )

    @cached_property
    def ready(self) -> list[Figure]:
        """Those of its men who may fire."""
        return firers(self.battle, self.unit)
