"""Cavalry (FBN-172 to FBN-188): gaits, turning, momentum, mounted charges, mounting and dismounting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, ceil, cos, degrees, hypot, radians, sin
from typing import NamedTuple

from zareba.rules import procedure
from zareba.space.bearings import angle_between
from zareba.space.geometry import Point, distance_to_segment
from zareba.table import Table
from zareba_rulesets.fixed_baynet.after_move import after_move
from zareba_rulesets.fixed_baynet.battle import Battle, Box, Figure, Unit, box_gap
from zareba_rulesets.fixed_baynet.book import GAITS, FbnBook
from zareba_rulesets.fixed_baynet.charges import go_home, in_order
from zareba_rulesets.fixed_baynet.contact import engaged
from zareba_rulesets.fixed_baynet.field import OPEN_SCENE, Scene
from zareba_rulesets.fixed_baynet.glory import CHARGE, RIDDEN_AT, glory_event
from zareba_rulesets.fixed_baynet.manoeuvre import Manoeuvre
from zareba_rulesets.fixed_baynet.movement import can_move, crowd_refusal
from zareba_rulesets.fixed_baynet.places import Disc, discs_near, open_ground, ruins, touching_spots
from zareba_rulesets.fixed_baynet.sight import joint_box, scene_of, sees

__all__ = [
    "FRESH",
    "Cavalcade",
    "Ridden",
    "allowed_gaits",
    "charge_spot",
    "check_ride",
    "dismount",
    "gait_refused",
    "mount",
    "mounted_charge",
    "ridden_at",
    "ride",
    "ride_points",
    "ride_targets",
    "riders",
    "spend_ride",
    "turn_cost",
]

WALK, CANTER, GALLOP = 1, 2, 3


def riders(battle: Battle, unit: Unit) -> list[Figure]:
    """The mounted men of a unit who may still ride this activation (FBN-179)."""
    limit = battle.book.settings.mount_moves_per_turn
    men = [
        figure
        for figure in unit.figures.values()
        if figure.mounted and not figure.reaction and figure.moves < limit and can_move(battle, figure)
    ]
    if battle.book.settings.leave_contact == "refused" and men:
        held = engaged(battle, unit)
        men = [figure for figure in men if figure.spec.id not in held]
    return men


def allowed_gaits(book: FbnBook, figure: Figure) -> list[int]:
    """P18 step 1: no more than one gait above last turn's (FBN-176); with `decel_steps` one no more than one below (FBN-177)."""
    lowest = max(0, figure.last_gait - 1) if book.settings.decel_steps == "one" else 0
    highest = min(GALLOP, figure.last_gait + 1)
    if figure.moves:
        lowest = highest = figure.gait  # a further move of the same turn keeps the gait
    return list(range(max(lowest, WALK), highest + 1))


def turn_cost(book: FbnBook, gait: int, angles: Sequence[float]) -> float:
    """Inches that turns cost: each per started 90 degrees, or in proportion (FBN-175)."""
    price = book.gaits[gait].turn
    if book.settings.turn_rounding == "proportional":
        return sum(price * angle / 90 for angle in angles)
    return float(sum(price * ceil(round(angle, 6) / 90) for angle in angles))


def most_of(book: FbnBook, gait: int, going: int, charging: bool = False) -> int:
    """The greatest distance of a gait on a kind of ground, rounded up; minima stay (FBN-182)."""
    most = book.slowed(book.gaits[gait].most, going)
    return 2 * most if charging and book.settings.mounted_charge_doubles else most


class Ridden(NamedTuple):
    """What a ride has come to before its last leg: inches, their price and that of its turns, the slowest ground."""

    inches: float = 0.0
    price: float = 0.0
    turns: float = 0.0
    going: int = 0


FRESH = Ridden()


def gait_refused(
    book: FbnBook,
    gait: int,
    last: int,
    inches: float,
    angles: Sequence[float],
    going: int = 0,
    charging: bool = False,
    paid: float = 0.0,
) -> str | None:
    """P18 steps 1 to 3: why a ride of these inches with these turns is against its gait, or None (FBN-174 to FBN-178).

    `paid`: the price of turns made before these.
    """
    if gait > last + 1:
        return f"{GAITS[gait]} needs {GAITS[gait - 1]} in the turn before (FBN-176)"
    if book.settings.decel_steps == "one" and gait < last - 1:
        return "it cannot slow down so fast (FBN-177)"
    most = most_of(book, gait, going, charging)
    if inches + paid + turn_cost(book, gait, angles) > most + 1e-6:
        return f'beyond the {most}" of a {GAITS[gait]} (FBN-175)'
    if inches < book.gaits[gait].least - 1e-6 and not (charging and book.settings.contact_excuses_minimum):
        return f'short of the {book.gaits[gait].least}" of a {GAITS[gait]} (FBN-174)'
    return None


def angles_of(facing: float, path: Sequence[Point]) -> list[float]:
    """The turns of a path ridden from a facing."""
    found, before = [], facing
    for a, b in pairwise(path):
        if a != b:
            way = degrees(atan2(b[0] - a[0], b[1] - a[1]))
            found.append(angle_between(before, way))
            before = way
    return found


def ride_refused(
    battle: Battle,
    figure: Figure,
    path: Sequence[Point],
    gait: int,
    charging: bool = False,
    scene: Scene | None = None,
    ridden: Ridden = FRESH,
) -> str | None:
    """Why a rider may not take this path at this gait, or None: ground, gait, danger for a charge (FBN-180, FBN-182).

    `ridden` is what he has ridden before it in the same move.
    """
    down = ruins(battle)
    inches, price, paid, going = ridden
    for a, b in pairwise(path):
        leg = battle.field.leg(a, b, True, down, scene)
        if leg.closed:
            return f"{leg.closed} bars the way (FBN-182)"
        if charging and leg.dangerous:
            return "a charge cannot cross dangerous ground (FBN-042)"
        going, price = max(going, leg.going), price + leg.price
        inches += hypot(b[0] - a[0], b[1] - a[1])
    angles = angles_of(figure.facing, path)
    book = battle.book
    if book.settings.terrain_move == "proportional":
        most = most_of(book, gait, 0, charging)
        if price + paid + turn_cost(book, gait, angles) > most + 1e-6:
            return f'beyond the {most}" of a {GAITS[gait]} (FBN-048)'
        going = 0
        if price > inches:
            excused = charging and book.settings.contact_excuses_minimum
            return None if excused or inches >= book.gaits[gait].least else "short of the least distance (FBN-174)"
    return gait_refused(book, gait, figure.last_gait, inches, angles, going, charging, paid)


class Cavalcade(Manoeuvre):
    """Riders who go straight by the same way at a gait."""

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], gait: int, reach: float = 0.0) -> None:
        super().__init__(battle, unit, men, reach or float(battle.book.gaits[gait].most))
        self.radius = battle.book.radius["mounted"]
        self.gait = gait

    def longer(self, inches: float) -> Cavalcade:
        return Cavalcade(self.battle, self.unit, self.men, self.gait, inches)

    def ground_refused(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """P18 steps 1 to 3 for every rider."""
        if ground is OPEN_SCENE:
            return _gaits_refused(self.battle, self.men, self.gait, dx, dy)
        for man, (x, y) in zip(self.men, self.starts, strict=True):
            if refused := ride_refused(self.battle, man, ((x, y), (x + dx, y + dy)), self.gait, scene=ground):
                return refused
        return None

    def crowd_refused(self, ends: Sequence[Point], discs: list[Disc]) -> str | None:
        """At canter or gallop only a charge ends in contact (FBN-180, FBN-270)."""
        if self.gait > WALK:
            for foe in discs:
                reach = self.radius + foe.radius + self.battle.book.contact
                if foe.side != self.unit.spec.side and any(hypot(foe.x - x, foe.y - y) <= reach for x, y in ends):
                    return "at this gait only a charge makes contact (FBN-180)"
        return super().crowd_refused(ends, discs)


def check_ride(battle: Battle, unit: Unit, men: Sequence[Figure], gait: int, dx: float, dy: float) -> str | None:
    """Why these riders may not all ride straight by the same way, or None."""
    return Cavalcade(battle, unit, men, gait).refused(dx, dy)


def _gaits_refused(battle: Battle, men: Sequence[Figure], gait: int, dx: float, dy: float) -> str | None:
    way, inches = degrees(atan2(dx, dy)), hypot(dx, dy)
    seen: set[tuple[float, int]] = set()
    for man in men:
        key = (man.facing, man.last_gait)
        if key not in seen:
            seen.add(key)
            turns = [angle_between(man.facing, way)] if inches else []
            if refused := gait_refused(battle.book, gait, man.last_gait, inches, turns):
                return refused
    return None


def ride_points(battle: Battle, unit: Unit, cavalcade: Cavalcade, goals: Sequence[Point]) -> list[Point]:
    """Points to which riders may go at their gait: towards goals and the eight winds, far first."""
    x, y = unit.middle
    men, gait = cavalcade.men, cavalcade.gait
    kind = battle.book.gaits[gait]
    ways = [degrees(atan2(goal[0] - x, goal[1] - y)) for goal in goals if goal != (x, y)]
    ways += [men[0].facing + turn for turn in (0, 45, -45, 90, -90, 180)]
    found: list[Point] = []
    for way in ways:
        ux, uy = sin(radians(way)), cos(radians(way))
        for inches in (float(kind.most), (kind.most + kind.least) / 2, float(kind.least)):
            cost = turn_cost(battle.book, gait, [angle_between(men[0].facing, way)])
            length = min(inches, kind.most - cost)
            if length >= max(kind.least, 1) and cavalcade.refused(ux * length, uy * length) is None:
                found.append((x + ux * length, y + uy * length))
                break
    return found


@procedure("cavalry.ride")
def ride(table: Table, battle: Battle, unit: Unit, men: Sequence[Figure], gait: int, dx: float, dy: float) -> None:
    """P18 step 4: the ride of a whole unit straight on (FBN-172); 1 AC, the gait is kept for next turn (FBN-179)."""
    starts = [(man.x, man.y) for man in men]
    way = degrees(atan2(dx, dy)) % 360
    for man in men:
        battle.put(man, man.x + dx, man.y + dy)
        spend_ride(man, gait, way)
    unit.measure()
    for prize in battle.prizes.values():
        if prize.carrier == unit.spec.id:
            prize.x, prize.y = unit.middle
    table.tell("ride", "FBN-179", unit=unit.spec.id, gait=GAITS[gait], inches=round(hypot(dx, dy), 1))
    after_move(table, battle, unit, list(men), starts)
    if gait >= CANTER:
        ridden_at(table, battle, unit)


def spend_ride(man: Figure, gait: int, way: float) -> None:
    """A ride takes 1 AC of the rider and sets the gait that counts next turn (FBN-179)."""
    man.ac -= 1
    man.moves += 1
    man.gait = gait
    man.facing = way
    man.mark("moved")


@procedure("cavalry.ridden_at")
def ridden_at(table: Table, battle: Battle, unit: Unit) -> None:
    """FBN-142: enemies in plain sight on the prolonged line of a rider at canter or gallop."""
    reach = float(battle.book.file.ridden_at["inches"])
    fast = [man for man in unit.figures.values() if man.mounted and man.gait >= CANTER]
    for foe in battle.enemies(unit.spec.side):
        if box_gap(unit.box, foe.box) > reach + 2:
            continue
        scene = scene_of(battle, joint_box(unit.box, foe.box))
        if any(
            _in_path(battle, man, other, reach) and sees(battle, man, other, scene)
            for man in fast
            for other in foe.figures.values()
        ):
            glory_event(table, battle, foe, RIDDEN_AT)


def _in_path(battle: Battle, man: Figure, other: Figure, reach: float) -> bool:
    end = (man.x + reach * sin(radians(man.facing)), man.y + reach * cos(radians(man.facing)))
    return distance_to_segment((other.x, other.y), (man.x, man.y), end) <= battle.radius(other)


def ride_targets(
    battle: Battle, unit: Unit, men: Sequence[Figure], foes: list[tuple[float, Unit]] | None = None
) -> list[tuple[Unit, int]]:
    """The enemy units that a rider can charge, with the gait: canter or gallop (FBN-180).

    `foes` are those of the battle, if they are known.
    """
    if not men or (battle.book.settings.pinned_blocks_charge and "pinned" in unit.marks) or unit.back:
        return []
    gaits = [gait for gait in allowed_gaits(battle.book, men[0]) if gait >= CANTER]
    if not gaits:
        return []
    reach = most_of(battle.book, gaits[-1], 0, True) + 3
    return [
        (foe, gait)
        for away, foe in (battle.foes(unit) if foes is None else foes)
        if away <= reach
        for gait in gaits
        if any(charge_spot(battle, unit, man, foe, gait) is not None for man in men)
    ]


def charge_spot(
    battle: Battle, unit: Unit, man: Figure, target: Unit, gait: int, ridden: Ridden = FRESH
) -> Point | None:
    """A free spot in contact with a man of the target that a straight ride at this gait reaches, or None (FBN-180, FBN-181)."""
    radius, start = battle.radius(man), (man.x, man.y)
    foes = sorted(
        (foe for foe in target.figures.values() if not foe.place), key=lambda foe: hypot(man.x - foe.x, man.y - foe.y)
    )
    scene = scene_of(battle, joint_box(unit.box, target.box))
    for foe in foes[:2]:
        reach = radius + battle.radius(foe) + 0.001
        away = hypot(man.x - foe.x, man.y - foe.y)
        if away - reach > most_of(battle.book, gait, 0, True) or away <= reach + battle.book.contact:
            continue
        if not sees(battle, man, foe, scene):
            continue
        towards = degrees(atan2(man.x - foe.x, man.y - foe.y))
        discs = discs_near(
            battle,
            (min(man.x, foe.x), min(man.y, foe.y), max(man.x, foe.x), max(man.y, foe.y)),
            3.0,
            {man.spec.id},
            unit.spec.side,
        )
        for spot in touching_spots(foe, reach, towards)[:5]:
            if (
                ride_refused(battle, man, (start, spot), gait, charging=True, ridden=ridden) is None
                and crowd_refusal(battle, unit.spec.side, [start], [spot], radius, discs, contact=True) is None
                and open_ground(battle, *spot)
            ):
                return spot
    return None


@procedure("cavalry.charge")
def mounted_charge(
    table: Table,
    battle: Battle,
    unit: Unit,
    men: Sequence[Figure],
    target: Unit,
    gait: int,
    ridden: Ridden = FRESH,
) -> int:
    """FBN-180: each rider who reaches a man of the target charges him; the men in contact are counted."""
    made, moved, starts = 0, [], []
    for man in in_order(men, target):
        spot = charge_spot(battle, unit, man, target, gait, ridden)
        if spot is None:
            continue
        start = (man.x, man.y)
        way = degrees(atan2(spot[0] - man.x, spot[1] - man.y)) % 360
        made += go_home(battle, unit, man, spot)
        spend_ride(man, gait, way)
        man.mark("charged")
        moved.append(man)
        starts.append(start)
        unit.measure()
    if moved:
        if unit.shape in ("closed", "mass"):
            unit.mark("cluster")
        table.tell("charge", "FBN-180", unit=unit.spec.id, target=target.spec.id, contacts=made)
        glory_event(table, battle, unit, CHARGE)
        after_move(table, battle, unit, moved, starts)
        ridden_at(table, battle, unit)
    return made


def may_dismount(figure: Figure) -> bool:
    """1 AC, at halt or walk (FBN-186)."""
    return figure.mounted and figure.ac >= 1 and figure.gait <= WALK and figure.last_gait <= WALK and not figure.place


def dismount(figure: Figure) -> None:
    """The horse stays as a marker where he got down (FBN-186)."""
    figure.ac -= 1
    figure.mounted = False
    figure.marks = figure.marks.union((f"horse {figure.x:.2f} {figure.y:.2f}",))


def may_mount(battle: Battle, figure: Figure) -> bool:
    """In contact with his horse (FBN-186)."""
    at = _horse(figure)
    if figure.mounted or figure.ac < 1 or at is None or "prone" in figure.marks:
        return False
    reach = battle.radius(figure) + battle.book.radius["mounted"] + battle.book.contact
    return hypot(at[0] - figure.x, at[1] - figure.y) <= reach


def _horse(figure: Figure) -> Point | None:
    for mark in figure.marks:
        if mark.startswith("horse "):
            _, x, y = mark.split()
            return float(x), float(y)
    return None


def mount(figure: Figure) -> None:
    figure.ac -= 1
    figure.mounted = True
    figure.last_gait = 0
    figure.marks = frozenset(mark for mark in figure.marks if not mark.startswith("horse "))
