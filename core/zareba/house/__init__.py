"""House rules at work: how their functions are called and blamed, and what they do to numbers, choices, dice and games."""

from zareba.house.battle import figures, game_of, lose, name_of, scenario_name, scenario_unit, take_off, units
from zareba.house.calls import call, shoot, targets
from zareba.house.hook import HookFunction
from zareba.house.kept import Kept
from zareba.house.luck import one_of, passes, rescored, row_of
from zareba.house.situated import Situation, Thrown
from zareba.house.sometimes import otherwise
from zareba.table.offer import Offer

__all__ = [
    "HookFunction",
    "Kept",
    "Offer",
    "Situation",
    "Thrown",
    "call",
    "figures",
    "game_of",
    "lose",
    "name_of",
    "one_of",
    "otherwise",
    "passes",
    "rescored",
    "row_of",
    "scenario_name",
    "scenario_unit",
    "shoot",
    "take_off",
    "targets",
    "units",
]
