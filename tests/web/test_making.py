"""Battles made at the page: from seeds and others, drawn, checked, previewed, undone; their files keep comments."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from tests.web.conftest import Chair, Club
from tests.web.test_play import RULESETS

from zareba.making import SIZES, THEATRES, generate
from zareba.making.edit import put, taken_out
from zareba.scenario import parse_scenario


def made(club: Club, **fields: str) -> str:
    answer = club.client.post("/make", data={"seed": "7", "size": "small", "theatre": "zulu", **fields})
    assert answer.status_code == 303, unescape(answer.text)
    return str(answer.headers["location"])


def do(club: Club, address: str, code: int = 200, **fields: str) -> Any:
    answer = club.client.post(f"{address}/do", data=fields)
    assert answer.status_code == code, answer.text
    return answer.json()


def test_a_battle_is_made_from_a_seed_drawn_on_and_played(club: Club) -> None:
    address = made(club)
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
        points="30,15 36,15 36,20 30,20",
    )
    assert told["sound"], told["problems"]
    assert "The new wood" in told["under"] and "# Made by: zareba generate 7" in told["text"]
    told = do(
        club,
        address,
        what="add",
        section="units",
        preset="lancers",
        side="first",
        name="The Nth Lancers",
        points="20,3",
    )
    assert told["sound"], told["problems"]
    assert "position: [20.0, 3.0]" in told["text"] or "position: [20, 3]" in told["text"]
    told = do(club, address, what="add", section="objectives", name="Crossroads", points="24,18")
    assert "Crossroads" in told["under"] and told["sound"]
    name = address.rpartition("/")[2]
    assert f'href="/new/{name}"' in club.client.get("/").text
    begun = club.client.post(f"/new/{name}", data={"ruleset": "vcc", "seat.first": "me", "seat.second": "doctrine"})
    assert begun.status_code == 303


def test_undo_redo_and_throwing_away(club: Club) -> None:
    address = made(club)
    before = club.client.get(f"{address}/parts").json()["text"]
    after = do(club, address, what="add", section="objectives", name="Crossroads", points="24,18")["text"]
    assert do(club, address, what="undo")["text"] == before
    assert do(club, address, what="redo")["text"] == after
    do(club, address, 409, what="redo")
    assert do(club, address, what="drop") == {"gone": True}
    assert club.client.get(address).status_code == 409


def test_what_is_wrong_is_told_with_its_line_and_stays_where_it_is(club: Club) -> None:
    address = made(club)
    told = do(club, address, what="add", section="units", preset="lancers", side="first", points="24,18 ")
    told = do(club, address, what="add", section="units", preset="lancers", side="first", points="24,18 ")
    assert not told["sound"] and any("overlaps" in one["words"] and one["line"] > 10 for one in told["problems"])
    name = address.rpartition("/")[2]
    assert f'href="/make/{name}"' in club.client.get("/make").text and "not sound yet" in club.client.get("/make").text
    assert club.client.get("/").status_code == 200
    refused = club.client.post(f"/new/{name}", data={"ruleset": "vcc"})
    assert refused.status_code == 409


def test_the_form_of_a_thing_has_the_words_of_the_vocabulary_and_keeps_what_it_shows(club: Club) -> None:
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
    fields = [*_shown(html), ("quality", "elite")]
    told = club.client.post(f"{address}/do", data=_as_data([("what", "set"), *fields])).json()
    assert parse_scenario(told["text"], "made").units[unit].quality == "elite"


def _as_data(fields: list[tuple[str, str]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    return found


def _shown(html: str) -> list[tuple[str, str]]:
    """What a browser would send of a form: the values of its fields as they are shown."""
    found = [(name, unescape(value)) for name, value in re.findall(r'<input[^>]* name="([^"]+)" value="([^"]*)"', html)]
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html, re.S):
        chosen = re.findall(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
        found += [(name, unescape(value or words)) for value, words in chosen]
    return found


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_system_shows_it_with_what_it_cannot_say(club: Club, ruleset: str) -> None:
    address = made(club)
    told = club.client.get(f"{address}/preview?ruleset={ruleset}").json()
    assert "worth about" in told["html"] and "<path" in told["under"]
    assert ("cell-name" in told["under"]) is (ruleset in ("vcc", "afriboria"))


def test_another_is_made_of_a_shipped_battle_with_its_comments(club: Club) -> None:
    address = made(club, **{"from": "patrol_clash"})
    text = club.client.get(f"{address}/file").text
    assert text.startswith("# yaml-language-server") and "id: patrol_clash_mine" in text
    told = do(club, address, what="remove", section="terrain", key="rocks")
    assert "# yaml-language-server" in told["text"] and "name: Rocks" not in told["text"] and told["sound"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"what": "fly"}, "there is no"),
        ({"what": "add", "section": "moons"}, "there is no section"),
        ({"what": "add", "section": "terrain", "kind": "swamp", "points": "1,1"}, "kind of ground"),
        ({"what": "add", "section": "terrain", "kind": "hill", "points": ""}, "at least one point"),
        ({"what": "add", "section": "terrain", "kind": "hill", "points": "1,nan 2,2"}, "number"),
        ({"what": "add", "section": "units", "preset": "dragons", "points": "1,1"}, "kind of unit"),
        ({"what": "remove", "section": "terrain", "key": "nothing"}, "no 'terrain.nothing'"),
        ({"what": "set", "section": "units", "key": "nobody"}, "there is no thing"),
        ({"what": "text", "text": "a: [1"}, ".yaml:"),
        ({"what": "text", "text": "a: &b 1"}, "anchor"),
        ({"what": "text", "text": "x" * 40_001}, "up to 40000"),
        ({"what": "undo"}, "nothing to undo"),
    ],
)
def test_what_cannot_be_is_refused_with_nothing_changed(club: Club, fields: dict[str, str], told: str) -> None:
    address = made(club)
    before = club.client.get(f"{address}/parts").json()
    assert told in do(club, address, 409, **fields)["refused"]
    assert club.client.get(f"{address}/parts").json() == before


def test_battles_are_the_owners_and_their_names_lead_nowhere_else(club: Club) -> None:
    address = made(club)
    stranger = club.stranger()
    assert stranger.get("/make").status_code == stranger.get(address).status_code == 403
    assert stranger.post(f"{address}/do", data={"what": "drop"}).status_code == 403
    for name in ("..%2f..%2fetc", "nothing", "A", "x.yaml"):
        assert club.client.get(f"/make/{name}").status_code in (404, 409)
    for wrong in ({"seed": "x"}, {"size": "hug"}, {"theatre": "moon"}, {"from": "../../etc/passwd"}):
        assert club.client.post("/make", data={"seed": "1", **wrong}).status_code == 400


def test_changes_keep_comments_and_whatever_is_beside_them() -> None:
    text = "# mine\nid: a\nunits:\n  one: # the first\n    name: One # odd\n    figures: 3\n  two: {name: Two}\n"
    changed = put(text, ["units", "one", "figures"], 4)
    assert changed == text.replace("figures: 3", "figures: 4")
    assert "# the first" in taken_out(text, ["units", "two"]) and "Two" not in taken_out(text, ["units", "two"])
    assert put(text, ["units", "three"], {"name": "Three", "position": [1, 2]}).endswith(
        "  three:\n    name: Three\n    position: [1, 2]\n"
    )


@pytest.mark.deep
def test_many_seeds_are_made_at_the_page_as_in_the_library_and_begin_in_every_system(club: Club) -> None:
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
                if chair.parts()["mine"]:
                    assert chair.do("answer", option=0).status_code == 200
            assert not chair.game.trouble
