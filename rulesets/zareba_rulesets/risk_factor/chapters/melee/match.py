"""One match of a melee: a figure against one or several opponents, their scores and the blows (RSK-166 to RSK-176)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from zareba.base.state import facts
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.chapters.casualties import KILL, WOUND

__all__ = ["Blow", "Fighter", "MeleeFacts", "melee_facts", "resolve_blows", "score", "spread_opponents"]

ROUTER = 0


@facts
class MeleeFacts:
    """Table M as facts. `further_enemies` is one less than `extra_enemies`, for `melee.raw_and_outnumbered` set to
    worst_only.
    """

    raw: bool = False
    extra_enemies: int = 0
    crossing: bool = False
    superior: bool = False
    better_weapon: bool = False
    further_enemies: int = 0
    start: int = 0


class Fighter(NamedTuple):
    """A figure in a match: its id, its die (0 for a router) and its score."""

    who: Any
    die: int
    score: int


class Blow(NamedTuple):
    """A blow by a winner: the wound or kill, and the opponents it may fall on."""

    by: Any
    effect: int
    beaten: tuple[Any, ...]


def melee_facts(raw: bool, opponents: int, crossing: bool, superior: bool, better_weapon: bool) -> MeleeFacts:
    """Return the facts of a figure against a number of opponents (RSK-167 to RSK-171)."""
    extra = max(0, opponents - 1)
    return MeleeFacts(raw, extra, crossing, superior, better_weapon, max(0, extra - 1))


def score(table: Table, die: int, situation: MeleeFacts, unit: str) -> int:
    """Return the die of a figure plus its modifiers. Routers throw no die and score 0 (RSK-166, RSK-176)."""
    return die + table.tally("melee_score", situation, unit).total if die else ROUTER


def spread_opponents(smaller: int, larger: int, max_opponents: int) -> list[int]:
    """Return the number of opponents for each figure of the smaller side: even to within one, at most `max_opponents`
    (RSK-164, RSK-165).
    """
    fighters = min(larger, max_opponents * smaller)
    return [fighters // smaller + (index < fighters % smaller) for index in range(smaller)] if smaller else []


def effect_of(fighter: Fighter, book: RskBook) -> int:
    """Return the effect of a winner's die: 5 wounds, 6 kills, otherwise 0. The setting decides whether the die or the
    score counts (RSK-173).
    """
    deciding_number, (wound, kill) = (
        fighter.die if book.settings.melee_hit_die == "natural" else fighter.score,
        book.blows,
    )
    return KILL if deciding_number >= kill else WOUND if deciding_number >= wound else 0


def resolve_blows(single: Fighter, several: Sequence[Fighter], book: RskBook) -> list[Blow]:
    """Return all blows of a match. They fall at the same time (RSK-172, RSK-174).

    By default each figure is compared with each of its opponents. With `melee.multi` set to side_best, the best score
    of the several stands for all of them. The single figure then strikes only if it beats them all. Each of the
    several strikes only if their best score and its own beat the single figure.
    """
    blows = []
    pairwise = book.settings.melee_multi == "pairwise"
    best_score = max(fighter.score for fighter in several)
    beaten = tuple(other.who for other in several if single.score > other.score)
    if beaten and (pairwise or single.score > best_score) and single.die:
        effect = effect_of(single, book)
        if effect:
            blows.append(Blow(single.who, effect, beaten))
    for other in several:
        if other.die and other.score > single.score and (pairwise or best_score > single.score):
            effect = effect_of(other, book)
            if effect:
                blows.append(Blow(other.who, effect, (single.who,)))
    return blows
