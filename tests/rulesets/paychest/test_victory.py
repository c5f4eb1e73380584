"""Objectives, capture, the end, and irregulars who return."""

from __future__ import annotations

import pytest
from tests.rulesets.paychest.stage import Scene, game, rules_with, wiped_out

from zareba_rulesets.paychest.chapters.setting_up import note_returning, recycle
from zareba_rulesets.paychest.chapters.victory import PaychestScoreboard, decide, own_winner
from zareba_rulesets.paychest.game import PaychestGame


def opened(name: str = "paychest_raid", **settings: object) -> tuple[PaychestGame, Scene]:
    """A scenario with all figures at their scenario positions."""
    played = game(name, **settings)
    battle = played.start()
    from zareba_rulesets.paychest.chapters.setting_up import set_down

    for unit_id in battle.waiting:
        set_down(battle, battle.unit(unit_id), played.plan.placed[unit_id], played.plan.ahead[unit_id])
    battle.waiting = []
    return played, Scene(rules_with(**settings), battle)


@pytest.mark.rule("PAY-192", "PAY-193", "PAY-194", "PAY-215")
def test_the_paychest_over_the_edge_wins_at_once() -> None:
    played, place = opened()
    chest = place.battle.things["paychest"]
    chest.at, chest.taken_by, chest.edge = None, "raiders", "south"
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert not place.battle.over  # the wrong edge
    chest.edge = "north"
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert (place.battle.over, place.battle.ending, place.battle.winner) == (True, "objectives", "raiders")
    assert played.play.outcome(place.battle).winner == "raiders"


@pytest.mark.rule("PAY-194")
def test_alone_beside_it_when_time_runs_out_is_capture_too() -> None:
    played, place = opened()
    goal = played.scenario.objectives["chest_gone"]
    raider = place.figure("knives.1")
    place.battle.things["paychest"].at = (1.0, 1.0)
    raider.at = (2.0, 1.0)
    place.battle.turn = 15
    at_end = PaychestScoreboard(place.battle, played.scenario, played.plan, turn_over=True)
    assert goal.kind == "carry_off"
    assert at_end.guarded_by(goal) == own_winner(at_end, "turn_limit") == "raiders"
    decide(place.battle, played.scenario, played.plan, turn_over=True)
    assert played.play.outcome(place.battle).winner == "raiders"
    assert played.play.common_outcome(place.battle).points["raiders"] == 0, "by the common law it must be over the edge"


@pytest.mark.rule("PAY-194", "PAY-215")
@pytest.mark.setting("taken_when")
@pytest.mark.setting("own_victory")
@pytest.mark.parametrize(
    ("settings", "winner"),
    [({}, "raiders"), ({"taken_when": "carried"}, "legion"), ({"own_victory": "common"}, "legion")],
)
def test_who_wins_with_the_chest_where_it_lies(settings: dict[str, str], winner: str) -> None:
    """A raider is alone with the chest when time runs out. By the common victory rules he has not captured it."""
    played, place = opened(**settings)
    place.battle.things["paychest"].at = (1.0, 1.0)
    place.figure("knives.1").at = (2.0, 1.0)
    place.battle.turn = 15
    decide(place.battle, played.scenario, played.plan, turn_over=True)
    assert played.play.outcome(place.battle).winner == winner
    assert (played.play.own_outcome(place.battle) is None) is ("own_victory" in settings)


@pytest.mark.rule("PAY-193")
def test_half_of_the_mounts_led_off_is_a_theft() -> None:
    played, place = opened()
    goal = played.scenario.objectives["mules_gone"]
    assert goal.kind == "carry_off"
    for number in range(1, 4):
        scoreboard = PaychestScoreboard(place.battle, played.scenario, played.plan, turn_over=False)
        assert scoreboard.carried_off(goal) is None
        mule = place.battle.things[f"mules {number}"]
        mule.at, mule.taken_by, mule.edge = None, "raiders", "north"
    assert scoreboard.carried_off(goal) == "raiders"


def fell(place: Scene, side: str, fate: str = "dead") -> None:
    for unit in place.battle.units.values():
        if unit.spec.side == side:
            for figure in unit.figures.values():
                if figure.at is not None:
                    figure.fate, figure.at = fate, None
            unit.measure()


@pytest.mark.rule("PAY-192", "PAY-215")
def test_a_side_without_anybody_loses_and_both_draw() -> None:
    played, place = opened("patrol_clash")
    fell(place, "tribesmen", "off")
    assert wiped_out(place, played) == ["tribesmen"]
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert (place.battle.ending, place.battle.winner) == ("collapse", "patrol")
    place.battle.over = False
    fell(place, "patrol", "left")
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert played.play.outcome(place.battle).winner is None


@pytest.mark.rule("PAY-192")
def test_whoever_is_still_to_come_keeps_his_side_in_the_game() -> None:
    played, place = opened()
    fell(place, "legion")
    assert "goum" in place.battle.arrivals and wiped_out(place, played) == []


@pytest.mark.rule("PAY-192", "PAY-197", "PAY-215")
@pytest.mark.setting("recycle_irregulars")
@pytest.mark.parametrize("turn_over", [False, True])
def test_in_the_last_turn_nobody_is_still_to_come(turn_over: bool) -> None:
    for late in ("arrivals", "returning"):
        played, place = opened("patrol_clash", recycle_irregulars="on")
        battle = place.battle
        name = next(unit.spec.id for unit in battle.units.values() if unit.spec.side == "tribesmen")
        fell(place, "tribesmen", "off")
        for figure in battle.change(name).figures.values():
            figure.fate, figure.appearances = ("able" if late == "arrivals" else "off"), 1
        battle.arrivals, battle.returning = ({name: battle.turn}, []) if late == "arrivals" else ({}, [name])
        battle.turn = played.scenario.turns - 1
        decide(battle, played.scenario, played.plan, turn_over=turn_over)
        assert not battle.over
        battle.turn += 1
        decide(battle, played.scenario, played.plan, turn_over=turn_over)
        assert (battle.over, battle.ending, battle.winner) == (True, "collapse", "patrol")


@pytest.mark.rule("PAY-197", "PAY-215")
@pytest.mark.setting("recycle_irregulars")
def test_who_forms_again_is_not_lost_until_there_is_no_turn_to_do_it_in() -> None:
    played, place = opened("patrol_clash", recycle_irregulars="on")
    battle = place.battle
    names = [unit.spec.id for unit in battle.units.values() if unit.spec.side == "tribesmen"]
    fell(place, "tribesmen", "off")
    twice = next(iter(battle.unit(names[0]).figures.values()))
    twice.appearances = 2
    whole = len(battle.unit(names[0]).figures)

    def left(turn: int) -> float:
        battle.turn = turn
        return PaychestScoreboard(battle, played.scenario, played.plan, turn_over=False).share_left([names[0]])

    assert left(2) == 0
    note_returning(battle)
    assert names[0] in battle.returning
    assert left(2) == pytest.approx((whole - 1) / whole)
    assert left(played.scenario.turns) == 0


@pytest.mark.rule("PAY-215")
def test_no_turn_has_just_ended_while_one_is_being_played() -> None:
    played, place = opened("patrol_clash")
    place.battle.turn = 5
    for turn_over, turn in ((True, 5), (False, 0)):
        assert PaychestScoreboard(place.battle, played.scenario, played.plan, turn_over=turn_over).turn == turn


@pytest.mark.rule("PAY-215")
def test_at_the_turn_limit_the_scenario_says_who_wins() -> None:
    played, place = opened("patrol_clash")
    place.battle.turn = played.scenario.turns
    decide(place.battle, played.scenario, played.plan, turn_over=False)
    assert not place.battle.over
    decide(place.battle, played.scenario, played.plan, turn_over=True)
    assert place.battle.ending == "turn_limit"


@pytest.mark.rule("PAY-195", "PAY-196", "PAY-197")
@pytest.mark.setting("recycle_irregulars")
def test_irregulars_come_a_second_time_and_not_a_third() -> None:
    _, place = opened("patrol_clash")
    fell(place, "tribesmen")
    note_returning(place.battle)
    assert place.battle.returning == []
    _, again_place = opened("patrol_clash", recycle_irregulars="on")
    battle = again_place.battle
    name = next(u.spec.id for u in battle.units.values() if u.spec.kind == "irregular" and len(u.figures) > 9)
    unit = battle.unit(name)
    for number, figure in enumerate(unit.figures.values()):
        figure.fate, figure.at = ("left" if number == 1 else "dead"), None
        figure.wounds = ("arm_wound",)
    unit.rout, unit.hits = "rout_4d6_off_board", 5
    unit.measure()
    note_returning(battle)
    assert battle.returning == [name]
    script = [("arrive at", (24.0, 36.0))]
    again_place.play(recycle, battle, script=script)
    assert len(unit.able) == len(unit.figures) - 1  # men who left by choice do not return
    assert all(figure.wounds == () and figure.appearances == 2 for figure in unit.able)
    assert (unit.rout, unit.hits, bool(unit.leader)) == ("", 0, True)
    assert list(unit.figures) == list(unit.spec.figures)
    for figure in unit.able:
        figure.fate, figure.at = "dead", None
    unit.measure()
    note_returning(battle)
    assert battle.returning == []


@pytest.mark.rule("PAY-197")
def test_men_still_able_stop_a_unit_from_forming_again() -> None:
    _, place = opened("patrol_clash", recycle_irregulars="on")
    unit = next(u for u in place.battle.units.values() if u.spec.kind == "irregular" and len(u.figures) > 9)
    for figure in list(unit.figures.values())[1:]:
        figure.fate, figure.at = "dead", None
    unit.measure()
    note_returning(place.battle)
    assert place.battle.returning == []
