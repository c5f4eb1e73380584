"""`zareba compare`: whole games under several rules, measured and reported."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from zareba.agents import agent_names
from zareba.amounts import amount
from zareba.analysis.acts import SECONDS
from zareba.analysis.compare import Comparison
from zareba.analysis.compare import compare as run_comparison
from zareba.analysis.kept import KeptGames
from zareba.analysis.pilot import QUICK_GAMES
from zareba.analysis.records import GameRecord, Variant
from zareba.analysis.simulate import SOLO, game_for, run_games
from zareba.analysis.summary import summarise
from zareba.analysis.verdicts import in_figures
from zareba.brought import house_rule_files
from zareba.cli.errors import INTERRUPTED
from zareba.cli.options import Json, assignments, existing_file, scenario_name
from zareba.cli.output import out, plain_table, print_json, talk
from zareba.cli.running import heard_between_imports, in_two_parts, until_decided
from zareba.errors import ZarebaError, unknown_name
from zareba.installed import fingerprint_of, packages
from zareba.registry import find_house_rule, load_rules, ruleset, ruleset_names, zareba_version
from zareba.report.outputs import make_folder, write_outputs
from zareba.rules.settings import read_settings, text
from zareba.scenario import Scenario, load_scenario
from zareba.scenario.overrides import overrides_noted
from zareba.yamlfile import MAX_NAME

__all__ = ["compare"]


def compare(
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A name from 'zareba scenarios', or a file.")],
    rulesets: Annotated[
        str | None, typer.Option("--rulesets", metavar="A,B", help="Rulesets; all installed ones unless told.")
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            metavar="NAME=CHANGE,...",
            help="Compare the first ruleset also with changes: SETTING:VALUE or a house rule; repeatable.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", min=1, help="Games a variant; as many as a pilot finds necessary unless told."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help=f"{QUICK_GAMES} games a variant, for a first look.")] = False,
    stop: Annotated[
        bool, typer.Option("--stop", help="Stop as soon as all primary comparisons are decided, --games at the latest.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed plays the same games.")] = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Processes; as many as there are cores unless told.")
    ] = None,
    agents: Annotated[
        str, typer.Option("--agents", metavar="A,B", help="The players of the sides, in their order.")
    ] = "doctrine",
    seconds: Annotated[
        list[str] | None,
        typer.Option("--seconds", metavar="ACT=NUMBER", help="What an act takes at your table; repeatable."),
    ] = None,
    folder: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="Where the files go.")] = None,
    as_json: Json = False,
) -> None:
    """Play many whole games under several rules and compare them.

    First a pilot of a few games tells how long the run will take and how sure it will be; unless told with --games, it also
    says how many games the primary metrics need: win shares to within 5 points, turns to within half a turn.

    The same seed gives the same numbers, whatever the jobs. One player for --agents plays all sides; when the players
    differ they change sides in every second game. Ctrl-C ends it early: the report tells of the games played so far, and
    it exits with 130. However it ends, games that were played are kept, and the same command goes on from them.

    Example: zareba compare patrol_clash --rulesets vcc --variant cool=mg_overheat:off --games 200 --out out
    """
    named = scenario_name(scenario)
    found = load_scenario(named)
    variants = _variants(rulesets, variant or ())
    players = _players(found, agents)
    taken, turn_limit = _seconds(seconds or ()), found.turns
    solo = frozenset(side for side, player in players if player == SOLO)
    notes = {one.name: game_for(one, named, solo).untranslated for one in variants}
    overrides = {one.name: overrides_noted(found, one.ruleset) for one in variants}
    header = {
        "zareba": zareba_version(),
        "title": found.title,
        "sides": {side: entry.name for side, entry in found.sides.items()},
        "titles": {one.name: _title(one) for one in variants},
        "scenario_digest": found.digest,
        "rules_digests": {one.name: game_for(one, named, solo).rules.digest for one in variants},
    }
    target = folder or Path("out") / found.id
    make_folder(target)
    workers = jobs or os.cpu_count() or 1
    if quick:
        games = games or QUICK_GAMES
    identity = {
        **header,
        "variants": [one.to_dict() for one in variants],
        "seed": seed,
        "agents": dict(players),
        "code": fingerprint_of(packages()),
    }
    with KeptGames(target, identity, talk) as kept:
        if kept.records:
            talk(f"{amount(len(kept.records), 'game was', 'games were')} played before; going on from them")
        try:

            def played(number: int, before: Sequence[GameRecord], progress: Callable[[int, int], None]) -> Comparison:
                command = {
                    "command": _command(named, variants, games if stop and games else number, seed, agents, stop=stop)
                }
                found = run_comparison(
                    named, variants, number, seed, workers, players, run_games, progress, command | header, notes,
                    overrides, played_before=before, keep=kept.keep, tell=talk,
                )  # fmt: skip
                return replace(found, seconds=taken, stopping=turn_limit if stop else None)

            run = until_decided if stop else in_two_parts
            comparison = run(played, kept.records, games)
            if comparison.partial:
                talk(
                    f"interrupted after {len(comparison.records)} of {amount(comparison.games * len(variants), 'game')}"
                )
            with heard_between_imports():
                written = write_outputs(comparison, target)
        except BaseException:
            if kept.has_games:
                talk(f"the games played so far are kept in {kept.path}; the same command goes on from them")
            else:
                kept.remove()
            raise
        if not comparison.partial:
            kept.remove()
    if as_json:
        print_json(summarise(comparison))
    else:
        _headline(comparison)
    for remark in written.remarks:
        talk(remark)
    for file in written.files:
        talk(f"written: {file}")
    if comparison.partial:
        raise typer.Exit(INTERRUPTED)


def _title(variant: Variant) -> str:
    """What people call a variant: its ruleset, with its own name where it changes something."""
    title = load_rules(variant.ruleset).book.title
    return title if variant.name == variant.ruleset else f"{title}, {variant.name}"


def _seconds(written: Sequence[str]) -> dict[str, float]:
    """What each act takes, as declared or as told."""
    found = dict(SECONDS)
    for act, number in assignments("seconds", written).items():
        if act not in found:
            raise unknown_name("act at the table", act, found)
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 3600:
            raise ZarebaError(f"--seconds {act}={number}: an act takes from 0 to 3600 seconds")
        found[act] = value
    return found


def _variants(rulesets: str | None, changes: Sequence[str]) -> list[Variant]:
    """The rulesets themselves, then the variants of the first of them."""
    bases = _names(rulesets) if rulesets is not None else _loadable()
    for name in bases:
        ruleset(name)
    found = [Variant(name, name) for name in bases]
    if changes and rulesets is None and len(bases) > 1:
        raise ZarebaError(f"say with --rulesets which ruleset the variants change; installed: {', '.join(bases)}")
    found += [_variant(name, bases[0], written) for name, written in assignments("variant", changes).items()]
    return found


def _names(listed: str) -> list[str]:
    names = [name.strip() for name in listed.split(",") if name.strip()]
    if not names:
        raise ZarebaError("--rulesets names no ruleset; write it as --rulesets a,b")
    return names


def _loadable() -> list[str]:
    names = []
    for name in ruleset_names():
        try:
            load_rules(name)
        except Exception as error:  # noqa: BLE001  # a broken ruleset of somebody else's is told, not fatal
            talk(f"left out: the ruleset '{name}' cannot be used: {error}")
        else:
            names.append(name)
    return names


def _variant(name: str, base: str, written: str) -> Variant:
    """A ruleset with changes, as in `mg_overheat:off,./my_rule.yaml`."""
    if len(name) > MAX_NAME or not name.isprintable():
        raise ZarebaError(f"a variant is called by one line of up to {MAX_NAME} characters, not by {len(name)}")
    switches = load_rules(base).book.settings
    settings: dict[str, Any] = {}
    house_rules = []
    for change in filter(None, (part.strip() for part in written.split(","))):
        setting, colon, value = change.partition(":")
        if colon and not Path(change).exists() and change not in house_rule_files():
            admitted = read_settings(switches, {setting: value}, base)
            if setting not in admitted:
                raise ZarebaError(
                    f"the setting {setting} has parts; set each, as in {setting}.{next(iter(switches[setting].parts))}:{value}"
                )
            settings[setting] = admitted[setting]
        else:
            if Path(change).suffix in (".yaml", ".yml", ".py"):
                existing_file("house rule", change)
            find_house_rule(change)
            house_rules.append(change)
    if not settings and not house_rules:
        raise ZarebaError(
            f"the variant '{name}' changes nothing; write it as {name}=SETTING:VALUE or {name}=HOUSE_RULE"
        )
    return Variant(name, base, tuple(settings.items()), tuple(house_rules))


def _players(scenario: Scenario, agents: str) -> tuple[tuple[str, str], ...]:
    names = [name.strip() for name in agents.split(",")]
    known = [*agent_names(), SOLO]
    for name in names:
        if name not in known:
            raise unknown_name("player", name, known)
    if len(names) == 1:
        names *= len(scenario.sides)
    if len(names) != len(scenario.sides):
        raise ZarebaError(f"{scenario.id} has {len(scenario.sides)} sides, and --agents names {len(names)} players")
    return tuple(zip(scenario.sides, names, strict=True))


def _command(scenario: str, variants: Sequence[Variant], games: int, seed: int, agents: str, *, stop: bool) -> str:
    """The command that repeats the run; jobs and folder do not change the numbers."""
    bases = [one.name for one in variants if not one.settings and not one.house_rules]
    changed = [one for one in variants if one.settings or one.house_rules]
    parts = ["zareba", "compare", scenario, f"--rulesets={','.join(bases)}"]
    for one in changed:
        changes = [f"{name}:{text(value)}" for name, value in one.settings] + list(one.house_rules)
        parts.append(f"--variant={one.name}={','.join(changes)}")
    return " ".join([*parts, f"--games={games}", *(["--stop"] if stop else []), f"--seed={seed}", f"--agents={agents}"])


def _headline(comparison: Comparison) -> None:
    """The first estimate of each metric, a column a variant, then the sentences of the summary."""
    summary = summarise(comparison)
    console = out()
    names = [variant["name"] for variant in summary["variants"]]
    if warning := summary["advice"]["nothing_to_compare"]:
        console.print(warning)
        console.print()
    for row in summary["advice"]["rows"]:
        words = [f"{gauge['title'].lower()}: {gauge['words']}" for gauge in row["gauges"]]
        console.print(f"{row['title']}: {'; '.join([row['balance']['words'], *words])}.")
    console.print()
    rows = []
    for metric in summary["metrics"]:
        firsts = [variant["metrics"][metric["id"]][0] for variant in summary["variants"]]
        rows.append([metric["title"], *map(_estimate, firsts)])
    console.print(plain_table(("metric", *names), rows, right=names))
    console.print()
    for verdict in summary["verdicts"]:
        console.print(f"{verdict['question']} {verdict['text']}")


def _estimate(estimate: Mapping[str, Any]) -> str:
    if estimate["value"] is None:
        return "none"
    value, low, high = (in_figures(estimate[key], estimate["unit"]) for key in ("value", "low", "high"))
    return f"{value} ({low} to {high})"
