"""The closing page of a battle: how it ended, what it cost and by what, where it turned, and whom the dice favoured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from zareba.base.amounts import agreeing, amount
from zareba.base.errors import RuleBroken
from zareba.base.exact import total
from zareba.game import Game
from zareba.game.advance import Paused, advance
from zareba.odds import odds_of
from zareba.people.outcome import outcome_sentence
from zareba.session.history import History, Played
from zareba.session.score import Change, moments, score, told
from zareba.table import Choose, Confirm, Draw, Event, Given, OtherwiseAsked, Roll

__all__ = ["Closing", "Luck", "closing"]

WEIGHED = 60
"""So many attacks at most are weighed anew for what was to be expected of them, evenly from the whole battle."""
PATHS, PLAYS = 400, 24
"""Odds are exact where there are no more ways for it to fall out than the first; else as many plays tell them."""
LEAST = 0.01
"""Less lead than this share of a force is no lead."""


@dataclass(frozen=True)
class Luck:
    """What the attacks of a battle did to a side and its enemies, and what the odds of those choices had promised.

    In units' strengths: 1 is a whole unit destroyed. `attacks` are those that were weighed, of `all_attacks`, of both sides.
    """

    attacks: int
    all_attacks: int
    promised: float
    dealt: float
    feared: float
    suffered: float


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
                f"{name(side)}: dealt {luck.dealt:.2f} units' worth where the odds promised {luck.promised:.2f}, "
                f"suffered {luck.suffered:.2f} where they promised {luck.feared:.2f}"
            )
        for luck in list(self.luck.values())[:1]:
            part = "" if luck.attacks == luck.all_attacks else f" of {luck.all_attacks}"
            found.append(f"(weighed by the odds of {amount(luck.attacks, 'choice')}{part} that led to dice)")
        return [*found, "", "Commanders", *(self.commanders or ("none is named",))]


def closing(history: History, enough: Callable[[], bool] = lambda: False) -> Closing:
    """The closing page of a battle, from all that has happened in it; for when nothing need be hidden any more.

    Luck is weighed till `enough` says so; what is not weighed then is left out, and how much was is said.
    """
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
        _luck(history, enough),
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
            cause = moment.cause(now)
            why = f": {cause}" if cause else ""
            takes = agreeing(name(now), "takes", "take") if led else agreeing(name(now), "is", "are")
            yield f"turn {moment.turn}: {name(now)} {takes} {'the lead' if led else 'the first to lead'}{why}"
        led = now or led
    changes = [(abs(after.lead - before.lead), after) for before, after in pairwise(found)]
    most = max(changes, key=lambda one: one[0], default=None)
    if most is not None and most[0] >= LEAST:
        told = list(dict.fromkeys(sentence for _, _, sentence in most[1].lost)) or most[1].told
        yield f"the act that changed most, turn {most[1].turn} ({most[0]:.0%} of a force): {'; '.join(told[:3])}"


class Attack(NamedTuple):
    """A choice of which dice came: where it was made, and how the table looked then and when the next such was made."""

    played: Played
    place: int
    question: Choose | Confirm
    before: Any
    after: Any


def _luck(history: History, enough: Callable[[], bool]) -> dict[str, Luck]:
    """Of each side what its attacks, and those of its enemies, did and were to do."""
    game = history.game
    attacks = list(_attacks(history))
    apart = max(1.0, len(attacks) / WEIGHED)
    chosen = [attacks[int(number * apart)] for number in range(min(WEIGHED, len(attacks)))]
    weighed = [(one, promised) for one in chosen if not enough() and (promised := _promised(game, one)) is not None]
    found = {}
    for side in game.seats:
        foes = [other for other in game.seats if other != side]
        lost = [_lost(game, one.before, one.after) for one, _ in weighed]
        found[side] = Luck(
            len(weighed),
            len(attacks),
            round(total(promised[foe] for _, promised in weighed for foe in foes), 3),
            round(total(one[foe] for one in lost for foe in foes), 3),
            round(total(promised[side] for _, promised in weighed), 3),
            round(total(one[side] for one in lost), 3),
        )
    return found


def _attacks(history: History) -> Iterator[Attack]:
    """The choices whose odds are worth seeing, in their order: the last before the dice where several lead to the same, and
    none by which the other side answers an attack that is under way.
    """
    game = history.game
    held: list[tuple[Played, int, Choose | Confirm, Any]] = []
    thrown = False
    for played, following in pairwise(history.steps):
        start, state = played.start, following.start
        for place, one in enumerate(played.answers):
            if isinstance(one.question, (Roll, Draw)):
                thrown = True
            elif isinstance(one.question, (Choose, Confirm)):
                asked = advance(game, start, [answered.answer for answered in played.answers[:place]])
                if not isinstance(asked, Paused) or not isinstance(asked.question, (Choose, Confirm)):
                    continue
                seen = game.view(asked.draft, asked.question.seat)
                answers_it = held and thrown and asked.question.seat != held[0][2].seat and held[0][0] is played
                if not answers_it and game.has_odds(seen, asked.question, one.answer):
                    if held and thrown:
                        yield Attack(*held[0], asked.draft)
                    held, thrown = [(played, place, asked.question, asked.draft)], False
        next_step = game.next_step(state)
        goes_on = held and next_step is not None and game.consequences(held[0][3], state, next_step)
        if held and not goes_on:
            if thrown:
                yield Attack(*held[0], state)
            held, thrown = [], False


def _promised(game: Game[Any], one: Attack) -> dict[str, float] | None:
    """What each side was to lose by the odds of a choice; None where they cannot be told."""
    given = [Given(answered.question, answered.answer) for answered in one.played.answers[: one.place]]
    answer = one.played.answers[one.place].answer

    def losses(_: Any, after: Any) -> tuple[float, ...]:
        return tuple(_lost(game, one.before, after).values())

    try:
        found = odds_of(
            game, one.played.start, given, one.question, answer, losses, paths=PATHS, seconds=1.0, then=0.0, plays=PLAYS
        )
    except (OtherwiseAsked, RuleBroken):
        return None
    means = [found.mean(lambda lost, place=place: Fraction(lost[place])) for place in range(len(game.seats))]  # type: ignore[misc]  # mypy cannot infer a lambda with a default
    return dict(zip(game.seats, map(float, means), strict=True))


def _lost(game: Game[Any], before: Any, after: Any) -> dict[str, float]:
    """What each side has lost between two states, in whole units."""
    then, now = game.standing(before), game.standing(after)
    units = game.scenario.units
    found = dict.fromkeys(game.seats, 0.0)
    for name, unit in units.items():
        found[unit.side] += round(then.share_left((name,)) - now.share_left((name,)), 4)
    return {side: round(lost, 4) for side, lost in found.items()}


def _commanders(game: Game[Any], state: Any) -> Iterator[str]:
    """What became of the leaders of the scenario."""
    standing = game.standing(state)
    for key, leader in game.scenario.leaders.items():
        fate = "dead or taken" if standing.leader_lost(key) else "alive"
        yield f"{leader.name} ({leader.rank}, {game.name_of(leader.side)}): {fate}"
