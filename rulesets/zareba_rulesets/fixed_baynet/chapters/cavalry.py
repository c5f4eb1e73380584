"""Mounted units: gaits, rides, mounting and dismounting, charges, and rides with turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from math import ceil
from typing import NamedTuple

from zareba.base.exact import asind, atan2d, dist, hypot
from zareba.battle.positions import MoveSuggestions
from zareba.rules import procedure
from zareba.space.bearings import angle_between, bearing_to, direction, offset
from zareba.space.field.bodies import Base
from zareba.space.geometry import Point, box_gap, distance_to_segment, joint_box
from zareba.space.ground.pathfinding import StraightMove
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba.table import MoveCost, Option, Table
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED, FbnBook
from zareba_rulesets.fixed_baynet.book.tables import CANTER, GAITS, WALK
from zareba_rulesets.fixed_baynet.chapters.contact import men_held
from zareba_rulesets.fixed_baynet.chapters.melee import (
    CONTACT_GAP,
    contact_spots,
    emit_charge,
    men_outdoors,
    move_into_contact,
    note_charge_gaps,
    sort_by_distance,
)
from zareba_rulesets.fixed_baynet.chapters.morale import CHARGE, RIDDEN_AT, glory_event
from zareba_rulesets.fixed_baynet.chapters.movement import (
    Manoeuvre,
    can_move,
    move_carried_objects,
    resolve_move,
    short_of_hidden,
)
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle, ruins, spot_near
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, Unit
from zareba_rulesets.fixed_baynet.ground import Scene

# --- Gaits (FBN-173 to FBN-178, FBN-182): allowed gaits, distances, the cost of turns and the effect of ground --------


def allowed_gaits(book: FbnBook, figure: Figure) -> list[int]:
    """Return the gaits allowed after last turn's gait: at most one faster (FBN-176) and, with
    `decel_steps` one, at most one slower (FBN-177).
    """
    if figure.gait:
        return [figure.gait]  # further moves in a turn keep the gait
    lowest = figure.last_gait - 1 if book.settings.decel_steps == "one" else 0
    return [gait for gait in book.gaits_after[figure.last_gait] if gait >= lowest]


def turn_cost(book: FbnBook, gait: int, angles: Sequence[float]) -> float:
    """Return the cost of turns in inches, per started 90 degrees or in proportion (FBN-175)."""
    price, whole = book.gaits[gait].turn, book.file.turn_of_mount.degrees
    in_proportion, inches = book.settings.turn_rounding == "proportional", 0.0
    for angle in angles:
        inches += price * angle / whole if in_proportion else price * ceil(round(angle, 6) / whole)
    return inches


def max_distance_of_gait(book: FbnBook, gait: int, difficulty: int, charging: bool = False) -> int:
    """Return the maximum distance of a gait on one kind of ground, rounded up.

    Minimum distances do not change (FBN-182).
    """
    most = book.allowance_on_ground(book.gaits[gait].most, difficulty)
    return book.charge_factor * most if charging and book.settings.mounted_charge_doubles else most


class RideSoFar(NamedTuple):
    """The ride so far, before its last leg: inches, their cost, the cost of its turns, and the slowest ground."""

    inches: float = 0.0
    cost: float = 0.0
    turns: float = 0.0
    difficulty: int = 0


FRESH = RideSoFar()


def reason_against_gait(
    book: FbnBook,
    gait: int,
    last: int,
    inches: float,
    angles: Sequence[float],
    difficulty: int = 0,
    charging: bool = False,
    paid: float = 0.0,
) -> str | None:
    """Return why a ride breaks the rules of its gait, or None (FBN-174 to FBN-178).

    `paid` is the cost of earlier turns.
    """
    if gait and gait not in book.gaits_after[last]:
        return f"{GAITS[gait]} needs {book.gaits[gait].after} in the turn before (FBN-176)"
    if book.settings.decel_steps == "one" and gait < last - 1:
        return "the horse cannot slow down so fast (FBN-177)"
    most = max_distance_of_gait(book, gait, difficulty, charging)
    if inches + paid + turn_cost(book, gait, angles) > most + 1e-6:
        return f'more than the {most}" maximum of a {GAITS[gait]} (FBN-175)'
    if inches < book.gaits[gait].least - 1e-6 and not (charging and book.settings.contact_excuses_minimum):
        return f'less than the {book.gaits[gait].least}" minimum of a {GAITS[gait]} (FBN-174)'
    return None


def _angles_of(facing: float, path: Sequence[Point]) -> list[float]:
    """Return the turns of a path ridden from this facing."""
    angles, previous = [], facing
    for a, b in pairwise(path):
        if a != b:
            heading = atan2d(b[0] - a[0], b[1] - a[1])
            angles.append(angle_between(previous, heading))
            previous = heading
    return angles


def ride_cost(battle: Battle, figure: Figure, goal: Point, gait: int, ridden: RideSoFar = FRESH) -> MoveCost:
    """Return the cost of riding straight to a point, with the turn and the ride so far (FBN-175, FBN-182)."""
    book, move = battle.book, battle.field.straight_move(figure.at, goal, True, ruins(battle))
    proportional = book.settings.terrain_move == "proportional"
    spent = ridden.cost + move.cost if proportional else ridden.inches + dist(goal, figure.at)
    spent += ridden.turns + turn_cost(book, gait, _angles_of(figure.facing, (figure.at, goal)))
    most = max_distance_of_gait(book, gait, 0 if proportional else max(ridden.difficulty, move.difficulty))
    return MoveCost(None if move.closed else spent, most)


def reason_against_ride(
    battle: Battle,
    figure: Figure,
    path: Sequence[Point],
    gait: int,
    charging: bool = False,
    scene: Scene | None = None,
    ridden: RideSoFar = FRESH,
) -> str | None:
    """Return why a rider may not take this path at this gait, or None (FBN-180, FBN-182).

    `ridden` is the ride so far in the same move.
    """
    down = ruins(battle)
    inches, price, paid, difficulty = ridden
    for a, b in pairwise(path):
        move = battle.field.straight_move(a, b, True, down, scene)
        if move.closed:
            return f"{move.closed} bars the way (FBN-182)"
        if charging and move.dangerous:
            return "a charge cannot cross dangerous ground (FBN-042)"
        difficulty, price = max(difficulty, move.difficulty), price + move.cost
        inches += dist(b, a)
    angles = _angles_of(figure.facing, path)
    book = battle.book
    if book.settings.terrain_move == "proportional":
        most = max_distance_of_gait(book, gait, 0, charging)
        if price + paid + turn_cost(book, gait, angles) > most + 1e-6:
            return f'more than the {most}" maximum of a {GAITS[gait]} (FBN-048)'
        difficulty = 0
        if price > inches:
            excused = charging and book.settings.contact_excuses_minimum
            return (
                None if excused or inches >= book.gaits[gait].least - 1e-6 else "less than the least distance (FBN-174)"
            )
    return reason_against_gait(book, gait, figure.last_gait, inches, angles, difficulty, charging, paid)


# --- Cavalry (FBN-172 to FBN-179, FBN-186): rides of whole units, riding at the enemy, mounting and dismounting -------


def riders(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the mounted men of a unit who may still ride in this activation.

    Movement on foot before mounting does not count as a ride (FBN-179).
    """
    once = battle.book.settings.mount_moves_per_turn == 1
    men = [
        figure
        for figure in unit.figures.values()
        if figure.mounted and not figure.reaction and not (once and figure.gait) and can_move(battle, figure)
    ]
    if battle.book.settings.leave_contact == "refused" and men:
        stay = men_held(battle, unit)
        men = [figure for figure in men if figure.spec.id not in stay]
    return men


class StraightRide(Manoeuvre):
    """A straight ride of several riders at one gait."""

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], gait: int, reach: float = 0.0) -> None:
        super().__init__(battle, unit, men, reach or float(battle.book.gaits[gait].most))
        self.radius = battle.book.radius["mounted"]
        self.gait = gait
        alike = len({(man.facing, man.last_gait) for man in men}) == 1
        self.alike = alike and self.field.whole_actions

    def cost_of(self, man: Figure, goal: Point) -> MoveCost:
        return ride_cost(self.battle, man, goal, self.gait)

    def reason_against_ground(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """Return why the ride of any rider is refused (FBN-174, FBN-175, FBN-176, FBN-177), or None."""
        refused = _gaits_refused(self.battle, self.men, self.gait, dx, dy)
        if refused or ground is OPEN_WINDOW:
            return refused  # a ride refused on flat ground is refused on any ground
        if self.alike:
            return self.bars(dx, dy, sweep, self._worst_ground(dx, dy))
        for man, (x, y) in zip(self.men, self.starts, strict=True):
            if refused := reason_against_ride(self.battle, man, ((x, y), (x + dx, y + dy)), self.gait, scene=ground):
                return refused
        return None

    def _worst_ground(self, dx: float, dy: float) -> int:
        """Return the slowest kind of ground on which all riders can still make this ride at the gait (FBN-182)."""
        book, inches = self.battle.book, hypot(dx, dy)
        turn = angle_between(self.men[0].facing, atan2d(dx, dy)) if inches else 0.0
        spent = inches + turn_cost(book, self.gait, [turn])
        return next(
            (
                difficulty
                for difficulty in (JAGGED, BUMPY)
                if spent <= max_distance_of_gait(book, self.gait, difficulty) + 1e-6
            ),
            FLAT,
        )

    def reason_against_crowd(self, dx: float, dy: float, bases: list[Base]) -> str | None:
        """Return why figures block the ride, or None.

        At canter or gallop only a charge may end in contact (FBN-180, FBN-270).
        """
        if self.gait > WALK:
            for foe in bases:
                if foe.side != self.unit.spec.side:
                    reach = self.radius + foe.radius + self.battle.book.contact
                    if any(hypot(foe.x - x - dx, foe.y - y - dy) <= reach for x, y in self.starts):
                        return "at this gait only a charge makes contact (FBN-180)"
        return super().reason_against_crowd(dx, dy, bases)


def _gaits_refused(battle: Battle, men: Sequence[Figure], gait: int, dx: float, dy: float) -> str | None:
    """Return why a straight ride breaks the rules of the gait for one of the riders, or None (FBN-174)."""
    heading, inches = atan2d(dx, dy), hypot(dx, dy)
    for facing, last_gait in dict.fromkeys([(man.facing, man.last_gait) for man in men]):
        turns = [angle_between(facing, heading)] if inches else []
        if refused := reason_against_gait(battle.book, gait, last_gait, inches, turns):
            return refused
    return None


def ride_points(
    battle: Battle,
    unit: Unit,
    cavalcade: StraightRide,
    goals: Sequence[Point],
    refuse: Callable[[Point], str | None],
    start: Point | None = None,
) -> MoveSuggestions:
    """Return points to which the riders may go at their gait, from `start` or from the middle of their unit: at goals,
    towards them and all round, the farthest first.
    """
    x, y = start or unit.middle
    men, gait = cavalcade.men, cavalcade.gait
    kind = battle.book.gaits[gait]
    goals = [goal for goal in goals if goal != (x, y)]
    headings = [atan2d(goal[0] - x, goal[1] - y) for goal in goals]
    ends = [hypot(goal[0] - x, goal[1] - y) for goal in goals]
    headings += [men[0].facing + turn for turn in (0, 45, -45, 90, -90, 180)]

    # the longest ride that any ground allows (FBN-182)
    on_slow_ground = [] if cavalcade.ground is OPEN_WINDOW else [float(max_distance_of_gait(battle.book, gait, JAGGED))]

    def most(index: int) -> float:
        longest = kind.most - turn_cost(battle.book, gait, [angle_between(men[0].facing, headings[index])])
        return max(float(kind.least), min(longest, ends[index])) if index < len(ends) else longest

    def ideal(index: int) -> Point:
        return offset((x, y), headings[index], most(index))

    def farthest(index: int) -> Point | None:
        (east, north), longest = direction(headings[index]), most(index)
        lengths = [float(kind.most), (kind.most + kind.least) / 2, float(kind.least), *on_slow_ground]
        for length in dict.fromkeys([min(inches, longest) for inches in lengths]):
            if length >= max(kind.least, 1) and cavalcade.reason_against(east * length, north * length) is None:
                return x + east * length, y + north * length
        return None

    def cost(point: Point) -> MoveCost:
        return cavalcade.cost(point[0] - x, point[1] - y)

    return MoveSuggestions(len(headings), farthest, refuse, unit.back, ideal=ideal, cost=cost)


@procedure("cavalry.ride")
def ride_straight(
    table: Table, battle: Battle, unit: Unit, men: Sequence[Figure], gait: int, dx: float, dy: float
) -> None:
    """Ride a whole unit straight ahead (FBN-172). Costs 1 AC; the gait counts for the next turn (FBN-179)."""
    starts = [man.at for man in men]
    heading = atan2d(dx, dy) % 360
    for man in men:
        battle.put(man, man.x + dx, man.y + dy)
        spend_ride(man, gait, heading)
    unit.measure()
    move_carried_objects(battle, unit)
    emit_ride(table, unit, men, gait, hypot(dx, dy))
    resolve_move(table, battle, unit, list(men), starts)
    if gait >= CANTER:
        raise_ridden_at(table, battle, unit)


def emit_ride(table: Table, unit: Unit, men: Sequence[Figure], gait: int, inches: float) -> None:
    """Emit the event of a ride: how many riders, how far."""
    count, of = len(men), len(unit.figures)
    table.emit("ride", "FBN-179", unit=unit.spec.id, men=count, of=of, gait=GAITS[gait], inches=round(inches, 1))


def spend_ride(man: Figure, gait: int, heading: float) -> None:
    """Pay 1 AC of the rider and store the gait for the next turn (FBN-179)."""
    man.ac -= 1
    man.moves += 1
    man.gait = gait
    man.facing = heading
    man.mark("moved")


@procedure("cavalry.ridden_at")
def raise_ridden_at(table: Table, battle: Battle, unit: Unit) -> None:
    """Raise the event for units with a figure in plain sight on the extended line of a fast rider (FBN-142)."""
    reach, widest = float(battle.book.file.ridden_at.inches), max(battle.book.radius.values())
    once = battle.book.settings.same_event_per_turn == 1
    fast = [man for man in unit.figures.values() if man.mounted and man.gait >= CANTER]
    for foe in battle.enemies(unit.spec.side):
        if box_gap(unit.box, foe.box) > reach + widest or (once and RIDDEN_AT in foe.events):
            continue  # out of reach, or already ridden at this turn, which counts once (FBN-146)
        scene = battle.field.scene(joint_box(unit.box, foe.box))
        if any(
            distance_to_segment(figure.at, man.at, offset(man.at, man.facing, reach)) <= battle.radius(figure)
            and sees(battle, man, figure, scene)
            for man in fast
            for figure in foe.figures.values()
        ):
            glory_event(table, battle, foe, RIDDEN_AT)


def may_dismount(figure: Figure) -> bool:
    """Return True if a rider may dismount: at halt or walk this turn or, before he moves, last turn (FBN-186)."""
    gait = figure.gait or figure.last_gait
    return figure.mounted and figure.ac >= 1 and gait <= WALK and not figure.place


def dismount(figure: Figure) -> None:
    """Dismount a rider for 1 AC. The horse stays on the spot as a marker (FBN-186)."""
    figure.ac -= 1
    figure.leave_horse()


def may_mount(battle: Battle, figure: Figure) -> bool:
    """Return True if a man may mount: beside his horse (FBN-186), no boundary crossed (FBN-244).

    A man with a groin wound cannot ride (FBN-129).
    """
    at = _horse_spot(figure)
    if figure.mounted or figure.ac < 1 or at is None or not figure.marks.isdisjoint(("prone", "crossed")):
        return False
    if "groin" in figure.locations or figure.place:
        return False
    reach = battle.radius(figure) + battle.book.radius["mounted"] + battle.book.contact
    return dist(at, figure.at) <= reach


def _horse_spot(figure: Figure) -> Point | None:
    """Return where a dismounted man's horse stands, or None if he has none (FBN-186)."""
    for mark in figure.marks:
        if mark.startswith("horse "):
            _, x, y = mark.split()
            return float(x), float(y)
    return None


def leave_square(unit: Unit) -> None:
    """Break up a square that contains mounted men (FBN-060, FBN-185)."""
    if unit.formation == "square" and any(figure.mounted for figure in unit.figures.values()):
        unit.mark("unformed")


def mount(battle: Battle, figure: Figure) -> None:
    """Mount a man for 1 AC, on his horse's spot or the nearest free one (FBN-005, FBN-186).

    Call `measure` on his unit afterwards.
    """
    at = _horse_spot(figure) or figure.at
    battle.put(figure, *spot_near(battle, *at, battle.book.radius["mounted"], {figure.spec.id}))
    figure.ac -= 1
    figure.mounted = True
    figure.last_gait = 0
    figure.marks = frozenset(mark for mark in figure.marks if not mark.startswith("horse "))


# --- Mounted charges (FBN-180, FBN-181): at canter or gallop, straight from the last turn, into contact ---------------


_NEAREST = 2  # number of enemies tried as targets
_SIDES = 5  # number of sides of an enemy tried


def ride_targets(
    battle: Battle, unit: Unit, men: Sequence[Figure], foes: list[tuple[float, Unit]] | None = None
) -> Iterator[tuple[Unit, int]]:
    """Yield the enemy units a rider can charge, each with the gait: canter or gallop (FBN-180).

    `foes` are the known enemies, if the caller has them.
    """
    if not men or (battle.book.settings.pinned_blocks_charge and "pinned" in unit.marks) or unit.back:
        return
    gaits = sorted({gait for man in men for gait in allowed_gaits(battle.book, man) if gait >= CANTER})
    if not gaits:
        return
    reach = max_distance_of_gait(battle.book, gaits[-1], 0, True) + 3
    for away, foe in battle.foes(unit) if foes is None else foes:
        if away <= reach:
            for gait in gaits:
                if any(charge_spot(battle, unit, man, foe, gait) is not None for man in men):
                    yield foe, gait


def charge_spot(
    battle: Battle, unit: Unit, man: Figure, target: Unit, gait: int, ridden: RideSoFar = FRESH
) -> Point | None:
    """Return a free spot in contact that a straight ride at this gait reaches, or None (FBN-180, FBN-181)."""
    start, most = man.at, max_distance_of_gait(battle.book, gait, 0, True)
    near = (foe for foe in men_outdoors(man, target) if _is_in_reach(battle, man, foe, gait, most, ridden))
    foes = list(islice(near, _NEAREST))
    if not foes:
        return None
    scene = battle.field.scene(joint_box(unit.box, target.box))
    for foe in foes:
        if sees(battle, man, foe, scene):
            for spot in contact_spots(battle, unit, man, foe, most, _SIDES):
                if reason_against_ride(battle, man, (start, spot), gait, charging=True, ridden=ridden) is None:
                    return spot
    return None


def _is_in_reach(battle: Battle, man: Figure, foe: Figure, gait: int, most: float, ridden: RideSoFar) -> bool:
    """Return True if some ride into contact fits the limits of a gait (FBN-174, FBN-175, FBN-181)."""
    book = battle.book
    across, along = foe.x - man.x, foe.y - man.y
    away, touch = hypot(across, along), battle.radius(man) + battle.radius(foe) + CONTACT_GAP
    if away <= touch:
        return False
    if ridden.inches + away + touch < book.gaits[gait].least and not book.settings.contact_excuses_minimum:
        return False
    aside = asind(touch / away)  # a rider can touch him while passing his centre by at most this angle
    turn = angle_between(man.facing, atan2d(across, along)) - aside
    price = turn_cost(book, gait, [turn]) if turn > 0 else 0.0
    return ridden.inches + ridden.turns + away - touch + price <= most + 1e-6


@procedure("cavalry.charge")
def mounted_charge(
    table: Table,
    battle: Battle,
    unit: Unit,
    men: Sequence[Figure],
    target: Unit,
    gait: int,
    ridden: RideSoFar = FRESH,
) -> int:
    """Charge with each rider who reaches a man of the target, and return the number of riders in contact (FBN-180)."""
    contacts, moved, starts = 0, [], []
    for man in sort_by_distance(men, target):
        spot = charge_spot(battle, unit, man, target, gait, ridden)
        if spot is None:
            continue
        start = man.at
        heading = bearing_to(man.at, spot)
        contacts += move_into_contact(battle, unit, man, spot)
        spend_ride(man, gait, heading)
        man.mark("charged")
        moved.append(man)
        starts.append(start)
        unit.measure()
    if moved:
        if unit.shape in ("closed", "mass") and len(men) > 1:
            unit.mark("cluster")  # a single rider is no cluster, as on foot (FBN-059)
        note_charge_gaps(battle, unit, moved)
        emit_charge(table, "FBN-180", battle, unit.spec, target, moved)
        glory_event(table, battle, unit, CHARGE)
        resolve_move(table, battle, unit, moved, starts)
        raise_ridden_at(table, battle, unit)
    return contacts


# --- Rides with turns (FBN-175, FBN-180), leg by leg ------------------------------------------------------------------
#
# Each turn is paid for, and the limits of the gait apply to the whole ride.


_RIDE_ON, _HALT = "ride on", "halt"
_TURNS = (45, -45, 90, -90, 0)  # degrees of the turns suggested to riders


class RideLeg(StraightRide):
    """One leg of a ride with turns.

    The ride so far counts towards the maximum distance; the minimum applies to the whole ride.
    """

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], gait: int, ridden: RideSoFar) -> None:
        super().__init__(battle, unit, men, gait)
        self.ridden = ridden

    def ride_after(self, dx: float, dy: float) -> RideSoFar:
        """Return the ride so far once these men have ridden this leg. The worst of them counts."""
        return self._ride_after(dx, dy, self._straight_moves(dx, dy, None))

    def _straight_moves(self, dx: float, dy: float, ground: Scene | None) -> list[StraightMove]:
        """Return the terrain along each man's move."""
        straight_move, down = self.battle.field.straight_move, ruins(self.battle)
        return [straight_move(man.at, (man.x + dx, man.y + dy), True, down, ground) for man in self.men]

    def _ride_after(self, dx: float, dy: float, moves: Sequence[StraightMove]) -> RideSoFar:
        """Return the same as `ride_after` from the terrain along each man's move."""
        return RideSoFar(
            self.ridden.inches + hypot(dx, dy),
            self.ridden.cost + max(move.cost for move in moves),
            self.ridden.turns + self._turn_price(dx, dy),
            max(self.ridden.difficulty, *(move.difficulty for move in moves)),
        )

    def _turn_price(self, dx: float, dy: float) -> float:
        """Return the cost of the most expensive turn into this leg."""
        heading = atan2d(dx, dy)
        angles = {angle_between(man.facing, heading) for man in self.men}
        return max(turn_cost(self.battle.book, self.gait, [angle]) for angle in angles)

    def reason_against_ground(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """Return why this leg is refused after the ride so far (FBN-175, FBN-182), or None."""
        book, so_far = self.battle.book, self.ridden
        most = max_distance_of_gait(book, self.gait, 0)
        if so_far.inches + hypot(dx, dy) + so_far.turns + self._turn_price(dx, dy) > most + 1e-6:
            return f'beyond the {most}" of a {GAITS[self.gait]} (FBN-175)'
        moves = self._straight_moves(dx, dy, ground)
        for move in moves:
            if move.closed:
                return f"{move.closed} bars the way (FBN-182)"
        ride_after = self._ride_after(dx, dy, moves)
        counts_inches = book.settings.terrain_move == "worst"  # not in proportion to the ground (FBN-048)
        most = max_distance_of_gait(book, self.gait, ride_after.difficulty if counts_inches else 0)
        if (ride_after.inches if counts_inches else ride_after.cost) + ride_after.turns > most + 1e-6:
            return f'beyond the {most}" of a {GAITS[self.gait]} (FBN-175)'
        return None

    def cost_of(self, man: Figure, goal: Point) -> MoveCost:
        """Return the cost for one rider, including the ride so far."""
        return ride_cost(self.battle, man, goal, self.gait, self.ridden)

    @property
    def inches_to_minimum(self) -> float:
        """Inches still to ride to the minimum distance of the gait; 0 or less if it has been reached."""
        return self.battle.book.gaits[self.gait].least - self.ridden.inches

    @property
    def shortest(self) -> float:
        """The shortest length of a leg: one inch, or less if that completes the minimum distance of the gait."""
        return min(1.0, self.inches_to_minimum) if self.inches_to_minimum > 1e-6 else 1.0

    def reason_against_leg(self, dx: float, dy: float) -> str | None:
        """Return why this leg may not be ridden, or None.

        After a leg that is too short for the gait, the riders must be able to go straight on (FBN-174).
        """
        refused, length = self.reason_against(dx, dy), hypot(dx, dy)
        if refused is not None or length < self.shortest - 1e-9:
            return refused or "a leg is at least 1 inch"
        factor = self.inches_to_minimum / length
        if factor > 1 + 1e-6 and self.reason_against(dx * factor, dy * factor) is not None:
            return f"no way straight on to the minimum distance of a {GAITS[self.gait]} (FBN-174)"
        return None

    def refuse(self, point: Point) -> str | None:
        """Return why the leg may not take the middle of the unit to a point, or None."""
        x, y = self.unit.middle
        return self.reason_against_leg(point[0] - x, point[1] - y)

    def suggestions(self) -> MoveSuggestions:
        """Return some points to ride to next, ahead and to the sides: far, half as far, or the minimum."""
        facing, gait = self.men[0].facing, self.battle.book.gaits[self.gait]

        def lengths(index: int) -> list[float]:
            left = gait.most - self.ridden.inches - self.ridden.turns
            left -= turn_cost(self.battle.book, self.gait, [abs(_TURNS[index])])
            return [length for length in (left, left / 2, self.inches_to_minimum) if length >= self.shortest]

        return MoveSuggestions.by_bearings(self.unit.middle, [facing + turn for turn in _TURNS], lengths, self.refuse)


@procedure("cavalry.wheel")
def ride_with_turns(table: Table, battle: Battle, unit: Unit, gait: int) -> None:
    """Ride with turns, leg by leg. It may end with a charge, straight from the last turn (FBN-175, FBN-180)."""
    men, ridden = riders(battle, unit), FRESH
    if len(men) < sum(man.steady for man in unit.figures.values()):
        unit.mark("loose")
    before = {man.spec.id: man.moves for man in men}
    chosen: Option = _RIDE_ON
    while men:
        leg = RideLeg(battle, unit, men, gait, ridden)
        suggestions = leg.suggestions()
        options = _next_options(battle, unit, men, gait, ridden, bool(suggestions))
        if ridden == FRESH and not suggestions:
            table.emit("no way", "FBN-175", unit=unit.spec.id)
        chosen = table.choose(unit.spec.side, options, why="ride on", rule="FBN-175", actor=unit.spec.id)
        if chosen != _RIDE_ON:
            break
        x, y = unit.middle

        point = table.place(
            unit.spec.side,
            suggestions,
            leg.refuse,
            why="ride to",
            rule="FBN-175",
            actor=unit.spec.id,
            cost=partial(_leg_cost, leg, (x, y)),
        )
        wish = point[0] - x, point[1] - y
        dx, dy = short_of_hidden(battle, unit, men, *wish)
        ridden, starts = leg.ride_after(dx, dy), [man.at for man in men]
        for man in men:
            man.facing, man.gait = atan2d(*wish) % 360, gait
            battle.put(man, man.x + dx, man.y + dy)
        unit.measure()
        resolve_move(table, battle, unit, men, starts)
        if (dx, dy) != wish or any("halted" in man.marks or not man.mounted for man in men):
            break
    if ridden == FRESH:
        unit.mark("stuck wheel")
        return
    emit_ride(table, unit, men, gait, ridden.inches)
    if isinstance(chosen, tuple):
        mounted_charge(table, battle, unit, men, battle.unit(str(chosen[1])), gait, ridden)
    for man in men:
        if man.moves == before[man.spec.id]:
            spend_ride(man, gait, man.facing)
    if gait > WALK and not isinstance(chosen, tuple):
        raise_ridden_at(table, battle, unit)


def _leg_cost(leg: RideLeg, here: Point, point: Point) -> MoveCost:
    """Return the cost of a leg that takes the middle of the unit from `here` to a point."""
    return leg.cost(point[0] - here[0], point[1] - here[1])


def _next_options(
    battle: Battle, unit: Unit, men: Sequence[Figure], gait: int, ridden: RideSoFar, may_go_on: bool
) -> list[Option]:
    """Return the options after a leg: ride on, charge a unit, or halt.

    A rider who may find no room in a charge must have ridden the minimum distance (FBN-174).
    """
    options: list[Option] = [_RIDE_ON] if may_go_on else []
    rode_minimum = ridden.inches >= battle.book.gaits[gait].least - 1e-6
    blocked = unit.back or (battle.book.settings.pinned_blocks_charge and "pinned" in unit.marks)
    if ridden.inches and gait > WALK and not blocked and (rode_minimum or len(men) == 1):
        options += [
            ("charge", foe.spec.id)
            for foe in battle.enemies(unit.spec.side)
            if any(charge_spot(battle, unit, man, foe, gait, ridden) is not None for man in men)
        ]
    if rode_minimum or not options:
        options.append(_HALT)
    return options
