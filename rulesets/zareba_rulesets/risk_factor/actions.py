"""Orders to units that are free to obey: what a player may do with commanded troops and leaders (RSK-066, RSK-163).

Each order says when it is legal, its text, its effect, and its value to an AI player.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Self, final

from zareba.actions import Action, ActionTable
from zareba.base.exact import dist
from zareba.base.grammar import amount, in_a_sentence, percent
from zareba.base.speedups import cached_attribute
from zareba.plugins.ruleset import Evaluation
from zareba.rules import procedure
from zareba.space.bearings import bearing_to, direction
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, towards
from zareba.table import LazyOptions, Option, Table
from zareba_rulesets.risk_factor.chapters.action_moves import fall_back, way_back
from zareba_rulesets.risk_factor.chapters.action_throws import is_flanked
from zareba_rulesets.risk_factor.chapters.charge import may_reach
from zareba_rulesets.risk_factor.chapters.command import is_coherent
from zareba_rulesets.risk_factor.chapters.movement import (
    allowance,
    can_walk,
    free_spot_near,
    full_move,
    go,
    march_cost,
    nearest_cover,
    path_to,
    place_body,
    short_of,
    stand_to_kill,
    threat_point,
    turn_towards,
)
from zareba_rulesets.risk_factor.chapters.sight import nearest_visible, sees
from zareba_rulesets.risk_factor.estimates.action_forecast import ActionForecast
from zareba_rulesets.risk_factor.estimates.objectives import LeaderPlaces
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.ground import along_works
from zareba_rulesets.risk_factor.translation import Plan

PACES = {"full": 1.0, "half": 0.5}  # shares of a move
COMPASS = (0, 45, 90, 135, 180, 225, 270, 315)  # facings in degrees clockwise from north
_NEAREST = 3
"""The number of enemies in sight that a unit may advance on."""
_NEARER = 0.1  # cm; smaller differences may be rounding errors
_CLOSE_BY = 0.5  # cm between a leader and the group he joins
_REST = 0.005
"""The value of staying if moving gains nothing."""


class OrderedUnit:
    """A unit that is free to obey an order."""

    def __init__(self, battle: Battle, unit: Unit, plan: Plan) -> None:
        self.battle, self.unit, self.plan = battle, unit, plan
        self.is_in_contact = bool(battle.enemies_in_contact(unit))
        """True if the unit may only fight on or go back."""

    @cached_attribute
    def full_move(self) -> float:
        """The unit's move in cm."""
        return full_move(self.battle, self.unit)

    @cached_attribute
    def near(self) -> list[str]:
        """The nearest enemies in sight, at most three, by the circles round the units. Leaders with a group are left
        out.
        """
        battle, unit = self.battle, self.unit
        enemies = battle.standing(battle.enemy(unit.spec.side))
        near: list[str] = []
        for _, name in sorted(zip(enemies.least_gaps(unit.body), enemies.names, strict=True)):
            enemy = battle.units[name]
            if battle.is_a_unit(enemy) and sees(battle, unit, enemy):
                near.append(name)
                if len(near) == _NEAREST:
                    break
        return near

    def scatters_towards(self, at: Point) -> bool:
        """Return True if a full move towards a point is barred because it would scatter the group (RSK-046)."""
        return _scatters(self.battle, self.unit, at, self.full_move)


class OrderView:
    """A unit that may get an order, as an AI player sees it. `leader_places` values places for a Player Character.

    An order that is worth no more than `at_least` may get any such value, which saves time.
    """

    def __init__(self, forecast: ActionForecast, leader_places: Callable[[], LeaderPlaces]) -> None:
        self.battle, self.unit, self.forecast = forecast.battle, forecast.unit, forecast
        self._leader_places = leader_places
        self.at_least = -inf

    @cached_attribute
    def leader_places(self) -> LeaderPlaces:
        """The values of places for a Player Character."""
        return self._leader_places()

    @property
    def here(self) -> Point:
        """The unit's place."""
        return self.unit.body.centre

    def places(self) -> list[Point]:
        """Return the places to which the unit may march, and its exit if it has one."""
        battle, forecast, unit = self.battle, self.forecast, self.unit
        places = places_to_go(battle, unit, forecast.objectives.plan, full_move(battle, unit), forecast.cover)
        exit_ = forecast.side_objectives.exits.get(unit.spec.id)
        if exit_ is not None and exit_.at not in places:
            places.append(exit_.at)
        return [at for at in places if not battle.field.is_closed(at)]

    def stand_at(self, at: Point, facing: float | None = None) -> Evaluation:
        """Return the value of a place for a Player Character: his orders should be heard from there, in safety."""
        leader_places, here = self.leader_places, self.here
        front = facing if facing is not None else self.unit.facing if at == here else bearing_to(here, at)
        return Evaluation(
            ground=leader_places.value(at, front),
            reason=lambda: _command_reason(leader_places.share_in_command(at), is_here=at == here),
        )


def _command_reason(share: float, *, is_here: bool) -> str:
    """Return the share of the men that orders reach from a place, in words."""
    return f"his orders reach {'all' if share > 0.995 else f'{percent(share)} of'} the men from {'here' if is_here else 'there'}"


class Order(Action[OrderedUnit, OrderView], verb="", text=""):
    """An order. Its value depends on whether a Player Character, another leader or a group gets it."""

    def value(self, view: OrderView) -> Evaluation:
        if view.battle.is_commander(view.unit):
            return self.for_commander(view)
        return self.for_leader(view) if view.unit.spec.leader else self.for_group(view)

    def for_commander(self, view: OrderView) -> Evaluation:
        """Return the value for a Player Character, who should stay where his orders are heard, and out of danger."""
        return Evaluation(ground=-2.0, reason="this is no place for a commander")

    def for_leader(self, view: OrderView) -> Evaluation:
        """Return the value for another leader, who should be with a group."""
        cm = view.battle.book.lengths["with_group"]
        return Evaluation(reason=f"a leader belongs within {cm:g} cm of a group (RSK-048)")

    @abstractmethod
    def for_group(self, view: OrderView) -> Evaluation:
        """Return the value for a group: the effect of the order this turn."""

    def gains_nothing(self, view: OrderView) -> bool:
        """Return True if the order is surely worth less to a group than holding, or less than nothing."""
        return False


@final
class HoldOrder(Order, verb="hold", text="hold"):
    """Stay. This is also how a unit loads (RSK-088)."""

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        yield cls()

    def perform(self, table: Table, actor: OrderedUnit) -> None:
        actor.unit.action = "halt"

    def for_commander(self, view: OrderView) -> Evaluation:
        return view.stand_at(view.here)

    def for_leader(self, view: OrderView) -> Evaluation:
        is_with_group = view.battle.host(view.unit) is not None
        return replace(super().for_leader(view), steadies=0.1 if is_with_group else 0.0)

    def for_group(self, view: OrderView) -> Evaluation:
        standing = view.forecast.stand()
        return replace(standing, steadies=standing.steadies + _REST)


@final
class Charge(Order, verb="charge", text="charge {enemy:target}", odds="melee"):
    """Attack an enemy in reach, after all other units have moved (RSK-163)."""

    enemy: str

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        battle, unit = actor.battle, actor.unit
        if actor.is_in_contact or unit.spec.support or unit.spec.civilian:
            return
        in_reach = [enemy for enemy in battle.against(unit.spec.side) if may_reach(battle, unit, enemy)]
        yield from [cls(e.spec.id) for e in in_reach if battle.is_a_unit(e) and sees(battle, unit, e)]

    def perform(self, table: Table, actor: OrderedUnit) -> None:
        actor.unit.action, actor.unit.target = "attack", self.enemy

    def for_group(self, view: OrderView) -> Evaluation:
        return view.forecast.charge(view.battle.units[self.enemy])


@final
class Advance(Order, verb="advance", text="advance on {enemy:target}"):
    """Go nearer to an enemy in sight, at full or half pace."""

    enemy: str

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        if not actor.is_in_contact:
            units = actor.battle.units
            yield from [cls(name) for name in actor.near if not actor.scatters_towards(units[name].body.centre)]

    def perform(self, table: Table, actor: OrderedUnit) -> None:
        battle, unit, enemy, move = actor.battle, actor.unit, actor.battle.units[self.enemy], actor.full_move
        unit.action = "advance"
        pace = _pace(table, battle, unit, enemy.body.centre, move, enemy.spec.id)
        near = battle.gap(unit, enemy)
        length = min(move * pace, near.gap - 0.5)
        goal = enemy.body.at[near.second_index]
        if length > 0:
            go(table, battle, unit, path_to(battle, unit.body.centre, goal), length, share=pace)
        else:
            turn_towards(unit, goal)

    def for_group(self, view: OrderView) -> Evaluation:
        return view.forecast.best_way([view.battle.units[self.enemy].body.centre], view.at_least, advancing=True)


@final
class Join(Order, verb="join", text="join {group:target}"):
    """Move a leader to a group, close enough to belong to it (RSK-048)."""

    group: str

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        battle, unit = actor.battle, actor.unit
        if actor.is_in_contact or not unit.spec.leader:
            return
        reach = allowance(battle, unit, any(unit.hurt)) + battle.book.lengths["with_group"]
        groups = battle.within(unit, list(battle.groups(unit.spec.side)), reach)
        host = battle.host(unit)
        yield from [cls(g.spec.id) for g in groups if g is host or battle.gap(unit, g).gap > _CLOSE_BY]

    def perform(self, table: Table, actor: OrderedUnit) -> None:
        """Go to the group. If other figures are in the way, the leader goes past them to the nearest free spot next to
        it (RSK-079).

        A leader already with the group, or with less than 0.5 cm to go, does not move.
        """
        battle, unit, group, reach = actor.battle, actor.unit, actor.battle.units[self.group], actor.full_move
        unit.action = "march"
        near, centre = battle.gap(unit, group), unit.body.centre
        length = min(reach, near.gap - _CLOSE_BY)
        if length > 0 and battle.host(unit) is not group:
            goal = group.body.at[near.second_index]
            end = towards(centre, goal, length)
            others = [other.body for other in battle.units.values() if other.is_on_table and other is not unit]
            goal_body = unit.body.moved_by(end[0] - centre[0], end[1] - centre[1])
            spot = free_spot_near(battle, unit, goal_body, others, reach, group.body)
            if spot is not None:
                goal, length = spot.centre, reach
            if spot is None or dist(centre, goal) >= _CLOSE_BY:
                go(table, battle, unit, path_to(battle, centre, goal), length)
        unit.action = "halt"

    def for_commander(self, view: OrderView) -> Evaluation:
        group = view.battle.units[self.group]
        return view.stand_at(view.leader_places.end_of(group.body.at[view.battle.gap(view.unit, group).second_index]))

    def for_leader(self, view: OrderView) -> Evaluation:
        """Return the value of a group to its leader, best one of his own unit that does not go back."""
        group, leader = view.battle.units[self.group], view.unit
        own = group.spec.parent == leader.spec.parent
        gap = view.battle.gap(leader, group).gap
        far = f"{gap:.0f} cm off" if gap >= 1 else "close by"
        return Evaluation(
            steadies=0.5 + 0.3 * own - 0.1 * (group.status in BACKWARD) - 0.01 * gap,
            reason=lambda: f"he leads {amount(group.count, 'man', 'men')} {far}",
        )

    def for_group(self, view: OrderView) -> Evaluation:
        return view.forecast.best_way([view.battle.units[self.group].body.centre], view.at_least, advancing=True)


@final
class March(Order, verb="march", text="march"):
    """Go to a place anywhere on the table, as far as the move allows (RSK-191)."""

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        if not actor.is_in_contact:
            yield cls()

    def perform(self, table: Table, actor: OrderedUnit) -> None:
        _march(table, actor.battle, actor.unit, actor.plan)

    def for_commander(self, view: OrderView) -> Evaluation:
        places = [view.stand_at(view.leader_places.end_of(goal)) for goal in view.places()]
        return max(places, key=lambda place: place.ground, default=Evaluation())

    def for_group(self, view: OrderView) -> Evaluation:
        return view.forecast.best_way(view.places(), view.at_least)


@final
class Withdraw(Order, verb="withdraw", text="withdraw"):
    """Go straight back from the nearest enemy, at full or half pace."""

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        battle, unit = actor.battle, actor.unit
        if actor.is_in_contact or (actor.near and not actor.scatters_towards(way_back(battle, unit, actor.full_move))):
            yield cls()

    def perform(self, table: Table, actor: OrderedUnit) -> None:
        battle, unit, move = actor.battle, actor.unit, actor.full_move
        unit.action = "retreat"
        pace = _pace(table, battle, unit, way_back(battle, unit, move), move)
        fall_back(table, battle, unit, move * pace, share=pace)

    def for_group(self, view: OrderView) -> Evaluation:
        return view.forecast.go_back()

    def gains_nothing(self, view: OrderView) -> bool:
        return not view.forecast.enemies_in_contact


@final
class Turn(Order, verb="turn", text="turn to face another way"):
    """Stay and turn (RSK-078)."""

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        if not actor.is_in_contact:
            yield cls()

    def perform(self, table: Table, actor: OrderedUnit) -> None:
        actor.unit.action = "halt"
        _turn(table, actor.unit)

    def for_commander(self, view: OrderView) -> Evaluation:
        fronts = [view.stand_at(view.here, float(facing)) for facing in COMPASS]
        return max(fronts, key=lambda front: front.ground)

    def for_group(self, view: OrderView) -> Evaluation:
        return view.forecast.turn()

    def gains_nothing(self, view: OrderView) -> bool:
        forecast = view.forecast
        return not forecast.enemies_in_contact and not forecast.enemies_on_flank(view.unit.facing)


class _ChangeFooting(Order, verb="", text=""):
    """Mount or dismount for half the move. While dismounted, one man in four holds the horses (RSK-080)."""

    def perform(self, table: Table, actor: OrderedUnit) -> None:
        actor.unit.action = "halt"
        _change_footing(table, actor.battle, actor.unit, actor.plan)

    def for_group(self, view: OrderView) -> Evaluation:
        return Evaluation(
            suffers=view.forecast.danger_here, ground=-0.1, reason="mounting takes part of the move (RSK-080)"
        )

    def gains_nothing(self, view: OrderView) -> bool:
        return not view.forecast.enemies_in_contact


@final
class Dismount(_ChangeFooting, verb="dismount", text="dismount"):
    """Get off the horses."""

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        if not actor.is_in_contact and actor.unit.spec.can_dismount and actor.unit.mounted:
            yield cls()


@final
class Mount(_ChangeFooting, verb="mount", text="mount"):
    """Get on the horses."""

    @classmethod
    def options(cls, actor: OrderedUnit) -> Iterator[Self]:
        if not actor.is_in_contact and actor.unit.spec.can_dismount and not actor.unit.mounted:
            yield cls()


def _target_phrase(battle: Battle, actor: str, target: str) -> str:
    """Return a target with its figures and its distance from the unit that gets the order."""
    unit, other = battle.units.get(actor), battle.units[target]
    distance = (
        f", {battle.gap(unit, other).gap:.0f} cm away"
        if unit is not None and unit.is_on_table and other.is_on_table
        else ""
    )
    return f"{in_a_sentence(other.spec.name)} ({amount(other.count, 'figure')}{distance})"


def formats(battle: Battle, actor: str) -> Mapping[str, Callable[[Any], str]]:
    """Return the formats of the gaps in the texts of orders to a unit."""
    return {"target": partial(_target_phrase, battle, actor)}


_ROWS: tuple[type[Order], ...] = (HoldOrder, Charge, Advance, Join, March, Withdraw, Turn, Dismount, Mount)
ORDERS: ActionTable[OrderedUnit, OrderView] = ActionTable("order", *_ROWS, formats=("target",))


def legal_orders(battle: Battle, unit: Unit, plan: Plan) -> list[Order]:
    """Return the orders that a free unit may be given now, without those of house rules (RSK-163)."""
    actor = OrderedUnit(battle, unit, plan)
    return [order for row in _ROWS for order in row.options(actor)]


@procedure("orders.give")
def give_order(table: Table, battle: Battle, unit: Unit, plan: Plan) -> None:
    """Ask for one order to a free unit and carry it out. The order becomes its current action.

    Holding is recorded as Halt, going nearer an enemy as Advance, and charging as Attack, which moves after all other
    units. Going back is Retreat without the status. Any other move is a March with its destination. A group whose move
    has left an enemy on its flank or behind it may be turned.
    """
    side, name, orders, actor = (
        unit.spec.side,
        unit.spec.id,
        ORDERS.for_session(battle.book.rules),
        OrderedUnit(battle, unit, plan),
    )
    options: list[Option] = [order.option for row in _ROWS for order in row.options(actor)]
    options += orders.house_options(actor, battle)
    order = orders.action_of(table.choose(side, options, why="order", rule="RSK-066", actor=name))
    assert order is not None, "only orders of the table are offered"
    unit.goal = None
    unit.status = "steady"
    orders.perform(order, table, actor)
    if "moved" not in unit.marks or not unit.is_on_table or unit.spec.leader:
        return
    if battle.book.settings.groups_coherency == "warn" and not is_coherent(battle, unit.body):
        table.emit("scattered", "RSK-046", unit=name)
    if is_flanked(battle, unit):
        _turn(table, unit)


# --- How orders move units --------------------------------------------------------------------------------------------


def _turn(table: Table, unit: Unit) -> None:
    """Ask which way to face. Turning is free, and the player chooses (RSK-078)."""
    unit.facing = float(table.choose(unit.spec.side, COMPASS, why="face", rule="RSK-078", actor=unit.spec.id))


def _pace(
    table: Table, battle: Battle, unit: Unit, at: Point, move: float, whither: str = "", max_share: float = 1.0
) -> float:
    """Ask for the pace and return it as a share of the allowance: the full `move`, or half of it. At half pace the
    troops may still shoot (RSK-089, RSK-090).

    A pace that would scatter the group is left out if another pace would not (RSK-046).
    """
    about = (whither,) if whither else ()
    allowed_paces = [
        name for name, share in PACES.items() if share <= max_share and not _scatters(battle, unit, at, share * move)
    ]
    paces = allowed_paces or [name for name, share in PACES.items() if share <= max_share]
    return PACES[table.choose(unit.spec.side, paces, why="pace", rule="RSK-090", actor=unit.spec.id, about=about)]


def _march(table: Table, battle: Battle, unit: Unit, plan: Plan, max_share: float = 1.0) -> None:
    """Ask for a destination anywhere on the table. The unit moves as far as it can and remembers the destination
    (RSK-191).

    If the unit comes nearer to the nearest enemy in sight and has not arrived, its action becomes an Advance, which it
    continues (RSK-116, RSK-134).
    """
    move = full_move(battle, unit)
    refuse = refusal(battle, unit, move)
    points = LazyOptions.among(suggestions(battle, unit, plan, move), refuse)
    if not points:
        unit.action = "halt"
        return
    cost = partial(march_cost, battle, unit)
    goal = table.place(unit.spec.side, points, refuse, why="march to", rule="RSK-066", actor=unit.spec.id, cost=cost)
    unit.action, unit.goal = "march", goal
    pace = _pace(table, battle, unit, goal, move, max_share=max_share)
    old, enemy_before = unit.body, nearest_visible(battle, unit)
    go(table, battle, unit, path_to(battle, unit.body.centre, goal), move * pace, share=pace)
    if unit.is_on_table and dist(unit.body.centre, goal) <= 3.0:
        unit.action, unit.goal = "halt", None
        _line_works(table, battle, unit, old, move, pace)
    elif enemy_before is not None:
        enemy, near = enemy_before
        if battle.gap(unit, enemy).gap < near.gap - _NEARER:
            unit.action, unit.goal = "advance", None


def _line_works(table: Table, battle: Battle, unit: Unit, old: Body, move: float, share: float) -> None:
    """Line up a unit under orders along works that it has reached, if every figure can do so within its own move
    (RSK-107).
    """
    threat = threat_point(battle, unit)
    if unit.spec.leader or threat is None or not battle.field.fortified or battle.enemies_in_contact(unit):
        return
    if stand_to_kill(battle, unit):
        return
    facing, reach = bearing_to(unit.body.centre, threat), battle.book.lengths["line_works"]
    others = [other.body for other in battle.units.values() if other.is_on_table and other is not unit]
    lined = along_works(battle.field, others, unit.body, facing, reach, ())
    if lined is None:
        return
    ahead = direction(facing)
    enemies = [enemy.body for enemy in battle.against(unit.spec.side)]

    def sideways_distance(at: Point) -> float:
        return at[0] * ahead[1] - at[1] * ahead[0]

    places: dict[int, Point] = {}
    for index, spot in zip(
        sorted(range(unit.count), key=lambda i: sideways_distance(old.at[i])),
        sorted(lined.at, key=sideways_distance),
        strict=True,
    ):
        start, hurt = old.at[index], unit.hurt[index]
        less = (share - 1) * allowance(battle, unit, hurt)
        if not can_walk(battle, unit, hurt, (start, spot), less) or short_of(start, spot, old.radius, enemies) != spot:
            return
        places[index] = spot
    place_body(battle, unit, Body(tuple(places[index] for index in range(unit.count)), old.radius))
    unit.facing = facing
    unit.mark("moved")
    if max(dist(old.at[index], spot) for index, spot in places.items()) > move / 2 + 1e-6:
        unit.mark("far")
    table.emit("lines works", "RSK-107", unit=unit.spec.id)


def _change_footing(table: Table, battle: Battle, unit: Unit, plan: Plan) -> None:
    """Mount or dismount for half the allowance. While dismounted, one man in four holds the horses (RSK-080).

    The other half may be spent on a march.
    """
    if unit.mounted:
        unit.mark("dismounted")
    else:
        unit.unmark("dismounted")
    unit.mark("footing")
    table.emit("footing", "RSK-080", unit=unit.spec.id, mounted=unit.mounted)
    if (
        table.choose(unit.spec.side, (HoldOrder.verb, March.verb), why="go on", rule="RSK-080", actor=unit.spec.id)
        == March.verb
    ):
        _march(table, battle, unit, plan, max_share=0.5)
        if "moved" in unit.marks:
            unit.mark("far")


def refusal(battle: Battle, unit: Unit, move: float) -> Callable[[Point], str | None]:
    """Return a function that gives the reason why a unit cannot march to a point, or None if it can (RSK-046)."""

    def refuse(at: Point) -> str | None:
        if not battle.field.on_table(at):
            return "that point is off the table"
        if battle.field.is_closed(at):
            return "figures cannot stand there"
        if _scatters(battle, unit, at, move):
            return "a figure would be out of sight of all its mates (RSK-046)"
        return None

    return refuse


def _scatters(battle: Battle, unit: Unit, at: Point, cm: float) -> bool:
    """Return True if a move of `cm` towards a point is barred because a figure would see none of its mates
    (RSK-046).
    """
    if battle.book.settings.groups_coherency != "enforce" or unit.count < 2 or not battle.field.blocking_pieces:
        return False
    centre = unit.body.centre
    end = towards(centre, at, min(dist(centre, at), cm))
    dx, dy = end[0] - centre[0], end[1] - centre[1]
    west, south, east, north = unit.body.box
    if not battle.field.may_hide_in((west + dx, south + dy, east + dx, north + dy)):
        return False
    return not is_coherent(battle, unit.body.moved_by(dx, dy))


def suggestions(battle: Battle, unit: Unit, plan: Plan, move: float) -> list[Point]:
    """Return suggested destinations: the objectives, cover within a move, and a full move in each of the four
    directions.

    If the edge of the table is nearer, the point on the edge is suggested, so that units can leave there.
    """
    cover = nearest_cover(battle, unit, farther=False) if battle.field.covers else None
    return places_to_go(battle, unit, plan, move, cover)


def places_to_go(battle: Battle, unit: Unit, plan: Plan, cm: float, cover: Point | None) -> list[Point]:
    """Return the suggested destinations for a move of `cm`, given the nearest cover."""
    centre = unit.body.centre
    points = [place.centre for place in plan.places.values()]
    points += [
        (carried_object.at[0], carried_object.at[1])
        for carried_object in battle.carried_objects.values()
        if not carried_object.taken_by
    ]
    points += [cover] if cover is not None else []
    x, y = centre
    east, north = battle.field.width, battle.field.depth
    points += [(x, min(y + cm, north)), (min(x + cm, east), y), (x, max(y - cm, 0.0)), (max(x - cm, 0.0), y)]
    return [at for at in dict.fromkeys(points) if dist(at, centre) > 1.0]
