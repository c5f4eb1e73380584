"""The current score, and the moments at which it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from operator import itemgetter
from typing import Any

from zareba.base.grammar import agreeing, amount, in_a_sentence, join_with_and, percent
from zareba.game import Game
from zareba.scenario.load import hidden_from
from zareba.scenario.model import Destroy, Escort, Hold, Survive
from zareba.scenario.victory import Scoreboard, count_points, objectives_at_the_end, scored_objectives
from zareba.session.briefing import objective_phrase
from zareba.session.history import History
from zareba.table import Event

CHANGES_TITLE = "How the score changed"
"""The title above the changes of a score, among its sentences."""

_LONGEST_QUOTE = 70
"""Most characters of a sentence that is quoted as the cause of a change."""


@dataclass(frozen=True)
class ObjectiveScore:
    """An objective: its points, its task, and its present state."""

    name: str
    points: int
    to_do: str
    stands: str


@dataclass(frozen=True)
class ScoreChange:
    """The score after a step: the game turn, the points of each side, and the lead of the first side in force.

    `sentences` are the events of the step. `lost` lists the losing side, the loss, and the sentence of each event
    with losses. `scored_objectives` are the objectives that score then, each with its side.
    """

    turn: int
    points: dict[str, float]
    lead: float
    sentences: tuple[str, ...]
    lost: tuple[tuple[str, float, str], ...] = ()
    scored_objectives: tuple[tuple[str, str], ...] = ()

    def cause(self, side: str) -> str:
        """Return the sentence of the event that helped a side most: the largest enemy loss, otherwise the last
        sentence.
        """
        losses = [(lost, sentence) for loser, lost, sentence in self.lost if loser != side]
        return max(losses, key=itemgetter(0))[1] if losses else next(reversed(self.sentences), "")


@dataclass(frozen=True)
class Score:
    """The points and force of every side, each objective, and the changes in order.

    Unless the battle is `over`, the points are those that the sides would have if it ended now.
    """

    turn: int
    turns: int
    points: dict[str, float]
    strength: dict[str, float]
    goals: tuple[ObjectiveScore, ...]
    changes: tuple[ScoreChange, ...]
    over: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return asdict(self)


def score(history: History, seat: str | None = None) -> Score:
    """Return the score as a seat may know it, or the full truth for None. Changes are included only if nothing is
    hidden.
    """
    game = history.game
    current = score_of_state(game, history.state, seat)
    if seat is not None and hides_units(game, seat):
        return current
    return replace(current, changes=tuple(_changed(list(moments(history)))))


def score_of_state(game: Game[Any], state: Any, seat: str | None) -> Score:
    """Return the score of a state without its changes. A seat does not get the strength of an enemy that may hide
    units.
    """
    seen = state if seat is None else game.sight.view(state, seat)
    strength, points = game.strength(seen), dict(game.play.outcome(seen).points)
    if seat is not None and hides_units(game, seat):
        strength, points = {seat: strength[seat]}, _public_points(game, seen)
    return Score(
        game.game_turn(seen),
        game.scenario.turns,
        points,
        strength,
        tuple(_goals(game, seen, seat)),
        (),
        bool(game.play.ending(seen)),
    )


def points_and_strength(game: Game[Any], state: Any, seat: str) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Return the points of each side, and the strengths that `seat` may know; "" is a watcher.

    While the enemy may hide units, their losses, and the points for those losses, would reveal hidden figures.
    """
    if not game.sight.may_hide(seat):
        return game.play.outcome(state).points, game.strength(state)
    seen = game.sight.view(state, seat) if seat else game.sight.public(state)
    return _public_points(game, seen), {seat: game.strength(seen)[seat]} if seat else {}


def _public_points(game: Game[Any], seen: Any) -> dict[str, float]:
    """Return the points that everyone can see: achieved objectives and held places. Points for losses would reveal
    hidden figures.
    """
    points = dict.fromkeys(game.seats, 0.0)
    scoreboard = game.scoreboard(seen)
    for key, goal in game.scenario.objectives.items():
        side = seen.achieved.get(key) or (scoreboard.holder(goal) if isinstance(goal, Hold) else None)
        if side in (goal.by or game.seats):
            points[side] += goal.points
    return points


def hides_units(game: Game[Any], seat: str) -> bool:
    """Return True if an enemy of the seat can hide units, even if none is hidden at present."""
    return game.sight.may_hide(seat) or any(unit.hidden for unit in game.scenario.units.values() if unit.side != seat)


def _goals(game: Game[Any], state: Any, seat: str | None) -> Iterator[ObjectiveScore]:
    """Yield each objective with its present state, as far as a seat may know it."""
    scenario, scoreboard, achieved = game.scenario, game.scoreboard(state), state.achieved
    hidden = hidden_from(scenario, () if seat is None else (seat,))
    may_know_all = seat is None or not hides_units(game, seat)
    to_survivor = _objectives_of_survivor(game, state, scoreboard) if may_know_all else {}
    over = bool(game.play.ending(state))
    scoring = scored_objectives(scenario, scoreboard, achieved) if over and not to_survivor else ()

    def name(side: str) -> str:
        return in_a_sentence(game.narrator.name_of(side))

    for key, goal in scenario.objectives.items():
        stands = "not achieved" if over else "not achieved yet"
        if key in achieved:
            stands = f"achieved by {name(achieved[key])}"
        elif key in to_survivor:
            stands = f"goes to {name(to_survivor[key])}, the only side left"
        elif isinstance(goal, Hold):
            holder = scoreboard.holder(goal)
            stands = f"held by {name(holder)}" if holder else "held by neither side"
            stands += "" if over else " now; counts at the end"
        elif isinstance(goal, Destroy):
            destroyed = _destroyed(game, scoreboard, goal, seat if not may_know_all else None)
            winners = [side for scored, side in scoring if scored == key and side in destroyed]
            if winners:
                done = join_with_and([f"{name(side)} ({percent(destroyed[side])} destroyed)" for side in winners])
                stands = f"achieved by {done}; {percent(goal.share)} needed"
            elif destroyed:
                done = join_with_and([f"{name(side)} destroyed {percent(share)}" for side, share in destroyed.items()])
                stands = (
                    f"{done}{'' if over else ' so far'}; {percent(goal.share)} needed{'' if over else ' at the end'}"
                )
        elif isinstance(goal, Escort):
            stands = f"{percent(scoreboard.share_brought(goal))} there; {percent(goal.share)} needed"
        elif isinstance(goal, Survive) and goal.by and (may_know_all or seat in goal.by):
            left = scoreboard.share_left(goal.units or tuple(scenario.units_of(goal.by[0])))
            stands = f"{percent(left)} of its troops left; {percent(goal.share)} needed at the end of turn {goal.turn}"
            stands = f"not achieved: {stands}" if over else stands
        elif isinstance(goal, Survive) and not over:
            stands = f"decided at the end of turn {goal.turn}"
        yield ObjectiveScore(goal.name, goal.points, objective_phrase(game, goal, hidden), stands)


def _destroyed(game: Game[Any], scoreboard: Scoreboard[Any], goal: Destroy, blind: str | None) -> dict[str, float]:
    """Return the share that each side has destroyed for an objective, without that of a side that may not know it."""
    scenario, destroyed = game.scenario, {}
    for side in goal.by or game.seats:
        are_own_units = bool(goal.units) and scenario.units[goal.units[0]].side == side
        if side == blind or are_own_units:
            continue
        enemies = tuple(unit for enemy in scenario.enemies_of(side) for unit in scenario.units_of(enemy))
        destroyed[side] = 1 - scoreboard.share_left(goal.units or enemies)
    return destroyed


def _objectives_of_survivor(game: Game[Any], state: Any, scoreboard: Scoreboard[Any]) -> dict[str, str]:
    """Return the objectives of a finished battle that go to the only side left; {} if they do not count."""
    if not game.play.ending(state):
        return {}
    at_end = objectives_at_the_end(scoreboard)
    if game.play.outcome(state).points != count_points(game.scenario, scoreboard, at_end):
        return {}
    return {key: side for key, side in at_end.items() if key not in scoreboard.achieved}


def moments(history: History) -> Iterator[ScoreChange]:
    """Yield the score after every finished step; each is computed once."""
    for played, following in pairwise(history.steps):
        if played.change is None:
            assert played.done is not None, "another step follows it"
            played.change = change_of(history.game, played.turn, played.done.events, following.start)
        yield played.change


def change_of(game: Game[Any], turn: int, events: Iterable[Event], state: Any) -> ScoreChange:
    """Return the score after a step, from its events and the state after it."""
    first, strength = game.seats[0], game.strength(state)
    lead = strength[first] - max(share for side, share in strength.items() if side != first)
    sentences, lost = _sentences_and_losses(game, events)
    points = dict(game.play.outcome(state).points)
    scoring = tuple(scored_objectives(game.scenario, game.scoreboard(state), state.achieved))
    return ScoreChange(turn, points, round(lead, 6), sentences, lost, scoring)


def reasons(game: Game[Any], before: ScoreChange | None, after: ScoreChange) -> list[str]:
    """Return why the points changed between two moments, one phrase per objective that a side gained or lost."""
    was, now = set(before.scored_objectives if before else ()), set(after.scored_objectives)
    phrases = []

    def name(side: str) -> str:
        return in_a_sentence(game.narrator.name_of(side))

    for key, goal in game.scenario.objectives.items():
        gained = [name(side) for scored, side in after.scored_objectives if scored == key and (scored, side) not in was]
        lost = [name(side) for scored, side in sorted(was - now) if scored == key]
        if gained:
            phrases.append(f"{join_with_and(gained)} {agreeing(gained[0], 'gains', 'gain')} '{goal.name}'")
        elif lost:
            phrases.append(f"{join_with_and(lost)} {agreeing(lost[0], 'loses', 'lose')} '{goal.name}'")
    return phrases


def _sentences_and_losses(
    game: Game[Any], events: Iterable[Event]
) -> tuple[tuple[str, ...], tuple[tuple[str, float, str], ...]]:
    """Return the sentences of the events, and the losses that each caused. A loss belongs to the last sentence before
    it. A shot without a loss changes no score, so its sentence is left out.
    """
    sentences: list[str] = []
    shots: set[str] = set()
    lost: dict[tuple[str, str], float] = {}
    deed = ""
    for event in events:
        sentence = game.narrator.describe_event(event)
        if sentence:
            sentences.append(sentence)
            if event.kind in game.narrator.words.shots:
                shots.add(sentence)
        if event.kind != "loss":
            deed = sentence or deed
        elif deed:
            side = event.data["side"]
            lost[side, deed] = lost.get((side, deed), 0) + event.data["lost"]
    in_vain = shots - {deed for _, deed in lost}
    told = tuple(sentence for sentence in sentences if sentence not in in_vain)
    return told, tuple((side, cost, deed) for (side, deed), cost in lost.items())


def _changed(scores: list[ScoreChange]) -> Iterator[ScoreChange]:
    """Yield the scores at which the points changed. Points after the first step count from the start, without a
    cause.
    """
    last: dict[str, float] = {}
    for moment in scores:
        if moment.points != last and (last or any(moment.points.values())):
            yield moment if last else replace(moment, sentences=(), lost=())
        last = moment.points


def with_deed(why: str, deed: str) -> str:
    """Return a reason with the sentence of the act behind it.

    A long sentence is left out, because it reports a throw with its modifiers, or a table, and not what was done.
    """
    return f"{why} ({deed})" if why and deed and len(deed) <= _LONGEST_QUOTE else why or deed


def score_sentences(current: Score, game: Game[Any]) -> list[str]:
    """Return the score in sentences."""
    names = game.narrator.name_of

    def of_sides(values: Mapping[str, str]) -> str:
        return ", ".join(f"{in_a_sentence(names(side))} {value}" for side, value in values.items())

    points = of_sides({side: amount(value, "point") for side, value in current.points.items()})
    lines = [
        f"Turn {current.turn} of {current.turns}" if current.turn else f"Before turn 1 of {current.turns}",
        f"{'Final score' if current.over else 'If the battle ended now'}: {points}",
        f"Force left, with leaders: {of_sides({side: f'{percent(share)}' for side, share in current.strength.items()})}",
        *(f"{goal.name} ({amount(goal.points, 'point')}): {goal.stands}" for goal in current.goals),
    ]
    if current.changes:
        lines.append(CHANGES_TITLE if current.over else f"{CHANGES_TITLE}, as if the battle ended then")
    before: ScoreChange | None = None
    for change in current.changes:
        points = of_sides({side: f"{value:g}" for side, value in change.points.items()})
        deed = next(reversed(change.sentences), "")
        why = with_deed("; ".join(reasons(game, before, change)), deed)
        lines.append(
            f"{f'Turn {change.turn}' if change.turn else 'Before turn 1'}: {points}{f'; {why}' if why else ''}"
        )
        before = change
    return lines
