"""Movement on foot (FBN-039 to FBN-054, FBN-270): allowances, ways, moves of men and of whole units, lying down."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees, hypot

from zareba.rules import procedure
from zareba.space.geometry import Point, distance_to_segment
from zareba.table import Table
from zareba_rulesets.fixed_baynet.battle import Battle, Box, Figure, Unit, box_gap
from zareba_rulesets.fixed_baynet.book import BUMPY, JAGGED
from zareba_rulesets.fixed_baynet.contact import engaged, foes_in_contact
from zareba_rulesets.fixed_baynet.glory import FLANK, glory_event, lie_down
from zareba_rulesets.fixed_baynet.night import notice
from zareba_rulesets.fixed_baynet.places import Disc, discs_near, open_ground, overlaps, ruins
from zareba_rulesets.fixed_baynet.sight import joint_box, turned_away

__all__ = [
    "after_move",
    "allowance",
    "can_move",
    "check_shift",
    "face_enemy",
    "get_up",
    "go_prone",
    "may_get_up",
    "movers",
    "nearest_enemy",
    "reach_on",
    "settle_contacts",
    "shift",
    "short_of_hidden",
    "step_towards",
    "suggestions",
    "way_refused",
]


def allowance(battle: Battle, figure: Figure, charging: bool = False) -> int:
    """Inches of one movement action on flat ground (P4 steps 1 to 3), each step rounded up (FBN-046).

    Groin: 2 inches whatever happens (FBN-129). Leg: half (FBN-128). Charge: double (FBN-041). Crawling: half (FBN-052).
    """
    book = battle.book
    if figure.locations and "groin" in figure.locations:
        return int(book.file.movement["groin"])
    speed = figure.spec.sp
    if "leg_light" in figure.locations and not figure.mounted:
        speed = book.halved(speed, "leg")
    if charging:
        speed *= book.charge_factor
    return book.halved(speed, "prone") if "prone" in figure.marks else speed


def reach_on(battle: Battle, figure: Figure, going: int, charging: bool = False) -> int:
    """The allowance on ground of a kind (P4 step 4); a groin wound knows no ground (FBN-129)."""
    inches = allowance(battle, figure, charging)
    return inches if "groin" in figure.locations else battle.book.slowed(inches, going)


def can_move(battle: Battle, figure: Figure, charging: bool = False) -> bool:
    """Whether a man has a movement action left (FBN-039, FBN-040, FBN-041, FBN-205, FBN-239).

    After a charge only a charge may follow, and that only with `charge_actions` 3.
    """
    settings, marks = battle.book.settings, figure.marks
    if figure.ac < 1 or "stunned" in marks or "served" in marks or "halted" in marks:
        return False
    if figure.moves >= (1 if settings.move_per == "turn" else battle.book.most_moves):
        return False
    if charging:
        if "prone" in marks or "groin" in figure.locations:
            return False
        return "charged" not in marks or settings.charge_actions == 3
    return "charged" not in marks


def way_refused(battle: Battle, figure: Figure, goal: Point, charging: bool = False) -> str | None:
    """Why a man may not go straight to a point with one action, or None (P4 steps 3 to 5, FBN-042, FBN-048)."""
    start = (figure.x, figure.y)
    length = hypot(goal[0] - start[0], goal[1] - start[1])
    leg = battle.field.leg(start, goal, figure.mounted, ruins(battle))
    if leg.closed:
        return f"{leg.closed} bars the way (FBN-065)"
    if charging and leg.dangerous:
        return "a charge cannot cross dangerous ground (FBN-042)"
    if battle.book.settings.terrain_move == "proportional" and "groin" not in figure.locations:
        spent, most = leg.price, allowance(battle, figure, charging)
    else:
        spent, most = length, reach_on(battle, figure, leg.going, charging)
    return None if spent <= most + 1e-6 else f'that is {spent:.1f}" of {most}" (FBN-039)'


def movers(battle: Battle, unit: Unit, charging: bool = False) -> list[Figure]:
    """The men who take part in a move of the whole unit: steady, able, out of doors, as fast as most of them."""
    men = [
        figure
        for figure in unit.figures.values()
        if not figure.reaction and not figure.place and not figure.mounted and can_move(battle, figure, charging)
    ]
    if battle.book.settings.leave_contact == "refused" and men:
        held = engaged(battle, unit)
        men = [figure for figure in men if figure.spec.id not in held]
    if len(men) > 1:
        speeds = [allowance(battle, figure, charging) for figure in men]
        usual = sorted(speeds)[(len(speeds) - 1) // 2]
        men = [figure for figure, speed in zip(men, speeds, strict=True) if speed >= usual]
    return men


def box_of(points: Sequence[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def check_shift(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> str | None:
    """Why these men may not all move by the same way, or None: ground, room, enemies in the way (FBN-050, P4 step 5)."""
    starts = [(man.x, man.y) for man in men]
    ends = [(x + dx, y + dy) for x, y in starts]
    box = box_of(ends)
    field, _book = battle.field, battle.book
    radius = max(battle.radius(man) for man in men)
    if box[0] < 0 or box[1] < 0 or box[2] > field.width or box[3] > field.depth:
        return "that is off the table"
    sweep = joint_box(box, box_of(starts))
    if field.near(sweep) or field.hills_near(sweep):
        for man, end in zip(men, ends, strict=True):
            if refused := way_refused(battle, man, end):
                return refused
        if not all(open_ground(battle, x, y) for x, y in ends):
            return "nobody can stand there (FBN-065)"
    else:
        length = hypot(dx, dy)
        slowest = min(allowance(battle, man) for man in men)
        if length > slowest + 1e-6:
            return f'that is {length:.1f}" of {slowest}" (FBN-039)'
    going = {man.spec.id for man in men}
    discs = discs_near(battle, sweep, radius + 1.0, going, unit.spec.side)
    return crowd_refusal(battle, unit.spec.side, starts, ends, radius, discs) if discs else None


def crowd_refusal(
    battle: Battle,
    side: str,
    starts: Sequence[Point],
    ends: Sequence[Point],
    radius: float,
    discs: list[Disc],
    contact: bool = False,
) -> str | None:
    """Friends are passed through but not ended upon; enemies are not passed through (FBN-050).

    Without `contact` a move may not end in contact where only a charge makes it (FBN-270).
    """
    foes = [disc for disc in discs if disc.side != side]
    touch = battle.book.contact if battle.book.settings.contact_needs_charge and not contact else 0.0
    for (ax, ay), (bx, by) in zip(starts, ends, strict=True):
        if overlaps(bx, by, radius, discs):
            return "somebody stands there (FBN-050)"
        for foe in foes:
            away = distance_to_segment((foe.x, foe.y), (ax, ay), (bx, by))
            if away < radius + foe.radius - 1e-6:
                return "an enemy stands in the way (FBN-050)"
            if touch > 0 and hypot(foe.x - bx, foe.y - by) <= radius + foe.radius + touch:
                return "only a charge makes contact (FBN-270)"
    return None


def short_of_hidden(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> tuple[float, float]:
    """A way cut short where it would end upon hidden enemies, of whom its owner could not know."""
    hidden = [other for other in battle.units.values() if "hidden" in other.marks and other.spec.side != unit.spec.side]
    if not hidden:
        return dx, dy
    radius = max(battle.radius(man) for man in men)
    going = {man.spec.id for man in men}
    for share in (1.0, 0.8, 0.6, 0.4, 0.2):
        ends = [(man.x + dx * share, man.y + dy * share) for man in men]
        discs = discs_near(battle, box_of(ends), radius + 1.0, going)
        if not any(overlaps(x, y, radius, discs) for x, y in ends):
            return dx * share, dy * share
    return 0.0, 0.0


def shift(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> None:
    """Move men by the same way and take the AC (P4 step 6)."""
    for man in men:
        battle.put(man, man.x + dx, man.y + dy)
        man.ac -= 1
        man.moves += 1
        man.mark("moved")
    unit.measure()
    _bring_along(battle, unit)


def _bring_along(battle: Battle, unit: Unit) -> None:
    for prize in battle.prizes.values():
        if prize.carrier == unit.spec.id and unit.figures:
            prize.x, prize.y = unit.middle


def nearest_enemy(battle: Battle, unit: Unit) -> tuple[float, Unit | None]:
    """The enemy unit whose box is nearest, with the distance; 1e9 and None if there is none."""
    best: tuple[float, Unit | None] = (1e9, None)
    for other in battle.enemies(unit.spec.side):
        away = box_gap(unit.box, other.box)
        if away < best[0]:
            best = (away, other)
    return best


def face_enemy(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> None:
    """After a move men look towards the nearest enemy, all the same way; turning is free on foot (FBN-049).

    A square moves like others and keeps facing outwards (FBN-061).
    """
    if unit.shape == "square" or not men:
        return
    _, foe = nearest_enemy(battle, unit)
    x, y = unit.middle
    if foe is not None:
        ex, ey = (foe.box[0] + foe.box[2]) / 2, (foe.box[1] + foe.box[3]) / 2
        dx, dy = ex - x, ey - y
    if dx or dy:
        facing = degrees(atan2(dx, dy)) % 360
        for man in men:
            man.facing = facing


def suggestions(battle: Battle, unit: Unit, men: Sequence[Figure], goals: Sequence[Point]) -> list[Point]:
    """Points to which a unit may move: full and short steps towards goals, and a step back and aside."""
    x, y = unit.middle
    most = min(allowance(battle, man) for man in men)
    found: list[Point] = []
    directions: list[tuple[float, float]] = []
    for goal in goals[:3]:
        away = hypot(goal[0] - x, goal[1] - y)
        if away > 0.5:
            directions.append(((goal[0] - x) / away, (goal[1] - y) / away))
    ux, uy = directions[0] if directions else (0.0, 1.0)
    directions += [(-ux, -uy), (uy, -ux), (-uy, ux)]
    for ux, uy in directions:
        for length in (most, battle.book.slowed(most, BUMPY), battle.book.slowed(most, JAGGED)):
            if check_shift(battle, unit, men, ux * length, uy * length) is None:
                found.append((x + ux * length, y + uy * length))
                break
    return found


@procedure("movement.after")
def after_move(table: Table, battle: Battle, unit: Unit, men: Sequence[Figure], starts: Sequence[Point]) -> None:
    """What follows a move: men fall over what they do not notice at night, hidden enemies are found, contact is made."""
    if battle.night:
        for man, start in zip(men, starts, strict=True):
            notice(table, battle, unit, man, start)
    find_hidden(table, battle, unit)
    settle_contacts(table, battle, unit, men)


def find_hidden(table: Table, battle: Battle, unit: Unit) -> None:
    """A hidden unit is found when an enemy comes near or when it acts; until then nobody sees it."""
    if "hidden" in unit.marks:
        unit.unmark("hidden")
        table.tell("revealed", "FBN-078", unit=unit.spec.id)
    reach = float(battle.book.file.hidden["inches"])
    for other in battle.units.values():
        if "hidden" in other.marks and other.spec.side != unit.spec.side and box_gap(unit.box, other.box) <= reach:
            other.unmark("hidden")
            table.tell("revealed", "FBN-078", unit=other.spec.id)


def settle_contacts(table: Table, battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """FBN-145: contact from outside a man's front arc is an event for his unit, unless it stands in square."""
    _, foe = nearest_enemy(battle, unit)
    if foe is None or box_gap(unit.box, foe.box) > 3.0:
        return
    front = battle.book.file.arcs["front"]
    struck: dict[str, Unit] = {}
    for man in men:
        if man.spec.id not in unit.figures:
            continue
        for other in foes_in_contact(battle, man, unit.spec.side):
            home = battle.home(other.spec.id)
            if home is not None and home.shape != "square" and turned_away(other, (man.x, man.y)) > front:
                struck[home.spec.id] = home
    for home in struck.values():
        glory_event(table, battle, home, FLANK)


def step_towards(battle: Battle, unit: Unit, figure: Figure, goal: Point, charging: bool = False) -> float:
    """Take one man as far towards a point as one action lets him, straight; the inches he went. Costs 1 AC if any."""
    start = (figure.x, figure.y)
    away = hypot(goal[0] - start[0], goal[1] - start[1])
    if away < 0.05:
        return 0.0
    ux, uy = (goal[0] - start[0]) / away, (goal[1] - start[1]) / away
    radius = battle.radius(figure)
    most = min(away, float(allowance(battle, figure, charging)))
    reach = (start[0] - most, start[1] - most, start[0] + most, start[1] + most)
    discs = discs_near(battle, reach, radius + 1.0, {figure.spec.id}, unit.spec.side)
    length = most
    while length > 0.05:
        end = (start[0] + ux * length, start[1] + uy * length)
        if (
            open_ground(battle, *end)
            and way_refused(battle, figure, end, charging) is None
            and crowd_refusal(battle, unit.spec.side, [start], [end], radius, discs, charging) is None
        ):
            battle.put(figure, *end)
            figure.ac -= 1
            figure.moves += 1
            figure.mark("moved")
            figure.facing = degrees(atan2(ux, uy)) % 360
            unit.measure()
            return length
        length -= 0.5
    return 0.0


def go_prone(battle: Battle, figure: Figure) -> None:
    """1 AC to lie down (FBN-052)."""
    figure.ac -= 1
    lie_down(battle, figure)


def may_get_up(battle: Battle, unit: Unit, figure: Figure) -> bool:
    """Not in the turn in which he dropped, not while pinned, never with a heavy leg wound (FBN-053, FBN-133)."""
    return (
        "prone" in figure.marks
        and figure.ac >= 1
        and figure.dropped < battle.turn
        and "pinned" not in unit.marks
        and "leg_heavy" not in figure.locations
    )


def get_up(figure: Figure) -> None:
    figure.ac -= 1
    figure.unmark("prone", "shown")
