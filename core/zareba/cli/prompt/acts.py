"""What people have done besides their answers: programs that stand in, standing orders, and umpires' acts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.base.amounts import agreeing, counted
from zareba.base.characters import fold
from zareba.base.errors import ZarebaError, nearest, unknown_name
from zareba.base.exact import dist
from zareba.cli.prompt.answers import read_dice
from zareba.cli.prompt.naming import find_piece, piece_first, read_place
from zareba.people.board import place_name, whereabouts
from zareba.session import Correction, Order, Session
from zareba.table import Point, Roll

__all__ = ["ACTS_HELP", "Acts"]

ACTS_HELP = """\
do phase             doctrine plays the rest of it, do phase by lookahead (or by hold) another program; so too do choice, \
do unit, do turn, do 3 turns, do game, do sikhs; one undo takes it back
all hold             the rest of this phase does nothing more
order UNIT hold      a standing order: hold, fire, or go PLACE; orders lists them, cancel UNIT ends one
seat SIDE PLAYER     who plays a side from now on
men                  whether you are asked which man of a unit, or doctrine says so
measure UNIT UNIT    distance, sight, range and cover by these rules
set UNIT WHAT VALUE  an umpire sets a number by hand; set UNIT tells what can be set
move UNIT to PLACE   an umpire puts it there; remove UNIT; mark, unmark UNIT WORD
again [UNIT] [DICE]  other dice for the last throw
result [UNIT] WORD   what the last throw is to have come to, as result pinned
goal AIM SIDE        who has achieved it; turn is N; give, take SIDE CARD
because WORDS        at the end of an umpire's act: why he does it
A place is E4, 12 4, 8 NE, 8 towards the Jezails, behind the wall, or a name."""

_YES = {"yes": True, "no": False, "true": True, "false": False}


class Acts:
    """Carries out these commands; each gives what is to be said."""

    def __init__(self, session: Session, seen: Callable[[], Any]) -> None:
        self._session = session
        self._game = session.game
        self._seen = seen
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

    # --- others who act ----------------------------------------------------------------------------------------------

    def do(self, typed: str) -> str:
        """A program makes some of the choices that are a person's."""
        what, by, player = (part.strip() for part in f"{typed} ".partition(" by "))
        if by and not player:
            raise ZarebaError(f"say by whom: do {what} by doctrine, lookahead or hold")
        player = player or "doctrine"
        words = what.casefold().split()
        if not words:
            raise ZarebaError("say what is to be done: do choice, unit, phase, turn, 3 turns, game, or a unit's name")
        if words[-1] in ("turn", "turns") and len(words) <= 2:
            count = words[0] if len(words) == 2 else "1"
            if not count.isdecimal():
                raise ZarebaError(f"'{count}' is no number of turns")
            return self._told(self._session.delegate("turn", player, turns=int(count)))
        if len(words) == 1 and words[0] in ("choice", "unit", "phase", "game"):
            return self._told(self._session.delegate(words[0], player))  # type: ignore[arg-type]  # these are scopes
        if words in (["setup"], ["set-up"], ["set", "up"]):
            return self._told(self._session.delegate("phase", player))
        unit = find_piece(self._game, self._seen(), what)
        return self._told(self._session.delegate("unit", player, unit=unit))

    def _told(self, deputy: Any) -> str:
        back = "; undo takes all of it back"
        return f"{deputy.told(self._game)}{back}"

    def all(self, typed: str) -> str:
        """The rest of the phase does nothing more."""
        if typed.casefold() not in ("hold", "done", "stay", "pass", "nothing"):
            raise ZarebaError("say 'all hold': the rest of this phase does nothing more")
        return self._told(self._session.delegate("phase", "hold"))

    def order(self, typed: str) -> str:
        """A standing order."""
        if not typed:
            return self.orders("")
        unit, rest = piece_first(self._game, self._seen(), typed)
        word, _, place = rest.partition(" ")
        word = word.casefold()
        if word in ("hold", "stay", "stand"):
            given = Order("hold")
        elif word in ("fire", "shoot"):
            given = Order("fire")
        elif word in ("go", "move", "advance", "march"):
            board = self._game.drawn(self._seen())
            place = f"{place} ".removeprefix("on ").removeprefix("to ").strip()
            if not place:
                raise ZarebaError(f"say where {self._game.name_of(unit)} is to go: order {unit} go E4")
            at = read_place(self._game, board, place, whereabouts(board).get(unit))
            given = Order("go", place, at)
        else:
            guess = nearest(word, ("hold", "fire", "go")) if word else None
            hint = f"did you mean '{guess}'?" if guess else "say hold, fire, or go PLACE"
            raise ZarebaError(f"there is no order '{rest}'; {hint}")
        self._session.order(unit, given)
        return f"{self._game.name_of(unit)}: {given}; cancel {unit} ends it"

    def orders(self, _: str) -> str:
        """All standing orders."""
        given = self._session.orders.given
        lines = [f"{self._game.name_of(unit)}: {order}" for unit, order in given.items()]
        return "\n".join(lines) or "no unit has a standing order"

    def cancel(self, typed: str) -> str:
        """End a standing order, or all."""
        if typed.casefold() == "all":
            for unit in list(self._session.orders.given):
                self._session.order(unit, None)
            return "all standing orders are cancelled"
        if not typed:
            raise ZarebaError("say whose order ends: cancel UNIT, or cancel all")
        unit = find_piece(self._game, self._seen(), typed)
        self._session.order(unit, None)
        return f"{self._game.name_of(unit)} has no standing order any more"

    def seat(self, typed: str) -> str:
        """Somebody else plays a side."""
        side, _, player = typed.partition(" ")
        if not player:
            played = [f"{self._game.name_of(side)} ({side}): {kind}" for side, kind in self._session.seats.items()]
            return "\n".join([*played, "seat SIDE PLAYER changes it"])
        self._session.seat(side, player.strip())
        name = self._game.name_of(side)
        return f"{name} {agreeing(name, 'is', 'are')} played by {player.strip()} from now on"

    def men(self, typed: str) -> str:
        """Whether people are asked which man of a unit."""
        if typed.casefold() not in ("", "on", "off"):
            raise ZarebaError(f"say men on or men off, not 'men {typed}'")
        self._session.by_units = typed.casefold() == "off" if typed else not self._session.by_units
        if self._session.by_units:
            return "which man of a unit it is, is said by doctrine from now on; men on asks you"
        return "you are asked which man of a unit it is from now on; men off asks no more"

    # --- umpires -----------------------------------------------------------------------------------------------------

    def set(self, typed: str) -> str:
        """A number or word of a piece."""
        piece, rest, reason = self._piece(typed)
        offered = dict(self._game.by_hand().offered(self._seen(), piece))
        if not rest:
            return f"{self._game.name_of(piece)}: {', '.join(f'{name} {_shown(now)}' for name, now in offered.items())}"
        field, _, written = rest.partition(" ")
        written = written.removeprefix("to ").removeprefix("= ").strip()
        if field not in offered:
            raise unknown_name(f"number or word of {self._game.name_of(piece)} that can be set", field, offered)
        if not written:
            raise ZarebaError(f"say to what {field} is to be set; it is {_shown(offered[field])}")
        value: Any = int(written) if written.lstrip("-").isdecimal() else _YES.get(written.casefold(), written)
        return self._correct(Correction("set", piece, field, value, reason))

    def move(self, typed: str) -> str:
        """A piece to a place."""
        piece, rest, reason = self._piece(typed)
        where = rest.removeprefix("to ").strip()
        if not where:
            raise ZarebaError(f"say where {self._game.name_of(piece)} is to stand: move {piece} to PLACE")
        return self._correct(Correction("move", piece, value=self._place(piece, where), reason=reason))

    def mark(self, typed: str) -> str:
        """A mark on a piece."""
        return self._mark("mark", typed)

    def unmark(self, typed: str) -> str:
        """A mark off a piece."""
        return self._mark("unmark", typed)

    def _mark(self, act: Any, typed: str) -> str:
        piece, word, reason = self._piece(typed)
        if not word:
            known = ", ".join(sorted(self._game.by_hand().marks)) or "none"
            raise ZarebaError(f"say which mark; known: {known}")
        return self._correct(Correction(act, piece, word.replace(" ", "_"), reason=reason))

    def remove(self, typed: str) -> str:
        """A piece off the table."""
        piece, rest, reason = self._piece(typed)
        if rest:
            raise ZarebaError(f"'{rest}' is too much; say 'remove {piece}'")
        return self._correct(Correction("remove", piece, reason=reason))

    def again(self, typed: str) -> str:
        """Other dice for the last throw, or for the last of a unit."""
        faces, reason = _because(typed)
        piece, faces = self._thrower(faces) if faces[:1].isalpha() else ("", faces)
        thrown = self._session.history.last_throw(piece).question
        assert isinstance(thrown, Roll), "a throw of dice"
        wanted = tuple(read_dice(thrown.dice, thrown.sides, faces)) if faces else ()
        return self._correct(Correction("again", piece, faces=wanted, reason=reason))

    def result(self, typed: str) -> str:
        """What the last throw, or the last of a unit, is to have come to; without a word, what it could have come to."""
        words, reason = _because(typed)
        piece, words = self._thrower(words)
        if words:
            self._session.result(words, piece, reason)
            return self._done()
        thrown = self._session.history.last_throw(piece)
        shown = [
            f"{' '.join(map(str, one.faces))}: {one.told or 'nothing is told'}{' (so it was)' if one.is_so else ''}"
            for one in self._session.results(piece)
        ]
        about = self._game.describe(self._seen(), thrown.question)
        return "\n".join([f"{about}; what it could have come to:", *shown])

    def _thrower(self, typed: str) -> tuple[str, str]:
        """A unit at the beginning of a line, if its first words name one, and the rest."""
        try:
            return piece_first(self._game, self._seen(), typed)
        except ZarebaError:
            return "", typed

    def goal(self, typed: str) -> str:
        """An objective that counts as achieved, or not."""
        rest, reason = _because(typed)
        goals = self._game.scenario.objectives
        words = rest.split()
        if not words:
            return "\n".join(f"{key}: {goal.name}" for key, goal in goals.items()) or "the battle has no objectives"
        side = words[-1] if len(words) > 1 else ""
        if side and side not in (*self._game.seats, "nobody"):
            raise unknown_name("side", side, [*self._game.seats, "nobody"])
        name = fold(" ".join(words[:-1] if side else words))
        found = next((key for key, one in goals.items() if name in (fold(key), fold(one.name))), name)
        if not side:
            raise ZarebaError(f"say by whom: goal {found} SIDE, or goal {found} nobody")
        return self._correct(Correction("goal", found, value="" if side == "nobody" else side, reason=reason))

    def turn(self, typed: str) -> str:
        """Another turn."""
        rest, reason = _because(typed)
        number = rest.removeprefix("is ").removeprefix("to ").strip()
        if not number.isdecimal():
            raise ZarebaError(f"say 'turn is N', with N from 1 to {self._game.scenario.turns}")
        return self._correct(Correction("turn", value=int(number), reason=reason))

    def give(self, typed: str) -> str:
        """A card into a hand."""
        return self._deal("give", typed)

    def take(self, typed: str) -> str:
        """A card out of a hand."""
        return self._deal("take", typed)

    def _deal(self, act: Any, typed: str) -> str:
        rest, reason = _because(typed)
        side, _, card = rest.partition(" ")
        if not card:
            raise ZarebaError(f"say whom and which card: {act} SIDE CARD")
        return self._correct(Correction(act, side, card.strip(), reason=reason))

    def _piece(self, typed: str) -> tuple[str, str, str]:
        rest, reason = _because(typed)
        piece, rest = piece_first(self._game, self._seen(), rest)
        return piece, rest, reason

    def _place(self, piece: str, typed: str) -> Point:
        board = self._game.drawn(self._seen())
        return read_place(self._game, board, typed, whereabouts(board).get(piece))

    def _correct(self, act: Correction) -> str:
        self._session.correct(act)
        return self._done()

    def _done(self) -> str:
        """What the umpire has just done, as the log tells it."""
        acts = [event for _, _, events in self._session.log() for event in events if event.kind == "umpire"]
        return f"{self._game.describe_event(acts[-1])}; undo takes it back"

    # --- measuring ---------------------------------------------------------------------------------------------------

    def measure(self, typed: str) -> str:
        """What lies between two pieces, or a piece and a place."""
        state = self._seen()
        board = self._game.drawn(state)
        where = whereabouts(board)
        words = typed.replace(" to ", " ").replace(" and ", " ")
        one, rest = piece_first(self._game, state, words)
        if not rest:
            raise ZarebaError("name two units, or a unit and a place: measure sikhs jezails")
        if one not in where:
            raise ZarebaError(f"{self._game.name_of(one)} is not on the table")
        other = ""
        try:
            other = find_piece(self._game, state, rest)
            goal = where.get(other)
        except ZarebaError:
            goal = read_place(self._game, board, rest, where[one])
        if goal is None:
            raise ZarebaError(f"{self._game.name_of(other)} is not on the table")
        start = where[one]
        told = [f"from {self._game.name_of(one)} at {place_name(board, start)} to {place_name(board, goal)}"]
        if board.space == "free":
            told.append(f"{dist(start, goal):.1f} {board.length} from middle to middle")
        else:
            from zareba.picture.cells import grid_of

            grid: Any = grid_of(board)
            cells = [int(y) * board.columns + int(x) for x, y in (start, goal)]
            told.append(counted(grid.distance(*cells), board.length))
        between = {cell.text for cell in board.cells if _lies_between(board.space == "free", cell, start, goal)}
        if between:
            told.append(f"between them: {'; '.join(sorted(between))}")
        if other:
            told += self._game.by_hand().measured(state, one, other)
        return "\n".join(told)


def _because(typed: str) -> tuple[str, str]:
    """A line without its reason, and the reason."""
    rest, because, reason = f" {typed} ".partition(" because ")
    return rest.strip(), reason.strip() if because else ""


def _shown(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _lies_between(free: bool, cell: Any, a: Point, b: Point) -> bool:
    """Whether the straight line between two places crosses a cell, its ends left out."""
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
