"""`zareba balance`: find a number that makes a battle even under a ruleset."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from zareba.analysis.compare import compare as run_comparison
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import run_games_for_results
from zareba.analysis.studies.balance import (
    BalanceTrial,
    balance_parameter,
    even_sentence,
    even_value,
    figures_left,
    next_values,
)
from zareba.base.errors import unknown_name
from zareba.base.grammar import amount, in_a_sentence
from zareba.cli.options import Json, scenario_name
from zareba.cli.output import out, print_json, print_to_stderr
from zareba.cli.study.comparison_options import equal_of, players_of
from zareba.cli.study.comparison_run import interruptible
from zareba.registry import load_rules
from zareba.renamed import with_old_json_keys
from zareba.scenario import load_scenario

_ROUNDS = 3
"""The games are played in this many rounds. After each, the values to try next move closer to an even battle."""


def balance(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file.")],
    ruleset: Annotated[
        str, typer.Option("--ruleset", metavar="RULESET", help="The ruleset to balance the battle for.")
    ],
    by: Annotated[str, typer.Option("--by", metavar="WHAT", help="forces, turns, UNIT.figures or OBJECTIVE.points.")],
    side: Annotated[
        str | None, typer.Option("--side", metavar="SIDE", help="The side whose wins are counted (default: the first).")
    ] = None,
    low: Annotated[
        int | None, typer.Option("--from", metavar="NUMBER", min=1, help="The smallest value to try.")
    ] = None,
    high: Annotated[int | None, typer.Option("--to", metavar="NUMBER", min=1, help="The largest value to try.")] = None,
    equal_points: Annotated[
        bool, typer.Option("--equal-points", help="First give all sides equal points, as 'zareba compare' does.")
    ] = False,
    games: Annotated[int, typer.Option("--games", metavar="NUMBER", min=30, help="Games in all.")] = 450,
    seed: Annotated[
        int, typer.Option("--seed", metavar="NUMBER", min=0, help="The same seed plays the same games.")
    ] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="NUMBER", min=1, help="Number of processes (default: one per core).")
    ] = None,
    agent: Annotated[str, typer.Option("--agent", metavar="PLAYER", help="The player of all sides.")] = "doctrine",
    as_json: Json = False,
) -> None:
    """Find what makes a battle even under a ruleset.

    The result is the value of one number of the scenario at which a side wins half of the games by the common victory
    rule. With --by forces, 70 leaves the first side 70 % of its figures, and 130 leaves the other side 70 %.

    Example: zareba balance river_ford --ruleset vcc --by b_left.figures
    """
    battle = load_scenario(scenario_name(scenario))
    side = side or next(iter(battle.sides))
    if side not in battle.sides:
        raise unknown_name("side", side, battle.sides)
    load_rules(ruleset)
    players = players_of(battle, agent)
    if equal_points:
        battle = equal_of(battle).scenario
    parameter = balance_parameter(battle, by, low, high)
    names = [each.name for each in battle.sides.values()]
    trials: list[BalanceTrial] = []
    with TemporaryDirectory() as folder, interruptible():
        for number in range(_ROUNDS):
            values = next_values(parameter, trials)
            games_each = max(2, games // _ROUNDS // len(values))
            for value in values:
                file = Path(folder) / f"{battle.id}_{value}.yaml"
                file.write_text(parameter.scenario_with(battle, value), encoding="utf-8")
                wins = _wins(file, ruleset, side, games_each, seed + number, jobs or os.cpu_count() or 1, players)
                trials.append(BalanceTrial(value, games_each, wins))
                left = figures_left(parameter, value, names)
                print_to_stderr(
                    f"{by} {value}{f' ({left})' if left else ''}: {in_a_sentence(battle.sides[side].name)} won {wins:g} of {amount(games_each, 'game')}"
                )
    even = even_value(trials, parameter)
    if as_json:
        data = {
            "scenario": battle.id, "title": battle.title, "ruleset": ruleset, "by": by, "side": side,
            "now": parameter.now, "value": even.value, "low": even.low, "high": even.high,
            "games": sum(trial.games for trial in trials),
            "trials": [{"value": trial.value, "games": trial.games, "wins": trial.wins} for trial in trials],
        }  # fmt: skip
        print_json(with_old_json_keys("balance", data))
    else:
        out().print(even_sentence(parameter, even, battle.sides[side].name, trials, names))


def _wins(
    file: Path, ruleset: str, side: str, games: int, seed: int, jobs: int, players: Sequence[tuple[str, str]]
) -> float:
    """Return the number of games that a side wins in a scenario file. A draw is half a win."""
    comparison = run_comparison(
        str(file),
        [Variant(ruleset, ruleset)],
        games,
        seed,
        jobs,
        tuple(players),
        run_games_for_results,
        notify=print_to_stderr,
    )
    if comparison.partial:
        raise KeyboardInterrupt
    return sum(0.5 if record.winner is None else float(record.winner == side) for record in comparison.records)
