"""Print a comparison on the terminal: first screen, one value per metric, verdicts, written files; and set pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.analysis.findings.findings import in_figures
from zareba.analysis.games.notable import identical_in_all
from zareba.analysis.games.records import Variant
from zareba.analysis.studies.set_pieces import MEASURES, set_pieces
from zareba.base.grammar import amount
from zareba.cli.output import out, plain_table, print_json, talk
from zareba.report.outputs import WrittenFiles


def show(written: WrittenFiles, *, as_json: bool) -> None:
    """Print a whole comparison, and the files written."""
    if as_json:
        print_json(written.summary)
    else:
        _headline(written.summary)
    for remark in written.remarks:
        talk(remark)
    for file in written.files:
        talk(f"written: {file}")


def _headline(summary: Mapping[str, Any]) -> None:
    """Print the first estimate of each metric with a column per variant, then the verdicts."""
    console = out()
    names = [variant["name"] for variant in summary["variants"]]
    if warning := summary["advice"]["nothing_to_compare"]:
        console.print(warning)
        console.print()
    for row in summary["advice"]["rows"]:
        words = [f"{gauge['title'].lower()}: {gauge['words']}" for gauge in row["gauges"]]
        balance = ", but ".join(filter(None, (row["balance"]["words"], row["balance"]["listed"])))
        console.print(f"{row['title']}: {'; '.join([balance, *words])}.")
    console.print(f"How sure: {summary['advice']['sure']}.")
    console.print()
    rows = []
    for metric in summary["metrics"]:
        firsts = [variant["metrics"][metric["id"]][0] for variant in summary["variants"]]
        rows.append([metric["title"], *map(_estimate, firsts)])
    console.print(plain_table(("metric", *names), rows, right=names))
    console.print()
    for verdict in summary["verdicts"]:
        console.print(f"{verdict['question']} {verdict['text']}")
    for one in summary["skill"]:
        for match in one["matches"]:
            share = in_figures(match["score"], "share")
            console.print(
                f"{one['title']}: {match['first']} takes {share} of the points against {match['second']} ({match['elo']:+.0f} Elo)."
            )
    if summary["sweep"] is not None:
        _curves(summary["sweep"])
    for pair in summary["told_apart"] if summary["sweep"] is None else ():
        _told_apart(pair)


def _estimate(estimate: Mapping[str, Any]) -> str:
    if estimate["value"] is None:
        return "none"
    value, low, high = (in_figures(estimate[key], estimate["unit"]) for key in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def _curves(sweep: Mapping[str, Any]) -> None:
    """Print each primary metric at each value, and its change for a step of one."""
    console = out()
    console.print()
    console.print(f"{sweep['path']} ({sweep['now']} in the unchanged rules)", style="bold")
    heads = ["", *(str(point["at"]) for point in sweep["curves"][0]["points"]), "per step of 1"]
    rows = []
    for curve in sweep["curves"]:
        told = [_estimate({**point, "unit": curve["unit"]}) for point in curve["points"]]
        slope = curve["slope"]
        step = "" if slope is None else f"{_estimate({**slope, 'unit': curve['unit']})}{', shown' * slope['shown']}"
        rows.append([f"{curve['title']}: {curve['name']}", *told, step])
    console.print(plain_table(heads, rows))


def _told_apart(pair: Mapping[str, Any]) -> None:
    """Print the games in which two variants differ most."""
    console = out()
    console.print()
    if not pair["games"]:
        console.print(identical_in_all(pair, pair["first"], pair["second"]))
        return
    console.print(
        f"{pair['first']} and {pair['second']} share the luck of each game; {pair['alike']} of {amount(pair['of'], 'game')}"
        " went alike. They differ most in:"
    )
    for game in pair["games"]:
        won = " and ".join(str(winner or "nobody") for winner in game["winners"])
        console.print(f"game {game['game']}, won by {won}:")
        for command in game["again"]:
            console.print(f"  {command}")


def show_set_pieces(variants: Sequence[Variant], titles: Mapping[str, str], *, as_json: bool) -> None:
    """Print the result of every set piece under each variant."""
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
            rows = [[titles[one["variant"]], *(_share(one[name]) for name in shown)] for one in told]
            console.print(plain_table(heads, rows, right=heads[1:]))
        for one in piece["variants"]:
            console.print(f"{titles[one['variant']]}: {_how(one)}.")
        console.print()
    console.print("Losses are shares of the target's strength. --json lists every chance as an exact fraction.")


def _share(number: Mapping[str, Any] | None) -> str:
    return "" if number is None else f"{number['value']:.1%}".replace("%", " %")


def _how(one: Mapping[str, Any]) -> str:
    if "not_in_these_rules" in one:
        return f"not in these rules: {one['not_in_these_rules']}"
    sampled = f"played {one['samples']} times: " if one["samples"] else ""
    return f"{sampled}{one['told']}"
