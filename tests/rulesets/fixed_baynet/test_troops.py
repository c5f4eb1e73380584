"""Stat lines, squads and their leaders (chapters 4 and 17)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import box, cv, field, need
from tests.rulesets.fixed_baynet.scenarios import game, troops


def lines(settings: dict[str, Any] | None = None, **unit: Any) -> set[tuple[int, int, int, int, int]]:
    squads = game({"foot": troops(position=[20, 8], **unit)}, settings).plan.squads
    return {
        (m.cs, m.ds, m.sp, m.ac, m.gl) for key, squad in squads.items() if key.startswith("foot") for m in squad.men
    }


@pytest.mark.rule("FBN-018", "FBN-021", "FBN-022", "FBN-027", "FBN-028", "FBN-124")
def test_the_stat_lines_of_both_tables() -> None:
    assert lines(quality="raw") == {(-1, 4, 5, 3, 5)}
    assert lines(quality="regular") == {(0, 5, 5, 3, 4)}
    assert lines(quality="elite") == {(1, 5, 6, 3, 3)}
    native: dict[str, Any] = {"kind": "tribal", "close_weapon": "spear"}
    assert lines(quality="raw", **native) == {(0, 3, 5, 3, 5)}
    assert lines(quality="regular", **native) == {(1, 4, 5, 3, 4)}
    assert lines(quality="elite", **native) == {(2, 4, 6, 3, 3)}


@pytest.mark.rule("FBN-023", "FBN-065", "FBN-066")
def test_the_cover_of_each_row_of_the_chart() -> None:
    expected = {
        "rubble": 1,
        "light_forest": 2,
        "dense_forest": 3,
        "shallow_river": 1,
        "deep_river": 1,
        "trench": 5,
        "clear": 0,
    }
    assert {row: cv(field((row, list(box(8, 28, 12, 32)))), (10, 10), (10, 30)) for row in expected} == expected


@pytest.mark.rule("FBN-028")
@pytest.mark.setting("native_regular_table")
def test_drilled_natives_on_either_table() -> None:
    assert lines({"native_regular_table": "european"}, kind="native_regular") == {(0, 5, 5, 3, 4)}
    assert lines({"native_regular_table": "native"}, kind="native_regular") == {(1, 4, 5, 3, 4)}


@pytest.mark.rule("FBN-030")
@pytest.mark.setting("veteran_stats")
def test_veterans_and_civilians() -> None:
    assert lines({"veteran_stats": "regular"}, quality="veteran") == {(0, 5, 5, 3, 4)}
    assert lines({"veteran_stats": "elite"}, quality="veteran") == {(1, 5, 6, 3, 3)}
    assert game({"foot": troops(quality="veteran")}).plan.squads["foot"].men[0].column == "elite"
    civilian = game({"foot": troops(arm="civilians", kind="civilian")}).plan.squads["foot"].men[0]
    assert (civilian.cs, civilian.ds, civilian.column, civilian.weapon, civilian.close) == (
        0,
        3,
        "green",
        "none",
        False,
    )


@pytest.mark.rule("FBN-199", "FBN-200")
@pytest.mark.setting("squad_size_strict")
def test_a_handful_of_natives_is_one_squad_of_the_listed_size() -> None:
    for figures, squads in ((5, 1), (29, 1), (31, 2)):
        units = {"foot": troops(kind="tribal", close_weapon="spear", figures=figures, position=[20, 8])}
        made = game(units, {"squad_size_strict": True}).plan.squads
        assert [len(squad.men) for key, squad in made.items() if key.startswith("foot")] == [20] * squads


@pytest.mark.rule("FBN-200")
@pytest.mark.setting("squad_size_strict")
def test_other_sizes_are_allowed_or_made_to_fit() -> None:
    for setting, sizes in ((False, [14]), (True, [10])):
        squads = game({"foot": troops(figures=14)}, {"squad_size_strict": setting}).plan.squads
        assert [len(squad.men) for key, squad in squads.items() if key == "foot"] == sizes


@pytest.mark.rule("FBN-201")
@pytest.mark.setting("flak_armour_ds")
def test_the_gun_shield_is_worth_what_the_setting_says() -> None:
    assert [need({"flak_armour_ds": value}, crew=True) for value in (0, 1, 2)] == [5, 6, 7]


@pytest.mark.rule("FBN-201", "FBN-202")
def test_batteries_are_two_guns_with_four_men_each() -> None:
    guns = game(
        {"guns": troops(arm="artillery", figures=12, weapon="none", gun={"kind": "field", "pieces": 3})}
    ).plan.squads
    assert [(len(guns[key].guns), len(guns[key].men)) for key in ("guns.1", "guns.2")] == [(2, 8), (1, 4)]
    crew = guns["guns.1"].men[0]
    assert (crew.cs, crew.ds, crew.sp, crew.role) == (-1, 4, 5, "crew")
    rockets = game({"r": troops(arm="rocket", figures=4, weapon="none", gun={"kind": "field"})}).plan.squads["r"]
    assert (rockets.guns, rockets.shells, rockets.solid, rockets.rockets) == (["light_howitzer"], True, False, True)
    maxims = game({"mg": troops(arm="machine_gun", figures=4, weapon="none")}).plan.squads
    assert [len(maxims[key].men) for key in ("mg.1", "mg.2")] == [2, 2]
