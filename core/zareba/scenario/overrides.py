"""A scenario's overrides for a single ruleset, for things that its mapping cannot guess: read, checked and listed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, create_model

from zareba.base.errors import FileError, Problem, ZarebaError, unknown_name
from zareba.base.references import dangling
from zareba.base.yamlfile import Document, YamlModel, parse_yaml
from zareba.scenario.model import Scenario

Said = TypeVar("Said", bound=BaseModel)

_SHOWN = 100  # characters of an override shown in a note


def overrides_of(scenario: Scenario, ruleset: str, kind: type[Said], book: BaseModel | None = None) -> Said:
    """Return a scenario's overrides for a ruleset as an instance of the ruleset's model `kind`.

    A `RefersTo` name in them must exist in the scenario or in the ruleset's `book`. Raises ZarebaError with every
    fault and the nearest known names.
    """
    if ruleset not in scenario.overrides:
        return kind()
    document = parse_yaml(json.dumps({"overrides": scenario.overrides}, ensure_ascii=False), scenario.id)
    try:
        return _read(scenario, document, ruleset, kind, book)
    except FileError as error:
        raise ZarebaError(
            "\n".join(f"{scenario.id}: {problem.path}: {problem.message}" for problem in error.problems)
        ) from None


def check_overrides(
    scenario: Scenario, document: Document, kinds: Mapping[str, type[BaseModel] | None]
) -> Iterator[Problem]:
    """Yield the faults in all overrides of a scenario file; `kinds` are the models of the installed rulesets.

    Names of entries in a ruleset's book are not checked here, because a house rule may add them.
    """
    for ruleset in scenario.overrides:
        if ruleset not in kinds:
            yield document.error(("overrides", ruleset), str(unknown_name("installed ruleset", ruleset, kinds)))
            continue
        try:
            _read(scenario, document, ruleset, kinds[ruleset] or YamlModel)
        except FileError as error:
            yield from error.problems


def with_overrides_of_heirs(scenario: Scenario, lineage: Sequence[str]) -> Scenario:
    """Return the scenario as a ruleset reads it that extends others: overrides for it and for those it extends, nearest
    first, are merged under the last id, which the inherited code looks for.
    """
    merged = _merged(scenario, lineage)
    root = lineage[-1]
    if merged == scenario.overrides.get(root, {}):
        return scenario
    return scenario.model_copy(update={"overrides": {**scenario.overrides, root: merged}})


def _merged(scenario: Scenario, lineage: Sequence[str]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for ruleset in reversed(lineage):
        merged |= scenario.overrides.get(ruleset, {})
    return merged


def overrides_noted(scenario: Scenario, *lineage: str) -> tuple[str, ...]:
    """Return a scenario's overrides for a ruleset and for those it extends, one line each."""
    lines = []
    for entry, value in _merged(scenario, lineage).items():
        said = json.dumps(value, ensure_ascii=False).replace('"', "")
        lines.append(f"{entry}: {said if len(said) <= _SHOWN else said[: _SHOWN - 3] + '...'}")
    return tuple(lines)


def _read(
    scenario: Scenario, document: Document, ruleset: str, kind: type[Said], book: BaseModel | None = None
) -> Said:
    one = create_model("Overrides", __base__=YamlModel, **{ruleset: (kind, kind())})  # type: ignore[call-overload]  # the field name is data
    whole = create_model("Overridden", __base__=YamlModel, overrides=(one, one()))
    own: dict[str, Any] = {"overrides": {ruleset: scenario.overrides.get(ruleset, {})}}
    read = Document(document.file, own, document.places).validate(whole)
    said: Said = getattr(read.overrides, ruleset)  # type: ignore[attr-defined]  # the field made above
    within = (scenario,) if book is None else (scenario, book)
    faults = [document.error(("overrides", ruleset, *found.path), found.message) for found in dangling(said, *within)]
    if faults:
        raise FileError(faults)
    return said
