"""Find the games of a comparison that are worth watching, and replay one of its games."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from zareba.analysis.games.measures import final_lead, lead_changes, mean_losses
from zareba.analysis.games.records import GamePlan, GameRecord, GameTask, Setting, Variant
from zareba.analysis.statistics.estimates import Column
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount, in_a_sentence, percent
from zareba.registry import find_house_rule
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.session import Session, new_session

# --- Replay a game of a comparison: the command that shows it step by step, and the session that plays it -------------


def play_command(
    variant: Variant, scenario: str, seed: int, agents: Mapping[str, str], first: str | None, verbose: bool = False
) -> str:
    """Return the command that replays a game. `first` is the side listed first, if not that of the scenario."""
    return shlex.join(
        [
            *("zareba", "play", scenario, f"--ruleset={variant.ruleset}", f"--seed={seed}"),
            *(f"--seat={side}={agent}" for side, agent in agents.items()),
            *(f"--set={name}={_setting_text(value)}" for name, value in variant.settings),
            *(f"--house-rule={name}" for name in variant.house_rules),
            *([f"--listed-first={first}"] if first else []),
            *(["--verbose"] if verbose else []),
        ]
    )


def command_of_plan(variant: Variant, scenario: str, plan: GamePlan) -> str:
    """Return the command for a game that has not been played yet."""
    first = plan.agents[plan.rotation][0] if plan.rotation else None
    return play_command(variant, scenario, plan.seed, dict(plan.agents), first)


def command_of_record(record: GameRecord, variant: Variant, scenario: str) -> str:
    """Return the command that replays a game step by step. `scenario` is the name given to the comparison."""
    first = record.listed if record.listed != record.sides[0] else None
    return play_command(variant, scenario, record.seed, record.agents, first, verbose=True)


def plan_of_game(header: Mapping[str, Any], variant: Mapping[str, Any], game: int) -> tuple[Variant, GamePlan]:
    """Return the plan of one game of a comparison. `header` and `variant` are those of its `summary.json`.

    Raises ZarebaError if there is no such game or if the scenario has changed since.
    """
    if not 0 <= game < header["games"]:
        raise ZarebaError(f"there is no game {game}; they are numbered from 0 to {header['games'] - 1}")
    scenario = load_scenario(header["scenario"])
    if scenario.digest != header["scenario_digest"]:
        raise ZarebaError(f"the scenario {scenario.id} has changed since the comparison; its games cannot be replayed")
    column = Variant.from_dict(variant)
    task = GameTask(
        column, header["scenario"], game, 1, header["seed"], tuple(header["agents"].items()), header["swapped"]
    )
    return column, next(task.plans())


def check_rules(header: Mapping[str, Any], variant: Variant, rules: Rules) -> None:
    """Raise ZarebaError if the rules of a variant have changed since the comparison."""
    if header["rules_digests"].get(variant.name) not in (None, rules.digest):
        raise ZarebaError(
            f"the rules of {variant.name} have changed since the comparison; its games cannot be replayed"
        )


def replay_with_agents(header: Mapping[str, Any], variant: Mapping[str, Any], game: int, path: Path | None) -> Session:
    """Return a session in which the AI players of a compared game play it again with the same dice.

    With `path` the session is saved in a journal. No question is answered yet; `Session.drive` plays the game. Raises
    ZarebaError if there is no such game or if the scenario has changed since.
    """
    column, plan = plan_of_game(header, variant, game)
    scenario = load_scenario(header["scenario"])
    if plan.rotation:
        scenario = scenario.listing_first(list(scenario.sides)[plan.rotation])
    session = new_session(
        column.ruleset,
        scenario,
        dict(plan.agents),
        seed=plan.seed,
        settings=dict(column.settings),
        house_rules=[find_house_rule(name) for name in column.house_rules],
        path=path,
    )
    try:
        check_rules(header, column, session.game.rules)
    except ZarebaError:
        session.close()
        if path is not None:
            path.unlink()
        raise
    return session


def variant_named(summary: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return the variant of a summary by name. The ZarebaError for an unknown name suggests the nearest one."""
    match: Mapping[str, Any] | None = next(
        (variant for variant in summary["variants"] if variant["name"] == name), None
    )
    if match is None:
        raise unknown_name("variant", name, [variant["name"] for variant in summary["variants"]])
    return match


def _setting_text(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- Find the games worth looking at: those that stand out, and those in which two variants differ most ---------------


_SHOWN = 5
"""Number of games listed for each two variants."""


class Notable(NamedTuple):
    """A game that stands out: its distinction, variant, number and a summary."""

    what: str
    variant: str
    game: int
    words: str


def notable(records: Sequence[GameRecord], sides: Mapping[str, str] | None = None) -> list[Notable]:
    """Return the most typical game of each variant, the bloodiest, the longest, and the one with the most lead changes.

    The most typical game is nearest to the medians of length, losses and final lead, each relative to the range of the
    games. A game is listed once, under its first distinction. `sides` maps side ids to names.
    """
    by_variant: dict[str, list[GameRecord]] = {}
    for record in records:
        by_variant.setdefault(record.variant, []).append(record)
    notable_games = []
    for variant, games in by_variant.items():
        outstanding: dict[int, str] = {}
        for what, size in _sizes(games).items():
            record_game = max(games, key=lambda record: (size(record), -record.game))
            outstanding.setdefault(record_game.game, what)
        by_number = {game.game: game for game in games}
        notable_games += [
            Notable(what, variant, game, _summary(by_number[game], sides or {})) for game, what in outstanding.items()
        ]
    return notable_games


def _sizes(games: Sequence[GameRecord]) -> Mapping[str, Callable[[GameRecord], float]]:
    measures: tuple[Callable[[GameRecord], float], ...] = (lambda record: float(record.turns), mean_losses, final_lead)
    middles = [median(map(measure, games)) for measure in measures]
    spreads = [max(map(measure, games)) - min(map(measure, games)) or 1.0 for measure in measures]

    def ordinary(record: GameRecord) -> float:
        parts = zip(measures, middles, spreads, strict=True)
        return -max(abs(measure(record) - middle) / spread for measure, middle, spread in parts)

    return {
        "most typical": ordinary,
        "bloodiest": mean_losses,
        "longest": lambda record: float(record.turns),
        "most lead changes": lambda record: float(lead_changes(record)),
    }


def _summary(record: GameRecord, sides: Mapping[str, str]) -> str:
    won = f"won by {in_a_sentence(sides.get(record.winner, record.winner))}" if record.winner else "a draw"
    changes = lead_changes(record)
    led = amount(changes, "lead change") if changes else "no lead changes"
    return f"{amount(record.turns, 'turn')}, {won}; {led}; {percent(mean_losses(record))} of strength lost"


def most_different(columns: Sequence[Column], scenario: str) -> list[dict[str, Any]]:
    """Return, for every two variants of one ruleset, the games that differ most, with the commands that replay them.

    Such variants share the luck of each game. Games with different winners come first, then those with the largest
    difference in final lead, then in length.
    """
    comparisons = []
    for first, second in combinations(columns, 2):
        if first.variant.ruleset != second.variant.ruleset:
            continue
        games = sorted(_pairs(first, second), key=lambda pair: _difference(*pair), reverse=True)
        comparisons.append(
            {
                "first": first.variant.name,
                "second": second.variant.name,
                "games": [
                    {
                        "game": a.game,
                        "winners": [a.winner, b.winner],
                        "leads": [round(final_lead(a), 6), round(final_lead(b), 6)],
                        "turns": [a.turns, b.turns],
                        "again": [
                            command_of_record(a, first.variant, scenario),
                            command_of_record(b, second.variant, scenario),
                        ],
                    }
                    for a, b in games[:_SHOWN]
                    if _difference(a, b) > (False, 0.0, 0)
                ],
                "alike": sum(_difference(a, b) == (False, 0.0, 0) for a, b in games),
                "of": len(games),
            }
        )
    return comparisons


def all_games_alike(pair: Mapping[str, Any], first: str, second: str) -> str:
    """Say that all games of two variants came out alike, so that there is nothing to compare."""
    return (
        f"{first} and {second} share the luck of each game, and all {amount(pair['of'], 'game')} went alike: the"
        " difference between them rarely or never matters in this battle."
    )


def _pairs(first: Column, second: Column) -> Iterator[tuple[GameRecord, GameRecord]]:
    theirs = {record.game: record for record in second.records}
    return ((record, theirs[record.game]) for record in first.records if record.game in theirs)


def _difference(a: GameRecord, b: GameRecord) -> tuple[bool, float, int]:
    return a.winner != b.winner, abs(final_lead(a) - final_lead(b)), abs(a.turns - b.turns)
