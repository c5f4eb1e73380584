"""Whole games with all rolls recorded, to compare games with and without a house rule."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zareba.agents import make_agent
from zareba.chance import KeyedDice
from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.scenario import Scenario, load_scenario
from zareba.table import Event, SeededTable


def rules_with(*house_rules: str) -> Rules:
    """Return VCC under house rules, given by name."""
    return load_rules("vcc", house_rules=[find_house_rule(name) for name in house_rules])


class KeptDice(KeyedDice):
    """Keyed dice that record their results in order: (key, faces)."""

    __slots__ = ("throws",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.throws: list[tuple[str, tuple[int, ...]]] = []

    def faces(self, key: str, count: int, sides: int) -> list[int]:
        faces = super().faces(key, count, sides)
        self.throws.append((f"{key} {count}d{sides}", tuple(faces)))
        return faces


@dataclass
class Played:
    """A finished game: its rolls, its events, its last state."""

    throws: list[tuple[str, tuple[int, ...]]]
    state: Any
    events: list[Event] = field(default_factory=list)

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def purposes(self) -> set[str]:
        """Return the purposes of all rolls."""
        return {key.split("/")[4] for key, _ in self.throws}

    def without(self, why: str) -> list[tuple[str, tuple[int, ...]]]:
        """Return the rolls for purposes other than `why`."""
        return [throw for throw in self.throws if throw[0].split("/")[4] != why]


def play(scenario: str | Scenario, seed: int, *house_rules: str) -> Played:
    """Play a game of VCC between two doctrine players."""
    rules = rules_with(*house_rules)
    game = rules.game(load_scenario(scenario) if isinstance(scenario, str) else scenario)
    state = game.start()
    agents = {side: make_agent("doctrine", game, side, seed) for side in game.seats}
    table = SeededTable(rules, state, seed, agents)
    dice = table.dice = KeptDice(seed)
    played = Played(dice.throws, state)
    while (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        played.events += table.events
    return played
