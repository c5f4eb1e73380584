"""Public names of the last release that still work, with a warning that gives the new name."""

from __future__ import annotations

import logging
from functools import cache
from typing import Any

__all__ = ["API", "HOOKS", "OPTIONS", "renamed", "warn_renamed"]

_log = logging.getLogger("zareba")

API: dict[str, dict[str, str]] = {
    "zareba.api": {
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
    },
    "zareba.api.rulesets": {"PlainFile": "SimpleRulesetFile", "Row": "TroopRow", "plain_ruleset": "simple_ruleset"},
    "zareba.api.commands": {
        "Aftermath": "CampaignResult",
        "aftermath": "campaign_result",
        "put": "set_value",
        "taken_out": "remove_value",
    },
    "zareba.testing": {"Played": "PlayedTestGame", "game_under": "game_with_rules"},
}
"""Names of the public modules: the old one, then today's, by module."""

OPTIONS = {
    "compare": {"--also": "--other-agents", "--bank": "--save-games", "--foretell": "--win-probability"},
}
"""Options of commands: the old one, then today's, by command."""

HOOKS = {"zareba_appraise": "zareba_evaluate"}
"""Old names of hooks, each with the new name."""


def renamed(module: str, name: str, names: dict[str, Any]) -> Any:
    """Return the object that had a name in the last release, from the globals of its module, with a warning.

    Raises AttributeError for a name that never was.
    """
    new = API[module].get(name)
    if new is None:
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    warn_renamed(f"{module}.{name}", new)
    return names[new]


@cache
def warn_renamed(old: str, new: str) -> None:
    """Log once that a name has changed; the old one works until the next release."""
    _log.warning("%s is now called %s; write %s, because the old name will be removed", old, new, new)
