"""Manual changes by an umpire, with the same commands under every ruleset.

A `UmpireEditor` changes the records of a state. A ruleset lists what it allows: fields of pieces with their permitted
values, and the status marks that may be put on and taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import join_with_and, with_unit
from zareba.base.state import CopyOnWrite, Record

if TYPE_CHECKING:
    from zareba.base.tally import Tally
    from zareba.table import Point, Table


S = TypeVar("S", bound=Record)
Allowed: TypeAlias = "range | Collection[str] | type[bool]"
"""The permitted values of a field: whole numbers in a range, some words, or yes and no."""

FIGURES = "figures"
"""The word for the number of figures a unit has left; the ruleset decides what counts as one."""


class PieceRange(NamedTuple):
    """The range of fire or command of a piece, from its present position.

    `bands` are the outer limits of each range band, nearest first, in the board's unit of length. They are measured
    from the point `at`, within `half` degrees to each side of `facing` (180: all round). `sees` returns True if a
    point is in sight from there; None if that does not matter. On a grid, `cells` holds the cells of each band
    instead.
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


class EditorNames(Protocol):
    """The names that an umpire editor needs."""

    @property
    def loss_noun(self) -> str:
        """The thing that a unit loses, in the singular."""
        ...

    def name_of(self, word: str, /) -> str:
        """Return the name of a piece, a side or a terrain piece."""
        ...


class EditorGame(Protocol):
    """The members of a game that an umpire editor needs."""

    @property
    def narrator(self) -> EditorNames:
        """The narrator of the game."""
        ...

    def game_turn(self, state: Any, /) -> int:
        """Return the game turn of a state."""
        ...


class UmpireEditor(Generic[S]):
    """The manual changes possible under any ruleset. A ruleset's subclass adds its own.

    `pieces` names the fields of a state that hold its pieces, by id. `fields` lists the editable fields of a piece,
    `marks` the status marks that may be put on it. `meanings` explains fields and marks whose names do not say enough.
    """

    pieces: ClassVar[tuple[str, ...]] = ("units",)
    fields: ClassVar[Mapping[str, Allowed]] = {}
    marks: ClassVar[frozenset[str]] = frozenset()
    meanings: ClassVar[Mapping[str, str]] = {}

    def __init__(self, game: EditorGame) -> None:
        self.game = game

    # --- reading -----------------------------------------------------------------------------------------------------

    def piece_holders(self, state: S) -> dict[str, str]:
        """Return the ids of all pieces, each with the field of the state that holds it."""
        return {key: holder for holder in reversed(self.pieces) for key in getattr(state, holder)}

    def editable_fields(self, state: S, piece: str) -> Iterator[tuple[str, Any]]:
        """Yield the fields of a piece that can be set, with their present values."""
        record = self.piece(state, piece)
        count = self.figures_left(state, piece)
        if count is not None:
            yield FIGURES, count
        for name in self.fields:
            if hasattr(record, name):
                yield name, getattr(record, name)

    def piece(self, state: S, piece: str, *, change: bool = False) -> Any:
        """Return the record of a piece; with `change`, one that may be written to.

        Raises ZarebaError with the nearest name.
        """
        known = self.piece_holders(state)
        if piece not in known:
            raise unknown_name("piece", piece, known)
        held = getattr(state, known[piece])
        return held.change(piece) if change and isinstance(held, CopyOnWrite) else held[piece]

    def measurements(self, state: S, piece: str, other: str) -> tuple[str, ...]:
        """Return the rules' measurements from one piece to another: sight, range band, cover. Empty by default."""
        return ()

    def sight_phrase(self, sees: bool, rule: str, hides: Iterable[str]) -> str:
        """Return a phrase that says if a piece is in sight of another and, if not, what hides it.

        `hides` are the terrain and pieces that hide it, by id.
        """
        return f"in sight ({rule})" if sees else f"not in sight{self.hidden_by(hides)} ({rule})"

    def hidden_by(self, hides: Iterable[str]) -> str:
        """Return a phrase that says what hides a piece, to append to a sentence; "" if that is unknown."""
        names = list(dict.fromkeys(self.game.narrator.name_of(word) for word in hides))
        return f", hidden by {join_with_and(names)}" if names else ""

    def reaches(self, state: S, piece: str) -> Iterable[PieceRange]:
        """Return the present ranges of fire and command of a piece. Empty by default."""
        return ()

    # --- changing ----------------------------------------------------------------------------------------------------

    def set(self, table: Table, state: S, piece: str, field: str, value: Any) -> Any:
        """Set a number or word of a piece and return its old value."""
        if field == FIGURES:
            was = self.figures_left(state, piece)
            if was is None:
                raise ZarebaError(f"{self.game.narrator.name_of(piece)} has no figures to count")
            most = self.max_figures(state, piece)
            if type(value) is not int or not 0 <= value <= most:
                narrator = self.game.narrator
                raise ZarebaError(
                    f"{narrator.loss_noun}s of {narrator.name_of(piece)} must be a whole number from 0 to {most}"
                )
            self.set_figures(table, state, piece, value)
            return was
        record = self.piece(state, piece)
        known = [name for name, _ in self.editable_fields(state, piece)]
        if field not in known:
            raise unknown_name(f"editable field of {self.game.narrator.name_of(piece)}", field, known)
        _check_value(field, value, self.fields[field])
        was = getattr(record, field)
        setattr(self.piece(state, piece, change=True), field, value)
        self.tidy(state, piece)
        return was

    def mark(self, table: Table, state: S, piece: str, word: str, *, on: bool) -> None:
        """Put a status mark on a piece or take it off."""
        record = self.piece(state, piece, change=True)
        if word not in self.marks or not hasattr(record, "marks"):
            raise unknown_name("mark", word, self.marks if hasattr(record, "marks") else ())
        if on is (word in record.marks):
            raise ZarebaError(
                f"{self.game.narrator.name_of(piece)} {'has that mark already' if on else 'has no such mark'}"
            )
        if on:
            record.mark(word)
        else:
            record.unmark(word)
        self.tidy(state, piece)

    def figures_left(self, state: S, piece: str) -> int | None:
        """Return the number of figures a piece has left; None if it has no figures to count."""
        return None

    def max_figures(self, state: S, piece: str) -> int:
        """Return the greatest number of figures that a piece may have."""
        return self.figures_left(state, piece) or 0

    def starting_figures(self, state: S, piece: str) -> int:
        """Return the number of figures of a piece at the start of the battle."""
        return self.max_figures(state, piece)

    def set_figures(self, table: Table, state: S, piece: str, count: int) -> None:
        """Set the number of figures of a piece; 0 takes it off the table."""
        raise self.cannot("set how many figures a unit has")

    def move(self, table: Table, state: S, piece: str, at: Point) -> None:
        """Put a piece on a cell, by column and row, or at a point of a free table."""
        raise self.cannot("move a piece")

    def remove(self, table: Table, state: S, piece: str) -> None:
        """Take a piece off the table for good, as lost."""
        raise self.cannot("take a piece off the table")

    def deal(self, state: S, side: str, card: str, *, give: bool) -> None:
        """Move a card from the pile into a side's hand (`give`), or back."""
        raise self.cannot("deal cards by hand")

    def set_turn(self, state: S, turn: int) -> None:
        """Change the present turn."""
        state.turn = turn  # type: ignore[attr-defined]  # rulesets whose `turn` is not the game turn override this

    def set_goal(self, state: S, goal: str, side: str) -> None:
        """Mark an objective as achieved by a side; "" takes the mark away."""
        achieved: dict[str, str] = state.achieved  # type: ignore[attr-defined]  # every ruleset's state has it
        if side:
            achieved[goal] = side
        elif achieved.pop(goal, None) is None:
            raise ZarebaError("no side has achieved it yet; held places are counted at the end")

    def tidy(self, state: S, piece: str) -> None:
        """Update data that depends on a piece that was changed."""

    def find_inconsistency(self, state: S) -> str:
        """Return a description of the first inconsistency in a state; "" if there is none."""
        return ""

    def cannot(self, what: str) -> ZarebaError:
        """Return the error for a change that the ruleset does not support."""
        return ZarebaError(f"these rules have no way to {what}")


def in_parts(tally: Tally) -> str:
    """Return a number with its modifier breakdown on one line: 2 dice (3 bases, half at long range; VCC-074)."""
    reasons = [part.in_words for part in tally.parts()]
    title = tally.rule.name.replace("_", " ")
    return f"{title}: {with_unit(tally.total, tally.rule.unit)} ({', '.join(reasons)}; {tally.rule.rule})"


def _check_value(field: str, value: Any, allowed: Allowed) -> None:
    """Raise ZarebaError for a value that a field may not have."""
    if isinstance(allowed, range):
        if type(value) is not int or value not in allowed:
            raise ZarebaError(f"{field} must be a whole number from {allowed[0]} to {allowed[-1]}, not {value!r}")
    elif allowed is bool:
        if type(value) is not bool:
            raise ZarebaError(f"{field} must be yes or no, not {value!r}")
    elif not isinstance(allowed, type) and value not in allowed:
        raise unknown_name(f"{field} called", str(value), map(str, allowed))
