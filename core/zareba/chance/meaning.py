"""Texts for the results of dice and cards: the threshold to reach, the row of a chart, or the thing counted.

A rule that rolls also describes what its results mean. "Why?" and the odds show these texts. They decide nothing, so a
test of every ruleset compares them with what the results do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zareba.base.grammar import with_unit
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
    """A description of the results of one roll or draw. Instances are hashable values."""

    @abstractmethod
    def said(self, read: Read[Any] | None, answer: Any) -> str:
        """Return a result as text for players; `read` is the reading of the dice, or None for cards."""

    @abstractmethod
    def whole(self, read: Read[Any] | None) -> str:
        """Return all possible results as text, for use before the roll or draw."""

    def row(self, answer: Any) -> Hashable:
        """Return a value that is equal for results between which the rules make no difference."""
        each: Hashable = answer
        return each


@dataclass(frozen=True, slots=True)
class Rows(Meaning):
    """Rows of a chart for a numeric result. `lines` holds the lowest result of each row with its text, ascending.

    The first row also covers everything below the second. `by` names the unit or value that a variable scale depends
    on; "" for a fixed scale.
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
        beside = f" (else {'; '.join(others)})" if 0 < len(others) <= 2 else ""
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
    """A text for each band of a sum, or for failure and success of a single threshold, lowest first."""

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
    """The result is a number of something, several such numbers, or the face of each die."""

    what: tuple[str, ...]
    by: str = ""

    def said(self, read: Read[Any] | None, answer: Any) -> str:
        numbers = answer if isinstance(answer, tuple) else (answer,)
        if len(numbers) != len(self.what):
            return self.whole(read)  # the result lists the face of each die
        found = [_so_many(numbers[place], self.what[place]) for place in self._counted(read)]
        return ", ".join(found) + self._beside(read)

    def whole(self, read: Read[Any] | None) -> str:
        return ", ".join(self.what[place] for place in self._counted(read)) + self._beside(read)

    def _counted(self, read: Read[Any] | None) -> Sequence[int]:
        """Return the places of the things that a face can count; all of them if no face counts anything."""
        every = range(len(self.what))
        if isinstance(read, Counts):
            return [place for place in every if read.groups[place]] or every
        return every

    def _beside(self, read: Read[Any] | None) -> str:
        how = self._how(read)
        return (f" ({how})" if how else "") + (f", by {self.by}" if self.by else "")

    def _how(self, read: Read[Any] | None) -> str:
        """Return which faces count, if not all do."""
        if isinstance(read, AtLeast):
            return f"each {read.target} or more"
        if isinstance(read, Counts):
            shown = {place: " ".join(map(str, sorted(read.groups[place]))) for place in self._counted(read)}
            return "; ".join(f"{_name(self.what[place])} on {faces or 'no face'}" for place, faces in shown.items())
        return ""


@dataclass(frozen=True, slots=True)
class Numbered(Meaning):
    """A die whose number picks one of several names, or several such dice."""

    what: str
    names: tuple[str, ...]

    def said(self, read: Read[Any] | None, answer: Any) -> str:
        numbers = answer if isinstance(answer, tuple) else (answer,)
        return f"{self.what}: {', '.join(self.names[number - 1] for number in numbers)}"

    def whole(self, read: Read[Any] | None) -> str:
        return f"{self.what}: {', '.join(f'{number} {name}' for number, name in enumerate(self.names, 1))}"


@dataclass(frozen=True, slots=True)
class ByCard(Meaning):
    """The purpose of a draw, with texts for cards that have their own."""

    purpose: str
    words: tuple[tuple[str, str], ...] = ()

    def said(self, read: Read[Any] | None, answer: Any) -> str:
        return dict(self.words).get(answer, "") or self.purpose

    def whole(self, read: Read[Any] | None) -> str:
        return self.purpose


def rows(lines: Mapping[int, str], by: str = "") -> Rows:
    """Describe a chart by the lowest result of each row; neighbouring rows with the same text are merged."""
    found: list[tuple[int, str]] = []
    for least, words in sorted(lines.items()):
        if not found or found[-1][1] != words:
            found.append((least, words))
    return Rows(tuple(found), by)


def at_least(least: int, then: str, otherwise: str, by: str = "") -> Rows:
    """Describe a roll that needs `least` or more."""
    return Rows(((least - 1, otherwise), (least, then)), by)


def at_most(most: int, then: str, otherwise: str, by: str = "") -> Rows:
    """Describe a roll that needs `most` or less."""
    return Rows(((most, then), (most + 1, otherwise)), by)


def named(*words: str, by: str = "") -> Named:
    """Describe the bands of a reading, lowest first."""
    return Named(words, by)


def counts(*what: str, by: str = "") -> Counted:
    """Describe a result that counts something; `by` names what the target number depends on."""
    return Counted(what, by)


def numbered(what: str, names: Sequence[str]) -> Numbered:
    """Describe a die that picks one of several by its number."""
    return Numbered(what, tuple(names))


def lot(purpose: str) -> ByCard:
    """Describe a random draw of one of several, each with a chance in proportion to its copies."""
    return ByCard(purpose)


def _so_many(number: Any, what: str) -> str:
    """Return a number with its noun, keeping any text in parentheses after it."""
    unit, bracket, rest = what.partition(" (")
    return f"{with_unit(number, unit)}{bracket}{rest}"


def _name(what: str) -> str:
    """Return the noun of something counted, without the text in parentheses after it."""
    return what.partition(" (")[0]


def _band(read: Read[Any] | None, answer: int) -> str:
    if isinstance(read, AtLeast):
        return f"{read.target} or more" if answer else f"less than {read.target}"
    assert isinstance(read, SumBands), "bands have names"
    return read.said(answer)
