"""Chapters 14 to 16: flags, retreats, breakthrough."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief, ordered, run

from zareba.chance import distribution
from zareba.table import Choose
from zareba_rulesets.afriboria.chapters.breakthrough import may_break_through
from zareba_rulesets.afriboria.chapters.combat import exchange_facts, fight_unit, is_steadied
from zareba_rulesets.afriboria.chapters.engagement import engage
from zareba_rulesets.afriboria.chapters.exchange import Exchange, ExchangeFacts, answer_flags
from zareba_rulesets.afriboria.chapters.retreat import (
    commander_withdrawals,
    may_withdraw,
    retreat,
    retreat_commander,
    retreat_hexes,
    withdraw,
)
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.presentation.odds_hints import next_act


def flags(rules: Any, script: Any, scripted: Any, number: int, **facts: Any) -> int:
    given: dict[str, Any] = {"dice": 4, "hits": "modern", "close": False, "figures": 6, "strength": 6} | facts
    course = Exchange("us", "them", "blue", flags=number, facts=ExchangeFacts(**given))
    with scripted(bare_battle(rules), script) as table:
        answer_flags(table, rules, course)
    return course.retreat


@pytest.mark.rule("AFR-194", "AFR-226", "AFR-228", "AFR-227")
def test_one_of_two_flags_is_certain(book: Any, scripted: Any) -> None:
    assert flags(book(), [("flags to save", 1), ("flag saves", [2])], scripted, 1) == 0
    assert flags(book(), [("flags to save", 1), ("flag saves", [2])], scripted, 2) == 1
    assert flags(book(), [("flags to save", 0)], scripted, 3) == 3


@pytest.mark.rule("AFR-227")
@pytest.mark.setting("flag_save_faces")
def test_faces_that_save_flags(book: Any) -> None:
    chances = {
        setting: [distribution(1, 6, book(flag_save_faces=setting).flag_saves[close])[1,] for close in (True, False)]
        for setting in ("as_figures", "shield_or_sabres", "flag")
    }
    assert chances == {"as_figures": [1, 2], "shield_or_sabres": [2, 2], "flag": [1, 1]}


@pytest.mark.rule("AFR-229", "AFR-230", "AFR-231", "AFR-232", "AFR-233")
def test_strength_above_which_flags_are_ignored(rules: Any, at: Any, scripted: Any) -> None:
    assert {key: rules.threshold(rules.profiles[key], officer=False) for key in (
        "inf_a", "inf_b", "inf_c", "civ_n", "cav_a", "cav_b", "cav_c", "cav_a_foot", "art_field", "mg_foot", "vehicle", "pack",
    )} == {
        "inf_a": 4, "inf_b": 6, "inf_c": 8, "civ_n": 8, "cav_a": 4, "cav_b": 5, "cav_c": 5, "cav_a_foot": 4, "art_field": 3,
        "mg_foot": 3, "vehicle": 3, "pack": None,
    }  # fmt: skip
    assert [rules.threshold(rules.profiles[k], officer=True) for k in ("inf_a", "cav_b", "art_field", "mg_foot")] == [
        3,
        4,
        3,
        3,
    ]
    assert flags(rules, [("flags", "ignore the flags")], scripted, 3, steady_above=5) == 0
    assert flags(rules, [("flags", "accept the flags"), ("flags to save", 0)], scripted, 1, steady_above=5) == 1
    assert flags(rules, [("flags to save", 0)], scripted, 1, steady_above=6) == 1, "strictly more"
    for officer, threshold in ((True, 5), (False, 6)):
        us = unit_of(rules, "us", "red", "inf_a", at(4, 4))
        them = unit_of(rules, "them", "blue", "inf_b", at(4, 5))
        battle = bare_battle(rules, [us, them], [chief("boss", "blue", at(4, 5), officer)])
        assert exchange_facts(battle, us, at(4, 4), them, at(4, 5), 4, True).steady_above == threshold


@pytest.mark.rule("AFR-136", "AFR-234")
def test_sandbags_take_the_first_flag(book: Any, scripted: Any) -> None:
    ignored, accepted = ("first flag", "ignore the first flag"), ("first flag", "accept it")
    assert flags(book(), [ignored], scripted, 1, sandbags=True) == 0
    assert flags(book(), [ignored, ("flags to save", 1), ("flag saves", [2])], scripted, 2, sandbags=True) == 0
    assert flags(book(), [accepted, ("flags to save", 0)], scripted, 1, sandbags=True) == 1
    assert flags(book(), [accepted, ("flags to save", 1), ("flag saves", [2])], scripted, 2, sandbags=True) == 1


@pytest.mark.rule("AFR-238", "AFR-244", "AFR-236")
def test_steps_back_the_owner_chooses(rules: Any, at: Any) -> None:
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 4))
    full = [unit_of(rules, f"f{n}", "blue", "inf_b", at(3, 5)) for n in range(2)]
    battle = bare_battle(rules, [them, *full])
    run(retreat, battle, them, 2, script=[("retreat to", at(4, 6))])
    assert them.hex == at(4, 6), "the only hex of the first step was taken without asking"


@pytest.mark.rule("AFR-245", "AFR-099")
def test_rallied_by_a_commander(rules: Any, at: Any) -> None:
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 4))
    battle = bare_battle(rules, [them], [chief("boss", "blue", at(4, 5), officer=False)])
    assert run(retreat, battle, them, 3, script=[("retreat to", at(4, 5))]) == 1
    assert them.hex == at(4, 5) and battle.commander_of(them) is battle.commanders["boss"]


@pytest.mark.rule("AFR-246", "AFR-249")
def test_the_commander_goes_along_unless_a_unit_stays(rules: Any, at: Any) -> None:

    def place(*others: Any, chiefs: Any = ()) -> Any:
        them = unit_of(rules, "them", "blue", "inf_b", at(4, 4))
        return bare_battle(rules, [them, *others], [chief("boss", "blue", at(4, 4)), *chiefs])

    is_alone = place()
    run(retreat, is_alone, is_alone.units["them"], 2, script=[("retreat to", at(4, 5)), ("retreat to", at(4, 6))])
    assert is_alone.commanders["boss"].hex == at(4, 6)
    two = place(unit_of(rules, "other", "blue", "inf_b", at(4, 4)))
    run(retreat, two, two.units["them"], 1, script=[("retreat to", at(4, 5))])
    assert two.commanders["boss"].hex == at(4, 4)
    wall = [unit_of(rules, f"w{n}", "red", "inf_b", at(3, 5)) for n in range(1)]
    met = place(*wall, chiefs=[chief("second", "blue", at(4, 5))])
    assert run(retreat, met, met.units["them"], 2) == 1
    assert (met.units["them"].hex, met.commanders["boss"].hex) == (at(4, 5), at(4, 4)), "he stays, the unit is rallied"


@pytest.mark.rule("AFR-242", "AFR-246")
@pytest.mark.parametrize("back", [partial(retreat, hexes=1), withdraw])
def test_retreat_report_says_if_the_commander_goes_along(rules: Any, at: Any, scripted: Any, back: Any) -> None:
    for others, goes in (((), "boss"), ((unit_of(rules, "other", "blue", "inf_b", at(4, 4)),), "")):
        them = unit_of(rules, "them", "blue", "inf_b", at(4, 4))
        battle = bare_battle(rules, [them, *others], [chief("boss", "blue", at(4, 4))])
        with scripted(battle, [("retreat to", at(4, 5))]) as table:
            back(table, battle, them)
        assert [dict(event.data) for event in table.events] == [{"unit": "them", "hex": at(4, 5), "chief": goes}]
        assert battle.commanders["boss"].hex == (at(4, 5) if goes else at(4, 4))


@pytest.mark.rule("AFR-247")
def test_a_blocked_retreat_costs_men_or_the_commander(rules: Any, at: Any) -> None:

    def surrounded(*others: Any, chiefs: Any = ()) -> Any:
        them = unit_of(rules, "them", "blue", "inf_b", at(4, 4), 3)
        red = [unit_of(rules, f"r{n}", "red", "inf_b", cell) for n, cell in enumerate((at(4, 5), at(3, 5)))]
        return bare_battle(rules, [them, *red, *others], chiefs)

    battle = surrounded()
    run(retreat, battle, battle.units["them"], 2)
    assert battle.units["them"].figures == 1
    battle = surrounded(chiefs=[chief("boss", "blue", at(4, 4))])
    run(retreat, battle, battle.units["them"], 2, script=[("lose", "the commander")])
    assert battle.gone == {"boss": "killed"} and battle.units["them"].figures == 2
    battle = surrounded(unit_of(rules, "other", "blue", "inf_b", at(4, 4)), chiefs=[chief("boss", "blue", at(4, 4))])
    run(retreat, battle, battle.units["them"], 1)
    assert battle.units["them"].figures == 2 and battle.commanders["boss"].hex == at(4, 4)
    boss = chief("boss", "blue", at(4, 4))
    lone = bare_battle(
        rules, [unit_of(rules, f"r{n}", "red", "inf_b", c) for n, c in enumerate((at(4, 5), at(3, 5)))], [boss]
    )
    run(retreat_commander, lone, boss, 1)
    assert lone.gone == {"boss": "killed"}


@pytest.mark.rule("AFR-247", "AFR-050", "AFR-052")
@pytest.mark.parametrize(("quota", "left"), [(1, 3), (2, 2)])
def test_a_blocked_retreat_costs_nothing_more_once_it_has_decided_the_battle(
    rules: Any, at: Any, quota: int, left: int
) -> None:
    """The commander is lost for the first of two steps and scores one point."""
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 4), 3)
    red = [unit_of(rules, f"r{n}", "red", "inf_b", cell) for n, cell in enumerate((at(4, 5), at(3, 5)))]
    battle = bare_battle(rules, [them, *red], [chief("boss", "blue", at(4, 4))])
    battle.sides["red"].quota = quota
    run(retreat, battle, them, 2, script=[("lose", "the commander")])
    assert battle.over is (quota == 1) and them.figures == left


@pytest.mark.rule("AFR-247")
def test_log_explains_losses_of_blocked_retreats(rules: Any, at: Any, scripted: Any, game: Any) -> None:
    them, boss = unit_of(rules, "them", "blue", "inf_b", at(4, 4), 3), chief("boss", "blue", at(2, 4))
    reds = [at(4, 5), at(3, 5), at(1, 5), at(2, 5)]
    battle = bare_battle(
        rules, [them, *(unit_of(rules, f"r{n}", "red", "inf_b", c) for n, c in enumerate(reds))], [boss]
    )
    with scripted(battle, []) as table:
        retreat(table, battle, them, 2)
        retreat_commander(table, battle, boss, 1)
    told = [(event.kind, event.data["unit"]) for event in table.events if event.kind != "points"]
    assert told == [
        ("blocked", "them"), ("loss", "them"), ("loss", "them"), ("blocked", "boss"), ("loss", "boss"), ("commander lost", "boss"),
    ]  # fmt: skip
    assert game().narrator.describe_event(table.events[0]).endswith(" could not retreat")


@pytest.mark.rule("AFR-248")
def test_off_the_field_is_the_end(rules: Any, at: Any) -> None:
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 10))
    battle = bare_battle(rules, [them], [chief("boss", "blue", at(4, 10))])
    run(retreat, battle, them, 1)
    assert battle.gone == {"them": "left the field", "boss": "left the field"}
    assert battle.sides["red"].points == 2


@pytest.mark.rule("AFR-243")
def test_a_voluntary_retreat_without_a_hex_stays(rules: Any, at: Any) -> None:
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 4))
    red = [unit_of(rules, f"r{n}", "red", "inf_b", cell) for n, cell in enumerate((at(4, 5), at(3, 5)))]
    battle = bare_battle(rules, [them, *red])
    run(withdraw, battle, them)
    assert (them.hex, them.figures) == (at(4, 4), 8)


@pytest.mark.rule("AFR-096", "AFR-223")
def test_commanders_never_retreat_into_each_other(book: Any, at: Any) -> None:
    boss = chief("boss", "blue", at(4, 4))
    battle = bare_battle(book(), commanders=[boss, chief("second", "blue", at(4, 5))])
    run(retreat_commander, battle, boss, 1)
    assert boss.hex == at(3, 5)


# --- breakthrough -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("AFR-251", "AFR-252", "AFR-258", "AFR-250")
def test_infantry_breaks_through_with_its_commander(rules: Any, at: Any, scripted: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4)))
    us.moved = 1
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5), 5)
    battle = bare_battle(rules, [us, them], [chief("boss", "red", at(4, 4))])
    script = [
        ("battle against", ("hex", at(4, 5))), ("defender", "make a stand"), ("battle", [1, 2, 2, 2, 2]),
        ("defence", "do not defend"), ("flags to save", 0), ("retreat to", at(4, 6)),
        ("breakthrough", "advance with the commander"),
    ]  # fmt: skip
    with scripted(battle, script) as table:
        engage(table, battle, "us")
        assert table.events[-1].data == {"unit": "us", "hex": at(4, 5), "chief": "boss"}
    assert us.hex == battle.commanders["boss"].hex == at(4, 5)


@pytest.mark.rule("AFR-252", "AFR-253", "AFR-254")
def test_units_and_hexes_that_prevent_a_breakthrough(rules: Any, at: Any) -> None:
    for key, may in (("inf_a", True), ("cav_a", True), ("art_field", False), ("mg_foot", False), ("vehicle_mg", False)):
        battle = bare_battle(rules, [unit_of(rules, "us", "red", key, at(4, 4))])
        assert may_break_through(battle, battle.units["us"], at(4, 5)) is may
    held = bare_battle(rules, [unit_of(rules, "us", "red", "inf_a", at(4, 4))], [chief("boss", "blue", at(4, 5))])
    assert not may_break_through(held, held.units["us"], at(4, 5))
    for kind in ("impassable", "depression"):
        ground = bare_battle(rules, [unit_of(rules, "us", "red", "cav_a", at(4, 4))], terrain={at(4, 5): [kind]})
        assert not may_break_through(ground, ground.units["us"], at(4, 5))


def charge(
    rules: Any,
    at: Any,
    scripted: Any,
    script: Any,
    key: str = "cav_a",
    others: Any = (),
    terrain: Any = None,
    figures: int = 4,
) -> Any:
    us = ordered(unit_of(rules, "us", "red", key, at(4, 4)))
    us.mounted = not key.endswith("_foot")
    them = unit_of(rules, "them", "blue", "inf_c", at(4, 5), figures)
    battle = bare_battle(rules, [us, them, *others], terrain=terrain)
    run(engage, battle, "us", script=[("battle against", ("hex", at(4, 5))), *script])
    return battle


DRIVEN = [("defender", "make a stand"), ("battle", [1, 2, 2]), ("defence", "do not defend"), ("flags to save", 0)]


@pytest.mark.rule("AFR-255", "AFR-164")
def test_mounted_troops_fight_a_second_time(book: Any, at: Any, scripted: Any) -> None:
    script = [*DRIVEN, ("retreat to", at(4, 6)), ("breakthrough", "advance"), ("fight on against", at(4, 6))]
    battle = charge(book(), at, scripted, [*script, *DRIVEN, ("retreat to", at(4, 7))])
    assert battle.units["us"].hex == at(4, 5), "without another follow-up"


@pytest.mark.rule("AFR-254", "AFR-147")
def test_ground_forbids_the_second_battle(book: Any, at: Any, scripted: Any) -> None:
    defence = [("defender", "make a stand"), ("battle", [1, 2]), ("defence", "do not defend"), ("flags to save", 0)]
    script = [*defence, ("retreat to", at(4, 6)), ("breakthrough", "advance")]
    battle = charge(book(), at, scripted, script, terrain={at(4, 5): ["rough"]})
    assert battle.units["us"].hex == at(4, 5) and "no_battle" in battle.units["us"].marks


@pytest.mark.rule("AFR-256")
def test_dismounted_cavalry_follows_without_a_second_battle(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "cav_a", at(4, 4)))
    us.mounted = False
    battle = bare_battle(rules, [us, unit_of(rules, "them", "blue", "inf_c", at(4, 5), 4)])
    script = [("battle against", ("hex", at(4, 5))), *DRIVEN, ("retreat to", at(4, 6)), ("breakthrough", "advance")]
    run(engage, battle, "us", script=script)
    assert us.hex == at(4, 5)


@pytest.mark.rule("AFR-255")
@pytest.mark.setting("breakthrough_target")
def test_setting_decides_whom_mounted_troops_may_fight_after_a_breakthrough(book: Any, at: Any, scripted: Any) -> None:
    kill = [("defender", "make a stand"), ("battle", [6, 5, 2]), ("saving throws", [2]), ("breakthrough", "advance")]
    other = unit_of(book(), "other", "blue", "inf_c", at(4, 6))
    battle = charge(book(), at, scripted, kill, others=[other], figures=2)
    assert battle.units["us"].hex == at(4, 5)
    other = unit_of(book(), "other", "blue", "inf_c", at(4, 6))
    on = [("fight on against", "stay")]
    rules = book(breakthrough_target="any_adjacent")
    assert charge(rules, at, scripted, [*kill, *on], others=[other], figures=2).units["us"].hex == at(4, 5)


@pytest.mark.rule("AFR-257")
def test_no_breakthrough_by_the_defender(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4), 1))
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 5))
    battle = bare_battle(rules, [us, them])
    script = [
        ("battle against", ("hex", at(4, 5))), ("defender", "make a stand"), ("battle", [2, 2, 2, 2]), ("defence", "defend"),
        ("defence dice", [6]),
    ]  # fmt: skip
    run(engage, battle, "us", script=script)
    assert battle.gone == {"us": "destroyed"} and them.hex == at(4, 5)


@pytest.mark.rule("AFR-251", "AFR-222")
def test_a_fallen_commanders_hex_may_be_entered(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4)))
    battle = bare_battle(rules, [us], [chief("boss", "blue", at(4, 5))])
    script = [
        ("battle against", ("commander", "boss")), ("defender", "make a stand"), ("battle", [3, 2, 2, 2]),
        ("saving throws", [2]), ("breakthrough", "advance"),
    ]  # fmt: skip
    run(engage, battle, "us", script=script)
    assert us.hex == at(4, 5) and battle.gone == {"boss": "killed"}


@pytest.mark.rule("AFR-169", "AFR-235")
def test_the_other_unit_of_the_hex_is_not_touched(rules: Any, at: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "inf_b", at(4, 4)))
    them = [unit_of(rules, n, "blue", "inf_c", at(4, 5), 4) for n in ("one", "two")]
    battle = bare_battle(rules, [us, *them])
    script = [
        ("which unit is attacked", "two"), ("defender", "make a stand"), ("battle", [1, 2, 2, 2]),
        ("defence", "do not defend"), ("flags to save", 0), ("retreat to", at(4, 6)),
    ]  # fmt: skip
    run(fight_unit, battle, us, at(4, 5), script=script)
    assert (them[0].hex, them[1].hex) == (at(4, 5), at(4, 6))


@pytest.mark.rule("AFR-042", "AFR-230")
def test_character_without_a_bonus_does_not_steady_units(book: Any, at: Any) -> None:
    for officer, bonus, steadied in ((True, True, True), (True, False, False), (False, True, False)):
        us = unit_of(book(), "us", "red", "inf_a", at(4, 4))
        them = unit_of(book(), "them", "blue", "inf_b", at(4, 5))
        prince = chief("prince", "blue", at(4, 5), officer=officer, character=True, bonus=bonus)
        battle = bare_battle(book(), [us, them], [prince])
        assert is_steadied(battle, them) is steadied
        facts = exchange_facts(battle, us, at(4, 4), them, at(4, 5), 4, True)
        assert facts.steady_above == (5 if steadied else 6)


@pytest.mark.rule("AFR-245", "AFR-099", "AFR-298")
def test_a_commander_who_rallies_a_unit_names_his_second_one(book: Any, at: Any, scripted: Any) -> None:
    rules = book(stacking="one_unit")
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
    friend = unit_of(rules, "friend", "red", "inf_b", at(5, 3))
    boss = chief("boss", "red", at(4, 3))
    battle = bare_battle(rules, [us, friend], [boss])
    with scripted(battle, [("retreat to", at(4, 3)), ("second unit", "friend")]) as table:
        assert retreat(table, battle, us, 2) == 1, "rallied, he goes no further"
    assert (us.hex, boss.second) == (at(4, 3), "friend")


@pytest.mark.rule("AFR-255", "AFR-169")
def test_riders_fight_on_against_the_unit_they_drove_off_alone(rules: Any, at: Any, scripted: Any) -> None:
    us = ordered(unit_of(rules, "us", "red", "cav_a", at(4, 4)))
    them = [unit_of(rules, name, "blue", "inf_c", at(4, row)) for name, row in (("driven", 5), ("fresh", 6))]
    battle = bare_battle(rules, [us, *them])
    driven = [("defender", "make a stand"), ("battle", [1, 2, 2]), ("defence", "do not defend"), ("flags to save", 0)]
    script = [
        ("battle against", ("hex", at(4, 5))), *driven, ("retreat to", at(4, 6)), ("breakthrough", "advance"),
        ("fight on against", at(4, 6)), ("defender", "make a stand"), ("battle", [2, 2, 2]), ("defence", "do not defend"),
    ]  # fmt: skip
    with scripted(battle, script) as table:
        engage(table, battle, "us")
        fights = [event.data["target"] for event in table.events if event.kind == "battle"]
    assert fights == ["driven", "driven"]
    question = Choose("fight on against", "AFR-255", "us", "red", (at(4, 6), "stay"), ("driven",))
    assert (next_act(battle, question, at(4, 6)) or ("",))[0] == "battle"


@pytest.mark.rule("AFR-255")
@pytest.mark.setting("breakthrough_target")
def test_escaped_commander_allows_no_further_battle(book: Any, at: Any) -> None:
    rules = book(breakthrough_target="any_adjacent")
    for roll, more in (
        ([1, 2, 2], [("flags to save", 0), ("retreat to", at(3, 5))]),
        ([3, 2, 2], [("saving throws", [1])]),
    ):
        us = ordered(unit_of(rules, "us", "red", "cav_a", at(4, 4)))
        other = unit_of(rules, "other", "blue", "inf_c", at(4, 6))
        battle = bare_battle(
            rules, [us, other], [chief("boss", "blue", at(4, 5))], homes={"red": "east", "blue": "west"}
        )
        fight_on = [] if more[0][0] == "flags to save" else [("fight on against", "stay")]
        script = [
            ("battle against", ("commander", "boss")), ("defender", "make a stand"), ("battle", roll), *more,
            ("breakthrough", "advance"), *fight_on,
        ]  # fmt: skip
        run(engage, battle, "us", script=script)
        assert us.hex == at(4, 5)


@pytest.mark.rule("AFR-247", "AFR-225")
def test_a_wounded_character_spares_no_figures(rules: Any, at: Any) -> None:
    them = unit_of(rules, "them", "blue", "inf_b", at(4, 4), 3)
    ring = [unit_of(rules, f"r{n}", "red", "inf_b", cell) for n, cell in enumerate((at(4, 5), at(3, 5)))]
    battle = bare_battle(rules, [them, *ring], [chief("prince", "blue", at(4, 4), character=True)])
    run(retreat, battle, them, 1, script=[("lose", "the commander")])
    assert them.figures == 3 and "wounded" in battle.commanders["prince"].marks
    run(retreat, battle, them, 1)
    assert them.figures == 2


@pytest.mark.rule("AFR-005", "AFR-238", "AFR-241", "AFR-248")
@pytest.mark.parametrize(
    ("edge", "other", "column", "row"),
    [("south", "north", 4, 2), ("north", "south", 4, 8), ("west", "east", 2, 5), ("east", "west", 6, 5)],
)
def test_back_and_off_the_field_at_every_edge(
    rules: Any, at: Any, edge: Any, other: Any, column: int, row: int
) -> None:
    us = unit_of(rules, "us", "red", "inf_b", at(column, row))
    lone = chief("lone", "red", at(column, row))
    battle = bare_battle(rules, [us], [lone], homes={"red": edge, "blue": other})
    distance = battle.field.grid.distance_to_edge
    while us.hex not in battle.field.own_edge_hexes["red"]:
        cells = retreat_hexes(battle, us, None)
        near = [
            cell for cell in battle.field.neighbours[us.hex] if distance(cell, edge) < distance(us.hex, edge) - 1e-9
        ]
        assert sorted(cells) == sorted(near) and cells
        battle.move(us, cells[0])
        battle.place(lone, cells[0])
    for rim in battle.field.own_edge_hexes["red"]:
        battle.move(us, rim)
        battle.place(lone, rim)
        assert not may_withdraw(battle, us) and not commander_withdrawals(battle, lone), (
            "the next step is off the field"
        )
    run(retreat, battle, us, 1)
    assert battle.gone == {"us": "left the field", "lone": "left the field"}
    assert battle.sides["blue"].points == 2


@pytest.mark.rule("AFR-247", "AFR-246")
def test_a_commander_who_has_come_to_a_second_unit_spares_no_figures(rules: Any, at: Any) -> None:
    """The commander retreats with his unit into a friend's hex. The way on is barred, so he stays there."""
    us, friend = (unit_of(rules, name, "red", "inf_b", cell) for name, cell in (("us", at(4, 4)), ("friend", at(4, 3))))
    row = [unit_of(rules, f"foe{column}", "blue", "inf_c", at(column, 2)) for column in (4, 5)]
    beside = unit_of(rules, "beside", "blue", "inf_c", at(3, 3))
    battle = bare_battle(rules, [us, friend, *row, beside], [chief("boss", "red", at(4, 4))])
    assert run(retreat, battle, us, 2) == 1
    assert us.figures == 7 and us.hex == battle.commanders["boss"].hex == friend.hex
    is_alone = bare_battle(rules, [us, *row, beside], [chief("boss", "red", at(4, 3))])
    run(retreat, is_alone, us, 1, script=[("lose", "the commander")])
    assert us.figures == 7 and "boss" in is_alone.gone
