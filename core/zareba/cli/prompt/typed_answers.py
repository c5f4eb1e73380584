"""Answers that a player types, and the results of real dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.cli.output import SafeConsole, hanging
from zareba.cli.prompt.option_odds import answers_to, option_phrases
from zareba.cli.prompt.parsing import head, pick, read_yes
from zareba.cli.prompt.piece_names import describe_spot, read_path
from zareba.cli.prompt.render import in_columns, unit_board
from zareba.game import DECLINING, Game
from zareba.presentation.board import describe_position
from zareba.session import Session
from zareba.session.dice_results import read_dice
from zareba.session.history import History
from zareba.table import Answer, Choose, Confirm, Draw, Event, Place, Question, RecordedTable, Roll, refusal
from zareba.table.drivers import Pause

# --- Real dice for a whole volley at once: the number to throw, and their assignment to the throws of the rules -------


_MOST_THROWS = 400


class DiceInHand:
    """Unused faces that were typed in advance in one step, by kind of throw."""

    def __init__(self) -> None:
        self._step = ""
        self._faces: dict[tuple[str, int], list[int]] = {}

    def store_faces(self, step: str, roll: Roll, faces: list[int]) -> None:
        """Store the faces thrown beyond the present throw."""
        self._step = step
        self._faces[roll.why, roll.sides] = faces

    def for_throw(self, step: str, roll: Roll) -> list[int] | None:
        """Take the faces for a throw from the stored ones; None if there are too few."""
        there = self._faces.get((roll.why, roll.sides), []) if step == self._step else []
        if not 0 < roll.dice <= len(there):
            return None
        taken, there[:] = there[: roll.dice], there[roll.dice :]
        return taken

    def clear(self, step: str) -> list[int]:
        """Return and drop the unused faces once the step has ended; an empty list before."""
        if step == self._step:
            return []
        left = [face for faces in self._faces.values() for face in faces]
        self._faces.clear()
        return left


class _Counting(RecordedTable):
    """A table that answers all further throws, and counts the dice of one kind up to the next choice or card.

    It stops when the same actor throws again, because tied dice would be rethrown forever.
    """

    __slots__ = ("_face", "_kind", "_left", "_threw", "dice")

    def __init__(self, game: Game[Any], state: Any, answers: list[Answer], roll: Roll, face: int) -> None:
        super().__init__(game.rules, state, answers)
        self._kind = roll.why, roll.sides
        self._face = face
        self._left = _MOST_THROWS
        self._threw: set[str] = set()
        self.dice = 0

    def answer(self, question: Question) -> Answer:
        if self._used < len(self._answers) or not isinstance(question, Roll):
            return super().answer(question)
        self._left -= 1
        of_kind = (question.why, question.sides) == self._kind
        if not self._left or (of_kind and question.actor in self._threw):
            raise Pause(question)
        if of_kind:
            self._threw.add(question.actor)
            self.dice += question.dice
            return question.read.of([self._face] * question.dice)
        return question.read.of([(question.sides + 1) // 2] * question.dice)


def dice_ahead(history: History) -> int:
    """Return the number of dice of the pending kind that the step will need, as far as it is known before the throw."""
    now = history.now
    assert now is not None and isinstance(now.question, Roll), "dice are to be thrown"
    game, played = history.game, history.steps[-1]
    most = now.question.dice
    for face in (1, now.question.sides):
        draft = played.start.copy()
        table = _Counting(game, draft, [answer.answer for answer in played.answers], now.question, face)
        with suppress(Pause):
            game.play.perform(table, draft, now.step)
        most = max(most, table.dice)
    return most


# --- Typed answers: options in words, places, dice, and several of them on one line -----------------------------------


_NO_MORE = DECLINING | {"finish", "finished", "no", "wait"}
"""Words for doing nothing more, whatever the option is called in the rules."""
_WHERE_IT_STANDS = ("stay", "here", "hold", "stand", "halt")
"""Words for the present position of a piece."""
_AS_FAR_AS_MAY_BE = ("to", "up", "down", "along", "through", "over", "across")
"""Words at the start of a move without a distance: the piece goes as far as is legal."""
_BETWEEN = ("and", "then")
"""Words between two answers on one line."""
SEVERAL = re.compile(r"([0-9][0-9, -]*) +([a-z].*)", re.IGNORECASE)
"""Options by their numbers, followed by the answer to the next question: `2-4 hold`."""


class TerminalView:
    """A session at a terminal, and the `seat` that looks at it. It is None until a player has been asked."""

    def __init__(self, session: Session, console: SafeConsole) -> None:
        self.session = session
        self.game = session.game
        self.console = console
        self.seat: str | None = session.people[0] if len(session.people) == 1 else None

    def print(self, *shown: Any) -> None:
        """Print renderable objects."""
        self.console.print(*shown)

    def print_indented(self, line: str, indent: int) -> None:
        """Print a sentence with its further lines indented."""
        self.print(hanging(line, self.console.width, indent))

    def state(self) -> Any:
        """Return the table as the player being asked may see it."""
        state = self.session.state
        return state if self.seat is None else self.game.sight.view(state, self.seat)

    def listed(self, question: Question) -> list[str]:
        """Return the options of a question with their numbers, in columns."""
        phrases = [f"{n:>3} {phrase}" for n, phrase in enumerate(self.phrases(question), 1)]
        return in_columns(phrases, self.console.width) if phrases else []

    def phrases(self, question: Question) -> list[str]:
        """Return the options of a question, its suggested points, or no and yes, as phrases."""
        if isinstance(question, Choose):
            return option_phrases(self.game, self.state(), question)
        if isinstance(question, Place):
            board = unit_board(self.game, self.state())
            return [describe_spot(self.game, board, spot, question.actor) for spot in question.suggestions]
        if isinstance(question, Confirm):
            return ["no", "yes"]
        return []

    def question_text(self, question: Question) -> str:
        """Return a question in words."""
        return self.game.narrator.describe(self.state(), question)

    def event_sentences(self, events: Iterable[Event]) -> list[str]:
        """Return events as sentences."""
        return [sentence for event in events if (sentence := self.game.narrator.describe_event(event))]

    def sentences(self) -> list[str]:
        """Return all events of the game as sentences."""
        return self.event_sentences(event for _, _, events in self.session.log(self.seat) for event in events)


class TypedAnswers:
    """Interprets typed answers. `drive` lets the other players answer until a person's turn; `known` holds the names of
    commands.
    """

    def __init__(self, at: TerminalView, drive: Callable[[], None], known: Collection[str]) -> None:
        self._view = at
        self._drive = drive
        self._known = known
        self._in_hand = DiceInHand()
        self._thrown_for_me = ""

    def take_suggestion(self, question: Question) -> None:
        """Give the answer of a rule-aware player."""
        if isinstance(question, (Roll, Draw)):
            raise ZarebaError("type the faces of the dice, or auto to have them thrown for you")
        self._view.session.answer(self._view.session.suggestion()[0])

    def is_option(self, question: Question, typed: str) -> bool:
        """Return True if a line is exactly an option, even if it is also a command."""
        if not isinstance(question, Choose):
            return False
        phrases = [phrase.casefold() for phrase in self._view.phrases(question)]
        return typed.casefold() in [*phrases, *(str(option).casefold() for option in question.options)]

    def answer_several(self, question: Choose, numbers: str, rest: str) -> None:
        """Execute `2-4 hold`: take each of these options in turn, with the same answer to the question that follows."""
        places = _numbers(numbers, len(question.options))
        for option in [question.options[place] for place in places]:
            now = self._view.session.pending
            if not isinstance(now, Choose) or option not in now.options:
                raise ZarebaError(
                    f"{self._view.game.narrator.describe_option(self._view.state(), question, option)} is no longer available"
                )
            self._view.session.answer(option)
            self._drive()
            after = self._view.session.pending
            if after is not None and after is not now and not self._offers(after, option):
                try:
                    self.answer_words(after, rest)
                except ZarebaError as error:
                    phrase = head(self._view.game.narrator.describe_option(self._view.state(), question, option))
                    why = str(error)
                    raise ZarebaError(
                        f"{phrase}: {why}" if "was taken" in why else f"'{phrase}' was taken, '{rest}' was not: {why}"
                    ) from error
                self._drive()

    def _offers(self, question: Question, option: Any) -> bool:
        return isinstance(question, Choose) and option in question.options

    def answer_words(self, question: Question, typed: str) -> None:
        """Answer with as many words of a line as make up one answer. The remaining words go to the next question."""
        if isinstance(question, Roll):
            self._throw(question, typed)
            return
        words = typed.split()
        first: ZarebaError | None = None
        for count in range(len(words), 0, -1):
            if 1 < count < len(words) and words[count - 1].casefold() in _BETWEEN:
                continue
            try:
                self._answer(question, " ".join(words[:count]))
            except ZarebaError as error:
                first = first or error
                continue
            if words[count : count + 1] and words[count].casefold() in _BETWEEN:
                count += 1
            rest = " ".join(words[count:])
            if rest:
                self._drive()
                following = self._view.session.pending
                try:
                    if following is None or isinstance(following, Roll):
                        raise ZarebaError("no such answer is expected")
                    self.answer_words(following, rest)
                except ZarebaError as error:
                    raise ZarebaError(f"'{' '.join(words[:count])}' was taken, '{rest}' was not: {error}") from error
            return
        assert first is not None, "an empty line is no answer"
        raise first

    def _answer(self, question: Question, typed: str) -> None:
        if isinstance(question, Roll):
            self._throw(question, typed)
        elif isinstance(question, Choose):
            self._view.session.answer(question.options[self.pick(question, self._view.phrases(question), typed)])
        elif isinstance(question, Confirm):
            self._view.session.answer(read_yes(typed))
        elif isinstance(question, Place):
            numbered = typed.isdecimal() and question.suggestions
            self._view.session.answer(
                question.suggestions[pick(self._view.phrases(question), typed)]
                if numbered
                else self._point(question, typed)
            )

    def _point(self, question: Place, typed: str) -> tuple[float, float]:
        """Return the point that was typed. A direction without a distance leads as far as is legal."""
        board = unit_board(self._view.game, self._view.state())
        start = describe_position(board).get(question.actor)
        if typed.casefold() in _WHERE_IT_STANDS and start is not None and question.legal(start) is None:
            return start
        if typed.casefold() in _NO_MORE:
            raise ZarebaError(
                f"'{typed}' is not a place; stay leaves the unit where it is, undo goes back to the choice before"
            )
        path = read_path(self._view.game, board, typed, start)
        point = path[-1]
        refused = refusal(question, point)
        if refused is None or start is None:
            return point
        if len(path) == 1:
            shares = [number / 40 for number in range(1, 40)]
            path = [
                (start[0] + share * (point[0] - start[0]), start[1] + share * (point[1] - start[1])) for share in shares
            ]
        furthest = next((place for place in reversed(path) if question.legal(place) is None), None)
        if furthest is None:
            raise ZarebaError(refused)
        if typed.casefold().startswith(_AS_FAR_AS_MAY_BE):
            return furthest
        raise ZarebaError(f"{refused}; the farthest legal point in that direction: {furthest[0]:.2f} {furthest[1]:.2f}")

    def _throw(self, question: Roll, typed: str) -> None:
        """Enter the faces of a throw, or of all throws of its kind in this step. Extra faces are stored for later
        throws.
        """
        step = self._step()
        if typed.lower() in ("auto", "auto all"):
            faces = self._view.session.throw_for_me()
            self._view.print(f"the dice show {' '.join(map(str, faces))}")
            self._thrown_for_me = step if typed.lower() == "auto all" else ""
            return
        ahead = dice_ahead(self._view.session.history)
        faces = read_dice(question.dice, question.sides, typed)
        if not question.dice < len(faces) <= ahead:
            self._view.session.throw(faces)
            return
        wrong = [face for face in faces if not 1 <= face <= question.sides]
        if wrong:
            raise ZarebaError(f"a die of {question.sides} faces cannot show {wrong[0]}")
        self._view.session.throw(faces[: question.dice])
        self._in_hand.store_faces(step, question, faces[question.dice :])

    def _step(self) -> str:
        now = self._view.session.history.now
        return now.step.key if now else ""

    def use_typed_dice(self) -> bool:
        """Use faces that were typed in advance for this throw. Return True if there were any."""
        question, step = self._view.session.pending, self._step()
        if isinstance(question, Roll) and self._view.session.asks_person():
            if self._thrown_for_me == step:
                self._view.session.throw_for_me()
                return True
            faces = self._in_hand.for_throw(step, question)
            if faces is not None:
                self._view.session.throw(faces)
                return True
        if left := self._in_hand.clear(step):
            self._view.print(f"unused dice: {' '.join(map(str, left))}")
        return False

    def pick(self, question: Choose | Confirm, phrases: Sequence[str], typed: str) -> int:
        """Return the index of the option meant, by its number, its words, or a word for doing nothing more."""
        answers = answers_to(question)
        names = [answer if isinstance(answer, str) else "" for answer in answers]
        holding = [index for index, answer in enumerate(answers) if answer in DECLINING]
        if (
            typed.casefold() in _NO_MORE
            and len(holding) == 1
            and not any(typed.casefold() in phrase for phrase in phrases)
        ):
            return holding[0]
        try:
            return pick(phrases, typed, names)
        except ZarebaError as error:
            # Only typing errors such as whi, not every word that shares a few letters with a command.
            close = get_close_matches(
                typed.casefold(), [word for word in self._known if len(word) > 2], n=1, cutoff=0.65
            )
            if close and len(typed.split()) == 1 and "several" not in str(error):
                raise ZarebaError(f"{error} (or the command '{close[0]}'?)") from None
            raise


def _numbers(typed: str, most: int) -> list[int]:
    """Return indices from 0 for a list of numbers and ranges such as `1, 3-5`."""
    found: list[int] = []
    for part in typed.replace(",", " ").split():
        first, dash, last = part.partition("-")
        ends = (first, last) if dash else (first, first)
        if not all(end.isdecimal() and 1 <= int(end) <= most for end in ends) or int(ends[0]) > int(ends[1]):
            raise ZarebaError(f"'{part}' is not a list of options; type numbers from 1 to {most}, as 2-4 or 1,3")
        found += range(int(ends[0]) - 1, int(ends[1]))
    return list(dict.fromkeys(found))
