"""What may be said in a battle, from the very models that check it: each word with the shape of what it takes.

Whoever draws a form goes over these shapes and knows no word of the vocabulary, so that a word which a model learns, or a
package's own model of overrides has, gets its field without anybody's doing.
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

__all__ = ["HEAD", "SECTIONS", "FieldPart", "FieldSchema", "FormSection", "group_of", "schema_of_type"]

Kind: TypeAlias = Literal[
    "group", "rows", "several", "choice", "yes_no", "number", "words", "texts", "places", "yaml"
]  # fmt: skip


@dataclass(frozen=True)
class FieldSchema:
    """What a word takes.

    group: `parts`, said of one thing. rows: any number of things by their names, each a `key` and a `value`. choice, several:
    one or some of `choices` and of what is named by `refers`. number: from `least` to `most`, `whole` or not. words: text,
    `long` or of one line, or an id (`is_id`). texts: several, one a line. places: points of the table, `least` to `most` of
    them. yaml: anything else, as it stands in the file. `about` is what the model says of itself.
    """

    kind: Kind
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
    """A word of a group, as the file has it; `usual` is what it means when it is not said, `about` what the model says of it."""

    name: str
    shape: FieldSchema
    needed: bool = False
    usual: str = ""
    about: str = ""


@dataclass(frozen=True)
class FormSection:
    """Things of a battle by their ids: by kind where each kind has words of its own, else all under "".

    `keys` says what their ids are the names of, None where each has an id of its own.
    """

    kinds: Mapping[str, FieldSchema]
    keys: RefersTo | None = None

    def shape(self, kind: object) -> FieldSchema:
        """The words of a thing of a kind; of the first one for a kind that there is not."""
        return self.kinds.get(kind if isinstance(kind, str) else "") or next(iter(self.kinds.values()))


def schema_of_type(kind: Any, marks: Sequence[Any] = ()) -> FieldSchema:
    """The shape of a declared type with its marks (`Field`, `RefersTo`, limits of texts)."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return schema_of_type(inner[0], (*marks, *inner[1:]))
    if origin in (Union, UnionType):
        shapes = [schema_of_type(one, marks) for one in inner if one is not NoneType]
        alike = len(shapes) == 1 or all(shape.kind == "number" for shape in shapes)
        return shapes[-1] if alike else FieldSchema("yaml")
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return group_of(kind)
    limits = _limits(marks)
    if origin is Literal:
        return FieldSchema("choice", choices=tuple(map(str, inner)))
    if origin is dict:
        key, value = map(schema_of_type, inner)
        return FieldSchema("rows", key=key, value=value) if key.kind in ("choice", "words") else FieldSchema("yaml")
    if origin in (list, tuple):
        return _listed(inner, limits)
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
        return FieldSchema("words", long=most is not None and most > MAX_NAME, is_id=_ID in _all(limits, "pattern"))
    return FieldSchema("yaml")


def group_of(model: type[BaseModel], but: Iterable[str] = ()) -> FieldSchema:
    """The words of a model, without some; its docstring says what it is, and of which words what they mean."""
    about, of_words = _explained(model)
    parts = (
        FieldPart(
            field.alias or name,
            schema_of_type(field.annotation, field.metadata),
            field.is_required(),
            _usual(field.default),
            of_words.get(name, ""),
        )
        for name, field in model.model_fields.items()
        if name not in but
    )
    return FieldSchema("group", parts=tuple(parts), about=about)


def _explained(model: type[BaseModel]) -> tuple[str, dict[str, str]]:
    """What a model's docstring says as a whole, and the clauses that begin with one of its words, by that word.

    What is said of a word where it was first declared holds for all who have it from there.
    """
    about: list[str] = []
    of_words: dict[str, str] = {}
    owners = [one for one in model.__mro__ if issubclass(one, BaseModel) and one.__module__ not in _BASES]
    for owner in reversed(owners):
        about = []
        for clause in _CLAUSES.split(" ".join((owner.__doc__ or "").split())):
            begins, plain = _WORD.match(clause), clause.replace("`", "")
            if begins is not None and begins[1] in model.model_fields:
                of_words[begins[1]] = plain.removeprefix(f"{begins[1]}: ").rstrip(";.")
            else:
                about.append(plain)
    return " ".join(about), of_words


def _listed(inner: tuple[Any, ...], limits: Sequence[Any]) -> FieldSchema:
    if len(inner) == 2 and all(schema_of_type(one).kind == "number" for one in inner):
        return FieldSchema("places", least=1, most=1)
    if len(inner) == 1 or inner[1:] == (Ellipsis,):
        one = schema_of_type(inner[0])
        if one.kind == "choice":
            return replace(one, kind="several")
        if one.kind == "words":
            return FieldSchema("texts", is_id=one.is_id)
        if one.kind == "places" and one.most == 1:
            return replace(one, least=_first(limits, "min_length"), most=_first(limits, "max_length"))
    return FieldSchema("yaml")


def _limits(marks: Sequence[Any]) -> list[Any]:
    return [limit for mark in marks for limit in (mark.metadata if isinstance(mark, FieldInfo) else (mark,))]


def _all(limits: Sequence[Any], *names: str) -> list[Any]:
    found = [getattr(limit, name, None) for limit in limits for name in names]
    return [value for value in found if value is not None]


def _first(limits: Sequence[Any], *names: str) -> float | None:
    return next(iter(_all(limits, *names)), None)


def _usual(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, (str, int, float)):
        return str(default)
    return ", ".join(default) if isinstance(default, tuple) and all(isinstance(one, str) for one in default) else ""


def _section(field: FieldInfo) -> FormSection | None:
    """A field that holds things by their ids, each with words of its own; None for any other."""
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
    kinds = {_kind_of(model): group_of(model) for model in models}
    choose = FieldPart("kind", FieldSchema("choice", choices=tuple(kinds)), needed=True)
    return FormSection(
        {
            kind: replace(shape, parts=tuple(choose if part.name == "kind" else part for part in shape.parts))
            for kind, shape in kinds.items()
        },
        schema_of_type(key).refers,
    )


def _kind_of(model: type[BaseModel]) -> str:
    (kind,) = get_args(model.model_fields["kind"].annotation)
    return str(kind)


_BASES: Final = (BaseModel.__module__, YamlModel.__module__)
_CLAUSES: Final = re.compile(r"(?<=[.;]) (?=(?:A )?`)")
_WORD: Final = re.compile(r"(?:A )?`([a-z_]+)`")
_ID: Final = next(iter(_all(get_args(Id)[1:], "pattern")))
SECTIONS: Final[Mapping[str, FormSection]] = {
    name: section for name, field in Scenario.model_fields.items() if (section := _section(field)) is not None
}
"""The sections of a battle whose things have words of their own; what is said for one system alone has those of its model."""
HEAD: Final = group_of(Scenario, but=(*SECTIONS, "overrides"))
"""What is said of the battle as a whole."""
