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
from zareba.analysis.games.simulate import run_games
from zareba.analysis.studies.balance import BalanceTrial, even_sentence, even_value, knob_of, next_values
from zareba.base.errors import unknown_name
from zareba.base.grammar import amount
from zareba.cli.options import Json, scenario_name
from zareba.cli.output import out, print_json, talk
from zareba.cli.study.comparison_options import equal_of, players_of
from zareba.cli.study.comparison_run import interruptible
from zareba.registry import load_rules
from zareba.renamed import with_old_json_keys
from zareba.scenario import load_scenario

_ROUNDS = 3


def balance(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file.")],
    ruleset: Annotated[
        str, typer.Option("--ruleset", metavar="RULESET", help="The ruleset to balance the battle for.")
    ],
    by: Annotated[str, typer.Option("--by", metavar="WHAT", help="turns, UNIT.figures or OBJECTIVE.points.")],
    side: Annotated[
        str | None, typer.Option("--side", help="The side whose wins are counted (default: the first).")
    ] = None,
    low: Annotated[int | None, typer.Option("--from", min=1, help="The smallest value to try.")] = None,
    high: Annotated[int | None, typer.Option("--to", min=1, help="The largest value to try.")] = None,
    equal_points: Annotated[
        bool, typer.Option("--equal-points", help="First give all sides equal points, as 'zareba compare' does.")
    ] = False,
    games: Annotated[int, typer.Option("--games", min=30, help="Games in all.")] = 450,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed plays the same games.")] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Number of processes (default: one per core).")
    ] = None,
    agent: Annotated[str, typer.Option("--agent", help="The player of all sides.")] = "doctrine",
    as_json: Json = False,
) -> None:
    """Find what makes a battle even under a ruleset.

    The result is the value of one number of the scenario at which a side wins half of the games by the common victory
    rule.

    Example: zareba balance river_ford --ruleset vcc --by boers_left.figures
    """
    found = load_scenario(scenario_name(scenario))
    counted = side or next(iter(found.sides))
    if counted not in found.sides:
        raise unknown_name("side", counted, found.sides)
    load_rules(ruleset)
    players = players_of(found, agent)
    if equal_points:
        found = equal_of(found).scenario
    knob = knob_of(found, by, low, high)
    tried: list[BalanceTrial] = []
    with TemporaryDirectory() as folder, interruptible():
        for number in range(_ROUNDS):
            values = next_values(knob, tried)
            each = max(2, games // _ROUNDS // len(values))
            for value in values:
                file = Path(folder) / f"{found.id}_{value}.yaml"
                file.write_text(knob.turned(found, value), encoding="utf-8")
                wins = _wins(file, ruleset, counted, each, seed + number, jobs or os.cpu_count() or 1, players)
                tried.append(BalanceTrial(value, each, wins))
                talk(f"{by} {value}: {found.sides[counted].name} won {wins:g} of {amount(each, 'game')}")
    even = even_value(tried, knob)
    if as_json:
        data = {
            "scenario": found.id, "title": found.title, "ruleset": ruleset, "by": by, "side": counted, "now": knob.now,
            "value": even.value, "low": even.low, "high": even.high, "games": sum(one.games for one in tried),
            "trials": [{"value": one.value, "games": one.games, "wins": one.wins} for one in tried],
        }  # fmt: skip
        print_json(with_old_json_keys("balance", data))
    else:
        out().print(even_sentence(knob, even, found.sides[counted].name, tried))


def _wins(
    file: Path, ruleset: str, side: str, games: int, seed: int, jobs: int, players: Sequence[tuple[str, str]]
) -> float:
    """Return the number of games that a side wins in a scenario file. A draw is half a win."""
    played = run_comparison(
        str(file), [Variant(ruleset, ruleset)], games, seed, jobs, tuple(players), run_games, tell=talk
    )
    if played.partial:
        raise KeyboardInterrupt
    return sum(0.5 if one.winner is None else float(one.winner == side) for one in played.records)
