"""The moves of figures: gaits, one roll per type of mover, and the march (PAY-066 to PAY-071)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from zareba.space import Point
from zareba.space.geometry import middle_of
from zareba.table import MoveCost, Option, Table
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.movement.allowances import factor, may_run, mover_of, roll_allowance
from zareba_rulesets.paychest.chapters.movement.destinations import Destinations
from zareba_rulesets.paychest.chapters.movement.handling import carry_along, part_bearers
from zareba_rulesets.paychest.chapters.movement.marching import Mover, column_of, march, straight_cost
from zareba_rulesets.paychest.chapters.sight.contact import figures_in_contact, foes_near
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = [
    "ADVANCE",
    "EACH",
    "HALT",
    "RUN",
    "ask_gait",
    "each_may",
    "gaits_of",
    "move_figures",
    "movers",
]

HALT: Gait
ADVANCE: Gait
RUN: Gait
HALT, ADVANCE, RUN, EACH = "halt", "advance", "run", "man by man"


def movers(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the able figures that can walk, not aboard and not held by contact (PAY-076, PAY-077)."""
    found = [f for f in unit.figures.values() if f.walks and not f.aboard]
    if battle.book.settings.melee_lock == "on":
        foes = foes_near(battle, unit)
        touching = figures_in_contact(battle, unit, foes)
        found = [figure for figure in found if figure.spec.id not in touching]
    return found


def each_may(battle: Battle, figures: Sequence[Figure]) -> bool:
    """Return True if the figures may have separate gaits (PAY-067)."""
    return len(figures) > 1 and battle.book.settings.gait_scope == "figure"


def ask_gait(table: Table, battle: Battle, side: str, figures: Sequence[Figure], actor: str) -> str:
    """Ask the owner how fast figures move: together, or man by man if the setting allows it."""
    gaits: list[str] = [HALT, ADVANCE]
    if any(may_run(battle, figure) for figure in figures):
        gaits.append(RUN)
    if each_may(battle, figures):
        gaits.append(EACH)
    return table.choose(side, gaits, why="gait", rule="PAY-067", actor=actor)


def gaits_of(table: Table, battle: Battle, unit: Unit, free: Sequence[Figure], act: Option) -> dict[str, Gait]:
    """Return the gait of every figure that moves (PAY-067). Figures that may not run advance instead."""
    if act != EACH:
        return {f.spec.id: RUN if act == RUN and may_run(battle, f) else ADVANCE for f in free}
    gaits: dict[str, Gait] = {}
    for figure in free:
        gait = ask_gait(table, battle, unit.spec.side, [figure], figure.spec.id)
        if gait != HALT:
            gaits[figure.spec.id] = RUN if gait == RUN else ADVANCE
    return gaits


def move_figures(
    table: Table,
    battle: Battle,
    unit: Unit,
    free: Sequence[Figure],
    gaits: dict[str, Gait],
    left: dict[str, float],
    started: dict[str, tuple[str, float]] | None = None,
    each: bool = False,
) -> dict[str, float]:
    """Roll for the figures that move and send them. Return the full allowance of each; `left` receives the remainder.

    `started` holds figures that have mounted, dismounted or got off, with their mover type before that and the share of
    the move left (PAY-078).
    """
    moving = [figure for figure in free if figure.spec.id in gaits]
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
        ready.append(Mover(figure, inches * factor(battle, figure) * share))
    if each:
        for one in ready:
            left.update(_send(table, battle, unit, [one], one.figure.spec.id))
    else:
        left.update(_send(table, battle, unit, ready, unit.spec.id))
    return {mover.figure.spec.id: mover.allowance for mover in ready}


def _send(table: Table, battle: Battle, unit: Unit, ready: Sequence[Mover], actor: str) -> dict[str, float]:
    """Let the owner name a destination and move there, leg by leg (PAY-070).

    Figures that touch an enemy stop (PAY-071).
    """
    barred: set[Point] = set()
    here = _middle(ready)

    def legal(point: Point) -> str | None:
        if point == here:
            return None
        if not battle.field.table.is_on_table(point):
            return "that point is off the table"
        if point in barred:
            return "no figure could get any further that way"
        return None if battle.field.going["foot"].can_stand(point) else "that ground is impassable"

    points, cost = (
        Destinations(battle, unit, here, _reach(ready), _column(battle, ready)),
        partial(_cost, battle, ready),
    )
    goal = table.place(unit.spec.side, points, legal, why="move to", rule="PAY-070", actor=actor, cost=cost)
    inches_left = {mover.figure.spec.id: mover.allowance for mover in ready}
    if goal == here:
        gait = RUN if any(mover.figure.gait == RUN for mover in ready) else ADVANCE
        table.emit("stayed", "PAY-067", unit=unit.spec.id, by=actor, gait=gait)
    contact = battle.book.contact
    while goal != here:
        after = _march(table, battle, unit, ready, goal, actor)
        if all(mover.allowance - after[mover.figure.spec.id] <= contact for mover in ready):
            barred.add(goal)
        inches_left |= after
        touching = figures_in_contact(battle, unit, foes_near(battle, unit))
        ready = [Mover(m.figure, inches_left[m.figure.spec.id]) for m in ready if m.figure.spec.id not in touching]
        if not ready or _reach(ready) <= contact:
            break
        here = _middle(ready)
        onward = Destinations(battle, unit, here, _reach(ready), _column(battle, ready), onward=True, barred=barred)
        cost = partial(_cost, battle, ready)
        goal = table.place(unit.spec.side, onward, legal, why="go on to", rule="PAY-070", actor=actor, cost=cost)
    return inches_left


def _reach(moving: Sequence[Mover]) -> float:
    return max(mover.allowance for mover in moving)


def _cost(battle: Battle, moving: Sequence[Mover], goal: Point) -> MoveCost:
    """Return the cost of a straight path from the figures' centre, with the largest allowance among them (PAY-069)."""
    return straight_cost(battle, _column(battle, moving), _middle(moving), goal, _reach(moving))


def _column(battle: Battle, moving: Sequence[Mover]) -> str:
    """Return the terrain chart's column for figures together: mounted if any of them rides or leads a mount."""
    return "mounted" if any(column_of(battle, mover.figure) == "mounted" for mover in moving) else "foot"


def _middle(moving: Sequence[Mover]) -> Point:
    spots = [mover.figure.at for mover in moving if mover.figure.at is not None]
    return middle_of(spots)


def _march(
    table: Table, battle: Battle, unit: Unit, ready: Sequence[Mover], goal: Point, actor: str
) -> dict[str, float]:
    """Move figures along one straight leg and return the allowance that each has left."""
    before = {mover.figure.spec.id: mover.figure.at for mover in ready}
    inches_left = march(battle, unit, ready, goal)
    if any(mover.figure.loads for mover in ready):
        part_bearers(table, battle, unit.spec.side)
    for mover in ready:
        start = before[mover.figure.spec.id]
        if start != mover.figure.at:
            carry_along(table, battle, mover.figure, start)
    inches = round(_reach(ready), 2)
    table.emit("move", "PAY-053", unit=unit.spec.id, by=actor, to=[round(x, 2) for x in goal], inches=inches)
    return inches_left
