"""The game that plays a ruleset of YAML and procedures: units on a free table, called by a policy that the YAML names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import ceil
from typing import Any

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.exact import dist, total
from zareba.battle.appraisal import Appraisal
from zareba.battle.arrivals import awaited
from zareba.battle.enrolment import unsaid
from zareba.battle.prizes import lying
from zareba.battle.templates import Words
from zareba.battle.unforeseen import plain_event
from zareba.game import HOLDING, Game
from zareba.game.activation import Step, UnitCalls
from zareba.game.activation.unit_calls import CALL, SET_UP
from zareba.people.board import Awaited, Board, Cell, Piece, parted
from zareba.plain.aims import aims_of
from zareba.plain.book import PlainFile
from zareba.plain.by_hand import PlainHand
from zareba.plain.ground import Field, notes_on
from zareba.plain.setting_out import come_on, enrolled, first_state, leave, set_out, take_up
from zareba.plain.standing import PlainStanding
from zareba.plain.state import Battle, Unit
from zareba.plain.words import EVENTS, QUESTIONS, event_sentence, option_phrase, unit_line
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.scenario.law import end_of_battle
from zareba.table import Choose, Confirm, Event, Option, Place, Table

__all__ = ["PlainGame"]

NEARER = 0.4
"""What it is worth to a unit, in shares of itself, to have gone the whole length of the table towards where it should be."""

DANGER = 0.2
"""What it costs to stand where an enemy comes to in one move, for each figure that he has more."""


class Turns:
    """The order of play: the procedures that carry out the steps of the YAML, and between them what the core does."""

    def __init__(self, policy: UnitCalls, steps: Mapping[str, Callable[..., None]]) -> None:
        self.policy = policy
        self.steps = steps

    def perform(self, table: Table, battle: Battle, step: Step) -> None:
        """Carry out a step, and move the cursor on."""
        policy = self.policy
        if step.name == SET_UP:
            set_out(table, battle)
            if battle.turn:
                self._begin(table, battle)
            return
        phase = policy.phases[battle.phase]
        if phase.each == "unit" and not battle.acting:
            if not policy.call(table, battle, phase.rule):
                self._next_phase(table, battle, policy.end_phase(battle))
            return
        if not battle.acting:
            self.steps[step.name](table, battle)
        elif (unit := battle.units[battle.acting]).at is not None:
            self.steps[step.name](table, battle, unit)
        over = policy.advance(battle)
        if not battle.acting:
            take_up(table, battle)
            leave(table, battle)
        if over:
            self._next_phase(table, battle, over)

    def _next_phase(self, table: Table, battle: Battle, over: str) -> None:
        """Begin the phase at the cursor; before the first of a turn the turn before is ended."""
        phases = list(self.policy.phases)
        if phases.index(battle.phase) <= phases.index(over):
            battle.turn -= 1  # the turn that ends is still this one
            battle.ending = end_of_battle(PlainStanding(battle, battle.scenario), battle.achieved)
            battle.over = bool(battle.ending)
            if battle.over:
                return
            battle.turn += 1
            brief = [mark for mark, lasts in battle.book.marks.items() if lasts == "turn"]
            for unit in battle.units.values():
                unit.unmark(*brief)
        self._begin(table, battle)

    def _begin(self, table: Table, battle: Battle) -> None:
        if battle.phase == self.policy.first:
            come_on(table, battle)
        self.policy.begin(battle, {unit.id: unit.side for unit in battle.on_table()})


class PlainGame(Game[Battle]):
    """One scenario under a ruleset without a game of its own. `counts` says of a unit whether it counts for its side."""

    policy: UnitCalls
    appraises = False

    def __init__(
        self,
        rules: Rules,
        scenario: Scenario,
        solo: frozenset[str] = frozenset(),
        *,
        counts: Callable[[Battle, Unit], bool],
    ) -> None:
        super().__init__(rules, scenario, solo)
        assert isinstance(rules.book, PlainFile), "the registry reads the file as the ruleset says"
        self.book = rules.book
        self.specs = enrolled(self.book, scenario, rules.ruleset.id)
        self.field = Field(self.book, scenario)
        self._counts = counts
        if scenario.first in self.seats:
            self.seats = (scenario.first, *(side for side in self.seats if side != scenario.first))
        self.policy = self.activation(UnitCalls)  # type: ignore[type-abstract]  # the kind of policy that is wanted
        self.seats = tuple(scenario.sides)
        self.sequence = Turns(self.policy, self._steps())
        self.untranslated = (*unsaid(self.book, scenario), *notes_on(self.book, scenario).values())
        self.origin = self._first()

    def _steps(self) -> dict[str, Callable[..., None]]:
        """The procedure of each step, which has its name. Raises ZarebaError for a step without one."""
        known = self.rules.ruleset.wrappable
        found = {}
        for step in self.policy.steps:
            if step == SET_UP or step.endswith(f".{CALL}"):
                continue
            if step not in known:
                raise ZarebaError(
                    f"the sequence of {self.rules.ruleset.id} has the step '{step}', and no procedure carries it out: "
                    f"{unknown_name('procedure', step, known)}"
                )
            found[step] = known[step]
        return found

    def _first(self) -> Battle:
        return first_state(self.book, self.scenario, self.field, self.specs, self.policy.first, self._counts)

    def start(self) -> Battle:
        return self.origin.copy()

    def standing(self, state: Battle) -> PlainStanding:
        return PlainStanding(state, self.scenario)

    def by_hand(self) -> PlainHand:
        return PlainHand(self, frozenset(self.book.marks))

    # --- for people ---------------------------------------------------------------------------------------------------

    def _say(self, word: Any) -> str:
        if isinstance(word, (list, tuple)):
            return " ".join(map(self._say, word))
        return self.name_of(str(word))

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        found = option_phrase(self.words, state, option, self._say)
        return found or super().describe_option(state, question, option)

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.words, event, self._say) if event.data else plain_event(self, event)

    @cached_property
    def words(self) -> Words:
        own = self.book.words
        return own.model_copy(update={"questions": QUESTIONS | own.questions, "events": EVENTS | own.events})

    def board(self, state: Battle) -> Board:
        inch = self.field.inch
        cells = [
            Cell(int(x), int(y), "▒" if hides else "░" if ground.pace else "█", ground.title)
            for (x, y), ground, hides in self.field.cells()
        ]
        pieces = [
            Piece(unit.id, unit.side, str(unit.figures), unit_line(unit), *unit.place) for unit in state.on_table()
        ]
        pieces += lying(state.prizes, self.scenario, lambda prize: prize.at)
        table = self.scenario.table
        return Board(
            "free",
            ceil(table.width * inch),
            ceil(table.depth * inch),
            self.book.length,
            self.headline(state),
            tuple(cells),
            tuple(pieces),
            {side: entry.name for side, entry in self.scenario.sides.items()},
        )

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        units = self.scenario.units
        own = {side: parted(self.scenario.units_of(side), lambda unit: units[unit].hidden) for side in self.seats}
        return {side: [*openly, *hidden] for side, (openly, hidden) in own.items()}

    def awaited(self, state: Battle) -> list[Awaited]:
        return awaited(self.scenario, map(self.specs.__getitem__, state.arrivals))

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, float | bool]]:
        return {
            name: {"figures": unit.figures}
            | {number: value for number, value in unit.numbers.items() if value}
            | {mark.replace("_", " "): True for mark in sorted(unit.marks)}
            | ({"leader lost": True} if unit.fallen else {})
            | ({unit.gone: True} if unit.gone else {})
            for name, unit in state.units.items()
        }

    # --- for commanders -----------------------------------------------------------------------------------------------

    def consequences(self, before: Battle, state: Battle, step: Step) -> bool:
        """All that is left of the same unit's activation."""
        return bool(state.acting) and state.turn == before.turn and before.acting in ("", state.acting)

    def appraise(self, state: Battle, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
        """The first option that does something; who weighs them better plays them on (`zareba.agents.commander`)."""
        if isinstance(question, Choose):
            acts = [option not in HOLDING for option in question.options]
            best = acts.index(True) if True in acts else 0
            return [
                Appraisal(steadies=float(number == best), reason="the first that does something")
                for number in range(len(acts))
            ]
        count = 2 if isinstance(question, Confirm) else len(question.suggestions)
        return [Appraisal(steadies=float(not number), reason="as it is") for number in range(count)]

    def prospect(self, state: Battle, seat: str) -> float:
        """How near its units are to where the scenario wants them, or else to an enemy, each by its figures; and who of the
        enemy, of greater number, could fall upon them as they stand.
        """
        width, depth = self.field.table.extent
        whole = dist((0.0, 0.0), (width, depth))
        found = []
        for unit in state.on_table(seat):
            foes = state.foes(unit)
            goals = aims_of(state, unit) or [foe.place for foe in foes[:1]]
            if goals and state.counts(state, unit):
                found.append(NEARER * unit.figures * (1 - min(dist(unit.place, at) for at in goals) / whole))
            near = [foe for foe in foes if state.gap(unit, foe) <= getattr(foe.troop, "move", 0)]
            found.append(-DANGER * max([0, *(foe.figures - unit.figures for foe in near)]))
        return total(found)
