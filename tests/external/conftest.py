"""Third-party distributions: written by `zareba new`, built as wheels, installed into a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

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


@pytest.fixture(scope="session")
def install() -> Callable[[Path, Path], None]:
    """Return a function that builds the distribution in a folder and installs it into another."""

    def build(project: Path, site: Path) -> None:
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
        run_command(*pip, "--target", site, project, cwd=project.parent)

    return build


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
