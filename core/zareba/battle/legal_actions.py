"""Legal actions of a unit: a choice of the kind of act, then of an act of that kind. Both are searched only on demand.

This suits rules in which units have many acts, each with many variants: the player sees at once which kinds are
possible.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import islice
from typing import Any

from zareba.battle.evaluation import Evaluation
from zareba.table import LazyOptions, Option

_Judge = Callable[[], bool]


def _no_kind(number: int) -> None:
    return None


class ActionKinds(LazyOptions[Option]):
    """The kinds of act to choose from. Kinds without a judge are legal; `sure` is their number."""

    __slots__ = ("_judges", "_names", "sure")

    def __init__(self) -> None:
        super().__init__(0, _no_kind)  # unused, because `at` is overridden
        self._names: list[Option | None] = []
        self._judges: list[_Judge | None] = []
        self.sure = 0

    def add(self, kind: Option, judge: _Judge | None = None) -> None:
        """Add a kind of act. It is legal if its judge says so, or if it has none."""
        self._names.append(kind)
        self._judges.append(judge)
        self.candidates += 1
        if judge is None:
            self.sure += 1

    def at(self, number: int) -> Option | None:
        """Return the kind with a number if it is legal, else None. The judge is called only once."""
        judge = self._judges[number]
        if judge is not None:
            self._judges[number] = None
            if not judge():
                self._names[number] = None
        return self._names[number]

    @property
    def possible_count(self) -> int:
        """The number of kinds that are legal or have not been checked yet."""
        return len(self.listed)

    def has_several(self) -> bool:
        """Return True if at least two kinds are legal."""
        return self.sure > 1 or super().has_several()

    def __contains__(self, action: object) -> bool:
        return action is not None and action in self._names and self.at(self._names.index(action)) is not None

    @property
    def listed(self) -> list[Option]:
        """All kinds except those known to be illegal."""
        return [kind for kind in self._names if kind is not None]

    def any_of(self, verbs: Container[str]) -> bool:
        """Return True if a kind that begins with one of these words is legal."""
        for index, kind in enumerate(self._names):
            if (kind[0] if isinstance(kind, tuple) else kind) in verbs and self.at(index) is not None:
                return True
        return False


class LegalActions:
    """The legal acts of a unit in the present state of a battle; out of date as soon as the battle changes.

    `kinds` are the options of the first choice. A kind is checked only on demand, and is legal as soon as one act of it
    is found. `of` returns all acts of a kind, the options of the second choice. `evaluations` stores the evaluation of
    an act between the two choices, `ways` its possible destinations until it is done.
    """

    __slots__ = ("_acts", "_battle", "_unit", "evaluations", "kinds", "ways")

    def __init__(self, battle: object, unit: object) -> None:
        self._battle, self._unit = battle, unit
        self._acts: dict[Option, tuple[list[Option], Iterator[Option]]] = {}
        self.evaluations: dict[Option, Evaluation] = {}
        self.ways: dict[Option, Any] = {}
        self.kinds = ActionKinds()

    def is_for(self, battle: object, unit: object) -> bool:
        """Return True if it was made for this unit of this battle, not for a copy of them."""
        return self._battle is battle and self._unit is unit

    def add(self, kind: Option, judge: _Judge | None = None) -> None:
        """Add a kind with a single act, legal if `judge` says so or is None."""
        self.kinds.add(kind, judge)

    def extend(self, kinds: Iterable[Option]) -> None:
        """Add legal kinds with a single act each."""
        for kind in kinds:
            self.kinds.add(kind)

    def add_certain(self, kind: Option, acts: Iterator[Option]) -> None:
        """Add a kind that certainly has an act; the acts are searched on demand."""
        self._acts[kind] = [], acts
        self.kinds.add(kind)

    def offer(self, kind: Option, acts: Iterator[Option], quick_check: _Judge | None = None) -> None:
        """Add a kind that is legal if it has any act. `quick_check` may return True without searching for one."""
        found: list[Option] = []
        self._acts[kind] = found, acts

        def any_act() -> bool:
            if found or (quick_check is not None and quick_check()):
                return True
            found.extend(islice(acts, 1))
            return bool(found)

        self.kinds.add(kind, any_act)

    def of(self, kind: Option) -> list[Option]:
        """Return all acts of a kind; the kind itself if it has a single act."""
        if kind not in self._acts:
            return [kind]
        found, others = self._acts[kind]
        found.extend(others)
        return found
