"""The prompt of the companion: offers the acts of the phase, asks what only the table knows, and keeps the book."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from rich.text import Text

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.base.hidden_characters import fold
from zareba.cli.author.rulesets import rule_data, show_rule
from zareba.cli.output import SafeConsole, hanging, plain_table
from zareba.cli.prompt.option_odds import tallies_table
from zareba.cli.prompt.parsing import pick
from zareba.cli.sanitize import sanitize
from zareba.companion import (
    AskFact,
    Companion,
    Decide,
    Entry,
    Evening,
    Finished,
    Form,
    PickUnit,
    Scene,
    Throw,
    after_action_lines,
    rules_found,
    without_die,
)
from zareba.companion.forms import names_in_short, number_wanted, rolls_together
from zareba.presentation.umpire_editor import UmpireEditor
from zareba.session.history import Answered
from zareba.session.narration import card_text
from zareba.table import Answer, Choose, Confirm, Draw, Roll

_MOST_PAIRS = 9
"""The most acts with their units that are offered one by one; beyond it, the acts are offered first."""
_LONGEST_NAMES = 48
"""The most characters of names after an act in a list of acts."""
_ROOM_TO_TYPE = 6
"""The characters that a prompt leaves free at the end of its line."""
_MOST_RULES = 8
"""The most rules shown for a search."""

HELP = """\
1, fusiliers, fire fusiliers    take that option; Enter takes the usual answer, and rolls the dice
fire fusiliers; jezails; 2; 1   several answers on one line
4 6 6 1, 2x5 1x6                the faces of your own dice
1 3 4                           several units for the same act
next                            go on to the next phase; what was not done is left out
any                             also offer the acts of other phases, if you forgot one; any again offers only this phase
cancel, back                    cancel drops this act before its dice; back takes back your last answer, or the last entry
undo                            take back the last entry of the book, with its dice
why                             the numbers and dice of the last act, with their rules
units, unit NAME                the book of all units, or of one
hand [SIDE]                     the cards of a side
correct UNIT VALUE NUMBER       correct the book: correct fusiliers {noun}s 4; unit fusiliers lists all values
score, goal NAME SIDE           the points; a side has achieved an objective on the table (none takes it back)
report                          losses by unit and by act, and the turning points so far
rules WORD|ID                   look up the rulebook
sheet [WORD]                    the charts with tonight's numbers; sheet WORD: those with the word in the title
log                             everything so far
save, quit                      every answer is already saved; quit leaves, zareba companion --continue resumes"""
_COMMANDS_END = 32
"""The column of the help at which the explanations begin."""


class CompanionPrompt:
    """Runs an evening with the people at one terminal until the battle is over or they leave.

    `ask` shows a prompt and reads one line; it raises EOFError at the end of the input. `answers` counts the answers
    that people have given, Enter included.
    """

    def __init__(self, evening: Evening[Any], console: SafeConsole, ask: Callable[[str], str] = input) -> None:
        self._evening = evening
        self._game = evening.game
        self._console = console
        self._read = ask
        self._form: Form[Any] | None = None
        self._queue: list[str] = []
        self._units: list[str] = []
        self._rolls = False
        self._previewed = False
        self._is_automatic = False
        self._any = False
        self._headline = ""
        self.answers = 0
        self._commands: dict[str, Callable[[str], None]] = {
            "next": self._next,
            "skip": self._next,
            "any": self._every_act,
            "cancel": self._cancel,
            "back": self._back,
            "undo": self._undo,
            "why": self._why,
            "units": self._list_units,
            "unit": self._unit,
            "hand": self._hand,
            "correct": self._correct,
            "score": self._score,
            "report": self._report,
            "goal": self._goal,
            "sheet": self._sheet,
            "rules": self._rules,
            "rule": self._rules,
            "log": self._log,
            "save": lambda _: self._print_note("every answer is already saved; quit leaves"),
            "help": self._help,
            "?": self._help,
        }

    def run(self) -> bool:
        """Ask until the end. Return True if the battle is over."""
        self._print_note("Move the figures and measure; zareba keeps the book. help lists the commands.")
        if self._evening.left_out and not self._evening.entries:
            self._print_note(self._evening.left_out)
        self._form, self._rolls = self._evening.unfinished()
        if self._form is not None:
            self._print_note(f"{self._form.title}: not finished yet; cancel drops it")
        elif self._evening.dropped:
            self._print_note(self._evening.dropped)
        try:
            while not self._evening.is_over:
                self._take_input()
                begun = self._form if self._form is not None and self._form.is_begun else None
                self._evening.save_unfinished(begun, rolls=self._rolls)
        except EOFError:
            return False
        self._report("")
        return True

    def _take_input(self) -> None:
        """Show what is needed next, and take one answer or command."""
        try:
            if self._form is None and not self._begin_due():
                self._offer_acts()
            elif self._form is not None:
                self._ask_for(self._form)
        except ZarebaError as error:
            self._queue.clear()
            self._units.clear()
            self._console.print(Text(hanging(str(error), self._console.width, 0), style="red"))

    # --- the acts of the phase ----------------------------------------------------------------------------------------

    def _begin_due(self) -> bool:
        """Begin the act that the rules demand now, unless players may do something else first."""
        openings = self._evening.openings()
        if self._any or len(openings) != 1 or not openings[0].due:
            return False
        self._show_headline()
        self._begin_act(self._evening.form(openings[0].act), is_automatic=True)
        return True

    def _offer_acts(self) -> None:
        """List the acts that are possible now, and begin those that people choose."""
        openings = self._evening.every_opening() if self._any else self._evening.openings()
        self._show_headline()
        titles = {opening.act: self._evening.companion.act_named[opening.act].title for opening in openings}
        pairs = [(opening.act, unit) for opening in openings for unit in opening.actors or ("",)]
        if (
            len(pairs) > 1 and len({unit for _, unit in pairs}) == 1
        ):  # one unit may do several things: its name is in the headline or known
            shown = [titles[act] for act, _ in pairs]
        elif len(pairs) > _MOST_PAIRS:
            shown = [
                f"{titles[opening.act]}: {self._units_in_short(opening.actors)}".rstrip(": ") for opening in openings
            ]
        else:
            shown = [f"{titles[act]}: {self._name(unit)}" if unit else titles[act] for act, unit in pairs]
        self._print_list(shown)
        typed = self._answer(f"[{_numbers(shown)}; next; help] > " if shown else "[next; help] > ")
        if typed is None:
            return
        if not typed:
            raise ZarebaError("choose an act by its number or name, or type next to go on to the next phase")
        numbers = typed.replace(",", " ").split()
        named = [pair for pair in pairs if pair[0] == typed.lower()]
        if len(named) == 1:
            chosen = named
        elif len(pairs) <= _MOST_PAIRS and len(numbers) > 1 and all(number.isdecimal() for number in numbers):
            chosen = [pairs[pick(shown, number)] for number in numbers]
        elif len(pairs) <= _MOST_PAIRS:
            chosen = [pairs[pick(shown, typed, [f"{act} {self._name(unit)}" for act, unit in pairs])]]
        else:
            word, _, units = typed.partition(" ")
            acts = {opening.act: opening for opening in openings}
            opening = acts.get(word.lower()) or openings[pick(shown, typed, [*acts])]
            wanted = units if word.lower() in acts else ""
            chosen = [(opening.act, unit) for unit in self._units_named(wanted, opening.actors)]
        out_of_turn, self._any = self._any, False
        (act, first), *others = chosen
        if any(other != act for other, _ in others):
            raise ZarebaError("name several units for one act at a time")
        self._units = [unit for _, unit in others]
        self._begin_act(self._evening.form(act, out_of_turn=out_of_turn), first)

    def _units_in_short(self, units: Sequence[str]) -> str:
        """Return the names of some units, or their number if the names are too long for a list of acts."""
        names = ", ".join(map(self._name, units))
        return names if len(names) <= _LONGEST_NAMES else amount(len(units), "unit")

    def _units_named(self, typed: str, units: Sequence[str]) -> list[str]:
        """Return the units that are typed after an act: all, several numbers, or one name; [""] for none."""
        if not typed or not units:
            return [""]
        if typed.strip().lower() == "all":
            return [*units]
        names = [self._name(unit) for unit in units]
        numbers = typed.replace(",", " ").split()
        if all(number.isdecimal() for number in numbers):
            return [units[pick(names, number)] for number in numbers]
        return [units[pick(names, word.strip(), units)] for word in typed.split(",")]

    def _begin_act(self, form: Form[Any], actor: str = "", *, is_automatic: bool = False) -> None:
        """Begin an act, and finish it at once if it needs no answer."""
        pending = form.pending
        if actor and isinstance(pending, PickUnit) and pending.role == "actor":
            form.give(actor)
        self._form, self._rolls, self._previewed = form, False, False
        self._is_automatic = is_automatic
        if isinstance(form.pending, Finished):
            self._finish(form)

    # --- one act ------------------------------------------------------------------------------------------------------

    def _ask_for(self, form: Form[Any]) -> None:
        """Ask for what the act needs next."""
        pending = form.pending
        if isinstance(pending, Finished):
            self._finish(form)
        elif isinstance(pending, PickUnit):
            self._pick_unit(form, pending)
        elif isinstance(pending, AskFact):
            self._ask_fact(form, pending)
        elif isinstance(pending, Throw):
            self._throw(form, pending)
        else:
            self._decide(form, pending)

    def _pick_unit(self, form: Form[Any], pending: PickUnit) -> None:
        is_target = pending.role == "target"
        self._print_title(form.target_question() if is_target else f"{form.act.title}: which unit?")
        companion, state = self._evening.companion, self._evening.state
        self._print_list([f"{self._name(unit)}: {companion.unit_line(state, unit)}" for unit in pending.units])
        names = [self._name(unit) for unit in pending.units]
        usual = "Enter: 1; " if pending.role == "actor" else ""
        if pending.usual:
            usual = f"Enter: {self._name(pending.usual)}; "
        typed = self._answer(f"[{_numbers(names)}; {usual}cancel] > ")
        if typed is None:
            return
        if pending.role == "actor":
            chosen = self._units_named(typed or "1", pending.units)
            self._units = chosen[1:]
            form.give(chosen[0])
        elif not typed and not pending.usual:
            raise ZarebaError("this has no usual answer; choose a target by its number or name")
        else:
            form.give(pending.units[pick(names, typed, pending.units)] if typed else pending.usual)

    def _ask_fact(self, form: Form[Any], pending: AskFact) -> None:
        self._print_title(pending.text)
        phrases = list(pending.choices.values())
        default = pending.default
        usual = ""
        if default is not None:
            if pending.asked.many:
                named = ", ".join(pending.choices[choice] for choice in default)
                usual = f"; all; none; Enter: {named}" if named else "; all; Enter: none"
            else:
                usual = f"; Enter: {pending.choices.get(default) or _plain_number(default)}"
        if not pending.choices:
            typed = self._answer(f"[{number_wanted(pending)}{usual}; back] > ")
        elif pending.asked.measured is not None:
            self._print_wrapped(f"  {'; '.join(phrases)}")
            words = [value for value in pending.choices if isinstance(value, str)]
            bands = f", or {' or '.join(words)}" if words else ""
            typed = self._answer(f"[{pending.asked.unit}{bands}{usual}; back] > ")
        else:
            self._print_list(phrases)
            typed = self._answer(f"[{_numbers(phrases)}{usual}; back] > ")
        if typed is None:
            return
        if not typed:
            if default is None:
                raise ZarebaError(f"this has no usual answer: {pending.text}")
            form.give(default)
        elif pending.asked.many:
            form.give(self._several_values(pending, typed))
        elif pending.asked.measured is not None and (distance := _distance(typed)) is not None:
            form.give_measured(distance)
        elif pending.choices:
            values = list(pending.choices)
            form.give(values[pick(phrases, typed, [str(value) for value in values])])
        else:
            form.give(typed)

    def _several_values(self, pending: AskFact, typed: str) -> tuple[Any, ...]:
        """Return the values that are typed by their numbers or words, or with "all" or "none"."""
        if (word := typed.strip().lower()) in ("all", "none"):
            return tuple(pending.choices) if word == "all" else ()
        values, phrases = list(pending.choices), list(pending.choices.values())
        parts = typed.replace(",", " ").split() if typed[0].isdecimal() else typed.split(",")
        return tuple(values[pick(phrases, part.strip())] for part in parts)

    def _throw(self, form: Form[Any], pending: Throw) -> None:
        question = pending.question
        if not form.given and not self._previewed:
            self._preview(form)
            self._previewed = True
        if self._rolls or form.is_certain(pending):
            self._roll(form, question)
            return
        rolls = form.throws_together()
        companion, state = self._evening.companion, self._evening.state
        text = rolls_together(companion, state, rolls) if rolls else companion.describe(state, question)
        self._print_title(f"{text} ({question.rule})")
        for meaning in form.meanings_of(pending) if not self._rolls else ():
            self._print_wrapped(f"  {meaning}")
        if (note := companion.note_on_throw(question, form.given)) and not self._rolls:
            self._print_wrapped(f"  {note}")
        if not self._rolls:
            self._print_how_to_throw(question)
        again = form.faces_before()
        if again and not self._rolls:
            self._print_wrapped(f"  before you took it back: {' '.join(map(str, again))}; same takes these dice again")
        faces = "the faces, of later rolls too" if rolls and form.more_may_follow else "the faces"
        usual = f"zareba rolls; or type {faces}" if isinstance(question, Roll) else "zareba draws; or type your card"
        typed = self._answer(f"[Enter: {usual}; cancel] > ")
        if typed is None:
            return
        if typed.lower() in ("", "auto", "roll", "r"):
            self._rolls = True
            self._roll(form, question)
        else:
            before = len(form.given)
            if typed.lower() == "same" and again:
                form.give_faces(again)
            elif isinstance(question, Roll):
                form.give_typed_faces(typed)
            else:
                form.give(_card(self._evening.companion, question, typed))
            self._print_wrapped(f"  {self._in_short(form.given[before:])}")

    def _print_how_to_throw(self, question: Roll | Draw) -> None:
        """Say how to throw a die that people may not own, or to draw without cards."""
        sides = question.sides if isinstance(question, Roll) else 0
        if isinstance(question, Draw):
            companion = self._evening.companion
            sides, _ = companion.die_of_draw(question)
            if sides:
                names = [card for card in companion.cards_in_order(question) for _ in range(dict(question.cards)[card])]
                said = [companion.describe_card(question, card) for card in names]
                self._print_wrapped(f"  Or throw 1d{sides} and type its number: {names_in_short(said)}")
        if hint := without_die(sides):
            self._print_wrapped(f"  {hint}")

    def _roll(self, form: Form[Any], question: Roll | Draw) -> None:
        """Roll, with all rolls at once that people would throw together, and show the dice."""
        before, first = len(form.given), self._evening.companion.describe(self._evening.state, question)
        group = form.act.group_of(question) if isinstance(question, Roll) else frozenset()
        form.give(*self._evening.roll(form, question))
        while group and isinstance(pending := form.pending, Throw) and isinstance(pending.question, Roll):
            if form.act.group_of(pending.question) != group:
                break
            form.give(*self._evening.roll(form, pending.question))
        self._print_wrapped(f"  {first}: {self._in_short(form.given[before:])}")

    def _in_short(self, given: Sequence[Answered]) -> str:
        """Return dice and cards in words; of several rolls only the faces."""
        found = [self._in_words(answered) for answered in given if isinstance(answered.question, Draw)]
        rolls = [answered for answered in given if isinstance(answered.question, Roll)]
        if len(rolls) == 1:
            found.append(self._in_words(rolls[0]))
        elif rolls:
            faces = (" ".join(map(str, answered.faces)) for answered in rolls)
            found.append(f"{len(rolls)} rolls: {', '.join(faces)}")
        return "; ".join(found)

    def _in_words(self, answered: Answered) -> str:
        question = answered.question
        if isinstance(question, Roll):
            return self._evening.companion.describe_throw(question, answered.answer, answered.faces)
        return self._drawn(answered)

    def _drawn(self, answered: Answered) -> str:
        """Return a card in words; a card that one side alone may see is not shown here, but by `hand`."""
        hidden = isinstance(answered.question, Draw) and answered.question.seat is not None
        return "a card, face down (hand shows it)" if hidden else card_text(self._game, answered)

    def _decide(self, form: Form[Any], pending: Decide) -> None:
        question = pending.question
        self._print_title(f"{self._evening.companion.describe(self._evening.state, question)} ({question.rule})")
        if isinstance(question, Confirm):
            options: Sequence[Any] = (False, True)
            phrases = ["no", "yes"]
        elif isinstance(question, Choose):
            options = question.options
            describe = self._evening.companion.describe_option
            phrases = [describe(self._evening.state, question, option) for option in options]
        else:
            raise ZarebaError(f"the companion cannot ask for a place on the table ({question.rule})")
        self._print_list(phrases)
        typed = self._answer(f"[{_numbers(phrases)}] > ")
        if typed is None:
            return
        if not typed:
            raise ZarebaError("this has no usual answer; choose by a number or a word")
        form.give(options[pick(phrases, typed)])

    def _preview(self, form: Form[Any]) -> None:
        """Show the facts and numbers of an act before its dice, and the odds in one line."""
        found = form.preview()
        companion = self._evening.companion
        for title, tally in found.numbers:
            facts = companion.facts_of(tally)
            told = [
                f"{name.replace('_', ' ')} {_fact_text(value)}"
                for name, value in facts.items()
                if value not in (False, None)
            ]
            self._print_wrapped(f"  {', '.join(told)}")
            parts = [f"{part.in_words} ({part.rule})" for part in tally.parts()]
            self._print_wrapped(f"  {title} {tally.total}: {'; '.join(parts)}")
        if found.odds:
            self._print_wrapped(f"  odds: {found.odds}")

    def _finish(self, form: Form[Any]) -> None:
        """Write a finished act into the book, and begin it for the next of several chosen units."""
        self._form = None
        self._show_entry(self._evening.finish(form, is_automatic=self._is_automatic))
        if self._units:
            self._begin_act(self._evening.form(form.act.name, Scene(self._game, self._units.pop(0))))

    def _show_entry(self, entry: Entry[Any]) -> None:
        """Show what a new entry of the book reports."""
        told = entry.sentences or ((entry.title,) if "act" in entry.data and not entry.data.get("automatic") else ())
        for sentence in told:
            self._console.print(Text(hanging(f"* {sentence}", self._console.width, 2), style="bold green"))

    # --- commands -----------------------------------------------------------------------------------------------------

    def _next(self, _: str) -> None:
        """Go on to the next activation or phase, and say what this leaves out."""
        if self._form is not None and self._form.is_begun:
            raise ZarebaError(f"'{self._form.act.title}' is not finished; finish it, or type cancel and then next")
        begun, self._form, self._any = self._form, None, False
        left = self._evening.left_out_by_next()
        act = self._evening.companion.act_of_next(self._evening.state)
        if act and (begun is None or begun.act.name != act):
            self._begin_act(self._evening.form(act))
        else:
            self._show_entry(self._evening.next(leave_out=True))
        if left:
            self._print_note(f"{left}; undo takes this back")

    def _every_act(self, _: str) -> None:
        """Offer every act, or the acts of the phase again."""
        self._refuse_with_dice("finish it first")
        self._form = None
        self._any = not self._any
        self._headline = ""

    def _cancel(self, _: str) -> None:
        if self._form is None:
            raise ZarebaError("there is no act to cancel; undo takes back the last one")
        self._refuse_with_dice("finish it, then undo takes it back")
        self._form, self._units = None, []
        if self._is_act_due():
            self._any = True

    def _refuse_with_dice(self, remedy: str) -> None:
        """Raise ZarebaError if the act in progress has dice, which would be lost with it."""
        if self._form is not None and self._form.given:
            raise ZarebaError(f"dice have been thrown for this act; {remedy}")

    def _is_act_due(self) -> bool:
        openings = self._evening.openings()
        return len(openings) == 1 and openings[0].due

    def _back(self, _: str) -> None:
        """Take back one step: the last answer of this act, the choice of the act, or the last entry of the book."""
        if self._form is not None and self._form.take_back():
            self._previewed = False
            return
        was_chosen = self._form is not None and not self._is_act_due()
        self._form, self._units = None, []
        if not was_chosen:
            self._undo("")

    def _undo(self, _: str) -> None:
        """Take back the act in progress, if people have answered something; otherwise the last entry of the book."""
        if self._form is not None and self._form.is_begun:
            self._print_note(self._evening.take_back(self._form))
        else:
            self._print_note(f"taken back: {self._evening.undo().title}")
        self._form, self._units = None, []

    def _why(self, _: str) -> None:
        """Show the numbers and dice of the last act that had any."""
        with_dice = (
            earlier
            for earlier in reversed(self._evening.entries)
            if earlier.tallies or any(map(_is_dice_or_card, earlier.throws))
        )
        entry = next(with_dice, None)
        if entry is None:
            raise ZarebaError("no dice have been thrown yet")
        self._print_title(entry.title)
        if entry.tallies:
            self._console.print(tallies_table(self._game.rules.ruleset, entry.tallies))
        for throw in filter(_is_dice_or_card, entry.throws):
            self._print_wrapped(f"{throw.question.why} ({throw.question.rule}): {self._in_words(throw)}")

    def _list_units(self, _: str) -> None:
        companion, state = self._evening.companion, self._evening.state
        for side in self._game.seats:
            self._print_title(self._name(side))
            for unit in companion.units(state, side):
                left, most = companion.strength_boxes(state, unit)
                self._print_wrapped(
                    f"  {'■' * left}{'□' * (most - left)} {self._name(unit)}: {companion.unit_line(state, unit)}"
                )

    def _unit(self, typed: str) -> None:
        unit = self._unit_named(typed)
        self._print_wrapped(f"{self._name(unit)}: {self._evening.companion.unit_line(self._evening.state, unit)}")
        editor, state = self._game.umpire_editor(), self._evening.state
        piece = self._evening.companion.record_id(unit)
        fields = [
            f"{_explained(editor, name, self._evening.word_for(name))} {_fact_text(value)}"
            for name, value in editor.editable_fields(state, piece)
        ]
        marked = getattr(editor.piece(state, piece), "marks", None)
        marks = (
            []
            if marked is None
            else [f"{_explained(editor, mark, mark)} {_fact_text(mark in marked)}" for mark in sorted(editor.marks)]
        )
        removed = f"removed {_fact_text(not self._evening.companion.is_on_table(state, unit))}"
        self._print_wrapped(f"  to correct: {', '.join([*fields, *marks, removed])}")

    def _hand(self, typed: str) -> None:
        """Show the cards of a side, by default of the side whose phase it is."""
        companion, state = self._evening.companion, self._evening.state
        names = [self._name(side) for side in self._game.seats]
        side = self._game.seats[pick(names, typed, self._game.seats)] if typed else companion.acting_side(state)
        rows = companion.cards_of(state, [side] if side else self._game.seats)
        if not rows:
            raise ZarebaError("there are no cards to show")
        for row in rows:
            self._print_title(row.title)
            self._print_list(
                [
                    f"{card.title}{f': {card.text}' if card.text else ''}"
                    if card.is_known
                    else f"{card.count} face down"
                    for card in row.cards
                ]
            )

    def _correct(self, typed: str) -> None:
        words = typed.split()
        if len(words) < 3:
            raise ZarebaError("type the unit, what to correct, and its value: correct fusiliers bases 4")
        self._refuse_with_dice("finish it, then correct the book")
        unit, what, value = self._correction_named(words)
        flag = {"yes": True, "on": True, "no": False, "off": False}.get(value.lower())
        number = int(value) if value.isdecimal() else None
        entry = self._evening.correct(
            unit,
            what,
            flag if flag is not None else number if number is not None else value,
        )
        self._print_note(entry.title)
        self._form = self._evening.form_after_correction(self._form)
        self._previewed = False

    def _correction_named(self, words: Sequence[str]) -> tuple[str, str, str]:
        """Return the unit, what to correct, and its value. The names of both may have several words: Red, hero 1 of
        Red.
        """
        *names, value = words
        for end in range(len(names) - 1, 1, -1):
            with suppress(ZarebaError):
                return self._unit_named(" ".join(names[:end])), "_".join(names[end:]).lower(), value
        return self._unit_named(names[0]), "_".join(names[1:]).lower(), value

    def _score(self, _: str) -> None:
        for line in self._evening.score():
            self._print_wrapped(line)

    def _report(self, _: str) -> None:
        for line in after_action_lines(self._evening):
            self._print_wrapped(line)

    def _goal(self, typed: str) -> None:
        goals = self._game.scenario.objectives
        words = typed.split()
        if len(words) < 2 or not goals:
            raise ZarebaError(
                "type an objective and a side, as in: goal ford patrol" if goals else "there are no objectives"
            )
        name, side = " ".join(words[:-1]), words[-1]
        goal = [*goals][pick([goal.name for goal in goals.values()], name, [*goals])]
        sides = self._game.seats
        wanted = "" if side == "none" else sides[pick([self._name(side) for side in sides], side, sides)]
        self._print_note(self._evening.achieve(goal, wanted).title)

    def _rules(self, typed: str) -> None:
        """Show a rule by its id, or the rules that contain some words."""
        found = rules_found(self._evening, typed)
        if len(found) == 1:
            show_rule(rule_data(self._game.rules.ruleset.id, *found), self._console)
            return
        for id, entry in [*found.items()][:_MOST_RULES]:
            self._print_wrapped(f"{id} {entry.summary}")
        if len(found) > _MOST_RULES:
            self._print_note(f"and {len(found) - _MOST_RULES} more; add words, or give an id")

    def _sheet(self, typed: str) -> None:
        """Show the charts of the quick sheet with some words in their title, or the titles of all."""
        from zareba.report.sheet import sheet_of

        tables = sheet_of(self._game.rules).tables
        words = typed.casefold().split()
        found = [chart for chart in tables if words and all(word in chart.title.casefold() for word in words)]
        if words and not found:
            raise ZarebaError(f"no chart has '{typed}' in its title; sheet lists them all")
        for chart in found:
            self._print_title(chart.title)
            self._console.print(plain_table(chart.heads, chart.rows))
        if not words:
            self._print_wrapped(f"{'; '.join(chart.title for chart in tables)}. Type sheet and a word of a title.")

    def _log(self, _: str) -> None:
        headline = ""
        for entry in self._evening.entries:
            if "next" in entry.data:
                continue
            if entry.headline != headline:
                headline = entry.headline
                self._print_title(headline)
            for line in entry.sentences or (entry.title,):
                self._print_wrapped(f"  {line}")

    def _help(self, _: str) -> None:
        for line in HELP.format(noun=self._game.narrator.loss_noun).split("\n"):
            self._console.print(hanging(line, self._console.width, _COMMANDS_END))

    # --- reading and printing -----------------------------------------------------------------------------------------

    def _answer(self, prompt: str) -> str | None:
        """Return the next answer; None if a command was typed instead, which is done."""
        if not self._queue:
            *above, last = hanging(prompt.rstrip(), self._console.width - _ROOM_TO_TYPE, 1).split("\n")
            for line in above:
                self._console.print(line)
            self._queue = [part.strip() for part in self._read(f"{last} ").split(";")]
        typed = self._queue.pop(0)
        word, _, rest = typed.partition(" ")
        if word.lower() in ("quit", "exit"):
            raise EOFError
        if word.lower() in self._commands:
            self._commands[word.lower()](rest.strip())
            return None
        self.answers += 1
        self._is_automatic = False
        return typed

    def _unit_named(self, typed: str) -> str:
        """Return the unit whose name or id was typed."""
        companion, state = self._evening.companion, self._evening.state
        units = [unit for side in self._game.seats for unit in companion.units(state, side)]
        return units[pick([self._name(unit) for unit in units], fold(typed), units)]

    def _name(self, word: str) -> str:
        return self._game.narrator.name_of(word)

    def _show_headline(self) -> None:
        headline = self._evening.companion.headline(self._evening.state)
        if headline != self._headline:
            self._headline = headline
            self._console.print()
            self._print_title(headline)

    def _print_title(self, line: str) -> None:
        self._console.print(Text(sanitize(hanging(line, self._console.width, 2)), style="bold yellow"))

    def _print_wrapped(self, line: str) -> None:
        self._console.print(hanging(line, self._console.width, 4) if line.strip() else "")

    def _print_note(self, line: str) -> None:
        self._console.print(Text(hanging(line, self._console.width, 2), style="cyan"))

    def _print_list(self, phrases: Sequence[str]) -> None:
        for number, phrase in enumerate(phrases, 1):
            self._console.print(hanging(f"{number:>3} {phrase}", self._console.width, 4))


def _numbers(phrases: Sequence[str]) -> str:
    return "1" if len(phrases) == 1 else f"1-{len(phrases)}"


def _is_dice_or_card(answered: Answered) -> bool:
    """Return True for dice and cards, False for a decision."""
    return isinstance(answered.question, (Roll, Draw))


def _distance(typed: str) -> float | None:
    """Return a typed distance, such as 2, 2.5 or 2,5; None if it is not a number."""
    try:
        return float(typed.replace(",", "."))
    except ValueError:
        return None


def _plain_number(value: Any) -> str:
    """Return a number without needless zeros, anything else as text."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _fact_text(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _explained(editor: UmpireEditor[Any], name: str, words: str) -> str:
    """Return a field or mark of a unit with its meaning: "back (ordered to fall back)"."""
    meaning = editor.meanings.get(name)
    return f"{words} ({meaning})" if meaning else words


def _of_number(names: Sequence[str], number: int) -> str:
    """Return the name for which the number of a die stands. Raises ZarebaError if the die has no such number."""
    if not 1 <= number <= len(names):
        raise ZarebaError(f"the die shows 1 to {len(names)}, not {number}; type its number, or press Enter")
    return names[number - 1]


def _card(companion: Companion[Any], question: Draw, typed: str) -> Answer:
    """Return a real card as typed. Raises ZarebaError if it is not in the deck."""
    cards = [card for card, _ in question.cards]
    if (named := companion.card_named(question, typed)) in cards:
        return named
    if named is not None:
        raise ZarebaError(
            f"no card such as '{typed}' is left in the deck of the book; look at the card again, or press Enter"
        )
    _, numbers = companion.die_of_draw(question)
    if numbers and typed.isdecimal():
        return _of_number([card for card in numbers for _ in range(dict(question.cards)[card])], int(typed))
    words = [card.replace("_", " ") for card in cards]
    hint = f"type it in words, such as {words[0]}, or press Enter"
    if typed.isdecimal():
        raise ZarebaError(f"'{typed}' names no card; {hint}")
    return cards[pick(words, typed, cards, hint)]
