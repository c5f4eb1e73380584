"""Each step is performed by the method of its name."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.base.errors import ZarebaError
from zareba.game.step_methods import StepMethods
from zareba.table.questions import Step

NOBODY: Any = None


class Evening(StepMethods[None, None]):
    def __init__(self) -> None:
        super().__init__(None, NOBODY, None)
        self.done: list[str] = []

    def fire_shots(self, table: Any, battle: Any) -> bool:
        self.done.append("shots")
        return False

    def rally(self, table: Any, battle: Any) -> None:
        self.done.append("rally")


def test_a_step_is_carried_out_by_the_method_of_its_name() -> None:
    evening = Evening()
    assert not evening.carry_out(NOBODY, NOBODY, Step("fire.shots", 1, ""))
    assert evening.carry_out(NOBODY, NOBODY, Step("rally", 1, "")), "a method that returns nothing finishes the step"
    evening.perform(NOBODY, NOBODY, Step("rally", 1, ""))
    assert evening.done == ["shots", "rally", "rally"]


def test_a_step_without_a_method_is_reported() -> None:
    with pytest.raises(ZarebaError, match=r"the step 'fire\.volleys', but no method carries it out"):
        Evening().perform(NOBODY, NOBODY, Step("fire.volleys", 1, ""))
