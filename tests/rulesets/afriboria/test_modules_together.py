"""Interactions of appendices and events: sieges in the rain, air and ground, ladders, walls, guides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import ordered

from zareba.base.errors import ZarebaError
from zareba.odds import odds
from zareba.table import Pause, RecordedTable
from zareba_rulesets.afriboria.chapters.engagement import all_targets, engage
from zareba_rulesets.afriboria.chapters.losses import lose
from zareba_rulesets.afriboria.chapters.movement.movement import move_unit, unit_options
from zareba_rulesets.afriboria.chapters.orders.orders import give_order, missing, regain
from zareba_rulesets.afriboria.chapters.retreat import retreat, withdraw
from zareba_rulesets.afriboria.chapters.siege.siege import bombard
from zareba_rulesets.afriboria.chapters.siege.walls import gather, man_wall, may_man, room_on_wall
from zareba_rulesets.afriboria.chapters.victory import take_prizes
from zareba_rulesets.afriboria.forces.pieces import TURN_MARKS, Flier, FlierSpec, ScenarioObject
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.ground.field import StructureSpec
from zareba_rulesets.afriboria.odds.air import AirAttackOdds
from zareba_rulesets.afriboria.odds.facts import BattleFacts, CommanderFacts
from zareba_rulesets.afriboria.odds.siege import BombardmentOdds
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.presentation.words import flier_line, question_sentence


def flier(name: str, side: str, cell: int, kind: str = "aircraft", airborne: bool = True) -> Flier:
    return Flier(cell, airborne, 6, fuel=4, spec=FlierSpec(name, name.title(), side, kind))


def options_of(battle: Any, unit: Any) -> list[Any]:
    return unit_options(battle, unit, Plan(battle.field, {}, {}, {}))


@pytest.mark.rule("AFR-182", "AFR-311", "AFR-340")
def test_rain_may_leave_no_dice_for_a_bombardment(book: Any, at: Any) -> None:
    """A field gun has one die at five hexes, two from a hilltop."""
    for ground, rain, may in (([], False, True), ([], True, False), (["hill"], True, True)):
        gun = ordered(unit_of(book(), "gun", "red", "art_field", at(4, 1)))
        wall = {at(4, 6): StructureSpec("wood", 3, "blue")}
        battle = bare_battle(book(), [gun], terrain={at(4, 1): ground}, structures=wall)
        battle.effects = {"ev_rain": battle.turn} if rain else {}
        assert (("structure", at(4, 6)) in all_targets(battle, gun)) is may


@pytest.mark.rule("AFR-182")
@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("battle", BattleFacts("inf_c", 8, 3, ("building",), defender="inf_a", defender_figures=6)),
        ("double_fire", BattleFacts("inf_a", 6, 4, ("wood",), defender="inf_c", defender_figures=8)),
        ("attack_on_commander", CommanderFacts("inf_c", 8, 3, ("building",))),
        ("bombardment", BombardmentOdds("art_field", 6, "wood", 3, card=-1)),
        ("attack_from_air", AirAttackOdds(1, "inf_c", 8, ("fieldwork", "hill", "orchard"))),
    ],
)
def test_odds_without_dice_are_refused_as_in_play(book: Any, name: str, facts: Any) -> None:
    rules = book(terrain_stack="sum").rules
    with pytest.raises(ZarebaError, match="no dice are left"):
        odds(rules, rules.ruleset.procedure(name), facts)


@pytest.mark.rule("AFR-165", "AFR-182", "AFR-250")
def test_a_second_shot_without_dice_is_none(book: Any) -> None:
    """There are two dice at range 3, less one for missing firearms. One hex farther there are none."""
    rules = book().rules
    facts = BattleFacts("inf_a", 6, 3, firearms=5, defender="inf_c", defender_figures=8, defender_missile=False)
    found = odds(rules, rules.ruleset.procedure("double_fire"), facts)
    assert found.probability(lambda o: o.retreat > 0) > 0
    assert {o.shots for o in found.outcomes if o.kills == 2} == {2}, "who stays is fired at again"
    assert found.probability(lambda o: o.shots == 1) > 0, "who is driven back is out of reach of the only die"


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
def test_who_destroys_a_parked_aircraft_in_close_combat_may_enter_its_hex(
    book: Any, at: Any, scripted: Any, key: str, may: bool
) -> None:
    us = ordered(unit_of(book(), "us", "red", key, at(4, 4)))
    battle = bare_battle(book(), [us], fliers=[flier("plane", "blue", at(4, 5), airborne=False)])
    script: list[Any] = [("battle against", ("parked", "plane")), ("battle", [4] + [2] * (len(dice_of(us)) - 1))]
    script += [("saving throws", [2]), *([("breakthrough", "advance")] if may else [])]
    with scripted(battle, script) as table:
        engage(table, battle, "us")
    assert battle.gone == {"plane": "destroyed"}
    assert us.hex == (at(4, 5) if may else at(4, 4))


def dice_of(unit: Any) -> list[int]:
    return [0] * unit.profile.dice[0]


@pytest.mark.rule("AFR-335", "AFR-340")
def test_a_guide_helps_after_a_ladder_has_been_thrown_down(book: Any, at: Any, scripted: Any) -> None:
    """Of a forced march of three hexes the ladder takes one. With a guide the unit crosses two hexes of rough ground,
    without one only one.
    """
    for guided in (True, False):
        us = ordered(unit_of(book(), "us", "blue", "inf_a", at(4, 6)), "march", *(["guided"] if guided else []))
        terrain = {cell: ["rough"] for row in (7, 8) for cell in (at(3, row), at(4, row), at(5, row))}
        wall = {at(4, 6): StructureSpec("stone", 5, "blue")}
        battle = bare_battle(book(), [us], terrain=terrain, structures=wall, active="blue")
        battle.card, battle.ladders = "sp_forced_march", [(at(4, 6), at(4, 5))]
        script = [("move", ("throw down", at(4, 5))), ("move", ("to", at(4, 8)))]
        if not guided:
            with pytest.raises(AssertionError), scripted(battle, script) as table:
                move_unit(table, battle, us, Plan(battle.field, {}, {}, {}))
            continue
        with scripted(battle, script) as table:
            move_unit(table, battle, us, Plan(battle.field, {}, {}, {}))
        assert (us.hex, us.moved) == (at(4, 8), 3)


@pytest.mark.rule("AFR-321", "AFR-093")
@pytest.mark.setting("dismounted_move")
def test_who_has_no_hex_to_move_does_not_spread_over_a_wall(book: Any, at: Any) -> None:
    wall = {cell: StructureSpec("stone", 5, "red") for cell in (at(3, 4), at(4, 4), at(5, 4))}
    for walks, may in (("none", False), ("as_infantry", True)):
        rules = book(dismounted_move=walks)
        us = ordered(unit_of(rules, "us", "red", "cav_a", at(4, 4)))
        us.mounted = False
        battle = bare_battle(rules, [us], structures=wall)
        assert ("man the wall" in options_of(battle, us)) is may


@pytest.mark.rule("AFR-292", "AFR-278")
def test_an_airship_is_shown_in_the_air_or_on_the_ground(book: Any, at: Any) -> None:
    for kind, airborne, words in (
        ("airship", True, "in the air, strength 6"), ("airship", False, "on the ground, strength 6"),
        ("aircraft", True, "in the air, fuel 4"), ("aircraft", False, "on the ground"),
    ):  # fmt: skip
        thing = flier("thing", "red", at(4, 4), kind, airborne)
        assert flier_line(bare_battle(book(), fliers=[thing]), thing).endswith(words)


@pytest.mark.rule("AFR-318", "AFR-321")
@pytest.mark.setting("hex_cm")
@pytest.mark.parametrize(("hex_cm", "room"), [(15, 4), (10, 2)])
def test_two_units_on_one_wall_share_the_room_of_its_hexes(
    book: Any, at: Any, scripted: Any, hex_cm: int, room: int
) -> None:
    """A second unit gets the room left by the first unit's sections. A hex filled by them is closed to it."""
    rules, cells = book(hex_cm=hex_cm), (at(3, 4), at(4, 4), at(5, 4))
    first, second = (
        unit_of(rules, name, "red", "inf_a", cell, room) for name, cell in (("first", cells[1]), ("second", cells[0]))
    )
    battle = bare_battle(rules, [first, second], structures={cell: StructureSpec("stone", 5, "red") for cell in cells})
    battle.spread(first, {cells[1]: room - 1, cells[2]: 1})
    assert may_man(battle, second)
    assert [room_on_wall(battle, second, cell) for cell in cells] == [room, 1, room - 1]
    with scripted(battle, [("figures there", room - 1)]) as table:
        man_wall(table, battle, second)
    assert second.sections == {cells[0]: room - 1, cells[1]: 1}
    assert room_on_wall(battle, first, cells[1]) == room - 1
    first.spec = replace(first.spec, figures=room + 2)
    assert missing(battle, first) == min(2, room - 1), "men come back where the others have left room"
    with scripted(battle, []) as table:
        regain(table, battle, first, 1)
    assert first.sections == {cells[1]: room - 1, cells[2]: 2}


@pytest.mark.rule("AFR-051", "AFR-236")
def test_what_a_unit_carried_lies_where_it_was_lost(book: Any, at: Any, scripted: Any) -> None:
    """The unit is driven back and then destroyed in the same turn."""
    bearers, foe = (
        unit_of(book(), "bearers", "blue", "civ_n", at(4, 5), 2),
        unit_of(book(), "foe", "red", "inf_a", at(4, 3)),
    )
    battle = bare_battle(book(), [bearers, foe])
    battle.prizes["chest"] = ScenarioObject(at(4, 5), "bearers")
    with scripted(battle, [("retreat to", at(4, 6))]) as table:
        retreat(table, battle, bearers, 1)
        lose(table, battle, bearers, 2, "fire", "AFR-196")
        take_prizes(table, battle)
    assert battle.prizes["chest"] == ScenarioObject(at(4, 6))


@pytest.mark.rule("AFR-308")
def test_a_structure_that_saves_is_called_by_its_hex(book: Any, at: Any) -> None:
    gun = unit_of(book(), "gun", "red", "art_field", at(4, 4))
    battle = bare_battle(book(), [gun], structures={at(4, 5): StructureSpec("wood", 3, "blue")})
    with pytest.raises(Pause) as paused:
        bombard(RecordedTable(battle.book.rules, battle, [(1,)]), battle, gun, at(4, 5))
    assert question_sentence(battle, paused.value.question, {}).startswith(
        "Structure saves for structure at E6: throw "
    )


@pytest.mark.rule("AFR-316", "AFR-321")
def test_men_who_man_a_wall_come_into_sight(book: Any, at: Any, scripted: Any) -> None:
    """A unit is out of sight in the keep of a fort, spreads over keep and wall, and gathers in the keep again."""
    us = ordered(unit_of(book(), "us", "red", "inf_a", at(4, 4)), "unexposed")
    walls = {
        at(4, 4): StructureSpec("stone_fort", 6, "red", fortification=True),
        at(5, 4): StructureSpec("stone", 5, "red"),
    }
    battle = bare_battle(book(), [us], structures=walls)
    with scripted(battle, [("figures there", 4)]) as table:
        man_wall(table, battle, us)
    assert us.sections == {at(4, 4): 4, at(5, 4): 2} and "unexposed" not in us.marks
    with scripted(battle, [("gather in", at(4, 4)), ("exposure", "keep out of sight")]) as table:
        gather(table, battle, us)
    assert us.hex == at(4, 4) and "unexposed" in us.marks


@pytest.mark.rule("AFR-135", "AFR-237")
def test_a_vehicle_driven_out_of_debris_is_free(book: Any, at: Any, scripted: Any) -> None:
    """The extra order for leaving debris is not needed elsewhere, after a retreat or after giving way."""
    for forced in (True, False):
        car = ordered(unit_of(book(), "car", "red", "vehicle_mg", at(4, 3)))
        battle = bare_battle(book(), [car], terrain={at(4, 4): ["debris"]})
        with scripted(battle, [("move", ("to", at(4, 4)))]) as table:
            move_unit(table, battle, car, Plan(battle.field, {}, {}, {}))
        assert "stuck" in car.marks
        with scripted(battle, [("retreat to", at(4, 3))]) as table:
            if forced:
                retreat(table, battle, car, 1)
            else:
                withdraw(table, battle, car)
        car.marks -= TURN_MARKS
        battle.card, battle.slots = "red_1", {"red": 1}
        with scripted(battle, []) as table:
            give_order(table, battle, ("unit", "car"), book().cards["red_1"])
        assert "move" in car.marks and "passive" not in car.marks
