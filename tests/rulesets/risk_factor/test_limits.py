"""Every distance in the rules, exactly at its limit (which is within) and just beyond it (RSK-004)."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, line, scene, troops
from tests.rulesets.risk_factor.skirmishes import UNITS, game

from zareba_rulesets.risk_factor.chapters.actions.actions import action_throws
from zareba_rulesets.risk_factor.chapters.actions.risk import risk_facts
from zareba_rulesets.risk_factor.chapters.command import price
from zareba_rulesets.risk_factor.chapters.fire.marksmen import able_figures, open_figures
from zareba_rulesets.risk_factor.chapters.groups import merge_side
from zareba_rulesets.risk_factor.chapters.melee.charge import charge_home
from zareba_rulesets.risk_factor.chapters.melee.matching import matches
from zareba_rulesets.risk_factor.chapters.melee.pushback import follow_up
from zareba_rulesets.risk_factor.chapters.movement.movement import go
from zareba_rulesets.risk_factor.chapters.movement.paths import allowance
from zareba_rulesets.risk_factor.chapters.orders.manoeuvre import act
from zareba_rulesets.risk_factor.chapters.sight.aim import lines_of_fire
from zareba_rulesets.risk_factor.chapters.sight.sight import sees, sees_marker
from zareba_rulesets.risk_factor.chapters.victory import RskScoreboard

HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


@pytest.mark.rule("RSK-005")
@WITHIN
def test_contact_is_a_tenth_of_a_cm(over: float, within: bool) -> None:
    field = scene(man("a", "red", 50, 50), man("b", "blue", 50, 52.6 + over - 1e-9))
    assert bool(field.battle.touching(field["a"])) is within


@pytest.mark.rule("RSK-048", "RSK-115", "RSK-192")
@WITHIN
def test_a_leader_is_with_a_group_within_five_cm(over: float, within: bool) -> None:
    field = scene(man("a", "red", 50, 50), leader("hero", "red", (57.5 + over, 50), troop_class="hero"))
    assert (field.battle.host(field["hero"]) is field["a"]) is within
    assert risk_facts(field.battle, field["a"]).hero is within
    assert (field.battle.leaders_with(field["a"]) == [field["hero"]]) is within


@pytest.mark.rule("RSK-047")
@WITHIN
def test_weak_groups_combine_within_five_cm(over: float, within: bool) -> None:
    field = scene(man("a", "red", 50, 50), man("b", "red", 57.5 + over, 50), solo=["red"])
    with field.script() as table:
        merge_side(table, field.battle)
    assert ("a" in field.battle.gone) is within


@pytest.mark.rule("RSK-047", "RSK-045")
@pytest.mark.parametrize(("weak", "strong", "joins"), [(3, 27, True), (3, 28, False), (4, 10, False), (1, 4, True)])
def test_three_at_most_join_thirty_at_most(weak: int, strong: int, joins: bool) -> None:
    field = scene(
        troops("a", "red", (50, 50), weak, width=4), troops("b", "red", (50, 57), strong, width=10), solo=["red"]
    )
    with field.script() as table:
        merge_side(table, field.battle)
    assert ("a" in field.battle.gone) is joins


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
    assert (price(field.battle, field["a"], [field["pc"]]) is not None) is within


@pytest.mark.rule("RSK-142")
@WITHIN
def test_routers_flee_from_all_enemies_within_fifty_cm(over: float, within: bool) -> None:
    """One enemy is north of the routers. With another within 50 cm to the east they run south-west, else south."""
    field = scene(
        man("a", "red", 100, 100, status="routing", result="rout"),
        man("north", "blue", 100, 120),
        man("east", "blue", 152.5 + over, 100),
    )
    with field.script() as table:
        act(table, field.battle, field["a"])
    x, y = field["a"].body.at[0]
    assert ((x, y) == pytest.approx((100 - 30 * sin(radians(45)), 100 - 30 * cos(radians(45))))) is within
    assert ((x, y) == pytest.approx((100, 70))) is not within


def platoon(chain: float, officer: float) -> Scene:
    squad: dict[str, Any] = {"platoon": "p", "formed": True, "weapon": "rifle", "loading": "breech"}
    return scene(
        man("a", "red", 50, 50, **squad),
        man("b", "red", 52.5 + chain, 50, **squad),
        leader("nco", "red", (50, 50 - 2.5 - officer), "nco"),
        troops("e", "blue", (60, 180), 5, close="sword"),
        width=400,
    )


@pytest.mark.rule("RSK-147")
@pytest.mark.parametrize("part", ["chain", "officer"])
@WITHIN
def test_platoons_stand_within_five_cm_of_one_another_and_of_a_leader(part: str, over: float, within: bool) -> None:
    field = platoon(5.0 + over * (part == "chain"), 5.0 + over * (part == "officer"))
    alone = part == "officer" and not within
    dice = [("platoon action", [2])] if within else [("action", [2])] * (3 if alone else 2)
    with field.script(*dice) as table:
        action_throws(table, field.battle)


@pytest.mark.rule("RSK-150")
@pytest.mark.parametrize("die", [1, 4, 6])
@WITHIN
def test_sight_dice_count_ten_cm(die: int, over: float, within: bool) -> None:
    bush = ground("bush", "bush", [(0, 100), (200, 100), (200, 120), (0, 120)])
    field = scene(man("a", "red", 50, 103 - 2.5 - 10 * die - over), man("b", "blue", 50, 103), terrain=[bush])
    field.battle.sight_dice = {"b": die}
    assert sees(field.battle, field["a"], field["b"]) is within


@pytest.mark.rule("RSK-155")
@pytest.mark.parametrize(("kind", "limit"), [("wood", 10.0), ("donga", 10.0)])
@WITHIN
def test_ten_cm_of_wood_or_to_the_lip_of_a_donga(kind: str, limit: float, over: float, within: bool) -> None:
    if kind == "wood":
        strip = ground("strip", "wood", [(0, 100), (200, 100), (200, 100 + limit + over), (0, 100 + limit + over)])
        field = scene(man("a", "red", 50, 80), man("b", "blue", 50, 150), terrain=[strip])
    else:
        strip = ground("strip", "donga", [(0, 100), (200, 100), (200, 106), (0, 106)])
        field = scene(man("a", "red", 50, 100 - limit - over), man("b", "blue", 50, 103), terrain=[strip])
    assert sees(field.battle, field["a"], field["b"]) is within


@pytest.mark.rule("RSK-177", "RSK-179")
@pytest.mark.parametrize(("gap", "follows"), [(5.0, True), (6.0, False)])
def test_winners_follow_five_cm(gap: float, follows: bool) -> None:
    """Bases of men who were pushed back may have been a tenth of a cm apart; that distance may be followed too."""
    field = scene(man("a", "red", 50, 50), man("b", "blue", 50, 52.5 + gap))
    with field.script(*([("follow up", True)] if follows else [])) as table:
        follow_up(table, field.battle, ("a", "b"), "red")
    assert bool(field.battle.touching(field["a"])) is follows


@pytest.mark.rule("RSK-162")
@WITHIN
def test_a_charge_meets_those_within_two_cm_of_the_charged(over: float, within: bool) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (54.5, 50)]),
        man("b", "blue", 50, 60),
        man("c", "blue", 54.5 + over, 60),
    )
    with field.script() as table:
        charge_home(table, field.battle, field["a"], field["b"], 0.0)
    assert bool(field.battle.touching(field["c"])) is within


@pytest.mark.rule("RSK-164")
@WITHIN
def test_the_charged_step_up_from_five_cm(over: float, within: bool) -> None:
    """The distance is measured from the men in contact, base to base."""
    field = scene(
        man("a", "red", 50, 50, marks=["charged", "charger"]),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 52.5 + 7.5 + over)]),
    )
    with field.script() as table:
        found = matches(table, field.battle, [field["a"], field["b"]])
    assert (("b", 1) in found[0].several) is within


@pytest.mark.rule("RSK-185")
@WITHIN
def test_an_objective_is_held_from_ten_cm(over: float, within: bool) -> None:
    of = game(objectives=", hill: {kind: hold, name: Hill, at: [30, 30], radius: 1}")
    state = of.start()
    for name in list(state.units):
        if name != "rifles_1":
            state.remove(state.units[name], "killed")
    unit = state.units["rifles_1"]
    top = max(unit.body.at, key=lambda point: point[1])
    unit.body = unit.body.shifted(30 * 2.54 - top[0], 30 * 2.54 - 10 - 1.25 - over - top[1])
    holder = RskScoreboard(state, of.scenario, of.plan).holder(of.scenario.objectives["hill"])  # type: ignore[arg-type]
    assert (holder == "red") is within


@pytest.mark.rule("RSK-107")
@WITHIN
def test_works_are_lined_from_ten_cm(over: float, within: bool) -> None:
    """The front rank is 10 cm behind its bags, from base edge to line. The scenario gives the unit's centre."""
    inches = (14 * 2.54 - 10 - 1.25 - 1.375 - over) / 2.54
    men = (
        "men: {name: Men, side: red, arm: infantry, kind: european_irregular, figures: 8, weapon: breech_rifle, "
        f"position: [30, {inches:.6f}], facing: north}}"
    )
    texts = ", ".join((men, UNITS.strip().split("\n")[1].strip()))
    bags = "bags: {kind: mealie_bags, line: [[10, 14], [50, 14]]}"
    plan = game(units=texts, leaders="", terrain=bags).plan
    front = max(y for _, y in plan.bodies["men"].at)
    assert (14 * 2.54 - front < 2) is within


@pytest.mark.rule("RSK-108", "RSK-152", "RSK-154")
@pytest.mark.parametrize("shoots_out", [True, False])
@WITHIN
def test_one_shoots_and_is_shot_at_ten_cm_inside_a_wood(shoots_out: bool, over: float, within: bool) -> None:
    """A companion at the edge sees the enemy and makes the unit in the wood visible."""
    wood = ground("wood", "wood", [(0, 100), (200, 100), (200, 140), (0, 140)])
    arms: dict[str, Any] = {"weapon": "rifle", "loading": "breech"}
    inside = troops("in", "red" if shoots_out else "blue", (0, 0), at=[(60, 100.5), (70, 110 + over)], **arms)
    outside = troops("out", "blue" if shoots_out else "red", (0, 0), at=[(70, 60)], **arms)
    field = scene(inside, outside, terrain=[wood])
    field.battle.seen = frozenset({"in", "out"})
    if shoots_out:
        between = lines_of_fire(field.battle, inside, outside)
        shots = able_figures(field.battle, inside, outside, "rifle", [("out", 0)], between)
        assert (1 in {shot.index for shot in shots}) is within
    else:
        assert (("in", 1) in open_figures(field.battle, outside, inside)) is within


# --- moves and counts ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-008")
def test_crews_move_ten_cm() -> None:
    field = scene(troops("a", "red", (50, 50), 4, support="gun"))
    assert allowance(field.battle, field["a"], False) == 10


@pytest.mark.rule("RSK-142", "RSK-072", "RSK-074")
@pytest.mark.parametrize(
    ("traits", "cm"), [({}, 30), ({"hurt": 1}, 25), ({"mounted": True}, 45), ({"mounted": True, "hurt": 1}, 37)]
)
def test_routers_go_five_cm_more_than_they_could_march(traits: dict[str, Any], cm: float) -> None:
    field = scene(man("a", "red", 100, 100, status="routing", result="rout", **traits), man("e", "blue", 100, 150))
    with field.script() as table:
        act(table, field.battle, field["a"])
    assert field["a"].body.at[0][1] == pytest.approx(100 - cm)


@pytest.mark.rule("RSK-076", "RSK-077", "RSK-142")
def test_the_five_cm_come_on_top_of_the_half_move_that_a_barrier_takes() -> None:
    field = scene(man("a", "red", 50, 50), terrain=[line("fence", "hedge", (0, 60), (100, 60))])
    with field.script() as table:
        go(table, field.battle, field["a"], [(50, 50), (50, 90)], 30, bonus=5.0)
    assert field["a"].body.at[0][1] == pytest.approx(50 + 30 - 12.5)


@pytest.mark.rule("RSK-150", "RSK-188", "RSK-005")
@pytest.mark.setting("bases.foot_cm")
@pytest.mark.parametrize("base", [2.5, 5.0])
@WITHIN
def test_markers_are_spotted_like_figures_at_the_edge(over: float, within: bool, base: float) -> None:
    from zareba_rulesets.risk_factor.forces.battle import Marker

    bush = ground("bush", "bush", [(0, 100), (200, 100), (200, 120), (0, 120)])
    near = 100 - 1.25 - base / 2 - 20
    field = scene(man("a", "red", 50, near - over), terrain=[bush], bases_foot_cm=base)
    field.battle.markers = {"m": Marker("blue", (50.0, 100.0), ())}
    field.battle.sight_dice = {"m": 2}
    assert sees_marker(field.battle, field["a"], "m", field.battle.markers["m"]) is within
