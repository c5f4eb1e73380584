"""What house rules import: this module, and nothing else of zareba.

What stands here keeps its name, its arguments and its meaning within a major version (`docs/reference/api.md` says how one
goes). Anything else of zareba may be renamed on any day. A ruleset on one page finds more in `zareba.api.rulesets`, a
metric in `zareba.api.metrics`, a section of a report or a table of quick sheets in `zareba.api.reports`, a command in
`zareba.api.commands`.
"""

from zareba import hookimpl
from zareba.base.state import Value
from zareba.base.tally import Modifier
from zareba.battle.appraisal import Appraisal
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
    lot,
    named,
    numbered,
    rows,
)
from zareba.game.activation import CommandPoints, FixedPhases, MakePolicy, Policy
from zareba.game.doctrine import Doctrine
from zareba.house import (
    Kept,
    Offer,
    Situation,
    Thrown,
    call,
    figures,
    game_of,
    lose,
    name_of,
    one_of,
    otherwise,
    passes,
    rescored,
    row_of,
    scenario_name,
    scenario_unit,
    shoot,
    take_off,
    targets,
    units,
)
from zareba.people.outcome import Outcome
from zareba.rules import PhaseEntry, Setting, Wrap, procedure
from zareba.scenario import Scenario
from zareba.table import Agent, Choose, Confirm, Draw, Event, Option, Place, Point, Question, Roll, Step, Table

__all__ = [
    "EACH",
    "HIGHEST",
    "SUM",
    "SUM_AND_HIGHEST",
    "Agent",
    "Appraisal",
    "AtLeast",
    "Choose",
    "CommandPoints",
    "Confirm",
    "Counts",
    "Doctrine",
    "Draw",
    "Event",
    "FixedPhases",
    "Kept",
    "MakePolicy",
    "Meaning",
    "Modifier",
    "Offer",
    "Option",
    "Outcome",
    "PhaseEntry",
    "Place",
    "Point",
    "Policy",
    "Question",
    "Read",
    "Roll",
    "Scenario",
    "Setting",
    "Situation",
    "Step",
    "SumBands",
    "Table",
    "Thrown",
    "Value",
    "Wrap",
    "at_least",
    "at_most",
    "call",
    "counts",
    "figures",
    "game_of",
    "hookimpl",
    "lose",
    "lot",
    "name_of",
    "named",
    "numbered",
    "one_of",
    "otherwise",
    "passes",
    "procedure",
    "rescored",
    "row_of",
    "rows",
    "scenario_name",
    "scenario_unit",
    "shoot",
    "take_off",
    "targets",
    "units",
]
