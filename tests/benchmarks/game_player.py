"""Play games on request and measure them. `speed_table.py` runs this file with the Python of each commit it compares.

Each line of the input is `RULESET BATTLE PLAYER COUNT`; the answer is a line with the decisions and the seconds of CPU.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from importlib.util import find_spec

from zareba.scenario import load_scenario

package = "zareba.analysis.games" if find_spec("zareba.analysis.games") else "zareba.analysis"  # up to 2026-11-25
records, simulate = import_module(f"{package}.records"), import_module(f"{package}.simulate")
# Acts at the table are not counted: commits up to 2026-11-23 could not count them, so play would be compared with play
# and counting. Commits between then and 2026-11-29 count them always.
run_games = getattr(simulate, "run_games_for_results", simulate.run_games)

for line in sys.stdin:
    ruleset, battle, player, count = line.split()
    agents = tuple((side, player) for side in load_scenario(battle).sides)
    task = records.GameTask(records.Variant(ruleset, ruleset), battle, 0, int(count), 1, agents, swap=True)
    start = time.process_time()
    played = run_games(task)
    seconds = time.process_time() - start
    print(sum(effort.decisions for record in played for effort in record.effort.values()), seconds, flush=True)
