"""Forms: what an act still needs to know before it is done, one question at a time, and typed answers to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from math import inf
from typing import Any, Generic, Literal, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, in_a_sentence, join_with_and
from zareba.base.tally import Tally
from zareba.chance import Named, Numbered, Rows, distribution
from zareba.companion.act_table import CompanionTable
from zareba.companion.declarations import Asked, Companion, CompanionAct, S, Scene
from zareba.game import Game, UnitChange
from zareba.odds import ChoiceOdds, Procedure, SmallBattle, odds
from zareba.odds.phrases import changes_in_brief, odds_in_short
from zareba.presentation.umpire_editor import in_parts
from zareba.session.dice_results import read_dice
from zareba.session.history import Answered
from zareba.table import (
    Answer,
    Choose,
    Confirm,
    Draw,
    Event,
    Pause,
    Place,
    Question,
    Roll,
    answer_from_data,
    read_faces,
    refusal,
)

_LONG = 200
"""The most characters of odds in full; longer ones are shortened."""
_MOST_NAMES = 12
"""The most names of units whose rolls are thrown together that are listed one by one."""
_MOST_TEXTS = 3
"""The most rolls thrown together that are described one by one."""
_NUMBERED = re.compile(r"(.*?)(\d+)( of .*|)")
"""A name with a number, such as "warrior 3" or "man 2 of Muskets"."""


@dataclass(frozen=True)
class PickUnit:
    """The form needs the unit that acts, or the one that it acts on (`role`: actor or target).

    `usual` is the unit that the act proposes, "" for none.
    """

    role: Literal["actor", "target"]
    units: tuple[str, ...]
    usual: str = ""


@dataclass(frozen=True)
class AskFact:
    """The form needs a fact: its question, the values with their words (empty for a number), and `usual`, the value
    that the act proposes. `stands_for` is the question of the rules that it replaces (`Asked.instead_of`); `Form.give`
    takes an answer to that question, too.
    """

    asked: Asked[Any]
    text: str
    choices: Mapping[Any, str]
    kind: Any
    usual: Any
    stands_for: Choose | Place | Confirm | None = None

    @property
    def default(self) -> Any:
        """The value that Enter takes; None if there is no safe one."""
        if self.asked.many:
            return tuple(choice for choice in self.usual or () if choice in self.choices)
        fits = self.asked.only_proposes or not self.choices or self.usual in self.choices
        return self.usual if fits else None


@dataclass(frozen=True)
class Throw:
    """The act needs dice or a card."""

    question: Roll | Draw


@dataclass(frozen=True)
class Decide:
    """The act needs a decision that the rules leave to a player."""

    question: Choose | Place | Confirm


@dataclass(frozen=True)
class Finished(Generic[S]):
    """A finished act: the state after it, its events and its modifier breakdowns."""

    state: S
    events: tuple[Event, ...]
    tallies: tuple[Tally, ...]


Pending = PickUnit | AskFact | Throw | Decide | Finished[Any]


@dataclass(frozen=True)
class Remembered:
    """Earlier answers of people, which forms propose again.

    `opponents` are the last units with which each unit had to do, the latest first. `answers` are the answers of the
    last act, which still hold if the same unit does it again at the same target. `dice` are those of an act that was
    taken back unfinished.
    """

    opponents: Mapping[str, Sequence[str]] = field(default_factory=dict)
    last: Scene | None = None
    last_act: str = ""
    dice: Sequence[Answered] = ()

    def opponent(self, actor: str, targets: Sequence[str]) -> str:
        """Return the last unit among some targets with which a unit had to do, "" for none."""
        return next((unit for unit in self.opponents.get(actor, ()) if unit in targets), "")

    def answer(self, act: str, scene: Scene, fact: str) -> Any:
        """Return the last answer for a fact, if the same unit does the same again; None otherwise."""
        if self.last is None or (act, scene.actor, scene.target) != (self.last_act, self.last.actor, self.last.target):
            return None
        return self.last.answers.get(fact)


@dataclass(frozen=True)
class Preview:
    """The dice of an act before they are thrown: modifier breakdowns, and the odds in one line, "" if it changes no
    unit.

    `owners` are the names of the units to which the breakdowns belong, "" if all belong to the one that acts.
    """

    tallies: tuple[Tally, ...]
    odds: str
    owners: tuple[str, ...] = ("",)

    @property
    def numbers(self) -> list[tuple[str, Tally]]:
        """The modifier breakdowns, each with what it is called: "Sikhs 2: melee score"."""
        return [
            (f"{f'{owner}: ' if owner else ''}{tally.rule.name.replace('_', ' ')}", tally)
            for owner, tally in zip(self.owners, self.tallies, strict=False)
        ]


_MOST_MEANINGS = 6
"""The most meanings of different rolls that are shown at once; more would push the dice off a phone's screen."""
_Ahead = dict[frozenset[str], list[int]]
"""Faces of dice that people have thrown for rolls still to come, by the group of these rolls."""


class _Before(NamedTuple):
    """A form before an answer of people; `is_throw` if the answer was dice or a card."""

    scene: Scene
    given: list[Answered]
    ahead: _Ahead
    is_throw: bool


class _LowestDice(CompanionTable):
    """A table at which the rolls of one group of `CompanionAct.roll_groups` show their lowest faces. `rolls` notes
    them.

    `ahead` are the faces that people have already thrown for other groups.
    """

    __slots__ = ("_ahead", "_group", "rolls")

    def __init__(self, form: Form[Any], state: Any, scene: Scene, first: Roll, ahead: _Ahead) -> None:
        answers = [answered.answer for answered in form.given]
        super().__init__(form.companion.game.rules, state, answers, form.act, scene)
        self.rolls: list[Roll] = []
        self._group = form.act.group_of(first)
        self._ahead = {group: list(faces) for group, faces in ahead.items()}

    def answer(self, question: Question) -> Answer:
        if self._used < len(self._answers) or not isinstance(question, Roll):
            return super().answer(question)
        group = self._act.group_of(question)
        if group and group == self._group:
            self.rolls.append(question)
            return read_faces(question, [1] * question.dice)
        known = self._ahead.get(group, [])
        if len(known) >= question.dice > 0:
            self._ahead[group] = known[question.dice :]
            return read_faces(question, known[: question.dice])
        return super().answer(question)


class Form(Generic[S]):
    """One act that is being prepared and done. `pending` says what it needs next, and `give` takes it.

    `given` are the dice and decisions so far. A form can be dropped as long as it is empty. Faces that people have
    thrown ahead (`give_faces`) wait for the next rolls of `CompanionAct.roll_groups`.
    """

    def __init__(
        self,
        companion: Companion[S],
        state: S,
        act: CompanionAct[S],
        actors: Sequence[str],
        scene: Scene | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        self.companion, self.state, self.act = companion, state, act
        self._remembered = remembered or Remembered()
        self._actors = tuple(actors)
        self.scene = scene or Scene(companion.game)
        self.given: list[Answered] = []
        self._ahead: _Ahead = {}
        self._answered: list[_Before] = []
        if not self.scene.actor and len(self._actors) == 1:
            self._choose("actor", self._actors[0])

    # --- what comes next ----------------------------------------------------------------------------------------------

    @property
    def is_begun(self) -> bool:
        """True if people have chosen or answered something that would be lost with the form."""
        has_chosen_actor = bool(self.scene.actor) and len(self._actors) > 1
        return bool(has_chosen_actor or self.scene.target or self.scene.answers or self.given)

    @property
    def pending(self) -> Pending:
        """Return the next question of the act, or its result."""
        if not self.scene.actor and self._actors:
            return PickUnit("actor", self._actors)
        targets = self._targets()
        if targets is not None and not self.scene.target:
            return PickUnit("target", targets, self._remembered.opponent(self.scene.actor, targets))
        for asked in self.act.asks:
            if not asked.is_late and self._is_open(asked) and (question := self._question(asked)) is not None:
                return question
        return self._run()

    @property
    def title(self) -> str:
        """The act so far in words: "Rifles: fire (Red)"."""
        return self.companion.title_of(self.state, self.act, self.scene)

    def still_fits(self) -> bool:
        """Return True if the target of the act is still possible and the act has a next question or a result."""
        if self.scene.target and self.scene.target not in (self._targets() or ()):
            return False
        return self.pending is not None

    def target_question(self) -> str:
        """Return the question for the unit on which the actor acts, such as "Which unit should Alpha rally?"."""
        actor = self.companion.game.narrator.name_of(self.scene.actor)
        text = self.act.target_question
        if not isinstance(text, str):
            return text(self.state, self.scene.actor)
        return text.replace("{actor}", actor) or f"{actor}: {self.act.title}: which unit?"

    def _targets(self) -> tuple[str, ...] | None:
        if self.act.targets is None:
            return None
        found = tuple(self.act.targets(self.state, self.scene.actor))
        if not found:
            name = self.companion.game.narrator.name_of(self.scene.actor)
            raise ZarebaError(f"{name} cannot {self.act.title} now: no unit qualifies as the target ({self.act.rule})")
        return found

    def _is_open(self, asked: Asked[S]) -> bool:
        return asked.fact not in self.scene.answers and (asked.when is None or asked.when(self.state, self.scene))

    def _question(self, asked: Asked[S], events: Sequence[Event] = ()) -> AskFact | None:
        """Return the question for a fact; None if only one answer is possible. `events` are those of the act so far."""
        kind, scene = self._kind(asked), replace(self.scene, events=tuple(events))
        choices: Mapping[Any, str] = {}
        if asked.choices is not None:
            choices = asked.choices(self.state, scene)
        elif kind is bool:
            choices = {False: "no", True: "yes"}
        elif get_origin(kind) is Literal:
            choices = {value: str(value).replace("_", " ") for value in get_args(kind)}
        if asked.choices is not None and not (asked.many or asked.only_proposes) and len(choices) == 1:
            (only,) = choices
            self._answer(asked.fact, only)
            return None
        if asked.many and not choices:
            self._answer(asked.fact, ())
            return None
        name_of = self.companion.game.narrator.name_of
        text = asked.question if isinstance(asked.question, str) else asked.question(self.state, scene)
        for role, unit in (("{actor}", self.scene.actor), ("{target}", self.scene.target)):
            text = text.replace(role, name_of(unit))  # names may contain braces, so the text is no format
        return AskFact(asked, text, choices, kind, self._usual(asked, scene, choices))

    def _usual(self, asked: Asked[S], scene: Scene, choices: Mapping[Any, str]) -> Any:
        """Return the value that a question proposes: the answer of the same act just before, or the usual one.

        A default that the book works out holds for the present state, so that nothing else replaces it.
        """
        if not (asked.is_late or asked.many or callable(asked.default)):
            known = self._remembered.answer(self.act.name, scene, asked.fact)
            if known is not None and (asked.only_proposes or not choices or known in choices):
                return known
        return asked.usual(self.state, scene)

    def _kind(self, asked: Asked[S]) -> Any:
        if asked.kind is not None or self.act.facts is None or asked.choices is not None:
            return asked.kind
        return get_type_hints(self.act.facts, include_extras=True)[asked.fact]

    def _run(self) -> Pending:
        """Do the act with what is given so far."""
        companion, act = self.companion, self.act
        draft, scene = self._laid_out()
        table = CompanionTable(companion.game.rules, draft, [answered.answer for answered in self.given], act, scene)
        with companion.game.rules.blamed(f"the act '{act.title}'"):
            question: Question | None = None
            try:
                act.run(table, draft, scene)
                table.finish()
            except Pause as pause:
                question = pause.question
        for asked in act.asks:
            late = asked.after
            if late is not None and self._is_open(asked) and late(draft, scene, table.events):
                found = self._question(asked, table.events)
                return found if found is not None else self._run()
        if isinstance(question, (Roll, Draw)):
            return Throw(question)
        if question is not None:
            return self._decision(question, table.events)
        companion.tidy(self.state, draft, table.events)
        return Finished(draft, tuple(table.events), tuple(table.tallies))

    def _decision(self, question: Choose | Place | Confirm, events: Sequence[Event]) -> Pending:
        """Return a question that the rules leave to a player, or the fact that replaces it."""
        for asked in self.act.asks:
            if question.why in asked.instead_of and self._is_open(asked):
                found = self._question(asked, events)
                return replace(found, stands_for=question) if found is not None else self._run()
        return Decide(question)

    def _laid_out(self) -> tuple[S, Scene]:
        """Return a copy of the state on which the answers hold, and the scene with all defaults."""
        scene = self.scene
        defaults = {asked.fact: asked.usual(self.state, scene) for asked in self.act.asks if not asked.instead_of}
        scene = replace(scene, answers={**defaults, **scene.answers})
        draft = self.state.copy()
        self.act.lay_out(draft, scene)
        return draft, scene

    # --- answers ------------------------------------------------------------------------------------------------------

    def give_measured(self, distance: float) -> None:
        """Answer the pending fact with a distance measured on the table."""
        pending = self.pending
        if not isinstance(pending, AskFact) or pending.asked.measured is None:
            raise ZarebaError("this question takes no distance")
        if not 0 <= distance < inf:
            raise ZarebaError(f"type a distance of 0 or more, not {distance:g}")
        self.give(pending.asked.measured(self.state, self.scene, distance))

    def give(self, value: Any, faces: Sequence[int] = ()) -> None:
        """Answer what is pending.

        Raises ZarebaError with one sentence if the answer does not fit or the rules cannot go on with it. Nothing has
        changed then.
        """
        before = _Before(self.scene, list(self.given), dict(self._ahead), isinstance(self.pending, Throw))
        try:
            self._take(value, faces)
            self._use_faces_ahead()
        except ZarebaError:
            self._restore(before)
            raise
        self._answered.append(before)

    def _restore(self, before: _Before) -> None:
        self.scene, self.given, self._ahead, _ = before

    def throws_together(self) -> tuple[Roll, ...]:
        """Return the rolls that people can throw in one go now: the pending one, and those that follow it at once if
        all dice show their lowest faces. Empty if no roll is pending.
        """
        return self._throws_together()[0]

    def _throws_together(self) -> tuple[tuple[Roll, ...], bool]:
        """Return the rolls thrown together now, and True if other questions come before more of them."""
        pending = self.pending
        if not isinstance(pending, Throw) or not isinstance(pending.question, Roll):
            return (), False
        if not self.act.group_of(pending.question):
            return (pending.question,), False
        draft, scene = self._laid_out()
        table = _LowestDice(self, draft, scene, pending.question, self._ahead)
        with self.companion.game.rules.blamed(f"the act '{self.act.title}'"):
            try:
                self.act.run(table, draft, scene)
            except Pause:
                return tuple(table.rolls), True
        return tuple(table.rolls), False

    @property
    def more_may_follow(self) -> bool:
        """True if people may type faces for later rolls too, which other questions separate from this one."""
        return self._throws_together()[1]

    def faces_before(self) -> tuple[int, ...]:
        """Return the faces that the dice thrown now showed in the same act before people took it back unfinished; empty
        if there are none.
        """
        left = [
            answered for answered in self._remembered.dice if isinstance(answered.question, Roll) and answered.faces
        ]
        rolls, found = self.throws_together(), list[int]()
        for number, question in enumerate([*(answered.question for answered in self.given), *rolls]):
            known = next((answered for answered in left if _is_same_roll(answered.question, question)), None)
            if known is not None:
                left.remove(known)
            if number >= len(self.given):
                if known is None:
                    break
                found += known.faces
        return tuple(found)

    def meanings_of(self, pending: Throw) -> list[str]:
        """Return what the results of the dice that people throw now mean; nothing if the question says it.

        If rolls that are thrown together mean different things, each meaning begins with the units it holds for.
        """
        found: dict[str, list[str]] = {}
        for roll in self.throws_together() or [pending.question]:
            found.setdefault(self._meaning_of(roll), []).append(self.companion.game.narrator.name_of(roll.actor))
        if len(found) == 1:
            return list(filter(None, found))
        meanings = [f"{join_with_and(dict.fromkeys(names))}: {said}" for said, names in found.items() if said]
        return meanings[:_MOST_MEANINGS]

    def _meaning_of(self, question: Roll | Draw) -> str:
        """Return what the results of a roll mean, "" if the question says it: "4 or less: passes; 5: shaken".

        For a die that picks one of several, return what each number stands for.
        """
        if not isinstance(question, Roll) or not isinstance(question.means, (Named, Numbered, Rows)):
            return ""
        if isinstance(question.means, Numbered):
            return names_in_short(question.means.names)
        said = self.companion.describe(self.state, question)
        if "or more" in said or "or less" in said:
            return ""
        means = question.means
        if isinstance(means, Rows):  # a die cannot fall into every row of a chart
            answers = distribution(question.dice, question.sides, question.read)
            found = {means.result_key(answer) for answer in answers}
            means = Rows(tuple(line for line in means.lines if line[1] in found), means.by)
            return means.describe_between(min(answers), max(answers))
        return means.describe_from(question.read, question.dice)

    def is_certain(self, pending: Throw) -> bool:
        """Return True if every result of a roll means the same, so that players need not throw dice."""
        question = pending.question
        if not isinstance(question, Roll) or not isinstance(question.means, (Named, Rows)):
            return False
        if self.act.group_of(question):
            return False
        answers = distribution(question.dice, question.sides, question.read)
        return len({question.means.result_key(answer) for answer in answers}) == 1

    def give_faces(self, faces: Sequence[int]) -> None:
        """Answer the pending roll with real dice, and the rolls thrown together with it as far as there are faces.

        Faces that no roll needs in the end are dropped. Raises ZarebaError if the dice cannot show these faces.
        """
        rolls, may_be_more = self._throws_together()
        if not rolls:
            raise ZarebaError("no dice are needed now")
        ends = list(accumulate(roll.dice for roll in rolls))
        is_more = may_be_more and len(faces) > ends[-1]
        if len(rolls) > 1 and len(faces) not in ends and not is_more:
            raise ZarebaError(f"give the faces of {amount(ends[-1], 'die', 'dice')}, or fewer; {len(faces)} do not fit")
        sides = rolls[0].sides
        if wrong := [face for face in faces if not 1 <= face <= sides]:
            raise ZarebaError(f"a die of {sides} faces cannot show {wrong[0]}")
        end = ends[0] if len(rolls) > 1 or is_more else len(faces)
        before = self._ahead
        self._ahead = {**before, self.act.group_of(rolls[0]): list(faces[end:])}
        try:
            self.give(_read(rolls[0], faces[:end]), faces[:end])
        except ZarebaError:
            self._ahead = before
            raise

    def give_typed_faces(self, typed: str) -> None:
        """Answer the pending roll with faces as people type them: numbers, `2x5 1x6`, or the names of special dice.

        Raises ZarebaError for a wrong number of dice, with the reason for the number.
        """
        rolls, may_be_more = self._throws_together()
        if not rolls:
            raise ZarebaError("no dice are needed now")
        wanted = sum(roll.dice for roll in rolls)
        faces = read_dice(wanted, rolls[0].sides, _face_numbers(self.companion.face_names(rolls[0]), typed))
        is_ahead = may_be_more and len(faces) > wanted
        if len(rolls) == 1 and len(faces) != wanted and not is_ahead:  # of several rolls some may not be needed
            tallies = self.preview().tallies if not self.given else ()
            reason = f" ({in_parts(tallies[0])})" if tallies else ""
            dice = amount(wanted, "die", "dice")
            raise ZarebaError(f"you typed {amount(len(faces), 'face')}, but the throw has {dice}{reason}")
        self.give_faces(faces)

    def _use_faces_ahead(self) -> None:
        """Answer the rolls that people have thrown ahead."""
        while isinstance(pending := self.pending, Throw) and isinstance(pending.question, Roll):
            question, group = pending.question, self.act.group_of(pending.question)
            faces = self._ahead.get(group, [])
            if not group or len(faces) < question.dice:
                return
            self._ahead = {**self._ahead, group: faces[question.dice :]}
            self._take(_read(question, faces[: question.dice]), faces[: question.dice])

    def _take(self, value: Any, faces: Sequence[int]) -> None:
        pending = self.pending
        if isinstance(pending, PickUnit):
            if value not in pending.units:
                raise ZarebaError(f"{self.companion.game.narrator.name_of(value)} cannot {self.act.title} now")
            self._choose(pending.role, value)
        elif isinstance(pending, AskFact):
            question = pending.stands_for
            if question is not None and not refusal(question, value, faces):
                self.given.append(Answered(question, value, tuple(faces)))
            else:
                self._answer(pending.asked.fact, checked(pending, value))
        elif isinstance(pending, (Throw, Decide)):
            if wrong := refusal(pending.question, value, faces):
                raise ZarebaError(wrong)
            self.given.append(Answered(pending.question, value, tuple(faces)))
        else:
            raise ZarebaError("the act is done; it needs no more answers")

    def _choose(self, role: str, unit: str) -> None:
        scene = self.scene
        if role == "target":
            self.scene = replace(scene, target=unit)
            return
        self.scene = replace(scene, actor=unit)
        targets = self._targets()
        if targets is not None and len(targets) == 1 and not scene.target:
            self._choose("target", targets[0])

    def _answer(self, fact: str, value: Any) -> None:
        self.scene = replace(self.scene, answers={**self.scene.answers, fact: value})

    def take_back(self) -> bool:
        """Take back the last answer. Return False if there is none to take back.

        Raises ZarebaError if the last answer was dice or a card.
        """
        scene = self.scene
        if self._answered and not self._answered[-1].is_throw:
            self._restore(self._answered.pop())
            return True
        if self.given:
            raise ZarebaError("dice have been thrown for this act; finish it, then undo takes back all of it")
        if scene.answers:
            self.scene = replace(scene, answers=dict(islice(scene.answers.items(), len(scene.answers) - 1)))
        elif scene.target:
            self.scene = replace(scene, target="")
        elif scene.actor and len(self._actors) > 1:
            self.scene = replace(scene, actor="")
        else:
            return False
        return True

    # --- saving -------------------------------------------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        """Return the act so far as data, from which `repeat` restores it."""
        return {
            "act": self.act.name,
            "actor": self.scene.actor,
            "target": self.scene.target,
            "answers": dict(self.scene.answers),
            "given": [{"answer": answered.answer, "faces": list(answered.faces)} for answered in self.given],
        }

    def faces_ahead(self) -> list[list[Any]]:
        """Return the faces thrown for rolls still to come as data: the purposes of the rolls, and the faces."""
        return [[sorted(group), list(faces)] for group, faces in self._ahead.items() if faces]

    def repeat(self, given: Sequence[Mapping[str, Any]], ahead: Sequence[Sequence[Any]] = ()) -> None:
        """Give recorded dice and decisions again. Raises ZarebaError if they do not fit."""
        for answered in given:
            self._take_usual_answers()
            pending = self.pending
            if not isinstance(pending, (Throw, Decide)) and not (isinstance(pending, AskFact) and pending.stands_for):
                raise ZarebaError("the entry has more dice than the act")
            self.give(answer_from_data(answered["answer"]), answered["faces"])
        self._ahead = {frozenset(group): list(faces) for group, faces in ahead}

    def _take_usual_answers(self) -> None:
        """Answer the questions that an entry written by an older version does not have, as Enter does."""
        while (
            isinstance(pending := self.pending, AskFact) and pending.stands_for is None and pending.default is not None
        ):
            self.give(pending.default)

    def repeat_finished(self, given: Sequence[Mapping[str, Any]]) -> None:
        """Give the recorded dice and decisions of a finished act again. Raises ZarebaError if they do not fit."""
        self.repeat(given)
        self._take_usual_answers()

    # --- before the dice ----------------------------------------------------------------------------------------------

    def preview(self) -> Preview:
        """Return the numbers of the act and its odds. All facts must be known."""
        act, companion = self.act, self.companion
        if not act.has_odds:
            return Preview((), "")
        draft, scene = self._laid_out()
        start = draft.copy()

        def run(table: Any, battle: S, _: object) -> None:
            act.run(table, battle, scene)

        def follow(table: Any, battle: S, _: object) -> None:
            for consequence in act.consequences:
                consequence(table, battle, scene)

        def settled(question: Choose | Place | Confirm, state: Any) -> Answer:
            answer = act.settle(state, scene, question)
            return companion.game.odds_horizon.hold(question) if answer is None else answer

        def changes(after: S, _: object) -> tuple[UnitChange, ...]:
            return companion.changes(start, after, scene.target)

        situation = SmallBattle(start, [run, follow], changes, answer=settled)
        procedure = Procedure(act.name, act.rule, act.title, object, object, lambda rules, facts: situation)
        found = odds(companion.game.rules, procedure, situation, samples=companion.samples)
        explained = procedure.explain(companion.game.rules, situation)
        chances = ChoiceOdds(outcomes=found.outcomes, samples=found.samples)
        line = changes_in_brief(companion.game, chances) if any(found.outcomes) else ""
        if len(line) > _LONG:
            own = companion.units(self.state, companion.side_of(self.state, scene.actor))
            line = odds_in_short(companion.game, chances, own).words or line
        by_unit = self._deciding_by_unit(explained.counted_for)
        if len(by_unit) > 1:
            return Preview(tuple(by_unit.values()), line, tuple(map(companion.game.narrator.name_of, by_unit)))
        return Preview(self._deciding(explained.tallies), line)

    def _deciding_by_unit(self, counted_for: Sequence[tuple[Tally, Any]]) -> dict[str, Tally]:
        """Return the first modifier breakdown that decides the act for each unit it concerns; empty if the act names no
        facts.
        """
        found: dict[str, Tally] = {}
        for tally, unit in counted_for:
            if self.act.facts is not None and isinstance(tally.facts, self.act.facts) and isinstance(unit, str):
                found.setdefault(unit, tally)
        return found

    def _deciding(self, tallies: Sequence[Tally]) -> tuple[Tally, ...]:
        """Return the modifier breakdown that decides the act, or nothing.

        An act that names no facts may have one with modifiers; a bare number tells nothing that the throw does not say.
        """
        if self.act.facts is not None:
            found = [tally for tally in tallies if isinstance(tally.facts, self.act.facts)]
        else:
            found = [tally for tally in tallies if len(tally.parts()) > 1]
        return tuple(found[:1])


def _read(question: Roll, faces: Sequence[int]) -> Answer:
    """Return the result of a roll that shows some faces. Raises ZarebaError if its dice cannot show them."""
    try:
        return read_faces(question, list(faces))
    except ValueError as error:
        raise ZarebaError(str(error)) from error


def _is_same_roll(one: Question, other: Question) -> bool:
    """Return True if two questions are the same roll."""
    if not isinstance(one, Roll) or not isinstance(other, Roll):
        return False
    return one._replace(means=None) == other._replace(means=None)


def _face_numbers(names: Mapping[int, str], typed: str) -> str:
    """Return typed faces with the names of special dice replaced by their numbers; a name may be shortened."""
    found = []
    for word in typed.casefold().replace(",", " ").split():
        exact = [number for number, name in names.items() if name.casefold() == word]
        begun = [number for number, name in names.items() if name.casefold().startswith(word)]
        matches = exact or begun
        found.append(str(matches[0]) if len(matches) == 1 else word)
    return " ".join(found)


# --- Typed answers ----------------------------------------------------------------------------------------------------


def checked(pending: AskFact, value: Any) -> Any:
    """Return the value of a fact if it fits. Raises ZarebaError with one sentence."""
    if pending.asked.many:
        wrong = [choice for choice in value if choice not in pending.choices]
        if wrong:
            raise ZarebaError(f"'{wrong[0]}' is not a possible answer to: {pending.text}")
        return tuple(value)
    if pending.choices and not pending.asked.only_proposes:
        if value not in pending.choices:
            raise ZarebaError(f"'{value}' is not a possible answer to: {pending.text}")
        return value
    try:
        return TypeAdapter(pending.kind).validate_python(value, strict=False)
    except ValidationError as error:
        raise ZarebaError(f"'{value}' does not fit: type {number_wanted(pending)}") from error


def rolls_together(companion: Companion[S], state: S, rolls: Sequence[Roll]) -> str:
    """Return in words what people throw for one roll, or for several rolls together: all of them if there are few,
    otherwise their number, of how many dice they are if these differ, for which units if these differ, and the first.
    """
    texts = [companion.describe(state, roll) for roll in rolls]
    if len(texts) == 1:
        return texts[0]
    if len(texts) <= _MOST_TEXTS and len({*texts}) == len(texts):
        return f"{len(rolls)} rolls in order: {'; then '.join(texts)}"
    return f"{rolls_in_order(companion.game, rolls)}, the first: {texts[0]}"


def rolls_in_order(game: Game[Any], rolls: Sequence[Roll]) -> str:
    """Return in words how many rolls are thrown together, of how many dice if these differ, and, if there are few, for
    which units if these differ.
    """
    names = [game.narrator.name_of(roll.actor) for roll in rolls]
    dice = [amount(roll.dice, "die", "dice") for roll in rolls]
    in_pairs = len(rolls) > 3 and len(rolls) % 2 == 0 and all(names) and {*names[1::2]}.isdisjoint(names[::2])
    if in_pairs and len({*dice[::2]}) == len({*dice[1::2]}) == 1:
        blows = f"{len(rolls)} rolls in order: {dice[0]} for {_first_ones(_runs_in_words(names[::2]))}"
        if len({*names[1::2]}) == 1:  # blows of several men, each parried by the same enemy
            return f"{blows}, each followed by {dice[1]} for {in_a_sentence(names[1])}"
        if len(_runs(names)) > _MOST_NAMES:  # each man against another enemy
            return f"{blows}, each followed by {dice[1]} for his opponent ({_first_ones(_runs_in_words(names[1::2]))})"
    differ = f" (dice: {_first_ones([str(roll.dice) for roll in rolls])})" if len({*dice}) > 1 else ""
    shown = f" ({_first_ones(_runs_in_words(names))})" if all(names) and len({*names}) > 1 else ""
    return f"{len(rolls)} rolls in order{differ}{shown}"


def _first_ones(words: Sequence[str]) -> str:
    """Return a list in words, without its end if it is long."""
    return ", ".join([*words[:_MOST_NAMES], *(["and so on"] if len(words) > _MOST_NAMES else [])])


def names_in_short(names: Sequence[str]) -> str:
    """Return the names that the numbers of a die stand for: "1: Sheikh Omar, 2 to 4: warrior 3 to 5"."""
    found = []
    for run in _runs(names):
        numbers = f"{run[0] + 1} to {run[-1] + 1}" if len(run) > 1 else f"{run[0] + 1}"
        found.append(f"{numbers}: {_run_in_words([names[place] for place in run])}")
    return ", ".join(found)


def _runs_in_words(names: Sequence[str]) -> list[str]:
    """Return names with those that follow each other together: "hero 1 of Muskets", "man 2 to 16 of Muskets"."""
    return [_run_in_words([names[place] for place in run]) for run in _runs(names)]


def _runs(names: Sequence[str]) -> list[range]:
    """Return the places of names, with three or more together if their numbers follow each other."""
    runs: list[range] = []
    for place, name in enumerate(names):
        before = _numbered_name(names[place - 1]) if place else None
        if before is not None and _numbered_name(name) == (before[0], before[1] + 1, before[2]):
            runs[-1] = range(runs[-1].start, place + 1)
        else:
            runs.append(range(place, place + 1))
    return [part for run in runs for part in ([run] if len(run) > 2 else [range(n, n + 1) for n in run])]


def _run_in_words(names: Sequence[str]) -> str:
    """Return a name, or the first and the last of several whose numbers follow each other."""
    first, last = _numbered_name(names[0]), _numbered_name(names[-1])
    if len(names) == 1 or first is None or last is None:
        return names[0]
    return f"{first[0]}{first[1]} to {last[1]}{first[2]}"


def _numbered_name(name: str) -> tuple[str, int, str] | None:
    """Return a name such as "warrior 3" or "man 2 of Muskets" in three parts, None for other names."""
    found = _NUMBERED.fullmatch(name)
    return (found[1], int(found[2]), found[3]) if found is not None else None


def number_wanted(pending: AskFact) -> str:
    """Return in words which numbers a question takes."""
    schema = TypeAdapter(pending.kind).json_schema()
    unit = f" in {pending.asked.unit}" if pending.asked.unit else ""
    low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum")
    whole = "a whole number" if schema.get("type") == "integer" else "a number"
    if low is not None and high is not None:
        return f"{whole}{unit} from {low:g} to {high:g}"
    return f"{whole}{unit}" + (f", {low:g} or more" if low is not None else "")
