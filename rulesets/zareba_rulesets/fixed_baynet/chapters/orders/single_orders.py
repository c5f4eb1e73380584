"""Acts of one man of a unit (FBN-016, FBN-193, FBN-272): first the man, then the act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from zareba.base.exact import atan2d
from zareba.battle.legal_actions import LegalActions
from zareba.battle.positions.move_suggestions import MoveSuggestions
from zareba.space.bearings import bearing_to
from zareba.space.field.bases import Base
from zareba.space.geometry import Point, about
from zareba.space.lazy import Lazy
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.buildings.buildings import (
    crossings,
    free_openings,
    go_through,
    may_be_posted,
    post,
)
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import Cavalcade, ride, ride_points, riders
from zareba_rulesets.fixed_baynet.chapters.cavalry.gaits import allowed_gaits
from zareba_rulesets.fixed_baynet.chapters.cavalry.mounted_charges import mounted_charge, ride_targets
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import can_fire
from zareba_rulesets.fixed_baynet.chapters.fire.fire import FireTargets, fire_single
from zareba_rulesets.fixed_baynet.chapters.melee.charges import charge_targets, run_in, tell_charge
from zareba_rulesets.fixed_baynet.chapters.melee.close_combat import can_strike, fight_single, may_crowd
from zareba_rulesets.fixed_baynet.chapters.morale.glory import CHARGE, glory_event
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import after_move
from zareba_rulesets.fixed_baynet.chapters.movement.manoeuvre import goes_away, may_cross, short_of_hidden
from zareba_rulesets.fixed_baynet.chapters.movement.movement import (
    allowance,
    can_move,
    crowd_refusal,
    room_refused,
    walk_cost,
    way_refused,
)
from zareba_rulesets.fixed_baynet.chapters.movement.rooms import room_walks
from zareba_rulesets.fixed_baynet.chapters.orders.drill import DRILL, drill_alone
from zareba_rulesets.fixed_baynet.chapters.orders.man_orders import ACTS as ORDERS
from zareba_rulesets.fixed_baynet.chapters.orders.man_orders import contacts
from zareba_rulesets.fixed_baynet.chapters.sight.contact import foes_in_reach, held, stands_on_spot
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import bases_near, open_ground
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["one_man"]

Act = Callable[..., object]
HOLD = "nothing"


def one_man(table: Table, battle: Battle, unit: Unit, goals: Callable[[], list[Point]]) -> None:
    """Let one man of the owner's choice do one act (FBN-016, FBN-272).

    `goals` returns points the unit may want to reach.
    """
    men = {figure.spec.id: figure for figure in unit.figures.values() if figure.able and figure.ac >= 1}
    name = table.choose(unit.spec.side, list(men), why="which man", rule="FBN-016", actor=unit.spec.id)
    man = men[name]
    walks: Lazy[str, MoveSuggestions] = Lazy(lambda who: _walks(battle, unit, unit.figures[who], goals()))
    options = _single_acts(battle, unit, man, walks).kinds
    choice = table.choose(unit.spec.side, options, why="what he does", rule="FBN-016", actor=name)
    if isinstance(choice, tuple):
        _SINGLE_TUPLES[choice[0]](table, battle, unit, man, *choice[1:])
    elif choice == "walk":
        _walk(table, battle, unit, man, walks[name])
    elif isinstance(choice, str) and choice != HOLD:
        _SINGLE_WORDS[choice](table, battle, unit, man)


def _single_acts(battle: Battle, unit: Unit, man: Figure, walks: Lazy[str, MoveSuggestions]) -> LegalActions:
    """Return the legal acts of one man, including to do nothing. `walks` gives his walking destinations."""
    menu = LegalActions(battle, unit)
    foot = not man.mounted and not man.place
    walker = foot or (bool(man.place) and stands_on_spot(battle, man))
    if walker and can_move(battle, man) and man.spec.id not in held(battle, unit):
        menu.add("walk", lambda: bool(walks[man.spec.id]))
    if foot and can_move(battle, man, charging=True):
        menu.extend(("charge", foe.spec.id) for foe in charge_targets(battle, unit, only=man))
    if man.mounted and man in riders(battle, unit):
        menu.extend(("ride", gait) for gait in allowed_gaits(battle.book, man))
        menu.extend(("ride down", foe.spec.id, gait) for foe, gait in ride_targets(battle, unit, [man]))
    if can_fire(battle, man):
        menu.add("fire", lambda: FireTargets(battle, unit, man).any_man())
    if not unit.back and can_strike(battle, man):
        menu.add(
            "strike", lambda: any(may_crowd(battle, man, foe) for foe in foes_in_reach(battle, man, unit.spec.side))
        )
    menu.extend(word for word, drill in DRILL.items() if drill.may(battle, unit, man))
    if man.spec.spare != "none" and man.marks.isdisjoint(("crossed", "disarmed")):
        menu.add("switch weapon")
    if "crossed" not in man.marks:
        menu.extend(call for call in contacts(battle, unit, man) if isinstance(call, tuple) and call[0] == "barrage")
    if may_be_posted(man):
        menu.extend(("post", way) for way in free_openings(battle, man))
    if battle.field.buildings:
        menu.extend(("cross", way.id, to) for way, to in crossings(battle, man) if may_cross(battle, unit, man, way))
    menu.add(HOLD)
    return menu


def _walks(battle: Battle, unit: Unit, man: Figure, goals: list[Point]) -> MoveSuggestions:
    """Return points to which one man can walk with one action."""
    if man.place:
        return room_walks(battle, unit, man, lambda at: _walk_refused(battle, unit, man, at, ()))
    most = float(allowance(battle, man))
    bases = bases_near(battle, about(man.at, most), 2.0, (man.spec.id,), unit.spec.side)
    ways = [atan2d(x - man.x, y - man.y) for x, y in goals[:2]] + [float(turn) for turn in range(0, 360, 90)]

    return MoveSuggestions.by_bearings(
        man.at, ways, lambda _: (most, most / 2), lambda at: _walk_refused(battle, unit, man, at, bases)
    )


def _walk_refused(battle: Battle, unit: Unit, man: Figure, point: Point, bases: Sequence[Base]) -> str | None:
    """Return why a man may not walk to a point, or None. `bases` are those around him."""
    way = point[0] - man.x, point[1] - man.y
    if man.place:
        refused = room_refused(battle, man, point)
    elif not open_ground(battle, *point):
        refused = "no figure can stand there (FBN-065)"
    else:
        refused = crowd_refusal(battle, unit.spec.side, [man.at], way, battle.radius(man), bases)
        refused = refused or way_refused(battle, man, point)
    if refused:
        return refused
    if unit.back and not goes_away(battle, unit.spec.side, [man], *way):
        return "it must fall back from the enemy (FBN-160)"
    return None


def _walk(table: Table, battle: Battle, unit: Unit, man: Figure, walks: MoveSuggestions) -> None:
    point = table.place(
        unit.spec.side,
        walks,
        walks.legal,
        why="walk to",
        rule="FBN-039",
        actor=man.spec.id,
        cost=partial(walk_cost, battle, man),
    )
    start = man.at
    if point != start:
        man.facing = bearing_to(start, point)
    dx, dy = short_of_hidden(battle, unit, [man], point[0] - man.x, point[1] - man.y)
    battle.put(man, man.x + dx, man.y + dy)
    man.ac -= 1
    man.moves += 1
    man.mark("moved")
    unit.mark("loose")
    unit.measure()
    table.emit("walk", "FBN-039", unit=unit.spec.id, figure=man.spec.id, x=round(man.x, 1), y=round(man.y, 1))
    after_move(table, battle, unit, [man], [start])


def _ride(table: Table, battle: Battle, unit: Unit, man: Figure, gait: int) -> None:
    """Ride with one man. If no ride is possible at this gait, he stays where he is (FBN-016, FBN-179)."""
    cavalcade, (x, y) = Cavalcade(battle, unit, [man], gait), man.at

    def legal(point: Point) -> str | None:
        if unit.back and not goes_away(battle, unit.spec.side, [man], point[0] - x, point[1] - y):
            return "it must fall back from the enemy (FBN-160)"
        return cavalcade.refused(point[0] - x, point[1] - y)

    points = ride_points(battle, unit, cavalcade, [], legal, man.at)
    if not points:
        table.emit("no way", "FBN-173", unit=man.spec.id)
        return
    actor = man.spec.id
    point = table.place(unit.spec.side, points, legal, why="ride to", rule="FBN-173", actor=actor, cost=points.cost)
    unit.mark("loose")
    ride(table, battle, unit, [man], gait, *short_of_hidden(battle, unit, [man], point[0] - x, point[1] - y))


def _ride_down(table: Table, battle: Battle, unit: Unit, man: Figure, target: str, gait: int) -> None:
    unit.mark("loose")
    mounted_charge(table, battle, unit, [man], battle.unit(target), gait)


def _charge(table: Table, battle: Battle, unit: Unit, man: Figure, target: str) -> None:
    start = man.at
    made = run_in(battle, unit, man, battle.unit(target))
    unit.mark("loose")
    unit.measure()
    tell_charge(table, "FBN-041", battle, man.spec, battle.unit(target), [man], int(made))
    glory_event(table, battle, unit, CHARGE)
    after_move(table, battle, unit, [man], [start])


def _switch(table: Table, battle: Battle, unit: Unit, man: Figure) -> None:
    """Change between rifle and pistol for 1 AC, if the setting lets a man carry both (FBN-193)."""
    man.ac -= 1
    man.weapon = man.spec.spare if man.weapon == man.spec.weapon else man.spec.weapon
    table.emit("weapon", "FBN-193", unit=unit.spec.id, figure=man.spec.id, weapon=man.weapon)


def _post(table: Table, battle: Battle, unit: Unit, man: Figure, way: str) -> None:
    post(battle, man, way)
    man.mark("placed")
    opening = battle.field.openings[way]
    house = way.partition(":")[0]
    table.emit("posted", "FBN-275", unit=unit.spec.id, figure=man.spec.id, opening=opening.kind, building=house)


def _cross(table: Table, battle: Battle, unit: Unit, man: Figure, way_id: str, to: str) -> None:
    unit.mark("loose")
    go_through(table, battle, unit, man, battle.field.openings[way_id], to)


_SINGLE_WORDS: dict[str, Act] = {
    "fire": fire_single,
    "strike": fight_single,
    **{word: partial(drill_alone, word=word) for word in DRILL},
    "switch weapon": _switch,
}


_SINGLE_TUPLES: dict[str, Act] = {
    "charge": _charge,
    "ride": _ride,
    "ride down": _ride_down,
    # any man may call: the choice of caller decides who observes (FBN-037, FBN-224)
    "barrage": lambda table, battle, unit, man, *call: ORDERS["barrage"](table, battle, unit, *call),
    "post": _post,
    "cross": _cross,
}
