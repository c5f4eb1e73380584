"""Starting a game: house rules by name or typed, settings, choices that persist, and the status of saved games."""

from __future__ import annotations

import json
import re
from html import unescape
from importlib import resources

import pytest
from tests.systems import RULESETS, each_battle, each_ruleset
from tests.web.conftest import Chair, Club
from tests.web.test_play import play

from zareba.authoring import even_forces
from zareba.scenario import load_scenario, scenario_text, shipped_scenarios
from zareba.session import new_session, replay

RULE = """house_rule: our_stacks
title: Our stacks
ruleset: vcc
changes:
  - {set: stack_points, to: 6, why: our boxes are large}
"""
OTHER = "house_rule: oil\nruleset: vcc\nchanges:\n  - {set: mg_overheat, to: 'off', why: our gunners carry oil}\n"


def test_a_typed_house_rule_is_played_and_its_journal_needs_no_file(club: Club) -> None:
    you = club.begin("vcc", rules=RULE + "---\n" + OTHER)["you"]
    rules = you.game.game.rules
    assert rules.settings["stack_points"] == 6 and rules.settings["mg_overheat"] == "off"
    assert rules.house_rules == ("our_stacks", "oil")
    play(you, 5)
    path = you.game.path
    club.close()
    assert replay(path).session.game.rules.settings["stack_points"] == 6


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("house_rule: x\nruleset: vcc\nchanges:\n  - {set: stack_point, to: 6}\n", "did you mean 'stack_points'"),
        ("house_rule: x\nruleset: vcc\nchanges:\n  - {at: weapons.rifle.long, was: 99, to: 4}\n", "typed rule 1:4:"),
        ("house_rule: x\nruleset: vcc\nchanges: [", "typed rule 1:"),
        ("import os", "typed rule 1"),
        ("house_rule: x\nruleset: paychest\nchanges:\n  - {set: wind, to: on}\n", "paychest"),
        ("!!python/object:os.system ls", "typed rule 1:1:1"),
        ("a: &x 1\nb: *x\n", "typed rule 1"),
        ("x" * 16_001, "at most 16000 characters"),
        ("---\n".join(OTHER.replace("oil", f"oil{n}") for n in range(9)), "at most 8 house rules can be typed"),
        ("a: " + "[" * 40 + "]" * 40, "typed rule 1"),
        (RULE + "---\n" + RULE.replace("our_stacks", "more"), "stack_points"),
    ],
)
def test_an_invalid_typed_house_rule_is_refused_with_its_line_and_starts_nothing(
    club: Club, typed: str, told: str
) -> None:
    for check in ({}, {"check": "1"}):
        answer = club.client.post("/new/patrol_clash", data={"ruleset": "vcc", "rules": typed, **check})
        assert answer.status_code == 400 and told in unescape(answer.text), unescape(answer.text)[:2000]
    assert not club.games.saved()


def test_a_refused_or_checked_form_keeps_what_was_entered(club: Club) -> None:
    fields = {
        "ruleset": "vcc", "seat.patrol": "random", "seat.tribesmen": "me", "set.stack_points": "6", "seed": "77", "dice": "physical",
        "house": "gatling_never_jams", "rules": RULE.replace("set: stack_points", "set: nothing"),
    }  # fmt: skip
    page = unescape(club.client.post("/new/patrol_clash", data=fields).text)
    assert '<option value="random" selected>' in page and 'value="77"' in page
    assert 'value="physical" checked' in page and 'value="gatling_never_jams" checked' in page
    assert "set: nothing" in page and 'name="set.stack_points" value="6"' in page
    fine = club.client.post("/new/patrol_clash", data={**fields, "rules": OTHER, "house": "", "check": "1"})
    assert fine.status_code == 400, "a rule without a name is refused"
    fields = {key: value for key, value in fields.items() if key != "house"}
    fine = club.client.post("/new/patrol_clash", data={**fields, "rules": OTHER, "check": "1"})
    changed = "Points of units that a side may have in a box: 6 (default 4)"
    assert fine.status_code == 200
    assert f"Valid. House rules: Oil. Changed settings: {changed}." in unescape(fine.text)
    assert not club.games.saved()


def test_house_rules_are_offered_to_their_system_with_their_reasons(club: Club) -> None:
    page = unescape(club.client.get("/new/patrol_clash?ruleset=vcc").text)
    assert "Gatling" in page and "gatling_never_jams" in page
    offered = [re.sub("<[^>]+>", "", line) for line in re.findall(r'<p class="rule-offered">(.*?)</p>', page)]
    assert len(offered) > 20
    assert not [line for line in offered if "_" in line.split()[0] or line.strip()[0].islower()], "titles, not ids"
    assert any("Dig in A unit may take cover" in line for line in offered), "the title of a rule is not repeated"
    assert "gatling_never_jams" not in club.client.get("/new/patrol_clash?ruleset=paychest").text


def test_settings_are_listed_by_what_they_decide_and_their_ids_are_for_the_command_line(club: Club) -> None:
    page = unescape(club.client.get("/new/patrol_clash?ruleset=paychest").text)
    (setting,) = re.findall(r'<p>((?:(?!<p>).)*name="set.double_fire".*?)</p>', page, re.DOTALL)
    small = re.search("<small.*</small>", setting)
    assert small and re.sub("<[^>]+>", "", small[0]) == (
        "command line: --set double_fire=… regulars, legion_only, none"
    )
    shown = re.sub("<[^>]+>", " ", setting.replace(small[0], ""))
    assert " ".join(shown.split()).startswith("Troops that fire twice in a turn PAY-025")
    assert "legion only" in shown and "_" not in shown


@pytest.mark.parametrize("name", ["first night", "میوند ۱۸۸۰", "شمشیر\u200cزنان", "पहली लड़ाई"])
def test_a_game_with_a_name_in_any_script_is_listed_and_opened(club: Club, name: str) -> None:
    seats = {"patrol": "human", "tribesmen": "random"}
    club.folder.mkdir(exist_ok=True)
    new_session("vcc", load_scenario("patrol_clash"), seats, seed=3, path=club.folder / f"{name}.jsonl").close()
    assert [game.name for game in club.games.saved()] == [name]
    assert name in unescape(club.client.get("/").text)
    links = club.client.post(f"/links/{name}", data={"seat.patrol": "me"})
    addresses = re.findall(r'href="(/game/[^"]+)"', unescape(links.text)) or [links.headers["location"]]
    chair = Chair(club, addresses[0])
    assert chair.client.get(chair.address).status_code == 200
    assert chair.get().status_code == 200


def test_a_battle_whose_ids_begin_with_a_digit_is_played_at_the_page(club: Club) -> None:
    text = scenario_text("patrol_clash").replace("id: patrol_clash", "id: 17th_clash").replace("tribesmen", "2nd_levy")
    text = text.replace("patrol:", "43rd:").replace("side: patrol", "side: 43rd")
    (club.folder / "battles").mkdir(parents=True)
    (club.folder / "battles" / "17th_clash.yaml").write_text(text, encoding="utf-8")
    assert 'href="/new/17th_clash"' in club.client.get("/").text
    seats = {"seat.43rd": "me", "seat.2nd_levy": "doctrine"}
    answer = club.client.post("/new/17th_clash", data={"ruleset": "vcc", "seed": "3", **seats})
    assert answer.status_code == 303, unescape(answer.text)[:2000]
    you = Chair(club, answer.headers["location"])
    play(you, 3)
    assert you.get("/briefing").status_code == 200


def test_every_system_says_how_long_a_shipped_battle_takes_under_it(club: Club) -> None:
    known = json.loads((resources.files("zareba.web.lobby") / "expected.json").read_text("utf-8"))
    assert set(known) == set(shipped_scenarios())
    assert all(set(told["rulesets"]) == set(RULESETS) for told in known.values())
    for name in ("patrol_clash", "river_ford"):
        page = unescape(club.client.get(f"/new/{name}").text)
        shown = len(re.findall(r"about [0-9]+ turns, [0-9]+ decisions; table-time index [0-9]+", page))
        measured = known[name]["scenario"] == load_scenario(name).digest
        assert shown == (5 if measured else 0), "a battle changed since its measurement shows no length"


def test_only_the_chosen_ruleset_is_marked(club: Club) -> None:
    page = club.client.get("/new/patrol_clash?ruleset=paychest").text
    assert re.findall(r'ruleset=(\w+)" aria-current', page) == ["paychest"]


@pytest.mark.parametrize("scenario", each_battle("column_ambushed"))
@pytest.mark.parametrize("ruleset", each_ruleset("afriboria"))
def test_every_shipped_battle_can_be_chosen_under_every_system(ruleset: str, scenario: str, club: Club) -> None:
    page = club.client.get(f"/new/{scenario}?ruleset={ruleset}")
    assert page.status_code == 200 and "Start the game" in page.text


def test_even_forces_are_offered_with_the_chances_of_both_sides(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {
        "forces": 50, "chances": {"patrol": 0.833, "tribesmen": 0.167}, "games": 60,
        "even_chances": {"patrol": 0.55, "tribesmen": 0.45},
    }  # fmt: skip
    data = {"patrol_clash": {"scenario": load_scenario("patrol_clash").digest, "rulesets": {"vcc": entry}}}
    monkeypatch.setattr(even_forces, "_measured", lambda: data)
    page = unescape(club.client.get("/new/patrol_clash?ruleset=vcc").text)
    assert "The patrol 83\u00a0%, the band 17\u00a0%" in page and "The patrol 55\u00a0%, the band 45\u00a0%" in page
    assert "Chances to win" not in club.client.get("/new/patrol_clash?ruleset=paychest").text
    you = club.begin("vcc", even="1")["you"]
    assert you.game.game.scenario.units["fusiliers"].figures == 7


def test_saved_games_show_the_score_and_more_than_six_are_folded(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 12)
    page = unescape(club.client.get("/").text)
    assert (
        re.search(r'<b>Victorian Colonial Combat</b>.*class="how">(before )?turn 1, ', page)
        and "The patrol: you; the band: AI (doctrine)" in page
        and "just now" in page
    )
    for _ in range(6):
        club.begin("vcc")
    page = unescape(club.client.get("/").text)
    assert page.count('action="/links/') == 6 and "All 7 games" in page
    assert club.client.get("/?all=1").text.count('action="/links/') == 7
    opened = club.client.post(f"/links/{you.name}")
    assert opened.status_code == 303 and Chair(club, opened.headers["location"]).parts()["is_asked"]
