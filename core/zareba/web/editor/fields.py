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
from zareba.web.security import Form

IT = "it"
NEW = "NEW"
"""The number of a row that does not exist yet."""
ON_MAP = ("units", "leaders", "objects", "terrain")
"""The sections whose elements can be selected on the map."""
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?|[-+]?\.[0-9]+")
_LARGEST_NUMBER = 1e6

Names = Callable[[RefersTo], Mapping[str, str]]
"""A function that returns the possible references of a word, with their display names."""


def place_in(schema: FieldSchema) -> str:
    """Return the field that gives the position of an element; "" if it has none."""
    names = [part.name for part in schema.parts]
    return next((name for name in ("position", "at") if name in names), "")


def names_in(data: Mapping[str, Any], book: BaseModel | None = None) -> Names:
    """Return the function that lists possible references: elements of the battle and entries of a ruleset's `book`.

    Zones are those of all sides, because the side of an element can be changed in the same form.
    """
    zones = {zone: "" for side in _keyed(data.get("sides")).values() for zone in _keyed(_keyed(side).get("deployment"))}
    known = {name: _keyed(data.get(name)) for name in (*SECTIONS, "traits")} | {"zones": zones}

    def named(mark: RefersTo) -> dict[str, str]:
        found = {word: _plain(word) for word in mark.besides}
        for section in mark.sections:
            if section in known:
                found |= {key: _called(key, _keyed(one).get("name")) for key, one in known[section].items()}
            elif book is not None and hasattr(book, section.partition(".")[0]):
                entries = attrgetter(section)(book)
                found |= {
                    key: _plain(key) for key in (entries if isinstance(entries, dict) else type(entries).model_fields)
                }
        return found

    return named


def _plain(word: str) -> str:
    return word.replace("_", " ")


def _called(key: str, name: object) -> str:
    """Return the display name of an element, with its id if the name does not imply it."""
    return (
        _plain(key)
        if not name
        else str(name)
        if key in (id_of(str(name)), id_of(str(name)).removeprefix("the_"))
        else f"{name} ({key})"
    )


def _keyed(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


# --- fields for the templates --------------------------------------------------------------------------------------------


def field_of(part: FieldPart, said: Any, names: Names, name: str = IT) -> dict[str, Any]:
    """Return a field for the templates, with its present value. An unknown present value remains among the choices.

    In addition to the schema it contains `value` as text, the `fields` of a group, the `rows` of a mapping with a
    `spare` one, and `on_map`, which is True if its references can be selected on the map.
    """
    schema = part.schema
    told: dict[str, Any] = {
        "name": name,
        "words": _plain(part.name),
        "kind": schema.kind,
        "needed": part.needed,
        "usual": part.usual,
        "about": part.about or schema.about,
        "value": _written(schema, said),
        "long": schema.long,
        "whole": schema.whole,
        "least": schema.least,
        "most": schema.most,
        "on_map": schema.refers is not None and any(section in ON_MAP for section in schema.refers.sections),
    }
    if schema.kind == "group":
        inner = _keyed(said)
        told["fields"] = [field_of(one, inner.get(one.name), names, f"{name}.{one.name}") for one in schema.parts]
    elif schema.kind == "rows":
        told["rows"] = [_row(part, key, one, names, f"{name}.{n}") for n, (key, one) in enumerate(_keyed(said).items())]
        told["spare"] = _row(part, "", None, names, f"{name}.{NEW}")
    elif schema.kind in ("choice", "several"):
        known = {one: _plain(one) for one in schema.choices} | dict(names(schema.refers) if schema.refers else {})
        chosen = told["value"] if schema.kind == "several" else [told["value"]]
        told["choices"] = known | {one: _plain(one) for one in chosen if one and one not in known}
    elif schema.kind == "yes_no":
        told["choices"] = {one: one for one in ("yes", "no", told["value"]) if one}
    return told


def _row(part: FieldPart, key: str, said: Any, names: Names, name: str) -> dict[str, Any]:
    """Return one row of a mapping: its key and its value."""
    schema = part.schema
    assert schema.key is not None and schema.value is not None, "so are rows"
    refers = schema.key.refers
    called = " or ".join(section.removesuffix("s") for section in refers.sections) if refers else "called"
    inner = part.name if schema.value.kind != "group" else ""
    return {
        "name": name,
        "words": f"{_plain(part.name)} {key}".strip(),
        "key": field_of(FieldPart(called, schema.key), key, names, f"{name}:key"),
        "value": field_of(FieldPart(inner, schema.value), said, names, name),
    }


def _written(schema: FieldSchema, said: Any) -> Any:
    """Return the present value as its field shows it: text, or the list of chosen entries."""
    if schema.kind == "several":
        return list(map(str, said)) if isinstance(said, (list, tuple)) else []
    if said is None or schema.kind in ("group", "rows"):
        return ""
    if isinstance(said, bool):
        return "yes" if said else "no"
    if schema.kind == "texts" and isinstance(said, (list, tuple)):
        return "\n".join(_lines(str(one)) for one in said)
    if schema.kind == "places" and isinstance(said, (list, tuple)):
        points = [said] if schema.most == 1 else said
        if all(
            isinstance(point, (list, tuple)) and all(isinstance(one, (int, float)) for one in point) for point in points
        ):
            return "  ".join(", ".join(f"{one:g}" for one in point) for point in points)
    return _lines(said).strip() if isinstance(said, str) else flow_list(said)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


# --- submitted forms -----------------------------------------------------------------------------------------------------


class FormReading:
    """The values of a submitted form. `places` maps each field to its path in the battle; `faults` maps fields to errors.

    A value of the wrong type (letters for a number) stays as written; the check of the battle reports it.
    """

    def __init__(self, form: Form) -> None:
        self.places: dict[str, str] = {}
        self.faults: dict[str, str] = {}
        self._form = form
        self._rows = [field for field in form.names() if field.endswith(":key")]

    def read(self, part: FieldPart, now: Any, at: Sequence[str], name: str = IT) -> Any:
        """Return the value of a field, None if it is empty. An unchanged field keeps its present value exactly."""
        schema = part.schema
        self.places[name] = ".".join(at)
        if schema.kind == "group":
            inner = _keyed(now)
            found = {
                one.name: said
                for one in schema.parts
                if (said := self.read(one, inner.get(one.name), [*at, one.name], f"{name}.{one.name}")) is not None
            }
            return found or None
        if schema.kind == "rows":
            return self._read_rows(part, _keyed(now), at, name) or None
        if schema.kind == "several":
            chosen = [one for one in self._form.all(name) if one]
            kept = [one for one in _written(schema, now) if one in chosen]
            return [*kept, *(one for one in dict.fromkeys(chosen) if one not in kept)] or None
        written = _lines(self._form.text(name))
        if written == _written(schema, now):
            return now
        if schema.kind == "yaml" and written:
            try:
                return parse_yaml(f"value: {written}", part.name).data["value"]
            except ZarebaError as error:
                self.faults[name] = str(error)
        return _meant(schema, written)

    def _read_rows(self, part: FieldPart, now: Mapping[str, Any], at: Sequence[str], name: str) -> dict[str, Any]:
        schema = part.schema
        assert schema.key is not None and schema.value is not None, "so are rows"
        found: dict[str, Any] = {}
        pattern = re.compile(rf"{re.escape(name)}\.([0-9]{{1,4}}):key")
        for number in sorted(int(match[1]) for field in self._rows if (match := pattern.fullmatch(field))):
            row = f"{name}.{number}"
            key = self._form.text(f"{row}:key")
            key = id_of(key) if key and schema.key.is_id and key not in now else key
            said = self.read(FieldPart(part.name, schema.value), now.get(key), [*at, key], row)
            if not key and said is not None and schema.key.is_id:
                key = _free(part.name.removesuffix("s"), {*found, *now})
                said = self.read(FieldPart(part.name, schema.value), None, [*at, key], row)
            self.places[f"{row}:key"] = ".".join([*at, key])
            if key in found:
                self.faults[f"{row}:key"] = f"'{key}' is already here; keep only one"
            elif not key and said is not None:
                self.faults[f"{row}:key"] = "choose an element, or remove this row"
            elif key:
                found[key] = said if said is not None else _nothing(schema.value)
        return found


def _free(stem: str, taken: set[str]) -> str:
    return next(one for one in (stem, *(f"{stem}_{number}" for number in range(2, 99_999))) if one not in taken)


def _nothing(schema: FieldSchema) -> Any:
    """Return the empty value for a row that has only a key."""
    return {} if schema.kind in ("group", "rows") else [] if schema.kind in ("several", "texts") else None


def _meant(schema: FieldSchema, written: str) -> Any:
    if not written:
        return None
    if schema.kind == "yes_no":
        return {"yes": True, "no": False}.get(written, written)
    if schema.kind == "number":
        return _number(written)
    if schema.kind == "texts":
        return [line.strip() for line in written.splitlines() if line.strip()]
    if schema.kind == "places":
        numbers = [_number(one) for one in re.split(r"[\s,;]+", written.strip(" ,;()"))]
        if len(numbers) % 2 or not all(isinstance(one, (int, float)) for one in numbers):
            return written
        points = [list(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
        return points[0] if schema.most == 1 and len(points) == 1 else points
    return written


def _number(written: str) -> float | str:
    if not NUMBER.fullmatch(written) or not -_LARGEST_NUMBER < float(written) < _LARGEST_NUMBER:
        return written
    value = float(written)
    return int(value) if value == int(value) else value
