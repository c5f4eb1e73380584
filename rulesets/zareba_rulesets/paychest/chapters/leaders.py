"""Loss of a leader: the unit's roll, and who leads and commands next (PAY-034 to PAY-036, PAY-128 to PAY-135)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.chance import SumBands, named
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.paychest.chapters.morale import carry_out, second_roll
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit


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
