"""Formulas that replace the casualty cards and their consequences where there are too many to enumerate."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from zareba.odds import Formula, Lay, Procedures, SmallBattle, count_outcomes
from zareba.odds.formulas import Cards, losses_at_random, losses_evenly
from zareba.rules import Rules
from zareba.table import Draw, Roll
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.forces.units import Figure
from zareba_rulesets.paychest.odds.fates import KINDS, Body, fates
from zareba_rulesets.paychest.odds.stage import DeckFacts, Fate, StruckFacts, deck_of

__all__ = ["ACTS", "CARDS", "OF_A_HIT", "OF_A_RUN", "PROCEDURES", "ROUNDS", "RUNS", "SHOTS", "after_cards", "body_of", "decks", "group_fates", "skip_consequences", "ways_to_hit", "without", "word_of"]  # fmt: skip

PROCEDURES = Procedures()
T = TypeVar("T", bound=Hashable)

RUNS = frozenset({"forced.move", "forced.singly"})
CARDS = RUNS | {"casualties.strike", "leaders.loss", "morale.second_roll"}
"""The procedures that a hit leads to."""
ACTS = CARDS | {"fire.volley", "gunnery.shot", "melee.fight"}
"""Procedures that would find different figures if run twice."""
SHOTS = ACTS | {"shooting.shots"}
"""Procedures skipped by formulas that treat each shot separately."""
OF_A_RUN = frozenset({"forced move", "stand or run"})
OF_A_HIT = OF_A_RUN | {"casualty card", "who is hit", "which man is hit", "loss of leader", "second morale roll"}


ROUNDS = "rounds that hit"


def without(situation: SmallBattle, whys: Container[str]) -> SmallBattle:
    """Return the situation with fixed results for questions in `whys`: any card, the fewest gun hits, the best dice.

    Only questions that do not affect its outcome may be named.
    """

    def settled(question: Roll | Draw) -> Any:
        if question.why not in whys:
            return None
        if isinstance(question, Draw):
            return next(card for card, copies in question.cards if copies)
        return question.read.of([1 if question.why == ROUNDS else question.sides] * question.dice)

    return replace(situation, settled=settled)


def ways_to_hit(rules: Rules, situation: SmallBattle) -> dict[Any, Fraction]:
    """Return the chances of each result of a situation's last act, without the consequences of its hits."""
    return count_outcomes(rules, replace(without(situation, OF_A_HIT), outcome=lambda _, gave: gave))


def skip_consequences(whys: Container[str] = OF_A_HIT, skips: frozenset[str] = ACTS) -> Callable[[Lay], Formula]:
    """Return a formula that skips what does not affect the outcome, by default all that follows a hit."""
    return lambda lay: Formula(lambda rules, facts: count_outcomes(rules, without(lay(rules, facts), whys)), skips)


# --- cards ------------------------------------------------------------------------------------------------------------


def decks(rules: Rules, facts: DeckFacts, kind_of: Callable[[str], T]) -> dict[T, tuple[int, int]]:
    """Return the cards by kind: the copies in the pile and in the whole pack."""
    book, found = PaychestBook(rules), dict[T, tuple[int, int]]()
    pile = deck_of(book, facts).pile
    for card, copies in book.full_deck().items():
        in_pile, in_all = found.get(kind := kind_of(card), (0, 0))
        found[kind] = in_pile + pile[card], in_all + copies
    return found


def _classes(rules: Rules, facts: DeckFacts, exposed: Container[str] | None) -> Cards:
    """Return the deck by KINDS. A card for a part of the body not in `exposed` does nothing."""
    book = PaychestBook(rules)

    def kind_of(name: str) -> str:
        card = book.cards[name]
        counts = exposed is None or card.location in exposed
        return (card.result if card.result in KINDS else "wound") if counts else "graze"

    found = decks(rules, facts, kind_of)
    left, full = zip(*(found.get(kind, (0, 0)) for kind in KINDS), strict=True)
    return Cards(left, full, book.settings.casualty_reshuffle == "every_card")


def _exposed_parts(rules: Rules, facts: DeckFacts, guns: bool) -> Container[str] | None:
    """Return the exposed parts of the body under gun or small-arms fire, or None if all count (PAY-187, PAY-188)."""
    if isinstance(facts, StruckFacts) and (guns or rules.settings["exposure_check"] == "all_fire"):
        return PaychestBook(rules).exposed[facts.exposure]
    return None


def group_fates(
    rules: Rules, facts: DeckFacts, men: int, hits: Mapping[int, Fraction], guns: bool = False
) -> dict[tuple[int, int], Fraction]:
    """Return the chances of numbers killed and unconscious among fresh figures (PAY-118, PAY-119).

    `hits` maps a number of hits to its chance. Hits of small arms fall at random or evenly (PAY-105), those of guns at
    random.
    """
    deck = _classes(rules, facts, _exposed_parts(rules, facts, guns)).of((0,), (1,), (2, 3, 4), (5,))
    spread = losses_at_random if guns or rules.settings["hit_spread"] == "random" else losses_evenly
    return spread(deck, men, hits, rules.settings["collapse_at_wounds"])


def after_cards(
    rules: Rules, facts: DeckFacts, men: tuple[Body, ...], max_cards: int
) -> list[Mapping[tuple[Body, ...], Fraction]]:
    """Return the fates of one or two figures after each number of cards up to `max_cards`, dealt at random."""
    book = PaychestBook(rules)
    deck = _classes(rules, facts, _exposed_parts(rules, facts, guns=False))
    return fates(deck, men, max_cards, book.settings.collapse_at_wounds, book.file.leg_wounds_that_lame.wounds)


def body_of(figure: Figure) -> Body:
    """Return the facts of a figure that matter for casualty cards."""
    lame = "lame" in figure.marks
    return Body(figure.fate, len(figure.wounds), 0 if lame else figure.wounds.count("leg_wound"), lame)


def word_of(body: Body) -> Fate:
    """Return the fate of a figure in a word."""
    if body.fate != "able":
        return "killed" if body.fate == "dead" else "unconscious"
    if body.lame:
        return "cannot walk"
    return "wounded" if body.wounds else "unhurt"
