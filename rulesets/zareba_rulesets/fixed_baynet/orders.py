"""Activation of a unit (FBN-015, FBN-016, FBN-032 to FBN-038): its AC, what it can do, and doing it act by act."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2, degrees, hypot
from typing import Any

from zareba.rules import procedure
from zareba.space.geometry import Point
from zareba.table import Option, Table
from zareba_rulesets.fixed_baynet import gun_orders, man_orders
from zareba_rulesets.fixed_baynet.battle import ACTIVATION_MARKS, UNIT_ACTIVATION_MARKS, Battle, Figure, Unit
from zareba_rulesets.fixed_baynet.buildings import (
    crossings,
    fire_at_building,
    free_openings,
    go_through,
    house_targets,
    post,
)
from zareba_rulesets.fixed_baynet.cavalry import (
    allowed_gaits,
    check_ride,
    dismount,
    may_dismount,
    may_mount,
    mount,
    mounted_charge,
    ride,
    ride_points,
    ride_targets,
    riders,
)
from zareba_rulesets.fixed_baynet.charges import charge, charge_targets
from zareba_rulesets.fixed_baynet.close_combat import fight, strikers
from zareba_rulesets.fixed_baynet.contact import engaged
from zareba_rulesets.fixed_baynet.crews import captured_guns, ready_gun
from zareba_rulesets.fixed_baynet.fire import fire_targets, firers, split_fire, volley
from zareba_rulesets.fixed_baynet.formations import allowed_formations, is_formed
from zareba_rulesets.fixed_baynet.glory import may_check, test_glory, voluntary_check
from zareba_rulesets.fixed_baynet.gun_targets import gun_marks, volley_at_gun
from zareba_rulesets.fixed_baynet.machine_guns import roll_after
from zareba_rulesets.fixed_baynet.movement import (
    after_move,
    check_shift,
    face_enemy,
    find_hidden,
    get_up,
    go_prone,
    may_get_up,
    movers,
    nearest_enemy,
    shift,
    short_of_hidden,
    suggestions,
)
from zareba_rulesets.fixed_baynet.panic import panicking_first
from zareba_rulesets.fixed_baynet.rally import heroic_deed
from zareba_rulesets.fixed_baynet.setup import ranks_that_fit

__all__ = ["act", "acts", "begin", "finish"]

END, MOVE, FIGHT, SPLIT, LIE_DOWN, GET_UP = "end", "move", "fight", "split fire", "lie down", "get up"
FACE, CHECK, DISMOUNT, MOUNT, MAN_OPENINGS, SINGLE = (
    "face",
    "check glory",
    "dismount",
    "mount",
    "man the openings",
    "one man",
)
COMPASS = ("north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west")


@procedure("activation.begin")
def begin(table: Table, battle: Battle, unit: Unit) -> None:
    """P3 steps 1 to 3: each man his own AC (FBN-033) less answers given (FBN-098), tests by setting, panicking men."""
    battle.active = unit.spec.id
    unit.unmark("cluster")  # FBN-059
    unit.dealt = unit.lost = 0
    for figure in unit.figures.values():
        figure.ac = max(0, figure.spec.ac - figure.spent)
        figure.moves = figure.attacks = 0
        figure.gait = 0
        if "stunned" in figure.marks:
            figure.mark("dazed")
        if "leg_heavy" in figure.locations:
            figure.mark("prone")  # FBN-133: he counts as lying again
            figure.unmark("shown")
    for gun in unit.guns:
        ready_gun(battle, unit, gun)
    table.tell("activated", "FBN-013", unit=unit.spec.id)
    if battle.book.settings.glory_test_timing == "unit_orders":
        test_glory(table, battle, unit)
    panicking_first(table, battle, unit)


def finish(table: Table, battle: Battle, unit: Unit) -> None:
    """P3 step 5: left-over AC are lost; formation is looked at (FBN-064, FBN-272); deeds and abandoned guns (FBN-122, FBN-161)."""
    captured_guns(table, battle, unit)
    heroic_deed(table, battle, unit)
    if "loose" in unit.marks and unit.figures:
        held = engaged(battle, unit)
        men = [f for f in unit.figures.values() if f.steady and not f.prone and not f.place and f.spec.id not in held]
        if not is_formed(battle, unit, men):
            unit.mark("unformed")
    for gun in unit.guns:
        roll_after(table, battle, unit, gun)
        gun.saved = min(3, gun.ac) if battle.book.settings.crew_ac == "crew_best" else 0
        gun.ac, gun.moved = 0, False
    for figure in unit.figures.values():
        if figure.marks:
            figure.marks = frozenset(
                m for m in figure.marks if m not in ACTIVATION_MARKS and not m.startswith(("at ", "noticed "))
            )
            if "dazed" in figure.marks:
                figure.unmark("stunned", "dazed")  # FBN-131: until the end of his next activation
    if unit.figures:
        unit.back = False
    unit.marks = (unit.marks - UNIT_ACTIVATION_MARKS) | {"activated"}
    battle.active = ""


# --- what a unit can do -----------------------------------------------------------------------------------------------


def acts(battle: Battle, unit: Unit) -> list[Option]:
    """What the active unit can do now, as words or tuples; `end` last, alone when nothing else is left (FBN-016).

    Each costs 1 AC unless its own rule says otherwise (FBN-032).
    """
    men = [figure for figure in unit.figures.values() if figure.able and figure.ac >= 1]
    options: list[Option] = []
    if men and unit.on_table:
        options += _moves(battle, unit, men)
        options += _attacks(battle, unit)
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


def _moves(battle: Battle, unit: Unit, men: list[Figure]) -> list[Option]:
    options: list[Option] = []
    if unit.guns:
        return options
    near = nearest_enemy(battle, unit)[0]
    if any(not man.mounted for man in men):
        feet = movers(battle, unit)
        if feet and "stuck" not in unit.marks:
            options.append(MOVE)
        if near <= 26:
            options += [("charge", target.spec.id) for target in charge_targets(battle, unit)]
    if any(man.mounted for man in men):
        horse = riders(battle, unit)
        if horse:
            options += [
                ("ride", gait) for gait in allowed_gaits(battle.book, horse[0]) if f"stuck {gait}" not in unit.marks
            ]
            if near <= 40:
                options += [("ride down", target.spec.id, gait) for target, gait in ride_targets(battle, unit, horse)]
    return options


def _attacks(battle: Battle, unit: Unit) -> list[Option]:
    options: list[Option] = []
    if unit.guns:
        return [FIGHT] if nearest_enemy(battle, unit)[0] <= 3 and strikers(battle, unit) else []
    ready = firers(battle, unit)
    if ready:
        targets = fire_targets(battle, unit, ready)
        options += [("fire", target.spec.id) for target in targets]
        options += [("fire at gun", *mark) for mark in gun_marks(battle, unit, ready)]
        options += [("fire at house", house) for house in house_targets(battle, unit, ready)]
        if targets and len(ready) > 1:
            options.append(SPLIT)
    if nearest_enemy(battle, unit)[0] <= 3 and strikers(battle, unit):
        options.append(FIGHT)
    return options


def _drill(battle: Battle, unit: Unit, men: list[Figure]) -> list[Option]:
    """Formations, lying down, facing, the glory check, mounting (FBN-034 to FBN-036, FBN-052, FBN-186)."""
    options: list[Option] = []
    all_pay = all(figure.ac >= 1 for figure in unit.figures.values() if figure.able)
    indoors = any(man.place for man in men)
    if all_pay and not indoors:
        unformed = "unformed" in unit.marks
        options += [("form", name) for name in allowed_formations(battle, unit) if name != unit.formation or unformed]
    if not indoors and any("prone" not in man.marks and not man.mounted for man in men):
        options.append(LIE_DOWN)
    if any(may_get_up(battle, unit, man) for man in men):
        options.append(GET_UP)
    if "faced" not in unit.marks and unit.shape != "square" and not indoors and not men[0].mounted:
        options.append(FACE)
    if may_check(battle, unit):
        options.append(CHECK)
    if any(may_dismount(man) for man in men):
        options.append(DISMOUNT)
    if any(may_mount(battle, man) for man in men):
        options.append(MOUNT)
    return options


def _house_acts(battle: Battle, unit: Unit, men: list[Figure]) -> list[Option]:
    if not battle.field.buildings:
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


def goals(battle: Battle, unit: Unit) -> list[Point]:
    """Where a unit may want to go: the nearest enemy, what the scenario wants held, its own deployment area."""
    found: list[Point] = []
    foe = nearest_enemy(battle, unit)[1]
    if foe is not None:
        found.append(((foe.box[0] + foe.box[2]) / 2, (foe.box[1] + foe.box[3]) / 2))
    found += battle.field.places
    if not found:
        found.append((battle.field.width / 2, battle.field.depth / 2))
    return found


# --- doing it -----------------------------------------------------------------------------------------------------------


@procedure("activation.act")
def act(table: Table, battle: Battle, unit: Unit, choice: Any) -> None:
    """Carry out one act of the active unit."""
    if choice != END and "hidden" in unit.marks:
        find_hidden(table, battle, unit)
    if choice not in (FACE, END):
        unit.unmark("faced")
    if isinstance(choice, tuple):
        verb, *rest = choice
        if verb in TUPLE_ACTS:
            TUPLE_ACTS[verb](table, battle, unit, *rest)
        elif verb in gun_orders.ACTS:
            gun_orders.ACTS[verb](table, battle, unit, *rest)
        else:
            man_orders.ACTS[verb](table, battle, unit, *rest)
    elif choice != END:
        WORD_ACTS[choice](table, battle, unit)


def _move(table: Table, battle: Battle, unit: Unit) -> None:
    """A move of the whole unit: its middle goes to a point, everybody by the same way (P4)."""
    men = movers(battle, unit)
    x, y = unit.middle

    def legal(point: Point) -> str | None:
        if unit.back and not _falls_back(battle, unit, men, point[0] - x, point[1] - y):
            return "it must fall back from the enemy (FBN-160)"
        return check_shift(battle, unit, men, point[0] - x, point[1] - y)

    points = [point for point in suggestions(battle, unit, men, goals(battle, unit)) if legal(point) is None]
    if not points:
        unit.mark("stuck")
        return
    point = table.place(unit.spec.side, points, legal, why="move to", rule="FBN-039", actor=unit.spec.id)
    starts = [(man.x, man.y) for man in men]
    unit.marks = frozenset(mark for mark in unit.marks if not mark.startswith("stuck"))
    if len(men) < sum(man.steady and not man.place for man in unit.figures.values()):
        unit.mark("loose")
    dx, dy = short_of_hidden(battle, unit, men, point[0] - x, point[1] - y)
    shift(battle, unit, men, dx, dy)
    face_enemy(battle, unit, men, dx, dy)
    table.tell("move", "FBN-039", unit=unit.spec.id, x=round(point[0], 1), y=round(point[1], 1))
    after_move(table, battle, unit, men, starts)


def _falls_back(battle: Battle, unit: Unit, men: list[Figure], dx: float, dy: float) -> bool:
    """Whether everybody ends farther from the enemy who is nearest to him (FBN-160)."""
    foes = [foe for other in battle.enemies(unit.spec.side) for foe in other.figures.values()]
    return all(
        min(hypot(man.x + dx - foe.x, man.y + dy - foe.y) for foe in foes)
        > min(hypot(man.x - foe.x, man.y - foe.y) for foe in foes)
        for man in men
        if foes
    )


def _ride(table: Table, battle: Battle, unit: Unit, gait: int) -> None:
    men = riders(battle, unit)
    x, y = unit.middle

    def legal(point: Point) -> str | None:
        if unit.back and not _falls_back(battle, unit, men, point[0] - x, point[1] - y):
            return "it must fall back from the enemy (FBN-160)"
        return check_ride(battle, unit, men, gait, point[0] - x, point[1] - y)

    points = [point for point in ride_points(battle, unit, men, gait, goals(battle, unit)[:2]) if legal(point) is None]
    if not points:
        unit.mark(f"stuck {gait}")
        return
    point = table.place(unit.spec.side, points, legal, why="ride to", rule="FBN-173", actor=unit.spec.id)
    if len(men) < sum(man.steady for man in unit.figures.values()):
        unit.mark("loose")
    ride(table, battle, unit, men, gait, *short_of_hidden(battle, unit, men, point[0] - x, point[1] - y))


def _charge(table: Table, battle: Battle, unit: Unit, target: str) -> None:
    charge(table, battle, unit, battle.unit(target))


def _ride_down(table: Table, battle: Battle, unit: Unit, target: str, gait: int) -> None:
    mounted_charge(table, battle, unit, riders(battle, unit), battle.unit(target), gait)


def _fire(table: Table, battle: Battle, unit: Unit, target: str) -> None:
    volley(table, battle, unit, battle.unit(target))


def _fire_at_house(table: Table, battle: Battle, unit: Unit, house: str) -> None:
    fire_at_building(table, battle, unit, house, firers(battle, unit))


def _fire_at_gun(table: Table, battle: Battle, unit: Unit, target: str, number: int) -> None:
    home = battle.unit(target)
    volley_at_gun(table, battle, unit, home, home.guns[number], firers(battle, unit, target))


def _fight(table: Table, battle: Battle, unit: Unit) -> None:
    fight(table, battle, unit)


@procedure("formation.change")
def form(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """FBN-035: 1 AC from everybody; the men take up the new formation about their middle, if there is room."""
    men = [figure for figure in unit.figures.values() if not figure.place]
    for figure in men:
        if figure.able:
            figure.ac -= 1
    radius = max(battle.radius(figure) for figure in men)
    facing = men[0].facing
    movable = [figure for figure in men if figure.able and "prone" not in figure.marks]
    if len(movable) == len(unit.figures):
        spots = ranks_that_fit(battle, unit, unit.middle, name, facing, radius)
        centre = unit.middle
        for figure, (x, y) in zip(men, spots, strict=True):
            battle.put(figure, x, y)
            figure.facing = degrees(atan2(x - centre[0], y - centre[1])) % 360 if name == "square" else facing
        unit.measure()
    unit.formation = name
    unit.unmark("unformed")
    if not is_formed(battle, unit):
        unit.mark("unformed")
    table.tell("formation", "FBN-035", unit=unit.spec.id, formation=name)


def _lie_down(table: Table, battle: Battle, unit: Unit) -> None:
    for figure in unit.figures.values():
        if figure.able and figure.ac >= 1 and not figure.place and not figure.mounted and "prone" not in figure.marks:
            go_prone(battle, figure)
    table.tell("lies down", "FBN-052", unit=unit.spec.id)


def _get_up(table: Table, battle: Battle, unit: Unit) -> None:
    for figure in unit.figures.values():
        if figure.able and may_get_up(battle, unit, figure):
            get_up(figure)
    table.tell("gets up", "FBN-053", unit=unit.spec.id)


def _face(table: Table, battle: Battle, unit: Unit) -> None:
    """Turning on foot is free (FBN-049); asked once until the unit does something else."""
    unit.mark("faced")
    way = table.choose(unit.spec.side, COMPASS, why="face", rule="FBN-049", actor=unit.spec.id)
    for figure in unit.figures.values():
        if figure.able and not figure.mounted:
            figure.facing = COMPASS.index(way) * 45.0


def _check(table: Table, battle: Battle, unit: Unit) -> None:
    voluntary_check(table, battle, unit)


def _dismount(table: Table, battle: Battle, unit: Unit) -> None:
    for figure in unit.figures.values():
        if figure.able and may_dismount(figure):
            dismount(figure)
    table.tell("dismounts", "FBN-186", unit=unit.spec.id)


def _mount(table: Table, battle: Battle, unit: Unit) -> None:
    for figure in unit.figures.values():
        if figure.able and may_mount(battle, figure):
            mount(figure)
    table.tell("mounts", "FBN-186", unit=unit.spec.id)


def _man_openings(table: Table, battle: Battle, unit: Unit) -> None:
    """Men without a post go to the openings of their sections that have room (FBN-275)."""
    for figure in unit.figures.values():
        if figure.able and figure.place and not figure.post:
            ways = [way for way in free_openings(battle, figure) if not battle.field.openings[way].other]
            ways = ways or free_openings(battle, figure)
            if ways:
                post(figure, ways[0])


def _cross(table: Table, battle: Battle, unit: Unit, way_id: str, to: str) -> None:
    """All men of the unit who can go through an opening do, while there is room (FBN-244)."""
    unit.mark("loose")
    for figure in list(unit.figures.values()):
        if not figure.able:
            continue
        for way, leads in crossings(battle, figure):
            if way.id == way_id and leads == to:
                go_through(table, battle, unit, figure, way, to)
                break


def _split(table: Table, battle: Battle, unit: Unit) -> None:
    split_fire(table, battle, unit)


def _single(table: Table, battle: Battle, unit: Unit) -> None:
    """One man acts by himself (FBN-016): whom, then what."""
    man_orders.one_man(table, battle, unit, goals(battle, unit))


Act = Callable[..., None]
WORD_ACTS: dict[str, Act] = {
    MOVE: _move,
    FIGHT: _fight,
    SPLIT: _split,
    LIE_DOWN: _lie_down,
    GET_UP: _get_up,
    FACE: _face,
    CHECK: _check,
    DISMOUNT: _dismount,
    MOUNT: _mount,
    MAN_OPENINGS: _man_openings,
    SINGLE: _single,
}
TUPLE_ACTS: dict[str, Act] = {
    "ride": _ride,
    "charge": _charge,
    "ride down": _ride_down,
    "fire": _fire,
    "fire at gun": _fire_at_gun,
    "fire at house": _fire_at_house,
    "form": form,
    "cross": _cross,
}
