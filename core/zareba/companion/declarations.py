"""Declarations with which a ruleset describes its acts for an evening at a real table."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from zareba.base.grammar import amount, in_a_sentence
from zareba.base.state import Record
from zareba.base.tally import Tally
from zareba.battle.sentence_templates import fill
from zareba.companion.real_dice import numbers_of_draw
from zareba.companion.typed_forces import edge_phrase
from zareba.game import Game, UnitChange
from zareba.game.parts.display import MOVED
from zareba.odds import first_option
from zareba.session.history import Answered
from zareba.session.narration import dice_text
from zareba.table import Answer, Choose, Confirm, Draw, Event, Option, Place, Question, Roll, Table

if TYPE_CHECKING:
    from zareba.presentation.cards import CardRow

S = TypeVar("S", bound=Record)


@dataclass(frozen=True)
class Scene:
    """One act at the table: its actor, its target, and what the people at the table have said about it.

    `actor` and `target` are the ids of units, "" for none. `answers` holds the facts that people gave, by name. `game`
    is the game of the evening. `events` are those of the act so far; the question and the choices of a fact
    that people give after the dice may depend on them.
    """

    game: Any
    actor: str = ""
    target: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    events: Sequence[Event] = ()

    def __getitem__(self, fact: str) -> Any:
        """Return the answer for a fact."""
        return self.answers[fact]


def _in_natural_order(words: str) -> list[tuple[bool, int, str]]:
    """Return a key that sorts the numbers in texts as numbers."""
    parts = re.split(r"(\d+)", words)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


Choices = Mapping[Any, str]
"""The values that a fact may have, each with the words for players."""


@dataclass(frozen=True)
class Asked(Generic[S]):
    """A fact that only the people at the table know.

    `question` may name `{actor}` and `{target}`, or is a function that returns the text. The values come from
    `choices`, or else from the type of the fact in the act's class of facts: the words of a Literal, yes or no, or a
    number (`unit`: its unit of length). `default` is the ordinary case of the rulebook, which Enter takes, or a
    function that returns what the book knows; None if there is no safe one. `when`: ask only then. `after`: ask as soon
    as the state and the events of the act make it matter; until then the default holds. Such a fact may change only
    what follows these events. `instead_of`: the purposes of questions of the rules that the answer settles, by
    `CompanionAct.preset_answers`. The fact is asked once, when the rules reach the first of these questions. `many`:
    several values may be named, and the answer is a tuple. `measured` turns a distance that people measure, in `unit`,
    into one of the choices, such as a range band; it raises ZarebaError for a distance that is too far. With a `kind`,
    the choices are proposals, such as the limits of the ranges: any other value of that kind is accepted too.
    """

    fact: str
    question: str | Callable[[S, Scene], str]
    default: Any | Callable[[S, Scene], Any] = None
    choices: Callable[[S, Scene], Choices] | None = None
    when: Callable[[S, Scene], bool] | None = None
    after: Callable[[S, Scene, Sequence[Event]], bool] | None = None
    instead_of: frozenset[str] = frozenset()
    many: bool = False
    unit: str = ""
    kind: Any = None
    measured: Callable[[S, Scene, float], Any] | None = None

    @property
    def is_late(self) -> bool:
        """True if the fact is asked only while the act runs."""
        return self.after is not None or bool(self.instead_of)

    @property
    def only_proposes(self) -> bool:
        """True if values other than the choices are accepted."""
        return self.choices is not None and self.kind is not None and not self.many

    def usual(self, state: S, scene: Scene) -> Any:
        """Return the value that Enter takes in a state; None if there is no safe one."""
        return self.default(state, scene) if callable(self.default) else self.default


def _no_layout(state: Any, scene: Scene) -> None:
    """Lay out nothing: the state of the evening already says everything."""


Settle = Callable[[S, Scene, Any], "Answer | None"]
"""A function that answers a question of the rules (`Choose`, `Place` or `Confirm`) from what people have said.

None leaves the question to the players.
"""


def first(state: Any, scene: Scene, question: Choose | Place | Confirm) -> Answer:
    """Return the first option: the answer to a question that makes no difference at a real table."""
    return first_option(question)


@dataclass(frozen=True, kw_only=True)
class CompanionAct(Generic[S]):
    """One act of a ruleset at a real table.

    `title` completes "What does the unit do?": fire, check morale. `actors` are the units that may do it now, and
    `targets` the units at which one of them may. `target_question` asks for one of these and may name `{actor}`, or is
    a function that returns the text; by default it is "which unit?". `asks` are the facts that only the table knows, in
    their order. `facts` is the class of facts of the modifier breakdown that decides the act.

    The core copies the state, calls `lay_out` so that the answers hold on the copy (range, cover, ground), and then
    runs `run`: the functions of play, with real dice or those of the companion. `preset_answers` answer questions of
    the rules, by their purpose, from what people have said already, and `other_answers` those of any other purpose;
    people answer all other ones. `consequences` are the consequences in play that come later in the phase but belong to
    the odds of the act. `out_of_turn`: players may do it in any phase, if they forgot it. `choice` is the purpose of
    the question in which play offers the act among others; options that house rules add there become a separate act.
    `has_odds`: show the odds before the dice. `roll_groups` are groups of purposes: people throw the rolls of a group
    in one go, such as the shots of a volley that the rules resolve one by one.
    """

    name: str
    title: str
    rule: str
    run: Callable[[Table, S, Scene], object]
    actors: Callable[[S], Sequence[str]]
    targets: Callable[[S, str], Sequence[str]] | None = None
    target_question: str | Callable[[S, str], str] = ""
    asks: tuple[Asked[S], ...] = ()
    facts: type | None = None
    lay_out: Callable[[S, Scene], None] = _no_layout
    preset_answers: Mapping[str, Settle[S]] = field(default_factory=dict)
    other_answers: Settle[S] | None = None
    consequences: tuple[Callable[[Table, S, Scene], object], ...] = ()
    out_of_turn: bool = True
    choice: str = ""
    has_odds: bool = True
    roll_groups: tuple[frozenset[str], ...] = ()

    def settle(self, state: S, scene: Scene, question: Choose | Place | Confirm) -> Answer | None:
        """Return the answer that people have already given to a question of the rules; None if they must decide it."""
        settle = self.preset_answers.get(question.why, self.other_answers)
        return settle(state, scene, question) if settle is not None else None

    def group_of(self, roll: Roll) -> frozenset[str]:
        """Return the purposes of the rolls that people throw together with this one; empty for a roll on its own."""
        return next((group for group in self.roll_groups if roll.why in group), frozenset())


@dataclass(frozen=True)
class Opening:
    """An act that can be done now, and by which units. `due`: the rules demand it before the phase goes on."""

    act: str
    actors: tuple[str, ...]
    due: bool = False


class Companion(ABC, Generic[S]):
    """A ruleset at a real table. A ruleset derives a class from this one and names it in `Ruleset.companion`.

    The book of the evening is a state of the ruleset, as in play. Positions in it mean nothing, except that a ruleset
    may use them to say which units stand together: people measure.
    """

    acts: ClassVar[Sequence[CompanionAct[Any]]] = ()
    """All acts of the rules, in the order of the rulebook. `act_named` also has those of `game_acts`."""
    places: ClassVar[Collection[str]] = (MOVED,)
    """The parts of a unit's condition that are positions, which the companion does not know."""
    samples: ClassVar[int] = 400
    """Plays for the odds of an act whose outcomes are too many to count: as many as take a second or two."""
    card_draws: ClassVar[Collection[str]] = ()
    """The purposes of draws for which people have cards. For others, such as the man who is hit, they throw a die."""
    crew: ClassVar[Mapping[str, int]] = {}
    """The figures that serve a gun of an arm, unless the list of forces says how many; 5 for arms that are not here."""

    def __init__(self, game: Game[S]) -> None:
        self.game = game
        self.act_named = {act.name: act for act in (*self.acts, *self.game_acts())}

    def game_acts(self) -> Iterable[CompanionAct[S]]:
        """Return the acts of this game in addition to those of the rules, such as the actions of its house rules."""
        return ()

    @abstractmethod
    def start(self) -> S:
        """Return the state at the start of the evening, with all units set up and in the first phase."""

    @abstractmethod
    def openings(self, state: S) -> Sequence[Opening]:
        """Return the acts that are possible or due in the present phase; empty if there is nothing left to do in it."""

    @abstractmethod
    def advance(self, state: S) -> None:
        """Move on to the next phase or stage of the sequence of play, with everything that ends with the present
        one.
        """

    def act_of_next(self, state: S) -> str:
        """Return the act by which `next` goes on, such as the end of an activation, because it may have questions.

        "" if `next` only leaves out what is possible or due.
        """
        return ""

    def left_out_by_next(self, state: S, due: Sequence[str]) -> str:
        """Return in words what `next` leaves out; "" for nothing. `due` are the acts that the rules demand."""
        return f"left out: {', '.join(due)}" if due else ""

    def tidy(self, before: S, after: S, events: Sequence[Event]) -> None:
        """Undo the layout of an act in the state after it: everything that is not a result. `events` are those of the
        act.
        """

    def is_over(self, state: S) -> bool:
        """Return True if the battle is over."""
        return self.game.play.next_step(state) is None

    def headline(self, state: S) -> str:
        """Return one line that says where play stands: turn, phase, and whose it is."""
        return self.game.display.headline(state)

    def acting_side(self, state: S) -> str:
        """Return the side whose phase it is, "" for both."""
        return ""

    def title_of(self, state: S, act: CompanionAct[S], scene: Scene) -> str:
        """Return an act as a headline of the book, with its actor and target. `state` is the one before the act."""
        name_of = self.game.narrator.name_of
        at = f" ({name_of(scene.target)})" if scene.target else ""
        return f"{name_of(scene.actor)}: {act.title}{at}" if scene.actor else act.title

    def describe_event(self, event: Event) -> str:
        """Return an event as a sentence for people who move the figures themselves; "" if it needs none.

        The table `real_table` of the ruleset's `words.yaml` has the sentences that differ from those of play.
        """
        narrator = self.game.narrator
        template = narrator.words.tables.get("real_table", {}).get(event.kind)
        if template is None:
            edge = str(event.data.get("edge", ""))
            said = narrator.describe_event(event)
            return said.replace(f"the {edge} edge", edge_phrase(self.game.scenario, edge)) if edge else said
        return fill(template, event.data, lambda value: narrator.name_of(str(value)), words=narrator.words)

    def sentences(self, events: Sequence[Event]) -> Sequence[str]:
        """Return what happened in an act, one sentence for equal events."""
        told = Counter(sentence for event in events if (sentence := self.describe_event(event)))
        return [sentence if times == 1 else f"{sentence}, {times} times" for sentence, times in told.items()]

    def strength_lines(self, before: S, after: S, told: Sequence[str]) -> Sequence[str]:
        """Return for each unit that an act has weakened how much of it is left, unless the sentences `told` say so.

        The others see the units with nothing left: a sentence tells of their end.
        """
        found = []
        for side in self.game.seats:
            for unit in self.units(after, side):
                left, most = self.strength_boxes(after, unit)
                if 0 < left < self.strength_boxes(before, unit)[0]:
                    name = self.game.narrator.name_of(unit)
                    if not any(name in sentence and f"{left} left" in sentence for sentence in told):
                        found.append(f"{name}: {left} of {amount(most, self.game.narrator.loss_noun)} left")
        return found

    def describe(self, state: S, question: Question) -> str:
        """Return a question of the rules as a sentence."""
        return self.game.narrator.describe(state, question)

    def describe_card(self, question: Draw, card: str) -> str:
        """Return a card of a draw as players name it."""
        return self.game.narrator.describe_card(question, card)

    def cards_in_order(self, question: Draw) -> Sequence[str]:
        """Return the cards of a draw in the order in which people look for them: "man 2" before "man 10"."""
        return sorted((card for card, _ in question.cards), key=_in_natural_order)

    def die_of_draw(self, question: Draw) -> tuple[int, Mapping[str, str]]:
        """Return the sides of a die that stands for a draw without cards, and its numbers for each name, such as
        "2 to 4"; (0, {}) if people have cards.
        """
        copies = dict(question.cards)
        if question.why in self.card_draws or question.seat is not None:
            return 0, {}
        names = self.cards_in_order(question)
        numbers = numbers_of_draw([(name, copies[name]) for name in names])
        return sum(copies.values()), dict(zip(names, numbers, strict=True))

    def card_named(self, question: Draw, typed: str) -> str | None:
        """Return the card of a draw that people name in their own words, such as a playing card; None if unknown."""
        return None

    def describe_option(self, state: S, question: Choose, option: Option) -> str:
        """Return an option of a question in words."""
        return self.game.narrator.describe_option(state, question, option)

    def describe_throw(self, question: Roll, answer: Answer, faces: Sequence[int]) -> str:
        """Return the faces of a throw and what they mean."""
        return dice_text(Answered(question, answer, tuple(faces)))

    def note_on_throw(self, question: Roll | Draw, given: Sequence[Answered]) -> str:
        """Return a sentence that explains a roll or draw after those already `given` in the act; "" for none."""
        return ""

    def note_on_unit(self, state: S, act: str, unit: str) -> str:
        """Return what people should know of a unit before they choose it for an act, such as its cost; "" for
        nothing.
        """
        return ""

    def face_names(self, question: Roll) -> Mapping[int, str]:
        """Return the names of the faces of special dice, such as "flag"; empty for dice with numbers."""
        return {}

    @abstractmethod
    def unit_line(self, state: S, unit: str) -> str:
        """Return what the book says of a unit, after its name: strength, marks, leader."""

    @abstractmethod
    def strength_boxes(self, state: S, unit: str) -> tuple[int, int]:
        """Return how many bases, figures or points of a unit are left, and how many it had."""

    def is_on_table(self, state: S, unit: str) -> bool:
        """Return True if a unit is on the table."""
        return self.strength_boxes(state, unit)[0] > 0

    def bring_back(self, state: S, unit: str) -> None:
        """Correct the loss of a unit: put it back on the table.

        By default only the umpire editor does so, when it sets the strength of the unit.
        """

    def record_id(self, unit: str) -> str:
        """Return the id under which the state holds a unit or another piece that the companion lists."""
        return unit

    def changes(self, before: S, after: S, target: str = "") -> tuple[UnitChange, ...]:
        """Return the changes to units between two states, without positions; that `target` moves is one."""
        found = self.game.display.changes(before, after)
        moves = any(change.unit == target and change.what in self.places for change in found)
        others = tuple(change for change in found if change.what not in self.places)
        return (*others, UnitChange(target, "moves", False, True)) if moves else others

    def units(self, state: S, side: str) -> Sequence[str]:
        """Return the units and other pieces of a side, in the order of the scenario."""
        return self.game.display.pieces(state).get(side, ())

    def side_of(self, state: S, unit: str) -> str:
        """Return the side of a unit, "" for none."""
        return next((side for side in self.game.seats if unit in self.units(state, side)), "")

    def cards(self, state: S, seat: str | None) -> Sequence[CardRow]:
        """Return the cards that a seat may see; empty if the rules have none."""
        return self.game.display.cards(self.game.sight.view(state, seat) if seat else state, seat)

    def cards_of(self, state: S, seats: Sequence[str]) -> list[CardRow]:
        """Return the cards that the holder of some seats may see. With several seats each hand is shown once, open,
        with the name of its side.
        """
        if len(seats) == 1:
            return list(self.cards(state, seats[0]))
        rows: dict[CardRow, None] = {}
        for seat in seats:
            for row in self.cards(state, seat):
                if row.side == seat:
                    row = replace(row, title=f"Hand of {in_a_sentence(self.game.narrator.name_of(seat))}")
                if row.side in ("", seat):
                    rows[row] = None
        return list(rows)

    def facts_of(self, tally: Tally) -> Mapping[str, Any]:
        """Return the facts of a modifier breakdown by name, as the act used them."""
        names = getattr(type(tally.facts), "__dataclass_fields__", ())
        return {name: getattr(tally.facts, name) for name in names}
