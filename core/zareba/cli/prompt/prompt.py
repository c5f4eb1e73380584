"""A game at a terminal: the board, what happened, the question, and what a person types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from zareba.board import Board, near, place_name, whereabouts
from zareba.cli.author.rulesets import rule_data, show_rule
from zareba.cli.output import SafeConsole, hanging
from zareba.cli.plain import clean
from zareba.cli.play.briefing import show_briefing
from zareba.cli.play.roster import of_unit, required_roster, show_roster
from zareba.cli.prompt.acts import ACTS_HELP, Acts
from zareba.cli.prompt.answers import pick, read_dice, read_yes
from zareba.cli.prompt.naming import find_piece, read_way
from zareba.cli.prompt.outlook import Outlook, answers_to, option_phrases
from zareba.cli.prompt.reasons import tallies_table
from zareba.cli.prompt.render import BoardView, in_columns
from zareba.cli.prompt.screen import MAP_LINES, acts_told, lately, map_lines, unit_board
from zareba.errors import ZarebaError
from zareba.game import DECLINING
from zareba.ledger import NotWritten
from zareba.picture.cells import place_at
from zareba.reckoning import fell, reckonings
from zareba.rules import load_catalogue
from zareba.session import Answered, Session
from zareba.session.history import PERSON
from zareba.session.score import told as score_told
from zareba.session.throws import InHand, dice_ahead
from zareba.table import Choose, Confirm, Draw, Event, Place, Question, Roll, seat_of
from zareba.tally import Tally

if TYPE_CHECKING:
    from zareba.cli.lessons import Teacher

__all__ = ["Prompt"]

_LEAVE = ("quit", "exit")
SCREEN = 23
"""So many lines a terminal has at least, but for one that says what was done."""
_OPTION_LINES = 5
"""As many lines of options are shown unasked."""
_LEAST_MAP = 7
"""As few lines a map may have that makes room for others."""
_RULES = 8
"""So many rules with a word are shown."""
_WHOLE_SCREEN = 22
"""As high a map is that was asked for."""
NO_MORE = DECLINING | {"finish", "finished", "no", "wait"}
"""Words by which people say that they do nothing more, whatever the option is called that says so."""
_AS_FAR_AS_MAY_BE = ("to", "up", "down", "along", "through", "over", "across")
"""What begins so asks for no certain length: it goes as far as it may."""
_SEVERAL = re.compile(r"([0-9][0-9, -]*) +([a-z].*)", re.IGNORECASE)

HELP = """\
a number, or words of an option such as its box   take that option; Enter takes the one that is suggested
E3; n; done              several answers on one line; fusiliers E3 n goes on with one unit; 2-4 hold with some
briefing, score          what is to be done, and how it stands
more, log                all that has happened since your last answer, or at all
map [UNIT]               the table, or close about a unit; board draws every man; units tells who is who
why [N]                  the numbers of the last act with its dice and cards, or one explained
odds [N]                 the odds of option N, or of all options, before you take one
rule [WORD|ID]           the rule of this question, of an id, or those with a word
options, hand            all options; the cards that you hold
roster [U]               your men one by one, or those of your unit U (rules of single men)
undo, redo               take back your last choice, or play it again
help, help acts          this list; what else can be done: programs, orders, umpires
keep FILE.yaml           what is played tonight as a file, to begin it anew
quit                     leave; the journal keeps every answer, and zareba continue goes on
At dice: type the faces, of all throws of a volley at once if you like, as 4 1 6 or 2x5 1x6; auto, or auto all, has them
thrown for you."""


class Prompt:
    """Plays a session with the people at one terminal until the game is over or they leave.

    `ask` reads one line after showing a prompt; it raises EOFError when there is nothing more to read. A `teacher` has his
    say at every question.
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
        self._in_hand = InHand()
        self._thrown_for_me = ""
        self._acts = Acts(session, self._state)
        self._seat: str | None = session.people[0] if len(session.people) == 1 else None
        self._commands: dict[str, Callable[[str], None]] = {
            "briefing": self._briefing,
            "score": self._score,
            "more": self._more,
            "map": self._map,
            "options": self._options,
            "hand": self._hand,
            "why": self._why,
            "odds": self._odds,
            "rule": self._rule,
            "rules": self._rule,
            "board": self._board,
            "units": self._units,
            "roster": self._roster,
            "log": self._log,
            "undo": self._undo,
            "redo": self._redo,
            "save": lambda _: self._print("every answer is in the journal already; quit leaves, resume goes on"),
            "keep": self._keep,
            "help": self._help,
            "?": self._help,
            **{word: self._saying(act) for word, act in self._acts.commands.items()},
            **({word: self._saying(act) for word, act in teacher.commands.items()} if teacher else {}),
        }

    def run(self) -> bool:
        """Ask until the end; gives whether the game is over."""
        while True:
            try:
                self._drive()
                question = self._session.pending
                if question is None:
                    for line in self._news():
                        self._print(line)
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
                self._session.drive()
                if not self._throw_what_lies_there():
                    return
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
        """What has happened, the map where it has changed, and the question: one screen."""
        if not isinstance(question, Roll):
            seat = seat_of(question)
            assert seat is not None, "cards are drawn by the program"
            self._pass_to(seat)
        width = self._console.width
        news = self._news()
        asked = hanging(f"{self._game.describe(self._state(), question)} ({question.rule})", width, 2)
        below = self._options_below(question)
        taught = self._taught(question, [*news, asked, *below])
        board = unit_board(self._game, self._state())
        for line in news:
            self._print(line)
        if self._drawn is None or board.pieces != self._drawn.pieces:
            most = SCREEN - _height([*news, asked, *below, *taught, self._invitation(question)], width)
            for drawn in map_lines(board, width, max(_LEAST_MAP, min(MAP_LINES, most))):
                self._print(drawn)
        elif board.headline != self._drawn.headline:
            self._print(Text(clean(board.headline), style="bold"))
        self._drawn = board
        self._print(Text(clean(asked), style="bold yellow"))
        for line in below:
            self._print(line)
        for said in taught:
            self._print(Text(said, style="cyan"))

    def _taught(self, question: Question, shown: Sequence[str]) -> list[str]:
        """What a teacher says of a question, as far as it goes on one screen with the least of a map."""
        width = self._console.width
        said = [hanging(words, width, 2) for words in self._teacher.says(question)] if self._teacher else []
        room = SCREEN - _LEAST_MAP - _height([*shown, self._invitation(question)], width)
        while len(said) > 1 and _height(said, width) > room:
            said.pop(0)
        return said

    def _pass_to(self, seat: str) -> None:
        """The terminal goes to another person: a curtain, where either may not see what the other sees."""
        before, self._seat = self._seat, seat
        begun = before is not None or self._session.history.answers
        if before == seat or len(self._session.people) < 2 or not begun:
            return
        state = self._session.state
        if all(self._game.view(state, side) is state for side in self._game.seats):
            return
        self._console.clear_all()
        name = self._game.name_of(seat)
        self._ask(f"{name}: take the place at the terminal, alone, and press Enter > ")
        self._console.clear_all()
        self._drawn = None

    def _options_below(self, question: Question) -> list[str]:
        """What stands below a question: its options, as far as there is room, a zone, and what Enter takes."""
        lines = self._listed(question)
        width = self._console.width
        shown = lines[: _OPTION_LINES if len(lines) > _OPTION_LINES + 1 else len(lines)]
        found = [line if len(line) <= width else f"{line[: width - 1]}…" for line in shown]
        if len(shown) < len(lines) or any(len(line) > width for line in shown):
            found.append(f"... options lists all {len(self._phrases(question))}")
        if isinstance(question, Place) and (zone := self._zone(question)):
            found.append(zone)
        if suggested := self._suggested(question):
            found += hanging(suggested, width, 2).split("\n")
        return found

    def _listed(self, question: Question) -> list[str]:
        phrases = [f"{n:>3} {phrase}" for n, phrase in enumerate(self._phrases(question), 1)]
        return in_columns(phrases, self._console.width) if phrases else []

    def _suggested(self, question: Question) -> str:
        """What Enter takes, as a commander with sense would, and why."""
        if isinstance(question, (Roll, Draw)) or not self._game.foresees(self._state(), question):
            return ""
        answer, reason = self._session.suggestion()
        return f"Enter takes {self._answer_in_words(question, answer)} ({reason})"

    def _answer_in_words(self, question: Choose | Place | Confirm, answer: Any) -> str:
        if isinstance(question, Place):
            board = unit_board(self._game, self._state())
            here = place_name(board, answer) == place_name(board, whereabouts(board).get(question.actor, (-1, -1)))
            return f"{place_name(board, answer)}{', where it stands' if here else ''}"
        if isinstance(question, Confirm):
            return "yes" if answer else "no"
        return (
            f"{list(question.options).index(answer) + 1} {self._game.describe_option(self._state(), question, answer)}"
        )

    def _zone(self, question: Place) -> str:
        """The zone in which a unit is set up, before anybody misses it."""
        scenario = self._game.scenario
        unit = scenario.units.get(question.actor.partition(".")[0]) or scenario.leaders.get(question.actor)
        zone = scenario.sides[question.seat].deployment.get(getattr(unit, "zone", None) or "")
        board = self._game.board(self._state())
        if zone is None or question.actor in whereabouts(board):
            return ""
        corners = [place_at(board, point) for point in zone]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return f"its zone: x {min(xs):g} to {max(xs):g}, y {min(ys):g} to {max(ys):g} ({board.length})"

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
            ahead = dice_ahead(self._session.history)
            whole = f", or of all {ahead}" if ahead > question.dice else ""
            wanted = f"the faces of {question.dice}d{question.sides}{whole}, or auto"
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

    def _news(self) -> list[str]:
        """What has happened since whoever is asked now was shown a question last, in brief; once."""
        history = self._session.history
        count, total = sum(isinstance(one, Answered) for one in history.answers), len(history.answers)
        before, self._shown[self._seat] = self._shown.get(self._seat), count
        if total == self._answered:
            return []
        self._answered = total
        if before is None or before >= count:
            # Just begun or resumed, or an umpire has been at work: then it is what the last answer has led to.
            since = history.since_people(self._seat if len(self._session.people) > 1 else None)
        else:
            since = history.since(before)
        return lately(acts_told(self._game, since), self._console.width)

    # --- what is typed -----------------------------------------------------------------------------------------------

    def _take(self, typed: str, question: Question) -> bool:
        """Carry out a line; gives whether the question has to be put anew."""
        answered = self._answers_of_people()
        refused = False
        try:
            for part in typed.split(";") if typed else [""]:
                if not self._carry_out(part.strip()):
                    break
        except ZarebaError as error:
            self._print(Text(clean(str(error)), style="red"))
            refused = True
        anew = self._session.pending is not question
        if self._teacher is not None:
            answers = self._answers_of_people() - answered
            said = self._teacher.refused() if refused else self._teacher.heard(typed, answers)
            if said and (refused or not anew):
                self._print(Text(hanging(said, self._console.width, 2), style="cyan"))
        return anew

    def _answers_of_people(self) -> int:
        return sum(isinstance(one, Answered) and one.by == PERSON for one in self._session.history.answers)

    def _carry_out(self, typed: str) -> bool:
        """Carry out one answer or command; gives whether the next on the line may follow."""
        question = self._session.pending
        if question is None:
            raise ZarebaError(f"the game is over; '{typed}' answers nothing")
        word, _, rest = typed.partition(" ")
        if word.lower() in _LEAVE:
            raise EOFError
        if not typed:
            self._take_suggestion(question)
        elif word.lower() in self._commands and not self._is_option(question, typed):
            self._commands[word.lower()](rest.strip())
        elif (several := _SEVERAL.fullmatch(typed)) and isinstance(question, Choose):
            self._answer_several(question, several[1], several[2])
        else:
            self._answer_words(question, typed)
        self._drive()
        return True

    def _take_suggestion(self, question: Question) -> None:
        if isinstance(question, (Roll, Draw)):
            raise ZarebaError("type the faces of the dice, or auto to have them thrown for you")
        self._session.answer(self._session.suggestion()[0])

    def _is_option(self, question: Question, typed: str) -> bool:
        """Whether a line is an option word for word, though it is a command too."""
        if not isinstance(question, Choose):
            return False
        phrases = [phrase.casefold() for phrase in self._phrases(question)]
        return typed.casefold() in [*phrases, *(str(option).casefold() for option in question.options)]

    def _answer_several(self, question: Choose, numbers: str, rest: str) -> None:
        """`2-4 hold`: each of these options in turn, and the same answer to what is then asked."""
        places = _numbers(numbers, len(question.options))
        for option in [question.options[place] for place in places]:
            now = self._session.pending
            if not isinstance(now, Choose) or option not in now.options:
                raise ZarebaError(
                    f"{self._game.describe_option(self._state(), question, option)} cannot be taken any more"
                )
            self._session.answer(option)
            self._drive()
            after = self._session.pending
            if after is not None and after is not now and not self._offers(after, option):
                self._answer(after, rest)
                self._drive()

    def _offers(self, question: Question, option: Any) -> bool:
        return isinstance(question, Choose) and option in question.options

    def _answer_words(self, question: Question, typed: str) -> None:
        """An answer; or, of the words of a line, as many as make one, and the others go to the next question."""
        if isinstance(question, Roll):
            self._throw(question, typed)
            return
        words = typed.split()
        first: ZarebaError | None = None
        for count in range(len(words), 0, -1):
            try:
                self._answer(question, " ".join(words[:count]))
            except ZarebaError as error:
                first = first or error
                continue
            rest = " ".join(words[count:])
            if rest:
                self._drive()
                following = self._session.pending
                try:
                    if following is None or isinstance(following, Roll):
                        raise ZarebaError("nothing of that kind is asked")
                    self._answer_words(following, rest)
                except ZarebaError as error:
                    raise ZarebaError(f"'{' '.join(words[:count])}' was taken, '{rest}' was not: {error}") from error
            return
        assert first is not None, "an empty line is no answer"
        raise first

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
                question.suggestions[pick(self._phrases(question), typed)] if numbered else self._point(question, typed)
            )

    def _point(self, question: Place, typed: str) -> tuple[float, float]:
        """A point as it was typed; towards something as far as may be."""
        board = unit_board(self._game, self._state())
        start = whereabouts(board).get(question.actor)
        if typed.casefold() in NO_MORE and start is not None and question.legal(start) is None:
            return start
        way = read_way(self._game, board, typed, start)
        point = way[-1]
        refused = question.legal(point)
        if refused is None or start is None:
            return point
        if len(way) == 1:
            shares = [number / 40 for number in range(1, 40)]
            way = [(start[0] + one * (point[0] - start[0]), start[1] + one * (point[1] - start[1])) for one in shares]
        furthest = next((one for one in reversed(way) if question.legal(one) is None), None)
        if furthest is None:
            raise ZarebaError(refused)
        if typed.casefold().startswith(_AS_FAR_AS_MAY_BE):
            return furthest
        raise ZarebaError(f"{refused}; as far as may be in that direction: {furthest[0]:.2f} {furthest[1]:.2f}")

    def _throw(self, question: Roll, typed: str) -> None:
        """The faces of a throw, or of all throws of its kind in this step; those to come lie ready till they are asked for."""
        step = self._step()
        if typed.lower() in ("auto", "auto all"):
            faces = self._session.throw_for_me()
            self._print(f"the dice show {' '.join(map(str, faces))}")
            self._thrown_for_me = step if typed.lower() == "auto all" else ""
            return
        ahead = dice_ahead(self._session.history)
        faces = read_dice(question.dice, question.sides, typed)
        if not question.dice < len(faces) <= ahead:
            self._session.throw(faces)
            return
        wrong = [face for face in faces if not 1 <= face <= question.sides]
        if wrong:
            raise ZarebaError(f"a die of {question.sides} faces cannot show {wrong[0]}")
        self._session.throw(faces[: question.dice])
        self._in_hand.lay(step, question, faces[question.dice :])

    def _step(self) -> str:
        now = self._session.history.now
        return now.step.key if now else ""

    def _throw_what_lies_there(self) -> bool:
        """Use faces that were typed for this throw already; gives whether there were any."""
        question, step = self._session.pending, self._step()
        if isinstance(question, Roll) and self._session.asks_person():
            if self._thrown_for_me == step:
                self._session.throw_for_me()
                return True
            faces = self._in_hand.for_throw(step, question)
            if faces is not None:
                self._session.throw(faces)
                return True
        if left := self._in_hand.clear(step):
            self._print(f"left over, and not used: {' '.join(map(str, left))}")
        return False

    def _pick(self, question: Choose | Confirm, phrases: Sequence[str], typed: str) -> int:
        answers = answers_to(question)
        names = [answer if isinstance(answer, str) else "" for answer in answers]
        holding = [place for place, answer in enumerate(answers) if answer in DECLINING]
        if typed.casefold() in NO_MORE and len(holding) == 1 and not any(typed.casefold() in one for one in phrases):
            return holding[0]
        try:
            return pick(phrases, typed, names)
        except ZarebaError as error:
            # A slip of the finger, as whi; not any word that shares a few letters with a command.
            close = get_close_matches(
                typed.casefold(), [word for word in self._commands if len(word) > 2], n=1, cutoff=0.65
            )
            if close and len(typed.split()) == 1 and "several" not in str(error):
                raise ZarebaError(f"{error} (or the command '{close[0]}'?)") from None
            raise

    # --- commands ----------------------------------------------------------------------------------------------------

    def _why(self, which: str) -> None:
        found = reckonings(self._session.last_numbers(self._seat))
        if not found:
            raise ZarebaError("no number has been worked out yet")
        if len(found) > 1 and not which:
            for number, one in enumerate(found, 1):
                throws = [f"{self._told_of(throw.question)}: {fell(self._game, throw)}" for throw in one.throws]
                self._hang(f"{number:>3} {one.title or '; '.join(throws)}", 4)
            self._print("why N explains one of them part by part")
            found = [one for one in found if one.tallies]
            if len(found) != 1:
                return
        one = found[pick([one.title for one in found], which) if which else 0]
        if one.tallies:
            self._print(tallies_table(self._game.rules.ruleset, one.tallies))
        for throw in one.throws:
            self._hang(f"{self._told_of(throw.question)}: {fell(self._game, throw)} ({throw.question.rule})", 2)
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
        """The rule of the question and those that bear on it, one by its id, or those that have a word."""
        ruleset, question = self._game.rules.ruleset, self._session.pending
        if any(letter.isdecimal() for letter in rule):
            show_rule(rule_data(ruleset.id, rule), self._console)
            return
        catalogue = load_catalogue(ruleset.folder).rules
        bearing = [id for id in self._bearing(question) if id in catalogue]
        if not rule:
            if question is not None:
                show_rule(rule_data(ruleset.id, question.rule), self._console)
            found = [id for id in bearing if question is None or id != question.rule]
            if found:
                self._print("It depends on these as well; rule ID tells one whole:")
        else:
            words = rule.casefold().split()
            texts = {id: f"{entry.summary} {entry.reading}".casefold() for id, entry in catalogue.items()}
            found = [id for id, text in texts.items() if all(word in text for word in words)]
            if not found:
                raise ZarebaError(
                    f"no rule of {ruleset.id} has '{rule}'; name a rule by its id, as it stands behind the question"
                )
            chapters = {catalogue[id].chapter for id in bearing}
            places = {id: place for place, id in enumerate(bearing)}
            found.sort(key=lambda id: (places.get(id, len(places)), catalogue[id].chapter not in chapters))
        for id in found[:_RULES]:
            self._hang(f"{id} {catalogue[id].summary}", 2)
        if len(found) > _RULES:
            self._print(f"and {len(found) - _RULES} more; more words, or an id")

    def _bearing(self, question: Question | None) -> list[str]:
        """The ids of the rules that bear on a question, its own first: those in the numbers of its options, then those in
        the numbers of the last act.
        """
        found = [] if question is None else [question.rule]
        if isinstance(question, (Choose, Confirm)):
            found += Outlook(self._session, self._state(), self._print).rules()
        numbers = self._session.last_numbers(self._seat)
        found += [part.rule for one in numbers if isinstance(one, Tally) for part in one.parts()]
        return list(dict.fromkeys(id for id in found if id))

    def _board(self, _: str) -> None:
        view = BoardView(self._game.drawn(self._state()))
        for line in [*view.lines(self._console.width), *view.legend(self._console.width)]:
            self._print(line)

    def _map(self, unit: str) -> None:
        """The table at the scale of units, or close about one of them."""
        if not unit:
            for line in map_lines(unit_board(self._game, self._state()), self._console.width, _WHOLE_SCREEN):
                self._print(line)
            return
        board = self._game.drawn(self._state())
        name = find_piece(self._game, self._state(), unit)
        at = whereabouts(board).get(name)
        if at is None:
            raise ZarebaError(f"{self._game.name_of(name)} is not on the table")
        reach = max(2, board.columns // 8) if board.space == "free" else 2
        for line in map_lines(near(board, at, reach), self._console.width, _WHOLE_SCREEN):
            self._print(line)

    def _options(self, _: str) -> None:
        question = self._session.pending
        for line in self._listed(question) if question is not None else ():
            self._print(line)

    def _hand(self, _: str) -> None:
        headline = self._game.board(self._state()).headline
        if "hand:" not in headline:
            raise ZarebaError("these rules know no hands of cards")
        self._hang(headline[headline.index("hand:") :], 2)

    def _units(self, _: str) -> None:
        for line in BoardView(unit_board(self._game, self._state())).legend(self._console.width):
            self._print(line)

    def _roster(self, unit: str) -> None:
        found = required_roster(self._game, self._state(), self._seat)
        show_roster(of_unit(found, unit) if unit else found, self._console)

    def _log(self, _: str) -> None:
        for sentence in self._sentences():
            self._hang(f"- {sentence}", 2)

    def _more(self, _: str) -> None:
        """Every sentence, every die and every card since the last answer of a person."""
        for sentence in self._in_words(self._session.news()):
            self._hang(f"- {sentence}", 2)
        for one in self._session.last_numbers(self._seat):
            if isinstance(one, Answered):
                self._hang(f"  {self._told_of(one.question)}: {fell(self._game, one)}", 4)

    def _briefing(self, _: str) -> None:
        show_briefing(self._session.briefing(self._seat), self._console)

    def _score(self, _: str) -> None:
        for line in score_told(self._session.score(self._seat), self._game):
            self._hang(line, 2)

    def _saying(self, act: Callable[[str], str]) -> Callable[[str], None]:
        def said(rest: str) -> None:
            for line in act(rest).split("\n"):
                self._hang(line, 2)

        return said

    def _keep(self, name: str) -> None:
        """Write what is played tonight as the file of an evening."""
        from zareba.cli.play.evening import evening_of, written

        target = Path(name)
        if target.suffix not in (".yaml", ".yml"):
            raise ZarebaError("say into which file: keep monday.yaml")
        if target.exists():
            raise ZarebaError(f"{target} is there already; name another file")
        target.write_text(written(evening_of(self._session, target.stem.replace("_", " "))), encoding="utf-8")
        self._print(f"written: {target}; zareba play {target} begins it anew")

    def _help(self, about: str) -> None:
        self._print(ACTS_HELP if about in ("acts", "act") else HELP)

    def _undo(self, _: str) -> None:
        self._session.undo()
        self._answered = len(self._session.history.answers)
        self._print("taken back")

    def _redo(self, _: str) -> None:
        self._session.redo()


def _height(lines: Sequence[str], width: int) -> int:
    """How many lines of the screen some lines take."""
    return sum(-(-max(1, len(line)) // width) for line in "\n".join(lines).split("\n"))


def _numbers(typed: str, most: int) -> list[int]:
    """Places from 0 of a list of numbers and ranges, as `1, 3-5`."""
    found: list[int] = []
    for part in typed.replace(",", " ").split():
        first, dash, last = part.partition("-")
        ends = (first, last) if dash else (first, first)
        if not all(end.isdecimal() and 1 <= int(end) <= most for end in ends) or int(ends[0]) > int(ends[1]):
            raise ZarebaError(f"'{part}' are no options; type numbers from 1 to {most}, as 2-4 or 1,3")
        found += range(int(ends[0]) - 1, int(ends[1]))
    return list(dict.fromkeys(found))
