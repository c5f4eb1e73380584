"""A game of three turns that asks every kind of question, and minimal rules for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from zareba.base.state import Record, record
from zareba.chance import SUM_AND_HIGHEST
from zareba.house_rules import HookFunction
from zareba.plugins.ruleset import Advisor, Display, Evaluation, Game, Narrator, Outcome, Play, Ruleset
from zareba.presentation.board import Board
from zareba.rules import RulesetFile, procedure
from zareba.rules.resolved import Rules
from zareba.scenario import load_scenario
from zareba.scenario.victory import Scoreboard
from zareba.table import Choose, Confirm, Event, Option, Place, Point, Question, Table
from zareba.table.questions import Step

SIDES = ("patrol", "tribesmen")


def bare_rules(*, house_rules: tuple[str, ...] = (), **more: Any) -> Rules:
    """Return rules without a ruleset, tallies or settings."""
    return Rules(
        ruleset=cast(Ruleset, None),
        book=cast(RulesetFile, None),
        data={},
        settings={},
        sources={},
        house_rules=house_rules,
        digest="",
        **{"tallies": {}, **more},
    )


def hook_of(name: str, function: Any, *arguments: str, house_rule: str = "club") -> HookFunction:
    """Return a hook function as the registry would find it in the file club.py."""
    return HookFunction(name, house_rule, f"{house_rule}.py", function, arguments)


@record
class Raid(Record):
    """The state: `turn` from 1 to 3, points of each side, cards left, and the camp of each side."""

    turn: int
    points: dict[str, int]
    cards: dict[str, int]
    camps: dict[str, tuple[float, float]]


def on_the_plain(point: Point) -> str | None:
    """Return None for a point between 0 and 10, otherwise the reason for refusing it."""
    return None if all(0 <= n <= 10 for n in point) else "the plain reaches from 0 to 10"


@procedure("toy.raid")
def raid(table: Table, state: Raid, side: str) -> None:
    """Roll two dice; if the highest is a 6, take a card from the pile while there is one."""
    total, highest = table.roll(2, 6, SUM_AND_HIGHEST, why="raid", rule="TOY-002", actor=side)
    state.points[side] += total
    table.emit("raid", "TOY-002", side=side, total=total)
    if highest == 6 and state.cards:
        card = table.draw(state.cards, why="booty", rule="TOY-003", actor=side)
        state.cards[card] -= 1
        if not state.cards[card]:
            del state.cards[card]
        table.emit("booty", "TOY-003", side=side, card=card)


class ToyAdvisor(Advisor[Raid]):
    """Prefers the last option."""

    def evaluate(self, state: Raid, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
        count = len(question.options) if isinstance(question, Choose) else 2
        return [Evaluation(ground=float(index), reason=f"option {index}") for index in range(count)]


class ToyNarrator(Narrator[Raid]):
    """Shows the words of questions, options and events as they are."""

    def describe(self, state: Raid, question: Question) -> str:
        return question.why

    def describe_option(self, state: Raid, question: Choose, option: Option) -> str:
        return str(option)

    def describe_event(self, event: Event) -> str:
        return event.kind


class ToyDisplay(Display[Raid]):
    """Shows an empty plain."""

    def board(self, state: Raid) -> Board:
        return Board("free", 10, 10, "inches", f"turn {state.turn}")


class ToyPlay(Play[Raid]):
    """Every turn is one step."""

    def next_step(self, state: Raid) -> Step | None:
        return Step("turn", state.turn, "both") if state.turn <= 3 else None

    def perform(self, table: Table, state: Raid, step: Step) -> None:
        for side, other in (SIDES, SIDES[::-1]):
            if table.choose(side, ["raid", "camp"], why="act", rule="TOY-001", actor=side) == "raid":
                raid(table, state, side)
            else:
                spots = [(1.0, 1.0), (9.0, 9.0)]
                state.camps[side] = table.place(side, spots, on_the_plain, why="camp", rule="TOY-004", actor=side)
            if table.confirm(other, why="protest", rule="TOY-005", actor=other):
                state.points[other] += 1
        state.turn += 1

    def outcome(self, state: Raid) -> Outcome:
        best = max(state.points, key=state.points.__getitem__)
        return Outcome(best, dict(state.points), "turn_limit")


class ToyGame(Game[Raid]):
    """Every turn both sides choose to raid or to camp somewhere; the other side may then protest."""

    play_class: ClassVar[type[Play[Any]]] = ToyPlay
    narrator_class: ClassVar[type[Narrator[Any]]] = ToyNarrator
    display_class: ClassVar[type[Display[Any]]] = ToyDisplay
    advisor_class: ClassVar[type[Advisor[Any]]] = ToyAdvisor

    def __init__(self, rules: Rules | None = None) -> None:
        super().__init__(rules or bare_rules(), load_scenario("patrol_clash"))

    def start(self) -> Raid:
        return Raid(1, dict.fromkeys(SIDES, 0), {"goats": 2, "rifles": 1}, {})

    def from_data(self, data: dict[str, Any]) -> Raid:
        return Raid.from_data(data)

    def game_turn(self, state: Raid) -> int:
        return state.turn

    def scoreboard(self, state: Raid) -> Scoreboard[Any]:
        raise AssertionError("points are counted as they are taken")

    def strength(self, state: Raid) -> dict[str, float]:
        return dict.fromkeys(SIDES, 1.0)
