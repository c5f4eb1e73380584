"""Play games and playouts."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from zareba.agents import make_agent
from zareba.analysis.games.activity import Activity, LossSteps, counting_table, observed, seeded_table, unit_names
from zareba.analysis.games.records import ACTIVITY, CAUSES, Effort, GamePlan, GameRecord, GameTask, Variant, game_seed
from zareba.base.errors import ZarebaError
from zareba.base.exact import total
from zareba.game import Game
from zareba.game.parts.play import sets_up
from zareba.scenario import load_scenario
from zareba.scenario.victory import Scoreboard, count_points, points_in_play
from zareba.table import SeededTable

# --- Measure how open a game was, by playing on from the end of each turn many times with new dice --------------------
#
# The players of these games are `doctrine`, see the whole table, and do not simulate the effects of house rules,
# because 20 games are played from each turn. A side's share of wins is its chance to win from that turn.


PLAYOUTS = 20
"""Number of games played on from the end of each turn."""


def win_chances(game: Game[Any], seed: int, side: str, ends: Sequence[Any], limit: int) -> tuple[float, ...]:
    """Return the chance that a side wins from each of the states, a draw counting as half. `limit` is the most steps
    played.
    """
    return tuple(
        total(_won(game, game_seed(seed, f"turn {turn}", number), side, state, limit) for number in range(PLAYOUTS))
        / PLAYOUTS
        for turn, state in enumerate(ends, start=1)
    )


def _won(game: Game[Any], seed: int, side: str, begun: Any, limit: int) -> float:
    state = begun.copy()
    players = {seat: make_agent("doctrine", game, seat, seed) for seat in game.seats if seat not in game.solo}
    table = SeededTable(game.rules, state, seed, players)
    for _ in range(limit):
        step = game.play.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
    winner = game.play.common_outcome(state).winner
    return 0.5 if winner is None else float(winner == side)


def uncertainty(chances: Sequence[float]) -> float | None:
    """Return 4 W (1 - W) averaged over the turns: 1 if even, 0 if certain; None without turns.

    Estimating W from few games biases this downwards. The result is corrected for that on average.
    """
    if not chances:
        return None
    correction = PLAYOUTS / (PLAYOUTS - 1)
    return min(1.0, correction * total(4 * chance * (1 - chance) for chance in chances) / len(chances))


# --- Play whole games between AI players at full speed and return one record per game ---------------------------------


STEP_LIMIT = 20_000
ACTIVITY_GAMES = 40
"""Number of games of each variant, the first ones, in which the acts at the table are counted. Games have independent
seeds, so the first are as good a sample as any, and the same ones however the games are split. Counting takes up to a
third of the time of a game.
"""
SOLO = "solo"
_loss_steps: defaultdict[str, LossSteps] = defaultdict(LossSteps)
_COUNTED = {"side", "cause", "lost"}
"""Fields of a loss event that every ruleset sets. A loss with fewer fields, from a house rule, is reported but not
counted.
"""


@lru_cache(maxsize=64)
def game_for(variant: Variant, scenario: str, solo: frozenset[str] = frozenset(), *, rotation: int = 0) -> Game[Any]:
    """Return the game of a variant on a scenario, cached per process. `rotation` rotates the order of its sides."""
    rules = variant.rules()
    if solo and not rules.ruleset.solo:
        raise ZarebaError(
            f"{variant.ruleset} has no rules that run a side without a player: {rules.ruleset.instead_of_solo};"
            " choose random or doctrine"
        )
    loaded = load_scenario(scenario)
    if rotation:
        loaded = loaded.listing_first(list(loaded.sides)[rotation])
    game: Game[Any] = rules.game(loaded, solo)
    return game


def run_games(task: GameTask, foretold: int = 0, with_activity: int = ACTIVITY_GAMES) -> list[GameRecord]:
    """Play the games of a task in order. The same task gives the same records in any process.

    For the first `foretold` games of the run, the records include the win chances at the end of each turn. For the
    first `with_activity` games, they include the acts at the table (all games of a pair, or none).
    """
    records = []
    games_a_pair = len(task.agents) if task.swap else 1
    with _collect_garbage_between_games():
        for plan in task.plans():
            game = game_for(task.variant, task.scenario, solo_sides(plan.agents), rotation=plan.rotation)
            with game.rules.blamed(f"a game of {task.scenario}"):
                records.append(
                    play_game(
                        game,
                        task.variant.name,
                        plan,
                        foretold=plan.game < foretold,
                        with_activity=plan.pair * games_a_pair < with_activity,
                    )
                )
            gc.collect(1)
    return records


def run_games_for_results(task: GameTask) -> list[GameRecord]:
    """Play the games of a task as `run_games` does, but count no acts at the table, for studies of results alone."""
    return run_games(task, with_activity=0)


@contextmanager
def _collect_garbage_between_games() -> Iterator[None]:
    """Run the cyclic garbage collector only between games: games leave no cycles, and checking takes up to a tenth of
    their time.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def solo_sides(agents: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """Return the sides of a plan that are played by the rules."""
    return frozenset(side for side, agent in agents if agent == SOLO)


def play_game(
    game: Game[Any], variant: str, plan: GamePlan, *, foretold: bool = False, with_activity: bool = True
) -> GameRecord:
    """Play one game to its end or to the step limit. Sides are recorded in the order of the plan's agents.

    With `foretold` the record includes the first side's win chances at the end of each turn but the last, and with
    `with_activity` the acts at the table.
    """
    if not with_activity:
        return _play_once(game, variant, plan, None, foretold=foretold)
    loss_steps = _loss_steps[game.rules.ruleset.id]
    record = _play_once(game, variant, plan, loss_steps, foretold=foretold)
    if not loss_steps.is_complete:
        loss_steps.is_complete = True
        record = _play_once(game, variant, plan, loss_steps, foretold=foretold)
    loss_steps.has_played = True
    return record


def _play_once(
    game: Game[Any], variant: str, plan: GamePlan, loss_steps: LossSteps | None, *, foretold: bool
) -> GameRecord:
    """Play one game. Acts at the table are counted if `loss_steps` is given."""
    sides = tuple(side for side, _ in plan.agents)
    agents = {side: make_agent(name, game, side, plan.seed) for side, name in plan.agents if name != SOLO}
    state = game.start()
    acts: Activity | None = None
    if loss_steps is None:
        table = seeded_table(game, state, plan.seed, agents)
    else:
        acts = Activity(unit_names(game))
        agents = {side: observed(agent, game, side, acts) for side, agent in agents.items()}
        table = counting_table(game, state, plan.seed, agents, acts, loss_steps)
        acts.count_markers(game.display.markers(state))
    course = Course(game, sides, state)
    lost = {side: dict.fromkeys(CAUSES, 0.0) for side in sides}
    first_loss: int | None = None
    ends: list[Any] = []
    turn, steps, cut_off = 1, 0, False
    is_set_out = False
    while (step := game.play.next_step(state)) is not None:
        turn_now = game.game_turn(state)
        if acts is not None:
            if turn_now == 0 or sets_up(step):
                is_set_out = False
            elif not is_set_out:
                acts.record_start(game.scoreboard(state))
                is_set_out = True
        while turn_now > turn:
            turn += 1
            scoreboard = course.note(state)
            if acts is not None:
                acts.count_turn(scoreboard)
                acts.count_markers(game.display.markers(state))
            if foretold:
                ends.append(state.copy())
        steps += 1
        if steps > STEP_LIMIT:
            cut_off = True
            break
        table.begin(step)
        game.play.perform(table, state, step)
        for event in table.events:
            if event.kind == "loss" and event.data.keys() >= _COUNTED:
                first_loss = first_loss or turn
                cause = event.data["cause"]
                lost[event.data["side"]][cause if cause in CAUSES else "other"] += event.data["lost"]
    common, own, scoreboard = game.play.common_outcome(state), game.play.own_outcome(state), game.scoreboard(state)
    last = course.close(state, common.points)
    if acts is not None:
        acts.count_turn(last)
    return GameRecord(
        variant=variant,
        scenario=game.scenario.id,
        game=plan.game,
        pair=plan.pair,
        seed=plan.seed,
        swapped=plan.swapped,
        listed=game.seats[0],
        agents=dict(plan.agents),
        winner=common.winner,
        ground=common.ground,
        own_winner=(own or common).winner,
        own_ground=own.ground if own is not None else "",
        points={side: common.points[side] for side in sides},
        in_play=points_in_play(game.scenario),
        ending="act_limit" if cut_off else common.ending,
        turns=turn,
        **(dict.fromkeys(ACTIVITY) if acts is None else acts.to_dict()),
        effort={side: _effort(table, side) for side in sides},
        dice=table.dice_rolled,
        rolls=table.rolls,
        draws=table.draws,
        lookups=table.lookups,
        losses={side: _shares(lost[side], scoreboard.size(side), scoreboard.losses(side)) for side in sides},
        strength={side: tuple(course.strength[side]) for side in sides},
        score={side: tuple(course.score[side]) for side in sides},
        first_loss=first_loss,
        chances=win_chances(game, plan.seed, sides[0], ends, STEP_LIMIT),
    )


class Course:
    """The strength and points of each side at the start and at the end of each game turn."""

    def __init__(self, game: Game[Any], sides: tuple[str, ...], start: Any) -> None:
        self._game = game
        self.strength: dict[str, list[float]] = {side: [] for side in sides}
        self.score: dict[str, list[float]] = {side: [] for side in sides}
        self.note(start)

    def note(self, state: Any) -> Scoreboard[Any]:
        """Record the end of a game turn and return its scoreboard."""
        scoreboard = self._game.scoreboard(state)
        shares = self._shares(scoreboard)  # lists the men, which the count_points then use
        self._append(shares, count_points(scoreboard.scenario, scoreboard, scoreboard.achieved))
        return scoreboard

    def close(self, state: Any, scored: Mapping[str, float]) -> Scoreboard[Any]:
        """Record the end of the battle with these points and return its scoreboard."""
        scoreboard = self._game.scoreboard(state)
        self._append(self._shares(scoreboard), scored)
        return scoreboard

    def _shares(self, scoreboard: Scoreboard[Any]) -> dict[str, float]:
        return {side: scoreboard.strength(side) for side in self.strength}

    def _append(self, shares: Mapping[str, float], scored: Mapping[str, float]) -> None:
        for side, share in shares.items():
            self.strength[side].append(share)
            self.score[side].append(scored[side])


def _effort(table: SeededTable, side: str) -> Effort:
    return Effort(table.decisions.get(side, 0), table.genuine.get(side, 0), table.offered.get(side, 0))


def _shares(reported: Mapping[str, float], size: float, share_lost: float) -> dict[str, float]:
    """Return the share of a side lost to each cause, scaled to `share_lost` in total.

    The reported losses are reduced in proportion for figures healed or freed since; unreported losses go to "other".
    """
    shares = {cause: number / size if size else 0.0 for cause, number in reported.items()}
    in_all = total(shares.values())
    if in_all > share_lost:
        return {cause: share * share_lost / in_all for cause, share in shares.items()}
    return shares | {"other": shares["other"] + share_lost - in_all}
