"""Odds of fire, close combat and glory."""

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
from zareba_rulesets.fixed_baynet.book.numbers import HIT, FbnBook, d12_result
from zareba_rulesets.fixed_baynet.chapters.fire import Defence, ShotFacts, Skill, fire_with_man
from zareba_rulesets.fixed_baynet.chapters.hits import FATAL, FELLING, roll_hit_location
from zareba_rulesets.fixed_baynet.chapters.melee import FightFacts, roll_blow_result
from zareba_rulesets.fixed_baynet.chapters.morale import EVENT_RULES, glory_event, roll_recovery, test_glory
from zareba_rulesets.fixed_baynet.chapters.morale import start_panic as panics
from zareba_rulesets.fixed_baynet.chapters.night import roll_to_notice
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.odds import stage
from zareba_rulesets.fixed_baynet.odds.stage import (
    PROCEDURES,
    bare_battle,
    bare_figure,
    bare_unit,
    passive_answer,
    step_of,
)

# --- Odds of small-arms fire and counter-attacks (chapters 10, 11 and 13) ---------------------------------------------


_Result = Literal["miss", "hit", "critical"]
RESULTS: tuple[_Result, ...] = ("miss", "hit", "critical")
Men = Annotated[int, Field(ge=1, le=200)]
RECORDED_EVENTS = frozenset({"answer", "located", "shot"})
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
    field = stage.field_with_cover(rules, (100.0, 10.0 + away), facts.cv)
    battle = bare_battle(rules, [bare_unit("firer", "red", firers), target_of(facts, men, away, **target)], field)
    battle.book.settings = battle.book.settings.with_changes(figures_block_los=False)  # no figure blocks the line
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


def _best(events: Iterable[Event], kind: str, figure: str) -> _Result:
    """Return the best result among the recorded shots or answers of a man."""
    found = (int(event.data["result"]) for event in events if event.kind == kind and event.data["figure"] == figure)
    return RESULTS[max(found, default=0)]


def _one_shot(rules: Rules, facts: ShotFacts, outcome: Callable[[Battle, Any], Any], **line: Any) -> SmallBattle:
    """Return the situation of one man's shot at another, who answers if he may.

    The outcome is read from the emitted events.
    """

    def shoot(table: Table, battle: Battle, _: None) -> Sequence[Event]:
        unit = battle.units.change("firer")
        fire_with_man(table, battle, unit, unit.figures["firer 1"])
        return tuple(event for event in table.events if event.kind in RECORDED_EVENTS)

    def answer(question: Choose | Place | Confirm, battle: Battle) -> Answer:
        return line.get("answers", False) if isinstance(question, Confirm) else first_option(question)

    return SmallBattle(firing_line(rules, facts, **line), [shoot], outcome, answer=answer, kept_events=RECORDED_EVENTS)


def _result(_: Battle, events: Sequence[Event]) -> _Result:
    """Return the result of the shot."""
    return _best(events, "shot", "firer 1")


@PROCEDURES.register("FBN-082", result=_Result)
def shot(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """One shot of a small arm at a man.

    A critical is a bloody death.
    """
    return _one_shot(rules, facts, _result)


@PROCEDURES.register("FBN-125", location=str, in_play=bool)
def hero_shot(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """One shot at a hero, with the hit location.

    The result: "miss", a location or "critical"; and if he is still in play.
    """

    def outcome(battle: Battle, events: Sequence[Event]) -> tuple[str, bool]:
        located, result = (
            [str(event.data["location"]) for event in events if event.kind == "located"],
            _result(battle, events),
        )
        place = located[0] if result == "hit" and located else result
        return place, place not in (*FATAL, "critical")

    return _one_shot(rules, facts, outcome, leaders=1)


@PROCEDURES.register("FBN-096", target=_Result, firer=_Result)
def exchange(rules: Rules, facts: ExchangeFacts) -> SmallBattle:
    """A shot and its counter-attack.

    The results for the target (by the shot) and for the firer (by the answer): miss, hit or critical each.
    """

    def outcome(battle: Battle, events: Sequence[Event]) -> tuple[_Result, _Result]:
        return _result(battle, events), _best(events, "answer", "man 1")

    sign = -1 if rules.settings["sign_reading"] == "sense" else 1
    cs = facts.target_cs - sign * facts.chest  # his CS for the counter-attack includes the wound (FBN-130)
    return _one_shot(rules, facts, outcome, ds=facts.firer_ds, answers=True, cs=cs)


@PROCEDURES.register("FBN-097", result=_Result)
def counter_attack(rules: Rules, facts: AnswerFacts) -> SmallBattle:
    """The counter-attack of a man who was hit."""

    def settled(question: Roll | Draw) -> Answer | None:
        return HIT if question.why == "shot" else None

    whole = exchange(rules, ExchangeFacts(5, firer_ds=facts.ds, target_cs=facts.cs))
    return replace(whole, neutral_answer=settled, outcome=lambda battle, events: whole.outcome(battle, events)[1])


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
    fallen = [casualty for casualty in battle.fallen if casualty.unit == "target"]
    bloody, leaders = (
        (not casualty.curable for casualty in fallen),
        (battle.specs[casualty.figure].leads for casualty in fallen),
    )
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
    """Return the exact losses from a volley."""
    return shot_by_shot(rules, facts, facts.shots)


@PROCEDURES.register("FBN-092", closed=Formula(_volley_by_shots, LOSSES), down=int, bloody=int, leaders=int)
def volley(rules: Rules, facts: VolleyFacts) -> SmallBattle:
    """Shots at a unit of soldiers.

    Men down in all; how many of them died a bloody death, and how many are leaders.
    """
    battle = firing_line(rules, facts, facts.shots, facts.men)
    return SmallBattle(battle, [step_of("firer", ("fire", "target"))], losses, answer=passive_answer)


# --- Odds of close combat (chapter 12) --------------------------------------------------------------------------------


_Blows = Annotated[int, Field(ge=1, le=40)]


@dataclass(frozen=True)
class MeleeFacts:
    """Two fighters: CS, close-combat weapon and the modifiers of each (Table 12-A).

    `trench`: the defender is in a trench and the attacker comes from outside. `doorway`: they fight through a door,
    window or section boundary. `blows` of the attacker follow each other until one of the two is out.
    """

    attacker_cs: Skill = 0
    defender_cs: Skill = 0
    attacker_weapon: bool = False
    defender_weapon: bool = False
    attacker_uphill: bool = False
    defender_uphill: bool = False
    attacker_square: bool = False
    defender_square: bool = False
    attacker_rear: bool = False
    defender_rear: bool = False
    attacker_cover: bool = False
    defender_cover: bool = False
    attacker_rider: bool = False
    defender_rider: bool = False
    attacker_mass: bool = False
    defender_mass: bool = False
    attacker_chest: bool = False
    defender_chest: bool = False
    trench: bool = False
    doorway: bool = False
    defender_harmless: bool = False
    blows: _Blows = 1

    def fighter(self, who: str, both: bool) -> FightFacts:
        """Return the facts of one of the two, as in play.

        In a doorway either the defender is sheltered or `both` are (FBN-256).
        """
        given: dict[str, Any] = {
            name: getattr(self, f"{who}_{name}", False) for name in FightFacts.__dataclass_fields__
        }
        shelter = "cover" if getattr(self, f"{who}_cover") and not self.trench else "none"
        if self.doorway:
            shelter = "doorway" if both or who == "defender" else "none"
        return FightFacts(**{**given, "shelter": shelter, "trench": who if self.trench else "none"})


@PROCEDURES.register("FBN-104", result=str, loser=str)
def close_combat(rules: Rules, facts: MeleeFacts) -> SmallBattle:
    """Blows of one man against another.

    The last result: miss, capture, wound or critical; and the one who suffers it ("" for neither).
    """
    both = rules.settings["doorway_cc"] == "both"
    attacker, defender = facts.fighter("attacker", both), facts.fighter("defender", both)

    def strike(table: Table, battle: Battle, last: tuple[str, str]) -> tuple[str, str]:
        return last if last[1] else roll_blow_result(table, attacker, defender, "attacker", "defender")

    return SmallBattle(bare_battle(rules), [strike] * facts.blows, first=("miss", ""))


# --- Odds of glory, panic, recovery and stumbling at night (chapters 14, 15 and 20) -----------------------------------


Glory = Annotated[int, Field(ge=1, le=7)]
Events = Annotated[int, Field(ge=0, le=6)]
Turns = Annotated[int, Field(ge=1, le=60)]
KINDS = tuple(EVENT_RULES)
_REACTIONS = ("flee", "freeze", "onwards", "prone", "take_cover", "berserk")


@dataclass(frozen=True)
class GloryFacts:
    """A unit over several turns: printed and current GL, and the number of events in the first and each later turn."""

    printed: Glory = 4
    gl: Glory = 4
    events: Events = 1
    later_events: Events = 0
    turns: Turns = 1


def _alone(rules: Rules, now: int = 0, **spec: Any) -> Battle:
    """Return a battle with a unit of one man. `now` is his current GL, if it is not the printed one."""
    battle = bare_battle(rules, [bare_unit("unit", "blue", [bare_figure("man", "blue", 0, 0, **spec)])])
    _man(battle).gl = now or _man(battle).gl
    return battle


def _man(battle: Battle) -> Figure:
    """Return the only man of the unit, ready to be modified."""
    return battle.units.change("unit").figures["man"]


@PROCEDURES.register("FBN-148", gl=int, panicked=bool)
def glory(rules: Rules, facts: GloryFacts) -> SmallBattle:
    """A unit's glory over several turns.

    The glory level after the last Glory phase; 7 is panic.
    """

    def turn(events: int) -> Callable[[Table, Battle, bool], bool]:
        def run(table: Table, battle: Battle, panicked: bool) -> bool:
            man, unit, limit = _man(battle), battle.units["unit"], battle.book.panics_at
            for kind in KINDS[:events]:
                if man.gl < limit:
                    glory_event(table, battle, unit, kind)
            if not panicked and not man.reaction and man.gl < limit:
                test_glory(table, battle, unit)
            unit.events = ()
            over = panicked or bool(man.reaction) or man.gl >= limit
            man.gl = limit if over else man.gl
            return over

        return run

    def settled(question: Roll | Draw) -> int | None:
        return 1 if question.why == "panic" else None

    turns = [turn(facts.events), *[turn(facts.later_events)] * (facts.turns - 1)]
    battle = _alone(rules, facts.gl, gl=facts.printed)
    outcome = lambda battle, over: (_man(battle).gl, over)  # noqa: E731  # as short as what it calls
    return SmallBattle(battle, turns, outcome, first=False, neutral_answer=settled)


@dataclass(frozen=True)
class CheckFacts:
    """A voluntary check (FBN-036): printed and current GL."""

    printed: Glory = 4
    gl: Glory = 6


@PROCEDURES.register("FBN-036", gl=int)
def glory_check(rules: Rules, facts: CheckFacts) -> SmallBattle:
    """A voluntary glory check."""
    battle = _alone(rules, facts.gl, gl=facts.printed)
    outcome = lambda battle, _: _man(battle).gl  # noqa: E731  # as short as what it calls
    return SmallBattle(battle, [step_of("unit", "check glory")], outcome, answer=passive_answer)


@dataclass(frozen=True)
class PanicFacts:
    """`men` of one quality (a column of Table 15-A) who panic together."""

    column: Literal["green", "regular", "elite"] = "green"
    men: Annotated[int, Field(ge=1, le=20)] = 1


def _one_more(counts: tuple[int, ...], reaction: str) -> tuple[int, ...]:
    """Return the numbers of reactions with one more of a kind."""
    return tuple(n + (name == reaction) for name, n in zip(_REACTIONS, counts, strict=True))


def _rows(rules: Rules, facts: PanicFacts) -> dict[tuple[int, ...], Fraction]:
    """Return the exact distribution of reactions, man by man.

    The reroll of FBN-163 may repeat without limit; it amounts to a die with the other rows only.
    """
    again = rules.settings["panic_row_reads"] == "reroll"
    rows = [
        reaction
        for reaction in FbnBook(rules).file.panic[facts.column].reactions
        if not (again and reaction == "freeze")
    ]

    def take_fright(counts: tuple[int, ...]) -> list[tuple[tuple[int, ...], Fraction]]:
        return [(_one_more(counts, row), Fraction(1, len(rows))) for row in rows]

    nobody: tuple[int, ...] = (0,) * len(_REACTIONS)
    return after_steps(nobody, [take_fright] * facts.men)


@PROCEDURES.register(
    "FBN-163",
    closed=Formula(_rows, frozenset({"panic.reaction"})),
    flee=int,
    freeze=int,
    onwards=int,
    prone=int,
    take_cover=int,
    berserk=int,
)
def panic(rules: Rules, facts: PanicFacts) -> SmallBattle:
    """Reactions of men in panic.

    The number of men with each reaction.
    """
    alone = _alone(rules, column=facts.column)

    def take_fright(table: Table, battle: Battle, counts: tuple[int, ...]) -> tuple[int, ...]:
        man = _man(battle)
        panics(table, battle, battle.units["unit"], man)
        found = _one_more(counts, man.reaction)
        battle.units["unit"] = alone.units["unit"].copy()
        return found

    return SmallBattle(alone, [take_fright] * facts.men, first=(0,) * 6)


@dataclass(frozen=True)
class RecoveryFacts:
    """A panicking man with this printed GL.

    `phases` is the number of Glory phases since the turn in which his panic began.
    """

    gl: Glory = 5
    leader: bool = False
    phases: Turns = 1


@PROCEDURES.register("FBN-154", recovered=bool)
def recovery(rules: Rules, facts: RecoveryFacts) -> SmallBattle:
    """Recovery of a panicking man."""
    battle = _alone(rules, FbnBook(rules).panics_at, gl=facts.gl, role="nco" if facts.leader else "soldier")
    _man(battle).reaction, _man(battle).since = "freeze", 1

    def phase(table: Table, battle: Battle, _: None) -> None:
        battle.turn += 1
        if _man(battle).reaction:
            roll_recovery(table, battle, battle.units["unit"], _man(battle))

    return SmallBattle(battle, [phase] * facts.phases, lambda battle, _: not _man(battle).reaction)


@dataclass(frozen=True)
class NoticeFacts:
    """A man who passes this number of features at night. He stops at the first that he does not notice (FBN-239)."""

    gl: Glory = 4
    features: Men = 1


@PROCEDURES.register("FBN-239", fell=bool)
def night_notice(rules: Rules, facts: NoticeFacts) -> SmallBattle:
    """Noticing terrain at night.

    True if he fell into one of the features.
    """

    def walk(table: Table, battle: Battle, fell: bool) -> bool:
        return fell or not roll_to_notice(table, _man(battle))

    alone = _alone(rules, gl=facts.gl)
    return SmallBattle(alone, [walk] * facts.features, first=False)
