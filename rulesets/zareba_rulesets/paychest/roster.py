"""The roster: one line for each figure, for the terminal and as a page to print (PAY-010, PAY-011, PAY-031)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from zareba_rulesets.paychest.battle import Battle, Figure

__all__ = ["HEADINGS", "roster_page", "roster_rows"]

HEADINGS = (
    "Side",
    "Unit",
    "Figure",
    "Rank",
    "Firearms",
    "Melee",
    "Shots",
    "Weapons",
    "State",
    "Wounds",
    "Carries",
    "Deeds",
)
STYLE = """
body { font: 11pt/1.35 Georgia, serif; color: #1d1a16; margin: 14mm; }
h1 { font-size: 17pt; margin: 0; } h2 { font-size: 13pt; margin: 9mm 0 1mm; } p { margin: 0 0 3mm; }
table { border-collapse: collapse; width: 100%; page-break-inside: auto; }
tr { page-break-inside: avoid; } caption { text-align: left; font-weight: bold; padding: 4mm 0 1mm; }
th, td { border-bottom: 0.3mm solid #b9b1a2; padding: 0.8mm 1.5mm; text-align: left; vertical-align: top; }
th { border-bottom: 0.5mm solid #1d1a16; font-weight: normal; font-style: italic; }
td.n, th.n { text-align: center; } tr.out td { color: #8a8174; text-decoration: line-through; }
@media print { body { margin: 0; } }
"""
NUMBERS = frozenset({"Firearms", "Melee", "Shots", "Deeds"})


def _state(figure: Figure) -> str:
    if figure.fate != "able":
        return {"dead": "killed", "off": "driven off", "left": "left the table"}.get(figure.fate, figure.fate)
    words = [mark for mark in ("lame", "down", "back turned") if mark in figure.marks]
    return ", ".join(words) if figure.at is not None else "to come"


def _carries(battle: Battle, figure: Figure) -> str:
    names = [
        battle.things[load].name if load in battle.things else battle.figure(load).spec.name for load in figure.loads
    ]
    return ", ".join(names)


def roster_rows(battle: Battle, side: str | None = None) -> list[tuple[str, ...]]:
    """The roster as rows under `HEADINGS`, one a figure in roster order; of one side or of all."""
    rows: list[tuple[str, ...]] = []
    for unit in battle.units.values():
        if side is not None and unit.spec.side != side:
            continue
        for key, figure in unit.figures.items():
            spec = figure.spec
            name = f"{spec.name} *" if key == unit.leader else spec.name
            rows.append(
                (
                    unit.spec.side,
                    unit.spec.name,
                    name,
                    figure.rank.replace("_", " "),
                    str(spec.firearms),
                    str(spec.melee),
                    str(spec.shots),
                    ", ".join(weapon.replace("_", " ") for weapon in figure.weapons) or "none",
                    _state(figure),
                    ", ".join(wound.replace("_", " ") for wound in figure.wounds),
                    _carries(battle, figure),
                    str(figure.brave) if figure.brave else "",
                )
            )
    return rows


def roster_page(battle: Battle, title: str, side: str | None = None) -> str:
    """The roster as one self-contained HTML page to print; every text of scenario and player is escaped."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>Roster: {escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1><p>Roster at turn {battle.turn}. A star marks who leads; struck out: out of action.</p>",
    ]
    rows = roster_rows(battle, side)
    for of_side in dict.fromkeys(row[0] for row in rows):
        parts.append(f"<h2>{escape(of_side)}</h2>")
        own = [row for row in rows if row[0] == of_side]
        for unit in dict.fromkeys(row[1] for row in own):
            parts += _unit_table(unit, [row for row in own if row[1] == unit])
    parts.append("</body></html>\n")
    return "\n".join(parts)


def _unit_table(unit: str, rows: Sequence[tuple[str, ...]]) -> list[str]:
    columns = HEADINGS[2:]
    classes = [' class="n"' if heading in NUMBERS else "" for heading in columns]
    head = "".join(f"<th{kind}>{heading}</th>" for heading, kind in zip(columns, classes, strict=True))
    parts = [f"<table><caption>{escape(unit)}</caption><thead><tr>{head}</tr></thead><tbody>"]
    for row in rows:
        out = ' class="out"' if row[8] in ("killed", "unconscious", "driven off", "left the table") else ""
        cells = "".join(f"<td{kind}>{escape(text)}</td>" for text, kind in zip(row[2:], classes, strict=True))
        parts.append(f"<tr{out}>{cells}</tr>")
    parts.append("</tbody></table>")
    return parts
