"""Melee: opponents, hits, and the choices of the players."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, Script, bare_unit, blue, red, scene

from zareba.table import Answer, Question, ScriptedTable
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.chapters.melee import Fight, MeleeFacts, fight, hits_of, pair_all
from zareba_rulesets.paychest.forces.units import Thing

KILL = ("casualty card", "head_killed")
GRAZE = ("casualty card", "arm_graze")


def duel(**settings: object) -> Scene:
    return scene(red(1), blue(1, y=11.0), **settings)  # type: ignore[arg-type]


@pytest.mark.rule("PAY-139", "PAY-143")
def test_hits_of_a_die() -> None:
    assert [hits_of(4, die) for die in range(1, 7)] == [4, 3, 2, 1, 0, 0]
    assert [hits_of(0, die) for die in (1, 6)] == [0, 0]


@pytest.mark.rule("PAY-055", "PAY-136", "PAY-138", "PAY-140", "PAY-141")
def test_hits_cancel_and_the_excess_draws_cards() -> None:
    place = duel()
    script = [("melee", "fight all"), ("melee", [2]), ("melee", [3]), GRAZE, GRAZE]
    place.play(melee_step, place.battle, place.unit("red"), script=script)
    assert place.unit("blue").hits == 2 and place.unit("red").hits == 0
    even = duel()
    even.play(
        melee_step, even.battle, even.unit("red"), script=[("melee", "fight all"), ("melee", [4]), ("melee", [3])]
    )
    assert even.unit("blue").hits == even.unit("red").hits == 0


@pytest.mark.rule("PAY-136", "PAY-061")
def test_the_phasing_side_may_decline_a_melee() -> None:
    place = duel()
    place.play(melee_step, place.battle, place.unit("red"), script=[("melee", "no melee")])
    assert place.told("melee") == []


@pytest.mark.rule("PAY-137", "PAY-145")
def test_earlier_contact_counts_and_figures_in_it_do_not_move() -> None:
    place = duel()
    for _ in range(2):
        script = [("melee", "fight all"), ("melee", [6]), ("melee", [6])]
        place.play(melee_step, place.battle, place.unit("red"), script=script)
    assert place.figure("red.1").at == (20.0, 10.0) and place.figure("blue.1").at == (20.0, 11.0)


@pytest.mark.rule("PAY-043", "PAY-044")
def test_figures_that_strike_do_a_brave_deed() -> None:
    place = duel()
    place.play(fight, place.battle, Fight(("red.1",), ("blue.1",)), script=[("melee", [6]), ("melee", [6])])
    assert place.figure("red.1").brave == place.figure("blue.1").brave == 1
    assert [event.kind for event in place.events] == ["melee", "brave deed"]
    assert place.told("brave deed")[0]["figures"] == ["red.1", "blue.1"]
    place.figure("blue.1").wounds = ("smashed_arm", "smashed_arm")
    place.play(fight, place.battle, Fight(("red.1",), ("blue.1",)), script=[("melee", [6])])
    assert (place.figure("red.1").brave, place.figure("blue.1").brave) == (2, 1)
    assert place.told("brave deed")[0]["figures"] == ["red.1"]


def trio(**settings: object) -> Scene:
    """Two red men in contact with one blue man."""
    sides = bare_unit("red", "red", [(19.0, 11.0), (21.0, 11.0)])
    return scene(sides, blue(1, y=11.0), **settings)  # type: ignore[arg-type]


@pytest.mark.rule("PAY-138")
@pytest.mark.setting("two_to_one_dice")
def test_two_men_roll_a_die_each_or_one_between_them() -> None:
    place = trio()
    place.play(fight, place.battle, Fight(("red.1", "red.2"), ("blue.1",)), script=[("melee", [4, 3]), ("melee", [1])])
    assert place.told("melee")[0]["hits"] == [3, 3]
    single = trio(two_to_one_dice="single")
    single.play(fight, single.battle, Fight(("red.1", "red.2"), ("blue.1",)), script=[("melee", [3]), ("melee", [2])])
    assert single.told("melee")[0]["hits"] == [2, 2]


@pytest.mark.rule("PAY-142")
def test_no_more_than_two_against_one_and_spare_enemies_may_join() -> None:
    assert pair_all({"a": ["x"], "b": ["x"], "c": ["x"]}, 2) == {"x": ["a", "b"]}
    assert pair_all({"a": ["x", "y"], "b": ["x"]}, 2) == {"x": ["b"], "y": ["a"]}
    foes = bare_unit("blue", "blue", [(19.0, 10.0), (21.0, 10.0)], kind="irregular", melee=3)
    place = scene(red(1), foes)
    script = [
        ("melee", "man by man"),
        ("fights", "blue.1"),
        ("joins against", "blue.2"),
        ("melee", [6]),
        ("melee", [5, 5]),
    ]
    place.play(melee_step, place.battle, place.unit("red"), script=script)
    assert place.told("melee")[0]["theirs"] == ["blue.1", "blue.2"]
    alone = [*script[:2], ("joins against", "does not fight"), ("melee", [6]), ("melee", [5])]
    place.play(melee_step, place.battle, place.unit("red"), script=alone)
    assert place.told("melee")[0]["theirs"] == ["blue.1"]


@pytest.mark.rule("PAY-142")
def test_fights_are_resolved_in_turn_without_men_who_have_fallen() -> None:
    sides = bare_unit("red", "red", [(19.0, 11.0), (21.0, 11.0), (20.0, 10.0)])
    place = scene(sides, blue(1, y=11.0))
    script: list[tuple[str, object]] = [("melee", "man by man"), ("fights next", "red.2"), ("fights", "blue.1")]
    script += [
        ("fights next", "red.1"),
        ("fights", "blue.1"),
        ("melee", [1, 6]),
        ("melee", [6]),
        KILL,
        GRAZE,
        GRAZE,
        GRAZE,
    ]
    place.play(melee_step, place.battle, place.unit("red"), script=script)
    assert place.figure("blue.1").fate == "dead" and len(place.told("melee")) == 1


@pytest.mark.rule("PAY-143", "PAY-147", "PAY-165")
@pytest.mark.setting("back_turned_melee")
def test_modifiers_of_the_melee_skill() -> None:
    from zareba_rulesets.paychest.chapters.melee import melee_facts

    place = scene(red(1, mount="horse"))
    total = place.rules.tallies["melee"].total
    assert total(melee_facts(place.battle, place.figure("red.1"))) == 4  # riding adds nothing
    assert total(MeleeFacts(4, body_wounds=1, lame=True, smashed_arm=True)) == 1
    place.figure("red.1").mark("back turned")
    assert total(melee_facts(place.battle, place.figure("red.1"))) == 2
    mild = scene(red(1), back_turned_melee=0)
    mild.figure("red.1").mark("back turned")
    assert total(melee_facts(mild.battle, mild.figure("red.1"))) == 4


@pytest.mark.rule("PAY-144")
@pytest.mark.setting("melee_excess_spread")
def test_which_of_two_men_is_hit() -> None:
    random = trio()
    script = [("melee", [6, 6]), ("melee", [2]), ("which man is hit", [2, 1]), GRAZE, GRAZE]
    random.play(fight, random.battle, Fight(("red.1", "red.2"), ("blue.1",)), script=script)
    assert [d["figure"] for d in random.told("casualty")] == ["red.2", "red.1"]
    chosen = trio(melee_excess_spread="winner")
    script = [("melee", [6, 6]), ("melee", [3]), ("which man is hit", "red.2"), GRAZE]
    chosen.play(fight, chosen.battle, Fight(("red.1", "red.2"), ("blue.1",)), script=script)
    assert [d["figure"] for d in chosen.told("casualty")] == ["red.2"]


@pytest.mark.rule("PAY-146", "PAY-121")
def test_helpless_men_neither_fight_nor_are_fought() -> None:
    place = duel()
    place.figure("blue.1").fate = "unconscious"
    place.unit("blue").measure()
    place.play(melee_step, place.battle, place.unit("red"))  # no contact, no question
    maimed = duel()
    maimed.figure("blue.1").wounds = ("smashed_arm", "smashed_arm")
    maimed.play(fight, maimed.battle, Fight(("red.1",), ("blue.1",)), script=[("melee", [6])])
    assert maimed.figure("blue.1").brave == 0


@pytest.mark.rule("PAY-073", "PAY-074")
def test_fighting_figure_drops_heavy_loads_and_keeps_light_ones() -> None:
    things = {
        "chest": Thing("paychest", "c", "", None, heavy=True, carrier="red.1"),
        "flag": Thing("light", "f", "", None, carrier="red.1"),
    }
    place = scene(bare_unit("red", "red", [(20.0, 10.0)]), bare_unit("blue", "blue", [(20.0, 11.0)]), things=things)
    place.figure("red.1").loads = ("chest", "flag")
    place.play(fight, place.battle, Fight(("red.1",), ("blue.1",)), script=[("melee", [6]), ("melee", [6])])
    assert place.figure("red.1").loads == ("flag",)
    assert place.battle.things["chest"].at == (20.0, 10.0) and place.battle.things["flag"].at is None


@pytest.mark.rule("PAY-142")
def test_an_enemy_who_has_a_fight_of_his_own_joins_no_other() -> None:
    place = scene(
        bare_unit("red", "red", [(20.0, 10.0), (22.0, 10.0)]), bare_unit("blue", "blue", [(19.3, 10.7), (21.0, 10.0)])
    )
    script: list[tuple[str, object]] = [("melee", "fight all"), *[("melee", [6])] * 4]  # no question about joining
    place.play(melee_step, place.battle, place.unit("red"), script=script)
    fights = [(told["ours"], told["theirs"]) for told in place.told("melee")]
    assert fights == [(["red.2"], ["blue.2"]), (["red.1"], ["blue.1"])]


def pair(**settings: Any) -> Scene:
    return scene(bare_unit("red", "red", [(19.0, 11.0), (21.0, 11.0), (30.0, 11.0)], leader="sergeant"),
                 bare_unit("blue", "blue", [(20.0, 11.0), (30.0, 12.0)], leader="sergeant", melee=3), **settings)  # fmt: skip


@pytest.mark.rule("PAY-142")
def test_the_phasing_player_orders_the_fights() -> None:
    for order in (("red.1", "red.3"), ("red.3", "red.1")):
        place = pair()
        script: list[Script] = [("melee", "man by man")]
        for man in order:
            script += [("fights next", man), *([("fights", "blue.1")] if man == "red.1" else [("fights", "blue.2")])]
        script += [("fights", "does not fight")]  # the third man
        script += [("melee", [6]), ("melee", [6])] * 2
        place.play(melee_step, place.battle, place.unit("red"), script=script)
        assert [told["ours"] for told in place.told("melee")] == [[man] for man in order]


@pytest.mark.rule("PAY-142", "PAY-063")
def test_figure_that_ran_leaves_its_comrade_to_fight_alone() -> None:
    place = pair()
    script: list[Script] = [("melee", "man by man"), ("fights next", "red.3"), ("fights", "blue.2")]
    script += [("fights next", "red.1"), ("fights", "blue.1"), ("fights", "blue.1")]
    place.unit("red").leader = "red.3"  # he falls; the unit holds, and red.2 runs before fighting
    script += [("melee", [6]), ("melee", [3]), ("casualty card", "head_killed"), ("loss of leader", [1, 1])]
    script += [("second morale roll", [5]), ("stand or run", [6]), ("stand or run", [1]), ("forced move", [4])]
    script += [("melee", [6]), ("melee", [6])]
    place.play(melee_step, place.battle, place.unit("red"), script=script)
    assert place.told("melee")[1]["ours"] == ["red.1"]


class Listening(ScriptedTable):
    """A scripted table that records the question and the seat of each choice."""

    def __init__(self, place: Scene, script: list[Script]) -> None:
        super().__init__(place.rules, place.battle, script)
        self.asked: list[tuple[str, str | None]] = []

    def answer(self, question: Question) -> Answer:
        self.asked.append((question.why, getattr(question, "seat", None)))
        return super().answer(question)


def asked_in(place: Scene, rule: Any, *args: Any, script: list[Script]) -> list[tuple[str, str | None]]:
    table = Listening(place, script)
    with table:
        rule(table, place.battle, *args)
    return table.asked


@pytest.mark.rule("PAY-142")
def test_the_owner_of_a_spare_man_says_whether_he_joins() -> None:
    foes = bare_unit("blue", "blue", [(19.0, 10.0), (21.0, 10.0)], melee=3)
    place = scene(red(1), foes)
    script: list[Script] = [("melee", "man by man"), ("fights", "blue.1"), ("joins against", "blue.2")]
    asked = asked_in(place, melee_step, place.unit("red"), script=[*script, ("melee", [6]), ("melee", [5, 5])])
    assert asked[:3] == [("melee", "red"), ("fights", "red"), ("joins against", "blue")]


@pytest.mark.rule("PAY-144")
@pytest.mark.setting("melee_excess_spread")
def test_winner_chooses_which_man_is_hit() -> None:
    place = scene(bare_unit("red", "red", [(19.0, 11.0), (21.0, 11.0)]), blue(1, y=11.0), melee_excess_spread="winner")
    script: list[Script] = [
        ("melee", [6, 6]),
        ("melee", [3]),
        ("which man is hit", "red.2"),
        ("casualty card", "arm_graze"),
    ]
    asked = asked_in(place, fight, Fight(("red.1", "red.2"), ("blue.1",)), script=script)
    assert ("which man is hit", "blue") in asked


@pytest.mark.rule("PAY-142")
def test_pairing_allows_no_two_against_two_and_no_second_fight() -> None:
    ours = bare_unit("red", "red", [(19.2, 10.4), (19.2, 11.6)])
    theirs = bare_unit("blue", "blue", [(20.0, 11.0), (20.1, 9.9)])
    place = scene(ours, theirs)
    script: list[Script] = [
        ("melee", "man by man"),
        ("fights next", "red.1"),
        ("fights", "blue.1"),
        ("fights", "blue.1"),
    ]
    place.play(
        melee_step, place.battle, ours, script=[*script, ("melee", [6, 6]), ("melee", [6])]
    )  # no question about blue.2
    assert place.told("melee")[0]["theirs"] == ["blue.1"]
    file = bare_unit("red", "red", [(20.0, 10.0), (21.2, 10.0)])
    spare = bare_unit("blue", "blue", [(20.0, 9.0), (21.2, 9.0), (20.6, 10.83)])
    both = scene(file, spare)
    script = [("melee", "man by man"), ("fights next", "red.1"), ("fights", "blue.1"), ("fights", "blue.2")]
    script += [("joins against", "blue.3"), ("melee", [6]), ("melee", [6, 6]), ("melee", [6]), ("melee", [6])]
    both.play(melee_step, both.battle, file, script=script)
    assert [told["theirs"] for told in both.told("melee")] == [["blue.1", "blue.3"], ["blue.2"]]


@pytest.mark.rule("PAY-138")
@pytest.mark.setting("two_to_one_dice")
def test_the_one_die_of_two_men_is_thrown_against_the_better_skill() -> None:
    unit = bare_unit("red", "red", [(19.0, 11.0), (21.0, 11.0)], melee=2)
    unit.figures["red.2"] = bare_unit("red", "red", [(0, 0), (21.0, 11.0)], melee=5).figures["red.2"]
    place = scene(unit, blue(1, y=11.0), two_to_one_dice="single")
    place.play(fight, place.battle, Fight(("red.1", "red.2"), ("blue.1",)), script=[("melee", [5]), ("melee", [3])])
    assert place.told("melee")[0]["hits"] == [1, 1]
