"""Set-up, the defender first, and units that arrive during the game."""

from __future__ import annotations

from dataclasses import replace
from math import dist

import pytest
from tests.rulesets.paychest.stage import Scene, Script, bare_unit, cleared, game, red, row, rules_with, scene
from tests.systems import each_battle

from zareba.scenario import shipped_scenarios
from zareba.session import Session
from zareba.space.field.bodies import Base, overlaps_any
from zareba.space.geometry import is_inside
from zareba_rulesets.paychest.chapters.machines import crew_at
from zareba_rulesets.paychest.chapters.setting_up import arrivals, place_next, set_down
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.sequence import Sequence


@pytest.mark.rule("PAY-048", "PAY-007")
def test_units_form_up_close_together_and_on_no_other_base() -> None:
    battle = game("mission_station").start()
    spots = [(f.at, battle.radius(f)) for unit in battle.units.values() for f in unit.able if f.at]
    for number, (spot, radius) in enumerate(spots):
        assert not overlaps_any(spot, radius, [Base(x, y, r) for (x, y), r in spots[:number]])
    for unit in battle.units.values():
        for figure in unit.able if len(unit.able) > 1 else ():
            near = [o for o in unit.able if o is not figure and o.at and figure.at]
            assert (
                min(abs(o.at[0] - figure.at[0]) + abs(o.at[1] - figure.at[1]) for o in near if o.at and figure.at) <= 6
            )


@pytest.mark.rule("PAY-048")
def test_the_defender_sets_up_first() -> None:
    both = 0
    for name in shipped_scenarios():
        played = game(name)
        waiting = played.start().waiting
        roles = [played.scenario.sides[played.plan.units[unit].side].role for unit in waiting]
        assert roles == sorted(roles, key=("defender", "either", "attacker").index), name
        both += {"defender", "attacker"} <= set(roles)
    assert both


@pytest.mark.rule("PAY-048")
@pytest.mark.parametrize("name", each_battle("patrol_clash", "hill_fort"))
def test_unit_set_up_in_a_zone_is_inside_it_with_its_gun(name: str) -> None:
    played = game(name)
    set_up = Scene(rules_with(), played.start())
    battle = set_up.battle
    while battle.waiting:
        unit_id = battle.waiting[0]
        zone = played.plan.zones[unit_id]
        corners = [played.plan.placed[unit_id], *zone]
        column = "mounted" if any(f.mount for f in set_up.unit(unit_id).figures.values()) else "foot"
        corner = next(at for at in reversed(corners) if battle.field.move_costs[column].can_stand(at))
        set_up.play(place_next, battle, played.plan, script=[("set up at", corner)])
        spots = [figure.at for figure in set_up.unit(unit_id).able]
        spots += [engine.at for engine in battle.engines.values() if engine.unit == unit_id]
        assert all(at is not None and is_inside(at, zone) for at in spots), unit_id
        assert all(len(crew_at(battle, battle.engines[gun])) >= 2 for gun in battle.guns_of(set_up.unit(unit_id)))


@pytest.mark.rule("PAY-065")
def test_units_arrive_at_their_edge_when_due_and_the_die_allows() -> None:
    played = game("paychest_raid")
    battle = played.start()
    scene_of = Scene(rules_with(), battle)
    scene_of.play(arrivals, battle, played.plan)
    assert battle.unit("goum").able == []
    battle.turn = 6
    scene_of.play(arrivals, battle, played.plan, script=[("arrival", [3])])
    assert "goum" in battle.arrivals
    scene_of.play(arrivals, battle, played.plan, script=[("arrival", [4]), ("arrive at", (30.0, 0.0))])
    assert len(battle.unit("goum").able) == played.scenario.units["goum"].figures > 0 and "goum" not in battle.arrivals
    assert min(f.at[1] for f in battle.unit("goum").able if f.at) <= 1.5


@pytest.mark.rule("PAY-048", "PAY-086")
def test_figures_set_up_in_hard_cover_may_start_down() -> None:
    played = game("patrol_clash")
    behind = bare_unit("red", "red", [(20.0, 13.5), (21.2, 13.5)])
    wall = {"wall": ("low_wall", [(10.0, 14.0), (40.0, 14.0)])}
    place = scene(behind, bare_unit("blue", "blue", [(20.0, 30.0)]), lines=wall)
    place.battle.stage, place.battle.acting = "setup", ""
    sequence = Sequence(played.policy, played.scenario, played.plan)
    script: list[Script] = [("posture", "man by man"), ("posture", "down"), ("posture", "up")]
    place.play(sequence.setup_place, place.battle, script=script)
    assert ["down" in figure.marks for figure in behind.able] == [True, False]
    assert place.battle.stage == "start"


def test_set_down_puts_crews_to_their_guns() -> None:
    gun = {"gun": Engine("gun", "gun", "red", "red", None)}
    place = scene(bare_unit("red", "red", row(3)), engines=gun)
    set_down(place.battle, place.unit("red"), (30.0, 20.0), (0.0, 1.0))
    assert len(crew_at(place.battle, place.battle.engines["gun"])) == 3


@pytest.mark.rule("PAY-048")
def test_units_still_to_be_set_up_are_not_lost() -> None:
    played = game("patrol_clash")
    session = Session(played, dict.fromkeys(played.seats, "human"), 5)
    session.drive()
    assert session.score().strength == {"patrol": 1.0, "tribesmen": 1.0}


@pytest.mark.rule("PAY-048", "PAY-065")
def test_the_log_tells_where_a_unit_has_come_to_stand() -> None:
    played = game("paychest_raid")
    place = Scene(rules_with(), played.start())
    battle = place.battle
    while battle.waiting:
        name = battle.waiting[0]
        place.play(place_next, battle, played.plan, script=[("set up at", played.plan.placed[name])])
        told = place.told("set up")[0]
        assert told["at"] == [pytest.approx(x, abs=0.01) for x in battle.unit(name).positions.middle], name
    assert battle.unit("caid").positions.middle != played.plan.placed["caid"]  # the horsemen are already there
    battle.turn = 6
    other = bare_unit("red", "legion", row(12, x=24.0, y=1.0))
    battle.units["red"] = other
    place.play(arrivals, battle, played.plan, script=[("arrival", [4]), ("arrive at", (30.0, 0.0))])
    came = place.told("arrived")[0]["at"]
    assert came[1] == 0.0 and came[0] == pytest.approx(battle.unit("goum").positions.middle[0], abs=1.0)
    assert abs(came[0] - 30.0) > 2.0


@pytest.mark.rule("PAY-007", "PAY-065")
@pytest.mark.parametrize("edge", ["north", "south", "east", "west"])
@pytest.mark.parametrize(("kind", "mount", "reach"), [("wagon", "", 1.5), ("flyer", "", 1.5), ("gun", "carriage", 1.0)])
def test_arriving_units_touch_their_edge_and_stay_on_the_table(kind: str, mount: str, reach: float, edge: str) -> None:
    played = game("paychest_raid")
    battle = played.start()
    crew = tuple(f"goum.{n}" for n in range(1, 5))
    unit = battle.change("goum")
    for figure in unit.figures.values():
        figure.mount = ""
    aboard = crew if kind != "gun" else ()
    battle.engines["cart"] = Engine(kind, "cart", "legion", "goum", None, mount, aboard=aboard)
    width, depth = battle.field.table.extent
    entry = {"north": (3.0, depth), "south": (3.0, 0.0), "east": (width, 3.0), "west": (0.0, 3.0)}[edge]
    arrival = played.plan.arrivals["goum"].model_copy(update={"edge": edge})
    plan = replace(played.plan, arrivals={"goum": arrival}, entries={"goum": entry})
    battle.turn = 6
    place = Scene(rules_with(), battle)
    place.play(arrivals, battle, plan, script=[("arrival", [6]), ("arrive at", entry)])
    at = battle.engines["cart"].at
    assert at is not None
    over = min(at[0], at[1], width - at[0], depth - at[1])
    assert over >= reach - 1e-6
    assert battle.field.table.distance_to_edge(at, edge) == pytest.approx(reach)
    for figure in battle.unit("goum").able:
        if not figure.aboard and figure.at:
            x, y = figure.at
            assert min(x, y, width - x, depth - y) >= battle.radius(figure) - 1e-6, figure.spec.id


@pytest.mark.rule("PAY-048")
def test_a_unit_that_the_scenario_sets_down_stands_there_from_the_start() -> None:
    played = game("mission_station")
    battle = played.start()
    posted = {name: unit for name, unit in played.scenario.units.items() if unit.position and name in battle.units}
    assert posted and not set(posted) & set(battle.waiting)
    for name, unit in posted.items():
        assert unit.position is not None and dist(battle.unit(name).positions.middle, unit.position) < 6.0, name


@pytest.mark.rule("PAY-048", "PAY-080")
def test_a_wagon_with_all_its_men_aboard_is_on_the_table_when_it_is_set_down() -> None:
    wagon = {"cart": Engine("wagon", "the cart", "red", "red", None, aboard=("red.1",))}
    place = scene(red(1), engines=wagon)
    unit = place.unit("red")
    unit.figures["red.1"].at = None
    unit.measure()
    set_down(place.battle, unit, (30.0, 20.0), (30.0, 40.0))
    assert unit.able == [unit.figures["red.1"]] and unit.box == (30.0, 20.0, 30.0, 20.0)


@pytest.mark.rule("PAY-048")
def test_a_unit_set_up_on_a_bank_does_not_stand_on_both() -> None:
    lake = {"lake": ("deep_water", [(12.0, 0.0), (28.0, 0.0), (28.0, 48.0), (12.0, 48.0)])}
    place = scene(red(6), areas=lake)
    set_down(place.battle, place.unit("red"), (20.0, 20.0), (0.0, 1.0))
    assert len({figure.at[0] < 20.0 for figure in place.unit("red").able if figure.at}) == 1


@pytest.mark.rule("PAY-065")
def test_units_come_on_in_their_turn_near_where_the_scenario_says() -> None:
    for turn, script in ((5, []), (6, [("arrival", [4]), ("arrive at", (30.0, 0.0))])):
        played, place = cleared("paychest_raid")
        place.battle.turn = turn
        place.play(arrivals, place.battle, played.plan, script=script)
        assert bool(place.unit("goum").able) is bool(script)
    entry = played.plan.entries["goum"]
    edge = played.scenario.units["goum"].arrival
    assert edge is not None and edge.edge == "south"
    far = (entry[0] + 12.1 if entry[0] < 30 else entry[0] - 12.1, 0.0)
    for wrong, words in (((entry[0], 1.0), "south edge"), (far, "more than 12 inches")):
        late, other = cleared("paychest_raid")
        other.battle.turn = 6
        with pytest.raises(AssertionError, match=words):
            other.play(arrivals, other.battle, late.plan, script=[("arrival", [4]), ("arrive at", wrong)])


@pytest.mark.rule("PAY-048", "PAY-084", "PAY-007")
def test_a_unit_with_a_cart_and_a_chest_is_set_down_whole() -> None:
    cart = {"cart": Engine("wagon", "cart", "red", "red", None, mount="", aboard=("red.1", "red.2"))}
    chest = {"chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.3")}
    place = scene(red(3), engines=cart, things=chest)
    place.figure("red.3").loads = ("chest",)
    set_down(place.battle, place.unit("red"), (30.0, 20.0), (0.0, 1.0))
    assert place.battle.engines["cart"].at == place.figure("red.1").at == place.figure("red.2").at == (30.0, 20.0)
    assert place.figure("red.1").aboard == "cart" and place.figure("red.3").aboard == ""
    assert [figure.appearances for figure in place.unit("red").able] == [2, 2, 2]
