"""Lazily computed options equal those of a full listing."""

from __future__ import annotations

from itertools import cycle
from math import cos, radians, sin
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.fixed_baynet.plain import battle, field, rules_with, squad
from tests.rulesets.fixed_baynet.scenarios import shipped

from zareba.scenario import load_scenario
from zareba.space.geometry import joint_box
from zareba.table import Choose, Confirm, LazyOptions, Place, SeededTable
from zareba_rulesets.fixed_baynet.actions import actor, charging, firing
from zareba_rulesets.fixed_baynet.actions.unit_actions import legal_actions
from zareba_rulesets.fixed_baynet.chapters import aiming, fire
from zareba_rulesets.fixed_baynet.chapters.aiming import find_targets, target_figures
from zareba_rulesets.fixed_baynet.chapters.cavalry import Cavalcade
from zareba_rulesets.fixed_baynet.chapters.fire import HOLD, FireTargets
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.game import FbnGame

spots = st.tuples(st.floats(2, 58), st.floats(2, 46))


# --- legal actions --------------------------------------------------------------------------------------------------------


def looked_at(menu: LazyOptions[Any], order: Random) -> list[Any]:
    """Return the options found when they are read in another order."""
    places = list(range(menu.places))
    order.shuffle(places)
    found = {place: menu.at(place) for place in places}
    return [one for _, one in sorted(found.items()) if one is not None]


@pytest.mark.rule("FBN-016")
@pytest.mark.parametrize("name", ["river_ford", "hill_fort", "battle_of_the_wells"])
def test_kinds_of_act_are_open_in_whatever_order_they_are_judged(name: str) -> None:
    game = FbnGame(rules_with(), load_scenario(name))
    state, random = game.start(), Random(name)
    asked: set[str] = set()

    def answer(question: Any, now: Battle) -> Any:
        if isinstance(question, Confirm):
            return True
        offered = question.suggestions if isinstance(question, Place) else question.options
        if question.why == "act":
            listed = tuple(legal_actions(now, now.units[question.actor]).kinds)
            kinds = legal_actions(now, now.units[question.actor]).kinds
            assert kinds.are_several() is (len(listed) > 1)
            assert looked_at(kinds, random) == list(listed) == list(kinds)
            drawn = legal_actions(now, now.units[question.actor]).kinds
            assert drawn.any(random.random) in listed
            assert [kind in drawn for kind in listed] == [True] * len(listed) and "parley" not in drawn
        if isinstance(question, Choose) and isinstance(offered, LazyOptions):
            asked.add(question.why)
            assert offered.are_several() and len(offered) == len(set(offered)) > 1
        return random.choice(offered)

    table = SeededTable(game.rules, state, 3, dict.fromkeys(game.seats, answer))
    for _ in range(300):
        step = game.play.next_step(state)
        if step is None:
            break
        table.begin(step)
        game.play.perform(table, state, step)
    assert {"act", "what he does", "aim at"} <= asked


def test_nobody_takes_aim_for_a_commander_who_wants_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    red = squad("red", "red", 6, (50, 20), leader="officer")
    state = battle(red, squad("blue", "blue", 4, (50, 34), facing=180.0))

    def nobody(*_: Any) -> Any:
        raise AssertionError("nobody asked for that")

    for module, name in (
        (actor, "firers"),
        (actor, "known_target"),
        (firing, "fire_targets"),
        (charging, "charge_targets"),
        (charging, "may_fight"),
    ):
        monkeypatch.setattr(module, name, nobody)
    kinds = legal_actions(state, red).kinds
    assert kinds.are_several() and "end" in kinds and "move" in kinds
    with pytest.raises(AssertionError, match="nobody asked"):
        tuple(kinds)


def test_a_kind_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    red = squad("red", "red", 6, (50, 20))
    state = battle(red, squad("blue", "blue", 4, (50, 34), facing=180.0))
    counted: list[str] = []
    plain = aiming.known_target

    def known_target(battle: Battle, unit: Unit, ready: Any) -> str:
        counted.append(unit.spec.id)
        return plain(battle, unit, ready)

    monkeypatch.setattr(actor, "known_target", known_target)
    kinds = legal_actions(state, red).kinds
    assert "fire" in kinds and tuple(kinds) == tuple(kinds) and counted == ["red"]


# --- aim of one man -------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(spots, spots, spots, st.sampled_from((True, "nearest")), st.booleans())
@pytest.mark.rule("FBN-093")
@pytest.mark.setting("leaders_targetable")
def test_a_man_may_aim_at_whom_he_reaches_and_sees(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], whom: Any, mounted: bool
) -> None:
    red = squad("red", "red", 1, a, mounted=mounted, rides=mounted)
    units = red, squad("blue", "blue", 4, b, facing=180.0), squad("more", "blue", 3, c, facing=180.0)
    state = battle(*units, on=shipped("hill_fort").plan.field, leaders_targetable=whom)
    (figure,) = red.figures.values()
    expected: list[str] = []
    for foe in units[1:]:
        men = target_figures(state, "red", foe)
        view = state.field.view(joint_box(red.box, foe.box))
        seen = find_targets(state, red, figure, men, view, only_nearest=False)
        expected += [aim.man.spec.id for aim in (seen if whom is True else seen[:1])]
    aims = FireTargets(state, red, figure)
    assert aims.any_man() is aims.are_several() is bool(expected)
    if whom is True:
        assert list(aims) == [*expected, HOLD]
    else:
        assert set(expected) <= set(aims) and len(aims) >= 1
    drawn = FireTargets(state, red, figure)
    assert {drawn.any(cycle([number / 20, 0.4]).__next__) for number in range(20)} <= set(aims)


def test_whoever_holds_his_fire_has_looked_for_one_man_only(monkeypatch: pytest.MonkeyPatch) -> None:
    red = squad("red", "red", 1, (50, 20))
    state = battle(red, *[squad(f"blue{i}", "blue", 4, (40.0 + 10 * i, 34), facing=180.0) for i in range(3)])
    looked: list[str] = []
    plain = aiming.may_aim

    def may_aim(battle: Battle, unit: Unit, figure: Any, man: Any, view: Any) -> bool:
        looked.append(man.spec.id)
        return plain(battle, unit, figure, man, view)

    monkeypatch.setattr(fire, "may_aim", may_aim)
    aims = FireTargets(state, red, red.figures["red/1"])
    assert aims.any_man() and aims.are_several() and aims.at(aims.places - 1) == HOLD and len(looked) == 1
    assert len(aims) == 13 and len(looked) == 12


# --- ground and space -----------------------------------------------------------------------------------------------------


@settings(max_examples=120, deadline=None)
@given(
    spots,
    st.sampled_from((1, 2, 3)),
    st.integers(0, 3),
    st.integers(0, 7),
    st.lists(st.tuples(st.integers(0, 359), st.floats(0.5, 36)), min_size=1, max_size=6),
    st.sampled_from(("river_ford", "hill_fort", "mission_station")),
)
@pytest.mark.rule("FBN-182", "FBN-175")
def test_riders_alike_are_judged_together_as_one_by_one(
    at: tuple[float, float], gait: int, last: int, facing: int, ways: list[tuple[int, float]], name: str
) -> None:
    red = squad("red", "red", 5, at, facing=45.0 * facing, mounted=True, rides=True)
    state = battle(red, on=shipped(name).plan.field)
    men = list(red.figures.values())
    for man in men:
        man.last_gait = last
    together, alone = (Cavalcade(state, red, men, gait, 36.0) for _ in range(2))
    assert together.alike
    alone.alike = False
    for way, inches in ways:
        dx, dy = inches * sin(radians(way)), inches * cos(radians(way))
        assert (together.refused(dx, dy) is None) is (alone.refused(dx, dy) is None)


def test_riders_who_look_different_ways_turn_each_for_himself() -> None:
    red = squad("red", "red", 2, (50, 50), mounted=True, rides=True)
    state = battle(red, on=field(("soft_ground", [(0, 60), (100, 60), (100, 70), (0, 70)])))
    men = list(red.figures.values())
    assert Cavalcade(state, red, men, 1).alike
    men[1].facing = 180.0
    assert not Cavalcade(state, red, men, 1).alike
