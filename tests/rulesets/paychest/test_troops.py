"""Figures, skills and weapons, and the translation of a neutral scenario into units."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest
from tests.rulesets.paychest.stage import blue, game, printed_book, red, rules_with, scenario, scene

from zareba.base.errors import ZarebaError
from zareba.scenario import Scenario, shipped_scenarios
from zareba.scenario import vocabulary as words
from zareba.space.field.bodies import Base, overlaps_any
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.chapters.fire import shots_left
from zareba_rulesets.paychest.chapters.melee import melee_facts
from zareba_rulesets.paychest.forces.units import FigureSpec
from zareba_rulesets.paychest.translation import Plan, shots_of, skills, translate


def changed(name: str, **fields: object) -> Scenario:
    return scenario(name).model_copy(update=fields)


@pytest.mark.rule("PAY-006", "PAY-007")
def test_every_figure_has_a_base_of_its_own() -> None:
    place = scene(red(2), blue(1, mount="horse"))
    assert place.battle.radius(place.figure("red.1")) == 0.5
    assert place.battle.radius(place.figure("blue.1")) == 0.75
    taken = [Base(10.0, 10.0, 0.5)]
    assert overlaps_any((10.9, 10.0), 0.5, taken) and not overlaps_any((11.0, 10.0), 0.5, taken)


@pytest.mark.rule("PAY-014", "PAY-015", "PAY-019")
def test_europeans_and_native_regulars_are_regular_and_others_not() -> None:
    kinds = {unit: spec.kind for unit, spec in game("paychest_raid").plan.units.items()}
    assert kinds["tirailleurs"] == kinds["first_section"] == kinds["goum"] == "regular"
    assert kinds["harka_first"] == kinds["pay_mules"] == "irregular"
    figures = game("paychest_raid").plan.figures
    assert figures["tirailleurs.5"].profile == "legionnaire"
    assert figures["harka_first.5"].profile == "arab_rifleman"


@pytest.mark.rule("PAY-017", "PAY-020")
def test_skills_by_profile_and_quality() -> None:
    assert skills(printed_book(), "legionnaire", "regular") == (4, 4)
    assert skills(printed_book(), "legionnaire", "raw") == (3, 3)
    assert skills(printed_book(), "arab_rifleman", "veteran") == (4, 3)
    assert skills(printed_book(), "legion_nco", "elite") == (5, 5)  # skill is at most 5
    assert skills(printed_book(), "civilian", "raw") == (1, 1)


@pytest.mark.rule("PAY-018")
def test_single_figures_may_have_skills_of_their_own() -> None:
    unit = next(name for name, unit in scenario("patrol_clash").units.items() if unit.weapon == "jezail")
    special = changed("patrol_clash", overrides={"paychest": {"skills": {f"{unit}.3 firearms": 6}}})
    plan = translate(printed_book(), special)
    assert plan.figures[f"{unit}.3"].firearms == 6 and plan.figures[f"{unit}.4"].firearms == 4
    wrong = changed("patrol_clash", overrides={"paychest": {"skills": {f"{unit}.3 firearms": 7}}})
    with pytest.raises(ZarebaError, match="from 0 to 6"):
        translate(printed_book(), wrong)


@pytest.mark.rule("PAY-079", "PAY-083")
def test_a_scenario_says_which_guns_are_emplaced_and_which_wagons_are_carriages() -> None:
    units = dict(scenario("patrol_clash").units)
    (gun,) = [name for name, unit in units.items() if unit.gun is not None]
    cart = next(name for name, unit in units.items() if unit.arm == "infantry")
    units[cart] = units[cart].model_copy(update={"arm": "wagon", "figures": 6})

    def translated(**lists: object) -> Plan:
        return translate(printed_book(), changed("patrol_clash", units=units, overrides={"paychest": lists}))

    plain, listed = translated(), translated(emplaced=[gun], carriages=[cart])
    kinds = [{engine.kind for engine in plan.engines.values() if engine.unit == cart} for plan in (plain, listed)]
    mounts = [{engine.mount for engine in plan.engines.values() if engine.unit == gun} for plan in (plain, listed)]
    assert (kinds, mounts) == ([{"wagon"}, {"carriage"}], [{"carriage"}, {"emplacement"}])
    assert len(listed.engines[f"{cart} carriage"].aboard) == 4
    for wrong, reason in (
        ({"emplaced": [cart]}, "is for the arms artillery"),
        ({"carriages": [gun]}, "is for the arms wagon"),
        ({"emplaced": ["nobody"]}, "emplaced.0: there is no 'nobody' in units"),
        ({"emplaced": gun}, "emplaced: expected a list"),
        ({"emplacde": [gun]}, "emplaced"),
    ):
        with pytest.raises(ZarebaError, match=reason):
            translated(**wrong)


@pytest.mark.rule("PAY-018", "PAY-035")
@pytest.mark.parametrize(
    "wrong",
    [
        {"skills": {"fusilers.3 firearms": 5}},
        {"skills": {"fusiliers.3 fire": 5}},
        {"ranks": {"fusiliers.99": "captain"}},
    ],
)
def test_overrides_of_men_who_are_not_there_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ZarebaError, match="fusil"):
        translate(printed_book(), changed("patrol_clash", overrides={"paychest": wrong}))


@pytest.mark.rule("PAY-032", "PAY-035", "PAY-081")
@pytest.mark.setting("commander_card", "flyers")
def test_overrides_for_omitted_men_are_accepted() -> None:
    units = dict(scenario("patrol_clash").units)
    units["fusiliers"] = units["fusiliers"].model_copy(update={"arm": "airship"})
    leader = next(key for key, officer in scenario("patrol_clash").leaders.items() if officer.unit == "fusiliers")
    ranks = {"ranks": {f"{leader}.1": "major", "fusiliers.2": "private"}}
    special = changed("patrol_clash", units=units, overrides={"paychest": ranks})
    for settings in ({"flyers": "off"}, {"flyers": "on", "commander_card": "attached"}):
        assert translate(PaychestBook(rules_with(**settings)), special).figures


@pytest.mark.rule("PAY-017", "PAY-035")
def test_a_man_is_of_the_class_of_his_rank() -> None:
    """A man made corporal by the scenario shoots as one, and a first man who is a private does not lead."""
    ranks = {"first_section.1": "private", "first_section.2": "corporal", "first_section.3": "captain"}
    ranks |= {"harka_first.4": "sub_leader"}
    figures = translate(printed_book(), changed("paychest_raid", overrides={"paychest": {"ranks": ranks}})).figures
    profiles = {name: figures[name].profile for name in ranks}
    assert list(profiles.values()) == ["legionnaire", "legion_nco", "legion_officer", "arab_subleader"]
    before = scenario("paychest_raid")
    headman = before.leaders["lieutenant"].model_copy(
        update={"rank": "headman", "unit": None, "position": (30.0, 20.0)}
    )
    alone = changed("paychest_raid", leaders=dict(before.leaders) | {"lieutenant": headman})
    found = translate(printed_book(), alone).figures["lieutenant.1"]
    assert (found.rank, found.profile) == ("sergeant", "legion_nco")


@pytest.mark.rule("PAY-021", "PAY-012")
def test_figures_carry_what_the_unit_has_and_are_as_many() -> None:
    plan = game("paychest_raid").plan
    assert plan.figures["harka_second.4"].weapons == ("musket", "sword")
    assert plan.figures["knives.4"].weapons == ("pistol", "knife")
    assert len(plan.units["harka_second"].figures) == 18


@pytest.mark.rule("PAY-024", "PAY-025", "PAY-026", "PAY-028")
@pytest.mark.setting("double_fire")
def test_troops_that_fire_twice() -> None:
    def shots(scope: str, kind: str, legion: bool) -> int:
        book = PaychestBook(rules_with(double_fire=scope))
        return shots_of(book, "legionnaire" if kind == "regular" else "arab_rifleman", kind, legion)

    assert (shots("regulars", "regular", False), shots("regulars", "irregular", False)) == (2, 1)
    assert (shots("legion_only", "regular", False), shots("legion_only", "regular", True)) == (1, 2)
    assert shots("none", "regular", True) == 1
    musketeer = red(1, weapons=("musket",)).figures["red.1"]
    assert musketeer.spec.shots == 2 and shots_left(printed_book(), musketeer, "musket") == 1
    assert shots_left(printed_book(), musketeer, "rifle") == 2  # the same every turn: ammunition is not counted


@pytest.mark.rule("PAY-025")
def test_a_scenario_says_who_is_legion() -> None:
    special = changed("paychest_raid", overrides={"paychest": {"legion": ["first_section"]}})
    plan = translate(PaychestBook(rules_with(double_fire="legion_only")), special)
    assert plan.figures["first_section.4"].shots == 2 and plan.figures["tirailleurs.4"].shots == 1
    with pytest.raises(ZarebaError, match=r"legion\.0: there is no 'nobody' in units"):
        translate(printed_book(), changed("paychest_raid", overrides={"paychest": {"legion": ["nobody"]}}))


@pytest.mark.rule("PAY-027", "PAY-121", "PAY-143")
def test_a_man_without_any_weapon_fights_at_one_less() -> None:
    place = scene(blue(2))
    bare, hurt = place.figure("blue.1"), place.figure("blue.2")
    bare.weapons = ()
    hurt.wounds = ("smashed_arm",)
    tally = place.rules.tallies["melee"]
    assert tally.total(melee_facts(place.battle, bare)) == 2
    assert tally.total(melee_facts(place.battle, hurt)) == 2  # only the smashed arm counts, though the rifle is useless


@pytest.mark.rule("PAY-030", "PAY-029")
def test_a_unit_of_more_than_forty_is_divided() -> None:
    units = dict(scenario("patrol_clash").units)
    name = next(iter(units))
    units[name] = units[name].model_copy(update={"figures": 50})
    plan = translate(printed_book(), changed("patrol_clash", units=units))
    assert [len(plan.units[part].figures) for part in plan.parts[name]] == [17, 17, 16]
    assert all(plan.units[part].side == units[name].side for part in plan.parts[name])


@pytest.mark.rule("PAY-032")
@pytest.mark.setting("commander_card")
def test_the_commander_is_a_unit_of_one_or_goes_with_a_unit() -> None:
    own, attached = game("paychest_raid").plan, game("paychest_raid", commander_card="attached").plan
    assert own.units["lieutenant"].single and own.commanders["legion"] == "lieutenant.1"
    assert "lieutenant" not in attached.units
    with_him = attached.commanders["legion"]
    assert with_him == attached.units["first_section"].figures[-1]
    alone, among = own.figures["lieutenant.1"], attached.figures[with_him]
    assert among.unit == "first_section" and replace(among, id=alone.id, unit=alone.unit) == alone
    assert len(own.figures) == len(attached.figures)  # the setting affects only his card: the side loses no man


@pytest.mark.rule("PAY-049", "PAY-032")
def test_no_leader_carries_what_his_unit_has_brought_while_there_is_another_man() -> None:
    before = scenario("paychest_raid")
    flag = next(iter(before.objects.values())).model_copy(update={"carrier": "first_section", "position": None})
    brought = before.model_copy(update={"objects": dict(before.objects) | {"flag": flag}})
    for card in ("own", "attached"):
        plan = translate(PaychestBook(rules_with(commander_card=card)), brought)
        assert plan.things["flag"].carrier == f"first_section.{before.units['first_section'].figures}"


def brought(**things: dict[str, Any]) -> Plan:
    """Return what the first section brings, without what was there before."""
    before = scenario("paychest_raid")
    chest = before.objects["paychest"]
    more = {
        name: chest.model_copy(update={"carrier": "first_section", "position": None} | entry)
        for name, entry in things.items()
    }
    return translate(printed_book(), before.model_copy(update={"objects": dict(before.objects) | more}))


@pytest.mark.rule("PAY-049", "PAY-073")
def test_one_man_brings_one_heavy_load() -> None:
    plan = brought(box={}, flag={"kind": "standard", "heavy": False}, second_box={})
    *_, last_but_one, last = plan.units["first_section"].figures
    assert [plan.things[name].carrier for name in ("box", "flag", "second_box")] == [last, last, last_but_one]


@pytest.mark.rule("PAY-049", "PAY-078", "PAY-193")
def test_loose_mounts_that_a_unit_brings_are_led_two_by_a_man() -> None:
    plan = brought(herd={"kind": "livestock", "count": 3, "heavy": False})
    led = [plan.things[f"herd {number}"] for number in (1, 2, 3)]
    *_, last_but_one, last = plan.units["first_section"].figures
    assert [(mount.carrier, mount.at) for mount in led] == [(last, None), (last, None), (last_but_one, None)]
    riders = brought(herd={"kind": "livestock", "count": 3, "heavy": False, "carrier": "goum"})
    loose = [riders.things[f"herd {number}"] for number in (1, 2, 3)]
    assert all(mount.carrier == "" and mount.at is not None for mount in loose)  # mounted men lead no mounts


@pytest.mark.rule("PAY-085", "PAY-015", "PAY-066")
def test_every_word_of_a_scenario_has_its_place() -> None:
    mapping = printed_book().file.mapping
    assert set(mapping.area_terrain) == set(words.AREA_KINDS)
    assert set(mapping.linear_terrain) == set(words.LINE_KINDS)
    assert set(mapping.area_terrain.values()) <= set(printed_book().file.terrain)
    assert set(mapping.linear_terrain.values()) <= set(printed_book().file.terrain) | set(printed_book().file.obstacles)
    for part, alias in (("kind", words.Kind), ("weapon", words.Weapon), ("close_weapon", words.CloseWeapon)):
        assert set(getattr(mapping, part)) == set(get_args(alias)), part
    assert set(mapping.weapon.values()) - {"none"} <= set(printed_book().file.weapons)
    assert set(mapping.close_weapon.values()) - {"none"} <= printed_book().blades
    for ranks in (mapping.rank_regular, mapping.rank_irregular):
        assert set(ranks) == set(words.RANKS)
        assert set(ranks.values()) <= set(printed_book().file.ranks)
    assert set(printed_book().file.quality) == set(get_args(words.Quality))


@pytest.mark.rule("PAY-050", "PAY-081")
@pytest.mark.parametrize("name", shipped_scenarios())
def test_every_shipped_scenario_can_be_set_up(name: str) -> None:
    played = game(name)
    battle = played.start()
    waiting = {*battle.waiting, *battle.arrivals}
    for unit_id, unit in battle.units.items():
        assert (unit.box[2] >= 0) != (unit_id in waiting)
        for figure in unit.able:
            assert figure.at is not None and battle.field.table.is_on_table(figure.at)
    assert all(isinstance(note, str) and note for note in played.untranslated)


def test_unsupported_words_are_noted() -> None:
    notes = " ".join(game("paychest_raid").untranslated)
    assert "hidden" in notes and "night" in notes


@pytest.mark.rule("PAY-083", "PAY-184")
def test_guns_come_singly_with_their_crew() -> None:
    battle = game("patrol_clash").start()
    guns = [engine for engine in battle.engines.values() if engine.kind == "gun"]
    assert len(guns) == 1 and guns[0].mount == "carriage"
    assert {figure.spec.profile for figure in battle.unit(guns[0].unit).figures.values()} == {"gun_nco", "gunner"}


def translated_figures(name: str, unit: dict[str, Any], leader: dict[str, Any] | None = None) -> dict[str, FigureSpec]:
    """Return the figures of the first unit of a scenario after changes to the unit and to its leader."""
    before = scenario("patrol_clash")
    units, leaders = dict(before.units), dict(before.leaders)
    units[name] = units[name].model_copy(update=unit)
    if leader is not None:
        key = next(key for key, one in leaders.items() if one.unit == name)
        leaders[key] = leaders[key].model_copy(update=leader)
    else:
        leaders = {key: officer for key, officer in leaders.items() if officer.unit != name}
    plan = translate(printed_book(), before.model_copy(update={"units": units, "leaders": leaders}))
    return {key: spec for key, spec in plan.figures.items() if spec.unit == name}


@pytest.mark.rule("PAY-035", "PAY-041", "PAY-017", "PAY-021")
def test_the_first_man_of_more_than_twelve_regulars_is_an_officer_with_pistol_and_sword() -> None:
    for figures, profile, rank, weapons in (
        (12, "legion_nco", "sergeant", ("rifle", "bayonet")),
        (13, "legion_officer", "lieutenant", ("pistol", "sword")),
    ):
        first = translated_figures("fusiliers", {"figures": figures})["fusiliers.1"]
        assert (first.profile, first.rank, first.weapons) == (profile, rank, weapons)
    riders = translated_figures(
        "fusiliers", {"figures": 13, "arm": "cavalry", "mounted_on": "horse", "weapon": "breech_carbine"}
    )
    assert [riders[f"fusiliers.{n}"].profile for n in (1, 2)] == ["cavalry_officer", "trooper"]
    assert riders["fusiliers.2"].mount == "horse" and riders["fusiliers.2"].weapons[0] == "carbine"


@pytest.mark.rule("PAY-020", "PAY-018")
def test_quality_changes_skills_but_gives_no_firearms_skill_to_men_without_one() -> None:
    for quality, found in (("raw", (3, 3)), ("veteran", (5, 4)), ("elite", (5, 5))):
        man = translated_figures("fusiliers", {"quality": quality})["fusiliers.5"]
        assert (man.firearms, man.melee) == found
    assert skills(printed_book(), "driver", "raw") == (1, 1)


@pytest.mark.rule("PAY-018", "PAY-020")
def test_class_of_a_leader_does_not_depend_on_his_men() -> None:
    for leader, found in (({}, (5, 4)), ({"hero": True}, (5, 5)), ({"quality": "raw"}, (4, 3))):
        plain = translated_figures("sikhs", {"quality": "regular", "figures": 12}, {"rank": "nco"} | leader)
        first, second = plain["sikhs.1"], plain["sikhs.2"]
        assert (first.rank, first.firearms, first.melee) == ("sergeant", *found)
        assert (second.firearms, second.melee) == (4, 4)


@pytest.mark.rule("PAY-020", "PAY-032", "PAY-066")
def test_a_commander_with_his_own_card_is_of_the_quality_he_would_have_in_his_unit() -> None:
    def commander(leader: dict[str, Any], **unit: Any) -> FigureSpec:
        before = scenario("patrol_clash")
        key = next(
            key
            for key, officer in before.leaders.items()
            if officer.unit == "fusiliers" and officer.rank == "commander"
        )
        units = dict(before.units) | {"fusiliers": before.units["fusiliers"].model_copy(update=unit)}
        leaders = dict(before.leaders) | {key: before.leaders[key].model_copy(update=leader)}
        return translate(printed_book(), before.model_copy(update={"units": units, "leaders": leaders})).figures[
            f"{key}.1"
        ]

    found = [
        commander({}, quality="regular"),
        commander({}, quality="veteran"),
        commander({"quality": "raw"}, quality="veteran"),
        commander({"hero": True}, quality="raw"),
    ]
    assert [(man.firearms, man.melee) for man in found] == [(4, 5), (5, 5), (3, 4), (5, 5)]
    assert commander({"mounted": True}).mount == "horse" and commander({}, arm="camelry").mount == ""
    assert commander({"mounted": True}, arm="camelry", mount="camel").mount == "camel"
