"""Mourning: after each loss a die is rolled, and a 6 is reported."""

from __future__ import annotations

import zareba
from zareba.table import Event, Table


@zareba.hookimpl
def zareba_event(table: Table, event: Event) -> None:
    """Roll for the unit that has a loss."""
    if (
        event.kind == "loss"
        and table.roll(1, 6, why="mourning", rule="HOUSE-1", actor=str(event.data.get("unit"))) == 6
    ):
        table.emit("note", "HOUSE-1", text="the drums were muffled")
