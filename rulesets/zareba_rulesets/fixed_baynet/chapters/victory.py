"""Objectives and the end of the battle (FBN-265)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import lru_cache

from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.battle.carried_objects import exit_edges, pick_up, unit_fate
from zareba.scenario.model import Escort, Hold
from zareba.scenario.objective_area import ObjectiveArea
from zareba.scenario.victory import CountedGroup, Fate, Scoreboard
from zareba.space.geometry import Point, bounds, boxes_near, distance_to_polygon, distance_to_segment
from zareba.space.outlines import Edge, distances_to_edges
from zareba.table import Table
from zareba_rulesets.fixed_baynet.forces.battle import Battle, ScenarioObject, open_ground
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit


def unit_exit_edges(battle: Battle, unit: Unit) -> list[tuple[Edge, str]]:
    """Return the edges over which a unit may leave to its side's credit, each with the object it carries or ""."""
    return list(
        exit_edges(battle.field.exits.get(unit.spec.side, ()), unit.spec.source, battle.carried_objects, unit.spec.id)
    )


def leave_table(table: Table, battle: Battle, unit: Unit) -> None:
    """Let a unit under escort, or one carrying an object that must leave the table, exit over the edge named for it.

    The first man at the edge takes the object over it. The rest of the unit follows him, unless one of its men is in
    panic.
    """
    reach, extent = battle.book.file.objectives.edge, (battle.field.width, battle.field.depth)
    steady = [man.at for man in unit.figures.values() if not man.reaction]
    for edge, carried in unit_exit_edges(battle, unit):
        if not any(distances_to_edges(at, extent)[edge] <= reach for at in steady):
            continue
        if carried:
            taken = battle.carried_objects.change(carried)
            taken.carrier, taken.taken_by, taken.edge = "", unit.spec.side, edge
        if not any(man.reaction for man in unit.figures.values()):
            battle.gone[unit.spec.id] = f"left {edge}"
            battle.brought[unit.spec.id] = len(unit.figures)
            unit.mark("away")
            unit.measure()
            table.emit("left the table", "FBN-265", unit=unit.spec.id, edge=edge)
            return


def take_carried_objects(table: Table, battle: Battle) -> None:
    """Let units pick up and drop objects.

    A side picks up an object if no other side has steady men near it; a unit without steady men drops what it carries.
    """
    reach = battle.book.file.objectives.take

    def move_with_carrier(carried_object: ScenarioObject) -> bool:
        unit = battle.units[carried_object.carrier]
        if not (unit.on_table and unit.steady):
            return False
        at = unit.middle
        if not open_ground(battle, *at):  # on closed ground no unit could pick it up again
            at = min((man.at for man in unit.figures.values()), key=lambda spot: dist(spot, unit.middle), default=at)
        carried_object.x, carried_object.y = at
        return True

    def find_taker(_: str, carried_object: ScenarioObject) -> str:
        near = {
            unit.spec.side: unit.spec.id
            for unit in battle.on_table()
            if any(dist(f.at, carried_object.at) <= reach for f in unit.figures.values() if not f.reaction)
        }
        return next(iter(near.values())) if len(near) == 1 else ""

    pick_up(table, battle.carried_objects, move_with_carrier, find_taker, "FBN-265")


_box_around = lru_cache(maxsize=256)(bounds)


class FbnScoreboard(Scoreboard[Battle]):
    """The scoreboard of a battle. It counts figures, each for the unit in which the figure started."""

    def counted_groups(self) -> Iterable[CountedGroup]:
        battle = self.battle
        present: dict[str, list[tuple[Figure, Fate, str]]] = {}
        for unit in battle.units.values():
            usual, edge = _fate(battle, unit)
            panicked: Fate = "off" if usual == "off" else "broken"
            for key, figure in unit.figures.items():
                fate = panicked if figure.reaction else usual
                present.setdefault(key.rpartition("/")[0], []).append((figure, fate, edge))
        for key, unit in battle.units.items():
            source, side = unit.spec.source, unit.spec.side
            if not source:
                continue
            leader = source if source in self.scenario.leaders else ""
            home, here = "" if leader else source, present.get(key, [])
            for figure, fate, edge in here:
                spot = (figure.x, figure.y), figure.place
                yield CountedGroup(side, 1, fate, home, leader or figure.spec.leader_id, spot, edge)
            fallen = battle.left.get(key, 0) - len(here)
            if fallen > 0:
                yield CountedGroup(side, fallen, "lost", home)

    def spots(self, men: CountedGroup) -> Iterable[Point]:
        """Return the position of the figure."""
        at, _ = men.position
        return (at,)

    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        at, section = men.position
        if isinstance(goal, Hold) and goal.terrain is not None:
            if section.startswith(f"{goal.terrain}:"):
                return True
            piece, reach = self.scenario.terrain[goal.terrain], self.battle.book.file.objectives.hold
            outline = piece.area or piece.line or ()
            if not boxes_near((*at, *at), _box_around(outline), piece.across + reach):
                return False
            if piece.area is not None:
                return distance_to_polygon(at, piece.area) <= reach
            line = piece.line or ()
            return any(distance_to_segment(at, a, b) <= piece.across / 2 + reach for a, b in itertools.pairwise(line))
        assert goal.at is not None, "a checked scenario says where"
        return dist(at, goal.at) <= goal.radius

    def objective_area(self, key: str, goal: Hold | Escort) -> ObjectiveArea | None:
        """Return the ground around an objective that counts."""
        if isinstance(goal, Hold) and goal.terrain is not None:
            terrain, within = self.scenario.terrain[goal.terrain], float(self.battle.book.file.objectives.hold)
            words = f"within {amount(within, 'inch', 'inches')}"
            if terrain.area is not None:
                return ObjectiveArea(words, outlines=(terrain.area,), within=within)
            within += terrain.across / 2
            return ObjectiveArea(words, outlines=(terrain.line or (),), is_area=False, within=within)
        if goal.at is None:
            return None
        return ObjectiveArea(f"within {amount(goal.radius, 'inch', 'inches')}", at=goal.at, within=goal.radius)

    def leader_lost(self, leader: str) -> bool:
        """Return True if a leader is out of play.

        Men who fall are removed from their units, so he is then in none of them.
        """
        return not any(
            figure.spec.leader_id == leader for unit in self.battle.units.values() for figure in unit.figures.values()
        ) and any(spec.leader_id == leader for spec in self.battle.specs.values())


def _fate(battle: Battle, unit: Unit) -> tuple[Fate, str]:
    """Return the fate of a unit's steady men who have not fallen, and the edge by which they left, or ""."""
    fate, edge = unit_fate(battle.gone.get(unit.spec.id, ""))
    if fate == "off":
        return fate, edge
    return ("ready" if unit.on_table else "coming"), ""
