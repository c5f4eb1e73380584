"""The odds of a choice as it stands: the very step that play runs, with that answer, over every die and card.

What a seat may know is where it begins. The step is run to its end, and so are those that come next as long as the ruleset
says that they belong to what the choice began. Whoever is asked meanwhile answers by a policy, which the odds name. What is
too wide to be counted in the time given is played, and said to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import repeat
from time import perf_counter
from typing import Any, TypeAlias

from zareba.amounts import amount
from zareba.doctrine import Doctrine
from zareba.game import Game
from zareba.memento import key
from zareba.odds.distribution import Distribution, played
from zareba.odds.merging import Budget, MergingTable, OutOfBudget
from zareba.odds.playing import PlayingTable
from zareba.table import Answer, Choose, Confirm, Given, OtherwiseAsked, Place

__all__ = ["ChoiceOdds", "odds_of"]

Outcome: TypeAlias = Hashable
Policy: TypeAlias = Callable[[Choose | Place | Confirm, Any], Answer]
Describe: TypeAlias = Callable[[Any, Any], Outcome]

PATHS = 200_000
AT_ONCE = 0.05
"""Seconds in which an exact answer is looked for before any other."""
WORLDS = 8
"""How many times what a seat does not see is made up, until it fits what it has seen."""
FEWEST = 20


@dataclass(frozen=True, kw_only=True)
class ChoiceOdds(Distribution):
    """What may come of an answer, as it was described; `guessed` says that what the seat cannot see was made up."""

    guessed: bool = False

    def told(self) -> str:
        """How it was found, in words."""
        how = f"sampled from {amount(self.samples, 'play')}" if self.samples else "exact"
        return f"{how}, as far as can be seen" if self.guessed else how


def meanwhile(game: Game[Any], seat: str) -> Policy:
    """The policy if nothing else is said: who weighs a choice does nothing more himself, others do what doctrine would.

    At what the game `waits` for they do nothing more either.
    """
    players = {other: Doctrine(game, other, 1) for other in game.seats if other != seat and other not in game.solo}

    def answer(question: Choose | Place | Confirm, state: Any) -> Answer:
        player = players.get(question.seat)
        return game.hold(question) if player is None or game.waits(question) else player(question, state)

    return answer


def odds_of(
    game: Game[Any],
    checkpoint: Any,
    given: Sequence[Given],
    question: Choose | Place | Confirm,
    answer: Answer,
    describe: Describe,
    *,
    policy: Policy | None = None,
    paths: int = PATHS,
    seconds: float = AT_ONCE,
    then: float = 0.2,
    plays: int = FEWEST,
    merging: bool = True,
) -> ChoiceOdds:
    """The odds of an answer to a question that is asked after those `given`, in the step that begins at `checkpoint`.

    `describe(before, after)` says what has come of it; `policy` answers for whoever is asked meanwhile (`meanwhile`). Exact if that can be found within `paths` and `seconds`; otherwise
    played on for the seconds of `then`, and at least so many `plays`. Raises OtherwiseAsked when what the seat cannot see has had a part in the step.
    """
    known = [*(one for one in given if one.seen_by(question.seat)), Given(question, answer)]
    act = _Act(game, checkpoint, question.seat, known, policy or meanwhile(game, question.seat))
    began = key(checkpoint)
    try:
        found = act.count(describe, Budget(paths, seconds), merging)
    except OutOfBudget:
        found = act.play(describe, then, plays)
    assert key(checkpoint) == began, "odds leave the game as it is"
    return found


@dataclass(frozen=True)
class _Act:
    """An answer in the step under way, and what its seat knows of the game."""

    game: Game[Any]
    checkpoint: Any
    seat: str
    known: Sequence[Given]
    policy: Policy

    def world(self, luck: int) -> Any:
        """The game as it may be for all that the seat knows."""
        return self.game.imagine(self.checkpoint, self.seat, luck)

    def count(self, describe: Describe, budget: Budget, merging: bool) -> ChoiceOdds:
        """Every path, in two worlds where they differ: what hangs on hidden things is not exact."""
        worlds = [self.world(luck) for luck in (1, 2)]
        guessed = worlds[0] != worlds[1] or worlds[0] != self.checkpoint
        found = [self._counted(world, describe, budget, merging) for world in worlds[: 2 if guessed else 1]]
        if any(one != found[0] for one in found):
            raise OutOfBudget
        return ChoiceOdds(outcomes=found[0], guessed=guessed)

    def _counted(self, world: Any, describe: Describe, budget: Budget, merging: bool) -> dict[Outcome, Fraction]:
        game = self.game
        draft = world.copy()
        table = MergingTable(
            game.rules,
            draft,
            self.policy,
            budget,
            settled=lambda question: game.settled(world, draft, question),
            merging=merging,
        )

        def next_act(state: Any, _: object) -> Callable[[], object] | None:
            step = game.next_step(state)
            if step is None or not (table.knows or game.consequences(world, state, step)):
                return None
            return partial(game.perform, table, state, step)

        found: dict[Outcome, Fraction] = {}
        for end in table.ends(repeat(next_act), self.known):
            table.resume(end)
            outcome = describe(world, draft)
            found[outcome] = found.get(outcome, Fraction(0)) + end.weight
        return found

    def play(self, describe: Describe, seconds: float, fewest: int) -> ChoiceOdds:
        """Played again and again, each time in another world."""
        game = self.game
        until = perf_counter() + seconds
        counts: Counter[Outcome] = Counter()
        plays = refused = 0
        guessed = self.world(1) != self.checkpoint
        while plays < fewest or perf_counter() < until:
            world = self.world(plays + refused)
            state = world.copy()
            table = PlayingTable(game.rules, plays + refused, self.policy, partial(game.settled, world, state))
            table.begin(state, plays, self.known)
            step = game.next_step(state)
            try:
                while step is not None and (table.knows or game.consequences(world, state, step)):
                    game.perform(table, state, step)
                    step = game.next_step(state)
            except OtherwiseAsked:
                refused += 1
                if refused > WORLDS * (plays + 1):
                    raise
                continue
            counts[describe(world, state)] += 1
            plays += 1
        return ChoiceOdds(outcomes=played(counts), samples=plays, guessed=guessed)
