"""What the active unit can do (FBN-016, FBN-032 to FBN-038): a list of options, worked out at every decision."""

from __future__ import annotations

from zareba.table import Option
from zareba_rulesets.fixed_baynet import gun_orders, man_orders
from zareba_rulesets.fixed_baynet.aiming import fire_targets, firers
from zareba_rulesets.fixed_baynet.battle import Battle, Figure, Unit
from zareba_rulesets.fixed_baynet.building_damage import house_targets
from zareba_rulesets.fixed_baynet.buildings import crossings, free_openings, houses_near
from zareba_rulesets.fixed_baynet.cavalry import may_dismount, may_mount, riders
from zareba_rulesets.fixed_baynet.charges import charge_targets
from zareba_rulesets.fixed_baynet.close_combat import strikers
from zareba_rulesets.fixed_baynet.formations import allowed_formations
from zareba_rulesets.fixed_baynet.gaits import allowed_gaits
from zareba_rulesets.fixed_baynet.glory import may_check
from zareba_rulesets.fixed_baynet.gun_targets import gun_marks
from zareba_rulesets.fixed_baynet.manoeuvre import can_march
from zareba_rulesets.fixed_baynet.mounted_charges import ride_targets
from zareba_rulesets.fixed_baynet.movement import may_get_up

__all__ = ["acts"]

END, MOVE, FIGHT, SPLIT, LIE_DOWN, GET_UP = "end", "move", "fight", "split fire", "lie down", "get up"
FACE, CHECK, DISMOUNT, MOUNT, MAN_OPENINGS, SINGLE = (
    "face",
    "check glory",
    "dismount",
    "mount",
    "man the openings",
    "one man",
)
Foes = list[tuple[float, Unit]]
IN_TOUCH, CHARGE_NEAR, RIDE_NEAR = 3.0, 26.0, 40.0


def acts(battle: Battle, unit: Unit) -> list[Option]:
    """What the active unit can do now, as words or tuples; `end` last, alone when nothing else is left (FBN-016).

    Each costs 1 AC unless its own rule says otherwise (FBN-032).
    """
    men = [
        figure
        for figure in unit.figures.values()
        if figure.ac >= 1 and not figure.reaction and "stunned" not in figure.marks
    ]
    options: list[Option] = []
    if men and unit.on_table:
        foes = battle.foes(unit)
        near = min([away for away, _ in foes], default=1e9)
        if not unit.guns:
            options += _moves(battle, unit, men, foes, near)
            options += _fire(battle, unit, men, foes)
        if near <= IN_TOUCH and strikers(battle, unit):
            options.append(FIGHT)
        if not unit.guns:
            options += _drill(battle, unit, men)
        options += man_orders.leaders_orders(battle, unit, men)
        options += _house_acts(battle, unit, men)
        if len(unit.figures) > 1 and not unit.guns:
            options.append(SINGLE)
    for number, gun in enumerate(unit.guns):
        if unit.figures and gun.in_play:
            options += gun_orders.gun_acts(battle, unit, gun, number)
    if not (unit.back and _can_still_fall_back(options, men)):
        options.append(END)
    return options


def _can_still_fall_back(options: list[Option], men: list[Figure]) -> bool:
    """A unit ordered back must make at least one movement action, if it can (FBN-160)."""
    moved = any("moved" in man.marks for man in men)
    return not moved and any(
        option == MOVE or (isinstance(option, tuple) and option[0] == "ride") for option in options
    )


def _moves(battle: Battle, unit: Unit, men: list[Figure], foes: Foes, near: float) -> list[Option]:
    options: list[Option] = []
    mounted = sum([man.mounted for man in men])
    if mounted < len(men):
        if "stuck" not in unit.marks and can_march(battle, unit, men):
            options.append(MOVE)
        if near <= CHARGE_NEAR:
            options += [("charge", target.spec.id) for target in charge_targets(battle, unit, foes)]
    if mounted:
        horse = riders(battle, unit)
        if horse:
            options += [
                ("ride", gait) for gait in allowed_gaits(battle.book, horse[0]) if f"stuck {gait}" not in unit.marks
            ]
            if not unit.back and "stuck wheel" not in unit.marks:
                options += [("wheel", gait) for gait in allowed_gaits(battle.book, horse[0])]
            if near <= RIDE_NEAR:
                targets = ride_targets(battle, unit, horse, foes)
                options += [("ride down", target.spec.id, gait) for target, gait in targets]
    return options


def _fire(battle: Battle, unit: Unit, men: list[Figure], foes: Foes) -> list[Option]:
    ready = firers(battle, unit)
    if not ready:
        return []
    targets = fire_targets(battle, unit, ready, foes)
    options: list[Option] = [("fire", target.spec.id) for target in targets]
    options += [("fire at gun", *mark) for mark in gun_marks(battle, unit, ready)]
    if battle.field.buildings:
        options += [("fire at house", house) for house in house_targets(battle, unit, ready)]
    if targets and len(ready) > 1:
        options.append(SPLIT)
    return options


def _drill(battle: Battle, unit: Unit, men: list[Figure]) -> list[Option]:
    """Formations, lying down, facing, the glory check, mounting (FBN-034 to FBN-036, FBN-052, FBN-186)."""
    options: list[Option] = []
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
        if all(figure.ac >= 1 for figure in unit.figures.values() if figure.able):
            unformed = "unformed" in unit.marks
            formations = allowed_formations(battle, unit)
            options += [("form", name) for name in formations if name != unit.formation or unformed]
        if standing:
            options.append(LIE_DOWN)
    if lying and any(may_get_up(battle, unit, man) for man in men):
        options.append(GET_UP)
    if "faced" not in unit.marks and unit.shape != "square" and not indoors and not men[0].mounted:
        options.append(FACE)
    if may_check(battle, unit):
        options.append(CHECK)
    if mounted and any(may_dismount(man) for man in men):
        options.append(DISMOUNT)
    if marked and any(may_mount(battle, man) for man in men):
        options.append(MOUNT)
    return options


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
