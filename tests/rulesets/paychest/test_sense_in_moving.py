"""The AI wastes no moves: no pointless act under fire, no charge across a river, no crowding behind a friend."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, blue, red, row, scene

from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba.table import Choose, Place
from zareba_rulesets.paychest.actions.actor import NOTHING
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.chapters.movement import Destinations
from zareba_rulesets.paychest.estimates import FEAR, PositionValue, Survey, go
from zareba_rulesets.paychest.evaluation import best_places, evaluate
from zareba_rulesets.paychest.forces.battle import Battle, Engine, Goal
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals

RIVER = {"river": ("deep_water", [(0.0, 14.0), (60.0, 14.0), (60.0, 17.0), (0.0, 17.0)])}


def hold(battle: Battle, at: Point, radius: float = 2.0) -> None:
    """Give red a place to hold, long before the end of the game."""
    battle.turn, battle.goals = 1, (Goal("hill", "hold", ("red",), 3, at, radius, due=15),)


def choice(battle: Battle, *options: Any) -> Any:
    """Return the choices of red's AI in a move step."""
    worths = evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ()))
    return options[max(range(len(options)), key=lambda n: worths[n].total)]


def test_under_fire_nobody_changes_seats_or_limbers_for_nothing() -> None:
    foes = [bare_unit(f"foe{n}", "blue", row(15, 10.0 + n, 22.0 + n), firearms=6) for n in range(8)]
    gun = Engine("gun", "gun", "red", "red", (22.0, 10.0), team=True)
    battle = scene(red(4), *foes, engines={"gun": gun}).battle
    fire, danger = Survey(battle, battle.unit("red")).fire_and_danger((21.8, 10.0), "halt")
    assert FEAR * danger > fire + NOTHING
    for act in (("mount", "up"), ("limber", "gun"), ("drive", "gun", "run"), "man by man", "climb"):
        assert choice(battle, "halt", act) == "halt", act


@pytest.mark.parametrize(("areas", "charges"), [(None, True), (RIVER, False)])
def test_nobody_charges_over_a_river(areas: Any, charges: bool) -> None:
    battle = scene(red(6), blue(6, y=19.0), areas=areas).battle
    unit = battle.unit("red")
    seen = PositionValue(battle, unit, UnitGoals(battle, unit))
    assert seen.man is not None and (seen.share_in_contact(seen.man, "run") > 0) is charges
    reason = go(seen, seen.man, "run").reason
    assert callable(reason)
    assert reason().startswith("charge: ") is charges


def test_men_who_are_down_are_no_targets_but_still_a_danger() -> None:
    place = scene(red(6), blue(6, y=20.0))
    here = place.unit("red").standing.middle

    def looks() -> tuple[bool, float, float]:
        survey = Survey(place.battle, place.unit("red"))
        return survey.sees_any(here, 36.0), *survey.fire_and_danger(here, "halt")

    seen, fire, danger = looks()
    assert seen and fire > 0 and danger > 0
    for figure in list(place.unit("blue").figures.values())[:3]:
        figure.mark("down")
    seen, less, same = looks()
    assert seen and less == pytest.approx(fire / 2) and same == danger
    for figure in place.unit("blue").figures.values():
        figure.mark("down")
    assert looks() == (False, 0.0, danger)


@pytest.mark.parametrize(("ahead", "waits"), [((40.0, 10.0), False), ((33.0, 10.0), True), ((20.0, 30.0), False)])
def test_nobody_runs_into_the_back_of_a_friend(ahead: Point, waits: bool) -> None:
    friend = bare_unit("friend", "red", row(6, ahead[0] - 3.0, ahead[1]))
    battle = scene(red(6), friend).battle
    hold(battle, (50.0, 10.0))
    assert (choice(battle, "halt", "run") == "halt") is waits
    battle.turn = 14
    assert choice(battle, "halt", "run") == "run", "now or never"


def sent(place: Scene) -> tuple[UnitGoals, Evaluation]:
    hold(place.battle, (23.0, 13.5))
    unit = place.unit("red")
    return UnitGoals(place.battle, unit), evaluate(
        place.battle, Choose("move", "PAY-067", "red", "red", ("halt",), ())
    )[0]


def test_who_keeps_a_place_stays_where_he_is_till_it_is_disputed() -> None:
    """A unit near its place may stay where it is. With an enemy about, it moves into the place itself."""
    calls, halt = sent(scene(red(6), blue(6, y=40.0)))
    assert calls.purpose is not None and (calls.purpose.kind, calls.purpose.radius) == ("keep", 4.0)
    assert halt.ground == pytest.approx(0.25)
    calls, halt = sent(scene(red(6), blue(6, y=20.0)))
    assert calls.purpose is not None and (calls.purpose.kind, calls.purpose.radius) == ("hold", 2.0)
    assert halt.ground == 0.0


@pytest.mark.parametrize(("weapons", "y", "gait"), [(("sword",), 19.0, "run"), ((), 35.0, "halt"), ((), 19.0, "run")])
def test_men_without_any_weapon_charge_nobody_and_make_off_in_time(
    weapons: tuple[str, ...], y: float, gait: Gait
) -> None:
    battle = scene(red(6, weapons=weapons), blue(6, y=y)).battle
    hold(battle, (22.5, 10.0))
    assert choice(battle, "halt", "run") == gait
    unit = battle.unit("red")
    seen = PositionValue(battle, unit, UnitGoals(battle, unit))
    assert (seen.man is not None) is bool(weapons)
    assert seen.purpose is not None and (seen.purpose.at[1] < 10.0) is (gait == "run" and not weapons)


@pytest.mark.rule("PAY-067", "PAY-109")
def test_who_has_named_a_gait_and_stays_reckons_with_its_fire() -> None:
    place = scene(red(6), blue(6, y=25.0))
    here = place.unit("red").standing.middle
    worth = []
    for gait in ("halt", "run"):
        for figure in place.unit("red").able:
            figure.gait = gait
        stays, *_ = evaluate(
            place.battle, Place("move to", "PAY-070", "red", "red", (here, (20.0, 5.0)), lambda _: None)
        )
        worth.append(stays.inflicts)
    survey = Survey(place.battle, place.unit("red"))
    assert worth == [survey.fire(here, "advance"), survey.fire(here, "run")] and worth[0] > worth[1] > 0


@pytest.mark.rule("PAY-066")
@pytest.mark.parametrize(
    ("mount", "advance", "run"), [("", 7.0, 10.5), ("horse", 10.5, 17.5), ("camel", 10.5, 14.0), ("pack", 7.0, 10.5)]
)
def test_moves_are_reckoned_by_the_mean_of_the_dice_of_table_2(mount: str, advance: float, run: float) -> None:
    battle = scene(red(2, mount=mount)).battle
    strides = PositionValue(battle, battle.unit("red"), UnitGoals(battle, battle.unit("red"))).strides
    assert strides == {"halt": 0.0, "advance": advance, "run": run}


POND = {"pond": ("deep_water", [(12.0, 11.5), (32.0, 11.5), (32.0, 15.0), (12.0, 15.0)])}


@pytest.mark.parametrize("gait", ["advance", "run"])
def test_a_gait_is_judged_by_the_way_there_and_so_is_the_place(gait: Gait) -> None:
    """The whole path around a pond counts, both for the gait and for the destination chosen after it."""
    battle = scene(red(6), areas=POND).battle
    hold(battle, (23.0, 24.0))
    unit = battle.unit("red")
    here = unit.standing.middle
    first = battle.field.ways["foot"].heading(here, (23.0, 24.0))
    assert first[1] < 12.0, "they go along the bank"
    judged = evaluate(battle, Choose("move", "PAY-067", "red", "red", (gait,), ()))[0]
    for figure in unit.able:
        figure.gait = gait
    points = Destinations(battle, unit, here, 9.0, "foot")
    found = best_places(battle, Place("move to", "PAY-070", "red", "red", points, lambda _: None))
    assert found[first].ground == pytest.approx(judged.ground) and judged.ground > 0.0
    listed = evaluate(battle, Place("move to", "PAY-070", "red", "red", tuple(points), lambda _: None))
    assert listed[list(points).index(first)].ground == pytest.approx(judged.ground)
    assert max(listed, key=lambda one: one.total) is listed[list(points).index(first)]


def test_going_back_is_not_coming_nearer_to_the_enemy() -> None:
    """Men without an objective gain value by moving towards the enemy and lose it by going home."""
    place = scene(red(6), blue(6, y=45.0))
    unit = place.unit("red")
    seen = PositionValue(place.battle, unit, UnitGoals(place.battle, unit))
    assert seen.free and go(seen, (23.0, 45.0), "advance").ground > 0.0 > go(seen, (23.0, 1.0), "advance").ground
