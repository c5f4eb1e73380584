"""A scenario's file changed in place: one value at a time, with everybody's comments and layout kept."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import parse_yaml

__all__ = ["put", "taken_out"]

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
    inner = data
    for key in path[:-1]:
        if not isinstance(inner, CommentedMap):
            raise ZarebaError(f"'{'.'.join(path)}' leads through something that has no keys")
        if inner.get(key) is None:
            inner[key] = CommentedMap()
        inner = inner[key]
    if not isinstance(inner, CommentedMap):
        raise ZarebaError(f"'{'.'.join(path)}' leads through something that has no keys")
    inner[path[-1]] = _laid_out(value, top=len(path) < 3)
    return _written(data)


def taken_out(text: str, path: Sequence[str]) -> str:
    """The text without what is at a path; a section that has nothing left goes too."""
    data = _read(text)
    inner, above = data, []
    for key in path[:-1]:
        above.append((inner, key))
        inner = inner.get(key) if isinstance(inner, CommentedMap) else None
    if not isinstance(inner, CommentedMap) or path[-1] not in inner:
        raise ZarebaError(f"there is no '{'.'.join(path)}' to take out")
    del inner[path[-1]]
    for holder, key in reversed(above):
        if len(above) == 1 and not holder[key]:
            del holder[key]
    return _written(data)


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
