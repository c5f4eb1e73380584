"""Deployment: units line works or take cover in their zone (RSK-099, RSK-107; "Setting up" is ours)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, ground, line, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import UNITS, game

from zareba.base.exact import dist
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.scenario.placement import area_of
from zareba.space.bearings import angle_between
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, is_inside
from zareba_rulesets.risk_factor.actions import give_order
from zareba_rulesets.risk_factor.forces import is_room_for
from zareba_rulesets.risk_factor.game import RskGame
from zareba_rulesets.risk_factor.ground import along_works
from zareba_rulesets.risk_factor.presentation.words import event_sentence
from zareba_rulesets.risk_factor.translation import Plan

RED = UNITS.strip().split("\n")[0].strip().rstrip(",")
BAGS = "bags: {kind: mealie_bags, line: [[10, 14], [50, 14]]}"
KOPJE = "kop: {kind: kopje, area: [[26, 36], [34, 36], [34, 41], [26, 41]]}"
SCALE = 2.54


def men(name: str, side: str = "red", figures: int = 8, **more: Any) -> str:
    extra = "".join(f", {key}: {value}" for key, value in more.items())
    kind = "european_regular" if figures > 10 else "european_irregular"
    return f"{name}: {{name: {name}, side: {side}, arm: infantry, kind: {kind}, figures: {figures}, weapon: breech_rifle{extra}}}"


def planned(*units: str, terrain: str) -> Plan:
    texts = [*units] if any("side: blue" in unit for unit in units) else [*units, UNITS.strip().split("\n")[1].strip()]
    return game(units=", ".join(texts), leaders="", terrain=terrain).plan


def covered(plan: Plan, name: str) -> int:
    """Return the number of men of a unit who have cover against a point 60 cm ahead."""
    body, north = plan.bodies[name], plan.facing[name] == 0.0
    ahead = 60.0 if north else -60.0
    return sum(plan.field.cover_of(body, i, (x, y + ahead)) != "open" for i, (x, y) in enumerate(body.at))


def has_room(
    at: list[tuple[float, float]], *others: Body, zone: tuple[tuple[float, float], ...] = (), terrain: Any = ()
) -> bool:
    """Return True if foot figures may be placed at these positions of a board of 100 by 80 cm."""
    field = scene(width=100, depth=80, terrain=terrain)
    return is_room_for(field.battle.field, [*others], Body(tuple(at), 1.25), zone)


def in_rows(body: Body) -> list[int]:
    rows: dict[float, int] = {}
    for _, y in body.at:
        rows[round(y, 1)] = rows.get(round(y, 1), 0) + 1
    return [rows[y] for y in sorted(rows, reverse=True)]


@pytest.mark.rule("RSK-107", "RSK-116")
def test_men_set_up_at_works_form_one_rank() -> None:
    plan = planned(men("men", position="[30, 12]", facing="north"), terrain=BAGS)
    body = plan.bodies["men"]
    assert in_rows(body) == [8] and covered(plan, "men") == 8
    assert max(y for _, y in body.at) == pytest.approx(14 * SCALE - 1.3)
    assert abs(body.centre[0] - 30 * SCALE) < 3


@pytest.mark.rule("RSK-107")
def test_units_without_room_at_the_works_stand_behind() -> None:
    short = "bags: {kind: mealie_bags, line: [[26, 14], [34, 14]]}"
    plan = planned(men("men", figures=10, position="[30, 12]", facing="north"), terrain=short)
    assert in_rows(plan.bodies["men"]) == [7, 3] and covered(plan, "men") == 7


@pytest.mark.rule("RSK-107")
def test_the_squads_of_a_unit_share_the_works() -> None:
    plan = planned(men("men", figures=20, position="[30, 12]", facing="north"), terrain=BAGS)
    left, right = plan.bodies["men_1"], plan.bodies["men_2"]
    assert covered(plan, "men_1") == covered(plan, "men_2") == 9
    assert max(x for x, _ in left.at) < min(x for x, _ in right.at)


@pytest.mark.rule("RSK-107")
@pytest.mark.parametrize(("more", "ranks"), [({"formation": "column"}, [3, 3, 2]), ({"facing": "south"}, [4, 4])])
def test_columns_and_men_who_turn_their_backs_do_not_line_works(more: dict[str, Any], ranks: list[int]) -> None:
    plan = planned(men("men", position="[30, 12]", **({"facing": "north"} | more)), terrain=BAGS)
    assert in_rows(plan.bodies["men"]) == ranks


@pytest.mark.rule("RSK-099")
def test_defenders_without_a_place_of_their_own_take_the_cover_in_their_zone() -> None:
    plan = planned(RED, men("boers", "blue"), terrain=KOPJE)
    inside = [
        is_inside((x / SCALE, y / SCALE), [(26, 36), (34, 36), (34, 41), (26, 41)]) for x, y in plan.bodies["boers"].at
    ]
    assert all(inside) and covered(plan, "boers") == 8


@pytest.mark.rule("RSK-099", "RSK-191")
@pytest.mark.parametrize(
    "more",
    [{"position": "[30, 33]"}, {"orders": "advance"}, {"formation": "mass"}],
    ids=["has a place", "is to come on", "stands in mass"],
)
def test_units_outside_zones_stand_where_the_scenario_places_them(more: dict[str, Any]) -> None:
    plan = planned(RED, men("boers", "blue", **more), terrain=KOPJE)
    assert covered(plan, "boers") == 0


@pytest.mark.rule("RSK-191")
def test_an_attacker_marches_and_takes_no_cover_unless_he_is_to_hold() -> None:
    wood = "kop: {kind: kopje, area: [[26, 8], [34, 8], [34, 13], [26, 13]]}"
    assert covered(planned(men("men"), terrain=wood), "men") == 0
    assert covered(planned(men("men", orders="hold"), terrain=wood), "men") == 8


@pytest.mark.rule("RSK-099", "RSK-152")
def test_in_a_wood_they_stand_where_they_can_look_out() -> None:
    wood = "wood: {kind: dense_wood, area: [[20, 33], [40, 33], [40, 46], [20, 46]]}"
    plan = planned(RED, men("boers", "blue"), terrain=wood)
    depths = plan.field.depths[plan.bodies["boers"]]
    assert all(depth is not None and depth[1] <= 5 for depth in depths)


@pytest.mark.rule("RSK-099", "RSK-106")
def test_in_rocks_they_stand_in_two_ranks_along_the_front_that_all_may_shoot() -> None:
    body = planned(RED, men("boers", "blue", figures=10), terrain=KOPJE).bodies["boers"]
    assert len(in_rows(body)) == 2 and min(y for _, y in body.at) < 36 * SCALE + 2


@pytest.mark.rule("RSK-099", "RSK-106")
def test_units_without_cover_stand_next_to_the_others() -> None:
    kop = "kop: {kind: kopje, area: [[24, 32], [36, 32], [36, 34], [24, 34]]}"
    plan = planned(RED, men("first", "blue", figures=10), men("second", "blue", figures=10), terrain=kop)
    first, second = plan.bodies["first"], plan.bodies["second"]
    assert covered(plan, "first") == 10 and covered(plan, "second") < 10
    assert max(y for _, y in second.at) < 35 * SCALE
    apart = max(x for x, _ in first.at) < min(x for x, _ in second.at)
    assert apart or max(x for x, _ in second.at) < min(x for x, _ in first.at)


@pytest.mark.rule("RSK-099", "RSK-005")
def test_unit_is_not_placed_in_occupied_cover() -> None:
    """Rocks lie where the second unit is drawn. The first takes them, and the second stays clear of its bases."""
    kop = "kop: {kind: kopje, area: [[19, 31], [25, 31], [25, 34], [19, 34]]}"
    plan = planned(RED, men("first", "blue", figures=10), men("second", "blue", figures=10), terrain=kop)
    assert covered(plan, "first") == 10
    assert plan.field.gaps[plan.bodies["first"], plan.bodies["second"]].gap > 0


@pytest.mark.rule("RSK-099")
def test_set_up_moves_units_at_most_a_move_into_cover() -> None:
    far = "kop: {kind: kopje, area: [[2, 40], [10, 40], [10, 46], [2, 46]]}"
    near = game(units=f"{RED}, {men('boers', 'blue')}", leaders="", terrain="").plan.bodies["boers"].centre
    assert planned(RED, men("boers", "blue"), terrain=far).bodies["boers"].centre == pytest.approx(near)


def test_unit_set_up_in_a_building_stays_in_it() -> None:
    house = "bags: {kind: mealie_bags, line: [[20, 14], [40, 14]]}, house: {kind: building, area: [[26, 9], [34, 9], [34, 13], [26, 13]]}"
    plan = planned(men("men", inside="house", facing="north"), terrain=house)
    assert all(9 * SCALE <= y <= 13 * SCALE for _, y in plan.bodies["men"].at)


@pytest.mark.parametrize("name", shipped_scenarios())
def test_everybody_has_room_in_the_shipped_scenarios_and_those_in_zones_stay_in_them(name: str) -> None:
    scenario = load_scenario(name)
    plan = RskGame(rules_with(), scenario).plan
    everybody = list(plan.bodies.items())
    for index, (own, body) in enumerate(everybody):
        assert len(body) == plan.specs[own].figures
        for other, beside in everybody[index + 1 :]:
            least = body.radius + beside.radius - 1e-6
            assert all(dist(a, b) >= least for a in body.at for b in beside.at), (own, other)
    for own, spec in plan.specs.items():
        unit = scenario.units.get(spec.parent)
        if spec.leader or own not in plan.bodies or unit is None or unit.position is not None or unit.inside:
            continue
        area = area_of(scenario, unit)
        if isinstance(area, tuple):
            zone = scenario.sides[area[0]].deployment[area[1]]
            assert all(is_inside((x / SCALE, y / SCALE), zone) for x, y in plan.bodies[own].at), own


POND = ground("pond", "closed", [(40, 30), (50, 30), (50, 40), (40, 40)])
WALLED = line("wall", "high_wall", (30, 50), (50, 20), (70, 50))


@pytest.mark.rule("RSK-005", "RSK-007", "RSK-079")
@pytest.mark.parametrize(
    ("at", "room"),
    [
        ([(1.25, 40)], True), ([(1.24, 40)], False), ([(98.75, 40)], True), ([(98.76, 40)], False),
        ([(50, 1.25)], True), ([(50, 1.24)], False), ([(50, 78.75)], True), ([(50, 78.76)], False),
    ],
)  # fmt: skip
def test_bases_lie_wholly_on_the_table(at: list[tuple[float, float]], room: bool) -> None:
    assert has_room(at) is room


@pytest.mark.rule("RSK-005", "RSK-079")
def test_free_spots_are_next_to_and_between_bases() -> None:
    corner = Body(((20, 20), (20, 30), (30, 20)), 1.25)
    assert not has_room([(22.5, 20)], corner) and has_room([(22.6, 20)], corner)
    assert not has_room([(50, 50)], corner, Body(((51, 50),), 1.25))
    assert not has_room([(50, 50)], Body(((52.5, 50),), 1.25)) and has_room([(50, 50)], Body(((52.6, 50),), 1.25))
    assert has_room([(30, 30), (27, 27)], corner), "men may stand in the bend of others"
    assert has_room([(30, 30), (30, 23)], corner) and not has_room([(30, 30), (30, 22)], corner)


@pytest.mark.rule("RSK-007")
def test_in_a_zone_all_men_have_their_place() -> None:
    zone = ((10.0, 10.0), (60.0, 10.0), (60.0, 60.0), (10.0, 60.0))
    assert has_room([(20, 20), (30, 20)], zone=zone)
    assert not has_room([(20, 20), (70, 20)], zone=zone) and not has_room([(70, 20), (75, 20)], zone=zone)
    assert has_room([(20, 20), (70, 20)])


@pytest.mark.rule("RSK-079", "RSK-155")
@pytest.mark.parametrize(
    ("at", "room"),
    [
        ([(38, 35), (45, 35)], False),
        ([(38, 35), (52, 35)], True),
        ([(38, 43), (52, 28)], True),
        ([(50, 30), (50, 45)], True),
        ([(50, 30), (50, 15)], False),
        ([(25, 45), (25, 25)], True),
    ],
    ids=["in a pond", "round a pond", "at its corners", "within walls", "on both sides of a wall", "outside"],
)
def test_units_are_set_up_together_and_not_in_water(at: list[tuple[float, float]], room: bool) -> None:
    assert has_room(at, terrain=[POND if at[0][0] == 38 else WALLED]) is room


# --- the places along works -------------------------------------------------------------------------------------------

REACH = 10.0  # cm in front of the foremost base
COMPASS: dict[float, Point] = {0.0: (0, 1), 90.0: (1, 0), 180.0: (0, -1), 270.0: (-1, 0)}


def lined_up(
    men: list[Point], *works: tuple[Point, Point], facing: float = 0.0, mates: Sequence[Point] = ()
) -> list[Any] | None:
    """Return the places that men take along works, or None."""
    field = scene(terrain=[line(f"wall {n}", "works", *ends) for n, ends in enumerate(works)]).battle.field
    others = [Body((at,), 1.25) for at in mates]
    lined = along_works(field, others, Body(tuple(men), 1.25), facing, REACH, ())
    return None if lined is None else [pytest.approx(at, abs=0.01) for at in lined.at]


@pytest.mark.rule("RSK-107")
@pytest.mark.parametrize(("facing", "ahead"), COMPASS.items())
@pytest.mark.parametrize(("gap", "lines"), [(9.95, True), (10.05, False)])
def test_men_line_works_within_reach_of_their_front(facing: float, ahead: Point, gap: float, lines: bool) -> None:
    """Three ranks of one man; the gap is between the works and the foremost base, 1.25 cm in front of the middle of a
    man.
    """
    (east, north), middle = ahead, (100.0, 100.0)

    def at(forward: float, aside: float) -> Point:
        return middle[0] + forward * east + aside * north, middle[1] + forward * north - aside * east

    men, wall = [at(0, 0), at(-5, 0), at(-10, 0)], (at(1.25 + gap, -49), at(1.25 + gap, 50))
    found = lined_up(men, wall, facing=facing)
    first = 1.25 + gap - 1.3  # 0.05 cm from the works
    assert found == ([at(first, aside) for aside in (-3.625, -0.875, 1.875)] if lines else None)
    assert lined_up(men, wall, facing=(facing + 180) % 360) is None, "the works are behind them"


@pytest.mark.rule("RSK-107")
@pytest.mark.parametrize(
    ("y", "taken", "first"),
    [
        (69.0, (95.875, 98.625, 101.375, 104.125), 93.125),  # 11.9 cm away
        (70.0, (93.125, 95.875, 98.625, 101.375, 104.125, 106.875), None),  # 13.0 cm
        (72.0, (93.125, 95.875, 98.625, 101.375, 104.125, 106.875), 90.375),  # 11.7 cm
    ],
)
def test_nearest_free_place_at_works_is_within_reach_and_the_width_of_the_body(
    y: float, taken: tuple[float, ...], first: float | None
) -> None:
    """A man is 2.5 cm wide, so his place may be 12.5 cm away."""
    found = lined_up([(100, y)], ((50, 80), (150, 80)), mates=[(x, 78.7) for x in taken])
    assert found == (None if first is None else [(first, 78.7)])


@pytest.mark.rule("RSK-107")
@pytest.mark.parametrize(("end", "ranks"), [(105.0, [3, 3]), (107.0, [6])])
def test_men_line_works_that_continue_beyond_a_gate(end: float, ranks: list[int]) -> None:
    """In front of them are works of 10 cm for three men. More begin beside them, with or without a bend away."""
    men = [(97.5 + 2.75 * (n % 2), 74 - 2.75 * (n // 2)) for n in range(6)]
    beyond = ((end, 80), (end + 20, 80)) if len(ranks) == 1 else ((end, 90), (end + 20, 90))
    found = lined_up(men, ((95, 80), (105, 80)), beyond)
    assert found is not None
    rows: dict[float, int] = {}
    for at in found:
        rows[round(at.expected[1], 1)] = rows.get(round(at.expected[1], 1), 0) + 1
    assert [rows[y] for y in sorted(rows, reverse=True)] == ranks


# --- in play ----------------------------------------------------------------------------------------------------------

WALL = line("bags", "works", (50, 80), (150, 80))


def marched(y: float, pace: str) -> tuple[Scene, str]:
    """Eight riflemen in two ranks march to the wall in front of them. Returns the scene and its last event as text."""
    rifles: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "volley": True}
    men = troops("a", "red", (100, y), 8, width=4, marks=["commanded", "free"], **rifles)
    field = scene(men, troops("b", "blue", (100, 140), 8), terrain=[WALL])
    field.battle.seen = frozenset(field.battle.units)
    with field.script(("order", "march"), ("march to", (100.0, 77.5)), ("pace", pace)) as table:
        give_order(table, field.battle, field["a"], game().plan)
    return field, event_sentence(field.rules, {"a": "A"}, table.events[-1])


@pytest.mark.rule("RSK-107", "RSK-071")
def test_men_under_orders_who_march_to_works_line_them_within_their_move() -> None:
    field, told = marched(68.0, "full")
    men = field["a"]
    assert in_rows(men.body) == [8] and field.battle.field.all_in_cover(men.body, (100.0, 140.0))
    assert {"moved", "far"} <= men.marks and angle_between(men.facing, 0.0) < 5
    assert told == "A lined the fieldworks"


@pytest.mark.rule("RSK-107", "RSK-090")
@pytest.mark.parametrize(("y", "pace"), [(55.0, "full"), (68.5, "half")])
def test_arriving_unit_with_too_little_movement_stays_in_two_ranks(y: float, pace: str) -> None:
    field, told = marched(y, pace)
    assert in_rows(field["a"].body) == [4, 4] and told.startswith("A moved")
