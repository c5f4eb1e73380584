"""JSON Schemas of the YAML that people write, for editors that complete and check; `zareba new` names them in the first line.

They are generated from the models and shipped; a test keeps them fresh (`python -m zareba.schemas` writes them anew).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from zareba.plain.book import PlainFile
from zareba.rules.patch import RuleFile

__all__ = ["SCHEMAS", "schema_of", "schema_path"]

SCHEMAS: dict[str, tuple[type[BaseModel], str]] = {
    "house-rule": (RuleFile, "A house rule of zareba"),
    "ruleset": (PlainFile, "A ruleset of zareba on one page"),
}


def schema_of(name: str) -> dict[str, Any]:
    """The schema as the model has it now."""
    model, title = SCHEMAS[name]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **model.model_json_schema(), "title": title}


def schema_path(name: str) -> Path:
    """The file of a schema, as it is shipped."""
    return Path(__file__).with_name(f"{name}.schema.json")


def written(name: str) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema_of(name), indent=1, ensure_ascii=False) + "\n"
