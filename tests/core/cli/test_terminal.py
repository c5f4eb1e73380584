"""A real terminal of 80 by 24: choices, why, undo, leaving, resuming, and Ctrl-C."""

from __future__ import annotations

import json
import re
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pexpect  # type: ignore[import-untyped]  # pexpect ships no types
import pytest

from zareba.journal import read_ledger
from zareba.session import replay

ZAREBA = [sys.executable, "-m", "zareba"]
PLAY = ["play", "patrol_clash", "--ruleset=vcc", "--seed=4", "--seat=tribesmen=random", "--journal=mine.jsonl"]
PROMPT = r"help\] > "


@pytest.fixture
def terminal(bare_environment: dict[str, str]) -> Any:
    """Return a function that starts a command in a terminal; all terminals are closed after the test."""
    opened = []

    def start(*args: str, shell: str = "") -> Any:
        command = ["/bin/sh", "-c", shell] if shell else [*ZAREBA, *args]
        child = pexpect.spawn(
            command[0],
            command[1:],
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=120,  # generous, for busy machines
            # a background build ignores interrupts, and its children would inherit that
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            env={key: value for key, value in bare_environment.items() if key not in ("COLUMNS", "NO_COLOR")},
        )
        child.delaybeforesend = None  # every answer waits for its question anyway
        opened.append(child)
        return child

    yield start
    for child in opened:
        child.close(force=True)


def _answers() -> list[Any]:
    return [answered for _, answers, _ in replay(Path("mine.jsonl")).session.log() for answered in answers]


def _at_the_table(child: Any) -> None:
    """Skip the briefing shown before the first question."""
    child.expect(r"q: stop\] > ")
    child.sendline("q")
    child.expect(PROMPT)


def test_an_evening_is_played_in_a_terminal(terminal: Any) -> None:
    child = terminal(*PLAY)
    _at_the_table(child)
    assert "Fusiliers: deploy in which box?" in child.before
    assert "\x1b[1;36m" in child.before and "\x1b[1;31m" in child.before, "the sides have colours"
    assert max(map(len, _lines(child.before))) <= 80
    for typed, answer in (
        ("E2", "Fusiliers: face which way"),
        ("undo", "Fusiliers: deploy in which box"),
        ("redo", "Fusiliers: face which way"),
        ("n", "Sikhs: deploy in which box"),
        ("odds", "no option here leads straight"),
        ("rules VCC-025", r"VCC-025 \("),
        ("nowhere", "no option is called 'nowhere'"),
    ):
        child.sendline(typed)
        child.expect(answer)
        child.expect(PROMPT)
    while not re.search(r"fired \d+ dice", child.before):
        child.sendline("1")
        child.expect(PROMPT)
    child.sendline("why")
    child.expect(r"fire dice: \d+ (\(\d+ times\)|di(c)?e)")
    child.expect(PROMPT)
    child.sendline("why 1")
    child.expect("rule in short")
    child.expect(PROMPT)
    child.sendline("save")
    child.expect("every answer is already saved")
    child.expect(PROMPT)
    child.sendline("quit")
    child.expect("saved; continue with: zareba continue mine.jsonl")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 0

    again = terminal("continue", "mine.jsonl")
    again.expect(PROMPT)
    again.sendline("undo")
    again.expect("taken back")
    again.expect(PROMPT)
    again.sendline("quit")
    again.expect(pexpect.EOF)
    again.wait()
    assert again.exitstatus == 0
    assert _answers()[0].by == "person"


def test_the_briefing_comes_first_and_long_output_is_paged(terminal: Any) -> None:
    child = terminal(*PLAY)
    child.expect(r"q: stop\] > ")
    assert "Background" in child.before and "Length" not in child.before
    assert len(_lines(child.before)) <= 25
    child.sendline("")
    child.expect(r"to the table; briefing shows this again\] > ")
    assert "12 turns at most" in child.before
    child.sendline("")
    child.expect(PROMPT)
    assert "do phase sets up the rest as suggested" in child.before
    child.sendline("help")
    child.expect(PROMPT)
    assert len(_lines(child.before)) <= 24
    assert "Fusiliers: deploy in which box?" in child.before, "the question is shown again"
    child.sendline("briefing")
    child.expect(r"q: stop\] > ")
    child.sendline("E2")  # an answer ends the briefing
    child.expect(PROMPT)
    assert "Fusiliers: face which way?" in child.before
    child.sendline("undo")
    child.expect(PROMPT)
    shown = []
    for _ in range(12):
        child.sendline("yyy")
        child.expect(PROMPT)
        shown.append("Fusiliers: deploy in which box?" in child.before)
    assert 0 < sum(shown) < 4, "after many mistakes the question is repeated"


def test_the_briefing_comes_before_the_first_real_die_too(terminal: Any) -> None:
    child = terminal(*PLAY[:2], "--ruleset=fixed_baynet", *PLAY[4:], "--dice=physical")
    child.expect(r"q: stop\] > ")
    assert "Background" in child.before and "the faces of" not in child.before
    child.sendline("q")
    child.expect(r"\[the faces of 1d6")


def test_a_wrong_line_of_a_typed_list_of_forces_is_typed_again(terminal: Any) -> None:
    child = terminal("companion", "risk_factor", "--forces", "-")
    for line in ("Us:", "8 Alpha rifles"):
        child.expect("\r\n> ")
        child.sendline(line)
    child.expect("\r\n> ")
    child.sendline("rifles")
    child.expect("line 3: 'rifles' has no number of figures")
    child.expect("type this line again")
    for line in ("Them:", "12 Red spears", ""):
        child.expect("\r\n> ")
        child.sendline(line)
    child.expect("help lists the commands")


def _lines(shown: str) -> list[str]:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).splitlines()


def test_interrupt_leaves_terminal_and_journal_intact(terminal: Any) -> None:
    command = shlex.join([*ZAREBA, *PLAY])
    child = terminal(shell=f"trap : INT; stty -g; {command}; echo exit=$?; stty -g")
    child.expect(r"([0-9a-f:]{20,})\r\n")
    before = child.match[1]
    _at_the_table(child)
    child.sendline("E2")
    child.expect("face which way")
    child.expect(PROMPT)
    child.sendintr()
    child.expect("saved; continue with: zareba continue mine.jsonl")
    child.expect(r"exit=130\r\n")
    child.expect(r"([0-9a-f:]{20,})\r\n")
    assert child.match[1] == before
    file = replay(Path("mine.jsonl"))
    assert file.notice == ""
    assert [answered.question.why for answered in _answers()] == ["deploy in"]


def test_interrupt_during_ai_turns_leaves_a_journal_to_resume(terminal: Any) -> None:
    longest = "battle_of_the_wells", "--ruleset=vcc", "--seed=4"
    seats = "--seat=sirdar=doctrine", "--seat=khalifa=doctrine"
    child = terminal("play", *longest, *seats, "--journal=mine.jsonl")
    child.expect("journal: mine.jsonl")
    while not Path("mine.jsonl").stat().st_size > 10_000:
        assert child.isalive()
    child.sendintr()
    child.expect("saved; continue with")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert replay(Path("mine.jsonl")).notice == ""


@pytest.mark.usefixtures("no_matplotlib")
def test_a_comparison_shows_a_bar_and_can_be_interrupted(terminal: Any) -> None:
    child = terminal("compare", "patrol_clash", "--rulesets=vcc", "--games=100000", "--jobs=1", "--out=out")
    child.expect(r"games .*\d+/100000")
    child.sendintr()
    child.expect(r"interrupted after \d+ of 100,000 games")
    child.expect("Who wins")
    child.expect("written: out/summary.json")
    child.expect(pexpect.EOF)
    child.wait()
    assert child.exitstatus == 130
    assert json.loads(Path("out/summary.json").read_text())["header"]["partial"] is True
    assert len(Path("out/games.csv").read_text().splitlines()) > 1


@pytest.mark.deep
@pytest.mark.parametrize("jobs", [1, 2])
def test_repeated_interrupts_leave_no_half_written_file(terminal: Any, jobs: int) -> None:
    """`test_interrupted_writes_leave_no_file` interrupts the writing in the ordinary suite."""
    compare = [*ZAREBA, "compare", "patrol_clash", "--rulesets=vcc", "--games=100000", f"--jobs={jobs}", "--out=out"]
    child = terminal(shell=f"trap : INT; {shlex.join(compare)}; echo exit=$?")
    child.expect(r"games .*[1-9]\d*/100000")
    for _ in range(3):
        child.sendintr()
        time.sleep(0.2)
    child.expect(r"exit=130\r\n")
    assert "Traceback" not in child.before
    _whole_or_absent(Path("out"))


def _whole_or_absent(folder: Path) -> None:
    """Assert that every output file of a comparison is complete, and that only saved games exist in addition."""
    ends = {"summary.json": "}\n", "games.csv": "\n", "report.html": "</html>\n"}
    for file in folder.iterdir():
        if file.match("games-*.jsonl"):
            kept = read_ledger(file, "list of games")
            assert kept.entries and not kept.damage
        elif file.name != "games.parquet":
            assert file.read_text(encoding="utf-8").endswith(ends[file.name])


def test_a_closed_pipe_is_not_an_error(bare_environment: dict[str, str]) -> None:
    command = f"{shlex.join([*ZAREBA, 'rules', 'vcc'])} | head -1"
    output, status = pexpect.run(
        shlex.join(["/bin/sh", "-c", command]), withexitstatus=True, encoding="utf-8", env=bare_environment
    )
    assert status == 0
    assert "Traceback" not in output and "Error" not in output
