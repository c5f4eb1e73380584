"""A game at a terminal: the board, what happened, the question, and what a person types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from rich.text import Text

from zareba.board import Board
from zareba.cli.answers import pick, read_dice, read_point, read_yes
from zareba.cli.outlook import Outlook, answers_to, option_phrases
from zareba.cli.output import SafeConsole, hanging
from zareba.cli.plain import clean
from zareba.cli.reasons import reckonings, tallies_table, thrown
from zareba.cli.render import BoardView, in_columns
from zareba.cli.roster import of_unit, required_roster, show_roster
from zareba.cli.rulesets import rule_data, show_rule
from zareba.errors import ZarebaError
from zareba.ledger import NotWritten
from zareba.session import Session
from zareba.table import Choose, Confirm, Event, Place, Question, Roll

__all__ = ["Prompt"]

_LEAVE = ("quit", "exit")
_LEGEND = 30
"""As many lines of who is who are shown unasked, below a table that has changed."""

HELP = """\
a number, or words of an option such as its box   take that option
why [N]     the numbers of the last act with the dice thrown, or one explained
odds [N]    the odds of option N, or of all options, before you take one
rules ID    what a rule says; its number is enough
board       draw the table
units       list all units, and who is still to come
roster [U]  your men one by one, or those of your unit U (rules of single men)
log         all that has happened
undo, redo  take back your last choice, or play it again
help, ?     this list
quit        leave; the journal keeps every answer, and zareba resume goes on
At dice: type the faces, as 4 1 6, or auto to have them thrown for you."""


class Prompt:
    """Plays a session with the people at one terminal until the game is over or they leave.

    `ask` reads one line after showing a prompt; it raises EOFError when there is nothing more to read.
    """

    def __init__(self, session: Session, console: SafeConsole, ask: Callable[[str], str] = input) -> None:
        self._session = session
        self._game = session.game
        self._console = console
        self._ask = ask
        self._drawn: Board | None = None
        self._told = 0
        self._seat: str | None = session.people[0] if len(session.people) == 1 else None
        self._commands: dict[str, Callable[[str], None]] = {
            "why": self._why,
            "odds": self._odds,
            "rules": self._rule,
            "board": self._board,
            "units": self._units,
            "roster": self._roster,
            "log": self._log,
            "undo": self._undo,
            "redo": self._redo,
            "save": lambda _: self._print("every answer is in the journal already; quit leaves, resume goes on"),
            "help": lambda _: self._print(HELP),
            "?": lambda _: self._print(HELP),
        }

    def run(self) -> bool:
        """Ask until the end; gives whether the game is over."""
        # Who comes back to a game is told again what has happened since his last answer.
        self._told = len(self._sentences()) - len(self._in_words(self._session.news()))
        while True:
            try:
                self._drive()
                question = self._session.pending
                if question is None:
                    self._news()
                    return True
                self._show(question)
                while not self._take(self._ask(self._invitation(question)).strip(), question):
                    pass
            except EOFError:
                self._print("")
                return False

    def _drive(self) -> None:
        """Let chance and programs answer; while the journal cannot be written, as often as the person likes."""
        while True:
            try:
                return self._session.drive()
            except NotWritten as error:
                self._print(Text(clean(str(error)), style="red"))
                if self._ask("[Enter: try it again; quit] > ").strip().lower() in _LEAVE:
                    raise EOFError from None

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _print(self, *shown: Any) -> None:
        self._console.print(*shown)

    def _hang(self, line: str, indent: int) -> None:
        self._print(hanging(line, self._console.width, indent))

    def _state(self) -> Any:
        """The table as the person who is asked may see it."""
        state = self._session.state
        return state if self._seat is None else self._game.view(state, self._seat)

    def _show(self, question: Question) -> None:
        if not isinstance(question, Roll):
            self._seat = question.seat
        self._news()
        board = self._game.drawn(self._state())
        if self._drawn is None or board.pieces != self._drawn.pieces:
            self._draw(board, asked=False)
        elif board.headline != self._drawn.headline:
            self._print(Text(clean(board.headline), style="bold"))
        self._drawn = board
        self._print(
            Text(clean(f"{self._game.describe(self._state(), question)} ({question.rule})"), style="bold yellow")
        )
        for line in in_columns(
            [f"{n:>3} {phrase}" for n, phrase in enumerate(self._phrases(question), 1)], self._console.width
        ):
            self._print(line)

    def _phrases(self, question: Question) -> list[str]:
        if isinstance(question, Choose):
            return option_phrases(self._game, self._state(), question)
        if isinstance(question, Place):
            return [f"{round(x, 1):g} {round(y, 1):g}" for x, y in question.suggestions]
        return []

    def _invitation(self, question: Question) -> str:
        """The prompt; it says whether the answer can be taken back."""
        alone = len(self._session.people) <= 1
        back = "undo takes it back" if alone else "undo takes it back until dice or cards are seen"
        if isinstance(question, Roll):
            wanted = f"the faces of {question.dice}d{question.sides}, or auto"
        elif isinstance(question, Confirm):
            wanted = "y or n"
        else:
            count = len(self._phrases(question))
            wanted = ("1" if count == 1 else f"1-{count}") + (" or x y" if isinstance(question, Place) else "")
        return f"[{wanted}; {back}; help] > "

    def _told_of(self, question: Question) -> str:
        return self._game.describe(self._state(), question)

    def _sentences(self) -> list[str]:
        return self._in_words(event for _, _, events in self._session.log() for event in events)

    def _in_words(self, events: Iterable[Event]) -> list[str]:
        return [sentence for event in events if (sentence := self._game.describe_event(event))]

    def _news(self) -> None:
        """What happened since the last question."""
        sentences = self._sentences()
        for sentence in sentences[self._told :]:
            self._hang(f"- {sentence}", 2)
        self._told = len(sentences)

    # --- what is typed -----------------------------------------------------------------------------------------------

    def _take(self, typed: str, question: Question) -> bool:
        """Carry out a line; gives whether the question has to be put anew."""
        word, _, rest = typed.partition(" ")
        try:
            if word.lower() in _LEAVE:
                raise EOFError
            if word.lower() in self._commands:
                self._commands[word.lower()](rest.strip())
                return self._session.pending is not question
            if typed:
                self._answer(question, typed)
                return True
        except ZarebaError as error:
            self._print(Text(clean(str(error)), style="red"))
            return self._session.pending is not question
        return False

    def _answer(self, question: Question, typed: str) -> None:
        if isinstance(question, Roll):
            self._throw(question, typed)
        elif isinstance(question, Choose):
            self._session.answer(question.options[self._pick(question, self._phrases(question), typed)])
        elif isinstance(question, Confirm):
            self._session.answer(read_yes(typed))
        elif isinstance(question, Place):
            numbered = typed.isdecimal() and question.suggestions
            self._session.answer(
                question.suggestions[pick(self._phrases(question), typed)] if numbered else read_point(typed)
            )

    def _throw(self, question: Roll, typed: str) -> None:
        if typed.lower() == "auto":
            faces = self._session.throw_for_me()
            self._print(f"the dice show {' '.join(map(str, faces))}")
        else:
            self._session.throw(read_dice(question.dice, question.sides, typed))

    def _pick(self, question: Choose | Confirm, phrases: Sequence[str], typed: str) -> int:
        names = [answer if isinstance(answer, str) else "" for answer in answers_to(question)]
        try:
            return pick(phrases, typed, names)
        except ZarebaError as error:
            # A slip of the finger, as whi; not any word that shares a few letters with a command.
            close = get_close_matches(typed.casefold(), self._commands, n=1, cutoff=0.65)
            if close and len(typed.split()) == 1 and "several" not in str(error):
                raise ZarebaError(f"{error} (or the command '{close[0]}'?)") from None
            raise

    # --- commands ----------------------------------------------------------------------------------------------------

    def _why(self, which: str) -> None:
        found = reckonings(self._session.last_numbers())
        if not found:
            raise ZarebaError("no number has been worked out yet")
        if len(found) > 1 and not which:
            for number, one in enumerate(found, 1):
                throws = [f"{self._told_of(throw.question)}: {thrown(throw)}" for throw in one.throws]
                self._hang(f"{number:>3} {one.title or '; '.join(throws)}", 4)
            self._print("why N explains one of them part by part")
            found = [one for one in found if one.tallies]
            if len(found) != 1:
                return
        one = found[pick([one.title for one in found], which) if which else 0]
        if one.tallies:
            self._print(tallies_table(self._game.rules.ruleset, one.tallies))
        for throw in one.throws:
            self._hang(f"{self._told_of(throw.question)}: {thrown(throw)} ({throw.question.rule})", 2)
        if one.throws:
            self._rule(one.throws[0].question.rule)

    def _odds(self, which: str) -> None:
        question = self._session.pending
        if not isinstance(question, (Choose, Confirm)):
            raise ZarebaError("odds are shown before a choice of options, or a yes or no")
        outlook = Outlook(self._session, self._state(), self._print)
        if which:
            outlook.whole(self._pick(question, outlook.phrases, which))
        else:
            outlook.in_brief()

    def _rule(self, rule: str) -> None:
        if not rule:
            raise ZarebaError("name a rule by its id, as it stands behind the question")
        show_rule(rule_data(self._game.rules.ruleset.id, rule))

    def _board(self, _: str) -> None:
        self._draw(self._game.drawn(self._state()), asked=True)

    def _draw(self, board: Board, *, asked: bool) -> None:
        """The table, and below it who is who, unless nobody asked and that would take too many lines."""
        view = BoardView(board)
        for line in view.lines(self._console.width):
            self._print(line)
        legend = view.legend(self._console.width)
        for line in legend if asked or len(legend) <= _LEGEND else [Text("units tells who is who")]:
            self._print(line)

    def _units(self, _: str) -> None:
        for line in BoardView(self._game.drawn(self._state())).legend(self._console.width):
            self._print(line)

    def _roster(self, unit: str) -> None:
        found = required_roster(self._game, self._state(), self._seat)
        show_roster(of_unit(found, unit) if unit else found, self._console)

    def _log(self, _: str) -> None:
        for sentence in self._sentences():
            self._hang(f"- {sentence}", 2)

    def _undo(self, _: str) -> None:
        self._session.undo()
        self._told = len(self._sentences())
        self._print("taken back")

    def _redo(self, _: str) -> None:
        self._session.redo()
