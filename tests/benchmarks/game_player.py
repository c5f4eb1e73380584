"""Play games on request and measure them. `speed_table.py` runs this file with the Python of each commit it compares.

Each line of the input is `RULESET BATTLE PLAYER COUNT`; the answer is a line with the decisions and the seconds of CPU.
"""

from __future__ import annotations

import sys
import time

from zareba.scenario import load_scenario

try:
    from zareba.analysis.games.records import GameTask, Variant
    from zareba.analysis.games.simulate import run_games
except ImportError:  # commits up to 2026-11-25
    from zareba.analysis.records import GameTask, Variant  # type: ignore[import-not-found, no-redef]  # only there in old commits
    from zareba.analysis.simulate import run_games  # type: ignore[import-not-found, no-redef]  # only there in old commits

for line in sys.stdin:
    ruleset, battle, player, count = line.split()
    agents = tuple((side, player) for side in load_scenario(battle).sides)
    task = GameTask(Variant(ruleset, ruleset), battle, 0, int(count), 1, agents, swap=True)
    start = time.process_time()
    records = run_games(task)
    seconds = time.process_time() - start
    print(sum(effort.decisions for record in records for effort in record.effort.values()), seconds, flush=True)
