"""Odds of a unit that fires from a wall in sections, from the functions that play uses."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.exchange import Exchange, ExchangeFacts, answer_flags, attack, defend
from zareba_rulesets.afriboria.odds.facts import (
    BattleFacts,
    BattleOutcome,
    Figures,
    Range,
    compile_exchange,
    outcome_of,
)

__all__ = ["WALL_FIRE", "WallFireFacts", "section_exchange"]

Dice = Annotated[int, Field(ge=0, le=20)]


@dataclass(frozen=True)
class WallFireFacts(BattleFacts):
    """A battle of a unit in sections: the men, the range and the dice of each section that fires, in their order.

    The dice have an officer's among them; `range` is that of the nearest section, against which the defender answers.
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


def _wall_fire_legs(rules: Rules, facts: WallFireFacts) -> Sequence[Leg]:
    book = AfrBook(rules)
    numbers = range(len(facts.sections))
    if not facts.sections or not len(facts.sections) == len(facts.ranges) == len(facts.dice):
        raise ZarebaError("give men, range and dice of each section that fires: sections=, ranges=, dice= (AFR-322)")
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
)
