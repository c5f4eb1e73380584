"""Every numeric fact of every procedure has limits, and a number beyond them is refused."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from zareba.base.errors import ZarebaError
from zareba.cli.study.facts import read_facts
from zareba.odds import Procedure
from zareba.registry import ruleset, ruleset_names

PROCEDURES = [(name, known) for name in ruleset_names() for known in ruleset(name).procedures]
ENDS = (("minimum", "exclusiveMinimum", -1), ("maximum", "exclusiveMaximum", 1))


def numbers(procedure: Procedure) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the facts that are numbers, or numbers or None, with their schemas."""
    for name, schema in TypeAdapter(procedure.facts).json_schema()["properties"].items():
        for kind in (schema, *schema.get("anyOf", ())):
            if kind.get("type") in ("integer", "number") and not {"enum", "const"} & kind.keys():
                yield name, kind


def test_every_number_has_two_limits_and_values_beyond_are_refused() -> None:
    for name, known in PROCEDURES:
        procedure = ruleset(name).procedure(known)
        needed = TypeAdapter(procedure.facts).json_schema().get("required", ())
        if needed:
            with pytest.raises(ZarebaError, match="also needs"):
                read_facts(procedure, None, [])
        for place, (fact, kind) in enumerate(numbers(procedure)):
            for end, open_end, beyond in ENDS:
                limit = kind.get(end, kind.get(open_end))
                assert limit is not None and math.isfinite(limit), f"{fact} of {known} has no {end}"
                if place == 0:  # a refusal takes 30 ms
                    others = [f"{other}={_any_of(procedure, other)}" for other in needed if other != fact]
                    with pytest.raises(ZarebaError, match=f"the fact {fact} cannot be"):
                        read_facts(procedure, None, [*others, f"{fact}={limit + beyond}"])


def _any_of(procedure: Procedure, fact: str) -> Any:
    schema = TypeAdapter(procedure.facts).json_schema()["properties"][fact]
    return schema["enum"][0] if "enum" in schema else schema.get("minimum", schema.get("maximum", "true"))
