"""JSON Schemas of the YAML that people write, for editors that complete and check; `zareba new` names them in the first line.

They are generated from the models and shipped; a test keeps them fresh (`python -m zareba.schemas` writes them anew). A ruleset
with a model of its own has its schema beside its `ruleset.yaml`, whose last line names it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from zareba.registry import ruleset, ruleset_names
from zareba.rules.patch import RuleFile
from zareba.simple_ruleset.model import SimpleRulesetFile

__all__ = ["COMMON", "own_models", "schema_of", "schema_path", "written"]

COMMON: dict[str, tuple[type[BaseModel], str]] = {
    "house-rule": (RuleFile, "A house rule of zareba"),
    "ruleset": (SimpleRulesetFile, "A ruleset of zareba on one page"),
}


def own_models() -> dict[str, tuple[type[BaseModel], str]]:
    """The rulesets with a model of their own, by id; those on one page have the common one."""
    found = {name: ruleset(name).file for name in ruleset_names()}
    return {name: (model, f"The numbers of {name}") for name, model in found.items() if model is not SimpleRulesetFile}


def schema_of(name: str) -> dict[str, Any]:
    """The schema as the model has it now: one of the `COMMON`, or that of a ruleset by its id."""
    model, title = COMMON[name] if name in COMMON else own_models()[name]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema(), "title": title}


def schema_path(name: str) -> Path:
    """The file of a schema, as it is shipped."""
    if name not in COMMON:
        return ruleset(name).folder / "ruleset.schema.json"
    return Path(__file__).with_name(f"{name}.schema.json")


def written(name: str) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n"
