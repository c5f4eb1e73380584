"""Public names of the last release that still work, with a warning that gives the new name."""

from __future__ import annotations

import logging
from functools import cache

__all__ = ["API", "HOOKS", "warn_renamed"]

_log = logging.getLogger("zareba")

API = {
    "Appraisal": "Evaluation",
    "Kept": "StateVariable",
    "Offer": "ExtraOption",
    "Situation": "ModifierContext",
    "Thrown": "DiceResult",
    "one_of": "draw_one",
    "otherwise": "override_values",
    "passes": "roll_at_least",
    "rescored": "add_points",
    "row_of": "roll_on_chart",
    "take_off": "remove_unit",
}
"""Old names of `zareba.api`, each with the new name."""

HOOKS = {"zareba_appraise": "zareba_evaluate"}
"""Old names of hooks, each with the new name."""


@cache
def warn_renamed(old: str, new: str) -> None:
    """Log once that a name has changed; the old one works until the next release."""
    _log.warning("%s is now called %s; write %s, because the old name will be removed", old, new, new)
