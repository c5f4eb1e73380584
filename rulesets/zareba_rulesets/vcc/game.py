"""Victorian Colonial Combat as a game for the core: one scenario under one set of resolved rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from zareba.base.grammar import agreeing, amount, in_a_sentence, percent
from zareba.battle.arrivals import arriving_pieces
from zareba.game.activation import FixedPhases
from zareba.game.parts.display import UnitChange
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
from zareba.presentation.board import ArrivingPiece, Board
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.table import Answer, Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba.table.questions import Step
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.chapters.movement import GO, ends_move
from zareba_rulesets.vcc.chapters.setting_up import first_state
from zareba_rulesets.vcc.chapters.victory import VccScoreboard, has_withdrawn, withdrawal_share
from zareba_rulesets.vcc.evaluation import Evaluator
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Unit
from zareba_rulesets.vcc.presentation.drawing import commander_id, draw_board, pieces_by_side
from zareba_rulesets.vcc.presentation.odds_hints import next_act
from zareba_rulesets.vcc.presentation.refusals import why_not_box, why_not_unit
from zareba_rulesets.vcc.presentation.umpire_editor import VccUmpireEditor
from zareba_rulesets.vcc.presentation.words import box_of, event_sentence, option_phrase, question_sentence, words
from zareba_rulesets.vcc.sequence import Sequence as TurnSequence
from zareba_rulesets.vcc.translation import translate

_RESOLVED = frozenset({"fire.shots", "fire.leaders", "fire.morale", "melee.fight", "melee.morale"})
"""The steps that resolve the consequences of an action taken earlier in the same phase."""
_EARLIER_CHECKS: Mapping[str, Answer] = {"leader hit": 0, "morale": 0}
"""Checks that an earlier shot may have caused, with an answer that passes them."""
LASTING_MARKS = frozenset(
    {"abandoned", "broken", "dismounted", "jest", "lying", "overheated", "prone", "square", "wrecked"}
)
"""The marks of a unit that last until something ends them."""


class VccAdvisor(Advisor[Battle]):
    """Evaluates options with the ruleset's `evaluation` package."""

    game: VccGame
    search = Search(turns=None, units=frozenset({"move"}), answers=frozenset(), decisions=900, errors=1.0)

    def __init__(self, game: VccGame) -> None:
        super().__init__(game)
        self.evaluator = Evaluator(game.scenario, game.plan)

    def evaluate(self, state: Battle, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        assert isinstance(question, Choose), (
            "these rules ask only choices; the core answers the questions of house rules"
        )
        return self.evaluator.evaluate(state, question)

    def ways(
        self, state: Battle, question: Choose | Place | Confirm, answers: Sequence[Answer], goal: str
    ) -> Sequence[float | None] | None:
        """Return how many moves are left to an objective from the box where each move ends."""
        aim = self.game.scenario.objectives[goal]
        if question.why != "move" or not isinstance(aim, (Hold, Escort, CarryOff)):
            return None
        unit = state.unit(question.actor)
        boxes = self.game.scoreboard(state).boxes_of(unit, goal, aim)
        if not boxes:
            return None
        lengths = state.field.path_lengths[unit.troop, boxes]
        allowance = max(1, state.book.classes[unit.troop].allowance)
        found = []
        for answer in answers:
            end = answer[1] if isinstance(answer, tuple) else unit.box
            box = end if isinstance(end, int) else state.unit(str(end)).box
            found.append(min(lengths[box], float(state.field.grid.size)) / allowance)
        return found

    def odds_for(self, state: Battle, question: Question, option: Option) -> Sequence[tuple[str, str, SmallBattle]]:
        return before_choice(self.game, state, question, option, next_act)

    def has_odds(self, state: Battle, question: Question, option: Option) -> bool:
        return has_odds_before(state, question, option, next_act)


class VccOddsHorizon(OddsHorizon[Battle]):
    """Odds of fire and melee look ahead to their checks, odds of a charge to its melee."""

    game: VccGame

    def __init__(self, game: VccGame) -> None:
        super().__init__(game)
        rallies_low = game.book.settings.rally_method != "four_plus"
        self.answers_elsewhere: Mapping[str, Answer] = {"melee": (0, False), "rally": 99 if rallies_low else 0}
        """Answers for units elsewhere until a charge reaches its melee: they cause no hits and stay as they are."""

    def includes(self, before: Battle, state: Battle, step: Step) -> bool:
        """Return True for steps that belong to the odds of a choice.

        After fire and melee these are the leader checks and morale checks (VCC-028, VCC-036). After a charge they are
        all steps until its melee is fought (VCC-034). No unit fires or moves on the way there (`assumes_pass`).
        """
        if state.turn != before.turn:
            return False
        if self.game.policy.phases[before.phase].step == "move":
            is_charge = any(contact not in before.contacts for contact in state.contacts)
            return (is_charge or bool(state.taken)) and step.name != "end.turn"
        return state.phase == before.phase and step.name in _RESOLVED

    def neutral_answer(self, before: Battle, state: Battle, question: Roll | Draw) -> Answer | None:
        """Answer rolls that the chosen action does not affect.

        Checks of units that the action left unchanged were caused by something earlier: they pass. Melees elsewhere go
        on without a hit.
        """
        unit = state.units.get(question.actor)
        if unit is None:
            return None
        if question.why in _EARLIER_CHECKS and unit == before.units[question.actor]:
            return _EARLIER_CHECKS[question.why]
        charged_boxes = {
            state.units[contact.charged].box for contact in state.contacts if contact not in before.contacts
        }
        return self.answers_elsewhere.get(question.why) if charged_boxes and unit.box not in charged_boxes else None

    def assumes_pass(self, question: Choose | Place | Confirm) -> bool:
        return question.why in ("fire with", "move with", "commander to", "arrive in")


class VccNarrator(Narrator[Battle]):
    """Puts the game into the words of these rules."""

    game: VccGame
    counted_as: Mapping[str, tuple[str, str, str]] = {"bases": ("base", "lost", "back")}

    def name_of(self, word: str) -> str:
        for side, (name, *_) in self.game.plan.commanders.items():
            if word == commander_id(side):
                return name
        return super().name_of(word)

    def describe(self, state: Battle, question: Question) -> str:
        return question_sentence(state, question)

    def describe_change(self, change: UnitChange) -> str:
        named = words().tables["gained" if change.now else "used"].get(change.what)
        if named:
            return f"{self.name_of(change.unit)}: {named}"
        if change.what == "in" and change.now:
            return f"{self.name_of(change.unit)}: ends in {change.now}"
        wounds = float(change.now) - float(change.was) if change.what == "wounds of its leader" else 0.0
        if wounds > 0:
            return f"{self.name_of(change.unit)}: its leader takes {amount(wounds, 'wound')}"
        return super().describe_change(change)

    def describe_option(self, state: Battle, question: Choose, option: Option) -> str:
        return option_phrase(state, question, option)

    def why_not(self, state: Battle, question: Choose, *, piece: str = "", cell: int | None = None) -> str:
        if piece in state.units:
            return why_not_unit(state, question, state.units[piece])
        if cell is not None:
            return why_not_box(state, question, cell)
        return super().why_not(state, question, piece=piece, cell=cell)

    def describe_event(self, event: Event) -> str:
        return event_sentence(self.game.plan.specs, self.game.plan.field.grid, event, self.game.plan.field.names)


class VccDisplay(Display[Battle]):
    """Draws the board and reports on each unit."""

    game: VccGame

    def board(self, state: Battle) -> Board:
        phase = self.game.policy.phases.get(state.phase)
        roles = dict(zip(("british", "native"), state.by_role, strict=True))
        side = roles.get(phase.side or "") if phase is not None else None
        whose = (self.game.narrator.name_of(side),) if side is not None else ()
        return draw_board(state, self.game.scenario, self.game.plan.places, self.headline(state, *whose))

    def pieces(self, state: Battle) -> dict[str, list[str]]:
        return pieces_by_side(self.game.plan.specs.values(), self.game.seats, self.game.scenario)

    def arriving_pieces(self, state: Battle) -> list[ArrivingPiece]:
        unplaced = [unit.spec for unit in state.units.values() if not unit.on_table and unit.spec.id not in state.gone]
        return arriving_pieces(self.game.scenario, unplaced)

    def cell_of(self, state: Battle, question: Choose, option: Option) -> int | None:
        return box_of(question, option)

    def acting_piece(self, state: Battle, question: Question) -> str:
        if isinstance(question, Choose) and question.why in ("commander to", "attach commander to"):
            return commander_id(question.seat)
        return super().acting_piece(state, question)

    def cost_of(self, state: Battle, question: Choose, option: Option) -> str:
        unit = state.units.get(question.actor)
        if question.why != "move" or unit is None or not isinstance(option, tuple) or option[0] != GO:
            return ""
        return "1 box, ends the move" if ends_move(state, unit, option[1]) else "1 box"

    def phases(self, state: Battle) -> Sequence[tuple[str, bool]]:
        """Return the phases of a turn. The present one is not named after rallying unless a unit rallies in it."""
        titles = {} if self.game.policy.stage(state) == "move.rally" else words().tables["phases"]
        return [
            (titles.get(name, title) if is_now else title, is_now)
            for name, (title, is_now) in zip(self.game.policy.phases, super().phases(state), strict=True)
        ]

    def markers(self, state: Battle) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for name, unit in state.units.items():
            if unit.bases or unit.leader:
                shown = [f"hits on its marker {unit.hits}"] if unit.hits else []
                if unit.wounds:
                    shown.append(f"wounds of its leader {unit.wounds}")
                if not unit.marks.isdisjoint(LASTING_MARKS):
                    shown += [f"{mark} 1" for mark in sorted(unit.marks & LASTING_MARKS)]
                found[name] = tuple(shown)
        for commander in state.commanders.values():
            found[commander.name] = (f"wounds {commander.wounds}",) if commander.wounds else ()
        return found

    def condition(self, state: Battle) -> Mapping[str, Mapping[str, State]]:
        """Return the values that the odds report. For a unit: bases, hits on the marker, leader, lasting marks and box.
        For an Army Commander: wounds and box.
        """
        label = self.game.plan.field.grid.label
        values: dict[str, Mapping[str, State]] = {
            name: {
                "in": label(unit.box) if unit.on_table else "",
                "bases": unit.strength,
                "hits on its marker": unit.hits,
                "leader lost": unit.spec.leader and not unit.leader,
                "wounds of its leader": unit.wounds,
                **dict.fromkeys(sorted(unit.marks & LASTING_MARKS), True),
            }
            for name, unit in state.units.items()
        }
        for commander in state.commanders.values():
            values[commander.name] = {
                "in": "" if commander.box == OFF_TABLE else label(commander.box),
                "wounds": commander.wounds,
            }
        return values


class VccSight(Sight[Battle]):
    """Takes hidden units out of views; the rules themselves hide nothing."""

    game: VccGame

    def known_pieces(self, state: Battle) -> list[str]:
        """Return the ids of all pieces; commanders, stored by side, have the ids that they have on the board."""
        return [*state.units, *map(commander_id, state.commanders)]

    def conceal(self, state: Battle, hidden: AbstractSet[str]) -> None:
        state.conceal(hidden)

    def put_away(self, state: Battle, piece: Unit) -> None:
        state.conceal({piece.id})
        piece.box = piece.gun_box = OFF_TABLE


class VccPlay(Play[Battle]):
    """A side that withdraws is beaten."""

    game: VccGame

    def how_to_win(self, state: Battle) -> Sequence[str]:
        """Return the common victory rules, and the losses at which a side withdraws, if the settings say so
        (VCC-166).
        """
        found = [*super().how_to_win(state)]
        for side in self.game.seats:
            name, share = self.game.narrator.name_of(side), withdrawal_share(state, side)
            if share is not None:
                found.append(
                    f"{name} {agreeing(name, 'loses', 'lose')} after losing {percent(share)} of the starting bases."
                )
        return found

    def who_goes_first(self, state: Battle) -> str:
        """Return which side moves first and which fires first, by their roles (VCC-016, VCC-027)."""
        field = self.game.plan.field
        if field.roles_are_rolled:
            return "dice decide which side is British; the other one, the Native side, moves first and fires second"
        british, native = map(self.game.narrator.name_of, field.by_role)
        return (
            f"{native} {agreeing(native, 'moves', 'move')} first in every turn, as the Native side of these rules; "
            f"{in_a_sentence(british)} {agreeing(british, 'fires', 'fire')} first, as the British side"
        )

    def own_outcome(self, state: Battle) -> Outcome | None:
        """Return a defeat for the side that has withdrawn (VCC-166), or None."""
        sides_left = [side for side in self.game.seats if not has_withdrawn(state, side)]
        if state.ending != "withdrawal" or len(sides_left) != 1:
            return None
        beaten = next(self.game.narrator.name_of(side) for side in self.game.seats if side not in sides_left)
        decided_by = f"{in_a_sentence(beaten)} withdrew"
        return replace(self.common_outcome(state), winner=sides_left[0], ground="withdrawal", decided_by=decided_by)


class VccGame(Game[Battle]):
    """A game of Victorian Colonial Combat: the translated scenario and the sequence of play. It holds no mutable
    state.
    """

    policy: FixedPhases
    editor_class = VccUmpireEditor
    narrator_class = VccNarrator
    display_class = VccDisplay
    sight_class = VccSight
    play_class = VccPlay
    advisor_class = VccAdvisor
    odds_horizon_class = VccOddsHorizon

    def __init__(self, rules: Rules, scenario: Scenario, solo: frozenset[str] = frozenset()) -> None:
        super().__init__(rules, scenario, solo)
        self.book = VccBook(rules)
        self.plan = translate(self.book, scenario)
        self.untranslated = tuple(self.plan.notes)
        self.policy = self.activation(FixedPhases)
        self.sequence = TurnSequence(self.policy, scenario, self.plan)

    def start(self) -> Battle:
        return first_state(self.book, self.scenario, self.plan, self.policy.first)

    def scoreboard(self, state: Battle) -> VccScoreboard:
        return VccScoreboard(state, self.scenario, self.plan)
