"""The table as a board to be drawn."""
from __future__ import annotations
from typing import Any
def draw_board(*a: Any) -> Any: return None
