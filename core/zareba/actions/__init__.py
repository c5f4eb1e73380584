"""Actions of units: what may be done, how it reads, what it does and what it is worth, in one class or row each."""

from __future__ import annotations

from zareba.actions.action import Action, ActionKind, FixedValueAction, RulesValue, SimpleAction
from zareba.actions.action_table import ActionTable

__all__ = ["Action", "ActionKind", "ActionTable", "FixedValueAction", "RulesValue", "SimpleAction"]
