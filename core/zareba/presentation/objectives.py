"""The objectives of a battle as players see them: who holds each place, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.base.grammar import agreeing, amount, in_a_sentence, join_with_and, percent
from zareba.scenario.model import Escort, Hold, Scenario
from zareba.scenario.objective_area import ObjectiveArea
from zareba.scenario.victory import CountedGroup, Scoreboard

_MOST_NAMES = 3


@dataclass(frozen=True)
class PlacedObjective:
    """An objective with a place on the table: its id, its name with its points, where troops count for it, the side
    that holds it ("" for none), and in a sentence why.
    """

    id: str
    title: str
    area: ObjectiveArea
    holder: str
    why: str

    @property
    def words(self) -> str:
        """The title and the reason in one line."""
        return f"{self.title}. {self.why}"


def placed_objectives(
    scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str], name_of: Callable[[str], str]
) -> tuple[PlacedObjective, ...]:
    """Return the objectives that troops hold or must reach. `scoreboard` counts only what the viewer may see."""
    placed = []
    for key, goal in scenario.objectives.items():
        if not isinstance(goal, (Hold, Escort)) or (reach := scoreboard.objective_area(key, goal)) is None:
            continue
        if key in achieved:
            holder = achieved[key]
            why = f"Achieved by {in_a_sentence(name_of(holder))}."
        elif isinstance(goal, Hold):
            holder = scoreboard.owner(key, goal) or ""
            why = _why_held(scoreboard.men_at(key, goal), holder, reach, name_of)
        else:
            share_there = scoreboard.share_brought(goal)
            holder = scenario.units[goal.units[0]].side if share_there >= goal.share else ""
            units = join_with_and(map(name_of, goal.units))
            why = f"{percent(share_there)} of {units} {agreeing(units, 'is', 'are')} {reach.words}; {percent(goal.share)} needed."
        placed.append(PlacedObjective(key, f"{goal.name}: {amount(goal.points, 'point')}", reach, holder, why))
    return tuple(placed)


def _why_held(groups: Sequence[CountedGroup], holder: str, reach: ObjectiveArea, name_of: Callable[[str], str]) -> str:
    """Return in a sentence who holds a place ("" for neither side), and which troops decide it."""
    ready: dict[str, list[CountedGroup]] = {}
    for group in groups:
        if group.fate == "ready":
            ready.setdefault(group.side, []).append(group)
    others = [group for group in groups if group.fate != "ready"]
    about_others = f" {_units_in_words(others, name_of)} cannot hold it now." if others else ""
    if holder:
        holder_name = in_a_sentence(name_of(holder))
        if list(ready) == [holder]:
            return f"Held by {holder_name}: {_units_in_words(ready[holder], name_of)} {reach.words}, no enemy.{about_others}"
        return f"Held by {holder_name}, who had it last: no enemy has been alone {reach.words} since.{about_others}"
    if ready:
        sides = [f"{in_a_sentence(name_of(side))} ({_units_in_words(own, name_of)})" for side, own in ready.items()]
        return f"Held by neither side: {join_with_and(sides)} are {reach.words}.{about_others}"
    return f"Held by neither side{'' if others else f': nobody is {reach.words}'}.{about_others}"


def _units_in_words(groups: Iterable[CountedGroup], name_of: Callable[[str], str]) -> str:
    """Return the names of the units of some groups, each with its number of men: "Sikhs (4) and Guides (3)"."""
    numbers: dict[str, float] = {}
    for group in groups:
        name = name_of(group.unit or group.leader) if group.unit or group.leader else "others"
        numbers[name] = numbers.get(name, 0) + group.number
    units = [f"{name} ({number:g})" for name, number in numbers.items()]
    if len(units) > _MOST_NAMES:
        units = [*units[: _MOST_NAMES - 1], amount(len(units) - _MOST_NAMES + 1, "other unit")]
    return join_with_and(units)
