"""Hidden information never leaks: two states that differ only in it look the same to the other side."""

from __future__ import annotations

from collections.abc import Callable
from math import dist
from random import Random
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battle, field, man, rules_with, run, scripted, squad

from zareba.base.state import digest
from zareba.scenario import load_scenario
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba.table import Choose, Confirm, Place, ScriptedTable, SeededTable
from zareba.table.questions import fingerprint
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.artillery import guess_limits
from zareba_rulesets.fixed_baynet.chapters.crews import haul_gun, haul_refused
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle, ScenarioObject
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def elsewhere(state: Battle, unit: Unit, random: Random) -> None:
    """Move a hidden unit to another part of the board, with different AC, glory and facing."""
    w, s, e, n = unit.box
    dx = random.uniform(-w, state.field.width - e)
    dy = random.uniform(-s, state.field.depth - n)
    for figure in unit.figures.values():
        state.put(figure, figure.x + dx, figure.y + dy)
        figure.facing, figure.ac = random.uniform(0, 360), random.randint(0, 3)
    for gun in unit.guns:
        gun.x, gun.y = gun.x + dx, gun.y + dy
    unit.measure()


def other_world(state: Battle, seat: str, random: Random) -> Battle:
    """Return a copy that differs only in what is hidden from `seat`: hidden units and plots of the other side."""
    other = state.copy()
    for key in [key for key, unit in other.units.items() if unit.spec.side != seat]:
        unit = other.units.change(key)
        if "hidden" in unit.marks and "away" not in unit.marks:
            elsewhere(other, unit, random)
        for gun in unit.guns:
            if gun.kind == "trench_mortar":
                gun.plot = (random.uniform(0, 40), random.uniform(0, 40), float(random.randint(12, 30)), 1.0)
    return other


Asked = list[tuple[str, tuple[Any, ...]]]


def questions_of_step(game: FbnGame, state: Battle, seat: str, seed: int, pick: Callable[[], Random]) -> Asked:
    """Return the questions of one step with their option texts, up to the first discovery of something hidden."""
    asked: Asked = []
    random = pick()

    def answer(question: Any, now: Battle) -> Any:
        if question.seat == seat and not any(event.kind == "revealed" for event in table.events):
            seen = game.sight.view(now, seat)
            words = [game.narrator.describe(seen, question)]
            if isinstance(question, Choose):
                words += [game.narrator.describe_option(seen, question, option) for option in question.options]
                words += [
                    repr(listed[:2])
                    for option in question.options[:2]
                    for listed in game.advisor.odds_for(seen, question, option)
                ]
            if not isinstance(question, Confirm):
                found = game.advisor.evaluate(seen, question)
                words += [
                    f"{evaluation.total} {evaluation.reason() if callable(evaluation.reason) else evaluation.reason}"
                    for evaluation in found
                ]
            asked.append((fingerprint(question), tuple(words)))
        if isinstance(question, Place):
            return question.suggestions[random.randrange(10**6) % len(question.suggestions)]
        if isinstance(question, Confirm):
            return random.random() < 0.5
        return question.options[random.randrange(10**6) % len(question.options)]

    table = SeededTable(game.rules, state, seed, dict.fromkeys(game.seats, answer))
    step = game.play.next_step(state)
    assert step is not None
    table.begin(step)
    game.play.perform(table, state, step)
    if any(event.kind == "revealed" for event in table.events):
        asked.append(("revealed", ()))
    return asked


@pytest.mark.rule("FBN-078", "FBN-227", "FBN-006")
@pytest.mark.parametrize(
    ("name", "seat"), [("column_ambushed", "column"), ("paychest_raid", "legion"), ("square_attacked", "column")]
)
def test_two_worlds_ask_the_same_questions(name: str, seat: str) -> None:
    game = FbnGame(rules_with(), load_scenario(name))
    random = Random(name)
    state, compared, steps = game.start(), 0, 0
    while game.play.next_step(state) is not None and compared < 30 and steps < 400:
        steps += 1
        step = game.play.next_step(state)
        assert step is not None
        mine = bool(state.active) and state.units[state.active].spec.side == seat
        hides = any("hidden" in unit.marks and unit.spec.side != seat for unit in state.units.values())
        seed = random.randrange(10**6)
        if hides and (mine or step.name == "actions.unit"):
            other = other_world(state, seat, random)
            assert digest(game.sight.view(other, seat).to_data()) == digest(game.sight.view(state, seat).to_data())
            there = questions_of_step(game, other, seat, seed, lambda seed=seed: Random(seed))  # type: ignore[misc]  # binds the seed
            here = questions_of_step(game, state, seat, seed, lambda seed=seed: Random(seed))  # type: ignore[misc]  # binds the seed
            for one, two in zip(here, there, strict=False):
                if "revealed" in (one[0], two[0]):
                    break
                assert one == two, step
                compared += 1
        else:
            questions_of_step(game, state, seat, seed, lambda seed=seed: Random(seed))  # type: ignore[misc]  # binds the seed
    assert compared >= 20, "something was compared"


@pytest.mark.rule("FBN-227", "FBN-006")
def test_a_plotted_target_is_hidden_from_other_sides() -> None:
    game = FbnGame(rules_with(), load_scenario("patrol_clash"))
    state = game.start()
    gun = Gun("trench_mortar", 30.0, 30.0, 0.0, 0.0, 3, ac=3)
    state.units["mortar"] = bare_unit("mortar", "tribesmen", [man("mortar/1", "tribesmen", 30, 28.5)], guns=[gun])
    views = []
    for plot in ((), (10.0, 40.0, 20.0, 1.0), (12.0, 44.0, 25.0, 1.0)):
        gun.plot = plot
        views.append(digest(game.sight.view(state, "patrol").to_data()))
        assert game.sight.view(state, "tribesmen").units["mortar"].guns[0].plot == plot
    assert len(set(views)) == 1


@pytest.mark.rule("FBN-006", "FBN-222", "FBN-226")
def test_the_guesses_offered_depend_on_the_piece_and_not_on_the_distance() -> None:
    offered: list[Any] = []

    class Noting(ScriptedTable):
        """A table that records the guesses offered to the player."""

        def answer(self, question: Any) -> Any:
            if question.why == "guess the range":
                offered.append(question.options)
            return super().answer(question)

    for y in (30.0, 34.0):
        gun = Gun("light_howitzer", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
        red = bare_unit("red", "red", [man("red/1", "red", 50, 8.5, role="crew")], guns=[gun], kind="battery")
        state = battle(red, squad("blue", "blue", 3, (50, y)), on=field())
        state.active = "red"
        aim = (("aim at point", (50.0, y)), ("guess the range", 20), ("load", "shell"))
        with Noting(rules_with(), state, (*aim, ("lay", [5]), ("deviation", [6]), ("direction", [6]))) as table:
            perform_action(table, state, red, ("gun indirect", 0))
    least, most = guess_limits(state, red, gun)
    assert offered[0] == offered[1] == ("the gunner's guess", *range(max(1, least), most + 1))


@pytest.mark.rule("FBN-078")
def test_hidden_men_do_not_screen_fill_or_carry_in_sight_of_the_enemy() -> None:
    red, foe = squad("red", "red", 1, (50, 20)), squad("foe", "blue", 1, (50, 40))
    ambush = squad("ambush", "blue", 1, (50, 30))
    state = battle(red, foe, ambush, figures_block_los=True)
    one, other = red.figures["red/1"], foe.figures["foe/1"]
    assert not sees(state, one, other, OPEN_WINDOW)
    ambush.mark("hidden")
    assert sees(state, one, other, OPEN_WINDOW) and not sees(state, other, one, OPEN_WINDOW)
    game = FbnGame(rules_with(), load_scenario("patrol_clash"))
    real = game.start()
    key = next(key for key, unit in real.units.items() if unit.spec.side == "tribesmen")
    real.units.change(key).mark("hidden")
    real.carried_objects["chest"] = ScenarioObject(10.0, 10.0, carrier=key)
    assert (
        "chest" not in game.sight.view(real, "patrol").carried_objects
        and "chest" in game.sight.view(real, "tribesmen").carried_objects
    )


@pytest.mark.rule("FBN-078", "FBN-013")
def test_log_does_not_mention_hidden_units_that_do_nothing() -> None:
    for hidden in (False, True):
        red, ambush = squad("red", "red", 1, (50, 80)), squad("ambush", "blue", 1, (50, 20))
        if hidden:
            ambush.mark("hidden")
        state = battle(red, ambush)
        with scripted(state) as table:
            begin_activation(table, state, ambush)
            assert [event.kind for event in table.events] == ([] if hidden else ["activated"])
            perform_action(table, state, ambush, "end")
            assert ("hidden" in ambush.marks) is hidden
            assert "lie down" in acts(state, ambush)
            perform_action(table, state, ambush, "lie down")
            assert "hidden" not in ambush.marks
            assert [event.kind for event in table.events].count("revealed") == hidden


@pytest.mark.rule("FBN-050", "FBN-078", "FBN-207")
def test_hauled_gun_stops_short_of_discovered_men() -> None:
    for x in (50.0, 51.5):
        lurker = bare_unit("lurker", "blue", [man("lurker/1", "blue", x, 15.2)])
        lurker.mark("hidden")
        gun = Gun("light_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3, team=1)
        crew = [man("red/1", "red", 51.5, 10.0, role="crew")]
        unit = bare_unit("red", "red", crew, guns=[gun], kind="battery")
        state = battle(unit, lurker, on=field())
        assert haul_refused(state, unit, gun, [], (50.0, 15.0)) is None, "its owner sees nobody there"
        run(haul_gun, state, unit, gun, [], (50.0, 15.0))
        foe, gunner = lurker.figures["lurker/1"], unit.figures["red/1"]
        assert "hidden" not in lurker.marks and 10 < gun.y < 15
        assert dist(gun.at, foe.at) >= 1.5 and dist(gunner.at, foe.at) >= 1.0
        assert gunner.y == gun.y


@pytest.mark.rule("FBN-050", "FBN-078", "FBN-166", "FBN-170")
def test_panicking_men_stop_short_of_discovered_men() -> None:
    for reaction, mounted, inches in (
        ("flee", False, 4.6),
        ("flee", True, 4.6),
        ("onwards", False, 9.5),
        ("onwards", True, 4.6),
    ):
        runner = man("red/1", "red", 50.0, 30.0, mounted=mounted, weapon="none")
        runner.reaction, runner.gl, runner.last_gait, runner.ac = reaction, 7, 1, 1
        way = -1 if reaction == "flee" else 1
        seen = bare_unit("seen", "blue", [man("seen/1", "blue", 50.0, 41.0, weapon="none")])
        lurker = bare_unit("lurker", "blue", [man("lurker/1", "blue", 50.0, 30.0 + inches * way, weapon="none")])
        lurker.mark("hidden")
        state = battle(bare_unit("red", "red", [runner]), seen, lurker, on=field())
        run(carry_out_panic, state, state.units["red"])
        foe = lurker.figures["lurker/1"]
        assert dist(runner.at, foe.at) >= state.radius(runner) + 0.5 - 1e-6, (reaction, mounted, runner.at)
        assert 0 < (runner.y - 30.0) * way < inches, "he has not passed him"


@pytest.mark.rule("FBN-078", "FBN-172")
def test_riders_who_ride_up_to_hidden_men_find_them() -> None:
    for inches, found in ((3.0, False), (6.0, True)):
        red = squad("red", "red", 1, (50, 50), mounted=True, rides=True)
        blue = squad("blue", "blue", 1, (50, 61.5), facing=180.0)
        blue.mark("hidden")
        state = battle(red, blue)
        state.active = "red"
        run(perform_action, state, red, ("ride", 1), script=[("ride to", (50.0, 50.0 + inches))])
        assert ("hidden" not in blue.marks) is found


@pytest.mark.rule("FBN-078")
def test_a_side_knows_of_its_own_and_of_those_of_others_who_are_not_hidden() -> None:
    own, seen = squad("a", "red", 1, (10, 10)), squad("b", "blue", 1, (20, 10))
    unseen, away = squad("c", "blue", 1, (30, 10)), squad("d", "blue", 1, (40, 10))
    own.mark("hidden")
    unseen.mark("hidden")
    away.mark("away")
    state = battle(own, seen, unseen, away)
    assert [unit.spec.id for unit in state.known_to("red")] == ["a", "b"]
    assert [unit.spec.id for unit in state.known_to("blue")] == ["b", "c"]
    assert [unit.spec.id for unit in state.enemies("red")] == ["b"] and state.enemies("blue") == []
