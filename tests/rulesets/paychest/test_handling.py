"""Objects on the ground are offered to men who touch them, as long as they lie there."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import bare_unit, scene

from zareba.agents import make_agent
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import game_for
from zareba.table import SeededTable
from zareba_rulesets.paychest.actions.loads import handle
from zareba_rulesets.paychest.chapters.sight import reaches
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.things import Thing


def test_what_one_man_has_taken_is_not_offered_to_the_next() -> None:
    things = {
        "rifle": Thing("weapon", "rifle", "", (20.5, 10.1)),
        "musket": Thing("weapon", "musket", "", (20.5, 9.9)),
    }
    place = scene(bare_unit("red", "red", [(20.0, 10.0), (21.0, 10.0)], weapons=("knife",)), things=things)
    offered: list[tuple[Any, ...]] = []
    answers = iter([("take", "red.1", "rifle", "rifle"), ("take", "red.2", "musket", "musket")])

    def agent(question: Any, battle: Any) -> Any:
        offered.append(question.options)
        return next(answers)

    handle(SeededTable(place.rules, place.battle, 1, {"red": agent}), place.battle, place.unit("red"), {}, before=False)
    assert [len(options) for options in offered] == [5, 2]
    assert offered[1] == ("done", ("take", "red.2", "musket", "musket"))
    assert place.figure("red.1").loads == ("rifle",) and place.figure("red.2").loads == ("musket",)


def test_a_man_taken_up_may_be_borne_by_a_second_who_may_also_take_his_weapons() -> None:
    place = scene(bare_unit("red", "red", [(20.0, 10.0), (21.0, 10.0), (20.5, 10.9)], weapons=("rifle",)))
    body = place.figure("red.3")
    body.fate, body.weapons = "unconscious", ("rifle", "knife")
    place.unit("red").measure()
    offered: list[tuple[Any, ...]] = []

    def agent(question: Any, battle: Any) -> Any:
        offered.append(question.options)
        return ("pick up", "red.1", "red.3") if len(offered) == 1 else "done"

    handle(SeededTable(place.rules, place.battle, 1, {"red": agent}), place.battle, place.unit("red"), {}, before=False)
    knife = ("take", "red.2", "red.3", "knife")
    assert ("pick up", "red.2", "red.3") in offered[0] and knife in offered[0]
    assert offered[1] == ("done", ("pick up", "red.2", "red.3"), knife)


def touchable(battle: Battle, unit_id: str) -> set[tuple[str, str]]:
    """Return (figure, object or man) for everything that able men of a unit touch, by checking all pairs."""
    unit = battle.unit(unit_id)
    borne: dict[str, tuple[Any, float]] = {}
    lying = {key: (thing.at, thing.kind == "mount") for key, thing in battle.things.items() if not thing.carrier}
    for other in battle.units.values():
        for key, figure in other.figures.items():
            if figure.at is not None and (figure.fate != "able" or "lame" in figure.marks):
                lying[key] = figure.at, bool(figure.mount)
            if figure.at is not None and other.spec.side == unit.spec.side:
                borne |= {load: (figure.at, battle.radius(figure)) for load in figure.loads if load in battle.things}
    bases = battle.book.bases
    found = set()
    for figure in unit.able:
        for key, (at, base) in borne.items():
            if battle.things[key].heavy and reaches(battle, figure, at, base):
                found.add((figure.spec.id, key))
        for key, (at, mount) in lying.items():
            base = bases["mounted"] if mount else 0.0 if key in battle.things else bases["foot"]
            if reaches(battle, figure, at, base):
                found.add((figure.spec.id, key))
    return found


@pytest.mark.parametrize("scenario", ["river_ford", "paychest_raid"])
def test_only_what_is_there_is_offered_in_whole_games(scenario: str) -> None:
    game = game_for(Variant("paychest", "paychest"), scenario)
    state: Battle = game.start()
    players = {seat: make_agent("random", game, seat, 8) for seat in game.seats}
    asked = 0

    def agent(question: Any, battle: Any) -> Any:
        nonlocal asked
        if question.why == "handle":
            asked += 1
            there = touchable(battle, question.actor)
            acts = [act for act in question.options[1:] if act[0] != "drop"]
            assert all(act[1:3] in there for act in acts), acts
            assert len(set(acts)) == len(acts)
        return players[question.seat](question, battle)

    table = SeededTable(game.rules, state, 8, dict.fromkeys(game.seats, agent))
    while (step := game.play.next_step(state)) is not None and asked < 150:
        table.begin(step)
        game.play.perform(table, state, step)
    assert asked >= 150
