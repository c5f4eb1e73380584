"""A session: one evening's game of people and programs, kept in a journal, undone and resumed at will."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from zareba.advance import Done, Paused, advance
from zareba.agents import agent_names, make_agent
from zareba.chance import KeyedDice
from zareba.errors import RuleBroken, ZarebaError, first_misfit, unknown_name
from zareba.game import Game
from zareba.journal import FORMAT, Journal, JournalFile, read_journal
from zareba.ledger import NotWritten, copy_aside
from zareba.odds import ChoiceOdds, odds_of
from zareba.registry import HouseRule, house_rules_played, load_rules, rules_from_record, zareba_version
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.state import canonical_json, digest
from zareba.table import (
    Answer,
    ChanceKeys,
    Choose,
    Confirm,
    Draw,
    Event,
    Given,
    LooksAhead,
    OtherwiseAsked,
    Place,
    Question,
    Roll,
    answer_from_data,
    fingerprint,
    read_faces,
    refusal,
    seat_of,
)
from zareba.tally import Tally

__all__ = ["Act", "Answered", "Session", "new_session", "open_session", "replay"]

HUMAN = "human"
SOLO = "solo"
PERSON = "person"
"""By whom a choice of people is answered; dice that they throw are answered by "dice"."""


@dataclass(frozen=True)
class Answered:
    """An accepted answer: the question, what was answered, the faces the dice showed, by whom, and why."""

    question: Question
    answer: Answer
    faces: tuple[int, ...] = ()
    by: str = "chance"
    reason: str = ""


@dataclass(frozen=True)
class Act:
    """What came of one answer of a person: the events, and the numbers and throws in the order in which they were made."""

    events: tuple[Event, ...]
    numbers: tuple[Tally | Answered, ...]


@dataclass
class _Played:
    """A step that is finished or under way: where it began, its answers, and what it came to when finished."""

    start: Any
    answers: list[Answered] = field(default_factory=list)
    done: Done | None = None


class Session:
    """Drives a game. `pending` is the question that a person has to answer, None when the game is over.

    `seats` says who plays each side: human, solo, or the name of a program. With `physical` dice people throw real ones
    and type what they show. `log` gives what has happened, step by step. `refused` says why the last thing that was to be
    recorded was not, "" when it was.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: Mapping[str, str],
        seed: int,
        *,
        physical: bool = False,
        journal: Journal | None = None,
    ) -> None:
        self.game = game
        self.seats = dict(seats)
        self.seed = seed
        self.physical = physical
        self._journal = journal
        self._dice = KeyedDice(seed)
        self._agents = {
            side: make_agent(kind, game, side, seed) for side, kind in seats.items() if kind not in (HUMAN, SOLO)
        }
        with game.rules.blamed(f"setting up {game.scenario.id}"):
            self._steps = [_Played(game.start())]
        self._undone: list[Answered] = []
        self._now: Paused | None = None
        self._decided: tuple[Paused, tuple[Answer, str]] | None = None
        self.refused = ""
        self._run()

    # --- how things stand ------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> Question | None:
        """The question that waits for its answer; None when the game is over."""
        return self._now.question if self._now else None

    @property
    def state(self) -> Any:
        """The table as it looks now, in the middle of a step too."""
        return self._now.draft if self._now else self._steps[-1].start

    @property
    def people(self) -> list[str]:
        """The seats that people hold."""
        return [seat for seat, kind in self.seats.items() if kind == HUMAN]

    def asks_person(self) -> bool:
        """Whether the pending question is one for people: a choice of theirs, or dice that they throw."""
        question = self.pending
        if isinstance(question, (Roll, Draw)):
            return self.physical and isinstance(question, Roll)
        return question is not None and self.seats[question.seat] == HUMAN

    def log(self) -> list[tuple[str, tuple[Answered, ...], tuple[Event, ...]]]:
        """Every step so far: its key, its answers, and what happened; the last one may be under way."""
        found = []
        for played in self._steps:
            reached = played.done or self._now
            if reached is not None and (played.answers or reached.events):
                found.append((reached.step.key, tuple(played.answers), reached.events))
        return found

    def news(self) -> tuple[Event, ...]:
        """All that has happened since the last answer of a person, or since the beginning without one."""
        return next(self._acts()).events

    def last_numbers(self) -> tuple[Tally | Answered, ...]:
        """Every number and every throw of the last act of a person that had any, in the order in which they were made."""
        return next((act.numbers for act in self._acts() if act.numbers), ())

    def _acts(self) -> Iterator[Act]:
        """What came of the answers of people, the last one first; at the end what happened before the first."""
        events: list[Event] = []
        numbers: list[Tally | Answered] = []
        for played in reversed(self._steps):
            reached = played.done or self._now
            if reached is None:
                continue
            last = len(reached.events), len(reached.tallies)
            for answered, mark in zip(reversed(played.answers), reversed(reached.marks), strict=True):
                events[:0] = reached.events[mark[0] : last[0]]
                numbers[:0] = reached.tallies[mark[1] : last[1]]
                last = mark
                if answered.by == PERSON:
                    yield Act(tuple(events), tuple(numbers))
                    events, numbers = [], []
                elif isinstance(answered.question, Roll):
                    numbers.insert(0, answered)
            events[:0] = reached.events[: last[0]]
            numbers[:0] = reached.tallies[: last[1]]
        yield Act(tuple(events), tuple(numbers))

    # --- answering ---------------------------------------------------------------------------------------------------------

    def answer(self, value: Answer, *, by: str = PERSON, reason: str = "", faces: Sequence[int] = ()) -> None:
        """Accept an answer to the pending question: it is in the journal before this returns.

        Raises ZarebaError, with nothing changed, when it is no answer to the question.
        """
        question = self.pending
        if question is None:
            raise ZarebaError("the game is over; there is nothing to answer")
        refused = refusal(question, value, faces)
        if refused:
            raise ZarebaError(refused)
        answered = Answered(question, value, tuple(faces), by, reason)
        before = self._snapshot()
        self._steps[-1].answers.append(answered)
        try:
            finished = self._run()
            self._write({"answer": value, "faces": list(faces), "by": by, "q": fingerprint(question)}, finished)
        except BaseException:
            self._restore(before)
            raise
        self._undone.clear()

    def after(self, value: Answer) -> tuple[Question, Any] | None:
        """What the same seat would decide next after an answer to the pending question, and the table as it would look.

        None where dice, cards, the other side or the end come first, or a rule fails. Nothing is answered.
        """
        played, question = self._steps[-1], self.pending
        if question is None:
            return None
        try:
            reached = advance(self.game, played.start, [*(one.answer for one in played.answers), value])
            if isinstance(reached, Done):
                reached = advance(self.game, reached.checkpoint, [])
        except RuleBroken:
            return None
        if not isinstance(reached, Paused) or seat_of(reached.question) != seat_of(question):
            return None
        return reached.question, reached.draft

    def odds_of(self, value: Answer, seconds: float = 0.3) -> ChoiceOdds:
        """What comes of an answer to the pending choice, unit by unit (`Game.changes`), as far as its seat can know.

        It is looked for exactly for so many seconds, then played for as many. Raises ZarebaError when that cannot be said.
        """
        question = self.pending
        if question is None or isinstance(question, (Roll, Draw)):
            raise ZarebaError("odds are shown before a choice")
        played = self._steps[-1]
        given = [Given(one.question, one.answer) for one in played.answers]
        try:
            return odds_of(
                self.game, played.start, given, question, value, self.game.changes, seconds=seconds, then=seconds
            )
        except OtherwiseAsked:
            raise ZarebaError("what you cannot see has a part in this; no odds can be told") from None

    def throw(self, faces: list[int]) -> None:
        """Accept the faces of real dice for the pending roll; raises ZarebaError when dice cannot show them."""
        question = self.pending
        if not isinstance(question, Roll):
            raise ZarebaError("no dice are to be thrown now")
        try:
            value = read_faces(question, faces)
        except ValueError as error:
            raise ZarebaError(str(error)) from error
        self.answer(value, by="dice", faces=faces)

    def throw_for_me(self) -> list[int]:
        """Throw the dice of the pending roll by the session's seed; taken back and thrown again they fall the same."""
        question = self.pending
        if not isinstance(question, Roll):
            raise ZarebaError("no dice are to be thrown now")
        value, faces = self._chance(question)
        self.answer(value, by="dice", faces=faces)
        return faces

    def drive(self, shown: Callable[[Answered], None] | None = None) -> None:
        """Answer by chance and programs until a person is asked or the game is over."""
        while self.pending is not None and not self.asks_person():
            question = self.pending
            if isinstance(question, (Roll, Draw)):
                value, faces = self._chance(question)
                self.answer(value, by="chance", faces=faces)
            else:
                value, reason = self._decision(question)
                self.answer(value, by=self.seats[question.seat], reason=reason)
            if shown is not None:
                shown(self._last_answered())

    def _decision(self, question: Choose | Place | Confirm) -> tuple[Answer, str]:
        """What a program answers to the pending question, and why; asked again, it stays with it."""
        assert self._now is not None, "a question is pending"
        if self._decided is None or self._decided[0] is not self._now:
            agent = self._agents[question.seat]
            if isinstance(agent, LooksAhead):
                played = self._steps[-1]
                agent.follow(played.start, [Given(one.question, one.answer) for one in played.answers])
            value = agent(question, self.game.view(self.state, question.seat))
            self._decided = self._now, (value, getattr(agent, "reason", ""))
        return self._decided[1]

    def _last_answered(self) -> Answered:
        return next(played.answers[-1] for played in reversed(self._steps) if played.answers)

    def _chance(self, question: Roll | Draw) -> tuple[Answer, list[int]]:
        assert self._now is not None, "a question is pending"
        keys = ChanceKeys(self._now.step)
        for answered in self._steps[-1].answers:
            if isinstance(answered.question, (Roll, Draw)):
                keys.next(answered.question.actor, answered.question.why)
        return keys.answer(self._dice, question)

    # --- undo ----------------------------------------------------------------------------------------------------------------

    def may_undo(self) -> str | None:
        """None when the last choice of a person can be taken back; otherwise the sentence why not.

        Alone at the table: always. With another person: up to the last die or card, for what was seen stays seen.
        """
        if self._undo_length() == 0:
            return "there is no choice of yours to take back"
        if len(self.people) > 1:
            taken = self._flat()[-self._undo_length() :]
            if any(isinstance(answered.question, (Roll, Draw)) for answered in taken):
                return "dice or cards have been seen since that choice, and another person is at the table"
        return None

    def undo(self) -> None:
        """Take back everything since the last choice of a person, that choice included."""
        barred = self.may_undo()
        if barred:
            raise ZarebaError(barred)
        count = self._undo_length()
        self._write({"undo": count}, None)
        self._take_back(count)

    def redo(self) -> None:
        """Play again what the last undo took back, up to the next choice of a person."""
        if not self._undone:
            raise ZarebaError("nothing has been taken back")
        count = 1
        while count < len(self._undone) and self._undone[count].by not in (PERSON, "dice"):
            count += 1
        self._write({"redo": count}, None)
        self._play_again(count)

    def _undo_length(self) -> int:
        flat = self._flat()
        for back, answered in enumerate(reversed(flat), start=1):
            if answered.by in (PERSON, "dice"):
                return back
        return 0

    def _flat(self) -> list[Answered]:
        return [answered for played in self._steps for answered in played.answers]

    def _take_back(self, count: int) -> None:
        taken: list[Answered] = []
        while len(taken) < count:
            if self._steps[-1].answers:
                taken.insert(0, self._steps[-1].answers.pop())
            else:
                self._steps.pop()
                self._steps[-1].done = None
        self._undone = taken + self._undone
        self._run()

    def _play_again(self, count: int) -> None:
        for _ in range(count):
            self._steps[-1].answers.append(self._undone.pop(0))
            self._run()

    # --- running and recording ---------------------------------------------------------------------------------------------------

    def _run(self) -> list[tuple[str, str]]:
        """Advance to the next question or the end; gives (key, state hash) of every step that was finished."""
        finished: list[tuple[str, str]] = []
        while True:
            played = self._steps[-1]
            reached = advance(self.game, played.start, [answered.answer for answered in played.answers])
            if reached is None:
                self._now = None
                return finished
            if isinstance(reached, Paused):
                self._now = reached
                return finished
            played.done = reached
            self._steps.append(_Played(reached.checkpoint))
            finished.append((reached.step.key, _state_hash(reached)))

    def _snapshot(self) -> tuple[list[_Played], Paused | None]:
        last = self._steps[-1]
        return [*self._steps[:-1], _Played(last.start, list(last.answers), last.done)], self._now

    def _restore(self, before: tuple[list[_Played], Paused | None]) -> None:
        self._steps, self._now = before

    def _write(self, entry: dict[str, Any], finished: Sequence[tuple[str, str]] | None) -> None:
        if self._journal is not None:
            if finished:
                entry["steps"] = [list(pair) for pair in finished]
            try:
                self._journal.write(entry)
            except NotWritten as error:
                self.refused = str(error)
                raise
            self.refused = ""

    def close(self) -> None:
        """Close the journal; the session can be resumed from it."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None


def _state_hash(done: Done) -> str:
    try:
        return digest(done.checkpoint.to_data())
    except (TypeError, ValueError) as error:
        raise RuleBroken(
            f"the step {done.step.key} left something in the state that cannot be written: {error}; "
            "a house rule may have put it there"
        ) from error


# --- beginning, resuming, replaying ----------------------------------------------------------------------------------------


def check_seats(scenario: Scenario, rules: Rules, seats: Mapping[str, str]) -> dict[str, str]:
    """Who plays each side, in the order of the scenario; raises ZarebaError with the nearest known name."""
    kinds = [HUMAN, SOLO, *agent_names()]
    for side, kind in seats.items():
        if side not in scenario.sides:
            raise unknown_name(f"side of {scenario.id} called", side, scenario.sides)
        if kind not in kinds:
            raise unknown_name("player", kind, kinds)
        if kind == SOLO and not rules.ruleset.solo:
            raise ZarebaError(
                f"{rules.ruleset.id} has no rules for a side that plays itself; choose random or doctrine"
            )
    return {side: seats.get(side, HUMAN) for side in scenario.sides}


def _game(rules: Rules, scenario: Scenario, seats: Mapping[str, str]) -> Game[Any]:
    game: Game[Any] = rules.game(scenario, frozenset(side for side, kind in seats.items() if kind == SOLO))
    return game


def new_session(
    ruleset: str,
    scenario: Scenario,
    seats: Mapping[str, str],
    *,
    seed: int,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[HouseRule] = (),
    physical: bool = False,
    path: Path | None = None,
) -> Session:
    """Begin a session; with `path` it is kept in a new journal there."""
    rules = load_rules(ruleset, settings, house_rules)
    held = check_seats(scenario, rules, seats)
    game = _game(rules, scenario, held)
    if path is None:
        return Session(game, held, seed, physical=physical)
    header = {
        "journal": FORMAT,
        "zareba": zareba_version(),
        "ruleset": ruleset,
        "version": rules.book.version,
        "rules": rules.data,
        "settings": rules.settings,
        "digest": rules.digest,
        "house_rules": [
            {
                "name": rule.name,
                "file": rule.file.name,
                "digest": digest(rule.text),
                "python": rule.module is not None,
            }
            for rule in house_rules
        ],
        "scenario": scenario.model_dump(mode="json", exclude_defaults=True),
        "scenario_digest": scenario.digest,
        "seed": seed,
        "physical": physical,
        "seats": held,
    }
    journal = Journal(path)
    try:
        journal.write(header)
    except ZarebaError:
        journal.close()
        path.unlink()
        raise
    try:
        return Session(game, held, seed, physical=physical, journal=journal)
    except BaseException:
        journal.close()
        raise


@dataclass(frozen=True)
class Replayed:
    """A journal played again. `notice` says what was wrong with the file or the game, "" if nothing.

    `house_rules` are those in Python that were run for it.
    """

    session: Session
    file: JournalFile
    house_rules: tuple[HouseRule, ...]
    steps: int
    notice: str


def replay(path: Path, *, to: int | None = None, check: bool = True, house_rules: Sequence[Path] = ()) -> Replayed:
    """Play a journal again under its own rules, up to `to` steps; with `check` every question and state is compared.

    `house_rules` are the Python files that it may run; a journal itself runs none. Raises ZarebaError when it departs
    from what is written, naming the entry and the rule.
    """
    return _replay(read_journal(path), to, check, house_rules)


def _replay(file: JournalFile, to: int | None, check: bool, named: Sequence[Path]) -> Replayed:
    try:
        return _played_again(file, to, check, named)
    except ZarebaError:
        raise
    except Exception as error:
        raise ZarebaError(
            f"{file.path}: the game cannot be played again ({type(error).__name__}: {error}); "
            "what the journal holds of its rules or its scenario does not fit this version of zareba"
        ) from error


def _played_again(file: JournalFile, to: int | None, check: bool, named: Sequence[Path]) -> Replayed:
    path, header = file.path, file.header
    python = house_rules_played(file.house_rules, named)
    rules = rules_from_record(
        header["ruleset"],
        header["rules"],
        header["settings"],
        python,
        tuple(rule.name for rule in file.house_rules),
    )
    try:
        scenario = Scenario.model_validate_json(canonical_json(header["scenario"]), strict=True)
    except ValidationError as error:
        raise ZarebaError(f"{path}: its scenario does not fit this version of zareba; {first_misfit(error)}") from error
    seats = check_seats(scenario, rules, header["seats"])
    session = Session(_game(rules, scenario, seats), seats, header["seed"], physical=header["physical"])
    steps = 0
    for number, entry in enumerate(file.entries, start=2):
        if to is not None and steps >= to:
            break
        where = f"{path}:{number}"
        if "undo" in entry:
            session._take_back(_count(entry["undo"], session._flat(), where))
        elif "redo" in entry:
            session._play_again(_count(entry["redo"], session._undone, where))
        else:
            steps += len(_replay_answer(session, entry, where, check))
    notice = f"{file.path}: {file.damage}" if file.damage else ""
    return Replayed(session, file, tuple(python), steps, notice)


def _count(count: Any, answers: Sequence[Answered], where: str) -> int:
    if type(count) is not int or not 0 < count <= len(answers):
        raise ZarebaError(f"{where}: {count!r} answers cannot be taken back or played again; there are {len(answers)}")
    return count


def _replay_answer(session: Session, entry: Mapping[str, Any], where: str, check: bool) -> list[tuple[str, str]]:
    question = session.pending
    if question is None:
        raise ZarebaError(f"{where}: the game is over under these rules, but the journal goes on")
    faces: Any = entry.get("faces")
    thrown = isinstance(faces, list) and all(type(face) is int for face in faces)
    if not thrown or not isinstance(entry.get("by"), str) or not {"answer", "q"} <= entry.keys():
        raise ZarebaError(f"{where}: this is no entry of zareba; it was not written by 'zareba play'")
    if check and fingerprint(question) != entry["q"]:
        raise ZarebaError(
            f"{where}: the rules ask '{question.why}' ({question.rule}) where the journal answered something else"
        )
    value = answer_from_data(entry["answer"])
    if refused := refusal(question, value, faces):
        raise ZarebaError(f"{where}: {refused}")
    session._steps[-1].answers.append(Answered(question, value, tuple(faces), entry["by"]))
    session._undone.clear()
    finished = session._run()
    if check and [list(pair) for pair in finished] != entry.get("steps", []):
        rule = question.rule
        raise ZarebaError(f"{where}: after '{question.why}' ({rule}) the state is not the one in the journal")
    return finished


def open_session(path: Path, *, house_rules: Sequence[Path] = ()) -> Replayed:
    """Resume a session from its journal, which no other process may have open for writing; `house_rules` as in `replay`.

    Damage at its end is cut off; a copy of the damaged file is kept beside it.
    """
    read_journal(path)
    journal = Journal(path, new=False)
    try:
        file = read_journal(path)
        replayed = _replay(file, None, True, house_rules)
        if file.damage:
            kept = copy_aside(path, "damaged")
            journal.cut(file.good)
            replayed = replace(replayed, notice=f"{replayed.notice} (the damaged file is kept as {kept})")
    except BaseException:
        journal.close()
        raise
    replayed.session._journal = journal
    return replayed
