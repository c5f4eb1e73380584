"""The log and the board show each act and its target, the number of men, and the reasons for the result."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import Battle, battery, battle, field, house, man, rules_with, scripted, squad

from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import Choose, Event, Table
from zareba_rulesets.fixed_baynet.actions.activation import end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.artillery import fire_indirect, roll_deviation
from zareba_rulesets.fixed_baynet.chapters.machine_guns import volley_at_gun
from zareba_rulesets.fixed_baynet.chapters.melee import charge_with_unit, strike_blow
from zareba_rulesets.fixed_baynet.chapters.morale import _count_improved, rally_unit, reward_deed
from zareba_rulesets.fixed_baynet.chapters.morale import test_glory as glory_test
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.setting_up import roll_for_event
from zareba_rulesets.fixed_baynet.forces.units import Gun
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.presentation.option_text import option_phrase
from zareba_rulesets.fixed_baynet.presentation.words import event_sentence, name_in_play, question_sentence


def told(events: list[Event], state: Battle | None = None) -> list[str]:
    """Return the sentences of events, with the men's names if a state is given."""
    specs = state.specs if state is not None else {}
    return [event_sentence(lambda word: name_in_play({}, specs, word) or word, event) for event in events]


@pytest.mark.rule("FBN-161")
@pytest.mark.parametrize(
    ("marks", "why"),
    [
        (("deed",), "enemy leader or bearer lost"),
        (("deed", "took a gun"), "gun captured"),
        ((), "2 more losses inflicted than suffered in close combat"),
    ],
)
def test_a_deed_names_those_whom_it_heartened_and_what_it_was(marks: tuple[str, ...], why: str) -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
    near = [bare_unit(f"near{i}", "red", [man(f"near{i}/1", "red", 51 + 1.5 * i, 50)]) for i in (1, 2, 3, 4)]
    state = battle(red, *near, bare_unit("blue", "blue", [man("blue/1", "blue", 50, 90)]))
    for unit in near[:3]:
        unit.figures[f"{unit.spec.id}/1"].gl = 6
    red.mark(*marks)
    red.dealt = 0 if marks else 2
    with scripted(state) as table:
        reward_deed(table, state, red)
    assert told(table.events) == [f"heroic deed by red ({why}): glory of near1, near2 and near3 improved by 2"]


@pytest.mark.rule("FBN-122", "FBN-161")
def test_who_takes_a_gun_is_told_to_have_done_it_in_this_activation_alone() -> None:
    friend = squad("friend", "blue", 1, (53, 11.5))
    state, _, gun = battery(crew=0, target=squad("taker", "blue", 1, (50, 11.5)))
    state.units["friend"] = friend
    friend.figures["friend/1"].gl = 6
    taker = state.units["taker"]
    with scripted(state) as table:
        end_activation(table, state, taker)
    assert gun.taken_by == "blue" and "took a gun" not in taker.marks
    assert told(table.events)[-1] == "heroic deed by taker (gun captured): glory of friend improved by 2"


@pytest.mark.rule("FBN-159")
def test_a_rally_names_the_unit_and_counts_those_who_come_to_themselves() -> None:
    red, other = squad("red", "red", 2, (50, 50), leader="officer"), squad("other", "red", 3, (54, 50))
    state = battle(red, other, squad("blue", "blue", 1, (50, 90)))
    for number, figure in enumerate(other.figures.values()):
        figure.gl, figure.reaction = (7, "flee") if number else (6, "")
    with scripted(state) as table:
        rally_unit(table, state, red.figures["red/1"], other)
    assert told(table.events) == ["red/1 rallied 3 men of other: glory improved by 2; 2 of them are no longer in panic"]


@pytest.mark.rule("FBN-148", "FBN-149", "FBN-150")
@pytest.mark.parametrize(("die", "ending"), [(6, "6 for glory: improved, now 5+"), (5, "5 for glory: unchanged, 6+")])
def test_a_test_of_glory_tells_whether_it_was_passed(die: int, ending: str) -> None:
    red = squad("red", "red", 3)
    state = battle(red)
    for figure in red.figures.values():
        figure.gl = 6
    red.mark("due")
    with scripted(state, ("glory", die)) as table:
        glory_test(table, state, red)
    assert told(table.events) == [f"red rolled {ending}"]


@pytest.mark.rule("FBN-033", "FBN-052", "FBN-053")
def test_orders_that_only_some_obey_say_how_many() -> None:
    red = squad("red", "red", 4, (50, 50))
    state = battle(red, squad("blue", "blue", 1, (50, 90)))
    state.active = "red"
    for number, figure in enumerate(red.figures.values()):
        figure.ac = 2 if number else 0
    with scripted(state, ("move to", (50.0, 54.0))) as table:
        perform_action(table, state, red, "move")
        perform_action(table, state, red, "lie down")
        for figure in red.figures.values():
            figure.dropped = -1
            figure.ac = 1
        perform_action(table, state, red, "get up")
    lines = told(table.events)
    assert lines[0].startswith("3 of 4 men of red moved to ")
    assert lines[1:] == ["3 of 4 men of red lay down", "3 of 4 men of red got up"]


@pytest.mark.rule("FBN-169", "FBN-082")
def test_who_runs_amok_is_said_to_fire_at_whom() -> None:
    red = squad("red", "red", 2, (50, 50))
    state = battle(red, squad("blue", "blue", 1, (50, 90)))
    first = red.figures["red/1"]
    first.ac, first.reaction, first.gl = 2, "berserk", 7
    with scripted(state, ("shot", [2]), ("shot", [9])) as table:
        carry_out_panic(table, state, red)
    assert told(table.events)[:2] == ["red/1 fired at red/2: a miss", "red/1 fired at red/2: a hit"]


@pytest.mark.rule("FBN-219", "FBN-222")
def test_a_round_that_misses_says_where_it_came_down() -> None:
    state, unit, gun = battery("medium_howitzer", crew=4)
    with scripted(state, ("lay", [5]), ("deviation", [2]), ("direction", 12)) as table:
        fire_indirect(table, state, unit, gun, (50.0, 30.0), 20, "shell")
    assert told(table.events)[0] == 'red fired shell: it landed at 50.0", 31.0"'


@pytest.mark.rule("FBN-204")
def test_a_piece_that_is_hit_says_what_it_still_bears() -> None:
    red = squad("red", "red", 1, (43, 30))
    home = bare_unit("home", "blue", [man("home/1", "blue", 80, 80)], guns=[Gun("light_gun", 43, 25, 0, 0, 2)])
    state = battle(red, home)
    with scripted(state, ("shot", [9])) as table:
        volley_at_gun(table, state, red, home, home.guns[0], list(red.figures.values()))
    assert "gun 1 of home was hit, 1 wound left" in told(table.events)


@pytest.mark.rule("FBN-044")
def test_a_charge_says_how_many_came_home() -> None:
    red = squad("red", "red", 2, (50, 50))
    state = battle(red, squad("blue", "blue", 2, (50, 55)), squad("far", "blue", 1, (50, 75)))
    for figure in red.figures.values():
        figure.ac = 3
    with scripted(state) as table:
        charge_with_unit(table, state, red, state.units["blue"])
    assert told(table.events)[0] == "red charged blue: 2 of 2 men in contact"
    red = squad("red", "red", 2, (50, 50))
    state = battle(red, squad("far", "blue", 1, (50, 75)))
    for figure in red.figures.values():
        figure.ac = 3
    with scripted(state) as table:
        charge_with_unit(table, state, red, state.units["far"])
    assert told(table.events)[0] == "red charged far and fell short"
    data = {"unit": "red", "target": "blue", "contacts": 0, "men": 4, "reach": 2}
    assert told([Event("charge", "FBN-041", data)]) == [
        "red charged blue: 0 of 4 men in contact, 2 more within reach of a blow"
    ]


@pytest.mark.rule("FBN-105", "FBN-121")
def test_a_blow_tells_what_was_added_and_who_can_do_no_harm() -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 50, 50, cs=1)])
    blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 51, facing=180.0)])
    state = battle(red, blue)
    figure, foe = red.figures["red/1"], blue.figures["blue/1"]
    figure.ac, foe.reaction = 1, "freeze"
    with scripted(state, ("blow", [1]), ("parry", [6])) as table:
        strike_blow(table, state, red, figure, foe)
    assert told(table.events) == ["red/1 (+1) struck at blue/1 (+0), who can do no harm: miss"]


@pytest.mark.rule("FBN-037")
def test_a_throw_for_an_arrival_says_what_it_takes() -> None:
    game = FbnGame(rules_with(), load_scenario("river_ford"))
    state, asked = game.start(), []

    class Asking(Table):
        def answer(self, question: Any) -> Any:
            asked.append(question_sentence(state, question, {}))
            return 1

    assert roll_for_event(Asking(rules_with(), state), 6, 4, "wakkerstroom")
    assert asked == ["Arrival for the next ward: roll a D6; 4 or more succeeds"]


@pytest.mark.rule("FBN-123", "FBN-140")
def test_a_man_without_a_name_has_his_role_his_number_and_his_unit_as_name() -> None:
    specs = load_rules("fixed_baynet").game(load_scenario("patrol_clash")).start().specs
    names = {spec.name for spec in specs.values()}
    assert {"Captain Merrow", "man 3 of Fusiliers", "hero 2 of Horsemen", "man 12 of Swordsmen (2)"} <= names


@pytest.mark.rule("FBN-125")
@pytest.mark.parametrize(
    ("location", "wound"),
    [("arm_light", "light arm wound"), ("groin", "groin wound"), ("bloody_death", "bloody death")],
)
def test_a_hit_location_is_told_as_a_wound(location: str, wound: str) -> None:
    data = {"unit": "red", "figure": "red/1", "location": location}
    assert told([Event("located", "FBN-125", data)]) == [f"red/1 suffered a {wound}"]


@pytest.mark.rule("FBN-148")
def test_a_glory_roll_that_helps_no_man_says_so() -> None:
    assert _count_improved([]).said(None, 3).startswith("no man's glory can improve")
    assert _count_improved([4, 5]).said(None, 4).startswith("4: glory improves for 1 of 2 men")


@pytest.mark.rule("FBN-004", "FBN-219")
def test_a_die_that_is_halved_says_so() -> None:
    state, asked = battle(squad("red", "red", 1)), []

    class Asking(Table):
        def answer(self, question: Any) -> Any:
            asked.append(question_sentence(state, question, {}))
            return 1

    for ammunition in ("shell", "shot"):
        roll_deviation(Asking(rules_with(), state), ammunition, False, "red")
    assert asked == ["Deviation for red: roll a D6, halved", "Deviation for red: roll a D6"]


@pytest.mark.rule("FBN-044", "FBN-048")
def test_a_charge_that_reaches_nobody_says_so_before_it_is_chosen() -> None:
    """Over a wall the whole path counts as jagged: 4 of 10 inches."""
    for wall, ending in ((False, ""), (True, ", no man reaches it")):
        red, blue = squad("red", "red", 4, (50, 40)), squad("blue", "blue", 4, (50, 48), facing=180.0)
        on = field(lines=(("stone_wall", [(0.0, 44.0), (100.0, 44.0)]),)) if wall else None
        state = battle(red, blue, on=on)
        state.active = "red"
        question = Choose("charge whom", "FBN-041", "red", "red", (("charge", "blue"),), ())
        phrase = option_phrase(state, question, ("charge", "blue"))
        assert phrase == f'charge blue, 7.0" away (4 men in open order): straight, up to 10"{ending} (1 AC)'


@pytest.mark.rule("FBN-016", "FBN-052", "FBN-186", "FBN-193", "FBN-275")
@pytest.mark.parametrize(
    ("choice", "line"),
    [
        ("walk", 'red/1 walked to 50.0", 54.0"'),
        ("lie down", "red/1 lay down"),
        ("get up", "red/1 got up"),
        (("charge", "blue"), "red/1 charged blue: 1 of 1 man in contact"),
        ("dismount", "red/1 dismounted"),
        ("mount", "red/1 mounted"),
        ("switch weapon", "red/1 switched to his pistol"),
        (("post", "hut:window"), "red/1 went to a window of the hut"),
    ],
)
def test_what_one_man_does_by_himself_is_told_of_him(choice: Any, line: str) -> None:
    mounted = choice == "dismount"
    figure = man("red/1", "red", 50, 50, mounted=mounted, rides=True, spare="pistol")
    red = bare_unit("red", "red", [figure, man("red/2", "red", 60, 50)])
    indoors = isinstance(choice, tuple) and choice[0] == "post"
    state = battle(red, squad("blue", "blue", 1, (50, 57), facing=180.0), on=house() if indoors else None)
    if choice == "get up":
        figure.mark("prone")
        figure.dropped = -1
    elif choice == "mount":
        figure.mark("horse 50.00 50.00")
    elif indoors:
        figure.place = "hut:0:0"
        state.put(figure, 43, 43)
    place = [("walk to", (50.0, 54.0))] if choice == "walk" else []
    with scripted(state, ("which man", "red/1"), ("what he does", choice), *place) as table:
        perform_action(table, state, red, "one man")
    assert line in told(table.events)


@pytest.mark.rule("FBN-049", "FBN-245", "FBN-275")
def test_the_log_tells_which_way_men_face_and_who_goes_to_the_windows() -> None:
    red = squad("red", "red", 3, (43, 43))
    state = battle(red, squad("blue", "blue", 1, (50, 90)), on=house())
    with scripted(state, ("face", "north_east")) as table:
        perform_action(table, state, red, "face")
        for figure in red.figures.values():
            figure.place = "hut:0:0"
        perform_action(table, state, red, "man the openings")
        perform_action(table, state, red, "man the openings")
    assert told(table.events) == ["red faced north-east", "red went to windows and doors"]


@pytest.mark.rule("FBN-159")
def test_a_rally_tells_how_many_of_those_it_helped_are_in_panic_no_more() -> None:
    chief = bare_unit("chief", "red", [man("chief/1", "red", 50, 46, role="officer")], kind="independent")
    red = squad("red", "red", 4, (50, 50))
    men = list(red.figures.values())
    for figure in men[:2]:
        figure.reaction, figure.gl = "freeze", 7
    men[1].mark("steadied")  # he has already been steadied this turn
    men[2].gl = 5
    state = battle(chief, red)
    with scripted(state) as table:
        rally_unit(table, state, chief.figures["chief/1"], red)
    (said,) = told(table.events, state)
    assert said.endswith("rallied 2 men of red: glory improved by 2; 1 of them is no longer in panic")


@pytest.mark.rule("FBN-180")
def test_a_charge_on_horseback_is_told() -> None:
    red = squad("red", "red", 1, (50, 20), mounted=True, rides=True)
    red.figures["red/1"].last_gait = 1
    state = battle(red, squad("blue", "blue", 1, (50, 30), facing=180.0))
    state.active = "red"
    with scripted(state) as table:
        perform_action(table, state, red, ("ride down", "blue", 2))
    assert "red charged blue: 1 of 1 man in contact" in told(table.events)
