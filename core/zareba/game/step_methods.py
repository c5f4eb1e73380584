"""Carry out the steps of a ruleset, one method for each step, named like the step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from zareba.base.errors import ZarebaError
from zareba.scenario import Scenario
from zareba.table.questions import Step
from zareba.table.table import Table

P = TypeVar("P")
Q = TypeVar("Q")


class StepMethods(Generic[P, Q]):
    """An order of play with a method for each step, named like it: `fire_shots` carries out `fire.shots`.

    `policy` decides the next step from the cursor in the battle; `plan` is the scenario in the terms of the rules.
    """

    def __init__(self, policy: P, scenario: Scenario, plan: Q) -> None:
        self.policy = policy
        self.scenario = scenario
        self.plan = plan
        self._methods: dict[str, Callable[[Table, Any], bool | None]] = {}

    def perform(self, table: Table, battle: Any, step: Step) -> None:
        """Carry out a step. Rules with stages of several steps override this and advance the policy themselves."""
        self.carry_out(table, battle, step)

    def carry_out(self, table: Table, battle: Any, step: Step) -> bool:
        """Carry out a step and return True if it ends its stage, which it does unless its method returns False.

        Raises ZarebaError if no method carries out the step.
        """
        method = self._methods.get(step.name)
        if method is None:
            method = getattr(self, step.name.replace(".", "_"), None)
            if method is None:
                raise ZarebaError(f"the sequence has the step '{step.name}', but no method carries it out")
            self._methods[step.name] = method
        return method(table, battle) is not False
