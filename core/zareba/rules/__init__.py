"""Rules as data: the schema of ruleset files, settings, YAML changes by house rules, and the resolved rules of a
session.
"""

from zareba.base.references import RefersTo
from zareba.rules.book import CompiledBook
from zareba.rules.catalogue import Catalogue, RuleEntry, load_catalogue, mentions
from zareba.rules.patch import Patch, Source
from zareba.rules.procedure import Wrap, procedure
from zareba.rules.resolved import PrintedValue, Rules
from zareba.rules.schema import (
    Adjustment,
    Book,
    Chance,
    Count,
    Degrees,
    Dice,
    Faces,
    Length,
    ModifierEntry,
    PhaseEntry,
    PositiveInt,
    RulesetFile,
    Score,
    TallyEntry,
    WithRule,
    all_of,
    check_order,
    every_word,
)
from zareba.rules.settings import Setting, Settings

__all__ = [
    "Adjustment",
    "Book",
    "Catalogue",
    "Chance",
    "CompiledBook",
    "Count",
    "Degrees",
    "Dice",
    "Faces",
    "Length",
    "ModifierEntry",
    "Patch",
    "PhaseEntry",
    "PositiveInt",
    "PrintedValue",
    "RefersTo",
    "RuleEntry",
    "Rules",
    "RulesetFile",
    "Score",
    "Setting",
    "Settings",
    "Source",
    "TallyEntry",
    "WithRule",
    "Wrap",
    "all_of",
    "check_order",
    "every_word",
    "load_catalogue",
    "mentions",
    "procedure",
]
