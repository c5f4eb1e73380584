"""Command: acting corporals, orders, and brave deeds that the commander notes (PAY-033, PAY-037 to PAY-045)."""

from __future__ import annotations

from zareba.space import Point
from zareba.table import Option, Table
from zareba_rulesets.paychest.chapters.leaders import best_leader, can_lead, replace_lost_leaders
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.intentions import UnitGoals
from zareba_rulesets.paychest.forces.units import Unit

NOBODY, _NO_ORDER = "nobody", "no more orders"


def promote(table: Table, battle: Battle, unit: Unit) -> None:
    """Let the player promote an acting leader in a unit without an able walking leader (PAY-037 to PAY-045).

    A leader figure in the unit takes over first (PAY-040). Routing units (PAY-041) and units of one figure promote no
    one.
    """
    if unit.leader and can_lead(unit.figures[unit.leader]):
        return
    unit.leader = best_leader(battle, list(unit.figures.values()))
    if unit.leader or unit.spec.single:
        return
    men = candidates(battle, unit)
    if not men:
        return
    actor = unit.spec.id
    chosen = table.choose(unit.spec.side, [*men, NOBODY], why="acting corporal", rule="PAY-037", actor=actor)
    if chosen == NOBODY:
        return
    rank = "acting_corporal" if unit.spec.kind == "regular" else "acting_leader"  # PAY-042, PAY-045
    unit.figures[chosen].rank = rank
    unit.leader = chosen
    table.emit("promoted", "PAY-038", figure=chosen, unit=actor, rank=rank)
    replace_lost_leaders(table, battle)


def candidates(battle: Battle, unit: Unit) -> list[str]:
    """Return the candidates for acting corporal: the bravest, or all if the owner chooses (PAY-039)."""
    fit = [figure for figure in unit.able if can_lead(figure)]
    if not fit or battle.book.settings.acting_corporal_choice == "owner":
        return [figure.spec.id for figure in fit]
    best_skill = max(figure.brave for figure in fit)
    return [figure.spec.id for figure in fit if figure.brave == best_skill]


def give_orders(table: Table, battle: Battle, side: str) -> None:
    """Ask the commander for the orders of the turn: a unit and the point it should make for (PAY-033).

    Orders are recorded and reported. Nothing enforces them, but AI players make for the ordered point.
    """
    commander = battle.commanders.get(side)
    if not commander:
        return
    units: list[Option] = [unit.spec.id for unit in battle.side_units(side)]
    while units:
        chosen = table.choose(side, [_NO_ORDER, *units], why="order for", rule="PAY-033", actor=commander)
        if chosen == _NO_ORDER:
            return
        units.remove(chosen)
        unit = battle.unit(str(chosen))
        here = unit.positions.middle
        goals = UnitGoals(battle, unit)
        foe = goals.enemy.at if goals.enemy is not None else None
        points = [point for point in (goals.objective, foe, here) if point]

        def refuse(point: Point) -> str | None:
            return None if battle.field.table.is_on_table(point) else "that point is off the table"

        at = table.place(side, points, refuse, why="order to", rule="PAY-033", actor=unit.spec.id)
        battle.orders[unit.spec.id] = at
        table.emit("order", "PAY-033", unit=unit.spec.id, to=[round(x, 2) for x in at])


def note_deed(table: Table, battle: Battle, side: str) -> None:
    """Let the commander record one brave deed per turn (PAY-044): first the unit, then the figure."""
    if not battle.commanders.get(side):
        return
    commander = battle.commanders[side]
    units = [unit.spec.id for unit in battle.side_units(side)]
    chosen = table.choose(side, [NOBODY, *units], why="brave deed in", rule="PAY-044", actor=commander)
    if chosen == NOBODY:
        return
    men = [figure.spec.id for figure in battle.unit(chosen).able]
    man = table.choose(side, men, why="brave deed of", rule="PAY-044", actor=commander)
    battle.change_figure(man).brave += 1
    battle.deeds[side] = battle.turn
    table.emit("brave deed", "PAY-044", figures=[man], unit=chosen, deed="noted by the commander")
