"""A scenario's file changed in place: one value at a time, with everybody's comments and layout kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import parse_yaml

__all__ = ["put", "rewritten", "taken_out"]

WIDE = 4096


def _yaml() -> YAML:
    yaml = YAML()  # keeps comments, order and layout
    yaml.preserve_quotes = True
    yaml.width = WIDE
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a value at a path of keys; what is not there on the way is made.

    Lists and the things in them are written in brackets, in one line. Raises ZarebaError, naming the place, when the text is
    no YAML of ours or the path leads through something that has no keys.
    """
    data = _read(text)
    inner = _holder(data, path)
    laid = _laid_out(value, top=len(path) < 3)
    lines = _with_entry(text, inner, path[-1], laid)
    inner[path[-1]] = laid
    return _as_said(lines, data)


def rewritten(text: str, path: Sequence[str], words: Mapping[str, Any]) -> str:
    """The text with the thing at a path saying these words and no others; each that stays as it was keeps its line and comment.

    Raises ZarebaError as `put` does.
    """
    entry = _holder(_read(text), [*path, ""])
    for key in [key for key in entry if key not in words]:
        text = taken_out(text, [*path, key])
    for key, value in words.items():
        if key not in entry or entry[key] != value:
            text = put(text, [*path, key], value)
    return text


def taken_out(text: str, path: Sequence[str]) -> str:
    """The text without what is at a path; a section that has nothing left goes too."""
    data = _read(text)
    inner = data
    for key in path[:-1]:
        inner = inner.get(key) if isinstance(inner, CommentedMap) else None
    if not isinstance(inner, CommentedMap) or path[-1] not in inner:
        raise ZarebaError(f"there is no '{'.'.join(path)}' to take out")
    holder, gone = (data, path[0]) if len(path) == 2 and len(inner) == 1 else (inner, path[-1])
    lines = text.split("\n")
    start, end = _lines_of(lines, holder, gone)
    del holder[gone], lines[start:end]
    return _as_said(lines, data)


def _holder(data: CommentedMap, path: Sequence[str]) -> CommentedMap:
    """The keys among which the last of a path is, or is to be; those on the way are made."""
    inner = data
    for key in path[:-1]:
        if isinstance(inner, CommentedMap) and inner.get(key) is None:
            inner[key] = CommentedMap()
        inner = inner[key] if isinstance(inner, CommentedMap) else None
    if not isinstance(inner, CommentedMap):
        raise ZarebaError(f"'{'.'.join(path)}' leads through something that has no keys")
    return inner


def _as_said(lines: Sequence[str], data: CommentedMap) -> str:
    """The lines if they say just what the data says, else the data written anew: some layouts cannot be changed by lines."""
    whole, spliced = _written(data), "\n".join(lines)
    try:
        same = parse_yaml(spliced, "the battle").data == parse_yaml(whole, "the battle").data
    except ZarebaError:
        same = False
    return spliced if same else whole


def _with_entry(text: str, holder: CommentedMap, key: str, laid: Any) -> list[str]:
    """The lines with a new entry below the last of its holder, before whatever comment heads what follows."""
    lines = text.split("\n")
    if key in holder or not holder or holder.fa.flow_style() or not holder.lc.data:
        return lines
    last = list(holder)[-1]
    if last not in holder.lc.data:
        return lines
    _, end = _lines_of(lines, holder, last)
    margin = " " * holder.lc.key(last)[1]
    lines[end:end] = [margin + line for line in _written(CommentedMap({key: laid})).splitlines()]
    return lines


def _lines_of(lines: Sequence[str], holder: CommentedMap, key: str) -> tuple[int, int]:
    """The first line of an entry and the one after its last: comments that stand no further in than its key are not its own."""
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
    parse_yaml(text, "the battle")  # its limits, and its faults with their places, are those of every file
    try:
        data = _yaml().load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        raise ZarebaError(f"the text cannot be changed piece by piece: {str(error).splitlines()[0]}") from error
    if not isinstance(data, CommentedMap):
        raise ZarebaError("a battle is written as keys with values")
    return data


def _written(data: Any) -> str:
    out = StringIO()
    _yaml().dump(data, out)
    return out.getvalue()


def _laid_out(value: Any, *, top: bool) -> Any:
    """Plain data as it is to stand in the file: an entry of a section on lines of its own, all within it in brackets."""
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
