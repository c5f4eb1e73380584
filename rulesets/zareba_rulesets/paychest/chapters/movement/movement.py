"""The move step of a unit: gaits, one roll per type of mover, the march, and posture (PAY-066 to PAY-071, PAY-086)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from zareba.rules import procedure
from zareba.space import Point
from zareba.space.geometry import middle_of
from zareba.table import MoveCost, Option, Table
from zareba_rulesets.paychest.chapters.movement.allowances import factor, may_run, mover_of, roll_allowance, run_on
from zareba_rulesets.paychest.chapters.movement.destinations import Destinations
from zareba_rulesets.paychest.chapters.movement.handling import carry_along, handle, part_bearers
from zareba_rulesets.paychest.chapters.movement.leaving import leave_by_edge
from zareba_rulesets.paychest.chapters.movement.machines import (
    GET_OFF,
    crew_at,
    machine_acts,
    perform_machine_act,
)
from zareba_rulesets.paychest.chapters.movement.marching import Mover, column_of, march, straight
from zareba_rulesets.paychest.chapters.movement.mounts import climb, may_climb, mount_acts, perform_mount_act
from zareba_rulesets.paychest.chapters.movement.seats import board, boardable, get_off
from zareba_rulesets.paychest.chapters.sight.contact import foes_near, held
from zareba_rulesets.paychest.chapters.sight.posture import raise_touched, set_postures
from zareba_rulesets.paychest.forces.battle import Battle, Engine, gun_limit
from zareba_rulesets.paychest.forces.units import Figure, Unit

__all__ = [
    "move_unit",
    "movers",
]

HALT, ADVANCE, RUN, EACH = "halt", "advance", "run", "man by man"
STAY_OFF = "stay off"
CLEAR, CLIMB = "clear the jam", "climb"


def movers(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the able figures that can walk, not aboard and not held by contact (PAY-076, PAY-077)."""
    found = [f for f in unit.figures.values() if f.walks and not f.aboard]
    if battle.book.settings.melee_lock == "on":
        foes = foes_near(battle, unit)
        touching = held(battle, unit, foes)
        found = [figure for figure in found if figure.spec.id not in touching]
    return found


@procedure("movement.unit")
def move_unit(table: Table, battle: Battle, unit: Unit) -> None:
    """Run the move step: declare gaits, roll once for each type of mover, move, and set postures.

    A figure that climbs, moves or clears a gun, or moves in a conveyance has used its move; the rest of the unit may
    still go. The step may be passed (PAY-061).
    """
    left: dict[str, float] = {}
    handle(table, battle, unit, left, before=True)
    spent: set[str] = set()
    rolls: dict[str, tuple[float, float]] = {}
    free = movers(battle, unit)
    options = _options(battle, unit, free, spent)
    while len(options) > 1 or not spent:
        busy = tuple(sorted(spent))
        act = table.choose(unit.spec.side, options, why="move", rule="PAY-067", actor=unit.spec.id, about=busy)
        if act in (CLIMB, (CLIMB, EACH)):
            spent.update([CLIMB, *climb(table, battle, unit, free, each=act != CLIMB)])
        elif act == CLEAR:
            spent.update(_clear_jams(battle, unit, spent))
        elif isinstance(act, tuple) and act[0] not in (GET_OFF, "mount"):
            roll = partial(_roll, table, battle, unit, rolls)
            spent.update(perform_machine_act(table, battle, unit, act, roll, spent))
        else:
            _go(table, battle, unit, free, act, left, spent)
            break
        free = [figure for figure in movers(battle, unit) if figure.spec.id not in spent]
        options = _options(battle, unit, free, spent)
    handle(table, battle, unit, left, before=False)
    if battle.engines:
        part_bearers(table, battle, unit.spec.side)  # a bearer may have driven off
    raise_touched(table, battle, unit)
    leave_by_edge(table, battle, unit)
    set_postures(table, battle, unit)


def _go(
    table: Table,
    battle: Battle,
    unit: Unit,
    free: Sequence[Figure],
    act: Option,
    left: dict[str, float],
    spent: Collection[str],
) -> None:
    """Carry out the choice that ends the move step: halt, or move, also after mounting or getting off."""
    if isinstance(act, tuple):
        if act[0] == GET_OFF:
            share = battle.book.file.getting_off.times
            begun = dict.fromkeys(get_off(table, battle, unit, act), ("foot", share))
        else:
            begun = perform_mount_act(table, battle, unit, act, free)
        for key in begun:
            unit.figures[key].gait = ADVANCE
        free = [figure for figure in movers(battle, unit) if figure.spec.id not in spent]
        gait = _gait(table, battle, unit.spec.side, free, unit.spec.id)
        if gait != HALT:
            gaits = _gaits(table, battle, unit, free, gait)
            _move_figures(table, battle, unit, free, gaits, left, begun=begun, each=gait == EACH)
    elif act != HALT:
        gaits = _gaits(table, battle, unit, free, act)
        whole = _move_figures(table, battle, unit, free, gaits, left, each=act == EACH)
        _get_on(table, battle, unit, {key for key, inches in whole.items() if 2 * left[key] >= inches}, left)


def _roll(
    table: Table, battle: Battle, unit: Unit, rolls: dict[str, tuple[float, float]], mover: str, runs: bool
) -> tuple[float, float]:
    """Return the allowance of a mover type. All guns or conveyances of a type in a unit share one roll (PAY-069)."""
    if mover not in rolls:
        rolls[mover] = roll_allowance(table, battle, mover, runs, unit.spec.id)
    advance, run = rolls[mover]
    if runs and not run:
        rolls[mover] = advance, run_on(table, battle, mover, advance, unit.spec.id)
    return rolls[mover]


def _options(battle: Battle, unit: Unit, free: Sequence[Figure], spent: Collection[str]) -> list[Option]:
    """Return what the unit may do in its move step. `spent` holds figures and engines that have used theirs."""
    options: list[Option] = [HALT]
    if free:
        options.append(ADVANCE)
        if any(may_run(battle, figure) for figure in free):
            options.append(RUN)
        if _each_may(battle, free):
            options.append(EACH)
        options += mount_acts(battle, unit, free)
        climbers = () if CLIMB in spent else may_climb(battle, free)
        options += [CLIMB] if climbers else []
        options += [(CLIMB, EACH)] if len(climbers) > 1 else []
    options += machine_acts(battle, unit, spent)
    if any(_can_clear(battle, battle.engines[key], spent) for key in battle.guns_of(unit)):
        options.append(CLEAR)
    return options


def _can_clear(battle: Battle, engine: Engine, spent: Collection[str]) -> bool:
    """Return True if the crew can clear a jam with the whole activation (PAY-176).

    It may do so by setting, or if it has fewer than two shots.
    """
    if not engine.jammed or not _clearers(battle, engine, spent):
        return False
    return battle.book.settings.jam_clear == "activation" or gun_limit(battle, engine) < 2


def _clearers(battle: Battle, engine: Engine, spent: Collection[str]) -> list[Figure]:
    """Return the crew at a gun that have not moved and have an arm to clear a jam with (PAY-121, PAY-176)."""
    return [f for f in crew_at(battle, engine) if f.spec.id not in spent and not f.armless]


def _clear_jams(battle: Battle, unit: Unit, spent: Collection[str]) -> list[str]:
    """Make the crews at jammed guns start clearing them, so that they neither move nor fire (PAY-176).

    Return these figures, the guns and the conveyances that carry the guns.
    """
    busy: list[str] = []
    for key in battle.guns_of(unit):
        engine = battle.engines[key]
        if _can_clear(battle, engine, spent):
            crew = _clearers(battle, engine, spent)
            for figure in crew:
                figure.mark("served", "clearing")
            busy += [key, *(figure.spec.id for figure in crew)]
            if engine.carrier:
                busy.append(engine.carrier)
    return busy


def _each_may(battle: Battle, figures: Sequence[Figure]) -> bool:
    """Return True if the figures may have separate gaits (PAY-067)."""
    return len(figures) > 1 and battle.book.settings.gait_scope == "figure"


def _gait(table: Table, battle: Battle, side: str, figures: Sequence[Figure], actor: str) -> str:
    gaits = [HALT, ADVANCE]
    if any(may_run(battle, figure) for figure in figures):
        gaits.append(RUN)
    if _each_may(battle, figures):
        gaits.append(EACH)
    return table.choose(side, gaits, why="gait", rule="PAY-067", actor=actor)


def _gaits(table: Table, battle: Battle, unit: Unit, free: Sequence[Figure], act: Option) -> dict[str, str]:
    """Return the gait of every figure that moves (PAY-067). Figures that may not run advance instead."""
    if act != EACH:
        return {f.spec.id: RUN if act == RUN and may_run(battle, f) else ADVANCE for f in free}
    gaits = {}
    for figure in free:
        gait = _gait(table, battle, unit.spec.side, [figure], figure.spec.id)
        if gait != HALT:
            gaits[figure.spec.id] = gait
    return gaits


def _move_figures(
    table: Table,
    battle: Battle,
    unit: Unit,
    free: Sequence[Figure],
    gaits: dict[str, str],
    left: dict[str, float],
    begun: dict[str, tuple[str, float]] | None = None,
    each: bool = False,
) -> dict[str, float]:
    """Roll for the figures that move and send them. Return the full allowance of each; `left` receives the remainder.

    `begun` holds figures that have mounted, dismounted or got off, with their mover type before that and the share of
    the move left (PAY-078).
    """
    going = [figure for figure in free if figure.spec.id in gaits]
    if not going:
        return {}
    names = {figure.spec.id: (mover_of(battle, figure), 1.0) for figure in going} | (begun or {})
    sorts: dict[str, bool] = {}
    for figure in going:
        mover = names[figure.spec.id][0]
        sorts[mover] = sorts.get(mover, False) or gaits[figure.spec.id] == RUN
    rolled = {mover: roll_allowance(table, battle, mover, runs, unit.spec.id) for mover, runs in sorts.items()}
    ready = []
    for figure in going:
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
    left = {mover.figure.spec.id: mover.allowance for mover in ready}
    if goal == here:
        gait = RUN if any(mover.figure.gait == RUN for mover in ready) else ADVANCE
        table.emit("stayed", "PAY-067", unit=unit.spec.id, by=actor, gait=gait)
    least = battle.book.contact
    while goal != here:
        after = _march(table, battle, unit, ready, goal, actor)
        if all(mover.allowance - after[mover.figure.spec.id] <= least for mover in ready):
            barred.add(goal)
        left |= after
        touching = held(battle, unit, foes_near(battle, unit))
        ready = [Mover(m.figure, left[m.figure.spec.id]) for m in ready if m.figure.spec.id not in touching]
        if not ready or _reach(ready) <= least:
            break
        here = _middle(ready)
        onward = Destinations(battle, unit, here, _reach(ready), _column(battle, ready), onward=True, barred=barred)
        cost = partial(_cost, battle, ready)
        goal = table.place(unit.spec.side, onward, legal, why="go on to", rule="PAY-070", actor=actor, cost=cost)
    return left


def _reach(movers: Sequence[Mover]) -> float:
    return max(mover.allowance for mover in movers)


def _cost(battle: Battle, movers: Sequence[Mover], goal: Point) -> MoveCost:
    """Return the cost of a straight path from the figures' centre, with the largest allowance among them (PAY-069)."""
    return straight(battle, _column(battle, movers), _middle(movers), goal, _reach(movers))


def _column(battle: Battle, movers: Sequence[Mover]) -> str:
    """Return the terrain chart's column for figures together: mounted if any of them rides or leads a mount."""
    return "mounted" if any(column_of(battle, mover.figure) == "mounted" for mover in movers) else "foot"


def _middle(movers: Sequence[Mover]) -> Point:
    spots = [mover.figure.at for mover in movers if mover.figure.at is not None]
    return middle_of(spots)


def _march(
    table: Table, battle: Battle, unit: Unit, ready: Sequence[Mover], goal: Point, actor: str
) -> dict[str, float]:
    """Move figures along one straight leg and return the allowance that each has left."""
    before = {mover.figure.spec.id: mover.figure.at for mover in ready}
    left = march(battle, unit, ready, goal)
    if any(mover.figure.loads for mover in ready):
        part_bearers(table, battle, unit.spec.side)
    for mover in ready:
        start = before[mover.figure.spec.id]
        if start != mover.figure.at:
            carry_along(table, battle, mover.figure, start)
    inches = round(_reach(ready), 2)
    table.emit("move", "PAY-053", unit=unit.spec.id, by=actor, to=[round(x, 2) for x in goal], inches=inches)
    return left


def _get_on(table: Table, battle: Battle, unit: Unit, names: Collection[str], left: dict[str, float]) -> None:
    """Let figures that have reached a conveyance with half of their allowance left get on (PAY-080)."""
    for key in boardable(battle, unit, names):
        options: list[Option] = [STAY_OFF, ("board", key)]
        if table.choose(unit.spec.side, options, why="get on", rule="PAY-080", actor=unit.spec.id) != STAY_OFF:
            left.update(dict.fromkeys(board(table, battle, unit, key, names), 0.0))
