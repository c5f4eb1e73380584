"""The table of one companion act: people throw dice and decide, and the layout of the act answers other questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zareba.companion.declarations import CompanionAct, Scene
from zareba.table import Answer, Choose, Confirm, Place, Question, RecordedTable


class CompanionTable(RecordedTable):
    """A table at which people throw dice and decide, and the layout of the act answers the rest."""

    __slots__ = ("_act", "_scene")

    def __init__(self, rules: Any, state: Any, answers: Sequence[Answer], act: CompanionAct[Any], scene: Scene) -> None:
        super().__init__(rules, state, answers)
        self._act, self._scene = act, scene

    def answer(self, question: Question) -> Answer:
        if isinstance(question, (Choose, Place, Confirm)):
            scene = replace(self._scene, events=tuple(self.events))
            settled = self._act.settle(self.state, scene, question)
            if settled is not None:
                return settled
        return super().answer(question)
