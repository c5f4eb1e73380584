"""An evening that the server has open: its book, the act in progress, and what the page shows of them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import Any
from urllib.parse import quote

import segno

from zareba.base.errors import ZarebaError
from zareba.base.tally import Tally
from zareba.companion import (
    AskFact,
    Decide,
    Entry,
    Evening,
    Finished,
    Pending,
    PickUnit,
    Throw,
    after_action_lines,
    without_die,
)
from zareba.companion import Form as ActForm
from zareba.companion.forms import number_wanted, rolls_together
from zareba.presentation.narration import arrival_phrase
from zareba.session.briefing import rank_name, troops_in_words
from zareba.session.history import Answered
from zareba.session.narration import card_text
from zareba.table import Choose, Confirm, Draw, Roll
from zareba.web.form import FormData
from zareba.web.lobby.links import OWNER, Links

_SHOWN = 12
"""The entries of the log on the page; the rest is one tap away."""
_LONG_RESULT = 240
"""The most characters of a result that is shown in full."""
_MOST_FACES = 20
"""The largest die whose faces are buttons."""


class OpenEvening:
    """An evening with its links. All seats see the same act in progress. `version` changes with everything shown."""

    def __init__(self, evening: Evening[Any], path: Path) -> None:
        self.evening = evening
        self.path = path
        self.links = Links(path)
        self.lock = RLock()
        self.version = secrets.randbelow(2**31)  # a phone that was open before the server stopped is out of date
        self._any = False
        self._form, self._rolls = evening.unfinished()
        self._told: tuple[str, ...] = ()
        if evening.dropped:
            self._told = (evening.dropped,)
        elif self._form is None:
            done = (entry for entry in reversed(evening.entries) if entry.sentences or not entry.data.get("automatic"))
            self._told = next(map(_result_lines, done), ())

    @property
    def name(self) -> str:
        """The name of the evening, from its file."""
        return self.path.stem

    # --- what people do -----------------------------------------------------------------------------------------------

    def act(self, form: FormData, seats: frozenset[str]) -> None:
        """Do what a form of the page asks, on behalf of the holder of a link to some seats.

        Raises ZarebaError with nothing changed.
        """
        acts = {
            "begin": self._begin, "unit": self._unit, "fact": self._fact, "decide": self._decide, "roll": self._roll,
            "faces": self._faces, "next": self._next, "any": self._every_act, "cancel": self._cancel, "back": self._back,
            "undo": self._undo, "correct": self._correct, "goal": self._goal,
        }  # fmt: skip
        what = form.text("do")
        if what not in acts:
            raise ZarebaError(f"the companion has no action '{what[:40]}'")
        if form.text("version") and form.integer("version") != self.version:
            raise ZarebaError("the book has changed on another phone; look again")
        pending = self._form.pending if self._form is not None else None
        if what in ("decide", "fact") and not _may_decide(pending, seats):
            raise ZarebaError("the other side decides that, on its own phone")
        before, told, self._told = self._snapshot(), self._told, ()
        try:
            acts[what](form)
            self.evening.save_unfinished(self._form, rolls=self._rolls)
        except ZarebaError:
            if self._snapshot() == before:  # the page stays as it is, with what people have typed
                self._told = told
            else:
                self.version += 1
            raise
        self.version += 1

    def _snapshot(self) -> tuple[object, ...]:
        """Return a value that differs once an action has changed the book or the act in progress."""
        form = self._form
        act = (form.act.name, form.scene, len(form.given)) if form is not None else ()
        return len(self.evening.entries), act, self._any, self._rolls

    def _begin(self, form: FormData) -> None:
        self._refuse_with_dice("finish it first")
        act = form.text("act")
        begun = self.evening.form(act, out_of_turn=self._any)
        if not self._any and all(opening.act != act for opening in self.evening.openings()):
            raise ZarebaError(f"'{begun.act.title}' is no act of this phase; 'Any act' offers those of other phases")
        actor, pending = form.text("unit"), begun.pending
        if actor and isinstance(pending, PickUnit) and pending.role == "actor":
            begun.give(actor)
        elif actor and actor != begun.scene.actor:
            raise ZarebaError(f"{self._name(actor)} cannot {begun.act.title} now")
        self._form, self._any, self._rolls = begun, False, False
        self._go_on()

    def _current(self) -> ActForm[Any]:
        if self._form is None:
            self._begin_due()
        if self._form is None:
            raise ZarebaError("no act is in progress; choose one")
        return self._form

    def _unit(self, form: FormData) -> None:
        self._current().give(form.text("unit"))
        self._go_on()

    def _fact(self, form: FormData) -> None:
        act = self._current()
        pending = act.pending
        if not isinstance(pending, AskFact):
            raise ZarebaError("this question has been answered already")
        values = list(pending.choices)
        numbers = [int(index) for index in form.all("choice") if index.isdecimal() and int(index) < len(values)]
        if pending.asked.many and form.text("none"):
            act.give(())
        elif pending.asked.many and form.text("all"):
            act.give(tuple(values))
        elif pending.asked.many:
            act.give(tuple(values[number] for number in numbers))
        elif typed := form.text("distance"):
            distance = _number_typed(typed)
            if pending.asked.measured is not None:
                act.give_measured(distance)
            else:
                act.give(distance)
        elif numbers:
            act.give(values[numbers[0]])
        else:
            raise ZarebaError("choose an answer")
        self._go_on()

    def _decide(self, form: FormData) -> None:
        act = self._current()
        pending = act.pending
        if not isinstance(pending, Decide):
            raise ZarebaError("this choice has been made already")
        options = _options(pending)
        number = form.integer("choice")
        if number >= len(options):
            raise ZarebaError("choose one of the options")
        act.give(options[number])
        self._go_on()

    def _roll(self, form: FormData) -> None:
        self._rolls = True
        self._go_on()

    def _faces(self, form: FormData) -> None:
        act = self._current()
        pending = act.pending
        if not isinstance(pending, Throw):
            raise ZarebaError("these dice have been thrown already")
        question, typed = pending.question, form.text("faces")
        if typed.lower() == "auto":
            self._rolls = True
        elif isinstance(question, Draw):
            act.give(typed)
        else:
            act.give_typed_faces(typed)
        self._go_on()

    def _go_on(self, *, is_automatic: bool = False) -> None:
        """Roll, if the companion rolls for this act, and write the act down when it is done."""
        while self._form is not None:
            pending = self._form.pending
            if isinstance(pending, Finished):
                form, self._form = self._form, None
                entry = self.evening.finish(form, is_automatic=is_automatic)
                self._told = _result_lines(entry) or (() if is_automatic else (entry.title,))
                self._rolls = False
            elif isinstance(pending, Throw) and (self._rolls or self._form.is_certain(pending)):
                self._form.give(*self.evening.roll(self._form, pending.question))
            else:
                return

    def _begin_due(self) -> None:
        """Begin the act that the rules demand now, if there is only one; acts without questions are done at once."""
        while self._form is None and not self._any:
            openings = self.evening.openings()
            if len(openings) != 1 or not openings[0].due:
                return
            self._form = self.evening.form(openings[0].act)
            self._rolls = False
            told = self._told
            self._go_on(is_automatic=True)
            self._told = (*told, *self._told) if self._told is not told else told

    def _next(self, form: FormData) -> None:
        self._refuse_with_dice("finish it first")
        if self._form is not None and self._form.is_begun:
            raise ZarebaError(f"'{self._form.act.title}' is not finished; finish or cancel it first")
        begun = self._form
        left = self.evening.left_out_by_next()
        act = self.evening.companion.act_of_next(self.evening.state)
        if act and (begun is None or begun.act.name != act):
            self._form, self._any = self.evening.form(act), False
            self._go_on()
        else:
            self.evening.next(leave_out=True)
            self._form, self._any = None, False
        self._told = (f"{left}; Undo takes this back",) if left else ()

    def _every_act(self, form: FormData) -> None:
        self._refuse_with_dice("finish it first")
        self._form, self._any = None, not self._any

    def _cancel(self, form: FormData) -> None:
        self._refuse_with_dice("finish it, then undo takes it back")
        was_due = self._is_act_due()  # otherwise it would begin again at once
        self._form, self._any = None, was_due

    def _is_act_due(self) -> bool:
        """Return True if the rules demand one act now, which then begins without a tap."""
        openings = self.evening.openings()
        return len(openings) == 1 and openings[0].due

    def _refuse_with_dice(self, remedy: str) -> None:
        """Raise ZarebaError if the act in progress has dice, which would be lost with it."""
        if self._form is not None and self._form.given:
            raise ZarebaError(f"dice have been thrown for this act; {remedy}")

    def _back(self, form: FormData) -> None:
        if self._form is not None and self._form.take_back():
            return
        was_chosen = self._form is not None and not self._is_act_due()
        self._form, self._any = None, False
        if not was_chosen and self.evening.can_undo:
            self._undo(form)

    def _undo(self, form: FormData) -> None:
        """Take back the act in progress, if people have answered something; otherwise the last entry of the book."""
        if self._form is not None and self._form.is_begun:
            self._told = (self.evening.take_back(self._form),)
        else:
            self._told = (f"taken back: {self.evening.undo().title}",)
        self._form, self._any = None, False

    def _correct(self, form: FormData) -> None:
        value = form.text("value")
        told: Any = {"yes": True, "no": False}.get(value, int(value) if value.isdecimal() else value)
        self._refuse_with_dice("finish it, then correct the book")
        corrected = self.evening.correct(form.text("unit"), form.text("what"), told)
        self._form, self._told = self.evening.form_after_correction(self._form), (corrected.title,)

    def _goal(self, form: FormData) -> None:
        self._told = (self.evening.achieve(form.text("goal"), form.text("side")).title,)

    # --- what the page shows ------------------------------------------------------------------------------------------

    def shown(self, seats: frozenset[str]) -> dict[str, Any]:
        """Return everything that the page shows to the holder of a link."""
        self._begin_due()
        evening, companion = self.evening, self.evening.companion
        state = evening.state
        return {
            "headline": companion.headline(state),
            "phases": self._phases(),
            "over": evening.is_over,
            "told": self._told or self._notes(),
            "is_long": _is_long(self._told or self._notes()),
            "version": self.version,
            "ask": None if evening.is_over else self._ask(seats),
            "any": self._any,
            "sides": [self._side(number, side) for number, side in enumerate(evening.game.seats)],
            "cards": companion.cards_of(state, sorted(seats)),
            "log": self._log(seats),
            "can_undo": evening.can_undo or (self._form is not None and self._form.is_begun),
            "score": evening.score(),
            "report": after_action_lines(evening)[len(evening.score()) :] if evening.entries else [],
            "goals": self._goals(),
        }

    def _notes(self) -> tuple[str, ...]:
        """Return what people read before the first act; none while they answer, so that no question is pushed down."""
        form, left_out = self._form, self.evening.left_out
        is_due = form is not None and any(one.due and one.act == form.act.name for one in self.evening.openings())
        has_begun = self.evening.entries or (form is not None and (form.is_begun or not is_due))
        return (left_out,) if left_out and not has_begun else ()

    def _goals(self) -> list[dict[str, Any]]:
        """Return the objectives, each with the sides that could have achieved it."""
        game = self.evening.game
        done = getattr(self.evening.state, "achieved", {})
        return [
            {
                "id": key,
                "name": goal.name,
                "sides": [(side, self._name(side), done.get(key) == side) for side in goal.by or game.seats],
            }
            for key, goal in game.scenario.objectives.items()
        ]

    def _phases(self) -> list[tuple[str, bool]]:
        return [*self.evening.game.display.phases(self.evening.state)]

    def _name(self, word: str) -> str:
        return self.evening.game.narrator.name_of(word)

    def _ask(self, seats: frozenset[str]) -> dict[str, Any]:
        """Return what the page asks now: the acts of the phase, or the next question of the act in progress."""
        companion = self.evening.companion
        if self._form is None:
            openings = self.evening.every_opening() if self._any else self.evening.openings()
            acts = [
                {
                    "act": opening.act,
                    "title": companion.act_named[opening.act].title,
                    "due": opening.due,
                    "units": [
                        (unit, self._name(unit), companion.note_on_unit(self.evening.state, opening.act, unit))
                        for unit in opening.actors
                    ],
                }
                for opening in openings
            ]
            actors = {unit for opening in openings for unit in opening.actors or ("",)}
            only = self._name(next(iter(actors))) if len(openings) > 1 and len(actors) == 1 else ""
            return {"kind": "acts", "acts": acts, "only": only}
        form, pending = self._form, self._form.pending
        actor, target = self._name(form.scene.actor), self._name(form.scene.target)
        whole = f"{actor}: {form.act.title}" if form.scene.actor else form.act.title
        asked = {
            "title": f"{whole}, {target}" if form.scene.target else whole,
            "rule": form.act.rule,
            "kind": type(pending).__name__,
            "thrown": self._thrown(form.given, seats),
        }
        if isinstance(pending, PickUnit):
            lines = [
                (unit, self._name(unit), companion.unit_line(self.evening.state, unit), unit == pending.usual)
                for unit in sorted(pending.units, key=lambda unit: unit != pending.usual)
            ]
            text = form.target_question() if pending.role == "target" else "Which unit?"
            return {**asked, "text": text, "units": lines}
        if isinstance(pending, AskFact):
            if pending.stands_for is not None and not _may_decide(pending, seats):
                who = self._name(pending.stands_for.seat)
                return {**asked, "kind": Decide.__name__, "text": pending.text, "options": [], "who": who}
            return {**asked, **self._fact_asked(pending)}
        if isinstance(pending, Decide):
            question = pending.question
            text = companion.describe(self.evening.state, question)
            options = [self._phrase(pending, option) for option in _options(pending)] if question.seat in seats else []
            return {**asked, "text": text, "options": options, "who": self._name(question.seat)}
        assert isinstance(pending, Throw), "a finished act has been written down"
        return {**asked, **self._throw_asked(form, pending)}

    def _fact_asked(self, pending: AskFact) -> Mapping[str, Any]:
        values = list(pending.choices)
        usual = pending.default
        usuals = usual if pending.asked.many else (usual,)
        counted = all(isinstance(value, int) for value in values) and _is_every_number(values)
        is_number = pending.asked.only_proposes or not pending.choices
        return {
            "text": pending.text,
            "choices": [
                (number, words, values[number] in usuals) for number, words in enumerate(pending.choices.values())
            ],
            "usual": "" if usual is None or not is_number or usual in values else f"{usual:g}",
            "many": pending.asked.many,
            "some": bool(pending.asked.many and pending.default),
            "number": number_wanted(pending) if not pending.choices and not pending.asked.many else "",
            "unit": pending.asked.unit if pending.asked.measured is not None and not counted else "",
        }

    def _throw_asked(self, form: ActForm[Any], pending: Throw) -> Mapping[str, Any]:
        question = pending.question
        companion, state = self.evening.companion, self.evening.state
        found: dict[str, Any] = {
            "text": companion.describe(state, question),
            "dice": 0,
            "again": "",
            "faces": (),
            "cards": (),
            "numbers": (),
            "odds": "",
            "means": (),
            "die": "",
            "note": companion.note_on_throw(question, form.given),
        }
        if isinstance(question, Roll):
            rolls = form.throws_together()
            found["die"] = without_die(question.sides)
            found["dice"], found["sides"] = sum(roll.dice for roll in rolls), question.sides
            found["means"] = form.meanings_of(pending)
            found["text"] = rolls_together(companion, state, rolls)
            names = companion.face_names(question)
            faces = range(1, question.sides + 1) if question.sides <= _MOST_FACES else ()
            found["again"] = " ".join(map(str, form.faces_before()))
            found["faces"] = [(face, names.get(face, str(face))) for face in faces]
        else:
            words = [(card, companion.describe_card(question, card)) for card in companion.cards_in_order(question)]
            sides, numbers = companion.die_of_draw(question)
            found["cards"] = [
                (card, numbers[card], said) if numbers else (card, *said.partition(": ")[::2]) for card, said in words
            ]
            if sides:
                found["means"] = (f"Or throw 1d{sides} and tap its number:",)
                found["die"] = without_die(sides)
        if not form.given:
            preview = form.preview()
            found["odds"] = preview.odds
            found["numbers"] = [_number(tally, name) for name, tally in preview.numbers]
        return found

    def _phrase(self, pending: Decide, option: Any) -> str:
        question = pending.question
        if isinstance(question, Confirm):
            return "yes" if option else "no"
        assert isinstance(question, Choose), "acts answer the questions for places themselves"
        return self.evening.companion.describe_option(self.evening.state, question, option)

    def _thrown(self, given: Sequence[Answered], seats: frozenset[str]) -> list[str]:
        """Return the dice and cards of an act in words, each with its unit or man if they differ. Cards that a seat
        draws are shown to its players alone.
        """
        found: list[tuple[str, str]] = []
        for answered in given:
            question = answered.question
            if isinstance(question, Roll):
                said = self.evening.companion.describe_throw(question, answered.answer, answered.faces)
            elif isinstance(question, Draw):
                seen = question.seat is None or question.seat in seats
                said = card_text(self.evening.game, answered) if seen else "a card"
            else:
                continue
            found.append((question.actor, said))
        if len({actor for actor, _ in found}) < 2:
            return [said for _, said in found]
        return [f"{self._name(actor)}: {said}" if actor else said for actor, said in found]

    def _side(self, number: int, side: str) -> dict[str, Any]:
        return {"number": number, "name": self._name(side), "units": [self.unit(unit) for unit in self._units(side)]}

    def _units(self, side: str) -> list[str]:
        return list(self.evening.companion.units(self.evening.state, side))

    def unit(self, unit: str) -> dict[str, Any]:
        """Return a unit for its card: name, strength boxes, state, and what can be corrected."""
        companion, state = self.evening.companion, self.evening.state
        editor = self.evening.game.umpire_editor()
        left, most = companion.strength_boxes(state, unit)
        known = editor.piece_holders(state)
        piece = companion.record_id(unit)
        record = editor.piece(state, piece) if piece in known else None
        marks = sorted(editor.marks) if hasattr(record, "marks") else []
        fields = editor.editable_fields(state, piece) if record else []
        return {
            "id": unit,
            "name": self._name(unit),
            "left": left,
            "lost": most - left,
            "line": companion.unit_line(state, unit),
            "there": companion.is_on_table(state, unit),
            "marks": [(mark, mark.replace("_", " "), mark in record.marks) for mark in marks] if record else [],
            "fields": [(name, self.evening.word_for(name), _in_words(value)) for name, value in fields],
        }

    def whole_log(self, seats: frozenset[str]) -> list[dict[str, Any]]:
        """Return all entries of the book, the last one first."""
        return self._log(seats, len(self.evening.entries))

    def _log(self, seats: frozenset[str], most: int = _SHOWN) -> list[dict[str, Any]]:
        entries = [entry for entry in self.evening.entries if "next" not in entry.data][-most:]
        return [
            {
                "headline": entry.headline,
                "lines": entry.sentences or (entry.title,),
                "numbers": [_number(tally) for tally in entry.tallies],
                "thrown": self._thrown(entry.throws, seats),
            }
            for entry in reversed(entries)
        ]

    def shared(self, server: str) -> list[dict[str, str]]:
        """Return the links to the book: for everyone together, and one for each side."""
        sides = self.evening.game.seats
        wanted = {OWNER: sides, **{self._name(side): (side,) for side in sides}}
        found = []
        for holder, seats in wanted.items():
            tokens = [link.token for link in self.links.all() if link.holder == holder and link.token]
            token = tokens[-1] if tokens else self.links.grant(seats, holder)
            address = f"{server}/companion/{quote(self.name)}/{token}"
            found.append(
                {"holder": "Everyone" if holder == OWNER else holder, "address": address, "qr": _qr_code(address)}
            )
        return found

    def sheets(self, address: str) -> list[dict[str, Any]]:
        """Return the unit cards to print, each with a QR code that opens the unit on the page."""
        return [
            {
                **self.unit(unit),
                "side": self._name(side),
                "number": number,
                "troops": self._troops(unit),
                "qr": _qr_code(f"{address}#unit-{unit}"),
            }
            for number, side in enumerate(self.evening.game.seats)
            for unit in self._units(side)
        ]

    def _troops(self, unit: str) -> list[str]:
        """Return what a unit of the scenario is: its figures and weapons, its leaders, and when it arrives."""
        scenario = self.evening.game.scenario
        known = scenario.units.get(unit)
        if known is None:
            return []
        leaders = [
            f"{leader.name}, {rank_name(leader.rank)}" for leader in scenario.leaders.values() if leader.unit == unit
        ]
        return [troops_in_words(known), *leaders, *([arrival_phrase(scenario, unit)] if known.arrival else [])]


def _is_long(lines: Sequence[str]) -> bool:
    """Return True if a result fills much of a phone, so that it scrolls by itself."""
    return sum(map(len, lines)) > _LONG_RESULT


def _result_lines(entry: Entry[Any]) -> tuple[str, ...]:
    """Return the result of an act; if it is long, begin with how many are left, which would be out of sight below."""
    lines = entry.sentences
    if not _is_long(lines):
        return lines
    details = len(lines) - entry.strengths
    return (*lines[details:], *lines[:details])


def _number_typed(typed: str) -> float:
    """Return a typed number, such as 2, 2.5 or 2,5. Raises ZarebaError if it is none."""
    try:
        return float(typed.replace(",", "."))
    except ValueError:
        raise ZarebaError(f"'{typed[:20]}' is not a number; type one such as 12 or 7.5") from None


def _is_every_number(values: Sequence[int]) -> bool:
    """Return True if whole numbers follow each other, such as hexes, so that their buttons say everything."""
    return not values or list(values) == list(range(values[0], values[0] + len(values)))


def _in_words(value: object) -> str:
    """Return a value that people may correct in words."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _may_decide(pending: Pending | None, seats: frozenset[str]) -> bool:
    """Return True if the holder of a link to some seats may answer; a decision of the rules belongs to one seat."""
    if isinstance(pending, Decide):
        return pending.question.seat in seats
    return not isinstance(pending, AskFact) or pending.stands_for is None or pending.stands_for.seat in seats


def _options(pending: Decide) -> list[Any]:
    question = pending.question
    if isinstance(question, Confirm):
        return [False, True]
    if isinstance(question, Choose):
        return list(question.options)
    raise ZarebaError(f"the companion cannot ask for a place on the table ({question.rule})")


def _number(tally: Tally, name: str = "") -> str:
    parts = "; ".join(f"{part.in_words} ({part.rule})" for part in tally.parts())
    return f"{name or tally.rule.name.replace('_', ' ')} {tally.total}: {parts}"


def _qr_code(address: str) -> str:
    """Return the QR code of an address as SVG, black on white."""
    return segno.make(address, error="m", micro=False).svg_inline(
        border=2, omitsize=True, dark="#000", light="#fff", svgclass="qr", lineclass=None, title="QR code"
    )
