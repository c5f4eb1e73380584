"""What the procedures of all chapters are built of: legs, bare battles, and the casualty deck as it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.odds import Leg, Slate
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.evenly import even_losses
from zareba_rulesets.paychest.fates import KINDS, Body
from zareba_rulesets.paychest.odds.stage import bare_battle, bare_unit
from zareba_rulesets.paychest.pileup import DeckClasses, group_losses

__all__ = [
    "UNHURT", "Bound", "Cover", "DeckFacts", "Fate", "Firers", "Gait", "Hits", "Inches", "Kind", "Men", "Shots", "Skill", "Still", "VolleyHits", "Wounds", "counted_leg",
    "deck_of", "kinds_of", "lone", "losses", "result_leg", "told", "volley_leg", "word_of",
]  # fmt: skip

Kind = Literal["regular", "irregular"]
Gait = Literal["halt", "advance", "run"]
Cover = Literal["none", "soft", "hard"]
Skill = Annotated[int, Field(ge=0, le=12)]
Men = Annotated[int, Field(ge=1, le=200)]
Firers = Annotated[int, Field(ge=1, le=40)]  # one unit's men (PAY-030)
Hits = Annotated[int, Field(ge=0, le=200)]
VolleyHits = Annotated[int, Field(ge=0, le=40)]  # of one unit's volley
Shots = Annotated[int, Field(ge=1, le=5)]
Wounds = Annotated[int, Field(ge=0, le=10)]
Cards = Annotated[int, Field(ge=0, le=52)]
Inches = Annotated[float, Field(ge=0, le=400)]
Fate = Literal["killed", "unconscious", "cannot walk", "wounded", "unhurt"]
UNHURT: Fate = "unhurt"


@dataclass(frozen=True)
class DeckFacts:
    """The casualty deck as it stands: cards left of each class (PAY-116); all 52 unless told otherwise."""

    head_killed: Cards = 4
    head_unconscious: Cards = 2
    head_graze: Cards = 2
    chest_killed: Cards = 6
    chest_body_wound: Cards = 6
    belly_killed: Cards = 2
    belly_unconscious: Cards = 2
    belly_body_wound: Cards = 2
    belly_graze: Cards = 2
    arm_smashed: Cards = 6
    arm_wound: Cards = 3
    arm_graze: Cards = 3
    leg_crippled: Cards = 6
    leg_wound: Cards = 6


def counted_leg(chances: Mapping[Any, Fraction]) -> Leg:
    """A leg of one draw from outcomes that were counted exactly."""
    whole = lcm(*(chance.denominator for chance in chances.values()))
    names = {str(number): outcome for number, outcome in enumerate(chances)}
    weights = {
        name: chances[outcome].numerator * (whole // chances[outcome].denominator) for name, outcome in names.items()
    }

    def take(table: Table, slate: Slate) -> None:
        slate.values = (names[table.draw(weights, why="outcome", rule="PAY-105")],)

    return Leg(Slate, [take], lambda slate: slate.values, lambda slate: slate.values[0])


def deck_of(rules: Rules, facts: DeckFacts) -> dict[str, int]:
    """The casualty deck of some facts, by class; classes that a house rule added are full."""
    full = PaychestBook(rules).full_deck()
    return {name: getattr(facts, name, copies) for name, copies in full.items() if getattr(facts, name, copies)}


def kinds_of(rules: Rules, facts: DeckFacts) -> DeckClasses:
    """The deck in the kinds of cards that differ in what becomes of a man."""
    book = PaychestBook(rules)

    def counts(deck: Mapping[str, int]) -> tuple[int, ...]:
        found = dict.fromkeys(KINDS, 0)
        for name, copies in deck.items():
            result = book.cards[name].result
            found[result if result in found else "wound"] += copies
        return tuple(found.values())

    again = book.settings.casualty_reshuffle == "every_card"
    return DeckClasses(counts(deck_of(rules, facts)), counts(book.full_deck()), again)


def classes_of(rules: Rules, facts: DeckFacts) -> DeckClasses:
    """The deck in the four classes that decide who is out of action: kill, knock out, wound, graze."""
    return kinds_of(rules, facts).of((0,), (1,), (2, 3, 4), (5,))


def losses(rules: Rules, facts: DeckFacts, men: int, hits: Mapping[int, Fraction]) -> Leg:
    collapse = rules.settings["collapse_at_wounds"]
    return counted_leg(group_losses(classes_of(rules, facts), men, hits, collapse))


def volley_leg(rules: Rules, facts: DeckFacts, men: int, hits: Mapping[int, Fraction]) -> Leg:
    """What a volley of small arms does, its hits spread at random or evenly (PAY-105); `hits`: number -> chance."""
    if rules.settings["hit_spread"] == "random":
        return losses(rules, facts, men, hits)
    return counted_leg(even_losses(classes_of(rules, facts), men, hits, rules.settings["collapse_at_wounds"]))


def word_of(body: Body) -> Fate:
    """What has become of a man, in a word."""
    if body.fate == "dead":
        return "killed"
    if body.fate == "unconscious":
        return "unconscious"
    if body.lame:
        return "cannot walk"
    return "wounded" if body.wounds else UNHURT


def lone(rules: Rules, kind: str, figures: int = 1) -> Battle:
    """A unit far from both edges, so that forced moves matter no more than their result."""
    unit = bare_unit("unit", "red", [(10.0 + 2 * i, 24.0) for i in range(figures)], kind=kind)
    return bare_battle(rules, [unit])


def told(table: Table, kind: str, otherwise: str) -> str:
    """The result that the last event of a kind told; enumeration runs one path at a time."""
    return next((str(event.data["result"]) for event in reversed(table.events) if event.kind == kind), otherwise)


def result_leg(rules: Rules, kind: str, roll: Callable[[Table, Battle], bool]) -> Leg:
    """A leg for a roll that a unit passes, or whose second roll or order says what follows."""

    def stage(table: Table, battle: Battle) -> None:
        passed = roll(Still(table), battle)
        unit = battle.unit("unit")
        battle.order = [
            "passes" if passed else told(table, "second morale roll", unit.rout or unit.pending or "inactive")
        ]

    return Leg(lambda: lone(rules, kind), [stage], lambda b: b.order[0], lambda b: b.order[0])


class Still(Table):
    """A table on which nobody runs: forced moves count no inches, for their result is all that is asked."""

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        super().__init__(table.rules, table.state)
        self._table = table
        self.events = table.events

    def answer(self, question: Any) -> Any:
        """As the table beneath, but no dice for how far or who runs."""
        if question.why == "forced move":
            return 0
        if question.why == "stand or run":
            return 6
        return self._table.answer(question)


class Bound(Still):
    """A table on which men may run, but by no inches."""

    __slots__ = ()

    def answer(self, question: Any) -> Any:
        return 0 if question.why == "forced move" else self._table.answer(question)
