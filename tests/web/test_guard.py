"""Request checks: other sites' requests, large bodies and frequent requests are refused."""

from __future__ import annotations

import random
import re
import string
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Club, run_async
from tests.web.test_play import play

from zareba.scenario import load_scenario
from zareba.web import security
from zareba.web.lobby.battles import Battles
from zareba.web.security import Guard


def test_browsers_get_security_headers(club: Club) -> None:
    you = club.begin("vcc")["you"]
    for address in ("/", you.address, f"{you.address}/parts", "/static/game/main.js", "/nothing"):
        headers = club.client.get(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert "no-store" in club.client.get(f"{you.address}/parts").headers["cache-control"]


def test_pages_contain_no_inline_script_or_style(club: Club) -> None:
    you = club.begin("vcc")["you"]
    pages = [club.client.get("/").text, club.client.get("/new/patrol_clash").text, you.client.get(you.address).text]
    pages += [str(part) for part in you.parts().values()]
    for page in pages:
        assert " style=" not in page and "<style" not in page and " onclick" not in page and "javascript:" not in page
        assert page.count("<script") == len(
            re.findall(r'<script type="module" src="/static/[a-z]+/[a-z]+\.js"></script>', page)
        )
        assert "http://" not in page.replace("http://www.w3.org/2000/svg", "") and "https://" not in page


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "testserver.evil.example", "", "127.0.0.1.evil"])
def test_a_foreign_host_name_is_refused(club: Club, host: str) -> None:
    assert club.client.get("/", headers={"Host": host}).status_code in (400, 421)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://testserver.evil.example", "https://testserver:1"]
)
def test_requests_from_another_page_change_nothing(club: Club, origin: str) -> None:
    you = club.begin("vcc")["you"]
    before = you.parts()
    crossed = you.client.post(
        f"{you.address}/do/answer", data={"version": before["version"], "option": 0}, headers={"Origin": origin}
    )
    assert crossed.status_code == 403 and you.parts() == before
    assert club.client.post("/new/patrol_clash", data={"ruleset": "vcc"}, headers={"Origin": origin}).status_code == 403
    fetched = you.client.post(f"{you.address}/do/undo", data={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert fetched.status_code == 403
    same = {"Origin": "http://testserver"}
    answer = you.client.post(f"{you.address}/do/answer", data={"version": before["version"], "option": 0}, headers=same)
    assert answer.status_code == 200


def test_large_request_bodies_are_refused(club: Club) -> None:
    you = club.begin("vcc")["you"]
    before = you.parts()
    large = you.client.post(f"{you.address}/do/answer", content=b"x" * 70_000)
    assert large.status_code == 413

    def drops() -> Iterator[bytes]:
        for _ in range(80):
            yield b"y" * 1000

    assert you.client.post(f"{you.address}/do/answer", content=drops()).status_code == 413
    assert you.client.post(f"{you.address}/do/answer", content=b"&".join([b"a=1"] * 500)).status_code == 409
    assert you.client.post(f"{you.address}/do/answer", headers={"Content-Length": "-1"}).status_code in (400, 413)
    assert you.parts() == before


def test_slow_request_bodies_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    import anyio

    monkeypatch.setattr(security, "SLOWEST", 0.05)
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        await anyio.sleep(1)
        return {"type": "http.request", "body": b"", "more_body": True}

    async def send(message: Any) -> None:
        sent.append(message)

    async def never(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("the application is not asked")

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"host", b"here")], "client": ("1.2.3.4", 1)}
    guard = Guard(never, {"here"})
    run_async(lambda: guard(scope, receive, send))
    assert sent[0]["status"] == 408


def test_too_many_requests_get_error_429(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BURST", 20)
    monkeypatch.setattr(security, "PER_SECOND", 0.0)
    second = Club(club.folder)
    codes = [second.client.get("/").status_code for _ in range(25)]
    assert codes[:10] == [200] * 10 and codes[-1] == 429


def test_guessing_links_is_limited_and_does_not_slow_players_with_links(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = [club.begin("vcc")["you"] for _ in range(2)]
    # Time stands still from here, so that a slow machine does not give the stranger more guesses.
    now = time.monotonic()
    monkeypatch.setattr(security, "time", SimpleNamespace(monotonic=lambda: now))
    for _ in range(security.BURST + 5):
        links[0].get()
    assert links[1].get().status_code == 200, "another link from the same address"
    stranger = club.stranger()
    codes = [
        stranger.get(f"/game/{links[0].name}/guess{number}/parts").status_code for number in range(security.GUESSES + 5)
    ]
    assert codes[0] == 404 and codes[-1] == 429


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd", "/scenario/..%2f..%2fx.svg",
        "/game/..%2f..%2fetc%2fpasswd/x/parts", "/game/%2e%2e/x", "/new/../../x", "/game/a%00b/t/parts",
    ],
)  # fmt: skip
def test_no_path_leads_outside_the_static_folder(club: Club, path: str) -> None:
    answer = club.client.get(path)
    assert answer.status_code in (404, 405, 409) and "root:" not in answer.text and "import" not in answer.text


def test_only_get_and_post_are_allowed(club: Club) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        assert club.client.request(method, "/").status_code == 405


def test_a_link_to_a_journal_elsewhere_is_not_opened(club: Club) -> None:
    you = club.begin("vcc")["you"]
    (club.folder / "other.jsonl").symlink_to(you.game.path)
    assert "other" not in [game.name for game in club.games.saved()]
    assert club.client.post("/links/other").status_code == 409


def test_script_in_names_is_shown_as_text(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    scenario: Any = load_scenario("patrol_clash").model_copy(deep=True)
    named = (
        *scenario.units.values(),
        *scenario.leaders.values(),
        *scenario.sides.values(),
        *scenario.objectives.values(),
    )
    for piece in (*named, *scenario.terrain.values()):
        piece.__dict__["name"] = hostile
    scenario.__dict__.update(title=hostile, note=hostile, place=hostile)
    monkeypatch.setattr(Battles, "scenario", lambda _, name: scenario)
    you = club.begin("vcc")["you"]
    play(you, 12)
    told = you.parts()
    assert told.pop("goals") and told.pop("turn_text")  # shown as text, never as HTML
    shown = [you.client.get(you.address).text, *map(str, told.values())]
    shown += [
        club.client.get("/").text,
        club.client.get("/new/patrol_clash").text,
        club.client.get("/scenario/patrol_clash.svg").text,
    ]
    shown += [
        club.client.post(f"/links/{you.name}").text,
        you.get("/why").json()["html"],
        you.get("/act?step=1").json()["html"],
        you.get("/unit?piece=fusiliers").json()["html"],
        you.get("/umpire").json()["html"],
        you.get("/units").json()["html"],
        club.client.get("/comparisons").text,
    ]
    for page in shown:
        assert "<script>alert" not in page and "<img src=x" not in page


def _random_text(luck: random.Random) -> str:
    alphabet = string.printable + "\u202eé\x00"
    return "".join(luck.choice(alphabet) for _ in range(luck.choice((0, 1, 3, 12, 80))))


def _storm(club: Club, count: int) -> None:
    """Send random and malformed requests; none changes a game, and none makes the server fail."""
    luck = random.Random(7)
    you = club.begin("vcc")["you"]
    play(you, 6)
    before, journal = you.parts(), you.game.path.read_bytes()
    client = TestClient(club.client.app, follow_redirects=False, raise_server_exceptions=False)
    tails = [
        "",
        "/parts",
        "/odds",
        "/check",
        "/why",
        "/rule",
        "/act",
        "/at",
        "/ruler",
        "/do/answer",
        "/do/undo",
        "/do/x",
        "/unit",
        "/umpire",
        "/do/umpire",
        "/do/order",
        "/do/delegate",
        "/do/hand_over",
        "/do/agree",
    ]
    for number in range(count):
        tail = luck.choice(tails)
        token = you.address.rpartition("/")[2] if luck.random() < 0.6 and tail != "/do/undo" else "guess"
        names = (
            "version", "option", "n", "x", "y", "ax", "ay", "bx", "by", "step", "id", "whole", "faces", "ground",
            "act", "of", "what", "value", "reason", "piece", "unit", "kind", "scope", "player", "side", "turns",
        )  # fmt: skip
        fields = {
            luck.choice(names): luck.choice((_random_text(luck), str(luck.randint(-5, 10**9)), "nan", "1e999"))
            for _ in range(4)
        }
        fields.pop("version" if luck.random() < 0.5 else "", None)
        if fields.get("version") == str(before["version"]):
            del fields["version"]
        if luck.random() < 0.5:
            answer = client.get(f"/game/{you.name}/{token}{tail}", params=fields)
        else:
            body = _random_text(luck).encode() if luck.random() < 0.3 else None
            answer = client.post(f"/game/{you.name}/{token}{tail}", data=None if body else fields, content=body)
        assert answer.status_code < 500, (number, tail, fields, answer.text)
    assert you.parts() == before and you.game.path.read_bytes() == journal


@pytest.fixture
def without_rate_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(security, "BURST", 10**9)
    monkeypatch.setattr(security, "GUESSES", 10**9)


def test_random_requests_change_nothing(without_rate_limits: None, club: Club) -> None:
    _storm(club, 400)


@pytest.mark.deep
def test_five_thousand_random_requests_change_nothing(without_rate_limits: None, club: Club) -> None:
    _storm(club, 5000)


def test_only_the_whole_key_is_accepted(club: Club) -> None:
    assert club.stranger().get(f"/enter/{KEY[:-1]}").status_code == 403
    assert club.stranger().get("/enter/é").status_code == 403
