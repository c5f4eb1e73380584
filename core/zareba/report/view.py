"""The content of the report as plain words and rows, shared by the styled and the plain page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from zareba.analysis.findings.findings import in_figures, of_sides
from zareba.analysis.games.notable import all_games_alike
from zareba.analysis.studies.set_pieces import MEASURES
from zareba.base.grammar import amount
from zareba.report.first_screen import FirstScreen, first_screen, heading

_KIND_NAMES = {
    "spread": "standard deviation",
    "p10": "10 % quantile",
    "p90": "90 % quantile",
}
_Remarks: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The title of each variant with its remarks."""

_TERMS = (
    (
        "95 % confidence interval",
        "the range in brackets and the dark band on a bar; if the whole comparison were repeated many times, 19 in 20 such"
        " ranges would contain the true value",
    ),
    ("Sample size (n)", "the number of games behind a value"),
    (
        "Words joined by “or” or “to”",
        "there are too few games to decide between them; each word stands for a range of the number below it",
    ),
    (
        "Statistically clear",
        "the difference is too large to be chance, with all primary comparisons taken together: its p by Holm's method is below 5 %",
    ),
    (
        "Effect size",
        "the difference relative to the spread of the games, from 0 for none: Cohen's h for shares, Cliff's delta for"
        " other values",
    ),
    (
        "Table-time index",
        "the acts of people at the table, weighted by assumed seconds: twice the index means an evening about twice as long;"
        " it was not measured, and “per hour” means 60 of the index",
    ),
    (
        "Turns",
        "they are not compared between rulesets, because a turn differs; lead changes are read at the end of each turn, so"
        " that a battle of few turns shows few",
    ),
    (
        "Decisions",
        "choices in which the AI player sees more than one sensible option; under some rules it considers only one"
        " destination of a move",
    ),
)
"""The terms of the report, each explained once."""

MINUS = "−"
_POINT_UNITS = ("share", "of length")


@dataclass(frozen=True, slots=True)
class ReportCell:
    """A value, its interval, and the number of games behind it."""

    value: str
    interval: str
    n: int


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One number of a metric, with a cell for each variant that has it."""

    name: str
    unit: str
    cells: tuple[ReportCell | None, ...]


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A metric with its definition and all its numbers, starting with the compared one."""

    id: str
    title: str
    definition: str
    primary: bool
    rows: tuple[ReportRow, ...]

    @property
    def has_values(self) -> bool:
        """True if any game has the value. Some metrics are computed only on request."""
        return any(cell is not None for cell in self.rows[0].cells)


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """The difference of two variants on one metric."""

    metric: str
    pair: str
    """The two variants, such as "A minus B"."""
    value: str
    interval: str
    p: str
    """The p value by Holm's method; "" if no claim is made."""
    effect: str
    """The effect size and its name."""
    design: str
    """"paired" if the variants share the luck of each game, otherwise "unpaired"."""
    verdict: str


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim about two variants that was tested again under other conditions."""

    metric: str
    pair: str
    value: str
    """The difference under the original conditions."""
    under_conditions: tuple[str, ...]
    """The difference under each group of conditions, as in `View.claim_heads`."""
    verdict: str
    firm: bool
    """True if the claim holds under all conditions."""
    exceptions: tuple[str, ...]
    """The conditions under which the claim fails, or that had too few games to decide."""


@dataclass(frozen=True, slots=True)
class PieceCell:
    """The result of a set piece under a variant, or why there is none."""

    lost: str
    """The average share of strength lost, in words."""
    bar: float | None
    """The same as a width on a bar of 100."""
    chances: tuple[str, ...]
    """Further results, such as the chance of no effect."""
    note: str
    """The form of the situation under the rules."""
    why_not: str
    """The reason why the rules do not have this situation; "" if they have it."""


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A set piece, with a cell for each variant."""

    title: str
    struck: str
    """The unit whose losses are counted."""
    cells: tuple[PieceCell, ...]


@dataclass(frozen=True, slots=True)
class DivergenceRow:
    """A game in which two variants differ."""

    game: int
    pair: str
    winners: str
    """The winner under each of the two variants."""
    commands: tuple[str, ...]
    """The commands that replay the game under each variant."""


@dataclass(frozen=True, slots=True)
class CurveRow:
    """A number of a primary metric at each value of a sweep, and its change for a step of 1."""

    name: str
    cells: tuple[ReportCell, ...]
    step: str
    shown: bool


@dataclass(frozen=True, slots=True)
class View:
    """The whole page except its plots."""

    title: str
    lead: str
    """The number of games, and the AI players that played them."""
    heading: str
    """The question that the first screen answers."""
    first_screen: FirstScreen
    variants: tuple[str, ...]
    """The ids of the variants. `titles` has their titles in the same order."""
    titles: tuple[str, ...]
    variant_rules: tuple[tuple[str, str], ...]
    """The title of each variant with its ruleset, settings, house rules and number of games."""
    sections: tuple[ReportPart, ...]
    primary: tuple[DifferenceRow, ...]
    """The differences on primary metrics, which may be claimed."""
    exploratory: tuple[DifferenceRow, ...]
    verdicts: tuple[tuple[str, str, str], ...]
    """The id of each question, the question and its answer."""
    claims: tuple[ClaimRow, ...]
    """The claims tested under other conditions; empty if that was not asked for."""
    claim_heads: tuple[str, ...]
    """The heads of the columns of `claims` for the conditions."""
    conditions: tuple[tuple[str, int], ...]
    """Each condition tested, with its number of games of each variant; 0 if it has no effect in this battle."""
    skill: tuple[tuple[str, tuple[str, ...]], ...]
    """The title of each variant, with the result of each match between AI players of different strength."""
    skill_heads: tuple[str, ...]
    """The players of each match."""
    set_pieces: tuple[PieceRow, ...]
    identical_pairs: tuple[str, ...]
    """A sentence about each pair of variants whose games are all the same."""
    diverging_games: tuple[DivergenceRow, ...]
    sweep_title: str
    """The number that a sweep changes, with its value in the unchanged rules; "" without a sweep."""
    sweep_values: tuple[str, ...]
    curves: tuple[CurveRow, ...]
    not_in_these_rules: _Remarks
    for_these_rules_alone: _Remarks
    ended_by_stand_ins: _Remarks
    terms: tuple[tuple[str, str], ...]
    """Each term of the report with its meaning."""
    method: tuple[str, ...]
    header: tuple[tuple[str, str], ...]
    """The entries of the header of `summary.json`."""
    caution: str


def _remarks(variants: Sequence[Mapping[str, Any]], names: Mapping[str, str], kind: str) -> _Remarks:
    """Return the remarks of a kind for each variant that has any."""
    return tuple((names[variant["name"]], tuple(variant[kind])) for variant in variants if variant[kind])


def view_of(summary: Mapping[str, Any]) -> View:
    """Convert the content of `summary.json` into the content of the page."""
    header = summary["header"]
    variants = summary["variants"]
    names = {row["variant"]: row["title"] for row in summary["advice"]["rows"]}
    titles = {metric["id"]: metric["title"] for metric in summary["metrics"]}
    units = {entry["metric"]: entry["unit"] for entry in summary["differences"]}
    columns = _condition_columns(summary["conditions"])
    robustness = {(claim["metric"], claim["first"], claim["second"]): claim["holds"] for claim in summary["robustness"]}
    sides = header.get("sides", {})
    differences = [
        (entry, _difference_row(titles[entry["metric"]], entry, names, sides, robustness))
        for entry in summary["differences"]
    ]
    return View(
        title=header.get("title", header["scenario"]),
        lead=_lead(header, sum(variant["games"] for variant in variants)),
        heading=heading(variants),
        first_screen=first_screen(summary["advice"]),
        variants=tuple(variant["name"] for variant in variants),
        titles=tuple(names[variant["name"]] for variant in variants),
        variant_rules=tuple((names[variant["name"]], _variant_rules(variant)) for variant in variants),
        sections=tuple(_section(metric, variants, sides) for metric in summary["metrics"]),
        primary=tuple(row for entry, row in differences if entry["primary"]),
        exploratory=tuple(row for entry, row in differences if not entry["primary"]),
        verdicts=tuple((verdict["id"], verdict["question"], verdict["text"]) for verdict in summary["verdicts"]),
        claims=tuple(_claim_row(entry, titles, units, names, columns) for entry in summary["robustness"]),
        claim_heads=tuple(columns.values()),
        conditions=tuple((condition["title"], condition["games"]) for condition in summary["conditions"]),
        skill=tuple((variant["title"], tuple(map(_match_result, variant["matches"]))) for variant in summary["skill"]),
        skill_heads=tuple(f"{match['first']} against {match['second']}" for match in summary["skill"][0]["matches"])
        if summary["skill"]
        else (),
        set_pieces=tuple(
            PieceRow(piece["title"], piece["struck"], tuple(map(_piece_cell, piece["variants"])))
            for piece in summary["set_pieces"]
        ),
        identical_pairs=tuple(
            all_games_alike(pair, names[pair["first"]], names[pair["second"]])
            for pair in summary["told_apart"]
            if summary["sweep"] is None and not pair["games"]
        ),
        diverging_games=tuple(_divergences(summary["told_apart"], names, sides)) if summary["sweep"] is None else (),
        sweep_title=""
        if summary["sweep"] is None
        else "{path} ({now} in the unchanged rules)".format_map(summary["sweep"]),
        sweep_values=_sweep_values(summary["sweep"]),
        curves=() if summary["sweep"] is None else tuple(map(_curve_row, summary["sweep"]["curves"])),
        not_in_these_rules=_remarks(variants, names, "not_in_these_rules"),
        for_these_rules_alone=_remarks(variants, names, "for_these_rules_alone"),
        ended_by_stand_ins=_remarks(variants, names, "ended_by_stand_ins"),
        terms=_TERMS,
        method=tuple(summary["method"]),
        header=tuple((name, _plain(value)) for name, value in header.items()),
        caution=summary["caution"],
    )


def _lead(header: Mapping[str, Any], games: int) -> str:
    """Return the first sentence of the report: how many games were played, and by which players."""
    sides = header.get("sides", {})
    agents = ", ".join(f"{sides.get(side, side)}: {agent}" for side, agent in header["agents"].items())
    if len(players := set(header["agents"].values())) == 1:
        agents = f"{players.pop()} plays all sides"
    swapped = ", swapping sides in every second game" if header["swapped"] else ""
    selection = f"; only those with {' and '.join(header['where'])}" if "where" in header else ""
    interrupted = "; interrupted before the end" if header["partial"] else ""
    return f"{amount(games, 'whole game')} between AI players ({agents}){swapped}{selection}{interrupted}"


def _divergences(
    pairs: Sequence[Mapping[str, Any]], names: Mapping[str, str], sides: Mapping[str, str]
) -> Iterator[DivergenceRow]:
    for pair in pairs:
        for game in pair["games"]:
            winners = ", ".join(sides.get(winner, winner) if winner else "nobody" for winner in game["winners"])
            yield DivergenceRow(
                game["game"], f"{names[pair['first']]}, {names[pair['second']]}", winners, tuple(game["again"])
            )


def _match_result(match: Mapping[str, Any]) -> str:
    share, low, high = (in_figures(match[key], "share") for key in ("score", "low", "high"))
    return f"{share} of the points ({low} to {high}); {match['elo']:+.0f} Elo; {amount(match['games'], 'game')}"


def _sweep_values(sweep: Mapping[str, Any] | None) -> tuple[str, ...]:
    return tuple(str(point["at"]) for point in sweep["curves"][0]["points"]) if sweep and sweep["curves"] else ()


def _curve_row(curve: Mapping[str, Any]) -> CurveRow:
    unit, slope = curve["unit"], curve["slope"]

    def value_and_interval(number: Mapping[str, Any]) -> tuple[str, str]:
        if number["value"] is None:
            return "none", ""
        value, low, high = (in_figures(number[key], unit) for key in ("value", "low", "high"))
        return value, f"{low} to {high}"

    cells = tuple(ReportCell(*value_and_interval(point), point["n"]) for point in curve["points"])
    step = "" if slope is None else "{} ({})".format(*value_and_interval(slope))
    return CurveRow(f"{curve['title']}: {curve['name']}", cells, step, bool(slope and slope["shown"]))


def _piece_cell(result: Mapping[str, Any]) -> PieceCell:
    if "not_in_these_rules" in result:
        return PieceCell("", None, (), "", result["not_in_these_rules"])
    mean, chances = result["mean_lost"], []
    for name, words in MEASURES.items():
        if name not in ("mean_lost", "deviation") and result[name]:
            chances.append(f"{words} {in_figures(result[name]['value'], 'share')}")
    lost = ""
    if mean:
        lost = f"{in_figures(mean['value'], 'share')}, give or take {in_figures(result['deviation']['value'], 'share')}"
    if result["samples"]:
        chances.append(f"from {result['samples']} samples")
    return PieceCell(lost, round(100 * mean["value"], 2) if mean else None, tuple(chances), result["told"], "")


def _variant_rules(variant: Mapping[str, Any]) -> str:
    parts = [variant["ruleset"]]
    parts += [f"{name} = {_plain(value)}" for name, value in variant["settings"].items()]
    parts += [f"house rule {name}" for name in variant["house_rules"]]
    return f"{', '.join(parts)}; {amount(variant['games'], 'game')}"


def _section(metric: Mapping[str, Any], variants: Sequence[Mapping[str, Any]], sides: Mapping[str, str]) -> ReportPart:
    columns = [{entry["name"]: entry for entry in variant["metrics"][metric["id"]]} for variant in variants]
    names = dict.fromkeys(name for column in columns for name in column)
    return ReportPart(
        id=metric["id"],
        title=metric["title"],
        definition=metric["definition"],
        primary=metric["primary"],
        rows=tuple(_row(of_sides(name, sides), [column.get(name) for column in columns]) for name in names),
    )


def _row(name: str, entries: Sequence[Mapping[str, Any] | None]) -> ReportRow:
    example = next(entry for entry in entries if entry is not None)  # unit and kind are the same in all variants
    unit = {"share": "%", "of length": "% of length"}.get(example["unit"], example["unit"])
    kind = "" if example["kind"] == "share" else _KIND_NAMES.get(example["kind"], example["kind"])
    words = [word for word in (unit, kind) if word and word not in name]
    return ReportRow(name, ", ".join(words), tuple(_cell(entry) for entry in entries))


def _cell(entry: Mapping[str, Any] | None) -> ReportCell | None:
    if entry is None or entry["value"] is None:
        return None
    low, high = in_figures(entry["low"], entry["unit"]), in_figures(entry["high"], entry["unit"])
    return ReportCell(in_figures(entry["value"], entry["unit"]), f"{low} to {high}", entry["n"])


def _difference_row(
    title: str,
    entry: Mapping[str, Any],
    names: Mapping[str, str],
    sides: Mapping[str, str],
    robustness: Mapping[tuple[str, str, str], str],
) -> DifferenceRow:
    """Return the row of a difference. `robustness` has the verdicts on claims, by metric, first and second variant."""
    unit = entry["unit"]
    if entry["primary"] and entry["p_holm"] is None:
        verdict, p = "not claimed", ""
    elif entry["primary"]:
        verdict = "statistically clear" if entry["shown"] else "alike" if entry["alike"] else "not statistically clear"
        if robust := robustness.get((entry["metric"], entry["first"], entry["second"])):
            verdict = f"{verdict}; {robust}"
        p = _p(entry["p_holm"])
    else:
        verdict, p = "exploratory", ""
    gain = entry["pairing_gain"]
    paired = "paired" if gain is None else f"paired, gain {gain:.1f}"
    return DifferenceRow(
        metric=f"{title}: {of_sides(entry['name'], sides)}",
        pair=f"{names[entry['first']]} minus {names[entry['second']]}",
        value=_signed(entry["value"], unit),
        interval=f"{_signed(entry['low'], unit)} to {_signed(entry['high'], unit)}",
        p=p,
        effect=f"{entry['effect_size']:+.2f} {entry['effect']}".replace("-", MINUS),
        design=paired if entry["paired"] else "unpaired",
        verdict=verdict,
    )


def _condition_columns(conditions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the columns of the table of claims for the conditions, with their heads.

    Each set of AI players has a column, keyed by its title. All changed stand-ins share a column, and so do all changed
    translations; these are keyed by the kind of condition.
    """
    heads = {"stand-in": "with each stand-in changed", "translation": "with each translation changed"}
    columns = {}
    for condition in conditions:
        kind, title = condition["kind"], condition["title"]
        if kind == "players":
            columns[title] = title
        elif condition["games"]:
            columns[kind] = heads[kind]
    return columns


def _claim_row(
    entry: Mapping[str, Any],
    titles: Mapping[str, str],
    units: Mapping[str, str],
    names: Mapping[str, str],
    columns: Mapping[str, str],
) -> ClaimRow:
    unit = units[entry["metric"]]

    def differences_in(column: str) -> str:
        """Return the difference under the condition of a column, or the range of differences if there are several."""
        results = [result for result in entry["under"] if column in (result["kind"], result["title"])]
        if len(results) == 1:
            value, low, high = (_signed(results[0][key], unit) for key in ("value", "low", "high"))
            return f"{value} ({low} to {high})"
        values = sorted(result["value"] for result in results)
        return f"{_signed(values[0], unit)} to {_signed(values[-1], unit)}, {len(values)} of them" if values else ""

    exceptions = [f"not with {title}" for title in entry["depends_on"]]
    exceptions += [f"too few games to decide: {title}" for title in entry["open"]]
    return ClaimRow(
        metric=titles[entry["metric"]],
        pair=f"{names[entry['first']]} minus {names[entry['second']]}",
        value=_signed(entry["value"], unit),
        under_conditions=tuple(map(differences_in, columns)),
        verdict=entry["holds"],
        firm=entry["holds"] == "holds under all",
        exceptions=tuple(exceptions),
    )


def _signed(value: float, unit: str) -> str:
    """Return a difference with its sign. Differences of shares are in percentage points."""
    if unit in _POINT_UNITS:
        return f"{100 * value:+.1f} points".replace("-", MINUS)
    return f"{'+' if value >= 0 else MINUS}{in_figures(abs(value), unit)}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
