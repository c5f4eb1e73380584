"""`zareba compare --set-pieces`: small situations under all systems side by side, without a game played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.analysis.games.records import Variant
from zareba.analysis.studies.set_pieces import MEASURES, set_pieces
from zareba.cli.output import out, plain_table, print_json

__all__ = ["show_set_pieces"]


def show_set_pieces(variants: Sequence[Variant], titles: Mapping[str, str], *, as_json: bool) -> None:
    """Tell of every piece what each variant makes of it."""
    pieces = set_pieces(variants)
    if as_json:
        print_json({"variants": [one.to_dict() for one in variants], "set_pieces": pieces})
        return
    console = out()
    for piece in pieces:
        console.print(f"{piece['title']} ({piece['struck']})", style="bold")
        told = [one for one in piece["variants"] if "not_in_these_rules" not in one]
        shown = [name for name in MEASURES if any(one[name] for one in told)]
        if told:
            heads = ["", *(MEASURES[name] for name in shown)]
            rows = [[titles[one["variant"]], *(_cell(one[name]) for name in shown)] for one in told]
            console.print(plain_table(heads, rows, right=heads[1:]))
        for one in piece["variants"]:
            console.print(f"{titles[one['variant']]}: {_how(one)}.")
        console.print()
    console.print(
        "Losses are shares of the strength of those who are struck. --json has every chance as an exact fraction."
    )


def _cell(number: Mapping[str, Any] | None) -> str:
    return "" if number is None else f"{number['value']:.1%}".replace("%", " %")


def _how(one: Mapping[str, Any]) -> str:
    if "not_in_these_rules" in one:
        return f"not in these rules: {one['not_in_these_rules']}"
    sampled = f"played {one['samples']} times: " if one["samples"] else ""
    return f"{sampled}{one['told']}"
