"""Helpers to test house rules and rulesets: load them, play games, compute odds, compare a game with a recorded one.

Wherever zareba is installed, pytest offers `play`, `chances` and `table_of` as the fixtures `zareba_play`,
`zareba_chances` and `zareba_table` (`zareba.testing.fixtures`). Names here are stable within a major version, like
those of `zareba.api`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zareba.renamed import API, renamed

if TYPE_CHECKING:
    from zareba.testing.conformance import conforms
    from zareba.testing.enumerating import enumerate_paths
    from zareba.testing.games import PlayedTestGame, chances, game_with_rules, golden, play, table_of

__all__ = ["PlayedTestGame", "chances", "conforms", "enumerate_paths", "game_with_rules", "golden", "play", "table_of"]


def __getattr__(name: str) -> Any:
    """Import a helper on first use, because pytest loads this package in every run wherever zareba is installed.

    A name of the last release gives the same object, with a warning.
    """
    if name not in __all__:
        new = API[__name__].get(name)
        return renamed(__name__, name, {new: __getattr__(new)} if new else {})
    module = {"conforms": "conformance", "enumerate_paths": "enumerating"}.get(name, "games")
    return getattr(import_module(f"zareba.testing.{module}"), name)
