"""The game class of Fixed Bay'net an' Uncovered 'elmet: one scenario played with one set of resolved rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Any

from zareba.base.state import CopyOnWrite
from zareba.battle.arrivals import arriving_pieces
from zareba.game.activation import AlternateUnits
from zareba.odds import SmallBattle, before_choice, has_odds_before
from zareba.plugins.ruleset import Advisor, Display, Evaluation, Game, Narrator, OddsHorizon, Play, Search, Sight, State
from zareba.presentation.board import ArrivingPiece, Board, BoardCell
from zareba.presentation.landmarks import Landmarks
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.table import Answer, Choose, Confirm, Draw, Event, Option, Place, Point, Question
from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.actions.charge import FIGHT
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.morale import gathered_spec, unit_glory
from zareba_rulesets.fixed_baynet.chapters.setting_up import first_state
from zareba_rulesets.fixed_baynet.chapters.victory import FbnScoreboard
from zareba_rulesets.fixed_baynet.estimates import ScenarioObjectives
from zareba_rulesets.fixed_baynet.evaluation import best_kinds, best_places, evaluate
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.presentation.drawing import draw_board, ground_cells, pieces_by_side, units_to_set_up
from zareba_rulesets.fixed_baynet.presentation.odds_hints import next_act
from zareba_rulesets.fixed_baynet.presentation.umpire_editor import FbnUmpireEditor
from zareba_rulesets.fixed_baynet.presentation.words import (
    event_sentence,
    name_in_play,
    option_phrase,
    question_sentence,
)
from zareba_rulesets.fixed_baynet.sequence import Sequence as TurnSequence
from zareba_rulesets.fixed_baynet.translation import WHEN_CALLED, translate

REPORTED_MARKS = frozenset({"pinned", "unformed"})
"""The marks of a unit that last beyond its activation."""


def _count_chargers(unit: Unit) -> int:
    """Return the number of men of a unit who have charged in this activation."""
    return sum("charged" in man.marks for man in unit.figures.values())


class FbnAdvisor(Advisor[Battle]):
    """Evaluates options with the ruleset's `evaluation` package."""

    game: FbnGame
    search = Search(sides=False, answers=frozenset())
    """No search was measured to gain on doctrine in these rules (docs/decisions/0027)."""

    def evaluate(self, state: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        return evaluate(state, self.game.objectives, question)

    def best_places(self, state: Battle, question: Place) -> Mapping[Point, Evaluation]:
        found = best_places(state, self.game.objectives, question)
        return super().best_places(state, question) if found is None else found

    def best_options(self, state: Battle, question: Choose) -> Mapping[Option, Evaluation]:
        found = best_kinds(state, self.game.objectives, question)
        return super().best_options(state, question) if found is None else found

    def odds_for(self, state: Battle, question: Question, option: Option) -> Sequence[tuple[str, str, SmallBattle]]:
        return before_choice(self.game, state, question, option, next_act)

    def has_odds(self, state: Battle, question: Question, option: Option) -> bool:
        return has_odds_before(state, question, option, next_act)


class FbnOddsHorizon(OddsHorizon[Battle]):
    """Odds of a charge look ahead to the blows of the figures that made contact."""

    def includes(self, before: Battle, state: Battle, step: Step) -> bool:
        """Return True if the outcome of this step continues in the next: after a charge, the blows of the figures that
        made contact (FBN-043, FBN-104). All other acts are resolved in their own step.
        """
        if step.name != "actions.act" or (state.turn, state.active) != (before.turn, before.active):
            return False
        unit, was = state.units[state.active], before.units[state.active]
        return _count_chargers(unit) > _count_chargers(was) and not any(man.attacks for man in unit.figures.values())

    def hold(self, question: Choose | Place | Confirm) -> Answer:
        """Answer for a unit that has just charged: it strikes if an enemy is in reach (see `includes`)."""
        if isinstance(question, Choose) and question.why == "act" and FIGHT.verb in question.options:
            return FIGHT.verb
        return super().hold(question)


class FbnNarrator(Narrator[Battle]):
    """Puts the game into the words of these rules."""

    game: FbnGame
    counted_as: Mapping[str, tuple[str, str, str]] = {
        **Narrator.counted_as,
        "damage points": ("damage point", "lost", "back"),
        "leaders": ("leader", "lost", "back"),
        "wounded": ("figure", "no longer wounded", "wounded"),
        "lying": ("figure", "up again", "lying down"),
        "in panic": ("figure", "no longer in panic", "in panic"),
        "guns": ("gun", "lost", "back"),
        "guns jammed": ("gun", "cleared", "jammed"),
    }

    def name_of(self, word: str) -> str:
        return name_in_play(self.game.plan.squads, self.game.origin.specs, word) or super().name_of(word)

    def describe(self, state: Battle, question: Question) -> str:
        return question_sentence(
            state, question, {side: entry.name for side, entry in self.game.scenario.sides.items()}
        )

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        return option_phrase(state, question, option)

    def describe_card(self, question: Draw, card: str) -> str:
        spec = self.game.origin.specs.get(card)
        return spec.name if spec is not None else super().describe_card(question, card)

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.name_of, event, self.landmarks)

    @cached_property
    def landmarks(self) -> Landmarks:
        """The named places of the battle."""
        return Landmarks(self.game.scenario, self.length)


class FbnDisplay(Display[Battle]):
    """Draws the board and reports on each unit."""

    game: FbnGame

    def board(self, state: Battle) -> Board:
        return draw_board(state, self.game.scenario, self.headline(state), self._ground)

    @cached_property
    def _ground(self) -> tuple[BoardCell, ...]:
        """The board cells of the terrain, which never change."""
        return ground_cells(self.game.book, self.game.plan.field)

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        return pieces_by_side(state, self.game.plan, self.game.seats)

    def arriving_pieces(self, state: Battle) -> list[ArrivingPiece]:
        called = [key for key, (turn, _, _) in self.game.plan.entries.items() if turn == WHEN_CALLED]
        coming = [state.units[key].spec for key in (*units_to_set_up(state), *state.arrivals) if key in state.units]
        when = dict.fromkeys(called, "when sent for")
        return arriving_pieces(self.game.scenario, coming, lambda spec: spec.source, when)

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, State]]:
        """Return each unit's state as numbers for the odds: men, guns, glory, formation and marks. Buildings follow,
        with their damage points.
        """
        found: dict[str, Mapping[str, State]] = {}
        for key, unit in state.units.items():
            leaders = wounded = lying = in_panic = 0
            for man in unit.figures.values():
                leaders += man.spec.leads
                wounded += bool(man.locations)
                lying += man.prone
                in_panic += not man.steady
            found[key] = {
                "figures": len(unit.figures),
                "leaders": leaders,
                "wounded": wounded,
                "lying": lying,
                "in panic": in_panic,
                "guns": sum([gun.in_play for gun in unit.guns]),
                "guns jammed": sum([gun.jam == "jammed" for gun in unit.guns]),
                "glory": unit_glory(state, unit) if unit.figures else 0,
                "in formation": unit.formation,
                "to fall back": unit.back,
                **dict.fromkeys(sorted(unit.marks & REPORTED_MARKS), True),
            }
        for key, house in state.houses.items():
            found[key] = {"damage points": house.points}
        return found

    def places(self, state: Battle) -> Mapping[str, Mapping[str, Point]]:
        return {key: {man.id: man.at for man in unit.figures.values()} for key, unit in state.units.items()}


class FbnSight(Sight[Battle]):
    """Hides the enemy's hidden units and the plots of his mortars."""

    game: FbnGame

    def view(self, state: Battle, seat: str) -> Battle:
        """Return the state without hidden enemies, the objects they carry, and the plots of enemy mortars (FBN-227).

        The view is read-only and valid for one decision: it shares all other data with the state.
        """
        hidden, plotted = [], []
        for key, unit in state.units.items():
            if "hidden" in unit.marks and unit.spec.side != seat:
                hidden.append(key)
            if unit.guns and unit.spec.side != seat and any(gun.plot for gun in unit.guns):
                plotted.append(key)
        if not hidden and not plotted:
            return state
        seen = state.copy_for_look_ahead(*plotted)
        for key in plotted:
            for gun in seen.units[key].guns:
                gun.plot = ()
        for key in hidden:
            del seen.units[key]
        seen.waiting = [key for key in seen.waiting if key not in hidden]
        seen.active = "" if seen.active in hidden else seen.active
        seen.carried_objects = CopyOnWrite(
            (name, carried_object)
            for name, carried_object in seen.carried_objects.items()
            if carried_object.carrier not in hidden
        )
        return seen

    def secrets(self, state: Battle, seat: str) -> frozenset[str]:
        """Return the secrets of a state from a seat, including the targets plotted by enemy mortars (FBN-227)."""
        plots = {
            f"plot {number} of {key}"
            for key, unit in state.units.items()
            if unit.spec.side != seat
            for number, gun in enumerate(unit.guns)
            if gun.plot
        }
        return super().secrets(state, seat) | plots

    def determinize(self, state: Battle, seat: str, luck: int) -> Battle:
        """Return a state that fits what the seat knows: the enemy's hidden units are off the table."""
        guess = self.view(state, seat).copy()
        for key in [key for key in state.units if key not in guess.units]:
            unseen = guess.units[key] = state.units[key].copy()
            unseen.unmark("hidden")
            unseen.mark("away")
            unseen.measure()
        return guess

    def conceal(self, state: Battle, hidden: AbstractSet[str]) -> None:
        state.conceal(hidden)

    def put_away(self, state: Battle, piece: Unit) -> None:
        state.conceal({piece.id})
        piece.unmark("hidden")
        piece.mark("away")
        piece.measure()


_HIGHEST_ROLL = {
    "last": "the lowest roll activates a unit first, the highest last",
    "first": "the highest roll activates a unit first",
    "chooses": "the highest roll chooses to activate a unit first or last",
}
"""Phrases for the values of the setting `initiative_highest`."""


class FbnPlay(Play[Battle]):
    """Play in which an initiative roll decides who goes first."""

    game: FbnGame

    def who_goes_first(self, state: Battle) -> str:
        """Return how the initiative roll decides who goes first (FBN-008)."""
        settings = self.game.book.settings
        when = "in each turn" if settings.initiative_each_turn else "before the first turn"
        return f"each side rolls for initiative {when}; {_HIGHEST_ROLL[settings.initiative_highest]}"


class FbnGame(Game[Battle]):
    """The translated scenario and the sequence of play. It stores no state: its methods take and return states."""

    policy: AlternateUnits
    editor_class = FbnUmpireEditor
    narrator_class = FbnNarrator
    display_class = FbnDisplay
    sight_class = FbnSight
    play_class = FbnPlay
    advisor_class = FbnAdvisor
    odds_horizon_class = FbnOddsHorizon

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        super().__init__(rules, scenario, solo)
        self.book = FbnBook(rules)
        self.plan = translate(self.book, scenario)
        self.untranslated = tuple(self.plan.notes)
        self.objectives = ScenarioObjectives(scenario, self.plan.field)
        self.policy = self.activation(AlternateUnits)
        self.sequence = TurnSequence(self.policy, scenario, self.plan)
        self.origin = first_state(self.book, scenario, self.plan, self.policy.first)

    def start(self) -> Battle:
        return self.origin.copy()

    def from_data(self, data: dict[str, Any]) -> Battle:
        """Restore a battle.

        A unit that was formed in play has no spec at the start, and its men come from other units (FBN-159).
        """
        battle = super().from_data(data)
        for key, unit in battle.units.items():
            unit.spec = unit.spec or gathered_spec(key)
            for figure_id, figure in unit.figures.items():
                figure.spec = battle.specs[figure_id]
        return battle

    def scoreboard(self, state: Battle) -> FbnScoreboard:
        return FbnScoreboard(state, self.scenario)
