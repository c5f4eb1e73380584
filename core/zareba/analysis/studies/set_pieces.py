"""Compare the set pieces of several variants, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from zareba.analysis.games.records import Variant
from zareba.odds.set_pieces import PIECES, measure_set_pieces
from zareba.registry import ruleset

MEASURES = {
    "mean_lost": "loses",
    "deviation": "give or take",
    "no_effect": "no losses",
    "gives_way": "gives way",
    "charge_gets_home": "charge gets home",
    "attackers_lose": "attackers lose",
}
"""Columns shown for each piece. Means and their standard deviation are shares of strength; the rest are chances."""
NO_SET_PIECES = "this ruleset does not define set pieces"


def set_pieces(variants: Sequence[Variant]) -> list[dict[str, Any]]:
    """Return each piece with the result of every variant, in the order of the variants."""
    columns = [_results(variant) for variant in variants]
    return [
        {
            "id": name,
            "title": piece.title,
            "struck": piece.struck,
            "variants": [
                {"variant": variant.name, **results[number]} for variant, results in zip(variants, columns, strict=True)
            ],
        }
        for number, (name, piece) in enumerate(PIECES.items())
    ]


@lru_cache(maxsize=64)
def _results(variant: Variant) -> tuple[dict[str, Any], ...]:
    stages = ruleset(variant.ruleset).set_pieces
    if stages is None:
        return tuple({"not_in_these_rules": NO_SET_PIECES} for _ in PIECES)
    rules = variant.rules()
    with rules.blamed("set pieces"):
        return tuple(set_piece.to_dict() for set_piece in measure_set_pieces(rules, stages(rules)))
