"""The odds that a player may ask before he takes an option."""

from __future__ import annotations

from fractions import Fraction as F
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.rulesets.paychest.stage import Scene, bare_unit, blue, chances, game, house_ruled, red, rules_with, scene

from zareba.odds import Odds, odds
from zareba.table import Choose, Confirm, Option, Place, SeededTable
from zareba_rulesets.paychest.battle import Engine
from zareba_rulesets.paychest.forecast import odds_before


def asked(
    place: Scene, why: str, option: Option, actor: str = "red", about: tuple[Any, ...] = ()
) -> list[tuple[str, str, Any]]:
    return list(odds_before(place.battle, Choose(why, "PAY-001", actor, "red", (option, "other"), about), option))


def odds_of(place: Scene, one: tuple[str, str, Any]) -> Odds:
    return odds(place.rules, place.rules.ruleset.procedure(one[1]), one[2])


@pytest.mark.rule("PAY-094", "PAY-105", "PAY-116")
def test_a_volley_of_men_alike_at_fresh_men_with_the_deck_as_it_stands() -> None:
    deck = {"head_killed": 3, "arm_graze": 1}
    place = scene(red(2, y=10.0), blue(2, y=20.0), deck=deck)  # short range, skill 4: two shots that hit with 4/6
    (one,) = asked(place, "volley at", ("blue", "blue.1"))
    assert one[0] == "2 shots at 2 of blue" and one[1] == "volley_losses"
    hits = {0: F(1, 9), 1: F(4, 9), 2: F(4, 9)}
    # two hits: with 1/2 both cards kill (on two men with 1/2), with 1/2 one does
    exact = odds_of(place, one)
    assert exact.probability(lambda o: o.killed == 0) == hits[0] + hits[1] * F(1, 4)
    assert exact.probability(lambda o: o.killed == 2) == hits[2] * F(1, 2) * F(1, 2)


@pytest.mark.rule("PAY-113", "PAY-114")
def test_men_who_do_not_shoot_alike_are_told_apart() -> None:
    place = scene(red(3, y=10.0), blue(2, y=20.0))
    place.figure("red.1").wounds = ("arm_wound",)
    found = asked(place, "volley at", ("blue", "blue.1"))
    assert sorted(one[2].firers for one in found) == [1, 2] and {one[1] for one in found} == {"volley"}
    means = sorted(odds_of(place, one).mean(lambda o: o.hits) for one in found)
    assert means == [F(3, 6), 2 * F(4, 6)]


@pytest.mark.rule("PAY-092", "PAY-128")
def test_a_shot_at_a_leader_tells_what_his_loss_would_do() -> None:
    place = scene(red(1, leader="sergeant"), blue(3, leader="leader"))
    (one,) = asked(place, "fire at", "blue.1", actor="red.1")
    lost = odds_of(place, one).probability(lambda o: o.lost)
    assert one[1] == "shots_at_leader" and lost == F(4, 6) * F(11, 26)
    (plain,) = asked(place, "fire at", "blue.2", actor="red.1")
    assert plain[1] == "to_hit" and odds_of(place, plain).probability(lambda o: o.hit) == F(4, 6)


@pytest.mark.rule("PAY-173", "PAY-175", "PAY-189")
def test_a_gun_and_those_who_hide_from_it() -> None:
    gun = {"gun": Engine("machine_gun", "the gun", "red", "red", (20.0, 10.0))}
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    place = scene(bare_unit("red", "red", [(18.5, 10.0)]), blue(9), engines=gun, lines=wall)
    for number in range(1, 8):
        place.figure(f"blue.{number}").mark("down")
    shot, shock = asked(place, "gun at", ("blue", "blue.8"), actor="gun")
    assert (shot[1], shock[1], shock[2].hidden) == ("machine_gun", "cover_shock", 7)
    # 4 - 1 for medium range - 2 for hard cover; a 1 and then a 1 jams, and the hit stands
    exact = odds_of(place, shot)
    assert exact.probability(lambda o: o.hits == 1) == F(1, 6) and exact.probability(lambda o: o.jammed) == F(1, 36)


@pytest.mark.rule("PAY-139", "PAY-142", "PAY-143")
def test_melees_one_to_one_and_two_to_one() -> None:
    place = scene(
        bare_unit("red", "red", [(20.0, 10.0), (22.0, 10.0)]), bare_unit("blue", "blue", [(21.0, 10.0)], melee=3)
    )
    (one,) = asked(place, "melee", "fight all")
    assert (one[2].a_skill, one[2].b_skill, one[2].b2_skill) == (3, 4, 4)
    place.figure("blue.1").wounds = ("body_wound",)
    (single,) = asked(place, "fights", "blue.1", actor="red.1")
    exact = odds_of(place, single)
    assert exact.probability(lambda o: o.on_b > 0) > exact.probability(lambda o: o.on_a > 0)
    assert asked(place, "fights", "does not fight", actor="red.1") == []


@pytest.mark.rule("PAY-094", "PAY-100")
def test_a_volley_is_of_those_who_fire_in_it() -> None:
    place = scene(red(4, y=10.0, leader="sergeant"), blue(2, y=20.0))

    def shots(about: tuple[str, ...] = ()) -> int:
        return sum(one[2].firers for one in asked(place, "volley at", ("blue", "blue.1"), about=about))

    assert (shots(), shots(("red.1", "red.2", "red.3", "red.4")), shots(("red.2", "red.4"))) == (3, 4, 2)
    place.unit("red").volleys = 2  # two shots a man, two volleys a unit
    assert asked(place, "volley at", ("blue", "blue.1")) == []


@pytest.mark.rule("PAY-092", "PAY-128", "PAY-132", "PAY-135")
@pytest.mark.setting("leader_loss_scope")
def test_only_a_loss_that_calls_for_a_roll_is_told() -> None:
    def told(scope: str = "current", count: int = 3, lost: tuple[str, ...] = (), target: str = "blue.1") -> str:
        place = scene(red(1, leader="sergeant"), blue(count, leader="leader"), leader_loss_scope=scope)
        if count > 1:
            place.figure("blue.2").rank = "sub_leader"
        place.unit("blue").lost = lost
        ((_, procedure, _),) = asked(place, "fire at", target, actor="red.1")
        return procedure

    assert (told(), told(count=1), told(lost=("blue.1",))) == ("shots_at_leader", "to_hit", "to_hit")
    assert (told(target="blue.2"), told("any", target="blue.2")) == ("to_hit", "shots_at_leader")


@pytest.mark.rule("PAY-187", "PAY-188")
@pytest.mark.setting("exposure_check")
@pytest.mark.parametrize(("setting", "exposure", "killed"), [("guns_only", "open", 12), ("all_fire", "low_wall", 10)])
def test_what_hits_do_to_men_in_cover_is_told_with_the_parts_that_show(
    setting: str, exposure: str, killed: int
) -> None:
    """Behind a low wall head, chest and arm show: 10 of the 12 cards that kill (Table 7)."""
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    place = scene(red(1, weapons=("rifle",), shots=1), blue(2), lines=wall, exposure_check=setting)
    (one,) = asked(place, "volley at", ("blue", "blue.1"))
    assert (one[1], one[2].exposure) == ("volley_losses", exposure)
    assert odds_of(place, one).probability(lambda o: o.killed == 1) == F(2, 6) * F(killed, 52)
    bare = scene(red(2), blue(2), exposure_check=setting)
    (one,) = asked(bare, "volley at", ("blue", "blue.1"))
    assert one[2].exposure == "open"


@pytest.mark.rule("PAY-188")
@pytest.mark.setting("exposure_check")
def test_what_hits_do_to_men_who_do_not_show_alike_is_not_told() -> None:
    wall = {"wall": ("low_wall", [(10.0, 19.5), (20.6, 19.5)])}
    place = scene(red(2), blue(2), lines=wall, exposure_check="all_fire")
    assert {one[1] for one in asked(place, "volley at", ("blue", "blue.1"))} == {"volley"}


@pytest.mark.rule("PAY-128", "PAY-188")
@pytest.mark.setting("exposure_check")
@pytest.mark.parametrize(("setting", "lost"), [("guns_only", 22), ("all_fire", 12)])
def test_a_shot_at_a_leader_behind_a_wall_counts_the_parts_that_show(setting: str, lost: int) -> None:
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    place = scene(red(1, leader="sergeant"), blue(3, leader="leader"), lines=wall, exposure_check=setting)
    (one,) = asked(place, "fire at", "blue.1", actor="red.1")
    assert odds_of(place, one).probability(lambda o: o.lost) == F(2, 6) * F(lost, 52)


@pytest.mark.rule("PAY-119", "PAY-120", "PAY-128")
def test_a_shot_at_a_leader_with_wounds_reckons_with_them() -> None:
    place = scene(red(1, leader="sergeant"), blue(3, leader="leader"))
    place.figure("blue.1").wounds = ("leg_wound", "arm_wound")  # the next wound is his third
    (one,) = asked(place, "fire at", "blue.1", actor="red.1")
    assert one[1] == "shots_at_leader"
    assert odds_of(place, one).probability(lambda o: o.lost) == F(4, 6) * F(45, 52)  # all but the seven grazes
    place.figure("blue.1").wounds = ("leg_wound",)
    (one,) = asked(place, "fire at", "blue.1", actor="red.1")
    assert odds_of(place, one).probability(lambda o: o.lost) == F(4, 6) * F(28, 52)  # six leg wounds more lame him


@pytest.mark.rule("PAY-182", "PAY-187")
def test_a_shell_at_men_who_show_alike_is_told_with_their_cover() -> None:
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    crew, piece = (
        bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]),
        Engine("gun", "the gun", "red", "red", (20, 10)),
    )
    place = scene(crew, blue(3), engines={"gun": piece}, lines=wall)
    (shell,) = asked(place, "gun at", ("blue", "blue.1"), actor="gun")
    assert (shell[0], shell[2].exposure) == ("the gun at 3 of blue", "low_wall")
    open_ground = chances("shell", skill=4, inches=24.0, group=3)
    assert odds_of(place, shell).mean(lambda o: o.killed) < open_ground.mean(lambda o: o.killed)
    short = {"wall": ("low_wall", [(10.0, 19.5), (20.6, 19.5)])}
    mixed = scene(bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]), blue(3), engines={"gun": piece}, lines=short)
    (shell,) = asked(mixed, "gun at", ("blue", "blue.1"), actor="gun")
    assert (shell[0], shell[2].exposure) == ("the gun at 3 of blue, as if every card counted", "open")


@pytest.mark.rule("PAY-116", "PAY-117")
def test_a_house_rule_that_adds_a_card_reaches_the_odds_at_the_prompt(tmp_path: Path) -> None:
    card = "add: casualty_cards.neck_killed, entry: {rule: PAY-116, location: head, result: killed, copies: 8, cards: jokers}"
    rules = house_ruled(tmp_path, card)
    place = scene(red(1, shots=1), blue(2), rules=rules)
    (one,) = asked(place, "volley at", ("blue", "blue.1"))
    assert odds_of(place, one).probability(lambda o: o.killed == 1) == F(4, 6) * F(20, 60)
    place.battle.casualties.pile["neck_killed"] = 0
    (one,) = asked(place, "volley at", ("blue", "blue.1"))
    assert odds_of(place, one).probability(lambda o: o.killed == 1) == F(4, 6) * F(12, 52)


@pytest.mark.rule("PAY-112", "PAY-172", "PAY-173")
@pytest.mark.setting("group_bonus_counts")
def test_a_gun_is_asked_with_the_wounds_of_its_crew_and_the_men_who_hide() -> None:
    gun = {"gun": Engine("machine_gun", "the gun", "red", "red", (20.0, 10.0), first_ones=1)}
    wall = {"wall": ("low_wall", [(10.0, 19.5), (40.0, 19.5)])}
    crew = bare_unit("red", "red", [(18.5, 10.0)])
    place = scene(crew, blue(9), engines=gun, lines=wall, group_bonus_counts="all", jam_test="consecutive_shots")
    crew.figures["red.1"].wounds = ("arm_wound",)
    for number in range(1, 5):
        place.figure(f"blue.{number}").mark("down")
    shot, _ = asked(place, "gun at", ("blue", "blue.5"), actor="gun")
    assert (shot[2].skill, shot[2].arm_wounds, shot[2].group, shot[2].hidden) == (4, 1, 5, 4)
    exact = odds_of(place, shot)  # hard cover, an arm wound, nine men: 4 - 2 - 1 + 3
    assert exact.probability(lambda o: o.hits == 1) == F(4, 6)
    assert exact.probability(lambda o: o.jammed) == F(1, 6)


@pytest.mark.rule("PAY-119", "PAY-182")
def test_a_shell_at_men_with_wounds_is_told_as_at_fresh_men_and_says_so() -> None:
    place = scene(
        bare_unit("red", "red", [(18.5, 10.0), (21.5, 10.0)]),
        blue(3),
        engines={"gun": Engine("gun", "the gun", "red", "red", (20.0, 10.0))},
    )
    assert asked(place, "gun at", ("blue", "blue.1"), actor="gun")[0][0] == "the gun at 3 of blue"
    place.figure("blue.2").wounds = ("body_wound",)
    (shell,) = asked(place, "gun at", ("blue", "blue.1"), actor="gun")
    assert shell[0] == "the gun at 3 of blue, as if nobody had a wound"
    place.battle.engines["gun"].kind = "machine_gun"  # whose rounds are counted, not what they do
    (burst,) = asked(place, "gun at", ("blue", "blue.1"), actor="gun")
    assert burst[0] == "the gun at 3 of blue"


@pytest.mark.rule("PAY-121", "PAY-138", "PAY-143")
def test_the_second_man_fights_with_his_wounds_and_without_arms_nobody_does() -> None:
    place = scene(
        bare_unit("red", "red", [(20.0, 10.0), (22.0, 10.0)]), bare_unit("blue", "blue", [(21.0, 10.0)], melee=3)
    )
    place.figure("red.2").wounds = ("body_wound", "crippled_leg")
    place.figure("red.2").mark("lame")
    (one,) = asked(place, "melee", "fight all")
    assert (one[2].b2_body_wounds, one[2].b2_lame, one[2].b2_back_turned) == (1, True, False)
    place.figure("red.2").wounds = ("smashed_arm", "smashed_arm")
    place.figure("red.2").unmark("lame")
    (one,) = asked(place, "melee", "fight all")
    none = chances("melee", a_skill=3, b_skill=4)
    assert odds_of(place, one).outcomes == none.outcomes and one[2].b2_smashed_arms == 2


@pytest.mark.rule("PAY-027", "PAY-121", "PAY-124", "PAY-143")
@pytest.mark.parametrize("fact", [{"a_smashed_arms": 1}, {"a_recovered": True}, {"a_unarmed": True}])
def test_what_weakens_a_man_hand_to_hand_is_a_fact_of_its_own(fact: dict[str, Any]) -> None:
    place = scene(red(1), blue(1, y=11.0))
    man = place.figure("red.1")
    man.wounds = ("smashed_arm",) * fact.get("a_smashed_arms", 0)
    man.mark(*(["recovered"] if "a_recovered" in fact else []))
    man.weapons = () if "a_unarmed" in fact else man.weapons
    (one,) = asked(place, "melee", "fight all")
    assert all(getattr(one[2], name) == value for name, value in fact.items())
    assert odds_of(place, one).outcomes == chances("melee", a_skill=3, b_skill=3).outcomes


@pytest.mark.rule("PAY-069", "PAY-123")
def test_a_man_with_a_leg_wound_advances_when_the_others_run() -> None:
    place = scene(red(1, y=10.0), blue(1, y=15.0))
    place.figure("red.1").wounds = ("leg_wound",)
    (one,) = asked(place, "move", "run")  # 4 inches between the bases, at half a move
    assert odds_of(place, one).probability(lambda o: o.advance_reaches) == F(15, 36)


@pytest.mark.rule("PAY-069", "PAY-072")
def test_whether_a_move_reaches_the_enemy() -> None:
    place = scene(red(1, y=10.0), blue(1, y=21.0))
    advance, run = asked(place, "move", "advance"), asked(place, "move", "run")
    assert odds_of(place, run[0]).probability(lambda o: o.run_reaches) == F(5, 8)  # 10 inches between the bases
    assert odds_of(place, advance[0]).probability(lambda o: o.advance_reaches) == F(1, 6)


@pytest.mark.rule("PAY-007", "PAY-069", "PAY-082")
def test_a_move_reaches_the_base_of_the_enemy_whatever_it_is() -> None:
    def inches(altitude: int = 0, mount: str = "", aboard: str = "") -> list[float]:
        place = scene(red(1, y=10.0), blue(1, y=21.0, mount=mount))
        if aboard:
            cart = Engine(aboard, aboard, "blue", "blue", (20.0, 21.0), aboard=("blue.1",), altitude=altitude)
            place.battle.engines["cart"] = cart
            place.figure("blue.1").aboard = "cart"
        return [one[2].run_inches for one in asked(place, "move", "run")]

    assert (inches(), inches(mount="horse"), inches(aboard="wagon")) == ([10.0], [9.75], [9.0])
    assert inches(aboard="flyer", altitude=1) == []


@pytest.mark.rule("PAY-069", "PAY-076", "PAY-084")
@pytest.mark.setting("melee_lock")
def test_the_man_who_is_told_of_is_one_who_goes() -> None:
    place = scene(red(2, y=10.0), blue(1, y=21.0))
    (near,), (other,) = (asked(place, "move", "run", about=about) for about in ((), ("red.1",)))
    assert near[0].startswith("private 1 ") and other[0].startswith("private 2 ")
    assert asked(place, "move", "run", about=("red.1", "red.2")) == []
    for setting, told in (("off", "private 1 "), ("on", "private 2 ")):
        place = scene(red(2, y=10.0), blue(1, y=11.0), melee_lock=setting)
        place.figure("red.2").at = (30.0, 10.0)
        place.unit("red").measure()
        assert asked(place, "move", "run")[0][0].startswith(told)


def test_every_option_of_a_whole_game_can_be_asked() -> None:
    match = game("patrol_clash")
    random, found = Random(7), dict[tuple[str, Any], None]()

    def agent(question: Choose | Place | Confirm, state: Any) -> Any:
        if isinstance(question, Choose):
            for option in question.options:
                for _, name, facts in match.odds_for(state, question, option):
                    found[name, facts] = None
            return random.choice(question.options)
        return random.choice(question.suggestions) if isinstance(question, Place) else True

    state = match.start()
    table = SeededTable(match.rules, state, 7, dict.fromkeys(match.seats, agent))
    while (step := match.next_step(state)) is not None and state.turn < 6:
        table.begin(step)
        match.perform(table, state, step)
    rules = rules_with()
    assert {"move", "volley_losses", "shots_at_leader"} <= {name for name, _ in found}
    one_of_each: dict[str, Any] = dict(list(found))
    for name, facts in one_of_each.items():
        assert sum(odds(rules, rules.ruleset.procedure(name), facts).outcomes.values()) == 1
