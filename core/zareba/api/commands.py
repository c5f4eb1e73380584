"""What a command imports besides `zareba.api`: battles that are over, scenarios and their files, errors for people."""

from zareba.aftermath import Aftermath, aftermath
from zareba.base.errors import ZarebaError
from zareba.making.edit import put, taken_out
from zareba.scenario import load_scenario, parse_scenario, scenario_text

__all__ = [
    "Aftermath",
    "ZarebaError",
    "aftermath",
    "load_scenario",
    "parse_scenario",
    "put",
    "scenario_text",
    "taken_out",
]
