"""`zareba briefing` and the `briefing` command of the prompt: an introduction to a battle."""

from __future__ import annotations

from typing import Annotated

import typer

from zareba.base.errors import unknown_name
from zareba.cli.options import HouseRules, Json, Set, assignments, house_rules_of, scenario_name
from zareba.cli.output import SafeConsole, hanging, out, print_json
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.session.briefing import UNSUPPORTED, Briefing, unsupported_summary
from zareba.session.briefing import briefing as brief

__all__ = ["briefing", "show_briefing"]


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
