"""Morale: the check at the end of the turn, its results, rallying, and forced moves (PAY-148 to PAY-171)."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from zareba.base.exact import dist
from zareba.chance import SumBands, at_least, counts, named, rows
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.field.bodies import Base
from zareba.space.field.line_of_sight import line_is_clear
from zareba.space.geometry import Bounds, box_around, boxes_near, up_to, widen
from zareba.space.moves import first_touch
from zareba.space.outlines import nearest_on_edge
from zareba.table import Table
from zareba_rulesets.paychest.chapters.machines import move_engine
from zareba_rulesets.paychest.chapters.marching import column_of, drive_off, drop, leave
from zareba_rulesets.paychest.chapters.sight import raise_touched, touch_bases
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import crowd_with
from zareba_rulesets.paychest.forces.units import Figure, Unit

# --- The check at the end of the turn, and the second roll with its results (PAY-148 to PAY-151) ----------------------


BEST_ROW = 6
"""The last row of the second morale table. Row 1 is the worst result (PAY-151)."""


def must_check(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit checks morale: it has hits this turn (PAY-148) and able figures (PAY-171).

    By default units of one (PAY-170) and routing units (PAY-168) are exempt.
    """
    settings = battle.book.settings
    if unit.hits < 1 or not unit.has_able_figures:
        return False
    if unit.spec.single and settings.single_figure_morale == "exempt":
        return False
    return not unit.rout or settings.routers_test


def morale_order(battle: Battle) -> list[str]:
    """Return the units in the order of their cards this turn, then those without a card in roster order (PAY-064)."""
    return list(dict.fromkeys([*battle.order, *battle.units]))


@procedure("morale.check")
def check_morale(table: Table, battle: Battle, unit: Unit) -> bool:
    """Roll 2d6: a result above this turn's hits passes, any other calls for the second roll (PAY-149).

    Return True if passed.
    """
    means = at_least(unit.hits + 1, "passes", "fails", by="the hits of this turn")
    rolled = table.roll(battle.book.file.morale.dice, 6, why="morale", rule="PAY-149", actor=unit.spec.id, means=means)
    passed: bool = rolled > battle.book.rules.number("morale", unit.hits, battle, unit, table=table)
    kind = "morale passed" if passed else "morale failed"
    table.emit(kind, "PAY-149", unit=unit.spec.id, rolled=rolled, hits=unit.hits)
    if not passed:
        second_roll(table, battle, unit)
    return passed


@procedure("morale.second_roll")
def second_roll(table: Table, battle: Battle, unit: Unit) -> str:
    """Roll a d6 on the column for the unit's kind (PAY-151) and carry out the result, unless a worse order applies.

    Return the result.
    """
    column = battle.book.second_morale[unit.spec.kind]
    means = rows({die: battle.book.results[column[die]].in_words() for die in range(1, 7)})
    rolled = table.roll(1, 6, why="second morale roll", rule="PAY-151", actor=unit.spec.id, means=means)
    result = column[rolled]
    void = _is_outranked(battle, unit, result)
    table.emit("second morale roll", "PAY-151", unit=unit.spec.id, rolled=rolled, result=result, void=void)
    carry_out(table, battle, unit, result)
    return result


def carry_out(table: Table, battle: Battle, unit: Unit, result: str) -> bool:
    """Carry out a result, unless the pending order or rout is worse (PAY-169). Return True if it was carried out."""
    if _is_outranked(battle, unit, result):
        return False
    row, entry = _row(battle, unit, result), battle.book.results[result]
    unit.clear_pending()
    unit.clear_rout()
    if entry.figures:
        flee_singly(table, battle, unit, entry.figures, dice=entry.dice, backs=entry.backs)
    elif entry.when == "next":
        unit.pending, unit.pending_row = result, row
    elif entry.dice:
        if entry.rout:
            unit.rout, unit.rout_row = result, row
            if not entry.rallies:
                _skip_card(battle, unit)
        fall_back(table, battle, unit, entry.dice, backs=entry.backs)
    return True


def _row(battle: Battle, unit: Unit, result: str) -> int:
    """Return the row of a result in the column for the unit's kind. Results not in the column count as the best row."""
    return battle.book.result_rows[unit.spec.kind].get(result, BEST_ROW)


def _is_outranked(battle: Battle, unit: Unit, result: str) -> bool:
    """Return True if the unit already has a worse order or rout than this result (PAY-169)."""
    return _row(battle, unit, result) > min(unit.pending_row, unit.rout_row, BEST_ROW)


def _skip_card(battle: Battle, unit: Unit) -> None:
    """Skip the card of a unit that has already run 4d6 this turn, if it is still to come (PAY-131)."""
    if unit.spec.id in battle.cards.pile:
        unit.mark("skip")


# --- Rallying: a routing unit rolls on its own card (PAY-158, PAY-167) ------------------------------------------------


@procedure("forced.rally")
def rally(table: Table, battle: Battle, unit: Unit) -> bool:
    """Roll to rally a routing unit on its own card, if its rout allows that. If it does not rally, it runs on.

    Return True if it has rallied.
    """
    result = battle.book.results[unit.rout]
    if result.rallies and rally_roll(table, battle, unit.spec.id):
        unit.clear_rout()
        table.emit("rallied", "PAY-167", unit=unit.spec.id)
        return True
    fall_back(table, battle, unit, result.dice, backs=result.backs)
    return False


def rally_roll(table: Table, battle: Battle, actor: str) -> bool:
    """Roll 2d6 and return True if the unit rallies, on 7 or more (PAY-158)."""
    rule = battle.book.file.rally
    passed = table.roll(
        rule.dice,
        6,
        SumBands((rule.passes_at,)),
        why="rally",
        rule="PAY-158",
        actor=actor,
        means=named("runs on", "rallies"),
    )
    return bool(passed)


# --- Forced moves (PAY-155, PAY-163 to PAY-166): units that fall back or rout, and figures that run -------------------


BACK_STEP = 0.5
"""Inches by which a figure without room at the end of its run stops shorter, again and again."""
_ROOM = 3.0
"""Bases cannot meet beyond this distance between centres, in inches. The widest bases are 3 inches across."""


@procedure("forced.move")
def fall_back(table: Table, battle: Battle, unit: Unit, dice: int, *, backs: bool) -> int:
    """Move all able walking figures of a unit the same distance, those with leg wounds half of it. Return the inches.

    With `backs` the figures turn their backs until their next activation and do not fire in this one (PAY-165);
    otherwise they count as advancing, facing the enemy (PAY-164). Carriers drop their loads. Figures that cannot walk
    are left behind (PAY-077), as are guns and loose animals. A conveyance with a driver moves too.
    """
    inches = run_inches(table, dice, unit.spec.id)
    runners = [f for f in unit.figures.values() if f.can_walk and not f.aboard]
    conveyances = battle.driven_by(unit)
    number_going = len(runners) + sum(len(battle.engines[key].aboard) for key in conveyances)
    table.emit(
        "forced move",
        "PAY-163",
        unit=unit.spec.id,
        inches=inches,
        backs=backs,
        rout=bool(unit.rout),
        figures=number_going,
        slow=[figure.spec.id for figure in runners if _run_of(battle, figure, inches) < inches],
    )
    moved, still_to_move = list(runners), runners
    for conveyance in sorted(conveyances, key=lambda key: _distance_to_run(battle, unit, battle.engines[key].at)):
        distance = _distance_to_run(battle, unit, battle.engines[conveyance].at)
        before = [figure for figure in still_to_move if _distance_to_run(battle, unit, figure.at) <= distance]
        still_to_move = [figure for figure in still_to_move if figure not in before]
        _move_runners(table, battle, unit, [(figure, float(inches)) for figure in before])
        unit.measure()  # they block conveyances that move after them
        moved += _drive_back(table, battle, unit, conveyance, inches)
    _move_runners(table, battle, unit, [(figure, float(inches)) for figure in still_to_move])
    for figure in moved:
        if figure.able:
            figure.gait = "advance"
            if backs:
                figure.mark("back turned", "ran")
    unit.measure()
    battle.moved_away += tuple(figure.spec.id for figure in moved)
    return inches


@procedure("forced.singly")
def flee_singly(table: Table, battle: Battle, unit: Unit, at_most: int, *, dice: int, backs: bool) -> list[str]:
    """Roll for every able walking figure; on `at_most` or less it runs its own dice, back turned (PAY-155, PAY-166).

    Return the figures that ran.
    """
    ran: list[tuple[Figure, float]] = []
    runs = rows({0: "he runs", at_most + 1: "he stands"})
    for key, figure in unit.figures.items():
        if not figure.can_walk or figure.aboard:
            continue
        if table.roll(1, 6, why="stand or run", rule="PAY-155", actor=key, means=runs) <= at_most:
            ran.append((figure, float(run_inches(table, dice, key, "PAY-166"))))
    table.emit(
        "figures ran",
        "PAY-166",
        unit=unit.spec.id,
        figures=len(ran),
        ran=[figure.spec.id for figure, _ in ran],
        inches=[_run_of(battle, figure, inches) for figure, inches in ran],
    )
    _move_runners(table, battle, unit, ran)
    for figure, _ in ran:
        if figure.able and backs:
            figure.mark("back turned", "ran")
    unit.measure()
    battle.moved_away += tuple(figure.spec.id for figure, _ in ran)
    return [figure.spec.id for figure, _ in ran]


def run_inches(table: Table, dice: int, actor: str, rule: str = "PAY-163") -> int:
    """Roll the dice of a forced move."""
    return table.roll(dice, 6, why="forced move", rule=rule, actor=actor, means=counts("inches"))


def _distance_to_run(battle: Battle, unit: Unit, at: Point | None) -> float:
    """Return the distance from a point to where a figure there would run.

    Figures with the shortest way go first (PAY-163).
    """
    return 0.0 if at is None else dist(at, _destination(battle, unit, at))


def _drive_back(table: Table, battle: Battle, unit: Unit, conveyance: str, inches: int) -> list[Figure]:
    """Move a conveyance with its driver, stopping an inch short of enemies on the ground.

    Return all aboard (PAY-163).
    """
    engine = battle.engines[conveyance]
    aboard = [battle.change_figure(name) for name in engine.aboard]
    if engine.at is None:
        return aboard
    goal = _destination(battle, unit, engine.at)
    if not engine.altitude:
        radius = battle.engine_radius(engine)
        foes = _foes_near(battle, unit, box_around(engine.at, inches + _ROOM))
        goal = _short_of(battle, radius, engine.at, goal, foes)
    end, _, _ = battle.field.move_costs["air" if engine.kind == "flyer" else "wheels"].march(engine.at, goal, inches)
    move_engine(battle, conveyance, end, "advance")
    if battle.field.table.edge_at(end):
        drive_off(battle, conveyance, end, lambda passenger: _driven_off(table, battle, passenger))
    raise_touched(table, battle, unit)
    return aboard


def _move_runners(table: Table, battle: Battle, unit: Unit, runners: Sequence[tuple[Figure, float]]) -> None:
    """Move figures away, those closest to their destination first. At the edge they leave for good (PAY-163)."""
    if not runners:
        return
    for figure, _ in runners:
        for load in figure.loads:  # drop loads first, because a comrade put down blocks the other runners
            if load not in battle.things or battle.things[load].kind != "weapon":
                drop(table, battle, figure, load)
    around = widen(unit.box, max(inches for _, inches in runners) + _ROOM)
    foes = _foes_near(battle, unit, around)
    goals = {f.spec.id: _destination(battle, unit, f.at) for f, _ in runners if f.at is not None}
    order = sorted(runners, key=lambda runner: dist(runner[0].at or (0.0, 0.0), goals[runner[0].spec.id]))
    own_bases = {f.spec.id: Base(*f.at, battle.radius(f), key=f.spec.id) for f, _ in runners if f.at is not None}
    crowd = crowd_with(battle, around, own_bases)
    for figure, inches in order:
        start, own = figure.at, figure.spec.id
        assert start is not None, "runners are on the table"
        if "down" in figure.marks:
            figure.unmark("down")  # PAY-086
        goal = _short_of(battle, battle.radius(figure), start, goals[own], foes)
        far = _run_of(battle, figure, inches)
        end, _, _ = battle.field.move_costs[column_of(battle, figure)].march(start, goal, far)
        radius = battle.radius(figure)
        crowd.remove(own_bases[own])
        if battle.field.table.edge_at(end):
            figure.at = end
            _driven_off(table, battle, figure)
            continue
        while not crowd.is_free(end, radius) and end != start:
            end = up_to(end, start, BACK_STEP)
        figure.at = end
        crowd.add(own_bases[own]._replace(x=end[0], y=end[1]))


def _run_of(battle: Battle, figure: Figure, inches: float) -> float:
    """Return how far a figure runs of the inches rolled: half of them with a leg wound (PAY-163)."""
    is_slow = "leg_wound" in figure.wounds and not figure.mount
    return inches * (battle.book.file.halved_by_leg_wound.times if is_slow else 1.0)


def _destination(battle: Battle, unit: Unit, at: Point) -> Point:
    """Return the point a figure runs to: its home edge, else directly away from the nearest able enemy (PAY-163)."""
    edge = battle.field.home_edges.get(unit.spec.side)
    if edge is not None and battle.book.settings.retreat_direction == "home_edge":
        return nearest_on_edge(at, battle.field.table.extent, edge)
    nearest, best = None, 1e18
    for other in battle.enemies(unit.spec.side):
        for figure in other.able:
            assert figure.at is not None, "able figures are on the table"
            distance_squared = (figure.at[0] - at[0]) ** 2 + (figure.at[1] - at[1]) ** 2
            if distance_squared < best and line_is_clear(at, figure.at, battle.field.blockers.all):
                nearest, best = figure.at, distance_squared
    if nearest is None or best == 0:
        return at
    length = sqrt(best)
    return battle.field.table.edge_point_towards(at, ((at[0] - nearest[0]) / length, (at[1] - nearest[1]) / length))


def _foes_near(battle: Battle, unit: Unit, around: Bounds) -> list[Base]:
    """Return the bases on the ground of enemy units that figures in a rectangle may have to stop short of (PAY-163)."""
    distance = battle.book.file.short_of_enemies.inches
    near = [enemy for enemy in battle.enemies(unit.spec.side) if boxes_near(around, enemy.box, distance)]
    return [base for other in near for base in touch_bases(battle, other)]


def _short_of(battle: Battle, radius: float, start: Point, goal: Point, foes: Sequence[Base]) -> Point:
    """Return the goal, or the point an inch short of the first enemy on the path (PAY-163).

    A figure already within that inch of an enemy comes no nearer to it: it passes only enemies to its side or behind
    it.
    """
    inch, contact = battle.book.file.short_of_enemies.inches, battle.book.contact
    touch = first_touch(
        start, goal, radius, foes, inch, passes=lambda distance_squared, beside, _: distance_squared - beside <= contact
    )
    return goal if touch is None else up_to(start, goal, touch.moved)


def _driven_off(table: Table, battle: Battle, figure: Figure) -> None:
    """Remove a figure that has run off the table, with the comrades it carries, and report the losses."""
    leaving = [figure.spec.id, *(key for key in figure.loads if key not in battle.things and battle.figure(key).able)]
    leave(table, battle, figure, "off")
    for key in leaving:
        unit, edge = battle.unit_of(battle.figure(key)).spec, battle.exits[key]
        table.emit(
            "loss", "PAY-163", unit=unit.id, side=unit.side, figure=key, lost=1,
            cause="morale", fate="off", edge=edge,
        )  # fmt: skip
