"""The objectives of a battle as players see them: who holds each place, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.base.grammar import agreeing, amount, in_a_sentence, join_with_and
from zareba.scenario.model import Escort, Hold, Scenario
from zareba.scenario.objective_reach import ObjectiveReach
from zareba.scenario.victory import CountedGroup, Scoreboard

_MOST_NAMES = 3


@dataclass(frozen=True)
class PlacedObjective:
    """An objective with a place on the table: its id, its name with its points, where troops count for it, the side
    that holds it ("" for none), and in a sentence why.
    """

    id: str
    title: str
    reach: ObjectiveReach
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
    return tuple(_placed(scenario, scoreboard, achieved, name_of))


def _placed(
    scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str], name_of: Callable[[str], str]
) -> Iterator[PlacedObjective]:
    for key, goal in scenario.objectives.items():
        if not isinstance(goal, (Hold, Escort)) or (reach := scoreboard.reach(key, goal)) is None:
            continue
        title = f"{goal.name}: {amount(goal.points, 'point')}"
        if key in achieved:
            side = achieved[key]
            yield PlacedObjective(key, title, reach, side, f"Achieved by {in_a_sentence(name_of(side))}.")
        elif isinstance(goal, Hold):
            owner = scoreboard.owner(key, goal)
            why = _why_held(scoreboard.men_at(key, goal), owner, reach, name_of)
            yield PlacedObjective(key, title, reach, owner or "", why)
        else:
            brought, side = scoreboard.share_brought(goal), scenario.units[goal.units[0]].side
            units = join_with_and(map(name_of, goal.units))
            why = f"{brought:.0%} of {units} {agreeing(units, 'is', 'are')} {reach.words}; {goal.share:.0%} needed."
            yield PlacedObjective(key, title, reach, side if brought >= goal.share else "", why)


def _why_held(
    men: Sequence[CountedGroup], owner: str | None, reach: ObjectiveReach, name_of: Callable[[str], str]
) -> str:
    """Return in a sentence who holds a place, and which troops decide it."""
    sides = list(dict.fromkeys(one.side for one in men if one.fate == "ready"))
    ready = {side: _units([one for one in men if one.fate == "ready" and one.side == side], name_of) for side in sides}
    idle = [one for one in men if one.fate != "ready"]
    others = f" {_units(idle, name_of)} cannot hold it now." if idle else ""
    if owner is not None:
        side = in_a_sentence(name_of(owner))
        if sides == [owner]:
            return f"Held by {side}: {ready[owner]} {reach.words}, no enemy.{others}"
        return f"Held by {side}, who had it last: no enemy has been alone {reach.words} since.{others}"
    if sides:
        rivals = [f"{in_a_sentence(name_of(side))} ({units})" for side, units in ready.items()]
        return f"Held by neither side: {join_with_and(rivals)} are {reach.words}.{others}"
    return f"Held by neither side{'' if idle else f': nobody is {reach.words}'}.{others}"


def _units(men: Iterable[CountedGroup], name_of: Callable[[str], str]) -> str:
    """Return the names of the units that some men belong to, each with its number of men: "Sikhs (4) and Guides (3)"."""
    numbers: dict[str, float] = {}
    for one in men:
        name = name_of(one.unit or one.leader) if one.unit or one.leader else "others"
        numbers[name] = numbers.get(name, 0) + one.number
    shown = [f"{name} ({number:g})" for name, number in numbers.items()]
    if len(shown) > _MOST_NAMES:
        shown = [*shown[: _MOST_NAMES - 1], amount(len(shown) - _MOST_NAMES + 1, "other unit")]
    return join_with_and(shown)
