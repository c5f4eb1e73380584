"""The few questions that rules ask: roll, draw, choose, place, confirm.

Each is a small frozen value. One description serves the prompt, the journal, the odds and the test script.
Options are plain words, numbers or tuples of them; how they read in a sentence is the ruleset's business.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias, TypeVar, overload

from zareba.base.amounts import amount
from zareba.base.state import canonical_json
from zareba.chance.dice import Read, distribution
from zareba.chance.meaning import Meaning

__all__ = [
    "Answer",
    "Choose",
    "Confirm",
    "DeferredOptions",
    "Draw",
    "LazyOptions",
    "MoveCost",
    "Option",
    "Place",
    "Point",
    "Question",
    "Roll",
    "answer_from_data",
    "asks_the_same",
    "fingerprint",
    "one_by_one",
    "outcomes",
    "read_faces",
    "refusal",
    "remembered",
    "seat_of",
]

Option: TypeAlias = "str | int | tuple[Any, ...]"
Point: TypeAlias = tuple[float, float]
Answer: TypeAlias = Any
T = TypeVar("T", bound="Option")
_NAMES_RULE = re.compile(r"\([^()]+\)\.?$")
"""How a sentence ends that names the rule, or the house rule, that says so; to others the rule of their question is added."""


class Roll(NamedTuple):
    """Throw `dice` dice with `sides` faces each and read them as `read`; `means`: what the answers say in the rules."""

    why: str
    rule: str
    actor: str
    dice: int
    sides: int
    read: Read[Any]
    means: Meaning | None = None


class Draw(NamedTuple):
    """Draw a card; `cards` are the pairs (card, copies left) of the pile in sorted order.

    `seat` alone may see which card came; None: everybody does. `means`: what the cards say in the rules.
    """

    why: str
    rule: str
    actor: str
    seat: str | None
    cards: tuple[tuple[str, int], ...]
    means: Meaning | None = None


class LazyOptions(Sequence[T]):
    """Legal points or options that are looked for only when somebody asks, each once.

    `places` says in how many places to look; `find` gives what is in a place by its number from 0, or None. `otherwise`
    is what remains where nothing is found. What is found in two places is listed once, and twice as likely to be taken.
    The table must not change between the asking and the answer, nor does looking for them change anything: it may be left out.
    """

    __slots__ = ("_find", "_found", "_listed", "_otherwise", "places")

    def __init__(self, places: int, find: Callable[[int], T | None], otherwise: T | None = None) -> None:
        self.places = places
        self._find = find
        self._found: dict[int, T | None] = {}
        self._otherwise = otherwise
        self._listed: tuple[T, ...] | None = None

    @classmethod
    def among(cls, candidates: Sequence[T], legal: Callable[[T], str | None]) -> LazyOptions[T]:
        """The legal ones of some points or options; `legal` gives None for those, as in `Place`."""

        def find(place: int) -> T | None:
            return candidates[place] if legal(candidates[place]) is None else None

        return LazyOptions(len(candidates), find)

    def at(self, place: int) -> T | None:
        """What is found at a place, or None."""
        if place not in self._found:
            self._found[place] = self._find(place)
        return self._found[place]

    def any(self, chance: Callable[[], float]) -> T | None:
        """One of them; all places are equally likely when `chance` is even over 0 to 1 (1 left out)."""
        left = list(range(self.places))
        while left:
            found = self.at(left.pop(int(chance() * len(left))))
            if found is not None:
                return found
        return self._otherwise

    def are_several(self) -> bool:
        """Whether there are two or more, looking no further than the second."""
        first = None
        for place in range(self.places):
            found = self.at(place)
            if found is not None:
                if first is not None and found != first:
                    return True
                first = found
        return False

    def _one_by_one(self) -> Iterator[T]:
        nothing = True
        for place in range(self.places):
            found = self.at(place)
            if found is not None:
                nothing = False
                yield found
        if nothing and self._otherwise is not None:
            yield self._otherwise

    def _all(self) -> tuple[T, ...]:
        if self._listed is None:
            found = dict.fromkeys([self.at(place) for place in range(self.places)])
            listed = tuple([one for one in found if one is not None])
            self._listed = listed if listed or self._otherwise is None else (self._otherwise,)
        return self._listed

    @property
    def not_closed(self) -> int:
        """In how many places there is something, or may be."""
        return self.places - sum([found is None for found in self._found.values()])

    def looked_for(self) -> LazyOptions[T]:
        """Itself with everything found, for a question that outlives the table as it stands."""
        self._all()
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __contains__(self, one: object) -> bool:
        return one in self._found.values() or any(found == one for found in one_by_one(self))

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return self._otherwise is not None or any(self.at(place) is not None for place in range(self.places))

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._all()[index]

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())


class DeferredOptions(Sequence[T]):
    """Options that are found all together when somebody first looks at them: never, where the answer is known."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: Callable[[], Sequence[T]]) -> None:
        self._find = find
        self._found: Sequence[T] | None = None

    def _all(self) -> Sequence[T]:
        if self._found is None:
            self._found = self._find()
        return self._found

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...

    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return self._all()[place]


def one_by_one(offered: Sequence[T]) -> Iterator[T]:
    """What is offered, looking no further than is asked for."""
    return offered._one_by_one() if isinstance(offered, LazyOptions) else iter(offered)


class Choose(NamedTuple):
    """Seat `seat` takes one of at least two options. `about` is what the choice hangs on (a unit, a target).

    The options are a tuple or `Suggestions`; all of them are found before a question is put to anybody but a simulation's
    players. `brought` are those of them that only a house rule offers.
    """

    why: str
    rule: str
    actor: str
    seat: str
    options: Sequence[Option]
    about: tuple[Any, ...]
    brought: tuple[Option, ...] = ()


class MoveCost(NamedTuple):
    """What going somewhere costs under the rules, and how much may be spent on it now, both in the table's unit of length.

    `spent` is None where the ground on the way is closed.
    """

    spent: float | None
    allowance: float


class Place(NamedTuple):
    """Seat `seat` names a point of a free table. `legal` gives None, or the sentence why the point is refused.

    `suggestions` are legal points that an agent may take without measuring: a tuple or `Suggestions`, as in `Choose`.
    `cost` says what going to a point costs, for people who measure before they choose; None where nobody goes there.
    """

    why: str
    rule: str
    actor: str
    seat: str
    suggestions: Sequence[Point]
    legal: Callable[[Point], str | None]
    cost: Callable[[Point], MoveCost] | None = None


class Confirm(NamedTuple):
    """Seat `seat` says yes or no."""

    why: str
    rule: str
    actor: str
    seat: str
    about: tuple[Any, ...]


Question: TypeAlias = Roll | Draw | Choose | Place | Confirm


def seat_of(question: Question) -> str | None:
    """The seat that decides the answer; None when chance does."""
    return None if isinstance(question, (Roll, Draw)) else question.seat


def fingerprint(question: Question) -> str:
    """Sixteen hexadecimal digits that change when the question does; kept beside each answer in a journal."""
    parts: list[Any] = [type(question).__name__, question.why, question.rule, question.actor]
    if isinstance(question, Roll):
        parts += [question.dice, question.sides, question.read.name]
    elif isinstance(question, Draw):
        parts += [question.seat, question.cards]
    elif isinstance(question, Choose):
        parts += [question.seat, tuple(question.options), question.about]
    elif isinstance(question, Confirm):
        parts += [question.seat, question.about]
    else:
        parts += [question.seat, tuple(question.suggestions)]
    return blake2b(canonical_json(parts).encode(), digest_size=8).hexdigest()


def asks_the_same(one: Question, other: Question) -> bool:
    """Whether two questions are the same but for what they say to people, and what judges a point."""
    if isinstance(one, Place) and isinstance(other, Place):
        return one[:4] == other[:4] and tuple(one.suggestions) == tuple(other.suggestions)
    if isinstance(one, (Roll, Draw)) and type(one) is type(other):
        return one._replace(means=None) == other._replace(means=None)
    return type(one) is type(other) and one == other


def remembered(question: Question) -> Question:
    """A question that has been answered and done with, as `asks_the_same` and people know it.

    What looked for its options and judged its points is let go, for that holds the whole table as it was.
    """
    if isinstance(question, Place):
        return question._replace(suggestions=tuple(question.suggestions), legal=_table_gone, cost=None)
    if isinstance(question, Choose) and not isinstance(question.options, tuple):
        return question._replace(options=tuple(question.options))
    return question


def _table_gone(point: Point) -> str | None:
    raise LookupError("points are judged while their question is asked, and not afterwards")


def outcomes(question: Roll | Draw) -> tuple[list[tuple[Answer, int]], int]:
    """The answers that chance can give with their whole-number weights, and the sum of the weights."""
    if isinstance(question, Roll):
        weights = distribution(question.dice, question.sides, question.read)
        return list(weights.items()), question.sides**question.dice
    return list(question.cards), sum(copies for _, copies in question.cards)


def refusal(question: Question, answer: Answer, faces: Sequence[int] = ()) -> str | None:
    """Why `answer` is no answer to `question`, in one sentence; None when it is one.

    With the `faces` of a roll they are read anew; without them the answer is looked for among all that dice can say.
    """
    if isinstance(question, Roll) and faces:
        try:
            read = read_faces(question, list(faces))
        except ValueError as error:
            return str(error)
        return None if read == answer else f"{answer!r} is not what {list(faces)} say, read as {question.read.name}"
    if isinstance(question, Place):
        if not (isinstance(answer, tuple) and len(answer) == 2 and all(isinstance(n, (int, float)) for n in answer)):
            return f"{answer!r} is no point; give two numbers, x and y"
        refused = question.legal(answer)
        return refused if refused is None or _NAMES_RULE.search(refused) else f"{refused} ({question.rule})"
    if isinstance(question, Choose):
        admitted: Any = question.options
    elif isinstance(question, Confirm):
        admitted = (True, False)
    else:
        admitted = [outcome for outcome, _ in outcomes(question)[0]]
    if any(answer == known and type(answer) is type(known) for known in one_by_one(admitted)):
        return None
    shown = ", ".join(str(known) for known in list(admitted)[:12])
    return f"{answer!r} is no answer to '{question.why}' ({question.rule}); possible: {shown}"


def read_faces(question: Roll, faces: list[int]) -> Answer:
    """What the dice say when they show `faces`; ValueError with a sentence when they cannot show them."""
    if len(faces) != question.dice:
        raise ValueError(f"{amount(question.dice, 'die', 'dice')} thrown, but {amount(len(faces), 'face')} given")
    wrong = [face for face in faces if not 1 <= face <= question.sides]
    if wrong:
        raise ValueError(f"a die of {question.sides} faces cannot show {wrong[0]}")
    return question.read.of(faces)


def answer_from_data(value: Any) -> Answer:
    """An answer as it was before it was written to JSON: lists become tuples again."""
    return tuple(answer_from_data(item) for item in value) if isinstance(value, list) else value
