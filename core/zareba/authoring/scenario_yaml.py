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


# --- Edit a scenario file in place, one value at a time, with all comments and the layout kept ------------------------


_WIDE = 4096


def _yaml() -> YAML:
    yaml = YAML()  # the round-trip mode: keeps comments, order and layout
    yaml.preserve_quotes = True
    yaml.width = _WIDE
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def set_value(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with a value set at a path of keys; missing keys on the path are created.

    Lists and their contents are written in brackets on one line. Raises ZarebaError, naming the place, if the text is
    not valid YAML here or the path leads through a value that has no keys.
    """
    return _with(text, path[:-1], {path[-1]: value})


def replace_document(
    text: str, path: Sequence[str], words: Mapping[str, Any], known: Collection[str] | None = None
) -> str:
    """Return the text with the entry at a path replaced by `words`; unchanged fields keep their line and comment.

    With `known`, fields of the entry that are not in `known` are left alone. Nested mappings are changed in the same
    way, field by field. Raises ZarebaError as `set_value` does.
    """
    entry = _holder(_read(text), path)
    gone = [key for key in entry if key not in words and (known is None or key in known)]
    fresh, changed, deeper = dict[str, Any](), dict[str, Any](), dict[str, Any]()
    for key, value in words.items():
        said = entry.get(key)
        if key not in entry:
            fresh[key] = value
        elif isinstance(said, CommentedMap) and isinstance(value, Mapping) and said and value:
            deeper |= {key: value} if said != value else {}
        elif said != value:
            changed[key] = value
    text = _without(text, path, gone) if gone else text
    for more in (changed, fresh):
        text = _with(text, path, more) if more else text
    for key, value in deeper.items():
        text = replace_document(text, [*path, key], value)
    return text


def remove_value(text: str, path: Sequence[str]) -> str:
    """Return the text without the value at a path; a section that becomes empty is removed as well."""
    inner: Any = _read(text)
    for key in path[:-1]:
        inner = inner.get(key) if isinstance(inner, CommentedMap) else None
    if not isinstance(inner, CommentedMap) or path[-1] not in inner:
        raise ZarebaError(f"there is no '{'.'.join(path)}' to remove")
    if len(path) == 2 and len(inner) == 1:
        path = path[:1]
    return _without(text, path[:-1], [path[-1]])


def _with(text: str, path: Sequence[str], entries: Mapping[str, Any]) -> str:
    """Return the text with these entries at a path: each replaces an existing entry, or follows the last one."""
    data = _read(text)
    inner = _holder(data, path)
    laid = CommentedMap((key, _laid_out(value, top=len(path) < 2)) for key, value in entries.items())
    lines = _with_entries(text, inner, CommentedMap((key, one) for key, one in laid.items() if key not in inner))
    inner.update(laid)
    return _as_said(lines, data)


def _without(text: str, path: Sequence[str], keys: Sequence[str]) -> str:
    """Return the text without these keys at a path."""
    data = _read(text)
    inner = _holder(data, path)
    lines = text.split("\n")
    for start, end in sorted((_lines_of(lines, inner, key) for key in keys), reverse=True):
        del lines[start:end]
    for key in keys:
        del inner[key]
    return _as_said(lines, data)


def _holder(data: CommentedMap, path: Sequence[str]) -> CommentedMap:
    """Return the mapping at a path; missing keys are created."""
    inner = data
    for key in path:
        if isinstance(inner, CommentedMap) and inner.get(key) is None:
            inner[key] = CommentedMap()
        inner = inner[key] if isinstance(inner, CommentedMap) else None
    if not isinstance(inner, CommentedMap):
        raise ZarebaError(f"'{'.'.join(path)}' leads through a value that has no keys")
    return inner


def _as_said(lines: Sequence[str], data: CommentedMap) -> str:
    """Return the lines if they parse to exactly the data, otherwise the data dumped again.

    Some layouts cannot be edited line by line.
    """
    whole, spliced = _written(data), "\n".join(lines)
    try:
        same = parse_yaml(spliced, "the battle").data == parse_yaml(whole, "the battle").data
    except ZarebaError:
        same = False
    return spliced if same else whole


def _with_entries(text: str, holder: CommentedMap, entries: CommentedMap) -> list[str]:
    """Return the lines with new entries after the last of their mapping.

    They come before any comment that belongs to what follows.
    """
    lines = text.split("\n")
    if not entries or not holder or holder.fa.flow_style() or not holder.lc.data:
        return lines
    last = list(holder)[-1]
    if last not in holder.lc.data:
        return lines
    _, end = _lines_of(lines, holder, last)
    margin = " " * holder.lc.key(last)[1]
    lines[end:end] = [margin + line for line in _written(entries).splitlines()]
    return lines


def _lines_of(lines: Sequence[str], holder: CommentedMap, key: str) -> tuple[int, int]:
    """Return the first line of an entry and the line after its last.

    A comment belongs to the entry only if it is indented further than the entry's key.
    """
    start, margin = holder.lc.key(key)
    end = start + 1
    for number in range(start + 1, len(lines)):
        bare = lines[number].strip()
        deep = len(lines[number]) - len(lines[number].lstrip())
        if bare and (deep > margin or (deep == margin and bare.startswith("- "))):
            end = number + 1
        elif bare and not bare.startswith("#"):
            break
    return start, end


def _read(text: str) -> Any:
    parse_yaml(text, "the battle")  # applies the limits of all files and reports faults with their places
    try:
        data = _yaml().load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        raise ZarebaError(f"the text cannot be edited in place: {str(error).splitlines()[0]}") from error
    if not isinstance(data, CommentedMap):
        raise ZarebaError("a scenario file must consist of keys with values")
    return data


def _written(data: Any) -> str:
    out = StringIO()
    _yaml().dump(data, out)
    return out.getvalue()


def _laid_out(value: Any, *, top: bool) -> Any:
    """Return plain data prepared for the file: each entry of a section on separate lines, its contents in brackets."""
    if isinstance(value, dict):
        laid = CommentedMap((key, _laid_out(inner, top=False)) for key, inner in value.items())
        if not top:
            laid.fa.set_flow_style()
        return laid
    if isinstance(value, (list, tuple)):
        listed = CommentedSeq(_laid_out(inner, top=False) for inner in value)
        listed.fa.set_flow_style()
        return listed
    return value
