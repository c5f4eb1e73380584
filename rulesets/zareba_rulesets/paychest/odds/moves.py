"""Odds of moves and of the order of the cards (PAY-059, PAY-066 to PAY-075)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from zareba.chance import Deck
from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.allowances import factor, may_run, roll_allowance
from zareba_rulesets.paychest.odds.legs import Inches, Men, lone

__all__ = ["PROCEDURES", "CardOrderFacts", "MoveFacts"]

Mover = Literal[
    "foot", "horse", "camel", "pack", "gun_by_hand", "gun_limbered", "wagon", "carriage", "tractor", "flyer"
]
MEN_AND_ANIMALS = ("foot", "horse", "camel", "pack")


@dataclass(frozen=True)
class MoveFacts:
    """One roll for advancing and running figures of one type: do they come this far? (PAY-069, PAY-072)

    `leg_wound`: on foot; who rides feels none (PAY-078, PAY-123). `loaded`: of men and animals; guns and conveyances
    bear their loads at full speed. Who may not run comes no way at the run.
    """

    mover: Mover = "foot"
    advance_inches: Inches = 0.0
    run_inches: Inches = 0.0
    loaded: bool = False
    leg_wound: bool = False


@dataclass(frozen=True)
class MoveOutcome:
    advance_reaches: bool
    run_reaches: bool


@dataclass(frozen=True)
class CardOrderFacts:
    """Cards of one side and of the other in the turn deck (PAY-059)."""

    ours: Men = 2
    theirs: Men = 2


@dataclass(frozen=True)
class CardOrderOutcome:
    """How many of ours come up before the first of theirs."""

    ours_first: int


def move_legs(rules: Rules, facts: MoveFacts) -> list[Leg]:
    battle = lone(rules, "regular")
    figure = battle.figure("unit.1")
    figure.loads = ("unit.1",) if facts.loaded and facts.mover in MEN_AND_ANIMALS else ()
    if facts.mover == "foot":
        figure.wounds = ("leg_wound",) if facts.leg_wound else ()
    times = factor(battle, figure)
    runs = facts.run_inches > 0 and may_run(battle, figure) and battle.book.movers[facts.mover].run > 0

    def stage(table: Table, slate: Slate) -> None:
        advance, run = roll_allowance(table, battle, facts.mover, runs, "unit")
        run_reaches = run * times >= facts.run_inches if runs else facts.run_inches == 0
        slate.values = (advance * times >= facts.advance_inches, run_reaches)

    return [slate_leg(stage)]


def card_order_legs(rules: Rules, facts: CardOrderFacts) -> list[Leg]:
    def stage(table: Table, slate: Slate) -> None:
        ours, theirs, first, over = slate.values
        if over or not ours:
            return
        cards = Deck({name: n for name, n in (("ours", ours), ("theirs", theirs)) if n}, {})
        mine = cards.draw(table, why="card", rule="PAY-059") == "ours"
        slate.values = (ours - mine, theirs, first + mine, not mine)

    leg = slate_leg(*[stage] * facts.ours, first=(facts.ours, facts.theirs, 0, False))
    return [Leg(leg.start, leg.stages, leg.key, lambda slate: slate.values[2])]


PROCEDURES = (
    Procedure(
        "move",
        "PAY-069",
        "Whether a roll reaches",
        MoveFacts,
        MoveOutcome,
        move_legs,
        lambda r: MoveOutcome(*r),
    ),
    Procedure(
        "card_order",
        "PAY-059",
        "Whose cards come up first",
        CardOrderFacts,
        CardOrderOutcome,
        card_order_legs,
        CardOrderOutcome,
    ),
)
