"""Movement, charges and contact on foot (chapter 6)."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction as F
from math import cos, dist, isclose, radians, sin
from random import Random
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    MISS,
    OUT,
    STAYS,
    acts,
    alone,
    ask,
    battery,
    battle,
    book,
    box,
    check_shift,
    duel,
    facing_off,
    field,
    fighters,
    house,
    man,
    perform_with_one_man,
    rules_with,
    run,
    scripted,
    shot,
    squad,
    struck,
)
from tests.rulesets.fixed_baynet.random_boards import ground, spot, tables, way
from tests.rulesets.fixed_baynet.scenarios import PLACED, game, troops

from zareba.base.exact import hypot
from zareba.battle.positions import StepSuggestions
from zareba.space.bearings import offset
from zareba.space.field.bodies import Base
from zareba.space.geometry import Point
from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.cavalry import riders
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.crews import haul_refused, haulers
from zareba_rulesets.fixed_baynet.chapters.fire import fire_volley
from zareba_rulesets.fixed_baynet.chapters.melee import (
    charge_targets,
    charge_with_unit,
    contact_spots,
    fight_facts,
    strike_blow,
    visible_contact_spot,
)
from zareba_rulesets.fixed_baynet.chapters.morale import lie_down
from zareba_rulesets.fixed_baynet.chapters.movement import (
    March,
    allowance,
    allowance_on,
    bases_on_way,
    can_move,
    get_up,
    go_prone,
    may_get_up,
    movers,
    step_towards,
    way_refused,
)
from zareba_rulesets.fixed_baynet.chapters.night import notice_terrain
from zareba_rulesets.fixed_baynet.chapters.targets import Answers, fire_targets, resolve_counter_attack, target_figures
from zareba_rulesets.fixed_baynet.forces.battle import Battle, is_free
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def refused_alone(state: Battle, figure: Figure, dx: float, dy: float) -> bool:
    """Return why ground or move allowance bars a single man from a path (FBN-039, FBN-048, FBN-129)."""
    leg = state.field.straight_move(figure.at, (figure.x + dx, figure.y + dy), False)
    if leg.closed:
        return True
    length, groin = hypot(dx, dy), "groin" in figure.locations
    if length > allowance(state, figure) + 1e-6:
        return True
    if state.book.settings.terrain_move == "proportional" and not groin:
        return leg.cost > allowance(state, figure) + 1e-6
    return (
        length
        > (
            allowance(state, figure)
            if groin
            else state.book.allowance_on_ground(allowance(state, figure), leg.difficulty)
        )
        + 1e-6
    )


@pytest.mark.rule("FBN-039", "FBN-048", "FBN-065", "FBN-128", "FBN-129")
@pytest.mark.setting("terrain_move")
@pytest.mark.parametrize("move", ["worst", "proportional"])
def test_men_may_walk_where_each_of_them_may(move: str) -> None:
    """A group may make a move if each man may. Some paths have exactly a whole allowance; men are alike, or some have
    leg or groin wounds.
    """
    for number, random in enumerate(tables(40)):
        on = ground(random, terrain_move=move)
        red = squad("red", "red", 3, spot(random))
        men = list(red.figures.values())
        for figure in men if number % 3 else []:
            figure.locations = frozenset(random.choices(("leg_light", "groin", "arm"), k=random.randint(0, 1)))
        state = battle(red, on=on, terrain_move=move)
        march = March(state, red, men, 12.0)
        w, s, e, n = march.box
        lengths = sorted(
            {
                float(state.book.allowance_on_ground(allowance(state, figure), going))
                for figure in men
                for going in range(3)
            }
        )
        ways = [way(random) for _ in range(6)]
        ways += [offset((0.0, 0.0), random.uniform(0, 360), length) for length in lengths for _ in range(2)]
        for dx, dy in ways:
            sweep = (w + min(dx, 0), s + min(dy, 0), e + max(dx, 0), n + max(dy, 0))
            expected = any(refused_alone(state, figure, dx, dy) for figure in men)
            assert (march.reason_against_ground(on.scene(sweep), sweep, dx, dy) is not None) is expected


@pytest.mark.rule("FBN-039", "FBN-173")
def test_log_reports_a_move_order_without_effect() -> None:
    crags = (box(40, 40, 60, 49.2), box(40, 50.8, 60, 60), box(40, 49.2, 49.2, 50.8), box(50.8, 49.2, 60, 50.8))
    ground = field(*(("crag", list(crag)) for crag in crags))
    for mounted, order in ((False, "move"), (True, ("ride", 1)), (True, ("wheel", 1)), (True, "one man")):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=mounted)])
        state = battle(unit, squad("blue", "blue", 1, (50, 90)), on=ground)
        script = [("what he does", ("ride", 1))] if order == "one man" else []
        with scripted(state, *script) as table:
            perform_action(table, state, unit, order)
            assert [event.kind for event in table.events] == ["no way"]
        assert unit.figures["red/1"].at == (50, 50) and unit.figures["red/1"].ac == 3


@pytest.mark.rule("FBN-020", "FBN-021", "FBN-039", "FBN-041", "FBN-046", "FBN-047")
def test_allowances_of_a_movement_action() -> None:
    numbers = book()
    assert [[numbers.allowance_on_ground(speed, going) for going in (0, 1, 2)] for speed in (5, 6)] == [
        [5, 4, 2],
        [6, 4, 2],
    ]
    assert [[numbers.allowance_on_ground(speed, going) for going in (1, 2)] for speed in (10, 12)] == [[7, 4], [8, 4]]
    state, _, figure = alone()
    assert (allowance(state, figure), allowance(state, figure, charging=True)) == (5, 10)
    figure.mark("prone")
    assert allowance(state, figure) == 3


@pytest.mark.rule("FBN-039")
@pytest.mark.setting("move_per")
def test_speed_may_be_the_limit_of_the_turn() -> None:
    for setting, again in (("action", True), ("turn", False)):
        unit = squad("red", "red", 1)
        state = battle(unit, move_per=setting)
        unit.figures["red/1"].moves = 1
        assert can_move(state, unit.figures["red/1"]) is again
        assert can_move(state, unit.figures["red/1"], charging=True) is again


@pytest.mark.rule("FBN-039", "FBN-041")
@pytest.mark.setting("move_per")
def test_unused_inches_of_a_move_are_lost() -> None:
    """A man who moves two of his five inches loses the other three, and his charge, which is the same action."""
    unit = squad("red", "red", 1, (50, 50))
    state = battle(unit, squad("blue", "blue", 1, (50, 58), facing=180.0), move_per="turn")
    run(perform_action, state, unit, "move", script=[("move to", (50.0, 52.0))], move_per="turn")
    assert unit.figures["red/1"].at == (50, 52)
    assert "move" not in acts(state, unit) and ("charge", "blue") not in acts(state, unit)


@pytest.mark.rule("FBN-039", "FBN-048")
@pytest.mark.setting("terrain_move")
@pytest.mark.parametrize("setting", ["worst", "proportional"])
def test_the_cost_of_a_move_is_shown_and_a_move_that_costs_too_much_is_refused(setting: str) -> None:
    """A point is refused exactly if the cost shown for it exceeds the allowance."""
    ground = field(("rubble", list(box(0, 11.5, 100, 14))), terrain_move=setting)
    unit = squad("red", "red", 3, (50, 10))
    state = battle(unit, on=ground, terrain_move=setting)
    men = list(unit.figures.values())
    march = March(state, unit, men, 5.0)
    points = StepSuggestions(march, unit.middle, [(50.0, 90.0)], lambda _: None)
    x, y = unit.middle
    asked: Any = points.cost
    for tenths in range(1, 80):
        spent, most = asked((x, y + tenths / 10))
        assert (check_shift(state, unit, men, 0.0, tenths / 10) is None) is (spent <= most + 1e-6), tenths
    assert asked((x, y + 1.0)) == (1.0, 5)
    assert asked((x, y + 3.0)) == ((3.0, 4) if setting == "worst" else (pytest.approx(1.5 + 1.5 * 1.5), 5))


@pytest.mark.rule("FBN-033", "FBN-039")
def test_a_move_of_the_unit_takes_an_ac_from_everybody_who_goes() -> None:
    red = squad("red", "red", 3, (10, 10))
    state = battle(red)
    run(perform_action, state, red, "move", script=[("move to", (10.0, 15.0))])
    assert [figure.ac for figure in red.figures.values()] == [2, 2, 2]
    assert isclose(red.middle[1], 15.0)


@pytest.mark.rule("FBN-039", "FBN-050")
def test_suggested_moves_go_past_what_bars_the_way() -> None:
    unit = squad("red", "red", 1, (50, 50))
    wall = bare_unit("wall", "red", [man(f"wall/{y}", "red", 50, 50 + y) for y in (2, 4, 5)])
    state = battle(unit, wall)
    march = March(state, unit, movers(state, unit), 5.0)
    assert all(march.reason_against(0.0, inches) is not None for inches in (5.0, 4.0, 2.0))
    ahead = [point for point in StepSuggestions(march, unit.middle, [(50.0, 80.0)], lambda _: None) if point[1] > 51]
    assert ahead and all(march.reason_against(x - 50, y - 50) is None for x, y in ahead), "aslant there is room"


class Shown(ScriptedTable):
    """A table that records the suggested points."""

    points: tuple[Point, ...] = ()

    def place(self, seat: str, suggestions: Any, *asked: Any, **about: Any) -> Point:
        self.points = tuple((round(x, 2), round(y, 2)) for x, y in suggestions)
        return super().place(seat, suggestions, *asked, **about)


@pytest.mark.rule("FBN-039", "FBN-050", "FBN-270")
@pytest.mark.setting("contact_needs_charge")
def test_one_man_is_shown_a_whole_step_or_half_of_one_to_enemies_and_all_round() -> None:
    """The points are all round (50, 50) at 5 or 2.5 inches, unless blocked. A gun extends 1 inch to each side."""
    for bar, needs, north in (
        (None, False, 55),
        (("crag", list(box(45, 54, 55, 55))), False, 52.5),
        (("crag", list(box(45, 52, 55, 53))), False, None),
        (56.49, False, 52.5),
        (56.51, False, 55),
        (56.54, True, 52.5),
        (56.56, True, 55),
    ):
        red = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
        gun = [Gun("light_gun", 50.0, bar, 0.0, 0.0, 2)] if isinstance(bar, float) else []
        blue = bare_unit("blue", "blue", [man("blue/1", "blue", 80, 90)], guns=gun)
        on = field(*([bar] if isinstance(bar, tuple) else []), contact_needs_charge=needs)
        state = battle(red, blue, on=on, contact_needs_charge=needs)
        script = [("what he does", "walk"), ("walk to", (50.0, 45.0))]
        table = Shown(rules_with(contact_needs_charge=needs), state, script)
        with table:
            perform_action(table, state, red, "one man")
        assert [point for point in table.points if point[0] == 50 and point[1] > 50] == (
            [] if north is None else [(50, north)]
        )
        assert {(55, 50), (50, 45), (45, 50)} <= set(table.points)
        assert bar is not None or (53, 54) in table.points, "towards the enemy"


@pytest.mark.rule("FBN-040")
def test_no_more_than_three_ac_of_movement() -> None:
    state, _, figure = alone()
    figure.ac, figure.moves = 5, 2
    assert can_move(state, figure)
    figure.moves = 3
    assert not can_move(state, figure)


def bases(state: Battle, without: str = "", seat: str = "") -> list[Base]:
    """Return all bases outdoors that a seat may know of."""
    radius, found = state.book.radius, []
    for unit in state.units.values():
        side = unit.spec.side
        if not seat or side == seat or "hidden" not in unit.marks:
            found += [
                Base(figure.x, figure.y, radius["mounted" if figure.mounted else "foot"], side, key)
                for key, figure in unit.figures.items()
                if not figure.place and key != without
            ]
            found += [Base(gun.x, gun.y, radius["gun"], side, "") for gun in unit.guns if gun.wounds > 0]
    return found


def inch(random: Random) -> Point:
    """Return a random whole number of inches, so that borders are hit exactly."""
    return float(random.randint(0, 30)), float(random.randint(0, 30))


def crowd(random: Random) -> Battle:
    """Three units with a gun each, on whole inches; some men in a hut, mounted or hidden, some guns wrecked."""
    units = []
    for name, side in (("a", "red"), ("b", "blue"), ("c", "blue")):
        men = [man(f"{name}/{i}", side, *inch(random)) for i in range(random.randint(1, 6))]
        for figure in men:
            figure.mounted, figure.place = random.random() < 0.3, "hut:0:0" if random.random() < 0.2 else ""
        gun = Gun("light_gun", *inch(random), 0.0, 0.0, random.choice((0, 1, 2)))
        unit = bare_unit(name, side, men, guns=[gun])
        if random.random() < 0.3:
            unit.mark("hidden")
        units.append(unit)
    return battle(*units, on=ground(random))


@pytest.mark.rule("FBN-041", "FBN-044")
@pytest.mark.parametrize(("inches", "offered"), [(9.0, True), (10.0, True), (11.0, False), (20.0, False)])
def test_charge_is_offered_at_enemies_within_reach(inches: float, offered: bool) -> None:
    state, red, blue = facing_off(inches)
    assert (list(charge_targets(state, red)) == [blue]) is offered
    assert (("charge", "blue") in acts(state, red)) is offered


@pytest.mark.rule("FBN-041", "FBN-050", "FBN-180")
def test_charge_never_ends_on_a_base() -> None:
    """No contact position offered, in front of the enemy or beside him, lies on a base or a gun."""
    for random in tables(100):
        state = crowd(random)
        one, other = (next(iter(state.units[name].figures.values())) for name in ("a", "b"))
        everybody = bases(state, one.spec.id, "red")
        for at in contact_spots(state, state.units["a"], one, other, 40.0):
            assert is_free(state, at, state.radius(one), everybody)


@pytest.mark.rule("FBN-041", "FBN-051")
@pytest.mark.setting("leave_contact")
def test_a_man_in_contact_charges_another_enemy_if_he_may_leave() -> None:
    for setting, targets in (("free", ["far"]), ("refused", [])):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
        near, far = squad("near", "blue", 1, (50, 51)), squad("far", "blue", 1, (50, 44))
        state = battle(unit, near, far, leave_contact=setting)
        figure = unit.figures["red/1"]
        assert [foe.spec.id for foe in charge_targets(state, unit, only=figure)] == targets
        assert not list(charge_targets(state, unit)), "a charge of the unit leaves those alone who fight"


@pytest.mark.rule("FBN-041", "FBN-044")
@pytest.mark.setting("charge_actions")
def test_with_three_charge_actions_a_charge_is_run_from_afar() -> None:
    for setting, offered in ((1, False), (3, True)):
        red, blue = squad("red", "red", 1, (50, 20)), squad("blue", "blue", 1, (50, 44), facing=180.0)
        state = battle(red, blue, charge_actions=setting)
        assert (("charge", "blue") in acts(state, red)) is offered
    runner = red.figures["red/1"]
    for y in (30.0, 40.0, 43.0):
        run(perform_action, state, red, ("charge", "blue"), charge_actions=3)
        assert runner.y == pytest.approx(y, abs=0.01)
    assert foes_in_contact(state, runner, "red") and runner.ac == 0 and red.events == ("charge",)
    runner.ac, runner.moves = 3, 2
    state.put(runner, 50, 30)
    red.measure()
    assert ("charge", "blue") not in acts(state, red), "one action is left, for ten inches"


@pytest.mark.rule("FBN-041", "FBN-044", "FBN-050")
def test_a_charger_finds_the_gap_between_comrades_who_are_in_contact_already() -> None:
    foe = squad("blue", "blue", 1, (50, 60), facing=180.0)
    friends = [
        man(f"red/{turn}", "red", 50 + 1.001 * sin(radians(180 + turn)), 60 + 1.001 * cos(radians(180 + turn)))
        for turn in (-46, 76)
    ]
    runner = man("red/1", "red", 50, 51)
    red = bare_unit("red", "red", [runner, *friends])
    state = battle(red, foe)
    assert visible_contact_spot(state, red, runner, foe) is not None
    friends[0].x, friends[0].y = 50 + 1.001 * sin(radians(180 - 39)), 60 + 1.001 * cos(radians(180 - 39))
    assert visible_contact_spot(state, red, runner, foe) is None, "the gap is less than a base wide"


@pytest.mark.rule("FBN-041", "FBN-143", "FBN-145")
def test_single_charger_frightens_enemies_hit_in_the_flank() -> None:
    for facing, events in ((180.0, ()), (90.0, ("flank",))):
        red = squad("red", "red", 2, (50, 50))
        blue = squad("blue", "blue", 1, (50, 57), facing=facing)
        state = battle(red, blue)
        perform_with_one_man(state, red, "red/1", ("charge", "blue"))
        assert (
            foes_in_contact(state, red.figures["red/1"], "red") and blue.events == events and red.events == ("charge",)
        )


@pytest.mark.rule("FBN-041", "FBN-043", "FBN-045", "FBN-143")
def test_a_charge_goes_straight_into_contact_at_double_speed() -> None:
    state, red, blue = facing_off(9.5)
    assert list(charge_targets(state, red)) == [blue]
    assert run(charge_with_unit, state, red, blue) == 1
    figure = red.figures["red/1"]
    assert figure.ac == 2 and "charged" in figure.marks
    assert [foe.id for foe in foes_in_contact(state, figure, "red")] == ["blue/1"]
    assert red.events == ("charge",) and figure.gl == 5
    assert not can_move(state, figure)
    assert "fight" in acts(state, red)


@pytest.mark.rule("FBN-041")
@pytest.mark.setting("charge_actions")
def test_one_charge_or_three() -> None:
    for setting, again in ((1, False), (3, True)):
        unit = squad("red", "red", 1)
        state = battle(unit, charge_actions=setting)
        unit.figures["red/1"].mark("charged")
        unit.figures["red/1"].moves = 1
        assert can_move(state, unit.figures["red/1"], charging=True) is again
        assert not can_move(state, unit.figures["red/1"])


@pytest.mark.rule("FBN-042", "FBN-050", "FBN-044")
def test_a_run_stops_short_of_what_it_may_not_cross() -> None:
    for row, charging, y in (("barbed_wire", True, 13.0), ("crag", False, 13.0), ("rubble", False, 14.0)):
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=field((row, list(box(0, 13.2, 100, 14)))))
        figure = unit.figures["red/1"]
        step_towards(state, unit, figure, (10.0, 30.0), charging)
        assert figure.y == pytest.approx(y, abs=0.5) and figure.ac == 2


@pytest.mark.rule("FBN-042", "FBN-076")
def test_a_charge_does_not_cross_wire_though_a_move_does() -> None:
    state, _, figure = alone(field(("barbed_wire", list(box(0, 11, 100, 11.5)))))
    assert way_refused(state, figure, (10, 12)) is None
    assert "FBN-042" in (way_refused(state, figure, (10, 12), charging=True) or "")
    assert "FBN-039" in (way_refused(state, figure, (10, 12.5)) or "")


@pytest.mark.rule("FBN-043", "FBN-042")
def test_a_charge_goes_in_one_line_and_not_round_a_corner() -> None:
    """A charge follows a straight line to the enemy. The charger faces that way first."""
    red, blue = squad("red", "red", 1, (50, 50), facing=180.0), squad("blue", "blue", 1, (53, 57))
    state = battle(red, blue)
    assert run(charge_with_unit, state, red, blue) == 1
    figure = red.figures["red/1"]
    assert foes_in_contact(state, figure, "red") and figure.facing == pytest.approx(23.2, abs=3)
    crag = field(("thorn_fence", list(box(49.0, 53, 52.5, 53.5))))
    red, blue = squad("red", "red", 1, (50, 50)), squad("blue", "blue", 1, (50, 57))
    state = battle(red, blue, on=crag)
    assert list(charge_targets(state, red)) == [], (
        "round the fence it would be near enough, straight on it bars the way"
    )
    assert run(charge_with_unit, state, red, blue) == 0
    assert not foes_in_contact(state, red.figures["red/1"], "red")


@pytest.mark.rule("FBN-044", "FBN-059")
def test_a_charge_that_falls_short_is_a_charge() -> None:
    red, blue = squad("red", "red", 2, (10, 10), "closed"), squad("blue", "blue", 1, (10, 21.8), facing=180.0)
    red.figures["red/1"].x, red.figures["red/2"].x = 6.0, 7.01
    red.measure()
    state = battle(red, blue)
    assert run(charge_with_unit, state, red, blue) == 0
    assert red.events == ("charge",) and "cluster" in red.marks
    assert all("charged" in figure.marks for figure in red.figures.values())


@pytest.mark.rule("FBN-046", "FBN-128", "FBN-129", "FBN-136")
def test_wounds_of_leg_and_groin() -> None:
    state, _, figure = alone()
    figure.locations = frozenset({"leg_light"})
    assert (allowance(state, figure), allowance(state, figure, charging=True)) == (3, 6)
    figure.mounted = True
    assert allowance(state, figure) == 5
    figure.mounted = False
    figure.locations = frozenset({"groin", "leg_light"})
    assert [allowance_on(state, figure, going) for going in (0, 1, 2)] == [2, 2, 2]
    assert not can_move(state, figure, charging=True)


@pytest.mark.rule("FBN-048")
@pytest.mark.setting("terrain_move")
def test_in_proportion_each_inch_has_the_price_of_its_ground() -> None:
    """Of 5 inches, 2 on flat ground cost 2. The other 3 pay for 2 bumpy inches or 1 jagged inch."""
    for row, most in (("clear", 5.0), ("rubble", 4.0), ("dense_forest", 3.0)):
        ground = field((row, list(box(0, 12, 100, 30))), terrain_move="proportional")
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=ground, terrain_move="proportional")
        figure = unit.figures["red/1"]
        assert way_refused(state, figure, (10, 10 + most)) is None
        assert "FBN-039" in (way_refused(state, figure, (10, 10.1 + most)) or "")


@pytest.mark.rule("FBN-048")
@pytest.mark.setting("terrain_move")
def test_mixed_ground_by_the_worst_or_in_proportion() -> None:
    for setting, refused in (("worst", True), ("proportional", False)):
        ground = field(("rubble", list(box(0, 13.5, 100, 14))), terrain_move=setting)
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=ground, terrain_move=setting)
        assert (way_refused(state, unit.figures["red/1"], (10, 14.6)) is not None) is refused


@pytest.mark.rule("FBN-048", "FBN-067")
@pytest.mark.setting("terrain_move")
def test_a_wall_slows_an_inch_of_the_way_in_proportion_wherever_the_way_begins() -> None:
    """A wall slows one inch of the path. Of 5", 2.5" to a wall cost 1.5 + 3, and half an inch is left beyond. No path
    costs more than at the worst pace.
    """
    for wall, farthest in ((11.5, 13.0), (12.5, 13.0), (12.9, 13.0), (13.1, 12.95)):
        ground = field(lines=(("stone_wall", [(0, wall), (100, wall)]),), terrain_move="proportional")
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=ground, terrain_move="proportional")
        figure = unit.figures["red/1"]
        assert way_refused(state, figure, (10, farthest)) is None
        assert way_refused(state, figure, (10, max(13.05, wall + 0.05))) is not None
    for tenths in range(1, 20):
        wall = 10 + tenths / 10
        ground = field(lines=(("stone_wall", [(0, wall), (100, wall)]),), terrain_move="proportional")
        assert ground.straight_move((10, 10), (10, 12), False).cost <= 4 + 1e-6


def shoot_once(state: Battle, unit: Unit, target: Unit, **settings: Any) -> None:
    assert run(fire_volley, state, unit, target, script=[("shot", [2])], **settings) == 1


@pytest.mark.rule("FBN-049", "FBN-063", "FBN-175")
@pytest.mark.parametrize(
    ("last", "gait", "free"), [(0, 0, True), (0, 1, True), (3, 1, True), (1, 0, False), (1, 2, False), (3, 3, False)]
)
def test_a_horse_turns_for_nothing_at_a_halt_or_a_walk_alone(last: int, gait: int, free: bool) -> None:
    """A rider who has cantered, or may still canter this turn, fires within his arc and his horse keeps its facing."""
    for behind in (True, False):
        rider = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True)])
        foe = squad("blue", "blue", 1, (58, 44 if behind else 56), weapon="none")
        state = battle(rider, foe)
        figure = rider.figures["red/1"]
        figure.last_gait, figure.gait = last, gait
        assert bool(list(fire_targets(state, rider))) is (free or not behind)
        if free or not behind:
            shoot_once(state, rider, foe)
            assert (figure.facing != 0) is free
    state = battle(rider, squad("blue", "blue", 1, (58, 44)), foot_fire_arc=360)
    assert list(fire_targets(state, rider)), "with an arc all round he fires backwards"


@pytest.mark.rule("FBN-049", "FBN-116")
def test_man_on_foot_turns_to_his_opponent_and_a_rider_does_not() -> None:
    for mounted, rear in ((False, False), (True, True)):
        red = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=mounted, facing=180.0)])
        blue = squad("blue", "blue", 1, (50, 51.25 if mounted else 51), facing=180.0)
        state = battle(red, blue)
        figure, foe = red.figures["red/1"], blue.figures["blue/1"]
        assert fight_facts(state, red, figure, foe, True).rear is rear
        assert fight_facts(state, red, figure, foe, False).rear, "struck at, he has an enemy behind him"
        with scripted(state, ("blow", [3]), ("parry", [4 if mounted else 3])) as table:
            strike_blow(table, state, red, figure, foe)
            assert [tally.total for tally in table.tallies][:1] == [0 + mounted - rear]
        assert (figure.facing == 0) is not mounted


@pytest.mark.rule("FBN-049", "FBN-056", "FBN-035")
@pytest.mark.parametrize("first", ["rider", "walker"])
def test_men_on_foot_turn_for_nothing_whoever_is_named_first(first: str) -> None:
    rider, walker = man("red/1", "red", 50, 50, mounted=True), man("red/2", "red", 53, 50)
    red = bare_unit("red", "red", [rider, walker] if first == "rider" else [walker, rider])
    state = battle(red, squad("blue", "blue", 1, (50, 90)))
    state.active = "red"
    assert "face" in acts(state, red)
    run(perform_action, state, red, "face", script=[("face", "east")])
    assert (rider.facing, walker.facing, walker.ac) == (0.0, 90.0, 3)
    del red.figures["red/2"]
    assert "face" not in acts(state, red)


@pytest.mark.rule("FBN-050", "FBN-270")
def test_passing_at_the_contact_distance_is_no_contact() -> None:
    """A man with a base of half an inch passes another exactly at the contact distance of 0.05 inches."""
    walker, gun = man("a", "red", 10, 10), Gun("light_gun", 10.0, 20.0, 0.0, 0.0, 2)
    state = battle(bare_unit("a", "red", [walker]), bare_unit("b", "blue", [man("b", "blue", 30, 30)], guns=[gun]))
    for y, comes in ((18.44, False), (18.46, True)):
        assert bool(bases_on_way(state, walker, (10.0, 10.0), (10.0, y))) is comes
    assert not bases_on_way(state, walker, (10.0, 21.56), (10.0, 25.0))
    assert bases_on_way(state, walker, (10.0, 10.0), (10.0, 30.0))


@pytest.mark.rule("FBN-050")
def test_friends_are_walked_through_but_not_stood_upon_and_enemies_block() -> None:
    red, friend = squad("red", "red", 1, (10, 10)), squad("friend", "red", 1, (10, 12))
    state = battle(red, friend)
    men = list(red.figures.values())
    assert check_shift(state, red, men, 0, 4) is None
    assert "FBN-050" in (check_shift(state, red, men, 0, 2.5) or "")
    state, red, _ = facing_off(1)
    men = list(red.figures.values())
    assert "FBN-050" in (check_shift(state, red, men, 0, 4) or "")


@pytest.mark.rule("FBN-050", "FBN-239")
def test_two_who_stumble_over_one_spot_lie_side_by_side() -> None:
    wire = field(lines=(("barbed_wire", [(52.0, 0.0), (52.0, 100.0)]),))
    red = bare_unit("red", "red", [man("red/1", "red", 50.0, 25), man("red/2", "red", 51.0, 25)])
    state = battle(red, on=wire)
    with scripted(state, ("notice", [1]), ("notice", [1])) as table:
        for figure in red.figures.values():
            notice_terrain(table, state, red, figure, (figure.x, 20.0))
    first, second = red.figures.values()
    assert first.at == (52.0, 25.0) and first.prone and second.prone
    assert 1 - 1e-6 <= dist(first.at, second.at) < 1.5


@pytest.mark.rule("FBN-051")
@pytest.mark.setting("leave_contact")
def test_riders_and_single_men_leave_contact_or_stay() -> None:
    for setting, free in (("free", True), ("refused", False)):
        rider = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True)])
        foe = squad("blue", "blue", 1, (50, 51.25))
        state = battle(rider, foe, leave_contact=setting)
        assert bool(riders(state, rider)) is free
        unit = bare_unit("foot", "red", [man("foot/1", "red", 20, 50), man("foot/2", "red", 40, 50)])
        state = battle(unit, squad("blue", "blue", 1, (20, 51)), leave_contact=setting)
        state.active = "foot"
        script = (("which man", "foot/1"), ("what he does", "walk"), ("walk to", (17.0, 50.0)))
        refused = nullcontext() if free else pytest.raises(AssertionError, match="walk")
        with refused, scripted(state, *script, leave_contact=setting) as table:
            perform_action(table, state, unit, "one man")
        assert (unit.figures["foot/1"].x == 17) is free


def kinds(state: Battle, unit: Unit) -> set[Any]:
    """Return the kinds of act open to a unit."""
    return {act[0] if isinstance(act, tuple) else act for act in acts(state, unit)}


@pytest.mark.rule("FBN-051", "FBN-207")
@pytest.mark.setting("leave_contact")
def test_a_crew_in_contact_does_not_drag_its_piece_away() -> None:
    for setting, stays in STAYS.items():
        foe = squad("blue", "blue", 1, (47.7, 9.2))
        state, unit, gun = battery("machine_gun", crew=3, target=foe, leave_contact=setting)
        gun.ac = 3
        assert ("gun move" in kinds(state, unit)) is not stays
        state.put(foe.figures["blue/1"], 47.3, 30.0)
        foe.measure()
        assert "gun move" in kinds(state, unit)


@pytest.mark.rule("FBN-051", "FBN-244")
@pytest.mark.setting("leave_contact")
def test_men_in_contact_may_not_leave_through_a_door() -> None:
    for setting, stays in STAYS.items():
        red = bare_unit("red", "red", [man("red/1", "red", 42, 38.5), man("red/2", "red", 44.5, 38.5)])
        state = battle(red, squad("blue", "blue", 1, (41, 38.5)), on=house(), leave_contact=setting)
        run(perform_action, state, red, ("cross", "hut:door", "hut:0:0"), leave_contact=setting)
        assert [bool(figure.place) for figure in red.figures.values()] == [not stays, True]


@pytest.mark.rule("FBN-051", "FBN-241", "FBN-243", "FBN-275")
@pytest.mark.setting("leave_contact")
def test_a_foe_holds_a_man_in_a_room_of_figures_but_not_in_a_section() -> None:
    for kind, stays in (("openable", True), ("sections", False)):
        state = battle(
            squad("red", "red", 1, (42, 41)),
            squad("blue", "blue", 1, (43, 41)),
            on=house(kind, leave_contact="refused"),
            leave_contact="refused",
        )
        red, blue = state.units["red"], state.units["blue"]
        for unit in (red, blue):
            for figure in unit.figures.values():
                figure.place = "hut:0:0"
        assert (("cross", "hut:door", "") in acts(state, red)) is not stays


@pytest.mark.rule("FBN-051", "FBN-260")
@pytest.mark.setting("leave_contact")
def test_a_ladder_is_no_way_out_of_contact() -> None:
    for setting, stays in STAYS.items():
        red, blue = squad("red", "red", 1, (43, 39)), squad("blue", "blue", 1, (44, 39))
        state = battle(red, blue, on=house("tower", level=1, leave_contact=setting), leave_contact=setting)
        assert ("climb" in kinds(state, red)) is not stays


@pytest.mark.rule("FBN-051")
@pytest.mark.setting("leave_contact")
def test_leaving_contact_is_free_or_refused() -> None:
    for setting, free in (("free", 1), ("refused", 0)):
        state, red, _ = facing_off(0.02, leave_contact=setting)
        assert len(movers(state, red)) == free


@pytest.mark.rule("FBN-052")
@pytest.mark.setting("prone_untargetable")
def test_lying_men_cannot_be_aimed_at() -> None:
    for setting, seen in ((True, 0), (False, 1)):
        state, _, blue = duel(prone_untargetable=setting)
        blue.figures["blue/1"].mark("prone")
        assert len(target_figures(state, "red", blue)) == seen


CHEST = F(2, 12)
LIES = F(2, 12)  # groin and heavy leg wound


@pytest.mark.rule("FBN-052", "FBN-125", "FBN-130", "FBN-229")
@pytest.mark.setting("prone_untargetable")
def test_a_salvo_goes_on_at_a_leader_until_he_is_down_or_lies() -> None:
    for settings, out_of_aim in (({}, LIES), ({"prone_untargetable": False}, F(0))):
        whole, wounded = F(1), F(0)  # he is aimed at before any loss: DS 4, or 3 for his chest (FBN-130)
        lying = F(0)
        for _ in range(6):
            lying = lying * F(3, 12) + (whole * F(8, 12) + wounded * F(9, 12)) * out_of_aim
            stay, chest = 1 - OUT - CHEST - out_of_aim, F(8, 12) * CHEST
            wounded = wounded * (F(2, 12) + F(9, 12) * (1 - OUT - out_of_aim)) + whole * chest
            whole *= F(3, 12) + F(8, 12) * stay
        found = ask("machine_gun", settings, ds=4, cs=0, salvos=1, men=5, jam_die=False, leader=True)
        assert found.probability(lambda o: o.down == 0) == whole + wounded + lying


@pytest.mark.rule("FBN-052", "FBN-186")
def test_a_man_on_foot_who_lies_down_leaves_no_horse() -> None:
    figure = man("red/1", "red", 20, 20)
    lie_down(battle(bare_unit("red", "red", [figure])), figure)
    assert figure.marks == {"prone"}


@pytest.mark.rule("FBN-052", "FBN-053")
def test_lying_down_and_getting_up() -> None:
    state, red, _ = facing_off(20)
    figure = red.figures["red/1"]
    go_prone(state, figure)
    assert figure.prone and figure.ac == 2
    assert not can_move(state, figure, charging=True)
    assert not may_get_up(state, red, figure)
    state.turn = 2
    assert may_get_up(state, red, figure)
    red.mark("pinned")
    assert not may_get_up(state, red, figure)
    red.unmark("pinned")
    get_up(figure)
    assert not figure.prone and figure.ac == 1


@pytest.mark.rule("FBN-054")
def test_striking_ends_lying_down() -> None:
    state, red, _ = fighters()
    red.figures["red/1"].mark("prone")
    struck(state, [2], [2])
    assert not red.figures["red/1"].prone


@pytest.mark.rule("FBN-054", "FBN-168")
def test_a_man_who_panics_lying_answers_without_getting_up() -> None:
    for reaction, marks in (("", frozenset()), ("prone", frozenset({"prone", "shown"}))):
        red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 1, (10, 20), facing=180.0)
        state = battle(red, blue)
        state.active = "red"
        figure = blue.figures["blue/1"]
        figure.reaction = reaction
        figure.mark("prone")
        script = (("counter-attack", "answer every hit"), ("counter-attack", [2]))
        run(resolve_counter_attack, state, blue, figure, red, red.figures["red/1"], Answers(), False, script=script)
        assert figure.marks == marks and target_figures(state, "red", blue) == [figure]


@pytest.mark.rule("FBN-054", "FBN-133", "FBN-168")
def test_firing_ends_lying_down_or_shows_who_must_lie() -> None:
    state, red, _ = duel()
    red.figures["red/1"].mark("prone")
    shot(state, ("shot", MISS))
    assert not red.figures["red/1"].prone
    state, red, _ = duel()
    red.figures["red/1"].mark("prone")
    red.figures["red/1"].locations = frozenset({"leg_heavy"})
    shot(state, ("shot", MISS))
    assert red.figures["red/1"].marks >= {"prone", "shown"}
    assert target_figures(state, "blue", red) != []


@pytest.mark.rule("FBN-261", "FBN-262")
def test_unsupported_troops_are_reported() -> None:
    made = game(
        {**PLACED, "car": troops(arm="vehicle", figures=2), "carts": troops(arm="wagon", kind="civilian", figures=4)}
    )
    assert any("vehicle" in note for note in made.untranslated)
    assert any("drivers" in note for note in made.untranslated)
    assert "gas" not in set(book().weapons)


@pytest.mark.rule("FBN-270", "FBN-207")
@pytest.mark.setting("contact_needs_charge")
def test_a_crew_is_not_hauled_into_contact_where_that_takes_a_charge() -> None:
    for setting in (False, True):
        for east, touches in ((52.32, True), (52.4, False)):
            foe = squad("blue", "blue", 1, (east, 12.0))  # the man at (51.3, 9.2) moves to (51.3, 12)
            state, unit, gun = battery("machine_gun", crew=3, target=foe, contact_needs_charge=setting)
            pullers = haulers(state, unit, gun)
            assert pullers is not None
            refused = haul_refused(state, unit, gun, pullers, (50.0, 12.8))
            assert ("FBN-270" in (refused or "")) is (setting and touches)
            assert refused is None or (setting and touches)
