"""Steps of a game, the questions that rules ask, and the events they report."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, TypeAlias, TypeGuard, TypeVar, overload

from zareba.base.grammar import amount
from zareba.base.state import canonical_json
from zareba.chance import Counted, Counts, Meaning, Read, Remark, distribution
from zareba.renamed import warn_renamed

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

    @property
    def how_to_read(self) -> str:
        """How to read the dice, to follow "throw 2d6" in a sentence; with a remark, also who or what wins.

        If several groups of faces count, each is named: "; wounds on 3 or 4; kills on 5 or 6".
        """
        if isinstance(self.read, Counts) and isinstance(self.means, Counted) and len(self.read.groups) > 1:
            return f"; {self.means.faces_counted(self.read)}"
        remark = f"; {self.means.text}" if isinstance(self.means, Remark) else ""
        return f"{self.read.instruction(self.dice)}{remark}"


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

    `find(n)` returns the option with the number `n`, from 0 to `candidates - 1`, or None if it is not legal. `fallback`
    is the only option if none is legal. An option found under two numbers is listed once and is twice as likely to be
    picked by `any`. The state must not change between the question and the answer. The search itself must change
    nothing, because it may be skipped.
    """

    __slots__ = ("_fallback", "_find", "_found", "_listed", "candidates")

    def __init__(self, candidates: int, find: Callable[[int], T | None], fallback: T | None = None) -> None:
        self.candidates = candidates
        self._find = find
        self._found: dict[int, T | None] = {}
        self._fallback = fallback
        self._listed: tuple[T, ...] | None = None

    @classmethod
    def among(cls, candidates: Sequence[T], legal: Callable[[T], str | None]) -> LazyOptions[T]:
        """Return the legal ones among some points or options; `legal` returns None for a legal one, as in `Place`."""

        def find(number: int) -> T | None:
            return candidates[number] if legal(candidates[number]) is None else None

        return LazyOptions(len(candidates), find)

    def at(self, number: int) -> T | None:
        """Return the option with a number, or None if it is not legal."""
        if number not in self._found:
            self._found[number] = self._find(number)
        return self._found[number]

    def any(self, chance: Callable[[], float]) -> T | None:
        """Return a random option. All numbers are equally likely if `chance` is uniform on [0, 1)."""
        left = list(range(self.candidates))
        while left:
            option = self.at(left.pop(int(chance() * len(left))))
            if option is not None:
                return option
        return self._fallback

    def has_several(self) -> bool:
        """Return True if there are at least two different options. The search stops at the second."""
        first = None
        for number in range(self.candidates):
            option = self.at(number)
            if option is not None:
                if first is not None and option != first:
                    return True
                first = option
        return False

    def _iterate(self) -> Iterator[T]:
        is_empty = True
        for number in range(self.candidates):
            option = self.at(number)
            if option is not None:
                is_empty = False
                yield option
        if is_empty and self._fallback is not None:
            yield self._fallback

    def _all(self) -> tuple[T, ...]:
        if self._listed is None:
            distinct = dict.fromkeys([self.at(number) for number in range(self.candidates)])
            legal = tuple([option for option in distinct if option is not None])
            self._listed = legal if legal or self._fallback is None else (self._fallback,)
        return self._listed

    @property
    def possible_count(self) -> int:
        """The number of candidates that are legal or have not been searched yet."""
        return self.candidates - sum([option is None for option in self._found.values()])

    def search_all(self) -> LazyOptions[T]:
        """Search all places and return self. Used when a question is kept after the state has changed."""
        self._all()
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __contains__(self, option: object) -> bool:
        return option in self._found.values() or any(found == option for found in iterate_lazily(self))

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return self._fallback is not None or any(self.at(number) is not None for number in range(self.candidates))

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
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...

    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._all()[index]


_PLAIN_SEQUENCES = (tuple, list)


def is_lazy(options: Sequence[T]) -> TypeGuard[LazyOptions[T]]:
    """Return True if these are lazy options."""
    # an isinstance check against an abstract class is slow, and nearly all options are tuples or lists
    return (kind := type(options)) not in _PLAIN_SEQUENCES and LazyOptions in kind.__mro__


def iterate_lazily(options: Sequence[T]) -> Iterator[T]:
    """Iterate over options; lazy options are searched only as far as the caller reads."""
    return options._iterate() if is_lazy(options) else iter(options)


class Choose(NamedTuple):
    """Ask `seat` to take one of at least two options. `about` names what the choice concerns (a unit, a target).

    The options are a tuple or `LazyOptions`. All of them are found before a player sees the question, except in
    simulations with AI players. `added` are those of them that house rules have added.
    """

    why: str
    rule: str
    actor: str
    seat: str
    options: Sequence[Option]
    about: tuple[Any, ...]
    added: tuple[Option, ...] = ()

    @property
    def brought(self) -> tuple[Option, ...]:
        """`added`, under the name that it had in the last release."""
        warn_renamed("question.brought", "question.added")
        return self.added


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


def asks_the_same(first: Question, second: Question) -> bool:
    """Return True if two questions are equal, ignoring their texts for players (`means`) and the functions of a
    `Place`.
    """
    if isinstance(first, Place) and isinstance(second, Place):
        return first[:4] == second[:4] and tuple(first.suggestions) == tuple(second.suggestions)
    if isinstance(first, (Roll, Draw)) and type(first) is type(second):
        return first._replace(means=None) == second._replace(means=None)
    return type(first) is type(second) and first == second


def remembered(question: Question) -> Question:
    """Return a copy of an answered question that can be kept: equal under `asks_the_same`, without references to the
    state.

    Lazy options are listed. The functions that judge points are removed, because they hold on to the whole state.
    """
    if isinstance(question, Place):
        return question._replace(suggestions=tuple(question.suggestions), legal=_cannot_judge, cost=None)
    if isinstance(question, Choose) and not isinstance(question.options, tuple):
        return question._replace(options=tuple(question.options))
    return question


def _cannot_judge(point: Point) -> str | None:
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
            result = read_faces(question, list(faces))
        except ValueError as error:
            return str(error)
        if result == answer:
            return None
        return f"{answer!r} is not the result of {list(faces)}, read as {question.read.name}"
    if isinstance(question, Place):
        if not (isinstance(answer, tuple) and len(answer) == 2 and all(isinstance(n, (int, float)) for n in answer)):
            return f"{answer!r} is not a point; give two numbers, x and y"
        reason = question.legal(answer)
        return reason if reason is None or _NAMES_RULE.search(reason) else f"{reason} ({question.rule})"
    if isinstance(question, Choose):
        possible: Any = question.options
    elif isinstance(question, Confirm):
        possible = (True, False)
    else:
        possible = [outcome for outcome, _ in outcomes(question)[0]]
    if any(answer == option and type(answer) is type(option) for option in iterate_lazily(possible)):
        return None
    shown = ", ".join(str(option) for option in list(possible)[:12])
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
        option = super().__new__(cls, word)
        option.do = do
        option.then = then
        option.hook = None  # the hook that adds the option; it is set when the hook returns
        return option


# --- Events: reports of what happens in a game, and the pieces that they name -----------------------------------------


_SEPARATORS = re.compile(r"[./+ ]")
"""The characters that separate a piece from its figures and guns in their ids."""


class Event(NamedTuple):
    """Something that happened, as data for the log, the board, the statistics and the house rules."""

    kind: str
    rule: str
    data: Mapping[str, Any]


def mentions(pieces: Collection[str], value: Any) -> bool:
    """Return True if a value of an event or an option names one of these pieces, or a figure of one."""
    return next(pieces_named_in(pieces, value), None) is not None


def pieces_named_in(pieces: Collection[str], value: Any) -> Iterator[str]:
    """Yield the pieces that a value names, itself or by one of their figures."""
    if not pieces:
        return
    if isinstance(value, str):
        if value in pieces:
            yield value
        for separator in _SEPARATORS.finditer(value):
            if (piece := value[: separator.start()]) in pieces:
                yield piece
    elif isinstance(value, Mapping):
        for part in (*value, *value.values()):
            yield from pieces_named_in(pieces, part)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for part in value:
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
