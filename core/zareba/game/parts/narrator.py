"""The narrator of a game: names, questions, options, cards, events and changes in words for people."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from itertools import count, takewhile
from string import Formatter
from typing import Any, TypeAlias

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, with_unit
from zareba.battle.fallbacks import FAULTS, default_event, default_name, default_question
from zareba.battle.sentence_templates import (
    Words,
    event_text,
    fill,
    is_fight,
    question_text,
    runner,
    shooter,
    words_of_ruleset,
)
from zareba.game.parts.display import MOVED, UnitChange
from zareba.game.parts.part import GameOfParts, Part, S
from zareba.game.parts.sight import Sight
from zareba.presentation.landmarks import NO_LANDMARKS, Landmarks
from zareba.table.questions import Choose, Confirm, Draw, Event, Option, Place, Question, Roll, mentions

_Worded: TypeAlias = Mapping[str, tuple[str, str]]
"""Templates of house rules with the rule's name, by what each is for: `event dust`."""


class Narrator(Part[S]):
    """Puts a game into words. This one uses the ruleset's `presentation/words.yaml`, and plain sentences without it."""

    length: str = "inches"
    """The unit of length of a measured table."""
    counted_as: Mapping[str, tuple[str, str, str]] = {"figures": ("figure", "lost", "back")}
    """Words for changes of numbers in `condition`: the thing counted, the word for fewer, the word for more."""

    @property
    def loss_noun(self) -> str:
        """The thing that a unit loses, in the singular: the first one of `counted_as`."""
        return next(iter(self.counted_as.values()))[0]

    def __init__(self, game: GameOfParts[S]) -> None:
        super().__init__(game)
        self._known: dict[tuple[str, str], bool] = {}

    def name_of(self, word: str) -> str:
        """Return the name of a unit, leader, side, object or terrain piece; any other word with spaces for underscores.

        A ruleset adds the names of the pieces that it makes out of the scenario's units.
        """
        scenario = self.game.scenario
        for named in (scenario.units, scenario.leaders, scenario.sides, scenario.objects):
            if word in named:
                return named[word].name
        ground = scenario.terrain.get(word)
        return word.replace("_", " ") if ground is None else ground.name or ground.kind.replace("_", " ")

    def is_leader(self, word: str) -> bool:
        """Return True for the id of a piece that is one leader: he falls, while a unit loses figures. A ruleset adds
        the leaders that it makes out of the scenario's units.
        """
        return word in self.game.scenario.leaders

    def describe(self, state: S, question: Question) -> str:
        """Return the question as a sentence for players, in the words of these rules if they have any."""
        if isinstance(question, (Roll, Draw)) or question.why not in self.words.questions:
            return default_question(self, question)
        return question_text(
            self.words,
            question,
            {"actor": default_name(self, question.actor), "seat": default_name(self, question.seat)},
        )

    def describe_option(self, state: S, question: Choose, option: Option) -> str:
        """Return one option as a phrase for players, in the words of these rules if any (`{what}`: its target)."""
        word, *rest = option if isinstance(option, tuple) else (option,)
        template = self.words.options.get(str(word))
        if template is None:
            return default_name(self, option)
        return fill(template, {"what": default_name(self, rest)}, str, words=self.words)

    def why_not(self, state: S, question: Choose, *, piece: str = "", cell: int | None = None) -> str:
        """Return one sentence that says why a piece, a box or a hex is not an option of a question.

        `piece` is a unit or another piece on the board, `cell` the number of a box or hex. A ruleset names the rule
        that forbids it; this text gives only the facts that the umpire's ruler knows, or the places that are open.
        """
        actor = question.actor
        if not piece:
            who = self.name_of(actor) if actor and actor != question.seat else ""
            return f"This is not open to {who} now." if who else "This is not one of the choices now."
        name = self.name_of(piece)
        facts = self.game.umpire_editor().measurements(state, actor, piece) if actor not in ("", piece) else ()
        if facts:
            return f"{name} cannot be chosen now. From {self.name_of(actor)}: {'; '.join(facts)}."
        return f"{name} cannot be chosen now."

    def describe_card(self, question: Draw, card: str) -> str:
        """Return a drawn card as a phrase for players. A random pick among figures or units is a draw too."""
        return card.replace("_", " ")

    def describe_event(self, event: Event) -> str:
        """Return an event as a sentence, in the words of these rules or the core; "" if the event needs no report."""
        return event_text(self.words, event, self.name_of)

    @cached_property
    def words(self) -> Words:
        """The sentences of these rules from `presentation/words.yaml` next to them; empty without such a file."""
        return words_of_ruleset(self.game.rules.ruleset.folders)

    @cached_property
    def landmarks(self) -> Landmarks:
        """The named places by which a log describes a point; a ruleset with an open table returns those of its
        battle.
        """
        return NO_LANDMARKS

    def firing_piece(self, event: Event) -> str:
        """Return the unit or gun that fired in an event, "" if none did. Displays draw smoke in front of it."""
        return shooter(self.words, event)

    def fleeing_piece(self, event: Event) -> str:
        """Return the unit or figure that ran away in an event, "" if none did. Displays draw its trail broken."""
        return runner(self.words, event)

    def is_fight(self, event: Event) -> bool:
        """Return True if an event is a close combat. Displays draw crossed swords between the two sides."""
        return is_fight(self.words, event)

    def describe_change(self, change: UnitChange) -> str:
        """Return a change to a unit as a sentence without a full stop."""
        name, (_, what, was, now) = self.name_of(change.unit), change
        if isinstance(was or now, bool):
            return f"{name}: {what}" if now else f"{name}: no longer {what}"
        if isinstance(was, str) or isinstance(now, str):
            return f"{name}: {what} {now}" if now else f"{name}: no longer {what} {was}"
        if what == MOVED:
            return f"{name}: moved {with_unit(now, self.length)}"
        if what in self.counted_as:
            singular, fewer, more = self.counted_as[what]
            return f"{name}: {amount(abs(was - now), singular)} {fewer if was > now else more}"
        return f"{name}: {what} from {was:g} to {now:g}"

    def knows_question(self, state: S, question: Question) -> bool:
        """Return True if these rules have words for a question. The core words those that only a house rule asks."""
        kind = type(question).__name__, question.why
        if kind not in self._known:
            try:
                self.describe(state, question)
                self._known[kind] = True
            except FAULTS:
                self._known[kind] = False
        return self._known[kind]


class _WrappedNarrator(Narrator[S]):
    """A narrator that passes on what another one says."""

    def __init__(self, inner: Narrator[S]) -> None:
        super().__init__(inner.game)
        self.inner = inner
        self.length, self.counted_as = inner.length, inner.counted_as

    @cached_property
    def words(self) -> Words:
        return self.inner.words

    def name_of(self, word: str) -> str:
        return self.inner.name_of(word)

    def is_leader(self, word: str) -> bool:
        return self.inner.is_leader(word)

    def describe(self, state: S, question: Question) -> str:
        return self.inner.describe(state, question)

    def describe_option(self, state: S, question: Choose, option: Option) -> str:
        return self.inner.describe_option(state, question, option)

    def why_not(self, state: S, question: Choose, *, piece: str = "", cell: int | None = None) -> str:
        return self.inner.why_not(state, question, piece=piece, cell=cell)

    def describe_card(self, question: Draw, card: str) -> str:
        return self.inner.describe_card(question, card)

    def describe_event(self, event: Event) -> str:
        return self.inner.describe_event(event)

    def describe_change(self, change: UnitChange) -> str:
        return self.inner.describe_change(change)

    @cached_property
    def landmarks(self) -> Landmarks:
        return self.inner.landmarks

    def firing_piece(self, event: Event) -> str:
        return self.inner.firing_piece(event)

    def fleeing_piece(self, event: Event) -> str:
        return self.inner.fleeing_piece(event)

    def is_fight(self, event: Event) -> bool:
        return self.inner.is_fight(event)

    def knows_question(self, state: S, question: Question) -> bool:
        return self.inner.knows_question(state, question)


class NarratorWithFallbacks(_WrappedNarrator[S]):
    """The ruleset's narrator, with plain sentences for questions and events of house rules that it does not know."""

    def describe(self, state: S, question: Question) -> str:
        if self._foreign(state, question):
            return default_question(self, question)
        try:
            return self.inner.describe(state, question)
        except FAULTS:
            return default_question(self, question)

    def describe_option(self, state: S, question: Choose, option: Option) -> str:
        if self._foreign(state, question):
            return default_name(self, option)
        try:
            return self.inner.describe_option(state, question, option)
        except FAULTS:
            return default_name(self, option)

    def why_not(self, state: S, question: Choose, *, piece: str = "", cell: int | None = None) -> str:
        if self._foreign(state, question):
            return Narrator.why_not(self, state, question, piece=piece, cell=cell)
        return self.inner.why_not(state, question, piece=piece, cell=cell)

    def describe_card(self, question: Draw, card: str) -> str:
        try:
            return self.inner.describe_card(question, card)
        except FAULTS:
            return default_name(self, card)

    def describe_event(self, event: Event) -> str:
        try:
            return self.inner.describe_event(event)
        except FAULTS:
            return default_event(self, event)

    def _foreign(self, state: S, question: Question) -> bool:
        return isinstance(question, (Choose, Place, Confirm)) and not self.inner.knows_question(state, question)


class NarratorWithWords(_WrappedNarrator[S]):
    """A narrator with the words of house rules (`zareba_words`)."""

    def __init__(self, inner: Narrator[S], worded: _Worded) -> None:
        super().__init__(inner)
        self._worded = worded

    def describe(self, state: S, question: Question) -> str:
        worded = self._worded.get(f"question {question.why}")
        if worded is None:
            return self.inner.describe(state, question)
        seat = getattr(question, "seat", None) or ""
        return self._filled(worded, {"actor": question.actor, "seat": seat, "side": seat})

    def describe_option(self, state: S, question: Choose, option: Option) -> str:
        head, *rest = option if isinstance(option, tuple) and option else (option,)
        worded = self._worded.get(f"option {head}")
        # a kind of act has the same word as its acts, but no target yet
        if worded is None or _parts_named(worded[1]) > len(rest):
            return self.inner.describe_option(state, question, option)
        return self._filled(
            worded, {"actor": question.actor, **{str(index): word for index, word in enumerate(rest, 1)}}
        )

    def describe_card(self, question: Draw, card: str) -> str:
        worded = self._worded.get(f"card {card}")
        return self.inner.describe_card(question, card) if worded is None else worded[1]

    def describe_event(self, event: Event) -> str:
        worded = self._worded.get(f"event {event.kind}")
        return self.inner.describe_event(event) if worded is None else self._filled(worded, event.data)

    def _filled(self, worded: tuple[str, str], data: Mapping[str, Any]) -> str:
        rule, template = worded
        words = {name: default_name(self, value) for name, value in data.items()}
        numbered = list(takewhile(lambda word: word is not None, (words.get(str(place)) for place in count(1))))
        try:
            return template.format("", *numbered, **words)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            raise ZarebaError(
                f"the text '{template}' of the house rule '{rule}' uses an unknown field ({error}); "
                f"known are {', '.join(data) or 'none'}"
            ) from error


class NarratorInView(_WrappedNarrator[S]):
    """A narrator that does not name pieces that the state, the view of a seat, does not show."""

    def __init__(self, inner: Narrator[S], sight: Sight[S]) -> None:
        super().__init__(inner)
        self._sight = sight

    def describe_option(self, state: S, question: Choose, option: Option) -> str:
        known = self._sight.known_pieces
        if mentions(frozenset(known(self.game.origin)).difference(known(state)), option):
            return "an enemy out of sight"
        return self.inner.describe_option(state, question, option)


@cache
def _parts_named(template: str) -> int:
    """Return how many parts of an option a template uses: 2 for `{1} at {2}` and for `{} at {}`."""
    names = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
    return max([int(name) for name in names if name.isdigit()] + [names.count("")])
