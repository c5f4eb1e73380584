"""The Paychest game as the core plays it: one scenario under one set of resolved rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property

from zareba.battle.arrivals import arriving_pieces
from zareba.game.activation import CardPerUnit
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
from zareba.presentation.cards import CardRow, TableCard
from zareba.presentation.landmarks import Landmarks
from zareba.presentation.narration import Roster
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.scenario.victory import outright_victories
from zareba.table import Choose, Confirm, Draw, Event, Option, Place, Point, Question
from zareba.table.questions import Step
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.organisation import notes_on
from zareba_rulesets.paychest.chapters.setting_up import first_state
from zareba_rulesets.paychest.chapters.victory import PaychestScoreboard, own_outcome
from zareba_rulesets.paychest.evaluation import best_places, evaluate
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit
from zareba_rulesets.paychest.presentation.drawing import draw_board, ground_cells, pieces_by_side
from zareba_rulesets.paychest.presentation.odds_hints import next_act
from zareba_rulesets.paychest.presentation.roster import roster_of
from zareba_rulesets.paychest.presentation.umpire_editor import PaychestUmpireEditor
from zareba_rulesets.paychest.presentation.words import (
    event_sentence,
    name_in_play,
    option_phrase,
    question_sentence,
    words,
)
from zareba_rulesets.paychest.sequence import Sequence as TurnSequence
from zareba_rulesets.paychest.translation import Plan, translate

TO_CONTACT = frozenset({"unit.fire", "unit.melee"})
"""The steps between a move and the end of the activation."""

OUT = frozenset({"dead", "unconscious", "off", "left"})
"""Fates of figures that no longer fight."""


class PaychestAdvisor(Advisor[Battle]):
    """Evaluates options with the ruleset's `evaluation` package."""

    game: PaychestGame
    search = Search(sides=False, answers=frozenset())
    """No search was measured to gain on doctrine in these rules (docs/decisions/0027)."""

    def evaluate(self, state: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        return evaluate(state, question)

    def best_places(self, state: Battle, question: Place) -> Mapping[Point, Evaluation]:
        return best_places(state, question)

    def odds_for(self, state: Battle, question: Question, option: Option) -> Sequence[tuple[str, str, SmallBattle]]:
        return before_choice(self.game, state, question, option, next_act)

    def has_odds(self, state: Battle, question: Question, option: Option) -> bool:
        return has_odds_before(state, question, option, next_act)


class PaychestOddsHorizon(OddsHorizon[Battle]):
    """Odds of a move look ahead to the melees on the same card."""

    def includes(self, before: Battle, state: Battle, step: Step) -> bool:
        """Return True for the steps from a move to the melees it leads to on the same card (PAY-053 to PAY-055).

        No unit fires in between. Immediate results of fire belong to the fire step itself (PAY-063, PAY-104). Morale
        is left to the end of the turn.
        """
        same_card = (state.turn, state.drawn) == (before.turn, before.drawn)
        return same_card and before.stage == "move" and step.name in TO_CONTACT


class PaychestNarrator(Narrator[Battle]):
    """Puts the game into the words of these rules."""

    game: PaychestGame
    counted_as: Mapping[str, tuple[str, str, str]] = {
        **Narrator.counted_as,
        "killed": ("figure", "no longer dead", "killed"),
        "unconscious": ("figure", "conscious again", "unconscious"),
        "leaders lost": ("leader", "back", "lost"),
        "wounds": ("wound", "healed", "suffered"),
        "lame": ("figure", "no longer lame", "lame"),
        "hidden": ("figure", "no longer hidden", "hidden"),
        "hits": ("hit", "removed", "taken"),
        "guns jammed": ("gun", "cleared", "jammed"),
    }

    def name_of(self, word: str) -> str:
        name = name_in_play(self.game.plan, word)
        return name if name != word else super().name_of(word)

    def describe(self, state: Battle, question: Question) -> str:
        return question_sentence(state, question, self.game.sides)

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        return option_phrase(state, question, option)

    def describe_card(self, question: Draw, card: str) -> str:
        unit = self.game.plan.units.get(card)
        if unit is not None:
            return unit.name
        return words().tables["cards"].get(card) or super().describe_card(question, card)

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.game.plan, event, self.game.sides, self.game.book.results, self.landmarks)

    @cached_property
    def landmarks(self) -> Landmarks:
        """The named places of the battle."""
        return Landmarks(self.game.scenario)


class PaychestDisplay(Display[Battle]):
    """Draws the board and reports on each unit."""

    game: PaychestGame
    has_cards = True

    def board(self, state: Battle) -> Board:
        return draw_board(state, self.game.scenario, self.headline(state), self._ground)

    @cached_property
    def _ground(self) -> tuple[BoardCell, ...]:
        """The board cells of the terrain, which never change."""
        return ground_cells(self.game.book, self.game.plan.field)

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        return pieces_by_side(self.game.plan, self.game.seats, self.game.scenario)

    def arriving_pieces(self, state: Battle) -> list[ArrivingPiece]:
        sources, back = self.game.plan.sources, dict.fromkeys(state.returning, "forms again at its edge")
        known = {key for key, unit in state.units.items() if any(man.appearances for man in unit.figures.values())}
        coming = [unit.spec for key, unit in state.units.items() if key in back or key not in known]
        return arriving_pieces(self.game.scenario, coming, lambda spec: sources.get(spec.id, spec.id), back)

    def roster(self, state: Battle, seat: str | None = None) -> Roster:
        return roster_of(state, self.game.scenario, seat)

    def cards(self, state: Battle, seat: str | None) -> list[CardRow]:
        """Return the cards drawn this turn, the latest first, and the number of cards still to come."""
        drawn = [unit for unit in reversed(state.order) if unit in state.units]
        cards = [TableCard(state.units[unit].spec.name, unit=unit) for unit in drawn]
        left = sum(state.cards.pile.values())
        if left:
            cards.append(TableCard("unit card", is_known=False, count=left))
        return [CardRow("Cards drawn this turn", tuple(cards))] if drawn or left else []

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, State]]:
        """Return per unit the figures left, hits, casualties, lost leaders, forced moves and jammed guns."""
        coming, again = self.game.scoreboard(state).to_come
        jams = Counter(gun.unit for gun in state.engines.values() if gun.jammed)
        found: dict[str, Mapping[str, State]] = {}
        for name, units in self.game.parts_of(state).items():
            left = killed = unconscious = wounds = lame = hidden = 0
            for unit in units:
                comes = unit.spec.id in coming
                for key, man in unit.figures.items():
                    if man.fate == "able":
                        if man.at is not None:
                            left += 1
                            wounds += len(man.wounds)
                            if man.marks:
                                lame += "lame" in man.marks
                                hidden += "down" in man.marks
                        else:
                            left += comes or key in again
                    else:
                        left += man.fate == "left" or key in again
                        killed += man.fate == "dead"
                        unconscious += man.fate == "unconscious"
            if name in self.game.scenario.units:
                men = sum([len(unit.figures) for unit in units])
                figures = round(left / men * self.game.scenario.units[name].figures, 3) if men else 0.0
            else:
                figures = sum([man.fate not in OUT for unit in units for man in unit.figures.values()])
            found[name] = {
                "figures": figures,
                "hits": sum([unit.hits for unit in units]),
                "killed": killed,
                "unconscious": unconscious,
                "wounds": wounds,
                "lame": lame,
                "hidden": hidden,
                "leaders lost": sum([len(unit.lost) for unit in units]),
                "routing": any(unit.rout for unit in units),
                "to fall back": any(unit.pending for unit in units),
                "inactive": any("inactive" in unit.marks for unit in units),
                "guns jammed": sum([jams[unit.spec.id] for unit in units]) if jams else 0,
            }
        return found

    def places(self, state: Battle) -> Mapping[str, Mapping[str, Point]]:
        return {
            name: {man: figure.at for unit in units for man, figure in unit.figures.items() if figure.at is not None}
            for name, units in self.game.parts_of(state).items()
        }


class PaychestSight(Sight[Battle]):
    """Takes hidden units out of views; the rules themselves hide nothing."""

    game: PaychestGame

    def conceal(self, state: Battle, hidden: AbstractSet[str]) -> None:
        state.conceal(hidden)

    def put_away(self, state: Battle, piece: Unit) -> None:
        acting = state.acting
        state.conceal({piece.spec.id})
        state.acting = acting
        for figure in piece.figures.values():
            figure.at, figure.loads, figure.aboard = None, (), ""
        piece.measure()


class PaychestPlay(Play[Battle]):
    """Decides the battle by the rules' own victory conditions."""

    game: PaychestGame

    def how_to_win(self, state: Battle) -> Sequence[str]:
        """Return what decides, in order: an objective met, the surviving side, most points at the turn limit
        (PAY-215).
        """
        if self.game.book.settings.own_victory == "common":
            return super().how_to_win(state)
        return [
            "Most points win at the turn limit.",
            *outright_victories(self.game.scenario),
            "A side that alone has able men left wins at once, whatever the points.",
            "Equal points are a draw.",
        ]

    def who_goes_first(self, state: Battle) -> str:
        """Return how the cards decide who acts (PAY-058)."""
        return "no side goes first: each unit has a playing card, and acts when that card is drawn"

    def own_outcome(self, state: Battle) -> Outcome | None:
        """Return the outcome (PAY-215): an objective met, the surviving side, or most points at the turn limit.

        With `own_victory` common these rules have no separate victory rule, and the result is None.
        """
        if self.game.book.settings.own_victory == "common":
            return None
        return own_outcome(self.game.scoreboard(state), self.ending(state))


class PaychestGame(Game[Battle]):
    """A game of Paychest: the translated scenario and the sequence of play. Methods take and return states."""

    policy: CardPerUnit
    narrator_class = PaychestNarrator
    display_class = PaychestDisplay
    sight_class = PaychestSight
    play_class = PaychestPlay
    advisor_class = PaychestAdvisor
    odds_horizon_class = PaychestOddsHorizon

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        super().__init__(rules, scenario, solo)
        self.make_editor: Callable[[PaychestGame, Plan], PaychestUmpireEditor] = PaychestUmpireEditor
        self.book = PaychestBook(rules)
        self.plan = translate(self.book, scenario)
        self.sides = {side: entry.name for side, entry in scenario.sides.items()}
        self.untranslated = (*self.plan.notes, *notes_on(self.book, scenario))
        self.policy = self.activation(CardPerUnit)
        self.sequence = TurnSequence(self.policy, scenario, self.plan)

    def start(self) -> Battle:
        return first_state(self.book, self.scenario, self.plan, self.policy.first)

    def scoreboard(self, state: Battle) -> PaychestScoreboard:
        return PaychestScoreboard(state, self.scenario, self.plan, turn_over=state.stage == "end")

    def parts_of(self, state: Battle) -> dict[str, list[Unit]]:
        """Return the Paychest units that make up each unit of the scenario.

        Leaders who have their own card are listed separately.
        """
        parts = self.plan.parts
        found = {
            name: [piece for piece in parts.get(name, (name,)) if piece in state.units] for name in self.scenario.units
        }
        named = {unit for units in found.values() for unit in units}
        found |= {name: [name] for name in state.units if name not in named}
        return {name: [state.units[unit] for unit in units] for name, units in found.items()}

    def umpire_editor(self) -> PaychestUmpireEditor:
        return self.make_editor(self, self.plan)
