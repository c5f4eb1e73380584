"""Players that are programs. Each sees only what its seat may see, and gives a reason with every choice.

Besides those here, installed packages may bring players of their own (the hook `zareba_agents`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.agents.commander import RolloutAgent, RuleAwareDoctrine
from zareba.agents.lookahead import LookAhead
from zareba.agents.random import RandomPlayer
from zareba.agents.restricted import WITHOUT, restricted
from zareba.base.errors import unknown_name
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.plugins.entry_points import find_by_name, installed_agents
from zareba.table import Agent

__all__ = ["AGENTS", "WITHOUT", "agent_names", "make_agent"]


def doctrine_agent(game: Game[Any], seat: str, seed: int) -> Agent:
    """Who plays by doctrine: he weighs the ruleset's appraisals, and plays on what they do not know."""
    if not game.has_evaluation:
        return RolloutAgent(game, seat, seed)
    rules = game.rules
    return (RuleAwareDoctrine if rules.runs_code else Doctrine)(game, seat, seed)


AGENTS: Mapping[str, Callable[[Game[Any], str, int], Agent]] = {
    "random": RandomPlayer,
    "doctrine": doctrine_agent,
    "lookahead": LookAhead,
}


def _known() -> dict[str, Callable[[Game[Any], str, int], Agent]]:
    """The players of the core keep their names; one of a package that is called alike is had as `distribution:name`."""
    brought = {name: make for name, make in installed_agents().items() if name not in (*AGENTS, "human", "solo")}
    return {**AGENTS, **brought}


def agent_names() -> list[str]:
    """The names of all program players; those of packages with their distribution too, and alone where that is enough."""
    return sorted(_known())


def make_agent(name: str, game: Game[Any], seat: str, seed: int) -> Agent:
    """The player called `name` for a seat of a game; the same seed makes the same choices.

    "NAME without WORD" is NAME, who never takes an option that begins with the word.
    """
    name, without, word = name.partition(WITHOUT)
    make = AGENTS.get(name) or find_by_name("program player", name, {**_known(), "human": None, "solo": None})
    if make is None:
        raise unknown_name("program player", name, _known())
    return (restricted(make, word) if without else make)(game, seat, seed)
