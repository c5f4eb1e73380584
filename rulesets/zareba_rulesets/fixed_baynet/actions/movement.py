"""Movement that a player can choose: marches and rides of a unit, with or without turns, and the walk of one man.

The AI player and the move share the destinations of a unit, which are computed once. How far a man may go is in
`chapters.movement` and `chapters.cavalry`. Rules: FBN-016, FBN-039, FBN-173, FBN-174, FBN-175, FBN-179.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, Self, final

from zareba.base.exact import atan2d
from zareba.battle.evaluation import Evaluation
from zareba.battle.positions import MOST_GOALS, MoveSuggestions, StepSuggestions
from zareba.space.bearings import bearing_to
from zareba.space.field.bodies import Base
from zareba.space.geometry import Point, box_around
from zareba.table import Option, Table
from zareba_rulesets.fixed_baynet.actions.actor import (
    AS_A_UNIT,
    ActiveMan,
    ActiveUnit,
    FixedValueManAction,
    SimpleManAction,
    SimpleUnitAction,
    UnitAction,
    UnitActionKind,
)
from zareba_rulesets.fixed_baynet.actions.wording import distance_of_enemy
from zareba_rulesets.fixed_baynet.chapters.cavalry import (
    StraightRide,
    allowed_gaits,
    ride_points,
    ride_straight,
    ride_with_turns,
    riders,
)
from zareba_rulesets.fixed_baynet.chapters.contact import has_exact_position, men_held, men_in_contact
from zareba_rulesets.fixed_baynet.chapters.movement import (
    March,
    allowance,
    can_march,
    can_move,
    crowd_refusal,
    face_enemy,
    movers,
    moves_away,
    nearest_enemy,
    resolve_move,
    room_refused,
    room_walks,
    shift_men,
    short_of_hidden,
    walk_cost,
    way_refused,
)
from zareba_rulesets.fixed_baynet.chapters.victory import unit_exit_edges
from zareba_rulesets.fixed_baynet.estimates import (
    HOLDS_OBJECTIVE,
    KEEPS_PLACE,
    POINT,
    STANDOFF,
    PositionValue,
    UnitView,
    far_off,
    is_melee,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, bases_near, open_ground
from zareba_rulesets.fixed_baynet.forces.formations import is_formed
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit


class MoversAndPoints(NamedTuple):
    """The men who take part in a move of their unit, and the points they can all reach."""

    men: list[Figure]
    points: MoveSuggestions


# --- destinations -----------------------------------------------------------------------------------------------------


def _is_visible_enemy(battle: Battle, unit: Unit, carrier_id: str) -> bool:
    """Return True if the carrier of an object is an enemy that is not hidden."""
    carrier = battle.units[carrier_id]
    return carrier.spec.side != unit.spec.side and "hidden" not in carrier.marks


def march_goals(battle: Battle, unit: Unit) -> list[Point]:
    """Return points a unit may want to reach: its exit, the nearest enemy and the scenario's objectives."""
    goals = [_middle_at_edge(battle, unit, edge) for edge, _ in unit_exit_edges(battle, unit)]
    foe = nearest_enemy(battle, unit).unit
    if foe is not None:
        goals.append(((foe.box[0] + foe.box[2]) / 2, (foe.box[1] + foe.box[3]) / 2))
    goals += [
        carried_object.at
        for carried_object in battle.carried_objects.values()
        if not carried_object.taken_by
        and (not carried_object.carrier or _is_visible_enemy(battle, unit, carried_object.carrier))
    ]
    goals += battle.field.places
    if not goals:
        goals.append((battle.field.width / 2, battle.field.depth / 2))
    return goals


def _middle_at_edge(battle: Battle, unit: Unit, edge: str) -> Point:
    """Return the position of a unit's middle when its first man has reached an edge."""
    (x, y), (w, s, e, n), field = unit.middle, unit.box, battle.field
    to_edge = {"north": (0.0, field.depth - n), "south": (0.0, -s), "east": (field.width - e, 0.0), "west": (-w, 0.0)}
    east, north = to_edge[edge]
    return x + east, y + north


def march_destinations(battle: Battle, unit: Unit) -> MoversAndPoints:
    """Return the men who take part in a move of their unit, and the points they can all reach (FBN-039, FBN-050)."""
    return _cached_destinations(battle, unit, "move", _find_march_destinations)


def _find_march_destinations(battle: Battle, unit: Unit) -> MoversAndPoints:
    """Return the marchers and the points they can reach, without the cache (see `march_destinations`)."""
    men = movers(battle, unit)
    x, y = unit.middle
    march = March(battle, unit, men, float(max([allowance(battle, man) for man in men])))

    def refuse(point: Point) -> str | None:
        if unit.back and not moves_away(battle, unit.spec.side, men, point[0] - x, point[1] - y):
            return "it must fall back from the enemy (FBN-160)"
        return march.reason_against(point[0] - x, point[1] - y)

    return MoversAndPoints(men, StepSuggestions(march, unit.middle, march_goals(battle, unit), refuse, unit.back))


def ride_destinations(battle: Battle, unit: Unit, gait: int) -> MoversAndPoints:
    """Return the riders of a unit, and the points they can all reach at a gait (FBN-172, FBN-174)."""
    return _cached_destinations(
        battle, unit, ("ride", gait), lambda battle, unit: _find_ride_destinations(battle, unit, gait)
    )


def _find_ride_destinations(battle: Battle, unit: Unit, gait: int) -> MoversAndPoints:
    """Return the riders and the points they can reach, without the cache (see `ride_destinations`)."""
    men = riders(battle, unit)
    x, y = unit.middle
    cavalcade = StraightRide(battle, unit, men, gait)

    def refuse(point: Point) -> str | None:
        if unit.back and not moves_away(battle, unit.spec.side, men, point[0] - x, point[1] - y):
            return "it must fall back from the enemy (FBN-160)"
        return cavalcade.reason_against(point[0] - x, point[1] - y)

    return MoversAndPoints(men, ride_points(battle, unit, cavalcade, march_goals(battle, unit)[:MOST_GOALS], refuse))


def _cached_destinations(
    battle: Battle, unit: Unit, action: Option, find: Callable[[Battle, Unit], MoversAndPoints]
) -> MoversAndPoints:
    """Return the destinations of an action. Those for the current choice are cached on its menu."""
    menu = battle.menu
    if menu is None or not menu.is_for(battle, unit):
        return find(battle, unit)
    cache: dict[Option, MoversAndPoints] = menu.ways
    if action not in cache:
        cache[action] = find(battle, unit)
    return cache[action]


def check_ranks(battle: Battle, unit: Unit) -> None:
    """Mark a unit as unformed if its men no longer keep its formation (FBN-272)."""
    in_contact = men_in_contact(battle, unit)
    men = [f for f in unit.figures.values() if f.steady and not f.prone and not f.place and f.spec.id not in in_contact]
    if not is_formed(battle, unit, men):
        unit.mark("unformed")


def _check_ranks_after_move(battle: Battle, unit: Unit) -> None:
    """Test the formation of a unit that has moved as a whole, if losses or panic have torn gaps before.

    The move itself keeps the ranks (FBN-064).
    """
    if unit.shape != "open" and len(unit.steady) < unit.start and "loose" not in unit.marks:
        check_ranks(battle, unit)


def _choose_destination(table: Table, unit: Unit, points: MoveSuggestions, why: str, rule: str) -> Point:
    """Ask the owner for the destination of the middle of a whole unit."""
    actor = unit.spec.id
    return table.place(unit.spec.side, points, points.legal, why=why, rule=rule, actor=actor, cost=points.cost)


# --- marching ---------------------------------------------------------------------------------------------------------


def _may_move(actor: ActiveUnit) -> bool:
    """Return True if some man on foot can take part in a move of the unit (FBN-039)."""
    able, unit = actor.able, actor.unit
    return able.riders < len(able.men) and "stuck" not in unit.marks and can_march(actor.battle, unit, able.men)


def _move(table: Table, actor: ActiveUnit) -> None:
    """Move the whole unit: its middle goes to a point, and all men make the same straight move (FBN-050)."""
    battle, unit = actor.battle, actor.unit
    men, points = march_destinations(battle, unit)
    x, y = unit.middle
    if not points:
        unit.mark("stuck")
        table.emit("no way", "FBN-039", unit=unit.spec.id)
        return
    point = _choose_destination(table, unit, points, "move to", "FBN-039")
    starts = [man.at for man in men]
    unit.marks = frozenset(mark for mark in unit.marks if not mark.startswith("stuck"))
    if len(men) < sum(man.steady and not man.place for man in unit.figures.values()):
        unit.mark("loose")
    dx, dy = short_of_hidden(battle, unit, men, point[0] - x, point[1] - y)
    shift_men(battle, unit, men, dx, dy)
    face_enemy(battle, unit, men, dx, dy)
    _check_ranks_after_move(battle, unit)
    x, y = unit.middle
    table.emit("move", "FBN-039", unit=unit.spec.id, men=len(men), of=len(unit.figures), x=round(x, 1), y=round(y, 1))
    resolve_move(table, battle, unit, men, starts)


def _value_of_moving(view: UnitView) -> Evaluation:
    """Return the value of a move. It is positive only if some move leads to a better position."""
    worth = _wish_to_move(view)
    if worth.ground <= 0 or PositionValue(view).better(march_destinations(view.battle, view.unit).points) is not None:
        return worth
    return NO_BETTER_PLACE


def _wish_to_move(view: UnitView) -> Evaluation:
    """Return the value of moving.

    Units with close weapons close in, shooters go where they can shoot, and a unit with an objective gets there in
    time.
    """
    (away, foe), objective = view.nearest, view.objective
    if view.holds_objective:
        return HOLDS_OBJECTIVE
    if view.keeps_place:
        return KEEPS_PLACE
    if view.civil and view.is_barred and not view.is_urgent:
        return _WAITS_FOR_ESCORT
    if objective is not None and (objective.units or view.is_urgent):
        worth = 0.07
        if not objective.units:
            worth = max(0.25, POINT * objective.points)
            if view.shoots:  # men who are shot first do not have to be fought on the place
                worth *= view.objectives.share_at(view.battle, view.unit, objective)
        return Evaluation(ground=worth if view.inches_left else -0.03, reason=_objective_reason(view))
    if foe is None:
        return _NO_ENEMY_SEEN if view.inches_left else SETTLED
    near = partial(distance_of_enemy, away)
    if view.melee:
        if view.runs_into_fire:
            return _WAITS
        return Evaluation(ground=0.06 if away > 1 else -0.02, reason=near)
    if not view.shoots and view.prey is not None:
        return _CLOSES_IN if away > view.book.between_men + view.book.contact else _IN_TOUCH
    if not view.civil and (view.shoots or view.objectives.defends(view.unit.spec.side)):
        shelter = view.shelter(foe)
        if shelter >= 2:
            return Evaluation(ground=-0.05, reason=partial("it stands in cover of {} (FBN-023)".format, shelter))
    if away > far_off(view.book):
        return Evaluation(ground=0.05, reason=partial('rifles have little effect at {:.0f}"'.format, away))
    if view.civil:
        if PositionValue(view).gain(float(view.man.spec.sp)) <= 0:
            return Evaluation(ground=-0.02, reason=near)
        return Evaluation(ground=0.05 if away < 12 else 0.01, reason=near)
    if objective is not None and view.inches_left and away > STANDOFF:
        return Evaluation(ground=0.02, reason=_objective_reason(view))
    if not view.shoots:
        strong = 2 * len(foe.figures) > len(view.unit.figures)
        several = 4 * len(foe.figures) > len(view.unit.figures)
        waits = strong or (several and view.nearest_is_no_target and not view.inches_left)
        if waits and away <= STANDOFF + view.man.spec.sp and is_melee(view.battle, foe):
            return _LETS_HIM_COME
        if view.objectives.leaves_its_ward(view.battle, view.unit):
            return _STAYS_NEAR
        return Evaluation(ground=0.02 if away > 1 else -0.02, reason=partial(_no_target, away))
    return Evaluation(
        ground=0.015 if away > STANDOFF else -0.03, reason=f'it keeps {STANDOFF:.0f}" away from the enemy'
    )


def _no_target(away: float) -> str:
    """Return the reason for a move of men who have no target."""
    return f"it has no target; {distance_of_enemy(away)}"


def _objective_reason(view: UnitView) -> Callable[[], str]:
    """Return the reason for a move to the objective: how far it still is."""
    assert view.objective is not None, "only units with an objective ask"
    return partial('its objective is {:.0f}" away (FBN-265)'.format, view.inches_left)


_CLOSES_IN = Evaluation(ground=0.04, reason="nobody can shoot at that enemy, but he can be fought (FBN-052)")
_IN_TOUCH = Evaluation(ground=-0.02, reason="the enemy is in reach of its blows")
_LETS_HIM_COME = Evaluation(ground=-0.02, reason="it shoots when the enemy comes, and he strikes if it goes to him")
_STAYS_NEAR = Evaluation(ground=-0.02, reason="it guards a unit under escort and has no target")
_WAITS = Evaluation(ground=-0.02, reason="the enemy can still shoot in this turn, and no charge is in reach")
NO_BETTER_PLACE = Evaluation(ground=-0.02, reason="no legal move leads to a better place (FBN-050)")
_WAITS_FOR_ESCORT = Evaluation(ground=-0.02, reason="enemies bar the way, and there is time to clear it")
_NO_ENEMY_SEEN = Evaluation(ground=0.02, reason="there is no enemy in sight")
SETTLED = Evaluation(ground=-0.02, reason="there is no enemy in sight and nothing to gain")

MOVE = SimpleUnitAction(
    "move", "move together (1 AC each)", is_legal=_may_move, effect=_move, evaluation=_value_of_moving
)


# --- riding -----------------------------------------------------------------------------------------------------------


@final
class Ride(UnitAction, verb="ride", text="ride at a {gait:gait}: {gait:pace} (1 AC)"):
    """A straight ride of a whole unit (FBN-173)."""

    gait: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for gait in actor.gaits:
            if f"stuck {gait}" not in actor.unit.marks:
                yield cls(gait)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, unit, gait = actor.battle, actor.unit, self.gait
        men, points = ride_destinations(battle, unit, gait)
        x, y = unit.middle
        if not points:
            unit.mark(f"stuck {gait}")
            table.emit("no way", "FBN-173", unit=unit.spec.id)
            return
        point = _choose_destination(table, unit, points, "ride to", "FBN-173")
        if len(men) < sum(man.steady for man in unit.figures.values()):
            unit.mark("loose")
        ride_straight(table, battle, unit, men, gait, *short_of_hidden(battle, unit, men, point[0] - x, point[1] - y))
        _check_ranks_after_move(battle, unit)

    def value(self, view: UnitView) -> Evaluation:
        worth = _wish_to_ride(view, self.gait)
        return worth if worth.ground <= 0 or _leads_nearer(view, self.gait) else _NO_NEARER


@final
class Wheel(UnitAction, verb="wheel", text="ride at a {gait:gait}, turning on the way: {gait:pace} (1 AC)"):
    """A ride of a whole unit with turns (FBN-175)."""

    gait: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        if not actor.unit.back and "stuck wheel" not in actor.unit.marks:
            for gait in actor.gaits:
                yield cls(gait)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        ride_with_turns(table, actor.battle, actor.unit, self.gait)
        _check_ranks_after_move(actor.battle, actor.unit)

    def value(self, view: UnitView) -> Evaluation:
        """Return a positive value only if no straight ride helps; a straight ride goes farther."""
        helps = _wish_to_ride(view, self.gait).ground > 0 and _may_lead_nearer(view, PositionValue(view), self.gait)
        turns = helps and not _leads_nearer(view, self.gait)
        return Evaluation(ground=0.02 if turns else -0.02, reason="turns shorten a ride (FBN-175)")


RIDE: UnitActionKind = UnitActionKind("ride", Ride, Wheel, question="ride how", rule="FBN-173", text="ride (1 AC each)")


def _wish_to_ride(view: UnitView, gait: int) -> Evaluation:
    """Return the value of riding.

    Riders with close weapons gather pace, others ride while the enemy is far, and a unit with an objective gets there
    in time.
    """
    away = view.nearest.inches
    if view.holds_objective:
        return HOLDS_OBJECTIVE
    if view.keeps_place:
        return KEEPS_PLACE
    if view.is_urgent and view.objective is not None:
        worth = max(0.2, POINT * view.objective.points)
        return Evaluation(ground=worth + 0.01 * gait, reason=_objective_reason(view))
    if not view.shoots and view.prey is not None:
        if away <= view.book.between_men + view.book.contact:
            return _IN_TOUCH
        return replace(_CLOSES_IN, ground=_CLOSES_IN.ground + 0.01 * gait)
    if view.melee or view.man.spec.close:
        if not view.ride_pays:
            return _KEEPS_OUT
        return Evaluation(
            ground=0.03 + 0.01 * gait if away > 2 else -0.02, reason="it gathers pace for a charge (FBN-176)"
        )
    worth = 0.03 + 0.001 * gait if away > 20 else -0.02
    return Evaluation(ground=worth, reason=partial('it ends {:.0f}" from the enemy'.format, away))


def _leads_nearer(view: UnitView, gait: int) -> bool:
    """Return True if some legal straight ride at this gait improves the unit's position."""
    if gait not in view.ride_helps:
        positions = PositionValue(view)
        view.ride_helps[gait] = (
            _may_lead_nearer(view, positions, gait)
            and positions.better(ride_destinations(view.battle, view.unit, gait).points) is not None
        )
    return view.ride_helps[gait]


def _may_lead_nearer(view: UnitView, positions: PositionValue, gait: int) -> bool:
    """Return True if a ride at this gait, with all ways open, could improve the position.

    A ride whose minimum distance leads past the goal is worse than standing still (FBN-174).
    """
    kind = view.book.gaits[gait]
    least = float(max(1, kind.least))
    return positions.gain(least, (least + kind.most) / 2, float(kind.most)) > 0


_KEEPS_OUT = Evaluation(ground=-0.02, reason="a charge is not worth the men who may be shot on the way")
_NO_NEARER = Evaluation(ground=-0.02, reason="no ride at this gait leads nearer (FBN-174)")


# --- one man ----------------------------------------------------------------------------------------------------------


def may_walk(actor: ActiveMan) -> bool:
    """Return True if one man can leave his place on foot (FBN-039, FBN-051)."""
    battle, unit, man = actor.battle, actor.unit, actor.man
    on_foot = (not man.mounted and not man.place) or (bool(man.place) and has_exact_position(battle, man))
    return on_foot and can_move(battle, man) and man.spec.id not in men_held(battle, unit)


def _walks_of(actor: ActiveMan) -> MoveSuggestions:
    """Return points to which one man can walk with one action (FBN-039)."""
    if actor.walks is None:
        actor.walks = _find_walks(actor.battle, actor.unit, actor.man)
    return actor.walks


def _find_walks(battle: Battle, unit: Unit, man: Figure) -> MoveSuggestions:
    """Return points to which one man can walk with one action, without the cache (FBN-039)."""
    if man.place:
        return room_walks(battle, unit, man, lambda at: _walk_refused(battle, unit, man, at, ()))
    most = float(allowance(battle, man))
    bases = bases_near(battle, box_around(man.at, most), 2.0, (man.spec.id,), unit.spec.side)
    bearings = [atan2d(x - man.x, y - man.y) for x, y in march_goals(battle, unit)[:2]]
    bearings += [float(turn) for turn in range(0, 360, 90)]

    return MoveSuggestions.by_bearings(
        man.at, bearings, lambda _: (most, most / 2), lambda at: _walk_refused(battle, unit, man, at, bases)
    )


def _walk_refused(battle: Battle, unit: Unit, man: Figure, point: Point, bases: Sequence[Base]) -> str | None:
    """Return why a man may not walk to a point, or None (FBN-050, FBN-160). `bases` are those around him."""
    move = point[0] - man.x, point[1] - man.y
    if man.place:
        refused = room_refused(battle, man, point)
    elif not open_ground(battle, *point):
        refused = "no figure can stand there (FBN-065)"
    else:
        refused = crowd_refusal(battle, unit.spec.side, [man.at], move, battle.radius(man), bases)
        refused = refused or way_refused(battle, man, point)
    if refused:
        return refused
    if unit.back and not moves_away(battle, unit.spec.side, [man], *move):
        return "it must fall back from the enemy (FBN-160)"
    return None


def _walk(table: Table, actor: ActiveMan) -> None:
    """Move one man to a point his owner chooses, for 1 AC (FBN-039)."""
    battle, unit, man, walks = actor.battle, actor.unit, actor.man, _walks_of(actor)
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
    resolve_move(table, battle, unit, [man], [start])


WALK_ALONE = SimpleManAction(
    "walk",
    "walk (1 AC)",
    is_legal=lambda actor: may_walk(actor) and bool(_walks_of(actor)),
    effect=_walk,
    evaluation=AS_A_UNIT,
    lazy=True,
)


@final
class RideAlone(FixedValueManAction, verb="ride", text=Ride.text, fixed_value=AS_A_UNIT.of):
    """A ride of one man. If no ride is possible at this gait, he stays where he is (FBN-016, FBN-179)."""

    gait: int

    @classmethod
    def options(cls, actor: ActiveMan) -> Iterator[Self]:
        if actor.rides:
            for gait in allowed_gaits(actor.battle.book, actor.man):
                yield cls(gait)

    def perform(self, table: Table, actor: ActiveMan) -> None:
        battle, unit, man = actor.battle, actor.unit, actor.man
        cavalcade, (x, y) = StraightRide(battle, unit, [man], self.gait), man.at

        def refuse(point: Point) -> str | None:
            if unit.back and not moves_away(battle, unit.spec.side, [man], point[0] - x, point[1] - y):
                return "it must fall back from the enemy (FBN-160)"
            return cavalcade.reason_against(point[0] - x, point[1] - y)

        points = ride_points(battle, unit, cavalcade, [], refuse, man.at)
        name = man.spec.id
        if not points:
            table.emit("no way", "FBN-173", unit=name)
            return
        point = table.place(unit.spec.side, points, refuse, why="ride to", rule="FBN-173", actor=name, cost=points.cost)
        unit.mark("loose")
        ride_straight(
            table, battle, unit, [man], self.gait, *short_of_hidden(battle, unit, [man], point[0] - x, point[1] - y)
        )
