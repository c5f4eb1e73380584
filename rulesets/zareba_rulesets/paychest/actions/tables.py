"""The action tables of these rules, one for each question that actions answer."""

from __future__ import annotations

from typing import Any

from zareba.actions import ActionTable
from zareba_rulesets.paychest.actions.fire import FIRE_ACTIONS
from zareba_rulesets.paychest.actions.loads import LOAD_ACTIONS
from zareba_rulesets.paychest.actions.melee_pairing import MELEE_ACTIONS
from zareba_rulesets.paychest.actions.movement import EXITS, MOVE_ACTIONS, POSTURES

ACTION_TABLES: tuple[ActionTable[Any, Any], ...] = (
    MOVE_ACTIONS,
    LOAD_ACTIONS,
    EXITS,
    POSTURES,
    FIRE_ACTIONS,
    MELEE_ACTIONS,
)
