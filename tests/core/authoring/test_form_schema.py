"""The form schema: the input each word of a scenario accepts, derived from the models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from zareba.authoring.form_schema import HEAD, SECTIONS, group_of, schema_of_type
from zareba.base.references import RefersTo
from zareba.base.yamlfile import Id, Name, Text, YamlModel

Point = tuple[Annotated[float, Field(ge=0)], float]


class Camel(YamlModel):
    """A beast. `humps`: one or two. A `name` is rare; a later mention of `name` does not count.

    `temper` is bad; `Moods` have no field.
    """

    name: Name | None = None
    humps: Literal["one", "two"] = "one"
    temper: int = Field(default=3, ge=1, le=6)
    tame: bool


class Racer(Camel):
    """A fast one."""

    pace: float


@pytest.mark.parametrize(
    ("kind", "shape", "told"),
    [
        (Literal["a", "b"], "choice", {"choices": ("a", "b")}),
        (bool | None, "yes_no", {}),
        (Annotated[int, Field(ge=2, le=9)], "number", {"least": 2, "most": 9, "is_integer": True}),
        (int | float, "number", {"is_integer": False}),
        (Name, "text", {"long": False}),
        (Text, "text", {"long": True}),
        (Id, "text", {"is_id": True}),
        (tuple[Text, ...], "text_list", {}),
        (list[Literal["a", "b"]], "choices_many", {"choices": ("a", "b")}),
        (Point, "points", {"least": 1, "most": 1}),
        (Annotated[tuple[Point, ...], Field(min_length=3, max_length=8)], "points", {"least": 3, "most": 8}),
        (dict[Id, Camel], "rows", {}),
        (Camel | None, "group", {"description": "A beast. Moods have no field."}),
        (int | str, "yaml", {}),
        (list[Camel], "yaml", {}),
        (Any, "yaml", {}),
    ],
)
def test_each_type_has_its_form_schema(kind: Any, shape: str, told: dict[str, Any]) -> None:
    found = schema_of_type(kind)
    assert found.kind == shape
    assert {name: getattr(found, name) for name in told} == told


def test_references_to_other_parts_become_choices() -> None:
    mark = RefersTo("units", besides=("nobody",))
    for kind, shape in ((Annotated[Id, mark], "choice"), (list[Annotated[Id, mark]], "choices_many")):
        found = schema_of_type(kind)
        assert (found.kind, found.refers_to, found.choices) == (shape, mark, ("nobody",))


def test_field_descriptions_come_from_docstrings_also_of_base_classes() -> None:
    fields = {part.name: part for part in group_of(Racer).fields}
    assert (fields["humps"].description, fields["temper"].description) == ("one or two", "temper is bad")
    assert fields["name"].description.startswith("A name is rare") and fields["pace"].description == ""
    assert group_of(Racer).description == "A fast one."
    assert [part.default for part in fields.values()] == ["", "one", "3", "", ""]
    assert [name for name, part in fields.items() if part.required] == ["tame", "pace"]


def test_the_sections_equal_those_of_the_model() -> None:
    assert list(SECTIONS) == ["terrain", "sides", "units", "leaders", "objectives", "objects", "hidden", "events"]
    assert list(SECTIONS["objectives"].kinds) == ["hold", "destroy", "carry_off", "escort", "capture_leader", "survive"]
    keys = SECTIONS["hidden"].keys
    assert keys is not None and keys.sections == ("sides",)
    assert {part.name for part in HEAD.fields} >= {"id", "night", "table", "traits", "first"}
