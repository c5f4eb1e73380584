"""The fields of the scenario editor's form, read from the models that validate scenarios.

The form editor works from these schemas and contains no list of fields. A field added to a model, or to a package's
model of overrides, therefore appears in the form without further work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from zareba.base.references import RefersTo
from zareba.base.yamlfile import MAX_NAME, Id, YamlModel
from zareba.scenario.model import Scenario

_Kind: TypeAlias = Literal[
    "group", "rows", "choice", "choices_many", "yes_no", "number", "text", "text_list", "points", "yaml"
]  # fmt: skip


@dataclass(frozen=True)
class FieldSchema:
    """The input that a field takes, by its kind.

    - group: the `fields` of one thing
    - rows: any number of entries, each with a `key` and a `value`
    - choice: one of `choices` or of the ids that `refers_to` points to
    - choices_many: any number of these
    - yes_no: yes or no
    - number: from `least` to `most`, a whole number if `is_integer`
    - text: on one line, on several if `long`, or an id if `is_id`
    - text_list: several texts, one a line
    - points: from `least` to `most` points of the table
    - yaml: any other value, as YAML

    `description` is the description of a group from the model's docstring.
    """

    kind: _Kind
    choices: tuple[str, ...] = ()
    refers_to: RefersTo | None = None
    fields: tuple[FieldPart, ...] = ()
    key: FieldSchema | None = None
    value: FieldSchema | None = None
    is_integer: bool = False
    least: float | None = None
    most: float | None = None
    long: bool = False
    is_id: bool = False
    description: str = ""


@dataclass(frozen=True)
class FieldPart:
    """A field of a group, by its name in the file.

    `default` is the text of its default, and `description` its description from the model's docstring.
    """

    name: str
    schema: FieldSchema
    required: bool = False
    default: str = ""
    description: str = ""


@dataclass(frozen=True)
class FormSection:
    """A section of a scenario, with the fields of its entries by kind; with only one kind, its key is "".

    `keys` refers to the section whose ids the entries use; None if the entries' ids are new names.
    """

    kinds: Mapping[str, FieldSchema]
    keys: RefersTo | None = None

    def schema_for(self, kind: object) -> FieldSchema:
        """Return the fields of an entry of this kind, or of the first kind if this one is unknown."""
        return self.kinds.get(kind if isinstance(kind, str) else "") or next(iter(self.kinds.values()))


def schema_of_type(annotation: Any, metadata: Sequence[Any] = ()) -> FieldSchema:
    """Return the schema of a type annotation with its metadata (`Field`, `RefersTo`, limits of texts)."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return schema_of_type(inner[0], (*metadata, *inner[1:]))
    if origin in (Union, UnionType):
        schemas = [schema_of_type(member, metadata) for member in inner if member is not NoneType]
        # A union of numbers is the last of them; any other is YAML.
        are_alike = len(schemas) == 1 or all(schema.kind == "number" for schema in schemas)
        return schemas[-1] if are_alike else FieldSchema("yaml")
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return group_of(annotation)
    limits = _limits(metadata)
    if origin is Literal:
        return FieldSchema("choice", choices=tuple(map(str, inner)))
    if origin is dict:
        key, value = map(schema_of_type, inner)
        return FieldSchema("rows", key=key, value=value) if key.kind in ("choice", "text") else FieldSchema("yaml")
    if origin in (list, tuple):
        return _schema_of_list(inner, limits)
    if annotation is bool:
        return FieldSchema("yes_no")
    if annotation in (int, float):
        least, most = (_first(limits, *names) for names in (("ge", "gt"), ("le", "lt")))
        return FieldSchema("number", is_integer=annotation is int, least=least, most=most)
    if annotation is str:
        refers_to = next((mark for mark in metadata if isinstance(mark, RefersTo)), None)
        if refers_to is not None:
            return FieldSchema("choice", choices=refers_to.besides, refers_to=refers_to)
        most = _first(limits, "max_length")
        is_long = most is not None and most > MAX_NAME
        return FieldSchema("text", long=is_long, is_id=_ID in _values_of(limits, "pattern"))
    return FieldSchema("yaml")


def group_of(model: type[BaseModel], exclude: Iterable[str] = ()) -> FieldSchema:
    """Return the fields of a model, except those in `exclude`, with their descriptions from its docstring."""
    description, by_field = _descriptions(model)
    fields = (
        FieldPart(
            field.alias or name,
            schema_of_type(field.annotation, field.metadata),
            field.is_required(),
            _default_text(field.default),
            by_field.get(name, ""),
        )
        for name, field in model.model_fields.items()
        if name not in exclude
    )
    return FieldSchema("group", fields=tuple(fields), description=description)


def _descriptions(model: type[BaseModel]) -> tuple[str, dict[str, str]]:
    """Return a model's general description, and the descriptions of its fields, both from docstrings.

    The docstring is split before each sentence that begins with a field name in backticks; that sentence describes the
    field. Descriptions of inherited fields come from the class that declares them.
    """
    description: list[str] = []
    by_field: dict[str, str] = {}
    classes = [cls for cls in model.__mro__ if issubclass(cls, BaseModel) and cls.__module__ not in _BASES]
    for cls in reversed(classes):
        description = []
        for sentence in _SENTENCES.split(" ".join((cls.__doc__ or "").split())):
            field, plain = _FIELD_NAME.match(sentence), sentence.replace("`", "")
            if field is not None and field[1] in model.model_fields:
                by_field[field[1]] = plain.removeprefix(f"{field[1]}: ").rstrip(";.")
            else:
                description.append(plain)
    return " ".join(description), by_field


def _schema_of_list(inner: tuple[Any, ...], limits: Sequence[Any]) -> FieldSchema:
    """Return the schema of a list or tuple from the types of its items and its limits; two numbers are a point."""
    if len(inner) == 2 and all(schema_of_type(item).kind == "number" for item in inner):
        return FieldSchema("points", least=1, most=1)
    has_one_type = len(inner) == 1 or inner[1:] == (Ellipsis,)
    if has_one_type:
        item = schema_of_type(inner[0])
        if item.kind == "choice":
            return replace(item, kind="choices_many")
        if item.kind == "text":
            return FieldSchema("text_list", is_id=item.is_id)
        if item.kind == "points" and item.most == 1:
            return replace(item, least=_first(limits, "min_length"), most=_first(limits, "max_length"))
    return FieldSchema("yaml")


def _limits(metadata: Sequence[Any]) -> list[Any]:
    """Return the metadata with `Field` objects replaced by their own limits."""
    return [limit for mark in metadata for limit in (mark.metadata if isinstance(mark, FieldInfo) else (mark,))]


def _values_of(limits: Sequence[Any], *names: str) -> list[Any]:
    """Return the values that the limits give under these names, such as `ge` or `max_length`."""
    values = [getattr(limit, name, None) for limit in limits for name in names]
    return [value for value in values if value is not None]


def _first(limits: Sequence[Any], *names: str) -> float | None:
    return next(iter(_values_of(limits, *names)), None)


def _default_text(default: Any) -> str:
    """Return the default of a field as its form shows it; "" for a default that is no word or number."""
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, (str, int, float)):
        return str(default)
    return ", ".join(default) if isinstance(default, tuple) and all(isinstance(item, str) for item in default) else ""


def _section(field: FieldInfo) -> FormSection | None:
    """Return the section for a field that holds entries by id; None for any other field."""
    if get_origin(field.annotation) is not dict:
        return None
    key, value = get_args(field.annotation)
    if get_origin(value) is Annotated:
        value = get_args(value)[0]
    models = get_args(value) if get_origin(value) in (Union, UnionType) else (value,)
    if not all(isinstance(model, type) and issubclass(model, BaseModel) for model in models):
        return None
    if len(models) == 1:
        return FormSection({"": group_of(models[0])}, schema_of_type(key).refers_to)
    groups = {_kind_of(model): group_of(model) for model in models}
    kind_field = FieldPart("kind", FieldSchema("choice", choices=tuple(groups)), required=True)
    kinds = {}
    for kind, group in groups.items():
        fields = tuple(kind_field if part.name == "kind" else part for part in group.fields)
        kinds[kind] = replace(group, fields=fields)
    return FormSection(kinds, schema_of_type(key).refers_to)


def _kind_of(model: type[BaseModel]) -> str:
    (kind,) = get_args(model.model_fields["kind"].annotation)
    return str(kind)


_BASES: Final = (BaseModel.__module__, YamlModel.__module__)
_SENTENCES: Final = re.compile(r"(?<=[.;]) (?=(?:A )?`)")
"""Matches the space before a sentence or clause that begins with a name in backticks."""
_FIELD_NAME: Final = re.compile(r"(?:A )?`([a-z_]+)`")
_ID: Final = next(iter(_values_of(get_args(Id)[1:], "pattern")))
"""The pattern of ids, by which a field with an id is recognized."""
SECTIONS: Final[Mapping[str, FormSection]] = {
    name: section for name, field in Scenario.model_fields.items() if (section := _section(field)) is not None
}
"""The sections of a scenario with entries by id.

Overrides are not among them; their fields come from each ruleset's model.
"""
HEAD: Final = group_of(Scenario, exclude=(*SECTIONS, "overrides"))
"""The fields of the scenario as a whole."""
