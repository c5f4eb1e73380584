"""Legal acts of the active unit (FBN-016, FBN-032 to FBN-038): the kind of act, then its details."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from zareba.battle.legal_actions import LegalActions
from zareba.table import Option
from zareba_rulesets.fixed_baynet.book.numbers import WALK
from zareba_rulesets.fixed_baynet.chapters.buildings.building_damage import house_targets
from zareba_rulesets.fixed_baynet.chapters.buildings.buildings import (
    crossings,
    free_openings,
    may_be_posted,
    men_near_houses,
)
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import may_dismount, may_mount, riders
from zareba_rulesets.fixed_baynet.chapters.cavalry.gaits import allowed_gaits
from zareba_rulesets.fixed_baynet.chapters.cavalry.mounted_charges import ride_targets
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import Marksman, fire_targets, firers, marksmen, still_aims
from zareba_rulesets.fixed_baynet.chapters.guns.gun_targets import gun_marks
from zareba_rulesets.fixed_baynet.chapters.melee.charges import charge_targets
from zareba_rulesets.fixed_baynet.chapters.melee.close_combat import may_fight
from zareba_rulesets.fixed_baynet.chapters.morale.glory import may_check
from zareba_rulesets.fixed_baynet.chapters.movement.manoeuvre import can_march, may_cross, movers
from zareba_rulesets.fixed_baynet.chapters.movement.movement import may_get_up, may_lie_down
from zareba_rulesets.fixed_baynet.chapters.orders import gun_orders, man_orders
from zareba_rulesets.fixed_baynet.chapters.sight.contact import may_touch
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import allowed_formations, may_form
from zareba_rulesets.fixed_baynet.forces.unit_summary import UnitSummary, summarise_unit
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["SECOND", "acts_open", "is_act", "menu_of"]

END, MOVE, FIGHT, SPLIT, LIE_DOWN, GET_UP = "end", "move", "fight", "split fire", "lie down", "get up"
FACE, CHECK, DISMOUNT, MOUNT, MAN_OPENINGS, SINGLE = (
    "face",
    "check glory",
    "dismount",
    "mount",
    "man the openings",
    "one man",
)
CHARGE, RIDE, RIDE_DOWN, FIRE, FORM = "charge", "ride", "ride down", "fire", "form"
Foes = list[tuple[float, Unit]]
# kind of act -> the second question and its rule
SECOND: dict[str, tuple[str, str]] = {
    CHARGE: ("charge whom", "FBN-041"),
    RIDE: ("ride how", "FBN-173"),
    RIDE_DOWN: ("ride down whom", "FBN-180"),
    FIRE: ("fire at", "FBN-092"),
    FORM: ("form what", "FBN-035"),
    gun_orders.GUN_FIRE: ("gun fires at", "FBN-209"),
    gun_orders.SALVO: ("salvo at", "FBN-229"),
    man_orders.RALLY: ("rally whom", "FBN-159"),
    man_orders.FALL_BACK: ("order whom back", "FBN-160"),
    man_orders.HEAL: ("heal whom", "FBN-137"),
}
WHYS = frozenset([why for why, _ in SECOND.values()])
MOVES = frozenset({MOVE, RIDE, gun_orders.GUN_MOVE})


class Surroundings:
    """Facts that several kinds of act depend on, computed when first needed.

    `foes` are the known enemies and `near` the inches to the nearest. `ready` are the men who may fire. `sure` is the
    id of an enemy unit that one of them can certainly fire at, or "" if none is known.
    """

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self._battle, self._unit = battle, unit

    @cached_property
    def foes(self) -> Foes:
        return self._battle.foes(self._unit)

    @cached_property
    def near(self) -> float:
        return min([foe[0] for foe in self.foes], default=1e9)

    @cached_property
    def ready(self) -> list[Figure]:
        return firers(self._battle, self._unit)

    @cached_property
    def marksmen(self) -> list[Marksman]:
        return marksmen(self._battle, self._unit, self.ready)

    @cached_property
    def sure(self) -> str:
        known = self.ready and not self._battle.book.settings.target_order_ac
        return still_aims(self._battle, self._unit, self.ready) if known else ""


def acts_open(battle: Battle, unit: Unit) -> LegalActions:
    """Return the legal acts of the active unit as kinds of act.

    `end` comes last, and is the only option if nothing else is possible (FBN-016). Each act costs 1 AC unless its own
    rule says otherwise (FBN-032).
    """
    menu = LegalActions(battle, unit)
    able = summarise_unit(unit)
    men = able.men
    if men and unit.on_table:
        around = Surroundings(battle, unit)
        on_their_own = not any(gun.in_play for gun in unit.guns)
        if on_their_own:
            _offer_moves(menu, battle, unit, able, around)
            menu.offer(FIRE, _shots(battle, unit, around), lambda: around.sure != "")
        if not unit.back:
            menu.add(FIGHT, lambda: _may_fight(battle, unit, around))
        if on_their_own:
            _offer_drill(menu, battle, unit, able)
        elif may_check(battle, unit):
            menu.add(CHECK)  # a crew that has not served its gun yet
        man_orders.offer_leaders_orders(menu, battle, unit, able)
        if battle.field.buildings:
            menu.extend(_house_acts(battle, unit, able))
        menu.add(SINGLE)
    for number, gun in enumerate(unit.guns):
        if unit.figures and gun.in_play:
            gun_orders.offer_gun_acts(menu, battle, unit, gun, number)
    if _may_end(menu, battle, unit, men):
        menu.add(END)
    return menu


def _may_fight(battle: Battle, unit: Unit, around: Surroundings) -> bool:
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


def _offer_moves(menu: LegalActions, battle: Battle, unit: Unit, able: UnitSummary, around: Surroundings) -> None:
    if able.riders < len(able.men):
        if "stuck" not in unit.marks and can_march(battle, unit, able.men):
            menu.add(MOVE)
        menu.offer(CHARGE, _charges(battle, unit, able, around))
    if able.riders:
        menu.offer(RIDE, _rides(battle, unit))
        menu.offer(RIDE_DOWN, _rides_down(battle, unit, around))


def _charges(battle: Battle, unit: Unit, able: UnitSummary, around: Surroundings) -> Iterator[Option]:
    book = battle.book
    if around.near <= book.charge_factor * able.sp * book.settings.charge_actions + book.between_men:
        for target in charge_targets(battle, unit, around.foes):
            yield (CHARGE, target.spec.id)


def _rides_down(battle: Battle, unit: Unit, around: Surroundings) -> Iterator[Option]:
    for target, gait in ride_targets(battle, unit, riders(battle, unit), around.foes):
        yield (RIDE_DOWN, target.spec.id, gait)


def _offer_drill(menu: LegalActions, battle: Battle, unit: Unit, able: UnitSummary) -> None:
    """Add formations, facing, the glory check and the like to the menu (FBN-034 to FBN-036, FBN-052, FBN-186)."""
    men = able.men
    if not able.indoors:
        if able.all_ready and not able.crossed and may_form(unit):
            menu.promise(FORM, _formations(battle, unit))
        if able.standing and not (able.crossed and not any(may_lie_down(man) for man in men)):
            menu.add(LIE_DOWN)
    if able.lying and any(may_get_up(battle, unit, man) for man in men):
        menu.add(GET_UP)
    if "faced" not in unit.marks and unit.shape != "square" and not able.indoors and able.riders < len(men):
        menu.add(FACE)
    if may_check(battle, unit):
        menu.add(CHECK)
    if able.riders and any(may_dismount(man) for man in men):
        menu.add(DISMOUNT)
    if able.got_down and any(may_mount(battle, man) for man in men):
        menu.add(MOUNT)


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


def _shots(battle: Battle, unit: Unit, around: Surroundings) -> Iterator[Option]:
    """Yield volleys at units, guns and buildings, and split fire."""
    ready = around.ready
    if not ready:
        return
    seen = False
    for target in fire_targets(battle, unit, ready, around.foes, around.sure):
        seen = True
        yield (FIRE, target.spec.id)
    for mark in gun_marks(battle, unit, around.marksmen):
        yield ("fire at gun", *mark)
    if battle.field.buildings:
        for house in house_targets(battle, unit, around.marksmen):
            yield ("fire at house", house)
    if seen and len(ready) > 1:
        yield SPLIT


def _formations(battle: Battle, unit: Unit) -> Iterator[Option]:
    formed = "" if "unformed" in unit.marks else unit.formation
    for name in allowed_formations(battle, unit):
        if name != formed:
            yield (FORM, name)


def _house_acts(battle: Battle, unit: Unit, able: UnitSummary) -> list[Option]:
    men = men_near_houses(battle, unit, able)
    if not men:
        return []
    options: list[Option] = []
    ways: dict[tuple[str, str], None] = {}
    for man in men:
        for way, to in crossings(battle, man):
            if may_cross(battle, unit, man, way):
                ways[way.id, to] = None
    options += [("cross", way, to) for way, to in ways]
    if able.indoors and any(may_be_posted(man) and not man.post and free_openings(battle, man) for man in men):
        options.append(MAN_OPENINGS)
    return options + man_orders.door_acts(battle, unit, men)
