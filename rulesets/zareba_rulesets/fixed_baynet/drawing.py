from __future__ import annotations
def draw_board(*a): return None
