"""Commanders for rules that say nothing of what is worth doing."""

from zareba.commander.playing_on import PlaysOn

__all__ = ["PlaysOn"]
