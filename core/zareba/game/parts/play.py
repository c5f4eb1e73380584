"""The play of a game: which step is next, carrying it out, and who has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from zareba.base.grammar import agreeing
from zareba.battle.umpire import Umpire
from zareba.game.parts.part import GameOfParts, Part, S
from zareba.house_rules.conditional_values import ActiveValues
from zareba.house_rules.hook_function import HookFunction
from zareba.scenario.unsupported import GOES_FIRST
from zareba.scenario.victory import Outcome, how_to_win, judge
from zareba.table.questions import Step
from zareba.table.table import Table

TURN = "zareba.turn"
"""The key in a state for the last game turn that was reported to house rules; missing before the first step."""


def sets_up(step: Step) -> bool:
    """Return True if a step is part of the set-up, before the first turn."""
    return step.name.startswith(("deploy", "setup"))


class Play(Part[S]):
    """Plays a game by its rules. The policy of the game decides the next step, its sequence carries it out."""

    def next_step(self, state: S) -> Step | None:
        """Return the next step of play, or None when the game is over."""
        return self.game.policy.next_step(state)

    def perform(self, table: Table, state: S, step: Step) -> None:
        """Carry out a step, changing `state`. Runs the actions of house rules before, after or instead of the step."""
        carry_out = self.game.sequence.perform
        wrapped = self.game.rules.step_wraps.get(step.name)
        if wrapped is None:
            carry_out(table, state, step)
        else:
            wrapped(lambda table, state: carry_out(table, state, step), table, state)

    def between(self, table: Table, state: S, step: Step) -> None:
        """Do the work due before `step`: nothing by the rules, but house rules may have postponed work until then."""

    def outcome(self, state: S) -> Outcome:
        """Return the present outcome, by the ruleset's own victory rule if any; final once `next_step` returns None."""
        return self.own_outcome(state) or self.common_outcome(state)

    def printed_outcome(self, state: S) -> Outcome:
        """Return the present outcome without changes by house rules."""
        return self.outcome(state)

    def common_outcome(self, state: S) -> Outcome:
        """Return the present outcome by the common victory rule (`zareba.scenario.victory`), for comparing rulesets."""
        return judge(self.game.scoreboard(state), self.ending(state))

    def own_outcome(self, state: S) -> Outcome | None:
        """Return the present outcome by the ruleset's own victory rule, or None if it uses that of the scenario."""
        return None

    def how_to_win(self, state: S) -> Sequence[str]:
        """Return what decides the battle in sentences: the common victory rules, unless the ruleset has its own.

        The first sentence alone says what decides.
        """
        return how_to_win(self.game.scenario)

    def who_goes_first(self, state: S) -> str:
        """Return which side goes first and why, as a phrase for the briefing; that of the scenario, unless the ruleset
        decides otherwise.
        """
        scenario = self.game.scenario
        if scenario.first not in scenario.sides or GOES_FIRST in self.game.untranslated:
            return "the rules decide who goes first"
        name = scenario.sides[scenario.first].name
        return f"{name} {agreeing(name, 'goes', 'go')} first, as the scenario says"

    def ending(self, state: S) -> str:
        """Return the reason why the battle is over, in one word; "" while it goes on."""
        ending: str = getattr(state, "ending", "")
        return ending


class _WrappedPlay(Play[S]):
    """A play that passes on what another one does."""

    def __init__(self, inner: Play[S]) -> None:
        super().__init__(inner.game)
        self.inner = inner

    def next_step(self, state: S) -> Step | None:
        return self.inner.next_step(state)

    def perform(self, table: Table, state: S, step: Step) -> None:
        self.inner.perform(table, state, step)

    def between(self, table: Table, state: S, step: Step) -> None:
        self.inner.between(table, state, step)

    def outcome(self, state: S) -> Outcome:
        return self.inner.outcome(state)

    def printed_outcome(self, state: S) -> Outcome:
        return self.inner.printed_outcome(state)

    def common_outcome(self, state: S) -> Outcome:
        return self.inner.common_outcome(state)

    def own_outcome(self, state: S) -> Outcome | None:
        return self.inner.own_outcome(state)

    def how_to_win(self, state: S) -> Sequence[str]:
        return self.inner.how_to_win(state)

    def who_goes_first(self, state: S) -> str:
        return self.inner.who_goes_first(state)

    def ending(self, state: S) -> str:
        return self.inner.ending(state)


class PlayInForce(_WrappedPlay[S]):
    """A play that carries out each step by the rules in force: numbers may change while a condition holds."""

    def __init__(self, inner: Play[S], active_values: ActiveValues) -> None:
        super().__init__(inner)
        self._active_values = active_values

    def perform(self, table: Table, state: S, step: Step) -> None:
        self._active_values.perform(table, state, step)


class PlayWithTurnHooks(_WrappedPlay[S]):
    """A play with the hooks of house rules before the game, before a game turn, and before any step."""

    def __init__(
        self,
        inner: Play[S],
        begins: Sequence[HookFunction],
        turns: Sequence[HookFunction],
        steps: Sequence[HookFunction],
    ) -> None:
        super().__init__(inner)
        self._begins, self._turns, self._steps = begins, turns, steps

    def perform(self, table: Table, state: S, step: Step) -> None:
        own: dict[str, int] = state.own  # type: ignore[attr-defined]  # every state under house rules has it
        last_turn, turn = own.get(TURN), self.game.game_turn(state)
        if last_turn is None:
            own[TURN] = last_turn = 0
            for hook in self._begins:
                hook(table=table, state=state, umpire=Umpire(self.game, table, state))
        if last_turn < turn:
            own[TURN] = turn
            for hook in self._turns:
                hook(table=table, state=state, turn=turn, umpire=Umpire(self.game, table, state))
        self.between(table, state, step)
        self.inner.perform(table, state, step)

    def between(self, table: Table, state: S, step: Step) -> None:
        for hook in self._steps:
            hook(table=table, state=state, step=step, umpire=Umpire(self.game, table, state))


class PlayWithEndHooks(_WrappedPlay[S]):
    """A play that house rules may end (`zareba_over`)."""

    def __init__(self, inner: Play[S], hooks: Sequence[HookFunction]) -> None:
        super().__init__(inner)
        self._hooks = hooks

    def next_step(self, state: S) -> Step | None:
        return None if self._over(state) else self.inner.next_step(state)

    def how_to_win(self, state: S) -> Sequence[str]:
        return [*self.inner.how_to_win(state), "A house rule can end the battle early."]

    def ending(self, state: S) -> str:
        return self.inner.ending(state) or self._over(state)

    def outcome(self, state: S) -> Outcome:
        return self.own_outcome(state) or self.common_outcome(state)

    def printed_outcome(self, state: S) -> Outcome:
        return self.outcome(state)

    def own_outcome(self, state: S) -> Outcome | None:
        """Return the outcome by the ruleset's own victory rule, with the ending of a house rule, unknown to it,
        added.
        """
        found = self.inner.own_outcome(state)
        return found if found is None or found.ending else replace(found, ending=self._over(state))

    def common_outcome(self, state: S) -> Outcome:
        return judge(self.game.scoreboard(state), self.ending(state))

    def _over(self, state: S) -> str:
        for hook in self._hooks:
            reason = hook.call_read_only(state, "the end of the battle", partial(hook, state=state))
            if reason:
                if not isinstance(reason, str):
                    raise hook.blame(
                        TypeError(f"it returned {reason!r}, not one word for why the battle is over, or None")
                    )
                return reason
        return ""


class PlayWithOutcomeHooks(_WrappedPlay[S]):
    """A play with outcomes that house rules change (`zareba_outcome`)."""

    def __init__(self, inner: Play[S], hooks: Sequence[HookFunction]) -> None:
        super().__init__(inner)
        self._hooks = hooks

    def how_to_win(self, state: S) -> Sequence[str]:
        return [*self.inner.how_to_win(state), "A house rule can change who wins."]

    def outcome(self, state: S) -> Outcome:
        return self._changed(state, self.inner.outcome(state))

    def printed_outcome(self, state: S) -> Outcome:
        return self.inner.outcome(state)

    def common_outcome(self, state: S) -> Outcome:
        return self._changed(state, self.inner.common_outcome(state))

    def _changed(self, state: S, found: Outcome) -> Outcome:
        for hook in self._hooks:
            given = hook.call_read_only(state, "the outcome", partial(hook, state=state, outcome=found))
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


def play_with_house_rules(game: GameOfParts[S], play: Play[S]) -> Play[S]:
    """Return a play with the house rules of the game around it, the innermost first.

    Steps are carried out by the numbers in force, after the hooks before the game, a turn and a step. Then come house
    rules that end the game, and last those that change the outcome.
    """
    hooks = game.rules.game_hooks
    if game.active_values is not None:
        play = PlayInForce(play, game.active_values)
    begins, turns, steps = (hooks.get(name, ()) for name in ("zareba_begin", "zareba_turn", "zareba_step"))
    if begins or turns or steps:
        play = PlayWithTurnHooks(play, begins, turns, steps)
    if over := hooks.get("zareba_over"):
        play = PlayWithEndHooks(play, over)
    if outcome := hooks.get("zareba_outcome"):
        play = PlayWithOutcomeHooks(play, outcome)
    return play
