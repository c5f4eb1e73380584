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


def after_action_page(page: AfterAction, game: Game[Any], board: Board) -> str:
    """Return the page. It opens from disk without network or scripts, and prints well."""
    name = game.narrator.name_of
    causes = sorted({cause for lost in page.losses.values() for cause in lost})
    losses = [[name(side), *(f"{lost.get(cause, 0):g}" for cause in causes)] for side, lost in page.losses.items()]
    luck = [
        [
            name(side),
            *(f"{value:.2f}" for value in (one.dealt, one.promised, one.suffered, one.feared)),
            f"{one.dealt - one.promised - one.suffered + one.feared:+.2f}",
        ]
        for side, one in page.luck.items()
    ]
    body = [
        f"<h1>{escape(page.title)}</h1><p>{escape(page.rules)}</p><p><strong>{escape(page.result)}</strong></p>",
        f"<section><h2>The table</h2>{picture(game.scenario, board)}</section>",
        f"<section><h2>The score</h2>{_list(page.score)}</section>",
        f"<section><h2>Losses</h2>{_table(['side', *causes], losses)}</section>",
        f"<section><h2>Turning points</h2>{_list(page.turning or ('The lead never changed.',))}</section>",
        "<section><h2>Luck</h2><p>Losses dealt and suffered in attacks, and the losses expected from the odds of those "
        "choices; 1 is the strength of a unit.</p>"
        f"{_table(['side', 'dealt', 'expected', 'suffered', 'expected', 'luck'], luck)}</section>",
        f"<section><h2>Commanders</h2>{_list(page.commanders or ('No leaders are named.',))}</section>",
    ]
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(page.title)}</title><style>{STYLE}</style></head><body>\n"
    )
    return head + "\n".join(body) + "\n</body></html>\n"


def _list(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"


def _table(heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th{_number(place)}>{escape(word)}</th>" for place, word in enumerate(heads))
    body = "".join(
        f"<tr>{''.join(f'<td{_number(place)}>{escape(cell)}</td>' for place, cell in enumerate(row))}</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _number(place: int) -> str:
    return ' class="number"' if place else ""
