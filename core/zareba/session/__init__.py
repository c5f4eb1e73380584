"""An evening's game: what people and programs answer, kept in a journal, taken back and gone on with at will.

`Session` drives a game. Its history grows by answers and umpires' acts (`history`, `umpire`); programs may stand in for
people (`delegation`) and units have standing orders (`orders`). `briefing`, `score` and `closing` tell how the battle is won,
how it stands and how it ended. `records` begins sessions and resumes them.
"""

from __future__ import annotations

from zareba.session.delegation import SCOPES, Deputy, Scope
from zareba.session.history import Act, Answered
from zareba.session.orders import Order
from zareba.session.records import Replayed, check_seats, earlier_history, new_session, open_session, replay
from zareba.session.session import Session
from zareba.session.umpire import Correction

__all__ = [
    "SCOPES",
    "Act",
    "Answered",
    "Correction",
    "Deputy",
    "Order",
    "Replayed",
    "Scope",
    "Session",
    "check_seats",
    "earlier_history",
    "new_session",
    "open_session",
    "replay",
]
