"""The history of a session, step by step: answers and umpire corrections are added, undone and redone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
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
"""The steps that an answer has finished: the key of each, and the digest of the state after it."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An accepted answer: the question, the answer, the faces of the dice, the player who answered, and the reason.

    `delegation` describes a delegation that begins with this answer, otherwise it is "".
    """

    question: Question
    answer: Answer
    faces: tuple[int, ...] = ()
    by: str = "chance"
    reason: str = ""
    delegation: str = ""

    def seen_by(self, seat: str | None) -> bool:
        """Return True if a seat may see the answer; a card drawn by another seat is hidden. None means all seats
        together.
        """
        return seat is None or not isinstance(self.question, Draw) or self.question.seat in (None, seat)

    @property
    def is_undo_point(self) -> bool:
        """True if undo goes back to here: an answer by a person, or the first answer of a delegation."""
        return self.by in (PERSON, DICE) or self.delegation != ""


class Span(NamedTuple):
    """The part of a step between two answers, as a seat may know it.

    `hidden` are the pieces that the seat does not see at its end. It gets none of the numbers of a span in which
    hidden pieces take part.
    """

    hidden: frozenset[str]
    events: tuple[Event, ...]
    numbers: tuple[Tally, ...]


class SeenStep(NamedTuple):
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

    def hides(self, index: int) -> bool:
        """Return True if the answer with this index is about a piece that the seat does not see, or names one."""
        answered, hidden = self.played.answers[index], self.spans[index].hidden
        return mentions(hidden, answered.answer) or mentions(hidden | self.blind, answered.question.actor)

    def sees(self, seat: str | None, index: int) -> bool:
        """Return True if the seat may see the throw or card with this index among the answers of the step."""
        return self.played.answers[index].seen_by(seat) and not self.hides(index)

    def results(self, seat: str | None) -> list[Tally | Answered]:
        """Return every number, throw and card of the step that the seat may see, in order."""
        results: list[Tally | Answered] = []
        for index, span in enumerate(self.spans):
            results += span.numbers
            answered = self.played.answers[index] if index < len(self.played.answers) else None
            if answered is not None and isinstance(answered.question, (Roll, Draw)) and self.sees(seat, index):
                results.append(answered)
        return results


@dataclass(frozen=True)
class PlayerAct:
    """The consequences of one answer by a person: events, and the numbers, throws and cards in order."""

    events: tuple[Event, ...]
    numbers: tuple[Tally | Answered, ...]


class _AppliedCorrection(NamedTuple):
    """An umpire's correction in a step: the number of the step's answers before it, and the history before it."""

    at: int
    correction: Correction
    before: Snapshot


@dataclass(slots=True)
class PlayedStep:
    """A finished or current step: its start, turn, answers and result.

    A long game has hundreds of steps, so a finished one is stored compactly. Its questions are replaced by short
    records, because a question holds the whole state of that moment. Its start is compressed, and its end is not
    stored, because it is the start of the next step. `unseen` holds the pieces hidden from each seat at the start and
    at each question, if the game can hide pieces. `change` caches the effect on the score, and `seen_by` the finished
    step as each seat may know it; None stands for readers who may see everything.
    """

    _compressed_start: CompressedState
    _from_data: Callable[[dict[str, Any]], Any]
    turn: int
    _start: Any = None
    """The start uncompressed; None for a finished step."""
    answers: list[Answered] = field(default_factory=list)
    done: Done | None = None
    corrections: list[_AppliedCorrection] = field(default_factory=list)
    change: Any = None
    unseen: list[Unseen] = field(default_factory=list)
    seen_by: dict[str | None, SeenStep] = field(default_factory=dict)

    @property
    def start(self) -> Any:
        """The state at the start. Each access to a finished step builds a new object; the last step always returns the
        same object.
        """
        return self._compressed_start.decompressed(self._from_data) if self._start is None else self._start

    @property
    def digest(self) -> str:
        """The digest of the start."""
        return self._compressed_start.digest

    @property
    def compressed(self) -> bytes:
        """The compressed text of the start."""
        return self._compressed_start.compressed

    def read_with(self, from_data: Callable[[dict[str, Any]], Any]) -> None:
        """Set the function of another game with the same rules that rebuilds the start."""
        self._from_data = from_data

    def drop_start(self) -> None:
        """Keep only the compressed start."""
        self._start = None

    def keep_start(self) -> None:
        """Keep the start uncompressed too."""
        self._start = self.start


class Snapshot(NamedTuple):
    """A saved history that can be restored."""

    steps: list[PlayedStep]
    now: AtQuestion | None


class History:
    """The steps of a game from its start. `now` is the step that waits for an answer, None when the rules have ended
    the game. `settlement` is the end that the players have agreed on, None if they have not.

    With `start` the history begins at a checkpoint, and `is_partial` is True until the earlier steps are added.
    """

    def __init__(self, game: Game[Any], start: Any = None) -> None:
        self.game = game
        self.is_partial = start is not None
        with game.rules.blamed(f"setting up {game.scenario.id}"):
            self.steps = [_new_step(game, game.start() if start is None else start, "the start of the game")]
        self.now: AtQuestion | None = None
        self.undone: list[Answered | Correction] = []
        self.settlement: Settlement | None = None
        self.run()

    def prepend(self, earlier: History) -> None:
        """Add the steps up to a checkpoint before the later ones. Raises ZarebaError if they do not lead to the
        checkpoint's state.
        """
        last = earlier.steps[-1]
        if last.answers or last.digest != self.steps[0].digest:
            raise ZarebaError("the game up to its checkpoint leads to a different state than the checkpoint holds")
        for played in earlier.steps:
            played.read_with(self.game.from_data)
        if last.unseen:
            self._keep_hidden(last.unseen[0])
        self.steps[:0] = earlier.steps[:-1]
        self.is_partial = False

    def _keep_hidden(self, before: Unseen) -> None:
        """Keep the pieces hidden that were lost out of sight before the first step."""
        existing = self.game.sight.known_pieces(self.steps[0].start)
        lost = {reader: hidden.difference(existing) for reader, hidden in before.items()}
        for played in self.steps:
            played.unseen = [
                {reader: hidden | lost[reader] for reader, hidden in unseen.items()} for unseen in played.unseen
            ]
            played.seen_by = {}

    def restart(self, game: Game[Any], start: Any) -> None:
        """Continue from a state at the start of a step under other rules. Earlier steps can no longer be undone."""
        before = self.game, self.steps, self.now, self.undone
        self.game, self.steps, self.now, self.undone = game, [_new_step(game, start, "the start")], None, []
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
        outcome = self.game.play.outcome(self.state)
        return outcome if self.settlement is None else self.settlement.applied_to(outcome)

    @property
    def answers(self) -> list[Answered | Correction]:
        """All answers and corrections, in order."""
        entries: list[Answered | Correction] = []
        for played in self.steps:
            corrections = list(played.corrections)
            for index, answered in enumerate(played.answers):
                while corrections and corrections[0].at == index:
                    entries.append(corrections.pop(0).correction)
                entries.append(answered)
            entries += [applied.correction for applied in corrections]
        return entries

    def steps_backwards(self) -> Iterator[tuple[PlayedStep, Done | AtQuestion]]:
        """Yield every step with its result, the last first."""
        for played in reversed(self.steps):
            reached = played.done or self.now
            if reached is not None:
                yield played, reached

    def steps_seen_by(self, seat: str | None) -> Iterator[SeenStep]:
        """Yield every step as a seat may know it, the last first; "" is a watcher, and None shows everything."""
        for index in range(len(self.steps) - 1, -1, -1):
            if (known := self._known(index, seat)) is not None:
                yield known

    def _known(self, index: int, seat: str | None) -> SeenStep | None:
        """Return the step at a place as a seat may know it; None if it has not begun, because the game is over."""
        played = self.steps[index]
        end = played.done or self.now
        if end is None:
            return None
        reader = seat if seat is not None and self.game.sight.may_hide(seat) else None
        if (seen := played.seen_by.get(reader)) is None:
            if reader is None:
                hidden = [frozenset[str]()] * (len(end.marks) + 1)
            else:
                at_end = self.steps[index + 1].unseen[:1] if played.done else []
                hidden = [unseen[reader] for unseen in [*played.unseen[1:], *at_end]]
            seen = _seen(self.game, played, end, hidden)
            if played.done:
                played.seen_by[reader] = seen
        return seen

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
        for step in self.steps_seen_by(seat):
            for index in range(len(step.played.answers) - 1, -1, -1):
                span, answered = step.spans[index + 1], step.played.answers[index]
                events[:0], numbers[:0] = span.events, span.numbers
                if answered.by == PERSON or answered.delegation:
                    yield PlayerAct(tuple(events), tuple(numbers))
                    events, numbers = [], []
                elif isinstance(answered.question, (Roll, Draw)) and step.sees(seat, index):
                    numbers.insert(0, answered)
            events[:0], numbers[:0] = step.spans[0].events, step.spans[0].numbers
        yield PlayerAct(tuple(events), tuple(numbers))

    def since_people(self, seat: str | None = None, *, reader: str | None = None) -> list[tuple[Event, ...]]:
        """Return the events since the last answer by a person, or by the given seat, step by step, as a reader may know
        them.
        """
        return self._since(
            lambda number, answered: answered.is_undo_point and (seat is None or seat_of(answered.question) == seat),
            reader,
        )

    def events_since(self, count: int, *, reader: str | None = None) -> list[tuple[Event, ...]]:
        """Return the events since the first `count` answers, step by step, as a reader may know them."""
        return self._since(lambda number, answered: number == count, reader)

    def _since(self, begins: Callable[[int, Answered], bool], reader: str | None) -> list[tuple[Event, ...]]:
        """Return the events since the last answer for which `begins` returns True, step by step.

        `begins` gets the number of the answer in the game, from 0, and the answer.
        """
        events_by_step: list[tuple[Event, ...]] = []
        number = sum(len(played.answers) for played in self.steps)
        for step in self.steps_seen_by(reader):
            for index in range(len(step.played.answers) - 1, -1, -1):
                number -= 1
                if begins(number, step.played.answers[index]):
                    events_by_step.append(tuple(event for span in step.spans[index + 1 :] for event in span.events))
                    return [events for events in reversed(events_by_step) if events]
            events_by_step.append(step.events)
        return [events for events in reversed(events_by_step) if events]

    def last_similar_answers(self, question: Choose | Place | Confirm) -> list[Answered]:
        """Return the seat's last answer to the same kind of choice, and its answers to the follow-up questions, up to
        the dice.

        A choice of the same actor is preferred. Raises ZarebaError if no such choice has been answered yet.
        """
        answers = [answer for answer in self.answers if isinstance(answer, Answered)]
        kind = question.why, question.seat
        similar = [
            index
            for index, answered in enumerate(answers)
            if (answered.question.why, seat_of(answered.question)) == kind
        ]
        if not similar:
            raise ZarebaError("no question of this kind has been answered yet, so there is nothing to repeat")
        of_actor = [index for index in similar if answers[index].question.actor == question.actor]
        start = (of_actor or similar)[-1]
        actor = answers[start].question.actor
        repeated = [answers[start]]
        for answered in answers[start + 1 :]:
            later = answered.question
            is_about_actor = later.actor == actor or later.actor.startswith(f"{actor}.")
            if seat_of(later) is None or not is_about_actor or later.why == question.why:
                break
            repeated.append(answered)
        return repeated

    # --- play --------------------------------------------------------------------------------------------------------

    def run(self) -> Finished:
        """Advance to the next question or the end; return the steps that are finished by that."""
        finished: Finished = []
        before = self.now
        self.steps[-1].keep_start()
        hides = may_hide(self.game)
        while True:
            played = self.steps[-1]
            answers = [answered.answer for answered in played.answers]
            asked = [answered.question for answered in played.answers]
            # the last answer was given to the question at which play stood: it may go on from there
            is_continued = before is not None and asked and before.question is asked[-1]
            draft = before.draft if before is not None and is_continued else None
            reached = advance(self.game, played.start, answers, asked, draft)
            if hides:
                self._note_unseen(played, answers, reached)
            if not isinstance(reached, Done):
                self.now = reached
                return finished
            next_step = _new_step(self.game, reached.checkpoint, f"the step {reached.step.key}")
            played.done = replace(reached, checkpoint=None)
            played.answers = [replace(answer, question=remembered(answer.question)) for answer in played.answers]
            played.drop_start()
            self.steps.append(next_step)
            finished.append((reached.step.key, next_step.digest))

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
        """Apply an umpire's correction between two steps: before the current one, or before the step of the throw that
        is replaced.

        Answers given since then are kept as long as the rules ask the same questions.
        """
        before = self.snapshot()
        before.steps[-1].drop_start()
        steps = self.steps
        replaces_throw = correction.act == "again"
        place, at = self.locate_throw(correction.of) if replaces_throw else (len(steps) - 1, 0)
        later_answers = [answered for played in steps[place:] for answered in played.answers]
        done = apply_correction(self.game, steps[place].start, correction, check=check)
        if replaces_throw:
            later_answers[at] = _with_faces(later_answers[at], correction.faces)
        corrected_step = replace(
            steps[place],
            answers=[],
            done=replace(done, checkpoint=None),
            corrections=[],
            change=None,
            unseen=steps[place].unseen[:1],
            seen_by={},
        )
        corrected_step.drop_start()
        next_step = _new_step(self.game, done.checkpoint, f"the umpire's act '{correction.act}'")
        self.steps = [*steps[:place], corrected_step, next_step]
        finished = [(done.step.key, next_step.digest), *self.run()]
        for number, answered in enumerate(later_answers):
            if self.now is None or not _fits(self.now.question, answered):
                break
            is_new_throw = replaces_throw and number == at
            finished += self.add(answered if is_new_throw else replace(answered, delegation=""))
        last = self.steps[-1]
        last.corrections.append(_AppliedCorrection(len(last.answers), correction, before))
        return finished

    def last_throw(self, piece: str = "", reader: str | None = None) -> Answered:
        """Return the last throw of dice that a reader knows of, or the last for a piece; None knows of all.

        Raises ZarebaError if there is none.
        """
        step_index, answer_index = self.locate_throw(piece, reader)
        return self.steps[step_index].answers[answer_index]

    def locate_throw(self, piece: str = "", reader: str | None = None) -> tuple[int, int]:
        """Return the index of the step, and of the answer in it, of the last throw of dice that a reader knows of, or
        the last for a piece or its figures.

        Raises ZarebaError if there is none.
        """
        hides = reader is not None and self.game.sight.may_hide(reader)
        for index in range(len(self.steps) - 1, -1, -1):
            played = self.steps[index]
            for at in range(len(played.answers) - 1, -1, -1):
                question = played.answers[at].question
                if not isinstance(question, Roll):
                    continue
                if hides and (known := self._known(index, reader)) is not None and known.hides(at):
                    continue
                if not piece or piece in (question.actor, piece_of(self.game, played.start, question.actor)):
                    return index, at
        whose = f" for {self.game.narrator.name_of(piece)}" if piece else ""
        raise ZarebaError(f"no dice have been thrown{whose} yet")

    # --- undo and redo -----------------------------------------------------------------------------------------------

    def undo_length(self) -> int:
        """Return the number of answers and corrections back to the last one by a person, inclusive; 0 if there is
        none.
        """
        for length, entry in enumerate(reversed(self.answers), start=1):
            if isinstance(entry, Correction) or entry.is_undo_point:
                return length
        return 0

    def state_before(self, count: int) -> Any:
        """Return the state before the last `count` answers, or before a correction if it is the first among them."""
        left = count
        for played in reversed(self.steps):
            for at in range(len(played.answers), -1, -1):
                left -= sum(applied.at == at for applied in played.corrections)
                if left <= 0:
                    snapshot = played.corrections[-1].before
                    return snapshot.now.draft if snapshot.now else snapshot.steps[-1].start
                left -= at > 0
                if not left:
                    asked = advance(self.game, played.start, [answer.answer for answer in played.answers[: at - 1]])
                    assert isinstance(asked, AtQuestion), "it was asked when the game was played"
                    return asked.draft
        raise ZarebaError(f"there are fewer than {count} answers")

    def has_revealed(self, count: int, seats: Collection[str]) -> bool:
        """Return True if one of these seats has seen a piece since the last `count` answers that it did not see before
        them, even for a moment.
        """
        moments: list[Unseen] = []
        for played in reversed(self.steps):
            taken = min(count, len(played.answers))
            moments[:0] = played.unseen[len(played.answers) - taken + 1 :]
            count -= taken + len(played.corrections)
            if count <= 0:
                break
        before, *later_moments = moments or [{}]
        return any(before[seat] - later[seat] for later in later_moments for seat in seats if seat in later)

    def undo(self, count: int) -> None:
        """Undo the last `count` answers and corrections."""
        taken: list[Answered | Correction] = []
        while len(taken) < count:
            last = self.steps[-1]
            if last.corrections and last.corrections[-1].at == len(last.answers):
                applied = last.corrections.pop()
                self.restore(applied.before)
                taken.insert(0, applied.correction)
            elif last.answers:
                taken.insert(0, last.answers.pop())
            else:
                self.steps.pop()
                self.steps[-1].done = self.steps[-1].change = None
                self.steps[-1].seen_by = {}
        self.undone = taken + self.undone
        self.run()

    def redo_length(self) -> int:
        """Return the number of answers and corrections to redo: up to the next answer by a person."""
        count = 1
        while count < len(self.undone):
            entry = self.undone[count]
            if isinstance(entry, Correction) or entry.is_undo_point:
                break
            count += 1
        return count

    def redo(self, count: int) -> None:
        """Redo the first `count` of the undone answers and corrections."""
        for _ in range(count):
            entry = self.undone.pop(0)
            if isinstance(entry, Correction):
                self.correct(entry, check=False)
            else:
                self.add(entry)

    def snapshot(self) -> Snapshot:
        """Return the present history, to be restored with `restore`."""
        last = self.steps[-1]
        copy = replace(
            last, answers=list(last.answers), corrections=list(last.corrections), unseen=list(last.unseen), seen_by={}
        )
        return Snapshot([*self.steps[:-1], copy], self.now)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a saved history."""
        self.steps, self.now = snapshot
        self.steps[-1].keep_start()


def _seen(game: Game[Any], played: PlayedStep, end: Done | AtQuestion, hidden: list[frozenset[str]]) -> SeenStep:
    """Return a step as a reader may know it; `hidden` are the pieces that it does not see at the end of each span."""
    marks = [(0, 0), *end.marks, (len(end.events), len(end.tallies))]  # numbers of events and of tallies so far
    all_events = [end.events[first:last] for (first, _), (last, _) in pairwise(marks)]
    known = [known_events(game, unseen, events) for unseen, events in zip(hidden, all_events, strict=True)]
    about = [(answer.question.actor, getattr(answer.question, "about", ())) for answer in played.answers]
    blind = frozenset(event.data["unit"] for events in known for event in events if event.kind == SHOT_OUT_OF_SIGHT)
    spans = []
    for index, ((_, first), (_, last)) in enumerate(pairwise(marks)):
        both_ends = slice(max(0, index - 1), index + 1)  # the answers at both ends of the span
        hides_events = known[index : index + 2] != all_events[index : index + 2]
        hides_actor = mentions(hidden[index], (end.step.about, about[both_ends]))
        shows_numbers = not (blind or hides_events or hides_actor)
        spans.append(Span(hidden[index], known[index], end.tallies[first:last] if shows_numbers else ()))
    return SeenStep(played, end, tuple(spans), blind)


def _fits(question: Question, answered: Answered) -> bool:
    """Return True if an answer given before a correction is still an answer to the question asked now."""
    is_same = fingerprint(question) == fingerprint(answered.question)
    return is_same and refusal(question, answered.answer, answered.faces) is None


def _with_faces(thrown: Answered, faces: Sequence[int]) -> Answered:
    """Return a throw with the faces that the umpire gives. Raises ZarebaError if the dice cannot show them."""
    assert isinstance(thrown.question, Roll), "only a throw has faces"
    try:
        result = read_faces(thrown.question, list(faces))
    except ValueError as error:
        raise ZarebaError(str(error)) from error
    return Answered(thrown.question, result, tuple(faces), DICE)


def _new_step(game: Game[Any], start: Any, after: str) -> PlayedStep:
    """Return a new step. Raises RuleBroken if its start cannot be serialized; `after` says what left that state."""
    try:
        compressed = CompressedState(start)
    except (TypeError, ValueError) as error:
        raise RuleBroken(
            f"{after} left something in the state that cannot be saved: {error}"
            + (f"; the cause may lie in the {suspects}" if (suspects := game.rules.suspects) else "")
        ) from error
    return PlayedStep(compressed, game.from_data, game.game_turn(start), start)
