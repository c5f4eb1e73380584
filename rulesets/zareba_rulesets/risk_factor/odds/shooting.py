"""Odds of shooting: volleys of a group, and single shots (RSK-083 to RSK-105)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Literal, TypeAlias, get_args

from zareba.odds import Formula, SmallBattle, count_outcomes, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import BANDS, Band, Cover, RskBook
from zareba_rulesets.risk_factor.chapters.casualties import KILL, WOUND
from zareba_rulesets.risk_factor.chapters.fire.marksmen import Shot, nearest_first
from zareba_rulesets.risk_factor.chapters.fire.shooting import Aimed, number_of_shots
from zareba_rulesets.risk_factor.chapters.fire.shooting import volley as fires
from zareba_rulesets.risk_factor.chapters.groups import settle_ties
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit
from zareba_rulesets.risk_factor.forces.weapons import limits_of
from zareba_rulesets.risk_factor.odds import stage
from zareba_rulesets.risk_factor.odds.stage import MIDDLE, PROCEDURES, Class, Fate, Group, Men, fate_of, row, unit_of

__all__ = ["Arm", "ShotFacts", "VolleyFacts"]

Weapon = Literal[
    "rifle", "rifled_carbine", "musket", "carbine", "pistol", "bow", "sling", "spear", "hatchet", "rocks", "machine_gun"
]
Arm = tuple[Weapon, Class, Band]
"""The weapon of a shot, the class of the shooter, and the range band."""
State: TypeAlias = tuple[int, ...]
"""The numbers of men unhurt, wounded and dead, then the same for the leader."""


@dataclass(frozen=True)
class VolleyFacts:
    """`shooters` figures able to shoot at one range band, at a group of `unhurt` and `wounded` men in full view.

    `commanded`: all shoot, as commanded troops with volleys do; otherwise 1 in 2, or 1 in 3 with `moved`. `bands`
    gives the band of each shot if they differ; `shooters`, `band` and the rate are then ignored. `mixed` gives weapon,
    class and band of each shot if several weapons or classes shoot together; only `cover` and the target are then read
    from the other facts.
    """

    shooters: Group = 10
    weapon: Weapon = "rifle"
    troop_class: Class = "veteran"
    band: Band = "medium"
    cover: Cover = "open"
    commanded: bool = True
    moved: bool = False
    unhurt: Men = 12
    wounded: Men = 0
    bands: tuple[Band, ...] = ()
    mixed: tuple[Arm, ...] = ()


@dataclass(frozen=True)
class VolleyOutcome:
    """Men killed, and men standing with a wound, including those wounded before."""

    killed: int
    wounded: int


@dataclass(frozen=True)
class LedVolleyFacts(VolleyFacts):
    """A volley at a group with a leader, who is as likely as any man to be struck (RSK-104, RSK-105)."""

    leader_wounded: bool = False


@dataclass(frozen=True)
class LedVolleyOutcome(VolleyOutcome):
    """The fate of the leader, and of the men without the leader."""

    leader: Fate


@dataclass(frozen=True)
class ShotFacts:
    """One shot at one man, such as a Player Character's shot at a chosen man (RSK-087)."""

    weapon: Weapon = "rifle"
    troop_class: Class = "veteran"
    band: Band = "short"
    cover: Cover = "open"
    wounded: bool = False


def _shots(book: RskBook, facts: VolleyFacts) -> Sequence[Arm]:
    """Return each shot of a volley. Raise ZarebaError for a range that the weapon does not have."""
    entry, shots = book.weapons[facts.weapon], facts.mixed
    if not shots:
        number = number_of_shots(book, facts.shooters, entry.hurled, facts.commanded, facts.moved)
        if entry.shots:
            number = entry.shots if facts.commanded else entry.uncommanded_shots
        shots = tuple((facts.weapon, facts.troop_class, band) for band in facts.bands or (facts.band,) * number)
    for weapon, _, band in shots:
        refuse(not book.ranges[weapon], f"the {book.weapons[weapon].title} has no {band} range (RSK-029)")
    return shots


def _shot_at_band(battle: Battle, unit: Unit, number: int, weapon: str, band: Band) -> Shot:
    """Return a figure's shot at the longest distance of a range band."""
    return Shot(limits_of(battle, unit, weapon)[BANDS.index(band)], unit, number, weapon)


def _fire_volley(
    rules: Rules, facts: VolleyFacts, outcome: Callable[[Unit, Unit, Any], Hashable], *hears: str
) -> SmallBattle:
    """Return a volley at the target and its leader, fired by a row of figures for each class. Ties of leaders are
    settled afterwards.

    `outcome` gets the target, the leader, and the hits and wounds of each shooting event, if `hears` names that event.
    """
    shots, led = _shots(RskBook(rules), facts), isinstance(facts, LedVolleyFacts)
    classes = list(dict.fromkeys(troop_class for _, troop_class, _ in shots))

    rows = [unit_of(own, "red", row(len(shots), 500 - 5 * n), troop_class=own) for n, own in enumerate(classes)]
    target = unit_of("target", "blue", row(facts.unhurt + facts.wounded), facts.wounded)
    chief = unit_of("chief", "blue", row(led, MIDDLE + 3), getattr(facts, "leader_wounded", 0), leader="chief")
    battle = stage.small_table(rules, *rows, target, chief)

    def fire(table: Table, battle: Battle, _: None) -> list[tuple[int, int]]:
        men = enumerate(shots)
        aims = [_shot_at_band(battle, battle.units[own], n, arm, band) for n, (arm, own, band) in men]
        pool = [(unit.spec.id, index) for unit in battle.of("blue") for index in range(unit.count)]
        aim = Aimed(sorted(aims, key=nearest_first), lambda: pool, cover=facts.cover)
        fires(table, battle, aim.shots[0].unit, battle.units["target"], aim.shots[0].weapon, aim=aim)
        settle_ties(table, battle)
        return [(event.data["hits"], event.data["wounds"]) for event in table.events if event.kind == "shooting"]

    def end(battle: Battle, results: Any) -> Hashable:
        return outcome(battle.units["target"], battle.units["chief"], results)

    return SmallBattle(battle, [fire] if shots else [], end, hears=frozenset(hears))


def _outcome_of(facts: VolleyFacts, dead: int, wounded: int, leader: Fate) -> VolleyOutcome:
    return (
        LedVolleyOutcome(dead, wounded, leader) if isinstance(facts, LedVolleyFacts) else VolleyOutcome(dead, wounded)
    )


@PROCEDURES.of("RSK-087", effect=str)
def single_shot(rules: Rules, facts: ShotFacts) -> SmallBattle:
    """One shot at one man.

    The effect of the shot. A wound on a wounded man is a kill.
    """

    def outcome(man: Unit, _: Unit, results: list[tuple[int, int]]) -> str:
        hits, hurt = results[0][0], sum(man.hurt) > facts.wounded
        return "kill" if man.dead else "wound" if hurt else "graze" if hits else "miss"

    arm = facts.weapon, facts.troop_class, facts.band
    one_man = VolleyFacts(cover=facts.cover, unhurt=1 - facts.wounded, wounded=int(facts.wounded), mixed=(arm,))
    return _fire_volley(rules, one_man, outcome, "shooting")


def _shot_by_shot(rules: Rules, facts: VolleyFacts) -> dict[VolleyOutcome, Fraction]:
    """Work out the odds shot by shot from the numbers of men in each state. If several classes shoot, the order of the
    shots is drawn (RSK-104).
    """
    book = RskBook(rules)
    shots, fixed = _shots(book, facts), book.settings.shooting_allocation == "fixed_pool"
    singles = {arm: count_outcomes(rules, single_shot(rules, ShotFacts(*arm, facts.cover))) for arm in set(shots)}
    whole = lcm(*(p.denominator for single in singles.values() for p in single.values()))
    worth = {"kill": KILL, "wound": WOUND}
    chances = {arm: [(worth.get(one, 0), int(p * whole)) for one, p in singles[arm].items()] for arm in singles}
    leader = [facts.leader_wounded == harm for harm in range(3)] if isinstance(facts, LedVolleyFacts) else [0, 0, 0]
    each = lcm(*range(1, facts.unhurt + facts.wounded + 2))

    def states_after_hit(men: State, effect: int) -> Iterator[tuple[State, int]]:
        """Yield each state that a hit may lead to, with its weight out of `each`."""
        candidates = {place: number for place, number in enumerate(men) if number and (fixed or place % 3 < KILL)}
        for place, number in candidates.items() if effect else ():
            after = [*men]
            after[place] -= 1
            after[place - place % 3 + min(KILL, place % 3 + effect)] += 1
            yield tuple(after), each * number // sum(candidates.values())
        if not (candidates and effect):
            yield men, each

    several = len({(book.weapons[weapon].damage, troop_class) for weapon, troop_class, _ in shots}) > 1
    states = Counter({(tuple(Counter(shots).items()) if several else (), (facts.unhurt, facts.wounded, 0, *leader)): 1})
    for shot in shots:
        next_states: Counter[tuple[tuple[tuple[Arm, int], ...], State]] = Counter()
        for (left, men), weight in states.items():
            for arm, number in left or ((shot, 1),):
                shots_left = tuple(
                    (other, count - (other == arm)) for other, count in left if (other, count) != (arm, 1)
                )
                for effect, share in chances[arm]:
                    for after, part in states_after_hit(men, effect):
                        next_states[shots_left, after] += weight * number * share * part
        states = next_states
    total, found = sum(states.values()), Counter[VolleyOutcome]()
    for (_, (_, wounded, dead, *led)), weight in states.items():
        found[_outcome_of(facts, dead, wounded, get_args(Fate)[led.index(1) if any(led) else 0])] += weight
    return {outcome: Fraction(weight, total) for outcome, weight in found.items()}


CLOSED = Formula(_shot_by_shot, frozenset({"shooting.volley", "hits.all", "hits.strike", "groups.leaders"}))


@PROCEDURES.of("RSK-086", VolleyOutcome, CLOSED)
def volley(rules: Rules, facts: VolleyFacts) -> SmallBattle:
    """A group's fire: killed and wounded."""

    def outcome(men: Unit, chief: Unit, _: Any) -> VolleyOutcome:
        return _outcome_of(facts, men.dead, sum(men.hurt), fate_of(chief))

    return _fire_volley(rules, facts, outcome)


@PROCEDURES.of("RSK-105", LedVolleyOutcome, CLOSED)
def volley_at_leader(rules: Rules, facts: LedVolleyFacts) -> SmallBattle:
    """A group's fire at men with their leader."""
    return volley(rules, facts)
