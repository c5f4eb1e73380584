"""The set pieces of several variants side by side, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from zareba.analysis.games.records import Variant
from zareba.odds.set_pieces import PIECES, measure_set_pieces
from zareba.registry import ruleset

__all__ = ["MEASURES", "set_pieces"]

MEASURES = {
    "mean_lost": "loses",
    "deviation": "give or take",
    "no_effect": "nobody is lost",
    "gives_way": "gives way",
    "charge_gets_home": "charge gets home",
    "attackers_lose": "attackers lose",
}
"""What is told of each piece, as a column is headed: means and their standard deviation in shares of strength, the rest chances."""
UNTOLD = "these rules do not say how set pieces are settled under them"


def set_pieces(variants: Sequence[Variant]) -> list[dict[str, Any]]:
    """Each piece with what every variant makes of it, in the order of the variants."""
    columns = [_of(variant) for variant in variants]
    return [
        {
            "id": name,
            "title": piece.title,
            "struck": piece.struck,
            "variants": [
                {"variant": variant.name, **told[number]} for variant, told in zip(variants, columns, strict=True)
            ],
        }
        for number, (name, piece) in enumerate(PIECES.items())
    ]


@lru_cache(maxsize=64)
def _of(variant: Variant) -> tuple[dict[str, Any], ...]:
    stages = ruleset(variant.ruleset).set_pieces
    if stages is None:
        return tuple({"not_in_these_rules": UNTOLD} for _ in PIECES)
    rules = variant.rules()
    with rules.blamed("set pieces"):
        return tuple(one.to_dict() for one in measure_set_pieces(rules, stages(rules)))
