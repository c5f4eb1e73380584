"""`zareba tournament`: AI players against each other under one ruleset."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

import typer

from zareba.agents import WITHOUT, make_agent
from zareba.agents.restricted import Restricted
from zareba.analysis.compare import compare as run_comparison
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for, run_games_for_results
from zareba.analysis.studies.tournament import (
    Match,
    RatedPlayer,
    complete_pairs,
    match_of,
    ratings,
    schedule,
    strongest_sentence,
    to_dict,
)
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount, percent
from zareba.cli.errors import INTERRUPTED
from zareba.cli.options import HouseRules, Json, Set, assignments, scenario_name
from zareba.cli.output import out, plain_table, print_json, print_to_stderr
from zareba.cli.study.comparison_options import player_named, split_players
from zareba.cli.study.comparison_run import interruptible, progress_bar
from zareba.registry import load_rules
from zareba.rules.settings import read_settings
from zareba.scenario import load_scenario
from zareba.table import SeededTable


def tournament(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file.")],
    ruleset: Annotated[str, typer.Option("--ruleset", metavar="RULESET", help="The ruleset to play.")],
    players: Annotated[
        str,
        typer.Option(
            "--players", metavar="A,B", help="AI players; 'NAME without WORD' never takes options that begin with WORD."
        ),
    ] = "random,cautious,doctrine,bold",
    games: Annotated[
        int,
        typer.Option(
            "--games", metavar="NUMBER", min=2, help="Games per pair of players; they swap sides in every second game."
        ),
    ] = 100,
    changed: Set = None,
    house_rule: HouseRules = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="NUMBER", min=0, help="The same seed plays the same games.")
    ] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="NUMBER", min=1, help="Number of processes (default: one per core).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play AI players against each other and rate them.

    The rating is Elo by the Bradley-Terry model: 0 is the mean of the players, and 400 points more win ten games of
    eleven. To measure what an action is worth, restrict a player, as in 'doctrine without charge', and play it against
    the unrestricted one. Ctrl-C stops the run early: the table covers the games played so far, and the exit code is
    130.

    Example: zareba tournament patrol_clash --ruleset vcc --players "doctrine,doctrine without charge"
    """
    battle = load_scenario(scenario_name(scenario))
    if len(battle.sides) != 2:
        raise ZarebaError(f"a tournament needs a battle of two sides; {battle.id} has {len(battle.sides)}")
    rules = load_rules(ruleset)
    settings = read_settings(rules.book.settings, assignments("setting", changed), ruleset) if changed else {}
    variant = Variant(
        ruleset, ruleset, tuple((name, settings[name]) for name in settings if changed), tuple(house_rule or ())
    )
    variant.rules()
    names = [player_named(name) for name in split_players(players, "--players")]
    for name in names:
        _check_restriction(variant, scenario_name(scenario), name, tuple(battle.sides))
    matches: list[Match] = []
    interrupted = False
    for first, second in schedule(names):
        print_to_stderr(f"{first} against {second}:")
        agents = tuple(zip(battle.sides, (first, second), strict=True))
        try:
            with progress_bar() as progress, interruptible():
                comparison = run_comparison(
                    scenario_name(scenario), [variant], games, seed, jobs or os.cpu_count() or 1, agents, run_games_for_results,
                    progress, notify=print_to_stderr,
                )  # fmt: skip
        except KeyboardInterrupt:
            interrupted = True
            break
        if records := complete_pairs(comparison.records):
            matches.append(match_of(first, second, records))
        if comparison.partial:
            interrupted = True
            break
    if not matches:
        raise KeyboardInterrupt
    with_games = [name for name in names if any(name in (match.first, match.second) for match in matches)]
    rated = ratings(with_games, matches)
    if interrupted:
        done = sum(match.games for match in matches)
        print_to_stderr(
            f"interrupted after {done} of {amount(games * len(schedule(names)), 'game')}; the table covers these"
        )
    if as_json:
        run = {"scenario": battle.id, "ruleset": ruleset, "seed": seed, "partial": interrupted}
        print_json({**run, **to_dict(rated, matches)})
    else:
        _print_table(rated, matches)
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _print_table(rated: Sequence[RatedPlayer], matches: Sequence[Match]) -> None:
    console = out()
    rows = [
        [row.player, f"{row.elo:+.0f}", f"{row.low:+.0f} to {row.high:+.0f}", percent(row.score, 1), row.games]
        for row in rated
    ]
    console.print(strongest_sentence(rated, matches))
    console.print()
    heads = ("player", "Elo", "95 %", "score", "games")
    console.print(plain_table(heads, rows, right=heads[1:]))
    console.print()
    for match in matches:
        console.print(
            f"{match.first} against {match.second}: won {match.wins}, drew {match.draws}, lost {match.losses};"
            f" {percent(match.score, 1)} of the points"
            f" (95 % {percent(match.low, 1)} to {percent(match.high, 1)}, {amount(match.pairs, 'pair')} of games)"
        )
    console.print()
    console.print(
        "Elo: a rating; a player with 100 more takes 64 % of the points. 95 %: the confidence interval."
        " Score: the share of points, with a draw as half a point."
    )


def _check_restriction(variant: Variant, scenario: str, name: str, sides: tuple[str, ...]) -> None:
    """Play one game, and raise ZarebaError if it offers no option of the kind that the player `name` must not take.

    The error suggests the nearest option that the game offered.
    """
    _, without, word = name.partition(WITHOUT)
    if not without:
        return
    game = game_for(variant, scenario)
    state = game.start()
    players = {side: Restricted(make_agent("doctrine", game, side, 1), "") for side in sides}
    table = SeededTable(game.rules, state, 1, players)
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    offered = set().union(*(player.offered for player in players.values()))
    if word not in offered:
        raise unknown_name(f"option in a game of this battle under {variant.ruleset} that begins with", word, offered)
