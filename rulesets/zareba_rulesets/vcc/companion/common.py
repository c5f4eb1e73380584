"""Shared by several acts at a real table: who may act, and answers that people have given already."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from zareba.companion import Asked, Scene
from zareba.table import Answer, Choose
from zareba_rulesets.vcc.forces import Battle, Unit


def on_table(battle: Battle) -> Iterator[Unit]:
    return (unit for unit in battle.units.values() if unit.on_table)


def everyone(battle: Battle) -> list[str]:
    return [unit.id for unit in on_table(battle)]


def no_units(battle: Battle) -> list[str]:
    return []


def is_apart(battle: Battle, scene: Scene) -> bool:
    """Return True unless the two units share a box, where range and cover are known (VCC-068, VCC-081)."""
    return battle.unit(scene.actor).box != battle.unit(scene.target).box


def done(battle: Battle, name: str) -> None:
    """Note that a unit has acted in this step."""
    battle.waiting = [waiting for waiting in battle.waiting if waiting != name]


_Settle = Callable[[Battle, Scene, Any], Answer]


def take(wanted: Callable[[Scene], Answer]) -> _Settle:
    """Return a function that takes an option if the rules offer it, and otherwise the first one: to stay."""

    def answer(battle: Battle, scene: Scene, question: Choose) -> Answer:
        option = wanted(scene)
        return option if option in question.options else question.options[0]

    return answer


def keep_facing(battle: Battle, scene: Scene, question: Choose) -> Answer:
    return battle.unit(scene.actor).facing


COVER: Asked[Battle] = Asked("cover", "Cover of {target}?", default="none", when=is_apart)
