"""`zareba roster`: list the figures of a scenario under a ruleset, on screen or as a page to print."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import check_output
from zareba.cli.options import HouseRules, Json, Set, assignments, house_rules_of, scenario_name
from zareba.cli.output import SafeConsole, out, plain_table, print_json, talk
from zareba.game import Game
from zareba.presentation.roster import Boxes, Cell, Roster
from zareba.registry import load_rules
from zareba.scenario import load_scenario

__all__ = ["of_unit", "required_roster", "roster", "show_roster"]


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
        from zareba.report.roster import roster_page

        check_output(target).write_text(roster_page(found), encoding="utf-8")
        talk(f"written: {target}; open it in a browser to print it")


def required_roster(game: Game[Any], state: Any, seat: str | None) -> Roster:
    """Return the roster of a game. Raises ZarebaError if its rules have none."""
    found = game.display.roster(state, seat)
    if found is None:
        raise ZarebaError(
            f"{game.rules.book.title} has no roster of single figures; type units to list the units on the table"
        )
    return found


def of_unit(found: Roster, name: str) -> Roster:
    """Return the roster of one unit, by its id or any part of its name. The ZarebaError for an unknown unit suggests the
    nearest.
    """
    wanted = name.strip().lower()
    units = tuple(unit for unit in found.units if wanted in (unit.id.lower(), unit.name.lower()))
    units = units or tuple(unit for unit in found.units if wanted in unit.name.lower())
    if not units:
        raise unknown_name("unit", name, [unit.id for unit in found.units])
    return Roster(found.title, found.headline, units, found.key)


def show_roster(found: Roster, console: SafeConsole) -> None:
    """Print the roster as tables on a terminal.

    Empty columns are left out, and only the ticked boxes are shown. Values shared by all figures of a unit are printed
    once, above its table.
    """
    console.print(found.headline, style="bold")
    for unit in found.units:
        lines = [line.cells for line in unit.lines]
        shown, alike = [], []
        for place, column in enumerate(unit.columns):
            told = {str(cells[place]) for cells in lines if not isinstance(cells[place], Boxes)} - {""}
            if place and len(told) == 1 and len(lines) > 1 and all(cells[place] != "" for cells in lines):
                alike.append((column.lower(), told.pop()))
            elif told:
                shown.append(place)
        console.print(f"\n{unit.name}, {unit.side_name}", style="bold")
        notes = [(label, _told(cell)) for label, cell in unit.notes]
        console.print("; ".join(f"{label} {told}" for label, told in notes + alike))
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


def _told(cell: Cell) -> str:
    return str(cell.ticked) if isinstance(cell, Boxes) else str(cell)
