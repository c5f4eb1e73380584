"""`zareba briefing`, `roster` and `sheet`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import check_output
from zareba.cli.options import HouseRules, Json, RulesetName, Set, assignments, house_rules_of, scenario_name
from zareba.cli.output import SafeConsole, hanging, out, plain_table, print_json, print_to_stderr
from zareba.game import Game
from zareba.presentation.narration import Boxes, Cell, Roster
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.session.briefing import UNSUPPORTED, Briefing, unsupported_summary
from zareba.session.briefing import briefing as brief

# --- `zareba roster`: list the figures of a scenario under a ruleset, on screen or as a page to print -----------------


def roster(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file.")],
    ruleset: Annotated[str, typer.Option("--ruleset", metavar="R", help="A name from 'zareba rulesets'.")],
    seat: Annotated[str | None, typer.Option("--seat", metavar="SIDE", help="One side only.")] = None,
    target: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.html", help="Write a page to print instead.")
    ] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
    as_json: Json = False,
) -> None:
    """Show or print the roster of a scenario, figure by figure.

    Each figure has its skills, its weapons, and boxes to tick during play. Only rules with individual figures have a
    roster. During play, type roster at the prompt.

    Example: zareba roster paychest_raid --ruleset paychest --out raid.html
    """
    if target is not None and as_json:
        raise ZarebaError("--out writes a page and --json prints data; choose one of them")
    rules = load_rules(ruleset, assignments("setting", changed), house_rules_of(house_rule))
    game = rules.game(load_scenario(scenario_name(scenario)))
    if seat is not None and seat not in game.seats:
        raise unknown_name("side", seat, game.seats)
    with rules.blamed(f"setting up {game.scenario.id}"):
        found = required_roster(game, game.start(), seat)
    if as_json:
        print_json(found.to_dict())
    elif target is None:
        show_roster(found, out())
    else:
        from zareba.report.sheet import roster_page

        check_output(target).write_text(roster_page(found), encoding="utf-8")
        print_to_stderr(f"written: {target}; open it in a browser to print it")


def required_roster(game: Game[Any], state: Any, seat: str | None) -> Roster:
    """Return the roster of a game. Raises ZarebaError if its rules have none."""
    roster = game.display.roster(state, seat)
    if roster is None:
        raise ZarebaError(
            f"{game.rules.book.title} has no roster of single figures; zareba briefing lists the units of a scenario"
        )
    return roster


def of_unit(roster: Roster, name: str) -> Roster:
    """Return the roster of one unit, by its id or any part of its name. The ZarebaError for an unknown unit suggests
    the nearest.
    """
    part = name.strip().lower()
    units = tuple(unit for unit in roster.units if part in (unit.id.lower(), unit.name.lower()))
    units = units or tuple(unit for unit in roster.units if part in unit.name.lower())
    if not units:
        raise unknown_name("unit", name, [unit.id for unit in roster.units])
    return Roster(roster.title, roster.headline, units, roster.key)


def show_roster(roster: Roster, console: SafeConsole) -> None:
    """Print the roster as tables on a terminal.

    Empty columns are left out, and only the ticked boxes are shown. Values shared by all figures of a unit are printed
    once, above its table.
    """
    console.print(roster.headline, style="bold")
    for unit in roster.units:
        lines = [line.cells for line in unit.lines]
        shown, shared = [], []
        for place, column in enumerate(unit.columns):
            values = {str(cells[place]) for cells in lines if not isinstance(cells[place], Boxes)} - {""}
            if place and len(values) == 1 and len(lines) > 1 and all(cells[place] != "" for cells in lines):
                shared.append((column.lower(), values.pop()))
            elif values:
                shown.append(place)
        console.print(f"\n{unit.name}, {unit.side_name}", style="bold")
        notes = [(label, _cell_text(cell)) for label, cell in unit.notes]
        console.print("; ".join(f"{label} {values}" for label, values in notes + shared))
        ticked = [
            ", ".join(
                f"{column.lower()} {cell.ticked}"
                for column, cell in zip(unit.columns, cells, strict=True)
                if isinstance(cell, Boxes) and cell.ticked
            )
            for cells in lines
        ]
        heads = [unit.columns[place] for place in shown]
        rows = [[str(cells[place]) for place in shown] for cells in lines]
        if any(ticked):
            heads.append("Ticked")
            rows = [[*row, words] for row, words in zip(rows, ticked, strict=True)]
        numbers = [unit.columns[place] for place in shown if all(isinstance(cells[place], int) for cells in lines)]
        console.print(plain_table(heads, rows, right=numbers))


def _cell_text(cell: Cell) -> str:
    return str(cell.ticked) if isinstance(cell, Boxes) else str(cell)


# --- `zareba briefing` and the `briefing` command of the prompt: an introduction to a battle --------------------------


def briefing(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file.")],
    ruleset: Annotated[str, typer.Option("--ruleset", metavar="R", help="A name from 'zareba rulesets'.")],
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SIDE", help="Show only what this side may know.")
    ] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
    as_json: Json = False,
) -> None:
    """Show the briefing of a battle.

    It gives the background, the forces, the objectives and points of each side, the length of the game, special rules,
    and what these rules leave out. During play, type briefing at the prompt.

    Example: zareba briefing patrol_clash --ruleset vcc
    """
    rules = load_rules(ruleset, assignments("setting", changed), house_rules_of(house_rule))
    game = rules.game(load_scenario(scenario_name(scenario)))
    if seat is not None and seat not in game.seats:
        raise unknown_name("side", seat, game.seats)
    found = brief(game, seat)
    if as_json:
        print_json(found.to_dict())
    else:
        show_briefing(found, out())


def show_briefing(found: Briefing, console: SafeConsole, *, summary: bool = False) -> None:
    """Print the briefing on a terminal. With `summary`, one sentence replaces the list of what the rules leave out."""
    console.print(f"{found.title}; {found.rules}", style="bold")
    for section in found.sections:
        console.print(section.title, style="bold")
        is_summed_up = summary and section.title == UNSUPPORTED
        for line in (unsupported_summary(len(section.lines)),) if is_summed_up else section.lines:
            console.print(hanging(f"  {line}", console.width, 4))


# --- `zareba sheet`: a quick sheet of a ruleset as played tonight, on screen or as a page to print --------------------


def sheet(
    ruleset: RulesetName,
    target: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.html", help="Write a page to print instead.")
    ] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
) -> None:
    """Show or print a quick sheet of a ruleset: sequence of play, modifiers and charts.

    The sheet includes your settings and house rules, and tables from installed plugins. Every line has its rule id,
    with a mark if the rulebook is unclear.

    Example: zareba sheet vcc --out vcc.html
    """
    from zareba.report.sheet import sheet_of, sheet_page

    house = house_rules_of(house_rule)
    found = sheet_of(load_rules(ruleset, assignments("setting", changed), house), house)
    if target is not None:
        check_output(target).write_text(sheet_page(found), encoding="utf-8")
        print_to_stderr(f"written: {target}; open it in a browser to print it")
        return
    console = out()
    console.print(found.title, style="bold")
    for note in found.notes:
        console.print(hanging(note, console.width, 2))
    for table in found.tables:
        console.print(f"\n{table.title}", style="bold")
        console.print(plain_table(table.heads, table.rows))
