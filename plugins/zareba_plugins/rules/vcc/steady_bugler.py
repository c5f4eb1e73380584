"""The steady bugler: men rally better while their officer stands, and the bugler sounds on when he falls.

A house rule in Python is one file. Each function marked `@hookimpl` answers one hook of the core (`zareba hooks vcc` lists them); it takes
only the arguments that it needs. This file uses two:

* `zareba_modifiers` adds lines to tallies. `when` looks at the facts of the situation and at nothing else.
* `zareba_event` hears what has just happened. `table.state` is the game, and may be changed: the step is played on a
  draft, so undo and resume take the change along.

Play with it: `zareba play patrol_clash --ruleset vcc --house-rule steady_bugler`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zareba.api import Event, Modifier, Table, hookimpl

RULESETS = ("vcc",)
RULE = "HOUSE-BUGLER"


def beside_his_officer(facts: Any) -> bool:
    """A leader is there, and no Army Commander whose own voice counts for more."""
    return bool(facts.leader and not facts.commander)


@hookimpl
def zareba_modifiers() -> Mapping[str, Sequence[Modifier]]:
    """Rallying: +1 for a unit with its leader."""
    call = Modifier("bugler", RULE, "add", 1, when=beside_his_officer, summary="the bugler beside his officer")
    return {"rally": [call]}


@hookimpl
def zareba_event(table: Table, event: Event) -> None:
    """When a leader falls, his bugler sounds on: +1 to the next check of the unit, as from a leader's jest."""
    if event.kind == "leader killed" and (unit := table.state.unit(event.data["unit"])).bases:
        unit.mark("jest")
        table.tell("bugle", RULE, text=f"the bugler of {unit.spec.name} sounded on")
