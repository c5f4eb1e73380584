"""Where a unit should go: to an objective, an enemy, a safe place or its edge. An aid for AI players, not a rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import ceil, inf
from typing import NamedTuple

from zareba.base.exact import dist, distances, hypot
from zareba.base.speedups import cached_attribute
from zareba.space import Point
from zareba.space.outlines import nearest_on_edge
from zareba_rulesets.paychest.forces.battle import Battle, Objective
from zareba_rulesets.paychest.forces.units import Figure, Unit

_LOADED_PACE = 5.0
"""Inches per turn at which a captured object moves home, heavy or light."""
_DETOUR = 12.0
"""The distance in inches within which a more valuable object is fetched before the one in hand is taken home."""
ROOM = 4.0
"""The distance in inches around a place within which an enemy disputes it."""


class Intention(NamedTuple):
    """Where a unit should go: within a radius in inches of a point, at the end of the turn `due` (0: any time).

    `reach` is the distance within which the unit holds a place, 0 for other intentions.
    """

    at: Point
    radius: float
    due: int
    kind: str
    reach: float = 0.0


class UnitIntentions:
    """The intention of a unit, and the enemies that matter for it, each computed on first use.

    An instance serves one question, because the table does not change while a question is being answered.
    """

    keeps_places = False
    """True if the only unit on a place leaves it only for one that is worth more."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self._battle, self._unit = battle, unit

    @cached_attribute
    def claim(self) -> Objective | None:
        """The place that the unit should hold at the end."""
        return claim_of(self._battle, self._unit)

    @cached_attribute
    def intention(self) -> Intention | None:
        """The unit's intention: the edge if it has a captured object, else its order (PAY-033), else a place to hold.

        Without any of these it is the most valuable place or thing not too far away. An escort objective comes before
        orders and places to hold. Only one unit stays on a place already held. A unit that cannot fight avoids the
        enemy.
        """
        battle, unit = self._battle, self._unit
        here = unit.positions.middle
        home = _way_home(battle, unit, here)
        if home is not None:
            return home
        ordered = battle.orders.get(unit.spec.id)
        if ordered is not None:
            return _best_intention(battle, unit, here, 0.0, Intention(ordered, battle.book.held_within, 0, "order"))
        if not can_fight(unit):
            refuge = refuge_of(battle, unit, here)
            idle = (
                Intention(here, battle.book.held_within, 0, "post")
                if refuge is None
                else Intention(refuge, ROOM, 0, "refuge")
            )
            return _best_intention(battle, unit, here, 0.0, idle)
        claim = self.claim
        if claim is None or claim.at is None:
            return _best_intention(battle, unit, here, keeps_places=self.keeps_places)
        return _best_intention(battle, unit, here, -500.0, Intention(claim.at, claim.radius, claim.due, "claim"))

    @property
    def destination(self) -> Point | None:
        """The point of the unit's intention, or None if it has none or should stay at its post."""
        return self.intention.at if self.intention is not None and self.intention.kind != "post" else None

    @cached_attribute
    def enemy(self) -> Figure | None:
        """The nearest able figure of the nearest enemy unit.

        For mounted units: the nearest they can ride at, if there is one.
        """
        return _nearest_enemy(self._battle, self._unit)

    @cached_attribute
    def intruder(self) -> Figure | None:
        """The nearest enemy on the place the unit should hold at the end, or None if it is undisputed."""
        if self.claim is None:
            return None
        here, spots = self._unit.positions.middle, enemies_at(self._battle, self._unit.spec.side, self.claim)
        return min(spots, key=lambda spot: dist(spot[0], here))[1] if spots else None


def _best_intention(
    battle: Battle,
    unit: Unit,
    here: Point,
    lowest_cost: float = inf,
    intention: Intention | None = None,
    *,
    keeps_places: bool = False,
) -> Intention | None:
    """Return the intention of reaching the best objective, if that objective is better than the given intention.

    An objective costs its distance in inches, less 12 for each point it is worth; the lowest cost wins. With
    `keeps_places`, points count twice for a place that the unit alone holds, because it gives them up if it leaves. It
    does not leave for an objective to which a friend who holds no place alone is nearer.
    """
    side = unit.spec.side
    free_friends = _friends_with_no_place(battle, unit) if keeps_places else []
    for objective in battle.objectives:
        way_out = (
            objective.kind == "escort" and objective.edge
        )  # units still on the way go on when enough have got through
        if side not in objective.sides or (objective.id in battle.achieved and not way_out):
            continue
        if intention is not None and intention.kind in ("order", "refuge", "post") and objective.kind != "escort":
            continue
        at = _place_of(battle, unit, objective, here)
        if at is None:
            continue
        cost = dist(at, here) - 12.0 * objective.points
        if objective.kind == "escort":
            cost -= 1000.0
        elif objective.kind == "post":
            cost += 1000.0
        if keeps_places and objective.kind == "hold" and _stands_alone_on(battle, unit, objective):
            cost -= 12.0 * objective.points
        elif any(dist(friend.positions.middle, at) < dist(here, at) for friend in free_friends):
            continue
        if cost >= lowest_cost:
            continue
        kind, due, radius = objective.kind, objective.due, objective.radius
        if kind == "hold":
            holder = _holder(battle, side, objective, ignores_routers=keeps_places)
            if holder not in ("", unit.spec.id):
                continue
            if holder:
                kind, radius = "keep", radius + battle.book.held_within
        elif kind == "carry_off":
            due = max(
                1, due - ceil(dist(at, nearest_on_edge(at, battle.field.table.extent, objective.edge)) / _LOADED_PACE)
            )
        lowest_cost, intention = cost, Intention(at, radius, due, kind)
    return intention


def _friends_with_no_place(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the fighting units of the side that stand alone on no place; none if `unit` itself stands alone on
    none.
    """
    places = [
        objective
        for objective in battle.objectives
        if objective.kind == "hold" and objective.points and unit.spec.side in objective.sides
    ]
    if not any(_stands_alone_on(battle, unit, objective) for objective in places):
        return []
    return [
        friend
        for friend in battle.side_units(unit.spec.side)
        if friend is not unit and not friend.rout and not friend.spec.single and can_fight(friend)
        if not any(_stands_alone_on(battle, friend, objective) for objective in places)
    ]


def _stands_alone_on(battle: Battle, unit: Unit, objective: Objective) -> bool:
    """Return True if a unit is the only one of its side on a place to hold."""
    assert objective.at is not None, "a place to hold has a middle"
    reach = objective.radius + battle.book.held_within
    if dist(unit.positions.middle, objective.at) > reach:
        return False
    friends = [friend for friend in battle.side_units(unit.spec.side) if friend is not unit and not friend.rout]
    return not any(dist(friend.positions.middle, objective.at) <= reach for friend in friends)


def _way_home(battle: Battle, unit: Unit, here: Point) -> Intention | None:
    """Return the edge as the intention of a unit with a captured object, unless a more valuable one lies close by."""
    loaded = {thing.goal for thing in battle.things_of_objectives() if thing.carrier in unit.figures}
    if not loaded:
        return None
    own_objectives = [g for g in battle.objectives if g.kind == "carry_off" and unit.spec.side in g.sides]
    best_objective = max(
        (g for g in own_objectives if g.thing in loaded), key=lambda objective: objective.points, default=None
    )
    if best_objective is None or best_objective.id in battle.achieved:
        return None
    more_valuable = {
        objective.thing
        for objective in own_objectives
        if objective.points > best_objective.points and objective.id not in battle.achieved
    }
    if any(
        t.goal in more_valuable and t.at is not None and dist(t.at, here) <= _DETOUR
        for t in battle.things_of_objectives()
    ):
        return None
    return Intention(nearest_on_edge(here, battle.field.table.extent, best_objective.edge), 0.0, 0, "carried object")


def _place_of(battle: Battle, unit: Unit, objective: Objective, here: Point) -> Point | None:
    """Return the point where an objective may need this unit, or None if it never does."""
    if objective.kind == "hold":
        return objective.at
    if objective.kind == "carry_off":
        things_on_ground = [
            t.at for t in battle.things_of_objectives() if t.goal == objective.thing and t.at is not None
        ]
        return min(things_on_ground, key=lambda spot: dist(spot, here), default=None)
    if objective.kind == "escort":
        if unit.spec.id not in objective.units:
            return None
        return nearest_on_edge(here, battle.field.table.extent, objective.edge) if objective.edge else objective.at
    if objective.kind == "capture_leader":
        return battle.figure(objective.leader).at if objective.leader else None
    if objective.kind == "destroy":
        unit_points = [
            battle.unit(key).positions.middle for key in objective.units if battle.unit(key).has_able_figures
        ]
        return min(unit_points, key=lambda spot: dist(spot, here), default=None)
    return here if unit.spec.id in objective.units else None


def _holder(battle: Battle, side: str, objective: Objective, *, ignores_routers: bool) -> str:
    """Return the unit that holds a place its side has to itself, or "" while an enemy disputes it.

    With `ignores_routers`, an enemy that runs past disputes nothing.
    """
    assert objective.at is not None, "a place to hold has a middle"
    x, y = objective.at
    best, name = objective.radius + battle.book.held_within, ""
    for key, unit in battle.units.items():
        if unit.spec.side == side and unit.has_able_figures:
            west, south, east, north = unit.box
            across = (west + east) / 2 - x
            if -best <= across <= best and not unit.rout:
                distance = hypot(across, (south + north) / 2 - y)
                if distance < best or (distance == best and (not name or key < name)):
                    best, name = distance, key
    if not name:
        return ""
    for enemy in battle.enemies(side):
        if ignores_routers and enemy.rout:
            continue
        west, south, east, north = enemy.box
        if (
            dist(((west + east) / 2, (south + north) / 2), objective.at)
            <= objective.radius + battle.book.held_within + ROOM
        ):
            return ""
    return name


def _nearest_enemy(battle: Battle, unit: Unit) -> Figure | None:
    """Return the nearest able figure of the nearest enemy unit, for riders one that stands where they can ride."""
    here = unit.positions.middle
    x, y = here
    enemies: list[tuple[float, int, Unit]] = []
    for other in battle.enemies(unit.spec.side):
        west, south, east, north = other.box
        across = west - x if x < west else x - east if x > east else 0.0
        along = south - y if y < south else y - north if y > north else 0.0
        enemies.append((across * across + along * along, len(enemies), other))
    if not enemies:
        return None
    if any(figure.mount for figure in unit.able):
        for _, _, other in sorted(enemies):
            for figure in sorted(other.able, key=lambda figure: dist(figure.at or here, here)):
                if figure.at is not None and battle.field.move_costs["mounted"].can_stand(figure.at):
                    return figure
    able = min(enemies)[2].able
    gaps = distances(here, [figure.at or here for figure in able])
    return able[gaps.index(min(gaps))]


# --- The units that go to the places to hold at the end of the game ---------------------------------------------------


_PACE = 6.0
"""Inches a unit advances in a turn on partly difficult ground."""
_SPARE = 1
"""Turns to spare when a unit sets out for the place it should hold at the end."""
_CLEAR = 6.0
"""The distance in inches around a place within which there must be no enemy if a single figure is to hold it."""


def claim_of(battle: Battle, unit: Unit) -> Objective | None:
    """Return the place that a unit should stand on at the end, to hold it or deny it to the enemy, or None.

    The most valuable place is assigned first. Each goes to the nearest unit, once that unit must set out to be there
    in time.
    """
    side = unit.spec.side
    claimed: list[str] = []
    places = [objective for objective in battle.objectives if objective.kind == "hold" and objective.at is not None]
    if not places:
        return None
    for objective in sorted(places, key=lambda objective: -objective.points):
        name = _unit_that_must_set_out(battle, side, objective, claimed)
        if name == unit.spec.id:
            return objective
        if name:
            claimed.append(name)
    return None


def _unit_that_must_set_out(battle: Battle, side: str, objective: Objective, claimed: Collection[str]) -> str:
    """Return the nearest unit that can take a place, if it has no time to spare, else ""."""
    at, best, name = objective.at, inf, ""
    assert at is not None, "a place to hold has a middle"
    turns_left = objective.due - battle.turn - _SPARE
    (x, y), (width, depth) = at, battle.field.table.extent
    if turns_left > _turns_to_walk(hypot(max(x, width - x), max(y, depth - y)), objective):
        return ""  # there is time enough from anywhere
    for key, unit in battle.units.items():
        if unit.spec.side != side or not unit.has_able_figures or unit.rout or key in claimed:
            continue
        positions = unit.positions
        distance = dist(positions.middle, at)
        if distance > best or (distance == best and key > name):
            continue
        if not can_fight(unit):
            continue
        if len(positions.able) > 1 or not enemies_at(battle, side, objective, _CLEAR):
            if turns_left > _turns_to_walk(distance, objective):
                return ""
            best, name = distance, key
    return name


def _turns_to_walk(distance: float, objective: Objective) -> int:
    """Return the number of turns needed to reach a place from a distance in inches."""
    return ceil(max(0.0, distance - objective.radius) / _PACE)


def enemies_at(battle: Battle, side: str, objective: Objective, room: float = 0.0) -> list[tuple[Point, Figure]]:
    """Return the enemies of a side on a place or within `room` inches of it."""
    return figures_at(battle.enemies(side), objective, room)


def figures_at(units: Iterable[Unit], objective: Objective, room: float = 0.0) -> list[tuple[Point, Figure]]:
    """Return the able figures of some units on a place or within `room` inches of it, each with its position."""
    at, reach = objective.at, objective.radius + room
    assert at is not None, "a place to hold has a middle"
    return [
        (figure.at, figure)
        for unit in units
        if unit.box[0] - reach <= at[0] <= unit.box[2] + reach
        if unit.box[1] - reach <= at[1] <= unit.box[3] + reach
        for figure in unit.able
        if figure.at is not None and dist(figure.at, at) <= reach
    ]


# --- Safe places for units that cannot fight: out of the enemy's reach or behind friends ------------------------------


_REACH = 24.0
"""The distance in inches from which an enemy may reach a cart in a turn or two."""
BEHIND = 6.0
"""The distance in inches behind the middle of a friendly unit at which there is room."""


def can_fight(unit: Unit) -> bool:
    """Return True if at least half of a unit have a weapon of any kind."""
    able = unit.able
    return 2 * sum([bool(figure.weapons) for figure in able]) >= len(able)


def _fighters(battle: Battle, unit: Unit, *, own: bool) -> list[Point]:
    """Return the centres of the units that would fight for or against a unit, without routers and single figures."""
    side = unit.spec.side
    others = battle.side_units(side) if own else battle.enemies(side)
    return [o.positions.middle for o in others if o is not unit and not o.rout and not o.spec.single and can_fight(o)]


def threat_at(battle: Battle, unit: Unit, at: Point) -> Point | None:
    """Return the position of the nearest enemy if it threatens a unit at this place, else None.

    It does if it is within reach and no friend is nearer to it.
    """
    foe = min(_fighters(battle, unit, own=False), key=lambda middle: dist(middle, at), default=None)
    if foe is None or dist(foe, at) > _REACH:
        return None
    screened = any(dist(friend, foe) < dist(at, foe) for friend in _fighters(battle, unit, own=True))
    return None if screened else foe


def refuge_of(battle: Battle, unit: Unit, here: Point) -> Point | None:
    """Return where a threatened unit should go: behind the nearest friends, or straight away from the enemy.

    None if it is safe.
    """
    foe = threat_at(battle, unit, here)
    if foe is None:
        return None
    friend = min(_fighters(battle, unit, own=True), key=lambda middle: dist(middle, here), default=None)
    x, y = friend or here
    gap = dist((x, y), foe) or 1.0
    share = (BEHIND if friend else _REACH) / gap
    return battle.field.table.nearest_point_inside((x + (x - foe[0]) * share, y + (y - foe[1]) * share))
