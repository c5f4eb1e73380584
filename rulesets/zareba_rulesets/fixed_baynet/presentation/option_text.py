"""Texts of options: the action, its target, distance and cost."""

from __future__ import annotations

from typing import Any

from zareba.actions import ActionTable
from zareba.battle.templates import fill
from zareba.presentation.narration import wind_name
from zareba.table import Choose, Option
from zareba_rulesets.fixed_baynet.actions.activation import MAN_ACTIONS, UNIT_ACTIONS, asks_for_action, menu_of
from zareba_rulesets.fixed_baynet.actions.wording import FORMATION_NAMES, formats, numbers
from zareba_rulesets.fixed_baynet.chapters.hits import wound_name
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.presentation.names import man_aimed_at, unit_line, who
from zareba_rulesets.fixed_baynet.presentation.words import words


def option_phrase(battle: Battle, question: Choose, option: Option) -> str:
    """Return one option as a phrase."""
    why = question.why
    if why == UNIT_ACTIONS.question:
        acts = menu_of(battle, battle.units[question.actor]).of(option)
        if len(acts) > 1:
            return f"{_kind_text(battle, option)}: {len(acts)} options"
        (option,) = acts
    if asks_for_action(why) or why == MAN_ACTIONS.question:
        table: ActionTable[Any, Any] = MAN_ACTIONS if why == MAN_ACTIONS.question else UNIT_ACTIONS
        actions = table.for_session(battle.book.rules)
        action = actions.action_of(option)
        if action is not None:
            unit = battle.units.get(question.actor)
            return actions.text(action, numbers(battle.book), formats(battle, unit), words())
    if why == "guess the range":
        return (
            f'{option}"' if isinstance(option, int) else f"{option} (the true range to the inch, plus a D6, minus a D6)"
        )
    if why in ("aim at", "strike"):
        return words().options.get(str(option)) or man_aimed_at(battle, question.actor, str(option))
    if why == "turn gun to":
        return f"{option}° ({wind_name(float(option))})"  # type: ignore[arg-type]  # bearings are numbers
    if why == "heal which wound":
        return wound_name(str(option))
    if why == "deploy as" or option in FORMATION_NAMES:
        return FORMATION_NAMES.get(str(option), str(option))
    if option in words().options:
        return words().options[str(option)]
    if option in battle.units:
        return unit_line(battle.units[str(option)])
    if option in battle.specs:
        return who(battle, str(option))
    return " ".join(str(part) for part in option) if isinstance(option, tuple) else str(option).replace("_", " ")


def _kind_text(battle: Battle, option: Option) -> str:
    """Return the text of a kind of action that has several actions."""
    kind = UNIT_ACTIONS.kind_of(option)
    assert kind is not None, "only kinds have several actions"
    gun = option[1] + 1 if isinstance(option, tuple) else ""
    return fill(kind.text, {**numbers(battle.book), "gun": gun}, str)
