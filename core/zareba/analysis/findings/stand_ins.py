"""Count the games that were decided by our interpretation of a rule that is missing, damaged or ambiguous."""

from __future__ import annotations

from collections.abc import Mapping

from zareba.analysis.statistics.estimates import Column
from zareba.base.grammar import amount
from zareba.registry import ruleset, ruleset_names
from zareba.rules.catalogue import RuleEntry, load_catalogue
from zareba.scenario import load_scenario

__all__ = ["LEAST_SHARE", "ended_by_stand_ins", "games_by_stand_ins"]

LEAST_SHARE = 0.05
"""An interpretation is reported if it ended more than this share of the games."""


def ended_by_stand_ins(column: Column, scenario: str) -> list[str]:
    """Return a sentence for each interpretation that ended, or won by the ruleset's own victory rule, over 5 % of the
    games.
    """
    found = []
    for rule, ended in _endings(column, scenario).items():
        entry = _catalogue(column)[rule]
        found.append(
            f"{ended} of {amount(len(column.records), 'game')} ended by our interpretation ({rule}, status {entry.status}):"
            f" {entry.summary} The setting {' or '.join(entry.settings())} changes it; --robust tests its other values."
        )
    return found


def games_by_stand_ins(column: Column, scenario: str) -> int:
    """Return the number of games that ended by the interpretations that ended more than 5 % of them."""
    return sum(_endings(column, scenario).values())


def _endings(column: Column, scenario: str) -> dict[str, int]:
    """Return the number of games that each interpretation ended, by rule id, if they are more than 5 %."""
    found = {}
    for rule, entry in _catalogue(column).items():
        ended = sum(entry.ends in (one.ending, one.own_ground) for one in column.records) if entry.ends else 0
        if ended > LEAST_SHARE * len(column.records) and not _named_by(entry.ends, scenario):
            found[rule] = ended
    return found


def _catalogue(column: Column) -> Mapping[str, RuleEntry]:
    if column.variant.ruleset not in ruleset_names():
        return {}
    folders = ruleset(column.variant.ruleset).folders
    return load_catalogue(*folders).rules if (folders[-1] / "rules.yaml").is_file() else {}


def _named_by(ending: str, scenario: str) -> bool:
    """Return True if the scenario itself sets what ended the games, such as a quota of points, so that it is no
    stand-in.
    """
    if ending != "quota":
        return False
    return any(side.victory.quota is not None for side in load_scenario(scenario).sides.values())
