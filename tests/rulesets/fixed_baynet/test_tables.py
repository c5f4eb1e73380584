"""The charts that the ruleset prepares for play; `golden/fixed_baynet_numbers.txt` lists every number."""

from __future__ import annotations

import pytest
from tests.rulesets.fixed_baynet.plain import battle, book, box, field, scripted, squad

from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.melee import charge_targets, charge_with_unit


@pytest.mark.rule("FBN-204", "FBN-207", "FBN-211", "FBN-212", "FBN-213", "FBN-228", "FBN-229", "FBN-264")
def test_table_4_d() -> None:
    numbers = book()
    found = {
        name: (g.weight, numbers.gun_range[name], g.least, g.multiple, g.wounds, g.ds, g.crew, g.fire)
        for name, g in numbers.guns.items()
    }
    assert found == {
        "machine_gun": ("light", 36, 0, 1, 2, 3, 2, "direct"),
        "trench_mortar": ("medium", 30, 12, 3, 3, 3, 4, "indirect"),
        "light_howitzer": ("medium", 30, 0, 2, 2, 3, 4, "either"),
        "medium_howitzer": ("medium", 36, 0, 3, 2, 3, 4, "either"),
        "heavy_howitzer": ("heavy", 45, 0, 4, 3, 3, 4, "either"),
        "light_gun": ("medium", 60, 0, 3, 2, 3, 4, "direct"),
        "medium_gun": ("heavy", 90, 0, 4, 3, 3, 4, "direct"),
        "heavy_gun": ("heavy", 188, 0, 5, 4, 3, 4, "direct"),
    }
    assert numbers.gun_bands["machine_gun"] == (9, 18, 36) and numbers.gun_bands["heavy_howitzer"] == (11.25, 22.5, 45)
    assert {name: row.damage for name, row in numbers.file.ammunition.items()} == {"shot": 1, "shell": 2}


@pytest.mark.rule("FBN-125", "FBN-127", "FBN-128", "FBN-130", "FBN-133", "FBN-135")
def test_table_13_a() -> None:
    names, reading = book().locations
    faces = [names[reading.of([face])] for face in range(1, 13)]
    assert faces == [
        "arm_light", "leg_light", "groin", "chest_light", "chest_light", "head_light", "arm_heavy", "leg_heavy",
        "chest_heavy", "head_heavy", "bloody_death", "bloody_death",
    ]  # fmt: skip


@pytest.mark.rule("FBN-173", "FBN-174", "FBN-175")
def test_table_16_a() -> None:
    assert [(g.least, g.most, g.turn, g.after) for g in book().gaits] == [
        (0, 0, 0, "halt"),
        (0, 7, 0, "halt"),
        (7, 12, 1, "walk"),
        (12, 17, 2, "canter"),
    ]
    assert book().open_gaits == ((1,), (1, 2), (1, 2, 3), (1, 2, 3)) and book().file.turn_of_mount.degrees == 90


@pytest.mark.rule("FBN-002", "FBN-005", "FBN-040", "FBN-056", "FBN-080", "FBN-205", "FBN-208", "FBN-216", "FBN-225")
def test_the_single_numbers() -> None:
    file = book().file
    assert (file.bases.foot, file.bases.mounted, file.bases.gun) == (1, 1.5, 2)
    assert (file.movement.most_ac, file.movement.charge, file.movement.groin) == (3, 2, 2)
    assert (file.spacing.least, file.spacing.most, file.spacing.facing) == (1, 3, 1)
    assert (file.square_form.outline, file.square_form.facing, file.square_form.most) == (1, 45, 3)
    assert (file.arcs.front, file.arcs.rear) == (45, 135)
    assert (file.gun_arcs.artillery, file.gun_arcs.machine_gun) == (45, 90)
    assert (file.gun_costs.ac, file.gun_costs.fire, file.gun_costs.turn, file.gun_costs.move) == (
        3,
        3,
        1,
        2,
    )
    assert (file.turn_of_gun.degrees, file.guess.die, file.ball.inches) == (90, 6, 1)
    assert (file.salvo.shots, file.salvo.salvos, file.jam.die, file.jam.lowest) == (6, 3, 6, 6)
    assert [book().burst_radius(gun) for gun in ("light_howitzer", "light_gun", "medium_gun")] == [1, 2, 3]
    assert [
        book(burst_marker="by_class").burst_radius(gun) for gun in ("light_howitzer", "light_gun", "medium_gun")
    ] == [2, 2, 3]


@pytest.mark.rule("FBN-043", "FBN-042")
def test_a_charge_goes_in_one_line_and_not_round_a_corner() -> None:
    """A charge follows a straight line to the enemy. The charger faces that way first."""
    red, blue = squad("red", "red", 1, (50, 50), facing=180.0), squad("blue", "blue", 1, (53, 57))
    state = battle(red, blue)
    with scripted(state) as table:
        assert charge_with_unit(table, state, red, blue) == 1
    figure = red.figures["red/1"]
    assert foes_in_contact(state, figure, "red") and figure.facing == pytest.approx(23.2, abs=3)
    crag = field(("thorn_fence", list(box(49.0, 53, 52.5, 53.5))))
    red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 57))
    state = battle(red, blue, on=crag)
    assert list(charge_targets(state, red)) == [], (
        "round the fence it would be near enough, straight on it bars the way"
    )
    with scripted(state) as table:
        assert charge_with_unit(table, state, red, blue) == 0
    assert not foes_in_contact(state, red.figures["red/1"], "red")
