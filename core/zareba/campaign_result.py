"""What a battle has left: who has won, and what each unit of its scenario still has, for the next battle of a campaign."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.house_rules.battle_access import name_in
from zareba.presentation.outcome import Outcome
from zareba.scenario import Scenario
from zareba.session.resume import replay
from zareba.session.session import Session

__all__ = ["CampaignResult", "campaign_result"]


@dataclass(frozen=True)
class CampaignResult:
    """A battle that is over. `left`: by unit of the scenario the share of its men (or bases) that it had at the end."""

    scenario: Scenario
    ruleset: str
    outcome: Outcome
    left: dict[str, Fraction]


def campaign_result(journal: Path) -> CampaignResult:
    """What the battle in a journal has left; it is played again for it. Raises ZarebaError for one that is not over."""
    session = replay(journal).session
    if session.pending is not None:
        raise ZarebaError(f"{journal}: the battle is not over; 'zareba resume {journal}' goes on with it")
    game = session.game
    came, stand = _men(session, session.history.steps[0].start), _men(session, session.state)
    left = {name: Fraction(stand.get(name, 0), men) for name, men in came.items() if men}
    return CampaignResult(game.scenario, game.rules.ruleset.id, game.outcome(session.state), left)


def _men(session: Session, state: Any) -> dict[str, int]:
    """How many each unit of the scenario has in a state, as the rules count: men, or bases."""
    game, found = session.game, dict[str, int]()
    for unit in state.units.values():
        if name := name_in(game.scenario, unit):
            found[name] = found.get(name, 0) + (game.umpire_editor().count(state, unit.spec.id) or 0)
    return found
