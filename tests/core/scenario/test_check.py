"""Errors in a scenario are all reported at once with their positions, for every kind of error."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zareba.base.errors import FileError
from zareba.scenario import Scenario, parse_scenario

TRIAL = Path(__file__).with_name("trial.yaml").read_text(encoding="utf-8")

FAULTS = Path(__file__).with_name("faults.txt")
"""Edits of the trial scenario, one a block: the text before (-), the text after (+) and the errors. To add an edit,
write its - and + lines, and run `ZAREBA_REWRITE_GOLDEN=1 pytest tests/core/scenario/test_check.py`."""


def problems(text: str) -> list[str]:
    """Return the problems of a scenario as `line:column: path: message`; an empty list if it is valid."""
    try:
        parse_scenario(text, "f")
    except FileError as error:
        return [str(problem).removeprefix("f:") for problem in error.problems]
    return []


def test_the_sample_scenario_is_valid() -> None:
    assert problems(TRIAL) == []


def with_errors(edit: str) -> str:
    """Return a block of the listing with the errors that its edit causes now."""
    lines = [line for line in edit.splitlines() if line[0] in "-+"]
    old, new = ("\n".join(line[2:] for line in lines if line[0] == sign) for sign in "-+")
    assert old in TRIAL, old
    found = problems(TRIAL.replace(old, new))
    assert found, f"{new} is no error"
    return "\n".join([*lines, *(f"  {problem}" for problem in found)])


def test_every_error_has_its_place_and_its_remedy() -> None:
    listed = FAULTS.read_text(encoding="utf-8")
    found = "\n\n".join(with_errors(edit) for edit in listed.rstrip("\n").split("\n\n")) + "\n"
    if os.environ.get("ZAREBA_REWRITE_GOLDEN"):
        FAULTS.write_text(found, encoding="utf-8")
    assert found == FAULTS.read_text(encoding="utf-8")


def test_faults_in_many_places_are_reported_at_once() -> None:
    text = TRIAL
    for old, new in (
        ("first: red", "first: rde"),
        ("zone: front", "zone: frnt"),
        ("terrain: knoll", "terrain: knol"),
        ("position: [30, 44]", "position: [30, 49]"),
        ("pieces: 2}", "pieces: 2}, close_weapon: lance"),
        ("turn: 8", "turn: 11"),
    ):
        text = text.replace(old, new)
    assert [problem.split(":")[0] for problem in problems(text)] == ["7", "23", "24", "29", "31", "40"]


LINE = "first: {name: L, side: blue, arm: infantry, kind: european_regular, figures: 24, position: [30, 20], facing: north}"
HORSE = "  horse_behind: {name: H, side: blue, arm: cavalry, kind: european_regular, figures: 24, position: [%s], facing: north}"


@pytest.mark.parametrize(
    ("first", "second", "place", "fine"),
    [
        ("", "", "30, 14.1", True),  # cavalry 5.9 inches behind a line of 24
        ("", "", "30, 16.9", True),
        ("", "", "30, 17.5", False),
        ("", "", "30, 20", False),
        ("", "", "24, 20", False),  # next to it
        ("", "", "23.3, 20", True),
        (", formation: column", "", "30, 15.5", False),
        (", formation: column", ", formation: column", "25.9, 20", True),
        ("facing: east", "facing: east", "24.1, 20", True),
        ("facing: east", "facing: east", "30, 14.1", False),
        ("", "facing: west", "30, 14.1", False),
        ("facing: north_east", "facing: north_east", "26, 16", True),
        ("facing: north_east", "facing: north_east", "26, 24", False),
    ],
)
def test_units_overlap_by_their_frontage_and_depth(first: str, second: str, place: str, fine: bool) -> None:
    units = [LINE, HORSE % place]
    for index, words in enumerate((first, second)):
        if words.startswith("facing"):
            units[index] = units[index].replace("facing: north", words)
        else:
            units[index] = units[index].replace("}", f"{words}}}")
    found = problems(TRIAL.replace("units:\n", "units:\n  " + "\n".join(units) + "\n", 1))
    assert [message for message in found if "overlaps 'first'" in message] == found
    assert (found == []) is fine


def test_units_without_facing_overlap_only_if_they_do_in_every_facing() -> None:
    text = TRIAL.replace("home_edge: south, ", "").replace("units:\n", f"units:\n  {LINE}\n{HORSE % '30, 14.1'}\n", 1)
    assert problems(text.replace(", facing: north", "")) == []


def test_a_battle_without_objectives_is_won_by_strength() -> None:
    start = TRIAL.index("objectives:\n")
    end = next(index for index in range(start + 1, len(TRIAL)) if TRIAL[index - 1] == "\n" and TRIAL[index].isalpha())
    assert problems(TRIAL[:start] + TRIAL[end:]) == []


def test_a_zone_can_be_too_crowded() -> None:
    text = TRIAL.replace("[[5, 40], [55, 40], [55, 47], [5, 47]]", "[[5, 40], [8, 40], [8, 43], [5, 43]]")
    assert problems(text) == []
    text = text.replace("arrival: {turn: 3, edge: north, at: [30, 48]}", "zone: back")
    assert problems(text) == [
        "26:3: units.late: there is no room left for it in its zone; enlarge the zone or move units"
    ]


def many_units(count: int) -> str:
    """Return the trial scenario with `count` units; the added units arrive later."""
    unit = "{name: M, side: blue, arm: infantry, kind: tribal, figures: 1, arrival: {turn: 2, edge: west}}"
    more = "".join(f"  more_{i}: {unit}\n" for i in range(count - 5))
    return TRIAL.replace("leaders:\n", f"{more}leaders:\n", 1)


def test_limits_hold_at_their_border() -> None:
    assert problems(many_units(200)) == []
    assert problems(many_units(201)) == ["21:1: units: must have at most 200 entries"]
    for old, new in (
        ("turns: 10\n", "turns: 200\n"),
        ("title: Trial", "title: " + "x" * 80),
        ("note: Made up for a test.", "note: " + "x" * 2000),
        ("figures: 10", "figures: 200"),
        ("table: {width: 60, depth: 48}", "table: {width: 200, depth: 48}"),
    ):
        assert problems(TRIAL.replace(old, new)) == []


def terrain_of(points: int) -> str:
    """Return the trial scenario with `points` points of terrain in total."""
    corners = ", ".join("[35, 35]" if i % 2 else "[36, 36]" for i in range(100))
    last = ", ".join("[35, 35]" if i % 2 else "[36, 36]" for i in range((points - 10) % 100))
    roads = "".join(f"  road_{i}: {{kind: road, line: [{corners}]}}\n" for i in range((points - 10) // 100))
    return TRIAL.replace("sides:\n", f"{roads}  road: {{kind: road, line: [{last}]}}\nsides:\n", 1)


def test_terrain_has_a_limit_of_points_in_all() -> None:
    assert problems(terrain_of(1000)) == []
    assert problems(terrain_of(1001)) == ["9:1: terrain: 1,001 points in all; simplify the outlines to 1,000 or fewer"]


tokens = st.sampled_from(
    [
        *"[]{}:,-#&*!|>%@`'\"\n\t 0",
        "red",
        "foot",
        "null",
        "-1",
        "1e9",
        ".nan",
        "  ",
        "\x00",
        "[[",
        "knoll",
        "é",
        "true",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(TRIAL)), st.integers(0, 30), st.lists(tokens, max_size=4).map("".join)),
        min_size=1,
        max_size=4,
    )
)
def test_random_damage_to_a_file_is_accepted_or_refused_with_a_message(spoils: list[tuple[int, int, str]]) -> None:
    text = TRIAL
    for start, length, new in spoils:
        text = text[:start] + new + text[start + length :]
    try:
        scenario = parse_scenario(text, "f")
    except FileError as error:
        assert error.problems
        assert all(problem.file == "f" and problem.line >= 1 for problem in error.problems)
    else:
        assert isinstance(scenario, Scenario)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_swapped_values_are_accepted_or_refused_with_a_message(data: st.DataObject) -> None:
    """Words that are valid elsewhere pass the vocabulary and reach the later checks."""
    words = sorted(set(TRIAL.replace(",", " ").replace("{", " ").replace("}", " ").split()))
    text = TRIAL
    for _ in range(data.draw(st.integers(1, 3))):
        text = text.replace(data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words)), 1)
    assert all(problem[0].isdigit() for problem in problems(text))
