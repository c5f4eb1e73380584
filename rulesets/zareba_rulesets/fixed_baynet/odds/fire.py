"""The odds of small arms and answers (chapters 10, 11 and 13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.state import facts
from zareba.odds import Closed, Situation, added, chained, counted, first_option
from zareba.rules import Rules
from zareba.table import Answer, Choose, Confirm, Draw, Place, Roll, Table
from zareba_rulesets.fixed_baynet.book.dice import HIT, d12_result
from zareba_rulesets.fixed_baynet.chapters.fire.fire import Defence, ShotFacts, Skill, fire_single
from zareba_rulesets.fixed_baynet.chapters.fire.hits import FATAL, FELLING, hit_location
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.odds.stage import (
    PROCEDURES,
    bare_battle,
    bare_figure,
    bare_unit,
    does,
    passive,
    sheltered,
)

__all__ = ["DISTANCES", "LOSSES", "RESULTS", "AnswerFacts", "ExchangeFacts", "ExchangeOutcome", "HeroOutcome", "Men", "ShotOutcome", "losses", "shot_by_shot", "target_of"]  # fmt: skip

Result = Literal["miss", "hit", "critical"]
RESULTS: tuple[Result, ...] = ("miss", "hit", "critical")
Men = Annotated[int, Field(ge=1, le=200)]
HEARD = frozenset({"answer", "located", "shot"})
DISTANCES = {"short": 4.0, "medium": 8.0, "long": 12.0}
"""Inches from middle to middle at which a pistol fires in each band (Table 4-C)."""
LOSSES = frozenset({"activation.act", "fire.shot", "fire.to_hit", "fire.volley", "hits.strike", "hits.location", "counter_attack.answer", "glory.event", "panic.reaction"})  # fmt: skip
"""What a calculation of losses by fire does not run."""


# --- a small table ----------------------------------------------------------------------------------------------------


def target_of(facts: Any, men: int, away: float, *, answers: bool = False, leaders: int = 0, cs: int = 0) -> Unit:
    """The unit that some facts describe: so many men on one spot, `away` inches north of (100, 10), leaders first.

    Others of it are out of reach, that a last man is not single (FBN-062). It may answer if it is said so.
    """
    there = [
        bare_figure(f"man {n + 1}", "blue", 100.0, 10.0 + away, ds=facts.ds, cs=cs, crew=facts.crew, weapon="pistol",
                    role="nco" if n < leaders else "soldier")
        for n in range(men)
    ]  # fmt: skip
    for man in there:
        man.locations = frozenset(["chest_light"] * facts.chest)
    others = [bare_figure(f"other {n + 1}", "blue", 1e4, 1e4 + n, weapon="none") for n in range(2)]
    target = bare_unit("target", "blue", [*there, *others], facts.formation)
    target.marks = frozenset([*["cluster"] * facts.charging, *["activated"] * (not answers)])
    return target


def firing_line(rules: Rules, facts: ShotFacts, shots: int = 1, men: int = 1, ds: int = 5, **target: Any) -> Battle:
    """`shots` men with pistols, on one spot, before a unit of so many men in the cover and the light of a shot's facts."""
    away = DISTANCES[facts.band] + facts.saddle / 4
    firers = [
        bare_figure(f"firer {n + 1}", "red", 100.0, 10.0, cs=facts.cs, ds=ds, sniper=facts.sniper, weapon="pistol", mounted=facts.saddle)
        for n in range(shots)
    ]  # fmt: skip
    field = sheltered(rules, (100.0, 10.0 + away), facts.cv)
    battle = bare_battle(rules, [bare_unit("firer", "red", firers), target_of(facts, men, away, **target)], field)
    battle.book.settings = replace(battle.book.settings, figures_block_los=False)  # nobody stands in the way
    battle.night = facts.dark
    return battle


# --- one man's shot ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ShotOutcome:
    """A critical is a bloody death."""

    result: Result


@dataclass(frozen=True)
class HeroOutcome:
    """Where a hero was hit: "miss", a location, or "critical"; whether he is still in play."""

    location: str
    in_play: bool


@dataclass(frozen=True)
class ExchangeOutcome:
    """What became of the target by the shot, and of the firer by the answer: miss, hit or critical each."""

    target: Result
    firer: Result


@facts
class ExchangeFacts(ShotFacts):
    """A shot at a soldier who may answer: printed DS of the firer, CS of the man who answers (FBN-097)."""

    firer_ds: Defence = 5
    target_cs: Skill = 0


@dataclass(frozen=True)
class AnswerFacts:
    """The answer alone: CS of the man who was hit, printed DS of the one who shot (FBN-097)."""

    cs: Skill = 0
    ds: Defence = 5


def told(table: Table, kind: str, figure: str) -> Result:
    """The best result of those that have been told of a man's shots or answers."""
    found = (event.data for event in table.events if event.kind == kind)
    return RESULTS[max((int(one["result"]) for one in found if one["figure"] == figure), default=0)]


def _one_shot(rules: Rules, facts: ShotFacts, kind: type, **line: Any) -> Situation:
    """One man's shot at another, in an exchange with his answer."""

    def shoot(table: Table, battle: Battle, _: None) -> Any:
        unit = battle.units.change("firer")
        fire_single(table, battle, unit, unit.figures["firer 1"])
        result = told(table, "shot", "firer 1")
        if kind is HeroOutcome:
            located = [str(event.data["location"]) for event in table.events if event.kind == "located"]
            place = located[0] if result == "hit" and located else result
            return HeroOutcome(place, place not in (*FATAL, "critical"))
        return ShotOutcome(result) if kind is ShotOutcome else ExchangeOutcome(result, told(table, "answer", "man 1"))

    def answer(question: Choose | Place | Confirm, battle: Battle) -> Answer:
        return kind is ExchangeOutcome if isinstance(question, Confirm) else first_option(question)

    return Situation(firing_line(rules, facts, **line), [shoot], answer=answer, hears=HEARD)


@PROCEDURES.of("FBN-082", ShotOutcome)
def shot(rules: Rules, facts: ShotFacts) -> Situation:
    """One shot of a small arm at a man."""
    return _one_shot(rules, facts, ShotOutcome)


@PROCEDURES.of("FBN-125", HeroOutcome)
def hero_shot(rules: Rules, facts: ShotFacts) -> Situation:
    """One shot at a hero, with its location."""
    return _one_shot(rules, facts, HeroOutcome, leaders=1)


@PROCEDURES.of("FBN-096", ExchangeOutcome)
def exchange(rules: Rules, facts: ExchangeFacts) -> Situation:
    """A shot and its counter-attack."""
    sign = -1 if rules.settings["sign_reading"] == "sense" else 1
    cs = facts.target_cs - sign * facts.chest  # the CS with which he answers counts his wound (FBN-130)
    return _one_shot(rules, facts, ExchangeOutcome, ds=facts.firer_ds, answers=True, cs=cs)


@PROCEDURES.of("FBN-097", ShotOutcome)
def counter_attack(rules: Rules, facts: AnswerFacts) -> Situation:
    """The answer of a man who was hit."""

    def settled(question: Roll | Draw) -> Answer | None:
        return HIT if question.why == "shot" else None

    whole = exchange(rules, ExchangeFacts(5, firer_ds=facts.ds, target_cs=facts.cs))
    return replace(whole, settled=settled, outcome=lambda battle, gave: ShotOutcome(gave.firer))


# --- volleys ----------------------------------------------------------------------------------------------------------


@facts
class VolleyFacts(ShotFacts):
    """`shots` at a unit of `men` soldiers who do not answer; shots are made until all are down (FBN-092)."""

    shots: Men = 10
    men: Men = 10


@dataclass(frozen=True)
class VolleyOutcome:
    """Men down in all; those of them who died a bloody death, and the leaders among them."""

    down: int
    bloody: int
    leaders: int = 0


def losses(battle: Battle, _: object = None) -> VolleyOutcome:
    """The men of the target who have fallen."""
    gone = [one for one in battle.fallen if one.unit == "target"]
    bloody, leaders = (not one.curable for one in gone), (battle.specs[one.figure].leads for one in gone)
    return VolleyOutcome(len(gone), sum(bloody), sum(leaders))


def places(rules: Rules, need: int, leader: bool = False) -> dict[str, Fraction]:
    """How likely a shot that needs so much misses, hits or is critical; where it hits a leader (FBN-125)."""

    def shoot(table: Table, battle: Battle, _: None) -> str:
        result = RESULTS[d12_result(table, need, why="shot", rule="FBN-082", actor="firer")]
        return hit_location(table, battle.book, "leader") if leader and result == "hit" else result

    return counted(rules, Situation(bare_battle(rules), [shoot]))


def shot_by_shot(rules: Rules, facts: Any, shots: int, leader: bool = False) -> dict[VolleyOutcome, Fraction]:
    """Shots at `men` of whom the first is a leader or none is, as they fall, lie down out of aim or take a wound in the chest
    (FBN-052, FBN-130).
    """
    need, felling = rules.tally("fire", facts).total, FELLING if rules.settings["prone_untargetable"] else ()
    wounded = rules.tally("fire", replace(facts, chest=True)).total
    man, first, again = places(rules, need), places(rules, need, leader=True), places(rules, wounded, leader=True)

    def shoot(state: tuple[VolleyOutcome, str, bool]) -> Iterator[tuple[tuple[VolleyOutcome, str, bool], Fraction]]:
        gone, aimed, lies = state
        if facts.men == gone.down + lies:
            yield state, Fraction(1)
            return
        for place, p in (man if not aimed else again if aimed == "wounded" else first).items():
            falls, bloody = place in (*FATAL, "critical", "hit"), place in (*FATAL, "critical")
            now = VolleyOutcome(gone.down + falls, gone.bloody + bloody, gone.leaders + bool(falls and aimed))
            stays = "" if falls or place in felling else "wounded" if place == "chest_light" else aimed
            yield (now, stays, lies or place in felling), p

    aimed = ("wounded" if facts.chest else "upright") if leader else ""
    return added(chained((VolleyOutcome(0, 0), aimed, False), [shoot] * shots), lambda state: state[0])


def _volley_by_shots(rules: Rules, facts: VolleyFacts) -> dict[VolleyOutcome, Fraction]:
    return shot_by_shot(rules, facts, facts.shots)


@PROCEDURES.of("FBN-092", VolleyOutcome, Closed(_volley_by_shots, LOSSES))
def volley(rules: Rules, facts: VolleyFacts) -> Situation:
    """Shots at a unit of soldiers."""
    battle = firing_line(rules, facts, facts.shots, facts.men)
    return Situation(battle, [does("firer", ("fire", "target"))], losses, answer=passive)
