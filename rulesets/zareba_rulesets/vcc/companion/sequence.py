"""The start of the battle and the end of a turn at a real table."""

from __future__ import annotations

from zareba.companion import CompanionAct, Scene
from zareba.table import Table
from zareba_rulesets.vcc.chapters.setting_up import draw_roles
from zareba_rulesets.vcc.chapters.victory import capture_commanders
from zareba_rulesets.vcc.companion.common import done, no_units
from zareba_rulesets.vcc.forces import Battle

END = "end of turn"


def _draw_roles(table: Table, battle: Battle, scene: Scene) -> None:
    draw_roles(table, battle)


def _end_turn(table: Table, battle: Battle, scene: Scene) -> None:
    done(battle, END)
    scene.game.sequence.end_turn(table, battle)
    capture_commanders(table, battle)


ROLES_ACT: CompanionAct[Battle] = CompanionAct(
    name="roles",
    title="roll for the British side",
    rule="VCC-016",
    run=_draw_roles,
    actors=no_units,
    out_of_turn=False,
)


END_ACT: CompanionAct[Battle] = CompanionAct(
    name="end", title="end the turn", rule="VCC-166", run=_end_turn, actors=no_units, out_of_turn=False
)
