"""The activation of one unit: the actions that its owner can choose for it or for one man, and how it runs."""

from __future__ import annotations

from functools import partial
from typing import Any

from zareba.actions import ActionTable, RulesValue
from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import LegalActions
from zareba.rules import procedure
from zareba.table import DeferredOptions, Table
from zareba_rulesets.fixed_baynet.actions.actor import ActiveMan, ActiveUnit, SimpleManAction, SimpleUnitAction
from zareba_rulesets.fixed_baynet.actions.buildings import AT_BUILDINGS, CrossAlone, TakePost, offer_buildings
from zareba_rulesets.fixed_baynet.actions.charge import (
    CHARGE,
    FIGHT,
    RIDE_DOWN,
    STRIKE_ALONE,
    ChargeAlone,
    RideDownAlone,
)
from zareba_rulesets.fixed_baynet.actions.drill import CHECK_GLORY, DRILL, FACE, FORM, MAN_POSTURES, offer_drill
from zareba_rulesets.fixed_baynet.actions.fire import FIRE, FIRE_ALONE, SWITCH_WEAPON, offer_fire
from zareba_rulesets.fixed_baynet.actions.gunnery import GUN_ACTIONS, GUN_FIRE, GUN_MOVE, SALVO, offer_gun
from zareba_rulesets.fixed_baynet.actions.movement import MOVE, RIDE, WALK_ALONE, RideAlone, check_ranks, may_walk
from zareba_rulesets.fixed_baynet.actions.officer_orders import (
    FALL_BACK,
    HEAL,
    RALLY,
    SINGLE_ORDERS,
    BarrageAlone,
    offer_leading,
)
from zareba_rulesets.fixed_baynet.actions.wording import FORMATS, NUMBERS
from zareba_rulesets.fixed_baynet.book.tables import WALK
from zareba_rulesets.fixed_baynet.chapters.artillery import Impact
from zareba_rulesets.fixed_baynet.chapters.cavalry import riders
from zareba_rulesets.fixed_baynet.chapters.crews import capture_guns, ready_gun
from zareba_rulesets.fixed_baynet.chapters.machine_guns import roll_jam_after_firing
from zareba_rulesets.fixed_baynet.chapters.melee import can_strike
from zareba_rulesets.fixed_baynet.chapters.morale import may_check, reward_deed, test_glory
from zareba_rulesets.fixed_baynet.chapters.movement import movers, reveal_hidden
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.targets import can_fire
from zareba_rulesets.fixed_baynet.estimates import NOTHING, UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle, end_figure_activation, summarise_unit
from zareba_rulesets.fixed_baynet.forces.units import UNIT_ACTIVATION_MARKS, Unit

# --- Actions of one man of a unit: first the man, then what he does (FBN-016, FBN-272) --------------------------------


_NO_VALUE = SimpleManAction(
    "nothing",
    "do nothing",
    is_legal=lambda actor: True,
    effect=lambda table, actor: None,
    evaluation=RulesValue(lambda book: Evaluation(ground=0.01, reason="the unit acts together (FBN-016)")),
)
MAN_ACTIONS: ActionTable[ActiveMan, UnitView] = ActionTable(
    "what he does",
    WALK_ALONE,
    ChargeAlone,
    RideAlone,
    RideDownAlone,
    FIRE_ALONE,
    STRIKE_ALONE,
    *MAN_POSTURES,
    SWITCH_WEAPON,
    BarrageAlone,
    TakePost,
    CrossAlone,
    _NO_VALUE,
    numbers=NUMBERS,
    formats=FORMATS,
)
"""The actions of one man who acts alone."""


def _one_man(table: Table, actor: ActiveUnit) -> None:
    """Let one man of the owner's choice do one thing (FBN-016, FBN-272)."""
    battle, unit = actor.battle, actor.unit
    men = {figure.spec.id: figure for figure in unit.figures.values() if figure.able and figure.ac >= 1}
    name = table.choose(unit.spec.side, list(men), why="which man", rule="FBN-016", actor=unit.spec.id)
    alone, actions = ActiveMan(battle, unit, men[name]), MAN_ACTIONS.for_session(battle.book.rules)
    options = _legal_actions_of_man(alone).kinds
    action = actions.action_of(table.choose(unit.spec.side, options, why="what he does", rule="FBN-016", actor=name))
    assert action is not None, "only actions are offered"
    actions.perform(action, table, alone)


def _legal_actions_of_man(actor: ActiveMan) -> LegalActions:
    """Return the legal actions of one man, including to do nothing."""
    battle, unit, man = actor.battle, actor.unit, actor.man
    menu = LegalActions(battle, unit)
    if may_walk(actor):
        WALK_ALONE.offer(menu, actor)
    ChargeAlone.offer(menu, actor)
    RideAlone.offer(menu, actor)
    RideDownAlone.offer(menu, actor)
    if can_fire(battle, man):
        FIRE_ALONE.offer(menu, actor)
    if not unit.back and can_strike(battle, man):
        STRIKE_ALONE.offer(menu, actor)
    for posture in MAN_POSTURES:
        posture.offer(menu, actor)
    SWITCH_WEAPON.offer(menu, actor)
    BarrageAlone.offer(menu, actor)
    TakePost.offer(menu, actor)
    CrossAlone.offer(menu, actor)
    MAN_ACTIONS.for_session(battle.book.rules).offer_house_actions(menu, actor, battle)
    _NO_VALUE.offer(menu, actor)
    return menu


ONE_MAN = SimpleUnitAction(
    "one man",
    "one man acts alone",
    is_legal=lambda actor: bool(actor.able.men),
    effect=_one_man,
    evaluation=RulesValue(lambda book: Evaluation(ground=-0.01, reason="the unit acts together (FBN-016)")),
)


# --- Legal actions of the active unit (FBN-016, FBN-032): the kind of action, then its details ------------------------


MOVES = frozenset({MOVE.verb, RIDE.verb, GUN_MOVE})


def _may_end(menu: LegalActions, actor: ActiveUnit) -> bool:
    """Return True if a unit with these legal actions may end its activation.

    A unit ordered to fall back must first make at least one movement action with all its movers, if it can (FBN-160).
    With `decel_steps` one, horses that were faster than a walk last turn must move on, if they can (FBN-177).
    """
    battle, unit = actor.battle, actor.unit
    if unit.back:
        men_to_move = [*movers(battle, unit), *riders(battle, unit)]
        has_moved = all("moved" in man.marks for man in men_to_move) or any(gun.moved for gun in unit.guns)
        if not has_moved and menu.kinds.any_of(MOVES):
            return False
    if battle.book.settings.decel_steps == "any":
        return True
    hurrying = any(man.mounted and man.last_gait > WALK and not man.moves for man in actor.able.men)
    return not (hurrying and menu.kinds.any_of({RIDE.verb}))


END: SimpleUnitAction = SimpleUnitAction(
    "end",
    "end the activation",
    is_legal=lambda actor: END.verb in legal_actions(actor.battle, actor.unit).kinds,
    effect=lambda table, actor: None,
    evaluation=RulesValue(lambda book: NOTHING),
)
UNIT_ACTIONS: ActionTable[ActiveUnit, UnitView] = ActionTable(
    "act",
    MOVE,
    FIGHT,
    *DRILL,
    *SINGLE_ORDERS,
    *AT_BUILDINGS,
    ONE_MAN,
    *GUN_ACTIONS,
    END,
    kinds=(CHARGE, RIDE, RIDE_DOWN, FIRE, FORM, RALLY, FALL_BACK, HEAL, GUN_FIRE, SALVO),
    numbers=NUMBERS,
    formats=FORMATS,
)
"""The actions of the active unit."""
DETAIL_QUESTIONS = frozenset(kind.question for kind in UNIT_ACTIONS.kinds.values())


def legal_actions(battle: Battle, unit: Unit) -> LegalActions:
    """Return the legal actions of the active unit as kinds of action, in the order in which players see them.

    `end` comes last, and is the only option if nothing else is possible (FBN-016). Each action costs 1 AC unless its
    own rule says otherwise (FBN-032).
    """
    actor = ActiveUnit(battle, unit)
    menu = LegalActions(battle, unit)
    able = actor.able = summarise_unit(unit)
    if able.men and unit.on_table:
        on_their_own = not any(gun.in_play for gun in unit.guns)
        if on_their_own:
            if able.riders < len(able.men):
                MOVE.offer(menu, actor)
                CHARGE.offer(menu, actor)
            if able.riders:
                RIDE.offer(menu, actor)
                RIDE_DOWN.offer(menu, actor)
            offer_fire(menu, actor)
        if not unit.back:
            FIGHT.offer(menu, actor)
        if on_their_own:
            offer_drill(menu, actor)
        elif may_check(battle, unit):
            menu.add(CHECK_GLORY.verb)  # a crew that has not served its gun yet
        offer_leading(menu, actor)
        offer_buildings(menu, actor)
        UNIT_ACTIONS.for_session(battle.book.rules).offer_house_actions(menu, actor, battle)
        menu.add(ONE_MAN.verb)
    for number, gun in enumerate(unit.guns):
        if unit.figures and gun.in_play:
            offer_gun(menu, actor, gun, number)
    if _may_end(menu, actor):
        menu.add(END.verb)
    return menu


def asks_for_action(why: str) -> bool:
    """Return True if a question is about the action of the active unit or its kind."""
    return why == UNIT_ACTIONS.question or why in DETAIL_QUESTIONS


def menu_of(battle: Battle, unit: Unit) -> LegalActions:
    """Return the menu of the current choice, or a new one."""
    menu = battle.menu
    return menu if menu is not None and menu.is_for(battle, unit) else legal_actions(battle, unit)


# --- The activation (FBN-015, FBN-016, FBN-032, FBN-033): its start, the chosen actions, and its end ------------------


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
