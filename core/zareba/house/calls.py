"""Calls from a house rule into the rules: run one of their procedures, let a unit shoot out of its turn."""

from __future__ import annotations

from inspect import signature, unwrap
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.state import CopyOnWrite

__all__ = ["call", "shoot", "targets"]


def call(table: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Run a procedure of the ruleset by name and return its result: `call(table, "morale.check", battle, unit)`.

    `zareba hooks RULESET` lists the procedures with the arguments that they take after the table. Wraps of other house rules
    apply; its dice and numbers are part of the odds and of "why?". Read a unit again from the battle afterwards: what was read
    of it before may be out of date. Raises ZarebaError for arguments that it does
    not take, and with the nearest name if there is no such procedure.
    """
    procedure = table.rules.ruleset.rule_function(name)
    takes = signature(unwrap(procedure))
    try:
        takes.bind(table, *args, **kwargs)
    except TypeError as error:
        words = ", ".join(list(takes.parameters)[1:])
        raise ZarebaError(f'{error}; write call(table, "{name}", {words})') from error
    own = {key: _to_change(table.state, one) for key, one in kwargs.items()}
    return procedure(table, *[_to_change(table.state, one) for one in args], **own)


def targets(table: Any, unit: Any) -> list[Any]:
    """Return the enemy units at which a unit could shoot as it stands, on any side's turn.

    Empty for a unit that may not shoot: broken, out of shots, in contact, or whatever else its rules say. Raises ZarebaError
    under rules without fire out of turn.
    """
    return list(_out_of_turn(table).targets(table.state, unit))


def shoot(table: Any, unit: Any, target: Any) -> bool:
    """Let a unit shoot at one of its `targets` out of its turn; return True if it fired.

    Losses follow at once, and in some rules the morale check that the shots call for. Read both units again from the
    battle afterwards. Raises ZarebaError for a target at which it may not shoot.
    """
    fire, battle = _out_of_turn(table), table.state
    if all(one.spec.id != target.spec.id for one in fire.targets(battle, unit)):
        raise ZarebaError(f"{unit.spec.id} may not shoot at {target.spec.id} now; ask targets(table, unit) first")
    return bool(fire.shoot(table, battle, _to_change(battle, unit), _to_change(battle, target)))


def _out_of_turn(table: Any) -> Any:
    ruleset = table.rules.ruleset
    if ruleset.out_of_turn is None:
        raise ZarebaError(
            f"the rules {ruleset.id} have no fire out of turn; call one of their procedures ('zareba hooks {ruleset.id}')"
        )
    return ruleset.out_of_turn


def _to_change(battle: Any, one: Any) -> Any:
    """Return a unit of the battle so that it may be changed: copies of a battle share their units until then."""
    units = getattr(battle, "units", None)
    name = getattr(getattr(one, "spec", None), "id", None)
    if isinstance(units, CopyOnWrite) and isinstance(name, str) and name in units:
        return units.change(name)
    return one
