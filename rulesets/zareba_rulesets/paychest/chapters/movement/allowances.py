"""Move allowances: the dice, running, and what halves a move (PAY-066 to PAY-072, PAY-078, PAY-123)."""

from __future__ import annotations

from math import floor

from zareba.chance import SUM, counts
from zareba.table import Table
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.load_bearers import is_burdened
from zareba_rulesets.paychest.forces.units import Figure

__all__ = ["factor", "may_run", "mover_of", "roll_allowance", "run_on"]

INCHES = counts("inches")


def mover_of(battle: Battle, figure: Figure) -> str:
    """Return the line of the movement chart for a figure. A figure leading mounts moves as a pack animal (PAY-078)."""
    if battle.leads(figure):
        return "pack"
    return figure.mount or "foot"


def limps(figure: Figure) -> bool:
    """Return True if a leg wound slows the figure: on foot, or if it mounted in this activation (PAY-078, PAY-123)."""
    return "leg_wound" in figure.wounds and (not figure.mount or "mounted" in figure.marks)


def may_run(battle: Battle, figure: Figure) -> bool:
    """Return True if the figure may run. A figure on foot with a leg wound may not (PAY-123)."""
    return not limps(figure) and battle.book.movers[mover_of(battle, figure)].run > 0


def factor(battle: Battle, figure: Figure) -> float:
    """Return a figure's move factor: a leg wound on foot and a heavy load each halve it (PAY-072, PAY-075, PAY-123)."""
    times = 1.0
    if limps(figure):
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
    thrown = table.roll(line.advance, 6, SUM, why=f"{mover} advances", rule="PAY-069", actor=actor, means=INCHES)
    advance = float(rules.number("movement", thrown, battle, actor, seen=table.tallies))
    return advance, (run_on(table, battle, mover, advance, actor) if runs else 0.0)


def run_on(table: Table, battle: Battle, mover: str, advance: float, actor: str) -> float:
    """Roll the remaining dice for the figures that run, and return their allowance."""
    line = battle.book.movers[mover]
    return advance + table.roll(
        line.run - line.advance, 6, SUM, why=f"{mover} runs on", rule="PAY-069", actor=actor, means=INCHES
    )
