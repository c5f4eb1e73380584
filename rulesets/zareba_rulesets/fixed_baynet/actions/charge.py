"""Charges and close combat of a unit or a man (FBN-041, FBN-044, FBN-104, FBN-180)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self, final

from zareba.base.grammar import percent
from zareba.battle.evaluation import Evaluation
from zareba.table import Table
from zareba_rulesets.fixed_baynet.actions.actor import (
    AS_A_UNIT,
    ActiveMan,
    ActiveUnit,
    FixedValueManAction,
    SimpleManAction,
    SimpleUnitAction,
    UnitAction,
    UnitActionKind,
)
from zareba_rulesets.fixed_baynet.chapters.cavalry import mounted_charge, ride_targets, riders
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_reach, may_be_in_contact
from zareba_rulesets.fixed_baynet.chapters.melee import (
    can_strike,
    charge_targets,
    charge_with_man,
    charge_with_unit,
    emit_charge,
    is_room_to_fight,
    may_fight,
    strike_with_man,
    strike_with_unit,
)
from zareba_rulesets.fixed_baynet.chapters.morale import CHARGE as CHARGE_EVENT
from zareba_rulesets.fixed_baynet.chapters.morale import glory_event
from zareba_rulesets.fixed_baynet.chapters.movement import can_move, resolve_move
from zareba_rulesets.fixed_baynet.estimates import (
    MAN_VALUE,
    UnitView,
    fight_chances,
    share_in_contact,
    value_of_charge,
)

# --- charges of a unit ------------------------------------------------------------------------------------------------


@final
class Charge(UnitAction, verb="charge", text="charge {target:target}{target:run} (1 AC)", odds="close_combat"):
    """A charge on foot (FBN-041)."""

    target: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        book = actor.battle.book
        reach = book.charge_factor * actor.able.sp * book.settings.charge_actions + book.between_men
        if actor.inches_to_nearest <= reach:
            for target in charge_targets(actor.battle, actor.unit, actor.foes):
                yield cls(target.spec.id)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        charge_with_unit(table, actor.battle, actor.unit, actor.battle.unit(self.target))

    def value(self, view: UnitView) -> Evaluation:
        target = view.battle.units[self.target]
        if_all_reach = value_of_charge(view, target, 1.0)
        if if_all_reach.total <= 0:  # skip the slow search for the men who make contact
            return if_all_reach
        share_reaching = share_in_contact(view.battle, view.unit, target)
        return value_of_charge(view, target, share_reaching) if share_reaching else _VALUE_IF_SHORT


_VALUE_IF_SHORT = Evaluation(ground=-0.02, reason="the charge falls short and still worsens glory (FBN-044)")


@final
class RideDown(
    UnitAction, verb="ride down", text="charge {target:target} at a {gait:gait} (1 AC)", odds="close_combat"
):
    """A mounted charge (FBN-180)."""

    target: str
    gait: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        battle, unit = actor.battle, actor.unit
        for target, gait in ride_targets(battle, unit, riders(battle, unit), actor.foes):
            yield cls(target.spec.id, gait)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, unit = actor.battle, actor.unit
        mounted_charge(table, battle, unit, riders(battle, unit), battle.unit(self.target), self.gait)

    def value(self, view: UnitView) -> Evaluation:
        return value_of_charge(view, view.battle.units[self.target], 1.0)


CHARGE: UnitActionKind = UnitActionKind(
    "charge", Charge, question="charge whom", rule="FBN-041", text="charge (1 AC each)"
)
RIDE_DOWN: UnitActionKind = UnitActionKind(
    "ride down", RideDown, question="ride down whom", rule="FBN-180", text="mounted charge (1 AC each)"
)


# --- close combat of a unit -------------------------------------------------------------------------------------------


def _may_fight(actor: ActiveUnit) -> bool:
    """Return True if the unit may strike and some man has an enemy in reach (FBN-103, FBN-160)."""
    battle, unit = actor.battle, actor.unit
    if unit.back:
        return False
    nearest, indoors = actor.inches_to_nearest, battle.book.indoors
    in_touch = nearest <= battle.book.in_touch or (  # men at an opening count as in front of the wall (FBN-275)
        nearest <= indoors and any(away <= indoors and may_be_in_contact(battle, unit, foe) for away, foe in actor.foes)
    )
    return in_touch and any(may_fight(battle, unit, man) for man in unit.figures.values())


def _value_of_fight(view: UnitView) -> Evaluation:
    """Return the value of one blow by each man in reach, estimated from the chances of the first one."""
    win_chance, lose_chance = fight_chances(view.battle, view.unit)
    return Evaluation(
        inflicts=6 * win_chance * MAN_VALUE,
        suffers=4.8 * lose_chance * MAN_VALUE,
        reason=lambda: f"{percent(win_chance)} of its blows should take an enemy out (FBN-105)",
    )


FIGHT = SimpleUnitAction(
    "fight",
    "fight: each man in reach of an enemy strikes once (1 AC each)",
    is_legal=_may_fight,
    effect=lambda table, actor: strike_with_unit(table, actor.battle, actor.unit),
    evaluation=_value_of_fight,
    odds="close_combat",
    lazy=True,
)


# --- one man ----------------------------------------------------------------------------------------------------------


@final
class ChargeAlone(FixedValueManAction, verb="charge", text=Charge.text, fixed_value=AS_A_UNIT.of):
    """A charge of one man on foot (FBN-041)."""

    target: str

    @classmethod
    def options(cls, actor: ActiveMan) -> Iterator[Self]:
        battle, unit, man = actor.battle, actor.unit, actor.man
        if not man.mounted and not man.place and can_move(battle, man, charging=True):
            for foe in charge_targets(battle, unit, only=man):
                yield cls(foe.spec.id)

    def perform(self, table: Table, actor: ActiveMan) -> None:
        battle, unit, man = actor.battle, actor.unit, actor.man
        start = man.at
        charge_with_man(battle, unit, man, battle.unit(self.target))
        unit.mark("loose")
        unit.measure()
        emit_charge(table, "FBN-041", battle, man.spec, battle.unit(self.target), [man])
        glory_event(table, battle, unit, CHARGE_EVENT)
        resolve_move(table, battle, unit, [man], [start])


@final
class RideDownAlone(FixedValueManAction, verb="ride down", text=RideDown.text, fixed_value=AS_A_UNIT.of):
    """A mounted charge of one man (FBN-180)."""

    target: str
    gait: int

    @classmethod
    def options(cls, actor: ActiveMan) -> Iterator[Self]:
        if actor.rides:
            for foe, gait in ride_targets(actor.battle, actor.unit, [actor.man]):
                yield cls(foe.spec.id, gait)

    def perform(self, table: Table, actor: ActiveMan) -> None:
        actor.unit.mark("loose")
        target = actor.battle.unit(self.target)
        mounted_charge(table, actor.battle, actor.unit, [actor.man], target, self.gait)


def _may_strike(actor: ActiveMan) -> bool:
    """Return True if one man may strike and has an enemy in reach that he may fight (FBN-103, FBN-160)."""
    battle, unit, man = actor.battle, actor.unit, actor.man
    return (
        not unit.back
        and can_strike(battle, man)
        and any(is_room_to_fight(battle, man, foe) for foe in foes_in_reach(battle, man, unit.spec.side))
    )


STRIKE_ALONE = SimpleManAction(
    "strike",
    "strike an enemy of your choice (1 AC)",
    is_legal=_may_strike,
    effect=lambda table, actor: strike_with_man(table, actor.battle, actor.unit, actor.man),
    evaluation=AS_A_UNIT,
    lazy=True,
)
