"""The state of a battle in the terms in which scenarios score: a list of counted men and what follows from it.

A ruleset supplies the list (`counted`), decides how close counts as being at a place (`is_at`), and reports objects
that are carried off. Strength, losses, size, holders of places and the ability to act follow from these under every
ruleset.
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
"""The state of counted men.

"ready": under control. "going back": under control but falling back, so they hold no place. "broken": out of control
on the table. "coming": still to arrive, or certain to return. "off": left the table by a permitted exit. "lost": out
of the battle for good.
"""

EFFECTIVE = frozenset({"ready", "going back", "coming", "off"})
"""The fates that count towards a side's strength."""

B = TypeVar("B")


class CountedGroup(NamedTuple):
    """Men, bases or crew of one side that share one fate. `number` is how the rules count them at the start.

    `unit` is the scenario unit whose strength they count towards, "" for none. `leader` is the scenario's leader if
    the group is only that leader. `place` is their position in the form the ruleset uses. `edge` is the table edge by
    which they left.
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
        """The side that carried it off the table; "" if none has yet."""

    @property
    def edge(self) -> str:
        """The edge by which it left the table."""


class Scoreboard(ABC, Generic[B]):
    """The score state of a `battle`. It describes the battle at the moment it was made.

    `turn` is the game turn that has just ended, 0 while a turn is in progress. `achieved` maps objectives scored for
    good to their sides. By default both, and `prizes`, are taken from the battle. `beaten` lists the sides that the
    ruleset's own victory rule removes from the field. `last` is True if no further turn follows, so that later
    arrivals no longer count as able to act.
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

    # --- supplied by the ruleset --------------------------------------------------------------------------------------

    @abstractmethod
    def counted(self) -> Iterable[CountedGroup]:
        """Yield everything that counts, whatever its fate; together this is what the sides started with."""

    def spots(self, men: CountedGroup) -> Iterable[Any]:
        """Yield each place that these men occupy on the table."""
        return (men.place,)

    def counted_of(self, units: Collection[str]) -> Iterable[CountedGroup]:
        """Yield the counted groups of some units.

        It is called after every step: a ruleset that can look up single units cheaply should override it.
        """
        return (men for men in self.men if men.unit in units)

    def counted_on(self, side: str) -> Iterable[CountedGroup]:
        """Yield the counted groups of a side. Override it for speed, as `counted_of`."""
        return (men for men in self.__dict__.get("men") or self.counted() if men.side == side)

    def counted_as(self, leader: str) -> Iterable[CountedGroup]:
        """Yield the counted groups that are this leader of the scenario. Override it for speed, as `counted_of`."""
        return (men for men in self.men if men.leader == leader)

    @abstractmethod
    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        """Return True if men on the table are at the place of an objective."""

    def carried_off(self, goal: CarryOff) -> str | None:
        """Return the side that has carried the object over the objective's edge, None if no side has."""
        prize = self.prizes.get(goal.object)
        return prize.taken_by if prize is not None and prize.taken_by and prize.edge == goal.edge else None

    def lies_on_table(self, goal: CarryOff) -> bool:
        """Return True if the object is still on the table and can be carried off."""
        prize = self.prizes.get(goal.object)
        return prize is not None and not prize.taken_by

    def leader_lost(self, leader: str) -> bool:
        """Return True if a leader is dead, captured, or gone for good.

        A leader who left by a permitted exit, or may come back, is not lost.
        """
        return any(men.fate == "lost" for men in self.counted_as(leader))

    def is_on_table(self, leader: str) -> bool:
        """Return True if a leader is on the table and can be captured."""
        return any(men.fate in ("ready", "going back", "broken") for men in self.counted_as(leader))

    # --- derived from it ----------------------------------------------------------------------------------------------

    @cached_property
    def men(self) -> tuple[CountedGroup, ...]:
        """All counted groups, listed once."""
        return tuple(self.counted())

    def _of(self, units: Sequence[str]) -> list[CountedGroup]:
        found = self._found.get(asked := tuple(units))
        if found is None:
            if "men" in self.__dict__ or 2 * len(asked) >= len(self.scenario.units):
                found = [men for unit in dict.fromkeys(units) for men in self._by_unit.get(unit, ())]
            else:
                found = list(self.counted_of(dict.fromkeys(units)))
            self._found[asked] = found
        return found

    @cached_property
    def _by_unit(self) -> dict[str, list[CountedGroup]]:
        found: dict[str, list[CountedGroup]] = {}
        for men in self.men:
            found.setdefault(men.unit, []).append(men)
        return found

    def holder(self, goal: Hold) -> str | None:
        """Return the only side with "ready" men at a place; None if there is none, or more than one."""
        key, found = self._key(goal), None
        for men in self.men:
            if men.side != found and men.fate == "ready" and self.is_at(men, key, goal):
                if found is not None:
                    return None
                found = men.side
        return found

    def share_left(self, units: Sequence[str]) -> float:
        """Return the share, 0 to 1, of these units' starting strength that is left.

        Men who are effective, still to come, or off by a permitted exit count as left.
        """
        return _share(self._of(units), EFFECTIVE)

    def fielded(self, units: Sequence[str]) -> bool:
        """Return True if the ruleset puts any men of these units on the table."""
        return any(men.number for men in self._of(units))

    def share_off(self, units: Sequence[str]) -> float:
        """Return the share, 0 to 1, of these units' starting strength that has left by a permitted exit."""
        return _share(self._of(units), frozenset({"off"}))

    def share_brought(self, goal: Escort) -> float:
        """Return the share, 0 to 1, of an escort's units that has reached its edge or place."""
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
        """Return the number a side started with, leaders and crews included, as the rules count them."""
        return total(men.number for men in self.men if men.side == side)

    def strength(self, side: str) -> float:
        """Return the share of a side that is left, as in `share_left`: 1 at the start."""
        return _share([men for men in self.men if men.side == side], EFFECTIVE)

    def losses(self, side: str) -> float:
        """Return the share of a side that is lost for good."""
        return _share([men for men in self.men if men.side == side], frozenset({"lost"}))

    def can_act(self, side: str) -> bool:
        """Return True if a side has troops under control on the table or certain to come.

        Leaders without troops do not count. In the last turn, neither do troops still to come.
        """
        fates = ("ready", "going back") if self.last else ("ready", "going back", "coming")
        # a generator: usually one of the first groups decides
        return any(men.unit and men.number > 0 and men.fate in fates for men in self.counted_on(side))

    @cached_property
    def unopposed(self) -> str | None:
        """The only side left that can act and is not beaten; None if there are more, or none."""
        left = [side for side in self.scenario.sides if side not in self.beaten and self.can_act(side)]
        return left[0] if len(left) == 1 else None


def _share(men: Sequence[CountedGroup], fates: frozenset[str]) -> float:
    start = left = 0.0
    for one in men:
        start += one.number
        if one.fate in fates:
            left += one.number
    return left / start if start else 0.0
