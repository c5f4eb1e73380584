"""Distributions as anybody else would ship them: written by `zareba new`, built as wheels, installed in a folder."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from zareba.registry import ruleset

PROGRAM = Path(sys.executable).with_name("zareba")


def run_command(*words: str | Path, cwd: Path, path: Path | None = None) -> str:
    """Run a command and give what it prints; fails the test with its errors when it fails."""
    environment = dict(os.environ, PYTHONPATH=str(path) if path else "")
    done = subprocess.run([str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.fixture(scope="session")
def run() -> Callable[..., str]:
    """Runs a command; `path` is where packages are installed besides."""
    return run_command


@pytest.fixture(scope="session")
def install() -> Callable[[Path, Path], None]:
    """Builds the distribution in a folder and installs it into another."""

    def build(project: Path, site: Path) -> None:
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")
        run_command(*pip, "--target", site, project, cwd=project.parent)

    return build


@contextmanager
def at_hand(site: Path, package: str) -> Iterator[Path]:
    """A package that is installed in a folder is installed for this process too."""
    sys.path.insert(0, str(site))
    try:
        yield site
    finally:
        sys.path.remove(str(site))
        sys.modules.pop(package, None)
        ruleset.cache_clear()


@pytest.fixture(scope="session")
def installed_here() -> Callable[[Path, str], AbstractContextManager[Path]]:
    """Makes an installed package one of this process."""
    return at_hand
