"""Random games for every ruleset: random settings and random players, checked after every step.

A ruleset's own tests add its own checks. This module checks what is true everywhere: dice are rolled once for each
purpose, copies stay unchanged, JSON restores the same state, every event has a description, and the game ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Any

from zareba.agents import make_agent
from zareba.base.state import digest
from zareba.chance import KeyedDice
from zareba.plugins.ruleset import Game
from zareba.registry import load_rules
from zareba.rules.settings import Setting, flat_settings
from zareba.table import Choose, Confirm, Event, Place, SeededTable

__all__ = ["play", "play_watched", "random_settings"]

SILENT = ("loss", "points")
"""Events without a sentence: the sentence of the hit or rout names the loss, and points matter only for a quota."""

Check = Callable[[Any, str, Sequence[Event]], None]
"""A function called after every step with the state, the name of the step and its events."""


class WatchedDice(KeyedDice):
    """Dice that refuse to be rolled twice for the same purpose."""

    __slots__ = ("seen",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seen: set[str] = set()

    def faces(self, key: str, count: int, sides: int) -> list[int]:
        assert key not in self.seen, f"the same dice are thrown twice: {key}"
        self.seen.add(key)
        return super().faces(key, count, sides)


def random_settings(ruleset: str, random: Random, leave: Collection[str] = ()) -> dict[str, Any]:
    """Return random values for about a third of the settings, except those named in `leave`."""
    settings = flat_settings(load_rules(ruleset).book.settings)
    return {
        name: _random_value(setting, random)
        for name, setting in settings
        if random.random() < 0.35 and name not in leave
    }


def _random_value(setting: Setting, random: Random) -> Any:
    """Return a random value of a setting. A word is as likely as all numbers together."""
    values: list[Any] = list(setting.values)
    low, high = setting.at_least, setting.at_most
    if low is not None and high is not None:
        whole = isinstance(low, int) and isinstance(high, int)
        values.append(random.randint(int(low), int(high)) if whole else round(random.uniform(low, high), 2))
    return random.choice(values)


def play(
    game: Game[Any],
    seed: int,
    check: Check,
    *,
    endings: Collection[str] = (),
    turns: int | None = None,
    sample: float = 0.03,
    most_steps: int = 20_000,
) -> Any:
    """Play one game between random players to its end. Every step is checked; random steps get a closer check.

    The game must end in one of `endings`, if given, and within `turns` turns (by default those of the scenario).
    """
    state = game.start()
    agents = {
        seat: _with_checked_answers(make_agent("random", game, seat, seed))
        for seat in game.seats
        if seat not in game.solo
    }
    table = SeededTable(game.rules, state, seed, agents)
    table.dice = WatchedDice(seed)
    random = Random(seed)
    kept, as_it_was = state.copy(), digest(state.to_data())
    for _ in range(most_steps):
        step = game.play.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
        check(state, step.name, table.events)
        for event in table.events:
            assert game.narrator.describe_event(event) or event.kind in SILENT, f"nothing is said about {event.kind}"
        if random.random() < sample:
            assert digest(kept.to_data()) == as_it_was, f"a copy has changed with its original by {step.key}"
            kept, as_it_was = state.copy(), digest(state.to_data())
            assert digest(game.from_data(json.loads(json.dumps(state.to_data()))).to_data()) == as_it_was
            game.play.outcome(state), game.display.board(state), game.strength(state)
    assert game.play.next_step(state) is None, f"{game.scenario.id} has no end after {most_steps} steps"
    assert state.turn <= (turns or game.scenario.turns)
    assert not endings or game.play.outcome(state).ending in endings
    return state


def _with_checked_answers(agent: Callable[[Any, Any], Any]) -> Callable[[Choose | Place | Confirm, Any], Any]:
    """Return an agent that checks that every Place question has suggestions and that its own choice is legal."""

    def answer(question: Choose | Place | Confirm, state: Any) -> Any:
        if isinstance(question, Place):
            assert question.suggestions, f"nothing is suggested for {question.why}"
            given = agent(question, state)
            assert question.legal(given) is None, f"{question.why}: {question.legal(given)}"
            return given
        return agent(question, state)

    return answer


def play_watched(game: Game[Any], kinds: Sequence[str], seed: int, look: Callable[..., None] | None = None) -> Any:
    """Play one game between agents of these kinds, in seat order. `look(game, state, question)` precedes each
    answer.
    """
    state = game.start()
    agents = {seat: make_agent(kind, game, seat, seed) for seat, kind in zip(game.seats, kinds, strict=True)}

    def watched(question: Any, now: Any) -> Any:
        if look is not None:
            look(game, now, question)
        return agents[question.seat](question, now)

    table = SeededTable(game.rules, state, seed, dict.fromkeys(game.seats, watched))
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
    return state
