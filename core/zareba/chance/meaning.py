"""What dice and cards say in the rules: the threshold they are held against, the row of a table, what they count.

A rule that throws says beside the throw what its answers mean. "Why" and the odds tell it in these words; nothing is
decided by them, so a test of every ruleset holds them against what the answers do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.base.amounts import counted
from zareba.chance.dice import AtLeast, Counts, Read, SumBands

__all__ = [
    "ByCard",
    "Counted",
    "Meaning",
    "Named",
    "Rows",
    "at_least",
    "at_most",
    "counts",
    "lot",
    "named",
    "numbered",
    "rows",
]


class Meaning(ABC):
    """What the answers to one throw or draw say. Instances are hashable values."""

    @abstractmethod
    def said(self, read: Read[Any] | None, answer: Any) -> str:
        """What an answer says to a person; `read` is how the dice were read, None of cards."""

    @abstractmethod
    def whole(self, read: Read[Any] | None) -> str:
        """All that may be said, before it is thrown or drawn."""

    def row(self, answer: Any) -> Hashable:
        """The same for answers between which the rules make no difference."""
        each: Hashable = answer
        return each


@dataclass(frozen=True, slots=True)
class Rows(Meaning):
    """The answer is a number on a scale. `lines`: words with the least number for which they hold, in ascending order.

    The first holds for all that is less than the second's. `by` says whose number the scale hangs on, "" of a fixed one.
    """

    lines: tuple[tuple[int, str], ...]
    by: str = ""

    def row(self, answer: int) -> str:
        return self.lines[self._place(answer)][1]

    def _place(self, answer: int) -> int:
        return max((place for place, (least, _) in enumerate(self.lines) if place and answer >= least), default=0)

    def said(self, read: Read[Any] | None, answer: Any) -> str:
        place = self._place(answer)
        others = [self._line(other) for other in range(len(self.lines)) if other != place]
        beside = f" (else {'; '.join(others)})" if len(others) <= 2 else ""
        return f"{self._line(place)}{beside}{self._by}"

    def whole(self, read: Read[Any] | None) -> str:
        return "; ".join(map(self._line, range(len(self.lines)))) + self._by

    @property
    def _by(self) -> str:
        return f", by {self.by}" if self.by else ""

    def _line(self, place: int) -> str:
        least, words = self.lines[place]
        above = self.lines[place + 1][0] if place + 1 < len(self.lines) else None
        if above is None:
            return f"{least} or more: {words}" if place else words
        if not place:
            return f"{above - 1} or less: {words}"
        return f"{least} to {above - 1}: {words}" if above - least > 1 else f"{least}: {words}"


@dataclass(frozen=True, slots=True)
class Named(Meaning):
    """The dice are read by bands of their sum, or by whether one shows enough; the words of each, the lowest first."""

    words: tuple[str, ...]
    by: str = ""

    def row(self, answer: int) -> str:
        return self.words[answer]

    def said(self, read: Read[Any] | None, answer: Any) -> str:
        return f"{_band(read, answer)}: {self.words[answer]}{f', by {self.by}' if self.by else ''}"

    def whole(self, read: Read[Any] | None) -> str:
        lines = "; ".join(f"{_band(read, place)}: {words}" for place, words in enumerate(self.words))
        return lines + (f", by {self.by}" if self.by else "")


@dataclass(frozen=True, slots=True)
class Counted(Meaning):
    """The answer is a number of what is named, or several such numbers, or what each of the dice shows."""

    what: tuple[str, ...]
    by: str = ""

    def said(self, read: Read[Any] | None, answer: Any) -> str:
        numbers = answer if isinstance(answer, tuple) else (answer,)
        if len(numbers) != len(self.what):
            return self.whole(read)  # die by die, as the faces show
        found = [_so_many(number, what) for number, what in zip(numbers, self.what, strict=True)]
        return ", ".join(found) + self._beside(read)

    def whole(self, read: Read[Any] | None) -> str:
        return ", ".join(self.what) + self._beside(read)

    def _beside(self, read: Read[Any] | None) -> str:
        how = self._how(read)
        return (f" ({how})" if how else "") + (f", by {self.by}" if self.by else "")

    def _how(self, read: Read[Any] | None) -> str:
        """Which faces count, where not all do."""
        if isinstance(read, AtLeast):
            return f"each {read.target} or more"
        if isinstance(read, Counts):
            faces = [" ".join(map(str, sorted(group))) or "no face" for group in read.groups]
            return "; ".join(f"{what} on {shown}" for what, shown in zip(self.what, faces, strict=True))
        return ""


@dataclass(frozen=True, slots=True)
class Numbered(Meaning):
    """A die says by his number who of several it is, or each of several dice does."""

    what: str
    names: tuple[str, ...]

    def said(self, read: Read[Any] | None, answer: Any) -> str:
        numbers = answer if isinstance(answer, tuple) else (answer,)
        return f"{self.what}: {', '.join(self.names[number - 1] for number in numbers)}"

    def whole(self, read: Read[Any] | None) -> str:
        return f"{self.what}: {', '.join(f'{number} {name}' for number, name in enumerate(self.names, 1))}"


@dataclass(frozen=True, slots=True)
class ByCard(Meaning):
    """A card is drawn: the words of each that has some of its own, and what it is drawn for."""

    purpose: str
    words: tuple[tuple[str, str], ...] = ()

    def said(self, read: Read[Any] | None, answer: Any) -> str:
        return dict(self.words).get(answer, "") or self.purpose

    def whole(self, read: Read[Any] | None) -> str:
        return self.purpose


def rows(lines: Mapping[int, str], by: str = "") -> Rows:
    """A table that is entered with the answer: words by the least number for which they hold; equal neighbours are one row."""
    found: list[tuple[int, str]] = []
    for least, words in sorted(lines.items()):
        if not found or found[-1][1] != words:
            found.append((least, words))
    return Rows(tuple(found), by)


def at_least(least: int, then: str, otherwise: str, by: str = "") -> Rows:
    """So much or more is needed."""
    return Rows(((least - 1, otherwise), (least, then)), by)


def at_most(most: int, then: str, otherwise: str, by: str = "") -> Rows:
    """So much or less is needed."""
    return Rows(((most, then), (most + 1, otherwise)), by)


def named(*words: str, by: str = "") -> Named:
    """Words of the bands by which a throw is read, the lowest first."""
    return Named(words, by)


def counts(*what: str, by: str = "") -> Counted:
    """What the answer is a number of; `by` says what the number needed hangs on."""
    return Counted(what, by)


def numbered(what: str, names: Sequence[str]) -> Numbered:
    """A die says by his number who of several it is."""
    return Numbered(what, tuple(names))


def lot(purpose: str) -> ByCard:
    """One of several is drawn, each as likely as another by its copies."""
    return ByCard(purpose)


def _so_many(number: Any, what: str) -> str:
    """A number of something, with what stands in brackets behind it."""
    unit, bracket, rest = what.partition(" (")
    return f"{counted(number, unit)}{bracket}{rest}"


def _band(read: Read[Any] | None, answer: int) -> str:
    if isinstance(read, AtLeast):
        return f"{read.target} or more" if answer else f"less than {read.target}"
    assert isinstance(read, SumBands), "bands have names"
    return read.said(answer)
