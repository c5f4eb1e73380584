"""Tests of random situations, each built from a seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

ORDINARY = 4  # the ordinary suite tries one seed in four
SEARCH = 50  # `make deep` tries so many times as many seeds


def seeds(count: int) -> Callable[[Callable[..., None]], Any]:
    """Run a test on a quarter of `count` different seeds. A failure names the smallest seed that fails.

    The seeds are the same in every run, except with the profile `searching`, which tries other seeds and many more.
    """
    examples = count // ORDINARY if settings().derandomize else SEARCH * count

    def decorate(test: Callable[..., None]) -> Any:
        return settings(max_examples=examples)(given(seed=st.integers(0, 9_999))(test))

    return decorate
