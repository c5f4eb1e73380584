"""The small print of many chapters, one point at a time."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import chief
from tests.rulesets.afriboria.test_wall_sections import QUIET, wall_of

from zareba.table import ScriptedTable
from zareba_rulesets.afriboria.chapters.air.air import may_land
from zareba_rulesets.afriboria.chapters.battle.combat import exchange_facts, fight_commander, fight_unit, is_steadied
from zareba_rulesets.afriboria.chapters.battle.eligibility import candidates
from zareba_rulesets.afriboria.chapters.engagement import fighters
from zareba_rulesets.afriboria.chapters.movement.movement import move_unit, unit_options
from zareba_rulesets.afriboria.chapters.orders.cards import is_playable, play_card
from zareba_rulesets.afriboria.chapters.orders.events import turn_over
from zareba_rulesets.afriboria.chapters.retreat import retreat, withdraw
from zareba_rulesets.afriboria.chapters.setting_up import arrivals
from zareba_rulesets.afriboria.chapters.siege.siege import structure_targets
from zareba_rulesets.afriboria.chapters.siege.walls import fight_from_wall
from zareba_rulesets.afriboria.chapters.sight.sight import sees
from zareba_rulesets.afriboria.forces.movement_limits import reachable
from zareba_rulesets.afriboria.forces.pieces import (
    OFF,
    Company,
    Flier,
    FlierSpec,
    ScenarioObject,
)
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.ground.field import Ground, StructureSpec
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


@pytest.mark.rule("AFR-260")
def test_a_truck_of_the_enemy_is_in_the_way_too(book: Any, at: Any) -> None:
    """The truck may have been left behind, so that no unit is in its hex."""
    plane = Flier(at(4, 4), True, 1, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(book(), fliers=[plane], bases={"red": (at(4, 4),)})
    assert may_land(battle, plane, at(4, 4)) and may_land(battle, plane, at(4, 5))
    battle.field.trucks = {"blue": ("theirs",)}
    battle.prizes["theirs"] = ScenarioObject(at(4, 5))
    assert may_land(battle, plane, at(4, 4)) and not may_land(battle, plane, at(4, 5))


@pytest.mark.rule("AFR-326", "AFR-208")
def test_the_nearest_section_that_fired_is_answered(book: Any, at: Any, scripted: Any) -> None:
    """Spearmen reach only adjacent hexes: those of the second and third section. The first section is farther away and
    fires first.
    """
    battle, guards, foe, cells = wall_of(book, at, 1)
    battle.place(battle.commanders["boss"], at(0, 8))
    script = [
        QUIET, ("dice of the section", 1), ("dice of the section", 0), ("dice of the section", 1), ("battle", [2]), ("battle", [2]),
    ]  # fmt: skip
    with scripted(battle, script) as table:  # the wall's cover of 2 leaves the spearmen no die
        fight_from_wall(table, battle, guards, foe.hex)
    battle.rubble = frozenset(cells)
    guards.battled, foe.marks = (), frozenset()
    with scripted(battle, [*script, ("defence", "defend"), ("defence dice", [6])]) as table:
        fight_from_wall(table, battle, guards, foe.hex)
    assert guards.sections == {cells[0]: 2, cells[1]: 2, cells[2]: 1}, "who was near has lost the man"
    guards.battled, foe.marks = (), frozenset()
    far = [
        QUIET,
        ("dice of the section", 3),
        ("dice of the section", 0),
        ("dice of the section", 0),
        ("battle", [2] * 3),
    ]
    with scripted(battle, far) as table:
        fight_from_wall(table, battle, guards, foe.hex)


@pytest.mark.rule("AFR-131", "AFR-138")
def test_a_bridge_wins_over_the_ford_and_the_river_in_its_hex(book: Any) -> None:
    for kinds, left, stop, hampers in (
        (["river", "ford", "bridge"], ("bridge",), False, False), (["river", "bridge"], ("bridge",), False, False),
        (["river", "ford"], ("ford",), False, True), (["river"], ("river",), True, True),
    ):  # fmt: skip
        ground = Ground.of(book(), kinds)
        assert (ground.kinds, ground.stop, ground.hampers) == (left, stop, hampers)


@pytest.mark.rule("AFR-183", "AFR-182")
def test_the_officer_cannot_keep_the_only_die(book: Any, at: Any, scripted: Any) -> None:
    """Two dice less two for the building: no battle without the officer's die. One hex nearer there is a die more."""
    for row, asked in ((7, []), (6, [("officer's die", "lend the die")])):
        rules = book()
        us, mate = (unit_of(rules, name, "red", "inf_b", at(4, 4)) for name in ("us", "mate"))
        them = unit_of(rules, "them", "blue", "inf_c", at(4, row), missile=False)
        ground = {at(4, row): ["building"]}
        battle = bare_battle(rules, [us, mate, them], [chief("boss", "red", at(4, 4))], terrain=ground)
        for unit in (us, mate):
            unit.mark("ordered", "battle")
        with scripted(battle, [*asked, QUIET, ("battle", [2] * (8 - row))]) as table:
            fight_unit(table, battle, us, them.hex)
        assert battle.commanders["boss"].supports == "us"


@pytest.mark.rule("AFR-077", "AFR-060")
@pytest.mark.setting("solo_cards")
def test_unplayable_cards_are_picked_only_where_a_playable_one_is_alone(book: Any, at: Any, scripted: Any) -> None:
    """There are no guns and no riders, so bombardment and charge have no effect."""
    rules = book(solo_cards="two_and_die")

    def played(hand: list[str], script: Any) -> Any:
        us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
        battle = bare_battle(rules, [us, unit_of(rules, "them", "blue", "inf_c", at(4, 8))])
        battle.sides["red"].hand = hand
        with scripted(battle, script) as table:
            assert play_card(table, battle)
        return battle.card

    useless = ["sp_artillery", "sp_cavalry"]
    picks = [("second of two", "sp_cavalry"), ("which card", 4)]
    assert played(["red_1", *useless], picks) == "sp_cavalry", "the first is the only one that can be played"
    assert played(["red_1", "red_2", *useless], [("first of two", "red_2"), ("which card", 6)]) == "red_1"


@pytest.mark.rule("AFR-340")
def test_a_unit_is_inspired_until_its_owners_next_turn(game: Any) -> None:
    play = game()
    battle = play.start()
    for unit in battle.units.values():
        unit.mark("inspired")
    battle.turn, battle.active, battle.stage = 2, "blue", "begin"
    with ScriptedTable(play.rules, battle, []) as table:
        play.sequence.begin(table, battle)
        assert {name: "inspired" in unit.marks for name, unit in battle.units.items()} == {
            name: unit.spec.side == "red" for name, unit in battle.units.items()
        }
        battle.active = "red"
        play.sequence.begin(table, battle)
    assert not any("inspired" in unit.marks for unit in battle.units.values())


@pytest.mark.rule("AFR-158")
@pytest.mark.setting("contiguous_hill_los")
def test_another_hill_between_the_arms_of_one(book: Any, at: Any) -> None:
    """Observer and target are on one hill that bends around the line. A separate hill is on the line."""
    arms = [at(2, 4), at(2, 3), *(at(column, 2) for column in range(2, 8)), at(6, 3), at(6, 4)]
    bent = {cell: ["hill"] for cell in arms}
    rules = book(contiguous_hill_los="clear")
    assert sees(bare_battle(rules, terrain=bent), at(2, 4), at(6, 4))
    assert not sees(bare_battle(rules, terrain=bent | {at(4, 4): ["hill"]}), at(2, 4), at(6, 4))
    joined = bent | {at(column, 4): ["hill"] for column in (3, 4, 5)}
    assert sees(bare_battle(rules, terrain=joined), at(2, 4), at(6, 4)), "where it is the same hill it is clear"


@pytest.mark.rule("AFR-223", "AFR-234")
def test_sandbags_let_a_lone_commander_ignore_the_first_flag(book: Any, at: Any, scripted: Any) -> None:
    for ground, dice, answers, cell in (
        (["sandbags"], 3, [("first flag", "ignore the first flag")], at(4, 5)),
        (["fence"], 3, [("flags to save", 0), ("retreat to", at(4, 6))], at(4, 6)),
    ):
        us = unit_of(book(), "us", "red", "inf_a", at(4, 4))
        us.mark("ordered", "battle")
        boss = chief("boss", "blue", at(4, 5))
        battle = bare_battle(book(), [us], [boss], terrain={at(4, 5): ground})
        with scripted(battle, [QUIET, ("battle", [1, 2, 2][:dice]), *answers]) as table:
            fight_commander(table, battle, us, boss, us.hex)
            told = [(event.data["unit"], event.data["hex"]) for event in table.events if event.kind == "retreat"]
        assert boss.hex == cell
        assert told == ([("boss", cell)] if cell == at(4, 6) else [])


@pytest.mark.rule("AFR-320")
def test_two_heavy_guns_do_not_cover_each_other(book: Any, at: Any) -> None:
    us = unit_of(book(), "us", "red", "inf_a", at(4, 4))
    guns = [unit_of(book(), name, "blue", "art_heavy", at(4, 6)) for name in ("one", "two")]
    battle = bare_battle(book(), [us, *guns], [chief("boss", "blue", at(4, 6))])
    battle.companies["c"] = Company("boss", ["one", "two"], "active")
    for gun in guns:
        gun.company = "c"
    assert [unit.id for unit in candidates(battle, us, at(4, 4), at(4, 6))] == ["one", "two"]


@pytest.mark.rule("AFR-340")
@pytest.mark.parametrize(
    ("kinds", "bitten"),
    [(["river"], 1), (["river", "ford"], 1), (["marsh"], 1), (["river", "bridge"], 0), ([], 0)],
)
def test_crocodiles_are_in_fords_too(book: Any, at: Any, scripted: Any, kinds: list[str], bitten: int) -> None:
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4))
    battle = bare_battle(book(), [us], terrain={at(4, 4): kinds})
    battle.event_deck.pile = {"ev_crocodiles": 1}
    with scripted(battle, [("event card", "ev_crocodiles"), *[("crocodiles", [1])] * bitten]) as table:
        turn_over(table, battle, "red")
    assert us.figures == 8 - bitten


@pytest.mark.rule("AFR-042", "AFR-230")
def test_a_character_without_a_bonus_steadies_nobody(book: Any, at: Any) -> None:
    for officer, bonus, steadied in ((True, True, True), (True, False, False), (False, True, False)):
        us = unit_of(book(), "us", "red", "inf_a", at(4, 4))
        them = unit_of(book(), "them", "blue", "inf_b", at(4, 5))
        prince = chief("prince", "blue", at(4, 5), officer=officer, character=True, bonus=bonus)
        battle = bare_battle(book(), [us, them], [prince])
        assert is_steadied(battle, them) is steadied
        facts = exchange_facts(battle, us, at(4, 4), them, at(4, 5), 4, True)
        assert facts.steady_above == (5 if steadied else 6)


@pytest.mark.rule("AFR-103", "AFR-330", "AFR-335")
def test_an_ncos_unit_of_another_colour_leaves_ladders_alone(book: Any, at: Any) -> None:
    """The unit has a ladder at the foot of the wall, and its NCO has returned. It goes with him or does nothing."""
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4), ladders=True)
    us.mark("ordered", "move")
    nco = chief("nco", "red", at(4, 3), officer=False)
    nco.mark("moved")
    battle = bare_battle(book(), [us], [nco], structures={at(4, 5): StructureSpec("stone", 5, "blue")})
    nothing = Plan(battle.field, {}, {}, {})
    assert ("ladder", at(4, 5)) in unit_options(battle, us, nothing)
    us.mark("along")
    nco.along = "us"
    assert unit_options(battle, us, nothing) == ["stay", ("to", at(4, 3))]
    manned = bare_battle(book(), [us], [nco], structures={at(4, 4): StructureSpec("stone", 5, "red")})
    manned.ladders = [(at(4, 4), at(4, 5))]
    assert unit_options(manned, us, Plan(manned.field, {}, {}, {})) == ["stay", ("to", at(4, 3))]
    us.unmark("along")
    assert ("throw down", at(4, 5)) in unit_options(manned, us, Plan(manned.field, {}, {}, {}))
    assert reachable(battle, at(4, 4), 1, "red", True, room=2).get(at(4, 5)) is None


@pytest.mark.rule("AFR-103", "AFR-321", "AFR-335")
def test_an_ncos_unit_of_another_colour_does_not_gather_nor_throw_down_ladders(book: Any, at: Any) -> None:
    wall = {at(column, 4): StructureSpec("stone", 5, "red") for column in (4, 5)}
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4), 6)
    us.mark("ordered", "move")
    battle = bare_battle(book(), [us], [chief("nco", "red", at(4, 4), officer=False)], structures=wall)
    battle.spread(us, dict.fromkeys(wall, 3))
    battle.ladders = [(at(4, 4), at(4, 5))]
    nothing = Plan(battle.field, {}, {}, {})
    assert unit_options(battle, us, nothing) == ["stay", ("throw down", at(4, 5)), "gather"]
    us.mark("along")
    assert unit_options(battle, us, nothing) == ["stay"]


@pytest.mark.rule("AFR-245", "AFR-099", "AFR-298")
def test_a_commander_who_rallies_a_unit_names_his_second_one(book: Any, at: Any, scripted: Any) -> None:
    rules = book(stacking="one_unit")
    us = unit_of(rules, "us", "red", "inf_b", at(4, 4))
    friend = unit_of(rules, "friend", "red", "inf_b", at(5, 3))
    boss = chief("boss", "red", at(4, 3))
    battle = bare_battle(rules, [us, friend], [boss])
    with scripted(battle, [("retreat to", at(4, 3)), ("second unit", "friend")]) as table:
        assert retreat(table, battle, us, 2) == 1, "rallied, he goes no further"
    assert (us.hex, boss.second) == (at(4, 3), "friend")


@pytest.mark.rule("AFR-331", "AFR-081")
@pytest.mark.parametrize(("friends", "climbs"), [(0, True), (1, True), (2, False)])
def test_nobody_climbs_into_a_full_hex(book: Any, at: Any, scripted: Any, friends: int, climbs: bool) -> None:
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4), ladders=True)
    us.mark("ordered", "move", "battle")
    above = [unit_of(book(), f"friend{number}", "red", "inf_b", at(4, 5)) for number in range(friends)]
    battle = bare_battle(book(), [us, *above], structures={at(4, 5): StructureSpec("stone", 5, "blue")})
    script = [("move", ("ladder", at(4, 5))), *([("climb", "climb")] if climbs else [])]
    with scripted(battle, script) as table:
        move_unit(table, battle, us, Plan(battle.field, {}, {}, {}))
    assert us.hex == at(4, 5 if climbs else 4) and battle.ladders == [(at(4, 5), at(4, 4))]


@pytest.mark.rule("AFR-078", "AFR-265")
def test_what_flies_moves_among_the_units(game: Any, book: Any, at: Any, scripted: Any) -> None:
    play = game()
    plane = Flier(at(4, 4), True, 1, fuel=4, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(book(), [unit_of(book(), "us", "red", "inf_b", at(4, 6))], fliers=[plane])
    battle.stage, battle.waiting = "moves", ["plane"]
    with scripted(battle, [("move with", "plane"), ("fly", ("fly", at(4, 0)))]) as table:
        assert not play.sequence.moves(table, battle)
    assert plane.hex == at(4, 0) and plane.flown == 4


@pytest.mark.rule("AFR-330", "AFR-335")
@pytest.mark.parametrize("throws", [False, True])
def test_who_has_thrown_a_ladder_down_has_a_hex_less_to_put_up_his_own(
    book: Any, at: Any, scripted: Any, throws: bool
) -> None:
    """One hex takes the unit from its wall to the enemy's. The second hex of its move would raise a ladder, unless it is
    already spent.
    """
    us = unit_of(book(), "us", "red", "inf_b", at(4, 2), ladders=True)
    us.mark("ordered", "move", "battle")
    walls = {at(4, 2): StructureSpec("stone", 5, "red"), at(4, 4): StructureSpec("stone", 5, "blue")}
    battle = bare_battle(book(), [us], structures=walls)
    battle.ladders = [(at(4, 2), at(5, 2))]
    go = ("move", ("to", at(4, 3)))
    script = [("move", ("throw down", at(5, 2))), go] if throws else [go, ("ladder at", at(4, 4))]
    with scripted(battle, script) as table:
        move_unit(table, battle, us, Plan(battle.field, {}, {}, {}))
    assert (us.hex, us.moved, us.ladders) == (at(4, 3), 2, throws)


@pytest.mark.rule("AFR-266", "AFR-062")
def test_what_flies_fights_only_when_ordered(book: Any, at: Any) -> None:
    plane = Flier(at(4, 4), True, 1, fuel=4, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(book(), [unit_of(book(), "them", "blue", "inf_c", at(4, 5))], fliers=[plane])
    assert fighters(battle) == []
    plane.mark("ordered")
    assert fighters(battle) == ["plane"]
    battle.active = "blue"
    assert fighters(battle) == []


@pytest.mark.rule("AFR-047", "AFR-081")
def test_reinforcements_find_no_room_in_a_full_hex(game: Any, scripted: Any) -> None:
    from tests.rulesets.afriboria.conftest import UNITS
    from tests.rulesets.afriboria.test_setup_and_victory import RELIEF, play_until

    play = game(units=RELIEF + UNITS)
    battle = play_until(play, "begin")
    battle.turn, (full, free, *_) = 3, play.plan.entries["relief"]
    for name in ("rifles", "rifles_2"):
        battle.move(battle.units[name], full)
    with pytest.raises(AssertionError), scripted(battle, [("arrival", 4), ("arrive in", full)]) as table:
        arrivals(table, battle, play.plan, play.scenario, 2)
    with scripted(battle, [("arrival", 4), ("arrive in", free)]) as table:
        arrivals(table, battle, play.plan, play.scenario, 2)
    assert battle.units["relief"].hex == free


@pytest.mark.rule("AFR-062", "AFR-078")
def test_who_has_an_order_waits_to_move(game: Any) -> None:
    play = game(leaders="boss: {name: Boss, side: red, rank: officer}, sub: {name: Sub, side: red, rank: officer}")
    battle = play.start()
    battle.waiting = []
    for number, piece in enumerate((*battle.units.values(), *battle.commanders.values())):
        if piece.hex == OFF:
            (battle.move if piece.id in battle.units else battle.place)(piece, number)
    battle.turn, battle.active, battle.stage = 1, "red", "event"
    for name in ("rifles", "boss"):
        (battle.units.get(name) or battle.commanders[name]).mark("ordered", "move")
    battle.units["spears"].mark("move")
    play.sequence._next_stage(battle)
    assert (battle.stage, battle.waiting) == ("moves", ["rifles", "boss"])


@pytest.mark.rule("AFR-262")
def test_what_had_to_land_crashes_as_the_turn_closes(game: Any, scripted: Any) -> None:
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


@pytest.mark.rule("AFR-339")
@pytest.mark.parametrize("figures", [7, 8])
def test_nobody_is_rallied_who_lacks_nobody(book: Any, at: Any, figures: int) -> None:
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4), figures)
    battle = bare_battle(book(), [us], [chief("boss", "red", at(4, 4))])
    assert is_playable(battle, "red", "sp_rally") is (figures < 8)


@pytest.mark.rule("AFR-316")
@pytest.mark.parametrize("way", ["voluntary", "forced", "rallied"])
def test_who_goes_back_into_a_fort_may_keep_out_of_sight_there(book: Any, at: Any, scripted: Any, way: str) -> None:
    us = unit_of(book(), "us", "red", "inf_b", at(4, 4))
    fort = {at(4, 3): StructureSpec("stone_fort", 6, "red", fortification=True)}
    battle = bare_battle(book(), [us], [chief("boss", "red", at(4, 3))] if way == "rallied" else [], structures=fort)
    script = [("retreat to", at(4, 3)), ("exposure", "keep out of sight")]
    with scripted(battle, script) as table:
        if way == "voluntary":
            withdraw(table, battle, us)
        else:
            retreat(table, battle, us, 1)
    assert us.hex == at(4, 3) and "unexposed" in us.marks


@pytest.mark.rule("AFR-050", "AFR-024")
def test_a_unit_is_worth_a_point_and_a_cart_none(game: Any) -> None:
    carts = "carts: {name: Carts, side: red, arm: wagon, kind: civilian, figures: 2}, "
    foot = "foot: {name: Foot, side: red, arm: infantry, kind: tribal, figures: 8}, men: {name: Men, side: blue, arm: infantry, kind: tribal, figures: 8}"
    assert {name: spec.points for name, spec in game(units=carts + foot).plan.units.items()} == {
        "carts": 0, "foot": 1, "men": 1,
    }  # fmt: skip


@pytest.mark.rule("AFR-311")
def test_guns_bombard_the_next_hex_too(book: Any, at: Any) -> None:
    gun = unit_of(book(), "gun", "red", "art_field", at(4, 4))
    for row, reached in ((5, True), (10, True), (11, False)):
        battle = bare_battle(book(), [gun], structures={at(4, row): StructureSpec("wood", 3, "blue")}, size=(9, 12))
        assert (structure_targets(battle, gun) == [("structure", at(4, row))]) is reached


@pytest.mark.rule("AFR-056", "AFR-061")
def test_stages_without_anybody_to_act_are_passed_over(game: Any, book: Any, at: Any, scripted: Any) -> None:
    """Without orders no unit moves or mounts: battles follow the event stage, and then the card is discarded."""
    play = game()
    battle = bare_battle(book(), [unit_of(book(), "us", "red", "inf_b", at(4, 4))])
    battle.card, battle.stage = "red_1", "event"
    stages = []
    with scripted(battle, []) as table:
        while battle.stage != "draw":
            play.sequence.perform(table, battle, play.next_step(battle))
            stages.append(battle.stage)
    assert stages == ["battles", "draw"]
