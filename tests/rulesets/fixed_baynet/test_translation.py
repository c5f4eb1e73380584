"""Translation of neutral scenarios into Fixed Bay'net: every word is translated or noted as unsupported."""

from __future__ import annotations

from itertools import combinations
from typing import Any, get_args

import pytest
from tests.rulesets.fixed_baynet.plain import book
from tests.rulesets.fixed_baynet.scenarios import game, shipped, troops

from zareba.scenario import shipped_scenarios, vocabulary
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.forces.battle import open_ground, ruins


def mapping() -> Any:
    return book().file.mapping


def test_every_word_of_the_vocabulary_is_mapped() -> None:
    words = {
        "area_terrain": vocabulary.AREA_KINDS,
        "linear_terrain": vocabulary.LINE_KINDS,
        "arm": get_args(vocabulary.Arm),
        "quality": get_args(vocabulary.Quality),
        "weapon": get_args(vocabulary.Weapon),
        "close_weapon": get_args(vocabulary.CloseWeapon),
        "gun": get_args(vocabulary.GunClass),
        "formation": get_args(vocabulary.Formation),
        "rank": get_args(vocabulary.Rank),
    }
    for name, known in words.items():
        assert set(getattr(mapping(), name)) == set(known), name


@pytest.mark.parametrize("trait", get_args(vocabulary.Trait))
def test_every_trait_has_an_effect_or_is_noted(trait: str) -> None:
    notes = game({"foot": troops(traits=[trait])}).untranslated
    assert (trait in book().file.supported_words.traits) is not any(trait.replace("_", " ") in note for note in notes)


@pytest.mark.parametrize("kind", vocabulary.AREA_KINDS)
def test_every_area_becomes_ground_of_its_row(kind: str) -> None:
    made = game(
        {"foot": troops(position=[20, 8])},
        terrain={"piece": {"kind": kind, "area": [[24, 24], [34, 24], [34, 34], [24, 34]]}},
    )
    row = mapping().area_terrain[kind]
    pieces = {piece.ground for piece in made.plan.field.pieces}
    assert pieces == ({book().terrain[row]} if row not in ("clear", "low_slope") else set())
    assert (made.plan.field.height((29, 29)) > 0) is (kind in ("hill", "kopje"))


@pytest.mark.rule("FBN-072")
@pytest.mark.parametrize("kind", vocabulary.LINE_KINDS)
def test_every_line_becomes_a_wall_or_a_strip_of_its_row(kind: str) -> None:
    made = game(
        {"foot": troops(position=[20, 8])}, terrain={"piece": {"kind": kind, "line": [[0, 30], [30, 32], [60, 30]]}}
    )
    assert {piece.ground for piece in made.plan.field.pieces} == {book().terrain[mapping().linear_terrain[kind]]}


def test_gates_are_gaps_when_light_and_wall_when_heavy() -> None:
    for gate, passable in (("light_wood", True), ("heavy_wood", False)):
        wall = {
            "kind": "low_wall",
            "line": [[0, 30], [60, 30]],
            "gates": {"gate": {"at": [30, 30], "width": 4, "kind": gate}},
        }
        made = game({"foot": troops(position=[20, 8])}, terrain={"wall": wall})
        assert (made.plan.field.straight_move((30, 28), (30, 32), True).closed == "") is passable
        assert made.plan.field.straight_move((20, 28), (20, 32), True).closed != ""
        assert any("heavy gate" in note for note in made.untranslated) is not passable


@pytest.mark.rule("FBN-060", "FBN-185")
@pytest.mark.setting("native_regular_square")
def test_units_that_may_form_square_start_in_it() -> None:
    for kind, arm, setting, square in (
        ("european_regular", "infantry", False, True),
        ("european_irregular", "infantry", False, True),
        ("native_regular", "infantry", False, False),
        ("native_regular", "infantry", True, True),
        ("tribal", "infantry", True, False),
        ("european_regular", "cavalry", False, False),
    ):
        foot = troops(kind=kind, arm=arm, formation="square", position=[30, 20])
        made = game({"foot": foot}, {"native_regular_square": setting})
        assert made.start().units["foot"].shape == ("square" if square else "closed")
        assert any("because they cannot form square" in note for note in made.untranslated) is not square


def test_weapons_that_these_rules_lack_are_noted() -> None:
    made = game({"foot": troops(name="Slingers", weapon="sling", position=[30, 10])})
    assert "slings and thrown rocks are not in these rules: Slingers" in made.untranslated
    assert not any("slings" in note for note in game({"foot": troops(position=[30, 10])}).untranslated)


@pytest.mark.rule("FBN-242", "FBN-245", "FBN-259", "FBN-260")
def test_buildings_get_sections_openings_and_levels() -> None:
    hut = {"kind": "building", "area": [[20, 30], [32, 30], [32, 36], [20, 36]], "material": "wood", "floors": 2}
    house = game({"foot": troops(position=[20, 8])}, terrain={"hut": hut}).plan.field.buildings["hut"]
    assert len(house.sections) == 4 and house.row == book().terrain["wooden_building"]
    kinds = [way.kind for way in house.openings.values()]
    assert kinds.count("door") == 2 and kinds.count("inner") == 2 and kinds.count("stairs") == 1
    assert kinds.count("window") == 2 * (3 + 3 + 2 + 2) - 2
    for kind, sections in (("tower", 1), ("silo", 0), ("openable", 4)):
        overrides = {"fixed_baynet": {"buildings": {"hut": {"kind": kind}}}}
        made = game({"foot": troops(position=[20, 8])}, terrain={"hut": hut}, overrides=overrides).plan.field.buildings[
            "hut"
        ]
        assert (made.kind, len(made.sections)) == (kind, sections)


def test_shipped_scenarios_start_with_everybody_on_free_ground() -> None:
    for name in shipped_scenarios():
        state = shipped(name).start()
        assert isinstance(state.book, FbnBook) and ruins(state) == frozenset()
        figures = [figure for unit in state.on_table() for figure in unit.figures.values()]
        assert all(figure.place or open_ground(state, figure.x, figure.y) for figure in figures)
        out = [figure for figure in figures if not figure.place]
        for one, other in combinations(out, 2):
            if abs(one.x - other.x) < 1.5 and abs(one.y - other.y) < 1.5:
                reach = state.radius(one) + state.radius(other)
                assert (one.x - other.x) ** 2 + (one.y - other.y) ** 2 >= (reach - 0.01) ** 2, (one.id, other.id)
