"""The roles, home edges and facings of the two sides (VCC-016)."""

from __future__ import annotations

from collections.abc import Mapping

from zareba.base.exact import total
from zareba.scenario import Scenario
from zareba.space.geometry import Point
from zareba.space.grid.boxes import E, N, S, W, is_corner, opposite, turn_direction
from zareba.space.table_edges import WINDS
from zareba_rulesets.vcc.book.tables import CREWED
from zareba_rulesets.vcc.forces.battle import UnitSpec

__all__ = ["EDGES", "NATIVE_KINDS", "REGULAR_KINDS", "facing_of", "home_edges", "roles_of"]

EDGES = {"north": N, "east": E, "south": S, "west": W}
REGULAR_KINDS = ("european_regular", "native_regular")
NATIVE_KINDS = ("tribal", "own_led_regular")


def roles_of(scenario: Scenario, british: str | None) -> tuple[tuple[str, str], bool]:
    """The British and the Native side (VCC-016): as said, else the one with more regular units is British.

    Of two with as many the side listed first is, and the second value is True: the dice may decide otherwise.
    """
    first_side, second_side = scenario.sides
    is_open = False
    if british is None:
        regulars = {
            side: sum(unit.kind in REGULAR_KINDS for unit in scenario.units_of(side).values())
            for side in (first_side, second_side)
        }
        is_open = regulars[first_side] == regulars[second_side]
        british = second_side if regulars[second_side] > regulars[first_side] else first_side
    return ((first_side, second_side) if british == first_side else (second_side, first_side)), is_open


def home_edges(scenario: Scenario, by_role: tuple[str, str], positions: Mapping[str, Point]) -> dict[str, int]:
    """Return the home edges: as the scenario names them, else the edge nearest to the mean position of the side's units.

    If that edge is taken, the opposite one is used.
    """
    edges = {side: EDGES[entry.home_edge] for side, entry in scenario.sides.items() if entry.home_edge is not None}
    width, depth = scenario.table.width, scenario.table.depth
    for side, order in zip(by_role, ((S, W, N, E), (N, E, S, W)), strict=True):
        if side in edges:
            continue
        own_positions = [positions[unit] for unit in scenario.units_of(side) if unit in positions]
        x = total(point[0] for point in own_positions) / len(own_positions) if own_positions else width / 2
        y = total(point[1] for point in own_positions) / len(own_positions) if own_positions else depth / 2
        edge_distances = {S: y, W: x, N: depth - y, E: width - x}
        nearest = min(order, key=lambda edge: (edge_distances[edge], order.index(edge)))
        edges[side] = opposite(nearest) if nearest in edges.values() else nearest
    return edges


def facing_of(scenario: Scenario, unit: str, specs: Mapping[str, UnitSpec], homes: Mapping[str, int]) -> int:
    given_facing = scenario.units[unit].facing
    facing = WINDS.index(given_facing) if given_facing else opposite(homes[specs[unit].side])
    return turn_direction(facing, 1) if is_corner(facing) and specs[unit].troop not in CREWED else facing
