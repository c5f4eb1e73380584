"""Charges of mounted units and their wheels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

from zareba.base.exact import asind, atan2d, hypot
from zareba.battle.positions import MoveSuggestions
from zareba.rules import procedure
from zareba.space.bearings import angle_between, bearing_to
from zareba.space.geometry import Point, joint_box
from zareba.space.ground.pathfinding import StraightMove
from zareba.table import MoveCost, Option, Table
from zareba_rulesets.fixed_baynet.book.tables import CANTER, GAITS, WALK
from zareba_rulesets.fixed_baynet.chapters.cavalry import (
    FRESH,
    RideSoFar,
    StraightRide,
    allowed_gaits,
    emit_ride,
    max_distance_of_gait,
    raise_ridden_at,
    reason_against_ride,
    ride_cost,
    riders,
    spend_ride,
    turn_cost,
)
from zareba_rulesets.fixed_baynet.chapters.manoeuvre import short_of_hidden
from zareba_rulesets.fixed_baynet.chapters.melee import (
    CONTACT_GAP,
    contact_spots,
    emit_charge,
    men_outdoors,
    move_into_contact,
    note_charge_gaps,
    sort_by_distance,
)
from zareba_rulesets.fixed_baynet.chapters.morale import CHARGE, glory_event
from zareba_rulesets.fixed_baynet.chapters.movement import resolve_move
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle, ruins
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, Unit
from zareba_rulesets.fixed_baynet.ground import Scene

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
