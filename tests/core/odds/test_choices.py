"""Odds of a choice come from the step that play runs, with house rules, hidden information and later questions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.core.toy import SIDES, Raid, ToyGame, ToyPlay, bare_rules
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.errors import RuleBroken
from zareba.chance import SUM
from zareba.game import UnitChange
from zareba.odds import ChoiceOdds, odds_of
from zareba.odds.phrases import changes_in_brief
from zareba.plugins.ruleset import Game, OddsHorizon, Sight
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, QuestionChanged, RememberingTable, Roll, Table
from zareba.table.questions import Step

PATROL, TRIBESMEN = SIDES


def won(before: Raid, after: Raid) -> int:
    return after.points[PATROL] - before.points[PATROL]


def act(options: Sequence[str] = ("raid", "camp")) -> Choose:
    return Choose("act", "TOY-001", PATROL, PATROL, tuple(options), ())


def two_dice(weights: Any = lambda total: 6 - abs(7 - total)) -> dict[int, Fraction]:
    return {total: Fraction(weights(total), 36) for total in range(2, 13)}


def test_a_raid_wins_what_two_dice_show() -> None:
    game = ToyGame()
    state = game.start()
    found = odds_of(game, state, [], act(), "raid", won, seconds=10)
    assert found.method == "exact"
    assert found.outcomes == two_dice()
    assert found.mean(int) == 7 and found.interval(Fraction(1, 6)) == (1 / 6, 1 / 6)
    assert state == game.start()


def test_other_decisions_during_odds_follow_the_policy() -> None:
    game = ToyGame()

    def protest(question: Choose | Place | Confirm, state: Raid) -> Answer:
        return question.options[1] if isinstance(question, Choose) else isinstance(question, Confirm) or (1.0, 1.0)

    found = odds_of(game, game.start(), [], act(), "raid", won, policy=protest, seconds=10)
    assert found.outcomes == {total + 1: p for total, p in two_dice().items()}


def test_odds_include_the_rolls_of_a_wrap() -> None:
    def twice(raid: Any, table: Table, state: Raid, side: str) -> None:
        raid(table, state, side)
        if table.roll(1, 6, why="again", rule="HOUSE-1", actor=side) == 6:
            raid(table, state, side)

    game = ToyGame(bare_rules(wraps={"toy.raid": twice}))
    found = odds_of(game, game.start(), [], act(), "raid", won, seconds=10)
    assert found.method == "exact"
    assert found.probability(lambda points: points == 2) == Fraction(1, 36) * Fraction(5, 6)
    assert found.mean(int) == 7 + Fraction(7, 6)


def test_a_choice_offered_only_by_a_house_rule_has_odds() -> None:
    class GamblePlay(ToyPlay):
        def perform(self, table: Table, state: Raid, step: Step) -> None:
            if table.choose(PATROL, ["pass", "gamble"], why="gamble", rule="HOUSE-1", actor=PATROL) == "gamble":
                state.points[PATROL] += table.roll(1, 6, why="gamble", rule="HOUSE-1", actor=PATROL)
            state.turn += 1

    class Gamble(ToyGame):
        play_class = GamblePlay

    game = Gamble()
    asked = Choose("gamble", "HOUSE-1", PATROL, PATROL, ("pass", "gamble"), ())
    found = odds_of(game, game.start(), [], asked, "gamble", won)
    assert found.outcomes == {face: Fraction(1, 6) for face in range(1, 7)}


def test_earlier_events_of_the_step_are_not_consequences() -> None:
    class TwicePlay(ToyPlay):
        def perform(self, table: Table, state: Raid, step: Step) -> None:
            for _ in range(2):
                if table.choose(PATROL, ["pass", "gamble"], why="gamble", rule="HOUSE-1", actor=PATROL) == "gamble":
                    state.points[PATROL] += table.roll(1, 6, why="gamble", rule="HOUSE-1", actor=PATROL)
            state.turn += 1

    class Twice(ToyGame):
        def __init__(self) -> None:
            super().__init__()
            self.play = TwicePlay(self)

    game = Twice()
    question = Choose("gamble", "HOUSE-1", PATROL, PATROL, ("pass", "gamble"), ())
    roll = Roll("gamble", "HOUSE-1", PATROL, 1, 6, SUM)
    given = [GivenAnswer(question, "gamble"), GivenAnswer(roll, 5)]
    found = odds_of(game, game.start(), given, question, "gamble", won, seconds=10)
    assert found.outcomes == {points: Fraction(1, 6) for points in range(1, 7)}
    nothing = odds_of(game, game.start(), given, question, "pass", won, seconds=10)
    assert nothing.outcomes == {0: Fraction(1)}


def test_known_answers_come_first_and_must_fit_the_step() -> None:
    game = ToyGame()
    raided = [GivenAnswer(act(), "raid")]
    protest = Confirm("protest", "TOY-005", TRIBESMEN, TRIBESMEN, ())
    with pytest.raises(QuestionChanged):
        odds_of(game, game.start(), raided, protest, True, won)


def test_odds_include_later_steps_of_the_act() -> None:
    class SecondTurn(OddsHorizon[Raid]):
        def includes(self, before: Raid, state: Raid, step: Step) -> bool:
            return state.turn == 2

    class Long(ToyGame):
        odds_horizon_class = SecondTurn

    def camp(question: Choose | Place | Confirm, state: Raid) -> Answer:
        if isinstance(question, Choose):
            return "raid" if question.seat == PATROL else "camp"
        return False if isinstance(question, Confirm) else (1.0, 1.0)

    game = Long()
    found = odds_of(game, game.start(), [], act(), "raid", won, policy=camp, seconds=20)
    assert found.method == "exact" and found.mean(int) == 14


def test_odds_that_take_too_long_are_sampled_and_say_so() -> None:
    game = ToyGame()
    found = odds_of(game, game.start(), [], act(), "raid", won, paths=5, then=0.3)
    assert found.method == "sampled" and found.samples >= 20
    low, high = found.interval(found.probability(lambda points: points >= 7))
    assert low < 21 / 36 < high
    assert sum(found.outcomes.values()) == 1


def test_odds_that_depend_on_hidden_information_are_not_exact() -> None:
    class HiddenPile(Sight[Raid]):
        def determinize(self, state: Raid, seat: str, luck: int) -> Raid:
            guess = state.copy()
            guess.cards = {"goats": 3} if luck % 2 else {"rifles": 3}
            return guess

    class VeiledPlay(ToyPlay):
        def perform(self, table: Table, state: Raid, step: Step) -> None:
            table.choose(PATROL, ["raid", "camp"], why="act", rule="TOY-001", actor=PATROL)
            card = table.draw(state.cards, why="booty", rule="TOY-003", actor=PATROL)
            state.points[PATROL] += card == "rifles"
            state.turn += 1

    class Veiled(ToyGame):
        """A game with a hidden pile of cards; a raid that draws rifles scores one more point."""

        play_class = VeiledPlay
        sight_class = HiddenPile

    game = Veiled()
    found = odds_of(game, game.start(), [], act(), "raid", won, then=0.05)
    assert found.method == "sampled" and found.guessed
    assert 0 < found.probability(lambda points: points == 1) < 1


def test_rules_with_memory_outside_the_state_are_detected() -> None:
    thrown: list[int] = []

    def moody(raid: Any, table: Table, state: Raid, side: str) -> None:
        thrown.append(1)
        if len(thrown) < 3:
            raid(table, state, side)

    game = ToyGame(bare_rules(wraps={"toy.raid": moody}))
    with pytest.raises(RuleBroken, match="a house rule stores something outside the game state"):
        odds_of(game, game.start(), [], act(), "raid", won)


class Watcher:
    """A random player that records the choices it was given."""

    def __init__(self, game: Game[Any], seat: str, seen: list[tuple[Any, list[GivenAnswer], Choose, Answer]]) -> None:
        self._player = make_agent("random", game, seat, 5)
        self._seen = seen
        self._step: tuple[Any, list[GivenAnswer]] = (None, [])

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        self._step = start.copy(), list(given)

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        answer = self._player(question, state)
        if isinstance(question, Choose):
            self._seen.append((*self._step, question, answer))
        return answer


def choices(ruleset: str, many: int, scenario: str = "patrol_clash") -> tuple[Game[Any], list[Any]]:
    """Return a sample of the choices of a game between random players."""
    game = load_rules(ruleset).game(load_scenario(scenario))
    seen: list[Any] = []
    state = game.start()
    table = RememberingTable(game.rules, state, 5, {seat: Watcher(game, seat, seen) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and game.game_turn(state) <= 4:
        table.begin(step)
        game.play.perform(table, state, step)
    return game, Random(2).sample(seen, min(many, len(seen)))


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_merging_equal_states_changes_nothing(ruleset: str) -> None:
    game, seen = choices(ruleset, 16)
    compared = 0
    for start, given, question, answer in seen:
        plain, merged = (
            odds_of(game, start, given, question, answer, paths=200, seconds=3, then=0.0, merging=merging)
            for merging in (False, True)
        )
        if plain.method == merged.method == "exact":
            assert plain.outcomes == merged.outcomes
            compared += 1
    assert compared >= 6


JEZAILS = "jezails"
ONE_LOST = UnitChange(JEZAILS, "bases", 5, 4)
TWO_LOST = UnitChange(JEZAILS, "bases", 5, 3)
BROKEN = UnitChange(JEZAILS, "broken", False, True)


@pytest.mark.parametrize(
    ("outcomes", "brief"),
    [
        ({(): 10}, "no change"),
        ({(): 6, (ONE_LOST,): 4}, "no change (60\u00a0% chance); Jezails: 1 base lost (40\u00a0% chance)"),
        (
            {(): 5, (ONE_LOST,): 3, (TWO_LOST,): 2},
            "Jezails: probably up to 2 bases lost (0.7 on average); no change (50\u00a0% chance)",
        ),
        (
            {(BROKEN,): 9, (TWO_LOST, BROKEN): Fraction(1, 2), (ONE_LOST,): Fraction(1, 2)},
            "Jezails: probably no bases lost (10\u00a0% chance of a loss), broken (95\u00a0% chance)",
        ),
        (
            {(ONE_LOST,): 6, (TWO_LOST, BROKEN): 4},
            "Jezails: probably 1 to 2 bases lost (1.4 on average), broken (40\u00a0% chance)",
        ),
        ({(ONE_LOST,): 10}, "Jezails: 1 base lost"),
        (
            {(ONE_LOST,): 8, (UnitChange(JEZAILS, "bases", 5, 0), UnitChange(JEZAILS, "hits", 1, 0)): 2},
            "Jezails: probably 1 to 5 bases lost (1.8 on average), no bases left (20\u00a0% chance)",
        ),
        (
            {(UnitChange(JEZAILS, "hits", 1, 4),): 5, (UnitChange(JEZAILS, "hits", 1, 3),): 5},
            "Jezails: hits now 1, then probably 3 to 4 (3.5 on average)",
        ),
        (
            {(): 6, (UnitChange(JEZAILS, "hits", 1, 4),): 2, (UnitChange(JEZAILS, "hits", 1, 3),): 2},
            "no change (60\u00a0% chance); Jezails: hits now 1, then probably 1 to 4 (2.0 on average)",
        ),
        (
            {(): 9, (UnitChange(JEZAILS, "hits", 1, 4),): 1},
            "no change (90\u00a0% chance); Jezails: hits from 1 to 4 (10\u00a0% chance)",
        ),
        (
            {(UnitChange(JEZAILS, "moved", 0, 6),): 5, (UnitChange(JEZAILS, "moved", 0, 9), ONE_LOST): 5},
            "Jezails: 1 base lost (50\u00a0% chance), probably moved 6 to 9 inches",
        ),
        (
            {
                (UnitChange("sikhs", "broken", False, True),): 9,
                (UnitChange("sikhs", "broken", False, True), ONE_LOST): 1,
            },
            "Jezails: 1 base lost (10\u00a0% chance); Sikhs: broken",
        ),
    ],
)
def test_odds_start_with_the_most_likely_result(
    outcomes: dict[tuple[UnitChange, ...], Fraction | int], brief: str
) -> None:
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    found = ChoiceOdds(outcomes={changes: Fraction(tenths, 10) for changes, tenths in outcomes.items()})
    assert changes_in_brief(game, found) == brief
