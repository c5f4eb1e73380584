"""What a choice of an act is made from: kinds of act, then the acts of one kind, looked for only as far as asked."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.ruleset import Appraisal
from zareba.table import Option

__all__ = ["Menu"]


class Menu:
    """The acts open to a unit of a battle as things stand; out of date when the battle changes.

    `kinds` is the first choice. A kind is listed as soon as one act of it is found; `of` gives them all, for the second
    choice. `judged` keeps what a commander thinks of an act between the two.
    """

    __slots__ = ("_battle", "_found", "_unit", "judged", "kinds")

    def __init__(self, battle: object, unit: object) -> None:
        self._battle, self._unit = battle, unit
        self.kinds: list[Option] = []
        self.judged: dict[Option, Appraisal] = {}
        self._found: dict[Option, tuple[list[Option], Iterator[Option]]] = {}

    def is_for(self, battle: object, unit: object) -> bool:
        """Whether it was made for this very unit of this very battle, not for a copy."""
        return self._battle is battle and self._unit is unit

    def offer(self, kind: Option, acts: Iterator[Option]) -> None:
        """List a kind of act if there is any act of it."""
        first = next(acts, None)
        if first is not None:
            self.kinds.append(kind)
            self._found[kind] = ([first], acts)

    def promise(self, kind: Option, acts: Iterator[Option]) -> None:
        """List a kind of act of which there is one for certain; which, is looked for when somebody asks."""
        self.kinds.append(kind)
        self._found[kind] = ([], acts)

    def of(self, kind: Option) -> list[Option]:
        """All acts of a kind; the kind itself if there is but one way to do it."""
        if kind not in self._found:
            return [kind]
        acts, others = self._found[kind]
        acts.extend(others)
        return acts
