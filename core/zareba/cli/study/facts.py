"""Read the facts of a situation strictly from a command line or a file."""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.yamlfile import MAX_BYTES, parse_yaml
from zareba.cli.options import assignments, existing_file
from zareba.odds import Procedure
from zareba.rules.settings import text

_BOOLEANS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_WHOLE_NUMBER = re.compile(r"[-+]?[0-9]{1,9}")


def read_facts(procedure: Procedure, file: str | None, arguments: Sequence[str]) -> Any:
    """Return the facts of `procedure` from a YAML or JSON file ('-': standard input) and from arguments `NAME=VALUE`,
    which override those of the file.

    Raises ZarebaError for an unknown fact (suggesting the nearest), an invalid value (listing the valid ones), and a
    missing fact.
    """
    types = get_type_hints(procedure.facts)
    required = [
        field.name for field in fields(procedure.facts) if field.default is MISSING and field.default_factory is MISSING
    ]
    values: dict[str, Any] = {}
    for name, value in _read_file(file).items():
        values[name] = _checked(procedure, types, name, value, value)
    for name, words in assignments("fact", arguments).items():
        values[name] = _checked(procedure, types, name, _parse(types.get(name), words), words)
    missing = [name for name in required if name not in values]
    if missing:
        shown = "; ".join(f"{name}=... ({allowed_values(types[name])})" for name in missing)
        raise ZarebaError(f"{procedure.name} also needs {shown}")
    return _validated(procedure, values)


def fact_text(value: Any) -> str:
    """Return a fact as it may be typed: a list joined by commas, rows as in a file of facts."""
    if value is None:
        return "none"
    if not isinstance(value, tuple):
        return text(value)
    return json.dumps(value) if any(isinstance(item, tuple) for item in value) else ",".join(map(text, value))


def _validated(procedure: Procedure, values: dict[str, Any]) -> Any:
    """Return the facts as one value. Raises ZarebaError for numbers outside the bounds of their types."""
    facts_type = TypeAdapter(procedure.facts)
    try:
        return facts_type.validate_python(values)
    except ValidationError as error:
        schemas = facts_type.json_schema()["properties"]
        faults = [_bounds_message(fault, schemas.get(str(fault["loc"][0]), {})) for fault in error.errors()]
        raise ZarebaError("; ".join(faults)) from error


def _bounds_message(fault: ErrorDetails, schema: Mapping[str, Any]) -> str:
    name = ".".join(map(str, fault["loc"]))
    low, high = _limits(schema)
    if low is None and high is None:
        return f"the fact {name}: {fault['msg']}"
    return f"the fact {name} cannot be {fault['input']}; it must be {_range_text(low, high)}"


def _limits(schema: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the smallest and the largest number that a JSON Schema allows; None where it sets no limit."""
    schemas: list[Mapping[str, Any]] = [schema, *schema.get("anyOf", ())]
    low, high = (
        next((schema[bound] for schema in schemas if bound in schema), None) for bound in ("minimum", "maximum")
    )
    return low, high


def _range_text(low: Any, high: Any) -> str:
    return f"{low} to {high}" if None not in (low, high) else f"{low} or more" if high is None else f"at most {high}"


def _read_file(file: str | None) -> Mapping[str, Any]:
    if file is None:
        return {}
    name = "<stdin>" if file == "-" else str(existing_file("facts", file))
    try:
        with nullcontext(sys.stdin) if file == "-" else Path(file).open(encoding="utf-8-sig") as stream:
            content = stream.read(MAX_BYTES + 1).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise ZarebaError(f"{name} is not UTF-8 text; save it as UTF-8") from error
    if len(content.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise ZarebaError(f"{name} is longer than {MAX_BYTES:,} bytes (1 MiB); keep only the facts")
    if not content.lstrip().startswith("{"):
        return parse_yaml(content, name).data

    def without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if duplicates := [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]:
            raise ZarebaError(f"{name}: the key '{duplicates[0]}' is given twice; keep one")
        return dict(pairs)

    try:
        data = json.loads(content, object_pairs_hook=without_duplicates)
    except (ValueError, RecursionError) as error:
        raise ZarebaError(f"{name} is not JSON: {error}") from error
    assert isinstance(data, dict), "text that begins with '{' is an object"
    return data


def _checked(procedure: Procedure, types: Mapping[str, Any], name: str, value: Any, typed: Any) -> Any:
    """Return the value of a fact. Raises ZarebaError, which shows it as `typed`, if it does not fit its type."""
    if name not in types:
        raise unknown_name(f"fact of {procedure.name} called", name, types)
    if not _fits(types[name], value):
        shown = typed if isinstance(typed, str) else json.dumps(typed)
        raise ZarebaError(f"the fact {name} cannot be '{shown[:40]}'; it takes {allowed_values(types[name])}")
    return tuple(value) if get_origin(types[name]) is tuple else value


def _fixed_types(kind: Any) -> tuple[Any, ...] | None:
    """Return the types of a tuple of fixed length; None for lists of any length and everything else."""
    inner = get_args(kind)
    return inner if get_origin(kind) is tuple and inner[-1] is not Ellipsis else None


def _union_members(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _fits(kind: Any, value: Any) -> bool:
    """Return True if a value has a type, without any conversion: 1 is not true, and 2.0 is not a whole number."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return any(_fits(member, value) for member in get_args(kind))
    if origin is Literal:
        return any(value == known and type(value) is type(known) for known in get_args(kind))
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            return False
        item_types = _fixed_types(kind) or get_args(kind)[:1] * len(value)
        return len(item_types) == len(value) and all(map(_fits, item_types, value))
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return type(value) is (NoneType if kind is None else kind)


def _parse(kind: Any, words: str) -> Any:
    """Return the value that a text means for a type, or the text itself if it has no meaning."""
    for member in _union_members(kind):
        if get_origin(member) is tuple:
            item_type = get_args(member)[0]
            return [_parse(item_type, part.strip()) for part in words.split(",")] if words else []
        for known in get_args(member) if get_origin(member) is Literal else ():
            if words == text(known):
                return known
        if member is bool and words.lower() in _BOOLEANS:
            return _BOOLEANS[words.lower()]
        if member is int and _WHOLE_NUMBER.fullmatch(words):
            return int(words)
        if member is float:
            try:
                return float(words)
            except ValueError:
                continue
        if member in (None, NoneType) and words.lower() == "none":
            return None
    return words


def allowed_values(kind: Any, schema: Mapping[str, Any] | None = None) -> str:
    """Describe the values of a type in words. The JSON Schema adds the limits of a number."""
    low, high = _limits(schema or {})
    if low is not None or high is not None:
        return _range_text(low, high)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return " or ".join(allowed_values(part) for part in get_args(kind))
    if origin is Literal:
        return ", ".join(text(known) for known in get_args(kind))
    if (item_types := _fixed_types(kind)) is not None:
        return f"[{'; '.join(map(allowed_values, item_types))}]"
    if origin is tuple:
        item_type = get_args(kind)[0]
        how = "in a file of facts" if get_origin(item_type) is tuple else "joined by commas"
        return f"a list, {how}, of: {allowed_values(item_type)}"
    words = {bool: "true, false", int: "a whole number", float: "a number", str: "a text", NoneType: "none"}
    return words.get(kind, str(kind))
