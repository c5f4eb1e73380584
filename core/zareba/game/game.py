"""The game: one scenario played under one set of resolved rules.

`Game` is the interface that every ruleset implements. Drivers, displays, AI players and odds all work through it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from zareba.base.amounts import amount, counted
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.exact import dist
from zareba.base.state import Record
from zareba.battle.evaluation import Evaluation
from zareba.battle.fallbacks import FALLBACKS, FAULTS, default_name, default_option, default_question, with_fallback
from zareba.battle.templates import Words, event_text, fill, question_text, shooter, words_of
from zareba.game.activation import Policy, Step, policy_named
from zareba.game.hooks import apply_hooks
from zareba.presentation.board import assign_labels, parted
from zareba.presentation.outcome import Outcome
from zareba.presentation.umpire_editor import UmpireEditor
from zareba.renamed import METHODS, warn_renamed
from zareba.scenario.victory import judge
from zareba.table import Answer, Choose, Confirm, Draw, Event, Option, Place, Point, Question, Roll, Table
from zareba.table.questions import one_by_one

if TYPE_CHECKING:
    from zareba.presentation.board import ArrivingPiece, Board
    from zareba.presentation.roster import Roster
    from zareba.rules import Rules
    from zareba.scenario import Scenario
    from zareba.scenario.scoreboard import Scoreboard

__all__ = ["DECLINING", "HOLDING", "Game", "OrderOfPlay", "State", "UnitChange"]

HOLDING = frozenset(
    {"done", "end", "halt", "hold", "hold fire", "no more", "nobody", "none", "nothing", "pass", "stay", "stop"}
)
"""The option words that mean "do nothing more". All rulesets use the same ones."""
DECLINING = HOLDING | {"answer none", "does not fight", "no melee", "no more orders", "nobody else"}
"""The option words that decline a question: those of `HOLDING`, and words that may harm the player who declines."""

S = TypeVar("S", bound=Record)
P = TypeVar("P", bound=Policy)
Played = TypeVar("Played", contravariant=True)


MOVED = "moved"
"""The `what` of a `UnitChange` for movement: how far the figures of a unit have moved, in whole units of length."""

State: TypeAlias = "float | bool | str"
"""One aspect of a unit's condition: an amount, a flag, or a word."""


class UnitChange(NamedTuple):
    """A change to one unit of the scenario: `what` has changed, from the value `was` to the value `now`."""

    unit: str
    what: str
    was: State
    now: State


class OrderOfPlay(Protocol[Played]):
    """An object that carries out the steps of a ruleset."""

    def perform(self, table: Table, battle: Played, step: Step, /) -> None:
        """Carry out a step, changing the state."""
        ...


class Game(ABC, Generic[S]):
    """One scenario under one set of resolved rules. It holds no state of play: methods take a state and may change it.

    `seats` are the ids of the sides, in the order of the scenario. `solo` are the sides that the rules run with their
    own charts, without asking a player; it is empty unless the ruleset allows it (`Ruleset.solo`). `untranslated`
    lists the parts of the scenario that these rules cannot express. `policy` decides the next step, `sequence` carries
    it out.
    """

    rules: Rules
    scenario: Scenario
    seats: tuple[str, ...]
    solo: frozenset[str]
    untranslated: tuple[str, ...]
    policy: Policy
    sequence: OrderOfPlay[S]

    has_evaluation: ClassVar[bool] = True
    """True if these rules evaluate options; otherwise AI players play each option on (`zareba.agents.commander`)."""
    length: ClassVar[str] = "inches"
    """The unit of length of a measured table."""
    counted_as: ClassVar[Mapping[str, tuple[str, str, str]]] = {"figures": ("figure", "lost", "back")}
    """Words for changes of numbers in `condition`: the thing counted, the word for fewer, the word for more."""
    editor_class: ClassVar[type[UmpireEditor[Any]]] = UmpireEditor
    """The class that lets an umpire edit a state; the default of the core can edit little."""

    _own: ClassVar[Mapping[str, Callable[..., Any]]] = {}

    def __init_subclass__(cls) -> None:
        """Add fallbacks (`zareba.battle.fallbacks`) to a ruleset's methods, for things unknown under house rules."""
        super().__init_subclass__()
        for old, new in METHODS["Game"].items():
            if old in vars(cls):
                warn_renamed(f"{cls.__name__}.{old}", new)
                setattr(cls, new, vars(cls)[old])
        own = {name: vars(cls)[name] for name in FALLBACKS if name in vars(cls)}
        cls._own = {**cls._own, **own}
        for name, known in own.items():
            setattr(cls, name, with_fallback(known, FALLBACKS[name]))

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        self.rules = rules
        self.scenario = scenario
        self.seats = tuple(scenario.sides)
        self.solo = solo
        self.untranslated = ()
        self._foreseen: dict[tuple[str, str], bool] = {}
        self._may_hide: dict[str, bool] = {}
        self._of_session = rules
        if rules.house_rules or rules.conditional_values:
            self.rules = replace(rules, playing=self)
            apply_hooks(self)

    @abstractmethod
    def start(self) -> S:
        """Return the state before the first step."""

    @cached_property
    def origin(self) -> S:
        """A state before the first step, for reading values that never change. Do not play on in it."""
        return self.start()

    def from_data(self, data: dict[str, Any]) -> S:
        """Return the state described by the JSON data that its `to_data` returned."""
        return type(self.origin).from_data(data, like=self.origin)

    def activation(self, kind: type[P]) -> P:
        """Return the activation policy of the rules or of a house rule that replaces it; it must be a `kind`.

        Raises ZarebaError if it is not, or if a house rule wraps a step that the policy does not have.
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
                f"{policy!r} cannot be the activation policy of {rules.ruleset.id}, which needs a {kind.__name__}"
            )
            raise wrong if swap is None else swap[0].blame(wrong)
        for name, hook in rules.step_hooks.items():
            if name not in policy.steps:
                raise hook.blame(unknown_name(f"step of {rules.ruleset.id} called", name, policy.steps))
        rules.turn_of = self._of_session.turn_of = policy.game_turn
        return policy

    def next_step(self, state: S) -> Step | None:
        """Return the next step of play, or None when the game is over."""
        return self.policy.next_step(state)

    def game_turn(self, state: S) -> int:
        """Return the game turn of a state: one turn of all sides, the same in all rulesets; 0 during set-up.

        The length of a game, the turn limit of a scenario and anything counted "per turn" use this number.
        """
        return self.policy.game_turn(state)

    def perform(self, table: Table, state: S, step: Step) -> None:
        """Carry out a step, changing `state`. Runs the actions of house rules before, after or instead of the step."""
        wrapped = self.rules.step_wraps.get(step.name)
        if wrapped is None:
            self.sequence.perform(table, state, step)
        else:
            wrapped(partial(self._undisturbed, step), table, state)

    def _undisturbed(self, step: Step, table: Table, state: S) -> None:
        """Carry out a step without the house rules that wrap it."""
        self.sequence.perform(table, state, step)

    def between(self, table: Table, state: S, step: Step) -> None:
        """Do the work due before `step`: nothing by the rules, but house rules may have postponed work until then."""

    def outcome(self, state: S) -> Outcome:
        """Return the present outcome, by the ruleset's own victory rule if any; final once `next_step` returns None."""
        return self.own_outcome(state) or self.common_outcome(state)

    def printed_outcome(self, state: S) -> Outcome:
        """Return the present outcome without changes by house rules."""
        return self.outcome(state)

    def common_outcome(self, state: S) -> Outcome:
        """Return the present outcome by the common victory rule (`zareba.scenario.victory`), for comparing rulesets."""
        return judge(self.scoreboard(state), self.ending(state))

    def own_outcome(self, state: S) -> Outcome | None:
        """Return the present outcome by the ruleset's own victory rule, or None if it uses that of the scenario."""
        return None

    def ending(self, state: S) -> str:
        """Return the reason why the battle is over, in one word; "" while it goes on."""
        ending: str = getattr(state, "ending", "")
        return ending

    @abstractmethod
    def scoreboard(self, state: S) -> Scoreboard[Any]:
        """Return the present score, in the terms that scenarios use."""

    def strength(self, state: S) -> dict[str, float]:
        """Return the share of strength that each side still has, from 0 to 1. Units off the table with credit count."""
        standing = self.scoreboard(state)
        return {side: standing.strength(side) for side in self.seats}

    def view(self, state: S, seat: str) -> S:
        """Return the part of `state` that `seat` may see: all of it, unless the rules hide something."""
        return state

    def printed_view(self, state: S, seat: str) -> S:
        """Return the part of `state` that `seat` may see by the rules alone. House rules may hide more (`view`)."""
        return type(self).view(self, state, seat)

    def public(self, state: S) -> S:
        """Return the part of `state` that all seats may see."""
        for seat in self.seats:
            state = self.view(state, seat)
        return state

    def hidden_pieces(self, state: S, seat: str) -> frozenset[str]:
        """Return the pieces of `state` that `seat` does not see. The seat "" is a watcher."""
        seen = self.view(state, seat) if seat else self.public(state)
        if seen is state:
            return frozenset()
        return frozenset(self.known_pieces(state)).difference(self.known_pieces(seen))

    def known_pieces(self, state: S) -> Collection[str]:
        """Return the ids of all pieces that `state` shows. No id is that of a side."""
        return self.umpire_editor().named(state)

    def secrets(self, state: S, seat: str) -> frozenset[str]:
        """Return a name for each thing in `state` that is secret from `seat`: hidden pieces, and more under some rules.

        When a name disappears, the seat has learned something.
        """
        return self.hidden_pieces(state, seat)

    def may_hide(self, seat: str) -> bool:
        """Return True if pieces can be hidden from `seat` during the game. The seat "" is a watcher."""
        if seat not in self._may_hide:
            hides = bool(self.rules.game_hooks.get("zareba_view"))
            self._may_hide[seat] = hides or bool(self.hidden_pieces(self.origin, seat))
        return self._may_hide[seat]

    def determinize(self, state: S, seat: str, luck: int) -> S:
        """Return a playable state that may be the real one, as far as `seat` knows; everything hidden is made up.

        By default, everything hidden is missing; a ruleset may do better. The same `luck` gives the same state.
        """
        return self.printed_view(state, seat).copy()

    def conceal(self, state: S, hidden: AbstractSet[str]) -> None:
        """Remove every reference to the `hidden` pieces, which house rules have taken out of `pieces_in`, from a view.

        A ruleset that stores more about its pieces than their records (an index by place, a queue, contacts, carried
        objects) clears it here, so that no code looks up a missing piece.
        """

    def put_away(self, state: S, piece: Any) -> None:
        """Take a piece off the table and remove every reference to it, except those through which play reaches it.

        Used for imagined states, in which play goes on without the pieces that a seat does not see.
        """

    def pieces_in(self, state: S) -> Sequence[MutableMapping[str, Any]]:
        """Return the records, by id, that a house rule may remove from a seat's view (`zareba_view`)."""
        units: MutableMapping[str, Any] = state.units  # type: ignore[attr-defined]  # every state of a battle has units
        return (units,)

    def name_of(self, word: str) -> str:
        """Return the name of a unit, leader, side, object or terrain piece; any other word with spaces for underscores.

        A ruleset adds the names of the pieces that it makes out of the scenario's units.
        """
        scenario = self.scenario
        for named in (scenario.units, scenario.leaders, scenario.sides, scenario.objects):
            if word in named:
                return named[word].name
        ground = scenario.terrain.get(word)
        return word.replace("_", " ") if ground is None else ground.name or ground.kind.replace("_", " ")

    def knows_question(self, state: S, question: Question) -> bool:
        """Return True if these rules have words for a question. The core words those that only a house rule asks."""
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
        """Return the question as a sentence for players, in the words of these rules if they have any."""
        if isinstance(question, (Roll, Draw)) or question.why not in self.words.questions:
            return default_question(self, state, question)
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
            return default_option(self, state, question, option)
        return fill(template, {"what": default_name(self, rest)}, str, words=self.words)

    def cell_of(self, state: S, question: Choose, option: Option) -> int | None:
        """Return the box or hex that an option is about, for players who point at the board; None if it has none."""
        return None

    def cost_of(self, state: S, question: Choose, option: Option) -> str:
        """Return the cost of moving to the box or hex of an option, in a few words; "" if it costs nothing."""
        return ""

    def describe_card(self, question: Draw, card: str) -> str:
        """Return a drawn card as a phrase for players. A random pick among figures or units is a draw too."""
        return card.replace("_", " ")

    def describe_event(self, event: Event) -> str:
        """Return an event as a sentence, in the words of these rules or the core; "" if the event needs no report."""
        return event_text(self.words, event, self.name_of)

    def phases(self, state: S) -> Sequence[tuple[str, bool]]:
        """Return the phases of a turn in order, each with True if it is the present one; empty if there are none."""
        at = self.policy.phase(state)
        return [(entry.title, name == at) for name, entry in self.policy.phases.items()]

    def headline(self, state: S, *whose: str) -> str:
        """Return one line that says where play stands; `whose` adds the side whose turn it is."""
        phase = next((title for title, is_now in self.phases(state) if is_now), "setting up")
        return " · ".join((f"Turn {self.game_turn(state)} of {self.scenario.turns}", *whose, phase))

    @cached_property
    def words(self) -> Words:
        """The sentences of these rules from `presentation/words.yaml` next to them; empty without such a file."""
        for folder in self.rules.ruleset.folders:
            file, old = folder / "presentation" / "words.yaml", folder / "people" / "words.yaml"
            if old.exists() and not file.exists():
                warn_renamed(str(old), str(file))
                file = old
            if file.exists():
                return words_of(file)
        return Words()

    def fired(self, event: Event) -> str:
        """Return the unit or gun that fired in an event, "" if none did. Displays draw smoke in front of it."""
        return shooter(self.words, event)

    @abstractmethod
    def board(self, state: S) -> Board:
        """Return the pieces and terrain on the table, ready to draw. `drawn` adds the parts common to all rules."""

    def pieces(self, state: S) -> Mapping[str, Sequence[str]]:
        """Return the ids of all pieces that are or may come on the board, by side, in an order fixed for the game.

        Pieces that begin hidden come after the others, so that a gap in the labels does not betray them. Pieces
        created in play come last.
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

    def awaited(self, state: S) -> Sequence[ArrivingPiece]:
        """Return the pieces still to be set up or to arrive, as far as `state` shows them.

        `zareba.presentation.narration.arrival_phrase` says when.
        """
        return ()

    def drawn(self, state: S) -> Board:
        """Return the board with labels of pieces, which stay the same all game, and with the pieces still to arrive."""
        board, listed = self.board(state), self.pieces(state)
        found = {side: [piece.id for piece in board.pieces if piece.side == side] for side in board.sides}
        labels = assign_labels(
            {side: list(dict.fromkeys([*listed.get(side, ()), *ids])) for side, ids in found.items()}
        )
        order = {piece: place for place, piece in enumerate(labels)}
        awaited = sorted(self.awaited(state), key=lambda one: order.get(one.id, len(order)))
        return replace(board, labels=labels, awaited=tuple(awaited))

    def roster(self, state: S, seat: str | None = None) -> Roster | None:
        """Return the roster of one seat or of all; None unless the rules track single figures."""
        return None

    def odds_for(self, state: S, question: Question, option: Option) -> Sequence[tuple[str, str, Any]]:
        """Return the odds worth showing before `option` is taken (True: answer yes); by default none.

        Each is (title, procedure, facts). The facts may be the next act in the present state: see
        `zareba.odds.before_choice`.
        """
        return ()

    def has_odds(self, state: S, question: Question, option: Option) -> bool:
        """Return True if there are odds worth showing before `option` is taken. A ruleset may have a cheaper test."""
        return bool(self.odds_for(state, question, option))

    def consequences(self, before: S, state: S, step: Step) -> bool:
        """Return True if `step`, the next in `state`, still belongs to the act begun in `before`; False by default."""
        return False

    def settled(self, before: S, state: S, question: Roll | Draw) -> Answer | None:
        """Return a result that changes nothing, for dice or cards due anyway that do not affect the act from `before`.

        Return None for dice and cards that do affect it; by default for all.
        """
        return None

    def umpire_editor(self) -> UmpireEditor[S]:
        """Return the umpire's editor for this game."""
        return self.editor_class(self)

    def hold(self, question: Choose | Place | Confirm) -> Answer:
        """Return the answer of a player who does nothing more.

        It is the first option in `HOLDING`, else the first option; no; or the first place.
        """
        if isinstance(question, Confirm):
            return False
        if isinstance(question, Place):
            return question.suggestions[0]
        options = question.options
        return next((option for option in one_by_one(options) if option in HOLDING), None) or options[0]

    def waits(self, question: Choose | Place | Confirm) -> bool:
        """Return True if odds should assume that all players do nothing at this question, until the act is resolved."""
        return False

    def condition(self, state: S) -> Mapping[str, Mapping[str, State]]:
        """Return the condition of each unit of the scenario, by word: the figures left, as the scenario counts them.

        A ruleset adds everything that changes for a unit in battle: numbers, flags, and words for a state or place (""
        for none).
        """
        standing = self.scoreboard(state)
        units = self.scenario.units
        return {name: {"figures": round(standing.share_left((name,)) * units[name].figures, 3)} for name in units}

    def places(self, state: S) -> Mapping[str, Mapping[str, Point]]:
        """Return the positions of each unit's figures, on measured tables. Other rulesets put places in `condition`."""
        return {}

    def changes(self, before: S, after: S) -> tuple[UnitChange, ...]:
        """Return the changes to units between two states: changes of `condition`, and distances moved (`places`)."""
        return self.changes_since(before)(after)

    def changes_since(self, before: S) -> Callable[[S], tuple[UnitChange, ...]]:
        """Return a function that gives the changes from `before` to another state, to compare many states with one."""
        was, stood = self.condition(before), self.places(before)

        def changes(after: S) -> tuple[UnitChange, ...]:
            now, stands = self.condition(after), self.places(after)
            found: list[UnitChange] = []
            for unit, said in was.items():
                if said != now[unit]:
                    for what, one in {**dict.fromkeys(now[unit], 0), **said}.items():
                        other = now[unit].get(what, 0)
                        if one != other:
                            found.append(UnitChange(unit, what, one, other))
                there = stands.get(unit, {})
                ways = [dist(at, there[man]) for man, at in stood.get(unit, {}).items() if there.get(man, at) != at]
                if ways and (far := round(max(ways))):
                    found.append(UnitChange(unit, MOVED, 0, far))
            return tuple(found)

        return changes

    def describe_change(self, change: UnitChange) -> str:
        """Return a change to a unit as a sentence without a full stop."""
        name, (_, what, was, now) = self.name_of(change.unit), change
        if isinstance(was or now, bool):
            return f"{name}: {what}" if now else f"{name}: no longer {what}"
        if isinstance(was, str) or isinstance(now, str):
            return f"{name}: {what} {now}" if now else f"{name}: no longer {what} {was}"
        if what == MOVED:
            return f"{name}: moved {counted(now, self.length)}"
        if what in self.counted_as:
            one, fewer, more = self.counted_as[what]
            return f"{name}: {amount(abs(was - now), one)} {fewer if was > now else more}"
        return f"{name}: {what} {was:g} to {now:g}"

    def prospect(self, state: S, seat: str) -> float:
        """Return a number for how well a side is placed to reach the scenario's objectives; by default 0 (unknown)."""
        return 0.0

    @abstractmethod
    def evaluate(self, state: S, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        """Return the evaluation of each option, in the order of the options (for Confirm: no, yes)."""

    def best_places(self, state: S, question: Place) -> Mapping[Point, Evaluation]:
        """Return the suggested points worth weighing, in their order, each with its evaluation.

        By default these are all of them. A ruleset may return fewer if it knows the most promising ones, for any
        temper, before it tests which are legal.
        """
        return dict(zip(question.suggestions, self.evaluate(state, question), strict=True))

    def best_options(self, state: S, question: Choose) -> Mapping[Option, Evaluation]:
        """Return the options worth weighing, in their order, each with its evaluation; see `best_places`."""
        # The ruleset's evaluations only; `zareba.game.hooks` adds those of house rules.
        return dict(zip(question.options, type(self).evaluate(self, state, question), strict=True))
