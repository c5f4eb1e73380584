"""Chapters 3 and 4: setting up, points, objectives, quotas."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from tests.rulesets.afriboria.pieces import run

from zareba.registry import load_rules, rules_from_record
from zareba.table import SeededTable
from zareba_rulesets.afriboria.chapters.losses import lose_commander, lose_figures
from zareba_rulesets.afriboria.chapters.movement import unit_options
from zareba_rulesets.afriboria.chapters.retreat import retreat
from zareba_rulesets.afriboria.chapters.setting_up import (
    bring_on_arrivals,
    choose_first_side,
    form_companies,
    place_next,
)
from zareba_rulesets.afriboria.chapters.victory import (
    _hold,
    close_turn,
    leader_of_points,
    leave_table,
    score,
    take_carried_objects,
)
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, CommanderSpec, ScenarioObject
from zareba_rulesets.afriboria.game import AfrGame
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


def first(question: Any, _: Any) -> Any:
    """Return the first option."""
    return question.options[0]


def play_until(game: Any, stage: str, seed: int = 1) -> Any:
    """Play a game up to the first step of a stage, always choosing the first option."""
    battle = game.start()
    table = SeededTable(game.rules, battle, seed, dict.fromkeys(game.seats, first))
    while (step := game.play.next_step(battle)) is not None and step.name != stage:
        table.begin(step)
        game.play.perform(table, battle, step)
    return battle


@pytest.mark.rule("AFR-044")
@pytest.mark.setting("hand_size")
def test_hand_size(game: Any) -> None:
    for size in (4, 7):
        battle = play_until(game({"hand_size": size}), "card")
        assert [len(side.hand) for side in battle.sides.values()] == [size, size]


@pytest.mark.rule("AFR-045", "AFR-343", "AFR-068")
def test_a_seat_sees_its_own_hand_only(game: Any) -> None:
    play = game({"event_cards": "on"})
    battle = play_until(play, "card")
    battle.sides["blue"].forced = True
    view = play.sight.view(battle, "red")
    assert view.sides["red"].hand == battle.sides["red"].hand
    assert view.sides["blue"].hand == ["?"] * 4
    assert sum(view.deck.pile.values()) == sum(battle.deck.pile.values()) + 4
    assert view.event_deck.pile == battle.event_deck.pile
    before = battle.copy()
    before.sides["blue"].hand = sorted(["red_1", "red_2", "blue_1", "green_4"])
    hidden = dict(battle.deck.pile)
    for name in battle.sides["blue"].hand:
        hidden[name] = hidden.get(name, 0) + 1
    for name in before.sides["blue"].hand:
        hidden[name] -= 1
    before.deck.pile = {name: n for name, n in hidden.items() if n}
    assert play.sight.view(before, "red").to_data() == view.to_data(), "another hand would look the same"


@pytest.mark.rule("AFR-046")
def test_the_higher_die_chooses_who_goes_first(game: Any) -> None:
    play = game(first="dice")
    battle = play.start()
    script = [("first turn", 4), ("first turn", 4), ("first turn", 2), ("first turn", 5), ("first turn", "go second")]
    assert run(choose_first_side, battle, play.plan, script=script) == "red"
    assert run(choose_first_side, battle, game(first="blue").plan) == "blue"
    with pytest.raises(AssertionError, match="7 is not an answer to 'first turn'"):
        run(choose_first_side, battle, play.plan, script=[("first turn", 7)])


@pytest.mark.rule("AFR-047", "AFR-049")
def test_deployment_keeps_to_zones_and_stacking(game: Any, scripted: Any) -> None:
    play = game()
    battle = play.start()
    zone = play.plan.zones["rifles"]
    assert all(play.plan.field.grid.column_row(cell)[1] <= 1 for cell in zone)
    assert battle.units["rifles"].figures == 6
    script = [
        ("deploy in", zone[0]), ("deploy in", zone[0]), ("deploy in", zone[3]), ("deploy in", play.plan.zones["spears"][0]),
    ]  # fmt: skip
    with scripted(battle, script) as table:
        for _ in range(4):
            place_next(table, battle, play.plan)
        assert sorted(battle.here[zone[0]]) == ["rifles", "rifles_2"]
    assert len(battle.here[zone[0]]) == battle.book.room
    assert battle.commanders["red_nco"].hex == zone[3], "the senior NCO need not stand with a unit"


LEADERS = """
  major: {name: Major, side: red, rank: commander, unit: rifles},
  captain: {name: Captain, side: red, rank: officer, mounted: true, unit: rifles},
  guide: {name: Guide, side: red, rank: nco, position: [20, 20]}
"""


@pytest.mark.rule("AFR-047", "AFR-096")
def test_commanders_are_set_out_after_their_units(game: Any) -> None:
    """The first option is the unit's hex, but the player may choose any hex of its zone. Two commanders never share a
    hex. A position in the scenario is kept.
    """
    gully = "gully: {kind: gully, line: [[0, 2], [12, 2]]}"
    play = game(leaders=LEADERS, terrain=gully)
    battle = play.start()
    assert battle.waiting[:4] == ["rifles", "rifles_2", "major", "captain"]
    assert battle.commanders["guide"].hex == play.plan.chiefs["guide"]
    asked = []

    def note(question: Any, now: Any) -> Any:
        asked.append((question.actor, question.options, dict(now.chiefs)))
        return question.options[0]

    table = SeededTable(play.rules, battle, 1, dict.fromkeys(play.seats, note))
    while not place_next(table, battle, play.plan):
        pass
    options = {actor: (cells, taken) for actor, cells, taken in asked}
    foot, horse = options["major"][0], options["captain"][0]
    assert foot[0] == battle.units["rifles"].hex == battle.commanders["major"].hex
    assert set(foot) == set(play.plan.zones["rifles"]) and foot[0] not in horse
    ditch = {cell for cell in play.plan.zones["rifles"] if battle.ground(cell).infantry_only}
    assert ditch and ditch <= set(foot) and not ditch & set(horse), "a ditch holds men on foot only"


@pytest.mark.rule("AFR-048", "AFR-110", "AFR-111", "AFR-113")
def test_companies_at_the_start_are_made_public(rules: Any, at: Any, scripted: Any) -> None:
    units = [
        unit_of(rules, f"u{n}", "red", "inf_b", at(3 + n, 4), colour=c) for n, c in enumerate(["red", "blue", "green"])
    ]
    chief = Commander(at(4, 4), spec=CommanderSpec("major", "Major", "red", True))
    battle = bare_battle(rules, units, [chief])
    script = [
        ("company", "form a company"),
        ("company of", "u0"),
        ("company of", "u1"),
    ]
    with scripted(battle, script) as table:
        form_companies(table, battle)
        told = [event for event in table.events if event.kind == "company"]
    assert [battle.companies["company of major"].members, battle.companies["company of major"].state] == [
        ["u0", "u1"],
        "active",
    ]
    assert told[0].data["members"] == ("u0", "u1")
    assert units[2].company == "", "a third colour is not admitted"


@pytest.mark.rule("AFR-050", "AFR-204", "AFR-206")
def test_points_for_units_and_commanders(rules: Any, at: Any, scripted: Any) -> None:
    unit = unit_of(rules, "them", "blue", "inf_c", at(4, 4), 2)
    chief = Commander(at(4, 4), spec=CommanderSpec("chief", "Chief", "blue", True))
    battle = bare_battle(rules, [unit], [chief])
    with scripted(battle, []) as table:
        lose_figures(table, battle, unit, 2, "fire", "AFR-196")
        assert battle.sides["red"].points == 1 and chief.hex == at(4, 4), "he is left alone, unhurt"
        lose_commander(table, battle, chief, "killed", "AFR-222", "melee")
        assert [event.data["lost"] for event in table.events if event.kind == "loss"] == [2, 1]
    assert battle.sides["red"].points == 2


@pytest.mark.rule("AFR-051")
def test_objectives_are_held_by_who_was_there_last(game: Any, scripted: Any) -> None:
    play = game(objectives="well: {kind: hold, name: Well, points: 2, at: [24, 18]}")
    battle = play_until(play, "begin")
    (cell,) = play.plan.places["well"]
    battle.sides["red"].quota = battle.sides["blue"].quota = 99
    with scripted(battle, []) as table:
        battle.move(battle.units["rifles"], cell)
        close_turn(table, battle, play.scenario, play.plan)
        battle.move(battle.units["rifles"], 0)
        close_turn(table, battle, play.scenario, play.plan)
        assert battle.sides["red"].points == 2
        battle.move(battle.units["spears"], cell)
        close_turn(table, battle, play.scenario, play.plan)
    assert (battle.sides["red"].points, battle.sides["blue"].points) == (0, 2)


@pytest.mark.rule("AFR-053", "AFR-051")
def test_nothing_is_taken_after_the_quota_has_ended_the_game(game: Any, scripted: Any) -> None:
    wells = ", ".join(f"w{n}: {{kind: hold, name: Well {n}, points: 2, at: [{x}, 18]}}" for n, x in ((1, 12), (2, 36)))
    play = game(objectives=wells)
    battle = play_until(play, "begin")
    battle.sides["red"].quota = battle.sides["blue"].quota = 2
    (first,), (second,) = play.plan.places["w1"], play.plan.places["w2"]
    battle.move(battle.units["rifles"], first)
    battle.move(battle.units["rifles_2"], second)
    with scripted(battle, []) as table:
        close_turn(table, battle, play.scenario, play.plan)
        assert [event.kind for event in table.events] == ["objective", "points"]
    assert battle.winner == "red" and battle.owners == {"w1": "red"}


@pytest.mark.rule("AFR-051")
def test_a_place_is_held_in_all_its_hexes(game: Any) -> None:
    """Terrain counts with all its hexes, a point with those in its radius. One enemy in any of them contests it."""
    goals = (
        "village: {kind: hold, name: Village, points: 2, terrain: village, by: [red]}, "
        "ford: {kind: hold, name: Ford, at: [24, 18], radius: 8, by: [red]}"
    )
    village = "village: {kind: village, area: [[12, 12], [36, 12], [36, 24], [12, 24]]}"
    play = game(objectives=goals, terrain=village)
    battle = play_until(play, "begin")
    battle.sides["red"].quota = 99
    houses = play.plan.places["village"]
    assert set(houses) == {c for c in range(play.plan.field.grid.size) if "building" in battle.ground(c).kinds}
    assert len(houses) >= 4 and len(play.plan.places["ford"]) == 7
    rifles, spears = battle.units["rifles"], battle.units["spears"]
    for mine, theirs, points in ((houses[0], houses[-1], 0), (houses[1], 0, 2), (0, houses[-1], 0), (0, 0, 0)):
        battle.move(rifles, OFF)
        battle.move(spears, theirs or OFF)
        battle.move(rifles, mine or OFF)
        run(_hold, battle, play.scenario, "village", houses)
        assert battle.sides["red"].points == points
    assert {cell.text for cell in play.display.board(battle).cells if "objective: Village" in cell.text}


CHIEFS = (
    "boss: {name: Boss, side: blue, rank: chief}, more: {name: More, side: blue, rank: chief}, "
    "third: {name: Third, side: blue, rank: nco}"
)


@pytest.mark.rule("AFR-052")
@pytest.mark.setting("vp_quota")
@pytest.mark.parametrize(("value", "red"), [("none", None), ("half_enemy", 3), (7, 7), ("7", 7)])
def test_the_quota_where_the_scenario_names_none(game: Any, value: Any, red: int | None) -> None:
    assert game({"vp_quota": value}, leaders=CHIEFS).plan.quotas["red"] == red


def with_quota(scenario: Any, side: str, quota: int) -> Any:
    """Return the scenario with a quota of points for a side."""
    victory = scenario.sides[side].victory.model_copy(update={"quota": quota})
    sides = {**scenario.sides, side: scenario.sides[side].model_copy(update={"victory": victory})}
    return scenario.model_copy(update={"sides": sides})


@pytest.mark.rule("AFR-052")
@pytest.mark.setting("vp_quota")
@pytest.mark.parametrize(("value", "blue"), [("none", None), ("half_enemy", 2), (5, 5)])
def test_a_quota_that_the_scenario_names_is_kept_under_every_setting(
    scenario: Any, scripted: Any, value: Any, blue: int | None
) -> None:
    play = AfrGame(load_rules("afriboria", {"vp_quota": value}), with_quota(scenario(), "red", 2))
    assert play.plan.quotas == {"red": 2, "blue": blue}
    battle = play.start()
    counted = "Red 0 of 2" if blue is None else f"Red 0 of 2, Blue 0 of {blue}"
    assert play.display.headline(battle) == f"Before turn 1 · deployment · victory points: {counted}"
    with scripted(battle, []) as table:
        score(table, battle, "red", 2, "two units")
        assert [play.narrator.describe_event(event) for event in table.events] == [
            "Red +2 for two units, total 2 points"
        ]
    assert (battle.over, battle.winner, battle.ending) == (True, "red", "quota")
    outcome = play.play.own_outcome(battle)
    assert outcome is not None and outcome.winner == "red"


@pytest.mark.rule("AFR-052", "AFR-055")
def test_without_a_quota_points_neither_end_the_battle_nor_win_it(game: Any, scripted: Any) -> None:
    play = game(turns=3)
    battle = play_until(play, "begin")
    with scripted(battle, []) as table:
        score(table, battle, "red", 40, "everybody")
        assert not battle.over and battle.sides["red"].points == 40
        assert play.display.headline(battle) == "Turn 1 of 3 · Red · start of turn"
        assert [play.narrator.describe_event(event) for event in table.events] == [""]
        battle.turn = 6
        close_turn(table, battle, play.scenario, play.plan)
    assert (battle.over, battle.ending) == (True, "turn_limit")
    assert play.play.own_outcome(battle) is None, "the scenario says who wins"
    assert play.play.outcome(battle) == play.play.common_outcome(battle)


@pytest.mark.rule("AFR-052")
@pytest.mark.setting("vp_quota")
def test_the_old_name_of_the_quota_still_loads_with_a_warning(
    game: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("zareba"), "propagate", True)  # needed by caplog
    old = game({"vp_quota": "scenario"})
    assert old.plan.quotas == game({"vp_quota": "half_enemy"}).plan.quotas == {"red": 2, "blue": 2}
    assert old.rules.settings["vp_quota"] == "half_enemy"
    assert "setting vp_quota: 'scenario' is now called 'half_enemy' (AFR-052)" in caplog.text


@pytest.mark.rule("AFR-052")
def test_the_rules_of_an_old_journal_keep_their_quota(scenario: Any) -> None:
    """A journal stores its rules. In old ones `scenario` was a separate value, and some settings did not exist."""
    old = load_rules("afriboria")
    new = ("objective_held", "quota_checked")
    data = {**old.data, "settings": {name: entry for name, entry in old.data["settings"].items() if name not in new}}
    data["settings"]["vp_quota"] = {
        "rule": "AFR-052", "summary": "Points that win the game", "default": "scenario", "values": ["scenario", "half_enemy"],
    }  # fmt: skip
    rules = rules_from_record("afriboria", data, {**old.settings, "vp_quota": "scenario"}, [], ())
    assert AfrGame(rules, scenario()).plan.quotas == {"red": 2, "blue": 2}


@pytest.mark.rule("AFR-051")
@pytest.mark.setting("objective_held")
@pytest.mark.parametrize(("value", "left"), [("last_there", 2), ("while_there", 0)])
def test_a_place_that_is_left(game: Any, scripted: Any, value: str, left: int) -> None:
    play = game({"objective_held": value}, objectives="well: {kind: hold, name: Well, points: 2, at: [24, 18]}")
    battle = play_until(play, "begin")
    with scripted(battle, []) as table:
        for cell, points in ((play.plan.places["well"][0], 2), (0, left), (play.plan.places["well"][0], 2)):
            battle.move(battle.units["rifles"], cell)
            close_turn(table, battle, play.scenario, play.plan)
            assert battle.sides["red"].points == points


@pytest.mark.rule("AFR-053", "AFR-054")
@pytest.mark.setting("quota_checked")
def test_quota_is_checked_at_once_or_at_the_end_of_the_player_turn(game: Any, scripted: Any) -> None:
    """At once, or at the end of the player turn. Then the larger share wins, and in a tie the active side."""
    play = game({"vp_quota": 2})
    battle = play_until(play, "begin")
    with scripted(battle, []) as table:
        score(table, battle, "blue", 2, "two units")
        assert (battle.over, battle.winner) == (True, "blue")
    play = game({"vp_quota": 2, "quota_checked": "turn_end"})
    for red, winner in ((1, "blue"), (2, "red"), (3, "red")):
        battle = play_until(play, "begin")
        assert battle.active == "red"
        with scripted(battle, []) as table:
            score(table, battle, "blue", 2, "two units")
            score(table, battle, "red", red, "as many")
            assert not battle.over
            close_turn(table, battle, play.scenario, play.plan)
        assert (battle.over, battle.ending, battle.winner) == (True, "quota", winner)


@pytest.mark.rule("AFR-051")
def test_a_decisive_place_decides_when_the_battle_has_ended(game: Any) -> None:
    """By the common victory rules holding counts at the end, so entering earlier does not end the battle."""
    play = game(turns=3, objectives="well: {kind: hold, name: Well, decisive: true, at: [24, 18], by: [red]}")
    battle = play_until(play, "begin")
    battle.move(battle.units["rifles"], play.plan.places["well"][0])
    for turn, over in ((5, False), (6, True)):
        battle.turn = turn
        run(close_turn, battle, play.scenario, play.plan)
        assert battle.over is over
    assert play.play.outcome(battle).winner == "red"


@pytest.mark.rule("AFR-051", "AFR-047")
def test_a_place_is_held_from_the_start_by_who_stands_there(game: Any) -> None:
    """Its points count before the first turn, and the enemy must take it."""
    units = (
        "rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 12, position: [24, 6]},"
        "spears: {name: Spears, side: blue, arm: infantry, kind: tribal, figures: 16, position: [24, 30]}"
    )
    play = game(units=units, objectives="well: {kind: hold, name: Well, points: 3, at: [26, 8]}")
    battle = play.start()
    assert play.scoreboard(battle).holder(play.scenario.objectives["well"]) == "red"
    battle = play_until(play, "begin")
    assert battle.owners == {"well": "red"} and battle.sides["red"].points == 3


@pytest.mark.rule("AFR-051", "AFR-052")
def test_places_held_from_the_start_do_not_count_for_the_quota(game: Any) -> None:
    units = (
        "rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 12, position: [24, 6]},"
        "spears: {name: Spears, side: blue, arm: infantry, kind: tribal, figures: 16, position: [24, 30]}"
    )
    for at, by, quotas in (
        ("[24, 6]", "", {"red": 5, "blue": 2}),
        ("[24, 6]", "by: [blue], ", {"red": 2, "blue": 2}),
        ("[24, 30]", "", {"red": 2, "blue": 5}),
        ("[24, 18]", "", {"red": 2, "blue": 2}),
    ):
        well = f"well: {{kind: hold, name: Well, {by}points: 3, at: {at}}}"
        assert game({"vp_quota": "half_enemy"}, objectives=well, units=units).plan.quotas == quotas


@pytest.mark.rule("AFR-055")
def test_at_the_turn_limit_the_larger_share_wins(book: Any) -> None:
    battle = bare_battle(book())
    assert leader_of_points(battle) is None
    battle.sides["red"].points = 2
    assert leader_of_points(battle) is None, "nobody has a quota"
    battle.sides["red"].quota = battle.sides["blue"].quota = 1000
    battle.sides["red"].points, battle.sides["blue"].points = 3, 2
    assert leader_of_points(battle) == "red"
    battle.sides["red"].quota = 3000
    assert leader_of_points(battle) == "blue"


@pytest.mark.rule("AFR-055")
def test_the_last_turn_is_played_to_its_end(game: Any) -> None:
    play = game(turns=3)
    battle = play_until(play, "begin")
    battle.sides["blue"].points, battle.sides["blue"].quota, battle.sides["red"].quota = 1, 99, 99
    for turn, over in ((5, False), (6, True)):
        battle.turn = turn
        run(close_turn, battle, play.scenario, play.plan)
        assert battle.over is over
    assert (battle.ending, battle.winner) == ("turn_limit", "blue")


@pytest.mark.rule("AFR-090")
def test_units_leave_the_table_only_where_the_scenario_allows_it(game: Any) -> None:
    goals = "away: {kind: escort, name: Away, units: [rifles], edge: north, by: [red]}"
    play = game(objectives=goals)
    battle = play_until(play, "begin")
    unit = battle.units["rifles"]
    unit.mark("ordered", "move", "battle")
    battle.move(unit, max(play.plan.edges["north"]) - 7)
    assert "leave the table" in unit_options(battle, unit, play.plan)
    from zareba_rulesets.afriboria.chapters.movement import move_unit

    run(move_unit, battle, unit, play.plan, script=[("move", "leave the table")])
    assert battle.gone["rifles"] == "left north" and battle.sides["blue"].points == 0
    assert "leave the table" not in unit_options(battle, battle.units["spears"], play.plan)


@pytest.mark.rule("AFR-047")
def test_arrivals_are_reported_also_of_commanders(game: Any) -> None:
    """One commander arrives with his unit, one alone. They are in different hexes, because two commanders never share
    one (AFR-096).
    """
    coming = "arrival: {turn: 1, edge: south}"
    foot = "side: red, arm: infantry, kind: european_regular, weapon: breech_rifle"
    spears = "{name: Spears, side: blue, arm: infantry, kind: tribal, figures: 8, close_weapon: spear}"
    play = game(
        units=f"relief: {{name: Relief, {foot}, figures: 6, {coming}}}, rifles: {{name: Rifles, {foot}, figures: 6}}, spears: {spears}",
        leaders="carr: {name: Carr, side: red, rank: officer, unit: relief}, "
        f"dane: {{name: Dane, side: red, rank: officer, {coming}}}",
    )
    battle = play_until(play, "begin")
    table = SeededTable(play.rules, battle, 1, dict.fromkeys(play.seats, first))
    step = play.play.next_step(battle)
    table.begin(step)
    play.play.perform(table, battle, step)
    told = {event.data["unit"]: event.data["hex"] for event in table.events if event.kind == "arrived"}
    assert told == {"relief": battle.units["relief"].hex} | {n: battle.commanders[n].hex for n in ("carr", "dane")}
    assert len(set(told.values())) == 2 and OFF not in told.values()


@pytest.mark.rule("AFR-248", "AFR-051")
def test_units_driven_off_the_field_count_as_lost(game: Any, scripted: Any) -> None:
    """A unit driven off counts as destroyed. A unit that leaves as the scenario allows counts as present."""
    goals = "away: {kind: escort, name: Away, units: [spears], edge: north, by: [blue]}, half: {kind: destroy, name: Half, points: 5, share: 0.5, by: [red]}"
    for driven, scored in ((True, 6), (False, 0)):
        play = game(objectives=goals)
        battle = play_until(play, "begin")
        battle.sides["red"].quota, battle.turn = 99, 2
        spears = battle.units["spears"]
        battle.move(spears, min(play.plan.edges["north"]))
        with scripted(battle, []) as table:
            if driven:
                retreat(table, battle, spears, 1)
            else:
                leave_table(table, battle, spears, "north")
            close_turn(table, battle, play.scenario, play.plan)
        assert spears.hex == OFF and battle.sides["red"].points == scored


@pytest.mark.rule("AFR-051", "AFR-053")
def test_objectives_are_checked_at_the_end_of_every_player_turn(game: Any, scripted: Any) -> None:
    """Objectives also count between player turns. Survival counts only at the end of a game turn."""
    goals = (
        "half: {kind: destroy, name: Half, points: 3, share: 0.5, by: [red]}, "
        "on: {kind: survive, name: On, points: 4, turn: 1, share: 0.5, by: [blue]}"
    )
    play = game(objectives=goals)
    battle = play_until(play, "begin")
    battle.sides["red"].quota = battle.sides["blue"].quota = 99
    found = []
    for turn in (1, 2, 3):
        battle.turn = turn
        with scripted(battle, []) as table:
            if turn == 3:
                lose_figures(table, battle, battle.units["spears"], 8, "fire", "AFR-196")
            close_turn(table, battle, play.scenario, play.plan)
        found.append((battle.sides["red"].points, battle.sides["blue"].points))
    assert found == [(0, 0), (0, 4), (4, 4)], "a point for the unit, three for the half"


@pytest.mark.rule("AFR-052")
def test_a_decisive_goal_wins_at_once(game: Any, scripted: Any) -> None:
    for decisive in ("true", "false"):
        chest = "chest: {name: Chest, kind: paychest, carrier: spears}"
        off = f"off: {{kind: carry_off, name: Off, by: [blue], object: chest, edge: north, decisive: {decisive}}}"
        play = game(objects=chest, objectives=off)
        battle = play_until(play, "begin")
        battle.sides["blue"].quota = 99
        with scripted(battle, []) as table:
            leave_table(table, battle, battle.units["spears"], "north")
            close_turn(table, battle, play.scenario, play.plan)
        assert battle.sides["blue"].points == 1
        won = (True, "objectives", "blue") if decisive == "true" else (False, "", "")
        assert (battle.over, battle.ending, battle.winner) == won


RELIEF = """
  relief: {name: Relief, side: red, arm: infantry, kind: european_regular, weapon: breech_rifle, figures: 6, arrival: {turn: 2, edge: south, die: 6, at_least: 4}},
"""


@pytest.mark.rule("AFR-047", "AFR-051")
def test_reinforcements_bring_what_they_carry(game: Any, scripted: Any) -> None:
    """Before their arrival the object is not on the map. A die roll that delays them is reported."""
    from tests.rulesets.afriboria.conftest import UNITS

    play = game(units=RELIEF + UNITS, objects="chest: {name: Chest, kind: paychest, carrier: relief}")
    battle = play_until(play, "begin")
    with scripted(battle, []) as table:
        close_turn(table, battle, play.scenario, play.plan)
        assert battle.carried_objects["chest"].carrier == "relief" and not table.events
    battle.turn, cell = 3, play.plan.entries["relief"][0]
    with scripted(battle, [("arrival", 3), ("arrival", 4), ("arrive in", cell)]) as table:
        for _ in range(2):
            bring_on_arrivals(table, battle, play.plan, play.scenario, play.game_turn(battle))
        assert [play.narrator.describe_event(event) for event in table.events[:2]] == [
            "Relief did not arrive this turn (rolled 3)",
            f"Relief arrived at {play.plan.field.grid.label(cell)}",
        ]
        close_turn(table, battle, play.scenario, play.plan)
    assert battle.carried_objects["chest"] == ScenarioObject(cell, "relief")


@pytest.mark.rule("AFR-051", "AFR-053")
def test_each_side_may_destroy_its_share(game: Any, scripted: Any) -> None:
    """One objective without a named side counts for both: each can score it once."""
    play = game(objectives="half: {kind: destroy, name: Half, points: 5, share: 0.5}")
    battle = play_until(play, "begin")
    battle.sides["red"].quota = battle.sides["blue"].quota = 99
    with scripted(battle, []) as table:
        for name, figures, points in (("spears", 8, (6, 0)), ("rifles", 6, (6, 6)), ("rifles_2", 1, (6, 6))):
            lose_figures(table, battle, battle.units[name], figures, "fire", "AFR-196")
            close_turn(table, battle, play.scenario, play.plan)
            assert (battle.sides["red"].points, battle.sides["blue"].points) == points


@pytest.mark.rule("AFR-047", "AFR-081")
def test_reinforcements_find_no_room_in_a_full_hex(game: Any, scripted: Any) -> None:
    from tests.rulesets.afriboria.conftest import UNITS

    play = game(units=RELIEF + UNITS)
    battle = play_until(play, "begin")
    battle.turn, (full, free, *_) = 3, play.plan.entries["relief"]
    for name in ("rifles", "rifles_2"):
        battle.move(battle.units[name], full)
    with pytest.raises(AssertionError), scripted(battle, [("arrival", 4), ("arrive in", full)]) as table:
        bring_on_arrivals(table, battle, play.plan, play.scenario, 2)
    with scripted(battle, [("arrival", 4), ("arrive in", free)]) as table:
        bring_on_arrivals(table, battle, play.plan, play.scenario, 2)
    assert battle.units["relief"].hex == free


@pytest.mark.rule("AFR-050", "AFR-024")
def test_a_unit_is_worth_a_point_and_a_cart_none(game: Any) -> None:
    carts = "carts: {name: Carts, side: red, arm: wagon, kind: civilian, figures: 2}, "
    foot = "foot: {name: Foot, side: red, arm: infantry, kind: tribal, figures: 8}, men: {name: Men, side: blue, arm: infantry, kind: tribal, figures: 8}"
    assert {name: spec.points for name, spec in game(units=carts + foot).plan.units.items()} == {
        "carts": 0, "foot": 1, "men": 1,
    }  # fmt: skip


@pytest.mark.rule("AFR-051", "AFR-236")
def test_carried_object_lies_where_its_carrier_was_lost(book: Any, at: Any, scripted: Any) -> None:
    """The unit is driven back and then destroyed in the same turn."""
    bearers, foe = (
        unit_of(book(), "bearers", "blue", "civ_n", at(4, 5), 2),
        unit_of(book(), "foe", "red", "inf_a", at(4, 3)),
    )
    battle = bare_battle(book(), [bearers, foe])
    battle.carried_objects["chest"] = ScenarioObject(at(4, 5), "bearers")
    with scripted(battle, [("retreat to", at(4, 6))]) as table:
        retreat(table, battle, bearers, 1)
        lose_figures(table, battle, bearers, 2, "fire", "AFR-196")
        take_carried_objects(table, battle)
    assert battle.carried_objects["chest"] == ScenarioObject(at(4, 6))
