"""Gun crews: men who serve and move guns (chapter 18)."""

from __future__ import annotations

import pytest
from tests.rulesets.fixed_baynet.plain import (
    acts,
    battery,
    battle,
    box,
    field,
    man,
    scripted,
    squad,
)
from tests.rulesets.fixed_baynet.scenarios import game, troops

from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation
from zareba_rulesets.fixed_baynet.chapters.artillery import blast_facts, gun_facts, may_fire_gun
from zareba_rulesets.fixed_baynet.chapters.crews import (
    allowed_turns,
    best_cs,
    crew_of,
    haul_gun,
    haul_refused,
    haulers,
    is_manned,
    ready_gun,
    serve,
    turn_gun,
)
from zareba_rulesets.fixed_baynet.chapters.fire import shot_facts
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.odds.stage import bare_figure, bare_unit


@pytest.mark.rule("FBN-205")
@pytest.mark.setting("crew_ac")
def test_where_a_guns_ac_come_from() -> None:
    """Two men with 3 AC have each answered fire once this turn."""
    for setting, ac in (("fixed3", 3), ("crew_best", 2), ("crew_sum", 4)):
        state, unit, gun = battery(crew_ac=setting)
        for figure in unit.figures.values():
            figure.spent, figure.ac = 1, 2
        ready_gun(state, unit, gun)
        assert gun.ac == ac
    state, unit, gun = battery(crew_ac="crew_best")
    for answers, expected in ((1, 2), (2, 3), (0, 3)):
        for figure in unit.figures.values():
            figure.spent = answers
        with scripted(state, crew_ac="crew_best") as table:
            begin_activation(table, state, unit)
            assert gun.ac == expected, "what is saved of one turn helps in the next, up to the 3 of a piece"
            end_activation(table, state, unit)
        unit.unmark("activated")


@pytest.mark.rule("FBN-021", "FBN-027", "FBN-205")
@pytest.mark.setting("crew_ac")
def test_the_ac_of_one_gunner_fire_a_piece() -> None:
    crew = game({"guns": troops(arm="artillery", figures=4, weapon="none", gun={"kind": "field"})}).plan.squads["guns"]
    assert {man.ac for man in crew.men} == {3}
    state, unit, gun = battery(crew=1, crew_ac="crew_best")
    ready_gun(state, unit, gun)
    assert gun.ac == int(state.book.file.gun_costs.fire) == 3 and may_fire_gun(state, unit, gun)


@pytest.mark.rule("FBN-124", "FBN-201")
@pytest.mark.setting("flak_armour_ds")
def test_a_leader_among_the_gunners_is_one_of_them_and_has_their_shield() -> None:
    major = {"name": "Major", "side": "army", "rank": "officer", "unit": "guns"}
    units = {"guns": troops(arm="artillery", figures=4, weapon="none", gun={"kind": "field"}), "foot": troops()}
    squads = game(units, leaders={"major": major}).plan.squads
    men = squads["guns"].men
    assert [(man.role, man.ds, man.crew) for man in men] == [("officer", 4, True), *[("crew", 4, True)] * 3]
    assert not any(man.crew for man in squads["foot"].men)
    red = squad("red", "red", 1, (50, 40))
    for crew in (True, False):
        blue = squad("blue", "blue", 1, (50, 50), role="officer", crew=crew)
        state = battle(red, blue)
        firer, man = red.figures["red/1"], blue.figures["blue/1"]
        gun, man_at_piece = (
            Gun("light_gun", 60.0, 40.0, 0.0, 0.0, 2),
            bare_figure("guns/1", "red", 60.0, 38.5, role="crew"),
        )
        facts = (
            shot_facts(state, firer, blue, man, OPEN_WINDOW, "medium"),
            blast_facts(state, blue, man),
            gun_facts(state, bare_unit("guns", "red", [man_at_piece], guns=[gun]), gun, blue, man),
        )
        assert [one.crew for one in facts] == [crew] * 3


@pytest.mark.rule("FBN-205")
def test_those_who_serve_do_nothing_else() -> None:
    state, unit, gun = battery()
    serve(state, unit, gun, 3)
    assert all("served" in figure.marks and figure.ac == 0 for figure in unit.figures.values())
    assert not may_fire_gun(state, unit, gun)


@pytest.mark.rule("FBN-206")
@pytest.mark.setting("min_crew")
def test_the_fewest_gunners() -> None:
    for setting, manned in ((1, True), (2, False)):
        state, unit, gun = battery(crew=1, min_crew=setting)
        assert is_manned(state, unit, gun) is manned
    state, unit, gun = battery("machine_gun", crew=1, min_crew=2)
    kinds = [act[0] for act in acts(state, unit) if isinstance(act, tuple)]
    assert "gun turn" in kinds and "salvo" not in kinds, "one man can turn what it takes two to fire"
    assert best_cs(*battery(crew=1)[:2], battery(crew=1)[2]) == -1
    assert len(crew_of(*battery(crew=4)[:2], battery(crew=4)[2])) == 4


@pytest.mark.rule("FBN-208", "FBN-205")
def test_a_gun_turns_up_to_a_right_angle_for_an_ac() -> None:
    state, unit, gun = battery()
    ways = allowed_turns(state, gun)
    assert (min(ways), max(ways), 90.0 in ways, 105.0 in ways) == (15.0, 345.0, True, False)
    with scripted(state) as table:
        turn_gun(table, state, unit, gun, 90.0)
    assert (gun.bearing, gun.ac) == (90.0, 2)


@pytest.mark.rule("FBN-207", "FBN-233")
def test_who_moves_a_piece() -> None:
    state, unit, gun = battery("machine_gun", team=0)
    assert len(haulers(state, unit, gun) or []) == 2
    state, unit, gun = battery("machine_gun", crew=1, team=0)
    assert haulers(state, unit, gun) is None
    for kind, team, able in (
        ("light_gun", 0, False),
        ("light_gun", 1, True),
        ("medium_gun", 1, False),
        ("medium_gun", 2, True),
    ):
        state, unit, gun = battery(kind, team=team)
        assert (haulers(state, unit, gun) is not None) is able
    state, unit, gun = battery("light_gun", team=0)
    state.units["horse"] = bare_unit("horse", "red", [man("horse/1", "red", 51.7, 10, mounted=True)])
    assert len(haulers(state, unit, gun) or []) == 1


@pytest.mark.rule("FBN-207", "FBN-205")
def test_a_move_costs_a_gun_two_ac_and_its_crew_goes_along() -> None:
    state, unit, gun = battery()
    with scripted(state) as table:
        haul_gun(table, state, unit, gun, [], (50.0, 15.0))
    assert (gun.y, gun.ac, unit.figures["red/1"].y) == (15.0, 1, 13.5)
    assert not may_fire_gun(state, unit, gun)


@pytest.mark.rule("FBN-202", "FBN-205")
@pytest.mark.setting("crew_ac")
def test_a_man_between_two_pieces_serves_one_of_them() -> None:
    """Two guns side by side; one man is between them and one behind the first."""
    for setting, before, after in (
        ("fixed3", (3, 3), (0, 0)),
        ("crew_best", (3, 3), (0, 0)),
        ("crew_sum", (6, 3), (3, 0)),
    ):
        state, unit, gun = battery(crew=1, crew_ac=setting)
        other = Gun(gun.kind, 53.0, 10.0, 0.0, 0.0, 2)
        unit.guns.append(other)
        between = man("red/2", "red", 51.5, 10.0, role="crew")
        unit.figures["red/2"] = between
        for piece in unit.guns:
            ready_gun(state, unit, piece)
        assert (gun.ac, other.ac) == before and crew_of(state, unit, other) == [between]
        serve(state, unit, gun, min(3, gun.ac))
        assert (gun.ac, other.ac) == after and not is_manned(state, unit, other)
        assert len(crew_of(state, unit, gun)) == 2
    with scripted(state, crew_ac="crew_sum") as table:
        end_activation(table, state, unit)
    assert not any(mark.startswith("serve") for figure in unit.figures.values() for mark in figure.marks)


@pytest.mark.rule("FBN-048", "FBN-207")
@pytest.mark.setting("terrain_move")
def test_a_piece_pays_for_mixed_ground_like_others() -> None:
    """With one inch of rubble in its path a gun goes 5" of the 7" of a walk if the worst ground sets the pace, or 6.5" in
    proportion.
    """
    for setting, most in (("worst", 5.0), ("proportional", 6.5)):
        grass = field(("rubble", list(box(40, 11, 60, 12))), terrain_move=setting)
        gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3, team=1)
        unit = bare_unit("red", "red", [man("red/1", "red", 50.0, 8.5, role="crew")], guns=[gun], kind="battery")
        state = battle(unit, on=grass, terrain_move=setting)
        assert haul_refused(state, unit, gun, [], (50.0, 10.0 + most)) is None
        assert haul_refused(state, unit, gun, [], (50.0, 10.1 + most)) is not None
