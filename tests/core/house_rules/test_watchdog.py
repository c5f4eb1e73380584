"""A house rule in an endless loop is stopped, or the process ends with a message."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PLAYS = """
from zareba.house_rules import hook_function
hook_function.LONGEST_RUN, hook_function.CHECK_INTERVAL, hook_function.MOST_STOPS = 0.3, 0.05, 3
from zareba.testing import play
play({rule!r})
"""


def test_a_loop_that_catches_its_own_stop_ends_with_an_error(tmp_path: Path) -> None:
    rule = tmp_path / "mill.py"
    rule.write_text(
        "from zareba.api import hookimpl\n@hookimpl\ndef zareba_turn(table):\n    while True:\n        try:\n"
        "            while True:\n                pass\n        except BaseException:\n"
        "            for _ in range(3):\n                pass\n",
        encoding="utf-8",
    )
    code = PLAYS.format(rule=str(rule))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert "mill.py" in done.stderr
    assert "does not return" in done.stderr or "did not return" in done.stderr
