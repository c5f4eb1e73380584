"""What commanders with sense do with themselves, with weak groups, in melees, and at the places they are to hold."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import RIFLES, Scene, ground, leader, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.table import Choose, Confirm
from zareba_rulesets.risk_factor.appraisal import Judgement
from zareba_rulesets.risk_factor.appraisal.firing import _Shot, targets
from zareba_rulesets.risk_factor.appraisal.forecast import Forecast
from zareba_rulesets.risk_factor.appraisal.leaders import Post
from zareba_rulesets.risk_factor.appraisal.objectives import Aim, Aims
from zareba_rulesets.risk_factor.appraisal.prospect import worth
from zareba_rulesets.risk_factor.marksmen import share_with_a_clear_shot
from zareba_rulesets.risk_factor.orders import ADVANCE, CHARGE, HOLD, JOIN, WITHDRAW


def preferred(field: Scene, unit: str, *orders: Any) -> Any:
    """The best of some orders to a unit."""
    of = game()
    question = Choose("order", "RSK-066", unit, "red", orders, ())
    found = Judgement(of.scenario, of.plan).appraise(field.battle, question)
    return max(zip(map(worth, found), orders, strict=True), key=lambda pair: pair[0])[1]


def post(field: Scene) -> Post:
    """What places are worth to the Player Character of a scene."""
    of = game()
    field.battle.seen = frozenset(field.battle.units)
    return Forecast(Aims(of.scenario, of.plan)).at(field.battle).post(field["pc"])


def command(*more: Any, **terms: Any) -> Scene:
    """A Player Character in his line of rifles, facing riflemen 60 cm off."""
    return scene(
        leader("pc", "red", (100, 76), marks=["free"]),
        troops("front", "red", (100, 80), 10, **RIFLES),
        troops("foe", "blue", (100, 140), 10, weapon="rifle", loading="breech"),
        *more,
        commanders=["pc"],
        **terms,
    )


# --- the Player Character ------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-069")
def test_a_player_character_is_safer_behind_his_line_than_in_it_and_safest_of_all_not_before_it() -> None:
    here = post(command())
    assert here.risk((100, 110), 0.0) > here.risk((100, 76), 0.0) > here.risk((100, 50), 0.0)


@pytest.mark.rule("RSK-150")
def test_a_player_character_who_cannot_be_seen_is_not_hit() -> None:
    house = ground("house", "built_up", [(85, 92), (115, 92), (115, 98), (85, 98)])
    open_, hidden = command(), command(terrain=[house])
    before = (100, 90)
    assert post(hidden).risk(before, 0.0) < post(open_).risk(before, 0.0)


@pytest.mark.rule("RSK-060")
def test_orders_reach_men_through_the_leaders_in_between() -> None:
    far = troops("far", "red", (100, 5), 10)
    alone = post(command(far))
    helped = post(command(far, leader("nco", "red", (100, 40), "nco")))
    assert alone.heard((100, 76)) == pytest.approx(0.5)
    assert helped.heard((100, 76)) == pytest.approx(1.0)


def test_a_player_character_leaves_charging_to_others() -> None:
    field = command(troops("near", "blue", (100, 60), 4))
    assert preferred(field, "pc", (CHARGE, "near"), HOLD, (JOIN, "front")) != (CHARGE, "near")


# --- groups ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-025", "RSK-161")
@pytest.mark.parametrize(
    ("traits", "hunts"), [({}, True), ({"civilian": True}, False), ({"marks": ["disarmed"]}, False)]
)
def test_people_who_cannot_fight_are_not_sent_against_the_enemy(traits: dict[str, Any], hunts: bool) -> None:
    """Few and far off as the enemies are, drivers and men without arms gain nothing by meeting them."""
    field = scene(
        troops("a", "red", (100, 40), 12, troop_class="raw", close="club", **traits),
        troops("foe", "blue", (100, 100), 4, troop_class="raw"),
        troops("mates", "red", (60, 40), 10),
    )
    assert (preferred(field, "a", HOLD, (ADVANCE, "foe")) == (ADVANCE, "foe")) is hunts


@pytest.mark.rule("RSK-047")
@pytest.mark.parametrize(("setting", "joins"), [("carry", False), ("fresh", True)])
def test_the_last_three_of_a_group_stay_by_themselves_while_losses_are_carried_on(setting: str, joins: bool) -> None:
    of = game()
    field = scene(troops("few", "red", (100, 80), 3, dead=7), groups_merge_strength=setting)
    no, yes = Judgement(of.scenario, of.plan).appraise(
        field.battle, Confirm("combine", "RSK-047", "few", "red", ("other",))
    )
    assert (worth(yes) > worth(no)) == joins


def in_contact(**arms: Any) -> Scene:
    """Ten reds in a melee with ten blues; the rest of their side stands behind."""
    field = scene(
        troops("a", "red", (100, 80), 10, marks=["free", "commanded"], **arms),
        troops("b", "blue", (100, 85), 10, close="spear"),
        *[troops(f"friend{n}", "red", (60 + 30 * n, 20), 10) for n in range(4)],
    )
    field.battle.seen = frozenset(field.battle.units)
    assert field.battle.touching(field["a"])
    return field


@pytest.mark.rule("RSK-090")
def test_riflemen_in_a_melee_step_back_and_fire_where_spearmen_fight_on() -> None:
    assert preferred(in_contact(**RIFLES), "a", HOLD, WITHDRAW) == WITHDRAW
    assert preferred(in_contact(close="spear", bayonet=True), "a", HOLD, WITHDRAW) == HOLD


@pytest.mark.rule("RSK-183")
def test_the_last_group_that_stands_has_more_to_lose_than_one_of_many() -> None:
    of = game()

    def nerve(others: int) -> float:
        friends = [troops(f"friend{n}", "red", (60 + 30 * n, 40), 10) for n in range(others)]
        field = scene(troops("a", "red", (100, 80), 10, dead=4), *friends, troops("b", "blue", (100, 140), 10))
        return Forecast(Aims(of.scenario, of.plan)).at(field.battle).of(field["a"]).nerve((100, 80), 0.0, 0.0)

    assert nerve(0) > nerve(1) > nerve(3) > 0


# --- places ---------------------------------------------------------------------------------------------------------------


def test_a_place_is_reached_when_one_figure_is_near_enough_and_not_before() -> None:
    square = ((90.0, 90.0), (110.0, 90.0), (110.0, 110.0), (90.0, 110.0))
    aim = Aim((100, 100), 3.0, "the yard", within=10.0, area=square)
    body = troops("a", "red", (100, 70), 10).body
    north = max(y for _, y in body.at)
    just = body.shifted(0, 80 - north - body.radius)
    assert aim.is_reached(just.shifted(0, 0.01))
    assert not aim.is_reached(just.shifted(0, -0.1))


# --- targets --------------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(20, 180), st.integers(90, 180), st.integers(4, 12)), min_size=2, max_size=5))
def test_the_target_chosen_is_the_best_of_all_looked_into(places: list[tuple[int, int, int]]) -> None:
    foes = [troops(f"foe{n}", "blue", (x, y), count) for n, (x, y, count) in enumerate(places)]
    field = scene(troops("a", "red", (100, 50), 10, marks=["commanded"], **RIFLES), *foes)
    battle, unit = field.battle, field["a"]
    names = [foe.spec.id for foe in foes]
    prey = dict.fromkeys(names, 1.0)
    exact = [
        _Shot(battle, unit, battle.units[n], prey).worth(share_with_a_clear_shot(battle, unit, battle.units[n]))
        for n in names
    ]
    found = [one.inflicts for one in targets(battle, unit, ["hold fire", *names], prey)]
    assert found[0] == 0
    assert max(found) == pytest.approx(max(exact))
    assert exact[found.index(max(found)) - 1] == pytest.approx(max(exact))
