"""Movement: allowances and destinations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from math import floor

from zareba.base.exact import dist
from zareba.chance import SUM, counts
from zareba.space import Point
from zareba.space.field.bodies import Crowd
from zareba.space.geometry import middle_of, nearest_on
from zareba.space.lazy import Lazy
from zareba.space.outlines import nearest_on_edge
from zareba.table import LazyOptions, MoveCost, Option, Table
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.marching import (
    SHORTEST_MOVE,
    MovingFigure,
    column_of,
    march,
    record_carrying,
    separate_bearers,
    straight_cost,
)
from zareba_rulesets.paychest.chapters.sight import figures_in_contact, foes_near
from zareba_rulesets.paychest.forces.battle import Battle, is_burdened
from zareba_rulesets.paychest.forces.formation import nearest_free, wall_near
from zareba_rulesets.paychest.forces.intentions import UnitIntentions
from zareba_rulesets.paychest.forces.units import Figure, Unit

# --- Move allowances: the dice, running, and what halves a move (PAY-066 to PAY-072, PAY-078, PAY-123) ----------------


_INCHES = counts("inches")


def mover_of(battle: Battle, figure: Figure) -> str:
    """Return the line of the movement chart for a figure. A figure leading mounts moves as a pack animal (PAY-078)."""
    if battle.leads(figure):
        return "pack"
    return figure.mount or "foot"


def _limps(figure: Figure) -> bool:
    """Return True if a leg wound slows the figure: on foot, or if it mounted in this activation (PAY-078, PAY-123)."""
    return "leg_wound" in figure.wounds and (not figure.mount or "mounted" in figure.marks)


def may_run(battle: Battle, figure: Figure) -> bool:
    """Return True if the figure may run. A figure on foot with a leg wound may not (PAY-123)."""
    return not _limps(figure) and battle.book.movers[mover_of(battle, figure)].run > 0


def factor(battle: Battle, figure: Figure) -> float:
    """Return a figure's move factor: a leg wound on foot and a heavy load each halve it (PAY-072, PAY-075, PAY-123)."""
    times = 1.0
    if _limps(figure):
        times *= battle.book.file.halved_by_leg_wound.times
    if is_burdened(battle, figure):
        times *= battle.book.file.halved_by_load.times
    return times


def roll_allowance(table: Table, battle: Battle, mover: str, runs: bool, actor: str) -> tuple[float, float]:
    """Roll once for movers of one type and return the allowances in inches for advancing and running (PAY-069).

    The first dice of the roll give the advance, all of them the run. With `movement_method` fixed each die counts 3.5
    inches and the sum is rounded down (PAY-068).
    """
    line, rules = battle.book.movers[mover], battle.book.rules
    if battle.book.settings.movement_method == "fixed":
        die = battle.book.file.fixed_inches_per_die.inches
        fixed = (floor(line.advance * die), floor(line.run * die))
        advance, run = (float(rules.number("movement", inches, battle, actor, seen=table.tallies)) for inches in fixed)
        return advance, run
    thrown = table.roll(line.advance, 6, SUM, why=f"{mover} advances", rule="PAY-069", actor=actor, means=_INCHES)
    advance = float(rules.number("movement", thrown, battle, actor, seen=table.tallies))
    return advance, (run_on(table, battle, mover, advance, actor) if runs else 0.0)


def run_on(table: Table, battle: Battle, mover: str, advance: float, actor: str) -> float:
    """Roll the remaining dice for the figures that run, and return their allowance."""
    line = battle.book.movers[mover]
    return advance + table.roll(
        line.run - line.advance, 6, SUM, why=f"{mover} runs on", rule="PAY-069", actor=actor, means=_INCHES
    )


# --- Suggested destinations for a unit's move. They help players and AI players and are not a rule --------------------


WALL_MARGIN = 3.0
"""A wall is suggested if it is at most this many inches beyond the reach of the move."""


class Destinations(LazyOptions[Point]):
    """Suggested destinations: towards the objective, an enemy or a wall, back, or the present position.

    Each is found only on demand, because pathfinding is slow and an AI player that takes the first point needs no
    others. If no figure can stand on any of them, the only suggestion is `here`.
    """

    __slots__ = ("final_points", "here", "intentions", "legs", "reach")

    def __init__(
        self,
        battle: Battle,
        unit: Unit,
        here: Point,
        reach: float,
        column: str,
        *,
        legs: int = 0,
        barred: Collection[Point] = (),
    ) -> None:
        """Prepare the search. Nothing is computed until a destination is read.

        `legs` counts the legs that the figures have marched in this move; after the first, staying in place is
        suggested first. `barred` holds points towards
        which no progress was possible. `final_points` gives for each place the final destination, which differs from
        the point if the route is not straight.
        """
        possible, onward = _PossibleDestinations(battle, unit, here, reach, column), legs > 0
        goal_finders = possible.intended, possible.enemy, possible.intruder
        others = possible.wall, possible.point_behind
        finders: tuple[Callable[[], Point | None], ...] = (
            (possible.stay, *goal_finders, *others) if onward else (*goal_finders, *others, possible.stay)
        )
        final_points: Lazy[int, Point | None] = Lazy(lambda place: finders[place]())

        def find(place: int) -> Point | None:
            final_point = final_points[place]
            if final_point is None or (onward and final_point == here):
                return final_point
            point = final_point
            if finders[place] in goal_finders:
                point = battle.field.pathfinders[column].heading(here, final_point)
            return point if point not in barred and battle.field.move_costs[column].can_stand(point) else None

        self.final_points, self.intentions = final_points, possible.intentions
        self.here, self.legs, self.reach = here, legs, reach
        super().__init__(len(finders), find, fallback=here)


class _PossibleDestinations:
    """The possible destinations of a unit, each computed on demand.

    A separate class without a reference to the suggestions, because a reference cycle would keep both alive after the
    question.
    """

    def __init__(self, battle: Battle, unit: Unit, here: Point, reach: float, column: str) -> None:
        self._battle, self._unit, self._here, self._reach, self._column = battle, unit, here, reach, column
        self.intentions = UnitIntentions(battle, unit)

    def intended(self) -> Point | None:
        """Return the free place nearest to where the unit intends to go, because riders cannot enter a house."""
        at = self.intentions.destination
        return None if at is None else nearest_free(self._battle, at, 0.0, self._column, Crowd()) or at

    def enemy(self) -> Point | None:
        """Return the position of the nearest enemy, or None."""
        enemy = self.intentions.enemy
        return None if enemy is None else enemy.at

    def intruder(self) -> Point | None:
        """Return the position of the nearest enemy on the place that the unit should hold, or None."""
        intruder = self.intentions.intruder
        return None if intruder is None else intruder.at

    def wall(self) -> Point | None:
        """Return the nearest point of a wall near enough to shelter men on foot, or None."""
        start = self._here
        wall = wall_near(self._battle, start, self._reach + WALL_MARGIN) if self._column == "foot" else None
        return None if wall is None else nearest_on(start, wall.legs)

    def point_behind(self) -> Point | None:
        """Return the point halfway to the unit's own edge, or one away from the enemy."""
        x, y = self._here
        edge = self._battle.field.home_edges.get(self._unit.spec.side)
        if edge is not None:
            back_x, back_y = nearest_on_edge(self._here, self._battle.field.table.extent, edge)
            return x + (back_x - x) * 0.5, y + (back_y - y) * 0.5
        foe = self.enemy()
        if foe is None:
            return None
        gap = dist(self._here, foe) or 1.0
        return self._battle.field.table.nearest_point_inside(
            (x + (x - foe[0]) / gap * self._reach, y + (y - foe[1]) / gap * self._reach)
        )

    def stay(self) -> Point:
        """Return the present position."""
        return self._here


# --- The moves of figures: gaits, one roll per type of mover, and the march (PAY-066 to PAY-071) ----------------------


HALT: Gait
ADVANCE: Gait
RUN: Gait
HALT, ADVANCE, RUN, EACH = "halt", "advance", "run", "man by man"


def movers(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the able figures that can walk, not aboard and not held by contact (PAY-076, PAY-077)."""
    figures = [f for f in unit.figures.values() if f.can_walk and not f.aboard]
    if battle.book.settings.melee_lock == "on":
        foes = foes_near(battle, unit)
        touching = figures_in_contact(battle, unit, foes)
        figures = [figure for figure in figures if figure.spec.id not in touching]
    return figures


def may_move_separately(battle: Battle, figures: Sequence[Figure]) -> bool:
    """Return True if the figures may have separate gaits (PAY-067)."""
    return len(figures) > 1 and battle.book.settings.gait_scope == "figure"


def ask_gait(table: Table, battle: Battle, side: str, figures: Sequence[Figure], actor: str) -> str:
    """Ask the owner how fast figures move: together, or man by man if the setting allows it."""
    gaits: list[str] = [HALT, ADVANCE]
    if any(may_run(battle, figure) for figure in figures):
        gaits.append(RUN)
    if may_move_separately(battle, figures):
        gaits.append(EACH)
    return table.choose(side, gaits, why="gait", rule="PAY-067", actor=actor)


def gaits_of(table: Table, battle: Battle, unit: Unit, movable: Sequence[Figure], chosen: Option) -> dict[str, Gait]:
    """Return the gait of every figure that moves (PAY-067). Figures that may not run advance instead."""
    if chosen != EACH:
        return {f.spec.id: RUN if chosen == RUN and may_run(battle, f) else ADVANCE for f in movable}
    gaits: dict[str, Gait] = {}
    for figure in movable:
        gait = ask_gait(table, battle, unit.spec.side, [figure], figure.spec.id)
        if gait != HALT:
            gaits[figure.spec.id] = RUN if gait == RUN else ADVANCE
    return gaits


def move_figures(
    table: Table,
    battle: Battle,
    unit: Unit,
    movable: Sequence[Figure],
    gaits: dict[str, Gait],
    left: dict[str, float],
    started: dict[str, tuple[str, float]] | None = None,
    each: bool = False,
) -> dict[str, float]:
    """Roll for the figures that move and send them. Return the full allowance of each; `left` receives the remainder.

    `started` holds figures that have mounted, dismounted or got off, with their mover type before that and the share of
    the move left (PAY-078).
    """
    moving = [figure for figure in movable if figure.spec.id in gaits]
    if not moving:
        return {}
    names = {figure.spec.id: (mover_of(battle, figure), 1.0) for figure in moving} | (started or {})
    sorts: dict[str, bool] = {}
    for figure in moving:
        mover = names[figure.spec.id][0]
        sorts[mover] = sorts.get(mover, False) or gaits[figure.spec.id] == RUN
    rolled = {mover: roll_allowance(table, battle, mover, runs, unit.spec.id) for mover, runs in sorts.items()}
    ready = []
    for figure in moving:
        mover, share = names[figure.spec.id]
        advance, run = rolled[mover]
        figure.gait = gaits[figure.spec.id]
        inches = run if figure.gait == RUN else advance
        ready.append(MovingFigure(figure, inches * factor(battle, figure) * share))
    if each:
        for ready_unit in ready:
            left.update(_move_in_legs(table, battle, unit, [ready_unit], ready_unit.figure.spec.id))
    else:
        left.update(_move_in_legs(table, battle, unit, ready, unit.spec.id))
    return {mover.figure.spec.id: mover.allowance for mover in ready}


def _move_in_legs(
    table: Table, battle: Battle, unit: Unit, ready: Sequence[MovingFigure], actor: str
) -> dict[str, float]:
    """Let the owner name a destination and move there, leg by leg (PAY-070).

    Figures that touch an enemy stop (PAY-071).
    """
    barred: set[Point] = set()
    here = _middle(ready)

    def refuse(point: Point) -> str | None:
        if point == here:
            return None
        if not battle.field.table.is_on_table(point):
            return "that point is off the table"
        if point in barred:
            return "no figure could get any further that way"
        return None if battle.field.move_costs["foot"].can_stand(point) else "that ground is impassable"

    points, cost = (
        Destinations(battle, unit, here, _reach(ready), _column(battle, ready)),
        partial(_cost, battle, ready),
    )
    goal = table.place(unit.spec.side, points, refuse, why="move to", rule="PAY-070", actor=actor, cost=cost)
    inches_left = {mover.figure.spec.id: mover.allowance for mover in ready}
    if goal == here:
        gait = RUN if any(mover.figure.gait == RUN for mover in ready) else ADVANCE
        table.emit("stayed", "PAY-067", unit=unit.spec.id, by=actor, gait=gait)
    contact, legs = battle.book.contact, 0
    while goal != here:
        legs += 1
        after = _move_leg(table, battle, unit, ready, goal, actor)
        if all(mover.allowance - after[mover.figure.spec.id] <= contact for mover in ready):
            barred.add(goal)
        inches_left |= after
        touching = figures_in_contact(battle, unit, foes_near(battle, unit))
        ready = [
            MovingFigure(m.figure, inches_left[m.figure.spec.id]) for m in ready if m.figure.spec.id not in touching
        ]
        if not ready or _reach(ready) <= contact:
            break
        here = _middle(ready)
        onward = Destinations(battle, unit, here, _reach(ready), _column(battle, ready), legs=legs, barred=barred)
        cost = partial(_cost, battle, ready)
        goal = table.place(unit.spec.side, onward, refuse, why="go on to", rule="PAY-070", actor=actor, cost=cost)
    return inches_left


def _reach(moving: Sequence[MovingFigure]) -> float:
    """Return the largest allowance of some movers."""
    return max(mover.allowance for mover in moving)


def _cost(battle: Battle, moving: Sequence[MovingFigure], goal: Point) -> MoveCost:
    """Return the cost of a straight path from the figures' centre, with the largest allowance among them (PAY-069)."""
    return straight_cost(battle, _column(battle, moving), _middle(moving), goal, _reach(moving))


def _column(battle: Battle, moving: Sequence[MovingFigure]) -> str:
    """Return the terrain chart's column for figures together: mounted if any of them rides or leads a mount."""
    return "mounted" if any(column_of(battle, mover.figure) == "mounted" for mover in moving) else "foot"


def _middle(moving: Sequence[MovingFigure]) -> Point:
    """Return the mean position of some movers."""
    spots = [mover.figure.at for mover in moving if mover.figure.at is not None]
    return middle_of(spots)


def _move_leg(
    table: Table, battle: Battle, unit: Unit, ready: Sequence[MovingFigure], goal: Point, actor: str
) -> dict[str, float]:
    """Move figures along one straight leg and return the allowance that each has left.

    The event gives the longest way of a figure; there is none if no figure got anywhere.
    """
    before = {mover.figure.spec.id: mover.figure.at for mover in ready}
    inches_left = march(battle, unit, ready, goal)
    if any(mover.figure.loads for mover in ready):
        separate_bearers(table, battle, unit.spec.side)
    farthest = 0.0
    for mover in ready:
        start, end = before[mover.figure.spec.id], mover.figure.at
        if start != end:
            record_carrying(table, battle, mover.figure, start)
        if start is not None and end is not None:
            farthest = max(farthest, dist(start, end))
    inches = round(farthest, 2)
    if inches >= SHORTEST_MOVE:
        table.emit("move", "PAY-053", unit=unit.spec.id, by=actor, to=[round(x, 2) for x in goal], inches=inches)
    return inches_left
