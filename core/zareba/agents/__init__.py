"""AI players. Each sees only the view of its seat and gives a reason with every choice.

The standard player is `zareba.game.doctrine`, because odds assume that the enemy plays it. Installed plugins can add
players with the hook `zareba_agents`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.agents.levels import LEVELS
from zareba.agents.random import RandomPlayer
from zareba.agents.restricted import WITHOUT, restrict_agent
from zareba.agents.rollout import RolloutAgent
from zareba.agents.rule_aware import RuleAwareDoctrine
from zareba.base.errors import unknown_name
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.plugins.entry_points import find_by_name, installed_agents
from zareba.renamed import PLAYERS, warn_renamed
from zareba.table import Agent

__all__ = ["AGENTS", "WITHOUT", "agent_names", "listed_agent_names", "make_agent"]


def doctrine_agent(game: Game[Any], seat: str, seed: int) -> Agent:
    """Return the doctrine player for a game.

    It compares options by the ruleset's evaluations. Without evaluations it is a `RolloutAgent`; if house rules run
    code it is a `RuleAwareDoctrine`, which also simulates their effects.
    """
    if not game.has_evaluation:
        return RolloutAgent(game, seat, seed)
    rules = game.rules
    return (RuleAwareDoctrine if rules.runs_code else Doctrine)(game, seat, seed)


AGENTS: Mapping[str, Callable[[Game[Any], str, int], Agent]] = {
    "random": RandomPlayer,
    "doctrine": doctrine_agent,
    **LEVELS,
}


def _known() -> dict[str, Callable[[Game[Any], str, int], Agent]]:
    """Return all players by name. A plugin's player with the name of a built-in one is available as
    `distribution:name`.
    """
    brought = {name: make for name, make in installed_agents().items() if name not in (*AGENTS, "human", "solo")}
    return {**AGENTS, **brought}


def agent_names() -> list[str]:
    """Return the sorted names of all AI players, old ones that still work included."""
    return sorted({**_known(), **PLAYERS})


def listed_agent_names() -> list[str]:
    """Return the names of AI players for a list: a player of a package only under its short name, if that is unique."""
    names = sorted(_known())
    return [name for name in names if name.rpartition(":")[2] not in {*names} - {name}]


def make_agent(name: str, game: Game[Any], seat: str, seed: int) -> Agent:
    """Return the player called `name` for a seat of a game. The same seed gives the same choices.

    "NAME without WORD" is the player NAME restricted from options that begin with the word.
    """
    name, without, word = name.partition(WITHOUT)
    if name in PLAYERS:
        warn_renamed(name, PLAYERS[name])
        name = PLAYERS[name]
    make = AGENTS.get(name) or find_by_name("AI player", name, {**_known(), "human": None, "solo": None})
    if make is None:
        raise unknown_name("AI player", name, _known())
    return (restrict_agent(make, word) if without else make)(game, seat, seed)
