"""Mourning: whenever somebody is lost a die is thrown, and on a 6 it is told."""

from __future__ import annotations

import zareba
from zareba.table import Event, Table


@zareba.hookimpl
def zareba_event(table: Table, event: Event) -> None:
    """Throw for whoever mourns."""
    if (
        event.kind == "loss"
        and table.roll(1, 6, why="mourning", rule="HOUSE-1", actor=str(event.data.get("unit"))) == 6
    ):
        table.tell("note", "HOUSE-1", text="the drums were muffled")
