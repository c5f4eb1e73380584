"""The undo log under which odds put a draft: what is written to it can be taken back, brought forward and compared."""

from zareba.odds.undo.log import UndoLog, Written
from zareba.odds.undo.logged import is_logged

__all__ = ["UndoLog", "Written", "is_logged"]
