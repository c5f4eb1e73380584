"""The club's rules that need Python. They wrap procedures of vcc by name ('zareba hooks vcc_club' lists the names)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.api import Table, Wrap, hookimpl


def rally_again(rally: Callable[..., bool], table: Table, battle: Any, unit: Any) -> bool:
    """Rally; if it fails with the Army Commander in the box, rally once more (CLB-004)."""
    if rally(table, battle, unit):
        return True
    if not battle.commander_in(unit.box, unit.spec.side):
        return False
    table.tell("rally again", "CLB-004", text=f"the Army Commander calls on {unit.spec.name} once more")
    return rally(table, battle, unit)


@hookimpl
def zareba_procedures() -> Mapping[str, Wrap]:
    """Wrap the roll to rally."""
    return {"rally.roll": rally_again}
