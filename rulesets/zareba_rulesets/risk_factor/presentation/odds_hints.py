"""The options for which odds are useful, and the rules that run when they are chosen."""

from __future__ import annotations

from typing import Any

from zareba.odds import Act
from zareba.table import Choose, Confirm, Option, Table
from zareba_rulesets.risk_factor.actions import ORDERS, give_order
from zareba_rulesets.risk_factor.chapters.command import COMMAND, settle_ties, spend
from zareba_rulesets.risk_factor.chapters.shooting import fire_at
from zareba_rulesets.risk_factor.forces import Battle
from zareba_rulesets.risk_factor.translation import Plan


def next_act(plan: Plan, battle: Battle, question: Choose | Confirm, option: Option) -> tuple[str, Act[Battle]] | None:
    """Return the name of the odds and the step for an option: command, a volley, a shot at one man, or a charge
    (RSK-037, RSK-086, RSK-087, RSK-162). None for all other options.
    """
    why, actor, about = question.why, question.actor, question.about
    if why == "command" and isinstance(option, tuple) and option[0] == COMMAND:
        return "action", lambda table, battle: _spend(table, battle, actor, option)
    if why == "shoot at" and option in battle.units:
        return "volley", lambda table, battle: _fire(table, battle, actor, str(option), frozenset(about))
    if why == "pick a man":
        return "single_shot", lambda table, battle: _fire(table, battle, actor, about[0])
    if why == ORDERS.question:
        order = ORDERS.for_session(battle.book.rules).action_of(option)
        if order is not None and order.odds:
            return order.odds, lambda table, battle: give_order(table, battle, battle.units[actor], plan)
    return None


def _spend(table: Table, battle: Battle, name: str, option: tuple[Any, ...]) -> None:
    """Spend the action of a unit on an option, with the units linked to it."""
    links = [battle.units[link] for link, own in battle.linked.items() if own == name]
    spend(table, battle, battle.units[name], option, links)


def _fire(table: Table, battle: Battle, name: str, target: str, figures_fired: frozenset[int] = frozenset()) -> None:
    """Fire with all figures except those in `figures_fired`, then settle ties of leaders for the melees."""
    fire_at(table, battle, battle.units[name], battle.units[target], figures_fired=figures_fired)
    settle_ties(table, battle)
