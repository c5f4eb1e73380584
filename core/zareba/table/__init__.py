"""The table: the interface through which rules ask for dice, cards and decisions.

A rule asks a `Table` a question. The driver, a subclass of `Table`, decides who answers: dice, a player, a recording
or a test script.
"""

from zareba.table.decks import Deck
from zareba.table.drivers.recorded import Pause, RecordedTable, has_python_rules, nondeterminism_error
from zareba.table.drivers.remembering import GivenAnswer, LooksAhead, QuestionChanged, RememberingTable, answer_fits
from zareba.table.drivers.scripted import ScriptedTable
from zareba.table.drivers.seeded import Agent, ChanceKeys, SeededTable
from zareba.table.event import Event
from zareba.table.questions import (
    Answer,
    Choose,
    Confirm,
    DeferredOptions,
    Draw,
    LazyOptions,
    MoveCost,
    Option,
    Place,
    Point,
    Question,
    Roll,
    answer_from_data,
    asks_the_same,
    fingerprint,
    is_lazy,
    outcomes,
    read_faces,
    refusal,
    remembered,
    seat_of,
)
from zareba.table.rules_protocol import RulesProtocol
from zareba.table.step import Step
from zareba.table.table import Table

__all__ = [
    "Agent",
    "Answer",
    "ChanceKeys",
    "Choose",
    "Confirm",
    "Deck",
    "DeferredOptions",
    "Draw",
    "Event",
    "GivenAnswer",
    "LazyOptions",
    "LooksAhead",
    "MoveCost",
    "Option",
    "Pause",
    "Place",
    "Point",
    "Question",
    "QuestionChanged",
    "RecordedTable",
    "RememberingTable",
    "Roll",
    "RulesProtocol",
    "ScriptedTable",
    "SeededTable",
    "Step",
    "Table",
    "answer_fits",
    "answer_from_data",
    "asks_the_same",
    "fingerprint",
    "has_python_rules",
    "is_lazy",
    "nondeterminism_error",
    "outcomes",
    "read_faces",
    "refusal",
    "remembered",
    "seat_of",
]
