"""The result of a finished battle for a campaign: the winner, and the strength that each unit of the scenario has
left.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.companion import open_evening
from zareba.companion.evening import SUFFIX
from zareba.game import Game
from zareba.house_rules.dice_helpers import name_in
from zareba.scenario import Scenario
from zareba.scenario.victory import Outcome
from zareba.session.resume import replay


@dataclass(frozen=True)
class CampaignResult:
    """The result of a finished battle. `left` maps each unit of the scenario to the share of its men (or bases) left at
    the end.
    """

    scenario: Scenario
    ruleset: str
    outcome: Outcome
    left: dict[str, Fraction]


def campaign_result(journal: Path) -> CampaignResult:
    """Replay a journal, or open the file of an evening at a real table, and return the result of its battle.

    Raises ZarebaError if the battle is not over.
    """
    if journal.suffix == SUFFIX:
        return _result_of_evening(journal)
    session = replay(journal).session
    if session.pending is not None:
        raise ZarebaError(f"{journal}: the battle is not over; continue it with 'zareba continue {journal}'")
    return _result(session.game, session.history.steps[0].start, session.state, session.outcome)


def _result_of_evening(path: Path) -> CampaignResult:
    evening = open_evening(path)
    try:
        if not evening.is_over:
            raise ZarebaError(
                f"{path}: the battle is not over; 'zareba companion --continue {path}' goes on with it, and 'next' "
                "there moves on phase by phase to the last turn"
            )
        outcome = evening.game.play.outcome(evening.state)
        return _result(evening.game, evening.first_state, evening.state, outcome)
    finally:
        evening.close()


def _result(game: Game[Any], start: Any, end: Any, outcome: Outcome) -> CampaignResult:
    """Return the result of a battle by its first and its last state."""
    began, left = _strengths(game, start), _strengths(game, end)
    shares = {name: Fraction(left.get(name, 0), strength) for name, strength in began.items() if strength}
    return CampaignResult(game.scenario, game.rules.ruleset.id, outcome, shares)


def _strengths(game: Game[Any], state: Any) -> dict[str, int]:
    """Return the strength of each unit of the scenario in a state, counted as the rules do: men or bases."""
    found = dict[str, int]()
    for unit in state.units.values():
        if name := name_in(game.scenario, unit):
            found[name] = found.get(name, 0) + (game.umpire_editor().figures_left(state, unit.spec.id) or 0)
    return found
