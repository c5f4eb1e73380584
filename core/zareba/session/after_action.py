"""The after-action report of a battle: result, losses by cause, turning points, and luck with the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from zareba.base.errors import RuleBroken
from zareba.base.exact import total
from zareba.base.grammar import agreeing, amount, in_a_sentence, join_sentences, percent
from zareba.game import Game
from zareba.game.advance import AtQuestion, advance
from zareba.odds import odds_of
from zareba.presentation.narration import outcome_sentence
from zareba.renamed import with_old_json_keys
from zareba.session.briefing import rank_name
from zareba.session.history import History, PlayedStep
from zareba.session.score import ScoreChange, moments, reasons, score, score_sentences, with_deed
from zareba.table import Choose, Confirm, Draw, Event, GivenAnswer, QuestionChanged, Roll

_MOST_ATTACKS = 60
"""Largest number of attacks whose odds are computed, spread evenly over the battle."""
_MOST_OUTCOMES, _PLAYS = 400, 24
"""Odds are exact with at most this many outcomes; otherwise they are sampled with this many plays."""
OTHER_CAUSES = {"other": "other causes"}
"""Words for the causes of loss whose names do not fit a report."""
_LONGEST_SENTENCE = 120
"""Longer sentences are left out of a turning point."""
_LEAST_LUCK = 0.1
"""A smaller difference from the odds, in whole units, favours no side."""
_LEAST_LEAD = 0.01
"""A lead below this fraction of a force does not count."""


@dataclass(frozen=True)
class DiceLuck:
    """The actual and the expected losses in attacks.

    `dealt` and `suffered` are the actual losses of a side's enemies and its own, `expected_dealt` and
    `expected_suffered` the expected ones by the odds. A loss of 1 is a whole unit destroyed. `attacks` is the number of
    attacks whose odds were computed, out of `all_attacks` of both sides.
    """

    attacks: int
    all_attacks: int
    expected_dealt: float
    dealt: float
    expected_suffered: float
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
        data = asdict(self)
        data["luck"] = {side: with_old_json_keys("AfterAction.luck", luck) for side, luck in data["luck"].items()}
        return data

    def lines(self, game: Game[Any]) -> list[str]:
        """Return the report as lines of text, with headings."""
        name = game.narrator.name_of
        lines = [self.result, "", "The score", *self.score, "", f"Losses in {game.narrator.loss_noun}s, by cause"]
        for side, causes in self.losses.items():
            causes_text = (
                ", ".join(f"{lost:g} by {OTHER_CAUSES.get(cause, cause)}" for cause, lost in causes.items()) or "none"
            )
            lines.append(f"{name(side)}: {causes_text}")
        lines += ["", "Turning points", *(self.turning or ("The lead never changed.",))]
        lines += ["", "Luck with the dice"]
        if self.luck_missing:
            lines.append(self.luck_missing)
        else:
            lines[-1] += " (losses added up in units: 0.5 is half a unit)"
            for side, luck in self.luck.items():
                lines.append(
                    f"{name(side)}: destroyed {luck.dealt:.1f} enemy units (expected {luck.expected_dealt:.1f}); "
                    f"lost {luck.suffered:.1f} of {agreeing(name(side), 'its', 'their')} own (expected {luck.expected_suffered:.1f})"
                )
            one_side = next(iter(self.luck.values()))  # the number of attacks is that of both sides
            total_text = f" of {one_side.all_attacks}" if one_side.attacks != one_side.all_attacks else ""
            lines.append(
                f"Expected: the average that the odds give for {amount(one_side.attacks, 'choice')}{total_text} that led to dice."
            )
        return [*lines, "", "Commanders", *(self.commanders or ("none",))]

    @property
    def luck_missing(self) -> str:
        """The sentence that says why the report has no luck with the dice; "" if it has."""
        all_attacks = max((luck.all_attacks for luck in self.luck.values()), default=0)
        if any(luck.attacks for luck in self.luck.values()):
            return ""
        if not all_attacks:
            return "No choice that led to dice had odds, so there is no luck to measure."
        return f"The odds of {amount(all_attacks, 'choice')} that led to dice were not computed."

    def dice_favoured(self, game: Game[Any]) -> str:
        """Return which side the dice favoured and by how much, in a sentence; "" if no odds were computed."""
        gains = {
            side: luck.dealt - luck.expected_dealt - luck.suffered + luck.expected_suffered
            for side, luck in self.luck.items()
            if luck.attacks
        }
        if not gains:
            return ""
        luckiest = max(gains, key=lambda side: gains[side])
        if gains[luckiest] < _LEAST_LUCK:
            return "The dice favoured neither side."
        name = in_a_sentence(game.narrator.name_of(luckiest))
        return f"The dice favoured {name}: {amount(round(gains[luckiest], 1), 'unit')} better than expected."


def after_action(history: History, is_time_up: Callable[[], bool] = lambda: False) -> AfterAction:
    """Return the after-action report. It reveals hidden information, so show it only after the battle.

    The computation of luck stops when `is_time_up` returns True; the report states how many attacks it includes.
    `is_time_up` is first called when everything else is ready.
    """
    game, state = history.game, history.state
    scenario = game.scenario
    result = outcome_sentence(scenario, history.outcome) if history.is_over else "The battle is not over."
    turning_points = sorted(_turning_points(game, list(moments(history))), key=lambda point: point[0])
    events = [event for played in history.steps if played.done for event in played.done.events]
    return AfterAction(
        f"{scenario.title}, {scenario.place}, {scenario.year}",
        game.rules.book.title,
        result,
        tuple(score_sentences(score(history), game)),
        _losses(game, events),
        tuple(sentence for _, sentence in turning_points),
        _luck(history, is_time_up),
        tuple(_commanders(game, state)),
        tuple(step for step, _ in turning_points),
    )


def _losses(game: Game[Any], events: list[Event]) -> dict[str, dict[str, float]]:
    """Return the losses of each side by cause, as the rules count them."""
    losses: dict[str, dict[str, float]] = {side: {} for side in game.seats}
    for event in events:
        if event.kind == "loss" and event.data.get("side") in losses:
            causes = losses[event.data["side"]]
            cause = str(event.data.get("cause", "other"))
            causes[cause] = causes.get(cause, 0) + event.data["lost"]
    return losses


def _turning_points(game: Game[Any], scores: list[ScoreChange]) -> Iterator[tuple[int, str]]:
    """Yield the changes of the lead, in points or else in force, and the step that changed the forces most.

    Each has the index of its step. `scores` has the score after each step, in order.
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

    last_leader = ""
    for step, (before, moment) in enumerate(zip([None, *scores], scores, strict=False)):
        leading_side = leader(moment)
        if leading_side and leading_side != last_leader:
            why = "; ".join(reasons(game, before, moment))
            deed = next(reversed(moment.sentences), "") if why else moment.cause(leading_side)
            deed = "" if before is None else deed  # a side that leads from the start leads by its position
            why = f": {with_deed(why, deed)}" if why or deed else ""
            if last_leader:
                takes_lead = f"{agreeing(name(leading_side), 'takes', 'take')} the lead"
            else:
                takes_lead = f"{agreeing(name(leading_side), 'is', 'are')} the first to lead"
            yield step, f"{_turn_of(moment)}: {in_a_sentence(name(leading_side))} {takes_lead}{why}"
        last_leader = leading_side or last_leader
    changes = [(abs(after.lead - before.lead), step) for step, (before, after) in enumerate(pairwise(scores), start=1)]
    largest, step = max(changes, key=lambda change: change[0], default=(0.0, 0))
    if largest >= _LEAST_LEAD:
        moment = scores[step]
        sentences = list(dict.fromkeys(sentence for _, _, sentence in moment.lost)) or moment.sentences
        yield (
            step,
            f"{_turn_of(moment)}: the largest change, {percent(largest)} of a force{_short_sentences(sentences)}",
        )


def _turn_of(moment: ScoreChange) -> str:
    """Return the turn of a change in words."""
    return f"Turn {moment.turn}" if moment.turn else "Before turn 1"


def _short_sentences(sentences: Sequence[str]) -> str:
    """Return the first three sentences that are short enough. A long one reports a throw with its modifiers."""
    short = [sentence for sentence in sentences if len(sentence) <= _LONGEST_SENTENCE][:3]
    return f": {join_sentences(short)}" if short else ""


class Attack(NamedTuple):
    """A choice that led to dice: its place in the history, and the states before it and before the next attack."""

    played: PlayedStep
    answer_index: int
    question: Choose | Confirm
    before: Any
    after: Any = None


def _luck(history: History, is_time_up: Callable[[], bool]) -> dict[str, DiceLuck]:
    """Return the actual and expected losses of each side's attacks."""
    game = history.game
    attacks = list(_attacks(history))
    spacing = max(1.0, len(attacks) / _MOST_ATTACKS)
    sampled_attacks = [attacks[int(number * spacing)] for number in _spread(min(_MOST_ATTACKS, len(attacks)))]
    expected, actual = [], []
    for attack in sampled_attacks:
        if not is_time_up() and (losses := _expected_losses(game, attack)) is not None:
            expected.append(losses)
            actual.append(_losses_between(game, attack.before, attack.after))
    luck = {}
    for side in game.seats:
        foes = [other for other in game.seats if other != side]
        luck[side] = DiceLuck(
            attacks=len(expected),
            all_attacks=len(attacks),
            expected_dealt=round(total(losses[foe] for losses in expected for foe in foes), 3),
            dealt=round(total(losses[foe] for losses in actual for foe in foes), 3),
            expected_suffered=round(total(losses[side] for losses in expected), 3),
            suffered=round(total(losses[side] for losses in actual), 3),
        )
    return luck


def _spread(count: int) -> list[int]:
    """Return the numbers from 0 to `count` - 1 in an order whose beginnings are spread evenly over all of them.

    If time runs out, the luck then covers the whole battle and not only its start.
    """
    digits = max(count - 1, 0).bit_length()
    return sorted(range(count), key=lambda number: f"{number:0{digits}b}"[::-1])


def _attacks(history: History) -> Iterator[Attack]:
    """Yield the choices whose odds are worth showing, in order.

    If several choices lead to the same dice, the last one counts. The other side's replies to an attack do not count.
    """
    game = history.game
    attack: Attack | None = None  # the last choice of this kind; it counts once dice follow
    has_dice = False
    for played, following in pairwise(history.steps):
        start, state = played.start, following.start
        for index, answered in enumerate(played.answers):
            if isinstance(answered.question, (Roll, Draw)):
                has_dice = True
            elif isinstance(answered.question, (Choose, Confirm)):
                at_question = advance(game, start, [earlier.answer for earlier in played.answers[:index]])
                if not isinstance(at_question, AtQuestion) or not isinstance(at_question.question, (Choose, Confirm)):
                    continue
                if attack is not None and has_dice and _is_reply(at_question.question, attack, played):
                    continue
                view = game.sight.view(at_question.draft, at_question.question.seat)
                if game.advisor.has_odds(view, at_question.question, answered.answer):
                    if attack is not None and has_dice:
                        yield attack._replace(after=at_question.draft)
                    attack, has_dice = Attack(played, index, at_question.question, at_question.draft), False
        if attack is None:
            continue
        next_step = game.play.next_step(state)
        if next_step is None or not game.odds_horizon.includes(attack.before, state, next_step):
            if has_dice:
                yield attack._replace(after=state)
            attack, has_dice = None, False


def _is_reply(question: Choose | Confirm, attack: Attack, played: PlayedStep) -> bool:
    """Return True if a choice in a step is the other side's reply to an attack in that step."""
    return question.seat != attack.question.seat and attack.played is played


def _expected_losses(game: Game[Any], attack: Attack) -> dict[str, float] | None:
    """Return the expected losses of each side after a choice; None if there are no odds."""
    answers = attack.played.answers
    given = [GivenAnswer(answered.question, answered.answer) for answered in answers[: attack.answer_index]]

    def losses(_: Any, after: Any) -> tuple[float, ...]:
        return tuple(_losses_between(game, attack.before, after).values())

    try:
        odds = odds_of(
            game,
            attack.played.start,
            given,
            attack.question,
            answers[attack.answer_index].answer,
            losses,
            paths=_MOST_OUTCOMES,
            seconds=1.0,
            then=0.0,
            plays=_PLAYS,
        )
    except (QuestionChanged, RuleBroken):
        return None
    means = [odds.mean(lambda lost, place=place: Fraction(lost[place])) for place in range(len(game.seats))]  # type: ignore[misc]  # mypy cannot infer a lambda with a default
    return dict(zip(game.seats, map(float, means), strict=True))


def _losses_between(game: Game[Any], before: Any, after: Any) -> dict[str, float]:
    """Return the losses of each side between two states, in whole units."""
    scoreboard_before, scoreboard_after = game.scoreboard(before), game.scoreboard(after)
    losses = dict.fromkeys(game.seats, 0.0)
    for name, unit in game.scenario.units.items():
        losses[unit.side] += round(scoreboard_before.share_left((name,)) - scoreboard_after.share_left((name,)), 4)
    return {side: round(lost, 4) for side, lost in losses.items()}


def _commanders(game: Game[Any], state: Any) -> Iterator[str]:
    """Yield the fate of each leader of the scenario."""
    scoreboard = game.scoreboard(state)
    for key, leader in game.scenario.leaders.items():
        fate = "killed or captured" if scoreboard.leader_lost(key) else "alive"
        yield f"{leader.name} ({rank_name(leader.rank)}, {in_a_sentence(game.narrator.name_of(leader.side))}): {fate}"
