"""Shared setup of all tests: imports, Hypothesis without deadlines, and separate user folders.

Modules can be imported as `tests...`. Hypothesis runs the same examples each time, so that only a change of code can
change a result; `make deep` searches for new examples. No test writes to the user's folders.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[1]))

settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("searching", deadline=None)
settings.load_profile("same")


@pytest.fixture(autouse=True, scope="session")
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            patched.setenv(name, str(tmp_path_factory.mktemp("home")))
        yield
