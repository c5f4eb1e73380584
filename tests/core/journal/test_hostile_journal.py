"""Untrusted journals: reading one opens no other file, imports nothing from its folder and runs no code."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

import zareba
import zareba_plugins
import zareba_rulesets
from zareba.base.state import canonical_json, digest
from zareba.scenario import load_scenario
from zareba.session import new_session

ROOTS = [
    sys.prefix,
    sys.base_prefix,
    *(str(Path(path)) for p in (zareba, zareba_plugins, zareba_rulesets) for path in p.__path__),
]

# Code of the child process. It reads a harmless journal first, so that everything needed for reading is imported.
CHILD = """
import json, os, sys
from typer.testing import CliRunner
from zareba.cli import app

harmless, *hostile = sys.argv[1:]
for command in ("replay", "log", "continue"):
    CliRunner().invoke(app, [command, harmless], input="quit\\n")
events = []
recording = False

def hook(event, args):
    if recording and event.split(".")[0] in (
        "open", "import", "exec", "compile", "subprocess", "socket", "ctypes", "os", "shutil", "webbrowser", "urllib"
    ):
        events.append((event, [repr(arg) if not isinstance(arg, (str, int, type(None))) else arg for arg in args]))

sys.addaudithook(hook)
told = []
for path in hostile:
    for command in ("log", "replay", "continue"):
        recording = True
        result = CliRunner().invoke(app, [command, path], input="quit\\n")
        recording = False
        told.append((path, command, result.exit_code, result.output, repr(result.exception)))
json.dump({"events": events, "told": told}, open(os.environ["REPORT"], "w"))
"""

FILES = [
    "club.py",
    "./club.py",
    "../{name}/club.py",
    "{folder}/club.py",
    "~/club.py",
    "file://{folder}/club.py",
    "{folder}/club.zip/club.py",
    "{folder}/astray.py",
    "/dev/stdin",
    "club",
    "steady_bugler",
    "os",
    "",
    "a\0b.py",
]
PLACES = [
    ("ruleset",),
    ("version",),
    ("zareba",),
    ("scenario_digest",),
    ("digest",),
    ("seats", "patrol"),
    ("settings", "mg_overheat"),
    ("rules", "ruleset"),
    ("rules", "space"),
    ("rules", "activation"),
    ("rules", "title"),
    ("scenario", "id"),
    ("scenario", "title"),
    ("scenario", "image"),
    ("scenario", "overrides"),
    ("scenario", "include"),
]
WORDS = ["club", "{folder}/club.py", "../club", "os:system"]


def line(entry: dict[str, Any]) -> bytes:
    text = canonical_json(entry)
    return f"{crc32(text.encode()):08x} {text}\n".encode()


def put(header: dict[str, Any], place: tuple[str, ...], value: Any) -> dict[str, Any]:
    """Return the header with `value` at a place, which need not exist."""
    header = deepcopy(header)
    inner = header
    for key in place[:-1]:
        inner = inner.setdefault(key, {})
    inner[place[-1]] = value
    return header


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.deep)])
def read(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the actions of a child process that reads hostile journals, next to files that leave a trace if run.

    Each word stands at each place, or at every fourth place. With "some", every fourth file is also named as the file
    of a house rule in YAML.
    """
    folder = tmp_path_factory.mktemp("stranger")
    scenario = load_scenario("patrol_clash")
    harmless = folder / "harmless.jsonl"
    session = new_session("vcc", scenario, dict.fromkeys(scenario.sides, "random"), seed=3, path=harmless)
    session.drive()
    session.close()
    lines = harmless.read_bytes().splitlines(keepends=True)[:12]
    harmless.write_bytes(b"".join(lines))
    header = json.loads(lines[0].partition(b" ")[2])
    trap = f"import zareba\nopen({str(folder / 'it_ran')!r}, 'w')\n@zareba.hookimpl\ndef zareba_event(table, event): pass\n"
    for name in ("club.py", "os.py", "vcc.py", "sitecustomize.py", "steady_bugler.py", "zareba_evil.py"):
        (folder / name).write_text(trap, encoding="utf-8")
    (folder / "astray.py").symlink_to(folder / "club.py")
    said = {"folder": str(folder), "name": folder.name}
    headers = [
        header
        | {"house_rules": [{"name": "club", "file": file.format(**said), "digest": digest(trap), "python": python}]}
        for number, file in enumerate(FILES)
        for python in (True, False)
        if python or request.param == "all" or number % 4 == 0
    ]
    headers += [
        put(header, place, word.format(**said))
        for number, place in enumerate(PLACES)
        for turn, word in enumerate(WORDS)
        if request.param == "all" or (number + turn) % len(WORDS) == 0
    ]
    hostile = []
    for number, journal_header in enumerate(headers):
        path = folder / f"hostile{number}.jsonl"
        path.write_bytes(line(journal_header) + b"".join(lines[1:]))
        hostile.append(str(path))
    child = folder.parent / "child"
    child.mkdir(exist_ok=True)
    (child / "read.py").write_text(CHILD, encoding="utf-8")
    report = child / "report.json"
    environment = {
        "PATH": "",
        "HOME": str(folder),
        "REPORT": str(report),
        "XDG_CONFIG_HOME": str(child / "config"),
        "COLUMNS": "80",
    }
    done = subprocess.run(
        [sys.executable, str(child / "read.py"), str(harmless), *hostile],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found | {"folder": folder, "hostile": hostile, "digest": digest(trap), "config": child / "config"}


def ours(path: str) -> bool:
    return any(path.startswith(f"{root}/") for root in ROOTS)


def test_replay_opens_only_the_journal_and_installed_files(read: dict[str, Any]) -> None:
    opened = [args for event, args in read["events"] if event == "open"]
    assert {path for path, *_ in opened} >= set(read["hostile"]), "the audit hook records opened files"
    strange = {
        path
        for path, mode, _ in opened
        if path not in read["hostile"] and not (isinstance(path, str) and ours(path) and mode in ("r", "rb", None))
    }
    # zareba looks up the digest in the user's folder, to see if the user ever named a file with this text
    assert {Path(path).name for path in strange} == {read["digest"]}
    assert {Path(path).parent for path in strange} == {read["config"] / "zareba" / "house_rules"}


def test_files_next_to_a_journal_are_not_imported_or_run(read: dict[str, Any]) -> None:
    assert not (read["folder"] / "it_ran").exists()
    imported = {args[1] for event, args in read["events"] if event == "import" and args[1]}
    assert all(ours(path) for path in imported)
    kinds = {event for event, _ in read["events"]}
    assert kinds <= {
        "open",
        "import",
        "exec",
        "compile",
        "os.listdir",
        "os.scandir",
        "os.truncate",
        "os.putenv",
        "os.unsetenv",
    }  # the last two come from the test runner
    assert not any(str(read["folder"]) in str(args) for event, args in read["events"] if event in ("compile", "exec"))


def test_each_event_has_a_sentence(read: dict[str, Any]) -> None:
    for path, command, code, output, error in read["told"]:
        assert code in (0, 1, 2), (path, command, output, error)
        assert "Traceback" not in output and error in ("None", f"SystemExit({code})"), (path, command, output, error)
