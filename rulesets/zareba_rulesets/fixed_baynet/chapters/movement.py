"""Moves of units and men."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from zareba.base.exact import atan2d, dist, hypot
from zareba.base.tally import Tally
from zareba.battle.positions import MoveSuggestions
from zareba.rules import procedure
from zareba.space.field.bodies import Base, on_line
from zareba.space.geometry import Point, box_between, box_gap
from zareba.space.ground.pathfinding import StraightMove
from zareba.space.moves import How, find_blockers, is_blocked
from zareba.table import MoveCost, Table
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact, has_exact_position
from zareba_rulesets.fixed_baynet.chapters.morale import FLANK, glory_event, lie_down
from zareba_rulesets.fixed_baynet.chapters.night import notice_terrain
from zareba_rulesets.fixed_baynet.forces.battle import Battle, bases_near, open_ground, ruins
from zareba_rulesets.fixed_baynet.forces.formations import in_square
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
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
