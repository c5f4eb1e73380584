"""Attributes that are computed on first use."""

from __future__ import annotations

from zareba.base.speedups import cached_attribute


class Table:
    """A table that counts how often its area is computed."""

    def __init__(self) -> None:
        self.computed = 0

    @cached_attribute
    def area(self) -> int:
        """The area."""
        self.computed += 1
        return 12


def test_an_attribute_is_computed_once_for_each_object() -> None:
    first, second = Table(), Table()
    assert (first.area, first.area, first.computed, second.computed) == (12, 12, 1, 0)
    assert second.area == 12


def test_the_class_shows_the_attribute_with_its_docstring() -> None:
    assert Table.area.__doc__ == "The area."
