"""What an umpire may set by hand on a table: the same words in every ruleset, which says what it has of them.

A `Hand` reaches into the records of a state. What a ruleset lets it set is listed there by name: fields of its pieces,
with the values that they may have, and the marks that people may put on and take off.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from zareba.base.amounts import counted, listed
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.state import CopyOnWrite, Record

if TYPE_CHECKING:
    from zareba.base.tally import Tally
    from zareba.table import Point, Table

__all__ = ["FIGURES", "Allowed", "EditableField", "EditableKind", "UmpireEditor", "in_parts"]

S = TypeVar("S", bound=Record)
Allowed: TypeAlias = "range | Collection[str] | type[bool]"
"""What a field may be set to: whole numbers of a range, one of some words, or yes and no."""

FIGURES = "figures"
"""The word for how many a unit has left; what counts as one is the ruleset's."""


class EditableField(NamedTuple):
    """How far a piece fires or commands under its rules, from where it is now.

    `bands` are how far it is to the outer limit of each, nearest first, in the board's unit of length, from the point `at`,
    within `half` degrees either side of `facing` (180: all round); `sees` says whether a point is in sight from there, where
    that counts. On a grid `cells` are those of each band instead.
    """

    kind: Literal["fire", "command"]
    rule: str
    words: str
    bands: tuple[tuple[str, float], ...] = ()
    at: tuple[float, float] = (0.0, 0.0)
    facing: float = 0.0
    half: float = 180.0
    sees: Callable[[tuple[float, float]], bool] | None = None
    cells: Mapping[str, Collection[int]] = {}


class EditableKind(Protocol):
    """The game to which a hand belongs, as far as it needs it."""

    def name_of(self, word: str, /) -> str:
        """The name of a piece, a side or a piece of ground."""
        ...

    def game_turn(self, state: Any, /) -> int:
        """The game turn of a state."""
        ...


class UmpireEditor(Generic[S]):
    """What may be set by hand under a ruleset; this much under any. A ruleset's own hand adds what it knows.

    `pieces` names the fields of a state that hold its pieces, by id. `fields` says what of a piece may be set, `marks`
    which words may be put on it.
    """

    pieces: ClassVar[tuple[str, ...]] = ("units",)
    fields: ClassVar[Mapping[str, Allowed]] = {}
    marks: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, game: EditableKind) -> None:
        self.game = game

    # --- what there is -----------------------------------------------------------------------------------------------

    def named(self, state: S) -> dict[str, str]:
        """The ids of all pieces, each with the field of the state that holds it."""
        return {key: holder for holder in reversed(self.pieces) for key in getattr(state, holder)}

    def offered(self, state: S, piece: str) -> Iterator[tuple[str, Any]]:
        """What may be set of a piece, with what it is now."""
        record = self.piece(state, piece)
        count = self.count(state, piece)
        if count is not None:
            yield FIGURES, count
        for name in self.fields:
            if hasattr(record, name):
                yield name, getattr(record, name)

    def piece(self, state: S, piece: str, *, change: bool = False) -> Any:
        """The record of a piece, to be written to with `change`; raises ZarebaError with the nearest name."""
        known = self.named(state)
        if piece not in known:
            raise unknown_name("piece", piece, known)
        held = getattr(state, known[piece])
        return held.change(piece) if change and isinstance(held, CopyOnWrite) else held[piece]

    def measured(self, state: S, one: str, other: str) -> tuple[str, ...]:
        """What these rules make of the way from one piece to another: sight, band, cover; nothing unless they say so."""
        return ()

    def seen(self, sees: bool, rule: str, hides: Iterable[str]) -> str:
        """Whether one is in sight of another, in words, and if not what hides him: pieces of ground and of the table by id."""
        return f"in sight ({rule})" if sees else f"not in sight{self.hidden_by(hides)} ({rule})"

    def hidden_by(self, hides: Iterable[str]) -> str:
        """What hides somebody, in words that go on from those of whom it hides; "" where that is not known."""
        names = list(dict.fromkeys(self.game.name_of(word) for word in hides))
        return f", hidden by {listed(names)}" if names else ""

    def reaches(self, state: S, piece: str) -> Iterable[EditableField]:
        """How far a piece fires and commands now; nothing unless these rules say so."""
        return ()

    # --- what is done ------------------------------------------------------------------------------------------------

    def set(self, table: Table, state: S, piece: str, field: str, value: Any) -> Any:
        """Set a number or word of a piece; gives what it was."""
        if field == FIGURES:
            was = self.count(state, piece)
            if was is None:
                raise ZarebaError(f"{self.game.name_of(piece)} has no number of figures")
            if type(value) is not int or not 0 <= value <= self.most(state, piece):
                raise ZarebaError(
                    f"figures of {self.game.name_of(piece)} are a whole number from 0 to {self.most(state, piece)}"
                )
            self.set_figures(table, state, piece, value)
            return was
        record = self.piece(state, piece)
        known = [name for name, _ in self.offered(state, piece)]
        if field not in known:
            raise unknown_name(f"number or word of {self.game.name_of(piece)} that can be set", field, known)
        check_value(field, value, self.fields[field])
        was = getattr(record, field)
        setattr(self.piece(state, piece, change=True), field, value)
        self.tidy(state, piece)
        return was

    def mark(self, table: Table, state: S, piece: str, word: str, *, on: bool) -> None:
        """Put a mark on a piece or take it off."""
        record = self.piece(state, piece, change=True)
        if word not in self.marks or not hasattr(record, "marks"):
            raise unknown_name("mark", word, self.marks if hasattr(record, "marks") else ())
        if on is (word in record.marks):
            raise ZarebaError(f"{self.game.name_of(piece)} {'has that mark already' if on else 'has no such mark'}")
        if on:
            record.mark(word)
        else:
            record.unmark(word)
        self.tidy(state, piece)

    def count(self, state: S, piece: str) -> int | None:
        """How many figures a piece has left; None for what is not counted."""
        return None

    def most(self, state: S, piece: str) -> int:
        """How many it may have at most."""
        return self.count(state, piece) or 0

    def size(self, state: S, piece: str) -> int:
        """How many it had at the start of the battle."""
        return self.most(state, piece)

    def set_figures(self, table: Table, state: S, piece: str, count: int) -> None:
        """Give a piece so many figures; none takes it off the table."""
        raise self.cannot("set how many figures a unit has")

    def move(self, table: Table, state: S, piece: str, at: Point) -> None:
        """Put a piece on a cell, by column and row, or at a point of a free table."""
        raise self.cannot("move a piece")

    def remove(self, table: Table, state: S, piece: str) -> None:
        """Take a piece off the table for good, as lost."""
        raise self.cannot("take a piece off the table")

    def deal(self, state: S, side: str, card: str, *, give: bool) -> None:
        """Put a card into a side's hand out of the pile, or back."""
        raise self.cannot("deal cards by hand")

    def set_turn(self, state: S, turn: int) -> None:
        """Let the present turn be another."""
        state.turn = turn  # type: ignore[attr-defined]  # a state whose turn is not a game turn says so itself

    def set_goal(self, state: S, goal: str, side: str) -> None:
        """An objective counts as achieved by a side, or "" by nobody yet."""
        achieved: dict[str, str] = state.achieved  # type: ignore[attr-defined]  # the same in all rulesets
        if side:
            achieved[goal] = side
        elif achieved.pop(goal, None) is None:
            raise ZarebaError("nobody has achieved it yet; what is held is counted at the end")

    def tidy(self, state: S, piece: str) -> None:
        """Bring up to date what is kept beside a piece that was changed."""

    def unsound(self, state: S) -> str:
        """What cannot be in a state, in words; "" if all is in order."""
        return ""

    def cannot(self, what: str) -> ZarebaError:
        """The refusal of what a ruleset has no hand for."""
        return ZarebaError(f"these rules have no way to {what}")


def in_parts(tally: Tally) -> str:
    """A number with its reasons, on one line: 2 dice (3 bases, half at long range; VCC-074)."""
    first, *others = tally.parts()
    reasons = [f"{first.change} {first.summary}", *(f"{part.change} {part.summary}" for part in others)]
    title = tally.rule.name.replace("_", " ")
    return f"{title}: {counted(tally.total, tally.rule.unit)} ({', '.join(reasons)}; {tally.rule.rule})"


def check_value(field: str, value: Any, allowed: Allowed) -> None:
    """Refuse a value that a field may not have."""
    if isinstance(allowed, range):
        if type(value) is not int or value not in allowed:
            raise ZarebaError(f"{field} is a whole number from {allowed[0]} to {allowed[-1]}, not {value!r}")
    elif allowed is bool:
        if type(value) is not bool:
            raise ZarebaError(f"{field} is yes or no, not {value!r}")
    elif not isinstance(allowed, type) and value not in allowed:
        raise unknown_name(f"{field} called", str(value), map(str, allowed))
