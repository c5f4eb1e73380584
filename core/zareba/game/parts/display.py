"""The display of a game: the board, where play stands, and the condition and position of each unit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from zareba.base.exact import dist
from zareba.game.parts.part import Part, S
from zareba.house_rules.state_variables import StateVariable
from zareba.presentation.board import assign_labels, split_hidden
from zareba.table.questions import Choose, Option, Point, Question, Step

if TYPE_CHECKING:
    from zareba.presentation.board import ArrivingPiece, Board
    from zareba.presentation.cards import CardRow
    from zareba.presentation.narration import Roster

MOVED = "moved"
"""The `what` of a `UnitChange` for movement: how far the figures of a unit have moved, in whole units of length."""

State: TypeAlias = "float | bool | str"
"""One aspect of a unit's condition: an amount, a flag, or a word."""


class UnitChange(NamedTuple):
    """A change to one unit of the scenario: `what` has changed, from the value `was` to the value `now`."""

    unit: str
    what: str
    was: State
    now: State


_STRENGTH = frozenset({"bases", "figures", "strength"})
"""Names that rulesets use for the remaining strength of a unit. A unit with none of it has left the table."""
_MEN = _STRENGTH | {
    "firearms",
    "guns",
    "in contact",
    "killed",
    "leader lost",
    "leaders",
    "leaders lost",
    "still to come",
    "with ladders",
}
"""Parts of a unit's condition that its figures and guns show without a marker. Words such as directions or places need
none either.
"""


class Display(Part[S], ABC):
    """Draws the board, and reports on each unit. A ruleset must implement `board`."""

    has_cards: bool = False
    """True if the rules have cards, even before they are dealt."""
    set_up_phases: Collection[str] = ()
    """The names of the steps after deployment in which a side still sets up, such as forming companies."""

    @abstractmethod
    def board(self, state: S) -> Board:
        """Return the pieces and terrain on the table, ready to draw. `labelled_board` adds the parts common to all
        rules.
        """

    def pieces(self, state: S) -> Mapping[str, Sequence[str]]:
        """Return the ids of all pieces that are or may come on the board, by side, in an order fixed for the game.

        Pieces that begin hidden come after the others, so that a gap in the labels does not betray them. Pieces
        created in play come last.
        """
        units, leaders = self.game.scenario.units, self.game.scenario.leaders

        def begins_hidden(piece: str) -> bool:
            unit = units.get((leaders[piece].unit if piece in leaders else piece) or "")
            return unit is not None and unit.hidden

        found: dict[str, list[str]] = {}
        for side in self.game.seats:
            openly, hidden = split_hidden(
                [*self.game.scenario.units_of(side), *self.game.scenario.leaders_of(side)], begins_hidden
            )
            found[side] = [*openly, *hidden]
        return found

    def arriving_pieces(self, state: S) -> Sequence[ArrivingPiece]:
        """Return the pieces still to be set up or to arrive, as far as `state` shows them.

        `zareba.presentation.narration.arrival_phrase` says when.
        """
        return ()

    def labelled_board(self, state: S) -> Board:
        """Return the board with labels of pieces, which stay the same all game, and with the pieces still to arrive."""
        board, listed = self.board(state), self.pieces(state)
        found = {side: [piece.id for piece in board.pieces if piece.side == side] for side in board.sides}
        labels = assign_labels(
            {side: list(dict.fromkeys([*listed.get(side, ()), *ids])) for side, ids in found.items()}
        )
        order = {piece: index for index, piece in enumerate(labels)}
        awaited = sorted(self.arriving_pieces(state), key=lambda piece: order.get(piece.id, len(order)))
        return replace(board, labels=labels, awaited=tuple(awaited))

    def roster(self, state: S, seat: str | None = None) -> Roster | None:
        """Return the roster of one seat or of all; None unless the rules track single figures."""
        return None

    def cell_of(self, state: S, question: Choose, option: Option) -> int | None:
        """Return the box or hex that an option is about, for players who point at the board; None if it has none."""
        return None

    def acting_piece(self, state: S, question: Question) -> str:
        """Return the id of the piece that acts at a question, for players who look for it on the board; by default the
        actor.
        """
        return question.actor

    def cost_of(self, state: S, question: Choose, option: Option) -> str:
        """Return the cost of moving to the box or hex of an option, in a few words; "" if it costs nothing."""
        return ""

    def cards(self, state: S, seat: str | None) -> Sequence[CardRow]:
        """Return the cards that a seat sees next to the board, None for a watcher; empty if the rules have no cards.

        `state` is the view of the seat.
        """
        return ()

    def phases(self, state: S) -> Sequence[tuple[str, bool]]:
        """Return the phases of a turn in order, each with True if it is the present one; empty if there are none."""
        at = self.game.policy.phase(state)
        return [(entry.title, name == at) for name, entry in self.game.policy.phases.items()]

    def phase_title(self, step: Step) -> str:
        """Return the title of the phase that a step belongs to, for the headings of a log; "" if it is not known.

        A phase is named by the step itself, by its `about`, or by a part of its name: `fire` by `unit.fire`.
        """
        phases = self.game.policy.phases
        names = (step.about, step.name, *reversed(step.name.split(".")))
        return next((phases[name].title for name in names if name in phases), "")

    def headline(self, state: S, *details: str) -> str:
        """Return one line that says where play stands; `details` adds the side whose turn it is, or a unit."""
        phase = next((title for title, is_now in self.phases(state) if is_now), "setting up")
        return " · ".join((f"Turn {self.game.game_turn(state)} of {self.game.scenario.turns}", *details, phase))

    def condition(self, state: S) -> Mapping[str, Mapping[str, State]]:
        """Return the condition of each unit of the scenario, by word: the figures left, as the scenario counts them.

        A ruleset adds everything that changes for a unit in battle: numbers, flags, and words for a state or place (""
        for none).
        """
        scoreboard = self.game.scoreboard(state)
        units = self.game.scenario.units
        return {name: {"figures": round(scoreboard.share_left((name,)) * units[name].figures, 3)} for name in units}

    def markers(self, state: S) -> Mapping[str, tuple[str, ...]]:
        """Return what the markers beside each unit on the table, or still to arrive, show of its condition.

        A ruleset may override it for speed: simulated games count markers after every turn.
        """
        shown = {}
        for unit, found in self.condition(state).items():
            is_left = found.get("figures") or found.get("bases") or found.get("strength") or _STRENGTH.isdisjoint(found)
            if is_left and unit not in self.game.scenario.sides:
                shown[unit] = tuple(
                    [
                        f"{what} {number:g}"
                        for what, number in found.items()
                        if number and what not in _MEN and not isinstance(number, str)
                    ]
                )
        return shown

    def places(self, state: S) -> Mapping[str, Mapping[str, Point]]:
        """Return the positions of each unit's figures, on measured tables. Other rulesets put places in `condition`."""
        return {}

    def changes(self, before: S, after: S) -> tuple[UnitChange, ...]:
        """Return the changes to units between two states: changes of `condition`, and distances moved (`places`)."""
        return self.changes_since(before)(after)

    def changes_since(self, before: S) -> Callable[[S], tuple[UnitChange, ...]]:
        """Return a function that gives the changes from `before` to another state, to compare many states with one."""
        was, stood = self.condition(before), self.places(before)

        def changes(after: S) -> tuple[UnitChange, ...]:
            now, stands = self.condition(after), self.places(after)
            found: list[UnitChange] = []
            for unit, earlier in was.items():
                if earlier != now[unit]:
                    for what, before in {**dict.fromkeys(now[unit], 0), **earlier}.items():
                        other = now[unit].get(what, 0)
                        if before != other:
                            found.append(UnitChange(unit, what, before, other))
                there = stands.get(unit, {})
                ways = [dist(at, there[man]) for man, at in stood.get(unit, {}).items() if there.get(man, at) != at]
                if ways and (far := round(max(ways))):
                    found.append(UnitChange(unit, MOVED, 0, far))
            return tuple(found)

        return changes


class DisplayWithStateVariables(Display[S]):
    """A display with the state variables of house rules, on units and in the headline of the board."""

    def __init__(self, inner: Display[S], shown: Sequence[StateVariable]) -> None:
        super().__init__(inner.game)
        self.inner, self._shown = inner, shown
        self.has_cards = inner.has_cards

    def board(self, state: S) -> Board:
        return self.inner.board(state)

    def pieces(self, state: S) -> Mapping[str, Sequence[str]]:
        return self.inner.pieces(state)

    def arriving_pieces(self, state: S) -> Sequence[ArrivingPiece]:
        return self.inner.arriving_pieces(state)

    def roster(self, state: S, seat: str | None = None) -> Roster | None:
        return self.inner.roster(state, seat)

    def cell_of(self, state: S, question: Choose, option: Option) -> int | None:
        return self.inner.cell_of(state, question, option)

    def acting_piece(self, state: S, question: Question) -> str:
        return self.inner.acting_piece(state, question)

    def cost_of(self, state: S, question: Choose, option: Option) -> str:
        return self.inner.cost_of(state, question, option)

    def cards(self, state: S, seat: str | None) -> Sequence[CardRow]:
        return self.inner.cards(state, seat)

    def phases(self, state: S) -> Sequence[tuple[str, bool]]:
        return self.inner.phases(state)

    def phase_title(self, step: Step) -> str:
        return self.inner.phase_title(step)

    def headline(self, state: S, *details: str) -> str:
        return self.inner.headline(state, *details)

    def places(self, state: S) -> Mapping[str, Mapping[str, Point]]:
        return self.inner.places(state)

    def condition(self, state: S) -> Mapping[str, Mapping[str, State]]:
        found = {unit: dict(marks) for unit, marks in self.inner.condition(state).items()}
        for variable in self._shown:
            if variable.of == "unit":
                for unit, marks in found.items():
                    value = state.own.get(variable.key(unit), variable.start)  # type: ignore[attr-defined]  # every battle has it
                    marks[variable.words] = value if isinstance(value, (int, float, str)) else str(value or "")
        return found

    def labelled_board(self, state: S) -> Board:
        board, game = self.inner.labelled_board(state), self.game
        pieces, done = [], set()
        for piece in board.pieces:
            unit = piece.look.unit or piece.id
            words = [] if unit in done else self._said_of(state, unit)
            done.add(unit)
            if words:
                look = replace(piece.look, states=(*piece.look.states, *words))
                piece = replace(piece, text=f"{piece.text}, {', '.join(words)}", look=look)
            pieces.append(piece)
        first = [variable.describe(variable[state]) for variable in self._shown if variable.of == "game"]
        for variable in self._shown:
            if variable.of == "side":
                of_sides = [(side, variable.describe(variable[state, side])) for side in game.seats]
                first += [f"{game.narrator.name_of(side)}: {words}" for side, words in of_sides if words]
        return replace(board, pieces=tuple(pieces), headline="; ".join(filter(None, [board.headline, *first])))

    def _said_of(self, state: S, unit: str) -> list[str]:
        units = state.units  # type: ignore[attr-defined]  # every state of a battle has units
        words = [
            variable.describe(variable[state, unit])
            for variable in self._shown
            if variable.of == "unit" and unit in units
        ]
        return [phrase for phrase in words if phrase]
