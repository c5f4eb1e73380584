"""The plots of the report as inline SVG, drawn with matplotlib, which importing this module requires.

Text, axes and lines use `currentColor`, so that one drawing suits light and dark pages and print.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from zareba.analysis.games.measures import lead
from zareba.analysis.games.records import CAUSES, GameRecord
from zareba.analysis.statistics.intervals import ShareEstimate, quantile
from zareba.base.exact import total
from zareba.base.grammar import amount, in_a_sentence, percent

# The Okabe-Ito colours: distinct for all kinds of colour vision, on light and dark backgrounds.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_INK = "#010203"  # an otherwise unused colour, replaced by currentColor afterwards

_NOT_SIGNIFICANT = "#999999"
"""The colour of an effect that is not significant."""
_PATH_WIDTH = 30
"""Width of a ruleset path next to a panel, in characters."""

_MOST_RANKED = 20
"""The largest number of rows in the plot of the numbers that matter most."""
_MOST_LEAD_CURVES = 40
"""The largest number of games drawn one by one in the plot of the lead."""

GamesByTitle = dict[str, list[GameRecord]]
"""The games of each variant, by the title of the variant."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing with its title and caption."""

    question: str
    """The id of the verdict that the plot belongs to, such as "balance"; "sweep" for the curves of a sweep."""
    title: str
    caption: str
    svg: str
    """An SVG element that is safe to insert into a page unescaped."""


def draw_all(
    records: Sequence[GameRecord],
    titles: Mapping[str, str],
    sides: Mapping[str, str],
    sweep: Mapping[str, Any] | None = None,
) -> list[Plot]:
    """Return every plot of the report, with the variants in the order of `titles`. `sides` maps side ids to display
    names.

    `sweep` holds the curves of `zareba.analysis.studies.sweep`, which are drawn too.
    """
    games: GamesByTitle = {
        title: [record for record in records if record.variant == variant] for variant, title in titles.items()
    }
    names = {side: short(sides.get(side, side)) for side in records[0].sides}
    with _style():
        return [
            _outcomes(games, names),
            _lengths(games),
            _losses(games, names),
            _leads(games, names),
            _strength(games, names),
            *([_curves(sweep, names)] if sweep and sweep["curves"] else []),
        ]


def draw_ranked(data: Mapping[str, Any]) -> str:
    """Return an SVG file of the numbers that matter most (`zareba.analysis.studies.sensitivity`), with a panel per
    measure.

    Each measure has its own scale. Effects that are significant at the false discovery rate are coloured.
    """
    ranked = data["ranked"][:_MOST_RANKED]
    labels = [f"{_wrapped_path(change['path'])}\n{change['was']:g} to {change['to']:g}" for change in ranked]
    height = sum(0.13 * len(label.splitlines()) + 0.1 for label in labels)
    with _style():
        figure, panels = _panels(len(data["measures"]), height=height + 1.3, share_x=False)
        for axes, (measure, (title, unit)) in zip(panels, data["measures"].items(), strict=True):
            scale = 100 if unit == "share" else 1
            for row, change in enumerate(ranked):
                effect = change["effects"][measure]
                value, low, high = (scale * effect[key] for key in ("value", "low", "high"))
                axes.barh(row, value, 0.7, color=_COLOURS[0] if effect["shown"] else _NOT_SIGNIFICANT)
                axes.plot([low, high], [row, row], color=_INK, linewidth=1)
            axes.axvline(0, color=_INK, linewidth=0.6)
            axes.set_title(short(title))
            axes.set_xlabel("points of 100" if unit == "share" else unit)
            axes.set_yticks(range(len(ranked)), labels, fontsize=7)
        panels[0].invert_yaxis()
        legend = {
            _COLOURS[0]: f"statistically clear (at most {percent(data['fdr'])} of these are false)",
            _NOT_SIGNIFICANT: "not statistically clear",
        }
        for colour, label in legend.items():
            panels[0].barh(0, 0, color=colour, label=label)
        _legend_above(figure, panels[0])
        return _svg(figure, "ranked")


def _wrapped_path(path: str) -> str:
    """Return a ruleset path, broken after its dots into lines that fit next to a panel."""
    lines = [""]
    for key in path.split("."):
        if lines[-1] and len(lines[-1]) + len(key) > _PATH_WIDTH:
            lines.append("")
        lines[-1] += f"{key}."
    return "\n".join(lines).removesuffix(".")


@contextmanager
def _style() -> Iterator[None]:
    """Start from matplotlib's defaults, so that a user's matplotlibrc does not change the page."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "svg.hashsalt": "zareba",
                "svg.fonttype": "none",
                "font.family": "sans-serif",
                "font.size": 10,
                "text.parse_math": False,
                "text.color": _INK,
                "axes.edgecolor": _INK,
                "axes.labelcolor": _INK,
                "axes.titlesize": 10,
                "xtick.color": _INK,
                "ytick.color": _INK,
                "axes.spines.top": False,
                "axes.spines.right": False,
                "legend.frameon": False,
            }
        )
        yield


def _outcomes(games: GamesByTitle, names: Mapping[str, str]) -> Plot:
    sides = next(iter(games.values()))[0].sides
    winners: list[str | None] = [*sides, None]  # None: drawn
    figure, (axes,) = _panels(1, height=0.55 * len(games) + 1.3)
    thickness = 0.8 / len(winners)
    for index, winner in enumerate(winners):
        for row, records in enumerate(games.values()):
            count = sum(record.winner == winner for record in records)
            share, interval = count / len(records), ShareEstimate(count, len(records)).limits()
            y = row + (index - (len(winners) - 1) / 2) * thickness
            colour = _COLOURS[index % len(_COLOURS)] if winner is not None else "#888888"
            label = (names[winner] if winner is not None else "drawn") if row == 0 else None
            axes.barh(y, share, thickness * 0.9, color=colour, label=label)
            axes.plot([interval.low, interval.high], [y, y], color=_INK, linewidth=1.2)
    axes.set_yticks(range(len(games)), [short(variant) for variant in games])
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of games")
    _legend_above(figure, axes)
    return Plot(
        "balance",
        "Who wins",
        "Share of games won by each side and drawn, with 95 % intervals.",
        _svg(figure, "outcome"),
    )


def _curves(sweep: Mapping[str, Any], names: Mapping[str, str]) -> Plot:
    curves_by_metric: dict[str, list[Mapping[str, Any]]] = {}
    for curve in sweep["curves"]:
        curves_by_metric.setdefault(curve["title"], []).append(curve)
    figure, panels = _panels(len(curves_by_metric), height=2.6, share_y=False)
    for axes, (title, curves) in zip(panels, curves_by_metric.items(), strict=True):
        for curve, colour in zip(curves, _COLOURS, strict=False):
            points = [point for point in curve["points"] if point["value"] is not None]
            at, values, lows, highs = ([point[key] for point in points] for key in ("at", "value", "low", "high"))
            side = names.get(curve["name"].removeprefix("won by "), "")
            axes.plot(at, values, color=colour, marker="o", markersize=4, label=side or None)
            axes.fill_between(at, lows, highs, color=colour, alpha=0.2, linewidth=0)
        axes.axvline(sweep["now"], color=_INK, linewidth=0.6, linestyle=":")
        axes.set_title(f"{title}, {curves[0]['unit']}" if curves[0]["unit"] else title)
        if len(curves) > 1:
            axes.legend(fontsize=8)
    return Plot(
        "sweep",
        sweep["path"],
        "Each primary metric at each value, with 95 % intervals; dotted line: the unchanged rules.",
        _svg(figure, "sweep"),
    )


def _lengths(games: GamesByTitle) -> Plot:
    longest = max(record.turns for records in games.values() for record in records)
    figure, panels = _panels(len(games), height=2.2)
    for axes, (variant, records) in zip(panels, games.items(), strict=True):
        turns = list(range(longest + 1))
        shares = [sum(record.turns == turn for record in records) / len(records) for turn in turns]
        axes.bar(turns, shares, 0.85, color=_COLOURS[0])
        axes.axvline(quantile([record.turns for record in records], 0.5), color=_INK, linewidth=1.2, linestyle=":")
        axes.set_title(short(variant))
        axes.set_xlabel("game turns")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    panels[0].set_ylabel("share of games")
    return Plot(
        "speed",
        "How long games last",
        "Game turns until the end; the dotted line is the median.",
        _svg(figure, "length"),
    )


def _losses(games: GamesByTitle, names: Mapping[str, str]) -> Plot:
    sides = next(iter(games.values()))[0].sides
    bars = [(variant, side) for variant in games for side in sides]
    figure, (axes,) = _panels(1, height=0.34 * len(bars) + 1.3)
    starts = [0.0] * len(bars)
    for index, cause in enumerate(CAUSES):
        means = [
            total(record.losses[side][cause] for record in games[variant]) / len(games[variant])
            for variant, side in bars
        ]
        axes.barh(range(len(bars)), means, 0.8, left=starts, color=_COLOURS[index], label=cause)
        starts = [start + mean for start, mean in zip(starts, means, strict=True)]
    axes.set_yticks(range(len(bars)), [f"{short(variant)}: {names[side]}" for variant, side in bars])
    axes.invert_yaxis()
    axes.set_xlim(0, max(1.0, *starts))
    axes.set_xlabel("share of starting strength lost")
    _legend_above(figure, axes)
    return Plot(
        "bloodiness",
        "What losses come from",
        "Mean share of strength lost per side, by cause.",
        _svg(figure, "losses"),
    )


def _strength(games: GamesByTitle, names: Mapping[str, str]) -> Plot:
    figure, panels = _panels(len(games), height=2.6)
    for axes, (variant, records) in zip(panels, games.items(), strict=True):
        for index, side in enumerate(records[0].sides):
            _band(axes, [record.strength[side] for record in records], _COLOURS[index % len(_COLOURS)], names[side])
        axes.set_title(short(variant))
        axes.set_xlabel("end of turn")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylim(0, 1.02)
    panels[0].set_ylabel("share still effective")
    _legend_above(figure, panels[0])
    caption = (
        "Median strength of each side, with the band of the middle 80 % of games; finished games keep their last value."
    )
    return Plot("bloodiness", "Strength over time", caption, _svg(figure, "strength"))


def _leads(games: GamesByTitle, names: Mapping[str, str]) -> Plot:
    figure, panels = _panels(len(games), height=2.6)
    first = next(iter(games.values()))[0].sides[0]
    for axes, (variant, records) in zip(panels, games.items(), strict=True):
        curves = [[lead(record, first, turn) for turn in range(record.turns + 1)] for record in records]
        for curve in curves[:_MOST_LEAD_CURVES]:
            axes.plot(curve, color=_COLOURS[0], linewidth=0.6, alpha=0.35)
        _band(axes, curves, _COLOURS[1], "median")
        axes.axhline(0, color=_INK, linewidth=0.8)
        axes.set_title(short(variant))
        axes.set_xlabel("end of turn")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylim(-1, 1)
    panels[0].set_ylabel(f"lead of {names[first]}")
    caption = f"Lead of {in_a_sentence(names[first])}, as a share of the points in play: the first {amount(_MOST_LEAD_CURVES, 'game')}, the median and the middle 80 % of all."
    return Plot("suspense", "Who is in front", caption, _svg(figure, "lead"))


def short(title: str) -> str:
    """Return a title wrapped to fit above a panel."""
    return "\n".join(wrap(title, 26)) if len(title) > 26 else title


def _band(axes: Axes, curves: Sequence[Sequence[float]], colour: str, label: str) -> None:
    """Draw the median and the 10 % to 90 % band of curves of different length. Each curve continues values_by_turn its
    last value.
    """
    turns = range(max(len(curve) for curve in curves))
    values_by_turn = [[curve[min(turn, len(curve) - 1)] for curve in curves] for turn in turns]
    lows, medians, highs = ([quantile(values, q) for values in values_by_turn] for q in (0.1, 0.5, 0.9))
    axes.fill_between(turns, lows, highs, color=colour, alpha=0.2, linewidth=0)
    axes.plot(turns, medians, color=colour, linewidth=2, label=label)


def _panels(count: int, height: float, *, share_x: bool = True, share_y: bool = True) -> tuple[Figure, list[Axes]]:
    """Return a figure with `count` panels, at most three in a row. By default they share their axes."""
    columns = 2 if count == 4 else min(count, 3)
    rows = -(-count // columns)
    figure = Figure(figsize=(8.0, height * rows + 0.4), layout="constrained")
    figure.patch.set_alpha(0)
    grid = figure.subplots(rows, columns, squeeze=False, sharex=share_x, sharey=share_y)
    panels: list[Axes] = list(grid.flat)
    for axes in panels[count:]:
        axes.set_visible(False)
    for axes in panels:
        axes.patch.set_alpha(0)
        axes.tick_params(labelbottom=True)
    return figure, panels[:count]


def _legend_above(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=len(labels), borderaxespad=0)


def _svg(figure: Figure, name: str) -> str:
    """Return the drawing as an SVG element that scales with the page. The prefix `name` makes its ids unique."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    head, rest = text[text.index("<svg") :].split(">", 1)
    head = re.sub(r' (width|height)="[^"]*"', "", head)
    rest = re.sub(r'( id="|url\(#|href="#)', rf"\g<1>{name}-", rest)
    return f"{head}>{rest}".replace(_INK, "currentColor")
