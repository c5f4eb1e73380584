"""The elements of a battle in the editor: each has a form, and its changes are written into the battle's YAML file.

In addition to the sections of a scenario, the editor has two more: the battle as a whole, and the part for one ruleset
only, defined by that ruleset's model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from pydantic import BaseModel

from zareba.authoring.form_schema import HEAD, SECTIONS, FieldPart, FieldSchema, group_of
from zareba.authoring.scenario_yaml import id_of, replace_document, set_value
from zareba.base.errors import FileError, Problem, ZarebaError, unknown_name
from zareba.base.yamlfile import Document, parse_yaml
from zareba.registry import load_rules, ruleset, ruleset_names
from zareba.scenario import Scenario, check_scenario
from zareba.scenario.overrides import check_overrides
from zareba.web.editor.fields import ROOT_FIELD, FormReading, field_of, names_in, place_in
from zareba.web.form import FormData

BATTLE = "battle"
"""The section of the editor for the battle as a whole."""
OVERRIDES = "overrides"
"""The section with the parts for one ruleset only."""
KIND_FIELD = f"{ROOT_FIELD}.kind"
BY_FORM = ("leaders", "objects", "objectives", "events", "sides")
"""The sections whose new elements begin with a form. Elements of the other sections begin with a place on the map."""
_OTHER_PLACES: Mapping[str, tuple[str, ...]] = {
    "units": ("arrival",),
    "leaders": ("unit", "arrival"),
    "objects": ("carrier",),
    "objectives": ("terrain", "edge"),
}
"""Other keys that give the place of an element; they are removed when it is placed on the map."""


class ElementForm:
    """The form of an element of a battle, or of a new one with the key "", and its present `values`.

    `place` is the key that gives its position, if any. `can_be_removed` is True if the battle already contains it.
    """

    def __init__(self, data: Mapping[str, Any], section: str, key: str, kind: str = "") -> None:
        """Make the form; a `kind` replaces that of the element. Raises ZarebaError if there is no such element."""
        self._data, self.section, self.key = data, section, key
        self.path = [] if section == BATTLE else [section, key]
        elements = elements_of(data, section)
        self.is_new = bool(self.path) and not key
        self.can_be_removed = key in elements
        values = elements.get(key, {}) if self.path else data
        if not isinstance(values, dict):
            raise ZarebaError(f"{section}.{key} is not a mapping; fix it in the file")
        self.values: Mapping[str, Any] = values
        self.part = FieldPart(section, self._schema(elements, kind))
        self.place = place_in(self.part.schema) if self.path else ""

    @property
    def title(self) -> str:
        """The heading of the form."""
        singular, name = self.section.removesuffix("s"), names_of(self._data).get(f"{self.section}.{self.key}", "")
        if self.is_new:
            return f"a new {singular}"
        return name if self.section in (BATTLE, OVERRIDES, "hidden") else f"{singular}: {name}"

    def _schema(self, elements: Mapping[str, Any], kind: str) -> FieldSchema:
        """Return the schema of the element's fields. A `kind` replaces that in its values."""
        section, key = self.section, self.key
        if section == BATTLE:
            return HEAD
        if section == OVERRIDES:
            if key not in elements and key not in installed_systems():
                raise unknown_name("ruleset", key, installed_systems())
            model = installed_systems()[key].overrides if key in installed_systems() else None
            return group_of(model) if model is not None else FieldSchema("group")
        if section not in SECTIONS:
            raise unknown_name("section", section, [BATTLE, *SECTIONS, OVERRIDES])
        schema = SECTIONS[section]
        possible_keys = names_in(self._data)(schema.keys) if schema.keys is not None else []
        if key not in (*elements, *possible_keys, *([""] if section in BY_FORM else [])):
            raise unknown_name("element", key, [*elements, *possible_keys])
        if kind and len(schema.kinds) > 1:
            if kind not in schema.kinds:
                raise unknown_name(f"kind of {section.removesuffix('s')}", kind, schema.kinds)
            self.values = {**self.values, "kind": kind}
        return schema.schema_for(self.values.get("kind"))

    @property
    def keys(self) -> set[str]:
        """The keys that its form contains."""
        return {part.name for part in self.part.schema.fields}

    def field(self) -> dict[str, Any]:
        """Return its form as a group of fields for the templates."""
        book = load_rules(self.key).book if self.section == OVERRIDES and self.key in installed_systems() else None
        return field_of(self.part, self.values, names_in(self._data, book))

    def values_in(self, form: FormData) -> tuple[dict[str, Any], FormReading]:
        """Return the values of a form, and the paths in the battle to which its fields belong."""
        reading = FormReading(form)
        values = reading.read(self.part, self.values, self.path) or {}
        if form.text("drawn"):
            if not self.place:
                raise ZarebaError("this element has no position")
            values = {key: value for key, value in values.items() if key not in _OTHER_PLACES.get(self.section, ())}
            values[self.place] = points_of(form)[0]
        return values, reading

    def text_with_values(self, text: str, form: FormData) -> str:
        """Return the text of the battle with the values of a form. Raises ZarebaError if they cannot be written."""
        values, reading = self.values_in(form)
        if reading.faults:
            field, fault = next(iter(reading.faults.items()))
            raise ZarebaError(f"{reading.places[field]}: {fault}")
        if self.is_new:
            return set_value(text, [self.section, id_for(self._data, self.section, values)], values)
        if not values:
            return set_value(text, self.path, {})
        return replace_document(text, self.path, values, None if self.path else self.keys)


def faults_of_form(text: str, form: FormData) -> dict[str, str]:
    """Return the problems that the form's values would cause, by the most specific field."""
    data, section = data_of(text), form.text("section")
    element = ElementForm(data, section, form.text("key"), form.text(KIND_FIELD))
    values, reading = element.values_in(form)
    if reading.faults:
        return reading.faults
    if element.path:
        key = id_for(data, section, values) if element.is_new else element.key
        element_path = f"{section}.{key}"
        changed: dict[str, Any] = {**data, section: {**elements_of(data, section), key: values}}
    else:
        element_path = ""
        changed = {name: value for name, value in data.items() if name not in element.keys} | values
    faults: dict[str, list[str]] = {}
    for problem in problems_in(Document("the battle", changed, {(): (1, 1)})):
        path = problem.path
        if element.is_new and _is_within(path, element_path):  # the fields of a new element have no key yet
            path = path.replace(element_path, f"{section}.{element.key}", 1)
        fields = [field for field, field_path in reading.places.items() if _is_within(path, field_path)]
        most_specific = max(fields, key=lambda field: len(reading.places[field]), default=ROOT_FIELD)
        if most_specific != ROOT_FIELD or (element.path and fields):
            faults.setdefault(most_specific, []).append(problem.message)
    return {field: "; ".join(messages) for field, messages in faults.items()}


def _is_within(path: str, outer: str) -> bool:
    """Return True if a path is another one, or leads into it."""
    return not outer or path == outer or path.startswith(f"{outer}.")


# --- names ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class System:
    """An installed ruleset: its title, and the model of its own part of a battle; None if it has none."""

    title: str
    overrides: type[BaseModel] | None


@cache
def installed_systems() -> Mapping[str, System]:
    """Return the rulesets that load without errors."""
    systems = {}
    for name in ruleset_names():
        with suppress(ZarebaError):
            systems[name] = System(load_rules(name).book.title, ruleset(name).overrides)
    return systems


def elements_of(data: Mapping[str, Any], section: str) -> dict[str, Any]:
    """Return the elements of a section by id; empty if the section is not a mapping."""
    elements = data.get(section)
    return elements if isinstance(elements, dict) else {}


@lru_cache(maxsize=16)
def _document_of(text: str) -> Document:
    """Return the parsed file of a battle; the result is cached."""
    return parse_yaml(text, "the battle")


def data_of(text: str) -> Mapping[str, Any]:
    """Return the data of a battle's file."""
    return _document_of(text).data


def data_or_empty(text: str) -> Mapping[str, Any]:
    """Return the data of a battle's file; empty if it is not valid YAML."""
    try:
        return data_of(text)
    except ZarebaError:
        return {}


def names_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of the elements by `section.id`.

    Hidden forces are named after their side, and parts for one ruleset after the ruleset.
    """
    names = {BATTLE + ".": "the battle"}
    for section in SECTIONS:
        for key, element in elements_of(data, section).items():
            name = (element.get("name") or element.get("text")) if isinstance(element, dict) else None
            names[f"{section}.{key}"] = str(name or key)
    for side in {**elements_of(data, "sides"), **elements_of(data, "hidden")}:
        names[f"hidden.{side}"] = f"hidden forces of {names.get(f'sides.{side}', side)}"
    installed = installed_systems()
    for ruleset_name in {**installed, **elements_of(data, OVERRIDES)}:
        title = installed[ruleset_name].title if ruleset_name in installed else ruleset_name
        names[f"{OVERRIDES}.{ruleset_name}"] = f"for {title} only"
    return names


def id_for(data: Mapping[str, Any], section: str, values: Mapping[str, Any]) -> str:
    """Return an unused id for a new element, made from its name. Units and leaders share one set of ids."""
    name = str(values.get("name") or values.get("text") or section.removesuffix("s"))[:40]
    return free_id(name, {**elements_of(data, "units"), **elements_of(data, "leaders"), **elements_of(data, section)})


def free_id(name: str, known: Mapping[str, Any]) -> str:
    """Return an unused id made from a name."""
    stem = id_of(name)
    candidates = (stem, *(f"{stem[:56]}_{number}" for number in range(2, 9_999)))
    return next(candidate for candidate in candidates if candidate not in known)


def points_of(form: FormData) -> list[list[float]]:
    """Return the points that a page sent as `x,y x,y`, in inches."""
    points = []
    for pair in form.text("drawn").split():
        x, _, y = pair.partition(",")
        point = FormData([("x", x), ("y", y)])
        points.append([round(point.number("x"), 1), round(point.number("y"), 1)])
    if not 1 <= len(points) <= 100:
        raise ZarebaError("draw at least one point, and at most 100")
    return points


# --- checks -----------------------------------------------------------------------------------------------------------


def problems_of(text: str) -> Sequence[Problem]:
    """Return all problems of a battle's file, as `zareba check` reports them."""
    try:
        return problems_in(_document_of(text))
    except FileError as error:
        return error.problems


def problems_in(document: Document) -> Sequence[Problem]:
    """Return all problems of a battle's data."""
    try:
        scenario = document.validate(Scenario)
    except FileError as error:
        return error.problems
    models = {name: system.overrides for name, system in installed_systems().items()}
    return sorted((*check_scenario(scenario, document), *check_overrides(scenario, document, models)))


def problem_for_page(problem: Problem, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a problem for the page: its line, its text, and the form in which it can be fixed, if there is one."""
    section, _, rest = problem.path.partition(".")
    key, _, field = rest.partition(".")
    if section not in (*SECTIONS, OVERRIDES):
        section, key, field = BATTLE if section in (part.name for part in HEAD.fields) else "", "", problem.path
    elif not key:
        field = section
    element_name = names.get(f"{section}.{key}", key) if key else ""
    where = ", ".join(filter(None, [element_name, field.replace("_", " ").replace(".", " ")]))
    is_empty_section = problem.path in SECTIONS and not any(name.startswith(f"{problem.path}.") for name in names)
    message = "there are none yet; draw some" if is_empty_section else problem.message
    return {
        "line": problem.line,
        "words": f"{where}: {message}" if where else message,
        "section": section if f"{section}.{key}" in names else "",
        "key": key,
    }
