"""Companion acts for the actions that house rules add: one for each class or row.

The companion does not know who and what is close by. So it places each enemy, and each building of the scenario, close
to the unit in turn, and lists every option that the action then has. People choose one that their table allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zareba.actions import ActionTable
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.rules import Rules
from zareba.table import Option, Table
from zareba_rulesets.fixed_baynet.actions.activation import MAN_ACTIONS, UNIT_ACTIONS, perform_action
from zareba_rulesets.fixed_baynet.actions.actor import ActiveMan, ActiveUnit
from zareba_rulesets.fixed_baynet.actions.wording import formats, numbers
from zareba_rulesets.fixed_baynet.companion.book import (
    EAST,
    STAGE,
    WEST,
    active_if,
    make_act,
    men_by_name,
    open_plain,
    put_men,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.presentation.words import words

_CLOSE = 1.0
"""The distance in inches of an enemy or building that is close enough for everything."""
_ALONE = ("", "")

Situation = tuple[str, str]
"""The enemy unit and the building that are close by, "" for none."""


def house_acts(rules: Rules, scenario_field: Field) -> Iterator[CompanionAct[Battle]]:
    """Yield an act for each action of a house rule. `scenario_field` has the buildings of the scenario."""
    for table in (UNIT_ACTIONS, MAN_ACTIONS):
        for hook, action in rules.house_actions.get(table.question, ()):
            house_action = _HouseAction(table, action.verb, scenario_field)
            who = (Asked[Battle]("man", "Which man of {actor}?", choices=_able_men),) if table is MAN_ACTIONS else ()
            yield make_act(
                f"house_{action.verb.replace(' ', '_')}",
                action.verb,
                f"the house rule {hook.house_rule}",
                house_action.run,
                active_if(house_action.is_possible),
                *who,
                Asked("option", "{actor}: which one? (as far as the table allows)", choices=house_action.choices),
                lay_out=house_action.lay_out,
            )


def _able_men(battle: Battle, scene: Scene) -> Choices:
    return men_by_name(man for man in battle.units[scene.actor].figures.values() if man.able and man.ac >= 1)


class _HouseAction:
    """The action of a house rule with a verb, of a unit or of one man, in the situations of a real table."""

    def __init__(self, table: ActionTable[Any, Any], verb: str, scenario_field: Field) -> None:
        self._table, self._verb, self._field = table, verb, scenario_field

    def is_possible(self, battle: Battle, unit: Unit) -> bool:
        """Return True if the action has an option in some situation."""
        return any(self._options(battle, unit.spec.id, man) for man in self._men(battle, unit))

    def _men(self, battle: Battle, unit: Unit) -> list[str]:
        if self._table is UNIT_ACTIONS:
            return [""]
        return [*_able_men(battle, Scene(None, unit.spec.id))]

    def _options(self, battle: Battle, unit: str, man: str) -> dict[Option, Situation]:
        """Return every option of the action with the first situation that allows it."""
        found: dict[Option, Situation] = {}
        enemies = [enemy.spec.id for enemy in battle.enemies(battle.units[unit].spec.side)]
        standing = [name for name in self._field.buildings if name in battle.houses and battle.houses[name].points > 0]
        for situation in (_ALONE, *((enemy, "") for enemy in enemies), *(("", name) for name in standing)):
            draft = battle.copy()
            self._place(draft, unit, situation)
            actions = self._table.for_session(draft.book.rules)
            for option in actions.house_options(self._actor(draft, unit, man), draft):
                if (option[0] if isinstance(option, tuple) else option) == self._verb:
                    found.setdefault(option, situation)
        return found

    def _actor(self, battle: Battle, unit: str, man: str) -> ActiveUnit | ActiveMan:
        record = battle.change(battle.units[unit])
        return ActiveMan(battle, record, record.figures[man]) if man else ActiveUnit(battle, record)

    def _place(self, battle: Battle, unit: str, situation: Situation) -> None:
        """Put the unit on the stage, with an enemy or a building close by."""
        enemy, building = situation
        record, field = battle.change(battle.units[unit]), open_plain(battle)
        at = STAGE
        if building:
            house = self._field.buildings[building]
            west, south, _, north = house.box
            at = west - _CLOSE, (south + north) / 2
            field = field.copy_with(buildings={building: house}, names={**field.names, **self._field.names})
        put_men(battle, record.figures.values(), at, EAST, -1.0)
        record.measure()
        if enemy:
            other = battle.change(battle.units[enemy])
            put_men(battle, other.figures.values(), (at[0] + _CLOSE, at[1]), WEST, 1.0)
            other.measure()
        battle.field, battle.menu = field, None

    def choices(self, battle: Battle, scene: Scene) -> Choices:
        """Return the options of the action in the words of the house rule."""
        unit = battle.units[scene.actor]
        actions, found = self._table.for_session(battle.book.rules), {}
        for option in self._options(battle, scene.actor, scene.answers.get("man", "")):
            action = actions.action_of(option)
            assert action is not None, "the table has listed it"
            with_names = battle.copy()
            with_names.field = self._field
            found[option] = actions.text(action, numbers(battle.book), formats(with_names, unit), words())
        return found

    def lay_out(self, battle: Battle, scene: Scene) -> None:
        """Make the situation true that the chosen option needs."""
        situation = self._options(battle, scene.actor, scene.answers.get("man") or "").get(scene["option"], _ALONE)
        self._place(battle, scene.actor, situation)

    def run(self, table: Table, battle: Battle, scene: Scene) -> None:
        """Carry out the action as in play."""
        if self._table is UNIT_ACTIONS:
            perform_action(table, battle, battle.change(battle.units[scene.actor]), scene["option"])
            return
        actions = self._table.for_session(battle.book.rules)
        action = actions.action_of(scene["option"])
        assert action is not None, "the table has listed it"
        actions.perform(action, table, self._actor(battle, scene.actor, scene["man"]))
