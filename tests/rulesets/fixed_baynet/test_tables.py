"""The charts of the ruleset, value by value."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.rulesets.fixed_baynet.plain import battle, book, box, field, scripted, squad

from zareba_rulesets.fixed_baynet.chapters.melee.charges import charge, charge_targets
from zareba_rulesets.fixed_baynet.chapters.sight.contact import foes_in_contact


@pytest.mark.rule("FBN-027", "FBN-028", "FBN-021", "FBN-024")
def test_tables_4_a_and_4_b() -> None:
    lines = book().file.stat_lines
    found = {
        (table, quality): (line.cs, line.ds, line.sp, line.ac, line.gl)
        for table, rows in lines.items()
        for quality, line in rows.items()
    }
    assert found == {
        ("european", "green"): (-1, 4, 5, 3, 5),
        ("european", "regular"): (0, 5, 5, 3, 4),
        ("european", "elite"): (1, 5, 6, 3, 3),
        ("native", "green"): (0, 3, 5, 3, 5),
        ("native", "regular"): (1, 4, 5, 3, 4),
        ("native", "elite"): (2, 4, 6, 3, 3),
    }
    assert book().file.wounds.man == 1


@pytest.mark.rule("FBN-025", "FBN-026", "FBN-189", "FBN-190", "FBN-191", "FBN-192", "FBN-193", "FBN-194", "FBN-195")
def test_table_4_c() -> None:
    found = {
        name: (w.short, w.medium, w.long, w.damage, w.ac, w.close, w.long_arm, w.from_saddle)
        for name, w in book().weapons.items()
    }
    assert found == {
        "melee_weapon": (None, None, None, 1, 1, True, False, False),
        "spear": (None, None, 8, 1, 1, True, False, False),
        "bow": (6, 8, 16, 1, 1, False, False, False),
        "rifle": (6, 12, 24, 1, 1, False, True, False),
        "winchester": (6, 10, 20, 1, 1, False, True, True),
        "musket": (6, 12, 24, 1, 2, False, True, False),
        "pistol": (5, 9, 12, 1, 1, False, False, False),
        "flintlock_pistol": (5, 9, 12, 1, 2, False, False, False),
    }


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


@pytest.mark.rule("FBN-065", "FBN-067", "FBN-072", "FBN-074", "FBN-076", "FBN-077", "FBN-274")
def test_table_8_a() -> None:
    rows = book().terrain
    chart = {
        "clear": (0, "flat"), "rubble": (1, "bumpy"), "light_forest": (2, "bumpy"), "dense_forest": (3, "jagged"),
        "shallow_river": (1, "bumpy"), "deep_river": (1, "jagged"), "wooden_wall": (3, "jagged"),
        "stone_wall": (4, "jagged"), "wooden_building": (3, "closed"), "stone_building": (4, "closed"),
        "trench": (5, "jagged"), "barbed_wire": (0, "jagged"), "crag": (0, "closed"), "path": (0, "jagged"),
    }  # fmt: skip
    assert {name: (rows[name].cv, rows[name].move) for name in chart} == chart
    assert {name for name, row in rows.items() if row.dangerous} == {"rapids", "thorn_fence", "barbed_wire", "crag"}
    assert {name for name, row in rows.items() if row.wall} == {"wooden_wall", "stone_wall", "thorn_fence"}


@pytest.mark.rule("FBN-125", "FBN-127", "FBN-128", "FBN-130", "FBN-133", "FBN-135")
def test_table_13_a() -> None:
    names, reading = book().locations
    faces = [names[reading.of([face])] for face in range(1, 13)]
    assert faces == [
        "arm_light", "leg_light", "groin", "chest_light", "chest_light", "head_light", "arm_heavy", "leg_heavy",
        "chest_heavy", "head_heavy", "bloody_death", "bloody_death",
    ]  # fmt: skip


@pytest.mark.rule("FBN-163", "FBN-165", "FBN-166", "FBN-167", "FBN-168", "FBN-169", "FBN-170")
def test_table_15_a() -> None:
    assert {name: list(row.reactions) for name, row in book().file.panic.items()} == {
        "green": ["flee", "freeze", "onwards", "onwards", "onwards", "berserk"],
        "regular": ["flee", "onwards", "onwards", "prone", "take_cover", "berserk"],
        "elite": ["flee", "prone", "prone", "take_cover", "take_cover", "berserk"],
    }


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


@pytest.mark.rule("FBN-071", "FBN-142", "FBN-159", "FBN-167", "FBN-235", "FBN-238", "FBN-239", "FBN-273")
def test_the_distances() -> None:
    file = book().file
    assert (file.cover_reach.inches, file.cover_reach.cv, file.cover_reach.own_cover) == (2, 2, 1)
    assert (file.ridden_at.inches, book().near, file.take_cover.inches) == (17, 9, 9)
    assert (file.night.inches, file.night.fog, file.night.notice) == (12, 6, 2)
    assert (file.flare.across, file.flare.reach) == (6, 24)
    assert (file.heights.higher, file.heights.eye, file.heights.rider_eye) == (0.5, 1, 1.5)
    assert (file.glory.panic, file.glory.hearten, file.heroic.surplus, file.medic.lowest) == (7, 2, 2, 4)


@pytest.mark.rule(
    "FBN-011", "FBN-197", "FBN-198", "FBN-199", "FBN-202", "FBN-242", "FBN-245", "FBN-249", "FBN-254", "FBN-265"
)
def test_the_sizes() -> None:
    file = book().file
    assert (file.squads.small, file.squads.large, file.squads.upto) == (10, 20, 15)
    assert (file.crew_size.gun, file.crew_size.machine_gun, file.crew_size.battery) == (4, 2, 2)
    assert (file.buildings.section, file.buildings.capacity, file.buildings.tower) == (6, 20, 4)
    assert (file.buildings.opening, file.buildings.users, file.door.ds) == (4, 2, 4)
    assert (file.damage_points.minus, file.damage_points.per_section) == (1, 2)
    assert file.deployment.strip == 12
    assert (file.objectives.take, file.objectives.edge, file.objectives.hold) == (2, 1.5, 1)


@pytest.mark.rule("FBN-008", "FBN-082", "FBN-087", "FBN-089", "FBN-104", "FBN-107", "FBN-113", "FBN-127")
def test_the_dice() -> None:
    file = book().file
    assert (file.initiative.die, file.medic.die, file.glory.die) == (6, 6, 6)
    assert (file.fire_die.faces, file.fire_die.misses, file.fire_die.critical) == (12, 1, 12)
    blow = file.blow
    assert (blow.die, blow.dice, blow.close_weapon, blow.ac, blow.damage) == (6, 1, 2, 1, 1)
    assert file.wounded_arm.bands == Fraction(1, 2)


@pytest.mark.rule("FBN-141", "FBN-144", "FBN-146", "FBN-154", "FBN-156")
def test_the_numbers_of_glory() -> None:
    file = book().file
    assert (file.glory.event, file.glory.natural, file.glory.wait) == (1, 6, 2)
    assert (file.half_strength.part, file.pinned.turns) == (Fraction(1, 2), 2)


@pytest.mark.rule("FBN-043", "FBN-042")
def test_a_charge_goes_in_one_line_and_not_round_a_corner() -> None:
    """A charge follows a straight line to the enemy. The charger faces that way first."""
    red, blue = squad("red", "red", 1, (50, 50), facing=180.0), squad("blue", "blue", 1, (53, 57))
    state = battle(red, blue)
    with scripted(state) as table:
        assert charge(table, state, red, blue) == 1
    figure = red.figures["red/1"]
    assert foes_in_contact(state, figure, "red") and figure.facing == pytest.approx(23.2, abs=3)
    crag = field(("thorn_fence", list(box(49.0, 53, 52.5, 53.5))))
    red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 57))
    state = battle(red, blue, on=crag)
    assert list(charge_targets(state, red)) == [], (
        "round the fence it would be near enough, straight on it bars the way"
    )
    with scripted(state) as table:
        assert charge(table, state, red, blue) == 0
    assert not foes_in_contact(state, red.figures["red/1"], "red")
