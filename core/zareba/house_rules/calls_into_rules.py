"""Functions with which a house rule calls the ruleset: run a procedure, or let a unit shoot out of turn."""

from __future__ import annotations

from inspect import signature, unwrap
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.base.state import CopyOnWrite

__all__ = ["call", "shoot", "targets"]


def call(table: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Run a procedure of the ruleset by name and return its result: `call(table, "morale.check", battle, unit)`.

    `zareba hooks RULESET` lists the procedures with the arguments that follow the table. Wraps of other house rules
    apply, and the procedure's dice and numbers are part of the odds and of "why?". Afterwards, read units again from
    the battle, because earlier references may be out of date. Raises ZarebaError for wrong arguments, and with the
    most similar name if there is no such procedure.
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
    """Return the enemy units that a unit can shoot at as it stands, on any side's turn.

    The list is empty if the rules do not let the unit shoot: broken, out of shots, in contact and so on. Raises
    ZarebaError if the ruleset has no fire out of turn.
    """
    return list(_out_of_turn(table).targets(table.state, unit))


def shoot(table: Any, unit: Any, target: Any) -> bool:
    """Let a unit shoot out of turn at one of its `targets`; return True if it fired.

    Casualties are removed at once, and some rules add the morale check that the shots cause. Afterwards, read both
    units again from the battle. Raises ZarebaError for a target that the unit cannot shoot at.
    """
    fire, battle = _out_of_turn(table), table.state
    if all(one.spec.id != target.spec.id for one in fire.targets(battle, unit)):
        raise ZarebaError(f"{unit.spec.id} may not shoot at {target.spec.id} now; ask targets(table, unit) first")
    return bool(fire.shoot(table, battle, _to_change(battle, unit), _to_change(battle, target)))


def _out_of_turn(table: Any) -> Any:
    ruleset = table.rules.ruleset
    if ruleset.out_of_turn is None:
        raise ZarebaError(
            f"the ruleset {ruleset.id} has no fire out of turn; call one of its procedures ('zareba hooks {ruleset.id}')"
        )
    return ruleset.out_of_turn


def _to_change(battle: Any, one: Any) -> Any:
    """Return a unit of the battle for writing, because copies of a battle share units until they change."""
    units = getattr(battle, "units", None)
    name = getattr(getattr(one, "spec", None), "id", None)
    if isinstance(units, CopyOnWrite) and isinstance(name, str) and name in units:
        return units.change(name)
    return one
