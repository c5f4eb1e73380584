"""What units do under any rules on a free table: march, close with an enemy, fall back, lose men, go.

A ruleset says when, how far and under which rule; house rules wrap these as they wrap the ruleset's own procedures.
"""

from __future__ import annotations

from itertools import pairwise

from zareba.base.exact import dist
from zareba.plain.aims import aims_of
from zareba.plain.state import Battle, Unit
from zareba.rules.procedure import procedure
from zareba.space import Point
from zareba.space.bearings import bearing_to, direction
from zareba.space.field.bases import SLACK, on_line
from zareba.space.geometry import Points
from zareba.space.moves.contact import places_round
from zareba.table import MoveCost, Suggestions, Table

__all__ = ["bar", "charge", "charges", "fall_back", "go", "lose", "march"]

GOALS = 3
"""Towards how many enemies, and how many places that its side wants, a march is suggested."""
TURNS = 6
"""In how many directions besides."""
PARTS = (1.0, 0.75, 0.5, 0.25)
"""If there is no room at the end of a way, so much of it is tried."""
ASIDE = (0, 30, -30, 60, -60)
"""Degrees off the near side of an enemy at which he is closed with."""
APART = 0.5
"""How far from an enemy, beyond contact, a march stops that is no charge."""


@procedure("march")
def march(table: Table, battle: Battle, unit: Unit, allowance: float, rule: str) -> bool:
    """The owner says where a unit goes, as far as an allowance reaches; whether it has gone anywhere."""
    suggested = Suggestions(1 + GOALS * 2 + TURNS, _Places(battle, unit, allowance).at)
    to = table.place(
        unit.side,
        suggested,
        lambda at: bar(battle, unit, at, allowance),
        why="march to",
        rule=rule,
        actor=unit.id,
        cost=lambda at: MoveCost(_spent(battle, unit, at), allowance),
    )
    if dist(to, unit.place) <= SLACK:
        return False
    unit.at = to
    table.tell("marched", rule, unit=unit.id, to=_told(to))
    return True


def _told(at: Point) -> list[float]:
    return [round(at[0], 1), round(at[1], 1)]


class _Places:
    """The places that are suggested to a unit: where it stands, then towards enemies, places it wants, all directions."""

    def __init__(self, battle: Battle, unit: Unit, allowance: float) -> None:
        self.battle, self.unit, self.allowance = battle, unit, allowance
        self._goals: list[Point] | None = None

    def at(self, number: int) -> Point | None:
        """The place of this number, None where there is none."""
        battle, unit = self.battle, self.unit
        if number == 0:
            return unit.place
        if self._goals is None:
            foes = [foe.place for foe in battle.foes(unit)[:GOALS]]
            wanted = sorted(aims_of(battle, unit), key=lambda at: dist(at, unit.place))[:GOALS]
            x, y = unit.place
            spokes = [direction(360 / TURNS * turn) for turn in range(TURNS)]
            reach = self.allowance
            self._goals = [*foes, *wanted, *((x + dx * reach, y + dy * reach) for dx, dy in spokes)]
        return self._towards(self._goals[number - 1]) if number <= len(self._goals) else None

    def _towards(self, goal: Point) -> Point | None:
        battle, unit = self.battle, self.unit
        field = battle.field
        path = field.way(unit.place, battle.field.table.onto(goal))
        if path is None:
            return None
        for part in PARTS:
            at = field.going.advance(path, self.allowance * part).point
            if bar(battle, unit, at, self.allowance) is None:
                return at
        return None


def bar(battle: Battle, unit: Unit, to: Point, allowance: float, target: Unit | None = None) -> str | None:
    """What keeps a unit from a place, in words, or None; only with a `target` it may come into contact."""
    if dist(to, unit.place) <= SLACK:
        return None
    if not battle.field.table.is_on_table(to):
        return "that lies off the table"
    other = battle.stands_on(unit, to)
    if other is not None:
        return f"{other.spec.name} stand there"
    contact = battle.book.reach.contact
    near = contact if target is not None else contact + APART
    for foe in battle.on_table():
        if foe.side != unit.side and foe is not target and dist(to, foe.place) - foe.room - unit.room < near:
            return f"that is as good as in contact with {foe.spec.name}"
    path, cost = battle.field.way(unit.place, to), _spent(battle, unit, to)
    if path is None or cost is None:
        return "no way leads there"
    if cost > allowance + SLACK:
        return f"that is {cost:.1f} to go, and they can go {allowance:g}"
    for foe in battle.on_table():
        if foe.side != unit.side and foe is not target and _runs_into(path, foe, unit):
            return f"{foe.spec.name} stand in the way"
    return None


def _spent(battle: Battle, unit: Unit, to: Point) -> float | None:
    """What the way of a unit to a place costs, None where none leads there."""
    path = battle.field.way(unit.place, to)
    return None if path is None else battle.field.going.cost(path)


def _runs_into(path: Points, foe: Unit, unit: Unit) -> bool:
    return any(list(on_line([foe.base], a, b, unit.room - SLACK)) for a, b in pairwise(path))


def charges(battle: Battle, unit: Unit, allowance: float) -> list[Unit]:
    """The enemies with whom a unit can close by an allowance, the nearest first."""
    reach = allowance + battle.book.reach.contact
    near = [foe for foe in battle.foes(unit) if battle.gap(unit, foe) <= reach]
    return [foe for foe in near if _contact(battle, unit, foe, allowance) is not None]


def _contact(battle: Battle, unit: Unit, foe: Unit, allowance: float) -> Point | None:
    """Where a unit comes into contact with an enemy, straight on or a little aside."""
    beside = places_round(foe.place, foe.room + unit.room, bearing_to(foe.place, unit.place), ASIDE)
    return next((at for at in beside if bar(battle, unit, at, allowance, foe) is None), None)


@procedure("charge")
def charge(table: Table, battle: Battle, unit: Unit, foe: Unit, allowance: float, rule: str) -> bool:
    """A unit closes with an enemy whom it can reach; whether it did, for the enemy may have gone."""
    at = _contact(battle, unit, foe, allowance) if foe.at is not None else None
    if at is None:
        return False
    unit.at = at
    table.tell("charged", rule, unit=unit.id, enemy=foe.id)
    return True


@procedure("fall back")
def fall_back(table: Table, battle: Battle, unit: Unit, inches: float, rule: str) -> None:
    """A unit goes straight away from its nearest enemy, as far as it can; over the edge it is gone."""
    foes = battle.foes(unit)
    if not foes:
        return
    (x, y), (fx, fy) = unit.place, foes[0].place
    reach = dist(unit.place, foes[0].place) or 1.0
    ahead = (x - fx) / reach, (y - fy) / reach
    goal = x + ahead[0] * inches, y + ahead[1] * inches
    if not battle.field.table.is_on_table(goal):
        go(table, battle, unit, "fled", rule)
        return
    path = battle.field.way(unit.place, goal) or (unit.place, goal)
    for part in PARTS:
        at = battle.field.going.advance(path, inches * part).point
        if battle.stands_on(unit, at) is None and dist(at, foes[0].place) > reach:
            unit.at = at
            break
    table.tell("fell back", rule, unit=unit.id, to=_told(unit.place))


@procedure("lose")
def lose(table: Table, battle: Battle, unit: Unit, figures: int, rule: str, cause: str = "fire") -> int:
    """A unit loses so many figures, or all that it has; with the last of them it is gone. How many it lost.

    `cause`: fire, melee, morale or other, as comparisons count them.
    """
    lost = min(figures, unit.figures)
    if lost <= 0:
        return 0
    unit.figures -= lost
    table.tell("loss", rule, unit=unit.id, side=unit.side, lost=lost, left=unit.figures, cause=cause)
    if not unit.figures:
        go(table, battle, unit, "destroyed", rule)
    return lost


@procedure("go")
def go(table: Table, battle: Battle, unit: Unit, why: str, rule: str) -> None:
    """A unit is out of the battle for good; what it carries stays where it was."""
    for prize in battle.prizes.values():
        if prize.carrier == unit.id:
            prize.carrier = ""
    unit.at, unit.gone = None, why
    if unit.id in battle.waiting:
        del battle.waiting[unit.id]
    if unit.figures:
        table.tell("loss", rule, unit=unit.id, side=unit.side, lost=unit.figures, left=0, cause="morale")
    table.tell(why, rule, unit=unit.id)
