"""Actions of one man of a unit: first the man, then what he does (FBN-016, FBN-272)."""

from __future__ import annotations

from zareba.actions import ActionTable, RulesValue
from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import LegalActions
from zareba.table import Table
from zareba_rulesets.fixed_baynet.actions.actor import ActiveMan, ActiveUnit, SimpleManAction, SimpleUnitAction
from zareba_rulesets.fixed_baynet.actions.buildings import CrossAlone, TakePost
from zareba_rulesets.fixed_baynet.actions.charging import STRIKE_ALONE, ChargeAlone, RideDownAlone
from zareba_rulesets.fixed_baynet.actions.drill import MAN_POSTURES
from zareba_rulesets.fixed_baynet.actions.firing import FIRE_ALONE, SWITCH_WEAPON
from zareba_rulesets.fixed_baynet.actions.movement import WALK_ALONE, RideAlone, may_walk
from zareba_rulesets.fixed_baynet.actions.officer_orders import BarrageAlone
from zareba_rulesets.fixed_baynet.actions.wording import FORMATS, NUMBERS
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import can_fire
from zareba_rulesets.fixed_baynet.chapters.melee.close_combat import can_strike
from zareba_rulesets.fixed_baynet.estimates.unit_view import UnitView

__all__ = ["MAN_ACTIONS", "ONE_MAN"]

NOTHING = SimpleManAction(
    "nothing",
    "do nothing",
    may=lambda actor: True,
    does=lambda table, actor: None,
    worth=RulesValue(lambda book: Evaluation(ground=0.01, reason="the unit acts together (FBN-016)")),
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
    NOTHING,
    numbers=NUMBERS,
    formats=FORMATS,
)
"""The actions of one man who acts alone."""


def _one_man(table: Table, actor: ActiveUnit) -> None:
    """Let one man of the owner's choice do one thing (FBN-016, FBN-272)."""
    battle, unit = actor.battle, actor.unit
    men = {figure.spec.id: figure for figure in unit.figures.values() if figure.able and figure.ac >= 1}
    name = table.choose(unit.spec.side, list(men), why="which man", rule="FBN-016", actor=unit.spec.id)
    alone, actions = ActiveMan(battle, unit, men[name]), MAN_ACTIONS.of(battle.book.rules)
    options = _legal_actions(alone).kinds
    action = actions.read(table.choose(unit.spec.side, options, why="what he does", rule="FBN-016", actor=name))
    assert action is not None, "only actions are offered"
    actions.perform(action, table, alone)


def _legal_actions(actor: ActiveMan) -> LegalActions:
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
    MAN_ACTIONS.of(battle.book.rules).offer_brought(menu, actor, battle)
    NOTHING.offer(menu, actor)
    return menu


ONE_MAN = SimpleUnitAction(
    "one man",
    "one man acts alone",
    may=lambda actor: bool(actor.able.men),
    does=_one_man,
    worth=RulesValue(lambda book: Evaluation(ground=-0.01, reason="the unit acts together (FBN-016)")),
)
