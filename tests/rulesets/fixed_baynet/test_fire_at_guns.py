"""Fire at guns, by rifles and by other guns (chapter 18)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    acts,
    battery,
    box,
    field,
    house,
    man,
    scripted,
    squad,
)

from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.chapters.aiming import marksmen
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    Impact,
    building_facts,
    gun_cover,
    resolve_burst,
)
from zareba_rulesets.fixed_baynet.chapters.machine_guns import (
    duel_facts,
    gun_marks,
    gun_shot_facts,
    volley_at_gun,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState, Flare
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def rifles_at_the_gun(**more: Any) -> tuple[Battle, Unit, Gun, Unit]:
    """A rifleman at medium range north of the gun."""
    field_of_play, settings = more.pop("on", None), more.pop("settings", {})
    state, unit, gun = battery(team=0, **settings)
    if field_of_play is not None:
        state.field = field_of_play
    rifles = squad("rifles", "blue", 1, (50, 20), facing=180.0, **more)
    state.units["rifles"] = rifles
    state.active = "rifles"
    return state, unit, gun, rifles


@pytest.mark.rule("FBN-204")
def test_a_critical_on_a_gun_is_a_plain_hit() -> None:
    for score, wounds in ((12, 1), (3, 1), (2, 2), (1, 2)):
        state, unit, gun, rifles = rifles_at_the_gun()
        with scripted(state, ("shot", [score])) as table:
            volley_at_gun(table, state, rifles, unit, gun, list(rifles.figures.values()))
        assert gun.wounds == wounds and gun.in_play and len(unit.figures) == 2


@pytest.mark.rule("FBN-204", "FBN-067", "FBN-069", "FBN-070")
def test_a_piece_behind_a_wall_has_its_cover() -> None:
    wall = ("stone_wall", [(40.0, 12.0), (60.0, 12.0)])
    state, unit, gun, rifles = rifles_at_the_gun(on=field(lines=(wall,)))
    figure = rifles.figures["rifles/1"]
    assert gun_shot_facts(state, figure, gun, "medium").cv == 4
    with scripted(state, ("shot", [6])) as table:
        volley_at_gun(table, state, rifles, unit, gun, [figure])
    assert gun.wounds == 2
    state.put(figure, 50.0, 13.0)
    assert gun_shot_facts(state, figure, gun, "short").cv == 0, "the wall he touches shelters him alone"
    other = Gun("light_gun", 50.0, 40.0, 0.0, 180.0, 2)
    theirs = bare_unit("guns", "blue", [man("guns/1", "blue", 50, 41.5, role="crew")], guns=[other])
    assert duel_facts(state, theirs, other, gun).cv == 4


@pytest.mark.rule("FBN-071", "FBN-204")
def test_far_cover_of_a_piece_is_worth_two_against_a_higher_firer() -> None:
    for back, cv in ((2.9, 4), (3.1, 2)):
        wall = ("stone_wall", [(40.0, 10.0 + back), (60.0, 10.0 + back)])
        state, _, gun, rifles = rifles_at_the_gun(on=field(lines=(wall,)))
        figure = rifles.figures["rifles/1"]
        figure.z = 2.0
        assert gun_cover(state, figure.at, figure, gun) == cv


@pytest.mark.rule("FBN-236", "FBN-238", "FBN-204", "FBN-215")
def test_night_makes_pieces_and_buildings_harder_to_hit_unless_lit() -> None:
    state, _, gun, rifles = rifles_at_the_gun()
    other = Gun("light_gun", 50.0, 40.0, 0.0, 180.0, 2)
    theirs = bare_unit("guns", "blue", [man("guns/1", "blue", 50, 41.5, role="crew")], guns=[other])
    figure = rifles.figures["rifles/1"]

    def dark() -> tuple[bool, bool]:
        return gun_shot_facts(state, figure, gun, "medium").dark, duel_facts(state, theirs, other, gun).dark

    assert dark() == (False, False)
    state.night = True
    assert dark() == (True, True)
    state.flares.append(Flare(50.0, 10.0, 2))
    assert dark() == (False, False)
    state, unit, gun = battery()
    state.field = house()
    state.houses["hut"] = BuildingState(4)
    assert building_facts(state, unit, gun, "hut").dark is False
    state.night = True
    assert building_facts(state, unit, gun, "hut").dark is True


@pytest.mark.rule("FBN-085", "FBN-130", "FBN-237", "FBN-204")
def test_a_shot_at_a_piece_has_the_firers_modifiers() -> None:
    state, _, gun, rifles = rifles_at_the_gun(cs=1, sniper=True, mounted=True)
    figure = rifles.figures["rifles/1"]
    figure.locations = frozenset({"chest_light"})
    facts = gun_shot_facts(state, figure, gun, "medium")
    assert (facts.ds, facts.cs, facts.sniper, facts.saddle) == (3, 0, True, True)
    assert ("red", 0) in gun_marks(state, rifles, marksmen(state, rifles, [figure]))


@pytest.mark.rule("FBN-204", "FBN-217")
def test_a_piece_under_a_burst_rolls_with_the_cover_it_stands_in() -> None:
    for ground, score, wounds in ((None, 3, 0), ("light_forest", 3, 2), ("light_forest", 5, 0)):
        state, unit, gun = battery()
        target = Gun("light_gun", 20.0, 60.0, 0.0, 180.0, 2)
        state.units["guns"] = bare_unit("guns", "blue", [man("guns/1", "blue", 30, 60, role="crew")], guns=[target])
        if ground is not None:
            state.field = field((ground, list(box(10, 50, 40, 70))))
        with scripted(state, ("burst", [score])) as table:
            resolve_burst(table, state, unit, gun, "shell", Impact(20.0, 60.0), None)
        assert target.wounds == wounds


@pytest.mark.rule("FBN-204")
def test_pieces_are_aimed_at_by_rifles_and_by_guns() -> None:
    state, unit, gun = battery(team=0)
    rifles = squad("rifles", "blue", 2, (50, 25), facing=180.0)
    state.units["rifles"] = rifles
    state.active = "rifles"
    assert ("fire at gun", "red", 0) in acts(state, rifles)
    with scripted(state, ("shot", [12]), ("shot", [2])) as table:
        perform_action(table, state, rifles, ("fire at gun", "red", 0))
    assert gun.wounds == 1 and len(unit.figures) == 2
    other = Gun("light_gun", 50.0, 40.0, 0.0, 180.0, 2)
    state.units["guns"] = bare_unit("guns", "blue", [man("guns/1", "blue", 50, 44, role="crew")], guns=[other])
    state.active = "red"
    assert ("gun at gun", 0, "guns", 0) in acts(state, unit)
    with scripted(state, ("load", "shot"), ("gun", [11])) as table:
        perform_action(table, state, unit, ("gun at gun", 0, "guns", 0))
    assert other.wounds == 0
    assert gun.ac == 0 and all("served" in figure.marks for figure in unit.figures.values()), "a round like any other"
