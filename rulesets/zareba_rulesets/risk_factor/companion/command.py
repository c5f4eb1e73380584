"""Companion acts of the command phase: command points, links and orders through leaders (RSK-050 to RSK-060)."""

from __future__ import annotations

from functools import partial

from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Table
from zareba_rulesets.risk_factor.chapters.command import (
    COMMAND,
    LINK,
    CommandFacts,
    command_cost,
    link_price,
    purchases,
    roll_for_character,
    spend,
)
from zareba_rulesets.risk_factor.companion.book import has_thrown, table_of, unit_choices
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
    longest_reach,
)


def _character(battle: Battle) -> Unit:
    """Return the Player Character whose turn it is to command."""
    return battle.units[battle.waiting[0]]


def linked_leaders(battle: Battle) -> list[Unit]:
    """Return the leaders who pass on orders now, the Player Character first."""
    pc = _character(battle)
    others = [name for name, own in battle.linked.items() if own == pc.id and name != pc.id]
    return [pc, *(battle.units[name] for name in others if battle.units[name].is_on_table)]


def price_of(battle: Battle, kind: str, unit: str) -> int:
    """Return the points that a leader costs as a link, or a group for its orders, by the cheapest way."""
    links = linked_leaders(battle)
    if kind == COMMAND:
        return sum((command_cost(battle, battle.units[unit], links) or {}).values())
    return min(link_price(battle, battle.units[unit], through, links[0]) for through in links)


def _purchases(kind: str, battle: Battle) -> list[str]:
    """Return the leaders that the points can link, or the groups that they can command."""
    if not has_thrown(battle):
        return []
    found = purchases(battle, _character(battle), linked_leaders(battle))
    return [str(option[1]) for option in found if isinstance(option, tuple) and option[0] == kind]


def _leaders_who_may_fire(battle: Battle, scene: Scene) -> Choices:
    """Return the leaders who could load or fire themselves, which costs a die (RSK-053)."""
    leaders = [unit for unit in battle.of(battle.side) if unit.spec.leader and longest_reach(battle, unit)]
    return unit_choices(battle, [unit for unit in leaders if not unit.marks & {"busy", "linked"}])


def _through(battle: Battle, scene: Scene) -> Choices:
    return unit_choices(battle, linked_leaders(battle))


def _hear(battle: Battle, scene: Scene) -> None:
    """Let only one leader be in command distance of a unit (RSK-055, RSK-063)."""
    field = table_of(battle).new_plain()
    field.heard = {battle.units[scene["through"]].body}
    battle.field = field


def _throw_for_points(table: Table, battle: Battle, scene: Scene) -> None:
    for name in scene["fires"]:
        battle.units[name].mark("busy")
    roll_for_character(table, battle, battle.units[scene.actor])


def _spend(kind: str, table: Table, battle: Battle, scene: Scene) -> None:
    pc, through = _character(battle), battle.units[scene["through"]]
    spend(table, battle, pc, (kind, scene.actor), [pc] if through is pc else [pc, through])


_THROUGH: Asked[Battle] = Asked("through", "Which leader has {actor} in command distance?", choices=_through)


THROW_FOR_POINTS: CompanionAct[Battle] = CompanionAct(
    name="points",
    title="throw for command points",
    rule="RSK-050",
    run=_throw_for_points,
    actors=lambda battle: battle.waiting[:1] if battle.phase == "command" and not has_thrown(battle) else [],
    asks=(
        Asked(
            "fires",
            "Which leaders will load or fire themselves this turn? (one die less for each)",
            default=(),
            choices=_leaders_who_may_fire,
            many=True,
        ),
    ),
    facts=CommandFacts,
    out_of_turn=False,
)


PASS_ON_ORDERS: CompanionAct[Battle] = CompanionAct(
    name="link",
    title="pass on orders",
    rule="RSK-060",
    run=partial(_spend, LINK),
    actors=partial(_purchases, LINK),
    asks=(_THROUGH,),
    lay_out=_hear,
    out_of_turn=False,
)


RECEIVE_ORDERS: CompanionAct[Battle] = CompanionAct(
    name="command",
    title="receive orders",
    rule="RSK-059",
    run=partial(_spend, COMMAND),
    actors=partial(_purchases, COMMAND),
    asks=(_THROUGH,),
    lay_out=_hear,
    out_of_turn=False,
)
