"""Play a position with an AI player, and judge each game by the conditions of the position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from zareba.agents import make_agent
from zareba.analysis.games.activity import UnitNames
from zareba.base.exact import dist, total
from zareba.base.grammar import agreeing, amount, in_a_sentence, percent
from zareba.game import Game
from zareba.game.parts.play import sets_up
from zareba.picture.zones import cell_middle, on_table
from zareba.presentation.board import Board, BoardPiece
from zareba.presentation.landmarks import Landmarks
from zareba.registry import load_rules
from zareba.scenario import Scenario
from zareba.scenario.model import Escort, Hold, Terrain
from zareba.scenario.victory import Scoreboard, scored_objectives
from zareba.space.geometry import Point, distance_to_polygon, distance_to_segment, is_inside
from zareba.table import Agent, Answer, Choose, Confirm, LooksAhead, Option, Place, RememberingTable, SeededTable
from zareba.tactics.load import Position
from zareba.tactics.model import STILL, Condition

_MOST_STEPS = 20_000
"""The largest number of steps in one game. More count as an endless loop of the rules."""


class SeedResult(NamedTuple):
    """One game of a position: whether it was good, and the conditions that decide this, in words."""

    seed: int
    passed: bool
    why: str


@dataclass(frozen=True)
class PositionResult:
    """The games of one position with one player."""

    position: Position
    seeds: tuple[SeedResult, ...]

    @property
    def good(self) -> int:
        """The number of good games."""
        return sum(seed.passed for seed in self.seeds)

    @property
    def passed(self) -> bool:
        """True if enough games were good."""
        return self.good >= self.position.file.needed

    @property
    def what(self) -> str:
        """The choices of the player in words: the most frequent outcome of a game; a failed one first if it did not
        pass.
        """
        reasons = [seed.why for seed in self.seeds if seed.passed == self.passed]
        return max(reasons, key=reasons.count)


def play_position(position: Position, ruleset: str, player: str) -> PositionResult:
    """Play all games of a position under a ruleset. The same player always plays the same games."""
    game = load_rules(ruleset, position.file.settings).game(position.scenario)
    return PositionResult(
        position, tuple(_play(game, position, player, seed) for seed in range(1, position.file.seeds + 1))
    )


# --- One game ---------------------------------------------------------------------------------------------------------


class _ChosenOption(NamedTuple):
    """A choice of the tested player: the game turn, the question, the unit, and the option with the units it names."""

    turn: int
    question: str
    unit: str
    option: str
    targets: tuple[str, ...]


@dataclass
class _Record:
    """The record of a game: the choices of the tested player, and the truth of each condition at the end of each
    turn.
    """

    choices: list[_ChosenOption] = field(default_factory=list)
    turns: dict[Condition, list[bool]] = field(default_factory=dict)


def _play(game: Game[Any], position: Position, player: str, seed: int) -> SeedResult:
    file, scenario = position.file, position.scenario
    record = _Record()
    names = _names(scenario)
    state = game.start()
    setting_up: dict[str, Agent] = {side: make_agent("doctrine", game, side, seed) for side in game.seats}
    tested = make_agent(player, game, file.player, seed)
    players = {side: _enemy(game, file.enemy, side, seed) for side in game.seats if side != file.player}

    agents: dict[str, Agent] = {**players, file.player: _Recorder(tested, game, names, record)}
    look_ahead = any(isinstance(agent, LooksAhead) for agent in agents.values())
    table = (RememberingTable if look_ahead else SeededTable)(game.rules, state, seed, setting_up)
    conditions = tuple(dict.fromkeys((*file.good, *file.blunder)))
    ended = 0
    marked = not file.marks
    for _ in range(_MOST_STEPS):
        step = game.play.next_step(state)
        turn = game.game_turn(state) if step is not None else file.turns + 1
        if (step is None or not sets_up(step)) and turn > ended + 1:
            _note_turn(record, conditions, game, position, state)
            ended = turn - 1
        if step is None or turn > file.turns:
            break
        if not marked and not sets_up(step):
            _put_marks(game, table, state, file.marks, names)
            marked = True
        table.agents = setting_up if sets_up(step) else agents
        table.begin(step)
        game.play.perform(table, state, step)
    return _judge(position, record, seed)


def _names(scenario: Scenario) -> UnitNames:
    """Return a lookup of the units and leaders that pieces, figures and options belong to."""
    units = {key: unit.side for key, unit in scenario.units.items()}
    return UnitNames(units | {key: leader.side for key, leader in scenario.leaders.items()})


def _put_marks(
    game: Game[Any], table: SeededTable, state: Any, marks: Mapping[str, Sequence[str]], names: UnitNames
) -> None:
    """Put status marks on units, as an umpire would. A unit that the ruleset divides has them on every part."""
    editor = game.umpire_editor()
    for piece, holder in editor.piece_holders(state).items():
        if holder == "units":
            for word in marks.get(names.units[piece], ()):
                editor.mark(table, state, piece, word, on=True)


class _Recorder:
    """The tested player; its choices are added to the record. Dice and answers are those of the player."""

    def __init__(self, player: Agent, game: Game[Any], names: UnitNames, record: _Record) -> None:
        self._player, self._game, self._names, self._record = player, game, names, record
        if isinstance(player, LooksAhead):
            self.follow = player.follow

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = self._player(question, state)
        if isinstance(question, Choose):
            self._record.choices.append(_chosen(question, answer, self._game.game_turn(state), self._names))
        return answer


def _enemy(game: Game[Any], policy: str, side: str, seed: int) -> Agent:
    if policy != STILL:
        return make_agent(policy, game, side, seed)
    return lambda question, state: game.odds_horizon.hold(question)


def _chosen(question: Choose, answer: Answer, turn: int, names: UnitNames) -> _ChosenOption:
    words = _words(answer)
    named = [names.units[word] for word in words]
    unit = names.units[question.actor] or next((name for name in named if name), "")
    return _ChosenOption(turn, question.why, unit, " ".join(words), tuple(name for name in named if name))


def _words(option: Option) -> list[str]:
    """Return the parts of an option as words."""
    if isinstance(option, tuple):
        return [word for part in option for word in _words(part)]
    return [str(option)]


def _note_turn(
    record: _Record, conditions: Sequence[Condition], game: Game[Any], position: Position, state: Any
) -> None:
    facts = _Facts(game, position, state)
    for condition in conditions:
        if condition.chooses is None:
            record.turns.setdefault(condition, []).append(facts.is_true(condition))


# --- Whether a condition is true --------------------------------------------------------------------------------------


class _Facts:
    """The facts about one state of a battle that conditions ask for."""

    def __init__(self, game: Game[Any], position: Position, state: Any) -> None:
        self._game = game
        self._scenario: Scenario = position.scenario
        self._player = position.file.player
        self._state = state
        self._scoreboard: Scoreboard[Any] = game.scoreboard(state)
        self._places: Mapping[str, Sequence[Point]] | None = None

    def is_true(self, condition: Condition) -> bool:
        """Return True if a condition about the state is true, without regard to `not`."""
        side = condition.side or self._player
        board = self._scoreboard
        if condition.holds is not None:
            goal = self._scenario.objectives[condition.holds]
            return isinstance(goal, Hold) and board.owner(condition.holds, goal) == side
        if condition.scores is not None:
            return (condition.scores, side) in scored_objectives(self._scenario, board, board.achieved)
        if condition.lead is not None:
            points = self._game.play.outcome(self._state).points
            return points[side] - max(value for other, value in points.items() if other != side) >= condition.lead
        if condition.near is not None:
            return self._is_near(condition)
        left = board.share_left((condition.unit,)) if condition.unit is not None else board.strength(side)
        if condition.strength is not None:
            return left >= condition.strength - 1e-9
        return condition.losses is not None and 1 - left >= condition.losses - 1e-9

    def _is_near(self, condition: Condition) -> bool:
        """Return True if the middle of the unit is near the place. A unit that is not on the table is near nothing."""
        points = self._units.get(condition.unit or "", ())
        if not points:
            return False
        middle = (total(x for x, _ in points) / len(points), total(y for _, y in points) / len(points))
        distance = self._distance(middle, condition.near)
        return distance is not None and distance <= condition.within

    def _distance(self, point: Point, place: str | Point | None) -> float | None:
        if not isinstance(place, str):
            return None if place is None else dist(point, place)
        if place in self._scenario.terrain:
            return _distance_to_terrain(point, self._scenario.terrain[place])
        if place in self._scenario.units:
            points = self._units.get(place, ())
            return min((dist(point, other) for other in points), default=None)
        goal = self._scenario.objectives[place]
        if isinstance(goal, Hold) and goal.terrain is not None:
            return _distance_to_terrain(point, self._scenario.terrain[goal.terrain])
        if isinstance(goal, (Hold, Escort)) and goal.at is not None:
            return dist(point, goal.at)
        return None

    @property
    def _units(self) -> Mapping[str, Sequence[Point]]:
        """The positions of the pieces of each unit, in inches on the table of the scenario."""
        if self._places is None:
            names = _names(self._scenario)
            board = self._game.display.board(self._state)
            found: dict[str, list[Point]] = {}
            for piece in board.pieces:
                # the id of a gun or conveyance may begin with its unit
                unit = names.units[piece.look.unit or piece.id] or names.units[piece.id.partition(" ")[0]]
                if unit:
                    found.setdefault(unit, []).append(_in_inches(board, piece))
            self._places = found
        return self._places


def _in_inches(board: Board, piece: BoardPiece) -> Point:
    """Return the position of a piece in inches. A piece in a box or hex stands in its middle."""
    if board.space == "free":
        return on_table(board, (piece.x, piece.y))
    return cell_middle(board, int(piece.x), int(piece.y))


def _distance_to_terrain(point: Point, piece: Terrain) -> float:
    if piece.area is not None:
        return 0.0 if is_inside(point, piece.area) else distance_to_polygon(point, piece.area)
    line = piece.line or ()
    return max(0.0, min(distance_to_segment(point, *leg) for leg in pairwise(line)) - piece.across / 2)


# --- The verdict on a game --------------------------------------------------------------------------------------------


def _judge(position: Position, record: _Record, seed: int) -> SeedResult:
    """A game is good if all conditions under `good` hold and none under `blunder` does."""
    file, scenario = position.file, position.scenario
    blunders = [expectation for expectation in file.blunder if _holds(expectation, record)]
    missing = [expectation for expectation in file.good if not _holds(expectation, record)]
    if blunders or missing:
        reasons = [*(f"blunder: {describe(blunder, scenario)}" for blunder in blunders),
                *(f"not achieved: {describe(expectation, scenario)}" for expectation in missing)]  # fmt: skip
        return SeedResult(seed, passed=False, why="; ".join(reasons))
    reasons = [describe(expectation, scenario) for expectation in file.good] or [
        f"avoids: {describe(expectation, scenario)}" for expectation in file.blunder
    ]
    return SeedResult(seed, passed=True, why="; ".join(reasons))


def _holds(condition: Condition, record: _Record) -> bool:
    if condition.chooses is not None:
        found = any(_matches(condition, choice) for choice in record.choices)
    else:
        turns = record.turns.get(condition) or [False]
        found = {"end": turns[-1], "ever": any(turns), "always": all(turns)}[condition.when]
    return found != condition.negated


def _matches(condition: Condition, choice: _ChosenOption) -> bool:
    return (
        choice.option.startswith(condition.chooses or "")
        and condition.question in (None, choice.question)
        and condition.unit in (None, choice.unit)
        and (condition.target is None or condition.target in choice.targets)
        and (condition.by_turn is None or choice.turn <= condition.by_turn)
    )


def describe(condition: Condition, scenario: Scenario) -> str:
    """Return a condition in words, such as "holds the bridge" or "Rifles within 6 inches of the bridge"."""
    side = scenario.sides[condition.side].name if condition.side is not None else ""
    unit = _place_name(condition.unit, scenario) if condition.unit is not None else ""
    who, side_form, subject_form = unit or side, partial(agreeing, side), partial(agreeing, unit or side)
    when = {"end": "", "ever": " at some time", "always": " always"}[condition.when]
    if condition.holds is not None:
        text = f"{side} {side_form('holds', 'hold')} {_objective(condition.holds, scenario)}".strip() + when
    elif condition.scores is not None:
        text = f"{side} {side_form('scores', 'score')} {_objective(condition.scores, scenario)}".strip() + when
    elif condition.lead is not None:
        text = f"{side} {side_form('leads', 'lead')} by {amount(condition.lead, 'point')}".strip() + when
    elif condition.near is not None:
        no = "not " if condition.negated else ""
        return f"{unit} {no}within {condition.within:g} inches of {_place_name(condition.near, scenario)}{when}"
    elif condition.chooses is not None:
        target = f" at {scenario.units[condition.target].name}" if condition.target is not None else ""
        by = f" by turn {condition.by_turn}" if condition.by_turn is not None else ""
        option = f"'{condition.chooses}'" if condition.chooses else condition.question or "an option"
        text = f"{unit} {subject_form('chooses', 'choose')} {option}{target}{by}".strip()
    elif condition.strength is not None:
        text = f"{who} {subject_form('keeps', 'keep')} {percent(condition.strength)}{when}".strip()
    else:
        assert condition.losses is not None, "the last kind of condition"
        text = f"{who} {subject_form('loses', 'lose')} {percent(condition.losses)}{when}".strip()
    return f"not ({text})" if condition.negated else text


def _objective(key: str, scenario: Scenario) -> str:
    """Return an objective as it reads inside a sentence: a place such as "the bridge", or a task in quotation marks."""
    name = scenario.objectives[key].name
    return in_a_sentence(name) if name.startswith("The ") else f"'{name}'"


def _place_name(place: str | Point, scenario: Scenario) -> str:
    if not isinstance(place, str):
        return Landmarks(scenario).goal(place)
    if place in scenario.units:
        return scenario.units[place].name
    if place in scenario.leaders:
        return scenario.leaders[place].name
    if place in scenario.objectives:
        return in_a_sentence(scenario.objectives[place].name)
    return in_a_sentence(scenario.terrain[place].name or place)
