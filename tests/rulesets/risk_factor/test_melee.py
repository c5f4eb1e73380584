"""Charging, matching, melee, and what comes after (RSK-162 to RSK-182)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, leader, line, rules_with, scene, troops

from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.charge import attack, charge_home
from zareba_rulesets.risk_factor.hits import KILL, WOUND
from zareba_rulesets.risk_factor.match import Blow, Fighter, blows, melee_facts, score, spread
from zareba_rulesets.risk_factor.melee import capture_routers, fight, find_fights, matches
from zareba_rulesets.risk_factor.orders import order_options
from zareba_rulesets.risk_factor.prisoners import engaged_figures


def row(count: int, y: float, x: float = 50.0) -> list[tuple[float, float]]:
    return [(x + 2.6 * i, y) for i in range(count)]


def met(reds: int = 2, blues: int = 2, **more: Any) -> Scene:
    """A row of reds that has charged a row of blues, face to face."""
    settings = {key: more.pop(key) for key in list(more) if key.split("_")[0] in ("melee", "solo", "terrain")}
    red = {"close": "spear", "marks": ("charged", "charger")} | {
        k[4:]: v for k, v in more.items() if k.startswith("red_")
    }
    blue = {"close": "sword"} | {k[5:]: v for k, v in more.items() if k.startswith("blue_")}
    return scene(
        troops("a", "red", (0, 0), at=row(reds, 50), **red),
        troops("b", "blue", (0, 0), at=row(blues, 52.5), **blue),
        **settings,
    )


def battle_of(field: Scene, *answers: tuple[str, Any]) -> list[Any]:
    """Fight the melee; the events."""
    names = find_fights(field.battle)[0]
    with field.script(*answers) as table:
        fight(table, field.battle, names)
    return list(table.events)


# --- charging -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-162", "RSK-163")
def test_each_figure_goes_into_contact_if_it_can_reach() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (60, 50), (70, 20)], close="sword", marks=["free"]),
        troops("b", "blue", (0, 0), at=[(50, 70), (60, 70), (70, 70)]),
    )
    assert ("charge", "b") in order_options(field.battle, field["a"])
    with field.script() as table:
        charge_home(table, field.battle, field["a"], field["b"], 0)
    assert len(engaged_figures(field.battle, field["a"])) == 2
    assert field["a"].body.at[2] == pytest.approx((70, 45), abs=0.1)
    bound = scene(
        troops("a", "red", (50, 50), 4, close="sword", marks=["bound"], result="retreat"),
        troops("b", "blue", (50, 70), 4),
    )
    assert "free" not in bound["a"].marks


@pytest.mark.rule("RSK-162", "RSK-077")
def test_a_barrier_on_the_way_costs_half_the_charge() -> None:
    def contact(barrier: bool) -> bool:
        fence = [line("fence", "hedge", (0, 60), (100, 60))] if barrier else []
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
            troops("b", "blue", (0, 0), at=[(50, 72)]),
            terrain=fence,
        )
        with field.script() as table:
            attack(table, field.battle, field["a"])
        return bool(field.battle.touching(field["a"]))

    assert contact(False) and not contact(True)


@pytest.mark.rule("RSK-164")
def test_chargers_spread_over_their_enemies() -> None:
    field = scene(
        troops("a", "red", (50, 50), 6, close="sword", width=6),
        troops("b", "blue", (0, 0), at=[(46, 65), (50, 65), (54, 65)]),
    )
    with field.script() as table:
        attack(table, field.battle, field["a"])
    assert len(engaged_figures(field.battle, field["b"])) == 3


# --- matching -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-164", "RSK-165")
@pytest.mark.setting("melee.max_contact")
def test_numbers_are_spread_evenly_and_the_rest_stand_behind() -> None:
    assert spread(10, 20, 4) == [2] * 10
    assert spread(3, 7, 4) == [3, 2, 2]
    assert spread(2, 20, 4) == [4, 4]
    assert spread(2, 20, RskBook(rules_with(melee_max_contact=3)).settings.melee_max_contact) == [3, 3]
    assert spread(3, 3, 4) == [1, 1, 1] and spread(0, 5, 4) == []


@pytest.mark.rule("RSK-164")
@pytest.mark.setting("melee.step_up_cm")
def test_the_charged_step_up() -> None:
    def fighting(**settings: Any) -> int:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], marks=["charged", "charger"]),
            troops("b", "blue", (0, 0), at=[(50, 52.5), (53, 56), (50, 62)]),
            **settings,
        )
        with field.script() as table:
            found = matches(table, field.battle, [field["a"], field["b"]])
        return sum(len(match.several) for match in found)

    assert fighting() == 2
    assert fighting(melee_step_up_cm=10.0) == 3
    assert fighting(melee_step_up_cm=0.0) == 1


@pytest.mark.rule("RSK-182")
@pytest.mark.setting("melee.leaders")
def test_leaders_of_a_charged_group_are_matched_last() -> None:
    def opponents(**settings: Any) -> list[tuple[str, int]]:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], marks=["charged", "charger"]),
            troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 57.5)]),
            leader("chief", "blue", (52.6, 52.5)),
            melee_max_contact=2,
            **settings,
        )
        with field.script() as table:
            found = matches(table, field.battle, [field["a"], field["b"]])
        return found[0].several

    assert opponents() == [("b", 0), ("b", 1)]
    assert opponents(melee_leaders="as_figures") == [("b", 0), ("chief", 0)]
    alone = scene(
        leader("x", "red", (50, 50), close="sword", marks=["charged"]), leader("y", "blue", (50, 52.5), close="sword")
    )
    battle_of(alone, ("melee", [6, 1]))
    assert "y" in alone.battle.gone


@pytest.mark.rule("RSK-164")
def test_the_charging_side_says_who_faces_the_odd_opponents() -> None:
    def three(**more: Any) -> Scene:
        reds = troops("a", "red", (0, 0), at=[(50, 50), (52.6, 50), (55.1, 52.5)], marks=("charged", "charger"))
        return scene(reds, troops("b", "blue", (0, 0), at=row(2, 52.5), hurt=1), **more)

    field = three()
    with field.script(("odd opponents", "wounded")) as table:
        found = matches(table, field.battle, [field["a"], field["b"]])
    assert [(match.single, len(match.several)) for match in found] == [(("b", 1), 2), (("b", 0), 1)]
    quiet = three(solo=["red"])
    with quiet.script() as table:
        assert [len(match.several) for match in matches(table, quiet.battle, [quiet["a"], quiet["b"]])] == [2, 1]


@pytest.mark.rule("RSK-164")
def test_a_charge_of_the_last_player_turn_makes_nobody_the_charger() -> None:
    """Blue charged in its own turn; in red's turn both sides step up, and red says who faces the odd man."""
    reds = troops("a", "red", (0, 0), at=[(50, 50), (52.6, 50)], hurt=1)
    blues = troops("b", "blue", (0, 0), at=[(50, 52.5), (52.6, 52.5), (50, 56)], marks=("charged", "charger"))
    field = scene(reds, blues)
    with field.script(("odd opponents", "wounded")) as table:
        found = matches(table, field.battle, [field["a"], field["b"]])
    assert [(match.single, len(match.several)) for match in found] == [(("a", 1), 2), (("a", 0), 1)]
    field["a"].mark("charged")
    with field.script(("odd opponents", "front")) as table:
        found = matches(table, field.battle, [field["a"], field["b"]])
    assert sum(len(match.several) for match in found) == 3, "the charged step up"
    behind = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (50, 46.5)], marks=("charged", "charger")),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 56)], marks=("charged",)),
    )
    with behind.script() as table:
        found = matches(table, behind.battle, [behind["a"], behind["b"]])
    assert [(match.single, match.several) for match in found] == [(("a", 0), [("b", 0), ("b", 1)])]


# --- scores and blows ---------------------------------------------------------------------------------------------------------


def modifier(
    opponents: int = 1,
    *,
    raw: bool = False,
    crossing: bool = False,
    superior: bool = False,
    better: bool = False,
    **settings: Any,
) -> int:
    field = scene(**settings)
    with field.script() as table:
        return score(table, 3, melee_facts(raw, opponents, crossing, superior, better)) - 3


@pytest.mark.rule("RSK-166", "RSK-167", "RSK-168", "RSK-169", "RSK-170", "RSK-171")
@pytest.mark.setting("melee.raw_and_outnumbered")
def test_the_modifiers_of_the_melee_die() -> None:
    assert modifier() == 0
    assert modifier(raw=True) == modifier(crossing=True) == modifier(2) == -1
    assert modifier(superior=True) == modifier(better=True) == 1
    assert modifier(3, raw=True) == -3
    worst: dict[str, Any] = {"melee_raw_and_outnumbered": "worst_only"}
    assert [modifier(n, raw=True, **worst) for n in (1, 2, 3)] == [-1, -1, -2]
    assert modifier(3, **worst) == -2


def strike(single: tuple[int, int], *several: tuple[int, int], **settings: Any) -> list[Blow]:
    """Blows between figures given as (die, score)."""
    numbers = RskBook(rules_with(**settings))
    return blows(
        Fighter("s", *single), [Fighter(index, *other) for index, other in enumerate(several)], numbers.settings
    )


@pytest.mark.rule("RSK-172")
@pytest.mark.setting("melee.multi")
def test_pair_by_pair_or_the_best_for_all() -> None:
    assert strike((5, 5), (6, 6), (3, 3)) == [Blow("s", WOUND, (1,)), Blow(0, KILL, ("s",))]
    best = {"melee_multi": "side_best"}
    assert strike((5, 5), (6, 6), (3, 3), **best) == [Blow(0, KILL, ("s",))]
    assert strike((6, 6), (5, 6), (3, 3), **best) == []
    assert strike((6, 6), (5, 6), (3, 3)) == [Blow("s", KILL, (1,))]


@pytest.mark.rule("RSK-173", "RSK-174")
@pytest.mark.setting("melee.hit_die")
def test_five_wounds_and_six_kills_by_die_or_by_score() -> None:
    assert strike((5, 6), (1, 1)) == [Blow("s", WOUND, (0,))]
    assert strike((4, 5), (1, 1)) == []
    modified = {"melee_hit_die": "modified"}
    assert strike((5, 6), (1, 1), **modified) == [Blow("s", KILL, (0,))]
    assert strike((4, 5), (1, 1), **modified) == [Blow("s", WOUND, (0,))]


@pytest.mark.rule("RSK-174", "RSK-175")
def test_all_blows_fall_at_once_and_the_wounded_fight_on() -> None:
    """One red against two blues, one of them wounded: he kills one while the other kills him."""
    field = met(reds=1, blues=2, blue_hurt=1)
    battle_of(field, ("melee", [6, 4, 6]))
    assert field.battle.gone == {"a": "killed"} and field["b"].hurt == (True,)
    again = met(reds=1, blues=2, blue_hurt=1, red_superior_melee=True, red_close="lance")
    battle_of(again, ("melee", [6, 1, 2]), ("strike whom", ("b", 1)), ("follow up", False))
    assert again["b"].count == 1 and not any(again["b"].hurt)


@pytest.mark.rule("RSK-174")
def test_the_tables_strike_a_wounded_man_first() -> None:
    field = met(reds=1, blues=2, blue_hurt=1, red_superior_melee=True, red_close="lance", solo=["red"])
    field["a"].action = "halt"
    battle_of(field, ("melee", [5, 1, 2]), ("strike whom", "00"))
    assert field["b"].count == 1 and not any(field["b"].hurt)


@pytest.mark.rule("RSK-176", "RSK-096", "RSK-142")
def test_routers_throw_no_die_and_score_nothing() -> None:
    field = met(reds=1, blues=1, blue_status="routing")
    battle_of(field, ("melee", [6]))
    assert field.battle.gone == {"b": "killed"}
    assert blows(Fighter("s", 0, 0), [Fighter(0, 5, 5)], RskBook(rules_with()).settings) == [Blow(0, WOUND, ("s",))]


@pytest.mark.rule("RSK-168")
def test_the_side_that_storms_an_obstacle_has_one_less() -> None:
    """Equal dice across a wall: the defender's five beats the charger's and wounds."""
    wall = line("wall", "works", (0, 51.25), (200, 51.25))
    field = met(reds=1, blues=1, terrain=[wall], red_close="sword")
    battle_of(field, ("melee", [5, 5]), ("follow up", False))
    assert field["a"].hurt == (True,) and field["b"].hurt == (False,)
    open_ground = met(reds=1, blues=1, red_close="sword")
    battle_of(open_ground, ("melee", [5, 5]))
    assert open_ground["a"].hurt == (False,)


# --- afterwards -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-040", "RSK-177", "RSK-178")
def test_the_worse_side_goes_back_and_in_a_draw_both() -> None:
    field = met(reds=2, blues=2)
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", False))
    assert field["b"].body.at[0][1] == pytest.approx(57.5, abs=0.1) and field["a"].body.at[0][1] == 50
    assert field["b"].facing == 180
    draw = met(reds=2, blues=2)
    battle_of(draw, ("melee", [1, 1]), ("melee", [1, 1]))
    assert draw["b"].body.at[0][1] == pytest.approx(57.5, abs=0.1) and draw["a"].body.at[0][1] == pytest.approx(
        45, abs=0.1
    )


@pytest.mark.rule("RSK-177", "RSK-192")
def test_leaders_who_did_not_fight_go_back_with_their_group() -> None:
    field = met(reds=2, blues=2, melee_step_up_cm=0.0)
    field.battle.units["chief"] = leader("chief", "blue", (51, 58.5))
    field.battle.units["far"] = leader("far", "blue", (51, 80))
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", False))
    assert field["chief"].body.at[0][1] == pytest.approx(63.5, abs=0.1)
    assert field["far"].body.at[0] == (51, 80)


@pytest.mark.rule("RSK-177")
@pytest.mark.setting("melee.result_measure")
def test_a_kill_counts_as_much_as_a_wound_or_twice() -> None:
    def back(**settings: Any) -> list[str]:
        field = met(reds=3, blues=3, red_close="sword", **settings)
        answers: list[tuple[str, Any]] = [("melee", [6, 1]), ("melee", [1, 5]), ("melee", [1, 2])]
        answers += [("follow up", False)] if settings else []
        events = battle_of(field, *answers)
        found: list[str] = next(event.data["back"] for event in events if event.kind == "melee")
        return found

    assert back() == ["red", "blue"]
    assert back(melee_result_measure="weighted") == ["blue"]


@pytest.mark.rule("RSK-179")
def test_the_winner_may_follow_into_contact() -> None:
    field = met(reds=2, blues=2)
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", True))
    assert field.battle.touching(field["a"])
    eager = met(reds=2, blues=2, solo=["red", "blue"], red_action="attack")
    battle_of(eager, ("melee", [5, 1]), ("melee", [1, 1]))
    assert eager.battle.touching(eager["a"])
    calm = met(reds=2, blues=2, solo=["red", "blue"], red_action="halt")
    battle_of(calm, ("melee", [5, 1]), ("melee", [1, 1]))
    assert not calm.battle.touching(calm["a"])


@pytest.mark.rule("RSK-180", "RSK-111")
def test_men_without_room_are_wounded_and_the_wounded_die() -> None:
    river = [("river", "closed", ((0, 55), (200, 55), (200, 70), (0, 70)), ())]
    field = met(reds=2, blues=2, blue_hurt=1, terrain=river)
    events = battle_of(field, ("melee", [1, 1]), ("melee", [1, 1]))
    assert field["b"].count == 1 and field["b"].hurt == (True,)
    assert [event.data["suffered"] for event in events if event.kind == "melee"] == [{"red": 0, "blue": 0}]
    assert (field["b"].lost, field["b"].dead) == (2, 1)


@pytest.mark.rule("RSK-124", "RSK-177")
def test_casualties_go_into_both_records() -> None:
    field = met(reds=2, blues=2)
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", False))
    assert (field["a"].caused, field["a"].lost, field["b"].lost, field["b"].round_lost) == (1, 0, 1, 1)


@pytest.mark.rule("RSK-040", "RSK-181")
def test_a_melee_that_stays_in_contact_is_fought_again_in_any_turn() -> None:
    field = met(reds=2, blues=2)
    field["a"].marks = frozenset({"charger"})
    for active in (["red", "blue"], ["blue", "red"]):
        field.battle.order = active
        assert find_fights(field.battle) == [("a", "b")]


@pytest.mark.rule("RSK-156")
@pytest.mark.setting("prisoners.capture_contacted_routers")
def test_routers_left_in_contact_are_taken() -> None:
    def taken(**settings: Any) -> int:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
            troops("b", "blue", (0, 0), at=[(50, 52.5), (60, 52.5)], status="routing"),
            **settings,
        )
        with field.script() as table:
            capture_routers(table, field.battle)
        return field.battle.held_by(field["a"])

    assert taken() == 1
    assert taken(prisoners_capture_contacted_routers=False) == 0
