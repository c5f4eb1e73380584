"""`zareba odds`: list the outcomes of a procedure with their probabilities."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zareba.base.errors import ZarebaError
from zareba.cli.listing_cache import cached_listing
from zareba.cli.options import HouseRules, Json, RulesetName, Set, assignments, house_rules_of
from zareba.cli.output import out, print_json, talk
from zareba.renamed import with_old_json_keys

if TYPE_CHECKING:
    from zareba.odds import Procedure
    from zareba.rules import Rules


def odds(
    name: RulesetName,
    procedure: Annotated[
        str | None, typer.Argument(metavar="PROCEDURE", help="Such as 'fire_step'; see --list.")
    ] = None,
    facts: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE...", help="Facts of the situation.")] = None,
    file: Annotated[
        str | None,
        typer.Option("--facts", metavar="FILE", help="Facts as YAML or JSON; '-' reads them from standard input."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the procedures and their facts.")] = False,
    changed: Set = None,
    house_rule: HouseRules = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Also draw the odds as .svg or .png.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the exact odds of a procedure in a situation.

    If there are too many outcomes to count, the odds are sampled and marked as such. Facts on the command line
    override those of a file.

    Example: zareba odds vcc fire_step bases=4 leader=true band=close
    """
    settings = assignments("setting", changed)
    if listed and not settings and not house_rule:
        _list(cached_listing("odds", name, work_out=lambda: (_procedures(name), True)), as_json)
        return
    from zareba.cli.study.distributions import check_plot
    from zareba.cli.study.facts import read_facts
    from zareba.registry import load_rules

    rules = load_rules(name, settings, house_rules_of(house_rule))
    if listed:
        _list(_procedures(name), as_json)
        return
    if procedure is None:
        raise ZarebaError(f"name a procedure; 'zareba odds {name} --list' lists them")
    if plot is not None:
        check_plot(plot)
    asked = rules.ruleset.procedure(procedure)
    situation = read_facts(asked, file, facts or ())
    _answer(rules, asked, situation, plot, as_json)


def _answer(rules: Rules, asked: Procedure, situation: Any, plot: Path | None, as_json: bool) -> None:
    from pydantic import TypeAdapter

    from zareba.cli.prompt.option_odds import chances_data, reckoned_table, tallies_data
    from zareba.cli.study.distributions import means, odds_data, odds_table, save_plot
    from zareba.cli.study.facts import written
    from zareba.odds import odds as odds_of

    found = odds_of(rules, asked, situation)
    reckoned = asked.explain(rules, situation)
    known = {field.name: getattr(situation, field.name) for field in fields(asked.facts)}
    if as_json:
        data: dict[str, Any] = {
            "ruleset": rules.ruleset.id,
            "procedure": asked.name,
            "facts": TypeAdapter(asked.facts).dump_python(situation, mode="json"),
            "method": found.method,
            "outcomes": odds_data(asked, found),
            "means": means(asked, found),
            "explain": tallies_data(reckoned.tallies),
            "rolls": chances_data(reckoned.chances),
        }
        print_json(with_old_json_keys("odds", data) | ({"note": found.note} if found.note else {}))
    else:
        console = out()
        console.print(f"{asked.summary} ({asked.rule}), {found.method}", style="bold")
        console.print(", ".join(f"{fact}={written(value)}" for fact, value in known.items()))
        if found.note:
            console.print(found.note)
        console.print()
        console.print(odds_table(asked, found))
        for name, mean in means(asked, found).items():
            console.print(f"mean of {name.replace('_', ' ')}: {mean:.3f}")
        console.print()
        console.print(reckoned_table(rules.ruleset, reckoned))
    if plot is not None:
        save_plot(plot, f"{rules.ruleset.id}: {asked.summary}", asked, found)
        talk(f"the plot is in {plot}")


def _procedures(name: str) -> list[dict[str, Any]]:
    """Return the procedures of a ruleset, with their facts as they are typed."""
    from pydantic import TypeAdapter

    from zareba.registry import ruleset

    return [
        {
            "procedure": one.name,
            "rule": one.rule,
            "summary": one.summary,
            "facts": TypeAdapter(one.facts).json_schema(),
            "outcome": TypeAdapter(one.outcome).json_schema(),
            "typed": ", ".join(map(_with_default, fields(one.facts))),
        }
        for one in ruleset(name).procedures.values()
    ]


def _list(procedures: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json([{key: value for key, value in one.items() if key != "typed"} for one in procedures])
        return
    from rich.padding import Padding

    console = out()
    for one in procedures:
        console.print(f"{one['procedure']}   {one['summary']} ({one['rule']})", style="bold")
        console.print(Padding(one["typed"], (0, 0, 0, 4)))


def _with_default(fact: Field[Any]) -> str:
    from zareba.cli.study.facts import written

    return f"{fact.name}=?" if fact.default is MISSING else f"{fact.name}={written(fact.default)}"
