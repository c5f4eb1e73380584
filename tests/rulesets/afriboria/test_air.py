"""Chapters 17 and 18: aircraft and airships."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import ordered, run

from zareba.odds import odds
from zareba.registry import load_rules
from zareba.table import Choose
from zareba_rulesets.afriboria.chapters.air import (
    air_targets,
    anti_air_targets,
    count_down_fuel,
    crash_overdue_aircraft,
    distance_from_base,
    fight_from_air,
    fire_at_flier,
    fire_at_parked,
    flight_options,
    fly,
    may_land,
    parked_targets,
)
from zareba_rulesets.afriboria.chapters.breakthrough import may_break_through
from zareba_rulesets.afriboria.chapters.engagement import all_targets, engage, fighters
from zareba_rulesets.afriboria.chapters.movement import unit_options
from zareba_rulesets.afriboria.chapters.orders import order_options
from zareba_rulesets.afriboria.chapters.retreat import retreat_hexes
from zareba_rulesets.afriboria.forces.battle import Plan
from zareba_rulesets.afriboria.forces.pieces import OFF, Flier, FlierSpec, ScenarioObject
from zareba_rulesets.afriboria.odds.battles import AirAttackOdds, AntiAirOdds
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.presentation.words import flier_line

NORTH: Any = {"red": "north", "blue": "south"}


def flier(
    name: str, side: str, cell: int, kind: str = "aircraft", airborne: bool = True, strength: int = 6, **more: Any
) -> Flier:
    bombs = 1 if kind == "aircraft" else 3
    return Flier(cell, airborne, strength, fuel=6, bombs=bombs, spec=FlierSpec(name, name.title(), side, kind, **more))


def acts(battle: Any, name: str, verb: str) -> set[int]:
    return {act[1] for act in flight_options(battle, battle.fliers[name]) if act[0] == verb}


@pytest.mark.rule("AFR-260", "AFR-282", "AFR-283")
def test_landing_hexes_of_fliers(book: Any, at: Any) -> None:
    terrain = {at(4, 5): ["orchard"], at(5, 4): ["hill"]}
    plane, ship = flier("plane", "red", at(4, 4)), flier("ship", "red", at(4, 4), "airship")
    foe = unit_of(book(), "foe", "blue", "inf_c", at(3, 4))
    battle = bare_battle(book(), [foe], fliers=[plane, ship], terrain=terrain, bases={"red": (at(4, 4),)})
    free = {at(4, 4), *battle.field.neighbours[at(4, 4)]}
    for cell in range(99):
        assert may_land(battle, plane, cell) is (cell in free - {at(4, 5), at(5, 4), at(3, 4)})
        assert may_land(battle, ship, cell) is (cell not in {at(5, 4), at(3, 4)})
    battle.field.trucks = {"red": ("truck",)}
    battle.carried_objects["truck"] = ScenarioObject(at(0, 10))
    assert may_land(battle, plane, at(1, 10))
    foe.hex, battle.carried_objects["truck"] = OFF, ScenarioObject(OFF, "foe")
    assert not any(may_land(battle, plane, cell) for cell in range(99) if cell not in free), "still to come"


@pytest.mark.rule("AFR-261", "AFR-265", "AFR-266", "AFR-267", "AFR-286")
def test_flights(book: Any, at: Any) -> None:
    plane, ship = flier("plane", "red", at(4, 4)), flier("ship", "red", at(4, 4), "airship")
    foes = [unit_of(book(), f"f{n}", "blue", "inf_c", cell) for n, cell in enumerate((at(4, 5), at(3, 5)))]
    battle = bare_battle(book(), foes, fliers=[plane, ship])
    assert max(battle.field.distance[at(4, 4)][c] for c in acts(battle, "plane", "fly")) == 6
    assert max(battle.field.distance[at(4, 4)][c] for c in acts(battle, "ship", "fly")) == 4
    plane.mark("ordered")
    run(fly, battle, plane, script=[("fly", ("fly", at(4, 10)))])
    assert air_targets(battle, plane) == [], "6 hexes without action"
    run(fly, battle, ship, script=[("fly", ("fly", at(4, 6)))])
    assert air_targets(battle, ship)
    run(fly, battle, plane, script=[("fly", "circle")])
    assert plane.hex == at(4, 10)


@pytest.mark.rule("AFR-262")
def test_a_commander_with_sense_brings_his_aircraft_home_in_time(game: Any) -> None:
    """At fuel 2 the turn after next is the last. The AI flies towards a landing place, not after the enemy."""
    started = game()
    battle = started.start()
    side = started.seats[0]
    plane = flier("plane", side, 0)
    battle.fliers["plane"] = plane
    battle.field.bases = {side: (base := 0,)}
    away = battle.field.distance[base]
    plane.hex = max(range(battle.field.grid.size), key=lambda cell: (away[cell] <= 8, away[cell]))
    assert away[plane.hex] > 3
    options = tuple(flight_options(battle, plane))
    asked = Choose("fly", "AFR-265", "plane", side, options, ())
    plane.fuel = 2
    worths = started.advisor.evaluate(battle, asked)
    best = max(zip(options, worths, strict=True), key=lambda pair: pair[1].steadies + pair[1].inflicts)[0]
    assert away[best[1]] <= 3


@pytest.mark.rule("AFR-262", "AFR-264")
def test_a_commander_with_sense_has_an_order_left_for_an_aircraft_that_is_about_to_crash(game: Any) -> None:
    """The AI orders such an aircraft before a fight at close quarters, and values cards that can order it more. With
    fuel left the fight comes first.
    """
    started = game()
    battle = started.start()
    side, enemy = started.seats
    battle.move(next(unit for unit in battle.units.values() if unit.spec.side == side), 20)
    battle.move(next(unit for unit in battle.units.values() if unit.spec.side == enemy), 21)
    fighter = battle.units[battle.here[20][0]]
    plane = flier("plane", side, 0)
    battle.fliers["plane"] = plane
    fight, flight = ("unit", fighter.spec.id), ("flier", "plane")
    orders = Choose("order", "AFR-062", side, side, (fight, flight), ())
    cards = Choose("play", "AFR-059", side, side, ("red_2", "sp_cold_steel"), ())

    def worth(question: Choose, fuel: int) -> list[float]:
        plane.fuel = fuel
        return [evaluation.inflicts for evaluation in started.advisor.evaluate(battle, question)]

    assert worth(orders, 5)[0] > worth(orders, 5)[1]
    assert worth(orders, 2)[0] < worth(orders, 2)[1]
    assert worth(cards, 2)[0] > worth(cards, 5)[0]
    assert worth(cards, 2)[1] == worth(cards, 5)[1]


@pytest.mark.rule("AFR-262", "AFR-263", "AFR-264", "AFR-284")
def test_seven_turns_in_the_air(book: Any, at: Any, scripted: Any) -> None:
    plane, ship = flier("plane", "red", at(4, 4), airborne=False), flier("ship", "blue", at(8, 8), "airship")
    battle = bare_battle(book(), fliers=[plane, ship], bases={"red": (at(4, 4),)})
    assert [distance_from_base(battle, side, at(4, 6)) for side in ("red", "blue")] == [2, 0], "blue has no base"
    plane.fuel = 1
    run(fly, battle, plane, script=[("fly", ("take off", at(4, 6)))])
    assert plane.airborne and plane.fuel == 6 and "acted" in plane.marks
    for turn in range(2, 8):
        battle.turn, battle.active = turn, "red" if turn % 2 else "blue"
        plane.marks = frozenset()
        count_down_fuel(battle)
        if turn < 7:
            run(crash_overdue_aircraft, battle)
    assert plane.fuel == 1 and "land" in plane.marks and plane.airborne
    landed = battle.copy()
    grounded = landed.fliers["plane"]
    with scripted(landed, [("fly", ("land", at(4, 5)))]) as table:
        fly(table, landed, grounded)
        crash_overdue_aircraft(table, landed)
    assert grounded.hex == at(4, 5) and acts(landed, "plane", "take off") == set()
    landed.turn = 9
    assert at(4, 6) in acts(landed, "plane", "take off")
    with scripted(battle, []) as table:
        battle.active = "blue"
        crash_overdue_aircraft(table, battle)
        assert battle.gone == {}, "it has until the end of its owner's turn"
        battle.active = "red"
        crash_overdue_aircraft(table, battle)
    assert battle.gone == {"plane": "crashed"} and battle.sides["blue"].points == 1
    assert ship.airborne


@pytest.mark.rule("AFR-260")
def test_taking_off_needs_a_free_open_hex_of_the_base(book: Any, at: Any) -> None:
    def may(base: int, ground: Any = (), **more: Any) -> bool:
        plane = flier("plane", "red", at(4, 4), airborne=False)
        battle = bare_battle(book(), fliers=[plane], bases={"red": (base,)}, terrain={at(4, 4): list(ground)}, **more)
        return bool(acts(battle, "plane", "take off"))

    assert may(at(4, 4)) and may(at(4, 5)) and not may(at(4, 6)), "inside the zone of its base"
    assert not may(at(4, 4), ["field"])
    assert not may(at(4, 4), units=[unit_of(book(), "us", "red", "inf_a", at(4, 4))])


@pytest.mark.rule("AFR-260")
def test_without_an_airfield_aircraft_have_one_where_they_start(game: Any) -> None:
    plane = "{name: Plane, side: red, arm: aircraft, kind: european_regular, figures: 1, armament: [bombs], position: [20, 5]}"
    foot = "foot: {name: Foot, side: blue, arm: infantry, kind: tribal, figures: 8}, men: {name: Men, side: red, arm: infantry, kind: tribal, figures: 8}"
    field = "strip: {name: Strip, kind: airfield, side: red, position: [40, 5]}"
    bare, laid_out = (game(units=f"a: {plane}, {foot}", objects=objects).plan for objects in ("", field))
    assert bare.field.bases["red"] == (bare.placed["a"],) and not bare.field.bases["blue"]
    assert laid_out.field.bases["red"] != (laid_out.placed["a"],)


@pytest.mark.rule("AFR-264", "AFR-285")
def test_planes_have_colours_only_when_there_are_several(game: Any) -> None:
    plane = "{name: Plane, side: red, arm: aircraft, kind: european_regular, figures: 1, armament: [machine_gun, bombs], position: [20, 5]}"
    foot = "foot: {name: Foot, side: blue, arm: infantry, kind: tribal, figures: 8}, men: {name: Men, side: red, arm: infantry, kind: tribal, figures: 8}"
    one = game(units=f"a: {plane}, {foot}").plan.fliers
    two = game(units=f"a: {plane}, b: {plane}, {foot}").plan.fliers
    assert [one["a"].colour] == [""] and [two[n].colour for n in "ab"] == ["red", "blue"]
    assert one["a"].bombs and one["a"].gun


@pytest.mark.rule("AFR-269", "AFR-270", "AFR-271", "AFR-287", "AFR-288", "AFR-294", "AFR-168")
def test_gun_and_bombs(rules: Any, at: Any, scripted: Any) -> None:
    them = [
        unit_of(rules, n, "blue", "inf_c", cell, missile=False)
        for n, cell in (("under", at(4, 4)), ("beside", at(4, 6)))
    ]
    plane = flier("plane", "red", at(4, 4))
    battle = bare_battle(rules, them, fliers=[plane], terrain={at(4, 6): ["building"]})
    assert air_targets(battle, plane) == [("bomb", at(4, 4)), ("hex", at(4, 6))]
    script = [
        ("battle against", ("bomb", at(4, 4))),
        ("defender", "make a stand"),
        ("battle", [6, 6, 6, 6]),
        ("saving throws", [2, 1, 1]),
    ]
    run(engage, battle, "plane", script=script)
    assert battle.units["under"].figures == 5 and plane.bombs == 0 and air_targets(battle, plane) == []
    plane.marks = frozenset()
    assert air_targets(battle, plane) == [("hex", at(4, 6))]
    with scripted(battle, [("defender", "make a stand"), ("battle", [2, 2])]) as table:
        fight_from_air(table, battle, plane, "hex", at(4, 6))
        assert next(e for e in table.events if e.kind == "battle").data["jammed"]
    battle.units["beside"].mark("engaged")
    plane.marks = frozenset()
    assert air_targets(battle, plane) == []


@pytest.mark.rule("AFR-270", "AFR-186")
def test_bombs_do_not_jam(rules: Any, at: Any) -> None:
    under = unit_of(rules, "under", "blue", "inf_c", at(4, 4))
    battle = bare_battle(rules, [under], fliers=[flier("plane", "red", at(4, 4))])
    script = [("defender", "make a stand"), ("battle", [2, 2, 2, 6]), ("saving throws", [6])]
    run(fight_from_air, battle, battle.fliers["plane"], "bomb", at(4, 4), script=script)
    assert under.figures == 7, "three shields of four would stop a machine gun"


@pytest.mark.rule("AFR-281")
def test_no_defence_against_the_air_but_voluntary_retreat(rules: Any, at: Any) -> None:
    them = unit_of(rules, "them", "blue", "inf_a", at(4, 5))
    battle = bare_battle(rules, [them], fliers=[flier("plane", "red", at(4, 4))])
    script = [
        ("defender", "retreat voluntarily"),
        ("battle", [1, 2, 4, 2]),
        ("saving throws", [6]),
        ("retreat to", at(4, 6)),
    ]
    run(fight_from_air, battle, battle.fliers["plane"], "hex", at(4, 5), script=script)
    assert (them.hex, them.figures) == (at(4, 6), 5)


@pytest.mark.rule("AFR-272", "AFR-276", "AFR-277", "AFR-289", "AFR-295", "AFR-290")
def test_units_that_may_fire_at_aircraft(rules: Any, at: Any) -> None:
    plane, ship = flier("plane", "blue", at(4, 4)), flier("ship", "blue", at(4, 5), "airship")
    mine, zep = flier("mine", "red", at(4, 7)), flier("zep", "red", at(4, 7), "airship")
    keys = ("inf_a", "cav_a", "art_field", "mg_foot", "aa_gun", "vehicle_mg")
    guns = [unit_of(rules, key, "red", key, at(n, 3)) for n, key in enumerate(keys)]
    battle = bare_battle(rules, guns, fliers=[plane, ship, mine, zep])
    for unit in guns:
        battle.move(unit, at(4, 2))
        assert bool(anti_air_targets(battle, unit)) is (unit.spec.key in ("mg_foot", "aa_gun", "vehicle_mg"))
        battle.move(unit, at(4, 0))
        assert anti_air_targets(battle, unit) == []
    assert air_targets(battle, mine) == [("flier", "plane"), ("flier", "ship")]
    assert air_targets(battle, zep) == [("flier", "plane")]


def down(facts: Any, **settings: Any) -> float:
    rules = load_rules("afriboria", settings)
    found = odds(rules, rules.ruleset.procedure("anti_aircraft"), facts)
    return float(found.probability(lambda o: o.down or o.strength_lost > 0))


@pytest.mark.rule("AFR-273")
@pytest.mark.setting("air_dice_range3")
def test_dice_at_range_three(book: Any) -> None:
    assert book().air_dice == (4, 4, 3) and book(air_dice_range3=4).air_dice == (4, 4, 4)


@pytest.mark.rule("AFR-274", "AFR-290")
@pytest.mark.setting("air_hit_faces")
@pytest.mark.setting("airship_hit_faces")
def test_faces_that_hit_fliers() -> None:
    plane, ship = AntiAirOdds("aircraft"), AntiAirOdds("airship")
    more = {
        "air_hit_faces": "true,false,false,true,false,false",
        "airship_hit_faces": "true,true,false,true,false,false",
    }
    assert down(plane, air_hit_faces=more["air_hit_faces"]) > down(plane)
    assert down(ship, airship_hit_faces=more["airship_hit_faces"]) > down(ship)


@pytest.mark.rule("AFR-186", "AFR-276")
def test_a_jam_saves_an_aircraft_too(book: Any, at: Any) -> None:
    """With a fifth die, from fresh ammunition, a roll can show three shields and two sabres."""
    plane = flier("plane", "blue", at(4, 5))
    gun = unit_of(book(), "gun", "red", "mg_foot", at(4, 4))
    gun.mark("first")
    battle = bare_battle(book(), [gun], fliers=[plane])
    roll = ("anti-aircraft fire", [2, 2, 2, 3, 3])
    run(fire_at_flier, battle, "gun", gun.hex, plane, script=[roll])
    assert plane.airborne


@pytest.mark.rule("AFR-275", "AFR-016")
@pytest.mark.setting("air_save")
def test_saves_of_fliers() -> None:
    plane = AntiAirOdds("aircraft")
    idem, normal, none = (down(plane, air_save=how) for how in ("idem", "normal", "none"))
    assert normal < idem < none == down(plane, fastplay="on")


@pytest.mark.rule("AFR-278", "AFR-263")
def test_parked_aircraft_are_targets(rules: Any, at: Any) -> None:
    us = unit_of(rules, "us", "red", "inf_a", at(4, 4))
    gun = unit_of(rules, "gun", "red", "mg_foot", at(5, 4))
    us.mark("ordered", "move", "battle")
    battle = bare_battle(rules, [us, gun], fliers=[flier("plane", "blue", at(4, 6), airborne=False)])
    assert parked_targets(battle, us) == [("parked", "plane")] and parked_targets(battle, gun) == []
    script = [("battle against", ("parked", "plane")), ("battle", [4, 4, 1]), ("saving throws", [2, 1])]
    run(engage, battle, "us", script=[*script, ("battle against", "hold fire")][:3])
    assert battle.gone == {"plane": "destroyed"}
    ship = flier("ship", "blue", at(4, 6), "airship", airborne=False, strength=3)
    battle = bare_battle(rules, [us], fliers=[ship])
    us.marks = frozenset({"ordered", "battle"})
    us.battled, us.shots = (), 0
    assert parked_targets(battle, us) == [("parked", "ship")]
    run(fire_at_parked, battle, us, ship, script=[("battle", [4, 4, 1]), ("saving throws", [6, 6])])
    assert (ship.strength, battle.gone) == (1, {}), "an airship loses a point for each hit"
    guard = unit_of(rules, "guard", "blue", "inf_c", at(4, 6))
    guarded = bare_battle(rules, [us, guard], fliers=[ship])
    assert parked_targets(guarded, us) == [], "not while a unit stands with it"


@pytest.mark.rule("AFR-165", "AFR-278")
def test_a_second_fire_at_a_parked_aircraft_is_from_afar(book: Any, at: Any) -> None:
    us, foe = unit_of(book(), "us", "red", "inf_a", at(4, 4)), unit_of(book(), "foe", "blue", "inf_c", at(4, 6))
    us.mark("ordered", "battle")
    battle = bare_battle(book(), [us, foe], fliers=[flier("plane", "blue", at(5, 4), airborne=False)])
    assert ("parked", "plane") in all_targets(battle, us)
    assert all_targets(battle, us, second=True) == [("hex", at(4, 6))]


@pytest.mark.rule("AFR-278", "AFR-082")
def test_a_parked_aircraft_lets_no_enemy_in(rules: Any, at: Any) -> None:
    for side, airborne, may in (("blue", False, False), ("blue", True, True), ("red", False, True)):
        us = unit_of(rules, "us", "red", "inf_a", at(4, 4))
        us.mark("ordered", "move")
        battle = bare_battle(rules, [us], fliers=[flier("plane", side, at(4, 5), airborne=airborne)])
        options = unit_options(battle, us, Plan(battle.field, {}, {}, {}))
        assert (("to", at(4, 5)) in options) is may
        assert (
            at(4, 5)
            in retreat_hexes(bare_battle(rules, [us], fliers=list(battle.fliers.values()), homes=NORTH), us, None)
        ) is may
        assert may_break_through(battle, us, at(4, 5)) is may


@pytest.mark.rule("AFR-279", "AFR-280", "AFR-291", "AFR-293")
def test_airships_lose_strength(rules: Any, at: Any, scripted: Any) -> None:
    ship = flier("ship", "blue", at(4, 5), "airship", strength=2, points=3)
    battle = bare_battle(rules, fliers=[ship])
    with scripted(battle, [("anti-aircraft fire", [6, 3, 1, 1]), ("saving throws", [3, 1])]) as table:
        fire_at_flier(table, battle, "gun", at(4, 4), ship)
    assert ship.strength == 1 and ship.hex == at(4, 5)
    with scripted(battle, [("anti-aircraft fire", [3, 1, 1, 1]), ("saving throws", [1])]) as table:
        fire_at_flier(table, battle, "gun", at(4, 4), ship)
    assert battle.gone == {"ship": "shot down"} and battle.sides["red"].points == 3
    lost = [event.data for event in table.events if event.kind == "flier lost"]
    assert lost == [{"unit": "ship", "side": "blue", "how": "shot down"}]
    assert rules.file.air["airship"].strength == 6


@pytest.mark.rule("AFR-266")
def test_a_flight_is_one_order(book: Any, at: Any) -> None:
    plane = flier("plane", "red", at(4, 4))
    battle = bare_battle(book(), fliers=[plane])
    card = book().cards["red_2"]
    assert order_options(battle, "red", card, {"red": 2}) == [("flier", "plane")]
    plane.mark("ordered")
    assert order_options(battle, "red", card, {"red": 1}) == []


@pytest.mark.rule("AFR-269", "AFR-293")
def test_odds_from_the_air() -> None:
    rules = load_rules("afriboria")
    found = odds(rules, rules.ruleset.procedure("attack_from_air"), AirAttackOdds(1, "inf_c", 8))
    assert found.probability(lambda o: o.jammed) > 0
    bomb = odds(rules, rules.ruleset.procedure("attack_from_air"), AirAttackOdds(0, "inf_c", 8))
    assert bomb.probability(lambda o: o.jammed) == 0


@pytest.mark.rule("AFR-260")
def test_a_truck_of_the_enemy_is_in_the_way_too(book: Any, at: Any) -> None:
    """The truck may have been left behind, so that no unit is in its hex."""
    plane = Flier(at(4, 4), True, 1, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(book(), fliers=[plane], bases={"red": (at(4, 4),)})
    assert may_land(battle, plane, at(4, 4)) and may_land(battle, plane, at(4, 5))
    battle.field.trucks = {"blue": ("theirs",)}
    battle.carried_objects["theirs"] = ScenarioObject(at(4, 5))
    assert may_land(battle, plane, at(4, 4)) and not may_land(battle, plane, at(4, 5))


@pytest.mark.rule("AFR-078", "AFR-265")
def test_fliers_move_in_the_order_of_units(game: Any, book: Any, at: Any, scripted: Any) -> None:
    play = game()
    plane = Flier(at(4, 4), True, 1, fuel=4, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(book(), [unit_of(book(), "us", "red", "inf_b", at(4, 6))], fliers=[plane])
    battle.stage, battle.waiting = "moves", ["plane"]
    with scripted(battle, [("move with", "plane"), ("fly", ("fly", at(4, 0)))]) as table:
        assert not play.sequence.moves(table, battle)
    assert plane.hex == at(4, 0) and plane.flown == 4


@pytest.mark.rule("AFR-266", "AFR-062")
def test_fliers_fight_only_if_ordered(book: Any, at: Any) -> None:
    plane = Flier(at(4, 4), True, 1, fuel=4, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(book(), [unit_of(book(), "them", "blue", "inf_c", at(4, 5))], fliers=[plane])
    assert fighters(battle) == []
    plane.mark("ordered")
    assert fighters(battle) == ["plane"]
    battle.active = "blue"
    assert fighters(battle) == []


@pytest.mark.rule("AFR-262")
def test_aircraft_that_had_to_land_crash_at_the_end_of_the_turn(game: Any, scripted: Any) -> None:
    plane = "plane: {name: Plane, side: red, arm: aircraft, kind: european_regular, figures: 1, armament: [bombs], position: [20, 5]}, "
    foot = "foot: {name: Foot, side: red, arm: infantry, kind: tribal, figures: 8}, men: {name: Men, side: blue, arm: infantry, kind: tribal, figures: 8}"
    play = game(units=plane + foot)
    battle = play.start()
    battle.turn, battle.active = 1, "red"
    flier = battle.fliers["plane"]
    flier.airborne = True
    for lands, gone in ((False, {}), (True, {"plane": "crashed"})):
        if lands:
            flier.mark("land")
        with scripted(battle, []) as table:
            play.sequence.close(table, battle)
        assert battle.gone == gone


def plane(name: str, side: str, cell: int, airborne: bool = True) -> Flier:
    return Flier(cell, airborne, 1, fuel=6, bombs=1, spec=FlierSpec(name, name.title(), side, "aircraft"))


@pytest.mark.rule("AFR-340", "AFR-276")
def test_events_bind_fire_at_what_flies(rules: Any, at: Any) -> None:
    gun = ordered(unit_of(rules, "gun", "red", "mg_foot", at(4, 4)))
    battle = bare_battle(rules, [gun], fliers=[plane("far", "blue", at(4, 6)), plane("near", "blue", at(4, 5))])
    both, near = [("flier", "far"), ("flier", "near")], [("flier", "near")]
    assert anti_air_targets(battle, gun) == both
    battle.effects["ev_sandstorm"] = 1
    assert anti_air_targets(battle, gun) == near
    battle.effects.clear()
    gun.mark("no_far")
    assert anti_air_targets(battle, gun) == near


@pytest.mark.rule("AFR-260")
def test_a_supply_truck_is_in_the_way(book: Any, at: Any) -> None:
    cart = unit_of(book(), "cart", "red", "pack", at(4, 5))
    battle = bare_battle(book(), [cart], fliers=[plane("plane", "red", at(4, 4))])
    battle.field.trucks = {"red": ("truck",)}
    battle.carried_objects["truck"] = ScenarioObject(at(4, 5), "cart")
    flier = battle.fliers["plane"]
    assert may_land(battle, flier, at(4, 4)) and not may_land(battle, flier, at(4, 5))
    battle.move(cart, at(4, 6))
    assert not may_land(battle, flier, at(4, 4)) and may_land(battle, flier, at(4, 5)), "the zone is where it is now"
    battle.move(cart, -1)
    assert may_land(battle, flier, at(4, 4)) and not may_land(battle, flier, at(4, 5)), "left behind it is in the way"


def fuelled(name: str, side: str, cell: int, kind: str = "aircraft", airborne: bool = True) -> Flier:
    return Flier(cell, airborne, 6, fuel=4, spec=FlierSpec(name, name.title(), side, kind))


@pytest.mark.rule("AFR-264", "AFR-285")
def test_a_plane_and_an_airship_are_neither_several_planes_nor_several_airships(game: Any) -> None:
    flying = "side: red, kind: european_regular, figures: 1, armament: [machine_gun], position: [20, 5]}"
    foot = "foot: {name: Foot, side: blue, arm: infantry, kind: tribal, figures: 8}, men: {name: Men, side: red, arm: infantry, kind: tribal, figures: 8}"
    plane, ship = f"{{name: Plane, arm: aircraft, {flying}", f"{{name: Ship, arm: airship, {flying}"
    both = game(units=f"a: {plane}, s: {ship}, {foot}").plan.fliers
    assert [both[name].colour for name in "as"] == ["", ""]
    more = game(units=f"a: {plane}, s: {ship}, t: {ship}, {foot}").plan.fliers
    assert more["a"].colour == "" and more["s"].colour and more["t"].colour != more["s"].colour


@pytest.mark.rule("AFR-278", "AFR-251")
@pytest.mark.parametrize(("key", "may"), [("inf_a", True), ("cav_b", True), ("art_horse", False)])
def test_destroyer_of_a_parked_aircraft_may_enter_its_hex(book: Any, at: Any, key: str, may: bool) -> None:
    us = ordered(unit_of(book(), "us", "red", key, at(4, 4)))
    battle = bare_battle(book(), [us], fliers=[fuelled("plane", "blue", at(4, 5), airborne=False)])
    script: list[Any] = [("battle against", ("parked", "plane")), ("battle", [4] + [2] * (len(dice_of(us)) - 1))]
    script += [("saving throws", [2]), *([("breakthrough", "advance")] if may else [])]
    run(engage, battle, "us", script=script)
    assert battle.gone == {"plane": "destroyed"}
    assert us.hex == (at(4, 5) if may else at(4, 4))


def dice_of(unit: Any) -> list[int]:
    return [0] * unit.profile.dice[0]


@pytest.mark.rule("AFR-292", "AFR-278")
def test_an_airship_is_shown_in_the_air_or_on_the_ground(book: Any, at: Any) -> None:
    for kind, airborne, words in (
        ("airship", True, "in the air, strength 6"), ("airship", False, "on the ground, strength 6"),
        ("aircraft", True, "in the air, fuel 4"), ("aircraft", False, "on the ground"),
    ):  # fmt: skip
        thing = fuelled("thing", "red", at(4, 4), kind, airborne)
        assert flier_line(bare_battle(book(), fliers=[thing]), thing).endswith(words)


def told(table: Any) -> list[tuple[str, int]]:
    return [(tally.rule.name, tally.total) for tally in table.tallies]


@pytest.mark.rule("AFR-272", "AFR-340", "AFR-342")
def test_dice_at_what_flies_are_explained(rules: Any, at: Any, scripted: Any) -> None:
    gun = unit_of(rules, "gun", "red", "mg_foot", at(4, 4))
    gun.mark("first")
    plane = Flier(at(4, 6), True, 1, fuel=4, spec=FlierSpec("plane", "Plane", "blue", "aircraft"))
    battle = bare_battle(rules, [gun], fliers=[plane])
    battle.effects["ev_rain"] = battle.turn
    for away, dice, parts in ((1, 5, ["row", "card"]), (2, 4, ["row"]), (3, 2, ["row", "card"])):
        plane.hex = at(4, 4 + away)
        gun.marks = frozenset({"first"}) if away < 3 else frozenset()
        with scripted(battle, [("anti-aircraft fire", [2] * dice)]) as table:
            fire_at_flier(table, battle, "gun", gun.hex, plane)
            assert told(table) == [("battle_dice", dice)]
            assert [part.id for part in table.tallies[0].parts()] == parts
