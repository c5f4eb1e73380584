"""Third-party distributions: written by `zareba new`, built as wheels, installed into a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, chdir, contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder
from typer.testing import CliRunner

from zareba.cli import app
from zareba.registry import ruleset
from zareba.web.lobby.start import systems

PROGRAM = Path(sys.executable).with_name("zareba")


def run_command(*words: str | Path, cwd: Path, path: Path | None = None) -> str:
    """Run a command and return its output; fail the test with its errors if it fails."""
    environment = dict(os.environ, PYTHONPATH=str(path) if path else "")
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def run() -> Callable[..., str]:
    """Return a function that runs a command; `path` is a folder with additional installed packages."""
    return run_command


def write_ruleset(folder: Path, *words: str) -> Path:
    """Run `zareba new ruleset` in a folder; return the folder of the new distribution."""
    with chdir(folder):
        done = CliRunner().invoke(app, ["new", "ruleset", *words])
    assert done.exit_code == 0, done.output
    return folder / words[0]


def install_wheel(project: Path, site: Path) -> None:
    """Build the wheel of a distribution in this process and unpack it, as pip does with a pure Python wheel."""
    (wheel,) = WheelBuilder(str(project)).build(directory=str(project.parent / "wheels"))
    with ZipFile(wheel) as packed:
        packed.extractall(site)


def install_with_pip(project: Path, site: Path) -> None:
    """Let pip build and install a distribution."""
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    run_command(*pip, "--target", site, project, cwd=project.parent)


@contextmanager
def at_hand(site: Path, package: str) -> Iterator[Path]:
    """Make a package installed in a folder available to this process."""
    sys.path.insert(0, str(site))
    try:
        yield site
    finally:
        sys.path.remove(str(site))
        sys.modules.pop(package, None)
        ruleset.cache_clear()
        systems.cache_clear()  # the start page lists the rulesets that it found first


@pytest.fixture(scope="session")
def installed_here() -> Callable[[Path, str], AbstractContextManager[Path]]:
    """Return a context manager that makes an installed package available to this process."""
    return at_hand
