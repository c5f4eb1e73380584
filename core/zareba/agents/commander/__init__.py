"""Commanders for what no appraisal says: rules that appraise nothing, and house rules."""

from zareba.agents.commander.heeding import Heeding
from zareba.agents.commander.playing_on import PlaysOn

__all__ = ["Heeding", "PlaysOn"]
