"""Night, fog and flares (chapter 20)."""

from __future__ import annotations

from math import dist

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, box, field, man, run, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import PLACED, game

from zareba.space.field.pieces import TerrainPiece
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.fire import shot_facts
from zareba_rulesets.fixed_baynet.chapters.melee import charge_targets
from zareba_rulesets.fixed_baynet.chapters.movement import movers, resolve_move, way_refused
from zareba_rulesets.fixed_baynet.chapters.night import notice_terrain
from zareba_rulesets.fixed_baynet.chapters.sight import is_lit, visibility
from zareba_rulesets.fixed_baynet.chapters.targets import fire_targets
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Flare, open_ground
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def by_night(gap: float, fog: bool = False) -> tuple[Battle, Unit, Unit]:
    red, blue = squad("red", "red", 1, (50, 20)), squad("blue", "blue", 1, (50, 21 + gap), facing=180.0)
    state = battle(red, blue)
    state.night, state.fog = True, fog
    return state, red, blue


@pytest.mark.rule("FBN-234", "FBN-235")
def test_visibility_at_night() -> None:
    for gap, fog, seen in ((12, False, 1), (12.1, False, 0), (6, True, 1), (6.1, True, 0)):
        state, red, _ = by_night(gap, fog)
        assert len(list(fire_targets(state, red))) == seen
    state, red, _ = by_night(8, fog=True)
    assert list(charge_targets(state, red)) == []
    state.night = False
    assert visibility(state) > 100


@pytest.mark.rule("FBN-234")
@pytest.mark.setting("night")
@pytest.mark.setting("fog")
def test_night_and_fog_come_from_the_scenario_or_the_settings() -> None:
    for night, fog in ((False, False), (True, True)):
        state = game(PLACED, {"night": night, "fog": fog}).start()
        assert (state.night, state.fog) == (night, fog)
    assert game(PLACED, night=True).start().night


@pytest.mark.rule("FBN-235", "FBN-037")
def test_battery_is_called_only_within_sight_at_night() -> None:
    for gap, night, heard in ((40, False, True), (11, True, True), (13, True, False)):
        gun = Gun("light_howitzer", 50.0, 10.0, 0.0, 0.0, 2)
        guns = bare_unit("guns", "red", [man("guns/1", "red", 50, 10, role="crew")], guns=[gun], kind="battery")
        caller = squad("red", "red", 1, (50, 10 + gap))
        state = battle(guns, caller)
        state.night = night
        assert (("barrage", "red/1", "guns") in acts(state, caller)) is heard


@pytest.mark.rule("FBN-236", "FBN-238", "FBN-002")
def test_a_flare_brings_back_the_day_for_those_in_its_light() -> None:
    state, red, blue = by_night(18)
    state.flares = [Flare(50, 40, 2)]
    assert is_lit(state, (50, 43)) and not is_lit(state, (50, 43.1))
    assert len(list(fire_targets(state, red))) == 1
    facts = shot_facts(state, red.figures["red/1"], blue, blue.figures["blue/1"], OPEN_WINDOW, "long")
    assert not facts.dark
    state.flares = []
    assert shot_facts(state, red.figures["red/1"], blue, blue.figures["blue/1"], OPEN_WINDOW, "long").dark


@pytest.mark.rule("FBN-238")
def test_a_leader_with_flares_lights_a_circle() -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 50, 20, role="officer")])
    red.figures["red/1"].flares = 1
    state = battle(red)
    assert ("flare", "red/1") in acts(state, red)
    with pytest.raises(AssertionError, match="FBN-238"), scripted(state, ("flare over", (50.0, 50.0))) as table:
        perform_action(table, state, red, ("flare", "red/1"))
    with scripted(state, ("flare over", (50.0, 40.0))) as table:
        perform_action(table, state, red, ("flare", "red/1"))
    assert (state.flares[0].until, red.figures["red/1"].ac, red.figures["red/1"].flares) == (2, 2, 0)


@pytest.mark.rule("FBN-239")
def test_two_inches_from_a_ditch_and_not_in_it() -> None:
    ditch = field(("trench", list(box(52, 0, 54, 100))))
    for x, end, asked in ((50.0, 50.0, True), (49.95, 49.95, False), (51.0, 53.0, False)):
        unit = bare_unit("red", "red", [man("red/1", "red", end, 25)])
        state = battle(unit, on=ditch)
        run(notice_terrain, state, unit, unit.figures["red/1"], (x, 20.0), script=[("notice", [6])] * asked)


@pytest.mark.rule("FBN-239")
def test_only_men_on_foot_stumble_at_night() -> None:
    ditch = field(("trench", list(box(52, 0, 54, 100))))
    for mounted, fallen in ((False, True), (True, False)):
        unit = bare_unit("red", "red", [man("red/1", "red", 50.5, 25, mounted=mounted)])
        state = battle(unit, on=ditch)
        state.night = True
        script = [] if mounted else [("notice", [1])]
        run(resolve_move, state, unit, list(unit.figures.values()), [(50.5, 20.0)], script=script)
        assert unit.figures["red/1"].prone is fallen


@pytest.mark.rule("FBN-239", "FBN-075")
def test_man_who_stumbles_at_a_crag_lies_in_front_of_it() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50.5, 25)])
    state = battle(unit, on=field(("crag", list(box(52, 0, 54, 100)))))
    figure = unit.figures["red/1"]
    run(notice_terrain, state, unit, figure, (50.5, 20.0), script=[("notice", [1])])
    assert figure.prone and open_ground(state, *figure.at) and 51.5 < figure.x < 52
    assert way_refused(state, figure, (figure.x - 1, figure.y)) is None
    figure.marks, start = frozenset({"prone"}), figure.at
    state.put(figure, start[0] - 0.5, start[1] + 2)
    with scripted(state) as table:  # he has found the obstacle he lies behind
        notice_terrain(table, state, unit, figure, start)


@pytest.mark.rule("FBN-239")
def test_man_who_does_not_notice_terrain_falls_into_it() -> None:
    ditch = field(("trench", list(box(52, 0, 54, 100))))
    for die, x, fallen in ((4, 50.5, False), (3, 50.5, True), (None, 49.5, False)):
        red = bare_unit("red", "red", [man("red/1", "red", x, 25)])
        state = battle(red, on=ditch)
        figure = red.figures["red/1"]
        script = [] if die is None else [("notice", [die])]
        with scripted(state, *script) as table:
            notice_terrain(table, state, red, figure, (x, 20.0))
            notice_terrain(table, state, red, figure, (x, 20.0))
        assert figure.prone is fallen and ditch.pieces[0].holds(figure.at) is fallen
        assert figure.gl == 4
        assert (movers(state, red) == []) is fallen


@pytest.mark.rule("FBN-239")
def test_man_stumbles_at_the_first_terrain_on_his_path() -> None:
    """Two ditches lie on a man's path, far behind its end. The first one he passes is checked first."""
    ditches = [("shallow_river", list(box(x, y, x + 1, y + 1))) for x, y in ((51, 31), (52, 22))]
    for dice, spot, told in (([1], (52.05, 22.5), "1"), ([6, 1], (51.05, 31.5), "0")):
        red = squad("red", "red", 1, (50, 34))
        state = battle(red, on=field(*ditches))
        state.night = True
        with scripted(state, *[("notice", [die]) for die in dice]) as table:
            notice_terrain(table, state, red, red.figures["red/1"], (50.0, 20.0))
            (event,) = [event for event in table.events if event.kind == "stumbled"]
        assert dist(red.figures["red/1"].at, spot) < 0.6 and event.data["terrain"].endswith(told)


@pytest.mark.rule("FBN-239")
def test_a_ditch_of_several_legs_is_noticed_once_or_walked_into() -> None:
    """The first leg runs north along x = 52 to 54; the second turns west from its end."""
    made = field()
    row = made.book.terrain["gully"]
    legs = [TerrainPiece.area("khor", row, box(52, 0, 54, 30)), TerrainPiece.area("khor.1", row, box(40, 30, 54, 32))]
    ditch = Field(made.book, 100.0, 100.0, tuple(legs), deployment=made.deployment)
    for start, end, dice in (
        ((50.5, 24.0), (50.5, 29.0), 1),
        ((50.5, 29.0), (50.5, 31.0), 0),
        ((50.5, 20.0), (50.5, 25.0), 1),
    ):
        red = bare_unit("red", "red", [man("red/1", "red", *end)])
        state = battle(red, on=ditch)
        with scripted(state, *[("notice", [3])] * dice) as table:
            notice_terrain(table, state, red, red.figures["red/1"], start)
            told = [event.data["terrain"] for event in table.events if event.kind == "stumbled"]
        assert told == ["khor"] * dice
        if end == (50.5, 29.0):
            assert red.figures["red/1"].at == pytest.approx((50.5, 30.05)), "into the nearest leg"
