"""`zareba odds`: list the outcomes of a procedure with their probabilities."""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import join_with_and
from zareba.cli.options import HouseRules, Json, RulesetName, Set, assignments, house_rules_of
from zareba.cli.output import out, plain_table, print_json, print_to_stderr
from zareba.plugins.listing_cache import cached_listing
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
    listed: Annotated[bool, typer.Option("--list", help="List the procedures, or the facts of PROCEDURE.")] = False,
    changed: Set = None,
    house_rule: HouseRules = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Also draw the odds as .svg or .png.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the odds of a shot, a morale check or another procedure.

    zareba counts every outcome, so the odds are exact. If there are too many outcomes to count, it rolls many times,
    and marks the odds as sampled. Facts on the command line override those of a file.

    Example: zareba odds vcc fire_step bases=4 leader=true band=close
    """
    settings = assignments("setting", changed)
    if listed and not settings and not house_rule:
        procedures = cached_listing("odds", name, compute=lambda: (listed_procedures(name), True))
        _print_procedures(name, procedure, procedures, as_json)
        return
    from zareba.cli.study.distributions import check_plot
    from zareba.cli.study.facts import read_facts
    from zareba.registry import load_rules

    rules = load_rules(name, settings, house_rules_of(house_rule))
    if listed:
        _print_procedures(name, procedure, listed_procedures(name), as_json)
        return
    if procedure is None:
        raise ZarebaError(f"name a procedure; 'zareba odds {name} --list' lists them")
    if plot is not None:
        check_plot(plot)
    chosen = rules.ruleset.procedure(procedure)
    _print_odds(rules, chosen, read_facts(chosen, file, facts or ()), plot, as_json)


def _print_odds(rules: Rules, procedure: Procedure, situation: Any, plot: Path | None, as_json: bool) -> None:
    from pydantic import TypeAdapter

    from zareba.battle.sentence_templates import words_of_ruleset
    from zareba.cli.prompt.option_odds import chances_data, explanation_table, tallies_data
    from zareba.cli.study.distributions import likely_result, means, odds_data, odds_table, save_plot
    from zareba.cli.study.facts import fact_text
    from zareba.odds import odds as procedure_odds

    result = procedure_odds(rules, procedure, situation)
    words = words_of_ruleset(rules.ruleset.folders)
    explanation = procedure.explain(rules, situation)
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
        how = f"{result.method}, {result.note}" if result.note and not result.samples else result.method
        console.print(f"{procedure.summary} ({procedure.rule}), {how}", style="bold")
        console.print(likely_result(procedure, result, words), style="bold")
        given = {field.name: getattr(situation, field.name) for field in fields(procedure.facts)}
        defaults = {field.name: field.default for field in fields(procedure.facts)}
        changed = [f"{fact}={fact_text(value)}" for fact, value in given.items() if value != defaults[fact]]
        command = f"zareba odds {rules.ruleset.id} {procedure.name} --list"
        facts = f"With {join_with_and(changed)}; all other" if changed else "All"
        console.print(f"{facts} facts have their defaults ('{command}' explains them).")
        if result.note and result.samples:
            console.print(result.note)
        console.print()
        console.print(odds_table(procedure, result, words))
        console.print()
        console.print(explanation_table(rules.ruleset, explanation))
    if plot is not None:
        save_plot(plot, f"{rules.ruleset.id}: {procedure.summary}", procedure, result, words)
        print_to_stderr(f"the plot is in {plot}")


def listed_procedures(name: str) -> list[dict[str, Any]]:
    """Return the procedures of a ruleset, ready for JSON. `rows` has for each fact its meaning, values and default."""
    from pydantic import TypeAdapter

    from zareba.battle.sentence_templates import words_of_ruleset
    from zareba.cli.study.facts import allowed_values, fact_text
    from zareba.registry import ruleset

    found = ruleset(name)
    words = words_of_ruleset(found.folders)
    listed = []
    for procedure in found.procedures.values():
        facts = TypeAdapter(procedure.facts).json_schema()
        types = get_type_hints(procedure.facts)
        rows = []
        for fact in fields(procedure.facts):
            schema = facts["properties"][fact.name]
            if meaning := words.meaning_of_fact(procedure.name, fact.name):
                schema["description"] = meaning
            default = "needed" if fact.default is MISSING else fact_text(fact.default) or "none"
            rows.append([fact.name, meaning, allowed_values(types[fact.name], schema), default])
        listed.append(
            {
                "procedure": procedure.name,
                "rule": procedure.rule,
                "summary": procedure.summary,
                "facts": facts,
                "outcome": TypeAdapter(procedure.outcome).json_schema(),
                "rows": rows,
            }
        )
    return listed


def _print_procedures(name: str, procedure: str | None, procedures: list[dict[str, Any]], as_json: bool) -> None:
    """Print all procedures of a ruleset, or one of them with its facts."""
    if procedure is not None:
        chosen = [listed for listed in procedures if listed["procedure"] == procedure]
        if not chosen:
            raise unknown_name(f"procedure of {name} called", procedure, [listed["procedure"] for listed in procedures])
        procedures = chosen
    if as_json:
        print_json([{key: value for key, value in listed.items() if key != "rows"} for listed in procedures])
    elif procedure is None:
        rows = [(listed["procedure"], listed["summary"], listed["rule"]) for listed in procedures]
        out().print(plain_table(("procedure", "what it rolls", "rule"), rows))
        out().print(f"\nThe facts of one procedure: zareba odds {name} {procedures[0]['procedure']} --list")
    else:
        _print_facts(name, procedures[0])


def _print_facts(name: str, procedure: dict[str, Any]) -> None:
    """Print one procedure: each fact with its meaning, its values and its default, and what the results mean."""
    console = out()
    console.print(f"{procedure['summary']} ({procedure['rule']})", style="bold")
    console.print(plain_table(("fact", "meaning", "takes", "default"), procedure["rows"]))
    outcome = procedure["outcome"]
    console.print(f"\nresults: {', '.join(outcome['properties'])}")
    if (explained := outcome.get("description", "")) and explained != f"{procedure['summary']}.":
        paragraphs = [" ".join(paragraph.split()) for paragraph in explained.replace("`", "").split("\n\n")]
        console.print("\n".join(paragraphs))
    needed = [f"{fact}=..." for fact, *_, default in procedure["rows"] if default == "needed"]
    console.print(f"\nzareba odds {' '.join([name, procedure['procedure'], *needed])}")
