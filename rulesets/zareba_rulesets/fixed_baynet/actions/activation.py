"""Run the activation of one unit: give its men their AC, carry out the actions that its owner chooses, and end it.

Rules: FBN-015, FBN-016, FBN-032, FBN-033.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from zareba.rules import procedure
from zareba.table import DeferredOptions, Table
from zareba_rulesets.fixed_baynet.actions.actor import ActiveUnit
from zareba_rulesets.fixed_baynet.actions.drill import FACE
from zareba_rulesets.fixed_baynet.actions.movement import check_ranks
from zareba_rulesets.fixed_baynet.actions.unit_actions import (
    END,
    UNIT_ACTIONS,
    legal_actions,
)
from zareba_rulesets.fixed_baynet.chapters.artillery import Impact
from zareba_rulesets.fixed_baynet.chapters.crews import capture_guns, ready_gun
from zareba_rulesets.fixed_baynet.chapters.machine_guns import roll_jam_after_firing
from zareba_rulesets.fixed_baynet.chapters.morale import reward_deed, test_glory
from zareba_rulesets.fixed_baynet.chapters.movement import reveal_hidden
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.forces.battle import Battle, end_figure_activation
from zareba_rulesets.fixed_baynet.forces.units import UNIT_ACTIVATION_MARKS, Unit


@procedure("activation.begin")
def begin_activation(table: Table, battle: Battle, unit: Unit) -> None:
    """Start an activation: give each man his AC (FBN-033, FBN-098), then resolve glory tests and panic."""
    battle.active = unit.spec.id
    unit.unmark("cluster", "deed")  # FBN-059; a deed counts only in the activation it happens in (FBN-161)
    unit.dealt = unit.lost = 0
    for figure in unit.figures.values():
        figure.ac = battle.counters_left(figure, seen=table.tallies)
        figure.moves = figure.attacks = 0
        if "stunned" in figure.marks:
            figure.mark("dazed")  # the stun ends with this activation (FBN-131)
        if "shown" in figure.marks and figure.reaction != "prone":
            figure.unmark("shown")  # FBN-133: he counts as prone again
    for gun in unit.guns:
        ready_gun(battle, unit, gun)
    if "hidden" not in unit.marks:
        table.emit("activated", "FBN-013", unit=unit.spec.id)
    if battle.book.settings.glory_test_timing == "unit_orders":
        test_glory(table, battle, unit)
        unit.unmark("due")  # also if no man is steady
    carry_out_panic(table, battle, unit)


def end_activation(table: Table, battle: Battle, unit: Unit) -> None:
    """End the activation.

    Unspent AC are lost, the formation is tested (FBN-064, FBN-272), and captured guns and deeds are resolved (FBN-122,
    FBN-161).
    """
    capture_guns(table, battle, unit)
    reward_deed(table, battle, unit)
    if "loose" in unit.marks and unit.figures:
        check_ranks(battle, unit)
    for gun in unit.guns:
        roll_jam_after_firing(table, battle, unit, gun)
        # With `crew_ac` crew_best, a gun keeps its unspent AC for the next turn (FBN-205).
        gun.saved = min(battle.book.file.gun_costs.ac, gun.ac) if battle.book.settings.crew_ac == "crew_best" else 0
        gun.ac, gun.moved = 0, False
    for figure in unit.figures.values():
        end_figure_activation(figure)
    unit.back = "back next" in unit.marks  # an order to itself holds for its next activation (FBN-160)
    unit.marks = (unit.marks - UNIT_ACTIVATION_MARKS) | {"activated"}
    battle.active, battle.menu = "", None


def choose_action(table: Table, battle: Battle, unit: Unit) -> Any:
    """Ask the owner for the unit's next action: first its kind, then its target, manner or destination (FBN-016)."""
    menu = battle.menu = legal_actions(battle, unit)
    side, name = unit.spec.side, unit.spec.id
    choice: Any = table.choose(side, menu.kinds, why="act", rule="FBN-016", actor=name)
    kind = UNIT_ACTIONS.kind_of(choice)
    if kind is not None:
        options = DeferredOptions(partial(menu.of, choice))
        choice = table.choose(side, options, why=kind.question, rule=kind.rule, actor=name)
    return choice


@procedure("activation.act")
def perform_action(table: Table, battle: Battle, unit: Unit, choice: Any) -> Impact | None:
    """Carry out one action of the active unit and discard the menu. Return the impact if the action fired a gun.

    The first word of `choice` is the verb of the action. `action_of` returns that action with its values, such as
    `Fire(target="lancers")` for ("fire", "lancers").
    """
    if choice != END.verb and "hidden" in unit.marks:
        battle.menu = None  # it was listed while the unit was hidden
        reveal_hidden(table, battle, unit)
    if choice not in (FACE.verb, END.verb):
        unit.unmark("faced")
    actions = UNIT_ACTIONS.for_session(battle.book.rules)
    action = actions.action_of(choice)
    assert action is not None, f"{choice!r} is not an action"
    result = actions.perform(action, table, ActiveUnit(battle, unit))
    battle.menu = None
    return result if isinstance(result, Impact) else None


def perform_or_end(table: Table, battle: Battle, unit: Unit, choice: Any) -> bool:
    """Carry out one action, or end the activation.

    Return True if the activation has ended, also because no man of the unit is left (FBN-016).
    """
    if choice != END.verb:
        perform_action(table, battle, unit, choice)
        if unit.on_table:
            return False
    end_activation(table, battle, unit)
    return True
