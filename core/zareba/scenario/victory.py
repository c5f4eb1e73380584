"""Points, scoreboard and victory by the common rules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeVar

from zareba.base.exact import dist, total
from zareba.base.grammar import agreeing, amount, in_a_sentence, percent
from zareba.base.speedups import cached_attribute
from zareba.renamed import RenamedAttribute, accept_old_arguments, warn_renamed
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Objective, Scenario, Survive
from zareba.scenario.objective_area import ObjectiveArea
from zareba.space.geometry import Point

# --- The state of a battle in the terms in which scenarios score: a list of counted men and what follows from it ------
#
# A ruleset supplies the list (`counted_groups`), decides how close counts as being at a place (`is_at`), and reports
# objects that are carried off. Strength, losses, size, holders of places and the ability to act follow from these under
# every ruleset.


Fate = Literal["ready", "going back", "broken", "coming", "off", "lost"]
"""The state of counted men.

"ready": under control. "going back": under control but falling back, so they hold no place. "broken": out of control
on the table. "coming": still to arrive, or certain to return. "off": left the table by a permitted exit. "lost": out
of the battle for good.
"""

_EFFECTIVE = frozenset({"ready", "going back", "coming", "off"})
"""The fates that count towards a side's strength."""

_NO_FIGURES = (0.0, 0.0, 0.0)

B = TypeVar("B")


class CountedGroup(NamedTuple):
    """Men, bases or crew of one side that share one fate. `number` is how the rules count them at the start.

    `unit` is the scenario unit whose strength they count towards, "" for none. `leader` is the scenario's leader if
    the group is only that leader. `position` is in the form that the ruleset uses, and a value that never changes:
    groups that are equal have not moved. `edge` is the table edge by which they left.
    """

    side: str
    number: float
    fate: Fate
    unit: str = ""
    leader: str = ""
    position: Any = None
    edge: str = ""


class Numbers(NamedTuple):
    """The strength of some units: at the start, left now, and off the table by a permitted exit (part of `left`).

    Men who are effective, still to come, or off by a permitted exit count as left.
    """

    start: float
    left: float
    off: float

    @property
    def share_left(self) -> float:
        """The share, 0 to 1, that is left; 0 if there were none at the start."""
        return self.left / self.start if self.start else 0.0


class ScoredObject(Protocol):
    """An object of the scenario in play."""

    @property
    def taken_by(self) -> str:
        """The side that carried it off the table; "" if none has yet."""

    @property
    def edge(self) -> str:
        """The edge by which it left the table."""


@accept_old_arguments
class Scoreboard(ABC, Generic[B]):
    """The score state of a `battle`. It describes the battle at the moment it was made.

    `turn` is the game turn that has just ended, 0 while a turn is in progress. `achieved` maps objectives scored for
    good to their sides. By default both, and `carried_objects`, are taken from the battle. `beaten` lists the sides
    that the ruleset's own victory rule removes from the field. `last` is True if no further turn follows, so that later
    arrivals no longer count as able to act.
    """

    is_listed_fast: ClassVar[bool] = False
    """True if listing the groups (`men`) is faster than copying the battle."""
    move_length: ClassVar[float] = 6.0
    """The usual move of a turn on a free table, in the ruleset's unit of length; for estimates (`turns_to_reach`)."""
    inch: ClassVar[float] = 1.0
    """An inch in the ruleset's unit of length."""
    prizes = RenamedAttribute("scoreboard", "carried_objects")

    def __init__(
        self,
        battle: B,
        scenario: Scenario,
        *,
        turn: int | None = None,
        achieved: Mapping[str, str] | None = None,
        carried_objects: Mapping[str, ScoredObject] | None = None,
        beaten: Iterable[str] = (),
        last: bool | None = None,
    ) -> None:
        state: Any = battle
        self.battle = battle
        self.scenario = scenario
        self.turn: int = state.turn if turn is None else turn
        self.achieved: Mapping[str, str] = state.achieved if achieved is None else achieved
        self.carried_objects = _carried_objects_of(battle) if carried_objects is None else carried_objects
        self.beaten = frozenset(beaten)
        self.last = self.turn >= scenario.turns if last is None else last
        self._reaches: dict[str, ObjectiveArea | None] = {}

    # --- supplied by the ruleset --------------------------------------------------------------------------------------

    @abstractmethod
    def counted_groups(self) -> Iterable[CountedGroup]:
        """Yield everything that counts, whatever its fate; together this is what the sides started with."""

    def spots(self, men: CountedGroup) -> Iterable[Any]:
        """Yield each place that these men occupy on the table."""
        return (men.position,)

    def groups_of_units(self, units: Collection[str]) -> Iterable[CountedGroup]:
        """Yield the counted groups of some units. A ruleset that can look up single units cheaply should override
        it.
        """
        return (men for men in self.men if men.unit in units)

    def groups_of_side(self, side: str) -> Iterable[CountedGroup]:
        """Yield the counted groups of a side. Override it for speed, as `groups_of_units`."""
        return (men for men in self.__dict__.get("men") or self.counted_groups() if men.side == side)

    def groups_of_leader(self, leader: str) -> Iterable[CountedGroup]:
        """Yield the counted groups that are this leader of the scenario. Override it for speed, as
        `groups_of_units`.
        """
        return (men for men in self.men if men.leader == leader)

    @abstractmethod
    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        """Return True if men on the table are at the place of an objective."""

    def objective_area(self, key: str, goal: Hold | Escort) -> ObjectiveArea | None:
        """Return the part of the table where men are at the place of an objective (`is_at`), to show it to players.

        None if the objective has no place on the table, or if the ruleset does not say.
        """
        return None

    def turns_to_reach(self, men: CountedGroup, key: str, goal: Hold | Escort | CarryOff) -> float | None:
        """Return how many turns a group needs to get where it counts for an objective: 0 there, None if not known.

        For an object to carry off, this is the way to the object, or for its carrier the way to the edge. By default
        it is the straight distance on a free table; a ruleset overrides it for its own ground.
        """
        if men.position is None or men.fate not in ("ready", "going back", "broken"):
            return None
        spot = next(iter(self.spots(men)), None)
        if spot is None:
            return None
        if isinstance(goal, CarryOff):
            carried_object: Any = self.carried_objects.get(goal.object)
            if carried_object is None:
                return None
            if carried_object.carrier and carried_object.carrier == men.unit:
                return self._turns_to_edge(spot, goal.edge)
            return dist(spot, carried_object.at) / self.move_length if carried_object.at is not None else None
        if goal.at is None and isinstance(goal, Escort):
            return self._turns_to_edge(spot, goal.edge)
        if self.is_at(men, key, goal):
            return 0.0
        reach = self._reaches.get(key)
        if reach is None:
            reach = self._reaches[key] = self.objective_area(key, goal)
        return None if reach is None else reach.distance(spot) / self.move_length

    def _turns_to_edge(self, spot: Point, edge: str | None) -> float | None:
        table = self.scenario.table
        x, y = spot
        width, depth = table.width * self.inch, table.depth * self.inch
        distances = {"south": y, "north": depth - y, "west": x, "east": width - x}
        return None if edge is None else max(0.0, distances[edge]) / self.move_length

    def owner(self, key: str, goal: Hold) -> str | None:
        """Return the side that a place belongs to now. A ruleset overrides it if a side keeps a place that it has
        left.
        """
        return self.holder(goal)

    def sides_at(self, key: str, goal: Hold) -> Iterable[str]:
        """Yield the side of each "ready" group at a place. Override it for speed, as `groups_of_units`."""
        return (men.side for men in self.men if men.fate == "ready" and self.is_at(men, key, goal))

    def numbers(self, units: Sequence[str]) -> Numbers:
        """Return the strength of some units together. Override it for speed, as `groups_of_units`."""
        if "men" not in self.__dict__ and 2 * len(units) < len(self.scenario.units):
            return _numbers_of(self.groups_of_units(units))
        start = left = off = 0.0
        for unit in units:
            unit_start, unit_left, unit_off = self._numbers_of_unit.get(unit, _NO_FIGURES)
            start += unit_start
            left += unit_left
            off += unit_off
        return Numbers(start, left, off)

    def numbers_of_side(self, side: str) -> Numbers:
        """Return the strength of a side with its leaders. Override it for speed, as `groups_of_units`."""
        return Numbers(*self._numbers_of_side.get(side, _NO_FIGURES))

    def carried_off(self, goal: CarryOff) -> str | None:
        """Return the side that has carried the object over the objective's edge, None if no side has."""
        carried_object = self.carried_objects.get(goal.object)
        return (
            carried_object.taken_by
            if carried_object is not None and carried_object.taken_by and carried_object.edge == goal.edge
            else None
        )

    def lies_on_table(self, goal: CarryOff) -> bool:
        """Return True if the object is still on the table and can be carried off."""
        carried_object = self.carried_objects.get(goal.object)
        return carried_object is not None and not carried_object.taken_by

    def leader_lost(self, leader: str) -> bool:
        """Return True if a leader is dead, captured, or gone for good.

        A leader who left by a permitted exit, or may come back, is not lost.
        """
        return any(men.fate == "lost" for men in self.groups_of_leader(leader))

    def is_on_table(self, leader: str) -> bool:
        """Return True if a leader is on the table and can be captured."""
        return any(men.fate in ("ready", "going back", "broken") for men in self.groups_of_leader(leader))

    # --- derived from it ----------------------------------------------------------------------------------------------

    @cached_attribute
    def men(self) -> tuple[CountedGroup, ...]:
        """All counted groups, listed once."""
        return tuple(self.counted_groups())

    @cached_attribute
    def _numbers_of_unit(self) -> Mapping[str, Sequence[float]]:
        return _numbers_by(self.men, [men.unit for men in self.men])

    @cached_attribute
    def _numbers_of_side(self) -> Mapping[str, Sequence[float]]:
        return _numbers_by(self.men, [men.side for men in self.men])

    def holder(self, goal: Hold) -> str | None:
        """Return the only side with "ready" men at a place; None if there is none, or more than one."""
        holder: str | None = None
        for side in self.sides_at(self._key(goal), goal):
            if side != holder:
                if holder is not None:
                    return None
                holder = side
        return holder

    def men_at(self, key: str, goal: Hold | Escort) -> list[CountedGroup]:
        """Return the counted groups that are at the place of an objective, whatever their side."""
        on_table = ("ready", "going back", "broken")
        return [men for men in self.men if men.fate in on_table and men.number and self.is_at(men, key, goal)]

    def share_left(self, units: Sequence[str]) -> float:
        """Return the share, 0 to 1, of these units' starting strength that is left."""
        return self.numbers(units).share_left

    def share_off(self, units: Sequence[str]) -> float:
        """Return the share, 0 to 1, of these units' starting strength that has left by a permitted exit."""
        numbers = self.numbers(units)
        return numbers.off / numbers.start if numbers.start else 0.0

    def share_brought(self, goal: Escort) -> float:
        """Return the share, 0 to 1, of an escort's units that has reached its edge or place."""
        key = self._key(goal)
        start = brought = 0.0
        for men in self.groups_of_units(dict.fromkeys(goal.units)):
            start += men.number
            if self._is_brought(men, key, goal):
                brought += men.number
        return brought / start if start else 0.0

    def _is_brought(self, men: CountedGroup, key: str, goal: Escort) -> bool:
        if goal.edge is not None:
            return men.fate == "off" and men.edge == goal.edge
        return men.fate in ("ready", "going back") and self.is_at(men, key, goal)

    def _key(self, goal: Hold | Escort) -> str:
        for key, other in self.scenario.objectives.items():
            if other is goal:
                return key
        raise LookupError("an objective of another scenario")

    def size(self, side: str) -> float:
        """Return the number a side started with, leaders and crews included, as the rules count them."""
        return self.numbers_of_side(side).start

    def strength(self, side: str) -> float:
        """Return the share of a side that is left, as in `share_left`: 1 at the start."""
        return self.numbers_of_side(side).share_left

    def losses(self, side: str) -> float:
        """Return the share of a side that is lost for good."""
        lost = total(men.number for men in self.men if men.side == side and men.fate == "lost")
        size = self.size(side)
        return lost / size if size else 0.0

    def can_act(self, side: str) -> bool:
        """Return True if a side has troops under control on the table or certain to come.

        Leaders without troops do not count. In the last turn, neither do troops still to come.
        """
        fates = ("ready", "going back") if self.last else ("ready", "going back", "coming")
        # a generator: usually one of the first groups decides
        return any(men.unit and men.number > 0 and men.fate in fates for men in self.groups_of_side(side))

    @cached_attribute
    def unopposed(self) -> str | None:
        """The only side left that can act and is not beaten; None if there are more, or none."""
        left = [side for side in self.scenario.sides if side not in self.beaten and self.can_act(side)]
        return left[0] if len(left) == 1 else None


def _carried_objects_of(battle: Any) -> Mapping[str, ScoredObject]:
    """Return the objects of a battle by id; a battle without any has no such attribute.

    The battle class of an older package calls them `prizes`.
    """
    if not hasattr(battle, "carried_objects") and hasattr(battle, "prizes"):
        warn_renamed("battle.prizes", "battle.carried_objects")
        found: Mapping[str, ScoredObject] = battle.prizes
        return found
    return getattr(battle, "carried_objects", {})


def _numbers_by(groups: Iterable[CountedGroup], keys: Iterable[str]) -> dict[str, list[float]]:
    """Return the `Numbers` of the groups with each key, as lists: at the start, left, off."""
    numbers_by_key: dict[str, list[float]] = {}
    for men, key in zip(groups, keys, strict=True):
        numbers = numbers_by_key.get(key)
        if numbers is None:
            numbers = numbers_by_key[key] = [0.0, 0.0, 0.0]
        numbers[0] += men.number
        if men.fate in _EFFECTIVE:
            numbers[1] += men.number
            if men.fate == "off":
                numbers[2] += men.number
    return numbers_by_key


def _numbers_of(groups: Iterable[CountedGroup]) -> Numbers:
    """Return the numbers of all these groups together."""
    groups = list(groups)
    numbers = _numbers_by(groups, [""] * len(groups))
    return Numbers(*numbers.get("", _NO_FIGURES))


# --- Scoring of a scenario's objectives, the same under every ruleset -------------------------------------------------
#
# A ruleset describes the state of the battle; the scenario alone says what that state is worth.


EPSILON = 1e-9


def _may_score(scenario: Scenario, goal_id: str) -> tuple[str, ...]:
    """Return the sides that may score an objective."""
    return scenario.objectives[goal_id].by or tuple(scenario.sides)


def _enemies(scenario: Scenario, side: str) -> list[str]:
    """Return the units of all other sides."""
    return [key for key, unit in scenario.units.items() if unit.side != side]


def record_achieved_objectives(scenario: Scenario, scoreboard: Scoreboard[Any], achieved: dict[str, str]) -> None:
    """At the end of a turn, add permanently scored objectives to `achieved` (objective id -> side)."""
    for key, goal in scenario.objectives.items():
        if key in achieved:
            continue
        sides = _may_score(scenario, key)
        if isinstance(goal, CarryOff):
            side = scoreboard.carried_off(goal)
            if side in sides:
                achieved[key] = side
        elif isinstance(goal, CaptureLeader):
            if scoreboard.leader_lost(goal.leader):
                own_side = scenario.leaders[goal.leader].side
                achieved.update((key, side) for side in sides if side != own_side)
        elif isinstance(goal, Escort):
            if scoreboard.share_brought(goal) >= goal.share:
                own_side = scenario.units[goal.units[0]].side
                achieved.update((key, side) for side in sides if side == own_side)
        elif isinstance(goal, Survive) and scoreboard.turn == goal.turn:
            side = goal.by[0] if goal.by else scenario.units[goal.units[0]].side
            if scoreboard.share_left(goal.units or tuple(scenario.units_of(side))) >= goal.share - EPSILON:
                achieved[key] = side


def is_destroyed(scoreboard: Scoreboard[Any], units: Sequence[str], share: float) -> bool:
    """Return True if these units have lost at least this share of their starting strength.

    Units that the ruleset does not put on the table are never destroyed.
    """
    numbers = scoreboard.numbers(units)
    # EPSILON, because 1 - 0.8 is slightly less than 0.2
    return numbers.start > 0 and 1 - numbers.share_left >= share - EPSILON


def count_points(scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str]) -> dict[str, float]:
    """Return the points of every side now: objectives achieved, places held, and losses inflicted."""
    return _points(scenario, scored_objectives(scenario, scoreboard, achieved))


def _points(scenario: Scenario, scored_by: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Return the points of every side for scored objectives, each with its side."""
    points = dict.fromkeys(scenario.sides, 0.0)
    for key, side in scored_by:
        points[side] += scenario.objectives[key].points
    return points


def scored_objectives(
    scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return the objectives that score now, each with the side that gets its points."""
    scoring = list(achieved.items())
    for key, goal in scenario.objectives.items():
        sides = _may_score(scenario, key)
        if isinstance(goal, Hold):
            side = None if key in achieved else scoreboard.holder(goal)
            if side in sides:
                scoring.append((key, side))
        elif isinstance(goal, Destroy):
            for side in sides:
                if achieved.get(key) == side:
                    continue
                units = goal.units or tuple(_enemies(scenario, side))
                if scenario.units[units[0]].side == side:
                    continue
                if is_destroyed(scoreboard, units, goal.share):
                    scoring.append((key, side))
    return scoring


def outright_winner(
    scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str], *, ended: bool = False
) -> str | None:
    """Return the side that has won outright at the end of this turn, by a decisive objective or its quota of points.

    A decisive `hold` counts only when the game has `ended`, like every `hold`.
    """
    victory = outright_victory(scenario, scoreboard, achieved, ended=ended)
    return victory.side if victory is not None else None


class OutrightVictory(NamedTuple):
    """A victory whatever the points: the side that wins, and what decided it, as a phrase."""

    side: str
    decided_by: str


def outright_victory(
    scenario: Scenario, scoreboard: Scoreboard[Any], achieved: Mapping[str, str], *, ended: bool = False
) -> OutrightVictory | None:
    """Return the victory of the side that `outright_winner` returns; None while no side has won outright."""
    has_decisive = any(goal.decisive for goal in scenario.objectives.values())
    quotas = {side: entry.victory.quota for side, entry in scenario.sides.items() if entry.victory.quota is not None}
    if not has_decisive and not quotas:
        return None
    scored_by = scored_objectives(scenario, scoreboard, achieved)
    for key, side in scored_by:
        goal = scenario.objectives[key]
        if goal.decisive and (ended or not isinstance(goal, Hold)):
            return OutrightVictory(side, f"decisive objective '{goal.name}'")
    points = _points(scenario, scored_by) if quotas else {}
    for side, quota in quotas.items():
        if points[side] >= quota:
            return OutrightVictory(side, f"quota of {amount(quota, 'point')} reached")
    return None


def winner(points: Mapping[str, float]) -> str | None:
    """Return the side with the most points; None if the best are equal."""
    best = max(points.values())
    leading = [side for side, value in points.items() if value == best]
    return leading[0] if len(leading) == 1 else None


# --- When a battle ends and who wins it: the standard victory rules, the same under all rulesets ----------------------
#
# A battle ends when a decisive objective or a side's quota is met, when at most one side can still act, when the
# ruleset's own victory rule ends it, or at the turn limit. Achieved objectives stay achieved. A side left alone in the
# field also achieves every objective that no enemy can now prevent. The side with most points wins; with equal points,
# the side with the greater share of its strength left.


EVEN = 0.02
"""Shares of strength that differ by no more than this are equal."""


@dataclass(frozen=True)
class Outcome:
    """The result of a game: winner (None: a draw), points of each side, and in one word why it ended.

    `ground` is what decided the winner: "objective", "points", "strength", or a word of the ruleset's own victory
    rule. `decided_by` is the same as a phrase with figures.
    """

    winner: str | None
    points: Mapping[str, float]
    ending: str
    ground: str = "points"
    decided_by: str = ""


def end_of_battle(scoreboard: Scoreboard[Any], achieved: dict[str, str], own: str = "") -> str:
    """Return the reason why the battle ends, "" if it goes on. Permanently scored objectives are added to `achieved`.

    Checked in this order: a decisive objective or quota; fewer than two sides able to act; `own`, the reason of the
    ruleset's own victory rule; the turn limit.
    """
    record_achieved_objectives(scoreboard.scenario, scoreboard, achieved)
    return reason_to_end(scoreboard, achieved, own)


def reason_to_end(scoreboard: Scoreboard[Any], achieved: Mapping[str, str], own: str = "") -> str:
    """Return what `end_of_battle` returns, for callers that have just recorded the achieved objectives."""
    scenario = scoreboard.scenario
    if outright_winner(scenario, scoreboard, achieved) is not None:
        return "objectives"
    if sum(scoreboard.can_act(side) for side in scenario.sides) < 2:
        return "collapse"
    return own or ("turn_limit" if scoreboard.turn >= scenario.turns else "")


def judge(scoreboard: Scoreboard[Any], ending: str) -> Outcome:
    """Return the outcome of a battle as it is now, if it ends for this reason."""
    scenario = scoreboard.scenario
    achieved = objectives_at_the_end(scoreboard)
    victory = outright_victory(scenario, scoreboard, achieved, ended=True)
    points = count_points(scenario, scoreboard, achieved)
    if victory is not None:
        return Outcome(victory.side, points, ending, "objective", victory.decided_by)
    strength = {side: scoreboard.strength(side) for side in scenario.sides}
    in_field = survivor_phrase(scoreboard, ending)
    best = winner(points)
    if best is not None:
        return Outcome(best, points, ending, "points", f"{in_field}most points")
    leader = leading_side(points, strength)
    return Outcome(leader, points, ending, "strength", in_field + _by_strength(scenario, points, strength, leader))


def survivor_phrase(scoreboard: Scoreboard[Any], ending: str) -> str:
    """Return a phrase saying that only one side, or none, is left in the field; "" otherwise.

    It is the first part of `decided_by`.
    """
    if scoreboard.unopposed is not None:
        return f"only {in_a_sentence(scoreboard.scenario.sides[scoreboard.unopposed].name)} left in the field, "
    return "no side left in the field, " if ending == "collapse" else ""


def _by_strength(
    scenario: Scenario, points: Mapping[str, float], strength: Mapping[str, float], leader: str | None
) -> str:
    """Return the phrase that strength decided among sides with equal points, or that it did not differ enough."""
    equal = "points equal, " if scenario.objectives else ""
    best = max(points.values())
    strongest_first = sorted(strength, key=lambda side: -strength[side])
    shares = [f"{percent(strength[side])}" for side in strongest_first if points[side] == best]
    too_close = f"strength left differs by {percent(EVEN)} at most"
    reason = "larger share of strength left" if leader is not None else too_close
    return f"{equal}{reason} ({' to '.join(shares)})"


def leading_side(points: Mapping[str, float], strength: Mapping[str, float]) -> str | None:
    """Return the leading side: most points, then most strength among sides with equal points; None if even."""
    most = max(points.values())
    leading = sorted((side for side in points if points[side] == most), key=lambda side: -strength[side])
    if len(leading) > 1 and strength[leading[0]] - strength[leading[1]] <= EVEN + EPSILON:
        return None
    return leading[0]


def outright_victories(scenario: Scenario) -> list[str]:
    """Return the ways to win a battle outright, whatever the points, in sentences: decisive objectives and quotas."""
    sentences = []
    for goal in scenario.objectives.values():
        if goal.decisive:
            when = "at the end, whatever the points" if isinstance(goal, Hold) else "at once"
            sentences.append(f"'{goal.name}' wins the battle {when}.")
    for side in scenario.sides.values():
        if side.victory.quota is not None:
            verb = agreeing(side.name, "wins as soon as it has", "win as soon as they have")
            sentences.append(f"{side.name} {verb} {amount(side.victory.quota, 'point')}.")
        if side.victory.note:
            sentences.append(side.victory.note.rstrip(".") + ".")
    return sentences


def how_to_win(scenario: Scenario) -> list[str]:
    """Return the common victory rules of a battle in sentences; the first one alone says what decides."""
    draw = f"a difference of {percent(EVEN)} or less is a draw"
    if not scenario.objectives:
        return [f"The side with more of its force left at the end wins; {draw}.", *outright_victories(scenario)]
    return [
        "Most points win.",
        *outright_victories(scenario),
        f"With equal points, the side with more of its force left wins; {draw}.",
        "The battle also ends when only one side can still act. It then scores every objective it could still reach.",
    ]


def points_in_play(scenario: Scenario) -> int:
    """Return the most points that one side can score; 0 if there are no objectives."""
    return max(sum(goal.points for goal in scenario.objectives_of(side).values()) for side in scenario.sides)


def objectives_at_the_end(scoreboard: Scoreboard[Any]) -> dict[str, str]:
    """Return the achieved objectives, plus those that an unopposed side achieves by being alone in the field."""
    achieved, side = dict(scoreboard.achieved), scoreboard.unopposed
    if side is not None:
        for key, goal in scoreboard.scenario.objectives_of(side).items():
            if key not in achieved and _can_still_achieve(scoreboard, side, goal):
                achieved[key] = side
    return achieved


def _can_still_achieve(scoreboard: Scoreboard[Any], side: str, goal: Objective) -> bool:
    """Return True if a side alone in the field can still achieve this objective with what it has left."""
    scenario = scoreboard.scenario
    if isinstance(goal, Hold):
        return True  # all other sides have left the field
    if isinstance(goal, CarryOff):
        return scoreboard.lies_on_table(goal)
    if isinstance(goal, CaptureLeader):
        return scenario.leaders[goal.leader].side != side and scoreboard.is_on_table(goal.leader)
    if isinstance(goal, Destroy):
        enemies = goal.units or tuple(_enemies(scenario, side))
        are_enemies = scenario.units[enemies[0]].side != side
        return are_enemies and 1 - scoreboard.share_off(enemies) >= goal.share - EPSILON
    units = goal.units or tuple(scenario.units_of(side))
    are_own = scenario.units[units[0]].side == side
    are_enough_left = scoreboard.share_left(units) >= goal.share - EPSILON
    if isinstance(goal, Escort):
        return are_own and are_enough_left
    is_before_its_turn = scoreboard.turn <= goal.turn
    return (are_own or side in goal.by) and is_before_its_turn and are_enough_left
