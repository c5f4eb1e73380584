"""Every question has a description and every option an evaluation; the doctrine AI beats a random player."""

from __future__ import annotations

import re
from math import dist
from typing import Any

import pytest
from tests.rulesets.paychest.stage import bare_unit, blue, game, red, row, scene

from zareba.agents import make_agent
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.estimates import Arms, PositionValue, at_range, fire_by_range, go
from zareba_rulesets.paychest.evaluation import evaluate
from zareba_rulesets.paychest.forces.battle import Battle, Engine, Goal
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals
from zareba_rulesets.paychest.game import PaychestGame

NEEDLESS = re.compile(r"(?<![\d.,-])0 [a-z]")
"""A count of nothing: "0 men get there"."""


def played(name: str, kinds: tuple[str, str], seed: int) -> tuple[PaychestGame, Any, set[str]]:
    """Play a whole game between two agents, describing and evaluating every question."""
    match = game(name)
    state = match.start()
    asked: set[str] = set()

    def watched(seat: str, kind: str) -> Any:
        agent = make_agent(kind, match, seat, seed)

        def answer(question: Choose | Place | Confirm, battle: Any) -> Any:
            asked.add(question.why)
            assert match.narrator.describe(battle, question).endswith("?")
            worths = match.advisor.evaluate(battle, question)
            if isinstance(question, Choose):
                assert len(worths) == len(question.options)
                assert all(match.narrator.describe_option(battle, question, option) for option in question.options)
            else:
                assert len(worths) == (2 if isinstance(question, Confirm) else len(question.suggestions))
            reasons = [worth.reason() if callable(worth.reason) else worth.reason for worth in worths]
            assert all(len(reason) <= 80 for reason in reasons)
            assert all(reasons), question.why
            assert not any(NEEDLESS.search(reason) for reason in reasons), (question.why, reasons)
            return agent(question, battle)

        return answer

    table = SeededTable(match.rules, state, seed, {s: watched(s, k) for s, k in zip(match.seats, kinds, strict=True)})
    while (step := match.play.next_step(state)) is not None:
        table.begin(step)
        match.play.perform(table, state, step)
    return match, state, asked


@pytest.mark.parametrize("name", ["patrol_clash", "river_ford"])
def test_questions_are_put_in_words_and_appraised(name: str) -> None:
    _, _, asked = played(name, ("random", "random"), 5)
    assert {"move", "move to", "fire", "volley at", "melee", "handle"} <= asked


def test_sense_beats_chance() -> None:
    match, state, _ = played("mission_station", ("doctrine", "random"), 1)
    assert match.play.outcome(state).winner == "british"
    match, state, _ = played("mission_station", ("random", "doctrine"), 1)
    assert match.play.outcome(state).winner == "zulu"


def test_two_on_one_is_what_doctrine_looks_for() -> None:
    """Over all rolls, two men of skill 4 against one inflict as much as two single fights and suffer a quarter."""
    from itertools import product

    from zareba_rulesets.paychest.actions.melee_pairing import double_up
    from zareba_rulesets.paychest.estimates import exchange

    excess = [max(0, 5 - a) + max(0, 5 - b) - max(0, 5 - c) for a, b, c in product(range(1, 7), repeat=3)]
    dealt = sum(1 - (1 - 0.38) ** hits for hits in excess if hits > 0) / 216
    assert exchange((4, 4), 4, 0.38)[0] == pytest.approx(dealt)
    alone, pair = exchange((4,), 4, 0.38), exchange((4, 4), 4, 0.38)
    assert pair[0] > 1.9 * alone[0] and pair[1] < 0.6 * alone[1]
    reach = {"a.1": ["b.1"], "a.2": ["b.1", "b.2"], "a.3": ["b.2"]}
    assert double_up(reach, 2) == {"b.2": ["a.2", "a.3"], "b.1": ["a.1"]}


def test_one_unit_keeps_what_is_held_and_the_others_go_on() -> None:
    match = game("patrol_clash")
    battle = match.start()
    for number, name in enumerate(("fusiliers", "sikhs")):
        unit = battle.unit(name)
        for place, figure in enumerate(unit.figures.values()):
            figure.at = (22.0 + place % 6, 16.0 + number * 3 + place // 6)
        unit.measure()
    kept = [UnitGoals(battle, battle.unit(name)).purpose for name in ("fusiliers", "sikhs")]
    goals = {goal.id: goal for goal in battle.goals}
    assert sorted(goal.id for goal in goals.values() for one in kept if one and one.at == goal.at) == [
        "knoll_held", "village_held",
    ]  # fmt: skip
    band = battle.unit("swordsmen")
    for figure in band.figures.values():
        figure.at = (24.0, 24.0)
    band.measure()
    disputed = [UnitGoals(battle, battle.unit(name)).purpose for name in ("fusiliers", "sikhs")]
    assert all(one is not None and one.at == goals["village_held"].at for one in disputed)


def test_a_leader_leaves_an_even_fight_to_his_men() -> None:
    place = scene(red(12, leader="corporal"), blue(1, y=11.0, melee=4))
    for man, fights in (("red.1", False), ("red.2", True)):
        foe = place.figure("blue.1")
        foe.at = (place.figure(man).at or (0.0, 0.0))[0], 11.0
        place.unit("blue").measure()
        question = Choose("fights", "PAY-142", man, "red", ("blue.1", "does not fight"), ())
        worths = evaluate(place.battle, question)
        assert (worths[0].inflicts > worths[1].inflicts) is fights, man


def fire_worth(battle: Battle, arms: Arms, inches: float, gait: Gait) -> float:
    """Return the value of the firearms at a range."""
    return at_range(fire_by_range(battle, arms, gait), inches)


def test_fire_is_worth_the_sum_of_the_shots_at_every_range() -> None:
    """The value of three rifles of two skills and a pistol equals the sum of the chances of their shots."""
    from zareba_rulesets.paychest.estimates import SHARE, hit_chance

    battle = scene(red(1), blue(1)).battle
    arms = {("rifle", 4, 2): 2, ("rifle", 3, 1): 1, ("pistol", 4, 2): 1}
    for gait in ("halt", "advance", "run"):
        for inches in (0.0, 5.0, 6.0, 8.0, 9.0, 12.5, 20.0, 30.0, 36.0, 60.0):
            hits = [
                men * shots * hit_chance(battle, skill, weapon, inches, gait)
                for (weapon, skill, shots), men in arms.items()
            ]
            assert fire_worth(battle, arms, inches, gait) == pytest.approx(
                sum(hits) * battle.book.out_chance / SHARE
            ), (
                gait,
                inches,
            )
    assert fire_worth(battle, {}, 5.0, "halt") == 0.0


def test_what_is_known_of_the_enemy_is_asked_anew_for_every_question() -> None:
    from zareba_rulesets.paychest.estimates import Survey

    place, here = scene(red(1), blue(4)), (20.0, 10.0)
    before = Survey(place.battle, place.unit("red"))
    fire, danger = before.fire_and_danger(here, "halt")
    assert fire > 0 and danger > 0 and (fire, danger) == (before.fire(here, "halt"), before.danger(here))
    assert before.sees_any(here, 36.0) and not before.sees_any(here, 5.0)
    for name in ("blue.1", "blue.2"):
        place.figure(name).fate = "dead"
    place.unit("blue").measure()
    place.figure("red.1").weapons = ("knife",)
    after = Survey(place.battle, place.unit("red"))
    assert after.danger(here) == pytest.approx(danger / 2)
    assert (after.fire(here, "halt"), after.reach, after.bladed) == (0.0, 0.0, True)
    place.unit("blue").rout = "rout_3d6_rally_7"
    assert Survey(place.battle, place.unit("red")).danger(here) == 0.0


def test_fire_is_reckoned_at_the_best_target_in_sight_and_danger_of_all_who_see_a_place() -> None:
    """A house hides the nearer unit, so only the farther one counts."""
    from zareba_rulesets.paychest.estimates import Survey

    house = {"house": ("building", [(19.0, 14.0), (25.0, 14.0), (25.0, 18.0), (19.0, 18.0)])}
    units = (red(2), blue(3, y=22.0), bare_unit("far", "blue", row(6, 44.0, 24.0), firearms=3, shots=1))
    here = (20.6, 10.0)
    arms = {("rifle", 3, 1): 6}
    for areas, numbers in ((None, 9), (house, 6)):
        place = scene(*units, areas=areas)
        survey = Survey(place.battle, place.unit("red"))
        away = [dist(place.unit(name).standing.middle, here) for name in ("blue", "far")]
        threats = [fire_worth(place.battle, {("rifle", 3, 1): 3}, away[0], "halt")] if numbers == 9 else []
        threats.append(fire_worth(place.battle, arms, away[1], "halt"))
        assert survey.danger(here) == pytest.approx(sum(threats)), numbers
        own = [fire_worth(place.battle, survey.arms, away[0], "halt") / 2] if numbers == 9 else []
        own.append(fire_worth(place.battle, survey.arms, away[1], "halt"))
        assert survey.fire(here, "halt") == pytest.approx(max(own))


@pytest.mark.parametrize(("fate", "taken"), [("able", "volley"), ("dead", "volley with leaders")])
def test_leaders_fire_with_the_group_when_no_enemy_leader_can_be_aimed_at(fate: str, taken: str) -> None:
    place = scene(red(6, leader="corporal"), blue(6, y=22.0, leader="leader"))
    chief = place.unit("blue").leader
    place.figure(chief).fate = fate
    place.unit("blue").measure()
    options = ("done", "volley", "volley with leaders", "volley of picked men")
    worths = evaluate(place.battle, Choose("fire", "PAY-104", "red", "red", options, ()))
    assert options[max(range(4), key=lambda n: worths[n].inflicts - worths[n].suffers)] == taken


@pytest.mark.parametrize(("at", "goes"), [((50.0, 40.0), True), ((23.0, 10.0), False)])
def test_nobody_drives_or_climbs_who_is_where_he_is_wanted(at: tuple[float, float], goes: bool) -> None:
    battle = scene(red(4), engines={"gun": Engine("gun", "gun", "red", "red", (22.0, 10.0))}).battle
    battle.goals = (Goal("hill", "hold", ("red",), 3, at, 6.0, due=12),)
    for act in (("push", "gun"), ("drive", "gun", "run"), "climb"):
        stay, done = evaluate(battle, Choose("move", "PAY-067", "red", "red", ("halt", act), ()))
        assert (done.total > stay.total) is goes, act


def test_who_is_free_goes_for_the_enemy_and_others_only_to_come_to_grips() -> None:
    """Riflemen with an objective ignore enemies out of range; swordsmen always attack."""
    options = ("halt", "advance", "run")
    for weapons, gap, charges in ((("rifle",), 30.0, False), (("rifle",), 8.0, True), (("sword",), 30.0, True)):
        battle = scene(red(6, weapons=weapons), blue(6, y=10.0 + gap)).battle
        battle.goals = (Goal("hill", "hold", ("red",), 3, (59.0, 10.0), 2.0, due=12),)
        unit = battle.unit("red")
        seen = PositionValue(battle, unit, UnitGoals(battle, unit))
        assert (seen.free or seen.share_in_contact((20.0, 10.0 + gap), "run") > 0) is charges
        run = evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ()))[2]
        ways = [go(seen, (59.0, 10.0), "run"), *([go(seen, seen.man, "run")] if charges and seen.man else [])]
        assert run.total == max(way.total for way in ways)
