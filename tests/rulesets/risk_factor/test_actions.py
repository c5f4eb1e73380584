"""Acts of units by their results (RSK-134 to RSK-146, RSK-191 to RSK-193)."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, line, row, scene, throw, troops

from zareba.base.exact import dist
from zareba.space.field.bodies import Body
from zareba_rulesets.risk_factor.chapters.action_moves import (
    action_this_turn,
    carry_out_result,
    is_surrounded,
    list_moves_and_charges,
    rout_blocker_bearings,
)
from zareba_rulesets.risk_factor.chapters.charge import carry_out_charge
from zareba_rulesets.risk_factor.chapters.movement import go


def go_on(field: Scene, name: str = "a", *answers: tuple[str, Any]) -> float:
    """Carry out a unit's result. Returns how far its centre moved."""
    before = field[name].body.centre
    field.run(carry_out_result, field[name], script=answers)
    return dist(before, field[name].body.centre) if field[name].hurt else 0.0


def told(result: str, *others: Any, terrain: Any = (), solo: tuple[str, ...] = ("red",), **traits: Any) -> Scene:
    """A unit of four at (50, 50) with a result, and enemies."""
    unit = troops("a", "red", (0, 0), at=row(4, 50), result=result, **traits)
    return scene(unit, *others, terrain=terrain, solo=solo)


def enemy(gap: float, **traits: Any) -> Any:
    return troops("e", "blue", (0, 0), at=row(4, 52.5 + gap), **traits)


@pytest.mark.rule("RSK-134", "RSK-146")
def test_continue_repeats_the_current_action() -> None:
    assert go_on(told("continue", enemy(100), action="advance")) == pytest.approx(25)
    assert go_on(told("continue", enemy(100), action="halt")) == 0
    march = told("continue", action="march", goal=(54.0, 150.0))
    assert go_on(march) == pytest.approx(25)
    assert action_this_turn(told("towards", enemy(100), action="halt")["a"]) == "advance"
    touching = told("advance", troops("e", "blue", (0, 0), at=[(50, 52.5)]))
    assert go_on(touching) == 0


@pytest.mark.rule("RSK-191")
@pytest.mark.parametrize("blocked", [False, True])
def test_march_ends_at_its_destination_or_the_nearest_free_place(blocked: bool) -> None:
    """The centre of six ranks is still 6 cm off after a move, so the march goes on unless friends bar it."""
    friend = [troops("pals", "red", (50, 87), 9, width=3)] if blocked else []
    field = scene(troops("a", "red", (50, 50), 18, width=3, action="march", goal=(50.0, 81.0)), *friend, solo=["red"])
    field["a"].result = "continue"
    states = []
    for _ in range(2):
        go_on(field)
        states.append((field["a"].action, round(field["a"].body.centre[1])))
    assert states == ([("march", 74), ("halt", 74)] if blocked else [("march", 75), ("halt", 81)])


@pytest.mark.rule("RSK-134", "RSK-193")
def test_with_no_enemy_in_sight_or_known_an_advance_stays() -> None:
    assert go_on(told("towards")) == 0
    assert go_on(told("advance")) == 0
    known = told("advance", enemy(100), terrain=[line("screen", "high_wall", (0, 100), (299, 100))])
    assert go_on(known) == 0
    known.battle.known = {"e": Body(((54.0, 90.0),), 1.25)}
    assert go_on(known) > 20


@pytest.mark.rule("RSK-134")
def test_six_with_no_enemy_in_sight_continues_a_march() -> None:
    def doing_at(die: int, *others: Any) -> str:
        field = scene(troops("a", "red", (50, 50), 4, action="march", goal=(54.0, 150.0)), *others)
        throw(field, die)
        list_moves_and_charges(field.battle)
        assert field.battle.risk["a"] <= 0
        return field["a"].action

    assert doing_at(6) == doing_at(5) == "march"
    foe = troops("e", "blue", (50, 180), 4, close="sword")
    assert (doing_at(6, foe), doing_at(5, foe)) == ("advance", "march")
    alone = scene(troops("a", "red", (50, 50), 4, action="retreat", status="retreating"))
    throw(alone, 5)
    assert alone["a"].result == "halt_in_cover", "that needs no enemy in sight"


@pytest.mark.rule("RSK-138")
def test_missile_troops_stop_at_medium_range() -> None:
    assert go_on(told("advance", enemy(100), weapon="rifle", loading="breech")) == pytest.approx(10, abs=0.5)
    assert go_on(told("advance", enemy(80), weapon="rifle", loading="breech")) == 0
    assert go_on(told("advance", enemy(100), weapon="musket", loading="muzzle")) == pytest.approx(25)


@pytest.mark.rule("RSK-138", "RSK-137")
def test_close_combat_troops_attack_from_fifty_cm() -> None:
    for gap, action in ((50, "attack"), (50.5, "advance")):
        field = told("advance", enemy(gap), close="spear")
        moves, charges = list_moves_and_charges(field.battle)
        assert (field["a"].action, charges == ["a"], moves == ["a"]) == (
            action,
            action == "attack",
            action == "advance",
        )


@pytest.mark.rule("RSK-137")
@pytest.mark.setting("attack.native_bonus_when_commanded")
def test_natives_attack_a_die_farther() -> None:
    def contact(*marks: str, throws: bool = True, **settings: Any) -> bool:
        unit = troops("a", "red", (0, 0), at=[(50, 50)], native=True, close="spear", marks=marks)
        field = scene(unit, troops("e", "blue", (0, 0), at=[(50, 52.5 + 28)]), **settings)
        field.run(carry_out_charge, field["a"], script=([("attack", [3])] if throws else []))
        return bool(field.battle.enemies_in_contact(field["a"]))

    assert contact() and contact("free")
    assert not contact("free", throws=False, attack_native_bonus_when_commanded=False)


@pytest.mark.rule("RSK-139")
def test_halt_only_turns() -> None:
    field = told("halt", troops("e", "blue", (150, 52), 4))
    moves, charges = list_moves_and_charges(field.battle)
    assert not moves and not charges
    assert field["a"].facing == pytest.approx(90, abs=3)
    assert field["a"].action == "halt"


@pytest.mark.rule("RSK-140", "RSK-193")
def test_retreat_into_cover_farther_off_or_straight_away() -> None:
    wood = ground("wood", "wood", [(45, 30), (65, 30), (65, 40), (45, 40)])
    field = told("retreat", enemy(40), terrain=[wood])
    go_on(field)
    assert field["a"].body.centre == pytest.approx((54.1, 38.75), abs=0.1)
    away = told("retreat", enemy(40))
    assert go_on(away) == pytest.approx(25) and away["a"].body.centre[1] == pytest.approx(25, abs=0.5)
    asked = told("retreat", enemy(40), terrain=[wood], solo=())
    assert go_on(asked, "a", ("retreat", "away")) == pytest.approx(17.5, abs=0.1)
    front = ground("front", "wood", [(45, 60), (65, 60), (65, 70), (45, 70)])
    assert go_on(told("retreat", enemy(40), terrain=[front])) == pytest.approx(25)


@pytest.mark.rule("RSK-140")
@pytest.mark.parametrize("solo", [("red",), ()])
def test_unit_withdraws_straight_back_if_friends_fill_the_cover(solo: tuple[str, ...]) -> None:
    wood = ground("wood", "wood", [(64, 30), (84, 30), (84, 46), (64, 46)])
    south = [(48 + 2.5 * n, 47.4 - 2.5 * rank) for n in range(14) for rank in range(5)]
    crowd = troops("crowd", "red", (0, 0), at=[*south, *row(8, 49.9, 60.8, 2.5)])
    field = told("retreat", enemy(40), crowd, terrain=[wood], solo=solo)
    assert go_on(field, "a", *([] if solo else [("retreat", "cover")])) == pytest.approx(25)
    assert field["a"].body.centre[1] == pytest.approx(25, abs=0.5)


@pytest.mark.rule("RSK-140")
@pytest.mark.parametrize("solo", [("red",), ()])
@pytest.mark.parametrize("back", [0.0, -1e-9, -0.2, -1.0])
def test_the_cover_where_a_unit_stands_already_is_none_to_retreat_into(solo: tuple[str, ...], back: float) -> None:
    """A short wall does not cover all men of the unit, so it may not stay. Moving behind it is no retreat."""
    wall = line("wall", "works", (52, 52.5 + back), (56, 52.5 + back))
    field = told("retreat", enemy(40), terrain=[wall], solo=solo)
    assert go_on(field) == pytest.approx(25)
    assert field["a"].body.centre[1] == pytest.approx(25, abs=0.5)


@pytest.mark.rule("RSK-136")
def test_units_falling_back_halt_in_the_nearest_cover() -> None:
    wood = ground("wood", "wood", [(45, 30), (65, 30), (65, 40), (45, 40)])
    field = told("halt_in_cover", enemy(60), terrain=[wood], action="retreat", status="retreating")
    assert go_on(field) > 10
    assert (field["a"].status, field["a"].action) == ("steady", "halt")
    assert min(field["a"].facing, 360 - field["a"].facing) < 10
    bare = told("halt_in_cover", enemy(60), action="retreat", status="retreating")
    assert go_on(bare) == 0 and bare["a"].status == "steady"


@pytest.mark.rule("RSK-136", "RSK-140")
@pytest.mark.parametrize(
    ("edge", "reached"),
    [(40.0, True), (28.0, True), (27.0, False), (17.0, False)],
)
def test_cover_is_reached_at_its_near_side(edge: float, reached: bool) -> None:
    """A wood deeper than a move, with `edge` as its near side. The unit goes just inside if a move is long enough."""
    wood = ground("wood", "wood", [(0, -200), (200, -200), (200, edge), (0, edge)])
    field = told("halt_in_cover", enemy(60), terrain=[wood], action="retreat", status="retreating", width=4)
    assert (go_on(field) > 0) is reached
    inside = [y < edge for _, y in field["a"].body.at]
    assert all(inside) is reached
    if reached:
        assert field["a"].body.centre[1] == pytest.approx(edge - 1.25, abs=0.1)


@pytest.mark.rule("RSK-136")
def test_unit_falling_back_inside_a_wood_halts() -> None:
    wood = ground("wood", "wood", [(0, 0), (200, 0), (200, 60), (0, 60)])
    field = told("halt_in_cover", enemy(60), terrain=[wood], action="retreat", status="retreating")
    assert go_on(field) == 0 and field["a"].status == "steady"


@pytest.mark.rule("RSK-143")
def test_closed_ground_bars_every_ten_degrees_of_its_arc() -> None:
    """A river bank to the north is 20 cm off. Within a rout of 30 cm it covers the arc from -48 to 48 degrees."""
    river = ground("river", "closed", [(0, 120), (200, 120), (200, 140), (0, 140)])
    unit = troops("a", "red", (0, 0), at=[(100, 100)], status="routing", result="rout")
    field = scene(unit, troops("e", "blue", (0, 0), at=[(100, 68.75), (100, 68.74)]), terrain=[river])
    found = sorted(rout_blocker_bearings(field.battle, field["a"]))
    assert found == [0, 10, 20, 30, 40, 180, 320, 330, 340, 350]


@pytest.mark.rule("RSK-143")
def test_routers_take_no_prisoners() -> None:
    """The nearest enemies are routing too, so the group surrenders to the enemies that hold their ground."""
    field = scene(
        troops("a", "red", (0, 0), at=[(100, 100)], status="routing", result="rout"),
        troops("e", "blue", (0, 0), at=ring((20, 95, 170, 250, 320))),
        troops("runs", "blue", (0, 0), at=[(100, 110)], status="routing"),
    )
    go_on(field)
    assert field.battle.captives[0].captor == "e"


@pytest.mark.rule("RSK-142", "RSK-193")
def test_rout_runs_five_cm_more_from_all_enemies_near() -> None:
    field = told("rout", enemy(20), status="routing")
    assert go_on(field) == pytest.approx(30)
    two = told("rout", enemy(20), troops("f", "blue", (0, 0), at=[(90, 50)]), status="routing")
    go_on(two)
    assert two["a"].body.centre[0] < 50 and two["a"].body.centre[1] < 50
    house = ground("house", "built_up", [(70, 40), (75, 40), (75, 60), (70, 60)])
    hidden = told("rout", enemy(20), troops("f", "blue", (0, 0), at=[(90, 50)]), status="routing", terrain=[house])
    go_on(hidden)
    assert hidden["a"].body.centre[0] == pytest.approx(field["a"].body.centre[0], abs=0.5)
    blind = told("rout", status="routing", facing=90.0)
    go_on(blind)
    assert blind["a"].body.centre[0] == pytest.approx(54.1 - 30, abs=0.5)


def ring(bearings: tuple[int, ...], away: float = 20.0) -> list[tuple[float, float]]:
    from math import cos, radians, sin

    return [(100 + away * sin(radians(b)), 100 + away * cos(radians(b))) for b in bearings]


@pytest.mark.rule("RSK-143")
@pytest.mark.setting("rout.escape_gap")
def test_surrounded_routers_surrender() -> None:
    def caught(bearings: tuple[int, ...], terrain: Any = (), **settings: Any) -> Scene:
        return scene(
            troops("a", "red", (0, 0), at=[(100, 100)], status="routing", result="rout"),
            troops("e", "blue", (0, 0), at=ring(bearings)),
            terrain=terrain,
            **settings,
        )

    assert is_surrounded(caught((20, 95, 170, 250, 320)).battle, caught((20, 95, 170, 250, 320))["a"])
    assert not is_surrounded(caught((0, 90, 180, 270)).battle, caught((0, 90, 180, 270))["a"])
    wide = caught((0, 90, 180, 270), rout_escape_gap=91)
    assert is_surrounded(wide.battle, wide["a"])
    field = caught((20, 95, 170, 250, 320))
    go_on(field)
    assert field.battle.gone == {"a": "captured"} and field.battle.held_by(field["e"]) == 1
    river = ground("river", "closed", [(0, 70), (200, 70), (200, 80), (0, 80)])
    assert is_surrounded(caught((0, 60, 300), [river]).battle, caught((0, 60, 300), [river])["a"])
    routing_foes = caught((20, 95, 170, 250, 320))
    routing_foes["e"].status = "routing"
    assert not is_surrounded(routing_foes.battle, routing_foes["a"])


@pytest.mark.rule("RSK-143")
def test_routers_surrounded_by_leaders_surrender_to_the_nearest() -> None:
    places = ring((95, 170, 250, 320)) + ring((20,), 15.0)
    chiefs = [leader(f"chief {number}", "blue", at, "chief") for number, at in enumerate(places)]
    unit = troops("a", "red", (0, 0), at=[(100, 100)], status="routing", result="rout")
    field = scene(unit, *chiefs)
    go_on(field)
    assert [captives.captor for captives in field.battle.captives] == ["chief 4"]


@pytest.mark.rule("RSK-143", "RSK-192")
@pytest.mark.parametrize(("marks", "gone"), [((), {"a", "nco"}), (("linked", "free"), {"a"})])
def test_leaders_without_orders_surrender_with_their_group(marks: tuple[str, ...], gone: set[str]) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(100, 100)], status="routing", result="rout"),
        leader("nco", "red", (103, 100), "nco", marks=marks),
        leader("other", "red", (150, 100), "nco"),
        troops("e", "blue", (0, 0), at=ring((20, 95, 170, 250, 320))),
    )
    go_on(field)
    assert field.battle.gone == dict.fromkeys(gone, "captured")
    assert field.battle.held_by(field["e"]) == len(gone)


@pytest.mark.rule("RSK-145")
def test_routers_over_the_edge_are_lost_but_no_casualties() -> None:
    unit = troops("a", "red", (0, 0), at=row(4, 10), result="rout", status="routing")
    field = scene(unit, troops("e", "blue", (0, 0), at=row(4, 40)))
    go_on(field)
    assert field.battle.gone == {"a": "fled"} and field["a"].dead == 0


@pytest.mark.rule("RSK-145")
@pytest.mark.parametrize(("places", "told"), [([10, 60], ["over the edge", "loss"]), ([10], ["loss", "fled"])])
def test_log_reports_men_who_leave_the_table(places: list[float], told: list[str]) -> None:
    """Men in single file: the rearmost leave the board, the foremost stay."""
    unit = troops("a", "red", (0, 0), at=[(50, y) for y in places], result="rout", status="routing")
    field = scene(unit, troops("e", "blue", (0, 0), at=[(50, 90)]))
    with field.script() as table:
        carry_out_result(table, field.battle, field["a"])
    assert [event.kind for event in table.events if event.kind != "move"] == told


@pytest.mark.rule("RSK-145", "RSK-192")
@pytest.mark.parametrize(("y", "fled"), [(10.0, True), (60.0, False)])
def test_leaders_without_orders_flee_with_their_group(y: float, fled: bool) -> None:
    unit = troops("a", "red", (0, 0), at=row(4, y), result="rout", status="routing")
    chief, free = leader("chief", "red", (52, y - 4)), leader("pc", "red", (58, y - 4), marks=["free"])
    field = scene(unit, chief, free, troops("e", "blue", (0, 0), at=row(4, y + 30)))
    go_on(field)
    assert ("chief" in field.battle.gone) is ("a" in field.battle.gone) is fled
    assert "pc" not in field.battle.gone


@pytest.mark.rule("RSK-146")
def test_in_contact_only_going_back_moves_a_unit() -> None:
    for result, moves in (
        ("attack", False),
        ("advance", False),
        ("continue", False),
        ("retreat", True),
        ("rout", True),
    ):
        field = told(result, troops("e", "blue", (0, 0), at=row(4, 52.5)), action="attack")
        assert (go_on(field) > 1) is moves, result


@pytest.mark.rule("RSK-146", "RSK-079")
@pytest.mark.parametrize(
    ("bearing", "gap", "goes"),
    [(85.0, 0.05, True), (95.0, 0.05, True), (110.0, 0.5, True), (120.0, 0.05, False), (150.0, 0.5, False)],
)
def test_enemy_at_the_side_blocks_a_retreat_only_if_in_its_path(bearing: float, gap: float, goes: bool) -> None:
    """One enemy is in front of the man, another at his side. He goes back to the south."""
    beside = (50 + (2.5 + gap) * sin(radians(bearing)), 50 + (2.5 + gap) * cos(radians(bearing)))
    man = troops("a", "red", (0, 0), at=[(50, 50)], result="retreat")
    field = scene(man, troops("e", "blue", (0, 0), at=[(50, 52.5), beside]), solo=("red",))
    assert (go_on(field) > 10) is goes


HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


@pytest.mark.rule("RSK-142")
@WITHIN
def test_routers_flee_from_all_enemies_within_fifty_cm(over: float, within: bool) -> None:
    """One enemy is north of the routers. With another within 50 cm to the east they run south-west, else south."""
    field = scene(
        man("a", "red", 100, 100, status="routing", result="rout"),
        man("north", "blue", 100, 120),
        man("east", "blue", 152.5 + over, 100),
    )
    field.run(carry_out_result, field["a"])
    x, y = field["a"].body.at[0]
    assert ((x, y) == pytest.approx((100 - 30 * sin(radians(45)), 100 - 30 * cos(radians(45))))) is within
    assert ((x, y) == pytest.approx((100, 70))) is not within


@pytest.mark.rule("RSK-142", "RSK-072", "RSK-074")
@pytest.mark.parametrize(
    ("traits", "cm"), [({}, 30), ({"hurt": 1}, 25), ({"mounted": True}, 45), ({"mounted": True, "hurt": 1}, 37)]
)
def test_routers_go_five_cm_more_than_they_could_march(traits: dict[str, Any], cm: float) -> None:
    field = scene(man("a", "red", 100, 100, status="routing", result="rout", **traits), man("e", "blue", 100, 150))
    field.run(carry_out_result, field["a"])
    assert field["a"].body.at[0][1] == pytest.approx(100 - cm)


@pytest.mark.rule("RSK-076", "RSK-077", "RSK-142")
def test_the_five_cm_come_on_top_of_the_half_move_that_a_barrier_takes() -> None:
    field = scene(man("a", "red", 50, 50), terrain=[line("fence", "hedge", (0, 60), (100, 60))])
    with field.script() as table:
        go(table, field.battle, field["a"], [(50, 50), (50, 90)], 30, bonus=5.0)
    assert field["a"].body.at[0][1] == pytest.approx(50 + 30 - 12.5)


@pytest.mark.rule("RSK-008", "RSK-146")
@pytest.mark.parametrize(("support", "goes"), [("", True), ("gun", False)])
def test_a_crew_that_the_tables_send_to_attack_stays_with_its_gun(support: str, goes: bool) -> None:
    field = scene(troops("a", "red", (50, 50), 4, support=support), troops("b", "blue", (50, 70), 4))
    before = field["a"].body
    field.run(carry_out_charge, field["a"])
    assert (field["a"].body != before) is bool(field.battle.figures_in_contact(field["a"])) is goes
