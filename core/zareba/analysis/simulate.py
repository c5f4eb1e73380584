"""Playing whole games between programs, at full speed, one record a game."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from zareba.agents import make_agent
from zareba.analysis.records import CAUSES, Effort, GamePlan, GameRecord, GameTask, Variant
from zareba.errors import ZarebaError
from zareba.game import Game
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.table import LooksAhead, RememberingTable, SeededTable

__all__ = ["STEP_LIMIT", "game_for", "play_game", "run_games"]

STEP_LIMIT = 20_000
SOLO = "solo"
COUNTED = {"side", "cause", "lost"}
"""What a loss says in every ruleset; one of which a house rule says less is told, but not counted."""


@lru_cache(maxsize=32)
def game_for(variant: Variant, scenario: str, solo: frozenset[str] = frozenset()) -> Game[Any]:
    """The game of a variant on a scenario; made once in each process."""
    rules = load_rules(variant.ruleset, dict(variant.settings), [find_house_rule(name) for name in variant.house_rules])
    if solo and not rules.ruleset.solo:
        raise ZarebaError(f"{variant.ruleset} has no rules for a side that plays itself; choose random or doctrine")
    game: Game[Any] = rules.game(load_scenario(scenario), solo)
    return game


def run_games(task: GameTask) -> list[GameRecord]:
    """Play the games of a task in order. Same task, same records, in any process."""
    records = []
    with _collections_between_games():
        for plan in task.plans():
            game = game_for(task.variant, task.scenario, _solo(plan.agents))
            records.append(play_game(game, task.variant.name, plan))
            gc.collect(1)
    return records


@contextmanager
def _collections_between_games() -> Iterator[None]:
    """Look for circles of garbage after a game only: games leave none, and looking takes up to a tenth of its time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _solo(agents: tuple[tuple[str, str], ...]) -> frozenset[str]:
    return frozenset(side for side, agent in agents if agent == SOLO)


def play_game(game: Game[Any], variant: str, plan: GamePlan) -> GameRecord:
    """One game from start to end, or to the limit of steps."""
    players = {side: name for side, name in plan.agents if name != SOLO}
    agents = {side: make_agent(name, game, side, plan.seed) for side, name in players.items()}
    state = game.start()
    ahead = any(isinstance(agent, LooksAhead) for agent in agents.values())
    table = (RememberingTable if ahead else SeededTable)(game.rules, state, plan.seed, agents)
    strength = {side: [share] for side, share in game.strength(state).items()}
    lost = {side: dict.fromkeys(CAUSES, 0.0) for side in game.seats}
    first_loss: int | None = None
    turn, steps, ending = 1, 0, ""
    while (step := game.next_step(state)) is not None:
        while game.game_turn(state) > turn:
            turn += 1
            _append(strength, game.strength(state))
        steps += 1
        if steps > STEP_LIMIT:
            ending = "act_limit"
            break
        table.begin(step)
        game.perform(table, state, step)
        for event in table.events:
            if event.kind == "loss" and event.data.keys() >= COUNTED:
                first_loss = first_loss or turn
                lost[event.data["side"]][event.data["cause"]] += event.data["lost"]
    _append(strength, game.strength(state))
    outcome = game.outcome(state)
    return GameRecord(
        variant=variant,
        scenario=game.scenario.id,
        game=plan.game,
        pair=plan.pair,
        seed=plan.seed,
        swapped=plan.swapped,
        agents={side: dict(plan.agents)[side] for side in game.seats},
        winner=outcome.winner,
        points={side: outcome.points[side] for side in game.seats},
        ending=ending or outcome.ending,
        turns=turn,
        effort={side: _effort(table, side) for side in game.seats},
        dice=table.thrown,
        rolls=table.rolls,
        draws=table.draws,
        lookups=table.lookups,
        losses={side: _shares(lost[side], game.sizes[side]) for side in game.seats},
        strength={side: tuple(strength[side]) for side in game.seats},
        first_loss=first_loss,
    )


def _append(strength: dict[str, list[float]], now: Mapping[str, float]) -> None:
    for side, share in now.items():
        strength[side].append(share)


def _effort(table: SeededTable, side: str) -> Effort:
    return Effort(table.decisions.get(side, 0), table.genuine.get(side, 0), table.offered.get(side, 0))


def _shares(lost: Mapping[str, float], size: float) -> dict[str, float]:
    return {cause: amount / size if size else 0.0 for cause, amount in lost.items()}
