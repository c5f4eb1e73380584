"""JSON Schemas for YAML files, for editors with completion and validation; files from `zareba new` name them in the
first line.

The schemas are generated from the models and shipped. A test checks that they are current; `python -m zareba.schemas`
regenerates them. A ruleset with its own model has its schema next to its `ruleset.yaml`, which names it in the last
line.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from zareba.registry import ruleset, ruleset_names
from zareba.rules.patch import RuleFile
from zareba.scenario import vocabulary
from zareba.scenario.vocabulary import words
from zareba.simple_ruleset.model import SimpleRulesetFile

__all__ = ["COMMON", "SCENARIO", "WORD_TYPES", "own_models", "schema_of", "schema_path", "schema_text", "word_types"]

COMMON: dict[str, tuple[type[BaseModel], str]] = {
    "house-rule": (RuleFile, "A house rule of zareba"),
    "ruleset": (SimpleRulesetFile, "A ruleset of zareba on one page"),
}


def own_models() -> dict[str, tuple[type[BaseModel], str]]:
    """Return the rulesets that have their own model, by id. One-page rulesets share the common model, and a ruleset
    that extends another has the model of that one.
    """
    models = {name: ruleset(name).file for name in ruleset_names() if ruleset(name).parent is None}
    return {name: (model, f"The numbers of {name}") for name, model in models.items() if model is not SimpleRulesetFile}


def schema_of(name: str) -> dict[str, Any]:
    """Return the current schema of a model: one of `COMMON`, or that of a ruleset by its id."""
    model, title = COMMON[name] if name in COMMON else own_models()[name]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema(), "title": title}


def schema_path(name: str) -> Path:
    """Return the path of the shipped file of a schema."""
    if name not in COMMON:
        return ruleset(name).folder / "ruleset.schema.json"
    return Path(__file__).with_name(f"{name}.schema.json")


SCENARIO = Path(__file__).parents[3] / "schema" / "scenario.schema.json"
"""The schema of scenarios in a checkout; the installed package does not contain it."""
WORD_TYPES = Path(vocabulary.__file__).with_name("word_types.py")
"""The words of the vocabulary as types for mypy."""


def word_types() -> str:
    """Return the text of `word_types.py`."""
    words_of_types = {
        "AreaKind": vocabulary.AREA_KINDS,
        "LineKind": vocabulary.LINE_KINDS,
        "Arm": tuple(words.ARMS),
        "Weapon": tuple(words.WEAPONS),
    }
    text = (
        '"""The words of the tables in `words` as types for mypy. Written by `python -m zareba.schemas`."""\n\n'
        "from __future__ import annotations\n\n"
        "from typing import Literal, TypeAlias\n\n"
    )
    for name, words_of_type in words_of_types.items():
        lines = "".join(f'    "{word}",\n' for word in words_of_type)
        text += f"{name}: TypeAlias = Literal[\n{lines}]\n"
    return text


def schema_text(name: str) -> str:
    """Return the text of a schema file."""
    return json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n"
