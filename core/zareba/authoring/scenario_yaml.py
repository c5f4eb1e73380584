"""Write a scenario as YAML in the usual layout: one field a line, points and lists in brackets."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["flow_list", "id_of", "scenario_text"]

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.' -]*[A-Za-z0-9_.']|[A-Za-z]")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


def scenario_text(data: Mapping[str, Any], comment: str) -> str:
    """Return the text of the file, with a comment at its head."""
    lines = [f"# {comment}"]
    for key, value in data.items():
        if isinstance(value, Mapping) and any(isinstance(inner, Mapping) for inner in value.values()):
            lines.append(f"\n{key}:")
            lines += _entries(value)
        else:
            lines.append(f"{key}: {flow_list(value)}")
    return "\n".join(lines) + "\n"


def _entries(entries: Mapping[str, Any]) -> list[str]:
    """Return the lines of a section's entries, with one field a line."""
    lines = []
    for key, words in entries.items():
        lines.append(f"  {key}:")
        lines += [f"    {name}: {flow_list(value)}" for name, value in words.items()]
    return lines


def flow_list(value: Any) -> str:
    """Return a value on one line; text that YAML could read as another type is quoted."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {flow_list(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow_list, value)) + "]"
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
        return value if plain else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def id_of(name: str) -> str:
    """Return an id made from a display name."""
    letters = (letter if letter.isascii() and letter.isalnum() else "_" for letter in name.lower())
    stem = re.sub("__+", "_", "".join(letters)).strip("_") or "thing"
    return (stem if stem[0].isalpha() else f"n_{stem}")[:60]
