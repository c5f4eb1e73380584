"""Every question is put in words and every option has a worth; a commander with sense beats chance."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import blue, game, red, scene

from zareba.agents import make_agent
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.paychest.appraisal import appraise
from zareba_rulesets.paychest.game import PaychestGame


def played(name: str, kinds: tuple[str, str], seed: int) -> tuple[PaychestGame, Any, set[str]]:
    """A whole game of two agents; every question is described and appraised on the way."""
    match = game(name)
    state = match.start()
    asked: set[str] = set()

    def watched(seat: str, kind: str) -> Any:
        agent = make_agent(kind, match, seat, seed)

        def answer(question: Choose | Place | Confirm, battle: Any) -> Any:
            asked.add(question.why)
            assert match.describe(battle, question).endswith("?")
            worths = match.appraise(battle, question)
            if isinstance(question, Choose):
                assert len(worths) == len(question.options)
                assert all(match.describe_option(battle, question, option) for option in question.options)
            else:
                assert len(worths) == (2 if isinstance(question, Confirm) else len(question.suggestions))
            reasons = [worth.reason() if callable(worth.reason) else worth.reason for worth in worths]
            assert all(len(reason) <= 80 for reason in reasons)
            assert all(any(sign.isdigit() for sign in reason) for reason in reasons), (question.why, reasons)
            return agent(question, battle)

        return answer

    table = SeededTable(match.rules, state, seed, {s: watched(s, k) for s, k in zip(match.seats, kinds, strict=True)})
    while (step := match.next_step(state)) is not None:
        table.begin(step)
        match.perform(table, state, step)
    return match, state, asked


@pytest.mark.parametrize("name", ["patrol_clash", "river_ford"])
def test_questions_are_put_in_words_and_appraised(name: str) -> None:
    _, _, asked = played(name, ("random", "random"), 5)
    assert {"move", "move to", "fire", "volley at", "melee", "handle"} <= asked


def test_sense_beats_chance() -> None:
    match, state, _ = played("mission_station", ("doctrine", "random"), 1)
    assert match.outcome(state).winner == "british"
    match, state, _ = played("mission_station", ("random", "doctrine"), 1)
    assert match.outcome(state).winner == "zulu"


def test_two_on_one_is_what_doctrine_looks_for() -> None:
    """By every throw of the dice: two men of skill 4 against one deal as much as two fights and suffer a quarter."""
    from itertools import product

    from zareba_rulesets.paychest.appraisal.fighting import doubled
    from zareba_rulesets.paychest.appraisal.outlook import OUT, exchange

    excess = [max(0, 5 - a) + max(0, 5 - b) - max(0, 5 - c) for a, b, c in product(range(1, 7), repeat=3)]
    dealt = sum(1 - (1 - OUT) ** hits for hits in excess if hits > 0) / 216
    assert exchange((4, 4), 4)[0] == pytest.approx(dealt)
    alone, pair = exchange((4,), 4), exchange((4, 4), 4)
    assert pair[0] > 1.9 * alone[0] and pair[1] < 0.6 * alone[1]
    reach = {"a.1": ["b.1"], "a.2": ["b.1", "b.2"], "a.3": ["b.2"]}
    assert doubled(reach) == {"b.2": ["a.2", "a.3"], "b.1": ["a.1"]}


def test_one_unit_keeps_what_is_held_and_the_others_go_on() -> None:
    from zareba_rulesets.paychest.goals import purpose_of

    match = game("patrol_clash")
    battle = match.start()
    for number, name in enumerate(("fusiliers", "sikhs")):
        unit = battle.unit(name)
        for place, figure in enumerate(unit.figures.values()):
            figure.at = (22.0 + place % 6, 16.0 + number * 3 + place // 6)
        unit.measure()
    kept = [purpose_of(battle, battle.unit(name)) for name in ("fusiliers", "sikhs")]
    goals = {goal.id: goal for goal in battle.goals}
    assert sorted(goal.id for goal in goals.values() for one in kept if one and one.at == goal.at) == [
        "knoll_held", "village_held",
    ]  # fmt: skip
    band = battle.unit("swordsmen")
    for figure in band.figures.values():
        figure.at = (24.0, 24.0)
    band.measure()
    disputed = [purpose_of(battle, battle.unit(name)) for name in ("fusiliers", "sikhs")]
    assert all(one is not None and one.at == goals["village_held"].at for one in disputed)


def test_a_leader_leaves_an_even_fight_to_his_men() -> None:
    place = scene(red(12, leader="corporal"), blue(1, y=11.0, melee=4))
    for man, fights in (("red.1", False), ("red.2", True)):
        foe = place.figure("blue.1")
        foe.at = (place.figure(man).at or (0.0, 0.0))[0], 11.0
        place.unit("blue").measure()
        question = Choose("fights", "PAY-142", man, "red", ("blue.1", "does not fight"), ())
        worths = appraise(place.battle, question)
        assert (worths[0].inflicts > worths[1].inflicts) is fights, man


def test_fire_is_worth_the_sum_of_the_shots_at_every_range() -> None:
    """Three rifles of two skills and a pistol, against the chances of single shots added up."""
    from zareba_rulesets.paychest.appraisal.outlook import OUT, SHARE, fire_worth, hit_chance

    battle = scene(red(1), blue(1)).battle
    arms = {("rifle", 4, 2): 2, ("rifle", 3, 1): 1, ("pistol", 4, 2): 1}
    for gait in ("halt", "advance", "run"):
        for inches in (0.0, 5.0, 6.0, 8.0, 9.0, 12.5, 20.0, 30.0, 36.0, 60.0):
            hits = [
                men * shots * hit_chance(battle, skill, weapon, inches, gait)
                for (weapon, skill, shots), men in arms.items()
            ]
            assert fire_worth(battle, arms, inches, gait) == pytest.approx(sum(hits) * OUT / SHARE), (gait, inches)
    assert fire_worth(battle, {}, 5.0, "halt") == 0.0


def test_what_is_known_of_the_enemy_is_asked_anew_for_every_question() -> None:
    from zareba_rulesets.paychest.appraisal.outlook import Survey

    place = scene(red(1), blue(4))
    before = Survey(place.battle, "red")
    armed, danger = dict(before.arms(place.unit("blue"))), before.danger((20.0, 10.0))
    assert armed == {("rifle", 3, 1): 4} and danger > 0
    for name in ("blue.1", "blue.2"):
        place.figure(name).weapons = ("knife",)
    after = Survey(place.battle, "red")
    assert after.arms(place.unit("blue")) == {("rifle", 3, 1): 2}
    assert after.danger((20.0, 10.0)) == pytest.approx(danger / 2)
    assert [enemy.spec.id for _, enemy in after.visible((20.0, 10.0), 36.0)] == ["blue"]
    assert after.visible((20.0, 10.0), 5.0) == []
