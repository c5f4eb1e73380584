"""The game class for rulesets of YAML and procedures: units on a free table, activated by the policy named in the
YAML.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from math import ceil
from typing import Any

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.exact import dist, distances, total
from zareba.battle.arrivals import arriving_pieces
from zareba.battle.carried_objects import objects_on_ground
from zareba.battle.fallbacks import default_event
from zareba.battle.sentence_templates import Words
from zareba.battle.unit_mapping import unsupported_words_of
from zareba.game import Advisor, Display, Game, Narrator, OddsHorizon, Sight
from zareba.game.activation import CALL, SET_UP, UnitCalls
from zareba.presentation.board import ArrivingPiece, Board, BoardCell, BoardPiece, split_hidden
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.scenario.victory import end_of_battle
from zareba.simple_ruleset.ground import Field, notes_on
from zareba.simple_ruleset.model import SimpleRulesetFile
from zareba.simple_ruleset.scoreboard import SimpleScoreboard, objective_places
from zareba.simple_ruleset.setup import (
    bring_on_units_due,
    deploy_next_unit,
    first_state,
    leave,
    mapped_units,
    pick_up_objects,
)
from zareba.simple_ruleset.state import Battle, Unit
from zareba.simple_ruleset.words import (
    EVENTS,
    QUESTIONS,
    REAL_TABLE,
    SimpleUmpireEditor,
    event_sentence,
    option_phrase,
    unit_line,
)
from zareba.table import Choose, Event, Option, Table
from zareba.table.questions import Step

_VALUE_OF_APPROACH = 0.4
"""Value of closing the whole length of the table to an objective, as a share of the unit."""

_DANGER_PER_FIGURE = 0.2
"""Cost of each figure that an enemy within one move has more than the unit."""


class StepOrder:
    """The order of play: it runs the procedures of the YAML steps, and between them the core's own rules: deployment,
    arrivals, exits, carried objects and the end of the battle.
    """

    def __init__(self, policy: UnitCalls, steps: Mapping[str, Callable[..., None]]) -> None:
        self.policy = policy
        self.steps = steps

    def perform(self, table: Table, battle: Battle, step: Step) -> None:
        """Carry out a step and advance the cursor."""
        policy = self.policy
        if step.name == SET_UP:
            deploy_next_unit(table, battle)
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
        ended_phase = policy.advance(battle)
        if not battle.acting:
            pick_up_objects(table, battle)
            leave(table, battle)
        if ended_phase:
            self._next_phase(table, battle, ended_phase)

    def _next_phase(self, table: Table, battle: Battle, ended_phase: str) -> None:
        """Begin the phase at the cursor; before the first phase of a turn, end the turn before."""
        self.end_turn(battle, ended_phase)
        if not battle.over:
            self._begin(table, battle)

    def end_turn(self, battle: Battle, ended_phase: str) -> None:
        """End the turn, and perhaps the battle, if the phase that ended was the last one of the turn."""
        phases = list(self.policy.phases)
        if phases.index(battle.phase) > phases.index(ended_phase):
            return
        battle.turn -= 1  # the turn that ends counts for the end of the battle
        battle.ending = end_of_battle(SimpleScoreboard(battle, battle.scenario), battle.achieved)
        battle.over = bool(battle.ending)
        if battle.over:
            return
        battle.turn += 1
        marks_of_turn = [mark for mark, lasts in battle.book.marks.items() if lasts == "turn"]
        for unit in battle.units.values():
            unit.unmark(*marks_of_turn)

    def _begin(self, table: Table, battle: Battle) -> None:
        if battle.phase == self.policy.first:
            bring_on_units_due(table, battle)
        self.policy.begin(battle, {unit.id: unit.side for unit in battle.on_table()})


class SimpleAdvisor(Advisor[Battle]):
    """Values positions. AI players simulate the options instead of evaluating them (`zareba.agents.rollout`)."""

    game: SimpleGame

    def placement(self, state: Battle, seat: str) -> float:
        """Return a value for the position of a side's units.

        It rises as units that count get nearer to their objectives, or else to the nearest enemy, weighted by figures.
        It falls for each unit that a larger enemy can reach in one move.
        """
        width, depth = self.game.field.table.extent
        diagonal = dist((0.0, 0.0), (width, depth))
        values = []
        all_foes = [foe for foe in state.on_table() if foe.spec.side != seat]
        places, radii = [foe.place for foe in all_foes], [foe.radius for foe in all_foes]
        for unit in state.on_table(seat):
            at, radius, figures = unit.place, unit.radius, unit.figures
            lengths = distances(at, places)
            gaps = [max(0.0, length - radius - other) for length, other in zip(lengths, radii, strict=True)]
            nearest = [places[gaps.index(min(gaps))]] if gaps else []
            goals = objective_places(state, unit) or nearest
            if goals and state.counts(state, unit):
                distance = min(distances(at, goals))
                values.append(_VALUE_OF_APPROACH * figures * (1 - distance / diagonal))
            most_outnumbered = 0
            for foe, gap in zip(all_foes, gaps, strict=True):
                # The size first: only then is the move read, which is slow in a row of free values.
                if foe.figures - figures > most_outnumbered and gap <= getattr(foe.troop, "move", 0):
                    most_outnumbered = foe.figures - figures
            values.append(-_DANGER_PER_FIGURE * most_outnumbered)
        return total(values)


class SimpleOddsHorizon(OddsHorizon[Battle]):
    """The odds of a choice look ahead to the end of the unit's activation."""

    def includes(self, before: Battle, state: Battle, step: Step) -> bool:
        return bool(state.acting) and state.turn == before.turn and before.acting in ("", state.acting)


class SimpleNarrator(Narrator[Battle]):
    """Puts the game into the words of these rules."""

    game: SimpleGame

    def _say(self, value: Any) -> str:
        """Return a value of an event or an option in words: ids become names."""
        if isinstance(value, (list, tuple)):
            return " ".join(map(self._say, value))
        return self.name_of(str(value))

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        phrase = option_phrase(self.words, state, option, self._say)
        return phrase or super().describe_option(state, question, option)

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.words, event, self._say) if event.data else default_event(self, event)

    @cached_property
    def words(self) -> Words:
        own = self.game.book.words
        at_real_table = REAL_TABLE | own.tables.get("real_table", {})
        return own.model_copy(
            update={
                "questions": QUESTIONS | own.questions,
                "events": EVENTS | own.events,
                "tables": own.tables | {"real_table": at_real_table},
            }
        )


class SimpleDisplay(Display[Battle]):
    """Draws the board and reports on each unit."""

    game: SimpleGame

    def board(self, state: Battle) -> Board:
        inch = self.game.field.inch
        cells = [
            BoardCell(int(x), int(y), "▒" if hides else "░" if ground.pace else "█", ground.title)
            for (x, y), ground, hides in self.game.field.cells()
        ]
        pieces = [
            BoardPiece(unit.id, unit.side, str(unit.figures), unit_line(unit), *unit.place) for unit in state.on_table()
        ]
        pieces += objects_on_ground(state.carried_objects, self.game.scenario, lambda carried_object: carried_object.at)
        table = self.game.scenario.table
        return Board(
            "free",
            ceil(table.width * inch),
            ceil(table.depth * inch),
            self.game.book.length,
            self.headline(state),
            tuple(cells),
            tuple(pieces),
            {side: entry.name for side, entry in self.game.scenario.sides.items()},
        )

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        units, pieces = self.game.scenario.units, {}
        for side in self.game.seats:
            visible, hidden = split_hidden(self.game.scenario.units_of(side), lambda unit: units[unit].hidden)
            pieces[side] = [*visible, *hidden]
        return pieces

    def arriving_pieces(self, state: Battle) -> list[ArrivingPiece]:
        return arriving_pieces(self.game.scenario, map(self.game.specs.__getitem__, state.arrivals))

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, float | bool]]:
        return {
            name: {"figures": unit.figures}
            | {number: value for number, value in unit.numbers.items() if value}
            | {mark.replace("_", " "): True for mark in sorted(unit.marks)}
            | ({"leader lost": True} if unit.fallen else {})
            | ({unit.gone: True} if unit.gone else {})
            for name, unit in state.units.items()
        }


class SimpleSight(Sight[Battle]):
    """Takes hidden units out of views; the rules themselves hide nothing."""

    game: SimpleGame

    def conceal(self, state: Battle, hidden: AbstractSet[str]) -> None:
        state.acting = "" if state.acting in hidden else state.acting
        state.setting_out = [name for name in state.setting_out if name not in hidden]
        state.waiting = {name: side for name, side in state.waiting.items() if name not in hidden}
        state.arrivals = {name: turn for name, turn in state.arrivals.items() if name not in hidden}
        state.carried_objects = {
            name: carried_object
            for name, carried_object in state.carried_objects.items()
            if carried_object.carrier not in hidden
        }

    def put_away(self, state: Battle, piece: Unit) -> None:
        acting = state.acting
        self.conceal(state, {piece.id})
        state.acting, piece.at = acting, None


class SimpleGame(Game[Battle]):
    """One scenario under a simple ruleset. `counts` returns True if a unit counts for its side."""

    policy: UnitCalls
    sequence: StepOrder
    narrator_class = SimpleNarrator
    display_class = SimpleDisplay
    sight_class = SimpleSight
    advisor_class = SimpleAdvisor
    odds_horizon_class = SimpleOddsHorizon

    def __init__(
        self,
        rules: Rules,
        scenario: Scenario,
        solo: frozenset[str] = frozenset(),
        *,
        counts: Callable[[Battle, Unit], bool],
    ) -> None:
        super().__init__(rules, scenario, solo)
        assert isinstance(rules.book, SimpleRulesetFile), "the registry reads the file as the ruleset says"
        self.book = rules.book
        self.specs = mapped_units(self.book, scenario, rules.ruleset.lineage[-1])
        self.field = Field(self.book, scenario)
        self._counts = counts
        if scenario.first in self.seats:
            self.seats = (scenario.first, *(side for side in self.seats if side != scenario.first))
        self.policy = self.activation(UnitCalls)  # type: ignore[type-abstract]  # the kind of policy that is wanted
        self.seats = tuple(scenario.sides)
        self.sequence = StepOrder(self.policy, self._steps())
        self.untranslated = (*unsupported_words_of(self.book, scenario), *notes_on(self.book, scenario).values())
        self.origin = self._first()

    def _steps(self) -> dict[str, Callable[..., None]]:
        """Return the procedure of each step by name. Raises ZarebaError for a step without a procedure."""
        procedures = self.rules.ruleset.wrappable
        steps = {}
        for step in self.policy.steps:
            if step == SET_UP or step.endswith(f".{CALL}"):
                continue
            if step not in procedures:
                raise ZarebaError(
                    f"the sequence of {self.rules.ruleset.id} has the step '{step}', but no procedure of that name: "
                    f"{unknown_name('procedure', step, procedures)}"
                )
            steps[step] = procedures[step]
        return steps

    def _first(self) -> Battle:
        return first_state(self.book, self.scenario, self.field, self.specs, self.policy.first, self._counts)

    def start(self) -> Battle:
        return self.origin.copy()

    def scoreboard(self, state: Battle) -> SimpleScoreboard:
        return SimpleScoreboard(state, self.scenario)

    def umpire_editor(self) -> SimpleUmpireEditor:
        return SimpleUmpireEditor(self, frozenset(self.book.marks))
