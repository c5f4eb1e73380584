"""Shared setup of all tests: imports, Hypothesis without deadlines, and separate user folders.

Modules can be imported as `tests...`. Hypothesis runs the same examples each time, so that only a change of code can
change a result; `make deep` searches for new examples. No test writes to the user's folders. Bytecode is kept between
runs.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

if sys.dont_write_bytecode:
    # Many containers set PYTHONDONTWRITEBYTECODE. Then every run would rewrite the assertions of all tests, 20 seconds
    # for each worker, and every command that a test runs would compile zareba.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(ROOT / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("same", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("searching", deadline=None, max_examples=500)
settings.load_profile("same")


def pytest_collection() -> None:
    """Collect the tests without garbage collection, which takes a fifth of the time and finds nothing."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Let the garbage collector skip the collected tests from now on."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            patched.setenv(name, str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture
def blank_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the charts out of reports. Drawing them takes 2 s, twenty times as long as a game."""
    monkeypatch.setattr("zareba.report.plots.draw_all", lambda *of: [])


@pytest.fixture
def no_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let separate processes write reports without charts, as if matplotlib were not installed."""
    package = tmp_path / "without_charts" / "matplotlib"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('left out')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
