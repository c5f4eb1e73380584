"""What the active unit can do (FBN-016, FBN-032 to FBN-038): which kind of act, then at whom, how, where to."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.table import Option
from zareba_rulesets.fixed_baynet import gun_orders, man_orders
from zareba_rulesets.fixed_baynet.aiming import fire_targets, firers, still_aims
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.building_damage import house_targets
from zareba_rulesets.fixed_baynet.buildings import crossings, free_openings, houses_near
from zareba_rulesets.fixed_baynet.cavalry import may_dismount, may_mount, riders
from zareba_rulesets.fixed_baynet.charges import charge_targets
from zareba_rulesets.fixed_baynet.close_combat import may_fight
from zareba_rulesets.fixed_baynet.contact import IN_TOUCH, INDOORS, may_touch
from zareba_rulesets.fixed_baynet.formations import allowed_formations
from zareba_rulesets.fixed_baynet.gaits import WALK, allowed_gaits
from zareba_rulesets.fixed_baynet.glory import may_check
from zareba_rulesets.fixed_baynet.gun_targets import gun_marks
from zareba_rulesets.fixed_baynet.manoeuvre import can_march
from zareba_rulesets.fixed_baynet.menu import Menu
from zareba_rulesets.fixed_baynet.mounted_charges import ride_targets
from zareba_rulesets.fixed_baynet.movement import may_get_up, may_lie_down
from zareba_rulesets.fixed_baynet.muster import Muster, muster
from zareba_rulesets.fixed_baynet.troops import Figure, Unit

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
# the questions of the second choice, each with its rule
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
Foes = list[tuple[float, Unit]]
WHYS = frozenset([why for why, _ in SECOND.values()])
CHARGE_MORE, RIDE_NEAR = 1.5, 40.0


def acts_open(battle: Battle, unit: Unit) -> Menu:
    """What the active unit can do now: kinds of act, `end` last, alone when nothing else is left (FBN-016).

    Each act costs 1 AC unless its own rule says otherwise (FBN-032).
    """
    menu = Menu(battle, unit)
    able = muster(unit)
    men = able.men
    if men and unit.on_table:
        foes = battle.foes(unit)
        near = min([foe[0] for foe in foes], default=1e9)
        on_their_own = not any(gun.in_play for gun in unit.guns)
        if on_their_own:
            _offer_moves(menu, battle, unit, able, foes, near)
            _offer_fire(menu, battle, unit, foes)
        in_touch = near <= IN_TOUCH or (
            near <= INDOORS and any(away <= INDOORS and may_touch(battle, unit, foe) for away, foe in foes)
        )
        if in_touch and not unit.back and any(may_fight(battle, unit, man) for man in unit.figures.values()):
            menu.kinds.append(FIGHT)
        if on_their_own:
            _offer_drill(menu, battle, unit, able)
        man_orders.offer_leaders_orders(menu, battle, unit, able)
        if battle.field.buildings:
            menu.kinds += _house_acts(battle, unit, able)
        menu.kinds.append(SINGLE)
    for number, gun in enumerate(unit.guns):
        if unit.figures and gun.in_play:
            gun_orders.offer_gun_acts(menu, battle, unit, gun, number)
    if not (unit.back and _can_still_fall_back(menu, unit)) and not _must_ride_on(battle, menu, men):
        menu.kinds.append(END)
    return menu


def _can_still_fall_back(menu: Menu, unit: Unit) -> bool:
    """A unit ordered back must make at least one movement action, if it can (FBN-160)."""
    if any("moved" in man.marks for man in unit.figures.values()) or any(gun.moved for gun in unit.guns):
        return False
    return any(kind in (MOVE, RIDE) or (isinstance(kind, tuple) and kind[0] == "gun move") for kind in menu.kinds)


def _must_ride_on(battle: Battle, menu: Menu, men: list[Figure]) -> bool:
    """With `decel_steps` one, horses that went faster than a walk last turn cannot stand still, if they can go on (FBN-177)."""
    if battle.book.settings.decel_steps == "any" or RIDE not in menu.kinds:
        return False
    return any(man.mounted and man.last_gait > WALK and not man.moves for man in men)


def _offer_moves(menu: Menu, battle: Battle, unit: Unit, able: Muster, foes: Foes, near: float) -> None:
    if able.riders < len(able.men):
        if "stuck" not in unit.marks and can_march(battle, unit, able.men):
            menu.kinds.append(MOVE)
        if near <= battle.book.charge_factor * able.sp + CHARGE_MORE:
            menu.offer(CHARGE, ((CHARGE, target.spec.id) for target in charge_targets(battle, unit, foes)))
    horse = riders(battle, unit) if able.riders else []
    if horse:
        menu.offer(RIDE, iter(_rides(battle, unit, horse)))
        if near <= RIDE_NEAR:
            targets = ride_targets(battle, unit, horse, foes)
            menu.offer(RIDE_DOWN, ((RIDE_DOWN, target.spec.id, gait) for target, gait in targets))


def _offer_fire(menu: Menu, battle: Battle, unit: Unit, foes: Foes) -> None:
    ready = firers(battle, unit)
    if not ready:
        return
    surely = "" if battle.book.settings.target_order_ac else still_aims(battle, unit, ready)
    if surely:
        menu.promise(FIRE, _shots(battle, unit, ready, foes, surely))
    else:
        menu.offer(FIRE, _shots(battle, unit, ready, foes))


def _offer_drill(menu: Menu, battle: Battle, unit: Unit, able: Muster) -> None:
    """Formations, lying down, facing, the glory check, mounting (FBN-034 to FBN-036, FBN-052, FBN-186)."""
    men = able.men
    if not able.indoors:
        if able.all_ready and not able.crossed:
            menu.offer(FORM, iter(_formations(battle, unit)))
        if able.standing and not (able.crossed and not any(may_lie_down(man) for man in men)):
            menu.kinds.append(LIE_DOWN)
    if able.lying and any(may_get_up(battle, unit, man) for man in men):
        menu.kinds.append(GET_UP)
    if "faced" not in unit.marks and unit.shape != "square" and not able.indoors and not men[0].mounted:
        menu.kinds.append(FACE)
    if may_check(battle, unit):
        menu.kinds.append(CHECK)
    if able.riders and any(may_dismount(man) for man in men):
        menu.kinds.append(DISMOUNT)
    if able.got_down and any(may_mount(battle, man) for man in men):
        menu.kinds.append(MOUNT)


def is_act(why: str) -> bool:
    """Whether a question is for the act of the active unit, or for its kind."""
    return why == "act" or why in WHYS


def menu_of(battle: Battle, unit: Unit) -> Menu:
    """The menu that the choice under way was made from, or a new one."""
    menu = battle.menu
    return menu if menu is not None and menu.is_for(battle, unit) else acts_open(battle, unit)


def _rides(battle: Battle, unit: Unit, horse: list[Figure]) -> list[Option]:
    """Straight rides and rides with turns, each at the gaits that are open."""
    gaits = allowed_gaits(battle.book, horse[0])
    rides: list[Option] = [(RIDE, gait) for gait in gaits if f"stuck {gait}" not in unit.marks]
    if not unit.back and "stuck wheel" not in unit.marks:
        rides += [("wheel", gait) for gait in gaits]
    return rides


def _shots(battle: Battle, unit: Unit, ready: list[Figure], foes: Foes, surely: str = "") -> Iterator[Option]:
    """Volleys at units, at pieces and at buildings, and each man for himself.

    `ready` are those who may fire, `surely` the id of a unit at which one of them certainly can.
    """
    seen = False
    for target in fire_targets(battle, unit, ready, foes, surely):
        seen = True
        yield (FIRE, target.spec.id)
    for mark in gun_marks(battle, unit, ready):
        yield ("fire at gun", *mark)
    if battle.field.buildings:
        for house in house_targets(battle, unit, ready):
            yield ("fire at house", house)
    if seen and len(ready) > 1:
        yield SPLIT


def _formations(battle: Battle, unit: Unit) -> list[Option]:
    formed = "" if "unformed" in unit.marks else unit.formation
    return [(FORM, name) for name in allowed_formations(battle, unit) if name != formed]


def _house_acts(battle: Battle, unit: Unit, able: Muster) -> list[Option]:
    if not houses_near(battle, unit, able):
        return []
    options: list[Option] = []
    ways: dict[tuple[str, str], None] = {}
    for man in able.men:
        for way, to in crossings(battle, man):
            ways[way.id, to] = None
    options += [("cross", way, to) for way, to in ways]
    if able.indoors and any(man.place and not man.post and free_openings(battle, man) for man in able.men):
        options.append(MAN_OPENINGS)
    return options + man_orders.door_acts(battle, able.men)
