"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.fixed_baynet.bare import bare_battle, bare_figure, bare_unit
from zareba_rulesets.fixed_baynet.close_combat import FightFacts, blow_result
from zareba_rulesets.fixed_baynet.counter_attack import CounterFacts, answer_roll
from zareba_rulesets.fixed_baynet.dice import CRITICAL
from zareba_rulesets.fixed_baynet.fire import Band, Formation, ShotFacts, to_hit
from zareba_rulesets.fixed_baynet.glory import glory_event, panic, recover, test_glory
from zareba_rulesets.fixed_baynet.hits import FATAL, hit_location
from zareba_rulesets.fixed_baynet.night import notices
from zareba_rulesets.fixed_baynet.odds_guns import GUN_PROCEDURES
from zareba_rulesets.fixed_baynet.slate import Slate, of, slate_leg

__all__ = ["PROCEDURES"]

Result = Literal["miss", "hit", "critical"]
RESULTS: tuple[Result, ...] = ("miss", "hit", "critical")


# --- fire ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AimFacts:
    """A shot: DS of the target, formation of its unit, its CV; range band, CS of the firer."""

    ds: int
    formation: Formation = "open"
    cv: int = 0
    band: Band = "medium"
    cs: int = 0
    charging: bool = False
    crew: bool = False
    chest: bool = False
    saddle: bool = False
    dark: bool = False
    sniper: bool = False

    def shot(self) -> ShotFacts:
        return ShotFacts(**{name: getattr(self, name) for name in ShotFacts.__dataclass_fields__})


def _fire_tally(rules: Rules, facts: Any) -> list[Tally]:
    return [rules.tally("fire", facts.shot())]


@dataclass(frozen=True)
class ShotOutcome:
    """A critical is a bloody death."""

    result: Result


def _shot_legs(rules: Rules, facts: AimFacts) -> list[Leg]:
    def shoot(table: Table, slate: Slate) -> None:
        slate.set(RESULTS[to_hit(table, facts.shot(), "firer")])

    return [slate_leg(shoot)]


@dataclass(frozen=True)
class VolleyFacts(AimFacts):
    """`shots` at a unit of `men` soldiers; shots are made until all are down (FBN-092)."""

    shots: int = 10
    men: int = 10


@dataclass(frozen=True)
class VolleyOutcome:
    """Men down in all, and those of them who died a bloody death."""

    down: int
    bloody: int


def _volley_legs(rules: Rules, facts: VolleyFacts) -> list[Leg]:
    def shoot(table: Table, slate: Slate) -> None:
        down, bloody = slate.values
        if down < facts.men:
            result = to_hit(table, facts.shot(), "firer")
            slate.set(down + (result > 0), bloody + (result == CRITICAL))

    return [slate_leg(*[shoot] * facts.shots, first=(0, 0))]


@dataclass(frozen=True)
class HeroOutcome:
    """Where a hero was hit: "miss", a location, or "critical"; whether he is still in play."""

    location: str
    in_play: bool


def _hero_legs(rules: Rules, facts: AimFacts) -> list[Leg]:
    def shoot(table: Table, slate: Slate) -> None:
        slate.set(RESULTS[to_hit(table, facts.shot(), "firer")])

    def locate(table: Table, slate: Slate) -> None:
        (result,) = slate.values
        if result == "hit":
            hero = bare_figure("hero", "blue", 0, 0, role="hero")
            battle = bare_battle(rules, [bare_unit("unit", "blue", [hero])])
            result = hit_location(table, battle, hero)
        slate.set(result, result not in (*FATAL, "critical"))

    return [slate_leg(shoot, locate)]


@dataclass(frozen=True)
class ExchangeFacts(AimFacts):
    """A shot at a soldier who may answer: printed DS of the firer, CS of the man who answers (FBN-097)."""

    firer_ds: int = 5
    target_cs: int = 0


@dataclass(frozen=True)
class ExchangeOutcome:
    """What became of the target by the shot, and of the firer by the answer: miss, hit or critical each."""

    target: Result
    firer: Result


def _exchange_legs(rules: Rules, facts: ExchangeFacts) -> list[Leg]:
    def shoot(table: Table, slate: Slate) -> None:
        slate.set(RESULTS[to_hit(table, facts.shot(), "firer")])

    def answer(table: Table, slate: Slate) -> None:
        (result,) = slate.values
        back: Result = "miss"
        if result == "hit" and table.rules.settings["counter_attack"] == "wounded":
            back = RESULTS[answer_roll(table, CounterFacts(facts.target_cs, facts.firer_ds), "target")]
        slate.set(result, back)

    return [slate_leg(shoot, answer)]


# --- close combat --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeleeFacts:
    """Two fighters: CS, close-combat weapon, what stands for each (Table 12-A). `trench`: the defender is in one and the
    attacker comes from outside; `doorway`: they fight through a door, window or section boundary. `blows` of the
    attacker, one after another, until one of the two is out.
    """

    attacker_cs: int = 0
    defender_cs: int = 0
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
    trench: bool = False
    doorway: bool = False
    defender_harmless: bool = False
    blows: int = 1

    def fighter(self, who: str, both: bool) -> FightFacts:
        value: Callable[[str], Any] = lambda name: getattr(self, f"{who}_{name}")  # noqa: E731  # a local shorthand
        defends = who == "defender"
        shelter = "cover" if value("cover") and not self.trench else "none"
        if self.doorway:
            shelter = "doorway" if defends or both else "none"
        return FightFacts(
            cs=value("cs"),
            rear=value("rear"),
            square=value("square"),
            mass=value("mass"),
            uphill=value("uphill"),
            shelter=shelter,  # type: ignore[arg-type]  # one of the three
            rider=value("rider"),
            trench=who if self.trench else "none",  # type: ignore[arg-type]  # attacker or defender
            weapon=value("weapon"),
            harmless=defends and self.defender_harmless,
        )


@dataclass(frozen=True)
class MeleeOutcome:
    """The last result: miss, capture, wound or critical, and who suffers it ("" for nobody)."""

    result: str
    loser: str


def _melee_legs(rules: Rules, facts: MeleeFacts) -> list[Leg]:
    both = rules.settings["doorway_cc"] == "both"
    attacker, defender = facts.fighter("attacker", both), facts.fighter("defender", both)

    def strike(table: Table, slate: Slate) -> None:
        if not slate.values[1]:
            slate.set(*blow_result(table, attacker, defender, "attacker", "defender"))

    return [slate_leg(*[strike] * facts.blows, first=("miss", ""))]


def _melee_tallies(rules: Rules, facts: MeleeFacts) -> list[Tally]:
    both = rules.settings["doorway_cc"] == "both"
    return [rules.tally("close_combat", facts.fighter(who, both)) for who in ("attacker", "defender")]


# --- glory and panic ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GloryFacts:
    """A unit's run of turns: its printed and its present GL; different events in the first turn, and in each later one."""

    printed: int = 4
    gl: int = 4
    events: int = 1
    later_events: int = 0
    turns: int = 1


@dataclass(frozen=True)
class GloryOutcome:
    """GL after the last Glory phase; 7 is panic."""

    gl: int
    panicked: bool


KINDS = ("banner", "half", "ridden at", "charge", "pinned", "flank")


def _glory_legs(rules: Rules, facts: GloryFacts) -> list[Leg]:
    def stage(turn: int) -> Callable[[Table, Any], None]:
        def run(table: Table, slate: Slate) -> None:
            gl, panicked = slate.values
            if panicked:
                return
            man = bare_figure("man", "blue", 0, 0, gl=facts.printed)
            man.gl = gl
            unit = bare_unit("unit", "blue", [man])
            battle = bare_battle(rules, [unit])
            limit = battle.book.panics_at
            for kind in KINDS[: facts.events if turn == 0 else facts.later_events]:
                if man.gl < limit:
                    glory_event(table, battle, unit, kind)
            if not man.reaction and man.gl < limit:
                test_glory(table, battle, unit)
            over = bool(man.reaction) or man.gl >= limit
            slate.set(limit if over else man.gl, over)

        return run

    return [slate_leg(*[stage(turn) for turn in range(facts.turns)], first=(facts.gl, False))]


@dataclass(frozen=True)
class PanicFacts:
    """`men` of a quality (a column of Table 15-A) who panic together."""

    column: Literal["green", "regular", "elite"] = "green"
    men: int = 1


@dataclass(frozen=True)
class PanicOutcome:
    """How many of them react in each way."""

    flee: int
    freeze: int
    onwards: int
    prone: int
    take_cover: int
    berserk: int


REACTIONS = ("flee", "freeze", "onwards", "prone", "take_cover", "berserk")


def _panic_legs(rules: Rules, facts: PanicFacts) -> list[Leg]:
    if rules.settings["panic_row_reads"] == "reroll" and facts.column == "green":
        return [slate_leg(*[_rerolled_panic] * facts.men, first=(0,) * 6)]

    def run(table: Table, slate: Slate) -> None:
        man = bare_figure("man", "blue", 0, 0, column=facts.column)
        unit = bare_unit("unit", "blue", [man])
        panic(table, bare_battle(rules, [unit]), unit, man)
        slate.set(*(count + (name == man.reaction) for name, count in zip(REACTIONS, slate.values, strict=True)))

    return [slate_leg(*[run] * facts.men, first=(0,) * 6)]


def _rerolled_panic(table: Table, slate: Slate) -> None:
    """The reroll of FBN-163 may go on for ever; what it comes to is a die of the five other rows."""
    rows = [name for name in table.rules.book.panic["green"].reactions if name != "freeze"]  # type: ignore[attr-defined]  # our file model
    reaction = rows[table.roll(1, len(rows), why="panic", rule="FBN-163", actor="man") - 1]
    slate.set(*(count + (name == reaction) for name, count in zip(REACTIONS, slate.values, strict=True)))


@dataclass(frozen=True)
class RecoveryFacts:
    """A panicking man of this printed GL; `phases`: Glory phases since the turn in which his panic began."""

    gl: int = 5
    leader: bool = False
    phases: int = 1


@dataclass(frozen=True)
class RecoveryOutcome:
    recovered: bool


def _recovery_legs(rules: Rules, facts: RecoveryFacts) -> list[Leg]:
    def stage(phase: int) -> Callable[[Table, Any], None]:
        def run(table: Table, slate: Slate) -> None:
            if slate.values[0]:
                return
            man = bare_figure("man", "blue", 0, 0, gl=facts.gl, role="nco" if facts.leader else "soldier")
            man.reaction, man.since, man.gl = "freeze", 1, 7
            unit = bare_unit("unit", "blue", [man])
            battle = bare_battle(rules, [unit])
            battle.turn = 1 + phase
            recover(table, battle, unit, man)
            slate.set(not man.reaction)

        return run

    return [slate_leg(*[stage(phase) for phase in range(1, facts.phases + 1)], first=(False,))]


@dataclass(frozen=True)
class NoticeFacts:
    """A man who passes so many features at night; he stops at the first that he misses (FBN-239)."""

    gl: int = 4
    features: int = 1


@dataclass(frozen=True)
class NoticeOutcome:
    """Whether he fell into one of them."""

    fell: bool


def _notice_legs(rules: Rules, facts: NoticeFacts) -> list[Leg]:
    def run(table: Table, slate: Slate) -> None:
        if not slate.values[0]:
            slate.set(not notices(table, bare_figure("man", "blue", 0, 0, gl=facts.gl)))

    return [slate_leg(*[run] * facts.features, first=(False,))]


PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (
        Procedure(
            "shot",
            "FBN-082",
            "one shot of a small arm at a man",
            AimFacts,
            ShotOutcome,
            _shot_legs,
            of(ShotOutcome),
            _fire_tally,
        ),
        Procedure(
            "volley",
            "FBN-092",
            "shots at a unit of soldiers",
            VolleyFacts,
            VolleyOutcome,
            _volley_legs,
            of(VolleyOutcome),
            _fire_tally,
        ),
        Procedure(
            "hero_shot",
            "FBN-125",
            "one shot at a hero, with its location",
            AimFacts,
            HeroOutcome,
            _hero_legs,
            of(HeroOutcome),
            _fire_tally,
        ),
        Procedure(
            "exchange",
            "FBN-096",
            "a shot and its counter-attack",
            ExchangeFacts,
            ExchangeOutcome,
            _exchange_legs,
            of(ExchangeOutcome),
            _fire_tally,
        ),
        Procedure(
            "close_combat",
            "FBN-104",
            "blows of one man against another",
            MeleeFacts,
            MeleeOutcome,
            _melee_legs,
            of(MeleeOutcome),
            _melee_tallies,
        ),
        Procedure(
            "glory",
            "FBN-148",
            "a unit's glory over some turns",
            GloryFacts,
            GloryOutcome,
            _glory_legs,
            of(GloryOutcome),
        ),
        Procedure(
            "panic", "FBN-163", "reactions of men in panic", PanicFacts, PanicOutcome, _panic_legs, of(PanicOutcome)
        ),
        Procedure(
            "recovery",
            "FBN-154",
            "a panicking man's recovery",
            RecoveryFacts,
            RecoveryOutcome,
            _recovery_legs,
            of(RecoveryOutcome),
        ),
        Procedure(
            "night_notice",
            "FBN-239",
            "noticing ground at night",
            NoticeFacts,
            NoticeOutcome,
            _notice_legs,
            of(NoticeOutcome),
        ),
        *GUN_PROCEDURES,
    )
}
