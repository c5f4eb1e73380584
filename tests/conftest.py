"""Shared setup of all tests: `tests...` can be imported, Hypothesis has no deadline, and no test writes to the user's
folders.

Hypothesis runs the same examples each time, so a result depends only on the change under test. `make deep` searches
for new examples.
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
