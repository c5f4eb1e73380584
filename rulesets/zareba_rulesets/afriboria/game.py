"""Afriboria as a game for the core: one scenario under one set of resolved rules."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from zareba.base.grammar import amount, in_a_sentence, with_unit
from zareba.battle.arrivals import arriving_pieces
from zareba.game.activation import CommandCards
from zareba.odds import SmallBattle, before_choice, has_odds_before
from zareba.plugins.ruleset import Advisor, Display, Evaluation, Game, Narrator, Outcome, Play, Search, Sight, State
from zareba.presentation.board import ArrivingPiece, Board, split_hidden
from zareba.presentation.cards import CardRow
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.scenario.load import held_back
from zareba.table import Choose, Confirm, Draw, Event, Option, Place, Question, SeededTable
from zareba.table.questions import Step
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.cards import fill_in_enemy_hand, hide_enemy_hand
from zareba_rulesets.afriboria.chapters.movement import allowance, steps_to
from zareba_rulesets.afriboria.chapters.setting_up import first_state
from zareba_rulesets.afriboria.chapters.victory import AfrScoreboard, decision_phrase, leader_of_points
from zareba_rulesets.afriboria.evaluation import Evaluator
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, CommanderSpec, Flier, FlierSpec, Unit, UnitSpec
from zareba_rulesets.afriboria.presentation.drawing import draw_board
from zareba_rulesets.afriboria.presentation.odds_hints import next_act
from zareba_rulesets.afriboria.presentation.refusals import why_not_hex, why_not_unit
from zareba_rulesets.afriboria.presentation.umpire_editor import AfrUmpireEditor
from zareba_rulesets.afriboria.presentation.words import (
    card_rows,
    event_sentence,
    hand_phrase,
    hex_of,
    option_phrase,
    question_sentence,
    words,
)
from zareba_rulesets.afriboria.sequence import Sequence as TurnSequence
from zareba_rulesets.afriboria.translation import translate

REPORTED_MARKS = frozenset({"defended", "inspired", "stuck", "unexposed", "wounded"})
"""The marks of a piece that the odds report."""


class AfrAdvisor(Advisor[Battle]):
    """Evaluates options with the ruleset's `evaluation` package."""

    game: AfrGame
    search = Search(turns=1, sides=False, answers=frozenset({"play"}), decisions=600, win=0.5)

    def __init__(self, game: AfrGame) -> None:
        super().__init__(game)
        self.evaluator = Evaluator(game.book, game.scenario, game.plan)

    def evaluate(self, state: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        return self.evaluator.evaluate(state, question)

    def search_turn(self, state: Battle) -> int:
        """Return the number of the player turn, so that a search of one more turn ends with the enemy's reply."""
        return state.turn

    def reserve(self, state: Battle, seat: str) -> float:
        """Return the value of the best card in hand. Without it a search would always play the best card first."""
        hand = sorted(set(state.sides[seat].hand))
        values = self.evaluator.order_values.cards(state, seat, hand)
        return max(values, default=0.0) / len(self.game.plan.roster.units[seat])

    def odds_for(self, state: Battle, question: Question, option: Option) -> Sequence[tuple[str, str, SmallBattle]]:
        return before_choice(self.game, state, question, option, next_act)

    def has_odds(self, state: Battle, question: Question, option: Option) -> bool:
        return has_odds_before(state, question, option, next_act)


class AfrNarrator(Narrator[Battle]):
    """Puts the game into the words of these rules."""

    game: AfrGame

    def name_of(self, word: str) -> str:
        plan = self.game.plan
        pieces: Mapping[str, UnitSpec | CommanderSpec | FlierSpec] = {**plan.units, **plan.commanders, **plan.fliers}
        return pieces[word].name if word in pieces else super().name_of(word)

    def describe(self, state: Battle, question: Question) -> str:
        return question_sentence(state, question, self.game.names)

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        return option_phrase(state, question, option)

    def why_not(self, state: Battle, question: Choose, *, piece: str = "", cell: int | None = None) -> str:
        other = state.units.get(piece) or state.commanders.get(piece)
        if other is not None:
            return why_not_unit(state, question, other)
        if cell is not None:
            return why_not_hex(state, question, cell)
        return super().why_not(state, question, piece=piece, cell=cell)

    def describe_card(self, question: Draw, card: str) -> str:
        return (self.game.book.file.events.get(card) or self.game.book.cards[card]).title

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.game.book, self.game.plan, self.game.names, event)


class AfrDisplay(Display[Battle]):
    """Draws the board and reports on each unit."""

    game: AfrGame
    has_cards = True
    set_up_phases = ("companies",)

    def board(self, state: Battle) -> Board:
        return draw_board(state, self.game.scenario, self.headline(state))

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        plan = self.game.plan
        every: list[UnitSpec | CommanderSpec | FlierSpec] = [*plan.units.values(), *plan.commanders.values()]
        every += plan.fliers.values()
        found: dict[str, list[str]] = {}
        for side in self.game.seats:
            own = [piece for piece in every if piece.side == side]
            openly, hidden = split_hidden(own, self._begins_hidden)
            found[side] = [piece.id for piece in (*openly, *hidden)]
        return found

    def _begins_hidden(self, piece: UnitSpec | CommanderSpec | FlierSpec) -> bool:
        """Return True if the scenario hides a unit, or the unit that a commander belongs to."""
        leader = self.game.scenario.leaders.get(piece.id)
        source = leader.unit if leader is not None else getattr(piece, "source", piece.id)
        unit = self.game.scenario.units.get(source or "")
        return unit is not None and unit.hidden

    def arriving_pieces(self, state: Battle) -> list[ArrivingPiece]:
        pieces: list[Unit | Commander] = [*state.units.values(), *state.commanders.values()]
        coming = [piece.spec for piece in pieces if piece.hex == OFF and piece.spec.id not in state.gone]
        return arriving_pieces(
            self.game.scenario, coming, lambda spec: spec.source if isinstance(spec, UnitSpec) else spec.id
        )

    def cell_of(self, state: Battle, question: Choose, option: Option) -> int | None:
        return hex_of(question, option)

    def cost_of(self, state: Battle, question: Choose, option: Option) -> str:
        unit = state.units.get(question.actor)
        if question.why != "move" or unit is None or not isinstance(option, tuple) or option[0] not in ("to", "with"):
            return ""
        steps = steps_to(state, unit, option[1], option[0] == "with")
        return f"{steps} of {with_unit(allowance(state, unit) - unit.moved, 'hexes')}"

    def cards(self, state: Battle, seat: str | None) -> list[CardRow]:
        if not any(side.hand for side in state.sides.values()):
            return []
        return card_rows(state, {side: self.game.narrator.name_of(side) for side in state.sides})

    def phases(self, state: Battle) -> Sequence[tuple[str, bool]]:
        titles = words().tables["stages"]
        return [(titles.get(name, name), name == state.stage) for name in self.game.policy.steps]

    def phase_title(self, step: Step) -> str:
        return words().tables["stages"].get(step.name, step.name)

    def headline(self, state: Battle, *details: str) -> str:
        """Return the game turn, the side that plays, the stage, and the points towards a quota in one line. A seat also
        gets its hand and the cards it has seen of the enemy's.
        """
        stage = (
            words().tables["stages"].get(state.stage, state.stage)
            if not state.over
            else f"over: {state.ending.replace('_', ' ')}"
        )
        names = self.game.scenario.sides
        turn = f"Turn {self.game.game_turn(state)} of {self.game.scenario.turns}"
        parts = [turn, names[state.active].name] if state.turn else ["Before turn 1"]
        quotas = ", ".join(
            f"{names[side].name} {entry.points}{f' of {entry.quota}' if entry.quota else ''}"
            for side, entry in state.sides.items()
            if entry.quota is not None
        )
        line = " · ".join([*parts, stage, *([f"victory points: {quotas}"] if quotas else [])])
        return line + hand_phrase(state) if state.turn else line

    def markers(self, state: Battle) -> Mapping[str, tuple[str, ...]]:
        gone, structures = state.gone, state.structures
        pieces: list[Unit | Commander] = [*state.units.values(), *state.commanders.values()]
        found: dict[str, tuple[str, ...]] = {
            name: ()
            if piece.marks.isdisjoint(REPORTED_MARKS)
            else tuple([f"{mark} 1" for mark in sorted(piece.marks & REPORTED_MARKS)])
            for piece in pieces
            if (name := piece.spec.id) not in gone
        }
        if state.fliers or structures:
            rest = super().markers(state)
            found |= {name: shown for name, shown in rest.items() if name not in found}
        return found

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, State]]:
        """Return the values that the odds report for each piece, each structure and each side's points.

        A unit of the scenario may be several units here, and commanders and fliers can be hit too. A battle is
        resolved within its own step (AFR-163), so no later step belongs to it.
        """

        def place(cell: int) -> str:
            return "" if cell == OFF else self.game.plan.field.grid.label(cell)

        pieces: list[Unit | Commander] = [*state.units.values(), *state.commanders.values()]
        found: dict[str, Mapping[str, State]] = {
            piece.spec.id: {
                "in": place(piece.hex),
                "figures": 0 if piece.spec.id in state.gone else piece.figures if isinstance(piece, Unit) else 1,
                **({"firearms": piece.firearms, "with ladders": piece.ladders} if isinstance(piece, Unit) else {}),
                **dict.fromkeys(sorted(piece.marks & REPORTED_MARKS), True),
            }
            for piece in pieces
        }
        for name, flier in state.fliers.items():
            airship = flier.spec.kind == "airship"
            values_left = {"strength": flier.strength} if airship else {"figures": int(name not in state.gone)}
            found[name] = {"in": place(flier.hex), **values_left, "bombs": flier.bombs}
        for cell, structure in state.structures.items():
            found[f"structure at {place(cell)}"] = {"points": structure.value, "rubble": cell in state.rubble}
        return found | {side: {"points": side_state.points} for side, side_state in state.sides.items()}


class AfrSight(Sight[Battle]):
    """Hides the enemy's hand, and quotas that tell of hidden units."""

    game: AfrGame

    def view(self, state: Battle, seat: str) -> Battle:
        """Return the state without the enemy's hand (AFR-045), and without a quota that would tell how many units he
        hides (AFR-052).
        """
        visible_state = hide_enemy_hand(state, seat)
        for side, entry in visible_state.sides.items():
            if entry.quota and self._quota_tells(side, seat):
                visible_state.sides[side] = entry.copy()
                visible_state.sides[side].quota = 0
        return visible_state

    def _quota_tells(self, side: str, seat: str) -> bool:
        """Return True if the quota of a side was computed from units that are hidden from a seat."""
        if self.game.scenario.sides[side].victory.quota == self.game.plan.quotas[side]:
            return False
        units = self.game.scenario.units
        return any(held_back(self.game.scenario, name) and units[name].side not in (side, seat) for name in units)

    def public(self, state: Battle) -> Battle:
        """Return the state as all may see it: without any hand, even for the seat whose view it was (AFR-045)."""
        public_state = super().public(state)
        public_state.seer = ""
        return public_state

    def secrets(self, state: Battle, seat: str) -> frozenset[str]:
        """Return the secrets of the state with the cards that the seat has not seen too, by their number (AFR-045)."""
        unseen = sum(len(entry.hand) - len(entry.known) for side, entry in state.sides.items() if side != seat)
        return super().secrets(state, seat) | {f"card {number}" for number in range(unseen)}

    def determinize(self, state: Battle, seat: str, luck: int) -> Battle:
        return fill_in_enemy_hand(SeededTable(self.game.rules, state, luck, {}), state, seat)

    def conceal(self, state: Battle, hidden: AbstractSet[str]) -> None:
        state.conceal(hidden)

    def put_away(self, state: Battle, piece: Unit | Commander | Flier) -> None:
        state.conceal({piece.id})
        piece.hex = OFF
        if isinstance(piece, Unit):
            piece.sections, piece.company = {}, ""

    def pieces_in(self, state: Battle) -> Sequence[MutableMapping[str, Any]]:
        return state.units, state.commanders, state.fliers


class AfrPlay(Play[Battle]):
    """Decides the battle by points."""

    game: AfrGame

    def how_to_win(self, state: Battle) -> Sequence[str]:
        """Return the quotas of points and what decides without them (AFR-052, AFR-055)."""
        names = {side: in_a_sentence(self.game.narrator.name_of(side)) for side in self.game.seats}
        quotas = [
            f"{names[side]} {amount(entry.quota, 'point')}"
            for side, entry in state.sides.items()
            if entry.quota is not None
        ]
        if not quotas:
            return super().how_to_win(state)
        return [
            f"The first side to reach its quota wins: {', '.join(quotas)}.",
            "Each enemy unit or commander destroyed is worth a point.",
            "At the turn limit the side with the larger share of its quota wins.",
        ]

    def who_goes_first(self, state: Battle) -> str:
        """Return the side that goes first by the scenario, or how a die decides it (AFR-046)."""
        if self.game.plan.first:
            return super().who_goes_first(state)
        return "each side rolls a die; the higher roll chooses to go first or second"

    def own_outcome(self, state: Battle) -> Outcome | None:
        """Return the outcome by quota first (AFR-052); in the end the larger share of points (AFR-055). Without quotas
        the scenario says who wins.
        """
        quotas = [entry.quota for entry in state.sides.values()]
        if state.ending != "quota" and None in quotas:
            return None
        points = {side: float(entry.points) for side, entry in state.sides.items()}
        winner = state.winner or leader_of_points(state)
        why = decision_phrase(state, self.game.scenario)
        return Outcome(winner, points, state.ending, "points of these rules", why)


class AfrGame(Game[Battle]):
    """A game of Afriboria: the translated scenario and the sequence of play. It holds no mutable state."""

    policy: CommandCards
    editor_class = AfrUmpireEditor
    narrator_class = AfrNarrator
    display_class = AfrDisplay
    sight_class = AfrSight
    play_class = AfrPlay
    advisor_class = AfrAdvisor

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        super().__init__(rules, scenario, solo)
        self.book = AfrBook(rules)
        self.plan = translate(self.book, scenario)
        self.untranslated = tuple(self.plan.notes)
        self.policy = self.activation(CommandCards)
        self.sequence = TurnSequence(self.policy, scenario, self.plan)
        places = {key: goal.name for key, goal in scenario.objectives.items()}
        self.names = places | {
            key: entry.name for named in (scenario.objects, scenario.sides) for key, entry in named.items()
        }

    def split_units(self) -> Mapping[str, Sequence[str]]:
        """Return each unit of the scenario with the names of the units that it is divided into."""
        found: dict[str, list[str]] = {}
        for spec in self.plan.units.values():
            found.setdefault(spec.source, []).append(spec.name)
        return {source: names for source, names in found.items() if source in self.scenario.units}

    def start(self) -> Battle:
        return first_state(self.book, self.scenario, self.plan, self.policy.first)

    def scoreboard(self, state: Battle) -> AfrScoreboard:
        return AfrScoreboard(state, self.scenario, self.plan)
