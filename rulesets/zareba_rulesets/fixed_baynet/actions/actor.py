"""The actor of an action: the active unit, or one man of it. Facts that several actions need are computed once."""

from __future__ import annotations

from typing import TypeAlias

from zareba.actions import Action, ActionKind, FixedValueAction, RulesValue, SimpleAction
from zareba.base.speedups import cached_attribute
from zareba.battle.evaluation import Evaluation
from zareba.battle.positions import MoveSuggestions
from zareba.space.geometry import box_gap
from zareba.space.lazy import Lazy
from zareba_rulesets.fixed_baynet.chapters.buildings import men_near_buildings
from zareba_rulesets.fixed_baynet.chapters.cavalry import allowed_gaits, riders
from zareba_rulesets.fixed_baynet.chapters.morale import friends_near, may_rally, panicking_near
from zareba_rulesets.fixed_baynet.chapters.targets import Marksman, firers, known_target, marksmen
from zareba_rulesets.fixed_baynet.estimates import UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle, UnitSummary, summarise_unit
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

_EnemiesByDistance: TypeAlias = list[tuple[float, Unit]]


class ActiveUnit:
    """The active unit of a battle during one choice of its owner."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit

    @cached_attribute
    def able(self) -> UnitSummary:
        """The men who can act, and what they have in common."""
        return summarise_unit(self.unit)

    @cached_attribute
    def foes(self) -> _EnemiesByDistance:
        """The known enemies, each with its distance in inches."""
        return self.battle.foes(self.unit)

    @cached_attribute
    def inches_to_nearest(self) -> float:
        """The inches to the nearest enemy."""
        return min([inches for inches, _ in self.foes], default=1e9)

    @cached_attribute
    def ready(self) -> list[Figure]:
        """The men who may fire."""
        return firers(self.battle, self.unit)

    @cached_attribute
    def marksmen(self) -> list[Marksman]:
        """The men who may fire, with their fields of fire."""
        return marksmen(self.battle, self.unit, self.ready)

    @cached_attribute
    def target(self) -> str:
        """The id of an enemy unit that a man who may fire can certainly fire at, or "" if none is known."""
        known = self.ready and not self.battle.book.settings.target_order_ac
        return known_target(self.battle, self.unit, self.ready) if known else ""

    @property
    def leaders(self) -> list[Figure]:
        """The leaders and medics who can act and have not gone through a door (FBN-244)."""
        leaders = self.able.leaders
        return [man for man in leaders if "crossed" not in man.marks] if self.able.crossed else leaders

    @cached_attribute
    def officers(self) -> dict[str, Figure]:
        """The leaders who may rally others, by id (FBN-159)."""
        return {man.spec.id: man for man in self.leaders if may_rally(self.battle, man)}

    @cached_attribute
    def friends(self) -> Lazy[str, list[Unit]]:
        """The friendly units near each officer."""
        battle, officers = self.battle, self.officers  # a lambda with `self` would form a reference cycle
        return Lazy(lambda key: friends_near(battle, officers[key]))

    @cached_attribute
    def panicking(self) -> Lazy[str, int]:
        """The number of panicking men near each officer."""
        battle, officers, friends = self.battle, self.officers, self.friends
        return Lazy(lambda key: len(panicking_near(battle, officers[key], friends[key])))

    @property
    def caller(self) -> Figure | None:
        """The first man who can call guns or reserves (FBN-037)."""
        return next((man for man in self.able.men if not man.marks or "crossed" not in man.marks), None)

    @cached_attribute
    def gaits(self) -> list[int]:
        """The gaits allowed to all riders of the unit."""
        horse = riders(self.battle, self.unit)
        return sorted(set.intersection(*[set(allowed_gaits(self.battle.book, man)) for man in horse])) if horse else []

    @cached_attribute
    def near_buildings(self) -> list[Figure]:
        """The able men in a building, or near enough to use a door or ladder."""
        return men_near_buildings(self.battle, self.unit, self.able)

    def buildings_within(self, inches: float) -> list[str]:
        """Return the standing buildings within some inches of a man who can act, for actions of house rules."""
        men = self.able.men
        return [
            name
            for name, building in self.battle.field.buildings.items()
            if self.battle.houses[name].points > 0
            and any(box_gap((man.x, man.y, man.x, man.y), building.box) <= inches for man in men)
        ]


class ActiveMan:
    """One man of the active unit who acts alone."""

    def __init__(self, battle: Battle, unit: Unit, man: Figure) -> None:
        self.battle, self.unit, self.man = battle, unit, man
        self.walks: MoveSuggestions | None = None
        """The points he can walk to, found on demand."""

    @cached_attribute
    def rides(self) -> bool:
        """True if he can ride."""
        return self.man.mounted and self.man in riders(self.battle, self.unit)


AS_A_UNIT = RulesValue(lambda book: Evaluation(reason="the unit acts together (FBN-016)"))
"""The value of an action of one man to an AI player, which lets units act together."""

UnitAction: TypeAlias = Action[ActiveUnit, UnitView]
FixedValueUnitAction: TypeAlias = FixedValueAction[ActiveUnit, UnitView]
SimpleUnitAction: TypeAlias = SimpleAction[ActiveUnit, UnitView]
UnitActionKind: TypeAlias = ActionKind[ActiveUnit, UnitView]
ManAction: TypeAlias = Action[ActiveMan, UnitView]
FixedValueManAction: TypeAlias = FixedValueAction[ActiveMan, UnitView]
SimpleManAction: TypeAlias = SimpleAction[ActiveMan, UnitView]
