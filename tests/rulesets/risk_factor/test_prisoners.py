"""Prisoners: guarding, escape, killing, rescue (RSK-156 to RSK-161)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, able, row, scene, troops

from zareba.space.field.bodies import Body
from zareba_rulesets.risk_factor.chapters.charge import charge_home
from zareba_rulesets.risk_factor.chapters.movement import allowance, go, must_kill
from zareba_rulesets.risk_factor.chapters.prisoners import dispatch, escape, free_prisoners, take_prisoners
from zareba_rulesets.risk_factor.forces import missile_weapons


def held(guards: int, prisoners: int = 8, *others: Any, solo: Any = (), **captor: Any) -> Scene:
    """A red group that holds blue prisoners."""
    settings = {key: captor.pop(key) for key in list(captor) if key.startswith("prisoners_")}
    field = scene(
        troops("a", "red", (50, 50), guards, **captor),
        troops("b", "blue", (50, 56), prisoners, weapon="rifle"),
        *others,
        solo=solo,
        **settings,
    )
    field.run(take_prisoners, field["b"], range(prisoners), field["a"])
    assert field.battle.gone["b"] == "captured" and field["b"].dead == 0
    return field


@pytest.mark.rule("RSK-157", "RSK-158")
def test_one_man_guards_five_and_the_rest_escape() -> None:
    for guards, left in ((1, 5), (2, 8)):
        field = held(guards)
        with field.script() as table:
            escape(table, field.battle)
        assert field.battle.held_by(field["a"]) == left
        gone = [event.data["count"] for event in table.events if event.kind == "escaped"]
        assert gone == ([3] if guards == 1 else [])
    fled = held(2)
    fled["a"].body = fled["a"].body.moved_by(100, 0)
    with fled.script() as table:
        escape(table, fled.battle)
    assert not fled.battle.captives


@pytest.mark.rule("RSK-157", "RSK-158")
def test_prisoners_nearest_to_the_guard_stay() -> None:
    """Of eight prisoners 4 cm apart a guard at one end of the row holds the nearest five, now and at the next count."""
    field = held(1)
    x, y = field["a"].body.at[0]
    field.battle.captives[0].body = Body(tuple((x + 4 * place, y + 3) for place in range(7, -1, -1)), 1.25)
    for told in (1, 0):
        with field.script() as table:
            escape(table, field.battle)
        assert sum(event.kind == "escaped" for event in table.events) == told
        assert [at[0] - x for at in field.battle.captives[0].body.at] == pytest.approx([16, 12, 8, 4, 0])


@pytest.mark.rule("RSK-157")
def test_guards_move_twenty_cm() -> None:
    assert allowance(held(4).battle, held(4)["a"], False) == 20


@pytest.mark.rule("RSK-159")
def test_each_idle_man_may_kill_two() -> None:
    field = held(4)
    field.run(dispatch, script=[("kill prisoners", 4)])
    assert not field.battle.captives and field["b"].dead == 8 and field["a"].killers == 4
    spared = held(4)
    spared.run(dispatch, script=[("kill prisoners", 0)])
    assert spared.battle.held_by(spared["a"]) == 8
    busy = held(4, marks=["moved"])
    busy.run(dispatch)
    assert busy.battle.held_by(busy["a"]) == 8
    solo = held(4, solo=["red"])
    solo.run(dispatch)
    assert solo.battle.held_by(solo["a"]) == 8


@pytest.mark.rule("RSK-160")
def test_troops_without_quarter_must_kill_prisoners() -> None:
    assert [must_kill(6, 8, 2), must_kill(3, 8, 2), must_kill(6, 5, 2), must_kill(6, 5, 3)] == [4, 3, 3, 2]
    field = held(6, no_quarter=True)
    field.run(dispatch)
    assert not field.battle.captives and field["a"].killers == 4


def zulus(**more: Any) -> Scene:
    """Six no-quarter men in one row hold four prisoners to the south; an enemy is far to the north."""
    settings = {key: more.pop(key) for key in list(more) if key.startswith("prisoners_")}
    field = scene(
        troops("a", "red", (0, 0), at=row(6, 50), no_quarter=True, close="spear", **more),
        troops("b", "blue", (0, 0), at=row(4, 46)),
        troops("foe", "blue", (0, 0), at=[(57, 75)]),
        **settings,
    )
    field.run(take_prisoners, field["b"], range(4), field["a"])
    return field


@pytest.mark.rule("RSK-159", "RSK-160")
@pytest.mark.setting("prisoners.killers")
@pytest.mark.parametrize("charges", [False, True])
@pytest.mark.parametrize(("killers", "stand"), [("stand", 2), ("move", 0)])
def test_men_who_must_kill_stand_while_the_others_go_on(killers: str, stand: int, charges: bool) -> None:
    """Two of the six must kill: those farthest from the enemy. Their prisoners stay with them, and all four die."""
    field = zulus(prisoners_killers=killers)
    there = field.battle.captives[0].body.at
    with field.script() as table:
        if charges:
            charge_home(table, field.battle, field["a"], field["foe"], 0)
        else:
            go(table, field.battle, field["a"], [(57, 50), (57, 60)], 10)
        assert [index for index, (_, y) in enumerate(field["a"].body.at) if y == 50] == ([0, 5] if stand else [])
        assert (field.battle.captives[0].body.at == there) is bool(stand)
        escape(table, field.battle)
        dispatch(table, field.battle)
    assert field["b"].dead == 4 and field["a"].killers == 2


@pytest.mark.rule("RSK-159", "RSK-160", "RSK-140")
@pytest.mark.parametrize(("killers", "dead"), [("stand", 0), ("move", 4)])
def test_group_falling_back_takes_its_prisoners_along(killers: str, dead: int) -> None:
    field = zulus(prisoners_killers=killers, status="retreating", action="retreat")
    with field.script() as table:
        go(table, field.battle, field["a"], [(57, 50), (57, 40)], 10)
        dispatch(table, field.battle)
    assert {y for _, y in field["a"].body.at} == {40} and field["b"].dead == dead


@pytest.mark.rule("RSK-159", "RSK-160")
def test_group_whose_men_all_kill_prisoners_stays() -> None:
    field = held(3, no_quarter=True)
    at = field["a"].body.at
    with field.script() as table:
        assert go(table, field.battle, field["a"], [(50, 50), (50, 30)], 20) == 0
        dispatch(table, field.battle)
    assert field["a"].body.at == at and field["b"].dead == 6 and "moved" not in field["a"].marks


@pytest.mark.rule("RSK-161")
@pytest.mark.setting("prisoners.rescue")
def test_friend_frees_unguarded_prisoners() -> None:
    def rescued(**settings: Any) -> Scene:
        field = held(4, 4, troops("friend", "blue", (0, 0), at=[(50, 62)]), **settings)
        field["a"].body = field["a"].body.moved_by(0, -40)
        field.battle.captives[0].body = field["friend"].body.moved_by(0, -2.5)
        field.battle.captives[0].hurt = (False,)
        field.run(free_prisoners)
        return field

    free = rescued()
    assert (free["b"].count, free["b"].status, free.battle.captives) == (1, "steady", [])
    assert missile_weapons(free.battle, free["b"]) == []
    assert rescued(prisoners_rescue=False)["b"].count == 0
    guarded = held(4, 4, troops("friend", "blue", (0, 0), at=[(50, 62)]))
    guarded.run(free_prisoners)
    assert guarded["b"].count == 0


def lots(*sizes: int, guards: int = 2, **captor: Any) -> Scene:
    """A red group in one rank that holds prisoners of several units, all close in front of it."""
    rows = [troops(f"b{n}", "blue", (50, 54 + 3 * n), size, width=10) for n, size in enumerate(sizes)]
    field = scene(troops("a", "red", (50, 50), guards, width=10, **captor), *rows)
    with field.script() as table:
        for n, size in enumerate(sizes):
            take_prisoners(table, field.battle, field[f"b{n}"], range(size), field["a"])
    return field


@pytest.mark.rule("RSK-157", "RSK-158")
@pytest.mark.parametrize(("guards", "left"), [(1, 5), (2, 10), (3, 12)])
def test_the_prisoners_of_a_group_are_counted_together(guards: int, left: int) -> None:
    """Twelve prisoners need three guards, even if they come from several units."""
    field = lots(6, 6, guards=guards)
    with field.script() as table:
        escape(table, field.battle)
    assert field.battle.held_by(field["a"]) == left
    assert sum(event.data["count"] for event in table.events) == 12 - left


@pytest.mark.rule("RSK-157", "RSK-158")
def test_prisoners_without_men_next_to_them_are_unguarded() -> None:
    field = lots(2, 2, guards=2)
    field.battle.captives[1].body = field.battle.captives[1].body.moved_by(0, 20)
    field.run(escape)
    assert [captives.unit for captives in field.battle.captives] == ["b0"] and field.battle.held_by(field["a"]) == 2


@pytest.mark.rule("RSK-157", "RSK-158", "RSK-159")
def test_an_nco_taken_with_his_seven_men_needs_no_guard_of_his_own() -> None:
    field = lots(7, 1, guards=2, weapon="rifle")
    with field.script(("kill prisoners", 0)) as table:
        escape(table, field.battle)
        dispatch(table, field.battle)
    assert field.battle.held_by(field["a"]) == 8


@pytest.mark.rule("RSK-094", "RSK-157")
def test_two_men_guard_an_nco_and_his_seven_men_and_the_others_shoot() -> None:
    field = lots(7, 1, guards=5, weapon="rifle")
    field.battle.units["foe"] = troops("foe", "blue", (0, 0), at=row(8, 90))
    assert able(field) == 3


@pytest.mark.rule("RSK-157", "RSK-158")
@pytest.mark.parametrize(("gap", "left"), [(5.0, 5), (5.1, 0)])
def test_guards_stay_within_five_cm(gap: float, left: int) -> None:
    field = scene(troops("a", "red", (0, 0), at=[(50, 50)]), troops("b", "blue", (0, 0), at=[(50, 53)] * 5))
    with field.script() as table:
        take_prisoners(table, field.battle, field["b"], range(5), field["a"])
        field.battle.captives[0].body = field.battle.captives[0].body.moved_by(0, gap + 2.5 - 3)
        escape(table, field.battle)
    assert field.battle.held_by(field["a"]) == left


@pytest.mark.rule("RSK-143", "RSK-157")
def test_prisoners_come_over_to_their_captors_and_are_held() -> None:
    field = scene(troops("a", "red", (50, 50), 4), troops("b", "blue", (50, 80), 8))
    with field.script() as table:
        take_prisoners(table, field.battle, field["b"], range(8), field["a"])
        escape(table, field.battle)
    assert field.battle.field.gaps[field["a"].body, field.battle.captives[0].body].gap == pytest.approx(1.0)
    assert field.battle.held_by(field["a"]) == 8


@pytest.mark.rule("RSK-157", "RSK-159")
def test_men_in_contact_neither_guard_nor_kill() -> None:
    field = lots(6, guards=2)
    fists = [(x, 47.5) for x, _ in field["a"].body.at]
    field.battle.units["f"] = troops("f", "blue", (0, 0), at=fists)
    with field.script() as table:
        dispatch(table, field.battle)
        escape(table, field.battle)
    assert not field.battle.captives and field["b0"].dead == 0


@pytest.mark.rule("RSK-160", "RSK-159")
@pytest.mark.parametrize(("sizes", "guards", "dead", "killers"), [((4, 4), 3, [2, 4], 3), ((7, 1), 6, [7, 1], 4)])
def test_half_the_number_of_all_prisoners_kill_them(
    sizes: tuple[int, int], guards: int, dead: list[int], killers: int
) -> None:
    """Four no-quarter men must kill eight prisoners, even of several units; three kill six."""
    field = lots(*sizes, guards=guards, no_quarter=True)
    field.run(dispatch)
    assert ([field["b0"].dead, field["b1"].dead], field["a"].killers) == (dead, killers)


@pytest.mark.rule("RSK-161")
def test_only_the_captors_guard() -> None:
    """Captors have left their prisoners. Other enemies close by do not keep a friend from freeing them."""
    field = held(4, 4, troops("friend", "blue", (0, 0), at=[(50, 62)]), troops("other", "red", (0, 0), at=[(54, 60)]))
    field.battle.captives[0].body = field["friend"].body.moved_by(0, -2.5)
    field.battle.captives[0].hurt = (False,)
    field["a"].body = field["a"].body.moved_by(0, -40)
    field.run(free_prisoners)
    assert field["b"].count == 1


@pytest.mark.rule("RSK-161", "RSK-079")
def test_freed_men_are_placed_clear_of_bases() -> None:
    field = held(4, 4, troops("friend", "blue", (0, 0), at=[(50, 4)]), troops("other", "blue", (50, 0.5), 3))
    field.battle.captives[0].body = troops("there", "blue", (50, 0.5), 4).body
    field.run(free_prisoners)
    assert field["b"].count == 4
    assert all(field.battle.field.on_table(point) for point in field["b"].body.at)
    assert all(field.battle.gap(field["b"], field[name]).gap > 0 for name in ("friend", "other"))


@pytest.mark.rule("RSK-159")
@pytest.mark.parametrize("killers", [1, 2, 3])
def test_a_captor_may_kill_some_and_keep_the_others(killers: int) -> None:
    field = held(3)
    field.run(dispatch, script=[("kill prisoners", killers)])
    assert (field["b"].dead, field.battle.held_by(field["a"])) == (2 * killers, 8 - 2 * killers)
