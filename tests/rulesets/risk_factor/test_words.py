"""What people read: every act of a side that the tables run, with its reasons, and prices before points are spent."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import leader, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.table import Choose, Event, SeededTable
from zareba_rulesets.risk_factor.words import event_sentence, option_phrase

NAMES = {"a": "Spears", "b": "Rifles", "red": "The impi", "blue": "The post"}


def sentence(kind: str, **data: Any) -> str:
    return event_sentence(rules_with(), NAMES, Event(kind, "RSK-000", data))


@pytest.mark.rule("RSK-125", "RSK-127")
def test_an_action_throw_is_told_with_its_lines_its_die_and_its_result() -> None:
    data = {
        "unit": "a", "risk": 3, "die": 4, "result": "advance", "table": "melee", "platoon": "", "doing": "march",
    }  # fmt: skip
    told = sentence("action", because={"casualties": 2, "in_range": True}, **data)
    assert told == (
        "Spears: Risk Factor 3 (+1 an enemy in clear sight whose weapons reach it, +2 tenths wounded or killed), "
        "die 4 for close combat: advance"
    )
    assert "+" not in sentence("action", because={}, **data | {"risk": 0})
    assert sentence("action", because={}, **data | {"result": "continue"}).endswith(": as before, march")


@pytest.mark.rule("RSK-125", "RSK-147")
def test_a_platoons_throw_is_told_with_its_lines_and_its_squads_follow() -> None:
    data = {"platoon": "a", "risk": 3, "die": 4, "result": "advance", "table": "missile"}
    told = sentence("platoon action", because={"casualties": 2, "in_range": True}, **data)
    assert told == (
        "the platoon Spears threw as one: Risk Factor 3 (+1 an enemy in clear sight whose weapons reach it, "
        "+2 tenths wounded or killed), die 4 for missile troops: advance"
    )
    squad = data | {"unit": "b", "platoon": "a", "because": {}, "result": "continue", "doing": "halt"}
    assert sentence("action", **squad) == "Rifles, with its platoon: as before, halt"


@pytest.mark.rule("RSK-113", "RSK-190")
def test_the_lines_told_of_a_solo_side_add_up_to_the_risk_factor_it_threw_on() -> None:
    of, told = game(solo=("red", "blue")), 0
    for seed in (5, 6, 7):
        state = of.start()
        table = SeededTable(of.rules, state, seed, {})
        while (step := of.next_step(state)) is not None:
            table.begin(step)
            of.perform(table, state, step)
            for event in table.events:
                if event.kind in ("action", "platoon action") and not (
                    event.kind == "action" and event.data["platoon"]
                ):
                    said = of.describe_event(event)
                    lines = said.partition("(")[2].partition(")")[0]
                    changes = [int(line.split()[0]) for line in lines.split(", ")] if lines else []
                    assert sum(changes) == event.data["risk"], said
                    told += 1
    assert told > 15


@pytest.mark.rule("RSK-177", "RSK-178")
def test_a_melee_is_told_with_the_casualties_of_both_sides_and_who_goes_back() -> None:
    one = sentence("melee", units=["a", "b"], suffered={"red": 1, "blue": 3}, back=["blue"])
    assert one == "melee of Spears, Rifles: The impi 1 casualty, The post 3 casualties; The post went back"
    assert sentence("melee", units=["a", "b"], suffered={"red": 1, "blue": 1}, back=["red", "blue"]).endswith(
        "both sides went back"
    )


@pytest.mark.rule("RSK-056", "RSK-057", "RSK-061")
def test_prices_are_named_before_points_are_spent() -> None:
    field = scene(
        leader("pc", "red", (100, 60), marks=["linked"]),
        leader("nco", "red", (101, 76), "nco"),
        troops("a", "red", (100, 80), 7),
        troops("s", "red", (130, 60), 7, people="native"),
        commanders=["pc"],
    )
    field.battle.linked, field.battle.pools = {"pc": "pc"}, {"pc": 20}
    question = Choose("command", "RSK-037", "pc", "red", ("stop",), (20,))
    assert "for 7 points" in option_phrase(field.battle, question, ("command", "a"))
    assert "for 14 points" in option_phrase(field.battle, question, ("command", "s"))
    assert "for 1 point (" in option_phrase(field.battle, question, ("link", "nco"))


@pytest.mark.rule("RSK-061", "RSK-063")
def test_the_price_of_a_link_is_that_of_a_leader_in_reach() -> None:
    """The headman would follow his own chief for one point, but only the European is near him."""
    field = scene(
        leader("pc", "red", (100, 60), marks=["linked"]),
        leader("chief", "red", (60, 60), "chief", people="native"),
        leader("headman", "red", (140, 60), "headman", people="native"),
        commanders=["pc"],
    )
    field.battle.linked, field.battle.pools = {"pc": "pc", "chief": "pc"}, {"pc": 20}
    question = Choose("command", "RSK-037", "pc", "red", ("stop",), (20,))
    assert "for 2 points (" in option_phrase(field.battle, question, ("link", "headman"))
    field["chief"].body = field["chief"].body.shifted(40, 10)
    assert "for 1 point (" in option_phrase(field.battle, question, ("link", "headman"))


@pytest.mark.rule("RSK-035", "RSK-087")
def test_weapons_and_the_men_one_may_pick_are_told_by_name() -> None:
    field = scene(leader("pc", "red", (50, 40)), troops("s", "blue", (0, 0), at=[(50, 60), (54, 60)], hurt=1))
    arms = Choose("shoot with", "RSK-035", "pc", "red", ("rifled_carbine", "spear"), ())
    assert [option_phrase(field.battle, arms, arm) for arm in arms.options] == [
        "rifled carbine, to 140 cm",
        "spear, to 24 cm",
    ]
    men = Choose("pick a man", "RSK-087", "pc", "red", (0, 1), ("s",))
    told = [option_phrase(field.battle, men, man) for man in men.options]
    assert told == ["man 1 of S, unhurt, at 50, 60", "man 2 of S, wounded, at 54, 60"]


@pytest.mark.rule("RSK-174")
def test_a_winner_is_told_whom_of_the_beaten_is_wounded() -> None:
    field = scene(troops("a", "red", (100, 80), 4), troops("s", "blue", (100, 90), 4, hurt=1))
    question = Choose("strike whom", "RSK-174", "a", "red", (("s", 0), ("s", 3)), ())
    told = [option_phrase(field.battle, question, option) for option in question.options]
    assert told == ["man 1 of S, unhurt", "man 4 of S, wounded"]


@pytest.mark.rule("RSK-159")
def test_captors_are_told_how_many_may_die() -> None:
    field = scene(troops("a", "red", (100, 80), 4))
    question = Choose("kill prisoners", "RSK-159", "a", "red", (0, 1, 2), ())
    told = [option_phrase(field.battle, question, option) for option in question.options]
    assert told == ["none: they are spared", "1: up to 2 die", "2: up to 4 die"]


@pytest.mark.rule("RSK-145", "RSK-156")
def test_men_gone_over_the_edge_or_captured_are_told_once() -> None:
    """Their loss is counted in an event of its own, which says nothing when another tells what became of them."""
    gone = {"unit": "a", "left": 3}
    assert sentence("over the edge", count=7, **gone) == "Spears: 7 gone over the edge of the table, 3 left"
    assert sentence("captured", captor="b", count=7, **gone) == "Rifles took 7 prisoners of Spears, 3 left"
    assert sentence("loss", side="red", lost=7, cause="morale", **gone) == ""
    assert sentence("loss", side="red", lost=7, cause="fire", **gone) == "Spears lost 7, 3 left"
    assert sentence("captured", unit="a", captor="b", count=1, left=0) == "Rifles took 1 prisoner of Spears"
