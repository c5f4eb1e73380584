"""Odds of fire and casualties: shots, volleys in a row, cards on a figure or a group (PAY-092 to PAY-127, PAY-188)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.grammar import amount
from zareba.odds import Formula, SmallBattle, after_step, binomial, outcomes_of, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.casualties import strike
from zareba_rulesets.paychest.chapters.fire import fire
from zareba_rulesets.paychest.chapters.sight.cover import covers_of, exposures
from zareba_rulesets.paychest.chapters.to_hit import mark_hits
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.ground.field import Shelter
from zareba_rulesets.paychest.odds import closed, morale, stage
from zareba_rulesets.paychest.odds.closed import CARDS, PROCEDURES, SHOTS, skip_consequences
from zareba_rulesets.paychest.odds.stage import FIRERS, HERE, TARGETS, DeckFacts, FirerFacts, Rank, StruckFacts, Wounds

__all__ = ["CasualtyFacts", "GroupFacts", "MixedVolleyFacts", "RowsFacts", "ShotFacts", "TargetLeaderFacts", "VolleyFacts", "VolleyLossesFacts", "hits_on", "losses", "min_paths", "ranks_of"]  # fmt: skip

Firearm = Literal["rifle", "carbine", "musket", "bow", "pistol", "thrown_spear"]
Row = tuple[stage.Firers, Literal["soft"] | stage.Exposure, Wounds]


@dataclass(frozen=True)
class ShotFacts(FirerFacts):
    """One figure's shot."""

    weapon: Firearm = "rifle"
    cover: stage.Cover = "none"


@dataclass(frozen=True)
class VolleyFacts(ShotFacts):
    """A group's volleys: `firers` identical figures, each firing `shots` times; muskets fire at most once (PAY-026)."""

    firers: stage.Firers = 8
    shots: stage.Shots = 2


@dataclass(frozen=True)
class VolleyLossesFacts(ShotFacts, StruckFacts):
    """One volley of identical figures and its effect on `group` fresh figures. Hits fall by `hit_spread`.

    `exposure` counts with `exposure_check` all_fire (PAY-188). A second volley meets different targets, because
    figures that are out are not targets (PAY-106).
    """

    firers: stage.Firers = 8
    group: stage.Men = 10


@dataclass(frozen=True)
class RowsFacts(DeckFacts):
    """`targets` lists rows: figures, their cover (open, soft, or the exposure in hard cover) and the wounds of each.

    The nearest remaining figure is always `inches` away. None of the figures is a leader.
    """

    targets: Annotated[tuple[Row, ...], Field(min_length=1, max_length=8)] = ((6, "open", 0), (4, "low_wall", 0))


@dataclass(frozen=True)
class MixedVolleyFacts(FirerFacts, RowsFacts):
    """`shots` volleys in a row by `firers` identical figures, each at the remaining targets (PAY-106).

    Wounds are those of each firer.
    """

    weapon: Firearm = "rifle"
    firers: stage.Firers = 8
    shots: stage.Shots = 2


@dataclass(frozen=True)
class GroupFacts(StruckFacts):
    """Hits of one volley on a group of fresh figures, at random or evenly by `hit_spread` (PAY-105).

    `exposure` counts with `exposure_check` all_fire (PAY-188).
    """

    hits: Annotated[int, Field(ge=0, le=40)] = 3  # hits of one unit's volley
    group: stage.Men = 5


@dataclass(frozen=True)
class CasualtyFacts(DeckFacts):
    """Casualty cards on one figure with the wounds it already has. With too many wounds it starts unconscious."""

    cards: Annotated[int, Field(ge=1, le=5)] = 1
    crippled_legs: Wounds = 0
    leg_wounds: Wounds = 0
    arm_wounds: Wounds = 0
    body_wounds: Wounds = 0
    smashed_arms: Wounds = 0


@dataclass(frozen=True)
class TargetLeaderFacts(ShotFacts, StruckFacts):
    """Shots at one leader figure, and the effect of its loss on a unit of this kind.

    The leader's wounds are separate from the firer's. `exposure` counts with `exposure_check` all_fire (PAY-188).
    """

    shots: stage.Men = 1
    kind: stage.Kind = "irregular"
    leader_leg_wounds: Wounds = 0
    leader_other_wounds: Wounds = 0


# --- volleys ----------------------------------------------------------------------------------------------------------


def min_paths(rules: Rules, men: int, hits: int) -> int:
    """Return the minimum number of paths for this many hits on this many figures."""
    return int((men * len(PaychestBook(rules).cards)) ** min(hits, 9))


def firing_battle(
    rules: Rules, facts: Any, targets: Mapping[str, Sequence[Rank]], men: int, shots: int, **unit: str
) -> Battle:
    """Return a battle with a unit facing its targets. Raises ZarebaError for a volley that may not be fired."""
    firers = stage.bare_unit(FIRERS, "red", [HERE] * men, firearms=facts.skill, shots=shots, weapons=(facts.weapon,))
    battle = stage.facing(rules, facts, firers, targets, **unit)
    refuse(
        not fire.may_fire(battle, firers),
        f"{amount(facts.inches, 'inch', 'inches')} is contact, where firing is not allowed: inches (PAY-103)",
    )
    return battle


def volley_at(name: str, max_shots: int | None = None) -> Callable[[Table, Battle, int], int]:
    """Return an act that fires a volley at a unit if any targets are left, adding up the hits (PAY-100, PAY-106)."""

    def act(table: Table, battle: Battle, hits: int) -> int:
        unit = battle.change(FIRERS)
        firers = fire.may_fire(battle, unit)
        targets = fire.in_reach(battle, unit, firers).get(name)
        return hits + int(fire.volley(table, battle, unit, firers, targets[:max_shots], name)) if targets else hits

    return act


def losses(battle: Battle, _: object) -> tuple[int, int]:
    return stage.losses_of(battle)


@PROCEDURES.of("PAY-111", closed=skip_consequences(), hit=bool)
def to_hit(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """One figure's shot."""
    battle = firing_battle(rules, facts, {TARGETS: [(1, stage.shelter_of(facts), 0)]}, 1, 1)
    return SmallBattle(battle, [volley_at(TARGETS)], lambda _, hits: hits > 0, 0)


def hits_of_shots(rules: Rules, facts: ShotFacts, count: int) -> dict[int, Fraction]:
    """Return the chances of each number of hits among identical, independent shots."""
    return binomial(count, closed.ways_to_hit(rules, to_hit(rules, facts)).get(1, Fraction(0)))


def volley_chances(rules: Rules, facts: VolleyFacts) -> dict[int, Fraction]:
    max_shots = PaychestBook(rules).most_shots[facts.weapon] or facts.shots
    return hits_of_shots(rules, facts, facts.firers * min(facts.shots, max_shots))


@PROCEDURES.of("PAY-094", closed=Formula(volley_chances, SHOTS), hits=int)
def volley(rules: Rules, facts: VolleyFacts) -> SmallBattle:
    """Hits of a group's volleys.

    Each volley has a separate target.
    """
    groups = {f"{TARGETS} {number}": [(1, stage.shelter_of(facts), 0)] for number in range(facts.shots)}
    battle = firing_battle(rules, facts, groups, facts.firers, facts.shots)
    paths = min_paths(rules, 1, facts.firers * facts.shots)
    return SmallBattle(battle, [*map(volley_at, groups)], first=0, paths=paths)


def volley_losses_chances(rules: Rules, facts: VolleyLossesFacts) -> dict[tuple[int, int], Fraction]:
    return closed.group_fates(rules, facts, facts.group, hits_of_shots(rules, facts, facts.firers))


@PROCEDURES.of("PAY-105", closed=Formula(volley_losses_chances, SHOTS), killed=int, unconscious=int)
def volley_losses(rules: Rules, facts: VolleyLossesFacts) -> SmallBattle:
    """A group's volley at a group, with its casualties."""
    battle = firing_battle(rules, facts, {TARGETS: [(facts.group, stage.shelter_of(facts), 0)]}, facts.firers, 1)
    return SmallBattle(battle, [volley_at(TARGETS)], losses, 0, paths=min_paths(rules, facts.group, facts.firers))


def ranks_of(facts: RowsFacts) -> list[Rank]:
    """Return the rows of targets, each with its cover."""
    covers = {"open": Shelter("none", "open"), "soft": Shelter("soft", "open")}
    return [(men, covers.get(cover, Shelter("hard", cover)), wounds) for men, cover, wounds in facts.targets]


@PROCEDURES.of("PAY-106", killed=int, unconscious=int)
def mixed_volleys(rules: Rules, facts: MixedVolleyFacts) -> SmallBattle:
    """Volleys in a row at targets that differ."""
    max_shots = PaychestBook(rules).most_shots[facts.weapon]
    refuse(
        max_shots is not None and facts.shots > max_shots,
        f"a {facts.weapon} fires {max_shots} a turn, not {facts.shots}: shots (PAY-026)",
    )
    battle = firing_battle(rules, facts, {TARGETS: ranks_of(facts)}, facts.firers, facts.shots)
    unit = battle.unit(FIRERS)
    refuse(
        not fire.in_reach(battle, unit, fire.may_fire(battle, unit)),
        f"no {facts.weapon} reaches {amount(facts.inches, 'inch', 'inches')}: weapon, inches (PAY-101)",
    )
    paths = min_paths(rules, len(battle.unit(TARGETS).figures), facts.firers)
    return SmallBattle(battle, [volley_at(TARGETS)] * facts.shots, losses, 0, paths=paths)


def shots_at_leader_chances(rules: Rules, facts: TargetLeaderFacts) -> dict[tuple[int, bool, str], Fraction]:
    """Return the chances of the number of hits, whether the leader is lost, and his unit's reaction."""
    leader = closed.body_of(shots_at_leader(rules, facts).start.figure(f"{TARGETS}.1"))
    hits = hits_of_shots(rules, facts, facts.shots)
    after = closed.after_cards(rules, facts, (leader,), max(hits))
    loss = morale.ROLLS(morale.leader_loss).chances(rules, morale.LeaderFacts(facts.kind)) or {}

    def chances_of_loss(number: int) -> dict[tuple[int, bool], Fraction]:
        return outcomes_of(after[number], lambda men: (number, men[0].fate != "able" or men[0].lame))

    def unit(shot: tuple[int, bool]) -> dict[tuple[int, bool, str], Fraction]:
        return outcomes_of(loss if shot[1] else {"no roll": Fraction(1)}, lambda result: (*shot, result))

    return after_step(after_step(hits, lambda number: chances_of_loss(number).items()), lambda shot: unit(shot).items())


@PROCEDURES.of("PAY-092", closed=Formula(shots_at_leader_chances, SHOTS), hits=int, lost=bool, result=str)
def shots_at_leader(rules: Rules, facts: TargetLeaderFacts) -> SmallBattle:
    """Shots at a leader, with the effect of his loss.

    All shots are at the leader, who stands with one figure of his unit. `lost`: killed, unconscious or unable to walk;
    `result`: "no roll", "passes", or the result of the roll.
    """
    rank = "sergeant" if facts.kind == "regular" else "leader"
    ranks = {TARGETS: [(2, stage.shelter_of(facts), 0)]}
    battle = firing_battle(rules, facts, ranks, facts.shots, 1, kind=facts.kind, leader=rank)
    leader = battle.figure(f"{TARGETS}.1")
    stage.man_as(battle.book, leader, facts, "leader_")
    refuse(
        not leader.able or "lame" in leader.marks,
        "a leader with these wounds is lost already: leader_leg_wounds, leader_other_wounds (PAY-128)",
    )
    fire_at = volley_at(TARGETS, 1)

    def act(table: Table, battle: Battle, _: None) -> tuple[int, bool, str]:
        hits, unit = fire_at(table, battle, 0), battle.unit(TARGETS)
        result = morale.result_of(table, unit) if unit.lost else "no roll"
        return hits, bool(unit.lost), result

    return SmallBattle(battle, [act], hears=morale.HEARD, paths=min_paths(rules, 1, facts.shots))


# --- cards ------------------------------------------------------------------------------------------------------------


def hits_on(
    rules: Rules, facts: Any, ranks: Sequence[Rank], outcome: Callable[[Battle, Any], Any], *, guns: bool
) -> SmallBattle:
    """Return a situation with hits on figures.

    Cards for covered parts of the body are void, for guns always (PAY-187, PAY-188).
    """
    battle = stage.facing(rules, facts, stage.bare_unit(FIRERS, "red", [HERE]), {TARGETS: ranks})
    settings, men = battle.book.settings, len(battle.unit(TARGETS).figures)
    checked, spread = guns or settings.exposure_check == "all_fire", "random" if guns else settings.hit_spread

    def act(table: Table, battle: Battle, _: None) -> int:
        targets = list(battle.unit(TARGETS).figures.values())
        exposed = exposures(battle, HERE, targets, covers_of(battle, targets)) if checked else None
        return mark_hits(table, battle, targets, facts.hits, exposed, spread=spread, actor=FIRERS)

    return SmallBattle(battle, [act], outcome, paths=min_paths(rules, men, facts.hits))


def group_chances(rules: Rules, facts: GroupFacts) -> dict[tuple[int, int], Fraction]:
    return closed.group_fates(rules, facts, facts.group, {facts.hits: Fraction(1)})


@PROCEDURES.of("PAY-105", closed=Formula(group_chances, CARDS), killed=int, unconscious=int)
def group_casualties(rules: Rules, facts: GroupFacts) -> SmallBattle:
    """Hits on a group of figures."""
    return hits_on(rules, facts, [(facts.group, stage.shelter_of(facts), 0)], losses, guns=False)


def casualty_chances(rules: Rules, facts: CasualtyFacts) -> dict[stage.Fate, Fraction]:
    man = closed.body_of(casualty(rules, facts).start.figure("unit.1"))
    after = closed.after_cards(rules, facts, (man,), facts.cards)[facts.cards]
    return outcomes_of(after, lambda bodies: closed.word_of(bodies[0]))


@PROCEDURES.of("PAY-115", closed=Formula(casualty_chances, CARDS), fate=stage.Fate)
def casualty(rules: Rules, facts: CasualtyFacts) -> SmallBattle:
    """Casualty cards on one figure.

    The fate of the figure. A leader who is killed, unconscious or unable to walk is lost (PAY-128).
    """
    battle = stage.lone(rules, "regular")
    battle.casualties = stage.deck_of(battle.book, facts)
    stage.man_as(battle.book, battle.figure("unit.1"), facts)

    def act(table: Table, battle: Battle, _: None) -> None:
        strike(table, battle, battle.change_figure("unit.1"), None, "fire", [])

    def outcome(battle: Battle, _: None) -> stage.Fate:
        return closed.word_of(closed.body_of(battle.figure("unit.1")))

    return SmallBattle(battle, [act] * facts.cards, outcome)
