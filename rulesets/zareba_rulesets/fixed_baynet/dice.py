"""The D12 of fire and what passes for a D3 (FBN-004, FBN-082, FBN-087 to FBN-090)."""

from __future__ import annotations

from functools import lru_cache

from zareba.chance import SumBands
from zareba.table import Table

__all__ = ["CRITICAL", "HIT", "MISS", "aimed", "d3", "d12_result", "hit_bands"]

MISS, HIT, CRITICAL = 0, 1, 2


@lru_cache(maxsize=1024)
def hit_bands(need: int, one_misses: bool = True, twelve_hits: bool = True) -> SumBands:
    """How a D12 is read against the number needed: 0 miss, 1 hit, 2 critical (FBN-087 to FBN-090)."""
    low = max(need, 2 if one_misses else 1)
    if low > 12:
        low = 12 if twelve_hits else 13
    return SumBands((low, max(12, low)))


def d12_result(table: Table, need: int, *, why: str, rule: str, actor: str) -> int:
    """A D12 against the number needed: 0 miss, 1 hit, 2 critical, as the settings read a 1 and a 12."""
    settings = table.rules.settings
    reading = hit_bands(need, settings["natural_1_misses"], settings["natural_12_hits"])
    return table.roll(1, 12, reading, why=why, rule=rule, actor=actor)


@lru_cache(maxsize=1024)
def aimed(need: int, twelve_hits: bool = True) -> SumBands:
    """How the D12 of a gun is read: 0 critical miss (a 1), 1 miss, 2 hit, 3 critical (FBN-220, P11)."""
    low = max(need, 2)
    if low > 12:
        low = 12 if twelve_hits else 13
    return SumBands((2, low, max(12, low)))


def d3(table: Table, *, why: str, rule: str, actor: str) -> int:
    """A D6 halved, rounded up (FBN-004)."""
    return 1 + table.roll(1, 6, SumBands((3, 5)), why=why, rule=rule, actor=actor)
