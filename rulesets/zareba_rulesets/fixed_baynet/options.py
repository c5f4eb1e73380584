"""What the active unit can do (FBN-016, FBN-032 to FBN-038): which kind of act, then at whom, how, where to."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.table import Option
from zareba_rulesets.fixed_baynet import gun_orders, man_orders
from zareba_rulesets.fixed_baynet.aiming import fire_targets, firers
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.building_damage import house_targets
from zareba_rulesets.fixed_baynet.buildings import crossings, free_openings, houses_near
from zareba_rulesets.fixed_baynet.cavalry import may_dismount, may_mount, riders
from zareba_rulesets.fixed_baynet.charges import charge_targets
from zareba_rulesets.fixed_baynet.close_combat import may_fight
from zareba_rulesets.fixed_baynet.formations import allowed_formations
from zareba_rulesets.fixed_baynet.gaits import allowed_gaits
from zareba_rulesets.fixed_baynet.glory import may_check
from zareba_rulesets.fixed_baynet.gun_targets import gun_marks
from zareba_rulesets.fixed_baynet.manoeuvre import can_march
from zareba_rulesets.fixed_baynet.menu import Menu
from zareba_rulesets.fixed_baynet.mounted_charges import ride_targets
from zareba_rulesets.fixed_baynet.movement import may_get_up
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
IN_TOUCH, CHARGE_NEAR, RIDE_NEAR = 3.0, 26.0, 40.0


def acts_open(battle: Battle, unit: Unit) -> Menu:
    """What the active unit can do now: kinds of act, `end` last, alone when nothing else is left (FBN-016).

    Each act costs 1 AC unless its own rule says otherwise (FBN-032).
    """
    menu = Menu(battle, unit)
    men = [
        figure
        for figure in unit.figures.values()
        if figure.ac >= 1 and not figure.reaction and "stunned" not in figure.marks
    ]
    if men and unit.on_table:
        foes = battle.foes(unit)
        near = min([away for away, _ in foes], default=1e9)
        if not unit.guns:
            _offer_moves(menu, battle, unit, men, foes, near)
            menu.offer(FIRE, _shots(battle, unit, foes))
        if near <= IN_TOUCH and not unit.back and any(may_fight(battle, unit, man) for man in unit.figures.values()):
            menu.kinds.append(FIGHT)
        if not unit.guns:
            _offer_drill(menu, battle, unit, men)
        man_orders.offer_leaders_orders(menu, battle, unit, men)
        menu.kinds += _house_acts(battle, unit, men)
        if len(unit.figures) > 1 and not unit.guns:
            menu.kinds.append(SINGLE)
    for number, gun in enumerate(unit.guns):
        if unit.figures and gun.in_play:
            gun_orders.offer_gun_acts(menu, battle, unit, gun, number)
    if not (unit.back and _can_still_fall_back(menu, men)):
        menu.kinds.append(END)
    return menu


def _can_still_fall_back(menu: Menu, men: list[Figure]) -> bool:
    """A unit ordered back must make at least one movement action, if it can (FBN-160)."""
    return not any("moved" in man.marks for man in men) and (MOVE in menu.kinds or RIDE in menu.kinds)


def _offer_moves(menu: Menu, battle: Battle, unit: Unit, men: list[Figure], foes: Foes, near: float) -> None:
    mounted = sum([man.mounted for man in men])
    if mounted < len(men):
        if "stuck" not in unit.marks and can_march(battle, unit, men):
            menu.kinds.append(MOVE)
        if near <= CHARGE_NEAR:
            menu.offer(CHARGE, ((CHARGE, target.spec.id) for target in charge_targets(battle, unit, foes)))
    horse = riders(battle, unit) if mounted else []
    if horse:
        menu.offer(RIDE, iter(_rides(battle, unit, horse)))
        if near <= RIDE_NEAR:
            targets = ride_targets(battle, unit, horse, foes)
            menu.offer(RIDE_DOWN, ((RIDE_DOWN, target.spec.id, gait) for target, gait in targets))


def _offer_drill(menu: Menu, battle: Battle, unit: Unit, men: list[Figure]) -> None:
    """Formations, lying down, facing, the glory check, mounting (FBN-034 to FBN-036, FBN-052, FBN-186)."""
    indoors = standing = lying = mounted = marked = False
    for man in men:
        if man.place:
            indoors = True
        if man.mounted:
            mounted = True
        if "prone" in man.marks:
            lying = True
        elif not man.mounted:
            standing = True
            marked = marked or bool(man.marks)
    if not indoors:
        menu.offer(FORM, _formations(battle, unit))
        if standing:
            menu.kinds.append(LIE_DOWN)
    if lying and any(may_get_up(battle, unit, man) for man in men):
        menu.kinds.append(GET_UP)
    if "faced" not in unit.marks and unit.shape != "square" and not indoors and not men[0].mounted:
        menu.kinds.append(FACE)
    if may_check(battle, unit):
        menu.kinds.append(CHECK)
    if mounted and any(may_dismount(man) for man in men):
        menu.kinds.append(DISMOUNT)
    if marked and any(may_mount(battle, man) for man in men):
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


def _shots(battle: Battle, unit: Unit, foes: Foes) -> Iterator[Option]:
    """Volleys at units, at pieces and at buildings, and each man for himself."""
    ready = firers(battle, unit)
    if not ready:
        return
    seen = False
    for target in fire_targets(battle, unit, ready, foes):
        seen = True
        yield (FIRE, target.spec.id)
    for mark in gun_marks(battle, unit, ready):
        yield ("fire at gun", *mark)
    if battle.field.buildings:
        for house in house_targets(battle, unit, ready):
            yield ("fire at house", house)
    if seen and len(ready) > 1:
        yield SPLIT


def _formations(battle: Battle, unit: Unit) -> Iterator[Option]:
    if all(figure.ac >= 1 for figure in unit.figures.values() if figure.able):
        unformed = "unformed" in unit.marks
        for name in allowed_formations(battle, unit):
            if name != unit.formation or unformed:
                yield (FORM, name)


def _house_acts(battle: Battle, unit: Unit, men: list[Figure]) -> list[Option]:
    if not houses_near(battle, unit, men):
        return []
    options: list[Option] = []
    ways: dict[tuple[str, str], None] = {}
    for man in men:
        for way, to in crossings(battle, man):
            ways[way.id, to] = None
    options += [("cross", way, to) for way, to in ways]
    if any(man.place and not man.post and free_openings(battle, man) for man in men):
        options.append(MAN_OPENINGS)
    return options + man_orders.door_acts(battle, men)
