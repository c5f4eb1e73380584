"""Translation of neutral scenarios into groups and ground: ground, kinds, qualities, weapons (RSK-001 to RSK-036,
"Scenario mapping").
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import ground, line, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import LEADERS, UNITS, game

from zareba.base.errors import ZarebaError
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS, CloseWeapon, Kind, Quality, Trait, Weapon
from zareba_rulesets.risk_factor.book import RskFile
from zareba_rulesets.risk_factor.chapters.command import is_loyal
from zareba_rulesets.risk_factor.game import RskGame
from zareba_rulesets.risk_factor.presentation.drawing import ground_cells

UNITED = """  {name}: {{name: {name}, side: red, arm: {arm}, kind: {kind}, figures: {figures}{more}}}"""


def unit(name: str, arm: str = "infantry", kind: str = "european_regular", figures: int = 20, **more: Any) -> str:
    extra = "".join(f", {key}: {value}" for key, value in more.items())
    return UNITED.format(name=name, arm=arm, kind=kind, figures=figures, more=extra)


def specs(*units: str, settings: dict[str, Any] | None = None, leaders: str = "", **parts: Any) -> dict[str, Any]:
    texts = ", ".join((*units, UNITS.strip().split("\n")[1].strip()))
    return game(settings, units=texts, leaders=leaders, **parts).plan.specs


def vocabulary(words: Any) -> set[str]:
    from typing import get_args

    return set(get_args(words))


def test_every_word_of_a_scenario_is_mapped() -> None:
    file = load_rules("risk_factor").book
    assert isinstance(file, RskFile)
    mapping = file.mapping
    assert set(mapping.area_terrain) == set(AREA_KINDS)
    assert set(mapping.linear_terrain) == set(LINE_KINDS)
    assert set(mapping.quality) == vocabulary(Quality)
    assert set(file.men) == vocabulary(Kind)
    assert set(mapping.weapon) == vocabulary(Weapon)
    assert set(mapping.close_weapon) == vocabulary(CloseWeapon)
    grounds = {*mapping.area_terrain.values(), *mapping.linear_terrain.values()}
    assert grounds <= set(file.grounds)
    assert "volley" in vocabulary(Trait)


@pytest.mark.parametrize("name", shipped_scenarios())
@pytest.mark.rule("RSK-003", "RSK-005", "RSK-045")
def test_shipped_scenarios_set_up_without_overlapping_bases(name: str) -> None:
    plan = RskGame(rules_with(), load_scenario(name)).plan
    bodies = list(plan.bodies.items())
    for index, (own, body) in enumerate(bodies):
        spec = plan.specs[own]
        assert len(body) == spec.figures
        assert spec.leader or 4 <= spec.figures <= 30
        assert all(plan.field.on_table(point) for point in body.at)
        for other, there in bodies[index + 1 :]:
            if body.circle_gap(there) <= 0:
                assert plan.field.gaps[body, there].gap > -1e-9
                apart = min(((x - a) ** 2 + (y - b) ** 2) ** 0.5 for x, y in body.at for a, b in there.at)
                assert apart >= body.radius + there.radius - 0.02, f"{own} stands on {other}"


@pytest.mark.rule("RSK-135")
def test_garrison_of_a_fortified_building_is_in_works() -> None:
    plan = RskGame(rules_with(), load_scenario("hill_fort")).plan
    assert plan.field.pieces["keep"].ground.fortified and not plan.field.pieces["huts"].ground.fortified
    assert plan.field.in_works[plan.bodies["household"]]


@pytest.mark.rule("RSK-001", "RSK-002", "RSK-004", "RSK-006")
def test_the_head_of_the_rules() -> None:
    book = load_rules("risk_factor").book
    assert (book.authors, book.version, book.space, book.length) == (["Richard Bradley"], "3.3", "free", "cm")
    assert "17th to the 20th" in (load_rules("risk_factor").ruleset.folder / "ruleset.yaml").read_text(encoding="utf-8")


@pytest.mark.rule("RSK-004")
@pytest.mark.setting("scenario.cm_per_inch")
def test_inches_become_centimetres() -> None:
    assert game().plan.field.width == pytest.approx(152.4)
    assert game({"scenario_cm_per_inch": 2.0}).plan.field.width == pytest.approx(120)


@pytest.mark.rule("RSK-005")
@pytest.mark.setting("bases.mounted_cm")
@pytest.mark.setting("bases.foot_cm")
def test_bases() -> None:
    riders = unit("horse", arm="cavalry", figures=8, close_weapon="sword")

    def radii(**settings: Any) -> tuple[float, float]:
        texts = ", ".join((riders, UNITS.strip().split("\n")[1].strip()))
        bodies = game(settings, units=texts, leaders="").plan.bodies
        return bodies["horse"].radius, bodies["spears_1"].radius

    assert radii() == (2.0, 1.25)
    assert radii(bases_foot_cm=2.0, bases_mounted_cm=5.0) == (2.5, 1.0)


@pytest.mark.rule("RSK-007", "RSK-020", "RSK-049", "RSK-061")
@pytest.mark.setting("scenario.squad_size")
def test_regulars_come_in_squads_with_an_nco_each() -> None:
    found = specs(unit("rifles", figures=30, weapon="breech_rifle", traits="[formed, volley]"))
    squads = [spec for spec in found.values() if spec.platoon == "rifles"]
    ncos = [spec for spec in found.values() if spec.leader == "nco"]
    assert [spec.figures for spec in squads] == [9, 9, 9] and len(ncos) == 3
    assert {spec.troop_class for spec in ncos} == {"veteran"}
    one = specs(unit("rifles", figures=30, weapon="breech_rifle"), settings={"scenario_squad_size": 30})
    assert [spec.figures for spec in one.values() if spec.parent == "rifles"] == [29, 1]
    bugler = specs(unit("rifles", figures=20, weapon="breech_rifle", traits="[musician]"))
    assert [spec.id for spec in bugler.values() if spec.musician] == ["rifles_bugler"]


@pytest.mark.rule("RSK-010", "RSK-045")
def test_irregulars_come_in_bands_of_thirty_at_most_and_small_units_are_refused() -> None:
    found = specs(unit("horde", kind="tribal", figures=62, close_weapon="spear"))
    assert [spec.figures for spec in found.values() if spec.parent == "horde"] == [21, 21, 20]
    with pytest.raises(ZarebaError, match="RSK-045"):
        specs(unit("few", figures=3))


@pytest.mark.rule(
    "RSK-009",
    "RSK-010",
    "RSK-011",
    "RSK-013",
    "RSK-014",
    "RSK-015",
    "RSK-016",
    "RSK-017",
    "RSK-025",
    "RSK-068",
    "RSK-160",
)
def test_kinds_and_qualities() -> None:
    found = specs(
        unit("line", figures=10, weapon="breech_rifle", quality="regular"),
        unit("green", figures=10, weapon="breech_rifle", quality="raw"),
        unit("old", figures=10, weapon="breech_rifle", quality="elite"),
        unit("zulus", kind="own_led_regular", figures=20, close_weapon="spear"),
        unit("sepoys", kind="native_regular", figures=10, weapon="breech_rifle"),
        unit("boers", kind="european_irregular", figures=10, weapon="breech_rifle"),
        unit("people", arm="civilians", kind="civilian", figures=6),
    )
    line, green, old = found["line"], found["green"], found["old"]
    assert (line.kind, line.formed, line.volley, line.troop_class) == ("regular", True, True, "veteran")
    assert green.troop_class == "raw" and found["people"].troop_class == "raw" and found["people"].civilian
    assert (old.troop_class, old.superior_quality, old.superior_melee) == ("veteran", True, True)
    zulus = found["zulus"]
    assert (zulus.kind, zulus.formed, zulus.native, zulus.volley, zulus.no_quarter) == (
        "regular",
        True,
        True,
        False,
        True,
    )
    assert (found["sepoys"].people, found["sepoys"].native, found["sepoys"].volley) == ("service", False, True)
    assert (found["boers"].kind, found["boers"].native, found["boers"].volley) == ("irregular", False, False)
    assert found["spears_1"].native and not found["spears_1"].formed and not found["spears_1"].no_quarter


@pytest.mark.rule("RSK-160")
def test_a_zulu_leader_takes_no_prisoners_either() -> None:
    zulus = unit("zulus", kind="own_led_regular", figures=20, close_weapon="spear")
    induna = "induna: {name: Induna, side: red, rank: chief, unit: zulus}"
    chief = "chief: {name: Chief, side: blue, rank: chief, unit: spears}"
    found = specs(zulus, leaders=f"{induna}, {chief}")
    assert found["induna"].no_quarter and not found["chief"].no_quarter


@pytest.mark.rule("RSK-017")
@pytest.mark.setting("scenario.camels_are_cavalry")
def test_setting_decides_if_camels_are_cavalry() -> None:
    camels = unit("camels", arm="camelry", kind="native_regular", figures=8, weapon="breech_rifle")
    horse = unit("horse", arm="cavalry", figures=8, close_weapon="lance")
    assert (specs(camels, horse)["camels"].cavalry, specs(camels, horse)["horse"].cavalry) == (False, True)
    on = specs(camels, unit("men", figures=8), settings={"scenario_camels_are_cavalry": True})
    assert on["camels"].cavalry and not on["men"].cavalry


@pytest.mark.rule("RSK-005", "RSK-008", "RSK-073", "RSK-080")
def test_units_that_ride() -> None:
    """Mounted arms, and units with a mount in the scenario."""
    units = [unit(arm, arm=arm, figures=8) for arm in ("infantry", "cavalry", "camelry", "mounted_infantry")]
    horsed = unit("horsed", figures=8, mount="horse")
    gun = unit("gun", arm="artillery", figures=5, gun="{kind: field}")
    found = specs(*units, horsed, gun, settings={"extensions_support_weapons": "on"})
    riders = {spec.parent for spec in found.values() if spec.mounted}
    assert riders == {"cavalry", "camelry", "mounted_infantry", "horsed"}


@pytest.mark.rule("RSK-033", "RSK-031")
def test_weapons_and_their_loading() -> None:
    def carried(weapon: str) -> tuple[str, str]:
        spec = specs(unit("men", figures=8, weapon=weapon))["men"]
        return spec.weapon, spec.loading

    assert carried("smoothbore_musket") == carried("jezail") == ("musket", "muzzle")
    assert carried("rifled_musket") == ("rifle", "muzzle")
    assert carried("breech_rifle") == ("rifle", "breech") and carried("magazine_rifle") == ("rifle", "magazine")
    assert carried("revolver") == ("pistol", "magazine") and carried("flintlock_pistol") == ("pistol", "muzzle")
    assert carried("bow") == ("bow", "breech") and carried("sling") == ("sling", "breech")
    assert carried("javelin") == ("spear", "hurled")


@pytest.mark.rule("RSK-068")
@pytest.mark.parametrize(("weapon", "fires"), [("breech_rifle", True), ("bow", False), ("none", False)])
def test_only_firearms_fire_volleys(weapon: str, fires: bool) -> None:
    drilled = specs(unit("men", figures=8, weapon=weapon))
    assert drilled["men"].volley is fires


@pytest.mark.rule("RSK-008")
def test_guns_are_left_out_with_a_note_unless_the_extension_is_on() -> None:
    gun = unit("gun", arm="artillery", figures=5, gun="{kind: field}", weapon="breech_rifle")
    texts = ", ".join((gun, UNITS.strip().split("\n")[1].strip()))
    plain = game(units=texts, leaders="")
    assert "gun" not in plain.plan.specs
    assert plain.untranslated[0] == (
        "gun takes no part in this game. Play with the setting extensions.support_weapons=on to include it (RSK-008)"
    )
    on = game({"extensions_support_weapons": "on"}, units=texts, leaders="")
    assert (on.plan.specs["gun"].support, on.plan.specs["gun"].weapon, on.plan.specs["gun"].armed) == ("gun", "none", 0)


@pytest.mark.rule("RSK-008")
def test_one_note_names_all_guns_left_out_with_their_leaders() -> None:
    made = load_rules("risk_factor").game(load_scenario("square_attacked"))
    guns = [unit for unit in made.scenario.units.values() if unit.gun is not None]
    assert len(guns) > 1 and all(unit.name in made.untranslated[0] for unit in guns)
    left = [leader.name for key, leader in made.scenario.leaders.items() if key not in made.plan.specs]
    assert left and all(name in made.untranslated[0] for name in left)


@pytest.mark.rule("RSK-008")
def test_aircraft_are_left_out_with_a_note() -> None:
    plane = unit("plane", arm="aircraft", figures=2, armament="[bombs]")
    made = game(units=", ".join((plane, UNITS.strip().split("\n")[1].strip())), leaders="")
    assert (
        "plane" not in made.plan.specs
        and "plane: takes no part, because aircraft are not in these rules (RSK-008)" in made.untranslated
    )


@pytest.mark.rule("RSK-018", "RSK-021", "RSK-070")
def test_the_highest_leader_is_the_player_character_unless_several_are_named() -> None:
    leaders = LEADERS + ", major: {name: Major, side: red, rank: commander}"
    assert game(leaders=leaders).plan.commanders == {"red": ["major"], "blue": ["chief"]}
    both = game(leaders=leaders, overrides="risk_factor: {player_characters: [major, captain]}")
    assert set(both.start().commanders) == {"major", "captain", "chief"}


@pytest.mark.rule("RSK-022", "RSK-024")
@pytest.mark.setting("loyalty.native_service")
def test_a_european_commands_natives_in_european_service() -> None:
    """Europeans and drivers beside such natives are loyal to him. The natives' own officers and NCOs are natives."""
    units = ", ".join(
        (
            unit("sikhs", kind="native_regular", figures=20, weapon="breech_rifle"),
            unit("dorsets", figures=10, weapon="breech_rifle"),
            unit("drivers", arm="civilians", kind="civilian", figures=6),
            UNITS.strip().split("\n")[1].strip(),
        )
    )
    leaders = (
        "colonel: {name: Colonel, side: red, rank: commander, unit: sikhs}, "
        "surgeon: {name: Surgeon, side: red, rank: officer, unit: drivers}, "
        "subadar: {name: Subadar, side: red, rank: officer, unit: sikhs}, "
        "havildar: {name: Havildar, side: red, rank: nco}"
    )
    for rule in ("both", "own_only"):
        played = game({"loyalty_native_service": rule}, units=units, leaders=leaders)
        found, state = played.plan.specs, played.start()
        assert [found[name].people for name in ("colonel", "surgeon")] == ["european"] * 2
        assert {found[name].people for name in ("subadar", "havildar", "sikhs_1_nco")} == {"service"}
        for name in ("dorsets", "drivers"):
            assert is_loyal(state, found[name], found["colonel"]) and not is_loyal(state, found[name], found["subadar"])
        assert is_loyal(state, found["sikhs_1"], found["subadar"])
        assert is_loyal(state, found["sikhs_1"], found["colonel"]) is (rule == "both")


def test_overrides_reach_the_attributes_and_wrong_ones_are_refused() -> None:
    found = specs(
        unit("boers", kind="european_irregular", figures=8, weapon="breech_rifle"),
        overrides="risk_factor: {units: {boers: {volley: true}}}",
    )
    assert found["boers"].volley
    with pytest.raises(ZarebaError, match="volley"):
        specs(unit("boers", figures=8), overrides="risk_factor: {units: {boers: {voley: true}}}")


RIVER = (
    "river: {kind: river, line: [[0, 24], [60, 24]], width: 3, depth: deep}, ford: {kind: ford, line: [[30, 22], [30, 26]], width: 4}, "
    "rise: {kind: hill, area: [[5, 5], [15, 5], [15, 15], [5, 15]], slope: steep}, "
    "wall: {kind: rampart, line: [[40, 30], [50, 30]], gates: {gate: {at: [45, 30], width: 2}}}"
)


@pytest.mark.rule("RSK-076", "RSK-099", "RSK-155")
def test_rivers_are_cut_at_fords_and_walls_at_gates() -> None:
    field = game(terrain=RIVER).plan.field
    assert {name for name in field.pieces if name.startswith("river")} == {"river.1", "river.2"}
    assert {piece.name for piece in field.closed} == {"river.1", "river.2", "wall.1", "wall.2"}
    assert (
        field.pieces["wall.gate"].ground.barrier
        and field.pieces["rise"].ground.difficult
        and field.pieces["rise"].crest
    )
    way = field.move_costs[False].path_around((30.0, 30.0), (30.0, 100.0))
    assert way is not None
    assert field.pieces["ford"].ground.difficult


@pytest.mark.rule("RSK-107", "RSK-135")
def test_units_set_up_behind_works_line_them() -> None:
    bags = "bags: {kind: mealie_bags, line: [[10, 14], [50, 14]]}"
    men = unit("men", figures=8, weapon="breech_rifle", position="[30, 12]", facing="north")
    texts = ", ".join((men, UNITS.strip().split("\n")[1].strip()))
    plan = game(units=texts, leaders="", terrain=bags).plan
    front = max(y for _, y in plan.bodies["men"].at)
    assert 14 * 2.54 - front == pytest.approx(1.3, abs=0.01)
    assert plan.field.in_works[plan.bodies["men"]]


@pytest.mark.rule("RSK-099")
@pytest.mark.parametrize(
    ("kind", "cover"),
    [("wood", "soft"), ("bush", "soft"), ("rocks", "hard"), ("built_up", "hard"), ("donga", "hard"), ("broken", "open"),
     ("steep", "open"), ("|hedge", "soft"), ("|works", "hard"), ("|trench", "hard"), ("|wire", "open")],
)  # fmt: skip
def test_each_kind_of_ground_gives_its_cover(kind: str, cover: str) -> None:
    """The man is in an area, or a cm behind a line between him and the shooter."""
    area = [(40.0, 90.0), (60.0, 90.0), (60.0, 110.0), (40.0, 110.0)]
    piece = line("x", kind[1:], (0, 98), (90, 98)) if kind[0] == "|" else ground("x", kind, area)
    field = scene(troops("foe", "blue", (0, 0), at=[(50, 100)]), terrain=[piece])
    assert field.battle.field.cover_of(field["foe"].body, 0, (50, 20)) == cover


def test_the_legend_names_a_hill() -> None:
    cells = ground_cells(RskGame(rules_with(), load_scenario("patrol_clash")).plan.field)
    assert {cell.text for cell in cells if cell.mark == "∩"} == {"hill"}
    assert "open ground" not in {cell.text for cell in cells if cell.mark}
