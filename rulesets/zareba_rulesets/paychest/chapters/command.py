"""Leaders and command: the loss of a leader, who leads and commands next, acting corporals, orders and brave deeds."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.chance import SumBands, named
from zareba.rules import procedure
from zareba.space import Point
from zareba.table import Option, Table
from zareba_rulesets.paychest.chapters.morale import carry_out, second_roll
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.intentions import UnitIntentions
from zareba_rulesets.paychest.forces.units import Figure, Unit

# --- Loss of a leader: the unit's roll, and who leads and commands next (PAY-034 to PAY-036, PAY-128 to PAY-135) ------


def leaders_lost(table: Table, battle: Battle, casualties: Sequence[str]) -> None:
    """Handle leaders lost in one volley, burst, shell or melee: one roll per unit (PAY-134), then succession.

    With `leader_loss_scope` current only the figure leading the unit counts; with any, every leader figure does. Each
    leader is lost only once (PAY-132).
    """
    due: dict[str, list[str]] = {}
    for name in dict.fromkeys(casualties):
        figure = battle.figure(name)
        unit = battle.unit_of(figure)
        leads = name == unit.leader
        if battle.book.settings.leader_loss_scope == "any":
            leads = leads or battle.is_leader(figure)
        if leads and name not in unit.lost:
            unit = battle.change(unit.spec.id)
            unit.lost = (*unit.lost, name)
            due.setdefault(unit.spec.id, []).append(name)
    for unit_id, names in due.items():
        unit = battle.change(unit_id)
        for name in names:
            table.emit("leader lost", "PAY-128", unit=unit_id, figure=name)
        if not (unit.spec.single or unit.rout or not unit.has_able_figures):
            loss_of_leader(table, battle, unit)
    if due or casualties:
        replace_lost_leaders(table, battle)


@procedure("leaders.loss")
def loss_of_leader(table: Table, battle: Battle, unit: Unit) -> bool:
    """Roll 2d6 and return True if the unit passes on 7 or more (PAY-128).

    Irregulars that fail rout off the table (PAY-130). For regulars a setting decides (PAY-129).
    """
    file = battle.book.file
    rule = file.leader_loss
    actor = unit.spec.id
    passes = SumBands((rule.passes_at,))
    means = named("shaken", "steady")
    passed = bool(table.roll(rule.dice, 6, passes, why="loss of leader", rule="PAY-128", actor=actor, means=means))
    table.emit("steady" if passed else "shaken", "PAY-128", unit=actor)
    if passed:
        return True
    if unit.spec.kind == "irregular":
        carry_out(table, battle, unit, file.leader_loss_irregular.result)
    elif battle.book.settings.leader_loss_regulars == "second_table":
        second_roll(table, battle, unit)
    elif battle.book.settings.leader_loss_regulars == "fall_back":
        carry_out(table, battle, unit, file.leader_loss_fall_back.result)
    else:
        unit.mark("inactive")
    return False


def replace_lost_leaders(table: Table, battle: Battle) -> None:
    """Replace the lost leaders of units and the lost commanders of sides (PAY-034, PAY-040, PAY-133)."""
    for unit_id, unit in battle.units.items():
        if unit.leader and unit_id not in battle.arrivals and not can_lead(unit.figures[unit.leader]):
            leader = best_leader(battle, list(unit.figures.values()))
            battle.change(unit_id).leader = leader
    for side, commander in list(battle.commanders.items()):
        if commander and (commander.rpartition(".")[0] in battle.arrivals or can_lead(battle.figure(commander))):
            continue
        figures = [figure for unit in battle.side_units(side) for figure in unit.able]
        successor = best_leader(battle, figures)
        if successor != commander:
            battle.commanders[side] = successor
            if successor:
                table.emit("takes command", "PAY-034", figure=successor, side=side, unit=successor.rpartition(".")[0])


def best_leader(battle: Battle, figures: Sequence[Figure]) -> str:
    """Return the highest-ranking able leader figure that can walk, or "" (PAY-034, PAY-035, PAY-040).

    Equal ranks go by roster order. A horse does not help: a leader who cannot walk is lost as a leader even in the
    saddle.
    """
    order = battle.book.rank_order
    fit = [figure for figure in figures if battle.is_leader(figure) and can_lead(figure)]
    best = min(fit, key=lambda figure: order[figure.rank], default=None)
    return best.spec.id if best is not None else ""


def can_lead(figure: Figure) -> bool:
    """Return True unless the figure is killed, unconscious, gone or unable to walk (PAY-036, PAY-128)."""
    return figure.fate == "able" and figure.at is not None and "lame" not in figure.marks


# --- Acting corporals, orders, and brave deeds that the commander notes (PAY-033, PAY-037 to PAY-045) -----------------


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
        intentions = UnitIntentions(battle, unit)
        foe = intentions.enemy.at if intentions.enemy is not None else None
        points = [point for point in (intentions.destination, foe, here) if point]

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
