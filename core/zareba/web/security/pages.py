"""Pages and page parts from templates; all values are escaped as text."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from zareba.picture.symbols import defs
from zareba.web.security.folders import without_folders

__all__ = ["json_bytes", "render"]


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("zareba.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # installed templates do not change, and checking for changes is slow
    )
    made.globals["symbols"] = defs()
    made.filters["without_folders"] = without_folders
    return made


def render(template: str, values: dict[str, Any]) -> str:
    """Return a template filled with values."""
    return _environment().get_template(template).render(values)


def json_bytes(told: Any) -> bytes:
    """Return data as JSON for the script of a page."""
    return json.dumps(told, ensure_ascii=False, allow_nan=False).encode()
