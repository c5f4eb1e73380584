"""Command points, the chain of command, loyalty (RSK-018 to RSK-024, RSK-050 to RSK-070)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, scene, troops

from zareba.base.exact import dist
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.chapters.command import (
    command,
    command_cost,
    figure_price,
    is_loyal,
    link_price,
    replace_lost_commanders,
    roll_command_points,
    senior_leader,
)

STOP = ("command", "stop")


def platoon(**settings: Any) -> Scene:
    """The officer, two NCOs and three squads of nine from the example of the text, all within reach of one another."""
    return scene(
        leader("officer", "red", (100, 50)),
        leader("first", "red", (100, 70), "nco"),
        leader("second", "red", (100, 90), "nco", troop_class="raw"),
        troops("a", "red", (70, 60), 9),
        troops("b", "red", (100, 80), 9),
        troops("c", "red", (130, 70), 9),
        troops("foe", "blue", (100, 190), 5, close="sword"),
        commanders=["officer"],
        **settings,
    )


def run(field: Scene, *answers: tuple[str, Any], pc: str = "officer") -> list[Any]:
    """Play command with these answers. Returns its events."""
    with field.script(*answers) as table:
        command(table, field.battle, field[pc])
    return list(table.events)


@pytest.mark.rule("RSK-018", "RSK-019", "RSK-037", "RSK-056", "RSK-060", "RSK-061")
@pytest.mark.setting("command.link_cost")
def test_twelve_seven_and_ten_command_the_whole_platoon() -> None:
    throws = (
        ("command points", [6, 4, 2]),
        ("command", ("link", "first")),
        ("command points", [3, 2, 2]),
        ("command", ("link", "second")),
        ("command points", [4, 6]),
    )
    field = platoon()
    run(field, *throws, *(("command", ("command", squad)) for squad in "abc"))
    assert all("commanded" in field[squad].marks for squad in "abc")
    free = platoon(command_link_cost="free")
    prices = [link_price(where.battle, where["first"], where["officer"], where["officer"]) for where in (field, free)]
    assert prices == [1, 0]


@pytest.mark.rule("RSK-059", "RSK-062", "RSK-065")
def test_twelve_points_buy_one_squad_whole_and_the_rest_lapse() -> None:
    field = platoon()
    run(field, ("command points", [6, 4, 2]), ("command", ("command", "b")), STOP)
    assert [name for name in "abc" if "commanded" in field[name].marks] == ["b"]
    assert field.battle.pools == {"officer": 0}
    poor = platoon()
    poor.battle.pools = {"officer": 8}
    assert command_cost(poor.battle, poor["a"], [poor["officer"]]) is None
    poor.battle.pools = {"officer": 9}
    assert command_cost(poor.battle, poor["a"], [poor["officer"]]) == {"officer": 9}


@pytest.mark.rule("RSK-059", "RSK-055")
def test_group_with_a_figure_out_of_reach_is_not_commanded() -> None:
    at = [(100.0 + 2.8 * i, 60.0) for i in range(9)]
    near = scene(leader("officer", "red", (100, 50)), troops("a", "red", (0, 0), at=at), commanders=["officer"])
    near.battle.pools = {"officer": 20}
    assert command_cost(near.battle, near["a"], [near["officer"]]) == {"officer": 9}
    far = scene(
        leader("officer", "red", (100, 50)),
        troops("a", "red", (0, 0), at=[*at[:8], (100.0, 104.0)]),
        commanders=["officer"],
    )
    far.battle.pools = {"officer": 20}
    assert command_cost(far.battle, far["a"], [far["officer"]]) is None


@pytest.mark.rule("RSK-053")
@pytest.mark.setting("command.busy_penalty")
@pytest.mark.parametrize(
    ("setting", "troop_class", "faces"),
    [
        ("all_leaders", "raw", [3]),
        ("all_leaders", "hero", [3, 3, 3]),
        ("veteran_only", "raw", [3, 3]),
        ("veteran_only", "veteran", [3, 3]),
    ],
)
def test_a_busy_leader_throws_a_die_less(setting: str, troop_class: str, faces: list[int]) -> None:
    chief = leader("chief", "red", (50, 50), troop_class=troop_class, marks=["busy"])
    field = scene(chief, command_busy_penalty=setting)
    assert field.run(roll_command_points, field["chief"], script=[("command points", faces)]) == sum(faces)


@pytest.mark.rule("RSK-053")
def test_contact_is_busy_and_loading_or_firing_is_declared_first() -> None:
    met = scene(leader("chief", "red", (50, 50)), leader("foe", "blue", (50, 52.5)))
    assert met.run(roll_command_points, met["chief"], script=[("command points", [2, 2])]) == 4
    armed = scene(
        leader("officer", "red", (50, 50), weapon="pistol", loading="magazine"),
        troops("foe", "blue", (50, 70), 5),
        commanders=["officer"],
    )
    run(armed, ("will load or fire", "officer"), ("command points", [1, 1]))
    assert "busy" in armed["officer"].marks


@pytest.mark.rule("RSK-054")
@pytest.mark.setting("command.musician")
def test_the_first_musician_adds_a_die() -> None:
    def band(**settings: Any) -> Scene:
        return scene(
            leader("officer", "red", (50, 50)),
            leader("drum", "red", (50, 60), "musician", musician=True),
            leader("bugle", "red", (60, 60), "musician", musician=True),
            commanders=["officer"],
            **settings,
        )

    throws = (("command points", [4, 4, 4]), ("command", ("link", "drum")), ("drum or bugle", [5]))
    field = band()
    run(field, *throws, ("command", ("link", "bugle")))
    assert set(field.battle.linked) == {"officer", "drum", "bugle"}
    both = band(command_musician="class_dice")
    run(both, *throws, ("command points", [1, 1, 1]), STOP)
    assert set(both.battle.linked) == {"officer", "drum"}


@pytest.mark.rule("RSK-054", "RSK-070")
def test_each_player_character_has_a_die_for_his_first_musician() -> None:
    field = scene(
        leader("major", "red", (50, 50)),
        leader("officer", "red", (60, 50)),
        leader("drum", "red", (50, 60), "musician", musician=True),
        leader("bugle", "red", (60, 60), "musician", musician=True),
        commanders=["major", "officer"],
    )
    three = ("command points", [4, 4, 4])
    with field.script(three, ("command", ("link", "drum")), ("drum or bugle", [5]), STOP) as table:
        command(table, field.battle, field["major"])
    with field.script(three, ("command", ("link", "bugle")), ("drum or bugle", [6])) as table:
        command(table, field.battle, field["officer"])
    assert [event.data["pool"] for event in table.events if event.kind == "linked"] == [12 - 1 + 6]


WOOD = ground("wood", "wood", [(90, 60), (140, 60), (140, 90), (90, 90)])


@pytest.mark.rule("RSK-055")
@pytest.mark.setting("command.enclosed_test")
def test_enclosed_terrain_halves_command_distance() -> None:
    def reach(target: tuple[float, float], **settings: Any) -> bool:
        field = scene(
            leader("officer", "red", (100, 50)),
            troops("a", "red", (0, 0), at=[target]),
            terrain=[WOOD],
            commanders=["officer"],
            **settings,
        )
        field.battle.pools = {"officer": 20}
        return command_cost(field.battle, field["a"], [field["officer"]]) is not None

    assert reach((60, 50)) and not reach((47, 50))
    assert reach((100, 76)) and not reach((100, 79))
    assert reach((100, 95))
    assert not reach((100, 95), command_enclosed_test="line")


@pytest.mark.rule("RSK-055")
@pytest.mark.parametrize(("y", "heard"), [(44, True), (30, False)])
def test_a_leader_in_a_wood_is_heard_no_farther_than_men_in_it(y: float, heard: bool) -> None:
    """The leader is 10 cm inside a wood; the men are in the open, 23.5 or 37.5 cm from him."""
    field = scene(leader("officer", "red", (100, 70)), troops("a", "red", (0, 0), at=[(100, y)]), terrain=[WOOD])
    field.battle.pools = {"officer": 20}
    assert (command_cost(field.battle, field["a"], [field["officer"]]) is not None) == heard


@pytest.mark.rule("RSK-021", "RSK-022", "RSK-023", "RSK-024", "RSK-057")
@pytest.mark.setting("loyalty.native_service")
def test_loyalty_goes_by_people_unless_the_scenario_says_otherwise() -> None:
    european, own = leader("captain", "red", (0, 0)).spec, leader("jemadar", "red", (0, 0), people="service").spec
    chief = leader("chief", "red", (0, 0), people="native").spec
    sworn = leader("friend", "red", (0, 0), loyalty={"levies": "loyal"}).spec
    field, strict = scene(), scene(loyalty_native_service="own_only")
    regulars = troops("regulars", "red", (0, 0)).spec
    sepoys = troops("sepoys", "red", (0, 0), people="service").spec
    levies = troops("levies", "red", (0, 0), people="native").spec

    def follows(where: Scene, unit: Any, whom: Any) -> bool:
        return is_loyal(where.battle, unit, whom)

    assert follows(field, regulars, european) and not follows(field, regulars, chief)
    assert follows(field, levies, chief) and not follows(field, levies, european)
    assert follows(field, levies, sworn)
    assert follows(field, sepoys, european) and follows(field, sepoys, own)
    assert not follows(strict, sepoys, european) and follows(strict, sepoys, own)


@pytest.mark.rule("RSK-057", "RSK-058")
@pytest.mark.setting("command.disloyal_router_cost")
def test_disloyal_and_routing_figures_cost_two() -> None:
    def cost(people: str, status: str, **settings: Any) -> int | None:
        field = scene(
            leader("officer", "red", (50, 50)),
            troops("a", "red", (50, 60), 4, people=people, status=status),
            commanders=["officer"],
            **settings,
        )
        field.battle.pools = {"officer": 24}
        bill = command_cost(field.battle, field["a"], [field["officer"]])
        return bill["officer"] if bill else None

    assert cost("native", "steady") == 8
    assert cost("european", "routing") == 8
    assert cost("native", "routing") == 8
    assert cost("native", "routing", command_disloyal_router_cost=4) == 16


@pytest.mark.rule("RSK-063")
@pytest.mark.setting("command.loyalty_via")
def test_loyalty_towards_the_link_or_towards_the_officer() -> None:
    def cost(**settings: Any) -> int:
        field = scene(
            leader("officer", "red", (50, 50)),
            leader("headman", "red", (50, 60), "nco", people="native"),
            troops("a", "red", (50, 70), 4, people="native"),
            commanders=["officer"],
            **settings,
        )
        field.battle.pools = {"officer": 24}
        bill = command_cost(field.battle, field["a"], [field["officer"], field["headman"]])
        assert bill is not None
        return bill["officer"]

    assert cost() == 4
    assert cost(command_loyalty_via="officer") == 8


@pytest.mark.rule("RSK-063", "RSK-061")
@pytest.mark.setting("command.loyalty_via")
def test_links_of_the_chain_are_judged_like_groups() -> None:
    def paid(**settings: Any) -> int:
        chain = [
            leader("officer", "red", (50, 50)),
            leader("headman", "red", (50, 60), "nco", people="native"),
            leader("son", "red", (50, 65), "nco", people="native"),
        ]
        field = scene(*chain, commanders=["officer"], **settings)
        return link_price(field.battle, field["son"], field["headman"], field["officer"])

    assert paid() == 1
    assert paid(command_loyalty_via="officer") == 2


@pytest.mark.rule("RSK-061")
@pytest.mark.setting("command.pool")
def test_each_leader_may_have_a_purse_of_his_own() -> None:
    def bill(**settings: Any) -> dict[str, int] | None:
        near, far = [(50.0 + 3 * i, 60.0) for i in range(4)], [(50.0 + 3 * i, 115.0) for i in range(4)]
        field = scene(
            leader("officer", "red", (50, 50)), leader("nco", "red", (50, 95), "nco"), troops("a", "red", (0, 0), at=near + far),
            commanders=["officer"], **settings,
        )  # fmt: skip
        field.battle.pools = {"officer": 8, "nco": 3}
        return command_cost(field.battle, field["a"], [field["officer"], field["nco"]])

    assert bill() == {"officer": 8}
    assert bill(command_pool="per_leader") is None


@pytest.mark.rule("RSK-061", "RSK-059")
@pytest.mark.setting("command.pool")
@example([(True, 0), (True, 1), (True, 1)], [60, 40])
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=3, max_size=3),
    st.lists(st.integers(0, 80), min_size=2, max_size=6),
)
def test_purses_pay_for_a_group_if_any_way_to_share_it_out_does(
    leaders: list[tuple[bool, int]], figures: list[int]
) -> None:
    names = ["officer", "first", "second"]
    chain = [
        leader(name, "red", (30.0 + 40 * n, 50), people="european" if loyal else "native")
        for n, (name, (loyal, _)) in enumerate(zip(names, leaders, strict=True))
    ]
    field = scene(*chain, troops("a", "red", (0, 0), at=[(30.0 + x, 96.5) for x in figures]), command_pool="per_leader")
    field.battle.pools = {name: points for name, (_, points) in zip(names, leaders, strict=True)}
    bill = command_cost(field.battle, field["a"], [field[name] for name in names])
    costs = [1 if loyal else 2 for loyal, _ in leaders]
    reached = [[n for n in range(3) if dist((40.0 * n, 46.5), (x, 0)) - 2.5 <= 50] for x in figures]
    ways = [
        way
        for way in product(*reached)
        if all(costs[n] * way.count(n) <= points for n, (_, points) in enumerate(leaders))
    ]
    assert (bill is not None) == bool(ways)
    assert bill is None or all(points <= field.battle.pools[name] for name, points in bill.items())


@pytest.mark.rule("RSK-061", "RSK-060")
def test_with_purses_of_their_own_every_leader_pays_for_men_near_him() -> None:
    field = platoon(command_pool="per_leader")
    events = run(
        field,
        ("command points", [6, 6, 6]),
        ("command", ("link", "first")),
        ("command points", [5, 5, 5]),
        ("command", ("command", "a")),
        ("command", ("command", "b")),
        STOP,
    )
    assert {name for name in "abc" if "commanded" in field[name].marks} == {"a", "b"}
    thrown = sum(event.data["points"] for event in events if event.kind == "command points")
    paid = sum(event.data["points"] for event in events if event.kind == "commanded")
    assert events[-1].data["left"] == thrown - 1 - paid


@pytest.mark.rule("RSK-060")
def test_only_leaders_linked_in_an_unbroken_chain_pass_orders_on() -> None:
    field = scene(
        leader("officer", "red", (50, 50)),
        leader("far", "red", (50, 150), "nco"),
        troops("a", "red", (50, 160), 4),
        commanders=["officer"],
    )
    run(field, ("command points", [6, 6, 6]))
    assert set(field.battle.linked) == {"officer"}
    assert "commanded" not in field["a"].marks


@pytest.mark.rule("RSK-069")
@pytest.mark.setting("pc.successor")
def test_successor_of_a_lost_player_character() -> None:
    def heirs(**settings: Any) -> dict[str, str]:
        field = scene(
            leader("captain", "red", (50, 50), "commander", order=0),
            leader("sergeant", "red", (60, 50), "nco", order=4, hurt=0),
            leader("lieutenant", "red", (70, 50), order=1, hurt=1),
            leader("ensign", "red", (80, 50), order=1),
            troops("foe", "blue", (50, 150), 5),
            commanders=["captain"],
            **settings,
        )
        field.battle.remove(field["captain"], "killed")
        with field.script() as table:
            replace_lost_commanders(table, field.battle)
        told.extend(event.kind for event in table.events)
        return field.battle.commanders

    told: list[str] = []
    assert heirs() == {} and told == ["nobody commands"]
    alone = scene(leader("captain", "red", (50, 50)), commanders=["captain"], pc_successor="senior_leader")
    alone.battle.remove(alone["captain"], "killed")
    with alone.script() as table:
        replace_lost_commanders(table, alone.battle)
    assert alone.battle.commanders == {}, "nobody is left to follow him"
    assert heirs(pc_successor="senior_leader") == {"ensign": "red"} and told[-1] == "takes command"
    assert senior_leader(scene().battle, "red") is None
    others = [leader("chief", "red", (90, 50), "chief", order=2), leader("nco", "red", (95, 50), "nco", order=4)]
    two = scene(*others, commanders=["chief"])
    heir = senior_leader(two.battle, "red")
    assert heir is not None and heir.spec.id == "nco", "a Player Character is nobody's heir"


@pytest.mark.rule("RSK-070")
def test_two_player_characters_have_pools_of_their_own() -> None:
    field = scene(
        leader("captain", "red", (50, 50)),
        leader("chief", "red", (60, 50), "chief"),
        leader("nco", "red", (50, 60), "nco"),
        troops("a", "red", (50, 70), 4),
        commanders=["captain", "chief"],
    )
    run(
        field,
        ("command points", [1, 1, 1]),
        ("command", ("link", "nco")),
        ("command points", [1, 1, 1]),
        ("command", ("command", "a")),
        pc="captain",
    )
    assert "commanded" in field["a"].marks
    run(field, ("command points", [6, 6, 6]), pc="chief")
    assert field.battle.linked == {"captain": "captain", "nco": "captain", "chief": "chief"}


@pytest.mark.rule("RSK-060")
def test_person_without_rank_is_commanded_and_does_not_command() -> None:
    field = scene(
        leader("officer", "red", (100, 50)),
        leader("missionary", "red", (100, 90), non_combatant=True),
        troops("far", "red", (100, 130), 4),
        commanders=["officer"],
    )
    run(field, ("command points", [6, 6, 6]), ("command", ("command", "missionary")))
    assert "commanded" in field["missionary"].marks and field.battle.linked == {"officer": "officer"}


spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
counts = st.integers(1, 12)


@settings(max_examples=60)
@given(spots, counts, st.lists(spots, min_size=1, max_size=4), st.integers(0, 20), st.booleans())
def test_a_group_costs_what_its_figures_cost_one_by_one(
    at: Point, count: int, leaders: list[Point], points: int, loyal: bool
) -> None:
    officers = [
        leader(f"l{n}", "red", where, "nco", people="european" if loyal or n else "native")
        for n, where in enumerate(leaders)
    ]
    battle = scene(troops("a", "red", at, count), *officers, width=200, depth=200).battle
    unit, links = battle.units["a"], [battle.units[officer.id] for officer in officers]
    battle.pools = {links[0].id: points}
    reach = battle.book.lengths["command_open"] + unit.body.radius + links[0].body.radius
    total: int | None = 0
    for figure in unit.body.at:
        near = [figure_price(battle, unit, link) for link in links if dist(link.body.at[0], figure) <= reach]
        total = total + min(near) if near and total is not None else None
    expected = {links[0].id: total} if total is not None and total <= points else None
    assert command_cost(battle, unit, links) == expected


HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


@pytest.mark.rule("RSK-055")
@pytest.mark.parametrize(("wood", "reach"), [((), 50.0), ((100, 50), 25.0), ((100, 102), 25.0)])
@WITHIN
def test_command_reaches_fifty_cm_or_twenty_five(
    wood: tuple[float, ...], reach: float, over: float, within: bool
) -> None:
    """A wood of two cm surrounds the leader, or the figure he commands."""
    y = 50 + 2.5 + reach + over
    terrain = []
    if wood:
        x, here = wood[0], 50.0 if wood[1] == 50 else y
        terrain = [ground("wood", "wood", [(x - 2, here - 2), (x + 2, here - 2), (x + 2, here + 2), (x - 2, here + 2)])]
    field = scene(leader("pc", "red", (100, 50)), man("a", "red", 100, y), terrain=terrain, commanders=["pc"])
    field.battle.pools = {"pc": 9}
    assert (command_cost(field.battle, field["a"], [field["pc"]]) is not None) is within
