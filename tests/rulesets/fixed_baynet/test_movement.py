"""Movement on foot, charges, lying down (chapter 6)."""

from __future__ import annotations

from math import isclose
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    acts,
    battle,
    book,
    box,
    check_shift,
    field,
    hill,
    man,
    rules_with,
    scripted,
    squad,
)

from zareba.battle.positions import StepSuggestions
from zareba.space.geometry import Point
from zareba.space.ground.terrain_window import Height
from zareba.space.outlines import TerrainArea
from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.manoeuvre import March, face_enemy, movers, shift_men
from zareba_rulesets.fixed_baynet.chapters.melee import charge_targets, charge_with_unit
from zareba_rulesets.fixed_baynet.chapters.morale import rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.movement import (
    allowance,
    allowance_on,
    can_move,
    get_up,
    go_prone,
    may_get_up,
    way_refused,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import bases_near, open_ground
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def alone(on: object = None, **spec: object) -> tuple[Battle, Unit, Figure]:
    unit = bare_unit("red", "red", [man("red/1", "red", 10, 10, **spec)])
    return battle(unit, on=on), unit, unit.figures["red/1"]  # type: ignore[arg-type]  # a field or None


def facing_off(gap: float, on: object = None, **settings: object) -> tuple[Battle, Unit, Unit]:
    red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 1, (10, 11 + gap), facing=180.0)
    return battle(red, blue, on=on, **settings), red, blue  # type: ignore[arg-type]  # a field or None


@pytest.mark.rule("FBN-020", "FBN-021", "FBN-039", "FBN-041", "FBN-046", "FBN-047")
def test_allowances_of_a_movement_action() -> None:
    numbers = book()
    assert [[numbers.slowed(speed, going) for going in (0, 1, 2)] for speed in (5, 6)] == [[5, 4, 2], [6, 4, 2]]
    assert [[numbers.slowed(speed, going) for going in (1, 2)] for speed in (10, 12)] == [[7, 4], [8, 4]]
    state, _, figure = alone()
    assert (allowance(state, figure), allowance(state, figure, charging=True)) == (5, 10)
    figure.mark("prone")
    assert allowance(state, figure) == 3


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


@pytest.mark.rule("FBN-040")
def test_no_more_than_three_ac_of_movement() -> None:
    state, _, figure = alone()
    figure.ac, figure.moves = 5, 2
    assert can_move(state, figure)
    figure.moves = 3
    assert not can_move(state, figure)


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
def test_what_a_man_leaves_of_his_move_of_a_turn_is_lost() -> None:
    """A man who moves two of his five inches loses the other three, and his charge, which is the same action."""
    unit = squad("red", "red", 1, (50, 50))
    state = battle(unit, squad("blue", "blue", 1, (50, 58), facing=180.0), move_per="turn")
    with scripted(state, ("move to", (50.0, 52.0)), move_per="turn") as table:
        perform_action(table, state, unit, "move")
    assert unit.figures["red/1"].at == (50, 52)
    assert "move" not in acts(state, unit) and ("charge", "blue") not in acts(state, unit)


@pytest.mark.rule("FBN-048")
@pytest.mark.setting("terrain_move")
def test_mixed_ground_by_the_worst_or_in_proportion() -> None:
    for setting, refused in (("worst", True), ("proportional", False)):
        ground = field(("rubble", list(box(0, 13.5, 100, 14))), terrain_move=setting)
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=ground, terrain_move=setting)
        assert (way_refused(state, unit.figures["red/1"], (10, 14.6)) is not None) is refused


@pytest.mark.rule("FBN-039", "FBN-048")
@pytest.mark.setting("terrain_move")
@pytest.mark.parametrize("setting", ["worst", "proportional"])
def test_what_a_way_costs_is_told_beforehand_and_refused_when_it_is_too_much(setting: str) -> None:
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
        assert ground.leg((10, 10), (10, 12), False).cost <= 4 + 1e-6


@pytest.mark.rule("FBN-042", "FBN-076")
def test_a_charge_does_not_cross_wire_though_a_move_does() -> None:
    state, _, figure = alone(field(("barbed_wire", list(box(0, 11, 100, 11.5)))))
    assert way_refused(state, figure, (10, 12)) is None
    assert "FBN-042" in (way_refused(state, figure, (10, 12), charging=True) or "")
    assert "FBN-039" in (way_refused(state, figure, (10, 12.5)) or "")


@pytest.mark.rule("FBN-067", "FBN-065")
@pytest.mark.setting("cover_passable")
def test_walls_are_climbed_at_their_rate_or_not_at_all() -> None:
    for setting, refused in (("by_move_type", False), ("never", True)):
        ground = field(lines=(("stone_wall", [(0, 11), (100, 11)]),), cover_passable=setting)
        unit = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
        state = battle(unit, on=ground, cover_passable=setting)
        figure = unit.figures["red/1"]
        assert (way_refused(state, figure, (10, 12)) is not None) is refused
        figure.mounted = True
        assert "brick or stone wall" in (way_refused(state, figure, (10, 12)) or "")


@pytest.mark.rule("FBN-072", "FBN-075", "FBN-065")
def test_rapids_and_crags_are_closed_but_for_fords_and_paths() -> None:
    state, _, figure = alone(field(("rapids", list(box(0, 11, 100, 14)))))
    assert "rapids" in (way_refused(state, figure, (10, 15)) or "")
    assert not open_ground(state, 10, 12)
    state, _, figure = alone(field(("crag", list(box(0, 11, 100, 14))), ("path", list(box(8, 11, 12, 14)))))
    assert way_refused(state, figure, (10, 12)) is None
    assert allowance_on(state, figure, state.field.leg((10, 10), (10, 12), False).difficulty) == 2
    assert open_ground(state, 10, 12) and not open_ground(state, 20, 12)


@pytest.mark.rule("FBN-073", "FBN-273")
def test_only_ways_that_gain_height_are_slowed() -> None:
    for uphill, most in ((1, 4), (2, 2)):
        state, _, figure = alone(hill(box(0, 11, 100, 30), 2.0, uphill))
        assert allowance_on(state, figure, state.field.leg((10, 10), (10, 12), False).difficulty) == most
        assert state.field.leg((10, 12), (10, 10), False).difficulty == 0
        assert state.field.leg((10, 12), (10, 20), False).difficulty == 0


@pytest.mark.rule("FBN-077")
@pytest.mark.setting("trench_along")
def test_trenches_are_jagged_along_them_too_unless_set_otherwise() -> None:
    for setting, along in (("jagged", 2), ("flat", 0)):
        ground = field(("trench", list(box(0, 9.5, 100, 10.5))), trench_along=setting)
        assert ground.leg((10, 10), (13, 10), False).difficulty == along
        assert ground.leg((10, 8), (10, 12), False).difficulty == 2
        assert ground.leg((10, 10), (10.8, 10.1), False).difficulty == along, "however short the way"
        for askew in (10.8, 11.9):
            assert ground.leg((10, 9), (askew, 11), False).difficulty == 2, "crossed askew it is crossed all the same"
        both = [("trench", list(box(0, 9.5, 100, 10.5))), ("dense_forest", list(box(0, 5, 100, 15)))]
        wood = field(*both, trench_along=setting)
        assert wood.leg((10, 10), (13, 10), False).difficulty == 2, "a trench through a wood does not clear it"


@pytest.mark.rule("FBN-048", "FBN-073")
@pytest.mark.setting("terrain_move")
def test_in_proportion_a_way_uphill_has_the_price_of_its_slope() -> None:
    for steep, price in ((1, 1.5), (2, 3.0)):
        plain = field(terrain_move="proportional")
        slope = Field(plain.book, 100, 100, (), (Height(TerrainArea(box(0, 12, 100, 30)), 2.0, steep),))
        assert slope.leg((10, 10), (10, 14), False).cost == 4 * price
        assert slope.leg((10, 14), (10, 10), False).cost == 4.0, "downhill it is flat"


@pytest.mark.rule("FBN-049", "FBN-056", "FBN-035")
def test_turning_on_foot_costs_nothing() -> None:
    state, red, _ = facing_off(20)
    with scripted(state, ("face", "east")) as table:
        perform_action(table, state, red, "face")
    assert (red.figures["red/1"].facing, red.figures["red/1"].ac) == (90.0, 3)


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


@pytest.mark.rule("FBN-039", "FBN-050")
def test_the_edge_of_the_table_is_where_it_is_but_for_rounding() -> None:
    red = squad("red", "red", 1, (4, 10))
    state = battle(red)
    men = list(red.figures.values())
    for inches, goes in ((-4.0, True), (-4.0 - 1e-15, True), (-4.01, False)):
        assert (check_shift(state, red, men, inches, 0) is None) is goes


@pytest.mark.rule("FBN-033", "FBN-039")
def test_a_move_of_the_unit_takes_an_ac_from_everybody_who_goes() -> None:
    red = squad("red", "red", 3, (10, 10))
    state = battle(red)
    with scripted(state, ("move to", (10.0, 15.0))) as table:
        perform_action(table, state, red, "move")
    assert [figure.ac for figure in red.figures.values()] == [2, 2, 2]
    assert isclose(red.middle[1], 15.0)


@pytest.mark.rule("FBN-051")
@pytest.mark.setting("leave_contact")
def test_leaving_contact_is_free_or_refused() -> None:
    for setting, free in (("free", 1), ("refused", 0)):
        state, red, _ = facing_off(0.02, leave_contact=setting)
        assert len(movers(state, red)) == free


@pytest.mark.rule("FBN-270", "FBN-145")
@pytest.mark.setting("contact_needs_charge")
def test_a_move_may_end_in_contact_or_only_a_charge() -> None:
    for setting, refused in ((False, False), (True, True)):
        state, red, _ = facing_off(3.0, contact_needs_charge=setting)
        men = list(red.figures.values())
        assert (check_shift(state, red, men, 0, 2.99) is not None) is refused
        assert check_shift(state, red, men, 0, 2.5) is None


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


@pytest.mark.rule("FBN-133")
def test_a_heavy_leg_wound_keeps_a_man_down() -> None:
    state, red, _ = facing_off(20)
    figure = red.figures["red/1"]
    figure.locations = frozenset({"leg_heavy"})
    figure.mark("prone")
    state.turn = 5
    assert not may_get_up(state, red, figure)
    rise_to_attack(figure)
    assert figure.prone


@pytest.mark.rule("FBN-061")
def test_a_square_moves_and_keeps_facing_outwards() -> None:
    red, blue = squad("red", "red", 8, (20, 20), "square"), squad("blue", "blue", 1, (20, 60))
    state = battle(red, blue)
    before = [figure.facing for figure in red.figures.values()]
    men = movers(state, red)
    shift_men(state, red, men, 0, 3)
    face_enemy(state, red, men, 0, 3)
    assert [figure.facing for figure in red.figures.values()] == before
    assert red.shape == "square"


# --- charges ----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-041", "FBN-043", "FBN-045", "FBN-143")
def test_a_charge_goes_straight_into_contact_at_double_speed() -> None:
    state, red, blue = facing_off(9.5)
    assert list(charge_targets(state, red)) == [blue]
    with scripted(state) as table:
        assert charge_with_unit(table, state, red, blue) == 1
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


@pytest.mark.rule("FBN-044", "FBN-059")
def test_a_charge_that_falls_short_is_a_charge() -> None:
    red, blue = squad("red", "red", 2, (10, 10), "closed"), squad("blue", "blue", 1, (10, 21.8), facing=180.0)
    red.figures["red/1"].x, red.figures["red/2"].x = 6.0, 7.01
    red.measure()
    state = battle(red, blue)
    with scripted(state) as table:
        assert charge_with_unit(table, state, red, blue) == 0
    assert red.events == ("charge",) and "cluster" in red.marks
    assert all("charged" in figure.marks for figure in red.figures.values())


@pytest.mark.rule("FBN-041", "FBN-044")
@pytest.mark.parametrize(("inches", "offered"), [(9.0, True), (10.0, True), (11.0, False), (20.0, False)])
def test_a_charge_is_offered_at_whom_it_could_touch(inches: float, offered: bool) -> None:
    state, red, blue = facing_off(inches)
    assert (list(charge_targets(state, red)) == [blue]) is offered
    assert (("charge", "blue") in acts(state, red)) is offered


@pytest.mark.rule("FBN-231")
@pytest.mark.setting("pinned_blocks_charge")
def test_a_pinned_unit_may_be_kept_from_charging() -> None:
    for setting, count in ((False, 1), (True, 0)):
        state, red, _ = facing_off(5, pinned_blocks_charge=setting)
        red.mark("pinned")
        assert len(list(charge_targets(state, red))) == count


@pytest.mark.rule("FBN-145")
def test_contact_from_the_flank_is_an_event_for_the_man_struck() -> None:
    for facing, events in ((180.0, ()), (90.0, ("flank",))):
        red, blue = squad("red", "red", 1, (10, 10)), squad("blue", "blue", 1, (10, 15), facing=facing)
        state = battle(red, blue)
        with scripted(state) as table:
            charge_with_unit(table, state, red, blue)
        assert blue.events == events


@pytest.mark.rule("FBN-145", "FBN-060")
def test_a_square_has_no_flank() -> None:
    red, blue = squad("red", "red", 1, (20, 10)), squad("blue", "blue", 8, (20, 17), "square")
    for figure in blue.figures.values():
        figure.facing = 0.0
    state = battle(red, blue)
    with scripted(state) as table:
        charge_with_unit(table, state, red, blue)
    assert blue.events == ()


@pytest.mark.rule("FBN-005")
def test_bases_and_contact() -> None:
    numbers = book()
    assert numbers.radius == {"foot": 0.5, "mounted": 0.75, "gun": 1.0}
    for gap, touching in ((0.05, 1), (0.06, 0)):
        state, red, _ = facing_off(gap)
        assert len(foes_in_contact(state, red.figures["red/1"], "red")) == touching
    state, red, _ = facing_off(3)
    assert len(bases_near(state, red.box, 5.0, ())) == 2


@pytest.mark.rule("FBN-039", "FBN-050")
def test_suggested_moves_go_past_what_bars_the_way() -> None:
    unit = squad("red", "red", 1, (50, 50))
    wall = bare_unit("wall", "red", [man(f"wall/{y}", "red", 50, 50 + y) for y in (2, 4, 5)])
    state = battle(unit, wall)
    march = March(state, unit, movers(state, unit), 5.0)
    assert all(march.refused(0.0, inches) is not None for inches in (5.0, 4.0, 2.0))
    ahead = [point for point in StepSuggestions(march, unit.middle, [(50.0, 80.0)], lambda _: None) if point[1] > 51]
    assert ahead and all(march.refused(x - 50, y - 50) is None for x, y in ahead), "aslant there is room"


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
