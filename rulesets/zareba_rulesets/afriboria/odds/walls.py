"""Odds of a unit that fires from a wall in sections, from the functions that play uses."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from zareba.amounts import amount
from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.exchange import Exchange, ExchangeFacts, answer_flags, attack, defend
from zareba_rulesets.afriboria.odds.facts import (
    BattleFacts,
    BattleOutcome,
    Figures,
    Range,
    battle_dice,
    compile_exchange,
    defence_tallies,
    outcome_of,
)
from zareba_rulesets.afriboria.walls import wall_room

__all__ = ["WALL_FIRE", "WallFireFacts", "section_exchange"]

Dice = Annotated[int, Field(ge=1, le=20)]


@dataclass(frozen=True)
class WallFireFacts(BattleFacts):
    """A battle of a unit in sections: the men, the range and the dice of each section that fires, in their order.

    The dice have an officer's among them, who is with one of the sections; `range` is that of the nearest section, against
    which the defender answers.
    """

    sections: tuple[Figures, ...] = ()
    ranges: tuple[Range, ...] = ()
    dice: tuple[Dice, ...] = ()


def section_exchange(book: AfrBook, facts: WallFireFacts, number: int, fallen: int = 0) -> ExchangeFacts:
    """The facts of the roll of one section when `fallen` men have been killed by those before it (AFR-322 to AFR-324)."""
    away, men = facts.ranges[number], facts.sections[number]
    whole = compile_exchange(book, replace(facts, range=away))
    cap = min(whole.cap - fallen, men) if whole.cap < facts.attacker_figures else men
    return replace(
        whole,
        dice=facts.dice[number],
        cap=cap,
        attackers=men,
        figures=whole.figures - fallen,
        strength=whole.strength - fallen,
    )


def _dice_at(book: AfrBook, facts: WallFireFacts, away: int) -> tuple[Tally, int]:
    """The dice of a section at a range if the officer is with it, and those of its own among them."""
    there = replace(facts, range=away)
    return battle_dice(book, there), battle_dice(book, replace(there, officer=False)).total


def _check(book: AfrBook, facts: WallFireFacts) -> None:
    """Raise ZarebaError where no unit on a wall could fire like this (AFR-318, AFR-321 to AFR-323)."""
    room, profile = wall_room(book), book.profiles[facts.attacker]
    if not facts.sections or not len(facts.sections) == len(facts.ranges) == len(facts.dice):
        raise ZarebaError("give men, range and dice of each section that fires: sections=, ranges=, dice= (AFR-322)")
    if not profile.walks:
        raise ZarebaError(f"{profile.title} does not man walls; only foot does (AFR-321)")
    if sum(facts.sections) > facts.attacker_figures:
        raise ZarebaError(
            f"the sections have {amount(sum(facts.sections), 'man', 'men')}, the unit {facts.attacker_figures} (AFR-321)"
        )
    if max(facts.sections) > room:
        raise ZarebaError(f"a section has at most {amount(room, 'man', 'men')}, not {max(facts.sections)} (AFR-318)")
    if facts.range != min(facts.ranges):
        raise ZarebaError(f"the nearest section is at range {min(facts.ranges)}, not {facts.range} (AFR-322)")
    most = [_dice_at(book, facts, away) for away in facts.ranges]
    # a section that holds its fire may be nearer than all that do not
    largest = max(_dice_at(book, facts, away)[1] for away in range(1, facts.range + 1))
    officers_places = [None, *(range(len(most)) if facts.officer else ())]
    if not any(_could_be_dealt(facts.dice, most, largest, place) for place in officers_places):
        limits = ", ".join(str(own) for _, own in most)
        raise ZarebaError(
            f"these dice are not for the sections, {', '.join(map(str, facts.dice))}: each has at most {limits}, all together "
            f"{largest}{', and one of them an officer' if facts.officer else ''} (AFR-322, AFR-323)"
        )


def _could_be_dealt(
    dice: Sequence[int], most: Sequence[tuple[Tally, int]], largest: int, officers_place: int | None
) -> bool:
    """Whether an owner could deal these dice to his sections, an officer being with one of them or with none."""
    shares = list(dice)
    if officers_place is not None:
        with_him, own = most[officers_place]
        shares[officers_place] -= with_him.total - own
    return sum(shares) <= largest and all(
        min(1, own) <= share <= own for share, (_, own) in zip(shares, most, strict=True)
    )


def _wall_fire_tallies(rules: Rules, facts: WallFireFacts) -> list[Tally]:
    book = AfrBook(rules)
    _check(book, facts)
    sections = [_dice_at(book, facts, away)[0] for away in facts.ranges]
    return [*sections, *defence_tallies(book, facts)]


def _wall_fire_legs(rules: Rules, facts: WallFireFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    _check(book, facts)
    numbers = range(len(facts.sections))
    nearest = min(numbers, key=lambda number: facts.ranges[number])

    def fire(number: int, table: Table, salvo: Exchange) -> None:
        exchange = _exchange(section_exchange(book, facts, number, salvo.kills))
        if exchange.facts.figures > 0:
            attack(table, book, exchange)
            salvo.hits += exchange.hits
            salvo.kills += exchange.kills
            salvo.flags += exchange.flags

    def settle(table: Table, salvo: Exchange) -> None:
        whole = _exchange(section_exchange(book, facts, nearest, salvo.kills))
        whole.flags = salvo.flags
        defend(table, book, whole)
        answer_flags(table, book, whole)
        salvo.losses, salvo.retreat = whole.losses, whole.retreat

    stages = [lambda table, salvo, number=number: fire(number, table, salvo) for number in numbers]
    start = section_exchange(book, facts, nearest)
    return [Leg(lambda: _exchange(start), [*stages, settle], _key, lambda salvo: outcome_of(facts, salvo))]


def _exchange(facts: ExchangeFacts) -> Exchange:
    return Exchange("attacker", "defender", "blue", facts=facts)


def _key(salvo: Exchange) -> Hashable:
    return salvo.hits, salvo.kills, salvo.flags, salvo.losses, salvo.retreat


WALL_FIRE = Procedure(
    "fire_from_wall",
    "AFR-322",
    "one fire of a unit in sections on a wall at a unit, with everything that answers it",
    WallFireFacts,
    BattleOutcome,
    _wall_fire_legs,
    lambda outcome: outcome,
    _wall_fire_tallies,
)
