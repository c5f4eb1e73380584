"""`zareba compare`: play whole games under several rules, and report the differences."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from zareba.analysis.compare import GAMES_A_TASK, Comparison, check_names
from zareba.analysis.compare import compare as run_comparison
from zareba.analysis.engines.engine import Serial, TaskEngine
from zareba.analysis.engines.pool import Pool
from zareba.analysis.games.records import GameCheckpoint, GameRecord
from zareba.analysis.games.samples import check_conditions
from zareba.analysis.games.simulate import SOLO, game_for, run_games
from zareba.analysis.pilot import QUICK_GAMES
from zareba.analysis.saved_runs import merge_runs
from zareba.base.errors import ZarebaError
from zareba.base.filenames import check_output
from zareba.base.grammar import amount
from zareba.cli.errors import INTERRUPTED
from zareba.cli.options import Json, scenario_name
from zareba.cli.output import print_to_stderr
from zareba.cli.study.additional_games import (
    DEFAULT_OTHER_PLAYERS,
    add_skill_matches,
    other_players_of,
    repeat_under_conditions,
)
from zareba.cli.study.comparison_options import (
    command_of,
    equal_of,
    players_of,
    seconds_of,
    sweep_of,
    titles_of,
    variants_of,
)
from zareba.cli.study.comparison_run import (
    ProgressCallback,
    interruptible_outside_imports,
    run_until_decided,
    run_with_pilot,
)
from zareba.cli.study.display import show, show_set_pieces
from zareba.plugins.content_digest import fingerprint_of, packages
from zareba.registry import ruleset, zareba_version
from zareba.report.outputs import make_folder, write_outputs
from zareba.scenario import load_scenario
from zareba.scenario.overrides import override_lines


class EngineName(StrEnum):
    """The engines: this process, local workers, or the workers of a dask scheduler."""

    serial = "serial"
    pool = "pool"
    dask = "dask"


def engine_of(where: EngineName, workers: int, scheduler: str | None) -> TaskEngine:
    """Return the engine. A pool of one worker plays in this process."""
    if where is EngineName.dask:
        from zareba.analysis.engines.dask import Dask

        return Dask(scheduler or "", workers, print_to_stderr)
    return Serial() if where is EngineName.serial or workers == 1 else Pool(workers, print_to_stderr)


def compare(
    scenario: Annotated[
        str | None,
        typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file; not for --set-pieces."),
    ] = None,
    rulesets: Annotated[
        str | None, typer.Option("--rulesets", metavar="A,B", help="Rulesets (default: all installed).")
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar="NAME=CHANGE,...",
            help="Compare the first ruleset also with changes: SETTING:VALUE or a house rule; repeatable.",
        ),
    ] = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            "--sweep", metavar="PATH=1..6", help="Compare the first ruleset with each value of one of its numbers."
        ),
    ] = None,
    equal_points: Annotated[
        bool,
        typer.Option(
            "--equal-points",
            help="First give all sides equal points, by our own estimate, as no rulebook here prices units.",
        ),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", metavar="NUMBER", min=1, help="Games per variant (default: as many as a pilot finds necessary)."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help=f"{QUICK_GAMES} games per variant, for a first look.")] = False,
    stop: Annotated[
        bool, typer.Option("--stop", help="Stop as soon as all primary comparisons are decided, or after --games.")
    ] = False,
    seed: Annotated[
        int, typer.Option("--seed", metavar="NUMBER", min=0, help="The same seed plays the same games.")
    ] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", metavar="NUMBER", min=1, help="Number of processes (default: one per core).")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="Engine that plays: this process, local workers, or dask.")
    ] = EngineName.pool,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="A dask scheduler, such as tls://host:8786 (default: a local one)."
        ),
    ] = None,
    batch: Annotated[
        int, typer.Option("--batch", metavar="NUMBER", min=1, help="Games per task of a worker.")
    ] = GAMES_A_TASK,
    agents: Annotated[
        str, typer.Option("--agents", metavar="A,B", help="The players of the sides, in order.")
    ] = "doctrine",
    robust: Annotated[
        bool | None,
        typer.Option(
            "--robust/--no-robust",
            help="Test each claim with other AI players, other readings of unclear rules, and parts of the scenario left"
            " out. On by default when the pilot chooses the number of games.",
        ),
    ] = None,
    other_agents: Annotated[
        str,
        typer.Option("--other-agents", metavar="A,B", help="Other AI players for --robust; NAME:20 plays 20 games."),
    ] = DEFAULT_OTHER_PLAYERS,
    probability_games: Annotated[
        int,
        typer.Option(
            "--win-probability",
            min=0,
            metavar="GAMES",
            help="Estimate win chances at the end of each turn in this many games per variant.",
        ),
    ] = 0,
    skill: Annotated[
        int,
        typer.Option(
            "--skill",
            min=0,
            metavar="GAMES",
            help="Room for skill: games of doctrine against random, and a tenth as many of general against doctrine.",
        ),
    ] = 0,
    seconds: Annotated[
        list[str] | None,
        typer.Option("--seconds", metavar="ACT=NUMBER", help="Seconds that an act takes at your table; repeatable."),
    ] = None,
    pieces: Annotated[
        bool, typer.Option("--set-pieces", help="Play no games: compare small situations by their odds.")
    ] = False,
    save_file: Annotated[
        Path | None,
        typer.Option(
            "--save-games", metavar="FILE", help="Save the games in this file, and continue from those in it."
        ),
    ] = None,
    saved_files: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE", help="Play no games: report saved games; repeatable, files are merged."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="COLUMN=VALUE",
            help="Report only games with this in games.csv, such as turns<=6; repeatable.",
        ),
    ] = None,
    folder: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Folder for the files.")] = None,
    as_json: Json = False,
) -> None:
    """Play many whole games under several rules and compare them.

    First a pilot of a few games estimates the duration and the precision of the run. Without --games it also finds the
    number of games needed: win shares to within 5 points, length to within half a turn.

    The same seed gives the same numbers, whatever the number of jobs. One player for --agents plays all sides;
    different players swap sides in every second game. Ctrl-C stops the run early: the report covers the games played
    so far, and the exit code is 130. Finished games are never lost; the same command continues from them.

    Each claim is then tested again with one thing changed at a time (--robust): other AI players, each of our readings
    of unclear rules (stand-ins) set differently, each word of the scenario hidden from one ruleset. The report says
    whether each claim holds under all of these.

    With --save-games the games are saved in a file: the same command with more --games adds to them, and --from merges
    runs with other seeds. With --engine dask, the workers of a dask scheduler play the same games.

    With --set-pieces no games are played. The exact odds of rifle fire, charges, guns and morale checks in fixed
    situations are compared.

    With --equal-points, figures are added or removed until all sides have the same value in points. The changed
    scenario is saved next to the report and can be played.

    Example: zareba compare patrol_clash --rulesets vcc --variant cool=mg_overheat:off --games 200 --out out
    """
    variants = variants_of(rulesets, variant or ())
    check_names(variants)
    if pieces:
        show_set_pieces(variants, titles_of(variants), as_json=as_json)
        return
    if saved_files:
        _reject_options_to_play(
            {
                "a SCENARIO": scenario,
                "--games": games,
                "--quick": quick,
                "--stop": stop,
                "--sweep": sweep,
                "--save-games": save_file,
            }
        )
        _report_saved_games(saved_files, folder, seconds or (), where or (), as_json=as_json)
        return
    if scenario is None:
        raise ZarebaError("name a scenario, as in 'zareba compare river_ford'; only --set-pieces needs none")
    # With --equal-points a changed scenario is played from a separate file.
    original_scenario = played_scenario = scenario_name(scenario)
    battle = load_scenario(played_scenario)
    check_conditions(where or (), tuple(battle.sides))
    target = folder or Path("out") / (f"{battle.id}_equal_points" if equal_points else battle.id)
    make_folder(target)
    if save_file is not None:
        check_output(save_file)
    if equal_points:
        equal = equal_of(battle)
        played_scenario, battle = str(equal.save_in(target)), equal.scenario
        print_to_stderr(f"the changed scenario is in {played_scenario}")
    sweep_plan = None
    if sweep is not None:
        if rulesets is None and len(variants) > 1:
            raise ZarebaError("name the ruleset of --sweep with --rulesets")
        sweep_plan, changed_variants = sweep_of(sweep, variants[0], target / "sweep")
        variants += changed_variants
    players = players_of(battle, agents)
    tests_claims = robust if robust is not None else games is None and not quick and not stop and sweep_plan is None
    other_players = other_players_of(battle, other_agents) if tests_claims else {}
    seconds_per_act, turn_limit = seconds_of(seconds or ()), battle.turns
    solo = frozenset(side for side, player in players if player == SOLO)
    notes = {variant.name: game_for(variant, played_scenario, solo).untranslated for variant in variants}
    overrides = {variant.name: override_lines(battle, *ruleset(variant.ruleset).lineage) for variant in variants}
    header = {
        "zareba": zareba_version(),
        "title": battle.title,
        "sides": {side: entry.name for side, entry in battle.sides.items()},
        "titles": titles_of(variants, sweep_plan),
        "scenario_digest": battle.digest,
        "rules_digests": {variant.name: game_for(variant, played_scenario, solo).rules.digest for variant in variants},
    }
    workers = jobs or os.cpu_count() or 1
    if scheduler is not None and engine is not EngineName.dask:
        raise ZarebaError("--scheduler needs --engine dask")
    if quick:
        games = games or QUICK_GAMES
    play_games = partial(run_games, foretold=probability_games) if probability_games else run_games
    identity = {
        **header,
        "scenario": played_scenario,
        "notes": notes,
        "overrides": overrides,
        "variants": [variant.to_dict() for variant in variants],
        "seed": seed,
        "agents": dict(players),
        "code": fingerprint_of(packages()),
        **({"foretell": probability_games} if probability_games else {}),
    }
    _warn_of_replacing(target)
    with (
        engine_of(engine, workers, scheduler).keep_workers() as running_engine,
        GameCheckpoint(target, identity, print_to_stderr, save_file) as checkpoint,
    ):
        if checkpoint.records:
            print_to_stderr(f"continuing from {amount(len(checkpoint.records), 'game')} played earlier")
        try:

            def play(
                games_each: int,
                finished: Sequence[GameRecord],
                progress: ProgressCallback,
                games_per_task: int = batch,
            ) -> Comparison:
                command = {
                    "command": command_of(
                        original_scenario,
                        variants,
                        games if stop and games else games_each,
                        seed,
                        agents,
                        stop=stop,
                        sweep=sweep,
                        equal_points=equal_points,
                        robust=other_agents if tests_claims else None,
                        probability_games=probability_games,
                        skill=skill,
                    )
                }
                comparison = run_comparison(
                    played_scenario, variants, games_each, seed, workers, players, play_games, progress,
                    command | header, notes, overrides, engine=running_engine, batch=games_per_task,
                    played_before=finished, keep=checkpoint.write, notify=print_to_stderr,
                )  # fmt: skip
                return replace(
                    comparison,
                    seconds=seconds_per_act,
                    stopping=turn_limit if stop else None,
                    with_set_pieces=sweep_plan is None,
                    sweep=sweep_plan,
                )

            comparison = (
                run_until_decided(play, checkpoint.records, games)
                if stop
                else run_with_pilot(play, checkpoint.records, games, workers)
            ).filtered(where or ())
            if tests_claims and not comparison.partial and not comparison.where:
                comparison = repeat_under_conditions(
                    comparison, battle, other_players, running_engine, target / "conditions"
                )
            if skill and not comparison.partial:
                comparison = add_skill_matches(comparison, skill, running_engine)
            if comparison.partial:
                print_to_stderr(
                    f"interrupted after {len(comparison.records)} of {amount(comparison.games * len(variants), 'game')}"
                )
            with interruptible_outside_imports():
                written = write_outputs(comparison, target)
        except BaseException:
            if checkpoint.has_games:
                print_to_stderr(
                    f"the games played so far are saved in {checkpoint.path}; the same command continues from them"
                )
            else:
                checkpoint.remove()
            raise
        if not comparison.partial:
            checkpoint.remove()
    show(written, as_json=as_json)
    if comparison.partial:
        raise typer.Exit(INTERRUPTED)


def _reject_options_to_play(options: Mapping[str, Any]) -> None:
    """Raise ZarebaError if any of these options of `--from` has a value, because it plays no games."""
    if conflicting := [option for option, value in options.items() if value]:
        raise ZarebaError(f"--from plays no games and reports saved ones: leave out {' and '.join(conflicting)}")


def _report_saved_games(
    files: Sequence[Path], folder: Path | None, seconds: Sequence[str], where: Sequence[str], *, as_json: bool
) -> None:
    """Report games that were saved earlier."""
    comparison = replace(merge_runs(files), seconds=seconds_of(seconds), with_set_pieces=True).filtered(where)
    target = folder or Path("out") / "merged"
    _warn_of_replacing(target)
    with interruptible_outside_imports():
        written = write_outputs(comparison, target)
    show(written, as_json=as_json)


def _warn_of_replacing(target: Path) -> None:
    """Print a notice if an earlier report is going to be replaced."""
    earlier_report = target / "summary.json"
    if earlier_report.is_file():
        print_to_stderr(f"{target} holds the report of an earlier run, which will be replaced")
