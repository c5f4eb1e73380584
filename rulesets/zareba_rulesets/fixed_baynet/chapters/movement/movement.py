"""Movement of men on foot (FBN-039 to FBN-054, FBN-270): allowances, ways, steps, lying down."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import atan2d, dist, hypot
from zareba.base.tally import Tally
from zareba.space.field.bases import Base, on_line
from zareba.space.geometry import Point, box_between
from zareba.space.ground.straight_moves import StraightMove
from zareba.space.moves.march import How, find_blockers
from zareba.table import MoveCost
from zareba_rulesets.fixed_baynet.chapters.morale.glory import lie_down
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import bases_near, open_ground, ruins
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.ground.field import Scene

__all__ = [
    "allowance",
    "can_move",
    "crowd_refusal",
    "get_up",
    "go_prone",
    "may_get_up",
    "may_lie_down",
    "reach_on",
    "room_refused",
    "spent_on",
    "step_towards",
    "walk_cost",
    "way_refused",
]

BARRED: dict[How, str] = {
    "on": "somebody stands there (FBN-050)",
    "through": "an enemy stands in the way (FBN-050)",
    "against": "only a charge makes contact (FBN-270)",
}


def allowance(battle: Battle, figure: Figure, charging: bool = False, seen: list[Tally] | None = None) -> int:
    """Inches of one movement action on flat ground (P4 steps 1 to 3), each step rounded up (FBN-046).

    Groin: 2 inches whatever happens (FBN-129). Track: half (FBN-128). Charge: double (FBN-041). Crawling: half (FBN-052).
    """
    book = battle.book
    if figure.locations and "groin" in figure.locations:
        return book.file.movement.groin
    speed: int = book.rules.number("movement", figure.spec.sp, battle, figure, seen=seen)
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
    """Why a man may not go straight to a point with one action, or None (P4 steps 3 to 5, FBN-042, FBN-048).

    `scene`: that of a longer way, if the caller knows it.
    """
    start = figure.at
    length = dist(goal, start)
    leg = battle.field.leg(start, goal, figure.mounted, ruins(battle), scene)
    if leg.closed:
        return f"{leg.closed} bars the way (FBN-065)"
    if charging and leg.dangerous:
        return "a charge cannot cross dangerous ground (FBN-042)"
    spent, most = spent_on(battle, figure, leg, length, charging)
    return None if spent <= most + 1e-6 else f'that is {spent:.1f}" of {most}" (FBN-039)'


def spent_on(
    battle: Battle, figure: Figure, leg: StraightMove, length: float, charging: bool = False
) -> tuple[float, int]:
    """Inches that a leg of a way takes of a man's movement action, and how many he has on such ground (FBN-048, FBN-129)."""
    if battle.book.settings.terrain_move == "proportional" and "groin" not in figure.locations:
        return leg.price, allowance(battle, figure, charging)
    return length, reach_on(battle, figure, leg.going, charging)


def walk_cost(battle: Battle, figure: Figure, goal: Point) -> MoveCost:
    """What a straight way on foot costs a man; in a room he walks on the flat (FBN-241)."""
    length = dist(goal, figure.at)
    if figure.place:
        return MoveCost(length, allowance(battle, figure))
    leg = battle.field.leg(figure.at, goal, figure.mounted, ruins(battle))
    spent, most = spent_on(battle, figure, leg, length)
    return MoveCost(None if leg.closed else spent, most)


def room_refused(battle: Battle, figure: Figure, point: Point) -> str | None:
    """Why a man in a room where figures stand may not walk to a point of it with one action, or None (FBN-241).

    He may walk up to an enemy: a room has no space for a charge (FBN-270).
    """
    radius, (x, y) = battle.radius(figure), point
    west, south, east, north = battle.field.sections[figure.place].box
    if not (west + radius <= x <= east - radius and south + radius <= y <= north - radius):
        return "the walls of the room bar the way (FBN-241)"
    way, most = (x - figure.x, y - figure.y), allowance(battle, figure)
    if hypot(*way) > most + 1e-6:
        return f'that is {hypot(*way):.1f}" of {most}" (FBN-039)'
    others = [
        Base(other.x, other.y, battle.radius(other), unit.spec.side, key)
        for unit in battle.units.values()
        for key, other in unit.figures.items()
        if other.place == figure.place and other is not figure
    ]
    return crowd_refusal(battle, figure.spec.side, [figure.at], way, radius, others, contact=True)


def crowd_refusal(
    battle: Battle,
    side: str,
    starts: Sequence[Point],
    way: Point,
    radius: float,
    bases: Sequence[Base],
    contact: bool = False,
) -> str | None:
    """Friends are passed through but not ended upon; enemies are not passed through (FBN-050).

    `way` is how far all go east and north. Without `contact` a move may not end in contact where only a charge makes it
    (FBN-270).
    """
    only_charges = battle.book.settings.contact_needs_charge and not contact
    bar = find_blockers(starts, way, radius, bases, side, battle.book.contact if only_charges else 0.0)
    return None if bar is None else BARRED[bar.how]


def bases_on_way(battle: Battle, figure: Figure, start: Point, end: Point) -> list[Base]:
    """Those about a man on whom he may come on a straight way, or on a part of it.

    Hidden men are among them: it is no use to his owner, who has no say any more.
    """
    near = battle.radius(figure) + battle.book.contact
    about = bases_near(battle, box_between(start, end), near + max(battle.book.radius.values()), (figure.spec.id,))
    return list(on_line(about, start, end, near))


def step_towards(battle: Battle, unit: Unit, figure: Figure, goal: Point, charging: bool = False) -> float:
    """Take one man as far towards a point as one action lets him, straight; the inches he went. Costs 1 AC if any."""
    start = figure.at
    away = dist(goal, start)
    if away < 0.05:
        return 0.0
    ux, uy = (goal[0] - start[0]) / away, (goal[1] - start[1]) / away
    radius = battle.radius(figure)
    length = min(away, float(allowance(battle, figure, charging)))
    end = start[0] + ux * length, start[1] + uy * length
    bases = bases_on_way(battle, figure, start, end)
    scene = battle.field.scene(box_between(start, end))
    while length > 0.05:
        way = ux * length, uy * length
        end = start[0] + way[0], start[1] + way[1]
        if (
            room_refused(battle, figure, end) is None
            if figure.place
            else (not bases or crowd_refusal(battle, unit.spec.side, [start], way, radius, bases, charging) is None)
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
    """1 AC to lie down (FBN-052)."""
    figure.ac -= 1
    lie_down(battle, figure)


def may_lie_down(figure: Figure) -> bool:
    """On foot, out of doors, and not in an activation in which he crosses a boundary (FBN-052, FBN-244)."""
    return figure.ac >= 1 and not figure.mounted and not figure.place and figure.marks.isdisjoint(("prone", "crossed"))


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
