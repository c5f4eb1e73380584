"""Odds of move rolls and of the card order (PAY-059, PAY-066 to PAY-075)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from zareba.chance import random_draw
from zareba.odds import SmallBattle
from zareba.rules import Rules
from zareba.table import Deck, Table
from zareba_rulesets.paychest.chapters.movement import factor, may_run, roll_allowance
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.odds.stage import PROCEDURES, Inches, Men, set_condition, two_figures

_MEN_AND_ANIMALS = ("foot", "horse", "camel", "pack")


@dataclass(frozen=True)
class MoveFacts:
    """One roll for advancing and running figures of one type, and the distances they should cover (PAY-069, PAY-072).

    `leg_wound` applies on foot only, not to riders (PAY-078, PAY-123). `loaded` applies to figures and animals; guns
    and conveyances carry loads at full speed. Figures that may not run never cover the run distance.
    """

    mover: Literal[
        "foot", "horse", "camel", "pack", "gun_by_hand", "gun_limbered", "wagon", "carriage", "tractor", "flyer"
    ] = "foot"
    advance_inches: Inches = 0.0
    run_inches: Inches = 0.0
    loaded: bool = False
    leg_wound: bool = False


@dataclass(frozen=True)
class CardOrderFacts:
    """Cards of both sides in the turn deck (PAY-059)."""

    ours: Men = 2
    theirs: Men = 2


@PROCEDURES.register("PAY-069", advance_reaches=bool, run_reaches=bool)
def move(rules: Rules, facts: MoveFacts) -> SmallBattle:
    """Distance covered by a move roll.

    True for a gait if the roll covers its distance.
    """
    battle = two_figures(rules, "regular")
    figure = battle.figure("unit.1")
    figure.loads = ("unit.2",) if facts.loaded and facts.mover in _MEN_AND_ANIMALS else ()
    if facts.mover == "foot":
        set_condition(battle.book, figure, facts)
    times = factor(battle, figure)
    runs = facts.run_inches > 0 and may_run(battle, figure) and battle.book.movers[facts.mover].run > 0

    def act(table: Table, battle: Battle, _: None) -> tuple[bool, bool]:
        advance, run = roll_allowance(table, battle, facts.mover, runs, "unit")
        run_reaches = run * times >= facts.run_inches if runs else facts.run_inches == 0
        return advance * times >= facts.advance_inches, run_reaches

    return SmallBattle(battle, [act])


@PROCEDURES.register("PAY-059", ours_first=int)
def card_order(rules: Rules, facts: CardOrderFacts) -> SmallBattle:
    """Order of the cards.

    The number of our cards that come up before the first of theirs.
    """
    battle = two_figures(rules, "regular")
    battle.cards = Deck({"ours": facts.ours, "theirs": facts.theirs}, {})

    def act(table: Table, battle: Battle, first: int) -> int:
        if "theirs" in battle.order:
            return first
        battle.order = [str(battle.cards.draw(table, why="card", rule="PAY-059", means=random_draw("who acts next")))]
        return first + (battle.order == ["ours"])

    return SmallBattle(battle, [act] * facts.ours, first=0)
