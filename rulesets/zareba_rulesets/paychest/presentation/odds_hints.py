"""The options with odds worth showing, and the acts that resolve them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from zareba.odds import Act
from zareba.table import Choose, Confirm, Option, Table
from zareba_rulesets.paychest.chapters.fire.fire import may_fire, volley
from zareba_rulesets.paychest.chapters.fire.firestep import volley_group
from zareba_rulesets.paychest.chapters.guns.gunnery import gun_groups, gun_shot
from zareba_rulesets.paychest.chapters.melee import ALL, Fight, fight, melee
from zareba_rulesets.paychest.chapters.movement.movement import ADVANCE, RUN, move_unit
from zareba_rulesets.paychest.forces.battle import Battle, kind_of

__all__ = ["next_act"]


def next_act(battle: Battle, question: Choose | Confirm, option: Option) -> tuple[str, Act[Battle]] | None:
    """Return the act that resolves an option with odds, or None (PAY-067, PAY-092, PAY-094, PAY-136, PAY-178)."""
    why, actor = question.why, question.actor
    if why == "move" and option in (ADVANCE, RUN):
        return "move", lambda table, battle: move_unit(table, battle, battle.change(actor))
    if why == "volley at" and isinstance(option, tuple):
        return "volley_losses", lambda table, battle: _volley(table, battle, actor, option, question.about)
    if why == "fire at":
        return "to_hit", lambda table, battle: _shot(table, battle, actor, str(option))
    if why == "gun at" and isinstance(option, tuple):
        return kind_of(battle.engines[actor]), lambda table, battle: gun_shot(
            table, battle, actor, gun_groups(battle, battle.engines[actor])[option]
        )
    if why == "melee" and option == ALL:
        return "melee", lambda table, battle: melee(table, battle, battle.change(actor))
    if why == "fights" and str(option).rpartition(".")[0] in battle.units:
        return "melee", lambda table, battle: fight(table, battle, Fight((actor,), (str(option),)))
    return None


def _volley(table: Table, battle: Battle, name: str, option: tuple[Any, ...], who: Collection[str]) -> None:
    unit = battle.change(name)
    firers, targets = volley_group(battle, unit, option, who)
    volley(table, battle, unit, firers, targets, str(option[0]))


def _shot(table: Table, battle: Battle, man: str, target: str) -> None:
    unit = battle.change(battle.figure(man).spec.unit)
    firers = [firer for firer in may_fire(battle, unit) if firer.figure.spec.id == man]
    volley(table, battle, unit, firers, [battle.figure(target)], target)
