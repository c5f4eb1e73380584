"""The actions of panicking men in their unit's activation (FBN-163 to FBN-171).

They are automatic; the owner chooses only targets for men who may shoot.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from zareba.base.exact import dist, hypot
from zareba.chance import lot
from zareba.rules import procedure
from zareba.space.geometry import Point, bounds, box_gap, edges, is_inside, joint_box, middle_of, nearest_on
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import raise_ridden_at
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import (
    can_fire,
    exposed_men,
    find_targets,
    may_reach,
    target_figures,
)
from zareba_rulesets.fixed_baynet.chapters.fire.counter_attack import Answers
from zareba_rulesets.fixed_baynet.chapters.fire.fire import fire_shot, fire_with_man
from zareba_rulesets.fixed_baynet.chapters.melee.close_combat import arm_to_strike, is_room_to_fight, strike_blow
from zareba_rulesets.fixed_baynet.chapters.morale.glory import lie_down
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import resolve_move
from zareba_rulesets.fixed_baynet.chapters.movement.movement import can_move, step_towards
from zareba_rulesets.fixed_baynet.chapters.panic.panic_moves import (
    charge_or_move,
    close_in,
    cover_near,
    is_sheltered,
    leave_building,
    move_towards,
    ride_at,
    ride_away,
)
from zareba_rulesets.fixed_baynet.chapters.sight.contact import foes_in_reach, in_contact, is_held
from zareba_rulesets.fixed_baynet.chapters.sight.sight import range_between, sees, stand_point
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["act_in_panic", "act_out_panic"]


def _foes_of(battle: Battle, side: str) -> list[Figure]:
    return [man for unit in battle.enemies(side) for man in unit.figures.values()]


def act_out_panic(table: Table, battle: Battle, unit: Unit) -> None:
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
    foes = _foes_of(battle, unit.spec.side)
    men.sort(key=lambda man: min((dist(man.at, foe.at) for foe in foes), default=0.0))
    for man in men:
        if man.spec.id in unit.figures and man.reaction:
            act_in_panic(table, battle, unit, man)


@procedure("panic.act")
def act_in_panic(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Carry out one man's panic reaction. A stunned man does nothing, whatever his reaction (FBN-131, FBN-165)."""
    if "stunned" in man.marks:
        return
    if man.reaction in ACTS:
        ACTS[man.reaction](table, battle, unit, man)


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
        here = man.at
        if any(is_inside(here, zone) for zone in zones):
            return
        goal, zone = min(
            ((nearest_on(here, edges(zone)), zone) for zone in zones), key=lambda found: dist(found[0], here)
        )
        goal = _point_inside(goal, zone)
        if man.mounted:
            if man.moves >= battle.book.settings.mount_moves_per_turn or ride_away(battle, unit, man, goal) == 0:
                return
        elif move_towards(battle, unit, man, goal) == 0:
            return
        _finish_move(table, battle, unit, man, here)


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
        moved = (
            0.0
            if man.mounted and man.moves >= limit
            else (ride_away if man.mounted else step_towards)(battle, unit, man, spot)
        )
        if moved == 0:
            break
        _finish_move(table, battle, unit, man, start)
    shoot_freely(table, battle, unit, man)


def _nearest_first(battle: Battle, unit: Unit, man: Figure) -> list[Figure]:
    return sorted(_foes_of(battle, unit.spec.side), key=lambda foe: dist(foe.at, man.at))


@procedure("panic.berserk")
def berserk(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Go berserk (FBN-169): spend all AC on shots at the nearest visible man in range, friend or foe.

    Without such a target, move to the nearest man and strike him.
    """
    while man.spec.id in unit.figures and man.ac >= 1:
        before = man.ac
        victim = _nearest_prey(table, battle, unit, man, ranged=can_fire(battle, man))
        if victim is None:
            return
        home, prey, shot = victim
        home = battle.change(home)
        prey = home.figures[prey.spec.id]
        if shot:
            scene = battle.field.scene(joint_box(unit.box, home.box))
            fire_shot(table, battle, unit, man, home, prey, scene, Answers(), single=True)
        elif in_contact(battle, man, prey, battle.book.contact):
            arm = arm_to_strike(battle, man)
            if arm is None:
                return
            if is_room_to_fight(battle, man, prey):
                strike_blow(table, battle, unit, man, prey, arm)
        elif man.place and prey.place != man.place:
            if not leave_building(table, battle, unit, man):
                return
        elif can_move(battle, man):
            start = man.at
            if man.mounted:
                ride_at(battle, unit, man, prey)
            else:
                close_in(battle, unit, man, prey)
            _finish_move(table, battle, unit, man, start)
        if man.ac == before:
            return


def _nearest_prey(
    table: Table, battle: Battle, unit: Unit, man: Figure, ranged: bool
) -> tuple[Unit, Figure, bool] | None:
    """Return the nearest man he can shoot at, or the nearest man of all. Ties are drawn at random (FBN-169)."""
    anyone = battle.book.settings.berserk_targets == "anyone"
    units = [
        other
        for other in battle.on_table()
        if "hidden" not in other.marks and (anyone or other.spec.side != unit.spec.side)
    ]
    if ranged:
        shots: list[tuple[float, Unit, Figure]] = []
        reach, at = limits_of(battle, man)[2], stand_point(battle, man) if man.post else man.at
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
            aims = find_targets(battle, unit, man, [one for one in men if one is not man], scene, only_nearest=False)
            shots += [(aim.inches, other, aim.man) for aim in aims]
        if shots:
            home, prey = _draw_nearest(table, man, shots)
            return home, prey, True
    every = [
        (range_between(battle, man, one), other, one)
        for other in units
        for one in other.figures.values()
        if one is not man and (not one.place or one.place == man.place)
    ]
    if not every:
        return None
    home, prey = _draw_nearest(table, man, every)
    return home, prey, False


def _draw_nearest(table: Table, man: Figure, options: list[tuple[float, Unit, Figure]]) -> tuple[Unit, Figure]:
    """Return the nearest of some men, each given with his distance; ties are drawn at random (FBN-169)."""
    least = min(away for away, _, _ in options)
    best = [(home, prey) for away, home, prey in options if away <= least + 1e-6]
    if len(best) == 1:
        return best[0]
    names = {prey.spec.id: 1 for _, prey in best}
    chosen = table.draw(names, why="nearest of equals", rule="FBN-169", actor=man.spec.id, means=lot("at whom he goes"))
    return next(pair for pair in best if pair[1].spec.id == chosen)


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
        reach = [
            (range_between(battle, man, foe), home, foe)
            for foe in foes
            if is_room_to_fight(battle, man, foe) and (home := battle.home(foe.spec.id)) is not None
        ]
        if not reach:
            return
        strike_blow(table, battle, unit, man, _draw_nearest(table, man, reach)[1], arm)
        foes = foes_in_reach(battle, man, unit.spec.side)


def _close_with(table: Table, battle: Battle, unit: Unit, man: Figure) -> list[Figure]:
    """Move a man towards the nearest enemy, preferably one he sees, until an enemy is in reach (FBN-170).

    Return the enemies in reach.
    """
    reach = foes_in_reach(battle, man, unit.spec.side)
    foes = [foe for foe in _nearest_first(battle, unit, man) if foe.place == man.place]
    if reach or not foes:
        return reach
    scene = battle.field.scene(bounds([man.at, *(foe.at for foe in foes)]))
    seen = list(islice((foe for foe in foes if sees(battle, man, foe, scene)), 3)) or foes[:1]
    while man.ac >= 1 and man.spec.id in unit.figures and not reach:
        start = man.at
        if man.mounted:
            moved = can_move(battle, man) and ride_at(battle, unit, man, seen[0])
        else:
            moved = charge_or_move(battle, unit, man, seen)
        if not moved:
            break
        _finish_move(table, battle, unit, man, start)
        reach = foes_in_reach(battle, man, unit.spec.side)
    return reach


ACTS: Mapping[str, Callable[[Table, Battle, Unit, Figure], None]] = {
    "flee": flee,
    "take_cover": take_cover,
    "prone": shoot_freely,
    "berserk": berserk,
    "onwards": onwards,
}
"""The function for each panic reaction. A man who freezes does nothing."""
