"""The rollback log for odds: writes to a draft can be rolled back, repeated and compared."""

from zareba.odds.rollback.log import RollbackLog, Written
from zareba.odds.rollback.logged import is_logged

__all__ = ["RollbackLog", "Written", "is_logged"]
