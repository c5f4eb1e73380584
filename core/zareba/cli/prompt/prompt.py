"""The prompt: shows the map, the news and the question, and reads input until the game ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from zareba.base.errors import ZarebaError
from zareba.base.grammar import begin_sentence
from zareba.cli.output import SafeConsole, hanging
from zareba.cli.play.roster import show_briefing
from zareba.cli.prompt.game_commands import GameCommands
from zareba.cli.prompt.lookup_commands import LookupCommands
from zareba.cli.prompt.piece_names import STAYS, describe_spot
from zareba.cli.prompt.render import (
    MAP_LINES,
    NEWS_LINES,
    BoardView,
    acts_in_words,
    fit_news,
    is_cut,
    legend_line,
    losses_in_words,
    map_lines,
    strengths,
    unit_board,
)
from zareba.cli.prompt.typed_answers import SEVERAL, TerminalView, TypedAnswers, dice_ahead
from zareba.cli.sanitize import sanitize
from zareba.game.parts.play import sets_up
from zareba.journal import NotWritten
from zareba.picture.zones import place_at
from zareba.presentation.board import Board, describe_position, place_name
from zareba.session import Answered, Session
from zareba.session.history import PERSON
from zareba.table import Choose, Confirm, Draw, Place, Question, Roll, seat_of

if TYPE_CHECKING:
    from zareba.lessons import Teacher


_LEAVE = ("quit", "exit")
_STOP_PAGES = ("q", "enough", "no", "n")
"""Inputs that stop the pages. Any other input counts as an answer to the question."""
_LEAST_SCREEN_LINES = 23
"""Lines that a terminal has at least, without the line that confirms an action."""
_OPTION_LINES, _POINT_LINES = 5, 3
"""Lines of options shown by default, and of suggested points, for which the map needs the room."""
UNDO_AND_HELP = "undo takes back your last choice; help lists commands"
_AFTER_BRIEFING = "[Enter: go to the table; briefing shows this again] > "
_REASON_WITHOUT_NUMBERS = "the best expected result; advice shows the numbers"
"""Replaces the reason of a suggestion that consists of numbers an AI player computed."""
_ARITHMETIC = re.compile(r"[0-9]\.[0-9]+(?![0-9]|\"| (?:cm|inch|inches|away)\b)")
_MOST_TERMS = 2
"""The number of technical terms explained below one question."""
_LEAST_MAP_LINES = 7
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
        """The board as it was last drawn."""
        self._answers_at_last_news = -1
        """The number of all answers when the news was last taken."""
        self._answers_shown: dict[str | None, int] = {}
        """The number of answers whose results each seat has been shown."""
        self._strengths: dict[str | None, dict[str, float]] = {}
        """The strengths that each seat has been shown."""
        self._losses: list[str] = []
        self._question_lines: list[str] = []
        self._briefed_seats: set[str] = set()
        self._explained_terms: set[str] = set()
        self._explained_marks: set[str] = set()
        """The marks of the map that a legend has explained."""
        self._has_shown_help = teacher is not None
        self._lines_above = self._lines_below = 0
        """The lines on the screen above and below the question: a refusal, and the output since."""
        self._typed_ahead = ""
        self._view = TerminalView(session, console)
        self._commands: dict[str, Callable[[str], None]] = {}
        self._replies = TypedAnswers(self._view, self._drive, self._commands)
        game_commands = GameCommands(session, self._view.state, lambda: self._view.seat).commands
        commands_with_reply = game_commands | (teacher.commands if teacher else {})
        self._commands |= {
            **LookupCommands(self._view, self._replies.pick).commands,
            "same": self._same,
            "advice": self._advice,
            "undo": self._undo,
            "redo": self._redo,
            "q": lambda _: self._view.print("quit leaves the game; every answer is already saved"),
            "save": lambda _: self._view.print(
                "every answer is already saved; quit leaves, and 'zareba continue' resumes"
            ),
            **{word: self._printing_reply_of(command) for word, command in commands_with_reply.items()},
        }

    def run(self) -> bool:
        """Ask questions until the end. Return True if the game is over."""
        while True:
            try:
                self._drive()
                question = self._session.pending
                if question is None:
                    news = fit_news(self._take_news(), self._console.width)
                    for line in self._with_losses(news, self._console.width):
                        self._view.print(line)
                    return True
                self._show(question)
                while not self._take(self._read(self._invitation(question)).strip(), question):
                    pass
            except EOFError:
                self._view.print("")
                return False

    @property
    def _screen_lines(self) -> int:
        """The lines of the screen, without the line that confirms an action."""
        return max(_LEAST_SCREEN_LINES, self._console.height - 1 if self._console.is_terminal else 0)

    def _drive(self) -> None:
        """Let chance and AI players answer. While the journal cannot be written, offer to try again."""
        while True:
            try:
                self._session.drive()
                if not self._replies.use_typed_dice():
                    return
            except NotWritten as error:
                self._view.print(Text(sanitize(str(error)), style="red"))
                if self._ask("[Enter: try again; quit] > ").strip().lower() in _LEAVE:
                    raise EOFError from None

    # --- what is shown -----------------------------------------------------------------------------------------------

    def _show(self, question: Question) -> None:
        """Show the news, the map if it has changed, and the question, on one screen."""
        if not isinstance(question, Roll):
            seat = seat_of(question)
            assert seat is not None, "cards are drawn by the program"
            self._pass_to(seat)
        if self._teacher is None and self._view.seat is not None and self._view.seat not in self._briefed_seats:
            self._brief(self._view.seat)
        width = self._console.width
        all_news = self._take_news()
        news = fit_news(all_news, width)
        if is_cut(news):
            lines_for_news = max(1, NEWS_LINES - _height(self._losses, width))
            news = self._with_losses(fit_news(all_news, width, lines_for_news), width)
        question_line = hanging(
            f"{begin_sentence(self._game.narrator.describe(self._view.state(), question))} ({question.rule})", width, 2
        )
        options = self._options_below(question)
        comments = self._fitting_comments(question, [*news, question_line, *options])
        board = unit_board(self._game, self._view.state())
        shown = [*news, question_line, *options, *comments]
        comments += self._new_terms(shown, board.headline, self._invitation(question))
        room = (
            self._screen_lines
            - self._lines_above
            - _height([question_line, *options, *comments, self._invitation(question)], width)
        )
        drawn: list[Text] = []
        if self._drawn is None or board.pieces != self._drawn.pieces:
            marks = {
                mark: words for mark, words in BoardView(board).marks().items() if mark not in self._explained_marks
            }
            legend = legend_line(marks, width)
            if room - _height(news, width) - len(legend) < _LEAST_MAP_LINES:
                legend = []
            height = max(_LEAST_MAP_LINES, min(MAP_LINES, room - _height(news, width) - len(legend)))
            drawn = map_lines(board, width, height, long_list=self._screen_lines > _LEAST_SCREEN_LINES)
            # A grid cannot be drawn in fewer lines, so the last marks wait for a later screen.
            while legend and len(drawn) + len(legend) + bool(news) > room:
                marks.popitem()
                legend = legend_line(marks, width)
            drawn += [Text(line, style="dim") for line in legend]
            self._explained_marks |= set(marks) if legend else set()
        # The height of a grid is fixed, so the map may leave more or less room for news than planned.
        news = fit_news(all_news, width, max(1, room - len(drawn)))
        if is_cut(news):
            lines_for_news = max(1, room - len(drawn) - _height(self._losses, width))
            news = self._with_losses(fit_news(all_news, width, lines_for_news), width)
        for line in [*news, *drawn]:
            self._view.print(line)
        if not drawn and self._drawn is not None and board.headline != self._drawn.headline:
            self._view.print(Text(sanitize(board.headline), style="bold"))
        self._drawn = board
        self._question_lines = [question_line, *options]
        self._print_question()
        for comment in comments:
            self._view.print(Text(comment, style="cyan"))
        self._lines_below += _height(comments, width)

    def _with_losses(self, news: list[str], width: int) -> list[str]:
        """Return the news, followed by all losses by name if some of the news was left out."""
        return [*news, *(hanging(line, width, 2) for line in self._losses)] if is_cut(news) else news

    def _print_question(self, *, with_options: bool = True) -> None:
        """Print the question, and note how many lines of the screen it takes."""
        question_line, *options = self._question_lines
        self._view.print(Text(sanitize(question_line), style="bold yellow"))
        for line in options if with_options else ():
            self._view.print(line)
        printed = self._question_lines if with_options else [question_line]
        self._lines_below = _height(printed, self._console.width) + 1

    def _keep_question_in_sight(self, pages: Sequence[Sequence[str]]) -> None:
        """Repeat the question if the output of a command has pushed it off the screen, with its options if there is
        room.
        """
        self._lines_below += sum(map(len, pages)) + 1
        if self._console.is_terminal and self._lines_below > self._screen_lines:
            has_room = len(pages[-1]) + _height(self._question_lines, self._console.width) <= self._screen_lines
            self._print_question(with_options=has_room)

    def _fitting_comments(self, question: Question, shown: Sequence[str]) -> list[str]:
        """Return the teacher's comments that fit on one screen together with the smallest map."""
        width = self._console.width
        comments = [hanging(words, width, 2) for words in self._teacher.lesson_lines(question)] if self._teacher else []
        room = self._screen_lines - _LEAST_MAP_LINES - _height([*shown, self._invitation(question)], width)
        while len(comments) > 1 and _height(comments, width) > room:
            comments.pop(0)
        return comments

    def _new_terms(self, shown: Sequence[str], headline: str, invitation: str) -> list[str]:
        """Return explanations of the technical terms that appear for the first time, as many as fit on the screen.

        The lines `shown` take room; the `headline` belongs to the map.
        """
        width = self._console.width
        explanations: list[str] = []
        for term, meaning in self._game.narrator.words.terms_in(*shown, headline).items():
            line = hanging(f"{term}: {meaning}", width, 2)
            room = (
                self._screen_lines
                - _LEAST_MAP_LINES
                - self._lines_above
                - _height([*shown, *explanations, line, invitation], width)
            )
            if term not in self._explained_terms and room >= 0 and len(explanations) < _MOST_TERMS:
                self._explained_terms.add(term)
                explanations.append(line)
        return explanations

    def _pass_to(self, seat: str) -> None:
        """Hand the terminal to another person, hiding the screen if one of them may not see everything the other
        sees.
        """
        before, self._view.seat = self._view.seat, seat
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
        self._typed_ahead = "" if typed.strip().lower() in _STOP_PAGES else typed
        return typed

    def _brief(self, seat: str) -> None:
        """Show the briefing before the first answer of a seat."""
        self._briefed_seats.add(seat)
        by_people = [
            entry for entry in self._session.history.answers if isinstance(entry, Answered) and entry.by == PERSON
        ]
        if self._console.is_terminal and not any(seat_of(answered.question) == seat for answered in by_people):
            with self._console.paged(self._turn_page, then=_AFTER_BRIEFING):
                show_briefing(self._session.briefing(seat), self._console, summary=True)

    def _options_below(self, question: Question) -> list[str]:
        """Return the lines below a question: as many options as fit, the deployment zone, and the effect of Enter."""
        lines = self._view.listed(question)
        width = self._console.width
        most = _POINT_LINES if isinstance(question, Place) else _OPTION_LINES
        listed = lines[: most if len(lines) > most + 1 else len(lines)]
        below = [line if len(line) <= width else f"{line[: width - 1]}…" for line in listed]
        if len(listed) < len(lines):
            below.append(f"... type options to see all {len(self._view.phrases(question))}")
        elif any(len(line) > width for line in listed):
            below.append("... options shows them in full")
        if isinstance(question, Place) and (zone := self._zone_line(question)):
            below.append(zone)
        if suggestion := self._suggestion_line(question):
            below += hanging(suggestion, width, 2).split("\n")
        step, is_first_question = self._session.history.now, not self._has_shown_help
        if step is not None and sets_up(step.step) and isinstance(question, (Choose, Place)):
            hint = UNDO_AND_HELP if is_first_question else "undo takes it back"
            below.append(f"do phase sets up the rest as suggested; {hint}")
        elif is_first_question:
            below.append(UNDO_AND_HELP)
        self._has_shown_help = True
        return below

    def _suggestion_line(self, question: Question) -> str:
        """Return the line that says which answer Enter gives: that of a rule-aware player, with its reason."""
        if isinstance(question, (Roll, Draw)) or not self._game.narrator.knows_question(self._view.state(), question):
            return ""
        answer, reason = self._session.suggestion()
        # A player wants a reason; the arithmetic of the AI stands behind the command advice.
        why = _REASON_WITHOUT_NUMBERS if _ARITHMETIC.search(reason) else reason
        return f"Enter takes {self._answer_in_words(question, answer)}{f'. Reason: {why}' if why else ''}"

    def _advice(self, _: str) -> None:
        """Show the suggested answer with the whole reason, including the numbers that an AI player compares."""
        question = self._session.pending
        if question is None or isinstance(question, (Roll, Draw)):
            raise ZarebaError("advice is available only for a choice, a place, or a yes or no")
        answer, reason = self._session.suggestion()
        self._view.print_indented(f"{self._answer_in_words(question, answer)}: {reason or 'no reason given'}", 2)

    def _answer_in_words(self, question: Choose | Place | Confirm, answer: Any) -> str:
        if isinstance(question, Place):
            board = unit_board(self._game, self._view.state())
            position = describe_position(board).get(question.actor, (-1, -1))
            words = describe_spot(self._game, board, answer, question.actor)
            stays = place_name(board, answer) == place_name(board, position) and STAYS not in words
            return f"{words}, {STAYS}" if stays else words
        if isinstance(question, Confirm):
            return "yes" if answer else "no"
        number = list(question.options).index(answer) + 1
        return f"{number} {self._game.narrator.describe_option(self._view.state(), question, answer)}"

    def _zone_line(self, question: Place) -> str:
        """Return the line that describes the deployment zone of a unit that is being set up."""
        scenario = self._game.scenario
        unit = scenario.units.get(question.actor.partition(".")[0]) or scenario.leaders.get(question.actor)
        zones = scenario.sides[question.seat].deployment
        zone = zones.get(getattr(unit, "zone", None) or next(iter(zones), ""))
        board = self._game.display.board(self._view.state())
        step = self._session.history.now
        is_setting_up = step is not None and sets_up(step.step) and question.actor not in describe_position(board)
        if not is_setting_up or unit is None or zone is None:
            return ""
        corners = [place_at(board, point) for point in zone]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return f"its zone: x {min(xs):g} to {max(xs):g}, y {min(ys):g} to {max(ys):g} ({board.length})"

    def _invitation(self, question: Question) -> str:
        """Return the input prompt, which also says whether the answer can be undone."""
        is_alone = len(self._session.people) <= 1
        hides = any(self._game.sight.may_hide(seat) for seat in self._session.people)
        revealed = "dice, cards or hidden men" if hides else "dice or cards"
        undo = "undo takes it back" if is_alone else f"undo takes it back until {revealed} are seen"
        if isinstance(question, Roll):
            all_dice = dice_ahead(self._session.history)
            or_all = f", or of all {all_dice}" if all_dice > question.dice else ""
            answers = f"the faces of {question.dice}d{question.sides}{or_all}, or auto"
        elif isinstance(question, Confirm):
            answers = "y or n"
        else:
            count = len(self._view.phrases(question))
            answers = ("1" if count == 1 else f"1-{count}") + (" or x y" if isinstance(question, Place) else "")
        return f"[{answers}; {undo}; help] > "

    def _take_news(self) -> list[str]:
        """Return the news since the last question to the present player, one line per step. A second call returns
        nothing.
        """
        history, seat = self._session.history, self._view.seat
        count, total = sum(isinstance(entry, Answered) for entry in history.answers), len(history.answers)
        shown_before, self._answers_shown[seat] = self._answers_shown.get(seat), count
        strengths_before, strengths_now = self._strengths.get(seat), strengths(self._game, self._view.state(), seat)
        self._strengths[seat], self._losses = strengths_now, []
        if total == self._answers_at_last_news:
            return []
        self._answers_at_last_news = total
        if shown_before is None or shown_before >= count:
            # Just started or resumed, or edited by an umpire: show the results of the last answer.
            steps = history.since_people(seat if len(self._session.people) > 1 else None, reader=seat)
        else:
            steps = history.events_since(shown_before, reader=seat)
        self._losses = losses_in_words(self._game, steps, strengths_before, strengths_now)
        return acts_in_words(self._game, steps)

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
                self._view.print(Text(line, style="red"))
        is_new_question = self._session.pending is not question
        self._lines_above = len(refused)
        if refused and not is_new_question:
            self._keep_question_in_sight([refused])
        if self._teacher is not None:
            answers = self._answers_of_people() - answered
            comment = self._teacher.refusal_line() if refused else self._teacher.record_line(typed, answers)
            if comment and (refused or not is_new_question):
                self._view.print(Text(hanging(comment, self._console.width, 2), style="cyan"))
        return is_new_question

    def _answers_of_people(self) -> int:
        """Return the number of answers that people have given."""
        return sum(isinstance(entry, Answered) and entry.by == PERSON for entry in self._session.history.answers)

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
            self._run_command(self._commands[word.lower()], rest.strip(), question)
        elif (several := SEVERAL.fullmatch(typed)) and isinstance(question, Choose):
            self._replies.answer_several(question, several[1], several[2])
        else:
            self._replies.answer_words(question, typed)
        self._drive()
        return True

    # --- commands ----------------------------------------------------------------------------------------------------

    def _run_command(self, command: Callable[[str], None], rest: str, question: Question) -> None:
        """Execute a command, show its output page by page, and keep the question in sight."""
        with self._console.paged(
            self._turn_page, reserved=_height(self._question_lines[:1], self._console.width)
        ) as pages:
            command(rest)
        is_delegated = isinstance(question, (Choose, Place, Confirm)) and question.seat in self._session.deputies
        if self._session.pending is question and not is_delegated:
            self._keep_question_in_sight(pages)

    def _printing_reply_of(self, command: Callable[[str], str]) -> Callable[[str], None]:
        """Return a command that prints what another one returns."""

        def print_reply(rest: str) -> None:
            for line in command(rest).split("\n"):
                self._view.print_indented(line, 2)

        return print_reply

    def _same(self, rest: str) -> None:
        if rest.casefold() not in ("", "again"):
            raise ZarebaError(f"'{rest}' is not expected; type 'same', and further answers after a ;")
        self._session.answer_as_before()

    def _undo(self, _: str) -> None:
        session, seats = self._session, [] if self._view.seat is None else [self._view.seat]
        barred = session.why_no_undo(seats)
        if barred and session.why_no_undo() is None and len(session.people) > 1:
            agreed = self._ask(f"{barred.partition(';')[0]}. Do all agree? [y or n] > ")
            if agreed.strip().lower() not in ("y", "yes"):
                raise ZarebaError("not undone, because not all agreed")
        session.undo()
        self._answers_at_last_news = len(self._session.history.answers)
        self._view.print("taken back")

    def _redo(self, _: str) -> None:
        self._session.redo()


def _height(lines: Sequence[str], width: int) -> int:
    """Return the number of screen lines that some lines take."""
    return sum(-(-max(1, len(line)) // width) for line in "\n".join(lines).split("\n"))
