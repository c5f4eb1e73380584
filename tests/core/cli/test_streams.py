"""Closed standard streams: the usual exit codes, messages on the remaining streams, and no traceback."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.small_battle import small_battle_file


@pytest.mark.parametrize(
    ("command", "code", "shown", "told"),
    [
        ("scenarios >&-", 0, "", ""),
        ("scenarios --json 2>&-", 0, '"id": "hill_fort"', ""),
        ("nope 2>&-", 2, "", ""),
        ("nope >&-", 2, "", "there is no command 'nope'"),
        ("nope <&- >&- 2>&-", 2, "", ""),
        ("scenarios >/dev/full", 2, "", "reading or writing failed: No space left on device\n"),
        ("scenarios --json >/dev/full", 2, "", "reading or writing failed: No space left on device\n"),
        ("odds vcc fire_pool --facts - <&-", 2, "", "<stdin>:1:1: expected a mapping"),
    ],
)
def test_a_closed_output_stream_causes_no_message(
    bare_environment: dict[str, str], command: str, code: int, shown: str, told: str
) -> None:
    zareba = shlex.join([sys.executable, "-m", "zareba"])
    done = subprocess.run(
        ["/bin/sh", "-c", f"{zareba} {command}"], env=bare_environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert shown in done.stdout and told in done.stderr
    assert bool(done.stdout) == bool(shown) and bool(done.stderr) == bool(told)


def test_output_to_a_closed_stream_goes_to_no_file(bare_environment: dict[str, str], tmp_path: Path) -> None:
    # A file opened while stdout is closed would get stdout's descriptor.
    seats = "--seat=patrol=random --seat=tribesmen=random --seed=3"
    zareba = shlex.join([sys.executable, "-m", "zareba"])
    command = f"{zareba} play {small_battle_file(tmp_path)} --ruleset=vcc {seats} --journal=a.jsonl >&- 2>&-"
    subprocess.run(["/bin/sh", "-c", f"{command} && {zareba} replay a.jsonl --check"], env=bare_environment, check=True)
