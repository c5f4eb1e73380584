"""What the procedures of all chapters are built of: legs, bare battles, and the casualty deck as it stands."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.errors import ZarebaError, unknown_name
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
    "UNHURT", "Bound", "Cover", "DeckFacts", "Fate", "Firers", "Gait", "Hits", "Inches", "Kind", "Men", "Shots", "Skill", "Still", "StruckFacts", "VolleyHits", "Wounds", "counted_leg",
    "deck_of", "kinds_of", "lone", "losses", "result_leg", "shown", "shown_to_fire", "told", "volley_leg", "word_of",
]  # fmt: skip

Kind = Literal["regular", "irregular"]
Gait = Literal["halt", "advance", "run"]
Cover = Literal["none", "soft", "hard"]
Exposure = Literal["open", "low_wall", "parapet", "wagon"]
Skill = Annotated[int, Field(ge=0, le=12)]
Men = Annotated[int, Field(ge=1, le=200)]
Firers = Annotated[int, Field(ge=1, le=40)]  # one unit's men (PAY-030)
Hits = Annotated[int, Field(ge=0, le=200)]
VolleyHits = Annotated[int, Field(ge=0, le=40)]  # of one unit's volley
Shots = Annotated[int, Field(ge=1, le=5)]
Wounds = Annotated[int, Field(ge=0, le=10)]
Inches = Annotated[float, Field(ge=0, le=400)]
Fate = Literal["killed", "unconscious", "cannot walk", "wounded", "unhurt"]
UNHURT: Fate = "unhurt"


@dataclass(frozen=True)
class DeckFacts:
    """`drawn`: the casualty cards that are out of the pile, by class, each as often as it was drawn (PAY-116, PAY-117)."""

    drawn: tuple[str, ...] = ()


@dataclass(frozen=True)
class StruckFacts(DeckFacts):
    """`exposure`: what of the men shows where a card must name an exposed part of the body (PAY-187, Table 7)."""

    exposure: Exposure = "open"


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
    """The casualty deck of some facts, by class: the pack without the cards that are out."""
    left = PaychestBook(rules).full_deck()
    for card in facts.drawn:
        if card not in left:
            raise unknown_name("casualty card", card, left)
        left[card] -= 1
        if left[card] < 0:
            raise ZarebaError(f"the pack does not hold so many cards '{card}': drawn (PAY-116)")
    return left


def kinds_of(rules: Rules, facts: DeckFacts, exposed: Container[str] | None = None) -> DeckClasses:
    """The deck in the kinds of cards that differ in what becomes of a man; one for a part not `exposed` does nothing."""
    book = PaychestBook(rules)

    def counts(deck: Mapping[str, int]) -> tuple[int, ...]:
        found = dict.fromkeys(KINDS, 0)
        for name, copies in deck.items():
            card = book.cards[name]
            kind = card.result if card.result in found else "wound"
            found[kind if exposed is None or card.location in exposed else "graze"] += copies
        return tuple(found.values())

    again = book.settings.casualty_reshuffle == "every_card"
    return DeckClasses(counts(deck_of(rules, facts)), counts(book.full_deck()), again)


def losses(
    rules: Rules, facts: DeckFacts, men: int, hits: Mapping[int, Fraction], exposed: Container[str] | None = None
) -> Leg:
    """What hits that fall at random do to fresh men; `hits`: number -> chance."""
    return counted_leg(group_losses(_classes(rules, facts, exposed), men, hits, rules.settings["collapse_at_wounds"]))


def _classes(rules: Rules, facts: DeckFacts, exposed: Container[str] | None) -> DeckClasses:
    """The deck in the four classes that decide who is out of action: kill, knock out, wound, graze."""
    return kinds_of(rules, facts, exposed).of((0,), (1,), (2, 3, 4), (5,))


def volley_leg(
    rules: Rules, facts: DeckFacts, men: int, hits: Mapping[int, Fraction], exposed: Container[str] | None
) -> Leg:
    """What a volley of small arms does, its hits spread at random or evenly (PAY-105); `hits`: number -> chance."""
    if rules.settings["hit_spread"] == "random":
        return losses(rules, facts, men, hits, exposed)
    deck = _classes(rules, facts, exposed)
    return counted_leg(even_losses(deck, men, hits, rules.settings["collapse_at_wounds"]))


def shown_to_fire(rules: Rules, facts: StruckFacts) -> Container[str] | None:
    """The parts of the body that count under fire of small arms; None: all of them (PAY-188)."""
    if rules.settings["exposure_check"] == "guns_only":
        return None
    return shown(rules, facts)


def shown(rules: Rules, facts: StruckFacts) -> Container[str]:
    """The parts of the body that show (PAY-187)."""
    return PaychestBook(rules).exposed[facts.exposure]


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
