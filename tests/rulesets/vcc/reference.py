"""An independent calculation of the VCC dice: plain functions on distributions that share no code with the rules.

A distribution is a dict of outcome -> probability. A victim is (bases, leader, marker, wounds, jest).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction as F
from itertools import product
from math import ceil
from typing import TypeVar

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)

HIT_ON = {"close": 9, "medium": 11, "long": 12}


def then(first: Mapping[A, F], following: Callable[[A], Mapping[B, F]]) -> dict[B, F]:
    """Return the distribution of `following`, applied to each outcome of `first`."""
    found: dict[B, F] = {}
    for outcome, p in first.items():
        for result, q in following(outcome).items():
            found[result] = found.get(result, F(0)) + p * q
    return found


def thrown(faces: int) -> dict[int, F]:
    return {face: F(1, faces) for face in range(1, faces + 1)}


def two_dice() -> dict[int, F]:
    return then(thrown(6), lambda a: {a + b: F(1, 6) for b in range(1, 7)})


def pool(dice: int, die: int, d3_method: str = "d3") -> dict[tuple[int, bool], F]:
    """Return the distribution of a dice pool: (hits, True if a die showed its highest face)."""
    faces, top = (6, 5) if die == 3 and d3_method == "half_total" else (die, die)
    found: dict[tuple[int, bool], F] = {(0, False): F(1)}
    for _ in range(dice):
        found = then(found, lambda so_far: _add_die(so_far, faces, top))
    if faces != die:
        found = then(found, lambda roll: {(ceil(roll[0] / 2), roll[1]): F(1)})
    return found


def _add_die(so_far: tuple[int, bool], faces: int, top: int) -> dict[tuple[int, bool], F]:
    found: dict[tuple[int, bool], F] = {}
    for face in range(1, faces + 1):
        reached = (so_far[0] + face, so_far[1] or face >= top)
        found[reached] = found.get(reached, F(0)) + F(1, faces)
    return found


@dataclass(frozen=True)
class Victim:
    """A unit that is hit. `lost`: it lost a base or the leader. `commander`: wounds of an attached commander; None if
    there is none.
    """

    bases: int
    leader: bool = True
    marker: int = 0
    wounds: int = 0
    jest: bool = False
    lost: bool = False
    commander: int | None = None
    routed: bool = False

    @property
    def strength(self) -> int:
        return 0 if self.routed else self.bases + self.leader


def struck(victim: Victim, hits: int, per_base: int = 6) -> Victim:
    gone, marker = divmod(victim.marker + hits, per_base)
    gone = min(gone, victim.strength)
    bases = max(0, victim.bases - gone)
    leader = victim.leader and gone <= victim.bases
    alive = bases + leader > 0
    return replace(victim, bases=bases, leader=leader, marker=marker if alive else 0, lost=victim.lost or gone > 0)


def leader_check(
    victim: Victim, band: str, removes_base: bool = True, commander_at_risk: bool = True
) -> dict[Victim, F]:
    """Return the distribution after the check of the leader, then of an attached commander."""
    found: dict[Victim, F] = {victim: F(1)}
    if victim.strength and victim.leader:
        found = then(two_dice(), lambda hit: _effect(victim, removes_base) if hit >= HIT_ON[band] else {victim: F(1)})
    if victim.commander is not None and commander_at_risk:
        found = then(
            found,
            lambda now: then(
                two_dice(), lambda hit: _on_commander(now) if hit >= HIT_ON[band] and now.strength else {now: F(1)}
            ),
        )
    return found


def _effect(victim: Victim, removes_base: bool) -> dict[Victim, F]:
    def suffers(score: int) -> dict[Victim, F]:
        if score <= 4:
            return {replace(victim, jest=True): F(1)}
        wounds = victim.wounds + (1 if score <= 9 else 2)
        if score < 12 and wounds < 3:
            return {replace(victim, wounds=wounds): F(1)}
        bases = victim.bases if removes_base else victim.bases + 1
        return {replace(victim, bases=bases, leader=False, jest=False, lost=True, wounds=3): F(1)}

    return then(two_dice(), suffers)


def _on_commander(victim: Victim) -> dict[Victim, F]:
    assert victim.commander is not None
    before = victim.commander

    def suffers(score: int) -> dict[Victim, F]:
        if score <= 4:
            return {replace(victim, jest=True): F(1)}
        wounds = before + (1 if score <= 9 else 2)
        return {replace(victim, commander=wounds if score < 12 and wounds < 3 else None): F(1)}

    return then(two_dice(), suffers)


def morale(
    victim: Victim, modifier: int, per_base: int = 6, room: int = 2, edge: bool = False
) -> dict[tuple[str, Victim], F]:
    """Return the result of a morale check and the remaining unit. `modifier` excludes the jest; `room` is the number of
    boxes behind the unit, with or without its own edge after them.
    """
    if not victim.strength:
        return {("destroyed", victim): F(1)}
    total = victim.strength + modifier + victim.jest

    def result(die: int) -> dict[tuple[str, Victim], F]:
        missed = die - total
        if missed <= 0:
            return {("passes", victim): F(1)}
        if missed == 1:
            return then(thrown(6), lambda hits: {("shaken", struck(victim, hits, per_base)): F(1)})
        name = {2: "recoils", 3: "falls_back"}.get(missed, "breaks")
        barred = max(0, {"recoils": 0, "falls_back": 1, "breaks": 2}[name] - room)
        if barred and edge:
            return {("routs", replace(victim, bases=0, lost=True, routed=True)): F(1)}
        left = {victim: F(1)}
        for _ in range(barred):
            left = then(
                left,
                lambda now: then(thrown(6), lambda hits: {struck(now, hits, per_base) if now.strength else now: F(1)}),
            )
        return {(name, now): p for now, p in left.items()}

    return then(thrown(6), result)


def leader_state(victim: Victim, had_one: bool = True) -> str:
    if not had_one:
        return "none"
    return ("unhurt", "one wound", "two wounds")[victim.wounds] if victim.leader else "dead"


def due(hits: int, top: bool, trigger: str) -> bool:
    return {"max_face": top, "five_hits": hits >= 5, "either": top or hits >= 5}[trigger]


def joint(a: Mapping[A, F], b: Mapping[B, F]) -> dict[tuple[A, B], F]:
    """Return the joint distribution of two independent distributions."""
    return {(x, y): p * q for (x, p), (y, q) in product(a.items(), b.items())}
