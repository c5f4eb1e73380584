"""Objectives, capture and the end of the battle (PAY-192 to PAY-194, PAY-215)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from zareba.base.exact import dist
from zareba.base.grammar import amount, in_a_sentence
from zareba.base.speedups import cached_attribute, new_tuple
from zareba.scenario.model import CarryOff, Escort, Hold, Scenario
from zareba.scenario.objective_area import ObjectiveArea
from zareba.scenario.victory import (
    CountedGroup,
    Fate,
    Outcome,
    Scoreboard,
    count_points,
    end_of_battle,
    judge,
    outright_victory,
    survivor_phrase,
    winner,
)
from zareba.space import Point
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import EPSILON, Bounds
from zareba_rulesets.paychest.chapters.setting_up import second_wave
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.translation import Plan


class PaychestScoreboard(Scoreboard[Battle]):
    """The state of a battle in terms of the scenario's objectives.

    `turn` is the turn that has just ended, or 0 while one is in progress. `last` is True in the last turn, when no
    more units can arrive.
    """

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan, *, turn_over: bool) -> None:
        turn = battle.turn if turn_over else 0
        last = battle.turn >= scenario.turns
        super().__init__(battle, scenario, turn=turn, carried_objects={}, last=last)
        self.plan = plan
        self._parts: dict[str, list[TerrainPiece[Any]]] = {}
        self._boxes: dict[str, Bounds] = {}

    def counted_groups(self) -> Iterable[CountedGroup]:
        """Count each figure for the unit whose roster it is on. A leader with a separate card belongs to no unit."""
        return self._men(self.battle.units)

    def groups_of_units(self, units: Collection[str]) -> Iterable[CountedGroup]:
        """Count the figures of some units, without going through all rosters."""
        own = {part for unit in units for part in self.plan.parts.get(unit, ())}
        return self._men([name for name in self.battle.units if name in own])

    def groups_of_side(self, side: str) -> Iterable[CountedGroup]:
        """Count the figures of a side."""
        return self._men([name for name, unit in self.battle.units.items() if unit.spec.side == side])

    def groups_of_leader(self, leader: str) -> Iterable[CountedGroup]:
        """Count a leader of the scenario, found on the roster of his unit."""
        figure = self.plan.leaders.get(leader, "")
        unit = figure.rpartition(".")[0]
        return (men for men in self._men([unit] if figure else []) if men.leader == leader)

    def can_act(self, side: str) -> bool:
        """Return True if a side has able figures on the table or certain to come.

        Any unit on the table decides, without going through the rosters.
        """
        sources = self.plan.sources
        return any(unit.spec.id in sources for unit in self.battle.side_units(side)) or super().can_act(side)

    def _men(self, names: Iterable[str]) -> Iterator[CountedGroup]:
        """Yield each figure of some units with its fate."""
        battle, sources, leaders = self.battle, self.plan.sources, self.plan.leader_of_figure
        coming, again = self.to_come
        for name in names:
            unit = battle.units[name]
            for key, figure in unit.figures.items():
                fate: Fate = "lost"
                if figure.fate == "left":
                    fate = "off"
                elif figure.fate == "able" and figure.at is not None:
                    fate = "ready"
                elif (figure.fate == "able" and name in coming) or key in again:
                    fate = "coming"
                edge = battle.exits.get(key, "")
                yield new_tuple(
                    CountedGroup,
                    (unit.spec.side, 1, fate, sources.get(name, ""), leaders.get(key, ""), figure.at, edge),
                )

    @cached_attribute
    def to_come(self) -> tuple[Collection[str], Collection[str]]:
        """The units that have not arrived yet, and the figures that will form again."""
        battle = self.battle
        returning = () if self.last else battle.returning
        again = {key for name in returning for key in second_wave(battle, battle.unit(name))}
        return {*battle.arrivals, *battle.waiting}, again

    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        """Return True if figures are within 2 inches of the objective's terrain, or within the radius of its point."""
        at: Point = men.position
        if isinstance(goal, Escort) or goal.terrain is None:
            return goal.at is not None and dist(at, goal.at) <= goal.radius
        west, south, east, north = self._box_around(goal.terrain)
        if not (west <= at[0] <= east and south <= at[1] <= north):
            return False
        reach = self.battle.book.held_within
        return any(piece.is_within(at, reach) for piece in self._parts_of(goal.terrain))

    def sides_at(self, key: str, goal: Hold) -> Iterable[str]:
        """Yield the side of each "ready" figure at a place; see `is_at`."""
        if goal.terrain is None:
            yield from super().sides_at(key, goal)
            return
        west, south, east, north = self._box_around(goal.terrain)
        for men in self.men:
            if men.fate == "ready":
                x, y = men.position
                if west <= x <= east and south <= y <= north and self.is_at(men, key, goal):
                    yield men.side

    def objective_area(self, key: str, goal: Hold | Escort) -> ObjectiveArea | None:
        """Return the ground around an objective that counts."""
        if isinstance(goal, Escort) or goal.terrain is None:
            if goal.at is None:
                return None
            return ObjectiveArea(f"within {_inches(goal.radius)}", at=goal.at, within=goal.radius)
        parts, within = self._parts_of(goal.terrain), self.battle.book.held_within
        outlines = [part.points for part in parts]
        words = f"within {_inches(within)}"
        return ObjectiveArea(words, outlines=outlines, is_area=parts[0].is_area, within=within) if parts else None

    def _parts_of(self, terrain: str) -> list[TerrainPiece[Any]]:
        """Return the parts of a piece of terrain; a road or river has one for each of its legs."""
        if terrain not in self._parts:
            field = self.battle.field
            pieces = (*field.areas.values(), *field.lines.values())
            self._parts[terrain] = [piece for piece in pieces if piece.name.partition("/")[0] == terrain]
        return self._parts[terrain]

    def _box_around(self, terrain: str) -> Bounds:
        """Return a box that contains every point from which a piece of terrain is held. Most figures are outside it."""
        if terrain not in self._boxes:
            reach = self.battle.book.held_within + EPSILON
            boxes = [piece.box for piece in self._parts_of(terrain)]
            west, south = (min((box[edge] for box in boxes), default=0.0) - reach for edge in (0, 1))
            east, north = (max((box[edge] for box in boxes), default=0.0) + reach for edge in (2, 3))
            self._boxes[terrain] = west, south, east, north
        return self._boxes[terrain]

    def carried_off(self, goal: CarryOff) -> str | None:
        """Return the side that took the object, or enough of the mounts, over the edge (PAY-193), or None."""
        things = self._things_of(goal)
        for side in self.scenario.sides:
            number_taken = sum(thing.taken_by == side and thing.edge == goal.edge for thing in things)
            if things and number_taken >= self.battle.book.file.led_off.share * len(things) - EPSILON:
                return side
        return None

    def lies_on_table(self, goal: CarryOff) -> bool:
        """Return True if enough of the objects are still on the table."""
        things = self._things_of(goal)
        number_left = sum(not thing.taken_by for thing in things)
        return bool(things) and number_left >= self.battle.book.file.led_off.share * len(things) - EPSILON

    def _things_of(self, goal: CarryOff) -> list[Thing]:
        """Return the things of an objective to carry off."""
        return [thing for thing in self.battle.things_of_objectives() if thing.goal == goal.object]

    def guarded_by(self, goal: CarryOff) -> str | None:
        """Return the side with the only able figures within 2 inches of the object (PAY-194), or None."""
        reach = self.battle.book.held_within
        spots = [at for thing in self._things_of(goal) if (at := _place_of(self.battle, thing.carrier) or thing.at)]
        sides = {
            men.side for men in self.men if men.fate == "ready" and any(dist(men.position, at) <= reach for at in spots)
        }
        return sides.pop() if len(sides) == 1 else None


def _inches(length: float) -> str:
    """Return a length with its unit."""
    return amount(length, "inch", "inches")


def _place_of(battle: Battle, carrier: str) -> Point | None:
    """Return the position of a carrier, or None if no one carries the object."""
    return battle.figure(carrier).at if carrier else None


def decide(battle: Battle, scenario: Scenario, plan: Plan, *, turn_over: bool) -> None:
    """End the battle if it is over (PAY-192, PAY-215).

    Checked in this order: an objective met, a side wiped out or driven off, the turn limit.
    """
    scoreboard = PaychestScoreboard(battle, scenario, plan, turn_over=turn_over)
    battle.ending = end_of_battle(scoreboard, battle.achieved)
    if battle.ending:
        battle.over = True
        battle.winner = own_winner(scoreboard, battle.ending) or ""


def own_winner(scoreboard: PaychestScoreboard, ending: str) -> str | None:
    """Return the winner by these rules; None if it is a draw (PAY-215)."""
    return own_outcome(scoreboard, ending).winner


def own_outcome(scoreboard: PaychestScoreboard, ending: str) -> Outcome:
    """Return the outcome by these rules: an objective met wins, else survival, else most points at the turn limit
    (PAY-215).

    At the turn limit an object counts for the side that alone guards it, unless the setting wants it carried off
    (PAY-194). The points of a survivor include the places it holds and the objects it can still carry off. `ending` is
    "" while the battle goes on.
    """
    scenario = scoreboard.scenario
    scored = count_points(scenario, scoreboard, scoreboard.achieved)
    if ending == "objectives":
        side, decided_by = outright_victory(scenario, scoreboard, scoreboard.achieved) or (None, "")
        return Outcome(side, scored, ending, "objective", decided_by)
    if ending == "collapse":
        field_text = survivor_phrase(scoreboard, ending).rstrip(", ")
        return Outcome(scoreboard.unopposed, judge(scoreboard, ending).points, ending, "survivor", field_text)
    by_guarding = ending and scoreboard.battle.book.settings.taken_when != "carried"
    guarded = _objectives_guarded(scoreboard) if by_guarding else {}
    scored = count_points(scenario, scoreboard, guarded | dict(scoreboard.achieved))
    first = winner(scored)
    names = {key: in_a_sentence(scenario.sides[side].name) for key, side in guarded.items()}
    guard_text = "".join(f", '{scenario.objectives[key].name}' guarded by {name}" for key, name in names.items())
    return Outcome(first, scored, ending, "points", f"{'points equal' if first is None else 'most points'}{guard_text}")


def _objectives_guarded(scoreboard: PaychestScoreboard) -> dict[str, str]:
    """Return the objectives whose object one side alone guards and may score for (PAY-194)."""
    goals = {key: goal for key, goal in scoreboard.scenario.objectives.items() if isinstance(goal, CarryOff)}
    guarded = {key: side for key, goal in goals.items() if (side := scoreboard.guarded_by(goal))}
    return {
        key: side
        for key, side in guarded.items()
        if key not in scoreboard.achieved and (not goals[key].by or side in goals[key].by)
    }
