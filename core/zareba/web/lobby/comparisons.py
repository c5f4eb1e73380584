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
from zareba.analysis.games.notable import replay_with_agents, variant_named
from zareba.authoring.equal_points import with_equal_points
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount
from zareba.plugins.entry_points import house_rule_files
from zareba.registry import find_house_rule, load_rules, ruleset_names
from zareba.rules.settings import read_settings
from zareba.scenario import Scenario
from zareba.session import Session
from zareba.web.form import FormData

NAME = re.compile(r"[a-z0-9_]{1,64}-[0-9]{1,6}")
RESULT_FILES = {"report.html": "text/html", "summary.json": "application/json", "games.csv": "text/csv"}
"""The files that a page can fetch, with their media types."""
MOST_GAMES = 2000
MOST_VARIANTS = 6
_OPTIONS_FILE, _OUTPUT_FILE = "asked.json", "said.txt"
"""The files in the folder of a comparison with its options, and with the output of its process."""
_PROGRESS_LINE = re.compile(r"^([0-9]+)/([0-9]+) games?$", re.MULTILINE)
_VARIANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,40}")
_PROCESS_CODE = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from zareba.cli import main; main()"
)
"""The code of the process. It handles Ctrl-C even if the server was started in the background and ignores it."""


@dataclass(frozen=True)
class ComparisonStatus:
    """A comparison for its page. `state` is under_way, done, stopped or broken_off.

    `options` is a sentence. `messages` are the last lines of output, without the progress: `done` of `total` games.
    """

    name: str
    title: str
    options: str
    state: str
    done: int
    total: int
    messages: tuple[str, ...]
    has_report: bool


class Comparisons:
    """The comparisons of a folder. Only one runs at a time, because people play on the same machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._last_name = ""
        self._process: subprocess.Popen[bytes] | None = None
        """The process of the comparison that was started last; it may have ended."""
        self._lock = Lock()

    def _is_running(self) -> bool:
        """Return True if a comparison runs. Hold the lock."""
        return self._process is not None and self._process.poll() is None

    # --- start and stop -----------------------------------------------------------------------------------------------

    def start(self, source: str, scenario: Scenario, form: FormData) -> str:
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
        options = {"title": scenario.title, "command": command, "words": _describe_options(form)}
        (self.folder / name / _OPTIONS_FILE).write_text(json.dumps(options), encoding="utf-8")
        try:
            self._run(name, command)
        except ZarebaError:
            shutil.rmtree(self.folder / name, ignore_errors=True)
            raise
        return name

    def resume(self, name: str) -> None:
        """Continue a comparison that was stopped or interrupted."""
        self._run(name, self._options(name)["command"])

    def _run(self, name: str, command: Sequence[str]) -> None:
        with self._lock:
            if self._is_running():
                raise ZarebaError(f"{self._last_name} is running; wait until it ends, or stop it")
            folder = self.folder / name
            low_priority = ["nice", "-n", "10"] if shutil.which("nice") else []
            with (folder / _OUTPUT_FILE).open("wb") as output:
                self._process = subprocess.Popen(
                    [*low_priority, sys.executable, "-c", _PROCESS_CODE, *command, "--out", str(folder)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=output,
                    start_new_session=True,
                )
            self._last_name = name

    def stop(self, name: str) -> None:
        """Stop it as Ctrl-C does; its report covers the games played so far."""
        with self._lock:
            if self._last_name != name or not self._interrupt():
                raise ZarebaError("it is not running")

    def close(self) -> None:
        """Stop the running comparison when the server ends; it can be continued later."""
        with self._lock:
            self._interrupt()

    def _interrupt(self) -> bool:
        """Send Ctrl-C to the running process; return False if there is none. Hold the lock."""
        if self._process is None or not self._is_running():
            return False
        self._process.send_signal(signal.SIGINT)
        return True

    # --- results ------------------------------------------------------------------------------------------------------

    def all(self) -> list[ComparisonStatus]:
        """Return all comparisons, the newest first."""
        files = [path for path in self.folder.glob(f"*/{_OPTIONS_FILE}") if NAME.fullmatch(path.parent.name)]
        return [self.status(path.parent.name) for path in sorted(files, key=lambda path: -path.stat().st_mtime)]

    def status(self, name: str) -> ComparisonStatus:
        """Return the state of a comparison. Raises ZarebaError if there is none of this name."""
        options, folder = self._options(name), self.folder / name
        try:
            output = (folder / _OUTPUT_FILE).read_text(encoding="utf-8", errors="replace")[-8000:]
        except OSError:
            output = ""
        progress = _PROGRESS_LINE.findall(output)
        done, total = map(int, progress[-1]) if progress else (0, 0)
        has_report = (folder / "report.html").is_file()
        with self._lock:
            under_way = self._last_name == name and self._is_running()
        if under_way:
            state = "under_way"
        elif "interrupted after" in output:
            state = "stopped"
        else:
            state = "done" if has_report else "broken_off"
        messages = tuple(
            line
            for line in output.splitlines()
            if not _PROGRESS_LINE.fullmatch(line) and not line.startswith("written:")
        )
        return ComparisonStatus(
            name, options["title"], options["words"], state, done, total, messages[-12:], has_report and not under_way
        )

    def _options(self, name: str) -> dict[str, Any]:
        """Return the stored options: title of the battle, command, and the options in words."""
        if not NAME.fullmatch(name):
            raise ZarebaError("there is no such comparison")
        try:
            options: dict[str, Any] = json.loads((self.folder / name / _OPTIONS_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            raise ZarebaError("there is no such comparison") from None
        return options

    def result_file(self, name: str, file: str) -> Path:
        """Return the path of a result file. Raises ZarebaError if it does not exist."""
        self._options(name)
        path = self.folder / name / file
        if file not in RESULT_FILES or not path.is_file():
            raise ZarebaError("there is no such file yet")
        return path

    def replay_game(self, name: str, variant: str, game: int, path: Path) -> Session:
        """Replay a game of a comparison into a journal and return its session."""
        summary = json.loads(self.result_file(name, "summary.json").read_text(encoding="utf-8"))
        return replay_with_agents(summary["header"], variant_named(summary, variant), game, path)


# --- options of a form ------------------------------------------------------------------------------------------------


def _command(scenario: str, form: FormData) -> list[str]:
    """Return the arguments of `zareba compare`. Every word is checked against known names."""
    systems = form.all("rulesets")
    for name in systems:
        if name not in ruleset_names():
            raise unknown_name("ruleset", name, ruleset_names())
    if not systems:
        raise ZarebaError("choose at least one ruleset")
    command = ["compare", scenario, "--rulesets", ",".join(dict.fromkeys(systems)), "--jobs", str(_worker_count())]
    for name, changes in _variants(systems[0], form.text("variants")).items():
        command += ["--variant", f"{name}={','.join(changes)}"]
    players = [player for player in form.all("player") if player] or ["doctrine"]
    for player in players:
        if player not in agent_names():
            raise unknown_name("player", player, agent_names())
    command += ["--agents", ",".join(players)]
    games = form.integer("games") if form.text("games") else 0
    if games > MOST_GAMES:
        raise ZarebaError(f"the page plays at most {MOST_GAMES} games each; use 'zareba compare' for more")
    command += ["--games", str(games)] if games else []
    command += ["--stop"] if form.text("stop") else []
    seed = form.integer("seed") if form.text("seed") else secrets.randbelow(1_000_000)
    return [*command, "--seed", str(seed)]


def _variants(ruleset: str, text: str) -> Mapping[str, list[str]]:
    """Return the changes of each variant of a ruleset. Each line of the text is NAME = changes, separated by commas.

    A change is SETTING:VALUE or an installed house rule.
    """
    variants: dict[str, list[str]] = {}
    for line in filter(str.strip, text.splitlines()):
        name, equals, rest = (part.strip() for part in line.partition("="))
        if not equals or not rest or not _VARIANT.fullmatch(name):
            raise ZarebaError(
                f"write a variant as NAME = SETTING:VALUE or NAME = HOUSE_RULE, not '{line.strip()[:80]}'"
            )
        changes = [part.strip() for part in rest.split(",") if part.strip()]
        house_rules = [find_house_rule(change) for change in changes if change in house_rule_files()]
        settings = load_rules(ruleset, house_rules=house_rules).switches
        for change in changes:
            if change in house_rule_files():
                continue
            setting, colon, value = change.partition(":")
            if not colon:
                raise unknown_name("house rule", change, house_rule_files())
            read_settings(settings, {setting: value}, ruleset)  # raises ZarebaError for an unknown one
        variants[name] = changes
    if len(variants) > MOST_VARIANTS:
        raise ZarebaError(f"the page compares at most {MOST_VARIANTS} variants")
    return variants


def _describe_options(form: FormData) -> str:
    systems = ", ".join(load_rules(name).book.title for name in dict.fromkeys(form.all("rulesets")))
    variants = "; ".join(line.strip() for line in form.text("variants").splitlines() if line.strip())
    games = (
        f"{amount(int(many), 'game')} each" if (many := form.text("games")) else "number of games chosen by a pilot run"
    )
    equal = "forces of equal points" if form.text("equal_points") else ""
    return "; ".join(filter(None, (systems, variants, equal, games)))


def _worker_count() -> int:
    """Return the number of cores minus one, which stays free for players."""
    return max(1, (os.cpu_count() or 1) - 1)
