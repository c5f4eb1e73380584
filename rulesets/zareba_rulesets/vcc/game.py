"""Victorian Colonial Combat as the core plays it: one scenario under one set of resolved rules."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Items
from dataclasses import replace
from typing import Any

from zareba.activation import FixedPhases, Step
from zareba.board import Awaited, Board
from zareba.odds import Situation, before_choice
from zareba.rules import Rules
from zareba.ruleset import Appraisal, Game, Outcome
from zareba.scenario import Scenario
from zareba.table import Answer, Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba.telling import due
from zareba_rulesets.vcc.appraisal import Judgement
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.by_hand import VccHand
from zareba_rulesets.vcc.deployment import first_state
from zareba_rulesets.vcc.drawing import draw_board, pieces_by_side
from zareba_rulesets.vcc.forecast import next_act
from zareba_rulesets.vcc.sequence import Sequence
from zareba_rulesets.vcc.translation import translate
from zareba_rulesets.vcc.victory import VccStanding, has_withdrawn
from zareba_rulesets.vcc.words import event_sentence, option_phrase, question_sentence

__all__ = ["VccGame"]

RESOLVED = frozenset({"fire.shots", "fire.leaders", "fire.morale", "melee.fight", "melee.morale"})
"""The steps of a phase in which what was begun in it is settled."""
OWED: Mapping[str, Answer] = {"leader hit": 0, "morale": 0}
"""Checks that may be owed to an earlier shot, with what passes them."""
TOLD = frozenset({"abandoned", "broken", "overheated", "prone", "wrecked"})
"""The marks of a unit that odds tell."""


class VccGame(Game[Battle]):
    """Holds the translated scenario and the sequence of play; states go in and out."""

    policy: FixedPhases

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        super().__init__(rules, scenario, solo)
        self.book = VccBook(rules)
        self.plan = translate(self.book, scenario)
        self.untranslated = tuple(self.plan.notes)
        self.policy = self.activation(FixedPhases)
        self.judgement = Judgement(scenario, self.plan)
        self.sequence = Sequence(self.policy, scenario, self.plan)

    def start(self) -> Battle:
        return first_state(self.book, self.scenario, self.plan, self.policy.first)

    def from_data(self, data: dict[str, Any]) -> Battle:
        start = self.start()
        battle = Battle.from_data(data, book=self.book, field=self.plan.field, exits=start.exits)
        for unit_id, unit in battle.units.items():
            unit.spec = self.plan.specs[unit_id]
        return battle

    def by_hand(self) -> VccHand:
        return VccHand(self)

    def own_outcome(self, state: Battle) -> Outcome | None:
        """A side that withdraws loses (VCC-166)."""
        standing = [side for side in self.seats if not has_withdrawn(state, side)]
        if state.ending != "withdrawal" or len(standing) != 1:
            return None
        return replace(self.common_outcome(state), winner=standing[0], ground="withdrawal")

    def standing(self, state: Battle) -> VccStanding:
        return VccStanding(state, self.scenario, self.plan)

    def describe(self, state: Battle, question: Question) -> str:
        return question_sentence(state, question)

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        return option_phrase(state, question, option)

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.plan.specs, self.plan.field.grid, event)

    def board(self, state: Battle) -> Board:
        title = self.policy.phases[state.phase].title
        return draw_board(
            state, self.scenario, self.plan.places, f"Turn {state.turn} of {self.scenario.turns} · {title}"
        )

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        return pieces_by_side(self.plan.specs.values(), self.seats)

    def awaited(self, state: Battle) -> list[Awaited]:
        coming = [unit.spec for unit in state.units.values() if not unit.on_table and unit.spec.id not in state.gone]
        return [Awaited(spec.id, spec.side, spec.name, due(self.scenario, spec.id)) for spec in coming]

    def consequences(self, before: Battle, state: Battle, step: Step) -> bool:
        """Leader checks and morale after fire and after melee, once nobody else acts (VCC-028, VCC-036)."""
        return (state.turn, state.phase) == (before.turn, before.phase) and step.name in RESOLVED

    def settled(self, before: Battle, state: Battle, question: Roll | Draw) -> Answer | None:
        """Leader checks and morale of units that the act has left as they were are owed to what came before it."""
        unit = state.units.get(question.actor)
        if unit is None or question.why not in OWED or unit != before.units[question.actor]:
            return None
        return OWED[question.why]

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, float | bool]]:
        return {
            name: {"bases": unit.strength, "hits": unit.hits, **dict.fromkeys(sorted(unit.marks & TOLD), True)}
            for name, unit in state.units.items()
        }

    def odds_for(self, state: Battle, question: Question, option: Option) -> Items[tuple[str, str, Situation]]:
        return before_choice(self, state, question, option, next_act)

    def appraise(self, state: Battle, question: Choose | Place | Confirm) -> Items[Appraisal]:
        assert isinstance(question, Choose), "these rules ask only choices, and house rules are the core's to answer"
        return self.judgement.appraise(state, question)
