"""What many trials come to together: equal ones are worked out once, and equal states are merged, not path by path.

A spread gives whole-number weights to the states that can come of something, tuples of numbers below `BASE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from math import comb, gcd, lcm
from typing import TypeAlias, TypeVar

from zareba.odds import Slate
from zareba.rules import Rules
from zareba.table import Table, enumerate_paths

__all__ = ["Spread", "Trial", "draws", "in_turn", "mixed", "spread_of", "together", "twice_struck"]

BASE = 1024
K = TypeVar("K")
State: TypeAlias = tuple[int, ...]
Spread: TypeAlias = Mapping[State, int]
Trial: TypeAlias = Callable[[Table, Slate], None]
"""Changes a state that stands on a slate."""


def spread_of(rules: Rules, run: Callable[[Table], State]) -> Spread:
    """What can come of one trial."""
    return mixed(({state: 1}, p) for state, p in enumerate_paths(rules, run))


def mixed(spreads: Iterable[tuple[Spread, Fraction]]) -> Spread:
    """What can come of one of some spreads, each with its probability."""
    return _pooled([(spread, p.numerator, p.denominator) for spread, p in spreads])


def _pooled(parts: Sequence[tuple[Spread, int, int]]) -> Spread:
    """The same with probabilities as numerators and denominators."""
    shares = [denominator * sum(spread.values()) for spread, _, denominator in parts]
    whole = lcm(*shares)
    found: dict[State, int] = {}
    for (spread, numerator, _), share in zip(parts, shares, strict=True):
        each = numerator * (whole // share)
        for state, weight in spread.items():
            found[state] = found.get(state, 0) + each * weight
    return _reduced(found)


def _after(rules: Rules) -> Callable[[Trial, State], Spread]:
    """What can come of a trial in a state; the same trial on the same state is worked out once."""
    known: dict[tuple[Trial, State], Spread] = {}

    def after(trial: Trial, state: State) -> Spread:
        def run(table: Table) -> State:
            slate = Slate(*state)
            trial(table, slate)
            return slate.values

        found = known.get((trial, state))
        if found is None:
            found = known[trial, state] = spread_of(rules, run)
        return found

    return after


def in_turn(rules: Rules, start: State, trials: Iterable[Trial]) -> Spread:
    """What can come of trials one after another."""
    after = _after(rules)
    spread: Spread = {start: 1}
    for trial in trials:
        every = sum(spread.values())
        spread = _pooled([(after(trial, state), weight, every) for state, weight in spread.items()])
    return spread


def in_any_order(rules: Rules, start: State, trials: tuple[Trial, Trial], numbers: Spread) -> Spread:
    """What can come of two kinds of trial, so many of each as `numbers` says, when their order is drawn.

    The last of them is of either kind in proportion to its number; what came before it is worked out once for all.
    """
    after = _after(rules)
    reached: dict[State, Spread] = {(0, 0): {start: 1}}

    def after_all(one: int, other: int) -> Spread:
        found = reached.get((one, other))
        if found is None:
            parts = []
            for trial, number, before in ((trials[0], one, (one - 1, other)), (trials[1], other, (one, other - 1))):
                spread = after_all(*before) if number else {}
                every = sum(spread.values()) * (one + other)
                parts += [(after(trial, state), number * weight, every) for state, weight in spread.items()]
            found = reached[one, other] = _pooled(parts)
        return found

    every = sum(numbers.values())
    return _pooled([(after_all(one, other), weight, every) for (one, other), weight in sorted(numbers.items())])


def together(spreads: Sequence[Spread], places: int) -> Spread:
    """What can come of trials that do not bear on each other: the sums of their states, each of so many `places`."""
    alike: list[tuple[Spread, int]] = []
    for spread in spreads:
        number = next((k for k, (known, _) in enumerate(alike) if known is spread or known == spread), len(alike))
        if number == len(alike):
            alike.append((spread, 0))
        alike[number] = spread, alike[number][1] + 1
    alike.sort(key=lambda kind: -kind[1])
    packed: dict[int, int] = {0: 1}
    for spread, times in alike:
        steps = {_packed(state): weight for state, weight in spread.items()}
        if len(packed) == 1:
            packed = _power(steps, times)
            continue
        for _ in range(times):
            following: dict[int, int] = {}
            for before, weight in packed.items():
                for step, share in steps.items():
                    at = before + step
                    following[at] = following.get(at, 0) + weight * share
            packed = _reduced(following)
    return {_unpacked(number, places): weight for number, weight in packed.items()}


def _power(steps: Mapping[int, int], times: int) -> dict[int, int]:
    """The sums of so many equal trials with their weights, from the least on, each out of those before it.

    The weights are the coefficients of a power P^n of a polynomial, and P times its derivative is n times P' times it.
    """
    least = min(steps)
    rest = [(step - least, weight) for step, weight in sorted(steps.items()) if step != least]
    first = steps[least]
    found = {0: first**times}
    waiting = [step for step, _ in rest] if times else []
    known = set(waiting)
    while waiting:
        at = heappop(waiting)
        whole = sum(
            (times * step - at + step) * weight * found[at - step] for step, weight in rest if at - step in found
        )
        if whole:
            found[at] = whole // (at * first)
            new = [at + step for step, _ in rest if at + step not in known]
            known.update(new)
            for number in new:
                heappush(waiting, number)
    return _reduced({times * least + at: weight for at, weight in found.items()})


def twice_struck(spread: Spread, place: int, men: int, hurt: int) -> Spread:
    """The same casualties when `hurt` of the `men` of a side, any of them, were wounded before: a second wound kills.

    The wounded and the killed of that side stand at `place` and behind it.
    """
    whole = lcm(*(comb(men, wounds) for wounds in range(men + 1)))
    ways = [
        [
            comb(hurt, again) * comb(men - hurt, wounds - again) * (whole // comb(men, wounds))
            for again in range(wounds + 1)
        ]
        for wounds in range(men + 1)
    ]
    found: dict[State, int] = {}
    for state, weight in spread.items():
        wounds, dead = state[place : place + 2]
        for again, share in enumerate(ways[wounds]):
            if share:
                after = (*state[:place], wounds - again, dead + again, *state[place + 2 :])
                found[after] = found.get(after, 0) + share * weight
    return _reduced(found)


def draws(spread: Spread, *, why: str, rule: str, actor: str) -> list[Trial]:
    """A spread as draws of one number after another, each in proportion to what those before it leave.

    Every draw writes its number behind the others; no pile is larger than the numbers that can stand at its place.
    """
    piles: dict[State, dict[str, int]] = {}
    for state in sorted(spread):
        for place, number in enumerate(state):
            pile, card = piles.setdefault(state[:place], {}), f"{number:03d}"
            pile[card] = pile.get(card, 0) + spread[state]

    def draw(table: Table, slate: Slate) -> None:
        card = table.draw(piles[slate.values], why=why, rule=rule, actor=actor)
        slate.values = (*slate.values, int(card))

    return [draw] * len(next(iter(spread)))


def _packed(state: State) -> int:
    number = 0
    for place in state:
        number = number * BASE + place
    return number


def _unpacked(number: int, places: int) -> State:
    found = []
    for _ in range(places):
        number, place = divmod(number, BASE)
        found.append(place)
    return tuple(reversed(found))


def _reduced(spread: dict[K, int]) -> dict[K, int]:
    """The same weights without what divides them all."""
    common = gcd(*spread.values())
    return {state: weight // common for state, weight in spread.items()} if common > 1 else spread
