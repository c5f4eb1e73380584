"""The history of a session, step by step: answers and umpire corrections are added, undone and redone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from zareba.base.errors import RuleBroken, ZarebaError
from zareba.base.tally import Tally
from zareba.game import Game
from zareba.game.advance import AtQuestion, Done, advance
from zareba.game.log_filter import Unseen, hidden_at, known_events, may_hide
from zareba.journal import CompressedState
from zareba.presentation.narration import SHOT_OUT_OF_SIGHT
from zareba.scenario.victory import Outcome
from zareba.session.delegation import piece_of
from zareba.session.settlement import Settlement
from zareba.session.umpire import Correction, apply_correction
from zareba.table import (
    Answer,
    Choose,
    Confirm,
    Draw,
    Event,
    Place,
    Question,
    Roll,
    fingerprint,
    read_faces,
    refusal,
    remembered,
    seat_of,
)
from zareba.table.questions import mentions

PERSON = "person"
DICE = "dice"
"""PERSON and DICE: values of `Answered.by` for a choice made by a person, and for dice that a person threw."""

Finished: TypeAlias = "list[tuple[str, str]]"
"""The keys of finished steps, each with the digest of the state after it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An accepted answer: the question, the answer, the faces of the dice, the player who answered, and the reason.

    `told` describes a delegation that begins with this answer, otherwise it is "".
    """

    question: Question
    answer: Answer
    faces: tuple[int, ...] = ()
    by: str = "chance"
    reason: str = ""
    told: str = ""

    def seen_by(self, seat: str | None) -> bool:
        """Return True if a seat may see the answer; a card drawn by another seat is hidden. None means all seats
        together.
        """
        return seat is None or not isinstance(self.question, Draw) or self.question.seat in (None, seat)

    @property
    def is_beginning(self) -> bool:
        """True if undo goes back to here: an answer by a person, or the first answer of a delegation."""
        return self.by in (PERSON, DICE) or self.told != ""


class Span(NamedTuple):
    """The part of a step between two answers, as a seat may know it.

    `hidden` are the pieces that the seat does not see at its end. It gets none of the numbers of a span in which
    hidden pieces take part.
    """

    hidden: frozenset[str]
    events: tuple[Event, ...]
    numbers: tuple[Tally, ...]


class Seen(NamedTuple):
    """A step as a seat may know it, in spans: before its first answer, and after each answer.

    `blind` are the pieces that fired at a target out of sight: their dice would tell about the target.
    """

    played: PlayedStep
    end: Done | AtQuestion
    spans: tuple[Span, ...]
    blind: frozenset[str]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that the seat may know."""
        return tuple(event for span in self.spans for event in span.events)

    def hides(self, place: int) -> bool:
        """Return True if the answer at this place is about a piece that the seat does not see, or names one."""
        answered, hidden = self.played.answers[place], self.spans[place].hidden
        return mentions(hidden, answered.answer) or mentions(hidden | self.blind, answered.question.actor)

    def sees(self, seat: str | None, place: int) -> bool:
        """Return True if the seat may see the throw or card at this place among the answers of the step."""
        return self.played.answers[place].seen_by(seat) and not self.hides(place)

    def results(self, seat: str | None) -> list[Tally | Answered]:
        """Return every number, throw and card of the step that the seat may see, in order."""
        found: list[Tally | Answered] = []
        for place, span in enumerate(self.spans):
            found += span.numbers
            answered = self.played.answers[place] if place < len(self.played.answers) else None
            if answered is not None and isinstance(answered.question, (Roll, Draw)) and self.sees(seat, place):
                found.append(answered)
        return found


@dataclass(frozen=True)
class PlayerAct:
    """The consequences of one answer by a person: events, and the numbers, throws and cards in order."""

    events: tuple[Event, ...]
    numbers: tuple[Tally | Answered, ...]


class _Corrected(NamedTuple):
    """An umpire's correction: the number of answers in the step before it, and the history before it."""

    at: int
    correction: Correction
    before: Snapshot


@dataclass(slots=True)
class PlayedStep:
    """A finished or current step: its start, turn, answers and result.

    A long game has hundreds of steps, so a finished one is stored compactly. Its questions are replaced by short
    records, because a question holds the whole state of that moment. Its start is compressed, and its end is not
    stored, because it is the start of the next step. `unseen` holds the pieces hidden from each seat at the start and
    at each question, if the game can hide pieces. `change` caches the effect on the score, and `seen` the finished
    step as each seat may know it.
    """

    _folded: CompressedState
    _read: Callable[[dict[str, Any]], Any]
    turn: int
    _whole: Any = None
    answers: list[Answered] = field(default_factory=list)
    done: Done | None = None
    corrected: list[_Corrected] = field(default_factory=list)
    change: Any = None
    unseen: list[Unseen] = field(default_factory=list)
    seen: dict[str, Seen] = field(default_factory=dict)

    @property
    def start(self) -> Any:
        """The state at the start. Each access to a finished step builds a new object; the last step always returns the
        same object.
        """
        return self._folded.unfolded(self._read) if self._whole is None else self._whole

    @property
    def digest(self) -> str:
        """The digest of the start."""
        return self._folded.digest

    @property
    def compressed(self) -> bytes:
        """The compressed text of the start."""
        return self._folded.compressed

    def read_by(self, read: Callable[[dict[str, Any]], Any]) -> None:
        """Set the function of another game with the same rules that rebuilds the start."""
        self._read = read

    def put_away(self) -> None:
        """Keep only the compressed start."""
        self._whole = None

    def take_up(self) -> None:
        """Keep the start uncompressed."""
        self._whole = self.start


class Snapshot(NamedTuple):
    """A saved history that can be restored."""

    steps: list[PlayedStep]
    now: AtQuestion | None


class History:
    """The steps of a game from its start. `now` is the step that waits for an answer, None when the rules have ended the
    game. `settlement` is the end that the players have agreed on, None if they have not.

    With `start` the history begins at a checkpoint, and `is_partial` is True until the earlier steps are added.
    """

    def __init__(self, game: Game[Any], start: Any = None) -> None:
        self.game = game
        self.is_partial = start is not None
        with game.rules.blamed(f"setting up {game.scenario.id}"):
            self.steps = [_begun(game, game.start() if start is None else start, "the start of the game")]
        self.now: AtQuestion | None = None
        self.undone: list[Answered | Correction] = []
        self.settlement: Settlement | None = None
        self.run()

    def put_before(self, earlier: History) -> None:
        """Add the steps up to a checkpoint before the later ones. Raises ZarebaError if they do not lead to the
        checkpoint's state.
        """
        last = earlier.steps[-1]
        if last.answers or last.digest != self.steps[0].digest:
            raise ZarebaError("the game up to its checkpoint leads to a different state than the checkpoint holds")
        for played in earlier.steps:
            played.read_by(self.game.from_data)
        if last.unseen:
            self._carry_on(last.unseen[0])
        self.steps[:0] = earlier.steps[:-1]
        self.is_partial = False

    def _carry_on(self, before: Unseen) -> None:
        """Keep the pieces hidden that were lost out of sight before the first step."""
        there = self.game.sight.known_pieces(self.steps[0].start)
        lost = {reader: hidden.difference(there) for reader, hidden in before.items()}
        for played in self.steps:
            played.unseen = [{reader: one[reader] | lost[reader] for reader in one} for one in played.unseen]
            played.seen = {}

    def begin_anew(self, game: Game[Any], start: Any) -> None:
        """Continue from a state at the start of a step under other rules. Earlier steps can no longer be undone."""
        before = self.game, self.steps, self.now, self.undone
        self.game, self.steps, self.now, self.undone = game, [_begun(game, start, "the start")], None, []
        try:
            self.run()
        except BaseException:
            self.game, self.steps, self.now, self.undone = before
            raise

    @property
    def state(self) -> Any:
        """The current state, even in the middle of a step."""
        return self.now.draft if self.now else self.steps[-1].start

    @property
    def is_over(self) -> bool:
        """True if the rules or the players have ended the game."""
        return self.now is None or self.settlement is not None

    @property
    def outcome(self) -> Outcome:
        """The present outcome; final if the game is over."""
        found = self.game.play.outcome(self.state)
        return found if self.settlement is None else self.settlement.applied_to(found)

    @property
    def answers(self) -> list[Answered | Correction]:
        """All answers and corrections, in order."""
        found: list[Answered | Correction] = []
        for played in self.steps:
            made = list(played.corrected)
            for place, answered in enumerate(played.answers):
                while made and made[0].at == place:
                    found.append(made.pop(0).correction)
                found.append(answered)
            found += [one.correction for one in made]
        return found

    def reached(self) -> Iterator[tuple[PlayedStep, Done | AtQuestion]]:
        """Yield every step with its result, the last first."""
        for played in reversed(self.steps):
            reached = played.done or self.now
            if reached is not None:
                yield played, reached

    def seen(self, seat: str | None) -> Iterator[Seen]:
        """Yield every step as a seat may know it, the last first; "" is a watcher, and None shows everything."""
        for place in range(len(self.steps) - 1, -1, -1):
            if (known := self._known(place, seat)) is not None:
                yield known

    def _known(self, place: int, seat: str | None) -> Seen | None:
        """Return the step at a place as a seat may know it; None if it has not begun, because the game is over."""
        played = self.steps[place]
        end = played.done or self.now
        if end is None:
            return None
        if seat is None or not self.game.sight.may_hide(seat):
            return _seen(self.game, played, end, [frozenset()] * (len(end.marks) + 1))
        if (known := played.seen.get(seat)) is None:
            after = self.steps[place + 1].unseen[:1] if played.done else []
            known = _seen(self.game, played, end, [one[seat] for one in [*played.unseen[1:], *after]])
            if played.done:
                played.seen[seat] = known
        return known

    def finished(self, count: int) -> list[Done]:
        """Return the results of the last `count` finished steps, in order."""
        done = [played.done for played in self.steps[-1 - count :] if played.done is not None]
        return done[-count:] if count else []

    def acts(self, seat: str | None = None) -> Iterator[PlayerAct]:
        """Yield the consequences of each answer by a person, the last first, then everything before the first answer.

        A seat gets only what it may know; None gets everything.
        """
        events: list[Event] = []
        numbers: list[Tally | Answered] = []
        for step in self.seen(seat):
            for place in range(len(step.played.answers) - 1, -1, -1):
                span, answered = step.spans[place + 1], step.played.answers[place]
                events[:0], numbers[:0] = span.events, span.numbers
                if answered.by == PERSON or answered.told:
                    yield PlayerAct(tuple(events), tuple(numbers))
                    events, numbers = [], []
                elif isinstance(answered.question, (Roll, Draw)) and step.sees(seat, place):
                    numbers.insert(0, answered)
            events[:0], numbers[:0] = step.spans[0].events, step.spans[0].numbers
        yield PlayerAct(tuple(events), tuple(numbers))

    def since_people(self, seat: str | None = None, *, reader: str | None = None) -> list[tuple[Event, ...]]:
        """Return the events since the last answer by a person, or by the given seat, step by step, as a reader may know
        them.
        """
        return self._since(
            lambda number, answered: answered.is_beginning and (seat is None or seat_of(answered.question) == seat),
            reader,
        )

    def since(self, count: int, *, reader: str | None = None) -> list[tuple[Event, ...]]:
        """Return the events since the first `count` answers, step by step, as a reader may know them."""
        return self._since(lambda number, answered: number == count, reader)

    def _since(self, begins: Callable[[int, Answered], bool], reader: str | None) -> list[tuple[Event, ...]]:
        found: list[tuple[Event, ...]] = []
        number = sum(len(played.answers) for played in self.steps)
        for step in self.seen(reader):
            for place in range(len(step.played.answers) - 1, -1, -1):
                number -= 1
                if begins(number, step.played.answers[place]):
                    found.append(tuple(event for span in step.spans[place + 1 :] for event in span.events))
                    return [events for events in reversed(found) if events]
            found.append(step.events)
        return [events for events in reversed(found) if events]

    def last_time(self, question: Choose | Place | Confirm) -> list[Answered]:
        """Return the seat's last answer to the same kind of choice, and its answers to the follow-up questions, up to the
        dice.

        A choice of the same actor is preferred. Raises ZarebaError if no such choice has been answered yet.
        """
        given = [one for one in self.answers if isinstance(one, Answered)]
        kind = question.why, question.seat
        alike = [place for place, one in enumerate(given) if (one.question.why, seat_of(one.question)) == kind]
        if not alike:
            raise ZarebaError("no question of this kind has been answered yet, so there is nothing to repeat")
        own = [place for place in alike if given[place].question.actor == question.actor]
        start = (own or alike)[-1]
        actor = given[start].question.actor
        found = [given[start]]
        for one in given[start + 1 :]:
            asked = one.question
            about = asked.actor == actor or asked.actor.startswith(f"{actor}.")
            if seat_of(asked) is None or not about or asked.why == question.why:
                break
            found.append(one)
        return found

    # --- play --------------------------------------------------------------------------------------------------------

    def run(self) -> Finished:
        """Advance to the next question or the end."""
        finished: Finished = []
        before = self.now
        self.steps[-1].take_up()
        hides = may_hide(self.game)
        while True:
            played = self.steps[-1]
            answers = [answered.answer for answered in played.answers]
            asked = [answered.question for answered in played.answers]
            goes_on = before is not None and asked and before.question is asked[-1]
            reached = advance(self.game, played.start, answers, asked, before.draft if before and goes_on else None)
            if hides:
                self._note_unseen(played, answers, reached)
            if not isinstance(reached, Done):
                self.now = reached
                return finished
            following = _begun(self.game, reached.checkpoint, f"the step {reached.step.key}")
            played.done = replace(reached, checkpoint=None)
            played.answers = [replace(one, question=remembered(one.question)) for one in played.answers]
            played.put_away()
            self.steps.append(following)
            finished.append((reached.step.key, following.digest))

    def _note_unseen(self, played: PlayedStep, answers: list[Answer], reached: AtQuestion | Done | None) -> None:
        """Note the pieces hidden at the start of a step and at each of its questions."""
        noted = played.unseen
        if not noted:
            before = self.steps[-2].unseen[-1:] if len(self.steps) > 1 else []
            noted.append(hidden_at(self.game, played.start, *before or [{}]))
        questions = len(answers) + isinstance(reached, AtQuestion)
        del noted[len(answers) + 1 :]
        while len(noted) <= questions:
            asked = (
                reached if len(noted) > len(answers) else advance(self.game, played.start, answers[: len(noted) - 1])
            )
            assert isinstance(asked, AtQuestion), "it was asked when the game was played"
            noted.append(hidden_at(self.game, asked.draft, noted[-1]))

    def add(self, answered: Answered) -> Finished:
        """Add an answer to the pending question and continue."""
        self.steps[-1].answers.append(answered)
        return self.run()

    def correct(self, correction: Correction, *, check: bool) -> Finished:
        """Apply an umpire's correction between two steps: before the current one, or before the step of the throw that is
        replaced.

        Answers given since then are kept as long as the rules ask the same questions.
        """
        before = self.snapshot()
        before.steps[-1].put_away()
        steps = self.steps
        again = correction.act == "again"
        place, at = self.where_thrown(correction.of) if again else (len(steps) - 1, 0)
        rest = [answered for played in steps[place:] for answered in played.answers]
        done = apply_correction(self.game, steps[place].start, correction, check=check)
        if again:
            thrown = rest[at]
            assert isinstance(thrown.question, Roll), "other dice are for throws"
            faces = list(correction.faces)
            try:
                answer = read_faces(thrown.question, faces)
            except ValueError as error:
                raise ZarebaError(str(error)) from error
            rest[at] = Answered(thrown.question, answer, tuple(faces), DICE)
        act = replace(
            steps[place],
            answers=[],
            done=replace(done, checkpoint=None),
            corrected=[],
            change=None,
            unseen=steps[place].unseen[:1],
            seen={},
        )
        act.put_away()
        following = _begun(self.game, done.checkpoint, f"the umpire's act '{correction.act}'")
        self.steps = [*steps[:place], act, following]
        finished = [(done.step.key, following.digest), *self.run()]
        for number, answered in enumerate(rest):
            if self.now is None or not _fits(self.now.question, answered):
                break
            finished += self.add(answered if again and number == at else replace(answered, told=""))
        last = self.steps[-1]
        last.corrected.append(_Corrected(len(last.answers), correction, before))
        return finished

    def last_throw(self, piece: str = "", reader: str | None = None) -> Answered:
        """Return the last throw of dice that a reader knows of, or the last for a piece; None knows of all.

        Raises ZarebaError if there is none.
        """
        place, at = self.where_thrown(piece, reader)
        return self.steps[place].answers[at]

    def where_thrown(self, piece: str = "", reader: str | None = None) -> tuple[int, int]:
        """Return the index of the step, and of the answer in it, of the last throw of dice that a reader knows of, or
        the last for a piece or its figures.

        Raises ZarebaError if there is none.
        """
        hides = reader is not None and self.game.sight.may_hide(reader)
        for place in range(len(self.steps) - 1, -1, -1):
            played = self.steps[place]
            for at in range(len(played.answers) - 1, -1, -1):
                question = played.answers[at].question
                if not isinstance(question, Roll):
                    continue
                if hides and (known := self._known(place, reader)) is not None and known.hides(at):
                    continue
                if not piece or piece in (question.actor, piece_of(self.game, played.start, question.actor)):
                    return place, at
        whose = f" for {self.game.narrator.name_of(piece)}" if piece else ""
        raise ZarebaError(f"no dice have been thrown{whose} yet")

    # --- undo and redo -----------------------------------------------------------------------------------------------

    def undo_length(self) -> int:
        """Return the number of answers and corrections back to the last one by a person, inclusive; 0 if there is
        none.
        """
        for back, one in enumerate(reversed(self.answers), start=1):
            if isinstance(one, Correction) or one.is_beginning:
                return back
        return 0

    def before(self, count: int) -> Any:
        """Return the state before the last `count` answers, or before a correction if it is the first among them."""
        left = count
        for played in reversed(self.steps):
            for at in range(len(played.answers), -1, -1):
                left -= sum(one.at == at for one in played.corrected)
                if left <= 0:
                    kept = played.corrected[-1].before
                    return kept.now.draft if kept.now else kept.steps[-1].start
                left -= at > 0
                if not left:
                    asked = advance(self.game, played.start, [one.answer for one in played.answers[: at - 1]])
                    assert isinstance(asked, AtQuestion), "it was asked when the game was played"
                    return asked.draft
        raise ZarebaError(f"there are fewer than {count} answers")

    def has_shown(self, count: int, seats: Collection[str]) -> bool:
        """Return True if one of these seats has seen a piece since the last `count` answers that it did not see before
        them, even for a moment.
        """
        moments: list[Unseen] = []
        for played in reversed(self.steps):
            taken = min(count, len(played.answers))
            moments[:0] = played.unseen[len(played.answers) - taken + 1 :]
            count -= taken + len(played.corrected)
            if count <= 0:
                break
        return any(moments[0][seat] - later[seat] for later in moments[1:] for seat in seats if seat in later)

    def take_back(self, count: int) -> None:
        """Undo the last `count` answers and corrections."""
        taken: list[Answered | Correction] = []
        while len(taken) < count:
            last = self.steps[-1]
            if last.corrected and last.corrected[-1].at == len(last.answers):
                made = last.corrected.pop()
                self.go_back(made.before)
                taken.insert(0, made.correction)
            elif last.answers:
                taken.insert(0, last.answers.pop())
            else:
                self.steps.pop()
                self.steps[-1].done = self.steps[-1].change = None
                self.steps[-1].seen = {}
        self.undone = taken + self.undone
        self.run()

    def redo_length(self) -> int:
        """Return the number of answers and corrections to redo: up to the next answer by a person."""
        count = 1
        while count < len(self.undone):
            one = self.undone[count]
            if isinstance(one, Correction) or one.is_beginning:
                break
            count += 1
        return count

    def play_again(self, count: int) -> None:
        """Redo the first `count` of the undone answers and corrections."""
        for _ in range(count):
            one = self.undone.pop(0)
            if isinstance(one, Correction):
                self.correct(one, check=False)
            else:
                self.add(one)

    def snapshot(self) -> Snapshot:
        """Return the present history, to be restored with `go_back`."""
        last = self.steps[-1]
        own = replace(
            last, answers=list(last.answers), corrected=list(last.corrected), unseen=list(last.unseen), seen={}
        )
        return Snapshot([*self.steps[:-1], own], self.now)

    def go_back(self, snapshot: Snapshot) -> None:
        """Restore a saved history."""
        self.steps, self.now = snapshot
        self.steps[-1].take_up()


def _seen(game: Game[Any], played: PlayedStep, end: Done | AtQuestion, hidden: list[frozenset[str]]) -> Seen:
    """Return a step as a reader may know it; `hidden` are the pieces that it does not see at the end of each span."""
    marks = [(0, 0), *end.marks, (len(end.events), len(end.tallies))]
    every = [end.events[since[0] : until[0]] for since, until in pairwise(marks)]
    known = [known_events(game, unseen, events) for unseen, events in zip(hidden, every, strict=True)]
    about = [(one.question.actor, getattr(one.question, "about", ())) for one in played.answers]
    blind = frozenset(one.data["unit"] for events in known for one in events if one.kind == SHOT_OUT_OF_SIGHT)
    spans = []
    for place, (since, until) in enumerate(pairwise(marks)):
        near = slice(max(0, place - 1), place + 1)  # the answers at both ends of the span
        closed = bool(blind) or known[place : place + 2] != every[place : place + 2]
        closed = closed or mentions(hidden[place], (end.step.about, about[near]))
        spans.append(Span(hidden[place], known[place], () if closed else end.tallies[since[1] : until[1]]))
    return Seen(played, end, tuple(spans), blind)


def _fits(question: Question, answered: Answered) -> bool:
    """Return True if an answer given before a correction is still an answer to the question asked now."""
    same = fingerprint(question) == fingerprint(answered.question)
    return same and refusal(question, answered.answer, answered.faces) is None


def _begun(game: Game[Any], start: Any, after: str) -> PlayedStep:
    """Return a new step. Raises RuleBroken if its start cannot be serialized."""
    try:
        folded = CompressedState(start)
    except (TypeError, ValueError) as error:
        raise RuleBroken(
            f"{after} left something in the state that cannot be saved: {error}"
            + (f"; the cause may lie in the {suspects}" if (suspects := game.rules.suspects) else "")
        ) from error
    return PlayedStep(folded, game.from_data, game.game_turn(start), start)
