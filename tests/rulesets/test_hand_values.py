"""Metrics of evaluations, rollouts, players and own victory rules equal values computed by hand.

As in `test_same_battle.py`, an umpire removes companies. Evaluations, rollouts and pairings are scripted too. For its
own victory rule each ruleset plays normally, with an impassable gorge between the sides.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from tests.rulesets.scripted_games import (
    BATTLE,
    Deeds,
    Losses,
    ScriptedGame,
    ScriptedGameWithRollouts,
    game_of,
    plan_of,
    play_script,
    remove_companies,
)

from zareba.analysis.games.metrics import METRICS, Scope
from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.analysis.games.simulate import PLAYOUTS, play_game
from zareba.analysis.studies.tournament import elo_of, match_of
from zareba.battle.evaluation import Evaluation
from zareba.game import Play
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import parse_scenario


def values(metric: str, records: Sequence[GameRecord]) -> dict[str, tuple[float | None, ...]]:
    """Return the values of a metric for some games, by the names of its samples."""
    (asked,) = (candidate for candidate in METRICS if candidate.id == metric)
    return {sample.name: sample.values for sample in asked.samples(records, Scope.of(records))}


# --- M8: value of the best option minus the median, averaged over all genuine choices ---------------------------------


def worth(*worths: float) -> tuple[Evaluation, ...]:
    """Return evaluations of answers with the given values."""
    return tuple(Evaluation(ground=value) for value in worths)


ATTACK = (Evaluation(inflicts=0.5, suffers=0.2), Evaluation(suffers=0.1, steadies=0.3), Evaluation(ground=-0.1))
"""Options worth 0.3, 0.2 and -0.1."""

WEIGHED: dict[str, tuple[Deeds, float | None]] = {
    # 0.3 against 0.2; 0.9 against 0.4, the third of four; of two options the worse is the median.
    "three choices": (
        (
            (("weigh", "red_first", ATTACK), ("weigh", "blue_first", worth(0.1, 0.9, 0.4, 0.6))),
            (("weigh", "red_second", worth(0.0, 0.25)),),
        ),
        (0.1 + 0.5 + 0.25) / 3,
    ),
    # Options of equal value count as a choice with nothing at stake; a single option is no choice.
    "one that matters": (
        (
            (("weigh", "blue_first", worth(0.3, 0.3, 0.3)), ("weigh", "blue_second", worth(0.7))),
            (("weigh", "red_first", worth(1.2, 0.2, 0.2)), ("weigh", "red_second", worth(0.5, 0.49))),
        ),
        (0 + 1.0 + 0) / 3,
    ),
    "nobody is asked": (((("weigh", "red_first", worth(0.7)),), ()), None),
}  # fmt: skip


@pytest.mark.parametrize("game", WEIGHED)
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_decision_stakes_computed_by_hand(ruleset: str, game: str) -> None:
    deeds, expected = WEIGHED[game]
    record = play_script(ruleset, ((), ()), deeds, plan_of("doctrine", "doctrine"))
    assert values("M8", [record])["stake per choice"] == pytest.approx((expected,))


class Shot(NamedTuple):
    """The question for the target of a rifle unit: its key, the unit's size, the target, and the distance (inches) and
    value of three shots.

    Holding fire is worth nothing, so the stake of the choice is the value of the shot.
    """

    why: str
    figures: int
    target: Callable[[Any], Any]
    at: tuple[tuple[int, float], ...]


SHOTS = {
    # Six bases roll a die each, twice as many at close and half as many at long range. A die gives 3.5 hits on average;
    # six hits remove one of six bases. 42 hits would remove 7, so all six, plus half a unit for wiping it out.
    "vcc": Shot(
        "fire at", 24, lambda state: "blue_first",
        ((7, 6 / 6 + 0.5), (11, 6 * 3.5 / 6 / 6), (17, 3 * 3.5 / 6 / 6)),
    ),
    # 23 rifles have two shots each, hitting on up to 4, 3 and 2 of six; the lieutenant's pistol has two at close range,
    # hitting on up to 3. A hit puts out 0.38 of a man in fifteen; close hits count 1.2 times; any group adds 0.02.
    "paychest": Shot(
        "volley at", 24, lambda state: ("blue_first", "blue_first.1"),
        (
            (10, 0.02 + (46 * 4 / 6 + 2 * 3 / 6) * 0.38 / 15 * 1.2),
            (20, 0.02 + 46 * 3 / 6 * 0.38 / 15),
            (32, 0.02 + 46 * 2 / 6 * 0.38 / 15),
        ),
    ),
    # Six men and a leader, who is a separate piece. D8 hit on 2, 4 and 6 or more; of six faces two wound (half a man)
    # and two kill. A man is a tenth of a unit. At Risk Factor 2 one face of six sends the six back, worth half a man
    # each. A shot adds 0.01.
    "risk_factor": Shot(
        "shoot at", 7, lambda state: next(name for name in state.units if name.startswith("blue")),
        tuple((inches, 6 * hits / 8 * (2 * 0.5 + 2) / 6 / 10 + 6 * 0.5 / 10 / 6 + 0.01) for inches, hits in ((12, 7), (20, 5), (40, 3))),
    ),
    # Twelve men hit on 4+, 5+ and 6+ of twelve. Nine of ten men hit answer and hit on 5+; return fire counts 0.6. A man
    # is a twentieth of a unit.
    "fixed_baynet": Shot(
        "act", 12, lambda state: ("fire", "blue_first"),
        tuple((inches, hits / 20 - 0.6 * hits * 0.9 * 8 / 12 / 20) for inches, hits in ((7, 9), (12, 8), (20, 7))),
    ),
    # 4, 3 and 2 dice at 1, 2 and 3 hexes; three faces hit. The enemy saves on one face of six next to us and on two
    # further off, but only one of two hits: 2 hits or more occur in 11/16, 4/8 and 1/4 of rolls. A man is a sixth of a
    # unit; the unit adds 0.8 times the square of the share lost, a die 0.01. Two dice answer; one face of each kills.
    "afriboria": Shot(
        "battle against", 6, lambda state: ("hex", state.units["blue_first"].hex),
        tuple(
            (inches, (kills / 6 + 0.8 * (kills / 6) ** 2 + 0.01 * dice) - (1 / 18 + 0.8 * (1 / 18) ** 2))
            for inches, dice, kills in (
                (7, 4, 2 * 5 / 6 + 11 / 16 * 1 / 6),
                (10, 3, 1.5 * 4 / 6 + 4 / 8 * 2 / 6),
                (15, 2, 1 * 4 / 6 + 1 / 4 * 2 / 6),
            )
        ),
    ),
}  # fmt: skip


CORNER = """objectives:
  corner: {kind: hold, name: A corner, at: [58, 24], radius: 1, points: 1}
"""
"""An objective with no unit nearby."""


class Range(ScriptedGame):
    """A game in which one unit chooses its target once."""

    def perform(self, table: Any, state: Any, step: Any) -> None:
        why, _, target, _ = SHOTS[self.rules.ruleset.id]
        if self.rules.ruleset.id == "fixed_baynet":
            for man in state.units.change("red_first").figures.values():
                man.ac = 3  # they are active
        table.choose("red", (target(state), "hold fire"), why=why, rule="", actor="red_first")
        self.turn += 1


@pytest.mark.parametrize("near", range(3))
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_decision_stakes_of_a_shot(ruleset: str, near: int) -> None:
    shot = SHOTS[ruleset]
    inches, expected = shot.at[near]
    battle = re.sub(r"\n  (red|blue)_(second|third|fourth): .*", "", BATTLE)
    for was, now in (
        ("position: [6, 6]", "position: [30, 4]"),
        ("position: [6, 42]", f"position: [30, {4 + inches}]"),
        ("figures: 24", f"figures: {shot.figures}"),
    ):
        battle = battle.replace(was, now)
    battle = battle.partition("objectives:")[0] + CORNER
    game: Any = Range(load_rules(ruleset).game(parse_scenario(battle, "range")), ((),))
    record = play_game(game, ruleset, plan_of("doctrine", "doctrine"))
    assert values("M8", [record])["stake per choice"] == pytest.approx((expected,))


# --- M14: mean of 4 W (1 - W) over all turns but the last, times 20 / 19 for samples of twenty ------------------------

Further = tuple[tuple[int, tuple[str, ...]], ...]
"""Of the rollouts from the end of a turn: how many of them lose which companies."""

OPEN: dict[str, tuple[Losses, tuple[Further, ...], float]] = {
    # With one company lost, the other side leads by strength; half a side is worth 2 points.
    "a draw": (
        (("blue_first",), ("red_first", "red_second"), (), ("blue_second",)),
        (
            # Red wins 10, blue 6, and 4 are drawn: W = 12 / 20, 4 W (1 - W) = 0.96.
            ((10, ()), (6, ("red_first", "red_second")), (4, ("red_first",))),
            # Blue wins 15. With three blue companies lost it is 2 points each and red has more left: W = 1 / 4, 0.75.
            ((15, ()), (5, ("blue_second", "blue_third"))),
            ((20, ()),),  # blue wins all
        ),
        20 / 19 * (0.96 + 0.75 + 0) / 3,
    ),
    "a walkover": (
        (("blue_first", "blue_second"), ("blue_third", "blue_fourth")),
        (((19, ()), (1, ("red_first", "red_second"))),),  # one draw: 2 points and half of the force each: W = 19.5 / 20
        20 / 19 * 4 * 0.975 * 0.025,
    ),
    "a reversal": (
        (("red_first", "red_second"), ("blue_first",), (), ("blue_second", "blue_third")),
        (
            ((10, ()), (10, ("blue_first", "blue_second", "blue_third"))),  # W = 1 / 2
            ((10, ()), (10, ("blue_second",))),  # blue wins or a draw: W = 1 / 4
            ((20, ("blue_second", "blue_third")),),  # W = 1
        ),
        20 / 19 * (1 + 0.75 + 0) / 3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("game", OPEN)
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_openness_computed_by_hand(ruleset: str, game: str) -> None:
    losses, further, expected = OPEN[game]
    assert [sum(number for number, _ in turn) for turn in further] == [PLAYOUTS] * (len(losses) - 1)
    played: Any = ScriptedGameWithRollouts(
        game_of(ruleset), losses, (gone for turn in further for number, gone in turn for _ in range(number))
    )
    record = play_game(played, ruleset, plan_of("random", "random"), foretold=True)
    assert values("M14", [record])["openness over the turns"] == pytest.approx((expected,))
    assert record.strength == play_script(ruleset, losses).strength, "what is played on leaves the game as it was"


# --- M15: the better player's score (a draw is half a point), and the same in Elo -------------------------------------

WON_BY: dict[str | None, Losses] = {"red": (("blue_first",),), "blue": (("red_first",),), None: ((),)}
SKILL: dict[str, tuple[tuple[str | None, ...], tuple[int, int, int], float]] = {
    # The stronger plays red in games 1 and 3, else blue.
    "always the better player": (("red", "blue", "red", "blue"), (4, 0, 0), 4 / 4),
    "always the same side": (("red", "red", "red", "red"), (2, 0, 2), 2 / 4),
    "two wins, a draw, a defeat": (("red", "blue", None, "red"), (2, 1, 1), 2.5 / 4),
}  # fmt: skip


@pytest.mark.parametrize("games", SKILL)
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_room_for_skill_computed_by_hand(ruleset: str, games: str) -> None:
    winners, (wins, draws, defeats), score = SKILL[games]
    agents = (("red", "doctrine"), ("blue", "random"))
    plans = GameTask(Variant(ruleset, ruleset), "scripted", 0, len(winners), 1, agents, swap=True).plans()
    match = match_of(
        "doctrine",
        "random",
        [play_script(ruleset, WON_BY[won], plan=plan) for won, plan in zip(winners, plans, strict=True)],
    )
    assert (match.wins, match.draws, match.losses, match.pairs) == (wins, draws, defeats, 2)
    assert match.score == pytest.approx(score)
    lent = wins + draws / 2 + 0.5, defeats + draws / 2 + 0.5  # half a game is added to each score
    assert elo_of(match.score, match.games) == pytest.approx(400 * math.log10(lent[0] / lent[1]))


# --- M18: winners by the ruleset's own victory rule, and the reasons if they differ -----------------------------------

APART = (
    BATTLE.partition("objectives:")[0]
    .replace("turns: 6", "turns: 2")
    .replace("figures: 24, weapon: breech_rifle", "figures: 12, close_weapon: spear")
    + """
terrain:
  gorge: {kind: cliff, name: The gorge, area: [[0, 12], [60, 12], [60, 36], [0, 36]]}
objectives:
  half_of_blue: {kind: destroy, name: Half of blue, share: 0.5, points: 1, by: [red]}
  first_of_red: {kind: destroy, name: The first of red, share: 1, units: [red_first], points: 2, by: [blue]}
"""
)
SETTINGS: dict[str, dict[str, Any]] = {
    "afriboria": {"vp_quota": "half_enemy"},
    "vcc": {"withdrawal_share.british": 0.5, "withdrawal_share.native": 0.5},
}
"""The victory rule of VCC is a setting; here a side that has lost half withdraws."""


class Umpired:
    """A game in which an umpire removes companies at the start of each turn; otherwise normal play."""

    def __init__(self, game: Any, losses: Losses) -> None:
        self._game, self._losses, self._editor = game, losses, game.umpire_editor()
        self._turn = 0
        self.play = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game.play if hasattr(Play, name) else self._game, name)

    def start(self) -> Any:
        """Return the first state, with the umpire at his beginning: a game may be played again."""
        self._turn = 0
        return self._game.start()

    def perform(self, table: Any, state: Any, step: Any) -> None:
        while self._turn < min(self._game.game_turn(state), len(self._losses)):
            remove_companies(self._editor, table, state, self._losses[self._turn])
            self._turn += 1
        self._game.play.perform(table, state, step)


FALLEN: dict[str, Losses] = {
    "the survivor is behind": (
        ("red_first",),
        ("blue_first", "blue_second", "blue_third", "blue_fourth"),
    ),  # 1 to 2 points
    "half of a side is lost": (("red_first",), ("blue_first", "blue_second")),  # also 1 to 2
    "a walkover": (("blue_first", "blue_second"), ("blue_third", "blue_fourth")),  # 1 to 0
    "another": (("red_first", "red_second"), ("red_third", "red_fourth")),  # 0 to 2
    "nobody is lost": (),
}
"""By the scenario's points the winners are blue, blue, red, blue and neither side."""

DIFFERS, RED, BLUE, DRAWN = (
    "games with a different winner by the own rule",
    "won by red by the own rule",
    "won by blue by the own rule",
    "drawn by the own rule",
)
N = None
OWN_LAWS: dict[str, dict[str, tuple[float | None, ...]]] = {
    # A piece is worth 1 point and a company has 2 pieces. Half of 8 units and a commander, 5 rounded up, win. Blue has
    # 2 for red's first and 2 for the objective; red has 8, or 4 and 1. Then red 4 and 1 in turn 1; then blue 4 and 2.
    "afriboria": {
        DIFFERS: (1, 1, 0, 0, 0), RED: (1, 1, 1, 0, 0), BLUE: (0, 0, 0, 1, 0), DRAWN: (0, 0, 0, 0, 1),
        "common rule by points, own rule by points of these rules": (1, 1, 0, 0, 0),
    },
    # Its rulebook leaves victory to the scenario.
    "fixed_baynet": {DIFFERS: (N,) * 5, RED: (N,) * 5, BLUE: (N,) * 5, DRAWN: (N,) * 5},
    # The last side left wins; at the turn limit the one with most points.
    "paychest": {
        DIFFERS: (1, 0, 0, 0, 0), RED: (1, 0, 1, 0, 0), BLUE: (0, 1, 0, 1, 0), DRAWN: (0, 0, 0, 0, 1),
        "common rule by points, own rule by survivor": (1, 0, 0, 0, 0),
    },
    # A side whose remaining units are all falling back has lost; otherwise the scenario decides.
    "risk_factor": {
        DIFFERS: (1, N, 0, 0, N), RED: (1, N, 1, 0, N), BLUE: (0, N, 0, 1, N), DRAWN: (0, N, 0, 0, N),
        "common rule by points, own rule by retreat": (1, N, 0, 0, N),
    },
    # A side that has lost half withdraws; one wiped out at once has no unit left to do so.
    "vcc": {
        DIFFERS: (N, 1, 0, 0, N), RED: (N, 1, 1, 0, N), BLUE: (N, 0, 0, 1, N), DRAWN: (N, 0, 0, 0, N),
        "common rule by points, own rule by withdrawal": (N, 1, 0, 0, N),
    },
}  # fmt: skip


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_own_victory_rule_is_compared_with_the_common_one(ruleset: str) -> None:
    game = load_rules(ruleset, SETTINGS.get(ruleset)).game(parse_scenario(APART, "apart"))
    umpired: list[Any] = [Umpired(game, losses) for losses in FALLEN.values()]
    records = [play_game(umpired_game, ruleset, plan_of("random", "random")) for umpired_game in umpired]
    assert [record.winner for record in records] == ["blue", "blue", "red", "blue", None]
    assert values("M18", records) == OWN_LAWS[ruleset]
