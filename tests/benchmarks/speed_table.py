"""The speed table: all figures measured in one run, as ratios to catanatron where it plays too.

    make bench            (installs the extra `bench`, runs this, writes tests/benchmarks/speed.md)

Each figure is the median of alternating rounds, so that a slow machine slows all figures alike. A decision is any
question to a player, also with a single answer, because catanatron counts those too. Genuine choices have two answers
or more: a minority of catanatron's decisions and nearly all of zareba's.
"""

from __future__ import annotations

import gc
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from zareba.analysis.compare import compare
from zareba.analysis.games.records import Effort, GameTask, Variant
from zareba.analysis.games.simulate import game_for, run_games
from zareba.odds import odds
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario

TABLE = Path(__file__).with_name("speed.md")
MIDDLE = "river_ford"
LARGE = "battle_of_the_wells"
ROUNDS = 5
SECONDS = 0.7  # approximate duration of each work in a round
LONG = 60  # games used to measure the mean length of a game, which varies far more than the speed of decisions
ATTACKS: dict[str, tuple[str, dict[str, Any]]] = {
    "afriboria": (
        "battle",
        {"attacker": "inf_a", "attacker_figures": 6, "defender": "inf_c", "defender_figures": 8, "range": 2},
    ),
    "fixed_baynet": ("volley", {"ds": 4}),
    "paychest": ("volley", {}),
    "risk_factor": ("volley", {}),
    "vcc": ("fire_pool", {"bases": 5, "leader": True}),
}


@dataclass(frozen=True)
class Figure:
    """A row of the table: the measurement, the figure, the ratio, and the required ratio, as text."""

    what: str
    figure: str
    ratio: str
    wanted: str


def catanatron_games(count: int) -> tuple[int, int]:
    """Play games between four random players of catanatron; return the numbers of games and decisions."""
    from catanatron import Color, Game, RandomPlayer  # only in the extra `bench`

    decisions = 0
    for seed in range(count):
        colours = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
        game = Game([RandomPlayer(colour) for colour in colours], seed=seed)
        game.play()
        decisions += len(game.state.actions)
    return count, decisions


def catanatron_genuine(count: int) -> float:
    """Return the share of catanatron's decisions with more than one answer."""
    from catanatron import Color, Game, RandomPlayer

    class Counting(RandomPlayer):  # type: ignore[misc]  # catanatron has no types
        asked = genuine = 0

        def decide(self, game: Any, playable_actions: Any) -> Any:
            Counting.asked += 1
            Counting.genuine += len(playable_actions) > 1
            return super().decide(game, playable_actions)

    for seed in range(count):
        Game([Counting(colour) for colour in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)], seed=seed).play()
    return Counting.genuine / Counting.asked


@cache
def sides() -> tuple[str, ...]:
    """Return the sides of the medium-sized scenario, read once."""
    return tuple(load_scenario(MIDDLE).sides)


def zareba_efforts(ruleset: str, agent: str, count: int) -> list[Effort]:
    """Return the decision counts of two AI players in games on the medium-sized scenario."""
    agents = tuple((side, agent) for side in sides())
    records = run_games(GameTask(Variant(ruleset, ruleset), MIDDLE, 0, count, 1, agents, swap=True))
    return [effort for record in records for effort in record.effort.values()]


def zareba_games(ruleset: str, agent: str, count: int) -> tuple[int, int]:
    """Play games between two AI players on the medium-sized scenario; return the numbers of games and decisions."""
    return count, sum(effort.decisions for effort in zareba_efforts(ruleset, agent, count))


def zareba_genuine(ruleset: str, count: int) -> float:
    """Return the share of random players' decisions with more than one answer."""
    efforts = zareba_efforts(ruleset, "random", count)
    return sum(effort.genuine for effort in efforts) / sum(effort.decisions for effort in efforts)


def lasting(work: Callable[[int], tuple[int, int]]) -> Callable[[], tuple[int, int]]:
    """Return the work with a number of games that takes about SECONDS; at least two games."""
    start = time.perf_counter()
    work(2)
    games = max(2, round(2 * SECONDS / (time.perf_counter() - start) / 2) * 2)
    return partial(work, games)


def timed(work: Callable[[], tuple[int, int]]) -> float:
    """Return the decisions a second of one call."""
    start = time.perf_counter()
    _, decisions = work()
    return decisions / (time.perf_counter() - start)


def alternate(works: dict[str, Callable[[int], tuple[int, int]]]) -> dict[str, tuple[float, float]]:
    """Return games and decisions a second of each work: medians of alternating rounds.

    Games a second are calculated with the mean length of LONG games, which are played first and so fill all caches.
    """
    long = {name: work(LONG) for name, work in works.items()}
    gc.collect()
    gc.freeze()  # exclude the caches of other works from garbage collection
    rounds = {name: lasting(work) for name, work in works.items()}
    seen: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, lasts in rounds.items():
            seen[name].append(timed(lasts))
    speeds = {name: statistics.median(rates) for name, rates in seen.items()}
    return {name: (speeds[name] * games / decisions, speeds[name]) for name, (games, decisions) in long.items()}


def microseconds(work: Callable[[], Any], times: int) -> float:
    """Return the median time of one call."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(times):
            work()
        rounds.append((time.perf_counter() - start) / times * 1e6)
    return statistics.median(rounds)


def play_rows(names: list[str]) -> list[Figure]:
    """Return the rows of random and doctrine games of every ruleset, compared with catanatron's random players."""
    works: dict[str, Callable[[int], tuple[int, int]]] = {"catanatron": catanatron_games}
    for name in names:
        works[f"{name} random"] = partial(zareba_games, name, "random")
        works[f"{name} doctrine"] = partial(zareba_games, name, "doctrine")
    found = alternate(works)
    cat_games, cat_decisions = found["catanatron"]
    cat_genuine = catanatron_genuine(20)
    speed = f"{cat_decisions:,.0f} decisions/s ({cat_genuine:.0%} genuine), {cat_games:.1f} games/s"
    rows = [Figure("catanatron, random players", speed, "1.0", "")]
    for name in names:
        _, decisions = found[f"{name} random"]
        games, _ = found[f"{name} doctrine"]
        genuine = zareba_genuine(name, 10)
        ratio = decisions / cat_decisions
        ratios = f"{ratio:.2f} x; genuine choices {ratio * genuine / cat_genuine:.2f} x"
        speed = f"{decisions:,.0f} decisions/s ({genuine:.0%} genuine)"
        rows.append(Figure(f"{name}, random against random", speed, ratios, "1.0 x, aim 3 x"))
        share = f"{games / cat_games * 30:.0f} where catanatron plays 30"
        rows.append(Figure(f"{name}, doctrine against doctrine", f"{games:.1f} games/s", share, "15, aim 60"))
    return rows


def odds_rows(names: list[str]) -> list[Figure]:
    """Return the rows of exact odds of one attack."""
    rows = []
    for name in names:
        procedure, facts = ATTACKS[name]
        rules = load_rules(name)
        entry = rules.ruleset.procedure(procedure)
        situation = entry.facts(**facts)
        start = time.perf_counter()
        odds(rules, entry, situation)
        cold = (time.perf_counter() - start) * 1000
        rows.append(Figure(f"{name}, odds of one attack, cold", f"{cold:.1f} ms", "", "50 ms, aim 5 ms"))
    return rows


def copy_rows(names: list[str]) -> list[Figure]:
    """Return the rows of copying a state, scaled to 40 units."""
    rows = []
    for name in names:
        state = game_for(Variant(name, name), LARGE).start()
        state.copy()  # the method is generated on first use
        units = len(state.units)
        each = microseconds(state.copy, 500) * 40 / units
        rows.append(Figure(f"{name}, copy of a state, per 40 units", f"{each:.1f} microseconds", "", "25, aim 10"))
    return rows


def help_row() -> Figure:
    """Return the row of starting the program to show its help."""
    program = Path(sys.executable).with_name("zareba")
    times = []
    for _ in range(9):
        start = time.perf_counter()
        subprocess.run([program, "--help"], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return Figure("zareba --help", f"{statistics.median(times):.2f} s", "", "0.25 s, aim 0.15 s")


def cores_row() -> Figure:
    """Return the row of a comparison with one worker and with two, alternating; medians."""
    variants = [Variant("vcc", "vcc")]
    agents = tuple((side, "doctrine") for side in sides())
    times: dict[int, list[float]] = {1: [], 2: []}
    for jobs in (1, 2) * 3:
        start = time.perf_counter()
        compare(MIDDLE, variants, games=600, seed=1, jobs=jobs, agents=agents, run_games=run_games)
        times[jobs].append(time.perf_counter() - start)
    seconds = {jobs: statistics.median(found) for jobs, found in times.items()}
    return Figure(
        "compare, two workers against one", f"{seconds[2]:.1f} s, {seconds[1]:.1f} s",
        f"{seconds[1] / seconds[2]:.2f} x", "1.8 x, aim 1.95 x",
    )  # fmt: skip


def main() -> None:
    """Measure the rulesets named on the command line, or all, and write the table."""
    names = sys.argv[1:] or ruleset_names()
    rows = [*play_rows(names), *odds_rows(names), *copy_rows(names), help_row(), cores_row()]
    write_table(rows, TABLE)
    print(TABLE.read_text(encoding="utf-8"))


def write_table(rows: Sequence[Figure], page: Path) -> None:
    """Write the figures to a separate page; notes about them are in README.md."""
    lines = ["| what | figure | ratio | at least, aim |", "|---|---|---|---|"]
    lines += [f"| {row.what} | {row.figure} | {row.ratio} | {row.wanted} |" for row in rows]
    page.write_text(
        "# Speed: the table\n\nWritten by `make bench`; notes stand in [README.md](README.md). Measured side by side in one run "
        f"({time.strftime('%Y-%m-%d')}, Python {platform.python_version()}); medians of {ROUNDS} alternating rounds on "
        f"the scenario `{MIDDLE}`.\nThe ratios count, not the seconds: they hold from one machine to another. "
        "Decisions are all questions to players, as catanatron counts them; genuine choices have two answers or more.\n\n"
        + "\n".join(lines)
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
