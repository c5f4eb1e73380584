"""`zareba odds`: list the outcomes of a procedure with their probabilities."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zareba.base.errors import ZarebaError
from zareba.cli.listing_cache import cached_listing
from zareba.cli.options import HouseRules, Json, RulesetName, Set, assignments, house_rules_of
from zareba.cli.output import out, print_json, print_to_stderr
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
    """Show the odds of a shot, a morale check or another procedure.

    zareba counts every outcome, so the odds are exact. If there are too many outcomes to count, it rolls many times, and
    marks the odds as sampled. Facts on the command line override those of a file.

    Example: zareba odds vcc fire_step bases=4 leader=true band=close
    """
    settings = assignments("setting", changed)
    if listed and not settings and not house_rule:
        _print_procedures(cached_listing("odds", name, compute=lambda: (_procedures(name), True)), as_json)
        return
    from zareba.cli.study.distributions import check_plot
    from zareba.cli.study.facts import read_facts
    from zareba.registry import load_rules

    rules = load_rules(name, settings, house_rules_of(house_rule))
    if listed:
        _print_procedures(_procedures(name), as_json)
        return
    if procedure is None:
        raise ZarebaError(f"name a procedure; 'zareba odds {name} --list' lists them")
    if plot is not None:
        check_plot(plot)
    chosen = rules.ruleset.procedure(procedure)
    _print_odds(rules, chosen, read_facts(chosen, file, facts or ()), plot, as_json)


def _print_odds(rules: Rules, procedure: Procedure, situation: Any, plot: Path | None, as_json: bool) -> None:
    from pydantic import TypeAdapter

    from zareba.cli.prompt.option_odds import chances_data, explanation_table, tallies_data
    from zareba.cli.study.distributions import likely_result, means, odds_data, odds_table, save_plot
    from zareba.cli.study.facts import fact_text
    from zareba.odds import odds as procedure_odds

    result = procedure_odds(rules, procedure, situation)
    explanation = procedure.explain(rules, situation)
    facts = {field.name: getattr(situation, field.name) for field in fields(procedure.facts)}
    if as_json:
        data: dict[str, Any] = {
            "ruleset": rules.ruleset.id,
            "procedure": procedure.name,
            "facts": TypeAdapter(procedure.facts).dump_python(situation, mode="json"),
            "method": result.method,
            "outcomes": odds_data(procedure, result),
            "means": means(procedure, result),
            "explain": tallies_data(explanation.tallies),
            "rolls": chances_data(explanation.chances),
        }
        print_json(with_old_json_keys("odds", data) | ({"note": result.note} if result.note else {}))
    else:
        console = out()
        console.print(f"{procedure.summary} ({procedure.rule}), {result.method}", style="bold")
        console.print(likely_result(procedure, result), style="bold")
        console.print(", ".join(f"{fact}={fact_text(value)}" for fact, value in facts.items()))
        if result.note:
            console.print(result.note)
        console.print()
        console.print(odds_table(procedure, result))
        console.print()
        console.print(explanation_table(rules.ruleset, explanation))
    if plot is not None:
        save_plot(plot, f"{rules.ruleset.id}: {procedure.summary}", procedure, result)
        print_to_stderr(f"the plot is in {plot}")


def _procedures(name: str) -> list[dict[str, Any]]:
    """Return the procedures of a ruleset, with their facts as they are typed."""
    from pydantic import TypeAdapter

    from zareba.registry import ruleset

    return [
        {
            "procedure": procedure.name,
            "rule": procedure.rule,
            "summary": procedure.summary,
            "facts": TypeAdapter(procedure.facts).json_schema(),
            "outcome": TypeAdapter(procedure.outcome).json_schema(),
            "typed": ", ".join(map(_with_default, fields(procedure.facts))),
        }
        for procedure in ruleset(name).procedures.values()
    ]


def _print_procedures(procedures: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print_json([{key: value for key, value in procedure.items() if key != "typed"} for procedure in procedures])
        return
    from rich.padding import Padding

    console = out()
    for procedure in procedures:
        console.print(f"{procedure['procedure']}   {procedure['summary']} ({procedure['rule']})", style="bold")
        console.print(Padding(procedure["typed"], (0, 0, 0, 4)))


def _with_default(fact: Field[Any]) -> str:
    from zareba.cli.study.facts import fact_text

    return f"{fact.name}=?" if fact.default is MISSING else f"{fact.name}={fact_text(fact.default)}"
