"""A session: one game of people and AI players, recorded in a journal, with undo and resume."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zareba.agents import make_agent
from zareba.base.blame import place_of
from zareba.base.errors import RuleBroken, ZarebaError, unknown_name
from zareba.base.grammar import in_a_sentence, join_with_and
from zareba.base.tally import Tally
from zareba.chance import KeyedDice
from zareba.game import Game
from zareba.game.advance import AtQuestion, Done, advance
from zareba.journal import Journal, NotWritten, keep_checkpoint
from zareba.odds import ChoiceOdds, OddsInProgress, ProcedureExplanation
from zareba.presentation.narration import outcome_sentence
from zareba.registry import zareba_version
from zareba.renamed import METHODS, warn_renamed
from zareba.scenario.victory import Outcome
from zareba.session.after_action import AfterAction, after_action
from zareba.session.briefing import Briefing, briefing
from zareba.session.delegation import Deputy, Scope, is_which_man, phase_of, piece_of, unit_of
from zareba.session.dice_results import DiceResultOption, result_named, results
from zareba.session.history import DICE, PERSON, Answered, Finished, History
from zareba.session.narration import answer_text, is_secret, line_of
from zareba.session.score import Score, score
from zareba.session.settlement import Settlement
from zareba.session.standing_orders import StandingOrder, StandingOrders
from zareba.session.umpire import Correction
from zareba.table import (
    Agent,
    Answer,
    ChanceKeys,
    Choose,
    Confirm,
    Draw,
    Event,
    GivenAnswer,
    LooksAhead,
    Place,
    Question,
    QuestionChanged,
    Roll,
    fingerprint,
    read_faces,
    refusal,
    seat_of,
)

HUMAN = "human"
SOLO = "solo"
HOLD = "hold"
"""An AI player that does nothing more; it can only act for a person."""
_STILL_READ = "the earlier part of this game is still being read; try again in a moment"
_SETTLED = "the players have ended this game"
ORDERS = "orders"
"""Value of `Answered.by` for an answer that a standing order gives."""


class TakeBack(NamedTuple):
    """A request to undo the last choice: the seat that asks, the seats that must still agree, and the question pending
    meanwhile.
    """

    by: str
    waits: tuple[str, ...]
    now: AtQuestion | None


class Session:
    """Drives a game. `pending` is the question that waits for an answer, None when the game is over.

    `seats` gives the player of each side: human, solo, or the name of an AI player. With `physical`, people throw real
    dice and type the faces. `refused` is the reason why the last entry could not be recorded, "" if it was. `deputies`
    are the AI players acting for people at present, by seat; `orders` are the standing orders of units.

    `think` is the most seconds an AI player may take for a choice, None for no limit. Its answers are in the journal
    like any others, so a replay does not depend on the clock. With `by_units`, doctrine decides which figure of a unit
    is meant, and people are not asked. `decide_now` asks the thinking AI player to finish; the context manager
    `waiting` is entered while it thinks. `recorded` counts the journal entries after the header. `boundary` is that
    count at the start of the current step, None if the step does not begin at the end of another.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: Mapping[str, str],
        seed: int,
        *,
        physical: bool = False,
        journal: Journal | None = None,
        start: Any = None,
    ) -> None:
        self.game = game
        self.seats = dict(seats)
        self.seed = seed
        self.physical = physical
        self.deputies: dict[str, Deputy] = {}
        self.orders = StandingOrders(game)
        self.history = History(game, start)
        self.refused = ""
        self.think: float | None = None
        self.recorded = 0
        self.boundary: int | None = None
        self.by_units = False
        self.decide_now = False
        self.waiting: Callable[[str, Question], AbstractContextManager[None]] = lambda player, question: nullcontext()
        self._journal = journal
        self._dice = KeyedDice(seed)
        self._agents: dict[tuple[str, str], Agent] = {}
        self._decided: tuple[AtQuestion, str, tuple[Answer, str]] | None = None
        self._weighed_for: tuple[Question | None, Any] | None = None
        self._weighed: dict[tuple[Answer | None, Answer], OddsInProgress] = {}
        self._told = ""
        self._taught: tuple[tuple[AtQuestion | None, int], bool] | None = None
        self._asked_back: TakeBack | None = None

    # --- state and reports -----------------------------------------------------------------------------------------------

    @property
    def pending(self) -> Question | None:
        """The question that waits for its answer; None when the game is over."""
        now = self.history.now
        return None if now is None or self.history.is_over else now.question

    @property
    def state(self) -> Any:
        """The current state, even in the middle of a step."""
        return self.history.state

    @property
    def outcome(self) -> Outcome:
        """The present outcome: winner, points and ground; final when the game is over."""
        return self.history.outcome

    @property
    def people(self) -> list[str]:
        """The seats that people hold."""
        return [seat for seat, kind in self.seats.items() if kind == HUMAN]

    def asks_person(self) -> bool:
        """Return True if a person must answer the pending question: a choice, or a throw of real dice."""
        question = self.pending
        if isinstance(question, (Roll, Draw)):
            return self.physical and isinstance(question, Roll)
        return question is not None and self.seats[question.seat] == HUMAN

    def log(self, seat: str | None = None) -> list[tuple[str, tuple[Answered, ...], tuple[Event, ...]]]:
        """Return every step so far: its key, answers and events. A seat gets only what it may know, None gets everything.

        The last step may be unfinished.
        """
        found = [
            (step.end.step.key, tuple(step.played.answers), step.events)
            for step in self.history.seen(seat)
            if step.played.answers or step.end.events
        ]
        return found[::-1]

    def news(self, seat: str | None = None) -> tuple[Event, ...]:
        """Return all events since the last answer by a person, or since the start.

        A seat gets only what it may know; None gets everything.
        """
        return next(self.history.acts(seat)).events

    def last_numbers(self, seat: str | None = None) -> tuple[Tally | Answered, ...]:
        """Return every number, throw and card, in order, of the last act by a person that had any.

        A seat gets only what it may know; None gets everything, and "" is a watcher.
        """
        return next((act.numbers for act in self.history.acts(seat) if act.numbers), ())

    def briefing(self, seat: str | None = None, *, watching: bool = False) -> Briefing:
        """Return the briefing of a seat, of a spectator (`watching`), or the complete one."""
        sight = self.game.sight
        seen = (
            self.state
            if seat is None and not watching
            else sight.view(self.state, seat)
            if seat
            else sight.public(self.state)
        )
        return briefing(self.game, seat, watching=watching, state=seen)

    def score(self, seat: str | None = None) -> Score:
        """Return the score and its changes as a seat may know them, or in full for None."""
        if self.history.is_partial:
            raise ZarebaError(_STILL_READ)
        return score(self.history, seat)

    def after_action_report(self, seconds: float | None = None) -> AfterAction:
        """Return the after-action report. It hides nothing, so it is for the end of the battle.

        Computing luck stops with `decide_now` or after `seconds`; None sets no limit.
        """
        if self.history.is_partial:
            raise ZarebaError(_STILL_READ)
        self.decide_now = False
        until = None if seconds is None else time.monotonic() + seconds
        return after_action(self.history, lambda: self.decide_now or (until is not None and time.monotonic() > until))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the method that had a name in the last release."""
            new = METHODS["Session"].get(name)
            if new is None:
                raise AttributeError(f"'Session' object has no attribute '{name}'")
            warn_renamed(f"Session.{name}", new)
            return getattr(self, new)

    # --- answering ---------------------------------------------------------------------------------------------------------

    def answer(
        self, value: Answer, *, by: str = PERSON, reason: str = "", faces: Sequence[int] = (), told: str = ""
    ) -> None:
        """Accept an answer to the pending question. It is in the journal before this returns.

        Raises ZarebaError, with nothing changed, if the answer is invalid.
        """
        question = self.pending
        if question is None:
            raise ZarebaError("the game is over; there is nothing to answer")
        refused = refusal(question, value, faces)
        if refused:
            raise ZarebaError(refused)
        answered = Answered(question, value, tuple(faces), by, reason, told)
        entry: dict[str, Any] = {"answer": value, "faces": list(faces), "by": by, "q": fingerprint(question)}
        if told:
            entry["told"] = told
        if self._journal is not None:
            entry["said"] = self._said(answered)
        self._keep(lambda: self.history.add(answered), entry)

    def _said(self, answered: Answered) -> dict[str, Any]:
        """Return an answer in words, for reading the journal without the rules."""
        assert self.history.now is not None, "a question is pending"
        words = answer_text(self.game, self.history.now.draft, answered)
        said = {key: words[key] for key in ("question", "rule", "seat", "answer")}
        line, asked = line_of(self.game, words, answered), str(words["question"])
        if line.startswith(asked):  # nearly always true; then the journal contains the question only once
            said["then"] = line.removeprefix(asked)
        else:
            said["line"] = line
        if is_secret(self.game, answered.question):
            said["secret"] = True
        return said

    def _keep(self, change: Callable[[], Finished], entry: dict[str, Any]) -> None:
        """Change the history and record the change; if either fails, nothing changes."""
        before = self.history.snapshot()
        try:
            finished = change()
            self._write(entry, finished)
        except BaseException:
            self.history.go_back(before)
            raise
        self.history.undone.clear()

    def answer_as_before(self) -> int:
        """Repeat the last answers to the pending kind of choice and its follow-up questions; return their number.

        Stops where a different question comes. Raises ZarebaError if there is no earlier answer, or if it is no longer
        valid.
        """
        question = self.pending
        if question is None or isinstance(question, (Roll, Draw)):
            raise ZarebaError("there is no choice to make now")
        count = 0
        for before in self.history.last_time(question):
            now = self.pending
            if now is None or now.why != before.question.why or refusal(now, before.answer, ()):
                if not count:
                    raise ZarebaError("cannot repeat: the earlier answer is no longer an option")
                break
            self.answer(before.answer)
            count += 1
        return count

    def after(self, value: Answer) -> tuple[Question, Any] | None:
        """Return the same seat's next question after an answer to the pending one, and the state then. Nothing is
        answered.

        Return None if dice, cards, the other side or the end come first, or if a rule fails.
        """
        question = self.pending
        if question is None:
            return None
        try:
            reached = self._if_answered(value)
            if isinstance(reached, Done):
                reached = advance(self.game, reached.checkpoint, [])
        except RuleBroken:
            return None
        if not isinstance(reached, AtQuestion) or seat_of(reached.question) != seat_of(question):
            return None
        return reached.question, reached.draft

    def _if_answered(self, value: Answer) -> AtQuestion | Done | None:
        played = self.history.steps[-1]
        return advance(self.game, played.start, [*(one.answer for one in played.answers), value])

    def odds_of(self, value: Answer, seconds: float = 0.3, *, first: Answer | None = None) -> ChoiceOdds:
        """Return the outcomes of an answer to the pending choice, unit by unit (`Game.changes`), as far as its seat can
        know.

        With `first`, an answer to the pending choice, the odds are those of the choice that comes `after` it.
        Computing takes at most `seconds`. A further call continues from the earlier one, and the results are
        remembered while the choice is pending. Raises ZarebaError if there are no odds.
        """
        try:
            return self._weighing(value, first).look(seconds)
        except QuestionChanged:
            raise ZarebaError("no odds are available: they depend on hidden information") from None

    def explain(self, value: Answer) -> ProcedureExplanation:
        """Return the numbers, throws and cards that determine the odds of an answer to the pending choice."""
        return self._weighing(value, None).explain()

    def _weighing(self, value: Answer, first: Answer | None) -> OddsInProgress:
        now = self.pending, self.history.steps[-1].start
        if self._weighed_for is None or any(a is not b for a, b in zip(self._weighed_for, now, strict=True)):
            self._weighed_for, self._weighed = now, {}
        if (weighing := self._weighed.get((first, value))) is None:
            weighing = self._weighed[first, value] = self._weigh(value, first)
        return weighing

    def _weigh(self, value: Answer, first: Answer | None) -> OddsInProgress:
        question, given = self.pending, self._given()
        if first is not None and question is not None:
            given.append(GivenAnswer(question, first))
            question = next(iter(self.after(first) or ()), None)
        if question is None or isinstance(question, (Roll, Draw)):
            raise ZarebaError("odds are available only for a choice")
        return OddsInProgress(self.game, self.history.steps[-1].start, given, question, value)

    def throw(self, faces: list[int]) -> None:
        """Accept the faces of real dice for the pending roll. Raises ZarebaError for impossible faces."""
        question = self.pending
        if not isinstance(question, Roll):
            raise ZarebaError("there are no dice to throw now")
        try:
            value = read_faces(question, faces)
        except ValueError as error:
            raise ZarebaError(str(error)) from error
        self.answer(value, by=DICE, faces=faces)

    def throw_for_me(self) -> list[int]:
        """Throw the dice of the pending roll from the session's seed. After an undo they show the same faces again."""
        question = self.pending
        if not isinstance(question, Roll):
            raise ZarebaError("there are no dice to throw now")
        value, faces = self._chance(question)
        self.answer(value, by=DICE, faces=faces)
        return faces

    def drive(
        self, shown: Callable[[Answered], None] | None = None, *, enough: Callable[[], bool] = lambda: False
    ) -> bool:
        """Answer with chance, AI players, deputies and standing orders until a person must answer or the game is over.

        With `shown`, each answer is on disk before `shown` is called. Without it, all answers are written together at
        the end; if the disk refuses, NotWritten is raised and none of them is kept. `enough` is called after each
        answer and stops the drive. Return True if the drive was not stopped.
        """
        with nullcontext() if shown is not None else self._at_once():
            return self._drive(shown, enough)

    @contextmanager
    def _at_once(self) -> Iterator[None]:
        """Write all answers given inside the block to disk together at its end."""
        journal = self._journal
        if journal is None:
            yield
            return
        history, undone = self.history.snapshot(), list(self.history.undone)
        deputies, told = {seat: replace(one) for seat, one in self.deputies.items()}, self._told
        recorded = self.recorded, self.boundary
        journal.hold()
        try:
            yield
        finally:
            try:
                journal.release()
            except NotWritten as error:
                self.history.go_back(history)
                self.history.undone, self.deputies, self._told = undone, deputies, told
                self.recorded, self.boundary = recorded
                self.refused = str(error)
                raise

    def _drive(self, shown: Callable[[Answered], None] | None, enough: Callable[[], bool]) -> bool:
        while (question := self.pending) is not None:
            if isinstance(question, (Roll, Draw)):
                if self.asks_person():
                    return True
                value, faces = self._chance(question)
                self.answer(value, by="chance", faces=faces)
            elif self.seats[question.seat] != HUMAN:
                value, reason = self.suggestion(self.seats[question.seat])
                self.answer(value, by=self.seats[question.seat], reason=reason)
            elif not self._answer_for_people(question):
                return True
            if shown is not None:
                shown(self._last_answered())
            if enough():
                return False
        return True

    def _answer_for_people(self, question: Choose | Place | Confirm) -> bool:
        """Let a deputy or a standing order answer for a person; return False if the person must answer."""
        now, deputy = self.history.now, self.deputies.get(question.seat)
        assert now is not None, "a question is pending"
        if deputy is not None and not deputy.covers(self.game, now.draft, now.step, question):
            del self.deputies[question.seat]
            deputy, self._told = None, ""
        if deputy is not None:
            value, reason = self.suggestion(deputy.player)
            if deputy.scope == "unit" and deputy.unit in (getattr(question, "options", None) or ()):
                value, reason = deputy.unit, ""
            self.answer(value, by=deputy.player, reason=reason, told=self._told)
            deputy.answered += 1
            self._told = ""
            return True
        found = self.orders.answer(self.history, question, lambda: self.suggestion()[0])
        if found is not None:
            self.answer(found[0], by=ORDERS, reason=found[1])
        elif self.by_units and now is not None and is_which_man(self.game, now.draft, question):
            value, reason = self.suggestion()
            self.answer(value, by="doctrine", reason=reason)
        else:
            return False
        return True

    def suggestion(self, player: str = "doctrine") -> tuple[Answer, str]:
        """Return an AI player's answer to the pending choice, and the reason. Repeated calls give the same answer."""
        now, question = self.history.now, self.pending
        if now is None or question is None or isinstance(question, (Roll, Draw)):
            raise ZarebaError("there is no choice to make now")
        if player == HOLD:
            return self.game.odds_horizon.hold(question), "does nothing more"
        if self._decided is None or self._decided[0] is not now or self._decided[1] != player:
            agent = self._agent(question.seat, player)
            if isinstance(agent, LooksAhead):
                agent.follow(self.history.steps[-1].start, self._given())
            self.decide_now = False
            if self.think is not None and hasattr(agent, "enough"):
                until = time.monotonic() + self.think
                agent.enough = lambda: self.decide_now or time.monotonic() > until
            with self.waiting(player, question), self.game.rules.blamed(f"the player '{player}'"):
                value = agent(question, self.game.sight.view(self.state, question.seat))
            if (refused := refusal(question, value, ())) and (package := place_of(agent)):
                raise RuleBroken(f"the player '{player}' ({package}): {refused}")
            self._decided = now, player, (value, getattr(agent, "reason", ""))
        return self._decided[2]

    def _given(self) -> list[GivenAnswer]:
        return [GivenAnswer(one.question, one.answer) for one in self.history.steps[-1].answers]

    def _agent(self, seat: str, player: str) -> Agent:
        if (seat, player) not in self._agents:
            self._agents[seat, player] = make_agent(player, self.game, seat, self.seed)
        return self._agents[seat, player]

    def _last_answered(self) -> Answered:
        return next(played.answers[-1] for played in reversed(self.history.steps) if played.answers)

    def _chance(self, question: Roll | Draw) -> tuple[Answer, list[int]]:
        now = self.history.now
        assert now is not None, "a question is pending"
        keys = ChanceKeys(now.step)
        for answered in self.history.steps[-1].answers:
            if isinstance(answered.question, (Roll, Draw)):
                keys.next(answered.question.actor, answered.question.why)
        return keys.answer(self._dice, question)

    # --- delegation and umpire -----------------------------------------------------------------------------------------------

    def delegate(self, scope: Scope, player: str = "doctrine", *, unit: str = "", turns: int = 1) -> Deputy:
        """Let an AI player act for the person who has the pending choice. `drive` then continues, and one `undo` takes
        everything back.

        `unit` is for the scope "unit"; by default it is the unit that the question is about. Raises ZarebaError, with
        nothing changed, if no choice is pending or the unit has none.
        """
        now, question = self.history.now, self.pending
        if now is None or question is None or isinstance(question, (Roll, Draw)) or not self.asks_person():
            raise ZarebaError("you have no choice to make now")
        if turns < 1:
            raise ZarebaError(f"the number of turns must be at least 1, not {turns}")
        if player != HOLD:
            self._agent(question.seat, player)
        if scope == "unit":
            about = unit_of(self.game, now.draft, question)
            unit = unit or about
            if not unit:
                raise ZarebaError("this choice is not about a unit; name one of the units it offers")
            if unit != about and unit not in (getattr(question, "options", None) or ()):
                known = self.game.umpire_editor().named(now.draft)
                if unit not in known:
                    raise unknown_name("unit", unit, known)
                raise ZarebaError(f"{self.game.narrator.name_of(unit)} has nothing to decide just now")
        turn = self.game.game_turn(now.draft)
        deputy = Deputy(question.seat, player, scope, unit, phase_of(now.step), turn, turns)
        self.deputies[question.seat] = deputy
        self._told = deputy.told(self.game)
        return deputy

    def give_back(self, seat: str) -> None:
        """End a delegation: the person at the seat plays again."""
        if self.deputies.pop(seat, None) is None:
            raise ZarebaError(f"no AI player acts for {in_a_sentence(self.game.narrator.name_of(seat))}")
        self._told = ""

    def order(self, unit: str, order: StandingOrder | None) -> None:
        """Give a unit a standing order, or cancel it with None; the journal records it."""
        before = dict(self.orders.given)
        self.orders.give(self.state, unit, order)
        try:
            self._write({"orders": {unit: order.to_data() if order else None}}, None)
        except ZarebaError:
            self.orders.given = before
            raise

    def seat(self, side: str, player: str) -> None:
        """Change the player of a side to a person or an AI player; the journal records it."""
        if side not in self.seats:
            raise unknown_name("side", side, self.seats)
        if SOLO in (player, self.seats[side]) and player != self.seats[side]:
            raise ZarebaError("a solo side stays solo for the whole game, and no other side can become solo")
        if player != HUMAN:
            self._agent(side, player)
        self._write({"seats": {side: player}}, None)
        self.seats[side] = player
        self.deputies.pop(side, None)

    def correct(self, act: Correction) -> None:
        """Apply an umpire's correction. It appears in the log and the journal, and `undo` takes it back.

        It is applied before the current step. Answers in that step are kept as long as the rules ask the same
        questions. For `again` without faces, new dice are thrown. Raises ZarebaError, with nothing changed, if the
        correction is impossible or the game could not continue.
        """
        if self.history.is_partial:
            raise ZarebaError(_STILL_READ)
        if self.history.settlement is not None:
            raise ZarebaError(_SETTLED)
        if act.act == "again":
            thrown = self.history.last_throw(act.of).question
            assert isinstance(thrown, Roll), "a throw of dice"
            if not act.faces:
                key = f"again/{len(self.history.answers)}/{thrown.actor}/{thrown.why}"
                act = replace(act, faces=tuple(self._dice.faces(key, thrown.dice, thrown.sides)))
        self._keep(lambda: self.history.correct(act, check=True), {"umpire": act.to_data()})

    def results(self, piece: str = "") -> tuple[DiceResultOption, ...]:
        """Return the possible results of the last throw, or of the last for a piece.

        Raises ZarebaError if there is none, or if its dice have too many combinations.
        """
        if self.history.is_partial:
            raise ZarebaError(_STILL_READ)
        return results(self.history, piece)

    def result(self, wanted: str, piece: str = "", reason: str = "") -> str:
        """Replace the last throw, or the last for a piece, by dice with the named result; return the result in words.

        If no dice give the result and it is a mark that an umpire can set, set the mark on the piece. Raises
        ZarebaError, with nothing changed, and lists the possible results.
        """
        found = result_named(self.history, wanted, piece)
        if found is None:
            marked = piece or piece_of(self.game, self.state, self.history.last_throw().question.actor)
            self.correct(Correction("mark", marked, wanted.replace(" ", "_"), reason=reason))
            return wanted
        self.correct(Correction("again", piece, found.told, reason=reason, faces=found.faces))
        return found.told

    # --- undo ----------------------------------------------------------------------------------------------------------------

    def why_no_undo(self, seats: Collection[str] | None = None) -> str | None:
        """Return the sentence that says why the last choice of a person cannot be undone; None if it can.

        A person playing alone can always undo. With a second person, undo stops at the last die, card or hidden unit
        that was revealed. `seats` are the seats that want the undo: a choice of another person needs that person's
        agreement (`ask_undo`). Without `seats` all people have agreed.

        If pieces can be hidden from one of the seats, the need for agreement is named first, so that the dice of a hidden
        piece do not change the reason.
        """
        count = self.history.undo_length()
        if self.history.settlement is not None:
            return _SETTLED
        if count == 0 and self.history.is_partial:
            return _STILL_READ
        if count == 0:
            return "you have no choice to undo"
        if len(self.people) > 1:
            taken = self.history.answers[-count:]
            waits = self._undo_needs(count, seats)
            if waits and self._is_kept_from(seats):
                return self._agreement_needed(waits)
            if any(isinstance(one, Answered) and isinstance(one.question, (Roll, Draw)) for one in taken):
                return "dice or cards have been revealed since that choice, and another person is playing"
            if self._has_taught(count):
                return "something hidden has been revealed since that choice, and another person is playing"
            if waits:
                return self._agreement_needed(waits)
        return None

    def _agreement_needed(self, waits: Sequence[str]) -> str:
        names = join_with_and([self.game.narrator.name_of(seat) for seat in waits])
        return f"that would undo a choice of {names}; ask for an undo, which needs the agreement of {names}"

    def may_ask_undo(self, seats: Collection[str]) -> bool:
        """Return True if these seats can ask the other people to agree to an undo.

        If pieces can be hidden from the seats, dice do not matter here: the others learn that they bar the undo.
        """
        if self.why_no_undo(seats) is None or not self.history.undo_length():
            return False
        if not self._is_kept_from(seats):
            return self.why_no_undo() is None
        return bool(self._undo_needs(self.history.undo_length(), seats))

    def _undo_needs(self, count: int, seats: Collection[str] | None) -> list[str]:
        """Return the seats of people, other than `seats`, that must agree to undo the last `count` answers.

        If pieces can be hidden from `seats`, so must the person who is asked now: it stays unknown if that person has
        already made a choice out of sight.
        """
        waits = self._must_agree(self.history.answers[-count:] if count else [], seats)
        asked = None if self.pending is None else seat_of(self.pending)
        if self._is_kept_from(seats) and asked in self.people and asked not in [*(seats or ()), *waits]:
            waits.append(str(asked))
        return waits

    def _is_kept_from(self, seats: Collection[str] | None) -> bool:
        """Return True if pieces can be hidden from one of these seats."""
        return any(self.game.sight.may_hide(seat) for seat in seats or ())

    def _has_taught(self, count: int) -> bool:
        """Return True if the last `count` answers revealed something hidden to a person."""
        now = self.history.now, count
        if self._taught is None or self._taught[0][0] is not now[0] or self._taught[0][1] != count:
            before, game = self.history.before(count), self.game
            learned = any(
                game.sight.secrets(before, seat) - game.sight.secrets(self.state, seat) for seat in self.people
            )
            self._taught = now, learned or self.history.has_shown(count, self.people)
        return self._taught[1]

    def _must_agree(self, taken: Sequence[Answered | Correction], seats: Collection[str] | None) -> list[str]:
        """Return the seats of people, other than `seats`, that made or agreed to these choices."""
        if seats is None:
            return []
        if any(isinstance(one, Correction) for one in taken):
            return [seat for seat in self.people if seat not in seats]
        choosers = {seat_of(one.question) for one in taken if isinstance(one, Answered)}
        return [seat for seat in self.people if seat in choosers and seat not in seats]

    def undo(self, seats: Collection[str] | None = None) -> None:
        """Undo the last choice of a person and everything after it. A whole delegation counts as one choice.

        `seats` are the seats that want the undo, as in `why_no_undo`.
        """
        barred = self.why_no_undo(seats)
        if barred:
            raise ZarebaError(barred)
        count = self.history.undo_length()
        self._write({"undo": count}, None)
        self.history.take_back(count)
        self.deputies.clear()

    def redo(self, seats: Collection[str] | None = None) -> None:
        """Redo the last undo, up to the next choice of a person.

        `seats` are the seats that want it: only the person who made the choice can redo it. Without `seats` all people
        have agreed.
        """
        if barred := self.why_no_redo(seats):
            raise ZarebaError(barred)
        count = self.history.redo_length()
        self._write({"redo": count}, None)
        self.history.play_again(count)

    def why_no_redo(self, seats: Collection[str] | None = None) -> str | None:
        """Return the sentence that says why the last undo cannot be redone; None if it can."""
        undone = self.history.undone
        if not undone or self.history.settlement is not None:
            return "there is nothing to redo"
        if len(self.people) > 1 and (waits := self._must_agree(undone[: self.history.redo_length()], seats)):
            names = join_with_and([self.game.narrator.name_of(seat) for seat in waits])
            return f"that was a choice of {names}; only they can redo it"
        return None

    # --- undo by agreement ---------------------------------------------------------------------------------------------------

    @property
    def asked_back(self) -> TakeBack | None:
        """The request to undo the last choice, which ends with the next answer; None if there is none."""
        asked = self._asked_back
        return asked if asked is not None and asked.now is self.history.now else None

    def ask_undo(self, seats: Collection[str]) -> None:
        """Ask the other people to agree to an undo. Raises ZarebaError if it is impossible or needs no agreement."""
        own = [seat for seat in self.people if seat in seats]
        if not own:
            raise ZarebaError("only people who play a side can ask for an undo")
        if (barred := self.why_no_undo()) and not (self._is_kept_from(seats) and self.history.undo_length()):
            raise ZarebaError(barred)
        waits = self._undo_needs(self.history.undo_length(), seats)
        if len(self.people) < 2 or not waits:
            raise ZarebaError(self.why_no_undo(seats) or "that is your own choice; you can undo it without asking")
        self._asked_back = TakeBack(own[0], tuple(waits), self.history.now)

    def agree_undo(self, seats: Collection[str]) -> None:
        """Agree to the request; the last agreement carries out the undo."""
        asked = self.asked_back
        if asked is None:
            raise ZarebaError("there is no request for an undo")
        waits = tuple(seat for seat in asked.waits if seat not in seats)
        if len(waits) == len(asked.waits):
            raise ZarebaError("your agreement is not needed")
        if not waits:
            self.undo()
        self._asked_back = asked._replace(waits=waits) if waits else None

    def decline_undo(self, seats: Collection[str]) -> None:
        """Refuse the request, or withdraw it."""
        asked = self.asked_back
        if asked is None:
            raise ZarebaError("there is no request for an undo")
        if not {asked.by, *asked.waits} & set(seats):
            raise ZarebaError("your agreement is not needed")
        self._asked_back = None

    # --- an end by the players -----------------------------------------------------------------------------------------------

    def settle(self, settlement: Settlement) -> None:
        """End the game with a result that the players have agreed on; the journal records it, and it cannot be undone."""
        if self.pending is None:
            raise ZarebaError("the game is over")
        self.history.settlement = settlement
        entry = {"settled": settlement.to_data(), "over": True}
        try:
            self._write({**entry, "end": outcome_sentence(self.game.scenario, self.outcome)}, None)
        except ZarebaError:
            self.history.settlement = None
            raise
        self.deputies.clear()

    # --- recording -----------------------------------------------------------------------------------------------------------

    def _write(self, entry: dict[str, Any], finished: Finished | None) -> None:
        if self._journal is not None:
            if finished:
                entry["steps"] = [list(pair) for pair in finished]
                entry["story"] = [self._story(done) for done in self.history.finished(len(finished))]
            if finished is not None and self.pending is None:
                entry["over"] = True
                entry["end"] = outcome_sentence(self.game.scenario, self.outcome)
            try:
                self._journal.write(entry)
            except NotWritten as error:
                self.refused = str(error)
                raise
            self.refused = ""
            self.recorded += 1
            if "answer" in entry and finished:
                self.boundary = self.recorded
            elif entry.keys() & {"undo", "redo", "umpire", "rules_changed"}:
                self.boundary = None

    def _story(self, done: Done) -> list[str]:
        """Return the events of a step in sentences."""
        return [sentence for event in done.events if (sentence := self.game.narrator.describe_event(event))]

    def play_under(self, game: Game[Any], entry: dict[str, Any] | None = None, start: Any = None) -> None:
        """Continue under the rules of another game, from the start of the current step or from a given state.

        With `entry`, the journal records the change and the state. Raises ZarebaError, with nothing changed, if the
        game cannot continue under these rules.
        """
        old = self.game
        self.history.begin_anew(game, self.history.steps[-1].start.copy() if start is None else start)
        self.game, self._agents, self._decided = game, {}, None
        self._weighed_for, self._weighed, self.deputies = None, {}, {}
        self.orders = StandingOrders(game)
        if entry is not None:
            try:
                self._write({"rules_changed": {**entry, "start": self.history.steps[0].start.to_data()}}, None)
            except ZarebaError:
                self.game = old
                raise

    def record_in(self, journal: Journal) -> None:
        """Record the session in a journal from now on."""
        self._journal = journal

    def keep_checkpoint(self, journal: Path) -> bool:
        """Save the start of the current step in a file next to the journal. Return False if it is not the end of another
        step, or if the disk refuses.
        """
        step = self.history.steps[-1]
        return self.boundary is not None and keep_checkpoint(journal, zareba_version(), self.boundary, step.compressed)

    def close(self) -> None:
        """Close the journal; the session can be resumed from it."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
