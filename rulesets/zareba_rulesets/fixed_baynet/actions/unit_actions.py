"""Legal acts of the active unit (FBN-016, FBN-032 to FBN-038): the kind of act, then its details."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.actions import ActionTable
from zareba.battle.legal_actions import LegalActions
from zareba.table import Option
from zareba_rulesets.fixed_baynet.actions import gun_orders, man_orders
from zareba_rulesets.fixed_baynet.actions.actor import ActiveUnit
from zareba_rulesets.fixed_baynet.actions.buildings import AT_BUILDINGS, offer_buildings
from zareba_rulesets.fixed_baynet.actions.drill import CHECK_GLORY, DRILL, FORM, offer_drill
from zareba_rulesets.fixed_baynet.actions.wording import FORMATS, NUMBERS
from zareba_rulesets.fixed_baynet.book.numbers import WALK
from zareba_rulesets.fixed_baynet.chapters.buildings.building_damage import house_targets
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import riders
from zareba_rulesets.fixed_baynet.chapters.cavalry.gaits import allowed_gaits
from zareba_rulesets.fixed_baynet.chapters.cavalry.mounted_charges import ride_targets
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import fire_targets
from zareba_rulesets.fixed_baynet.chapters.guns.gun_targets import gun_marks
from zareba_rulesets.fixed_baynet.chapters.melee.charges import charge_targets
from zareba_rulesets.fixed_baynet.chapters.melee.close_combat import may_fight
from zareba_rulesets.fixed_baynet.chapters.morale.glory import may_check
from zareba_rulesets.fixed_baynet.chapters.movement.manoeuvre import can_march, movers
from zareba_rulesets.fixed_baynet.chapters.sight.contact import may_touch
from zareba_rulesets.fixed_baynet.estimates.unit_view import UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.unit_summary import UnitSummary
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["SECOND", "acts_open", "is_act", "menu_of"]

END, MOVE, FIGHT, SPLIT = "end", "move", "fight", "split fire"
SINGLE = "one man"
CHARGE, RIDE, RIDE_DOWN, FIRE = "charge", "ride", "ride down", "fire"
UNIT_ACTIONS: ActionTable[ActiveUnit, UnitView] = ActionTable(
    "act", *DRILL, *AT_BUILDINGS, kinds=(FORM,), numbers=NUMBERS, formats=FORMATS
)
"""The actions of the active unit."""
# kind of act -> the second question and its rule
SECOND: dict[str, tuple[str, str]] = {
    CHARGE: ("charge whom", "FBN-041"),
    RIDE: ("ride how", "FBN-173"),
    RIDE_DOWN: ("ride down whom", "FBN-180"),
    FIRE: ("fire at", "FBN-092"),
    **{kind.verb: (kind.question, kind.rule) for kind in UNIT_ACTIONS.kinds.values()},
    gun_orders.GUN_FIRE: ("gun fires at", "FBN-209"),
    gun_orders.SALVO: ("salvo at", "FBN-229"),
    man_orders.RALLY: ("rally whom", "FBN-159"),
    man_orders.FALL_BACK: ("order whom back", "FBN-160"),
    man_orders.HEAL: ("heal whom", "FBN-137"),
}
WHYS = frozenset([why for why, _ in SECOND.values()])
MOVES = frozenset({MOVE, RIDE, gun_orders.GUN_MOVE})


def acts_open(battle: Battle, unit: Unit) -> LegalActions:
    """Return the legal acts of the active unit as kinds of act.

    `end` comes last, and is the only option if nothing else is possible (FBN-016). Each act costs 1 AC unless its own
    rule says otherwise (FBN-032).
    """
    menu = LegalActions(battle, unit)
    around = ActiveUnit(battle, unit)
    able = around.able
    men = able.men
    if men and unit.on_table:
        on_their_own = not any(gun.in_play for gun in unit.guns)
        if on_their_own:
            _offer_moves(menu, battle, unit, able, around)
            menu.offer(FIRE, _shots(battle, unit, around), lambda: around.target != "")
        if not unit.back:
            menu.add(FIGHT, lambda: _may_fight(battle, unit, around))
        if on_their_own:
            offer_drill(menu, around)
        elif may_check(battle, unit):
            menu.add(CHECK_GLORY.verb)  # a crew that has not served its gun yet
        man_orders.offer_leaders_orders(menu, battle, unit, able)
        offer_buildings(menu, around)
        UNIT_ACTIONS.of(battle.book.rules).offer_brought(menu, around, battle)
        menu.add(SINGLE)
    for number, gun in enumerate(unit.guns):
        if unit.figures and gun.in_play:
            gun_orders.offer_gun_acts(menu, battle, unit, gun, number)
    if _may_end(menu, battle, unit, men):
        menu.add(END)
    return menu


def _may_fight(battle: Battle, unit: Unit, around: ActiveUnit) -> bool:
    near, indoors = around.near, battle.book.indoors
    in_touch = near <= battle.book.in_touch or (
        near <= indoors and any(away <= indoors and may_touch(battle, unit, foe) for away, foe in around.foes)
    )
    return in_touch and any(may_fight(battle, unit, man) for man in unit.figures.values())


def _may_end(menu: LegalActions, battle: Battle, unit: Unit, men: list[Figure]) -> bool:
    """Return True if a unit may end its activation.

    A unit ordered to fall back must first make at least one movement action with all its movers, if it can (FBN-160).
    With `decel_steps` one, horses that were faster than a walk last turn must move on, if they can (FBN-177).
    """
    if unit.back:
        going = [*movers(battle, unit), *riders(battle, unit)]
        gone = all("moved" in man.marks for man in going) or any(gun.moved for gun in unit.guns)
        if not gone and menu.kinds.any_of(MOVES):
            return False
    if battle.book.settings.decel_steps == "any":
        return True
    return not (
        any(man.mounted and man.last_gait > WALK and not man.moves for man in men) and menu.kinds.any_of({RIDE})
    )


def _offer_moves(menu: LegalActions, battle: Battle, unit: Unit, able: UnitSummary, around: ActiveUnit) -> None:
    if able.riders < len(able.men):
        if "stuck" not in unit.marks and can_march(battle, unit, able.men):
            menu.add(MOVE)
        menu.offer(CHARGE, _charges(battle, unit, able, around))
    if able.riders:
        menu.offer(RIDE, _rides(battle, unit))
        menu.offer(RIDE_DOWN, _rides_down(battle, unit, around))


def _charges(battle: Battle, unit: Unit, able: UnitSummary, around: ActiveUnit) -> Iterator[Option]:
    book = battle.book
    if around.near <= book.charge_factor * able.sp * book.settings.charge_actions + book.between_men:
        for target in charge_targets(battle, unit, around.foes):
            yield (CHARGE, target.spec.id)


def _rides_down(battle: Battle, unit: Unit, around: ActiveUnit) -> Iterator[Option]:
    for target, gait in ride_targets(battle, unit, riders(battle, unit), around.foes):
        yield (RIDE_DOWN, target.spec.id, gait)


def is_act(why: str) -> bool:
    """Return True if a question is about the act of the active unit or its kind."""
    return why == "act" or why in WHYS


def menu_of(battle: Battle, unit: Unit) -> LegalActions:
    """Return the menu of the current choice, or a new one."""
    menu = battle.menu
    return menu if menu is not None and menu.is_for(battle, unit) else acts_open(battle, unit)


def _rides(battle: Battle, unit: Unit) -> Iterator[Option]:
    """Yield straight rides and rides with turns, each at the gaits allowed to all riders."""
    horse = riders(battle, unit)
    if not horse:
        return
    gaits = sorted(set.intersection(*[set(allowed_gaits(battle.book, man)) for man in horse]))
    for gait in gaits:
        if f"stuck {gait}" not in unit.marks:
            yield (RIDE, gait)
    if not unit.back and "stuck wheel" not in unit.marks:
        for gait in gaits:
            yield ("wheel", gait)


def _shots(battle: Battle, unit: Unit, around: ActiveUnit) -> Iterator[Option]:
    """Yield volleys at units, guns and buildings, and split fire."""
    ready = around.ready
    if not ready:
        return
    seen = False
    for target in fire_targets(battle, unit, ready, around.foes, around.target):
        seen = True
        yield (FIRE, target.spec.id)
    for mark in gun_marks(battle, unit, around.marksmen):
        yield ("fire at gun", *mark)
    if battle.field.buildings:
        for house in house_targets(battle, unit, around.marksmen):
            yield ("fire at house", house)
    if seen and len(ready) > 1:
        yield SPLIT
