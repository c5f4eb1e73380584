"""Prisoners: guarding, escape, killing, rescue (RSK-156 to RSK-161)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, scene, troops

from zareba_rulesets.risk_factor.paths import allowance
from zareba_rulesets.risk_factor.prisoners import dispatch, escape, must_kill, release, take_prisoners
from zareba_rulesets.risk_factor.weapons import missiles


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
    with field.script() as table:
        take_prisoners(table, field.battle, field["b"], range(prisoners), field["a"])
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
    fled["a"].body = fled["a"].body.shifted(100, 0)
    with fled.script() as table:
        escape(table, fled.battle)
    assert not fled.battle.captives


@pytest.mark.rule("RSK-157")
def test_guards_move_twenty_cm() -> None:
    assert allowance(held(4).battle, held(4)["a"], False) == 20


@pytest.mark.rule("RSK-159")
def test_each_idle_man_may_kill_two() -> None:
    field = held(4)
    with field.script(("kill prisoners", 4)) as table:
        dispatch(table, field.battle)
    assert not field.battle.captives and field["b"].dead == 8 and field["a"].killers == 4
    spared = held(4)
    with spared.script(("kill prisoners", 0)) as table:
        dispatch(table, spared.battle)
    assert spared.battle.held_by(spared["a"]) == 8
    busy = held(4, marks=["moved"])
    with busy.script() as table:
        dispatch(table, busy.battle)
    assert busy.battle.held_by(busy["a"]) == 8
    solo = held(4, solo=["red"])
    with solo.script() as table:
        dispatch(table, solo.battle)
    assert solo.battle.held_by(solo["a"]) == 8


@pytest.mark.rule("RSK-160")
def test_those_without_quarter_must_kill() -> None:
    assert [must_kill(6, 8), must_kill(3, 8), must_kill(6, 5)] == [4, 3, 3]
    field = held(6, no_quarter=True)
    with field.script() as table:
        dispatch(table, field.battle)
    assert not field.battle.captives and field["a"].killers == 4


@pytest.mark.rule("RSK-161")
@pytest.mark.setting("prisoners.rescue")
def test_a_friend_frees_prisoners_whom_nobody_guards() -> None:
    def rescued(**settings: Any) -> Scene:
        field = held(4, 4, troops("friend", "blue", (0, 0), at=[(50, 62)]), **settings)
        field["a"].body = field["a"].body.shifted(0, -40)
        field.battle.captives[0].body = field["friend"].body.shifted(0, -2.5)
        field.battle.captives[0].hurt = (False,)
        with field.script() as table:
            release(table, field.battle)
        return field

    free = rescued()
    assert (free["b"].count, free["b"].status, free.battle.captives) == (1, "steady", [])
    assert missiles(free.battle, free["b"]) == []
    assert rescued(prisoners_rescue=False)["b"].count == 0
    guarded = held(4, 4, troops("friend", "blue", (0, 0), at=[(50, 62)]))
    with guarded.script() as table:
        release(table, guarded.battle)
    assert guarded["b"].count == 0
