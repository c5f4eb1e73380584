"""`zareba sensitivity`: find the numbers of a ruleset that matter most in a battle."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from zareba.analysis.compare import compare as run_comparison
from zareba.analysis.findings.advice import in_a_sentence
from zareba.analysis.findings.findings import in_figures
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.games.simulate import run_games_for_results
from zareba.analysis.studies.sensitivity import (
    FEWEST_GAMES,
    MEASURES,
    TRIAL_GAMES,
    SensitivityResult,
    measure_effects,
    move_numbers,
    numbers_with_effect,
    plan,
)
from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, percent
from zareba.cli.options import Json, scenario_name
from zareba.cli.output import out, plain_table, print_json, print_to_stderr
from zareba.cli.study.comparison_options import players_of
from zareba.cli.study.comparison_run import interruptible, progress_bar
from zareba.registry import load_rules
from zareba.renamed import with_old_json_keys
from zareba.report.outputs import make_folder
from zareba.scenario import load_scenario


def sensitivity(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file.")],
    ruleset: Annotated[
        str, typer.Option("--ruleset", metavar="RULESET", help="The ruleset whose numbers are changed.")
    ],
    budget: Annotated[
        int, typer.Option("--budget", metavar="NUMBER", min=50, help="Most games to play in total.")
    ] = 6000,
    rate: Annotated[
        float,
        typer.Option(
            "--fdr",
            metavar="NUMBER",
            min=0.001,
            max=0.5,
            help="False discovery rate: share of the shown effects that may be false.",
        ),
    ] = 0.1,
    only: Annotated[
        str, typer.Option("--only", metavar="PATTERN", help="Paths of the numbers to change, such as 'weapons.*'.")
    ] = "*",
    agents: Annotated[str, typer.Option("--agents", metavar="A,B", help="The players of the sides.")] = "doctrine",
    seed: Annotated[
        int, typer.Option("--seed", metavar="NUMBER", min=0, help="The same seed plays the same games.")
    ] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="NUMBER", min=1, help="Number of processes (default: one per core).")
    ] = None,
    folder: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the files.")] = None,
    as_json: Json = False,
) -> None:
    """Rank the numbers of a ruleset by how much they matter.

    Every number is changed one step down and one up (whole numbers by 1, others by a tenth), and the same games are
    played again with the same random numbers. A few games of each change show which numbers affect the battle at all;
    the rest of the budget is spread over these. --fdr limits the share of shown effects that may be due to chance.

    Example: zareba sensitivity patrol_clash --ruleset vcc --only "tallies.*" --budget 3000
    """
    scenario = scenario_name(scenario)
    battle = load_scenario(scenario)
    target = folder or Path("out") / f"{battle.id}-sensitivity"
    make_folder(target)
    base = Variant(ruleset, ruleset)
    steps, refused = move_numbers(load_rules(ruleset), only, target / "numbers")
    trial_games = TRIAL_GAMES * (len(steps) + 1)  # with those of the unchanged ruleset
    if budget < trial_games + FEWEST_GAMES:
        raise ZarebaError(
            f"a first look at {amount(len(steps), 'step')} takes {amount(trial_games + FEWEST_GAMES, 'game')}, more than"
            " --budget; raise it, or select fewer numbers with --only"
        )
    players, workers = players_of(battle, agents), jobs or os.cpu_count() or 1

    def play(variants: Sequence[Variant], games: int, earlier: Sequence[GameRecord]) -> dict[str, list[GameRecord]]:
        with progress_bar() as progress, interruptible():
            run = run_comparison(
                scenario,
                [base, *variants],
                games,
                seed,
                workers,
                players,
                run_games_for_results,
                progress,
                played_before=earlier,
                notify=print_to_stderr,
            )
        if run.partial:
            raise KeyboardInterrupt
        records: dict[str, list[GameRecord]] = {}
        for record in run.records:
            records.setdefault(record.variant, []).append(record)
        return records

    print_to_stderr(
        f"{amount(len(steps), 'step')} of {amount(len({step.path for step in steps}), 'number')}; first a look at each"
    )
    trials = play([step.variant for step in steps], TRIAL_GAMES, ())
    effective = numbers_with_effect(steps, base.name, trials)
    affordable = max(1, (budget - trial_games) // (FEWEST_GAMES - TRIAL_GAMES) - 1)
    if len(effective) > affordable:
        print_to_stderr(
            f"the budget covers {affordable} of the {amount(len(effective), 'step')} with an effect; raise it to include all"
        )
        effective = effective[:affordable]
    games_each = plan(budget, len(steps), len(effective))
    ranked: list[SensitivityResult] = []
    if effective:
        print_to_stderr(
            f"{amount(len(effective), 'step has', 'steps have')} an effect; {amount(games_each, 'game')} of each"
        )
        earlier = [record for records in trials.values() for record in records]
        ranked = measure_effects(effective, base.name, play([step.variant for step in effective], games_each, earlier))
    side = next(iter(battle.sides.values())).name
    data = {
        "scenario": battle.id, "ruleset": ruleset, "seed": seed, "agents": dict(players), "budget": budget,
        "fdr": rate, "games_each": games_each, "steps": len(steps), "not_allowed": refused,
        "no_effect": sorted({step.path for step in steps} - {step.path for step in effective}),
        "measures": {name: (_measure_title(name, side), unit) for name, (unit, *_) in MEASURES.items()},
        "numbers": [result.to_dict(rate) for result in ranked],
    }  # fmt: skip
    data = with_old_json_keys("sensitivity", data)
    (target / "sensitivity.json").write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    plots = _draw(data, target)
    if as_json:
        print_json(data)
    else:
        _print_ranking(data)
    for file in [target / "sensitivity.json", *plots]:
        print_to_stderr(f"written: {file}")


def _measure_title(measure: str, side: str) -> str:
    """Return the name of a measure. "who wins" names the side."""
    return f"won by {in_a_sentence(side)}" if measure == "who wins" else measure


def _draw(data: Mapping[str, Any], target: Path) -> list[Path]:
    """Draw the ranking into the folder `target`. Return the file, or nothing without numbers or without matplotlib."""
    if not data["numbers"]:
        return []
    try:
        from zareba.report.plots import draw_ranked
    except ImportError:
        print_to_stderr("the plot needs matplotlib: pip install 'zareba[report]'")
        return []
    (target / "sensitivity.svg").write_text(draw_ranked(data), encoding="utf-8")
    return [target / "sensitivity.svg"]


_MOST_ROWS = 20
_MOST_NAMED = 5
"""Numbers named in the first sentence of the ranking."""


def _print_ranking(data: Mapping[str, Any]) -> None:
    """Print which numbers matter most, then the table, how sure it is, and what its terms mean."""
    console = out()
    shown_paths = {
        step["path"]: None for step in data["numbers"] if any(effect["shown"] for effect in step["effects"].values())
    }
    if shown_paths:
        console.print(f"Numbers that matter most in this battle: {', '.join(list(shown_paths)[:_MOST_NAMED])}.")
        console.print()
    rows = []
    for step in data["numbers"][:_MOST_ROWS]:
        cells = []
        for name, (unit, *_) in MEASURES.items():
            effect = step["effects"][name]
            value, low, high = (in_figures(effect[key], unit) for key in ("value", "low", "high"))
            cells.append(f"{value} ({low} to {high}){' *' * effect['shown']}")
        rows.append([step["path"], f"{step['was']:g} to {step['to']:g}", *cells])
    titles = (title for title, _ in data["measures"].values())
    console.print(plain_table(("number", "moved", *titles), rows))
    more = len(data["numbers"]) - _MOST_ROWS
    if more > 0:
        console.print(f"and {amount(more, 'step')} that matter less")
    console.print(_certainty_note(data))
    refused = amount(len(data["not_allowed"]), "step")
    console.print(
        f"{amount(len(data['no_effect']), 'number is', 'numbers are')} without effect in {amount(TRIAL_GAMES, 'game')} of this battle"
        f"{f'; the rules refuse {refused}' if data['not_allowed'] else ''}."
    )
    console.print(
        "The columns say by how much the moved number changes the share of games won, the turns of a game and the strength lost."
    )
    console.print(
        "In brackets: the 95 % confidence interval. *: statistically clear, a change too large to be chance, with all"
        " changes taken together."
    )


def _certainty_note(data: Mapping[str, Any]) -> str:
    """Return how many changes are statistically clear, and at which false discovery rate."""
    effects = [effect for step in data["numbers"] for effect in step["effects"].values()]
    shown = sum(effect["shown"] for effect in effects)
    if not shown:
        return f"No change is statistically clear after {amount(data['games_each'], 'game')} of each; a larger --budget finds more."
    are = "is" if shown == 1 else "are"
    return f"{shown} of {amount(len(effects), 'change')} {are} statistically clear; at most {percent(data['fdr'])} of these are false."
