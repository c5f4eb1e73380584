"""The after-action report of a battle as one HTML page, with the table as it was at the end."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from zareba.game import Game
from zareba.picture import picture
from zareba.presentation.board import Board
from zareba.session.after_action import AfterAction

STYLE = """
@page { margin: 14mm; }
:root { color-scheme: light dark; }
body { font: 11pt/1.45 Georgia, "DejaVu Serif", serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { margin: 0; font-size: 1.6em; } h2 { font-size: 1.15em; margin: 1.4em 0 .3em; border-bottom: 1px solid; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .15em .8em .15em 0; }
td.number, th.number { text-align: right; }
ul { margin: .2em 0; padding-left: 1.2em; } section { break-inside: avoid; }
svg { max-width: 100%; height: auto; }
"""


def _signed(value: float) -> str:
    """Return a number with one decimal and its sign; 0.0 has none."""
    shown = f"{value:+.1f}"
    return shown[1:] if shown in ("+0.0", "-0.0") else shown


def after_action_page(report: AfterAction, game: Game[Any], board: Board) -> str:
    """Return the report as an HTML page with a picture of `board`. It opens from disk without network or scripts."""
    name = game.narrator.name_of
    causes = sorted({cause for losses in report.losses.values() for cause in losses})
    loss_rows = [
        [name(side), *(f"{losses.get(cause, 0):g}" for cause in causes)] for side, losses in report.losses.items()
    ]
    luck_rows = [
        [
            name(side),
            *(f"{value:.1f}" for value in (luck.dealt, luck.expected_dealt, luck.suffered, luck.expected_suffered)),
            _signed(luck.dealt - luck.expected_dealt - luck.suffered + luck.expected_suffered),
        ]
        for side, luck in report.luck.items()
    ]
    luck = (
        f"<p>{escape(report.luck_missing)}</p>"
        if report.luck_missing
        else (
            "<p>Losses dealt and suffered in attacks, and the losses expected from the odds of those choices; 1 is the "
            f"strength of a unit.</p>{_table(['side', 'dealt', 'expected', 'suffered', 'expected', 'luck'], luck_rows)}"
        )
    )
    body = [
        f"<h1>{escape(report.title)}</h1><p>{escape(report.rules)}</p><p><strong>{escape(report.result)}</strong></p>",
        f"<section><h2>The table</h2>{picture(game.scenario, board)}</section>",
        f"<section><h2>The score</h2>{_list(report.score)}</section>",
        f"<section><h2>Losses</h2>{_table(['side', *causes], loss_rows)}</section>",
        f"<section><h2>Turning points</h2>{_list(report.turning or ('The lead never changed.',))}</section>",
        f"<section><h2>Luck</h2>{luck}</section>",
        f"<section><h2>Commanders</h2>{_list(report.commanders or ('No leaders are named.',))}</section>",
    ]
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(report.title)}</title><style>{STYLE}</style></head><body>\n"
    )
    return head + "\n".join(body) + "\n</body></html>\n"


def _list(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _table(heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th{_align(column)}>{escape(text)}</th>" for column, text in enumerate(heads))
    body = "".join(
        f"<tr>{''.join(f'<td{_align(column)}>{escape(cell)}</td>' for column, cell in enumerate(row))}</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _align(column: int) -> str:
    """Return the attribute that aligns numbers to the right. The first column holds the names of sides."""
    return ' class="number"' if column else ""
