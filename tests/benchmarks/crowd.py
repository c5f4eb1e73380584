"""Many games and many watchers at one server: nothing lost or doubled, how long answers take, whether memory stays flat.

    python tests/benchmarks/crowd.py [GAMES] [WATCHERS] [SECONDS]

Each game has one player, who answers twice a second; the watchers fetch the table whenever they are told to. What the
server works for an answer, with the looks of those who watch, says the same on a busy machine as on a quiet one; so does what
this program works itself, which has its share of the machine and of the waiting.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from urllib.parse import urlencode

import httpx2

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.chromium import Server

from zareba.journal import read_journal

RULESETS = ("vcc", "afriboria", "paychest", "fixed_baynet", "risk_factor")
BETWEEN = 0.5


async def begin(client: httpx2.AsyncClient, server: Server, number: int) -> tuple[str, str]:
    """A new game: the addresses of its player and of whoever watches."""
    seats = {"seat.patrol": "me", "seat.tribesmen": "random"}
    form = {"ruleset": RULESETS[number % len(RULESETS)], "seed": str(number), **seats}
    answer = await client.post(f"{server.home}/new/patrol_clash", data=form)
    mine = answer.headers["location"]
    name = mine.split("/")[2]
    listed = await client.post(f"{server.home}/links/{name}", data={"seat.patrol": "friend"})
    watch = re.findall(r"<b>whoever watches</b> <a href=\"(/game/[^\"]+)\"", listed.text)[0]
    return mine, watch


class Page:
    """What a page does with its server, over one connection that stays open, and as little as can be for it.

    A client that does more, as one for all purposes, takes as much of a processor as the server, and measures itself.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(self, path: str, form: dict[str, object] | None = None) -> tuple[int, bytes]:
        """The status and the body of what is answered."""
        reader = await self.send(path, form)
        status, length = int((await reader.readline()).split()[1]), 0
        while (line := await reader.readline()) != b"\r\n":
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, await reader.readexactly(length)

    async def send(self, path: str, form: dict[str, object] | None = None) -> asyncio.StreamReader:
        """Send a request; gives where its answer is read."""
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**20)
        head = f"{'GET' if form is None else 'POST'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        body = b"" if form is None else urlencode(form).encode()
        more = (
            ""
            if form is None
            else f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        )
        self._writer.write(f"{head}{more}Accept: application/json\r\n\r\n".encode() + body)
        return self._reader

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


async def play(port: int, mine: str, until: float, shown: list[float]) -> int:
    """Answer until time is up; gives how many answers were accepted."""
    page, luck, accepted, ground = Page(port), random.Random(mine), 0, ""
    while perf_counter() < until:
        await asyncio.sleep(BETWEEN * (0.5 + luck.random()))
        told = json.loads((await page.ask(f"{mine}/parts?ground={ground}"))[1])
        ground = told["ground"]
        count = told["question"].count("data-option=")
        if not told["mine"] or not count:
            if told["over"]:
                break
            continue
        answer = {"version": told["version"], "ground": ground, "option": luck.randrange(count)}
        start = perf_counter()
        status, _ = await page.ask(f"{mine}/do/answer", answer)
        if status == 200:
            shown.append(1000 * (perf_counter() - start))
            accepted += 1
    page.close()
    return accepted


async def watch(port: int, address: str, until: float, heard: list[float]) -> None:
    """Follow a game; of each change how long it took from hearing of it until the table was there."""
    stream, page, ground = Page(port), Page(port), ""
    try:
        events = await stream.send(f"{address}/events")
        while perf_counter() < until and (line := await events.readline()):
            if line.startswith(b"data:"):
                start = perf_counter()
                _, told = await page.ask(f"{address}/parts?ground={ground}")
                heard.append(1000 * (perf_counter() - start))
                at = told.index(b'"ground": "') + len(b'"ground": "')
                ground = told[at : told.index(b'"', at)].decode()  # as the page does, which has its ground already
    finally:
        stream.close()
        page.close()


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


async def crowd(games: int, watchers: int, seconds: float) -> None:
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name))
        try:
            async with httpx2.AsyncClient(timeout=60) as client:
                await client.get(server.enter)
                chairs = [await begin(client, server, number) for number in range(games)]
            held, worked, own = [memory(server.pid)], server.processor_time, process_time()
            until = perf_counter() + seconds
            shown: list[float] = []
            heard: list[float] = []
            playing = [asyncio.create_task(play(server.port, mine, until, shown)) for mine, _ in chairs]
            watching = [
                asyncio.create_task(watch(server.port, chairs[number % games][1], until, heard))
                for number in range(watchers)
            ]
            while perf_counter() < until:
                await asyncio.sleep(seconds / 5)
                held.append(memory(server.pid))
            worked, own = server.processor_time - worked, process_time() - own
            accepted = await asyncio.gather(*playing)
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)
        finally:
            server.kill()
        for (mine, _), count in zip(chairs, accepted, strict=True):
            entries = read_journal(Path(name) / f"{mine.split('/')[2]}.jsonl").entries
            kept = sum(entry.get("by") == "person" for entry in entries)
            assert kept == count, f"{mine}: {count} answers were accepted, {kept} are in the journal"
    print(
        json.dumps(
            {
                "games": games, "watchers": watchers, "seconds": seconds, "answers": len(shown),
                "median_ms": round(median(shown)), "p95_ms": round(quantiles(shown, n=20)[-1]), "told": len(heard),
                "told_median_ms": round(median(heard)), "told_p95_ms": round(quantiles(heard, n=20)[-1]),
                "processors": round(worked / seconds, 2), "own_processors": round(own / seconds, 2),
                "server_ms_an_answer": round(1000 * worked / len(shown), 1), "load": round(os.getloadavg()[0], 1),
                "megabytes": [round(one) for one in held], "lost_or_doubled": 0,
            },
        )
    )  # fmt: skip


if __name__ == "__main__":
    given = [float(one) for one in sys.argv[1:]]
    numbers = [*given, *(50.0, 200.0, 300.0)[len(given) :]]
    asyncio.run(crowd(int(numbers[0]), int(numbers[1]), numbers[2]))
