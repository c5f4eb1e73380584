"""Runtime support for house rules: calling their functions safely and applying their effects to numbers, choices, dice
and games. `hook_function` calls their hooks, and has `call` for the procedures that they call themselves.
"""

from zareba.house_rules.conditional_values import override_values
from zareba.house_rules.contextual_modifiers import DiceResult, ModifierContext
from zareba.house_rules.dice_helpers import (
    add_points,
    draw_one,
    figures,
    game_of,
    lose,
    name_of,
    remove_unit,
    roll_at_least,
    roll_on_chart,
    scenario_name,
    scenario_unit,
    units,
)
from zareba.house_rules.hook_function import HookFunction, call, shoot, targets
from zareba.house_rules.state_variables import StateVariable
from zareba.table.questions import ExtraOption

__all__ = [
    "DiceResult",
    "ExtraOption",
    "HookFunction",
    "ModifierContext",
    "StateVariable",
    "add_points",
    "call",
    "draw_one",
    "figures",
    "game_of",
    "lose",
    "name_of",
    "override_values",
    "remove_unit",
    "roll_at_least",
    "roll_on_chart",
    "scenario_name",
    "scenario_unit",
    "shoot",
    "targets",
    "units",
]
