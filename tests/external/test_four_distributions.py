"""Four distributions in a fresh environment: house rules, a ruleset, an AI player, and battles with a report section.

They are built as wheels and installed next to a zareba wheel, used, upgraded and removed; old journals must stay
readable after each step. Only zareba's own dependencies come from the environment of the tests.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import zareba.scenario

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[2]
SHIPPED = Path(zareba.scenario.__file__).parent / "shipped"
PROJECT = """\
[build-system]
requires = ["hatchling>=1.27,<2"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "{version}"
dependencies = ["zareba"]

{points}
[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""

RULES = """\
from pathlib import Path
from zareba.api import hookimpl

@hookimpl
def zareba_house_rules():
    return sorted(Path(__file__).parent.glob("rules/*.*"))
"""
CARTRIDGES = '''\
"""Cartridges: so many volleys a unit."""
from zareba.api import StateVariable, Modifier, hookimpl

volleys = StateVariable("volleys", {volleys}, words="volleys left")

@hookimpl
def zareba_state():
    return [volleys]

@hookimpl
def zareba_event(table, event):
    if event.kind == "fire":
        volleys.add(table, event.data["unit"], -1)

@hookimpl
def zareba_modifiers():
    line = Modifier("empty", "CLUB-1", "add", -2, when={{"cartridges.volleys": {{"at_most": 0}}}}, summary="out of cartridges")
    return {{"shooting": [line]}}
'''
LONG = """\
house_rule: long_rifles
ruleset: vcc
changes:
  - {{at: weapons.rifle.long, was: 3, to: {long}, why: the plain is flat}}
"""
PLAYER = """\
from zareba.api import Doctrine, hookimpl

@hookimpl
def zareba_agents():
    return {{"gambler": lambda game, seat, seed: Doctrine(game, seat, seed, aggression={aggression})}}
"""
SECTION = """\
from zareba.api import hookimpl
from zareba.api.reports import ReportSection

def rows(records, titles):
    return [[titles[name], str(max(r.turns for r in records if r.variant == name))] for name in titles]

@hookimpl
def zareba_sections():
    return [ReportSection("{title}", "Bring sandwiches.", ("system", "turns"), rows)]
"""
OLD, NEW = "0.1.0", "0.2.0"
NAMES = ("club-rules", "zareba-sudan", "club-gambler", "club-battles")


class Environment:
    """A fresh virtual environment with zareba."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wheels = folder / "wheels"
        venv.create(folder / "env", with_pip=False)
        self.python = folder / "env" / "bin" / "python"
        lent = self.site / "lent.pth"
        lent.write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")

    @property
    def site(self) -> Path:
        return next((self.folder / "env" / "lib").glob("python*/site-packages"))

    def pip(self, *words: str | Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "pip", "--python", self.python, *map(str, words)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr + done.stdout

    def install(self, project: Path) -> None:
        """Build the wheel of a project and install it, replacing an older version."""
        before = set(self.wheels.glob("*.whl"))
        pip = (sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index")
        subprocess.run([*pip, "-w", self.wheels, project], check=True, capture_output=True)
        (wheel,) = set(self.wheels.glob("*.whl")) - before
        self.pip("install", "-q", "--no-deps", "--no-index", "--upgrade", wheel)

    def __call__(self, *words: str | Path, code: int = 0) -> str:
        """Run a zareba command; return its output, with stderr if the exit code is not 0."""
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        environment |= {"HOME": str(self.folder), "XDG_CACHE_HOME": str(self.folder / "cache")}
        done = subprocess.run(
            [self.python, "-m", "zareba", *map(str, words)], cwd=self.folder, env=environment,
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == code, done.stderr + done.stdout
        return done.stdout + (done.stderr if code else "")

    def log(self, journal: str) -> Any:
        return json.loads(self("log", f"{journal}.jsonl", "--json"))


def project(folder: Path, name: str, version: str, points: str, files: dict[str, str]) -> Path:
    package = name.replace("-", "_")
    for file, text in files.items():
        target = folder / name / package / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    text = PROJECT.format(name=name, version=version, package=package, points=dedent(points))
    (folder / name / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder / name


def shelf(folder: Path, version: str) -> list[Path]:
    """Return the projects of a version, except the ruleset."""
    new = version == NEW
    battle = (SHIPPED / "patrol_clash.yaml").read_text(encoding="utf-8").replace("id: patrol_clash", "id: abu_klea")
    return [
        project(
            folder, "club-rules", version, '[project.entry-points."zareba.plugins"]\nclub = "club_rules"\n',
            {
                "__init__.py": RULES,
                "rules/cartridges.py": CARTRIDGES.format(volleys=5 if new else 2),
                "rules/long_rifles.yaml": LONG.format(long=5 if new else 4),
            },
        ),
        project(
            folder, "club-gambler", version, '[project.entry-points."zareba.plugins"]\ngambler = "club_gambler"\n',
            {"__init__.py": PLAYER.format(aggression=9 if new else 2)},
        ),
        project(
            folder, "club-battles", version,
            '[project.entry-points."zareba.plugins"]\nbattles = "club_battles"\n'
            '[project.entry-points."zareba.scenarios"]\nclub = "club_battles.battles"\n',
            {
                "__init__.py": SECTION.format(title="The very longest game" if new else "The longest game"),
                "battles/abu_klea.yaml": battle.replace("quality: veteran", "quality: raw") if new else battle,
            },
        ),
    ]  # fmt: skip


def test_packages_are_installed_upgraded_and_removed_and_every_journal_is_reported(tmp_path: Path) -> None:
    here = Environment(tmp_path)
    here.install(ROOT)
    assert (
        "zareba 0" in here("--version")
        and str(tmp_path)
        in subprocess.run(
            [here.python, "-c", "import zareba; print(zareba.__file__)"], capture_output=True, text=True, check=True
        ).stdout
    )
    here("new", "ruleset", "sudan", "--bare")
    for package in (*shelf(tmp_path, OLD), tmp_path / "sudan"):
        here.install(package)

    # come
    listed = {(row["distribution"], row["version"]) for row in json.loads(here("plugins", "--json"))}
    assert {(name, OLD) for name in NAMES} <= listed
    assert "abu_klea" in [row["id"] for row in json.loads(here("scenarios", "--json"))]
    seats = {"gambler": ("--seat=patrol=gambler", "--seat=tribesmen=random")}
    plain = ("--seat=patrol=doctrine", "--seat=tribesmen=random")
    played: dict[str, tuple[str, ...]] = {
        "rules": ("patrol_clash", "--ruleset=vcc", "--house-rule=cartridges", "--house-rule=long_rifles", *plain),
        "ruleset": ("patrol_clash", "--ruleset=sudan", *plain),
        "player": ("patrol_clash", "--ruleset=vcc", *seats["gambler"]),
        "battle": ("abu_klea", "--ruleset=vcc", *plain),
    }
    told = {}
    for name, words in played.items():
        here("play", *words, "--seed=4", f"--journal={name}.jsonl")
        here("replay", f"{name}.jsonl", "--check")
        told[name] = here.log(name)
    assert "out of cartridges" not in str(told["battle"]) and len(told["rules"]) > 20
    here("compare", "abu_klea", "--rulesets", "vcc,sudan", "--games", "4", "--out", "out")
    assert "The longest game" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")

    def all_are_told() -> None:
        for name, was in told.items():
            assert here.log(name) == was, name

    # upgrade
    sudan = tmp_path / "sudan"
    file = sudan / "pyproject.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(f'version = "{OLD}"', f'version = "{NEW}"'))
    numbers = sudan / "src" / "zareba_sudan" / "ruleset.yaml"
    numbers.write_text(numbers.read_text(encoding="utf-8").replace("range: 24, dice: 1/2", "range: 30, dice: 1/2"))
    for package in (*shelf(tmp_path, NEW), sudan):
        here.install(package)
    assert {(name, NEW) for name in NAMES} <= {
        (row["distribution"], row["version"]) for row in json.loads(here("plugins", "--json"))
    }
    all_are_told()
    for name in (
        "ruleset",
        "player",
        "battle",
    ):  # a journal contains its numbers, its battle and the AI players' answers
        here("replay", f"{name}.jsonl", "--check")
    refused = here("replay", "rules.jsonl", "--check", code=1)
    assert "cartridges" in refused and "has another text" in refused
    here("continue", "rules.jsonl", "--as-recorded")

    # removal
    for name in NAMES:
        here.pip("uninstall", "-q", "-y", name)
        all_are_told()
    assert not {row["distribution"] for row in json.loads(here("plugins", "--json"))} & set(NAMES)
    for name in ("player", "battle"):
        here("replay", f"{name}.jsonl", "--check")
    for name, missing in (("rules", "cartridges"), ("ruleset", "sudan")):
        assert "as recorded; checksum of the last state: " in here("replay", f"{name}.jsonl")
        assert missing in here("replay", f"{name}.jsonl", "--check", code=1)
    here("continue", "rules.jsonl", "--as-recorded")
    half = (tmp_path / "player.jsonl").read_bytes().splitlines(keepends=True)[:30]
    (tmp_path / "half.jsonl").write_bytes(b"".join(half))
    assert "there is no player 'gambler'" in here("continue", "half.jsonl", code=2)
    here("continue", "half.jsonl", "--seat=patrol=doctrine")
    here("play", "patrol_clash", "--ruleset=vcc", *plain, "--seed=4", "--journal=after.jsonl")
