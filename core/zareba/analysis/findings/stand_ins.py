"""Count the games that were decided by our interpretation of a rule that is missing, damaged or ambiguous."""

from __future__ import annotations

from zareba.analysis.statistics.estimates import Column
from zareba.base.amounts import amount
from zareba.registry import ruleset, ruleset_names
from zareba.rules.catalogue import load_catalogue
from zareba.scenario import load_scenario

__all__ = ["LEAST_SHARE", "ended_by_stand_ins"]

LEAST_SHARE = 0.05
"""An interpretation is reported if it ended more than this share of the games."""


def ended_by_stand_ins(column: Column, scenario: str) -> list[str]:
    """Return a sentence for each interpretation that ended, or won by the ruleset's own victory rule, over 5 % of the
    games.
    """
    if column.variant.ruleset not in ruleset_names():
        return []
    folders = ruleset(column.variant.ruleset).folders
    if not (folders[-1] / "rules.yaml").is_file():
        return []
    found, games = [], len(column.records)
    for rule, entry in load_catalogue(*folders).rules.items():
        ended = sum(entry.ends in (one.ending, one.own_ground) for one in column.records) if entry.ends else 0
        if ended > LEAST_SHARE * games and not _named_by(entry.ends, scenario):
            names = " or ".join(entry.settings())
            found.append(
                f"{ended} of {amount(games, 'game')} ended by our interpretation ({rule}, status {entry.status}): {entry.summary}"
                f" The setting {names} changes it; --robust tests its other values."
            )
    return found


def _named_by(ending: str, scenario: str) -> bool:
    """Return True if the scenario itself sets what ended the games, such as a quota of points, so that it is no
    stand-in.
    """
    if ending != "quota":
        return False
    return any(side.victory.quota is not None for side in load_scenario(scenario).sides.values())
