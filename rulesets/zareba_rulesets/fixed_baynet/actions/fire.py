"""Fire of small arms: volleys at units, guns and buildings, a target for each man, and one man's shot.

Rules: FBN-038, FBN-092, FBN-093, FBN-193, FBN-204, FBN-247.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter, itemgetter
from typing import Self, final

from zareba.actions import RulesValue
from zareba.battle.evaluation import Evaluation, about_men
from zareba.battle.legal_actions import LegalActions
from zareba.table import Option, Table
from zareba_rulesets.fixed_baynet.actions.actor import (
    AS_A_UNIT,
    ActiveMan,
    ActiveUnit,
    SimpleManAction,
    SimpleUnitAction,
    UnitAction,
    UnitActionKind,
)
from zareba_rulesets.fixed_baynet.chapters.buildings import building_targets_of_men, fire_at_building
from zareba_rulesets.fixed_baynet.chapters.fire import FireTargets, fire_volley, fire_with_man, split_fire
from zareba_rulesets.fixed_baynet.chapters.machine_guns import gun_targets_of_men, volley_at_gun
from zareba_rulesets.fixed_baynet.chapters.targets import (
    Marksman,
    can_fire,
    fire_targets,
    firers,
    marksmen,
    may_reach,
)
from zareba_rulesets.fixed_baynet.estimates import (
    MAN_VALUE,
    NO_VOLLEY,
    NOTHING,
    POINT,
    UnitView,
    Volley,
    estimate_few_shots,
    estimate_volley,
    is_melee,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, longest_range
from zareba_rulesets.fixed_baynet.forces.units import Unit

_MOST_TARGETS = 2  # number of targets an AI player considers
NAMING = "[named_target?, {named_target} more to name a new target]"
"""The end of texts of fire: the cost of naming a target, if there is one (FBN-038)."""


# --- at units ---------------------------------------------------------------------------------------------------------


@final
class Fire(UnitAction, verb="fire", text="fire at {target:target} ({target:price})", odds="volley"):
    """A volley at a unit (FBN-092)."""

    target: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        if actor.ready:
            for target in fire_targets(actor.battle, actor.unit, actor.ready, actor.foes, actor.target):
                yield cls(target.spec.id)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        fire_volley(table, actor.battle, actor.unit, actor.battle.unit(self.target))

    def value(self, view: UnitView) -> Evaluation:
        battle, target = view.battle, view.battle.units[self.target]
        ready = None if view.book.settings.target_order_ac else view.ready
        return _value_of(view, target, estimate_volley(battle, view.unit, target, ready))


def _hits_reason(taken: float) -> str:
    """Return the expected hits of a volley, as a reason."""
    return f"it should hit {about_men(taken)} (FBN-082)"


def _value_of(view: UnitView, target: Unit, estimate: Volley) -> Evaluation:
    """Return the value of a volley at a unit.

    Units that close in are worth more than other targets, and so are those on which points of the scenario rest.
    """
    bonus = 0.01 if is_melee(view.battle, target) else 0.0
    points = view.objectives.points_held_by(view.battle, target)
    return Evaluation(
        inflicts=estimate.hits * MAN_VALUE * (1 + POINT * points) + bonus,
        suffers=0.6 * estimate.losses * MAN_VALUE,
        reason=partial(_hits_reason, estimate.hits),
    )


def _may_split(actor: ActiveUnit) -> bool:
    """Return True if several men may fire and there is a unit to fire at (FBN-092)."""
    return len(actor.ready) > 1 and any(True for _ in Fire.options(actor))


_SPLIT_FIRE = SimpleUnitAction(
    "split fire",
    f"split fire: choose a target for each man (1 AC a shot, {{musket}} with a musket){NAMING}",
    is_legal=_may_split,
    effect=lambda table, actor: split_fire(table, actor.battle, actor.unit),
    evaluation=RulesValue(lambda book: Evaluation(ground=-0.01, reason="one target is enough (FBN-092)")),
)


# --- at guns and buildings --------------------------------------------------------------------------------------------

_AT_SERVED_GUN = Evaluation(ground=0.03, reason="its crew can still serve the gun (FBN-204)")
_AT_GUN_WITHOUT_CREW = Evaluation(ground=-0.02, reason="it has no gunners left to serve it (FBN-206)")
_AT_HELD_BUILDING = Evaluation(ground=0.015, reason="enemies are behind the walls (FBN-247)")
_AT_EMPTY_BUILDING = Evaluation(ground=-0.02, reason="no enemies are known to be inside (FBN-248)")


@final
class FireAtGun(
    UnitAction,
    verb="fire at gun",
    text="fire at gun {number:gun} of {target:unit}: {action:armour} ({target:price})",
    odds="shot",
):
    """A volley at a gun (FBN-204)."""

    target: str
    number: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        if actor.ready:
            for target, number in gun_targets_of_men(actor.battle, actor.unit, actor.marksmen):
                yield cls(target, number)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, unit = actor.battle, actor.unit
        target_unit = battle.change(battle.unit(self.target))
        volley_at_gun(
            table, battle, unit, target_unit, target_unit.guns[self.number], firers(battle, unit, self.target)
        )

    def value(self, view: UnitView) -> Evaluation:
        return _AT_SERVED_GUN if view.battle.units[self.target].figures else _AT_GUN_WITHOUT_CREW


@final
class FireAtBuilding(
    UnitAction,
    verb="fire at house",
    text="fire at {building:house}: {building:points} left ({building:price})",
    odds="building",
):
    """A volley at a building (FBN-247). Walls are worth a round only if enemies are behind them."""

    building: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        if actor.ready and actor.battle.field.buildings:
            for building in building_targets_of_men(actor.battle, actor.unit, actor.marksmen):
                yield cls(building)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        fire_at_building(table, actor.battle, actor.unit, self.building, firers(actor.battle, actor.unit))

    def value(self, view: UnitView) -> Evaluation:
        return _AT_HELD_BUILDING if self.building in view.held else _AT_EMPTY_BUILDING


FIRE: UnitActionKind = UnitActionKind(
    "fire",
    Fire,
    FireAtGun,
    FireAtBuilding,
    _SPLIT_FIRE,
    question="fire at",
    rule="FBN-092",
    text=f"fire (1 AC a shot, {{musket}} with a musket){NAMING}",
)


def _shots(actor: ActiveUnit) -> Iterator[Option]:
    """Yield all targets; split fire only if there is a unit to fire at."""
    units = False
    for shot in Fire.options(actor):
        units = True
        yield shot.option
    if actor.ready:
        for at_gun in FireAtGun.options(actor):
            yield at_gun.option
        for at_building in FireAtBuilding.options(actor):
            yield at_building.option
        if units and len(actor.ready) > 1:
            yield _SPLIT_FIRE.verb


def offer_fire(menu: LegalActions, actor: ActiveUnit) -> None:
    """Add fire to the menu. A target that some man certainly has makes it legal without a search."""
    menu.offer(FIRE.verb, _shots(actor), lambda: actor.target != "")


# --- the best target --------------------------------------------------------------------------------------------------

FEW_SHOTS = Evaluation(inflicts=0.01, reason="few men would shoot: the middle of the unit has no target (FBN-092)")


def best_shot(view: UnitView, menu: LegalActions, value: Callable[[Option], Evaluation]) -> Evaluation:
    """Return the value of the best target for the unit's fire, and note if it has one (`view.shoots`).

    It does not check for every enemy whether a man can aim at it. `value` returns the value of an option.
    """
    battle, unit = view.battle, view.unit
    if view.book.settings.target_order_ac:
        options = menu.of(FIRE.verb)
        view.shoots = any(isinstance(option, tuple) and option[0] == Fire.verb for option in options)
        return max([value(option) for option in options], key=attrgetter("total"), default=FEW_SHOTS)
    volleys = _best_volleys(view, menu)
    things = [
        worth
        for worth, is_possible in (
            (_AT_SERVED_GUN, _has_served_gun),
            (_AT_HELD_BUILDING, partial(_has_held_building, view)),
        )
        if all(worth.total > shot.total for shot in volleys)
        and is_possible(battle, unit, marksmen(battle, unit, view.ready))
    ]
    view.shoots = bool(volleys)
    view.best_shot = max(volleys, key=attrgetter("total"), default=None)
    return max([*volleys, *things], key=attrgetter("total"), default=FEW_SHOTS)


def _has_served_gun(battle: Battle, unit: Unit, men: Sequence[Marksman]) -> bool:
    """Return True if some of these men can fire at a gun that still has men to serve it."""
    return any(battle.units[unit_id].figures for unit_id, _ in gun_targets_of_men(battle, unit, men))


def _has_held_building(view: UnitView, battle: Battle, unit: Unit, men: Sequence[Marksman]) -> bool:
    """Return True if some of these men can fire at a building with enemies in it."""
    return bool(view.held) and not view.held.isdisjoint(building_targets_of_men(battle, unit, men))


def _best_volleys(view: UnitView, menu: LegalActions) -> list[Evaluation]:
    """Return the values of volleys at the nearest targets of the middle man, and at units that carry an object.

    If there are any, other targets are worth nothing. If there are none, only a few shots by the men nearest to the
    enemy count (FBN-092).
    """
    battle, unit, ready = view.battle, view.unit, view.ready
    reach = longest_range(battle, ready)
    volleys: list[Evaluation] = []
    unseen: list[Unit] = []
    carriers = {carried_object.carrier for carried_object in battle.carried_objects.values()}

    def note(target: Unit, estimate: Volley) -> None:
        shot = menu.evaluations[Fire.verb, target.spec.id] = _value_of(view, target, estimate)
        volleys.append(shot)

    for away, target in sorted(view.foes, key=itemgetter(0)) if ready else ():
        if len(volleys) == _MOST_TARGETS and target.spec.id not in carriers:
            unseen.append(target)
        elif may_reach(battle, away, reach, ready, target):
            estimate = estimate_volley(battle, unit, target, ready)
            if estimate is NO_VOLLEY:
                unseen.append(target)
            else:
                note(target, estimate)
    if not volleys:
        for target in unseen[:_MOST_TARGETS]:
            estimate = estimate_few_shots(battle, unit, target, ready)
            if estimate is not NO_VOLLEY:
                note(target, estimate)
    for target in unseen:
        menu.evaluations.setdefault((Fire.verb, target.spec.id), NOTHING if volleys else FEW_SHOTS)
    return volleys


# --- one man ----------------------------------------------------------------------------------------------------------


def _may_switch(actor: ActiveMan) -> bool:
    """Return True if a man carries a second weapon and may use it now (FBN-193)."""
    return actor.man.spec.spare != "none" and actor.man.marks.isdisjoint(("crossed", "disarmed"))


def switch_weapon(table: Table, actor: ActiveMan) -> None:
    """Change between rifle and pistol for 1 AC, if the setting lets a man carry both (FBN-193)."""
    man = actor.man
    man.ac -= 1
    man.weapon = man.spec.spare if man.weapon == man.spec.weapon else man.spec.weapon
    table.emit("weapon", "FBN-193", unit=actor.unit.spec.id, figure=man.spec.id, weapon=man.weapon)


FIRE_ALONE = SimpleManAction(
    "fire",
    f"fire at a man of your choice (1 AC, a musket {{musket}}){NAMING}",
    is_legal=lambda actor: (
        can_fire(actor.battle, actor.man) and FireTargets(actor.battle, actor.unit, actor.man).any_man()
    ),
    effect=lambda table, actor: fire_with_man(table, actor.battle, actor.unit, actor.man),
    evaluation=AS_A_UNIT,
    lazy=True,
)
SWITCH_WEAPON = SimpleManAction(
    "switch weapon",
    "switch between rifle and pistol (1 AC)",
    is_legal=_may_switch,
    effect=switch_weapon,
    evaluation=AS_A_UNIT,
)
