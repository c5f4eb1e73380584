"""Count the physical acts that a game would need at a table, in the same way under all rules.

Acts are counted from what happens, not from the questions asked. Dice that a person would throw together are one
handful, however the program throws them: dice of one purpose for one unit between two decisions. A unit that ends a
game turn in another position was moved and measured once in it, and each of its figures, bases or pieces in a new
position was handled. The same holds for a unit that entered or left the table in the turn, and for one that had moved
when it lost figures. A lookup repeated in the same situation counts once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, TypeAlias

from zareba.agents.rollout import RolloutAgent
from zareba.agents.rule_aware import RuleAwareDoctrine
from zareba.chance import SUM, Meaning, Read
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.scenario.victory import CountedGroup, Scoreboard
from zareba.space.lazy import Lazy
from zareba.table import (
    Agent,
    Answer,
    Choose,
    Confirm,
    GivenAnswer,
    LooksAhead,
    Place,
    RememberingTable,
    SeededTable,
    Step,
    is_lazy,
)

SECONDS: Mapping[str, float] = {
    "handful": 8,
    "die": 0.5,
    "card": 4,
    "unit moved": 10,
    "piece moved": 1.5,
    "measurement": 5,
    "look-up": 4,
    "marker": 3,
    "decision": 15,
}
"""Seconds that each act is assumed to take. They are declared, not measured."""

ACTS = tuple(SECONDS)

_SENSIBLE_GAP = 0.1
"""Two answers are both sensible if their values differ by at most this share of a unit's strength."""
_LEAST_STAKE = 0.02
"""A choice whose answers differ by less than this is not a decision."""
_MOST_CACHED = 100_000
"""The most names or options that are kept."""
_PART_SEPARATORS = "/._"
"""Separators before the number of a part of a unit or of a figure."""
_ON_TABLE = ("ready", "going back", "broken")
"""The fates of figures that are on the table."""
_RANGE_FACTS = ("band", "range", "inches", "cm", "distance")
"""Facts for which people measure, or count boxes or hexes."""


_Key: TypeAlias = tuple[str, str]
"""The side and the unit or leader to which figures belong."""


class _Positions:
    """The positions of all figures at the time of a scoreboard."""

    def __init__(self, scoreboard: Scoreboard[Any]) -> None:
        self.men = scoreboard.men
        self._spots = scoreboard.spots

    def moved_to(self, later: Scoreboard[Any]) -> dict[_Key, float]:
        """Return how many figures of each unit have another position in `later`, if any. Those that entered or left the
        table count.
        """
        if len(later.men) == len(self.men):  # equal groups have not moved
            changed = [men for men, before in zip(later.men, self.men, strict=True) if men != before]
        else:
            groups = set(self.men)
            changed = [men for men in later.men if men not in groups]
        moved: dict[_Key, float] = {}
        arrived = [men for men in changed if men.fate in _ON_TABLE]
        if arrived:
            spots: dict[_Key, set[Any]] = {(men.side, men.unit or men.leader): set() for men in arrived}
            for men in self.men:
                if men.fate in _ON_TABLE and (key := (men.side, men.unit or men.leader)) in spots:
                    spots[key].update(self._spots(men))
            for men in arrived:
                key, new_spots = (men.side, men.unit or men.leader), tuple(later.spots(men))
                new_spot_count = len([spot for spot in new_spots if spot not in spots[key]])
                if new_spot_count:
                    moved[key] = moved.get(key, 0.0) + men.number * new_spot_count / len(new_spots)
        gone = _numbers(later.men, ("off",))  # groups that have left may be equal
        if gone:
            gone_before = _numbers(self.men, ("off",))
            for key, number in gone.items():
                if number > gone_before.get(key, 0.0):
                    moved[key] = moved.get(key, 0.0) + number - gone_before.get(key, 0.0)
        return moved


def _numbers(groups: Sequence[CountedGroup], fates: Sequence[str]) -> dict[_Key, float]:
    """Return the number of figures of each unit that have one of these fates, without units that have none."""
    numbers: dict[_Key, float] = {}
    for men in groups:
        if men.fate in fates:
            key = men.side, men.unit or men.leader
            numbers[key] = numbers.get(key, 0.0) + men.number
    return numbers


class UnitNames:
    """Finds the units of a scenario that names belong to, and those of a side that an option names.

    `sides` gives the side of each unit. Names and options recur in all games of a scenario, so what is found is kept.
    """

    def __init__(self, sides: Mapping[str, str]) -> None:
        self.units: Lazy[str, str] = Lazy(partial(_unit_among, sides), most=_MOST_CACHED)
        self.acting: Lazy[str, tuple[str, str]] = Lazy(
            lambda actor: (unit_of(actor), self.units[actor]), most=_MOST_CACHED
        )
        self.named: dict[str, Lazy[Any, tuple[str, ...]]] = {
            side: Lazy(partial(self._named, side), most=_MOST_CACHED) for side in dict.fromkeys(sides.values())
        }
        self._sides = sides

    def _named(self, side: str, option: Any) -> tuple[str, ...]:
        words = option if isinstance(option, tuple) else (option,)
        units = [self.units[word] for word in words if isinstance(word, str)]
        return tuple([unit for unit in units if unit and self._sides[unit] == side])


def _unit_among(units: Collection[str], name: str) -> str:
    """Return the unit that a part, figure or unit such as `b_company.2/8` belongs to; "" if there is none."""
    while name and name not in units:
        name = (
            name[: max(name.rfind(mark) for mark in _PART_SEPARATORS)]
            if any(mark in name for mark in _PART_SEPARATORS)
            else ""
        )
    return name


@lru_cache(maxsize=64)
def unit_names(game: Game[Any]) -> UnitNames:
    """Return the names of a game's units, found once in each process."""
    return UnitNames({key: unit.side for key, unit in game.scenario.units.items()})


class Activity:
    """The acts of one game.

    - `weighed`: the number of choices in which a rule-aware player evaluates more than one answer.
    - `stake`: the sum over these choices of the value of the best answer minus the median one, in strengths of a unit.
    - `unit_turns`: game turns of units that could still fight, without the first turn of the game.
    - `idle`: those in which a unit neither moved nor threw dice.
    - `denied`: idle ones in which no player could choose an action for the unit.
    """

    def __init__(self, names: UnitNames | None = None) -> None:
        self.counts = dict.fromkeys(ACTS, 0)
        self.stake = 0.0
        self.weighed = 0
        self.unit_turns = self.idle = self.denied = 0
        self._names = names or UnitNames({})
        self._ready: frozenset[str] = frozenset()
        self._active: set[str] = set()
        self._actors: set[str] = set()
        self._options: dict[str, set[Any]] = {}
        self._known: set[Any] = set()
        self._measured: dict[type, bool] = {}
        self._start: _Positions | None = None
        self._at_losses: dict[_Key, float] = {}
        self._marked: dict[str, tuple[str, ...]] = {}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a game's record that hold the acts at the table."""
        return {
            "acts": dict(self.counts),
            "stake": self.stake,
            "weighed": self.weighed,
            "unit_turns": self.unit_turns,
            "idle": self.idle,
            "denied": self.denied,
        }

    def begin(self) -> None:
        """Start a step, or continue after a decision: later throws and lookups count as new acts."""
        self._known.clear()

    def throw(self, why: str, actor: str, dice: int) -> None:
        """Count a throw of dice."""
        unit, unit_of_scenario = self._names.acting[actor]
        if (why, unit) not in self._known:
            self._known.add((why, unit))
            self.counts["handful"] += 1
        self._active.add(unit_of_scenario)
        self.counts["die"] += dice

    def look_up(self, name: str, facts: Any) -> None:
        """Count a lookup, and a measurement if the value depends on a range."""
        if (name, facts) not in self._known:
            self._known.add((name, facts))
            self.counts["look-up"] += 1
            is_measured = self._measured.get(type(facts))
            if is_measured is None:
                is_measured = self._measured[type(facts)] = any(hasattr(facts, fact) for fact in _RANGE_FACTS)
            self.counts["measurement"] += is_measured

    def offer(self, question: Choose | Place | Confirm) -> None:
        """Record a question about the action of a unit, or about which unit should act. Later throws and lookups count
        as new acts.
        """
        self._known.clear()
        self._actors.add(question.actor)
        if isinstance(question, Choose) and not is_lazy(question.options):
            options = self._options.get(question.seat)
            if options is None:
                options = self._options[question.seat] = set()
            options.update(question.options)

    def _offered(self) -> set[str]:
        """Return the units that were offered to their player in options this turn."""
        offered_units: set[str] = set()
        for seat, options in self._options.items():
            if seat in self._names.named:
                offered_units.update(*map(self._names.named[seat].__getitem__, options))
        return offered_units

    def weigh(self, worths: Sequence[float]) -> None:
        """Record a choice by the values that a rule-aware player gives to its answers."""
        self.begin()
        ordered = sorted(worths, reverse=True)
        self.weighed += len(ordered) > 1
        if len(ordered) > 1 and ordered[0] - ordered[-1] >= _LEAST_STAKE:
            self.counts["decision"] += ordered[0] - ordered[1] <= _SENSIBLE_GAP
            self.stake += ordered[0] - ordered[len(ordered) // 2]

    def record_start(self, scoreboard: Scoreboard[Any]) -> None:
        """Record all positions at the start of the first turn. Deployment does not count as movement."""
        self._start = _Positions(scoreboard)
        self._at_losses = {}
        self._begin_turn()

    def record_positions(self, scoreboard: Scoreboard[Any]) -> None:
        """Record the movement so far in this turn, for figures that do not survive it."""
        if self._start is not None:
            for key, number in self._start.moved_to(scoreboard).items():
                self._at_losses[key] = max(number, self._at_losses.get(key, 0.0))

    def count_turn(self, scoreboard: Scoreboard[Any]) -> None:
        """Count the moves of a finished game turn. The first call of a game acts as `record_start`."""
        if self._start is None:
            self.record_start(scoreboard)
            self._ready = _ready(scoreboard)
            return
        moved = self._start.moved_to(scoreboard)
        if self._at_losses:
            before, now = _numbers(self._start.men, _ON_TABLE), _numbers(scoreboard.men, _ON_TABLE)
            for key, number in self._at_losses.items():
                if now.get(key, 0.0) < before.get(key, math.inf):  # the unit has had losses
                    moved[key] = max(number, moved.get(key, 0.0))
        for (_, name), number in moved.items():
            self.counts["unit moved"] += 1
            self.counts["measurement"] += 1
            self.counts["piece moved"] += round(number)
            self._active.add(name)
        ready = _ready(scoreboard)
        still = (ready & self._ready) - self._active
        self.unit_turns += len(ready & self._ready)
        self.idle += len(still)
        still = still.difference(map(self._names.units.__getitem__, self._actors))
        if still:
            self.denied += len(still - self._offered())
        self._start, self._ready, self._at_losses = _Positions(scoreboard), ready, {}
        self._begin_turn()

    def _begin_turn(self) -> None:
        self._active, self._actors, self._options = set(), set(), {}

    def count_markers(self, states: Mapping[str, tuple[str, ...]]) -> None:
        """End a game turn with these unit states shown by markers; each new or missing state is a marker laid or
        removed.

        The markers of a unit at its first appearance are laid out with it, and those it has when it leaves go with it;
        neither counts.
        """
        if states != self._marked:
            for unit, shown in states.items():
                before = self._marked.get(unit, shown)
                if shown != before:
                    self.counts["marker"] += len(set(shown) ^ set(before))
            self._marked = dict(states)


def _ready(scoreboard: Scoreboard[Any]) -> frozenset[str]:
    """Return the units whose figures are ready to act."""
    return frozenset([men.unit for men in scoreboard.men if men.fate == "ready" and men.unit])


def unit_of(actor: str) -> str:
    """Return the unit of a figure, whose name is the unit's name, a slash or dot, and a number."""
    for mark in "/.":
        unit, separator, number = actor.rpartition(mark)
        if separator and number.isdigit():
            return unit
    return actor


class LossSteps:
    """The names of the steps of a ruleset in which units may have losses.

    The movement of men before they are lost can only be counted with a copy of the battle from before the step, which
    takes as long as many a step. The first game finds the steps with losses, later games copy the battle before these
    only. If another step has losses, `is_complete` turns False, and the game must be played again.
    """

    def __init__(self) -> None:
        self._names: set[str] = set()
        self.has_played = False
        self.is_complete = True

    def may_have_losses(self, step: str) -> bool:
        """Return True if the battle must be copied before a step."""
        return step in self._names or not self.has_played

    def add(self, step: str) -> None:
        """Record a loss in a step."""
        if not self.may_have_losses(step):
            self.is_complete = False
        self._names.add(step)


class _CountsActs:
    """Mixin for tables that counts the questions before they are answered."""

    __slots__ = ()

    acts: Activity
    game: Game[Any]
    loss_steps: LossSteps
    before: Any
    """The score before this step, if the step may have losses; None once a unit has had losses in it."""
    lost: set[str]
    """The units with losses in this step."""

    def begin(self, step: Step) -> None:
        self.acts.begin()
        if self.events:  # type: ignore[attr-defined]  # of the table that it is put before
            self.before = None  # a step without events has moved no one, so the score from before it is still good
        super().begin(step)  # type: ignore[misc]  # as above
        if self.before is None and self.loss_steps.may_have_losses(step.name):
            self.before = self._scoreboard_to_keep()
        if self.lost:
            self.lost.clear()

    def _scoreboard_to_keep(self) -> Scoreboard[Any]:
        """Return the present scoreboard in a form that stays as it is when the battle goes on."""
        state: Any = self.state  # type: ignore[attr-defined]  # as above
        scoreboard = self.game.scoreboard(state)
        if not scoreboard.is_listed_fast:
            return self.game.scoreboard(state.copy())
        assert scoreboard.men is not None, "listed now"
        return scoreboard

    def roll(
        self,
        count: int,
        sides: int,
        read: Read[Any] = SUM,
        *,
        why: str,
        rule: str,
        actor: str = "",
        means: Meaning | None = None,
    ) -> Any:
        self.acts.throw(why, actor, count)
        return super().roll(count, sides, read, why=why, rule=rule, actor=actor, means=means)  # type: ignore[misc]  # as above

    def draw(
        self,
        pile: Mapping[str, int],
        *,
        why: str,
        rule: str,
        actor: str = "",
        seat: str | None = None,
        means: Meaning | None = None,
    ) -> str:
        self.acts.counts["card"] += 1
        card: str = super().draw(pile, why=why, rule=rule, actor=actor, seat=seat, means=means)  # type: ignore[misc]  # as above
        return card

    def tally(self, name: str, facts: Any, unit: Any = None, target: Any = None) -> Any:
        self.acts.look_up(name, facts)
        return super().tally(name, facts, unit, target)  # type: ignore[misc]  # as above

    def emit(self, kind: str, rule: str, **data: Any) -> None:
        if kind == "loss" and (unit := data.get("unit", "")) not in self.lost:
            self.loss_steps.add(self.keys.step.name)  # type: ignore[attr-defined]  # as above
            if self.before is not None:
                self.acts.record_positions(self.before)  # movement in earlier steps of the turn
                self.before = None
            self.acts.record_positions(self.game.scoreboard(self.state))  # type: ignore[attr-defined]  # movement in this step, with survivors left
            self.lost.add(unit)
        super().emit(kind, rule, **data)  # type: ignore[misc]  # as above


class _CountingTable(_CountsActs, SeededTable):
    __slots__ = ("acts", "before", "game", "loss_steps", "lost")


class _CountingRememberingTable(_CountsActs, RememberingTable):
    __slots__ = ("acts", "before", "game", "loss_steps", "lost")


def seeded_table(game: Game[Any], state: Any, seed: int, agents: Mapping[str, Agent]) -> SeededTable:
    """Return the table of a simulated game without counting acts."""
    return (RememberingTable if _any_looks_ahead(agents) else SeededTable)(game.rules, state, seed, agents)


def _any_looks_ahead(agents: Mapping[str, Agent]) -> bool:
    return any(isinstance(agent, LooksAhead) for agent in agents.values())


def counting_table(
    game: Game[Any], state: Any, seed: int, agents: Mapping[str, Agent], acts: Activity, loss_steps: LossSteps
) -> SeededTable:
    """Return the table of a simulated game, with its acts counted."""
    table = (_CountingRememberingTable if _any_looks_ahead(agents) else _CountingTable)(game.rules, state, seed, agents)
    table.acts, table.game, table.loss_steps, table.before, table.lost = acts, game, loss_steps, None, set()
    return table


def observed(agent: Agent, game: Game[Any], seat: str, acts: Activity) -> Agent:
    """Return the same player with its decisions counted, and the stakes recorded if the player can evaluate answers."""
    if isinstance(agent, (RolloutAgent, RuleAwareDoctrine)):
        return _ObservedRollout(agent, agent, acts)
    if isinstance(agent, Doctrine):
        return _ObservedDoctrine(agent, acts)
    if isinstance(agent, LooksAhead):
        if game.has_evaluation:
            return _ObservedSearch(agent, Doctrine(game, seat, 0), acts)
        return _ObservedRollout(agent, RolloutAgent(game, seat, 0), acts)
    return _ObservedOther(agent, acts)


class _ObservedDoctrine:
    """A doctrine player that reports its evaluations."""

    def __init__(self, commander: Doctrine, acts: Activity) -> None:
        self._commander, self._acts = commander, acts

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        weighed = self._commander.weigh(question, state)
        self._acts.offer(question)
        self._acts.weigh([worth for _, worth, _ in weighed])
        return self._commander.take(question, weighed)


class _ObservedSearch:
    """A player that searches, accompanied by a rule-aware player that evaluates the same choices."""

    def __init__(self, agent: Agent, judge: Doctrine, acts: Activity) -> None:
        self._agent: Agent = agent
        self._judge, self._acts = judge, acts
        assert isinstance(agent, LooksAhead), "only such players are put here"
        self.follow = agent.follow

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._acts.offer(question)
        self._acts.weigh([worth for _, worth, _ in self._judge.weigh(question, state)])
        return self._agent(question, state)


class _ObservedRollout:
    """A player that simulates its options and reports their values, or a player that searches, accompanied by one."""

    def __init__(self, agent: Any, judge: RolloutAgent | RuleAwareDoctrine, acts: Activity) -> None:
        self._agent, self._judge, self._acts = agent, judge, acts

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        """Tell both players how the current step began and which answers were given in it."""
        self._agent.follow(start, given)
        if self._judge is not self._agent:
            self._judge.follow(start, given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._acts.offer(question)
        answer: Answer = self._agent(question, state)
        if self._judge is not self._agent:
            self._judge(question, state)
        self._acts.weigh(self._judge.weighed)
        return answer


class _ObservedOther:
    """A player that evaluates nothing. Every question to it counts as a decision."""

    def __init__(self, agent: Agent, acts: Activity) -> None:
        self._agent, self._acts = agent, acts

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._acts.offer(question)
        self._acts.counts["decision"] += 1
        return self._agent(question, state)
