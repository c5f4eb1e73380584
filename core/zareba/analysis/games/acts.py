"""What people at a table would do in a game: each act counted alike under all rules, by what happens and not by what is asked.

Dice that one person would throw together are one handful, however the program throws them: those of one purpose for one unit,
between two decisions. A unit that ends a game turn elsewhere was moved and measured once in it, and each of its men, bases or
pieces that stand elsewhere was handled. So was a unit that came onto the table or left it in the turn, and one that had
moved when it lost men.
What is looked up twice for the same situation is looked up once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from zareba.agents.commander import PlaysOn
from zareba.chance.dice import SUM, Read
from zareba.chance.meaning import Meaning
from zareba.game import Game
from zareba.game.doctrine import Doctrine
from zareba.scenario.standing import Standing
from zareba.table import (
    Agent,
    Answer,
    Choose,
    Confirm,
    Given,
    LooksAhead,
    Place,
    RememberingTable,
    SeededTable,
    Step,
    Suggestions,
)

__all__ = ["ACTS", "SECONDS", "Acts", "observed", "watched_table"]

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
"""Declared, not measured: what people are taken to need for each act, in seconds."""

ACTS = tuple(SECONDS)

SENSIBLE = 0.1
"""Two answers are both sensible when they differ in worth by no more than this part of a unit's strength."""
AT_STAKE = 0.02
"""A choice between answers that differ by less is none."""
PARTS = "/._"
"""Before the number of a part of a unit, or of a figure."""
ON_TABLE = ("ready", "going back", "broken")
"""The fates of men who stand on the table."""
RANGES = ("band", "range", "inches", "cm", "distance")
"""Facts for which people measure, or count boxes or hexes."""


Key: TypeAlias = tuple[str, str]
"""The side and the unit, or the leader, whose men or pieces are meant."""


@dataclass(frozen=True, slots=True)
class _Positions:
    """Where the men or pieces of each unit are: the `spots` of those on the table, their `numbers`, and how many are `off`."""

    men: tuple[tuple[Key, float, tuple[Any, ...]], ...]
    spots: Mapping[Key, set[Any]]
    numbers: Mapping[Key, float]
    off: Mapping[Key, float]

    @classmethod
    def of(cls, standing: Standing[Any]) -> _Positions:
        """The positions in a battle."""
        found: list[tuple[Key, float, tuple[Any, ...]]] = []
        spots: dict[Key, set[Any]] = {}
        numbers: dict[Key, float] = {}
        off: dict[Key, float] = {}
        for men in standing.men:
            key = men.side, men.unit or men.leader
            if men.fate in ON_TABLE:
                found.append((key, men.number, here := tuple(standing.spots(men))))
                spots.setdefault(key, set()).update(here)
                numbers[key] = numbers.get(key, 0.0) + men.number
            elif men.fate == "off":
                off[key] = off.get(key, 0.0) + men.number
        return cls(tuple(found), spots, numbers, off)

    def moved_to(self, later: _Positions) -> dict[Key, float]:
        """Return how many men or pieces of each unit are elsewhere in `later`. Those who came on or went off are."""
        moved: dict[Key, float] = {}
        for key, number, spots in later.men:
            before: Collection[Any] = self.spots.get(key, ())
            moved[key] = moved.get(key, 0.0) + number * sum(spot not in before for spot in spots) / len(spots)
        for key, number in later.off.items():
            moved[key] = moved.get(key, 0.0) + max(0.0, number - self.off.get(key, 0.0))
        return moved


class Acts:
    """The acts of one game. `stake`: what its choices were about, best answer less the middling one, in units' strength, of
    those `weighed`, which are those of which a commander with sense weighs more than one answer.

    `sides` gives the side of each unit of the scenario. `unit_turns`: game turns of units that could fight on in them,
    the first of a game left out; `idle`: those in which a unit neither moved nor threw; `denied`: idle ones in which
    nobody was asked what it should do, nor offered to have it do something.
    """

    def __init__(self, sides: Mapping[str, str] | None = None) -> None:
        self.counts = dict.fromkeys(ACTS, 0)
        self.stake = 0.0
        self.weighed = 0
        self.unit_turns = self.idle = self.denied = 0
        self._sides = sides or {}
        self._units: dict[str, str] = {}
        self._ready: frozenset[str] = frozenset()
        self._active: set[str] = set()
        self._offered: set[str] = set()
        self._known: set[Any] = set()
        self._start: _Positions | None = None
        self._at_losses: dict[Key, float] = {}
        self._marked: dict[str, tuple[str, ...]] = {}

    def begin(self) -> None:
        """A step begins, or something has been decided: what is thrown or looked up from now on is done anew."""
        self._known.clear()

    def _is_new(self, what: Any) -> bool:
        if what in self._known:
            return False
        self._known.add(what)
        return True

    def throw(self, why: str, actor: str, dice: int) -> None:
        """Dice are thrown."""
        self.counts["handful"] += self._is_new((why, unit_of(actor)))
        self._active.add(self._of_scenario(actor))
        self.counts["die"] += dice

    def look_up(self, name: str, facts: Any) -> None:
        """A number is looked up, and the range measured where it hangs on one."""
        if self._is_new((name, facts)):
            self.counts["look-up"] += 1
            self.counts["measurement"] += any(hasattr(facts, fact) for fact in RANGES)

    def offer(self, question: Choose | Place | Confirm) -> None:
        """A player is asked what a unit shall do, or which of his units shall."""
        self._offered.add(self._of_scenario(question.actor))
        if isinstance(question, Choose) and not isinstance(question.options, Suggestions):
            for option in question.options:
                for word in option if isinstance(option, tuple) else (option,):
                    unit = self._of_scenario(word) if isinstance(word, str) else ""
                    if self._sides.get(unit) == question.seat:
                        self._offered.add(unit)

    def _of_scenario(self, name: str) -> str:
        """The unit of the scenario that a part, a figure or the unit itself belongs to, as `b_company.2/8`; "" for none."""
        found = self._units.get(name)
        if found is None:
            found = name
            while found and found not in self._sides:
                found = (
                    found[: max(found.rfind(mark) for mark in PARTS)] if any(mark in found for mark in PARTS) else ""
                )
            self._units[name] = found
        return found

    def weigh(self, worths: Sequence[float]) -> None:
        """A choice was met whose answers are worth this to a commander with sense."""
        self.begin()
        ordered = sorted(worths, reverse=True)
        self.weighed += len(ordered) > 1
        if len(ordered) > 1 and ordered[0] - ordered[-1] >= AT_STAKE:
            self.counts["decision"] += ordered[0] - ordered[1] <= SENSIBLE
            self.stake += ordered[0] - ordered[len(ordered) // 2]

    def set_out(self, standing: Standing[Any]) -> None:
        """Note where everybody stands when the first turn begins. Setting out is no move."""
        self._start = _Positions.of(standing)
        self._at_losses = {}
        self._active, self._offered = set(), set()

    def note(self, standing: Standing[Any]) -> None:
        """Note who has moved so far in this turn, for those who are not alive at its end."""
        if self._start is not None:
            for key, number in self._start.moved_to(_Positions.of(standing)).items():
                self._at_losses[key] = max(number, self._at_losses.get(key, 0.0))

    def look(self, standing: Standing[Any]) -> None:
        """Count the moves of a game turn that has ended. The first look of a game is `set_out`."""
        if self._start is None:
            self.set_out(standing)
            self._ready = _ready(standing)
            return
        end = _Positions.of(standing)
        moved = self._start.moved_to(end)
        for key, number in self._at_losses.items():
            if end.numbers.get(key, 0.0) < self._start.numbers.get(key, math.inf):  # it has lost men
                moved[key] = max(number, moved.get(key, 0.0))
        for (_, name), number in moved.items():
            if number:
                self.counts["unit moved"] += 1
                self.counts["measurement"] += 1
                self.counts["piece moved"] += round(number)
                self._active.add(name)
        ready = _ready(standing)
        still = (ready & self._ready) - self._active
        self.unit_turns += len(ready & self._ready)
        self.idle += len(still)
        self.denied += len(still - self._offered)
        self._start, self._ready, self._at_losses = end, ready, {}
        self._active, self._offered = set(), set()

    def mark(self, states: Mapping[str, tuple[str, ...]]) -> None:
        """A game turn has ended with these states of units shown on the table; what is new or gone was laid or taken.

        What a unit has when it is first seen was laid out with it, and what it has when it goes it takes along.
        """
        for unit in states.keys() & self._marked.keys():
            self.counts["marker"] += len(set(states[unit]) ^ set(self._marked[unit]))
        self._marked = dict(states)


def _ready(standing: Standing[Any]) -> frozenset[str]:
    """The units that are in hand."""
    return frozenset(men.unit for men in standing.men if men.fate == "ready" and men.unit)


def unit_of(actor: str) -> str:
    """The unit of a figure, whose name is that of the unit with its number behind a stroke or a point."""
    for mark in "/.":
        unit, found, number = actor.rpartition(mark)
        if found and number.isdigit():
            return unit
    return actor


class _Watched:
    """Counts what a table is asked before it answers."""

    __slots__ = ()

    acts: Acts
    game: Game[Any]
    before: Any
    """The battle as it was before this step, None once somebody was lost in it."""
    lost: set[str]
    """The units that have lost men in this step."""

    def begin(self, step: Step) -> None:
        self.acts.begin()
        super().begin(step)  # type: ignore[misc]  # of the table that it is put before
        self.before = self.state.copy()  # type: ignore[attr-defined]  # as above
        self.lost.clear()

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

    def tell(self, kind: str, rule: str, **data: Any) -> None:
        if kind == "loss" and (unit := data.get("unit", "")) not in self.lost:
            if self.before is not None:
                self.acts.note(self.game.standing(self.before))  # it moved in an earlier step
                self.before = None
            self.acts.note(self.game.standing(self.state))  # type: ignore[attr-defined]  # it moved in this step, and some are left
            self.lost.add(unit)
        super().tell(kind, rule, **data)  # type: ignore[misc]  # as above


class _WatchedTable(_Watched, SeededTable):
    __slots__ = ("acts", "before", "game", "lost")


class _WatchedRememberingTable(_Watched, RememberingTable):
    __slots__ = ("acts", "before", "game", "lost")


def watched_table(game: Game[Any], state: Any, seed: int, agents: Mapping[str, Agent], acts: Acts) -> SeededTable:
    """The table of a simulated game, whose acts are counted."""
    ahead = any(isinstance(agent, LooksAhead) for agent in agents.values())
    table = (_WatchedRememberingTable if ahead else _WatchedTable)(game.rules, state, seed, agents)
    table.acts, table.game, table.before, table.lost = acts, game, None, set()
    return table


def observed(agent: Agent, game: Game[Any], seat: str, acts: Acts) -> Agent:
    """The same player; the decisions that he meets are counted, and where he can tell, what was at stake in them."""
    if isinstance(agent, Doctrine):
        return _Frank(agent, acts)
    if isinstance(agent, PlaysOn):
        return _PlaysOn(agent, agent, acts)
    if isinstance(agent, LooksAhead):
        if game.appraises:
            return _LooksAhead(agent, Doctrine(game, seat, 0), acts)
        return _PlaysOn(agent, PlaysOn(game, seat, 0), acts)
    return _Other(agent, acts)


class _Frank:
    """A commander with sense who says what he weighs."""

    def __init__(self, commander: Doctrine, acts: Acts) -> None:
        self._commander, self._acts = commander, acts

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        weighed = self._commander.weigh(question, state)
        self._acts.offer(question)
        self._acts.weigh([worth for _, worth, _ in weighed])
        return self._commander.take(question, weighed)


class _LooksAhead:
    """A player who looks ahead, with such a commander beside him."""

    def __init__(self, agent: Agent, judge: Doctrine, acts: Acts) -> None:
        self._agent: Agent = agent
        self._judge, self._acts = judge, acts
        assert isinstance(agent, LooksAhead), "only such players are put here"
        self.follow = agent.follow

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._acts.offer(question)
        self._acts.weigh([worth for _, worth, _ in self._judge.weigh(question, state)])
        return self._agent(question, state)


class _PlaysOn:
    """A player under rules that appraise nothing: he who plays choices on, or one who looks ahead with him beside."""

    def __init__(self, agent: Any, judge: PlaysOn, acts: Acts) -> None:
        self._agent, self._judge, self._acts = agent, judge, acts

    def follow(self, start: Any, given: Sequence[Given]) -> None:
        """How the step under way began, and what was answered in it."""
        self._agent.follow(start, given)
        self._judge.follow(start, given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._acts.offer(question)
        answer: Answer = self._agent(question, state)
        if self._judge is not self._agent:
            self._judge(question, state)
        self._acts.weigh(self._judge.weighed)
        return answer


class _Other:
    """A player who weighs nothing: whatever he is asked counts as a decision."""

    def __init__(self, agent: Agent, acts: Acts) -> None:
        self._agent, self._acts = agent, acts

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        self._acts.offer(question)
        self._acts.begin()
        self._acts.counts["decision"] += 1
        return self._agent(question, state)
