"""Odds of melee: single matches, and whole melees as the sum of their matches (RSK-164 to RSK-180)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from math import comb, lcm
from typing import Annotated, Any

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.chance import lot
from zareba.odds import Formula, SmallBattle, count_outcomes, refuse
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.chapters.melee.match import spread_opponents
from zareba_rulesets.risk_factor.chapters.melee.matching import Match
from zareba_rulesets.risk_factor.chapters.melee.melee import fight
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit
from zareba_rulesets.risk_factor.odds import stage
from zareba_rulesets.risk_factor.odds.stage import MIDDLE, PROCEDURES, Factor, Fate, Group, Men, fate_of, row

__all__ = ["Kind", "MeleeFightFacts", "Pairing"]

Opponents = Annotated[int, Field(ge=1, le=8)]
Kind = tuple[bool, bool, Factor, bool, bool]
"""A figure in a match: raw, Hero or superior, melee factor, crossing an obstacle, routing."""
Pairing = tuple[Kind, Annotated[tuple[Kind, ...], Field(min_length=1, max_length=8)]]
"""A figure and its opponents."""


@dataclass(frozen=True)
class MatchFacts:
    """One figure against `opponents` identical figures. None of them is wounded before.

    `..._factor`: melee factor. `..._crossing`: fights across an obstacle. `..._routing`: throws no die (RSK-176).
    """

    opponents: Opponents = 1
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


@PROCEDURES.of("RSK-166", single=Fate, wounded=int, killed=int)
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
    crossing = any(kind[3] for kind in (*singles, *several))
    battle = stage.small_table(rules, *units, ground=(wall, line) if crossing else None)

    def draw_hurt(table: Table, battle: Battle, _: None) -> None:
        for side in [side for side, number in hurt.items() for _ in range(number)]:
            men = [(unit, n) for unit in battle.of(side) for n, lame in enumerate(unit.hurt) if not lame]
            place = table.draw(
                {f"{n:02}": 1 for n in range(len(men))},
                why="wounded before",
                rule="RSK-110",
                means=lot("the figure wounded before"),
            )
            unit, man = men[int(place)]
            unit.hurt = tuple(lame or n == man for n, lame in enumerate(unit.hurt))

    def strike(table: Table, battle: Battle, _: None) -> str:
        men = [iter([(unit.spec.id, n) for unit in battle.of(side) for n in range(unit.count)]) for side in hurt]
        one, other = men if single_attacks else men[::-1]
        matches = [Match(next(one), [next(other) for _ in others]) for _, others in pairs]
        fight(table, battle, tuple(battle.units), matches)
        (back,) = [event.data["back"] for event in table.events if event.kind == "melee"]
        return "both" if len(back) == 2 else {"red": "attackers", "blue": "defenders"}[back[0]]

    def end(battle: Battle, back: str) -> Hashable:
        return outcome(back, *[[unit for unit in battle.units.values() if unit.spec.side == side] for side in hurt])

    return SmallBattle(battle, [draw_hurt, strike], end, hears={"melee"})


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
    whole = lcm(*(p.denominator for found in single_odds.values() for p in found.values()))
    losses: Counter[tuple[int, ...]] = Counter({(0, 0, 0, 0): 1})
    for pair in pairs:
        following: Counter[tuple[int, ...]] = Counter()
        steps = [(*step, int(p * whole)) for step, p in single_odds[pair].items()]
        for (a, b, c, d), weight in losses.items():
            for e, f, g, h, share in steps:
                following[a + e, b + f, c + g, d + h] += weight * share
        losses = following
    red, blue = (facts.attackers, facts.attackers_wounded), (facts.defenders, facts.defenders_wounded)
    worth = book.counts["kill_weight"] if book.settings.melee_result_measure == "weighted" else 1
    odds: Counter[tuple[str, int, int, int, int]] = Counter()
    for (a, b, c, d), weight in losses.items():
        ours, theirs = ((a, b), (c, d)) if facts.attackers <= facts.defenders else ((c, d), (a, b))
        for (aw, ak, p), (dw, dk, q) in product(_twice_struck(*ours, *red), _twice_struck(*theirs, *blue)):
            lost, caused = aw + worth * ak, dw + worth * dk
            back = "both" if lost == caused else "attackers" if lost > caused else "defenders"
            odds[back, aw, ak, dw, dk] += weight * p * q
    total = whole ** len(pairs) * comb(*red) * comb(*blue)
    return {outcome: Fraction(weight, total) for outcome, weight in odds.items() if weight}


def _twice_struck(wounds: int, dead: int, men: int, hurt: int) -> list[tuple[int, int, int]]:
    """Return casualties and weights when any `hurt` of the `men` were wounded before, because a second wound kills. The
    weights count the possible choices.
    """
    unstruck = men - wounds
    return [(wounds - n, dead + n, comb(wounds, n) * comb(unstruck, hurt - n)) for n in range(min(wounds, hurt) + 1)]


CLOSED = Formula(_by_matches, frozenset({"melee.fight", "hits.strike", "melee.push_back", "melee.follow_up"}))


@PROCEDURES.of(
    "RSK-177",
    closed=CLOSED,
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
