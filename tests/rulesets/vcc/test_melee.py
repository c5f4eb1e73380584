"""Melee: opponents, dice pools, simultaneous blows, and the morale checks after it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import Scene, Script, battlefield, blue, red

from zareba_rulesets.vcc.book import Cover
from zareba_rulesets.vcc.chapters.melee import (
    Blow,
    choose_blows,
    mark_units_in_melee,
    melee_facts,
    must_check_after_melee,
    roll_melee,
)
from zareba_rulesets.vcc.forces import Contact, Unit


def meet(
    charger: str, charged: str, *, flank: bool = False, uphill: bool = False, cover: Cover = "none", turn: int = 1
) -> Contact:
    return Contact(charger, charged, flank, uphill, cover, turn)


def pool(scene: Scene, unit: str, enemy: str, lead: str = "") -> int:
    """Return the melee dice of a unit against an enemy; `lead` is the unit it supports, if any."""
    facts = melee_facts(scene.battle, Blow(unit, enemy, lead or unit))
    return scene.rules.tally("melee_dice", facts).total


def duel(
    a_marks: str = "charged",
    b_marks: str = "",
    *,
    contact: Contact | None = None,
    a: Any = None,
    b: Any = None,
    **settings: Any,
) -> Scene:
    """A (5+1, blue) has charged B (5+1, red)."""
    a, b = dict(a or {}), dict(b or {})
    return battlefield(
        blue("A", "D4", a.pop("profile", "regular_infantry"), marks=a_marks, **a),
        red("B", "D4", b.pop("profile", "regular_infantry"), marks=b_marks, **b),
        contacts=[contact or meet("A", "B")],
        **settings,
    )


@pytest.mark.rule("VCC-118", "VCC-120", "VCC-121", "VCC-122")
def test_bases_charging_and_quality() -> None:
    scene = duel()
    assert (pool(scene, "A", "B"), pool(scene, "B", "A")) == (7, 6)
    assert pool(duel(""), "A", "B") == 6, "not charging: a later turn of the same contact"
    assert pool(duel(a={"quality": "elite"}), "A", "B") == 8
    assert pool(duel(a={"quality": "raw"}), "A", "B") == 6
    scene.unit("B").leader = False
    assert pool(scene, "B", "A") == 5


@pytest.mark.rule("VCC-124", "VCC-060", "VCC-059")
def test_a_flank_doubles_as_long_as_the_contact_lasts_but_not_against_a_square() -> None:
    flank = meet("A", "B", flank=True)
    assert pool(duel(contact=flank), "A", "B") == 14
    assert pool(duel("", contact=flank), "A", "B") == 12
    assert pool(duel(contact=flank), "B", "A") == 6
    assert pool(duel("", "square", contact=flank), "A", "B") == 6


@pytest.mark.rule("VCC-021", "VCC-125")
def test_lancers_double_against_broken_troops() -> None:
    lancers = {"profile": "regular_cavalry", "lancers": True}
    assert pool(duel("", "broken", a=lancers), "A", "B") == 12
    assert pool(duel("", "", a=lancers), "A", "B") == 6
    assert pool(duel("", "broken", a={"profile": "regular_cavalry"}), "A", "B") == 6
    both = duel("", "broken", a=lancers, contact=meet("A", "B", flank=True))
    assert pool(both, "A", "B") == 24


@pytest.mark.rule("VCC-022", "VCC-127", "VCC-020")
def test_riders_are_halved_in_front_of_dervish_foot_whoever_charged() -> None:
    riders, dervishes = {"profile": "regular_cavalry"}, {"profile": "irregular_shock", "bases": 5, "dervish_foot": True}
    assert pool(duel("", a=riders, b=dervishes), "A", "B") == 3
    assert pool(duel("", a=dervishes, b=riders), "B", "A") == 3
    assert pool(duel("", a=riders, b=dervishes, contact=meet("A", "B", flank=True)), "A", "B") == 12
    assert pool(duel("", b=dervishes), "A", "B") == 6, "foot is not halved"
    on_foot = duel("dismounted", a={"profile": "camel_corps"}, b=dervishes)
    assert pool(on_foot, "A", "B") == 6


@pytest.mark.rule("VCC-128", "VCC-119", "VCC-065")
def test_broken_troops_are_halved_to_one_die_at_least_and_prone_ones_are_not() -> None:
    assert pool(duel(b_marks="prone"), "B", "A") == 6
    assert pool(duel(b_marks="prone broken"), "B", "A") == 3
    assert pool(duel(b_marks="prone broken", b={"bases": 1, "leader": False, "quality": "raw"}), "B", "A") == 1


@pytest.mark.rule("VCC-070", "VCC-071", "VCC-129", "VCC-130", "VCC-131")
def test_uphill_and_cover_weigh_on_the_charger_alone() -> None:
    for contact, dice in (
        (meet("A", "B", uphill=True), 4),
        (meet("A", "B", cover="soft"), 4),
        (meet("A", "B", cover="hard"), 2),
        (meet("A", "B", uphill=True, cover="soft"), 2),
    ):
        assert pool(duel(contact=contact), "A", "B") == dice
        assert pool(duel(contact=contact), "B", "A") == 6


@pytest.mark.rule("VCC-015", "VCC-123", "VCC-165")
def test_gunners_fight_with_a_d3_each() -> None:
    scene = duel(b={"profile": "field_gun", "quality": "elite"})
    assert pool(scene, "B", "A") == 5, "four gunners and the elite die, a d3 like the others"
    assert scene.run(roll_melee, Blow("B", "A", "B"), script=[("melee", [3, 3, 3, 3, 3])]) == (15, True)
    destroyed = duel(b={"profile": "field_gun", "bases": 1})
    destroyed.play(("melee", [1]), ("melee", [1] * 7), phase="melee")
    assert destroyed.battle.gone == {"B": "destroyed"}


@pytest.mark.rule("VCC-134", "VCC-034", "VCC-135")
def test_both_strike_at_once_and_the_dead_strike_too() -> None:
    scene = duel(a={"bases": 1, "leader": False}, b={"bases": 1, "leader": False})
    scene.play(("melee", [5]), ("melee", [5, 1]), phase="melee")
    assert (scene.unit("A").hits, scene.battle.gone) == (5, {"B": "destroyed"})


@pytest.mark.rule("VCC-134", "VCC-110")
def test_the_order_is_rolls_hits_leaders() -> None:
    scene = duel()
    scene.play(
        ("melee", [6, 1, 1, 1, 1, 1]),  # British first: B strikes A
        ("melee", [6, 1, 1, 1, 1, 1, 1]),
        ("leader hit", [4, 5]),
        ("effect of leader hit", [1, 1]),
        ("leader hit", [4, 4]),
        phase="melee",
    )
    assert (scene.unit("A").hits, scene.unit("A").bases) == (5, 4)
    assert (scene.unit("B").hits, scene.unit("B").bases) == (0, 3)
    assert "jest" in scene.marks("A"), "9 hits a leader in melee, 8 does not"


@pytest.mark.rule("VCC-135")
def test_unit_that_stays_fights_again_without_the_charge_die() -> None:
    scene = duel()
    scene.play(("melee", [1] * 6), ("melee", [1] * 7), phase="melee")
    assert len(scene.battle.contacts) == 1
    scene.unit("A").unmark("charged")
    scene.battle.turn = 2
    scene.play(("melee", [1] * 5), ("melee", [1] * 5), phase="melee")
    assert [event["dice"] for event in scene.told("melee")] == [5, 5]
    assert scene.at("A") == scene.at("B") == "D4"


# --- several units ----------------------------------------------------------------------------------------------------


def paired(scene: Scene, *script: Script) -> list[Blow]:
    return scene.run(choose_blows, script=script)


@pytest.mark.rule("VCC-132", "VCC-126", "VCC-170")
def test_the_second_charger_on_a_side_supports_the_first() -> None:
    scene = battlefield(
        blue("First", "D4", marks="charged"),
        blue("Second", "D4", marks="charged"),
        red("Prey", "D4"),
        contacts=[meet("First", "Prey"), meet("Second", "Prey", cover="soft")],
    )
    assert paired(scene) == [
        Blow("Prey", "First", "Prey"),
        Blow("First", "Prey", "First"),
        Blow("Second", "Prey", "First"),
    ]
    assert pool(scene, "First", "Prey") == 11
    assert pool(scene, "Second", "Prey", "First") == 3, "(10 + 1 charging) / 2 / 2 for the cover of its own charge"


@pytest.mark.rule("VCC-132")
@pytest.mark.setting("max_supports")
@pytest.mark.parametrize(
    ("most", "fighting"), [(0, ["A"]), (1, ["A", "B"]), (2, ["A", "B", "C"]), (3, ["A", "B", "C"])]
)
def test_number_of_supporters_in_melee(most: int, fighting: list[str]) -> None:
    scene = battlefield(
        *(blue(name, "D4", marks="charged") for name in "ABC"),
        red("Prey", "D4"),
        contacts=[meet(name, "Prey") for name in "ABC"],
        max_supports=most,
        stack_points=6,
    )
    assert [blow.unit for blow in paired(scene) if blow.enemy == "Prey"] == fighting


@pytest.mark.rule("VCC-132", "VCC-120", "VCC-170")
def test_a_free_friend_in_the_box_supports_if_its_owner_likes() -> None:
    scene = battlefield(
        blue("Charger", "D4", marks="charged"),
        red("Prey", "D4"),
        red("Friend", "D4", marks="moved"),
        red("Lying", "D4", marks="prone"),
        red("Elsewhere", "C4"),
        contacts=[meet("Charger", "Prey", uphill=True)],
        stack_points=6,
    )
    assert Blow("Friend", "Charger", "Prey") in paired(scene, ("support", "Prey"))
    assert [blow.unit for blow in paired(scene, ("support", "nobody"))] == ["Prey", "Charger"]
    assert pool(scene, "Friend", "Charger", "Prey") == 3, "half of 5+1; it has not charged, so no die for that"


@pytest.mark.rule("VCC-170")
def test_a_supporter_takes_flank_and_ground_from_its_lead() -> None:
    scene = battlefield(
        blue("Lead", "D4", marks="charged"),
        blue("Behind", "D4", "irregular_cavalry", quality="elite"),
        red("Prey", "D4", "irregular_shock", dervish_foot=True),
        contacts=[meet("Lead", "Prey", flank=True, uphill=True, cover="soft")],
    )
    facts = melee_facts(scene.battle, Blow("Behind", "Prey", "Lead"))
    assert (facts.supporting, facts.flank, facts.uphill, facts.cover) == (True, True, True, "soft")
    assert (facts.charging, facts.quality, facts.mounted) == (False, "elite", True)


@pytest.mark.rule("VCC-132", "VCC-136")
def test_hits_of_a_supporter_count_for_its_lead_and_it_takes_none() -> None:
    scene = battlefield(
        blue("First", "D4", marks="charged", bases=3),
        blue("Second", "D4", marks="charged", bases=3),
        red("Prey", "D4"),
        contacts=[meet("First", "Prey"), meet("Second", "Prey")],
    )
    scene.play(("melee", [2] * 6), ("melee", [1] * 5), ("melee", [5, 5, 5]), phase="melee")
    assert (scene.battle.taken, scene.battle.dealt) == ({"First": 12, "Prey": 20}, {"Prey": 12, "First": 20})


@pytest.mark.rule("VCC-132")
def test_front_and_flank_have_a_lead_each_and_the_second_steps_up() -> None:
    scene = battlefield(
        blue("Front", "D4"),
        blue("Flank", "D4"),
        blue("Late", "D4"),
        red("Prey", "D4"),
        contacts=[meet("Front", "Prey"), meet("Flank", "Prey", flank=True), meet("Late", "Prey")],
        stack_points=6,
    )
    leads = [blow.unit for blow in paired(scene, ("fight", "Flank")) if blow.unit == blow.lead]
    assert leads == ["Prey", "Front", "Flank"]
    scene.battle.remove(scene.unit("Front"), "destroyed")
    leads = [blow.unit for blow in paired(scene, ("fight", "Late")) if blow.unit == blow.lead]
    assert leads == ["Prey", "Flank", "Late"]


@pytest.mark.rule("VCC-133")
def test_a_unit_with_several_enemies_puts_all_its_dice_on_one() -> None:
    scene = battlefield(
        blue("Front", "D4", marks="charged", bases=2),
        blue("Flank", "D4", marks="charged", bases=2),
        red("Prey", "D4"),
        contacts=[meet("Front", "Prey"), meet("Flank", "Prey", flank=True)],
    )
    scene.play(("fight", "Flank"), ("melee", [1] * 6), ("melee", [1] * 4), ("melee", [1] * 8), phase="melee")
    assert [event["dice"] for event in scene.told("melee")] == [6, 4, 8]
    assert scene.battle.taken == {"Flank": 6, "Prey": 12}


@pytest.mark.rule("VCC-132", "VCC-133")
def test_a_second_charger_with_an_enemy_of_its_own_fights_that_one() -> None:
    scene = battlefield(
        blue("First", "D4"),
        blue("Second", "D4"),
        red("Prey", "D4"),
        red("Avenger", "D4", marks="charged"),
        contacts=[meet("First", "Prey"), meet("Second", "Prey"), meet("Avenger", "Second")],
    )
    blows = paired(scene, ("fight", "First"))
    assert Blow("Second", "Avenger", "Second") in blows
    assert [blow for blow in blows if blow.enemy == "Prey"] == [Blow("First", "Prey", "First")]


# --- units that check morale ------------------------------------------------------------------------------------------


@pytest.mark.rule("VCC-136")
@pytest.mark.setting("melee_morale")
@pytest.mark.parametrize(
    ("rule", "checking"),
    [("hit_units", ["Prey", "First"]), ("loser_only", ["Prey"]), ("all_in_contact", ["Prey", "First", "Second"])],
)
def test_units_that_check_after_melee(rule: str, checking: list[str]) -> None:
    scene = battlefield(
        blue("First", "D4"),
        blue("Second", "D4"),
        red("Prey", "D4"),
        contacts=[meet("First", "Prey"), meet("Second", "Prey")],
        melee_morale=rule,
    )
    mark_units_in_melee(scene.battle)
    scene.battle.taken, scene.battle.dealt = {"First": 12, "Prey": 20}, {"Prey": 12, "First": 20}

    def checks(unit: Unit) -> bool:
        return must_check_after_melee(scene.battle, unit)

    assert [name for name in ("Prey", "First", "Second") if checks(scene.unit(name))] == checking
    scene.battle.taken, scene.battle.dealt = {"First": 1, "Prey": 2}, {"Prey": 1, "First": 2}
    assert [name for name in ("Prey", "First", "Second") if checks(scene.unit(name))] == checking, "a single hit is one"
    scene.battle.taken = scene.battle.dealt = {"First": 12, "Prey": 12}
    if rule == "loser_only":
        assert checks(scene.unit("First")) and checks(scene.unit("Prey")), "both when equal"


@pytest.mark.rule("VCC-136")
@pytest.mark.setting("melee_morale")
@pytest.mark.parametrize("rule", ["hit_units", "loser_only", "all_in_contact"])
def test_melee_winner_still_checks_for_its_own_hits(rule: str) -> None:
    scene = duel("charged", b={"bases": 1, "leader": False}, melee_morale=rule)
    scene.play(("melee", [3]), ("melee", [5] * 7), phase="melee")
    assert scene.battle.gone == {"B": "destroyed"}
    if rule == "loser_only":
        assert scene.battle.phase != "melee_morale", "it dealt more than it took"
    else:
        scene.play(("morale", 1))
        assert [event["unit"] for event in scene.told("morale passed")] == ["A"]


@pytest.mark.rule("VCC-035", "VCC-147", "VCC-148")
def test_step_8_checks_british_units_first_and_the_flanked_at_minus_two() -> None:
    scene = duel("charged", contact=meet("A", "B", flank=True), b={"bases": 6})
    scene.play(("melee", [1] * 7), ("melee", [1] * 14), phase="melee")
    assert scene.battle.phase == "melee_morale"
    scene.play(("morale", 3), ("morale", 5))
    assert [(event["unit"], event["total"]) for event in scene.told("morale passed")] == [("B", 3), ("A", 5)]


@pytest.mark.rule("VCC-148", "VCC-060", "VCC-147")
def test_a_square_is_never_flanked() -> None:
    scene = duel("charged", "square", contact=meet("A", "B", flank=True))
    scene.play(("melee", [1] * 6), ("melee", [1] * 7), phase="melee")
    assert "flanked" not in scene.marks("B")


@pytest.mark.rule("VCC-135")
def test_winner_does_not_follow_a_retreating_enemy() -> None:
    scene = duel(b={"bases": 2})
    scene.play(("melee", [1] * 3), ("melee", [1] * 7), phase="melee")
    scene.play(("morale", 5), ("morale", 1))
    assert (scene.at("B"), scene.at("A")) == ("D3", "D4")
    assert scene.battle.contacts == []
