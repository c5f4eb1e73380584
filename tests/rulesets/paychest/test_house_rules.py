"""House rules: changed numbers, new actions, and events in their own words."""

from __future__ import annotations

from fractions import Fraction as F
from math import dist
from pathlib import Path

import pytest
from tests.rulesets.paychest.stage import (
    Scene,
    at,
    bare_unit,
    blue,
    chances,
    house_ruled,
    machine_acts,
    red,
    rules_with,
    scenario,
    scene,
)

from zareba.actions import Action
from zareba.agents import make_agent
from zareba.base.errors import FileError, ZarebaError
from zareba.battle.sentence_templates import words_of
from zareba.odds import odds
from zareba.registry import find_house_rule, load_rules, ruleset
from zareba.rules import Rules
from zareba.scenario.model import CarryOff
from zareba.table import Choose, Confirm, Event, Option, Place, SeededTable
from zareba_rulesets.paychest.actions.actor import MovingUnit
from zareba_rulesets.paychest.actions.melee_pairing import melee_step
from zareba_rulesets.paychest.actions.movement import MOVE_ACTIONS, move_unit, offer_moves
from zareba_rulesets.paychest.actions.tables import ACTION_TABLES
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.organisation import muster
from zareba_rulesets.paychest.chapters.fire import aimed_shot
from zareba_rulesets.paychest.chapters.marching import MovingFigure, march
from zareba_rulesets.paychest.chapters.morale import carry_out, fall_back, rally
from zareba_rulesets.paychest.chapters.mounts import climb
from zareba_rulesets.paychest.chapters.sight import covers_of, obstacles_between
from zareba_rulesets.paychest.chapters.victory import PaychestScoreboard
from zareba_rulesets.paychest.evaluation import best_places, evaluate
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.units import Thing
from zareba_rulesets.paychest.game import PaychestGame
from zareba_rulesets.paychest.presentation.odds_hints import next_act
from zareba_rulesets.paychest.presentation.words import option_phrase, question_sentence
from zareba_rulesets.paychest.translation import make_force, shots_of, translate


@pytest.mark.rule("PAY-013", "PAY-116")
def test_the_odds_of_cards_are_those_of_the_pack_as_a_house_rule_has_it(tmp_path: Path) -> None:
    rules = house_ruled(tmp_path, "at: casualty_cards.head_killed.copies, was: 4, to: 12")
    asked = rules.ruleset.procedure("casualty")
    assert odds(rules, asked, asked.facts()).probability(lambda o: o.fate == "killed") == F(20, 60)
    asked = rules.ruleset.procedure("melee_casualties")
    one = odds(rules, asked, asked.facts(a_skill=0, b_skill=6))
    plain = chances("melee_casualties", a_skill=0, b_skill=6)
    assert one.probability(lambda o: o.a == "killed") > plain.probability(lambda o: o.a == "killed")


@pytest.mark.rule("PAY-116", "PAY-117")
def test_cards_that_are_out_are_named_by_class_and_cannot_be_more_than_there_are() -> None:
    drawn = ("head_killed",) * 4 + ("chest_killed",) * 6 + ("belly_killed",) * 2
    assert chances("casualty", drawn=drawn).probability(lambda o: o.fate == "killed") == 0
    with pytest.raises(ZarebaError, match="there is no casualty card 'hed_killed'; did you mean 'head_killed'"):
        chances("casualty", drawn=("hed_killed",))
    with pytest.raises(ZarebaError, match="has fewer cards"):
        chances("casualty", drawn=("arm_wound",) * 4)


@pytest.mark.rule("PAY-128")
def test_the_odds_of_shots_at_a_leader_know_when_he_is_lost_already() -> None:
    with pytest.raises(ZarebaError, match="lost already"):
        chances("shots_at_leader", leader_leg_wounds=2)


@pytest.mark.rule("PAY-175")
@pytest.mark.parametrize(
    ("change", "settings", "jammed"),
    [
        ("at: jam.second, was: 1, to: 2", {}, F(1, 6) * F(2, 6)),
        ("at: jam.first, was: 1, to: 3", {}, F(3, 6) * F(1, 6)),
        ("at: jam.in_a_row, was: 2, to: 1", {"jam_test": "consecutive_shots"}, F(1, 6)),
    ],
)
def test_house_rule_changes_the_jam_of_a_machine_gun(
    tmp_path: Path, change: str, settings: dict[str, str], jammed: F
) -> None:
    rules = house_ruled(tmp_path, change, **settings)
    asked = rules.ruleset.procedure("machine_gun")
    one = odds(rules, asked, asked.facts(skill=4, inches=10.0, shots=1))
    assert one.probability(lambda o: o.jammed) == jammed


@pytest.mark.rule("PAY-114")
def test_share_of_a_group_that_needs_cover(tmp_path: Path) -> None:
    wall = {"wall": ("low_wall", [(10.0, 19.5), (20.6, 19.5)])}  # in front of the first of two
    for share, cover in ((0.5, "hard"), (0.6, "none")):
        rules = house_ruled(tmp_path, f"at: mixed_cover.share, was: 0.5, to: {share}")
        place = scene(red(1), blue(2), lines=wall, rules=rules)
        men = place.unit("blue").able
        view = obstacles_between(place.battle, "red", (20.0, 10.0, 20.0, 10.0), place.unit("blue").box)
        shot = aimed_shot(place.battle, view, place.figure("red.1"), "rifle", men, covers_of(place.battle, men))
        assert shot is not None and shot.cover == cover


@pytest.mark.rule("PAY-138", "PAY-142")
@pytest.mark.parametrize("most", [1, 2, 3])
def test_house_rule_changes_how_many_figures_fight_one(tmp_path: Path, most: int) -> None:
    rules = house_ruled(tmp_path, f"at: most_against_one.most, was: 2, to: {most}")
    around = [(20.0, 19.0), (21.0, 20.0), (19.0, 20.0)]
    place = scene(bare_unit("red", "red", around), blue(1), rules=rules)
    script = [("melee", "fight all"), ("melee", [6] * most), ("melee", [6])]
    place.play(melee_step, place.battle, place.unit("red"), script=script)
    assert len(place.told("melee")[0]["ours"]) == most
    place = scene(bare_unit("red", "red", [(20.0, 20.0)]), bare_unit("blue", "blue", around), rules=rules)
    joins = [("joins against", "blue.2"), ("joins against", "blue.3")][: most - 1]
    script = [("melee", "man by man"), ("fights", "blue.1"), *joins, ("melee", [6]), ("melee", [6] * most)]
    place.play(melee_step, place.battle, place.unit("red"), script=script)
    assert len(place.told("melee")[0]["theirs"]) == most


@pytest.mark.rule("PAY-193")
@pytest.mark.parametrize(("share", "side"), [(0.5, "raiders"), (0.6, None)])
def test_share_of_a_herd_that_must_cross_the_edge(tmp_path: Path, share: float, side: str | None) -> None:
    rules = house_ruled(tmp_path, f"at: led_off.share, was: 0.5, to: {share}")
    played = PaychestGame(rules, scenario("paychest_raid"))
    battle = played.start()
    goal = next(goal for goal in played.scenario.objectives.values() if isinstance(goal, CarryOff))
    for number in range(4):
        mule = Thing("mount", f"mule {number}", "", None, goal="herd")
        mule.taken_by, mule.edge = ("raiders", goal.edge) if number < 2 else ("", "")
        battle.things[f"mule {number}"] = mule
    battle.objective_thing_ids = None
    standing = PaychestScoreboard(battle, played.scenario, played.plan, turn_over=False)
    assert standing.carried_off(goal.model_copy(update={"object": "herd"})) == side


@pytest.mark.rule("PAY-194")
def test_ai_goes_as_near_to_a_place_as_the_changed_rule_asks(tmp_path: Path) -> None:
    rules = house_ruled(tmp_path, "at: held_within.inches, was: 2.0, to: 5.0")
    near, far = (
        next(
            goal.radius
            for goal in PaychestGame(one, scenario("hill_fort")).start().objectives
            if goal.kind == "hold" and goal.radius
        )
        for one in (rules_with(), rules)
    )
    assert far == near + 3.0


@pytest.mark.rule("PAY-155", "PAY-166")
def test_distance_and_facing_of_single_runners(tmp_path: Path) -> None:
    for change, dice, turned in (("dice, was: 1, to: 2", [3, 2], True), ("backs, was: true, to: false", [5], False)):
        place = scene(red(1, y=20.0), rules=house_ruled(tmp_path, f"at: results.hold_figures_1.{change}"))
        script = [("stand or run", 1), ("forced move", dice)]
        place.play(carry_out, place.battle, place.unit("red"), "hold_figures_1", script=script)
        assert at(place, "red.1") == pytest.approx((20.0, 15.0))
        assert ("back turned" in place.figure("red.1").marks) is turned


@pytest.mark.rule("PAY-163")
def test_gap_to_the_enemy_after_a_forced_move(tmp_path: Path) -> None:
    """The man would run to 10. The search for the enemy at 1 reaches as far as the changed distance."""
    rules = house_ruled(tmp_path, "at: short_of_enemies.inches, was: 1.0, to: 12.0")
    for change, end in ((rules, 14.0), (rules_with(), 10.0)):
        place = scene(red(1, y=20.0), blue(1, y=1.0), rules=change)
        place.play(fall_back, place.battle, place.unit("red"), 2, backs=True, script=[("forced move", [5, 5])])
        assert at(place, "red.1") == pytest.approx((20.0, end))


@pytest.mark.rule("PAY-158", "PAY-165")
def test_a_rout_that_must_face_the_enemy_by_a_house_rule_keeps_facing_him(tmp_path: Path) -> None:
    rules = house_ruled(tmp_path, "at: results.rout_3d6_rally_7.backs, was: true, to: false")
    place = scene(red(1, y=30.0), rules=rules)
    place.unit("red").rout = "rout_3d6_rally_7"
    place.play(rally, place.battle, place.unit("red"), script=[("rally", [1, 1]), ("forced move", [1, 1, 1])])
    assert "back turned" not in place.figure("red.1").marks


@pytest.mark.rule("PAY-024", "PAY-025")
def test_the_shots_of_a_profile_are_those_of_its_men(tmp_path: Path) -> None:
    recruits, chiefs = "at: profiles.recruit.shots, was: 2, to: 1", "at: profiles.arab_chief.shots, was: 1, to: 3"
    book = PaychestBook(house_ruled(tmp_path, recruits, chiefs))
    found = [shots_of(book, *figure) for figure in (("recruit", "regular", True), ("arab_chief", "irregular", False))]
    assert found == [1, 3] and shots_of(book, "arab_chief", "regular", False) == 2
    none = PaychestBook(house_ruled(tmp_path, recruits, chiefs, double_fire="none"))
    assert shots_of(none, "arab_chief", "irregular", False) == 1


def test_a_pack_without_cards_is_refused(tmp_path: Path) -> None:
    cards = PaychestBook(rules_with()).cards
    changes = [f"at: casualty_cards.{name}.copies, was: {card.copies}, to: 0" for name, card in cards.items()]
    with pytest.raises(FileError, match="the casualty deck has no cards"):
        house_ruled(tmp_path, *changes)


def test_an_event_with_a_house_rules_own_fields_does_not_break_the_log(tmp_path: Path) -> None:
    played = PaychestGame(house_ruled(tmp_path, "at: unit_size.most, was: 40, to: 39"), scenario("patrol_clash"))
    unit = next(iter(played.plan.units))
    name = played.plan.units[unit].name
    odd: dict[str, object] = {"unit": unit, "at": None, "to": 3, "figures": None, "hits": None, "card": 7}
    for kind in words_of(ruleset("paychest").folder / "presentation" / "words.yaml").events:
        for data in ({}, {"unit": unit}, odd):
            assert played.narrator.describe_event(Event(kind, "X-1", dict(data))), kind
    assert (
        played.narrator.describe_event(Event("move", "X-1", {"text": "The swamp took them."})) == "The swamp took them."
    )
    loss = played.narrator.describe_event(Event("loss", "X-1", {"unit": unit, "lost": 2}))
    assert loss == f"{name} lost 2 men"


def test_options_of_house_rules_with_own_fields_have_texts() -> None:
    place = scene(red(2), blue(2))
    own = Choose("who digs", "X-1", "red", "red", (("red.1", "red.2"), ("take", "cover"), ("mount",)), ())
    said = [option_phrase(place.battle, own, option) for option in own.options]
    assert said == ["private 1 of red and private 2 of red", "take and cover", "mount"]
    ready = Confirm("saddle", "X-1", "red.1", "red", ("gallop",))
    assert question_sentence(place.battle, ready, {}).endswith("?")


@pytest.mark.parametrize("actor", ["", "nobody", "red", "red.1", "gun"])
def test_commanders_answer_what_a_house_rule_asks(actor: str) -> None:
    place = scene(red(2), blue(2), engines={"gun": Engine("gun", "the gun", "red", "red", (20.0, 10.0))})
    dug = Choose("who digs", "X-1", actor, "red", ("one", "two"), ())
    spot = Place("dig at", "X-1", actor, "red", ((1.0, 2.0), (3.0, 4.0)), lambda _: None)
    assert len(evaluate(place.battle, dug)) == len(evaluate(place.battle, spot)) == 2
    assert len(evaluate(place.battle, Confirm("digs", "X-1", actor, "red", ()))) == 2
    assert set(best_places(place.battle, spot)) <= {(1.0, 2.0), (3.0, 4.0)}
    assert next_act(place.battle, dug, "one") is None


RULE = """
\"\"\"Curses: once a turn a unit may shout at an enemy within 10 inches, who is not impressed.\"\"\"

from zareba.api import Action, Evaluation, RulesValue, SimpleAction, hookimpl

RULESETS = ("paychest",)


class Curse(Action, verb="curse", text="curse the {enemy:name}", odds="move"):
    enemy: str

    @classmethod
    def options(cls, actor):
        if "cursed" not in actor.unit.marks:
            for enemy in actor.battle.enemies(actor.unit.spec.side):
                yield cls(enemy.spec.id)

    def perform(self, table, actor):
        actor.unit.mark("cursed")

    def value(self, view):
        return Evaluation(inflicts=0.001, reason=f"{view.away:.0f} inches is within earshot")


def rest(actor):
    return "rested" not in actor.unit.marks


REST = SimpleAction(
    "rest",
    "sit down",
    may=rest,
    does=lambda table, actor: actor.unit.mark("rested"),
    worth=RulesValue(lambda book: Evaluation(reason="sitting wins no ground")),
)


@hookimpl
def zareba_actions():
    return {"move": [Curse], **{why: [REST] for why in ("handle", "fire", "melee", "posture", "at the edge")}}
"""


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    file = tmp_path / "curses.py"
    file.write_text(RULE.lstrip(), encoding="utf-8")
    return load_rules("paychest", {}, [find_house_rule(str(file))])


def place(rules: Rules) -> Scene:
    return scene(red(4), blue(3, y=30.0), rules=rules)


def test_an_action_is_offered_after_those_of_the_rules_and_has_a_text_and_a_value(rules: Rules) -> None:
    there = place(rules)
    battle, unit = there.battle, there.unit("red")
    options = offer_moves(MovingUnit(battle, unit, {}))
    assert options == ["halt", "advance", "run", "man by man", ("curse", "blue")]
    game = PaychestGame(rules, scenario("patrol_clash"))
    question = Choose("move", "PAY-067", "red", "red", tuple(options), ())
    assert (
        game.narrator.describe_option(battle, question, ("curse", "blue"))
        == f"curse the {battle.unit('blue').spec.name}"
    )
    found = game.advisor.evaluate(battle, question)[-1]
    assert (found.inflicts, found.reason) == (0.001, "20 inches is within earshot")
    assert game.advisor.has_odds(battle, question, ("curse", "blue"))


def test_house_action_is_performed_and_the_unit_continues(rules: Rules) -> None:
    there = place(rules)
    there.play(
        move_unit,
        there.battle,
        there.unit("red"),
        script=[("handle", "done"), ("move", ("curse", "blue")), ("move", "halt"), ("handle", "done")],
    )
    assert "cursed" in there.unit("red").marks


@pytest.mark.parametrize("kind", ["random", "doctrine"])
def test_every_question_of_actions_takes_actions_of_house_rules(rules: Rules, kind: str) -> None:
    game = PaychestGame(rules, scenario("patrol_clash"))
    state = game.start()
    table = SeededTable(game.rules, state, 3, {seat: make_agent(kind, game, seat, 3) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and state.turn < 4:
        table.begin(step)
        game.play.perform(table, state, step)
    assert {actions.question for actions in ACTION_TABLES} == {"move", *rules.house_actions}


def test_every_action_of_the_rules_is_read_back_from_its_option() -> None:
    assert set(MOVE_ACTIONS.by_verb) >= {"mount", "climb", "drive", "push", "board", "get off"}
    for table in ACTION_TABLES:
        for verb, action in table.by_verb.items():
            if isinstance(action, type) and issubclass(action, Action):
                full = action(*["x"] * len(action.names))
                assert table.action_of(full.option) == full, verb
            else:
                assert table.action_of(verb) is action


ROAD = {"road": ("road", [(15.0, 0.0), (25.0, 0.0), (25.0, 40.0), (15.0, 40.0)])}


def walked(place: Scene) -> float:
    """Return how far north a man goes with an allowance of 8 inches."""
    march(place.battle, place.unit("red"), [MovingFigure(place.figure("red.1"), 8.0)], (20.0, 40.0))
    return at(place, "red.1")[1] - 10.0


@pytest.mark.rule("PAY-085")
def test_the_price_of_open_ground_is_paid_where_no_piece_of_terrain_lies(tmp_path: Path) -> None:
    dear = house_ruled(tmp_path, "at: terrain.open.foot, was: 1, to: 2")
    assert walked(scene(red(1))) == pytest.approx(8.0)
    assert walked(scene(red(1), rules=dear)) == pytest.approx(4.0)
    assert walked(scene(red(1), rules=dear, areas=ROAD)) == pytest.approx(8.0)


@pytest.mark.rule("PAY-085")
def test_cheap_road_takes_a_unit_farther_than_its_dice(tmp_path: Path) -> None:
    cheap = house_ruled(tmp_path, "at: terrain.road.foot, was: 1, to: 0.5")
    assert walked(scene(red(1), rules=cheap, areas=ROAD)) == pytest.approx(16.0)
    met = scene(red(1), blue(1, y=22.0), rules=cheap, areas=ROAD)
    assert walked(met) == pytest.approx(11.0)  # he stops at the first enemy in his path (PAY-071)


@pytest.mark.rule("PAY-085")
def test_open_ground_is_passable_for_everyone(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"terrain\.open\.wheels: open ground must be passable; give it a price"):
        house_ruled(tmp_path, "at: terrain.open.wheels, was: 1, to: null")


def _gun_and_crew(rules: Rules | None, *, limbered: bool) -> Scene:
    piece = Engine("gun", "gun", "red", "red", (20.0, 10.0), limbered=limbered)
    return scene(bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), engines={"gun": piece}, rules=rules)


def _acts_of_a_gun(rules: Rules | None, *, limbered: bool) -> list[Option]:
    place = _gun_and_crew(rules, limbered=limbered)
    return list(machine_acts(place.battle, place.unit("red")))


@pytest.mark.rule("PAY-066", "PAY-084")
def test_a_gun_runs_by_hand_where_a_house_rule_gives_it_dice_to_run_with(tmp_path: Path) -> None:
    fast = house_ruled(tmp_path, "at: movers.gun_by_hand.run, was: 0, to: 2")
    assert _acts_of_a_gun(None, limbered=False) == [("push", "gun")]
    assert _acts_of_a_gun(fast, limbered=False) == [("push", "gun"), ("push", "gun", "run")]
    place = _gun_and_crew(fast, limbered=False)
    script = [
        ("move", ("push", "gun", "run")),
        ("gun_by_hand advances", [3]),
        ("gun_by_hand runs on", [4]),
        ("drive to", (20.0, 30.0)),
    ]
    place.play(move_unit, place.battle, place.unit("red"), script=script)
    assert place.battle.engines["gun"].at == pytest.approx((20.0, 17.0)) and place.figure("red.1").gait == "run"
    asked = Choose("move", "PAY-084", "red", "red", (("push", "gun", "run"),), ())
    assert option_phrase(place.battle, asked, ("push", "gun", "run")) == "push the gun at the run"


@pytest.mark.rule("PAY-066")
def test_limbered_gun_that_cannot_run_is_not_offered_a_run(tmp_path: Path) -> None:
    slow = house_ruled(tmp_path, "at: movers.gun_limbered.run, was: 3, to: 0")
    assert ("drive", "gun", "run") in _acts_of_a_gun(None, limbered=True)
    assert _acts_of_a_gun(slow, limbered=True) == [("unlimber", "gun"), ("drive", "gun", "advance")]


@pytest.mark.rule("PAY-204", "PAY-211")
def test_the_staff_of_a_battery_of_machine_guns_has_none_of_its_own(tmp_path: Path) -> None:
    own = (
        "add: organisation.gatling_battery, entry: {rule: OUR-1, title: Gatling battery, kind: regular, arm: machine_gun, "
        "staff: {lieutenant: 1, private: 1}, of: {machine_gun_section: {least: 2, most: 4}}}"
    )
    rules = house_ruled(tmp_path, own)
    assert [(section.arm, section.guns) for section in muster(PaychestBook(rules), "gatling_battery")] == [
        ("infantry", 0), ("machine_gun", 1), ("machine_gun", 1),
    ]  # fmt: skip
    force = make_force(rules, "gatling_battery:3", "red", commands=False)
    assert [unit["arm"] for unit in force.units.values()] == ["infantry", *["machine_gun"] * 3]
    with pytest.raises(FileError, match="a scenario unit has one machine gun; use more sections"):
        house_ruled(tmp_path, "at: organisation.machine_gun_section.guns, was: 1, to: 2")


@pytest.mark.rule("PAY-080")
def test_a_scenario_arms_wagons_with_what_they_have_room_for(tmp_path: Path) -> None:
    own = scenario("patrol_clash")
    cart = next(name for name, unit in own.units.items() if unit.arm == "infantry")
    units = own.units | {cart: own.units[cart].model_copy(update={"arm": "wagon", "figures": 6})}

    def guns(rules: Rules, *armament: str) -> list[str]:
        said = {"paychest": {"armed": {cart: list(armament)}}}
        plan = translate(PaychestBook(rules), own.model_copy(update={"units": units, "overrides": said}))
        return [engine.kind for engine in plan.engines.values() if engine.carrier == f"{cart} wagon"]

    plain = house_ruled(tmp_path, "at: unit_size.most, was: 40, to: 39")
    assert guns(plain) == [] and guns(plain, "machine_gun", "machine_gun", "gun") == ["machine_gun"]
    roomy = house_ruled(tmp_path, "at: conveyances.wagon.guns, was: 0, to: 1")
    assert guns(roomy, "machine_gun", "gun") == ["machine_gun", "gun"]
    with pytest.raises(ZarebaError, match="armed"):
        guns(plain, "bombs")


@pytest.mark.rule("PAY-091")
def test_distance_at_which_wall_defenders_are_met(tmp_path: Path) -> None:
    near = house_ruled(tmp_path, "at: climb_contact.inches, was: 1.0, to: 0.4")

    def landed(rules: Rules | None) -> float:
        fort = {"wall": ("high_wall", [(10.0, 14.0), (40.0, 14.0)])}
        units = bare_unit("red", "red", [(20.0, 13.5)]), bare_unit("blue", "blue", [(21.5, 14.0)])
        place = scene(*units, lines=fort, rules=rules)
        place.play(climb, place.battle, place.unit("red"), place.unit("red").able)
        return at(place, "red.1")[0]

    assert landed(None) == pytest.approx(20.5) and landed(near) == pytest.approx(20.0)


@pytest.mark.rule("PAY-091", "PAY-071")
def test_climber_never_lands_on_a_comrade(tmp_path: Path) -> None:
    """The defender on the wall is nine inches off, and another climber is already there in contact with him."""
    far = house_ruled(tmp_path, "at: climb_contact.inches, was: 1.0, to: 12.0")
    fort = {"wall": ("high_wall", [(10.0, 14.0), (40.0, 14.0)])}
    units = bare_unit("red", "red", [(20.0, 13.5), (28.0, 14.2)]), bare_unit("blue", "blue", [(29.0, 14.0)])
    place = scene(*units, lines=fort, rules=far)
    place.play(climb, place.battle, place.unit("red"), [place.figure("red.1")])
    assert dist(at(place, "red.1"), at(place, "red.2")) >= 1.0 - 1e-6
