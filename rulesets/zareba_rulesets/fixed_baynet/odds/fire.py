"""Odds of small arms and answers (chapters 10, 11 and 13), built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_letters
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.state import facts
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.fixed_baynet.book import FbnBook
from zareba_rulesets.fixed_baynet.counter_attack import CounterFacts, answer_roll
from zareba_rulesets.fixed_baynet.dice import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.fire import Defence, ShotFacts, Skill, to_hit
from zareba_rulesets.fixed_baynet.hits import FATAL, FELLING, hit_location

__all__ = [
    "FIRE_PROCEDURES",
    "KINDS",
    "NOBODY",
    "AnswerFacts",
    "ExchangeFacts",
    "Men",
    "MixedVolleyFacts",
    "Result",
    "VolleyFacts",
    "aim_of",
    "falls",
    "fire_tally",
]

Result = Literal["miss", "hit", "critical"]
RESULTS: tuple[Result, ...] = ("miss", "hit", "critical")
Men = Annotated[int, Field(ge=1, le=200)]
KINDS, NOBODY = ascii_letters, "-"


def aim_of(shot: ShotFacts) -> dict[str, Any]:
    """The facts of a shot in play by name, for any of the facts below."""
    return {name: getattr(shot, name) for name in ShotFacts.__dataclass_fields__}


def fire_tally(rules: Rules, facts: Any) -> list[Tally]:
    return [rules.tally("fire", facts)]


@dataclass(frozen=True)
class ShotOutcome:
    """A critical is a bloody death."""

    result: Result


def _shot_legs(rules: Rules, facts: ShotFacts) -> list[Leg]:
    def shoot(table: Table, slate: Slate) -> None:
        slate.values = (RESULTS[to_hit(table, facts, "firer")],)

    return [slate_leg(shoot)]


@facts
class VolleyFacts(ShotFacts):
    """`shots` at a unit of `men` soldiers; shots are made until all are down (FBN-092)."""

    shots: Men = 10
    men: Men = 10


@dataclass(frozen=True)
class VolleyOutcome:
    """Men down in all, and those of them who died a bloody death."""

    down: int
    bloody: int


def _volley_legs(rules: Rules, facts: VolleyFacts) -> list[Leg]:
    def shoot(table: Table, slate: Slate) -> None:
        down, bloody = slate.values
        if down < facts.men:
            result = to_hit(table, facts, "firer")
            slate.values = (down + (result > 0), bloody + (result == CRITICAL))

    return [slate_leg(*[shoot] * facts.shots, first=(0, 0))]


@dataclass(frozen=True)
class MixedVolleyFacts:
    """Shots of several kinds at one unit, in the order in which they are made (FBN-092).

    `needs`: the number that each kind needs on the D12; the kinds are called a, b, c ...; `leaders`: for each leader those
    that are aimed at him. `shots`: of what kind each is while none, one, two ... of the soldiers are down, "-" where it
    finds nobody, as beyond the end. With a leader "abb/bbb": first while he is in aim, then while he is not; with two
    while both are, the first is not, the second is not, neither is.
    """

    needs: tuple[int, ...] = (4, 5, 5)
    leaders: tuple[str, ...] = ("c",)
    shots: tuple[str, ...] = ("a/a", "ac/ab", "bcc/bbb")


@dataclass(frozen=True)
class MixedVolleyOutcome:
    """Soldiers down, and leaders out of play."""

    down: int
    leaders: int


def _mixed_volley_legs(rules: Rules, facts: MixedVolleyFacts) -> list[Leg]:
    book, needs = FbnBook(rules), dict(zip(KINDS, facts.needs, strict=False))
    unknown = sorted(set("".join((*facts.shots, *facts.leaders))) - {*needs, NOBODY, "/"})
    if unknown:
        raise ZarebaError(f"no kind of shot is called '{unknown[0]}'; those of needs are {', '.join(needs)}")
    bit_of = {kind: 1 << number for number, kinds in enumerate(facts.leaders) for kind in kinds}

    def shot_of(shot: str) -> Callable[[Table, Slate], None]:
        aims = shot.split("/")

        def shoot(table: Table, slate: Slate) -> None:
            down, absent, gone = slate.values
            kinds = aims[absent] if absent < len(aims) else ""
            kind = kinds[down] if down < len(kinds) else NOBODY
            if kind == NOBODY:
                return
            result = d12_result(table, needs[kind], why="shot", rule="FBN-082", actor="firer")
            bit = bit_of.get(kind, 0)
            if not bit:
                slate.values = (down + (result > 0), absent, gone)
                return
            fate = hit_location(table, book, "leader") if result and result != CRITICAL else ""
            if result == CRITICAL or fate in FATAL:
                slate.values = (down, absent | bit, gone + 1)
            elif fate in FELLING and rules.settings["prone_untargetable"]:
                slate.values = (down, absent | bit, gone)  # he lies out of aim (FBN-052)

        return shoot

    return [slate_leg(*map(shot_of, facts.shots), first=(0, 0, 0))]


def _mixed_volley_outcome(values: tuple[int, int, int]) -> MixedVolleyOutcome:
    down, _, gone = values
    return MixedVolleyOutcome(down, gone)


@dataclass(frozen=True)
class HeroOutcome:
    """Where a hero was hit: "miss", a location, or "critical"; whether he is still in play."""

    location: str
    in_play: bool


def falls(table: Table, book: FbnBook, result: int, leader: bool) -> bool:
    """Whether a result of the D12 takes a man out of play: a leader who is hit rolls where (FBN-125, FBN-126)."""
    return result == CRITICAL or (result > 0 and (not leader or hit_location(table, book, "leader") in FATAL))


def _hero_legs(rules: Rules, facts: ShotFacts) -> list[Leg]:
    book = FbnBook(rules)

    def shoot(table: Table, slate: Slate) -> None:
        slate.values = (RESULTS[to_hit(table, facts, "firer")],)

    def locate(table: Table, slate: Slate) -> None:
        (result,) = slate.values
        if result == "hit":
            result = hit_location(table, book, "hero")
        slate.values = (result, result not in (*FATAL, "critical"))

    return [slate_leg(shoot, locate)]


@facts
class ExchangeFacts(ShotFacts):
    """A shot at a soldier who may answer: printed DS of the firer, CS of the man who answers (FBN-097)."""

    firer_ds: Defence = 5
    target_cs: Skill = 0


@dataclass(frozen=True)
class ExchangeOutcome:
    """What became of the target by the shot, and of the firer by the answer: miss, hit or critical each."""

    target: Result
    firer: Result


def _exchange_legs(rules: Rules, facts: ExchangeFacts) -> list[Leg]:
    def shoot(table: Table, slate: Slate) -> None:
        slate.values = (RESULTS[to_hit(table, facts, "firer")],)

    def answer(table: Table, slate: Slate) -> None:
        (result,) = slate.values
        back: Result = "miss"
        if result == "hit" and table.rules.settings["counter_attack"] == "wounded":
            back = RESULTS[answer_roll(table, CounterFacts(facts.target_cs, facts.firer_ds), "target")]
        slate.values = (result, back)

    return [slate_leg(shoot, answer)]


@dataclass(frozen=True)
class AnswerFacts:
    """The answer alone: CS of the man who was hit, printed DS of the one who shot (FBN-097)."""

    cs: Skill = 0
    ds: Defence = 5


def _answer_legs(rules: Rules, facts: AnswerFacts) -> list[Leg]:
    def answer(table: Table, slate: Slate) -> None:
        slate.values = (RESULTS[answer_roll(table, CounterFacts(facts.cs, facts.ds), "target")],)

    return [slate_leg(answer)]


FIRE_PROCEDURES = (
    Procedure(
        "shot", "FBN-082", "one shot of a small arm at a man",
        ShotFacts, ShotOutcome, _shot_legs, tallies=fire_tally,
    ),
    Procedure(
        "volley", "FBN-092", "shots at a unit of soldiers",
        VolleyFacts, VolleyOutcome, _volley_legs, tallies=fire_tally,
    ),
    Procedure(
        "mixed_volley", "FBN-092", "shots of several kinds at a unit",
        MixedVolleyFacts, MixedVolleyOutcome, _mixed_volley_legs, _mixed_volley_outcome,
    ),
    Procedure(
        "hero_shot", "FBN-125", "one shot at a hero, with its location",
        ShotFacts, HeroOutcome, _hero_legs, tallies=fire_tally,
    ),
    Procedure(
        "exchange", "FBN-096", "a shot and its counter-attack",
        ExchangeFacts, ExchangeOutcome, _exchange_legs, tallies=fire_tally,
    ),
    Procedure(
        "counter_attack", "FBN-097", "the answer of a man who was hit",
        AnswerFacts, ShotOutcome, _answer_legs,
    ),
)  # fmt: skip
