"""The speed table: all figures measured in one run, as ratios to an earlier commit and to catanatron.

    make speed                  (about 15 minutes; writes tests/benchmarks/speed.md)
    make speed SINCE=v0.1.0     (compares with another commit; the default is 3fa54e1)
    make speed GAMES=4          (prints the play of 4 games a round, and writes nothing)

The earlier commit runs in a git worktree in a temporary folder, in its own environment. Games of both commits and of
catanatron alternate, and are measured in CPU time, so that other programs on the machine slow all of them alike. A
decision is any question to a player, also with a single answer, because catanatron counts those too. Genuine choices
have two answers or more: a minority of catanatron's decisions and nearly all of zareba's.

Play means games with their results, as at 3fa54e1: strength and points of each turn, losses, and the numbers of
decisions and dice. Acts at the table are not counted.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from zareba.analysis.compare import compare
from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import game_for, run_games, run_games_for_results
from zareba.base.grammar import percent
from zareba.odds import odds
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario

TABLE = Path(__file__).with_name("speed.md")
ROOT = Path(__file__).parents[2]
SINCE = "3fa54e1"
MIDDLE = "river_ford"
LARGE = "battle_of_the_wells"
ROUNDS = 5
SECONDS = 0.7  # approximate duration of each work in a round
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


def zareba_genuine(ruleset: str, count: int) -> float:
    """Return the share of random players' decisions with more than one answer."""
    agents = tuple((side, "random") for side in sides())
    records = run_games_for_results(GameTask(Variant(ruleset, ruleset), MIDDLE, 0, count, 1, agents, swap=True))
    efforts = [effort for record in records for effort in record.effort.values()]
    return sum(effort.genuine for effort in efforts) / sum(effort.decisions for effort in efforts)


@dataclass(frozen=True)
class Pace:
    """The decisions and games a second of one round."""

    decisions: float
    games: float


class Player:
    """A process that plays games with the code of one commit."""

    def __init__(self, python: Path, tree: Path) -> None:
        command = [str(python), str(Path(__file__).with_name("game_player.py"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tree)
        self._tree = tree

    def play(self, what: str, games: int) -> Pace:
        """Play games of a ruleset, a battle and an AI player, such as "vcc river_ford random"."""
        assert self._process.stdin is not None and self._process.stdout is not None, "both are pipes"
        self._process.stdin.write(f"{what} {games}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().split()
        if not answer:
            raise SystemExit(f"the code in {self._tree} cannot play {what}; its error is above")
        return Pace(int(answer[0]) / float(answer[1]), games / float(answer[1]))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def checked_out(commit: str) -> Iterator[tuple[Path, Path]]:
    """Check out a commit in a temporary folder and install it there; yield its Python and the folder."""
    with TemporaryDirectory(prefix="zareba-speed-") as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            venv.create(tree / ".venv", with_pip=True)
            python = tree / ".venv" / "bin" / "python"
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--editable", str(tree)], check=True)
            yield python, tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def games_a_round(now: Player, what: str) -> int:
    """Return the number of games that takes about SECONDS; at least two. Playing them also fills the caches."""
    now.play(what, 2)
    return max(2, round(now.play(what, 4).games * SECONDS / 2) * 2)


def catanatron_pace(games: int) -> Pace:
    """Return the pace of catanatron's random players."""
    start = time.process_time()
    count, decisions = catanatron_games(games)
    seconds = time.process_time() - start
    return Pace(decisions / seconds, count / seconds)


def microseconds(work: Callable[[], Any], times: int) -> float:
    """Return the median time of one call."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(times):
            work()
        rounds.append((time.perf_counter() - start) / times * 1e6)
    return statistics.median(rounds)


def play_table(
    names: Sequence[str], now: Player, then: Player, games: int | None
) -> dict[str, list[tuple[Pace, Pace]]]:
    """Return the rounds of each ruleset, battle and AI player, played by the code of now and then in turn."""
    found = {}
    for what in [
        f"{name} {battle} {ai}" for ai in ("random", "doctrine") for battle in (MIDDLE, LARGE) for name in names
    ]:
        count = games or games_a_round(now, what)
        for player in (now, then):
            player.play(what, count)
        found[what] = [(now.play(what, count), then.play(what, count)) for _ in range(ROUNDS)]
        print(play_line(what, found[what]), flush=True)
    return found


def play_line(what: str, rounds: Sequence[tuple[Pace, Pace]]) -> str:
    """Return a line of the table of play."""
    decisions = sorted(now.decisions / then.decisions for now, then in rounds)
    games = statistics.median(now.games / then.games for now, then in rounds)
    name, battle, player = what.split()
    speed = statistics.median(now.decisions for now, _ in rounds)
    spread = f"{statistics.median(decisions):.2f} ({decisions[0]:.2f} to {decisions[-1]:.2f})"
    return f"| {name} | {battle} | {player} | {speed:,.0f} | {spread} | {games:.2f} |"


def catanatron_rows(names: Sequence[str], found: dict[str, list[tuple[Pace, Pace]]]) -> list[Figure]:
    """Return the rows of play on the medium-sized battle, compared with catanatron's random players."""
    catanatron_pace(2)
    paces = [catanatron_pace(16) for _ in range(ROUNDS)]
    decisions = statistics.median(pace.decisions for pace in paces)
    games = statistics.median(pace.games for pace in paces)
    genuine = catanatron_genuine(20)
    speed = f"{decisions:,.0f} decisions/s ({percent(genuine)} genuine), {games:.1f} games/s"
    rows = [Figure("catanatron, random players", speed, "1.0", "")]
    for name in names:
        own = statistics.median(now.decisions for now, _ in found[f"{name} {MIDDLE} random"])
        share, ratio = zareba_genuine(name, 10), own / decisions
        ratios = f"{ratio:.2f} x; genuine choices {ratio * share / genuine:.2f} x"
        speed = f"{own:,.0f} decisions/s ({percent(share)} genuine)"
        rows.append(Figure(f"{name}, random against random", speed, ratios, "1.0 x, aim 3 x"))
        played = statistics.median(now.games for now, _ in found[f"{name} {MIDDLE} doctrine"])
        where = f"{played / games * 30:.0f} where catanatron plays 30"
        rows.append(Figure(f"{name}, doctrine against doctrine", f"{played:.1f} games/s", where, "15, aim 60"))
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


PLAY = """| ruleset | battle | players | decisions/s | decisions, now / then | games, now / then |
|---|---|---|---|---|---|"""


def main() -> None:
    """Measure the rulesets named on the command line, or all, and write the table."""
    parser = argparse.ArgumentParser(description="Measure the speed of zareba.")
    parser.add_argument("rulesets", nargs="*", default=ruleset_names())
    parser.add_argument("--since", default=SINCE, metavar="COMMIT")
    parser.add_argument("--games", type=int, help="games a round; only play is measured, and nothing is written")
    options = parser.parse_args()
    with checked_out(options.since) as (python, tree):
        now, then = Player(Path(sys.executable), ROOT), Player(python, tree)
        print(PLAY)
        found = play_table(options.rulesets, now, then, options.games)
        now.close()
        then.close()
    if options.games is None:
        names = options.rulesets
        rows = [*catanatron_rows(names, found), *odds_rows(names), *copy_rows(names), help_row(), cores_row()]
        write_table([play_line(what, rounds) for what, rounds in found.items()], options.since, rows, TABLE)
        print(TABLE.read_text(encoding="utf-8"))


def commit_now() -> str:
    """Return the short name of the commit that is checked out here."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def write_table(play: Sequence[str], since: str, rows: Sequence[Figure], page: Path) -> None:
    """Write the figures to a separate page; notes about them are in README.md."""
    lines = ["| what | figure | ratio | at least, aim |", "|---|---|---|---|"]
    lines += [f"| {row.what} | {row.figure} | {row.ratio} | {row.wanted} |" for row in rows]
    page.write_text(
        "# Speed: the table\n\nWritten by `make speed`; notes are in [README.md](README.md). The ratios count, not the "
        "seconds: they hold from one machine to another.\n\n"
        f"Measured in one run at commit {commit_now()} ({time.strftime('%Y-%m-%d')}, Python {platform.python_version()}).\n\n"
        f"## Play now and at {since}\n\nDecisions and games a second of CPU time: medians of {ROUNDS} alternating rounds, "
        "with the lowest and highest ratio. Acts at the table are not counted. The games of the two commits differ where rules "
        "have changed.\n\n"
        + "\n".join([PLAY, *play])
        + f"\n\n## Against catanatron, and other figures\n\nPlay is on the scenario `{MIDDLE}`. Decisions are all questions "
        "to players, as catanatron counts them; genuine choices have two answers or more.\n\n"
        + "\n".join(lines)
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
