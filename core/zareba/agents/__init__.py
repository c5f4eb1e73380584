"""Players that are programs. Each sees only what its seat may see, and gives a reason with every choice.

Besides those here, installed packages may bring players of their own (the hook `zareba_agents`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.agents.doctrine import Doctrine
from zareba.agents.lookahead import LookAhead
from zareba.agents.random import RandomPlayer
from zareba.errors import ZarebaError, unknown_name
from zareba.registry import installed_agents
from zareba.ruleset import Game
from zareba.table import Agent

__all__ = ["AGENTS", "agent_names", "make_agent"]

AGENTS: Mapping[str, Callable[[Game[Any], str, int], Agent]] = {
    "random": RandomPlayer,
    "doctrine": Doctrine,
    "lookahead": LookAhead,
}


def _known() -> dict[str, Callable[[Game[Any], str, int], Agent]]:
    installed = installed_agents()
    if taken := next((name for name in installed if name in (*AGENTS, "human", "solo")), None):
        raise ZarebaError(f"an installed package brings a player called '{taken}', a name that is taken; uninstall it")
    return {**AGENTS, **installed}


def agent_names() -> list[str]:
    """The names of all program players."""
    return sorted(_known())


def make_agent(name: str, game: Game[Any], seat: str, seed: int) -> Agent:
    """The player called `name` for a seat of a game; the same seed makes the same choices."""
    known = _known()
    if name not in known:
        raise unknown_name("program player", name, [*known, "human", "solo"])
    return known[name](game, seat, seed)
