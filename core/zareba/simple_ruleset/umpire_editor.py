"""The umpire's edits of a battle under a simple ruleset."""

from __future__ import annotations

from zareba.base.errors import ZarebaError
from zareba.presentation.umpire_editor import EditorGame, UmpireEditor
from zareba.simple_ruleset.state import Battle
from zareba.simple_ruleset.unit_actions import go, lose
from zareba.table import Point, Table

__all__ = ["SimpleUmpireEditor"]

RULE = "by hand"


class SimpleUmpireEditor(UmpireEditor[Battle]):
    """Edits figures, places, and the marks that the ruleset defines."""

    def __init__(self, game: EditorGame, marks: frozenset[str]) -> None:
        super().__init__(game)
        self.marks = marks  # type: ignore[misc]  # those of this ruleset

    def count(self, state: Battle, piece: str) -> int | None:
        return state.units[piece].figures

    def most(self, state: Battle, piece: str) -> int:
        return state.units[piece].spec.figures

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        unit = state.units[piece]
        if count < unit.figures:
            lose(table, state, unit, unit.figures - count, RULE, "other")
        else:
            unit.figures = count

    def move(self, table: Table, state: Battle, piece: str, at: Point) -> None:
        unit = state.units[piece]
        if not state.field.table.is_on_table(at):
            raise ZarebaError("that is off the table")
        other = state.stands_on(unit, at)
        if other is not None:
            raise ZarebaError(f"there is no room beside {other.spec.name}")
        unit.at, unit.gone = at, ""
        state.arrivals.pop(piece, None)

    def remove(self, table: Table, state: Battle, piece: str) -> None:
        go(table, state, state.units[piece], "taken off", RULE)
