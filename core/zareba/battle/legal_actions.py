"""What a choice of an act is made from: kinds of act, then the acts of one kind, both looked for only as far as asked.

For rules whose units have many acts, each with many ways to do it: whoever chooses sees at once what kinds there are.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import islice
from typing import Any

from zareba.battle.evaluation import Evaluation
from zareba.table import LazyOptions, Option

__all__ = ["ActionKinds", "LegalActions"]

Judge = Callable[[], bool]


def _nothing(place: int) -> None:
    return None


class ActionKinds(LazyOptions[Option]):
    """The kinds of act on a menu. Those without a judge are open; `sure` counts them as they are listed."""

    __slots__ = ("_judges", "_names", "sure")

    def __init__(self) -> None:
        super().__init__(0, _nothing)  # `at` finds for itself
        self._names: list[Option | None] = []
        self._judges: list[Judge | None] = []
        self.sure = 0

    def add(self, kind: Option, judge: Judge | None = None) -> None:
        """List a kind of act that is open if its judge says so; without one it is."""
        self._names.append(kind)
        self._judges.append(judge)
        self.places += 1
        if judge is None:
            self.sure += 1

    def at(self, place: int) -> Option | None:
        """The kind in a place if it is open; judged once."""
        judge = self._judges[place]
        if judge is not None:
            self._judges[place] = None
            if not judge():
                self._names[place] = None
        return self._names[place]

    @property
    def not_closed(self) -> int:
        """How many kinds are open, or may be."""
        return len(self.listed)

    def are_several(self) -> bool:
        """Whether there are two or more."""
        return self.sure > 1 or super().are_several()

    def __contains__(self, one: object) -> bool:
        return one is not None and one in self._names and self.at(self._names.index(one)) is not None

    @property
    def listed(self) -> list[Option]:
        """All but those of which it is known that they are not open."""
        return [kind for kind in self._names if kind is not None]

    def any_of(self, verbs: Container[str]) -> bool:
        """Whether one of the kinds that begin with these words is open."""
        for place, kind in enumerate(self._names):
            if (kind[0] if isinstance(kind, tuple) else kind) in verbs and self.at(place) is not None:
                return True
        return False


class LegalActions:
    """The acts open to a unit of a battle as things stand; out of date when the battle changes.

    `kinds` is the first choice. Whether a kind is open is judged when somebody looks at it; it is as soon as one act of
    it is found. `of` gives all its acts, for the second choice. `judged` keeps what a commander thinks of an act between
    the two, `ways` where an act may lead (`destinations`) until it is done.
    """

    __slots__ = ("_acts", "_battle", "_unit", "judged", "kinds", "ways")

    def __init__(self, battle: object, unit: object) -> None:
        self._battle, self._unit = battle, unit
        self._acts: dict[Option, tuple[list[Option], Iterator[Option]]] = {}
        self.judged: dict[Option, Evaluation] = {}
        self.ways: dict[Option, Any] = {}
        self.kinds = ActionKinds()

    def is_for(self, battle: object, unit: object) -> bool:
        """Whether it was made for this very unit of this very battle, not for a copy."""
        return self._battle is battle and self._unit is unit

    def add(self, kind: Option, judge: Judge | None = None) -> None:
        """List a kind of act of which there is but one, if it is open; without `judge` it is."""
        self.kinds.add(kind, judge)

    def extend(self, kinds: Iterable[Option]) -> None:
        """List kinds of act that are open, and of each of which there is but one."""
        for kind in kinds:
            self.kinds.add(kind)

    def promise(self, kind: Option, acts: Iterator[Option]) -> None:
        """List a kind of act of which there is one for certain; which, is looked for when somebody asks."""
        self._acts[kind] = [], acts
        self.kinds.add(kind)

    def offer(self, kind: Option, acts: Iterator[Option], surely: Judge | None = None) -> None:
        """List a kind of act if there is any act of it; `surely` may know that there is one before one is looked for."""
        found: list[Option] = []
        self._acts[kind] = found, acts

        def any_act() -> bool:
            if found or (surely is not None and surely()):
                return True
            found.extend(islice(acts, 1))
            return bool(found)

        self.kinds.add(kind, any_act)

    def of(self, kind: Option) -> list[Option]:
        """All acts of a kind; the kind itself if there is but one way to do it."""
        if kind not in self._acts:
            return [kind]
        found, others = self._acts[kind]
        found.extend(others)
        return found
