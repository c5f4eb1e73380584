"""House-rule hooks of a game: its start, each turn, views, its end, and its texts.

`apply_hooks` replaces the methods that house rules hook into; all other methods of the game stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from zareba.battle.umpire import Umpire
from zareba.house_rules.hook_function import HookFunction
from zareba.table.step import Step

__all__ = ["TURN", "apply_hooks"]

TURN = "zareba.turn"
"""The key in a state for the last game turn that was reported to house rules; missing before the first step."""


def apply_hooks(game: Any) -> None:
    """Wrap the methods of a game with the hooks of its house rules."""
    rules = game.rules
    hooks: Mapping[str, tuple[HookFunction, ...]] = rules.game_hooks
    if game.active_values is not None:
        game.perform = game.active_values.perform
    begins, turns, steps = (hooks.get(name, ()) for name in ("zareba_begin", "zareba_turn", "zareba_step"))
    if begins or turns or steps:
        game.between = partial(_between, game, steps)
        game.perform = partial(_perform, game, game.perform, begins, turns)
    own = game.own_outcome
    if hooks.get("zareba_over"):
        game.next_step = partial(_next_step, game.next_step, hooks["zareba_over"])
        game.ending = partial(_ending, game.ending, hooks["zareba_over"])
        game.own_outcome = own = partial(_ended, own, hooks["zareba_over"])
    if hooks.get("zareba_outcome"):
        game.printed_outcome = first = partial(_first, own, game.common_outcome)
        game.common_outcome = partial(_outcome, game.common_outcome, hooks["zareba_outcome"])
        game.outcome = partial(_outcome, first, hooks["zareba_outcome"])


# --- course of play -------------------------------------------------------------------------------------------------------


def _perform(
    game: Any,
    perform: Callable[..., None],
    begins: Sequence[HookFunction],
    turns: Sequence[HookFunction],
    table: Any,
    state: Any,
    step: Step,
) -> None:
    """Carry out a step after the house-rule hooks: those before the game, before a game turn, and before any step."""
    told, turn = state.own.get(TURN), game.game_turn(state)
    if told is None:
        state.own[TURN] = told = 0
        for hook in begins:
            hook(table=table, state=state, umpire=Umpire(game, table, state))
    if told < turn:
        state.own[TURN] = turn
        for hook in turns:
            hook(table=table, state=state, turn=turn, umpire=Umpire(game, table, state))
    game.between(table, state, step)
    perform(table, state, step)


def _between(game: Any, steps: Sequence[HookFunction], table: Any, state: Any, step: Step) -> None:
    for hook in steps:
        hook(table=table, state=state, step=step, umpire=Umpire(game, table, state))


def _next_step(next_step: Callable[[Any], Step | None], hooks: Sequence[HookFunction], state: Any) -> Step | None:
    return None if _over(hooks, state) else next_step(state)


def _ending(ending: Callable[[Any], str], hooks: Sequence[HookFunction], state: Any) -> str:
    return ending(state) or _over(hooks, state)


def _over(hooks: Sequence[HookFunction], state: Any) -> str:
    for hook in hooks:
        reason = hook.looks(state, "the end of the battle", partial(hook, state=state))
        if reason:
            if not isinstance(reason, str):
                raise hook.blame(TypeError(f"it returned {reason!r}, not one word for why the battle is over, or None"))
            return reason
    return ""


def _first(own: Callable[[Any], Any], common: Callable[[Any], Any], state: Any) -> Any:
    return own(state) or common(state)


def _ended(outcome: Callable[[Any], Any], hooks: Sequence[HookFunction], state: Any) -> Any:
    """Return the outcome by the ruleset's own victory rule, with the ending of a house rule, unknown to it, added."""
    found = outcome(state)
    return found if found is None or found.ending else replace(found, ending=_over(hooks, state))


def _outcome(outcome: Callable[[Any], Any], hooks: Sequence[HookFunction], state: Any) -> Any:
    found = outcome(state)
    for hook in hooks:
        given = hook.looks(state, "the outcome", partial(hook, state=state, outcome=found))
        if given is not None:
            if type(given) is not type(found):
                raise hook.blame(TypeError(f"it returned {given!r}, which is not an Outcome"))
            if given.winner is not None and given.winner not in found.points:
                raise hook.blame(ValueError(f"the winner '{given.winner}' is not a side of this game"))
            if given.winner != found.winner and given.decided_by == found.decided_by:
                ground = f"{given.ground}, " if given.ground != found.ground else ""
                given = replace(given, decided_by=f"{ground}house rule {hook.house_rule}")
            found = given
    return found
