"""Quick sheets (all numbers of a ruleset on a page or two) and rosters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

from zareba.base.grammar import join_with_and, percent
from zareba.base.tally import Modifier
from zareba.base.yamlfile import KeyPath
from zareba.battle.sentence_templates import fill, gaps, words_of_ruleset
from zareba.house_rules import DiceResult
from zareba.plugins.rule_files import HouseRule
from zareba.presentation.narration import Boxes, Cell, Roster, RosterUnit
from zareba.report.page import ShownTable, sheet_tables
from zareba.rules import Rules, load_catalogue
from zareba.rules.settings import flat_settings

# --- Sheet ------------------------------------------------------------------------------------------------------------
# A quick sheet: every number of a ruleset as played tonight, on a page or two, generated from the resolved rules.


UNCLEAR_STATUSES = {"garbled": "is garbled", "gap": "has a gap", "choice": "leaves a choice"}
"""The meaning of each status of a rule in the catalogue. Other statuses are clear."""
MARK = "†"
"""The mark after the id of a rule whose text is unclear."""
NOT_ON_SHEET = frozenset(
    {
        "ruleset",
        "title",
        "authors",
        "version",
        "space",
        "length",
        "activation",
        "sides",
        "settings",
        "mapping",
        "organisation",
        "unit_mapping",
        "supported_words",
    }
)
"""Keys that players never look up at the table: how the file is read and how scenarios are translated."""

STYLE = """
@page { size: A4; margin: 9mm; }
:root { color-scheme: light dark; }
body { font: 8.5pt/1.25 "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; margin: 6mm auto; max-width: 200mm; padding: 0 4mm; }
h1 { font-size: 14pt; margin: 0 0 1mm; }
p { margin: 0 0 2mm; }
main { columns: 2; column-gap: 6mm; }
section { break-inside: avoid; margin: 0 0 3mm; }
section.long { break-inside: auto; }
h2 { font-size: 9.5pt; margin: 0 0 .6mm; border-bottom: .3mm solid; break-after: avoid; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2mm 1.2mm .2mm 0; font-weight: normal; }
th { font-size: 7.5pt; border-bottom: .15mm solid; }
td { hyphens: auto; overflow-wrap: break-word; }
.rule td:last-child { color: #777; white-space: nowrap; font-size: 7pt; padding-right: 0; }
.wide td, .wide th { font-size: 85%; }
@media print {
  body { margin: 0; max-width: none; font-size: 7pt; line-height: 1.15; padding: 0; }
  section { margin-bottom: 2mm; }
  h2 { font-size: 8pt; }
  th { font-size: 6.5pt; }
  .rule td:last-child { color: #444; font-size: 6pt; }
}
@media (max-width: 40em) { main { columns: 1; } }
"""
LONG_TABLE, WIDE_TABLE = 24, 6
"""Tables with more rows than `LONG_TABLE` may break across columns; more columns than `WIDE_TABLE` are set smaller."""


@dataclass(frozen=True)
class QuickSheet:
    """The content of a sheet. `notes` say how these rules differ from the printed ones, and explain the mark.

    The last column of a table is the rule id, unless one rule covers the whole table.
    """

    title: str
    notes: tuple[str, ...]
    tables: tuple[ShownTable, ...]


def sheet_of(rules: Rules, house_rules: Sequence[HouseRule] = ()) -> QuickSheet:
    """Return the sheet of resolved rules: the sequence of play, all modifier breakdowns and all charts.

    The effects and settings of house rules and the tables of plugins are always included. `house_rules` adds the
    descriptions of these house rules.
    """
    writer = _SheetWriter(rules)
    data: Mapping[str, Any] = rules.data
    breakdowns = [writer.breakdown(name, breakdown) for name, breakdown in data["tallies"].items()]
    tables = [writer.sequence(data["sequence"]), *filter(_has_modifiers, breakdowns)]
    other_numbers: list[tuple[str, ...]] = []
    for key, value in data.items():
        if key in NOT_ON_SHEET or key in ("sequence", "tallies"):
            continue
        if isinstance(value, Mapping) and value and all(isinstance(entry, Mapping) for entry in value.values()):
            tables += writer.charts(key, value)
        else:
            other_numbers.append(writer.other_number(key, value))
    if other_numbers:
        tables.append(ShownTable("Other numbers", ("subject", "value", "rule"), tuple(other_numbers)))
    ruleset, *extended = rules.ruleset.lineage
    tables += [
        *writer.changes_to_extended(),
        *writer.house_rule_tables(house_rules),
        *sheet_tables(ruleset, data, rules.settings, extended),
    ]
    return QuickSheet(rules.book.title, tuple(writer.notes()), tuple(tables))


def _has_modifiers(breakdown: ShownTable) -> bool:
    """Return True if the table of a modifier breakdown has more than its first row, which names the start."""
    return len(breakdown.rows) > 1


def _settings_allow(when: Mapping[str, Any], settings: Mapping[str, Any]) -> bool:
    """Return True if the conditions of a modifier on settings hold, so that it can apply in this game."""
    for key, wanted in when.items():
        name = key.removeprefix("setting.")
        if name != key and name in settings and not isinstance(wanted, Mapping):
            allowed = wanted if isinstance(wanted, (list, tuple)) else [wanted]
            if settings[name] not in allowed:
                return False
    return True


_SIGNS = {"add": "", "times": "× ", "set": "= ", "at_least": "at least ", "at_most": "at most "}
"""The text before the amount of a modifier, by operation."""


def _singular(plural: str) -> str:
    """Return the noun for one row of a chart: `classes` become "class", `terrain` stays."""
    if plural.endswith(("sses", "ches")):
        return plural[:-2]
    return plural[:-1] if plural.endswith("s") and not plural.endswith("ss") else plural


_NOT_IN_TEXT = ("rule", "title", "summary")


def _says_nothing(value: Any) -> bool:
    """Return True if a value is left out of a row. A number is never left out: 0 can be a result."""
    return value is None or value is False or value == "" or value == []


def _flat(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the values of an entry, those of nested entries with the keys joined by "_"; without rules and titles."""
    found: dict[str, Any] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{prefix}{key}_")
        elif key not in _NOT_IN_TEXT:
            found[f"{prefix}{key}"] = value
    return found


class _SheetWriter:
    """Writes the tables of a sheet in the words of a ruleset.

    These tables of `words.yaml` have the words:

    - `headings` heads columns, by the key of the column.
    - `sheet_names` has the names of keys and values. `CHART.KEY` is the name in one chart, `CHART.title` its title,
      `CHART.rows` the heading of its first column, `CHART.columns` its other columns, `KEY.VALUE` the phrase for one
      value, and `BREAKDOWN.base` the start of a modifier breakdown.
    - `sheet_settings` names the settings that give a value of a chart, by `CHART.ROW.KEY`.
    - `sheet_lines` has a sentence template for each of the other numbers: "subject: value".
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._rule_id = _RuleIds(rules)
        self._words = words_of_ruleset(rules.ruleset.folders)
        self._headings = self._words.tables.get("headings", {})
        self._names = self._words.tables.get("sheet_names", {})
        self._lines = self._words.tables.get("sheet_lines", {})
        self._settings = self._words.tables.get("sheet_settings", {})

    # --- words --------------------------------------------------------------------------------------------------------

    def name(self, key: str, chart: str = "") -> str:
        """Return a key or a value of the ruleset as players say it."""
        return self._names.get(f"{chart}.{key}") or self._names.get(key) or key.replace("_", " ")

    def _heading(self, key: str, chart: str) -> str:
        """Return the heading of a column of a chart."""
        return self._names.get(f"{chart}.{key}") or self._headings.get(key) or self.name(key)

    def _title(self, name: str) -> str:
        title = self.name(name)
        return f"{title[:1].upper()}{title[1:]}"

    def _entry_text(self, data: Mapping[str, Any], chart: str = "") -> str:
        """Return the content of an entry of a chart in words, such as `die 6, from turn 2`."""
        parts = []
        for key, value in data.items():
            if key in _NOT_IN_TEXT:
                continue
            if (phrase := self._names.get(f"{key}.{value}")) is not None:
                parts.append(phrase)
            elif value is True:
                parts.append(self.name(key, chart))
            elif not _says_nothing(value):
                said = self._value_text(value)
                parts.append(said if key == "text" else f"{self._heading(key, chart)} {said}")
        return ", ".join(parts)

    def _cell_text(self, column: str, value: Any) -> str:
        """Return a value below the heading of its column: "no" for False, and a single text or list without its key."""
        if value is False:
            return "no"
        if (phrase := self._names.get(f"{column}.{value}")) is not None:
            return phrase
        if isinstance(value, Mapping):
            shown = [entry for key, entry in value.items() if key not in _NOT_IN_TEXT and not _says_nothing(entry)]
            if len(shown) == 1 and isinstance(shown[0], (str, list)):
                return self._value_text(shown[0])
        return self._value_text(value)

    def _value_text(self, value: Any) -> str:
        """Return a value of a ruleset in words: "" for False, "no" for None."""
        if isinstance(value, bool):
            return "yes" if value else ""
        if value is None:
            return "no"
        if isinstance(value, Mapping):
            return self._entry_text(value)
        if isinstance(value, (list, tuple)):
            nested = any(isinstance(item, Mapping) for item in value)
            separator = "; " if nested else ", " if any(isinstance(item, str) for item in value) else " "
            return separator.join(map(self._value_text, value))
        return self.name(value) if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)

    # --- tables -------------------------------------------------------------------------------------------------------

    def sequence(self, data: Mapping[str, Any]) -> ShownTable:
        """Return the table of the sequence of play."""
        rows = [
            (str(phase.get("title", self.name(key))), self._rule_id(phase.get("rule", "")))
            for key, phase in data.items()
        ]
        return ShownTable("Sequence of play", ("phase", "rule"), tuple(rows))

    def breakdown(self, name: str, data: Mapping[str, Any]) -> ShownTable:
        """Return the table of a modifier breakdown: its start and its modifiers."""
        start = f"from {self.name(str(data['base']))}" if "base" in data else "begin"
        start = self._names.get(f"{name}.base", start)
        rows = [(start, "", self._rule_id(data.get("rule", "")))]
        in_yaml: Mapping[str, Any] = data.get("modifiers", {})
        for modifier in self.rules.tallies[name].modifiers:
            if modifier.id not in in_yaml:
                change = self._python_change(name, modifier)
                rows.append((modifier.summary or self.name(modifier.id), change, modifier.rule))
                continue
            key, entry = modifier.id, in_yaml[modifier.id]
            if not _settings_allow(entry.get("when", {}), self.rules.settings):
                continue
            change = next((f"{sign}{self.name(str(entry[op]))}" for op, sign in _SIGNS.items() if op in entry), "")
            if isinstance(fact := entry.get("add"), str):
                change = f"minus {self.name(fact[1:])}" if fact.startswith("-") else f"plus {change}"
            elif "add" in entry and not change.startswith("-"):
                change = f"+{change}"
            rows.append((str(entry.get("summary", self.name(key))), change, self._rule_id(entry.get("rule", ""))))
        unit = str(data.get("unit", ""))
        unit = f" (this number {unit})" if unit.startswith("or ") else f" ({unit})" if unit else ""
        return ShownTable(f"{self._title(name)}{unit}", ("modifier", "change", "rule"), tuple(rows))

    def _python_change(self, breakdown: str, modifier: Modifier) -> str:
        """Return the effect of a modifier that a house rule defines in Python; "depends on play" if it is computed."""
        situated = self.rules.situated.get(breakdown, ())
        contextual = (candidate.amount for candidate in situated if candidate.id == modifier.id)
        amount = next(contextual, modifier.amount)
        if isinstance(amount, DiceResult):
            times = "" if abs(amount.times) == 1 else f"{abs(amount.times)} × "
            sign = "-" if amount.times < 0 else ""
            change = f"{sign}{times}{amount.dice if amount.dice > 1 else ''}D{amount.sides}"
        else:
            change = "depends on play" if callable(amount) else str(amount)
        plus = "+" if modifier.operation == "add" and not change.startswith("-") and not callable(amount) else ""
        return f"{_SIGNS[modifier.operation]}{plus}{change}"

    def charts(self, name: str, data: Mapping[str, Mapping[str, Any]]) -> Iterator[ShownTable]:
        """Yield the table of a chart. A chart of charts, such as Action tables for two kinds of troops, is several
        tables.
        """
        title = self._title(self._names.get(f"{name}.title", name))
        rows = [row for entry in data.values() for key, row in entry.items() if key not in _NOT_IN_TEXT]
        if rows and all(
            isinstance(row, Mapping) and any(isinstance(cell, Mapping) for cell in row.values()) for row in rows
        ):
            for key, entry in data.items():
                yield self._chart(name, entry, f"{title}: {self.name(key, name)}")
        else:
            yield self._chart(name, data, title)

    def _chart(self, name: str, data: Mapping[str, Mapping[str, Any]], title: str) -> ShownTable:
        """Return the table of a chart. The values that `CHART.columns` names get a column, or if there is no such list
        each value that half of the entries have. The rest is one column of words.
        """
        entries = {
            key: self._columns_of({**entry, **self._from_settings(f"{name}.{key}")}) for key, entry in data.items()
        }
        counts: dict[str, int] = {}
        for entry in entries.values():
            for key in entry:
                counts[key] = counts.get(key, 0) + 1
        columns = [key for key, count in counts.items() if key not in ("rule", "title") and 2 * count >= len(data)]
        columns = columns if len(columns) <= 6 else []
        if listed := self._names.get(f"{name}.columns"):
            columns = listed.split(", ")
        rows = []
        for key, entry in entries.items():
            rest = {name: value for name, value in entry.items() if name not in columns}
            if "text" in entry:
                rest = {name: value for name, value in rest.items() if name == "text"}  # it says the rest in words
            cells = [
                str(entry.get("title", self.name(key, name))),
                *(self._cell_text(column, entry.get(column, "")) for column in columns),
            ]
            rows.append((*cells, self._entry_text(rest, name), self._rule_id(str(entry.get("rule", "")))))
        first = self._names.get(f"{name}.rows", _singular(name.replace("_", " ")))
        headings = (self._heading(column, name) for column in columns)
        heads = (first, *headings, "notes" if columns else "values", "rule")
        if not any(rest for *_, rest, _ in rows):
            heads, rows = (*heads[:-2], "rule"), [(*row[:-2], row[-1]) for row in rows]
        if len(rows) > 1 and len({row[-1] for row in rows}) == 1:
            # a rule shared by all rows moves to the heading
            title = f"{title} ({rows[0][-1]})" if rows[0][-1] else title
            heads, rows = heads[:-1], [row[:-1] for row in rows]
        return ShownTable(title, heads, tuple(rows))

    def _from_settings(self, row: str) -> dict[str, Any]:
        """Return the values of a row, such as `guns.light_gun`, that settings give."""
        prefix = f"{row}."
        return {
            key.removeprefix(prefix): self.rules.settings[setting]
            for key, setting in self._settings.items()
            if key.startswith(prefix)
        }

    def _columns_of(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a row. The results of a die become columns of their own, and the lower end of the row,
        which its name says already, is left out.
        """
        results = entry.get("results")
        if not isinstance(results, Mapping):
            return dict(entry)
        rest = {key: value for key, value in entry.items() if key not in ("results", "up_to")}
        return {**rest, **{str(face): result for face, result in results.items()}}

    def other_number(self, key: str, value: Any) -> tuple[str, str, str]:
        """Return the row of a number that is in no chart, in the ruleset's sentence for it.

        Values that the sentence does not say follow it, such as those that a house rule adds.
        """
        rule = self._rule_id(value.get("rule", "")) if isinstance(value, Mapping) else ""
        line = self._lines.get(key)
        if line is None or not isinstance(value, Mapping):
            return self.name(key), self._value_text(value), rule
        values = _flat(value)
        subject, _, said = fill(line, values, self._value_text, {"percent": percent}, self._words).partition(": ")
        named = {gap for gap, _ in gaps(line)}
        more = self._entry_text({name: value for name, value in values.items() if name not in named})
        return subject, ", ".join(filter(None, (said, more))), rule

    def changes_to_extended(self) -> Iterator[ShownTable]:
        """Yield what a ruleset changes in those that it extends: each value with the value before and the ruleset."""
        rules = self.rules
        rows = [
            (
                " ".join(self.name(str(key)) for key in path),
                self._text_at(rules.data, path),
                self._text_or_dash(source.was),
                source.name,
            )
            for path, source in rules.sources.items()
            if source.name in rules.ruleset.lineage
            and path[0] not in NOT_ON_SHEET - {"settings", "mapping", "unit_mapping"}
        ]
        if rows:
            yield ShownTable(
                f"Changes to {rules.ruleset.lineage[-1]}", ("change", "now", "before", "ruleset"), tuple(rows)
            )

    def _text_at(self, data: Mapping[str, Any], path: KeyPath) -> str:
        """Return the value at a path in words; "removed" if there is none."""
        value: Any = data
        for key in path:
            if not isinstance(value, Mapping) or key not in value:
                return "removed"
            value = value[str(key)]
        return self._text_or_dash(value)

    def _text_or_dash(self, value: Any) -> str:
        """Return a value before or after a change in words; "-" for None."""
        if value is None:
            return "-"
        if isinstance(value, Mapping) and isinstance(value.get("summary"), str):
            return str(value["summary"])
        return self._value_text(value)

    def house_rule_tables(self, house_rules: Sequence[HouseRule]) -> Iterator[ShownTable]:
        """Yield the descriptions of house rules and the settings they add."""
        if descriptions := [(self.name(rule.name), rule.description) for rule in house_rules]:
            yield ShownTable("House rules", ("house rule", "effect"), tuple(descriptions))
        if settings := self.rules.own_settings:
            rows = [
                (setting.summary, self._value_text(self.rules.settings[name]), setting.rule)
                for name, setting in settings.items()
            ]
            yield ShownTable("Settings of house rules", ("setting", "value", "rule"), tuple(rows))

    def notes(self) -> Iterator[str]:
        """Yield how these rules differ from the printed ones, and what the mark means."""
        rules = self.rules
        if rules.house_rules:
            noun = "house rule" if len(rules.house_rules) == 1 else "house rules"
            titles = join_with_and(f"'{title}'" for title in rules.house_rule_titles)
            yield f"With the {noun} {titles}."
        changed = [
            f"{name}: {self._value_text(rules.settings[name]) or 'no'}"
            for name, setting in flat_settings(rules.book.settings)
            if name in rules.settings and rules.settings[name] != setting.default
        ]
        if changed:
            yield f"With the settings {', '.join(changed)}."
        if self._rule_id.seen:
            reasons = [text for status, text in UNCLEAR_STATUSES.items() if status in self._rule_id.seen]
            *others, last = reasons
            joined = f"{', '.join(others)} or {last}" if others else last
            yield f"{MARK} The rulebook's text {joined}. 'zareba rules {rules.ruleset.lineage[0]} RULE' shows our reading."


class _RuleIds:
    """Adds a mark to the ids of rules whose text is unclear, and remembers why each was unclear."""

    def __init__(self, rules: Rules) -> None:
        catalogue = load_catalogue(*rules.ruleset.folders).rules
        self._unclear = {key: entry.status for key, entry in catalogue.items() if entry.status in UNCLEAR_STATUSES}
        self.seen: set[str] = set()
        """The statuses of the marked rules: keys of `UNCLEAR_STATUSES`."""

    def __call__(self, rule: str) -> str:
        """Return a rule id, with the mark if the text of the rule is unclear."""
        if rule not in self._unclear:
            return rule
        self.seen.add(self._unclear[rule])
        return f"{rule}{MARK}"


def sheet_page(sheet: QuickSheet) -> str:
    """Return the sheet as a page that prints in two columns and suits light and dark screens."""
    notes = "".join(f"<p>{escape(note)}</p>" for note in sheet.notes)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(sheet.title)}: quick sheet</title><style>{STYLE}</style></head><body>\n"
        f"<h1>{escape(sheet.title)}</h1>{notes}<main>\n{''.join(map(_section, sheet.tables))}</main></body></html>\n"
    )


def _section(table: ShownTable) -> str:
    heads = "".join(f"<th>{escape(head)}</th>" for head in table.heads)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows)
    classes = {
        "long": len(table.rows) > LONG_TABLE,
        "wide": len(table.heads) > WIDE_TABLE,
        "rule": table.heads[-1] == "rule",
    }
    applied = " ".join(name for name, applies in classes.items() if applies)
    return (
        f'<section class="{applied}"><h2>{escape(table.title)}</h2><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></section>\n"
    )


# --- The roster as a page to print: black on white with tick boxes; a unit is kept on one page if it fits -------------


_ROSTER_STYLE = """
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
_LONG_UNIT = 30
"""Units with more lines than this may break across pages."""


def roster_page(roster: Roster) -> str:
    """Return one self-contained HTML page. All text from scenarios and players is escaped."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Roster: {escape(roster.title)}</title><style>{_ROSTER_STYLE}</style></head><body>",
        f"<h1>{escape(roster.title)}</h1><p>{escape(roster.headline)} {escape(roster.key)}</p>",
    ]
    for side, units in groupby(roster.units, key=lambda unit: unit.side_name):
        parts.append(f"<h2>{escape(side)}</h2>")
        parts += [_unit_section(unit) for unit in units]
    return "\n".join([*parts, "</body></html>\n"])


def _unit_section(unit: RosterUnit) -> str:
    has_numbers = [
        all(isinstance(line.cells[column], int) for line in unit.lines) and bool(unit.lines)
        for column in range(len(unit.columns))
    ]
    attributes = [' class="number"' if is_number else "" for is_number in has_numbers]
    notes = "".join(f"<small>{escape(label)} {_cell(cell)}</small>" for label, cell in unit.notes)
    head = "".join(
        f'<th scope="col"{attribute}>{escape(column)}</th>'
        for column, attribute in zip(unit.columns, attributes, strict=True)
    )
    rows = []
    for line in unit.lines:
        cells = "".join(
            f"<td{attribute}>{_cell(cell)}</td>" for cell, attribute in zip(line.cells, attributes, strict=True)
        )
        out = ' class="out"' if line.out else ""
        rows.append(f"<tr{out}>{cells}</tr>")
    long = ' class="long"' if len(unit.lines) > _LONG_UNIT else ""
    return (
        f"<section{long}><h3>{escape(unit.name)}{notes}</h3>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></section>"
    )


def _cell(cell: Cell) -> str:
    if isinstance(cell, Boxes):
        ticks = "<i>&#215;</i>" * cell.ticked + "<i></i>" * (cell.boxes - cell.ticked)
        return f'<span class="boxes" role="img" aria-label="{cell.ticked} of {cell.boxes}">{ticks}</span>'
    return escape(str(cell))
