"""Read YAML files into plain values with source locations, within fixed limits.

A file is one mapping of keys to values. Keys are text as written: `1:` and `2-4:` are the keys "1" and "2-4". Values
are text, whole and decimal numbers, true, false, null, lists and mappings. Anchors, aliases, tags, merge keys,
directives and further documents are rejected, as is anything beyond the limits below. One `FileError` reports all
faults of a file. Reading never runs, imports or opens anything named in a file.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError
from pydantic_core import ErrorDetails
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StringMark, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from zareba.base.errors import FileError, Problem, nearest
from zareba.base.hidden_characters import INVISIBLE, UNSEEN

MISSING: Final = "this field is missing; add it"
"""The message for a required field that a file lacks."""

MAX_BYTES: Final = 1024 * 1024
MAX_DEPTH: Final = 32
MAX_NODES: Final = 100_000
MAX_NUMBER: Final = 1_000_000
MAX_KEY: Final = 64
MAX_NAME: Final = 80
MAX_TEXT: Final = 2_000

Value: TypeAlias = "str | int | float | bool | list[Value] | dict[str, Value] | None"
KeyPath: TypeAlias = tuple[str | int, ...]
Place: TypeAlias = tuple[int, int]
Model = TypeVar("Model", bound=BaseModel)

_NAME: Final = r"^[^\n\t]*[^\s\u2800][^\n\t]*$"
_ID: Final = r"^([0-9][0-9_]*)?[a-z][a-z0-9_]*$"
_PATTERNS: Final = {
    _NAME: "text on one line",
    _ID: "an id of lower-case letters, digits and '_' with a letter in it",
}

Id = Annotated[str, StringConstraints(max_length=MAX_KEY, pattern=_ID)]
"""The id of a thing inside files, such as `left_company` or `43rd`: up to 64 characters."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME, pattern=_NAME)]
"""The name of a thing on the screen: one line of 1 to 80 characters."""

Text = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
"""Free text of up to 2,000 characters."""

_UNSEEN_IN_FILE = re.compile(rf"(?!\r)(?:{UNSEEN.pattern})")
_INVISIBLE = re.compile(rf"[{INVISIBLE}]")
_ODD_SPACE = re.compile(r"[^\S \t\r\n]")
_ODD_SPACE_BEFORE_VALUE = re.compile(
    r"""^[ ]*(?:-[ ]+)*(?:-|(?:[^\s:#'"{}\[\],&*!|>%@`]+|"[^"\n]*"|'[^'\n]*')[ ]*:)(?P<space>[^\S \t\r\n])""",
    re.MULTILINE,
)
"""Matches a special space after `key:` or `-`, which YAML treats as a letter."""
_WHOLE = re.compile(r"[-+]?[0-9]+")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


class YamlModel(BaseModel):
    """Base class of the models that validate parts of a YAML file: unknown fields are rejected, values are never
    converted.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file that has been read: plain `data`, and the location of each part."""

    file: str
    data: dict[str, Value]
    places: dict[KeyPath, Place] = field(repr=False)
    odd_spaces: dict[KeyPath, tuple[Place, str]] = field(repr=False, default_factory=dict)
    """The places where a special space prevents a text from being a key or a list entry, with that space."""

    def place(self, path: KeyPath) -> Place:
        """Return the line and column, from 1, of the key or list entry at `path`, or of its nearest parent."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.places:
                return self.places[path[:length]]
        return self.places[()]

    def owner(self, path: KeyPath) -> Document:
        """Return the file that gives the value at `path`; for a file that extends another, it may be the other one."""
        return self

    def error(self, path: KeyPath, message: str) -> Problem:
        """Return a problem at `path`, to be raised in a `FileError`."""
        line, column = self.place(path)
        return Problem(self.file, line, column, ".".join(map(str, path)), message)

    def validate(self, model: type[Model]) -> Model:
        """Return the data as a `model`; raise one FileError with all validation errors, each with the most similar
        known name.
        """
        try:
            return model.model_validate_json(json.dumps(self.data), strict=True)
        except ValidationError as error:
            raise FileError([self._misfit(*found) for found in misfits(model, self.data, error)]) from None

    def _misfit(self, path: KeyPath, message: str) -> Problem:
        if path not in self.odd_spaces:
            return self.error(path, message)
        place, space = self.odd_spaces[path]
        return Problem(self.file, *place, ".".join(map(str, path)), _odd_message(space))


def copy_of(value: Any) -> Any:
    """Return a deep copy of a plain value. `copy.deepcopy` takes several times as long."""
    if isinstance(value, dict):
        return {key: copy_of(entry) for key, entry in value.items()}
    return [copy_of(entry) for entry in value] if isinstance(value, list) else value


def misfits(model: type[BaseModel], data: Value, error: ValidationError) -> list[tuple[KeyPath, str]]:
    """Return the validation errors of a model in plain words: one message for each path in the data."""
    messages: dict[KeyPath, list[str]] = {}
    for detail in error.errors(include_url=False, include_context=True):
        messages.setdefault(_path(data, detail), []).append(_misfit(model, detail))
    return [(path, _joined(found)) for path, found in messages.items()]


def _path(data: Value, detail: ErrorDetails) -> KeyPath:
    """Return the path of a validation error in the data, without the names of union members and validators that
    pydantic adds.
    """
    path: KeyPath = ()
    for step in detail["loc"]:
        if isinstance(data, dict) and step in data:
            path, data = (*path, step), data[str(step)]
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            path, data = (*path, step), data[step]
    if detail["type"] == "missing":
        path = (*path, detail["loc"][-1])
    elif detail["type"] == "union_tag_invalid":
        path = (*path, detail["ctx"]["discriminator"].strip("'"))
    return path


def read_yaml(path: str | Path) -> Document:
    """Read one YAML file.

    Raises:
        FileError: the file cannot be read, is not YAML as described above, or exceeds a limit.
    """
    return parse_yaml(_text_in(Path(path)), str(path))


def read_shared_yaml(path: Path) -> Document:
    """Read a YAML file as `read_yaml` does, but parse the same text only once; several modules need that of a ruleset.

    Callers must not change the document.
    """
    return _parsed_once(_text_in(path), str(path))


def _text_in(path: Path) -> str:
    """Return the text of a file; raise FileError if it cannot be read or exceeds a limit."""
    name = str(path)
    if not path.exists():
        raise _refusal(name, "there is no such file; check the path")
    if not path.is_file():
        raise _refusal(name, "this is not a file; name a YAML file")
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _refusal(name, f"the file cannot be read ({error.strerror}); check its permissions") from None
    if len(raw) > MAX_BYTES:
        raise _refusal(name, _TOO_LONG)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - raw.rfind(b"\n", 0, error.start)
        raise _refusal(name, "this byte is not UTF-8 text; save the file as UTF-8", (line, column)) from None


def parse_yaml(text: str, name: str) -> Document:
    """Parse the text of a YAML file; errors name the file `name`.

    Raises:
        FileError: the text is not YAML as described above, or exceeds a limit.
    """
    text = text.removeprefix("\ufeff")  # the byte order mark of some editors
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise _refusal(name, _TOO_LONG)
    control = [
        Problem(name, *_place_at(text, found.start()), "", _unseen_message(found.group()))
        for found in _UNSEEN_IN_FILE.finditer(text)
    ]
    if control:
        raise FileError(control)
    builder = _Builder(name)
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            if not builder.take(event):
                break
    except MarkedYAMLError as error:
        if odd := _odd_spaces(text, error):
            raise FileError([Problem(name, *_place_at(text, at), "", _odd_message(text[at])) for at in odd]) from None
        builder.refuse(_syntax_message(error), error.problem_mark or error.context_mark)
    except (YAMLError, ValueError, RecursionError) as error:
        builder.refuse(f"this is not YAML ({str(error).splitlines()[0]}); correct it near here", None)
    return builder.document()


@lru_cache(maxsize=64)
def _parsed_once(text: str, name: str) -> Document:
    return parse_yaml(text, name)


def _odd_spaces(text: str, error: MarkedYAMLError) -> list[int]:
    """Return the positions of special spaces that cause a syntax error, or none if the error stays the same with plain
    spaces.
    """
    mark = error.problem_mark or error.context_mark
    found = [match.start("space") for match in _ODD_SPACE_BEFORE_VALUE.finditer(text)]
    found = [at for at in found if mark is None or text.count("\n", 0, at) <= mark.line]
    if not found:
        return []
    letters = list(text)
    for at in found:
        letters[at] = " "
    try:
        for _ in YAML(typ="safe", pure=True).parse("".join(letters)):
            pass
    except MarkedYAMLError as other:
        there = other.problem_mark or other.context_mark
        return [] if mark and there and (there.line, there.column) == (mark.line, mark.column) else found
    except (YAMLError, ValueError, RecursionError):
        return found
    return found


@dataclass(slots=True)
class _Open:
    """A mapping or list that has not ended yet; `key` is the key or index of the next value."""

    path: KeyPath
    content: dict[str, Value] | list[Value]
    key: str | None = None
    wants_key: bool = False


class _Builder:
    """Builds plain values from the parser's events without recursion, and records locations and faults."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[Problem] = []
        self.places: dict[KeyPath, Place] = {(): (1, 1)}
        self.odd_spaces: dict[KeyPath, tuple[Place, str]] = {}
        self.stack: list[_Open] = []
        self.top: Value = None
        self.nodes = 0
        self.documents = 0
        self.last: Place = (1, 1)

    def document(self) -> Document:
        if not self.problems and not isinstance(self.top, dict):
            place, space = self.odd_spaces.get((), ((1, 1), ""))
            message = _odd_message(space) if space else "expected a mapping of keys to values; write 'key: value' lines"
            self.refuse(message, None, place)
        if self.problems:
            raise FileError(self.problems)
        assert isinstance(self.top, dict)
        return Document(self.name, self.top, self.places, self.odd_spaces)

    def refuse(self, message: str, mark: StringMark | None, place: Place | None = None) -> None:
        place = place or (_marked(mark) if mark else self.last)
        path = self._path() if self.stack else ()
        self.problems.append(Problem(self.name, *place, ".".join(map(str, path)), message))

    def _path(self) -> KeyPath:
        parent = self.stack[-1]
        if isinstance(parent.content, list):
            return (*parent.path, len(parent.content))
        return parent.path if parent.wants_key or parent.key is None else (*parent.path, parent.key)

    def take(self, event: Event) -> bool:
        """Process one event; return False if reading cannot continue."""
        if event.start_mark is not None:
            self.last = _marked(event.start_mark)
        if isinstance(event, DocumentStartEvent):
            return self._begin_document(event)
        if isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            self.stack.pop()
        elif isinstance(event, NodeEvent):
            return self._node(event)
        return True

    def _begin_document(self, event: DocumentStartEvent) -> bool:
        self.documents += 1
        if event.version or event.tags:
            self.refuse("'%' directives are not supported; remove the line", event.start_mark)
        if self.documents > 1:
            self.refuse("a second document begins here; keep one document per file", event.start_mark)
        return self.documents == 1

    def _node(self, event: NodeEvent) -> bool:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.refuse(f"more than {MAX_NODES:,} values and keys; split the file", event.start_mark)
            return False
        if isinstance(event, AliasEvent):
            self.refuse(f"the alias '*{event.anchor}' is not supported; write the value out", event.start_mark)
        elif event.anchor is not None:
            self.refuse(f"the anchor '&{event.anchor}' is not supported; remove it", event.start_mark)
        if (tag := getattr(event, "tag", None)) is not None:
            self.refuse(f"the tag '{tag}' is not supported; remove it", event.start_mark)
        if self.stack and self.stack[-1].wants_key:
            return self._key(event)
        return self._value(event)

    def _key(self, event: NodeEvent) -> bool:
        parent = self.stack[-1]
        parent.wants_key = False
        parent.key = None
        if not isinstance(event, ScalarEvent):
            self.refuse("a key must be text; write 'key: value'", event.start_mark)
            return False
        key = str(event.value)
        assert isinstance(parent.content, dict)
        if key == "<<" and event.implicit[0]:
            self.refuse("the merge key '<<' is not supported; write the values out", event.start_mark)
        elif not key.strip():
            self.refuse("a key is empty; name it", event.start_mark)
        elif len(key) > MAX_KEY:
            self.refuse(f"a key of {len(key)} characters; shorten it to {MAX_KEY}", event.start_mark)
            key = key[:MAX_KEY]
        elif found := UNSEEN.search(key):
            self.refuse(_unseen_message(found.group()), event.start_mark)
            key = UNSEEN.sub("?", key)
        elif odd := _ODD_SPACE.search(key):
            self.refuse(_odd_message(odd.group()), event.start_mark)
        elif key in parent.content:
            line, _ = self.places[(*parent.path, key)]
            self.refuse(f"the key '{key}' is already in line {line}; keep one", event.start_mark)
        parent.key = key
        parent.content.setdefault(key, None)
        self.places.setdefault((*parent.path, key), _marked(event.start_mark))
        return True

    def _value(self, event: NodeEvent) -> bool:
        if isinstance(event, ScalarEvent):
            self._put(self._scalar(event), event)
        elif isinstance(event, AliasEvent):
            self._put(None, event)
        else:
            content: dict[str, Value] | list[Value] = {} if isinstance(event, MappingStartEvent) else []
            path = self._put(content, event)
            if len(self.stack) == MAX_DEPTH:
                self.refuse(f"nested deeper than {MAX_DEPTH} levels; flatten it", event.start_mark)
                return False
            self.stack.append(_Open(path, content, wants_key=isinstance(event, MappingStartEvent)))
        return True

    def _put(self, value: Value, event: NodeEvent) -> KeyPath:
        """Store a value in its parent and return its path."""
        if not self.stack:
            self.top = value
            self.places[()] = _marked(event.start_mark)
            return ()
        parent = self.stack[-1]
        path = self._path()
        if isinstance(parent.content, list):
            parent.content.append(value)
            self.places[path] = _marked(event.start_mark)
        elif parent.key is not None:
            parent.content[parent.key] = value
            parent.wants_key = True
        return path

    def _scalar(self, event: ScalarEvent) -> Value:
        text = str(event.value)
        if len(text) > MAX_TEXT:
            self.refuse(f"text of {len(text)} characters; shorten it to {MAX_TEXT:,}", event.start_mark)
        elif found := UNSEEN.search(text):
            self.refuse(_unseen_message(found.group()), event.start_mark)
        elif not event.implicit[0]:
            return text
        elif odd := _ODD_SPACE_BEFORE_VALUE.match(text):
            line, column = _marked(event.start_mark)
            self.odd_spaces[self._path() if self.stack else ()] = (line, column + odd.start("space")), odd["space"]
            return text
        elif text in _WORDS:
            return _WORDS[text]
        elif _NOT_FINITE.fullmatch(text):
            self.refuse(f"'{text}' is not a finite number; write one", event.start_mark)
        elif _DECIMAL.fullmatch(text):
            number = float(text)
            if math.isfinite(number) and abs(number) <= MAX_NUMBER:
                return int(text) if _WHOLE.fullmatch(text) else number
            self.refuse(
                f"the number {_short(text)} is too large; keep it within {MAX_NUMBER:,} either way",
                event.start_mark,
            )
        return text


_TOO_LONG = f"the file is longer than {MAX_BYTES:,} bytes (1 MiB); split it"


def _refusal(name: str, message: str, place: Place = (1, 1)) -> FileError:
    return FileError([Problem(name, *place, "", message)])


def _marked(mark: StringMark) -> Place:
    return mark.line + 1, mark.column + 1


def _place_at(text: str, index: int) -> Place:
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _unseen_message(character: str) -> str:
    kind = "invisible" if _INVISIBLE.fullmatch(character) else "control"
    return f"the {kind} character U+{ord(character):04X} is not allowed; remove it"


def _odd_message(space: str) -> str:
    kind = "no-break space" if space in "\xa0\u202f" else "space"
    return f"the {kind} U+{ord(space):04X} is used where YAML needs a plain space; type a space"


def _short(value: object) -> str:
    """Return a value for use in a message: text between ' ', at most 40 characters."""
    shown = json.dumps(value, ensure_ascii=False)
    shown = _ODD_SPACE.sub(lambda space: f"\\u{ord(space.group()):04x}", shown)
    if isinstance(value, str):
        shown = f"'{shown[1:-1]}'"
    return shown if len(shown) <= 40 else f"{shown[:36]}..."


_SYNTAX_HINTS: Final = (
    ("'\\t'", "indent with spaces, never with tabs"),
    ("mapping values are not allowed", "check the indentation, and put text with ': ' in it into quotes"),
    ("could not find expected ':'", "each line of a mapping is 'key: value'"),
    ("expected <block end>", "line up the keys and list entries that belong together"),
    ("quoted scalar", "close the quotation mark"),
    ("expected ',' or", "close the bracket or put a comma between the entries"),
    ("expected the node content", "close the bracket or write the missing value"),
)


def _syntax_message(error: MarkedYAMLError) -> str:
    fault = " ".join(part for part in (error.context, error.problem) if part)
    hint = next((hint for words, hint in _SYNTAX_HINTS if words in fault), "correct it here or in the line above")
    return f"this is not YAML ({error.problem or error.context}); {hint}"


_EXPECTED: Final = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text",
    "none_required": "null",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
}

_BOUNDS: Final = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}


def _misfit(model: type[BaseModel], detail: ErrorDetails) -> str:
    """Return one pydantic error in plain words."""
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "missing":
        return MISSING
    if kind == "union_tag_not_found":
        return f"the field {context['discriminator']} is missing; add it"
    if kind == "extra_forbidden":
        return f"unknown field; {_hint(str(detail['loc'][-1]), _fields_at(model, detail['loc'][:-1]))}"
    if kind in ("literal_error", "enum", "union_tag_invalid"):
        allowed = re.findall(r"'([^']*)'", str(context.get("expected", context.get("expected_tags", ""))))
        name = context.get("tag", value)
        if not isinstance(name, str) or not allowed:
            return f"expected {context.get('expected', 'a known name')}, got {_short(name)}"
        return f"{_short(name)} is not known here; {_hint(name, allowed)}"
    if kind in _EXPECTED:
        return f"expected {_EXPECTED[kind]}, got {_short(value)}"
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"must be {words} {str(context[bound]).removesuffix('.0')}, got {_short(value)}"
    if kind == "string_too_long":
        return f"text of {len(value)} characters; shorten it to {context['max_length']}"
    if kind == "string_too_short" and context["min_length"] == 1:
        return "the text is empty; write something"
    if kind in ("too_long", "too_short", "string_too_short"):
        bound = "at most" if kind == "too_long" else "at least"
        count = context["max_length" if kind == "too_long" else "min_length"]
        return f"must have {bound} {count} {'characters' if kind.startswith('string') else 'entries'}"
    if kind == "string_pattern_mismatch" and context["pattern"] == _NAME and not value.replace("\u2800", "").strip():
        return "the text is blank; write something"
    if kind == "string_pattern_mismatch" and context["pattern"] in _PATTERNS:
        return f"expected {_PATTERNS[context['pattern']]}, got {_short(value)}"
    if kind == "value_error":
        return str(context["error"])
    return f"{detail['msg'][:1].lower()}{detail['msg'][1:]}, got {_short(value)}"


def _joined(messages: list[str]) -> str:
    """Return one message for a value that fits none of several types."""
    expected = [message.removeprefix("expected ").rpartition(", got ") for message in messages]
    if len(messages) == 1 or not all(message.startswith("expected ") for message in messages):
        return " or ".join(dict.fromkeys(messages))
    return f"expected {' or '.join(dict.fromkeys(words for words, _, _ in expected))}, got {expected[0][2]}"


def _hint(name: str, known: list[str]) -> str:
    guess = nearest(name, known)
    return f"did you mean '{guess}'?" if guess else f"known: {', '.join(known) or 'none'}"


def _fields_at(model: type[BaseModel], path: KeyPath) -> list[str]:
    """Return the names of the fields of the models at `path` below `model`, in order."""
    models: list[type[BaseModel]] = [model]
    for step in path:
        fields = [owner.model_fields[step].annotation for owner in models if step in owner.model_fields]
        if fields:
            models = [found for annotation in fields for found in _models_in(annotation)]
    return list(dict.fromkeys(name for owner in models for name in owner.model_fields))


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the models named anywhere in a type such as `dict[str, Unit] | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
