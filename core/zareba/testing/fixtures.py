"""The functions of `zareba.testing` as pytest fixtures, by the entry point `pytest11`; zareba is loaded only when a
test uses one.
"""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def zareba_play() -> Any:
    """Play a game under house rules: `zareba_play("my_rule.py", ruleset="vcc", seed=3)`; see `zareba.testing.play`."""
    from zareba.testing import play

    return play


@pytest.fixture
def zareba_chances() -> Any:
    """Compute the exact odds of a procedure under house rules; see `zareba.testing.chances`."""
    from zareba.testing import chances

    return chances


@pytest.fixture
def zareba_table() -> Any:
    """Make a table with a strict script; see `zareba.testing.table_of`."""
    from zareba.testing import table_of

    return table_of
