"""Measure how well a portfolio of players does against a random player, by scenario and side.

    python -m tests.rulesets.risk_factor.ceiling GAMES [SCENARIO:SIDE ...]

Every player of the portfolio plays each side GAMES times. The best result estimates the ceiling that the dice allow;
it is a little too high, because the best of many is also lucky. `--foresee N` adds a player that tries all of them
before each of its turns, with N rollouts each.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

from zareba.agents import make_agent
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for
from zareba.analysis.statistics.intervals import Share
from zareba.base.exact import dist
from zareba.game.doctrine import Doctrine
from zareba.plugins.ruleset import Game
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import Agent, Answer, Choose, Confirm, Option, Place, SeededTable
from zareba_rulesets.risk_factor.chapters.command import STOP
from zareba_rulesets.risk_factor.forces import Battle, Unit
from zareba_rulesets.risk_factor.game import RskGame

Wish: TypeAlias = "Callable[[Battle, Unit, Sequence[Option]], Option | None]"
FIRST_SEED = 30_000


# --- players with one idea -----------------------------------------------------------------------------------------------


def nearest(kind: str, battle: Battle, unit: Unit, options: Sequence[Option]) -> Option | None:
    """Return the option of a kind against the nearest enemy, if any."""
    found = [option for option in options if isinstance(option, tuple) and option[0] == kind]
    return min(found, key=lambda option: battle.gap(unit, battle.units[option[1]]).gap, default=None)


def stand(battle: Battle, unit: Unit, options: Sequence[Option]) -> Option | None:
    return "hold"


def come_on(battle: Battle, unit: Unit, options: Sequence[Option]) -> Option | None:
    return nearest("advance", battle, unit, options)


def charge(battle: Battle, unit: Unit, options: Sequence[Option]) -> Option | None:
    return nearest("charge", battle, unit, options) or come_on(battle, unit, options)


def fall_back(battle: Battle, unit: Unit, options: Sequence[Option]) -> Option | None:
    return "withdraw" if "withdraw" in options else None


def to_objectives(battle: Battle, unit: Unit, options: Sequence[Option]) -> Option | None:
    return "march" if "march" in options else None


class OneIdea(Doctrine):
    """A doctrine player that never commands, or that gives all groups the same order whenever possible."""

    def __init__(self, game: RskGame, seat: str, seed: int, *, commands: bool = True, wish: Wish | None = None) -> None:
        super().__init__(game, seat, seed)
        self._places = [at for at, _, _ in game.plan.places.values()]
        self._commands, self._wish = commands, wish

    def __call__(self, question: Choose | Place | Confirm, state: Battle) -> Answer:
        unit = state.units.get(question.actor)
        if isinstance(question, Choose) and question.why == "command" and not self._commands:
            return STOP
        if self._wish is not None and unit is not None and not unit.spec.leader:
            if isinstance(question, Choose) and question.why == "order":
                wished = self._wish(state, unit, question.options)
                if wished in question.options:
                    return wished
            if isinstance(question, Place) and self._wish is to_objectives and self._places:
                here = unit.body.centre
                goal = min(self._places, key=lambda at: dist(at, here))
                return min(question.suggestions, key=lambda at: dist(at, goal))
        return super().__call__(question, state)


Maker = Callable[[Any, str, int], Agent]
PLAYERS: dict[str, Maker] = {
    "random": partial(make_agent, "random"),
    "doctrine": Doctrine,
    "bold": partial(Doctrine, aggression=3.0),
    "cautious": partial(Doctrine, caution=3.0),
    "careless": partial(Doctrine, caution=0.3),
    "commands nobody": partial(OneIdea, commands=False),
    "stands": partial(OneIdea, wish=stand),
    "comes on": partial(OneIdea, wish=come_on),
    "charges": partial(OneIdea, wish=charge),
    "falls back": partial(OneIdea, wish=fall_back),
    "to objectives": partial(OneIdea, wish=to_objectives),
}
TABLES, FORESEES = "tables", "knows_question"


# --- games ------------------------------------------------------------------------------------------------------------------


class Relay:
    """An agent that hands over to another agent after a given player turn (turn number and side)."""

    def __init__(self, player: Agent, later: Agent, last: tuple[int, str]) -> None:
        self._player, self._later, self._last = player, later, last

    def __call__(self, question: Choose | Place | Confirm, state: Battle) -> Answer:
        player = self._player if (state.turn, state.side) == self._last else self._later
        return player(question, state)


class Foreseeing:
    """A player that before each of its turns runs rollouts with each player of the portfolio and takes the best one."""

    def __init__(self, game: Game[Any], seat: str, seed: int, tries: int) -> None:
        self._game, self._seat, self._seed, self._tries = game, seat, seed, tries
        self._player: Agent = Doctrine(game, seat, seed)

    def __call__(self, question: Choose | Place | Confirm, state: Battle) -> Answer:
        return self._player(question, state)

    def look_ahead(self, state: Battle) -> None:
        """Choose the player for the turn that begins."""
        if (state.phase, state.side) == ("start", self._seat):
            promises = {name: self._promise(state, name) for name in PLAYERS}
            best = max(promises, key=lambda name: promises[name])
            self._player = PLAYERS[best](self._game, self._seat, self._seed)

    def _promise(self, now: Battle, name: str) -> float:
        """Return the mean score of games with this player for one turn and the doctrine for all later turns."""
        game, side, total = self._game, self._seat, 0.0
        for attempt in range(self._tries):
            seed = int(f"{self._seed}{now.turn}{attempt}")
            relay = Relay(PLAYERS[name](game, side, seed), Doctrine(game, side, seed), (now.turn, side))
            total += score(game, now.copy(), side, seed, relay)
        return total / self._tries


def score(
    game: Game[Any],
    state: Battle,
    side: str,
    seed: int,
    agent: Agent | None,
    before: Callable[[Battle], None] | None = None,
) -> float:
    """Play a game against a random player from a state to its end. Return 1 for a win, 0.5 for a draw.

    Without an agent the solo tables run the side. `before` is called before each step.
    """
    enemy = state.enemy(side)
    agents: dict[str, Agent] = {enemy: make_agent("random", game, enemy, seed)}
    table = SeededTable(game.rules, state, seed, agents if agent is None else {**agents, side: agent})
    while (step := game.play.next_step(state)) is not None:
        if before is not None:
            before(state)
        table.begin(step)
        game.play.perform(table, state, step)
    winner = game.play.outcome(state).winner
    return 0.5 if winner is None else float(winner == side)


def score_from_the_start(scenario: str, side: str, player: str, seed: int, tries: int) -> float:
    """Return a player's score in one game."""
    game = game_for(Variant("risk_factor", "risk_factor"), scenario, frozenset({side} if player == TABLES else ()))
    if player == TABLES:
        return score(game, game.start(), side, seed, None)
    if player == FORESEES:
        foreseeing = Foreseeing(game, side, seed, tries)
        return score(game, game.start(), side, seed, foreseeing, foreseeing.look_ahead)
    return score(game, game.start(), side, seed, PLAYERS[player](game, side, seed))


# --- the table of results -----------------------------------------------------------------------------------------------------


def measure(scenario: str, side: str, players: Iterable[str], games: int, tries: int) -> dict[str, float]:
    """Return the games won by each player, counting a draw as half."""
    seeds = range(FIRST_SEED, FIRST_SEED + games)
    return {
        player: sum(score_from_the_start(scenario, side, player, seed, tries) for seed in seeds) for player in players
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, help="games of each player on each side")
    parser.add_argument("sides", nargs="*", help="SCENARIO:SIDE; all of them if none is named")
    parser.add_argument("--foresee", type=int, default=0, metavar="N", help="playouts of each way to play a turn")
    parser.add_argument("--only", nargs="+", help="these players instead of the whole portfolio")
    given = parser.parse_args()
    everyone = [*PLAYERS, TABLES, *([FORESEES] if given.foresee else [])]
    asked = given.sides or [f"{name}:{side}" for name in shipped_scenarios() for side in load_scenario(name).sides]
    totals, bests = dict.fromkeys(given.only or everyone, 0.0), 0.0
    for one in asked:
        scenario, side = one.split(":")
        won = measure(scenario, side, totals, given.games, given.foresee)
        best = max(won, key=lambda player: won[player])
        bests += won[best]
        for player in won:
            totals[player] += won[player]
        bounds = Share(won[best], given.games).limits()
        shares = ", ".join(f"{player} {won[player] / given.games:.2f}" for player in won)
        print(f"{scenario} {side}: best {best} {won[best] / given.games:.2f}", end=" ")
        print(f"({bounds.low:.2f} to {bounds.high:.2f}) of {shares}", flush=True)
    count = given.games * len(asked)
    for player, total in totals.items():
        print(f"{player}: {total / count:.3f} of {count} games")
    print(f"best player of each side: {bests / count:.3f}")


if __name__ == "__main__":
    main()
