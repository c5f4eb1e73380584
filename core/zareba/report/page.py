"""The report page and the sections of plugins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from zareba.analysis.games.notable import command_of_record, notable
from zareba.analysis.games.records import GameRecord, Variant
from zareba.plugins.entry_points import broken_entry_points, installed_sections, installed_sheets
from zareba.report.first_screen import ScreenLine
from zareba.report.sample_game import SampleGame, sample_games, watch_address
from zareba.report.view import DifferenceRow, PieceCell, ReportPart, View, view_of

if TYPE_CHECKING:
    import jinja2

# --- Contributions of plugins to printed output: sections of the report and tables of quick sheets --------------------


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section of the report: its heading, a paragraph, the column heads, and the function that returns the rows.

    `rows` receives the records of all games and the titles of the variants by name. Each row is as long as `heads`. A
    cell with the id of a side is shown as the name of the side.
    """

    title: str
    words: str
    heads: tuple[str, ...]
    rows: Callable[[Sequence[GameRecord], Mapping[str, str]], Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table of quick sheets: its heading, the column heads, and the function that returns the rows.

    `rows` receives the ruleset id, the ruleset's data with all changes by house rules, and the settings. Each row is
    as long as `heads`. A table without rows is not shown.
    """

    title: str
    heads: tuple[str, ...]
    rows: Callable[[str, Mapping[str, Any], Mapping[str, Any]], Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A report section with its rows."""

    title: str
    words: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A heading, column heads and rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sections(
    records: Sequence[GameRecord], titles: Mapping[str, str], sides: Mapping[str, str] = MappingProxyType({})
) -> list[ShownSection]:
    """Return the sections of all plugins; `sides` maps ids to names. A section that fails is left out with a
    warning.
    """
    shown = []
    for section, rows in _with_rows("report sections", ReportSection, installed_sections(), records, titles):
        named_rows = tuple(tuple(sides.get(cell, cell) for cell in row) for row in rows)
        shown.append(ShownSection(section.title, section.words, section.heads, named_rows))
    return shown


def sheet_tables(
    ruleset: str, data: Mapping[str, Any], settings: Mapping[str, Any], extended: Sequence[str] = ()
) -> list[ShownTable]:
    """Return the tables of all plugins for a quick sheet. A table that fails is left out with a warning.

    A table for one of the rulesets that this one extends is also shown.
    """
    tables: dict[str, ShownTable] = {}
    for id in (ruleset, *extended):
        for table, rows in _with_rows("sheets", SheetTable, installed_sheets(), id, data, settings):
            if rows:
                tables.setdefault(table.title, ShownTable(table.title, table.heads, rows))
    return list(tables.values())


T = TypeVar("T", ReportSection, SheetTable)


def _with_rows(
    group: str, kind: type[T], installed: Iterable[tuple[str, Any]], *arguments: Any
) -> Iterator[tuple[T, tuple[tuple[str, ...], ...]]]:
    """Yield each contribution that plugins installed, with the rows that it returns for `arguments`.

    `installed` holds the package and the contribution; `group` names the entry points in warnings. A contribution that
    fails or is not of `kind` is skipped with a warning.
    """
    for package, contribution in installed:
        try:
            if not isinstance(contribution, kind):
                raise TypeError(f"{contribution!r} is no {kind.__name__}")
            rows = tuple(tuple(map(str, row)) for row in contribution.rows(*arguments))
            if wrong := [row for row in rows if len(row) != len(contribution.heads)]:
                raise ValueError(
                    f"{contribution.title}: the row {wrong[0]} is not as long as its heads {contribution.heads}"
                )
        except (Exception, SystemExit) as error:  # noqa: BLE001  # any failure affects only this plugin
            broken_entry_points(package, group, f"{type(error).__name__}: {error}")
        else:
            yield contribution, rows


# --- Render the report with jinja2 if it is installed, otherwise as plain tables --------------------------------------


_NO_PLOTS = "The report has no plots; for plots: pip install 'zareba[report]'."


@dataclass(frozen=True, slots=True)
class Report:
    """The page as HTML, and a remark about each missing part."""

    html: str
    remarks: tuple[str, ...]


def render(summary: Mapping[str, Any], records: Sequence[GameRecord]) -> Report:
    """Return the page for the content of `summary.json` and its games. Some games are replayed for the report."""
    view = view_of(summary)
    samples = [] if summary["sweep"] is not None else sample_games(summary, records)
    watched = _watch_links(view, summary, records)
    sides = summary["header"].get("sides", {})
    plugin_sections = sections(records, dict(zip(view.variants, view.titles, strict=True)), sides)
    try:
        import jinja2  # noqa: F401  # only looks for it
    except ImportError:
        return Report(_plain_page(view, watched, samples, plugin_sections), (_NO_PLOTS,))
    try:
        from zareba.report.plots import Plot, draw_all

        plots: list[Plot] = draw_all(
            records,
            dict(zip(view.variants, view.titles, strict=True)),
            sides,
            summary["sweep"],
        )
    except ImportError:
        plots = []
    remarks = () if plots else (_NO_PLOTS,)
    html = _template().render(
        view=view,
        plots=plots,
        remarks=remarks,
        watched=watched,
        samples=samples,
        plugin_sections=plugin_sections,
    )
    return Report(f"{html}\n", remarks)


@lru_cache(maxsize=1)
def _template() -> jinja2.Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string((resources.files(__package__) / "report.html.j2").read_text(encoding="utf-8"))


class WatchLink(NamedTuple):
    """A notable game."""

    title: str
    """The title of the variant."""
    what: str
    """The reason why the game is notable, with its number."""
    words: str
    """The course of the game."""
    replay_command: str
    """The command that replays it."""
    address: str
    """The address at which a server that shows this page replays it."""


def _watch_links(view: View, summary: Mapping[str, Any], records: Sequence[GameRecord]) -> list[WatchLink]:
    titles = dict(zip(view.variants, view.titles, strict=True))
    header = summary["header"]
    variants = {data["name"]: Variant.from_dict(data) for data in summary["variants"]}
    commands = {
        (record.variant, record.game): command_of_record(record, variants[record.variant], header["scenario"])
        for record in records
    }
    return [
        WatchLink(
            titles[game.variant],
            game.what,
            game.words,
            commands[game.variant, game.game],
            watch_address(game.variant, game.game),
        )
        for game in notable(records, header.get("sides", {}))
    ]


def _plain_page(
    view: View, watched: Sequence[WatchLink], samples: Sequence[SampleGame], plugin_sections: Sequence[ShownSection]
) -> str:
    """Return the page as headings, paragraphs and tables, without styles or plots."""
    names = dict(zip(view.variants, view.titles, strict=True))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(view.title)}</title></head><body>",
        f"<h1>{escape(view.title)}</h1><p>{escape(view.lead)}</p><p>{escape(_NO_PLOTS)}</p>",
        f"<h2>{view.heading}</h2><p>{escape(view.first_screen.warning)}</p>",
        _table(_SCREEN_HEADS, map(_screen_cells, view.first_screen.lines)),
        _list(f"{wish}: {rulesets}" for wish, rulesets in view.first_screen.picks),
        *(f"<h2>{escape(question)}</h2><p>{escape(text)}</p>" for _, question, text in view.verdicts),
        *(_plain_section(section, view.titles) for section in view.sections),
        "<h2>Differences</h2>",
        _table(_DIFFERENCE_HEADS, map(_difference_cells, (*view.primary, *view.exploratory))),
        *(
            [
                f"<h2>Is it the rules?</h2>{_table(('claim', 'pair', 'difference', *view.claim_heads, 'verdict', 'depends on'), [(r.metric, r.pair, r.value, *r.under_conditions, r.verdict, '; '.join(r.exceptions)) for r in view.claims])}"
            ]
            if view.claims
            else []
        ),
        *([f"<h2>{escape(view.sweep_title)}</h2>{_table(*_curve_table(view))}"] if view.curves else []),
        *(
            [f"<h2>Room for skill</h2>{_table(('', *view.skill_heads), [(t, *cells) for t, cells in view.skill])}"]
            if view.skill
            else []
        ),
        *(
            [
                f"<h2>Games that differ most</h2>{''.join(f'<p>{escape(sentence)}</p>' for sentence in view.identical_pairs)}{_table(('game', 'pair', 'won by', 'again'), [(str(r.game), r.pair, r.winners, ' | '.join(r.commands)) for r in view.diverging_games])}"
            ]
            if view.diverging_games or view.identical_pairs
            else []
        ),
        *(
            [
                f"<h2>Set pieces</h2>{_table(('situation', *view.titles), [(r.title, *map(_piece_words, r.cells)) for r in view.set_pieces])}"
            ]
            if view.set_pieces
            else []
        ),
        *(
            [
                f"<h2>Games worth watching</h2>{_table(('rules', 'game', 'how it went', 'again'), [(link.title, link.what, link.words, link.replay_command) for link in watched])}"
            ]
            if watched
            else []
        ),
        *(f"<h2>A sample game: {escape(names[game.variant])}</h2>{_plain_sample(game)}" for game in samples),
        *(
            f"<h2>{escape(section.title)}</h2><p>{escape(section.words)}</p>{_table(section.heads, section.rows)}"
            for section in plugin_sections
        ),
        *(
            f"<h2>Games that ended by our reading of a rule: {escape(name)}</h2>{_list(notes)}"
            for name, notes in view.ended_by_stand_ins
        ),
        *(f"<h2>Not in these rules: {escape(name)}</h2>{_list(notes)}" for name, notes in view.not_in_these_rules),
        *(
            f"<h2>Set by the scenario for these rules only: {escape(name)}</h2>{_list(notes)}"
            for name, notes in view.for_these_rules_alone
        ),
        f"<h2>How to read this report</h2><p>{escape(view.caution)}</p>",
        _list(f"{term}: {meaning}." for term, meaning in view.terms),
        f"<h2>Method</h2>{_list(view.method)}",
        _table(("variant", "rules and changes"), view.variant_rules),
        _table(("header", "value"), view.header),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _plain_sample(sample: SampleGame) -> str:
    turns = [f"Turn {turn.turn}: {'. '.join(turn.acts)} ({turn.standing})" for turn in sample.turns]
    return f'<p><img src="{sample.field}" alt="{escape(sample.field_text)}"></p>{_list([*turns, sample.ending])}'


_SCREEN_HEADS = ("ruleset", "who wins", "answers", "turns", "leaves out")


def _screen_cells(line: ScreenLine) -> tuple[str, ...]:
    answers = "; ".join(f"{measure.title.lower()}: {measure.words}, {measure.figures}" for measure in line.measures)
    balance = f"{line.balance}, but {line.listed}" if line.listed else line.balance
    return (line.title, f"{balance} ({line.wins})", answers, line.turns, line.left_out)


_DIFFERENCE_HEADS = (
    "metric",
    "pair",
    "difference",
    "95 % interval",
    "p (Holm)",
    "effect",
    "design",
    "verdict",
)


def _difference_cells(row: DifferenceRow) -> tuple[str, ...]:
    return (row.metric, row.pair, row.value, row.interval, row.p, row.effect, row.design, row.verdict)


def _curve_table(view: View) -> tuple[list[str], list[list[str]]]:
    rows = [[row.name, *(f"{c.value} ({c.interval})" for c in row.cells), row.step] for row in view.curves]
    return ["", *view.sweep_values, "per step of 1"], rows


def _piece_words(cell: PieceCell) -> str:
    if cell.why_not:
        return f"not in these rules: {cell.why_not}"
    return "; ".join(filter(None, (f"loses {cell.lost}" if cell.lost else "", *cell.chances, cell.note)))


def _plain_section(section: ReportPart, variants: Sequence[str]) -> str:
    rows = [
        [row.name, row.unit, *(f"{c.value} ({c.interval}; n {c.n})" if c else "none" for c in row.cells)]
        for row in section.rows
    ]
    head = f"<h2>{escape(section.title)} ({section.id})</h2><p>{escape(section.definition)}</p>"
    return head + _table(("", "unit", *variants), rows)


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>"


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
