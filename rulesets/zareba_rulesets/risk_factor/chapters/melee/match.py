"""One match of a melee (RSK-166 to RSK-176): a figure against one or several, their scores, and who strikes whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from zareba.base.state import facts
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.chapters.casualties import KILL, WOUND

__all__ = ["Blow", "Fighter", "MeleeFacts", "blows", "melee_facts", "score", "spread"]

ROUTER = 0


@facts
class MeleeFacts:
    """Table M as facts; `further_enemies` are the extra ones less one, for `melee.raw_and_outnumbered` worst_only."""

    raw: bool = False
    extra_enemies: int = 0
    crossing: bool = False
    superior: bool = False
    better_weapon: bool = False
    further_enemies: int = 0
    start: int = 0


class Fighter(NamedTuple):
    """A figure in a match: who it is, what its die shows (0 for a router), its score."""

    who: Any
    die: int
    score: int


class Blow(NamedTuple):
    """What a winner does: wound or kill one of those he beat."""

    by: Any
    effect: int
    beaten: tuple[Any, ...]


def melee_facts(raw: bool, opponents: int, crossing: bool, superior: bool, better_weapon: bool) -> MeleeFacts:
    """The facts of a figure against so many opponents (RSK-167 to RSK-171)."""
    extra = max(0, opponents - 1)
    return MeleeFacts(raw, extra, crossing, superior, better_weapon, max(0, extra - 1))


def score(table: Table, die: int, situation: MeleeFacts, unit: str) -> int:
    """The die of a figure of a unit and its modifiers; routers throw none and have score 0 (RSK-166, RSK-176)."""
    return die + table.tally("melee_score", situation, unit).total if die else ROUTER


def spread(smaller: int, larger: int, most: int) -> list[int]:
    """How many opponents each figure of the smaller side faces: even to within one, at most `most` (RSK-164, RSK-165)."""
    engaged = min(larger, most * smaller)
    return [engaged // smaller + (index < engaged % smaller) for index in range(smaller)] if smaller else []


def effect_of(fighter: Fighter, book: RskBook) -> int:
    """What a winner's die does: 5 wounds, 6 kills, by the die thrown or by his score (RSK-173); otherwise nothing, 0."""
    shown, (wound, kill) = fighter.die if book.settings.melee_hit_die == "natural" else fighter.score, book.blows
    return KILL if shown >= kill else WOUND if shown >= wound else 0


def blows(single: Fighter, several: Sequence[Fighter], book: RskBook) -> list[Blow]:
    """All blows of a match, which fall at once (RSK-172, RSK-174).

    Pairwise each figure is compared with each of its opponents; with `melee.multi` side_best the best of several stands
    for all: the single man strikes only if he beats them all, each of them only if their best beats him and he does too.
    """
    found = []
    pairwise = book.settings.melee_multi == "pairwise"
    best = max(fighter.score for fighter in several)
    beaten = tuple(other.who for other in several if single.score > other.score)
    if beaten and (pairwise or single.score > best) and single.die:
        effect = effect_of(single, book)
        if effect:
            found.append(Blow(single.who, effect, beaten))
    for other in several:
        if other.die and other.score > single.score and (pairwise or best > single.score):
            effect = effect_of(other, book)
            if effect:
                found.append(Blow(other.who, effect, (single.who,)))
    return found
