"""The matching of opponents in a melee (RSK-164, RSK-165, RSK-182)."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, battle_of, leader, row, rules_with, scene, troops

from zareba.table import SeededTable
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.melee import matches, spread_opponents


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
