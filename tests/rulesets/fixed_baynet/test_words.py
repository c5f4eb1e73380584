"""Texts of questions, options, events and the board."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battery, battle, field, house, man, rules_with, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import shipped

from zareba.chance import SUM, AtLeast
from zareba.presentation.landmarks import Landmarks
from zareba.scenario import load_scenario
from zareba.table import Choose, Draw, Event, Roll, Table
from zareba_rulesets.fixed_baynet.actions.activation import end_activation, perform_action
from zareba_rulesets.fixed_baynet.actions.wording import distance_of_enemy, opening_name, place_name
from zareba_rulesets.fixed_baynet.book.numbers import aim_bands, hit_bands
from zareba_rulesets.fixed_baynet.chapters.artillery import fire_indirect, roll_deviation
from zareba_rulesets.fixed_baynet.chapters.buildings import fire_at_building
from zareba_rulesets.fixed_baynet.chapters.contact import men_in_contact
from zareba_rulesets.fixed_baynet.chapters.machine_guns import volley_at_gun
from zareba_rulesets.fixed_baynet.chapters.melee import charge_with_unit
from zareba_rulesets.fixed_baynet.chapters.morale import _count_improved, rally_unit, reward_deed, roll_recovery
from zareba_rulesets.fixed_baynet.chapters.morale import test_glory as glory_test
from zareba_rulesets.fixed_baynet.chapters.night import roll_to_notice
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.setting_up import roll_for_event
from zareba_rulesets.fixed_baynet.chapters.targets import firers
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit
from zareba_rulesets.fixed_baynet.presentation.drawing import draw_board
from zareba_rulesets.fixed_baynet.presentation.words import (
    event_sentence,
    name_in_play,
    option_phrase,
    question_sentence,
    unit_line,
)


def test_places_are_named_by_the_nearest_landmark() -> None:
    landmarks = Landmarks(load_scenario("patrol_clash"))
    walk = Event("walk", "FBN-039", {"unit": "red", "figure": "red/1", "x": 24.0, "y": 3.0})
    deployed = Event("deployed", "FBN-011", {"unit": "red", "x": 24.0, "y": 3.0})
    assert event_sentence(str, deployed, landmarks) == "red deployed at the south end of the Track"
    landed = {"unit": "red", "ammunition": "shell", "target": "", "hit": False, "x": 27.0, "y": 3.0}
    assert event_sentence(str, walk, landmarks) == "red/1 walked to the south end of the Track"
    assert event_sentence(str, Event("gun fires", "FBN-219", landed), landmarks) == (
        "red fired a shell: it landed 3 inches east of the south end of the Track"
    )


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
def test_heroic_deed_names_itself_and_the_heartened_units(marks: tuple[str, ...], why: str) -> None:
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
def test_a_unit_reports_the_capture_of_a_gun_only_in_the_activation_of_the_capture() -> None:
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
def test_rally_report_names_the_unit_and_counts_recovered_men() -> None:
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
def test_berserk_fire_names_the_man_and_his_target() -> None:
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
    assert told(table.events)[0] == "red fired a shell: it landed at 50, 31"


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
        "red charged blue without contact: 2 of 4 men within reach of a blow"
    ]


@pytest.mark.rule("FBN-005", "FBN-041")
def test_a_charge_counts_all_who_touch_the_target() -> None:
    """Three men stop so near the enemy that their bases touch, though none reaches the place he aimed at."""
    red = squad("red", "red", 4, (50, 50))
    state = battle(red, squad("blue", "blue", 8, (49, 61.5), "closed"))
    for figure in red.figures.values():
        figure.ac = 3
    with scripted(state) as table:
        charge_with_unit(table, state, red, state.units["blue"])
    assert len(men_in_contact(state, red)) == 3
    assert told(table.events)[0] == "red charged blue: 3 of 4 men in contact"


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


@pytest.mark.rule("FBN-125")
@pytest.mark.parametrize(
    ("location", "wound"),
    [("arm_light", "light arm wound"), ("groin", "groin wound"), ("bloody_death", "bloody death")],
)
def test_a_hit_location_is_reported_as_a_wound(location: str, wound: str) -> None:
    data = {"unit": "red", "figure": "red/1", "location": location}
    assert told([Event("located", "FBN-125", data)]) == [f"red/1 suffered a {wound}"]


@pytest.mark.rule("FBN-148")
def test_a_glory_roll_that_helps_no_man_says_so() -> None:
    assert _count_improved([]).describe(None, 3).startswith("no man's glory can improve")
    assert _count_improved([4, 5]).describe(None, 4).startswith("4: glory improves for 1 of 2 men")


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
def test_charge_out_of_reach_says_so_in_its_text() -> None:
    """Over a wall the whole path counts as jagged: 4 of 10 inches."""
    for wall, ending in ((False, ""), (True, ", too far for every man")):
        red, blue = squad("red", "red", 4, (50, 40)), squad("blue", "blue", 4, (50, 48), facing=180.0)
        on = field(lines=(("stone_wall", [(0.0, 44.0), (100.0, 44.0)]),)) if wall else None
        state = battle(red, blue, on=on)
        state.active = "red"
        question = Choose("charge whom", "FBN-041", "red", "red", (("charge", "blue"),), ())
        phrase = option_phrase(state, question, ("charge", "blue"))
        assert phrase == f'charge blue, 7" away, 4 men in open order: straight, up to 10"{ending} (1 AC)'


@pytest.mark.rule("FBN-016", "FBN-052", "FBN-186", "FBN-193", "FBN-275")
@pytest.mark.parametrize(
    ("choice", "line"),
    [
        ("walk", "red/1 walked to 50, 54"),
        ("lie down", "red/1 lay down"),
        ("get up", "red/1 got up"),
        (("charge", "blue"), "red/1 charged blue: 1 of 1 man in contact"),
        ("dismount", "red/1 dismounted"),
        ("mount", "red/1 mounted"),
        ("switch weapon", "red/1 switched to his pistol"),
        (("post", "hut:window"), "red/1 went to a window of the hut"),
    ],
)
def test_actions_of_one_man_name_him(choice: Any, line: str) -> None:
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


def phrases(state: Battle, unit: str) -> list[str]:
    options = tuple(acts(state, state.units[unit]))
    question = Choose("act", "FBN-016", unit, "red", options, ())
    return [option_phrase(state, question, option) for option in options]


@pytest.mark.rule("FBN-032", "FBN-005", "FBN-006")
def test_acts_state_their_price_and_distance() -> None:
    red, blue = squad("red", "red", 6, (50, 20)), squad("blue", "blue", 8, (50, 30), "mass")
    state = battle(red, blue)
    state.active = "red"
    told = phrases(state, "red")
    assert len(set(told)) == len(told)
    assert any("fire at blue, " in line and '" away, 8 men in mass' in line and "1 AC" in line for line in told)
    assert 'charge blue, 7" away, 8 men in mass: straight, up to 10" (1 AC)' in told
    assert "form closed order (1 AC each)" in told and "end the activation" in told
    sentence = question_sentence(
        state, Choose("act", "FBN-016", "red", "red", ("end", "move"), ()), {"red": "The Reds"}
    )
    assert sentence == "red: choose an action (3 AC left for each man)."
    assert "the Reds" in question_sentence(
        state, Choose("activate", "FBN-013", "red", "red", ("red",), ()), {"red": "The Reds"}
    )


@pytest.mark.rule("FBN-173", "FBN-175")
def test_gaits_state_their_limits() -> None:
    rider = bare_unit("red", "red", [man("red/1", "red", 50, 20, mounted=True)])
    rider.figures["red/1"].last_gait = 1
    state = battle(rider, squad("blue", "blue", 1, (50, 90)))
    told = phrases(state, "red")
    assert 'ride at a walk: up to 7" (1 AC)' in told
    assert 'ride at a canter: 7" to 12", a turn of 90° costs 1" (1 AC)' in told
    assert "walked last turn" in unit_line(rider)


@pytest.mark.rule("FBN-006", "FBN-222")
def test_gun_that_guesses_gets_no_distance() -> None:
    for kind, told in (("light_gun", True), ("light_howitzer", False)):
        gun = Gun(kind, 50.0, 10.0, 0.0, 0.0, 2, ac=3)
        red = bare_unit("red", "red", [man("red/1", "red", 50, 8.5, role="crew", cs=-1)], guns=[gun], kind="battery")
        state = battle(red, squad("blue", "blue", 3, (50, 30)), on=field())
        line = next(line for line in phrases(state, "red") if "gun 1 fires at blue" in line)
        assert (" away" in line) is told and "3 AC, CS -1" in line


@pytest.mark.rule("FBN-082", "FBN-220", "FBN-232")
def test_dice_state_what_they_take() -> None:
    state = battle(squad("red", "red", 1, (50, 20)))

    def told(why: str, dice: int, sides: int, read: Any) -> str:
        return question_sentence(state, Roll(why, "FBN-082", "red", dice, sides, read), {})

    assert (
        told("shot", 1, 12, hit_bands(5, 12, 1, 12, True))
        == "Shot for red: roll a D12; 5 or more hits, 12 is a bloody death"
    )
    for rule, takes in (
        ("FBN-215", "6 or more hits, 1 is a critical miss, 12 is a bloody death"),
        ("FBN-204", "6 or more hits, 1 is a critical miss"),
        ("FBN-247", "6 or more hits, 1 is a critical miss, 12 goes through the wall"),
        ("FBN-219", "roll a D12; 1 is a critical miss"),
    ):
        throw = Roll("gun", rule, "red", 1, 12, aim_bands(6, 12, 1, 12, True))
        assert question_sentence(battle(squad("red", "red", 1)), throw, {}).endswith(takes)
    assert told("jam", 1, 6, AtLeast(6)).endswith("6 or more jams the gun")
    assert told("recovery", 1, 6, AtLeast(4)).endswith("4 or more succeeds")
    assert told("blow", 2, 6, SUM) == "Blow for red: roll 2d6; the better one counts"
    assert told("panic", 1, 6, SUM).endswith("(Table 15-A)")


@pytest.mark.rule("FBN-022", "FBN-157")
def test_a_unit_in_one_line() -> None:
    unit = squad("red", "red", 5, (50, 20), "closed")
    men = list(unit.figures.values())
    men[0].gl, men[1].reaction = 6, "flee"
    men[2].mark("prone")
    unit.mark("pinned")
    line = unit_line(unit)
    for part in ("5 men with rifles", "closed order", "glory 6+", "1 prone", "1 fleeing", "pinned"):
        assert part in line


def test_the_counter_of_a_unit_stands_at_the_centre_of_its_men() -> None:
    """Moves are measured from the unit's centre. In a square or a column no man is there."""
    played = shipped("patrol_clash")
    for formation, count in (("square", 12), ("mass", 14), ("closed", 9), ("open", 7)):
        unit = squad("red", "patrol", count, (20.5, 15.3), formation)
        first = next(iter(unit.figures.values()))
        first.x += 20
        unit.measure()
        state = battle(unit)
        board = draw_board(state, played.scenario, "")
        counter = next(piece for piece in board.pieces if piece.id == "red")
        assert (counter.x, counter.y) == unit.middle != first.at
        assert len([piece for piece in board.pieces if "detached" in piece.text]) == 1, "he who stands far off"


@pytest.mark.rule("FBN-242", "FBN-245", "FBN-253")
def test_doors_and_rooms_have_names() -> None:
    state = battle(squad("red", "red", 1, (42, 39)), on=house(rooms=2, heavy=True))
    assert opening_name(state, "hut:door") == "the south door of the hut"
    assert (place_name(state, "hut:0:1"), place_name(state, "")) == ("room 2 of the hut", "the open air")
    assert any("bashes the south door" in line and "4 or more (1 AC)" in line for line in phrases(state, "red"))


def test_losses_name_a_man_and_his_unit_once() -> None:
    game = FbnGame(rules_with(), load_scenario("river_ford"))
    figures = [spec for squad_ in game.plan.squads.values() for spec in squad_.men]
    for figure in figures[:40]:
        unit = next(key for key, own_squad in game.plan.squads.items() if figure in own_squad.men)
        event = Event("loss", "FBN-091", {"figure": figure.id, "unit": unit, "how": "down"})
        told = game.narrator.describe_event(event)
        assert told.count(game.plan.squads[unit].spec.name) == 1 and figure.name in told


def test_the_board_shows_a_counter_for_each_unit_its_guns_and_who_has_strayed() -> None:
    game = FbnGame(rules_with(), load_scenario("hill_fort"))
    state = game.start()
    units = [unit for unit in state.on_table() if unit.box[0] >= 0]
    board = game.display.board(state)
    names = {piece.id for piece in board.pieces}
    assert {unit.spec.id for unit in units} <= names and len(board.pieces) < 2 * len(units)
    unit = next(unit for unit in units if len(unit.figures) > 5)
    strayed = next(reversed(unit.figures.values()))
    state.put(strayed, strayed.x + (20 if strayed.x < 30 else -20), strayed.y)
    assert strayed.id in {piece.id for piece in game.display.board(state).pieces}


@pytest.mark.rule("FBN-038", "FBN-229", "FBN-254")
def test_prices_and_dice_are_those_of_the_settings() -> None:
    settings: dict[str, Any] = {"target_order_ac": 1, "mg_salvo_ac": 3, "bash_die": "d6"}
    gun = Gun("machine_gun", 50.0, 10.0, 0.0, 0.0, 2, ac=3)
    crew = [man(f"red/{i}", "red", 50 + i, 8.5, role="crew") for i in (0, 1)]
    guns = bare_unit("red", "red", crew, guns=[gun], kind="machine_gun")
    state = battle(guns, squad("blue", "blue", 1, (50, 25)), **settings)
    assert any("(3 of 3 AC, pins)" in line for line in phrases(state, "red"))
    red = squad("red", "red", 1, (42, 39))
    state = battle(red, squad("blue", "blue", 1, (42, 30)), on=house(heavy=True, **settings), **settings)
    told = phrases(state, "red")
    assert any("fire at blue" in line and "(2 AC each)" in line for line in told)
    assert any("bashes the south door" in line and "D6 + CS, 4 or more (1 AC)" in line for line in told)
    red.figures["red/1"].mark("at blue")
    assert any("fire at blue" in line and "(1 AC each)" in line for line in phrases(state, "red"))


class Asked(Exception):
    pass


class AskingTable(Table):
    """A table that raises the first question as text."""

    def answer(self, question: Any) -> Any:
        raise Asked(question_sentence(self.state, question, {}))


def recovers(table: AskingTable, state: Battle, unit: Unit) -> None:
    figure = unit.figures["red/1"]
    figure.reaction, figure.gl, figure.since = "freeze", 7, 0
    roll_recovery(table, state, unit, figure)


@pytest.mark.rule("FBN-148", "FBN-154", "FBN-204", "FBN-239", "FBN-248")
def test_dice_at_pieces_and_walls_promise_no_bloody_death() -> None:
    state = battle(squad("red", "red", 1, (50, 20)))

    def told(why: str, rule: str, sides: int, read: Any) -> str:
        return question_sentence(state, Roll(why, rule, "red", 1, sides, read), {})

    assert told("shot", "FBN-204", 12, hit_bands(5, 12, 1, 12, True)).endswith("D12; 5 or more hits")
    assert told("shot", "FBN-247", 12, hit_bands(5, 12, 1, 12, True)).endswith(
        "5 or more hits, 12 goes through the wall"
    )
    assert told("gun again", "FBN-213", 12, hit_bands(5, 12, 1, 12, True)).endswith("D12; 5 or more hits")
    assert told("glory", "FBN-148", 6, SUM).endswith("a roll of a man's glory or more improves it by 1")
    unit = state.units["red"]
    for rolls in (
        lambda table: roll_to_notice(table, unit.figures["red/1"]),
        lambda table: recovers(table, state, unit),
    ):
        with pytest.raises(Asked, match="4 or more succeeds"):
            rolls(AskingTable(rules_with(), state))


@pytest.mark.rule("FBN-164", "FBN-204", "FBN-247")
def test_the_log_tells_what_is_fired_at_pieces_and_walls_and_where_panic_goes() -> None:
    red = squad("red", "red", 2, (43, 30))
    home = bare_unit("home", "blue", [man("home/1", "blue", 80, 80)], guns=[Gun("light_gun", 43, 25, 0, 0, 2)])
    state = battle(red, home, on=house())
    with scripted(state, *[("shot", [1])] * 4) as table:
        fire_at_building(table, state, red, "hut", firers(state, red))
        volley_at_gun(table, state, red, home, home.guns[0], firers(state, red))
        state.put(red.figures["red/1"], 43.0, 20.0)
        red.figures["red/1"].reaction = "flee"
        carry_out_panic(table, state, red)
    told = [event_sentence(str, event) for event in table.events]
    assert told[:2] == ["red fired 2 shots at hut", "red fired 2 shots at gun 1 of home"]
    assert told[2] == "red/1 fled to 43, 15"


@pytest.mark.rule("FBN-218", "FBN-248")
def test_lots_are_reported_by_the_names_of_men() -> None:
    game = FbnGame(rules_with(), load_scenario("patrol_clash"))
    who, spec = next(iter(game.start().specs.items()))
    drawn = Draw("nearest of equals", "FBN-218", "", None, ((who, 1),))
    assert game.narrator.describe_card(drawn, who) == spec.name != who
    assert game.narrator.describe_card(drawn, "battery gun 1") == "battery gun 1"


@pytest.mark.rule("FBN-108", "FBN-110")
def test_a_blow_tells_who_suffers_it() -> None:
    data = {"unit": "red", "figure": "red/1", "target": "blue/1", "result": "capture", "loser": "attacker"}
    added: dict[str, Any] = {"bonus": 0, "against": 1, "harmless": False}
    assert event_sentence(str, Event("blow", "FBN-104", data | added)).endswith(": the attacker was overpowered")


def test_a_gun_that_rolls_is_named_after_its_unit() -> None:
    squads = {"gardner.1": SimpleNamespace(spec=SimpleNamespace(name="The Gardner"))}
    named = {word: name_in_play(squads, {}, word) for word in ("gardner.1 gun", "gardner.1 2", "other gun")}  # type: ignore[arg-type]  # names alone are read
    assert named == {"gardner.1 gun": "the gun of the Gardner", "gardner.1 2": "gun 2 of the Gardner", "other gun": ""}


def test_reasons_say_that_an_enemy_is_in_contact() -> None:
    assert [distance_of_enemy(inches) for inches in (0.04, 0.4, 1.0, 7.6)] == [
        "the enemy is in contact", 'the enemy is less than 1" away', 'the enemy is 1" away', 'the enemy is 8" away',
    ]  # fmt: skip
