"""Actions with guns, conveyances and flyers in the move step (PAY-079 to PAY-084, PAY-176)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Self, final

from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba.table import Table
from zareba_rulesets.paychest.actions.actor import (
    NOTHING,
    MoveAction,
    MoveView,
    MovingUnit,
    SimpleMoveAction,
    gains_nothing,
)
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.machines import (
    GUNS,
    carry_passengers,
    crew_at,
    drive_engine,
    driver,
    figures_moving_with,
    may_sink,
    room_towards,
)
from zareba_rulesets.paychest.chapters.mounts import able_to_get_off, board, boardable, boarders, get_off
from zareba_rulesets.paychest.chapters.movement import EACH, Destinations
from zareba_rulesets.paychest.chapters.sight import is_held
from zareba_rulesets.paychest.estimates import PositionValue
from zareba_rulesets.paychest.forces.battle import Battle, Engine, gun_limit
from zareba_rulesets.paychest.forces.units import Figure, Unit

_SHORTEST_DRIVE = 1.0
"""Moves shorter than this, in inches, gain nothing."""
_NEAR_ENOUGH = 40.0
"""A limbered gun stops when it sees a target within this distance, in inches."""
_CLOSE_ENEMY = 6.0
"""A gun that has an enemy within this distance, in inches, is not pushed on."""
_STAY_OFF = "stay off"


class EngineAction(MoveAction, verb="", text=""):
    """An action with a gun or conveyance, which `engine` names."""

    engine: str

    @classmethod
    @abstractmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterable[Self]:
        """Return the legal actions of this class with one gun or conveyance."""

    @classmethod
    def options(cls, actor: MovingUnit) -> Iterator[Self]:
        for key, engine in actor.battle.engines.items():
            if engine.at is not None and key not in actor.spent:
                yield from cls.with_engine(actor, key, engine)


def engine_actions(actor: MovingUnit) -> Iterator[EngineAction]:
    """Yield what a unit may do with each of its guns and conveyances in turn (PAY-080, PAY-082, PAY-084)."""
    for key, engine in actor.battle.engines.items():
        if engine.at is not None and key not in actor.spent:
            for action in ENGINE_ACTIONS:
                yield from action.with_engine(actor, key, engine)


# --- guns -----------------------------------------------------------------------------------------------------------


def _set_limbered(table: Table, actor: MovingUnit, key: str, *, is_limbered: bool) -> None:
    """Hitch a gun to its team, or unhitch it. This uses up its move and that of its crew."""
    engine = actor.battle.engines.change(key)
    actor.spent.update([*figures_moving_with(actor.battle, actor.unit, key), key])
    engine.limbered, engine.moved = is_limbered, "advance"
    table.emit("limbered" if is_limbered else "unlimbered", "PAY-084", unit=actor.unit.spec.id, engine=key)


@final
class Unlimber(EngineAction, verb="unlimber", text="unlimber {engine:engine}"):
    """Make a limbered gun ready to fire (PAY-084)."""

    @classmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterator[Self]:
        if engine.limbered and actor.crew_available(key):
            yield cls(key)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        _set_limbered(table, actor, self.engine, is_limbered=False)

    def value(self, view: MoveView) -> Evaluation:
        effective = view.battle.book.shell.medium
        close = view.away < effective and view.survey.sees_any(view.here, effective)
        reason = partial('the enemy is {:.0f}" away'.format, view.away)
        return Evaluation(0.5 if close else 0.0, view.danger_here, reason=reason)


@final
class Limber(EngineAction, verb="limber", text="limber {engine:engine}"):
    """Hitch a gun to its team (PAY-084)."""

    @classmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterator[Self]:
        if not engine.limbered and engine.team and actor.crew_available(key):
            yield cls(key)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        _set_limbered(table, actor, self.engine, is_limbered=True)

    def value(self, view: MoveView) -> Evaluation:
        return gains_nothing(view)


@final
class Push(EngineAction, verb="push", text="push {engine:engine}[gait=run? at the run]"):
    """Move an unlimbered gun by hand (PAY-066, PAY-084)."""

    gait: Gait = "advance"

    @classmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterator[Self]:
        if engine.limbered:
            return
        crew_available, book = actor.crew_available(key), actor.battle.book
        if (
            crew_available
            and crew_available >= book.file.guns["machine_gun" if engine.kind == "machine_gun" else "shell"].pushers
        ):
            yield cls(key)
            if book.movers["gun_by_hand"].run:
                yield cls(key, "run")

    def perform(self, table: Table, actor: MovingUnit) -> None:
        _drive(table, actor, self.engine, "gun_by_hand", self.gait)

    def value(self, view: MoveView) -> Evaluation:
        blind = view.away > _CLOSE_ENEMY and not view.survey.sees_any(view.here, view.battle.book.shell.medium)
        if blind and _end_of_drive(view, self.engine, "gun_by_hand", "advance") is not None:
            return Evaluation(0.0, view.danger_here, 0.15, reason="no target in sight from here")
        return gains_nothing(view)


# --- driving --------------------------------------------------------------------------------------------------------


@final
class Drive(EngineAction, verb="drive", text="drive {engine:engine} ({gait})"):
    """Move a limbered gun, a conveyance or a flyer (PAY-066, PAY-080, PAY-084)."""

    gait: Gait

    @classmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterator[Self]:
        hitched = engine.limbered and actor.crew_available(key) > 0
        if hitched if engine.kind in GUNS else _has_driver(actor, engine):
            for gait in actor.battle.book.movers[_mover(engine)].gaits:
                yield cls(key, gait)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        _drive(table, actor, self.engine, _mover(actor.battle.engines[self.engine]), self.gait)

    def value(self, view: MoveView) -> Evaluation:
        engine = view.battle.engines[self.engine]
        if engine.kind in GUNS and view.survey.sees_any(view.here, _NEAR_ENOUGH):
            near = partial('a target {:.0f}" away is near enough'.format, view.away)
            return Evaluation(0.0, view.danger_here, reason=near)
        end = _end_of_drive(view, self.engine, _mover(engine), self.gait)
        if end is None:
            return Evaluation(0.0, view.danger_here + NOTHING, reason="there is no way on, or no room")
        if view.is_too_bold(end):
            reason = "no friends stand between this unit and the enemy"
            return Evaluation(0.0, view.danger_here + NOTHING, reason=reason)
        dice = amount(_dice(view.battle, _mover(engine), self.gait), "die", "dice")
        value = 0.14 if self.gait == "advance" else 0.2
        return Evaluation(0.0, view.danger_here, value, reason=f"drives on towards its goal at {dice} a turn")


def _mover(engine: Engine) -> str:
    """Return the line of the movement chart for driving an engine."""
    return "gun_limbered" if engine.kind in GUNS else engine.kind


def _has_driver(actor: MovingUnit, engine: Engine) -> bool:
    """Return True if an able figure of the unit drives the engine, free of contact (PAY-076, PAY-080)."""
    driving = driver(actor.battle, engine)
    return driving is not None and driving.spec.unit == actor.unit.spec.id and not is_held(actor.battle, driving)


def _drive(table: Table, actor: MovingUnit, key: str, mover: str, gait: Gait) -> None:
    """Roll for an engine and move it. This uses up its move and that of its crew or passengers."""
    battle, unit = actor.battle, actor.unit
    battle.engines.change(key)
    moved = figures_moving_with(battle, unit, key)
    advance, run = actor.roll(table, mover, runs=gait == "run")
    drive_engine(table, battle, unit, key, run if gait == "run" else advance, gait)
    actor.spent.update([*moved, key])


def _dice(battle: Battle, mover: str, gait: Gait) -> int:
    """Return the dice of a mover at a gait (PAY-066)."""
    line = battle.book.movers[mover]
    return line.run if gait == "run" else line.advance


def _end_of_drive(view: PositionValue, key: str, mover: str, gait: Gait) -> Point | None:
    """Return the point an engine reaches with average dice, or None if it has no route, no room or no reason to go.

    A gun that is wanted nowhere goes towards the nearest enemy, until it sees one.
    """
    battle, at = view.battle, view.battle.engines[key].at
    seeks_enemy = not view.is_wanted_elsewhere and view.may_attack and battle.engines[key].kind in GUNS
    if at is None or not (view.is_wanted_elsewhere or (seeks_enemy and view.enemy_point is not None)):
        return None
    ground = battle.book.movers[mover].ground
    inches = battle.book.inches_per_die * _dice(battle, mover, gait)
    points = Destinations(battle, view.unit, at, inches, ground)
    index = int(seeks_enemy)  # the objective, then the nearest enemy
    first, goal = points.at(index), points.final_points[index]
    if first is None or (first == goal and not battle.field.move_costs[ground].is_open(at, first)):
        return None
    end, _, _ = battle.field.move_costs[ground].march(at, first, inches)
    end = room_towards(battle, key, end)
    return None if dist(at, end) < _SHORTEST_DRIVE or view.is_taken(end) else end


# --- altitude -------------------------------------------------------------------------------------------------------


def _change_altitude(table: Table, actor: MovingUnit, key: str, steps: int) -> None:
    """Change a flyer's altitude. Its passengers have moved, but the flyer may still move (PAY-082)."""
    battle, unit = actor.battle, actor.unit
    engine = battle.engines.change(key)
    actor.spent.update(figures_moving_with(battle, unit, key))
    engine.altitude += steps
    carry_passengers(battle, key, "advance")
    table.emit("altitude", "PAY-082", unit=unit.spec.id, engine=key, steps=engine.altitude, rose=steps > 0)


def _may_change_altitude(actor: MovingUnit, engine: Engine) -> bool:
    """Return True if an engine is a flyer with a driver that has not moved."""
    return engine.kind == "flyer" and engine.moved == "halt" and _has_driver(actor, engine)


@final
class Rise(EngineAction, verb="rise", text="{engine:engine} rises"):
    """Take a flyer one step up (PAY-082)."""

    @classmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterator[Self]:
        if _may_change_altitude(actor, engine) and engine.altitude < actor.battle.book.file.altitude.most:
            yield cls(key)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        _change_altitude(table, actor, self.engine, 1)

    def value(self, view: MoveView) -> Evaluation:
        return gains_nothing(view)


@final
class Sink(EngineAction, verb="sink", text="{engine:engine} sinks"):
    """Take a flyer one step down (PAY-082)."""

    @classmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterator[Self]:
        if _may_change_altitude(actor, engine) and may_sink(actor.battle, key, engine):
            yield cls(key)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        _change_altitude(table, actor, self.engine, -1)

    def value(self, view: MoveView) -> Evaluation:
        return gains_nothing(view)


# --- getting on and off ---------------------------------------------------------------------------------------------


def _choose_riders(table: Table, unit: Unit, verb: str, each: str, names: Sequence[str]) -> list[str]:
    """Return the figures that get on or off: all that may, or those the owner picks (PAY-080)."""
    if each != EACH:
        return list(names)
    side, why = unit.spec.side, "seat"
    return [name for name in names if table.confirm(side, why=why, rule="PAY-080", actor=name, about=(verb,))]


@final
class GetOff(EngineAction, verb="get off", text="get off {engine:engine}[each?, man by man]"):
    """Get off a conveyance, all figures or some, and walk on (PAY-080). This ends the move step."""

    each: str = ""

    @classmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterator[Self]:
        if engine.kind in GUNS or engine.altitude:
            return
        off = able_to_get_off(actor.battle, actor.unit, engine)
        if off:
            yield cls(key)
        if len(off) > 1:
            yield cls(key, EACH)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        battle, unit = actor.battle, actor.unit
        leaving = _choose_riders(
            table, unit, self.verb, self.each, able_to_get_off(battle, unit, battle.engines[self.engine])
        )
        get_off(table, battle, unit, self.engine, leaving)
        actor.walk_on(table, dict.fromkeys(leaving, ("foot", battle.book.file.getting_off.times)))

    def value(self, view: MoveView) -> Evaluation:
        return gains_nothing(view)


@final
class GetOn(EngineAction, verb="board", text="get on {engine:engine}[each?, man by man]"):
    """Get on a conveyance, all figures or some (PAY-080).

    A conveyance with a driver may still be driven. One without a driver may not, because boarding costs its new driver
    half a move.
    """

    each: str = ""

    @classmethod
    def with_engine(cls, actor: MovingUnit, key: str, engine: Engine) -> Iterator[Self]:
        if engine.kind in GUNS or engine.altitude:
            return
        on = boarders(actor.battle, actor.unit, engine, _figures_yet_to_move(actor))
        if on:
            yield cls(key)
        if len(on) > 1:
            yield cls(key, EACH)

    def perform(self, table: Table, actor: MovingUnit) -> None:
        battle, unit = actor.battle, actor.unit
        engine = battle.engines.change(self.engine)
        driverless = not engine.aboard
        boarding = _choose_riders(
            table, unit, self.verb, self.each, boarders(battle, unit, engine, _figures_yet_to_move(actor))
        )
        boarded = board(table, battle, unit, self.engine, boarding)
        actor.spent.update([*boarded, self.engine] if boarded and driverless else boarded)

    def value(self, view: MoveView) -> Evaluation:
        return gains_nothing(view)


def _figures_yet_to_move(actor: MovingUnit) -> list[str]:
    """Return the figures of a unit that have not moved in this step."""
    return [name for name in actor.unit.figures if name not in actor.spent]


def get_on(table: Table, actor: MovingUnit, names: Collection[str]) -> None:
    """Let figures that have reached a conveyance with half of their allowance left get on (PAY-080)."""
    battle, unit = actor.battle, actor.unit
    for key in boardable(battle, unit, names):
        options = [_STAY_OFF, GetOn(key).option]
        if table.choose(unit.spec.side, options, why="get on", rule="PAY-080", actor=unit.spec.id) != _STAY_OFF:
            actor.left.update(dict.fromkeys(board(table, battle, unit, key, names), 0.0))


ENGINE_ACTIONS: tuple[type[EngineAction], ...] = (Unlimber, Limber, Push, Drive, Rise, Sink, GetOff, GetOn)
"""The actions with an engine, in the order in which they are offered for each."""


# --- jams -----------------------------------------------------------------------------------------------------------


def _can_clear(actor: MovingUnit, engine: Engine) -> bool:
    """Return True if the crew can clear a jam with the whole activation (PAY-176).

    It may do so by setting, or if it has fewer than two shots.
    """
    if not engine.jammed or not _clearers(actor, engine):
        return False
    return actor.battle.book.settings.jam_clear == "activation" or gun_limit(actor.battle, engine) < 2


def _clearers(actor: MovingUnit, engine: Engine) -> list[Figure]:
    """Return the crew at a gun that have not moved and have an arm to clear a jam with (PAY-121, PAY-176)."""
    return [f for f in crew_at(actor.battle, engine) if f.spec.id not in actor.spent and not f.has_no_arms]


def _may_clear(actor: MovingUnit) -> bool:
    """Return True if the crew can clear the jam of one of the unit's guns."""
    return any(_can_clear(actor, actor.battle.engines[key]) for key in actor.battle.guns_of(actor.unit))


def _clear_jams(table: Table, actor: MovingUnit) -> None:
    """Make the crews at jammed guns start clearing them, so that they neither move nor fire (PAY-176).

    This uses up their move, and that of the guns and of the conveyances that carry the guns.
    """
    busy: list[str] = []
    for key in actor.battle.guns_of(actor.unit):
        engine = actor.battle.engines[key]
        if _can_clear(actor, engine):
            crew = _clearers(actor, engine)
            for figure in crew:
                figure.mark("served", "clearing")
            busy += [key, *(figure.spec.id for figure in crew)]
            if engine.carrier:
                busy.append(engine.carrier)
    actor.spent.update(busy)


CLEAR = SimpleMoveAction(
    "clear the jam",
    "clear the jam",
    is_legal=_may_clear,
    effect=_clear_jams,
    evaluation=lambda view: Evaluation(0.5, view.danger_here, reason="a jammed gun cannot fire (PAY-176)"),
)
