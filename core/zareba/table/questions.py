"""Steps of a game, the questions that rules ask, and the events they report."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias, TypeGuard, TypeVar, overload

from zareba.base.grammar import amount
from zareba.base.state import canonical_json
from zareba.chance import Meaning, Read, distribution

# --- The five questions that rules ask: roll, draw, choose, place and confirm -----------------------------------------
#
# Each question is a small immutable value. The prompt, the journal, the odds and test scripts all use this one
# description. Options are plain words, numbers or tuples of them; the ruleset decides how they read in a sentence.


Option: TypeAlias = "str | int | tuple[Any, ...]"
Point: TypeAlias = tuple[float, float]
Answer: TypeAlias = Any
T = TypeVar("T", bound="Option")
_NAMES_RULE = re.compile(r"\([^()]+\)\.?$")
"""Matches a sentence that ends with the id of a rule or house rule in parentheses. `refusal` adds the rule of the
question to other sentences.
"""


class Roll(NamedTuple):
    """Roll `dice` dice with `sides` faces each and read them as `read`. `means` describes what each result means in the
    rules.
    """

    why: str
    rule: str
    actor: str
    dice: int
    sides: int
    read: Read[Any]
    means: Meaning | None = None


class Draw(NamedTuple):
    """Draw a card. `cards` lists the pile as pairs (card, copies left), sorted.

    Only the player of `seat` may see the card drawn; None shows it to all players. `means` describes what each card
    means in the rules.
    """

    why: str
    rule: str
    actor: str
    seat: str | None
    cards: tuple[tuple[str, int], ...]
    means: Meaning | None = None


class LazyOptions(Sequence[T]):
    """Legal points or options that are searched for on first use and then cached.

    There are `places` places to search. `find(n)` returns the option in place `n`, counted from 0, or None.
    `otherwise` is the only option if the search finds none. An option found in two places is listed once and is twice
    as likely to be picked by `any`. The state must not change between the question and the answer. The search itself
    must change nothing, because it may be skipped.
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
        """Return the legal ones among some points or options; `legal` returns None for a legal one, as in `Place`."""

        def find(place: int) -> T | None:
            return candidates[place] if legal(candidates[place]) is None else None

        return LazyOptions(len(candidates), find)

    def at(self, place: int) -> T | None:
        """Return the option found in a place, or None."""
        if place not in self._found:
            self._found[place] = self._find(place)
        return self._found[place]

    def any(self, chance: Callable[[], float]) -> T | None:
        """Return a random option. All places are equally likely if `chance` is uniform on [0, 1)."""
        left = list(range(self.places))
        while left:
            found = self.at(left.pop(int(chance() * len(left))))
            if found is not None:
                return found
        return self._otherwise

    def are_several(self) -> bool:
        """Return True if there are at least two different options. The search stops at the second."""
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
        """The number of places that hold an option or have not been searched yet."""
        return self.places - sum([found is None for found in self._found.values()])

    def looked_for(self) -> LazyOptions[T]:
        """Search all places and return self. Used when a question is kept after the state has changed."""
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
    """Options that are computed together on first use. If the answer is already known, they are never computed."""

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


_PLAIN_SEQUENCES = (tuple, list)


def is_lazy(offered: Sequence[T]) -> TypeGuard[LazyOptions[T]]:
    """Return True if these are lazy options."""
    # an isinstance check against an abstract class is slow, and nearly all options are tuples or lists
    return type(offered) not in _PLAIN_SEQUENCES and isinstance(offered, LazyOptions)


def one_by_one(offered: Sequence[T]) -> Iterator[T]:
    """Iterate over options; lazy options are searched only as far as the caller reads."""
    return offered._one_by_one() if is_lazy(offered) else iter(offered)


class Choose(NamedTuple):
    """Ask `seat` to take one of at least two options. `about` names what the choice concerns (a unit, a target).

    The options are a tuple or `LazyOptions`. All of them are found before a player sees the question, except in
    simulations with AI players. `brought` lists the options that a house rule added.
    """

    why: str
    rule: str
    actor: str
    seat: str
    options: Sequence[Option]
    about: tuple[Any, ...]
    brought: tuple[Option, ...] = ()


class MoveCost(NamedTuple):
    """The movement that reaching a point costs and the movement available now, both in the table's unit of length.

    `spent` is None if impassable ground blocks the way.
    """

    spent: float | None
    allowance: float


class Place(NamedTuple):
    """Ask `seat` for a point on an open table. `legal` returns None, or the sentence that says why a point is refused.

    `suggestions` are legal points that an AI player may take without measuring: a tuple or `LazyOptions`, as in
    `Choose`. `cost` returns the movement cost of a point, for players who measure before they choose; it is None if no
    unit moves there.
    """

    why: str
    rule: str
    actor: str
    seat: str
    suggestions: Sequence[Point]
    legal: Callable[[Point], str | None]
    cost: Callable[[Point], MoveCost] | None = None


class Confirm(NamedTuple):
    """Ask `seat` for a yes or no."""

    why: str
    rule: str
    actor: str
    seat: str
    about: tuple[Any, ...]


Question: TypeAlias = Roll | Draw | Choose | Place | Confirm


def seat_of(question: Question) -> str | None:
    """Return the seat that answers the question, or None if dice or cards do."""
    return None if isinstance(question, (Roll, Draw)) else question.seat


def fingerprint(question: Question) -> str:
    """Return 16 hexadecimal digits that identify the content of a question; a journal stores them with each answer."""
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
    """Return True if two questions are equal, ignoring their texts for players (`means`) and the functions of a
    `Place`.
    """
    if isinstance(one, Place) and isinstance(other, Place):
        return one[:4] == other[:4] and tuple(one.suggestions) == tuple(other.suggestions)
    if isinstance(one, (Roll, Draw)) and type(one) is type(other):
        return one._replace(means=None) == other._replace(means=None)
    return type(one) is type(other) and one == other


def remembered(question: Question) -> Question:
    """Return a copy of an answered question that can be kept: equal under `asks_the_same`, without references to the
    state.

    Lazy options are listed. The functions that judge points are removed, because they hold on to the whole state.
    """
    if isinstance(question, Place):
        return question._replace(suggestions=tuple(question.suggestions), legal=_table_gone, cost=None)
    if isinstance(question, Choose) and not isinstance(question.options, tuple):
        return question._replace(options=tuple(question.options))
    return question


def _table_gone(point: Point) -> str | None:
    raise LookupError("a point can only be judged while its question is open")


def outcomes(question: Roll | Draw) -> tuple[list[tuple[Answer, int]], int]:
    """Return the possible results of a roll or draw with their integer weights, and the sum of the weights."""
    if isinstance(question, Roll):
        weights = distribution(question.dice, question.sides, question.read)
        return list(weights.items()), question.sides**question.dice
    return list(question.cards), sum(copies for _, copies in question.cards)


def refusal(question: Question, answer: Answer, faces: Sequence[int] = ()) -> str | None:
    """Return one sentence that says why `answer` does not fit `question`, or None if it does.

    If the `faces` of a roll are given, they are read again and compared with the answer. Otherwise the answer must be
    one of the possible results.
    """
    if isinstance(question, Roll) and faces:
        try:
            read = read_faces(question, list(faces))
        except ValueError as error:
            return str(error)
        return (
            None if read == answer else f"{answer!r} is not the result of {list(faces)}, read as {question.read.name}"
        )
    if isinstance(question, Place):
        if not (isinstance(answer, tuple) and len(answer) == 2 and all(isinstance(n, (int, float)) for n in answer)):
            return f"{answer!r} is not a point; give two numbers, x and y"
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
    return f"{answer!r} is not an answer to '{question.why}' ({question.rule}); possible: {shown}"


def read_faces(question: Roll, faces: list[int]) -> Answer:
    """Return the result of a roll that shows `faces`; raise ValueError with a sentence if the dice cannot show them."""
    if len(faces) != question.dice:
        raise ValueError(f"{amount(question.dice, 'die', 'dice')} thrown, but {amount(len(faces), 'face')} given")
    wrong = [face for face in faces if not 1 <= face <= question.sides]
    if wrong:
        raise ValueError(f"a die of {question.sides} faces cannot show {wrong[0]}")
    return question.read.of(faces)


def answer_from_data(value: Any) -> Answer:
    """Convert an answer read from JSON to its original form: lists become tuples."""
    return tuple(answer_from_data(item) for item in value) if isinstance(value, list) else value


# --- Extra options: choices that a house rule adds to those of the ruleset --------------------------------------------


class ExtraOption(str):
    """An option that a house rule adds to the list it returns from `zareba_options`: `ExtraOption("dig in", dig_in,
    then="hold")`.

    If the player takes the option, `do(table, state, question)` runs; it may ask the table questions and change the
    state. Play then continues as if the player had taken the option `then`, which must be one that the rules offer in
    the same choice. Players read the option as its word; the hook `zareba_words` can give it another text.
    """

    __slots__ = ("do", "hook", "then")

    do: Callable[..., Any]
    then: Any
    hook: Any

    def __new__(cls, word: str, do: Callable[..., Any], *, then: Any) -> ExtraOption:
        offer = super().__new__(cls, word)
        offer.do = do
        offer.then = then
        offer.hook = None
        return offer


# --- Events: reports of what happens in a game, and the pieces that they name -----------------------------------------


_SEPARATORS = re.compile(r"[./+ ]")
"""What separates a piece from its figures and guns in their ids."""


class Event(NamedTuple):
    """Something that happened, as data for the log, the board, the statistics and the house rules."""

    kind: str
    rule: str
    data: Mapping[str, Any]


def mentions(pieces: Collection[str], told: Any) -> bool:
    """Return True if a value names one of these pieces, or a figure of one."""
    return next(pieces_named_in(pieces, told), None) is not None


def pieces_named_in(pieces: Collection[str], told: Any) -> Iterator[str]:
    """Yield the pieces that a value names, itself or by one of their figures."""
    if not pieces:
        return
    if isinstance(told, str):
        if told in pieces:
            yield told
        yield from (told[: at.start()] for at in _SEPARATORS.finditer(told) if told[: at.start()] in pieces)
    elif isinstance(told, Mapping):
        for part in (*told, *told.values()):
            yield from pieces_named_in(pieces, part)
    elif isinstance(told, (tuple, list, set, frozenset)):
        for part in told:
            yield from pieces_named_in(pieces, part)


# --- Steps: the small, atomic units of play, identified by data -------------------------------------------------------


class Step(NamedTuple):
    """The next thing to do: `name` is the action, `turn` the turn, `about` the unit, side or phase."""

    name: str
    turn: int
    about: str

    @property
    def key(self) -> str:
        """The step as one string; the key of every die rolled in the step starts with it."""
        return f"{self.turn}/{self.about}/{self.name}"
