"""`zareba compare`: play whole games under several rules, and report the differences."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from zareba.analysis.compare import GAMES_A_TASK, Comparison, check_names
from zareba.analysis.compare import compare as run_comparison
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
from zareba.cli.output import talk
from zareba.cli.study.comparison_options import (
    command_of,
    equal_of,
    players_of,
    seconds_of,
    sweep_of,
    titles_of,
    variants_of,
)
from zareba.cli.study.comparison_run import HowFar, heard_between_imports, in_two_parts, until_decided
from zareba.cli.study.display import show, show_set_pieces
from zareba.cli.study.engines import EngineName, engine_of
from zareba.cli.study.robust import DEFAULT_OTHER_PLAYERS, add_skill_matches, others_of, repeated
from zareba.plugins.content_digest import fingerprint_of, packages
from zareba.registry import ruleset, zareba_version
from zareba.report.outputs import make_folder, write_outputs
from zareba.scenario import load_scenario
from zareba.scenario.overrides import overrides_noted


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
        typer.Option("--games", min=1, help="Games per variant (default: as many as a pilot finds necessary)."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help=f"{QUICK_GAMES} games per variant, for a first look.")] = False,
    stop: Annotated[
        bool, typer.Option("--stop", help="Stop as soon as all primary comparisons are decided, or after --games.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed plays the same games.")] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Number of processes (default: one per core).")
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
    batch: Annotated[int, typer.Option("--batch", min=1, help="Games per task of a worker.")] = GAMES_A_TASK,
    agents: Annotated[
        str, typer.Option("--agents", metavar="A,B", help="The players of the sides, in order.")
    ] = "doctrine",
    robust: Annotated[
        bool | None,
        typer.Option(
            "--robust/--no-robust",
            help="Test claims with other AI players, stand-ins and translations."
            " On by default when the pilot chooses the number of games.",
        ),
    ] = None,
    also: Annotated[
        str,
        typer.Option("--other-agents", metavar="A,B", help="Other AI players for --robust; NAME:20 plays 20 games."),
    ] = DEFAULT_OTHER_PLAYERS,
    foretell: Annotated[
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
            help="Room for skill: games of doctrine against random, and a tenth as many of lookahead against doctrine.",
        ),
    ] = 0,
    seconds: Annotated[
        list[str] | None,
        typer.Option("--seconds", metavar="ACT=NUMBER", help="Seconds that an act takes at your table; repeatable."),
    ] = None,
    pieces: Annotated[
        bool, typer.Option("--set-pieces", help="Play no games: compare small situations by their odds.")
    ] = False,
    bank: Annotated[
        Path | None,
        typer.Option(
            "--save-games", metavar="FILE", help="Save the games in this file, and continue from those in it."
        ),
    ] = None,
    banks: Annotated[
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

    Claims are then tested again with one thing changed at a time (--robust): other AI players, each of our stand-ins
    set differently, each word of the scenario hidden from one ruleset. The report says whether each claim holds under
    all of these.

    With --save-games the games are saved in a file: the same command with more --games adds to them, and --from merges runs
    with other seeds. With --engine dask, the workers of a dask scheduler play the same games.

    With --set-pieces no games are played. The exact odds of rifle fire, charges, guns and morale tests in fixed
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
    if banks:
        unheeded = {
            "a SCENARIO": scenario,
            "--games": games,
            "--quick": quick,
            "--stop": stop,
            "--sweep": sweep,
            "--save-games": bank,
        }
        if named_too := [name for name, given in unheeded.items() if given]:
            raise ZarebaError(f"--from plays no games and reports saved ones: leave out {' and '.join(named_too)}")
        _report_banks(banks, folder, seconds or (), where or (), as_json=as_json)
        return
    if scenario is None:
        raise ZarebaError("name a scenario, as in 'zareba compare river_ford'; only --set-pieces needs none")
    asked_for = named = scenario_name(scenario)
    found = load_scenario(named)
    check_conditions(where or (), tuple(found.sides))
    target = folder or Path("out") / (f"{found.id}_equal_points" if equal_points else found.id)
    make_folder(target)
    if bank is not None:
        check_output(bank)
    if equal_points:
        equal = equal_of(found)
        named, found = str(equal.kept_in(target)), equal.scenario
        talk(f"the changed scenario is in {named}")
    swept = None
    if sweep is not None:
        if rulesets is None and len(variants) > 1:
            raise ZarebaError("name the ruleset of --sweep with --rulesets")
        swept, others_of_it = sweep_of(sweep, variants[0], target / "sweep")
        variants += others_of_it
    players = players_of(found, agents)
    repeats = robust if robust is not None else games is None and not quick and not stop and swept is None
    others = others_of(found, also) if repeats else {}
    taken, turn_limit = seconds_of(seconds or ()), found.turns
    solo = frozenset(side for side, player in players if player == SOLO)
    notes = {one.name: game_for(one, named, solo).untranslated for one in variants}
    overrides = {one.name: overrides_noted(found, *ruleset(one.ruleset).lineage) for one in variants}
    header = {
        "zareba": zareba_version(),
        "title": found.title,
        "sides": {side: entry.name for side, entry in found.sides.items()},
        "titles": titles_of(variants, swept),
        "scenario_digest": found.digest,
        "rules_digests": {one.name: game_for(one, named, solo).rules.digest for one in variants},
    }
    workers = jobs or os.cpu_count() or 1
    if scheduler is not None and engine is not EngineName.dask:
        raise ZarebaError("--scheduler needs --engine dask")
    if quick:
        games = games or QUICK_GAMES
    playing = partial(run_games, foretold=foretell) if foretell else run_games
    identity = {
        **header,
        "scenario": named,
        "notes": notes,
        "overrides": overrides,
        "variants": [one.to_dict() for one in variants],
        "seed": seed,
        "agents": dict(players),
        "code": fingerprint_of(packages()),
        **({"foretell": foretell} if foretell else {}),
    }
    _told_of_replacing(target)
    with (
        engine_of(engine, workers, scheduler).keep_workers() as who_plays,
        GameCheckpoint(target, identity, talk, bank) as kept,
    ):
        if kept.records:
            talk(f"continuing from {amount(len(kept.records), 'game')} played earlier")
        try:

            def played(
                number: int, before: Sequence[GameRecord], progress: HowFar, at_a_time: int = batch
            ) -> Comparison:
                command = {
                    "command": command_of(
                        asked_for,
                        variants,
                        games if stop and games else number,
                        seed,
                        agents,
                        stop=stop,
                        sweep=sweep,
                        equal_points=equal_points,
                        robust=also if repeats else None,
                        foretell=foretell,
                        skill=skill,
                    )
                }
                found = run_comparison(
                    named, variants, number, seed, workers, players, playing, progress, command | header, notes,
                    overrides, engine=who_plays, batch=at_a_time, played_before=before, keep=kept.keep, tell=talk,
                )  # fmt: skip
                return replace(
                    found,
                    seconds=taken,
                    stopping=turn_limit if stop else None,
                    with_set_pieces=swept is None,
                    sweep=swept,
                )

            comparison = (
                until_decided(played, kept.records, games)
                if stop
                else in_two_parts(played, kept.records, games, workers)
            ).only(where or ())
            if repeats and not comparison.partial and not comparison.where:
                comparison = repeated(comparison, found, others, who_plays, target / "conditions")
            if skill and not comparison.partial:
                comparison = add_skill_matches(comparison, skill, who_plays)
            if comparison.partial:
                talk(
                    f"interrupted after {len(comparison.records)} of {amount(comparison.games * len(variants), 'game')}"
                )
            with heard_between_imports():
                written = write_outputs(comparison, target)
        except BaseException:
            if kept.has_games:
                talk(f"the games played so far are saved in {kept.path}; the same command continues from them")
            else:
                kept.remove()
            raise
        if not comparison.partial:
            kept.remove()
    show(written, as_json=as_json)
    if comparison.partial:
        raise typer.Exit(INTERRUPTED)


def _report_banks(
    files: Sequence[Path], folder: Path | None, seconds: Sequence[str], where: Sequence[str], *, as_json: bool
) -> None:
    """Report games that were saved earlier."""
    comparison = replace(merge_runs(files), seconds=seconds_of(seconds), with_set_pieces=True).only(where)
    target = folder or Path("out") / "merged"
    _told_of_replacing(target)
    with heard_between_imports():
        written = write_outputs(comparison, target)
    show(written, as_json=as_json)


def _told_of_replacing(target: Path) -> None:
    """Print a notice if an earlier report is going to be replaced."""
    before = target / "summary.json"
    if before.is_file():
        talk(f"{target} holds the report of an earlier run, which will be replaced")
