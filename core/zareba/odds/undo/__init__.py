"""The undo log for odds: writes to a draft can be rolled back, repeated and compared."""

from zareba.odds.undo.log import UndoLog, Written
from zareba.odds.undo.logged import is_logged

__all__ = ["UndoLog", "Written", "is_logged"]
