"""Objectives, capture, and how the battle ends (P19; PAY-192 to PAY-194, PAY-215)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from zareba.base.amounts import in_a_sentence
from zareba.base.exact import dist
from zareba.scenario.law import Outcome, end_of_battle, in_the_field, judge
from zareba.scenario.model import CarryOff, Escort, Hold, Scenario
from zareba.scenario.scoring import decision, points, winner
from zareba.scenario.standing import Fate, Men, Standing
from zareba.space import Point
from zareba_rulesets.paychest.chapters.setting_up import second_wave
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.translation import Plan

__all__ = ["PaychestStanding", "decide", "own_outcome", "own_winner"]


class PaychestStanding(Standing[Battle]):
    """How a battle stands in a scenario's terms. `turn` is the turn that has just ended, 0 while one is being played.

    `last`: nobody comes any more, for there is no further turn.
    """

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan, *, turn_over: bool) -> None:
        turn = battle.turn if turn_over else 0
        last = battle.turn >= scenario.turns
        super().__init__(battle, scenario, turn=turn, prizes={}, last=last)
        self.plan = plan

    def counted(self) -> Iterable[Men]:
        """Figures, each for the unit on whose roster he is; a leader with a card of his own belongs to none."""
        return self._men(self.battle.units)

    def counted_of(self, units: Collection[str]) -> Iterable[Men]:
        """Those of some units, without a look at the rosters of all others."""
        own = {part for unit in units for part in self.plan.parts.get(unit, ())}
        return self._men([name for name in self.battle.units if name in own])

    def counted_on(self, side: str) -> Iterable[Men]:
        """Those of a side."""
        return self._men([name for name, unit in self.battle.units.items() if unit.spec.side == side])

    def counted_as(self, leader: str) -> Iterable[Men]:
        """A leader of the scenario, looked for in the unit on whose roster he stands."""
        figure = self.plan.leaders.get(leader, "")
        unit = figure.rpartition(".")[0]
        return (men for men in self._men([unit] if figure else []) if men.leader == leader)

    def _men(self, names: Iterable[str]) -> Iterator[Men]:
        battle, sources, leaders = self.battle, self.plan.sources, self.plan.leading
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
                yield Men(unit.spec.side, 1, fate, sources.get(name, ""), leaders.get(key, ""), figure.at, edge)

    @cached_property
    def to_come(self) -> tuple[Collection[str], Collection[str]]:
        """The units that have not come yet, and the figures that come once more."""
        battle = self.battle
        returning = () if self.last else battle.returning
        again = {key for name in returning for key in second_wave(battle, battle.unit(name))}
        return {*battle.arrivals, *battle.waiting}, again

    def is_at(self, men: Men, key: str, goal: Hold | Escort) -> bool:
        """Within 2 inches of the terrain, or within the radius of the point."""
        at: Point = men.place
        if isinstance(goal, Escort) or goal.terrain is None:
            return goal.at is not None and dist(at, goal.at) <= goal.radius
        field, reach = self.battle.field, self.battle.book.held_within
        pieces = (*field.areas.values(), *field.lines.values())
        return any(p.is_within(at, reach) for p in pieces if p.name.partition("/")[0] == goal.terrain)

    def carried_off(self, goal: CarryOff) -> str | None:
        """The side that took the thing, or enough of the mounts, over the edge (PAY-193)."""
        things = self._things(goal)
        for side in self.scenario.sides:
            taken = sum(thing.taken_by == side and thing.edge == goal.edge for thing in things)
            if things and taken >= self.battle.book.file.led_off.share * len(things) - 1e-9:
                return side
        return None

    def lies_on_table(self, goal: CarryOff) -> bool:
        """Whether enough of them are still there."""
        things = self._things(goal)
        left = sum(not thing.taken_by for thing in things)
        return bool(things) and left >= self.battle.book.file.led_off.share * len(things) - 1e-9

    def _things(self, goal: CarryOff) -> list[Thing]:
        return [thing for thing in self.battle.prizes() if thing.goal == goal.object]

    def guarded_by(self, goal: CarryOff) -> str | None:
        """The side whose men alone are able within 2 inches of the thing (PAY-194)."""
        reach = self.battle.book.held_within
        spots = [at for thing in self._things(goal) if (at := place_of(self.battle, thing.carrier) or thing.at)]
        sides = {
            men.side for men in self.men if men.fate == "ready" and any(dist(men.place, at) <= reach for at in spots)
        }
        return sides.pop() if len(sides) == 1 else None


def place_of(battle: Battle, carrier: str) -> Point | None:
    return battle.figure(carrier).at if carrier else None


def decide(battle: Battle, scenario: Scenario, plan: Plan, *, turn_over: bool) -> None:
    """P19, in this order: an objective met, a side wiped out or driven off, the turn limit (PAY-192, PAY-215)."""
    standing = PaychestStanding(battle, scenario, plan, turn_over=turn_over)
    battle.ending = end_of_battle(standing, battle.achieved)
    if battle.ending:
        battle.over = True
        battle.winner = own_winner(standing, battle.ending) or ""


def own_winner(standing: PaychestStanding, ending: str) -> str | None:
    """Return the winner by these rules; None if it is a draw (PAY-215)."""
    return own_outcome(standing, ending).winner


def own_outcome(standing: PaychestStanding, ending: str) -> Outcome:
    """Return the outcome by these rules: an objective met wins, else survival, else most points at the turn limit (PAY-215).

    At the turn limit an object counts for the side that alone guards it, unless the setting wants it carried off
    (PAY-194). The points of a survivor include the places it holds and the objects it can still carry off. `ending` is ""
    while the battle goes on.
    """
    scenario = standing.scenario
    scored = points(scenario, standing, standing.achieved)
    if ending == "objectives":
        side, decided_by = decision(scenario, standing, standing.achieved) or (None, "")
        return Outcome(side, scored, ending, "objective", decided_by)
    if ending == "collapse":
        left = in_the_field(standing, ending).rstrip(", ")
        return Outcome(standing.unopposed, judge(standing, ending).points, ending, "survivor", left)
    by_guarding = ending and standing.battle.book.settings.taken_when != "carried"
    guarded = _guarded(standing) if by_guarding else {}
    scored = points(scenario, standing, guarded | dict(standing.achieved))
    first = winner(scored)
    names = {key: in_a_sentence(scenario.sides[side].name) for key, side in guarded.items()}
    held = "".join(f", '{scenario.objectives[key].name}' guarded by {name}" for key, name in names.items())
    return Outcome(first, scored, ending, "points", f"{'points equal' if first is None else 'most points'}{held}")


def _guarded(standing: PaychestStanding) -> dict[str, str]:
    """Return the objectives whose object one side alone guards and may score for (PAY-194)."""
    goals = {key: goal for key, goal in standing.scenario.objectives.items() if isinstance(goal, CarryOff)}
    guarded = {key: side for key, goal in goals.items() if (side := standing.guarded_by(goal))}
    return {
        key: side
        for key, side in guarded.items()
        if key not in standing.achieved and (not goals[key].by or side in goals[key].by)
    }
