"""Odds of command: the points of a leader, and the chain of command (RSK-050 to RSK-070)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from zareba.base.exact import dist
from zareba.odds import SmallBattle
from zareba.rules import Rules
from zareba.space.field.bodies import ranks
from zareba.space.geometry import Point
from zareba.table import Answer, Choose, Table
from zareba_rulesets.risk_factor.chapters.command import command, command_cost, roll_command_points
from zareba_rulesets.risk_factor.forces.battle import Battle
from zareba_rulesets.risk_factor.odds.stage import MIDDLE, PROCEDURES, RADIUS, Class, Group, small_table, unit_of

__all__ = ["PointsFacts"]

Link = Literal[
    "none", "veteran", "raw", "hero", "musician",
    "disloyal_veteran", "disloyal_raw", "disloyal_hero", "disloyal_musician",
]  # fmt: skip
DISLOYAL = "disloyal_"


@dataclass(frozen=True)
class PointsFacts:
    """A leader who wants to command `figures` men of one group, loyal or not, routing or not. `busy`: the leader loads
    or fires.
    """

    figures: Group = 10
    leader: Class = "veteran"
    busy: bool = False
    loyal: bool = True
    routing: bool = False


@dataclass(frozen=True)
class ChainFacts:
    """An officer, the leaders he links in order, and the squads he then buys in order, by number of figures (RSK-061).

    A `disloyal_` leader costs more points (RSK-057), and so do the figures of squads marked in `disloyal`; squads
    beyond the end of that list are loyal. `musicians` is the class of linked musicians. It matters only if musicians
    throw their own dice too (RSK-054).
    """

    officer: Class = "veteran"
    busy: bool = False
    links: tuple[Link, ...] = ("veteran", "raw")
    squads: tuple[Group, ...] = (9, 9, 9)
    musicians: Class = "veteran"
    disloyal: tuple[bool, ...] = ()


def _camp(rules: Rules, men: Mapping[str, int], loyal: Mapping[str, bool], **traits: Mapping[str, Any]) -> Battle:
    """Return a small table with leaders in the middle of their men, all within command distance.

    `men` gives the figures of each unit, `loyal` the loyalty of each unit to all leaders, and `traits` further
    attributes of a unit.
    """
    count = sum(men.values())
    places = ranks((MIDDLE, MIDDLE), 0.0, count, RADIUS, int(count**0.5) + 1).at
    near: list[Point] = sorted(places, key=lambda point: dist(point, (MIDDLE, MIDDLE)))
    faith = {name: "loyal" if loyal.get(name, True) else "disloyal" for name in men}
    units = [
        unit_of(name, "red", [near.pop(0) for _ in range(number)], loyalty=faith, **traits.get(name, {}))
        for name, number in men.items()
    ]
    return small_table(rules, *units, phase="command", commanders={"officer": "red"})


def _officer(troop_class: Class, busy: bool) -> dict[str, Any]:
    return {"troop_class": troop_class, "leader": "officer", "marks": "busy" * busy}


@PROCEDURES.of("RSK-050", commanded=bool, points=int)
def command_points(rules: Rules, facts: PointsFacts) -> SmallBattle:
    """A leader's throw for points to command one group.

    The points thrown, and whether the whole group is commanded.
    """
    group = {"status": "routing" if facts.routing else "steady"}
    men, officer = {"officer": 1, "group": facts.figures}, _officer(facts.leader, facts.busy)
    camp = _camp(rules, men, {"group": facts.loyal}, officer=officer, group=group)

    def roll_and_price(table: Table, battle: Battle, _: None) -> tuple[bool, int]:
        leader = battle.units["officer"]
        battle.pools["officer"] = roll_command_points(table, battle, leader)
        return command_cost(battle, battle.units["group"], [leader]) is not None, battle.pools["officer"]

    return SmallBattle(camp, [roll_and_price])


@PROCEDURES.of("RSK-061", squads=int)
def command_chain(rules: Rules, facts: ChainFacts) -> SmallBattle:
    """The chain of command, with squads bought in order.

    How many of the squads are commanded. A squad is bought if the points left pay for all of it (RSK-059).
    """
    men, loyal, traits = {"officer": 1}, {"officer": True}, {"officer": _officer(facts.officer, facts.busy)}
    for number, link in enumerate(facts.links):
        kind, name = link.removeprefix(DISLOYAL), f"link {number}"
        if kind != "none":
            men[name], loyal[name], music = 1, kind == link, kind == "musician"
            traits[name] = {"troop_class": facts.musicians if music else kind, "leader": "nco", "musician": music}
    for number, (squad, disloyal) in enumerate(zip_longest(facts.squads, facts.disloyal[: len(facts.squads)])):
        men[f"squad {number}"], loyal[f"squad {number}"] = squad, not disloyal

    def give(table: Table, battle: Battle, _: None) -> int:
        command(table, battle, battle.units["officer"])
        return sum("commanded" in unit.marks for unit in battle.units.values())

    def next_in_order(question: Any, battle: Battle) -> Answer:
        """Return the first option after stopping. Leaders are offered before squads."""
        return question.options[1] if isinstance(question, Choose) else False

    return SmallBattle(_camp(rules, men, loyal, **traits), [give], answer=next_in_order)
