"""Gaits (FBN-173 to FBN-178, FBN-182): allowed gaits, distances, the cost of turns and the effect of ground."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from zareba.base.exact import atan2d, dist, total
from zareba.space.bearings import angle_between
from zareba.space.geometry import Point
from zareba.table import MoveCost
from zareba_rulesets.fixed_baynet.book.numbers import GAITS, FbnBook
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import ruins
from zareba_rulesets.fixed_baynet.forces.units import Figure
from zareba_rulesets.fixed_baynet.ground.field import Scene

__all__ = [
    "FRESH",
    "Ridden",
    "allowed_gaits",
    "gait_refused",
    "most_of",
    "ride_cost",
    "ride_refused",
    "turn_cost",
]


def allowed_gaits(book: FbnBook, figure: Figure) -> list[int]:
    """Return the gaits allowed after last turn's gait: at most one faster (FBN-176) and, with
    `decel_steps` one, at most one slower (FBN-177).
    """
    if figure.gait:
        return [figure.gait]  # further moves in a turn keep the gait
    lowest = figure.last_gait - 1 if book.settings.decel_steps == "one" else 0
    return [gait for gait in book.open_gaits[figure.last_gait] if gait >= lowest]


def turn_cost(book: FbnBook, gait: int, angles: Sequence[float]) -> float:
    """Return the cost of turns in inches, per started 90 degrees or in proportion (FBN-175)."""
    price, whole = book.gaits[gait].turn, book.file.turn_of_mount.degrees
    if book.settings.turn_rounding == "proportional":
        return total(price * angle / whole for angle in angles)
    return float(total(price * ceil(round(angle, 6) / whole) for angle in angles))


def most_of(book: FbnBook, gait: int, going: int, charging: bool = False) -> int:
    """Return the maximum distance of a gait on one kind of ground, rounded up.

    Minimum distances do not change (FBN-182).
    """
    most = book.slowed(book.gaits[gait].most, going)
    return book.charge_factor * most if charging and book.settings.mounted_charge_doubles else most


class Ridden(NamedTuple):
    """The ride so far, before its last leg: inches, their cost, the cost of its turns, and the slowest ground."""

    inches: float = 0.0
    cost: float = 0.0
    turns: float = 0.0
    difficulty: int = 0


FRESH = Ridden()


def gait_refused(
    book: FbnBook,
    gait: int,
    last: int,
    inches: float,
    angles: Sequence[float],
    going: int = 0,
    charging: bool = False,
    paid: float = 0.0,
) -> str | None:
    """Return why a ride breaks the rules of its gait, or None (FBN-174 to FBN-178).

    `paid` is the cost of earlier turns.
    """
    if gait and gait not in book.open_gaits[last]:
        return f"{GAITS[gait]} needs {book.gaits[gait].after} in the turn before (FBN-176)"
    if book.settings.decel_steps == "one" and gait < last - 1:
        return "the horse cannot slow down so fast (FBN-177)"
    most = most_of(book, gait, going, charging)
    if inches + paid + turn_cost(book, gait, angles) > most + 1e-6:
        return f'more than the {most}" maximum of a {GAITS[gait]} (FBN-175)'
    if inches < book.gaits[gait].least - 1e-6 and not (charging and book.settings.contact_excuses_minimum):
        return f'less than the {book.gaits[gait].least}" minimum of a {GAITS[gait]} (FBN-174)'
    return None


def angles_of(facing: float, path: Sequence[Point]) -> list[float]:
    """Return the turns of a path ridden from this facing."""
    found, before = [], facing
    for a, b in pairwise(path):
        if a != b:
            way = atan2d(b[0] - a[0], b[1] - a[1])
            found.append(angle_between(before, way))
            before = way
    return found


def ride_cost(battle: Battle, figure: Figure, goal: Point, gait: int, ridden: Ridden = FRESH) -> MoveCost:
    """Return the cost of riding straight to a point, with the turn and the ride so far (FBN-175, FBN-182)."""
    book, leg = battle.book, battle.field.leg(figure.at, goal, True, ruins(battle))
    proportional = book.settings.terrain_move == "proportional"
    spent = ridden.cost + leg.cost if proportional else ridden.inches + dist(goal, figure.at)
    spent += ridden.turns + turn_cost(book, gait, angles_of(figure.facing, (figure.at, goal)))
    most = most_of(book, gait, 0 if proportional else max(ridden.difficulty, leg.difficulty))
    return MoveCost(None if leg.closed else spent, most)


def ride_refused(
    battle: Battle,
    figure: Figure,
    path: Sequence[Point],
    gait: int,
    charging: bool = False,
    scene: Scene | None = None,
    ridden: Ridden = FRESH,
) -> str | None:
    """Return why a rider may not take this path at this gait, or None (FBN-180, FBN-182).

    `ridden` is the ride so far in the same move.
    """
    down = ruins(battle)
    inches, price, paid, going = ridden
    for a, b in pairwise(path):
        leg = battle.field.leg(a, b, True, down, scene)
        if leg.closed:
            return f"{leg.closed} bars the way (FBN-182)"
        if charging and leg.dangerous:
            return "a charge cannot cross dangerous ground (FBN-042)"
        going, price = max(going, leg.difficulty), price + leg.cost
        inches += dist(b, a)
    angles = angles_of(figure.facing, path)
    book = battle.book
    if book.settings.terrain_move == "proportional":
        most = most_of(book, gait, 0, charging)
        if price + paid + turn_cost(book, gait, angles) > most + 1e-6:
            return f'more than the {most}" maximum of a {GAITS[gait]} (FBN-048)'
        going = 0
        if price > inches:
            excused = charging and book.settings.contact_excuses_minimum
            return (
                None if excused or inches >= book.gaits[gait].least - 1e-6 else "less than the least distance (FBN-174)"
            )
    return gait_refused(book, gait, figure.last_gait, inches, angles, going, charging, paid)
