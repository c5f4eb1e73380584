"""How a battle stands, in the terms in which scenarios score: one list of counted men, and what follows from it.

A ruleset says who counts (`counted`), how near "there" is (`is_at`), and what has been carried off. All else is the same
under all rules: strength, losses, a side's size, who holds a place, who can still act.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from zareba.base.exact import total
from zareba.scenario.model import CarryOff, Escort, Hold, Scenario

__all__ = ["CountedGroup", "Fate", "Scoreboard", "ScoredObject"]

Fate = Literal["ready", "going back", "broken", "coming", "off", "lost"]
"""In hand; in hand but falling back, so that they hold nothing; out of hand on the table; still to come, or certain to come
back; gone off the table by right; out of the battle for good."""

EFFECTIVE = frozenset({"ready", "going back", "coming", "off"})
"""The fates that are part of a side's strength."""

B = TypeVar("B")


class CountedGroup(NamedTuple):
    """Men, bases or crew of one side who stand, or fell, alike; `number` as the rules count them at the start.

    `unit` is the unit of the scenario to whose strength they belong, "" for those who belong to none; `leader` the leader
    of the scenario, if it is he alone. `place`: where they are, in whatever way the rules say it; `edge`: the one over
    which they have gone off.
    """

    side: str
    number: float
    fate: Fate
    unit: str = ""
    leader: str = ""
    place: Any = None
    edge: str = ""


class ScoredObject(Protocol):
    """An object of the scenario in play."""

    @property
    def taken_by(self) -> str:
        """The side that has carried it off the table, "" while none has."""

    @property
    def edge(self) -> str:
        """The edge over which it went."""


class Scoreboard(ABC, Generic[B]):
    """How a `battle` stands. `turn` is the game turn that has just ended, 0 while one is being played.

    `achieved`: objectives scored for good, and by whom. Both, and its `prizes`, are what the battle itself says unless told.
    `beaten`: the sides that the rules' own law takes off the field. `last`: no further turn comes, so nobody else does. It
    holds for the battle as it was when it was made.
    """

    def __init__(
        self,
        battle: B,
        scenario: Scenario,
        *,
        turn: int | None = None,
        achieved: Mapping[str, str] | None = None,
        prizes: Mapping[str, ScoredObject] | None = None,
        beaten: Iterable[str] = (),
        last: bool | None = None,
    ) -> None:
        says: Any = battle
        self.battle = battle
        self.scenario = scenario
        self.turn: int = says.turn if turn is None else turn
        self.achieved: Mapping[str, str] = says.achieved if achieved is None else achieved
        self.prizes: Mapping[str, ScoredObject] = getattr(battle, "prizes", {}) if prizes is None else prizes
        self.beaten = frozenset(beaten)
        self.last = self.turn >= scenario.turns if last is None else last
        self._found: dict[tuple[str, ...], list[CountedGroup]] = {}

    # --- what a ruleset says ----------------------------------------------------------------------------------------------

    @abstractmethod
    def counted(self) -> Iterable[CountedGroup]:
        """All who count, whatever has become of them: together they are what the sides began with."""

    def spots(self, men: CountedGroup) -> Iterable[Any]:
        """Each place that they take up on the table."""
        return (men.place,)

    def counted_of(self, units: Collection[str]) -> Iterable[CountedGroup]:
        """Those who count of some units; a ruleset that can look at these alone says so, for it is asked after every step."""
        return (men for men in self.men if men.unit in units)

    def counted_on(self, side: str) -> Iterable[CountedGroup]:
        """Those who count of a side; for the same reason."""
        return (men for men in self.__dict__.get("men") or self.counted() if men.side == side)

    def counted_as(self, leader: str) -> Iterable[CountedGroup]:
        """Those who count of them who are a leader of the scenario; for the same reason."""
        return (men for men in self.men if men.leader == leader)

    @abstractmethod
    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        """Whether men on the table are at the place of an objective."""

    def carried_off(self, goal: CarryOff) -> str | None:
        """The side that has carried the object over the edge."""
        prize = self.prizes.get(goal.object)
        return prize.taken_by if prize is not None and prize.taken_by and prize.edge == goal.edge else None

    def lies_on_table(self, goal: CarryOff) -> bool:
        """Whether the object is still there to be carried off."""
        prize = self.prizes.get(goal.object)
        return prize is not None and not prize.taken_by

    def leader_lost(self, leader: str) -> bool:
        """Whether a leader is dead, taken, or gone from the battle for good; not if he left by right, or may come back."""
        return any(men.fate == "lost" for men in self.counted_as(leader))

    def is_on_table(self, leader: str) -> bool:
        """Whether a leader is there to be taken."""
        return any(men.fate in ("ready", "going back", "broken") for men in self.counted_as(leader))

    # --- what follows -----------------------------------------------------------------------------------------------------

    @cached_property
    def men(self) -> tuple[CountedGroup, ...]:
        """The list of all who count."""
        return tuple(self.counted())

    def _of(self, units: Sequence[str]) -> list[CountedGroup]:
        found = self._found.get(asked := tuple(units))
        if found is None:
            found = self._found[asked] = list(self.counted_of(dict.fromkeys(units)))
        return found

    def holder(self, goal: Hold) -> str | None:
        """The side that alone has men in hand at a place."""
        key, found = self._key(goal), None
        for men in self.men:
            if men.side != found and men.fate == "ready" and self.is_at(men, key, goal):
                if found is not None:
                    return None
                found = men.side
        return found

    def share_left(self, units: Sequence[str]) -> float:
        """The share of these units' starting strength that is effective, to come, or off by right, from 0 to 1."""
        return _share(self._of(units), EFFECTIVE)

    def fielded(self, units: Sequence[str]) -> bool:
        """Whether the rules put anybody of these units on the table."""
        return any(men.number for men in self._of(units))

    def share_off(self, units: Sequence[str]) -> float:
        """The share of these units' starting strength that has gone off by right."""
        return _share(self._of(units), frozenset({"off"}))

    def share_brought(self, goal: Escort) -> float:
        """The share of an escort's units that has reached its edge or place, from 0 to 1."""
        key, escorted = self._key(goal), self._of(goal.units)
        there = [men.number for men in escorted if self._is_brought(men, key, goal)]
        start = total(men.number for men in escorted)
        return total(there) / start if start else 0.0

    def _is_brought(self, men: CountedGroup, key: str, goal: Escort) -> bool:
        if goal.edge is not None:
            return men.fate == "off" and men.edge == goal.edge
        return men.fate in ("ready", "going back") and self.is_at(men, key, goal)

    def _key(self, goal: Hold | Escort) -> str:
        return next(key for key, other in self.scenario.objectives.items() if other is goal)

    def size(self, side: str) -> float:
        """All whom a side began with, leaders and crews included, as the rules count them."""
        return total(men.number for men in self.men if men.side == side)

    def strength(self, side: str) -> float:
        """The share of a side that is effective, to come, or off by right: 1 at the start."""
        return _share([men for men in self.men if men.side == side], EFFECTIVE)

    def losses(self, side: str) -> float:
        """The share of a side that is not coming back."""
        return _share([men for men in self.men if men.side == side], frozenset({"lost"}))

    def can_act(self, side: str) -> bool:
        """Whether a side has troops in hand on the table or certain to come; leaders without troops do not carry on."""
        fates = ("ready", "going back") if self.last else ("ready", "going back", "coming")
        # most often one of the first is in hand
        return any(men.unit and men.number > 0 and men.fate in fates for men in self.counted_on(side))

    @cached_property
    def unopposed(self) -> str | None:
        """The side that alone is left in the field, if there is one."""
        left = [side for side in self.scenario.sides if side not in self.beaten and self.can_act(side)]
        return left[0] if len(left) == 1 else None


def _share(men: Sequence[CountedGroup], fates: frozenset[str]) -> float:
    start = total(one.number for one in men)
    return total(one.number for one in men if one.fate in fates) / start if start else 0.0
