"""Print a comparison on the terminal: first screen, one value per metric, verdicts, written files; and set pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.analysis.findings.findings import in_figures
from zareba.analysis.games.notable import all_games_alike
from zareba.analysis.games.records import Variant
from zareba.analysis.studies.set_pieces import MEASURES, set_pieces
from zareba.base.grammar import amount, in_a_sentence, percent
from zareba.cli.output import out, plain_table, print_json, print_to_stderr
from zareba.report.first_screen import first_screen, heading
from zareba.report.outputs import WrittenFiles


def show(written: WrittenFiles, *, as_json: bool) -> None:
    """Print a whole comparison, and the files written."""
    if as_json:
        print_json(written.summary)
    else:
        _print_summary(written.summary)
    for remark in written.remarks:
        print_to_stderr(remark)
    for file in written.files:
        print_to_stderr(f"written: {file}")


_SHOWN_NUMBERS = {
    "M1": "won by the first side",
    "M2": "0 is even",
    "M3": "0 is none",
    "M18": "other winner",
    "M4": "before a limit",
    "M5": "turns",
    "M6": "index",
    "M7": "decisions per game",
    "M12": "winner behind by",
    "M13": "share of the game",
    "M14": "1 is even",
    "M17": "acts per game",
}
"""The number that the terminal shows for a metric whose title does not say it."""


def _print_summary(summary: Mapping[str, Any]) -> None:
    """Print the first estimate of each metric with a column per variant, then the verdicts."""
    console = out()
    names = [variant["name"] for variant in summary["variants"]]
    if warning := summary["advice"]["nothing_to_compare"]:
        console.print(warning)
        console.print()
    picks = first_screen(summary["advice"]).picks
    if picks:
        console.print(heading(summary["variants"]), style="bold")
        for wish, rulesets in picks:
            console.print(f"{wish}: {rulesets}.")
        console.print(f"Certainty: {summary['advice']['sure']}.")
        console.print()
    for row in summary["advice"]["rows"]:
        words = [f"{measure['title'].lower()}: {measure['words']}" for measure in row["measures"]]
        balance = ", but ".join(filter(None, (row["balance"]["words"], row["balance"]["listed"])))
        console.print(f"{row['title']}: {'; '.join([f'who wins: {balance}', *words])}.")
    if not picks:
        console.print(f"Certainty: {summary['advice']['sure']}.")
    console.print("In brackets: the 95 % confidence interval. The report explains every term at its end.")
    console.print()
    for verdict in summary["verdicts"]:
        console.print(f"{verdict['question']} {verdict['text']}")
    console.print()
    rows = []
    for metric in summary["metrics"]:
        headline_numbers = [variant["metrics"][metric["id"]][0] for variant in summary["variants"]]
        what = _SHOWN_NUMBERS.get(metric["id"])
        title = f"{metric['title']} ({what})" if what else metric["title"]
        rows.append([title, *map(_estimate, headline_numbers)])
    table = plain_table(("metric", *names), rows, right=names)
    if table.fits(console):
        console.print(table)
    else:
        console.print("The numbers of all metrics do not fit here: use a wider terminal, --out FOLDER or --json.")
    for variant in summary["skill"]:
        for match in variant["matches"]:
            share = in_figures(match["score"], "share")
            console.print(
                f"{variant['title']}: {match['first']} takes {share} of the points against {match['second']} ({match['elo']:+.0f} Elo)."
            )
    if summary["sweep"] is not None:
        _print_curves(summary["sweep"])
    for pair in summary["told_apart"] if summary["sweep"] is None else ():
        _print_divergence(pair, summary["advice"]["rows"])


def _estimate(estimate: Mapping[str, Any]) -> str:
    if estimate["value"] is None:
        return "none"
    value, low, high = (in_figures(estimate[key], estimate["unit"]) for key in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def _print_curves(sweep: Mapping[str, Any]) -> None:
    """Print each primary metric at each value, and its change for a step of one."""
    console = out()
    console.print()
    console.print(f"{sweep['path']} ({sweep['now']} in the unchanged rules)", style="bold")
    heads = ["", *(str(point["at"]) for point in sweep["curves"][0]["points"]), "per step of 1"]
    rows = []
    for curve in sweep["curves"]:
        cells = [_estimate({**point, "unit": curve["unit"]}) for point in curve["points"]]
        slope = curve["slope"]
        step = "" if slope is None else f"{_estimate({**slope, 'unit': curve['unit']})}{' *' * slope['shown']}"
        rows.append([f"{curve['title']}: {curve['name']}", *cells, step])
    console.print(plain_table(heads, rows))
    if any(curve["slope"] is not None and curve["slope"]["shown"] for curve in sweep["curves"]):
        console.print("*: statistically clear, a change too large to be chance, with all changes taken together.")


def _print_divergence(pair: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the games in which two variants differ most. `rows` of the advice have the names of the sides."""
    console = out()
    sides = {win["side"]: in_a_sentence(win["name"]) for row in rows for win in row["wins"]}
    console.print()
    if not pair["games"]:
        console.print(all_games_alike(pair, pair["first"], pair["second"]))
        return
    console.print(
        f"{pair['first']} and {pair['second']} share the luck of each game; {pair['alike']} of {amount(pair['of'], 'game')}"
        " went alike. They differ most in:"
    )
    for game in pair["games"]:
        first, second = (sides.get(winner, winner) if winner else "nobody" for winner in game["winners"])
        won = f"by {first} both times" if first == second else f"by {first}, then by {second}"
        console.print(f"game {game['game']}, won {won}:")
        for command in game["again"]:
            console.print(f"  {command}")


def show_set_pieces(variants: Sequence[Variant], titles: Mapping[str, str], *, as_json: bool) -> None:
    """Print the result of every set piece under each variant."""
    pieces = set_pieces(variants)
    if as_json:
        print_json({"variants": [variant.to_dict() for variant in variants], "set_pieces": pieces})
        return
    console = out()
    for piece in pieces:
        console.print(f"{piece['title']} ({piece['struck']})", style="bold")
        results = [result for result in piece["variants"] if "not_in_these_rules" not in result]
        shown = [name for name in MEASURES if any(result[name] for result in results)]
        if results:
            heads = ["", *(MEASURES[name] for name in shown)]
            rows = [[titles[result["variant"]], *(_share(result[name]) for name in shown)] for result in results]
            console.print(plain_table(heads, rows, right=heads[1:]))
        for result in piece["variants"]:
            console.print(f"{titles[result['variant']]}: {_computation_note(result)}.")
        console.print()
    console.print("Losses are shares of the target's strength. --json lists every chance as an exact fraction.")


def _share(number: Mapping[str, Any] | None) -> str:
    return "" if number is None else percent(number["value"], 1)


def _computation_note(result: Mapping[str, Any]) -> str:
    """Return how the rules represent a set piece, or why they do not have it."""
    if "not_in_these_rules" in result:
        return f"not in these rules: {result['not_in_these_rules']}"
    sampled = f"played {result['samples']} times: " if result["samples"] else ""
    return f"{sampled}{result['told']}"
