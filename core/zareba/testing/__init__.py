"""Helpers to test house rules and rulesets: load them, play games, compute odds, compare a game with a recorded one.

Wherever zareba is installed, pytest offers `play`, `chances` and `table_of` as the fixtures `zareba_play`,
`zareba_chances` and `zareba_table` (`zareba.testing.fixtures`). Names here are stable within a major version, like
those of `zareba.api`.
"""

from typing import Any

from zareba.renamed import renamed
from zareba.testing.conformance import conforms
from zareba.testing.enumerating import enumerate_paths
from zareba.testing.games import PlayedTestGame, chances, game_with_rules, golden, play, table_of

__all__ = ["PlayedTestGame", "chances", "conforms", "enumerate_paths", "game_with_rules", "golden", "play", "table_of"]


def __getattr__(name: str) -> Any:
    """Return the object that had this name in the last release, with a warning."""
    return renamed(__name__, name, globals())
