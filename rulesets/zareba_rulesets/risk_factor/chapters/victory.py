"""Winning and losing: sides in retreat, objectives, carried objects, and leaving the table (RSK-183 to RSK-185)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from zareba.base.exact import dist
from zareba.base.grammar import with_unit
from zareba.battle.carried_objects import CarriedObject, exit_edges, leave_with_objects, pick_up, unit_fate
from zareba.scenario import Scenario
from zareba.scenario.model import Escort, Hold
from zareba.scenario.objective_area import ObjectiveArea
from zareba.scenario.victory import (
    CountedGroup,
    Fate,
    Scoreboard,
    end_of_battle,
    outright_winner,
    record_achieved_objectives,
)
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba.space.outlines import Edge, nearest_on_edge
from zareba.table import Table
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.translation import Plan


def is_beaten(battle: Battle, side: str) -> bool:
    """Return True if every unit of a side is retreating, routing or gone (RSK-183, RSK-184). Lone leaders count only
    with `victory.lone_leaders_count`.
    """
    for unit in battle.units.values():
        if unit.spec.side != side:
            continue
        if unit.spec.leader and not battle.book.settings.victory_lone_leaders_count:
            continue
        waiting = unit.spec.id in battle.arrivals or "hidden" in unit.marks
        if waiting or (unit.is_on_table and unit.status not in BACKWARD):
            return False
    return True


def check_after_throws(table: Table, battle: Battle) -> None:
    """Check for beaten sides after the Action throws, if `victory.retreat_checked` says so (RSK-183)."""
    if battle.book.settings.victory_retreat_checked == "each_throw":
        check_losing(table, battle)


def check_losing(table: Table, battle: Battle) -> None:
    """End the game if a side is beaten. Checked for both sides after the Action throws and at the end of each player
    turn (RSK-183).
    """
    battle.beaten = [side for side in battle.order if is_beaten(battle, side)]
    if battle.beaten:
        battle.over, battle.ending = True, "collapse"
        for side in battle.beaten:
            table.emit("beaten", "RSK-183", side=side)


def end_of_turn(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """Check for the end of the game after a player turn: objectives first, then sides in retreat (RSK-185). The turn
    limit is checked once both sides have played.
    """
    scoreboard = RskScoreboard(battle, scenario, plan)
    is_last = battle.active == len(battle.order) - 1
    if is_last or any(is_beaten(battle, side) for side in battle.order):
        record_achieved_objectives(scenario, scoreboard, battle.achieved)
        if outright_winner(scenario, scoreboard, battle.achieved) is not None:
            battle.over, battle.ending = True, "objectives"
            return
    check_losing(table, battle)
    if not battle.over and is_last:
        battle.ending = end_of_battle(scoreboard, battle.achieved)
        battle.over = bool(battle.ending)


# --- objects and edges ------------------------------------------------------------------------------------------------


def exit_edge(battle: Battle, scenario: Scenario, unit: Unit) -> Edge | None:
    """Return the edge over which a unit may leave to its side's credit because it is escorted or carries an object;
    None for other units.
    """
    exits = scenario.exits_for(unit.spec.side)
    return next((edge for edge, _ in exit_edges(exits, unit.spec.parent, battle.carried_objects, unit.spec.id)), None)


def leave_table(table: Table, battle: Battle, scenario: Scenario) -> None:
    """Take units of the active side off the table when they have reached their edge, with all they carry (RSK-185)."""
    for unit in list(battle.groups(battle.side)):
        edge = exit_edge(battle, scenario, unit)
        if edge is None:
            continue
        edge_distance = (
            min(battle.field.table.distance_to_edge(point, edge) for point in unit.body.at) - unit.body.radius
        )
        if edge_distance > battle.book.lengths["leave_edge"] or unit.status == "routing":
            continue
        why = leave_with_objects(
            table, battle.carried_objects, unit.spec.id, unit.spec.side, edge, "RSK-185", count=unit.count
        )
        for member in (*battle.leaders_with(unit), unit):
            battle.gone_count[member.spec.id] = member.count
            battle.remove(member, why)


def take_carried_objects(table: Table, battle: Battle, scenario: Scenario) -> None:
    """Let groups pick up objects at the end of their move. A lost carrier leaves its object where it fell (RSK-185)."""
    reach = battle.book.lengths["take_up"]

    def move_with_carrier(carried_object: CarriedObject) -> bool:
        unit = battle.units[carried_object.carrier]
        if carried_object.carrier in battle.arrivals or "hidden" in unit.marks:
            return True
        if unit.is_on_table and unit.status != "routing":
            carried_object.at = unit.body.centre
            if battle.field.is_closed(carried_object.at):  # nobody could take it up there again
                carried_object.at = min(unit.body.at, key=lambda point: dist(point, unit.body.centre))
            return True
        return False

    def find_taker(_: str, carried_object: CarriedObject) -> str:
        near = [
            u
            for u in battle.groups(battle.side)
            if u.status == "steady" and _edge_distance(u, carried_object.at) <= reach
        ]
        if not near or any(_edge_distance(e, carried_object.at) <= reach for e in battle.against(battle.side)):
            return ""
        return min(near, key=lambda unit: _edge_distance(unit, carried_object.at)).spec.id

    for name in pick_up(table, battle.carried_objects, move_with_carrier, find_taker, "RSK-185"):
        unit = battle.units[name]
        edge = exit_edge(battle, scenario, unit)
        if edge is not None:
            unit.action, unit.goal = "march", nearest_on_edge(unit.body.centre, battle.field.table.extent, edge)


def _edge_distance(unit: Unit, at: Point) -> float:
    """Return the cm from a point to the nearest base of a unit."""
    return min(dist(at, point) for point in unit.body.at) - unit.body.radius


# --- the scenario's terms ---------------------------------------------------------------------------------------------


class RskScoreboard(Scoreboard[Battle]):
    """A battle in the terms in which scenarios score. Figures are counted singly."""

    move_length = 20.0
    inch = 2.54

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan) -> None:
        super().__init__(battle, scenario, beaten=battle.beaten)
        self.plan = plan

    def counted_groups(self) -> Iterable[CountedGroup]:
        """Yield the groups to count. Men who joined another group are counted there, but for the unit they came from
        (RSK-047).
        """
        battle = self.battle
        joined: dict[str, list[str]] = {}
        for name, why in battle.gone.items():
            if why.startswith("joined "):
                joined.setdefault(why.removeprefix("joined "), []).append(name)
        for name, unit in battle.units.items():
            if not battle.gone.get(name, "").startswith("joined "):
                yield from self._group(unit, joined)

    def _group(self, unit: Unit, joined: Mapping[str, list[str]]) -> Iterator[CountedGroup]:
        """Yield the entries of a group or leader, and of all units that joined it directly or indirectly."""
        names = [unit.spec.id]
        for name in names:
            names += joined.get(name, ())
        fate, edge, left = self._fate(unit)
        for name in names:
            own = self.battle.units[name].spec
            leader = name if name in self.scenario.leaders else ""
            source = "" if leader else own.parent
            in_own_group = min(left, own.figures)
            left -= in_own_group
            if in_own_group:
                yield CountedGroup(own.side, in_own_group, fate, source, leader, unit.body, edge)
            if in_own_group < own.figures:
                yield CountedGroup(own.side, own.figures - in_own_group, "lost", source, leader)

    def _fate(self, unit: Unit) -> tuple[Fate, str, int]:
        """Return the fate of a group, the edge by which it left, and how many of its figures are left."""
        name = unit.spec.id
        reason = self.battle.gone.get(name)
        if reason is not None:
            return *unit_fate(reason), self.battle.gone_count.get(name, 0)
        if unit.is_on_table:
            fates: Mapping[str, Fate] = {"retreating": "going back", "routing": "broken"}
            return fates.get(unit.status, "ready"), "", unit.count
        is_waiting = name in self.battle.arrivals or "hidden" in unit.marks
        return ("coming", "", unit.spec.figures) if is_waiting else ("lost", "", 0)

    def spots(self, men: CountedGroup) -> Iterable[Point]:
        """Return the positions of the group's figures."""
        body: Body = men.position
        return body.at

    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        """Return True if any figure of a group is at an objective: within its radius, and for a place to be held at
        least within 10 cm.
        """
        middle, radius, area = self.plan.places[key]
        body: Body = men.position
        if isinstance(goal, Escort):
            return any(dist(p, middle) <= radius for p in body.at)
        reach = self._reach_of(radius) + body.radius
        if area:
            return any(area.is_within(p, reach) for p in body.at)
        return any(dist(p, middle) <= reach for p in body.at)

    def objective_area(self, key: str, goal: Hold | Escort) -> ObjectiveArea | None:
        """Return the ground around an objective that counts; the edge of a figure's base must reach it."""
        if key not in self.plan.places:
            return None
        middle, radius, area = self.plan.places[key]
        within = radius if isinstance(goal, Escort) else self._reach_of(radius)
        words = f"within {with_unit(f'{within:g}', 'cm')}"
        if area:
            return ObjectiveArea(words, outlines=(area.points,), within=within)
        return ObjectiveArea(words, at=middle, within=within)

    def _reach_of(self, radius: float) -> float:
        """Return how close men must be to hold a place with this radius, in cm (RSK-185)."""
        return max(radius, self.battle.book.lengths["objective"])
