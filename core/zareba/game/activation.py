"""Activation policies: they decide the next step of play.

Each policy is a small class; its position is stored as data in the state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.installed import entry_points
from zareba.base.speedups import new_tuple
from zareba.base.state import Record, record
from zareba.chance import random_draw
from zareba.rules.schema import PhaseEntry
from zareba.table import Step, Table

# --- The interface of all activation policies -------------------------------------------------------------------------


class Policy(Protocol):
    """An activation policy: it decides the next step of play.

    The position is stored in the state; the policy and its ruleset agree how to advance it. `phases` are the phases of
    a turn in order, as far as they are shown to players.
    """

    phases: Mapping[str, PhaseEntry] = MappingProxyType({})

    @property
    def steps(self) -> list[str]:
        """The names of all steps that the policy may return."""
        ...

    def next_step(self, state: Any) -> Step | None:
        """Return the next step of play, or None when the game is over. No two steps of a turn have the same key."""
        ...

    def phase(self, state: Any) -> str:
        """Return the phase at the cursor."""
        phase: str = state.phase
        return phase

    def game_turn(self, state: Any) -> int:
        """Return the game turn of a state: one turn of all sides, whatever the rules call a turn; 0 during set-up."""
        turn: int = state.turn
        return turn


MakePolicy: TypeAlias = Callable[[Mapping[str, PhaseEntry], Sequence[str]], Policy]
"""A function that makes a policy from the order of play of the rules and the sides of the scenario."""


# --- Alternate units: the sides take turns to activate one unit each, until every unit has been activated -------------


@record
class AlternateUnitsCursor(Record, ABC):
    """The position in the sequence of play: turn from 1, phase id, active unit ("" for none), steps done this turn.

    `order` are the sides in their order of activation, `at` the index in it of the side whose turn it is.
    """

    turn: int
    phase: str
    over: bool
    ending: str
    active: str
    acts: int
    order: list[str]
    at: int

    @abstractmethod
    def is_waiting(self, side: str) -> bool:
        """Return True if the side has a unit that is still to be activated."""


class AlternateUnits(Policy):
    """The policy of rulesets in which the sides activate units alternately.

    A phase with two stages is for activations: the first stage picks a unit, the second is an act of the active unit
    and repeats until its activation ends. A phase with one stage repeats until it is advanced.
    """

    def __init__(self, phases: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = phases
        self._order = list(phases)
        self._next_phase = dict(zip(self._order, [*self._order[1:], None], strict=True))

    @property
    def first(self) -> str:
        """The phase that begins a turn."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return [f"{phase.step}.{stage}" for phase in self.phases.values() for stage in phase.stages]

    def next_step(self, state: AlternateUnitsCursor) -> Step | None:
        """Return the next step of play, or None when the game is over. No two steps of a turn have the same key."""
        if state.over:
            return None
        phase = self.phases[state.phase]
        stage = phase.stages[-1] if state.active else phase.stages[0]
        return new_tuple(Step, (f"{phase.step}.{stage}", state.turn, str(state.acts)))

    def side(self, state: AlternateUnitsCursor) -> str | None:
        """Return the side that activates now: the one whose turn it is, or the next with a unit waiting, or None."""
        sides = len(state.order)
        for onward in range(sides):
            side = state.order[(state.at + onward) % sides]
            if state.is_waiting(side):
                return side
        return None

    def pass_on(self, state: AlternateUnitsCursor, side: str) -> None:
        """Give the turn to the side after `side`."""
        state.at = (state.order.index(side) + 1) % len(state.order)

    def advance(self, state: AlternateUnitsCursor) -> None:
        """Move to the next phase, or to the first phase of the next turn. The first side in order begins."""
        following = self._next_phase[state.phase]
        state.at = 0
        if following is None:
            state.turn += 1
            state.acts = 0
            following = self._order[0]
        state.phase = following


# --- Card per unit: every turn all cards are drawn one by one, and a unit acts when its card comes up -----------------


@record
class CardPerUnitCursor(Record):
    """The position in the sequence of play: turn from 1, stage, unit whose card is up ("" if none), cards drawn."""

    turn: int
    stage: str
    acting: str
    drawn: int
    over: bool
    ending: str


class CardPerUnit(Policy):
    """The policy of rulesets with one playing card for each unit.

    `sequence` lists the stages in order: those before the cards, the one named `card` that draws a card, those of a
    unit's activation, and the last one, which ends the turn. The first stage is played only once, in the first turn.
    """

    def __init__(self, sequence: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = sequence
        self._order = list(sequence)
        self._names = {name: f"{stage.step}.{stage.stages[0]}" for name, stage in sequence.items()}
        card = self._order.index("card")
        self._opening = self._order[1]
        self._acts = self._order[card + 1 : -1]

    @property
    def first(self) -> str:
        """The stage in which the game begins."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return list(self._names.values())

    def phase(self, state: CardPerUnitCursor) -> str:
        """Return the stage at the cursor."""
        return state.stage

    def next_step(self, state: CardPerUnitCursor) -> Step | None:
        """Return the step at the cursor, or None when the game is over."""
        if state.over:
            return None
        about = state.acting or f"{state.stage} {state.drawn}"
        return new_tuple(Step, (self._names[state.stage], state.turn, about))

    def advance(self, state: CardPerUnitCursor, cards_left: bool) -> None:
        """Move the cursor on from a finished stage. Set `acting` first if the card drawn activates a unit."""
        stage = state.stage
        if stage == self._order[-1]:
            state.turn += 1
            state.drawn = 0
            state.stage = self._opening
        elif stage == "card":
            state.stage = self._acts[0] if state.acting else "card" if cards_left else self._order[-1]
        elif stage == self._acts[-1]:
            self.end_activation(state, cards_left)
        else:
            state.stage = self._order[self._order.index(stage) + 1]

    def end_activation(self, state: CardPerUnitCursor, cards_left: bool) -> None:
        """Skip the rest of the activation: move to the next card, or to the end of the turn."""
        state.acting = ""
        state.stage = "card" if cards_left else self._order[-1]


# --- Command cards: after set-up, the sides take turns, each with one card and the same list of stages ----------------


@record
class CommandCardsCursor(Record):
    """The position in the sequence of play: player turn (0 during set-up), side to act, stage, steps this turn."""

    turn: int
    active: str
    stage: str
    tick: int
    over: bool
    ending: str


class CommandCards(Policy):
    """The policy of rulesets in which a player turn is one card.

    The stages of `setup` in `sequence` are played once. The two sides then play the stages of `turn` alternately.

    A stage may take several steps. The step key contains the number of the step within the turn, so no two steps have
    the same key.
    """

    def __init__(self, sequence: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        setup, turn = sequence["setup"].stages, sequence["turn"].stages
        self.first = setup[0]
        self._after = dict(zip(setup, [*setup[1:], turn[0]], strict=True))
        self._after |= dict(zip(turn, [*turn[1:], turn[0]], strict=True))
        self._opening = turn[0]
        self._other = {sides[0]: sides[1], sides[1]: sides[0]}

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return list(self._after)

    def phase(self, state: CommandCardsCursor) -> str:
        """Return the stage at the cursor."""
        return state.stage

    def next_step(self, state: CommandCardsCursor) -> Step | None:
        """Return the step at the cursor, or None when the game is over."""
        if state.over:
            return None
        return new_tuple(Step, (state.stage, state.turn, f"{state.active}.{state.tick}"))

    def game_turn(self, state: CommandCardsCursor) -> int:
        """Return the game turn of a state. Each side has one player turn in it."""
        return -(-state.turn // len(self._other))

    def again(self, state: CommandCardsCursor) -> None:
        """Stay in the stage for one more step."""
        state.tick += 1

    def advance(self, state: CommandCardsCursor) -> None:
        """Move the cursor to the next stage, and from the last one to the first stage of the other side's turn."""
        state.tick += 1
        following = self._after[state.stage]
        if following == self._opening:
            if state.turn:
                state.active = self._other[state.active]
            state.turn += 1
            state.tick = 0
        state.stage = following


# --- Command points: the sides take turns, and in its turn a side runs through the stages, unit by unit in each -------
#
# The rules decide which units wait in a stage. The command dice limit the acts of a side, not the order of play.


class CommandPointsCursor(Protocol):
    """The position in the sequence of play: turn from 1, order of sides, active side's index, stage, waiting units."""

    turn: int
    order: list[str]
    active: int
    phase: str
    waiting: list[str]
    over: bool


class CommandPoints(Policy):
    """The policy of rulesets in which each side has its own turn; `stages` are those of a player turn, in order."""

    def __init__(self, stages: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = stages
        self._order = list(stages)
        self._next = dict(zip(self._order, [*self._order[1:], None], strict=True))

    @property
    def first(self) -> str:
        """The stage that begins a player turn."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return [stage.step for stage in self.phases.values()]

    def next_step(self, state: CommandPointsCursor) -> Step | None:
        """Return the step at the cursor, of the first waiting unit or else of the side; None when the game is over."""
        if state.over:
            return None
        side = state.order[state.active]
        about = f"{side}/{state.waiting[0]}" if state.waiting else side
        return new_tuple(Step, (self.phases[state.phase].step, state.turn, about))

    def called(self, table: Table, state: CommandPointsCursor, waiting: list[str]) -> list[str]:
        """Return the waiting units that act in the stage that begins: all of them, in their order."""
        return waiting

    def advance(self, state: CommandPointsCursor) -> None:
        """Move the cursor to the next stage, side or turn."""
        following = self._next[state.phase]
        state.waiting = []
        if following is not None:
            state.phase = following
            return
        state.phase = self._order[0]
        state.active += 1
        if state.active == len(state.order):
            state.active = 0
            state.turn += 1


# --- Fixed phases: every turn runs through the same list of phases, each with its stages, in the same order -----------


@record
class PhaseCursor(Record):
    """The position in the sequence of play: turn from 1, phase id, stage index, end of the game and its reason."""

    turn: int
    phase: str
    stage: int
    over: bool
    ending: str


class FixedPhases(Policy):
    """The policy of rulesets with a fixed sequence of play; `phases` are in order."""

    def __init__(self, phases: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = phases
        self._order = list(phases)
        self._next_phase = dict(zip(self._order, [*self._order[1:], None], strict=True))
        self._names = {
            (phase_id, stage): f"{phase.step}.{name}"
            for phase_id, phase in phases.items()
            for stage, name in enumerate(phase.stages)
        }

    @property
    def first(self) -> str:
        """The phase that begins a turn."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        return list(self._names.values())

    def stage(self, state: PhaseCursor) -> str:
        """Return the stage at the cursor, as `step.stage`."""
        return self._names[state.phase, state.stage]

    def next_step(self, state: PhaseCursor) -> Step | None:
        """Return the step at the cursor, or None when the game is over."""
        if state.over:
            return None
        return new_tuple(Step, (self._names[state.phase, state.stage], state.turn, state.phase))

    def advance(self, state: PhaseCursor) -> None:
        """Move the cursor to the next stage, phase or turn."""
        if state.stage + 1 < len(self.phases[state.phase].stages):
            state.stage += 1
            return
        state.stage = 0
        following = self._next_phase[state.phase]
        if following is None:
            state.turn += 1
            following = self._order[0]
        state.phase = following


# --- Unit calls: units act one at a time, each once a turn. Sides or cards decide which unit is called next -----------
#
# All these policies use the same order of play, so a house rule may replace one with another. A phase with `each: unit`
# runs through its stages for each unit as it is called; any other phase runs through them once.


CALL = "call"
_CALLED = random_draw("who is called next")
SET_UP = "set_up"


@record
class CallsCursor(Record):
    """The position in the sequence of play: turn from 1 (0 during set-up), phase, stage, acting unit ("" for none).

    A state inherits these fields as its first ones. `setting_out` are the units still to be set up, `waiting` those
    still to be called in this phase, with their sides. `called` counts the calls of this phase, `last` is the side
    called last, `cards` are the cards left.
    """

    turn: int
    phase: str
    stage: int
    acting: str
    called: int
    last: str
    setting_out: list[str]
    waiting: dict[str, str]
    cards: dict[str, int]
    over: bool
    ending: str


class UnitCalls(Policy):
    """The policy of rulesets in which units are called one at a time; a subclass decides how."""

    def __init__(self, phases: Mapping[str, PhaseEntry], sides: Sequence[str]) -> None:
        self.phases = phases
        self.sides = tuple(sides)
        self._order = list(phases)

    @property
    def first(self) -> str:
        """The phase that begins a turn."""
        return self._order[0]

    @property
    def steps(self) -> list[str]:
        """The names of all steps."""
        found = [SET_UP]
        for phase in self.phases.values():
            found += [f"{phase.step}.{stage}" for stage in ([CALL] if phase.each == "unit" else [])]
            found += [f"{phase.step}.{stage}" for stage in phase.stages]
        return found

    def phase(self, state: CallsCursor) -> str:
        """Return the phase at the cursor, "" during set-up."""
        return state.phase if state.turn else ""

    def next_step(self, state: CallsCursor) -> Step | None:
        """Return the next step of play, or None when the game is over. No two steps of a turn have the same key."""
        if state.over:
            return None
        if state.turn == 0:
            return Step(SET_UP, 0, next(iter(state.setting_out), "all"))
        phase = self.phases[state.phase]
        if phase.each == "unit" and not state.acting:
            return Step(f"{phase.step}.{CALL}", state.turn, f"{state.phase} {state.called}")
        return Step(f"{phase.step}.{phase.stages[state.stage]}", state.turn, state.acting or state.phase)

    def begin(self, state: CallsCursor, units: Mapping[str, str]) -> None:
        """Begin the phase at the cursor. `units` are the units to call in it, with their sides."""
        state.stage, state.acting, state.called, state.last = 0, "", 0, ""
        state.waiting = dict(units)
        state.cards = self.deal(state)

    def deal(self, state: CallsCursor) -> dict[str, int]:
        """Return the cards with which a phase begins; empty for a policy without cards."""
        return {}

    def call(self, table: Table, state: CallsCursor, rule: str) -> str:
        """Call the next waiting unit, which then acts, and return it; "" if none is left."""
        while state.waiting:
            state.called += 1
            unit = self.called(table, state, rule)
            if unit:
                state.acting, state.last = unit, state.waiting.pop(unit)
                return unit
        return ""

    @abstractmethod
    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        """Return one of the waiting units; "" for a card that calls no unit."""

    def pick(self, table: Table, state: CallsCursor, side: str, rule: str) -> str:
        """Return the waiting unit of a side that its player chooses."""
        own = [unit for unit, whose in state.waiting.items() if whose == side]
        return table.choose(side, own, why="who acts", rule=rule, actor=side)

    def advance(self, state: CallsCursor) -> str:
        """Move on from a finished stage. Return the phase that has ended, or "" within a phase.

        The cursor is then at the next phase, which still has to be begun. The first phase of the next turn follows the
        last phase.
        """
        state.stage += 1
        phase = self.phases[state.phase]
        if state.stage < len(phase.stages):
            return ""
        state.stage, state.acting = 0, ""
        return "" if phase.each == "unit" else self.end_phase(state)

    def end_phase(self, state: CallsCursor) -> str:
        """Move from the phase at the cursor to the next one and return the phase that has ended."""
        ended, at = state.phase, self._order.index(state.phase) + 1
        if at == len(self._order):
            state.turn += 1
            at = 0
        state.phase = self._order[at]
        return ended


class SidesInTurn(UnitCalls):
    """All units of one side act first, then all units of the next side."""

    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        sides_waiting = set(state.waiting.values())
        return self.pick(table, state, next(side for side in self.sides if side in sides_waiting), rule)


class AlternateCalls(UnitCalls):
    """The sides alternate, one unit each, as long as they have units waiting."""

    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        sides_waiting = set(state.waiting.values())
        after = self.sides.index(state.last) + 1 if state.last else 0
        order = (*self.sides[after:], *self.sides[:after])
        return self.pick(table, state, next(side for side in order if side in sides_waiting), rule)


class UnitCards(UnitCalls):
    """One card for each unit: when its card is drawn, the unit acts."""

    def deal(self, state: CallsCursor) -> dict[str, int]:
        return dict.fromkeys(state.waiting, 1)

    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        unit = draw_card(table, state, rule)
        return unit if unit in state.waiting else ""


class ColourCards(UnitCalls):
    """One card for each unit, in the colour of its side: the side of the card drawn picks one of its units."""

    def deal(self, state: CallsCursor) -> dict[str, int]:
        sides = list(state.waiting.values())
        return {side: sides.count(side) for side in self.sides if side in sides}

    def called(self, table: Table, state: CallsCursor, rule: str) -> str:
        side = draw_card(table, state, rule)
        return self.pick(table, state, side, rule) if side in state.waiting.values() else ""


def draw_card(table: Table, state: CallsCursor, rule: str) -> str:
    """Draw a card from the pile of this phase and return it."""
    card = table.draw(state.cards, why="card", rule=rule, means=_CALLED)
    state.cards[card] -= 1
    if not state.cards[card]:
        del state.cards[card]
    return card


# --- The policies by name: those of the core, and those of installed packages -----------------------------------------


GROUP = "zareba.policies"
"""The entry-point group in which installed packages register their own policies."""

POLICIES: Mapping[str, MakePolicy] = {
    "alternate_calls": AlternateCalls,
    "alternate_units": AlternateUnits,
    "card_per_unit": CardPerUnit,
    "colour_cards": ColourCards,
    "command_cards": CommandCards,
    "command_points": CommandPoints,
    "fixed_phases": FixedPhases,
    "sides_in_turn": SidesInTurn,
    "unit_cards": UnitCards,
}
"""The policies of the core. A ruleset may name one of these, or one of an installed package, as its `activation`."""


def policy_named(name: str) -> MakePolicy:
    """Return the function that makes the policy of this name.

    Raises ZarebaError with the nearest name if there is none, or with the reason if a package's policy cannot be
    loaded.
    """
    if name in POLICIES:
        return POLICIES[name]
    brought = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name not in brought:
        raise unknown_name("activation policy", name, {**POLICIES, **brought})
    try:
        make: MakePolicy = brought[name].load()
    except (Exception, SystemExit) as error:
        raise ZarebaError(
            f"the activation policy '{name}' ({brought[name].value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    return make
