"""Texts: the roster, sentences of the log, questions, options, and changes."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import blue, game, red, scene

from zareba.base.grammar import in_a_sentence
from zareba.chance import SUM
from zareba.presentation.narration import Boxes, Roster, RosterUnit
from zareba.registry import load_rules
from zareba.report.sheet import roster_page
from zareba.scenario import load_scenario
from zareba.table import Choose, Confirm, Draw, Event, Roll
from zareba.table.questions import Step
from zareba_rulesets.paychest.chapters.casualties import apply_card, strike
from zareba_rulesets.paychest.chapters.marching import drop, pick_up
from zareba_rulesets.paychest.chapters.morale import fall_back, flee_singly, second_roll
from zareba_rulesets.paychest.forces.battle import Battle, Engine
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.presentation.words import unit_line


def line(unit: RosterUnit, number: int) -> dict[str, object]:
    return dict(zip(unit.columns, unit.lines[number].cells, strict=True))


def roster_of(played: PaychestGame, battle: Battle, seat: str | None = None) -> Roster:
    found = played.display.roster(battle, seat)
    assert found is not None
    return found


@pytest.mark.rule("PAY-010", "PAY-011", "PAY-016", "PAY-031")
def test_the_roster_has_a_line_for_every_figure() -> None:
    played = game("patrol_clash")
    battle = played.start()
    found = roster_of(played, battle)
    assert sum(len(unit.lines) for unit in found.units) == len(played.plan.figures)
    first = line(found.units[0], 0)
    assert (first["Fire"], first["Melee"], first["Shots"]) == (4, 5, 2)
    assert first["Figure"] == "lieutenant 1 *" and first["Weapons"] == "pistol, sword"
    assert [unit.side for unit in roster_of(played, battle, "tribesmen").units] == ["tribesmen"] * 5
    assert set(battle.cards.pile).isdisjoint(battle.casualties.pile)  # the two decks share no cards


def test_a_leader_alone_is_named_without_a_count() -> None:
    played = game("patrol_clash")
    battle = played.start()
    for unit in battle.units.values():
        for number, figure in enumerate(unit.figures.values()):
            figure.at = (2.0 + number, 2.0)
    lines = {name: unit_line(unit) for name, unit in battle.units.items()}
    assert lines["sikhs"] == "Sikhs (14 able)"
    assert [line for line in lines.values() if "(" not in line] == [
        unit.spec.name for unit in battle.units.values() if unit.spec.single
    ]


@pytest.mark.rule("PAY-118", "PAY-123", "PAY-043")
def test_wounds_and_deeds_are_ticked_and_who_is_out_is_struck_out() -> None:
    played = game("patrol_clash")
    battle = played.start()
    unit = battle.unit("fusiliers")
    struck = {
        "fusiliers.2": ("leg_wound", "arm_wound", "arm_wound"),
        "fusiliers.3": ("killed",),
        "fusiliers.4": ("crippled_leg",),
    }
    for figure in unit.figures.values():
        figure.at = (20.0, 5.0)
    unit.figures["fusiliers.2"].brave = 2
    for name, results in struck.items():
        for result in results[:2]:
            hit(played, name, result, battle)
    found = next(u for u in roster_of(played, battle).units if u.id == "fusiliers")
    wounded, dead, lame = (line(found, number) for number in (1, 2, 3))
    assert (wounded["Leg"], wounded["Arm"], wounded["Deeds"]) == (Boxes(1, 2), Boxes(1, 3), 2)
    assert dead["Killed"] == Boxes(1, 1) and found.lines[2].out and not found.lines[1].out
    assert lame["Lame"] == Boxes(1, 1) and lame["K.O."] == Boxes(0, 1)
    page = roster_page(roster_of(played, battle))
    assert page.count('class="out"') == 1 and 'aria-label="1 of 2"' in page


@pytest.mark.rule("PAY-031", "PAY-080", "PAY-124", "PAY-129")
def test_the_roster_says_who_commands_who_came_round_who_rides_and_who_must_stand_idle() -> None:
    played = game("patrol_clash")
    battle = played.start()
    unit = battle.unit("fusiliers")
    for figure in unit.figures.values():
        figure.at = (20.0, 5.0)
    battle.engines["cart"] = Engine("wagon", "ox cart", unit.spec.side, "fusiliers", (20.0, 5.0), mount="")
    unit.figures["fusiliers.2"].mark("recovered")
    unit.figures["fusiliers.3"].aboard = "cart"
    unit.mark("inactive")
    found = {u.id: u for u in roster_of(played, battle).units}
    commander = battle.commanders[unit.spec.side].rpartition(".")[0]
    assert line(found[commander], 0)["State"] == "commands"
    assert line(found["fusiliers"], 1)["State"] == "came round (Fire and Melee -1)"
    assert line(found["fusiliers"], 2)["State"] == "aboard ox cart"
    assert dict(found["fusiliers"].notes)["must"] == "neither move nor fire"


@pytest.mark.rule("PAY-092", "PAY-163")
def test_the_log_says_who_fired_and_who_routs() -> None:
    played = game("patrol_clash")
    shot = {"unit": "fusiliers", "by": "fusiliers.1", "target": "fusiliers.2", "shots": 1, "hits": 0}
    assert played.narrator.describe_event(Event("fire", "PAY-054", shot)).startswith("lieutenant 1 of ")
    assert " fired 1 shot at " in played.narrator.describe_event(Event("fire", "PAY-054", shot))
    went = {"unit": "fusiliers", "by": "fusiliers.2", "to": [3.0, 4.5], "inches": 6.28}
    assert "private 2 of " in played.narrator.describe_event(Event("move", "PAY-053", went))
    for rout, word in ((True, " routed 9 "), (False, " fell back 9 ")):
        ran = {"unit": "fusiliers", "inches": 9, "backs": True, "rout": rout, "figures": 3}
        assert played.narrator.describe_event(Event("forced move", "PAY-163", ran)).endswith(
            f"{word}inches, backs turned"
        )
    lame = {"unit": "fusiliers", "inches": 9, "backs": True, "rout": True, "figures": 0}
    assert played.narrator.describe_event(Event("forced move", "PAY-163", lame)).endswith(", but no figure could move")


@pytest.mark.rule("PAY-073", "PAY-078", "PAY-216")
@pytest.mark.parametrize(
    ("thing", "led", "words"),
    [
        ("mount of fusiliers.2", True, "took hold of the mount of private 2 of "),
        ("thrown_spear of fusiliers.2 3", False, "took up the thrown spear of private 2 of "),
    ],
)
def test_log_names_loads_left_behind(thing: str, led: bool, words: str) -> None:
    taken = {"unit": "fusiliers", "figure": "fusiliers.3", "object": thing, "led": led}
    assert f" {words}" in game("patrol_clash").narrator.describe_event(Event("taken up", "PAY-073", taken))


@pytest.mark.rule("PAY-033", "PAY-034", "PAY-044", "PAY-086", "PAY-023")
def test_the_player_reads_names_and_never_ids() -> None:
    played = game("mission_station")
    state, name = played.start(), played.scenario.sides["british"].name
    (officer, man), force = [key for key in played.plan.figures if key.startswith("b_company.")][:2], "b_company"
    told = (
        ("takes command", {"figure": officer, "side": "british", "unit": force}, f" took command of {name}"),
        ("lies down", {"unit": force, "figures": 3}, " ducked behind cover"),
        ("gets up", {"unit": force, "figures": 3}, " rose from cover"),
        (
            "brave deed",
            {"figures": [officer, man], "unit": force, "deed": "fought hand to hand"},
            "fought hand to hand",
        ),
    )
    for kind, data, words in told:
        sentence = played.narrator.describe_event(Event(kind, "PAY-034", data))
        assert words in sentence and "british " not in sentence and force not in sentence, sentence
    for why in ("order for", "brave deed in", "brave deed of"):
        asked = Choose(why, "PAY-033", officer, "british", ("nobody", force), ())
        assert f"The commander of {in_a_sentence(name)}: " in played.narrator.describe(state, asked)
    taken = Choose("handle", "PAY-023", force, "british", (), ())
    option = ("take", man, "zulu.1", "thrown_spear")
    assert played.narrator.describe_option(state, taken, option).endswith(" takes the thrown spear")


@pytest.mark.rule("PAY-073", "PAY-078")
def test_a_mount_is_led_and_not_lifted() -> None:
    played = game("patrol_clash")
    mule, box = Thing("mount", "mule", "", (20.0, 10.0)), Thing("light", "box", "", (20.0, 10.0))
    for load, words in (("mule", ("took hold of mule", "let go of mule")), ("box", ("took up box", "dropped box"))):
        place = scene(red(1), things={"mule": mule, "box": box})
        for act, told in ((pick_up, words[0]), (drop, words[1])):
            place.play(act, place.battle, place.figure("red.1"), load)
            assert told in played.narrator.describe_event(place.events[0])


@pytest.mark.rule("PAY-078", "PAY-080", "PAY-097", "PAY-191")
def test_questions_and_options_say_what_is_asked() -> None:
    played = game("patrol_clash")
    place = scene(red(3), blue(5), engines={"gun": Engine("machine_gun", "gun", "red", "red", (21.0, 8.5))})
    for number in (4, 5):
        place.figure(f"blue.{number}").mark("down")
    for why, actor, words in (
        ("volley at", "red", "blue: 3 figures around warrior 1"),
        ("gun at", "gun", "blue: 3 figures around warrior 1, 2 more hidden"),
    ):
        asked = Choose(why, "PAY-097", actor, "red", (("blue", "blue.1"), "hold fire"), ())
        assert played.narrator.describe_option(place.battle, asked, ("blue", "blue.1")) == words
    for figure in place.unit("blue").able:
        figure.mark("down")
    asked = Choose("gun at", "PAY-191", "gun", "red", (("blue", "blue.1"), "hold fire"), ())
    words = "blue: 5 figures hidden around warrior 1"
    assert played.narrator.describe_option(place.battle, asked, ("blue", "blue.1")) == words
    place.unit("blue").mark("inactive")
    asked = Choose("fire at unit", "PAY-092", "red.1", "red", ("blue", "hold fire"), ())
    assert played.narrator.describe_option(place.battle, asked, "blue") == "blue (5 able, must stand idle)"
    alone = next(iter(played.plan.commanders.values()))
    promoted = Event("promoted", "PAY-038", {"figure": alone, "rank": "acting_leader"})
    assert played.narrator.describe_event(promoted) == f"{played.plan.figures[alone].name} became acting leader"
    for why, way, words in (("saddle", "down", "dismount?"), ("saddle", "up", "mount?"), ("seat", "board", "get on?")):
        confirm = Confirm(why, "PAY-078", "red.1", "red", (way,))
        assert played.narrator.describe(place.battle, confirm) == f"Does private 1 of red {words}"


def hit(played: PaychestGame, name: str, result: str, battle: object) -> None:
    from zareba.table import ScriptedTable
    from zareba_rulesets.paychest.forces.battle import Battle

    assert isinstance(battle, Battle)
    with ScriptedTable(played.rules, battle, []) as table:
        apply_card(table, battle, battle.figure(name), result, "fire", [])


@pytest.mark.rule("PAY-116", "PAY-163")
@pytest.mark.parametrize(("fate", "words"), [("dead", "killed"), ("unconscious", "knocked out"), ("off", "driven off")])
def test_the_log_says_what_has_become_of_a_man(fate: str, words: str) -> None:
    told = game("patrol_clash").narrator.describe_event(
        Event("loss", "PAY-116", {"figure": "fusiliers.2", "fate": fate})
    )
    assert told.startswith("private 2 of ") and told.endswith(f" was {words}")


@pytest.mark.rule("PAY-163", "PAY-214")
def test_the_log_tells_once_who_was_driven_off_and_where() -> None:
    place = scene(red(1, y=1.0))
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [6, 6])])
    told = [game("patrol_clash").narrator.describe_event(event) for event in place.events]
    assert [line.rpartition("red.1 ")[2] for line in told][1:] == ["was driven off over the south edge"]


@pytest.mark.rule("PAY-151", "PAY-169")
@pytest.mark.parametrize(
    ("kind", "rolled", "words"),
    [
        ("regular", 4, "hold, but figures that roll 1 or 2 run 1d6 inches"),
        ("regular", 5, "hold, but figures that roll 1 run 1d6 inches"),
        ("irregular", 4, "fall back 2d6 inches on the next move, backs turned"),
        ("irregular", 5, "fall back 2d6 inches on the next move, facing the enemy"),
        ("irregular", 6, "hold"),
    ],
)
def test_the_log_tells_a_second_morale_roll_in_words(kind: str, rolled: int, words: str) -> None:
    script: list[tuple[str, object]] = [("second morale roll", [rolled]), ("stand or run", [6])]
    place = scene(red(1, kind=kind))
    for worse, end in ((False, ""), (True, ", but it already has a worse order")):
        if worse:
            place.unit("red").pending, place.unit("red").pending_row = "fall_back_2d6_backs_next", 3
        here = script if kind == "regular" and not worse and rolled in (4, 5) else script[:1]
        place.play(second_roll, place.battle, place.unit("red"), script=here)
        told = next(event for event in place.events if event.kind == "second morale roll")
        assert (
            game("patrol_clash").narrator.describe_event(told)
            == f"red must {words} (second morale roll: {rolled}){end}"
        )


@pytest.mark.rule("PAY-060", "PAY-131")
def test_the_log_tells_why_a_card_has_no_effect() -> None:
    played = game("patrol_clash")
    for ran, words in ((True, "it has already run"), (False, "no able figures left")):
        told = Event("card without effect", "PAY-060", {"unit": "fusiliers", "ran": ran})
        assert played.narrator.describe_event(told) == f"card drawn: Fusiliers, no effect ({words})"


@pytest.mark.rule("PAY-115", "PAY-163")
def test_the_log_tells_what_happens_before_what_comes_of_it() -> None:
    place = scene(red(2), deck={"chest_killed": 1})
    place.play(
        strike, place.battle, place.figure("red.1"), None, "fire", [], script=[("casualty card", "chest_killed")]
    )
    assert [event.kind for event in place.events] == ["casualty", "loss"]
    place = scene(red(2, y=3.0))
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [6, 6])])
    assert [event.kind for event in place.events] == ["forced move", "loss", "loss"]
    place = scene(red(2, y=1.0))
    script = [("stand or run", [1]), ("forced move", [6]), ("stand or run", [6])]
    place.play(flee_singly, place.battle, place.unit("red"), 2, dice=1, backs=True, script=script)
    assert [event.kind for event in place.events] == ["figures ran", "loss"]


@pytest.mark.rule("PAY-128", "PAY-135")
def test_loss_of_a_single_figure_unit_names_no_other_unit() -> None:
    played = game("patrol_clash")
    alone = next(iter(played.plan.commanders.values()))
    lost = Event("leader lost", "PAY-128", {"unit": alone.rpartition(".")[0], "figure": alone})
    assert played.narrator.describe_event(lost) == f"{played.plan.figures[alone].name} was lost"
    of_many = Event("leader lost", "PAY-128", {"unit": "fusiliers", "figure": "fusiliers.1"})
    assert played.narrator.describe_event(of_many) == "Fusiliers lost lieutenant 1"


@pytest.mark.rule("PAY-077", "PAY-163")
def test_a_rout_of_men_who_cannot_walk_says_so() -> None:
    for lame, figures in ((1, 1), (2, 0)):
        place = scene(red(2))
        for number in range(lame):
            place.figure(f"red.{number + 1}").mark("lame")
        place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [1, 1])])
        assert place.told("forced move")[0]["figures"] == figures
        told = game("patrol_clash").narrator.describe_event(place.events[0])
        nobody = "red had to fall back 2 inches, but no figure could move"
        assert told == ("red fell back 2 inches, backs turned" if figures else nobody)
    place.unit("red").rout = "rout_3d6_rally_7"
    place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [1, 1])])
    told = game("patrol_clash").narrator.describe_event(place.events[0])
    assert told == "red had to rout 2 inches, but no figure could move"


@pytest.mark.rule("PAY-078", "PAY-084", "PAY-166")
@pytest.mark.parametrize(
    ("kind", "told", "words"),
    [
        ("figures ran", {"figures": 1}, "1 figure of {unit} ran"),
        ("figures ran", {"figures": 0}, "none of {unit} ran"),
        ("dismounted", {"figures": 2}, "2 figures of {unit} dismounted"),
        ("climbed", {"figures": 1}, "1 figure of {unit} climbed the wall"),
        ("limbered", {"engine": "the_gun"}, "the_gun was limbered"),
        ("drives", {"engine": "the_gun", "to": [3.0, 4.5]}, "the_gun moved to a point 8 inches south of the knoll"),
        ("stayed", {"by": "the_gun", "gait": "run"}, "the_gun stayed in place, which counts as running"),
        ("stayed", {"by": "the_gun", "gait": "advance"}, "the_gun stayed in place, which counts as advancing"),
        ("got on", {"figures": 3, "engine": "the_cart"}, "3 figures of {unit} got on the_cart"),
        ("got off", {"figures": 0, "engine": "the_cart"}, "none of {unit} got off the_cart"),
        ("altitude", {"engine": "the_ship", "steps": 2, "rose": True}, "the_ship rose to altitude 2"),
        ("altitude", {"engine": "the_ship", "steps": 1, "rose": False}, "the_ship sank to altitude 1"),
        ("altitude", {"engine": "the_ship", "steps": 0, "rose": False}, "the_ship came down to the ground"),
        ("jam cleared", {"gun": "the_gun"}, "{unit} cleared the jam of the_gun"),
        ("died", {"figure": "the_man"}, "the_man was killed where he lay"),
    ],
)
def test_the_log_says_how_many_did_it_and_with_what(kind: str, told: dict[str, object], words: str) -> None:
    played = game("patrol_clash")
    said = played.narrator.describe_event(Event(kind, "PAY-078", {"unit": "fusiliers", **told}))
    assert said == words.format(unit=played.plan.units["fusiliers"].name)


@pytest.mark.rule("PAY-032", "PAY-078")
def test_single_figure_unit_is_not_called_one_of_itself() -> None:
    played = game("paychest_raid")
    got_down = Event("dismounted", "PAY-078", {"unit": "caid", "figures": 1})
    assert played.narrator.describe_event(got_down) == "Caid Bou Azza dismounted"


@pytest.mark.rule("PAY-069", "PAY-084")
def test_dice_are_named_in_plain_words() -> None:
    thrown = Roll("gun_limbered advances", "PAY-069", "red", 2, 6, SUM)
    assert (
        game("patrol_clash").narrator.describe(scene(red(1)).battle, thrown).startswith("Gun limbered advances, red: ")
    )


@pytest.mark.rule("PAY-046", "PAY-115")
def test_cards_are_reported_by_what_they_stand_for() -> None:
    played = game("patrol_clash")
    drawn = Draw("card", "PAY-046", "", None, (("young_men", 1),))
    assert played.narrator.describe_card(drawn, "young_men") == played.plan.units["young_men"].name == "Young men"
    assert played.narrator.describe_card(drawn, "belly_body_wound") == "wounded in the belly"


@pytest.fixture
def ford() -> PaychestGame:
    found = load_rules("paychest").game(load_scenario("river_ford"))
    assert isinstance(found, PaychestGame)
    return found


@pytest.mark.rule("PAY-053", "PAY-055")
@pytest.mark.parametrize(
    ("stage", "drawn", "step", "belongs"),
    [
        ("move", 3, "unit.fire", True),
        ("move", 3, "unit.melee", True),
        ("move", 4, "unit.melee", False),
        ("move", 3, "unit.card", False),
        ("fire", 3, "unit.melee", False),
        ("end", 3, "turn.end", False),
    ],
)
def test_the_melee_belongs_to_the_move_of_the_same_card(
    ford: PaychestGame, stage: str, drawn: int, step: str, belongs: bool
) -> None:
    before = ford.start()
    before.turn, before.drawn, before.stage = 1, 3, stage
    after = before.copy()
    after.drawn = drawn
    assert ford.odds_horizon.includes(before, after, Step(step, 1, "any")) is belongs


@pytest.mark.rule("PAY-127", "PAY-128", "PAY-158", "PAY-175")
def test_hits_wounds_and_routs_of_a_unit_are_reported(ford: PaychestGame) -> None:
    before = ford.start()
    name, (part, *_) = next(
        (name, ford.plan.parts.get(name, (name,))) for name in before.units if name in ford.scenario.units
    )
    assert not ford.display.changes(before, before.copy())
    after = before.copy()
    unit = after.change(part)
    unit.hits, unit.rout, unit.lost = 2, "rout_3d6_rally_7", (next(iter(unit.figures)),)
    man, other = list(unit.figures.values())[:2]
    for figure in (man, other):
        figure.at = figure.at or (5.0, 5.0)
    unit.measure()
    without = ford.display.condition(after)[name]["wounds"]
    man.wounds = ("arm_wound",)
    told = {
        change.what: (change.was, change.now) for change in ford.display.changes(before, after) if change.unit == name
    }
    assert (told["hits"], told["routing"], told["leaders lost"]) == ((0, 2), (False, True), (0, 1))
    assert ford.display.condition(after)[name]["wounds"] == float(without) + 1


def test_a_stretch_of_ground_is_named_by_its_landmarks() -> None:
    played = load_rules("paychest").game(load_scenario("patrol_clash"))

    def told(target: str) -> str:
        data = {"by": "sikhs", "target": target, "shots": 2, "hits": 0}
        return str(played.narrator.describe_event(Event("fire", "PAY-054", data))).partition(" at ")[2]

    assert (
        told("the stretch from 10, 30 to 24, 20")
        == "the stretch from 4 inches north of the west part of the Nullah to the village: no hits"
    )
    assert told("the stretch from 24, 20 to 24.5, 20") == "a stretch at the village: no hits"
    assert told("whoever was at 24, 20") == "whoever was at the village: no hits"
