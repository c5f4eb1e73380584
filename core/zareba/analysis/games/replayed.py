"""A game of a comparison once more: the command that tells it step by step, and the session in which it is played out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zareba.analysis.games.records import GamePlan, GameRecord, GameTask, Setting, Variant
from zareba.base.errors import ZarebaError, unknown_name
from zareba.registry import find_house_rule
from zareba.scenario import load_scenario
from zareba.session import Session, new_session

__all__ = ["again", "of_plan", "play_command", "played_out", "variant_named"]


def play_command(
    variant: Variant, scenario: str, seed: int, agents: Mapping[str, str], first: str | None, verbose: bool = False
) -> str:
    """The command that plays a game once more; `first`: the side that is to be listed first, if not that of the scenario."""
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
    """The command for a game that is still to be played."""
    first = plan.agents[plan.turned][0] if plan.turned else None
    return play_command(variant, scenario, plan.seed, dict(plan.agents), first)


def again(record: GameRecord, variant: Variant, scenario: str) -> str:
    """The command that tells a game once more, step by step; `scenario` as it was named to the comparison."""
    first = record.listed if record.listed != record.sides[0] else None
    return play_command(variant, scenario, record.seed, record.agents, first, verbose=True)


def played_out(header: Mapping[str, Any], variant: Mapping[str, Any], game: int, path: Path | None) -> Session:
    """A session in which the programs that played a game of a comparison play it again, by the same dice.

    `header` and `variant` are those of its `summary.json`; with `path` it is kept in a journal. Nothing is answered yet:
    `drive` plays it. Raises ZarebaError when there is no such game, or the scenario is another by now.
    """
    if not 0 <= game < header["games"]:
        raise ZarebaError(f"there is no game {game}; they are numbered from 0 to {header['games'] - 1}")
    scenario = load_scenario(header["scenario"])
    if scenario.digest != header["scenario_digest"]:
        raise ZarebaError(
            f"the scenario {scenario.id} has changed since it was compared; its games cannot be shown again"
        )
    column = Variant.from_dict(variant)
    task = GameTask(
        column, header["scenario"], game, 1, header["seed"], tuple(header["agents"].items()), header["swapped"]
    )
    plan = next(task.plans())
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
    known = header["rules_digests"].get(column.name)
    if known not in (None, session.game.rules.digest):
        session.close()
        if path is not None:
            path.unlink()
        raise ZarebaError(
            f"the rules of {column.name} have changed since they were compared; its games cannot be shown again"
        )
    return session


def variant_named(summary: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The variant of a summary by its name; raises ZarebaError with the nearest."""
    found: Mapping[str, Any] | None = next((one for one in summary["variants"] if one["name"] == name), None)
    if found is None:
        raise unknown_name("variant", name, [one["name"] for one in summary["variants"]])
    return found


def _setting(value: Setting) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
