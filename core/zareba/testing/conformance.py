"""The conformance test for rulesets: random games end, replay identically, and survive copying, JSON and display."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.agents import make_agent
from zareba.base.state import canonical_json, digest
from zareba.game import Game
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import SeededTable

_MOST_STEPS = 20_000


def conforms(
    ruleset: str, *, scenarios: Sequence[str] = (), seeds: Sequence[int] = (1, 2), player: str = "random"
) -> int:
    """Play a ruleset through these scenarios, by default all shipped ones, and return the number of steps played.

    Raises AssertionError with the scenario, seed and step if a game does not end, goes differently when repeated, does
    not survive a round trip through JSON, changes when it is copied or viewed, or has an event that cannot be
    described.
    """
    steps = 0
    for name in scenarios or shipped_scenarios():
        game: Game[Any] = load_rules(ruleset).game(load_scenario(name))
        for seed in seeds:
            first, count = _played(game, name, seed, player, careful=True)
            again, _ = _played(game, name, seed, player, careful=False)
            assert first == again, f"{name}, seed {seed}: the game went differently when it was repeated"
            steps += count
    return steps


def _played(game: Game[Any], name: str, seed: int, player: str, *, careful: bool) -> tuple[str, int]:
    state = game.start()
    agents = {seat: make_agent(player, game, seat, seed) for seat in game.seats}
    table, steps = SeededTable(game.rules, state, seed, agents), 0
    while (step := game.play.next_step(state)) is not None:
        where = f"{name}, seed {seed}, step {step.key}"
        table.begin(step)
        before = state.copy()
        was = digest(before.to_data())
        game.play.perform(table, state, step)
        steps += 1
        assert steps <= _MOST_STEPS, f"{where}: the game does not end"
        if careful:
            _look(game, state, table, before, was, where)
    assert game.play.outcome(state).ending, f"{name}, seed {seed}: the game ended without a reason"
    return digest(state.to_data()), steps


def _look(game: Game[Any], state: Any, table: SeededTable, before: Any, was: str, where: str) -> None:
    assert digest(before.to_data()) == was, f"{where}: a copy changed with its original"
    now = digest(state.to_data())
    back = game.from_data(_through_json(state.to_data()))
    assert digest(back.to_data()) == now, f"{where}: the state does not come back from JSON as it was"
    for seat in game.seats:
        game.sight.view(state, seat)
    game.display.labelled_board(state)
    for event in table.events:
        game.narrator.describe_event(event)
    assert digest(state.to_data()) == now, f"{where}: the state changed when it was viewed"


def _through_json(data: Any) -> Any:
    import json

    return json.loads(canonical_json(data))
