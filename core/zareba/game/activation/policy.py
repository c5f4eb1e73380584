"""What an activation policy is, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from zareba.rules.schema import PhaseEntry
from zareba.table.step import Step

__all__ = ["MakePolicy", "Policy"]


class Policy(Protocol):
    """Says what is next. The position lies in the state; how it moves on is between a policy and its ruleset.

    `phases` are those of a turn in their order, as far as people are told of them.
    """

    phases: Mapping[str, PhaseEntry] = MappingProxyType({})

    @property
    def steps(self) -> list[str]:
        """The names of all steps that it may give."""
        ...

    def next_step(self, state: Any) -> Step | None:
        """The next step of play, or None when the game is over; no two steps of a turn have the same key."""
        ...

    def phase(self, state: Any) -> str:
        """The phase at the cursor."""
        phase: str = state.phase
        return phase

    def game_turn(self, state: Any) -> int:
        """The game turn of a state, 0 while it is set up: one turn of all sides, whatever the rules call a turn."""
        turn: int = state.turn
        return turn


MakePolicy: TypeAlias = Callable[[Mapping[str, PhaseEntry], Sequence[str]], Policy]
"""Makes a policy from the order of play of the rules and the sides of the scenario."""
