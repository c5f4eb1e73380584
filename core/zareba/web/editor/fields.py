"""The forms of a battle's elements: built and read from the field schemas of `zareba.authoring.form_schema`.

Each field is named by its path in the element, below `it`: `it.arrival.turn`. In a mapping the rows are numbered,
`it.gates.0.width`, and `it.gates.0:key` is the key of the first row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from pydantic import BaseModel

from zareba.authoring.form_schema import SECTIONS, FieldPart, FieldSchema
from zareba.authoring.scenario_yaml import flow_list, id_of
from zareba.base.errors import ZarebaError
from zareba.base.references import RefersTo
from zareba.base.yamlfile import parse_yaml
from zareba.web.form import FormData

ROOT_FIELD = "it"
"""The name of the field that holds the whole element."""
NEW_ROW = "NEW"
"""The number of a row that does not exist yet."""
ON_MAP = ("units", "leaders", "objects", "terrain")
"""The sections whose elements can be selected on the map."""
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?|[-+]?\.[0-9]+")
_LARGEST_NUMBER = 1e6

Names = Callable[[RefersTo], Mapping[str, str]]
"""A function that returns the possible references of a field, with their display names."""


def place_in(schema: FieldSchema) -> str:
    """Return the field that gives the position of an element; "" if it has none."""
    names = [part.name for part in schema.fields]
    return next((name for name in ("position", "at") if name in names), "")


def names_in(data: Mapping[str, Any], book: BaseModel | None = None) -> Names:
    """Return the function that lists possible references: elements of the battle and entries of a ruleset's `book`.

    Zones are those of all sides, because the side of an element can be changed in the same form.
    """
    sides = _mapping_or_empty(data.get("sides")).values()
    deployments = [_mapping_or_empty(_mapping_or_empty(side).get("deployment")) for side in sides]
    elements = {section: _mapping_or_empty(data.get(section)) for section in (*SECTIONS, "traits")}
    elements["zones"] = {zone: "" for deployment in deployments for zone in deployment}

    def list_names(reference: RefersTo) -> dict[str, str]:
        names = {word: _spaced(word) for word in reference.besides}
        for section in reference.sections:
            if section in elements:
                for key, element in elements[section].items():
                    names[key] = _display_name(key, _mapping_or_empty(element).get("name"))
            elif book is not None and hasattr(book, section.partition(".")[0]):
                entries = attrgetter(section)(book)
                keys = entries if isinstance(entries, dict) else type(entries).model_fields
                names |= {key: _spaced(key) for key in keys}
        return names

    return list_names


def _spaced(word: str) -> str:
    """Return a key as it is shown: `close_weapon` as "close weapon"."""
    return word.replace("_", " ")


def _display_name(key: str, name: object) -> str:
    """Return the display name of an element, with its id if the name does not imply it."""
    if not name:
        return _spaced(key)
    usual_id = id_of(str(name))
    return str(name) if key in (usual_id, usual_id.removeprefix("the_")) else f"{name} ({key})"


def _mapping_or_empty(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


# --- fields for the templates -----------------------------------------------------------------------------------------


def field_of(part: FieldPart, value: Any, names: Names, name: str = ROOT_FIELD) -> dict[str, Any]:
    """Return a field for the templates, with its present value. An unknown present value remains among the choices.

    In addition to the schema it contains `value` as text, the `fields` of a group, the `rows` of a mapping with a
    `spare` one, and `on_map`, which is True if its references can be selected on the map.
    """
    schema = part.schema
    field: dict[str, Any] = {
        "name": name,
        "words": _spaced(part.name),
        "kind": schema.kind,
        "required": part.required,
        "default": part.default,
        "description": part.description or schema.description,
        "value": _shown_value(schema, value),
        "long": schema.long,
        "is_integer": schema.is_integer,
        "least": schema.least,
        "most": schema.most,
        "on_map": schema.refers_to is not None and any(section in ON_MAP for section in schema.refers_to.sections),
    }
    if schema.kind == "group":
        values = _mapping_or_empty(value)
        field["fields"] = [
            field_of(inner, values.get(inner.name), names, f"{name}.{inner.name}") for inner in schema.fields
        ]
    elif schema.kind == "rows":
        entries = _mapping_or_empty(value).items()
        field["rows"] = [_row(part, key, entry, names, f"{name}.{n}") for n, (key, entry) in enumerate(entries)]
        field["spare"] = _row(part, "", None, names, f"{name}.{NEW_ROW}")
    elif schema.kind in ("choice", "choices_many"):
        known = {word: _spaced(word) for word in schema.choices} | dict(
            names(schema.refers_to) if schema.refers_to else {}
        )
        chosen = field["value"] if schema.kind == "choices_many" else [field["value"]]
        field["choices"] = known | {word: _spaced(word) for word in chosen if word and word not in known}
    elif schema.kind == "yes_no":
        field["choices"] = {word: word for word in ("yes", "no", field["value"]) if word}
    return field


def _row(part: FieldPart, key: str, value: Any, names: Names, name: str) -> dict[str, Any]:
    """Return one row of a mapping for the templates: the fields of its key and of its value."""
    schema = part.schema
    assert schema.key is not None and schema.value is not None, "rows have both"
    refers_to = schema.key.refers_to
    key_label = " or ".join(section.removesuffix("s") for section in refers_to.sections) if refers_to else "called"
    value_label = part.name if schema.value.kind != "group" else ""
    return {
        "name": name,
        "words": f"{_spaced(part.name)} {key}".strip(),
        "key": field_of(FieldPart(key_label, schema.key), key, names, f"{name}:key"),
        "value": field_of(FieldPart(value_label, schema.value), value, names, name),
    }


def _shown_value(schema: FieldSchema, value: Any) -> Any:
    """Return the present value as its field shows it: text, or the list of chosen entries."""
    if schema.kind == "choices_many":
        return list(map(str, value)) if isinstance(value, (list, tuple)) else []
    if value is None or schema.kind in ("group", "rows"):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if schema.kind == "text_list" and isinstance(value, (list, tuple)):
        return "\n".join(_with_plain_line_ends(str(text)) for text in value)
    if schema.kind == "points" and isinstance(value, (list, tuple)):
        points = [value] if schema.most == 1 else value
        if all(map(_is_point, points)):
            return "  ".join(", ".join(f"{number:g}" for number in point) for point in points)
    return _with_plain_line_ends(value).strip() if isinstance(value, str) else flow_list(value)


def _is_point(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(number, (int, float)) for number in value)


def _with_plain_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n")


# --- submitted forms --------------------------------------------------------------------------------------------------


class FormReading:
    """The values of a submitted form. `places` maps each field to its path in the battle; `faults` maps fields to
    errors.

    A value of the wrong type (letters for a number) stays as typed; the check of the battle reports it.
    """

    def __init__(self, form: FormData) -> None:
        self.places: dict[str, str] = {}
        self.faults: dict[str, str] = {}
        self._form = form
        self._rows = [field for field in form.names() if field.endswith(":key")]

    def read(self, part: FieldPart, present: Any, path: Sequence[str], name: str = ROOT_FIELD) -> Any:
        """Return the value of a field, None if it is empty. An unchanged field keeps its present value exactly."""
        schema = part.schema
        self.places[name] = ".".join(path)
        if schema.kind == "group":
            return self._read_group(part, _mapping_or_empty(present), path, name) or None
        if schema.kind == "rows":
            return self._read_rows(part, _mapping_or_empty(present), path, name) or None
        if schema.kind == "choices_many":
            chosen = [word for word in self._form.all(name) if word]
            kept = [word for word in _shown_value(schema, present) if word in chosen]
            return [*kept, *(word for word in dict.fromkeys(chosen) if word not in kept)] or None
        typed = _with_plain_line_ends(self._form.text(name))
        if typed == _shown_value(schema, present):
            return present
        if schema.kind == "yaml" and typed:
            try:
                return parse_yaml(f"value: {typed}", part.name).data["value"]
            except ZarebaError as error:
                self.faults[name] = str(error)
        return _parse_value(schema, typed)

    def _read_group(
        self, part: FieldPart, present: Mapping[str, Any], path: Sequence[str], name: str
    ) -> dict[str, Any]:
        """Return the values of the fields of a group that are not empty."""
        values = {}
        for inner in part.schema.fields:
            value = self.read(inner, present.get(inner.name), [*path, inner.name], f"{name}.{inner.name}")
            if value is not None:
                values[inner.name] = value
        return values

    def _read_rows(self, part: FieldPart, present: Mapping[str, Any], path: Sequence[str], name: str) -> dict[str, Any]:
        """Return the entries of a mapping, in the order of its rows. Rows without a key and a value are left out."""
        schema = part.schema
        assert schema.key is not None and schema.value is not None, "rows have both"
        entries: dict[str, Any] = {}
        pattern = re.compile(rf"{re.escape(name)}\.([0-9]{{1,4}}):key")
        for number in sorted(int(match[1]) for field in self._rows if (match := pattern.fullmatch(field))):
            row = f"{name}.{number}"
            key = self._form.text(f"{row}:key")
            if key and schema.key.is_id and key not in present:
                key = id_of(key)
            value = self.read(FieldPart(part.name, schema.value), present.get(key), [*path, key], row)
            if not key and value is not None and schema.key.is_id:
                key = _free_key(part.name.removesuffix("s"), {*entries, *present})
                value = self.read(FieldPart(part.name, schema.value), None, [*path, key], row)
            self.places[f"{row}:key"] = ".".join([*path, key])
            if key in entries:
                self.faults[f"{row}:key"] = f"'{key}' is already here; keep only one"
            elif not key and value is not None:
                self.faults[f"{row}:key"] = "choose an element, or remove this row"
            elif key:
                entries[key] = value if value is not None else _empty_value(schema.value)
        return entries


def _free_key(stem: str, taken: set[str]) -> str:
    candidates = (stem, *(f"{stem}_{number}" for number in range(2, 99_999)))
    return next(candidate for candidate in candidates if candidate not in taken)


def _empty_value(schema: FieldSchema) -> Any:
    """Return the empty value for a row that has only a key."""
    if schema.kind in ("group", "rows"):
        return {}
    return [] if schema.kind in ("choices_many", "text_list") else None


def _parse_value(schema: FieldSchema, typed: str) -> Any:
    """Return typed text as a value of a field's type; the text itself if it is not of that type, None if empty."""
    if not typed:
        return None
    if schema.kind == "yes_no":
        return {"yes": True, "no": False}.get(typed, typed)
    if schema.kind == "number":
        return _parse_number(typed)
    if schema.kind == "text_list":
        return [line.strip() for line in typed.splitlines() if line.strip()]
    if schema.kind == "points":
        numbers = [_parse_number(word) for word in re.split(r"[\s,;]+", typed.strip(" ,;()"))]
        if len(numbers) % 2 or not all(isinstance(number, (int, float)) for number in numbers):
            return typed
        points = [list(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
        return points[0] if schema.most == 1 and len(points) == 1 else points
    return typed


def _parse_number(typed: str) -> float | str:
    """Return typed text as a number; the text itself if it is not one, or too large."""
    if not NUMBER.fullmatch(typed) or not -_LARGEST_NUMBER < float(typed) < _LARGEST_NUMBER:
        return typed
    value = float(typed)
    return int(value) if value == int(value) else value
