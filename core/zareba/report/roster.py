"""The roster as a page to print: black on white with tick boxes; a unit is kept on one page if it fits."""

from __future__ import annotations

from html import escape
from itertools import groupby

from zareba.presentation.roster import Boxes, Cell, Roster, RosterUnit

__all__ = ["roster_page"]

STYLE = """
@page { margin: 12mm; }
body { font: 9pt/1.3 Georgia, "DejaVu Serif", serif; color: #000; background: #fff; margin: 12mm; }
h1 { font-size: 17pt; margin: 0; }
h2 { font-size: 13pt; margin: 7mm 0 2mm; border-bottom: 0.6mm solid #000; }
p { margin: 1mm 0 3mm; }
section { break-inside: avoid; margin: 0 0 6mm; }
section.long { break-inside: auto; }
h3 { font-size: 11pt; margin: 0 0 1mm; break-after: avoid; }
h3 small { font-weight: normal; font-size: 9pt; margin-left: 4mm; }
table { border-collapse: collapse; width: 100%; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th { font-size: 8pt; font-weight: bold; text-align: left; vertical-align: bottom; border-bottom: 0.4mm solid #000; }
td { border-bottom: 0.2mm solid #777; vertical-align: middle; white-space: nowrap; }
td:last-child { white-space: normal; width: 20mm; }
th, td { padding: 0.7mm 1.4mm; }
td.number, th.number { text-align: center; }
tr.out td { text-decoration: line-through; }
.boxes { white-space: nowrap; line-height: 1; }
.boxes i {
  display: inline-block; width: 2.7mm; height: 2.7mm; margin: 0 0.5mm 0 0; border: 0.25mm solid #000;
  font: bold 2.6mm/2.5mm sans-serif; text-align: center; vertical-align: middle;
}
@media print { body { margin: 0; } }
"""
LONG = 30
"""Units with more lines than this may break across pages."""


def roster_page(roster: Roster) -> str:
    """Return one self-contained HTML page. All text from scenarios and players is escaped."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Roster: {escape(roster.title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(roster.title)}</h1><p>{escape(roster.headline)} {escape(roster.key)}</p>",
    ]
    for side, units in groupby(roster.units, key=lambda unit: unit.side_name):
        parts.append(f"<h2>{escape(side)}</h2>")
        parts += [_section(unit) for unit in units]
    return "\n".join([*parts, "</body></html>\n"])


def _section(unit: RosterUnit) -> str:
    numbers = [
        all(isinstance(line.cells[place], int) for line in unit.lines) and bool(unit.lines)
        for place in range(len(unit.columns))
    ]
    kinds = [' class="number"' if number else "" for number in numbers]
    notes = "".join(f"<small>{escape(label)} {_cell(cell)}</small>" for label, cell in unit.notes)
    head = "".join(
        f'<th scope="col"{kind}>{escape(column)}</th>' for column, kind in zip(unit.columns, kinds, strict=True)
    )
    rows = []
    for line in unit.lines:
        cells = "".join(f"<td{kind}>{_cell(cell)}</td>" for cell, kind in zip(line.cells, kinds, strict=True))
        kind = ' class="out"' if line.out else ""
        rows.append(f"<tr{kind}>{cells}</tr>")
    size = ' class="long"' if len(unit.lines) > LONG else ""
    return (
        f"<section{size}><h3>{escape(unit.name)}{notes}</h3>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></section>"
    )


def _cell(cell: Cell) -> str:
    if isinstance(cell, Boxes):
        ticks = "<i>&#215;</i>" * cell.ticked + "<i></i>" * (cell.boxes - cell.ticked)
        return f'<span class="boxes" role="img" aria-label="{cell.ticked} of {cell.boxes}">{ticks}</span>'
    return escape(str(cell))
