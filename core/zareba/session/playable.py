"""Which installed rulesets can play a scenario, and why the others cannot."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.base.errors import ZarebaError
from zareba.registry import load_rules, ruleset_names
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.session.session import Session

__all__ = ["refusals"]

SEED = 0


def refusals(scenario: Scenario, rulesets: Iterable[str] | None = None) -> dict[str, str]:
    """Return why a scenario cannot be played, by ruleset, all installed ones by default; those that can are left out.

    It is set up under each, with random players where a side chooses its places. A ruleset that cannot be loaded at all
    says nothing about a scenario.
    """
    found: dict[str, str] = {}
    for name in ruleset_names() if rulesets is None else rulesets:
        try:
            rules = load_rules(name)
        except Exception:  # noqa: BLE001  # the fault of a ruleset, not of the scenario; 'zareba rulesets' tells it
            continue
        if why := _refusal(scenario, rules):
            found[name] = why
    return found


def _refusal(scenario: Scenario, rules: Rules) -> str:
    """Return what stops setting up, "" if nothing does."""
    try:
        game = rules.game(scenario)
        session = Session(game, dict.fromkeys(game.seats, "random"), SEED)
        session.drive(enough=lambda: game.game_turn(session.state) > 0)
    except ZarebaError as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  # any failure means that this ruleset cannot play it
        return f"setting it up failed with {type(error).__name__}: {error}"
    return ""
