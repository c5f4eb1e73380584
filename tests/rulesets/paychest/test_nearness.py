"""Cached facts about units (near, in contact, in sight, in cover) are correct at every question."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import bare_unit, blue, red, scene

from zareba.agents import make_agent
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for
from zareba.table import SeededTable
from zareba_rulesets.paychest.chapters.fire import (
    groups_of,
    in_reach,
    line_of,
    may_fire,
    single_targets,
    targets_in_reach,
)
from zareba_rulesets.paychest.chapters.sight import (
    Muzzle,
    chains,
    figures_in_contact,
    firing_line,
    foes_near,
    groups_among,
    in_contact,
    in_hard_cover,
    in_sight,
)
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit


def all_near(battle: Battle, unit: Unit, reach: float) -> list[str]:
    """Return the enemy units whose bounding boxes are within reach of a unit's, by checking all of them."""
    west, south, east, north = unit.box
    return [
        other.spec.id
        for other in battle.units.values()
        if other.spec.side != unit.spec.side
        and min(unit.box[2], other.box[2]) >= 0
        and max(west - other.box[2], other.box[0] - east) <= reach
        and max(south - other.box[3], other.box[1] - north) <= reach
    ]


def what_is_kept(unit: Unit) -> list[Any]:
    """Return the cached facts about a unit."""
    known = unit.standing
    return [dict(known.seen), known.groups, known.sheltered]


def found_anew(battle: Battle, unit: Unit) -> list[Any]:
    """Return the same facts for a unit without caches."""
    muzzles, groups, sheltered = list(unit.standing.seen), unit.standing.groups, unit.standing.sheltered
    unit.measure()
    seen = {
        key: in_sight(battle, "", firing_line([Muzzle(*muzzle) for muzzle in sorted(key)]), unit) for key in muzzles
    }
    if groups is not None:
        groups = [chain for chain in chains(battle, unit.able) if len(chain) > 1]
    if sheltered is not None:
        in_hard_cover(battle, unit, unit.able)
    return [seen, groups, unit.standing.sheltered]


@pytest.mark.parametrize("scenario", ["river_ford", "column_ambushed", "mission_station"])
def test_what_is_kept_of_units_is_what_one_finds_by_looking_again(scenario: str) -> None:
    game = game_for(Variant("paychest", "paychest"), scenario)
    state: Battle = game.start()
    players = {seat: make_agent("random", game, seat, 5) for seat in game.seats}
    asked = touching = seen = 0

    def agent(question: Any, battle: Any) -> Any:
        nonlocal asked, touching, seen
        asked += 1
        if asked % 14 == 0:
            for unit in battle.units.values():
                foes = foes_near(battle, unit, 1.6)
                assert [foe.spec.id for foe in foes] == all_near(battle, unit, 1.6), question
                drawn = {figure.spec.id for figure in unit.able if in_contact(battle, figure, foes)}
                assert figures_in_contact(battle, unit, foes) == drawn, question
                touching += len(drawn)
                kept = what_is_kept(unit)
                seen += len(kept[0])
                assert kept == found_anew(battle, unit), question
        return players[question.seat](question, battle)

    table = SeededTable(game.rules, state, 5, dict.fromkeys(game.seats, agent))
    while (step := game.play.next_step(state)) is not None and asked < 900:
        table.begin(step)
        game.play.perform(table, state, step)
    assert asked > 500 and touching > 5 and seen > 50


@pytest.mark.rule("PAY-101")
def test_whoever_comes_into_contact_is_no_target_any_more_and_then_is_again() -> None:
    place = scene(red(2), blue(2), bare_unit("guard", "red", [(50.0, 40.0)]))

    def targets() -> list[str]:
        reach = in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))
        return [figure.spec.id for figures in reach.values() for figure in figures]

    assert targets() == ["blue.1", "blue.2"]
    for at, left in (((20.0, 21.0), ["blue.2"]), ((50.0, 40.0), ["blue.1", "blue.2"])):
        place.figure("guard.1").at = at
        place.unit("guard").measure()
        assert targets() == left


@pytest.mark.rule("PAY-086", "PAY-101")
def test_who_ducks_or_rises_is_seen_to_do_so() -> None:
    place = scene(red(2), blue(2))
    for mark, count in (("down", 1), ("", 2)):
        figure = place.figure("blue.1")
        figure.marks = frozenset({mark} if mark else ())
        reach = in_reach(place.battle, place.unit("red"), may_fire(place.battle, place.unit("red")))
        assert len(reach["blue"]) == count


@pytest.mark.rule("PAY-097")
def test_a_group_breaks_up_when_the_man_in_its_middle_walks_off() -> None:
    place = scene(blue(3), red(1))
    unit = place.unit("blue")
    for at in (1.5, 3.5):  # side by side, then too far apart for one group
        for number, figure in enumerate(unit.figures.values()):
            figure.at = (20.0 + at * number, 20.0)
        unit.measure()
        assert [len(chain) for chain in groups_among(place.battle, unit, unit.able)] == ([3] if at == 1.5 else [])
    unit.figures["blue.3"].at = (25.0, 20.0)
    unit.measure()
    assert [[f.spec.id for f in chain] for chain in groups_among(place.battle, unit, unit.able)] == [
        ["blue.2", "blue.3"]
    ]


@pytest.mark.rule("PAY-086")
def test_who_leaves_the_wall_has_left_its_cover() -> None:
    place = scene(red(2, y=10.5), lines={"wall": ("low_wall", [(10.0, 10.0), (40.0, 10.0)])})
    unit = place.unit("red")
    assert in_hard_cover(place.battle, unit, unit.able) == unit.able
    unit.figures["red.2"].at = (21.2, 14.0)
    unit.measure()
    assert in_hard_cover(place.battle, unit, unit.able) == unit.able[:1]


@pytest.mark.rule("PAY-092", "PAY-094")
def test_options_looked_for_one_by_one_are_those_that_one_finds_by_looking_at_all() -> None:
    game = game_for(Variant("paychest", "paychest"), "river_ford")
    state: Battle = game.start()
    players = {seat: make_agent("random", game, seat, 6) for seat in game.seats}
    act: Any = ""
    compared = {"volley at": 0, "fire at unit": 0}

    def all_options(question: Any, battle: Battle) -> list[Any]:
        unit = battle.unit(question.actor.rpartition(".")[0] or question.actor)
        firers = may_fire(battle, unit)
        if question.why == "fire at unit":
            (firer,) = [firer for firer in firers if firer.figure.spec.id == question.actor]
            return ["hold fire", *single_targets(battle, unit, firer)]
        group = [f for f in firers if not battle.is_leader(f.figure) and "held" not in f.figure.marks]
        reach = dict(targets_in_reach(battle, unit, line_of(battle, group)))
        plain = any(not battle.is_leader(figure) for figures in reach.values() for figure in figures)
        return ["hold fire", *groups_of(battle, reach), *(["a stretch"] if plain else [])]

    def agent(question: Any, battle: Any) -> Any:
        nonlocal act
        if question.why == "fire at unit" or (question.why == "volley at" and act == "volley"):
            compared[question.why] += 1
            assert list(question.options) == all_options(question, battle)
        answer = players[question.seat](question, battle)
        if question.why == "fire":
            act = answer
        return answer

    table = SeededTable(game.rules, state, 6, dict.fromkeys(game.seats, agent))
    while (step := game.play.next_step(state)) is not None and min(compared.values()) < 20:
        table.begin(step)
        game.play.perform(table, state, step)
    assert min(compared.values()) >= 20
