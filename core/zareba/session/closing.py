"""The closing page of a battle: how it ended, what it cost and by what, where it turned, and whom the dice favoured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from zareba.advance import Paused, advance
from zareba.amounts import amount
from zareba.exact import total
from zareba.game import Game
from zareba.outcome import outcome_sentence
from zareba.session.history import Answered, History
from zareba.session.score import Change, moments, score, told
from zareba.table import Choose, Draw, Event, Roll

__all__ = ["Closing", "Luck", "closing"]

WEIGHED = 400
"""So many choices at most are weighed anew for what was to be expected of them."""
LEAST = 0.01
"""Less lead than this share of a force is no lead."""


@dataclass(frozen=True)
class Luck:
    """What a side's attacks were to deal by the reckoning of a commander with sense, and what they dealt.

    In units' strengths: 1 is a whole unit destroyed.
    """

    attacks: int
    expected: float
    dealt: float


@dataclass(frozen=True)
class Closing:
    """All that is told when a battle is over; before the end how it stands."""

    title: str
    rules: str
    result: str
    score: tuple[str, ...]
    losses: dict[str, dict[str, float]]
    turning: tuple[str, ...]
    luck: dict[str, Luck]
    commanders: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON-ready form."""
        return asdict(self)

    def lines(self, game: Game[Any]) -> list[str]:
        """The page in sentences, headings without a full stop."""
        name = game.name_of
        found = [self.result, "", "The score", *self.score, "", "Losses"]
        for side, causes in self.losses.items():
            by = ", ".join(f"{lost:g} by {cause}" for cause, lost in causes.items()) or "none"
            found.append(f"{name(side)}: {by}")
        found += ["", "Turning points", *(self.turning or ("the lead never changed",)), "", "Luck"]
        for side, luck in self.luck.items():
            found.append(
                f"{name(side)}: {amount(luck.attacks, 'attack')}, {luck.dealt:.2f} units' worth dealt "
                f"where {luck.expected:.2f} was to be expected"
            )
        return [*found, "", "Commanders", *(self.commanders or ("none is named",))]


def closing(history: History) -> Closing:
    """The closing page of a battle, from all that has happened in it; for when nothing need be hidden any more."""
    game, state = history.game, history.state
    scenario = game.scenario
    over = history.now is None
    result = outcome_sentence(scenario, game.outcome(state)) if over else "The battle is not over."
    found = list(moments(history))
    events = [event for played in history.steps if played.done for event in played.done.events]
    return Closing(
        f"{scenario.title}, {scenario.place}, {scenario.year}",
        game.rules.book.title,
        result,
        tuple(told(score(history), game)),
        _losses(game, events),
        tuple(_turning(game, found)),
        _luck(history),
        tuple(_commanders(game, state)),
    )


def _losses(game: Game[Any], events: list[Event]) -> dict[str, dict[str, float]]:
    """What each side lost to each cause, as its rules count."""
    lost: dict[str, dict[str, float]] = {side: {} for side in game.seats}
    for event in events:
        if event.kind == "loss" and event.data.get("side") in lost:
            causes = lost[event.data["side"]]
            cause = str(event.data.get("cause", "other"))
            causes[cause] = causes.get(cause, 0) + event.data["lost"]
    return lost


def _turning(game: Game[Any], found: list[Change]) -> Iterator[str]:
    """Where the lead changed hands, in points or else in force, and the step that changed the forces most."""
    first, name = game.seats[0], game.name_of

    def leader(moment: Change) -> str:
        best = max(moment.points.values())
        leading = [side for side, points in moment.points.items() if points == best]
        if len(leading) == 1:
            return leading[0]
        if abs(moment.lead) < LEAST:
            return ""
        return first if moment.lead > 0 else next(side for side in game.seats if side != first)

    led = ""
    for moment in found:
        now = leader(moment)
        if now and now != led:
            why = f": {moment.told[-1]}" if moment.told else ""
            yield f"turn {moment.turn}: {name(now)} {'takes' if led else 'takes first'} the lead{why}"
        led = now or led
    changes = [(abs(after.lead - before.lead), after) for before, after in pairwise(found)]
    most = max(changes, key=lambda one: one[0], default=None)
    if most is not None and most[0] >= LEAST:
        yield f"the act that changed most, turn {most[1].turn} ({most[0]:.0%} of a force): {'; '.join(most[1].told[:3])}"


def _luck(history: History) -> dict[str, Luck]:
    """Of each side: the attacks that were weighed, what they were to deal and what they dealt."""
    game = history.game
    sums = {side: [0, 0.0, 0.0] for side in game.seats}
    left = WEIGHED
    for played in history.steps:
        if played.done is None or left <= 0:
            continue
        best = _attack(game, played.start, played.answers)
        left -= best is not None
        if best is None:
            continue
        seat, expected = best
        dealt = total(
            event.data["lost"] / _size(game, played.done.checkpoint, event.data["unit"])
            for event in played.done.events
            if event.kind == "loss" and event.data.get("side") not in (None, seat)
        )
        sums[seat][0] += 1
        sums[seat][1] += expected
        sums[seat][2] += dealt
    return {
        side: Luck(int(count), round(expected, 3), round(dealt, 3)) for side, (count, expected, dealt) in sums.items()
    }


def _attack(game: Game[Any], start: Any, answers: list[Answered]) -> tuple[str, float] | None:
    """Who attacked in a step and what was to be expected of it: of his last choice that was to hurt somebody."""
    chosen = [(place, one) for place, one in enumerate(answers) if isinstance(one.question, Choose)]
    if not any(isinstance(one.question, (Roll, Draw)) for one in answers):
        return None
    for place, one in reversed(chosen):
        asked = advance(game, start, [answered.answer for answered in answers[:place]])
        if not isinstance(asked, Paused) or not isinstance(asked.question, Choose):
            return None
        seat = asked.question.seat
        worth = game.appraise(game.view(asked.draft, seat), asked.question)
        inflicts = worth[list(asked.question.options).index(one.answer)].inflicts
        if inflicts > 0:
            return seat, inflicts
    return None


def _size(game: Game[Any], state: Any, piece: str) -> int:
    """How strong a unit was at the start, as its losses are counted; a leader by himself is one."""
    hand = game.by_hand()
    counted = piece in hand.named(state) and hand.count(state, piece) is not None
    return max(1, hand.size(state, piece)) if counted else 1


def _commanders(game: Game[Any], state: Any) -> Iterator[str]:
    """What became of the leaders of the scenario."""
    standing = game.standing(state)
    for key, leader in game.scenario.leaders.items():
        fate = "dead or taken" if standing.leader_lost(key) else "alive"
        yield f"{leader.name} ({leader.rank}, {game.name_of(leader.side)}): {fate}"
