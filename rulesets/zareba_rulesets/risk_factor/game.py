"""The Risk Factor rules as the core plays them: one scenario under one set of resolved rules."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Items
from dataclasses import replace
from functools import partial

from zareba.base.amounts import in_a_sentence, listed
from zareba.battle.arrivals import awaited
from zareba.game.activation import CommandPoints, Step
from zareba.odds import Situation, before_choice, has_odds_before
from zareba.people.board import Awaited, Board
from zareba.plugins.ruleset import Appraisal, Game, Outcome, State
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.table import Answer, Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba_rulesets.risk_factor.appraisal import Judgement
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.chapters.setting_up.deployment import first_state
from zareba_rulesets.risk_factor.chapters.victory import RskStanding
from zareba_rulesets.risk_factor.forces.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.people.by_hand import RskHand
from zareba_rulesets.risk_factor.people.drawing import draw_board, pieces_by_side
from zareba_rulesets.risk_factor.people.forecast import next_act
from zareba_rulesets.risk_factor.people.words import event_sentence, option_phrase, question_sentence
from zareba_rulesets.risk_factor.sequence import Sequence
from zareba_rulesets.risk_factor.translation import Plan, translate

__all__ = ["RskGame"]

TO_CONTACT = frozenset({"move", "charge", "settle", "dispatch", "shoot"})
"""The steps between an order to charge and the melees."""


class RskGame(Game[Battle]):
    """Holds the translated scenario and the sequence of play; states go in and out. `solo` sides are never asked."""

    policy: CommandPoints
    hand = RskHand
    length = "cm"

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        super().__init__(rules, scenario, solo)
        self.book = RskBook(rules)
        self.plan = translate(self.book, scenario, solo)
        self.untranslated = tuple(self.plan.notes)
        self.names = _names(scenario, self.plan)
        self.policy = self.activation(CommandPoints)
        self.judgement = Judgement(scenario, self.plan)
        self.sequence = Sequence(self.policy, scenario, self.plan)

    def start(self) -> Battle:
        return first_state(self.book, self.scenario, self.plan, self.solo, self.policy.first)

    def own_outcome(self, state: Battle) -> Outcome | None:
        """A side all in retreat has lost, both at once draw (RSK-183, RSK-184); else the scenario says who wins (RSK-185)."""
        if not state.beaten:
            return None
        left = [side for side in self.seats if side not in state.beaten]
        beaten = listed([in_a_sentence(self.name_of(side)) for side in state.beaten])
        return replace(
            self.common_outcome(state),
            winner=left[0] if len(left) == 1 else None,
            ground="retreat",
            decided_by=f"all units of {beaten} in retreat or gone",
        )

    def standing(self, state: Battle) -> RskStanding:
        return RskStanding(state, self.scenario, self.plan)

    def view(self, state: Battle, seat: str) -> Battle:
        """The enemy's hidden units are nowhere, before their markers are set too, and his markers say nothing (RSK-187)."""
        to_hide = () if state.begun else self.plan.markers
        if not to_hide and not any(marker.side != seat for marker in state.markers.values()):
            return state
        seen = state.copy()
        for marker in seen.markers.values():
            if marker.side != seat:
                marker.units, marker.mounted = (), False
        seen.units = {
            name: unit
            for name, unit in seen.units.items()
            if unit.spec.side == seat or ("hidden" not in unit.marks and unit.spec.parent not in to_hide)
        }
        seen.commanders = {name: side for name, side in seen.commanders.items() if name in seen.units}
        seen.prizes = {n: p for n, p in seen.prizes.items() if not p.carrier or p.carrier in seen.units}
        return seen

    def secrets(self, state: Battle, seat: str) -> frozenset[str]:
        """What stands behind each of the enemy's markers too: a dummy that is taken away tells something (RSK-188)."""
        markers = {name for name, marker in state.markers.items() if marker.side != seat}
        return super().secrets(state, seat) | markers

    def name_of(self, word: str) -> str:
        return self.names.get(word) or super().name_of(word)

    def describe(self, state: Battle, question: Question) -> str:
        return question_sentence(state, question)

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        return option_phrase(state, question, option)

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.rules, self.names, event)

    def board(self, state: Battle) -> Board:
        return draw_board(state, self.scenario, self.headline(state, state.side))

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        return pieces_by_side(self.plan, self.scenario)

    def awaited(self, state: Battle) -> list[Awaited]:
        leaders = self.scenario.leaders
        coming = [self.plan.specs[name] for name in state.arrivals if name in state.units]
        return awaited(self.scenario, coming, lambda spec: spec.id if spec.id in leaders else spec.parent)

    def odds_for(self, state: Battle, question: Question, option: Option) -> Items[tuple[str, str, Situation]]:
        return before_choice(self, state, question, option, partial(next_act, self.plan))

    def has_odds(self, state: Battle, question: Question, option: Option) -> bool:
        return has_odds_before(state, question, option, partial(next_act, self.plan))

    def consequences(self, before: Battle, state: Battle, step: Step) -> bool:
        """The Action throws after command; after the order to charge all that comes until its melee has been fought.

        RSK-037 to RSK-040: in the same player turn. Of what others do meanwhile they do no more than they are bound to.
        """
        if (state.turn, state.active) != (before.turn, before.active):
            return False
        if before.phase == "command":
            return step.name in ("command", "throw")
        if before.phase != "move":
            return False
        unit = state.units[before.waiting[0]]
        charges = bool(unit.target) or "charged" in unit.marks
        return charges and (step.name in TO_CONTACT or (step.name == "melee" and _fights(state, unit)))

    def settled(self, before: Battle, state: Battle, question: Roll | Draw) -> Answer | None:
        """The Action throws of all but those who are commanded by this choice: the best die, which sends nobody back (RSK-127)."""
        if before.phase != "command" or question.why != "action" or not isinstance(question, Roll):
            return None
        now, was = state.units.get(question.actor), before.units.get(question.actor)
        chosen = now is not None and was is not None and "commanded" in now.marks - was.marks
        return None if chosen else question.sides

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, State]]:
        """Figures of all squads of a unit, those still to come too, who are commanded and obey, and whether any goes back."""
        found: dict[str, Mapping[str, State]] = {}
        for name, own in self.parts_of(state).items():
            leaders = [unit for unit in own if unit.spec.id in self.scenario.leaders]
            squads = [unit for unit in own if unit not in leaders]
            found[name] = {
                "figures": sum(_number(state, squad) for squad in squads),
                "wounded": sum(sum(squad.hurt) for squad in squads),
                "leaders": sum(_number(state, leader) for leader in leaders),
                "leaders wounded": sum(sum(leader.hurt) for leader in leaders),
                "still to come": any(unit.spec.id in state.arrivals for unit in own),
                "in contact": any(bool(state.touching(squad)) for squad in squads if squad.hurt),
                "commanded": sum("commanded" in squad.marks for squad in squads),
                "free to obey": sum({"commanded", "free"} <= squad.marks for squad in squads),
                **{status: True for squad in squads for status in BACKWARD if squad.hurt and squad.status == status},
            }
        return found

    def parts_of(self, state: Battle) -> dict[str, list[Unit]]:
        """The squads and leaders of each unit of the scenario."""
        found: dict[str, list[Unit]] = {name: [] for name in self.scenario.units}
        for unit in state.units.values():
            if unit.spec.parent in found:
                found[unit.spec.parent].append(unit)
        return found

    def appraise(self, state: Battle, question: Choose | Place | Confirm) -> Items[Appraisal]:
        return self.judgement.appraise(state, question)


def _fights(battle: Battle, unit: Unit) -> bool:
    """Whether a unit is in the melee that is next, or in one after it."""
    return any(unit.spec.id in melee.split("+") for melee in battle.waiting)


def _number(battle: Battle, unit: Unit) -> int:
    """The figures of a unit on the table, or behind a marker or on their way."""
    waits = unit.spec.id in battle.arrivals or "hidden" in unit.marks
    return unit.spec.figures if waits else unit.count


def _names(scenario: Scenario, plan: Plan) -> dict[str, str]:
    """What people call units, platoons and sides."""
    return {
        **{name: entry.name for name, entry in scenario.units.items()},
        **{side: entry.name for side, entry in scenario.sides.items()},
        **{name: spec.name for name, spec in plan.specs.items()},
    }
