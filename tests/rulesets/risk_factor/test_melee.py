"""Melee: the matching of opponents, scores, blows and aftermath (RSK-164 to RSK-182)."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import (
    Scene,
    battle_of,
    ground,
    leader,
    line,
    met,
    row,
    rules_with,
    scene,
    troops,
)

from zareba.base.exact import dist
from zareba.table import SeededTable
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.casualties import KILL, WOUND
from zareba_rulesets.risk_factor.chapters.melee import (
    Blow,
    Fighter,
    capture_routers,
    fight,
    find_fights,
    follow_up,
    matches,
    melee_facts,
    push_back,
    resolve_blows,
    score,
    spread_opponents,
)
from zareba_rulesets.risk_factor.forces import Unit

# --- The matching of opponents (RSK-164, RSK-165, RSK-182) ------------------------------------------------------------


@pytest.mark.rule("RSK-164", "RSK-165")
@pytest.mark.setting("melee.max_contact")
def test_numbers_are_spread_evenly_and_surplus_men_stand_behind() -> None:
    assert spread_opponents(10, 20, 4) == [2] * 10
    assert spread_opponents(3, 7, 4) == [3, 2, 2]
    assert spread_opponents(2, 20, 4) == [4, 4]
    assert spread_opponents(2, 20, RskBook(rules_with(melee_max_contact=3)).settings.melee_max_contact) == [3, 3]
    assert spread_opponents(3, 3, 4) == [1, 1, 1] and spread_opponents(0, 5, 4) == []


@pytest.mark.rule("RSK-164")
@pytest.mark.setting("melee.step_up_cm")
def test_the_charged_men_step_up() -> None:
    def fighting(**settings: Any) -> int:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], marks=["charged", "charger"]),
            troops("b", "blue", (0, 0), at=[(50, 52.5), (53, 56), (50, 62)]),
            **settings,
        )
        found = field.run(matches, [field["a"], field["b"]])
        return sum(len(match.several) for match in found)

    assert fighting() == 2
    assert fighting(melee_step_up_cm=10.0) == 3
    assert fighting(melee_step_up_cm=0.0) == 1


@pytest.mark.rule("RSK-159", "RSK-164")
@pytest.mark.parametrize(("active", "fighting"), [("red", [0, 2]), ("blue", [0, 1, 2])])
def test_men_who_killed_prisoners_do_not_step_up(active: str, fighting: list[int]) -> None:
    """No unit has charged, so both sides step up. Of the two free reds the farther one has killed prisoners."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (54, 47), (53, 49)]),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (53, 54), (54, 56)]),
        active=active,
    )
    field["a"].killers = 1
    found = field.run(matches, [field["a"], field["b"]])
    fought = [figure for match in found for figure in (match.single, *match.several)]
    assert sorted(index for name, index in fought if name == "a") == fighting


@pytest.mark.rule("RSK-182", "RSK-165")
@pytest.mark.parametrize(("charged", "fights"), [(True, True), (False, False)])
def test_a_leader_in_contact_among_those_who_charge_is_one_of_the_four_who_fight(charged: bool, fights: bool) -> None:
    marks = ["charged", "charger"] if charged else []
    ring = [(50 + 2.5 * sin(turn), 50 + 2.5 * cos(turn)) for turn in (0.0, 1.2, 2.4, 3.6)]
    field = scene(
        troops("a", "red", (0, 0), at=[(x, y + 0.02) for x, y in ring], marks=marks),
        leader("chief", "red", (50 + 2.5 * sin(4.8), 50 + 2.5 * cos(4.8)), marks=marks),
        troops("b", "blue", (0, 0), at=[(50, 50)]),
    )
    (match,) = field.run(matches, [field["a"], field["chief"], field["b"]])
    assert (("chief", 0) in match.several) is fights and len(match.several) == 4


@pytest.mark.rule("RSK-182")
@pytest.mark.setting("melee.leaders")
def test_leaders_of_a_charged_group_are_matched_last() -> None:
    def opponents(**settings: Any) -> Sequence[tuple[str, int]]:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], marks=["charged", "charger"]),
            troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 57.5)]),
            leader("chief", "blue", (52.6, 52.5)),
            melee_max_contact=2,
            **settings,
        )
        found = field.run(matches, [field["a"], field["b"]])
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
        return scene(reds, troops("b", "blue", (0, 0), at=row(2, 52.5, step=2.6), hurt=1), **more)

    field = three()
    found = field.run(matches, [field["a"], field["b"]], script=[("odd opponents", "wounded")])
    assert [(match.single, len(match.several)) for match in found] == [(("b", 1), 2), (("b", 0), 1)]
    quiet = three(solo=["red"])
    with quiet.script() as table:
        assert [len(match.several) for match in matches(table, quiet.battle, [quiet["a"], quiet["b"]])] == [2, 1]


@pytest.mark.rule("RSK-164")
def test_charge_of_the_previous_player_turn_gives_no_charging_side() -> None:
    """Blue charged in its own turn. In red's turn both sides step up, and red decides who faces the extra man."""
    reds = troops("a", "red", (0, 0), at=[(50, 50), (52.6, 50)], hurt=1)
    blues = troops("b", "blue", (0, 0), at=[(50, 52.5), (52.6, 52.5), (50, 56)], marks=("charged", "charger"))
    field = scene(reds, blues)
    found = field.run(matches, [field["a"], field["b"]], script=[("odd opponents", "wounded")])
    assert [(match.single, len(match.several)) for match in found] == [(("a", 1), 2), (("a", 0), 1)]
    field["a"].mark("charged")
    found = field.run(matches, [field["a"], field["b"]], script=[("odd opponents", "front")])
    assert sum(len(match.several) for match in found) == 3, "the charged step up"
    behind = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (50, 46.5)], marks=("charged", "charger")),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 56)], marks=("charged",)),
    )
    found = behind.run(matches, [behind["a"], behind["b"]])
    assert [(match.single, match.several) for match in found] == [(("a", 0), [("b", 0), ("b", 1)])]


@pytest.mark.rule("RSK-164")
@pytest.mark.parametrize(
    ("hurt", "chief", "enemies", "kinds"),
    [
        (0, False, 3, []),
        (1, False, 3, ["front", "wounded"]),
        (2, False, 3, []),
        (0, True, 4, ["front", "leaders"]),
        (1, True, 4, ["front", "wounded", "leaders"]),
        (1, False, 4, []),
    ],
)
def test_which_kinds_of_men_can_be_named_for_the_odd_opponents(
    hurt: int, chief: bool, enemies: int, kinds: list[str]
) -> None:
    """Two men, perhaps with a leader. There is no choice if numbers are equal or all men are of one kind."""
    blues = [(47.5, 52.5), (50.0, 52.5), (52.6, 52.5), (55.2, 52.5)][:enemies]
    units = [troops("a", "red", (0, 0), at=[(50, 50), (52.6, 50)], hurt=hurt, marks=("charged", "charger"))]
    units += [leader("chief", "red", (47.4, 50), marks=("charged",))] if chief else []
    field = scene(*units, troops("b", "blue", (0, 0), at=blues))
    offered: list[str] = []

    def answer(question: Any, _: Any) -> Any:
        offered.extend(question.options)
        return question.options[-1]

    table = SeededTable(field.rules, field.battle, 1, {"red": answer})
    found = matches(table, field.battle, list(field.battle.units.values()))
    assert offered == kinds
    odd = next(match.single for match in found if len(match.several) == max(len(m.several) for m in found))
    if kinds[-1:] == ["leaders"]:
        assert odd == ("chief", 0)


@pytest.mark.rule("RSK-182")
@pytest.mark.setting("melee.leaders")
@pytest.mark.parametrize(("how", "first"), [("last", ("b", 1)), ("as_figures", ("chief", 0))])
def test_a_leader_in_contact_is_matched_after_the_men_who_step_up(how: str, first: tuple[str, int]) -> None:
    """The charger touches the chief and one man. For the second opponent a man steps up before the chief, depending on
    the setting.
    """
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["charged", "charger"]),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 56)]),
        leader("chief", "blue", (52.5, 50)),
        melee_max_contact=2,
        melee_leaders=how,
    )
    found = field.run(matches, [field["a"], field["b"], field["chief"]])
    assert found[0].several == [("b", 0), first]


@pytest.mark.rule("RSK-164", "RSK-182", "RSK-177", "RSK-179")
def test_men_step_up_to_their_leader_who_is_met_first() -> None:
    """The charger touches the sergeant in front. Two men step up and are matched before him, and all go back."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword", marks=["charged", "charger"]),
        troops("b", "blue", (0, 0), at=[(48.6, 55.5), (51.4, 55.5), (50, 66)]),
        leader("nco", "blue", (50, 52.5), rank="nco"),
    )
    found = field.run(matches, [field["a"], field["nco"]])
    assert found[0].several == [("b", 0), ("b", 1), ("nco", 0)]
    events = battle_of(field, ("melee", [6, 1, 1, 1]), ("strike whom", ("b", 0)), ("follow up", False))
    assert next(event.data["units"] for event in events if event.kind == "melee") == ["a", "b", "nco"]
    assert field["b"].dead == 1 and field["b"].body.at[-1][1] == pytest.approx(71, abs=0.1)


@pytest.mark.rule("RSK-164", "RSK-177")
def test_men_do_not_step_up_out_of_another_melee() -> None:
    """Sergeant and men are side by side, each with an opponent."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword", marks=["charged", "charger"]),
        troops("c", "red", (0, 0), at=[(54, 50)], close="sword", marks=["charged", "charger"]),
        troops("b", "blue", (0, 0), at=[(50, 52.5)]),
        leader("nco", "blue", (54, 52.5), rank="nco"),
    )
    with field.script() as table:
        for red, blue in (("a", "b"), ("c", "nco")):
            (match,) = matches(table, field.battle, [field[red], field[blue]])
            assert {match.single, *match.several} == {(red, 0), (blue, 0)}


HAIR = 0.01


WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


@pytest.mark.rule("RSK-164")
@WITHIN
def test_the_charged_step_up_from_five_cm(over: float, within: bool) -> None:
    """The distance is measured from the men in contact, base to base."""
    field = scene(
        man("a", "red", 50, 50, marks=["charged", "charger"]),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 52.5 + 7.5 + over)]),
    )
    found = field.run(matches, [field["a"], field["b"]])
    assert (("b", 1) in found[0].several) is within


# --- Scores, blows and aftermath (RSK-166 to RSK-182) -----------------------------------------------------------------


def stands(unit: Unit) -> list[tuple[float, float]]:
    """Return the positions of a unit's figures, rounded to a millimetre."""
    return [(round(x, 1), round(y, 1)) for x, y in unit.body.at]


# --- scores and blows -------------------------------------------------------------------------------------------------
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
        return score(table, 3, melee_facts(raw, opponents, crossing, superior, better), "red") - 3


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
    """Resolve blows between figures given as (die, score)."""
    numbers = RskBook(rules_with(**settings))
    return resolve_blows(
        Fighter("s", *single), [Fighter(index, *other) for index, other in enumerate(several)], numbers
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
    """One red fights two blues, one of them wounded. He kills one while the other kills him."""
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
    battle_of(field, ("melee", [5, 1, 2]), ("strike whom", "man 2 of B"))
    assert field["b"].count == 1 and not any(field["b"].hurt)


@pytest.mark.rule("RSK-111", "RSK-174")
@pytest.mark.parametrize(("dice", "fate"), [([1, 5, 5], "killed"), ([1, 5, 1], "wounded"), ([1, 6, 5], "killed")])
def test_two_wounds_of_one_match_kill(dice: list[int], fate: str) -> None:
    field = met(reds=1, blues=2, solo=["red", "blue"])
    battle_of(field, ("melee", dice))
    assert ("a" in field.battle.gone) is (fate == "killed")
    assert field["a"].hurt == (() if fate == "killed" else (True,))
    assert field["a"].lost == 1, "he is one casualty, whatever struck him"


@pytest.mark.rule("RSK-174")
def test_losses_are_random_if_no_man_is_wounded() -> None:
    field = met(reds=1, blues=3, red_superior_melee=True, red_close="lance", solo=["red"])
    field["a"].action = "halt"
    third = field["b"].body.at[2]
    battle_of(field, ("melee", [6, 1, 2, 1]), ("strike whom", "man 3 of B"))
    assert field["b"].count == 2 and third not in field["b"].body.at


@pytest.mark.rule("RSK-174")
def test_only_men_he_beat_can_be_struck() -> None:
    """A five beats one man but not the one with a six, so there is no choice. The six kills him at the same time."""
    field = met(reds=1, blues=2, red_close="lance")
    battle_of(field, ("melee", [5, 6, 1]))
    assert "a" in field.battle.gone and field["b"].hurt == (False, True)


@pytest.mark.rule("RSK-176", "RSK-096", "RSK-142")
def test_routers_throw_no_die_and_score_nothing() -> None:
    field = met(reds=1, blues=1, blue_status="routing")
    battle_of(field, ("melee", [6]))
    assert field.battle.gone == {"b": "killed"}
    assert resolve_blows(Fighter("s", 0, 0), [Fighter(0, 5, 5)], RskBook(rules_with())) == [Blow(0, WOUND, ("s",))]


@pytest.mark.rule("RSK-167", "RSK-169", "RSK-170")
@pytest.mark.parametrize(
    ("red", "wounds"),
    [({}, False), ({"superior_melee": True}, True), ({"troop_class": "hero"}, True), ({"superior_quality": True}, False),
     ({"close": "lance"}, True), ({"weapon": "rifle", "bayonet": True}, True), ({"weapon": "rifle"}, False),
     ({"troop_class": "raw", "close": "lance"}, False)],
)  # fmt: skip
def test_class_and_weapon_decide_equal_melee_dice(red: dict[str, Any], wounds: bool) -> None:
    """Both men throw a five. Both have swords by default."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], **{"close": "sword", "marks": ("charged",)} | red),
        troops("b", "blue", (0, 0), at=[(50, 52.5)], close="sword"),
        solo=["red"],
    )
    battle_of(field, ("melee", [5, 5]))
    assert field["b"].hurt == (wounds,)


@pytest.mark.rule("RSK-168")
def test_the_side_that_storms_an_obstacle_has_one_less() -> None:
    """With equal dice across a wall, the defender's five beats the charger's and wounds."""
    wall = line("wall", "works", (0, 51.25), (200, 51.25))
    field = met(reds=1, blues=1, terrain=[wall], red_close="sword")
    battle_of(field, ("melee", [5, 5]), ("follow up", False))
    assert field["a"].hurt == (True,) and field["b"].hurt == (False,)
    open_ground = met(reds=1, blues=1, red_close="sword")
    battle_of(open_ground, ("melee", [5, 5]))
    assert open_ground["a"].hurt == (False,)


# --- after the melee --------------------------------------------------------------------------------------------------
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


@pytest.mark.rule("RSK-079", "RSK-177")
def test_men_who_go_back_pass_friends_who_stand_behind_them() -> None:
    """Three friends are close behind. Straight back there is no room within 5 cm, but to one side there is."""
    field = met(reds=1, blues=1)
    behind = field.battle.units["behind"] = troops("behind", "red", (0, 0), at=[(50, 47.4), (50, 44.8), (47.4, 46)])
    battle_of(field, ("melee", [1, 5]), ("follow up", False))
    (man,) = field["a"].body.at
    assert dist(man, (50, 50)) == pytest.approx(5) and man[1] < 48
    assert not field.battle.enemies_in_contact(field["a"])
    assert behind.body.at == ((50, 47.4), (50, 44.8), (47.4, 46))


@pytest.mark.rule("RSK-177")
def test_rear_group_retreats_first() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (40, 50), (60, 50)], close="sword", marks=("charged", "charger")),
        troops("b", "blue", (0, 0), at=[(50, 52.5)], close="sword"),
        troops("c", "blue", (0, 0), at=[(50, 55.1), (40, 52.5), (60, 52.5)], close="sword"),
    )
    battle_of(field, ("melee", [1, 1, 1]), ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", False))
    assert field["b"].body.at[0] == pytest.approx((50, 57.5))
    assert field["c"].body.at[0] == pytest.approx((50, 60.1))


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


@pytest.mark.rule("RSK-177")
@pytest.mark.setting("melee.result_measure")
@pytest.mark.parametrize(
    ("hurt", "measure", "back"),
    [(0, "casualties", ["red", "blue"]), (0, "weighted", ["red", "blue"]), (1, "weighted", ["blue"])],
)
def test_a_wounded_man_who_falls_counts_as_a_kill(hurt: int, measure: str, back: list[str]) -> None:
    """Each side takes a wound. Blue's man is already wounded, so he dies, which counts double if kills do."""
    reds = troops("a", "red", (0, 0), at=row(2, 50, step=2.6), close="sword", marks=("charged",))
    blues = troops("b", "blue", (0, 0), at=row(2, 52.5, step=2.6), close="sword", hurt=hurt)
    field = scene(reds, blues, melee_result_measure=measure, solo=["red", "blue"])
    dice = (("melee", [1, 5]), ("melee", [5, 1]))
    events = battle_of(field, *dice)
    assert next(event.data["back"] for event in events if event.kind == "melee") == back


@pytest.mark.rule("RSK-179")
def test_the_winner_may_follow_into_contact() -> None:
    field = met(reds=2, blues=2)
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", True))
    assert field.battle.enemies_in_contact(field["a"])
    eager = met(reds=2, blues=2, solo=["red", "blue"], red_action="attack")
    battle_of(eager, ("melee", [5, 1]), ("melee", [1, 1]))
    assert eager.battle.enemies_in_contact(eager["a"])
    calm = met(reds=2, blues=2, solo=["red", "blue"], red_action="halt")
    battle_of(calm, ("melee", [5, 1]), ("melee", [1, 1]))
    assert not calm.battle.enemies_in_contact(calm["a"])


@pytest.mark.rule("RSK-179", "RSK-135")
@pytest.mark.parametrize(("marks", "follows"), [((), True), (("works",), False)])
def test_the_tables_follow_over_works_but_not_out_of_their_own(marks: tuple[str, ...], follows: bool) -> None:
    """The winners are close to the wall. Attackers who stormed it follow up across it; its defenders stay."""
    wall = [line("wall", "works", (0, 51.25), (200, 51.25))]
    field = met(reds=2, blues=2, solo=["red", "blue"], red_action="attack", red_marks=marks, terrain=wall)
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]))
    assert bool(field.battle.enemies_in_contact(field["a"])) is follows


@pytest.mark.rule("RSK-180", "RSK-111")
def test_men_without_room_are_wounded_and_the_wounded_die() -> None:
    river = [("river", "closed", ((0, 55), (200, 55), (200, 70), (0, 70)), ())]
    field = met(reds=2, blues=2, blue_hurt=1, terrain=river)
    events = battle_of(field, ("melee", [1, 1]), ("melee", [1, 1]))
    assert field["b"].count == 1 and field["b"].hurt == (True,)
    assert [event.data["suffered"] for event in events if event.kind == "melee"] == [{"red": 0, "blue": 0}]
    assert (field["b"].lost, field["b"].dead) == (2, 1)


@pytest.mark.rule("RSK-180")
@pytest.mark.parametrize(
    ("edge", "enemy", "cliff", "hurt"),
    [(False, False, False, 0), (True, False, False, 2), (False, True, False, 1), (False, False, True, 2)],
)
def test_obstacles_that_leave_no_room_to_retreat(edge: bool, enemy: bool, cliff: bool, hurt: int) -> None:
    """The edge of the board, an enemy behind one of the men, or impassable ground."""
    depth = 56.0 if edge else 200.0
    river = [("river", "closed", ((0, 57), (200, 57), (200, 70), (0, 70)), ())] if cliff else []
    units = [
        troops("a", "red", (0, 0), at=row(2, 50, step=2.6), close="sword", marks=("charged",)),
        troops("b", "blue", (0, 0), at=row(2, 52.5, step=2.6), close="sword"),
    ]
    units += [troops("c", "red", (0, 0), at=[(49, 58.5)])] if enemy else []
    field = scene(*units, terrain=river, depth=depth)
    battle_of(field, ("melee", [1, 1]), ("melee", [1, 1]))
    assert sum(field["b"].hurt) == hurt and field["b"].lost == hurt
    stayed = [y for (_, y), wounded in zip(field["b"].body.at, field["b"].hurt, strict=True) if wounded]
    assert stayed == [52.5] * hurt


@pytest.mark.rule("RSK-124", "RSK-177")
def test_casualties_go_into_both_records() -> None:
    field = met(reds=2, blues=2)
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", False))
    assert (field["a"].caused, field["a"].lost, field["b"].lost, field["b"].round_lost) == (1, 0, 1, 1)


@pytest.mark.rule("RSK-124", "RSK-111", "RSK-174")
@pytest.mark.parametrize("dice", [[5, 1, 5], [6, 1, 5]])
def test_two_blows_on_one_man_are_one_casualty(dice: list[int]) -> None:
    """Two men of two groups strike the same man in one round. He counts as one loss, caused by the first."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword", marks=("charged", "charger")),
        troops("b", "blue", (0, 0), at=[(51.3, 52.2)], close="sword"),
        troops("c", "red", (0, 0), at=[(52.6, 50)], close="sword", marks=("charged", "charger")),
    )
    battle_of(field, ("melee", [1, dice[0], dice[2]]))
    assert field["b"].dead == 1 and field["b"].lost == field["b"].round_lost == 1
    assert (field["a"].caused, field["c"].caused) == (1, 0)


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
        field.run(capture_routers)
        return field.battle.held_by(field["a"])

    assert taken() == 1
    assert taken(prisoners_capture_contacted_routers=False) == 0


@pytest.mark.rule("RSK-156")
def test_routing_units_take_no_prisoners() -> None:
    """The nearer enemy is routing. Another enemy in contact takes the prisoner if he holds his ground."""
    for steady, captor in ((True, "c"), (False, None)):
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], status="routing"),
            troops("b", "blue", (0, 0), at=[(50, 52.5)], status="routing"),
            troops("c", "red", (0, 0), at=[(50, 55.05)], status="steady" if steady else "routing"),
        )
        field.run(capture_routers)
        assert [captives.captor for captives in field.battle.captives] == ([captor] if captor else [])


@pytest.mark.rule("RSK-177", "RSK-122")
def test_pushed_back_man_faces_his_opponent() -> None:
    """The man was facing north and was attacked from behind."""
    field = met(reds=2, blues=2, blue_facing=0.0)
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", False))
    assert field["b"].facing == pytest.approx(180, abs=1)


@pytest.mark.rule("RSK-179", "RSK-192")
def test_leaders_without_orders_follow_up_with_their_group() -> None:
    field = met(reds=2, blues=2)
    field.battle.units["nco"] = leader("nco", "red", (51, 46), rank="nco")
    field.battle.units["pc"] = leader("pc", "red", (54, 46), marks=["free"])
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", True))
    assert field["a"].body.at[0][1] == pytest.approx(55, abs=0.1)
    assert field["nco"].body.at[0][1] == pytest.approx(51, abs=0.1) and field["pc"].body.at[0] == (54, 46)


@pytest.mark.rule("RSK-179")
def test_follow_up_without_room_is_not_reported() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)]),
        troops("friend", "red", (0, 0), at=[(50, 52.6)]),
        troops("b", "blue", (0, 0), at=[(50, 57.5)]),
    )
    with field.script(("follow up", True)) as table:
        follow_up(table, field.battle, ["a", "b"], "red")
    assert field["a"].body.at == ((50, 50),)
    assert not table.events and "charger" not in field["a"].marks


@pytest.mark.rule("RSK-179", "RSK-192")
def test_a_leader_without_orders_does_not_follow_up_alone() -> None:
    """The leader has fought alongside his group, which holds the wall."""
    wall = line("wall", "works", (40, 51.25), (57, 51.25))
    field = met(reds=1, blues=2, terrain=[wall], red_marks=("works",), solo=["red"])
    field["a"].action = "advance"
    field.battle.units["nco"] = leader("nco", "red", (52.6, 50), rank="nco", action="advance")
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]))
    assert field["b"].body.at[1][1] == pytest.approx(57.5, abs=0.1)
    assert field["nco"].body.at[0] == (52.6, 50) and field["a"].body.at[0] == (50, 50)


@pytest.mark.rule("RSK-180")
def test_retreat_without_room_is_not_reported() -> None:
    field = met(reds=1, blues=1, terrain=[("river", "closed", ((0, 55), (200, 55), (200, 70), (0, 70)), ())])
    kinds = [event.kind for event in battle_of(field, ("melee", [5, 1]))]
    assert "no room" in kinds and "pushed back" not in kinds


@pytest.mark.rule("RSK-177", "RSK-192")
def test_a_leader_who_fights_elsewhere_does_not_go_back_with_his_group() -> None:
    """The chief is in contact next to his band, which is beaten by other enemies."""
    field = met(reds=2, blues=2)
    field.battle.units["chief"] = leader("chief", "blue", (57, 53), close="sword")
    field.battle.units["c"] = troops("c", "red", (0, 0), at=[(59.5, 53)], marks=["charged", "charger"])
    assert find_fights(field.battle) == [("a", "b"), ("c", "chief")]
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", False))
    assert field["b"].body.at[0][1] > 57 and field["chief"].body.at[0] == (57, 53)


@pytest.mark.rule("RSK-177")
@pytest.mark.parametrize("end", [0, 10, 19])
def test_a_long_line_struck_from_the_front_goes_straight_back(end: int) -> None:
    """Two men have charged one end or the middle of a line of twenty. The line goes straight back, not sideways."""
    start = row(20, 52.5, step=2.6)
    field = scene(
        troops("a", "red", (0, 0), at=[(x, 50) for x, _ in start[max(0, end - 1) : end + 1]], close="sword"),
        troops("b", "blue", (0, 0), at=start, close="sword"),
    )
    names = find_fights(field.battle)[0]
    field.run(push_back, names, ["blue"])
    assert stands(field["b"]) == [(round(x, 1), 57.5) for x, _ in start]
    assert field["b"].facing == pytest.approx(180) and not any(field["b"].hurt)


@pytest.mark.rule("RSK-177")
@pytest.mark.parametrize("degrees", [0, 37, 90, 200, 315])
def test_a_man_goes_five_cm_along_the_line_from_the_enemy_he_touched(degrees: int) -> None:
    way = sin(radians(degrees)), cos(radians(degrees))
    field = scene(
        troops("a", "red", (0, 0), at=[(100, 100)], close="sword"),
        troops("b", "blue", (0, 0), at=[(100 + 2.5 * way[0], 100 + 2.5 * way[1])], close="sword"),
        troops("far", "red", (0, 0), at=[(130, 100)], close="sword"),
    )
    field.run(push_back, ("a", "b", "far"), ["blue"])
    assert field["b"].body.at[0] == pytest.approx((100 + 7.5 * way[0], 100 + 7.5 * way[1]))
    assert field["b"].facing == pytest.approx((degrees + 180) % 360)


@pytest.mark.rule("RSK-177")
def test_group_retreats_from_the_middle_of_all_its_opponents() -> None:
    """One man is attacked from the south, another from the west. Both go back to the north-east."""
    field = scene(
        troops("a", "red", (0, 0), at=[(100, 97.5), (117.5, 100)], close="sword"),
        troops("b", "blue", (0, 0), at=[(100, 100), (120, 100)], close="sword"),
    )
    field.run(push_back, ("a", "b"), ["blue"])
    gone = 5 * sin(radians(45))
    assert stands(field["b"]) == [(round(x + gone, 1), round(100 + gone, 1)) for x in (100, 120)]


@pytest.mark.rule("RSK-177", "RSK-182")
def test_a_group_whose_leader_alone_fought_goes_back_his_way() -> None:
    """Only the chief is in contact; his men are in line next to him."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        leader("chief", "blue", (50, 52.5), close="sword"),
        troops("b", "blue", (0, 0), at=row(6, 53, 52.75), close="sword"),
    )
    field.run(push_back, ("a", "b", "chief"), ["blue"])
    assert stands(field["b"]) == [(round(x, 1), 58.0) for x, _ in row(6, 53, 52.75)]
    assert stands(field["chief"]) == [(50, 57.5)]


@pytest.mark.rule("RSK-177", "RSK-180")
def test_a_man_pressed_from_both_sides_alike_has_no_room() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (50, 55)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 52.5)], close="sword"),
    )
    field.run(push_back, ("a", "b"), ["blue"])
    assert field["b"].body.at == ((50, 52.5),) and field["b"].hurt == (True,)


@pytest.mark.rule("RSK-177", "RSK-180")
@pytest.mark.parametrize(("x", "has_room"), [(52.5, True), (52.4, False)])
def test_a_man_goes_back_past_an_enemy_whose_base_he_just_touches(x: float, has_room: bool) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 52.5)], close="sword"),
        troops("behind", "red", (0, 0), at=[(x, 55)], close="sword"),
    )
    field.run(push_back, ("a", "b"), ["blue"])
    assert stands(field["b"]) == [(50, 57.5 if has_room else 52.5)]
    assert field["b"].hurt == (not has_room,)


@pytest.mark.rule("RSK-179", "RSK-180")
@pytest.mark.parametrize("follows", [True, False])
def test_winners_follow_those_who_went_back_past_men_who_had_no_room(follows: bool) -> None:
    """Of three men, one has the river behind him and stays in contact. The winners may follow the other two."""
    river = [("river", "closed", ((48, 55), (51, 55), (51, 70), (48, 70)), ())]
    field = met(reds=3, blues=3, terrain=river)
    answers = [("melee", [1, 1]), ("melee", [1, 1]), ("melee", [5, 1]), ("follow up", follows)]
    events = battle_of(field, *answers)
    assert stands(field["b"]) == [(50, 52.5), (52.6, 57.5), (55.2, 57.5)]
    assert stands(field["a"]) == [(50, 50), *((x, 55.0 if follows else 50.0) for x in (52.6, 55.2))]
    assert ("follows up" in [event.kind for event in events]) is follows


@pytest.mark.rule("RSK-179", "RSK-180")
def test_winner_does_not_follow_if_the_beaten_stay_in_contact() -> None:
    field = met(reds=1, blues=1, terrain=[("river", "closed", ((0, 55), (200, 55), (200, 70), (0, 70)), ())])
    with field.script() as table:
        push_back(table, field.battle, ("a", "b"), ["blue"])
        follow_up(table, field.battle, ("a", "b"), "red")
    assert field["b"].hurt == (True,) and field.battle.enemies_in_contact(field["a"])


@pytest.mark.rule("RSK-177", "RSK-181")
def test_a_melee_whose_men_have_separated_is_over() -> None:
    field = met(reds=1, blues=1)
    field["b"].body = field["b"].body.moved_by(0, 5)
    with field.script() as table:
        fight(table, field.battle, ("a", "b"))
    assert not table.events and field["b"].body.at[0][1] == 57.5


@pytest.mark.rule("RSK-179", "RSK-192")
def test_a_leader_who_fights_elsewhere_does_not_follow_up_with_his_group() -> None:
    field = met(reds=2, blues=2)
    field.battle.units["nco"] = leader("nco", "red", (57, 50), rank="nco")
    field.battle.units["c"] = troops("c", "blue", (0, 0), at=[(59.5, 50)])
    battle_of(field, ("melee", [5, 1]), ("melee", [1, 1]), ("follow up", True))
    assert field["a"].body.at[0][1] == pytest.approx(55, abs=0.1) and field["nco"].body.at[0] == (57, 50)


# --- room for going back ----------------------------------------------------------------------------------------------
TURNS = pytest.mark.parametrize("degrees", [0, 90, 180, 270])


def pushed(degrees: int, file: list[float], *more: Unit, behind: list[float], **terrain: Any) -> list[float]:
    """Return how far men in a file are pushed back from their first positions, with friends behind them."""
    ux, uy = sin(radians(degrees)), cos(radians(degrees))

    def at(along: float) -> tuple[float, float]:
        return 100 + along * ux, 100 + along * uy

    field = scene(
        troops("a", "red", (0, 0), at=[at(-2.5)], close="sword"),
        troops("b", "blue", (0, 0), at=[at(along) for along in file], close="sword"),
        troops("friends", "blue", (0, 0), at=[at(along) for along in behind]),
        *more,
        **terrain,
    )
    field.run(push_back, ("a", "b"), ["blue"])
    assert field["friends"].body.at == tuple(at(along) for along in behind)
    return [round((x - 100) * ux + (y - 100) * uy, 2) for x, y in field["b"].body.at]


@pytest.mark.rule("RSK-079", "RSK-177")
@TURNS
@pytest.mark.parametrize(
    ("friend", "ends"), [(7.5, 5.0), (7.45, 4.95), (7.0, 3.75), (6.0, 2.5), (4.0, 1.25), (3.2, 4.33)]
)
def test_retreating_man_stops_short_of_a_friend_behind_him(degrees: int, friend: float, ends: float) -> None:
    """If the friend leaves no room at all, the man goes to one side."""
    assert pushed(degrees, [0], behind=[friend]) == [ends]


@pytest.mark.rule("RSK-079", "RSK-177")
@TURNS
def test_men_in_a_file_go_back_the_last_first_and_each_stops_behind_the_other(degrees: int) -> None:
    assert pushed(degrees, [0, 2.6], behind=[20]) == [5.0, 7.6]
    assert pushed(degrees, [2.6, 0], behind=[20]) == [7.6, 5.0]
    assert pushed(degrees, [0, 2.6], behind=[8.6]) == [2.5, 5.1]


@pytest.mark.rule("RSK-079", "RSK-180")
def test_retreating_man_stops_short_of_a_blocked_comrade() -> None:
    """The second man has water behind him and stays. The first goes as near to him as there is room."""
    pond = ground("pond", "closed", [(80, 106), (120, 106), (120, 120), (80, 120)])
    assert pushed(0, [0, 4], behind=[30], terrain=[pond]) == [1.25, 4.0]


@pytest.mark.rule("RSK-177", "RSK-192")
@pytest.mark.parametrize("ends", ["water", "the edge"])
def test_a_leader_goes_back_with_his_group_as_far_as_the_ground_lets_him(ends: str) -> None:
    """The leader is 3 cm behind his group. Water or the edge of the board is 2 cm behind him."""
    deep = 109.0 if ends == "the edge" else 200.0
    pond = [ground("pond", "closed", [(80, 109), (120, 109), (120, 120), (80, 120)])] if ends == "water" else []
    chief = leader("chief", "blue", (100, 106.6))
    field = scene(
        troops("a", "red", (0, 0), at=[(100, 97.5)], close="sword"),
        troops("b", "blue", (0, 0), at=[(100, 100), (97, 103)], close="sword"),
        chief,
        terrain=pond,
        depth=deep,
    )
    field.run(push_back, ("a", "b"), ["blue"])
    assert stands(field["chief"]) == [(100, 107.8)] and stands(field["b"])[1] == (97, 108)


@pytest.mark.rule("RSK-079", "RSK-177")
@pytest.mark.parametrize(
    ("mates", "ends"),
    [
        ([(50, 47.4)], (47.5, 45.7)),
        ([(50, 47.4), (47, 45)], (52.5, 45.7)),
        ([(50, 47.4), (47, 45), (53, 45)], (45.7, 47.5)),
    ],
    ids=[
        "to his right",
        "to his left, if mates stand on his right",
        "farther to his right, if they stand on both hands",
    ],
)
def test_a_man_whose_way_back_is_full_goes_to_a_defined_hand(
    mates: list[tuple[float, float]], ends: tuple[float, float]
) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 52.5)], close="sword"),
        troops("mates", "red", (0, 0), at=mates),
    )
    field.run(push_back, ("a", "b"), ["red"])
    assert stands(field["a"]) == [ends]


@pytest.mark.rule("RSK-177", "RSK-179")
@pytest.mark.parametrize(("gap", "follows"), [(5.0, True), (6.0, False)])
def test_winners_follow_five_cm(gap: float, follows: bool) -> None:
    """Bases of men who were pushed back may have been a tenth of a cm apart; that distance may be followed too."""
    field = scene(man("a", "red", 50, 50), man("b", "blue", 50, 52.5 + gap))
    field.run(follow_up, ("a", "b"), "red", script=([("follow up", True)] if follows else []))
    assert bool(field.battle.enemies_in_contact(field["a"])) is follows
