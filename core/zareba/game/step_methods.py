"""What carries out the steps of a ruleset: a method for each, called as the step is."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from zareba.base.errors import ZarebaError
from zareba.scenario import Scenario
from zareba.table.step import Step
from zareba.table.table import Table

__all__ = ["StepMethods"]

P = TypeVar("P")
Q = TypeVar("Q")


class StepMethods(Generic[P, Q]):
    """Carries out each step by the method of its name, with an underscore for a dot: `fire.shots` by `fire_shots`.

    `policy` says which comes next, from the position that lies in the battle; `plan` is the scenario in terms of the rules.
    """

    def __init__(self, policy: P, scenario: Scenario, plan: Q) -> None:
        self.policy = policy
        self.scenario = scenario
        self.plan = plan

    def perform(self, table: Table, battle: Any, step: Step) -> None:
        """Carry out a step. Rules whose stages take several steps say themselves when they go on to the next."""
        self.finishes(table, battle, step)

    def finishes(self, table: Table, battle: Any, step: Step) -> bool:
        """Carry out a step; gives whether its stage is over with it, which it is unless the method says False.

        Raises ZarebaError for a step that no method carries out.
        """
        carry_out = getattr(self, step.name.replace(".", "_"), None)
        if carry_out is None:
            raise ZarebaError(f"the sequence has the step '{step.name}', and nothing carries it out")
        return carry_out(table, battle) is not False
