"""The content of the report as plain words and rows, shared by the styled and the plain page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from zareba.analysis.findings.findings import in_figures, of_sides
from zareba.analysis.games.notable import identical_in_all
from zareba.analysis.studies.set_pieces import MEASURES
from zareba.base.grammar import amount
from zareba.report.first_screen import FirstScreen, first_screen

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
        "Words joined by “or”",
        "there are too few games to decide between them; the words stand for ranges of the number below them",
    ),
    (
        "Shown",
        "the games show a difference, with all primary comparisons taken together: its p by Holm's method is below 5 %",
    ),
    (
        "Effect size",
        "the difference relative to the spread of the games, from 0 for none: Cohen's h for shares, Cliff's delta for"
        " other values",
    ),
    (
        "Table time",
        "an index of the acts of people at the table, weighted by assumed seconds; it was not measured, and hours are hours"
        " of table time",
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
    def told(self) -> bool:
        """True if any game has the value. Some metrics are computed only on request."""
        return any(cell is not None for cell in self.rows[0].cells)


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """The difference of two variants on one metric."""

    metric: str
    pair: str
    value: str
    interval: str
    p: str
    effect: str
    design: str
    verdict: str


@dataclass(frozen=True, slots=True)
class RobustRow:
    """A claim, its value under each set of players and over all stand-ins and words, its verdict and what it depends
    on.
    """

    metric: str
    pair: str
    value: str
    under: tuple[str, ...]
    holds: str
    firm: bool
    hangs_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PieceCell:
    """The result of a set piece under a variant: the share lost in words and as a bar of 100, further lines, or why it is
    missing.
    """

    lost: str
    bar: float | None
    lines: tuple[str, ...]
    told: str
    why_not: str


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A set piece, with a cell for each variant."""

    title: str
    struck: str
    cells: tuple[PieceCell, ...]


@dataclass(frozen=True, slots=True)
class DivergenceRow:
    """A game in which two variants differ: its number, the winner under each, and the commands that replay it."""

    game: int
    pair: str
    won: str
    again: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CurveRow:
    """A number of a primary metric at each value of a sweep, and its change for a step of 1."""

    name: str
    cells: tuple[ReportCell, ...]
    step: str
    shown: bool


@dataclass(frozen=True, slots=True)
class View:
    """The whole page except its plots. `verdicts` holds the id of a question, the question and the answer."""

    title: str
    lead: str
    which: str
    first_screen: FirstScreen
    variants: tuple[str, ...]
    titles: tuple[str, ...]
    makeup: tuple[tuple[str, str], ...]
    sections: tuple[ReportPart, ...]
    primary: tuple[DifferenceRow, ...]
    exploratory: tuple[DifferenceRow, ...]
    verdicts: tuple[tuple[str, str, str], ...]
    robust: tuple[RobustRow, ...]
    conditions: tuple[str, ...]
    tried: tuple[tuple[str, int], ...]
    skill: tuple[tuple[str, tuple[str, ...]], ...]
    skill_heads: tuple[str, ...]
    set_pieces: tuple[PieceRow, ...]
    alike: tuple[str, ...]
    told_apart: tuple[DivergenceRow, ...]
    swept: str
    swept_values: tuple[str, ...]
    curves: tuple[CurveRow, ...]
    not_in_these_rules: _Remarks
    for_these_rules_alone: _Remarks
    ended_by_stand_ins: _Remarks
    terms: tuple[tuple[str, str], ...]
    method: tuple[str, ...]
    header: tuple[tuple[str, str], ...]
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
    columns = _columns(summary["conditions"])
    holds = {(one["metric"], one["first"], one["second"]): one["holds"] for one in summary["robustness"]}
    sides = header.get("sides", {})
    differences = [
        (entry, _difference_row(titles[entry["metric"]], entry, names, sides, holds))
        for entry in summary["differences"]
    ]
    played = sum(variant["games"] for variant in variants)
    agents = ", ".join(f"{sides.get(side, side)}: {agent}" for side, agent in header["agents"].items())
    if len(players := set(header["agents"].values())) == 1:
        agents = f"{players.pop()} plays all sides"
    lead = f"{amount(played, 'whole game')} between AI players ({agents})" + (
        ", swapping sides in every second game" if header["swapped"] else ""
    )
    if "where" in header:
        lead += f"; only those with {' and '.join(header['where'])}"
    return View(
        title=header.get("title", header["scenario"]),
        lead=lead + ("; interrupted before the end" if header["partial"] else ""),
        which="Which ruleset" if len({variant["ruleset"] for variant in variants}) > 1 else "Which rules",
        first_screen=first_screen(summary["advice"]),
        variants=tuple(variant["name"] for variant in variants),
        titles=tuple(names[variant["name"]] for variant in variants),
        makeup=tuple((names[variant["name"]], _makeup(variant)) for variant in variants),
        sections=tuple(_section(metric, variants, sides) for metric in summary["metrics"]),
        primary=tuple(row for entry, row in differences if entry["primary"]),
        exploratory=tuple(row for entry, row in differences if not entry["primary"]),
        verdicts=tuple((verdict["id"], verdict["question"], verdict["text"]) for verdict in summary["verdicts"]),
        robust=tuple(_robust_row(entry, titles, units, names, columns) for entry in summary["robustness"]),
        conditions=tuple(columns.values()),
        tried=tuple((one["title"], one["games"]) for one in summary["conditions"]),
        skill=tuple((one["title"], tuple(map(_skill_words, one["matches"]))) for one in summary["skill"]),
        skill_heads=tuple(f"{one['first']} against {one['second']}" for one in summary["skill"][0]["matches"])
        if summary["skill"]
        else (),
        set_pieces=tuple(
            PieceRow(piece["title"], piece["struck"], tuple(map(_piece_cell, piece["variants"])))
            for piece in summary["set_pieces"]
        ),
        alike=tuple(
            identical_in_all(pair, names[pair["first"]], names[pair["second"]])
            for pair in summary["told_apart"]
            if summary["sweep"] is None and not pair["games"]
        ),
        told_apart=tuple(_apart_rows(summary["told_apart"], names, sides)) if summary["sweep"] is None else (),
        swept="" if summary["sweep"] is None else "{path} ({now} in the unchanged rules)".format_map(summary["sweep"]),
        swept_values=_swept_values(summary["sweep"]),
        curves=() if summary["sweep"] is None else tuple(map(_curve_row, summary["sweep"]["curves"])),
        not_in_these_rules=_remarks(variants, names, "not_in_these_rules"),
        for_these_rules_alone=_remarks(variants, names, "for_these_rules_alone"),
        ended_by_stand_ins=_remarks(variants, names, "ended_by_stand_ins"),
        terms=_TERMS,
        method=tuple(summary["method"]),
        header=tuple((name, _plain(value)) for name, value in header.items()),
        caution=summary["caution"],
    )


def _apart_rows(
    pairs: Sequence[Mapping[str, Any]], names: Mapping[str, str], sides: Mapping[str, str]
) -> Iterator[DivergenceRow]:
    for pair in pairs:
        for game in pair["games"]:
            won = ", ".join(sides.get(winner, winner) if winner else "nobody" for winner in game["winners"])
            yield DivergenceRow(
                game["game"], f"{names[pair['first']]}, {names[pair['second']]}", won, tuple(game["again"])
            )


def _skill_words(match: Mapping[str, Any]) -> str:
    share, low, high = (in_figures(match[key], "share") for key in ("score", "low", "high"))
    return f"{share} of the points ({low} to {high}); {match['elo']:+.0f} Elo; {amount(match['games'], 'game')}"


def _swept_values(sweep: Mapping[str, Any] | None) -> tuple[str, ...]:
    return tuple(str(point["at"]) for point in sweep["curves"][0]["points"]) if sweep and sweep["curves"] else ()


def _curve_row(curve: Mapping[str, Any]) -> CurveRow:
    unit, slope = curve["unit"], curve["slope"]

    def told(number: Mapping[str, Any]) -> tuple[str, str]:
        if number["value"] is None:
            return "none", ""
        value, low, high = (in_figures(number[key], unit) for key in ("value", "low", "high"))
        return value, f"{low} to {high}"

    cells = tuple(ReportCell(*told(point), point["n"]) for point in curve["points"])
    step = "" if slope is None else "{} ({})".format(*told(slope))
    return CurveRow(f"{curve['title']}: {curve['name']}", cells, step, bool(slope and slope["shown"]))


def _piece_cell(told: Mapping[str, Any]) -> PieceCell:
    if "not_in_these_rules" in told:
        return PieceCell("", None, (), "", told["not_in_these_rules"])
    mean, lines = told["mean_lost"], []
    for name, words in MEASURES.items():
        if name not in ("mean_lost", "deviation") and told[name]:
            lines.append(f"{words} {in_figures(told[name]['value'], 'share')}")
    lost = ""
    if mean:
        lost = f"{in_figures(mean['value'], 'share')}, give or take {in_figures(told['deviation']['value'], 'share')}"
    if told["samples"]:
        lines.append(f"from {told['samples']} samples")
    return PieceCell(lost, round(100 * mean["value"], 2) if mean else None, tuple(lines), told["told"], "")


def _makeup(variant: Mapping[str, Any]) -> str:
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
    some = next(entry for entry in entries if entry is not None)
    unit = {"share": "%", "of length": "% of length"}.get(some["unit"], some["unit"])
    kind = "" if some["kind"] == "share" else _KIND_NAMES.get(some["kind"], some["kind"])
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
    holds: Mapping[tuple[str, str, str], str],
) -> DifferenceRow:
    unit = entry["unit"]
    if entry["primary"] and entry["p_holm"] is None:
        verdict, p = "not claimed", ""
    elif entry["primary"]:
        verdict = "shown" if entry["shown"] else "alike" if entry["alike"] else "not shown"
        if known := holds.get((entry["metric"], entry["first"], entry["second"])):
            verdict = f"{verdict}; {known}"
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


def _columns(conditions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the columns of the table of claims with their heads: one per set of players, one for all stand-ins, one for
    all words.
    """
    found = {}
    for one in conditions:
        if one["kind"] == "players":
            found[one["title"]] = one["title"]
        elif one["games"]:
            found[one["kind"]] = {"stand-in": "with each stand-in changed", "translation": "with each translation changed"}[one["kind"]]  # fmt: skip
    return found


def _robust_row(
    entry: Mapping[str, Any],
    titles: Mapping[str, str],
    units: Mapping[str, str],
    names: Mapping[str, str],
    columns: Mapping[str, str],
) -> RobustRow:
    unit = units[entry["metric"]]

    def told(column: str) -> str:
        some = [one for one in entry["under"] if column in (one["kind"], one["title"])]
        if len(some) == 1:
            (one,) = some
            return f"{_signed(one['value'], unit)} ({_signed(one['low'], unit)} to {_signed(one['high'], unit)})"
        values = sorted(one["value"] for one in some)
        return f"{_signed(values[0], unit)} to {_signed(values[-1], unit)}, {len(values)} of them" if values else ""

    hangs_on = [f"not with {title}" for title in entry["depends_on"]]
    hangs_on += [f"too few games to decide: {title}" for title in entry["open"]]
    return RobustRow(
        metric=titles[entry["metric"]],
        pair=f"{names[entry['first']]} minus {names[entry['second']]}",
        value=_signed(entry["value"], unit),
        under=tuple(map(told, columns)),
        holds=entry["holds"],
        firm=entry["holds"] == "holds under all",
        hangs_on=tuple(hangs_on),
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
