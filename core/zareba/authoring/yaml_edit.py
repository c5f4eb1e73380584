"""A scenario's file changed in place: one value at a time, with everybody's comments and layout kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import parse_yaml

__all__ = ["remove_value", "replace_document", "set_value"]

WIDE = 4096


def _yaml() -> YAML:
    yaml = YAML()  # keeps comments, order and layout
    yaml.preserve_quotes = True
    yaml.width = WIDE
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def set_value(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a value at a path of keys; what is not there on the way is made.

    Lists and the things in them are written in brackets, in one line. Raises ZarebaError, naming the place, when the text is
    no YAML of ours or the path leads through something that has no keys.
    """
    return _with(text, path[:-1], {path[-1]: value})


def replace_document(
    text: str, path: Sequence[str], words: Mapping[str, Any], known: Collection[str] | None = None
) -> str:
    """The text with the thing at a path saying these words and no others; each that stays as it was keeps its line and comment.

    `known`: the words that are meant, where those of the thing that are not are let be. What lies deeper is changed in the
    same way, piece by piece. Raises ZarebaError as `put` does.
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
    """The text without what is at a path; a section that has nothing left goes too."""
    inner: Any = _read(text)
    for key in path[:-1]:
        inner = inner.get(key) if isinstance(inner, CommentedMap) else None
    if not isinstance(inner, CommentedMap) or path[-1] not in inner:
        raise ZarebaError(f"there is no '{'.'.join(path)}' to take out")
    if len(path) == 2 and len(inner) == 1:
        path = path[:1]
    return _without(text, path[:-1], [path[-1]])


def _with(text: str, path: Sequence[str], entries: Mapping[str, Any]) -> str:
    """The text with these entries among the keys at a path: each in the place of the one that there is, or below the last."""
    data = _read(text)
    inner = _holder(data, path)
    laid = CommentedMap((key, _laid_out(value, top=len(path) < 2)) for key, value in entries.items())
    lines = _with_entries(text, inner, CommentedMap((key, one) for key, one in laid.items() if key not in inner))
    inner.update(laid)
    return _as_said(lines, data)


def _without(text: str, path: Sequence[str], keys: Sequence[str]) -> str:
    """The text without these of the keys at a path."""
    data = _read(text)
    inner = _holder(data, path)
    lines = text.split("\n")
    for start, end in sorted((_lines_of(lines, inner, key) for key in keys), reverse=True):
        del lines[start:end]
    for key in keys:
        del inner[key]
    return _as_said(lines, data)


def _holder(data: CommentedMap, path: Sequence[str]) -> CommentedMap:
    """The keys at a path, which are made where there are none."""
    inner = data
    for key in path:
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


def _with_entries(text: str, holder: CommentedMap, entries: CommentedMap) -> list[str]:
    """The lines with new entries below the last of their holder, before whatever comment heads what follows."""
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
