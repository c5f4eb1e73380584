"""For tests of house rules and rulesets: load them, play them, ask their odds, hold a game to what was written down.

With pytest these come as fixtures of the same names, by themselves, wherever zareba is installed (`zareba.testing.fixtures`).
What stands here keeps its name within a major version, as `zareba.api` does.
"""

from zareba.testing.conformance import conforms
from zareba.testing.games import PlayedTestGame, chances, game_with_rules, golden, play, table_of

__all__ = ["PlayedTestGame", "chances", "conforms", "game_with_rules", "golden", "play", "table_of"]
