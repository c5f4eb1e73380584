"""Translation of neutral scenarios into VCC: every word is translated or noted as unsupported."""

from __future__ import annotations

from itertools import product
from typing import Any, get_args

import pytest
from tests.rulesets.vcc.battlefields import battlefield, blue, red, rules_with
from tests.rulesets.vcc.scenarios import game_of, scenario, translated, troops

from zareba.base.errors import ZarebaError
from zareba.scenario import load_scenario, shipped_scenarios, vocabulary
from zareba.space.grid.boxes import COMPASS, E, N, S, W
from zareba_rulesets.vcc.book import VccBook, VccFile
from zareba_rulesets.vcc.chapters.fire import may_fire
from zareba_rulesets.vcc.translation import Plan, translate

ABSENT = {"vehicle", "aircraft", "airship"}


def box(plan: Plan, label: str) -> int:
    return plan.field.grid.parse(label)


def ground(plan: Plan, label: str) -> str:
    """Return the kind of ground of a box."""
    kinds = {id(kind): name for name, kind in plan.field.book.file.terrain.items()}
    return kinds[id(plan.field.ground[box(plan, label)])]


def book() -> VccFile:
    file = rules_with().book
    assert isinstance(file, VccFile)
    return file


def square(x: float, y: float, side: float = 6) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


# --- every word -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-167", "VCC-067")
@pytest.mark.parametrize("kind", vocabulary.AREA_KINDS)
def test_every_kind_of_area_becomes_ground(kind: str) -> None:
    plan = translated({"foot": troops(position=[3, 3])}, terrain={"piece": {"kind": kind, "area": square(24, 24)}})
    mapped = book().mapping.area_terrain[kind]
    at = box(plan, "E5")
    if mapped == "road":
        assert at in plan.field.roads
    elif mapped == "hill":
        assert plan.field.level[at] == 1
    else:
        assert ground(plan, "E5") == mapped


@pytest.mark.rule("VCC-167", "VCC-069")
@pytest.mark.parametrize("kind", vocabulary.LINE_KINDS)
def test_every_kind_of_line_becomes_sides_boxes_or_a_road(kind: str) -> None:
    plan = translated(
        {"foot": troops(position=[3, 3])}, terrain={"piece": {"kind": kind, "line": [[24, 20], [24, 34]]}}
    )
    touched = bool(plan.field.obstacles) or bool(plan.field.roads) or ground(plan, "E5") != "open"
    assert touched is (kind != "ford"), "a ford changes nothing where there is no water"
    obstacle = {"fence": "soft", "wall": "hard"}.get(book().mapping.linear_terrain[kind])
    if obstacle is not None:
        assert {piece.cover for piece in plan.field.obstacles.values()} == {obstacle}


@pytest.mark.rule("VCC-019", "VCC-167")
@pytest.mark.parametrize(("arm", "kind"), list(product(get_args(vocabulary.Arm), get_args(vocabulary.Kind))))
def test_every_arm_of_every_kind_becomes_a_unit_or_a_note(arm: str, kind: str) -> None:
    plan = translated({"unit": troops(arm=arm, kind=kind, position=[3, 3])})
    if arm in ABSENT:
        assert "unit" not in plan.specs
        assert any(f"{arm}{'' if arm == 'aircraft' else 's'} are not in these rules" in note for note in plan.notes)
    else:
        spec = plan.specs["unit"]
        assert spec.profile in book().profiles
        assert spec.bases + spec.leader >= 1


@pytest.mark.rule("VCC-097", "VCC-036", "VCC-081")
@pytest.mark.parametrize("weapon", get_args(vocabulary.Weapon))
def test_every_weapon_has_a_line_of_the_range_table_or_does_not_fire(weapon: str) -> None:
    plan = translated({"unit": troops(kind="tribal", weapon=weapon, position=[3, 3])})
    line = plan.specs["unit"].weapon
    wagon = {"unit": troops(arm="wagon", kind="civilian", weapon=weapon, position=[3, 3])}
    assert translated(wagon).specs["unit"].weapon == "none", "a wagon section does not fire (VCC-164)"
    wanted = {"rifled_musket": "rifle", "breech_rifle": "rifle", "magazine_rifle": "rifle"}
    muskets = ("smoothbore_musket", "jezail", "smoothbore_carbine", "breech_carbine", "repeating_carbine", "bow")
    assert line == wanted.get(weapon, "musket" if weapon in muskets else "none")
    scene = battlefield(red("Unit", "D2", "irregular_firearms", weapon=line), blue("Foe", "D3"))
    scene.battle.phase = "british_fire"
    assert may_fire(scene.battle, scene.unit("Unit")) is (line != "none")


@pytest.mark.rule("VCC-018")
@pytest.mark.setting("veteran_as")
@pytest.mark.parametrize("veteran_as", ["regular", "elite"])
def test_every_quality_is_elite_ordinary_or_raw(veteran_as: str) -> None:
    found = {
        quality: translated({"unit": troops(quality=quality, position=[3, 3])}, {"veteran_as": veteran_as})
        .specs["unit"]
        .quality
        for quality in get_args(vocabulary.Quality)
    }
    veterans = "elite" if veteran_as == "elite" else "ordinary"
    assert found == {"raw": "raw", "regular": "ordinary", "veteran": veterans, "elite": "elite"}


# --- units ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-010", "VCC-013", "VCC-019")
@pytest.mark.parametrize(
    ("more", "profile", "fire_die", "regular"),
    [
        ({"weapon": "breech_rifle"}, "regular_infantry", 6, True),
        ({"kind": "native_regular", "weapon": "breech_rifle"}, "native_regular_infantry", 6, True),
        ({"kind": "own_led_regular", "weapon": "breech_rifle"}, "native_regular_infantry", 6, True),
        ({"kind": "own_led_regular", "close_weapon": "spear"}, "irregular_shock", 0, False),
        ({"kind": "european_irregular", "weapon": "breech_rifle"}, "european_irregular", 6, False),
        ({"kind": "tribal", "weapon": "jezail"}, "irregular_firearms", 3, False),
        ({"kind": "tribal", "weapon": "jezail", "share": 0.4}, "irregular_shock", 0, False),
        ({"kind": "tribal", "weapon": "throwing_spear"}, "irregular_shock", 0, False),
        ({"arm": "cavalry"}, "regular_cavalry", 6, False),
        ({"arm": "cavalry", "kind": "tribal"}, "irregular_cavalry", 3, False),
        ({"arm": "cavalry", "kind": "european_irregular"}, "mounted_european_irregular", 6, False),
        ({"arm": "camelry", "kind": "native_regular"}, "camel_corps", 6, False),
        ({"arm": "camelry", "kind": "tribal"}, "irregular_camelry", 3, False),
        ({"arm": "mounted_infantry", "kind": "european_irregular"}, "mounted_european_irregular", 6, False),
        ({"arm": "mounted_infantry"}, "camel_corps", 6, False),
        ({"arm": "artillery", "figures": 4}, "field_gun", 6, False),
        ({"arm": "artillery", "figures": 4, "kind": "tribal"}, "field_gun", 3, False),
        ({"arm": "machine_gun", "figures": 4, "kind": "tribal"}, "machine_gun", 3, False),
        ({"arm": "rocket", "figures": 3}, "rocket_section", 0, False),
        ({"arm": "wagon", "kind": "civilian", "figures": 8}, "wagon_section", 0, False),
    ],
)
def test_profiles(more: dict[str, Any], profile: str, fire_die: int, regular: bool) -> None:
    spec = translated({"unit": troops(position=[3, 3], **more)}).specs["unit"]
    assert (spec.profile, spec.fire_die, spec.regular) == (profile, fire_die, regular)


@pytest.mark.rule("VCC-010", "VCC-011", "VCC-009")
@pytest.mark.setting("figures_per_base")
@pytest.mark.parametrize(
    ("arm", "figures", "per_base", "bases"),
    [
        ("infantry", 20, "4,2", 5),
        ("infantry", 18, "4,2", 5),  # 4.5 is rounded up
        ("infantry", 17, "4,2", 4),
        ("infantry", 1, "4,2", 2),
        ("infantry", 20, "5,2", 4),
        ("cavalry", 9, "4,2", 5),
        ("cavalry", 9, "4,3", 3),
        ("artillery", 4, "4,2", 4),
        ("wagon", 9, "4,2", 1),
    ],
)
def test_sizes_count_the_leader_base_and_gunners_by_the_head(arm: str, figures: int, per_base: str, bases: int) -> None:
    spec = translated(
        {"unit": troops(arm=arm, figures=figures, position=[3, 3])}, {"figures_per_base": per_base}
    ).specs["unit"]
    assert spec.bases + spec.leader == bases
    assert spec.leader is (arm in ("infantry", "cavalry"))


@pytest.mark.rule("VCC-010")
def test_no_unit_has_more_than_twelve_bases_and_that_is_noted() -> None:
    plan = translated(
        {"horde": troops("band", kind="tribal", figures=100, position=[24, 45]), "foot": troops(position=[3, 3])}
    )
    assert plan.specs["horde"].bases + 1 == 12
    assert any("100 figures" in note for note in plan.notes)
    largest = translated(
        {"horde": troops("band", kind="tribal", figures=48, position=[24, 45]), "foot": troops(position=[3, 3])}
    )
    assert largest.specs["horde"].bases + 1 == 12
    assert not any("48 figures" in note for note in largest.notes)


@pytest.mark.rule("VCC-021", "VCC-022")
@pytest.mark.setting("dervish_foot_applies_to")
def test_lancers_and_dervish_foot() -> None:
    units = {
        "lancers": troops(arm="cavalry", close_weapon="lance", position=[3, 3]),
        "hussars": troops(arm="cavalry", close_weapon="sword", position=[9, 3]),
        "ansar": troops("band", kind="tribal", traits=["fanatic"], position=[3, 45]),
        "pathans": troops("band", kind="tribal", position=[9, 45]),
        "baggara": troops("band", arm="cavalry", kind="tribal", traits=["fanatic"], position=[15, 45]),
    }
    for applies, dervishes in (("tagged", ["ansar"]), ("all_irregular_foot", ["ansar", "pathans"])):
        specs = translated(units, {"dervish_foot_applies_to": applies}).specs
        assert [name for name, spec in specs.items() if spec.dervish_foot] == dervishes
        assert [name for name, spec in specs.items() if spec.lancers] == ["lancers"]


@pytest.mark.rule("VCC-022", "VCC-024")
@pytest.mark.setting("dervish_foot_applies_to")
def test_all_irregular_foot_takes_in_europeans_and_riders_who_have_dismounted() -> None:
    units = {
        "boers": troops(kind="european_irregular", position=[3, 3]),
        "commando": troops(arm="cavalry", kind="european_irregular", position=[9, 3]),
        "bedouin": troops(arm="mounted_infantry", kind="tribal", position=[15, 3]),
        "camel_corps": troops(arm="mounted_infantry", position=[21, 3]),
        "rifles": troops(position=[27, 3]),
        "drilled": troops(kind="own_led_regular", weapon="breech_rifle", position=[33, 3]),
        "gun": troops(arm="artillery", kind="tribal", figures=4, position=[39, 3]),
        "horse": troops("band", arm="cavalry", kind="tribal", position=[3, 45]),
    }
    game = game_of(units, {"dervish_foot_applies_to": "all_irregular_foot"})
    everybody = game.start().units
    assert [name for name, unit in everybody.items() if unit.dervish_foot] == ["boers"]
    for name in ("commando", "bedouin", "camel_corps"):
        everybody[name].mark("dismounted")
    assert [name for name, unit in everybody.items() if unit.dervish_foot] == ["boers", "commando", "bedouin"]


# --- sides, edges, leaders --------------------------------------------------------------------------------------------


def sides(**edges: str | None) -> dict[str, Any]:
    return {side: {"name": side, **({"home_edge": edge} if edge else {})} for side, edge in edges.items()}


@pytest.mark.rule("VCC-016")
@pytest.mark.parametrize(
    ("army", "band", "british"),
    [
        (["european_regular", "tribal"], ["tribal", "tribal"], "army"),
        (["tribal"], ["native_regular"], "band"),
        (["own_led_regular"], ["tribal"], "army"),  # equal: the first-listed side
        (["european_regular"], ["native_regular", "european_regular"], "band"),
    ],
)
def test_the_side_with_more_regulars_is_british(army: list[str], band: list[str], british: str) -> None:
    units = {f"a{i}": troops(kind=kind, position=[3 + 6 * i, 3]) for i, kind in enumerate(army)}
    units |= {f"b{i}": troops("band", kind=kind, position=[3 + 6 * i, 45]) for i, kind in enumerate(band)}
    assert translated(units).field.by_role[0] == british


@pytest.mark.rule("VCC-016")
def test_a_scenario_may_name_the_british_side_and_there_are_two() -> None:
    units = {"foot": troops(position=[3, 3])}
    assert translated(units, overrides={"vcc": {"british": "band"}}).field.by_role == ("band", "army")
    with pytest.raises(ZarebaError, match=r"overrides.vcc.british: there is no .french. in sides"):
        translated(units, overrides={"vcc": {"british": "french"}})
    three = {**units, "third": troops("others", position=[20, 3]), "band": troops("band", position=[3, 45])}
    with pytest.raises(ZarebaError, match=r"has 3 sides; Victorian Colonial Combat is for 2 \(VCC-016\)"):
        rules_with().game(scenario(three, sides=sides(army="south", band="north", others="west")))


@pytest.mark.rule("VCC-156", "VCC-026")
@pytest.mark.parametrize(
    ("army", "band", "homes"),
    [
        ([24, 3], [24, 45], (S, N)),
        ([3, 24], [45, 24], (W, E)),
        ([24, 24], [24, 25], (S, N)),  # equally near: south before north
        ([24, 3], [24, 9], (S, N)),  # the same edge: the Native side takes the opposite one
    ],
)
def test_home_edges_that_are_not_named(army: list[float], band: list[float], homes: tuple[int, int]) -> None:
    units = {"foot": troops(position=army), "foe": troops("band", kind="tribal", position=band)}
    plan = translated(units, sides=sides(army=None, band=None))
    assert (plan.field.home_edge["army"], plan.field.home_edge["band"]) == homes
    assert plan.facing["foot"] == (homes[0] + 4) % 8, "away from the home edge"


@pytest.mark.rule("VCC-156")
def test_a_home_edge_that_is_named_is_kept() -> None:
    units = {"foot": troops(position=[24, 3]), "foe": troops("band", kind="tribal", position=[24, 45])}
    plan = translated(units, sides=sides(army="west", band="west"))
    assert plan.field.home_edge == {"army": W, "band": W}


@pytest.mark.rule("VCC-156")
@pytest.mark.parametrize("named", ["army", "band"])
def test_an_edge_that_one_side_is_given_by_name_is_not_the_nearest_of_the_other(named: str) -> None:
    units = {"foot": troops(position=[24, 39]), "foe": troops("band", kind="tribal", position=[24, 45])}
    edges = {side: "north" if side == named else None for side in ("army", "band")}
    plan = translated(units, sides=sides(**edges))
    assert plan.field.home_edge == {side: N if side == named else S for side in edges}


@pytest.mark.rule("VCC-026")
def test_a_named_facing_is_turned_to_a_side_for_troops_of_the_line() -> None:
    units = {
        "foot": troops(position=[3, 3], facing="north_east"),
        "gun": troops(arm="artillery", figures=4, position=[9, 3], facing="north_east"),
    }
    plan = translated(units)
    assert (plan.facing["foot"], plan.facing["gun"]) == (E, COMPASS.index("NE"))


@pytest.mark.rule("VCC-163", "VCC-117")
def test_the_highest_leader_commands_and_the_others_lead_units() -> None:
    units = {
        "foot": troops(position=[3, 3]),
        "horse": troops(arm="cavalry", position=[27, 3]),
        "gun": troops(arm="artillery", figures=4, position=[33, 3]),
    }
    leaders = {
        "chaplain": {"name": "Chaplain", "side": "army", "rank": "commander", "non_combatant": True, "unit": "foot"},
        "major": {"name": "Major", "side": "army", "rank": "officer", "unit": "horse"},
        "colonel": {"name": "Colonel", "side": "army", "rank": "commander", "position": [24, 3]},
        "gunner": {"name": "Gunner", "side": "army", "rank": "nco", "unit": "gun"},
        "scout": {"name": "Scout", "side": "army", "rank": "nco", "position": [6, 3]},
    }
    plan = translated(units, leaders=leaders)
    assert plan.commanders == {"army": ("Colonel", box(plan, "E1"), "horse")}
    assert plan.leaders == {"chaplain": "foot", "major": "horse", "gunner": "horse", "scout": "foot"}
    assert {name: spec.leader_name for name, spec in plan.specs.items() if spec.leader_name} == {
        "foot": "Chaplain",
        "horse": "Major",
    }
    assert not plan.specs["gun"].leader, "a crew has no leader base"


# --- the table --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-005")
@pytest.mark.setting("box_inches")
@pytest.mark.parametrize(("inches", "columns", "at"), [(6, 8, "B1"), (12, 4, "A1"), (5, 10, "B1"), (3, 16, "D2")])
def test_box_size_in_inches(inches: int, columns: int, at: str) -> None:
    plan = translated({"foot": troops(position=[9, 3])}, {"box_inches": inches})
    assert (plan.field.grid.columns, plan.field.grid.rows) == (columns, columns)
    assert plan.placed["foot"] == box(plan, at)


@pytest.mark.rule("VCC-005", "VCC-007")
def test_from_a_full_box_to_the_nearest_towards_the_own_edge() -> None:
    units = {name: troops(position=[27, 9]) for name in ("a", "b", "c")}
    plan = translated(units)
    assert [plan.field.grid.label(plan.placed[name]) for name in units] == ["E2", "E2", "E1"]


@pytest.mark.rule("VCC-055", "VCC-068")
def test_a_box_takes_the_kind_that_covers_half_of_it_or_the_most() -> None:
    terrain = {
        "less": {"kind": "scrub", "area": [[0, 24], [2.9, 24], [2.9, 30], [0, 30]]},
        "half": {"kind": "scrub", "area": [[6, 24], [9, 24], [9, 30], [6, 30]]},
        "more": {"kind": "rocks", "area": [[12, 24], [16, 24], [16, 30], [12, 30]]},
        "under": {"kind": "scrub", "area": [[12, 24], [15, 24], [15, 30], [12, 30]]},
    }
    plan = translated({"foot": troops(position=[3, 3])}, terrain=terrain)
    assert [ground(plan, label) for label in ("A5", "B5", "C5")] == ["open", "scrub", "rocks"]


@pytest.mark.rule("VCC-070", "VCC-055")
def test_a_hill_adds_its_contours_and_keeps_what_grows_on_it() -> None:
    def levels(**hill: Any) -> list[int]:
        terrain = {
            "hill": {"kind": "hill", "area": square(12, 12, 18), **hill},
            "wood": {"kind": "light_wood", "area": square(18, 18)},
        }
        plan = translated({"foot": troops(position=[3, 3])}, terrain=terrain)
        assert ground(plan, "D4") == "wood"
        return [plan.field.level[box(plan, label)] for label in ("B2", "C3", "D4")]

    top = {"crest": square(18, 18)}
    assert levels() == [0, 1, 1]
    assert levels(levels=2) == [0, 2, 2]
    assert levels(levels=2, **top) == [0, 1, 2]
    assert levels(levels=1, **top) == [0, 1, 1], "one contour is one level, crest and all"


@pytest.mark.rule("VCC-167", "VCC-070")
def test_a_crest_over_exactly_half_a_box_counts() -> None:
    """The crest covers exactly half of box I7 of the pass. A rounding error must not make it less."""
    plan = translate(VccBook(rules_with()), load_scenario("column_ambushed"))
    assert plan.field.level[box(plan, "I7")] == 2


@pytest.mark.rule("VCC-055")
def test_rivers_fill_boxes_and_fords_and_bridges_open_them() -> None:
    terrain = {
        "river": {"kind": "river", "depth": "deep", "line": [[0, 27], [48, 27]]},
        "ford": {"kind": "ford", "line": [[9, 25], [9, 29]]},
        "bridge": {"kind": "bridge", "line": [[21, 25], [21, 29]]},
    }
    plan = translated({"foot": troops(position=[3, 3])}, terrain=terrain)
    assert [ground(plan, label) for label in ("A5", "B5", "D5")] == ["closed", "ford", "open"]
    assert box(plan, "D5") in plan.field.roads
    shallow = translated({"foot": troops(position=[3, 3])}, terrain={"river": {**terrain["river"], "depth": "shallow"}})
    assert ground(shallow, "A5") == "ford"


@pytest.mark.rule("VCC-055")
def test_a_short_water_that_fills_no_box_lies_on_its_sides() -> None:
    plan = translated(
        {"foot": troops(position=[3, 3])}, terrain={"brook": {"kind": "stream", "line": [[10.5, 24], [13.5, 24]]}}
    )
    assert {piece.title for piece in plan.field.obstacles.values()} == {"fordable water"}
    assert all(ground(plan, label) == "open" for label in ("B4", "C4", "B5", "C5"))


@pytest.mark.rule("VCC-055")
@pytest.mark.parametrize(("piece", "closed"), [(None, True), ("ford", False), ("bridge", False)])
def test_deep_water_on_a_side_is_opened_by_a_ford_or_a_bridge(piece: str | None, closed: bool) -> None:
    water = {"kind": "river", "depth": "deep", "line": [[10.4, 24], [13.6, 24]]}
    way = {"way": {"kind": piece, "line": [[11, 21], [11, 27]]}} if piece else {}
    plan = translated({"foot": troops(position=[3, 3])}, terrain={"water": water, **way})
    step = plan.field.step("foot", box(plan, "B4"), N)
    assert (step is None) is closed
    if step is not None:
        assert step.ends is (piece == "ford"), "wading ends the move, a bridge does not"


@pytest.mark.rule("VCC-055")
def test_a_river_that_only_clips_the_corner_of_a_box_leaves_no_gap() -> None:
    slanting = {"kind": "river", "depth": "deep", "line": [[0, 20], [48, 31]]}
    field = translated({"foot": troops(position=[3, 3])}, terrain={"river": slanting}).field
    reached, waiting = set(range(8)), list(range(8))
    while waiting:
        for way in field.open_steps["foot", waiting.pop()]:
            if way.box not in reached:
                reached.add(way.box)
                waiting.append(way.box)
    assert not any(field.grid.column_row(there)[1] == 7 for there in reached), "nobody crosses dry-shod"


@pytest.mark.rule("VCC-069", "VCC-055")
def test_walls_go_to_the_nearest_sides_with_their_gates() -> None:
    terrain = {"wall": {"kind": "high_wall", "line": [[12, 23], [30, 23]], "gates": {"gate": {"at": [21, 23]}}}}
    plan = translated({"foot": troops(position=[3, 3])}, terrain=terrain)
    grid = plan.field.grid
    assert set(plan.field.obstacles) == {grid.side(box(plan, label), N) for label in ("C4", "D4", "E4")}
    assert plan.field.gates == {grid.side(box(plan, "D4"), N)}


@pytest.mark.rule("VCC-055")
def test_roads_go_through_the_boxes_they_cross() -> None:
    plan = translated(
        {"foot": troops(position=[3, 3])}, terrain={"road": {"kind": "road", "line": [[21, 0], [21, 20]]}}
    )
    assert plan.field.roads == {box(plan, label) for label in ("D1", "D2", "D3", "D4")}


# --- objectives, carried objects, notes -------------------------------------------------------------------------------


@pytest.mark.rule("VCC-166", "VCC-167", "VCC-057")
def test_objectives_and_carried_objects_become_boxes() -> None:
    plan = translated(
        {
            "foot": troops(position=[3, 3]),
            "mules": troops(arm="pack_animals", kind="civilian", figures=4, position=[9, 3]),
        },
        terrain={"village": {"kind": "village", "area": square(24, 24, 12)}},
        objectives={
            "village": {"kind": "hold", "name": "The village", "terrain": "village"},
            "point": {"kind": "hold", "name": "The well", "at": [21, 9]},
            "wide": {"kind": "hold", "name": "The plain", "at": [21, 9], "radius": 9},
            "home": {"kind": "escort", "name": "Home", "units": ["mules"], "edge": "north"},
            "chest": {"kind": "carry_off", "name": "The chest", "object": "chest", "edge": "south"},
        },
        objects={
            "chest": {"name": "Chest", "kind": "paychest", "position": [33, 33]},
            "stores": {"name": "Stores", "kind": "supplies", "carrier": "mules"},
        },
    )
    labels = {key: sorted(plan.field.grid.label(b) for b in boxes) for key, boxes in plan.places.items()}
    assert labels["village"] == ["E5", "E6", "F5", "F6"]
    assert labels["point"] == ["D2"]
    assert {"C2", "D2", "E2", "D1", "D3"} <= set(labels["wide"])
    assert plan.carried_objects == {"chest": (box(plan, "F6"), ""), "stores": (plan.placed["mules"], "mules")}


@pytest.mark.rule("VCC-166", "VCC-167")
@pytest.mark.parametrize(
    ("area", "boxes"),
    [
        ([[18, 18], [32, 18], [32, 24], [18, 24]], "D4 E4"),
        ([[18, 18], [33, 18], [33, 24], [18, 24]], "D4 E4 F4"),
        ([[22, 20], [26, 20], [26, 22], [22, 22]], "D4 E4"),
    ],
)
def test_an_objective_has_the_boxes_that_it_half_covers_or_all_that_it_touches(
    area: list[list[float]], boxes: str
) -> None:
    plan = translated(
        {"foot": troops(position=[3, 3])},
        terrain={"kraal": {"kind": "village", "area": area}},
        objectives={"kraal": {"kind": "hold", "name": "The kraal", "terrain": "kraal"}},
    )
    assert sorted(plan.field.grid.label(found) for found in plan.places["kraal"]) == boxes.split()


@pytest.mark.rule("VCC-167")
@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"night": True}, "night"),
        ({"fog": True}, "fog"),
        ({"siege": True}, "siege works"),
        ({"events": {"rain": {"turn": 2, "text": "It rains."}}}, "1 event"),
    ],
)
def test_unsupported_words_are_noted(parts: dict[str, Any], words: str) -> None:
    assert any(words in note for note in translated({"foot": troops(position=[3, 3])}, **parts).notes)
    assert not any(words in note for note in translated({"foot": troops(position=[3, 3])}).notes)


@pytest.mark.rule("VCC-167")
def test_an_object_whose_carrier_has_no_place_here_is_noted() -> None:
    units = {"foot": troops(position=[3, 3]), "car": troops(arm="vehicle", figures=2, position=[9, 3])}
    objects = {key: {"name": f"Chest of {key}", "kind": "paychest", "carrier": key} for key in units}
    plan = translated(units, objects=objects)
    assert set(plan.carried_objects) == {"foot"}
    assert [note for note in plan.notes if "Chest" in note] == [
        "Chest of car: not on the table, because these rules leave out its carrier"
    ]


@pytest.mark.rule("VCC-167")
def test_hidden_units_and_traits_without_effect_are_noted() -> None:
    units = {"foot": troops(position=[3, 3], hidden=True, traits=list(get_args(vocabulary.Trait)))}
    notes = " ".join(translated(units).notes)
    assert "hidden" in notes
    for trait in set(get_args(vocabulary.Trait)) - {"lancers", "fanatic", "formed", "volley"}:
        assert trait.replace("_", " ") in notes


@pytest.mark.rule("VCC-167")
@pytest.mark.parametrize("name", shipped_scenarios())
def test_every_shipped_scenario_is_translated(name: str) -> None:
    given = load_scenario(name)
    plan = translate(VccBook(rules_with()), given)
    assert set(plan.placed) | {u for u, unit in given.units.items() if unit.arrival} == set(plan.specs)
    assert set(plan.entries) == {u for u, unit in given.units.items() if unit.arrival}
    assert len(plan.leaders) + len(plan.commanders) == len(given.leaders)
