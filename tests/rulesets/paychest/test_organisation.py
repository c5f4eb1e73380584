"""Larger units, native forces, and the tools for scenario authors."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.rulesets.paychest.stage import printed_book, rules_with, scenario

from zareba.base.errors import ZarebaError
from zareba.plugins.ruleset import Force
from zareba.scenario import Leader, Scenario, Unit
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.organisation import amalgamate, muster, notes_on
from zareba_rulesets.paychest.translation import make_force, translate


@pytest.mark.rule("PAY-185", "PAY-209")
def test_a_note_warns_of_more_than_two_guns_on_a_side() -> None:
    before = scenario("patrol_clash")
    guns = {key: unit for key, unit in before.units.items() if unit.gun is not None}
    (name,) = guns
    for pieces, warned in ((2, False), (3, True)):
        gun = guns[name].gun
        assert gun is not None
        units = dict(before.units) | {
            name: guns[name].model_copy(update={"gun": gun.model_copy(update={"pieces": pieces})})
        }
        notes = " ".join(notes_on(printed_book(), before.model_copy(update={"units": units})))
        assert ("PAY-185" in notes) is warned
    carried = {"arm": "vehicle", "armament": ("machine_gun", "machine_gun")}
    units = dict(before.units) | {"fusiliers": before.units["fusiliers"].model_copy(update=carried)}
    side = before.units[name].side
    assert before.units["fusiliers"].side == side
    assert "3 guns" in " ".join(notes_on(printed_book(), before.model_copy(update={"units": units})))


@pytest.mark.rule(
    "PAY-198", "PAY-199", "PAY-200", "PAY-201", "PAY-202", "PAY-203", "PAY-204", "PAY-205", "PAY-206", "PAY-207",
    "PAY-208", "PAY-211",
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("infantry_company", 20),
        ("platoon", 10),
        ("battalion", 86),
        ("brigade", 175),
        ("cavalry_squadron", 12),
        ("troop", 6),
        ("second_troop", 6),
        ("cavalry_regiment", 28),
        ("artillery_section", 4),
        ("battery", 14),
        ("native_warband", 20),
        ("native_regiment", 43),
        ("native_army", 90),
        ("native_cavalry_warband", 12),
        ("native_artillery_section", 4),
        ("machine_gun_section", 4),
    ],
)
def test_strengths_of_table_10(name: str, figures: int) -> None:
    assert sum(unit.figures for unit in muster(printed_book(), name)) == figures


@pytest.mark.rule("PAY-206")
def test_a_native_regiment_has_two_to_six_warbands() -> None:
    assert sum(unit.figures for unit in muster(printed_book(), "native_regiment", 6)) == 123
    for parts in (1, 7):
        with pytest.raises(ZarebaError, match="2 to 6"):
            muster(printed_book(), "native_regiment", parts)
    with pytest.raises(ZarebaError, match="2 or more"):
        muster(printed_book(), "brigade", 1)


@pytest.mark.rule("PAY-212")
def test_each_company_and_each_staff_has_a_card() -> None:
    battalion = muster(printed_book(), "battalion")
    assert [unit.figures for unit in battalion] == [6, 20, 20, 20, 20]
    assert sum(unit.guns for unit in muster(printed_book(), "battery")) == 3
    with pytest.raises(ZarebaError, match="battalion"):
        muster(printed_book(), "batallion")


def test_weak_units_may_be_joined() -> None:
    seven, nine = muster(printed_book(), "troop")[0], muster(printed_book(), "platoon")[0]
    both = amalgamate(seven, nine)
    assert both.figures == 16 and both.ranks["lieutenant"] == 2


def test_the_scenario_tool_notes_many_guns_and_unusual_strengths() -> None:
    notes = " ".join(notes_on(printed_book(), scenario("battle_of_the_wells")))
    assert "PAY-185" in notes and "PAY-209" in notes


@pytest.mark.rule("PAY-032", "PAY-199", "PAY-209", "PAY-212")
@pytest.mark.parametrize(
    "asked", ["infantry_company", "battalion", "battery", "cavalry_regiment", "native_regiment", "native_army"]
)
def test_units_made_by_table_10_get_no_note_about_their_strength(asked: str) -> None:
    force = make_force(rules_with(), asked, "patrol", commands=True)
    fields = {
        "units": {key: Unit(**dict(unit)) for key, unit in force.units.items()},
        "leaders": {key: Leader(**dict(leader)) for key, leader in force.leaders.items()},
    }
    made = scenario("patrol_clash").model_copy(update=fields)
    assert not any("PAY-209" in note for note in notes_on(printed_book(), made))
    first = next(iter(made.units))
    short = {first: made.units[first].model_copy(update={"figures": 13})}
    assert any(
        "PAY-209" in note for note in notes_on(printed_book(), made.model_copy(update={"units": made.units | short}))
    )


def joined(force: Force) -> Scenario:
    """The patrol's clash with one more unit on the patrol's side."""
    shipped = scenario("patrol_clash")
    fields = {
        "units": dict(shipped.units)
        | {key: Unit(**dict(unit) | {"side": "patrol"}) for key, unit in force.units.items()},
        "leaders": dict(shipped.leaders)
        | {key: Leader(**dict(leader) | {"side": "patrol"}) for key, leader in force.leaders.items()},
        "overrides": {"paychest": force.overrides},
    }
    return shipped.model_copy(update=fields)


@pytest.mark.rule("PAY-198", "PAY-206", "PAY-212", "PAY-035", "PAY-040")
def test_a_template_becomes_units_of_a_scenario_and_back_figure_by_figure() -> None:
    rules = rules_with()
    force = make_force(rules, "infantry_company", "column", commands=False)
    (unit_id,) = force.units
    assert force.units[unit_id]["figures"] == 20 and len(force.leaders) == 4
    plan = translate(printed_book(), joined(force))
    ranks = [plan.figures[f"{unit_id}.{place}"].rank for place in range(1, 21)]
    assert ranks == ["captain", "lieutenant", "sergeant", "sergeant", *["private"] * 16]
    bad = scenario("patrol_clash").model_copy(update={"overrides": {"paychest": {"ranks": {"sikhs.1": "captan"}}}})
    with pytest.raises(ZarebaError, match="captain"):
        translate(printed_book(), bad)


@pytest.mark.rule("PAY-199", "PAY-206", "PAY-210", "PAY-032")
def test_forces_of_several_units_of_parts_and_of_weak_units_joined() -> None:
    rules = rules_with()
    regiment = make_force(rules, "native_regiment:3", "hillmen", commands=True)
    assert [unit["figures"] for unit in regiment.units.values()] == [2, 20, 20, 20]  # the general is a separate unit
    assert [leader["rank"] for leader in regiment.leaders.values()].count("commander") == 1
    joined = make_force(rules, "troop+platoon", "column", commands=False)
    assert [unit["figures"] for unit in joined.units.values()] == [16]
    assert next(iter(joined.overrides["ranks"].values())) == "lieutenant"
    for asked, words in (
        ("batallion", "battalion"),
        ("native_regiment:9", "2 to 6"),
        ("a company", "no formation"),
        ("platoon+machine_gun_section", "guns"),
    ):
        with pytest.raises(ZarebaError, match=words):
            make_force(rules, asked, "column", commands=False)


@pytest.mark.rule("PAY-210", "PAY-017", "PAY-021")
def test_each_part_of_a_joined_force_keeps_its_arms_and_skills() -> None:
    force = make_force(rules_with(), "troop+platoon", "patrol", commands=False)
    (unit_id,) = force.units
    plan = translate(printed_book(), joined(force))
    men = [plan.figures[name] for name in plan.units[unit_id].figures]
    assert Counter(man.profile for man in men) == {
        "cavalry_officer": 1, "trooper": 5, "legion_officer": 1, "legion_nco": 1, "legionnaire": 8,
    }  # fmt: skip
    troopers = {(man.weapons, man.firearms, man.melee, man.mount) for man in men if man.profile == "trooper"}
    assert troopers == {(("carbine", "sword"), 3, 4, "")}
    assert {man.weapons for man in men if man.profile == "legionnaire"} == {("rifle", "bayonet")}
    assert [man.rank for man in men] == ["lieutenant"] * 2 + ["sergeant"] + ["private"] * 13
    assert len({man.name for man in men[:2]}) == 2, "each lieutenant is named after his own men"


@pytest.mark.rule("PAY-210", "PAY-015")
def test_natives_in_a_regular_force_keep_their_kind_and_their_one_shot() -> None:
    force = make_force(rules_with(), "infantry_company+native_cavalry_warband", "patrol", commands=True)
    (unit_id,) = force.units
    plan = translate(printed_book(), joined(force))
    men = [plan.figures[name] for name in plan.units[unit_id].figures]
    assert plan.units[unit_id].kind == "regular"
    assert Counter((man.kind, man.profile, man.shots) for man in men) == {
        ("regular", "legion_officer", 2): 1, ("regular", "legion_nco", 2): 2, ("regular", "legionnaire", 2): 16,
        ("irregular", "arab_leader", 1): 1, ("irregular", "arab_rider", 1): 11,
    }  # fmt: skip


@pytest.mark.rule("PAY-018")
def test_profiles_of_single_figures_are_checked() -> None:
    shipped = scenario("patrol_clash")
    for profiles, words in (({"sikhs.2": "troper"}, "trooper"), ({"sikhs.99": "trooper"}, "sikhs")):
        bad = shipped.model_copy(update={"overrides": {"paychest": {"profiles": profiles}}})
        with pytest.raises(ZarebaError, match=words):
            translate(printed_book(), bad)


@pytest.mark.rule("PAY-032", "PAY-200", "PAY-202", "PAY-207", "PAY-211", "PAY-035")
@pytest.mark.parametrize(
    ("asked", "commander", "others"),
    [
        ("brigade", "general", ["private"] * 2),
        ("machine_gun_section", "sergeant", ["private"] * 3),
        ("native_cavalry_warband", "leader", ["warrior"] * 11),
        ("second_troop", "sergeant", ["private"] * 5),
    ],
)
def test_a_commander_with_a_separate_card_leaves_the_other_figures_to_his_formation(
    asked: str, commander: str, others: list[str]
) -> None:
    force = make_force(rules_with(), asked, "patrol", commands=True)
    shipped = scenario("patrol_clash")
    fields = {
        "units": {key: Unit(**dict(unit)) for key, unit in force.units.items()} | dict(shipped.units),
        "leaders": {key: Leader(**dict(leader)) for key, leader in force.leaders.items()},
        "overrides": {"paychest": force.overrides},
    }
    plan = translate(printed_book(), shipped.model_copy(update=fields))
    unit_id, chief = next(iter(force.units)), next(iter(force.leaders))
    assert [plan.figures[name].rank for name in plan.units[unit_id].figures] == others
    alone = plan.figures[f"{chief}.1"]
    assert alone.rank == commander and (alone.mount == "horse") is ("cavalry" in asked or "troop" in asked)
    if commander == "sergeant":
        assert alone.profile == ("gun_nco" if "gun" in asked else "cavalry_nco")


@pytest.mark.rule("PAY-032", "PAY-198", "PAY-035")
@pytest.mark.setting("commander_card")
def test_a_commander_with_his_company_changes_no_rank() -> None:
    force = make_force(rules_with(), "infantry_company", "patrol", commands=True)
    shipped = scenario("patrol_clash")
    leaders = {key: officer for key, officer in shipped.leaders.items() if officer.side != "patrol"}
    fields = {
        "units": {key: Unit(**dict(unit)) for key, unit in force.units.items()} | dict(shipped.units),
        "leaders": {key: Leader(**dict(leader)) for key, leader in force.leaders.items()} | leaders,
        "overrides": {"paychest": force.overrides},
    }
    plan = translate(PaychestBook(rules_with(commander_card="attached")), shipped.model_copy(update=fields))
    company = plan.units[next(iter(force.units))]
    ranks = ["lieutenant", "sergeant", "sergeant", *["private"] * 16, "captain"]
    assert [plan.figures[name].rank for name in company.figures] == ranks
    assert plan.commanders["patrol"] == company.figures[-1]


@pytest.mark.rule("PAY-210")
def test_names_of_joined_units_are_short_enough_for_a_scenario() -> None:
    force = make_force(
        rules_with(), "native_cavalry_warband+native_warband+native_cavalry_warband", "hillmen", commands=True
    )
    named = [*force.units, *force.leaders, *force.overrides["ranks"]]
    assert max(map(len, named)) <= 64 and len(force.units) == 1
    assert max(len(leader["name"]) for leader in force.leaders.values()) <= 80
    two = make_force(rules_with(), "brigade", "a_side_with_a_name_that_is_nearly_as_long_as_may_be", commands=False)
    assert len(two.units) == 11 and max(map(len, two.overrides["ranks"])) <= 64


@pytest.mark.rule("PAY-035", "PAY-017")
def test_native_leaders_have_the_profile_of_their_rank() -> None:
    plan = translate(printed_book(), scenario("column_ambushed"))
    assert plan.figures["mullah.1"].profile == "arab_chief"
    assert plan.figures[plan.leaders["malik_north"]].profile == "arab_leader"
    assert plan.figures[plan.leaders["headman"]].profile == "arab_subleader"


@pytest.mark.rule("PAY-208")
@pytest.mark.parametrize("commands", [False, True])
def test_the_men_at_a_native_gun_are_all_privates(commands: bool) -> None:
    force = make_force(rules_with(), "native_artillery_section", "column", commands=commands)
    (unit_id,) = force.units
    plan = translate(printed_book(), joined(force))
    crew = [figure.rank for figure in plan.figures.values() if figure.unit == unit_id]
    assert crew == ([] if commands else ["sub_leader"]) + ["private"] * 3
