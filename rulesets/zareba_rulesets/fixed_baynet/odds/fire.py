"""Odds of small-arms fire and counter-attacks (chapters 10, 11 and 13)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from zareba.base.state import facts
from zareba.odds import Formula, SmallBattle, after_steps, count_outcomes, first_option, outcomes_of
from zareba.rules import Rules
from zareba.table import Answer, Choose, Confirm, Draw, Event, Place, Roll, Table
from zareba_rulesets.fixed_baynet.book.dice import HIT, d12_result
from zareba_rulesets.fixed_baynet.chapters.fire.fire import Defence, ShotFacts, Skill, fire_with_man
from zareba_rulesets.fixed_baynet.chapters.fire.hits import FATAL, FELLING, roll_hit_location
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.odds import stage
from zareba_rulesets.fixed_baynet.odds.stage import PROCEDURES, bare_battle, bare_figure, bare_unit, does, passive

__all__ = [
    "DISTANCES",
    "LOSSES",
    "RESULTS",
    "AnswerFacts",
    "ExchangeFacts",
    "Men",
    "losses",
    "shot_by_shot",
    "target_of",
]

Result = Literal["miss", "hit", "critical"]
RESULTS: tuple[Result, ...] = ("miss", "hit", "critical")
Men = Annotated[int, Field(ge=1, le=200)]
HEARD = frozenset({"answer", "located", "shot"})
DISTANCES = {"short": 4.0, "medium": 8.0, "long": 12.0}
"""Distance in inches, centre to centre, at which a pistol fires in each band (Table 4-C)."""
LOSSES = frozenset({"activation.act", "fire.shot", "fire.to_hit", "fire.volley", "hits.strike", "hits.location", "counter_attack.answer", "glory.event", "panic.reaction"})  # fmt: skip
"""Steps that an exact calculation of losses by fire does not run."""


# --- a small table ----------------------------------------------------------------------------------------------------


def target_of(facts: Any, men: int, away: float, *, answers: bool = False, leaders: int = 0, cs: int = 0) -> Unit:
    """Return the target unit: `men` men on one spot, `away` inches north of (100, 10), leaders first.

    Further men of the unit are out of reach, so that the last man does not count as single (FBN-062). The unit answers
    only if `answers` is set.
    """
    in_range = [
        bare_figure(f"man {n + 1}", "blue", 100.0, 10.0 + away, ds=facts.ds, cs=cs, crew=facts.crew, weapon="pistol",
                    role="nco" if n < leaders else "soldier")
        for n in range(men)
    ]  # fmt: skip
    for man in in_range:
        man.locations = frozenset(["chest_light"] * facts.chest)
    others = [bare_figure(f"other {n + 1}", "blue", 1e4, 1e4 + n, weapon="none") for n in range(2)]
    target = bare_unit("target", "blue", [*in_range, *others], facts.formation)
    target.marks = frozenset([*["cluster"] * facts.charging, *["activated"] * (not answers)])
    return target


def firing_line(rules: Rules, facts: ShotFacts, shots: int = 1, men: int = 1, ds: int = 5, **target: Any) -> Battle:
    """Return a battle in which `shots` men with pistols, on one spot, face a unit of `men` men."""
    away = DISTANCES[facts.band] + facts.saddle / 4
    firers = [
        bare_figure(f"firer {n + 1}", "red", 100.0, 10.0, cs=facts.cs, ds=ds, sniper=facts.sniper, weapon="pistol", mounted=facts.saddle)
        for n in range(shots)
    ]  # fmt: skip
    field = stage.sheltered(rules, (100.0, 10.0 + away), facts.cv)
    battle = bare_battle(rules, [bare_unit("firer", "red", firers), target_of(facts, men, away, **target)], field)
    battle.book.settings = battle.book.settings.but(figures_block_los=False)  # no figure blocks the line
    battle.night = facts.dark
    return battle


# --- one man's shot ---------------------------------------------------------------------------------------------------


@facts
class ExchangeFacts(ShotFacts):
    """A shot at a soldier who may answer: printed DS of the firer, CS of the man who answers (FBN-097)."""

    firer_ds: Defence = 5
    target_cs: Skill = 0


@dataclass(frozen=True)
class AnswerFacts:
    """A counter-attack alone: CS of the man who was hit, printed DS of the firer (FBN-097)."""

    cs: Skill = 0
    ds: Defence = 5


def _best(events: Iterable[Event], kind: str, figure: str) -> Result:
    """Return the best result among the recorded shots or answers of a man."""
    found = (int(one.data["result"]) for one in events if one.kind == kind and one.data["figure"] == figure)
    return RESULTS[max(found, default=0)]


def _one_shot(rules: Rules, facts: ShotFacts, outcome: Callable[[Battle, Any], Any], **line: Any) -> SmallBattle:
    """Return the situation of one man's shot at another, who answers if he may.

    The outcome is read from the emitted events.
    """

    def shoot(table: Table, battle: Battle, _: None) -> Sequence[Event]:
        unit = battle.units.change("firer")
        fire_with_man(table, battle, unit, unit.figures["firer 1"])
        return tuple(event for event in table.events if event.kind in HEARD)

    def answer(question: Choose | Place | Confirm, battle: Battle) -> Answer:
        return line.get("answers", False) if isinstance(question, Confirm) else first_option(question)

    return SmallBattle(firing_line(rules, facts, **line), [shoot], outcome, answer=answer, hears=HEARD)


def _result(_: Battle, events: Sequence[Event]) -> Result:
    return _best(events, "shot", "firer 1")


@PROCEDURES.of("FBN-082", result=Result)
def shot(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """One shot of a small arm at a man.

    A critical is a bloody death.
    """
    return _one_shot(rules, facts, _result)


@PROCEDURES.of("FBN-125", location=str, in_play=bool)
def hero_shot(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """One shot at a hero, with the hit location.

    The result: "miss", a location or "critical"; and if he is still in play.
    """

    def outcome(battle: Battle, events: Sequence[Event]) -> tuple[str, bool]:
        located, result = (
            [str(one.data["location"]) for one in events if one.kind == "located"],
            _result(battle, events),
        )
        place = located[0] if result == "hit" and located else result
        return place, place not in (*FATAL, "critical")

    return _one_shot(rules, facts, outcome, leaders=1)


@PROCEDURES.of("FBN-096", target=Result, firer=Result)
def exchange(rules: Rules, facts: ExchangeFacts) -> SmallBattle:
    """A shot and its counter-attack.

    The results for the target (by the shot) and for the firer (by the answer): miss, hit or critical each.
    """

    def outcome(battle: Battle, events: Sequence[Event]) -> tuple[Result, Result]:
        return _result(battle, events), _best(events, "answer", "man 1")

    sign = -1 if rules.settings["sign_reading"] == "sense" else 1
    cs = facts.target_cs - sign * facts.chest  # his CS for the counter-attack includes the wound (FBN-130)
    return _one_shot(rules, facts, outcome, ds=facts.firer_ds, answers=True, cs=cs)


@PROCEDURES.of("FBN-097", result=Result)
def counter_attack(rules: Rules, facts: AnswerFacts) -> SmallBattle:
    """The counter-attack of a man who was hit."""

    def settled(question: Roll | Draw) -> Answer | None:
        return HIT if question.why == "shot" else None

    whole = exchange(rules, ExchangeFacts(5, firer_ds=facts.ds, target_cs=facts.cs))
    return replace(whole, settled=settled, outcome=lambda battle, events: whole.outcome(battle, events)[1])


# --- volleys ----------------------------------------------------------------------------------------------------------


@facts
class VolleyFacts(ShotFacts):
    """`shots` at a unit of `men` soldiers who do not answer. Shots stop when all are down (FBN-092)."""

    shots: Men = 10
    men: Men = 10


class Losses(NamedTuple):
    """Men down in all; how many of them died a bloody death, and how many are leaders."""

    down: int
    bloody: int
    leaders: int = 0


def losses(battle: Battle, _: object = None) -> Losses:
    """Return the losses of the target."""
    fallen = [one for one in battle.fallen if one.unit == "target"]
    bloody, leaders = (not one.curable for one in fallen), (battle.specs[one.figure].leads for one in fallen)
    return Losses(len(fallen), sum(bloody), sum(leaders))


def places(rules: Rules, need: int, leader: bool = False) -> dict[str, Fraction]:
    """Return the chances that a shot with this number needed misses, hits or is critical.

    With `leader`, hits are split by hit location (FBN-125).
    """

    def shoot(table: Table, battle: Battle, _: None) -> str:
        result = RESULTS[d12_result(table, need, why="shot", rule="FBN-082", actor="firer")]
        return roll_hit_location(table, battle.book, "leader") if leader and result == "hit" else result

    return count_outcomes(rules, SmallBattle(bare_battle(rules), [shoot]))


def shot_by_shot(rules: Rules, facts: Any, shots: int, leader: bool = False) -> dict[Losses, Fraction]:
    """Return the exact losses from shots at `men`, the first of them a leader if `leader`.

    Men fall, lie down out of aim, or take a chest wound (FBN-052, FBN-130).
    """
    need, felling = rules.tally("fire", facts).total, FELLING if rules.settings["prone_untargetable"] else ()
    wounded = rules.tally("fire", replace(facts, chest=True)).total
    man, first, again = places(rules, need), places(rules, need, leader=True), places(rules, wounded, leader=True)

    def shoot(state: tuple[Losses, str, bool]) -> Iterator[tuple[tuple[Losses, str, bool], Fraction]]:
        fallen, aimed, lies = state
        if facts.men == fallen.down + lies:
            yield state, Fraction(1)
            return
        for place, p in (man if not aimed else again if aimed == "wounded" else first).items():
            falls, bloody = place in (*FATAL, "critical", "hit"), place in (*FATAL, "critical")
            now = Losses(fallen.down + falls, fallen.bloody + bloody, fallen.leaders + bool(falls and aimed))
            stays = "" if falls or place in felling else "wounded" if place == "chest_light" else aimed
            yield (now, stays, lies or place in felling), p

    aimed = ("wounded" if facts.chest else "upright") if leader else ""
    return outcomes_of(after_steps((Losses(0, 0), aimed, False), [shoot] * shots), lambda state: state[0])


def _volley_by_shots(rules: Rules, facts: VolleyFacts) -> dict[Losses, Fraction]:
    return shot_by_shot(rules, facts, facts.shots)


@PROCEDURES.of("FBN-092", closed=Formula(_volley_by_shots, LOSSES), down=int, bloody=int, leaders=int)
def volley(rules: Rules, facts: VolleyFacts) -> SmallBattle:
    """Shots at a unit of soldiers.

    Men down in all; how many of them died a bloody death, and how many are leaders.
    """
    battle = firing_line(rules, facts, facts.shots, facts.men)
    return SmallBattle(battle, [does("firer", ("fire", "target"))], losses, answer=passive)
