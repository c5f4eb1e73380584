"""Movement on foot: moves of single men, and moves in which several men of a unit move together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from math import inf
from operator import itemgetter
from typing import NamedTuple, Self

from zareba.base.exact import atan2d, dist, hypot
from zareba.base.tally import Tally
from zareba.battle.positions import MoveSuggestions
from zareba.rules import procedure
from zareba.space.field.bodies import Base, on_line, overlaps_any
from zareba.space.geometry import EPSILON, Point, bounds, box_between, box_gap, widen
from zareba.space.ground.buildings import BuildingOpening
from zareba.space.ground.pathfinding import StraightMove
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba.space.moves import How, find_blockers, is_blocked, relevant_bases
from zareba.table import MoveCost, Table
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact, has_exact_position, men_held
from zareba_rulesets.fixed_baynet.chapters.morale import FLANK, glory_event, lie_down
from zareba_rulesets.fixed_baynet.chapters.night import notice_terrain
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle, bases_near, open_ground, ruins
from zareba_rulesets.fixed_baynet.forces.formations import in_square
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.ground import Scene

# --- Movement on foot (FBN-039 to FBN-054, FBN-270): move allowances, straight moves, single steps and lying prone ----


BLOCK_REASONS: dict[How, str] = {
    "on": "another figure is there (FBN-050)",
    "through": "an enemy is in the way (FBN-050)",
    "against": "only a charge makes contact (FBN-270)",
}


def allowance(battle: Battle, figure: Figure, charging: bool = False, seen: list[Tally] | None = None) -> int:
    """Return the inches of one movement action on flat ground, rounded up at each step (FBN-046, FBN-128, FBN-129).

    Groin wound: always 2 inches (FBN-129). Light leg wound: half (FBN-128). Charge: double (FBN-041). Crawling: half
    (FBN-052).
    """
    book = battle.book
    if figure.locations and "groin" in figure.locations:
        return book.file.movement.groin
    speed: int = book.rules.number("movement", figure.spec.sp, battle, figure, seen=seen)
    if "leg_light" in figure.locations and not figure.mounted:
        speed = book.reduced_speed(speed, "leg")
    if charging:
        speed *= book.charge_factor
    return book.reduced_speed(speed, "prone") if "prone" in figure.marks else speed


def allowance_on(battle: Battle, figure: Figure, difficulty: int, charging: bool = False) -> int:
    """Return the allowance on one kind of ground (FBN-046).

    Ground has no effect on a man with a groin wound (FBN-129).
    """
    inches = allowance(battle, figure, charging)
    return inches if "groin" in figure.locations else battle.book.allowance_on_ground(inches, difficulty)


def can_move(battle: Battle, figure: Figure, charging: bool = False) -> bool:
    """Return True if a man has a movement action left (FBN-039, FBN-040, FBN-041, FBN-205, FBN-239).

    After a charge only another charge may follow, and only with `charge_actions` 3.
    """
    marks = figure.marks
    if figure.ac < 1 or figure.moves >= battle.book.moves_limit:
        return False
    if charging and "groin" in figure.locations:
        return False
    if not marks:
        return True
    if "stunned" in marks or "served" in marks or "halted" in marks:
        return False
    if charging:
        return "prone" not in marks and ("charged" not in marks or battle.book.settings.charge_actions == 3)
    return "charged" not in marks


def way_refused(
    battle: Battle, figure: Figure, goal: Point, charging: bool = False, scene: Scene | None = None
) -> str | None:
    """Return why a man may not go straight to a point with one action, or None (FBN-042, FBN-048).

    `scene` may be that of a longer move, if the caller has it.
    """
    start = figure.at
    length = dist(goal, start)
    move = battle.field.straight_move(start, goal, figure.mounted, ruins(battle), scene)
    if move.closed:
        return f"{move.closed} blocks the way (FBN-065)"
    if charging and move.dangerous:
        return "a charge cannot cross dangerous ground (FBN-042)"
    spent, most = price_and_allowance(battle, figure, move, length, charging)
    return None if spent <= most + 1e-6 else f'too far: {spent:.1f}" of {most}" (FBN-039)'


def price_and_allowance(
    battle: Battle, figure: Figure, move: StraightMove, length: float, charging: bool = False
) -> tuple[float, int]:
    """Return the inches a straight move costs a man, and his allowance on such ground (FBN-048, FBN-129)."""
    if battle.book.settings.terrain_move == "proportional" and "groin" not in figure.locations:
        return move.cost, allowance(battle, figure, charging)
    return length, allowance_on(battle, figure, move.difficulty, charging)


def walk_cost(battle: Battle, figure: Figure, goal: Point) -> MoveCost:
    """Return the cost of a straight move on foot. In a room the ground is flat (FBN-241)."""
    length = dist(goal, figure.at)
    if figure.place:
        return MoveCost(length, allowance(battle, figure))
    move = battle.field.straight_move(figure.at, goal, figure.mounted, ruins(battle))
    spent, most = price_and_allowance(battle, figure, move, length)
    return MoveCost(None if move.closed else spent, most)


def room_refused(battle: Battle, figure: Figure, point: Point) -> str | None:
    """Return why a man in a room with figures may not walk to a point in it with one action, or None (FBN-241).

    He may walk into contact with an enemy, because a room has no space for a charge (FBN-270).
    """
    radius, (x, y) = battle.radius(figure), point
    west, south, east, north = battle.field.sections[figure.place].box
    if not (west + radius <= x <= east - radius and south + radius <= y <= north - radius):
        return "the walls of the room block the way (FBN-241)"
    move, most = (x - figure.x, y - figure.y), allowance(battle, figure)
    if hypot(*move) > most + 1e-6:
        return f'too far: {hypot(*move):.1f}" of {most}" (FBN-039)'
    others = [
        Base(other.x, other.y, battle.radius(other), unit.spec.side, key)
        for unit in battle.units.values()
        for key, other in unit.figures.items()
        if other.place == figure.place and other is not figure
    ]
    return crowd_refusal(battle, figure.spec.side, [figure.at], move, radius, others, contact=True)


def crowd_refusal(
    battle: Battle,
    side: str,
    starts: Sequence[Point],
    move: Point,
    radius: float,
    bases: Sequence[Base],
    contact: bool = False,
) -> str | None:
    """Return why figures block a move, or None.

    Friends may be passed through but not ended upon; enemies may not be passed through (FBN-050). `move` is the move,
    east and north. If only a charge makes contact, a move without `contact` may not end in contact (FBN-270).
    """
    only_charges = battle.book.settings.contact_needs_charge and not contact
    blocker = find_blockers(starts, move, radius, bases, side, battle.book.contact if only_charges else 0.0)
    return None if blocker is None else BLOCK_REASONS[blocker.how]


def bases_on_way(battle: Battle, figure: Figure, start: Point, end: Point) -> list[Base]:
    """Return the bases that a man may meet on a straight move or part of it.

    Hidden men are included: the man's owner decides nothing here, so they are not given away.
    """
    near = battle.radius(figure) + battle.book.contact
    about = bases_near(battle, box_between(start, end), near + max(battle.book.radius.values()), (figure.spec.id,))
    return list(on_line(about, start, end, near))


def step_towards(battle: Battle, unit: Unit, figure: Figure, goal: Point, charging: bool = False) -> float:
    """Move one man straight towards a point as far as one action allows, and return the inches he moved.

    Costs 1 AC if he moved.
    """
    start = figure.at
    away = dist(goal, start)
    if away < 0.05:
        return 0.0
    ux, uy = (goal[0] - start[0]) / away, (goal[1] - start[1]) / away
    radius = battle.radius(figure)
    length = min(away, float(allowance(battle, figure, charging)))
    end = start[0] + ux * length, start[1] + uy * length
    bases = bases_on_way(battle, figure, start, end)
    side, only_charges = unit.spec.side, battle.book.settings.contact_needs_charge and not charging
    scene = battle.field.scene(box_between(start, end))
    while length > 0.05:
        move = ux * length, uy * length
        end = start[0] + move[0], start[1] + move[1]
        if (
            room_refused(battle, figure, end) is None
            if figure.place
            else not (
                crowd_refusal(battle, side, [start], move, radius, bases)
                if only_charges
                else is_blocked(start, move, radius, bases, side)
            )
            and open_ground(battle, *end)
            and way_refused(battle, figure, end, charging, scene) is None
        ):
            battle.put(figure, *end)
            figure.ac -= 1
            figure.moves += 1
            figure.mark("moved")
            figure.facing = atan2d(ux, uy) % 360
            unit.measure()
            return length
        length -= 0.5
    return 0.0


def go_prone(battle: Battle, figure: Figure) -> None:
    """Make a figure lie down for 1 AC (FBN-052)."""
    figure.ac -= 1
    lie_down(battle, figure)


def may_lie_down(figure: Figure) -> bool:
    """Return True if a figure may lie down: on foot, outdoors, no boundary crossed (FBN-052, FBN-244)."""
    return figure.ac >= 1 and not figure.mounted and not figure.place and figure.marks.isdisjoint(("prone", "crossed"))


def may_get_up(battle: Battle, unit: Unit, figure: Figure) -> bool:
    """Return True if a figure may get up: dropped in an earlier turn, not pinned, no heavy leg wound (FBN-053,
    FBN-133).
    """
    return (
        "prone" in figure.marks
        and figure.ac >= 1
        and figure.dropped < battle.turn
        and "pinned" not in unit.marks
        and "leg_heavy" not in figure.locations
    )


def get_up(figure: Figure) -> None:
    """Make a figure get up for 1 AC (FBN-053)."""
    figure.ac -= 1
    figure.unmark("prone", "shown")


# --- After move -------------------------------------------------------------------------------------------------------
# Effects of a move (FBN-078, FBN-145, FBN-239): hidden enemies are found, contact is made, and men stumble at night.


class NearestEnemy(NamedTuple):
    """The nearest known enemy of a unit, and the inches between their bounding boxes; 1e9 and None if there is none."""

    inches: float
    unit: Unit | None


def nearest_enemy(battle: Battle, unit: Unit) -> NearestEnemy:
    """Return the nearest known enemy unit, by bounding box."""
    return nearest_of(battle.foes(unit))


def nearest_of(foes: Iterable[tuple[float, Unit]]) -> NearestEnemy:
    """Return the nearest of some enemies, each given with its distance."""
    return NearestEnemy(*min(foes, key=itemgetter(0), default=(1e9, None)))


@procedure("movement.after")
def resolve_move(table: Table, battle: Battle, unit: Unit, men: Sequence[Figure], starts: Sequence[Point]) -> None:
    """Resolve the effects of a move: stumbling at night, hidden enemies found, and contact."""
    if men:
        allowance(battle, men[0], seen=table.tallies)  # records the allowance for "why?"
    if battle.night:
        for man, start in zip(men, starts, strict=True):
            if not man.mounted and not man.place:
                notice_terrain(table, battle, unit, man, start)
    reveal_hidden(table, battle, unit)
    settle_contacts(table, battle, unit, men)


def reveal_hidden(table: Table, battle: Battle, unit: Unit) -> None:
    """Reveal hidden units. A hidden unit is revealed when it acts or an enemy comes near; until then no enemy sees
    it.
    """
    if "hidden" in unit.marks:
        unit.unmark("hidden")
        table.emit("revealed", "FBN-078", unit=unit.spec.id)
    reach = float(battle.book.file.hidden.inches)
    for other in battle.units.values():
        if "hidden" in other.marks and other.spec.side != unit.spec.side and box_gap(unit.box, other.box) <= reach:
            battle.change(other).unmark("hidden")
            table.emit("revealed", "FBN-078", unit=other.spec.id)


def settle_contacts(table: Table, battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """Raise the flank event for a unit that is contacted outside a man's front arc, unless it is in square
    (FBN-145).
    """
    _, foe = nearest_enemy(battle, unit)
    if foe is None or box_gap(unit.box, foe.box) > battle.book.in_touch:
        return
    front = battle.book.file.arcs.front
    struck: dict[str, Unit] = {}
    for man in men:
        if man.spec.id not in unit.figures:
            continue
        touched = [other for other in foes_in_contact(battle, man, unit.spec.side) if other.place == man.place]
        if not touched or not has_exact_position(battle, man):
            continue  # men at openings look out and men in sections face all ways, so they have no flank
        for other in touched:
            foe_unit = battle.unit_of(other.spec.id)
            if foe_unit is not None and not in_square(battle, foe_unit) and other.turned_from(man.at) > front:
                struck[foe_unit.spec.id] = foe_unit
    for foe_unit in struck.values():
        glory_event(table, battle, foe_unit, FLANK)


# --- Walking in rooms with figures (FBN-240, FBN-241): suggested points, for players who do not measure ---------------


_NEAREST_ENEMIES = 2  # enemies in the room towards which a walk is suggested
_SHORT_OF_CONTACT = 0.001  # inches from such an enemy at which the walk ends


def room_walks(battle: Battle, unit: Unit, man: Figure, refuse: Callable[[Point], str | None]) -> MoveSuggestions:
    """Return points in a man's room that he can reach with one action: towards enemies, openings and corners."""
    section, radius, most = battle.field.sections[man.place], battle.radius(man), float(allowance(battle, man))
    west, south, east, north = section.box
    w, s, e, n = west + radius, south + radius, east - radius, north - radius
    foes = [foe for enemy in battle.enemies(unit.spec.side) for foe in enemy.figures.values() if foe.place == man.place]
    foes.sort(key=lambda foe: dist(foe.at, man.at))
    building = battle.field.buildings[section.building]
    ways = [move.at for move in building.openings.values() if section.id in (move.section, move.other)]
    goals = [(foe.x, foe.y, radius + battle.radius(foe) + _SHORT_OF_CONTACT) for foe in foes[:_NEAREST_ENEMIES]]
    goals += [(min(max(x, w), e), min(max(y, s), n), 0.0) for x, y in [*ways, (w, s), (w, n), (e, s), (e, n)]]

    def farthest(index: int) -> Point | None:
        x, y, stop = goals[index]
        away = hypot(x - man.x, y - man.y)
        for length in (min(away - stop, most), most / 2):
            if 0.1 <= length <= away:
                point = man.x + (x - man.x) * length / away, man.y + (y - man.y) * length / away
                if refuse(point) is None:
                    return point
        return None

    return MoveSuggestions(len(goals), farthest, refuse)


# --- Group moves: several men make the same straight move (FBN-039, FBN-050, FBN-270) ---------------------------------


def is_mover(battle: Battle, figure: Figure, charging: bool = False) -> bool:
    """Return True if a man can take part in a move of his unit: steady, able, out of doors and on foot."""
    return not figure.reaction and not figure.place and not figure.mounted and can_move(battle, figure, charging)


def movers(battle: Battle, unit: Unit, charging: bool = False) -> list[Figure]:
    """Return the men who take part in a move of the whole unit. Men slower than the median stay behind."""
    men = [figure for figure in unit.figures.values() if is_mover(battle, figure, charging)]
    if battle.book.settings.leave_contact == "refused" and men:
        stay = men_held(battle, unit)
        men = [figure for figure in men if figure.spec.id not in stay]
    if len(men) > 1:
        speeds = [allowance(battle, figure, charging) for figure in men]
        usual = sorted(speeds)[(len(speeds) - 1) // 2]
        if speeds[0] < usual or min(speeds) < usual:
            men = [figure for figure, speed in zip(men, speeds, strict=True) if speed >= usual]
    return men


def can_march(battle: Battle, unit: Unit, men: Sequence[Figure]) -> bool:
    """Return True if some of these men can take part in a move of their unit."""
    if battle.book.settings.leave_contact == "refused":
        return bool(movers(battle, unit))
    return any(is_mover(battle, man) for man in men)


class Manoeuvre(ABC):
    """A straight move of several men of a unit, at most `reach` inches long.

    It looks up the terrain and bases in reach once.
    """

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], reach: float) -> None:
        self.battle, self.unit, self.men = battle, unit, men
        self.starts = [man.at for man in men]
        self.box = bounds(self.starts)
        self.radius = max([battle.radius(man) for man in men])
        self.field = battle.field
        self.mounted = any(man.mounted for man in men)
        self.down = ruins(battle)
        self._look_up(reach)

    def _look_up(self, reach: float) -> None:
        """Look up the terrain and the bases within reach."""
        self.reach, wide = reach, widen(self.box, reach)
        self.ground = self.field.scene(wide)
        self.bars = self.field.common_move_check(self.starts, self.ground, self.mounted, self.down)
        own_ids = {man.spec.id for man in self.men}
        self.crowd = bases_near(self.battle, wide, self.radius + 1.0, own_ids, self.unit.spec.side)

    def longer(self, inches: float) -> Self:
        """Return the same manoeuvre with a longer reach."""
        farther = copy(self)
        farther._look_up(inches)
        return farther

    def reason_against(self, dx: float, dy: float) -> str | None:
        """Return why the men may not all make this move, or None: edge, ground, figures (FBN-050, FBN-048)."""
        if hypot(dx, dy) > self.reach + 1e-9:
            return self.longer(hypot(dx, dy)).reason_against(dx, dy)
        west, south, east, north = self.box
        field = self.field
        w, s, e, n = west + dx, south + dy, east + dx, north + dy
        if w < -EPSILON or s < -EPSILON or e > field.width + EPSILON or n > field.depth + EPSILON:
            return "that is off the table"
        sweep = (west if dx > 0 else w, south if dy > 0 else s, e if dx > 0 else east, n if dy > 0 else north)
        ground = OPEN_WINDOW if self.ground is OPEN_WINDOW or field.scenes.rough.is_open(*sweep) else self.ground
        if refused := self.reason_against_ground(ground, sweep, dx, dy):
            return refused
        is_open = field.impassable.is_open
        if (
            ground is not OPEN_WINDOW
            and not is_open(w, s, e, n)
            and not all(
                is_open(x := at_x + dx, y := at_y + dy, x, y) or open_ground(self.battle, x, y)
                for at_x, at_y in self.starts
            )
        ):
            return "no figure can stand there (FBN-065)"
        if not self.crowd:
            return None
        near = self.radius + self.battle.book.contact
        bases = relevant_bases(self.crowd, sweep, (w, s, e, n), near, self.unit.spec.side)
        return self.reason_against_crowd(dx, dy, bases) if bases else None

    @abstractmethod
    def reason_against_ground(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """Return why ground or speed forbids the move to one of the men, or None.

        `sweep` is the rectangle they sweep over.
        """

    def cost(self, dx: float, dy: float) -> MoveCost:
        """Return the cost of the move for the man who has the least allowance left after it."""
        costs = [self.cost_of(man, (x + dx, y + dy)) for man, (x, y) in zip(self.men, self.starts, strict=True)]
        return min(costs, key=lambda cost: -inf if cost.spent is None else cost.allowance - cost.spent)

    @abstractmethod
    def cost_of(self, man: Figure, goal: Point) -> MoveCost:
        """Return the cost of a straight move to a point for one of the men."""

    def reason_against_crowd(self, dx: float, dy: float, bases: list[Base]) -> str | None:
        """Return why other figures forbid the move, or None."""
        return crowd_refusal(self.battle, self.unit.spec.side, self.starts, (dx, dy), self.radius, bases)


class March(Manoeuvre):
    """A group move on foot."""

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], reach: float) -> None:
        super().__init__(battle, unit, men, reach)
        speeds = [allowance(battle, man) for man in men]
        self.slowest = min(speeds)
        bumpy, jagged = [battle.book.allowance_on_ground(self.slowest, difficulty) for difficulty in (BUMPY, JAGGED)]
        self.lengths = (self.slowest, bumpy, jagged)  # longest moves on flat, bumpy and jagged ground
        groin = any("groin" in man.locations for man in men)  # ground has no effect on them (FBN-129)
        self.alike = self.slowest == max(speeds) and not groin and battle.field.whole_actions

    def cost_of(self, man: Figure, goal: Point) -> MoveCost:
        return walk_cost(self.battle, man, goal)

    def reason_against_ground(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """Return why ground or speed forbids the move, or None.

        The slowest ground each man touches limits his move (FBN-048).
        """
        battle, length = self.battle, hypot(dx, dy)
        if length > self.slowest + 1e-6:
            return f'too far: {length:.1f}" of {self.slowest}" (FBN-039)'
        if ground is OPEN_WINDOW:
            return None
        if self.alike:
            _, bumpy, jagged = self.lengths
            most = JAGGED if length <= jagged + 1e-6 else BUMPY if length <= bumpy + 1e-6 else FLAT
            return self.bars(dx, dy, sweep, most)
        for man, (x, y) in zip(self.men, self.starts, strict=True):
            if battle.field.scenes.rough.is_open(*bounds([(x, y), (x + dx, y + dy)])):
                continue
            move = battle.field.straight_move((x, y), (x + dx, y + dy), man.mounted, self.down, ground)
            if move.closed:
                return f"{move.closed} blocks the way (FBN-065)"
            if move.difficulty == FLAT:
                continue
            spent, most = price_and_allowance(battle, man, move, length)
            if spent > most + 1e-6:
                return f'too far: {spent:.1f}" of {most}" (FBN-039)'
        return None


def moves_away(battle: Battle, side: str, men: Sequence[Figure], dx: float, dy: float) -> bool:
    """Return True if every man ends farther from the nearest enemy he sees (FBN-160)."""
    foes = battle.enemies(side)
    view = battle.field.view((0.0, 0.0, battle.field.width, battle.field.depth))
    for man in men:
        before = _distance_to_nearest(battle, man, man.x, man.y, foes, view)
        if before < inf and _distance_to_nearest(battle, man, man.x + dx, man.y + dy, foes, view, before) <= before:
            return False
    return True


def may_cross(battle: Battle, unit: Unit, man: Figure, opening: BuildingOpening) -> bool:
    """Return True if contact (FBN-051) and falling back (FBN-160) allow a man to go through an opening."""
    if man.spec.id in men_held(battle, unit):
        return False
    return not unit.back or moves_away(battle, unit.spec.side, [man], opening.at[0] - man.x, opening.at[1] - man.y)


def _distance_to_nearest(
    battle: Battle, man: Figure, x: float, y: float, foes: Sequence[Unit], view: Scene, most: float = inf
) -> float:
    """Return the distance from a point to the nearest enemy the man sees now; infinity if beyond `most`."""
    nearest = inf
    for foe in foes:
        if box_gap((x, y, x, y), foe.box) > most:
            continue
        for other in foe.figures.values():
            away = hypot(x - other.x, y - other.y)
            if away <= most and away < nearest and sees(battle, man, other, view):
                nearest = most = away
    return nearest


def short_of_hidden(
    battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float, gun: Gun | None = None
) -> tuple[float, float]:
    """Return the move of some men, and of a gun they pull, shortened so that it stops before hidden enemies.

    The owner cannot know of them when he chooses the move.
    """
    if not any("hidden" in other.marks and other.spec.side != unit.spec.side for other in battle.units.values()):
        return dx, dy
    bodies = [(man.x, man.y, battle.radius(man)) for man in men]
    if gun is not None:
        bodies.append((gun.x, gun.y, battle.book.radius["gun"]))
    widest = max(radius for _, _, radius in bodies)
    own_ids = {man.spec.id for man in men}
    for share in (1.0, 0.8, 0.6, 0.4, 0.2):
        ends = [(x + dx * share, y + dy * share, radius) for x, y, radius in bodies]
        bases = bases_near(battle, bounds([end[:2] for end in ends]), widest + 1.0, own_ids)
        if gun is not None:
            bases = [base for base in bases if base.key or base[:2] != gun.at]
        if not any(overlaps_any((x, y), radius, bases) for x, y, radius in ends):
            return dx * share, dy * share
    return 0.0, 0.0


def shift_men(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> None:
    """Make the same straight move with all the men and pay the AC (FBN-039)."""
    for man in men:
        battle.put(man, man.x + dx, man.y + dy)
        man.ac -= 1
        man.moves += 1
        man.mark("moved")
    unit.measure()
    move_carried_objects(battle, unit)


def move_carried_objects(battle: Battle, unit: Unit) -> None:
    """Move the objects a unit carries along with it."""
    for name, carried_object in battle.carried_objects.items():
        if carried_object.carrier == unit.spec.id and unit.figures:
            carried = battle.carried_objects.change(name)
            carried.x, carried.y = unit.middle


def face_enemy(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> None:
    """Turn the men towards the nearest enemy after a move, all the same way. Turning on foot is free (FBN-049).

    A square keeps facing outwards (FBN-061).
    """
    if unit.shape == "square" or not men:
        return
    _, foe = nearest_enemy(battle, unit)
    x, y = unit.middle
    if foe is not None:
        ex, ey = (foe.box[0] + foe.box[2]) / 2, (foe.box[1] + foe.box[3]) / 2
        dx, dy = ex - x, ey - y
    if dx or dy:
        facing = atan2d(dx, dy) % 360
        for man in men:
            man.facing = facing
