"""Replay recorded games and report every game whose result has changed.

    python tests/games.py [RULESET ...] [--write] [--every 10] [--jobs 2]

Each ruleset has a list of 320 games in `tests/rulesets/games/<ruleset>.txt`, one a line. The games cover all shipped
scenarios, random and doctrine players, the printed rules, random settings and two house rules. A line ends with the
turns, the steps and a digest of the final state. Every die and every choice of the game changes that digest.

Without `--write` the games are replayed and compared. `--every 10` replays or writes every tenth game. Differences are
printed and the exit code is 1. Refactoring must change no line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

from zareba.agents import make_agent
from zareba.base.errors import ZarebaError
from zareba.base.state import digest
from zareba.registry import HouseRule, find_house_rule, load_rules, ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import SeededTable

sys.path.insert(0, str(Path(__file__).parents[1]))  # needed when run as a command
from tests.rulesets.random_games import random_settings

GAMES = 320
FILES = Path(__file__).parent / "rulesets" / "games"
HOUSE_RULES = Path(__file__).parent / "rulesets" / "house_rules"
"""Two house rules that work with every ruleset: one removes options, the other rolls a die after losses."""


def game_line(ruleset: str, number: int) -> str:
    """Play one game of the list and return its line."""
    random = Random(f"{ruleset} {number}")
    scenarios = sorted(shipped_scenarios())
    round_, place = divmod(number, len(scenarios))
    scenario = scenarios[(place + round_) % len(scenarios)]
    kind = ("doctrine", "random")[round_ % 2]
    kept = round_ % 8
    rules: list[HouseRule] = [find_house_rule(str(file)) for file in _house_rules(kept)]
    settings = random_settings(ruleset, random) if kept in (2, 3) else {}
    names = " ".join([kind, *(rule.name for rule in rules), *(["settings"] if settings else [])])
    try:
        game = load_rules(ruleset, settings, rules).game(load_scenario(scenario))
    except ZarebaError as error:
        return f"{number:03} {scenario} {names}: refused, {error}"
    state = game.start()
    agents = {seat: make_agent(kind, game, seat, number) for seat in game.seats}
    table = SeededTable(game.rules, state, number, agents)
    steps = 0
    while (step := game.play.next_step(state)) is not None:
        steps += 1
        table.begin(step)
        game.play.perform(table, state, step)
    return f"{number:03} {scenario} {names}: {state.turn} turns, {steps} steps, {digest(state.to_data())}"


def _house_rules(kept: int) -> list[Path]:
    files = sorted(HOUSE_RULES.glob("*.py"))
    return [files[kept - 4]] if kept in (4, 5) else []


def play(ruleset: str, numbers: Sequence[int], jobs: int) -> list[str]:
    """Return the lines of the given games, in order."""
    if jobs == 1:
        return [game_line(ruleset, number) for number in numbers]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(partial(game_line, ruleset), numbers, chunksize=4))


def differences(ruleset: str, every: int, jobs: int = 1) -> list[str]:
    """Return the games of a list whose replay differs from the recorded line."""
    written = (FILES / f"{ruleset}.txt").read_text(encoding="utf-8").splitlines()
    chosen = written[::every]
    played = play(ruleset, [int(line.split()[0]) for line in chosen], jobs)
    return [f"{ruleset}\n  - {was}\n  + {now}" for was, now in zip(chosen, played, strict=True) if was != now]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*", help="all, if none is named")
    parser.add_argument("--write", action="store_true", help="replace the lists")
    parser.add_argument("--every", type=int, default=1, help="only one game of so many")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    found = 0
    for ruleset in given.rulesets or ruleset_names():
        if given.write:
            lines = play(ruleset, range(0, GAMES, given.every), given.jobs)
            (FILES / f"{ruleset}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
            print(f"{ruleset}: {len(lines)} games written")
        else:
            differ = differences(ruleset, given.every, given.jobs)
            print(*differ, f"{ruleset}: {len(differ)} games differ", sep="\n", flush=True)
            found += len(differ)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
