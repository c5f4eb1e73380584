"""Comparisons from the web page: `zareba compare` runs in a separate process and is stopped like with Ctrl-C.

Each comparison has a folder with its options, its output, and at the end its report. An interrupted comparison
continues with the games played so far when it is started again, even after the server was restarted.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from zareba.agents import agent_names
from zareba.analysis.games.notable import played_out, variant_named
from zareba.authoring.equal_points import with_equal_points
from zareba.base.errors import ZarebaError, unknown_name
from zareba.plugins.entry_points import house_rule_files
from zareba.registry import find_house_rule, load_rules, ruleset_names
from zareba.rules.settings import read_settings
from zareba.scenario import Scenario
from zareba.session import Session
from zareba.web.security import Form

NAME = re.compile(r"[a-z0-9_]{1,64}-[0-9]{1,6}")
FILES = {"report.html": "text/html", "summary.json": "application/json", "games.csv": "text/csv"}
MOST_GAMES = 2000
MOST_VARIANTS = 6
_LINE = re.compile(r"^([0-9]+)/([0-9]+) games?$", re.MULTILINE)
_VARIANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,40}")
_START = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from zareba.cli import main; main()"
"""The code of the process. It handles Ctrl-C even if the server was started in the background and ignores it."""


@dataclass(frozen=True)
class ComparisonView:
    """A comparison for its page: `state` is under_way, done, stopped or broken_off; `said` contains the last lines of
    output.
    """

    name: str
    title: str
    asked: str
    state: str
    done: int
    total: int
    said: tuple[str, ...]
    report: bool


class Comparisons:
    """The comparisons of a folder. Only one runs at a time, because people play on the same machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._running: tuple[str, subprocess.Popen[bytes]] | None = None
        self._lock = Lock()

    # --- start and stop --------------------------------------------------------------------------------------------------

    def start(self, source: str, scenario: Scenario, form: Form) -> str:
        """Start a comparison with the options of a form and return its name. Raises ZarebaError for invalid options."""
        command = _command(source, form)
        if form.text("equal_points"):
            with_equal_points(scenario)  # raise errors here rather than in the process
            command.append("--equal-points")
        stem = Path(source).stem
        for number in range(1, 1_000_000):
            name = f"{stem}-{number}"
            try:
                (self.folder / name).mkdir(parents=True)
                break
            except FileExistsError:
                continue
        asked = {"title": scenario.title, "command": command, "words": _in_words(form)}
        (self.folder / name / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
        try:
            self._run(name, command)
        except ZarebaError:
            shutil.rmtree(self.folder / name, ignore_errors=True)
            raise
        return name

    def again(self, name: str) -> None:
        """Continue a comparison that was stopped or interrupted."""
        self._run(name, self._asked(name)["command"])

    def _run(self, name: str, command: Sequence[str]) -> None:
        with self._lock:
            if self._running is not None and self._running[1].poll() is None:
                raise ZarebaError(f"{self._running[0]} is running; wait until it ends, or stop it")
            folder = self.folder / name
            gentle = ["nice", "-n", "10"] if shutil.which("nice") else []
            with (folder / "said.txt").open("wb") as said:
                process = subprocess.Popen(
                    [*gentle, sys.executable, "-c", _START, *command, "--out", str(folder)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=said,
                    start_new_session=True,
                )
            self._running = name, process

    def stop(self, name: str) -> None:
        """Stop it as Ctrl-C does; its report covers the games played so far."""
        with self._lock:
            if self._running is None or self._running[0] != name or self._running[1].poll() is not None:
                raise ZarebaError("it is not running")
            self._running[1].send_signal(signal.SIGINT)

    def close(self) -> None:
        """Stop the running comparison when the server ends; it can be continued later."""
        with self._lock:
            if self._running is not None and self._running[1].poll() is None:
                self._running[1].send_signal(signal.SIGINT)

    # --- results ---------------------------------------------------------------------------------------------------------

    def all(self) -> list[ComparisonView]:
        """Return all comparisons, the newest first."""
        found = [path for path in self.folder.glob("*/asked.json") if NAME.fullmatch(path.parent.name)]
        return [self.shown(path.parent.name) for path in sorted(found, key=lambda path: -path.stat().st_mtime)]

    def shown(self, name: str) -> ComparisonView:
        """Return the state of a comparison. Raises ZarebaError if there is none of this name."""
        asked, folder = self._asked(name), self.folder / name
        try:
            said = (folder / "said.txt").read_text(encoding="utf-8", errors="replace")[-8000:]
        except OSError:
            said = ""
        lines = _LINE.findall(said)
        done, total = map(int, lines[-1]) if lines else (0, 0)
        report = (folder / "report.html").is_file()
        with self._lock:
            mine = self._running is not None and self._running[0] == name
            ended = self._running[1].poll() if mine and self._running else None
        under_way = mine and ended is None
        partial = "interrupted after" in said
        state = "under_way" if under_way else "stopped" if partial else "done" if report else "broken_off"
        told = tuple(
            line for line in said.splitlines() if not _LINE.fullmatch(line) and not line.startswith("written:")
        )
        return ComparisonView(
            name, asked["title"], asked["words"], state, done, total, told[-12:], report and not under_way
        )

    def _asked(self, name: str) -> dict[str, Any]:
        if not NAME.fullmatch(name):
            raise ZarebaError("there is no such comparison")
        try:
            found: dict[str, Any] = json.loads((self.folder / name / "asked.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise ZarebaError("there is no such comparison") from None
        return found

    def file(self, name: str, which: str) -> Path:
        """Return the path of a result file. Raises ZarebaError if it does not exist."""
        self._asked(name)
        path = self.folder / name / which
        if which not in FILES or not path.is_file():
            raise ZarebaError("there is no such file yet")
        return path

    def watch(self, name: str, variant: str, game: int, path: Path) -> Session:
        """Replay a game of a comparison into a journal and return its session."""
        summary = json.loads(self.file(name, "summary.json").read_text(encoding="utf-8"))
        return played_out(summary["header"], variant_named(summary, variant), game, path)


# --- options of a form ---------------------------------------------------------------------------------------------------


def _command(scenario: str, form: Form) -> list[str]:
    """Return the arguments of `zareba compare`. Every word is checked against known names."""
    systems = form.all("rulesets")
    for name in systems:
        if name not in ruleset_names():
            raise unknown_name("ruleset", name, ruleset_names())
    if not systems:
        raise ZarebaError("choose at least one ruleset")
    command = ["compare", scenario, "--rulesets", ",".join(dict.fromkeys(systems)), "--jobs", str(_jobs())]
    for name, changes in _variants(systems[0], form.text("variants")).items():
        command += ["--variant", f"{name}={','.join(changes)}"]
    players = [player for player in form.all("player") if player] or ["doctrine"]
    for player in players:
        if player not in agent_names():
            raise unknown_name("player", player, agent_names())
    command += ["--agents", ",".join(players)]
    games = form.whole("games") if form.text("games") else 0
    if games > MOST_GAMES:
        raise ZarebaError(f"the page plays at most {MOST_GAMES} games each; use 'zareba compare' for more")
    command += ["--games", str(games)] if games else []
    command += ["--stop"] if form.text("stop") else []
    seed = form.whole("seed") if form.text("seed") else secrets.randbelow(1_000_000)
    return [*command, "--seed", str(seed)]


def _variants(base: str, written: str) -> Mapping[str, list[str]]:
    """Return the variants of the first ruleset. Each line is NAME = changes, separated by commas; a change is
    SETTING:VALUE or an installed house rule.
    """
    found: dict[str, list[str]] = {}
    for line in filter(str.strip, written.splitlines()):
        name, equals, rest = (part.strip() for part in line.partition("="))
        if not equals or not rest or not _VARIANT.fullmatch(name):
            raise ZarebaError(
                f"write a variant as NAME = SETTING:VALUE or NAME = HOUSE_RULE, not '{line.strip()[:80]}'"
            )
        changes = [part.strip() for part in rest.split(",") if part.strip()]
        installed = [find_house_rule(change) for change in changes if change in house_rule_files()]
        switches = load_rules(base, house_rules=installed).switches
        for change in changes:
            setting, colon, value = change.partition(":")
            if colon and change not in house_rule_files():
                read_settings(switches, {setting: value}, base)
            elif change not in house_rule_files():
                raise unknown_name("house rule", change, house_rule_files())
        found[name] = changes
    if len(found) > MOST_VARIANTS:
        raise ZarebaError(f"the page compares at most {MOST_VARIANTS} variants")
    return found


def _in_words(form: Form) -> str:
    systems = ", ".join(dict.fromkeys(form.all("rulesets")))
    variants = "; ".join(line.strip() for line in form.text("variants").splitlines() if line.strip())
    games = f"games each: {many}" if (many := form.text("games")) else "number of games chosen by a pilot run"
    equal = "forces of equal points" if form.text("equal_points") else ""
    return "; ".join(filter(None, (systems, variants, equal, games)))


def _jobs() -> int:
    """Return the number of cores minus one, which stays free for players."""
    return max(1, (os.cpu_count() or 1) - 1)
