"""A game: one scenario under one set of resolved rules, as everything that plays, shows or weighs it needs it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from zareba.base.amounts import amount
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.exact import dist
from zareba.base.state import Record
from zareba.battle.appraisal import Appraisal
from zareba.battle.dressing import dress
from zareba.battle.templates import Words, asked, filled, shooter, told, words_of
from zareba.battle.unforeseen import FAULTS, STAND_INS, plain, plain_option, plain_question, with_stand_in
from zareba.game.activation import Policy, Step, policy_named
from zareba.people.board import labelled, parted
from zareba.people.byhand import Hand
from zareba.people.outcome import Outcome
from zareba.scenario.law import judge
from zareba.table import Answer, Choose, Confirm, Draw, Event, Option, Place, Point, Question, Roll, Table
from zareba.table.questions import one_by_one

if TYPE_CHECKING:
    from zareba.people.board import Awaited, Board
    from zareba.people.roster import Roster
    from zareba.rules import Rules
    from zareba.scenario import Scenario
    from zareba.scenario.standing import Standing

__all__ = ["DECLINING", "HOLDING", "Change", "Game", "OrderOfPlay", "State"]

HOLDING = frozenset(
    {"done", "end", "halt", "hold", "hold fire", "no more", "nobody", "none", "nothing", "pass", "stay", "stop"}
)
"""The words of options by which a player does nothing more, the same in all rule systems."""
DECLINING = HOLDING | {"answer none", "does not fight", "no melee", "no more orders", "nobody else"}
"""Those by which he declines what is asked, though it may be to his harm."""

S = TypeVar("S", bound=Record)
P = TypeVar("P", bound=Policy)
Played = TypeVar("Played", contravariant=True)


MOVED = "moved"
"""How far the men of a unit have come, in whole units of length."""

State: TypeAlias = "float | bool | str"
"""How a unit is off in some way: so much, so or not, or in which way."""


class Change(NamedTuple):
    """What has become of a unit of the scenario: the word by which it is told, what it was and what it is."""

    unit: str
    what: str
    was: State
    now: State


class OrderOfPlay(Protocol[Played]):
    """What carries out the steps of a ruleset."""

    def perform(self, table: Table, battle: Played, step: Step, /) -> None:
        """Carry out a step, changing the state."""
        ...


class Game(ABC, Generic[S]):
    """One scenario under one set of resolved rules. Holds no state of play: states go in and out.

    `seats` are the ids of the sides, in the order of the scenario. `solo` are the sides that the rules
    run by their own tables, without asking anybody; only rulesets that say so (`Ruleset.solo`) are given any.
    `untranslated` lists what the scenario says and these rules cannot express. `policy` says what is next, `sequence` does it.
    """

    rules: Rules
    scenario: Scenario
    seats: tuple[str, ...]
    solo: frozenset[str]
    untranslated: tuple[str, ...]
    policy: Policy
    sequence: OrderOfPlay[S]

    appraises: ClassVar[bool] = True
    """Whether these rules know what options are worth; else commanders play them on (`zareba.agents.commander`)."""
    length: ClassVar[str] = "inches"
    """The unit of length of a table that is measured."""
    counted_as: ClassVar[Mapping[str, tuple[str, str, str]]] = {"figures": ("figure", "lost", "back")}
    """What `condition` counts: one of them, and what is said of those that are fewer and of those that are more."""
    hand: ClassVar[type[Hand[Any]]] = Hand
    """What an umpire may set by hand; the core's own reaches little."""

    _own: ClassVar[Mapping[str, Callable[..., Any]]] = {}

    def __init_subclass__(cls) -> None:
        """What a ruleset's game does not know under house rules, the core says in its stead (`zareba.battle.unforeseen`)."""
        super().__init_subclass__()
        own = {name: vars(cls)[name] for name in STAND_INS if name in vars(cls)}
        cls._own = {**cls._own, **own}
        for name, known in own.items():
            setattr(cls, name, with_stand_in(known, STAND_INS[name]))

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        self.rules = rules
        self.scenario = scenario
        self.seats = tuple(scenario.sides)
        self.solo = solo
        self.untranslated = ()
        self._foreseen: dict[tuple[str, str], bool] = {}
        self._may_hide: dict[str, bool] = {}
        self._of_session = rules
        if rules.house_rules or rules.sometimes:
            self.rules = replace(rules, playing=self)
            dress(self)

    @abstractmethod
    def start(self) -> S:
        """The state before the first step."""

    @cached_property
    def origin(self) -> S:
        """A state before the first step, for what never changes; nobody plays on in it."""
        return self.start()

    def from_data(self, data: dict[str, Any]) -> S:
        """A state from the JSON data that its `to_data` gave."""
        return type(self.origin).from_data(data, like=self.origin)

    def activation(self, kind: type[P]) -> P:
        """The activation policy that the rules name, or that a house rule puts in its place; it must be a `kind`.

        Raises ZarebaError when it is not, or when a house rule wraps a step that the policy does not have.
        """
        rules = self.rules
        make_named = policy_named(rules.book.activation)
        swap = rules.policy_hook
        if swap is None:
            policy = make_named(rules.book.sequence, self.seats)
        else:
            hook, make = swap
            policy = hook.run(make, None, rules.book.sequence, self.seats)
        if not isinstance(policy, kind):
            wrong = ZarebaError(
                f"{policy!r} cannot order the play of {rules.ruleset.id}, which needs a {kind.__name__}"
            )
            raise wrong if swap is None else swap[0].blame(wrong)
        for name, hook in rules.step_hooks.items():
            if name not in policy.steps:
                raise hook.blame(unknown_name(f"step of {rules.ruleset.id} called", name, policy.steps))
        rules.turn_of = self._of_session.turn_of = policy.game_turn
        return policy

    def next_step(self, state: S) -> Step | None:
        """The next step of play; None when the game is over."""
        return self.policy.next_step(state)

    def game_turn(self, state: S) -> int:
        """The game turn of a state, 0 while it is set up: one turn of all sides, the same in all systems.

        It is what lengths of games, turn limits of scenarios and whatever is counted "a turn" are measured in.
        """
        return self.policy.game_turn(state)

    def perform(self, table: Table, state: S, step: Step) -> None:
        """Carry out a step, changing `state`; with what house rules do before it, after it or instead."""
        wrapped = self.rules.step_wraps.get(step.name)
        if wrapped is None:
            self.sequence.perform(table, state, step)
        else:
            wrapped(partial(self._undisturbed, step), table, state)

    def _undisturbed(self, step: Step, table: Table, state: S) -> None:
        self.sequence.perform(table, state, step)

    def between(self, table: Table, state: S, step: Step) -> None:
        """What is done before `step`, between two; by the rules nothing, by house rules what they have put off till then."""

    def outcome(self, state: S) -> Outcome:
        """How things stand; final once `next_step` gives None. By the rules' own law where they have one."""
        return self.own_outcome(state) or self.common_outcome(state)

    def printed_outcome(self, state: S) -> Outcome:
        """How things stand before house rules have had their say; the same without any."""
        return self.outcome(state)

    def common_outcome(self, state: S) -> Outcome:
        """How things stand by the common law (`zareba.scenario.law`), by which systems are compared."""
        return judge(self.standing(state), self.ending(state))

    def own_outcome(self, state: S) -> Outcome | None:
        """How things stand by a law of victory of these rules; None where they leave that to the scenario."""
        return None

    def ending(self, state: S) -> str:
        """The reason in one word why the battle is over, "" while it goes on."""
        ending: str = getattr(state, "ending", "")
        return ending

    @abstractmethod
    def standing(self, state: S) -> Standing[Any]:
        """How the battle stands, in the terms in which scenarios score."""

    def strength(self, state: S) -> dict[str, float]:
        """Per side, the share of its strength that is left, from 0 to 1; who went off by right is."""
        standing = self.standing(state)
        return {side: standing.strength(side) for side in self.seats}

    def view(self, state: S, seat: str) -> S:
        """What `seat` may see of `state`: all of it, unless the rules hide something."""
        return state

    def public(self, state: S) -> S:
        """What everybody may see of `state`: what is left when nobody's secrets are shown."""
        for seat in self.seats:
            state = self.view(state, seat)
        return state

    def hidden_pieces(self, state: S, seat: str) -> frozenset[str]:
        """Return the pieces of `state` that `seat` does not see; "" stands for a watcher."""
        seen = self.view(state, seat) if seat else self.public(state)
        if seen is state:
            return frozenset()
        named = self.by_hand().named
        return frozenset(named(state).keys() - named(seen).keys())

    def secrets(self, state: S, seat: str) -> frozenset[str]:
        """Return a name for each thing in `state` that is secret from `seat`: hidden pieces, and more under some rules.

        When a name goes, the seat has learned something.
        """
        return self.hidden_pieces(state, seat)

    def may_hide(self, seat: str) -> bool:
        """Return True if pieces can be hidden from `seat` during the game; "" stands for a watcher."""
        if seat not in self._may_hide:
            hides = bool(self.rules.game_hooks.get("zareba_view"))
            self._may_hide[seat] = hides or bool(self.hidden_pieces(self.origin, seat))
        return self._may_hide[seat]

    def imagine(self, state: S, seat: str, luck: int) -> S:
        """A state that may be the real one for all that `seat` knows, to be played on: what it does not see is made up.

        Unless the rules can do better, what a seat does not see is not there. The same `luck` makes up the same.
        """
        return self.view(state, seat).copy()

    def name_of(self, word: str) -> str:
        """The name of a unit, leader, side or piece of ground; any other word as people write it.

        A ruleset adds the names of those whom it makes out of the scenario's units.
        """
        scenario = self.scenario
        for named in (scenario.units, scenario.leaders, scenario.sides):
            if word in named:
                return named[word].name
        ground = scenario.terrain.get(word)
        return word.replace("_", " ") if ground is None else ground.name or ground.kind.replace("_", " ")

    def foresees(self, state: S, question: Question) -> bool:
        """Whether these rules have words for a question; those that only a house rule asks are put by the core."""
        kind = type(question).__name__, question.why
        if kind not in self._foreseen:
            describe: Callable[..., str] = self._own.get("describe", Game.describe)
            try:
                describe(self, state, question)
                self._foreseen[kind] = True
            except FAULTS:
                self._foreseen[kind] = False
        return self._foreseen[kind]

    def describe(self, state: S, question: Question) -> str:
        """The question as a sentence for a person: by the words of these rules, plainly where they have none."""
        if isinstance(question, (Roll, Draw)) or question.why not in self.words.questions:
            return plain_question(self, state, question)
        return asked(self.words, question, {"actor": plain(self, question.actor), "seat": plain(self, question.seat)})

    def describe_option(self, state: S, question: Choose, option: Option) -> str:
        """One option as a phrase for a person: by the words for what is done (`{what}`: to whom), plainly where there are none."""
        word, *rest = option if isinstance(option, tuple) else (option,)
        template = self.words.options.get(str(word))
        if template is None:
            return plain_option(self, state, question, option)
        return filled(template, {"what": plain(self, rest)}, str, words=self.words)

    def cell_of(self, state: S, question: Choose, option: Option) -> int | None:
        """The box or hex that an option is about, for those who point at a table; None for what is no place."""
        return None

    def cost_of(self, state: S, question: Choose, option: Option) -> str:
        """What going to the box or hex of an option costs, in a few words; "" where nothing is spent on it."""
        return ""

    def describe_card(self, question: Draw, card: str) -> str:
        """A card that was drawn, as a phrase for a person; a lot cast among men or units is a draw too."""
        return card.replace("_", " ")

    def describe_event(self, event: Event) -> str:
        """Something that happened, as a sentence, by the words of these rules or the core's; empty for what needs no telling."""
        return told(self.words, event, self.name_of)

    def phases(self, state: S) -> Sequence[tuple[str, bool]]:
        """The phases of a turn in their order, each with whether it is the present one; none if these rules have none."""
        at = self.policy.phase(state)
        return [(entry.title, name == at) for name, entry in self.policy.phases.items()]

    def headline(self, state: S, *whose: str) -> str:
        """Where play stands, in one line, and whose turn it is if that is told."""
        phase = next((title for title, is_now in self.phases(state) if is_now), "setting up")
        return " · ".join((f"Turn {self.game_turn(state)} of {self.scenario.turns}", *whose, phase))

    @cached_property
    def words(self) -> Words:
        """The sentences of these rules: what stands in `people/words.yaml` beside them, none unless told."""
        file = self.rules.ruleset.folder / "people" / "words.yaml"
        return words_of(file) if file.exists() else Words()

    def fired(self, event: Event) -> str:
        """The unit or gun that has fired in what happened, "" where nobody has: smoke hangs before it."""
        return shooter(self.words, event)

    @abstractmethod
    def board(self, state: S) -> Board:
        """What lies on the table, ready to be drawn; `drawn` adds what is the same under all rules."""

    def pieces(self, state: S) -> Mapping[str, Sequence[str]]:
        """The ids of all pieces that are or may yet be on the board, by side, in an order that is the same all game.

        Those of whom the enemy may not know at first come late, so that no gap betrays them; who comes into being in
        play comes last.
        """
        units, leaders = self.scenario.units, self.scenario.leaders

        def begins_hidden(piece: str) -> bool:
            unit = units.get((leaders[piece].unit if piece in leaders else piece) or "")
            return unit is not None and unit.hidden

        found: dict[str, list[str]] = {}
        for side in self.seats:
            openly, hidden = parted([*self.scenario.units_of(side), *self.scenario.leaders_of(side)], begins_hidden)
            found[side] = [*openly, *hidden]
        return found

    def awaited(self, state: S) -> Sequence[Awaited]:
        """Who is still to be set up or to arrive, as far as `state` shows; see `zareba.people.telling.due` for when."""
        return ()

    def drawn(self, state: S) -> Board:
        """The board, with the labels of its pieces, which stay the same all game, and with those still to come."""
        board, listed = self.board(state), self.pieces(state)
        found = {side: [piece.id for piece in board.pieces if piece.side == side] for side in board.sides}
        labels = labelled({side: list(dict.fromkeys([*listed.get(side, ()), *ids])) for side, ids in found.items()})
        order = {piece: place for place, piece in enumerate(labels)}
        awaited = sorted(self.awaited(state), key=lambda one: order.get(one.id, len(order)))
        return replace(board, labels=labels, awaited=tuple(awaited))

    def roster(self, state: S, seat: str | None = None) -> Roster | None:
        """The roster of a seat, or of all; None unless the rules keep one of single figures."""
        return None

    def odds_for(self, state: S, question: Question, option: Option) -> Sequence[tuple[str, str, Any]]:
        """The odds worth seeing before `option` is taken (True: yes); none unless told.

        As (title, procedure, facts), with what is done in the game as it stands for facts: see `zareba.odds.before_choice`.
        """
        return ()

    def has_odds(self, state: S, question: Question, option: Option) -> bool:
        """Return True if odds are worth seeing before `option` is taken; a ruleset may answer without laying them out."""
        return bool(self.odds_for(state, question, option))

    def consequences(self, before: S, state: S, step: Step) -> bool:
        """Whether `step`, next in `state`, still belongs to what was begun in `before`; none does unless told."""
        return False

    def settled(self, before: S, state: S, question: Roll | Draw) -> Answer | None:
        """The fall of dice that were due before what was begun in `before`, and that do not bear on it: one that leaves all
        as it is. None for dice that do; unless told, all do.
        """
        return None

    def by_hand(self) -> Hand[S]:
        """What an umpire may set by hand in this game."""
        return self.hand(self)

    def hold(self, question: Choose | Place | Confirm) -> Answer:
        """What a player answers who does nothing more: the option that says so, else the first; no; the first place."""
        if isinstance(question, Confirm):
            return False
        if isinstance(question, Place):
            return question.suggestions[0]
        options = question.options
        return next((option for option in one_by_one(options) if option in HOLDING), None) or options[0]

    def waits(self, question: Choose | Place | Confirm) -> bool:
        """Whether everybody does nothing more at such a question, while what was begun is settled."""
        return False

    def condition(self, state: S) -> Mapping[str, Mapping[str, State]]:
        """How each unit of the scenario is off, by word: the figures that it has left, as the scenario counts them.

        A ruleset adds all by which its rules tell units apart that have fought from others: what is counted, what is so or
        not, and what is in some way or place ("" for none).
        """
        standing = self.standing(state)
        units = self.scenario.units
        return {name: {"figures": round(standing.share_left((name,)) * units[name].figures, 3)} for name in units}

    def places(self, state: S) -> Mapping[str, Mapping[str, Point]]:
        """Where the men of each unit stand, on tables that are measured; the others say it in the `condition`."""
        return {}

    def changes(self, before: S, after: S) -> tuple[Change, ...]:
        """What has become of the units between two states: by `condition`, and how far the men of each have come (`places`)."""
        return self.changes_since(before)(after)

    def changes_since(self, before: S) -> Callable[[S], tuple[Change, ...]]:
        """The same of many states that have come of one."""
        was, stood = self.condition(before), self.places(before)

        def changes(after: S) -> tuple[Change, ...]:
            now, stands = self.condition(after), self.places(after)
            found: list[Change] = []
            for unit, said in was.items():
                if said != now[unit]:
                    for what, one in {**dict.fromkeys(now[unit], 0), **said}.items():
                        other = now[unit].get(what, 0)
                        if one != other:
                            found.append(Change(unit, what, one, other))
                there = stands.get(unit, {})
                ways = [dist(at, there[man]) for man, at in stood.get(unit, {}).items() if there.get(man, at) != at]
                if ways and (far := round(max(ways))):
                    found.append(Change(unit, MOVED, 0, far))
            return tuple(found)

        return changes

    def describe_change(self, change: Change) -> str:
        """What has become of a unit, as a sentence without its full stop."""
        name, (_, what, was, now) = self.name_of(change.unit), change
        if isinstance(was or now, bool):
            return f"{name}: {what}" if now else f"{name}: no longer {what}"
        if isinstance(was, str) or isinstance(now, str):
            return f"{name}: {what} {now}" if now else f"{name}: no longer {what} {was}"
        if what == MOVED:
            return f"{name}: moved {now:g} {self.length}"
        if what in self.counted_as:
            one, fewer, more = self.counted_as[what]
            return f"{name}: {amount(abs(was - now), one)} {fewer if was > now else more}"
        return f"{name}: {what} {was:g} to {now:g}"

    def prospect(self, state: S, seat: str) -> float:
        """How well a side is placed for what the scenario asks of it, in figures; nothing is known unless told."""
        return 0.0

    @abstractmethod
    def appraise(self, state: S, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
        """What each option is worth, in the order of the options (for Confirm: no, yes)."""

    def best_places(self, state: S, question: Place) -> Mapping[Point, Appraisal]:
        """The suggested points that are worth weighing, in their order, and what each is worth.

        All of them, unless a ruleset can tell which promise most, whatever the temper, before it knows which are legal.
        """
        return dict(zip(question.suggestions, self.appraise(state, question), strict=True))

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Appraisal]:
        """As `best_places`, of options."""
        return dict(zip(question.options, self.appraise(state, question), strict=True))
