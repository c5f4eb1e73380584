"""The result of a finished battle for a campaign: the winner, and the strength that each unit of the scenario has
left.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.house_rules.dice_helpers import name_in
from zareba.scenario import Scenario
from zareba.scenario.victory import Outcome
from zareba.session.resume import replay
from zareba.session.session import Session


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
    """Replay a journal and return the result of its battle. Raises ZarebaError if the battle is not over."""
    session = replay(journal).session
    if session.pending is not None:
        raise ZarebaError(f"{journal}: the battle is not over; continue it with 'zareba continue {journal}'")
    game = session.game
    came, stand = _men(session, session.history.steps[0].start), _men(session, session.state)
    left = {name: Fraction(stand.get(name, 0), men) for name, men in came.items() if men}
    return CampaignResult(game.scenario, game.rules.ruleset.id, session.outcome, left)


def _men(session: Session, state: Any) -> dict[str, int]:
    """Return the strength of each unit of the scenario in a state, counted as the rules do: men or bases."""
    game, found = session.game, dict[str, int]()
    for unit in state.units.values():
        if name := name_in(game.scenario, unit):
            found[name] = found.get(name, 0) + (game.umpire_editor().figures_left(state, unit.spec.id) or 0)
    return found
