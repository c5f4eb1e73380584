"""`zareba sheet`: a quick sheet of a ruleset as it is played tonight, at the terminal or as a page to print."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from zareba.base.filenames import check_output
from zareba.cli.options import HouseRules, RulesetName, Set, assignments, house_rules_of
from zareba.cli.output import hanging, out, plain_table, talk
from zareba.registry import load_rules

__all__ = ["sheet"]


def sheet(
    ruleset: RulesetName,
    target: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.html", help="Write a page to print instead.")
    ] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
) -> None:
    """Show or print a quick sheet of a ruleset: sequence, sums and tables.

    It is made from the rules as they are resolved, with your settings and house rules, and has what installed packages add;
    every line has its rule, with a mark where the rulebook is not clear.

    Example: zareba sheet vcc --out vcc.html
    """
    from zareba.report.sheet import sheet_of, sheet_page

    house = house_rules_of(house_rule)
    found = sheet_of(load_rules(ruleset, assignments("setting", changed), house), house)
    if target is not None:
        check_output(target).write_text(sheet_page(found), encoding="utf-8")
        talk(f"written: {target}; open it in a browser to print it")
        return
    console = out()
    console.print(found.title, style="bold")
    for note in found.notes:
        console.print(hanging(note, console.width, 2))
    for table in found.tables:
        console.print(f"\n{table.title}", style="bold")
        console.print(plain_table(table.heads, table.rows))
