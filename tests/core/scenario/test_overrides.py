"""Scenario values for a single ruleset: checked with their position, displayed, and ignored by other rulesets."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import Id, YamlModel, parse_yaml
from zareba.registry import load_rules, ruleset_names
from zareba.rules import RefersTo
from zareba.scenario import Scenario, load_scenario, read_scenario
from zareba.scenario.overrides import check_overrides, override_lines, overrides_of


class Wishes(YamlModel):
    """`first`: a side; `elite`: units."""

    first: Annotated[Id, RefersTo("sides")] | None = None
    elite: list[Annotated[Id, RefersTo("units")]] = Field(default_factory=list)


def with_overrides(**overrides: dict[str, object]) -> Scenario:
    return load_scenario("patrol_clash").model_copy(update={"overrides": overrides})


def test_a_scenario_without_overrides_gives_the_defaults() -> None:
    assert (
        overrides_of(with_overrides(), "club", Wishes)
        == overrides_of(with_overrides(mess={}), "club", Wishes)
        == Wishes()
    )


def test_overrides_for_other_rulesets_are_not_read() -> None:
    said = with_overrides(club={"first": "patrol", "elite": ["fusiliers"]}, mess={"whatever": 3})
    assert overrides_of(said, "club", Wishes) == Wishes(first="patrol", elite=["fusiliers"])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"frist": "patrol"}, "patrol_clash: overrides.club.frist: unknown field; did you mean 'first'?"),
        ({"first": "patroll"}, "patrol_clash: overrides.club.first: there is no 'patroll' in sides; did you mean 'patrol'?"),
        ({"first": "\U0001f418"}, "patrol_clash: overrides.club.first: "),
        ({"first": 3}, "patrol_clash: overrides.club.first: expected text"),
        ({"elite": "fusiliers"}, "patrol_clash: overrides.club.elite: expected a list"),
        ({"elite": ["fusiliers", "nobody"]}, "patrol_clash: overrides.club.elite.1: there is no 'nobody' in units"),
    ],
)  # fmt: skip
def test_invalid_overrides_are_rejected_with_their_path(wrong: dict[str, object], sentence: str) -> None:
    with pytest.raises(ZarebaError) as caught:
        overrides_of(with_overrides(club=wrong), "club", Wishes)
    assert str(caught.value).startswith(sentence)


def test_the_check_of_a_file_reports_lines_and_rulesets() -> None:
    text = load_scenario("patrol_clash").model_dump_json(exclude_defaults=True)
    document = parse_yaml(
        text[:-1] + ',\n"overrides":\n  {club:\n    {first: patroll},\n  mess: {first: patrol},\n  xyz: {}}}',
        "club.yaml",
    )
    problems = check_overrides(read_scenario(document), document, {"club": Wishes, "mess": None})
    assert [str(problem) for problem in problems] == [
        "club.yaml:4:6: overrides.club.first: there is no 'patroll' in sides; did you mean 'patrol'?",
        "club.yaml:5:10: overrides.mess.first: unknown field; known: none",
        "club.yaml:6:3: overrides.xyz: there is no installed ruleset 'xyz'; known: club, mess",
    ]  # fmt: skip


def test_every_override_is_shown_in_a_line() -> None:
    said = with_overrides(club={"first": "patrol", "elite": ["fusiliers"], "long": "x" * 200}, mess={"whatever": 3})
    lines = override_lines(said, "club")
    assert lines[:2] == ("first: patrol", "elite: [fusiliers]") and len(lines) == 3
    assert lines[2].endswith("...") and len(lines[2]) < 120
    assert override_lines(said, "pub") == ()


@pytest.mark.parametrize("name", ruleset_names())
def test_every_ruleset_refuses_what_it_does_not_know(name: str) -> None:
    with pytest.raises(ZarebaError, match=rf"overrides\.{name}\.nonsense: unknown field"):
        nonsense: dict[str, object] = {"nonsense": 1}
        load_rules(name).game(with_overrides(**{name: nonsense}))
