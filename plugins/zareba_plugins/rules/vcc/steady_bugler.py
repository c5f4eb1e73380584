"""The steady bugler: units rally better with their leader, and the bugler sounds on when the leader falls.

A house rule in Python is one file. Each function marked `@hookimpl` implements one hook of the core (`zareba hooks
vcc` lists them) and takes only the arguments it needs. This file uses two hooks:

* `zareba_modifiers` adds lines to tallies. `when` may look only at the facts of the situation.
* `zareba_event` receives each event after it has happened. `table.state` is the game and may be changed; undo and
  resume include the change.

Play with it: `zareba play patrol_clash --ruleset vcc --house-rule steady_bugler`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.api import Event, Modifier, Table, hookimpl

RULESETS = ("vcc",)
RULE = "HOUSE-BUGLER"


def has_only_own_leader(facts: Any) -> bool:
    """Return True if the unit has a leader and no Army Commander, who gives a larger bonus."""
    return bool(facts.leader and not facts.commander)


@hookimpl
def zareba_modifiers() -> Mapping[str, Sequence[Modifier]]:
    """Add 1 to the rally of a unit with its leader."""
    call = Modifier("bugler", RULE, "add", 1, when=has_only_own_leader, summary="the bugler next to the officer")
    return {"rally": [call]}


@hookimpl
def zareba_event(table: Table, event: Event) -> None:
    """When a leader falls, add 1 to the next check of the unit, as a leader's jest does."""
    if event.kind == "leader killed" and (unit := table.state.unit(event.data["unit"])).bases:
        unit.mark("jest")
        table.emit("bugle", RULE, text=f"the bugler of {unit.spec.name} sounded on")
