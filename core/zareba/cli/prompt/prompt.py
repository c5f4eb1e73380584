"""The prompt: shows the map, the news and the question, and reads input until the game ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from zareba.base.errors import ZarebaError
from zareba.cli.output import SafeConsole, hanging
from zareba.cli.play.roster import show_briefing
from zareba.cli.prompt.game_commands import GameCommands
from zareba.cli.prompt.lookup_commands import LookupCommands
from zareba.cli.prompt.piece_names import describe_spot
from zareba.cli.prompt.render import (
    MAP_LINES,
    NEWS_LINES,
    BoardView,
    acts_told,
    is_cut,
    lately,
    legend_line,
    losses_told,
    map_lines,
    strengths,
    unit_board,
)
from zareba.cli.prompt.typed_answers import SEVERAL, PromptState, TypedAnswers, dice_ahead
from zareba.cli.sanitize import sanitize
from zareba.journal import NotWritten
from zareba.picture.zones import place_at
from zareba.presentation.board import Board, describe_position, place_name
from zareba.session import Answered, Session
from zareba.session.delegation import sets_up
from zareba.session.history import PERSON
from zareba.table import Choose, Confirm, Draw, Place, Question, Roll, seat_of

if TYPE_CHECKING:
    from zareba.lessons import Teacher


_LEAVE = ("quit", "exit")
_ENOUGH = ("q", "enough", "no", "n")
"""Inputs that stop the pages. Any other input counts as an answer to the question."""
_SCREEN = 23
"""Lines that a terminal has at least, without the line that confirms an action."""
_OPTION_LINES, _POINT_LINES = 5, 3
"""Lines of options shown by default, and of suggested points, for which the map needs the room."""
UNDO_AND_HELP = "undo takes back; help lists commands"
_BRIEFED = "[Enter: go to the table; briefing shows this again] > "
_ADVICE = "the best expected result; advice shows the numbers"
"""Replaces the reason of a suggestion that consists of numbers an AI player computed."""
_ARITHMETIC = re.compile(r"[0-9]\.[0-9]+(?![0-9]|\"| (?:cm|inch|inches|away)\b)")
_MOST_TERMS = 2
"""The number of technical terms explained below one question."""
_LEAST_MAP = 7
"""Smallest height of a map that makes room for other lines."""


class Prompt:
    """Plays a session with the people at one terminal until the game is over or they leave.

    `ask` shows a prompt and reads one line; it raises EOFError at the end of the input. A `teacher` comments on every
    question.
    """

    def __init__(
        self,
        session: Session,
        console: SafeConsole,
        ask: Callable[[str], str] = input,
        *,
        teacher: Teacher | None = None,
    ) -> None:
        self._session = session
        self._teacher = teacher
        self._game = session.game
        self._console = console
        self._ask = ask
        self._drawn: Board | None = None
        self._answered = -1
        self._shown: dict[str | None, int] = {}
        self._strengths: dict[str | None, dict[str, float]] = {}
        self._losses: list[str] = []
        self._asked: list[str] = []
        self._briefed: set[str] = set()
        self._explained: set[str] = set()
        self._marks: set[str] = set()
        self._greeted = teacher is not None
        self._above = self._below = 0
        self._typed_ahead = ""
        self._at = PromptState(session, console)
        self._commands: dict[str, Callable[[str], None]] = {}
        self._replies = TypedAnswers(self._at, self._drive, self._commands)
        said = GameCommands(session, self._at.state, lambda: self._at.seat).commands | (
            teacher.commands if teacher else {}
        )
        self._commands |= {
            **LookupCommands(self._at, self._replies.pick).commands,
            "same": self._same,
            "advice": self._advice,
            "undo": self._undo,
            "redo": self._redo,
            "save": lambda _: self._at.print("every answer is already saved; quit leaves, resume continues"),
            **{word: self._saying(act) for word, act in said.items()},
        }

    def run(self) -> bool:
        """Ask questions until the end. Return True if the game is over."""
        while True:
            try:
                self._drive()
                question = self._session.pending
                if question is None:
                    news = lately(self._since(), self._console.width)
                    for line in self._with_losses(news, self._console.width):
                        self._at.print(line)
                    return True
                self._show(question)
                while not self._take(self._read(self._invitation(question)).strip(), question):
                    pass
            except EOFError:
                self._at.print("")
                return False

    def _drive(self) -> None:
        """Let chance and AI players answer. While the journal cannot be written, offer to try again."""
        while True:
            try:
                self._session.drive()
                if not self._replies.throw_what_lies_there():
                    return
            except NotWritten as error:
                self._at.print(Text(sanitize(str(error)), style="red"))
                if self._ask("[Enter: try again; quit] > ").strip().lower() in _LEAVE:
                    raise EOFError from None

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _show(self, question: Question) -> None:
        """Show the news, the map if it has changed, and the question, on one screen."""
        if not isinstance(question, Roll):
            seat = seat_of(question)
            assert seat is not None, "cards are drawn by the program"
            self._pass_to(seat)
        if self._teacher is None and self._at.seat is not None and self._at.seat not in self._briefed:
            self._brief(self._at.seat)
        width = self._console.width
        since = self._since()
        news = lately(since, width)
        if is_cut(news):
            news = self._with_losses(lately(since, width, max(1, NEWS_LINES - _height(self._losses, width))), width)
        asked = hanging(f"{self._game.narrator.describe(self._at.state(), question)} ({question.rule})", width, 2)
        below = self._options_below(question)
        taught = self._taught(question, [*news, asked, *below])
        taught += self._new_terms([*news, asked, *below, *taught], self._invitation(question))
        board = unit_board(self._game, self._at.state())
        room = _SCREEN - self._above - _height([asked, *below, *taught, self._invitation(question)], width)
        drawn: list[Text] = []
        if self._drawn is None or board.pieces != self._drawn.pieces:
            marks = {mark: words for mark, words in BoardView(board).marks().items() if mark not in self._marks}
            legend = legend_line(marks, width)
            if room - _height(news, width) - len(legend) < _LEAST_MAP:
                legend = []
            height = max(_LEAST_MAP, min(MAP_LINES, room - _height(news, width) - len(legend)))
            drawn = map_lines(board, width, height)
            # A grid cannot be drawn in fewer lines, so the last marks wait for a later screen.
            while legend and len(drawn) + len(legend) + bool(news) > room:
                marks.popitem()
                legend = legend_line(marks, width)
            drawn += [Text(line, style="dim") for line in legend]
            self._marks |= set(marks) if legend else set()
        # The height of a grid is fixed, so the map may leave more or less room for news than planned.
        news = lately(since, width, max(1, room - len(drawn)))
        if is_cut(news):
            left = max(1, room - len(drawn) - _height(self._losses, width))
            news = self._with_losses(lately(since, width, left), width)
        for line in [*news, *drawn]:
            self._at.print(line)
        if not drawn and self._drawn is not None and board.headline != self._drawn.headline:
            self._at.print(Text(sanitize(board.headline), style="bold"))
        self._drawn = board
        self._asked = [asked, *below]
        self._put_question()
        for said in taught:
            self._at.print(Text(said, style="cyan"))
        self._below += _height(taught, width)

    def _with_losses(self, news: list[str], width: int) -> list[str]:
        """Return the news, followed by all losses by name if some of the news was left out."""
        return [*news, *(hanging(line, width, 2) for line in self._losses)] if is_cut(news) else news

    def _put_question(self, *, whole: bool = True) -> None:
        asked, *below = self._asked
        self._at.print(Text(sanitize(asked), style="bold yellow"))
        for line in below if whole else ():
            self._at.print(line)
        self._below = _height(self._asked if whole else [asked], self._console.width) + 1

    def _still_asked(self, pages: Sequence[Sequence[str]]) -> None:
        """Repeat the question if the output of a command has pushed it off the screen, with its options if there is
        room.
        """
        self._below += sum(map(len, pages)) + 1
        if self._console.is_terminal and self._below > _SCREEN:
            self._put_question(whole=len(pages[-1]) + _height(self._asked, self._console.width) <= _SCREEN)

    def _taught(self, question: Question, shown: Sequence[str]) -> list[str]:
        """Return the teacher's comments that fit on one screen together with the smallest map."""
        width = self._console.width
        said = [hanging(words, width, 2) for words in self._teacher.says(question)] if self._teacher else []
        room = _SCREEN - _LEAST_MAP - _height([*shown, self._invitation(question)], width)
        while len(said) > 1 and _height(said, width) > room:
            said.pop(0)
        return said

    def _new_terms(self, shown: Sequence[str], invitation: str) -> list[str]:
        """Return explanations of the technical terms that appear for the first time, as many as fit on the screen."""
        width = self._console.width
        found: list[str] = []
        for term, said in self._game.narrator.words.terms_in(*shown).items():
            line = hanging(f"{term}: {said}", width, 2)
            room = _SCREEN - _LEAST_MAP - self._above - _height([*shown, *found, line, invitation], width)
            if term not in self._explained and room >= 0 and len(found) < _MOST_TERMS:
                self._explained.add(term)
                found.append(line)
        return found

    def _pass_to(self, seat: str) -> None:
        """Hand the terminal to another person, hiding the screen if one of them may not see everything the other sees."""
        before, self._at.seat = self._at.seat, seat
        begun = before is not None or self._session.history.answers
        if before == seat or len(self._session.people) < 2 or not begun:
            return
        state = self._session.state
        if all(self._game.sight.view(state, side) is state for side in self._game.seats):
            return
        self._console.clear_all()
        name = self._game.narrator.name_of(seat)
        self._ask(f"{name}: sit down at the terminal alone, then press Enter > ")
        self._console.clear_all()
        self._drawn = None

    def _read(self, prompt: str) -> str:
        """Return the next line: newly typed, or typed earlier at a page break."""
        typed, self._typed_ahead = self._typed_ahead, ""
        return typed or self._ask(prompt)

    def _turn_page(self, prompt: str) -> str:
        typed = self._ask(prompt)
        self._typed_ahead = "" if typed.strip().lower() in _ENOUGH else typed
        return typed

    def _brief(self, seat: str) -> None:
        """Show the briefing before the first answer of a seat."""
        self._briefed.add(seat)
        answers = [one for one in self._session.history.answers if isinstance(one, Answered) and one.by == PERSON]
        if self._console.is_terminal and not any(seat_of(one.question) == seat for one in answers):
            with self._console.paged(self._turn_page, then=_BRIEFED):
                show_briefing(self._session.briefing(seat), self._console, summary=True)

    def _options_below(self, question: Question) -> list[str]:
        """Return the lines below a question: as many options as fit, the deployment zone, and the effect of Enter."""
        lines = self._at.listed(question)
        width = self._console.width
        most = _POINT_LINES if isinstance(question, Place) else _OPTION_LINES
        shown = lines[: most if len(lines) > most + 1 else len(lines)]
        found = [line if len(line) <= width else f"{line[: width - 1]}…" for line in shown]
        if len(shown) < len(lines):
            found.append(f"... options lists all {len(self._at.phrases(question))}")
        elif any(len(line) > width for line in shown):
            found.append("... options shows them in full")
        if isinstance(question, Place) and (zone := self._zone(question)):
            found.append(zone)
        if suggested := self._suggested(question):
            found += hanging(suggested, width, 2).split("\n")
        now, greets = self._session.history.now, not self._greeted
        if now is not None and sets_up(now.step) and isinstance(question, (Choose, Place)):
            found.append(f"do phase sets up the rest as suggested; {UNDO_AND_HELP if greets else 'undo takes it back'}")
        elif greets:
            found.append(UNDO_AND_HELP)
        self._greeted = True
        return found

    def _suggested(self, question: Question) -> str:
        """Return the line that says which answer Enter gives: that of a rule-aware player, with its reason."""
        if isinstance(question, (Roll, Draw)) or not self._game.narrator.knows_question(self._at.state(), question):
            return ""
        answer, reason = self._session.suggestion()
        # A player wants a reason; the arithmetic of the AI stands behind the command advice.
        why = _ADVICE if _ARITHMETIC.search(reason) else reason
        return f"Enter takes {self._answer_in_words(question, answer)}{f' ({why})' if why else ''}"

    def _advice(self, _: str) -> None:
        """Show the suggested answer with the whole reason, including the numbers that an AI player compares."""
        question = self._session.pending
        if question is None or isinstance(question, (Roll, Draw)):
            raise ZarebaError("advice is available only for a choice, a place, or a yes or no")
        answer, reason = self._session.suggestion()
        self._at.hang(f"{self._answer_in_words(question, answer)}: {reason or 'no reason given'}", 2)

    def _answer_in_words(self, question: Choose | Place | Confirm, answer: Any) -> str:
        if isinstance(question, Place):
            board = unit_board(self._game, self._at.state())
            here = place_name(board, answer) == place_name(
                board, describe_position(board).get(question.actor, (-1, -1))
            )
            return f"{describe_spot(self._game, board, answer, question.actor)}{', where it stands' if here else ''}"
        if isinstance(question, Confirm):
            return "yes" if answer else "no"
        return f"{list(question.options).index(answer) + 1} {self._game.narrator.describe_option(self._at.state(), question, answer)}"

    def _zone(self, question: Place) -> str:
        """Return the line that describes the deployment zone of a unit that is being set up."""
        scenario = self._game.scenario
        unit = scenario.units.get(question.actor.partition(".")[0]) or scenario.leaders.get(question.actor)
        zones = scenario.sides[question.seat].deployment
        zone = zones.get(getattr(unit, "zone", None) or next(iter(zones), ""))
        board = self._game.display.board(self._at.state())
        now = self._session.history.now
        if (
            now is None
            or not sets_up(now.step)
            or unit is None
            or zone is None
            or question.actor in describe_position(board)
        ):
            return ""
        corners = [place_at(board, point) for point in zone]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return f"its zone: x {min(xs):g} to {max(xs):g}, y {min(ys):g} to {max(ys):g} ({board.length})"

    def _invitation(self, question: Question) -> str:
        """Return the input prompt, which also says whether the answer can be undone."""
        alone = len(self._session.people) <= 1
        hides = any(self._game.sight.may_hide(seat) for seat in self._session.people)
        seen = "dice, cards or hidden men" if hides else "dice or cards"
        back = "undo takes it back" if alone else f"undo takes it back until {seen} are seen"
        if isinstance(question, Roll):
            ahead = dice_ahead(self._session.history)
            whole = f", or of all {ahead}" if ahead > question.dice else ""
            wanted = f"the faces of {question.dice}d{question.sides}{whole}, or auto"
        elif isinstance(question, Confirm):
            wanted = "y or n"
        else:
            count = len(self._at.phrases(question))
            wanted = ("1" if count == 1 else f"1-{count}") + (" or x y" if isinstance(question, Place) else "")
        return f"[{wanted}; {back}; help] > "

    def _since(self) -> list[str]:
        """Return the news since the last question to the present player, one line per step. A second call returns
        nothing.
        """
        history = self._session.history
        count, total = sum(isinstance(one, Answered) for one in history.answers), len(history.answers)
        before, self._shown[self._at.seat] = self._shown.get(self._at.seat), count
        before_it, now = self._strengths.get(self._at.seat), strengths(self._game, self._at.state(), self._at.seat)
        self._strengths[self._at.seat], self._losses = now, []
        if total == self._answered:
            return []
        self._answered = total
        if before is None or before >= count:
            # Just started or resumed, or edited by an umpire: show the results of the last answer.
            since = history.since_people(self._at.seat if len(self._session.people) > 1 else None, reader=self._at.seat)
        else:
            since = history.since(before, reader=self._at.seat)
        self._losses = losses_told(self._game, since, before_it, now)
        return acts_told(self._game, since)

    # --- what is typed -----------------------------------------------------------------------------------------------

    def _take(self, typed: str, question: Question) -> bool:
        """Execute a line. Return True if the question has to be shown again."""
        answered = self._answers_of_people()
        refused: list[str] = []
        try:
            for part in typed.split(";") if typed else [""]:
                if not self._carry_out(part.strip()):
                    break
        except ZarebaError as error:
            refused = hanging(str(error), self._console.width, 0).split("\n")
            for line in refused:
                self._at.print(Text(line, style="red"))
        anew = self._session.pending is not question
        self._above = len(refused)
        if refused and not anew:
            self._still_asked([refused])
        if self._teacher is not None:
            answers = self._answers_of_people() - answered
            said = self._teacher.refused() if refused else self._teacher.heard(typed, answers)
            if said and (refused or not anew):
                self._at.print(Text(hanging(said, self._console.width, 2), style="cyan"))
        return anew

    def _answers_of_people(self) -> int:
        return sum(isinstance(one, Answered) and one.by == PERSON for one in self._session.history.answers)

    def _carry_out(self, typed: str) -> bool:
        """Execute one answer or command. Return True if the next one on the line may follow."""
        question = self._session.pending
        if question is None:
            raise ZarebaError(f"the game is over; there is no question for '{typed}'")
        word, _, rest = typed.partition(" ")
        if word.lower() in _LEAVE:
            raise EOFError
        if not typed:
            self._replies.take_suggestion(question)
        elif word.lower() in self._commands and not self._replies.is_option(question, typed):
            self._look(self._commands[word.lower()], rest.strip(), question)
        elif (several := SEVERAL.fullmatch(typed)) and isinstance(question, Choose):
            self._replies.answer_several(question, several[1], several[2])
        else:
            self._replies.answer_words(question, typed)
        self._drive()
        return True

    # --- commands ----------------------------------------------------------------------------------------------------

    def _look(self, command: Callable[[str], None], rest: str, question: Question) -> None:
        """Execute a command, show its output page by page, and keep the question in sight."""
        with self._console.paged(self._turn_page, kept=_height(self._asked[:1], self._console.width)) as pages:
            command(rest)
        delegated = isinstance(question, (Choose, Place, Confirm)) and question.seat in self._session.deputies
        if self._session.pending is question and not delegated:
            self._still_asked(pages)

    def _saying(self, act: Callable[[str], str]) -> Callable[[str], None]:
        def said(rest: str) -> None:
            for line in act(rest).split("\n"):
                self._at.hang(line, 2)

        return said

    def _same(self, rest: str) -> None:
        if rest.casefold() not in ("", "again"):
            raise ZarebaError(f"'{rest}' is not expected; type 'same', and further answers after a ;")
        self._session.answer_as_before()

    def _undo(self, _: str) -> None:
        session, seats = self._session, [] if self._at.seat is None else [self._at.seat]
        barred = session.why_no_undo(seats)
        if barred and session.why_no_undo() is None and len(session.people) > 1:
            agreed = self._ask(f"{barred.partition(';')[0]}. Do all agree? [y or n] > ")
            if agreed.strip().lower() not in ("y", "yes"):
                raise ZarebaError("not undone, because not all agreed")
        session.undo()
        self._answered = len(self._session.history.answers)
        self._at.print("taken back")

    def _redo(self, _: str) -> None:
        self._session.redo()


def _height(lines: Sequence[str], width: int) -> int:
    """Return the number of screen lines that some lines take."""
    return sum(-(-max(1, len(line)) // width) for line in "\n".join(lines).split("\n"))
