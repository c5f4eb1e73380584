"""Write and edit the YAML of scenarios."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import parse_yaml

# --- Write a scenario as YAML in the usual layout: one field a line, points and lists in brackets ---------------------


_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.' -]*[A-Za-z0-9_.']|[A-Za-z]")
"""Text that needs no quotes, unless it is one of `_KEYWORDS`."""
_KEYWORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


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
    for key, fields in entries.items():
        lines.append(f"  {key}:")
        lines += [f"    {name}: {flow_list(value)}" for name, value in fields.items()]
    return lines


def flow_list(value: Any) -> str:
    """Return a value on one line; text that YAML could read as another type is quoted."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {flow_list(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(flow_list, value)) + "]"
    if isinstance(value, str):
        is_plain = _PLAIN.fullmatch(value) and value.lower() not in _KEYWORDS
        return value if is_plain else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def id_of(name: str) -> str:
    """Return an id made from a display name."""
    letters = (letter if letter.isascii() and letter.isalnum() else "_" for letter in name.lower())
    stem = re.sub("__+", "_", "".join(letters)).strip("_") or "thing"
    return (stem if stem[0].isalpha() else f"n_{stem}")[:60]


# --- Edit a scenario file in place, one value at a time, with all comments and the layout kept ------------------------


_LINE_LENGTH = 4096
"""So long that no line is ever wrapped."""


def _yaml() -> YAML:
    yaml = YAML()  # the round-trip mode: keeps comments, order and layout
    yaml.preserve_quotes = True
    yaml.width = _LINE_LENGTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def set_value(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with a value set at a path of keys; missing keys on the path are created.

    Lists and their contents are written in brackets on one line. Raises ZarebaError, naming the place, if the text is
    not valid YAML here or the path leads through a value that has no keys.
    """
    return _with_values(text, path[:-1], {path[-1]: value})


def replace_document(
    text: str, path: Sequence[str], fields: Mapping[str, Any], known: Collection[str] | None = None
) -> str:
    """Return the text with the entry at a path replaced by `fields`; unchanged fields keep their line and comment.

    With `known`, fields of the entry that are not in `known` are left alone. Nested mappings are changed in the same
    way, field by field. Raises ZarebaError as `set_value` does.
    """
    entry = _mapping_at(_read(text), path)
    removed = [key for key in entry if key not in fields and (known is None or key in known)]
    added, replaced, nested = dict[str, Any](), dict[str, Any](), dict[str, Any]()
    for key, value in fields.items():
        present = entry.get(key)
        if key not in entry:
            added[key] = value
        elif present == value:
            continue
        elif isinstance(present, CommentedMap) and isinstance(value, Mapping) and present and value:
            nested[key] = value
        else:
            replaced[key] = value
    text = _without(text, path, removed) if removed else text
    for values in (replaced, added):
        text = _with_values(text, path, values) if values else text
    for key, value in nested.items():
        text = replace_document(text, [*path, key], value)
    return text


def remove_value(text: str, path: Sequence[str]) -> str:
    """Return the text without the value at a path; a section that becomes empty is removed as well."""
    mapping: Any = _read(text)
    for key in path[:-1]:
        mapping = mapping.get(key) if isinstance(mapping, CommentedMap) else None
    if not isinstance(mapping, CommentedMap) or path[-1] not in mapping:
        raise ZarebaError(f"there is no '{'.'.join(path)}' to remove")
    is_last_of_section = len(path) == 2 and len(mapping) == 1
    if is_last_of_section:
        path = path[:1]
    return _without(text, path[:-1], [path[-1]])


def _with_values(text: str, path: Sequence[str], values: Mapping[str, Any]) -> str:
    """Return the text with these values at a path: each replaces an existing one, or follows the last one."""
    data = _read(text)
    mapping = _mapping_at(data, path)
    prepared = CommentedMap((key, _in_file_layout(value, top=len(path) < 2)) for key, value in values.items())
    new = CommentedMap((key, value) for key, value in prepared.items() if key not in mapping)
    lines = _lines_with(text, mapping, new)
    mapping.update(prepared)
    return _edited_or_dumped(lines, data)


def _without(text: str, path: Sequence[str], keys: Sequence[str]) -> str:
    """Return the text without these keys at a path."""
    data = _read(text)
    mapping = _mapping_at(data, path)
    lines = text.split("\n")
    for start, end in sorted((_lines_of(lines, mapping, key) for key in keys), reverse=True):
        del lines[start:end]
    for key in keys:
        del mapping[key]
    return _edited_or_dumped(lines, data)


def _mapping_at(data: CommentedMap, path: Sequence[str]) -> CommentedMap:
    """Return the mapping at a path; missing keys are created."""
    mapping = data
    for key in path:
        if isinstance(mapping, CommentedMap) and mapping.get(key) is None:
            mapping[key] = CommentedMap()
        mapping = mapping[key] if isinstance(mapping, CommentedMap) else None
    if not isinstance(mapping, CommentedMap):
        raise ZarebaError(f"'{'.'.join(path)}' leads through a value that has no keys")
    return mapping


def _edited_or_dumped(lines: Sequence[str], data: CommentedMap) -> str:
    """Return the edited lines if they parse to exactly the data, otherwise the data dumped again.

    Some layouts cannot be edited line by line.
    """
    dumped, edited = _dump(data), "\n".join(lines)
    try:
        are_equal = parse_yaml(edited, "the battle").data == parse_yaml(dumped, "the battle").data
    except ZarebaError:
        are_equal = False
    return edited if are_equal else dumped


def _lines_with(text: str, mapping: CommentedMap, new: CommentedMap) -> list[str]:
    """Return the lines of a text with new entries after the last of their mapping.

    They come before any comment that belongs to what follows. The lines stay as they are if the mapping is empty or
    written in braces.
    """
    lines = text.split("\n")
    if not new or not mapping or mapping.fa.flow_style() or not mapping.lc.data:
        return lines
    last = list(mapping)[-1]
    if last not in mapping.lc.data:
        return lines
    _, end = _lines_of(lines, mapping, last)
    _, margin = mapping.lc.key(last)
    lines[end:end] = [" " * margin + line for line in _dump(new).splitlines()]
    return lines


def _lines_of(lines: Sequence[str], mapping: CommentedMap, key: str) -> tuple[int, int]:
    """Return the first line of an entry and the line after its last.

    A comment belongs to the entry only if it is indented further than the entry's key.
    """
    start, margin = mapping.lc.key(key)
    end = start + 1
    for number in range(start + 1, len(lines)):
        content = lines[number].strip()
        indent = len(lines[number]) - len(lines[number].lstrip())
        if content and (indent > margin or (indent == margin and content.startswith("- "))):
            end = number + 1
        elif content and not content.startswith("#"):
            break
    return start, end


def _read(text: str) -> Any:
    """Return the data of a file with its comments and layout. Raises ZarebaError if it cannot be edited."""
    parse_yaml(text, "the battle")  # applies the limits of all files and reports faults with their places
    try:
        data = _yaml().load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        raise ZarebaError(f"the text cannot be edited in place: {str(error).splitlines()[0]}") from error
    if not isinstance(data, CommentedMap):
        raise ZarebaError("a scenario file must consist of keys with values")
    return data


def _dump(data: Any) -> str:
    """Return data as YAML text."""
    out = StringIO()
    _yaml().dump(data, out)
    return out.getvalue()


def _in_file_layout(value: Any, *, top: bool) -> Any:
    """Return plain data prepared for the file: each entry of a section on separate lines, its contents in brackets."""
    if isinstance(value, dict):
        mapping = CommentedMap((key, _in_file_layout(inner, top=False)) for key, inner in value.items())
        if not top:
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, (list, tuple)):
        sequence = CommentedSeq(_in_file_layout(inner, top=False) for inner in value)
        sequence.fa.set_flow_style()
        return sequence
    return value
