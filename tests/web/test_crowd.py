"""Many readers at one server: shared content is computed once, and waiting for one game does not delay another."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from tests.web.conftest import HOST, Chair, Club, run_async

from zareba.web.seat.view import page_parts

FRIEND = {"seat.tribesmen": "friend"}
WATCHERS = 60
"""More watchers than the server has threads for requests."""


def test_a_view_shared_by_all_watchers_is_computed_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    chairs = club.begin("vcc", **FRIEND)
    you, watcher = chairs["you"], chairs["whoever watches"]
    ground = you.parts()["ground"]
    made: list[frozenset[str]] = []

    def counted(viewer: Any) -> Any:
        made.append(viewer.seats)
        return page_parts(viewer)

    monkeypatch.setattr("zareba.web.seat.view.page_parts", counted)
    answer = you.do("answer", option=0, ground=ground)
    told = [Chair(club, watcher.address).get(f"/parts?ground={ground}") for _ in range(4)]
    assert len({answer.text for answer in told}) == 1 and "ground_svg" not in told[0].json()
    assert you.get(f"/parts?ground={ground}").text == answer.text, "a repeated request costs nothing"
    assert made == [frozenset({"patrol"}), frozenset()]
    whole = watcher.get("/parts").json()
    assert whole.keys() - told[0].json().keys() == {"ground_svg", "box"}
    assert len(made) == 2


@pytest.mark.parametrize("ruleset", ["afriboria", "vcc"])
def test_shared_pages_equal_pages_computed_for_each_viewer(club: Club, ruleset: str) -> None:
    """Afriboria has hidden hands of cards, so its table is not shared between seats."""
    chairs = club.begin(ruleset, **FRIEND)
    for _ in range(12):
        for chair in chairs.values():
            if chair.parts()["is_asked"]:
                chair.do("answer", option=0)
    together = [chair.get().text for chair in chairs.values()]
    alone = []
    for chair in reversed(chairs.values()):
        chair.game.cache.clear()
        alone.append(chair.get().text)
    assert together == alone[::-1]


def test_requests_waiting_for_one_game_do_not_delay_another(club: Club) -> None:
    first, second = club.begin("vcc")["you"], club.begin("afriboria")["you"]
    before = first.game.version

    async def all_at_once() -> tuple[list[Any], Any]:
        transport = httpx2.ASGITransport(first.client.app)
        async with httpx2.AsyncClient(transport=transport, base_url=f"http://{HOST}", timeout=60) as client:
            with first.game.lock:
                first.game.cache.clear()
                waiting = [
                    asyncio.create_task(client.get(f"{first.address}/parts?ground={number}"))
                    for number in range(WATCHERS)
                ]
                await asyncio.sleep(0.05)
                other = await asyncio.wait_for(client.get(f"{second.address}/score"), 30)
                assert not any(task.done() for task in waiting)
            return await asyncio.gather(*waiting), other

    told, other = run_async(all_at_once)
    assert other.status_code == 200
    assert [answer.json()["version"] for answer in told] == [before] * WATCHERS
