"""Odds of melee and shooting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from math import comb, lcm
from operator import add
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.chance import random_draw
from zareba.odds import Formula, SmallBattle, count_outcomes, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.risk_factor.book import BANDS, Band, Cover, RskBook
from zareba_rulesets.risk_factor.chapters.casualties import KILL, WOUND, Figure
from zareba_rulesets.risk_factor.chapters.command import settle_ties
from zareba_rulesets.risk_factor.chapters.melee import FigureMatch, fight, spread_opponents
from zareba_rulesets.risk_factor.chapters.shooting import PreparedVolley, number_of_shots
from zareba_rulesets.risk_factor.chapters.shooting import volley as fires
from zareba_rulesets.risk_factor.chapters.targets import Shot, nearest_first
from zareba_rulesets.risk_factor.forces import Battle, Unit, limits_of
from zareba_rulesets.risk_factor.odds import stage
from zareba_rulesets.risk_factor.odds.stage import (
    MIDDLE,
    PROCEDURES,
    Class,
    Factor,
    Fate,
    Group,
    Men,
    fate_of,
    row,
    unit_of,
)

# --- Odds of melee: single matches, and whole melees as the sum of their matches (RSK-164 to RSK-180) -----------------


_Opponents = Annotated[int, Field(ge=1, le=8)]
Kind = tuple[bool, bool, Factor, bool, bool]
"""A figure in a match: raw, Hero or superior, melee factor, crossing an obstacle, routing."""
Pairing = tuple[Kind, Annotated[tuple[Kind, ...], Field(min_length=1, max_length=8)]]
"""A figure and its opponents."""


@dataclass(frozen=True)
class MatchFacts:
    """One figure against `opponents` identical figures. None of them is wounded before.

    `..._factor`: melee factor. `..._crossing`: fights across an obstacle. `..._routing`: throws no die (RSK-176).
    """

    opponents: _Opponents = 1
    raw: bool = False
    superior: bool = False
    factor: Factor = 4
    crossing: bool = False
    enemy_raw: bool = False
    enemy_superior: bool = False
    enemy_factor: Factor = 3
    enemy_crossing: bool = False
    routing: bool = False
    enemy_routing: bool = False


@dataclass(frozen=True)
class MeleeFightFacts:
    """A round between `attackers`, who charged, and `defenders`. The figures of a side are identical except for earlier
    wounds.

    `..._wounded`: how many are already wounded; they are as likely to fight and to be struck as any others.
    `defenders_routing`: the defenders throw no dice (RSK-176).

    `mixed` lists every match if figures of several kinds fight: a figure of the smaller side (of the attackers if
    equal) and its opponents, each as raw, superior, factor, crossing, routing. Only the numbers of figures and wounded
    are then read from the other facts.
    """

    attackers: Group = 20
    defenders: Group = 10
    attackers_raw: bool = False
    attackers_superior: bool = False
    attackers_factor: Factor = 3
    attackers_crossing: bool = False
    defenders_raw: bool = False
    defenders_superior: bool = False
    defenders_factor: Factor = 4
    attackers_wounded: Men = 0
    defenders_wounded: Men = 0
    defenders_routing: bool = False
    mixed: tuple[Pairing, ...] = ()


@PROCEDURES.register("RSK-166", single=Fate, wounded=int, killed=int)
def match(rules: Rules, facts: MatchFacts) -> SmallBattle:
    """One man against one or several in melee.

    The fate of the single man, and how many of the others are wounded and killed.
    """
    own = (facts.raw, facts.superior, facts.factor, facts.crossing, facts.routing)
    other = (facts.enemy_raw, facts.enemy_superior, facts.enemy_factor, facts.enemy_crossing, facts.enemy_routing)

    def outcome(back: str, man: Sequence[Unit], others: Sequence[Unit]) -> tuple[Fate, int, int]:
        return fate_of(man[0]), *_losses_of(others)

    return _fight(rules, _of_one(own, (other,) * facts.opponents), outcome)


def _of_one(man: Kind, others: Sequence[Kind]) -> MeleeFightFacts:
    """Return the facts of a melee of one man against several."""
    return MeleeFightFacts(1, len(others), mixed=((man, tuple(others)),))


def _losses_of(units: Sequence[Unit]) -> tuple[int, int]:
    """Return how many figures were wounded and killed in the round."""
    killed = sum(unit.dead for unit in units)
    return sum(unit.round_lost for unit in units) - killed, killed


def _matches(book: RskBook, facts: MeleeFightFacts) -> Sequence[Pairing]:
    """Return the matches of a melee. Raise ZarebaError for matches that cannot occur in play, and for melee factors
    that no weapon has.
    """
    smaller, larger = sorted((facts.attackers, facts.defenders))
    max_contact = book.settings.melee_max_contact
    red = (facts.attackers_raw, facts.attackers_superior, facts.attackers_factor, facts.attackers_crossing, False)
    blue = (facts.defenders_raw, facts.defenders_superior, facts.defenders_factor, False, facts.defenders_routing)
    single, other = (red, blue) if facts.attackers <= facts.defenders else (blue, red)
    pairs = facts.mixed or [
        (single, (other,) * share) for share in spread_opponents(smaller, larger, max_contact) if share
    ]
    shares, kinds = [len(others) for _, others in pairs], {kind for man, others in pairs for kind in (man, *others)}
    refuse(
        facts.attackers_wounded > facts.attackers or facts.defenders_wounded > facts.defenders,
        "no more men can be wounded than take part: attackers_wounded, defenders_wounded (RSK-110)",
    )
    refuse(len(pairs) > smaller or sum(shares) > larger, "no more men can be matched than take part: mixed (RSK-164)")
    refuse(
        shares != spread_opponents(len(pairs), sum(shares), max_contact),
        f"men are matched evenly, at most {max_contact} with one: mixed, opponents (RSK-164, RSK-165)",
    )
    if unknown := {factor for _, _, factor, _, _ in kinds} - _arms(book).keys():
        raise ZarebaError(f"no weapon has the melee factor {min(unknown)} (RSK-035)")
    return pairs


def _arms(book: RskBook) -> dict[int, dict[str, Any]]:
    """Return a weapon for each melee factor in the rules."""
    arms = [(arm, fixed) for arm in book.weapons for fixed in (True, False)]
    return {**{book.factor(arm, fixed): {"weapon": arm, "bayonet": fixed} for arm, fixed in arms}, 0: {}}


def _side(book: RskBook, side: str, men: int, kinds: Sequence[Kind]) -> list[Unit]:
    """Return the figures of a side in a row; neighbours of the same kind form one unit, and the last kind is repeated.

    Red has charged. Figures that fight across an obstacle have come up to it.
    """
    places, units = iter(row(men, MIDDLE - 2.55 * (side == "red"))), list[Unit]()
    for (raw, superior, factor, crossing, routing), alike in groupby([*kinds, *[kinds[-1]] * (men - len(kinds))]):
        said = {"troop_class": "raw" if raw else "veteran", "superior_melee": superior, **_arms(book)[factor]}
        said["status"] = "routing" if routing else "steady"
        marks = "charged " * (side == "red") + "charger" * crossing
        units.append(stage.unit_of(f"{side} {len(units):02}", side, [next(places) for _ in alike], marks=marks, **said))
    return units


def _fight(
    rules: Rules, facts: MeleeFightFacts, outcome: Callable[[str, Sequence[Unit], Sequence[Unit]], Hashable]
) -> SmallBattle:
    """Return a round of melee on a small table. `outcome` gets the side that goes back, the attackers and the
    defenders.
    """
    book, single_attacks = RskBook(rules), facts.attackers <= facts.defenders
    pairs, hurt = _matches(book, facts), {"red": facts.attackers_wounded, "blue": facts.defenders_wounded}
    singles, several = [man for man, _ in pairs], [other for _, others in pairs for other in others]
    attack, defend = (singles, several) if single_attacks else (several, singles)
    units = [*_side(book, "red", facts.attackers, attack), *_side(book, "blue", facts.defenders, defend)]
    wall = next(kind for kind, ground in book.file.grounds.items() if ground.barrier)
    line = [(0.0, MIDDLE - 1.25), (2 * MIDDLE, MIDDLE - 1.25)]
    crossing = any(crosses for _, _, _, crosses, _ in (*singles, *several))
    battle = stage.small_table(rules, *units, ground=(wall, line) if crossing else None)

    def draw_hurt(table: Table, battle: Battle, _: None) -> None:
        for side in [side for side, number in hurt.items() for _ in range(number)]:
            men = [(unit, n) for unit in battle.of(side) for n, lame in enumerate(unit.hurt) if not lame]
            place = table.draw(
                {f"{n:02}": 1 for n in range(len(men))},
                why="wounded before",
                rule="RSK-110",
                means=random_draw("the figure wounded before"),
            )
            unit, man = men[int(place)]
            unit.hurt = tuple(lame or n == man for n, lame in enumerate(unit.hurt))

    def strike(table: Table, battle: Battle, _: None) -> str:
        men = [iter([Figure(unit.spec.id, n) for unit in battle.of(side) for n in range(unit.count)]) for side in hurt]
        first, other = men if single_attacks else men[::-1]
        matches = [FigureMatch(next(first), [next(other) for _ in others]) for _, others in pairs]
        fight(table, battle, tuple(battle.units), matches)
        (back,) = [event.data["back"] for event in table.events if event.kind == "melee"]
        return "both" if len(back) == 2 else {"red": "attackers", "blue": "defenders"}[back[0]]

    def end(battle: Battle, back: str) -> Hashable:
        return outcome(back, *[[unit for unit in battle.units.values() if unit.spec.side == side] for side in hurt])

    return SmallBattle(battle, [draw_hurt, strike], end, kept_events={"melee"})


def _by_matches(rules: Rules, facts: MeleeFightFacts) -> dict[tuple[str, int, int, int, int], Fraction]:
    """Add up the odds of the matches, which are independent, then work out which of the figures struck were wounded
    before (RSK-175).
    """
    book = RskBook(rules)
    pairs = _matches(book, facts)
    single_odds = {
        pair: count_outcomes(
            rules, _fight(rules, _of_one(*pair), lambda _, man, others: (*_losses_of(man), *_losses_of(others)))
        )
        for pair in set(pairs)
    }
    # Chances are whole numbers out of `denominator`, which is faster than adding fractions. Losses are the wounded and
    # killed of the smaller side, then those of the larger side.
    denominator = lcm(*(chance.denominator for found in single_odds.values() for chance in found.values()))
    losses: Counter[tuple[int, ...]] = Counter({(0, 0, 0, 0): 1})
    for pair in pairs:
        losses_with_pair: Counter[tuple[int, ...]] = Counter()
        losses_of_pair = [(step, int(chance * denominator)) for step, chance in single_odds[pair].items()]
        for so_far, weight in losses.items():
            for added, share in losses_of_pair:
                losses_with_pair[tuple(map(add, so_far, added))] += weight * share
        losses = losses_with_pair
    attackers, defenders = (facts.attackers, facts.attackers_wounded), (facts.defenders, facts.defenders_wounded)
    kill_weight = book.counts["kill_weight"] if book.settings.melee_result_measure == "weighted" else 1
    odds: Counter[tuple[str, int, int, int, int]] = Counter()
    for (wounded, killed, larger_wounded, larger_killed), weight in losses.items():
        smaller, larger = (wounded, killed), (larger_wounded, larger_killed)
        ours, theirs = (smaller, larger) if facts.attackers <= facts.defenders else (larger, smaller)
        for own, other in product(_twice_struck(*ours, *attackers), _twice_struck(*theirs, *defenders)):
            lost, caused = own.wounded + kill_weight * own.killed, other.wounded + kill_weight * other.killed
            back = "both" if lost == caused else "attackers" if lost > caused else "defenders"
            outcome = back, own.wounded, own.killed, other.wounded, other.killed
            odds[outcome] += weight * own.choices * other.choices
    total = denominator ** len(pairs) * comb(*attackers) * comb(*defenders)
    return {outcome: Fraction(weight, total) for outcome, weight in odds.items() if weight}


class _Casualties(NamedTuple):
    """New casualties of a side, and the number of choices of the men wounded before that lead to them."""

    wounded: int
    killed: int
    choices: int


def _twice_struck(wounds: int, dead: int, men: int, hurt: int) -> list[_Casualties]:
    """Return the possible casualties when any `hurt` of the `men` were wounded before, because a second wound kills."""
    unstruck = men - wounds
    return [
        _Casualties(wounds - twice, dead + twice, comb(wounds, twice) * comb(unstruck, hurt - twice))
        for twice in range(min(wounds, hurt) + 1)
    ]


_MELEE_FORMULA = Formula(_by_matches, frozenset({"melee.fight", "hits.strike", "melee.push_back", "melee.follow_up"}))


@PROCEDURES.register(
    "RSK-177",
    closed=_MELEE_FORMULA,
    back=str,
    attackers_wounded=int,
    attackers_killed=int,
    defenders_wounded=int,
    defenders_killed=int,
)
def melee(rules: Rules, facts: MeleeFightFacts) -> SmallBattle:
    """A round of melee between two groups.

    The side that goes back, and the newly wounded and killed of both sides.
    """
    return _fight(rules, facts, lambda back, red, blue: (back, *_losses_of(red), *_losses_of(blue)))


# --- Odds of shooting: volleys of a group, and single shots (RSK-083 to RSK-105) --------------------------------------


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
        figure_shots = [_shot_at_band(battle, battle.units[own], n, arm, band) for n, (arm, own, band) in men]
        pool = [Figure(unit.spec.id, index) for unit in battle.of("blue") for index in range(unit.count)]
        prepared = PreparedVolley(sorted(figure_shots, key=nearest_first), lambda: pool, cover=facts.cover)
        fires(
            table, battle, prepared.shots[0].unit, battle.units["target"], prepared.shots[0].weapon, prepared=prepared
        )
        settle_ties(table, battle)
        return [(event.data["hits"], event.data["wounds"]) for event in table.events if event.kind == "shooting"]

    def end(battle: Battle, results: Any) -> Hashable:
        return outcome(battle.units["target"], battle.units["chief"], results)

    return SmallBattle(battle, [fire] if shots else [], end, kept_events=frozenset(hears))


def _outcome_of(facts: VolleyFacts, dead: int, wounded: int, leader: Fate) -> VolleyOutcome:
    """Return the outcome of a volley, with the leader's fate if there is one."""
    return (
        LedVolleyOutcome(dead, wounded, leader) if isinstance(facts, LedVolleyFacts) else VolleyOutcome(dead, wounded)
    )


@PROCEDURES.register("RSK-087", effect=str)
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
    denominator = lcm(*(chance.denominator for single in singles.values() for chance in single.values()))
    effect_of = {"kill": KILL, "wound": WOUND}
    chances = {
        arm: [(effect_of.get(effect, 0), int(chance * denominator)) for effect, chance in singles[arm].items()]
        for arm in singles
    }
    leader = [facts.leader_wounded == harm for harm in range(3)] if isinstance(facts, LedVolleyFacts) else [0, 0, 0]
    hit_denominator = lcm(*range(1, facts.unhurt + facts.wounded + 2))

    def states_after_hit(men: State, effect: int) -> Iterator[tuple[State, int]]:
        """Yield each state that a hit may lead to, with its weight out of `hit_denominator`."""
        # place % 3 is 0 for unhurt, 1 for wounded, 2 for dead; the first three places are the men, the last the leader.
        candidates = {place: number for place, number in enumerate(men) if number and (fixed or place % 3 < KILL)}
        for place, number in candidates.items() if effect else ():
            after = [*men]
            after[place] -= 1
            after[place - place % 3 + min(KILL, place % 3 + effect)] += 1
            yield tuple(after), hit_denominator * number // sum(candidates.values())
        if not (candidates and effect):
            yield men, hit_denominator

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


_FIRE_FORMULA = Formula(_shot_by_shot, frozenset({"shooting.volley", "hits.all", "hits.strike", "groups.leaders"}))


@PROCEDURES.register("RSK-086", VolleyOutcome, _FIRE_FORMULA)
def volley(rules: Rules, facts: VolleyFacts) -> SmallBattle:
    """A group's fire: killed and wounded."""

    def outcome(men: Unit, chief: Unit, _: Any) -> VolleyOutcome:
        return _outcome_of(facts, men.dead, sum(men.hurt), fate_of(chief))

    return _fire_volley(rules, facts, outcome)


@PROCEDURES.register("RSK-105", LedVolleyOutcome, _FIRE_FORMULA)
def volley_at_leader(rules: Rules, facts: LedVolleyFacts) -> SmallBattle:
    """A group's fire at men with their leader."""
    return volley(rules, facts)
