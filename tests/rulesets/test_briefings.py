"""Briefing, score and after-action report of whole battles under every ruleset."""

from __future__ import annotations

import json
from html import escape

import pytest
from tests.small_battle import small_battle
from tests.systems import each_ruleset

from zareba.base.grammar import amount, in_a_sentence, join_with_and
from zareba.report.after_action import after_action_page
from zareba.scenario import Scenario, load_scenario, shipped_scenarios
from zareba.session import new_session


@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_a_briefing_tells_what_happened_who_fights_and_what_is_to_be_done(scenario: str) -> None:
    given = load_scenario(scenario)
    session = new_session("vcc", given, {}, seed=1)
    told = session.briefing()
    text = "\n".join(line for section in told.sections for line in section.lines)
    assert given.note in text
    assert all(unit.name in text for unit in given.units.values())
    assert all(leader.name in text for leader in given.leaders.values())
    for goal in given.objectives.values():
        by = join_with_and(in_a_sentence(given.sides[side].name) for side in goal.by) if goal.by else "either side"
        assert f"{goal.name} ({amount(goal.points, 'point')}, {by}" in text
    assert f"{given.turns} turns at most" in text
    assert all(note in text for note in session.game.untranslated)
    json.dumps(told.to_dict())


def test_briefing_leaves_out_hidden_enemies() -> None:
    given = load_scenario("column_ambushed")
    hidden = [unit for unit in given.units.values() if unit.hidden]
    assert hidden
    session = new_session("risk_factor", given, {}, seed=1)
    other = next(side for side in given.sides if side != hidden[0].side)
    text = str(session.briefing(other))
    assert all(f"{unit.name}: " not in text for unit in hidden)
    assert given.sides[hidden[0].side].briefing not in text
    assert hidden[0].name in str(session.briefing(hidden[0].side))


def test_only_the_briefing_without_a_seat_says_what_a_scenario_tests() -> None:
    session = new_session("vcc", load_scenario("river_ford"), {}, seed=1)
    assert "What it tests in a ruleset" in str(session.briefing())
    assert "What it tests in a ruleset" not in str(session.briefing("british"))
    assert "What it tests in a ruleset" not in str(session.briefing(watching=True))


def test_a_briefing_says_who_goes_first_unless_the_rules_decide_it() -> None:
    given = load_scenario("mission_station")
    assert "The regiments go first" in str(new_session("risk_factor", given, {}, seed=1).briefing())
    text = str(new_session("vcc", given, {}, seed=1).briefing())
    assert "The regiments go first" not in text
    assert "The garrison fires first" not in text and "The regiments move first in every turn" in text


GOES_FIRST_BY_DICE = {
    "vcc": "The band moves first in every turn, as the Native side of these rules; the patrol fires first, as the British "
    "side",
    "afriboria": "Each side rolls a die; the higher roll chooses to go first or second",
    "paychest": "No side goes first: each unit has a playing card, and acts when that card is drawn",
    "fixed_baynet": "Each side rolls for initiative before the first turn; the lowest roll activates a unit first, the "
    "highest last",
    "risk_factor": "Each side rolls a die; the higher roll goes first in every turn",
}


@pytest.mark.parametrize("ruleset", GOES_FIRST_BY_DICE)
def test_each_ruleset_says_who_goes_first_and_why(ruleset: str) -> None:
    told = new_session(ruleset, load_scenario("patrol_clash"), {}, seed=1).briefing()
    length = next(section.lines for section in told.sections if section.title == "Length")
    assert length[1] == GOES_FIRST_BY_DICE[ruleset]


def test_who_goes_first_follows_settings_and_roles() -> None:
    def lines(ruleset: str, settings: dict[str, str], given: Scenario) -> str:
        return str(new_session(ruleset, given, {}, seed=1, settings=settings).briefing())

    clash, station = load_scenario("patrol_clash"), load_scenario("mission_station")
    assert "the highest roll activates a unit first" in lines("fixed_baynet", {"initiative_highest": "first"}, clash)
    assert "rolls for initiative in each turn" in lines("fixed_baynet", {"initiative_each_turn": "true"}, clash)
    assert "the higher roll goes first in every turn" in lines("risk_factor", {"turn.first_side": "dice"}, station)
    open_station = station.model_copy(update={"first": "open"})
    assert "The regiments go first, as the attacker" in lines("risk_factor", {}, open_station)


def test_a_briefing_explains_the_names_of_divided_units() -> None:
    given = load_scenario("mission_station")
    text = str(new_session("afriboria", given, {}, seed=1).briefing())
    assert "Large units are divided: B Company 2 is a part of B Company" in text
    assert "B Company into 4; Details of all corps into 2" in text
    text = str(new_session("risk_factor", given, {}, seed=1).briefing())
    assert "Large units are divided: B Company 1 is a part of B Company" in text
    assert "Large units" not in str(new_session("vcc", given, {}, seed=1).briefing())


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_battle_that_is_over_has_a_closing_page(ruleset: str) -> None:
    given = small_battle()
    session = new_session(ruleset, given, dict.fromkeys(given.sides, "doctrine"), seed=2)
    session.drive()
    page, score = session.after_action_report(), session.score()
    assert page.result.startswith("The game is over")
    assert score.points == session.game.play.outcome(session.state).points
    assert score.changes[-1].points == score.points
    lost = {side: sum(causes.values()) for side, causes in page.losses.items()}
    told = dict.fromkeys(given.sides, 0.0)
    for _, _, events in session.log():
        for event in events:
            if event.kind == "loss":
                told[event.data["side"]] += event.data["lost"]
    assert lost == told
    assert sum(lost.values()) > 0
    assert any(luck.attacks > 0 and luck.expected_dealt > 0 for luck in page.luck.values())
    assert len(page.commanders) == len(given.leaders)
    assert page.turning
    lines = page.lines(session.game)
    for heading in ("The score", "Losses in ", "Turning points", "Commanders"):
        assert any(line.startswith(heading) for line in lines), heading
    html = after_action_page(page, session.game, session.game.display.labelled_board(session.state))
    assert all(escape(piece.text) in html for piece in session.game.display.board(session.state).pieces)
    assert page.result.split(".")[0] in html
    json.dumps(page.to_dict())
