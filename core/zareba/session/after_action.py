"""The after-action report of a battle: result, losses by cause, turning points, and luck with the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from zareba.base.errors import RuleBroken
from zareba.base.exact import total
from zareba.base.grammar import agreeing, amount, in_a_sentence, join_sentences
from zareba.game import Game
from zareba.game.advance import AtQuestion, advance
from zareba.odds import odds_of
from zareba.presentation.narration import outcome_sentence
from zareba.session.briefing import rank_name
from zareba.session.history import History, PlayedStep
from zareba.session.score import ScoreChange, moments, reasons, score, score_sentences, with_deed
from zareba.table import Choose, Confirm, Draw, Event, GivenAnswer, QuestionChanged, Roll

_WEIGHED = 60
"""Largest number of attacks whose odds are computed, spread evenly over the battle."""
_PATHS, _PLAYS = 400, 24
"""Odds are exact with at most PATHS outcomes; otherwise they are sampled with PLAYS plays."""
OTHER_CAUSES = {"other": "other causes"}
"""Causes of loss whose names are no words for a report."""
_LONGEST_SENTENCE = 120
"""Longer sentences are left out of a turning point."""
_LEAST_LUCK = 0.1
"""A smaller difference from the odds, in whole units, favours no side."""
_LEAST_LEAD = 0.01
"""A lead below this fraction of a force does not count."""


@dataclass(frozen=True)
class DiceLuck:
    """The actual and the expected effects of a side's attacks and of its enemies' attacks.

    The unit is the strength of a unit: 1 is a whole unit destroyed. `attacks` is the number whose odds were computed,
    out of `all_attacks` of both sides.
    """

    attacks: int
    all_attacks: int
    promised: float
    dealt: float
    feared: float
    suffered: float


@dataclass(frozen=True)
class AfterAction:
    """The after-action report; before the end of the battle, the position so far.

    `turning_steps` has for each turning point the index of its step in the history.
    """

    title: str
    rules: str
    result: str
    score: tuple[str, ...]
    losses: dict[str, dict[str, float]]
    turning: tuple[str, ...]
    luck: dict[str, DiceLuck]
    commanders: tuple[str, ...]
    turning_steps: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return asdict(self)

    def lines(self, game: Game[Any]) -> list[str]:
        """Return the report as lines of text, with headings."""
        name = game.narrator.name_of
        found = [self.result, "", "The score", *self.score, "", f"Losses in {game.narrator.loss_noun}s, by cause"]
        for side, causes in self.losses.items():
            by = ", ".join(f"{lost:g} by {OTHER_CAUSES.get(cause, cause)}" for cause, lost in causes.items()) or "none"
            found.append(f"{name(side)}: {by}")
        found += ["", "Turning points", *(self.turning or ("The lead never changed.",))]
        luck, *_ = [*self.luck.values(), None]
        if luck is not None and luck.attacks:
            found += ["", "Luck with the dice, in whole units"]
            for side, of in self.luck.items():
                found.append(
                    f"{name(side)}: destroyed {of.dealt:.2f} (expected {of.promised:.2f}); "
                    f"lost {of.suffered:.2f} (expected {of.feared:.2f})"
                )
            part = f" of {luck.all_attacks}" if luck.attacks != luck.all_attacks else ""
            found.append(f"Expected: from the odds of {amount(luck.attacks, 'choice')}{part} that led to dice.")
        return [*found, "", "Commanders", *(self.commanders or ("none",))]

    def dice_favoured(self, game: Game[Any]) -> str:
        """Return which side the dice favoured and by how much, in a sentence; "" if no odds were computed."""
        extra = {side: of.dealt - of.promised - of.suffered + of.feared for side, of in self.luck.items() if of.attacks}
        if not extra:
            return ""
        best = max(extra, key=lambda side: extra[side])
        if extra[best] < _LEAST_LUCK:
            return "The dice favoured neither side."
        name = in_a_sentence(game.narrator.name_of(best))
        return f"The dice favoured {name}: {amount(round(extra[best], 1), 'unit')} better than expected."


def after_action(history: History, enough: Callable[[], bool] = lambda: False) -> AfterAction:
    """Return the after-action report. It reveals hidden information, so show it only after the battle.

    Computing luck stops when `enough` returns True; the report states how many attacks it includes.
    """
    game, state = history.game, history.state
    scenario = game.scenario
    result = outcome_sentence(scenario, history.outcome) if history.is_over else "The battle is not over."
    found = list(moments(history))
    turning = list(_turning(game, found))
    events = [event for played in history.steps if played.done for event in played.done.events]
    return AfterAction(
        f"{scenario.title}, {scenario.place}, {scenario.year}",
        game.rules.book.title,
        result,
        tuple(score_sentences(score(history), game)),
        _losses(game, events),
        tuple(sentence for _, sentence in turning),
        _luck(history, enough),
        tuple(_commanders(game, state)),
        tuple(step for step, _ in turning),
    )


def _losses(game: Game[Any], events: list[Event]) -> dict[str, dict[str, float]]:
    """Return the losses of each side by cause, as the rules count them."""
    lost: dict[str, dict[str, float]] = {side: {} for side in game.seats}
    for event in events:
        if event.kind == "loss" and event.data.get("side") in lost:
            causes = lost[event.data["side"]]
            cause = str(event.data.get("cause", "other"))
            causes[cause] = causes.get(cause, 0) + event.data["lost"]
    return lost


def _turning(game: Game[Any], found: list[ScoreChange]) -> Iterator[tuple[int, str]]:
    """Yield the changes of the lead, in points or else in force, and the step that changed the forces most.

    Each has the index of its step. `found` has the change of each step, in order.
    """
    first, name = game.seats[0], game.narrator.name_of

    def leader(moment: ScoreChange) -> str:
        best = max(moment.points.values())
        leading = [side for side, points in moment.points.items() if points == best]
        if len(leading) == 1:
            return leading[0]
        if abs(moment.lead) < _LEAST_LEAD:
            return ""
        return first if moment.lead > 0 else next(side for side in game.seats if side != first)

    led = ""
    for step, (before, moment) in enumerate(zip([None, *found], found, strict=False)):
        now = leader(moment)
        if now and now != led:
            why = "; ".join(reasons(game, before, moment))
            # A side that leads from the start leads by its position, and not by an act.
            deed = "" if before is None else next(reversed(moment.told), "") if why else moment.cause(now)
            why = f": {with_deed(why, deed)}" if why or deed else ""
            takes = agreeing(name(now), "takes", "take") if led else agreeing(name(now), "is", "are")
            yield step, f"{_when(moment)}: {name(now)} {takes} {'the lead' if led else 'the first to lead'}{why}"
        led = now or led
    changes = [(abs(after.lead - before.lead), step) for step, (before, after) in enumerate(pairwise(found), start=1)]
    most, step = max(changes, key=lambda one: one[0], default=(0.0, 0))
    if most >= _LEAST_LEAD:
        moment = found[step]
        sentences = list(dict.fromkeys(sentence for _, _, sentence in moment.lost)) or moment.told
        yield step, f"{_when(moment)}: the largest change, {most:.0%} of a force{_in_brief(sentences)}"


def _when(moment: ScoreChange) -> str:
    return f"turn {moment.turn}" if moment.turn else "before turn 1"


def _in_brief(sentences: Sequence[str]) -> str:
    """Return the first of the sentences that are short enough; a long one reports a throw with its modifiers."""
    short = [one for one in sentences if len(one) <= _LONGEST_SENTENCE][:3]
    return f": {join_sentences(short)}" if short else ""


class Attack(NamedTuple):
    """A choice that led to dice: its place in the history, and the states before it and before the next attack."""

    played: PlayedStep
    place: int
    question: Choose | Confirm
    before: Any
    after: Any


def _luck(history: History, enough: Callable[[], bool]) -> dict[str, DiceLuck]:
    """Return the actual and expected losses of each side's attacks."""
    game = history.game
    attacks = list(_attacks(history))
    apart = max(1.0, len(attacks) / _WEIGHED)
    chosen = [attacks[int(number * apart)] for number in range(min(_WEIGHED, len(attacks)))]
    weighed = [(one, promised) for one in chosen if not enough() and (promised := _promised(game, one)) is not None]
    found = {}
    for side in game.seats:
        foes = [other for other in game.seats if other != side]
        lost = [_lost(game, one.before, one.after) for one, _ in weighed]
        found[side] = DiceLuck(
            len(weighed),
            len(attacks),
            round(total(promised[foe] for _, promised in weighed for foe in foes), 3),
            round(total(one[foe] for one in lost for foe in foes), 3),
            round(total(promised[side] for _, promised in weighed), 3),
            round(total(one[side] for one in lost), 3),
        )
    return found


def _attacks(history: History) -> Iterator[Attack]:
    """Yield the choices whose odds are worth showing, in order.

    If several choices lead to the same dice, the last one counts. Choices with which the other side answers an attack
    do not count.
    """
    game = history.game
    held: list[tuple[PlayedStep, int, Choose | Confirm, Any]] = []
    thrown = False
    for played, following in pairwise(history.steps):
        start, state = played.start, following.start
        for place, one in enumerate(played.answers):
            if isinstance(one.question, (Roll, Draw)):
                thrown = True
            elif isinstance(one.question, (Choose, Confirm)):
                asked = advance(game, start, [answered.answer for answered in played.answers[:place]])
                if not isinstance(asked, AtQuestion) or not isinstance(asked.question, (Choose, Confirm)):
                    continue
                seen = game.sight.view(asked.draft, asked.question.seat)
                answers_it = held and thrown and asked.question.seat != held[0][2].seat and held[0][0] is played
                if not answers_it and game.advisor.has_odds(seen, asked.question, one.answer):
                    if held and thrown:
                        yield Attack(*held[0], asked.draft)
                    held, thrown = [(played, place, asked.question, asked.draft)], False
        next_step = game.play.next_step(state)
        goes_on = held and next_step is not None and game.odds_horizon.includes(held[0][3], state, next_step)
        if held and not goes_on:
            if thrown:
                yield Attack(*held[0], state)
            held, thrown = [], False


def _promised(game: Game[Any], one: Attack) -> dict[str, float] | None:
    """Return the expected losses of each side after a choice; None if there are no odds."""
    given = [GivenAnswer(answered.question, answered.answer) for answered in one.played.answers[: one.place]]
    answer = one.played.answers[one.place].answer

    def losses(_: Any, after: Any) -> tuple[float, ...]:
        return tuple(_lost(game, one.before, after).values())

    try:
        found = odds_of(
            game,
            one.played.start,
            given,
            one.question,
            answer,
            losses,
            paths=_PATHS,
            seconds=1.0,
            then=0.0,
            plays=_PLAYS,
        )
    except (QuestionChanged, RuleBroken):
        return None
    means = [found.mean(lambda lost, place=place: Fraction(lost[place])) for place in range(len(game.seats))]  # type: ignore[misc]  # mypy cannot infer a lambda with a default
    return dict(zip(game.seats, map(float, means), strict=True))


def _lost(game: Game[Any], before: Any, after: Any) -> dict[str, float]:
    """Return the losses of each side between two states, in whole units."""
    then, now = game.scoreboard(before), game.scoreboard(after)
    units = game.scenario.units
    found = dict.fromkeys(game.seats, 0.0)
    for name, unit in units.items():
        found[unit.side] += round(then.share_left((name,)) - now.share_left((name,)), 4)
    return {side: round(lost, 4) for side, lost in found.items()}


def _commanders(game: Game[Any], state: Any) -> Iterator[str]:
    """Yield the fate of each leader of the scenario."""
    scoreboard = game.scoreboard(state)
    for key, leader in game.scenario.leaders.items():
        fate = "killed or captured" if scoreboard.leader_lost(key) else "alive"
        yield f"{leader.name} ({rank_name(leader.rank)}, {in_a_sentence(game.narrator.name_of(leader.side))}): {fate}"
