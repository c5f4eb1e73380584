"""The games of a server: opened in parallel, listed, started at the same time, and isolated from each other."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient
from tests.web.conftest import HOST, KEY, Chair, Club, run_async
from tests.web.test_play import play

from zareba.base.errors import ZarebaError
from zareba.base.filenames import write_atomically
from zareba.session import open_session, saved_games
from zareba.session.thinking import Thought
from zareba.web import app as web_app
from zareba.web.app import create_app
from zareba.web.lobby import games as house_games
from zareba.web.lobby.battles import Battles
from zareba.web.lobby.games import CHECKPOINT_AFTER, Games
from zareba.web.lobby.links import KEY_FILE, Links
from zareba.web.seat.view import version_of
from zareba.web.seat.viewer import Viewer

AT_ONCE = 12
FRIEND = {"seat.tribesmen": "friend"}


def asking(club: Club) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(club.client.app), base_url=f"http://{HOST}", timeout=60,
        cookies={"zareba_owner": KEY},
    )  # fmt: skip


# --- one game does not delay the others -------------------------------------------------------------------------------


def test_other_requests_are_answered_while_a_game_is_opened(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, other = club.begin("vcc")["you"], club.begin("afriboria")["you"]
    club.games.close()
    other.parts()
    may_open, tried = threading.Event(), threading.Event()
    real = open_session

    def waits(path: Path, **more: Any) -> Any:
        if path.stem == slow.name:
            tried.set()
            assert may_open.wait(60)
        return real(path, **more)

    monkeypatch.setattr("zareba.web.lobby.games.open_session", waits)

    async def visit() -> None:
        async with asking(club) as client:
            comers = [asyncio.create_task(client.get(f"{slow.address}/parts?ground={n}")) for n in range(60)]
            while not tried.is_set():
                await asyncio.sleep(0.01)
            for path in (
                f"{other.address}/parts",
                f"{other.address}/briefing",
                "/static/game/main.js",
                other.address,
                "/",
            ):
                assert (await asyncio.wait_for(client.get(path), 30)).status_code == 200, path
            assert not any(comer.done() for comer in comers)
            may_open.set()
            assert {answer.status_code for answer in await asyncio.gather(*comers)} == {200}

    run_async(visit)


def test_many_requests_for_one_game_leave_threads_for_the_others(club: Club) -> None:
    busy, other = club.begin("vcc")["you"], club.begin("afriboria")["you"]

    async def visit() -> None:
        async with asking(club) as client:
            with busy.game.lock:
                asked = [asyncio.create_task(client.get(f"{busy.address}/briefing")) for _ in range(60)]
                await asyncio.sleep(0.05)
                for path in (f"{other.address}/briefing", "/", "/static/game/map.js"):
                    assert (await asyncio.wait_for(client.get(path), 30)).status_code == 200
                assert not any(task.done() for task in asked)
            assert {answer.status_code for answer in await asyncio.gather(*asked)} == {200}

    run_async(visit)


def test_a_long_game_opens_from_its_checkpoint_and_is_read_whole_in_the_background(club: Club) -> None:
    you = club.begin("vcc")["you"]
    while you.game.session.recorded < CHECKPOINT_AFTER + 5:
        play(you, 6)
    steps = len(you.game.session.history.steps)
    before = you.parts()
    club.games.close()
    assert you.game.path.with_suffix(".checkpoint.json").is_file()
    for _ in range(2000):
        if not you.game.session.history.is_partial:
            break
        threading.Event().wait(0.01)
    assert len(you.game.session.history.steps) == steps
    after = you.parts()
    for part in ("status", "question", "log", "pieces", "position", "steps"):
        assert after[part] == before[part], part


def test_a_journal_that_contradicts_its_checkpoint_cannot_be_continued(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    you = club.begin("vcc")["you"]
    while you.game.session.recorded < CHECKPOINT_AFTER + 5:
        play(you, 6)
    club.games.close()

    def departs(*_: Any) -> Any:
        raise ZarebaError("line 7: the state is not the one in the journal")

    monkeypatch.setattr(house_games, "earlier_history", departs)
    game = you.game
    for _ in range(1000):
        if game.broken:
            break
        threading.Event().wait(0.01)
    told = you.parts()
    assert "the state is not the one in the journal" in told["question"]
    assert you.do("undo").status_code == 409


def test_an_ai_player_has_a_second_for_a_choice_by_default(club: Club, tmp_path: Path) -> None:
    assert club.begin("vcc")["you"].game.session.think == 1.0
    assert Games(tmp_path, think=3.0)._think == 3.0


# --- new games at the same time ---------------------------------------------------------------------------------------


def test_new_games_that_begin_at_the_same_time_have_names_of_their_own(club: Club) -> None:
    def begin(_: int) -> Any:
        form = {"ruleset": "vcc", "seat.patrol": "me", "seat.tribesmen": "doctrine"}
        client = club.stranger()
        client.get(f"/enter/{KEY}")
        return client.post("/new/patrol_clash", data=form)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(begin, range(AT_ONCE)))
    assert [answer.status_code for answer in answers] == [303] * AT_ONCE, [answer.text[-900:] for answer in answers]
    assert len({answer.headers["location"].split("/")[2] for answer in answers}) == AT_ONCE


def test_battles_that_are_made_at_the_same_time_have_names_of_their_own(club: Club) -> None:
    def make(_: int) -> Any:
        client = club.stranger()
        client.get(f"/enter/{KEY}")
        return client.post("/make", data={"from": "patrol_clash"})

    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(make, range(AT_ONCE)))
    assert len({answer.headers["location"] for answer in answers}) == AT_ONCE


# --- the list of games ------------------------------------------------------------------------------------------------


def test_the_list_reads_only_journals_that_have_changed(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    chairs = [club.begin("vcc")["you"] for _ in range(3)]
    listed = club.games.saved()
    read: list[str] = []
    real = saved_games.saved_game

    def counted(path: Path) -> Any:
        read.append(path.stem)
        return real(path)

    monkeypatch.setattr(saved_games, "saved_game", counted)
    assert list(club.games.saved()) == list(listed) and not read
    assert list(Games(club.folder).saved()) == list(listed) and not read, "the next server has the index too"
    chairs[1].do("answer", option=0)
    club.games.saved()
    assert set(read) == {chairs[1].name}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format": 1, "games": {"a.jsonl": [[1], {}]}}'])
def test_a_damaged_index_is_rebuilt(club: Club, text: str) -> None:
    club.begin("vcc")
    listed = club.games.saved()
    (club.folder / saved_games.INDEX_FILE).write_text(text)
    assert list(Games(club.folder).saved()) == list(listed)


def test_a_damaged_journal_is_listed_with_its_reason_and_without_folders(club: Club) -> None:
    (club.folder).mkdir(exist_ok=True)
    (club.folder / "torn.jsonl").write_text("nothing of ours\n")
    for _ in range(2):
        page = club.client.get("/").text
        assert "torn.jsonl is not a zareba journal" in page and str(club.folder) not in page


# --- links ------------------------------------------------------------------------------------------------------------


def test_the_owner_continues_with_his_own_side_and_by_the_same_link(club: Club) -> None:
    chairs = club.begin("vcc", **FRIEND)
    for _ in range(3):
        answer = club.client.post(f"/links/{chairs['you'].name}")
        assert answer.status_code == 303 and answer.headers["location"] == chairs["you"].address
    assert Chair(club, chairs["you"].address).parts()["seat"] == "patrol"
    assert len(chairs["you"].game.links.all()) == 3


def test_links_are_shown_again_only_to_the_owner(club: Club) -> None:
    chairs = club.begin("vcc", **FRIEND)
    page = club.client.get(f"/links/{chairs['you'].name}").text
    for whom, chair in chairs.items():
        assert f'<b hidden>{whom}</b> <a href="{chair.address}">http://{HOST}{chair.address}</a>' in page
    assert club.stranger().get(f"/links/{chairs['you'].name}").status_code == 403


def test_new_links_leave_people_on_their_sides(club: Club) -> None:
    chairs = club.begin("vcc", **FRIEND)
    club.client.post(f"/links/{chairs['you'].name}", data={"end": "1"})
    assert all(chair.get().status_code == 404 for chair in chairs.values())
    given = {link.holder: link.seats for link in chairs["you"].game.links.all()}
    assert given == {"you": ("patrol",), "The band": ("tribesmen",), "whoever watches": ()}


def test_links_of_an_older_zareba_stay_valid_and_new_ones_are_added(club: Club) -> None:
    chairs = club.begin("vcc", **FRIEND)
    path = chairs["you"].game.path.with_suffix(".seats.json")
    old = [{"hash": link["hash"], "seats": link["seats"]} for link in json.loads(path.read_text())]
    path.write_text(json.dumps(old))
    answer = club.client.post(f"/links/{chairs['you'].name}")
    assert answer.status_code == 303 and Chair(club, answer.headers["location"]).parts()["seat"] == "patrol"
    assert chairs["The band"].get().status_code == 200


def test_without_its_key_a_link_is_not_shown_and_stays_valid(club: Club) -> None:
    chairs = club.begin("vcc", **FRIEND)
    (club.folder / KEY_FILE).unlink()
    assert [link.token for link in chairs["you"].game.links.all()] == [None] * 3
    assert chairs["The band"].get().status_code == 200


# --- a full disk ------------------------------------------------------------------------------------------------------


def _full(*_: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    links, battles = Links(tmp_path / "x.jsonl"), Battles(tmp_path / "battles")
    links.grant(["a"])
    battles.save("mine", "old")
    before = sorted(path.name for path in tmp_path.rglob("*"))
    monkeypatch.setattr("zareba.base.filenames.os.fsync", _full)
    with pytest.raises(ZarebaError, match="No space left"):
        links.grant(["b"])
    with pytest.raises(ZarebaError, match="No space left"):
        battles.save("mine", "new")
    with pytest.raises(OSError, match="No space left"):
        write_atomically(tmp_path / "other", "text")
    assert sorted(path.name for path in tmp_path.rglob("*")) == before
    assert battles.own_text("mine") == "old" and len(links.all()) == 1


# --- streams ----------------------------------------------------------------------------------------------------------


def test_one_watchers_link_cannot_use_up_all_streams(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_games, "MOST_PER_SPECTATOR_LINK", 4)
    monkeypatch.setattr(house_games, "MOST_SPECTATORS", 6)
    monkeypatch.setattr(house_games, "MOST_PER_PLAYER_LINK", 3)
    game = club.begin("vcc", **FRIEND)["you"].game

    async def come(link: str, count: int, *, plays: bool = False) -> list[bool]:
        return [game.add_stream(asyncio.Event(), link, seats=["patrol"] if plays else []) for _ in range(count)]

    assert run_async(lambda: come("first", 10)).count(True) == 4
    assert run_async(lambda: come("second", 10)).count(True) == 2
    assert run_async(lambda: come("player", 10, plays=True)).count(True) == 3
    assert run_async(lambda: come("friend", 2, plays=True)) == [True, True]


def test_one_stream_reports_many_games_and_invalid_links(club: Club) -> None:
    chairs = [club.begin("vcc")["you"] for _ in range(3)]
    links = [chair.address.removeprefix("/game/") for chair in chairs]
    bad = [f"{chairs[0].name}/guess", "no-such-game/x", "../x/y", ""]
    club.games.ending = False
    found: dict[str, list[int]] = {}

    async def listen() -> None:
        query = "&".join(f"of={link}" for link in [*links, *bad])
        scope = {
            "type": "http", "method": "GET", "path": "/events", "raw_path": b"/events", "query_string": query.encode(),
            "headers": [(b"host", HOST.encode())], "client": ("127.0.0.1", 1), "server": (HOST, 80), "scheme": "http",
            "root_path": "", "http_version": "1.1",
        }  # fmt: skip
        heard = asyncio.Queue[Any]()
        app: Any = club.client.app

        async def receive() -> Any:
            await asyncio.sleep(3600)

        async def send(message: Any) -> None:
            for line in message.get("body", b"").decode().splitlines():
                if line.startswith("data: "):
                    await heard.put(json.loads(line.removeprefix("data: ")))

        stream: asyncio.Task[None] = asyncio.create_task(app(scope, receive, send))
        while set(found) < {*links, *bad}:
            found.update(await asyncio.wait_for(heard.get(), 30))
        before = dict(found)
        chairs[1].game.propose(None)
        changed = await asyncio.wait_for(heard.get(), 30)
        assert set(changed) == {links[1]} and changed[links[1]] > before[links[1]]
        club.games.end_streams()
        await asyncio.wait_for(stream, 30)

    run_async(listen)
    assert all(found[link] == [0, 0] for link in bad) and all(min(found[link]) > 0 for link in links)
    assert not any(chair.game.stream_count for chair in chairs)


def test_large_answers_to_other_devices_are_compressed_and_streams_are_not(club: Club) -> None:
    you = club.begin("vcc")["you"]
    here, there = (
        TestClient(create_app(club.games, KEY, None, network)) for network in ("", "http://192.168.1.20:8765")
    )
    local, remote = (client.get(f"{you.address}/parts") for client in (here, there))
    assert "content-encoding" not in local.headers and remote.headers["content-encoding"] == "gzip"
    assert int(remote.headers["content-length"]) < len(remote.content) / 3 and remote.json() == local.json()
    club.games.ending = True  # a stream then ends after its first event
    link = you.address.removeprefix("/game/")
    for address in (f"{you.address}/events", f"/events?of={link}", f"{you.address}/news"):
        told = there.get(address, headers={"Accept-Encoding": "gzip"})
        assert told.status_code == 200 and "content-encoding" not in told.headers


def first_events(club: Club, address: str, least: int) -> list[Any]:
    """Open a stream of a server in this process, and return the data of its first events."""
    club.games.ending = False
    path, _, query = address.partition("?")
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(b"host", HOST.encode())], "client": ("127.0.0.1", 1), "server": (HOST, 80), "scheme": "http",
        "root_path": "", "http_version": "1.1",
    }  # fmt: skip
    heard: list[Any] = []

    async def listen() -> None:
        enough = asyncio.Event()
        app: Any = club.client.app

        async def receive() -> Any:
            await enough.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            for line in message.get("body", b"").decode().splitlines():
                if line.startswith("data: "):
                    heard.append(json.loads(line.removeprefix("data: ")))
            if len(heard) >= least:
                enough.set()

        await asyncio.wait_for(app(scope, receive, send), 60)

    run_async(listen)
    return heard


@pytest.mark.parametrize("kind", ["of one game", "of all tabs"])
def test_a_silent_stream_repeats_all_versions(club: Club, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_app, "_KEEP_ALIVE", 0.05)
    you = club.begin("vcc")["you"]
    link = you.address.removeprefix("/game/")
    if kind == "of one game":
        *_, first, second = first_events(club, f"{you.address}/events", 4)
        assert first == second and first[0] == you.game.version
    else:
        *_, first, second = first_events(club, f"/events?of={link}", 5)
        assert first == second == {link: first[link]} and first[link][0] == you.game.version


def test_no_version_is_announced_twice_when_something_becomes_hidden(club: Club) -> None:
    """Under Afriboria nothing is hidden until the cards are dealt. A page may hear of versions before that and be too
    slow to show them; versions announced afterwards must have other numbers.
    """
    you = club.begin("afriboria")["you"]
    viewer = Viewer(you.game, frozenset({"patrol"}))
    versions: list[int] = []
    while not viewer.has_limited_view():
        you.game.propose(None)  # a change that no page shows
        versions.append(version_of(viewer))
        you.do("answer", option=0)
    assert version_of(viewer) > max(versions)


# --- access -----------------------------------------------------------------------------------------------------------


def test_wrong_links_do_not_delay_valid_ones(club: Club) -> None:
    you = club.begin("vcc")["you"]
    stranger = club.stranger()
    codes = [stranger.get(f"/game/{you.name}/guess{number}/parts").status_code for number in range(70)]
    assert codes[0] == 404 and codes[-1] == 429
    assert you.get().status_code == 200 and club.client.get("/").status_code == 200
    assert club.stranger().get("/static/game/main.js").status_code == 200


def test_pictures_of_battles_are_private_and_refusals_name_no_folder(club: Club) -> None:
    stranger = club.stranger()
    assert stranger.get("/scenario/patrol_clash.svg").status_code == 403
    assert club.client.get("/scenario/patrol_clash.svg").status_code == 200
    battles = club.folder / "battles"
    battles.mkdir(parents=True)
    (battles / "broken.yaml").write_text("id: broken\ntitle: [")
    for path in ("/scenario/broken.svg", "/new/broken", "/"):
        text = club.client.get(path).text
        assert "broken.yaml" in text and str(club.folder) not in text and str(Path.cwd()) not in text, text[-500:]


# --- after a restart of the server ------------------------------------------------------------------------------------


def test_an_answer_for_the_same_position_is_accepted_after_a_restart(club: Club) -> None:
    you = club.begin("vcc")["you"]
    before = you.parts()
    club.games.close()
    you.wait()
    assert you.game.version != before["version"]
    stale = you.do("answer", version=before["version"], position="0.nothing", option=0)
    assert stale.status_code == 409
    again = you.do("answer", version=before["version"], position=before["position"], option=0)
    assert again.status_code == 200
    twice = you.do("answer", version=before["version"], position=before["position"], option=0)
    assert twice.status_code == 409, "a repeated click does not count"


def test_a_fault_in_an_ai_player_is_shown_and_the_game_stays_usable(
    club: Club, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    chair = club.begin("vcc")["you"]
    monkeypatch.setattr("zareba.web.lobby.games.FIRST_SLICE", 0.0)

    def failing(**_: object) -> bool:
        if chair.game.thinking:
            raise RuntimeError("a fault in a player")
        return False

    with monkeypatch.context() as broken:
        broken.setattr(chair.game.session, "drive", failing)
        assert chair.do("answer", option=0).status_code == 200
    assert "RuntimeError" in chair.game.trouble and "a fault in a player" in caplog.text
    assert chair.do("go").status_code == 200
    assert not chair.game.trouble


def test_the_page_answers_while_a_general_thinks_and_can_stop_its_thinking(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search holds no lock. 'Decide now' ends it, and what it has found is the answer."""
    begun = threading.Event()

    def think(thought: Thought) -> None:
        begun.set()
        for _ in range(2000):
            if thought.is_enough():
                break
            threading.Event().wait(0.005)
        else:
            raise AssertionError("it decides without being told to")
        thought.is_enough = lambda: True
        real(thought)

    real = Thought.think
    monkeypatch.setattr(Thought, "think", think)
    chair = club.begin("vcc", **{"seat.patrol": "general", "seat.tribesmen": "me"})["you"]
    assert begun.wait(60)
    page = chair.get().json()
    assert page["thinking"] and "The AI player general is thinking" in page["question"]
    assert "Decide now" in page["question"]
    before = chair.game.session.recorded
    watching = club.client.get(f"{chair.address}/news")
    assert watching.status_code == 200
    answered = chair.client.post(f"{chair.address}/do/decide", data={"version": 0})
    assert answered.status_code == 200
    for _ in range(3000):
        if chair.game.session.recorded > before:
            break
        threading.Event().wait(0.01)
    assert chair.game.session.recorded > before and not chair.game.trouble
    monkeypatch.setattr(Thought, "think", real)
    chair.game.decide_now()
