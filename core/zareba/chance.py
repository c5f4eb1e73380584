"""Dice and cards: ways to read a roll, exact distributions, seeded dice, and texts for results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from hashlib import shake_128
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from zareba.base.grammar import join_with_and, join_with_or, with_unit

# --- Ways to read a roll of several dice, with the exact distribution of each -----------------------------------------
#
# A reading is a fold over single dice: it defines the value of one face and how two partial results combine. The same
# definition gives the result of a live roll (fold the faces) and the exact odds (convolve the single die). 24 dice have
# 10^18 ordered results but only 121 sums, so a rule should ask only for the value it uses.


A = TypeVar("A")

MOST_DICE = 1000
MOST_FACES = 1000


class Read(ABC, Generic[A]):
    """One way to read a roll. Instances are hashable values."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in journals; different readings have different names."""

    def instruction(self, dice: int) -> str:
        """Return how to read this number of dice, to follow "throw 2d6" in a sentence."""
        return f", read as {self.name}"

    def describe(self, answer: A) -> str:
        """Return a result as text for players."""
        return ", ".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)

    def counts(self, face: int) -> bool | None:
        """Return True if a die with this face counts, False if it does not; None if this reading does not say."""
        return None

    @abstractmethod
    def of_face(self, face: int) -> A:
        """Return the result of a single die that shows `face` (from 1 to its number of faces)."""

    @abstractmethod
    def join(self, left: A, right: A) -> A:
        """Combine the results of two groups of dice. Associative."""

    @abstractmethod
    def of_none(self) -> A:
        """Return the result of no dice."""

    def of(self, faces: Sequence[int]) -> A:
        """Return the result of these faces, in the order of the dice."""
        if not faces:
            return self.of_none()
        return reduce(self.join, map(self.of_face, faces))

    def weights(self, count: int, sides: int) -> dict[A, int]:
        """Return the number of the sides**count possible rolls that give each result, by combining halves of the
        dice.
        """
        return _convolve(count, sides, self)


@dataclass(frozen=True)
class _Sum(Read[int]):
    name = "sum"

    def instruction(self, dice: int) -> str:
        return " and add them" if dice > 1 else ""

    def of_face(self, face: int) -> int:
        return face

    def join(self, left: int, right: int) -> int:
        return left + right

    def of_none(self) -> int:
        return 0

    def of(self, faces: Sequence[int]) -> int:
        return sum(faces)


@dataclass(frozen=True)
class _Highest(Read[int]):
    name = "highest"

    def instruction(self, dice: int) -> str:
        return "; the highest counts" if dice > 1 else ""

    def of_face(self, face: int) -> int:
        return face

    def join(self, left: int, right: int) -> int:
        return max(left, right)

    def of_none(self) -> int:
        return 0


@dataclass(frozen=True)
class _SumAndHighest(Read[tuple[int, int]]):
    name = "sum and highest"

    def instruction(self, dice: int) -> str:
        return " and add them; the highest die counts too" if dice > 1 else ""

    def of_face(self, face: int) -> tuple[int, int]:
        return face, face

    def join(self, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        return left[0] + right[0], max(left[1], right[1])

    def of_none(self) -> tuple[int, int]:
        return 0, 0

    def of(self, faces: Sequence[int]) -> tuple[int, int]:
        return (sum(faces), max(faces)) if faces else (0, 0)

    def weights(self, count: int, sides: int) -> dict[tuple[int, int], int]:
        """Count rolls with highest face h as the rolls with no face above h, minus those with no face above h - 1."""
        if count == 0:
            return {(0, 0): 1}
        found: dict[tuple[int, int], int] = {}
        lower: dict[int, int] = {}
        for highest in range(1, sides + 1):
            up_to = _convolve(count, highest, SUM)
            for total, ways in up_to.items():
                if ways > lower.get(total, 0):
                    found[total, highest] = ways - lower.get(total, 0)
            lower = up_to
        return found


@dataclass(frozen=True)
class SumBands(Read[int]):
    """The number of ascending `thresholds` that the sum of the dice reaches: 0 to all of them.

    Used for charts that are read by a sum: the rule needs only the row.
    """

    thresholds: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"sum against {'/'.join(map(str, self.thresholds))}"

    def instruction(self, dice: int) -> str:
        added = SUM.instruction(dice)
        if not self.thresholds:
            return added
        return f"{added}{added and ','} against {', '.join(map(str, self.thresholds))}"

    def describe(self, answer: int) -> str:
        low = self.thresholds[answer - 1] if answer else None
        above = self.thresholds[answer] if answer < len(self.thresholds) else None
        if above is None:
            return f"{low} or more" if low is not None else "any sum"
        if low is None:
            return f"less than {above}"
        return f"{low} to {above - 1}" if above - low > 1 else f"{low}"

    def of_face(self, face: int) -> int:
        return bisect_right(self.thresholds, face)

    def join(self, left: int, right: int) -> int:
        raise TypeError("bands of a sum cannot be added; add the dice first and find the band once")

    def of_none(self) -> int:
        return bisect_right(self.thresholds, 0)

    def of(self, faces: Sequence[int]) -> int:
        return bisect_right(self.thresholds, sum(faces))

    def weights(self, count: int, sides: int) -> dict[int, int]:
        found: dict[int, int] = {}
        for total, ways in _convolve(count, sides, SUM).items():
            band = bisect_right(self.thresholds, total)
            found[band] = found.get(band, 0) + ways
        return found


@dataclass(frozen=True)
class _Each(Read[tuple[int, ...]]):
    name = "each die"

    def instruction(self, dice: int) -> str:
        return "; each die counts by itself" if dice > 1 else ""

    def of_face(self, face: int) -> tuple[int, ...]:
        return (face,)

    def join(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        return left + right

    def of_none(self) -> tuple[int, ...]:
        return ()

    def of(self, faces: Sequence[int]) -> tuple[int, ...]:
        return tuple(faces)


@dataclass(frozen=True)
class AtLeast(Read[int]):
    """The number of dice that show `target` or more."""

    target: int

    @property
    def name(self) -> str:
        return f"how many show {self.target} or more"

    def instruction(self, dice: int) -> str:
        return f"; {'each ' if dice > 1 else ''}{self.target} or more counts"

    def counts(self, face: int) -> bool:
        return face >= self.target

    def of_face(self, face: int) -> int:
        return int(face >= self.target)

    def join(self, left: int, right: int) -> int:
        return left + right

    def of_none(self) -> int:
        return 0


@dataclass(frozen=True)
class Counts(Read[tuple[int, ...]]):
    """The number of dice in each group of faces, such as hits, sabres and flags of a symbol die.

    A face may belong to several groups, or to none.
    """

    groups: tuple[frozenset[int], ...]

    @property
    def name(self) -> str:
        return f"counts of {self._faces}"

    def instruction(self, dice: int) -> str:
        if len(self.groups) == 1 and self.groups[0]:
            faces = join_with_or(map(str, sorted(self.groups[0])))
            return f"; {'each ' if dice > 1 else ''}{faces} counts"
        return f"; count {join_with_and(map(_faces_text, self.groups))} separately"

    @property
    def _faces(self) -> str:
        return ", ".join(map(_faces_text, self.groups))

    def counts(self, face: int) -> bool:
        return any(face in group for group in self.groups)

    def of_face(self, face: int) -> tuple[int, ...]:
        return tuple(int(face in group) for group in self.groups)

    def join(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(map(int.__add__, left, right))

    def of_none(self) -> tuple[int, ...]:
        return (0,) * len(self.groups)


def _faces_text(faces: Collection[int]) -> str:
    return "/".join(map(str, sorted(faces))) or "no face"


SUM = _Sum()
HIGHEST = _Highest()
SUM_AND_HIGHEST = _SumAndHighest()
EACH = _Each()


@lru_cache(maxsize=4096)
def distribution(count: int, sides: int, read: Read[A]) -> Mapping[A, int]:
    """Return the weight of each result among the sides**count equally likely rolls of `count` dice, sorted by
    result.
    """
    weights = dict(sorted(read.weights(count, sides).items(), key=lambda item: _sort_key(item[0])))
    return MappingProxyType(weights)


def _sort_key(answer: object) -> tuple[int, object]:
    """Return a sort key for results of one kind: numbers and tuples by value."""
    return (1, answer) if isinstance(answer, tuple) else (0, answer)


@lru_cache(maxsize=4096)
def _convolve(count: int, sides: int, read: Read[Any]) -> dict[Any, int]:
    if count == 0:
        return {read.of_none(): 1}
    if count == 1:
        single: dict[Any, int] = {}
        for face in range(1, sides + 1):
            answer = read.of_face(face)
            single[answer] = single.get(answer, 0) + 1
        return single
    half = count // 2
    left, right = _convolve(half, sides, read), _convolve(count - half, sides, read)
    joined: dict[Any, int] = {}
    for a, weight_a in left.items():
        for b, weight_b in right.items():
            answer = read.join(a, b)
            joined[answer] = joined.get(answer, 0) + weight_a * weight_b
    return joined


# --- Seeded dice: each roll depends on the seed and on a key that names its purpose -----------------------------------
#
# The faces of a roll depend on the seed of the session and on the key of the roll (turn, step, actor, purpose,
# ordinal), never on the number of dice rolled before. A house rule that adds a roll leaves all other rolls unchanged,
# so a game with it and a game without it share their luck.


_SPARE_BITS = 64  # makes the bias of the division below smaller than 2**-64


class KeyedDice:
    """A source of random faces and numbers for one seed. Stateless: the same key always gives the same result."""

    __slots__ = ("_prefix",)

    def __init__(self, seed: int) -> None:
        self._prefix = f"{seed}/"

    def faces(self, key: str, count: int, sides: int) -> list[int]:
        """Return `count` faces from 1 to `sides`."""
        bits = count * sides.bit_length() + _SPARE_BITS
        number = int.from_bytes(shake_128((self._prefix + key).encode()).digest(bits // 8 + 1), "little")
        faces = []
        for _ in range(count):
            number, face = divmod(number, sides)
            faces.append(face + 1)
        return faces

    def below(self, key: str, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""
        length = max(16, (bound.bit_length() + _SPARE_BITS) // 8 + 1)
        number = int.from_bytes(shake_128((self._prefix + key).encode()).digest(length), "little")
        return number % bound


# --- Texts for the results of dice and cards: the threshold to reach, the row of a chart, or the thing counted --------
#
# A rule that rolls also describes what its results mean. "Why?" and the odds show these texts. They decide nothing, so
# a test of every ruleset compares them with what the results do.


class Meaning(ABC):
    """A description of the results of one roll or draw. Instances are hashable values."""

    @abstractmethod
    def describe(self, read: Read[Any] | None, answer: Any) -> str:
        """Return a result as text for players; `read` is the reading of the dice, or None for cards."""

    @abstractmethod
    def describe_all(self, read: Read[Any] | None) -> str:
        """Return all possible results as text, for use before the roll or draw."""

    def result_key(self, answer: Any) -> Hashable:
        """Return a value that is equal for results between which the rules make no difference."""
        each: Hashable = answer
        return each


@dataclass(frozen=True, slots=True)
class Rows(Meaning):
    """Rows of a chart for a numeric result. `lines` holds the lowest result of each row with its text, ascending.

    The first row also covers everything below the second. `by` names the unit or value that a variable scale depends
    on, or the present case such as "at close range"; "" for a fixed scale.
    """

    lines: tuple[tuple[int, str], ...]
    by: str = ""

    def result_key(self, answer: int) -> str:
        return self.lines[self._place(answer)][1]

    def _place(self, answer: int) -> int:
        return max((index for index, (least, _) in enumerate(self.lines) if index and answer >= least), default=0)

    def describe(self, read: Read[Any] | None, answer: Any) -> str:
        place = self._place(answer)
        others = [self._line(other) for other in range(len(self.lines)) if other != place]
        beside = f" (else {'; '.join(others)})" if 0 < len(others) <= 2 else ""
        return f"{self._line(place)}{beside}{self._by}"

    def describe_all(self, read: Read[Any] | None) -> str:
        return "; ".join(map(self._line, range(len(self.lines)))) + self._by

    def describe_between(self, low: int, high: int) -> str:
        """Return all rows for a roll whose results lie between two numbers: "1: he runs; 2 or more: he stands"."""
        last = len(self.lines) - 1
        lines = [self._line(place) for place in range(len(self.lines))]
        if last and self.lines[1][0] - 1 == low:
            lines[0] = f"{low}: {self.lines[0][1]}"
        if last and self.lines[last][0] == high:
            lines[last] = f"{high}: {self.lines[last][1]}"
        return "; ".join(lines) + self._by

    @property
    def _by(self) -> str:
        return _depends_on(self.by)

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

    def result_key(self, answer: int) -> str:
        return self.words[answer]

    def describe(self, read: Read[Any] | None, answer: Any) -> str:
        return f"{_band(read, answer)}: {self.words[answer]}{_depends_on(self.by)}"

    def describe_all(self, read: Read[Any] | None) -> str:
        return self._describe_bands(_band(read, index) for index in range(len(self.words)))

    def describe_from(self, read: Read[Any] | None, low: int) -> str:
        """Return all results of a roll that is at least `low`: "1: he runs; 2 or more: he stands"."""
        bands = (_band(read, index) for index in range(len(self.words)))
        return self._describe_bands(str(low) if band == f"less than {low + 1}" else band for band in bands)

    def _describe_bands(self, bands: Iterable[str]) -> str:
        lines = "; ".join(f"{band}: {words}" for band, words in zip(bands, self.words, strict=True))
        return lines + _depends_on(self.by)


@dataclass(frozen=True, slots=True)
class Counted(Meaning):
    """The result is a number of something, several such numbers, or the face of each die."""

    what: tuple[str, ...]
    by: str = ""

    def describe(self, read: Read[Any] | None, answer: Any) -> str:
        numbers = answer if isinstance(answer, tuple) else (answer,)
        if len(numbers) != len(self.what):
            return self.describe_all(read)  # the result lists the face of each die
        first, *others = self._counted(read)
        found = [_so_many(numbers[place], self.what[place]) for place in (first, *filter(numbers.__getitem__, others))]
        return ", ".join(found) + self._notes(read)

    def describe_all(self, read: Read[Any] | None) -> str:
        return ", ".join(self.what[place] for place in self._counted(read)) + self._notes(read)

    def _counted(self, read: Read[Any] | None) -> Sequence[int]:
        """Return the places of the things that a face can count; all of them if no face counts anything."""
        every = range(len(self.what))
        if isinstance(read, Counts):
            return [place for place in every if read.groups[place]] or every
        return every

    def _notes(self, read: Read[Any] | None) -> str:
        how = self._how(read)
        return (f" ({how})" if how else "") + _depends_on(self.by)

    def _how(self, read: Read[Any] | None) -> str:
        """Return which faces count, if not all do."""
        if isinstance(read, AtLeast):
            return f"each {read.target} or more"
        if isinstance(read, Counts):
            if len(shown := self._counted(read)) == 1:
                return f"on {_any_of(read.groups[shown[0]])}"
            return self.faces_counted(read)
        return ""

    def faces_counted(self, read: Counts) -> str:
        """Return what each group of faces counts: "wounds on 3 or 4; kills on 5 or 6"."""
        return "; ".join(f"{_name(self.what[place])} on {_any_of(read.groups[place])}" for place in self._counted(read))


@dataclass(frozen=True, slots=True)
class Remark(Meaning):
    """The use of the result by the rules, in a text that does not repeat the number."""

    text: str

    def describe(self, read: Read[Any] | None, answer: Any) -> str:
        return self.text

    def describe_all(self, read: Read[Any] | None) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Numbered(Meaning):
    """A die whose number picks one of several names, or several such dice."""

    what: str
    names: tuple[str, ...]

    def describe(self, read: Read[Any] | None, answer: Any) -> str:
        numbers = answer if isinstance(answer, tuple) else (answer,)
        return f"{self.what}: {', '.join(self.names[number - 1] for number in numbers)}"

    def describe_all(self, read: Read[Any] | None) -> str:
        return f"{self.what}: {', '.join(f'{number} {name}' for number, name in enumerate(self.names, 1))}"


@dataclass(frozen=True, slots=True)
class ByCard(Meaning):
    """The purpose of a draw, with texts for cards that have their own."""

    purpose: str
    words: tuple[tuple[str, str], ...] = ()

    def describe(self, read: Read[Any] | None, answer: Any) -> str:
        return dict(self.words).get(answer, "") or self.purpose

    def describe_all(self, read: Read[Any] | None) -> str:
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


def remark(text: str) -> Remark:
    """Describe how the rules use a result, without its number: "the highest begins (ties roll again)"."""
    return Remark(text)


def numbered(what: str, names: Sequence[str]) -> Numbered:
    """Describe a die that picks one of several by its number."""
    return Numbered(what, tuple(names))


def random_draw(purpose: str) -> ByCard:
    """Describe a random draw of one of several, each with a chance in proportion to its copies."""
    return ByCard(purpose)


def _depends_on(by: str) -> str:
    """Return the end of a text whose numbers depend on something: "; depends on the range".

    If `by` names the present case, such as "at close range", it follows in brackets.
    """
    if by.startswith(("at ", "for ")):
        return f" ({by})"
    return f"; depends on {by}" if by else ""


def _any_of(faces: Collection[int]) -> str:
    """Return the faces that count as text: "4, 5 or 6", or "no face"."""
    return join_with_or(map(str, sorted(faces))) if faces else "no face"


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
    return read.describe(answer)
