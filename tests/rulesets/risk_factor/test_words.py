"""Texts for people: every act of a solo side with its reasons, and costs shown before points are spent."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import battle_of, leader, line, met, row, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.chance import SUM
from zareba.cli.prompt.render import acts_in_words
from zareba.rules import load_catalogue
from zareba.session import Answered
from zareba.table import Choose, Event, Roll, SeededTable
from zareba.web.seat.explanations import numbers_in_words
from zareba_rulesets.risk_factor.chapters.action_throws import action_throws
from zareba_rulesets.risk_factor.chapters.casualties import DamageFacts
from zareba_rulesets.risk_factor.presentation.words import event_sentence, option_phrase

NAMES = {"a": "Spears", "b": "Rifles", "red": "The impi", "blue": "The post"}


def sentence(kind: str, **data: Any) -> str:
    return event_sentence(rules_with(), NAMES, Event(kind, "RSK-000", data))


@pytest.mark.rule("RSK-125", "RSK-127")
def test_an_action_throw_is_reported_with_its_lines_its_die_and_its_result() -> None:
    data = {
        "unit": "a", "risk": 3, "die": 4, "result": "advance", "table": "melee", "platoon": "", "doing": "march",
    }  # fmt: skip
    told = sentence("action", because={"casualties": 2, "in_range": True}, **data)
    assert told == (
        "Spears: advance; it threw 4 on the Action table for melee troops with Risk Factor 3 (+1: in range of an enemy in "
        "clear sight; +2: losses, 1 for each tenth of its figures)"
    )
    assert "+" not in sentence("action", because={}, **data | {"risk": 0})
    going_on = sentence("action", because={}, **data | {"result": "continue"})
    assert going_on.startswith("Spears: go on as before (marching); it threw 4 on ")


@pytest.mark.rule("RSK-128", "RSK-129")
def test_an_action_throw_says_whether_the_unit_may_follow_its_orders() -> None:
    data = {"unit": "a", "risk": 3, "die": 4, "table": "melee", "platoon": "", "doing": "march", "because": {}}
    free, bound = (
        sentence("action", result=result, orders=orders, **data)
        for result, orders in (("advance", "free"), ("retreat", "bound"))
    )
    assert free.startswith("Spears: advance, but it may follow its orders instead; it threw 4 on ")
    assert bound.startswith("Spears: retreat, in spite of its orders; it threw 4 on ")


@pytest.mark.rule("RSK-128", "RSK-144")
@pytest.mark.parametrize(("marks", "orders"), [((), ["", ""]), (("commanded",), ["bound", "free"])])
def test_an_action_throw_reports_whether_the_result_binds_the_unit(marks: tuple[str, ...], orders: list[str]) -> None:
    told = []
    for face in (1, 4):  # retreat, which is not blue, and advance, which is
        field = scene(
            troops("a", "red", (50, 50), status="steady", action="halt", superior_quality=False, hurt=4),
            troops("e", "blue", (50, 180), weapon="rifle"),
        )
        for mark in marks:
            field["a"].mark(mark)
        with field.script(("action", [face])) as table:
            action_throws(table, field.battle)
        told += [event.data["orders"] for event in table.events if event.kind == "action"]
    assert told == orders


@pytest.mark.rule("RSK-125", "RSK-147")
def test_a_platoons_throw_is_reported_with_its_lines_and_its_squads_follow() -> None:
    data = {"platoon": "a", "risk": 3, "die": 4, "result": "advance", "table": "missile", "shared": True}
    told = sentence("platoon action", because={"casualties": 2, "in_range": True}, **data)
    assert told == (
        "the platoon Spears: advance; it threw 4 on the Action table for missile troops with Risk Factor 3 (+1: in range "
        "of an enemy in clear sight; +2: losses, 1 for each tenth of its figures)"
    )
    alone = sentence("platoon action", because={}, **data | {"result": "retreat", "shared": False})
    assert alone.startswith("the platoon Spears: retreat, so each squad throws for itself; it threw 4 on ")
    squad = data | {"unit": "b", "platoon": "a", "because": {}, "result": "continue", "doing": "halt"}
    assert sentence("action", **squad) == "Rifles (by its platoon's throw): go on as before (halted)"


@pytest.mark.rule("RSK-113", "RSK-190")
def test_reported_lines_of_a_solo_side_add_up_to_its_risk_factor() -> None:
    of, told = game(solo=("red", "blue")), 0
    for seed in (5, 6, 7):
        state = of.start()
        table = SeededTable(of.rules, state, seed, {})
        while (step := of.play.next_step(state)) is not None:
            table.begin(step)
            of.play.perform(table, state, step)
            for event in table.events:
                if event.kind in ("action", "platoon action") and not (
                    event.kind == "action" and event.data["platoon"]
                ):
                    said = of.narrator.describe_event(event)
                    lines = re.search(r"Risk Factor -?\d+ \((.*)\)$", said)
                    changes = [int(line.partition(":")[0]) for line in lines[1].split("; ")] if lines else []
                    assert sum(changes) == event.data["risk"], said
                    told += 1
    assert told > 15


@pytest.mark.rule("RSK-177", "RSK-178")
def test_a_melee_is_reported_with_the_casualties_of_both_sides_and_who_goes_back() -> None:
    one = sentence("melee", units=["a", "b"], suffered={"red": 1, "blue": 3}, back=["blue"])
    assert one == "melee of Spears and Rifles: 1 casualty of the impi, 3 casualties of the post; the post fell back"
    assert sentence("melee", units=["a", "b"], suffered={"red": 1, "blue": 1}, back=["red", "blue"]).endswith(
        "both sides fell back"
    )


@pytest.mark.rule("RSK-038", "RSK-078")
@pytest.mark.parametrize(
    ("bearing", "wind"), [(0, "north"), (12, "north-north-east"), (225, "south-west"), (348, "north-north-west"), (349, "north"), (360, "north")]
)  # fmt: skip
def test_a_move_is_reported_with_its_length_and_the_way_it_went(bearing: int, wind: str) -> None:
    assert sentence("move", unit="a", cm=20.7, bearing=bearing) == f"Spears moved 21 cm {wind}"
    assert sentence("move", unit="a", cm=0.3, bearing=bearing) == f"Spears moved less than 1 cm {wind}"


@pytest.mark.rule("RSK-162")
def test_charge_report_names_the_enemy_met_or_the_gap_left() -> None:
    charge = {"unit": "a", "target": "b", "left": 0.0}
    assert sentence("charge", contact=3, met=["b"], **charge) == "Spears charged Rifles: 3 figures in contact"
    assert sentence("charge", contact=1, met=["red"], **charge).endswith(": 1 figure in contact with The impi")
    both = sentence("charge", contact=4, met=["b", "red"], **charge)
    assert both.endswith(": 4 figures in contact with Rifles, The impi")
    short = sentence("charge", contact=0, met=[], **charge | {"left": 3.2})
    assert short == "Spears charged Rifles: no contact, stopped 3 cm short"


@pytest.mark.rule("RSK-098", "RSK-100", "RSK-109")
def test_volley_report_gives_wounds_and_kills_or_grazes() -> None:
    volley = {"unit": "b", "target": "a", "cover": "soft", "shots": 5}
    told = sentence("shooting", hits=4, wounds=2, kills=1, **volley)
    assert told == "Rifles shot at Spears in soft cover: 5 shots, 4 hits (2 wounds, 1 kill)"
    assert sentence("shooting", hits=2, wounds=0, kills=0, **volley).endswith("5 shots, 2 hits (only grazes)")
    assert sentence("shooting", hits=1, wounds=0, kills=0, **volley).endswith("5 shots, 1 hit (a graze)")
    assert sentence("shooting", hits=0, wounds=0, kills=0, **volley).endswith("5 shots, no hits")


@pytest.mark.rule("RSK-173", "RSK-174")
@pytest.mark.parametrize(("hurt", "die", "fate"), [(0, 5, "wounded"), (0, 6, "killed"), (1, 5, "killed")])
def test_every_blow_of_a_melee_is_reported_with_both_men_and_what_became_of_the_beaten(
    hurt: int, die: int, fate: str
) -> None:
    field = met(reds=1, blues=1, blue_hurt=hurt, red_close="lance")
    dies = hurt or die == 6
    events = battle_of(field, ("melee", [die, 2]), *([] if dies else [("follow up", False)]))
    told = [event_sentence(rules_with(), NAMES, event) for event in events if event.kind == "blow"]
    assert told == [f"man 1 of A (die {die}, score {die + 1}) beat man 1 of B (score 2): {fate}"]


@pytest.mark.rule("RSK-141")
@pytest.mark.parametrize("dead", [5, 6])
def test_log_reports_units_that_stay_in_cover_instead_of_retreating(dead: int) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(10 - dead, 51), dead=dead),
        leader("nco", "red", (55, 45), rank="nco"),
        troops("e", "blue", (60, 120), 5, weapon="rifle"),
        terrain=[line("wall", "works", (0, 54), (200, 54))],
        solo=["red"],
    )
    with field.script(("action", [1])) as table:
        action_throws(table, field.battle)
    told = [event_sentence(rules_with(), NAMES, e) for e in table.events if e.kind == "stays in cover"]
    assert told == ([] if dead > 5 else ["Spears stayed in cover"])


@pytest.mark.rule("RSK-185", "RSK-188", "RSK-189")
def test_log_reports_where_men_and_markers_end() -> None:
    at = (95.4, 60.0)
    assert sentence("arrived", unit="a", at=at) == "Spears arrived at 95, 60"
    assert sentence("marker moved", marker="marker 2", at=at) == "marker 2 moved to 95, 60"
    assert sentence("placed", unit="a", at=at, bearing=180) == "Spears deployed at 95, 60, facing south"


@pytest.mark.rule("RSK-055", "RSK-060")
def test_a_link_is_offered_with_the_distance_from_him_who_passes_the_orders_on() -> None:
    field = scene(
        leader("pc", "red", (100, 60), marks=["linked"]),
        leader("nco", "red", (100, 100), "nco", marks=["linked"]),
        leader("far", "red", (100, 140), "nco"),
        commanders=["pc"],
    )
    field.battle.linked, field.battle.pools = {"pc": "pc", "nco": "pc"}, {"pc": 20}
    question = Choose("command", "RSK-037", "pc", "red", ("stop",), (20,))
    assert option_phrase(field.battle, question, ("link", "far")).endswith("(veteran, 38 cm away from Nco)")
    field["far"].body = field["far"].body.moved_by(0, -60)
    assert option_phrase(field.battle, question, ("link", "far")).endswith("(veteran, 18 cm away)")


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
    field["chief"].body = field["chief"].body.moved_by(40, 10)
    assert "for 1 point (" in option_phrase(field.battle, question, ("link", "headman"))


@pytest.mark.rule("RSK-035", "RSK-087")
def test_weapons_and_the_men_one_may_pick_are_reported_by_name() -> None:
    field = scene(leader("pc", "red", (50, 40)), troops("s", "blue", (0, 0), at=[(50, 60), (54, 60)], hurt=1))
    arms = Choose("shoot with", "RSK-035", "pc", "red", ("rifled_carbine", "spear"), ())
    assert [option_phrase(field.battle, arms, arm) for arm in arms.options] == [
        "rifled carbine, to 140 cm",
        "spear, to 24 cm",
    ]
    men = Choose("pick a man", "RSK-087", "pc", "red", (0, 1), ("s",))
    told = [option_phrase(field.battle, men, man) for man in men.options]
    assert told == ["man 1 of S, unhurt, 20 cm away", "man 2 of S, wounded, 20 cm away"]


@pytest.mark.rule("RSK-174")
def test_winner_learns_which_beaten_men_are_wounded() -> None:
    field = scene(troops("a", "red", (100, 80), 4), troops("s", "blue", (100, 90), 4, hurt=1))
    question = Choose("strike whom", "RSK-174", "a", "red", (("s", 0), ("s", 3)), ())
    told = [option_phrase(field.battle, question, option) for option in question.options]
    assert told == ["man 1 of S, unhurt", "man 4 of S, wounded"]


@pytest.mark.rule("RSK-159")
def test_captors_learn_how_many_prisoners_they_may_kill() -> None:
    field = scene(troops("a", "red", (100, 80), 4))
    question = Choose("kill prisoners", "RSK-159", "a", "red", (0, 1, 2), ())
    told = [option_phrase(field.battle, question, option) for option in question.options]
    assert told == ["none: they are spared", "1: up to 2 die", "2: up to 4 die"]


@pytest.mark.rule("RSK-145", "RSK-156")
def test_men_gone_over_the_edge_or_captured_are_reported_once() -> None:
    """Their loss event has no text if another event already reports their fate."""
    gone = {"unit": "a", "left": 3}
    assert sentence("over the edge", count=7, **gone) == "Spears: 7 figures went off the table, 3 left"
    assert sentence("captured", captor="b", count=7, **gone) == "Rifles took 7 prisoners from Spears, 3 left"
    assert sentence("loss", side="red", lost=7, cause="morale", **gone) == ""
    assert sentence("loss", side="red", lost=7, cause="fire", **gone) == "Spears lost 7 figures, 3 left"
    assert sentence("captured", unit="a", captor="b", count=1, left=0) == "Rifles took 1 prisoner from Spears"


def test_a_leader_falls_and_does_not_lose_a_figure() -> None:
    of = game(leaders="strickland: {name: Major Strickland, side: red, rank: officer, unit: rifles}")

    def lost(unit: str, cause: str) -> Event:
        return Event("loss", "RSK-112", {"unit": unit, "side": "red", "lost": 1, "left": 0, "cause": cause})

    nco = next(name for name, spec in of.plan.specs.items() if spec.leader and name != "strickland")
    squad = next(name for name, spec in of.plan.specs.items() if not spec.leader)
    told = acts_in_words(of, [[lost("strickland", "fire"), lost(nco, "fire"), lost(squad, "fire")]])
    name_of = of.narrator.name_of
    assert told == [f"Major Strickland fell; {name_of(nco)} fell; {name_of(squad)} lost 1 figure"]
    assert acts_in_words(of, [[lost("strickland", "morale")]]) == []  # "taken prisoner" is an event of its own


@pytest.mark.rule("RSK-100", "RSK-102")
def test_why_leaves_out_the_rows_of_the_damage_chart_unless_the_shooters_change_them() -> None:
    rules = rules_with()
    shot = Answered(Roll("shooting", "RSK-098", "", 1, 8, SUM), 5)
    of, told = game(), {}
    viewer: Any = SimpleNamespace(
        open=SimpleNamespace(game=of, session=SimpleNamespace(state=of.start())), visible=lambda state: state
    )
    for shooter in ("veteran", "raw"):
        chart = [rules.tally("damage_die", DamageFacts(face, shooter)) for face in range(1, 7)]
        told[shooter] = [len(group["tallies"]) for group in numbers_in_words(viewer, [shot, *chart])]
    assert told == {"veteran": [0], "raw": [0, 6]}


@pytest.mark.rule("RSK-050", "RSK-051", "RSK-052")
def test_rule_of_command_dice_names_the_dice_of_each_class() -> None:
    rule = load_catalogue(*rules_with().ruleset.folders).rules["RSK-050"]
    assert all(name in rule.reading for name in ("Veteran rolls three", "Raw leader two"))


@pytest.mark.rule("RSK-069")
def test_headline_says_that_nobody_commands_once_the_captain_has_fallen() -> None:
    of = game()
    state = of.start()
    assert "nobody gives orders" not in of.display.board(state).headline
    state.active = state.order.index("red")
    del state.commanders["captain"]
    state.gone["captain"] = "killed"
    assert " · Red · nobody gives orders · " in of.display.board(state).headline
    state.active = state.order.index("blue")
    assert "nobody gives orders" not in of.display.board(state).headline
