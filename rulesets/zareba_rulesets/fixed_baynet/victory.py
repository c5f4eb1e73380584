"""Objectives and the end of the battle (FBN-265)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from zareba.exact import hypot
from zareba.scenario.model import CarryOff, Escort, Hold, Scenario, Survive
from zareba.scenario.scoring import decided
from zareba.space.geometry import Point, distance_to_polygon, distance_to_segment
from zareba.table import Table
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.units import Figure, Unit

__all__ = [
    "FbnStanding",
    "decide",
    "exit_edges",
    "leave_table",
    "settle_unopposed",
    "share_of",
    "strength",
    "take_prizes",
]


def strength(battle: Battle, side: str) -> int:
    """Figures of a side in play, steady and free, or still to come (FBN-265)."""
    return sum(
        sum(not figure.reaction for figure in unit.figures.values())
        for unit in battle.units.values()
        if unit.spec.side == side and (unit.on_table or unit.spec.id in battle.arrivals)
    )


def share_of(battle: Battle, side: str) -> float:
    """The share of a side's starting figures that is in play, steady and free (FBN-265)."""
    start = sum(
        count
        for key, count in battle.left.items()
        if battle.units[key].spec.side == side and battle.units[key].spec.source
    )
    return min(1.0, strength(battle, side) / start) if start else 0.0


def edge_gap(battle: Battle, at: Point, edge: str) -> float:
    x, y = at
    return {"north": battle.field.depth - y, "south": y, "west": x, "east": battle.field.width - x}[edge]


def exit_edges(battle: Battle, unit: Unit) -> list[tuple[str, str]]:
    """The edges over which a unit may leave to its side's credit: with what it carries, or as one under escort ("")."""
    found = []
    for edge, sources, thing in battle.field.exits:
        prize = battle.prizes.get(thing) if thing else None
        if unit.spec.source in sources or (prize is not None and prize.carrier == unit.spec.id):
            found.append((edge, thing))
    return found


def leave_table(table: Table, battle: Battle, unit: Unit) -> None:
    """Units under escort, and the carriers of what is to be carried off, leave over the edge named for them.

    The first man at the edge takes what is carried over it, and the others after him when nobody has panicked.
    """
    reach = battle.book.file.objectives.edge
    for edge, carried in exit_edges(battle, unit):
        if not any(not man.reaction and edge_gap(battle, man.at, edge) <= reach for man in unit.figures.values()):
            continue
        if carried:
            taken = battle.prizes.change(carried)
            taken.carrier, taken.taken_by, taken.edge = "", unit.spec.side, edge
        if not any(man.reaction for man in unit.figures.values()):
            battle.gone[unit.spec.id] = f"left {edge}"
            battle.brought[unit.spec.id] = len(unit.figures)
            unit.mark("away")
            unit.measure()
            table.tell("left the table", "FBN-265", unit=unit.spec.id, edge=edge)
            return


def take_prizes(table: Table, battle: Battle) -> None:
    """Objects are taken up by the side that alone has steady men beside them, and dropped by units that fall apart."""
    reach = battle.book.file.objectives.take
    for name, prize in battle.prizes.items():
        if prize.taken_by:
            continue
        if prize.carrier:
            unit = battle.units[prize.carrier]
            if unit.on_table and unit.steady:
                prize = battle.prizes.change(name)
                prize.x, prize.y = unit.middle
                continue
            prize = battle.prizes.change(name)
            prize.carrier = ""
        near = {
            unit.spec.side: unit.spec.id
            for unit in battle.on_table()
            if any(hypot(f.x - prize.x, f.y - prize.y) <= reach for f in unit.figures.values() if not f.reaction)
        }
        if len(near) == 1:
            carrier = next(iter(near.values()))
            battle.prizes.change(name).carrier = carrier
            table.tell("taken up", "FBN-265", object=name, unit=carrier)


def decide(battle: Battle, scenario: Scenario, standing: FbnStanding) -> str:
    """The reason why the battle ends with this turn, or "" if it goes on (FBN-265)."""
    if decided(scenario, standing, battle.achieved) is not None:
        return "objectives"
    alive = [
        side
        for side in scenario.sides
        if any(u.spec.side == side and (u.on_table or u.spec.id in battle.arrivals) for u in battle.units.values())
    ]
    if len(alive) < 2 or sum(strength(battle, side) > 0 for side in alive) < 2:
        return "collapse"
    return "turn_limit" if battle.turn >= scenario.turns else ""


def settle_unopposed(battle: Battle, scenario: Scenario, standing: FbnStanding) -> None:
    """After a collapse the side that is left achieves what nobody can keep it from any more (FBN-265).

    It holds the places, brings through those under its escort, carries off the objects, and survives.
    """
    left = [side for side in scenario.sides if strength(battle, side)]
    if len(left) != 1:
        return
    (side,) = left
    for key, goal in scenario.objectives_of(side).items():
        if key in battle.achieved or not _is_open(battle, scenario, standing, side, goal):
            continue
        battle.achieved[key] = side


def _is_open(battle: Battle, scenario: Scenario, standing: FbnStanding, side: str, goal: object) -> bool:
    """Whether a side that is alone on the table can still reach an objective."""
    if isinstance(goal, Hold):
        return standing.holder(goal) is None
    if isinstance(goal, Escort):
        return scenario.units[goal.units[0]].side == side and standing.share_left(goal.units) >= goal.share
    if isinstance(goal, Survive):
        return (
            goal.turn >= battle.turn and standing.share_left(goal.units or tuple(scenario.units_of(side))) >= goal.share
        )
    if isinstance(goal, CarryOff):
        prize = battle.prizes.get(goal.object)
        return prize is not None and not prize.taken_by
    return False


class FbnStanding:
    """How a battle stands in a scenario's terms; counts steady figures."""

    def __init__(self, battle: Battle, scenario: Scenario) -> None:
        self.battle = battle
        self.scenario = scenario
        self.turn = battle.turn

    def _at(self, goal: Hold | Escort, figure: Figure) -> bool:
        if isinstance(goal, Hold) and goal.terrain is not None:
            if figure.place.startswith(f"{goal.terrain}:"):
                return True
            piece, reach = self.scenario.terrain[goal.terrain], self.battle.book.file.objectives.hold
            if piece.area is not None:
                return distance_to_polygon(figure.at, piece.area) <= reach
            line = piece.line or ()
            return any(
                distance_to_segment(figure.at, a, b) <= piece.across / 2 + reach for a, b in itertools.pairwise(line)
            )
        assert goal.at is not None, "a checked scenario says where"
        return hypot(figure.x - goal.at[0], figure.y - goal.at[1]) <= goal.radius

    def holder(self, goal: Hold) -> str | None:
        """The side that alone has steady men at a place."""
        sides = {
            unit.spec.side
            for unit in self.battle.on_table()
            if any(not figure.reaction and self._at(goal, figure) for figure in unit.figures.values())
        }
        return sides.pop() if len(sides) == 1 else None

    def _units(self, sources: Sequence[str]) -> list[Unit]:
        return [unit for unit in self.battle.units.values() if unit.spec.source in sources]

    def _gathered(self, sources: Sequence[str]) -> list[Figure]:
        """The steady men of these units whom an officer has gathered into others (FBN-159)."""
        homes = {unit.spec.id for unit in self._units(sources)}
        return [
            figure
            for unit in self.battle.on_table()
            if not unit.spec.source
            for key, figure in unit.figures.items()
            if not figure.reaction and key.rpartition("/")[0] in homes
        ]

    def _start(self, sources: Sequence[str]) -> int:
        return sum(self.battle.left.get(unit.spec.id, 0) for unit in self._units(sources))

    def share_left(self, units: Sequence[str]) -> float:
        battle = self.battle
        left = sum(
            battle.brought.get(unit.spec.id, 0)
            if battle.gone.get(unit.spec.id, "").startswith("left")
            else sum(not figure.reaction for figure in unit.figures.values())
            for unit in self._units(units)
        )
        left += len(self._gathered(units))
        start = self._start(units)
        return left / start if start else 0.0

    def share_brought(self, goal: Escort) -> float:
        start = self._start(goal.units)
        brought = 0
        for unit in self._units(goal.units):
            if self.battle.gone.get(unit.spec.id) == f"left {goal.edge}":
                brought += self.battle.brought.get(unit.spec.id, 0)
            elif goal.at is not None and unit.on_table:
                brought += sum(not figure.reaction and self._at(goal, figure) for figure in unit.figures.values())
        if goal.at is not None:
            brought += sum(self._at(goal, figure) for figure in self._gathered(goal.units))
        return brought / start if start else 0.0

    def carried_off(self, goal: CarryOff) -> str | None:
        prize = self.battle.prizes.get(goal.object)
        return prize.taken_by if prize is not None and prize.taken_by and prize.edge == goal.edge else None

    def leader_lost(self, leader: str) -> bool:
        """Dead or taken; a leader who has run from panic but is on the table is not."""
        return not any(
            figure.spec.leader_id == leader for unit in self.battle.units.values() for figure in unit.figures.values()
        ) and any(spec.leader_id == leader for spec in self.battle.specs.values())
