"""Prompt commands that act on the game: delegation to AI players, standing orders, umpire edits and measuring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.base.errors import ZarebaError, nearest, unknown_name
from zareba.base.exact import dist
from zareba.base.grammar import agreeing, with_unit
from zareba.base.hidden_characters import fold
from zareba.cli.prompt.piece_names import find_piece, piece_first, read_place
from zareba.presentation.board import describe_position, place_name
from zareba.session import Correction, Session, StandingOrder
from zareba.session.dice_results import read_dice
from zareba.table import Point, Roll

ACTS_HELP = """\
do phase             the AI player doctrine finishes the phase for you; also do choice, do unit, do turn, do 3 turns, \
do game, do sikhs; do phase by general uses another AI player, by hold does nothing; one undo takes all of it back
all hold             do nothing more in this phase
order UNIT hold      a standing order: hold, fire, or go PLACE; orders lists them, cancel UNIT ends one
seat SIDE PLAYER     change the player of a side
men                  choose single figures of a unit yourself, or let doctrine choose
measure UNIT UNIT    distance, sight, range and cover by these rules
set UNIT WHAT VALUE  umpire: set a number; set UNIT lists what can be set
move UNIT to PLACE   umpire: put the unit there; remove UNIT takes it off; mark or unmark UNIT WORD changes a mark
again [UNIT] [DICE]  umpire: replace the dice of the last throw
result [UNIT] WORD   umpire: set the result of the last throw, such as result pinned
goal OBJECTIVE SIDE  umpire: set who has achieved it; turn is N sets the turn; give or take SIDE CARD changes a hand
because WORDS        at the end of an umpire command: the reason
A place is a cell (E4), a point (12 4), 8 NE, 8 towards the Jezails, behind the wall, or a name."""

_YES = {"yes": True, "no": False, "true": True, "false": False}


class GameCommands:
    """Executes these commands. Each returns the text to show.

    `seen` returns the state that the player sees, and `reader` the player's seat, None for everything.
    """

    def __init__(
        self, session: Session, seen: Callable[[], Any], reader: Callable[[], str | None] = lambda: None
    ) -> None:
        self._session = session
        self._game = session.game
        self._seen = seen
        self._reader = reader
        self.commands: dict[str, Callable[[str], str]] = {
            "do": self.do,
            "all": self.all,
            "order": self.order,
            "orders": self.orders,
            "cancel": self.cancel,
            "seat": self.seat,
            "men": self.men,
            "set": self.set,
            "move": self.move,
            "mark": self.mark,
            "unmark": self.unmark,
            "remove": self.remove,
            "again": self.again,
            "result": self.result,
            "goal": self.goal,
            "turn": self.turn,
            "give": self.give,
            "take": self.take,
            "measure": self.measure,
        }

    # --- delegation and standing orders ------------------------------------------------------------------------------

    def do(self, typed: str) -> str:
        """Let an AI player make some of a person's choices."""
        what, by, player = (part.strip() for part in f"{typed} ".partition(" by "))
        if by and not player:
            raise ZarebaError(f"name the player: do {what} by doctrine, general or hold")
        player = player or "doctrine"
        words = what.casefold().split()
        if not words:
            raise ZarebaError("say what to do: do choice, unit, phase, turn, 3 turns, game, or a unit's name")
        if words[-1] in ("turn", "turns") and len(words) <= 2:
            count = words[0] if len(words) == 2 else "1"
            if not count.isdecimal():
                raise ZarebaError(f"'{count}' is not a number of turns")
            return self._delegation_text(self._session.delegate("turn", player, turns=int(count)))
        if len(words) == 1 and words[0] in ("choice", "unit", "phase", "game"):
            return self._delegation_text(self._session.delegate(words[0], player))  # type: ignore[arg-type]  # these are scopes
        if words in (["setup"], ["set-up"], ["set", "up"]):
            return self._delegation_text(self._session.delegate("phase", player))
        unit = find_piece(self._game, self._seen(), what)
        return self._delegation_text(self._session.delegate("unit", player, unit=unit))

    def _delegation_text(self, deputy: Any) -> str:
        back = "; undo takes all of it back"
        return f"{deputy.describe(self._game)}{back}"

    def all(self, typed: str) -> str:
        """Do nothing more in the rest of the phase."""
        if typed.casefold() not in ("hold", "done", "stay", "pass", "nothing"):
            raise ZarebaError("type 'all hold' to do nothing more in this phase")
        return self._delegation_text(self._session.delegate("phase", "hold"))

    def order(self, typed: str) -> str:
        """Give a standing order."""
        if not typed:
            return self.orders("")
        unit, rest = piece_first(self._game, self._seen(), typed)
        word, _, place = rest.partition(" ")
        word = word.casefold()
        if word in ("hold", "stay", "stand"):
            given = StandingOrder("hold")
        elif word in ("fire", "shoot"):
            given = StandingOrder("fire")
        elif word in ("go", "move", "advance", "march"):
            board = self._game.display.labelled_board(self._seen())
            place = f"{place} ".removeprefix("on ").removeprefix("to ").strip()
            if not place:
                raise ZarebaError(f"say where {self._game.narrator.name_of(unit)} should go: order {unit} go E4")
            at = read_place(self._game, board, place, describe_position(board).get(unit))
            given = StandingOrder("go", place, at)
        else:
            guess = nearest(word, ("hold", "fire", "go")) if word else None
            hint = f"did you mean '{guess}'?" if guess else "type hold, fire, or go PLACE"
            raise ZarebaError(f"there is no order '{rest}'; {hint}")
        self._session.order(unit, given)
        return f"{self._game.narrator.name_of(unit)}: {given}; cancel {unit} ends it"

    def orders(self, _: str) -> str:
        """List all standing orders."""
        given = self._session.orders.given
        lines = [f"{self._game.narrator.name_of(unit)}: {order}" for unit, order in given.items()]
        return "\n".join(lines) or "no unit has a standing order"

    def cancel(self, typed: str) -> str:
        """Cancel one standing order, or all."""
        if typed.casefold() == "all":
            for unit in list(self._session.orders.given):
                self._session.order(unit, None)
            return "all standing orders are cancelled"
        if not typed:
            raise ZarebaError("name a unit: cancel UNIT, or cancel all")
        unit = find_piece(self._game, self._seen(), typed)
        self._session.order(unit, None)
        return f"{self._game.narrator.name_of(unit)} no longer has a standing order"

    def seat(self, typed: str) -> str:
        """Change the player of a side."""
        side, _, player = typed.partition(" ")
        if not player:
            played = [
                f"{self._game.narrator.name_of(side)} ({side}): {kind}" for side, kind in self._session.seats.items()
            ]
            return "\n".join([*played, "seat SIDE PLAYER changes it"])
        self._session.seat(side, player.strip())
        name = self._game.narrator.name_of(side)
        return f"{name} {agreeing(name, 'is', 'are')} played by {player.strip()} from now on"

    def men(self, typed: str) -> str:
        """Set whether people choose the single figures of a unit."""
        if typed.casefold() not in ("", "on", "off"):
            raise ZarebaError(f"type men on or men off, not 'men {typed}'")
        self._session.by_units = typed.casefold() == "off" if typed else not self._session.by_units
        if self._session.by_units:
            return "doctrine chooses the single figures of a unit from now on; men on lets you choose"
        return "you choose the single figures of a unit from now on; men off lets doctrine choose"

    # --- umpires -----------------------------------------------------------------------------------------------------

    def set(self, typed: str) -> str:
        """Set a number or word of a piece."""
        piece, rest, reason = self._piece(typed)
        offered = dict(self._game.umpire_editor().editable_fields(self._seen(), piece))
        if not rest:
            return f"{self._game.narrator.name_of(piece)}: {', '.join(f'{name} {_shown(now)}' for name, now in offered.items())}"
        field, _, written = rest.partition(" ")
        written = written.removeprefix("to ").removeprefix("= ").strip()
        if field not in offered:
            raise unknown_name(f"editable field of {self._game.narrator.name_of(piece)}", field, offered)
        if not written:
            raise ZarebaError(f"give a value for {field}; it is {_shown(offered[field])} now")
        value: Any = int(written) if written.lstrip("-").isdecimal() else _YES.get(written.casefold(), written)
        return self._correct(Correction("set", piece, field, value, reason))

    def move(self, typed: str) -> str:
        """Move a piece to a place."""
        piece, rest, reason = self._piece(typed)
        where = rest.removeprefix("to ").strip()
        if not where:
            raise ZarebaError(f"say where to put {self._game.narrator.name_of(piece)}: move {piece} to PLACE")
        return self._correct(Correction("move", piece, value=self._place(piece, where), reason=reason))

    def mark(self, typed: str) -> str:
        """Add a mark to a piece."""
        return self._mark("mark", typed)

    def unmark(self, typed: str) -> str:
        """Remove a mark from a piece."""
        return self._mark("unmark", typed)

    def _mark(self, act: Any, typed: str) -> str:
        piece, word, reason = self._piece(typed)
        if not word:
            known = ", ".join(sorted(self._game.umpire_editor().marks)) or "none"
            raise ZarebaError(f"name a mark; known: {known}")
        return self._correct(Correction(act, piece, word.replace(" ", "_"), reason=reason))

    def remove(self, typed: str) -> str:
        """Remove a piece from the table."""
        piece, rest, reason = self._piece(typed)
        if rest:
            raise ZarebaError(f"'{rest}' is not expected; type 'remove {piece}'")
        return self._correct(Correction("remove", piece, reason=reason))

    def again(self, typed: str) -> str:
        """Replace the dice of the last throw, or of the last throw of a unit."""
        faces, reason = _because(typed)
        piece, faces = self._thrower(faces) if faces[:1].isalpha() else ("", faces)
        thrown, piece = self._last_throw(piece)
        wanted = tuple(read_dice(thrown.dice, thrown.sides, faces)) if faces else ()
        return self._correct(Correction("again", piece, faces=wanted, reason=reason))

    def result(self, typed: str) -> str:
        """Set the result of the last throw, or of the last throw of a unit; without a word, list the possible
        results.
        """
        words, reason = _because(typed)
        piece, words = self._thrower(words)
        thrown, piece = self._last_throw(piece)
        if words:
            self._session.result(words, piece, reason)
            return self._done()
        shown = [
            f"{' '.join(map(str, dice_result.faces))}: {dice_result.consequences or 'no event'}{' (as thrown)' if dice_result.is_actual else ''}"
            for dice_result in self._session.results(piece)
        ]
        about = self._game.narrator.describe(self._seen(), thrown)
        return "\n".join([f"{about}; possible results:", *shown])

    def _last_throw(self, piece: str) -> tuple[Roll, str]:
        """Return the last throw that the player knows of, or the last for a piece, and the piece that it was for.

        The piece is "" for the last throw of all, if nothing can be hidden from the player.
        """
        reader = self._reader()
        thrown = self._session.history.last_throw(piece, reader).question
        assert isinstance(thrown, Roll), "a throw of dice"
        hides = reader is not None and self._game.sight.may_hide(reader)
        return thrown, piece or (thrown.actor if hides else "")

    def _thrower(self, typed: str) -> tuple[str, str]:
        """Return a unit named by the first words of a line, and the rest of the line."""
        try:
            return piece_first(self._game, self._seen(), typed)
        except ZarebaError:
            return "", typed

    def goal(self, typed: str) -> str:
        """Set an objective as achieved or not."""
        rest, reason = _because(typed)
        goals = self._game.scenario.objectives
        words = rest.split()
        if not words:
            return "\n".join(f"{key}: {goal.name}" for key, goal in goals.items()) or "the battle has no objectives"
        side = words[-1] if len(words) > 1 else ""
        if side and side not in (*self._game.seats, "nobody"):
            raise unknown_name("side", side, [*self._game.seats, "nobody"])
        name = fold(" ".join(words[:-1] if side else words))
        found = next((key for key, objective in goals.items() if name in (fold(key), fold(objective.name))), name)
        if not side:
            raise ZarebaError(f"name a side: goal {found} SIDE, or goal {found} nobody")
        return self._correct(Correction("goal", found, value="" if side == "nobody" else side, reason=reason))

    def turn(self, typed: str) -> str:
        """Change the turn."""
        rest, reason = _because(typed)
        number = rest.removeprefix("is ").removeprefix("to ").strip()
        if not number.isdecimal():
            raise ZarebaError(f"type 'turn is N', with N from 1 to {self._game.scenario.turns}")
        return self._correct(Correction("turn", value=int(number), reason=reason))

    def give(self, typed: str) -> str:
        """Put a card into a hand."""
        return self._deal("give", typed)

    def take(self, typed: str) -> str:
        """Take a card out of a hand."""
        return self._deal("take", typed)

    def _deal(self, act: Any, typed: str) -> str:
        rest, reason = _because(typed)
        side, _, card = rest.partition(" ")
        if not card:
            raise ZarebaError(f"name a side and a card: {act} SIDE CARD")
        return self._correct(Correction(act, side, card.strip(), reason=reason))

    def _piece(self, typed: str) -> tuple[str, str, str]:
        rest, reason = _because(typed)
        piece, rest = piece_first(self._game, self._seen(), rest)
        return piece, rest, reason

    def _place(self, piece: str, typed: str) -> Point:
        board = self._game.display.labelled_board(self._seen())
        return read_place(self._game, board, typed, describe_position(board).get(piece))

    def _correct(self, act: Correction) -> str:
        self._session.correct(act)
        return self._done()

    def _done(self) -> str:
        """Return the umpire's last edit as described in the log."""
        acts = [event for _, _, events in self._session.log() for event in events if event.kind == "umpire"]
        return f"{self._game.narrator.describe_event(acts[-1])}; undo takes it back"

    # --- measuring ---------------------------------------------------------------------------------------------------

    def measure(self, typed: str) -> str:
        """Measure the distance between two pieces, or a piece and a place, and what lies between them."""
        state = self._seen()
        board = self._game.display.labelled_board(state)
        where = describe_position(board)
        words = typed.replace(" to ", " ").replace(" and ", " ")
        piece, rest = piece_first(self._game, state, words) if words else ("", "")
        if not rest:
            units = [self._game.narrator.name_of(unit) for unit in self._game.scenario.units if unit in where]
            ends = [units[0], units[-1]] if len(units) > 1 else ["UNIT", "UNIT"]
            raise ZarebaError(f"name two units, or a unit and a place: measure {' to '.join(ends)}")
        if piece not in where:
            raise ZarebaError(f"{self._game.narrator.name_of(piece)} is not on the table")
        other = ""
        try:
            other = find_piece(self._game, state, rest)
            goal = where.get(other)
        except ZarebaError:
            goal = read_place(self._game, board, rest, where[piece])
        if goal is None:
            raise ZarebaError(f"{self._game.narrator.name_of(other)} is not on the table")
        start = where[piece]
        facts = [
            f"from {self._game.narrator.name_of(piece)} at {place_name(board, start)} to {place_name(board, goal)}"
        ]
        if board.space == "free":
            facts.append(f"{dist(start, goal):.1f} {board.length} from centre to centre")
        else:
            from zareba.picture.zones import grid_of

            grid: Any = grid_of(board)
            cells = [int(y) * board.columns + int(x) for x, y in (start, goal)]
            facts.append(with_unit(grid.distance(*cells), board.length))
        cells_between = [cell for cell in board.cells if _lies_between(board.space == "free", cell, start, goal)]
        between = {note for cell in cells_between for note in cell.text.split(", ")}
        if between:
            facts.append(f"between them: {', '.join(sorted(between))}")
        if other:
            facts += self._game.umpire_editor().measurements(state, piece, other)
        return "\n".join(facts)


def _because(typed: str) -> tuple[str, str]:
    """Split a line into the command and the reason given after "because"."""
    rest, because, reason = f" {typed} ".partition(" because ")
    return rest.strip(), reason.strip() if because else ""


def _shown(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _lies_between(free: bool, cell: Any, a: Point, b: Point) -> bool:
    """Return True if the straight line between two places crosses a cell. The ends are left out."""
    middle = 0.5 if free else 0.0
    steps = max(2, int(2 * dist(a, b)))
    for number in range(1, steps):
        x, y = (a[axis] + number / steps * (b[axis] - a[axis]) for axis in (0, 1))
        if (
            abs(x - cell.x - middle) <= 0.5
            and abs(y - cell.y - middle) <= 0.5
            and (free or (cell.x, cell.y) not in (a, b))
        ):
            return True
    return False
