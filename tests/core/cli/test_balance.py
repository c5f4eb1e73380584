"""`zareba balance` from the command line."""

from __future__ import annotations

import json
from typing import Any

ASKED = (
    "balance",
    "patrol_clash",
    "--ruleset=vcc",
    "--by=fusiliers.figures",
    "--agent=random",
    "--jobs=1",
    "--games=30",
)


def test_it_tells_what_was_tried_and_where_it_is_even(run: Any) -> None:
    found = json.loads(run(*ASKED, "--json").stdout)
    assert (found["side"], found["now"], found["games"]) == ("patrol", 14, sum(one["games"] for one in found["tried"]))
    assert {one["value"] for one in found["tried"]} >= {4, 42}
    again = run(*ASKED)
    assert "fusiliers.figures" in again.stdout and "fusiliers.figures 4: patrol wins" in again.stderr


def test_wrong_names_are_told(run: Any) -> None:
    assert "fusiliers" in run(*ASKED[:3], "--by=fusilier.figures").stderr
    assert "tribesmen" in run(*ASKED, "--side=tribesman").stderr


def test_forces_are_brought_to_equal_points_first(run: Any) -> None:
    asked = [word.replace("fusiliers", "swordsmen") for word in ASKED]
    result = run(*asked, "--equal-points", "--json")
    found = json.loads(result.stdout)
    assert found["title"].endswith("forces of equal points") and found["now"] == 25
    assert "no rulebook here prices units" in result.stderr and "swordsmen 24 to 25" in result.stderr
    assert "equal_points.yaml" not in result.stderr, "there is none to be found"
