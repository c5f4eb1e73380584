"""One game of people and AI players: play, undo, redo, save and resume.

`session` drives a game. `history` holds the steps, and `umpire` the corrections by hand. `delegation` lets an AI
player act for a person; `standing_orders` does the same for one unit. `briefing`, `score` and `after_action` describe
the objectives, the score and the result. `resume` starts sessions and restores them from journals.
"""

from __future__ import annotations

from zareba.session.delegation import SCOPES, Deputy, Scope
from zareba.session.history import Answered, PlayerAct
from zareba.session.resume import (
    Replayed,
    check_seats,
    earlier_history,
    new_session,
    open_session,
    repeated_session,
    replay,
)
from zareba.session.session import Session
from zareba.session.settlement import Settlement
from zareba.session.standing_orders import StandingOrder
from zareba.session.umpire import Correction

__all__ = [
    "SCOPES",
    "Answered",
    "Correction",
    "Deputy",
    "PlayerAct",
    "Replayed",
    "Scope",
    "Session",
    "Settlement",
    "StandingOrder",
    "check_seats",
    "earlier_history",
    "new_session",
    "open_session",
    "repeated_session",
    "replay",
]
