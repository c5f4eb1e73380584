"""Return types: a house rule that replaces a procedure must return the type the procedure declares, or it is blamed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar

import pytest
from tests.core.toy import bare_rules, hook_of

from zareba.base.errors import RuleBroken
from zareba.registry import ruleset, ruleset_names
from zareba.rules import procedure
from zareba.rules.procedure import declared_return_type, matches_type
from zareba.rules.resolved import nest_wraps
from zareba.table import ScriptedTable, Table

if TYPE_CHECKING:
    from tests.core.nowhere import Unseen  # type: ignore[import-not-found]  # a name only for type checkers

T = TypeVar("T")
NAN, INFINITE = float("nan"), float("inf")


class Marching(Protocol):
    """A protocol that cannot be checked at run time."""

    def march(self) -> None: ...


@dataclass(frozen=True)
class Impact:
    """The point where a shell bursts."""

    x: float


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (None, [None], [42, "x", NAN, False]),
        (int, [0, -3], [1.0, True, "x", NAN, None, Fraction(1)]),
        (bool, [True, False], [1, 0, "x", None]),
        (str, ["", "x"], [42, None, b"x"]),
        (float, [1.5, 2], [NAN, INFINITE, "x", True, None]),
        (Impact, [Impact(1.0)], [1.0, None, (1.0,)]),
        (Impact | None, [Impact(1.0), None], [42, "x"]),
        (Annotated[int, "pips"], [4], [4.0]),
        (Literal["halt", 1], ["halt", 1], ["march", True, None]),
        (tuple[int, bool], [(4, True)], [(4,), (4, 1), (4, True, 1), [4, True], None]),
        (tuple[int, ...], [(), (1, 2)], [(1, NAN), [1]]),
        (list[str], [[], ["a"]], [("a",), [1], "a", None]),
        (Sequence[str], [["a"], ("a",)], [[1], 42]),
        (dict[str, tuple[str, int]], [{}, {"a": ("b", 1)}], [{"a": 1}, {1: ("b", 1)}, [], None]),
        (Mapping[str, float], [{"a": 1.5}], [{"a": NAN}, ["a"]]),
        (frozenset[int], [frozenset({1})], [{1}, frozenset({"a"})]),
        (Any, [None, 42, NAN], []),
        (T, [None, 42], []),
        (Marching, [None, 42], []),
    ],
)
def test_a_value_is_of_the_declared_type_or_not(kind: Any, good: list[Any], bad: list[Any]) -> None:
    assert [matches_type(value, kind) for value in good] == [True] * len(good)
    assert [matches_type(value, kind) for value in bad] == [False] * len(bad)


@procedure("toy.pips")
def pips(table: Table, dice: int) -> int:
    """A procedure with a declared return type."""
    return dice


@procedure("toy.unseen")
def unseen(table: Table) -> Unseen:
    """A procedure whose return type cannot be resolved at run time."""


def test_unknown_return_type_is_any() -> None:
    assert declared_return_type(pips) is int
    assert declared_return_type(unseen) is Any
    assert declared_return_type(lambda table: 1) is Any


@pytest.mark.parametrize("name", ruleset_names())
def test_every_procedure_of_a_ruleset_tells_its_type(name: str) -> None:
    kinds = {called: declared_return_type(function) for called, function in ruleset(name).wrappable.items()}
    assert kinds and Any not in kinds.values()


@pytest.mark.parametrize("given", [42, "x", NAN, None])
def test_wrap_with_the_wrong_return_type_is_blamed(given: Any) -> None:
    def wrap(name: str, change: Any) -> Any:
        def around(inner: Any, table: Table, *args: Any) -> Any:
            return change(inner(table, *args))

        return hook_of("zareba_procedures", None, house_rule=name), {"toy.pips": around}

    def played(*wraps: Any) -> Any:
        rules = bare_rules(wraps=nest_wraps(wraps, {"toy.pips": declared_return_type(pips)}))
        with ScriptedTable(rules, None, []) as table:
            return pips(table, 3)

    more, same, other = (
        wrap("more", lambda found: found + 1),
        wrap("same", lambda found: found),
        wrap("other", lambda found: given),
    )
    assert played(more, same) == 4
    if given == 42:
        assert played(more, other, same) == 42
        return
    with pytest.raises(
        RuleBroken,
        match=r"house rule 'other' failed in .* for 'toy.pips' it returned .*, but the procedure returns int",
    ):
        played(more, other, same)
