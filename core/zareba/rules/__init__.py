"""Rules as data and as hooks: loading, settings, house rules, and the resolved rules of a session."""

from zareba.rules.catalogue import Catalogue, RuleEntry, load_catalogue
from zareba.rules.patch import Patch, Source, load_patch
from zareba.rules.procedure import Wrap, procedure
from zareba.rules.references import RefersTo
from zareba.rules.resolved import Rules
from zareba.rules.schema import Book, ModifierEntry, PhaseEntry, RulesetFile, TallyEntry
from zareba.rules.settings import Setting, typed_settings

__all__ = [
    "Book",
    "Catalogue",
    "ModifierEntry",
    "Patch",
    "PhaseEntry",
    "RefersTo",
    "RuleEntry",
    "Rules",
    "RulesetFile",
    "Setting",
    "Source",
    "TallyEntry",
    "Wrap",
    "load_catalogue",
    "load_patch",
    "procedure",
    "typed_settings",
]
