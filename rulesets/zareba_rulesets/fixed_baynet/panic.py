"""What panicking men do in their unit's activation (FBN-163 to FBN-171): nobody's choice, but for whom some may shoot at."""

from __future__ import annotations

from math import atan2, degrees, hypot

from zareba.rules import procedure
from zareba.space.geometry import Point, is_inside, nearest_on_segment
from zareba.space.geometry import edges as sides_of
from zareba.table import Table
from zareba_rulesets.fixed_baynet.battle import Battle, Figure, Unit, box_gap
from zareba_rulesets.fixed_baynet.cavalry import allowed_gaits, ride_refused, spend_ride
from zareba_rulesets.fixed_baynet.charges import contact_spot
from zareba_rulesets.fixed_baynet.close_combat import blow, can_strike, may_crowd
from zareba_rulesets.fixed_baynet.contact import foes_in_reach, in_contact
from zareba_rulesets.fixed_baynet.counter_attack import Answers
from zareba_rulesets.fixed_baynet.fire import aim_at, can_fire, fire_single, shoot, target_figures
from zareba_rulesets.fixed_baynet.glory import lie_down
from zareba_rulesets.fixed_baynet.movement import after_move, can_move, step_towards
from zareba_rulesets.fixed_baynet.places import discs_near, free_spot
from zareba_rulesets.fixed_baynet.sight import cover_between, joint_box, range_between, scene_of, sees

__all__ = ["act_in_panic", "panicking_first"]


def _foes_of(battle: Battle, side: str) -> list[tuple[Unit, Figure]]:
    return [(unit, man) for unit in battle.enemies(side) for man in unit.figures.values()]


def panicking_first(table: Table, battle: Battle, unit: Unit) -> None:
    """P3 step 3: the panicking men act one by one, nearest to the enemy first (FBN-164).

    They are still members of their unit, which is activated once (FBN-171).
    """
    men = [figure for figure in unit.figures.values() if figure.reaction]
    if not men:
        return
    foes = [man for _, man in _foes_of(battle, unit.spec.side)]
    men.sort(key=lambda man: min((hypot(man.x - foe.x, man.y - foe.y) for foe in foes), default=0.0))
    for man in men:
        if man.spec.id in unit.figures and man.reaction:
            act_in_panic(table, battle, unit, man)


@procedure("panic.act")
def act_in_panic(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """One man's reaction; a stunned man does nothing whatever it is (FBN-131, FBN-165)."""
    if "stunned" in man.marks:
        return
    if man.reaction == "flee":
        flee(table, battle, unit, man)
    elif man.reaction == "take_cover":
        take_cover(table, battle, unit, man)
    elif man.reaction == "prone":
        if "prone" not in man.marks or "shown" in man.marks:
            lie_down(battle, man)  # again for free when his activation starts (FBN-168)
        shoot_freely(table, battle, unit, man)
    elif man.reaction == "berserk":
        berserk(table, battle, unit, man)
    elif man.reaction == "onwards":
        onwards(table, battle, unit, man)


def shoot_freely(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """He can only shoot, at whom his owner likes, as long as he has AC and a target (FBN-167, FBN-168)."""
    while man.spec.id in unit.figures and can_fire(battle, man):
        before = man.ac
        fire_single(table, battle, unit, man)
        if man.ac == before:
            return


@procedure("panic.flee")
def flee(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """FBN-166: all his AC, three at most, on the shortest legal way to his side's deployment area; there he stays."""
    zone = battle.field.deployment[man.spec.side]
    while can_move(battle, man) and not man.place:
        here = (man.x, man.y)
        if is_inside(here, zone):
            return
        goal = min(
            (nearest_on_segment(here, a, b) for a, b in sides_of(zone)),
            key=lambda p: hypot(p[0] - here[0], p[1] - here[1]),
        )
        goal = _inwards(goal, zone)
        if man.mounted:
            ride_away(battle, unit, man, goal)
            man.moves = battle.book.most_moves
        elif run(battle, unit, man, goal) == 0:
            return
        after_move(table, battle, unit, [man], [here])


def _inwards(point: Point, zone: tuple[Point, ...]) -> Point:
    x, y = sum(p[0] for p in zone) / len(zone), sum(p[1] for p in zone) / len(zone)
    away = hypot(x - point[0], y - point[1]) or 1.0
    return point[0] + (x - point[0]) / away, point[1] + (y - point[1]) / away


def run(battle: Battle, unit: Unit, man: Figure, goal: Point) -> float:
    """One movement action towards a goal, round what is closed; the inches gone."""
    gone = step_towards(battle, unit, man, goal)
    if gone > 0:
        return gone
    if not battle.field.closed_pieces:
        return 0.0
    here = (man.x, man.y)
    way = battle.field.way_round(here, goal)
    return step_towards(battle, unit, man, way[1]) if way is not None and len(way) > 2 else 0.0


def ride_away(battle: Battle, unit: Unit, man: Figure, goal: Point) -> float:
    """Riders take the highest legal gait towards the goal (FBN-166); the inches gone, 1 AC."""
    away = hypot(goal[0] - man.x, goal[1] - man.y)
    if away < 0.1:
        return 0.0
    ux, uy = (goal[0] - man.x) / away, (goal[1] - man.y) / away
    book, start = battle.book, (man.x, man.y)
    discs = discs_near(battle, (man.x - 18, man.y - 18, man.x + 18, man.y + 18), 2.0, {man.spec.id}, unit.spec.side)
    for gait in reversed(allowed_gaits(book, man)):
        length = min(float(book.gaits[gait].most), away)
        while length >= max(1, book.gaits[gait].least):
            end = (start[0] + ux * length, start[1] + uy * length)
            if (
                free_spot(battle, *end, battle.radius(man), discs)
                and ride_refused(battle, man, (start, end), gait) is None
            ):
                battle.put(man, *end)
                spend_ride(man, gait, degrees(atan2(ux, uy)) % 360)
                unit.measure()
                return length
            length -= 1
    return 0.0


@procedure("panic.take_cover")
def take_cover(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """FBN-167: to the nearest position with CV 1 or more within 9" that holds no enemy; then he may only shoot."""
    reach = float(battle.book.file.take_cover["inches"])
    if not man.place and not man.mounted and not _sheltered(battle, man):
        spot = _cover_near(battle, unit, man, reach)
        while spot is not None and can_move(battle, man) and not _sheltered(battle, man):
            start = (man.x, man.y)
            if step_towards(battle, unit, man, spot) == 0:
                break
            after_move(table, battle, unit, [man], [start])
    shoot_freely(table, battle, unit, man)


def _sheltered(battle: Battle, man: Figure) -> bool:
    here = (man.x, man.y)
    return bool(man.place) or cover_between(battle, here, None, man, scene_of(battle, (*here, *here))) >= 1


def _cover_near(battle: Battle, unit: Unit, man: Figure, reach: float) -> Point | None:
    """The nearest ground with CV within reach and without an enemy in it."""
    best: tuple[float, Point] | None = None
    for piece in battle.field.near((man.x - reach, man.y - reach, man.x + reach, man.y + reach)):
        row = piece.row
        if not piece.is_area or row.cv < 1 or row.shelter == "none" or row.move == "closed":
            continue
        if any(piece.holds(foe.at) for _, foe in _foes_of(battle, unit.spec.side)):
            continue
        at = min(
            (nearest_on_segment(man.at, a, b) for a, b in sides_of(piece.points)),
            key=lambda p: hypot(p[0] - man.x, p[1] - man.y),
        )
        middle = (
            sum(p[0] for p in piece.points) / len(piece.points),
            sum(p[1] for p in piece.points) / len(piece.points),
        )
        away = hypot(middle[0] - at[0], middle[1] - at[1]) or 1.0
        inner = (at[0] + (middle[0] - at[0]) / away * 0.6, at[1] + (middle[1] - at[1]) / away * 0.6)
        far = hypot(inner[0] - man.x, inner[1] - man.y)
        if far <= reach and (best is None or far < best[0]):
            best = (far, inner)
    return None if best is None else best[1]


@procedure("panic.berserk")
def berserk(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """FBN-169: all AC on shots at the nearest visible man in range, friend or foe; else he goes for the nearest and strikes."""
    while man.spec.id in unit.figures and man.ac >= 1:
        before = man.ac
        victim = _nearest_prey(table, battle, unit, man, ranged=can_fire(battle, man))
        if victim is None:
            return
        home, prey, shot = victim
        if shot:
            scene = scene_of(battle, joint_box(unit.box, home.box))
            shoot(table, battle, unit, man, home, prey, scene, Answers(), single=True)
        elif in_contact(battle, man, prey, battle.book.contact):
            if not can_strike(battle, man):
                return
            if may_crowd(battle, man, prey):
                blow(table, battle, unit, man, prey)
        elif can_move(battle, man) and not man.place and not man.mounted:
            start = (man.x, man.y)
            _close_in(battle, unit, man, prey)
            if man.spec.id in unit.figures:
                after_move(table, battle, unit, [man], [start])
        if man.ac == before:
            return


def _nearest_prey(
    table: Table, battle: Battle, unit: Unit, man: Figure, ranged: bool
) -> tuple[Unit, Figure, bool] | None:
    """The nearest man he can shoot at, else the nearest at all; ties by die (FBN-169)."""
    anyone = battle.book.settings.berserk_targets == "anyone"
    units = [
        other
        for other in battle.on_table()
        if "hidden" not in other.marks and (anyone or other.spec.side != unit.spec.side)
    ]
    if ranged:
        shots: list[tuple[float, Unit, Figure]] = []
        longest = battle.book.bands[man.weapon][2]
        for other in units:
            if box_gap((man.x, man.y, man.x, man.y), other.box) > longest or not can_fire(battle, man, other.spec.id):
                continue
            scene = scene_of(battle, joint_box((man.x, man.y, man.x, man.y), other.box))
            men = (
                target_figures(battle, unit.spec.side, other)
                if other.spec.side != unit.spec.side
                else [one for one in other.figures.values() if "prone" not in one.marks or "shown" in one.marks]
            )
            shots += [
                (range_between(battle, man, one), other, one)
                for one in aim_at(battle, unit, man, [one for one in men if one is not man], scene)
            ]
        if shots:
            home, prey = _nearest(table, man, shots)
            return home, prey, True
    every = [
        (range_between(battle, man, one), other, one)
        for other in units
        for one in other.figures.values()
        if one is not man and not one.place
    ]
    if not every:
        return None
    home, prey = _nearest(table, man, every)
    return home, prey, False


def _nearest(table: Table, man: Figure, options: list[tuple[float, Unit, Figure]]) -> tuple[Unit, Figure]:
    least = min(away for away, _, _ in options)
    best = [(home, prey) for away, home, prey in options if away <= least + 1e-6]
    if len(best) == 1:
        return best[0]
    names = {prey.spec.id: 1 for _, prey in best}
    chosen = table.draw(names, why="nearest of equals", rule="FBN-169", actor=man.spec.id)
    return next(pair for pair in best if pair[1].spec.id == chosen)


def _close_in(battle: Battle, unit: Unit, man: Figure, prey: Figure) -> None:
    """A step towards a man, into contact with him if it reaches."""
    away = hypot(prey.x - man.x, prey.y - man.y)
    stop = battle.radius(man) + battle.radius(prey) + 0.001
    share = max(0.0, away - stop) / away if away else 0.0
    step_towards(battle, unit, man, (man.x + (prey.x - man.x) * share, man.y + (prey.y - man.y) * share))


@procedure("panic.onwards")
def onwards(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """FBN-170: at the nearest enemy with ordinary moves and, when it reaches, a charge; left AC on blows. No glory event."""
    foes = [(home, foe) for home, foe in _foes_of(battle, unit.spec.side) if not foe.place]
    if not foes or man.place:
        return
    near = sorted(foes, key=lambda item: hypot(item[1].x - man.x, item[1].y - man.y))[:6]
    scene = scene_of(battle, _corner(man, [foe for _, foe in near]))
    seen = [item for item in near if sees(battle, man, item[1], scene)]
    _, foe = (seen or near)[0]
    while man.ac >= 1 and man.spec.id in unit.figures and not foes_in_reach(battle, man, unit.spec.side):
        start = (man.x, man.y)
        if man.mounted:
            if man.moves or ride_away(battle, unit, man, foe.at) == 0:
                return
        elif not _rush(battle, unit, man, [other for _, other in seen] or [foe]):
            return
        after_move(table, battle, unit, [man], [start])
    while man.spec.id in unit.figures and can_strike(battle, man):
        reach = [other for other in foes_in_reach(battle, man, unit.spec.side) if may_crowd(battle, man, other)]
        if not reach:
            return
        blow(table, battle, unit, man, reach[0])


def _rush(battle: Battle, unit: Unit, man: Figure, foes: list[Figure]) -> bool:
    """A charge if it reaches, else a move; False if he cannot get nearer."""
    if can_move(battle, man, charging=True):
        spot = contact_spot(battle, unit, man, foes[:3])
        if spot is not None and spot != (man.x, man.y):
            battle.put(man, *spot)
            man.ac -= 1
            man.moves += 1
            man.mark("charged", "moved")
            unit.measure()
            return True
    if not can_move(battle, man):
        return False
    before = man.ac
    _close_in(battle, unit, man, foes[0])
    return man.ac < before


def _corner(man: Figure, foes: list[Figure]) -> tuple[float, float, float, float]:
    xs, ys = [man.x, *(foe.x for foe in foes)], [man.y, *(foe.y for foe in foes)]
    return min(xs), min(ys), max(xs), max(ys)
