"""The people at a table: presence, names, chat, clocks, draws, rematches, links and the list of games."""

from __future__ import annotations

import re
import time
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Chair, Club

from zareba.session import replay
from zareba.web.app import create_app
from zareba.web.lobby.people import MOST_LINE, MOST_LINES, read_clock

FRIENDS = {"seat.patrol": "me", "seat.tribesmen": "friend"}


def people(chair: Chair) -> Any:
    answer = chair.get("/people")
    assert answer.status_code == 200, answer.text
    return answer.json()


def act(chair: Chair, what: str, **fields: str) -> Any:
    return chair.client.post(f"{chair.address}/people/{what}", data=fields, headers={"Accept": "application/json"})


def told(html: str) -> str:
    """Return the words of some HTML."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def seat(chair: Chair, side: str) -> Any:
    return next(person for person in people(chair)["seats"] if person["id"] == side)


# --- chat and names ---------------------------------------------------------------------------------------------------


def test_chat_messages_show_names_and_survive_a_restart(club: Club) -> None:
    chairs = club.begin("vcc", **FRIENDS)
    you, band, watcher = chairs["you"], chairs["The band"], chairs["whoever watches"]
    assert act(you, "say", text="Good evening").status_code == 200
    assert act(band, "name", name="Anna").status_code == 200
    assert act(band, "say", text="<b>Hello</b> & welcome").status_code == 200
    for chair in (you, band, watcher):
        chat = people(chair)["chat"]
        assert "&lt;b&gt;Hello&lt;/b&gt; &amp; welcome" in chat and "<b>Hello" not in chat
        assert "The patrol Good evening" in told(chat) and "Anna <b>Hello" in told(chat)
    before = people(watcher)["chat"]
    journal = you.game.path.read_bytes()
    club.games.close()
    assert people(watcher)["chat"] == before and seat(you, "tribesmen")["player"] == "Anna"
    assert you.game.path.read_bytes() == journal and replay(you.game.path).session.pending is not None


def test_watchers_read_the_chat_but_cannot_write(club: Club) -> None:
    watcher = club.begin("vcc", **FRIENDS)["whoever watches"]
    for what in ("say", "name", "draw", "concede", "claim", "pardon", "rematch"):
        assert act(watcher, what, text="x", name="x").status_code == 403
    assert 'id="say"' not in watcher.client.get(watcher.address).text


@pytest.mark.parametrize("text", ["", "x" * (MOST_LINE + 1), "one\u202etwo"])
def test_an_unsuitable_message_is_refused(club: Club, text: str) -> None:
    you = club.begin("vcc", **FRIENDS)["you"]
    assert act(you, "say", text=text).status_code == 409
    assert not you.game.people.chat


def test_a_person_who_writes_too_fast_is_asked_to_wait(club: Club) -> None:
    chairs = club.begin("vcc", **FRIENDS)
    codes = [act(chairs["you"], "say", text=str(number)).status_code for number in range(12)]
    assert codes[0] == 200 and codes[-1] == 429
    assert act(chairs["The band"], "say", text="I may still write").status_code == 200


def test_the_chat_keeps_only_the_last_lines(club: Club) -> None:
    you = club.begin("vcc", **FRIENDS)["you"]
    for number in range(MOST_LINES + 3):
        you.game.people.say("patrol", "Bo", str(number))
    assert len(you.game.people.chat) == MOST_LINES and you.game.people.chat[-1].text == str(MOST_LINES + 2)


def test_a_damaged_file_loses_only_the_chat(club: Club) -> None:
    you = club.begin("vcc", **FRIENDS)["you"]
    act(you, "say", text="soon gone")
    club.games.close()
    (club.folder / f"{you.name}.people.json").write_text('{"chat": [')
    assert people(you)["chat"] == "" and you.parts()["is_asked"]


def test_a_chat_message_does_not_invalidate_a_choice(club: Club) -> None:
    """The version of the game must not grow, or an answer given at the same time would be refused."""
    chairs = club.begin("vcc", **FRIENDS)
    before = chairs["you"].parts()
    act(chairs["The band"], "say", text="wait")
    assert chairs["you"].parts() == before
    assert chairs["you"].do("answer", version=before["version"], option=0).status_code == 200


# --- whose turn it is -------------------------------------------------------------------------------------------------


def test_everyone_sees_who_must_answer_and_since_when(club: Club) -> None:
    chairs = club.begin("vcc", **FRIENDS)
    for chair in chairs.values():
        assert seat(chair, "patrol")["asked"] and not seat(chair, "tribesmen")["asked"]
        assert seat(chair, "patrol")["waited"] < 60
    assert not seat(chairs["you"], "tribesmen")["online"]
    summary = chairs["The band"].get("/summary").json()
    assert summary["asked"] == "Waiting for the patrol, asked just now" and not summary["mine"]
    assert chairs["you"].get("/summary").json()["mine"]


def test_the_list_shows_whose_turn_it_is_with_the_owners_games_first(club: Club) -> None:
    theirs = club.begin("vcc", **{"seat.patrol": "friend", "seat.tribesmen": "me"})
    yours = club.begin("vcc", **FRIENDS)
    act(theirs["The patrol"], "name", name="Anna")
    time.sleep(0.01)
    act(theirs["The patrol"], "say", text="the newest")
    page = club.client.get("/").text
    items = [told(item) for item in re.findall(r"<li.*?</li>", page, re.DOTALL)][:2]
    assert "Your turn, asked just now" in items[0] and yours["you"].name in items[0]
    assert "Waiting for Anna, asked just now" in items[1] and "The patrol: Anna; the band: you" in items[1]
    assert told(club.client.get("/games").json()["html"]).count("Your turn") == 1
    club.games.close()
    assert "Your turn" in told(club.client.get("/").text), "the list knows it without opening the game"


def test_the_list_says_which_turn_and_phase_the_question_belongs_to(club: Club) -> None:
    """The last recorded step is the end of the turn before."""
    you = club.begin("vcc")["you"]
    for scope in ("set_up", "turn", "turn"):
        assert you.do("delegate", scope=scope).status_code == 200
    headline = you.game.game.display.headline(you.game.session.state)
    assert headline.startswith("Turn 3 of ")
    phase = headline.rpartition(" · ")[2]
    listed = told(club.client.get("/games").json()["html"])
    assert f"turn 3, {phase}; last move" in listed and "end of turn" not in listed
    club.games.close()
    assert f"turn 3, {phase}; last move" in told(club.client.get("/").text), "also before the game is opened again"


def test_every_page_leads_back_to_the_list(club: Club) -> None:
    you = club.begin("vcc", **FRIENDS)["The band"]
    assert 'href="/tables"' in you.client.get(you.address).text, "a friend has a list of the games of the own browser"
    assert you.client.get("/tables").status_code == 200 and you.client.get("/").status_code == 403
    own = club.client.get(you.address).text
    assert 'href="/"' in own and f'href="/links/{you.name}"' in own
    for path in ("/new/patrol_clash", f"/links/{you.name}", "/comparisons", f"{you.address}/end"):
        assert 'href="/"' in club.client.get(path).text, path


# --- clocks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "minutes"), [("total", "x"), ("total", "0"), ("total", "9999"), ("hourglass", "5"), ("choice", "nan")]
)
def test_an_impossible_clock_starts_no_game(club: Club, kind: str, minutes: str) -> None:
    form = {"ruleset": "vcc", **FRIENDS, "clock": kind, "minutes": minutes}
    answer = club.client.post("/new/patrol_clash", data=form)
    assert answer.status_code == 400 and "clock" in answer.text and not club.games.saved()


def test_by_default_there_is_no_clock(club: Club) -> None:
    you = club.begin("vcc", **FRIENDS)["you"]
    assert read_clock("none", "30") is None and seat(you, "patrol")["left"] is None


@pytest.mark.parametrize("kind", ["total", "choice"])
def test_a_side_out_of_time_loses_only_if_the_other_side_claims_it(club: Club, kind: str) -> None:
    chairs = club.begin("vcc", **FRIENDS, clock=kind, minutes="0.5")
    you, band = chairs["you"], chairs["The band"]
    assert 0 < seat(band, "patrol")["left"] <= 30 and seat(band, "patrol")["runs"]
    assert act(band, "claim", side="patrol").status_code == 409, "there is time left"
    clock = you.game.people.clock
    assert clock is not None
    clock.seconds = 0
    assert "The patrol is out of time" in told(people(band)["html"])
    assert "Claim the win" not in people(you)["html"] and you.parts()["is_asked"], "nothing is forced"
    assert act(you, "claim", side="tribesmen").status_code == 409
    assert act(band, "claim", side="patrol").status_code == 200
    assert "the band wins" in you.parts()["question"] and "A player ran out of time" in you.parts()["question"]


def test_a_pardoned_side_plays_on_without_its_clock(club: Club) -> None:
    chairs = club.begin("vcc", **FRIENDS, clock="total", minutes="0.5")
    clock = chairs["you"].game.people.clock
    assert clock is not None
    clock.seconds = 0
    assert act(chairs["The band"], "pardon", side="patrol").status_code == 200
    assert seat(chairs["you"], "patrol")["left"] is None and chairs["you"].parts()["is_asked"]


def test_the_time_used_is_saved_and_the_clock_stops_with_the_server(club: Club) -> None:
    you = club.begin("vcc", **FRIENDS, clock="total", minutes="30")["you"]
    game = you.game.people
    game._clock_start = time.monotonic() - 600
    club.games.close()
    left = seat(you, "patrol")["left"]
    assert 1100 < left <= 1200


# --- draws and concessions --------------------------------------------------------------------------------------------


def test_a_draw_needs_both_sides_and_ends_the_game(club: Club) -> None:
    chairs = club.begin("vcc", **FRIENDS)
    you, band, watcher = chairs["you"], chairs["The band"], chairs["whoever watches"]
    assert act(you, "draw").status_code == 200
    assert you.parts()["is_asked"] and "Withdraw" in you.parts()["question"]
    assert "The patrol proposes: a draw" in told(band.parts()["question"])
    assert "proposes" not in watcher.parts()["question"]
    assert band.do("decline").status_code == 200 and "proposes" not in you.parts()["question"]
    act(band, "draw")
    assert you.do("agree").status_code == 200
    for chair in chairs.values():
        assert "a draw" in chair.parts()["question"] and chair.parts()["over"]
    assert you.do("answer", option=0).status_code == 409 or not you.parts()["is_asked"]
    club.games.close()
    assert "a draw" in you.parts()["question"], "also after a restart"
    assert "Finished games: 1" in club.client.get("/").text


def test_an_ai_player_cannot_agree_to_a_draw_but_a_person_can_concede(club: Club) -> None:
    you = club.begin("vcc")["you"]
    assert "Offer a draw" not in people(you)["html"] and act(you, "draw").status_code == 409
    assert act(you, "concede").status_code == 200
    assert "the band wins" in you.parts()["question"] and "A player conceded" in you.parts()["question"]
    assert act(you, "concede").status_code == 409


# --- rematch ----------------------------------------------------------------------------------------------------------


def rematch_of(chair: Chair) -> Chair:
    found = re.search(r'href="(/game/[^"]+)"', people(chair)["html"])
    assert found, people(chair)["html"]
    return Chair(chair.club, found[1])


def test_a_rematch_starts_when_everyone_agrees_with_the_sides_exchanged(club: Club) -> None:
    chairs = club.begin("vcc", **FRIENDS, **{"set.stack_points": "6"}, clock="total", minutes="20")
    you, band, watcher = chairs["you"], chairs["The band"], chairs["whoever watches"]
    act(band, "name", name="Anna")
    assert act(you, "rematch").status_code == 409, "the game is not over"
    act(you, "concede")
    assert act(you, "rematch").status_code == 200 and "starts when all players" in people(you)["html"]
    assert "wants a rematch" in people(band)["html"] and len(club.games.saved()) == 1
    answer = band.client.post(f"{band.address}/rematch")
    assert answer.status_code == 303 and len(club.games.saved()) == 2
    again, anna, seen = rematch_of(you), rematch_of(band), rematch_of(watcher)
    assert answer.headers["location"] == anna.address
    assert again.name == anna.name == seen.name != you.name
    assert again.parts()["seat"] == "tribesmen" and anna.parts()["seat"] == "patrol" and seen.parts()["seat"] == ""
    assert again.game.game.rules.settings["stack_points"] == 6
    assert seat(again, "patrol")["player"] == "Anna" and 0 < seat(again, "patrol")["left"] <= 1200
    assert band.client.post(f"{band.address}/rematch").headers["location"] == anna.address
    assert len(club.games.saved()) == 2, "a rematch starts once"


def test_against_an_ai_player_one_rematch_is_started_at_once_also_from_the_list(club: Club) -> None:
    you = club.begin("vcc")["you"]
    act(you, "concede")
    assert f'action="/rematch/{you.name}"' in club.client.get("/").text
    places = [club.client.post(f"/rematch/{you.name}").headers["location"] for _ in range(3)]
    assert len(set(places)) == 1 and len(club.games.saved()) == 2
    made = club.chairs(places[0])["you"]
    assert made.parts()["seat"] == "tribesmen" and made.game.session.seats["patrol"] == "doctrine"
    assert club.stranger().post(f"/rematch/{you.name}").status_code == 403


# --- links ------------------------------------------------------------------------------------------------------------


def test_a_link_is_a_full_address_with_a_qr_code_and_one_of_them_can_be_replaced(club: Club) -> None:
    chairs = club.begin("vcc", **FRIENDS)
    links = f"/links/{chairs['you'].name}"
    page = club.client.get(links).text
    assert page.count("<svg") == 3 and f"http://testserver{chairs['The band'].address}" in page
    assert club.client.post(links, data={"replace": "The band"}).headers["location"] == links
    assert chairs["The band"].get().status_code == 404
    assert chairs["you"].get().status_code == chairs["whoever watches"].get().status_code == 200
    assert club.chairs(links)["The band"].parts()["seat"] == "tribesmen"


def test_links_have_the_address_of_this_computer_in_its_network(club: Club) -> None:
    you = club.begin("vcc", **FRIENDS)["you"]
    network, here = "http://192.168.1.20:8765", "http://127.0.0.1:8765"
    client = TestClient(create_app(club.games, KEY, None, network), base_url=here)
    client.get(f"/enter/{KEY}")
    page = client.get(f"/links/{you.name}").text
    assert page.count(f"{network}/game/") == 2 * 3 and f">{here}/" not in page
    alone = TestClient(create_app(club.games, KEY, None), base_url=here)
    alone.get(f"/enter/{KEY}")
    page = alone.get(f"/links/{you.name}").text
    assert f">{here}/game/" in page and "this computer only" in page


def test_a_side_is_given_to_a_friend_and_taken_back_at_any_time(club: Club) -> None:
    you = club.begin("vcc", **{"seat.tribesmen": "me"})["you"]
    links = f"/links/{you.name}"
    club.client.post(links, data={"friend": "tribesmen"})
    band = club.chairs(links)["The band"]
    assert band.get().json()["seat"] == "tribesmen"
    assert you.parts()["seat"] == "patrol" and you.do("answer", option=0).status_code == 200
    club.client.post(links, data={"mine": "tribesmen"})
    assert band.get().status_code == 404 and "The band" not in club.chairs(links)


def test_a_friend_can_take_over_from_an_ai_player(club: Club) -> None:
    you = club.begin("vcc")["you"]
    club.client.post(f"/links/{you.name}", data={"friend": "tribesmen"})
    assert you.game.session.seats["tribesmen"] == "human"
    assert club.chairs(f"/links/{you.name}")["The band"].get().status_code == 200


def test_no_reload_and_no_second_click_creates_a_game(club: Club) -> None:
    page = club.client.get("/new/patrol_clash").text
    form_id = re.findall(r'name="form_id" value="([^"]+)"', page)[0]
    form = {"ruleset": "vcc", **FRIENDS, "form_id": form_id}
    places = {club.client.post("/new/patrol_clash", data=form).headers["location"] for _ in range(3)}
    assert len(places) == 1 and places.pop().startswith("/links/")
    club.client.get("/links/patrol_clash-vcc-1")
    assert len(club.games.saved()) == 1
