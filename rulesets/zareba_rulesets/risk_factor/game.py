"""The Risk Factor game: one scenario played under one set of resolved rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import cached_property, partial

from zareba.base.grammar import agreeing, in_a_sentence, join_with_and
from zareba.battle.arrivals import arriving_pieces
from zareba.game.activation import CommandPoints
from zareba.odds import SmallBattle, before_choice, has_odds_before
from zareba.plugins.ruleset import (
    Advisor,
    Display,
    Evaluation,
    Game,
    Narrator,
    OddsHorizon,
    Outcome,
    Play,
    Search,
    Sight,
    State,
)
from zareba.presentation.board import ArrivingPiece, Board, BoardCell
from zareba.presentation.landmarks import Landmarks
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba.table import Answer, Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba.table.questions import Step
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.setting_up import first_state, rolls_for_first_side
from zareba_rulesets.risk_factor.chapters.victory import RskScoreboard
from zareba_rulesets.risk_factor.evaluation import Evaluator
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.presentation.drawing import (
    draw_board,
    ground_cells,
    marker_title,
    pieces_by_side,
    possible_markers,
)
from zareba_rulesets.risk_factor.presentation.odds_hints import next_act
from zareba_rulesets.risk_factor.presentation.umpire_editor import RskUmpireEditor
from zareba_rulesets.risk_factor.presentation.words import (
    event_sentence,
    figure_phrase,
    option_phrase,
    question_sentence,
)
from zareba_rulesets.risk_factor.sequence import Sequence as TurnSequence
from zareba_rulesets.risk_factor.translation import Plan, translate

TO_CONTACT = frozenset({"move", "charge", "settle", "dispatch", "shoot"})
"""The steps between an order to charge and the melees."""


class RskAdvisor(Advisor[Battle]):
    """Evaluates options with the ruleset's `evaluation` package."""

    game: RskGame
    search = Search(sides=False, answers=frozenset(), decisions=150)
    """No search was measured to gain on doctrine in these rules (docs/decisions/0027)."""

    def __init__(self, game: RskGame) -> None:
        super().__init__(game)
        self.evaluator = Evaluator(game.scenario, game.plan)

    def evaluate(self, state: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        return self.evaluator.evaluate(state, question)

    def best_places(self, state: Battle, question: Place) -> Mapping[Point, Evaluation]:
        return self.evaluator.best_places(state, question)

    def odds_for(self, state: Battle, question: Question, option: Option) -> Sequence[tuple[str, str, SmallBattle]]:
        return before_choice(self.game, state, question, option, partial(next_act, self.game.plan))

    def has_odds(self, state: Battle, question: Question, option: Option) -> bool:
        return has_odds_before(state, question, option, partial(next_act, self.game.plan))


class RskOddsHorizon(OddsHorizon[Battle]):
    """Odds of a command look ahead to the Action throws, odds of an order to charge to its melee."""

    def includes(self, before: Battle, state: Battle, step: Step) -> bool:
        """Return True if `step` still belongs to the choice made in `before`, within the same player turn (RSK-037 to
        RSK-040).

        After a command choice this covers further command steps and the Action throws. After an order to charge it
        covers every step until the melee of that unit has been fought; until then other units do only what they are
        bound to do.
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

    def neutral_answer(self, before: Battle, state: Battle, question: Roll | Draw) -> Answer | None:
        """Return the best die for the Action throws of units that this command choice does not command: it sends no
        unit back (RSK-127). Return None for every other roll.
        """
        if before.phase != "command" or question.why != "action" or not isinstance(question, Roll):
            return None
        now, was = state.units.get(question.actor), before.units.get(question.actor)
        chosen = now is not None and was is not None and "commanded" in now.marks - was.marks
        return None if chosen else question.sides


class RskNarrator(Narrator[Battle]):
    """Puts the game into the words of these rules."""

    game: RskGame
    length = "cm"
    counted_as: Mapping[str, tuple[str, str, str]] = {
        **Narrator.counted_as,
        "leaders": ("leader", "lost", "back"),
        "wounded": ("figure", "no longer wounded", "wounded"),
        "leaders wounded": ("leader", "no longer wounded", "wounded"),
        "commanded": ("squad", "without orders again", "given orders"),
        "free to obey": ("squad", "no longer able to obey them", "able to obey them"),
    }

    def name_of(self, word: str) -> str:
        return self.game.names.get(word) or super().name_of(word)

    def is_leader(self, word: str) -> bool:
        return word in self.game.plan.specs and bool(self.game.plan.specs[word].leader)

    def describe(self, state: Battle, question: Question) -> str:
        return question_sentence(state, question, self.game.names)

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        return option_phrase(state, question, option)

    def describe_card(self, question: Draw, card: str) -> str:
        return figure_phrase(super().describe_card(question, card))

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.game.rules, self.game.names, event, self.landmarks)

    @cached_property
    def landmarks(self) -> Landmarks:
        """The named places of the battle."""
        return Landmarks(self.game.scenario, self.length, self.game.book.settings.scenario_cm_per_inch)


class RskDisplay(Display[Battle]):
    """Draws the board and reports on each unit."""

    game: RskGame

    def board(self, state: Battle) -> Board:
        details = [self.game.narrator.name_of(state.side)]
        if self._nobody_commands(state):
            details.append("nobody gives orders")
        return draw_board(state, self.game.scenario, self.headline(state, *details), self._ground)

    def _nobody_commands(self, state: Battle) -> bool:
        """Return True if the active side has lost its Player Characters and nobody has taken over (RSK-069)."""
        lost = self.game.plan.commanders.get(state.side, [])
        return bool(lost) and state.side not in state.commanders.values() and all(name in state.gone for name in lost)

    @cached_property
    def _ground(self) -> tuple[BoardCell, ...]:
        """The board cells of the terrain, which never change."""
        return ground_cells(self.game.plan.field)

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        return pieces_by_side(self.game.plan, self.game.scenario)

    def arriving_pieces(self, state: Battle) -> list[ArrivingPiece]:
        leaders = self.game.scenario.leaders
        coming = [self.game.plan.specs[name] for name in state.arrivals if name in state.units]
        return arriving_pieces(self.game.scenario, coming, lambda spec: spec.id if spec.id in leaders else spec.parent)

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, State]]:
        """Return for each unit of the scenario its figures and wounded, its leaders, how many squads are commanded and
        free to obey, and whether any squad is in contact, retreating or routing. Squads still to arrive are included.
        """
        found: dict[str, Mapping[str, State]] = {}
        for name, own in self.game.parts_of(state).items():
            leaders = [unit for unit in own if unit.spec.id in self.game.scenario.leaders]
            squads = [unit for unit in own if unit not in leaders]
            found[name] = {
                "figures": sum(_number(state, squad) for squad in squads),
                "wounded": sum(sum(squad.hurt) for squad in squads),
                "leaders": sum(_number(state, leader) for leader in leaders),
                "leaders wounded": sum(sum(leader.hurt) for leader in leaders),
                "still to come": any(unit.spec.id in state.arrivals for unit in own),
                "in contact": any(bool(state.enemies_in_contact(squad)) for squad in squads if squad.is_on_table),
                "commanded": sum("commanded" in squad.marks for squad in squads),
                "free to obey": sum({"commanded", "free"} <= squad.marks for squad in squads),
                **{
                    status: True
                    for squad in squads
                    for status in BACKWARD
                    if squad.is_on_table and squad.status == status
                },
            }
        return found


class RskSight(Sight[Battle]):
    """Hides the enemy's hidden units and what stands behind his markers."""

    game: RskGame

    def view(self, state: Battle, seat: str) -> Battle:
        """Return the battle without the enemy's hidden units, also before their markers are set, and with nothing known
        about his markers (RSK-187).
        """
        to_hide = () if state.begun else self.game.plan.markers
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
        seen.carried_objects = {
            n: p for n, p in seen.carried_objects.items() if not p.carrier or p.carrier in seen.units
        }
        return seen

    def secrets(self, state: Battle, seat: str) -> frozenset[str]:
        """Return the names that the seat must not learn about, with the enemy's markers: even the removal of a dummy
        gives something away (RSK-188).
        """
        markers = {name for name, marker in state.markers.items() if marker.side != seat}
        return super().secrets(state, seat) | markers

    def conceal(self, state: Battle, hidden: AbstractSet[str]) -> None:
        state.conceal(hidden)

    def put_away(self, state: Battle, piece: Unit) -> None:
        waiting = state.waiting
        state.conceal({piece.id})
        state.waiting = waiting
        piece.body, piece.hurt, piece.armed, piece.kits = Body((), piece.body.radius), (), (), ()


class RskPlay(Play[Battle]):
    """A side whose groups all go back is beaten."""

    game: RskGame

    def how_to_win(self, state: Battle) -> Sequence[str]:
        """Return the common victory rules, and the defeat of a side whose groups all go back (RSK-183)."""
        return [*super().how_to_win(state), "A side loses at once when all its units are in retreat or gone."]

    def who_goes_first(self, state: Battle) -> str:
        """Return the side that goes first, by the scenario or as the attacker, or that dice decide (RSK-042)."""
        scenario = self.game.scenario
        if rolls_for_first_side(self.game.book, scenario):
            return "each side rolls a die; the higher roll goes first in every turn"
        if scenario.first in scenario.sides:
            return super().who_goes_first(state)
        name = next(side.name for side in scenario.sides.values() if side.role == "attacker")
        return f"{name} {agreeing(name, 'goes', 'go')} first, as the attacker"

    def own_outcome(self, state: Battle) -> Outcome | None:
        """Return the outcome if a side is beaten because all its groups go back (RSK-183). If both sides are, the game
        is a draw (RSK-184). None leaves the result to the scenario (RSK-185).
        """
        if not state.beaten:
            return None
        left = [side for side in self.game.seats if side not in state.beaten]
        beaten = join_with_and([in_a_sentence(self.game.narrator.name_of(side)) for side in state.beaten])
        return replace(
            self.common_outcome(state),
            winner=left[0] if len(left) == 1 else None,
            ground="retreat",
            decided_by=f"all units of {beaten} in retreat or gone",
        )


class RskGame(Game[Battle]):
    """One scenario under the Risk Factor rules. It holds the translated scenario and the sequence of play, but no
    state. Sides in `solo` are never asked a question.
    """

    policy: CommandPoints
    sequence: TurnSequence
    editor_class = RskUmpireEditor
    narrator_class = RskNarrator
    display_class = RskDisplay
    sight_class = RskSight
    play_class = RskPlay
    advisor_class = RskAdvisor
    odds_horizon_class = RskOddsHorizon

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        super().__init__(rules, scenario, solo)
        self.book = RskBook(rules)
        self.plan = translate(self.book, scenario, solo)
        self.untranslated = tuple(self.plan.notes)
        self.names = _names(scenario, self.plan)
        self.policy = self.activation(CommandPoints)
        self.sequence = TurnSequence(self.policy, scenario, self.plan)

    def split_units(self) -> Mapping[str, Sequence[str]]:
        """Return each unit of the scenario with the names of its squads or bands."""
        found: dict[str, list[str]] = {}
        for spec in self.plan.specs.values():
            if not spec.leader:
                found.setdefault(spec.parent, []).append(spec.name)
        return {parent: names for parent, names in found.items() if parent in self.scenario.units}

    def start(self) -> Battle:
        return first_state(self.book, self.scenario, self.plan, self.solo, self.policy.first)

    def scoreboard(self, state: Battle) -> RskScoreboard:
        return RskScoreboard(state, self.scenario, self.plan)

    def parts_of(self, state: Battle) -> dict[str, list[Unit]]:
        """Return the squads and leaders of each unit of the scenario."""
        found: dict[str, list[Unit]] = {name: [] for name in self.scenario.units}
        for unit in state.units.values():
            if unit.spec.parent in found:
                found[unit.spec.parent].append(unit)
        return found


def _fights(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit is in a melee that is still to be fought."""
    return any(unit.spec.id in melee.split("+") for melee in battle.waiting)


def _number(battle: Battle, unit: Unit) -> int:
    """Return the number of figures of a unit, including units behind a marker or still to arrive."""
    waits = unit.spec.id in battle.arrivals or "hidden" in unit.marks
    return unit.spec.figures if waits else unit.count


def _names(scenario: Scenario, plan: Plan) -> dict[str, str]:
    """Return the display names of units, squads, leaders, sides, objects and markers."""
    return {
        **{name: entry.name for name, entry in scenario.units.items()},
        **{side: entry.name for side, entry in scenario.sides.items()},
        **{key: thing.name for key, thing in scenario.objects.items()},
        **{name: spec.name for name, spec in plan.specs.items()},
        **{
            name: marker_title(name, scenario)
            for side in scenario.sides
            for name in possible_markers(plan, scenario, side)
        },
    }
