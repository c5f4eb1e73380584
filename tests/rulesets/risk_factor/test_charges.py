"""Charges into contact (RSK-162, RSK-163, RSK-165)."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, radians, sin
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rulesets.risk_factor.battlefields import Scene, crowd, ground, leader, line, row, scene, troops
from tests.rulesets.risk_factor.skirmishes import order_options

from zareba.base.exact import dist
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point, distance_to_segment
from zareba_rulesets.risk_factor.chapters.action_moves import list_moves_and_charges
from zareba_rulesets.risk_factor.chapters.action_throws import action_throws
from zareba_rulesets.risk_factor.chapters.charge import CHARGE_PATHS, carry_out_charge, charge_home
from zareba_rulesets.risk_factor.chapters.melee import fight, matches
from zareba_rulesets.risk_factor.chapters.sight import sees


# --- charging ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-162", "RSK-163")
def test_each_figure_goes_into_contact_if_it_can_reach() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (60, 50), (70, 20)], close="sword", marks=["free"]),
        troops("b", "blue", (0, 0), at=[(50, 70), (60, 70), (70, 70)]),
    )
    assert ("charge", "b") in order_options(field.battle, field["a"])
    field.run(charge_home, field["a"], field["b"], 0)
    assert len(field.battle.figures_in_contact(field["a"])) == 2
    assert field["a"].body.at[2] == pytest.approx((70, 45), abs=0.1)
    bound = scene(
        troops("a", "red", (50, 50), 4, close="sword", marks=["bound"], result="retreat"),
        troops("b", "blue", (50, 70), 4),
    )
    assert "free" not in bound["a"].marks


@pytest.mark.rule("RSK-162", "RSK-077")
def test_a_barrier_on_the_way_costs_half_the_charge() -> None:
    def contact(barrier: bool) -> bool:
        fence = [line("fence", "hedge", (0, 60), (100, 60))] if barrier else []
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
            troops("b", "blue", (0, 0), at=[(50, 72)]),
            terrain=fence,
        )
        field.run(carry_out_charge, field["a"])
        return bool(field.battle.enemies_in_contact(field["a"]))

    assert contact(False) and not contact(True)


@pytest.mark.rule("RSK-164")
def test_chargers_spread_over_their_enemies() -> None:
    field = scene(
        troops("a", "red", (50, 50), 6, close="sword", width=6),
        troops("b", "blue", (0, 0), at=[(46, 65), (50, 65), (54, 65)]),
    )
    field.run(carry_out_charge, field["a"])
    assert len(field.battle.figures_in_contact(field["b"])) == 3


@pytest.mark.rule("RSK-162", "RSK-079")
@pytest.mark.parametrize("width", [3, 4])
def test_chargers_between_a_cliff_and_the_enemy_do_not_overlap(width: int) -> None:
    """Between a cliff and the enemy, men find room to fight only in places of men who cannot reach him."""
    cliff = ground("cliff", "closed", [(30, 49), (51, 49), (51, 70), (30, 70)])
    for centre in ((46, 46), (50, 45)):
        field = scene(
            troops("a", "red", centre, 8, width=width, close="sword"),
            troops("b", "blue", (52, 52), 2, width=1),
            terrain=[cliff],
        )
        field.run(charge_home, field["a"], field["b"], 0)
        at = field["a"].body.at
        assert min(dist(p, q) for i, p in enumerate(at) for q in at[:i]) >= 2.49


@pytest.mark.rule("RSK-162", "RSK-079")
@pytest.mark.parametrize("crowded", [False, True])
def test_charge_round_water_ends_on_free_ground(crowded: bool) -> None:
    """Without the friend, the charger goes round the eastern end of the water and stops at (94.6, 66.4)."""
    water = ground("water", "closed", [(40, 62), (100, 62), (100, 66), (40, 66)])
    field = scene(
        troops("a", "red", (0, 0), at=[(85, 58)], close="sword"),
        troops("friend", "red", (0, 0), at=[(95.5, 67.4)] if crowded else [(200, 100)]),
        troops("b", "blue", (0, 0), at=[(80, 70)]),
        terrain=[water],
    )
    field.run(charge_home, field["a"], field["b"], 0)
    (here,) = field["a"].body.at
    assert not field.battle.field.is_closed(here)
    assert dist(here, field["friend"].body.at[0]) >= 2.49
    assert crowded or here == pytest.approx((94.6, 66.4), abs=0.1)


@pytest.mark.rule("RSK-036", "RSK-161", "RSK-170")
def test_freed_prisoners_fight_with_bare_hands() -> None:
    """Stones against stones are equal on equal dice. Even stones beat a man whose arms were taken."""

    def wounded(*marks: str) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], close="rocks", marks=["charged"]),
            troops("b", "blue", (0, 0), at=[(50, 52.5)], close="rocks", marks=marks),
            solo=["red"],
        )
        field.run(fight, ("a", "b"), script=[("melee", [5, 5])])
        return any(field["b"].hurt)

    assert wounded("disarmed") and not wounded()


def charges(field: Scene) -> list[Any]:
    return [
        option
        for option in order_options(field.battle, field["a"])
        if isinstance(option, tuple) and option[0] == "charge"
    ]


@pytest.mark.rule("RSK-163", "RSK-137")
@pytest.mark.parametrize(
    ("gap", "native", "reaches"), [(25.0, False, True), (25.1, False, False), (31.0, True, True), (31.1, True, False)]
)
def test_commanded_troops_are_offered_the_charges_they_can_reach(gap: float, native: bool, reaches: bool) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (54, 50)], native=native, marks=["free", "commanded"]),
        troops("b", "blue", (0, 0), at=[(50, 52.5 + gap)]),
    )
    assert bool(charges(field)) is reaches


@pytest.mark.rule("RSK-163", "RSK-138", "RSK-048")
def test_a_commander_sends_his_men_against_enemies_in_sight_only() -> None:
    """One enemy unit is behind a house. A chief among his men is not a separate target."""
    house = ground("house", "built_up", [(90, 70), (130, 70), (130, 90), (90, 90)])
    field = scene(
        troops("a", "red", (50, 50), 4, marks=["free", "commanded"]),
        troops("seen", "blue", (50, 120), 4),
        leader("chief", "blue", (50, 125), "chief"),
        troops("hidden", "blue", (160, 110), 4),
        terrain=[house],
    )
    assert [o[1] for o in order_options(field.battle, field["a"]) if isinstance(o, tuple)] == ["seen"]


@pytest.mark.rule("RSK-163", "RSK-128")
@pytest.mark.parametrize(("die", "may"), [(1, False), (2, True), (6, True)])
def test_a_charge_is_barred_when_the_table_forces_another_movement(die: int, may: bool) -> None:
    """At RF 3 (30 % lost) on the close-combat table a 1 is a Retreat, which is binding. Any other result leaves the men
    free to charge.
    """
    field = scene(
        troops("a", "red", (50, 50), 7, dead=3, marks=["commanded"]),
        leader("pc", "red", (20, 20), marks=["linked"]),
        troops("b", "blue", (50, 74), 4),
        commanders=["pc"],
    )
    field.run(action_throws, script=[("action", [die]), ("action", [3])])
    assert field.battle.risk["a"] == 3
    moves, charging = list_moves_and_charges(field.battle)
    assert "a" in moves and charging == []
    assert ("free" in field["a"].marks) is may
    assert field["a"].action == "halt" if may else field["a"].action == "retreat"


@pytest.mark.rule("RSK-162", "RSK-079")
@given(
    gaps=st.lists(st.floats(1.03, 2.0), min_size=3, max_size=5).filter(lambda gaps: sum(gaps) < 6.2),
    start=st.floats(0, 6.28),
)
def test_a_charger_comes_into_contact_wherever_a_ring_of_others_leaves_room(gaps: list[float], start: float) -> None:
    """Men surround one enemy. A charger reaches him if there is room for his base at any angle."""
    angles = [start + sum(gaps[:n]) for n in range(len(gaps) + 1)]
    ring = [(50 + 2.55 * sin(angle), 60 + 2.55 * cos(angle)) for angle in angles if angle - start < 2 * pi - 1.03]
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 52)], close="sword"),
        troops("mates", "red", (0, 0), at=ring),
        troops("b", "blue", (0, 0), at=[(50, 60)]),
        melee_max_contact=8,
    )
    places = [(50 + 2.55 * sin(radians(d / 2)), 60 + 2.55 * cos(radians(d / 2))) for d in range(720)]
    field.run(charge_home, field["a"], field["b"], 0)
    if any(all(dist(at, mate) >= 2.5 for mate in ring) for at in places):
        assert field.battle.figures_in_contact(field["a"])
    assert all(dist(field["a"].body.at[0], mate) >= 2.5 - 1e-5 for mate in ring)


@pytest.mark.rule("RSK-162", "RSK-164", "RSK-165", "RSK-079")
@pytest.mark.parametrize(("gap", "reached"), [(14.0, 2), (19.0, 2), (20.5, 1)])
@pytest.mark.parametrize("east", [0.0, 0.4, -0.4])
def test_a_charger_goes_round_a_man_who_is_full_to_the_next(gap: float, reached: int, east: float) -> None:
    """Two enemies in file are 5 cm apart, and only one man may meet each. The second charger passes the first enemy,
    within 25 cm.
    """
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (50 + east, 47.4)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 52.5 + gap - 2.6), (50, 57.5 + gap - 2.6)]),
        melee_max_contact=1,
    )
    field.run(charge_home, field["a"], field["b"], 0)
    assert len(field.battle.figures_in_contact(field["a"])) == reached
    assert len(field.battle.figures_in_contact(field["b"])) == reached


@pytest.mark.rule("RSK-162", "RSK-079")
def test_charger_goes_round_engaged_enemies_not_through_them() -> None:
    """Three enemies are shoulder to shoulder, each with an opponent. The charger reaches a fourth behind them round the
    end of the row.
    """
    front = [(x, 60.0) for x in (47.4, 50.0, 52.6)]
    field = scene(
        troops("mates", "red", (0, 0), at=[(x, 57.45) for x, _ in front]),
        troops("a", "red", (0, 0), at=[(51, 51)], close="sword"),
        troops("row", "blue", (0, 0), at=front),
        troops("b", "blue", (0, 0), at=[(50, 63.5)]),
        melee_max_contact=1,
    )
    way = CHARGE_PATHS.past(
        (51, 51), (52.55, 63.5), (50, 63.5), 1.25, [(at, 1.25) for at in (*front, (50.0, 63.5))], front, 1
    )
    assert way is not None and all(
        distance_to_segment(man, a, b) >= 2.5 - 0.05 for man in front for a, b in pairwise(way)
    )
    assert max(x for x, _ in way) == pytest.approx(55.15, abs=0.1) and way[-1] == pytest.approx((52.55, 63.5))
    field.run(charge_home, field["a"], field["b"], 0)
    assert field.battle.figures_in_contact(field["b"]) == {0}


@pytest.mark.rule("RSK-165")
@pytest.mark.parametrize(("mates", "meets"), [(3, True), (4, False)])
def test_friends_who_stand_against_a_man_already_count(mates: int, meets: bool) -> None:
    places = [(50 + 2.55 * sin(radians(d)), 60 + 2.55 * cos(radians(d))) for d in (0, 65, 295, 130)]
    field = scene(
        troops("mates", "red", (0, 0), at=places[:mates]),
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 60)]),
    )
    field.run(charge_home, field["a"], field["b"], 0)
    assert bool(field.battle.figures_in_contact(field["a"])) is meets


@pytest.mark.rule("RSK-162", "RSK-079")
def test_surrounded_man_cannot_be_reached() -> None:
    ring = [(50 + 3.0 * sin(radians(d)), 60 + 3.0 * cos(radians(d))) for d in range(0, 360, 60)]
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 60)]),
        troops("ring", "blue", (0, 0), at=ring),
        melee_max_contact=1,
    )
    rings = [(at, 1.25) for at in ((50.0, 60.0), *ring)]
    assert all(CHARGE_PATHS.past((50, 50), (50, 57.45), (50, 60), 1.25, rings, ring, hand) is None for hand in (1, -1))
    field.run(charge_home, field["a"], field["b"], 0)
    assert not any(dist(field["a"].body.at[0], man) < 2.5 - 1e-6 for man in ((50, 60), *ring))


@pytest.mark.rule("RSK-162", "RSK-005")
@pytest.mark.parametrize("aside", [0.0, 0.1, 0.6])
def test_a_base_may_lie_over_all_places_round_an_enemy(aside: float) -> None:
    """In a crowded set-up a wide base overlaps a narrow one. No charger finds a place next to the man under it, and
    play goes on.
    """
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 60)]),
        troops("riders", "red", (0, 0), at=[(50, 60 + aside)], mounted=True),
        troops("elephant", "red", (0, 0), at=[(50, 60 - aside)], mounted=True),
        bases_mounted_cm=8.0,
    )
    for name in ("riders", "elephant"):
        field[name].body = Body(field[name].body.at, 4.0)
    field.run(charge_home, field["a"], field["b"], 0)
    assert not field.battle.figures_in_contact(field["a"])


@pytest.mark.rule("RSK-165")
@pytest.mark.setting("melee.max_contact")
@pytest.mark.parametrize(("most", "engaged"), [(4, 8), (3, 6), (2, 4), (1, 2)])
def test_limit_of_men_against_one(most: int, engaged: int) -> None:
    """Twelve men charge two separate enemies. The fourth man against each goes round him."""
    field = scene(
        troops("a", "red", (50, 50), 12, width=6, close="sword"),
        troops("b", "blue", (0, 0), at=[(45, 66), (56, 66)]),
        melee_max_contact=most,
    )
    field.run(carry_out_charge, field["a"])
    for man in field["b"].body.at:
        touching = [p for p in field["a"].body.at if ((p[0] - man[0]) ** 2 + (p[1] - man[1]) ** 2) ** 0.5 <= 2.5 + 0.1]
        assert 0 < len(touching) <= most
    assert len(field.battle.figures_in_contact(field["a"])) == engaged
    found = field.run(matches, [field["a"], field["b"]])
    assert [len(match.several) for match in found] == [engaged // 2] * 2


@pytest.mark.rule("RSK-165", "RSK-162")
@pytest.mark.parametrize(("gap", "engaged"), [(18.0, 4), (22.0, 3), (24.5, 1), (25.1, 0)])
def test_the_way_round_a_man_is_paid_for(gap: float, engaged: int) -> None:
    """Within 25 cm one man finds room straight ahead, and one on each side after 2 cm more. The rest go behind."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (47.4, 50), (52.6, 50), (44.8, 50), (55.2, 50)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 52.5 + gap)]),
    )
    field.run(carry_out_charge, field["a"])
    assert len(field.battle.figures_in_contact(field["a"])) == engaged


@pytest.mark.rule("RSK-077", "RSK-162")
@pytest.mark.setting("movement.barrier_cost")
def test_chargers_who_need_whole_moves_for_a_barrier_come_over_it_in_time() -> None:
    """They reach the barrier, spend two whole moves there, and then go on to the enemy behind it."""
    field = scene(
        troops("a", "red", (0, 0), at=row(2, 50), close="sword"),
        troops("b", "blue", (0, 0), at=row(2, 75)),
        terrain=[line("fence", "hedge", (0, 60), (100, 60))],
        movement_barrier_cost="two_moves",
    )
    came = []
    for _ in range(4):
        field["a"].marks = frozenset()
        field.run(carry_out_charge, field["a"])
        came.append(max(y for _, y in field["a"].body.at))
    assert came == [pytest.approx(y, abs=0.3) for y in (60, 60, 60, 72.45)]
    assert came[1] <= 60 < came[2]
    assert field.battle.enemies_in_contact(field["a"]) == [field["b"]]


@pytest.mark.rule("RSK-081", "RSK-162")
def test_chargers_who_find_no_room_have_not_moved() -> None:
    """Six friends already surround the enemy."""
    ring = [(50 + 2.55 * sin(radians(turn)), 60 + 2.55 * cos(radians(turn))) for turn in range(0, 360, 60)]
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 54.8)], close="sword"),
        leader("nco", "red", (50, 52), "nco"),
        troops("mates", "red", (0, 0), at=ring),
        troops("b", "blue", (0, 0), at=[(50, 60)]),
    )
    field.run(charge_home, field["a"], field["b"], 0)
    assert field["a"].body.at == ((50, 54.8),)
    assert not (field["a"].marks | field["nco"].marks) & {"moved", "far"}


@pytest.mark.rule("RSK-162")
def test_charge_reports_every_contact() -> None:
    """The second charger finds no room at the man charged. On his way up he touches a man of another unit."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 40), (55, 40)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 60)]),
        troops("c", "blue", (0, 0), at=[(54.05, 53.98)]),
        melee_max_contact=1,
    )
    with field.script() as table:
        charge_home(table, field.battle, field["a"], field["b"], 0)
    assert len(field.battle.figures_in_contact(field["a"])) == 2
    assert [(e.data["contact"], e.data["met"]) for e in table.events if e.kind == "charge"] == [(2, ["b", "c"])]


@pytest.mark.rule("RSK-077", "RSK-162")
@pytest.mark.parametrize(("end", "engaged"), [(50.2, 1), (60.0, 0)])
def test_chargers_pass_by_the_end_of_a_wall_that_they_cannot_pay_for(end: float, engaged: int) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        troops("b", "blue", (0, 0), at=[(50, 70)]),
        terrain=[line("wall", "works", (40, 60), (end, 60))],
    )
    field.run(carry_out_charge, field["a"])
    assert len(field.battle.figures_in_contact(field["a"])) == engaged


@pytest.mark.rule("RSK-079", "RSK-162")
@pytest.mark.parametrize(("spacing", "through"), [(5.2, True), (4.8, False)])
def test_chargers_do_not_run_through_an_enemy_line(spacing: float, through: bool) -> None:
    """The chief is right behind a gap in his line. A man of 2.5 cm passes only a gap that is wide enough."""
    line = [(50 + spacing * (k - 0.5), 65.0) for k in (-2, -1, 0, 1, 2, 3)]
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        troops("b", "blue", (0, 0), at=line),
        leader("chief", "blue", (50, 69.5)),
    )
    field.run(charge_home, field["a"], field["chief"], 0)
    assert bool(field.battle.enemies_in_contact(field["chief"])) is through


@pytest.mark.rule("RSK-048", "RSK-162", "RSK-163")
def test_a_charge_goes_at_a_group_with_its_leaders() -> None:
    field = scene(
        troops("a", "red", (50, 50), 4, width=4, close="sword", marks=["free"]),
        troops("b", "blue", (50, 70), 4, width=4),
        leader("chief", "blue", (50, 66)),
        leader("alone", "blue", (68, 66)),
    )
    assert charges(field) == [("charge", "b"), ("charge", "alone")]
    with field.script() as table:
        carry_out_charge(table, field.battle, field["a"])
    told = [event.data["target"] for event in table.events if event.kind == "charge"]
    assert (
        told == ["b"]
        and field.battle.enemies_in_contact(field["chief"])
        and field.battle.enemies_in_contact(field["b"])
    )


@pytest.mark.rule("RSK-079", "RSK-162")
def test_blocked_chargers_contact_the_units_in_the_way() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
        troops("wall", "blue", (0, 0), at=row(7, 60)),
        troops("b", "blue", (0, 0), at=[(50, 70)]),
    )
    with field.script() as table:
        charge_home(table, field.battle, field["a"], field["b"], 0)
    assert field.battle.enemies_in_contact(field["a"]) == [field["wall"]]
    (told,) = (event.data for event in table.events if event.kind == "charge")
    assert (told["contact"], told["met"], told["left"] > 5) == (1, ["wall"], True)


@pytest.mark.rule("RSK-146", "RSK-162")
@pytest.mark.parametrize(("gap", "meets"), [(25.0, True), (25.01, False)])
def test_a_charge_meets_whoever_is_a_whole_move_away(gap: float, meets: bool) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], close="sword"), troops("b", "blue", (0, 0), at=[(50, 52.5 + gap)])
    )
    field.run(carry_out_charge, field["a"])
    assert bool(field.battle.enemies_in_contact(field["a"])) is meets


@pytest.mark.rule("RSK-094")
def test_contact_is_recomputed_after_moves_and_losses() -> None:
    field = scene(troops("a", "red", (50, 50), at=[(50, 50), (60, 50)]), troops("b", "blue", (50, 90), 1))
    a, b = field["a"], field["b"]
    assert field.battle.figures_in_contact(a) == frozenset() == field.battle.figures_in_contact(b)
    b.body = Body(((50.0, 52.5),), 1.25)
    assert field.battle.figures_in_contact(a) == {0} and field.battle.figures_in_contact(b) == {0}
    a.body, a.hurt, a.armed = a.body.without([0]), a.hurt[1:], a.armed[1:]
    assert field.battle.figures_in_contact(a) == frozenset() == field.battle.figures_in_contact(b)
    a.body = a.body.moved_by(-7.5, 2.5)
    assert field.battle.figures_in_contact(a) == {0} and field.battle.enemies_in_contact(b) == [a]
    field.battle.remove(b, "killed")
    assert field.battle.figures_in_contact(a) == frozenset() and field.battle.enemies_in_contact(a) == []


spots = st.tuples(st.floats(10, 190), st.floats(10, 190))
counts = st.integers(1, 12)
crowds = st.lists(st.tuples(spots, counts), min_size=3, max_size=7)


@settings(max_examples=40)
@given(crowds)
def test_units_are_sent_against_the_nearest_enemies_that_they_see(units: list[tuple[Point, int]]) -> None:
    battle = crowd(units, terrain=[ground("house", "built_up", [(80, 80), (110, 80), (110, 120), (80, 120)])])
    unit = battle.units["u0"]
    if battle.enemies_in_contact(unit):
        return
    seen = [enemy for enemy in battle.against("red") if sees(battle, unit, enemy)]
    near = sorted((unit.body.circle_gap(enemy.body), enemy.id) for enemy in seen)[:3]
    advances = [
        option[1] for option in order_options(battle, unit) if isinstance(option, tuple) and option[0] == "advance"
    ]
    assert set(advances) <= {name for _, name in near}
    assert advances == [name for _, name in near if name in advances]


HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


@pytest.mark.rule("RSK-005")
@WITHIN
def test_contact_is_a_tenth_of_a_cm(over: float, within: bool) -> None:
    field = scene(man("a", "red", 50, 50), man("b", "blue", 50, 52.6 + over - 1e-9))
    assert bool(field.battle.enemies_in_contact(field["a"])) is within


@pytest.mark.rule("RSK-162")
@WITHIN
def test_a_charge_meets_those_within_two_cm_of_the_charged(over: float, within: bool) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (54.5, 50)]),
        man("b", "blue", 50, 60),
        man("c", "blue", 54.5 + over, 60),
    )
    field.run(charge_home, field["a"], field["b"], 0.0)
    assert bool(field.battle.enemies_in_contact(field["c"])) is within


# --- followers: figures that reach no enemy base move up --------------------------------------------------------------


def charged(men: list[Point], foes: list[Point], bonus: float = 0.0, **more: Any) -> list[Any]:
    """Return where men stand who have charged these enemies, of whom each can be fought by one man."""
    mates = troops("mates", "red", (0, 0), at=more.pop("mates", [(250, 150)]))
    own, enemy = troops("a", "red", (0, 0), at=men, close="sword"), troops("b", "blue", (0, 0), at=foes)
    field = scene(own, enemy, mates, melee_max_contact=1, **more)
    field.run(charge_home, field["a"], field["b"], bonus)
    return [pytest.approx(at, abs=0.01) for at in field["a"].body.at]


@pytest.mark.rule("RSK-162", "RSK-079")
def test_followers_stop_half_a_cm_short_of_the_nearest_enemy() -> None:
    """The bases are 2.5 cm wide. The first man comes into contact and leaves no room for another."""
    first = (50, 57.45)
    assert charged([(50, 40), (70, 60)], [(50, 60)]) == [first, (53, 60)]
    assert charged([(50, 40), (62, 76)], [(50, 60)]) == [first, (51.8, 62.4)], "sloping"
    assert charged([(50, 57.4), (53.6, 60)], [(50, 60)]) == [first, (53, 60)]
    assert charged([(50, 57.4), (52.8, 60)], [(50, 60)]) == [first, (52.8, 60)], "close enough already"


@pytest.mark.rule("RSK-162", "RSK-163", "RSK-071")
def test_followers_move_up_by_their_allowance_and_the_bonus() -> None:
    assert charged([(50, 20)], [(50, 80)]) == [(50, 45)]
    assert charged([(50, 20)], [(50, 80)], bonus=6.0) == [(50, 51)]


@pytest.mark.rule("RSK-162", "RSK-079")
def test_follower_behind_a_mate_stops_where_there_is_room() -> None:
    """He looks for room from (50, 57) back, in steps of 1.5 cm."""
    assert charged([(50, 40), (50, 36)], [(50, 60)]) == [(50, 57.45), (50, 54)]


@pytest.mark.rule("RSK-162", "RSK-077", "RSK-071")
@pytest.mark.parametrize(
    ("start", "wall", "moved"),
    [((40, 160), 44, 12.5), ((75, 160), 59, 16.16), ((160, 40), 156, 12.5), ((125, 40), 141, 16.16)],
    ids=["starts in the west", "ends in the west", "starts in the east", "ends in the east"],
)
def test_followers_pay_for_a_wall_wherever_it_crosses_their_path(start: Point, wall: float, moved: float) -> None:
    """The enemy is out of reach, 35 cm to the side and 5 cm farther north. A wall near the start is crossed for half
    the allowance of 25 cm; the man stops in front of one that is farther away than the other half.
    """
    side = 1 if wall in (44, 141) else -1
    foe = (start[0] + side * 35, start[1] + 5)
    works = line("wall", "works", (wall, start[1] - 20), (wall, start[1] + 20))
    (stopped,) = charged([start], [foe], terrain=[works])
    assert dist(start, stopped.expected) == pytest.approx(moved, abs=0.01)
    (free,) = charged([start], [foe])
    assert dist(start, free.expected) == pytest.approx(25)


# The second man stands on the edge of a cliff and cannot reach the enemy in front of him. The first comes into contact
# where the second stood.
CLIFF = ground("cliff", "closed", [(50.7, 50), (56.7, 50), (56.7, 58), (50.7, 58)])
HEMMED: list[Point] = [(48.3, 56.7), (51.6, 58.0)]
ROUND_HIM = [(x, y) for x in (43, 45.6, 55.5, 58.2) for y in (49, 51.6, 54.2, 58.5, 61.1, 63.7, 66.3)]
ROUND_HIM += [(x, y) for x in (48.2, 50.8, 53.4) for y in (62.8, 65.4, 68)]
ROUND_HIM += [(50.8, 54), (48, 50), (51, 50), (53.4, 54), (46.5, 58.8)]


@pytest.mark.rule("RSK-162", "RSK-079")
@pytest.mark.parametrize(
    ("second", "more"),
    [
        ((55.06, 60.0), {}),
        ((48.14, 60.0), {"width": 55.0}),
        ((48.14, 60.0), {"terrain": [CLIFF, line("wall", "closed", (54.2, 57), (54.2, 70))]}),
        ((48.14, 60.0), {"mates": [(55.5, 60)]}),
        ((51.6, 58.0), {"mates": ROUND_HIM}),
    ],
    ids=["free", "off the table", "behind a wall", "taken by a mate", "no room"],
)
def test_follower_whose_place_is_taken_steps_aside_to_the_nearest_room(second: Point, more: dict[str, Any]) -> None:
    assert charged(HEMMED, [(52, 60)], **({"terrain": [CLIFF]} | more)) == [(50.1, 58.3), second]
