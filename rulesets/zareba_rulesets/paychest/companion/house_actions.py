"""Companion acts for the actions that house rules add to the move step, the fire step and the handling of loads.

The companion does not know who is close by. So it places each enemy close to the unit in turn, and lists every option
that the action then has. People choose one that their table allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from zareba.actions import ActionTable
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.rules import Rules
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.fire import FIRE_ACTIONS, FiringUnit
from zareba_rulesets.paychest.actions.loads import LOAD_ACTIONS, LoadingUnit
from zareba_rulesets.paychest.actions.moving import MOVE_ACTIONS
from zareba_rulesets.paychest.actions.wording import formats
from zareba_rulesets.paychest.companion.common import bring_close, phasing_units
from zareba_rulesets.paychest.companion.moves import do_in_move_step, unit_in_move_step
from zareba_rulesets.paychest.companion.real_table import MOVE, place_of
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.presentation.words import words

_CLOSE = 1.0
"""The distance in inches of an enemy who is close enough for everything."""
_NOBODY_NEAR = ""


class _Step(NamedTuple):
    """A step of an activation to which house rules add actions: their table, and who acts."""

    actions: ActionTable[Any, Any]
    stage: str
    actor: Callable[[Battle, Unit], Any]


_STEPS = (
    _Step(MOVE_ACTIONS, MOVE, unit_in_move_step),
    _Step(LOAD_ACTIONS, MOVE, lambda battle, unit: LoadingUnit(battle, unit, {}, before=True)),
    _Step(FIRE_ACTIONS, "fire", FiringUnit),
)


def house_acts(rules: Rules) -> Iterator[tuple[str, CompanionAct[Battle]]]:
    """Yield an act for each action of a house rule, with the stage in which it is offered."""
    for step in _STEPS:
        for hook, action in rules.house_actions.get(step.actions.question, ()):
            yield step.stage, _act_of(step, action.verb, hook.house_rule)


def _act_of(step: _Step, verb: str, house_rule: str) -> CompanionAct[Battle]:
    def actors(battle: Battle) -> list[str]:
        return [unit for unit in phasing_units(battle) if _options(step, verb, battle, unit)]

    def choices(battle: Battle, scene: Scene) -> Choices:
        actions, found = step.actions.for_session(battle.book.rules), {}
        for option in _options(step, verb, battle, scene.actor):
            action = actions.action_of(option)
            assert action is not None, "the table has listed it"
            found[option] = actions.text(action, {}, formats(battle), words())
        return found

    def lay_out(battle: Battle, scene: Scene) -> None:
        _bring_near(battle, scene.actor, _options(step, verb, battle, scene.actor).get(scene["what"], _NOBODY_NEAR))

    def run(table: Table, battle: Battle, scene: Scene) -> None:
        if step.actions is MOVE_ACTIONS:
            do_in_move_step(table, battle, scene)
            return
        actions, unit = step.actions.for_session(battle.book.rules), battle.change(scene.actor)
        action = actions.action_of(scene["what"])
        assert action is not None, "the table has listed it"
        actions.perform(action, table, step.actor(battle, unit))

    return CompanionAct(
        name=f"house_{verb.replace(' ', '_')}",
        title=verb,
        rule=f"the house rule {house_rule}",
        run=run,
        actors=actors,
        asks=(Asked("what", "{actor}: which one? (as far as the table allows)", choices=choices),),
        lay_out=lay_out,
    )


def _options(step: _Step, verb: str, battle: Battle, unit: str) -> dict[Option, str]:
    """Return every option of an action, with the enemy unit that must be near for it, "" for none."""
    actions, found = step.actions.for_session(battle.book.rules), dict[Option, str]()
    enemies = [enemy.spec.id for enemy in battle.enemies(battle.unit(unit).spec.side)]
    for enemy in (_NOBODY_NEAR, *enemies):
        draft = battle.copy()
        _bring_near(draft, unit, enemy)
        for option in actions.house_options(step.actor(draft, draft.change(unit)), draft):
            if (option[0] if isinstance(option, tuple) else option) == verb:
                found.setdefault(option, enemy)
    return found


def _bring_near(battle: Battle, unit: str, enemy: str) -> None:
    """Bring conveyances and one enemy unit close to a unit."""
    bring_close(battle, battle.change(unit))
    if enemy:
        x, y = place_of(battle, unit)
        other = battle.change(enemy)
        for figure in other.able:
            figure.at = (x + _CLOSE, y)
        other.measure()
