"""The interface of all activation policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from zareba.rules.schema import PhaseEntry
from zareba.table.step import Step

__all__ = ["MakePolicy", "Policy"]


class Policy(Protocol):
    """An activation policy: it decides the next step of play.

    The position is stored in the state; the policy and its ruleset agree how to advance it. `phases` are the phases of
    a turn in order, as far as they are shown to players.
    """

    phases: Mapping[str, PhaseEntry] = MappingProxyType({})

    @property
    def steps(self) -> list[str]:
        """The names of all steps that the policy may return."""
        ...

    def next_step(self, state: Any) -> Step | None:
        """Return the next step of play, or None when the game is over. No two steps of a turn have the same key."""
        ...

    def phase(self, state: Any) -> str:
        """Return the phase at the cursor."""
        phase: str = state.phase
        return phase

    def game_turn(self, state: Any) -> int:
        """Return the game turn of a state: one turn of all sides, whatever the rules call a turn; 0 during set-up."""
        turn: int = state.turn
        return turn


MakePolicy: TypeAlias = Callable[[Mapping[str, PhaseEntry], Sequence[str]], Policy]
"""A function that makes a policy from the order of play of the rules and the sides of the scenario."""
