"""The companion: the book of an evening with painted figures on a real table."""

from zareba.companion.declarations import Asked, Choices, Companion, CompanionAct, Opening, Scene, first
from zareba.companion.evening import Entry, Evening, evening_path, new_evening, open_evening, saved_evenings
from zareba.companion.forms import AskFact, Decide, Finished, Form, Pending, PickUnit, Preview, Throw

__all__ = [
    "AskFact",
    "Asked",
    "Choices",
    "Companion",
    "CompanionAct",
    "Decide",
    "Entry",
    "Evening",
    "Finished",
    "Form",
    "Opening",
    "Pending",
    "PickUnit",
    "Preview",
    "Scene",
    "Throw",
    "evening_path",
    "first",
    "new_evening",
    "open_evening",
    "saved_evenings",
]
