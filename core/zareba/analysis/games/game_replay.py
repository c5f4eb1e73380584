"""Replay a game of a comparison: the command that shows it step by step, and the session that plays it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zareba.analysis.games.records import GamePlan, GameRecord, GameTask, Setting, Variant
from zareba.base.errors import ZarebaError, unknown_name
from zareba.registry import find_house_rule
from zareba.rules import Rules
from zareba.scenario import load_scenario
from zareba.session import Session, new_session

__all__ = ["check_rules", "command_of_record", "of_plan", "plan_of_game", "play_command", "played_out", "variant_named"]


def play_command(
    variant: Variant, scenario: str, seed: int, agents: Mapping[str, str], first: str | None, verbose: bool = False
) -> str:
    """Return the command that replays a game. `first` is the side listed first, if not that of the scenario."""
    return shlex.join(
        [
            *("zareba", "play", scenario, f"--ruleset={variant.ruleset}", f"--seed={seed}"),
            *(f"--seat={side}={agent}" for side, agent in agents.items()),
            *(f"--set={name}={_setting(value)}" for name, value in variant.settings),
            *(f"--house-rule={name}" for name in variant.house_rules),
            *([f"--listed-first={first}"] if first else []),
            *(["--verbose"] if verbose else []),
        ]
    )


def of_plan(variant: Variant, scenario: str, plan: GamePlan) -> str:
    """Return the command for a game that has not been played yet."""
    first = plan.agents[plan.turned][0] if plan.turned else None
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


def played_out(header: Mapping[str, Any], variant: Mapping[str, Any], game: int, path: Path | None) -> Session:
    """Return a session in which the AI players of a compared game play it again with the same dice.

    Raises like `planned`. With `path` the session is saved in a journal. No question is answered yet; `drive` plays
    the game.
    """
    column, plan = plan_of_game(header, variant, game)
    scenario = load_scenario(header["scenario"])
    if plan.turned:
        scenario = scenario.listing_first(list(scenario.sides)[plan.turned])
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
    found: Mapping[str, Any] | None = next((one for one in summary["variants"] if one["name"] == name), None)
    if found is None:
        raise unknown_name("variant", name, [one["name"] for one in summary["variants"]])
    return found


def _setting(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
