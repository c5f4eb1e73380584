"""Companion acts for the options that house rules add to a choice of the rules (`ExtraOption`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from zareba.base.errors import Impossible, RuleBroken, ZarebaError
from zareba.companion.act_table import CompanionTable
from zareba.companion.declarations import Asked, Choices, CompanionAct, Opening, Scene, Settle
from zareba.table import Choose, Option, Pause, Table
from zareba.table.questions import ExtraOption

_NAME = "{}_by_house_rule"


class _Found(Exception):
    """Ends the search for extra options."""


class _OptionSearch(CompanionTable):
    """A table that stops at the choice of an act and notes which options house rules add to it, in words."""

    __slots__ = ("found",)

    def __init__(self, state: Any, act: CompanionAct[Any], scene: Scene) -> None:
        super().__init__(scene.game.rules, state, (), act, scene)
        self.found: dict[Option, str] = {}

    def _choose_among(self, question: Choose, filtered: Sequence[Any]) -> Any:
        if question.why != self._act.choice:
            return super()._choose_among(question, filtered)
        describe = self._scene.game.narrator.describe_option
        extra = [str(option) for option in filtered if isinstance(option, ExtraOption)]
        self.found = {option: describe(self.state, question, option) for option in extra}
        raise _Found


def option_acts(acts: Sequence[CompanionAct[Any]]) -> Iterator[CompanionAct[Any]]:
    """Yield an act for the options that house rules may add to the choice of each act that has one."""
    for act in acts:
        if act.choice:
            yield replace(
                act,
                name=_NAME.format(act.name),
                title=f"do something else by a house rule (not {act.title})",
                targets=None,
                asks=(Asked("option", "{actor}: what?", choices=partial(_options, act)),),
                facts=None,
                run=partial(_run, act),
                lay_out=partial(_lay_out, act),
                preset_answers={
                    **{purpose: partial(_settle, act, settle) for purpose, settle in act.preset_answers.items()},
                    act.choice: lambda state, scene, question: scene["option"],
                },
                out_of_turn=False,
                consequences=(),
            )


def option_openings(
    openings: Sequence[Opening], acts: Mapping[str, CompanionAct[Any]], state: Any, game: Any
) -> list[Opening]:
    """Return the openings for the options of house rules, next to those of the acts that they replace."""
    found = []
    for opening in openings:
        act = acts[opening.act]
        if act.choice:
            able = tuple(unit for unit in opening.actors if _options(act, state, Scene(game, unit)))
            found += [Opening(_NAME.format(act.name), able)] if able else []
    return found


def _usual(act: CompanionAct[Any], state: Any, scene: Scene) -> Scene:
    """Return a scene in which the base act could be done: its first target, and the usual or first answers."""
    if act.targets is not None:
        scene = replace(scene, target=next(iter(act.targets(state, scene.actor)), ""))
    answers: dict[str, Any] = {}
    for asked in act.asks:
        usual = asked.usual(state, scene)
        values = asked.choices(state, scene) if usual is None and asked.choices is not None else ()
        answers[asked.fact] = next(iter(values), usual)
    return replace(scene, answers={**answers, **scene.answers})


def _lay_out(act: CompanionAct[Any], state: Any, scene: Scene) -> None:
    act.lay_out(state, _usual(act, state, scene))


def _run(act: CompanionAct[Any], table: Table, state: Any, scene: Scene) -> object:
    return act.run(table, state, _usual(act, state, scene))


def _settle(act: CompanionAct[Any], settle: Settle[Any], state: Any, scene: Scene, question: Any) -> Any:
    return settle(state, _usual(act, state, scene), question)


def _options(act: CompanionAct[Any], state: Any, scene: Scene) -> Choices:
    """Return the options that house rules add for a unit, in words."""
    draft, usual = state.copy(), _usual(act, state, scene)
    table = _OptionSearch(draft, act, usual)
    try:
        act.lay_out(draft, usual)
        act.run(table, draft, usual)
    except (_Found, Pause):
        pass  # found, or the act asks something else first
    except ZarebaError as error:
        if isinstance(error, RuleBroken) and not isinstance(error, Impossible):
            raise  # else the unit cannot do the act at all
    return table.found
