"""The table as a board to be drawn."""

from __future__ import annotations

from math import ceil

from zareba.board import Board, Cell, Piece
from zareba.exact import hypot
from zareba.scenario import Scenario
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.naming import unit_state
from zareba_rulesets.fixed_baynet.units import Figure, Unit

__all__ = ["draw_board"]

MARKS = {
    "rubble": "~",
    "light_forest": "♣",
    "dense_forest": "♠",
    "shallow_river": "≈",
    "deep_river": "≈",
    "rapids": "█",
    "wooden_building": "▣",
    "stone_building": "▣",
    "crag": "▲",
    "huts": "▤",
    "trench": "=",
    "soft_ground": "░",
    "gully": "∪",
}
FAR = 12.0
ARROWS = ("↑", "↗", "→", "↘", "↓", "↙", "←", "↖")


def draw_board(battle: Battle, scenario: Scenario, headline: str) -> Board:
    """Every square inch that is not open ground, every unit, gun, and man who has strayed, and what lies to be taken."""
    field = battle.field
    columns, rows = ceil(field.width), ceil(field.depth)
    kinds = {id(row): name for name, row in battle.book.terrain.items()}
    cells = []
    for y in range(rows):
        for x in range(columns):
            middle = (x + 0.5, y + 0.5)
            found = field.areas_at(middle)
            found += [piece for piece in field.pieces if not piece.is_area and piece.distance(middle) <= 0.5]
            level = round(field.height(middle))
            if found or level:
                mark = next((MARKS.get(kinds[id(piece.row)], "#") for piece in found), "")
                text = ", ".join(dict.fromkeys(piece.row.title for piece in found))
                cells.append(Cell(x, y, mark, text, level))
    pieces = [piece for unit in battle.on_table() if unit.box[0] >= 0 for piece in _unit_pieces(unit)]
    for name, prize in battle.prizes.items():
        if not prize.taken_by and not prize.carrier:
            pieces.append(Piece(name, "", "◆", scenario.objects[name].name, prize.x, prize.y))
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    return Board("free", columns, rows, "inches", headline, tuple(cells), tuple(pieces), sides)


def _unit_pieces(unit: Unit) -> list[Piece]:
    """A counter for a unit at its middle, from which its moves are ordered, and one for each of its men far off; its guns.

    It looks like the man nearest to the middle.
    """
    (x, y), side = unit.middle, unit.spec.side

    def away(figure: Figure) -> float:
        return hypot(figure.x - x, figure.y - y)

    text = f"{unit.spec.name} ({unit_state(unit)})"
    found = [Piece(unit.spec.id, side, _symbol(min(unit.figures.values(), key=away)), text, x, y)]
    for figure in unit.figures.values():
        if away(figure) > FAR:
            text = f"{figure.spec.name} of {unit.spec.name}, by himself"
            found.append(Piece(figure.spec.id, side, _symbol(figure), text, figure.x, figure.y))
    for number, gun in enumerate(unit.guns):
        if gun.wounds > 0:
            text = f"{gun.kind.replace('_', ' ')} of {unit.spec.name}, {gun.wounds} wounds left"
            found.append(Piece(f"{unit.spec.id} gun {number + 1}", side, "A" + _arrow(gun.bearing), text, gun.x, gun.y))
    return found


def _symbol(figure: Figure) -> str:
    letter = "C" if figure.mounted else "★" if figure.spec.leads else "i"
    return "_" if figure.prone else letter + _arrow(figure.facing)


def _arrow(bearing: float) -> str:
    return ARROWS[round(bearing / 45) % 8]
