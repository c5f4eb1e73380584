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
    "group", "rows", "several", "choice", "yes_no", "number", "words", "texts", "places", "yaml"
]  # fmt: skip


@dataclass(frozen=True)
class FieldSchema:
    """The input that a field takes.

    group: the fields `parts` of one thing. rows: any number of entries, each with a `key` and a `value`. choice,
    several: one or more of `choices` and of the ids that `refers` points to. number: from `least` to `most`, `whole`
    or not. words: text, `long` or on one line, or an id (`is_id`). texts: several texts, one a line. places: from
    `least` to `most` points of the table. yaml: any other value, as YAML. `about` is the description from the model's
    docstring.
    """

    kind: _Kind
    choices: tuple[str, ...] = ()
    refers: RefersTo | None = None
    parts: tuple[FieldPart, ...] = ()
    key: FieldSchema | None = None
    value: FieldSchema | None = None
    whole: bool = False
    least: float | None = None
    most: float | None = None
    long: bool = False
    is_id: bool = False
    about: str = ""


@dataclass(frozen=True)
class FieldPart:
    """A field of a group, by its name in the file.

    `usual` is its default, `about` its description in the model's docstring.
    """

    name: str
    schema: FieldSchema
    needed: bool = False
    usual: str = ""
    about: str = ""


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


def schema_of_type(kind: Any, marks: Sequence[Any] = ()) -> FieldSchema:
    """Return the schema of a type annotation with its metadata (`Field`, `RefersTo`, limits of texts)."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return schema_of_type(inner[0], (*marks, *inner[1:]))
    if origin in (Union, UnionType):
        schemas = [schema_of_type(member, marks) for member in inner if member is not NoneType]
        are_alike = len(schemas) == 1 or all(schema.kind == "number" for schema in schemas)
        return schemas[-1] if are_alike else FieldSchema("yaml")
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return group_of(kind)
    limits = _limits(marks)
    if origin is Literal:
        return FieldSchema("choice", choices=tuple(map(str, inner)))
    if origin is dict:
        key, value = map(schema_of_type, inner)
        return FieldSchema("rows", key=key, value=value) if key.kind in ("choice", "words") else FieldSchema("yaml")
    if origin in (list, tuple):
        return _schema_of_list(inner, limits)
    if kind is bool:
        return FieldSchema("yes_no")
    if kind in (int, float):
        least, most = (_first(limits, *names) for names in (("ge", "gt"), ("le", "lt")))
        return FieldSchema("number", whole=kind is int, least=least, most=most)
    if kind is str:
        refers = next((mark for mark in marks if isinstance(mark, RefersTo)), None)
        if refers is not None:
            return FieldSchema("choice", choices=refers.besides, refers=refers)
        most = _first(limits, "max_length")
        is_long = most is not None and most > MAX_NAME
        return FieldSchema("words", long=is_long, is_id=_ID in _values_of(limits, "pattern"))
    return FieldSchema("yaml")


def group_of(model: type[BaseModel], but: Iterable[str] = ()) -> FieldSchema:
    """Return the fields of a model, except those in `but`, with their descriptions from its docstring."""
    about, by_field = _descriptions(model)
    parts = (
        FieldPart(
            field.alias or name,
            schema_of_type(field.annotation, field.metadata),
            field.is_required(),
            _default_text(field.default),
            by_field.get(name, ""),
        )
        for name, field in model.model_fields.items()
        if name not in but
    )
    return FieldSchema("group", parts=tuple(parts), about=about)


def _descriptions(model: type[BaseModel]) -> tuple[str, dict[str, str]]:
    """Return a model's general description, and the descriptions of its fields, both from docstrings.

    The docstring is split before each sentence that begins with a field name in backticks; that sentence describes the
    field. Descriptions of inherited fields come from the class that declares them.
    """
    about: list[str] = []
    by_field: dict[str, str] = {}
    classes = [cls for cls in model.__mro__ if issubclass(cls, BaseModel) and cls.__module__ not in _BASES]
    for cls in reversed(classes):
        about = []
        for sentence in _SENTENCES.split(" ".join((cls.__doc__ or "").split())):
            field, plain = _FIELD_NAME.match(sentence), sentence.replace("`", "")
            if field is not None and field[1] in model.model_fields:
                by_field[field[1]] = plain.removeprefix(f"{field[1]}: ").rstrip(";.")
            else:
                about.append(plain)
    return " ".join(about), by_field


def _schema_of_list(inner: tuple[Any, ...], limits: Sequence[Any]) -> FieldSchema:
    """Return the schema of a list or tuple from the types of its items and its limits; two numbers are a point."""
    if len(inner) == 2 and all(schema_of_type(item).kind == "number" for item in inner):
        return FieldSchema("places", least=1, most=1)
    has_one_type = len(inner) == 1 or inner[1:] == (Ellipsis,)
    if has_one_type:
        item = schema_of_type(inner[0])
        if item.kind == "choice":
            return replace(item, kind="several")
        if item.kind == "words":
            return FieldSchema("texts", is_id=item.is_id)
        if item.kind == "places" and item.most == 1:
            return replace(item, least=_first(limits, "min_length"), most=_first(limits, "max_length"))
    return FieldSchema("yaml")


def _limits(marks: Sequence[Any]) -> list[Any]:
    """Return the single limits in the metadata of a type annotation."""
    return [limit for mark in marks for limit in (mark.metadata if isinstance(mark, FieldInfo) else (mark,))]


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
    return ", ".join(default) if isinstance(default, tuple) and all(isinstance(one, str) for one in default) else ""


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
        return FormSection({"": group_of(models[0])}, schema_of_type(key).refers)
    groups = {_kind_of(model): group_of(model) for model in models}
    kind_field = FieldPart("kind", FieldSchema("choice", choices=tuple(groups)), needed=True)
    kinds = {}
    for kind, group in groups.items():
        parts = tuple(kind_field if part.name == "kind" else part for part in group.parts)
        kinds[kind] = replace(group, parts=parts)
    return FormSection(kinds, schema_of_type(key).refers)


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
HEAD: Final = group_of(Scenario, but=(*SECTIONS, "overrides"))
"""The fields of the scenario as a whole."""
