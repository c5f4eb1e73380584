"""The table: where rules ask and drivers answer."""

from zareba.table.decks import Deck
from zareba.table.drivers.enumerating import EnumeratingTable, TooManyPaths, enumerate_paths
from zareba.table.drivers.recorded import Pause, RecordedTable, runs_code, wavered
from zareba.table.drivers.remembered import Given, LooksAhead, OtherwiseAsked, RememberingTable, fits
from zareba.table.drivers.scripted import ScriptedTable
from zareba.table.drivers.seeded import Agent, ChanceKeys, SeededTable
from zareba.table.event import Event
from zareba.table.law import Law
from zareba.table.questions import (
    Answer,
    Choose,
    Confirm,
    Draw,
    Later,
    MoveCost,
    Option,
    Place,
    Point,
    Question,
    Roll,
    Suggestions,
    answer_from_data,
    asks_the_same,
    fingerprint,
    outcomes,
    read_faces,
    refusal,
    remembered,
    seat_of,
)
from zareba.table.step import Step
from zareba.table.table import Table

__all__ = [
    "Agent",
    "Answer",
    "ChanceKeys",
    "Choose",
    "Confirm",
    "Deck",
    "Draw",
    "EnumeratingTable",
    "Event",
    "Given",
    "Later",
    "Law",
    "LooksAhead",
    "MoveCost",
    "Option",
    "OtherwiseAsked",
    "Pause",
    "Place",
    "Point",
    "Question",
    "RecordedTable",
    "RememberingTable",
    "Roll",
    "ScriptedTable",
    "SeededTable",
    "Step",
    "Suggestions",
    "Table",
    "TooManyPaths",
    "answer_from_data",
    "asks_the_same",
    "enumerate_paths",
    "fingerprint",
    "fits",
    "outcomes",
    "read_faces",
    "refusal",
    "remembered",
    "runs_code",
    "seat_of",
    "wavered",
]
