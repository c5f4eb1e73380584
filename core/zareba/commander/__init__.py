"""Commanders for what no appraisal says: rules that appraise nothing, and house rules."""

from zareba.commander.heeding import Heeding
from zareba.commander.playing_on import PlaysOn

__all__ = ["Heeding", "PlaysOn"]
