"""A session: one game of people and AI players, recorded in a journal, with undo and resume."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken, ZarebaError, unknown_name
from zareba.base.grammar import in_a_sentence, join_with_and
from zareba.base.installed import place_of
from zareba.base.tally import Tally
from zareba.chance import KeyedDice
from zareba.game import Game
from zareba.game.advance import AtQuestion, Done, advance
from zareba.journal import Journal, NotWritten, save_checkpoint
from zareba.odds import ChoiceOdds, OddsInProgress, ProcedureExplanation
from zareba.presentation.narration import outcome_sentence
from zareba.registry import zareba_version
from zareba.renamed import METHODS, warn_renamed
from zareba.scenario.victory import Outcome
from zareba.session.after_action import AfterAction, after_action
from zareba.session.briefing import Briefing, briefing
from zareba.session.delegation import Deputy, Scope, only_selects_figure, phase_of, piece_of, unit_of
from zareba.session.dice_results import DiceResultOption, result_named, results
from zareba.session.history import DICE, PERSON, Answered, Finished, History
from zareba.session.narration import answer_text, is_secret, line_of
from zareba.session.score import Score, score
from zareba.session.settlement import Settlement
from zareba.session.standing_orders import StandingOrder, StandingOrders
from zareba.session.thinking import Searches, Thought
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


class UndoRequest(NamedTuple):
    """A request to undo the last choice: the seat that asks, the seats that must still agree, and the question pending
    meanwhile.
    """

    by: str
    waits_for: tuple[str, ...]
    now: AtQuestion | None


class _Suggestion(NamedTuple):
    """An AI player's answer to a question, with its reason."""

    now: AtQuestion
    player: str
    answer: Answer
    reason: str


class _Revealed(NamedTuple):
    """The answer to `_has_revealed` for the last `length` answers before a question."""

    now: AtQuestion | None
    length: int
    has_revealed: bool


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
        self._suggestion: _Suggestion | None = None
        self._thinkers: dict[tuple[str, str], tuple[Game[Any], Agent]] = {}
        """The AI players that think in the background, with the game that each uses."""
        self._failed_thought: AtQuestion | None = None
        self._odds_for: tuple[Question | None, Any] | None = None
        """The question and the state for which `_odds` holds odds: by the first answer, if any, and the answer."""
        self._odds: dict[tuple[Answer | None, Answer], OddsInProgress] = {}
        self._delegation_text = ""
        """The description of a delegation that begins with the next answer; "" for none."""
        self._revealed: _Revealed | None = None
        self._undo_request: UndoRequest | None = None

    # --- state and reports --------------------------------------------------------------------------------------------

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

    def deputy_answers(self) -> str:
        """Return the AI player that answers the pending choice for a person; "" if none does."""
        now, question = self.history.now, self.pending
        if now is None or question is None or isinstance(question, (Roll, Draw)):
            return ""
        deputy = self.deputies.get(question.seat)
        return deputy.player if deputy is not None and deputy.covers(self.game, now.draft, now.step, question) else ""

    def log(self, seat: str | None = None) -> list[tuple[str, tuple[Answered, ...], tuple[Event, ...]]]:
        """Return every step so far: its key, answers and events. A seat gets only what it may know, None gets
        everything.

        The last step may be unfinished.
        """
        last_first = [
            (step.end.step.key, tuple(step.played.answers), step.events)
            for step in self.history.steps_seen_by(seat)
            if step.played.answers or step.end.events
        ]
        return last_first[::-1]

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
        if seat:
            seen = self.game.sight.view(self.state, seat)
        else:
            seen = self.game.sight.public(self.state) if watching else self.state
        return briefing(self.game, seat, watching=watching, state=seen)

    def score(self, seat: str | None = None) -> Score:
        """Return the score and its changes as a seat may know them, or in full for None."""
        if self.history.is_partial:
            raise ZarebaError(_STILL_READ)
        return score(self.history, seat)

    def after_action_report(self, seconds: float | None = None) -> AfterAction:
        """Return the after-action report. It hides nothing, so it is for the end of the battle.

        Computing the odds for the luck with the dice stops with `decide_now` or after `seconds`; None sets no limit.
        The time counts from the first odds, because reading a long battle may take longer than `seconds`.
        """
        if self.history.is_partial:
            raise ZarebaError(_STILL_READ)
        self.decide_now = False
        until: float | None = None

        def enough() -> bool:
            nonlocal until
            if until is None and seconds is not None:
                until = time.monotonic() + seconds
            return self.decide_now or (until is not None and time.monotonic() > until)

        return after_action(self.history, enough)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return the method that had a name in the last release."""
            new = METHODS["Session"].get(name)
            if new is None:
                raise AttributeError(f"'Session' object has no attribute '{name}'")
            warn_renamed(f"Session.{name}", new)
            return getattr(self, new)

    # --- answering ----------------------------------------------------------------------------------------------------

    def answer(
        self, value: Answer, *, by: str = PERSON, reason: str = "", faces: Sequence[int] = (), delegation: str = ""
    ) -> None:
        """Accept an answer to the pending question. It is in the journal before this returns.

        `delegation` describes a delegation that begins with it. Raises ZarebaError, with nothing changed, if the answer
        is invalid.
        """
        question = self.pending
        if question is None:
            raise ZarebaError("the game is over; there is nothing to answer")
        fault = refusal(question, value, faces)
        if fault:
            raise ZarebaError(fault)
        answered = Answered(question, value, tuple(faces), by, reason, delegation)
        entry: dict[str, Any] = {"answer": value, "faces": list(faces), "by": by, "q": fingerprint(question)}
        if delegation:
            entry["told"] = delegation
        if self._journal is not None:
            entry["said"] = self._answer_in_words(answered)
        self._change_and_record(lambda: self.history.add(answered), entry)

    def _answer_in_words(self, answered: Answered) -> dict[str, Any]:
        """Return an answer in words, for reading the journal without the rules."""
        assert self.history.now is not None, "a question is pending"
        words = answer_text(self.game, self.history.now.draft, answered)
        entry = {key: words[key] for key in ("question", "rule", "seat", "answer")}
        line, question = line_of(self.game, words, answered), str(words["question"])
        if line.startswith(question):  # nearly always true; then the journal contains the question only once
            entry["then"] = line.removeprefix(question)
        else:
            entry["line"] = line
        if is_secret(self.game, answered.question):
            entry["secret"] = True
        return entry

    def _change_and_record(self, change: Callable[[], Finished], entry: dict[str, Any]) -> None:
        """Change the history and record the change; if either fails, nothing changes."""
        before = self.history.snapshot()
        try:
            finished = change()
            self._write(entry, finished)
        except BaseException:
            self.history.restore(before)
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
        for before in self.history.last_similar_answers(question):
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
        return advance(self.game, played.start, [*(answered.answer for answered in played.answers), value])

    def odds_of(self, value: Answer, seconds: float = 0.3, *, first: Answer | None = None) -> ChoiceOdds:
        """Return the outcomes of an answer to the pending choice, unit by unit (`Display.changes`), as far as its seat
        can know.

        With `first`, an answer to the pending choice, the odds are those of the choice that comes `after` it.
        Computing takes at most `seconds`. A further call continues from the earlier one, and the results are
        remembered while the choice is pending. Raises ZarebaError if there are no odds.
        """
        try:
            return self._odds_in_progress(value, first).look(seconds)
        except QuestionChanged:
            raise ZarebaError("no odds are available: they depend on hidden information") from None

    def explain(self, value: Answer) -> ProcedureExplanation:
        """Return the numbers, throws and cards that determine the odds of an answer to the pending choice."""
        return self._odds_in_progress(value, None).explain()

    def _odds_in_progress(self, value: Answer, first: Answer | None) -> OddsInProgress:
        """Return the odds of an answer as far as they are computed; they are kept while the choice is pending."""
        question, start = self.pending, self.history.steps[-1].start
        if self._odds_for is None or self._odds_for[0] is not question or self._odds_for[1] is not start:
            self._odds_for, self._odds = (question, start), {}
        if (odds := self._odds.get((first, value))) is None:
            odds = self._odds[first, value] = self._start_odds(value, first)
        return odds

    def _start_odds(self, value: Answer, first: Answer | None) -> OddsInProgress:
        question, given = self.pending, self._answers_of_step()
        if first is not None and question is not None:
            given.append(GivenAnswer(question, first))
            later = self.after(first)
            question = None if later is None else later[0]
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
        with nullcontext() if shown is not None else self._synced_together():
            return self._drive(shown, enough)

    @contextmanager
    def _synced_together(self) -> Iterator[None]:
        """Write all answers given inside the block to disk together at its end."""
        journal = self._journal
        if journal is None:
            yield
            return
        history, undone = self.history.snapshot(), list(self.history.undone)
        deputies = {seat: replace(deputy) for seat, deputy in self.deputies.items()}
        delegation_text, recorded, boundary = self._delegation_text, self.recorded, self.boundary
        journal.hold()
        try:
            yield
        finally:
            try:
                journal.release()
            except NotWritten as error:
                self.history.restore(history)
                self.history.undone, self.deputies, self._delegation_text = undone, deputies, delegation_text
                self.recorded, self.boundary = recorded, boundary
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
            deputy, self._delegation_text = None, ""
        if deputy is not None:
            value, reason = self.suggestion(deputy.player)
            if deputy.scope == "unit" and deputy.unit in (getattr(question, "options", None) or ()):
                value, reason = deputy.unit, ""
            self.answer(value, by=deputy.player, reason=reason, delegation=self._delegation_text)
            deputy.answered += 1
            self._delegation_text = ""
            return True
        ordered = self.orders.answer(self.history, question, lambda: self.suggestion()[0])
        if ordered is not None:
            value, reason = ordered
            self.answer(value, by=ORDERS, reason=reason)
        elif self.by_units and only_selects_figure(self.game, now.draft, question):
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
        known = self._suggestion
        if known is None or known.now is not now or known.player != player:
            answer, reason = self._ask_agent(question, player)
            known = self._suggestion = _Suggestion(now, player, answer, reason)
        return known.answer, known.reason

    def _ask_agent(self, question: Choose | Place | Confirm, player: str) -> tuple[Answer, str]:
        """Ask an AI player for its answer and the reason, within the time that it may take."""
        agent = self._agent(question.seat, player)
        if isinstance(agent, LooksAhead):
            agent.follow(self.history.steps[-1].start, self._answers_of_step())
        self.decide_now = False
        if self.think is not None and hasattr(agent, "enough"):
            until = time.monotonic() + self.think
            agent.enough = lambda: self.decide_now or time.monotonic() > until
            if isinstance(agent, Searches):
                agent.seconds = self.think
        with self.waiting(player, question), self.game.rules.blamed(f"the player '{player}'"):
            answer = agent(question, self.game.sight.view(self.state, question.seat))
        if (fault := refusal(question, answer, ())) and (package := place_of(agent)):
            raise RuleBroken(f"the player '{player}' ({package}): {fault}")
        return answer, getattr(agent, "reason", "")

    # --- thinking in the background -----------------------------------------------------------------------------------

    def needs_thought(self) -> bool:
        """Return True if an AI player has to search before the pending question is answered, and has not done so
        yet.
        """
        now, player = self.history.now, self._player_to_move()
        if now is None or not player or now is self._failed_thought or isinstance(now.question, (Roll, Draw)):
            return False
        known = self._suggestion
        if known is not None and known.now is now and known.player == player:
            return False
        _, agent = self._thinker(now.question, player)
        return isinstance(agent, Searches) and agent.searches_at(now.question, now.draft)

    def thought(self) -> Thought | None:
        """Return the search that the pending question needs, to run it without the lock; None if it needs none.

        Pass the finished search to `keep`.
        """
        now = self.history.now
        if now is None or not self.needs_thought():
            return None
        player, seat = self._player_to_move(), seat_of(now.question)
        game, agent = self._thinker(now.question, player)
        assert isinstance(agent, Searches), "checked by `needs_thought`"
        self.decide_now = False
        start = self.history.steps[-1].start.to_data()
        return Thought(
            now, player, str(seat), agent, game, start, self._answers_of_step(), self.think, lambda: self.decide_now
        )

    def keep(self, thought: Thought) -> None:
        """Use the result of a search for the pending question, unless the game has gone on or been taken back."""
        if thought.now is not self.history.now:
            return
        if thought.answer is None:
            self._failed_thought = thought.now  # `drive` asks the player again, and reports its error
        else:
            self._suggestion = _Suggestion(thought.now, thought.player, thought.answer, thought.reason)

    def _player_to_move(self) -> str:
        """Return the AI player that answers the pending question; "" for a person, chance, or nobody."""
        now, question = self.history.now, self.pending
        if now is None or question is None or isinstance(question, (Roll, Draw)):
            return ""
        if self.seats[question.seat] != HUMAN:
            return self.seats[question.seat]
        deputy = self.deputies.get(question.seat)
        covers = deputy is not None and deputy.covers(self.game, now.draft, now.step, question)
        return deputy.player if deputy is not None and covers and deputy.player != HOLD else ""

    def _thinker(self, question: Question, player: str) -> tuple[Game[Any], Agent]:
        """Return an AI player that does not share anything with the session, and its game."""
        seat = str(seat_of(question))
        if (seat, player) not in self._thinkers:
            agent = self._agent(seat, player)
            game = self.game
            if isinstance(agent, Searches):
                game = self.game.independent_copy()
                agent = make_agent(player, game, seat, self.seed)
            self._thinkers[seat, player] = game, agent
        return self._thinkers[seat, player]

    def _answers_of_step(self) -> list[GivenAnswer]:
        return [GivenAnswer(answered.question, answered.answer) for answered in self.history.steps[-1].answers]

    def _agent(self, seat: str, player: str) -> Agent:
        if (seat, player) not in self._agents:
            self._agents[seat, player] = make_agent(player, self.game, seat, self.seed)
        return self._agents[seat, player]

    def _last_answered(self) -> Answered:
        return next(played.answers[-1] for played in reversed(self.history.steps) if played.answers)

    def _chance(self, question: Roll | Draw) -> tuple[Answer, list[int]]:
        """Return the result of the seeded dice or cards, and the faces."""
        now = self.history.now
        assert now is not None, "a question is pending"
        keys = ChanceKeys(now.step)
        for answered in self.history.steps[-1].answers:
            if isinstance(answered.question, (Roll, Draw)):
                keys.next(answered.question.actor, answered.question.why)
        return keys.answer(self._dice, question)

    # --- delegation and umpire ----------------------------------------------------------------------------------------

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
                known = self.game.umpire_editor().piece_holders(now.draft)
                if unit not in known:
                    raise unknown_name("unit", unit, known)
                raise ZarebaError(f"{self.game.narrator.name_of(unit)} has nothing to decide just now")
        turn = self.game.game_turn(now.draft)
        deputy = Deputy(question.seat, player, scope, unit, phase_of(now.step), turn, turns)
        self.deputies[question.seat] = deputy
        self._delegation_text = deputy.describe(self.game)
        return deputy

    def give_back(self, seat: str) -> None:
        """End a delegation: the person at the seat plays again."""
        if self.deputies.pop(seat, None) is None:
            raise ZarebaError(f"no AI player acts for {in_a_sentence(self.game.narrator.name_of(seat))}")
        self._delegation_text = ""

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
        self._change_and_record(lambda: self.history.correct(act, check=True), {"umpire": act.to_data()})

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
        result = result_named(self.history, wanted, piece)
        if result is None:
            marked = piece or piece_of(self.game, self.state, self.history.last_throw().question.actor)
            self.correct(Correction("mark", marked, wanted.replace(" ", "_"), reason=reason))
            return wanted
        self.correct(Correction("again", piece, result.consequences, reason=reason, faces=result.faces))
        return result.consequences

    # --- undo ---------------------------------------------------------------------------------------------------------

    def why_no_undo(self, seats: Collection[str] | None = None) -> str | None:
        """Return the sentence that says why the last choice of a person cannot be undone; None if it can.

        A person playing alone can always undo. With a second person, undo stops at the last die, card or hidden unit
        that was revealed. `seats` are the seats that want the undo: a choice of another person needs that person's
        agreement (`ask_undo`). Without `seats` all people have agreed.

        If pieces can be hidden from one of the seats, the need for agreement is named first, so that the dice of a
        hidden piece do not change the reason.
        """
        count = self.history.undo_length()
        if self.history.settlement is not None:
            return _SETTLED
        if count == 0 and self.history.is_partial:
            return _STILL_READ
        if count == 0:
            return "you have no choice to undo"
        if len(self.people) > 1:
            undone = self.history.answers[-count:]
            must_agree = self._undo_needs(count, seats)
            if must_agree and self._can_hide_from(seats):
                return self._agreement_needed(must_agree)
            if any(isinstance(entry, Answered) and isinstance(entry.question, (Roll, Draw)) for entry in undone):
                return "dice or cards have been revealed since that choice, and another person is playing"
            if self._has_revealed(count):
                return "something hidden has been revealed since that choice, and another person is playing"
            if must_agree:
                return self._agreement_needed(must_agree)
        return None

    def _agreement_needed(self, seats: Sequence[str]) -> str:
        names = join_with_and([self.game.narrator.name_of(seat) for seat in seats])
        return f"that would undo a choice of {names}; ask for an undo, which needs the agreement of {names}"

    def may_ask_undo(self, seats: Collection[str]) -> bool:
        """Return True if these seats can ask the other people to agree to an undo.

        If pieces can be hidden from the seats, dice do not matter here: the others learn that they bar the undo.
        """
        if self.why_no_undo(seats) is None or not self.history.undo_length():
            return False
        if not self._can_hide_from(seats):
            return self.why_no_undo() is None
        return bool(self._undo_needs(self.history.undo_length(), seats))

    def _undo_needs(self, count: int, seats: Collection[str] | None) -> list[str]:
        """Return the seats of people, other than `seats`, that must agree to undo the last `count` answers.

        If pieces can be hidden from `seats`, so must the person who is asked now: it stays unknown if that person has
        already made a choice out of sight.
        """
        must_agree = self._must_agree(self.history.answers[-count:] if count else [], seats)
        asked = None if self.pending is None else seat_of(self.pending)
        if self._can_hide_from(seats) and asked in self.people and asked not in [*(seats or ()), *must_agree]:
            must_agree.append(str(asked))
        return must_agree

    def _can_hide_from(self, seats: Collection[str] | None) -> bool:
        """Return True if pieces can be hidden from one of these seats."""
        return any(self.game.sight.may_hide(seat) for seat in seats or ())

    def _has_revealed(self, count: int) -> bool:
        """Return True if the last `count` answers revealed something hidden to a person."""
        now, known = self.history.now, self._revealed
        if known is None or known.now is not now or known.length != count:
            before, sight = self.history.state_before(count), self.game.sight
            has_learned = any(sight.secrets(before, seat) - sight.secrets(self.state, seat) for seat in self.people)
            has_seen = has_learned or self.history.has_revealed(count, self.people)
            known = self._revealed = _Revealed(now, count, has_seen)
        return known.has_revealed

    def _must_agree(self, undone: Sequence[Answered | Correction], seats: Collection[str] | None) -> list[str]:
        """Return the seats of people, other than `seats`, that made or agreed to these choices."""
        if seats is None:
            return []
        if any(isinstance(entry, Correction) for entry in undone):
            return [seat for seat in self.people if seat not in seats]
        choosers = {seat_of(entry.question) for entry in undone if isinstance(entry, Answered)}
        return [seat for seat in self.people if seat in choosers and seat not in seats]

    def undo(self, seats: Collection[str] | None = None) -> None:
        """Undo the last choice of a person and everything after it. A whole delegation counts as one choice.

        `seats` are the seats that want the undo, as in `why_no_undo`.
        """
        reason = self.why_no_undo(seats)
        if reason:
            raise ZarebaError(reason)
        count = self.history.undo_length()
        self._write({"undo": count}, None)
        self.history.undo(count)
        self.deputies.clear()

    def redo(self, seats: Collection[str] | None = None) -> None:
        """Redo the last undo, up to the next choice of a person.

        `seats` are the seats that want it: only the person who made the choice can redo it. Without `seats` all people
        have agreed.
        """
        if reason := self.why_no_redo(seats):
            raise ZarebaError(reason)
        count = self.history.redo_length()
        self._write({"redo": count}, None)
        self.history.redo(count)

    def why_no_redo(self, seats: Collection[str] | None = None) -> str | None:
        """Return the sentence that says why the last undo cannot be redone; None if it can."""
        undone = self.history.undone
        if not undone or self.history.settlement is not None:
            return "there is nothing to redo"
        if len(self.people) > 1 and (others := self._must_agree(undone[: self.history.redo_length()], seats)):
            names = join_with_and([self.game.narrator.name_of(seat) for seat in others])
            return f"that was a choice of {names}; only they can redo it"
        return None

    # --- undo by agreement --------------------------------------------------------------------------------------------

    @property
    def undo_request(self) -> UndoRequest | None:
        """The request to undo the last choice, which ends with the next answer; None if there is none."""
        request = self._undo_request
        return request if request is not None and request.now is self.history.now else None

    def ask_undo(self, seats: Collection[str]) -> None:
        """Ask the other people to agree to an undo. Raises ZarebaError if it is impossible or needs no agreement."""
        own = [seat for seat in self.people if seat in seats]
        if not own:
            raise ZarebaError("only people who play a side can ask for an undo")
        reason = self.why_no_undo()
        reveals_hidden = self._can_hide_from(seats) and self.history.undo_length()  # a refusal now would tell of dice
        if reason and not reveals_hidden:
            raise ZarebaError(reason)
        must_agree = self._undo_needs(self.history.undo_length(), seats)
        if len(self.people) < 2 or not must_agree:
            raise ZarebaError(self.why_no_undo(seats) or "that is your own choice; you can undo it without asking")
        self._undo_request = UndoRequest(own[0], tuple(must_agree), self.history.now)

    def agree_undo(self, seats: Collection[str]) -> None:
        """Agree to the request; the last agreement carries out the undo."""
        request = self.undo_request
        if request is None:
            raise ZarebaError("there is no request for an undo")
        waits_for = tuple(seat for seat in request.waits_for if seat not in seats)
        if len(waits_for) == len(request.waits_for):
            raise ZarebaError("your agreement is not needed")
        if not waits_for:
            self.undo()
        self._undo_request = request._replace(waits_for=waits_for) if waits_for else None

    def decline_undo(self, seats: Collection[str]) -> None:
        """Refuse the request, or withdraw it."""
        request = self.undo_request
        if request is None:
            raise ZarebaError("there is no request for an undo")
        if not {request.by, *request.waits_for} & set(seats):
            raise ZarebaError("your agreement is not needed")
        self._undo_request = None

    # --- an end by the players ----------------------------------------------------------------------------------------

    def settle(self, settlement: Settlement) -> None:
        """End the game with a result that the players have agreed on; the journal records it, and it cannot be
        undone.
        """
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

    # --- recording ----------------------------------------------------------------------------------------------------

    def _write(self, entry: dict[str, Any], finished: Finished | None) -> None:
        """Write an entry to the journal, with the steps that it has finished. None: the entry finishes no step."""
        if self._journal is not None:
            if finished:
                entry["steps"] = [list(pair) for pair in finished]
                entry["story"] = [self._sentences(done) for done in self.history.finished(len(finished))]
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

    def _sentences(self, done: Done) -> list[str]:
        """Return the events of a step in sentences."""
        return [sentence for event in done.events if (sentence := self.game.narrator.describe_event(event))]

    def play_under(self, game: Game[Any], entry: dict[str, Any] | None = None, start: Any = None) -> None:
        """Continue under the rules of another game, from the start of the current step or from a given state.

        With `entry`, the journal records the change and the state. Raises ZarebaError, with nothing changed, if the
        game cannot continue under these rules.
        """
        old = self.game
        self.history.restart(game, self.history.steps[-1].start.copy() if start is None else start)
        self.game, self._agents, self._thinkers, self._suggestion = game, {}, {}, None
        self._odds_for, self._odds, self.deputies = None, {}, {}
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

    def save_checkpoint(self, journal: Path) -> bool:
        """Save the start of the current step in a file next to the journal. Return False if it is not the end of
        another step, or if the disk refuses.
        """
        step = self.history.steps[-1]
        return self.boundary is not None and save_checkpoint(journal, zareba_version(), self.boundary, step.compressed)

    def close(self) -> None:
        """Close the journal; the session can be resumed from it."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None
