"""A scenario's overrides for a single ruleset: values that the ruleset's mapping cannot derive from the scenario."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, create_model

from zareba.base.errors import FileError, Problem, ZarebaError, unknown_name
from zareba.base.references import dangling
from zareba.base.yamlfile import Document, YamlModel, parse_yaml
from zareba.scenario.model import Scenario

Model = TypeVar("Model", bound=BaseModel)

_LONGEST_VALUE = 100
"""Number of characters of an override that a note shows."""


def overrides_of(scenario: Scenario, ruleset: str, model: type[Model], book: BaseModel | None = None) -> Model:
    """Return a scenario's overrides for a ruleset as an instance of the ruleset's `model`; empty if it has none.

    A `RefersTo` name in them must exist in the scenario or in the ruleset's `book`. Raises ZarebaError with every
    fault and the nearest known names.
    """
    if ruleset not in scenario.overrides:
        return model()
    document = parse_yaml(json.dumps({"overrides": scenario.overrides}, ensure_ascii=False), scenario.id)
    try:
        return _read_overrides(scenario, document, ruleset, model, book)
    except FileError as error:
        raise ZarebaError(
            "\n".join(f"{scenario.id}: {problem.path}: {problem.message}" for problem in error.problems)
        ) from None


def check_overrides(
    scenario: Scenario, document: Document, models: Mapping[str, type[BaseModel] | None]
) -> Iterator[Problem]:
    """Yield the faults in all overrides of a scenario file; `models` are those of the installed rulesets.

    Names of entries in a ruleset's book are not checked here, because a house rule may add them.
    """
    for ruleset in scenario.overrides:
        if ruleset not in models:
            yield document.error(("overrides", ruleset), str(unknown_name("installed ruleset", ruleset, models)))
            continue
        try:
            _read_overrides(scenario, document, ruleset, models[ruleset] or YamlModel)
        except FileError as error:
            yield from error.problems


def with_inherited_overrides(scenario: Scenario, lineage: Sequence[str]) -> Scenario:
    """Return the scenario for a ruleset that extends others; `lineage` lists it and those it extends, nearest first.

    The overrides for all of them are merged under the last id, because the inherited code reads those. The nearest
    ruleset takes precedence.
    """
    merged = _merge_overrides(scenario, lineage)
    root = lineage[-1]
    if merged == scenario.overrides.get(root, {}):
        return scenario
    return scenario.model_copy(update={"overrides": {**scenario.overrides, root: merged}})


def _merge_overrides(scenario: Scenario, lineage: Sequence[str]) -> dict[str, Any]:
    """Return the overrides for all rulesets of a lineage; those of an earlier ruleset take precedence."""
    merged: dict[str, Any] = {}
    for ruleset in reversed(lineage):
        merged |= scenario.overrides.get(ruleset, {})
    return merged


def override_lines(scenario: Scenario, *lineage: str) -> tuple[str, ...]:
    """Return a scenario's overrides for a ruleset and for those it extends, one line each."""
    lines = []
    for entry, value in _merge_overrides(scenario, lineage).items():
        text = json.dumps(value, ensure_ascii=False).replace('"', "")
        short_text = text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 3] + "..."
        lines.append(f"{entry}: {short_text}")
    return tuple(lines)


def _read_overrides(
    scenario: Scenario, document: Document, ruleset: str, model: type[Model], book: BaseModel | None = None
) -> Model:
    """Return the overrides for a ruleset. Raises FileError with the place of each fault in the scenario file."""
    # models of the whole file, so that the places of faults are those in the file
    section = create_model("Overrides", __base__=YamlModel, **{ruleset: (model, model())})  # type: ignore[call-overload]  # the field name is data
    file = create_model("Overridden", __base__=YamlModel, overrides=(section, section()))
    data: dict[str, Any] = {"overrides": {ruleset: scenario.overrides.get(ruleset, {})}}
    validated = Document(document.file, data, document.places).validate(file)
    overrides: Model = getattr(validated.overrides, ruleset)  # type: ignore[attr-defined]  # the field made above
    sources = (scenario,) if book is None else (scenario, book)
    unknown = dangling(overrides, *sources)
    faults = [document.error(("overrides", ruleset, *name.path), name.message) for name in unknown]
    if faults:
        raise FileError(faults)
    return overrides
