"""Evaluations for AI players: one for each option, the obvious option is best, and what doctrine prefers in a turn."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import RIFLES, Scene, ground, leader, line, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.agents import make_agent
from zareba.scenario import load_scenario
from zareba.space.outlines import TerrainArea
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.risk_factor.actions import places_to_go
from zareba_rulesets.risk_factor.chapters.targets import share_with_a_clear_shot
from zareba_rulesets.risk_factor.estimates.action_forecast import ActionForecast
from zareba_rulesets.risk_factor.estimates.expected_losses import (
    chance_of_going_back,
    expected_fire_losses,
    expected_melee_losses,
    losses_per_blow,
)
from zareba_rulesets.risk_factor.estimates.objectives import LeaderPlaces, Objective, Objectives
from zareba_rulesets.risk_factor.evaluation import Evaluator, Forecast, _Volley, evaluate_targets
from zareba_rulesets.risk_factor.game import RskGame

NEEDLESS = re.compile(r"(?<![\d.,-])0 [a-z]|\(worth")
"""A count of nothing, such as "0 men", or the bare value of an option."""


@pytest.mark.parametrize("scenario", ["patrol_clash", "paychest_raid"])
def test_every_question_of_a_game_has_an_evaluation_for_each_option(scenario: str) -> None:
    of = RskGame(rules_with(hidden_use="on", groups_merge_strength="fresh"), load_scenario(scenario))
    asked: set[str] = set()

    def watched(seat: str) -> Any:
        doctrine: Any = make_agent("doctrine", of, seat, 1)

        def agent(question: Choose | Place | Confirm, state: Any) -> Any:
            asked.add(question.why)
            options = question.options if isinstance(question, Choose) else (False, True)
            expected = len(question.suggestions) if isinstance(question, Place) else len(options)
            found = of.advisor.evaluate(of.sight.view(state, seat), question)
            assert len(found) == expected
            for evaluation in found:
                reason = evaluation.reason() if callable(evaluation.reason) else evaluation.reason
                assert len(reason) <= 80
            answer = doctrine(question, state)
            assert not NEEDLESS.search(doctrine.reason), (question.why, doctrine.reason)
            return answer

        return agent

    state = of.start()
    table = SeededTable(of.rules, state, 1, {seat: watched(seat) for seat in of.seats})
    while (step := of.play.next_step(state)) is not None:
        table.begin(step)
        of.play.perform(table, state, step)
        if state.turn > 5:
            break
    assert {"command", "order", "shoot at"} <= asked


def test_a_better_score_and_helpless_enemies_promise_more() -> None:
    assert losses_per_blow(1, False, 5, 6) > losses_per_blow(0, False, 5, 6) > losses_per_blow(-1, False, 5, 6) > 0
    assert losses_per_blow(0, True, 5, 6) > losses_per_blow(0, False, 5, 6)


def test_charging_unarmed_men_with_bayonets_is_worth_it_and_the_reverse_is_not() -> None:
    field = scene(
        troops("a", "red", (50, 50), 10, weapon="rifle", bayonet=True),
        troops("b", "blue", (50, 70), 10),
    )
    deals, takes = expected_melee_losses(field.battle, field["a"], field["b"], True)
    assert deals > takes > 0
    dealt, taken = expected_melee_losses(field.battle, field["b"], field["a"], True)
    assert (dealt, taken) == pytest.approx((takes, deals))


def test_the_nearer_target_is_valued_more() -> None:
    of = game()
    field = scene(
        troops("a", "red", (50, 50), 10, weapon="rifle", loading="breech", volley=True, marks=["commanded"]),
        troops("near", "blue", (50, 80), 10),
        troops("far", "blue", (150, 180), 10),
    )
    question = Choose("shoot at", "RSK-086", "a", "red", ("hold fire", "near", "far"), ())
    hold, near, far = Evaluator(of.scenario, of.plan).evaluate(field.battle, question)
    assert near.inflicts > far.inflicts > hold.inflicts


def total_of(field: Any, order: Any, unit: str = "a") -> float:
    """Return the value of one order to a unit of a scene."""
    of = game()
    question = Choose("order", "RSK-066", unit, "red", (order, order), ())
    return Evaluator(of.scenario, of.plan).evaluate(field.battle, question)[0].total


def test_a_firing_line_with_targets_stands_and_one_without_goes() -> None:
    rifles: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "volley": True, "marks": ["free", "commanded"]}
    near = scene(troops("a", "red", (100, 80), 10, **rifles), troops("b", "blue", (100, 150), 10))
    near.battle.seen = frozenset({"a", "b"})
    assert total_of(near, "hold") > max(total_of(near, ("advance", "b")), total_of(near, "march"))
    bare = scene(troops("a", "red", (100, 80), 10, marks=["free"]), troops("b", "blue", (100, 150), 10))
    bare.battle.seen = frozenset({"a", "b"})
    assert total_of(bare, ("advance", "b")) > total_of(bare, "hold")


@pytest.mark.rule("RSK-122")
def test_a_flanked_unit_would_rather_turn_and_one_that_faces_the_enemy_need_not() -> None:
    rifles: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "volley": True, "hurt": 3}
    behind = scene(troops("a", "red", (100, 80), 10, **rifles), troops("b", "blue", (100, 20), 10))
    behind.battle.seen = frozenset({"a", "b"})
    assert total_of(behind, "turn") > total_of(behind, "hold")
    ahead = scene(troops("a", "red", (100, 80), 10, **rifles), troops("b", "blue", (100, 140), 10))
    ahead.battle.seen = frozenset({"a", "b"})
    assert total_of(ahead, "hold") > total_of(ahead, "turn")


@pytest.mark.rule("RSK-145")
def test_shaken_men_close_to_the_edge_are_worth_less_than_the_same_men_in_the_middle() -> None:
    of = game()

    def break_cost(y: float) -> float:
        field = scene(troops("a", "red", (100, y), 10, dead=4), troops("b", "blue", (100, y + 60), 10))
        prospect = Forecast(Objectives(of.scenario, of.plan)).at(field.battle).of(field["a"])
        return prospect.break_cost((100, y), 0.0, 0.0)

    assert break_cost(15) > break_cost(60) > 0


def test_a_leader_keeps_with_his_own_men() -> None:
    field = scene(
        troops("a", "red", (100, 80), 10, parent="guards"),
        troops("c", "red", (122, 80), 10, parent="others"),
        leader("nco", "red", (111, 80), "nco", parent="guards", marks=["free", "linked"]),
        troops("b", "blue", (100, 150), 10),
    )
    own, other = total_of(field, ("join", "a"), "nco"), total_of(field, ("join", "c"), "nco")
    assert own > other > total_of(field, "hold", "nco")


def test_points_go_to_the_group_that_orders_change_most() -> None:
    of = game()
    rifles: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "volley": True}
    field = scene(
        leader("pc", "red", (100, 60)),
        troops("near", "red", (100, 80), 10, **rifles),
        troops("idle", "red", (100, 40), 10),
        troops("b", "blue", (100, 150), 10),
        commanders=["pc"],
    )
    field.battle.seen = frozenset({"b"})
    options = ("stop", ("command", "near"), ("command", "idle"))
    question = Choose("command", "RSK-037", "pc", "red", options, (12,))
    stop, near, idle = [a.total for a in Evaluator(of.scenario, of.plan).evaluate(field.battle, question)]
    assert near > max(stop, idle)


@pytest.mark.rule("RSK-059")
def test_points_buy_the_groups_that_gain_most_together() -> None:
    """Twelve points pay for two squads of six or for one of ten, whose volley alone is worth more."""
    of = game()
    rifles: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "volley": True}
    field = scene(
        leader("pc", "red", (100, 60)),
        *[
            troops(name, "red", (x, 80), men, **rifles)
            for name, x, men in (("ten", 100, 10), ("left", 70, 6), ("right", 130, 6))
        ],
        troops("b", "blue", (100, 150), 10),
        commanders=["pc"],
    )
    field.battle.seen = frozenset({"b"})

    def best(points: int) -> str:
        options = tuple(("command", name) for name in ("ten", "left", "right"))
        question = Choose("command", "RSK-037", "pc", "red", options, (points,))
        values = [a.total for a in Evaluator(of.scenario, of.plan).evaluate(field.battle, question)]
        return options[values.index(max(values))][1]

    assert best(22) == "ten"
    assert best(12) in ("left", "right")


@pytest.mark.rule("RSK-061")
def test_leaders_are_linked_only_while_points_are_wanting() -> None:
    of = game()
    field = scene(
        leader("pc", "red", (100, 60)),
        leader("nco", "red", (101, 76), "nco"),
        troops("a", "red", (100, 80), 10),
        troops("b", "blue", (100, 150), 10),
        commanders=["pc"],
    )

    def linking(points: int) -> float:
        question = Choose("command", "RSK-037", "pc", "red", ("stop", ("link", "nco")), (points,))
        stop, link = (a.total for a in Evaluator(of.scenario, of.plan).evaluate(field.battle, question))
        return link - stop

    assert linking(5) > 0 > linking(20)


@pytest.mark.rule("RSK-061")
def test_the_reason_for_a_link_says_who_lacks_points() -> None:
    of = game()

    def reason(points: int, at: tuple[float, float] = (101, 76), **marks: Any) -> str:
        field = scene(
            leader("pc", "red", (100, 60)),
            leader("nco", "red", at, "nco"),
            troops("a", "red", (100, 80), 10, **marks),
            troops("b", "blue", (100, 150), 10),
            commanders=["pc"],
        )
        question = Choose("command", "RSK-037", "pc", "red", ("stop", ("link", "nco")), (points,))
        found = Evaluator(of.scenario, of.plan).evaluate(field.battle, question)[1].reason
        return found() if callable(found) else found

    assert reason(1) == "the commander has only 1 command point; 10 men still need orders"
    assert reason(11) == "the commander has 11 command points, barely enough; 10 men still need orders"
    assert reason(20) == "the commander has 20 command points, enough; 10 men still need orders"
    assert reason(20, marks=["commanded"]) == "every group that can follow orders has them"
    assert reason(20, at=(100, 20)) == "this leader is alone, and needs orders to join a group"


def test_expected_fire_and_nerve_agree_with_the_tables() -> None:
    field = scene(
        troops("a", "red", (50, 50), 10, weapon="rifle", loading="breech"), troops("b", "blue", (50, 110), 10)
    )
    # Example 3: ten shots, 5/8 hit; a third of the hits wound (half a man) and a third kill.
    assert expected_fire_losses(field.battle, field["a"], 60.0, "open", rate=1.0) == pytest.approx(
        10 * 5 / 8 * 0.5 * 0.1
    )
    assert chance_of_going_back(field.battle, "missile", 1) == 0
    assert chance_of_going_back(field.battle, "missile", 9) == pytest.approx(5 / 6)
    assert chance_of_going_back(field.battle, "melee", 7) == pytest.approx(3 / 6)


def test_caches_are_dropped_when_a_unit_moves() -> None:
    of = game()
    field = scene(troops("a", "red", (100, 80), 10), troops("b", "blue", (100, 150), 10))
    aims = Objectives(of.scenario, of.plan)
    before = aims.of(field.battle, "red")
    assert aims.of(field.battle, "red") is before
    field["b"].body = field["b"].body.moved_by(5, 0)
    assert aims.of(field.battle, "red") is not before


@pytest.mark.parametrize("scenario", ["river_ford", "paychest_raid", "hill_fort"])
def test_cached_evaluations_equal_fresh_ones(scenario: str) -> None:
    of = RskGame(rules_with(), load_scenario(scenario))
    asked: list[str] = []

    def watched(seat: str) -> Any:
        doctrine: Any = make_agent("doctrine", of, seat, 1)

        def agent(question: Any, state: Any) -> Any:
            if isinstance(question, Choose) and question.why in ("order", "command", "pace", "face", "shoot at"):
                view = of.sight.view(state, seat)
                kept = [a.total for a in of.advisor.evaluate(view, question)]
                anew = [a.total for a in Evaluator(of.scenario, of.plan).evaluate(view, question)]
                assert kept == anew, (question.why, question.actor)
                asked.append(question.why)
            return doctrine(question, state)

        return agent

    state = of.start()
    table = SeededTable(of.rules, state, 3, {seat: watched(seat) for seat in of.seats})
    while (step := of.play.next_step(state)) is not None and state.turn < 3:
        table.begin(step)
        of.play.perform(table, state, step)
    assert {"command", "order"} <= set(asked)


def preferred(field: Scene, unit: str, *orders: Any) -> Any:
    """Return the best of some orders to a unit."""
    of = game()
    question = Choose("order", "RSK-066", unit, "red", orders, ())
    found = Evaluator(of.scenario, of.plan).evaluate(field.battle, question)
    return max(zip([evaluation.total for evaluation in found], orders, strict=True), key=lambda pair: pair[0])[1]


def post(field: Scene) -> LeaderPlaces:
    """Return the values of positions for the Player Character of a scene."""
    of = game()
    field.battle.seen = frozenset(field.battle.units)
    return Forecast(Objectives(of.scenario, of.plan)).at(field.battle).leader_places["pc"]


def command(*more: Any, **terms: Any) -> Scene:
    """A Player Character in his line of riflemen, facing riflemen 60 cm off."""
    return scene(
        leader("pc", "red", (100, 76), marks=["free"]),
        troops("front", "red", (100, 80), 10, **RIFLES),
        troops("foe", "blue", (100, 140), 10, weapon="rifle", loading="breech"),
        *more,
        commanders=["pc"],
        **terms,
    )


# --- the Player Character ---------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-069")
def test_a_player_character_is_safer_behind_his_line_than_in_it_and_least_safe_in_front() -> None:
    here = post(command())
    assert here.risk((100, 110), 0.0) > here.risk((100, 76), 0.0) > here.risk((100, 50), 0.0)


@pytest.mark.rule("RSK-036", "RSK-048")
def test_people_who_cannot_fight_are_no_shelter_for_a_player_character_from_a_charge() -> None:
    def risk(**terms: Any) -> float:
        arms = terms or RIFLES
        field = scene(
            leader("pc", "red", (100, 76), marks=["free"]),
            troops("host", "red", (100, 80), 10, **arms),
            troops("foe", "blue", (100, 105), 20, close="spear"),
            commanders=["pc"],
        )
        return post(field).risk((100, 76), 0.0)

    assert risk(civilian=True, troop_class="raw") > risk(troop_class="raw") + 0.2


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
    assert alone.share_in_command((100, 76)) == pytest.approx(0.5)
    assert helped.share_in_command((100, 76)) == pytest.approx(1.0)


def test_a_player_character_leaves_charging_to_others() -> None:
    field = command(troops("near", "blue", (100, 60), 4))
    assert preferred(field, "pc", ("charge", "near"), "hold", ("join", "front")) != ("charge", "near")


# --- groups -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-025", "RSK-161")
@pytest.mark.parametrize(
    ("traits", "hunts"), [({}, True), ({"civilian": True}, False), ({"marks": ["disarmed"]}, False)]
)
def test_people_who_cannot_fight_are_not_sent_against_the_enemy(traits: dict[str, Any], hunts: bool) -> None:
    """Drivers and unarmed men gain nothing by meeting enemies, even few and distant ones."""
    field = scene(
        troops("a", "red", (100, 40), 12, troop_class="raw", close="club", **traits),
        troops("foe", "blue", (100, 100), 4, troop_class="raw"),
        troops("mates", "red", (60, 40), 10),
    )
    assert (preferred(field, "a", "hold", ("advance", "foe")) == ("advance", "foe")) is hunts


@pytest.mark.rule("RSK-047")
@pytest.mark.parametrize(("setting", "joins"), [("carry", False), ("fresh", True)])
def test_last_three_of_a_group_do_not_join_others_if_losses_are_carried_on(setting: str, joins: bool) -> None:
    of = game()
    field = scene(troops("few", "red", (100, 80), 3, dead=7), groups_merge_strength=setting)
    no, yes = Evaluator(of.scenario, of.plan).evaluate(
        field.battle, Confirm("combine", "RSK-047", "few", "red", ("other",))
    )
    assert (yes.total > no.total) == joins


def in_contact(**arms: Any) -> Scene:
    """Ten reds in a melee with ten blues, with the rest of their side behind."""
    field = scene(
        troops("a", "red", (100, 80), 10, marks=["free", "commanded"], **arms),
        troops("b", "blue", (100, 85), 10, close="spear"),
        *[troops(f"friend{n}", "red", (60 + 30 * n, 20), 10) for n in range(4)],
    )
    field.battle.seen = frozenset(field.battle.units)
    assert field.battle.enemies_in_contact(field["a"])
    return field


@pytest.mark.rule("RSK-090")
def test_riflemen_in_a_melee_step_back_and_fire_where_spearmen_fight_on() -> None:
    assert preferred(in_contact(**RIFLES), "a", "hold", "withdraw") == "withdraw"
    assert preferred(in_contact(close="spear", bayonet=True), "a", "hold", "withdraw") == "hold"


@pytest.mark.rule("RSK-066")
def test_ai_does_not_march_without_a_gain() -> None:
    assert preferred(scene(troops("idle", "red", (60, 60), 8, **RIFLES)), "idle", "march", "hold") == "hold"


@pytest.mark.rule("RSK-185")
def test_the_edge_of_the_table_can_be_marched_to_from_less_than_a_move_away() -> None:
    field = scene(troops("near", "red", (60, 10), 8, **RIFLES))
    assert (field["near"].body.centre[0], 0.0) in places_to_go(field.battle, field["near"], game().plan, 25.0, None)


@pytest.mark.rule("RSK-183")
def test_the_last_group_that_stands_has_more_to_lose_than_one_of_many() -> None:
    of = game()

    def break_cost(others: int) -> float:
        friends = [troops(f"friend{n}", "red", (60 + 30 * n, 40), 10) for n in range(others)]
        field = scene(troops("a", "red", (100, 80), 10, dead=4), *friends, troops("b", "blue", (100, 140), 10))
        return (
            Forecast(Objectives(of.scenario, of.plan)).at(field.battle).of(field["a"]).break_cost((100, 80), 0.0, 0.0)
        )

    assert break_cost(0) > break_cost(1) > break_cost(3) > 0


@pytest.mark.rule("RSK-162", "RSK-164")
def test_charge_estimate_counts_neighbours_of_the_charged_men() -> None:
    def charge(beside: float) -> Any:
        field = scene(
            troops("a", "red", (100, 80), 10, close="spear", marks=["free"]),
            troops("bearers", "blue", (100, 100), 10, civilian=True, troop_class="raw"),
            troops("guards", "blue", (beside, 100), 10, weapon="rifle", bayonet=True, superior_melee=True),
        )
        field.battle.seen = frozenset(field.battle.units)
        of = game()
        question = Choose("order", "RSK-066", "a", "red", (("charge", "bearers"), "hold"), ())
        return Evaluator(of.scenario, of.plan).evaluate(field.battle, question)[0]

    near, apart = charge(115.0), charge(122.0)
    assert near.suffers > 1.5 * apart.suffers and near.inflicts < apart.inflicts


@pytest.mark.rule("RSK-106")
def test_units_without_a_clear_shot_expect_no_fire() -> None:
    def stands(*friends: Any) -> Any:
        riflemen = troops("a", "red", (100, 60), 8, width=8, marks=["free", "commanded"], **RIFLES)
        field = scene(riflemen, troops("foe", "blue", (100, 120), 8), *friends)
        field.battle.seen = frozenset(field.battle.units)
        of = game()
        question = Choose("order", "RSK-066", "a", "red", ("hold", "withdraw"), ())
        return Evaluator(of.scenario, of.plan).evaluate(field.battle, question)[0]

    alone, masked = stands(), stands(troops("b", "red", (100, 70), 30, width=15))
    assert alone.inflicts > 0.1 and alone.steadies > 0.5
    assert masked.inflicts == 0 and masked.steadies < 0.5


@pytest.mark.rule("RSK-155")
def test_a_unit_does_not_count_on_fire_through_a_house() -> None:
    def forecast(*terrain: Any, seen: bool = True) -> ActionForecast:
        field = scene(
            troops("a", "red", (100, 60), 8, **RIFLES), troops("foe", "blue", (100, 140), 8, **RIFLES), terrain=terrain
        )
        of, field.battle.seen = game(), frozenset(field.battle.units if seen else ())
        return Forecast(Objectives(of.scenario, of.plan)).at(field.battle).of(field["a"])

    house = ground("house", "built_up", [(85, 85), (115, 85), (115, 115), (85, 115)])
    behind, beside = (100.0, 70.0), (40.0, 70.0)
    hidden = forecast(house, seen=False)
    assert forecast().fire(behind, 0.5, commanded=True) > 0
    assert hidden.fire(behind, 0.5, commanded=True) == 0 < hidden.fire(beside, 0.5, commanded=True)
    assert hidden.share_with_clear_shot == 0


@pytest.mark.rule("RSK-114", "RSK-118")
def test_a_unit_that_comes_out_of_hiding_foresees_the_risk_of_going_back() -> None:
    def cost(at: tuple[float, float], **arms: Any) -> float:
        house = ground("house", "built_up", [(85, 85), (115, 85), (115, 115), (85, 115)])
        field = scene(
            troops("a", "red", (100, 60), 8, hurt=2, **RIFLES),
            troops("foe", "blue", (100, 140), 8, **arms),
            terrain=[house],
        )
        of = game()
        found = Forecast(Objectives(of.scenario, of.plan)).at(field.battle).of(field["a"])
        return found.break_cost(at, 0.0, 0.0)

    behind, beside = (100.0, 70.0), (40.0, 70.0)
    assert cost(behind, **RIFLES) == 0 < cost(beside, **RIFLES)
    assert cost(beside, close="spear") == 0


def before_rocks(edge: float, enemies: int) -> Scene:
    """Return riflemen in the open at y 100 under fire, with rocks behind them from `edge` on southwards."""
    rocks = ground("rocks", "rocks", [(60, edge - 12), (140, edge - 12), (140, edge), (60, edge)])
    foes = [troops(f"foe {number}", "blue", (40 + 30 * number, 160), 10, **RIFLES) for number in range(enemies)]
    friends = [troops(f"friend {number}", "red", (20 + 250 * number, 20), 10) for number in range(2)]
    riflemen = troops("a", "red", (100, 100), 8, width=8, marks=["free", "commanded"], **RIFLES)
    field = scene(riflemen, *foes, *friends, terrain=[rocks])
    field.battle.seen = frozenset(field.battle.units)
    return field


@pytest.mark.rule("RSK-078", "RSK-116")
@pytest.mark.parametrize(("enemies", "takes_cover"), [(1, False), (5, True)])
def test_riflemen_take_cover_next_to_them_if_their_fire_costs_more_than_it_fells(
    enemies: int, takes_cover: bool
) -> None:
    field = before_rocks(97.0, enemies)
    assert (total_of(field, "march") > total_of(field, "hold")) is takes_cover


@pytest.mark.rule("RSK-076", "RSK-116")
def test_half_pace_into_slow_ground_may_end_in_front_of_the_cover() -> None:
    near, far = (forecast_of(before_rocks(edge, 5), "a") for edge in (97.0, 89.0))
    assert near.shelter is not None and far.shelter is not None
    assert near.go(near.shelter, 0.5).suffers == far.go(far.shelter, 1.0).suffers < far.go(far.shelter, 0.5).suffers


@pytest.mark.rule("RSK-076", "RSK-162")
@pytest.mark.parametrize(("native", "share"), [(False, 0.0), (True, 2 / 6)])
def test_a_charge_that_difficult_ground_keeps_from_its_enemy_promises_no_melee(native: bool, share: float) -> None:
    def charge(*terrain: Any) -> Any:
        field = scene(
            troops("a", "red", (100, 80), 10, width=10, close="sword", native=native, marks=["free"]),
            troops("b", "blue", (100, 102.5), 4, civilian=True, troop_class="raw"),
            terrain=terrain,
        )
        field.battle.seen = frozenset(field.battle.units)
        of = game()
        question = Choose("order", "RSK-066", "a", "red", (("charge", "b"), "hold"), ())
        return Evaluator(of.scenario, of.plan).evaluate(field.battle, question)[0]

    clear, slow = charge(), charge(ground("bog", "broken", [(50, 85), (150, 85), (150, 95), (50, 95)]))
    assert (clear.inflicts > 0, slow.inflicts / clear.inflicts) == (True, pytest.approx(share))


@pytest.mark.rule("RSK-076", "RSK-077")
def test_a_leaders_way_leads_round_walls_and_over_fences() -> None:
    river = ground("river", "closed", [(60, 95), (110, 95), (110, 99), (60, 99)])
    fence = line("fence", "hedge", (60, 95), (140, 95))
    open_, round_, over = (post(command(terrain=pieces)).end_of((100, 110)) for pieces in ((), (river,), (fence,)))
    assert open_ == pytest.approx((100, 101))
    assert round_[0] > 104 and round_[1] < 99
    assert over[1] < 95.1


@pytest.mark.rule("RSK-079")
def test_a_leader_foresees_that_he_finds_no_room_among_his_men() -> None:
    block = troops("block", "red", (100, 97), 30, width=5)
    crowded, alone = post(command(block)), post(command())
    assert alone.end_of((100, 110)) == pytest.approx((100, 101))
    assert crowded.end_of((100, 110))[1] < 89


# --- places -----------------------------------------------------------------------------------------------------------
def test_a_place_is_reached_when_one_figure_is_near_enough_and_not_before() -> None:
    square = ((90.0, 90.0), (110.0, 90.0), (110.0, 110.0), (90.0, 110.0))
    aim = Objective((100, 100), 3.0, "the yard", within=10.0, area=TerrainArea(square))
    body = troops("a", "red", (100, 70), 10).body
    north = max(y for _, y in body.at)
    just = body.moved_by(0, 80 - north - body.radius)
    assert aim.is_reached(just.moved_by(0, 0.01))
    assert not aim.is_reached(just.moved_by(0, -0.1))


# --- ways and cargo ---------------------------------------------------------------------------------------------------
LAKE = [(60.0, 80.0), (140.0, 80.0), (140.0, 120.0), (60.0, 120.0)]


def test_the_way_to_a_place_leads_round_water_and_ends_are_on_that_way() -> None:
    aim = Objective((100, 150), 3.0, "the far bank", within=10.0)
    dry, wet = (
        scene(troops("a", "red", (100, 60), 10), terrain=pieces) for pieces in ((), (ground("l", "closed", LAKE),))
    )
    assert aim.way_from(dry.battle.field, (100, 60)) == pytest.approx(80)
    assert aim.way_from(wet.battle.field, (100, 60)) > 120
    assert aim.way_from(wet.battle.field, (100, 100)) > 300, "no way leads out of the water"
    end = forecast_of(wet, "a").end_of((100, 150), 1.0)
    assert abs(end[0] - 100) > 10 and end[1] < 80


def forecast_of(field: Scene, unit: str, **parts: Any) -> ActionForecast:
    """Return the forecast of a unit in a small scenario."""
    of = game(**parts)
    field.battle.seen = frozenset(field.battle.units)
    return Forecast(Objectives(of.scenario, of.plan)).at(field.battle).of(field[unit])


YARD = ", yard: {kind: hold, name: The yard, points: 4, at: [40, 36], radius: 3}"


@pytest.mark.rule("RSK-185")
def test_a_man_at_a_place_that_scores_is_worth_more_than_one_elsewhere() -> None:
    field = scene(
        troops("a", "red", (100, 50), 10, **RIFLES),
        troops("holders", "blue", (101.6, 91.4), 10),
        troops("others", "blue", (160, 91.4), 10),
    )
    of = game(objectives=YARD)
    worth = Objectives(of.scenario, of.plan).of(field.battle, "red").enemy_worth
    assert worth["holders"] > worth["others"]


@pytest.mark.rule("RSK-185")
def test_the_only_group_at_a_place_does_not_hunt_enemies_and_one_of_two_does() -> None:
    def hunts(*more: Any) -> bool:
        field = scene(troops("a", "red", (101.6, 85), 10), *more, troops("b", "blue", (101.6, 150), 10))
        return forecast_of(field, "a", objectives=YARD).pull.value((101.6, 95)) > 0

    assert not hunts()
    assert hunts(troops("mates", "red", (106, 91.4), 10))


CONVOY: dict[str, Any] = {
    "turns": 12,
    "units": """
  rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 20, weapon: breech_rifle, close_weapon: bayonet, traits: [formed, volley]},
  wagon: {name: Wagon, side: red, arm: wagon, kind: civilian, figures: 4},
  spears: {name: Spears, side: blue, arm: infantry, kind: tribal, figures: 32, weapon: throwing_spear, close_weapon: spear, formation: mass}
""",
    "objectives": ", relief: {kind: escort, name: Relief, points: 5, by: [red], units: [wagon], share: 0.5, edge: north}",
}  # fmt: skip


def convoy(escort: float) -> Scene:
    """A wagon that is to leave over the north edge, riflemen so far up the table, and an enemy far ahead."""
    return scene(
        troops("wagon", "red", (76, 20), 4, civilian=True, troop_class="raw"),
        troops("escort", "red", (76, escort), 10, **RIFLES),
        troops("spears", "blue", (76, 118), 20),
        width=152.4,
        depth=121.9,
    )


@pytest.mark.rule("RSK-025")
def test_a_wagon_does_not_pass_its_fighters_unless_time_is_short() -> None:
    ahead, behind = (forecast_of(convoy(place), "wagon", **CONVOY) for place in (60, 25))
    assert ahead.pull.value((76, 40)) > 0
    assert behind.pull.value((76, 40)) == 0
    level = forecast_of(convoy(45), "wagon", **CONVOY)
    assert level.pull.value((76, 40)) == 0, "enemies who come on would shoot at it (RSK-085)"
    late = convoy(25)
    late.battle.turn = 8
    assert forecast_of(late, "wagon", **CONVOY).pull.value((76, 40)) > 0


@pytest.mark.rule("RSK-185")
def test_the_way_of_a_wagon_to_its_exit_leads_over_the_bridge() -> None:
    banks = [
        ground(name, "closed", [(x, 60), (x + 70, 60), (x + 70, 70), (x, 70)]) for name, x in (("w", 0), ("e", 90))
    ]
    field = scene(troops("wagon", "red", (40, 45), 4, civilian=True), width=152.4, depth=121.9, terrain=banks)
    pull = forecast_of(field, "wagon", **CONVOY).pull
    assert pull.value((60, 45)) > 0, "it comes nearer to the bridge"
    assert pull.value((20, 45)) < 0


# --- targets ----------------------------------------------------------------------------------------------------------
@given(st.lists(st.tuples(st.integers(20, 180), st.integers(90, 180), st.integers(4, 12)), min_size=2, max_size=5))
def test_the_chosen_target_is_the_best_of_all_evaluated(places: list[tuple[int, int, int]]) -> None:
    foes = [troops(f"foe{n}", "blue", (x, y), count) for n, (x, y, count) in enumerate(places)]
    field = scene(troops("a", "red", (100, 50), 10, marks=["commanded"], **RIFLES), *foes)
    battle, unit = field.battle, field["a"]
    names = [foe.spec.id for foe in foes]
    prey = dict.fromkeys(names, 1.0)
    exact = [
        _Volley(battle, unit, battle.units[n], prey).value(share_with_a_clear_shot(battle, unit, battle.units[n]))
        for n in names
    ]
    found = [target.inflicts for target in evaluate_targets(battle, unit, ["hold fire", *names], prey)]
    assert found[0] == 0
    assert max(found) == pytest.approx(max(exact))
    assert exact[found.index(max(found)) - 1] == pytest.approx(max(exact))
    assert all(value <= told + 1e-5 for value, told in zip(exact, found[1:], strict=True)), (
        "none is worth more than is told"
    )


def test_a_target_that_is_not_chosen_has_its_full_value() -> None:
    """All targets get their own value: the stake is the difference, and a near-best target is sensible too."""
    foes = [troops("near", "blue", (60, 100), 10), troops("far", "blue", (140, 120), 10)]
    field = scene(troops("a", "red", (100, 50), 10, marks=["commanded"], **RIFLES), *foes)
    battle, unit = field.battle, field["a"]
    prey = dict.fromkeys(("near", "far"), 1.0)
    for name, evaluation in zip(("near", "far"), evaluate_targets(battle, unit, ("near", "far"), prey), strict=True):
        share = share_with_a_clear_shot(battle, unit, battle.units[name])
        assert evaluation.total == pytest.approx(_Volley(battle, unit, battle.units[name], prey).value(share), abs=1e-5)
