"""The table as a board to be drawn."""

from __future__ import annotations

from math import ceil

from zareba.board import Board, Cell, Piece
from zareba.scenario import Scenario
from zareba_rulesets.fixed_baynet.battle import Battle, Figure
from zareba_rulesets.fixed_baynet.words import unit_line

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
ARROWS = ("↑", "↗", "→", "↘", "↓", "↙", "←", "↖")


def draw_board(battle: Battle, scenario: Scenario, headline: str) -> Board:
    """Every square inch that is not open ground, every man and gun."""
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
    pieces = []
    for unit in battle.on_table():
        line = unit_line(battle, unit)
        for figure in unit.figures.values():
            pieces.append(
                Piece(
                    figure.spec.id, unit.spec.side, _symbol(figure), f"{figure.spec.name}; {line}", figure.x, figure.y
                )
            )
        for number, gun in enumerate(unit.guns):
            if gun.wounds > 0:
                text = f"{gun.kind.replace('_', ' ')} of {line}"
                pieces.append(
                    Piece(
                        f"{unit.spec.id} gun {number + 1}",
                        unit.spec.side,
                        "A" + _arrow(gun.bearing),
                        text,
                        gun.x,
                        gun.y,
                    )
                )
    for name, prize in battle.prizes.items():
        if not prize.taken_by and not prize.carrier:
            pieces.append(Piece(name, "", "◆", scenario.objects[name].name, prize.x, prize.y))
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    return Board("free", columns, rows, "inches", headline, tuple(cells), tuple(pieces), sides)


def _symbol(figure: Figure) -> str:
    letter = "C" if figure.mounted else "★" if figure.spec.leads else "i"
    return "_" if figure.prone else letter + _arrow(figure.facing)


def _arrow(bearing: float) -> str:
    return ARROWS[round(bearing / 45) % 8]
