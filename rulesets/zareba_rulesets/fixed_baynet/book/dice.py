"""The D12 of fire and the D3 (FBN-004, FBN-082, FBN-087 to FBN-090)."""

from __future__ import annotations

from functools import lru_cache

from zareba.chance import Meaning, SumBands, named
from zareba.table import Table

__all__ = ["CRITICAL", "HIT", "MISS", "aim_bands", "aimed", "d3", "d12_result", "hit_bands"]

MISS, HIT, CRITICAL = 0, 1, 2
AIMS = named("a critical miss", "a miss", "a hit", "a critical hit")
D3 = named("1", "2", "3")


@lru_cache(maxsize=1024)
def hit_bands(need: int, faces: int, misses: int, critical: int, natural: bool) -> SumBands:
    """Return how a die with `faces` faces is read: 0 miss, 1 hit, 2 critical (FBN-087 to FBN-090).

    Scores up to `misses` always miss. Scores from `critical` on are critical; if `natural`, they hit even if more is
    needed.
    """
    low = max(need, misses + 1)
    if low > critical and natural:
        low = critical
    low = min(low, faces + 1)
    return SumBands((low, max(critical, low)))


@lru_cache
def _strikes(by: str) -> Meaning:
    return named("a miss", "a hit", "a critical hit", by=by)


def d12_result(table: Table, need: int, *, why: str, rule: str, actor: str, by: str = "") -> int:
    """Roll the D12 of fire against the number needed: 0 miss, 1 hit, 2 critical.

    The settings decide how a 1 and a 12 are read. `by` names what the number needed depends on, for rolls without a
    modifier breakdown.
    """
    settings = table.rules.settings
    die = table.rules.book.fire_die
    misses = die.misses if settings["natural_1_misses"] else 0
    reading = hit_bands(need, die.faces, misses, die.critical, settings["natural_12_hits"])
    return table.roll(1, die.faces, reading, why=why, rule=rule, actor=actor, means=_strikes(by))


@lru_cache(maxsize=1024)
def aim_bands(need: int, faces: int, misses: int, critical: int, natural: bool) -> SumBands:
    """Return how a gun's die is read: 0 critical miss (a 1), 1 miss, 2 hit, 3 critical (FBN-220)."""
    return SumBands((misses + 1, *hit_bands(need, faces, misses, critical, natural).thresholds))


def aimed(table: Table, need: int, *, why: str, rule: str, actor: str) -> int:
    """Roll a gun's die against the number needed: 0 critical miss, 1 miss, 2 hit, 3 critical (FBN-220)."""
    die = table.rules.book.fire_die
    reading = aim_bands(need, die.faces, die.misses, die.critical, table.rules.settings["natural_12_hits"])
    return table.roll(1, die.faces, reading, why=why, rule=rule, actor=actor, means=AIMS)


def d3(table: Table, *, why: str, rule: str, actor: str) -> int:
    """Roll a D3: a D6 halved, rounded up (FBN-004)."""
    return 1 + table.roll(1, 6, SumBands((3, 5)), why=why, rule=rule, actor=actor, means=D3)
