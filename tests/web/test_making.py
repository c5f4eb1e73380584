"""The scenario editor of the page: battles are generated, copied, drawn, checked and undone, and keep comments."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from tests.systems import RULESETS
from tests.web.conftest import Chair, Club

from zareba.authoring import SIZES, THEATRES, generate
from zareba.authoring.scenario_yaml import remove_value, replace_document, set_value
from zareba.scenario import Scenario, parse_scenario
from zareba.web.lobby.battles import Battles

CROSSROADS = {"it.name": "Crossroads", "it.kind": "hold"}
GENERATED = {"seed": "7", "size": "small", "theatre": "zulu"}
CATTLE_RAID = """\
# A raid
id: cattle_raid
title: Cattle raid
year: 1879
place: the Buffalo river
note: Raiders have come for the cattle.
turns: 12
first: second
table: {width: 48, depth: 36}

terrain:
  kopje:
    kind: kopje
    name: Baboon rocks
    area: [[17.5, 15], [16.5, 17], [13.5, 17.5], [12, 16], [11.5, 14], [14, 12.5], [16.5, 13]]

sides:
  first:
    name: The British column
    home_edge: south
    deployment: {south: [[3, 0.5], [45, 0.5], [45, 7.0], [3, 7.0]]}
    briefing: Keep the cattle.
  second:
    name: The impi
    home_edge: north
    deployment: {north: [[3, 29.0], [45, 29.0], [45, 35.5], [3, 35.5]]}
    briefing: Bring the cattle home.

units:
  first_company: {side: first, name: First company, arm: infantry, kind: european_regular, figures: 18, weapon: breech_rifle}
  second_company: {side: first, name: Second company, arm: infantry, kind: european_regular, figures: 16, weapon: breech_rifle}
  young_regiment: {side: second, name: Young regiment, arm: infantry, kind: own_led_regular, figures: 22, weapon: throwing_spear}
  right_horn: {side: second, name: Right horn, arm: infantry, kind: own_led_regular, figures: 20, weapon: throwing_spear}

leaders:
  major_trask: {side: first, name: Major Trask, rank: commander, unit: first_company}
  induna_sihayo: {side: second, name: Induna Sihayo, rank: commander, unit: young_regiment}

objectives:
  cattle: {kind: carry_off, name: The cattle, points: 3, object: cattle, edge: north, by: [second]}
  break_them: {kind: destroy, name: Break the enemy, points: 2, share: 0.5}

objects:
  cattle: {name: The cattle, kind: livestock, side: first, position: [14.5, 15.0]}
"""
"""A small battle, in which an edit takes a third of the time that it takes in a generated one."""


def made(club: Club, **fields: str) -> str:
    """Return the address of a new battle, made from a form; without fields, of a small battle in its own file."""
    if not fields:
        Battles(club.folder / "battles").save("cattle_raid", CATTLE_RAID)
        return "/make/cattle_raid"
    answer = club.client.post("/make", data=fields)
    assert answer.status_code == 303, unescape(answer.text)
    return str(answer.headers["location"])


def do(club: Club, address: str, code: int = 200, /, **fields: str) -> Any:
    answer = club.client.post(f"{address}/do", data=fields)
    assert answer.status_code == code, answer.text
    return answer.json()


def test_a_battle_is_generated_from_a_seed_edited_and_played(club: Club) -> None:
    address = made(club, **GENERATED)
    assert club.client.get(address).status_code == 200
    parts = club.client.get(f"{address}/parts").json()
    assert parts["sound"] and "# Made by: zareba generate 7" in parts["text"]
    told = do(
        club,
        address,
        what="add",
        section="terrain",
        kind="light_wood",
        name="The new wood",
        drawn="30,15 36,15 36,20 30,20",
    )
    assert told["sound"], told["problems"]
    assert "The new wood" in told["ground_svg"] and "# Made by: zareba generate 7" in told["text"]
    told = do(
        club,
        address,
        what="add",
        section="units",
        preset="lancers",
        side="first",
        name="The Nth Lancers",
        drawn="20,3",
    )
    assert told["sound"], told["problems"]
    assert "position: [20.0, 3.0]" in told["text"] or "position: [20, 3]" in told["text"]
    told = do(club, address, what="add", section="objectives", drawn="24,18", **CROSSROADS)
    assert "Crossroads" in told["ground_svg"] and told["sound"]
    name = address.rpartition("/")[2]
    assert f'href="/new/{name}"' in club.client.get("/").text
    begun = club.client.post(f"/new/{name}", data={"ruleset": "vcc", "seat.first": "me", "seat.second": "doctrine"})
    assert begun.status_code == 303


def test_a_new_battle_starts_with_an_empty_table(club: Club) -> None:
    answer = club.client.post("/make", data={"title": "At the ford", "width": "40", "depth": "30", "first": "Us"})
    address = answer.headers["location"]
    assert address == "/make/at_the_ford"
    parts = club.client.get(f"{address}/parts").json()
    assert not parts["sound"] and parts["box"][2] > 40 and 'class="zone' in parts["ground_svg"]
    assert [problem["words"] for problem in parts["problems"]] == ["units: there are none yet; draw some"]
    for side, place in (("us", "20,3"), ("second_side", "20,27")):
        told = do(club, address, what="add", section="units", preset="lancers", side=side, drawn=place)
        assert told["pieces"].count('class="piece ') == (1 if side == "us" else 2)
    assert told["sound"] and not told["problems"], "without objectives the greater strength wins"
    assert do(club, address, what="add", section="objectives", drawn="20,15", **CROSSROADS)["sound"]
    for wrong in ({"width": "x"}, {"width": "5"}, {"depth": "500"}):
        fields = {"title": "Another", "width": "40", "depth": "30", **wrong}
        assert club.client.post("/make", data=fields).status_code == 400


def test_a_faulty_unit_is_left_off_the_map_and_everything_else_is_drawn(club: Club) -> None:
    address = made(club)
    before = club.client.get(f"{address}/parts").json()
    scenario = parse_scenario(before["text"], "made")
    unit, other = list(scenario.units)[:2]
    told = do(
        club,
        address,
        what="text",
        text=before["text"].replace("figures: ", "figures: 0.", 1).rstrip("\n") + "\nmoons: 2",
    )
    assert (
        not told["sound"] and f'data-unit="{unit}"' not in told["pieces"] and f'data-unit="{other}"' in told["pieces"]
    )
    assert told["ground_svg"] == before["ground_svg"]


def test_units_objectives_and_corners_are_moved_by_dragging(club: Club) -> None:
    address = made(club)
    text = club.client.get(f"{address}/parts").json()["text"]
    scenario = parse_scenario(text, "made")
    unit = next(iter(scenario.units))
    terrain, piece = next((key, one) for key, one in scenario.terrain.items() if one.area)
    do(club, address, what="move", section="units", key=unit, drawn="20,5.5")
    assert piece.area is not None
    x, y = round(piece.area[1][0] + 0.2, 1), round(piece.area[1][1], 1)
    told = do(club, address, what="move", section="terrain", key=terrain, corner="1", drawn=f"{x},{y}")
    after = parse_scenario(told["text"], "made")
    assert after.units[unit].position == (20.0, 5.5)
    area, was = after.terrain[terrain].area, piece.area
    assert area is not None and was is not None
    assert area[1] == (x, y) and area[:1] + area[2:] == was[:1] + was[2:]
    assert do(club, address, what="undo")["undo"] and do(club, address, what="undo")["text"] == text
    do(club, address, 409, what="move", section="terrain", key=terrain, corner="99", drawn="7.5,8")
    do(club, address, 409, what="move", section="units", key="nobody", drawn="7.5,8")


def test_the_editor_is_headed_by_the_title_of_the_battle(club: Club) -> None:
    address = made(club)
    text = club.client.get(f"{address}/parts").json()["text"]
    old = re.search(r"^title: (.*)$", text, re.MULTILINE)
    assert old
    renamed = do(club, address, what="text", text=text.replace(old[0], "title: The road to the wells"))
    assert renamed["title"] == "The road to the wells"
    page = club.client.get(address).text
    assert (
        '<span id="title">The road to the wells</span>' in page
        and address.rpartition("/")[2] not in page.partition("</h1>")[0].rpartition("<h1")[2]
    )


def test_edits_are_undone_redone_and_discarded(club: Club) -> None:
    address = made(club)
    before = club.client.get(f"{address}/parts").json()["text"]
    after = do(club, address, what="add", section="objectives", drawn="24,18", **CROSSROADS)["text"]
    assert do(club, address, what="undo")["text"] == before
    assert do(club, address, what="redo")["text"] == after
    do(club, address, 409, what="redo")
    assert do(club, address, what="drop") == {"gone": True}
    assert club.client.get(address).status_code == 409


def test_problems_are_listed_with_their_lines_and_shown_in_the_list_of_battles(club: Club) -> None:
    address = made(club)
    told = do(club, address, what="add", section="units", preset="lancers", side="first", drawn="24,18 ")
    told = do(club, address, what="add", section="units", preset="lancers", side="first", drawn="24,18 ")
    assert not told["sound"] and any(
        "overlaps" in problem["words"] and problem["line"] > 10 for problem in told["problems"]
    )
    name = address.rpartition("/")[2]
    assert f'href="/make/{name}"' in club.client.get("/make").text and "has errors" in club.client.get("/make").text
    assert club.client.get("/").status_code == 200
    refused = club.client.post(f"/new/{name}", data={"ruleset": "vcc"})
    assert refused.status_code == 409


def test_forms_offer_the_words_of_the_vocabulary_and_keep_other_values(club: Club) -> None:
    address = made(club)
    text = club.client.get(f"{address}/parts").json()["text"]
    scenario = parse_scenario(text, "made")
    for section, known in (
        ("units", scenario.units),
        ("terrain", scenario.terrain),
        ("objectives", scenario.objectives),
        ("leaders", scenario.leaders),
        ("sides", scenario.sides),
    ):
        for key in known:
            html = club.client.get(f"{address}/form?section={section}&key={key}").json()["html"]
            fields = [("what", "set"), *_shown(html)]
            answer = club.client.post(f"{address}/do", data=_as_data(fields))
            assert answer.status_code == 200, answer.text
            assert answer.json()["sound"], (section, key, answer.json()["problems"])
    after = parse_scenario(club.client.get(f"{address}/parts").json()["text"], "made")
    assert after.digest == scenario.digest
    unit = next(iter(scenario.units))
    html = club.client.get(f"{address}/form?section=units&key={unit}").json()["html"]
    fields = [(name, value) for name, value in _shown(html) if name != "it.quality"] + [("it.quality", "elite")]
    told = club.client.post(f"{address}/do", data=_as_data([("what", "set"), *fields])).json()
    assert parse_scenario(told["text"], "made").units[unit].quality == "elite"


def _as_data(fields: list[tuple[str, str]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    return found


def _shown(html: str) -> list[tuple[str, str]]:
    """Return the fields of a form with their displayed values, as a browser would send them."""
    html = re.sub(r"<template>.*?</template>", "", html, flags=re.S)
    inputs = re.findall(r'<input([^>]*) name="([^"]+)" value="([^"]*)"([^>]*)>', html)
    found = [
        (name, unescape(value))
        for before, name, value, after in inputs
        if "checkbox" not in before or "checked" in after
    ]
    found += [
        (name, unescape(value))
        for name, value in re.findall(r'<textarea name="([^"]+)"[^>]*>(.*?)</textarea>', html, re.S)
    ]
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.findall(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
        found += [(name, unescape(value or words)) for value, words in chosen]
    return found


def form(club: Club, address: str, section: str, key: str = "", kind: str = "") -> str:
    answer = club.client.get(f"{address}/form", params={"section": section, "key": key, "kind": kind})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["html"])


def filled(html: str, **fields: Any) -> dict[str, Any]:
    """Return the data of a form with these fields filled in; all of them must exist."""
    named = {name if name == "drawn" else f"it.{name}": value for name, value in fields.items()}
    for name in named:
        assert name == "drawn" or f'name="{name}"' in html, name
    return {**_as_data([pair for pair in _shown(html) if pair[0] not in named]), **named}


def written(club: Club, address: str, what: str, html: str, **fields: Any) -> Any:
    """Send a form with these fields filled in; return the answer."""
    answer = club.client.post(f"{address}/do", data={"what": [what], **filled(html, **fields)})
    assert answer.status_code == 200, answer.text
    return answer.json()


def read(told: Any) -> Scenario:
    assert told["sound"], told["problems"]
    return parse_scenario(told["text"], "made")


def test_leaders_of_units_in_zones_and_at_places_are_edited_in_forms(club: Club) -> None:
    address = made(club)
    before = read(club.client.get(f"{address}/parts").json())
    unit = next(iter(before.units_of("first")))
    html = form(club, address, "leaders")
    assert f'<option value="{unit}">' in html and '<option value="subchief">' in html
    told = written(club, address, "add", html, name="Captain New", side="first", rank="officer", unit=unit)
    assert told["added"] == "captain_new" and read(told).leaders["captain_new"].unit == unit
    told = written(club, address, "add", html, name="Captain New", side="first", rank="nco")
    assert told["added"] == "captain_new_2" and read(told).leaders["captain_new_2"].unit is None
    html = form(club, address, "leaders", "captain_new")
    told = written(club, address, "set", html, drawn="24,18", quality="elite")
    moved = read(told).leaders["captain_new"]
    assert (moved.position, moved.unit, moved.quality) == ((24, 18), None, "elite"), (
        "the leader has left its unit for the place"
    )
    assert 'data-unit="captain_new"' in told["pieces"]
    clash = written(
        club, address, "add", form(club, address, "leaders"), name=before.units[unit].name, side="first", rank="nco"
    )
    assert clash["added"] not in read(clash).units


def test_objects_and_objectives_of_every_kind_are_edited_in_forms(club: Club) -> None:
    address = made(club)
    before = read(club.client.get(f"{address}/parts").json())
    first, second = (list(before.units_of(side)) for side in before.sides)
    leader = next(iter(before.leaders_of("second")))
    told = written(
        club, address, "add", form(club, address, "objects"), name="The chest", kind="paychest", drawn="24,16"
    )
    assert read(told).objects["the_chest"].position == (24, 16) and 'data-unit="the_chest"' in told["pieces"]
    told = written(club, address, "set", form(club, address, "objects", "the_chest"), carrier=first[0], position="")
    assert read(told).objects["the_chest"].carrier == first[0]
    told = written(club, address, "set", form(club, address, "objects", "the_chest"), drawn="20,15")
    assert read(told).objects["the_chest"].carrier is None
    goals: dict[str, dict[str, str | list[str]]] = {
        "hold": {"drawn": "24,18", "radius": "4", "by": ["first", "second"]},
        "destroy": {"share": "0.5", "units": second[:2], "by": ["first"]},
        "carry_off": {"object": "the_chest", "edge": "north"},
        "escort": {"units": first[:2], "edge": "north", "by": ["first"]},
        "capture_leader": {"leader": leader, "by": ["first"]},
        "survive": {"turn": "3", "by": ["second"]},
    }
    for kind, fields in goals.items():
        html = form(club, address, "objectives", kind=kind)
        told = written(club, address, "add", html, name=f"New {kind}", points="3", **fields)
        goal = read(told).objectives[f"new_{kind}"]
        assert (told["added"], goal.kind, goal.points) == (f"new_{kind}", kind, 3)
    assert read(told).objectives["new_destroy"].model_dump()["units"] == tuple(second[:2])
    for name in ("New hold", "New carry_off"):
        assert name in told["ground_svg"], "it has a flag"
    html = form(club, address, "objectives", "new_escort", "survive")
    assert 'name="it.turn"' in html and 'name="it.edge"' not in html
    told = written(club, address, "set", html, turn="4")
    assert read(told).objectives["new_escort"].kind == "survive", "the kind of an objective can be changed"
    told = written(club, address, "set", form(club, address, "objectives", "new_destroy"), units=second[:1])
    assert read(told).objectives["new_destroy"].model_dump()["units"] == (second[0],)


@pytest.mark.parametrize("most", [1, pytest.param(99, marks=pytest.mark.deep)], ids=["first", "all"])
def test_the_map_and_problems_are_shown_after_any_part_is_removed(most: int, club: Club) -> None:
    address = made(club, **{"from": "paychest_raid"})
    name = address.rpartition("/")[2]
    text = club.client.get(f"{address}/file").text
    whole = parse_scenario(text, name)
    for section in ("terrain", "sides", "units", "leaders", "objects", "objectives"):
        for key in list(getattr(whole, section))[:most]:
            told = do(club, address, what="remove", section=section, key=key)
            assert told["sound"] or all(problem["line"] >= 1 and problem["words"] for problem in told["problems"])
            if section != "sides":
                assert told["ground_svg"] and told["pieces"]
            if section == "objects":
                goal = next(goal for goal, aim in whole.objectives.items() if getattr(aim, "object", "") == key)
                assert f'value="{key}" selected' in form(club, address, "objectives", goal), (
                    "it still refers to the object"
                )
            assert do(club, address, what="undo")["text"] == text


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_system_previews_the_battle_and_lists_unsupported_words(club: Club, ruleset: str) -> None:
    address = made(club)
    told = club.client.get(f"{address}/preview?ruleset={ruleset}").json()
    assert "worth about" in told["html"] and "<path" in told["ground_svg"]
    assert ("cell-name" in told["ground_svg"]) is (ruleset in ("vcc", "afriboria"))


def test_a_copy_of_a_shipped_battle_keeps_its_comments(club: Club) -> None:
    address = made(club, **{"from": "patrol_clash"})
    text = club.client.get(f"{address}/file").text
    assert text.startswith("# yaml-language-server") and "id: patrol_clash_mine" in text
    told = do(club, address, what="remove", section="terrain", key="rocks")
    assert "# yaml-language-server" in told["text"] and "name: Rocks" not in told["text"] and told["sound"]


REFUSED: list[tuple[dict[str, str], str]] = [
    ({"what": "fly"}, "there is no"),
    ({"what": "add", "section": "moons"}, "there is no section"),
    ({"what": "add", "section": "terrain", "kind": "swamp", "drawn": "1,1"}, "kind of ground"),
    ({"what": "add", "section": "terrain", "kind": "hill", "drawn": ""}, "at least one point"),
    ({"what": "add", "section": "terrain", "kind": "hill", "drawn": "1,nan 2,2"}, "number"),
    ({"what": "add", "section": "units", "preset": "dragons", "drawn": "1,1"}, "kind of unit"),
    ({"what": "add", "section": "hidden", "it.dummies": "3"}, "cannot be drawn"),
    ({"what": "add", "section": "sides", "key": "first", "it.name": "Third"}, "must have no key"),
    ({"what": "add", "section": "objectives", "it.kind": "fly"}, "kind of objective"),
    ({"what": "add", "section": "objectives", "it.kind": "destroy", "drawn": "1,1"}, "has no position"),
    ({"what": "add", "section": "leaders", "it.loyalty.0:key": "", "it.loyalty.0": "loyal"}, "choose an element"),
    ({"what": "add", "section": "leaders", "it.loyalty.0:key": "a", "it.loyalty.1:key": "a"}, "keep only one"),
    ({"what": "set", "section": "overrides", "key": "whist"}, "there is no ruleset"),
    ({"what": "set", "section": "hidden", "key": "nobody"}, "there is no element"),
    ({"what": "remove", "section": "terrain", "key": "nothing"}, "no 'terrain.nothing'"),
    ({"what": "set", "section": "units", "key": "nobody"}, "there is no element"),
    ({"what": "text", "text": "a: [1"}, "the battle:2:1: "),
    ({"what": "text", "text": "a: &b 1"}, "anchor"),
    ({"what": "text", "text": "x" * 40_001}, "at most 40000 characters"),
    ({"what": "undo"}, "nothing to undo"),
]


def test_invalid_edits_are_refused_and_change_nothing(club: Club) -> None:
    address = made(club)
    before = club.client.get(f"{address}/parts").json()
    for fields, told in REFUSED:
        assert told in do(club, address, 409, **fields)["refused"]
        assert club.client.get(f"{address}/parts").json() == before, fields


def test_other_visitors_cannot_open_battles_and_names_cannot_leave_the_folder(club: Club) -> None:
    address = made(club)
    stranger = club.stranger()
    assert stranger.get("/make").status_code == stranger.get(address).status_code == 403
    assert stranger.post(f"{address}/do", data={"what": "drop"}).status_code == 403
    assert stranger.post(f"{address}/check", data={"section": "battle"}).status_code == 403
    for name in ("..%2f..%2fetc", "nothing", "A", "x.yaml"):
        assert club.client.get(f"/make/{name}").status_code in (404, 409)
    for wrong in ({"seed": "x"}, {"size": "hug"}, {"theatre": "moon"}, {"from": "../../etc/passwd"}):
        assert club.client.post("/make", data={"seed": "1", **wrong}).status_code == 400


def test_edits_keep_comments_and_everything_else_in_the_file() -> None:
    text = "# mine\nid: a\nunits:\n  one: # the first\n    name: One # odd\n    figures: 3\n  two: {name: Two}\n"
    changed = set_value(text, ["units", "one", "figures"], 4)
    assert changed == text.replace("figures: 3", "figures: 4")
    assert "# the first" in remove_value(text, ["units", "two"]) and "Two" not in remove_value(text, ["units", "two"])
    assert set_value(text, ["units", "three"], {"name": "Three", "position": [1, 2]}).endswith(
        "  three:\n    name: Three\n    position: [1, 2]\n"
    )


def test_a_comment_above_a_section_stays_when_the_section_before_changes() -> None:
    text = (
        "units:\n  one: # the first\n    name: One # odd\n    facing: n\n  # the other\n  two:\n    name: Two # even\n\n"
        "# who leads\nleaders:\n  a: {name: A}\n"
    )
    without = remove_value(text, ["units", "two"])
    assert without == text.replace("  two:\n    name: Two # even\n", "")
    assert set_value(text, ["units", "three"], {"name": "Three"}) == text.replace(
        "\n\n# who", "\n  three:\n    name: Three\n\n# who"
    )
    changed = replace_document(text, ["units", "one"], {"name": "One", "facing": "s", "traits": ["hero"]})
    assert changed == text.replace("facing: n\n", "facing: s\n    traits: [hero]\n")
    assert replace_document(text, ["units", "one"], {"name": "One"}) == text.replace("    facing: n\n", "")
    assert replace_document(text, ["leaders", "a"], {"name": "B"}) == text.replace("name: A", "name: B")


@pytest.mark.deep
def test_the_page_generates_the_same_battles_from_seeds_as_the_library(club: Club) -> None:
    sizes, theatres = tuple(SIZES), ("", *THEATRES)
    for seed in range(24):
        size, theatre = sizes[seed % len(sizes)], theatres[seed % len(theatres)]
        address = made(club, seed=str(seed), size=size, theatre=theatre)
        name = address.rpartition("/")[2]
        parts = club.client.get(f"{address}/parts").json()
        assert parts["sound"], (seed, parts["problems"])
        assert parts["text"] == club.client.get(f"{address}/file").text
        own = parse_scenario(generate(seed, size, theatre), "library")
        assert parse_scenario(parts["text"], "page").model_copy(update={"id": own.id}) == own
        for ruleset in RULESETS:
            assert "worth about" in club.client.get(f"{address}/preview?ruleset={ruleset}").json()["html"]
            begun = club.client.post(
                f"/new/{name}", data={"ruleset": ruleset, "seat.first": "me", "seat.second": "doctrine", "seed": "1"}
            )
            chair = Chair(club, begun.headers["location"])
            for _ in range(4):
                if chair.parts()["is_asked"]:
                    assert chair.do("answer", option=0).status_code == 200
            assert not chair.game.trouble
