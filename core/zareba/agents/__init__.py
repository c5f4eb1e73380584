"""Players that are programs. Each sees only what its seat may see, and gives a reason with every choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.agents.doctrine import Doctrine
from zareba.agents.random import RandomPlayer
from zareba.errors import unknown_name
from zareba.ruleset import Game
from zareba.table import Answer, Choose, Confirm, Place

__all__ = ["AGENTS", "Agent", "agent_names", "make_agent"]

Agent = Callable[[Choose | Place | Confirm, Any], Answer]

AGENTS: dict[str, Callable[[Game[Any], str, int], Agent]] = {"random": RandomPlayer, "doctrine": Doctrine}


def agent_names() -> list[str]:
    """The names of all program players."""
    return sorted(AGENTS)


def make_agent(name: str, game: Game[Any], seat: str, seed: int) -> Agent:
    """The player called `name` for a seat of a game; the same seed makes the same choices."""
    if name not in AGENTS:
        raise unknown_name("program player", name, [*AGENTS, "human", "solo"])
    agent: Agent = AGENTS[name](game, seat, seed)
    return agent
