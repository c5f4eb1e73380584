"""What an option is worth to a commander with sense."""

from __future__ import annotations

from collections.abc import Callable

from zareba.base.state import facts

__all__ = ["Appraisal"]


@facts
class Appraisal:
    """What one option is worth to the side that chooses, in shares of a unit's strength; for commanders with sense.

    `inflicts` and `suffers`: expected losses dealt and taken. `ground`: progress towards the objective, or ground
    given up (negative). `steadies`: order restored. `reason` says it in at most 80 characters, with a number or rule;
    it may be a function that does, for only the best option is ever asked for its reason.
    """

    inflicts: float = 0.0
    suffers: float = 0.0
    ground: float = 0.0
    steadies: float = 0.0
    reason: str | Callable[[], str] = ""
