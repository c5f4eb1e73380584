"""The actor of an action: a unit in its move step, with the figures that may still move and those that have used their
move.
"""

from __future__ import annotations

from typing import TypeAlias

from zareba.actions import Action, SimpleAction
from zareba.base.speedups import cached_attribute
from zareba.plugins.ruleset import Evaluation
from zareba.table import Table
from zareba_rulesets.paychest.chapters.machines import GUNS, haulers
from zareba_rulesets.paychest.chapters.movement import (
    ADVANCE,
    EACH,
    HALT,
    ask_gait,
    gaits_of,
    move_figures,
    movers,
    roll_allowance,
    run_on,
)
from zareba_rulesets.paychest.estimates import PositionValue, stay
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

NOTHING = 0.1
"""The cost of an action that gains nothing: a lost move."""


class MovingUnit:
    """A unit in its move step.

    `spent` holds the figures and engines that have used their move, `left` the inches that each figure has left, and
    `movable` the figures that may still move. `rolls` holds the inches rolled for each type of engine. `over` is True
    once an action has ended the step.
    """

    def __init__(self, battle: Battle, unit: Unit, left: dict[str, float]) -> None:
        self.battle, self.unit, self.left = battle, unit, left
        self.spent: set[str] = set()
        self.movable = movers(battle, unit)
        self.over = False
        self.rolls: dict[str, tuple[float, float]] = {}
        self._crew_available: dict[str, int] = {}

    def refresh(self) -> list[Figure]:
        """Return the figures that may still move after an action, as `movable` from now on."""
        self._crew_available.clear()
        self.movable = [figure for figure in movers(self.battle, self.unit) if figure.spec.id not in self.spent]
        return self.movable

    def crew_available(self, key: str) -> int:
        """Return the number of men who can move a gun of the unit by hand or with its team; 0 for other engines."""
        found = self._crew_available.get(key)
        if found is None:
            engine, found = self.battle.engines[key], 0
            if engine.kind in GUNS and engine.unit == self.unit.spec.id and engine.mount == "carriage":
                found = sum(not figure.has_no_arms for figure in haulers(self.battle, engine, self.spent))
            self._crew_available[key] = found
        return found

    def walk_on(self, table: Table, begun: dict[str, tuple[str, float]]) -> None:
        """Let a unit go on whose figures have mounted, dismounted or got off. This ends the move step.

        `begun` holds for each of these figures its mover type before that and the share of its move that is left.
        """
        battle, unit = self.battle, self.unit
        for key in begun:
            unit.figures[key].gait = ADVANCE
        movable = self.refresh()
        gait = ask_gait(table, battle, unit.spec.side, movable, unit.spec.id)
        if gait != HALT:
            gaits = gaits_of(table, battle, unit, movable, gait)
            move_figures(table, battle, unit, movable, gaits, self.left, started=begun, each=gait == EACH)
        self.over = True

    def roll(self, table: Table, mover: str, *, runs: bool) -> tuple[float, float]:
        """Return the inches of an advance and a run. All guns or conveyances of a type in a unit share one roll
        (PAY-069).
        """
        rolls, name = self.rolls, self.unit.spec.id
        if mover not in rolls:
            rolls[mover] = roll_allowance(table, self.battle, mover, runs, name)
        advance, run = rolls[mover]
        if runs and not run:
            rolls[mover] = advance, run_on(table, self.battle, mover, advance, name)
        return rolls[mover]


class MoveView(PositionValue):
    """A unit in its move step, as an AI player sees it."""

    @cached_attribute
    def halt(self) -> Evaluation:
        """The value of staying in place."""
        return stay(self)

    @property
    def is_idle_commander(self) -> bool:
        """True for a single commander who has nowhere to go."""
        intention = self.intention
        if not self.unit.spec.single or (
            intention is not None and intention.kind in ("carried object", "escort", "claim")
        ):
            return False
        return intention is None or intention.kind != "company" or self.distance_left <= intention.radius

    @property
    def danger_here(self) -> float:
        """The cost of enemy fire at the present position, for actions after which the unit is still there."""
        return self.halt.suffers

    @cached_attribute
    def guns(self) -> int:
        """The number of the unit's guns on the table."""
        return sum(self.battle.engines[key].at is not None for key in self.battle.guns_of(self.unit))


def gains_nothing(view: MoveView) -> Evaluation:
    """Return the value of an action in the move step that an AI player sees no use for."""
    return Evaluation(0.0, view.danger_here + NOTHING, reason="nothing is gained by this")


MoveAction: TypeAlias = Action[MovingUnit, MoveView]
SimpleMoveAction: TypeAlias = SimpleAction[MovingUnit, MoveView]
