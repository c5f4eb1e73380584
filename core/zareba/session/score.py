"""The score as it stands, and how it came about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from operator import itemgetter
from typing import Any

from zareba.base.amounts import amount, listed
from zareba.game import Game
from zareba.scenario.known import hidden_from
from zareba.scenario.law import settled
from zareba.scenario.model import Destroy, Escort, Hold
from zareba.scenario.scoring import points
from zareba.scenario.standing import Standing
from zareba.session.briefing import what_to_do
from zareba.session.history import History
from zareba.table import Event

__all__ = ["Change", "Goal", "Score", "change_of", "moments", "score", "standing"]


@dataclass(frozen=True)
class Goal:
    """An objective: what it is worth, what is to be done, and how that stands."""

    name: str
    points: int
    to_do: str
    stands: str


@dataclass(frozen=True)
class Change:
    """A change of the score: the game turn, the points of each side after it, and the lead of each side's force.

    `told` are the sentences of what was done in that step, `lost` what each deed of it cost whom, with its sentence.
    """

    turn: int
    points: dict[str, float]
    lead: float
    told: tuple[str, ...]
    lost: tuple[tuple[str, float, str], ...] = ()

    def cause(self, side: str) -> str:
        """The sentence of what helped a side most in that step: what cost its enemies most, else what was told last."""
        deeds = [(lost, sentence) for loser, lost, sentence in self.lost if loser != side]
        return max(deeds, key=itemgetter(0))[1] if deeds else next(reversed(self.told), "")


@dataclass(frozen=True)
class Score:
    """The points and the force of every side, each objective, and the changes in their order."""

    turn: int
    turns: int
    points: dict[str, float]
    strength: dict[str, float]
    goals: tuple[Goal, ...]
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON-ready form."""
        return asdict(self)


def score(history: History, seat: str | None = None) -> Score:
    """The score as a seat may know it, the whole truth for None. How it came about is told where nothing is hidden."""
    game = history.game
    found = stands(game, history.state, seat)
    if seat is not None and _hides(game, seat):
        return found
    return replace(found, changes=tuple(_changed(list(moments(history)))))


def stands(game: Game[Any], state: Any, seat: str | None) -> Score:
    """The score of a state without how it came about; a seat is not told how strong those are who hide somebody from it."""
    seen = state if seat is None else game.view(state, seat)
    strength, points = game.strength(seen), dict(game.outcome(seen).points)
    if seat is not None and _hides(game, seat):
        strength, points = {seat: strength[seat]}, _openly(game, seen)
    return Score(
        game.game_turn(seen),
        game.scenario.turns,
        points,
        strength,
        tuple(_goals(game, seen, seat)),
        (),
    )


def standing(game: Game[Any], state: Any, seat: str) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Return the points of each side, and the strength of those of whom `seat` may know it; "" only watches.

    While the enemy may hide somebody his losses tell of hidden men, and so do the points that are given for them.
    """
    if not game.may_hide(seat):
        return game.outcome(state).points, game.strength(state)
    seen = game.view(state, seat) if seat else game.public(state)
    return _openly(game, seen), {seat: game.strength(seen)[seat]} if seat else {}


def _openly(game: Game[Any], seen: Any) -> dict[str, float]:
    """The points that everybody sees: what is achieved for good, and places that are held; losses tell of hidden men."""
    points = dict.fromkeys(game.seats, 0.0)
    standing = game.standing(seen)
    for key, goal in game.scenario.objectives.items():
        side = seen.achieved.get(key) or (standing.holder(goal) if isinstance(goal, Hold) else None)
        if side in (goal.by or game.seats):
            points[side] += goal.points
    return points


def _hides(game: Game[Any], seat: str) -> bool:
    """Whether the scenario lets an enemy of a seat hide somebody, whether he does so at present or not."""
    return any(unit.hidden for unit in game.scenario.units.values() if unit.side != seat)


def _goals(game: Game[Any], state: Any, seat: str | None) -> Iterator[Goal]:
    scenario, standing, achieved = game.scenario, game.standing(state), state.achieved
    hidden = hidden_from(scenario, () if seat is None else (seat,))
    falls = {} if seat is not None and _hides(game, seat) else _falls_to(game, state, standing)
    for key, goal in scenario.objectives.items():
        stands = "open"
        if key in achieved:
            stands = f"achieved by {game.name_of(achieved[key])}"
        elif key in falls:
            stands = f"falls to {game.name_of(falls[key])}, alone in the field"
        elif isinstance(goal, Hold):
            holder = standing.holder(goal)
            stands = f"held by {game.name_of(holder)}" if holder else "held by nobody alone"
        elif isinstance(goal, Destroy):
            sides = goal.by or game.seats
            lost = {
                side: 1
                - standing.share_left(
                    goal.units or tuple(u for e in scenario.enemies_of(side) for u in scenario.units_of(e))
                )
                for side in sides
                if (seat is None or not _hides(game, seat) or side != seat)
                if not goal.units or scenario.units[goal.units[0]].side != side
            }
            stands = listed([f"{share:.0%} by {game.name_of(side)}" for side, share in lost.items()] or ["open"])
        elif isinstance(goal, Escort):
            stands = f"{standing.share_brought(goal):.0%} brought"
        yield Goal(goal.name, goal.points, what_to_do(game, goal, hidden), stands)


def _falls_to(game: Game[Any], state: Any, standing: Standing[Any]) -> dict[str, str]:
    """Return the objectives of a battle that is over that go to a side because no other is left; {} unless they count."""
    if not game.ending(state):
        return {}
    found = settled(standing)
    if game.outcome(state).points != points(game.scenario, standing, found):
        return {}
    return {key: side for key, side in found.items() if key not in standing.achieved}


def moments(history: History) -> Iterator[Change]:
    """How things stood after every step that is finished; of each it is worked out once."""
    for played, following in pairwise(history.steps):
        if played.change is None:
            assert played.done is not None, "another step follows it"
            played.change = change_of(history.game, played.turn, played.done.events, following.start)
        yield played.change


def change_of(game: Game[Any], turn: int, events: Iterable[Event], state: Any) -> Change:
    """What a step of a game turn has made of the score: its events, and the state after it."""
    first, strength = game.seats[0], game.strength(state)
    lead = strength[first] - max(share for side, share in strength.items() if side != first)
    told, lost = _deeds(game, events)
    return Change(turn, dict(game.outcome(state).points), round(lead, 6), told, lost)


def _deeds(game: Game[Any], events: Iterable[Event]) -> tuple[tuple[str, ...], tuple[tuple[str, float, str], ...]]:
    """The sentences of what happened, and what each deed cost a side: losses belong to what was told before them."""
    told: list[str] = []
    lost: dict[tuple[str, str], float] = {}
    deed = ""
    for event in events:
        sentence = game.describe_event(event)
        if sentence:
            told.append(sentence)
        if event.kind != "loss":
            deed = sentence or deed
        elif deed:
            side = event.data["side"]
            lost[side, deed] = lost.get((side, deed), 0) + event.data["lost"]
    return tuple(told), tuple((side, cost, deed) for (side, deed), cost in lost.items())


def _changed(found: list[Change]) -> Iterator[Change]:
    """The moments at which the points changed."""
    last: dict[str, float] = {}
    for moment in found:
        if moment.points != last and (last or any(moment.points.values())):
            yield moment
        last = moment.points


def _left(strength: Mapping[str, float], side: str) -> str:
    return f", {strength[side]:.0%} of its force left" if side in strength else ""


def told(found: Score, game: Game[Any]) -> list[str]:
    """The score in sentences."""
    names = game.name_of
    lines = [
        f"Turn {found.turn} of {found.turns}",
        *(
            f"{names(side)}: {amount(points, 'point')}{_left(found.strength, side)}"
            for side, points in found.points.items()
        ),
        *(f"{goal.name} ({amount(goal.points, 'point')}): {goal.stands}" for goal in found.goals),
    ]
    for change in found.changes:
        points = ", ".join(f"{names(side)} {value:g}" for side, value in change.points.items())
        why = f": {change.told[-1]}" if change.told else ""
        lines.append(f"in turn {change.turn} {points}{why}")
    return lines
