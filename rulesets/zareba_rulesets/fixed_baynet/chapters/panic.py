"""The actions and movement of men in panic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from zareba.base.exact import atan2d, dist, distances, hypot
from zareba.chance import random_draw
from zareba.rules import procedure
from zareba.space.bearings import bearing_to, offset
from zareba.space.field.bodies import Base
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import (
    Point,
    bounds,
    box_around,
    box_between,
    box_gap,
    edges,
    is_inside,
    joint_box,
    middle_of,
    nearest_on,
)
from zareba.space.ground.buildings import BuildingOpening
from zareba.space.moves import points_around
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.tables import CANTER, TerrainRow
from zareba_rulesets.fixed_baynet.chapters.buildings import (
    climb_ladder,
    cross_opening,
    crossings,
    is_open,
    ladders,
    may_spend_all,
)
from zareba_rulesets.fixed_baynet.chapters.cavalry import (
    allowed_gaits,
    raise_ridden_at,
    reason_against_ride,
    spend_ride,
)
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_reach, has_exact_position, in_contact, is_held
from zareba_rulesets.fixed_baynet.chapters.fire import fire_shot, fire_with_man
from zareba_rulesets.fixed_baynet.chapters.melee import (
    arm_to_strike,
    contact_spot,
    is_room_to_fight,
    move_into_contact,
    strike_blow,
)
from zareba_rulesets.fixed_baynet.chapters.morale import lie_down
from zareba_rulesets.fixed_baynet.chapters.movement import can_move, crowd_refusal, resolve_move, step_towards
from zareba_rulesets.fixed_baynet.chapters.sight import cover_between, range_between, row_now, sees, stand_point
from zareba_rulesets.fixed_baynet.chapters.targets import (
    Answers,
    can_fire,
    exposed_men,
    find_targets,
    may_reach,
    target_figures,
)
from zareba_rulesets.fixed_baynet.forces.battle import BESIDE, Battle, bases_near, limits_of, open_ground, ruins
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

# --- Movement of panicking men (FBN-166, FBN-167, FBN-169, FBN-170): on foot, mounted, from buildings, into cover -----


_BEHIND_WALL = 0.1  # inches between a base and the wall behind which a man takes cover
_AT_CORNER = 0.05  # a man within this distance in inches of a corner has reached it
_ASIDE = (30, -30, 60, -60, 90, -90)  # degrees off the straight line, tried if a figure blocks it


# --- on foot ----------------------------------------------------------------------------------------------------------


def move_towards(battle: Battle, unit: Unit, man: Figure, goal: Point) -> float:
    """Make one movement action towards a goal, around closed ground and past figures in the way.

    Return the inches moved.
    """
    corner, (x, y) = _next_corner(battle, man, goal), man.at
    moved = step_towards(battle, unit, man, corner)
    if moved == 0 and corner != goal:
        moved = step_towards(battle, unit, man, goal)
    away, heading = hypot(corner[0] - x, corner[1] - y), atan2d(corner[0] - x, corner[1] - y)
    for turn in _ASIDE:
        if moved > 0 or away < _AT_CORNER:
            break
        moved = step_towards(battle, unit, man, offset(man.at, heading + turn, away))
    return moved


def _next_corner(battle: Battle, man: Figure, goal: Point) -> Point:
    """Return the first corner on the shortest path around closed ground, or the goal itself if the way is open."""
    if (
        man.place
        or not battle.field.closed_pieces
        or not battle.field.straight_move(man.at, goal, False, ruins(battle)).closed
    ):
        return goal
    path = battle.field.path_around(man.at, goal) or ()
    return next((point for point in path[1:-1] if dist(point, man.at) > _AT_CORNER), goal)


def close_in(battle: Battle, unit: Unit, man: Figure, target: Figure) -> None:
    """Move a man one action towards another, into contact if it reaches."""
    away = dist(target.at, man.at)
    stop = battle.radius(man) + battle.radius(target) + 0.001
    share = max(0.0, away - stop) / away if away else 0.0
    move_towards(battle, unit, man, (man.x + (target.x - man.x) * share, man.y + (target.y - man.y) * share))


def charge_or_move(battle: Battle, unit: Unit, man: Figure, foes: Sequence[Figure]) -> bool:
    """Charge if a charge reaches, otherwise move. Return False if he cannot get nearer (FBN-170)."""
    if can_move(battle, man, charging=True):
        spot = contact_spot(battle, unit, man, foes[:3])
        if spot is not None and spot != man.at:
            man.facing = bearing_to(man.at, spot)
            move_into_contact(battle, unit, man, spot)
            man.ac -= 1
            man.moves += 1
            man.mark("charged", "moved")
            unit.measure()
            return True
    if not can_move(battle, man):
        return False
    before = man.ac
    close_in(battle, unit, man, foes[0])
    return man.ac < before


# --- on horseback -----------------------------------------------------------------------------------------------------


def ride_away(battle: Battle, unit: Unit, man: Figure, goal: Point, gaits: Sequence[int] = ()) -> float:
    """Ride towards a goal at the highest legal gait (FBN-166), around closed ground and past figures in the way, for 1
    AC. Return the inches moved.

    `gaits` are those allowed to him, if the caller has them.
    """
    goal = _next_corner(battle, man, goal)
    away, heading = dist(goal, man.at), atan2d(goal[0] - man.x, goal[1] - man.y)
    if away < _AT_CORNER:
        return 0.0
    reach = float(battle.book.gaits[-1].most)
    bases = bases_near(battle, (*man.at, *man.at), reach + battle.book.between_bases, {man.spec.id})
    gaits = gaits or allowed_gaits(battle.book, man)
    rides = (_ride_straight(battle, unit, man, gaits, (heading + turn) % 360, away, bases) for turn in (0, *_ASIDE))
    return next((inches for inches in rides if inches), 0.0)


def _ride_straight(
    battle: Battle,
    unit: Unit,
    man: Figure,
    gaits_allowed: Sequence[int],
    heading: float,
    inches: float,
    bases: Sequence[Base],
) -> float:
    """Ride up to `inches` on one bearing, at the highest allowed gait that is possible. Return the inches moved."""
    gaits = battle.book.gaits
    for gait in reversed(gaits_allowed):
        length = min(float(gaits[gait].most), inches)
        while length >= max(min(1.0, inches), gaits[gait].least):
            end = offset(man.at, heading, length)
            if (
                _is_way_free(battle, unit, man, end, bases)
                and reason_against_ride(battle, man, (man.at, end), gait) is None
            ):
                battle.put(man, *end)
                spend_ride(man, gait, heading)
                unit.measure()
                return length
            length -= 1
    return 0.0


def _is_way_free(
    battle: Battle, unit: Unit, man: Figure, end: Point, bases: Sequence[Base], charging: bool = False
) -> bool:
    """Return True if there is room at the end of the move and no enemy on the way (FBN-050, FBN-270)."""
    move = end[0] - man.x, end[1] - man.y
    return (
        open_ground(battle, *end)
        and crowd_refusal(battle, unit.spec.side, [man.at], move, battle.radius(man), bases, charging) is None
    )


def ride_at(battle: Battle, unit: Unit, man: Figure, target: Figure) -> bool:
    """Ride a man at an enemy: into contact at the highest gait that gets there, or as near as possible.

    Return False if he does not move.
    """
    if man.moves >= battle.book.settings.mount_moves_per_turn:
        return False
    start, towards = man.at, atan2d(man.x - target.x, man.y - target.y)
    reach = battle.radius(man) + battle.radius(target) + 0.001
    bases = bases_near(battle, box_between(start, target.at), 4.0, {man.spec.id})
    gaits = allowed_gaits(battle.book, man)
    for gait in reversed(gaits):
        for spot in points_around(target.at, reach, towards, BESIDE):
            if (
                _is_way_free(battle, unit, man, spot, bases, gait >= CANTER)
                and reason_against_ride(battle, man, (start, spot), gait, charging=gait >= CANTER) is None
            ):
                battle.put(man, *spot)
                spend_ride(man, gait, bearing_to(start, spot))
                if gait >= CANTER:
                    man.mark("charged")
                unit.measure()
                return True
    return ride_away(battle, unit, man, target.at, gaits) > 0


# --- buildings and cover ----------------------------------------------------------------------------------------------


def leave_building(table: Table, battle: Battle, unit: Unit, man: Figure) -> bool:
    """Cross one boundary on the shortest way out of a building through open doors, or walk towards it.

    Return False if there is no way. A man on a watchtower climbs down the ladder, which takes his whole activation
    (FBN-260).
    """
    for ladder in ladders(battle, man):
        if may_spend_all(man):
            climb_ladder(table, battle, unit, man, ladder)
            return True
    exit_opening = _way_out(battle, man.place)
    if exit_opening is None:
        return False
    for opening, to in crossings(battle, man):
        if opening is exit_opening:
            cross_opening(table, battle, unit, man, opening, to)
            return True
    return has_exact_position(battle, man) and step_towards(battle, unit, man, exit_opening.at) > 0


def _way_out(battle: Battle, place: str) -> BuildingOpening | None:
    """Return the first opening on the way from a section to the open air through the fewest sections."""
    building = battle.field.buildings[place.partition(":")[0]]
    frontier: list[tuple[str, BuildingOpening | None]] = [(place, None)]
    seen = {place}
    for room, first in frontier:
        for opening in building.openings.values():
            if not is_open(battle, opening) or room not in (opening.section, opening.other):
                continue
            to = opening.other if room == opening.section else opening.section
            if not to:
                return first or opening
            if to not in seen:
                seen.add(to)
                frontier.append((to, first or opening))
    return None


def is_sheltered(battle: Battle, man: Figure, foe: Figure | None) -> bool:
    """Return True if a man has a CV of 1 or more, from the terrain he is in or against the nearest enemy (FBN-167)."""
    here = man.at
    if man.place or cover_between(battle, here, None, man, battle.field.scene((*here, *here))) >= 1:
        return True
    if foe is None:
        return False
    return cover_between(battle, foe.at, foe, man, battle.field.scene(box_between(here, foe.at))) >= 1


def cover_near(battle: Battle, man: Figure, reach: float, foes: Sequence[Figure]) -> Point | None:
    """Return the nearest cover within reach without an enemy: in an area, or behind a wall from the nearest enemy."""
    best: Point | None = None
    least = reach
    for piece in battle.field.near(box_around(man.at, reach)):
        row = row_now(battle, piece)
        if row.cv < 1 or row.shelter == "none" or row.move == "closed":
            continue
        spot = _spot_in_area(man, piece, foes) if piece.is_area else _spot_behind_wall(battle, man, piece, foes)
        if spot is None:
            continue
        inches = dist(spot, man.at)
        if inches < least or (best is None and inches <= reach):
            best, least = spot, inches
    return best


def _spot_in_area(man: Figure, piece: TerrainPiece[TerrainRow], foes: Sequence[Figure]) -> Point | None:
    """Return a spot just inside an area of terrain, or None if it holds an enemy (FBN-167)."""
    if any(piece.holds(foe.at) for foe in foes):
        return None
    at = nearest_on(man.at, piece.legs)
    x, y = middle_of(piece.points)
    away = hypot(x - at[0], y - at[1]) or 1.0
    return at[0] + (x - at[0]) / away * 0.6, at[1] + (y - at[1]) / away * 0.6


def _spot_behind_wall(
    battle: Battle, man: Figure, piece: TerrainPiece[TerrainRow], foes: Sequence[Figure]
) -> Point | None:
    """Return a spot close behind a wall, on the side away from the nearest enemy."""
    if not foes:
        return None
    foe = foes[0]
    at = nearest_on(man.at, piece.legs)
    away = dist(at, foe.at)
    if away == 0:
        return None
    back = battle.radius(man) + _BEHIND_WALL
    spot = (at[0] + (at[0] - foe.x) / away * back, at[1] + (at[1] - foe.y) / away * back)
    held = any(dist(foe.at, spot) <= 2 for foe in foes)
    return None if held or not piece.meets(foe.at, spot) else spot


# --- The actions of panicking men in their unit's activation (FBN-163 to FBN-171) -------------------------------------
#
# They are automatic; the owner chooses only targets for men who may shoot.


def _foes_of(battle: Battle, side: str) -> list[Figure]:
    """Return all men of the known enemies of a side."""
    return [man for unit in battle.enemies(side) for man in unit.figures.values()]


def carry_out_panic(table: Table, battle: Battle, unit: Unit) -> None:
    """Let the panicking men act one at a time, nearest to the enemy first (FBN-164).

    They are still members of their unit, which is activated once (FBN-171).
    """
    men = [figure for figure in unit.figures.values() if figure.reaction]
    if not men:
        return
    for man in men:
        if (
            man.reaction == "prone"
            and "stunned" not in man.marks
            and ("prone" not in man.marks or "shown" in man.marks)
        ):
            lie_down(battle, man)  # he drops again for free at the start of the activation (FBN-168)
    spots = [foe.at for foe in _foes_of(battle, unit.spec.side)]
    men.sort(key=lambda man: min(distances(man.at, spots), default=0.0))
    for man in men:
        if man.spec.id in unit.figures and man.reaction:
            act_in_panic(table, battle, unit, man)


@procedure("panic.act")
def act_in_panic(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Carry out one man's panic reaction. A stunned man does nothing, whatever his reaction (FBN-131, FBN-165)."""
    if "stunned" in man.marks:
        return
    if man.reaction in _REACTIONS:
        _REACTIONS[man.reaction](table, battle, unit, man)


def shoot_freely(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Let a man who can only shoot fire at targets of his owner's choice (FBN-167, FBN-168)."""
    while man.spec.id in unit.figures and can_fire(battle, man):
        before = man.ac
        fire_with_man(table, battle, unit, man)
        if man.ac == before:
            return


@procedure("panic.flee")
def flee(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Flee (FBN-166): spend all AC, at most three, on the shortest legal path to the nearest deployment zone of his
    side, and stay there.
    """
    zones = battle.field.deployment[man.spec.side]
    held = battle.book.settings.leave_contact == "refused"
    while can_move(battle, man) and not (held and is_held(battle, unit, man)):
        if man.place:
            if not leave_building(table, battle, unit, man):
                return
            continue
        start = man.at
        if any(is_inside(start, zone) for zone in zones):
            return
        goal, zone = min(
            ((nearest_on(start, edges(zone)), zone) for zone in zones), key=lambda candidate: dist(candidate[0], start)
        )
        goal = _point_inside(goal, zone)
        if man.mounted:
            if man.moves >= battle.book.settings.mount_moves_per_turn or ride_away(battle, unit, man, goal) == 0:
                return
        elif move_towards(battle, unit, man, goal) == 0:
            return
        _finish_move(table, battle, unit, man, start)


def _finish_move(table: Table, battle: Battle, unit: Unit, man: Figure, start: Point) -> None:
    """Emit the event of a panic move and resolve its effects, also on units ridden at (FBN-142)."""
    moved = man.at != start
    if moved:
        x, y = round(man.x, 1), round(man.y, 1)
        table.emit("panic move", "FBN-164", unit=unit.spec.id, figure=man.spec.id, reaction=man.reaction, x=x, y=y)
    resolve_move(table, battle, unit, [man], [start])
    if moved and man.mounted:
        raise_ridden_at(table, battle, unit)


def _point_inside(point: Point, zone: tuple[Point, ...]) -> Point:
    """Return the point one inch further into a zone, so that the man is in it and not on its edge."""
    x, y = middle_of(zone)
    away = hypot(x - point[0], y - point[1]) or 1.0
    return point[0] + (x - point[0]) / away, point[1] + (y - point[1]) / away


@procedure("panic.take_cover")
def take_cover(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Take cover (FBN-167): go to the nearest position with CV 1 or more within 9" that holds no enemy; after that,
    only shoot.
    """
    reach = float(battle.book.file.take_cover.inches)
    foes = _nearest_first(battle, unit, man)
    stays = is_held(battle, unit, man) or is_sheltered(battle, man, foes[0] if foes else None)
    spot = None if stays else cover_near(battle, man, reach, foes)
    limit = battle.book.settings.mount_moves_per_turn
    while spot is not None and can_move(battle, man) and man.at != spot:
        start = man.at
        if man.mounted:
            moved = ride_away(battle, unit, man, spot) if man.moves < limit else 0.0
        else:
            moved = step_towards(battle, unit, man, spot)
        if moved == 0:
            break
        _finish_move(table, battle, unit, man, start)
    shoot_freely(table, battle, unit, man)


def _nearest_first(battle: Battle, unit: Unit, man: Figure) -> list[Figure]:
    """Return all men of the known enemies, nearest to a man first."""
    return sorted(_foes_of(battle, unit.spec.side), key=lambda foe: dist(foe.at, man.at))


@procedure("panic.berserk")
def berserk(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Go berserk (FBN-169): spend all AC on shots at the nearest visible man in range, friend or foe.

    Without such a target, move to the nearest man and strike him.
    """
    while man.spec.id in unit.figures and man.ac >= 1:
        before = man.ac
        nearest = _nearest_target(table, battle, unit, man, ranged=can_fire(battle, man))
        if nearest is None:
            return
        target_unit, target, can_shoot = nearest
        target_unit = battle.change(target_unit)
        target = target_unit.figures[target.spec.id]
        if can_shoot:
            scene = battle.field.scene(joint_box(unit.box, target_unit.box))
            fire_shot(table, battle, unit, man, target_unit, target, scene, Answers(), single_shot=True)
        elif in_contact(battle, man, target, battle.book.contact):
            arm = arm_to_strike(battle, man)
            if arm is None:
                return
            if is_room_to_fight(battle, man, target):
                strike_blow(table, battle, unit, man, target, arm)
        elif man.place and target.place != man.place:
            if not leave_building(table, battle, unit, man):
                return
        elif can_move(battle, man):
            start = man.at
            if man.mounted:
                ride_at(battle, unit, man, target)
            else:
                close_in(battle, unit, man, target)
            _finish_move(table, battle, unit, man, start)
        if man.ac == before:
            return


def _nearest_target(
    table: Table, battle: Battle, unit: Unit, man: Figure, ranged: bool
) -> tuple[Unit, Figure, bool] | None:
    """Return the nearest man he can shoot at, or the nearest man of all, with his unit and True for a shot (FBN-169).

    Ties are drawn at random. With `ranged` he may shoot.
    """
    anyone = battle.book.settings.berserk_targets == "anyone"
    units = [
        other
        for other in battle.on_table()
        if "hidden" not in other.marks and (anyone or other.spec.side != unit.spec.side)
    ]
    if ranged:
        shots: list[tuple[float, Unit, Figure]] = []
        reach, at = limits_of(battle, man).long, stand_point(battle, man) if man.post else man.at
        for other in units:
            away = box_gap((*at, *at), other.box)
            near = away <= reach or may_reach(battle, away, reach, (man,), other)
            if not near or not can_fire(battle, man, other.spec.id):
                continue
            scene = battle.field.scene(joint_box((*man.at, *man.at), other.box))
            men = (
                target_figures(battle, unit.spec.side, other)
                if other.spec.side != unit.spec.side
                else exposed_men(battle, other.figures.values())
            )
            aims = find_targets(
                battle, unit, man, [comrade for comrade in men if comrade is not man], scene, only_nearest=False
            )
            shots += [(aim.inches, other, aim.man) for aim in aims]
        if shots:
            target_unit, target = _draw_nearest(table, man, shots)
            return target_unit, target, True
    all_men = [
        (range_between(battle, man, figure), unit, figure)
        for unit in units
        for figure in unit.figures.values()
        if figure is not man and (not figure.place or figure.place == man.place)
    ]
    if not all_men:
        return None
    target_unit, target = _draw_nearest(table, man, all_men)
    return target_unit, target, False


def _draw_nearest(table: Table, man: Figure, options: list[tuple[float, Unit, Figure]]) -> tuple[Unit, Figure]:
    """Return the nearest of some men, each given with his distance; ties are drawn at random (FBN-169)."""
    least = min(away for away, _, _ in options)
    best = [(target_unit, target) for away, target_unit, target in options if away <= least + 1e-6]
    if len(best) == 1:
        return best[0]
    names = {target.spec.id: 1 for _, target in best}
    chosen = table.draw(
        names, why="nearest of equals", rule="FBN-169", actor=man.spec.id, means=random_draw("at whom he goes")
    )
    return next((target_unit, target) for target_unit, target in best if target.spec.id == chosen)


@procedure("panic.onwards")
def onwards(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Run at the enemy (FBN-170): ordinary moves at the nearest enemy, and a charge when it reaches.

    Remaining AC go on blows. No glory event.
    """
    while man.place and not any(foe.place == man.place for foe in _foes_of(battle, unit.spec.side)):
        if foes_in_reach(battle, man, unit.spec.side):
            break
        if not can_move(battle, man) or not leave_building(table, battle, unit, man):
            return
    foes = _close_with(table, battle, unit, man)
    while man.spec.id in unit.figures and (arm := arm_to_strike(battle, man)) is not None:
        opponents = [
            (range_between(battle, man, foe), target_unit, foe)
            for foe in foes
            if is_room_to_fight(battle, man, foe) and (target_unit := battle.unit_of(foe.spec.id)) is not None
        ]
        if not opponents:
            return
        _, target = _draw_nearest(table, man, opponents)
        strike_blow(table, battle, unit, man, target, arm)
        foes = foes_in_reach(battle, man, unit.spec.side)


def _close_with(table: Table, battle: Battle, unit: Unit, man: Figure) -> list[Figure]:
    """Move a man towards the nearest enemy, preferably one he sees, until an enemy is in reach (FBN-170).

    Return the enemies in reach.
    """
    in_reach = foes_in_reach(battle, man, unit.spec.side)
    foes = [foe for foe in _nearest_first(battle, unit, man) if foe.place == man.place]
    if in_reach or not foes:
        return in_reach
    scene = battle.field.scene(bounds([man.at, *(foe.at for foe in foes)]))
    seen = list(islice((foe for foe in foes if sees(battle, man, foe, scene)), 3)) or foes[:1]
    while man.ac >= 1 and man.spec.id in unit.figures and not in_reach:
        start = man.at
        if man.mounted:
            moved = can_move(battle, man) and ride_at(battle, unit, man, seen[0])
        else:
            moved = charge_or_move(battle, unit, man, seen)
        if not moved:
            break
        _finish_move(table, battle, unit, man, start)
        in_reach = foes_in_reach(battle, man, unit.spec.side)
    return in_reach


_REACTIONS: Mapping[str, Callable[[Table, Battle, Unit, Figure], None]] = {
    "flee": flee,
    "take_cover": take_cover,
    "prone": shoot_freely,
    "berserk": berserk,
    "onwards": onwards,
}
"""The function for each panic reaction. A man who freezes does nothing."""
