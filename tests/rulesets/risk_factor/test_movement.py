"""Movement: allowances, ground, barriers, passing, horses (RSK-071 to RSK-080)."""

from __future__ import annotations

from math import cos, sin
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, line, row, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import game, order_options

from zareba.agents import make_agent
from zareba.base.exact import dist
from zareba.scenario import load_scenario
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba.table import Choose, Place, SeededTable
from zareba_rulesets.risk_factor.actions import give_order, refusal, suggestions
from zareba_rulesets.risk_factor.chapters.action_moves import is_surrounded
from zareba_rulesets.risk_factor.chapters.casualties import Figure
from zareba_rulesets.risk_factor.chapters.command import is_coherent
from zareba_rulesets.risk_factor.chapters.movement import allowance, full_move, go, keeps_off, march_cost, path_to
from zareba_rulesets.risk_factor.chapters.movement import walk as one_walk
from zareba_rulesets.risk_factor.chapters.sight import lines_of_fire
from zareba_rulesets.risk_factor.chapters.targets import able_figures, has_loaded, may_use
from zareba_rulesets.risk_factor.game import RskGame
from zareba_rulesets.risk_factor.translation import Plan


def walk(field: Scene, name: str, to: tuple[float, float], length: float = 100.0, **more: Any) -> list[float]:
    """Move a unit towards a point. Returns how far each of its figures went."""
    before = field[name].body.at
    with field.script() as table:
        go(table, field.battle, field[name], [field[name].body.centre, to], length, **more)
    after = field[name].body.at
    return [round(dist(a, b), 2) for a, b in zip(before, after, strict=True)]


def cm(hurt: bool = False, rough: bool = False, setting: dict[str, Any] | None = None, **traits: Any) -> float:
    field = scene(troops("a", "red", (50, 50), 4, **traits), **(setting or {}))
    return allowance(field.battle, field["a"], hurt, rough)


@pytest.mark.rule("RSK-071", "RSK-072", "RSK-073", "RSK-025")
def test_allowances_on_foot() -> None:
    assert cm() == 25
    assert cm(hurt=True) == 20
    assert cm(civilian=True) == cm(civilian=True, hurt=True) == 20
    assert cm(civilian=True, skirts="down") == 15


@pytest.mark.rule("RSK-074")
@pytest.mark.setting("movement.mounted_wounded")
def test_riders_and_wounded_riders() -> None:
    assert cm(mounted=True) == 40
    assert cm(mounted=True, hurt=True) == 32
    assert cm(mounted=True, hurt=True, setting={"movement_mounted_wounded": 20.0}) == 20


@pytest.mark.rule("RSK-075")
@pytest.mark.setting("movement.mounted_rough")
def test_riders_off_open_ground_go_at_foot_pace() -> None:
    bush = ground("bush", "bush", [(0, 60), (100, 60), (100, 70), (0, 70)])

    def ride(**settings: Any) -> float:
        field = scene(troops("a", "red", (50, 50), at=[(50, 50)], mounted=True), terrain=[bush], **settings)
        return walk(field, "a", (50, 150))[0]

    assert ride() == 25
    assert ride(movement_mounted_rough="double_cost") == 40
    hurt = scene(troops("a", "red", (50, 50), at=[(50, 50)], mounted=True, hurt=1), terrain=[bush])
    assert walk(hurt, "a", (50, 150)) == [20], "a wounded rider goes as a wounded man on foot"
    fence = line("fence", "hedge", (0, 60), (100, 60))
    open_ground = scene(troops("a", "red", (50, 50), at=[(50, 50)], mounted=True), terrain=[fence])
    assert walk(open_ground, "a", (50, 150)) == [20], "a low barrier costs half of 40, but does not make ground rough"
    marsh = ground("marsh", "broken", [(0, 60), (100, 60), (100, 90), (0, 90)])
    for rough, cm in (("foot_rate", 17.5), ("double_cost", 25.0)):
        field = scene(
            troops("a", "red", (50, 50), at=[(50, 50)], mounted=True), terrain=[marsh], movement_mounted_rough=rough
        )
        assert walk(field, "a", (50, 150)) == [cm]


@pytest.mark.rule("RSK-075")
@pytest.mark.parametrize(
    ("edge", "comes", "hurt"),
    [(60, 25, False), (75, 25, False), (80, 30, False), (89.5, 39.5, False), (90, 40, False), (80, 30, True)],
)
def test_rough_ground_that_a_rider_never_reaches_does_not_slow_him(edge: float, comes: float, hurt: bool) -> None:
    """A rider goes 25 cm into the bush, or at full pace up to its edge if that is farther."""
    bush = ground("bush", "bush", [(0, edge), (100, edge), (100, 150), (0, 150)])
    field = scene(troops("a", "red", (0, 0), at=[(50, 50)], mounted=True, hurt=int(hurt)), terrain=[bush])
    assert walk(field, "a", (50, 150)) == [pytest.approx(comes)]


@pytest.mark.rule("RSK-075", "RSK-079")
def test_a_rider_who_goes_round_a_pond_is_slowed_by_the_bush_on_his_way_only() -> None:
    """The bush on the far bank is on the straight line from start to end, but not on the rider's path."""
    pond = ground("pond", "closed", [(40, 60), (70, 60), (70, 70), (40, 70)])
    bush = ground("bush", "bush", [(52, 70.2), (54, 70.2), (54, 72), (52, 72)])
    here, there = (42.0, 50.0), (55.0, 74.0)
    field = scene(troops("a", "red", (0, 0), at=[here], mounted=True), terrain=[pond, bush])
    assert "bush" in {met.piece for met in field.battle.field.table.crossed(here, there)}
    end, _, _ = one_walk(field.battle, field["a"], False, [here, (39.9, 60.0), (39.9, 70.0), there], 0.0)
    assert end == there
    end, _, _ = one_walk(field.battle, field["a"], False, [here, (39.9, 60.0), (39.9, 71.0), (60.0, 71.0)], 0.0)
    assert end == pytest.approx((52.0, 71.0)), "up to the bush, at his own pace"


@pytest.mark.rule("RSK-071", "RSK-076", "RSK-077")
def test_the_cost_of_a_move_is_shown_before_the_choice() -> None:
    """The cost shown in advance equals what the move spends, as far as the allowance lasts."""
    marsh = ground("marsh", "broken", [(0, 60), (100, 60), (100, 63), (0, 63)])
    fence = line("fence", "hedge", (0, 80), (100, 80))
    for goal in ((50.0, 55.0), (50.0, 62.0), (52.0, 66.0)):
        field = scene(troops("a", "red", (50, 50), at=[(50, 50)]), terrain=[marsh, fence])
        told = march_cost(field.battle, field["a"], goal)
        _, spent, _ = one_walk(field.battle, field["a"], False, [(50.0, 50.0), goal], 0.0)
        assert told.spent == pytest.approx(spent) and told.allowance == 25
    far = march_cost(field.battle, field["a"], (50.0, 90.0))
    assert far.spent == pytest.approx(40.0 + 3.0 + 12.5), "the ground, and half of the allowance for the hedge"
    riders = scene(troops("a", "red", (50, 50), at=[(50, 50)], mounted=True), terrain=[marsh])
    assert march_cost(riders.battle, riders["a"], (50.0, 58.0)).allowance == 40
    assert march_cost(riders.battle, riders["a"], (50.0, 62.0)).allowance == 25, "at foot pace through it"


@pytest.mark.rule("RSK-076")
def test_difficult_ground_counts_double() -> None:
    marsh = ground("marsh", "broken", [(0, 60), (100, 60), (100, 68), (0, 68)])
    field = scene(troops("a", "red", (50, 50), at=[(50, 50)]), terrain=[marsh])
    assert walk(field, "a", (50, 150)) == [17.5]
    slope = ground("slope", "steep", [(0, 55), (100, 55), (100, 80), (0, 80)])
    both = scene(troops("a", "red", (50, 50), at=[(50, 50)]), terrain=[marsh, slope])
    assert walk(both, "a", (50, 150)) == [15], "a marsh on a slope counts double, not fourfold"


@pytest.mark.rule("RSK-090", "RSK-192")
@pytest.mark.parametrize(("cm", "riders", "shoots"), [(12, False, True), (20, False, False), (18, True, False)])
def test_leader_moved_by_his_group_has_moved_as_far(cm: float, riders: bool, shoots: bool) -> None:
    """After 18 cm riders have used less than half their move, but the NCO on foot next to them has used more."""
    arms: dict[str, Any] = {"weapon": "rifle", "loading": "breech"}
    group = troops("a", "red", (50, 50), 5, mounted=riders)
    field = scene(group, leader("nco", "red", (50, 53.5), marks=["linked"], **arms))
    field.run(go, field["a"], [(50, 50), (50, 50 + cm)], 25)
    assert field["nco"].body.at[0][1] == pytest.approx(53.5 + cm)
    assert may_use(field.battle, field["nco"], "rifle") is shoots


@pytest.mark.rule("RSK-163")
@pytest.mark.parametrize(("traits", "charges"), [({}, True), ({"civilian": True}, False), ({"support": "gun"}, False)])
def test_civilians_and_crews_get_no_charge_orders(traits: dict[str, Any], charges: bool) -> None:
    field = scene(troops("a", "red", (50, 50), 4, marks=["free"], **traits), troops("b", "blue", (50, 62), 4))
    assert (("charge", "b") in order_options(field.battle, field["a"])) is charges


@pytest.mark.rule("RSK-077")
@pytest.mark.setting("movement.barrier_cost")
def test_a_low_barrier_costs_half_or_two_whole_moves() -> None:
    fence = line("fence", "hedge", (0, 60), (100, 60))

    def cross(start: float, **settings: Any) -> Scene:
        return scene(troops("a", "red", (50, start), at=[(50, start)]), terrain=[fence], **settings)

    assert walk(cross(50), "a", (50, 150)) == [12.5]
    late = cross(40)
    assert walk(late, "a", (50, 150))[0] == pytest.approx(20, abs=0.01)
    assert walk(late, "a", (50, 150))[0] == pytest.approx(12.5, abs=0.01)
    slow = cross(50, movement_barrier_cost="two_moves")
    assert walk(slow, "a", (50, 150))[0] == pytest.approx(10, abs=0.01)
    assert walk(slow, "a", (50, 150))[0] == pytest.approx(0, abs=0.01)
    assert slow["a"].body.at[0][1] < 60, "it has spent one whole move there"
    walk(slow, "a", (50, 150))
    assert 60 < slow["a"].body.at[0][1] < 61, "and now two"
    assert slow["a"].crossing == 0


@pytest.mark.rule("RSK-072", "RSK-078")
def test_the_wounded_lag_behind_and_a_group_faces_the_way_it_moved() -> None:
    field = scene(troops("a", "red", (50, 50), 4, hurt=1, width=4))
    assert walk(field, "a", (50, 0)) == [25, 25, 25, 20]
    assert field["a"].facing == pytest.approx(180, abs=5)


@pytest.mark.rule("RSK-079")
def test_friends_may_be_passed_but_not_stood_on_and_enemies_stop_a_move() -> None:
    passed = scene(troops("a", "red", (50, 50), at=[(50, 50)]), troops("b", "red", (50, 60), at=[(50, 60)]))
    assert walk(passed, "a", (50, 150)) == [25]
    ended = scene(troops("a", "red", (50, 50), at=[(50, 50)]), troops("b", "red", (50, 75), at=[(50, 75)]))
    assert walk(ended, "a", (50, 150))[0] <= 22.5
    enemy = scene(troops("a", "red", (50, 50), at=[(50, 50)]), troops("b", "blue", (50, 65), at=[(50, 65)]))
    assert walk(enemy, "a", (50, 150)) == [12.0]


@pytest.mark.rule("RSK-145")
def test_only_those_who_go_back_cross_the_edge() -> None:
    field = scene(troops("a", "red", (50, 10), at=[(50, 10), (60, 30)]))
    with field.script() as table:
        go(table, field.battle, field["a"], [(55, 20), (55, -50)], 25, may_leave=True)
    assert field["a"].count == 1 and field["a"].dead == 0
    assert [event.data["lost"] for event in table.events if event.kind == "loss"] == [1]
    halted = scene(troops("a", "red", (50, 10), at=[(50, 10), (60, 30)]))
    walk(halted, "a", (50, -50))
    assert halted["a"].count == 2 and min(y for _, y in halted["a"].body.at) >= 0


@pytest.mark.rule("RSK-080")
def test_dismounting_takes_half_the_move_and_a_man_in_four_holds_horses() -> None:
    riders = troops(
        "a", "red", (50, 50), 8, mounted=True, can_dismount=True, weapon="rifle", loading="breech", marks=["free"]
    )
    field = scene(riders, troops("foe", "blue", (50, 100), 8))
    plan: Any = Plan
    field.run(give_order, field["a"], plan, script=[("order", "dismount"), ("go on", "hold")])
    assert not field["a"].mounted and "moved" not in field["a"].marks
    assert not has_loaded(field.battle, field["a"]), "half a move is no time to load as well"
    assert allowance(field.battle, field["a"], False) == 25
    pool = [Figure("foe", j) for j in range(8)]
    shots = able_figures(
        field.battle, field["a"], field["foe"], "rifle", pool, lines_of_fire(field.battle, field["a"], field["foe"])
    )
    assert len(shots) == 6


@pytest.mark.rule("RSK-080")
@pytest.mark.parametrize(("riders", "able"), [(4, 3), (9, 6), (12, 9)])
def test_one_man_in_four_holds_the_horses(riders: int, able: int) -> None:
    traits: dict[str, Any] = {"mounted": True, "can_dismount": True, "weapon": "rifle", "loading": "breech"}
    field = scene(
        troops("a", "red", (50, 50), riders, width=12, marks=["dismounted"], **traits),
        troops("foe", "blue", (50, 90), 8),
    )
    between = lines_of_fire(field.battle, field["a"], field["foe"])
    pool = [Figure("foe", j) for j in range(8)]
    assert len(able_figures(field.battle, field["a"], field["foe"], "rifle", pool, between)) == able


@pytest.mark.rule("RSK-080", "RSK-090")
@pytest.mark.parametrize(("marks", "order", "cm"), [((), "dismount", 12.5), (("dismounted",), "mount", 20.0)])
def test_half_a_move_is_left_after_a_change_of_footing(marks: tuple[str, ...], order: str, cm: float) -> None:
    traits: dict[str, Any] = {"mounted": True, "can_dismount": True, "weapon": "rifle", "loading": "breech"}
    riders = troops("a", "red", (50, 50), 4, marks=["free", "commanded", *marks], volley=True, **traits)
    field = scene(riders)
    with field.script(("order", order), ("go on", "march"), ("march to", (50.0, 150.0))) as table:
        give_order(table, field.battle, field["a"], game().plan)
    assert field["a"].body.centre[1] == pytest.approx(50 + cm)
    assert not may_use(field.battle, field["a"], "rifle"), "its whole move is spent"


@pytest.mark.rule("RSK-046")
@pytest.mark.setting("groups.coherency")
def test_a_pace_that_parts_a_group_is_not_offered() -> None:
    """At half the move a house would separate the two men. At the end of the whole move they see each other again."""
    house = ground("house", "built_up", [(45, 54), (55, 54), (55, 64), (45, 64)])

    def told(*answers: tuple[str, Any], **settings: Any) -> Scene:
        pair = troops("a", "red", (0, 0), at=[(40, 45), (60, 45)], marks=["free"])
        field = scene(pair, leader("pc", "red", (150, 20), marks=["free"]), terrain=[house], **settings)
        field.run(give_order, field["a"], game().plan, script=answers)
        return field

    march = (("order", "march"), ("march to", (50.0, 150.0)))
    assert told(*march)["a"].body.centre[1] == pytest.approx(70)
    loose = told(*march, ("pace", "half"), groups_coherency="warn")
    assert loose["a"].body.centre[1] == pytest.approx(57.5)


@pytest.mark.rule("RSK-046")
@pytest.mark.setting("groups.coherency")
def test_a_withdrawal_that_would_part_a_group_is_not_offered() -> None:
    def offered(y: float, **settings: Any) -> bool:
        house = ground("house", "built_up", [(45, 60), (55, 60), (55, 80), (45, 80)])
        pair = troops("a", "red", (0, 0), at=[(40, y), (60, y)], marks=["free"])
        foe = troops("b", "blue", (0, 0), at=[(40, y + 60), (60, y + 60)])
        field = scene(pair, foe, terrain=[house], **settings)
        return "withdraw" in order_options(field.battle, field["a"])

    assert offered(125) and not offered(95)
    assert offered(95, groups_coherency="warn")


@pytest.mark.rule("RSK-046")
@pytest.mark.setting("groups.coherency")
@pytest.mark.parametrize(
    ("y", "order"), [(45, ("advance", "b")), (95, "withdraw"), (45, "march")], ids=["advance", "withdraw", "march"]
)
def test_log_reports_groups_split_by_any_order(y: float, order: Any) -> None:
    house = ground("house", "built_up", [(45, 60), (55, 60), (55, 80), (45, 80)])
    pair = troops("a", "red", (0, 0), at=[(40, y), (60, y)], marks=["free"])
    foe = troops("b", "blue", (0, 0), at=[(40, y + 60), (60, y + 60)])
    field = scene(pair, foe, terrain=[house], groups_coherency="warn")
    goal = (("march to", (50.0, 150.0)),) if order == "march" else ()
    turn = (("face", 0),) if order == "withdraw" else ()
    with field.script(("order", order), *goal, ("pace", "full"), *turn) as table:
        give_order(table, field.battle, field["a"], game().plan)
    assert [event.kind for event in table.events] == ["move", "scattered"]


@pytest.mark.rule("RSK-046")
@pytest.mark.setting("groups.coherency")
def test_a_march_out_of_sight_of_all_mates_is_refused() -> None:
    house = ground("house", "built_up", [(45, 60), (55, 60), (55, 80), (45, 80)])
    field = scene(troops("a", "red", (0, 0), at=[(40, 45), (60, 45)]), terrain=[house])
    assert not is_coherent(field.battle, Body(((40, 70), (60, 70)), 1.25))
    assert is_coherent(field.battle, field["a"].body)
    assert "out of sight" in (refusal(field.battle, field["a"], 25.0)((50, 70)) or "")
    loose = scene(troops("a", "red", (0, 0), at=[(40, 45), (60, 45)]), terrain=[house], groups_coherency="warn")
    assert refusal(loose.battle, loose["a"], 25.0)((50, 70)) is None
    assert refusal(loose.battle, loose["a"], 25.0)((500, 70)) == "that point is off the table"


@pytest.mark.rule("RSK-046")
@pytest.mark.setting("groups.coherency")
def test_an_advance_that_would_part_a_group_is_not_offered() -> None:
    def offered(*enemies: tuple[float, float], **settings: Any) -> bool:
        house = ground("house", "built_up", [(45, 60), (55, 60), (55, 80), (45, 80)])
        pair = troops("a", "red", (0, 0), at=[(40, 45), (60, 45)], marks=["free"])
        field = scene(pair, troops("b", "blue", (0, 0), at=enemies), terrain=[house], **settings)
        return ("advance", "b") in order_options(field.battle, field["a"])

    assert not offered((30, 110), (70, 110))
    assert offered((30, 110), (70, 110), groups_coherency="warn")
    assert offered((150, 45))


def least_room(field: Scene, one: str) -> float:
    """Return the smallest distance from a unit's bases to all others; negative if any overlap."""
    others = [
        (unit.body.radius, point) for unit in field.battle.units.values() if unit.id != one for point in unit.body.at
    ]
    own = field[one].body
    return min(dist(here, there) - own.radius - radius for here in own.at for radius, there in others)


@pytest.mark.rule("RSK-079", "RSK-076")
def test_path_round_closed_ground_ends_clear_of_bases() -> None:
    """The last man passes the pond to the east, outside his comrades' path, where a friend is."""
    pond = ground("pond", "closed", [(58, 53), (63.5, 53), (63.5, 74), (58, 74)])
    field = scene(
        troops("a", "red", (0, 0), at=[(50 + 2.75 * i, 50) for i in range(5)]),
        troops("friend", "red", (0, 0), at=[(65.5, 74)]),
        terrain=[pond],
    )
    walk(field, "a", (55.5, 75))
    assert field["a"].body.at[-1][0] > 61
    assert least_room(field, "a") > -1e-6


@pytest.mark.rule("RSK-079", "RSK-192")
def test_leader_without_room_behind_takes_a_place_next_to_his_group() -> None:
    """A crowd of friends fills the place the leader would reach. There is room in front of his group."""
    field = scene(
        troops("a", "red", (50, 50), 10, width=5),
        leader("nco", "red", (50, 44.5), "nco"),
        troops("friends", "red", (75, 40.4), 50, width=10),
    )
    walk(field, "a", (150, 50))
    assert field["a"].body.centre == pytest.approx((75, 50))
    assert least_room(field, "nco") > -1e-6
    assert field.battle.gap(field["nco"], field["a"]).gap <= 5


@pytest.mark.rule("RSK-192")
def test_leaders_without_orders_move_with_their_group() -> None:
    field = scene(troops("a", "red", (50, 50), 6), leader("nco", "red", (50, 45), "nco"))
    walk(field, "a", (50, 150))
    assert field.battle.gap(field["nco"], field["a"]).gap <= 5
    assert field["nco"].body.at[0][1] == pytest.approx(70, abs=3)


@pytest.mark.rule("RSK-079", "RSK-074")
def test_men_round_a_wall_do_not_overlap_blocked_comrades() -> None:
    """The first men around the end of the wall would end on the places of those who are stuck behind it."""
    wall = line("wall", "high_wall", (30, 47), (56, 47))
    field = scene(troops("a", "red", (46, 44), 8, width=4), terrain=[wall])
    field.run(go, field["a"], path_to(field.battle, (46, 44), (40, 56)), 25)
    at = field["a"].body.at
    assert min(dist(a, b) for i, a in enumerate(at) for b in at[:i]) >= 2.49


@pytest.mark.rule("RSK-072", "RSK-142")
def test_a_unit_of_wounded_men_has_their_allowance() -> None:
    """Wounded routers run 25 cm, so enemies all round them at 27 cm do not block their way."""

    def is_shut_in(hurt: int) -> bool:
        ring = [(100 + 28 * sin(turn), 100 + 28 * cos(turn)) for turn in range(6)]
        field = scene(troops("a", "red", (100, 100), 1, hurt=hurt), troops("e", "blue", (0, 0), at=ring))
        return is_surrounded(field.battle, field["a"])

    assert is_shut_in(0) and not is_shut_in(1)
    mixed = scene(troops("a", "red", (50, 50), 4, hurt=3))
    assert full_move(mixed.battle, mixed["a"]) == 25


@pytest.mark.rule("RSK-076", "RSK-079")
def test_moves_do_not_end_in_deep_water() -> None:
    """The path around the water ends at a friend, and the straight line back from there leads into the water."""
    water = ground("water", "closed", [(40, 62), (100, 62), (100, 66), (40, 66)])
    field = scene(
        troops("a", "red", (0, 0), at=[(85, 58)]), troops("friend", "red", (0, 0), at=[(95.5, 67.4)]), terrain=[water]
    )
    field.run(go, field["a"], path_to(field.battle, (85, 58), (80, 70)), 25)
    assert not field.battle.field.is_closed(field["a"].body.at[0])


@pytest.mark.rule("RSK-072", "RSK-074", "RSK-192")
@pytest.mark.parametrize(("hurt", "bonus", "went"), [(0, 0, 25), (1, 0, 20), (1, 5, 25)])
def test_a_wounded_leader_goes_no_farther_with_his_group_than_he_can(hurt: int, bonus: int, went: int) -> None:
    field = scene(troops("a", "red", (100, 100), 6, width=3), leader("chief", "red", (100, 95), hurt=hurt))
    field.run(go, field["a"], [(100, 100), (100, 160)], 25 + bonus, bonus)
    assert field["chief"].body.at[0] == pytest.approx((100, 95 + went), abs=0.1)


@pytest.mark.rule("RSK-071", "RSK-192")
def test_a_leader_whose_place_is_taken_finds_another_within_his_move() -> None:
    friend = troops("b", "red", (0, 0), at=[(47, 75)])
    field = scene(troops("a", "red", (0, 0), at=row(4, 100)), leader("nco", "red", (47, 100), "nco"), friend)
    walk(field, "a", (54.125, 0))
    assert dist(field["nco"].body.at[0], (47, 100)) <= 25
    assert field.battle.gap(field["nco"], field["a"]).gap <= 5


@pytest.mark.rule("RSK-089", "RSK-090", "RSK-079")
@pytest.mark.parametrize(("mates", "far"), [(1, True), (7, False)])
def test_unit_blocked_by_friends_has_moved_only_its_path(mates: int, far: bool) -> None:
    """Past one friend there is room at 25 cm. A file of friends leaves room only in front of it, within half a move."""
    file = [(50, 60 + 2.5 * place) for place in range(mates)]
    field = scene(troops("a", "red", (0, 0), at=[(50, 50)]), troops("b", "red", (0, 0), at=file))
    walk(field, "a", (50, 150))
    assert "moved" in field["a"].marks and ("far" in field["a"].marks) is far
    at_edge = scene(troops("a", "red", (0, 0), at=[(50, 10)]))
    assert walk(at_edge, "a", (50, -50)) == [10.0]
    assert "far" not in at_edge["a"].marks


@pytest.mark.rule("RSK-038")
def test_move_of_no_length_does_not_count_as_a_move() -> None:
    field = scene(troops("a", "red", (0, 0), at=[(50, 50)]))
    assert walk(field, "a", (50, 150), 0.04) == [0.0]
    assert "moved" not in field["a"].marks
    assert walk(field, "a", (50, 150), 0.06) == [0.06]


@pytest.mark.rule("RSK-048", "RSK-088")
@pytest.mark.parametrize(("gap", "cm"), [(3.0, 0.0), (8.0, 7.5)])
def test_a_leader_goes_to_his_group_only_if_he_is_not_with_it(gap: float, cm: float) -> None:
    """If he is already with it he stays put and may load."""
    officer = leader("pc", "red", (50, 47.5 - gap), weapon="musket", loading="muzzle", marks=["linked", "busy", "free"])
    field = scene(troops("a", "red", (0, 0), at=row(4, 50)), officer)
    before = field["pc"].body.at[0]
    field.run(give_order, field["pc"], game().plan, script=[("order", ("join", "a"))])
    assert dist(before, field["pc"].body.at[0]) == pytest.approx(cm)
    assert has_loaded(field.battle, field["pc"]) is (cm == 0)


@pytest.mark.rule("RSK-048", "RSK-079")
@pytest.mark.parametrize("crowded", [False, True])
def test_a_leader_goes_past_friends_to_the_group_he_is_to_go_with(crowded: bool) -> None:
    """Friends fill all the ground between him and the group. There is room next to it."""
    crowd = [(47.5 + 2.5 * n, 62.6 + 2.5 * rank) for n in range(3) for rank in range(4)]
    field = scene(
        leader("pc", "red", (50, 60), marks=["free"]),
        troops("b", "red", (0, 0), at=crowd if crowded else [(100, 100)]),
        troops("a", "red", (0, 0), at=row(6, 74.5, 43.75, 2.5)),
        commanders=["pc"],
    )
    field.run(give_order, field["pc"], game().plan, script=[("order", ("join", "a"))])
    assert field.battle.host(field["pc"]) is field["a"]


@pytest.mark.rule("RSK-048")
@pytest.mark.parametrize(("gap", "cm"), [(0.9, 0.0), (1.2, 0.7)])
def test_a_leader_does_not_stir_for_less_than_half_a_cm(gap: float, cm: float) -> None:
    """Otherwise a leader between two groups would move to and fro every turn."""
    field = scene(
        leader("pc", "red", (50, 50), marks=["free"]),
        troops("a", "red", (0, 0), at=row(4, 52.5 + gap, 50)),
        troops("b", "red", (0, 0), at=row(4, 47.0, 50)),
        commanders=["pc"],
    )
    field.run(give_order, field["pc"], game().plan, script=[("order", ("join", "a"))])
    assert field["pc"].body.at[0] == pytest.approx((50, 50 + cm)) and ("moved" in field["pc"].marks) is (cm > 0)


@pytest.mark.rule("RSK-048")
@pytest.mark.parametrize(("gap", "offered"), [(0.5, False), (0.6, True)])
def test_going_with_a_group_that_stands_close_by_already_is_not_offered(gap: float, offered: bool) -> None:
    """Another group is closer, so he belongs to that one anyway. He may always join his own group."""
    field = scene(
        leader("pc", "red", (50, 50), marks=["free"]),
        troops("a", "red", (0, 0), at=row(4, 52.5 + gap, 50)),
        troops("b", "red", (0, 0), at=row(4, 47.3, 50)),
        commanders=["pc"],
    )
    options = order_options(field.battle, field["pc"])
    assert (("join", "a") in options) is offered and ("join", "b") in options


spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
HOUSE = ground("house", "built_up", [(80, 80), (110, 80), (110, 120), (80, 120)])
L_WALL = line("wall", "high_wall", (40.0, 150.0), (90.0, 150.0), (90.0, 180.0))
POND = ground("pond", "closed", [(130, 30), (170, 30), (170, 60), (150, 45), (130, 60)])
WOOD = ground("wood", "wood", [(20, 20), (70, 20), (70, 70), (45, 40), (20, 70)])


@given(spots, spots)
def test_ways_run_into_closed_ground_where_it_lies_on_them(start: Point, goal: Point) -> None:
    battle = scene(terrain=[HOUSE, L_WALL, POND, WOOD], width=200, depth=200).battle
    field = battle.field
    closed = any(field.pieces[met.piece].ground.closed for met in field.table.crossed(start, goal))
    assert field.meets_walls(start, goal) is closed
    expected = field.move_costs[False].path_around(start, goal) if closed else None
    for _ in range(2):
        assert path_to(battle, start, goal) == list(expected or (start, goal))


counts = st.integers(1, 12)


@given(spots, spots, st.tuples(st.floats(-40, 40), st.floats(-40, 40)), counts, counts, st.booleans())
def test_a_shift_away_is_known_without_the_nearest_figures(
    at: Point, foe: Point, shift: Point, m: int, n: int, farther: bool
) -> None:
    battle = scene(troops("a", "red", at, m), troops("b", "blue", foe, n), width=300, depth=300).battle
    unit, enemy = battle.units["a"], battle.units["b"]
    there = unit.body.moved_by(*shift)

    def gap(points: tuple[Point, ...]) -> float:
        return max(0.0, min(dist(p, q) for p in points for q in enemy.body.at) - 2 * unit.body.radius)

    new, now = gap(there.at), gap(unit.body.at)
    if abs(new - now) > 1e-9:
        assert keeps_off(battle, unit, there, enemy, farther) == (new > now)


def test_the_places_offered_for_a_march_are_the_legal_ones() -> None:
    of = RskGame(rules_with(), load_scenario("river_ford"))
    refused = 0

    def watched(seat: str) -> Any:
        random: Any = make_agent("random", of, seat, 1)

        def agent(question: Any, state: Any) -> Any:
            nonlocal refused
            if isinstance(question, Place) and question.why == "march to":
                unit = state.units[question.actor]
                move = full_move(state, unit)
                worth_it, refuse = suggestions(state, unit, of.plan, move), refusal(state, unit, move)
                legal = [at for at in worth_it if refuse(at) is None]
                refused += len(worth_it) - len(legal)
                assert list(question.suggestions) == legal
            if isinstance(question, Choose) and "march" in question.options:
                return "march"
            return random(question, state)

        return agent

    state = of.start()
    table = SeededTable(of.rules, state, 0, {seat: watched(seat) for seat in of.seats})
    while (step := of.play.next_step(state)) is not None and state.turn < 4:
        table.begin(step)
        of.play.perform(table, state, step)
    assert refused


def test_the_edge_belongs_to_the_table_in_spite_of_rounding() -> None:
    field = scene(troops("a", "red", (20, 20), 3), width=200, depth=120).battle.field
    assert field.on_table((141.5, -3.6e-15)) and field.on_table((200.0, 120.0))
    assert not field.on_table((141.5, -0.01))


# --- moves and counts -------------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-008")
def test_crews_move_ten_cm() -> None:
    field = scene(troops("a", "red", (50, 50), 4, support="gun"))
    assert allowance(field.battle, field["a"], False) == 10


# --- facing -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-078")
@pytest.mark.parametrize(("order", "turned"), [("withdraw", True), (("advance", "e"), False)])
def test_a_group_that_shows_its_flank_after_a_move_may_be_turned(order: Any, turned: bool) -> None:
    field = scene(
        troops("a", "red", (50, 80), 4, marks=["free"]),
        leader("pc", "red", (50, 20), marks=["free"]),
        troops("e", "blue", (50, 130), 4),
    )
    more = (("face", 0),) if turned else ()
    field.run(give_order, field["a"], game().plan, script=[("order", order), ("pace", "half"), *more])
    assert min(field["a"].facing, 360 - field["a"].facing) < 10
