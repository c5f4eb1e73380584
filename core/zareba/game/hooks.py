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
from zareba.house_rules.state_variables import StateVariable
from zareba.table.step import Step

__all__ = ["TURN", "apply_hooks"]

TURN = "zareba.turn"
"""The key in a state for the last game turn that was reported to house rules; missing before the first step."""


def apply_hooks(game: Any) -> None:
    """Wrap the methods of a game with the hooks of its house rules."""
    rules = game.rules
    hooks: Mapping[str, tuple[HookFunction, ...]] = rules.game_hooks
    secret = [kept for kept in rules.kept.values() if kept.secret]
    if game.active_values is not None:
        game.perform = game.active_values.perform
    begins, turns, steps = (hooks.get(name, ()) for name in ("zareba_begin", "zareba_turn", "zareba_step"))
    if begins or turns or steps:
        game.between = partial(_between, game, steps)
        game.perform = partial(_perform, game, game.perform, begins, turns)
    if hooks.get("zareba_view") or secret:
        see = partial(_see, hooks.get("zareba_view", ()), secret)
        game.view = partial(_view, game, game.view, see)
        game.determinize = partial(_imagine, game, game.determinize, see)
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


# --- views ----------------------------------------------------------------------------------------------------------------


def _see(hooks: Sequence[HookFunction], secret: Sequence[StateVariable], state: Any, seat: str) -> None:
    """Remove from a copy of the state everything that a seat may not see."""
    for kept in secret:
        for key in [key for key in state.own if key.startswith(f"{kept.full_name}/")]:
            name = key.partition("/")[2]
            side = name if kept.of == "side" else getattr(getattr(state.units.get(name), "spec", None), "side", seat)
            if side != seat:
                del state.own[key]
    for hook in hooks:
        hook(state=state, seat=seat)


def _view(game: Any, view: Callable[[Any, str], Any], see: Callable[[Any, str], None], state: Any, seat: str) -> Any:
    seen = view(state, seat).copy()  # a view may share its public parts with the state
    before = _pieces(game, seen)
    see(seen, seat)
    if hidden := before - _pieces(game, seen):
        game.conceal(seen, hidden)
    return seen


def _imagine(
    game: Any,
    determinize: Callable[[Any, str, int], Any],
    see: Callable[[Any, str], None],
    state: Any,
    seat: str,
    luck: int,
) -> Any:
    """Return an imagined state in which play can go on: pieces hidden by house rules are in it, but off the table."""
    imagined = determinize(state, seat, luck).copy()
    before = _pieces(game, imagined)
    see(imagined, seat)
    hidden = before - _pieces(game, imagined)
    for real, there in zip(game.pieces_in(state), game.pieces_in(imagined), strict=True):
        for name in [name for name in real if name in hidden]:
            there[name] = real[name].copy()
    for there in game.pieces_in(imagined):
        for name in [name for name in there if name in hidden]:
            game.put_away(imagined, there[name])
    return imagined


def _pieces(game: Any, state: Any) -> set[str]:
    return set().union(*game.pieces_in(state))
