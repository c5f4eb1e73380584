"""The public API for house rules; a house rule imports nothing else from zareba.

Names here keep their arguments and meaning within a major version (`docs/reference/api.md` describes how one is
removed). Anything else in zareba may be renamed at any time. A one-page ruleset also imports from
`zareba.api.rulesets`, a metric from `zareba.api.metrics`, a report section or a table of quick sheets from
`zareba.api.reports`, a command from `zareba.api.commands`.
"""

from typing import Any

from zareba import hookimpl
from zareba.actions import Action, FixedValueAction, RulesValue, SimpleAction
from zareba.base.state import Value
from zareba.base.tally import Modifier
from zareba.battle.evaluation import Evaluation
from zareba.chance import (
    EACH,
    HIGHEST,
    SUM,
    SUM_AND_HIGHEST,
    AtLeast,
    Counts,
    Meaning,
    Read,
    SumBands,
    at_least,
    at_most,
    counts,
    named,
    numbered,
    random_draw,
    rows,
)
from zareba.game.activation import CommandPoints, FixedPhases, MakePolicy, Policy
from zareba.game.doctrine import Doctrine
from zareba.house_rules import (
    DiceResult,
    ExtraOption,
    ModifierContext,
    StateVariable,
    add_points,
    call,
    draw_one,
    figures,
    game_of,
    lose,
    name_of,
    override_values,
    remove_unit,
    roll_at_least,
    roll_on_chart,
    scenario_name,
    scenario_unit,
    shoot,
    targets,
    units,
)
from zareba.renamed import renamed
from zareba.rules import PhaseEntry, Setting, Wrap, procedure
from zareba.scenario import Scenario
from zareba.scenario.victory import Outcome
from zareba.table import Agent, Choose, Confirm, Draw, Event, Option, Place, Point, Question, Roll, Step, Table

__all__ = [
    "EACH",
    "HIGHEST",
    "SUM",
    "SUM_AND_HIGHEST",
    "Action",
    "Agent",
    "AtLeast",
    "Choose",
    "CommandPoints",
    "Confirm",
    "Counts",
    "DiceResult",
    "Doctrine",
    "Draw",
    "Evaluation",
    "Event",
    "ExtraOption",
    "FixedPhases",
    "FixedValueAction",
    "MakePolicy",
    "Meaning",
    "Modifier",
    "ModifierContext",
    "Option",
    "Outcome",
    "PhaseEntry",
    "Place",
    "Point",
    "Policy",
    "Question",
    "Read",
    "Roll",
    "RulesValue",
    "Scenario",
    "Setting",
    "SimpleAction",
    "StateVariable",
    "Step",
    "SumBands",
    "Table",
    "Value",
    "Wrap",
    "add_points",
    "at_least",
    "at_most",
    "call",
    "counts",
    "draw_one",
    "figures",
    "game_of",
    "hookimpl",
    "lose",
    "name_of",
    "named",
    "numbered",
    "override_values",
    "procedure",
    "random_draw",
    "remove_unit",
    "roll_at_least",
    "roll_on_chart",
    "rows",
    "scenario_name",
    "scenario_unit",
    "shoot",
    "targets",
    "units",
]


def __getattr__(name: str) -> Any:
    """Return the object that had this name in the last release, with a warning; raise AttributeError for any other
    name.
    """
    return renamed(__name__, name, globals())
