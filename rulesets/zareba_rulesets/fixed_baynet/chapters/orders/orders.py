"""The activation of a unit (FBN-015, FBN-016, FBN-032 to FBN-038): its AC, and its acts one at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from zareba.battle.positions.move_suggestions import MoveSuggestions
from zareba.rules import procedure
from zareba.space.geometry import Point
from zareba.table import DeferredOptions, Table
from zareba_rulesets.fixed_baynet.chapters.buildings.building_damage import fire_at_building
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import ride, riders
from zareba_rulesets.fixed_baynet.chapters.cavalry.mounted_charges import mounted_charge
from zareba_rulesets.fixed_baynet.chapters.cavalry.wheeling import wheel
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import firers
from zareba_rulesets.fixed_baynet.chapters.fire.fire import split_fire, volley
from zareba_rulesets.fixed_baynet.chapters.guns.bursts import Impact
from zareba_rulesets.fixed_baynet.chapters.guns.crews import captured_guns, ready_gun
from zareba_rulesets.fixed_baynet.chapters.guns.gun_targets import volley_at_gun
from zareba_rulesets.fixed_baynet.chapters.guns.machine_guns import roll_after
from zareba_rulesets.fixed_baynet.chapters.melee.charges import charge
from zareba_rulesets.fixed_baynet.chapters.melee.close_combat import fight
from zareba_rulesets.fixed_baynet.chapters.morale.glory import test_glory
from zareba_rulesets.fixed_baynet.chapters.morale.rally import heroic_deed
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import after_move, find_hidden
from zareba_rulesets.fixed_baynet.chapters.movement.manoeuvre import face_enemy, shift, short_of_hidden
from zareba_rulesets.fixed_baynet.chapters.orders import drill, gun_orders, man_orders
from zareba_rulesets.fixed_baynet.chapters.orders.destinations import goals, ways_to_march, ways_to_ride
from zareba_rulesets.fixed_baynet.chapters.orders.options import (
    END,
    FACE,
    FIGHT,
    MOVE,
    SECOND,
    SINGLE,
    SPLIT,
    acts_open,
)
from zareba_rulesets.fixed_baynet.chapters.orders.single_orders import one_man
from zareba_rulesets.fixed_baynet.chapters.panic.panic import panicking_first
from zareba_rulesets.fixed_baynet.chapters.sight.contact import engaged
from zareba_rulesets.fixed_baynet.forces.battle import UNIT_ACTIVATION_MARKS, Battle, rest
from zareba_rulesets.fixed_baynet.forces.formations import is_formed
from zareba_rulesets.fixed_baynet.forces.units import Unit

__all__ = ["act", "act_out", "begin", "choose_act", "finish"]


@procedure("activation.begin")
def begin(table: Table, battle: Battle, unit: Unit) -> None:
    """P3 steps 1 to 3: give each man his AC (FBN-033, FBN-098), then resolve glory tests and panic."""
    battle.active = unit.spec.id
    unit.unmark("cluster", "deed")  # FBN-059; a deed counts only in the activation it happens in (FBN-161)
    unit.dealt = unit.lost = 0
    for figure in unit.figures.values():
        figure.ac = battle.counters_left(figure, seen=table.tallies)
        figure.moves = figure.attacks = 0
        if "stunned" in figure.marks:
            figure.mark("dazed")
        if "shown" in figure.marks and figure.reaction != "prone":
            figure.unmark("shown")  # FBN-133: he counts as prone again
    for gun in unit.guns:
        ready_gun(battle, unit, gun)
    if "hidden" not in unit.marks:
        table.emit("activated", "FBN-013", unit=unit.spec.id)
    if battle.book.settings.glory_test_timing == "unit_orders":
        test_glory(table, battle, unit)
        unit.unmark("due")  # also if no man is steady
    panicking_first(table, battle, unit)


def finish(table: Table, battle: Battle, unit: Unit) -> None:
    """P3 step 5: end the activation.

    Unspent AC are lost, the formation is tested (FBN-064, FBN-272), and captured guns and deeds are resolved (FBN-122,
    FBN-161).
    """
    captured_guns(table, battle, unit)
    heroic_deed(table, battle, unit)
    if "loose" in unit.marks and unit.figures:
        _look_at_ranks(battle, unit)
    for gun in unit.guns:
        roll_after(table, battle, unit, gun)
        gun.saved = min(battle.book.file.gun_costs.ac, gun.ac) if battle.book.settings.crew_ac == "crew_best" else 0
        gun.ac, gun.moved = 0, False
    for figure in unit.figures.values():
        rest(figure)
    unit.back = "back next" in unit.marks
    unit.marks = (unit.marks - UNIT_ACTIVATION_MARKS) | {"activated"}
    battle.active, battle.menu = "", None


def _look_at_ranks(battle: Battle, unit: Unit) -> None:
    """Mark a unit as unformed if its men no longer keep its formation (FBN-272)."""
    held = engaged(battle, unit)
    men = [f for f in unit.figures.values() if f.steady and not f.prone and not f.place and f.spec.id not in held]
    if not is_formed(battle, unit, men):
        unit.mark("unformed")


def _has_moved(battle: Battle, unit: Unit) -> None:
    """Test the formation of a unit that has moved as a whole, if losses or panic have torn gaps before.

    The move itself keeps the ranks (FBN-064).
    """
    if unit.shape != "open" and len(unit.steady) < unit.start and "loose" not in unit.marks:
        _look_at_ranks(battle, unit)


# --- choosing and doing it -----------------------------------------------------------------------------------------------------------


def choose_act(table: Table, battle: Battle, unit: Unit) -> Any:
    """Ask the owner for the unit's next act: first its kind, then its target, manner or destination (FBN-016)."""
    menu = battle.menu = acts_open(battle, unit)
    side, actor = unit.spec.side, unit.spec.id
    kind = table.choose(side, menu.kinds, why="act", rule="FBN-016", actor=actor)
    choice = kind
    second = SECOND.get(str(kind[0] if isinstance(kind, tuple) else kind))
    if second is not None:
        why, rule = second
        choice = table.choose(side, DeferredOptions(partial(menu.of, kind)), why=why, rule=rule, actor=actor)
    return choice


@procedure("activation.act")
def act(table: Table, battle: Battle, unit: Unit, choice: Any) -> Impact | None:
    """Carry out one act of the active unit and discard the menu. Return the impact if the act fired a gun."""
    if choice != END and "hidden" in unit.marks:
        battle.menu = None
        find_hidden(table, battle, unit)
    if choice not in (FACE, END):
        unit.unmark("faced")
    verb, *rest = choice if isinstance(choice, tuple) else (choice,)
    found = None if verb == END else ACTS[verb](table, battle, unit, *rest)
    battle.menu = None
    return found if isinstance(found, Impact) else None


def act_out(table: Table, battle: Battle, unit: Unit, choice: Any) -> bool:
    """Carry out one act, or end the activation.

    Return True if the activation has ended, also because no man of the unit is left (FBN-016).
    """
    if choice != END:
        act(table, battle, unit, choice)
        if unit.on_table:
            return False
    finish(table, battle, unit)
    return True


def _move(table: Table, battle: Battle, unit: Unit) -> None:
    """Move the whole unit: its middle goes to a point, and all men make the same straight move (P4)."""
    men, points = ways_to_march(battle, unit)
    x, y = unit.middle
    if not points:
        unit.mark("stuck")
        table.emit("no way", "FBN-039", unit=unit.spec.id)
        return
    point = _named(table, unit, points, "move to", "FBN-039")
    starts = [man.at for man in men]
    unit.marks = frozenset(mark for mark in unit.marks if not mark.startswith("stuck"))
    if len(men) < sum(man.steady and not man.place for man in unit.figures.values()):
        unit.mark("loose")
    dx, dy = short_of_hidden(battle, unit, men, point[0] - x, point[1] - y)
    shift(battle, unit, men, dx, dy)
    face_enemy(battle, unit, men, dx, dy)
    _has_moved(battle, unit)
    x, y = unit.middle
    table.emit("move", "FBN-039", unit=unit.spec.id, men=len(men), of=len(unit.figures), x=round(x, 1), y=round(y, 1))
    after_move(table, battle, unit, men, starts)


def _named(table: Table, unit: Unit, points: MoveSuggestions, why: str, rule: str) -> Point:
    """Ask the owner for the destination of the middle of a whole unit."""
    actor = unit.spec.id
    return table.place(unit.spec.side, points, points.legal, why=why, rule=rule, actor=actor, cost=points.cost)


def _ride(table: Table, battle: Battle, unit: Unit, gait: int) -> None:
    men, points = ways_to_ride(battle, unit, gait)
    x, y = unit.middle
    if not points:
        unit.mark(f"stuck {gait}")
        table.emit("no way", "FBN-173", unit=unit.spec.id)
        return
    point = _named(table, unit, points, "ride to", "FBN-173")
    if len(men) < sum(man.steady for man in unit.figures.values()):
        unit.mark("loose")
    ride(table, battle, unit, men, gait, *short_of_hidden(battle, unit, men, point[0] - x, point[1] - y))
    _has_moved(battle, unit)


def _wheel(table: Table, battle: Battle, unit: Unit, gait: int) -> None:
    wheel(table, battle, unit, gait)
    _has_moved(battle, unit)


def _fire_at_gun(table: Table, battle: Battle, unit: Unit, target: str, number: int) -> None:
    home = battle.change(battle.unit(target))
    volley_at_gun(table, battle, unit, home, home.guns[number], firers(battle, unit, target))


ACTS: dict[str, Callable[..., object]] = {
    **drill.ACTS,
    **gun_orders.ACTS,
    **man_orders.ACTS,
    MOVE: _move,
    FIGHT: fight,
    SPLIT: split_fire,
    SINGLE: lambda table, battle, unit: one_man(table, battle, unit, lambda: goals(battle, unit)),
    "ride": _ride,
    "wheel": _wheel,
    "charge": lambda table, battle, unit, target: charge(table, battle, unit, battle.unit(target)),
    "ride down": lambda table, battle, unit, target, gait: mounted_charge(
        table, battle, unit, riders(battle, unit), battle.unit(target), gait
    ),
    "fire": lambda table, battle, unit, target: volley(table, battle, unit, battle.unit(target)),
    "fire at gun": _fire_at_gun,
    "fire at house": lambda table, battle, unit, house: fire_at_building(
        table, battle, unit, house, firers(battle, unit)
    ),
}
